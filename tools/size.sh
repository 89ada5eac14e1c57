#!/bin/sh
# Measures what spatial.h takes of small processors: the code of each section, the stack of each
# verb; and holds both against the limits below.
#
#   sh tools/size.sh            prints the tables, and then whether the limits hold
#   sh tools/size.sh readme     the same, with the tables written into bench/sizes.md
#   sh tools/size.sh limits     only whether the limits hold: in a tenth of the time
#
# Code is the text and the constants of an object file; stack comes from stack.awk, where its rules
# stand. Neither has in it what libgcc and the C library add: division, float on a processor
# without it, memset.
#
# Exit status: 0 the limits hold; 1 one does not, or a compiler fails; 77 all that could be
# measured hold, but a compiler is missing: its columns say SKIP and never a number.
set -u
cd "$(dirname "$0")/.." || exit 1
out=tools/out
rm -rf "$out/size"
mkdir -p "$out/size" || exit 1

limit_linear=11300 # bytes: a program with int list, Morton and linear on a Cortex-M0, int
limit_frame=256   # bytes: any one function on AVR, int

arm="arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -Os"
avr="avr-gcc -mmcu=atmega1284p -Os"
z80="sdcc -mz80 --std-c99"
case $(uname -m) in
x86_64 | amd64) x64_prefix='' x64_package=gcc ;;
*) x64_prefix=x86_64-linux-gnu- x64_package=gcc-x86-64-linux-gnu ;;
esac
x64="${x64_prefix}gcc -O2"

# The columns; each has a compiler, a type of coordinates and a Debian package.
all_targets="m0_float m0_int avr_int z80_int x64_float"
stack_targets="m0_float m0_int avr_int x64_float"
title() {
    case $1 in
    m0_float) echo "Cortex-M0 float" ;;
    m0_int) echo "Cortex-M0 int" ;;
    avr_int) echo "AVR int" ;;
    z80_int) echo "Z80 int" ;;
    x64_float) echo "x86-64 float" ;;
    esac
}
compiler() {
    case $1 in
    m0_float) echo "$arm" ;;
    m0_int) echo "$arm -DSPATIAL_INT" ;;
    avr_int) echo "$avr -DSPATIAL_INT" ;;
    z80_int) echo "$z80 -DSPATIAL_INT" ;;
    x64_float) echo "$x64" ;;
    esac
}
package() {
    case $1 in
    m0_*) echo gcc-arm-none-eabi, libnewlib-arm-none-eabi ;;
    avr_*) echo gcc-avr, avr-libc ;;
    z80_*) echo sdcc ;;
    x64_*) echo "$x64_package" ;;
    esac
}
size_tool() {
    case $1 in
    m0_*) echo arm-none-eabi-size ;;
    avr_*) echo avr-size ;;
    x64_*) echo "${x64_prefix}size" ;;
    esac
}

# Compilers that do not work here: not there, or without the headers that C promises.
find_missing() {
    echo '#include <stdint.h>' >"$out/size/try.c"
    echo 'int i;' >>"$out/size/try.c"
    missing=
    for target in $all_targets; do
        # shellcheck disable=SC2046 # a list of words
        $(compiler "$target") -c "$out/size/try.c" -o "$out/size/try.$target.rel" \
            >"$out/size/try.log" 2>&1 || missing="$missing $target"
    done
}
has() {
    case " $missing " in *" $1 "*) return 1 ;; esac
}

# The rows of code: the parts that are left in. `nothing` is the header with SPATIAL_STATIC and no
# call, and `program` one that has int list, Morton and linear to work with: all of their functions
# but the ones of not_at_work.
all_rows="none linear_alone linear_search program linear broadphase quadtree loosegrid \
packed_alone packed contacts neighbours everything nothing"
not_at_work="check|copy|traverse|rank|bytes|bytes_for|free|morton_box|pairs|move_many|build|kind|\
query_many|pairs_of|within|overlap|nearest|nearest_visit|cast|cast_all|cast_visit|slide|any|bounds|\
any_among|cast_among"
row_title() {
    case $1 in
    none) echo "boxes, int list and Morton, which are always there" ;;
    linear_alone) echo "linear without pairs" ;;
    linear_search) echo "the same with nearest, circles and casts" ;;
    linear) echo "linear with pairs (and broadphase)" ;;
    loosegrid) echo "loose grid" ;;
    packed_alone) echo "packed without pairs" ;;
    packed) echo "packed with pairs" ;;
    program) echo "the same in a program, without tests, drawings, heaps, caches, builds, copies" ;;
    nothing) echo "nothing: \`SPATIAL_STATIC\`, and no function used" ;;
    *) echo "$1" ;;
    esac
}

# The -D of all sections but the ones that a row needs.
left_out() {
    case $1 in
    none) keep= ;;
    contacts) keep=CONTACTS ;;
    neighbours) keep=NEIGHBOURS ;;
    linear_alone | program) keep=LINEAR ;;
    linear_search) keep="LINEAR SEARCH" ;;
    linear) keep="LINEAR BROADPHASE" ;;
    broadphase) keep=BROADPHASE ;;
    quadtree) keep="BROADPHASE QUADTREE" ;;
    loosegrid) keep="BROADPHASE LOOSEGRID" ;;
    packed_alone) keep=PACKED ;;
    packed) keep="BROADPHASE PACKED" ;;
    *) return ;;
    esac
    for section in BROADPHASE LINEAR QUADTREE LOOSEGRID PACKED SEARCH CONTACTS NEIGHBOURS; do
        case " $keep " in
        *" $section "*) ;;
        *) printf ' -DSPATIAL_NO_%s' "$section" ;;
        esac
    done
}

# A function that the object file of a row must have, and one that it must not.
present() {
    case $1 in
    none) echo spt_morton_cell ;;
    linear_search) echo spt_cast ;;
    linear*) echo spt_linear_init ;;
    broadphase) echo spt_broadphase_pairs ;;
    quadtree) echo spt_quadtree_init ;;
    packed*) echo spt_packed_init ;;
    contacts) echo spt_contacts_init ;;
    neighbours) echo spt_neighbours_init ;;
    *) echo spt_loosegrid_init ;;
    esac
}
absent() {
    case $1 in
    linear_alone | linear_search | packed_alone) echo spt_broadphase_pairs ;;
    linear) echo spt_loosegrid_init ;;
    none | broadphase | contacts | neighbours) echo spt_insert ;;
    quadtree | loosegrid | packed) echo spt_linear_init ;;
    *) echo "no such function" ;;
    esac
}

# Text and constants of an object file.
text_of() { # SIZE_TOOL FILE
    "$1" -A "$2" | awk '$1 ~ /^\.(text|rodata|progmem)/ { n += $2 } END { print n + 0 }'
}

# Puts the bytes of a row into a file of that name, or FAIL.
measure() { # TARGET ROW
    object=$out/size/$1.$2.o source=$out/size/all.c
    flags="-DSPATIAL_NO_STDLIB$(left_out "$2")"
    case $2 in nothing | program) flags="$flags -DSPATIAL_STATIC" ;; esac
    [ "$2" = program ] && source=$out/size/program.c
    [ "$1" = z80_int ] && object=$out/size/$1.$2.rel
    echo FAIL >"$out/size/$1.$2"
    # shellcheck disable=SC2046,SC2086 # lists of words
    $(compiler "$1") $flags -c "$source" -o "$object" >"$object.log" 2>&1 || return
    if [ "$2" != nothing ] && [ "$2" != program ]; then
        grep -q "$(present "$2")" "$object" || return
        grep -q "$(absent "$2")" "$object" && return
    fi
    if [ "$1" = z80_int ]; then
        bytes=$(sed -n 's/^A _CODE size \([0-9A-F]*\) .*/\1/p' "$object")
        echo $((0x$bytes))
    else
        text_of "$(size_tool "$1")" "$object"
    fi >"$out/size/$1.$2"
}

# A program that uses every function of some sections but for some, and no other. They are listed
# in a section of the object file that is not counted. The sections are named by the tags in the
# header; arena is the part of it in the section of the base.
program_of() { # SECTIONS NOT
    printf '#include "all.c"\ntypedef void (*any_function)(void);\n'
    printf 'extern any_function used[];\nany_function used[] = {\n'
    awk -v wanted=" $1 " -v but="_($2)$" '
        /^#endif \/\* SPATIAL_H \*\// { exit }
        match($0, />>[a-z]+/) { section = substr($0, RSTART + 2, RLENGTH - 2) }
        /^SPTI_API/ && match($0, /spt_[a-z_]+\(/) {
            f = substr($0, RSTART, RLENGTH - 1)
            part = f ~ /^spt_arena_/ ? "arena" : section
            if (index(wanted, " " part " ") && f !~ but) print "    (any_function)" f ","
        }' spatial.h
    echo '    0};'
}

measure_code() {
    for target in $all_targets; do
        for row in $all_rows; do
            if ! has "$target"; then
                echo SKIP >"$out/size/$target.$row"
            elif [ "$target.$row" = z80_int.nothing ] || [ "$target.$row" = z80_int.program ]; then
                echo - >"$out/size/$target.$row" # sdcc keeps static functions that nothing calls
            elif [ "$target" != z80_int ]; then
                measure "$target" "$row"
            fi
        done
    done
}

# sdcc takes as long for everything as for all the rest, so that two processors share its work.
measure_code_of_z80() {
    for row in $all_rows; do
        case $row in nothing | program | everything) ;; *) measure z80_int "$row" ;; esac
    done
}

# Puts what stack.awk finds into a file; FAIL or SKIP is its only word if it finds nothing.
measure_stack() { # TARGET
    base=$out/size/$1.stack
    has "$1" || { echo SKIP >"$base"; return; }
    flags="-DSPATIAL_NO_STDLIB -fstack-usage"
    case $1 in
    avr_*) flags="$flags -S -gdwarf-2 -g1" graph=s result=$base.s ;;
    *) flags="$flags -c -fcallgraph-info=su" graph=ci result=$base.o ;;
    esac
    # shellcheck disable=SC2046,SC2086 # lists of words
    { $(compiler "$1") $flags "$out/size/all.c" -o "$result" 2>"$base.log" &&
        awk -f tools/stack.awk spatial.h "$base.su" "$base.$graph" >"$base" 2>>"$base.log"; } ||
        echo FAIL >"$base"
}

# The deepest of the functions of a section that are named, or with `not` of all others. A
# structure has its own, spt_linear_init, and a part of the functions of all structures.
deepest() { # TARGET SECTION [not] VERB...
    base=$out/size/$1.stack
    case $(head -n 1 "$base") in SKIP | FAIL) head -n 1 "$base"; return ;; esac
    awk -v want="$*" 'BEGIN {
        n = split(want, word, " ")
        own = "spt_" word[2] "_"
        not = word[3] == "not"
        for (i = 3 + not; i <= n; i++) named[word[i]] = 1
    }
    $1 != "stack" { next }
    index($2, own) == 1 { verb = substr($2, length(own) + 1) }
    index($2, own) != 1 && $3 == word[2] { verb = substr($2, 5) }
    index($2, own) != 1 && $3 != word[2] { next }
    (verb in named) != not && $4 >= most { most = $4; found = 1 }
    END { print found ? most : "-" }' "$base"
}

largest_frame() { # TARGET
    awk '$1 == "frame" { print $3 " (`" $2 "`)" } $1 !~ /frame|stack/ { print $1 }' \
        "$out/size/$1.stack"
}

head_of_table() { # FIRST_COLUMN TARGET...
    printf '| %s |' "$1"
    shift
    for target; do printf ' %s |' "$(title "$target")"; done
    printf '\n|---|'
    for target; do printf -- '--:|'; done
    echo
}

code_table() {
    # shellcheck disable=SC2086 # a list of words
    head_of_table "bytes of code" $all_targets
    for row in $all_rows; do
        printf '| %s |' "$(row_title "$row")"
        for target in $all_targets; do printf ' %s |' "$(cat "$out/size/$target.$row")"; done
        echo
    done
}

stack_row() { # TITLE STRUCTURES WORDS_FOR_DEEPEST...
    row=$1 structures=$2
    shift 2
    printf '| %s |' "$row"
    for target in $stack_targets; do
        cell=
        for structure in $structures; do
            cell="$cell${cell:+ / }$(deepest "$target" "$structure" "$@")"
        done
        case $cell in SKIP*) cell=SKIP ;; FAIL*) cell=FAIL ;; esac
        printf ' %s |' "$cell"
    done
    echo
}

stack_table() {
    verbs="init insert move move_many remove build tidy query visit pairs traverse check"
    four="linear quadtree loosegrid packed"
    # shellcheck disable=SC2086 # lists of words
    {
        head_of_table "bytes of stack: linear / quadtree / loose grid / packed" $stack_targets
        for verb in $verbs; do stack_row "$verb" "$four" "$verb"; done
        stack_row "all others" "$four" not $verbs
    }
    stack_row "broadphase: pairs" broadphase pairs
    stack_row "broadphase: pairs_between" broadphase pairs_between
    stack_row "broadphase: all others" broadphase not pairs pairs_between
    stack_row "int list: any" intlist not
    stack_row "Morton: any" morton not
    stack_row "contacts: any" contacts not
    stack_row "neighbours: any" neighbours not
    printf '| the largest frame of one function |'
    for target in $stack_targets; do printf ' %s |' "$(largest_frame "$target")"; done
    echo
}

versions() {
    for target in m0_int avr_int z80_int x64_float; do
        has "$target" || continue
        tool=$(compiler "$target")
        tool=${tool% -DSPATIAL_INT}
        # shellcheck disable=SC2016 # the quotes are of Markdown
        printf '`%s` (%s), ' "$tool" "$(${tool%% *} --version | head -n 1 |
            sed 's/^.*\([ #]\)\([0-9][0-9]*\.[0-9.]*[0-9]\).*$/\2/')"
    done
}

tables() {
    {
        printf 'By %sall with ' "$(versions)"
        # shellcheck disable=SC2016
        printf '`SPATIAL_NO_STDLIB`. Code is text and constants of an object file in which all '
        printf 'other sections are left out (-: sdcc keeps static functions that nothing calls). '
        printf 'Stack is the deepest path through all calls, with nothing for callbacks of yours. '
        printf 'Neither has the functions that libgcc and the C library add '
        printf '(division, float, memset).\n'
    } | fold -s -w 105 | sed 's/ $//'
    echo
    code_table
    echo
    stack_table
    for target in $all_targets; do
        has "$target" || printf '\nSKIP %s: needs %s.\n' "$(title "$target")" \
            "$(package "$target")"
    done
}

status=0
skipped=

# A limit: holds if VALUE is a number and no more than LIMIT.
check() { # TITLE VALUE LIMIT
    case $2 in
    SKIP) skipped=yes; echo "skip  $1" ;;
    *[!0-9]* | "") status=1; echo "FAIL  $1: $2" ;;
    *)
        if [ "$2" -le "$3" ]; then
            echo "ok    $1: $2, limit $3"
        else
            status=1
            echo "FAIL  $1: $2, limit $3"
        fi
        ;;
    esac
}

bytes_at_os() { # FILE FLAGS...: of all kinds, so that data and bss count as well
    file=$1
    shift
    ${x64%% *} -Os -DSPATIAL_STATIC "$@" -c "$file" -o "$file.o" 2>"$file.log" &&
        "${x64_prefix}size" "$file.o" | awk 'NR == 2 { print $4 }'
}

# With SPATIAL_STATIC the compiler itself drops what is not used: nothing need be left out by hand.
# Number of functions of a structure that is not the one named.
others_in() { # C_FILE STRUCTURE
    # shellcheck disable=SC2086 # a list of words
    ${x64_prefix}gcc -Os -DSPATIAL_STATIC -c "$1" -o "$1.o" 2>"$1.log" ||
        { echo "does not compile"; return; }
    "${x64_prefix}nm" "$1.o" | awk -v own="$2" '
        own == "loosegrid" && $3 ~ /^spti_linear_/ { next } # which the loose grid is
        $3 ~ /^spti_(linear|quadtree|loosegrid|packed)_/ && index($3, "spti_" own "_") != 1 { n++ }
        END { print n + 0 }'
}

check_static() {
    : >"$out/size/empty.c"
    empty=$(bytes_at_os "$out/size/empty.c")
    unused=$(bytes_at_os "$out/size/all.c")
    check "SPATIAL_STATIC, gcc -Os: bytes of a program that uses nothing" \
        "${unused:+$((unused - empty))}" 0
    for section in intlist morton; do
        program_of "$section" none >"$out/size/$section.c"
        whole=$(bytes_at_os "$out/size/$section.c")
        # shellcheck disable=SC2046 # a list of words
        part=$(bytes_at_os "$out/size/$section.c" $(left_out none))
        check "SPATIAL_STATIC, gcc -Os: $section used; the limit is all others left out" \
            "${whole:-does not compile}" "${part:-0}"
    done
    for section in broadphase linear quadtree loosegrid packed; do
        used=$section
        [ "$section" = broadphase ] || used="$section index"
        program_of "$used" none >"$out/size/$section.c"
        check "SPATIAL_STATIC, gcc -Os: $section used; functions of structures that are not" \
            "$(others_in "$out/size/$section.c" "$section")" 0
    done
}

find_missing
printf '#define SPATIAL_IMPLEMENTATION\n#include "../../../spatial.h"\n' >"$out/size/all.c"
program_of "arena intlist morton index linear" "$not_at_work" >"$out/size/program.c"
if [ "${1:-}" = limits ]; then
    if has m0_int; then measure m0_int program; else echo SKIP >"$out/size/m0_int.program"; fi
    measure_stack avr_int
else
    z80_is_here=
    if has z80_int; then
        z80_is_here=yes
        measure_code_of_z80 &
        measure z80_int everything &
    fi
    measure_code
    for target in $stack_targets; do measure_stack "$target"; done
    [ -z "$z80_is_here" ] || wait
    tables >"$out/size.md"
    cat "$out/size.md"
    [ -z "$missing" ] || skipped=yes
    echo
fi

failures=$(grep -lx FAIL "$out"/size/*)
for file in $failures; do
    status=1
    echo "FAIL  $file:"
    head -n 5 "$file"*.log
done
check "Cortex-M0, int: bytes of a program with int list, Morton and linear" \
    "$(cat "$out/size/m0_int.program")" "$limit_linear"
frame=$(largest_frame avr_int)
check "AVR, int: bytes of the largest frame${frame#"${frame%% *}"}" "${frame%% *}" "$limit_frame"
if has x64_float; then
    check_static
else
    check "SPATIAL_STATIC: needs $(package x64_float)" SKIP 0
fi

if [ "${1:-}" = readme ]; then
    sh tools/readme.sh size "$out/size.md"
fi
[ "$status" -eq 0 ] || exit 1
[ -z "$skipped" ] || exit 77
