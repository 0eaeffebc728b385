#!/usr/bin/env python3
"""Write src/base/pow10_table.h: the 128-bit powers of ten that parsing and printing share.

Exact integer arithmetic only. Entry q holds the 128 leading bits of 10^q (equivalently of 5^q), top bit set:
  q <  -27        rounded down
  -27 <= q < 0    rounded up
  0 <= q <= 55    exact
  q >   55        rounded down
which is the table that Lemire, "Number parsing at a gigabyte per second" (2021), proves sufficient for reading.
Printing (Giulietti, "The Schubfach way to render doubles") wants every inexact entry rounded up: it adds one outside
-27..55, which this program checks never carries out of the low word.

usage: gen_pow10.py > src/base/pow10_table.h
"""

FIRST, LAST = -342, 324


def entry(q):
    if q >= 0:
        power = 5**q
        bits = power.bit_length()
        return power << (128 - bits) if bits <= 128 else power >> (bits - 128)
    power = 5**-q
    bits = power.bit_length()
    quotient = (1 << (bits + 127)) // power
    assert 1 << 127 <= quotient < 1 << 128
    return quotient + 1 if q >= -27 else quotient


def main():
    print("/*")
    print(" * 128-bit powers of ten, written by tools/gen_pow10.py; do not edit.")
    print(" *")
    print(" * num_pow10_128[q - NUM_POW10_MIN] = {high, low} of 10^q scaled so that the top bit is set. Reading decimals")
    print(" * takes the entries as they are; printing needs them rounded up and adds 1 to the low word when q is outside")
    print(" * NUM_POW10_CEIL_FIRST..NUM_POW10_CEIL_LAST (no low word is all ones there). One file defines the table.")
    print(" */")
    print("#ifndef WEIR_BASE_POW10_TABLE_H")
    print("#define WEIR_BASE_POW10_TABLE_H")
    print()
    print("#include <stdint.h>")
    print()
    print(f"#define NUM_POW10_MIN ({FIRST})")
    print(f"#define NUM_POW10_MAX {LAST}")
    print("#define NUM_POW10_CEIL_FIRST (-27)")
    print("#define NUM_POW10_CEIL_LAST 55")
    print()
    print('#pragma GCC visibility push(hidden)')
    print("extern const uint64_t num_pow10_128[NUM_POW10_MAX - NUM_POW10_MIN + 1][2];")
    print('#pragma GCC visibility pop')
    print()
    print("#ifdef NUM_POW10_DEFINE")
    print("const uint64_t num_pow10_128[NUM_POW10_MAX - NUM_POW10_MIN + 1][2] = {")
    for q in range(FIRST, LAST + 1):
        value = entry(q)
        high, low = value >> 64, value & (1 << 64) - 1
        if not -27 <= q <= 55:
            assert low != (1 << 64) - 1
        print(f"    {{0x{high:016x}u, 0x{low:016x}u}}, /* {q} */")
    print("};")
    print("#endif")
    print()
    print("#endif")


main()
