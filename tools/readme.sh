#!/bin/sh
# Puts the text of a file between two markers of README.md, in place of what is there:
# <!-- NAME: begin --> and <!-- NAME: end -->.
#
#   sh tools/readme.sh NAME FILE
set -u
file=$2
case $file in /*) ;; *) file=$PWD/$file ;; esac
cd "$(dirname "$0")/.." || exit 1
new=$(awk -v name="$1" -v file="$file" '
    $0 == "<!-- " name ": end -->" { skip = 0 }
    !skip { print }
    $0 == "<!-- " name ": begin -->" {
        while ((getline line < file) > 0) print line
        skip = found = 1
    }
    END { if (!found) exit 1 }' README.md) || {
    echo "README.md has no markers of $1" >&2
    exit 1
}
printf '%s\n' "$new" >README.md
