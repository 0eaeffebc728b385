/* Documents: immutable values in one flat block, and what one does with them.
 *
 * A weir_val is used by pointer, never copied: it stands in its document. Documents never change after they
 * were made, so any number of threads may read one. Strings are UTF-8 with a length and, in owned documents,
 * a NUL behind. */
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
 * options NULL: defaults. The document owns everything it needs (unless WEIR_BORROW or WEIR_INSITU). On
 * failure returns NULL and fills *error (may be NULL) with the first fault in input order. O(len). */
WEIR_API WEIR_WARN_UNUSED weir_doc *weir_parse(const weir_format *format, const void *data, size_t len,
                                               const weir_options *options, weir_error *error);
/* The same for a prefix: parses the first document of data and stores in *consumed how many bytes belong to
 * it (including white space or a separator before it). An unfinished document is an error of
 * WEIR_CATEGORY_INCOMPLETE; nothing but white space left: WEIR_E_EMPTY. */
WEIR_API WEIR_WARN_UNUSED weir_doc *weir_parse_prefix(const weir_format *format, const void *data, size_t len,
                                                      size_t *consumed, const weir_options *options,
                                                      weir_error *error);
/* The document that follows in a reader, or NULL: with *error code WEIR_E_NONE at the end of the stream. */
WEIR_API WEIR_WARN_UNUSED weir_doc *weir_read_doc(weir_reader *reader, weir_error *error);
/* NULL is allowed. */
WEIR_API void weir_doc_free(weir_doc *doc);

/* A reusable parser: its memory serves one document after the other. One thread at a time. */
typedef struct weir_parser weir_parser;
WEIR_API weir_parser *weir_parser_new(const weir_options *options, weir_error *error);
/* As weir_parse and weir_parse_prefix (consumed not NULL); the document lives until the next call on this
 * parser. */
WEIR_API const weir_doc *weir_parser_parse(weir_parser *parser, const weir_format *format, const void *data,
                                           size_t len, size_t *consumed, weir_error *error);
WEIR_API void weir_parser_free(weir_parser *parser);

/* A writer whose output is a document: use it as any writer, then take the document after weir_writer_finish.
 */
WEIR_API weir_writer *weir_writer_open_doc(const weir_options *options, weir_error *error);
/* The finished document, now the caller's; NULL if weir_writer_finish has not succeeded, or if it was taken
 * before. */
WEIR_API WEIR_WARN_UNUSED weir_doc *weir_writer_take_doc(weir_writer *writer);

/* The root. O(1). */
WEIR_API const weir_val *weir_doc_root(const weir_doc *doc);
/* Values in the document, keys and tags included (the length of the tape); bytes of memory that it holds.
 * O(1). */
WEIR_API size_t weir_doc_nodes(const weir_doc *doc);
WEIR_API size_t weir_doc_memory(const weir_doc *doc);
/* With WEIR_KEEP_SPANS: where a value of this document stood in the input. false if it isn't known. O(1). */
WEIR_API bool weir_doc_span(const weir_doc *doc, const weir_val *val, uint64_t *offset);

/* ---- writing documents ---- */

/* Appends a value in the given format to *out. On failure *out has its old length. O(nodes + bytes). */
WEIR_API WEIR_WARN_UNUSED bool weir_write_val(const weir_format *format, const weir_val *val,
                                              const weir_options *options, weir_buffer *out,
                                              weir_error *error);
/* Writes a whole value as events into a writer, at its present position. */
WEIR_API bool weir_writer_put(weir_writer *writer, const weir_val *val);
/* A reader over a value: gives its events, then END_DOCUMENT and END_STREAM. The value must outlive it. */
WEIR_API weir_reader *weir_reader_open_val(const weir_val *val, const weir_options *options,
                                           weir_error *error);
/* A document of its own with a copy of a value. O(size of the value). */
WEIR_API WEIR_WARN_UNUSED weir_doc *weir_doc_copy(const weir_val *val, const weir_options *options,
                                                  weir_error *error);

/* ---- looking at values; every function takes NULL and then answers as for a value of the wrong kind ---- */

WEIR_API weir_kind weir_val_kind(const weir_val *val); /* NULL: WEIR_KIND_NULL */
WEIR_API bool weir_val_is(const weir_val *val, weir_kind kind);
/* The bool, or false. */
WEIR_API bool weir_val_bool(const weir_val *val);
/* The integer if it fits; false (and *out unchanged) for other kinds, reals and what doesn't fit. */
WEIR_API bool weir_val_u64(const weir_val *val, uint64_t *out);
WEIR_API bool weir_val_i64(const weir_val *val, int64_t *out);
/* Any number as the nearest double (a NUMBER too, which may give an infinity). */
WEIR_API bool weir_val_f64(const weir_val *val, double *out);
WEIR_API weir_width weir_val_width(const weir_val *val);
/* STRING, BYTES, NUMBER, SECRET: pointer and length; else NULL and 0. The pointer is not NULL for an empty
 * string. */
WEIR_API const char *weir_val_str(const weir_val *val, size_t *len);
/* STRING as a C string; NULL for other kinds, for text that is not terminated (borrowed), and for embedded
 * NULs. */
WEIR_API const char *weir_val_cstr(const weir_val *val);
WEIR_API bool weir_val_timestamp(const weir_val *val, weir_timestamp *out);
/* ARRAY: items; MAP: entries; else 0. O(1). */
WEIR_API size_t weir_val_count(const weir_val *val);
/* TAGGED: the tag (UINT or STRING) and the value under it; else NULL. O(1). */
WEIR_API const weir_val *weir_val_tag(const weir_val *val);
WEIR_API const weir_val *weir_val_tagged(const weir_val *val);

/* The index-th element of an array; NULL out of range. O(1) if no child is a container, else O(index). */
WEIR_API const weir_val *weir_at(const weir_val *array, size_t index);
/* The value of the first entry of a map with that string key; NULL if there is none. O(entries). */
WEIR_API const weir_val *weir_get(const weir_val *map, const char *key);
WEIR_API const weir_val *weir_getn(const weir_val *map, const char *key, size_t len);

/* Iteration in document order:
 *     weir_iter it = weir_iter_of(map);
 *     while (weir_iter_next(&it)) use(it.key, it.val);
 * key is NULL in arrays. Each step O(1). A NULL or scalar has no children. */
typedef struct weir_iter {
    const weir_val *key, *val;
    const weir_val *next, *end;
    size_t index; /* of val, from 0 */
    bool map;
} weir_iter;
WEIR_API weir_iter weir_iter_of(const weir_val *container);
WEIR_API bool weir_iter_next(weir_iter *iter);

/* JSON Pointer (RFC 6901), without the URI fragment form. WEIR_E_POINTER_SYNTAX, WEIR_E_POINTER_NOT_FOUND. */
WEIR_API const weir_val *weir_pointer(const weir_val *root, const char *pointer, size_t len,
                                      weir_error *error);

/* A side table for a document that is asked often: any element O(1), any string key O(1) on average (keys
 * hashed with a random seed). It refers to the document, which must outlive it. Any number of threads may use
 * it. */
typedef struct weir_index weir_index;
WEIR_API WEIR_WARN_UNUSED weir_index *weir_index_new(const weir_doc *doc, const weir_options *options,
                                                     weir_error *error);
WEIR_API const weir_val *weir_index_at(const weir_index *index, const weir_val *array, size_t position);
WEIR_API const weir_val *weir_index_get(const weir_index *index, const weir_val *map, const char *key,
                                        size_t len);
WEIR_API void weir_index_free(weir_index *index);

/* Equality. Default: kinds, order and bits of values; NaN equals NaN; widths of reals, fraction digits of
 * timestamps and how text is stored are ignored. */
enum {
    WEIR_EQ_NUMERIC = 1u << 0,  /* 1 = 1.0 = "1" as a NUMBER: numbers by exact value */
    WEIR_EQ_UNORDERED = 1u << 1 /* order of map entries is ignored (duplicates: as multisets) */
};
/* O(nodes) for ordered, O(n log n) for unordered comparison. No recursion; unordered needs memory: false and
 * *error WEIR_E_MEMORY when there is none (error may be NULL). */
WEIR_API bool weir_equal(const weir_val *a, const weir_val *b, uint32_t flags, weir_error *error);

WEIR_END_DECLS

#endif
