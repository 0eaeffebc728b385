/*
 * Numbers as text: scanning, correctly rounded reading, shortest printing, exact comparison, half floats.
 *
 * Reading: Clinger's exact cases, Eisel and Lemire's product, then a bounded exact comparison; every input is
 * rounded once, to nearest even, in time linear in its digits, with neither malloc nor the C locale.
 * Printing: the shortest digits that read back to the same value (the closest of them), see number_print.c.
 * Scanning follows RFC 8259 section 6. Hexadecimal, separators, inf and nan belong to the formats that have
 * them.
 */
#ifndef WEIR_BASE_NUMBER_H
#define WEIR_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* ---- scanning ---- */

/* A number's text, measured: its magnitude is digits * 10^exponent, exactly unless `truncated`. */
typedef struct num_token {
    const char *end;    /* one past the token; where scanning stopped when the text is no number */
    uint64_t digits;    /* the first 19 significant digits */
    int64_t exponent;   /* saturates near +-10^18 */
    uint32_t dropped;   /* integer digits after the 19th (saturates); 0 unless is_integer */
    uint8_t next_digit; /* the 20th significant digit of an integer */
    bool negative;
    bool is_integer; /* neither a point nor an exponent */
    bool truncated;  /* a digit other than 0 lies beyond the 19th */
} num_token;

/*
 * Scans one number of RFC 8259's grammar at p (p <= end). False: there is none; token->end is the byte that
 * fits nowhere, or `end` when the text stops too early. A number that reaches `end` may go on in a later
 * buffer.
 */
bool num_scan_json(const char *p, const char *end, num_token *token);

/* The magnitude of an integer token; false if it is no integer or exceeds 2^64 - 1. */
bool num_token_magnitude(const num_token *token, uint64_t *magnitude);

/* The nearest double or float, signed (so "-0" gives -0.0); `text` is what was scanned. */
double num_token_to_double(const num_token *token, const char *text);
float num_token_to_float(const num_token *token, const char *text);

/* ---- reading ---- */

/*
 * The nearest double (float) of w * 10^q: infinity above the range, 0 below it. With `truncated`, w holds the
 * first 19 significant digits of the decimal text and every digit is taken into account; `text` then is the
 * whole number (up to an 'e' or 'E', bytes that are no digits are skipped). Without it, `text` is not read
 * and may be NULL.
 */
double num_decimal_to_double(uint64_t w, int64_t q, bool truncated, const char *text, size_t len);
float num_decimal_to_float(uint64_t w, int64_t q, bool truncated, const char *text, size_t len);

/*
 * Compares two decimal texts (RFC 8259 grammar, any length, exponents of any length) by exact value: < 0, 0,
 * > 0. -0 equals 0. Linear time, constant memory.
 */
int num_compare_decimal(const char *a, size_t a_len, const char *b, size_t b_len);

/* ---- printing: nothing is NUL-terminated; up to the named size is written, the length comes back ---- */

#define NUM_U64_SIZE 20
#define NUM_I64_SIZE 20
#define NUM_DOUBLE_SIZE \
    32 /* the text is at most 24 bytes (ECMAScript: 25); whole vectors are stored over it */

size_t num_print_u64(char *out, uint64_t value);
size_t num_print_i64(char *out, int64_t value);

/*
 * The shortest text that reads back: integral values end in ".0", plain digits for decimal exponents -5..15,
 * scientific outside ("1e16", "1.5e-7"), "-0.0". Finite values only.
 */
size_t num_print_double(char *out, double value);
size_t num_print_float(char *out, float value);

/* ECMAScript's Number::toString in base ten, which RFC 8785 takes over: "1e+21", "100", "0" for -0. Finite
 * only. */
size_t num_print_ecma(char *out, double value);

/*
 * The shortest digits themselves: |value| reads back from digits * 10^exponent, digits without trailing
 * zeros, at most 17 (float: 9). value must be finite and not 0.
 */
void num_shortest_double(double value, uint64_t *digits, int *exponent);
void num_shortest_float(float value, uint64_t *digits, int *exponent);

/* ---- widths ---- */

double num_half_to_double(uint16_t half);

/* The nearest half (binary16), ties to even; true when it is exact. A NaN gives a NaN and true. */
bool num_double_to_half(double value, uint16_t *half);

/* Whether a float holds the value exactly (NaN: true). */
bool num_double_fits_float(double value);

#pragma GCC visibility pop

#endif
