/* The fused JSON writer for AVX-512: 32 bytes a step, since most strings are short and stores of 64 bytes
 * cross a cache line each; its masked loads read borrowed text. */
#include "fused/json_write_kernel.h"

#if defined(__AVX512BW__) && defined(__AVX512VL__)
#include <immintrin.h>

#define BLOCK 32

ALWAYS_INLINE void block_copy(char *o, const char *s)
{
    _mm256_storeu_si256((__m256i *)(void *)o, _mm256_loadu_si256((const __m256i *)(const void *)s));
}

ALWAYS_INLINE uint64_t block_escapes(__m256i v)
{
    __mmask32 quote = _mm256_cmpeq_epi8_mask(v, _mm256_set1_epi8('"'));
    __mmask32 backslash = _mm256_cmpeq_epi8_mask(v, _mm256_set1_epi8('\\'));
    return quote | backslash | _mm256_cmplt_epu8_mask(v, _mm256_set1_epi8(0x20));
}

ALWAYS_INLINE uint64_t block_check(char *o, const char *s)
{
    __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)s);
    _mm256_storeu_si256((__m256i *)(void *)o, v);
    return block_escapes(v);
}

ALWAYS_INLINE uint64_t block_check_part(char *o, const char *s, size_t n)
{
    __mmask32 part = (__mmask32)(((uint64_t)1 << n) - 1);
    __m256i v = _mm256_maskz_loadu_epi8(part, s);
    _mm256_storeu_si256((__m256i *)(void *)o, v);
    return block_escapes(v) & part;
}

#include "fused/json_write_core.h"

json_write_kernel *const json_write_avx512 = write_kernel;
#else
json_write_kernel *const json_write_avx512 = NULL;
#endif
