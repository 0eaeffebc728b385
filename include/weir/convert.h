/* Conversion: everything that a reader gives into a writer. */
#ifndef WEIR_CONVERT_H
#define WEIR_CONVERT_H

#include "weir/reader.h"
#include "weir/value.h"
#include "weir/writer.h"

WEIR_BEGIN_DECLS

/* Pumps all documents of a reader into a writer and finishes it; both stay the caller's and are closed by the
 * caller. Where the writer needs counts or order in advance, each document goes through a tape; otherwise
 * memory is in proportion to the depth and the longest string only. With WEIR_SKIP_BAD in the reader's
 * options bad records are reported and left out. On failure false, and *error (may be NULL) is the reader's
 * or the writer's error, of any code; its path leads to the value. What a sink took before stays taken.
 * O(events + bytes). */
WEIR_API bool weir_transcode(weir_reader *reader, weir_writer *writer, weir_error *error);

/* One call from bytes to bytes: all documents of len bytes of data (NULL only if len is 0), from one format
 * into another, appended to *out. One options for reading and writing; NULL: defaults. Memory: the largest
 * document and the output. On failure false, *error (may be NULL) with any code of reading or writing, or
 * WEIR_E_ARGUMENT, and *out has its old length. O(len + output). Thread-safe: calls share nothing but what
 * the caller passes to both. */
WEIR_API bool weir_convert(const weir_format *from, const void *data, size_t len, const weir_format *to,
                           const weir_options *options, weir_buffer *out, weir_error *error);

/* Documents of a stream one by one, at the speed of weir_parse: memory is in proportion to the largest
 * document. json without WEIR_MULTI is a stream of one. One thread at a time. */
typedef struct weir_stream weir_stream;
/* Opens a stream of documents over a source, which is read as needed and stays the caller's. options
 * NULL: defaults. The stream is the caller's, to be closed. On failure NULL, and *error (may be NULL):
 * WEIR_E_ARGUMENT, WEIR_E_MEMORY. */
WEIR_API weir_stream *weir_stream_open(const weir_format *format, weir_source source,
                                       const weir_options *options, weir_error *error);
/* The next document: the stream's, valid until the next call or the close. NULL at the end (*error code
 * WEIR_E_NONE) and after an error, which is sticky: any code of reading, WEIR_E_READ. error may be NULL, but
 * then the end looks like an error. With WEIR_SKIP_BAD bad records are reported and left out. Positions count
 * from the stream's start. O(bytes of the document). */
WEIR_API const weir_doc *weir_stream_next(weir_stream *stream, weir_error *error);
/* Bytes consumed so far: up to the end of the last document, and of its line. O(1). */
WEIR_API uint64_t weir_stream_offset(const weir_stream *stream);
/* Lines that ended in these bytes, in text formats; 0 in binary ones. O(bytes of the last document). */
WEIR_API uint64_t weir_stream_lines(const weir_stream *stream);
/* Frees the stream and its last document. NULL is allowed. */
WEIR_API void weir_stream_close(weir_stream *stream);

WEIR_END_DECLS

#endif
