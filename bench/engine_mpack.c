/* mpack (ludocode's): its node tree, with pages from malloc and in a kept
 * pool, and its writer walking that tree, to a growing and to a kept buffer.
 * The trees also stand beside the CBOR rows, on the same document's
 * MessagePack bytes, since no CBOR library is as fast. */
#include "peers.h"

#include <mpack/mpack.h>
#include <stdlib.h>
#include <string.h>

struct state {
    struct bytes in;
    mpack_tree_t tree;
    bool tree_live;
    mpack_node_data_t *pool;
    size_t pool_count;
    char *out;
    size_t out_len, out_cap;
};

static const char *version(void)
{
    return MPACK_VERSION_STRING;
}

static void *setup(const struct task *task)
{
    struct state *s = calloc(1, sizeof *s);
    if (s != NULL)
        s->in = task->as[SYNTAX_MSGPACK];
    return s;
}

static void release_tree(void *arg)
{
    struct state *s = arg;
    if (s->tree_live)
        mpack_tree_destroy(&s->tree);
    s->tree_live = false;
}

static void teardown(void *arg)
{
    struct state *s = arg;
    release_tree(s);
    free(s->pool);
    MPACK_FREE(s->out);
    free(s);
}

static bool parse(void *arg)
{
    struct state *s = arg;
    if (s->pool != NULL)
        mpack_tree_init_pool(&s->tree, s->in.data, s->in.len, s->pool, s->pool_count);
    else
        mpack_tree_init_data(&s->tree, s->in.data, s->in.len);
    s->tree_live = true;
    mpack_tree_parse(&s->tree);
    return mpack_tree_error(&s->tree) == mpack_ok && mpack_tree_size(&s->tree) == s->in.len;
}

/* One node a value, keys included; a value takes at least one byte. */
static void *setup_pool(const struct task *task)
{
    struct state *s = setup(task);
    if (s == NULL)
        return NULL;
    for (size_t i = 0; i < task->model->count; i++)
        s->pool_count += token_kind_of(&task->model->tokens[i]) != TOKEN_END;
    s->pool = calloc(s->pool_count, sizeof *s->pool);
    if (s->pool == NULL) {
        teardown(s);
        return NULL;
    }
    return s;
}

static bool tell(mpack_node_t node, struct trace *t, unsigned depth)
{
    if (depth > TRACE_MAX_DEPTH)
        return false;
    bool ok = true;
    switch (mpack_node_type(node)) {
    case mpack_type_nil:
        trace_null(t);
        return true;
    case mpack_type_bool:
        trace_bool(t, mpack_node_bool(node));
        return true;
    case mpack_type_int:
        trace_int(t, mpack_node_i64(node));
        return true;
    case mpack_type_uint:
        trace_uint(t, mpack_node_u64(node));
        return true;
    case mpack_type_double:
        trace_real(t, mpack_node_double_strict(node));
        return true;
    case mpack_type_str:
        trace_string(t, mpack_node_str(node), mpack_node_strlen(node));
        return true;
    case mpack_type_array:
        trace_begin_array(t);
        for (size_t i = 0, n = mpack_node_array_length(node); ok && i < n; i++)
            ok = tell(mpack_node_array_at(node, i), t, depth + 1);
        trace_end(t);
        return ok;
    case mpack_type_map:
        trace_begin_map(t);
        for (size_t i = 0, n = mpack_node_map_count(node); ok && i < n; i++)
            ok = tell(mpack_node_map_key_at(node, i), t, depth + 1) &&
                 tell(mpack_node_map_value_at(node, i), t, depth + 1);
        trace_end(t);
        return ok;
    default:
        return false;
    }
}

static bool report(void *arg, struct trace *t)
{
    struct state *s = arg;
    return tell(mpack_tree_root(&s->tree), t, 0);
}

static void *setup_write(const struct task *task)
{
    struct state *s = setup(task);
    if (s != NULL && !parse(s)) {
        teardown(s);
        return NULL;
    }
    return s;
}

static void *setup_buffer(const struct task *task)
{
    struct state *s = setup_write(task);
    if (s == NULL)
        return NULL;
    s->out_cap = s->in.len + 64;
    s->out = MPACK_MALLOC(s->out_cap);
    if (s->out == NULL) {
        teardown(s);
        return NULL;
    }
    return s;
}

static void write_node(mpack_writer_t *w, mpack_node_t node)
{
    switch (mpack_node_type(node)) {
    case mpack_type_nil:
        mpack_write_nil(w);
        break;
    case mpack_type_bool:
        mpack_write_bool(w, mpack_node_bool(node));
        break;
    case mpack_type_int:
        mpack_write_i64(w, mpack_node_i64(node));
        break;
    case mpack_type_uint:
        mpack_write_u64(w, mpack_node_u64(node));
        break;
    case mpack_type_double:
        mpack_write_double(w, mpack_node_double_strict(node));
        break;
    case mpack_type_str:
        mpack_write_str(w, mpack_node_str(node), (uint32_t)mpack_node_strlen(node));
        break;
    case mpack_type_array: {
        size_t n = mpack_node_array_length(node);
        mpack_start_array(w, (uint32_t)n);
        for (size_t i = 0; i < n; i++)
            write_node(w, mpack_node_array_at(node, i));
        mpack_finish_array(w);
        break;
    }
    case mpack_type_map: {
        size_t n = mpack_node_map_count(node);
        mpack_start_map(w, (uint32_t)n);
        for (size_t i = 0; i < n; i++) {
            write_node(w, mpack_node_map_key_at(node, i));
            write_node(w, mpack_node_map_value_at(node, i));
        }
        mpack_finish_map(w);
        break;
    }
    default:
        mpack_writer_flag_error(w, mpack_error_unsupported);
    }
}

static bool write_growing(void *arg)
{
    struct state *s = arg;
    mpack_writer_t w;
    mpack_writer_init_growable(&w, &s->out, &s->out_len);
    write_node(&w, mpack_tree_root(&s->tree));
    return mpack_writer_destroy(&w) == mpack_ok;
}

static bool write_buffer(void *arg)
{
    struct state *s = arg;
    mpack_writer_t w;
    mpack_writer_init(&w, s->out, s->out_cap);
    write_node(&w, mpack_tree_root(&s->tree));
    s->out_len = mpack_writer_buffer_used(&w);
    return mpack_writer_destroy(&w) == mpack_ok;
}

static void release_out(void *arg)
{
    struct state *s = arg;
    MPACK_FREE(s->out);
    s->out = NULL;
}

static struct bytes output(void *arg)
{
    struct state *s = arg;
    return (struct bytes){s->out, s->out_len};
}

#define TREE(op, suffix, setup)                                                                        \
    {                                                                                                  \
        "mpack-tree" suffix, op, 0, SYNTAX_MSGPACK, setup, parse, release_tree, report, NULL, teardown \
    }
#define WRITER(op)                                                                                    \
    {                                                                                                 \
        "mpack-writer", op, 0, SYNTAX_MSGPACK, setup_write, write_growing, release_out, NULL, output, \
            teardown                                                                                  \
    }
#define WRITER_BUFFER(op)                                                                             \
    {                                                                                                 \
        "mpack-writer-buffer", op, 0, SYNTAX_MSGPACK, setup_buffer, write_buffer, NULL, NULL, output, \
            teardown                                                                                  \
    }

const struct peer peer_mpack = {
    "mpack",
    version,
    (const struct engine[]){
        TREE(OP_MSGPACK_PARSE, "", setup),
        TREE(OP_MSGPACK_PARSE, "-pool", setup_pool),
        WRITER(OP_MSGPACK_WRITE),
        WRITER_BUFFER(OP_MSGPACK_WRITE),
        TREE(OP_CBOR_PARSE, "", setup),
        TREE(OP_CBOR_PARSE, "-pool", setup_pool),
        WRITER(OP_CBOR_WRITE),
        WRITER_BUFFER(OP_CBOR_WRITE),
        {.name = NULL},
    },
};
