/* The JSON document parser for AVX-512 with VBMI2 (Ice Lake, Zen 4 and later): a block is one register, its
 * masks come straight out of comparisons, and its index is compressed without a branch. */
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512VBMI2__) && \
    defined(__x86_64__)
#include <immintrin.h>
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
KERNEL_INLINE void block_classify(const uint8_t *src, uint8_t *dst, block_masks *m, block_bytes *seen)
{
    const __m512i space = repeat16(
        _mm_setr_epi8(' ', 100, 100, 100, 17, 100, 113, 2, 100, '\t', '\n', 112, 100, '\r', 100, 100));
    __m512i v = load64(src);
    _mm512_storeu_si512((void *)dst, v);
    m->quote = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('"'));
    m->backslash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\\'));
    m->space = _mm512_cmpeq_epi8_mask(v, _mm512_shuffle_epi8(space, v));
    m->control = _mm512_cmplt_epu8_mask(v, _mm512_set1_epi8(0x20));
    *seen = _mm512_or_si512(*seen, v);
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

KERNEL_INLINE const uint8_t *string_find_escape(const uint8_t *r)
{
    for (;; r += 32) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)r);
        uint32_t stop = _mm256_cmpeq_epi8_mask(v, _mm256_set1_epi8('\\'));
        if (stop != 0) {
            return r + _tzcnt_u32(stop);
        }
    }
}

/* Moves r[0 ..] down to w, up to a backslash or `end`; *to = where writing goes on. Bytes behind the run stay
 * as they are: they are read before, and written back after, a store that is wider than the run. */
KERNEL_INLINE const uint8_t *string_copy_run(uint8_t *w, const uint8_t *r, const uint8_t *end, uint8_t **to)
{
    for (;;) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)r);
        uint32_t stop = _mm256_cmpeq_epi8_mask(v, _mm256_set1_epi8('\\'));
        uint64_t n = _tzcnt_u32(stop), left = (uint64_t)(end - r);
        n = n < left ? n : left;
        if (n < 32) {
            __m256i behind = _mm256_loadu_si256((const __m256i *)(const void *)(r + n));
            _mm256_storeu_si256((__m256i *)(void *)w, v);
            _mm256_storeu_si256((__m256i *)(void *)(uint8_t *)(r + n), behind);
            *to = w + n;
            return r + n;
        }
        _mm256_storeu_si256((__m256i *)(void *)w, v);
        w += 32;
        r += 32;
    }
}

#include "fused/json_parse_core.h"

json_parse_kernel *const json_parse_avx512 = parse_job;
#else
typedef int json_parse_avx512_not_built;
#endif
