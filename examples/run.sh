#!/bin/sh
# Builds all examples, runs them, and compares what they print with what they promise: each holds
# its output in a comment that begins with "Prints:" or with "Prints, given ARGUMENTS:".
#
#   sh examples/run.sh
#
# Environment: see common.sh; and RUN (nothing: a command that runs a program built for another
# machine), REQUIRE_ALL=1: what cannot run here has failed.
cd "$(dirname "$0")/.." || exit 1
. examples/common.sh

# The text between the first "#if 0" and "#endif" after the words QUICK START in the header.
quick_start_of_header() {
    awk '/^\/\* QUICK START/ { near = 1 } near && $0 == "#endif" { exit } on { print }
         near && $0 == "#if 0" { on = 1 }' spatial.h
}

# The texts of C in README.md, from 1 on, and the output that is shown behind each.
program_of_readme() { # number
    awk -v want="$1" 'on && $0 == "```" { exit } on { print } $0 == "```c" { on = ++n == want }' \
        README.md
}
output_of_readme() { # number
    awk -v want="$1" 'on && $0 == "```" { exit } on { print }
        n == want && $0 == "```" { on = ended++ } $0 == "```c" { n++ }' README.md
}

# The arguments for which an example promises its output.
arguments() { sed -n 's/^\/\* Prints, given \(.*\):$/\1/p' "examples/$1.c"; }

build() { # name, flags, libraries
    $CC $CFLAGS ${2:-} -I. -o "$OUT/$1" "examples/$1.c" ${3:-} -lm
}

# run NAME ARGUMENTS...: the output goes to $OUT/NAME.txt, with plain line ends on every system.
run() {
    name=$1
    shift
    $RUN "$OUT/$name" "$@" >"$OUT/$name.raw" || return 1
    tr -d '\r' <"$OUT/$name.raw" >"$OUT/$name.txt"
    rm -f "$OUT/$name.raw"
}

# The first text of C in README.md is the inside of a program and says in comments what it prints.
# The others stand in this folder, too, perhaps below a comment, and one of them in the header.
check_readme() {
    quick_start_of_header >"$OUT/expected.txt"
    same "quickstart.c is the QUICK START of spatial.h" "$OUT/expected.txt" examples/quickstart.c
    [ -f README.md ] || { skip "README.md is not here, nor its programs."; return; }
    {
        printf '#include <stdio.h>\n#define SPATIAL_IMPLEMENTATION\n#include "spatial.h"\n'
        printf 'int main(void)\n{\n'
        program_of_readme 1
        printf '    return 0;\n}\n'
    } >"$OUT/first.c"
    program_of_readme 1 | sed -n 's/.*printf("\(.*: \)%d.*\/\* \([0-9]*\): .*/\1\2/p' \
        >"$OUT/expected.txt"
    if $CC $CFLAGS -I. -o "$OUT/first" "$OUT/first.c" && run first; then
        same "the first program of README.md finds what it says" "$OUT/expected.txt" \
            "$OUT/first.txt"
    else
        fail "the first program of README.md"
    fi
    number=1
    for program in quickstart ask; do
        number=$((number + 1))
        build $program && run $program || { fail $program; continue; }
        program_of_readme $number >"$OUT/expected.txt"
        sed -n '/^#include/,$p' "examples/$program.c" >"$OUT/actual.txt"
        same "$program.c is program $number of README.md" "$OUT/expected.txt" "$OUT/actual.txt"
        output_of_readme $number >"$OUT/expected.txt"
        same "$program prints what README.md shows" "$OUT/expected.txt" "$OUT/$program.txt"
    done
}

# Agents do the same whichever structure finds their pairs; --help lists these.
check_agents() {
    build agents || { fail agents; return; }
    structures=
    run agents --help && structures=$(sed -n 's/^structures://p' "$OUT/agents.txt")
    [ -n "$structures" ] || { fail "agents --help"; return; }
    for structure in $structures; do
        promise examples/agents.c | sed "s/broadphase/$structure/" >"$OUT/expected.txt"
        if run agents $(arguments agents) --structure "$structure" --svg "$OUT/$structure.svg"; then
            same "agents --structure $structure" "$OUT/expected.txt" "$OUT/agents.txt"
        else
            fail "agents --structure $structure"
        fi
    done
}

# check_program NAME ARGUMENTS...: those that it promises its output for, and more.
check_program() {
    build "$1" || { fail "$1"; return; }
    check_built "$@"
}

check_built() {
    program=$1
    shift
    promise "examples/$program.c" >"$OUT/expected.txt"
    if run "$program" $(arguments "$program") "$@"; then
        same "$program" "$OUT/expected.txt" "$OUT/$program.txt"
    else
        fail "$program"
    fi
}

# Threads are not everywhere: without pthread.h, or what it needs to link, there is no such example.
check_threads() {
    tries '#include <pthread.h>
        static void *f(void *p) { return p; }
        int main(void) { pthread_t t; return pthread_create(&t, 0, f, 0); }' -pthread ||
        { skip "threads: $CC has no POSIX threads."; return; }
    build threads -pthread || { fail threads; return; }
    check_built threads
}

# A window needs SDL; these are seen by nobody.
check_window() {
    needs window sdl2-config libsdl2-dev || return
    flags=$(sdl2-config --cflags) libraries=$(sdl2-config --libs)
    tries '#include <SDL.h>
        #if !SDL_VERSION_ATLEAST(2, 0, 18)
        #error "SDL_RenderGeometry"
        #endif
        int main(int n, char **arguments) { return SDL_Init(0) + n + !arguments; }' \
        "$flags" "$libraries" || { skip "window: $CC does not build with SDL 2.0.18."; return; }
    build window "$flags" "$libraries" || { fail window; return; }
    export SDL_VIDEODRIVER=dummy
    check_built window --picture "$OUT/window.bmp"
    promise examples/platformer.c >"$OUT/expected.txt"
    if build platformer "-DWITH_SDL $flags" "$libraries" && run platformer --watch; then
        same "platformer --watch" "$OUT/expected.txt" "$OUT/platformer.txt"
    else
        fail "platformer --watch"
    fi
}

# Those for small machines, for many, for browsers, C++ and an engine have scripts of their own.
check_machine() {
    OUT=$OUT/$1 sh "examples/$1/run.sh" >"$OUT/$1.txt" 2>&1
    case $? in
    0) pass "$1" ;;
    77)
        skip "$(sed -n 's/^skip *//p' "$OUT/$1.txt" | head -n 1)"
        # Not even where all is required.
        if grep -q '(not required)$' "$OUT/$1.txt"; then skipped=$((skipped - 1)); fi
        ;;
    *) fail "$1" && cat "$OUT/$1.txt" ;;
    esac
}

echo "compiler: $CC $CFLAGS"
check_readme
check_agents
check_program flock
check_program counties
check_program shooter --svg "$OUT/shooter.svg"
check_program platformer --svg "$OUT/platformer.svg"
check_program boids --svg "$OUT/boids.svg"
check_threads
check_window
check_machine firmware
check_machine dos
check_machine mpi
check_machine web
check_machine cpp
check_machine chipmunk
rm -f "$OUT/expected.txt"
if [ "$failed" -eq 0 ]; then
    echo
    echo "Look at these in a browser: agents over the cells of the structure that found"
    echo "their pairs."
    for structure in $structures; do echo "          $OUT/$structure.svg"; done
    echo "and, what a camera sees of a game: $OUT/shooter.svg"
    echo "and, a minute of play in a level of tiles: $OUT/platformer.svg"
    echo "and, boids coloured by where they fly: $OUT/boids.svg"
    if [ -f "$OUT/web/index.html" ]; then echo "and, all that moves: $OUT/web/index.html"; fi
    [ ! -x "$OUT/window" ] || echo "Or watch them, and ask what is under the mouse: $OUT/window"
    [ ! -x "$OUT/window" ] || echo "Or play: $OUT/platformer --play"
    echo "Then try: $OUT/agents --agents 20000     (and --help)"
    echo "          $OUT/boids --frames 400 --svg $OUT/boids.svg"
    echo "          $OUT/counties --county 36061"
    echo
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] || exit 1
[ "$skipped" -eq 0 ] || [ "${REQUIRE_ALL:-0}" != 1 ]
