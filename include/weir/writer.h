/* Writers: push events, get bytes in any format.
 *
 *     weir_buffer out = {0};
 *     weir_writer *w = weir_writer_open(weir_json, &out, NULL, &err);
 *     weir_write_map(w, WEIR_UNKNOWN);
 *     weir_write_key(w, "id", 2);
 *     weir_write_uint(w, 7);
 *     weir_write_end(w);
 *     if (!weir_writer_finish(w)) report(weir_writer_error(w));
 *     weir_writer_close(w);
 *
 * Errors are sticky: after the first one every call gives false and changes nothing, so a caller may check
 * once, at weir_writer_finish. The protocol is always checked: broken output can't be made. One thread at a
 * time; different writers share nothing. Functions take a writer that is not NULL, but for weir_writer_close.
 */
#ifndef WEIR_WRITER_H
#define WEIR_WRITER_H

#include "weir/event.h"
#include "weir/format.h"
#include "weir/options.h"

WEIR_BEGIN_DECLS

typedef struct weir_writer weir_writer;

/* Where a writer's bytes go. write takes up to size bytes and returns how many it took (a short write is
 * continued, 0 is a failure), or -1 on failure. flush may be NULL; it is called once, by weir_writer_finish,
 * and returns false on failure. After a failure errno becomes weir_error.system, and neither is called again.
 */
typedef struct weir_sink {
    ptrdiff_t (*write)(void *context, const void *bytes, size_t size);
    bool (*flush)(void *context);
    void *context;
} weir_sink;

/* A sink over a POSIX file descriptor (EINTR is retried, short writes continued); the descriptor stays the
 * caller's, who closes it. Nothing to free. Thread-safe. */
WEIR_API weir_sink weir_sink_fd(int fd);

/* Opens a writer that appends to *out (which must outlive it, and is not to be changed meanwhile). options
 * NULL: defaults. After a failure *out has the length that it had before the failed document. The writer is
 * the caller's, to be closed. On failure to open returns NULL and fills *error (may be NULL):
 * WEIR_E_ARGUMENT, WEIR_E_MEMORY, WEIR_E_UNSUPPORTED (no writer of this format). O(1). */
WEIR_API weir_writer *weir_writer_open(const weir_format *format, weir_buffer *out,
                                       const weir_options *options, weir_error *error);
/* Opens a writer that passes its bytes on as it goes, in pieces of about 64 KiB (with WEIR_BUFFERED in whole
 * documents). The sink's context stays the caller's. Failures as above. */
WEIR_API weir_writer *weir_writer_open_sink(const weir_format *format, weir_sink sink,
                                            const weir_options *options, weir_error *error);

/* Scalars. false after an error, this call's or an earlier one's: WEIR_E_PROTOCOL..., WEIR_E_LIMIT_...,
 * WEIR_E_LOSS_..., WEIR_E_MEMORY, WEIR_E_WRITE; writers that collect documents first report losses and limits
 * at a document's end. The bytes that a call is given need not outlive it. Amortized O(1), for text O(len).
 */
WEIR_API bool weir_write_null(weir_writer *writer);
WEIR_API bool weir_write_bool(weir_writer *writer, bool value);
WEIR_API bool weir_write_uint(weir_writer *writer, uint64_t value);
WEIR_API bool weir_write_int(weir_writer *writer, int64_t value);
WEIR_API bool weir_write_double(weir_writer *writer, double value);
/* A real that remembers its 32 bits: formats with widths write 4 bytes, text the shortest that gives back the
 * float. */
WEIR_API bool weir_write_float(weir_writer *writer, float value);
/* len bytes of decimal text in JSON's number grammar, of any size. WEIR_E_ARGUMENT if it is not. */
WEIR_API bool weir_write_number(weir_writer *writer, const char *text, size_t len);
/* len bytes of UTF-8 (checked: WEIR_E_ARGUMENT). text may be NULL if len is 0; so may bytes below. */
WEIR_API bool weir_write_str(weir_writer *writer, const char *text, size_t len);
WEIR_API bool weir_write_bytes(weir_writer *writer, const void *bytes, size_t len);
/* WEIR_E_ARGUMENT if a member is outside its range. */
WEIR_API bool weir_write_timestamp(weir_writer *writer, weir_timestamp time);
/* Bytes that only documents and formats for secrets take; others give WEIR_E_LOSS_SECRET. */
WEIR_API bool weir_write_secret(weir_writer *writer, const void *bytes, size_t len);

/* Containers: count children follow (for maps count keys with their values), or WEIR_UNKNOWN; then
 * weir_write_end. A wrong count is WEIR_E_PROTOCOL_COUNT. */
WEIR_API bool weir_write_array(weir_writer *writer, uint64_t count);
WEIR_API bool weir_write_map(weir_writer *writer, uint64_t count);
WEIR_API bool weir_write_end(weir_writer *writer);
/* A key that is a string of len bytes of UTF-8; the next call writes its value. Keys of other kinds:
 * weir_write_event with is_key set. */
WEIR_API bool weir_write_key(weir_writer *writer, const char *text, size_t len);
/* A tag for the value that follows: a number, or a name of len bytes of UTF-8. */
WEIR_API bool weir_write_tag(weir_writer *writer, uint64_t tag);
WEIR_API bool weir_write_tag_name(weir_writer *writer, const char *name, size_t len);

/* Any event of a reader but END_STREAM; END_DOCUMENT only checks that a document has ended. In a map, is_key
 * must be set on keys (on the first event of a key that is a container). WEIR_E_ARGUMENT if it is not
 * well-formed; offset and plain are not looked at, borrowed by document writers under WEIR_BORROW only. */
WEIR_API bool weir_write_event(weir_writer *writer, const weir_event *event);

/* Ends the stream: checks that nothing is open, writes what is buffered, flushes the sink. Formats that hold
 * one document need exactly one. false on any error, this call's or an earlier one's. A second call changes
 * nothing. */
WEIR_API bool weir_writer_finish(weir_writer *writer);
/* The first error, or an error with code WEIR_E_NONE. The writer's, valid until it is closed. O(1). */
WEIR_API const weir_error *weir_writer_error(const weir_writer *writer);
/* Bytes produced so far, taken by the sink or not; with a buffer, its length. O(1). */
WEIR_API uint64_t weir_writer_offset(const weir_writer *writer);
/* Frees the writer without finishing. NULL is allowed. */
WEIR_API void weir_writer_close(weir_writer *writer);

WEIR_END_DECLS

#endif
