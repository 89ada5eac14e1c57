# targets.sh - how tests/smoke.c is built for many machines and run on them: one program, one
# result, on every target. tests/rows.sh says which they are; a row's files are in $OUT/ROW.
# shellcheck shell=sh disable=SC2013,SC2034,SC2046,SC2086,SC2154 # lists are split on purpose

support=tests/targets
hashes=$support/hashes
sections="intlist morton broadphase linear pairs quadtree loosegrid packed index search contacts \
neighbours"
freestanding="-DSMOKE_PUTC=smoke_write -DSMOKE_MAIN=smoke_main"

# The command of a row: builds and runs smoke.c, and looks at its output.
smoke() { # type of coordinates, what must run, machine, compiler, command that does it
    type=$1 what=$2 dir=$OUT/$name facts="$2|$3|$4"
    shift 4
    rm -rf "$dir"
    mkdir -p "$dir" || return 1
    : >"$dir/ran"
    : >"$dir/all"
    : >"$dir/bytes"
    "$@" && demanded "$what" || return 1
    echo "$facts|$(hash_of_all)|$(most_bytes)" >"$dir/facts"
    [ "$what" = checked ] && echo checked && return
    echo "$(hash_of_all), $(most_bytes | sed 's/|/ bytes of /')"
}

# The exclusive or of the hashes of all programs, which is the hash of all sections.
hash_of_all() {
    all=0
    while read -r hash; do all=$((all ^ 0x$hash)); done <"$dir/all"
    if [ -s "$dir/all" ]; then printf '%08X' $all; else printf %s "${what%% *}"; fi
}

# The largest program, and the place of its bytes: the text of smoke.o, or a whole image.
most_bytes() {
    awk '$2 > most { most = $2 } { kind = $1 }
        END { printf "%d|%s%s\n", most, kind, (NR > 1 ? ", largest of " NR : "") }' "$dir/bytes"
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

# Picks the program's lines out of the emulator's; but for the bytes of memory they must be exactly
# the expected ones. Notes down the sections that ran.
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
# Pieces of the functions below

run_and_check() { # sizes, sections, command with the exit status of the program
    sizes=$1 ran=$2
    shift 2
    run "$@" >"$dir/printed" 2>"$dir/errors"
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
    for section in $sections; do
        name=$(echo "$section" | tr '[:lower:]' '[:upper:]')
        case $wanted in
        *" $section "*) ;;
        *" ($section) "*) echo "-DSMOKE_NO_$name" ;;
        *)
            case $section in
            # what no option leaves out
            intlist | morton | pairs | index) echo "-DSMOKE_NO_$name" ;;
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
# Ways to build and to run it

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

under_wine() {
    WINEPREFIX=$(pwd)/$dir/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' DISPLAY=
    case $dir in /*) WINEPREFIX=$dir/wine ;; esac
    export WINEPREFIX WINEDEBUG WINEDLLOVERRIDES DISPLAY
    run wine wineboot >/dev/null 2>&1 # makes the folder, which takes seconds
    whole wine x86_64-w64-mingw32-size "x86_64-w64-mingw32-gcc -static" "-std=c89 -O2 $warnings"
}

webassembly() { # more flags
    flags="--target=wasm32 ${1:-} -std=c89 -Os -ffreestanding -fno-builtin -nostdlib $warnings"
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

avr() { # sections
    # With floats the checks have no room in 128 KB.
    show_and_do avr-gcc -mmcu=atmega1284p -std=c99 -Os -DSPATIAL_NO_CHECK $warnings $freestanding \
        $(coordinates) $(only $1) -c tests/smoke.c -o "$dir/smoke.o" &&
        show_and_do avr-gcc -mmcu=atmega1284p -Os -Wall -Wextra -Werror $support/avr.c \
            "$dir/smoke.o" -o "$dir/smoke.elf" || return 1
    note_text avr-size "$dir/smoke.o"
    run simavr -m atmega1284p -f 16000000 "$dir/smoke.elf" >"$dir/raw" 2>&1
    escape=$(printf '\033')
    sed "s/$escape\[[0-9;]*m//g; s/\.*\$//" "$dir/raw" >"$dir/printed" # it prints line ends as dots
    must_print "$dir/printed" small "$1"
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
            borrows_are_kept "$2.asm" && show_and_do sdasstm8 -plosgff "$2.rel" "$2.asm"
        ;;
    *) show_and_do sdcc $1 -c tests/smoke.c -o "$2.rel" ;;
    esac
}

# For the STM8 sdcc 4.2 subtracts the second byte without the borrow of the first if the first byte
# to be subtracted is in register a: by sub, or from a constant by neg, which may also overwrite the
# first byte of the difference. No option avoids that everywhere; the source must say it otherwise,
# for instance in another order of statements.
borrows_are_kept() { # assembly
    awk '/^;\t/ { line = $0 }
        /^;\t|^\t(sbc|j|call|ret)/ { first = 0 }
        first && /^\t(subw?\t[axy],|negw?\t)/ { print "a borrow is lost" line; lost = 1 }
        /^\tsub\ta, \(1, sp\)/ { first = 1 }
        END { exit lost }' "$1"
}

# Programs of some sections each, for all of them do not fit into 64 KB.
ucsim() { # simulator, where smoke_write writes to, flags, flags of the linker, programs
    show_and_do sdcc $3 -c $support/sdcc.c -o "$dir/main.rel" || return 1
    for program in $5; do
        ran=$(echo "$program" | tr , ' ')
        image=$dir/$(echo "$program" | tr , -)
        compile_sdcc "$3 --std-c89 $freestanding $(coordinates) $(only $ran)" "$image" &&
            show_and_do sdcc $3 $4 "$dir/main.rel" "$image.rel" -o "$image.ihx" &&
            code_ends_before_data "$image.map" || return 1
        note_bytes image "$(bytes_of_hex "$image.ihx")"
        run $1 -b -c - -I "if=$2" "$image.ihx" >"$dir/printed" <<'END'
run
quit
END
        must_print "$dir/printed" small "$ran" || return 1
    done
}

# The linker puts data over code without a word.
code_ends_before_data() { # map of the linker
    awk 'function digit(at) { return index("0123456789ABCDEF", substr($1, at, 1)) - 1 }
        function value() { return ((digit(5) * 16 + digit(6)) * 16 + digit(7)) * 16 + digit(8) }
        $2 == "s__CODE" { code = value() }
        $2 == "s__GSFINAL" { end = value() + 1 }
        $2 == "s__DATA" { data = value() }
        END { if (code < data && data < end) { print "data overwrites code"; exit 1 } }' "$1"
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
        show_and_do cl65 -t sim6502 --standard c89 -DSPATIAL_NO_FIT $(coordinates) $(only $ran) \
            -c -o "$image.o" tests/smoke.c &&
            show_and_do cl65 -t sim6502 -o "$image" "$image.o" || return 1
        note_file "$image"
        run_and_check small "$ran" sim65 "$image" || return 1
    done
}

# Runs $dir/1.COM, 2.COM ... in DOSBox, which tells nothing of them but by files.
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
    SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy run dosbox \
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
        show_and_do bcc -ansi -Md -O -Dconst= -Dvolatile= -DSPATIAL_NO_FIT \
            -DSPATIAL_NO_CHECK $(coordinates) \
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
# MSVC goes; with C's library, of which stubs are enough, where that goes with /arch:AVX2.
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
    flags="-target x86_64-pc-windows-msvc -fms-extensions -U__clang__ -ffreestanding \
-Wall -Wextra -Werror $(coordinates)"
    for language in "c -std=c89" "c -std=c11" "c++ -std=c++98" "c++ -std=c++14"; do
        for library in -DSPATIAL_NO_STDLIB "-mavx2 -isystem $include"; do
            show_and_do clang $flags -fsyntax-only $library -x $language tests/hygiene/impl.c ||
                return 1
        done
    done
    # The linker must be told the options.
    show_and_do clang $flags -DSPATIAL_NO_STDLIB -S -o "$dir/impl.s" tests/hygiene/impl.c &&
        grep "FAILIFMISMATCH.*spatial\.h=.*_${type}_" "$dir/impl.s"
}

# ------------------------------------------------------------------------------------------------
# What is written into files of the project

write_hashes() {
    mkdir -p "$OUT" || return 1
    for type in float double int; do
        $CC $(coordinates) -DSMOKE_LARGE tests/smoke.c -o "$OUT/smoke" || return 1
        "$OUT/smoke" >"$OUT/smoke.printed" || return 1
        awk -v type=$type '$1 == "small" || $1 == "large" { print type, $1, $2, $3 }' \
            "$OUT/smoke.printed"
    done >"$OUT/hashes" && cp "$OUT/hashes" $hashes
}

version_of() { # compiler: the first number with a point in the line in which it tells its version
    for flag in -v --version; do
        line=$("$1" $flag 2>&1 </dev/null | head -n 1 | sed 's/([^)]*)//g')
        number=$(echo "$line" | sed -n 's/^[^.]*[^0-9.]\([0-9][0-9]*\.[0-9.]*[0-9]\).*/\1/p')
        [ -z "$number" ] || break
    done
    [ -n "$number" ] || number=${line##* }
    echo "$1 $number"
}

# The table in tests/targets.md: every target must have run.
write_table() {
    MODE=all
    target_rows >"$plan"
    {
        echo "| target | machine | compiler | what ran | coordinates: hash | bytes of code | of |"
        echo "|---|---|---|---|---|--:|---|"
        for what in whole small compiled; do
            sed -n "s/^target_\([^@]*\)@.*|smoke [a-z]* '$what.*/\1/p" "$plan" |
                awk '!seen[$0]++' | while read -r target; do table_line "$target"; done
        done
    } >"$OUT/table.md"
    for row in $(cut -d'|' -f1 "$plan"); do
        [ -s "$OUT/$row/facts" ] || {
            echo "$row did not pass, or did not run: sh tests/run.sh all target_"
            return 1
        }
    done
    sh tools/readme.sh targets "$OUT/table.md"
}

table_line() { # target
    types='' bytes=''
    for type in float double int; do
        facts=$(cat "$OUT/target_$1@$type/facts" 2>/dev/null) || continue
        IFS='|' read -r what machine compiler hash size kind <<END
$facts
END
        case $hash in compiled) hash= ;; esac
        types="$types, $type${hash:+: $hash}" bytes="$bytes, $size"
    done
    [ -z "$types" ] || printf '| %s | %s | %s | %s | %s | %s | %s |\n' "$1" "$machine" \
        "$(version_of "$compiler")" "$what" "${types#, }" "${bytes#, }" "$kind"
}
