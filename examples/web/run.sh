#!/bin/sh
# Builds the page, one file that needs nothing else, not even a server; drives it in Chromium
# without a window, and compares all that it finds with what world.c finds on this machine.
#
#   sh examples/web/run.sh
#
# Environment: OUT (examples/out/web), CC (cc) and CFLAGS (-O2) for this machine. Exit status: 0 all
# is as promised, 1 something is not, 77 nothing failed but a part was skipped.

cd "$(dirname "$0")/../.." || exit 1
source=examples/web
CC=${CC:-cc}
CFLAGS=${CFLAGS--O2}
OUT=${OUT:-examples/out/web}
warnings="-std=c99 -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wundef -Wcast-qual
    -Wdouble-promotion -Wpedantic -Werror"
limit= # on the time of a run
if command -v timeout >/dev/null; then limit="timeout -k 10 120"; fi
failed=0
skipped=0

pass() { echo "ok    $1"; }
fail() { failed=1 && echo "FAIL  $1"; }
skip() { skipped=1 && echo "SKIP  $1"; }

# needs PACKAGE PROGRAM
needs() {
    command -v "$2" >/dev/null && return
    skip "needs the Debian package $1"
    return 1
}

build_wasm() {
    # shellcheck disable=SC2086 # several words
    clang --target=wasm32 $warnings -O2 -mbulk-memory -ffreestanding -nostdlib \
        -fvisibility=hidden -I. -Wl,--no-entry,--export-dynamic,--strip-all \
        -o "$OUT/world.wasm" $source/world.c &&
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
        }' $source/index.html
}

find_here() {
    # shellcheck disable=SC2086
    $CC $CFLAGS $warnings -I. -o "$OUT/world" $source/world.c -lm &&
        "$OUT/world" | tr -d '\r' >"$OUT/expected.txt"
}

# look_at PAGE: what it wrote into itself. As root Chromium does not start without --no-sandbox, nor
# with a profile that it locked and left, ended by a signal, under another name of the machine.
look_at() {
    rm -rf "$OUT/profile"
    $limit chromium --headless --no-sandbox --disable-gpu --force-device-scale-factor=1 \
        --user-data-dir="$OUT/profile" --enable-logging=stderr --virtual-time-budget=3000 \
        --dump-dom "file://$(cd "$OUT" && pwd)/$1.html" >"$OUT/$1.dom" 2>"$OUT/$1.log"
    [ -s "$OUT/$1.dom" ] || { tail -n 5 "$OUT/$1.log"; return 1; }
    ! grep CONSOLE "$OUT/$1.log"
}

# Chromium prints the page when it has loaded it. If WebAssembly is not yet compiled then, again.
runs_alone() {
    attempts=6
    while [ $attempts -gt 0 ]; do
        look_at index || return 1
        grep -q 'id="pair-count">[1-9]' "$OUT/index.dom" && return
        attempts=$((attempts - 1))
    done
    return 1
}

in_chromium() {
    needs chromium chromium || return
    if runs_alone; then
        pass "in Chromium the page runs by itself"
    else
        fail "in Chromium the page does not run by itself"
    fi
    page $source/test.js $source/page.js >"$OUT/test.html"
    look_at test
    clean=$?
    sed -n '/<pre id="result">/,/<\/pre>/p' "$OUT/test.dom" | sed '1d;$d' >"$OUT/actual.txt"
    if diff "$OUT/expected.txt" "$OUT/actual.txt" && [ $clean -eq 0 ]; then
        pass "in Chromium the page finds what world.c finds here"
    else
        fail "in Chromium the page finds something else (< here, > in the page)"
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

mkdir -p "$OUT" || exit 1
needs clang clang || exit 77
needs lld wasm-ld || exit 77
if build_wasm && page $source/page.js >"$OUT/index.html"; then
    pass "the page: $(($(wc -c <"$OUT/world.wasm"))) bytes of WebAssembly in one file of \
$(($(wc -c <"$OUT/index.html")))"
else
    fail "the page is not built"
    exit 1
fi
if find_here; then
    if agree; then pass "all structures find the same"; else fail "structures differ"; fi
    in_chromium
else
    fail "world.c on this machine"
fi
[ "$failed" -eq 0 ] || exit 1
echo "Open $OUT/index.html in a browser."
[ "$skipped" -eq 0 ] || exit 77
