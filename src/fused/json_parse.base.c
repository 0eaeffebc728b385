/* The JSON document parser for every machine: SSE2 where there is one, else 64-bit words.
 *
 * A kernel defines, for the core that it includes:
 *   block_masks, block_classify   copy 64 bytes and say where quotes, backslashes, white space and controls
 * are block_classify_first          the same for n < 64 bytes followed by blanks; reads no more
 *   text_copy_short, run_string, RUN_MAX   for texts that are walked without an index, see below
 *   block_count_openers           how many of , : { [ there are, in strings or not
 *   block_bytes ..., block_has_high   all bytes seen, or-ed; is any of them above 0x7F
 *   block_is_plain                copy 64 bytes; true if there is none of these (backslashes aside)
 *   blocks_are_text               copy 256 bytes; true if there is no quote, backslash or control
 *   block_prefix_xor              each bit becomes the parity of those up to it
 *   block_write_index, _marked    positions of set bits, plus `at`; may write up to 64 entries
 *   utf8_errors, utf8_no_errors, utf8_has_errors, utf8_check_block   s[-3 .. 63] may be read
 *   string_unescape               undo a string's escapes in place; 64 bytes behind its end are readable */
#include "fused/json_number.h"
#include "fused/json_string.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define KERNEL_INLINE static inline __attribute__((always_inline))

typedef struct block_masks {
    uint64_t quote, backslash, space, control;
} block_masks;

#if defined(__SSE2__)
KERNEL_INLINE __m128i load16x8(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

typedef __m128i block_bytes;

KERNEL_INLINE block_bytes block_bytes_none(void)
{
    return _mm_setzero_si128();
}

KERNEL_INLINE _Bool block_bytes_high(block_bytes seen)
{
    return _mm_movemask_epi8(seen) != 0;
}

KERNEL_INLINE _Bool block_has_high(const uint8_t *src)
{
    return _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(load16x8(src), load16x8(src + 16)),
                                          _mm_or_si128(load16x8(src + 32), load16x8(src + 48)))) != 0;
}

KERNEL_INLINE void block_classify(const uint8_t *src, uint8_t *dst, block_masks *m, block_bytes *seen)
{
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), last = _mm_set1_epi8(0x1F);
    const __m128i tab = _mm_set1_epi8('\t'), line = _mm_set1_epi8('\n'), cr = _mm_set1_epi8('\r'),
                  blank = _mm_set1_epi8(' ');
    memset(m, 0, sizeof *m);
    for (unsigned k = 0; k < 64; k += 16) {
        __m128i v = load16x8(src + k);
        _mm_storeu_si128((__m128i *)(void *)(dst + k), v);
        __m128i space = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, tab), _mm_cmpeq_epi8(v, line)),
                                     _mm_or_si128(_mm_cmpeq_epi8(v, cr), _mm_cmpeq_epi8(v, blank)));
        m->quote |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, quote)) << k;
        m->backslash |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, backslash)) << k;
        m->space |= (uint64_t)(unsigned)_mm_movemask_epi8(space) << k;
        m->control |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(v, last), v)) << k;
        *seen = _mm_or_si128(*seen, v);
    }
}

KERNEL_INLINE _Bool blocks_are_text(const uint8_t *src, uint8_t *dst, block_bytes *seen)
{
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), last = _mm_set1_epi8(0x1F);
    __m128i stop = _mm_setzero_si128(), all = *seen;
    memcpy(dst, src, 256);
    for (unsigned k = 0; k < 256; k += 16) {
        __m128i v = load16x8(src + k);
        stop = _mm_or_si128(stop, _mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, backslash)));
        stop = _mm_or_si128(stop, _mm_cmpeq_epi8(_mm_min_epu8(v, last), v));
        all = _mm_or_si128(all, v);
    }
    *seen = all;
    return _mm_movemask_epi8(stop) == 0;
}

KERNEL_INLINE _Bool block_is_plain(const uint8_t *src, uint8_t *dst)
{
    const __m128i above = _mm_set1_epi8(0x23);
    __m128i a = load16x8(src), b = load16x8(src + 16), c = load16x8(src + 32), d = load16x8(src + 48);
    memcpy(dst, src, 64);
    return _mm_movemask_epi8(
               _mm_or_si128(_mm_or_si128(_mm_cmplt_epi8(a, above), _mm_cmplt_epi8(b, above)),
                            _mm_or_si128(_mm_cmplt_epi8(c, above), _mm_cmplt_epi8(d, above)))) == 0;
}
#else
#define REPEAT(x) (UINT64_C(0x0101010101010101) * (x))

KERNEL_INLINE uint64_t word_load(const uint8_t *p)
{
    uint64_t w;
    memcpy(&w, p, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    w = __builtin_bswap64(w);
#endif
    return w;
}

/* The top bits of the bytes that equal c; of those below n (n <= 0x80). */
KERNEL_INLINE uint64_t word_equal(uint64_t w, uint8_t c)
{
    uint64_t x = w ^ REPEAT(c);
    return ~(((x & REPEAT(0x7F)) + REPEAT(0x7F)) | x) & REPEAT(0x80);
}

KERNEL_INLINE uint64_t word_below(uint64_t w, uint8_t n)
{
    return ~((w & REPEAT(0x7F)) + REPEAT(0x80u - n)) & ~w & REPEAT(0x80);
}

/* Top bits of eight bytes to eight bits. */
KERNEL_INLINE uint64_t word_mask(uint64_t tops)
{
    return (tops >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

typedef uint64_t block_bytes;

KERNEL_INLINE block_bytes block_bytes_none(void)
{
    return 0;
}

KERNEL_INLINE _Bool block_bytes_high(block_bytes seen)
{
    return (seen & REPEAT(0x80)) != 0;
}

KERNEL_INLINE _Bool block_has_high(const uint8_t *src)
{
    uint64_t seen = 0;
    for (unsigned k = 0; k < 64; k += 8) {
        seen |= word_load(src + k);
    }
    return block_bytes_high(seen);
}

KERNEL_INLINE void block_classify(const uint8_t *src, uint8_t *dst, block_masks *m, block_bytes *seen)
{
    memset(m, 0, sizeof *m);
    memcpy(dst, src, 64);
    for (unsigned k = 0; k < 64; k += 8) {
        uint64_t w = word_load(src + k);
        uint64_t space = word_equal(w, ' ') | word_equal(w, '\n') | word_equal(w, '\r') | word_equal(w, '\t');
        m->quote |= word_mask(word_equal(w, '"')) << k;
        m->backslash |= word_mask(word_equal(w, '\\')) << k;
        m->space |= word_mask(space) << k;
        m->control |= word_mask(word_below(w, 0x20)) << k;
        *seen |= w;
    }
}

KERNEL_INLINE _Bool blocks_are_text(const uint8_t *src, uint8_t *dst, block_bytes *seen)
{
    uint64_t stop = 0, all = *seen;
    memcpy(dst, src, 256);
    for (unsigned k = 0; k < 256; k += 8) {
        uint64_t w = word_load(src + k);
        stop |= word_equal(w, '"') | word_equal(w, '\\') | word_below(w, 0x20);
        all |= w;
    }
    *seen = all;
    return stop == 0;
}

KERNEL_INLINE _Bool block_is_plain(const uint8_t *src, uint8_t *dst)
{
    uint64_t any = 0;
    memcpy(dst, src, 64);
    for (unsigned k = 0; k < 64; k += 8) {
        uint64_t w = word_load(src + k);
        any |= word_below(w, 0x23) | (w & REPEAT(0x80));
    }
    return any == 0;
}
#endif

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
    _Bool high = 0;
    memcpy(dst, src, n);
    memset(dst + n, ' ', 64);
    for (size_t at = 0; at < n; at += 64) {
        high |= block_has_high(dst + at);
    }
    return high;
}

/* How many bytes from p are neither quote nor backslash nor control; no more than RUN_MAX. */
#if defined(__SSE2__)
enum { RUN_MAX = 16 };

KERNEL_INLINE unsigned run_string(const uint8_t *p)
{
    __m128i v = load16x8(p);
    __m128i stop =
        _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
    stop = _mm_or_si128(stop, _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1F)), v));
    return (unsigned)__builtin_ctz((unsigned)_mm_movemask_epi8(stop) | 0x10000u);
}
#else
enum { RUN_MAX = 8 };

/* The place of the lowest top bit; 8 if there is none. */
KERNEL_INLINE unsigned word_first(uint64_t tops)
{
    return tops == 0 ? 8 : (unsigned)__builtin_ctzll(tops) / 8;
}

KERNEL_INLINE unsigned run_string(const uint8_t *p)
{
    uint64_t w = word_load(p);
    return word_first(word_equal(w, '"') | word_equal(w, '\\') | word_below(w, 0x20));
}
#endif

KERNEL_INLINE size_t block_count_openers(const uint8_t *src, size_t n)
{
    size_t count = 0, at = 0;
    for (; at < n; at++) {
        count += (src[at] == ',') | (src[at] == ':') | ((src[at] | 0x20) == '{');
    }
    return count;
}

KERNEL_INLINE uint64_t block_prefix_xor(uint64_t bits)
{
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    return bits ^ bits << 32;
}

KERNEL_INLINE void block_write_index(uint16_t *ip, uint64_t bits, uint64_t at)
{
    for (; bits != 0; bits &= bits - 1) {
        *ip++ = (uint16_t)(at + (uint64_t)__builtin_ctzll(bits));
    }
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

/* UTF-8 by a state machine whose rows are packed into words: state = row >> state & 31 (Per Vognsen's layout
 * of Bjoern Hoehrmann's decoder). A sequence that the block before left open is entered from its last three
 * bytes. */
enum {
    UTF8_WRONG = 0,
    UTF8_START = 6,
    UTF8_ONE = 12,
    UTF8_TWO = 18,
    UTF8_E0 = 24,
    UTF8_ED = 30,
    UTF8_F0 = 36,
    UTF8_FOUR = 42,
    UTF8_F4 = 48
};
typedef uint64_t utf8_errors;

KERNEL_INLINE utf8_errors utf8_no_errors(void)
{
    return 0;
}

KERNEL_INLINE _Bool utf8_has_errors(const utf8_errors *e)
{
    return *e != 0;
}

#define ROW(from, to) ((uint64_t)(to) << (from))
#define ROW_ASCII ROW(UTF8_START, UTF8_START)
#define ROW_LEAD(to) ROW(UTF8_START, to)
#define ROW_MORE (ROW(UTF8_ONE, UTF8_START) | ROW(UTF8_TWO, UTF8_ONE) | ROW(UTF8_FOUR, UTF8_TWO))
static const uint64_t utf8_rows[256] = {
    [0x00 ... 0x7F] = ROW_ASCII,
    [0x80 ... 0x8F] = ROW_MORE | ROW(UTF8_ED, UTF8_ONE) | ROW(UTF8_F4, UTF8_TWO),
    [0x90 ... 0x9F] = ROW_MORE | ROW(UTF8_ED, UTF8_ONE) | ROW(UTF8_F0, UTF8_TWO),
    [0xA0 ... 0xBF] = ROW_MORE | ROW(UTF8_E0, UTF8_ONE) | ROW(UTF8_F0, UTF8_TWO),
    [0xC2 ... 0xDF] = ROW_LEAD(UTF8_ONE),
    [0xE0] = ROW_LEAD(UTF8_E0),
    [0xE1 ... 0xEC] = ROW_LEAD(UTF8_TWO),
    [0xED] = ROW_LEAD(UTF8_ED),
    [0xEE ... 0xEF] = ROW_LEAD(UTF8_TWO),
    [0xF0] = ROW_LEAD(UTF8_F0),
    [0xF1 ... 0xF3] = ROW_LEAD(UTF8_FOUR),
    [0xF4] = ROW_LEAD(UTF8_F4),
};

KERNEL_INLINE void utf8_check_block(utf8_errors *e, const uint8_t *s)
{
    uint64_t state = UTF8_START;
    const uint8_t *end = s + 64;
    s -= s[-1] >= 0xC0 ? 1 : s[-2] >= 0xE0 ? 2 : s[-3] >= 0xF0 ? 3 : 0;
    while (s < end) {
        if (state == UTF8_START && end - s >= 8 && (json_load64(s) & UINT64_C(0x8080808080808080)) == 0) {
            s += 8;
            continue;
        }
        for (const uint8_t *stop = end - s > 8 ? s + 8 : end; s < stop; s++) {
            state = utf8_rows[*s] >> state & 63;
        }
    }
    *e |= state == UTF8_WRONG;
}

KERNEL_INLINE const uint8_t *string_find_escape(const uint8_t *r)
{
#if defined(__SSE2__)
    for (;; r += 16) {
        unsigned stop = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(load16x8(r), _mm_set1_epi8('\\')));
        if (stop != 0) {
            return r + __builtin_ctz(stop);
        }
    }
#else
    while (*r != '\\') {
        r++;
    }
    return r;
#endif
}

KERNEL_INLINE const uint8_t *string_copy_run(uint8_t *w, const uint8_t *r, const uint8_t *end, uint8_t **to)
{
#if defined(__SSE2__)
    for (; end - r >= 16; r += 16, w += 16) { /* w is at least one byte behind r, so r + 16 isn't touched */
        __m128i v = load16x8(r);
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\'))) != 0) {
            break;
        }
        _mm_storeu_si128((__m128i *)(void *)w, v);
    }
#endif
    for (; r < end && *r != '\\'; r++) {
        *w++ = *r;
    }
    *to = w;
    return r;
}

/* Unescapes text[0 .. end) in place; text[end] is the closing quote. The new length, or -1. */
DEFINE_STRING_UNESCAPE

#include "fused/json_parse_core.h"

json_parse_kernel *const json_parse_base = parse_job;
