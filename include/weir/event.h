/* Kinds of values, and the events that readers give and writers take. */
#ifndef WEIR_EVENT_H
#define WEIR_EVENT_H

#include "weir/export.h"

WEIR_BEGIN_DECLS

typedef enum weir_kind {
    WEIR_KIND_NULL = 0,
    WEIR_KIND_FALSE,
    WEIR_KIND_TRUE,
    WEIR_KIND_UINT,   /* 0 … 2^64-1 */
    WEIR_KIND_INT,    /* -2^63 … -1; what is not negative is a UINT */
    WEIR_KIND_REAL,   /* a double; remembers if it was written as f16 or f32 */
    WEIR_KIND_NUMBER, /* exact decimal text beyond these, in JSON's grammar */
    WEIR_KIND_STRING, /* UTF-8 */
    WEIR_KIND_BYTES,
    WEIR_KIND_TIMESTAMP,
    WEIR_KIND_ARRAY,
    WEIR_KIND_MAP,
    WEIR_KIND_TAGGED, /* a tag (number or name) and one value */
    WEIR_KIND_SECRET, /* bytes that no printer shows */
    /* events only */
    WEIR_KIND_END = 16,     /* closes the innermost array or map */
    WEIR_KIND_END_DOCUMENT, /* a root value is complete */
    WEIR_KIND_END_STREAM    /* the input holds nothing more */
} weir_kind;

typedef enum weir_width { WEIR_WIDTH_64 = 0, WEIR_WIDTH_32 = 1, WEIR_WIDTH_16 = 2 } weir_width;

typedef enum weir_time_shape {
    WEIR_TIME_OFFSET = 0, /* an instant with its offset from UTC: 2026-05-04T03:02:01Z */
    WEIR_TIME_LOCAL,      /* date and time without offset */
    WEIR_TIME_DATE,       /* a date alone */
    WEIR_TIME_CLOCK       /* a time of day alone */
} weir_time_shape;

/* seconds counts from 1970-01-01T00:00:00 (UTC for WEIR_TIME_OFFSET, else in the local reckoning; for
 * WEIR_TIME_DATE to that day's midnight; for WEIR_TIME_CLOCK from midnight), proleptic Gregorian calendar, no
 * leap seconds. What has no RFC 3339 text (years before 0 or after 9999, a date with a time of day) can be
 * written only where none is needed. */
typedef struct weir_timestamp {
    int64_t seconds;
    uint32_t nanoseconds;   /* 0 … 999,999,999 */
    int16_t offset_minutes; /* -1439 … 1439; what the text said, the instant does not depend on it */
    uint8_t shape;          /* weir_time_shape */
    uint8_t digits;         /* fraction digits as written, 0 … 9 */
} weir_timestamp;

/* One event. A TAGGED event stands before the value that it tags and has no END.
 * Map entries alternate key, value; is_key marks the key's event (its first one, if the key is a container).
 * count and v hold something only for the kinds that they name. */
typedef struct weir_event {
    uint8_t kind;  /* weir_kind */
    uint8_t width; /* REAL: weir_width */
    bool is_key;
    bool borrowed; /* text points into the caller's input, valid as long as that; else until the next call */
    bool plain;    /* STRING: known to hold no control character, quote or backslash */
    size_t len;    /* STRING, BYTES, NUMBER, SECRET, named TAGGED: bytes in text */
    const char *text; /* not NUL-terminated; TAGGED: the name, or NULL for a numbered tag */
    uint64_t count;   /* ARRAY, MAP: items or entries, or WEIR_UNKNOWN */
    union {
        uint64_t u; /* UINT, numbered TAGGED */
        int64_t i;  /* INT */
        double d;   /* REAL */
        weir_timestamp time;
    } v;
    uint64_t offset; /* where the value begins in the input */
} weir_event;

/* "null", "true", "unsigned", …: the kind's name for messages; "unknown" for other integers. It lives as long
 * as the program. O(1). Thread-safe. */
WEIR_API const char *weir_kind_name(weir_kind kind);

WEIR_END_DECLS

#endif
