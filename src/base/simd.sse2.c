/* Scanning kernels for SSE2, the baseline of x86-64: 16 bytes, no byte shuffles. */
#include "simd.h"

#ifdef __SSE2__

#include <emmintrin.h>

#define KERNEL_NAME "sse2"
#define VEC __m128i
#define VEC_SIZE 16
#define MASK unsigned

static inline VEC vec_load(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline VEC vec_zero(void)
{
    return _mm_setzero_si128();
}

static inline VEC vec_or(VEC a, VEC b)
{
    return _mm_or_si128(a, b);
}

static inline VEC vec_sub(VEC a, VEC b)
{
    return _mm_sub_epi8(a, b);
}

static inline bool vec_any(VEC v)
{
    return _mm_movemask_epi8(_mm_cmpeq_epi8(v, vec_zero())) != 0xFFFF;
}

static inline bool vec_ascii(VEC v)
{
    return _mm_movemask_epi8(v) == 0;
}

static inline VEC vec_equal(VEC v, uint8_t byte)
{
    return _mm_cmpeq_epi8(v, _mm_set1_epi8((char)byte));
}

static inline VEC vec_starts(VEC v)
{
    return _mm_cmpgt_epi8(v, _mm_set1_epi8(-65));
}

static inline size_t vec_sum(VEC v)
{
    __m128i sums = _mm_sad_epu8(v, vec_zero());
    return (size_t)_mm_cvtsi128_si32(sums) + (size_t)_mm_cvtsi128_si32(_mm_srli_si128(sums, 8));
}

static inline size_t mask_first(MASK mask)
{
    return (size_t)__builtin_ctz(mask);
}

static inline MASK mask_of(VEC v)
{
    return (MASK)_mm_movemask_epi8(v);
}

static inline MASK mask_special(VEC v)
{
    VEC control = _mm_cmpeq_epi8(_mm_max_epu8(v, _mm_set1_epi8(0x1F)), _mm_set1_epi8(0x1F));
    return mask_of(vec_or(control, vec_or(vec_equal(v, '"'), vec_equal(v, '\\'))));
}

static inline MASK mask_not_space(VEC v)
{
    VEC space =
        vec_or(vec_or(vec_equal(v, ' '), vec_equal(v, '\n')), vec_or(vec_equal(v, '\r'), vec_equal(v, '\t')));
    return mask_of(space) ^ 0xFFFF;
}

static inline MASK mask_non_ascii(VEC v)
{
    return mask_of(v);
}

static inline MASK mask_2(VEC v, uint8_t a, uint8_t b)
{
    return mask_of(vec_or(vec_equal(v, a), vec_equal(v, b)));
}

static inline MASK mask_4(VEC v, const uint8_t set[4])
{
    return mask_of(vec_or(vec_or(vec_equal(v, set[0]), vec_equal(v, set[1])),
                          vec_or(vec_equal(v, set[2]), vec_equal(v, set[3]))));
}

/*
 * Without shuffles: a byte must be a continuation exactly if the one, two or three bytes before it begin a
 * sequence that long; C0, C1 and F5..FF never occur; E0, ED, F0 and F4 narrow their second byte (Unicode,
 * table 3-7).
 */
static inline VEC vec_utf8_error(const uint8_t *p)
{
    VEC v = vec_load(p), before = vec_load(p - 1);
    VEC expected = vec_or(_mm_subs_epu8(before, _mm_set1_epi8((char)0xBF)),
                          vec_or(_mm_subs_epu8(vec_load(p - 2), _mm_set1_epi8((char)0xDF)),
                                 _mm_subs_epu8(vec_load(p - 3), _mm_set1_epi8((char)0xEF))));
    VEC unexpected = _mm_cmpeq_epi8(expected, vec_zero());
    VEC continuation = _mm_cmplt_epi8(v, _mm_set1_epi8(-64));
    VEC error = _mm_cmpeq_epi8(unexpected, continuation);
    error = vec_or(error, _mm_subs_epu8(v, _mm_set1_epi8((char)0xF4)));
    error = vec_or(error, vec_equal(_mm_and_si128(v, _mm_set1_epi8((char)0xFE)), 0xC0));
    VEC below_a0 = _mm_cmplt_epi8(v, _mm_set1_epi8((char)0xA0)),
        below_90 = _mm_cmplt_epi8(v, _mm_set1_epi8((char)0x90));
    error = vec_or(error, _mm_and_si128(vec_equal(before, 0xE0), below_a0));
    error = vec_or(error, _mm_andnot_si128(below_a0, vec_equal(before, 0xED)));
    error = vec_or(error, _mm_and_si128(vec_equal(before, 0xF0), below_90));
    return vec_or(error, _mm_andnot_si128(below_90, vec_equal(before, 0xF4)));
}

#include "simd_body.h"

const struct simd_kernels *simd_sse2(void)
{
    return &kernels;
}

#else

const struct simd_kernels *simd_sse2(void)
{
    return NULL;
}

#endif
