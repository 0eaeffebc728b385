/* The fused CBOR parser: its four loops. */
#include "fused/cbor_parse.h"

#include "fused/parse_block.h"

enum {
    CBOR_OPEN_ENDED =
        0x20,      /* an open-ended container's subkind while it is open; its length then counts places */
    CBOR_FIRST = 2 /* places at first; even, since left's parity tells keys from values */
};

/* The argument of a head of the forms 24 to 27. */
ALWAYS_INLINE uint64_t cbor_argument(unsigned head, const uint8_t *q, size_t *head_size)
{
    switch (head & 3) {
    case 0:
        *head_size = 2;
        return q[0];
    case 1:
        *head_size = 3;
        return load_be16(q);
    case 2:
        *head_size = 5;
        return load_be32(q);
    default:
        *head_size = 9;
        return load_be64(q);
    }
}

#define PARSE_NAME parse_owned
#define PARSE_OWNED 1
#define PARSE_LIMITED 0
#include "fused/cbor_parse_loop.h"
#undef PARSE_NAME
#undef PARSE_LIMITED

#define PARSE_NAME parse_owned_limited
#define PARSE_LIMITED 1
#include "fused/cbor_parse_loop.h"
#undef PARSE_NAME
#undef PARSE_OWNED
#undef PARSE_LIMITED

#define PARSE_NAME parse_borrowed
#define PARSE_OWNED 0
#define PARSE_LIMITED 0
#include "fused/cbor_parse_loop.h"
#undef PARSE_NAME
#undef PARSE_LIMITED

#define PARSE_NAME parse_borrowed_limited
#define PARSE_LIMITED 1
#include "fused/cbor_parse_loop.h"

enum fused_result cbor_parse(struct parse_job *job)
{
    static parse_loop *const loops[2][2] = {{parse_owned, parse_owned_limited},
                                            {parse_borrowed, parse_borrowed_limited}};
    return parse_block_run(job, loops, 0xFF);
}
