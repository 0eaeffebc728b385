#!/usr/bin/env python3
"""Checks printed doubles against CPython: lines of `bits text` on standard input, exit status 1 at a difference.

The digits must be those of repr(), which are the shortest that read back; the layout is derived here from the rule:
plain digits for decimal exponents -5..15, scientific outside, integral values end in ".0".
"""

import struct
import sys
from decimal import Decimal


def expected(value):
    sign, digits, exponent = Decimal(repr(value)).as_tuple()
    text = "".join(map(str, digits)).rstrip("0")
    exponent += len(digits) - len(text)
    prefix = "-" if sign else ""
    if not text:
        return prefix + "0.0"
    scientific = len(text) - 1 + exponent
    if -5 <= scientific <= 15:
        if exponent >= 0:
            return prefix + text + "0" * exponent + ".0"
        text = text.rjust(1 - exponent, "0")
        return prefix + text[:exponent] + "." + text[exponent:]
    fraction = "." + text[1:] if len(text) > 1 else ""
    return f"{prefix}{text[0]}{fraction}e{scientific}"


def main():
    count = 0
    for line in sys.stdin:
        bits, text = line.split()
        value = struct.unpack(">d", bytes.fromhex(bits))[0]
        if text != expected(value):
            print(f"{bits}: {text}, expected {expected(value)}")
            return 1
        count += 1
    print(f"{count} doubles as CPython's repr")
    return 0 if count > 0 else 1


sys.exit(main())
