/* The maps of a tree in another order: of entries only, at every level. No recursion; O(n log n) comparisons.
 */
#ifndef VALUE_ORDER_H
#define VALUE_ORDER_H

#include "value/tape.h"

/* Entries are named by the index of their key in the tree. */
typedef int (*order_compare)(void *context, size_t key_a, size_t key_b);

struct order {
    const weir_val *root;
    const weir_allocator *allocator;
    size_t *first; /* of a map: its first key in order, or ORDER_NONE */
    size_t *next;  /* of a key: the key of the entry behind it; later, of any node: its place */
};

#define ORDER_NONE SIZE_MAX

/* false: out of memory. */
bool order_begin(struct order *order, const weir_val *root, const weir_allocator *allocator);
/* Sorts the entries of every map, stably, inner maps before outer ones. */
void order_maps(struct order *order, order_compare compare, void *context);
/* Where each node comes to stand, by its index in the tree. first and next are no longer valid. */
const size_t *order_places(struct order *order);
void order_end(struct order *order);

#endif
