# coverage.awk - adds up what llvm-cov tells of spatial.h in all reports, and prints each condition
# that was never true, or never false, or never decided alone. Those of a list are known, with a
# reason; a line of the list that is not needed is an error, too. The last line is a summary.
#
#   awk -f coverage.awk coverage.txt spatial.h report...
#
# Outcomes and test vectors are told by function, line and condition, so that reports of programs
# with other options add up. A condition decides alone if two vectors differ in it and in the
# result, and in no other condition that was evaluated (masking MC/DC).

# The condition that begins at a place of the header: up to && or ||, ? or an end.
function condition(at,    place, text, depth, i, c) {
    split(at, place, ":")
    text = substr(source[place[1]], place[2])
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c == "(" || c == "[") depth++
        if ((c == ")" || c == "]") && depth-- == 0) break
        if (depth == 0 && (index(";?,", c) || index("&& || ", substr(text, i, 3)) % 3 == 1)) break
    }
    text = substr(text, 1, i - 1)
    sub(/ +(\\ *)?$/, "", text)
    return text
}

function missing(where, kind, at,    name, known) {
    name = where_function[where] " | " kind " | " condition(at)
    if (name in reason) { used[name] = 1; excused++; return }
    print "spatial.h:" where_line[where] ": " name
    found++
}

# 1 if two of the vectors tell that condition k decides.
function decides(list, k,    vectors, n, a, b, i) {
    n = split(list, vectors, " ")
    for (a = 1; a < n; a++)
        for (b = a + 1; b <= n; b++) {
            if (substr(vectors[a], 1, 1) == substr(vectors[b], 1, 1)) continue
            for (i = 2; substr(vectors[a], i, 1) != ""; i++)
                if (differ(vectors[a], vectors[b], i) != (i == k + 1)) break
            if (substr(vectors[a], i, 1) == "") return 1
        }
    return 0
}

# 1 if two vectors have other values at a place; "-": it was not evaluated.
function differ(a, b, i) {
    a = substr(a, i, 1)
    b = substr(b, i, 1)
    return a != b && a != "-" && b != "-"
}

FILENAME != file { file = FILENAME; files++ }
files == 1 && /^[^#]/ {
    n = split($0, field, / +\| +/)
    reason[field[1] " | " field[2] " | " field[3]] = field[4]
    if (n != 4) { print FILENAME ": four fields are wanted: " $0; found++ }
}
files == 2 { source[FNR] = $0 }
files < 3 { next }

/^([A-Za-z0-9_]+\.[ch]:)?spti?_[A-Za-z0-9_]+:$/ { # a function; public ones are called by options
    called = $0
    sub(/:$/, "", called)
    sub(/.*:/, "", called)
    sub(/_(float|double|int)_(tiny|large)_.*/, "", called)
}
/^ *[0-9]+\|/ { line = $1 + 0 }
source[line] ~ /SPATIAL_ASSERT/ { next } # some programs have their own
/Branch \([0-9]+:[0-9]+\): \[True: / {
    match($0, /\([0-9]+:[0-9]+\)/)
    at = substr($0, RSTART + 1, RLENGTH - 2)
    where = called " " line " " at
    where_function[where] = called
    where_line[where] = line
    branch[where] = at
    if ($0 !~ /True: 0[,\]]/) taken[where] = 1
    if ($0 !~ /False: 0[,\]]/) refused[where] = 1
}
/MC\/DC Decision Region/ {
    match($0, /\([0-9]+:[0-9]+\)/)
    decision = called " " line " " substr($0, RSTART + 1, RLENGTH - 2)
    where_function[decision] = called
    where_line[decision] = line
}
/Condition C[0-9]+ --> / {
    match($0, /C[0-9]+/)
    k = substr($0, RSTART + 1, RLENGTH - 1) + 0
    match($0, /\([0-9]+:[0-9]+\)/)
    place[decision, k] = substr($0, RSTART + 1, RLENGTH - 2)
    if (k > conditions[decision]) conditions[decision] = k
}
/[0-9]+ \{ .* = [TF] +\}/ { # a vector: the result, and then the conditions
    vector = $0
    sub(/.*\{/, "", vector)
    sub(/\}.*/, "", vector)
    gsub(/[ ,]/, "", vector)
    gsub(/C/, "-", vector)
    split(vector, side, "=")
    vector = side[2] side[1]
    if (index(" " seen[decision] " ", " " vector " ") == 0)
        seen[decision] = seen[decision] " " vector
}
/C[0-9]+-Pair: / && !/constant folded/ {
    match($0, /C[0-9]+/)
    varies[decision, substr($0, RSTART + 1, RLENGTH - 1) + 0] = 1
}

END {
    for (where in branch) {
        outcomes += 2
        if (!(where in taken)) missing(where, "true", branch[where])
        if (!(where in refused)) missing(where, "false", branch[where])
    }
    for (decision in conditions)
        for (k = 1; k <= conditions[decision]; k++) {
            if (!((decision, k) in varies)) continue
            pairs++
            if (!decides(seen[decision], k)) missing(decision, "alone", place[decision, k])
        }
    for (name in reason)
        if (!(name in used)) { print "coverage.txt: not needed, or unknown: " name; found++ }
    printf "%d outcomes of branches and %d conditions in decisions of several: ", outcomes, pairs
    print excused + 0 " known, " found + 0 " not taken"
    exit found > 0
}
