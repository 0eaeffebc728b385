/* msgpack-c: objects in a zone, and msgpack_pack_object into a growing buffer. */
#include "peers.h"

#include <msgpack.h>
#include <stdlib.h>
#include <string.h>

struct state {
    struct bytes in;
    msgpack_unpacked doc;
    msgpack_sbuffer out;
};

static const char *version(void)
{
    return msgpack_version();
}

static void *setup(const struct task *task)
{
    struct state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->in = task->as[SYNTAX_MSGPACK];
    msgpack_unpacked_init(&s->doc);
    msgpack_sbuffer_init(&s->out);
    return s;
}

static bool parse(void *arg)
{
    struct state *s = arg;
    size_t at = 0;
    return msgpack_unpack_next(&s->doc, s->in.data, s->in.len, &at) == MSGPACK_UNPACK_SUCCESS &&
           at == s->in.len;
}

static void release_doc(void *arg)
{
    struct state *s = arg;
    msgpack_unpacked_destroy(&s->doc);
}

static void release_out(void *arg)
{
    struct state *s = arg;
    msgpack_sbuffer_destroy(&s->out);
    msgpack_sbuffer_init(&s->out);
}

static void teardown(void *arg)
{
    release_doc(arg);
    release_out(arg);
    free(arg);
}

static bool tell(const msgpack_object *o, struct trace *t, unsigned depth)
{
    if (depth > TRACE_MAX_DEPTH)
        return false;
    bool ok = true;
    switch (o->type) {
    case MSGPACK_OBJECT_NIL:
        trace_null(t);
        return true;
    case MSGPACK_OBJECT_BOOLEAN:
        trace_bool(t, o->via.boolean);
        return true;
    case MSGPACK_OBJECT_POSITIVE_INTEGER:
        trace_uint(t, o->via.u64);
        return true;
    case MSGPACK_OBJECT_NEGATIVE_INTEGER:
        trace_int(t, o->via.i64);
        return true;
    case MSGPACK_OBJECT_FLOAT64:
        trace_real(t, o->via.f64);
        return true;
    case MSGPACK_OBJECT_STR:
        trace_string(t, o->via.str.ptr, o->via.str.size);
        return true;
    case MSGPACK_OBJECT_ARRAY:
        trace_begin_array(t);
        for (size_t i = 0; ok && i < o->via.array.size; i++)
            ok = tell(&o->via.array.ptr[i], t, depth + 1);
        trace_end(t);
        return ok;
    case MSGPACK_OBJECT_MAP:
        trace_begin_map(t);
        for (size_t i = 0; ok && i < o->via.map.size; i++)
            ok = tell(&o->via.map.ptr[i].key, t, depth + 1) && tell(&o->via.map.ptr[i].val, t, depth + 1);
        trace_end(t);
        return ok;
    default:
        return false;
    }
}

static bool report(void *arg, struct trace *t)
{
    struct state *s = arg;
    return tell(&s->doc.data, t, 0);
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

static bool write(void *arg)
{
    struct state *s = arg;
    msgpack_packer packer;
    msgpack_packer_init(&packer, &s->out, msgpack_sbuffer_write);
    return msgpack_pack_object(&packer, s->doc.data) == 0;
}

static struct bytes output(void *arg)
{
    struct state *s = arg;
    return (struct bytes){s->out.data, s->out.size};
}

const struct peer peer_msgpack_c = {
    "msgpack-c",
    version,
    (const struct engine[]){
        {"msgpack-c", OP_MSGPACK_PARSE, 0, SYNTAX_MSGPACK, setup, parse, release_doc, report, NULL, teardown},
        {"msgpack-c", OP_MSGPACK_WRITE, 0, SYNTAX_MSGPACK, setup_write, write, release_out, NULL, output,
         teardown},
        {.name = NULL},
    },
};
