/* Equality and hashes of values. Two trees are equal if their nodes are, one after the other in document
 * order: counts fix the shape. For unordered comparison both are brought into one order first, that of the
 * hashes of their entries; the comparison itself is exact, so only two entries of one map whose 64-bit hashes
 * collide could hide an equality. */
#include "value/equal.h"

#include <math.h>

#include "base/hash.h"
#include "flow/path.h"
#include "value/doc.h"
#include "value/exact.h"
#include "value/order.h"

/* ---- nodes ---- */

static bool timestamps_equal(const weir_val *a, const weir_val *b)
{
    weir_timestamp x = tape_timestamp(a), y = tape_timestamp(b);
    return x.seconds == y.seconds && x.nanoseconds == y.nanoseconds && x.offset_minutes == y.offset_minutes &&
           x.shape == y.shape;
}

/* Of containers only the head. */
static inline bool nodes_equal(const weir_val *a, const weir_val *b, uint32_t flags)
{
    weir_kind kind = tape_kind(a);
    if (unlikely((flags & WEIR_EQ_NUMERIC) && exact_is_number(kind) && exact_is_number(tape_kind(b)))) {
        return exact_equal(a, b);
    }
    if (kind != tape_kind(b)) {
        return false;
    }
    switch (kind) {
    case WEIR_KIND_STRING:
    case WEIR_KIND_BYTES:
    case WEIR_KIND_NUMBER:
    case WEIR_KIND_SECRET:
        return tape_length(a) == tape_length(b) &&
               memcmp(tape_text(a), tape_text(b), (size_t)tape_length(a)) == 0;
    case WEIR_KIND_UINT:
    case WEIR_KIND_INT:
        return a->v.u == b->v.u;
    case WEIR_KIND_REAL:
        return a->v.u == b->v.u || (isnan(a->v.d) && isnan(b->v.d));
    case WEIR_KIND_TIMESTAMP:
        return timestamps_equal(a, b);
    case WEIR_KIND_ARRAY:
    case WEIR_KIND_MAP:
        return tape_length(a) == tape_length(b);
    default:
        return true;
    }
}

bool tape_equal(const weir_val *a, const weir_val *b, uint32_t flags)
{
    uint64_t span = tape_span(a);
    if (span != tape_span(b)) {
        return false;
    }
    for (uint64_t i = 0; i < span; i++) {
        if (!nodes_equal(a + i, b + i, flags)) {
            return false;
        }
    }
    return true;
}

/* ---- hashes ---- */

uint64_t tape_hash_scalar(const weir_val *node, uint32_t flags, uint64_t seed)
{
    weir_kind kind = tape_kind(node);
    if ((flags & WEIR_EQ_NUMERIC) && exact_is_number(kind)) {
        return exact_hash(node, seed);
    }
    uint64_t word = node->v.u;
    seed ^= (uint64_t)kind << 32;
    switch (kind) {
    case WEIR_KIND_STRING:
    case WEIR_KIND_BYTES:
    case WEIR_KIND_NUMBER:
    case WEIR_KIND_SECRET:
        return hash_bytes(tape_text(node), (size_t)tape_length(node), seed);
    case WEIR_KIND_REAL:
        if (isnan(node->v.d)) {
            word = UINT64_MAX; /* itself a NaN */
        }
        break;
    case WEIR_KIND_TIMESTAMP:
        word = hash_mix(word, tape_timestamp(node).nanoseconds);
        break;
    default:
        break;
    }
    return hash_bytes(&word, sizeof word, seed);
}

static uint64_t hash_pair(uint64_t a, uint64_t b, uint64_t seed)
{
    uint64_t pair[2] = {a, b};
    return hash_bytes(pair, sizeof pair, seed);
}

/* A container from the hashes of its children. */
static uint64_t hash_container(const weir_val *root, uint64_t at, const uint64_t *hashes, uint32_t flags,
                               uint64_t seed)
{
    const weir_val *node = root + at;
    weir_kind kind = tape_kind(node);
    bool sum = kind == WEIR_KIND_MAP && (flags & WEIR_EQ_UNORDERED);
    uint64_t hash = hash_pair(kind, tape_length(node), seed);
    for (uint64_t child = at + 1, end = at + node->v.u; child < end;) {
        uint64_t value = hashes[child];
        child += tape_span(root + child);
        if (kind == WEIR_KIND_MAP) {
            value = hash_pair(value, hashes[child], seed);
            child += tape_span(root + child);
        }
        hash = sum ? hash + value : hash_pair(hash, value, seed);
    }
    return sum ? hash_pair(hash, kind, seed) : hash;
}

uint64_t *tape_hashes(const weir_val *root, uint32_t flags, uint64_t seed, const weir_allocator *allocator)
{
    uint64_t span = tape_span(root);
    uint64_t *hashes =
        span <= PTRDIFF_MAX / sizeof *hashes ? memory_get(allocator, (size_t)span * sizeof *hashes) : NULL;
    if (!hashes) {
        return NULL;
    }
    for (uint64_t i = span; i-- > 0;) { /* children stand behind their container */
        hashes[i] = tape_is_container(tape_kind(root + i)) ? hash_container(root, i, hashes, flags, seed)
                                                           : tape_hash_scalar(root + i, flags, seed);
    }
    return hashes;
}

/* ---- unordered ---- */

struct by_hash {
    const weir_val *root;
    const uint64_t *hashes;
    uint64_t seed;
};

static int compare_entries(void *context, size_t a, size_t b)
{
    const struct by_hash *by = context;
    uint64_t ha = hash_pair(by->hashes[a], by->hashes[a + tape_span(by->root + a)], by->seed);
    uint64_t hb = hash_pair(by->hashes[b], by->hashes[b + tape_span(by->root + b)], by->seed);
    return (ha > hb) - (ha < hb);
}

/* The tree in the order of its entries' hashes; its text stays where it is. NULL: out of memory. */
static weir_val *canonical(const weir_val *root, const uint64_t *hashes, uint64_t seed,
                           const weir_allocator *allocator)
{
    struct by_hash by = {root, hashes, seed};
    size_t span = (size_t)tape_span(root);
    struct order order;
    if (!order_begin(&order, root, allocator)) {
        return NULL;
    }
    order_maps(&order, compare_entries, &by);
    const size_t *places = order_places(&order);
    weir_val *out = span <= PTRDIFF_MAX / sizeof *out ? memory_get(allocator, span * sizeof *out) : NULL;
    for (size_t i = 0; out && i < span; i++) {
        weir_val *to = out + places[i];
        *to = root[i];
        if (tape_is_text(tape_kind(to))) {
            tape_point(to, tape_text(root + i));
        }
    }
    order_end(&order);
    return out;
}

weir_code tape_equal_unordered(const weir_val *a, const weir_val *b, uint32_t flags,
                               const weir_allocator *allocator, bool *equal)
{
    *equal = false;
    if (tape_span(a) != tape_span(b)) {
        return WEIR_E_NONE;
    }
    uint64_t seed = hash_seed();
    size_t span = (size_t)tape_span(a), bytes = span * sizeof(uint64_t);
    uint64_t *ha = tape_hashes(a, flags, seed, allocator);
    uint64_t *hb = tape_hashes(b, flags, seed, allocator);
    weir_val *ca = NULL, *cb = NULL;
    bool ok = ha && hb;
    if (ok && ha[0] == hb[0]) { /* else they differ for certain */
        ca = canonical(a, ha, seed, allocator);
        cb = canonical(b, hb, seed, allocator);
        ok = ca && cb;
        *equal = ok && tape_equal(ca, cb, flags);
    }
    memory_put(allocator, ha, bytes);
    memory_put(allocator, hb, bytes);
    memory_put(allocator, ca, span * sizeof *ca);
    memory_put(allocator, cb, span * sizeof *cb);
    return ok ? WEIR_E_NONE : WEIR_E_MEMORY;
}

bool weir_equal(const weir_val *a, const weir_val *b, uint32_t flags, weir_error *error)
{
    error_set(error, WEIR_E_NONE);
    if (!a || !b) {
        return a == b;
    }
    bool equal = tape_equal(a, b, flags);
    if (!equal && (flags & WEIR_EQ_UNORDERED)) {
        error_set(error, tape_equal_unordered(a, b, flags, NULL, &equal));
    }
    return equal;
}
