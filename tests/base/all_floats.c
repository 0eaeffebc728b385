/*
 * All 2^32 floats: what is printed reads back to the same bits, and no text with one digit less does. Takes
 * minutes; not part of the test run. Usage: all_floats [FIRST LAST] (bit patterns, hexadecimal).
 */
#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t powers[10] = {1,      10,      100,      1000,      10000,
                                    100000, 1000000, 10000000, 100000000, 1000000000};

/*
 * No shorter one: the two decimals with one digit less on either side of the digits printed do not read back.
 * (The decimals of that length which are nearest to the value are among them, as the digits printed lie
 * within half an ulp.)
 */
static bool is_shortest(uint64_t digits, int exponent, uint32_t magnitude)
{
    if (digits < 10)
        return true;
    for (uint64_t shorter = digits / 10; shorter <= digits / 10 + 1; shorter++) {
        float value = num_decimal_to_float(shorter, exponent + 1, false, NULL, 0);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        if (bits == magnitude)
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    uint32_t first = argc > 2 ? (uint32_t)strtoul(argv[1], NULL, 16) : 0;
    uint32_t last = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 16) : UINT32_MAX;
    unsigned long checked = 0, longest = 0;
    uint32_t bits = first;
    for (;; bits++) {
        if ((bits & 0x7F800000) != 0x7F800000) {
            float value;
            memcpy(&value, &bits, sizeof value);
            char text[NUM_DOUBLE_SIZE];
            size_t n = num_print_float(text, value);
            num_token token;
            bool good = num_scan_json(text, text + n, &token) && token.end == text + n;
            float back = good ? num_token_to_float(&token, text) : 0;
            uint32_t back_bits;
            memcpy(&back_bits, &back, sizeof back_bits);
            good = good && back_bits == bits;
            if (good && (bits & 0x7FFFFFFF) != 0) {
                uint64_t digits;
                int exponent;
                num_shortest_float(value, &digits, &exponent);
                good = digits < powers[9] && is_shortest(digits, exponent, bits & 0x7FFFFFFF);
            }
            if (!good) {
                printf("%08x printed as %.*s\n", (unsigned)bits, (int)n, text);
                return 1;
            }
            longest = n > longest ? (unsigned long)n : longest;
            checked++;
        }
        if (bits == last)
            break;
    }
    printf("%lu floats print and read back; the longest text has %lu bytes\n", checked, longest);
    return 0;
}
