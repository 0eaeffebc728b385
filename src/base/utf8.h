/*
 * UTF-8 (RFC 3629; Unicode, table 3-7): validation, counting, one scalar value in and out, columns on a
 * terminal.
 *
 * Surrogates, overlong forms and values above U+10FFFF are invalid. Grapheme clusters and normalisation are
 * not here.
 */
#ifndef WEIR_BASE_UTF8_H
#define WEIR_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

bool utf8_valid(const void *text, size_t n);

/*
 * Length of the longest valid prefix. If that is less than n, *incomplete tells whether the remaining bytes
 * are the beginning of a valid sequence, so that more input could complete them. NULL if that is not of
 * interest.
 */
size_t utf8_valid_prefix(const void *text, size_t n, bool *incomplete);

/* Scalar values in the text; a byte that is part of no valid sequence counts as one. */
size_t utf8_count(const void *text, size_t n);

/* Bytes written (1..4); 0 if `scalar` is a surrogate or above U+10FFFF. */
size_t utf8_encode(uint32_t scalar, char out[4]);

/*
 * Reads the sequence at the start of the text: its length (1..4), 0 if it is invalid, -1 if the text ends
 * within a sequence that is valid so far (n == 0 too). *scalar is set on success only.
 */
int utf8_decode(const void *text, size_t n, uint32_t *scalar);

/*
 * Columns on a terminal: 0 for controls, combining marks and other invisible characters, 2 for wide ones
 * (East Asian Wide and Fullwidth, which includes emoji), otherwise 1.
 */
int utf8_width(uint32_t scalar);

#pragma GCC visibility pop

#endif
