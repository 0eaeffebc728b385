/* Conversion: everything that a reader gives into a writer. */
#ifndef WEIR_CONVERT_H
#define WEIR_CONVERT_H

#include "weir/reader.h"
#include "weir/value.h"
#include "weir/writer.h"

WEIR_BEGIN_DECLS

/* Pumps all documents of a reader into a writer and finishes it. Where the writer needs counts or order in
 * advance, each document goes through a tape; otherwise memory is in proportion to the depth only. With
 * WEIR_SKIP_BAD in the reader's options bad records are reported and left out. On failure *error (may be
 * NULL) is the reader's or the writer's error; its path leads to the value. O(events). */
WEIR_API bool weir_transcode(weir_reader *reader, weir_writer *writer, weir_error *error);

/* One call from bytes to bytes: all documents of data, from one format into another, appended to *out.
 * options NULL: defaults. On failure *out has its old length. */
WEIR_API bool weir_convert(const weir_format *from, const void *data, size_t len, const weir_format *to,
                           const weir_options *options, weir_buffer *out, weir_error *error);

/* Documents of a stream one by one, at the speed of weir_parse: memory is in proportion to the largest
 * document. */
typedef struct weir_stream weir_stream;
/* options NULL: defaults. On failure NULL and *error (may be NULL). */
WEIR_API weir_stream *weir_stream_open(const weir_format *format, weir_source source,
                                       const weir_options *options, weir_error *error);
/* The next document, valid until the next call. NULL at the end (*error code WEIR_E_NONE) and after an error,
 * which is sticky. With WEIR_SKIP_BAD bad records are reported and left out. Positions count from the
 * stream's start. */
WEIR_API const weir_doc *weir_stream_next(weir_stream *stream, weir_error *error);
/* Bytes consumed so far; lines that ended in them (0 for binary formats). */
WEIR_API uint64_t weir_stream_offset(const weir_stream *stream);
WEIR_API uint64_t weir_stream_lines(const weir_stream *stream);
/* NULL is allowed. */
WEIR_API void weir_stream_close(weir_stream *stream);

WEIR_END_DECLS

#endif
