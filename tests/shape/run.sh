#!/usr/bin/env bash
# Four times the input may cost at most five times the instructions, in every case of shape.c.
#   tests/shape/run.sh PATH-OF-THE-PROGRAM      exits with 77 (skipped) without valgrind
set -euo pipefail
program=$1
if ! command -v valgrind >/dev/null; then
    echo "shape: skipped, valgrind isn't installed"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
valgrind --tool=callgrind --callgrind-out-file="$folder/out" --collect-atstart=no --toggle-collect=shape_measured \
    --dump-after=shape_measured "$program" >"$folder/names" 2>"$folder/log" ||
    { cat "$folder/log"; exit 1; }

bad=0 number=0
count() { sed -n 's/^\(summary\|totals\): *//p' "$folder/out.$1" | head -n 1; }
while read -r name; do
    small=$(count $((2 * number + 1))) large=$(count $((2 * number + 2)))
    number=$((number + 1))
    ratio=$((large * 100 / (small + 1)))
    printf '%-32s %12d %12d  %d.%02d\n' "$name" "$small" "$large" $((ratio / 100)) $((ratio % 100))
    if [ "$ratio" -gt 500 ]; then
        echo "shape: $name: four times the input costs more than five times the instructions"
        bad=1
    fi
done <"$folder/names"
[ "$number" -gt 0 ] || { echo "shape: no case was measured"; exit 1; }
exit $bad
