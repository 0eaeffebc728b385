/* What the machine allows: copying the bytes, and classifying each of them.
 * The scan counts the structural characters of JSON ({ } [ ] : ,) whatever
 * they stand in; no parser of the same bytes can be faster than that. */
#include "peers.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#define X86 1
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

struct state {
    struct bytes in;
    char *copy;
    size_t expected, found;
};

static const char *version(void)
{
    return "";
}

static bool is_structural(unsigned char c)
{
    return c == '{' || c == '}' || c == '[' || c == ']' || c == ':' || c == ',';
}

static size_t scan_plain(const char *p, size_t len)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++)
        n += is_structural((unsigned char)p[i]);
    return n;
}

/* Two table lookups by nibble: a byte is structural when the two entries share a bit. Bit 0 is for ':' (3a),
 * bit 1 for ',' (2c), bit 2 for the four brackets (5b, 5d, 7b, 7d). */
#define HIGH_NIBBLES 0, 0, 2, 1, 0, 4, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0
#define LOW_NIBBLES 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 4, 2, 4, 0, 0

#ifdef X86
__attribute__((target("ssse3,popcnt"))) static size_t scan_ssse3(const char *p, size_t len)
{
    const __m128i high = _mm_setr_epi8(HIGH_NIBBLES), low = _mm_setr_epi8(LOW_NIBBLES);
    const __m128i nibble = _mm_set1_epi8(15), zero = _mm_setzero_si128();
    size_t n = 0, i = 0;
    for (; i + 16 <= len; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        __m128i h = _mm_shuffle_epi8(high, _mm_and_si128(_mm_srli_epi16(v, 4), nibble));
        __m128i l = _mm_shuffle_epi8(low, _mm_and_si128(v, nibble));
        unsigned none = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_and_si128(h, l), zero));
        n += 16 - (size_t)__builtin_popcount(none);
    }
    return n + scan_plain(p + i, len - i);
}

__attribute__((target("avx2,popcnt"))) static size_t scan_avx2(const char *p, size_t len)
{
    const __m256i high = _mm256_setr_epi8(HIGH_NIBBLES, HIGH_NIBBLES);
    const __m256i low = _mm256_setr_epi8(LOW_NIBBLES, LOW_NIBBLES);
    const __m256i nibble = _mm256_set1_epi8(15), zero = _mm256_setzero_si256();
    size_t n = 0, i = 0;
    for (; i + 32 <= len; i += 32) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(p + i));
        __m256i h = _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble));
        __m256i l = _mm256_shuffle_epi8(low, _mm256_and_si256(v, nibble));
        unsigned none = (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_and_si256(h, l), zero));
        n += 32 - (size_t)__builtin_popcount(none);
    }
    return n + scan_plain(p + i, len - i);
}

__attribute__((target("avx512bw,popcnt"))) static size_t scan_avx512(const char *p, size_t len)
{
    const __m512i high = _mm512_broadcast_i32x4(_mm_setr_epi8(HIGH_NIBBLES));
    const __m512i low = _mm512_broadcast_i32x4(_mm_setr_epi8(LOW_NIBBLES));
    const __m512i nibble = _mm512_set1_epi8(15);
    size_t n = 0, i = 0;
    for (; i + 64 <= len; i += 64) {
        __m512i v = _mm512_loadu_si512(p + i);
        __m512i h = _mm512_shuffle_epi8(high, _mm512_and_si512(_mm512_srli_epi16(v, 4), nibble));
        __m512i l = _mm512_shuffle_epi8(low, _mm512_and_si512(v, nibble));
        n += (size_t)__builtin_popcountll(_mm512_test_epi8_mask(h, l));
    }
    return n + scan_plain(p + i, len - i);
}
#elif defined(__aarch64__)
static size_t scan_neon(const char *p, size_t len)
{
    static const uint8_t high_table[16] = {HIGH_NIBBLES}, low_table[16] = {LOW_NIBBLES};
    const uint8x16_t high = vld1q_u8(high_table), low = vld1q_u8(low_table);
    size_t n = 0, i = 0;
    for (; i + 16 <= len; i += 16) {
        uint8x16_t v = vld1q_u8((const uint8_t *)p + i);
        uint8x16_t h = vqtbl1q_u8(high, vshrq_n_u8(v, 4));
        uint8x16_t l = vqtbl1q_u8(low, vandq_u8(v, vdupq_n_u8(15)));
        n += vaddvq_u8(vandq_u8(vtstq_u8(h, l), vdupq_n_u8(1)));
    }
    return n + scan_plain(p + i, len - i);
}
#endif

static void teardown(void *arg)
{
    struct state *s = arg;
    free(s->copy);
    free(s);
}

static void *setup(const struct task *task)
{
    struct state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->in = task->as[SYNTAX_JSON];
    s->copy = malloc(s->in.len + 1);
    if (s->copy == NULL) {
        teardown(s);
        return NULL;
    }
    s->expected = scan_plain(s->in.data, s->in.len);
    return s;
}

static bool copy(void *arg)
{
    struct state *s = arg;
    memcpy(s->copy, s->in.data, s->in.len);
    __asm__ volatile("" : : "r"(s->copy) : "memory"); /* the copy is wanted */
    return true;
}

static struct bytes copied(void *arg)
{
    struct state *s = arg;
    return (struct bytes){s->copy, s->in.len};
}

#define SCAN(name, condition)                          \
    static void *setup_##name(const struct task *task) \
    {                                                  \
        return (condition) ? setup(task) : NULL;       \
    }                                                  \
    static bool run_##name(void *arg)                  \
    {                                                  \
        struct state *s = arg;                         \
        s->found = scan_##name(s->in.data, s->in.len); \
        return s->found == s->expected;                \
    }

SCAN(plain, true)
#ifdef X86
SCAN(ssse3, __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("popcnt"))
SCAN(avx2, __builtin_cpu_supports("avx2"))
SCAN(avx512, __builtin_cpu_supports("avx512bw"))
#elif defined(__aarch64__)
SCAN(neon, true)
#endif

const struct peer peer_floor = {
    "floor",
    version,
    (const struct engine[]){
        {"memcpy", OP_FLOOR_MEMCPY, 0, SYNTAX_JSON, setup, copy, NULL, NULL, copied, teardown},
#ifdef X86
        {"scan-avx512", OP_FLOOR_SCAN, 0, SYNTAX_JSON, setup_avx512, run_avx512, NULL, NULL, NULL, teardown},
        {"scan-avx2", OP_FLOOR_SCAN, 0, SYNTAX_JSON, setup_avx2, run_avx2, NULL, NULL, NULL, teardown},
        {"scan-ssse3", OP_FLOOR_SCAN, 0, SYNTAX_JSON, setup_ssse3, run_ssse3, NULL, NULL, NULL, teardown},
#elif defined(__aarch64__)
        {"scan-neon", OP_FLOOR_SCAN, 0, SYNTAX_JSON, setup_neon, run_neon, NULL, NULL, NULL, teardown},
#endif
        {"scan-plain", OP_FLOOR_SCAN, 0, SYNTAX_JSON, setup_plain, run_plain, NULL, NULL, NULL, teardown},
        {.name = NULL},
    },
};
