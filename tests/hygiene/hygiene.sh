# hygiene.sh - checks of spatial.h as a guest in other people's programs, and of the texts as
# something to read. Each is a function check_NAME that sets `failed` and says why; the rows
# hygiene_NAME run them. CC and CXX name the compilers. Linked programs in C honour CFLAGS; where
# object files or macros are looked at, CFLAGS are left out, for a sanitizer would show there.
# shellcheck shell=sh disable=SC2046,SC2086,SC2154,SC2317 # lists are split on purpose
LC_ALL=C
export LC_ALL
OUT=$(cd "$OUT" && pwd)/$name.files
mkdir -p "$OUT" && cd tests/hygiene || exit 1
top=../..
header=$top/spatial.h

# Each at a level of optimisation, on which the functions that a compiler calls depend.
leveled="-O2,-DSPATIAL_FLOAT -O1,-DSPATIAL_DOUBLE -Os,-DSPATIAL_INT -O0,-DSPATIAL_NO_SIMD"

failed=0
complain() {
    failed=1
    printf '%s\n' "$*"
}

complain_of() { # what is wrong, the lines that show it: nothing is wrong if there are none
    [ -z "$2" ] || complain "$1:
$2"
}

skip() {
    [ $failed = 0 ] || exit 1
    printf '%s\n' "$*"
    exit 77
}

knows() { # flags: does the compiler take them without a word?
    printf 'int x;\n' >"$OUT/knows.c"
    said=$($CC "$@" -c "$OUT/knows.c" -o "$OUT/knows.o" 2>&1) && [ -z "$said" ]
}

# ------------------------------------------------------------------------------------------------
# Linked together

# Builds and runs main.c with one implementation, two users of it and two static twins of it.
link_users() { # compiler of impl.c, compiler of the users, compiler that links, flags
    of_impl=$1 of_users=$2 linker=$3
    shift 3
    $of_impl "$@" -c impl.c -o "$OUT/impl.o" || return 1
    $of_impl "$@" -c main.c -o "$OUT/main.o" || return 1
    for user in user_a user_b; do
        $of_users "$@" -DUSER=$user -c user.c -o "$OUT/$user.o" || return 1
    done
    for user in twin_a twin_b; do
        $of_users "$@" -DUSER=$user -DTWIN -c user.c -o "$OUT/$user.o" || return 1
    done
    $linker "$@" -o "$OUT/linked" "$OUT/main.o" "$OUT/impl.o" "$OUT/user_a.o" "$OUT/user_b.o" \
        "$OUT/twin_a.o" "$OUT/twin_b.o" || return 1
    "$OUT/linked"
}

linked() { # what, and what link_users takes
    what=$1
    shift
    said=$(link_users "$@" 2>&1) || complain "$what: not one library for all
$(printf '%s\n' "$said" | head -n 4)"
}

check_linked() {
    for variant in $variants; do
        linked "with $variant" "$CC" "$CC" "$CC" $CFLAGS $variant
    done
}

check_linked_cxx() {
    printf 'int main() { return 0; }\n' >"$OUT/cxx.cpp"
    $CXX "$OUT/cxx.cpp" -o "$OUT/cxx" 2>/dev/null || skip "This row needs a C++ compiler ($CXX)."
    c="$CC -std=c89 -pedantic-errors"
    for standard in c++98 c++17; do
        cxx="$CXX -x c++ -std=$standard -pedantic-errors"
        linked "all of it in $standard" "$cxx" "$cxx" "$CXX"
        linked "implementation in C, users in $standard" "$c" "$cxx" "$CXX"
        linked "implementation in $standard, users in C" "$cxx" "$c" "$CXX"
    done
}

# ------------------------------------------------------------------------------------------------
# The options in the names

renamed() { # functions whose name tells the options that change structs or results
    sed -n 's/^#define \(spt_[a-z0-9_]*\) SPTI_NAME(\1)$/\1/p' $header | sort
}

# Links main.c, an implementation and another file, each with an option, or - for none: they must
# fit together if the options are the same, and only then.
fit_together() { # option of impl.c, other file, its option
    if $CC $CFLAGS "$OUT/main.c" "$OUT/impl$1.o" "$OUT/$2$3.o" -o "$OUT/mixed" \
        >"$OUT/said" 2>&1; then
        [ "$1" = "$3" ] || complain "$2.c with $3 links with an implementation with $1"
    else
        [ "$1" != "$3" ] || complain "$2.c with $3 does not link:
$(cat "$OUT/said")"
    fi
}

# Files that were compiled with different options would take the boxes of the other for their own,
# or a field of a struct for another. With gcc and clang a file need not call anything to be told;
# with others the names of the functions that begin a structure tell.
check_names() {
    renamed >"$OUT/renamed"
    complain_of "has the options in its name, or begins a structure, and not both" "$({
        echo spt_box_valid
        sed -n 's/^SPTI_API .*[* ]\(spt_[a-z]*_init[a-z_]*\|spt_packed_view\)(.*/\1/p' $header |
            grep -vx spt_arena_init
    } | sort -u | comm -3 - "$OUT/renamed")"
    printf 'int user_a(void);\nint main(void) { return user_a() != 23; }\n' >"$OUT/main.c"
    printf '#include "../../spatial.h"\nint user_a(void);\nint user_a(void) { return 23; }\n' \
        >"$OUT/includes.c"
    options="- -DSPATIAL_DOUBLE -DSPATIAL_INT -DSPATIAL_SMALL -DSPATIAL_NO_FIT \
-DSPATIAL_NO_BROADPHASE -DSPATIAL_INTLIST_INLINE=4 -DSPATIAL_INTLIST_INLINE=5 \
-DSPATIAL_NO_LINEAR,-DSPATIAL_NO_LOOSEGRID,-DSPATIAL_NO_QUADTREE"
    for option in $options; do
        flag=${option#-}
        flag=$(echo "${flag:+$option}" | tr , ' ')
        $CC $CFLAGS $flag -c impl.c -o "$OUT/impl$option.o" &&
            $CC $CFLAGS $flag -DUSER=user_a -c user.c -o "$OUT/user$option.o" &&
            $CC $CFLAGS $flag -I. -c "$OUT/includes.c" -o "$OUT/includes$option.o" ||
            complain "no compile"
    done
    file=user
    if printf '__GNUC__\n' | $CC -E - | grep -qx '[0-9][0-9]*'; then file=includes; fi
    for option in $options; do
        fit_together "$option" user "$option"
        for other in $options; do
            case $option$other in
            *FIT*QUADTREE | *QUADTREE*FIT) continue ;; # neither has a world that fits itself
            esac
            fit_together "$option" $file "$other"
        done
    done
    $CC $CFLAGS -DSPATIAL_INT -DTWIN -DUSER=user_a -c user.c -o "$OUT/twin-.o" ||
        complain "no compile"
    fit_together - twin - # a private copy is of no matter to others
}

# ------------------------------------------------------------------------------------------------
# What the object file shows

need_nm() {
    command -v nm >/dev/null || skip "This row needs nm (package binutils)."
    underscore= # what the system puts before the names of C
    [ "$(uname)" != Darwin ] || underscore=_
    plain= # without what would show beside the library's own symbols
    for flag in -fno-pic -fno-stack-protector; do
        if knows $flag; then plain="$plain $flag"; fi
    done
}

symbols() { # types, object file: names of the symbols of these types
    nm -P "$2" | awk -v types="$1" 'index(types, $2) { print $1 }' | sed "s/^$underscore//"
}

but() { # names allowed, as a pattern for grep: prints the others
    grep -vxE "$1"
    true
}

visible=TDBCVWRAGSu # letters of nm
mutable=DBCdbGSgs
mem='memcpy|memmove|memset'

check_symbols() {
    need_nm
    for options in $leveled; do
        options=$(echo "$options" | tr , ' ')
        $CC $plain $options -c impl.c -o "$OUT/o.o" || complain "$options: does not compile"
        complain_of "$options: not under the library's name" \
            "$(symbols $visible "$OUT/o.o" | but 'spt_[a-z0-9_]+')"
        # compilers make malloc of a realloc(NULL, n)
        complain_of "$options: called beyond realloc, free and assert" \
            "$(symbols U "$OUT/o.o" | but "$mem|malloc|realloc|free|_*assert[a-z_]*")"
        # tcc keeps its string literals there
        complain_of "$options: global state" "$(symbols $mutable "$OUT/o.o" | but 'L\.[0-9]+')"
    done
    symbols T "$OUT/o.o" | grep -q '^spt_' || complain "nm shows no function at all"
}

check_static_symbols() {
    need_nm
    for options in $variants; do
        $CC $plain $options -DTWIN -DUSER=twin_a -c user.c -o "$OUT/o.o" ||
            complain "no compile"
        complain_of "$options: SPATIAL_STATIC leaves visible" \
            "$(symbols $visible "$OUT/o.o" | but twin_a)"
    done
}

check_freestanding() {
    need_nm
    $CC $plain -O1 -ffreestanding -DSPATIAL_NO_STDLIB -c impl.c -o "$OUT/o.o" ||
        complain "does not compile with SPATIAL_NO_STDLIB"
    complain_of "called with SPATIAL_NO_STDLIB" "$(symbols U "$OUT/o.o" | but "$mem")"
    complain_of "included with SPATIAL_NO_STDLIB and SPATIAL_NO_SIMD" "$(
        $CC -ffreestanding -DSPATIAL_NO_STDLIB -DSPATIAL_NO_SIMD -M impl.c 2>/dev/null |
            tr ' ' '\n' | grep -E '/(assert|math|stdio|stdlib|string)\.h$'
    )"
}

# ------------------------------------------------------------------------------------------------
# What the preprocessor shows

macros() { # file, flags: names of the macros that it leaves behind
    $CC -dM -E "$@" 2>/dev/null | awk '{ sub(/\(.*/, "", $2); print $2 }' | sort -u
}

leaked() { # option, file, its baseline as flags
    option=$1
    macros "$option" -x c "$2" >"$OUT/after"
    shift 2
    macros "$option" -x c "$@" >"$OUT/before"
    comm -13 "$OUT/before" "$OUT/after" | but '(SPT|SPTI|SPATIAL|spti)_[A-Za-z0-9_]+'
}

# The names of functions are macros where they contain the type of coordinates, and only there.
check_macros() {
    macros impl.c | grep -q '^SPT_OK$' ||
        skip "This row needs a compiler that lists macros (-dM -E)."
    renamed >"$OUT/renamed"
    : >"$OUT/none"
    for option in -DSPATIAL_FLOAT -DSPATIAL_DOUBLE -DSPATIAL_INT; do
        case $option in *_FLOAT) known=$OUT/none ;; *) known=$OUT/renamed ;; esac
        complain_of "$option: macros of the declarations" \
            "$(leaked $option $header baseline.h | comm -23 - "$known")"
        complain_of "$option: macros of the implementation" \
            "$(leaked $option impl.c -DIMPL baseline.h | comm -23 - "$known")"
    done
    complain_of "headers that OPTIONS does not have" "$(
        sed -n 's/^ *# *include *<\(.*\)>.*/\1/p' $header | sort -u |
            but '(assert|float|limits|std(def|int|io|lib)|string)\.h' |
            but '([ei]mmintrin|arm_neon|wasm_simd128)\.h'
    )"
}

# A user in C++ who forbids the casts of C, and casts that change nothing, has none of them from the
# macros either.
check_casts() {
    printf '%s\n' '#include "../../spatial.h"' 'extern bool is_nobody(spt_i32 id);' \
        'bool is_nobody(spt_i32 id) { return id == SPT_NONE || id == SPT_ERR_ID; }' \
        >"$OUT/casts.cpp"
    flags=
    for flag in -Wold-style-cast -Wuseless-cast; do
        printf 'int x;\n' >"$OUT/knows.cpp"
        said=$($CXX $flag -c "$OUT/knows.cpp" -o "$OUT/knows.o" 2>&1) && [ -z "$said" ] &&
            flags="$flags $flag"
    done
    [ -n "$flags" ] || skip "This row needs a C++ compiler that knows -Wold-style-cast ($CXX)."
    for standard in c++98 c++17; do
        for options in -DSPATIAL_FLOAT -DSPATIAL_DOUBLE -DSPATIAL_INT; do
            said=$($CXX -std=$standard -Wall -Wextra $flags $options -I. -c "$OUT/casts.cpp" \
                -o "$OUT/o.o" 2>&1)
            complain_of "with$flags in $standard, $options" "$said"
        done
    done
}

# A caller's results are set whenever it reads them; but a compiler that looks into our functions
# may doubt it and warn, as gcc did.
check_results() {
    for options in '-O2 -DSPATIAL_FLOAT' '-Os -DSPATIAL_DOUBLE' '-O3 -DSPATIAL_INT'; do
        said=$($CC -std=c99 -Wall -Wextra $options -c results.c \
            -o "$OUT/results.o" 2>&1)
        complain_of "of results, with $options" "$said"
    done
}

check_clashes() {
    flags="$CFLAGS -c"
    if knows -fsyntax-only; then flags="$flags -fsyntax-only"; fi
    for options in $variants; do
        $CC $flags $options clash.c -o "$OUT/o.o" || complain "with $options"
    done
}

must_fail() { # what, flags: impl.c must not compile, and the header must say why
    what=$1
    shift
    if $CC "$@" -c impl.c -o "$OUT/o.o" 2>"$OUT/said"; then
        complain "$what: compiles"
    elif ! grep -q 'error.*spatial\.h: ' "$OUT/said"; then
        complain "$what: no message of its own but
$(cat "$OUT/said")"
    fi
}

check_options() {
    must_fail "SPATIAL_REALLOC alone" '-DSPATIAL_REALLOC(p,n)=realloc(p,n)'
    must_fail "SPATIAL_FREE alone" '-DSPATIAL_FREE(p)=free(p)'
    must_fail "SPATIAL_INT with SPATIAL_DOUBLE" -DSPATIAL_INT -DSPATIAL_DOUBLE
    for option in -DSPATIAL_API= -DSPATIAL_INTLIST_INLINE=0 -DNDEBUG \
        '-DSPATIAL_ASSERT(x)=((void)sizeof(x))'; do
        linked "with $option" "$CC" "$CC" "$CC" $CFLAGS "$option"
    done
    need_nm
    printf '%s\n' '#include <stddef.h>' 'void *my_realloc(void *, size_t);' \
        'void my_free(void *);' '#define SPATIAL_REALLOC(p, n) my_realloc(p, n)' \
        '#define SPATIAL_FREE(p) my_free(p)' '#include "impl.c"' >"$OUT/memory.c"
    $CC $plain -DNDEBUG -I. -c "$OUT/memory.c" -o "$OUT/o.o" || complain "own memory functions"
    complain_of "called in spite of own memory functions" \
        "$(symbols U "$OUT/o.o" | but "$mem|my_realloc|my_free")"
}

# Random sets of options compile without a warning of an unused function: the same ones each time.
check_sets() {
    flags=-c
    if knows -Wall -Wextra -Werror; then flags="$flags -Wall -Wextra -Werror"; fi
    case $MODE in user) sets=6 ;; full) sets=24 ;; *) sets=60 ;; esac
    random=1
    while [ $sets -gt 0 ]; do
        options=
        for option in NO_BROADPHASE NO_CHECK NO_CONTACTS NO_COPY NO_FIT NO_LINEAR NO_LOOSEGRID \
            NO_NEIGHBOURS NO_PACKED NO_QUADTREE NO_SEARCH NO_SIMD NO_STDLIB SMALL STATIC; do
            random=$(((random * 1103515245 + 12345) % 2147483648))
            [ $((random / 65536 % 2)) -eq 0 ] || options="$options -DSPATIAL_$option"
        done
        case $((random / 131072 % 3)) in
        0) options="$options -DSPATIAL_INT -DNDEBUG" ;;
        1) options="$options -DSPATIAL_DOUBLE -O1" ;;
        *) [ $((sets % 4)) -gt 0 ] || options="$options -O2" ;;
        esac
        $CC $CFLAGS $flags $options impl.c -o "$OUT/o.o" || complain "with $options"
        sets=$((sets - 1))
    done
}

# Where a section is left out nothing of it is there.
check_sections() {
    need_nm
    for section in broadphase linear quadtree loosegrid packed contacts check copy; do
        option=-DSPATIAL_NO_$(echo $section | tr '[:lower:]' '[:upper:]')
        $CC $plain -c $option impl.c -o "$OUT/o.o" || complain "with $option"
        complain_of "in spite of $option" "$(symbols $visible "$OUT/o.o" | grep "$section")"
    done
    options="-DSPATIAL_NO_LINEAR -DSPATIAL_NO_QUADTREE -DSPATIAL_NO_LOOSEGRID -DSPATIAL_NO_PACKED"
    $CC $plain -c $options impl.c -o "$OUT/o.o" || complain "with $options"
    others='error_string|version|arena_init|shape_box'
    others="$others|(box|intlist|morton|broadphase|contacts|neighbours)_.+"
    complain_of "without a structure that keeps boxes, there are still verbs" \
        "$(symbols $visible "$OUT/o.o" | but "spt_($others)")"
}

# ------------------------------------------------------------------------------------------------
# The texts

sources() {
    printf '%s\n' $header
    find $top/*/ \( -name out -o -name build \) -prune -o \( -name '*.[ch]' -o -name '*.[ch]pp' \
        -o -name '*.sh' -o -name '*.awk' \) -print
}

# Nobody reads what is longer: who adds lines takes others out.
most_lines=12000
# No debugger steps through them: of macros of more than one line.
most_macro_lines=150

# One awk for all files, for there are many of them.
check_layout() {
    complain_of "too long" "$(awk -v most=$most_lines -v most_macro=$most_macro_lines '
        /^ *# *define.*\\$/ { macro = 1 }
        macro { lines++ }
        !/\\$/ { macro = 0 }
        END {
            if (NR > most) print "spatial.h: " NR " lines, not " most
            if (lines > most_macro) print lines " lines inside macros, not " most_macro
        }' $header)"
    complain_of "lines and functions as they must not be" "$(awk -v top="$top/" '
        function wrong(why, what) {
            print substr(FILENAME, length(top) + 1) ":" FNR ": " why ": " what
        }
        FNR == 1 { start = 0 }
        /[^ -~]/ { wrong("a tab, carriage return or not ASCII", $0) }
        / $/ { wrong("a blank at the end", $0) }
        length($0) > 100 { wrong("over 100 columns", $0) }
        FILENAME !~ /\.[ch]$/ { next }
        /^[A-Za-z].*\(/ { name = $0 }
        /^\{/ { start = FNR }
        /^\}/ {
            if (start && FNR - start > 61) wrong(FNR - start - 1 " lines in a function", name)
            start = 0
        }' $(sources))"
    for file in $(sources); do
        [ -z "$(tail -c 1 "$file")" ] || complain "${file#"$top"/}: does not end with a newline"
    done
}

code_of() { # file: its lines without the words in comments and in quotes
    awk '
    {
        rest = $0
        code = ""
        while (rest != "") {
            if (comment) {
                end = index(rest, "*/")
                if (!end) break
                rest = substr(rest, end + 2)
                comment = 0
            } else if (match(rest, /\/\*|"(\\.|[^"\\])*"|\047(\\.|[^\047\\])*\047/)) {
                code = code substr(rest, 1, RSTART - 1)
                comment = substr(rest, RSTART, 2) == "/*"
                rest = substr(rest, RSTART + RLENGTH)
            } else {
                code = code rest
                rest = ""
            }
        }
        print FNR ": " code
    }' "$1"
}

# A tag of the contents stands there and at its section; the tag of a section with declarations
# stands a third time, at their implementation. Sections without declarations are not in the
# contents but in the drawing: see check_layers.
check_tags() {
    complain_of "tags of the contents" "$(awk '
        function tags_in(line, found) {
            while (match(line, />>[a-z]+/)) {
                found = substr(line, RSTART, RLENGTH)
                total[found]++
                if (part == "contents") listed[found] = 1
                if (part == "declarations") declared[found] = 1
                if (part == "implementation") implemented[found] = 1
                line = substr(line, RSTART + RLENGTH)
            }
        }
        /^ *CONTENTS/ { part = "contents" }
        /^ *WHICH STRUCTURE/ { part = "manual" }
        /^#define SPT_VERSION/ { part = "declarations" }
        /^#endif \/\* SPATIAL_H \*\// { part = "implementation" }
        { tags_in($0) }
        END {
            for (tag in listed) {
                n++
                if (total[tag] < 2) print tag " stands only in the contents"
                if (declared[tag] && !implemented[tag]) print tag " has no implementation"
            }
            for (tag in total)
                if (!listed[tag] && (declared[tag] || !implemented[tag]))
                    print tag " is not in the contents"
            if (!n) print "no contents found"
        }' $header)"
}

same() { # what, file, file
    diff "$2" "$3" >"$OUT/diff" || complain "$1
$(cat "$OUT/diff")"
}

words_from() { # file, first words: the words of the file from there on, a line each
    tr -s '[:space:]' '\n' <"$1" | grep -vx '[*/]*' | awk -v first="$2" '
        BEGIN { n = split(first, want, " ") }
        { word[NR] = $0 }
        END {
            for (i = 1; i <= NR && !at; i++) {
                for (k = 1; k <= n && word[i + k - 1] == want[k]; k++);
                if (k > n) at = i
            }
            for (i = at; at && i <= NR; i++) print word[i]
        }'
}

# The layers: a section calls functions, and uses macros, of sections above it alone, and no section
# of one structure any of another, so that each can be read, and changed, by itself. (`check` may
# look into all.) The drawing at the top of the implementation names all sections in their order.
check_layers() {
    complain_of "sections and layers" "$(code_of $header | awk '
        FNR == NR { code[FNR] = $0; next }
        /^#endif \/\* SPATIAL_H \*\// { on = 1 }
        !on { next }
        /^\/\* IMPLEMENTATION, in layers/ { drawing = 1 }
        /^#if / { drawing = 0 }
        drawing { drawn = drawn " " $0 }
        /^\/\* [A-Z ,-]+ +>>[a-z]+/ {
            match($0, />>[a-z]+/)
            section = substr($0, RSTART + 2, RLENGTH - 2)
            names[++sections] = section
            place[section] = sections
        }
        !section { next }
        { line = code[FNR] }
        line ~ /: (static|SPTI_INLINE|SPTI_APART|SPTI_SHARED|SPTI_API) / &&
            match(line, /spti?_[a-z0-9_]+\(/) { lives(substr(line, RSTART, RLENGTH - 1)) }
        match(line, /#define SPTI_[A-Z0-9_]+/) { lives(substr(line, RSTART + 8, RLENGTH - 8)) }
        {
            while (match(line, /(SPTI_[A-Z0-9_]+|spti?_[a-z0-9_]+)/)) {
                used[substr(line, RSTART, RLENGTH) " " section] = 1
                line = substr(line, RSTART + RLENGTH)
            }
        }
        function lives(name) { if (!(name in home)) home[name] = section }
        function structure(of) {
            if (of == "rows" || of == "loosegrid") return "linear"
            if (of == "images") return "packed"
            return of ~ /^(linear|quadtree|packed)$/ ? of : ""
        }
        END {
            for (use in used) {
                split(use, at, " ")
                from = home[at[1]]
                if (from == "" || from == at[2]) continue
                if (place[from] > place[at[2]])
                    print at[2] " uses " at[1] " of " from ", which is below it"
                if (at[1] ~ /^spti_/ && structure(from) && structure(at[2]) != structure(from) &&
                    at[2] != "check")
                    print at[2] " uses " at[1] " of " from ", which is of another structure"
            }
            gsub(/[^a-z]+/, " ", drawn)
            n = split(drawn, words, " ")
            for (i = k = 1; i <= n; i++)
                if (words[i] in place && !seen[words[i]]++ && words[i] != names[k++]) {
                    print "the drawing has " words[i] " where " names[k - 1] " is"
                    exit
                }
            if (names[k] != "history" || !sections) print "the drawing ends before " names[k]
        }' - $header)"
}

# sdcc and cc65 know no struct that begins as a copy of another: it is assigned in a statement.
check_copied() {
    complain_of "a struct begins as a copy of another" "$(
        awk 'FNR == NR && /^(typedef )?struct spti?_[a-z_0-9]+ \{/ {
                sub(/^typedef /, "")
                struct[$2]
            }
            FNR == NR { next }
            /^ / {
                of = $1 == "const" ? 2 : 1
                if ($of in struct && $(of + 1) !~ /^[*]/ && $(of + 2) == "=" && $(of + 3) !~ /^\{/)
                    print FNR ":" $0
            }
            END { if (!("spt_box" in struct) || !("spti_plane" in struct)) print "no structs" }' \
            $header $header
    )"
}

check_copies() {
    for file in $top/examples/quickstart.c $top/UNLICENSE; do
        [ -f "$file" ] || complain "${file#"$top"/} is missing"
    done
    [ $failed = 0 ] || return
    sed -n '/^#if 0$/,/^#endif$/p' $header | sed '/^#endif$/q' | sed '1d;$d' >"$OUT/quickstart"
    [ -s "$OUT/quickstart" ] || complain "no QUICK START between #if 0 and #endif"
    same "QUICK START and examples/quickstart.c differ" "$OUT/quickstart" \
        $top/examples/quickstart.c
    start="This is free and unencumbered software"
    words_from $header "$start" >"$OUT/license"
    words_from $top/UNLICENSE "$start" >"$OUT/unlicense"
    [ -s "$OUT/unlicense" ] || complain "UNLICENSE does not begin as it should"
    same "the licence at the end of spatial.h and UNLICENSE differ" "$OUT/license" "$OUT/unlicense"
}

# The version stands in SPT_VERSION, in the first line, at the head of the history, in packages, in
# the tag that a release has, and wherever README.md or a program names it.
check_version() {
    version=$(sed -n 's/^#define SPT_VERSION "\(.*\)"$/\1/p' $header)
    [ -n "$version" ] || complain "no SPT_VERSION"
    head -n 1 $header | grep -qF " v$version " || complain "not v$version in the first line"
    last=$(awk '/>>history/ { at = FNR } END { print at }' $header)
    first=$(tail -n +"$last" $header | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)
    [ "$first" = "$version" ] || complain "the history begins with '$first', not $version"
    for file in tools/vcpkg/vcpkg.json tools/conan/conandata.yml; do
        grep -qF "\"$version\"" "$top/$file" || complain "$file has another version than $version"
    done
    for file in README.md tools/cmake/CMakeLists.txt; do
        grep -qF "GIT_TAG v$version " "$top/$file" || complain "$file has no GIT_TAG v$version"
    done
    grep -qF "git tag -a v$version" $top/tools/README.md || complain "tools/README.md: another tag"
    complain_of "another version than $version" "$(
        grep -snE 'spatial(\.h)?"? +v?[0-9]+\.[0-9]+\.[0-9]+' $(sources) $top/README.md |
            grep -vF "$version"
    )"
}
