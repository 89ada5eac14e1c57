# stack.awk - the deepest stack of each public function of spatial.h, from gcc's files of frames
# and calls.
#
#   awk -f tools/stack.awk spatial.h X.su X.ci       gcc 10 or later: -fstack-usage
#                                                    -fcallgraph-info=su
#   awk -f tools/stack.awk spatial.h X.su X.s        avr-gcc, however old: -fstack-usage -S
#                                                    -gdwarf-2 -g1
#
# Prints "stack FUNCTION - BYTES" for each public function, and instead "stack FUNCTION STRUCTURE
# BYTES" for each structure where the function is one of the index, which all structures share;
# "frame FUNCTION BYTES" for the largest frame of all. Exits 1 with a message where it cannot tell.
# The options are taken out of the names. Used by size.sh.
#
# Rules.
# - A frame has the size that gcc says, with the return address where a call pushes it (x86, AVR).
# - A call in a tail counts as a call, though it may give up the caller's frame: never too little.
# - Functions of libgcc and of the C library (division, memset) count 0: gcc does not tell.
# - The functions that a call through a pointer may reach follow from the line of spatial.h that
#     makes it: resize(...)   the library's own allocator, which is the arena's
#     sift(...)     in spt_overlap spti_shape_sift; no other question sets one
#     accept(...), on_near(...), run(...), shape(...)   a user's function counts 0, and with run all
#                   jobs
#     on_hit(...)   in spt_cast_visit a user's, which counts 0; in spt_slide spti_slide_hit, and in
#                   the movers of shapes spti_mover_meet
#     fn(...)       a user's function counts 0, so in visit and traverse it is 0; in all else it is
#                   the worst of the library's own visit functions, such as spt_any's
#     kind->f(...)  of the structure that is asked for, the function that stands in its table, a
#                   constant spti_kind, where struct spti_kind has f
#   A pointer called in another way, a frame without a bound, and recursion are errors.

function fail(message)
{
    print "stack.awk: " message > "/dev/stderr"
    failed = 1
    exit 1
}

function call(from, to)
{
    if (!((from, to) in called)) callees[from] = callees[from] " " to
    called[from, to] = 1
}

# A call by pointer in a line of the header: remembered as one to a function of that name.
function call_by_pointer(from, line)
{
    if (!(line in kind_of)) fail("a pointer is called in line " line " of spatial.h: which?")
    call(from, kind_of[line])
}

function worst(list, own, structure,    names, n, i, d, most)
{
    n = split(list, names, " ")
    most = 0
    for (i = 1; i <= n; i++) {
        if (names[i] ~ /^spti_/ && !(names[i] in frame)) continue # not in this variant
        d = depth(names[i], own, structure)
        if (d > most) most = d
    }
    return most
}

# Deepest stack from the beginning of a function on; own: fn is one of the library's.
function depth(name, own, structure,    d, bare)
{
    if ((name == "fn()" || name == "on_hit()") && !own) return 0
    if (name == "sift()" && sifting != 1) return 0
    if ((name, own, structure, sifting) in known)
        return known[name, own, structure, sifting]
    if (name in active) fail("recursion through " name)
    active[name] = 1
    bare = name
    sub(/\.[0-9]+$/, "", bare)
    if (name ~ /^kind->/) d = worst(entry[structure, substr(name, 7)], own, structure)
    else if (name == "on_hit()")
        d = worst(sifting == 2 ? "spti_mover_meet" : "spti_slide_hit", own, structure)
    else if (name in targets) d = worst(targets[name], own, structure)
    else if (name in frame || bare in frame)
        d = frame[name in frame ? name : bare] + worst(callees[name], own, structure)
    else if (name in left_out) d = 0
    else if (name ~ /^spt/) fail("no frame is known of " name)
    else d = 0
    delete active[name]
    known[name, own, structure, sifting] = d
    return d
}

# Members of struct spti_kind, in their order; and the entries of a table of that type.
function read_members(text,    list, n, i, name)
{
    n = split(text, list, ";")
    for (i = 1; i < n; i++) {
        name = list[i]
        if (match(name, /\(\*[a-z_]+\)/)) name = substr(name, RSTART + 2, RLENGTH - 3)
        else sub(/.*[ *]/, "", name)
        member[i] = name
    }
}

function read_table(structure, text,    list, n, i)
{
    n = split(text, list, ",")
    for (i = 1; i <= n; i++) {
        gsub(/[^a-z0-9_]/, "", list[i])
        if (list[i] ~ /^spti?_/) entry[structure, member[i]] = list[i]
    }
    structures[++structure_count] = structure
}

# The name without the options: see SPTI_NAME in the header.
function bare_name(name)
{
    sub(/_(float|int|double)_(tiny|large)_(fit|fixed)_(no_)?pairs_[0-9]+$/, "", name)
    return name
}

function print_depth(name, structure,    shown)
{
    shown = bare_name(name)
    sifting = shown ~ /_overlap$/ ? 1 : shown ~ /_shape_(cast|slide|any)$/ ? 2 : 0
    print "stack", shown, (structure == "" ? "-" : structure), \
        depth(name, shown !~ /_(visit|traverse)$/, structure)
}

BEGIN {
    targets["resize()"] = targets["fn()"] = targets["accept()"] = ""
    targets["on_near()"] = targets["on_hit()"] = targets["run()"] = targets["shape()"] = ""
    targets["sift()"] = "spti_shape_sift"
}

# The header: which functions are of the index, and which the tables of structures hold.
FILENAME ~ /\.h$/ && /^#endif \/\* SPATIAL_H \*\// { declared = 1 }
FILENAME ~ /\.h$/ && !declared {
    if (match($0, />>[a-z]+/)) section = substr($0, RSTART + 2, RLENGTH - 2)
    if (section == "index" && /^SPTI_API/ && match($0, /spt_[a-z_]+\(/))
        shared[substr($0, RSTART, RLENGTH - 1)] = 1
}
FILENAME ~ /\.h$/ && /^#define spti_[a-z_]+ NULL$/ { left_out[$2] = 1 } # in some variants
FILENAME ~ /\.h$/ && (/^struct spti_kind \{/ || /^(static )?const (struct )?spti_kind .*= *\{/) {
    reading = $0
    sub(/ *=.*/, "", reading)
    sub(/.* /, "", reading)
    text = ""
    if (/^struct/) reading = "struct"
    sub(/^[^{]*\{/, "")
}
FILENAME ~ /\.h$/ && reading != "" {
    line = $0
    gsub(/\/\*[^*]*\*\//, "", line)
    if (line !~ /^ *#/) text = text " " line
    if (line ~ /\};/) {
        sub(/\};.*/, "", text)
        if (reading == "struct") read_members(text)
        else if (match(reading, /linear|quadtree|loosegrid|packed/))
            read_table(substr(reading, RSTART, RLENGTH), text)
        reading = ""
    }
}

# Who may be called by pointer, and where pointers are called.
FILENAME ~ /\.h$/ {
    name = $0
    sub(/\(.*/, "", name)
    sub(/.*[ *]/, "", name)
    if ($0 ~ /^static void \*spti_[a-z_]+\(void \*ctx, void \*old, size_t/)
        targets["resize()"] = targets["resize()"] " " name
    else if ($0 ~ /^static int spti_[a-z_]+\(void \*ctx, spt_i32 id, const spt_box \*box\)/)
        targets["fn()"] = targets["fn()"] " " name
    else if ($0 ~ /[ >]resize\(/) kind_of[FNR] = "resize()"
    else if ($0 ~ /[ >]fn\(/) kind_of[FNR] = "fn()"
    else if (match($0, /[>. ](accept|on_hit|on_near|sift|run|shape)\(/))
        kind_of[FNR] = substr($0, RSTART + 1, RLENGTH - 1) ")"
    else if (match($0, /kind->[a-z_]+\(/)) kind_of[FNR] = substr($0, RSTART, RLENGTH - 1)
    next
}

# Frames: "file:line:column:function <tab> bytes <tab> static|dynamic[,bounded]"; of a copy that gcc
# made, the name here may lack its number.
FILENAME ~ /\.su$/ {
    name = $1
    sub(/.*:/, "", name)
    if ($3 == "dynamic") fail("the frame of " name " has no bound")
    if (!(name in frame) || $2 > frame[name]) frame[name] = $2
    if ($2 > largest) { largest = $2; largest_name = name }
    next
}

# The call graph, in two kinds of lines; the names are assembler names, with the file before the
# name of a static function:
#   node: { title: "a.c:f" label: "f\na.c:1:2\n8 bytes (static)" }
#   edge: { sourcename: "a.c:f" targetname: "g" label: "a.c:3:4" }
FILENAME ~ /\.ci$/ && /^(node|edge):/ {
    split($0, quoted, "\"")
    from = quoted[2]
    sub(/.*:/, "", from)
    if ($1 == "node:") {
        if (match(quoted[4], /[0-9]+ bytes/))
            frame[from] = substr(quoted[4], RSTART, RLENGTH) + 0
        next
    }
    to = quoted[4]
    sub(/.*:/, "", to)
    if (to != "__indirect_call") {
        call(from, to)
        next
    }
    split(quoted[6], place, ":")
    call_by_pointer(from, place[2])
    next
}

# Assembler text of avr-gcc: calls, and the lines that they come from. (There is no switch in
# spatial.h, so that a jump to an address in registers is a call in a tail.)
FILENAME ~ /\.s$/ && $1 == ".type" && $3 == "@function" {
    name = $2
    sub(/,$/, "", name)
    begins[name ":"] = name
}
FILENAME ~ /\.s$/ && $1 in begins { from = begins[$1] }
FILENAME ~ /\.s$/ && $1 == ".loc" { line = $3 }
FILENAME ~ /\.s$/ && $1 ~ /^(r?call|r?jmp)$/ && $2 ~ /^[A-Za-z_]/ { call(from, $2) }
FILENAME ~ /\.s$/ && $1 ~ /^e?i(call|jmp)$/ { call_by_pointer(from, line) }

END {
    if (failed) exit 1
    if (largest == 0) fail("no frames are known")
    if (structure_count == 0) fail("no tables of structures are known")
    for (name in frame) {
        bare = bare_name(name)
        if (bare !~ /^spt_[a-z_]+$/) continue
        if (!(bare in shared)) print_depth(name, "")
        else
            for (k = 1; k <= structure_count; k++) print_depth(name, structures[k])
    }
    print "frame", largest_name, largest
}
