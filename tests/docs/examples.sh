#!/bin/sh
# Every function of the public headers is called in some program of examples/, which the tests build and run.
# Run in the project's root.
set -eu
functions=$(sed -e 's,/\*.*\*/,,' include/weir/*.h | tr '\n' ' ' | grep -oE 'WEIR_API [^;{]*[;{]' |
    grep -oE 'weir_[a-z0-9_]+\(' | tr -d '(' | sort -u)
count=$(echo "$functions" | wc -l)
missing=0
for name in $functions; do
    if ! grep -qE "(^|[^a-z0-9_])$name\(" examples/*.[ch]; then
        echo "no example calls $name"
        missing=$((missing + 1))
    fi
done
echo "$count functions, $missing without an example"
[ "$count" -gt 100 ] && [ "$missing" -eq 0 ]
