# rows.sh - what run.sh, targets.sh and coverage.sh share, which read it: a plan is a file with a
# line a row, which begins with `name|`.
# shellcheck shell=sh disable=SC2154 # plan comes from the script that reads this

milliseconds() {
    now=$(date +%s%N)
    case $now in
    *N) echo $(($(date +%s) * 1000)) ;; # no nanoseconds here
    *) echo $((now / 1000000)) ;;
    esac
}

# Leaves in the plan the rows of that name, or else all whose names contain it.
choose() { # names
    : >"$plan.chosen"
    for wanted; do
        awk -F'|' -v wanted="$wanted" '$1 == wanted' "$plan" >"$plan.some"
        [ -s "$plan.some" ] ||
            awk -F'|' -v wanted="$wanted" 'index($1, wanted)' "$plan" >"$plan.some"
        [ -s "$plan.some" ] || {
            echo "no row has '$wanted' in its name" >&2
            exit 1
        }
        cat "$plan.some" >>"$plan.chosen"
    done
    awk '!seen[$0]++' "$plan.chosen" >"$plan"
}

# What runs programs for 32-bit x86: nothing, but where the kernel refuses them an emulator.
runner_of_i386() {
    try=${TMPDIR:-/tmp}/i386-$$
    echo 'int main(void) { return 0; }' >"$try.c"
    if gcc -m32 "$try.c" -o "$try" 2>"$try.log" && ! "$try" 2>"$try.log"; then echo qemu-i386; fi
    rm -f "$try" "$try.c" "$try.log"
}

# Is it one of the programs that ask most?
asks_most() { # source
    case $1 in
    */test_golden.c | */test_index.c | */test_questions.c) ;;
    */test_broadphase.c | */test_neighbours.c) ;;
    *) return 1 ;;
    esac
}
