/* Integers beyond 64 bits on their way into events, under the policy for numbers. */
#ifndef TEXT_INTEGER_H
#define TEXT_INTEGER_H

#include "flow/reader_priv.h"

/* Sets the event to the integer whose magnitude is n big-endian bytes (which may begin with zeros): UINT or
 * INT if it fits, else by options.numbers a NUMBER (its text in r->text), the nearest double, or the error
 * `range`. magnitude must not lie in r->text. */
bool integer_event(weir_reader *r, bool negative, const uint8_t *magnitude, size_t n, bool is_key,
                   uint64_t offset, weir_code range);

/* Admits a number's text of len bytes. */
bool integer_admit(weir_reader *r, uint64_t len, bool is_key, uint64_t offset);

#endif
