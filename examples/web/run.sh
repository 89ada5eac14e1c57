#!/bin/sh
# Builds the page, one file that needs nothing else, not even a server; drives it in Chromium
# without a window, and compares all that it finds with what world.c finds on this machine.
#
#   sh examples/web/run.sh
# shellcheck disable=SC2015,SC2034,SC2086,SC2317 # several words; functions that check calls
cd "$(dirname "$0")/../.." || exit 1
. examples/common.sh

page() { # scripts that are put, with world.c, in place of the script that index.html names
    grep -v -e '^<script src' -e '^</body>' -e '^</html>' $here/index.html
    echo "<script>const wasm = \`$(base64 <"$OUT/world.wasm")\`;</script>"
    for script; do echo "<script>" && cat "$script" && echo "</script>"; done
    echo "</body></html>"
}

# Puts the page as Chromium shows it, once loaded, into $OUT/page.dom. As root Chromium does not
# start without --no-sandbox, nor with a profile that it locked and left, ended by a signal, under
# another name of the machine.
look_at() { # page
    rm -rf "$OUT/profile"
    $limit chromium --headless --no-sandbox --disable-gpu --force-device-scale-factor=1 \
        --user-data-dir="$OUT/profile" --enable-logging=stderr --virtual-time-budget=3000 \
        --dump-dom "file://$1" >"$OUT/page.dom" 2>"$OUT/page.log"
    [ -s "$OUT/page.dom" ] && ! grep CONSOLE "$OUT/page.log"
}

shows() { # page, text: if WebAssembly is not yet compiled then, the page is looked at again
    for attempt in 1 2 3 4 5 6; do look_at "$1" && grep "$2" "$OUT/page.dom" && return; done
    tail -n 5 "$OUT/page.log" && return 1
}

needs web clang clang wasm-ld lld || finish
# clang does not link: where Emscripten is installed, its wasm-opt would refuse this.
must "the page is not built" clang --target=wasm32 -std=c99 -Wpedantic $warnings -O2 -mbulk-memory \
    -ffreestanding -fvisibility=hidden -I. -c -o "$OUT/world.o" $here/world.c &&
    must "the page is not linked" wasm-ld --no-entry --export-dynamic --strip-all \
        -o "$OUT/world.wasm" "$OUT/world.o" && page $here/page.js >"$OUT/index.html" || finish
pass "the page: $(wc -c <"$OUT/world.wasm") bytes of WebAssembly in $(wc -c <"$OUT/index.html")"
builds world -std=c99 -Wpedantic $warnings $here/world.c -lm &&
    must "world.c on this machine" "$OUT/world" && cp "$OUT/log.txt" "$OUT/expected.txt" || finish
# Structures differ in their cells, which the picture shows, and in nothing else.
check "all structures find the same" [ "$(sed '/^another shape/,$d; s/^[a-z]*: //; /^picture/d' \
    "$OUT/expected.txt" | sort -u | wc -l)" -eq 6 ]
needs "the page" chromium chromium || finish
check "in Chromium the page runs by itself" shows "$OUT/index.html" 'id="pair-count">[1-9]'
page $here/test.js $here/page.js >"$OUT/test.html"
must "in Chromium the page reports an error" look_at "$OUT/test.html"
sed -n '/<pre id="result">/,/<\/pre>/p' "$OUT/page.dom" | sed '1d;$d' >"$OUT/actual.txt"
same "in Chromium the page finds what world.c finds here" "$OUT/expected.txt" "$OUT/actual.txt"
# index.html is not built, and reports that: to the console, too.
look_at "$PWD/$here/index.html" >"$OUT/log.txt"
check "index.html by itself tells how to build the page" \
    grep 'sh examples/web/run.sh</' "$OUT/page.dom"
echo "Open $OUT/index.html in a browser."
finish
