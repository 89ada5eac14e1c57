#!/bin/sh
# Builds all examples, runs them, and compares their output with their promise: each has its output
# in a comment that begins with "Prints:" or with "Prints, given ARGUMENTS:".
#
#   sh examples/run.sh
#
# Environment: see common.sh; and RUN (nothing: a command that runs a program built for another
# machine), REQUIRE_ALL=1: an example that cannot run here has failed.
# shellcheck disable=SC2015,SC2016,SC2046,SC2086 # several words
cd "$(dirname "$0")/.." || exit 1
. examples/common.sh
# Programs of one file are built with SPATIAL_STATIC, which leaves out functions without a call.
for_folders=$CFLAGS CFLAGS="$CFLAGS -DSPATIAL_STATIC"

# The text of the block of that number in README.md.
readme() { awk -v want="$1" '/^```/ { fences++; next } fences == 2 * want - 1' README.md; }

# The arguments for which an example promises its output.
arguments() { sed -n 's/^\/\* Prints, given \(.*\):$/\1/p' "examples/$1.c"; }

# example NAME ARGUMENTS...: builds it with $flags and $libraries and runs it with these, too.
flags='' libraries=''
example() {
    name=$1
    shift
    promise "examples/$name.c" >"$OUT/expected.txt"
    builds "$name" $flags "examples/$name.c" $libraries -lm &&
        prints "$name" "$OUT/expected.txt" $RUN "$OUT/$name" $(arguments "$name") "$@"
}

# The first program of README.md is the inside of one and says in comments which lines it prints.
# Behind a block of calls stand game.c and its output.
check_readme() {
    [ -f README.md ] || { skip "README.md is not here, nor its programs."; return; }
    {
        printf '%s\n' '#include <stdio.h>' '#define SPATIAL_IMPLEMENTATION' '#include "spatial.h"' \
            'int main(void) {' "$(readme 1)" 'return 0; }'
    } >"$OUT/first.c"
    readme 1 | sed -n 's/.*printf("\(.*: \)%d.*\/\* \([0-9]*\): .*/\1\2/p' >"$OUT/expected.txt"
    builds first "$OUT/first.c" -lm && prints "the first program of README.md finds what it says" \
        "$OUT/expected.txt" $RUN "$OUT/first"
    sed -n '/^#include/,$p' examples/game.c >"$OUT/game.txt"
    readme 3 >"$OUT/expected.txt"
    same "game.c is in README.md" "$OUT/expected.txt" "$OUT/game.txt"
    readme 4 >"$OUT/expected.txt"
    builds game examples/game.c -lm &&
        prints "game prints what README.md shows" "$OUT/expected.txt" $RUN "$OUT/game"
}

# The bytes of an index, where an address has eight.
check_bytes() {
    cat >"$OUT/bytes.c" <<'END_OF_TEXT'
#include <stdio.h>
#define SPATIAL_IMPLEMENTATION
#include "spatial.h"
int main(void)
{
    spt_linear_desc desc = {0};
    int alone, paired;
    desc.capacity = 256;
    paired = (int)spt_linear_bytes_for(&desc);
    desc.no_pairs = 1;
    alone = (int)spt_linear_bytes_for(&desc);
    if (sizeof(void *) != 8) alone = 10992, paired = 39592;
    printf("%d,%03d bytes, with pairs %d,%03d\n", alone / 1000, alone % 1000, paired / 1000,
           paired % 1000);
    return 0;
}
END_OF_TEXT
    sed -n 's/.* index take \(.*, with pairs [0-9,]*\) .*/\1/p' README.md >"$OUT/expected.txt"
    builds bytes "$OUT/bytes.c" -lm &&
        prints "README.md tells the bytes of an index" "$OUT/expected.txt" $RUN "$OUT/bytes"
}

# The second block of README.md shows calls: they compile, if the word for each argument has its
# type. A list behind it names all other functions; there `spt_box_` begins the names that follow.
check_functions() {
    readme 2 | sed 's| *//.*||; s/)$/);/' >"$OUT/calls.txt"
    {
        cat <<'END_OF_TEXT'
#include "spatial.h"
void calls(spt_index *world, spt_index *to, const spt_linear_desc *desc, spt_i32 id,
    const spt_box *box, const spt_box *boxes, spt_i32 n,
    const spt_i32 *moved, const spt_filter *filter, spt_intlist *ids, spt_intlist *pairs,
    spt_visit_fn fn, spt_near_fn near, void *ctx, spt_coord distance, const spt_shape *shape,
    spt_i32 k, spt_coord limit, const spt_motion *motion, spt_hit *hit, spt_hit *hits,
    const spt_layer *layers, int count, spt_box *end, spt_coord dx, spt_coord dy, spt_coord skin,
    spt_coord *moved_x, spt_coord *moved_y, spt_shape_hit *stop, spt_shape_hit *stops,
    spt_broadphase *bp, spt_contacts *contacts, spt_intlist *began, spt_intlist *ended,
    spt_neighbours *points, const spt_coord *x, const spt_coord *y, size_t stride, spt_coord radius,
    spt_intlist *rows)
{
END_OF_TEXT
        cat "$OUT/calls.txt"
        echo "}"
    } >"$OUT/calls.c"
    check "the calls in README.md compile" $CC $warnings -I. -c -o "$OUT/calls.o" "$OUT/calls.c"
    awk '/^#endif \/\* SPATIAL_H/ { exit } /^SPTI_API/ { print }' spatial.h |
        sed 's/(.*//; s/.*[ *]//' | sort -u >"$OUT/expected.txt"
    {
        tr -s ' (' '\n' <"$OUT/calls.txt" | sed -n '/^spt_/p'
        sed -n '/^- The rest, by name/,/^$/p' README.md | tr '`' '\n' | awk '
            /_$/ { prefix = $0; next }
            /^spt_/ { print; next }
            /^[a-z_]+$/ { print prefix $0 }'
    } | sort -u >"$OUT/named.txt"
    same "README.md names all functions of spatial.h" "$OUT/expected.txt" "$OUT/named.txt"
}

# Agents do the same whichever structure finds their pairs; --help lists these.
check_agents() {
    builds agents examples/agents.c -lm || return
    must "agents --help" $RUN "$OUT/agents" --help || return
    structures=$(tr -d '\r' <"$OUT/log.txt" | sed -n 's/^structures://p')
    [ -n "$structures" ] || fail "agents --help"
    for structure in $structures; do
        promise examples/agents.c | sed "s/broadphase/$structure/" >"$OUT/expected.txt"
        prints "agents --structure $structure" "$OUT/expected.txt" $RUN "$OUT/agents" \
            $(arguments agents) --structure "$structure" --svg "$OUT/$structure.svg"
    done
}

# A window needs SDL; here nobody sees it.
check_window() {
    needs window sdl2-config libsdl2-dev || return
    flags=$(sdl2-config --cflags) libraries=$(sdl2-config --libs)
    tries '#include <SDL.h>
        #if !SDL_VERSION_ATLEAST(2, 0, 18)
        #error "SDL_RenderGeometry"
        #endif
        int main(int n, char **arguments) { return SDL_Init(0) + n + !arguments; }' \
        "$flags" "$libraries" || { skip "window: $CC does not build with SDL 2.0.18."; return; }
    export SDL_VIDEODRIVER=dummy
    example window --picture "$OUT/window.bmp"
    flags="-DWITH_SDL $flags"
    example platformer --watch
    example room --watch
}

# Examples in folders have scripts of their own.
check_folder() {
    OUT=$OUT/$1 CFLAGS=$for_folders sh "examples/$1/run.sh" >"$OUT/$1.txt" 2>&1
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

cat <<END_OF_TEXT
Builds and checks all examples in $OUT: about two minutes. It needs a C compiler;
what else it uses, by the names of Debian's packages (what is missing is skipped):

  window, platformer, room  libsdl2-dev
  cpp                 g++ clang cmake make
  web                 clang lld chromium
  firmware            gcc-arm-none-eabi qemu-system-arm
  mpi                 libopenmpi-dev openmpi-bin
  chipmunk            libchipmunk-dev

compiler: $CC $CFLAGS
END_OF_TEXT
sed -n '/^\/\* QUICK START/,/^#endif/{/^#if 0/,/^#endif/p;}' spatial.h | sed '1d;$d' \
    >"$OUT/expected.txt"
same "quickstart.c is the QUICK START of spatial.h" "$OUT/expected.txt" examples/quickstart.c
printf 'frame %s\n' '1: 1 hits 2' '2: 0 hits 1' '2: 0 hits 2' '2: 1 hits 2' '3: 0 hits 2' \
    >"$OUT/expected.txt"
builds quickstart examples/quickstart.c -lm &&
    prints quickstart "$OUT/expected.txt" $RUN "$OUT/quickstart"
check_readme
if [ -f README.md ]; then check_functions; check_bytes; fi
check_agents
example questions --svg "$OUT/questions.svg"
same "questions.svg is what questions draws" examples/questions.svg "$OUT/questions.svg"
example flock
example counties
for name in shooter platformer boids room; do example $name --svg "$OUT/$name.svg"; done
# Threads are not everywhere: without pthread.h, or what it needs to link, there is no such example.
if tries '#include <pthread.h>
    static void *f(void *p) { return p; }
    int main(void) { pthread_t t; return pthread_create(&t, 0, f, 0); }' -pthread; then
    flags=-pthread
    example threads
else
    skip "threads: $CC has no POSIX threads."
fi
check_window
for folder in firmware mpi web cpp chipmunk; do check_folder $folder; done
[ "$failed" -ne 0 ] || cat <<END_OF_TEXT

Look at these in a browser: agents over the cells of the structure that found their pairs, games,
boids coloured by where they fly, and a page where all moves.
$(ls "$OUT"/*.svg "$OUT/web/index.html" 2>/dev/null)
Then go to $OUT and try: ./agents --help, ./agents --agents 20000,
./boids --frames 400 --svg boids.svg, ./counties --county 36061, and with SDL 2 ./window, where you
can ask what is under the mouse, ./platformer --play and ./room --play.

END_OF_TEXT
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] || exit 1
[ "$skipped" -eq 0 ] || [ "${REQUIRE_ALL:-0}" != 1 ]
