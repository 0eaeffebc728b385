/* Integers beyond 64 bits: range, conversion within limits, policy. */
#include "text/integer.h"

#include <math.h>

#include "base/bignum.h"

bool integer_admit(weir_reader *r, uint64_t len, bool is_key, uint64_t offset)
{
    if (len > r->account.limit.number) {
        return reader_fail_point(r, WEIR_RESOURCE_NUMBER, r->account.limit.number, len, offset);
    }
    return is_key ? reader_key(r, len, offset) : reader_number(r, len, offset);
}

/* Rounds once: the first 64 bits, with all others in the last of them. */
static double nearest_double(const uint8_t *p, size_t n)
{
    uint64_t top = load_be64(p);
    int shift = __builtin_clzll(top);
    uint64_t below = 0;
    if (shift) {
        top = top << shift | (n > 8 ? p[8] >> (8 - shift) : 0);
        below = n > 8 ? (uint8_t)(p[8] << shift) : 0;
    } else {
        below = n > 8 ? p[8] : 0;
    }
    for (size_t i = 9; i < n && !below; i++) {
        below = p[i];
    }
    top |= below != 0;
    return n > 1024 ? (double)INFINITY : ldexp((double)top, (int)(8 * (n - 8)) - shift);
}

static bool out_of_range(weir_reader *r, bool negative, const uint8_t *p, size_t n, bool is_key,
                         uint64_t offset, weir_code range)
{
    weir_numbers policy = r->options.numbers;
    uint64_t least = bignum_least_digits(n) + negative;
    if (least > r->account.limit.number) {
        return integer_admit(r, least, is_key, offset);
    }
    if (policy == WEIR_NUMBERS_STRICT || policy == WEIR_NUMBERS_DOUBLE) {
        double value = nearest_double(p, n);
        if (policy == WEIR_NUMBERS_STRICT || isinf(value)) {
            return reader_fail(r, range, offset);
        }
        if (!is_key && !reader_scalar(r, offset)) {
            return false;
        }
        reader_event(r, WEIR_KIND_REAL, offset)->v.d = negative ? -value : value;
        return true;
    }
    weir_buffer_clear(&r->text);
    if ((negative && !weir_buffer_append(&r->text, "-", 1)) || !bignum_to_decimal(p, n, &r->text)) {
        return reader_fail(r, WEIR_E_MEMORY, offset);
    }
    if (!integer_admit(r, r->text.len, is_key, offset)) {
        return false;
    }
    weir_event *event = reader_event(r, WEIR_KIND_NUMBER, offset);
    event->text = r->text.data;
    event->len = r->text.len;
    return true;
}

bool integer_event(weir_reader *r, bool negative, const uint8_t *magnitude, size_t n, bool is_key,
                   uint64_t offset, weir_code range)
{
    while (n && !*magnitude) {
        magnitude++;
        n--;
    }
    uint64_t value = 0;
    for (size_t i = 0; i < n && i < 9; i++) {
        value = value << 8 | magnitude[i];
    }
    if (n > 8 || (negative && value > (uint64_t)INT64_MAX + 1)) {
        /* -(2^63 + 1) … -(2^64 - 1) have 8 bytes, all others more */
        return out_of_range(r, negative, magnitude, n, is_key, offset, range);
    }
    if (!is_key && !reader_scalar(r, offset)) {
        return false;
    }
    bool below = negative && value;
    weir_event *event = reader_event(r, below ? WEIR_KIND_INT : WEIR_KIND_UINT, offset);
    if (below) {
        event->v.i = -(int64_t)(value - 1) - 1;
    } else {
        event->v.u = value;
    }
    return true;
}
