/* The JSON document parser for AVX2 with carry-less multiplication (Haswell, Zen 1 and later). */
#if defined(__AVX2__) && defined(__PCLMUL__) && defined(__BMI__) && defined(__x86_64__)
#include "fused/json_string.h"

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define KERNEL_INLINE static inline __attribute__((always_inline))

typedef struct block_masks {
    uint64_t quote, backslash, space, control;
} block_masks;

typedef __m256i block_bytes;

KERNEL_INLINE __m256i load32x8(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

KERNEL_INLINE __m256i repeat16(__m128i v)
{
    return _mm256_broadcastsi128_si256(v);
}

KERNEL_INLINE uint64_t mask64(__m256i a, __m256i b)
{
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(a) | (uint64_t)(uint32_t)_mm256_movemask_epi8(b) << 32;
}

KERNEL_INLINE void copy_block(uint8_t *dst, __m256i a, __m256i b)
{
    _mm256_storeu_si256((__m256i *)(void *)dst, a);
    _mm256_storeu_si256((__m256i *)(void *)(dst + 32), b);
}

/* White space by the low nibble: the byte itself where it is one, else something that never compares equal.
 */
KERNEL_INLINE void block_classify(const uint8_t *src, uint8_t *dst, block_masks *m, block_bytes *seen)
{
    const __m256i space = repeat16(
        _mm_setr_epi8(' ', 100, 100, 100, 17, 100, 113, 2, 100, '\t', '\n', 112, 100, '\r', 100, 100));
    const __m256i quote = _mm256_set1_epi8('"'), backslash = _mm256_set1_epi8('\\'),
                  last = _mm256_set1_epi8(0x1F);
    __m256i a = load32x8(src), b = load32x8(src + 32);
    copy_block(dst, a, b);
    m->quote = mask64(_mm256_cmpeq_epi8(a, quote), _mm256_cmpeq_epi8(b, quote));
    m->backslash = mask64(_mm256_cmpeq_epi8(a, backslash), _mm256_cmpeq_epi8(b, backslash));
    m->space = mask64(_mm256_cmpeq_epi8(a, _mm256_shuffle_epi8(space, a)),
                      _mm256_cmpeq_epi8(b, _mm256_shuffle_epi8(space, b)));
    m->control = mask64(_mm256_cmpeq_epi8(_mm256_min_epu8(a, last), a),
                        _mm256_cmpeq_epi8(_mm256_min_epu8(b, last), b));
    *seen = _mm256_or_si256(*seen, _mm256_or_si256(a, b));
}

KERNEL_INLINE block_bytes block_bytes_none(void)
{
    return _mm256_setzero_si256();
}

KERNEL_INLINE _Bool block_bytes_high(block_bytes seen)
{
    return _mm256_movemask_epi8(seen) != 0;
}

KERNEL_INLINE _Bool block_has_high(const uint8_t *src)
{
    return _mm256_movemask_epi8(_mm256_or_si256(load32x8(src), load32x8(src + 32))) != 0;
}

/* At most n bytes, then blanks, by way of a copy. */
KERNEL_INLINE void block_classify_first(const uint8_t *src, size_t n, uint8_t *dst, block_masks *m,
                                        block_bytes *seen)
{
    uint8_t copy[64];
    if (n >= 64) {
        block_classify(src, dst, m, seen);
        return;
    }
    memset(copy, ' ', sizeof copy);
    memcpy(copy, src, n);
    block_classify(copy, dst, m, seen);
}

/* Copies n bytes and puts 64 blanks behind them; true if any is above 0x7F. */
KERNEL_INLINE _Bool text_copy_short(uint8_t *dst, const uint8_t *src, size_t n)
{
    const __m256i blanks = _mm256_set1_epi8(' ');
    __m256i seen = _mm256_setzero_si256();
    memcpy(dst, src, n);
    copy_block(dst + n, blanks, blanks);
    for (size_t at = 0; at < n; at += 32) {
        seen = _mm256_or_si256(seen, load32x8(dst + at));
    }
    return _mm256_movemask_epi8(seen) != 0;
}

/* How many bytes from p are neither quote nor backslash nor control; no more than RUN_MAX. */
enum { RUN_MAX = 32 };

KERNEL_INLINE unsigned run_string(const uint8_t *p)
{
    __m256i v = load32x8(p);
    __m256i stop = _mm256_or_si256(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('"')),
                                   _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\')));
    stop = _mm256_or_si256(stop, _mm256_cmpeq_epi8(_mm256_min_epu8(v, _mm256_set1_epi8(0x1F)), v));
    return _tzcnt_u32((uint32_t)_mm256_movemask_epi8(stop));
}

KERNEL_INLINE size_t block_count_openers(const uint8_t *src, size_t n)
{
    size_t count = 0, at = 0;
    for (; n - at >= 32; at += 32) {
        __m256i v = load32x8(src + at);
        __m256i open = _mm256_cmpeq_epi8(_mm256_or_si256(v, _mm256_set1_epi8(0x20)), _mm256_set1_epi8('{'));
        __m256i comma = _mm256_cmpeq_epi8(v, _mm256_set1_epi8(',')),
                colon = _mm256_cmpeq_epi8(v, _mm256_set1_epi8(':'));
        int mask = _mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(comma, colon), open));
        count += (size_t)__builtin_popcount((unsigned)mask);
    }
    for (; at < n; at++) {
        count += (src[at] == ',') | (src[at] == ':') | ((src[at] | 0x20) == '{');
    }
    return count;
}

/* Copies; true if there is no quote, white space, control or non-ASCII byte. */
KERNEL_INLINE _Bool block_is_plain(const uint8_t *src, uint8_t *dst)
{
    const __m256i above = _mm256_set1_epi8(0x23);
    __m256i a = load32x8(src), b = load32x8(src + 32);
    copy_block(dst, a, b);
    return _mm256_movemask_epi8(_mm256_or_si256(_mm256_cmpgt_epi8(above, a), _mm256_cmpgt_epi8(above, b))) ==
           0;
}

/* Copies 256 bytes; true if there is no quote, backslash or control. */
KERNEL_INLINE _Bool blocks_are_text(const uint8_t *src, uint8_t *dst, block_bytes *seen)
{
    const __m256i quote = _mm256_set1_epi8('"'), backslash = _mm256_set1_epi8('\\'),
                  last = _mm256_set1_epi8(0x1F);
    __m256i stop = _mm256_setzero_si256(), all = *seen;
    for (unsigned k = 0; k < 256; k += 32) {
        __m256i v = load32x8(src + k);
        _mm256_storeu_si256((__m256i *)(void *)(dst + k), v);
        stop = _mm256_or_si256(stop,
                               _mm256_or_si256(_mm256_cmpeq_epi8(v, quote), _mm256_cmpeq_epi8(v, backslash)));
        stop = _mm256_or_si256(stop, _mm256_cmpeq_epi8(_mm256_min_epu8(v, last), v));
        all = _mm256_or_si256(all, v);
    }
    *seen = all;
    return _mm256_movemask_epi8(stop) == 0;
}

KERNEL_INLINE uint64_t block_prefix_xor(uint64_t bits)
{
    return (uint64_t)_mm_cvtsi128_si64(
        _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), _mm_set1_epi8(-1), 0));
}

/* Four entries at a time; surplus ones are overwritten later (tzcnt of 0 is 64, and harmless). */
KERNEL_INLINE void block_write_index(uint16_t *ip, uint64_t bits, uint64_t at)
{
    unsigned n = (unsigned)__builtin_popcountll(bits);
#define ENTRY(k) (ip[k] = (uint16_t)(at + _tzcnt_u64(bits)), bits &= bits - 1)
    ENTRY(0), ENTRY(1), ENTRY(2), ENTRY(3);
    if (n > 4) {
        ENTRY(4), ENTRY(5), ENTRY(6), ENTRY(7);
        if (n > 8) {
            ENTRY(8), ENTRY(9), ENTRY(10), ENTRY(11);
            for (ip += 12; bits != 0; ip++) {
                ENTRY(0);
            }
        }
    }
#undef ENTRY
}

/* The same; entries of `marked` bits get INDEX_ESCAPED. */
KERNEL_INLINE void block_write_marked(uint16_t *ip, uint64_t bits, uint64_t marked, uint64_t at)
{
    block_write_index(ip, bits, at);
    for (; marked != 0; marked &= marked - 1) {
        uint64_t below = (marked & (0 - marked)) - 1;
        ip[__builtin_popcountll(bits & below)] |= 0x8000;
    }
}

/* UTF-8 by three nibble tables (Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte",
 * 2020). */
typedef __m256i utf8_errors;

KERNEL_INLINE utf8_errors utf8_no_errors(void)
{
    return _mm256_setzero_si256();
}

KERNEL_INLINE _Bool utf8_has_errors(const utf8_errors *e)
{
    return !_mm256_testz_si256(*e, *e);
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

KERNEL_INLINE void utf8_check_half(utf8_errors *e, const uint8_t *s)
{
#define U(x) ((char)(x))
    const __m256i first_high =
        repeat16(_mm_setr_epi8(U_LONG, U_LONG, U_LONG, U_LONG, U_LONG, U_LONG, U_LONG, U_LONG, U(U_TWO),
                               U(U_TWO), U(U_TWO), U(U_TWO), U_SHORT | U_OVER2, U_SHORT,
                               U_SHORT | U_OVER3 | U_SURROGATE, U(U_SHORT | U_LARGE | U_LARGE_OR_OVER4)));
    const char big = U(U_CARRY | U_LARGE | U_LARGE_OR_OVER4);
    const __m256i first_low = repeat16(_mm_setr_epi8(
        U(U_CARRY | U_OVER3 | U_OVER2 | U_LARGE_OR_OVER4), U(U_CARRY | U_OVER2), U(U_CARRY), U(U_CARRY),
        U(U_CARRY | U_LARGE), big, big, big, big, big, big, big, big, U(big | U_SURROGATE), big, big));
    const __m256i second_high = repeat16(_mm_setr_epi8(
        U_SHORT, U_SHORT, U_SHORT, U_SHORT, U_SHORT, U_SHORT, U_SHORT, U_SHORT,
        U(U_LONG | U_OVER2 | U_TWO | U_OVER3 | U_LARGE_OR_OVER4),
        U(U_LONG | U_OVER2 | U_TWO | U_OVER3 | U_LARGE), U(U_LONG | U_OVER2 | U_TWO | U_SURROGATE | U_LARGE),
        U(U_LONG | U_OVER2 | U_TWO | U_SURROGATE | U_LARGE), U_SHORT, U_SHORT, U_SHORT, U_SHORT));
    const __m256i nibble = _mm256_set1_epi8(15);
    __m256i v = load32x8(s), p1 = load32x8(s - 1), p2 = load32x8(s - 2), p3 = load32x8(s - 3);
    __m256i a = _mm256_shuffle_epi8(first_high, _mm256_and_si256(_mm256_srli_epi16(p1, 4), nibble));
    __m256i b = _mm256_shuffle_epi8(first_low, _mm256_and_si256(p1, nibble));
    __m256i c = _mm256_shuffle_epi8(second_high, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble));
    __m256i special = _mm256_and_si256(_mm256_and_si256(a, b), c);
    __m256i third = _mm256_subs_epu8(p2, _mm256_set1_epi8(0xE0 - 0x80)),
            fourth = _mm256_subs_epu8(p3, _mm256_set1_epi8(0xF0 - 0x80));
    __m256i must = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8((char)0x80));
    *e = _mm256_or_si256(*e, _mm256_xor_si256(must, special));
#undef U
}

KERNEL_INLINE void utf8_check_block(utf8_errors *e, const uint8_t *s)
{
    utf8_check_half(e, s);
    utf8_check_half(e, s + 32);
}

KERNEL_INLINE const uint8_t *string_find_escape(const uint8_t *r)
{
    for (;; r += 32) {
        __m256i v = load32x8(r);
        uint32_t stop = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\')));
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
        __m256i v = load32x8(r);
        uint32_t stop = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\')));
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

/* Unescapes text[0 .. end) in place; text[end] is the closing quote. The new length, or -1. */
DEFINE_STRING_UNESCAPE

#include "fused/json_parse_core.h"

json_parse_kernel *const json_parse_avx2 = parse_job;
#else
typedef int json_parse_avx2_not_built;
#endif
