# Draws what results.awk read, of equal boxes that all move, as an SVG: nanoseconds a box over the
# number of boxes, both axes logarithmic, each line with its name at its end.

BEGIN {
    width = 1000
    height = 600
    left = 70
    right = 690
    top = 60
    bottom = 540
    label_step = 17 # least distance of two names
    # Of our own, told apart by colour-blind readers too: after P. Tol, "bright".
    split("broadphase,linear,quadtree,loosegrid", own, ",")
    split("#4477aa,#228833,#cc3355,#aa3377", colour, ",")
    split("none;7 4;2 3;10 3 2 3;4 2;1 2;12 4", dashes, ";")
}

function log10(x) {
    return log(x) / log(10)
}

function x_of(n) {
    return left + (right - left) * (log10(n) - log10(least_n)) / (log10(most_n) - log10(least_n))
}

function y_of(ns) {
    return bottom - (bottom - top) * (log10(ns) - log10(low)) / (log10(high) - log10(low))
}

function text(x, y, anchor, ink, size, words) {
    gsub(/&/, "\\&amp;", words)
    gsub(/</, "\\&lt;", words)
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\" ", x, y, anchor, ink
    printf "font-size=\"%d\">%s</text>\n", size, words
}

function segment(x1, y1, x2, y2, style) {
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x1, y1, x2, y2, style
}

# Decides what is drawn: our structures, the peers that are best where there are most boxes, and
# brute force; and how far the axes reach.
function choose_lines(    n, i, k) {
    n = sizes_of_equal()
    lines = 0
    for (i = 1; i <= 4; i++) add_line(own[i], colour[i], "none", 3)
    k = choose_peers(most_n, 6)
    for (i = 1; i <= k; i++)
        if (frame_of("equal", most_n, chosen[i]) > 0)
            add_line(chosen[i], "#555555", dashes[i], 1.5)
    if (!("brute force" in drawn)) add_line("brute force", "#777777", "none", 1.5)
    return n
}

function sizes_of_equal(    all, i, n) {
    all = sizes_of_frames()
    n = 0
    for (i = 1; i <= all; i++)
        if (frame_of("equal", sizes[i], own[1]) > 0) sizes[++n] = sizes[i]
    least_n = sizes[1]
    most_n = sizes[n]
    return n
}

function add_line(who, stroke, dash, thick) {
    lines++
    drawn[who] = lines
    name[lines] = who
    paint[lines] = stroke
    dashed[lines] = dash
    thickness[lines] = thick
}

function scale_axis(n,    i, k, ns) {
    low = high = frame_of("equal", least_n, own[1])
    for (k = 1; k <= lines; k++)
        for (i = 1; i <= n; i++) {
            ns = frame_of("equal", sizes[i], name[k])
            if (ns > 0 && ns < low) low = ns
            if (ns > high) high = ns
        }
    low *= 0.8
    high *= 1.25
}

function draw_axes(n,    i, step, ns, steps) {
    for (i = 1; i <= n; i++) {
        segment(x_of(sizes[i]), top, x_of(sizes[i]), bottom, "stroke=\"#dddddd\"")
        text(x_of(sizes[i]), bottom + 20, "middle", "#333333", 13, grouped(sizes[i]))
    }
    split("1,2,5", steps, ",")
    for (step = 1; step <= high; step *= 10)
        for (i = 1; i <= 3; i++) {
            ns = step * steps[i]
            if (ns < low || ns > high) continue
            segment(left, y_of(ns), right, y_of(ns), "stroke=\"#dddddd\"")
            text(left - 8, y_of(ns) + 4, "end", "#333333", 13, grouped(ns))
        }
    text((left + right) / 2, bottom + 44, "middle", "#333333", 14, "boxes")
    text(left - 8, top - 12, "end", "#333333", 14, "ns a box")
}

# A line, and where it ends: the name of one that ends early stands beside its end, the others stand
# in a row at the right.
function draw_line(k, n,    i, ns, points, dash) {
    points = ""
    for (i = 1; i <= n; i++) {
        ns = frame_of("equal", sizes[i], name[k])
        if (!(ns > 0)) continue
        points = points sprintf("%.1f,%.1f ", x_of(sizes[i]), y_of(ns))
        end_x[k] = x_of(sizes[i])
        end_y[k] = y_of(ns)
    }
    if (points == "") return
    dash = dashed[k] == "none" ? "" : " stroke-dasharray=\"" dashed[k] "\""
    printf "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" ", points, paint[k]
    printf "stroke-width=\"%s\"%s/>\n", thickness[k], dash
    if (end_x[k] < right - 1)
        text(end_x[k] + 8, end_y[k] + 4, "start", paint[k], 13, name[k])
    else
        order[++labels] = k
}

# Names from top to bottom, none closer to the next than a line of text.
function draw_labels(    i, j, k, y) {
    for (i = 2; i <= labels; i++)
        for (j = i; j > 1 && end_y[order[j]] < end_y[order[j - 1]]; j--) {
            k = order[j]
            order[j] = order[j - 1]
            order[j - 1] = k
        }
    for (i = 1; i <= labels; i++) {
        y = end_y[order[i]]
        place[i] = i > 1 && y < place[i - 1] + label_step ? place[i - 1] + label_step : y
    }
    for (i = labels; i >= 1; i--) {
        y = i == labels ? bottom + 10 : place[i + 1] - label_step
        if (place[i] > y) place[i] = y
        k = order[i]
        segment(end_x[k] + 3, end_y[k], right + 24, place[i], "stroke=\"" paint[k] "\"")
        text(right + 28, place[i] + 4, "start", paint[k], 13, name[k])
    }
}

END {
    n = choose_lines()
    if (n < 2) exit
    scale_axis(n)
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" " \
        "font-family=\"sans-serif\">\n", width, height
    print "<title>Nanoseconds a box for all pairs of a frame, over the number of boxes</title>"
    printf "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", width, height
    text(left, 24, "start", "#111111", 16, \
        "A frame of equal boxes: to move all, tidy and find all pairs")
    draw_axes(n)
    for (k = lines; k >= 1; k--) draw_line(k, n)
    draw_labels()
    print "</svg>"
}
