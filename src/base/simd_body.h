/*
 * The scanning kernels, written once over a vector type that the including file defines:
 *
 *   VEC, VEC_SIZE             the vector and its bytes (16, 32 or 64)
 *   KERNEL_NAME               its name in the table
 *   vec_load(p), vec_zero(), vec_or(a, b), vec_sub(a, b), vec_any(v)
 *   vec_equal(v, byte)        all ones where equal             vec_starts(v)   all ones where no continuation
 * byte vec_sum(v)                sum of the bytes, unsigned       vec_ascii(v)    whether no byte is above
 * 0x7F vec_utf8_error(p)         nonzero where the bytes at p, after p[-3..-1], break UTF-8 MASK,
 * mask_first(m)       lanes as an integer, and the first one set (m != 0) mask_special(v), mask_not_space(v),
 * mask_non_ascii(v), mask_2(v, a, b), mask_4(v, set) vec_load_rest(p, n), mask_low(n), vec_utf8_error_rest(p,
 * n, first) optional: a load of n < VEC_SIZE bytes that touches no others, zeros for the rest, and the errors
 * of those bytes (nothing before p is read if they are the first)
 */
#include <string.h>

#define BLOCK 64

/* Searches: whole vectors, then one that ends with the input (its known bytes cannot match); short inputs in
 * words. */
#ifdef vec_load_rest
#define SEARCH(MASK_OF, PORTABLE)              \
    size_t i = 0;                              \
    for (; n - i >= VEC_SIZE; i += VEC_SIZE) { \
        VEC v = vec_load(p + i);               \
        MASK mask = MASK_OF;                   \
        if (mask != 0)                         \
            return i + mask_first(mask);       \
    }                                          \
    if (i == n)                                \
        return n;                              \
    VEC v = vec_load_rest(p + i, n - i);       \
    MASK mask = (MASK_OF)&mask_low(n - i);     \
    return mask != 0 ? i + mask_first(mask) : n
#else
#define SEARCH(MASK_OF, PORTABLE)              \
    if (n < VEC_SIZE)                          \
        return simd_portable()->PORTABLE;      \
    size_t i = 0;                              \
    for (; n - i >= VEC_SIZE; i += VEC_SIZE) { \
        VEC v = vec_load(p + i);               \
        MASK mask = MASK_OF;                   \
        if (mask != 0)                         \
            return i + mask_first(mask);       \
    }                                          \
    if (i == n)                                \
        return n;                              \
    i = n - VEC_SIZE;                          \
    VEC v = vec_load(p + i);                   \
    MASK mask = MASK_OF;                       \
    return mask != 0 ? i + mask_first(mask) : n
#endif

static size_t find_quote_escape_control(const uint8_t *p, size_t n)
{
    SEARCH(mask_special(v), find_quote_escape_control(p, n));
}

static size_t skip_json_space(const uint8_t *p, size_t n)
{
    SEARCH(mask_not_space(v), skip_json_space(p, n));
}

static size_t find_non_ascii(const uint8_t *p, size_t n)
{
    SEARCH(mask_non_ascii(v), find_non_ascii(p, n));
}

static size_t find_byte2(const uint8_t *p, size_t n, uint8_t a, uint8_t b)
{
    SEARCH(mask_2(v, a, b), find_byte2(p, n, a, b));
}

static size_t find_byte4(const uint8_t *p, size_t n, const uint8_t set[4])
{
    SEARCH(mask_4(v, set), find_byte4(p, n, set));
}

/* Counts: matches are subtracted as -1 per byte, and summed before a byte can overflow. */
#define COUNT(MATCHES, PORTABLE)                                     \
    size_t count = 0, i = 0;                                         \
    while (n - i >= VEC_SIZE) {                                      \
        VEC sums = vec_zero();                                       \
        size_t vectors = (n - i) / VEC_SIZE;                         \
        for (size_t j = vectors < 255 ? vectors : 255; j > 0; j--) { \
            VEC v = vec_load(p + i);                                 \
            sums = vec_sub(sums, MATCHES);                           \
            i += VEC_SIZE;                                           \
        }                                                            \
        count += vec_sum(sums);                                      \
    }                                                                \
    return count + simd_portable()->PORTABLE

static size_t utf8_count_starts(const uint8_t *p, size_t n)
{
    COUNT(vec_starts(v), utf8_count(p + i, n - i));
}

static size_t count_byte(const uint8_t *p, size_t n, uint8_t byte)
{
    COUNT(vec_equal(v, byte), count_byte(p + i, n - i, byte));
}

static inline bool block_ascii(const uint8_t *p)
{
    VEC all = vec_load(p);
    for (size_t i = VEC_SIZE; i < BLOCK; i += VEC_SIZE)
        all = vec_or(all, vec_load(p + i));
    return vec_ascii(all);
}

static inline VEC block_error(const uint8_t *p)
{
    VEC error = vec_utf8_error(p);
    for (size_t i = VEC_SIZE; i < BLOCK; i += VEC_SIZE)
        error = vec_or(error, vec_utf8_error(p + i));
    return error;
}

/* The block at p + at, or what is left of it, between the bytes before it (zeros at the start) and zeros. */
#ifdef vec_load_rest
static VEC padded_error(const uint8_t *p, size_t at, size_t n)
{
    return vec_utf8_error_rest(p + at, n, at == 0);
}
#else
static VEC padded_error(const uint8_t *p, size_t at, size_t n)
{
    uint8_t buffer[16 + BLOCK] = {0};
    if (at > 0)
        memcpy(buffer + 13, p + at - 3, 3);
    memcpy(buffer + 16, p + at, n);
    return block_error(buffer + 16);
}
#endif

/*
 * Blocks without a high bit are passed over, except right after one with: an unfinished sequence at its end
 * shows in the next block only. The rest is at most 63 bytes, so a zero follows it and shows what the text's
 * end cuts off.
 */
static bool valid(const uint8_t *p, size_t n)
{
    VEC error = vec_zero();
    bool pending = false;
    size_t i = 0;
    for (; n - i >= BLOCK; i += BLOCK) {
        bool ascii = block_ascii(p + i);
        if (ascii && !pending)
            continue;
        pending = !ascii;
        error = vec_or(error, i > 0 ? block_error(p + i) : padded_error(p, 0, BLOCK));
    }
    if (pending || find_non_ascii(p + i, n - i) < n - i)
        error = vec_or(error, padded_error(p, i, n - i));
    return !vec_any(error);
}

static const struct simd_kernels kernels = {
    .name = KERNEL_NAME,
    .utf8_valid = valid,
    .utf8_count = utf8_count_starts,
    .count_byte = count_byte,
    .find_quote_escape_control = find_quote_escape_control,
    .skip_json_space = skip_json_space,
    .find_non_ascii = find_non_ascii,
    .find_byte2 = find_byte2,
    .find_byte4 = find_byte4,
};
