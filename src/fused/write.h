/* From documents to bytes: the fused writers of the formats. */
#ifndef FUSED_WRITE_H
#define FUSED_WRITE_H

#include "fused/fused.h"

/* Appends a root value without separators. Unless FUSED_OK, *out has its old length. */
typedef enum fused_result fused_write(const weir_val *val, const weir_options *options,
                                      const struct fused_limits *limits, weir_buffer *out);

/* The fused writer of a format for these options, or NULL. */
fused_write *fused_writer_of(const weir_format *format, const weir_options *options);

#endif
