/* The two halves of the MessagePack format. */
#ifndef FORMAT_MSGPACK_H
#define FORMAT_MSGPACK_H

#include "flow/reader_priv.h"
#include "flow/writer_priv.h"

extern const struct reader_ops msgpack_reader;
extern const struct writer_ops msgpack_writer;

#endif
