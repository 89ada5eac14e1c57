#!/bin/sh
# Builds the page, drives it in Chromium, and compares its results with world.c on this machine.
# shellcheck disable=SC2015,SC2034,SC2086,SC2317 # several words; functions that check calls
cd "$(dirname "$0")/../.." || exit 1
. examples/common.sh

# Puts scripts, and world.c in these builds, in place of the script that index.html names.
page() { # builds, scripts
    grep -v -e '^<script src' -e '^</body>' -e '^</html>' $here/index.html
    echo "<script>const wasm = []"
    for build in $1; do echo "wasm.push(\`$(base64 <"$OUT/$build.wasm")\`)"; done
    echo "</script>" && shift
    for script; do echo "<script>" && cat "$script" && echo "</script>"; done
}

# clang does not link: where Emscripten is installed, its wasm-opt would refuse this.
compiles() { # build, flags
    must "the page is not built" clang --target=wasm32 $2 -std=c99 $warnings -O2 -mbulk-memory \
        -ffreestanding -fvisibility=hidden -I. -c -o "$OUT/$1.o" $here/world.c &&
        must "the page is not linked" wasm-ld --no-entry --export-dynamic --strip-all \
            -o "$OUT/$1.wasm" "$OUT/$1.o"
}

# shows PAGE TEXT: does Chromium show this text? If WebAssembly is not yet compiled, it is asked
# again. As root it needs --no-sandbox, and does not start with a profile that another one locked.
shows() {
    for attempt in 1 2 3 4 5 6; do
        rm -rf "$OUT/profile" && $limit chromium --headless --no-sandbox --disable-gpu \
            --force-device-scale-factor=1 --virtual-time-budget=3000 --enable-logging=stderr \
            --user-data-dir="$OUT/profile" --dump-dom "file://$1" 2>"$OUT/page.log" >"$OUT/page.dom"
        grep "$2" "$OUT/page.dom" && return
    done
    tail -n 5 "$OUT/page.log" && return 1
}

needs web clang clang wasm-ld lld || finish
compiles simd -msimd128 && compiles plain "" &&
    page "simd plain" $here/page.js >"$OUT/index.html" || finish
pass "$OUT/index.html has $(wc -c <"$OUT/simd.wasm") bytes of WebAssembly: open it in a browser"
builds world -std=c99 -Wpedantic $warnings $here/world.c -lm &&
    must "world.c on this machine" "$OUT/world" && cp "$OUT/log.txt" "$OUT/expected.txt" || finish
# Structures differ in their cells, which the picture shows, and in nothing else.
check "all structures find the same" [ "$(sed '/^another shape/,$d; s/^[a-z]*: //; /^picture/d' \
    "$OUT/expected.txt" | sort -u | wc -l)" -eq 7 ]
needs "the page" chromium chromium || finish
check "in Chromium the page runs by itself" shows "$OUT/index.html" 'id="pair-count">[1-9]'
must "the page reports an error" [ "$(grep -c CONSOLE "$OUT/page.log")" -eq 0 ]
for build in simd plain; do
    page $build $here/test.js $here/page.js >"$OUT/test.html"
    must "in Chromium the page does not end its test" shows "$OUT/test.html" '<pre id="result">'
    sed -n '/<pre id="result">/,/<\/pre>/p' "$OUT/page.dom" | sed '1d;$d' >"$OUT/actual.txt"
    same "in Chromium the page ($build) finds what world.c finds here" "$OUT/expected.txt" \
        "$OUT/actual.txt"
done
check "index.html tells how to build it" shows "$PWD/$here/index.html" 'sh examples/web/run.sh</'
finish
