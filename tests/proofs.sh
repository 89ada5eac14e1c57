#!/bin/sh
# Proves what tests/proofs claims, with CBMC 6: for all inputs, not some of them.
#
#   sh tests/proofs.sh [NAME...]          all proofs, or those whose names contain one of these
#   sh tests/proofs.sh broken [NAME...]   shows that each fails if spatial.h is broken at one place
#   sh tests/proofs.sh fetch DIR          unpacks CBMC of Debian 13 in DIR, where DIR/cbmc starts it
#
# CBMC is $CBMC, or cbmc in the path. A proof is a function of tests/proofs; loops are unrolled, and
# it is proven that they do not run more often. Also proven: no access is outside of what it belongs
# to, no signed sum overflows, no shift is too far, and no whole number is divided by zero.
set -u
cd "$(dirname "$0")/.." || exit 1
: "${CBMC:=cbmc}" "${OUT:=tests/out}"
work=$OUT/proofs.files

# proof NAME FILE TYPE BROKEN FLAGS: TYPE is of coordinates. BROKEN is a command of sed that changes
# a line of spatial.h so that the proof must fail.
all_proofs() {
    proof interleave morton INT 's/v << 4)) & 0x0F0F0F0FUL/v << 4)) \& 0x0F0F0F0EUL/'
    proof deinterleave morton INT 's/unspread(code >> 1)/unspread(code >> 2)/'
    proof cell morton INT 's/return levels - up;/return levels - up + (up > 9);/'
    proof node morton INT 's/(3 \* node + 1)/(3 * node)/'
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
    for dx in -3 -2 -1 0 1 2 3; do
        proof cast@$dx casts INT 's/return a->lead <= m->speed;/return a->lead < m->speed;/' \
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
    proof step_down floats FLOAT 's/5.9604652e-08/5.9604645e-08/'
    proof coord_below floats FLOAT 's/return (double)x > v ? spti_step_down(x) : x;/return x;/'
    proof cell_within floats FLOAT 's/cell < axis->last ? cell/cell > 0 ? cell/' \
        --conversion-check
    proof view packed INT 's/(bytes < spti_pack_image/(bytes + 4 < spti_pack_image/' \
        -DMOST=1 --unwind 17 --unwindset "$zero"
}

seconds() { date +%s; }

# Prints the result and the time, and the log where it is not what it must be.
proof() { # name, file, type, broken, flags
    name=$1 file=$2 type=$3 break=$4 header=.
    shift 4
    wanted "$name" || return 0
    if [ "$mode" = broken ]; then
        header=$work
        sed "$break" spatial.h >"$work/spatial.h"
        if cmp -s spatial.h "$work/spatial.h"; then
            echo "FAIL $name: '$break' changes nothing" && failed=yes
            return
        fi
    fi
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
broken) mode=broken && shift ;;
*) mode=proven ;;
esac
names=$* failed='' proofs=0
mkdir -p "$work" || exit 1
version || {
    echo "This needs CBMC 6: sh tests/proofs.sh fetch DIR, then CBMC=DIR/cbmc (not required)"
    exit 77
}
start=$(seconds)
all_proofs
rm -rf "$work"
[ -z "$failed" ] && [ $proofs -gt 0 ] &&
    echo "CBMC ${version%% *}: $proofs proofs, all $mode, $(($(seconds) - start)) s"
