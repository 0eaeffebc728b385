/* Numbers of documents by exact value: across UINT, INT, REAL and NUMBER. */
#ifndef VALUE_EXACT_H
#define VALUE_EXACT_H

#include "value/tape.h"

static inline bool exact_is_number(weir_kind kind)
{
    return kind >= WEIR_KIND_UINT && kind <= WEIR_KIND_NUMBER;
}

/* Both nodes are numbers. NaN equals NaN, -0.0 equals 0; infinities equal only themselves. */
bool exact_equal(const weir_val *a, const weir_val *b);

/* A hash that is the same for all numbers that exact_equal holds equal. (Numbers whose decimal exponent
 * leaves 57 bits hash alike.) */
uint64_t exact_hash(const weir_val *number, uint64_t seed);

#endif
