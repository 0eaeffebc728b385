/* Errors: one stable code for each cause, where it happened, and numbers instead of input text.
 *
 * A code never changes its number, its name or its meaning. docs/errors.md lists every code with cause and
 * way out. Functions that take a weir_error pointer accept NULL there, unless they say otherwise, and leave
 * it alone or set its code to WEIR_E_NONE when they succeed. */
#ifndef WEIR_ERROR_H
#define WEIR_ERROR_H

#include "weir/export.h"

WEIR_BEGIN_DECLS

/* What a caller can do about an error. */
typedef enum weir_category {
    WEIR_CATEGORY_NONE = 0,
    WEIR_CATEGORY_SYNTAX,     /* the input is wrong */
    WEIR_CATEGORY_INCOMPLETE, /* the input is right so far and ends too early: more bytes may complete it */
    WEIR_CATEGORY_LIMIT,      /* a limit of weir_limits was exceeded */
    WEIR_CATEGORY_LOSS,       /* the target format can't carry the value */
    WEIR_CATEGORY_USAGE,      /* the caller broke a rule of the interface */
    WEIR_CATEGORY_MEMORY,     /* the allocator refused */
    WEIR_CATEGORY_IO          /* a source or sink failed */
} weir_category;

/* X(symbol, number, "name", category, "message") */
#define WEIR_ERROR_CODES(X)                                                                                  \
    X(NONE, 0, "none", NONE, "no error")                                                                     \
    /* use of the library */                                                                                 \
    X(MEMORY, 1, "memory/exhausted", MEMORY, "out of memory")                                                \
    X(ARGUMENT, 2, "usage/argument", USAGE, "invalid argument")                                              \
    X(PROTOCOL, 3, "usage/protocol", USAGE, "a writer call that does not fit here")                          \
    X(PROTOCOL_KEY, 4, "usage/value-without-key", USAGE, "a value was written where a key is due")           \
    X(PROTOCOL_COUNT, 5, "usage/count-mismatch", USAGE, "a container's declared count was not met")          \
    X(PROTOCOL_OPEN, 6, "usage/unfinished", USAGE, "the document was not finished")                          \
    X(UNSUPPORTED, 7, "usage/unsupported", USAGE, "this format does not support this operation")             \
    X(PROTOCOL_ROOTS, 8, "usage/second-document", USAGE, "the format holds one document only")               \
    X(READ, 20, "io/read", IO, "reading the input failed")                                                   \
    X(WRITE, 21, "io/write", IO, "writing the output failed")                                                \
    X(TRAILING, 30, "input/trailing", SYNTAX, "data after the end of the document")                          \
    X(EMPTY, 31, "input/empty", INCOMPLETE, "the input holds no document")                                   \
    /* limits */                                                                                             \
    X(LIMIT_INPUT, 40, "limit/input", LIMIT, "the input is larger than its limit")                           \
    X(LIMIT_NORMALIZED, 41, "limit/normalized", LIMIT, "the normalized input is larger than its limit")      \
    X(LIMIT_OUTPUT, 42, "limit/output", LIMIT, "the output is larger than its limit")                        \
    X(LIMIT_DEPTH, 43, "limit/depth", LIMIT, "nesting deeper than its limit")                                \
    X(LIMIT_NODES, 44, "limit/nodes", LIMIT, "more values than the limit")                                   \
    X(LIMIT_ITEMS, 45, "limit/items", LIMIT, "an array with more items than the limit")                      \
    X(LIMIT_ENTRIES, 46, "limit/entries", LIMIT, "a map with more entries than the limit")                   \
    X(LIMIT_KEY, 47, "limit/key", LIMIT, "a key longer than its limit")                                      \
    X(LIMIT_STRING, 48, "limit/string", LIMIT, "a string longer than its limit")                             \
    X(LIMIT_NUMBER, 49, "limit/number", LIMIT, "a number longer than its limit")                             \
    X(LIMIT_PAYLOAD, 50, "limit/payload", LIMIT,                                                             \
      "keys, strings and numbers are larger in sum than their limit")                                        \
    X(LIMIT_MEMORY, 51, "limit/memory", LIMIT, "the document needs more memory than its limit")              \
    X(LIMIT_DOCUMENTS, 52, "limit/documents", LIMIT, "more documents than the limit")                        \
    X(LIMIT_EXPANSION, 53, "limit/expansion", LIMIT, "references expand to more values than the limit")      \
    X(LIMIT_EXPANSION_RATIO, 54, "limit/expansion-ratio", LIMIT, "the input expands by more than its limit") \
    /* what a target can't carry */                                                                          \
    X(LOSS_BYTES, 70, "loss/bytes", LOSS, "the target can't carry a byte string")                            \
    X(LOSS_TIMESTAMP, 71, "loss/timestamp", LOSS, "the target can't carry this timestamp")                   \
    X(LOSS_NONFINITE, 72, "loss/nonfinite", LOSS, "the target can't carry NaN or an infinity")               \
    X(LOSS_KEY, 73, "loss/key", LOSS, "the target can't carry a key that is not a string")                   \
    X(LOSS_BIGINT, 74, "loss/bigint", LOSS, "the target can't carry a number of this size or precision")     \
    X(LOSS_TAG, 75, "loss/tag", LOSS, "the target can't carry a tagged value")                               \
    X(LOSS_NULL, 76, "loss/null", LOSS, "the target can't carry null here")                                  \
    X(LOSS_SECRET, 77, "loss/secret", LOSS, "a secret is not written to this format")                        \
    X(LOSS_DUPLICATE, 78, "loss/duplicate-key", LOSS, "the target forbids duplicate keys")                   \
    X(LOSS_LENGTH, 79, "loss/length", LOSS, "the target can't carry a value of this length")                 \
    X(LOSS_STRING, 80, "loss/string", LOSS, "the target can't carry this string")                            \
    X(LOSS_COMMENT, 81, "loss/comment", LOSS, "rewriting would drop a comment")                              \
    /* JSON and what is built on it */                                                                       \
    X(JSON_INCOMPLETE, 100, "json/incomplete", INCOMPLETE, "the input ends inside a value")                  \
    X(JSON_UNEXPECTED_BYTE, 101, "json/unexpected-byte", SYNTAX, "unexpected byte")                          \
    X(JSON_EXPECTED_COLON, 102, "json/expected-colon", SYNTAX, "expected ':' after a key")                   \
    X(JSON_EXPECTED_COMMA_ARRAY, 103, "json/expected-comma-or-array-end", SYNTAX, "expected ',' or ']'")     \
    X(JSON_EXPECTED_COMMA_OBJECT, 104, "json/expected-comma-or-object-end", SYNTAX, "expected ',' or '}'")   \
    X(JSON_EXPECTED_KEY, 105, "json/expected-key", SYNTAX, "expected a key in double quotes")                \
    X(JSON_INVALID_ESCAPE, 106, "json/invalid-escape", SYNTAX, "invalid escape sequence")                    \
    X(JSON_INVALID_UNICODE_ESCAPE, 107, "json/invalid-unicode-escape", SYNTAX,                               \
      "\\u needs four hexadecimal digits")                                                                   \
    X(JSON_UNPAIRED_SURROGATE, 108, "json/unpaired-surrogate", SYNTAX,                                       \
      "surrogate escape without its partner")                                                                \
    X(JSON_INVALID_UTF8, 109, "json/invalid-utf8", SYNTAX, "invalid UTF-8")                                  \
    X(JSON_INVALID_NUMBER, 110, "json/invalid-number", SYNTAX, "invalid number")                             \
    X(JSON_INTEGER_RANGE, 111, "json/integer-out-of-range", SYNTAX, "integer outside 64 bits")               \
    X(JSON_FLOAT_RANGE, 112, "json/float-out-of-range", SYNTAX, "number too large for a double")             \
    X(JSON_TRAILING, 113, "json/trailing-characters", SYNTAX, "characters after the value")                  \
    X(JSON_DUPLICATE_KEY, 114, "json/duplicate-key", SYNTAX, "duplicate key")                                \
    X(JSON_BYTE_ORDER_MARK, 115, "json/byte-order-mark", SYNTAX, "the input begins with a byte order mark")  \
    X(JSON_CONTROL, 116, "json/control-character", SYNTAX, "control character inside a string")              \
    X(JSON_SEQ_SEPARATOR, 117, "json-seq/expected-separator", SYNTAX, "expected a record separator (0x1E)")  \
    X(JSON_SEQ_TRUNCATED, 118, "json-seq/truncated", SYNTAX, "a record is not ended by white space")         \
    X(NDJSON_LINE, 119, "ndjson/line-break", SYNTAX, "a value continues over a line break")                  \
    /* CBOR and its diagnostic notation */                                                                   \
    X(CBOR_INCOMPLETE, 130, "cbor/incomplete", INCOMPLETE, "the input ends inside a data item")              \
    X(CBOR_RESERVED, 131, "cbor/reserved-head", SYNTAX, "reserved additional information 28 to 30")          \
    X(CBOR_BREAK, 132, "cbor/unexpected-break", SYNTAX, "a break stop code where none may stand")            \
    X(CBOR_INDEFINITE, 133, "cbor/invalid-indefinite", SYNTAX, "indefinite length where none may stand")     \
    X(CBOR_CHUNK, 134, "cbor/invalid-chunk", SYNTAX,                                                         \
      "a chunk of another kind in an indefinite-length string")                                              \
    X(CBOR_SIMPLE, 135, "cbor/invalid-simple", SYNTAX, "a two-byte simple value below 32")                   \
    X(CBOR_INVALID_UTF8, 136, "cbor/invalid-utf8", SYNTAX, "invalid UTF-8 in a text string")                 \
    X(CBOR_ODD_MAP, 137, "cbor/odd-map", SYNTAX, "a map ends after a key")                                   \
    X(CBOR_TAG_CONTENT, 138, "cbor/invalid-tag-content", SYNTAX, "the tag does not allow this content")      \
    X(CBOR_DUPLICATE_KEY, 139, "cbor/duplicate-key", SYNTAX, "duplicate key")                                \
    X(CBOR_INTEGER_RANGE, 141, "cbor/integer-out-of-range", SYNTAX, "integer outside 64 bits")               \
    X(DIAG_INCOMPLETE, 150, "cbor-diag/incomplete", INCOMPLETE, "the input ends inside a value")             \
    X(DIAG_SYNTAX, 151, "cbor-diag/syntax", SYNTAX, "not diagnostic notation")                               \
    X(DIAG_NUMBER, 152, "cbor-diag/invalid-number", SYNTAX, "invalid number")                                \
    X(DIAG_STRING, 153, "cbor-diag/invalid-string", SYNTAX, "invalid string")                                \
    X(DIAG_BYTES, 154, "cbor-diag/invalid-bytes", SYNTAX, "invalid byte string")                             \
    X(DIAG_INVALID_UTF8, 155, "cbor-diag/invalid-utf8", SYNTAX, "invalid UTF-8")                             \
    X(DIAG_ENCODING, 156, "cbor-diag/invalid-encoding-indicator", SYNTAX, "invalid encoding indicator")      \
    X(DIAG_DUPLICATE_KEY, 157, "cbor-diag/duplicate-key", SYNTAX, "duplicate key")                           \
    X(DIAG_COMMENT, 158, "cbor-diag/unclosed-comment", INCOMPLETE, "a comment is not closed")                \
    X(DIAG_RANGE, 159, "cbor-diag/number-out-of-range", SYNTAX,                                              \
      "number outside 64 bits, or too large for a double")                                                   \
    /* MessagePack */                                                                                        \
    X(MSGPACK_INCOMPLETE, 170, "msgpack/incomplete", INCOMPLETE, "the input ends inside a value")            \
    X(MSGPACK_RESERVED, 171, "msgpack/reserved-byte", SYNTAX, "the byte 0xC1 is never used")                 \
    X(MSGPACK_INVALID_UTF8, 172, "msgpack/invalid-utf8", SYNTAX, "invalid UTF-8 in a str")                   \
    X(MSGPACK_TIMESTAMP, 173, "msgpack/invalid-timestamp", SYNTAX, "a timestamp of invalid length or range") \
    X(MSGPACK_DUPLICATE_KEY, 174, "msgpack/duplicate-key", SYNTAX, "duplicate key")                          \
    /* values */                                                                                             \
    X(POINTER_SYNTAX, 190, "pointer/syntax", USAGE, "not a JSON Pointer")                                    \
    X(POINTER_NOT_FOUND, 191, "pointer/not-found", USAGE, "the pointer leads to no value")                   \
    X(FORMAT_UNKNOWN, 192, "format/unknown", USAGE, "no such format")                                        \
    X(FORMAT_AMBIGUOUS, 193, "format/ambiguous", USAGE, "the format of the input is not certain")

typedef enum weir_code {
#define WEIR_X(symbol, number, name, category, message) WEIR_E_##symbol = number,
    WEIR_ERROR_CODES(WEIR_X)
#undef WEIR_X
} weir_code;

/* Resources that weir_limits counts; see weir/options.h. */
typedef enum weir_resource {
    WEIR_RESOURCE_NONE = 0,
    WEIR_RESOURCE_INPUT,
    WEIR_RESOURCE_NORMALIZED,
    WEIR_RESOURCE_OUTPUT,
    WEIR_RESOURCE_DEPTH,
    WEIR_RESOURCE_NODES,
    WEIR_RESOURCE_ITEMS,
    WEIR_RESOURCE_ENTRIES,
    WEIR_RESOURCE_KEY,
    WEIR_RESOURCE_STRING,
    WEIR_RESOURCE_NUMBER,
    WEIR_RESOURCE_PAYLOAD,
    WEIR_RESOURCE_MEMORY,
    WEIR_RESOURCE_DOCUMENTS,
    WEIR_RESOURCE_EXPANSION,
    WEIR_RESOURCE_EXPANSION_RATIO
} weir_resource;

#define WEIR_PATH_SIZE 256
#define WEIR_DETAIL_SIZE 128

/* What went wrong and where. Plain data of fixed size: copy it freely, nothing to free. */
typedef struct weir_error {
    weir_code code;
    weir_resource resource; /* the limit that was hit, else WEIR_RESOURCE_NONE */
    uint64_t maximum;       /* of that limit */
    uint64_t remaining;     /* what was left of a cumulative limit before the request; else WEIR_UNKNOWN */
    uint64_t requested;     /* what was asked for; for point limits the value that is too large */
    uint64_t offset;       /* byte offset from 0, in the input of readers, the output of writers; WEIR_UNKNOWN
                              where there is none */
    uint64_t line, column; /* from 1, columns in Unicode scalar values; 0 where the format has no lines. LF,
                              CR and CRLF each end one line */
    uint64_t document;     /* index of the document in a stream, from 0 */
    int system;            /* errno of a failed read or write, else 0 */
    /* JSON Pointer (RFC 6901), keys as ~N (entry number from 0) unless WEIR_DETAIL; cut at its beginning
     * where it is too long. Ends in NUL, as detail does. */
    char path[WEIR_PATH_SIZE];
    /* More about the cause, with input text only under WEIR_DETAIL; may be empty. */
    char detail[WEIR_DETAIL_SIZE];
} weir_error;

/* The stable name ("json/unpaired-surrogate"), the fixed one-line message, the category of a code.
 * All three accept any integer; an unknown one gives "unknown", "unknown error", WEIR_CATEGORY_USAGE. The
 * strings live as long as the program. O(codes). Thread-safe. */
WEIR_API const char *weir_code_name(weir_code code);
WEIR_API const char *weir_code_message(weir_code code);
WEIR_API weir_category weir_code_category(weir_code code);

/* The name of a resource as the command spells it ("depth", "expansion-ratio"); "none" for others. It lives
 * as long as the program. O(1). Thread-safe. */
WEIR_API const char *weir_resource_name(weir_resource resource);

/* Writes "MESSAGE at line L, column C (path P)" and, for limits, the figures, into out: at most size bytes
 * with the NUL, cut where it does not fit; out may be NULL if size is 0. Returns the length in bytes, without
 * NUL, that the whole text has. Holds no input text unless the error does. Thread-safe as far as strerror is.
 */
WEIR_API size_t weir_error_text(const weir_error *error, char *out, size_t size);

/* Columns that len bytes of UTF-8 take on a terminal, for placing a caret: wide characters count 2, combining
 * ones and controls 0, a tab leads to the next multiple of 8, a byte of invalid UTF-8 counts 1. O(len).
 * Thread-safe. */
WEIR_API size_t weir_text_columns(const char *text, size_t len);

WEIR_END_DECLS

#endif
