# Prints lines of results, see measure.h, as Markdown: everything, or with view=readme two tables.
# Sections, tables, rows and columns come in the order in which they are first named.

function remember(list, name) {
    if ((list, name) in known) return
    known[list, name] = 1
    member[list, ++count[list]] = name
}

BEGIN { FS = "\t"; last = "best other / ours" }
$1 == "machine" { machine = sprintf("%s; `%s`; %s; %s; seed %s", $2, $3, $4, $5, $6) }
$1 == "library" { remember("libraries", $2) }
$1 == "skip" || $1 == "differs" { remember($1, $2) }
$1 == "text" { remember("texts of " $2, $3) }
$1 == "cell" {
    remember("sections", $2)
    remember("tables of " $2, $3)
    remember("rows of " $2 FS $3, $4)
    if ($5 != last) remember("columns of " $2 FS $3, $5)
    cell[$2, $3, $4, $5] = $6
    if ($5 == last) has_last[$2 FS $3] = 1
}

# Sets cells r, i of `grid`, in which row 0 and column 0 have the names, and wide[i]. rows, columns:
# regular expressions of the names to print.
function fill(section, table, rows, columns,    key, r, i, name, row, n) {
    key = section FS table
    n = height = width = 0
    split("", wide)
    for (i = 1; i <= count["columns of " key]; i++) {
        name = member["columns of " key, i]
        if (name ~ columns) grid_column[++width] = name
    }
    if (has_last[key] && last ~ columns) grid_column[++width] = last
    for (r = 0; r <= count["rows of " key]; r++) {
        row = member["rows of " key, r]
        if (r > 0 && row !~ rows) continue
        for (i = 0; i <= width; i++) {
            name = i == 0 ? row : grid_column[i]
            if (r > 0 && i > 0)
                name = (section, table, row, name) in cell ? cell[section, table, row, name] : "-"
            if (view == "readme" && i == 0) sub(/^[^:]*: /, "", name)
            if (view == "readme" && r == 0) sub(/^broadphase$/, "spatial.h", name)
            grid[n, i] = name
            if (length(name) > wide[i] || wide[i] < 3) wide[i] = length(name) > 3 ? length(name) : 3
        }
        height = n++
    }
}

function print_table(section, table, rows, columns,    r, i, line) {
    fill(section, table, rows, columns)
    for (r = 0; r <= height; r++) {
        for (i = 0; i <= width; i++) printf "| %" (i ? "" : "-") wide[i] "s ", grid[r, i]
        print "|"
        if (r > 0) continue
        for (i = 0; i <= width; i++) {
            line = sprintf("%" wide[i] "s", "")
            gsub(/ /, "-", line)
            printf "|-%s%s", line, i ? ":" : "-"
        }
        print "|"
    }
    print ""
}

function list_of(list, between,    i, text) {
    for (i = 1; i <= count[list]; i++) text = text (i > 1 ? between : "") member[list, i]
    return text
}

function all(    s, t, section, table) {
    print "# Measurements\n"
    print "Written by `sh bench/run.sh`. bench/workloads.h has the workloads, bench/jobs.h tells"
    print "which things are measured, and the files of bench/peers how other libraries are used."
    print "Medians, processor time of one thread; " machine "."
    if (count["libraries"]) print "Beside: " list_of("libraries", ", ") "."
    print "\nIn the tables slow means: it takes, or would take, too long here; cannot: it has no"
    print "memory, keeps no such boxes, or has no such question; DIFFERS: its answers differ"
    print "from the answers of spatial.h. In brackets stands the best structure of the others.\n"
    if (count["skip"]) print "SKIP " list_of("skip", "; ") ".\n"
    for (s = 1; s <= count["sections"]; s++) {
        section = member["sections", s]
        print "## " section "\n"
        if (count["texts of " section]) print list_of("texts of " section, "\n") "\n"
        for (t = 1; t <= count["tables of " section]; t++) {
            table = member["tables of " section, t]
            if (table != "") print table ":\n"
            print_table(section, table, "", "")
        }
    }
    if (!count["differs"]) return
    print "Answers that differ, because the tests of that library round:\n"
    print "- " list_of("differs", "\n- ") "\n"
}

function readme(    section, table) {
    print "All overlapping pairs of 100,000 boxes, all of which have moved, in milliseconds; of"
    print "each other library the structure that is best for the row; bench/results.md has more.\n"
    print_table("All boxes move", "100,000 boxes", \
        "^(equal|mixed|clusters|long|row|cross|giants|0fps skewed):", \
        "^(broadphase|Boost|CGAL|Chipmunk|GEOS)$")
    section = "Questions"
    table = member["tables of Questions", 1]
    print "Questions to 100,000 squares of one size that stand still, in microseconds for one:\n"
    print_table(section, table, \
        "^(nearest 1|nearest 10|circle|ray, .* hits?|box .*|moving .*|window)$", \
        "^(linear|quadtree|loosegrid|packed|best other / ours)$")
    print "Medians, processor time of one thread; " machine "."
    print "Beside: " list_of("libraries", ", ") "."
}

END { if (view == "readme") readme(); else all() }
