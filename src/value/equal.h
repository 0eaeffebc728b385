/* Comparing and hashing values. Hashes are seeded: hostile input can't choose values that collide. */
#ifndef VALUE_EQUAL_H
#define VALUE_EQUAL_H

#include "value/tape.h"

/* Ordered equality; flags: WEIR_EQ_NUMERIC or 0. One scan over both, no memory. */
bool tape_equal(const weir_val *a, const weir_val *b, uint32_t flags);

/* A hash of a node that is no container. Equal values (under the same flags) have equal hashes. */
uint64_t tape_hash_scalar(const weir_val *node, uint32_t flags, uint64_t seed);

/* The hash of every value in a tree, by node: an array as long as root's span, for memory_put. Under
 * WEIR_EQ_UNORDERED the order of map entries does not count. NULL: out of memory. O(nodes + bytes). */
uint64_t *tape_hashes(const weir_val *root, uint32_t flags, uint64_t seed, const weir_allocator *allocator);

/* Equality without regard to the order of map entries; flags has WEIR_EQ_UNORDERED. WEIR_E_NONE or
 * WEIR_E_MEMORY. */
weir_code tape_equal_unordered(const weir_val *a, const weir_val *b, uint32_t flags,
                               const weir_allocator *allocator, bool *equal);

#endif
