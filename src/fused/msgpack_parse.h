/* MessagePack -> tape in one loop.
 *
 * Refused (the general reader decides): extension types and timestamps, 0xC1, what is cut off, invalid UTF-8,
 * and what is over a limit. */
#ifndef FUSED_MSGPACK_PARSE_H
#define FUSED_MSGPACK_PARSE_H

#include "fused/parse_job.h"

enum fused_result msgpack_parse(struct parse_job *job);

#endif
