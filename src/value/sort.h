/* Documents with sorted maps, for writers that promise an order of keys. */
#ifndef VALUE_SORT_H
#define VALUE_SORT_H

#include "value/tape.h"

enum sort_order {
    SORT_NONE,  /* as it is; not for doc_sorted */
    SORT_BYTES, /* strings by their bytes (which is by code points) */
    SORT_UTF16, /* strings by UTF-16 code units (RFC 8785 section 3.2.3) */
    SORT_CBOR   /* by the bytes of their deterministic encoding (RFC 8949 section 4.2.1) */
};

/* A document with a copy of val in which the entries of every map, also in keys, stand in ascending order of
 * their keys. In SORT_BYTES and SORT_UTF16, keys of other kinds than strings go by their kind (in the order
 * of weir_kind), then by value. Equal keys stay in their order, side by side; *duplicates (may be NULL) tells
 * that there were some. O(n log n) comparisons. On failure NULL: WEIR_E_MEMORY, WEIR_E_LIMIT_MEMORY,
 * WEIR_E_ARGUMENT (val is NULL). */
weir_doc *doc_sorted(const weir_val *val, enum sort_order order, const weir_options *options,
                     bool *duplicates, weir_error *error);

#endif
