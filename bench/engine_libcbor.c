/* libcbor: cbor_load to items, and cbor_serialize_alloc. */
#include "peers.h"

#include <cbor.h>
#include <stdlib.h>
#include <string.h>

struct state {
    struct bytes in;
    cbor_item_t *doc;
    unsigned char *out;
    size_t out_len;
};

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

static const char *version(void)
{
    return TEXT(CBOR_MAJOR_VERSION) "." TEXT(CBOR_MINOR_VERSION) "." TEXT(CBOR_PATCH_VERSION);
}

static void *setup(const struct task *task)
{
    struct state *s = calloc(1, sizeof *s);
    if (s != NULL)
        s->in = task->as[SYNTAX_CBOR];
    return s;
}

static bool parse(void *arg)
{
    struct state *s = arg;
    struct cbor_load_result result;
    s->doc = cbor_load((cbor_data)(const void *)s->in.data, s->in.len, &result);
    return s->doc != NULL && result.read == s->in.len;
}

static void release_doc(void *arg)
{
    struct state *s = arg;
    if (s->doc != NULL)
        cbor_decref(&s->doc);
}

static void release_out(void *arg)
{
    struct state *s = arg;
    free(s->out);
    s->out = NULL;
}

static void teardown(void *arg)
{
    release_doc(arg);
    release_out(arg);
    free(arg);
}

static bool tell_simple(cbor_item_t *item, struct trace *t)
{
    if (!cbor_float_ctrl_is_ctrl(item))
        trace_real(t, cbor_float_get_float(item));
    else if (cbor_is_bool(item))
        trace_bool(t, cbor_get_bool(item));
    else if (cbor_is_null(item))
        trace_null(t);
    else
        return false;
    return true;
}

static bool tell(cbor_item_t *item, struct trace *t, unsigned depth)
{
    if (depth > TRACE_MAX_DEPTH)
        return false;
    bool ok = true;
    switch (cbor_typeof(item)) {
    case CBOR_TYPE_UINT:
        trace_uint(t, cbor_get_int(item));
        return true;
    case CBOR_TYPE_NEGINT:
        trace_int(t, -1 - (int64_t)cbor_get_int(item));
        return cbor_get_int(item) <= INT64_MAX;
    case CBOR_TYPE_FLOAT_CTRL:
        return tell_simple(item, t);
    case CBOR_TYPE_STRING:
        trace_string(t, (const char *)cbor_string_handle(item), cbor_string_length(item));
        return true;
    case CBOR_TYPE_ARRAY:
        trace_begin_array(t);
        for (size_t i = 0; ok && i < cbor_array_size(item); i++)
            ok = tell(cbor_array_handle(item)[i], t, depth + 1);
        trace_end(t);
        return ok;
    case CBOR_TYPE_MAP:
        trace_begin_map(t);
        for (size_t i = 0; ok && i < cbor_map_size(item); i++)
            ok = tell(cbor_map_handle(item)[i].key, t, depth + 1) &&
                 tell(cbor_map_handle(item)[i].value, t, depth + 1);
        trace_end(t);
        return ok;
    default:
        return false;
    }
}

static bool report(void *arg, struct trace *t)
{
    struct state *s = arg;
    return tell(s->doc, t, 0);
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
    size_t cap = 0;
    s->out_len = cbor_serialize_alloc(s->doc, &s->out, &cap);
    return s->out_len != 0;
}

static struct bytes output(void *arg)
{
    struct state *s = arg;
    return (struct bytes){(const char *)s->out, s->out_len};
}

const struct peer peer_libcbor = {
    "libcbor",
    version,
    (const struct engine[]){
        {"libcbor", OP_CBOR_PARSE, 0, SYNTAX_CBOR, setup, parse, release_doc, report, NULL, teardown},
        {"libcbor", OP_CBOR_WRITE, 0, SYNTAX_CBOR, setup_write, write, release_out, NULL, output, teardown},
        {.name = NULL},
    },
};
