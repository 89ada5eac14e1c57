#!/bin/sh
# Guards the speed of spatial.h: counts the instructions of the scenarios of speed.c and holds them
# against the numbers in tests/speed.txt.
#
#   sh tests/speed.sh [WORD...]   the scenarios whose names contain one of the words, or else all
#   sh tests/speed.sh renew       writes what it counts into tests/speed.txt: for a change that is
#                                 meant, to be committed with it
#
# Instructions, since they can be repeated where times cannot; so this sees more work, not worse
# use of the cache: bench/run.sh does. One compiler gives the same number on every machine, because
#   - only instructions of the program itself count: of memset and the like the C library has
#     several variants, and takes what suits the processor;
#   - a build without -mavx2 runs on every processor of the kind.
#
# Answers must be as in tests/speed.txt, too, so that nothing is won by wrong ones; renew puts the
# answers of testing all against all there, and refuses if the library finds something else.
#
# Exit status: 0 nothing has grown by more than 5 %; 1 something has, or finds other pairs; 77 the
# figures are of another compiler, or one of the tools is missing. OUT is honoured.
set -u
cd "$(dirname "$0")/.." || exit 1
: "${OUT:=tests/out}"
dir=$OUT/speed.files
figures=tests/speed.txt
rm -rf "$dir"
mkdir -p "$dir" || exit 1

for tool in gcc valgrind; do
    command -v $tool >"$dir/$tool" || {
        echo "This row needs the Debian package $tool."
        exit 77
    }
done

compiler="gcc $(gcc -dumpfullversion) $(gcc -dumpmachine)"

# The self cost of the functions of the program. In a file of callgrind a line that begins with a
# number, + - or * is a position and a cost, which belongs to the object named by the last ob= line;
# but after calls= it is the cost of the call, which stands again where it arose. The first time an
# object comes up it is `(number) name`, later `(number)`.
instructions() { # file of callgrind
    awk -v program=/speed.files/speed '
        /^c?ob=/ {
            start = index($0, "=") + 1
            id = substr($0, start, index($0, ")") - start + 1)
            if (index($0, ") ")) ours[id] = substr($0, length($0) - length(program) + 1) == program
            if (/^ob=/) here = id
        }
        /^[-+*0-9]/ { if (!called && ours[here]) sum += $2 }
        { called = /^calls=/ }
        END { printf "%.0f\n", sum }' "$1"
}

# A line `name instructions worked found hash`.
measure() { # scenario
    valgrind --tool=callgrind --vgdb=no --toggle-collect=counted --log-file="$dir/$1.log" \
        --callgrind-out-file="$dir/$1.callgrind" "$dir/speed" "$1" >"$dir/$1.answer" || {
        cat "$dir/$1.log" >&2
        echo "$1 does not run under valgrind" >&2
        return 1
    }
    printf '%-28s %9s %s\n' "$1" "$(instructions "$dir/$1.callgrind")" "$(cat "$dir/$1.answer")"
}

# The lines of all scenarios whose names contain one of the words.
measure_all() { # words
    "$dir/speed" >"$dir/names" || return 1
    printf '%s\n' "$@" | grep -F -f - "$dir/names" >"$dir/wanted" || {
        echo "no scenario has '$*' in its name" >&2
        return 1
    }
    while read -r name; do measure "$name" || return 1; done <"$dir/wanted"
}

renew() {
    while read -r name _ answer; do
        [ "$answer" = "$("$dir/speed" "$name" brute)" ] || {
            echo "FAIL  $name finds other pairs or ids than testing all against all does"
            return 1
        }
    done <"$dir/now"
    {
        # shellcheck disable=SC2016 # the quotes are of Markdown
        echo '# Written by `sh tests/speed.sh renew`, with' "$(valgrind --version)."
        echo "# scenario, instructions; boxes or questions, pairs or ids found, their hash"
        echo "compiler $compiler"
        cat "$dir/now"
    } >"$figures"
    echo "written: $figures"
}

# The table (each: instructions a box or question), its faults, and a line that sums up.
compare() { # yes if every scenario that has figures must come up
    awk -v all="$1" -v limit=5 '
        function wrong(what) { messages = messages "FAIL  " what "\n"; failures++ }
        BEGIN { printf "%-28s %12s %10s %11s\n", "scenario", "instructions", "each", "change" }
        FNR == 1 { file++ }
        $1 ~ /^(#|compiler)/ { next }
        { answer = $3 " " $4 " " $5 }
        file == 1 { instructions[$1] = $2; answers[$1] = answer; next }
        {
            scenarios++
            came[$1] = 1
            change = $1 in instructions ? ($2 / instructions[$1] - 1) * 100 : 0
            printf "%-28s %12s %10.1f %+8.2f %%\n", $1, $2, $2 / $3, change
            if (!($1 in instructions)) wrong($1 ": is new, has no figures")
            else if (answer != answers[$1])
                wrong(sprintf("%s: answer %s; right is %s", $1, answer, answers[$1]))
            if (change > limit)
                wrong(sprintf("%s: %s instructions have become %s", $1, instructions[$1], $2))
            if (change < -limit) fell = fell " " $1
            if (scenarios == 1 || change > most) { most = change; which = $1 }
        }
        END {
            for (name in instructions)
                if (all == "yes" && !(name in came)) wrong(name ": has figures, is no scenario")
            again = "sh tests/speed.sh renew"
            printf "\n%s", messages
            if (fell) print "fell by more than " limit " %:" fell
            if (failures) print "limit: +" limit " %; if the change is meant: " again
            printf "%d scenarios; most: %+.2f %% (%s)%s\n", scenarios, most, which,
                fell ? "; some fell: " again " keeps that" : ""
            exit failures > 0
        }' "$figures" "$dir/now"
}

gcc -O2 tests/speed.c -o "$dir/speed" || exit 1

if [ "${1:-}" = renew ]; then
    measure_all >"$dir/now" && renew
    exit
fi

of=$(sed -n 's/^compiler //p' "$figures" 2>/dev/null)
case $of in
"$compiler") ;;
'')
    echo "$figures names no compiler: sh tests/speed.sh renew"
    exit 1
    ;;
*)
    echo "figures are of $of, this is $compiler"
    exit 77
    ;;
esac
measure_all "$@" >"$dir/now" || exit 1
compare "$([ $# -gt 0 ] || echo yes)"
