/*
 * UTF-8 validation by table lookup: Keiser and Lemire, "Validating UTF-8 in less than one instruction per
 * byte" (2021). Three tables, indexed by the high and the low half of the byte before and the high half of
 * the byte, give the errors that each half allows; what all three allow is one. Third and fourth bytes are
 * required apart.
 */
#ifndef WEIR_BASE_SIMD_UTF8_H
#define WEIR_BASE_SIMD_UTF8_H

#include <stdint.h>

enum {
    TOO_SHORT = 1 << 0,      /* 11______ 0_______ or 11______ 11______ */
    TOO_LONG = 1 << 1,       /* 0_______ 10______ */
    OVERLONG_3 = 1 << 2,     /* 11100000 100_____ */
    TOO_LARGE = 1 << 3,      /* 11110100 1001____ and above */
    SURROGATE = 1 << 4,      /* 11101101 101_____ */
    OVERLONG_2 = 1 << 5,     /* 1100000_ 10______ */
    TOO_LARGE_1000 = 1 << 6, /* 11110101 1000____ and above */
    OVERLONG_4 = 1 << 6,     /* 11110000 1000____ */
    TWO_CONTINUATIONS = 1 << 7,
    ANY_LOW = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS
};

#define LARGE (ANY_LOW | TOO_LARGE | TOO_LARGE_1000)
#define LONGER (TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS)

static const uint8_t utf8_before_high[16] = {TOO_LONG,
                                             TOO_LONG,
                                             TOO_LONG,
                                             TOO_LONG,
                                             TOO_LONG,
                                             TOO_LONG,
                                             TOO_LONG,
                                             TOO_LONG,
                                             TWO_CONTINUATIONS,
                                             TWO_CONTINUATIONS,
                                             TWO_CONTINUATIONS,
                                             TWO_CONTINUATIONS,
                                             TOO_SHORT | OVERLONG_2,
                                             TOO_SHORT,
                                             TOO_SHORT | OVERLONG_3 | SURROGATE,
                                             TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4};

static const uint8_t utf8_before_low[16] = {ANY_LOW | OVERLONG_3 | OVERLONG_2 | OVERLONG_4,
                                            ANY_LOW | OVERLONG_2,
                                            ANY_LOW,
                                            ANY_LOW,
                                            ANY_LOW | TOO_LARGE,
                                            LARGE,
                                            LARGE,
                                            LARGE,
                                            LARGE,
                                            LARGE,
                                            LARGE,
                                            LARGE,
                                            LARGE,
                                            LARGE | SURROGATE,
                                            LARGE,
                                            LARGE};

static const uint8_t utf8_high[16] = {TOO_SHORT,
                                      TOO_SHORT,
                                      TOO_SHORT,
                                      TOO_SHORT,
                                      TOO_SHORT,
                                      TOO_SHORT,
                                      TOO_SHORT,
                                      TOO_SHORT,
                                      LONGER | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4,
                                      LONGER | OVERLONG_3 | TOO_LARGE,
                                      LONGER | SURROGATE | TOO_LARGE,
                                      LONGER | SURROGATE | TOO_LARGE,
                                      TOO_SHORT,
                                      TOO_SHORT,
                                      TOO_SHORT,
                                      TOO_SHORT};

#undef LARGE
#undef LONGER

#endif
