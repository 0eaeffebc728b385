#!/usr/bin/env python3
"""Write src/base/width_table.h: the ranges of characters that take no column, or two, on a terminal.

None: nonspacing and enclosing marks, format characters (except SOFT HYPHEN, which terminals draw), line and paragraph
separators, and conjoining Hangul vowels and finals. Two: East_Asian_Width W or F that is not among those.

usage: gen_width.py > src/base/width_table.h
"""

import unicodedata


def width(code):
    character = chr(code)
    category = unicodedata.category(character)
    if code < 0x20 or 0x7F <= code < 0xA0:
        return 0
    if category in ("Mn", "Me", "Zl", "Zp") or (category == "Cf" and code != 0xAD) or 0x1160 <= code <= 0x11FF:
        return 0
    if category == "Cn" and not is_reserved_wide(code):
        return 1
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def is_reserved_wide(code):
    return 0x3400 <= code <= 0x4DBF or 0x4E00 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or 0x20000 <= code <= 0x3FFFD


def ranges(wanted):
    first = None
    for code in range(0x110001):
        inside = code < 0x110000 and width(code) == wanted
        if inside and first is None:
            first = code
        elif not inside and first is not None:
            yield first, code - 1
            first = None


def table(name, wanted):
    print(f"static const uint32_t {name}[][2] = {{")
    row = "   "
    for first, last in ranges(wanted):
        item = f" {{0x{first:X}, 0x{last:X}}},"
        if len(row + item) > 110:
            print(row)
            row = "   "
        row += item
    print(row)
    print("};")


def main():
    print("/*")
    print(f" * Columns of characters, Unicode {unicodedata.unidata_version}, written by tools/gen_width.py; do not edit.")
    print(" * Sorted ranges, first and last included. What is in neither table takes one column.")
    print(" */")
    print("#ifndef WEIR_BASE_WIDTH_TABLE_H")
    print("#define WEIR_BASE_WIDTH_TABLE_H")
    print()
    print("#include <stdint.h>")
    print()
    table("width_none", 0)
    print()
    table("width_two", 2)
    print()
    print("#endif")


main()
