/* What the fused paths share: their result, and the limits they keep.
 *
 * A fused path does one job (bytes to tape, tape to bytes) in one loop for what is usual and allowed.
 * Anything else it refuses: the general reader or writer then does the whole job, knows the option, or finds
 * the reason. */
#ifndef FUSED_FUSED_H
#define FUSED_FUSED_H

#include "value/tape.h"

enum fused_result {
    FUSED_OK,
    FUSED_REFUSED, /* take the general path */
    FUSED_MEMORY
};

/* Inclusive maxima of one document, WEIR_UNSET = none. Meanings as in weir_limits; nothing was charged
 * before. */
struct fused_limits {
    uint64_t depth, nodes, items, entries, key, string, number, payload;
    uint64_t output; /* writers only */
};

#define FUSED_LIMITS_NONE                                                                               \
    {                                                                                                   \
        WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, \
            WEIR_UNSET                                                                                  \
    }

/* Whether the value's tape keeps every limit but `output`. Without an allocation that it may need: false. */
bool fused_within_limits(const weir_val *val, const struct fused_limits *limits,
                         const weir_allocator *allocator);

#endif
