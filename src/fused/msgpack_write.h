/* Tape -> MessagePack in one loop, every head as small as can be.
 *
 * Refused (the general writer decides): exact numbers, timestamps, tagged values, secrets, half-precision
 * widths, lengths of 2^32 and more, and what is over a limit. */
#ifndef FUSED_MSGPACK_WRITE_H
#define FUSED_MSGPACK_WRITE_H

#include "fused/fused.h"

/* Appends the value to *out. limits NULL: none. Unless FUSED_OK, *out has its old length. O(nodes + bytes).
 */
enum fused_result msgpack_write_val(const weir_val *val, const struct fused_limits *limits, weir_buffer *out);

#endif
