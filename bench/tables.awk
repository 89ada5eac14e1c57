# Prints what results.awk read as Markdown. view: full, or readme for a selection.

# ---- tables, with columns as wide as their widest cell -------------------------------------------

function table(alignment) { # a letter for each column: l or r
    columns = length(alignment)
    align = alignment
    rows = 0
}

function row(line,    cells, i, n) { # cells with tabs between
    n = split(line, cells, "\t")
    rows++
    for (i = 1; i <= columns; i++) {
        cell[rows, i] = i <= n ? cells[i] : ""
        if (rows == 1 || length(cell[rows, i]) > wide[i]) wide[i] = length(cell[rows, i])
    }
}

function end_table(    r, i, line) {
    for (i = 1; i <= columns; i++) if (wide[i] < 3) wide[i] = 3
    for (r = 1; r <= rows; r++) {
        for (i = 1; i <= columns; i++)
            printf "| %" (substr(align, i, 1) == "l" ? "-" : "") wide[i] "s ", cell[r, i]
        print "|"
        if (r > 1) continue
        for (i = 1; i <= columns; i++) {
            line = sprintf("%" wide[i] "s", "")
            gsub(/ /, "-", line)
            printf "|%s", (substr(align, i, 1) == "l" ? line "--" : line "-:")
        }
        print "|"
    }
    print ""
}

function repeat(text, n,    all) {
    all = ""
    while (n-- > 0) all = all text
    return all
}

# ---- cells ---------------------------------------------------------------------------------------

function number(x) { # three digits, or all before the point
    x += 0
    return sprintf(x >= 100 ? "%.0f" : x >= 10 ? "%.1f" : "%.2f", x)
}

function measured(x) {
    return x > 0 ? number(x) : "-"
}

function spread(array, key) {
    return spread_in(array, key, 1)
}

function spread_in(array, key, unit) {
    if (!(array[key] > 0)) return "-"
    return number(array[key] * unit) " (" number(array[key, "low"] * unit) " - " \
        number(array[key, "high"] * unit) ")"
}

function named_trouble(what) {
    return what == "differs" ? "DIFFERS" : what == "refuses" ? "cannot" : what
}

function frame_cell(key) {
    if (trouble[key] == "differs") return "DIFFERS"
    if (frame[key] > 0) return number(frame[key])
    return key in trouble ? named_trouble(trouble[key]) : "-"
}

# ---- frames --------------------------------------------------------------------------------------

function frame_summary(n,    own, peers, g, i, w, line, group, best, ours) {
    own = split("broadphase,linear,quadtree,loosegrid", ours, ",")
    peers = choose_peers(n, 5)
    table("lr" repeat("r", own + peers) "r")
    line = "boxes are\tpairs"
    for (i = 1; i <= own; i++) line = line "\t" ours[i]
    for (i = 1; i <= peers; i++) line = line "\t" chosen[i]
    row(line "\tbroadphase to best peer")
    for (g = 1; g <= count["frame groups"]; g++) {
        group = member["frame groups", g]
        split(group, w, "|")
        if (w[2] != n || w[3] != 100) continue
        line = boxes_are(w[1], 1) "\t" found[group]
        for (i = 1; i <= own; i++) line = line "\t" frame_cell(group "|" ours[i])
        for (i = 1; i <= peers; i++) line = line "\t" frame_cell(group "|" chosen[i])
        best = best_peer(group, frame, group, "")
        row(line "\t" (best == "" ? "-" : \
            number(frame[group "|" best] / frame[group "|broadphase"]) " times as fast"))
    }
    end_table()
}

function frame_details(group,    i, w, who, key, best, times) {
    split(group, w, "|")
    best = best_peer(group, frame, group, "")
    print "<details><summary>" boxes_are(w[1], 1) "; " grouped(w[2]) " boxes, " \
        (w[3] == 100 ? "all" : "a tenth") " moving; pairs: " found[group] "</summary>\n"
    table("lrrrrrrr")
    row("structure\tframe ns a box (quartiles)\tmove and tidy\tpairs\tspeed / best peer's\t" \
        "bytes a box\tallocations\tframes")
    for (i = 1; i <= count[group]; i++) {
        who = member[group, i]
        key = group "|" who
        if (trouble[key] == "differs" || !(frame[key] > 0)) {
            row(who "\t" named_trouble(trouble[key]))
            continue
        }
        times = best == "" ? "-" : number(frame[group "|" best] / frame[key])
        row(who "\t" spread(frame, key) "\t" measured(update[key]) "\t" measured(pairs[key]) "\t" \
            times "\t" (bytes[key] < 0 ? "SKIP" : sprintf("%.0f", bytes[key])) "\t" \
            (calls[key] < 0 ? "SKIP" : calls[key]) "\t" samples[key])
    }
    end_table()
    print "</details>\n"
}

# ---- windows, updates, a tenth, all against all --------------------------------------------------

function windows(group,    i, a, w, who, key, line, best, tail, list) {
    split(group, w, "|")
    list = "windows in " group
    print "Windows in " grouped(w[2]) " boxes, " w[1] ": microseconds for one of that share of" \
        " the world" (view == "full" ? " (quartiles)" : "")
    print "with so many ids in it on average, and how many times as fast as the best of the" \
        " others.\n"
    line = "structure\tbuild ns a box"
    for (a = 1; a <= count["areas"]; a++)
        line = line sprintf("\t%s: %.0f ids", member["areas", a], hits[group, member["areas", a]])
    table("lr" repeat("r", count["areas"]))
    row(line)
    for (i = 1; i <= count[list]; i++) {
        who = member[list, i]
        key = group "|" who
        line = who "\t" measured(build[key])
        for (a = 1; a <= count["areas"]; a++) {
            tail = "|" member["areas", a]
            best = best_peer(group, window, list, tail)
            line = line "\t" window_cell(key, tail, best == "" ? 0 : window[group "|" best tail])
        }
        row(line)
    }
    end_table()
}

function window_cell(key, tail, best,    text) {
    if (!(window[key tail] > 0)) return named_trouble(window_trouble[key])
    text = number(window[key tail] / 1000)
    if (view == "full")
        text = text " (" number(window[key tail, "low"] / 1000) " - " \
            number(window[key tail, "high"] / 1000) ")"
    return best > 0 ? text " x" number(best / window[key tail]) : text
}

function updates(group,    i, w, who, key, list) {
    split(group, w, "|")
    list = "updates in " group
    print "To insert, move and remove " grouped(w[2]) " boxes, " w[1] \
        ", each with the tidy after it, in ns a box (quartiles);"
    print "some others take a move over only when they are searched:\n"
    table("lrrr")
    row("structure\tinsert\tmove\tremove")
    for (i = 1; i <= count[list]; i++) {
        key = group "|" member[list, i]
        row(member[list, i] "\t" spread(insert, key) "\t" spread(move, key) "\t" \
            spread(remove, key))
    }
    end_table()
}

function tenths(    g, i, w, who, group, all) {
    table("lrlrrr")
    row("boxes are\tboxes\tstructure\tall moving: update ns a box\ta tenth moving\tshare")
    for (g = 1; g <= count["frame groups"]; g++) {
        group = member["frame groups", g]
        split(group, w, "|")
        if (w[3] == 100) continue
        all = w[1] "|" w[2] "|100|"
        for (i = 1; i <= count[group]; i++) {
            who = member[group, i]
            if (kind[who] != "ours" || who == "broadphase" || !(update[all who] > 0)) continue
            row(w[1] "\t" grouped(w[2]) "\t" who "\t" spread(update, all who) "\t" \
                spread(update, group "|" who) "\t" \
                sprintf("%.0f %%", 100 * update[group "|" who] / update[all who]))
        }
    }
    end_table()
}

function brute_limits(    i, text) {
    for (i = 1; i <= count["limits"]; i++)
        text = text (i > 1 ? ", " : "") member["limits", i] " " limit[member["limits", i]]
    print "Testing all against all is faster than the broadphase for so few boxes: " text ".\n"
}

# ---- targets -------------------------------------------------------------------------------------

function target(what, wanted, value, unit, met) {
    row(what "\t" wanted "\t" (value == "" ? "not measured" : number(value) unit) "\t" \
        (value == "" ? "-" : met ? "yes" : "NO"))
}

function at_least(what, wanted, value, unit) {
    target(what, "at least " wanted unit, value, unit, value >= wanted)
}

function at_most(what, wanted, value, unit) {
    target(what, "at most " wanted unit, value, unit, value <= wanted)
}

function over(a, b) {
    return a > 0 && b > 0 ? a / b : ""
}

function worse(a, b) { # of two figures that are to be small
    return a == "" ? b : b == "" ? a : a > b ? a : b
}

function speed_target(workload, who, words, wanted) {
    at_least(workload ", 100,000: broadphase to " words, wanted, \
        over(frame_of(workload, 100000, who), frame_of(workload, 100000, "broadphase")), " x")
}

function speed_targets(    i, hash, tree, million) {
    split("8,10,10,18", hash, ",")
    split("12,13,14,7", tree, ",")
    for (i = 1; i <= 4; i++) {
        speed_target(mains[i], "Chipmunk space hash (best of 3 cells)", "Chipmunk's space hash", \
            hash[i])
        speed_target(mains[i], "Boost packed R-tree", "Boost's packed R-tree", tree[i])
    }
    million = frame_of("equal", 1000000, "broadphase")
    at_most("equal, 1,000,000: broadphase ns a box to those of 100,000", 1.8, \
        over(million, frame_of("equal", 100000, "broadphase")), " x")
}

function structure_targets(    i, s, who, value, most, share, grow) {
    split("1.5,2.5,2", most, ",")
    for (s = 2; s <= 4; s++) {
        value = ""
        for (i = 1; i <= 4; i++)
            value = worse(value, over(frame_of(mains[i], 100000, owns[s]), \
                frame_of(mains[i], 100000, "broadphase")))
        at_most(owns[s] ": frame to the broadphase, worst of four, 100,000", most[s - 1], \
            value, " x")
    }
    for (s = 2; s <= 4; s++) {
        share = ""
        for (i = 1; i <= 4; i++)
            share = worse(share, over(100 * update[mains[i] "|100000|10|" owns[s]], \
                update[mains[i] "|100000|100|" owns[s]]))
        at_most(owns[s] ": update with a tenth moving, worst of four, 100,000", 20, share, " %")
    }
    for (s = 1; s <= 4; s++) {
        grow = ""
        for (i = 1; i <= 4; i++)
            grow = worse(grow, over(frame_of(mains[i], 1000000, owns[s]), \
                frame_of(mains[i], 10000, owns[s])))
        at_most(owns[s] ": ns a box from 10,000 to 1,000,000, worst of four", 2, grow, " x")
    }
}

# How many times as fast as Boost's packed R-tree our best structure is in windows of this size.
function window_speed(key, tail,    i, best, time) {
    best = 0
    for (i = 1; i <= count["structures"]; i++) {
        if (kind[member["structures", i]] != "ours") continue
        time = window[key member["structures", i] tail]
        if (time > 0 && (best == 0 || time < best)) best = time
    }
    return over(window[key "Boost packed R-tree" tail], best)
}

function window_targets(    i, a, speed, value) {
    for (i = 1; i <= 3; i += 2) {
        value = ""
        for (a = 1; a <= count["areas"]; a++) {
            speed = window_speed(mains[i] "|1000000|", "|" member["areas", a])
            if (speed != "" && (value == "" || speed < value)) value = speed
        }
        at_least(mains[i] ", 1,000,000: windows to Boost's packed R-tree, worst size", 2, \
            value, " x")
    }
}

function memory_targets(    g, w, s, group, size, asked) {
    for (g = 1; g <= count["frame groups"]; g++) {
        group = member["frame groups", g]
        split(group, w, "|")
        for (s = 1; s <= 4; s++) {
            if (!((group "|" owns[s]) in calls) || !(frame[group "|" owns[s]] > 0)) continue
            asked = worse(asked, calls[group "|" owns[s]])
            if (w[2] >= 10000) size[s] = worse(size[s], bytes[group "|" owns[s]])
        }
    }
    at_most("linear: memory a box, most from 10,000 boxes on", 64, size[2], " bytes")
    at_most("broadphase: scratch a box, most from 10,000 boxes on", 48, size[1], " bytes")
    row("broadphase, linear, quadtree, loosegrid: most allocations after the first frame\tnone\t" \
        (asked == "" ? "not measured\t-" : asked "\t" (asked == 0 ? "yes" : "NO")))
}

function targets() {
    split("equal,mixed,clusters,long", mains, ",")
    split("broadphase,linear,quadtree,loosegrid", owns, ",")
    table("lrrl")
    row("what\ttarget\tmeasured\tmet")
    speed_targets()
    structure_targets()
    window_targets()
    memory_targets()
    target("equal, 1,000,000: all pairs in a frame of 60 a second", "the goal: 16.7 ms", \
        frame_of("equal", 1000000, "broadphase") > 0 ? \
        frame_of("equal", 1000000, "broadphase") : "", " ms", \
        frame_of("equal", 1000000, "broadphase") <= 16.7)
    end_table()
}

# ---- an older version ----------------------------------------------------------------------------

function old_title() {
    return (old_version == "" ? "old" : old_version) " / now"
}

# A line a workload and number of boxes, a column a structure.
function speed_of_frames(    g, i, w, group, value, line, own, ours, sum, terms) {
    own = split("broadphase,linear,quadtree,loosegrid", ours, ",")
    print "## " old_title() ": how many times as fast a frame is now\n"
    print "The time of the old one divided by the time now: medians of the ratios of the same"
    print "rounds. More than 1 is faster.\n"
    table("lr" repeat("r", own))
    line = "boxes are\tboxes"
    for (i = 1; i <= own; i++) line = line "\t" ours[i]
    row(line)
    for (g = 1; g <= count["ratio groups"]; g++) {
        group = member["ratio groups", g]
        split(group, w, "|")
        line = boxes_are(w[1], 1) "\t" grouped(w[2])
        for (i = 1; i <= own; i++) {
            value = ratio[group "|" ours[i] "|frame"]
            line = line "\t" measured(value)
            if (!(value > 0)) continue
            sum[i] += log(value)
            terms[i]++
        }
        row(line)
    }
    line = "geometric mean\t"
    for (i = 1; i <= own; i++) line = line "\t" (terms[i] ? number(exp(sum[i] / terms[i])) : "-")
    row(line)
    end_table()
}

function speed_of_rest(    i, w, key) {
    print "### " old_title() ": parts of a frame, and all else\n"
    table("lrrllr")
    row("boxes are\tboxes\tmoving\tstructure\twhat\t" old_title())
    for (i = 1; i <= count["ratios"]; i++) {
        key = member["ratios", i]
        split(key, w, "|")
        if (w[3] == 100 && w[5] == "frame" && w[4] !~ /\(grows\)/) continue
        row(w[1] "\t" grouped(w[2]) "\t" (w[3] > 0 ? w[3] " %" : "-") "\t" w[4] "\t" w[5] "\t" \
            number(ratio[key]))
    }
    end_table()
}

function ratios() {
    if (count["ratio groups"]) speed_of_frames()
    speed_of_rest()
}

# ---- parts on threads ----------------------------------------------------------------------------

function threads(    g, w, group, ms) {
    print "## Parts on threads: milliseconds of the wall clock (quartiles)\n"
    print "One call, and a split with its parts, on one thread and on two that are started in that"
    print "time; the ratios are those of one call, and medians of the same rounds.\n"
    table("lrrrrrrrr")
    row("boxes are\tboxes\tparts\tone call\tparts on 1 thread\ton 2 threads\tof that the split" \
        "\tspeed of 1\tspeed of 2")
    for (g = 1; g <= count["thread groups"]; g++) {
        group = member["thread groups", g]
        split(group, w, "|")
        ms = w[2] * 1e-6
        row(boxes_are(w[1], 1) "\t" grouped(w[2]) "\t" parts[group] "\t" \
            spread_in(one_call, group, ms) "\t" spread_in(one_thread, group, ms) "\t" \
            spread_in(two_threads, group, ms) "\t" spread_in(split_time, group, ms) "\tx" \
            number(one_speed[group]) "\tx" number(two_speed[group]))
    }
    end_table()
}

# ---- questions -----------------------------------------------------------------------------------

# The fastest structure of a kind for a question; "" if none was measured.
function fastest(group, of, asked,    i, who, list, best) {
    list = "asked in " group
    best = ""
    for (i = 1; i <= count[list]; i++) {
        who = member[list, i]
        if (kind[who] != of || !(question[group "|" who "|" asked] > 0)) continue
        if (best == "" || question[group "|" who "|" asked] < question[group "|" best "|" asked])
            best = who
    }
    return best
}

function question_cell(key) {
    if (!(key in question_trouble)) return "cannot"
    if (question_trouble[key] == "differs") return "DIFFERS"
    return number(question[key] / 1000)
}

function questions(group,    i, k, w, asked, best, peer, line, list) {
    split(group, w, "|")
    list = "asked in " group
    print grouped(w[2]) " boxes, " boxes_are(w[1], 1) ":\n"
    line = "question\tids"
    for (k = 1; k <= count[list]; k++) line = line "\t" member[list, k]
    table("lr" repeat("r", count[list]) "r")
    row(line "\tbest of ours to best peer")
    for (i = 1; i <= count["questions in " group]; i++) {
        asked = member["questions in " group, i]
        line = asked "\t" number(answered[group, asked])
        for (k = 1; k <= count[list]; k++)
            line = line "\t" question_cell(group "|" member[list, k] "|" asked)
        best = fastest(group, "ours", asked)
        peer = fastest(group, "peer", asked)
        row(line "\t" (best == "" || peer == "" ? "-" : \
            number(question[group "|" peer "|" asked] / question[group "|" best "|" asked]) \
            " times as fast"))
    }
    end_table()
    rounded(group)
}

function rounded(group,    i, list, text) {
    list = "rounded in " group
    for (i = 1; i <= count[list]; i++) text = text (i > 1 ? "; " : "") member[list, i]
    if (text != "") print "Answers that differ, for their own tests round: " text ".\n"
}

# How far, in percent of the median, that share of all quartiles is from it at most.
function quartiles_within(share,    key, name, n, off, i, t) {
    n = 0
    for (key in question) {
        if (split(key, name, SUBSEP) < 2 || !(question[name[1]] > 0)) continue
        t = 100 * (question[key] / question[name[1]] - 1)
        if (t < 0) t = -t
        for (i = n++; i > 0 && off[i] > t; i--) off[i + 1] = off[i]
        off[i + 1] = t
    }
    return n ? off[int(share * (n - 1)) + 1] : 0
}

function all_questions(    i) {
    print "## Questions: microseconds for one\n"
    print "Of boxes that stand still; what is asked stands in bench/questions.c, how other"
    print "libraries are asked in bench/asked. Windows at once are compared with windows of others"
    print "one after another. cannot: the library has no such question."
    print "Half of the quartiles are within " number(quartiles_within(0.5)) \
        " % of their medians, nine in ten within " number(quartiles_within(0.9)) " %."
    if (asked_on != machine) print "Measured on another machine or day: " asked_on "."
    print ""
    for (i = 1; i <= count["question groups"]; i++) questions(member["question groups", i])
}

# ---- pages ---------------------------------------------------------------------------------------

function introduction(    i, text) {
    print "Medians, processor time of one thread; " machine "."
    for (i = 1; i <= count["libraries"]; i++) text = text (i > 1 ? ", " : "") member["libraries", i]
    if (text != "") print "Beside: " text "."
    for (i = 1; i <= skips; i++) print "\nSKIP " skipped[i] "."
    print ""
}

function full(    i, n) {
    print "# Measurements\n"
    print "Written by `sh bench/run.sh`; what the workloads are stands in bench/workloads.h, what"
    print "is measured in bench/jobs.h, how other libraries are used in the files of bench/peers.\n"
    introduction()
    print "In the tables slow means: it takes, or would take, too long here; cannot: it has no"
    print "memory or keeps no such boxes; DIFFERS: its answers are not those of spatial.h, so it"
    print "is not timed; SKIP: this cannot be told here.\n"
    if (count["ratios"]) ratios()
    n = sizes_of_frames()
    if (n) print "## Frames: to move all, tidy and find all pairs, ns a box; the best five others\n"
    for (i = 1; i <= n; i++) {
        print grouped(sizes[i]) " boxes:\n"
        frame_summary(sizes[i])
    }
    print_rest()
    if (n) print "## Frames in full\n"
    for (i = 1; i <= count["frame groups"]; i++) frame_details(member["frame groups", i])
    if (count["libraries"] && count["frame groups"] > 1) {
        print "## Targets\n"
        targets()
    }
}

function print_rest(    i) {
    if (count["window groups"]) print "## Windows\n"
    for (i = 1; i <= count["window groups"]; i++) windows(member["window groups", i])
    if (count["question groups"]) all_questions()
    if (count["update groups"]) print "## Updates\n"
    for (i = 1; i <= count["update groups"]; i++) updates(member["update groups", i])
    if (count["thread groups"]) threads()
    if (some_tenths()) {
        print "## A tenth of the boxes moving\n"
        tenths()
    }
    if (count["limits"]) {
        print "## All against all\n"
        brute_limits()
    }
}

function some_tenths(    g) {
    for (g = 1; g <= count["frame groups"]; g++)
        if (member["frame groups", g] ~ /\|10$/) return 1
    return 0
}

function library_cell(group, name, n,    i, who, time) {
    time = library_frame(group, name)
    if (time > 0) return number(time * n * 1e-6)
    for (i = 1; i <= count[group]; i++) {
        who = member[group, i]
        if (kind[who] == "peer" && library[who] == name)
            return named_trouble(trouble[group "|" who])
    }
    return "-"
}

# Of each other library the best structure for the row, which is more than a user gets who has to
# choose one for all. The scenes are those that tell most.
function readme_table(n,    libraries, g, i, w, line, group) {
    libraries = choose_libraries(n, 4)
    table("lr" repeat("r", libraries))
    line = "the boxes are\tspatial.h"
    for (i = 1; i <= libraries; i++) line = line "\t" chosen[i]
    row(line)
    for (g = 1; g <= count["frame groups"]; g++) {
        group = member["frame groups", g]
        split(group, w, "|")
        if (w[2] != n || w[3] != 100) continue
        if (w[1] !~ /^(equal|mixed|clusters|long|row|cross|giants|0fps skewed)$/) continue
        line = boxes_are(w[1], 0) "\t" number(frame[group "|broadphase"] * n * 1e-6)
        for (i = 1; i <= libraries; i++) line = line "\t" library_cell(group, chosen[i], n)
        row(line)
    }
    end_table()
}

# What our structures take for each question, and the best of the others.
function readme_questions(group,    i, k, asked, peer, line) {
    if (!count["questions in " group]) return
    print "Questions to 100,000 squares of one size that stand still, in microseconds for one:\n"
    table("lrrrrr")
    row("question\tlinear\tquadtree\tloose grid\tpacked\tbest of the others")
    for (i = 1; i <= count["questions in " group]; i++) {
        asked = member["questions in " group, i]
        if (asked ~ /of points|at once|across the world/) continue
        line = asked
        for (k = 1; k <= 4; k++)
            line = line "\t" question_cell(group "|" member["asked in " group, k] "|" asked)
        peer = fastest(group, "peer", asked)
        row(line "\t" (peer == "" ? "-" : number(question[group "|" peer "|" asked] / 1000) \
            " (" peer ")"))
    }
    end_table()
}

function readme() {
    print "All overlapping pairs of 100,000 boxes, all of which have moved, in milliseconds; of"
    print "each other library the structure that is best for the row; bench/results.md has more.\n"
    readme_table(100000)
    readme_questions("equal|100000")
    print "Medians, processor time of one thread; " machine "."
    if (asked_on != machine) print "Questions were asked on another machine or day: " asked_on "."
}

END {
    if (view == "readme")
        readme()
    else
        full()
}
