/* Integers of any size between big-endian bytes and decimal digits.
 *
 * Blocks of 64 words are converted by the schoolbook; blocks are joined in pairs, with products by a
 * number-theoretic transform modulo 2^64 - 2^32 + 1. So the time is O(n log^2 n): a megabyte takes about two
 * seconds, not hours. */
#ifndef BASE_BIGNUM_H
#define BASE_BIGNUM_H

#include "base/config.h"
#include "weir/memory.h"

/* Appends the decimal digits of an unsigned integer, without leading zeros ("0" for zero). false: out of
 * memory, and *out has its old length. */
bool bignum_to_decimal(const uint8_t *bytes, size_t n, weir_buffer *out);
/* Appends the bytes of an unsigned decimal integer (n >= 1 digits), most significant first, without leading
 * zero bytes (none for zero). false as above. */
bool bignum_from_decimal(const char *digits, size_t n, weir_buffer *out);

/* Decimal digits that n bytes have at least if the first one is not 0. */
static inline uint64_t bignum_least_digits(uint64_t n)
{
    return n == 0 ? 1 : (n - 1) / 1000 * 2408 + (n - 1) % 1000 * 2408 / 1000 + 1;
}

#endif
