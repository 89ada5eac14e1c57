# Reads lines of results, see jobs.h and print_entrant in contest.h, into arrays by "workload|boxes|
# share of moving boxes|structure". tables.awk and plot.awk go on with them.

BEGIN {
    FS = "\t"
    many = 1e4 # ns: what is taken for a peer that was not measured, where peers are ranked
}

# What tables call the structure of this line. Of one that was tried with several sizes of cells,
# the best counts.
function name_of_line(    maker, structure) {
    structure = $7
    if ($5 == "ours") return structure
    if ($5 == "old") return structure " (old)"
    maker = $6
    sub(/ [0-9][0-9._]*$/, "", maker)
    if (maker == structure || structure == "all against all") return maker
    sub(/, cell .*/, " (best of 3 cells)", structure)
    return maker " " structure
}

function remember(list, key) { # in the order of their first appearance
    if (!((list, key) in known)) {
        known[list, key] = 1
        member[list, ++count[list]] = key
    }
}

function fill(array, key, first) { # median and quartiles
    array[key] = $first
    array[key, "low"] = $(first + 1)
    array[key, "high"] = $(first + 2)
}

$1 == "machine" { # of each file; the first is that of what has no other
    asked_on = sprintf("%s; `%s`; %s; %s; seed %s", $2, $3, $4, $5, $6)
    if (machine == "") machine = asked_on
    next
}

$1 == "workload" {
    plainly[$2] = $3
    next
}

$1 == "old" {
    old_version = $2
    next
}

$1 == "skip" {
    skipped[++skips] = $2 ": " $3
    next
}

{
    who = name_of_line()
    group = $2 "|" $3 "|" $4
    key = group "|" who
    kind[who] = $5
    remember("structures", who)
    library[who] = $6
    if ($5 == "peer") remember("libraries", $6)
}

$1 == "frame" {
    remember("frame groups", group)
    remember(group, who)
    if (key in trouble && !($10 > 0 && (!(frame[key] > 0) || $10 < frame[key]))) next
    trouble[key] = $8
    samples[key] = $9
    fill(frame, key, 10)
    fill(update, key, 13)
    fill(pairs, key, 16)
    bytes[key] = $19
    calls[key] = $20
    if (who == "broadphase") found[group] = $21
}

$1 == "ratio" { # old / now
    remember("ratios", key "|" $9)
    if ($4 == 100 && $9 == "frame") remember("ratio groups", group)
    ratio[key "|" $9] = $10
}

$1 == "threads" {
    group = $2 "|" $3
    remember("thread groups", group)
    parts[group] = $10
    fill(one_call, group, 11)
    fill(one_thread, group, 14)
    fill(two_threads, group, 17)
    fill(split_time, group, 20)
    one_speed[group] = $23
    two_speed[group] = $24
}

$1 == "window" {
    group = $2 "|" $3
    key = group "|" who
    remember("window groups", group)
    remember("windows in " group, who)
    remember("areas", $9)
    if ($10 == 0) window_trouble[key] = $8
    hits[group, $9] = $17
    if ($10 == 0 || (key "|" $9) in window && $11 >= window[key "|" $9]) next
    fill(window, key "|" $9, 11)
    fill(build, key, 14)
}

$1 == "question" {
    group = $2 "|" $3
    key = group "|" who
    remember("question groups", group)
    remember("asked in " group, who)
    remember("questions in " group, $9)
    question_trouble[key "|" $9] = $8
    answered[group, $9] = $15
    if ($8 == "fine" && $11 > 0) remember("rounded in " group, who ", " $9 ": " $11 " of " $10)
    if ($12 > 0) fill(question, key "|" $9, 12)
}

$1 == "update" {
    remember("update groups", group)
    remember("updates in " group, who)
    if ($9 == 0 || key in insert && $10 >= insert[key]) next
    fill(insert, key, 10)
    fill(move, key, 13)
    fill(remove, key, 16)
}

$1 == "limit" {
    remember("limits", $2)
    limit[$2] = $9 ? "below " $3 : "up to " $3 " at least"
}

# ---- what follows from them ----------------------------------------------------------------------

function frame_of(workload, n, who) {
    return frame[workload "|" n "|100|" who] + 0
}

# What the boxes of a workload are: in plain words, after its name where one may want to measure it
# again.
function boxes_are(workload, with_name) {
    if (!(workload in plainly)) return workload
    return (with_name ? workload ": " : "") plainly[workload]
}

# The time of a frame of the fastest structure of a library; 0 if none was measured.
function library_frame(group, name,    i, who, time, best) {
    best = 0
    for (i = 1; i <= count[group]; i++) {
        who = member[group, i]
        time = frame[group "|" who] + 0
        if (kind[who] != "peer" || library[who] != name || trouble[group "|" who] == "differs")
            continue
        if (time > 0 && (best == 0 || time < best)) best = time
    }
    return best
}

# The best peer of a group of frames, or of windows; "" if none was measured.
function best_peer(group, array, list, tail,    i, who, best) {
    best = ""
    for (i = 1; i <= count[list]; i++) {
        who = member[list, i]
        if (kind[who] != "peer" || !(array[group "|" who tail] > 0)) continue
        if (best == "" || array[group "|" who tail] < array[group "|" best tail]) best = who
    }
    return best
}

function grouped(n,    text) { # 1000000 => 1,000,000
    text = n ""
    while (match(text, /[0-9][0-9][0-9][0-9]+/))
        text = substr(text, 1, RSTART + RLENGTH - 4) "," substr(text, RSTART + RLENGTH - 3)
    return text
}

# Puts the best peers of the workloads with so many boxes into chosen[1 ..], by the product of their
# times, and returns how many, at most `most`.
function choose_peers(n, most,    i, g, w, who, best, time, product, taken) {
    for (g = 1; g <= count["frame groups"]; g++) {
        split(member["frame groups", g], w, "|")
        if (w[2] != n || w[3] != 100) continue
        for (i = 1; i <= count["structures"]; i++) {
            who = member["structures", i]
            time = frame[member["frame groups", g] "|" who]
            if (kind[who] == "peer") product[who] += log(time > 0 ? time : many)
        }
    }
    for (taken = 0; taken < most; taken++) {
        best = ""
        for (i = 1; i <= count["structures"]; i++) {
            who = member["structures", i]
            if (who in product && (best == "" || product[who] < product[best])) best = who
        }
        if (best == "") break
        chosen[taken + 1] = best
        delete product[best]
    }
    return taken
}

# The same for libraries, each with that of its structures that is best for the workload.
function choose_libraries(n, most,    i, g, w, group, name, best, time, product, taken) {
    for (g = 1; g <= count["frame groups"]; g++) {
        group = member["frame groups", g]
        split(group, w, "|")
        if (w[2] != n || w[3] != 100) continue
        for (i = 1; i <= count["libraries"]; i++) {
            name = member["libraries", i]
            time = library_frame(group, name)
            product[name] += log(time > 0 ? time : many)
        }
    }
    for (taken = 0; taken < most; taken++) {
        best = ""
        for (i = 1; i <= count["libraries"]; i++) {
            name = member["libraries", i]
            if (name in product && (best == "" || product[name] < product[best])) best = name
        }
        if (best == "") break
        chosen[taken + 1] = best
        delete product[best]
    }
    return taken
}

# Puts all numbers of boxes in a frame into sizes[1 ..], ascending, and returns how many.
function sizes_of_frames(    g, w, i, j, t, n) {
    n = 0
    for (g = 1; g <= count["frame groups"]; g++) {
        split(member["frame groups", g], w, "|")
        if (("frames of", w[2]) in known) continue
        known["frames of", w[2]] = 1
        sizes[++n] = w[2] + 0
        for (i = n; i > 1 && sizes[i - 1] > sizes[i]; i--) {
            t = sizes[i]
            sizes[i] = sizes[i - 1]
            sizes[i - 1] = t
        }
    }
    return n
}
