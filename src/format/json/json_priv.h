/* The reader and writer of JSON values, shared by json, ndjson and json-seq. */
#ifndef FORMAT_JSON_JSON_PRIV_H
#define FORMAT_JSON_JSON_PRIV_H

#include "base/simd.h"
#include "flow/reader_priv.h"
#include "flow/writer_priv.h"

enum json_dialect {
    JSON_PLAIN,
    JSON_LINES,   /* no line break inside a value */
    JSON_SEQUENCE /* a record separator ends a record wherever it stands */
};

enum { JSON_RECORD_SEPARATOR = 0x1E };

/* Classes of bytes. */
enum {
    JSON_SPACE = 1,     /* white space inside a value of this dialect */
    JSON_DELIMITER = 2, /* may follow a number or literal */
    JSON_NUMBER = 4     /* occurs in numbers */
};

/* Where in the grammar a reader goes on, between two tokens. */
enum json_resume {
    JSON_AT_ROOT,   /* before the root value */
    JSON_AT_CHILD,  /* in an array or map, before a child, behind the bracket or the comma */
    JSON_AT_END,    /* behind a child: a comma or the end */
    JSON_AT_COLON,  /* behind a key */
    JSON_AT_VALUE,  /* behind the colon */
    JSON_AFTER_ROOT /* behind the root value */
};

struct json_reader {
    enum json_dialect dialect;
    bool separated;         /* resumed behind a comma or colon */
    const uint8_t *classes; /* one byte of class bits for each byte value */
    const struct simd_kernels *kernels;
};

bool json_reader_open(weir_reader *r, enum json_dialect dialect);
/* ops->next of all three. */
bool json_next(weir_reader *r);
/* Goes on at an offset of an input in memory; what comes before was right. The frames of the containers that
 * are open there have been pushed. */
void json_reader_resume(weir_reader *r, size_t offset, enum json_resume at);
/* At the first byte of an input: refuses or skips a byte order mark. */
bool json_byte_order_mark(weir_reader *r);
/* Skips white space of RFC 8259, line breaks included whatever the dialect. false: the input ended or failed.
 */
bool json_skip_space(weir_reader *r);
/* Skips white space of the dialect. false as above. */
bool json_skip_blank(weir_reader *r);
/* Fails at a byte of the window; in lines and sequences the byte that cuts a record gets their own code. hint
 * may be NULL. */
COLD bool json_fail_at(weir_reader *r, weir_code code, const uint8_t *at, const char *hint);

bool json_write_event(weir_writer *w, const weir_event *event);

/* A bounded look at the beginning of an input. */
/* Of an input that begins like JSON and goes wrong: enough to be chosen where no other format fits. */
#define JSON_SCORE_FAULTY 4

struct json_probe {
    size_t values;          /* complete root values */
    size_t containers;      /* of these, arrays and objects */
    size_t separators;      /* record separators between them */
    bool missing_separator; /* not every value has one before it */
    bool invalid;           /* something here is not JSON: in a value, or behind one, … */
    bool invalid_root;      /* … in an array or object with something in it, or behind one on its line */
    bool open;              /* ends inside a value that was right so far, … */
    bool open_root;         /* … an array or object with something in it */
    bool one_a_line;        /* no value shares a line or continues over one */
};
void json_probe(const uint8_t *p, size_t n, bool whole, struct json_probe *out);

#endif
