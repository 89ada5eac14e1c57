#!/bin/sh
# Builds the agents for DOS with gcc and with bcc, and for this machine, runs all three for 200
# frames, DOS in DOSBox without a window, and compares their figures and their last picture with
# what figures.txt promises.
#
#   sh examples/dos/run.sh            all
#   sh examples/dos/run.sh gcc        one of: host gcc bcc
#   sh examples/dos/run.sh picture    gcc, and makes agents.png of what the screen shows
# shellcheck disable=SC2046,SC2086 # several words
cd "$(dirname "$0")/../.." || exit 1
. examples/common.sh
FRAMES=200
BCC_LIBRARY=/usr/lib/bcc/libdos.a
parts="simulation scene main"
sections="-DSPATIAL_NO_FIT -DSPATIAL_NO_QUADTREE -DSPATIAL_NO_LOOSEGRID -DSPATIAL_NO_PACKED \
-DSPATIAL_NO_SEARCH -DSPATIAL_NO_CHECK -DSPATIAL_NO_CONTACTS -DSPATIAL_NO_NEIGHBOURS"

# ------------------------------------------------------------------------------------------------
# Builds. Each in a folder of its own, which it finds in $dir.

build_host() {
    $CC $CFLAGS $sections -DARENA=60000u -I. -o "$dir/agents" \
        $here/simulation.c $here/scene.c $here/main.c $here/host.c
}

build_gcc() {
    objects=
    for part in $parts dos low_gcc; do
        gcc -m16 -march=i386 -Os -std=gnu89 -ffreestanding -fno-pic -fno-stack-protector \
            -fno-asynchronous-unwind-tables -fcf-protection=none -fomit-frame-pointer \
            -mpreferred-stack-boundary=2 -ffunction-sections -fdata-sections $warnings $sections \
            -I. -c $here/$part.c -o "$dir/$part.o" || return 1
        objects="$objects $dir/$part.o"
    done
    # The segments of code and data both begin at 0, which is no mistake here.
    gcc -m16 -nostdlib -static -no-pie -Wl,--build-id=none,--no-check-sections,--gc-sections \
        -Wl,-z,norelro,-T,$here/com.ld $objects -o "$dir/agents.elf" &&
        objcopy -O binary "$dir/agents.elf" "$dir/AGENTS.COM"
}

# Of bcc's library only the arithmetic of long and the copying of structs, which the compiler calls.
build_bcc() {
    objects=$dir/low_bcc.o
    as86 -0 -O -u -o "$objects" $here/low_bcc.s || return 1
    for part in $parts dos; do
        bcc -ansi -Md -O -Dconst= -Dvolatile= $sections -I. -c $here/$part.c -o "$dir/$part.o" ||
            return 1
        objects="$objects $dir/$part.o"
    done
    mkdir -p "$dir/library" || return 1
    (cd "$dir/library" && ar x $BCC_LIBRARY memcpy.o $(ar t $BCC_LIBRARY | grep '^__[il]') &&
        ar rc arithmetic.a ./*.o) || return 1
    ld86 -d -i -T100 -0 -o "$dir/AGENTS.COM" $objects "$dir/library/arithmetic.a"
}

# ------------------------------------------------------------------------------------------------
# Runs. Nothing of an earlier run may be left over.

# DOSBox itself always succeeds: OK.TXT tells whether the program did. After the measured run comes
# one with keys: KEYS.COM presses c and q (BIOS, service 5 of interrupt 16h), at which it must
# leave, back in video mode 3, as MODE.COM reports (service 0Fh of interrupt 10h).
run_dos() {
    printf '\264\005\271\143\056\315\026\264\005\271\161\020\315\026\303' >"$dir/KEYS.COM"
    printf '\264\017\315\020\264\114\315\041' >"$dir/MODE.COM"
    printf '%s\r\n' "agents.com $FRAMES" "if errorlevel 1 goto end" \
        keys.com agents.com "if errorlevel 1 goto end" \
        mode.com "if errorlevel 4 goto end" "if errorlevel 3 echo well> ok.txt" :end \
        >"$dir/RUN.BAT"
    SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy $limit dosbox -conf $here/dosbox.conf \
        -c "mount c \"$dir\"" -c c: -c "call run.bat" -c exit >"$dir/dosbox.log" 2>&1 ||
        return 1
    grep -q well "$dir/OK.TXT" 2>/dev/null
}

# ------------------------------------------------------------------------------------------------
# Checks

checksum() { cksum <"$1" | cut -d' ' -f1,2; }

# What was found, without the bytes, which differ from machine to machine.
found() {
    tr -d '\r' <"$dir/FIGURES.TXT" | sed 's/ *|.*//'
    echo "screen $(checksum "$dir/SCREEN.BIN")"
}

bytes() { tr -d '\r' <"$dir/FIGURES.TXT" | sed 's/.*| *//'; }

try() { # host, gcc or bcc
    dir=$OUT/$1
    rm -rf "$dir"
    mkdir -p "$dir" || exit 1
    "build_$1" >"$dir/build.log" 2>&1 ||
        { fail "$1 does not build:" && head -n 20 "$dir/build.log"; return; }
    case $1 in
    host) (cd "$dir" && ./agents $FRAMES) ;;
    *) run_dos ;;
    esac || { fail "$1: the program failed"; return; }
    found >"$dir/found.txt"
    case $1 in
    host) title="host: $(head -n 1 "$dir/found.txt")" ;;
    *) title="$1: the same; AGENTS.COM $(wc -c <"$dir/AGENTS.COM") bytes; $(bytes)" ;;
    esac
    same "$title" $here/figures.txt "$dir/found.txt"
}

# Twice as large, each colour of 6 bits widened to 8.
picture() {
    needs png pnmtopng netpbm || return
    od -An -v -tu1 -w1 "$OUT/gcc/SCREEN.BIN" | awk '
        { byte[NR - 1] = $1 + 0 }
        END {
            print "P3 320 200 255"
            for (i = 0; i < 64000; i++) {
                c = 64000 + 3 * byte[i]
                print wide(byte[c]), wide(byte[c + 1]), wide(byte[c + 2])
            }
        }
        function wide(v) { return int(v * 255 / 63 + 0.5) }' |
        pnmenlarge 2 | pnmtopng -quiet -compression 9 >$here/agents.png || fail "png: not made"
}

case ${1-all} in
all | host | gcc | bcc | picture) ;;
*) echo "usage: sh examples/dos/run.sh [host | gcc | bcc | picture]" >&2 && exit 1 ;;
esac
case ${1-all} in
all | host) try host ;;
esac
case ${1-all} in
all | gcc | picture) needs gcc gcc gcc objcopy binutils dosbox dosbox && try gcc ;;
esac
case ${1-all} in
all | bcc) needs bcc bcc bcc as86 bin86 ar binutils dosbox dosbox && try bcc ;;
picture) [ $failed$skipped != 00 ] || picture ;;
esac
finish
