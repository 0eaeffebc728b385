/* The harness's own plain readers and writers, which say what is right. Slow
 * and simple on purpose; they share nothing with weir or with any peer. */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include "text.h"
#include "trace.h"

/* Reads RFC 8259 text that is followed by a zero byte, telling every token to the trace. With `many`, reads
 * any number of documents with white space between them and tells them as the items of one array. On failure
 * *fault is the offset of the first byte that cannot be part of a document. */
bool reference_read_json(const char *data, size_t len, bool many, struct trace *trace, size_t *fault);

/* Encodes a recorded trace: shortest integer forms, definite lengths, reals as 64-bit floats. */
bool reference_write_cbor(const struct trace *trace, struct text *out);
bool reference_write_msgpack(const struct trace *trace, struct text *out);

/* Read back one encoded document of JSON's data model. */
bool reference_read_cbor(const char *data, size_t len, struct trace *trace);
bool reference_read_msgpack(const char *data, size_t len, struct trace *trace);

/* Copies JSON text to `out` with the first comma or colon at or after `from` (outside strings) swapped for
 * the other of the two, which no document survives. False when there is none; *at is the offset of the
 * change. */
bool reference_break_json(const char *data, size_t len, size_t from, char *out, size_t *at);

#endif
