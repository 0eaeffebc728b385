/* Readers: pull the events of an input, in any format, one by one.
 *
 *     weir_reader *r = weir_reader_open(weir_json, bytes, len, NULL, &err);
 *     const weir_event *e;
 *     while ((e = weir_reader_next(r)) && e->kind != WEIR_KIND_END_STREAM) …
 *     if (!e) report(weir_reader_error(r));
 *     weir_reader_close(r);
 *
 * An error is sticky: later calls give NULL and the first error stays. A reader is used by one thread at a
 * time. */
#ifndef WEIR_READER_H
#define WEIR_READER_H

#include "weir/event.h"
#include "weir/format.h"
#include "weir/options.h"

WEIR_BEGIN_DECLS

typedef struct weir_reader weir_reader;

/* Where a reader's bytes come from. read stores up to size bytes at out and returns their number, 0 at the
 * end, or -1 on failure (errno then becomes weir_error.system). It may return fewer than asked for. */
typedef struct weir_source {
    ptrdiff_t (*read)(void *context, void *out, size_t size);
    void *context;
} weir_source;

/* A source over a POSIX file descriptor (EINTR is retried); the descriptor stays the caller's. */
WEIR_API weir_source weir_source_fd(int fd);

/* Opens a reader over len bytes that stay valid and unchanged until it is closed. options NULL: defaults. On
 * failure returns NULL and fills *error (error may be NULL): WEIR_E_MEMORY, WEIR_E_UNSUPPORTED,
 * WEIR_E_LIMIT_INPUT. */
WEIR_API weir_reader *weir_reader_open(const weir_format *format, const void *data, size_t len,
                                       const weir_options *options, weir_error *error);
/* Opens a reader over a stream with a bounded window: memory grows with the longest string and the depth
 * only. */
WEIR_API weir_reader *weir_reader_open_source(const weir_format *format, weir_source source,
                                              const weir_options *options, weir_error *error);
/* The next event, valid until the next call; NULL after an error. After END_STREAM it keeps giving
 * END_STREAM. */
WEIR_API const weir_event *weir_reader_next(weir_reader *reader);
/* Reads to the end of the value whose first event was the last one given (scalars: nothing to do). false on
 * error. */
WEIR_API bool weir_reader_skip(weir_reader *reader);
/* The first error, or an error with code WEIR_E_NONE. Valid until the reader is closed. */
WEIR_API const weir_error *weir_reader_error(const weir_reader *reader);
/* Bytes consumed so far: after END_DOCUMENT everything that belongs to that document. */
WEIR_API uint64_t weir_reader_offset(const weir_reader *reader);
/* NULL is allowed. */
WEIR_API void weir_reader_close(weir_reader *reader);

WEIR_END_DECLS

#endif
