/* The two halves of the CBOR format, and what its encodings are made of. */
#ifndef FORMAT_CBOR_H
#define FORMAT_CBOR_H

#include "flow/reader_priv.h"
#include "flow/writer_priv.h"

extern const struct reader_ops cbor_reader;
extern const struct writer_ops cbor_writer;

/* Major types. */
enum { CBOR_UINT, CBOR_NEGATIVE, CBOR_BYTES, CBOR_TEXT, CBOR_ARRAY, CBOR_MAP, CBOR_TAG, CBOR_SIMPLE };

/* Additional information. */
enum { CBOR_INFO_1 = 24, CBOR_INFO_2, CBOR_INFO_4, CBOR_INFO_8, CBOR_INFO_INDEFINITE = 31 };

enum {
    CBOR_FALSE = 20,
    CBOR_TRUE = 21,
    CBOR_NULL = 22,
    CBOR_UNDEFINED = 23,
    CBOR_TAG_BIGNUM = 2,
    CBOR_TAG_NEGATIVE_BIGNUM = 3,
    CBOR_TAG_DECIMAL = 4,
    CBOR_TAG_DATE = 1004 /* RFC 8943 */
};

#define CBOR_BREAK 0xFF

/* Bytes of a head with this additional information; 0: reserved. */
static inline size_t cbor_head_size(unsigned info)
{
    return info < CBOR_INFO_1 || info == CBOR_INFO_INDEFINITE ? 1
           : info > CBOR_INFO_8                               ? 0
                                                              : 1 + ((size_t)1 << (info - CBOR_INFO_1));
}

/* The argument of a head that is all there. */
static inline uint64_t cbor_head_argument(const uint8_t *p, unsigned info)
{
    switch (info) {
    case CBOR_INFO_1:
        return p[1];
    case CBOR_INFO_2:
        return load_be16(p + 1);
    case CBOR_INFO_4:
        return load_be32(p + 1);
    case CBOR_INFO_8:
        return load_be64(p + 1);
    default:
        return info;
    }
}

#endif
