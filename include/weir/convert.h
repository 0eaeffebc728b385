/* Conversion: everything that a reader gives into a writer. */
#ifndef WEIR_CONVERT_H
#define WEIR_CONVERT_H

#include "weir/reader.h"
#include "weir/value.h"
#include "weir/writer.h"

WEIR_BEGIN_DECLS

/* Pumps all documents of a reader into a writer and finishes it. Where the writer needs counts or order that
 * the reader doesn't know, each document goes through a tape; otherwise memory is in proportion to the depth
 * only. On failure *error tells the side by its category; its path leads to the value. */
WEIR_API bool weir_transcode(weir_reader *reader, weir_writer *writer, const weir_options *options,
                             weir_error *error);

/* One call from bytes to bytes: all documents of data, from one format into another. On failure *out has its
 * old length. */
WEIR_API bool weir_convert(const weir_format *from, const void *data, size_t len, const weir_format *to,
                           const weir_options *options, weir_buffer *out, weir_error *error);

WEIR_END_DECLS

#endif
