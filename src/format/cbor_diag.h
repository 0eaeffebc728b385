/* The parts of the diagnostic notation's reader: lexing, strings, embedded CBOR. */
#ifndef FORMAT_CBOR_DIAG_H
#define FORMAT_CBOR_DIAG_H

#include "flow/reader_priv.h"
#include "flow/writer_priv.h"

extern const struct reader_ops diag_reader;
extern const struct writer_ops diag_writer;

/* What the named tag given before is about to tag. */
enum { DIAG_DUE_NOTHING, DIAG_DUE_UNDEFINED, DIAG_DUE_SIMPLE };

/* Encoding indicators: none, _ (indefinite), _i (in the head), _0 … _3 (1 … 8 bytes of argument). */
enum diag_encoding {
    DIAG_ENCODING_NONE = -3,
    DIAG_ENCODING_INDEFINITE = -2,
    DIAG_ENCODING_IMMEDIATE = -1,
    DIAG_ENCODING_1,
    DIAG_ENCODING_2,
    DIAG_ENCODING_4,
    DIAG_ENCODING_8
};

struct diag_embed;

struct diag_state {
    weir_buffer token; /* the number or name last read; digits of a byte string */
    uint8_t due, simple;
    bool comma;      /* a comma behind the last document */
    bool indefinite; /* the container that was begun last: [_ or {_ */
    struct diag_embed *embeds;
    size_t embed_count, embed_cap;
    uint32_t flags; /* the caller's, while embedded CBOR is read */
};

static inline struct diag_state *diag_state(weir_reader *r)
{
    return r->state;
}

static inline bool diag_short(weir_reader *r)
{
    return reader_fail_short(r, WEIR_E_DIAG_INCOMPLETE);
}

/* An error at the next byte, or at the input's end. */
bool diag_unexpected(weir_reader *r, weir_code code);
/* The comment that begins at the next byte: '#' or '/'. */
bool diag_comment(weir_reader *r);
/* White space and comments. */
bool diag_space(weir_reader *r);
/* White space, then this character. */
bool diag_expect(weir_reader *r, int c);
/* Letters, digits and the characters of numbers, appended to the token: at most as many as a number may have.
 */
bool diag_token(weir_reader *r);
/* An encoding indicator if there is one. */
bool diag_indicator(weir_reader *r, enum diag_encoding *encoding);
/* The error for an indicator that does not go with its value; one that is cut off may still become right. */
bool diag_encoding_error(weir_reader *r, enum diag_encoding encoding, uint64_t offset);
/* Does a head with this argument have that form? */
bool diag_fits(enum diag_encoding encoding, uint64_t argument);

/* What a string may hold, and what is charged when it holds more. */
struct diag_limit {
    weir_resource resource; /* NUMBER: the bytes of a bignum, which count as digits */
    uint64_t maximum;       /* bytes */
};

/* Does a string literal begin at this byte? */
bool diag_string_begins(int c);
/* One string with all that is joined to it, into r->text; *kind: STRING or BYTES. */
bool diag_string(weir_reader *r, const struct diag_limit *limit, weir_kind *kind);
/* The strings between "(_" and ")" likewise. */
bool diag_chunks(weir_reader *r, const struct diag_limit *limit, weir_kind *kind);
/* Text that can be used where it stands: no escape, nothing joined to it, max bytes at most. NULL: take the
 * general way. */
const char *diag_plain_text(weir_reader *r, uint64_t max, size_t *len);

/* << was read: values go into CBOR until >>. */
bool diag_embed_open(weir_reader *r, uint64_t offset);
/* Is the innermost open container embedded CBOR? */
bool diag_embed_top(weir_reader *r);
/* Takes the event that was read. */
bool diag_embed_event(weir_reader *r);
/* >> was read: the bytes are in r->text; *offset: of the <<. */
bool diag_embed_close(weir_reader *r, uint64_t *offset);
void diag_embed_free(weir_reader *r);

#endif
