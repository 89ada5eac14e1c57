#!/bin/sh
# Builds the page, one file that needs nothing else, not even a server; drives it in Chromium
# without a window, and compares all that it finds with what world.c finds on this machine.
#
#   sh examples/web/run.sh
# shellcheck disable=SC2086 # several words
cd "$(dirname "$0")/../.." || exit 1
. examples/common.sh

# clang does not link: where Emscripten is installed, its wasm-opt would refuse this.
build_wasm() {
    clang --target=wasm32 -std=c99 -Wpedantic $warnings -O2 -mbulk-memory -ffreestanding \
        -fvisibility=hidden -I. -c -o "$OUT/world.o" $here/world.c &&
        wasm-ld --no-entry --export-dynamic --strip-all -o "$OUT/world.wasm" "$OUT/world.o" &&
        base64 <"$OUT/world.wasm" >"$OUT/world.base64"
}

# page SCRIPTS...: index.html with world.c and these in place of the script that it names.
page() {
    awk -v scripts="$*" -v wasm="$OUT/world.base64" '
        function put(file, line) { while ((getline line <file) > 0) print line }
        $0 != "<script src=\"page.js\"></script>" { print; next }
        {
            print "<script>"
            print "const wasm = `"; put(wasm); print "`;"
            print "</script>"
            n = split(scripts, script)
            for (i = 1; i <= n; i++) { print "<script>"; put(script[i]); print "</script>" }
        }' $here/index.html
}

# look_at PAGE: puts the page as Chromium shows it into $OUT/look.dom. As root Chromium does not
# start without --no-sandbox, nor with a profile that it locked and left, ended by a signal, under
# another name of the machine.
look_at() {
    rm -rf "$OUT/profile"
    $limit chromium --headless --no-sandbox --disable-gpu --force-device-scale-factor=1 \
        --user-data-dir="$OUT/profile" --enable-logging=stderr --virtual-time-budget=3000 \
        --dump-dom "file://$1" >"$OUT/look.dom" 2>"$OUT/look.log"
    [ -s "$OUT/look.dom" ] || { tail -n 5 "$OUT/look.log"; return 1; }
    ! grep CONSOLE "$OUT/look.log"
}

# shows TEXT: the page contains it. Chromium prints the page when it has loaded it. If WebAssembly
# is not yet compiled then, the page is looked at again.
shows() {
    for attempt in 1 2 3 4 5 6; do
        look_at "$OUT/index.html" || return 1
        grep -q "$1" "$OUT/look.dom" && return
    done
    echo "not in $attempt attempts"
    return 1
}

in_chromium() {
    if shows 'id="pair-count">[1-9]'; then
        pass "in Chromium the page runs by itself"
    else
        fail "in Chromium the page does not run by itself"
    fi
    page $here/test.js $here/page.js >"$OUT/test.html"
    look_at "$OUT/test.html" || fail "in Chromium the page reports an error"
    sed -n '/<pre id="result">/,/<\/pre>/p' "$OUT/look.dom" | sed '1d;$d' >"$OUT/actual.txt"
    same "in Chromium the page finds what world.c finds here" "$OUT/expected.txt" \
        "$OUT/actual.txt"
    look_at "$(pwd)/$here/index.html" # it is not built, and reports that
    if grep -q 'sh examples/web/run.sh</' "$OUT/look.dom"; then
        pass "index.html by itself tells how to build the page"
    else
        fail "index.html by itself does not tell how to build the page"
    fi
}

# Structures differ in their cells, which the picture shows, and in nothing else.
agree() {
    awk '/^another shape/ { exit }
         { sub(/^[a-z]*: /, "") }
         /^picture/ { next }
         !($0 in seen) { seen[$0]; n++ }
         END { exit n != 6 }' "$OUT/expected.txt"
}

needs web clang clang wasm-ld lld || finish
build_wasm && page $here/page.js >"$OUT/index.html" || { fail "the page is not built" && finish; }
pass "the page: $(($(wc -c <"$OUT/world.wasm"))) bytes of WebAssembly in one file of \
$(($(wc -c <"$OUT/index.html")))"
$CC $CFLAGS -std=c99 -Wpedantic $warnings -I. -o "$OUT/world" $here/world.c -lm &&
    "$OUT/world" | tr -d '\r' >"$OUT/expected.txt" ||
    { fail "world.c on this machine" && finish; }
if agree; then pass "all structures find the same"; else fail "structures differ"; fi
if needs "the page" chromium chromium; then in_chromium; fi
echo "Open $OUT/index.html in a browser."
finish
