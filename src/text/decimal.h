/* Decimal texts in JSON's number grammar, as sign, digits and exponent of ten. */
#ifndef TEXT_DECIMAL_H
#define TEXT_DECIMAL_H

#include "base/config.h"
#include "weir/memory.h"

struct decimal {
    bool negative;
    bool integer;     /* neither a point nor an exponent */
    bool huge;        /* the exponent does not fit */
    int64_t exponent; /* the value is digits * 10^exponent */
    size_t size;      /* digits appended: without leading zeros, "0" for zero */
};

/* Takes a text of the grammar apart, its digits are appended to *digits. false: out of memory. */
bool decimal_split(const char *text, size_t len, weir_buffer *digits, struct decimal *out);

/* Appends the text of digits (without leading zeros) * 10^exponent: plain where at most six zeros have to be
 * made up after the point, else scientific, so that decimal_split gives back the same digits and exponent,
 * and never an integer's text. false: out of memory. */
bool decimal_join(bool negative, const char *digits, size_t size, int64_t exponent, weir_buffer *out);

/* Is the text's value the same as that of the shortest text of the nearest double? */
bool decimal_is_double(const char *text, size_t len);

#endif
