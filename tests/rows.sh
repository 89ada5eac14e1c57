# rows.sh - the table of rows. A line is
#
#   row SET NAME NEEDS COMMAND
#
# SET is the smallest set that has the row: user, full or all (see run.sh). NEEDS are Debian
# packages, and the other words of needs.sh. COMMAND is a function of commands.sh or any command; it
# is expanded when the row runs. `programs` and `target` make several rows each.
# shellcheck shell=sh disable=SC2016,SC2035,SC2086,SC2154 # rows expand variables later

# programs SET SUFFIX NEEDS WHICH DIVISOR RUNNER COMPILER: the test programs, built in one way.
# WHICH: every; most, the ones that ask most; shared, all but linear, quadtree, loosegrid and traps,
# much of which test_index asks too; or names without test_. The random work is divided by DIVISOR.
# SPATIAL_STATIC leaves out what a program does not call, as most of the time goes into compiling.
programs() {
    made=
    for source in tests/test_*.c tests/fuzz.c; do
        test=${source##*/} test=${test%.c}
        case $4:$test in
        every:*) ;;
        most:test_golden | most:test_index | most:test_questions | most:test_broadphase) ;;
        most:test_neighbours | most:test_shapes | most:test_movers | most:test_copy) ;;
        most:test_shape_movers) ;;
        shared:test_linear | shared:test_quadtree | shared:test_loosegrid | shared:test_traps)
            continue ;;
        shared:*) ;;
        *) case " $4 " in *" ${test#test_} "*) ;; *) continue ;; esac ;;
        esac
        case $test:$7 in # these have nothing to test
        test_shapes:*-DSPATIAL_INT* | test_shape_movers:*-DSPATIAL_INT*) continue ;;
        test_exceptions:*-DSPATIAL_INT* | test_small_movers:*-DSPATIAL_INT*) continue ;;
        esac
        made=yes share=$5
        case $test:$MODE in test_small_*:user) share=10 ;; esac # of all small worlds
        row "$1" "$test$2" "$3" "program $source $share '$6' $7 -DSPATIAL_STATIC"
    done
    [ -n "$made" ] || { echo "rows.sh: no program is called '$4'" >&2 && exit 1; }
}

# target FULL ALL NAME WHAT NEEDS MACHINE COMPILER COMMAND: smoke.c on a machine. FULL and ALL are
# lists of types of coordinates: rows of the full set, and of `all` alone. WHAT runs: whole; small,
# up to 20 boxes; small and the sections that it is limited to; or nothing: compiled, checked.
target() {
    for type in $1; do target_row full "$type" "$3" "$4" "$5" "$6" "$7" "$8"; done
    for type in $2; do target_row all "$type" "$3" "$4" "$5" "$6" "$7" "$8"; done
}

target_row() { # set, type, name, what, needs, machine, compiler, command
    row "$1" "target_$3@$2" "$5" "smoke $2 '$4' '$6' $7 $8"
}

linux_target() { # full, all, name, emulator, triple, package of the C library, more flags
    target "$1" "$2" "$3" whole "gcc-$5 $6 qemu-user" "$3 Linux, qemu-user" "$5-gcc" \
        "under_qemu qemu-$4 $5 ${7:-}"
}

# ------------------------------------------------------------------------------------------------

all_rows() {
    user_rows
    program_rows
    target_rows
    other_rows
}

# What a C compiler alone can do. The other sets do more of the random work.
user_rows() {
    cc='$CC $STANDARD' flags='$CFLAGS' part=200
    recover=-fno-sanitize-recover=all copies="-include tests/copies.h"
    asan="$cc -g -fsanitize=address,undefined\$STRICT $recover $copies $flags"
    case $MODE in
    user) most=30 level='$LIGHT' ;;
    full) most=8 level=-O1 part=40 ;;
    all) most=1 level=-O1 part=40 ;;
    esac
    row user test_cli "" "command_line $cc $level $flags"
    programs user "" "" every $most "" "$cc $level $flags"
    [ "$MODE" = full ] || # which has clang's, of every program
        programs user @asan sanitizers "index broadphase contacts" $part "" "$asan"
    programs user @double "" "index golden neighbours shape_movers exceptions" $part "" \
        "$cc -DSPATIAL_DOUBLE $flags"
    programs user @int "" "index golden questions movers neighbours" $part "" \
        "$cc -DSPATIAL_INT $flags"
    programs full @small "" "attacks broadphase index" $part "" "$cc -O1 -DSPATIAL_SMALL $flags"
    # Lists that allocate from the first record on.
    programs full @inline0 "" "index intlist memory questions" $part "" \
        "$cc -O1 -DSPATIAL_INTLIST_INLINE=0 $flags"
    programs user @nosimd "" "broadphase golden" $part "" "$cc -DSPATIAL_NO_SIMD $flags"
    programs user @avx2 ?avx2 "broadphase golden" $part "" "$cc -mavx2 $flags"
    for check in layout tags layers copied copies version macros clashes sets; do
        row user hygiene_$check "" "hygiene $check \"\$CC\" none"
    done
}

# Every compiler, standard, level of optimisation, coordinate and kind of machine comes up in the
# full set, not every combination of them.
program_rows() {
    # Unsigned integers wrap on purpose: in hashes and keys, and where the least bit is cleared.
    # With functions inlined, compilers take half as long again.
    asan="clang -g -fno-inline -fsanitize=address,undefined,float-cast-overflow,integer $recover \
-fno-sanitize=unsigned-integer-overflow,unsigned-shift-base $copies"
    msan="clang -g -fno-inline -fsanitize=memory -fsanitize-memory-track-origins $recover"
    valgrind="valgrind -q --error-exitcode=9 --leak-check=full"
    s390x="s390x-linux-gnu-gcc -static" for_s390x="gcc-s390x-linux-gnu libc6-dev-s390x-cross"
    aarch64="aarch64-linux-gnu-gcc -static"
    for_aarch64="gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
    clang_rt="clang libclang-rt-dev"

    programs full @gcc-c11-O2-double gcc most 40 "" "gcc -std=c11 -O2 -DSPATIAL_DOUBLE $warnings"
    programs full @gcc-c11-Os-int gcc most 40 "" "gcc -std=c11 -Os -DSPATIAL_INT $warnings"
    programs full @gcc-c99-O0-nosimd gcc most 40 "" "gcc -std=c99 -O0 -DSPATIAL_NO_SIMD $warnings"
    programs full @clang-c99-O2 clang most 8 "" "clang -std=c99 -O2 $warnings"
    programs full @asan-clang "$clang_rt" every 80 "" "$asan -std=c99 -O1"
    # Each type of coordinates has vectors of its own; wide ones may read further.
    programs full @asan-clang-int "$clang_rt ?avx2" most 80 "" \
        "$asan -std=c99 -mavx2 -DSPATIAL_INT"
    programs full @avx2-double "gcc ?avx2" "broadphase golden questions shapes" 40 "" \
        "gcc -std=c99 -O2 -mavx2 -DSPATIAL_DOUBLE $warnings"
    row full test_cli@asan-clang "$clang_rt" "command_line $asan -std=c99"
    programs full @msan "$clang_rt" most 120 "" "$msan -std=c99 -O1"
    programs full @gcc-gnu11-O3-fma "gcc ?fma" "questions neighbours" 40 "" \
        "gcc -std=gnu11 -O3 -mavx2 -mfma -ffp-contract=fast"
    for fused in gcc clang; do # all worlds of round numbers
        programs full "@$fused-fma" "$fused ?fma" golden 4 "" \
            "$fused -O2 -mfma -ffp-contract=fast"
        programs all "@$fused-fma-double" "$fused ?fma" golden 4 "" \
            "$fused -O2 -mfma -ffp-contract=fast -DSPATIAL_DOUBLE"
        programs full "@$fused-x87" "$fused gcc-12-multilib qemu-user" golden 4 i386 \
            "$fused -m32 -march=i386 -O3"
    done
    for type in DOUBLE INT; do # structs are padded otherwise than with 64 bits
        programs full "@m32-$type" "gcc gcc-12-multilib qemu-user" golden 4 i386 \
            "gcc -m32 -msse2 -mfpmath=sse -O2 -DSPATIAL_$type"
    done
    # Vectors of a compiler's own making convert, divide and compare more than the program asks for.
    for type in FLOAT DOUBLE; do
        case $type in FLOAT) set=full ;; *) set=all ;; esac
        programs full "@gcc-O3-$type" "gcc ?avx2" exceptions 10 "" \
            "gcc -std=c99 -O3 -mavx2 -DSPATIAL_$type $warnings"
        programs $set "@gcc-O3-nosimd-$type" gcc exceptions 10 "" \
            "gcc -std=c99 -O3 -DSPATIAL_NO_SIMD -DSPATIAL_$type $warnings"
        programs $set "@clang-O3-$type" "clang ?avx2" exceptions 10 "" \
            "clang -std=c99 -O3 -mavx2 -DSPATIAL_$type $warnings"
        programs full "@x87-$type" "gcc gcc-12-multilib qemu-user" exceptions 40 i386 \
            "gcc -m32 -march=i386 -std=gnu99 -O2 -DSPATIAL_$type $warnings"
    done
    programs full @tcc ?tcc most 120 "" tcc
    # pcc takes !(a >= b) for a < b, which it is not for a NaN: the others ask with such.
    programs full @pcc "?pcc ?libpcc-dev" "broadphase contacts golden packed" 120 "" pcc
    # big-endian, and unsigned char
    programs full @s390x "$for_s390x qemu-user" "golden index neighbours" 120 qemu-s390x \
        "$s390x -std=gnu99 -O2 $warnings"
    # 32 bits: small size_t and, before SSE, floating point in the x87's 80 bits
    programs full @m32-i386 "gcc gcc-12-multilib qemu-user" "golden index shapes movers" 120 i386 \
        "gcc -m32 -march=i386 -std=gnu99 -O2 $warnings"
    # sizes that do not fit into 32 bits
    programs full @m32-i386 "gcc gcc-12-multilib qemu-user" memory 120 i386 \
        "gcc -m32 -march=i386 -std=gnu99 -O2 $warnings"
    # NEON
    programs full @aarch64 "$for_aarch64 qemu-user" "golden broadphase questions neighbours" 120 \
        qemu-aarch64 \
        "$aarch64 -std=gnu99 -O2 $warnings"

    programs all @gcc-c99-O0 gcc every 40 "" "gcc -std=c99 -O0 $warnings"
    programs all @gcc-c99-O0-nosimd-every gcc every 40 "" \
        "gcc -std=c99 -O0 -DSPATIAL_NO_SIMD $warnings"
    programs all @gcc-c11-Os-int-shared gcc shared 40 "" "gcc -std=c11 -Os -DSPATIAL_INT $warnings"
    programs all @gcc-c99-O2-double gcc every 40 "" "gcc -std=c99 -O2 -DSPATIAL_DOUBLE $warnings"
    programs all @clang-c11-O2 clang every 8 "" "clang -std=c11 -O2 $warnings"
    programs all @clang-c11-O0-int clang shared 40 "" "clang -std=c11 -O0 -DSPATIAL_INT $warnings"
    programs all @clang-c99-Os-double clang shared 40 "" \
        "clang -std=c99 -Os -DSPATIAL_DOUBLE $warnings"
    programs all @clang-c11-O2-nosimd clang shared 40 "" \
        "clang -std=c11 -O2 -DSPATIAL_NO_SIMD $warnings"
    programs all @asan-clang-double "$clang_rt ?avx2" most 40 "" \
        "$asan -std=c99 -mavx2 -DSPATIAL_DOUBLE"
    programs all @asan-clang-nosimd "$clang_rt" most 40 "" "$asan -std=c99 -DSPATIAL_NO_SIMD"
    programs all @msan-int "$clang_rt" most 120 "" \
        "$msan -std=c99 -O1 -DSPATIAL_INT -DSPATIAL_NO_SIMD"
    programs all @valgrind "gcc valgrind" most 120 "$valgrind" "gcc -std=c99 -g -O1"
    programs all @gcc-gnu11-O3-fma-most "gcc ?fma" most 20 "" \
        "gcc -std=gnu11 -O3 -march=native -ffp-contract=fast"
    programs all @s390x-most "$for_s390x qemu-user" most 120 qemu-s390x \
        "$s390x -std=gnu99 -O2 $warnings"
    programs all @aarch64-most "$for_aarch64 qemu-user" most 120 qemu-aarch64 \
        "$aarch64 -std=gnu99 -O2 $warnings"
    programs all @m32-sse2 "gcc gcc-12-multilib qemu-user" most 120 i386 \
        "gcc -m32 -msse2 -mfpmath=sse -std=c99 -O2 $warnings"
    programs all @m32-i386-double "gcc gcc-12-multilib qemu-user" most 120 i386 \
        "gcc -m32 -march=i386 -std=gnu99 -O1 -DSPATIAL_DOUBLE"
    programs all @m32-int "gcc gcc-12-multilib qemu-user" most 120 i386 \
        "gcc -m32 -std=c99 -Os -DSPATIAL_INT $warnings"
    programs all @s390x-double "$for_s390x qemu-user" shared 120 qemu-s390x \
        "$s390x -std=gnu99 -O2 -DSPATIAL_DOUBLE"
    programs all @s390x-int "$for_s390x qemu-user" shared 120 qemu-s390x \
        "$s390x -std=gnu99 -O2 -DSPATIAL_INT"
    programs all @aarch64-double "$for_aarch64 qemu-user" most 120 qemu-aarch64 \
        "$aarch64 -std=gnu99 -O2 -DSPATIAL_DOUBLE"
    programs all @tcc-every ?tcc every 120 "" tcc
    programs all @pcc-more "?pcc ?libpcc-dev" \
        "attacks intlist linear loosegrid morton traps" 120 "" pcc
}

# smoke.c: in the full set all types of coordinates on s390x, which is big-endian and has 64 bits,
# one or two on most others, and none where others tell the same; `all` has the rest.
target_rows() {
    three="float double int"
    single="intlist,morton,contacts,neighbours broadphase quadtree loosegrid packed index"
    # What has 64 KB for code, or compilers that make mistakes, is without searches.
    apart="small intlist morton broadphase linear quadtree loosegrid packed index contacts \
neighbours"
    unsearched="$apart pairs"
    z80="-mz80 -DSPATIAL_NO_FIT -DSPATIAL_NO_CHECK -DSPATIAL_NO_COPY --opt-code-size \
--max-allocs-per-node 8000"
    # The linear tree and the broadphase, which finds its pairs, in one program leave no room for
    # data and stack in 64 KB, nor does a quadtree unless it is without its check and its copy and
    # the compiler looks for small code, nor packed of floats.
    target "" int z80 "$apart" "sdcc sdcc-ucsim" "Zilog Z80, ucsim" sdcc \
        "ucsim sz80 'outputs[0xff]' '$z80' '--data-loc 0xEB00' 'linear $single'"
    target "" float z80-float "${apart% packed *} index contacts neighbours" "sdcc sdcc-ucsim" \
        "Zilog Z80, ucsim" sdcc \
        "ucsim sz80 'outputs[0xff]' '$z80' '--data-loc 0xEE00' \
'linear intlist,morton,contacts neighbours broadphase quadtree loosegrid index'"
    target "" "float int" stm8 "$unsearched" "sdcc sdcc-ucsim" "STM8S208, ucsim" sdcc \
        "ucsim 'sstm8 -tSTM8S208' 'rom[0x7fff]' \
'-mstm8 --model-large -DSPATIAL_NO_FIT -DSPATIAL_NO_CHECK' \
-Wl-bHIGH=0x10000 \
'linear,pairs $single'"
    # Structures are more than the 64 KB that there are for code.
    # Some optimisations want more of the 128 bytes of memory, and so do the neighbours.
    target "float int" "" mcs51 "small intlist morton contacts" "sdcc sdcc-ucsim" \
        "Intel 8051, ucsim" sdcc \
        "ucsim 's51 -t8052' 'xram[0xffff]' '-mmcs51 --model-large --nogcse --noinvariant \
--noinduction --nolospre' '' 'intlist,morton,contacts'"
    target int "" 6502 "$apart" cc65 "MOS 6502, sim65" cl65 "under_sim65 'linear $single'"
    target int "" dos-8086 "$unsearched" "bcc bin86 elks-libc dosbox" \
        "8086 real mode, DOS .COM, DOSBox" bcc "dos_8086 'linear,pairs $single'"
    target float "double int" dos-386 whole "gcc gcc-12-multilib libc6-dev binutils dosbox" \
        "386 real mode, DOS .COM, DOSBox" gcc \
        "dos_386 'intlist,morton,broadphase,linear,pairs quadtree,loosegrid,index packed \
search,contacts,neighbours'"
    target float "double int" windows-x64 whole "gcc-mingw-w64-x86-64-win32 wine wine64" \
        "x86-64 Windows, wine" x86_64-w64-mingw32-gcc under_wine

    native="x86-64 Linux"
    target "" "$three" gcc whole "gcc libc6-dev binutils" "$native" gcc \
        "whole '' size gcc '-std=c89 -O2 $warnings'"
    target "" "$three" clang whole "clang libc6-dev binutils" "$native" clang \
        "whole '' size clang '-std=c89 -O2 $warnings'"
    target "" "$three" g++ whole "g++ libc6-dev binutils" "$native" g++ \
        "whole '' size g++ '-x c++ -std=c++98 -O2 $warnings'"
    target "" "$three" clang++ whole "clang g++ libc6-dev binutils" "$native" clang++ \
        "whole '' size clang++ '-x c++ -std=c++98 -O2 $warnings'"
    target "" "$three" tcc whole "tcc libc6-dev binutils" "$native" tcc "whole '' size tcc ''"
    target "" "$three" pcc whole "pcc libpcc-dev libc6-dev binutils" "$native" pcc \
        "whole '' size pcc -O"
    target "" "$three" i386 whole "gcc libc6-dev binutils gcc-12-multilib qemu-user" \
        "i386 Linux, x87" gcc \
        "whole \"\$(runner_of i386)\" size 'gcc -m32 -march=i386' '-std=c89 -O2 $warnings'"
    # In C89 gcc computes in double here, whatever the type.
    linux_target "$three" "" s390x s390x s390x-linux-gnu libc6-dev-s390x-cross \
        -Wno-double-promotion
    linux_target int "float double" powerpc ppc powerpc-linux-gnu libc6-dev-powerpc-cross
    linux_target double "float int" mips mips mips-linux-gnu libc6-dev-mips-cross
    linux_target float "double int" m68k m68k m68k-linux-gnu libc6-dev-m68k-cross
    linux_target int "float double" aarch64 aarch64 aarch64-linux-gnu libc6-dev-arm64-cross
    target float "double int" aarch64_be whole "clang gcc-aarch64-linux-gnu qemu-user" \
        "big-endian aarch64 Linux, qemu-user" clang big_endian
    linux_target float "double int" armhf arm arm-linux-gnueabihf libc6-dev-armhf-cross
    linux_target double "float int" riscv64 riscv64 riscv64-linux-gnu libc6-dev-riscv64-cross
    target double "float int" wasm32 whole "clang lld nodejs" "WebAssembly, node" clang webassembly
    target "float int" double wasm32_simd whole "clang lld nodejs" "WebAssembly with SIMD, node" \
        clang "webassembly -msimd128"

    arm="gcc-arm-none-eabi qemu-system-arm"
    target "float int" "" cortex-m0 small "$arm" "Cortex-M0, qemu microbit" arm-none-eabi-gcc \
        "cortex microbit -mcpu=cortex-m0"
    target "" "float int" cortex-m3 small "$arm" "Cortex-M3, qemu mps2-an385" arm-none-eabi-gcc \
        "cortex mps2-an385 -mcpu=cortex-m3"
    target float int cortex-m4f small "$arm" "Cortex-M4F, qemu mps2-an386" arm-none-eabi-gcc \
        "cortex mps2-an386 '-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard'"
    # With floats there is no room for contacts, which do not depend on the coordinates.
    others="intlist morton broadphase linear pairs quadtree loosegrid packed index search \
neighbours"
    target float "" avr-float "small $others" "gcc-avr avr-libc simavr" \
        "AVR atmega1284p, simavr" avr-gcc "avr '$others'"
    target int "" avr small "gcc-avr avr-libc simavr" "AVR atmega1284p, simavr" avr-gcc \
        "avr '$sections'"

    # -Wconversion meant something else to this one.
    target int float h8300 compiled gcc-h8300-hms "H8/300H" h8300-hitachi-coff-gcc \
        "compiled h8300-hitachi-coff-size 'h8300-hitachi-coff-gcc -ms -std=c89 -pedantic-errors \
-Wall -W -Wshadow -Wundef -Wcast-qual -Werror -O2 -ffreestanding $freestanding'"
    target float "double int" windows-x86 compiled gcc-mingw-w64-i686-win32 "i686 Windows" \
        i686-w64-mingw32-gcc \
        "compiled i686-w64-mingw32-size 'i686-w64-mingw32-gcc -std=c89 -O2 $warnings'"
    target "$three" "" msvc checked clang "x86-64 Windows, as MSVC" clang microsoft
}

other_rows() {
    row full header@gcc-c89 gcc "header gcc -x c -std=c89 -O2 $warnings"
    # clang's warnings do not depend on the optimisation, gcc's do.
    row full header@g++-c++98 g++ "header g++ -x c++ -std=c++98 -O0 $warnings"
    row all header@g++-c++17 g++ "header g++ -x c++ -std=c++17 -O2 $warnings"
    row all header@clang-c89 clang "header clang -x c -std=c89 -O0 $warnings"
    row all header@clang++-c++98 clang "header clang++ -x c++ -std=c++98 -O0 $warnings"
    # x87, whose excess digits go through volatile variables
    row full header@clang-m32-c89 "clang gcc-12-multilib" \
        "header clang -m32 -x c -std=c89 -O0 $warnings"
    row full header@clang++-c++17 clang "header clang++ -x c++ -std=c++17 -O0 -mavx2 $warnings"
    row full header@everything clang \
        "header clang -x c -std=c89 -Weverything -Werror $not_everything"
    row full header@everything-c++ clang "header clang++ -x c++ -std=c++98 -mavx2 -Weverything \
-Werror $not_everything_cxx"
    row full nostdlib@x86-64 gcc "nostdlib '' gcc -std=c99"
    row full nostdlib@cortex-m0 gcc-arm-none-eabi \
        "nostdlib -lgcc arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -std=c99"
    for triple in x86_64-linux-musl x86_64-macos aarch64-macos aarch64-windows-gnu wasm32-wasi; do
        row all zig@$triple ?zig "linked_for zig cc -target $triple"
    done

    for check in names symbols static_symbols freestanding options sections linked; do
        row full hygiene_$check "" "hygiene $check \"\$CC\" none"
    done
    row full hygiene_linked_cxx@gcc "gcc g++" "hygiene linked_cxx gcc g++"
    row all hygiene_linked_cxx@clang clang "hygiene linked_cxx clang clang++"
    row full hygiene_casts@gcc "gcc g++" "hygiene casts gcc g++"
    row full hygiene_casts@clang clang "hygiene casts clang clang++"
    row all hygiene_sets@g++ g++ "hygiene sets 'g++ -x c++ -std=c++98' none"
    row all hygiene_sets@clang clang "hygiene sets 'clang -std=c89' none"
    row all hygiene_sets@clang++ clang "hygiene sets 'clang++ -x c++ -std=c++98' none"
    row full hygiene_results@gcc gcc "hygiene results gcc none"
    row full hygiene_symbols@clang clang "hygiene symbols clang none"
    for check in names static_symbols freestanding macros clashes options linked; do
        row all hygiene_$check@clang clang "hygiene $check clang none"
    done

    # To walk through all paths takes most of the time: the full set does that for float alone, by
    # gcc's analyser. The other variants differ from it only in the broadphase and the sections that
    # it brings, so those paths are enough.
    for variant in $variants; do
        options="-x c -std=c99 -DSPATIAL_IMPLEMENTATION $variant"
        part="-DSPATIAL_NO_LINEAR -DSPATIAL_NO_QUADTREE -DSPATIAL_NO_LOOSEGRID"
        gcc=all
        case $variant in
        *_FLOAT) suffix=@float part='' gcc=full ;;
        *_DOUBLE) suffix=@double ;;
        *_INT) suffix=@int ;;
        *_NO_SIMD) suffix=@no_simd ;;
        esac
        row all "clang_tidy$suffix" clang-tidy "tidy $options $part spatial.h"
        row full "clang_tidy$suffix-quick" clang-tidy "quick_tidy $options spatial.h"
        row $gcc "gcc_analyzer$suffix" gcc "gcc -std=c99 -O1 -fanalyzer -Werror $variant $part \
-c $implementation -o $OUT/gcc_analyzer$suffix.o"
    done
    tidy="tidy -std=c99 -I."
    row full clang_tidy@tools clang-tidy "for_sources tools $tidy"
    row full clang_tidy@examples clang-tidy "for_sources examples quick_$tidy"
    row all clang_tidy@examples-paths clang-tidy "for_sources examples $tidy"
    row full clang_tidy@mpi "clang-tidy libopenmpi-dev" \
        "for_sources examples/mpi quick_$tidy \$(mpi_headers)"
    row all clang_tidy@web clang-tidy "for_sources examples/web $tidy"
    row full clang_tidy@window "clang-tidy libsdl2-dev" \
        "quick_$tidy \$(sdl_headers) examples/window.c"
    for game in platformer room; do
        row full "clang_tidy@$game" "clang-tidy libsdl2-dev" \
            "quick_$tidy -DWITH_SDL \$(sdl_headers) examples/$game.c"
    done
    row full clang_tidy@cpp clang-tidy \
        "tidy_checks=\$tidy_checks,-misc-non-private-member-variables-in-classes \
tidy -std=c++17 -I. examples/cpp/rooms.cpp"
    row full clang_tidy@chipmunk "clang-tidy libchipmunk-dev" "for_sources examples/chipmunk $tidy"
    row full cppcheck cppcheck "for_variants cppcheck $cppcheck_flags"
    for folder in tools examples examples/mpi examples/web examples/chipmunk; do
        row all "cppcheck@${folder##*/}" cppcheck \
            "for_sources $folder cppcheck $cppcheck_flags"
    done
    row all cppcheck@window cppcheck "show_and_do cppcheck $cppcheck_flags examples/window.c"

    for cc in gcc clang; do
        case $cc in gcc) set=full ;; *) set=all ;; esac
        check="$cc -std=c99 -I. -O2 -fsyntax-only $warnings"
        row $set sources_tools@$cc $cc "for_sources tools $check"
        row $set sources_examples@$cc $cc "for_sources examples $check"
        row $set sources_mpi@$cc "$cc libopenmpi-dev" \
            "for_sources examples/mpi $check \$(mpi_headers)"
        row $set sources_window@$cc "$cc libsdl2-dev" "$check \$(sdl_headers) examples/window.c"
        for game in platformer room; do
            row $set "sources_$game@$cc" "$cc libsdl2-dev" \
                "$check -DWITH_SDL \$(sdl_headers) examples/$game.c"
        done
        row $set sources_chipmunk@$cc "$cc libchipmunk-dev" "for_sources examples/chipmunk $check"
        row $set sources_bench@$cc $cc \
            "for_sources bench $check -DSUBJECT=now_header '-DHEADER=\"spatial.h\"'"
        row $set sources_speed@$cc $cc "show_and_do $check tests/speed.c"
    done

    row full bench "" "PEERS=brute CFLAGS=-O1 sh bench/run.sh quick"
    row full size "" "sh tools/size.sh limits"
    row full speed "gcc valgrind" "sh tests/speed.sh"
    row full fuzzer "clang libclang-rt-dev" "fuzzer 8"
    row all fuzzer_long "clang libclang-rt-dev" "new_corpus 60"
    row full attack_search "" "attack_search 2000"
    row all attack_search_long "" "attack_search 5000"
    row full allocations "gcc libc6-dev binutils" "allocations gcc -std=c99"
    row all mutants gcc "sh tests/mutants.sh week"
    row full coverage "clang-19 llvm-19 libclang-rt-19-dev" "sh tests/coverage.sh"
    row full proof_programs "" "sh tests/proofs.sh programs"
    row all proofs ?cbmc "sh tests/proofs.sh"
    row full tsan_workers tsan "threads \$CC -std=c99 -g -O1 \$CFLAGS -pthread -fsanitize=thread"
    row full package_pkg-config "gcc g++ cmake make pkg-config" pkg_config_file
    row full package_meson "gcc meson ninja-build" meson_file
    row full examples "+libopenmpi-dev +openmpi-bin +libchipmunk-dev +chromium +cmake +make \
+libsdl2-dev +gcc-arm-none-eabi +qemu-system-arm +git +clang +lld +nodejs +g++" \
        "CFLAGS='-O2 -Wall -Wextra -Werror' OUT=$OUT/examples.files sh examples/run.sh"
}
