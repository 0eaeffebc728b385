/* The fused JSON writer for AVX2: 32 bytes a step. */
#include "fused/json_write_kernel.h"

#if defined(__AVX2__)
#include <immintrin.h>

#define BLOCK 32

ALWAYS_INLINE void block_copy(char *o, const char *s)
{
    _mm256_storeu_si256((__m256i *)(void *)o, _mm256_loadu_si256((const __m256i *)(const void *)s));
}

ALWAYS_INLINE uint64_t block_check(char *o, const char *s)
{
    __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)s);
    _mm256_storeu_si256((__m256i *)(void *)o, v);
    __m256i control = _mm256_cmpeq_epi8(_mm256_min_epu8(v, _mm256_set1_epi8(0x1F)), v);
    __m256i quote = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('"'));
    __m256i backslash = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\'));
    return (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(control, quote), backslash));
}

#include "fused/json_write_part.h"

/* The core uses what the part defines. */
#include "fused/json_write_core.h"

json_write_kernel *const json_write_avx2 = write_kernel;
#else
json_write_kernel *const json_write_avx2 = NULL;
#endif
