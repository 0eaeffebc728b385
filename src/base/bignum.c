/* Base conversion of big integers; see bignum.h.
 *
 * Numbers are little-endian arrays of 16-bit digits in base 10^4 or 2^16. Products are convolutions of such
 * digits: with fewer than 2^32 of them no coefficient reaches the modulus, so one prime is enough. */
#include "base/bignum.h"

#include "base/memory.h"

#define BLOCK_UNITS 64
#define PRIME 0xFFFFFFFF00000001u
#define EPSILON 0xFFFFFFFFu /* 2^64 mod PRIME */

/* One direction: input in units of 32 bits or 9 decimal digits, output in digits of base 10^4 or 2^16. */
struct conversion {
    const uint8_t *source;
    size_t size;
    bool to_decimal;
    uint32_t base;
    uint64_t unit; /* 2^32 or 10^9 */
    size_t unit_size;
};

/* ---- arithmetic modulo PRIME; all values are below it ---- */

static inline uint64_t mod_add(uint64_t a, uint64_t b)
{
    uint64_t sum = a + b;
    return sum < a || sum >= PRIME ? sum - PRIME : sum;
}

static inline uint64_t mod_sub(uint64_t a, uint64_t b)
{
    return a >= b ? a - b : a - b + PRIME;
}

static inline uint64_t mod_mul(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    unsigned __int128 product = (unsigned __int128)a * b;
    uint64_t low = (uint64_t)product, high = (uint64_t)(product >> 64);
#else
    uint64_t a0 = a & EPSILON, a1 = a >> 32, b0 = b & EPSILON, b1 = b >> 32;
    uint64_t mid = a1 * b0 + (a0 * b0 >> 32), mid2 = a0 * b1 + (mid & EPSILON);
    uint64_t low = mid2 << 32 | (a0 * b0 & EPSILON), high = a1 * b1 + (mid >> 32) + (mid2 >> 32);
#endif
    /* 2^64 = EPSILON and 2^96 = -1 */
    uint64_t part = low - (high >> 32);
    if (low < high >> 32) {
        part -= EPSILON;
    }
    uint64_t sum = part + (high & EPSILON) * EPSILON;
    if (sum < part) {
        sum += EPSILON;
    }
    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t mod_power(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) {
            result = mod_mul(result, base);
        }
        base = mod_mul(base, base);
    }
    return result;
}

/* ---- the transform; `roots` holds the n/2 powers of a primitive n-th root of one ---- */

static void fill_roots(uint64_t *roots, size_t n)
{
    uint64_t root = mod_power(7, (PRIME - 1) / n), power = 1;
    for (size_t i = 0; i < n / 2; i++) {
        roots[i] = power;
        power = mod_mul(power, root);
    }
}

/* Natural order in, bit-reversed order out. */
static void transform(uint64_t *a, size_t n, const uint64_t *roots)
{
    for (size_t half = n / 2, stride = 1; half; half /= 2, stride *= 2) {
        for (size_t block = 0; block < n; block += 2 * half) {
            for (size_t i = 0; i < half; i++) {
                uint64_t u = a[block + i], v = a[block + half + i];
                a[block + i] = mod_add(u, v);
                a[block + half + i] = mod_mul(mod_sub(u, v), roots[i * stride]);
            }
        }
    }
}

/* Bit-reversed order in, natural order out, divided by n. The inverse of root^k is -root^(n/2-k). */
static void transform_back(uint64_t *a, size_t n, const uint64_t *roots)
{
    for (size_t half = 1, stride = n / 2; half < n; half *= 2, stride /= 2) {
        for (size_t block = 0; block < n; block += 2 * half) {
            for (size_t i = 0; i < half; i++) {
                uint64_t u = a[block + i], v = a[block + half + i];
                v = i ? mod_sub(0, mod_mul(v, roots[n / 2 - i * stride])) : v;
                a[block + i] = mod_add(u, v);
                a[block + half + i] = mod_sub(u, v);
            }
        }
    }
    uint64_t scale = mod_power(n, PRIME - 2);
    for (size_t i = 0; i < n; i++) {
        a[i] = mod_mul(a[i], scale);
    }
}

/* ---- digits ---- */

static uint32_t unit_at(const struct conversion *c, size_t index)
{
    size_t end = c->size - index * c->unit_size;
    size_t begin = end > c->unit_size ? end - c->unit_size : 0;
    uint32_t value = 0;
    for (size_t i = begin; i < end; i++) {
        value = c->to_decimal ? value << 8 | c->source[i] : value * 10 + (c->source[i] - '0');
    }
    return value;
}

/* digits = digits * unit + add; returns the new length. */
static size_t multiply_add(uint16_t *digits, size_t len, const struct conversion *c, uint32_t add)
{
    uint64_t carry = add;
    if (c->to_decimal) {
        for (size_t i = 0; i < len; i++) {
            carry += (uint64_t)digits[i] << 32;
            digits[i] = (uint16_t)(carry % 10000);
            carry /= 10000;
        }
    } else {
        for (size_t i = 0; i < len; i++) {
            carry += digits[i] * c->unit;
            digits[i] = (uint16_t)carry;
            carry >>= 16;
        }
    }
    for (; carry; carry /= c->base) {
        digits[len++] = (uint16_t)(carry % c->base);
    }
    return len;
}

/* The first `count` digits of sum + a, carried. */
static void carry_out(uint16_t *a, const uint64_t *sum, size_t sum_len, size_t count, uint32_t base)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < count; i++) {
        carry += (i < sum_len ? sum[i] : 0) + a[i];
        a[i] = (uint16_t)(base == 10000 ? carry % 10000 : carry & 0xFFFF);
        carry = base == 10000 ? carry / 10000 : carry >> 16;
    }
}

static void load(uint64_t *to, size_t n, const uint16_t *digits, size_t len)
{
    for (size_t i = 0; i < n; i++) {
        to[i] = i < len ? digits[i] : 0;
    }
}

static void multiply_points(uint64_t *a, const uint64_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        a[i] = mod_mul(a[i], b[i]);
    }
}

/* Joins neighbours until one block is left: `blocks` (a power of two) blocks of `cap` digits; power is the
 * value of one block's range, `cap` digits long; work has room for 5/2 times the largest transform. */
static void join_blocks(uint16_t *digits, size_t cap, size_t blocks, uint16_t *power, uint64_t *work,
                        uint32_t base)
{
    for (; blocks > 1; blocks /= 2, cap *= 2) {
        size_t n = 1;
        while (n < 2 * cap) {
            n *= 2;
        }
        uint64_t *factor = work, *product = work + n, *roots = work + 2 * n;
        fill_roots(roots, n);
        load(factor, n, power, cap);
        transform(factor, n, roots);
        for (size_t i = 0; i < blocks; i += 2) {
            uint16_t *low = digits + i * cap;
            load(product, n, low + cap, cap);
            transform(product, n, roots);
            multiply_points(product, factor, n);
            transform_back(product, n, roots);
            memset(low + cap, 0, cap * sizeof *low);
            carry_out(low, product, n, 2 * cap, base);
        }
        if (blocks > 2) {
            memcpy(product, factor, n * sizeof *product);
            multiply_points(product, factor, n);
            transform_back(product, n, roots);
            memset(power, 0, 2 * cap * sizeof *power);
            carry_out(power, product, n, 2 * cap, base);
        }
    }
}

static bool append_digits(const struct conversion *c, const uint16_t *digits, size_t len, weir_buffer *out)
{
    while (len && !digits[len - 1]) {
        len--;
    }
    size_t width = c->to_decimal ? 4 : 2, start = out->len;
    if (len > (SIZE_MAX - 1) / width || !weir_buffer_reserve(out, len * width + 1)) {
        return false;
    }
    char *to = out->data + start;
    for (size_t i = len; i-- > 0;) {
        uint32_t digit = digits[i];
        for (size_t k = width; k-- > 0;) {
            to[k] = (char)(c->to_decimal ? '0' + digit % 10 : digit & 0xFF);
            digit = c->to_decimal ? digit / 10 : digit >> 8;
        }
        to += width;
    }
    char zero = c->to_decimal ? '0' : '\0';
    size_t size = len * width, skip = 0;
    while (skip < size && out->data[start + skip] == zero) {
        skip++;
    }
    memmove(out->data + start, out->data + start + skip, size - skip);
    out->len = start + size - skip;
    if (size == skip && c->to_decimal) {
        out->data[out->len++] = '0';
    }
    out->data[out->len] = '\0';
    return true;
}

/* Converts each block by itself; blocks beyond the input stay zero. */
static void convert_blocks(const struct conversion *c, uint16_t *digits, size_t cap, size_t units)
{
    for (size_t first = 0; first < units; first += BLOCK_UNITS) {
        size_t last = units - first < BLOCK_UNITS ? units : first + BLOCK_UNITS;
        uint16_t *block = digits + first / BLOCK_UNITS * cap;
        size_t len = 0;
        for (size_t i = last; i-- > first;) {
            len = multiply_add(block, len, c, unit_at(c, i));
        }
    }
}

static bool convert(const struct conversion *c, weir_buffer *out)
{
    uint16_t power[BLOCK_UNITS * 4] = {1};
    size_t cap = 1, blocks = 1, units = c->size / c->unit_size + (c->size % c->unit_size != 0);
    for (int i = 0; i < BLOCK_UNITS; i++) {
        cap = multiply_add(power, cap, c, 0);
    }
    if (units <= BLOCK_UNITS) {
        uint16_t digits[BLOCK_UNITS * 4] = {0};
        convert_blocks(c, digits, cap, units);
        return append_digits(c, digits, cap, out);
    }
    while (blocks < units / BLOCK_UNITS + 1) {
        blocks *= 2;
    }
    /* One allocation: transforms first (5/2 of at most twice the digits' number), then digits, then the
     * power. */
    size_t digits_count, work_count = 1, total;
    if (__builtin_mul_overflow(blocks, cap, &digits_count) || digits_count > SIZE_MAX / 64) {
        return false;
    }
    while (work_count < digits_count) {
        work_count *= 2;
    }
    work_count = work_count / 2 * 5;
    total = work_count * sizeof(uint64_t) + 2 * digits_count * sizeof(uint16_t);
    uint64_t *work = memory_get(out->allocator, total);
    if (!work) {
        return false;
    }
    uint16_t *digits = (uint16_t *)(void *)(work + work_count), *powers = digits + digits_count;
    memset(digits, 0, 2 * digits_count * sizeof *digits);
    memcpy(powers, power, cap * sizeof *power);
    convert_blocks(c, digits, cap, units);
    join_blocks(digits, cap, blocks, powers, work, c->base);
    bool ok = append_digits(c, digits, digits_count, out);
    memory_put(out->allocator, work, total);
    return ok;
}

bool bignum_to_decimal(const uint8_t *bytes, size_t n, weir_buffer *out)
{
    struct conversion c = {bytes, n, true, 10000, UINT64_C(1) << 32, 4};
    return convert(&c, out);
}

bool bignum_from_decimal(const char *digits, size_t n, weir_buffer *out)
{
    struct conversion c = {(const uint8_t *)digits, n, false, 65536, 1000000000, 9};
    return convert(&c, out);
}
