#!/bin/sh
# Every relative link in a Markdown file of the project leads to a file or folder that exists, and every `#part` of one to
# a heading. Run in the project's root.
set -eu
files=$(find . -name build -prune -o -name .git -prune -o -name '*.md' -print | sort)
links=0 broken=0

# The headings of a page as GitHub names them: lower case, without punctuation, blanks as hyphens.
anchors() {
    sed -n 's/^##* *//p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'
}

for file in $files; do
    folder=$(dirname "$file")
    # Code blocks and code spans hold no links.
    # shellcheck disable=SC2013,SC2016 # links have no blanks; backquotes are meant
    for link in $(awk '/^```/ { code = !code; next } !code' "$file" | sed 's/`[^`]*`//g' |
        grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//' | sort -u); do
        case $link in
        *://* | mailto:*) continue ;;
        esac
        links=$((links + 1))
        path=${link%%#*}
        target=$folder/$path
        [ -n "$path" ] || target=$file
        if [ ! -e "$target" ]; then
            echo "$file: no such file: $link"
            broken=$((broken + 1))
        elif [ "$link" != "$path" ] && ! anchors "$target" | grep -qx -- "${link#*#}"; then
            echo "$file: no such heading: $link"
            broken=$((broken + 1))
        fi
    done
done
echo "$links links, $broken broken"
[ "$links" -gt 0 ] && [ "$broken" -eq 0 ]
