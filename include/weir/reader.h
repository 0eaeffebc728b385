/* Readers: pull the events of an input, in any format, one by one.
 *
 *     weir_reader *r = weir_reader_open(weir_json, bytes, len, NULL, &err);
 *     const weir_event *e;
 *     while ((e = weir_reader_next(r)) && e->kind != WEIR_KIND_END_STREAM) …
 *     if (!e) report(weir_reader_error(r));
 *     weir_reader_close(r);
 *
 * An error is sticky: later calls give NULL and the first error stays. A reader is used by one thread at a
 * time; different readers share nothing. Functions take a reader that is not NULL, but for weir_reader_close.
 */
#ifndef WEIR_READER_H
#define WEIR_READER_H

#include "weir/event.h"
#include "weir/format.h"
#include "weir/options.h"

WEIR_BEGIN_DECLS

typedef struct weir_reader weir_reader;

/* Where a reader's bytes come from. read stores up to size bytes (never 0) at out and returns their number, 0
 * at the end, or -1 on failure (errno then becomes weir_error.system). It may return fewer than asked for.
 * After the end or a failure it is not called again. */
typedef struct weir_source {
    ptrdiff_t (*read)(void *context, void *out, size_t size);
    void *context;
} weir_source;

/* A source over a POSIX file descriptor (EINTR is retried); the descriptor stays the caller's, who closes it.
 * Nothing to free. Thread-safe. */
WEIR_API weir_source weir_source_fd(int fd);

/* Opens a reader over len bytes (data NULL only if len is 0) that stay valid and unchanged until it is
 * closed. options NULL: defaults. The reader is the caller's, to be closed. On failure returns NULL and fills
 * *error (error may be NULL): WEIR_E_ARGUMENT (format is NULL), WEIR_E_MEMORY, WEIR_E_UNSUPPORTED (no reader
 * of this format, or WEIR_DUPLICATES_LAST), WEIR_E_LIMIT_INPUT. O(1). */
WEIR_API weir_reader *weir_reader_open(const weir_format *format, const void *data, size_t len,
                                       const weir_options *options, weir_error *error);
/* Opens a reader over a stream with a bounded window: memory grows with the longest string and the depth
 * only. The source stays the caller's. Failures as above, without WEIR_E_LIMIT_INPUT, which comes while
 * reading. */
WEIR_API weir_reader *weir_reader_open_source(const weir_format *format, weir_source source,
                                              const weir_options *options, weir_error *error);
/* The next event, the reader's, valid until the next call on it; NULL after an error: any code of the format,
 * of limits, WEIR_E_EMPTY, WEIR_E_TRAILING, WEIR_E_READ, WEIR_E_MEMORY. After END_STREAM it keeps giving
 * END_STREAM. Amortized O(bytes of the event). */
WEIR_API const weir_event *weir_reader_next(weir_reader *reader);
/* Reads to the end of the value whose first event was the last one given (scalars: nothing to do; behind a
 * scalar key its value is still to come). What is skipped is checked and counted as ever. false on error, as
 * weir_reader_next. O(bytes skipped). */
WEIR_API bool weir_reader_skip(weir_reader *reader);
/* The first error, or an error with code WEIR_E_NONE. The reader's, valid until it is closed. O(1). */
WEIR_API const weir_error *weir_reader_error(const weir_reader *reader);
/* Bytes consumed so far: after END_DOCUMENT everything that belongs to that document. O(1). */
WEIR_API uint64_t weir_reader_offset(const weir_reader *reader);
/* Frees the reader; its events are gone. NULL is allowed. */
WEIR_API void weir_reader_close(weir_reader *reader);

WEIR_END_DECLS

#endif
