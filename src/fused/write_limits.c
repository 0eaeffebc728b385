/* The limits of a tape that is to be written, in one pass before: for writers whose loop does not know keys.
 */
#include "fused/fused.h"

struct pass {
    uintptr_t *ends; /* of the containers around the innermost one; bit 0: that container is a map */
    size_t size, cap;
    const weir_allocator *allocator;
};

static bool push(struct pass *pass, const weir_val *end, bool map)
{
    if (pass->size == pass->cap &&
        !memory_grow_array(pass->allocator, &pass->ends, &pass->cap, pass->size + 1, sizeof *pass->ends)) {
        return false;
    }
    pass->ends[pass->size++] = (uintptr_t)end | map;
    return true;
}

static bool keeps(struct pass *pass, const weir_val *node, const struct fused_limits *limits)
{
    const weir_val *end = node + tape_span(node);
    bool map = false, key = false;
    uint64_t nodes = 0, payload = 0;
    if (limits->depth == 0) {
        return false;
    }
    for (;;) {
        weir_kind kind = tape_kind(node);
        uint64_t length = tape_length(node);
        nodes += !key;
        if (tape_is_container(kind)) {
            const weir_val *inner = node + node->v.u;
            bool tag = kind == WEIR_KIND_TAGGED;
            /* A container as a key has rules of its own. */
            if (key || (kind == WEIR_KIND_ARRAY && length > limits->items) ||
                (kind == WEIR_KIND_MAP && length > limits->entries) ||
                (tag && tape_kind(node + 1) != WEIR_KIND_UINT)) {
                return false;
            }
            node += tag ? 2 : 1;
            if (node < inner) {
                if (!push(pass, end, map) || pass->size >= limits->depth) {
                    return false;
                }
                end = inner;
                map = key = kind == WEIR_KIND_MAP;
                continue;
            }
        } else {
            if (tape_is_text(kind)) {
                uint64_t max = key ? limits->key : kind == WEIR_KIND_NUMBER ? limits->number : limits->string;
                payload += length;
                if (length > max) {
                    return false;
                }
            }
            node++;
        }
        key = map && !key;
        while (node == end) {
            if (pass->size == 0) {
                return nodes <= limits->nodes && payload <= limits->payload;
            }
            uintptr_t outer = pass->ends[--pass->size];
            end = (const weir_val *)(outer & ~(uintptr_t)1);
            map = outer & 1;
            key = map; /* what just ended was a value */
        }
    }
}

bool fused_within_limits(const weir_val *val, const struct fused_limits *limits,
                         const weir_allocator *allocator)
{
    struct pass pass = {NULL, 0, 0, allocator};
    bool result = keeps(&pass, val, limits);
    memory_put(allocator, pass.ends, pass.cap * sizeof *pass.ends);
    return result;
}
