#!/bin/sh
# Puts the text of a file between two markers of the page that has them, <!-- NAME: begin --> and
# <!-- NAME: end -->, in place of what is there: README.md, or a page of bench or of tests.
#
#   sh tools/readme.sh NAME FILE
set -u
file=$2
case $file in /*) ;; *) file=$PWD/$file ;; esac
cd "$(dirname "$0")/.." || exit 1
page=$(grep -lx "<!-- $1: begin -->" README.md bench/*.md tests/*.md) || {
    echo "no page has markers of $1" >&2
    exit 1
}
new=$(awk -v name="$1" -v file="$file" '
    $0 == "<!-- " name ": end -->" { skip = 0 }
    !skip { print }
    $0 == "<!-- " name ": begin -->" {
        while ((getline line < file) > 0) print line
        skip = 1
    }' "$page")
printf '%s\n' "$new" >"$page"
