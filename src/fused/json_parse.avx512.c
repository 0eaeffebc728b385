/* The JSON document parser for AVX-512 with VBMI2 (Ice Lake, Zen 4 and later): a block is one register, its
 * masks come straight out of comparisons, and its index is compressed without a branch. */
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512VBMI2__) && \
    defined(__x86_64__)
#include "fused/json_string.h"

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#define KERNEL_INLINE static inline __attribute__((always_inline))

typedef struct block_masks {
    uint64_t quote, backslash, space, control;
} block_masks;

typedef __m512i block_bytes;

KERNEL_INLINE __m512i load64(const uint8_t *p)
{
    return _mm512_loadu_si512((const void *)p);
}

KERNEL_INLINE __m512i repeat16(__m128i v)
{
    return _mm512_broadcast_i32x4(v);
}

/* White space by the low nibble: the byte itself where it is one, else something that never compares equal.
 */
/* A mask in a general register, once. GCC would rather fold what follows into masked comparisons, which puts
 * vector latency into the chain from block to block, and would move the mask again for every use. */
KERNEL_INLINE uint64_t in_register(uint64_t mask)
{
    __asm__("" : "+r"(mask));
    return mask;
}

KERNEL_INLINE void classify(__m512i v, uint8_t *dst, block_masks *m, block_bytes *seen)
{
    const __m512i space = repeat16(
        _mm_setr_epi8(' ', 100, 100, 100, 17, 100, 113, 2, 100, '\t', '\n', 112, 100, '\r', 100, 100));
    _mm512_storeu_si512((void *)dst, v);
    m->quote = in_register(_mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('"')));
    m->backslash = in_register(_mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\\')));
    m->space = in_register(_mm512_cmpeq_epi8_mask(v, _mm512_shuffle_epi8(space, v)));
    m->control = in_register(_mm512_cmplt_epu8_mask(v, _mm512_set1_epi8(0x20)));
    *seen = _mm512_or_si512(*seen, v);
}

KERNEL_INLINE void block_classify(const uint8_t *src, uint8_t *dst, block_masks *m, block_bytes *seen)
{
    classify(load64(src), dst, m, seen);
}

/* At most n bytes, then blanks; what lies behind them is not touched. */
KERNEL_INLINE __m512i load_first(const uint8_t *src, size_t n)
{
    uint64_t mask = _bzhi_u64(~(uint64_t)0, n < 64 ? (unsigned)n : 64);
    return _mm512_mask_loadu_epi8(_mm512_set1_epi8(' '), mask, (const void *)src);
}

KERNEL_INLINE void block_classify_first(const uint8_t *src, size_t n, uint8_t *dst, block_masks *m,
                                        block_bytes *seen)
{
    classify(load_first(src, n), dst, m, seen);
}

/* Copies n bytes and puts 64 blanks behind them; true if any is above 0x7F. */
KERNEL_INLINE _Bool text_copy_short(uint8_t *dst, const uint8_t *src, size_t n)
{
    __m512i seen = _mm512_setzero_si512();
    for (size_t at = 0; at < n; at += 64) {
        __m512i v = load_first(src + at, n - at);
        _mm512_storeu_si512((void *)(dst + at), v);
        seen = _mm512_or_si512(seen, v);
    }
    _mm512_storeu_si512((void *)(dst + n), _mm512_set1_epi8(' '));
    return _mm512_movepi8_mask(seen) != 0;
}

/* How many bytes from p are neither quote nor backslash nor control; no more than RUN_MAX. */
enum { RUN_MAX = 32 };

KERNEL_INLINE unsigned run_string(const uint8_t *p)
{
    __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)p);
    return (unsigned)_tzcnt_u32(_mm256_cmpeq_epi8_mask(v, _mm256_set1_epi8('"')) |
                                _mm256_cmpeq_epi8_mask(v, _mm256_set1_epi8('\\')) |
                                _mm256_cmplt_epu8_mask(v, _mm256_set1_epi8(0x20)));
}

/* By the low nibble, as white space; setting a bit makes [ and { one (and some controls look alike: too many
 * don't hurt). */
KERNEL_INLINE size_t block_count_openers(const uint8_t *src, size_t n)
{
    const __m512i openers = repeat16(_mm_setr_epi8(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', 0, 0, 0));
    size_t count = 0;
    for (size_t at = 0; at < n; at += 64) {
        __m512i v = _mm512_or_si512(load_first(src + at, n - at), _mm512_set1_epi8(0x20));
        count += (size_t)__builtin_popcountll(_mm512_cmpeq_epi8_mask(v, _mm512_shuffle_epi8(openers, v)));
    }
    return count;
}

KERNEL_INLINE block_bytes block_bytes_none(void)
{
    return _mm512_setzero_si512();
}

KERNEL_INLINE _Bool block_bytes_high(block_bytes seen)
{
    return _mm512_movepi8_mask(seen) != 0;
}

KERNEL_INLINE _Bool block_has_high(const uint8_t *src)
{
    return _mm512_movepi8_mask(load64(src)) != 0;
}

/* Copies; true if there is no quote, white space, control or non-ASCII byte. */
KERNEL_INLINE _Bool block_is_plain(const uint8_t *src, uint8_t *dst)
{
    __m512i v = load64(src);
    _mm512_storeu_si512((void *)dst, v);
    return _mm512_cmplt_epi8_mask(v, _mm512_set1_epi8(0x23)) == 0;
}

/* Copies 256 bytes; true if there is no quote, backslash or control. Looked up by their low seven bits; the
 * top one clears what is found. */
KERNEL_INLINE _Bool blocks_are_text(const uint8_t *src, uint8_t *dst, block_bytes *seen)
{
    const __m512i low =
        _mm512_inserti64x4(_mm512_set1_epi8((char)0x80),
                           _mm256_setr_epi8(0, 0, (char)0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                           1);
    const __m512i high =
        _mm512_zextsi256_si512(_mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                                0, 0, 0, 0, 0, 0, 0, (char)0x80, 0, 0, 0));
    __m512i stop = _mm512_setzero_si512(), all = *seen;
    for (unsigned k = 0; k < 256; k += 64) {
        __m512i v = load64(src + k), found = _mm512_permutex2var_epi8(low, v, high);
        _mm512_storeu_si512((void *)(dst + k), v);
        stop = _mm512_ternarylogic_epi64(stop, found, v, 0xF4); /* stop | (found & ~v) */
        all = _mm512_or_si512(all, v);
    }
    *seen = all;
    return _mm512_movepi8_mask(stop) == 0;
}

KERNEL_INLINE uint64_t block_prefix_xor(uint64_t bits)
{
    return (uint64_t)_mm_cvtsi128_si64(
        _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), _mm_set1_epi8(-1), 0));
}

KERNEL_INLINE __m512i positions(void)
{
    return _mm512_set_epi8(63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43,
                           42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22,
                           21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

/* Bytes to 16-bit entries: bit 7 moves to the top. */
KERNEL_INLINE void store_entries(uint16_t *ip, __m512i packed, unsigned count, uint64_t at)
{
    const __m512i keep = _mm512_set1_epi16((short)0x803F), base = _mm512_set1_epi16((short)at);
    __m256i low = _mm512_castsi512_si256(packed);
    __m512i wide = _mm512_and_si512(_mm512_cvtepi8_epi16(low), keep);
    _mm512_storeu_si512((void *)ip, _mm512_add_epi16(wide, base));
    if (__builtin_expect(count > 32, 0)) {
        wide = _mm512_and_si512(_mm512_cvtepi8_epi16(_mm512_extracti64x4_epi64(packed, 1)), keep);
        _mm512_storeu_si512((void *)(ip + 32), _mm512_add_epi16(wide, base));
    }
}

KERNEL_INLINE void block_write_index(uint16_t *ip, uint64_t bits, uint64_t at)
{
    __m512i packed = _mm512_maskz_compress_epi8(bits, positions());
    unsigned count = (unsigned)__builtin_popcountll(bits);
    if (__builtin_expect(count > 16, 0)) {
        store_entries(ip, packed, count, at);
        return;
    }
    __m256i wide = _mm256_cvtepu8_epi16(_mm512_castsi512_si128(packed));
    _mm256_storeu_si256((__m256i *)(void *)ip, _mm256_add_epi16(wide, _mm256_set1_epi16((short)at)));
}

KERNEL_INLINE void block_write_marked(uint16_t *ip, uint64_t bits, uint64_t marked, uint64_t at)
{
    __m512i mixed = _mm512_mask_add_epi8(positions(), marked, positions(), _mm512_set1_epi8((char)0x80));
    store_entries(ip, _mm512_maskz_compress_epi8(bits, mixed), (unsigned)__builtin_popcountll(bits), at);
}

/* UTF-8 by three nibble tables (Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte",
 * 2020). */
typedef __m512i utf8_errors;

KERNEL_INLINE utf8_errors utf8_no_errors(void)
{
    return _mm512_setzero_si512();
}

KERNEL_INLINE _Bool utf8_has_errors(const utf8_errors *e)
{
    return _mm512_test_epi8_mask(*e, *e) != 0;
}

enum {
    U_SHORT = 1,
    U_LONG = 2,
    U_OVER3 = 4,
    U_LARGE = 8,
    U_SURROGATE = 16,
    U_OVER2 = 32,
    U_LARGE_OR_OVER4 = 64,
    U_TWO = 128,
    U_CARRY = U_SHORT | U_LONG | U_TWO
};

KERNEL_INLINE void utf8_check_block(utf8_errors *e, const uint8_t *s)
{
#define U(x) ((char)(x))
    const __m512i first_high =
        repeat16(_mm_setr_epi8(U_LONG, U_LONG, U_LONG, U_LONG, U_LONG, U_LONG, U_LONG, U_LONG, U(U_TWO),
                               U(U_TWO), U(U_TWO), U(U_TWO), U_SHORT | U_OVER2, U_SHORT,
                               U_SHORT | U_OVER3 | U_SURROGATE, U(U_SHORT | U_LARGE | U_LARGE_OR_OVER4)));
    const char big = U(U_CARRY | U_LARGE | U_LARGE_OR_OVER4);
    const __m512i first_low = repeat16(_mm_setr_epi8(
        U(U_CARRY | U_OVER3 | U_OVER2 | U_LARGE_OR_OVER4), U(U_CARRY | U_OVER2), U(U_CARRY), U(U_CARRY),
        U(U_CARRY | U_LARGE), big, big, big, big, big, big, big, big, U(big | U_SURROGATE), big, big));
    const __m512i second_high = repeat16(_mm_setr_epi8(
        U_SHORT, U_SHORT, U_SHORT, U_SHORT, U_SHORT, U_SHORT, U_SHORT, U_SHORT,
        U(U_LONG | U_OVER2 | U_TWO | U_OVER3 | U_LARGE_OR_OVER4),
        U(U_LONG | U_OVER2 | U_TWO | U_OVER3 | U_LARGE), U(U_LONG | U_OVER2 | U_TWO | U_SURROGATE | U_LARGE),
        U(U_LONG | U_OVER2 | U_TWO | U_SURROGATE | U_LARGE), U_SHORT, U_SHORT, U_SHORT, U_SHORT));
    const __m512i nibble = _mm512_set1_epi8(15);
    __m512i v = load64(s), p1 = load64(s - 1), p2 = load64(s - 2), p3 = load64(s - 3);
    __m512i a = _mm512_shuffle_epi8(first_high, _mm512_and_si512(_mm512_srli_epi16(p1, 4), nibble));
    __m512i b = _mm512_shuffle_epi8(first_low, _mm512_and_si512(p1, nibble));
    __m512i c = _mm512_shuffle_epi8(second_high, _mm512_and_si512(_mm512_srli_epi16(v, 4), nibble));
    __m512i special = _mm512_ternarylogic_epi64(a, b, c, 0x80);
    __m512i third = _mm512_subs_epu8(p2, _mm512_set1_epi8(0xE0 - 0x80)),
            fourth = _mm512_subs_epu8(p3, _mm512_set1_epi8(0xF0 - 0x80));
    __m512i must = _mm512_and_si512(_mm512_or_si512(third, fourth), _mm512_set1_epi8((char)0x80));
    *e = _mm512_or_si512(*e, _mm512_xor_si512(must, special));
#undef U
}

/* Unescapes text[0 .. end) in place; text[end] is the closing quote. The new length, or -1.
 * 64 bytes at a time: escaped bytes are translated by a table of 128, then the backslashes are squeezed out.
 * A store covers no byte that is still to be read, since writing never overtakes reading; only before a \\u
 * escape, where reading goes on within the window, the bytes that follow are put back. */
NOINLINE ptrdiff_t string_unescape(uint8_t *text, const uint8_t *end)
{
    const __m512i low = load64(escape_value), high = load64(escape_value + 64), u = _mm512_set1_epi8('u');
    const uint64_t odd = UINT64_C(0xAAAAAAAAAAAAAAAA);
    const uint8_t *r = text;
    uint8_t *w = text;
    uint64_t carry = 0; /* the window begins with an escaped byte */
    while (r < end) {
        uint64_t left = (uint64_t)(end - r),
                 valid = left < 64 ? _bzhi_u64(~(uint64_t)0, (unsigned)left) : ~(uint64_t)0;
        __m512i v = load64(r);
        uint64_t backslash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\\')) & valid;
        uint64_t candidate = backslash & ~carry, both = (((candidate << 1) | odd) - candidate) ^ odd;
        uint64_t escaped = (both ^ (backslash | carry)) & valid, escape = both & backslash;
        uint64_t unicode = _mm512_mask_cmpeq_epi8_mask(escaped, v, u);
        __m512i value = _mm512_permutex2var_epi8(low, v, high);
        uint64_t keep = valid & ~escape;
        __m512i out = _mm512_mask_mov_epi8(v, escaped, value);
        if (unlikely(unicode != 0)) {
            uint64_t at = _tzcnt_u64(unicode),
                     before = _bzhi_u64(~(uint64_t)0, (unsigned)at); /* below the 'u' */
            if ((_mm512_mask_testn_epi8_mask(escaped & before, value, value) |
                 (_mm512_movepi8_mask(v) & escaped & before)) != 0) {
                return -1;
            }
            __m512i behind = load64(r + at);
            _mm512_storeu_si512((void *)w, _mm512_maskz_compress_epi8(keep & before, out));
            r += at;
            _mm512_storeu_si512((void *)(text + (r - text)), behind);
            w += __builtin_popcountll(keep & before);
            r--;
            if (!string_unicode(&r, &w, end) || r > end) {
                return -1;
            }
            carry = 0;
            continue;
        }
        if (unlikely((_mm512_mask_testn_epi8_mask(escaped, value, value) |
                      (_mm512_movepi8_mask(v) & escaped)) != 0)) {
            return -1;
        }
        __m512i behind = load64(end); /* what follows the string stays, too */
        _mm512_storeu_si512((void *)w, _mm512_maskz_compress_epi8(keep, out));
        if (left < 64) {
            _mm512_storeu_si512((void *)(text + (end - text)), behind);
        }
        w += __builtin_popcountll(keep);
        carry = escape >> 63;
        r += 64;
    }
    *w = 0;
    return w - text;
}

#include "fused/json_parse_core.h"

json_parse_kernel *const json_parse_avx512 = parse_job;
#else
typedef int json_parse_avx512_not_built;
#endif
