/*
 * Scanning kernels for AVX-512, 64 bytes. Built with AVX2's flags and -mbmi2 -mavx512f -mavx512bw -mavx512vl
 * -mavx512dq -mavx512vbmi -mavx512vbmi2.
 */
#include "simd.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512DQ__) && \
    defined(__AVX512VBMI__) && defined(__AVX512VBMI2__) && defined(__BMI2__)

#include "simd_utf8.h"
#include <immintrin.h>

#define KERNEL_NAME "avx512"
#define VEC __m512i
#define VEC_SIZE 64
#define MASK uint64_t

static inline VEC vec_load(const uint8_t *p)
{
    return _mm512_loadu_si512(p);
}

static inline MASK mask_low(size_t n)
{
    return ((MASK)1 << n) - 1;
}

static inline VEC vec_load_masked(const uint8_t *p, MASK mask)
{
    return _mm512_maskz_loadu_epi8(mask, p);
}
#define vec_load_rest(p, n) vec_load_masked(p, mask_low(n))

static inline VEC vec_zero(void)
{
    return _mm512_setzero_si512();
}

static inline VEC vec_or(VEC a, VEC b)
{
    return _mm512_or_si512(a, b);
}

static inline VEC vec_sub(VEC a, VEC b)
{
    return _mm512_sub_epi8(a, b);
}

static inline bool vec_any(VEC v)
{
    return _mm512_test_epi8_mask(v, v) != 0;
}

static inline bool vec_ascii(VEC v)
{
    return _mm512_movepi8_mask(v) == 0;
}

static inline MASK mask_equal(VEC v, uint8_t byte)
{
    return _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8((char)byte));
}

static inline VEC vec_equal(VEC v, uint8_t byte)
{
    return _mm512_movm_epi8(mask_equal(v, byte));
}

static inline VEC vec_starts(VEC v)
{
    return _mm512_movm_epi8(_mm512_cmpgt_epi8_mask(v, _mm512_set1_epi8(-65)));
}

static inline size_t vec_sum(VEC v)
{
    return (size_t)_mm512_reduce_add_epi64(_mm512_sad_epu8(v, vec_zero()));
}

static inline size_t mask_first(MASK mask)
{
    return (size_t)__builtin_ctzll(mask);
}

static inline MASK mask_special(VEC v)
{
    return _mm512_cmplt_epu8_mask(v, _mm512_set1_epi8(0x20)) | mask_equal(v, '"') | mask_equal(v, '\\');
}

/* The white-space byte that has the lower half of v, if there is one, equals v. */
static inline MASK mask_not_space(VEC v)
{
    const VEC spaces =
        _mm512_broadcast_i32x4(_mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0));
    return _mm512_cmpneq_epi8_mask(_mm512_shuffle_epi8(spaces, v), v);
}

static inline MASK mask_non_ascii(VEC v)
{
    return _mm512_movepi8_mask(v);
}

static inline MASK mask_2(VEC v, uint8_t a, uint8_t b)
{
    return mask_equal(v, a) | mask_equal(v, b);
}

static inline MASK mask_4(VEC v, const uint8_t set[4])
{
    return mask_2(v, set[0], set[1]) | mask_2(v, set[2], set[3]);
}

static inline VEC table(const uint8_t entries[16])
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)entries));
}

static inline VEC low_half(VEC v)
{
    return _mm512_and_si512(v, _mm512_set1_epi8(0x0F));
}

static inline VEC high_half(VEC v)
{
    return low_half(_mm512_srli_epi16(v, 4));
}

/* The errors in v, given the bytes one, two and three before each of its own. */
static inline VEC utf8_error(VEC v, VEC before, VEC before2, VEC before3)
{
    const VEC before_high = table(utf8_before_high), before_low = table(utf8_before_low),
              high = table(utf8_high);
    VEC pair = _mm512_and_si512(_mm512_shuffle_epi8(before_high, high_half(before)),
                                _mm512_shuffle_epi8(before_low, low_half(before)));
    pair = _mm512_and_si512(pair, _mm512_shuffle_epi8(high, high_half(v)));
    VEC third = _mm512_subs_epu8(before2, _mm512_set1_epi8(0xE0 - 0x80));
    VEC fourth = _mm512_subs_epu8(before3, _mm512_set1_epi8(0xF0 - 0x80));
    VEC required = _mm512_and_si512(vec_or(third, fourth), _mm512_set1_epi8((char)0x80));
    return _mm512_xor_si512(pair, required);
}

static inline VEC vec_utf8_error(const uint8_t *p)
{
    return utf8_error(vec_load(p), vec_load(p - 1), vec_load(p - 2), vec_load(p - 3));
}

/* v moved up by n bytes, zeros below. */
static inline VEC moved_up(VEC v, int n)
{
    static const uint8_t lanes[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                      16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                      32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                      48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    VEC source = vec_sub(vec_load(lanes), _mm512_set1_epi8((char)n));
    return _mm512_maskz_permutexvar_epi8(~(MASK)0 << n, source, v);
}

/* Masked loads: what the mask leaves out is not touched and reads as zero. */
static inline VEC vec_utf8_error_rest(const uint8_t *p, size_t n, bool first)
{
    MASK mask = n < VEC_SIZE ? mask_low(n) : ~(MASK)0;
    VEC v = vec_load_masked(p, mask);
    if (first)
        return utf8_error(v, moved_up(v, 1), moved_up(v, 2), moved_up(v, 3));
    return utf8_error(v, vec_load_masked(p - 1, mask << 1 | 1), vec_load_masked(p - 2, mask << 2 | 3),
                      vec_load_masked(p - 3, mask << 3 | 7));
}

#include "simd_body.h"

const struct simd_kernels *simd_avx512(void)
{
    return &kernels;
}

#else

const struct simd_kernels *simd_avx512(void)
{
    return NULL;
}

#endif
