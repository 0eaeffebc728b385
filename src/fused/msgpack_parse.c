/* The fused MessagePack parser: its four loops. */
#include "fused/msgpack_parse.h"

#include "fused/parse_block.h"

#define PARSE_NAME parse_owned
#define PARSE_OWNED 1
#define PARSE_LIMITED 0
#include "fused/msgpack_parse_loop.h"
#undef PARSE_NAME
#undef PARSE_LIMITED

#define PARSE_NAME parse_owned_limited
#define PARSE_LIMITED 1
#include "fused/msgpack_parse_loop.h"
#undef PARSE_NAME
#undef PARSE_OWNED
#undef PARSE_LIMITED

#define PARSE_NAME parse_borrowed
#define PARSE_OWNED 0
#define PARSE_LIMITED 0
#include "fused/msgpack_parse_loop.h"
#undef PARSE_NAME
#undef PARSE_LIMITED

#define PARSE_NAME parse_borrowed_limited
#define PARSE_LIMITED 1
#include "fused/msgpack_parse_loop.h"

enum fused_result msgpack_parse(struct parse_job *job)
{
    static parse_loop *const loops[2][2] = {{parse_owned, parse_owned_limited},
                                            {parse_borrowed, parse_borrowed_limited}};
    return parse_block_run(job, loops, 0xC1);
}
