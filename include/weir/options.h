/* Options and limits: one structure for every entry point. NULL options are the documented safe defaults, fit
 * for untrusted input. Options are copied by whatever is opened with them; their allocator, callback and
 * context must outlive that. */
#ifndef WEIR_OPTIONS_H
#define WEIR_OPTIONS_H

#include "weir/error.h"
#include "weir/export.h"
#include "weir/memory.h"

WEIR_BEGIN_DECLS

/* `memory` as 32 x input + 64 MiB (from a stream: x the bytes read so far). */
#define WEIR_MEMORY_AUTO (UINT64_MAX - 1)

/* Inclusive maxima; WEIR_UNSET is unchecked and uncounted, 0 is a legal maximum.
 * Cumulative ones sum up over all documents of one reader or writer; the others hold for one thing at a time.
 */
typedef struct weir_limits {
    uint64_t input;      /* raw input bytes; from memory charged whole before anything is looked at */
    uint64_t normalized; /* bytes after normalizing */
    uint64_t output;     /* bytes written */
    uint64_t depth;      /* nesting, the root is 1, scalars count; a tag is a level */
    uint64_t nodes;      /* values, cumulative; keys are none, a tag is one */
    uint64_t items;      /* elements of one array; checked before the element is read */
    uint64_t entries;    /* entries of one map, duplicates included; checked before the key is read */
    uint64_t key;        /* bytes of one key (decoded) */
    uint64_t string;     /* bytes of one string or byte string (decoded) */
    uint64_t number;  /* bytes of one number's text; in binary formats of its text if it has one (bignums) */
    uint64_t payload; /* cumulative: keys + strings + numbers */
    uint64_t memory;  /* bytes that one document's memory may hold */
    uint64_t documents;       /* documents taken from one stream */
    uint64_t expansion;       /* values that aliases and references add to one document */
    uint64_t expansion_ratio; /* values out per value written; for compressed files bytes out per byte in */
} weir_limits;

/* What happens to numbers outside i64, u64 and the finite doubles. */
typedef enum weir_numbers {
    WEIR_NUMBERS_STRICT = 0, /* refused */
    WEIR_NUMBERS_EXACT,      /* kept as their decimal text (WEIR_KIND_NUMBER) */
    WEIR_NUMBERS_DECIMAL, /* as EXACT, and also non-integers that a double does not hold exactly as written */
    WEIR_NUMBERS_DOUBLE   /* integers: the nearest double; not finite: refused */
} weir_numbers;

/* What happens to a key that stands in one map twice. One entry stays, at its own place: LAST is for
 * documents only, readers refuse it. */
typedef enum weir_duplicates {
    WEIR_DUPLICATES_KEEP = 0,
    WEIR_DUPLICATES_FIRST,
    WEIR_DUPLICATES_LAST,
    WEIR_DUPLICATES_REJECT
} weir_duplicates;

/* Documented mappings for what a target can't carry, and leniencies of readers. */
enum {
    WEIR_ALLOW_BYTES = 1u << 0,     /* byte string -> base64 text (RFC 4648, padded) */
    WEIR_ALLOW_TIMESTAMP = 1u << 1, /* timestamp -> RFC 3339 text */
    WEIR_ALLOW_NONFINITE = 1u << 2, /* NaN, infinities -> null */
    WEIR_ALLOW_KEY = 1u << 3,       /* scalar key -> its text */
    WEIR_ALLOW_BIGINT = 1u << 4,    /* number beyond the target -> its decimal text as a string */
    WEIR_ALLOW_TAG = 1u << 5,       /* tagged value -> the value without its tag */
    WEIR_ALLOW_NULL = 1u << 6,      /* null -> left out */
    WEIR_ALLOW_BOM = 1u << 7,       /* readers: a UTF-8 byte order mark at the start is skipped */
    WEIR_ALLOW_COMMENTS = 1u << 8,  /* rewriting may drop comments */
    WEIR_ALLOW_ANCHORS = 1u << 9,   /* rewriting may drop anchors */
    WEIR_ALLOW_ALL = 0x3FFu
};

enum {
    WEIR_DETAIL = 1u << 0, /* errors may quote the input: keys in paths, text in details */
    WEIR_BORROW = 1u << 1, /* documents may point into the caller's input, which must stay and not change */
    /* JSON: the caller's input is writable, ends in 64 readable bytes, and may become the text (a permission:
     * it may be copied all the same) */
    WEIR_INSITU = 1u << 2,
    WEIR_KEEP_SPANS = 1u << 3, /* documents remember where each value stood in the input */
    WEIR_SORT_KEYS = 1u << 4,  /* writers: maps in ascending order of their keys' bytes */
    /* writers: RFC 8785 for JSON, deterministic encoding (RFC 8949 section 4.2.1) for CBOR */
    WEIR_CANONICAL = 1u << 5,
    WEIR_ASCII = 1u << 6,    /* JSON writer: everything outside ASCII as \u escapes */
    WEIR_SKIP_BAD = 1u << 7, /* record streams: a bad record is reported through on_bad_record and skipped */
    WEIR_BUFFERED = 1u << 8, /* writers to a sink: it sees nothing of a document before it is complete */
    WEIR_MULTI = 1u << 9,    /* formats of one document take any number of them, one behind the other */
    WEIR_NO_COMMENTS = 1u << 10 /* readers: a comment is an error, since it would be dropped */
};

/* Begins with its own size in bytes so that it can grow: initialise it with WEIR_OPTIONS_DEFAULT or
 * weir_options_init. Of a shorter one the rest is the defaults. */
typedef struct weir_options {
    size_t size;
    const weir_allocator *allocator; /* NULL: malloc and free */
    weir_limits limits;
    weir_numbers numbers;
    weir_duplicates duplicates;
    uint32_t allow;  /* WEIR_ALLOW_ bits */
    uint32_t flags;  /* WEIR_DETAIL … bits */
    uint32_t indent; /* text writers: spaces a level; 0 is compact */
    /* With WEIR_SKIP_BAD: called for each record that is left out; error lives during the call. May be NULL.
     */
    void (*on_bad_record)(void *context, const weir_error *error);
    void *context; /* for on_bad_record */
} weir_options;

#define WEIR_LIMITS_DEFAULT                                                                       \
    {                                                                                             \
        WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, 1024, WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, \
            WEIR_UNSET, 4096, WEIR_UNSET, WEIR_MEMORY_AUTO, WEIR_UNSET, 1000000, 100              \
    }
#define WEIR_LIMITS_NONE                                                                                \
    {                                                                                                   \
        WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, \
            WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, WEIR_UNSET, WEIR_UNSET          \
    }
#define WEIR_OPTIONS_DEFAULT                                                                                 \
    {                                                                                                        \
        sizeof(weir_options), NULL, WEIR_LIMITS_DEFAULT, WEIR_NUMBERS_STRICT, WEIR_DUPLICATES_KEEP, 0, 0, 0, \
            NULL, NULL                                                                                       \
    }

/* No limits at all. Assign it to weir_options.limits; it has to be spelled. */
extern WEIR_API const weir_limits weir_unlimited;

/* Sets *options to the defaults (the same as WEIR_OPTIONS_DEFAULT). O(1). Thread-safe. */
WEIR_API void weir_options_init(weir_options *options);

WEIR_END_DECLS

#endif
