/* Formats: the table of those that were built in, lookup by name and file name, detection by content. */
#ifndef WEIR_FORMAT_H
#define WEIR_FORMAT_H

#include "weir/error.h"
#include "weir/export.h"

WEIR_BEGIN_DECLS

typedef struct weir_format weir_format;

/* The formats themselves, as `const weir_format *`. Constant, shared by all threads. */
WEIR_API extern const weir_format weir_format_json, weir_format_ndjson, weir_format_json_seq,
    weir_format_cbor, weir_format_cbor_diag, weir_format_msgpack;
#define weir_json (&weir_format_json)         /* RFC 8259 */
#define weir_ndjson (&weir_format_ndjson)     /* one JSON text a line */
#define weir_json_seq (&weir_format_json_seq) /* RFC 7464 */
#define weir_cbor (&weir_format_cbor)         /* RFC 8949; several items: RFC 8742 sequence */
#define weir_cbor_diag \
    (&weir_format_cbor_diag)                /* diagnostic notation: RFC 8949 section 8, RFC 8610 appendix G */
#define weir_msgpack (&weir_format_msgpack) /* the MessagePack specification, with timestamps */

/* What a format carries natively and how it works. */
enum {
    WEIR_CAP_READ = 1u << 0,
    WEIR_CAP_WRITE = 1u << 1,
    WEIR_CAP_TEXT = 1u << 2,     /* has lines and columns */
    WEIR_CAP_STREAM = 1u << 3,   /* any number of documents in one input */
    WEIR_CAP_RECORDS = 1u << 4,  /* documents can be told apart without parsing them (lines, separators) */
    WEIR_CAP_ANY_ROOT = 1u << 5, /* the root may be a scalar */
    WEIR_CAP_BYTES = 1u << 6,
    WEIR_CAP_TIMESTAMP = 1u << 7,
    WEIR_CAP_NONFINITE = 1u << 8,
    WEIR_CAP_ANY_KEY = 1u << 9,     /* keys of any kind */
    WEIR_CAP_NUMBER = 1u << 10,     /* numbers of any size and precision */
    WEIR_CAP_TAG_NUMBER = 1u << 11, /* numbered tags */
    WEIR_CAP_TAG_NAME = 1u << 12,   /* named tags */
    WEIR_CAP_NULL = 1u << 13,
    WEIR_CAP_DUPLICATES = 1u << 14, /* a map may hold a key twice */
    WEIR_CAP_WIDTHS = 1u << 15,     /* remembers f16, f32 */
    WEIR_CAP_COUNTS = 1u << 16,     /* the writer needs counts in advance */
    WEIR_CAP_WHOLE = 1u << 17,      /* reader or writer work on the whole document */
    WEIR_CAP_LAYOUT = 1u << 18,     /* the writer honours indent */
    WEIR_CAP_SECRET = 1u << 19      /* carries secrets */
};

/* Name as the command spells it ("json"), one line for people, MIME types and file name extensions without
 * their dot (lists that end with NULL, the preferred one first), WEIR_CAP_ bits. All live as long as the
 * program. format is not NULL. O(1). Thread-safe. */
WEIR_API const char *weir_format_name(const weir_format *format);
WEIR_API const char *weir_format_summary(const weir_format *format);
WEIR_API const char *const *weir_format_mime_types(const weir_format *format);
WEIR_API const char *const *weir_format_extensions(const weir_format *format);
WEIR_API uint32_t weir_format_caps(const weir_format *format);

/* The built-in formats one by one: index 0, 1, … until NULL. O(1). Thread-safe. */
WEIR_API const weir_format *weir_format_at(size_t index);
/* By name, extension (without a dot) or MIME type, ASCII case ignored; NULL if there is none, or name is
 * NULL. O(formats). Thread-safe. */
WEIR_API const weir_format *weir_format_find(const char *name);
/* By the last extension of a file name or path ("a/b.ndjson"; ".gz" and ".zst" are skipped); NULL if unknown,
 * or path is NULL. The file is not looked at. O(formats). Thread-safe. */
WEIR_API const weir_format *weir_format_for_path(const char *path);

/* How well the first bytes of an input fit a format. */
typedef struct weir_candidate {
    const weir_format *format;
    int score; /* 1 … 100 */
} weir_candidate;

/* Scores the beginning of an input (len bytes; whole = it is the whole input) against every format and stores
 * the best `max` candidates in out, in descending order. Returns their number; the first is certain when its
 * score leads by 20 or more. Bounded work: looks at 4 KiB at most. data may be NULL if len is 0. Thread-safe.
 */
WEIR_API size_t weir_format_detect(const void *data, size_t len, bool whole, weir_candidate *out, size_t max);
/* The certain one of weir_format_detect, or NULL. Thread-safe. */
WEIR_API const weir_format *weir_format_guess(const void *data, size_t len, bool whole);

WEIR_END_DECLS

#endif
