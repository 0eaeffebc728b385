/*
 * Scanning numbers, comparing them exactly, and the widths of binary floating point (IEEE 754 binary16, 32,
 * 64). Grammar: RFC 8259 section 6. Reading to binary is in number_parse.c, printing in number_print.c.
 */
#include "number.h"
#include "number_inline.h"

#include <string.h>

#define EXPONENT_LIMIT 1000000000000000000 /* no text in memory is long enough to make up for more */

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Takes digits up to the 19th significant one into token->digits; returns where they end. */
static const char *scan_digits(const char *p, const char *end, num_token *token, int *taken)
{
    uint64_t w = token->digits;
    int n = *taken;
    while (p < end && is_digit(*p) && n < 19) {
        w = w * 10 + (uint64_t)(*p++ - '0');
        n += w != 0;
    }
    token->digits = w;
    *taken = n;
    return p;
}

/* Walks over digits that no longer fit; tells whether one of them matters. */
static const char *skip_digits(const char *p, const char *end, bool *nonzero)
{
    char seen = 0;
    for (; p < end && is_digit(*p); p++)
        seen |= (char)(*p - '0');
    *nonzero |= seen != 0;
    return p;
}

static bool scan_exponent(const char **at, const char *end, int64_t *exponent)
{
    const char *p = *at + 1;
    bool minus = false;
    if (p < end && (*p == '+' || *p == '-'))
        minus = *p++ == '-';
    *at = p;
    if (p == end || !is_digit(*p))
        return false;
    int64_t e = 0;
    for (; p < end && is_digit(*p); p++)
        e = e < EXPONENT_LIMIT / 10 ? e * 10 + (*p - '0') : EXPONENT_LIMIT;
    *exponent = minus ? -e : e;
    *at = p;
    return true;
}

/* A number whose digits fit, with at least SHORT_ROOM bytes to read: no length needs checking but its own. */
#define SHORT_ROOM 48

/* The common numbers; false for any other, right or wrong, which num_scan_json then takes slowly. */
static bool scan_short(const char *p, num_token *token)
{
    bool negative = *p == '-';
    p += negative;
    const char *limit = p + 19;
    uint64_t w = (unsigned char)(*p++ - '0'), eight;
    if (w > 9)
        return false;
    if (w != 0)
        while (p < limit && is_digit(*p))
            w = w * 10 + (uint64_t)(*p++ - '0');
    if (is_digit(*p))
        return false;
    int64_t exponent = 0;
    bool is_integer = true;
    if (*p == '.') {
        const char *fraction = ++p;
        limit++; /* for the point */
        while (limit - p >= 8 && num_eight_digits(p, &eight)) {
            w = w * 100000000 + eight;
            p += 8;
        }
        while (p < limit && is_digit(*p))
            w = w * 10 + (uint64_t)(*p++ - '0');
        if (p == fraction || is_digit(*p))
            return false;
        exponent = fraction - p;
        is_integer = false;
    }
    if ((*p | 0x20) == 'e') {
        bool minus = *++p == '-';
        p += minus | (*p == '+');
        if (!is_digit(*p))
            return false;
        int e = *p++ - '0';
        for (limit = p + 3; p < limit && is_digit(*p); p++)
            e = e * 10 + (*p - '0');
        if (is_digit(*p))
            return false;
        exponent += minus ? -e : e;
        is_integer = false;
    }
    *token = (num_token){
        .end = p, .digits = w, .exponent = exponent, .negative = negative, .is_integer = is_integer};
    return true;
}

static bool scan_any(const char *p, const char *end, num_token *token)
{
    *token = (num_token){.end = p, .is_integer = true};
    int taken = 0;
    if (p < end && *p == '-') {
        token->negative = true;
        p++;
    }
    token->end = p;
    if (p == end || !is_digit(*p))
        return false;
    if (*p == '0') {
        p++;
    } else {
        p = scan_digits(p, end, token, &taken);
        const char *rest = p;
        if (p < end && is_digit(*p)) {
            token->next_digit = (uint8_t)(*p - '0');
            p = skip_digits(p, end, &token->truncated);
            token->dropped = p - rest > 1000000 ? 1000000 : (uint32_t)(p - rest);
            token->exponent = p - rest;
        }
    }
    token->end = p;
    if (p < end && is_digit(*p))
        return false; /* a leading zero */
    if (p < end && *p == '.') {
        token->is_integer = false;
        token->end = ++p;
        if (p == end || !is_digit(*p))
            return false;
        const char *fraction = p;
        p = scan_digits(p, end, token, &taken);
        token->exponent -= p - fraction;
        p = skip_digits(p, end, &token->truncated);
        token->end = p;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        token->is_integer = false;
        int64_t exponent = 0;
        bool ok = scan_exponent(&p, end, &exponent);
        token->end = p;
        if (!ok)
            return false;
        token->exponent += exponent;
    }
    if (!token->is_integer)
        token->dropped = 0;
    return true;
}

bool num_scan_json(const char *p, const char *end, num_token *token)
{
    if (end - p >= SHORT_ROOM && scan_short(p, token))
        return true;
    return scan_any(p, end, token);
}

bool num_token_magnitude(const num_token *token, uint64_t *magnitude)
{
    if (!token->is_integer || token->dropped > 1)
        return false;
    *magnitude = token->digits;
    if (token->dropped == 0)
        return true;
    return !__builtin_mul_overflow(token->digits, 10u, magnitude) &&
           !__builtin_add_overflow(*magnitude, token->next_digit, magnitude);
}

/* ---- exact comparison ---- */

/* A decimal text taken apart: |value| = 0.d1d2d3... * 10^(position + explicit exponent), d1 != 0. */
struct decimal {
    const char *digit, *digits_end; /* from d1 on; a point may lie between */
    const char *exponent, *exponent_end;
    int64_t position;
    bool negative, exponent_negative;
};

/* False for zero. */
static bool decimal_open(struct decimal *d, const char *text, size_t len)
{
    const char *p = text, *end = text + len;
    *d = (struct decimal){0};
    if (p < end && *p == '-') {
        d->negative = true;
        p++;
    }
    while (p < end && *p == '0')
        p++;
    const char *first = p;
    if (p < end && is_digit(*p)) {
        while (p < end && is_digit(*p))
            p++;
        d->position = p - first;
        if (p < end && *p == '.')
            for (p++; p < end && is_digit(*p);)
                p++;
    } else if (p < end && *p == '.') {
        const char *point = ++p;
        while (p < end && *p == '0')
            p++;
        first = p;
        d->position = point - p;
        while (p < end && is_digit(*p))
            p++;
    }
    d->digit = first;
    d->digits_end = p;
    if (first == p)
        return false;
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '+' || *p == '-'))
            d->exponent_negative = *p++ == '-';
        while (p < end && *p == '0')
            p++;
    }
    d->exponent = p;
    d->exponent_end = end;
    return true;
}

/*
 * a's explicit exponent minus b's, saturated: digit by digit from the top, so that exponents of any length
 * compare. Once the partial difference is large, further digits (at most 18 each) can only make it larger.
 */
static int64_t exponent_difference(const struct decimal *a, const struct decimal *b)
{
    size_t a_len = (size_t)(a->exponent_end - a->exponent), b_len = (size_t)(b->exponent_end - b->exponent);
    size_t n = a_len > b_len ? a_len : b_len;
    int64_t difference = 0;
    for (size_t left = n; left > 0; left--) {
        int da = left <= a_len ? a->exponent[a_len - left] - '0' : 0;
        int db = left <= b_len ? b->exponent[b_len - left] - '0' : 0;
        difference = difference * 10 + (a->exponent_negative ? -da : da) - (b->exponent_negative ? -db : db);
        if (difference > EXPONENT_LIMIT / 10 || difference < -(EXPONENT_LIMIT / 10)) {
            if (left > 1)
                return difference > 0 ? INT64_MAX / 2 : -(INT64_MAX / 2);
        }
    }
    return difference;
}

/* The next digit; zeros without end after the last. */
static char decimal_next(struct decimal *d)
{
    if (d->digit < d->digits_end && *d->digit == '.')
        d->digit++;
    return d->digit < d->digits_end ? *d->digit++ : '0';
}

static int compare_magnitudes(struct decimal *a, struct decimal *b)
{
    int64_t order = exponent_difference(a, b) + (a->position - b->position);
    if (order != 0)
        return order > 0 ? 1 : -1;
    while (a->digit < a->digits_end || b->digit < b->digits_end) {
        char x = decimal_next(a), y = decimal_next(b);
        if (x != y)
            return x > y ? 1 : -1;
    }
    return 0;
}

int num_compare_decimal(const char *a, size_t a_len, const char *b, size_t b_len)
{
    struct decimal x, y;
    bool x_nonzero = decimal_open(&x, a, a_len), y_nonzero = decimal_open(&y, b, b_len);
    int x_sign = x_nonzero ? (x.negative ? -1 : 1) : 0;
    int y_sign = y_nonzero ? (y.negative ? -1 : 1) : 0;
    if (x_sign != y_sign)
        return x_sign > y_sign ? 1 : -1;
    if (x_sign == 0)
        return 0;
    int order = compare_magnitudes(&x, &y);
    return x_sign > 0 ? order : -order;
}

/* ---- widths ---- */

double num_half_to_double(uint16_t half)
{
    uint64_t sign = (uint64_t)(half >> 15) << 63, bits;
    uint64_t exponent = (half >> 10) & 0x1F, fraction = half & 0x3FF;
    if (exponent == 0x1F) {
        bits = 0x7FF0000000000000u | fraction << 42;
    } else if (exponent != 0) {
        bits = (exponent + 1023 - 15) << 52 | fraction << 42;
    } else if (fraction != 0) {
        int top = 63 - __builtin_clzll(fraction); /* value = fraction * 2^-24 */
        bits = (uint64_t)(top + 1023 - 24) << 52 | (fraction << (52 - top) & 0xFFFFFFFFFFFFFu);
    } else {
        bits = 0;
    }
    bits |= sign;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool num_double_to_half(double value, uint16_t *half)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
    int exponent = (int)(bits >> 52 & 0x7FF);
    uint64_t fraction = bits & 0xFFFFFFFFFFFFFu;
    if (exponent == 0x7FF) {
        uint16_t payload = (uint16_t)(fraction >> 42);
        *half = (uint16_t)(sign | 0x7C00 | (fraction != 0 && payload == 0 ? 0x200 : payload));
        return true;
    }
    int e = exponent - 1023 + 15; /* biased for binary16 */
    if (e >= 31) {
        *half = sign | 0x7C00;
        return false;
    }
    if (e < -10) { /* below half of the smallest subnormal; zero itself included */
        *half = sign;
        return exponent == 0 && fraction == 0;
    }
    int drop = 42;
    uint64_t significand = fraction | (uint64_t)1 << 52, base = 0;
    if (e <= 0)
        drop += 1 - e;
    else
        base = (uint64_t)(e - 1) << 10;
    uint64_t kept = significand >> drop, rest = significand & (((uint64_t)1 << drop) - 1);
    uint64_t tie = (uint64_t)1 << (drop - 1);
    kept += rest > tie || (rest == tie && (kept & 1));
    *half = (uint16_t)(sign | (base + kept)); /* a carry moves into the exponent, at the top into infinity */
    return rest == 0;
}

bool num_double_fits_float(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7FF) - 1023;
    uint64_t fraction = bits & 0xFFFFFFFFFFFFFu;
    if (exponent == 1024 || (exponent == -1023 && fraction == 0))
        return true;
    if (exponent > 127 || exponent < -149)
        return false;
    int drop = exponent >= -126 ? 29 : 29 + (-126 - exponent);
    return ((fraction | (uint64_t)1 << 52) & (((uint64_t)1 << drop) - 1)) == 0;
}
