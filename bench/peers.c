/* The roster: libraries that were found, and the names of those that were not.
 * Weir comes first, since ratios are taken from the first engine of a task. */
#include "peers.h"

#define MISSING(name)    \
    {                    \
        name, NULL, NULL \
    }

const struct peer *const bench_peers[] = {
#ifdef HAVE_WEIR
    &peer_weir,
#else
    &(const struct peer)MISSING("weir"),
#endif
#ifdef HAVE_YYJSON
    &peer_yyjson,
#else
    &(const struct peer)MISSING("yyjson"),
#endif
#ifdef HAVE_SIMDJSON
    &peer_simdjson,
#else
    &(const struct peer)MISSING("simdjson"),
#endif
#ifdef HAVE_RAPIDJSON
    &peer_rapidjson,
#else
    &(const struct peer)MISSING("rapidjson"),
#endif
#ifdef HAVE_JANSSON
    &peer_jansson,
#else
    &(const struct peer)MISSING("jansson"),
#endif
#ifdef HAVE_CJSON
    &peer_cjson,
#else
    &(const struct peer)MISSING("cjson"),
#endif
#ifdef HAVE_JSON_C
    &peer_json_c,
#else
    &(const struct peer)MISSING("json-c"),
#endif
#ifdef HAVE_MPACK
    &peer_mpack,
#else
    &(const struct peer)MISSING("mpack"),
#endif
#ifdef HAVE_MSGPACK_C
    &peer_msgpack_c,
#else
    &(const struct peer)MISSING("msgpack-c"),
#endif
#ifdef HAVE_LIBCBOR
    &peer_libcbor,
#else
    &(const struct peer)MISSING("libcbor"),
#endif
    &peer_floor,
};

const size_t bench_peer_count = sizeof bench_peers / sizeof bench_peers[0];
