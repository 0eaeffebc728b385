/* Pieces of the fused binary writers: big-endian integers of the least width, text, and the depth of nesting.
 *
 * Counts are in the nodes, so a writer passes over the tape once, without a stack and without knowing where a
 * container ends; only a limit of depth has to know, and asks where containers begin. */
#ifndef FUSED_PACK_H
#define FUSED_PACK_H

#include <float.h>

#include "fused/output.h"
#include "text/binary.h"

enum { PACK_LEVELS = 1024, PACK_SHORT_TEXT = 64 };

/* Bytes of the argument behind a head, by the bits of its value (1 … 64). */
static const uint8_t pack_width[65] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4,
                                       4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
                                       8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8};

ALWAYS_INLINE unsigned pack_bits(uint64_t v)
{
    return 64 - (unsigned)__builtin_clzll(v | 1);
}

/* The lowest `width` bytes of v at w, most significant first; stores 8. */
ALWAYS_INLINE void pack_put(char *w, uint64_t v, unsigned width)
{
    store_be64(w, v << (64 - 8 * width));
}

/* As binary_float_of, whose case of a usual number is done here. */
ALWAYS_INLINE bool pack_narrow_float(uint64_t wide, uint32_t *bits)
{
    double value = binary_double(wide);
    if (likely(value >= -FLT_MAX && value <= FLT_MAX)) {
        float narrow = (float)value;
        memcpy(bits, &narrow, sizeof narrow);
        return (double)narrow == value;
    }
    return binary_float_of(wide, bits);
}

/* n bytes; room for PACK_SHORT_TEXT is there. NULL: no room. */
ALWAYS_INLINE char *pack_put_text(struct output *out, char *w, const weir_val *node, uint64_t tag)
{
    const char *s = tape_text(node);
    uint64_t n = tag >> 8;
    if (likely(n <= 32 && !(tag & TAPE_UNTERMINATED))) {
        memcpy(w, s, 16); /* an owned text is followed by 64 readable bytes */
        memcpy(w + 16, s + 16, 16);
        return w + n;
    }
    if (unlikely(n > PACK_SHORT_TEXT && output_is_short(out, w, n))) {
        w = output_grow(out, w, n, node);
        if (!w) {
            return NULL;
        }
    }
    if (n >= 16) {
        memcpy(w, s, (size_t)n);
    } else if (n >= 8) {
        memcpy(w, s, 8);
        memcpy(w + n - 8, s + n - 8, 8);
    } else if (n >= 4) {
        memcpy(w, s, 4);
        memcpy(w + n - 4, s + n - 4, 4);
    } else if (n) {
        w[0] = s[0];
        w[n >> 1] = s[n >> 1];
        w[n - 1] = s[n - 1];
    }
    return w + n;
}

/* Ends of the open containers. */
struct pack_levels {
    size_t size, max; /* max: levels, at most PACK_LEVELS; SIZE_MAX: not kept */
    const weir_val *ends[PACK_LEVELS];
};

/* A container with children begins. false: they would be too deep. */
ALWAYS_INLINE bool pack_open(struct pack_levels *levels, const weir_val *node)
{
    if (levels->max == SIZE_MAX) {
        return true;
    }
    while (levels->size && levels->ends[levels->size - 1] <= node) {
        levels->size--;
    }
    levels->ends[levels->size++] = node + node->v.u;
    return levels->size < levels->max;
}

/* Prepares for the limits: a small depth is left to `levels`, the rest checked here. false: over a limit. */
static bool pack_check(struct pack_levels *levels, const weir_val *val, const struct fused_limits *limits,
                       const weir_allocator *allocator)
{
    levels->size = 0;
    levels->max = SIZE_MAX;
    if (!limits) {
        return true;
    }
    bool others = (limits->nodes & limits->items & limits->entries & limits->key & limits->string &
                   limits->payload) != WEIR_UNSET;
    if (others || limits->depth == 0 || (limits->depth > PACK_LEVELS && limits->depth != WEIR_UNSET)) {
        return fused_within_limits(val, limits, allocator);
    }
    if (limits->depth != WEIR_UNSET) {
        levels->max = (size_t)limits->depth;
    }
    return true;
}

#endif
