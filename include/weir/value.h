/* Documents: immutable values in one flat block, and what one does with them.
 *
 * A weir_val is used by pointer, never copied: it stands in its document. Documents never change after they
 * were made, so any number of threads may read one: every function that takes a const document or value is
 * thread-safe. Values and the text that they point to live as long as their document. Strings are UTF-8 with
 * a length and, in owned documents, a NUL behind. */
#ifndef WEIR_VALUE_H
#define WEIR_VALUE_H

#include "weir/event.h"
#include "weir/format.h"
#include "weir/options.h"
#include "weir/reader.h"
#include "weir/writer.h"

WEIR_BEGIN_DECLS

typedef struct weir_doc weir_doc;
typedef struct weir_val weir_val;

/* ---- making and freeing documents ---- */

/* Parses exactly one document of len bytes (white space around it is allowed where the format has it).
 * data is NULL only if len is 0; options NULL: defaults. The document owns everything it needs (unless
 * WEIR_BORROW or WEIR_INSITU) and is the caller's, to be freed. On failure returns NULL and fills *error (may
 * be NULL) with the first fault in input order: any code of the format, of limits, WEIR_E_EMPTY,
 * WEIR_E_TRAILING, WEIR_E_MEMORY, WEIR_E_ARGUMENT. O(len). Thread-safe. */
WEIR_API WEIR_WARN_UNUSED weir_doc *weir_parse(const weir_format *format, const void *data, size_t len,
                                               const weir_options *options, weir_error *error);
/* The same for a prefix: parses the first document of data and stores in *consumed how many bytes belong to
 * it (including white space or a separator before it; consumed may be NULL). An unfinished document is an
 * error of WEIR_CATEGORY_INCOMPLETE; nothing but white space left: WEIR_E_EMPTY. On failure *consumed is
 * unchanged. O(bytes of the document). */
WEIR_API WEIR_WARN_UNUSED weir_doc *weir_parse_prefix(const weir_format *format, const void *data, size_t len,
                                                      size_t *consumed, const weir_options *options,
                                                      weir_error *error);
/* The document that follows in a reader, now the caller's, or NULL: with *error code WEIR_E_NONE at the end
 * of the stream, WEIR_E_PROTOCOL in the middle of a document that was read by events, else any code of the
 * reader. With WEIR_SKIP_BAD bad records are reported and left out. O(bytes of the document). */
WEIR_API WEIR_WARN_UNUSED weir_doc *weir_read_doc(weir_reader *reader, weir_error *error);
/* Frees a document with all its values. Not for documents of parsers and streams, which free their own. NULL
 * is allowed. O(1). */
WEIR_API void weir_doc_free(weir_doc *doc);

/* A reusable parser: its memory serves one document after the other. One thread at a time. */
typedef struct weir_parser weir_parser;
/* A new parser, to be freed by the caller. options NULL: defaults. NULL: *error (may be NULL) is
 * WEIR_E_MEMORY. */
WEIR_API weir_parser *weir_parser_new(const weir_options *options, weir_error *error);
/* As weir_parse (consumed NULL) and weir_parse_prefix (consumed not NULL). The document is the parser's and
 * lives until the next call on it, failed ones included. */
WEIR_API const weir_doc *weir_parser_parse(weir_parser *parser, const weir_format *format, const void *data,
                                           size_t len, size_t *consumed, weir_error *error);
/* Frees the parser and its last document. NULL is allowed. */
WEIR_API void weir_parser_free(weir_parser *parser);

/* A writer whose output is a document: use it as any writer, then take the document after weir_writer_finish.
 * It takes every kind of value. options NULL: defaults. The writer is the caller's, to be closed, also after
 * its document was taken. NULL: *error (may be NULL) is WEIR_E_MEMORY. */
WEIR_API weir_writer *weir_writer_open_doc(const weir_options *options, weir_error *error);
/* The finished document, now the caller's; NULL if weir_writer_finish has not succeeded, if it was taken
 * before, or if the writer is NULL or of another kind. O(1). */
WEIR_API WEIR_WARN_UNUSED weir_doc *weir_writer_take_doc(weir_writer *writer);

/* The root: never NULL for a document that isn't. O(1). */
WEIR_API const weir_val *weir_doc_root(const weir_doc *doc);
/* Values in the document, keys and tags included (the length of the tape); bytes of memory that it holds,
 * without text that it borrows. O(1). */
WEIR_API size_t weir_doc_nodes(const weir_doc *doc);
WEIR_API size_t weir_doc_memory(const weir_doc *doc);
/* With WEIR_KEEP_SPANS: where a value of this document began in the input, in bytes from the start of the
 * data that was parsed (of the stream, for readers and weir_stream). false, and *offset unchanged, if it
 * isn't known. O(1). */
WEIR_API bool weir_doc_span(const weir_doc *doc, const weir_val *val, uint64_t *offset);

/* ---- writing documents ---- */

/* Appends a value as one whole document in the given format to *out. options NULL: defaults. On failure
 * false, *error (may be NULL), and *out has its old length: WEIR_E_ARGUMENT, WEIR_E_MEMORY, WEIR_E_LIMIT_...,
 * WEIR_E_LOSS_.... O(nodes + bytes), with sorted keys O(n log n). */
WEIR_API WEIR_WARN_UNUSED bool weir_write_val(const weir_format *format, const weir_val *val,
                                              const weir_options *options, weir_buffer *out,
                                              weir_error *error);
/* Writes a whole value into a writer, at its present position; where a key is due, as the key. The value need
 * not outlive the call. false as any call of the writer; WEIR_E_ARGUMENT if val is NULL. O(nodes + bytes). */
WEIR_API bool weir_writer_put(weir_writer *writer, const weir_val *val);
/* A reader over a value: gives its events, then END_DOCUMENT and END_STREAM. The value must outlive it.
 * Limits hold here too, counted from the value; offsets are 0. The reader is the caller's, to be closed.
 * NULL: *error (may be NULL) is WEIR_E_ARGUMENT, WEIR_E_MEMORY or, with WEIR_DUPLICATES_LAST,
 * WEIR_E_UNSUPPORTED. */
WEIR_API weir_reader *weir_reader_open_val(const weir_val *val, const weir_options *options,
                                           weir_error *error);
/* A document of its own with a copy of a value, also of its borrowed text; it keeps no spans. It is the
 * caller's. options NULL: defaults; allocator and limits.memory matter. NULL: *error (may be NULL) is
 * WEIR_E_ARGUMENT, WEIR_E_MEMORY or WEIR_E_LIMIT_MEMORY. O(nodes + bytes). */
WEIR_API WEIR_WARN_UNUSED weir_doc *weir_doc_copy(const weir_val *val, const weir_options *options,
                                                  weir_error *error);

/* ---- looking at values; every function takes NULL and then answers as for a value of the wrong kind; what
 * has no O( ) is O(1) ---- */

/* The kind; of NULL it is WEIR_KIND_NULL. */
WEIR_API weir_kind weir_val_kind(const weir_val *val);
/* Whether val is not NULL and of that kind. */
WEIR_API bool weir_val_is(const weir_val *val, weir_kind kind);
/* The bool, or false. */
WEIR_API bool weir_val_bool(const weir_val *val);
/* The integer if it fits; false (and *out unchanged) for other kinds, reals and what doesn't fit. A NUMBER
 * that is an integer's text counts; O(its length). */
WEIR_API bool weir_val_u64(const weir_val *val, uint64_t *out);
WEIR_API bool weir_val_i64(const weir_val *val, int64_t *out);
/* Any number as the nearest double (a NUMBER too, which may give an infinity; O(its length)). false, and *out
 * unchanged, for other kinds. */
WEIR_API bool weir_val_f64(const weir_val *val, double *out);
/* REAL: the width that it was written in; else WEIR_WIDTH_64. */
WEIR_API weir_width weir_val_width(const weir_val *val);
/* STRING, BYTES, NUMBER, SECRET: pointer and length in bytes; else NULL and 0. The pointer is not NULL for an
 * empty string. len may be NULL. */
WEIR_API const char *weir_val_str(const weir_val *val, size_t *len);
/* STRING as a C string; NULL for other kinds, for text that is not terminated (borrowed), and for embedded
 * NULs. O(length). */
WEIR_API const char *weir_val_cstr(const weir_val *val);
/* TIMESTAMP: true. Else false, and *out unchanged. */
WEIR_API bool weir_val_timestamp(const weir_val *val, weir_timestamp *out);
/* ARRAY: items; MAP: entries; else 0. */
WEIR_API size_t weir_val_count(const weir_val *val);
/* TAGGED: the tag (UINT or STRING) and the value under it; else NULL. */
WEIR_API const weir_val *weir_val_tag(const weir_val *val);
WEIR_API const weir_val *weir_val_tagged(const weir_val *val);

/* The index-th element of an array; NULL out of range. O(1) if no child is a container, else O(index). */
WEIR_API const weir_val *weir_at(const weir_val *array, size_t index);
/* The value of the first entry of a map with that string key (a C string, or len bytes of UTF-8); NULL if
 * there is none. O(entries). */
WEIR_API const weir_val *weir_get(const weir_val *map, const char *key);
WEIR_API const weir_val *weir_getn(const weir_val *map, const char *key, size_t len);

/* Iteration in document order:
 *     weir_iter it = weir_iter_of(map);
 *     while (weir_iter_next(&it)) use(it.key, it.val);
 * key is NULL in arrays. A NULL, a scalar or a tagged value has no children. Nothing to free; it may be
 * copied. */
typedef struct weir_iter {
    const weir_val *key, *val;  /* of the present entry; NULL before the first and after the last */
    const weir_val *next, *end; /* private */
    size_t index;               /* of val, from 0 */
    bool map;                   /* private */
} weir_iter;
WEIR_API weir_iter weir_iter_of(const weir_val *container);
WEIR_API bool weir_iter_next(weir_iter *iter);

/* The value that a JSON Pointer of len bytes leads to (RFC 6901, without the URI fragment form); the empty
 * one leads to root. Of duplicate keys the first counts; tags are not looked through. NULL: *error (may be
 * NULL) is WEIR_E_POINTER_SYNTAX or WEIR_E_POINTER_NOT_FOUND, and its offset is that of the byte or token in
 * the pointer. O(children passed). */
WEIR_API const weir_val *weir_pointer(const weir_val *root, const char *pointer, size_t len,
                                      weir_error *error);

/* A side table for a document that is asked often: any element O(1), any string key O(1) on average (keys
 * hashed with a random seed). It refers to the document, which must outlive it. Any number of threads may use
 * it. */
typedef struct weir_index weir_index;
/* A new index, to be freed by the caller. options NULL: defaults; allocator and limits.memory matter. NULL:
 * *error (may be NULL) is WEIR_E_ARGUMENT, WEIR_E_MEMORY or WEIR_E_LIMIT_MEMORY. O(nodes). */
WEIR_API WEIR_WARN_UNUSED weir_index *weir_index_new(const weir_doc *doc, const weir_options *options,
                                                     weir_error *error);
/* As weir_at and weir_getn, for values of that document; for others, and with index NULL, they are these
 * functions. */
WEIR_API const weir_val *weir_index_at(const weir_index *index, const weir_val *array, size_t position);
WEIR_API const weir_val *weir_index_get(const weir_index *index, const weir_val *map, const char *key,
                                        size_t len);
/* NULL is allowed. O(1). */
WEIR_API void weir_index_free(weir_index *index);

/* Equality. Default: kinds, order and bits of values; NaN equals NaN; widths of reals, fraction digits of
 * timestamps and how text is stored are ignored. */
enum {
    WEIR_EQ_NUMERIC = 1u << 0,  /* 1 = 1.0 = "1" as a NUMBER: numbers by exact value */
    WEIR_EQ_UNORDERED = 1u << 1 /* order of map entries is ignored (duplicates: as multisets) */
};
/* Whether a and b, of any documents, are equal under the WEIR_EQ_ flags. NULL equals NULL only. O(nodes +
 * bytes) for ordered, O(n log n) for unordered comparison. No recursion; unordered needs memory: false and
 * *error WEIR_E_MEMORY when there is none (error may be NULL). */
WEIR_API bool weir_equal(const weir_val *a, const weir_val *b, uint32_t flags, weir_error *error);

WEIR_END_DECLS

#endif
