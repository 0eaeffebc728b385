/* CBOR (RFC 8949) -> tape in one loop.
 *
 * Refused (the general reader decides): bignums and decimal fractions (tags 2 to 4), integers below -2^63,
 * undefined and other simple values, indefinite-length strings, what is cut off or malformed, and what is
 * over a limit. */
#ifndef FUSED_CBOR_PARSE_H
#define FUSED_CBOR_PARSE_H

#include "fused/parse_job.h"

enum fused_result cbor_parse(struct parse_job *job);

#endif
