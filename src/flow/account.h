/* Limits while they are enforced: what has been charged so far. */
#ifndef FLOW_ACCOUNT_H
#define FLOW_ACCOUNT_H

#include "base/config.h"
#include "weir/options.h"

struct account {
    weir_limits limit;
    uint64_t input, output, nodes, payload, documents; /* cumulative, charged so far */
};

void account_init(struct account *account, const weir_limits *limits);

extern const weir_options options_default;

/* Copies options that may be NULL or shorter (an older caller's) over the defaults. */
void options_resolve(weir_options *out, const weir_options *options);

/* The options to read, without a copy where that is possible: the caller's, the defaults, or *storage filled
 * in. */
const weir_options *options_view(const weir_options *options, weir_options *storage);

/* Fills in resource, maximum, remaining and requested, and the code that belongs to the resource. */
void account_point_error(weir_error *error, weir_resource resource, uint64_t maximum, uint64_t observed);
void account_sum_error(weir_error *error, weir_resource resource, uint64_t maximum, uint64_t used,
                       uint64_t requested);

/* Charges amount to *used. false (and nothing charged) if it would pass maximum. */
static inline bool account_charge(uint64_t *used, uint64_t maximum, uint64_t amount)
{
    if (maximum != WEIR_UNSET) {
        if (unlikely(amount > maximum - *used)) {
            return false;
        }
        *used += amount;
    }
    return true;
}

/* The bytes a document made from `input` bytes may hold. */
static inline uint64_t account_memory(const weir_limits *limits, uint64_t input)
{
    if (limits->memory != WEIR_MEMORY_AUTO) {
        return limits->memory;
    }
    uint64_t base = (uint64_t)64 << 20;
    return input > (UINT64_MAX - base) / 64 ? UINT64_MAX : input * 32 + base;
}

#endif
