/* The fused JSON writer for every machine: SSE2 where there is, else 16 bytes as two words. */
#include "fused/json_write_kernel.h"

#define BLOCK 16

ALWAYS_INLINE void block_copy(char *o, const char *s)
{
    memcpy(o, s, BLOCK);
}

#if defined(__SSE2__)
#include <emmintrin.h>

ALWAYS_INLINE uint64_t block_check(char *o, const char *s)
{
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)s);
    _mm_storeu_si128((__m128i *)(void *)o, v);
    __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1F)), v);
    __m128i quote = _mm_cmpeq_epi8(v, _mm_set1_epi8('"')), backslash = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(control, quote), backslash));
}

#else

/* The top bit of each byte of w that must be escaped; a byte above the lowest such one may be marked too. */
ALWAYS_INLINE uint64_t word_suspects(uint64_t w)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = UINT64_C(0x8080808080808080);
    uint64_t quote = w ^ ones * '"', backslash = w ^ ones * '\\';
    return (((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | ((w - ones * 0x20) & ~w)) & tops;
}

ALWAYS_INLINE uint64_t block_check(char *o, const char *s)
{
    uint64_t low, high, escapes = 0;
    memcpy(&low, s, 8);
    memcpy(&high, s + 8, 8);
    memcpy(o, &low, 8);
    memcpy(o + 8, &high, 8);
    if (unlikely(word_suspects(low) | word_suspects(high))) {
        for (unsigned i = 0; i < BLOCK; i++) {
            unsigned char byte = (unsigned char)s[i];
            escapes |= (uint64_t)(byte < 0x20 || byte == '"' || byte == '\\') << i;
        }
    }
    return escapes;
}

#endif

#include "fused/json_write_part.h"

/* The core uses what the part defines. */
#include "fused/json_write_core.h"

json_write_kernel *const json_write_base = write_kernel;
