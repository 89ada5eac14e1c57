# Draws an SVG of the points among the lines of results: nanoseconds a box over the number of equal
# boxes that all move, both axes logarithmic, each line with its name at its end. Of other libraries
# the best structure for each number counts.

BEGIN {
    FS = "\t"
    left = 70; right = 740; top = 60; bottom = 540
    # Of our own, told apart by colour-blind readers too: after P. Tol, "bright".
    split("broadphase,linear,quadtree,loosegrid", own, ",")
    split("#4477aa,#228833,#cc3355,#aa3377", colour, ",")
    split("#7fb2e5,#5fc46f,#f0708c,#dd77b0", on_dark, ",")
    for (k = 1; k <= 4; k++) ours[own[k]] = colour[k]
    split("none;7 4;2 3;10 3 2 3;4 2;1 2;12 4;3 6", dash, ";")
}

$1 == "point" && $2 != "packed" {
    if (!($2 in known)) name[++lines] = $2
    known[$2] = 1
    at[$2, $3] = $4
    if (!($3 in size)) sizes[++n] = $3
    size[$3] = 1
    if (least == "" || $3 < least) least = $3
    if ($3 > most) most = $3
    if (low == "" || $4 < low) low = $4
    if ($4 > high) high = $4
}

function x_of(boxes) { return left + (right - left) * log(boxes / least) / log(most / least) }
function y_of(ns) { return bottom - (bottom - top) * log(ns / low) / log(high / low) }

function text(x, y, anchor, ink, size_of, words) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\" ", x, y, anchor, ink
    printf "font-size=\"%d\">%s</text>\n", size_of, words
}

function segment(x1, y1, x2, y2, ink) {
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", \
        x1, y1, x2, y2, ink
}

function grouped(number,    words) {
    words = number ""
    while (match(words, /[0-9][0-9][0-9][0-9]+/))
        words = substr(words, 1, RSTART + RLENGTH - 4) "," substr(words, RSTART + RLENGTH - 3)
    return words
}

function draw_axes(    i, step, ns, steps) {
    for (i = 1; i <= n; i++) {
        segment(x_of(sizes[i]), top, x_of(sizes[i]), bottom, "#dddddd")
        text(x_of(sizes[i]), bottom + 20, "middle", "#333333", 13, grouped(sizes[i]))
    }
    split("1,2,5", steps, ",")
    for (step = 1; step <= high; step *= 10)
        for (i = 1; i <= 3; i++) {
            ns = step * steps[i]
            if (ns < low || ns > high) continue
            segment(left, y_of(ns), right, y_of(ns), "#dddddd")
            text(left - 8, y_of(ns) + 4, "end", "#333333", 13, grouped(ns))
        }
    text((left + right) / 2, bottom + 44, "middle", "#333333", 14, "boxes")
    text(left - 8, top - 12, "end", "#333333", 14, "ns a box")
}

# A line, and where it ends: the name of one that ends early stands beside its end, the others in a
# row at the right.
function draw_line(k,    i, ns, points, boxes, ink) {
    points = ""
    end_x[k] = 0
    for (i = 1; i <= n; i++) {
        ns = at[name[k], boxes = sizes[i]]
        if (!(ns > 0)) continue
        points = points sprintf("%.1f,%.1f ", x_of(boxes), y_of(ns))
        end_x[k] = x_of(boxes)
        end_y[k] = y_of(ns)
    }
    ink = name[k] in ours ? ours[name[k]] : "#555555"
    paint[k] = ink
    printf "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" ", points, ink
    printf "stroke-width=\"%s\"", name[k] in ours ? 3 : 1.5
    if (!(name[k] in ours) && dash[++dashes] != "none")
        printf " stroke-dasharray=\"%s\"", dash[dashes]
    print "/>"
    if (end_x[k] < right - 1)
        text(end_x[k], end_y[k] - 8, "end", ink, 13, name[k]) # lines rise: no other is there
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
    y = top - 17
    for (i = 1; i <= labels; i++) y = place[i] = end_y[order[i]] > y + 17 ? end_y[order[i]] : y + 17
    y = bottom + 27
    for (i = labels; i >= 1; i--) {
        if (place[i] > y - 17) place[i] = y - 17
        y = place[i]
        k = order[i]
        segment(end_x[k] + 3, end_y[k], right + 24, y, paint[k])
        text(right + 28, y + 4, "start", paint[k], 13, name[k])
    }
}

# On a dark page lines of the one colour get the other.
function darken(ink, instead) {
    printf "[fill=\"%s\"]{fill:%s}[stroke=\"%s\"]{stroke:%s}\n", ink, instead, ink, instead
}

END {
    if (n < 2) exit
    low *= 0.8
    high *= 1.25
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 600\" "
    print "font-family=\"sans-serif\">"
    print "<style>@media(prefers-color-scheme:dark){rect{fill:#0d1117}"
    darken("#111111", "#e2e8f0")
    darken("#333333", "#e2e8f0")
    darken("#dddddd", "#334155")
    darken("#555555", "#94a3b8")
    for (k = 1; k <= 4; k++) darken(colour[k], on_dark[k])
    print "}</style>"
    print "<title>Nanoseconds a box for all pairs of a frame, over the number of boxes</title>"
    print "<rect width=\"900\" height=\"600\" fill=\"#ffffff\"/>"
    text(left, 24, "start", "#111111", 16, \
        "A frame of equal boxes: to move all, tidy and find all pairs")
    draw_axes()
    for (k = lines; k >= 1; k--) draw_line(k)
    draw_labels()
    print "</svg>"
}
