#!/bin/sh
# Tests the command line, tools/spatial.c: sh tests/test_cli.sh PATH_TO_SPATIAL_BINARY
#
# Prints a line for each check that fails and exits 1, or exits 0. Needs sh and the standard
# utilities; xmllint is used where it is installed.

# shellcheck disable=SC2016,SC2034,SC2043,SC2086,SC2094,SC2317,SC3045
# Some variables hold several arguments on purpose; ulimit -v is tried before it is used.

LC_ALL=C
export LC_ALL

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
    echo "usage: sh tests/test_cli.sh PATH_TO_SPATIAL_BINARY" >&2
    exit 2
fi
spatial=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
data=$(cd "$(dirname "$0")/../bench/data" && pwd) || exit 2

umask 077
work=${TMPDIR:-/tmp}/spatial-cli-$$
mkdir "$work" && cd "$work" || exit 2
trap 'cd /; rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM

checks=0 failures=0 skips=0

fail() { # NAME WHAT
    failures=$((failures + 1))
    echo "FAIL $1: $2"
}

skip() { # WHAT
    skips=$((skips + 1))
    echo "SKIP $1"
}

is_one_line() { # PATTERN FILE
    { read -r line && ! read -r line; } <"$2" && grep -q -e "$1" "$2"
}

# Makes the standard input of the checks that follow; \n and the like are understood.
feed() { # TEXT
    printf '%b' "$1" >in
}

# Runs the program. Standard output must be exactly as given (\n is understood); standard error must
# be one line that matches the pattern, or empty if that is.
check() { # NAME EXPECTED_STATUS EXPECTED_STDOUT EXPECTED_STDERR_PATTERN ARGUMENT...
    name=$1 want_status=$2 want_stderr=$4
    printf '%b' "$3" >want
    shift 4
    checks=$((checks + 1))
    "$spatial" "$@" <in >out 2>err
    status=$?
    if [ $status -ne "$want_status" ]; then
        fail "$name" "exit status $status, not $want_status: $(head -n 1 err)"
    elif ! cmp -s want out; then
        fail "$name" "prints '$(head -n 5 out)', not '$(head -n 5 want)'"
    elif [ -z "$want_stderr" ] && [ -s err ]; then
        fail "$name" "says '$(head -n 1 err)'"
    elif [ -n "$want_stderr" ] && ! is_one_line "$want_stderr" err; then
        fail "$name" "says '$(head -n 2 err)', not one line like '$want_stderr'"
    fi
}

# The command must succeed.
expect() { # NAME COMMAND...
    name=$1
    shift
    checks=$((checks + 1))
    "$@" || fail "$name" "not so: $*"
}

structures="broadphase linear quadtree loosegrid packed"
queryable=$(echo $structures | sed 's/broadphase //')

# ------------------------------------------------------------------------------------------------
# The other way to the same results: awk, with coordinates scaled to integers. Distinct numbers of 2
# (3) decimals below 2^17 (2^13) are distinct as floats too, so integers compare as the floats do.

# Boxes as 'frame min_x min_y max_x max_y id'; made once of each file.
boxes_of() { # FILE SCALE
    [ -f "boxes of ${1##*/}" ] || awk -v scale="$2" '
        /^#/ { next }
        NF == 0 { frame++; id = 0; next }
        {
            printf "%d", frame
            for (i = 1; i <= 4; i++) printf " %.0f", $i * scale
            printf " %d\n", id++
        }' "$1" >"boxes of ${1##*/}"
    cat "boxes of ${1##*/}"
}

# Pairs as 'frame a b', by a sweep along x.
pairs_of() { # FILE SCALE
    boxes_of "$1" "$2" | sort -k1,1n -k2,2n | awk '
        $1 + 0 != frame { frame = $1 + 0; n = 0 }
        {
            id = $6 + 0; min_y = $3 + 0; max_y = $5 + 0
            m = 0
            for (i = 0; i < n; i++) {
                other = active[i]
                if (x[other] < $2 + 0) continue
                active[m++] = other
                if (low[other] <= max_y && min_y <= high[other])
                    print frame, other < id ? other " " id : id " " other
            }
            n = m
            active[n++] = id; x[id] = $4 + 0; low[id] = min_y; high[id] = max_y
        }' frame=0 | sort -k1,1n -k2,2n -k3,3n
}

# Ids in a window as 'frame id'.
window_of() { # FILE SCALE MIN_X MIN_Y MAX_X MAX_Y
    boxes_of "$1" "$2" | awk -v s="$2" -v a="$3" -v b="$4" -v c="$5" -v d="$6" '
        function scaled(v) { return sprintf("%.0f", v * s) + 0 }
        BEGIN { a = scaled(a); b = scaled(b); c = scaled(c); d = scaled(d) }
        $2 <= c && a <= $4 && $3 <= d && b <= $5 { print $1, $6 }'
}

# Ids that a circle touches as 'frame id'.
circle_of() { # FILE SCALE X Y RADIUS
    nearest_of "$1" "$2" "$3" "$4" 1000000 "$5" | sort -k1,1n -k2,2n
}

# Ids of the nearest as 'frame id', nearest first.
nearest_of() { # FILE SCALE X Y K LIMIT
    boxes_of "$1" "$2" | awk -v s="$2" -v x="$3" -v y="$4" -v limit="$6" '
        function scaled(v) { return sprintf("%.0f", v * s) + 0 }
        function gap(v, low, high) { return v < low ? low - v : v > high ? v - high : 0 }
        BEGIN { x = scaled(x); y = scaled(y); limit = scaled(limit) }
        {
            dx = gap(x, $2, $4); dy = gap(y, $3, $5)
            square = dx * dx + dy * dy
            if (square <= limit * limit) printf "%d %d %.0f\n", $1, $6, square
        }' | sort -k1,1n -k3,3n -k2,2n |
        awk -v k="$5" '$1 != frame { n = 0; frame = $1 } n++ < k { print $1, $2 }'
}

# What a moving box meets as 'frame id t', by id.
cast_of() { # FILE SCALE X0 Y0 X1 Y1 W H
    boxes_of "$1" "$2" | awk -v s="$2" -v x0="$3" -v y0="$4" -v x1="$5" -v y1="$6" \
        -v w="$7" -v h="$8" '
        # When a point that moves by d is between low and high: from enter to leave.
        function slab(from, d, low, high,    a, b) {
            if (d == 0) {
                if (from < low || from > high) leave = -1
                return
            }
            a = (low - from) / d; b = (high - from) / d
            if (a > b) { from = a; a = b; b = from }
            if (a > enter) enter = a
            if (b < leave) leave = b
        }
        {
            enter = 0; leave = 1
            slab(x0 * s, (x1 - x0) * s, $2 - w * s / 2, $4 + w * s / 2)
            slab(y0 * s, (y1 - y0) * s, $3 - h * s / 2, $5 + h * s / 2)
            if (enter <= leave) printf "%d %d %.7f\n", $1, $6, enter
        }'
}

# The 'frame id t' of the program must be as cast_of has them, but for rounding, in the order of
# (t, id).
same_casts() { # WANT FOUND
    awk '
        NR == FNR { t[$1 " " $2] = $3; n++; next }
        {
            if (!(($1 " " $2) in t) || (d = $3 - t[$1 " " $2]) > 1e-5 || d < -1e-5) wrong = 1
            if ($1 == frame && ($3 < last || ($3 == last && $2 <= id))) wrong = 1
            frame = $1; id = $2; last = $3
            n--
        }
        END { exit wrong || n != 0 }' "$1" "$2"
}

# Numbers the frames of the program's output.
framed() {
    awk 'NF == 0 { frame++; next } { print frame + 0, $0 }'
}

# ------------------------------------------------------------------------------------------------
# Help, version, and wrong arguments.

feed ''
check version 0 'spatial 1.0.0\n' '' --version
for help in help --help -h; do
    "$spatial" $help >help.$help 2>err
    expect "$help exits 0" test $? -eq 0
    expect "$help says nothing on standard error" test ! -s err
    expect "$help prints the help" cmp -s help.help help.$help
done
for word in 'spatial pairs' 'spatial query' 'spatial within' 'spatial nearest' 'spatial cast' \
    'spatial draw' 'spatial film' 'spatial pack' 'spatial time' \
    --version --count --frame --limit --size --up --every --rate $structures; do
    expect "help names $word" grep -q -e "$word" help.help
done
"$spatial" query --help >out 2>err
expect 'help behind a command' cmp -s help.help out

feed '0 0 1 1\n'
check 'no command' 2 '' '^spatial: no command'
check 'unknown command' 2 '' "^spatial: unknown command 'pear'" pear
check 'extra argument of help' 2 '' "^spatial: extra argument 'x'" help x
check 'extra argument of --version' 2 '' "^spatial: extra argument 'x'" --version x
check 'extra argument of pairs' 2 '' "^spatial: extra argument 'y'" pairs in y
check 'extra argument of query' 2 '' "^spatial: extra argument 'y'" query 1 2 3 4 in y
check 'extra argument of within' 2 '' "^spatial: extra argument 'y'" within 1 2 3 in y
check 'extra argument of nearest' 2 '' "^spatial: extra argument 'y'" nearest 1 2 3 in y
check 'extra argument of cast' 2 '' "^spatial: extra argument 'y'" cast 1 2 3 4 in y
check 'extra argument of draw' 2 '' "^spatial: extra argument 'y'" draw in y
check 'extra argument of film' 2 '' "^spatial: extra argument 'y'" film in y
check 'extra argument behind --' 2 '' "^spatial: extra argument '--count'" pairs in -- --count
for command in pairs 'query 0 0 1 1' 'within 0 0 1' 'nearest 0 0 1' 'cast 0 0 1 1' draw film; do
    check "unknown option of $command" 2 '' "^spatial: unknown option '--fast'" $command --fast
    check "unknown letter of $command" 2 '' "^spatial: unknown option '-c'" $command -c
    check "unknown structure of $command" 2 '' "^spatial: unknown structure 'oak'" \
        $command --structure oak
    check "unknown structure= of $command" 2 '' "^spatial: unknown structure 'oak'" \
        $command --structure=oak
    check "empty structure of $command" 2 '' "^spatial: unknown structure ''" $command --structure=
    check "no structure of $command" 2 '' '^spatial: --structure needs a value' $command --structure
    check "missing file of $command" 2 '' '^spatial: missing.txt: [A-Z]' $command missing.txt
    check "a directory for $command" 2 '' '^spatial: \.: [A-Z]' $command .
done
check 'option without its dash' 2 '' "^spatial: unknown option '--structures'" pairs --structures x
check 'value for --count' 2 '' "^spatial: unknown option '--count=3'" pairs --count=3
check '--count is not for query' 2 '' "^spatial: unknown option '--count'" query --count 0 0 1 1
check '--limit is not for within' 2 '' "^spatial: unknown option '--limit'" within 0 0 1 --limit 1
check '--limit is not for cast' 2 '' "^spatial: unknown option '--limit=1'" cast 0 0 1 1 --limit=1
check '--size is not for nearest' 2 '' "^spatial: unknown option '--size'" nearest 0 0 1 --size 1 1
check '--size is not for query' 2 '' "^spatial: unknown option '--size'" query 0 0 1 1 --size 1 1
check '--within is not for query' 2 '' "^spatial: unknown option '--within'" \
    query 0 0 1 1 --within 1 1 1
check '--frame is not for pairs' 2 '' "^spatial: unknown option '--frame'" pairs --frame 0
check '--version is no option' 2 '' "^spatial: unknown option '--version'" pairs --version
check 'a number is no option' 2 '' "^spatial: unknown option '-5'" pairs -5
check 'a fifth number is no option' 2 '' "^spatial: unknown option '-5'" query 0 0 1 1 -5
check 'no frame number' 2 '' '^spatial: --frame needs a value' draw --frame
for number in -1 x 1x 0x1 1.5 +1 ' 1' 99999999999999999999999; do
    check "frame number '$number'" 2 '' "^spatial: --frame '$number' is not" draw --frame "$number"
done
check 'empty frame number' 2 '' "^spatial: --frame '' is not" draw --frame=
check '--up is not for pairs' 2 '' "^spatial: unknown option '--up'" pairs --up
check '--frame is not for film' 2 '' "^spatial: unknown option '--frame'" film --frame 1
check '--every is not for draw' 2 '' "^spatial: unknown option '--every'" draw --every 1
for number in 0 -1 x 1.5 99999999999999999999999; do
    check "every '$number'" 2 '' "^spatial: --every '$number' is not a number from 1 on" \
        film --every "$number"
    check "rate '$number'" 2 '' "^spatial: --rate '$number' is not a number from 1 on" \
        film --rate "$number"
done
check 'no window' 2 '' '^spatial: query: 4 numbers expected, 0 found' query
check 'half a window' 2 '' '^spatial: query: 4 numbers expected, 2 found' query 1 2
check 'a window of a word' 2 '' "^spatial: query: max_x 'in' is not a number" query 1 2 in 4
check 'a window of two numbers in one' 2 '' "query: min_y '2?3' is not a number" query 1 '2 3' 4 5
check 'a window of an empty word' 2 '' "^spatial: query: min_y '' is not a number" query 1 '' 4 5
check 'a window with NaN' 2 '' "^spatial: query: min_x '-nan' has no place" query -nan 0 1 1
check 'a window too large' 2 '' "^spatial: query: max_y '1e39' is too large" query 0 0 1 1e39
check 'a window with min > max' 2 '' '^spatial: query: min_y 2 is larger than max_y 1' query 0 2 1 1
for question in 'query 0 0 1 1' 'within 0 0 1' 'nearest 0 0 1' 'cast 0 0 1 1'; do
    check "broadphase answers no $question" 2 '' '^spatial: broadphase answers no queries' \
        $question --structure broadphase
    check "broadphase answers no draw --$question" 2 '' '^spatial: broadphase answers no queries' \
        draw --structure broadphase --$question
done
for command in 'within' 'draw --within'; do
    wrong() { # REASON_PATTERN NUMBER...
        reason=$1
        shift
        check "$command $*" 2 '' "^spatial: $reason" $command "$@"
    }
    wrong "within: y '2x' is not a number" 1 2x 3
    wrong "within: x 'nan' is not finite" nan 2 3
    wrong "within: y '-inf' is not finite" 1 -inf 3
    wrong "within: radius 'inf' is not finite" 1 2 inf
    wrong "within: radius '1e39' is too large for a float" 1 2 1e39
    wrong 'within: radius -0.5 is negative' 1 2 -.5
done
for command in 'nearest' 'draw --nearest'; do
    for k in -1 +1 2.5 1e1 inf 2147483648 99999999999999999999999; do
        wrong "nearest: k '$k' is not [af]" 1 2 $k
    done
    wrong "nearest: k 'in' is not a number" 1 2 in
    wrong "nearest: x '-Infinity' is not finite" -Infinity 2 3
    wrong '--limit needs a value' 1 2 3 --limit
    wrong "nearest: --limit 'x' is not a number" 1 2 3 --limit x
    wrong "nearest: --limit '' is not a number" 1 2 3 --limit=
    wrong "nearest: --limit 'inf' is not finite" 1 2 3 --limit inf
    wrong 'nearest: --limit -1 is negative' 1 2 3 --limit -1
done
for command in 'cast' 'draw --cast'; do
    wrong "cast: x1 'z' is not a number" 1 2 z 4
    wrong "cast: y1 'inf' is not finite" 1 2 3 inf
    wrong '--size needs a value' 1 2 3 4 --size
    wrong '--size needs 2 values' 1 2 3 4 --size 1
    wrong "cast: height 'in' is not a number" 1 2 3 4 --size 1 in
    wrong "cast: width 'nan' is not finite" 1 2 3 4 --size=nan 1
    wrong 'cast: width -1 is negative' 1 2 3 4 --size -1 1
    wrong 'cast: height -1 is negative' 1 2 3 4 --size=1 -1
    wrong 'cast: the way or the box is too large' -3e38 0 3e38 1
    wrong 'cast: the way or the box is too large' 3.4e38 0 0 1 --size 1e38 0
done
check 'no numbers for within' 2 '' '^spatial: within: 3 numbers expected, 0 found' within
check 'two numbers for nearest' 2 '' '^spatial: nearest: 3 numbers expected, 2 found' nearest 1 2
check 'three numbers for cast' 2 '' '^spatial: cast: 4 numbers expected, 3 found' cast 1 2 3
check 'no numbers for --query' 2 '' '^spatial: --query needs a value' draw --query
check 'two numbers for --within' 2 '' '^spatial: --within needs 3 values' draw --within 1 2
check 'two numbers for --cast' 2 '' '^spatial: --cast needs 4 values' draw --cast=1 2
check 'a limit of nothing' 2 '' '^spatial: --limit is for nearest' draw --limit 1
check 'a limit of a circle' 2 '' '^spatial: --limit is for nearest' draw --limit 1 --within 1 2 3
check 'a size of nothing' 2 '' '^spatial: --size is for cast' draw --size 1 1
check 'a size of a point' 2 '' '^spatial: --size is for cast' draw --nearest 1 2 3 --size 1 1
check 'a file name of two lines' 2 '' '^spatial: two?lines: [A-Z]' pairs 'two
lines'

# ------------------------------------------------------------------------------------------------
# Arguments in every order.

printf '0 0 1 1\n1 1 2 2\n' >touching
cp touching ./--count
cp touching ./-5
feed '5 5 6 6\n'
for structure in $structures; do
    check 'option before the file' 0 '1\n' '' pairs --structure $structure --count touching
    check 'option behind the file' 0 '1\n' '' pairs touching --count --structure=$structure
    check 'options around the file' 0 '1\n' '' pairs --count touching --structure $structure
    check '-- ends the options' 0 '0 1\n\n' '' pairs --structure $structure -- --count
done
check 'a file that looks like a number' 0 '0 1\n\n' '' pairs -- -5
check 'of two structures the last counts' 0 '0\n1\n\n' '' \
    query --structure broadphase 0 0 1 1 --structure linear touching
for file in - '-- -' ''; do
    check "standard input as '$file'" 0 '\n' '' pairs $file
done
check 'negative numbers as a window' 0 '0\n\n' '' query -1 -.5 +0 -0 touching
check 'a window behind --' 0 '0\n\n' '' query -- -1 -1e0 0.5 0.5 touching
check 'options between the numbers' 0 '0\n\n' '' query -1 --structure linear -1 0 0 touching
check 'negative numbers as a circle' 0 '0\n\n' '' within -1 -1 1.5 touching
check 'a circle behind --' 0 '1\n\n' '' within -- +3 -.0e1 1.5 touching
check 'a limit before the numbers' 0 '0\n\n' '' nearest --limit=1.5 -1 -1 7 touching
check 'a limit behind the file' 0 '1\n\n' '' nearest 3 0 7 touching --limit 1.5
check 'a size before the numbers' 0 '1 0.5\n0 0.75\n\n' '' cast --size 1 0 4.5 1 0.5 1 touching
check 'a size among the numbers' 0 '1 0.5\n0 0.75\n\n' '' cast 4.5 1 --size=1 0 0.5 1 touching
check 'an endless window' 0 '0\n1\n\n' '' query -inf -Infinity +inf INF touching
rm ./--count ./-5

# ------------------------------------------------------------------------------------------------
# Images.

printf '0 0 1 1\n1 1 2 2\n\n5 5 6 6\n' >two_frames
printf '\n' >empty_frame
: >nothing
check 'pack' 0 '' '' pack two_frames image
check 'a window in an image' 0 '0\n1\n\n' '' query --image image 1 1 1 1
check 'a circle in an image' 0 '1\n\n' '' within 2 2.5 0.5 --image=image
check 'the nearest in an image' 0 '1\n0\n\n' '' nearest 3 3 2 --image image --structure packed
check 'a ray through an image' 0 '0 0\n1 0.25\n\n' '' cast 0 0 4 4 --image image
check 'pack a frame' 0 '' '' pack --frame 1 two_frames image
check 'a window in the image of a frame' 0 '0\n\n' '' query --image image 0 0 9 9
check 'pack a frame that is missing' 2 '' 'there is no frame 2' pack --frame 2 two_frames image
check 'pack nothing' 2 '' 'there are no boxes' pack empty_frame image
check 'pack no frame at all' 2 '' '^spatial: nothing: there are no frames$' pack nothing image
check 'draw no frame at all' 2 '' '^spatial: nothing: there are no frames$' draw nothing
check 'draw a frame that is missing' 2 '' \
    '^spatial: two_frames: there is no frame 2: the last is 1$' draw --frame 2 two_frames
check 'pack to nowhere' 2 '' 'no/where' pack touching no/where
check 'pack without a name' 2 '' 'FILE and OUT' pack touching
check 'pack what is not packed' 2 '' 'not linear' pack --structure linear touching image
check 'an image and a file' 2 '' "in place of 'touching'" query 0 0 1 1 --image image touching
check 'an image for pairs' 2 '' 'unknown option' pairs --image image
check 'an image that is missing' 2 '' 'missing' query 0 0 1 1 --image missing
check 'no image' 2 '' 'no image' query 0 0 1 1 --image touching
dd if=image of=half bs=1 count=300 2>dd.err
check 'half an image' 2 '' 'no image' query 0 0 1 1 --image half
check 'pack as an array' 0 '' '' pack --c-array map touching array.h
head -n 2 array.h | tail -n 1 | grep -q '^    0x32545053UL, 0x00000004UL' ||
    fail 'pack as an array' 'does not begin as an image'

# ------------------------------------------------------------------------------------------------
# Input.

# The broadphase, a structure that keeps its boxes from frame to frame, and one that is built anew.
for structure in broadphase linear packed; do
    checked() { # NAME INPUT EXPECTED_PAIRS
        feed "$2"
        check "$1 ($structure)" 0 "$3" '' pairs --structure $structure
    }
    checked 'empty input' '' ''
    checked 'comments alone' '# a\n#b\n#' ''
    checked 'one blank line' '\n' '\n'
    checked 'one blank line of blanks' ' \t\r\n' '\n'
    checked 'blanks without a line feed' ' \t' '\n'
    checked 'comment and blank line' '# a\n\n# b\n' '\n'
    checked 'one box' '0 0 1 1\n' '\n'
    checked 'no line feed at the end' '0 0 1 1\n1 1 2 2' '0 1\n\n'
    checked 'blank line at the end' '0 0 1 1\n1 1 2 2\n\n' '0 1\n\n'
    checked 'two blank lines' '0 0 1 1\n1 1 2 2\n\n\n' '0 1\n\n\n'
    checked 'comments among boxes' '#a\n0 0 1 1\n# nan\n1 1 2 2\n #\n\n#x\n' '0 1\n\n'
    checked 'CR LF' '# a\r\n0 0 1 1\r\n1 1 2 2\r\n\r\n0 0 1 1\r\n0 0 1 1\r\n' '0 1\n\n0 1\n\n'
    checked 'blanks' ' 0\t0  1\v1\f\n\t1 1 2 2 \n' '0 1\n\n'
    checked 'more on the line' '0 0 1 1 a\n1 1 2 2 nan nan # x\n1 1 9 9\t,\n' '0 1\n0 2\n1 2\n\n'
    checked 'a NUL behind the numbers' '0 0 1 1 \0000x\n1 1 2 2\n' '0 1\n\n'
    checked 'touching and apart' '0 0 1 1\n1 0 2 1\n2.001 0 3 1\n' '0 1\n\n'
    checked 'points' '1 1 1 1\n1 1 1 1\n1 1 2 2\n0 0 3 3\n5 5 5 5\n' \
        '0 1\n0 2\n0 3\n1 2\n1 3\n2 3\n\n'
    checked 'infinite edges' '-inf -inf inf inf\n5 5 6 6\nInfinity 0 +INF 1\n7 -iNf 8 InfinitY\n' \
        '0 1\n0 2\n0 3\n\n'
    checked 'infinite boxes alone' '-inf -inf inf inf\n-inf -inf -inf -inf\n' '0 1\n\n'
    checked 'huge boxes' '-1e30 -1e30 1e30 1e30\n1 1 2 2\n1e30 1e30 2e30 2e30\n2 2 3 3\n' \
        '0 1\n0 2\n0 3\n1 3\n\n'
    checked 'the largest floats' \
        '-3.4028235e38 0 3.4028235e38 0\n3.4028234e+38 0 3.4028235e38 0\n-1 0 3 3e38\n' \
        '0 1\n0 2\n\n'
    checked 'tiny boxes' '0 0 1e-40 1e-40\n1e-40 0 2e-40 1e-40\n3e-40 0 4e-40 0\n' '0 1\n\n'
    checked 'boxes come and go' '\n0 0 1 1\n\n0 0 1 1\n9 9 9 9\n1 1 2 2\n\n1 1 2 2\n2 2 3 3\n\n\n'\
'8 8 8 8\n8 8 9 9\n8 8 8 8\n' '\n\n0 2\n\n0 1\n\n\n0 1\n0 2\n1 2\n\n'
    checked 'forms of numbers' '+0 -0 .5e1 5.\n5.e0 0.5E1 500e-2 1.e+3\n5 5 05 0005\n' \
        '0 1\n0 2\n1 2\n\n'
    checked 'rounding to even' '0 0 16777216 1\n16777217 0 2e7 1\n16777218 0 2e7 1\n' \
        '0 1\n1 2\n\n'
    checked 'rounding once' '0 0 1 1\n1.000000059604644775390625 0 3 1\n\n0 0 1 1\n'\
'1.00000005960464477539062500000000000000000001 0 3 1\n' '0 1\n\n\n'
    checked 'underflow' '-1e-999 0 1e-999 0\n0 0 0 0\n' '0 1\n\n'

    feed '0 0 1 1\n0 0 1 1\n\n\n1 1 2 2\n1 1 2 2\n1 1 0 0\n'
    check "an error in the third frame ($structure)" 2 '0 1\n\n\n' \
        '^spatial: standard input:7: min_x 1 is larger than max_x 0$' pairs --structure $structure
done

refused() { # NAME INPUT LINE REASON_PATTERN
    feed "$2"
    check "$1" 2 '' "^spatial: standard input:$3: $4\$" pairs
}
refused 'too few numbers' '0 0 1\n' 1 '4 numbers expected, 3 found'
refused 'one number' '#\n0 0 1 1\r\n5\r\n' 3 '4 numbers expected, 1 found'
refused 'a word' 'hello\n' 1 "min_x 'hello' is not a number"
refused 'NaN' '0 0 1 1\n0 nan 1 1\n' 2 "min_y 'nan' has no place in a box"
refused 'signed NaN' '0 0 -NaN 1\n' 1 "max_x '-NaN' has no place in a box"
refused 'min_x > max_x' '1 0 0.5 1\n' 1 'min_x 1 is larger than max_x 0.5'
refused 'min_y > max_y' '0 inf 1 -inf\n' 1 'min_y inf is larger than max_y -inf'
refused 'overflow' '0 0 1e999 1\n' 1 "max_x '1e999' is too large for a float"
refused 'overflow below' '0 -3.5e38 1 1\n' 1 "min_y '-3.5e38' is too large for a float"
refused 'a NUL in a number' '0 0 1\00003 1\n' 1 "max_x '1?3' is not a number"
refused 'a NUL alone' '\0000\n' 1 "min_x '?' is not a number"
refused 'an escape sequence' '\0033[2J\n' 1 "min_x '?\\[2J' is not a number"
refused 'a byte order mark in the second line' '0 0 1 1\n\0357\0273\02770 0 1 1\n' 2 \
    "min_x '???0' is not a number"
refused 'two byte order marks' '\0357\0273\0277\0357\0273\02770 0 1 1\n' 1 \
    "min_x '???0' is not a number"
printf '\357\273\2770 0 1 1\n1 1 2 2\n' >marked
check 'a byte order mark at the beginning' 0 '0 1\n\n' '' pairs marked
printf '\357\273\277# a comment\n0 0 1 1\n1 1 2 2\n' >marked
check 'a byte order mark before a comment' 0 '0 1\n\n' '' pairs marked
printf '\357\273\277' >marked
check 'nothing but a byte order mark' 0 '' '' pairs marked
refused 'the last line without a line feed' '0 0 1 1\n0 0 1' 2 '4 numbers expected, 3 found'
for word in 1,5 0x10 1e 1e+ e5 . - + +-1 --1 1.2.3 1e1.5 infx infinit nano 'nan(1)' 1_0 '1;' \
    \#1; do
    refused "malformed '$word'" "0 0 1 1\n0 0 1 $word\n" 2 "max_y '$word' is not a number"
done

printf '1 1 2 2\n1 1 2 x\n' >wrong.txt
check 'an error in a file' 2 '' "^spatial: wrong.txt:2: max_y 'x' is not a number$" pairs wrong.txt
check 'an error in a query' 2 '' "^spatial: wrong.txt:2: max_y 'x'" query 0 0 3 3 wrong.txt
check 'an error in a cast' 2 '' "^spatial: wrong.txt:2: max_y 'x'" cast 0 0 3 3 wrong.txt
check 'an error in a drawing' 2 '' "^spatial: wrong.txt:2: max_y 'x'" draw wrong.txt
printf '1 1 2 2\n\n1 1 2 x\n' >wrong.txt
check 'an error in the second frame' 2 '0\n\n' '^spatial: wrong.txt:3:' query 0 0 3 3 wrong.txt
check 'counts before an error' 2 '0\n' '^spatial: wrong.txt:3:' pairs --count wrong.txt
check 'an error before the frame to draw' 2 '' '^spatial: wrong.txt:3:' draw --frame 1 wrong.txt
expect 'draw reads no further than its frame' "$spatial" draw wrong.txt >out

awk 'BEGIN {
    zeros = "0"
    while (length(zeros) < 600) zeros = zeros zeros
    zeros = substr(zeros, 1, 600)
    print "0 0 1 1"
    print "0." zeros "1e601 1." zeros " 000" zeros "2 2"
    for (i = 0; i < 10; i++) zeros = zeros " " zeros
    print "1 1 1 1 " zeros
    word = zeros; gsub(" ", "", word)
    print "1 1 1 " word "x"
}' >long.txt
check 'a long word' 2 '' "^spatial: long.txt:4: max_y '0\{37\}\.\.\.' is not a number\$" \
    pairs long.txt
sed 4d long.txt >in
check 'long numbers and lines' 0 '0 1\n0 2\n1 2\n\n' '' pairs

# ------------------------------------------------------------------------------------------------
# Recorded frames against awk.

printf '0 0 10 10\n5 5 5 5\n\n-3 -3 -1.5 -1.5\n-1.5 -1.5 0 0\n' >small.txt
pairs_of "$data/pile.trace" 100 >pile.pairs
pairs_of "$data/us-counties.txt" 1000 >counties.pairs
pairs_of small.txt 10 >small.pairs
# Three boxes as large as the world, the last ones of the first frame and the first of the second.
awk 'BEGIN {
    for (frame = 0; frame < 2; frame++) {
        for (i = 0; i < 3 * frame; i++) print i, 0, 100, 100 - i
        for (i = 0; i < 9999; i++) print i % 100, int(i / 100), i % 100 + 0.5, int(i / 100) + 0.5
        for (i = 3 * frame; i < 3; i++) print i, 0, 100, 100 - i
        print ""
    }
}' >giants.txt
pairs_of giants.txt 10 >giants.pairs
expect 'awk finds the pairs of the small frames' test "$(tr '\n' , <small.pairs)" = '0 0 1,1 0 1,'
expect 'awk finds pairs of giants' test "$(wc -l <giants.pairs)" -gt 59000
expect 'awk finds pairs of counties' test "$(wc -l <counties.pairs)" -gt 3142
awk '{ count[$1]++ } END { for (k = 0; k < 30; k++) print count[k] + 0 }' pile.pairs >pile.counts
for structure in $structures; do
    "$spatial" pairs --structure $structure "$data/pile.trace" >out
    framed <out >found.pairs
    expect "$structure: all pairs of pile.trace" cmp -s found.pairs pile.pairs
    expect "$structure: 30 frames" test "$(grep -c '^$' out)" -eq 30
    "$spatial" pairs --count --structure=$structure - <"$data/pile.trace" >out
    expect "$structure: all counts of pile.trace" cmp -s out pile.counts
    "$spatial" pairs "$data/us-counties.txt" --structure $structure | framed >found.pairs
    expect "$structure: all pairs of us-counties.txt" cmp -s found.pairs counties.pairs
    "$spatial" pairs small.txt --structure $structure | framed >found.pairs
    expect "$structure: all pairs of the small frames" cmp -s found.pairs small.pairs
    "$spatial" pairs giants.txt --structure $structure | framed >found.pairs
    expect "$structure: all pairs of giants" cmp -s found.pairs giants.pairs
done

compare_window() { # FILE SCALE MIN_X MIN_Y MAX_X MAX_Y
    window_of "$@" >window
    file=$1
    shift 2
    for structure in $queryable; do
        "$spatial" query "$@" "$file" --structure $structure | framed >ids
        expect "$structure: window $* of $file" cmp -s ids window
    done
}
compare_circle() { # FILE SCALE X Y RADIUS
    circle_of "$@" >circle
    file=$1
    shift 2
    for structure in $queryable; do
        "$spatial" within "$@" "$file" --structure $structure | framed >ids
        expect "$structure: circle $* of $file" cmp -s ids circle
    done
}
compare_nearest() { # FILE SCALE X Y K LIMIT
    nearest_of "$@" >nearest
    for structure in $queryable; do
        "$spatial" nearest "$3" "$4" "$5" --limit "$6" "$1" --structure $structure | framed >ids
        expect "$structure: $5 nearest $3 $4, within $6, of $1" cmp -s ids nearest
    done
}
compare_cast() { # FILE SCALE X0 Y0 X1 Y1 W H
    cast_of "$@" >casts
    for structure in $queryable; do
        "$spatial" cast "$3" "$4" "$5" "$6" --size "$7" "$8" "$1" --structure $structure >out
        framed <out >hits
        expect "$structure: cast $3 $4 $5 $6, size $7 $8, of $1" same_casts casts hits
        [ $structure != linear ] || cp out linear.out
        expect "$structure: casts as in linear" cmp -s out linear.out
    done
}
# Of the pile every second frame.
awk 'NF == 0 { frame++ } frame % 2 == 0 && NF > 0 || frame % 2 == 1 && NF == 0' \
    "$data/pile.trace" >pile.some
compare_window pile.some 100 200 150.5 310.25 290
compare_window pile.some 100 413.34 139.37 413.34 139.37
compare_window pile.some 100 -50 -50 1000 1000
compare_window pile.some 100 -9 -9 -8 -8
compare_window "$data/us-counties.txt" 1000 670.233 433.013 680.384 442.79
compare_window "$data/us-counties.txt" 1000 500 -10 500.001 700
compare_window small.txt 10 -1.5 -1.5 -1.5 -1.5
compare_window giants.txt 10 1.5 49.6 2.5 99.7
compare_circle pile.some 100 300 350 70.5
compare_circle pile.some 100 413.34 139.37 0
compare_circle pile.some 100 -9 -9 3
compare_circle pile.some 100 -500 900 2000
compare_circle "$data/us-counties.txt" 1000 95 375 20
compare_circle "$data/us-counties.txt" 1000 -100 300 250.125
compare_circle small.txt 10 5 5 7
compare_circle giants.txt 10 50.7 20.1 3.4
expect 'awk finds a part of the boxes in a circle' test "$(wc -l <circle)" -lt 100
compare_nearest pile.some 100 300 350 10 1000
compare_nearest pile.some 100 -50 900 400 500
compare_nearest pile.some 100 120.5 200.25 1000 60
compare_nearest pile.some 100 120.5 200.25 0 60
compare_nearest "$data/us-counties.txt" 1000 95 375 25 1000
compare_nearest "$data/us-counties.txt" 1000 600 300 3142 60
compare_nearest small.txt 10 -1 -1 1 9
compare_nearest giants.txt 10 50.7 20.1 30 3.4
expect 'awk finds 30 nearest in two frames' test "$(wc -l <nearest)" -eq 60
compare_cast pile.some 100 150 150 500 640 0 0
compare_cast pile.some 100 500 640 150 150 20 31
compare_cast pile.some 100 300 -100 300 900 0 5
compare_cast pile.some 100 300 400 300 400 30 30
compare_cast pile.some 100 -90 -90 -80 -5 1 1
compare_cast "$data/us-counties.txt" 1000 90.5 370.25 880.75 100.5 0 0
compare_cast "$data/us-counties.txt" 1000 880.75 100.5 90.5 370.25 9 1
compare_cast small.txt 10 20 -20 -20 19 1 1
compare_cast giants.txt 10 50.7 -3 20.2 103 2 0.2
expect 'awk finds a hundred hits' test "$(wc -l <casts)" -gt 100
feed '5 5 6 6\n0 0 1 1\n9 9 9 9\n0 0 1 1\n2 3 4 5\n\n\n7 7 8 8\n'
for structure in $queryable; do
    asked() { # EXPECTED_OUTPUT QUESTION...
        want=$1
        shift
        check "$structure: $*" 0 "$want" '' "$@" --structure $structure
    }
    asked '1\n3\n4\n\n\n\n' within 1 2 1.5
    asked '1\n3\n\n\n\n' within -3 -4 5
    asked '\n\n\n' within -3 -4 4.9999
    asked '0\n1\n2\n3\n4\n\n\n0\n\n' within 0 0 3e38
    asked '2\n0\n4\n1\n3\n\n\n0\n\n' nearest 9 9 9
    asked '2\n0\n\n\n0\n\n' nearest 9 9 2
    asked '2\n\n\n0\n\n' nearest 9 9 1
    asked '\n\n\n' nearest 9 9 0
    asked '1\n3\n\n\n\n' nearest -3 -4 2147483647 --limit 5
    asked '2\n\n\n\n' nearest 9 9 9 --limit 0
    asked '1 0\n3 0\n4 0.1875\n0 0.3125\n2 0.5625\n\n\n0 0.4375\n\n' cast 0 0 16 16
    asked '2 0.4375\n0 0.625\n4 0.75\n1 0.9375\n3 0.9375\n\n\n0 0.5\n\n' cast 16 16 0 0 --size 0 6
    asked '4 0.125\n\n\n\n' cast 3 2 3 10
    asked '1 0\n3 0\n4 0\n\n\n\n' cast 1.5 2 1.5 2 --size 1 2
    asked '\n\n\n' cast 1.5 2 1.5 2
done
feed '0 0 1 1\n\n\n2 2 3 3\n1 1 2 2\n'
check 'a query in each frame' 0 '0\n\n\n0\n1\n\n' '' query 1 1 2 2
feed '-1e30 -1e30 1e30 1e30\n1 1 2 2\n3e38 3e38 3.4e38 3.4e38\n-inf 7 inf 7\n'
for structure in $queryable; do
    huge() { # NAME EXPECTED_IDS WINDOW...
        name="$structure: $1" ids=$2
        shift 2
        check "$name" 0 "$ids" '' query "$@" --structure $structure
    }
    huge 'a window in a huge box' '0\n1\n\n' 0 0 1 1
    huge 'a window beyond a huge box' '2\n3\n\n' 1e31 0 inf inf
    huge 'a window of everything' '0\n1\n2\n3\n\n' -inf -inf inf inf
    huge 'a window of nothing' '\n' -inf -inf -inf -inf
done

# ------------------------------------------------------------------------------------------------
# Drawings.

"$spatial" film --structure quadtree --every 3 --rate 8 --up "$data/pile.trace" >out
expect 'film makes the picture in README.md' cmp out "$data/../../examples/pile.svg"
# Checks the drawing `out`: well-formed as far as awk can tell, with so many boxes, and cells where
# there have to be some. Of a question how its title ends, how many boxes are shown as found, and
# its marks. One awk looks for all of it, for there are hundreds of drawings.
check_drawing() { # NAME BOXES OVERLAPPING CELLS [TITLE FOUND RECTS CIRCLES LINES]
    checks=$((checks + ($# > 4 ? 13 : 8)))
    awk -v boxes="$2" -v overlapping="$3" -v cells="$4" -v asked=$(($# > 4)) -v title="${5:-}" \
        -v found="${6:-0}" -v rects="${7:-0}" -v circles="${8:-0}" -v lines="${9:-0}" '
        function shows(what, n, wanted) {
            if (n != wanted + 0) print "shows " n + 0 " of " what ", not " wanted
        }
        NR == 1 && index($0, "<svg xmlns=\"http://www.w3.org/2000/svg\"") != 1 {
            print "does not begin as SVG"
        }
        /^<title>[^<&]*<\/title>$/ {
            titles++
            end = "; " title ": " found " found</title>"
            if (asked && substr($0, length($0) - length(end) + 1) != end) print "says " $0
        }
        /^<g class=/ {
            split($0, words, "\"")
            class = words[2]
        }
        /^<(rect|circle|line) .*(inf|nan|[0-9]e)/ { print "shows a number that is not finite: " $0 }
        / (width|height|r)="-?0*\.?0*"/ { print "shows a box of no size: " $0 }
        match($0, /^<(rect|circle|line) /) {
            kind = substr($0, 2, RLENGTH - 2)
            if (kind == "rect" && /\/>$/) shown[class ~ /^level-[0-9]*$/ ? "cell" : class]++
            if (class ~ /asked/) marks[kind]++
        }
        /^<svg [^<>]*[^\/]>$/ && NR == 1 { depth++; next }
        /^<(title|style)>[^<>]*<\/(title|style)>$/ { next }
        /^<(rect|circle|line)( [a-z0-9-]+="[^"<>&]*")+\/>$/ { next }
        /^<g( [a-z-]+="[^"<>&]*")+>$/ { depth++; next }
        /^<\/(g|svg)>$/ { depth--; last = $0; next }
        { print "has more than tags: " $0 }
        END {
            if (depth != 0 || last != "</svg>") print "has tags that are not in balance"
            if (titles != 1) print "has " titles + 0 " titles"
            shows("what overlaps", shown["overlapping"], overlapping)
            shows("all others", shown["apart"], boxes - overlapping)
            if (shown["cell"] + 0 < cells + 0) print "shows " shown["cell"] + 0 " cells"
            if (!asked) exit
            shows("what is found", shown["found"], found)
            shows("rect", marks["rect"], rects)
            shows("circle", marks["circle"], circles)
            shows("line", marks["line"], lines)
        }' out >wrong.txt || fail "$1" 'cannot be read'
    while IFS= read -r what; do fail "$1" "$what"; done <wrong.txt
    if command -v xmllint >/dev/null; then
        expect "$1 is XML" xmllint --noout out
    fi
}

command -v xmllint >/dev/null || skip 'xmllint, which would read the drawings, is not installed.'
for structure in $structures; do
    draw() { # NAME BOXES OVERLAPPING ARGUMENT...
        name="$structure: drawing of $1" boxes=$2 overlapping=$3
        shift 3
        expect "$name" "$spatial" draw --structure $structure "$@" <in >out
        check_drawing "$name" "$boxes" "$overlapping" "$cells"
    }
    cells=5
    [ $structure != broadphase ] || cells=0 # so few boxes are one leaf
    for frame in 0 29; do
        awk -v frame=$frame '$1 == frame { print $2; print $3 }' pile.pairs | sort -u >ids
        draw "frame $frame" 400 "$(wc -l <ids)" --frame $frame "$data/pile.trace"
    done
    cells=0
    draw counties 3142 "$(awk '{ print $2; print $3 }' counties.pairs | sort -u | wc -l)" \
        "$data/us-counties.txt"
    feed '\n0 0 4 3\n'
    draw 'an empty frame' 0 0
    draw 'one box' 1 0 --frame=1
    feed '7 7 7 7\n'
    draw 'one point' 1 0
    feed '0 0 0 0\n1 2 1 2\n1 2 1 2\n'
    draw 'three points' 3 2
    feed '0 0 1 1\n1e30 1e30 2e30 2e30\n-1e30 0 1 1\n'
    draw 'huge boxes' 3 2
    feed '-3.4e38 -3.4e38 3.4e38 3.4e38\n0 0 1e-40 1\n'
    draw 'the hugest box' 2 2
    feed '0 0 1e-44 1e-44\n'
    draw 'a tiny box' 1 0
    feed '-inf 0 inf 1\n0 -inf 1 inf\n9 9 inf inf\n'
    draw 'infinite edges' 3 2
    feed '-inf -inf inf inf\n'
    draw 'nothing but infinite edges' 1 0
    feed '0 0 1e9 1\n'
    draw 'a flat box' 1 0
done
# Frames 0, 7, ... 28 are shown: boxes that overlap in the last are orange at the end.
awk '$1 == 28 { print $2; print $3 }' pile.pairs | sort -nu >overlap
for structure in broadphase quadtree; do
    feed ''
    film="film of $structure"
    "$spatial" film --structure $structure --every 7 "$data/pile.trace" >out
    expect "$film" test $? -eq 0
    expect "$film begins as SVG" test "$(head -n 1 out | cut -c 1-39)" = \
        '<svg xmlns="http://www.w3.org/2000/svg"'
    expect "$film has a title" grep -q '^<title>30 frames of 400 boxes[^<&]*</title>$' out
    expect "$film has 400 boxes in 5 places each" awk '
        /^<path/ { n++; sub(".*=\"d\"", ""); gsub("[^M]", ""); wrong += length($0) != 5 }
        END { exit n != 400 || wrong }' out
    # Of the broadphase, cells of a few frames are no matter of course.
    [ $structure = broadphase ] || expect "$film has cells that come and go" \
        grep -q '^<rect .*<animate attributeName="display"' out
    awk '/^<path/ {
            match($0, "fill=\"[^\"]*\""); last = substr($0, RSTART + 6, 7)
            if (match($0, "attributeName=\"fill\"[^>]*values=\"[^\"]*\""))
                last = substr($0, RSTART + RLENGTH - 8, 7)
            if (last == "#fb6514") print n + 0
            n++
        }' out >orange
    expect "$film ends with the boxes that overlap" cmp overlap orange
    if command -v xmllint >/dev/null; then expect "$film is XML" xmllint --noout out; fi

    feed '0 0 2 2\n4 4 6 6\n\n1 1 3 3\n\n1 1 3 3\n3 2 5 6\n'
    "$spatial" film --structure $structure <in >out
    expect "$film: a box that goes has no size" test \
        "$(grep -c '^<path.*M[0-9. ]*h0v0h0z;M' out)" -eq 1
    expect "$film: a box that comes back touches" test \
        "$(grep -c 'values="#64748b;#fb6514" keyTimes="0;1"' out)" -eq 2
    feed '\n5 5 6 6\n\n1 1 2 2\n'
    "$spatial" film --structure $structure <in >out
    expect "$film: a box that comes late does not come from where it ends" \
        grep -q '="M632.8 632.8h0v0h0z;M632.8 632.8h155.2v155.2h-155.2z;M12 12h' out
    "$spatial" film --structure $structure </dev/null >out
    expect "$film of nothing" test $? -eq 0
    expect "$film of nothing has no box" test "$(grep -c '<path' out)" -eq 0
done

for structure in quadtree packed; do
    # Draws frame 15 of the pile, or the first one of the input, with a question, and compares the
    # boxes that are shown as found with the answer of its command.
    draw_question() { # RECTS CIRCLES LINES BOXES OVERLAPPING QUESTION...
        rects=$1 circles=$2 lines=$3 boxes=$4 overlapping=$5
        shift 5
        picture="$structure: drawing of $*"
        "$spatial" "$@" --structure $structure "$input" <in |
            awk -v frame=$frame 'NF == 0 { n++; next } n + 0 == frame' >answer.txt
        found=$(($(wc -l <answer.txt))) # of which marks may make use
        question=$1
        shift
        expect "$picture" "$spatial" draw --structure $structure --frame $frame \
            "--$question" "$@" "$input" <in >out
        check_drawing "$picture" "$boxes" "$overlapping" 0 "$question $*" $found $rects \
            $(($circles)) $(($lines))
    }
    awk '$1 == 15 { print $2; print $3 }' pile.pairs | sort -u >ids
    overlapping=$(wc -l <ids) input=$data/pile.trace frame=15
    draw_question 1 0 0 400 "$overlapping" query 100 -inf 200.5 inf
    draw_question 0 2 0 400 "$overlapping" within 300 350 70
    draw_question 0 1 0 400 "$overlapping" within 300 350 0
    draw_question 0 1 0 400 "$overlapping" within -300 350 1e30
    draw_question 0 1 0+found 400 "$overlapping" nearest 120 200 8
    draw_question 0 2 0+found 400 "$overlapping" nearest 120 200 8 --limit 100
    draw_question 2 0+found 1 400 "$overlapping" cast 150 150 500 640
    draw_question 2 0+found 1 400 "$overlapping" cast 150 150 1e30 640 --size 20 30
    draw_question 2 0+found 1 400 "$overlapping" cast 150 150 150 150 --size 50 0
    input=- frame=0
    # What is drawn of extremes does not depend on who answered: one structure has each question.
    for asked in 'packed 1 0 0:query -inf -inf inf inf' 'quadtree 0 1 0:within 0 0 3e38' \
        'quadtree 0 1 0+found:nearest 1 1 9' 'packed 2 0+found 1:cast 1e38 0 0 0' \
        'quadtree 2 0+found 1:cast -1 -1 3e38 3e38 --size 3 4'; do
        case $asked in "$structure "*) asked=${asked#* } ;; *) continue ;; esac
        for text in '7 7 7 7\n' '0 0 1e-44 1e-44\n' '-inf -inf inf inf\n' '0 0 1e9 1\n'; do
            feed "$text"
            draw_question ${asked%:*} 1 0 ${asked#*:}
        done
        feed '\n0 0 1 1\n'
        draw_question ${asked%:*} 0 0 ${asked#*:}
        feed '0 0 1 1\n1e30 1e30 2e30 2e30\n-1e30 0 1 1\n'
        draw_question ${asked%:*} 3 2 ${asked#*:}
        feed '-inf 0 inf 1\n0 -inf 1 inf\n9 9 inf inf\ninf inf inf inf\n'
        draw_question ${asked%:*} 4 4 ${asked#*:}
    done
    feed '-3.4e38 -3.4e38 3.4e38 3.4e38\n'
    draw_question 0 2 0 1 0 within 0 0 3e38
    draw_question 0 1 0+found 1 0 nearest 0 0 2
    draw_question 2 0+found 1 1 0 cast 0 0 3e38 3e38 --size 3e38 1
done
printf '0 0 9 9\n' >in
check 'of two questions the last counts' 0 "$("$spatial" draw --within 1 2 3 <in)\n" '' \
    draw --cast 1 2 3 4 --within 1 2 3
check 'draw asks linear' 0 "$("$spatial" draw --within 1 2 3 --structure linear <in)\n" '' \
    draw --within=1 2 3
feed ''
check 'drawing of empty input' 2 '' '^spatial: standard input: there are no frames$' draw
feed '0 0 1 1\n\n0 0 1 1\n'
check 'drawing of a frame that is not there' 2 '' '^spatial: standard input: there is no frame 2' \
    draw --frame 2

# ------------------------------------------------------------------------------------------------
# Times. Their values are not tested; --seconds 0 takes each structure three times.

"$spatial" time --help >out 2>err
expect 'time --help says nothing on standard error' test ! -s err
for word in --pairs --windows --size --circles --radius --nearest --k --rays --length --seconds \
    --json --workload --boxes --moving --frames --seed equal mixed clusters long; do
    expect "time --help names $word" grep -q -e "[ [-]${word}[] ]" out
done

feed '0 0 1 1\n'
time_refuses() { # REASON_PATTERN ARGUMENT...
    reason=$1
    shift
    check "time $*" 2 '' "^spatial: $reason" time "$@"
}
time_refuses "unknown option '--fast' for time" --fast
time_refuses "unknown option '--structure' for time" --structure linear
time_refuses "unknown option '--json=1' for time" --json=1
time_refuses "unknown workload 'oak'" --workload oak
time_refuses '--workload needs a value' --workload
time_refuses "--workload is in place of 'in'" --workload equal in
time_refuses "extra argument 'y'" in y
time_refuses 'missing.txt: [A-Z]' missing.txt
for option in --boxes --moving --frames; do
    time_refuses "$option needs a value" $option
done
time_refuses '--boxes is for --workload' --boxes 5
time_refuses '--moving is for --workload' in --moving=0.5
time_refuses '--frames is for --workload' --frames 7
for number in 0 -1 x 1.5 '' 536870913 99999999999999999999999; do
    time_refuses "--boxes '${number}' is not a whole number from 1 to 536870912" \
        --workload equal --boxes "$number"
done
time_refuses "--frames '1' is not a whole number from 2" --workload equal --frames 1
time_refuses "--seed '-1' is not a whole number from 0" --seed -1
time_refuses "--k '0' is not a whole number from 1" --nearest 1 --k 0
time_refuses "--moving '1.01' is not a number from 0 to 1" --workload equal --moving 1.01
time_refuses "--moving '-.1' is not a number from 0 to 1" --workload equal --moving -.1
time_refuses "--moving 'nan' is not finite" --workload equal --moving nan
time_refuses "--seconds 'x' is not a number" --seconds x
time_refuses "--seconds '3601' is not a number from 0 to 3600" --seconds 3601
time_refuses '--windows needs --size' --windows 3
time_refuses '--size is for --windows' --size 1 1
time_refuses '--size needs 2 values' --windows 3 --size 1
time_refuses '--size: height -1 is negative' --windows 3 --size 1 -1
time_refuses "--size: width 'x' is not a number" --windows 3 --size x 1
time_refuses '--circles needs --radius' --circles 3
time_refuses '--radius is for --circles' --radius 3
time_refuses "--radius '-3' is not a number from 0" --circles 1 --radius -3
time_refuses '--k is for --nearest' --k 3
time_refuses '--rays needs --length' --rays 3
time_refuses '--length is for --rays' --length 3
feed '0 0 1 1\n\n0 0 1\n'
time_refuses 'standard input:3: 4 numbers expected, 3 found'
for text in '' '#\n' '\n\n\n'; do
    feed "$text"
    time_refuses 'standard input: there are no boxes'
done

# Prints a number that the JSON in the file `out` has before its structures.
timed() { # NAME
    sed -n "s/.*[{ ]\"$1\": \([^,]*\),.*/\1/p" out | head -n 1
}

# Checks the JSON in the file `out`, as far as awk can tell.
check_json() { # NAME STRUCTURES
    expect "$1: as many structures" test "$(grep -c '^  {"name": "' out)" -eq "$2"
    expect "$1: the fastest first" awk -F '"sum_ms": ' '
        NF == 2 && $2 + 0 < last { wrong = 1 }
        NF == 2 { last = $2 + 0 }
        END { exit wrong || last == 0 }' out
    expect "$1: JSON in balance" awk '
        { text = text $0 }
        END {
            gsub(/"[^"\\]*(\\n[^"\\]*)*"/, "0", text)
            gsub(/true|false|-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?/, "0", text)
            gsub(/ /, "", text)
            while (gsub(/\{0:0(,0:0)*\}|\[0(,0)*\]/, "0", text));
            exit text != "0"
        }' out
    { cat out && echo ,; } >>all.json
}

: >lines.txt
echo '[' >all.json
race() { # NAME STRUCTURES ARGUMENT...
    name="time: $1" count=$2
    shift 2
    "$spatial" time --seconds 0 --json "$@" <in >out 2>err
    expect "$name: $(head -n 1 err)" test $? -eq 0
    check_json "$name" "$count"
    sed -n 's/.*"c": "\(.*\)"}.*/\1/p' out >>lines.txt
}
questions='--windows 5 --size 3 2 --circles 4 --radius 2 --nearest 3 --k 4 --rays 6 --length 20'
for workload in equal mixed clusters long; do
    case $workload in
    equal) sizes='1 30' ;;
    mixed) sizes=6000 ;;
    *) sizes=200 ;;
    esac
    for boxes in $sizes; do
        few=5 # linear with two grids is like linear
        [ $boxes -lt 6000 ] || few=6
        race "pairs of $boxes $workload" $few --workload $workload --boxes $boxes --frames 2
        expect "$name: boxes" test "$(timed boxes)" = $boxes
        expect "$name: all move" test "$(timed moving)" = 1
        race "all of $boxes $workload" $((few - 1)) --workload $workload --boxes $boxes \
            $questions --pairs --moving 0.25 --seed $boxes
    done
    expect "$name: a quarter moves" awk -v moving="$(timed moving)" \
        'BEGIN { exit moving < 0.24 || moving > 0.26 }'
done
race 'the pile' 5 "$data/pile.trace" --seconds 2
expect "$name: frames" test "$(timed frames)" = 30
expect "$name: pairs on average" awk -v found="$(timed pairs)" '
    FNR > 1 { pairs += $1 }
    END { d = found - pairs / (FNR - 1); exit d < -1e-5 || d > 1e-5 }' pile.counts
race 'counties, which stand still' 4 "$data/us-counties.txt" $questions
expect "$name: none moves" test "$(timed moving)" = 0
feed '1 1 1 1\n9 9 9 9\n'
race 'questions at points' 4 --windows 5 --size 1 1 --circles 4 --radius 0 --nearest 3 --k 2 \
    --rays 2 --length 1
expect 'time: the boxes found at points' test "$(timed found)" = 17
feed '0 0 1 1\n5 5 6 6\n\n0 0 1 1\n5 5 6 7\n0 1 2 2\n\n\n0 1 2 3\n7 7 7 7\n'
race 'boxes that come and go' 5
expect "$name: the share that moves" test "$(timed moving)" = 0.2
expect "$name: pairs on average" test "$(timed pairs)" = 0.333333333
race 'questions while boxes come and go' 4 - $questions
for text in '-inf -inf inf inf\n5 5 6 6\n' '-3.4e38 0 3.4e38 1\n' '0 0 1e-44 1e-44\n' '7 8 7 8\n' \
    '\n\n0 0 1 1\n1 1 2 2\n\n0 0 1 1\n'; do
    feed "$text"
    race "questions to $text" 4 $questions --pairs
done

echo '0]' >>all.json
if command -v python3 >/dev/null; then
    expect 'time: JSON that Python reads' python3 -m json.tool all.json json.txt
elif command -v node >/dev/null; then
    expect 'time: JSON that Node.js reads' node -e \
        'JSON.parse(require("fs").readFileSync("all.json"))'
else
    skip 'Neither Python nor Node.js, which would read the JSON of time, is installed.'
fi

# The table is for people; the JSON has its last lines, too.
"$spatial" time --seconds 0 --workload equal --boxes 50 --pairs --rays 1 --length 1 >out 2>err
expect 'time prints a table' test "$(grep -c '^[*= ] [a-z]* .* [0-9]\.[0-9]* *[0-9]*\.[0-9]$' \
    out)" = 4
expect 'time marks the fastest' test "$(sed -n '/^ .* build /,$p' out | sed -n 2p | cut -c 1)" = '*'
expect 'time says nothing on standard error' test ! -s err
expect 'time tells what is asked' grep -q '^asked in each frame: --pairs --rays 1 --length 1$' out
expect 'time ends with C' test "$(tail -n 1 out | cut -c 1-14)" = '/* at the end:'

# All of these lines make structures, and the lines in the help write frames.
if command -v "${CC:-cc}" >/dev/null; then
    {
        echo '#define SPATIAL_IMPLEMENTATION'
        echo "#include \"$data/../../spatial.h\""
        echo '#include <stdio.h>'
        sort -u lines.txt | while read -r lines; do
            case $lines in
            *broadphase*) free='spt_broadphase_free(&bp)' ;;
            *) free='spt_free(&world)' ;;
            esac
            n=$((${n:-0} + 1))
            printf 'static int make_%d(void)\n{\n%b%s;\nreturn 0;\n}\n' $n "$lines" "$free"
            echo "if (make_$n()) return 1;" >>made.txt
        done
        echo 'static spt_box boxes[2] = {{0, 0, 0.1F, 1}, {0.1F, 1, 2, 2}};'
        echo 'int main(void)'
        echo '{'
        echo 'int i, n = 2;'
        "$spatial" time --help | sed -n '/^    FILE /,/fclose/p'
        cat made.txt
        echo 'return 0;'
        echo '}'
    } >lines.c
    expect 'time: structures of all kinds' test "$(wc -l <made.txt)" -gt 20
    "${CC:-cc}" -Wall -Wextra -Wconversion -Werror -o lines lines.c -lm 2>err
    expect "time: its lines are C: $(head -n 3 err)" test $? -eq 0
    expect 'time: its lines make structures' ./lines
    check 'time: the frames of its help' 0 '0 1\n\n' '' pairs game.trace
else
    skip 'There is no compiler for the lines of C that time prints.'
fi

# ------------------------------------------------------------------------------------------------
# The world around.

# Frames are answered while the input is still open.
stream() {
    trap '' PIPE # if the program ends early, the check fails, not this script
    "$spatial" pairs <question >answer &
    program=$!
    exec 3>question 4<answer
    (for second in 1 2 3 4 5 6 7 8 9; do sleep 1; done; kill $program) >/dev/null 2>&1 3>&- 4<&- &
    watchdog=$!
    echo '0 0 1 1
1 1 2 2
' >&3
    read -r pair <&4
    read -r blank <&4
    echo '5 5 6 6' >&3
    exec 3>&-
    rest=$(cat <&4)
    wait $program || pair="status $?"
    kill $watchdog
    [ "$pair:$blank:$rest" = '0 1::' ]
}
if mkfifo question answer 2>/dev/null; then
    expect 'a frame is printed before the input ends' stream 2>/dev/null
else
    skip 'Streaming is not tested: the system has no fifos.'
fi

if [ -c /dev/full ]; then
    feed '0 0 1 1\n1 1 2 2\n'
    for command in help --version pairs 'pairs --count' 'query 0 0 1 1' 'cast 0 0 1 1' draw; do
        "$spatial" $command <in >/dev/full 2>err
        expect "$command on a full disk exits 2" test $? -eq 2
        expect "$command on a full disk says so" grep -q '^spatial: standard output: [A-Z]' err
        expect "$command on a full disk says one line" test "$(wc -l <err)" -eq 1
    done
else
    skip 'Errors of writing are not tested: the system has no /dev/full.'
fi

# With 60 MB of address space there is no room for the 50 million pairs of 10,000 equal boxes.
limited() { (ulimit -v 60000 && exec "$spatial" "$@") 2>err; }
if limited --version >out 2>&1; then
    awk 'BEGIN { for (i = 0; i < 10000; i++) print "1 1 2 2" }' >same.txt
    for structure in $structures; do
        limited pairs --structure $structure same.txt >out
        expect "$structure: out of memory exits 2" test $? -eq 2
        expect "$structure: out of memory prints nothing" test ! -s out
        expect "$structure: out of memory says so" grep -q '^spatial: same.txt:10000: .*memory' err
    done
    dd if=/dev/zero bs=1000000 count=70 2>/dev/null | limited pairs >out
    expect 'a line too long for the memory exits 2' test $? -eq 2
    expect 'a line too long for the memory says so' grep -q '^spatial: out of memory$' err
else
    skip 'Lack of memory is not tested: ulimit -v has no effect here.'
fi

# Prints the name of a locale that writes 1,5 for 1.5.
comma_locale() {
    for name in de_DE.UTF-8 fr_FR.UTF-8 pt_BR.UTF-8 ru_RU.UTF-8 de_DE fr_FR; do
        if [ "$(LC_ALL=$name locale decimal_point 2>err)" = , ]; then
            echo $name
            return
        fi
    done
}
comma=$(comma_locale)
if [ -z "$comma" ] && localedef --no-archive -i de_DE -f ISO-8859-1 ./de_DE >out 2>&1; then
    LOCPATH=$work # none is installed, but glibc can make one
    export LOCPATH
    comma=$(comma_locale)
fi
if [ -n "$comma" ]; then
    feed '0 0 1.25 1.25\n1.5 1.5 2.75 2.75\n' # cut at the point they would touch
    "$spatial" draw <in >want.svg
    LC_ALL=$comma
    check "numbers in $comma" 0 '\n' '' pairs
    check "a comma in $comma" 2 '' "min_x '0,5' is not a number" query 0,5 0,5 1 1
    "$spatial" draw <in >out
    expect "drawing in $comma" cmp -s out want.svg
    LC_ALL=C
else
    skip 'No locale with a decimal comma is installed, so none is tested.'
fi

if [ $failures -gt 0 ]; then
    echo "command line: $failures of $checks checks failed"
    exit 1
fi
echo "command line: $checks checks passed, $skips skipped"
