/* What a document uses of each limited resource, so that a limit can be set to
 * exactly that. The counting rules are those of weir's limits. */
#ifndef BENCH_USAGE_H
#define BENCH_USAGE_H

#include "trace.h"

struct usage {
    uint64_t depth;   /* root-inclusive nesting, scalars counted */
    uint64_t nodes;   /* values; keys are not counted */
    uint64_t items;   /* most items of one array */
    uint64_t entries; /* most entries of one map */
    uint64_t key;     /* bytes of the longest key */
    uint64_t string;  /* bytes of the longest string value */
    uint64_t number;  /* bytes of the longest number text; 0 without numbers */
    uint64_t payload; /* bytes of all keys, strings and number texts */
};

/* `json` is the text that the trace was read from, for the lengths of its numbers. */
struct usage usage_of(const struct trace *trace, const char *json, size_t len);

#endif
