#!/bin/sh
# Proves the claims of tests/proofs, with CBMC 6: for all inputs, not some of them.
#
#   sh tests/proofs.sh [NAME...]          all proofs, or those whose names contain one of these
#   sh tests/proofs.sh broken [NAME...]   shows that each fails if spatial.h is broken at one place
#   sh tests/proofs.sh programs           only those that need no CBMC
#   sh tests/proofs.sh fetch DIR          unpacks CBMC of Debian 13 in DIR, where DIR/cbmc starts it
#
# Programs try all inputs themselves, and need only a C compiler, $CC or cc; the other proofs need
# CBMC, which is $CBMC, or cbmc in the path. Such a proof is a function of tests/proofs; loops are
# unrolled, and it is proven that they do not run more often. Also proven: no access is outside of
# its object, no signed sum overflows, no shift is too far, and no whole number is divided
# by zero.
set -u
cd "$(dirname "$0")/.." || exit 1
: "${CBMC:=cbmc}" "${OUT:=tests/out}"
work=$OUT/proofs.files

all_programs() {
    program even cells INT 's/) \* axis->scale) >>/) * (axis->scale + 65536)) >>/'
    program bent cells FLOAT 's/x\[k\] < high ? x\[k\] : high, at/x[k] < high ? x[k] : low, at/'
    program half_cells cells FLOAT 's/if (t > 0) cell = t;/cell = t < 0 ? -t : t;/'
    program half_below halves FLOAT 's/margin += SPTI_TINY/margin -= SPTI_TINY/'
    program half_casts halves FLOAT 's/return a->lead <= m->speed;/return a->lead < m->speed;/'
}

# proof NAME FILE TYPE BROKEN FLAGS: TYPE is of coordinates. BROKEN is a command of sed that changes
# a line of spatial.h so that the proof must fail.
all_proofs() {
    proof interleave morton INT 's/v << 4)) & 0x0F0F0F0FUL/v << 4)) \& 0x0F0F0F0EUL/'
    proof deinterleave morton INT 's/unspread(code >> 1)/unspread(code >> 2)/'
    proof cell morton INT 's/return levels - up;/return levels - up + (up > 9);/'
    proof node morton INT 's/(3 \* node + 1)/(3 * node)/'
    proof monotone morton INT 's/SPTI_MIN(t, axis->extent) >> axis->drop/t >> axis->drop/'
    for below in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
        proof rank_child@$below morton INT 's/(spt_u32)level + ((4/2 * (spt_u32)level + ((4/' \
            -DBELOW=$below
    done
    for below in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
        proof rank_next@$below morton INT 's/((4 \* z - digits)/((4 * z + digits)/' \
            -DBELOW=$below
    done
    proof bits boxes INT 's/32 - __builtin_clz/31 - __builtin_clz/'
    proof overlap boxes INT 's/(b->min_x <= a->max_x) &/(b->min_x < a->max_x) \&/'
    proof union boxes INT 's/out->max_x = SPTI_MAX(a->max_x, b/out->max_x = SPTI_MIN(a->max_x, b/'
    proof gap boxes INT 's/if (other_min > max) return/if (other_min > max - 1) return/'
    proof below boxes INT 's/d > SPTI_DIST(x, spti_lowest())/d > SPTI_DIST(x, 0)/'
    proof half_open boxes INT 's/if (x >= box->min_x)/if (x > box->min_x)/'
    zero=spti_zero.0:600
    proof key_less casts INT 's/a->carry < b->carry/a->carry > b->carry/'
    proof within casts INT 's/!spti_key_less(&limit, &key)/!spti_key_less(\&key, \&limit)/' \
        -DMOST=7 --unwind 9
    for shift in 0 4 8 12 16 20 24 28; do
        proof product@$shift casts INT 's/al = a & 0xFFFF/al = a \& 0x7FFF/' -DSHIFT=$shift
    done
    for dx in -3 -2 -1 0 1 2 3; do
        proof cast@$dx casts INT 's/return a->lead <= m->speed;/return a->lead < m->speed;/' \
            -DMOST=7 -DDX=$dx --unwind 17
        proof cast_enter@$dx casts INT 's/(open || a->lead > 0)/a->lead > 0/' \
            -DMOST=7 -DDX=$dx --unwind 17
    done
    proof sample sort INT 's/at >= v + gap && /at > v + gap \&\& /' \
        -DCOUNT=4 -DWIDTH=2 -DSHIFT=0 --unwind 6
    proof pass@2 sort INT 's/b\[counts\[(a\[i\].key >> shift)/b[counts[(a[i].key)/' \
        -DCOUNT=4 -DWIDTH=2 -DSHIFT=2 --unwind 6 --unwindset "$zero"
    proof pass@4 sort INT 's/1 << width) - 1;/1 << width) \/ 2 - 1;/' \
        -DCOUNT=3 -DWIDTH=4 -DSHIFT=4 --unwind 17 --unwindset "$zero"
    proof sort sort INT 's/shift < end; shift += 2 \* digit/shift < end; shift += 3 * digit/' \
        -DCOUNT=2 -DWIDTH=4 -DSHIFT=16 --unwind 17 --unwindset "$zero"
    for mask in 0x8421 0x1248; do
        proof sort@$mask sort INT 's/shift + digit, digit, counts/shift, digit, counts/' \
            -DCOUNT=4 -DWIDTH=4 -DSHIFT=0 -DMASK=$mask --unwind 17 --unwindset "$zero"
    done
    proof_list push 's/count \* list->fields) \* sizeof/count) * sizeof/'
    proof_list pop 's/list->count == 0) return/list->count < 2) return/'
    proof_list truncate 's/records > list->count) return/records >= list->count) return/'
    proof_list set 's/list->fields + field\] = value/list->fields] = value/'
    proof_list insert 's/list->free_head = place\[0\]/list->free_head = SPT_NONE/'
    proof_list erase 's/\[index \* list->fields\] = list/[index] = list/'
    proof step_down floats FLOAT 's/5.9604652e-08/5.9604645e-08/'
    proof coord_below floats FLOAT 's/return (double)x > v ? spti_step_down(x) : x;/return x;/'
    proof cell_within floats FLOAT 's/cell < axis->last ? cell/cell > 0 ? cell/' \
        --conversion-check
    proof view packed INT 's/(bytes < spti_pack_image/(bytes + 4 < spti_pack_image/' \
        -DMOST=1 --unwind 17 --unwindset "$zero"
    walk=spti_nodes_walk bounds=$zero,spti_filter_accepts.0:1,spti_sink_hits.0:1,spti_sieve.1:3
    bounds=$bounds,$walk.0:1,$walk.1:1,$walk.2:1,$walk.3:1
    for count in 1 2 3 9; do
        proof query@$count query INT 's/- run->first, (spt/- run->first - 1, (spt/' \
            -DCOUNT=$count --unwind 17 --unwindset \
            "$bounds,spti_sieve.0:$((count < 8 ? count + 1 : 9)),spti_sink_hits.1:$((count + 1))"
    done
}

proof_list() { # name, broken
    proof "$1" list INT "$2" -DFIELDS=2 -DSPATIAL_INTLIST_INLINE=6 \
        --unwind 8 --unwindset spti_copy.0:25
}

seconds() { date +%s; }

# Sets `header` to the folder of spatial.h or, in mode broken, of a broken copy.
choose_header() { # name, broken
    header=.
    [ "$mode" = broken ] || return 0
    header=$work
    sed "$2" spatial.h >"$work/spatial.h"
    ! cmp -s spatial.h "$work/spatial.h" && return
    echo "FAIL $1: '$2' changes nothing" && failed=yes
    return 1
}

# Prints the result and the time, and the log if the result is another than it must be.
program() { # name, file, type, broken
    wanted "$1" && choose_header "$1" "$4" || return 0
    begin=$(seconds) programs=$((programs + 1))
    "${CC:-cc}" -std=c99 -O2 -I "$header" "-DSPATIAL_$3" "tests/proofs/$2.c" -o "$work/program" ||
        exit 1
    "$work/program" >"$work/log" 2>&1
    case $mode/$? in
    programs/0 | proven/0) echo "proven $1 $(($(seconds) - begin)) s: $(tail -n 1 "$work/log")" ;;
    broken/1) echo "broken $1 $(($(seconds) - begin)) s: $(tail -n 1 "$work/log")" ;;
    *) echo "FAIL $1" && failed=yes && cat "$work/log" ;;
    esac
}

proof() { # name, file, type, broken, flags
    name=$1 file=$2 type=$3
    wanted "$name" && choose_header "$name" "$4" || return 0
    shift 4
    begin=$(seconds)
    "$CBMC" -I "$header" "tests/proofs/$file.c" "-DSPATIAL_$type" --function "proof_${name%@*}" \
        --drop-unused-functions --verbosity 4 "$@" >"$work/log" 2>&1
    status=$? took=$(($(seconds) - begin)) proofs=$((proofs + 1))
    case $mode/$status in
    proven/0) echo "proven $name $took s" ;;
    broken/10) echo "broken $name: $(grep -c ': FAILURE$' "$work/log") claims fail, $took s" ;;
    *)
        echo "FAIL $name: exit status $status, $took s" && failed=yes
        grep -v ': SUCCESS$' "$work/log"
        ;;
    esac
}

wanted() { # name
    [ -n "$names" ] || return 0
    for part in $names; do
        case $1 in *"$part"*) return 0 ;; esac
    done
    return 1
}

# Fetched and unpacked with a libc of its own, so that nothing of this machine is upgraded.
fetch() { # folder
    mkdir -p "$1/lists/partial" "$1/archives/partial" && dir=$(cd "$1" && pwd) || return 1
    key=/usr/share/keyrings/debian-archive-keyring.gpg
    echo "deb [signed-by=$key] http://deb.debian.org/debian trixie main" >"$dir/sources"
    : >"$dir/status"
    printf 'Dir::%s;\n' "State \"$dir\"" "State::status \"$dir/status\"" "Cache \"$dir\"" \
        "Etc::sourcelist \"$dir/sources\"" "Etc::sourceparts \"/dev/null\"" >"$dir/apt.conf"
    echo 'APT::Sandbox::User "root";' >>"$dir/apt.conf"
    export APT_CONFIG="$dir/apt.conf"
    apt-get -qq update && cd "$dir" &&
        apt-get -qq download cbmc minisat libc6 libstdc++6 libgcc-s1 zlib1g || return 1
    for package in *.deb; do dpkg -x "$package" root || return 1; done
    lib=$dir/root/usr/lib
    for gnu in "$lib"/*-linux-gnu*; do
        printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@"\n' "$(echo "$gnu"/ld-linux*)" \
            "$gnu:$lib" "$dir/root/usr/bin/cbmc" >cbmc
    done
    chmod +x cbmc && ./cbmc --version
}

version() { # of CBMC; fails if there is none, or an old one
    version=$("$CBMC" --version 2>/dev/null)
    case $version in
    "" | [0-5].*) return 1 ;;
    esac
}

case ${1:-} in
version)
    version
    exit
    ;;
fetch)
    fetch "${2:?a folder}"
    exit
    ;;
programs) mode=programs && shift ;;
broken) mode=broken && shift ;;
*) mode=proven ;;
esac
names=$* failed='' proofs=0 programs=0
mkdir -p "$work" || exit 1
all_programs
[ -z "$failed" ] || exit 1
[ $mode = programs ] && rm -rf "$work" && exit
version || {
    echo "This needs CBMC 6: sh tests/proofs.sh fetch DIR, then CBMC=DIR/cbmc (not required)"
    exit 77
}
start=$(seconds)
all_proofs
rm -rf "$work"
[ -z "$failed" ] && [ $((proofs + programs)) -gt 0 ] &&
    echo "$proofs proofs by CBMC ${version%% *}, $programs by programs, all $mode," \
        "$(($(seconds) - start)) s"
