/* Duplicate keys in documents: keys of any kind are equal as weir_equal without flags says. Linear time. */
#ifndef VALUE_DEDUPE_H
#define VALUE_DEDUPE_H

#include "value/tape.h"

/* The first key in document order that stands in its map before, or NULL in *second. WEIR_E_NONE or
 * WEIR_E_MEMORY. */
weir_code doc_find_duplicate(const weir_doc *doc, const weir_val **second);

/* Leaves one entry a key, in place, before anybody else sees the document: the first one, or with
 * WEIR_DUPLICATES_LAST the last one, at its own place. The block keeps its size. WEIR_E_NONE, or
 * WEIR_E_MEMORY: the document is then fit for freeing only. */
weir_code doc_dedupe(weir_doc *doc, weir_duplicates policy);

#endif
