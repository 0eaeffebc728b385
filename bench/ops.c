/* The operations: names, and what they read or write. */
#include "bench.h"

static const struct {
    const char *name;
    bool writes;
    enum syntax syntax;
} ops[OP_COUNT] = {
    [OP_JSON_PARSE] = {"json-parse", false, SYNTAX_JSON},
    [OP_JSON_WRITE] = {"json-write", true, SYNTAX_JSON},
    [OP_JSON_PARSE_LIMITS] = {"json-parse-limits", false, SYNTAX_JSON},
    [OP_JSON_WRITE_LIMITS] = {"json-write-limits", true, SYNTAX_JSON},
    [OP_JSON_REFUSE] = {"json-refuse", false, SYNTAX_JSON},
    [OP_NDJSON_PARSE] = {"ndjson-parse", false, SYNTAX_JSON},
    [OP_CBOR_PARSE] = {"cbor-parse", false, SYNTAX_CBOR},
    [OP_CBOR_WRITE] = {"cbor-write", true, SYNTAX_CBOR},
    [OP_MSGPACK_PARSE] = {"msgpack-parse", false, SYNTAX_MSGPACK},
    [OP_MSGPACK_WRITE] = {"msgpack-write", true, SYNTAX_MSGPACK},
    [OP_FLOOR_MEMCPY] = {"floor-memcpy", false, SYNTAX_JSON},
    [OP_FLOOR_SCAN] = {"floor-scan", false, SYNTAX_JSON},
};

const char *op_name(enum op op)
{
    return ops[op].name;
}

bool op_writes(enum op op)
{
    return ops[op].writes;
}

enum syntax op_syntax(enum op op)
{
    return ops[op].syntax;
}
