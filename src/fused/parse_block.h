/* Memory of the fused binary parsers: the block, its nodes, and the frames of open containers.
 *
 * Frames lie at the block's end and grow downwards, nodes grow upwards:
 *
 *   base … o     nodes made
 *   o … due      room for children that are announced and not yet read, so that a scalar needs no test
 *   frame … end  for each open container: what the one around it still waits for
 *
 * An open container's node holds its distance from the one around it.
 * Every announced child takes a byte at least: no more are believed than bytes are left. */
#ifndef FUSED_PARSE_BLOCK_H
#define FUSED_PARSE_BLOCK_H

#include "base/utf8.h"
#include "fused/parse_job.h"
#include "text/binary.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

struct parse_block {
    struct parse_job *job;
    const uint8_t *src; /* or the copy in the block */
    uint8_t *text;      /* the copy; NULL if borrowed */
    size_t len;         /* of what is looked at */
    weir_val *base, *end;
};

enum loop_result { LOOP_OK, LOOP_REFUSED, LOOP_MEMORY, LOOP_SHORT /* more bytes may help */ };

enum {
    PARSE_BLOCK_TEXT = TAPE_HEADER + 16, /* where an owned text begins */
    PARSE_BLOCK_SPARE = 32               /* bytes between due and frame, while a head is read */
};

/* Prepares the block for the first `len` bytes of the input; behind an owned copy stand `stop` bytes. */
bool parse_block_start(struct parse_block *parse, struct parse_job *job, size_t len, uint8_t stop);

/* Room for `due` nodes and more frames. The block may move: every pointer is to be taken anew. */
bool parse_block_grow(struct parse_block *parse, size_t made, size_t due, size_t frames, size_t position);

typedef enum loop_result parse_loop(struct parse_block *parse, size_t *made, size_t *consumed);

/* Runs a parser over the job: loops[borrowed][limited]. */
enum fused_result parse_block_run(struct parse_job *job, parse_loop *const loops[2][2], uint8_t stop);

/* Whether n bytes at s are UTF-8; `left` >= n bytes may be read. */
ALWAYS_INLINE bool parse_text_ok(const uint8_t *s, size_t n, size_t left)
{
#if defined(__SSE2__)
    if (likely(n <= 32)) {
        if (likely(left >= 32)) {
            uint64_t low =
                (uint64_t)(unsigned)_mm_movemask_epi8(_mm_loadu_si128((const __m128i *)(const void *)s));
            uint64_t high = (uint64_t)(unsigned)_mm_movemask_epi8(
                _mm_loadu_si128((const __m128i *)(const void *)(s + 16)));
            if (likely(((low | high << 16) & (((uint64_t)1 << n) - 1)) == 0)) {
                return true;
            }
        }
        return utf8_valid(s, n);
    }
    if (likely(n <= 256)) {
        __m128i all = _mm_loadu_si128((const __m128i *)(const void *)(s + n - 16));
        for (size_t i = 0; i + 16 < n; i += 16) {
            all = _mm_or_si128(all, _mm_loadu_si128((const __m128i *)(const void *)(s + i)));
        }
        if (likely(_mm_movemask_epi8(all) == 0)) {
            return true;
        }
    }
#else
    (void)left;
#endif
    return utf8_valid(s, n);
}

/* The bits of the double that has a float's value, NaN payloads kept. */
ALWAYS_INLINE uint64_t parse_widen_float(uint32_t bits)
{
    float narrow;
    double wide;
    uint64_t out;
    if (unlikely((bits & 0x7FFFFFFFu) > 0x7F800000u)) {
        return binary_widen_float(bits);
    }
    memcpy(&narrow, &bits, sizeof narrow);
    wide = (double)narrow;
    memcpy(&out, &wide, sizeof out);
    return out;
}

#endif
