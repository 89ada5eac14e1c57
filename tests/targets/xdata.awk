# xdata.awk - tells an 8051 program that all its data are in external memory.
#
#   sdcc -mmcs51 --model-large -E X.c | awk -f xdata.awk >Y.c
#
# Without that a pointer has three bytes and may point to four kinds of memory, and each access is a
# call that finds out which: a fifth more code. Constants that are pointed to become variables. Only
# for preprocessed text, in which no name of these is multiplied from the left: no `spti_x *y`.
{
    gsub(/\(void \*\)0/, "0") # NULL may be of a function, which is not data
    if ($0 ~ /static const (struct )?spti_[a-z_]+ [a-z]/) sub(/static const /, "static ")
    out = ""
    while (match($0, /(spti?_[a-z0-9_]+|void|unsigned char|int|size_t)( const)? \*/)) {
        before = RSTART > 1 ? substr($0, RSTART - 1, 1) : " "
        out = out substr($0, 1, RSTART + RLENGTH - 2)
        out = out (before ~ /[A-Za-z0-9_]/ ? "*" : "__xdata *")
        $0 = substr($0, RSTART + RLENGTH)
    }
    print out $0
}
