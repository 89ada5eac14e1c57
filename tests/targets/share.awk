# share.awk - lets the functions of an 8051 program share their bytes of internal memory.
#
#   sdcc -mmcs51 --model-large -S X.c; awk -f share.awk X.asm X.asm >Y.asm
#
# Of the 128 bytes that an 8051 addresses directly, sdcc gives each function some of its own, for
# variables that do not fit its registers. Here they begin behind the bytes of all functions that
# may be active when it is called, so that functions that are never active together lie in the same
# place. All calls must be in this one file, but for calls of the library of sdcc, which has memory
# of its own.
#
# Whom a call by pointer may reach: functions whose address is taken, if they are reentrant and the
# call passes its arguments on the stack, or neither. An allocator (_resize) is reached from
# spti_resize and from the program alone; no other pointer is called by the parts of the library
# that an 8051 has room for. So no function is active twice, which would be an error.

function fail(message)
{
    print "share.awk: " message > "/dev/stderr"
    failed = 1
    exit 1
}

function call(from, to)
{
    if ((from, to) in called) return
    called[from, to] = 1
    callers[to] = callers[to] " " from
}

# 1 if a call by pointer in this function may reach that one.
function reaches(from, to)
{
    if (!((from, (to in reentrant) ? "stack" : "plain") in by_pointer)) return 0
    if (from == "_spti_resize") return to ~ /_resize$/
    return from !~ /^_spti?_/
}

# Where the bytes of a function begin.
function place(name,    list, n, i, from, most)
{
    if (name in placed) return placed[name]
    if (name in active) fail("recursion through " name)
    active[name] = 1
    n = split(callers[name], list, " ")
    most = 0
    for (i = 1; i <= n; i++) {
        from = place(list[i]) + bytes[list[i]]
        if (from > most) most = from
    }
    delete active[name]
    return placed[name] = most
}

$1 == ".area" { area = $2 == "OSEG" ? "DSEG" : $2 } # OSEG: of functions that call none

# First reading: which function has how many bytes, and calls whom.
NR == FNR && area == "DSEG" && match($1, /_sloc[0-9_]+:$/) { owner = substr($1, 1, RSTART - 1) }
NR == FNR && area == "DSEG" && $1 == ".ds" { bytes[owner] += $2 }
NR == FNR && area == "CSEG" {
    if ($1 ~ /^_[A-Za-z0-9_]+:$/) {
        name = substr($1, 1, length($1) - 1)
        here[name] = 1
    }
    if ($2 == "_bp") reentrant[name] = 1
    if ($1 == "lcall" || $1 == "ljmp") {
        if ($2 == "__sdcc_call_dptr") by_pointer[name, "plain"] = 1
        else if ($2 ~ /^_/) call(name, $2)
        else if ($1 == "lcall") by_pointer[name, "stack"] = 1
    }
    if (match($0, /#\(?_[A-Za-z0-9_]+/)) {
        to = substr($0, RSTART + 1, RLENGTH - 1)
        sub(/^\(/, "", to)
        taken[to] = 1
    }
}
NR == FNR && area != "CSEG" && $1 == ".byte" && match($2, /_[A-Za-z0-9_]+/) {
    taken[substr($2, RSTART, RLENGTH)] = 1
}
NR == FNR { next }

# Second reading: one piece of memory for all, and the names as places in it.
!total {
    for (to in taken)
        if (to in here)
            for (from in here) if (reaches(from, to)) call(from, to)
    total = 1
    for (name in bytes) if (place(name) + bytes[name] > total) total = place(name) + bytes[name]
    print "\t.area DSEG    (DATA)\nshared:\n\t.ds\t" total
}
area == "DSEG" && match($1, /_sloc[0-9_]+:$/) {
    owner = substr($1, 1, RSTART - 1)
    print substr($1, 1, length($1) - 1) " = shared + " (place(owner) + used[owner])
    next
}
area == "DSEG" && $1 == ".ds" { used[owner] += $2; next }
$1 == ".area" && $2 == "OSEG" { next }
{ print }

END { if (failed) exit 1 }
