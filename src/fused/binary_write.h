/* Pieces of the fused binary writers: big-endian integers of the least width, text, and the depth of nesting.
 *
 * Counts are in the nodes, so a writer passes over the tape once, without a stack and without knowing where a
 * container ends; only a limit of depth has to know, and asks where containers begin. */
#ifndef FUSED_BINARY_WRITE_H
#define FUSED_BINARY_WRITE_H

#include "fused/output.h"

enum { BINARY_LEVELS = 1024, BINARY_SHORT_TEXT = 64 };

/* Bytes of the argument behind a head, by the bits of its value (1 … 64). */
static const uint8_t binary_width[65] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
    8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8};

ALWAYS_INLINE unsigned binary_bits(uint64_t v)
{
    return 64 - (unsigned)__builtin_clzll(v | 1);
}

/* The lowest `width` bytes of v at w, most significant first; stores 8. */
ALWAYS_INLINE void binary_put(char *w, uint64_t v, unsigned width)
{
    store_be64(w, v << (64 - 8 * width));
}

/* n bytes; room for BINARY_SHORT_TEXT is there. NULL: no room. */
ALWAYS_INLINE char *binary_put_text(struct output *out, char *w, const weir_val *node, uint64_t tag)
{
    const char *s = tape_text(node);
    uint64_t n = tag >> 8;
    if (likely(n <= 32 && !(tag & TAPE_UNTERMINATED))) {
        memcpy(w, s, 16); /* an owned text is followed by 64 readable bytes */
        memcpy(w + 16, s + 16, 16);
        return w + n;
    }
    if (unlikely(n > BINARY_SHORT_TEXT && output_is_short(out, w, n))) {
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
struct binary_levels {
    size_t size, max; /* max: levels, at most BINARY_LEVELS; SIZE_MAX: not kept */
    const weir_val *ends[BINARY_LEVELS];
};

/* A container with children begins. false: they would be too deep. */
ALWAYS_INLINE bool binary_open(struct binary_levels *levels, const weir_val *node)
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
static bool binary_check(struct binary_levels *levels, const weir_val *val, const struct fused_limits *limits,
                         const weir_allocator *allocator)
{
    levels->size = 0;
    levels->max = SIZE_MAX;
    if (!limits) {
        return true;
    }
    bool others = (limits->nodes & limits->items & limits->entries & limits->key & limits->string & limits->payload) !=
                  WEIR_UNSET;
    if (others || limits->depth == 0 || (limits->depth > BINARY_LEVELS && limits->depth != WEIR_UNSET)) {
        return fused_within_limits(val, limits, allocator);
    }
    if (limits->depth != WEIR_UNSET) {
        levels->max = (size_t)limits->depth;
    }
    return true;
}

#endif
