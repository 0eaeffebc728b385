/* Scanning kernels for AVX2, 32 bytes. Built with -mavx2 -mbmi -mlzcnt -mpclmul -mpopcnt. */
#include "simd.h"

#ifdef __AVX2__

#include "simd_utf8.h"
#include <immintrin.h>

#define KERNEL_NAME "avx2"
#define VEC __m256i
#define VEC_SIZE 32
#define MASK uint32_t

static inline VEC vec_load(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

static inline VEC vec_zero(void)
{
    return _mm256_setzero_si256();
}

static inline VEC vec_or(VEC a, VEC b)
{
    return _mm256_or_si256(a, b);
}

static inline VEC vec_sub(VEC a, VEC b)
{
    return _mm256_sub_epi8(a, b);
}

static inline bool vec_any(VEC v)
{
    return !_mm256_testz_si256(v, v);
}

static inline bool vec_ascii(VEC v)
{
    return _mm256_movemask_epi8(v) == 0;
}

static inline VEC vec_equal(VEC v, uint8_t byte)
{
    return _mm256_cmpeq_epi8(v, _mm256_set1_epi8((char)byte));
}

static inline VEC vec_starts(VEC v)
{
    return _mm256_cmpgt_epi8(v, _mm256_set1_epi8(-65));
}

static inline size_t vec_sum(VEC v)
{
    __m256i sums = _mm256_sad_epu8(v, vec_zero());
    __m128i half = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return (size_t)_mm_cvtsi128_si32(half) + (size_t)_mm_cvtsi128_si32(_mm_srli_si128(half, 8));
}

static inline size_t mask_first(MASK mask)
{
    return (size_t)__builtin_ctz(mask);
}

static inline MASK mask_of(VEC v)
{
    return (MASK)_mm256_movemask_epi8(v);
}

static inline MASK mask_special(VEC v)
{
    VEC control = _mm256_cmpeq_epi8(_mm256_max_epu8(v, _mm256_set1_epi8(0x1F)), _mm256_set1_epi8(0x1F));
    return mask_of(vec_or(control, vec_or(vec_equal(v, '"'), vec_equal(v, '\\'))));
}

/* The white-space byte that has the lower half of v, if there is one, equals v. */
static inline MASK mask_not_space(VEC v)
{
    const VEC spaces = _mm256_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0, ' ', 0, 0,
                                        0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0);
    return ~mask_of(_mm256_cmpeq_epi8(_mm256_shuffle_epi8(spaces, v), v));
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

static inline VEC table(const uint8_t entries[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)entries));
}

static inline VEC high_half(VEC v)
{
    return _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(0x0F));
}

static inline VEC vec_utf8_error(const uint8_t *p)
{
    const VEC before_high = table(utf8_before_high), before_low = table(utf8_before_low),
              high = table(utf8_high);
    VEC v = vec_load(p), before = vec_load(p - 1);
    VEC pair =
        _mm256_and_si256(_mm256_shuffle_epi8(before_high, high_half(before)),
                         _mm256_shuffle_epi8(before_low, _mm256_and_si256(before, _mm256_set1_epi8(0x0F))));
    pair = _mm256_and_si256(pair, _mm256_shuffle_epi8(high, high_half(v)));
    VEC third = _mm256_subs_epu8(vec_load(p - 2), _mm256_set1_epi8(0xE0 - 0x80));
    VEC fourth = _mm256_subs_epu8(vec_load(p - 3), _mm256_set1_epi8(0xF0 - 0x80));
    VEC required = _mm256_and_si256(vec_or(third, fourth), _mm256_set1_epi8((char)0x80));
    return _mm256_xor_si256(pair, required);
}

#include "simd_body.h"

const struct simd_kernels *simd_avx2(void)
{
    return &kernels;
}

#else

const struct simd_kernels *simd_avx2(void)
{
    return NULL;
}

#endif
