/*
 * Scanning kernels in plain C: eight bytes at a time in a 64-bit word.
 *
 * Words are read as little-endian, so the first byte is the lowest. Byte tests are exact in every byte (no
 * borrow into the neighbour), hence a count of trailing zeros finds the first match.
 */
#include "simd.h"
#include "utf8.h"

#include <string.h>

#define ONES 0x0101010101010101u
#define LOWS 0x7F7F7F7F7F7F7F7Fu
#define HIGHS 0x8080808080808080u

static inline uint64_t load(const uint8_t *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The high bit of each byte that is zero. */
static inline uint64_t zero_bytes(uint64_t word)
{
    return ~(((word & LOWS) + LOWS) | word | LOWS);
}

static inline uint64_t equal_bytes(uint64_t word, uint8_t byte)
{
    return zero_bytes(word ^ (ONES * byte));
}

static inline size_t first_byte(uint64_t mask)
{
    return (size_t)__builtin_ctzll(mask) / 8;
}

/* Up to seven bytes, the missing ones filled. */
static inline uint64_t load_rest(const uint8_t *p, size_t n, uint8_t filler)
{
    uint64_t word = ONES * filler;
    for (size_t i = n; i > 0; i--)
        word = word << 8 | p[i - 1];
    return word;
}

/*
 * A search, given the word's mask of matches as an expression. The last bytes form a word with a filler that
 * matches, which gives n when nothing else does.
 */
#define SEARCH(MASK, FILLER)                         \
    size_t i = 0;                                    \
    for (; n - i >= 8; i += 8) {                     \
        uint64_t word = load(p + i), mask = MASK;    \
        if (mask != 0)                               \
            return i + first_byte(mask);             \
    }                                                \
    if (i == n)                                      \
        return n;                                    \
    uint64_t word = load_rest(p + i, n - i, FILLER); \
    return i + first_byte(MASK)

static size_t find_quote_escape_control(const uint8_t *p, size_t n)
{
    SEARCH(equal_bytes(word, '"') | equal_bytes(word, '\\') | zero_bytes(word & (ONES * 0xE0)), 0);
}

static size_t skip_json_space(const uint8_t *p, size_t n)
{
    SEARCH(HIGHS & ~(equal_bytes(word, ' ') | equal_bytes(word, '\t') | equal_bytes(word, '\n') |
                     equal_bytes(word, '\r')),
           0);
}

static size_t find_non_ascii(const uint8_t *p, size_t n)
{
    SEARCH(word & HIGHS, 0xFF);
}

static size_t find_byte2(const uint8_t *p, size_t n, uint8_t a, uint8_t b)
{
    SEARCH(equal_bytes(word, a) | equal_bytes(word, b), a);
}

static size_t find_byte4(const uint8_t *p, size_t n, const uint8_t set[4])
{
    SEARCH(equal_bytes(word, set[0]) | equal_bytes(word, set[1]) | equal_bytes(word, set[2]) |
               equal_bytes(word, set[3]),
           set[0]);
}

/* Sum of the high bits: each moved down, then added up in the top byte by one multiplication. */
static inline size_t count_high_bits(uint64_t mask)
{
    return (size_t)((mask >> 7) * ONES >> 56);
}

static size_t utf8_count_starts(const uint8_t *p, size_t n)
{
    size_t count = 0, i = 0;
    for (; n - i >= 8; i += 8) {
        uint64_t word = load(p + i);
        count += count_high_bits(HIGHS & ~(word & ~(word << 1))); /* continuation: 10xxxxxx */
    }
    for (; i < n; i++)
        count += (p[i] & 0xC0) != 0x80;
    return count;
}

static size_t count_byte(const uint8_t *p, size_t n, uint8_t byte)
{
    size_t count = 0, i = 0;
    for (; n - i >= 8; i += 8)
        count += count_high_bits(equal_bytes(load(p + i), byte));
    for (; i < n; i++)
        count += p[i] == byte;
    return count;
}

static bool valid(const uint8_t *p, size_t n)
{
    size_t i = 0;
    while (i < n) {
        if (p[i] < 0x80) {
            while (n - i >= 8 && (load(p + i) & HIGHS) == 0)
                i += 8;
            while (i < n && p[i] < 0x80)
                i++;
            continue;
        }
        uint32_t scalar;
        int length = utf8_decode(p + i, n - i, &scalar);
        if (length <= 0)
            return false;
        i += (size_t)length;
    }
    return true;
}

static const struct simd_kernels kernels = {
    .name = "portable",
    .utf8_valid = valid,
    .utf8_count = utf8_count_starts,
    .count_byte = count_byte,
    .find_quote_escape_control = find_quote_escape_control,
    .skip_json_space = skip_json_space,
    .find_non_ascii = find_non_ascii,
    .find_byte2 = find_byte2,
    .find_byte4 = find_byte4,
};

const struct simd_kernels *simd_portable(void)
{
    return &kernels;
}
