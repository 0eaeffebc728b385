/* The fused JSON writer for AVX-512: 64 bytes a step, whole strings in one. */
#include "fused/json_write_kernel.h"

#if defined(__AVX512BW__) && defined(__AVX512VL__)
#include <immintrin.h>

#define BLOCK 64

ALWAYS_INLINE void block_copy(char *o, const char *s)
{
    _mm512_storeu_si512(o, _mm512_loadu_si512(s));
}

ALWAYS_INLINE uint64_t block_escapes(__m512i v)
{
    __mmask64 quote = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('"'));
    __mmask64 backslash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\\'));
    return quote | backslash | _mm512_cmplt_epu8_mask(v, _mm512_set1_epi8(0x20));
}

ALWAYS_INLINE uint64_t block_check(char *o, const char *s)
{
    __m512i v = _mm512_loadu_si512(s);
    _mm512_storeu_si512(o, v);
    return block_escapes(v);
}

ALWAYS_INLINE uint64_t block_check_part(char *o, const char *s, size_t n)
{
    __mmask64 part = ((uint64_t)1 << n) - 1;
    __m512i v = _mm512_maskz_loadu_epi8(part, s);
    _mm512_storeu_si512(o, v);
    return block_escapes(v) & part;
}

#include "fused/json_write_core.h"

json_write_kernel *const json_write_avx512 = write_kernel;
#else
json_write_kernel *const json_write_avx512 = NULL;
#endif
