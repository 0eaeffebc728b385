/* Taking decimal texts apart and putting them together; see decimal.h. */
#include "text/decimal.h"

#include <math.h>

#include "base/number.h"

/* A signed decimal integer; false if it does not fit. */
static bool read_exponent(const char *p, const char *end, int64_t *out)
{
    bool negative = *p == '-';
    uint64_t value = 0;
    for (p += *p == '-' || *p == '+'; p < end; p++) {
        if (__builtin_mul_overflow(value, UINT64_C(10), &value) ||
            __builtin_add_overflow(value, (uint64_t)(*p - '0'), &value)) {
            return false;
        }
    }
    if (value > (uint64_t)INT64_MAX + negative) {
        return false;
    }
    *out = (int64_t)(negative ? 0 - value : value);
    return true;
}

bool decimal_split(const char *text, size_t len, weir_buffer *digits, struct decimal *out)
{
    const char *p = text, *end = text + len;
    size_t start = digits->len;
    int64_t fraction = 0;
    memset(out, 0, sizeof *out);
    out->integer = true;
    out->negative = len && *p == '-';
    p += out->negative;
    if (!weir_buffer_reserve(digits, len)) {
        return false;
    }
    char *to = digits->data + start;
    for (bool after_point = false; p < end && *p != 'e' && *p != 'E'; p++) {
        if (*p == '.') {
            after_point = true;
            out->integer = false;
            continue;
        }
        fraction += after_point;
        if (to > digits->data + start || *p != '0') {
            *to++ = *p;
        }
    }
    if (to == digits->data + start) {
        *to++ = '0';
    }
    out->size = (size_t)(to - (digits->data + start));
    digits->len = start + out->size;
    if (p < end) {
        out->integer = false;
        out->huge = !read_exponent(p + 1, end, &out->exponent);
    }
    out->huge = out->huge || __builtin_sub_overflow(out->exponent, fraction, &out->exponent);
    return true;
}

static bool append(weir_buffer *out, const char *text, size_t len)
{
    return weir_buffer_append(out, text, len);
}

bool decimal_join(bool negative, const char *digits, size_t size, int64_t exponent, weir_buffer *out)
{
    char text[NUM_I64_SIZE];
    if (negative && !append(out, "-", 1)) {
        return false;
    }
    /* place: of the point, in digits from the first one */
    int64_t place;
    if (exponent < 0 && !__builtin_add_overflow(exponent, (int64_t)size, &place) && place > -6) {
        if (place > 0) {
            return append(out, digits, (size_t)place) && append(out, ".", 1) &&
                   append(out, digits + place, size - (size_t)place);
        }
        return append(out, "0.00000", 2 + (size_t)-place) && append(out, digits, size);
    }
    /* One digit before the point, if the larger exponent that this needs can be written. */
    int64_t shown = exponent;
    bool point = size > 1 && !__builtin_add_overflow(exponent, (int64_t)(size - 1), &shown);
    bool ok = point ? append(out, digits, 1) && append(out, ".", 1) && append(out, digits + 1, size - 1)
                    : append(out, digits, size);
    return ok && append(out, "e", 1) && append(out, text, num_print_i64(text, point ? shown : exponent));
}

bool decimal_is_double(const char *text, size_t len)
{
    num_token token;
    char shortest[NUM_DOUBLE_SIZE];
    if (!num_scan_json(text, text + len, &token)) {
        return false;
    }
    double value = num_token_to_double(&token, text);
    return isfinite(value) &&
           num_compare_decimal(text, len, shortest, num_print_double(shortest, value)) == 0;
}
