/* Tape -> JSON text (RFC 8259) in one loop.
 *
 * Refused (the general writer may know an option for it): byte strings, timestamps, tagged values, secrets,
 * NaN and infinities, keys that are not strings, and what is over a limit. */
#ifndef FUSED_JSON_WRITE_H
#define FUSED_JSON_WRITE_H

#include "fused/fused.h"

/* Appends the value to *out; indent 0 is compact, else spaces a level. limits NULL: none. Unless FUSED_OK,
 * *out has its old length. O(nodes + bytes), no recursion; memory beside the output only for more than 500
 * levels. */
enum fused_result json_write_val(const weir_val *val, const struct fused_limits *limits, unsigned indent,
                                 weir_buffer *out);

/* The same by a given kernel: all give the same bytes. NULL where the build or the CPU lacks it. */
typedef enum fused_result json_write_kernel(const weir_val *val, const struct fused_limits *limits,
                                            unsigned indent, weir_buffer *out);
json_write_kernel *json_write_kernel_named(const char *name); /* "base", "avx2", "avx512" */

#endif
