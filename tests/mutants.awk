# mutants.awk - makes mutants of spatial.h: each changes one token of the implementation, negates
# one condition or leaves out one statement. All are in one header, which does the same as spatial.h
# unless the environment names one: MUTANT=7. mutants.sh calls it:
#
#   cc -E -fdirectives-only ... spatial.h >active
#   awk -v sample=1 -v samples=64 -v list=list -f mutants.awk part=active active \
#       part=without without part=header spatial.h >mutants.h
#
# active: only its lines of spatial.h get mutants. only: the name of one that is made whatever its
# sample is. without: the numbers of those that are left out, which did not compile. list gets, for
# each mutant, its number, its line of mutants.h, and its name, which stays when other parts of the
# header change: function: text {old => new} text. The second of the same text in a function is
# function/2.

function fail(text) {
    print "mutants.awk: line " L[i] ": " text >"/dev/stderr"
    failed = 1
    exit 1
}

# ------------------------------------------------------------------------------------------------
# Tokens: T the text, L the line, S whether space is before it. "#" are lines of the preprocessor.

function token(text, space) {
    T[++n] = text
    L[n] = line
    S[n] = space
}

# Takes the tokens off a line, without comments.
function scan(text,    space, length_) {
    while (text != "") {
        if (inside) { # a comment
            if (!(length_ = index(text, "*/"))) return
            text = substr(text, length_ + 2)
            inside = 0
            space = 1
        } else if (match(text, /^[ \t]+/)) {
            text = substr(text, RLENGTH + 1)
            space = 1
        } else if (substr(text, 1, 2) == "/*") {
            text = substr(text, 3)
            inside = 1
        } else {
            if (!match(text, /^[A-Za-z_][A-Za-z_0-9]*/) &&
                !match(text, /^\.?[0-9]([eE][-+]|[A-Za-z_0-9.])*/) &&
                !match(text, /^"([^"\\]|\\.)*"/) && !match(text, /^'([^'\\]|\\.)*'/) &&
                !match(text, /^(<<=|>>=|\.\.\.)/) && !match(text, /^(->|\+\+|--|&&|\|\||<<|>>)/) &&
                !match(text, /^[-+*\/%&|^<>=!]=/)) RLENGTH = 1
            token(substr(text, 1, RLENGTH), space)
            text = substr(text, RLENGTH + 1)
            space = 0
        }
    }
}

# The token that closes the bracket at k.
function closing(k,    depth) {
    for (; k <= n; k++) {
        if (T[k] ~ /^[({[]$/) depth++
        if (T[k] ~ /^[])}]$/ && --depth == 0) return k
    }
    fail("a bracket is not closed")
}

# The first of these tokens from k on, outside of brackets; `end` if there is none before.
function next_of(pattern, k, end) {
    for (; k < end; k++) {
        if (T[k] ~ pattern) return k
        if (T[k] ~ /^[({[]$/) k = closing(k)
    }
    return end
}

function is_name(k) { return T[k] ~ /^[A-Za-z_]/ }
function is_type(k) {
    if (T[k] ~ /^(const|unsigned|int|char|short|long|float|double|void|size_t)$/) return 1
    return T[k] ~ /^spt_(box|i32|u32|coord)$|^spti_[a-z0-9_]+$/ && T[k + 1] ~ /^[)*]$/
}

# ------------------------------------------------------------------------------------------------
# Regions: R_from to R_to is a condition, a statement, a value, or a step of a loop

function region(kind, from, to,    k) {
    if (from > to || !(L[from] in active)) return
    for (k = from; k <= to; k++) if (T[k] ~ /^#/) return
    R_kind[++regions] = kind
    R_from[regions] = from
    R_to[regions] = to
    for (k = from; k <= to; k++) mutate(k)
    if (kind == "condition") mutant(0, "!")
    if (kind == "statement" && T[from] != "return") mutant(0, "")
}

# The initial values of a declaration.
function values(k, end,    comma) {
    for (; k < end; k = comma + 1) {
        comma = next_of("^,$", k, end)
        k = next_of("^=$", k, comma)
        if (T[k + 1] != "{") region("value", k + 1, comma - 1)
    }
}

function is_declaration(k) {
    return is_name(k) && T[k] != "return" && (is_name(k + 1) || T[k + 1] == "*")
}

function statements(i, end,    k, j) {
    while (i < end) {
        if (T[i] ~ /^#/ || T[i] ~ /^([{};]|else|do)$/) {
            i++
        } else if (T[i] == "if" || T[i] == "while") {
            k = closing(i + 1)
            region("condition", i + 2, k - 1)
            i = k + 1
        } else if (T[i] == "for") {
            k = closing(i + 1)
            j = next_of("^;$", i + 2, k)
            region("step", i + 2, j - 1)
            i = next_of("^;$", j + 1, k)
            region("condition", j + 1, i - 1)
            region("step", i + 1, k - 1)
            i = k + 1
        } else {
            k = next_of("^;$", i, end)
            if (T[i] ~ /^(static|SPATIAL_ASSERT|SPTI_COUNT)$/) j = 0
            else if (T[i] ~ /prefetch|PREFETCH/) j = 0
            else if (T[i] == "(" && T[i + 1] == "void") j = 0
            else if (is_declaration(i)) values(i, k)
            else region("statement", i, k - 1)
            i = k + 1
        }
    }
}

# A brace outside of functions follows the parameters of one, or begins a type or a table.
function functions(    k, p) {
    for (i = 1; i <= n; i++) {
        if (T[i] != "{") continue
        for (p = i - 1; T[p] ~ /^#/ || T[p] == "SPT_CALLBACK"; p--) continue
        if (T[p] ~ /^"/) continue # extern "C"
        k = closing(i)
        if (T[p] == ")") {
            while (T[p] != "(" || !is_name(p - 1)) p--
            called = T[p - 1]
            if (called !~ /prefetch/) statements(i + 1, k) # a prefetch has no result
        }
        i = k
    }
}

# ------------------------------------------------------------------------------------------------
# Mutants: M_region, M_token (0: all of the region), M_new

function mutant(k, new) {
    M_region[++mutants] = regions
    M_token[mutants] = k
    M_new[mutants] = new
    M_function[mutants] = called
}

function is_binary(k) {
    if (T[k - 1] == ")") return !(is_type(k - 2) || T[k - 2] == "*")
    return (is_name(k - 1) && T[k - 1] != "return" && !is_type(k - 1)) || T[k - 1] ~ /^([0-9.]|\]$)/
}

# A 1 that is a whole value mostly stands for yes, and so does a 2.
function is_truth(k) {
    return T[k - 1] ~ /^(=|return|\?|:)$/ && T[k + 1] ~ /^[;,):]$/
}

function mutate(k,    t, other) {
    t = T[k]
    if (t ~ /^[0-9.]+[A-Za-z0-9.]*/ && t != ".") {
        if (t == "0") mutant(k, "1")
        else if (t == "1" && is_truth(k)) mutant(k, "0")
        else if (t ~ /^[1-9][0-9]*$/) { mutant(k, t - 1); mutant(k, t + 1) }
        else { mutant(k, "(" t " + 1)"); mutant(k, "(" t " - 1)") }
    } else if (is_name(k)) {
        other = swapped(t)
        if (other != t && (t != "x" || T[k + 1] != "->")) mutant(k, other)
    } else if (t ~ /^([-+*&])$/ && !is_binary(k)) {
        if (t == "-") mutant(k, "")
    } else if (t in instead) {
        mutant(k, instead[t])
        if (t in or_else) mutant(k, or_else[t])
    }
}

# The other axis, or the other end of a box; if it does not exist, the mutant does not compile.
function swapped(name) {
    if (name ~ /^(d|n|p|v)?x[01]?$|_x$/) sub(/x/, "y", name)
    else if (name ~ /^(d|n|p|v)?y[01]?$|_y$/) sub(/y/, "x", name)
    else if (name ~ /^spti_v_min$/) name = "spti_v_max"
    else if (name ~ /^spti_v_max$/) name = "spti_v_min"
    else if (name == "SPTI_MIN") name = "SPTI_MAX"
    else if (name == "SPTI_MAX") name = "SPTI_MIN"
    return name
}

# Tokens from a to b as text, with token k replaced by new.
function text_of(a, b, k, new,    text, j) {
    for (j = a; j <= b; j++) text = text (j > a && S[j] ? " " : "") (j == k ? new : T[j])
    return text
}

# With spaces between all tokens, so that none becomes another.
function code_of(m,    text, j, r) {
    r = M_region[m]
    for (j = R_from[r]; j <= R_to[r]; j++) text = text " " (j == M_token[m] ? M_new[m] : T[j])
    if (M_token[m]) return text
    return M_new[m] == "!" ? " !(" text ")" : ""
}

function name_of(m,    r, k, before, after) {
    r = M_region[m]
    k = M_token[m]
    if (!k && M_new[m] == "!") return M_function[m] ": {!}(" text_of(R_from[r], R_to[r], 0, "") ")"
    if (!k) return M_function[m] ": {" text_of(R_from[r], R_to[r], 0, "") " => }"
    before = text_of(R_from[r], k - 1, 0, "") (S[k] ? " " : "")
    after = (S[k + 1] ? " " : "") text_of(k + 1, R_to[r], 0, "")
    if (k == R_from[r]) before = ""
    if (k == R_to[r]) after = ""
    if (length(before) > 40) before = ".." substr(before, length(before) - 37)
    if (length(after) > 40) after = substr(after, 1, 38) ".."
    return M_function[m] ": " before "{" T[k] " => " M_new[m] "}" after
}

# Each name has one of the samples: a mutant stays in its own whatever else changes.
function sample_of(name,    hash, k) {
    for (k = 1; k <= length(name); k++)
        hash = (hash * 31 + index(letters, substr(name, k, 1))) % 2147483647
    return int(hash * 16807 % 2147483647 / 64) % samples
}

function draw(    m, r, name) {
    for (m = 1; m <= mutants; m++) {
        name = name_of(m)
        if (++named[name] > 1) sub(/:/, "/" named[name] ":", name)
        if ((name != only && !(sample_of(name) in wanted)) || ++count in without) continue
        number[m] = count
        M_name[m] = name
        r = M_region[m]
        R_mutants[R_from[r]] = R_mutants[R_from[r]] " " m
        R_of[R_from[r]] = r
    }
}

# ------------------------------------------------------------------------------------------------
# The header

function emit(text) {
    printf "%s", text
    written += gsub(/\n/, "\n", text)
}

# Which mutant is at work. With MUTANTS_REACHED, a file gets a line for each mutant that a test
# reached: its number, the milliseconds of the test and its name; a dot stands for no test.
function emit_choice() {
    emit("#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n" \
        "static int spti_mutant;\nstatic char spti_reached[10000];\n" \
        "static void spti_mutants_reached(const char *test)\n{\n" \
        "    static clock_t since;\n    const clock_t now = clock();\n" \
        "    FILE *file = getenv(\"MUTANTS_REACHED\") ? fopen(getenv(\"MUTANTS_REACHED\"), " \
        "\"a\") : NULL;\n    int k;\n    for (k = 1; file && k < 10000; k++)\n" \
        "        if (spti_reached[k]) fprintf(file, \"%d %ld %s\\n\", k, " \
        "(long)((now - since) / (CLOCKS_PER_SEC / 1000)), test), spti_reached[k] = 0;\n" \
        "    since = now;\n    if (file) fclose(file);\n}\n" \
        "static void spti_mutants_end(void) { spti_mutants_reached(\".\"); }\n" \
        "__attribute__((constructor)) static void spti_mutants_begin(void)\n{\n" \
        "    if (getenv(\"MUTANT\")) spti_mutant = atoi(getenv(\"MUTANT\"));\n" \
        "    atexit(spti_mutants_end);\n}\n" \
        "#define SPTI_MUTANT(k) (spti_reached[k] = 1, spti_mutant == (k))\n" \
        "#define TEST_AFTER(test) spti_mutants_reached(test)\n")
}

# A mutant is alone on its line, so that an error tells which does not compile.
function emit_mutant(m) {
    emit("\n")
    printf "%d\t%d\t%s\n", number[m], written + 1, M_name[m] >list
    emit(code_of(m) "\n")
}

function emit_statement(r, all, k,    m) {
    emit("{ ")
    for (m = 1; m <= k; m++) {
        emit("if (SPTI_MUTANT(" number[all[m]] ")) {")
        emit_mutant(all[m])
        emit("; } else ")
    }
    emit("{ " text_of(R_from[r], R_to[r], 0, "") "; } }")
}

function emit_value(r, all, k,    m, cast) {
    cast = R_kind[r] == "condition" ? "!!" : R_kind[r] == "step" ? "(void)" : ""
    emit("(")
    for (m = 1; m <= k; m++) {
        emit("SPTI_MUTANT(" number[all[m]] ") ? " cast "(")
        emit_mutant(all[m])
        emit(") : ")
    }
    emit(cast "(" text_of(R_from[r], R_to[r], 0, "") "))")
}

function emit_all(    k, r, at, all) {
    for (k = 1; k <= n; k++) {
        if (L[k] != at) emit("\n")
        else if (S[k]) emit(" ")
        at = L[k]
        if (T[k] ~ /^#/) {
            emit(T[k])
            at = 0
        } else if (!(k in R_mutants)) {
            emit(T[k])
        } else {
            r = R_of[k]
            if (R_kind[r] == "statement") {
                emit_statement(r, all, split(R_mutants[k], all, " "))
                k = R_to[r] + 1 # the semicolon
            } else {
                emit_value(r, all, split(R_mutants[k], all, " "))
                k = R_to[r]
            }
        }
    }
    emit("\n")
}

# ------------------------------------------------------------------------------------------------

BEGIN {
    k = split(sample, pair, ",")
    for (; k > 0; k--) wanted[pair[k] % samples]
    for (k = 32; k < 127; k++) letters = letters sprintf("%c", k)
    split("< <= <= < > >= >= > == != != == && || || && + - - + * / / * % * << >> >> << & | | & " \
        "^ | ++ -- -- ++ += -= -= += *= /= /= *= <<= >>= >>= <<= |= &= &= |= ^= |=", pair, " ")
    for (k = 1; k in pair; k += 2) instead[pair[k]] = pair[k + 1]
    instead["!"] = instead["~"] = ""
    or_else["<"] = ">="
    or_else["<="] = ">"
    or_else[">"] = "<="
    or_else[">="] = "<"
}

part == "active" && /^# [0-9]+ "/ { ours = $3 ~ /spatial\.h"$/; at = $2; next }
part == "active" { if (ours && $0 ~ /[^ \t]/) active[at]; at++; next }
part == "without" { without[$1]; next }
{ line = FNR }
!begun {
    emit($0 "\n")
    if (/^#define SPATIAL_IMPLEMENTATION_DONE/) { begun = 1; emit_choice() }
    next
}
continued || (!inside && /^[ \t]*#/) {
    if (continued) T[n] = T[n] "\n" $0
    else token($0, 0)
    continued = /\\$/
    inside = /\/\*/ && !/\*\//
    next
}
{ scan($0) }

END {
    if (failed) exit 1
    functions()
    draw()
    emit_all()
    print mutants " mutants, " count " of them in sample " sample >"/dev/stderr"
}
