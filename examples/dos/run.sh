#!/bin/sh
# Builds the agents for DOS with gcc and with bcc, and for this machine, runs all three for 200
# frames, DOS in DOSBox without a window, and compares what they find with figures.txt.
# shellcheck disable=SC2046,SC2086,SC2317 # several words; functions that try calls
cd "$(dirname "$0")/../.." || exit 1
. examples/common.sh
root=$PWD
flags="-DSPATIAL_NO_FIT -DSPATIAL_NO_QUADTREE -DSPATIAL_NO_LOOSEGRID -DSPATIAL_NO_PACKED
    -DSPATIAL_NO_SEARCH -DSPATIAL_NO_CHECK -DSPATIAL_NO_COPY -DSPATIAL_NO_CONTACTS
    -DSPATIAL_NO_NEIGHBOURS"
parts="simulation.c scene.c main.c" lib=/usr/lib/bcc/libdos.a

host() { $CC $CFLAGS $flags -DARENA=60000u -o AGENTS.COM $parts host.c && ./AGENTS.COM 200; }

dos_by_gcc() { # the segments of code and data both begin at 0, which is no mistake here
    gcc -m16 -march=i386 -Os -std=gnu89 -ffreestanding -fno-pic -fno-stack-protector $warnings \
        -fcf-protection=none -fomit-frame-pointer -mpreferred-stack-boundary=2 -static -no-pie \
        -nostdlib -Wl,--build-id=none,--no-check-sections,--gc-sections,-z,norelro,-T,com.ld \
        -ffunction-sections -fdata-sections $flags -o agents.elf $parts dos.c low_gcc.c &&
        objcopy -O binary agents.elf AGENTS.COM && in_dosbox
}

dos_by_bcc() { # of its library only the arithmetic of long and the copying of structs
    bcc -ansi -Md -O -Dconst= -Dvolatile= $flags -c low_bcc.s $parts dos.c &&
        ar x $lib memcpy.o $(ar t $lib | grep '^__[il]') &&
        ld86 -d -i -T100 -0 -o AGENTS.COM low_bcc.o simulation.o scene.o main.o dos.o \
            memcpy.o __*.o && fits_a_com && in_dosbox
}

fits_a_com() { # 64 KB less 256 bytes at the start, and 10 that the start takes of the stack
    [ "$(wc -c <AGENTS.COM)" -le 65270 ] || { echo "more than a .COM may have"; false; }
}

in_dosbox() { # by the BIOS KEYS.COM presses c and q, and MODE.COM reports the video mode
    printf '\264\005\271\143\056\315\026\264\005\271\161\020\315\026\303' >KEYS.COM
    printf '\264\017\315\020\264\114\315\041' >MODE.COM
    SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy $limit dosbox -conf dosbox.conf && grep well OK.TXT
}

try() { # one of these, in a folder of its own with copies of the sources
    dir=$OUT/$1
    rm -rf "$dir" && mkdir "$dir" && cp spatial.h $here/*.[chs] $here/*.ld $here/*.conf "$dir" &&
        cd "$dir" || exit 1
    must "$1 does not build, or the program failed" "$1" &&
        { sed 's/ *|.*//' FIGURES.TXT; echo "screen $(cksum <SCREEN.BIN)"; } >found.txt &&
        same "$1: $(wc -c <AGENTS.COM) bytes" "$root/$here/figures.txt" found.txt
    cd "$root" || exit 1
}

try host
needs gcc gcc gcc objcopy binutils dosbox dosbox && try dos_by_gcc
needs bcc bcc bcc as86 bin86 ar binutils dosbox dosbox && try dos_by_bcc
finish
