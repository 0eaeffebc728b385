/* Numbers by exact value. A double is m * 2^e; its decimal expansion ends, and is written out where it has to
 * be compared with decimal text: in at most 767 significant digits. */
#include "value/exact.h"

#include <math.h>

#include "base/hash.h"
#include "base/number.h"

enum {
    LIMB_DIGITS = 9,
    LIMBS = 86, /* 767 digits of 5^1074 * 2^53 */
    EXACT_SIZE = LIMBS * LIMB_DIGITS + 16
};

#define LIMB_BASE 1000000000u

/* A whole number in base 10^9, the least limb first. */
struct big {
    uint32_t limb[LIMBS];
    int size;
};

static void big_multiply(struct big *big, uint32_t by)
{
    uint64_t carry = 0;
    for (int i = 0; i < big->size; i++) {
        carry += (uint64_t)big->limb[i] * by;
        big->limb[i] = (uint32_t)(carry % LIMB_BASE);
        carry /= LIMB_BASE;
    }
    while (carry) {
        big->limb[big->size++] = (uint32_t)(carry % LIMB_BASE);
        carry /= LIMB_BASE;
    }
}

static void big_power(struct big *big, uint32_t base, uint32_t chunk, int chunk_power, int power)
{
    for (; power >= chunk_power; power -= chunk_power) {
        big_multiply(big, chunk);
    }
    while (power-- > 0) {
        big_multiply(big, base);
    }
}

static size_t big_print(char *out, const struct big *big)
{
    char *p = out + num_print_u64(out, big->limb[big->size - 1]);
    for (int i = big->size - 2; i >= 0; i--) {
        uint32_t limb = big->limb[i];
        for (int d = LIMB_DIGITS - 1; d >= 0; d--, limb /= 10) {
            p[d] = (char)('0' + limb % 10);
        }
        p += LIMB_DIGITS;
    }
    return (size_t)(p - out);
}

/* The exact value of a finite double as JSON number text; EXACT_SIZE bytes are enough. */
static size_t print_real(char *out, double value)
{
    int exponent;
    uint64_t mantissa = (uint64_t)ldexp(frexp(fabs(value), &exponent), 53);
    char *p = out;
    if (mantissa == 0) {
        *p = '0';
        return 1;
    }
    int zeros = __builtin_ctzll(mantissa);
    mantissa >>= zeros;
    exponent += zeros - 53;
    if (value < 0) {
        *p++ = '-';
    }
    struct big big = {.size = 1};
    big.limb[0] = (uint32_t)(mantissa % LIMB_BASE);
    for (mantissa /= LIMB_BASE; mantissa; mantissa /= LIMB_BASE) {
        big.limb[big.size++] = (uint32_t)(mantissa % LIMB_BASE);
    }
    if (exponent >= 0) {
        big_power(&big, 2, 1u << 29, 29, exponent);
        return (size_t)(p - out) + big_print(p, &big);
    }
    big_power(&big, 5, 1220703125u, 13, -exponent); /* m / 2^n = m * 5^n / 10^n */
    p += big_print(p, &big);
    *p++ = 'e';
    return (size_t)(p - out) + num_print_i64(p, exponent);
}

/* The number as decimal text: its own, or made in scratch. Not for NaN and infinities. */
static const char *text_of(const weir_val *number, char *scratch, size_t *len)
{
    switch (tape_kind(number)) {
    case WEIR_KIND_UINT:
        *len = num_print_u64(scratch, number->v.u);
        return scratch;
    case WEIR_KIND_INT:
        *len = num_print_i64(scratch, number->v.i);
        return scratch;
    case WEIR_KIND_REAL:
        *len = print_real(scratch, number->v.d);
        return scratch;
    default:
        *len = (size_t)tape_length(number);
        return tape_text(number);
    }
}

static bool real_equals_integer(double real, const weir_val *integer)
{
    if (tape_kind(integer) == WEIR_KIND_UINT) {
        return real >= 0 && real < 0x1p64 && (double)(uint64_t)real == real && (uint64_t)real == integer->v.u;
    }
    return real < 0 && real >= -0x1p63 && (double)(int64_t)real == real && (int64_t)real == integer->v.i;
}

bool exact_equal(const weir_val *a, const weir_val *b)
{
    weir_kind ka = tape_kind(a), kb = tape_kind(b);
    if (ka > kb) {
        const weir_val *swap = a;
        a = b;
        b = swap;
        weir_kind kind = ka;
        ka = kb;
        kb = kind;
    }
    if (kb < WEIR_KIND_REAL) {
        return ka == kb && a->v.u == b->v.u;
    }
    if (kb == WEIR_KIND_REAL) {
        if (ka == WEIR_KIND_REAL) {
            return a->v.d == b->v.d || (isnan(a->v.d) && isnan(b->v.d));
        }
        return real_equals_integer(b->v.d, a);
    }
    /* Decimal text: what is equal also rounds to the same double, which spares most expansions. */
    double da, db;
    if (ka == WEIR_KIND_REAL) {
        if (!isfinite(a->v.d) || !weir_val_f64(b, &db) || db != a->v.d) {
            return false;
        }
    } else if (weir_val_f64(a, &da) && weir_val_f64(b, &db) && da != db) {
        return false;
    }
    char scratch_a[EXACT_SIZE], scratch_b[EXACT_SIZE];
    size_t la, lb;
    const char *ta = text_of(a, scratch_a, &la), *tb = text_of(b, scratch_b, &lb);
    return num_compare_decimal(ta, la, tb, lb) == 0;
}

/* ---- hashing ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The exponent after an 'e', saturated. */
static int64_t scan_exponent(const char *p, const char *end)
{
    const int64_t most = (int64_t)1 << 57;
    bool negative = *p == '-';
    int64_t value = 0;
    for (p += !is_digit(*p); p < end; p++) {
        value = value < most ? value * 10 + (*p - '0') : most;
    }
    return negative ? -value : value;
}

/* Hashes the significant digits (a point may be among them) without the zeros before and behind, in pieces.
 */
static uint64_t hash_digits(const char *p, const char *end, uint64_t hash)
{
    char piece[64];
    size_t size = 0;
    for (; p < end; p++) {
        if (is_digit(*p)) {
            piece[size++] = *p;
            if (size == sizeof piece) {
                hash = hash_bytes(piece, size, hash);
                size = 0;
            }
        }
    }
    return hash_bytes(piece, size, hash);
}

static uint64_t hash_decimal(const char *text, size_t len, uint64_t seed)
{
    const char *end = text + len, *digits = text + (*text == '-');
    const char *e = digits;
    while (e < end && *e != 'e' && *e != 'E') {
        e++;
    }
    const char *point = memchr(digits, '.', (size_t)(e - digits));
    const char *first = digits, *last = e; /* of the digits that are not 0 at the ends */
    while (first < e && !(is_digit(*first) && *first != '0')) {
        first++;
    }
    if (first == e) {
        return hash_bytes("0", 1, seed);
    }
    while (!(is_digit(last[-1]) && last[-1] != '0')) {
        last--;
    }
    /* The exponent of the last digit that counts. */
    int64_t exponent = e < end ? scan_exponent(e + 1, end) : 0;
    if (!point) {
        point = e;
    }
    exponent += last <= point ? point - last : point + 1 - last;
    const int64_t most = (int64_t)1 << 56;
    if (exponent > most || exponent < -most) {
        return hash_bytes(text == digits ? "+" : "-", 1, seed);
    }
    uint64_t hash = hash_digits(first, last, seed ^ (text != digits));
    return hash_bytes(&exponent, sizeof exponent, hash);
}

uint64_t exact_hash(const weir_val *number, uint64_t seed)
{
    if (tape_kind(number) == WEIR_KIND_REAL && !isfinite(number->v.d)) {
        return hash_bytes(isnan(number->v.d) ? "n" : number->v.d > 0 ? "i" : "j", 1, seed);
    }
    char scratch[EXACT_SIZE];
    size_t len;
    const char *text = text_of(number, scratch, &len);
    return hash_decimal(text, len, seed);
}
