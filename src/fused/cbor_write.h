/* Tape -> CBOR (RFC 8949) in one loop: definite lengths, shortest heads, reals in the width they have.
 *
 * Refused (the general writer decides): exact numbers, timestamps, named tags, secrets, and what is over a
 * limit. */
#ifndef FUSED_CBOR_WRITE_H
#define FUSED_CBOR_WRITE_H

#include "fused/fused.h"

/* Appends the value to *out. limits NULL: none. Unless FUSED_OK, *out has its old length. O(nodes + bytes).
 */
enum fused_result cbor_write_val(const weir_val *val, const struct fused_limits *limits, weir_buffer *out);

#endif
