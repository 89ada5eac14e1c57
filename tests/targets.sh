#!/bin/sh
# Builds tests/smoke.c for many machines, runs it on them, and compares its hashes: one program, one
# result, on every target.
#
#   sh tests/targets.sh              all rows that have what they need here
#   sh tests/targets.sh NAME...      only the row of that name, or else all whose names contain it:
#                                    z80@int, z80, @double
#   sh tests/targets.sh list         the names of the rows
#   sh tests/targets.sh packages     the Debian packages that the rows need together
#   sh tests/targets.sh setup        installs these: with apt-get, as root or by sudo
#   sh tests/targets.sh renew        prints what belongs in tests/targets/hashes, made with CC (cc)
#   sh tests/targets.sh readme       runs all rows, and if none failed writes the table into
#                                    tests/targets.md
#
# Environment: JOBS (one a processor), OUT, the folder for what is built (tests/out/targets),
# REQUIRE_ALL=1: a row that cannot run has failed.
#
# A row is a target and a type of coordinates; its log is $OUT/ROW/log. Exit status: 1 if a row has
# failed, 77 if there was only one and it could not run.
# shellcheck disable=SC2086,SC2046,SC2016 # lists are split on purpose; rows expand variables later
set -u
cd "$(dirname "$0")/.." || exit 1
: "${CC:=cc}" "${OUT:=tests/out/targets}" "${REQUIRE_ALL:=0}"
: "${JOBS:=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}"
if [ "${1:-}" != --row ]; then PLAN=$OUT/plan.$$; fi
export OUT REQUIRE_ALL PLAN

support=tests/targets
hashes=$support/hashes
plan=$PLAN # of this run alone: others may go on beside it
skipped=77 # exit status of a row that cannot run here
sections="intlist morton broadphase linear pairs quadtree loosegrid packed index search contacts \
neighbours"
warnings="-pedantic-errors -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wundef \
-Wcast-qual -Wdouble-promotion -Werror"
freestanding="-DSMOKE_PUTC=smoke_write -DSMOKE_MAIN=smoke_main"
limit= # on the time of a program
if command -v timeout >/dev/null; then limit="timeout 120"; fi

. tests/rows.sh

# ------------------------------------------------------------------------------------------------
# What rows need: Debian packages, each told by something that it brings

links() { # compiler and flags: do they make a program?
    echo 'int main(void) { return 0; }' | "$@" -x c - -o /dev/null
}

includes() { # header, compiler and flags
    header=$1
    shift
    echo "#include <$header>" | "$@" -E - -o /dev/null
}

has_package() {
    case $1 in
    avr-libc) includes avr/io.h avr-gcc -mmcu=atmega1284p ;;
    binutils) command -v objcopy && command -v size ;;
    cc65) command -v cl65 && command -v sim65 ;;
    elks-libc) [ -e /usr/lib/bcc/include/stdio.h ] ;;
    gcc-12-multilib) links gcc -m32 ;;
    gcc-avr) command -v avr-gcc ;;
    gcc-h8300-hms) command -v h8300-hitachi-coff-gcc ;;
    gcc-mingw-w64-i686-win32) command -v i686-w64-mingw32-gcc ;;
    gcc-mingw-w64-x86-64-win32) command -v x86_64-w64-mingw32-gcc ;;
    gcc-*-*) command -v "${1#gcc-}-gcc" ;;
    libc6-dev) includes stdio.h gcc || includes stdio.h clang ;;
    libc6-dev-arm64-cross) includes stdio.h aarch64-linux-gnu-gcc ;;
    libc6-dev-armhf-cross) includes stdio.h arm-linux-gnueabihf-gcc ;;
    libc6-dev-*-cross)
        triple=${1#libc6-dev-}
        includes stdio.h "${triple%-cross}-linux-gnu-gcc"
        ;;
    libpcc-dev) includes stddef.h pcc ;;
    lld) command -v wasm-ld ;;
    nodejs) command -v node ;;
    qemu-user) command -v qemu-s390x && command -v qemu-m68k ;;
    sdcc-ucsim) command -v sz80 && command -v sstm8 && command -v s51 ;;
    wine64) wine --version ;;
    *) command -v "$1" ;;
    esac >/dev/null 2>&1
}

missing_of() { # packages
    for package; do has_package "$package" || printf ' %s' "$package"; done
}

# ------------------------------------------------------------------------------------------------
# What a program must have printed. $type is the type of coordinates, $dir the folder of the row.

hash_of() { # size, section
    awk -v key="$type $1 $2" '$1 " " $2 " " $3 == key { print $4 }' "$hashes"
}

expected() { # sizes, sections
    all=0
    for size in $1; do
        for section in $2; do
            hash=$(hash_of "$size" "$section")
            [ -n "$hash" ] || return 1
            all=$((all ^ 0x$hash))
            echo "$size $section $hash"
        done
    done
    printf 'all %08X\nend 0\n' "$all"
}

# Picks the lines of the program from those of an emulator; without the bytes of memory they must be
# exactly the expected ones. Notes down what ran.
must_print() { # file, sizes, sections
    expected "$2" "$3" >"$dir/expected" || {
        echo "$hashes lacks one of: $type, $2, $3"
        return 1
    }
    hex='[0-9A-F]\{8\}'
    tr -d '\r' <"$1" | LC_ALL=C grep -a -e "^small [a-z]* $hex [0-9]*\$" \
        -e "^large [a-z]* $hex [0-9]*\$" -e "^all $hex\$" -e '^end [0-9]*$' >"$dir/lines"
    cat "$dir/lines"
    sed 's/^\([sl][a-z]* [a-z]* [^ ]*\) .*/\1/' "$dir/lines" >"$dir/actual"
    diff "$dir/expected" "$dir/actual" || {
        echo "(< expected, > printed)"
        return 1
    }
    sed -n 's/^\([sl][a-z]* [a-z]*\) .*/\1/p' "$dir/actual" >>"$dir/ran"
    sed -n 's/^all //p' "$dir/actual" >>"$dir/all"
}

# 1 if the programs of a row did not run all that the row demands, or anything twice.
demanded() { # what: "whole", "small", "small" and sections, "compiled", or "checked"
    case $1 in
    whole) set -- "small large" "$sections" ;;
    small) set -- small "$sections" ;;
    compiled) set -- "" "" ;;
    checked) return ;;
    *) set -- small "${1#small }" ;;
    esac
    for size in $1; do
        for section in $2; do echo "$size $section"; done
    done | sort >"$dir/demanded"
    sort "$dir/ran" | diff "$dir/demanded" - && [ -s "$dir/bytes" ] && return
    echo "(< demanded, > ran)"
    return 1
}

# ------------------------------------------------------------------------------------------------
# Pieces of rows

show_and_do() {
    printf '+ %s\n' "$*" >&2
    "$@"
}

run_and_check() { # sizes, sections, command whose exit status is that of the program
    sizes=$1 ran=$2
    shift 2
    show_and_do $limit "$@" >"$dir/printed" 2>"$dir/errors"
    status=$?
    cat "$dir/errors"
    must_print "$dir/printed" "$sizes" "$ran" || return 1
    [ $status = 0 ] || echo "exit status $status"
    return $status
}

coordinates() {
    case $type in
    float) ;;
    double) echo -DSPATIAL_DOUBLE ;;
    int) echo -DSPATIAL_INT ;;
    esac
}

# What makes a program of these sections, and of nothing else that they do not need.
only() { # sections
    wanted=" $* "
    case $wanted in *" index "*) wanted="$wanted(quadtree) " ;; esac
    case $wanted in *" pairs "*) wanted="$wanted(broadphase) (linear) " ;; esac
    case $wanted in *" search "*) wanted="$wanted(linear) " ;; esac
    case $wanted in
    *broadphase* | *linear* | *quadtree* | *loosegrid* | *packed*)
        wanted="$wanted(intlist) (morton) "
        ;;
    *contacts* | *neighbours*) wanted="$wanted(intlist) " ;;
    esac
    for section in $sections; do
        name=$(echo "$section" | tr '[:lower:]' '[:upper:]')
        case $wanted in
        *" $section "*) ;;
        *" ($section) "*) echo "-DSMOKE_NO_$name" ;;
        *)
            case $section in
            pairs | index) echo "-DSMOKE_NO_$name" ;; # what no macro takes out of spatial.h
            *) echo "-DSPATIAL_NO_$name" ;;
            esac
            ;;
        esac
    done
}

note_bytes() { # of what, number
    echo "$1 $2" >>"$dir/bytes"
}

note_text() { # command that tells it, object
    note_bytes text "$("$1" "$2" | awk 'NR == 2 { print $1 }')"
}

note_file() { # file
    note_bytes image "$(wc -c <"$1" | tr -d ' ')"
}

# ------------------------------------------------------------------------------------------------
# Rows

# One program of all sections and both sizes, with a C library and an exit status.
whole() { # what runs it, size command, compiler, flags of the compilation
    show_and_do $3 $4 $(coordinates) -DSMOKE_LARGE -c tests/smoke.c -o "$dir/smoke.o" &&
        show_and_do $3 "$dir/smoke.o" -o "$dir/smoke.exe" || return 1
    note_text "$2" "$dir/smoke.o"
    run_and_check "small large" "$sections" $1 "$dir/smoke.exe"
}

under_qemu() { # emulator, triple, more flags
    whole "$1" "$2-size" "$2-gcc -static" "-std=c89 -O2 $warnings ${3:-}"
}

# A folder for what wine writes takes seconds to make: the first of the rows makes it for all.
under_wine() {
    WINEPREFIX=$(pwd)/$OUT/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' DISPLAY=
    case $OUT in /*) WINEPREFIX=$OUT/wine ;; esac
    export WINEPREFIX WINEDEBUG WINEDLLOVERRIDES DISPLAY
    waited=0
    until [ -e "$OUT/wine.made" ]; do
        if mkdir "$OUT/wine.lock" 2>/dev/null; then
            $limit wine wineboot >/dev/null 2>&1
            : >"$OUT/wine.made"
            rmdir "$OUT/wine.lock"
        else
            waited=$((waited + 1))
            [ $waited -le 120 ] || return 1
            sleep 1
        fi
    done
    whole wine x86_64-w64-mingw32-size "x86_64-w64-mingw32-gcc -static" "-std=c89 -O2 $warnings"
}

webassembly() {
    flags="--target=wasm32 -std=c89 -Os -ffreestanding -fno-builtin -nostdlib $warnings"
    show_and_do clang $flags $freestanding $(coordinates) -DSMOKE_LARGE tests/smoke.c \
        $support/memory.c -Wl,--no-entry,--export=smoke_main,--allow-undefined \
        -o "$dir/smoke.wasm" || return 1
    note_file "$dir/smoke.wasm"
    run_and_check "small large" "$sections" node $support/wasm.mjs "$dir/smoke.wasm"
}

# gcc for the other byte order wants headers of a C library that Debian has not.
big_endian() {
    flags="--target=aarch64_be-none-elf -std=c89 -O2 -ffreestanding -fno-builtin $warnings"
    for source in tests/smoke.c $support/memory.c $support/aarch64_be.c; do
        show_and_do clang $flags $freestanding $(coordinates) -DSMOKE_LARGE -c $source \
            -o "$dir/$(basename $source .c).o" || return 1
    done
    show_and_do aarch64-linux-gnu-ld -EB -e smoke_start "$dir/smoke.o" "$dir/memory.o" \
        "$dir/aarch64_be.o" -o "$dir/smoke.elf" || return 1
    note_text aarch64-linux-gnu-size "$dir/smoke.o"
    run_and_check "small large" "$sections" qemu-aarch64_be "$dir/smoke.elf"
}

cortex() { # machine, flags of the processor
    flags="$2 -mthumb -std=c99 -Os -ffreestanding -fno-builtin"
    show_and_do arm-none-eabi-gcc $flags $warnings $freestanding $(coordinates) \
        -c tests/smoke.c -o "$dir/smoke.o" &&
        show_and_do arm-none-eabi-gcc $flags $warnings -fno-tree-loop-distribute-patterns \
            -nostdlib -T $support/cortex.ld $support/cortex.c $support/memory.c "$dir/smoke.o" \
            -lgcc -o "$dir/smoke.elf" || return 1
    note_text arm-none-eabi-size "$dir/smoke.o"
    run_and_check small "$sections" qemu-system-arm -M "$1" -display none -monitor none \
        -serial none -chardev stdio,id=output \
        -semihosting-config enable=on,target=native,chardev=output -kernel "$dir/smoke.elf"
}

avr() {
    show_and_do avr-gcc -mmcu=atmega1284p -std=c99 -Os $warnings $freestanding $(coordinates) \
        -c tests/smoke.c -o "$dir/smoke.o" &&
        show_and_do avr-gcc -mmcu=atmega1284p -Os -Wall -Wextra -Werror $support/avr.c \
            "$dir/smoke.o" -o "$dir/smoke.elf" || return 1
    note_text avr-size "$dir/smoke.o"
    show_and_do $limit simavr -m atmega1284p -f 16000000 "$dir/smoke.elf" >"$dir/raw" 2>&1
    escape=$(printf '\033')
    sed "s/$escape\[[0-9;]*m//g; s/\.*\$//" "$dir/raw" >"$dir/printed" # it prints line ends as dots
    must_print "$dir/printed" small "$sections"
}

compile_sdcc() { # flags, name of the object without .rel
    case $1 in
    *-mmcs51*)
        show_and_do sdcc $1 -E tests/smoke.c >"$2.i" &&
            show_and_do awk -f $support/xdata.awk "$2.i" >"$2.c" &&
            show_and_do sdcc $1 -S "$2.c" -o "$2.whole.asm" &&
            show_and_do awk -f $support/share.awk "$2.whole.asm" "$2.whole.asm" >"$2.asm" &&
            show_and_do sdas8051 -plosgff "$2.rel" "$2.asm"
        ;;
    *-mstm8*) # jumps reach neither over 0x10000 nor, in the simulator, beyond 0x18000: two halves
        show_and_do sdcc $1 -S tests/smoke.c -o "$2.whole.asm" &&
            awk 'FNR == NR { lines = FNR; next }
                !half && FNR > lines / 2 && /^;.* function / { print "\t.area HIGH"; half = 1 }
                { print }' "$2.whole.asm" "$2.whole.asm" >"$2.asm" &&
            show_and_do sdasstm8 -plosgff "$2.rel" "$2.asm"
        ;;
    *) show_and_do sdcc $1 -c tests/smoke.c -o "$2.rel" ;;
    esac
}

# Programs of some sections each, for all of them do not fit into 64 KB.
ucsim() { # simulator, where smoke_write writes to, flags, flags of the linker, programs
    show_and_do sdcc $3 -c $support/sdcc.c -o "$dir/main.rel" || return 1
    for program in $5; do
        ran=$(echo "$program" | tr , ' ')
        image=$dir/$(echo "$program" | tr , -)
        compile_sdcc "$3 --std-c89 $freestanding $(coordinates) $(only $ran)" "$image" &&
            show_and_do sdcc $3 $4 "$dir/main.rel" "$image.rel" -o "$image.ihx" || return 1
        note_bytes image "$(bytes_of_hex "$image.ihx")"
        printf 'run\nquit\n' |
            show_and_do $limit $1 -b -c - -I "if=$2" "$image.ihx" >"$dir/printed"
        must_print "$dir/printed" small "$ran" || return 1
    done
}

bytes_of_hex() { # Intel hex file
    awk 'function digit(at) { return index("0123456789ABCDEF", substr($0, at, 1)) - 1 }
        substr($0, 8, 2) == "00" { n += 16 * digit(2) + digit(3) }
        END { print n + 0 }' "$1"
}

under_sim65() { # programs; built without -O, with which some of them run astray
    for program in $1; do
        ran=$(echo "$program" | tr , ' ')
        image=$dir/$(echo "$program" | tr , -)
        show_and_do cl65 -t sim6502 --standard c89 $(coordinates) $(only $ran) \
            -c -o "$image.o" tests/smoke.c &&
            show_and_do cl65 -t sim6502 -o "$image" "$image.o" || return 1
        note_file "$image"
        run_and_check small "$ran" sim65 "$image" || return 1
    done
}

# Runs $dir/1.COM, 2.COM ... in DOSBox, which tells nothing of them but what it writes into files.
dosbox_all() { # how many
    {
        echo "@echo off"
        for k in $(seq "$1"); do
            echo "$k.com > $k.txt"
            echo "if errorlevel 1 goto end"
        done
        echo "echo done > done.txt"
        echo ":end"
    } | sed "s/\$/$(printf '\r')/" >"$dir/RUN.BAT"
    SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy show_and_do $limit dosbox \
        -conf $support/dosbox.conf -c "mount c $dir" -c "c:" -c "call run.bat" -c exit \
        >"$dir/dosbox" 2>&1
    [ -e "$dir/DONE.TXT" ] && return
    echo "in DOSBox not all programs came to an end with exit status 0"
    return 1
}

dos_printed() { # sizes, programs
    k=0
    for program in $2; do
        k=$((k + 1))
        must_print "$dir/$k.TXT" "$1" "$(echo "$program" | tr , ' ')" || return 1
    done
}

# gcc forgets that string instructions take 16-bit addresses in real mode unless told otherwise.
compile_386() { # flags, source, object
    show_and_do gcc $dos_flags $1 -S "$2" -o "$3.wrong.s" &&
        sed 's/^[[:space:]]*\(rep[; ]*\)*\(movs[bwl]\|stos[bwl]\)$/ addr32 \1\2/' \
            "$3.wrong.s" >"$3.s" && show_and_do gcc $dos_flags -c "$3.s" -o "$3"
}

dos_386() { # programs
    dos_flags="-m16 -march=i386 -std=gnu89 -Os -fdata-sections -ffreestanding -fno-builtin \
-fno-pic -fno-stack-protector -fno-asynchronous-unwind-tables -fcf-protection=none"
    compile_386 "$warnings" $support/dos.c "$dir/start.o" &&
        compile_386 -fno-tree-loop-distribute-patterns $support/memory.c "$dir/memory.o" || return 1
    k=0
    for program in $1; do
        k=$((k + 1))
        compile_386 "$warnings $freestanding $(coordinates) -DSMOKE_LARGE
            $(only $(echo "$program" | tr , ' '))" tests/smoke.c "$dir/$k.o" &&
            show_and_do gcc $dos_flags -nostdlib -static -no-pie -T $support/dos.ld \
                -Wl,--build-id=none,-z,norelro,--no-warn-rwx-segments "$dir/start.o" \
                "$dir/memory.o" "$dir/$k.o" -o "$dir/$k.elf" &&
            show_and_do objcopy -O binary "$dir/$k.elf" "$dir/$k.COM" || return 1
        note_file "$dir/$k.COM"
    done
    dosbox_all $k && dos_printed "small large" "$1"
}

dos_8086() { # programs
    k=0
    for program in $1; do
        k=$((k + 1))
        show_and_do bcc -ansi -Md -O -Dconst= -Dvolatile= $(coordinates) \
            $(only $(echo "$program" | tr , ' ')) -o "$dir/$k.COM" tests/smoke.c || return 1
        note_file "$dir/$k.COM"
    done
    dosbox_all $k && dos_printed small "$1"
}

compiled() { # size command, compiler and flags
    show_and_do $2 $(coordinates) -DSMOKE_LARGE -c tests/smoke.c -o "$dir/smoke.o" || return 1
    note_text "$1" "$dir/smoke.o"
}

# Only checked, for there is nothing of Windows to compile with. Without its name clang goes where
# MSVC goes; and with C's library, of which stubs are enough, also where that goes for AVX2, for
# which clang, unlike MSVC, wants to be asked.
microsoft() {
    include=$dir/include
    mkdir -p "$include" || return 1
    printf '%s\n' '#pragma once' '#include <stddef.h>' '#ifdef __cplusplus' 'extern "C" {' \
        '#endif' 'void *realloc(void *, size_t);' 'void free(void *);' \
        'void *memcpy(void *, const void *, size_t);' 'void *memset(void *, int, size_t);' \
        'void *memmove(void *, const void *, size_t);' '#ifdef __cplusplus' '}' '#endif' \
        >"$include/stdlib.h"
    echo '#include <stdlib.h>' >"$include/string.h"
    echo '#define assert(x) ((void)0)' >"$include/assert.h"
    flags="-target x86_64-pc-windows-msvc -fms-extensions -U__clang__ -mavx2 -ffreestanding \
-fsyntax-only -Wall -Wextra -Werror"
    for language in "c -std=c89" "c -std=c11" "c++ -std=c++98" "c++ -std=c++14"; do
        for library in -DSPATIAL_NO_STDLIB "-isystem $include"; do
            show_and_do clang $flags $(coordinates) $library -x $language tests/hygiene/impl.c ||
                return 1
        done
    done
}

# ------------------------------------------------------------------------------------------------
# The plan: a line a row, `name|what|packages|machine|compiler|command`.

target() { # name, types, what it runs, packages, machine, compiler, command
    for type in $2; do printf '%s|%s|%s|%s|%s|%s\n' "$1@$type" "$3" "$4" "$5" "$6" "$7"; done
}

linux_target() { # name, emulator, triple, package of the C library, more flags
    target "$1" "float double int" whole "gcc-$3 $4 qemu-user" "$1 Linux, qemu-user" "$3-gcc" \
        "under_qemu qemu-$2 $3 ${5:-}"
}

# The slow ones first, so that none is left over at the end.
make_plan() {
    every="float double int"
    single="intlist,morton,contacts,neighbours broadphase quadtree loosegrid packed index"
    # What has 64 KB for code, or compilers that make mistakes, is without searches.
    apart="small intlist morton broadphase linear quadtree loosegrid packed index contacts \
neighbours"
    unsearched="$apart pairs"
    # With less time for choosing registers sdcc is twice as fast, the code is a little larger, and
    # with float coordinates the loose grid makes a mistake.
    quick="--max-allocs-per-node 1000"
    # The linear tree and the broadphase, which finds its pairs, in one program leave no room for
    # data and stack in 64 KB.
    target z80 float "$apart" \
        "sdcc sdcc-ucsim" "Zilog Z80, ucsim" sdcc \
        "ucsim sz80 'outputs[0xff]' -mz80 '--data-loc 0xE900' 'linear $single'"
    target z80 int "$apart" \
        "sdcc sdcc-ucsim" "Zilog Z80, ucsim" sdcc \
        "ucsim sz80 'outputs[0xff]' '-mz80 $quick' '--data-loc 0xE000' 'linear $single'"
    # In a hurry sdcc makes mistakes here.
    target stm8 "float int" "$unsearched" "sdcc sdcc-ucsim" "STM8S208, ucsim" sdcc \
        "ucsim 'sstm8 -tSTM8S208' 'rom[0x7fff]' '-mstm8 --model-large' -Wl-bHIGH=0x10000 \
'linear,pairs $single'"
    # The broadphase, the quadtree, which the index would be of, and the loose grid are more than
    # the 64 KB that there are for code.
    # Some optimisations want more of the 128 bytes of memory, and so do the neighbours.
    target mcs51 "float int" "small intlist morton linear contacts" \
        "sdcc sdcc-ucsim" "Intel 8051, ucsim" sdcc \
        "ucsim 's51 -t8052' 'xram[0xffff]' '-mmcs51 --model-large --nogcse --noinvariant \
--noinduction --nolospre' '' 'intlist,morton,contacts linear'"
    target 6502 int "$apart" cc65 \
        "MOS 6502, sim65" cl65 "under_sim65 'linear $single'"
    target dos-8086 int "$unsearched" "bcc elks-libc dosbox" \
        "8086 real mode, DOS .COM, DOSBox" bcc "dos_8086 'linear,pairs $single'"
    target dos-386 "$every" whole "gcc libc6-dev binutils dosbox" \
        "386 real mode, DOS .COM, DOSBox" gcc \
        "dos_386 'intlist,morton,broadphase,linear,pairs quadtree,loosegrid,index packed \
search,contacts,neighbours'"
    target windows-x64 "$every" whole "gcc-mingw-w64-x86-64-win32 wine wine64" \
        "x86-64 Windows, wine" x86_64-w64-mingw32-gcc under_wine

    target gcc "$every" whole "gcc libc6-dev binutils" "x86-64 Linux" gcc \
        "whole '' size gcc '-std=c89 -O2 $warnings'"
    target clang "$every" whole "clang libc6-dev binutils" "x86-64 Linux" clang \
        "whole '' size clang '-std=c89 -O2 $warnings'"
    target g++ "$every" whole "g++ libc6-dev binutils" "x86-64 Linux" g++ \
        "whole '' size g++ '-x c++ -std=c++98 -O2 $warnings'"
    target clang++ "$every" whole "clang g++ libc6-dev binutils" "x86-64 Linux" clang++ \
        "whole '' size clang++ '-x c++ -std=c++98 -O2 $warnings'"
    target tcc "$every" whole "tcc libc6-dev binutils" "x86-64 Linux" tcc "whole '' size tcc ''"
    target pcc "$every" whole "pcc libpcc-dev libc6-dev binutils" "x86-64 Linux" pcc \
        "whole '' size pcc -O"
    target i386 "$every" whole "gcc libc6-dev binutils gcc-12-multilib qemu-user" \
        "i386 Linux, x87" gcc \
        "whole '$(runner_of_i386)' size 'gcc -m32 -march=i386' '-std=c89 -O2 $warnings'"
    # In C89 gcc computes in double here, whatever the type.
    linux_target s390x s390x s390x-linux-gnu libc6-dev-s390x-cross -Wno-double-promotion
    linux_target powerpc ppc powerpc-linux-gnu libc6-dev-powerpc-cross
    linux_target mips mips mips-linux-gnu libc6-dev-mips-cross
    linux_target m68k m68k m68k-linux-gnu libc6-dev-m68k-cross
    linux_target aarch64 aarch64 aarch64-linux-gnu libc6-dev-arm64-cross
    target aarch64_be "$every" whole "clang gcc-aarch64-linux-gnu qemu-user" \
        "big-endian aarch64 Linux, qemu-user" clang big_endian
    linux_target armhf arm arm-linux-gnueabihf libc6-dev-armhf-cross
    linux_target riscv64 riscv64 riscv64-linux-gnu libc6-dev-riscv64-cross
    target wasm32 "$every" whole "clang lld nodejs" "WebAssembly, node" clang webassembly

    target cortex-m0 "float int" small "gcc-arm-none-eabi qemu-system-arm" \
        "Cortex-M0, qemu microbit" arm-none-eabi-gcc "cortex microbit -mcpu=cortex-m0"
    target cortex-m3 "float int" small "gcc-arm-none-eabi qemu-system-arm" \
        "Cortex-M3, qemu mps2-an385" arm-none-eabi-gcc "cortex mps2-an385 -mcpu=cortex-m3"
    target cortex-m4f "float int" small "gcc-arm-none-eabi qemu-system-arm" \
        "Cortex-M4F, qemu mps2-an386" arm-none-eabi-gcc \
        "cortex mps2-an386 '-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard'"
    target avr "float int" small "gcc-avr avr-libc simavr" "AVR atmega1284p, simavr" avr-gcc avr

    # -Wconversion meant something else to this one.
    target h8300 "float int" compiled gcc-h8300-hms "H8/300H" h8300-hitachi-coff-gcc \
        "compiled h8300-hitachi-coff-size 'h8300-hitachi-coff-gcc -ms -std=c89 -pedantic-errors \
-Wall -W -Wshadow -Wundef -Wcast-qual -Werror -O2 -ffreestanding $freestanding'"
    target windows-x86 "$every" compiled gcc-mingw-w64-i686-win32 "i686 Windows" \
        i686-w64-mingw32-gcc "compiled i686-w64-mingw32-size \
'i686-w64-mingw32-gcc -std=c89 -O2 $warnings'"
    target msvc "$every" checked clang "x86-64 Windows, as MSVC" clang microsoft
}

field() { # number, line of the plan
    echo "$2" | cut -d'|' -f"$1"
}

# ------------------------------------------------------------------------------------------------
# One row, in a process of its own

run_row() { # number of its line in the plan
    line=$(sed -n "$1p" "$plan")
    name=$(field 1 "$line")
    dir=$OUT/$name type=${name#*@}
    rm -rf "$dir"
    mkdir -p "$dir" || exit 1
    : >"$dir/ran"
    : >"$dir/all"
    missing=$(missing_of $(field 3 "$line"))
    begin=$(milliseconds)
    if [ -n "$missing" ]; then
        status=$skipped
    else
        (eval "$(field 6- "$line")" && demanded "$(field 2 "$line")") >"$dir/log" 2>&1 </dev/null
        status=$?
    fi
    elapsed=$(($(milliseconds) - begin))
    report_row >"$dir/result"
    cat "$dir/result"
}

# The exclusive or of the hashes of all programs, which is that of all sections.
row_hash() {
    all=0
    while read -r hash; do all=$((all ^ 0x$hash)); done <"$dir/all"
    if [ -s "$dir/all" ]; then printf '%08X' $all; else printf compiled; fi
}

# What the bytes are of: the text of the object file of smoke.c, or the image of a whole program.
bytes_kind() {
    awk '{ kind = $1 } END { printf "%s%s", kind, (NR > 1 ? ", largest of " NR : "") }' "$dir/bytes"
}

row_bytes() {
    awk '$2 > most { most = $2 } END { print most }' "$dir/bytes"
}

report_row() {
    case $status in
    0)
        if [ -s "$dir/bytes" ]; then
            printf 'ok    %-18s %6d ms  %-8s  %6d bytes (%s)\n' "$name" $elapsed "$(row_hash)" \
                "$(row_bytes)" "$(bytes_kind)"
        else
            printf 'ok    %-18s %6d ms  checked\n' "$name" $elapsed
        fi
        return
        ;;
    "$skipped")
        verdict=SKIP
        [ "$REQUIRE_ALL" != 1 ] || verdict=FAIL
        printf '%s  %-18s needs Debian packages:%s\n' $verdict "$name" "$missing"
        return
        ;;
    esac
    printf 'FAIL  %-18s %6d ms  exit status %d; %s/log ends:\n' "$name" $elapsed $status "$dir"
    tail -n 12 "$dir/log" | cut -c1-160 | sed 's/^/      /'
}

# ------------------------------------------------------------------------------------------------
# All rows

count_of() { # verdict
    cut -d'|' -f1 "$plan" | while read -r name; do
        head -n 1 "$OUT/$name/result" 2>/dev/null
    done | awk -v verdict="$1" '$1 == verdict { n++ } END { print n + 0 }'
}

run_all() {
    total=$(awk 'END { print NR }' "$plan")
    cut -d'|' -f1 "$plan" | while read -r name; do rm -f "$OUT/$name/result"; done
    [ "$total" = 1 ] || rmdir "$OUT/wine.lock" 2>/dev/null # of a run that was cut off
    parallel=
    if echo | xargs -P 2 true 2>/dev/null; then parallel="-P $JOBS"; fi
    awk 'END { for (i = 1; i <= NR; i++) print i }' "$plan" |
        xargs -n 1 $parallel sh tests/targets.sh --row
    passed=$(count_of ok)
    skips=$(count_of SKIP)
    [ "$total" = 1 ] || echo "$passed passed, $((total - passed - skips)) failed, $skips skipped"
    [ $((passed + skips)) = "$total" ] || return 1
    [ "$total$skips" != 11 ] || return $skipped
}

packages() {
    cut -d'|' -f3 "$plan" | tr ' ' '\n' | sort -u
}

setup() {
    as_root=
    [ "$(id -u)" = 0 ] || as_root="sudo -n"
    $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends $(packages)
}

renew() {
    dir=$OUT/renew
    mkdir -p "$dir" || return 1
    for type in float double int; do
        $CC $(coordinates) -DSMOKE_LARGE tests/smoke.c -o "$dir/smoke" || return 1
        "$dir/smoke" >"$dir/printed" || return 1
        awk -v type=$type '$1 == "small" || $1 == "large" { print type, $1, $2, $3 }' \
            "$dir/printed"
    done
}

# ------------------------------------------------------------------------------------------------
# The table in tests/targets.md

version_of() { # compiler: the first number with a point in the line in which it tells its version
    for flag in -v --version; do
        line=$("$1" $flag 2>&1 </dev/null | head -n 1 | sed 's/([^)]*)//g')
        number=$(echo "$line" | sed -n 's/^[^.]*[^0-9.]\([0-9][0-9]*\.[0-9.]*[0-9]\).*/\1/p')
        [ -z "$number" ] || break
    done
    [ -n "$number" ] || number=${line##* }
    echo "$1 $number"
}

table() {
    echo "| target | machine | compiler | what ran | coordinates: hash | bytes of code | of |"
    echo "|---|---|---|---|---|--:|---|"
    for what in whole small compiled; do
        awk -F'|' -v what="$what" 'index($2, what) == 1 { sub(/@.*/, "", $1); print $1 }' "$plan" |
            awk '!seen[$0]++' | while read -r name; do table_line "$name"; done
    done
}

table_line() { # target
    types='' bytes=''
    for type in float double int; do
        dir=$OUT/$1@$type
        grep -q '^ok' "$dir/result" 2>/dev/null || continue
        hash=$(row_hash)
        if [ "$hash" = compiled ]; then hash=; fi
        types="$types, $type${hash:+: $hash}" bytes="$bytes, $(row_bytes)" kind=$(bytes_kind)
    done
    [ -n "$types" ] || return
    line=$(grep "^$1@" "$plan" | head -n 1)
    printf '| %s | %s | %s | %s | %s | %s | %s |\n' "$1" "$(field 4 "$line")" \
        "$(version_of "$(field 5 "$line")")" "$(field 2 "$line")" "${types#, }" "${bytes#, }" \
        "$kind"
}

readme() {
    run_all
    status=$?
    [ $status = 0 ] || return $status
    table >"$OUT/table.md"
    sh tools/readme.sh targets "$OUT/table.md"
}

if [ "${1:-}" = --row ]; then
    run_row "$2"
    exit 0
fi

mkdir -p "$OUT" || exit 1
trap 'rm -f "$plan" "$plan".*' EXIT
make_plan >"$plan"
case ${1:-} in
list) cut -d'|' -f1 "$plan" ;;
packages) packages ;;
setup) setup ;;
renew) renew ;;
readme) readme ;;
*)
    [ $# -eq 0 ] || choose "$@"
    run_all
    ;;
esac
