/*
 * Binary data as text: base64, base64url, base32, base32hex and base16 (RFC 4648).
 *
 * Decoding is strict: no white space, no foreign byte, no wrong length, no bits left over that are not zero.
 * base32 and base16 accept both cases and write upper case (base16 also lower); base64 does not guess
 * alphabets.
 */
#ifndef WEIR_BASE_BASE64_H
#define WEIR_BASE_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

typedef enum base_code {
    BASE_64,
    BASE_64_URL,
    BASE_32,
    BASE_32_HEX,
    BASE_16,       /* upper case */
    BASE_16_LOWER, /* decodes as BASE_16 does */
} base_code;

typedef enum base_padding {
    BASE_PADDED,   /* '=' up to a whole group is written; required */
    BASE_UNPADDED, /* not written; refused */
    BASE_EITHER,   /* written; optional when decoding, but then complete */
} base_padding;

/* The exact length of n bytes as text; false if it does not fit a size_t. */
bool base_encoded_size(base_code code, base_padding padding, size_t n, size_t *size);

/* Writes that many characters, no NUL; returns how many. */
size_t base_encode(base_code code, base_padding padding, const void *data, size_t n, char *out);

/* At least as many bytes as n characters can decode to; never overflows. */
size_t base_decoded_bound(base_code code, size_t n);

/*
 * Decodes n characters into out (base_decoded_bound bytes; out may be `text` itself). False: the text is
 * refused, *size is the index of the first offending character (n if something is missing at the end).
 */
bool base_decode(base_code code, base_padding padding, const char *text, size_t n, uint8_t *out,
                 size_t *size);

#pragma GCC visibility pop

#endif
