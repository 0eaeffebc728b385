/* Every library that weir-bench knows. A build that found one compiles its
 * engine file and defines HAVE_<NAME>; peers.c lists them all either way. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct peer peer_weir;
extern const struct peer peer_yyjson;
extern const struct peer peer_simdjson;
extern const struct peer peer_rapidjson;
extern const struct peer peer_jansson;
extern const struct peer peer_cjson;
extern const struct peer peer_json_c;
extern const struct peer peer_mpack;
extern const struct peer peer_msgpack_c;
extern const struct peer peer_libcbor;
extern const struct peer peer_floor;

#ifdef __cplusplus
}
#endif
#endif
