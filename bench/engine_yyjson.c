/* yyjson: immutable documents, fresh from malloc or in a reused pool; the
 * writer to a fresh buffer or into a reused one. */
#include "peers.h"

#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

struct state {
    struct bytes in;
    yyjson_doc *doc;
    yyjson_alc pool; /* used when pool_memory is there */
    void *pool_memory;
    char *out;
    size_t out_len, out_cap;
};

static const char *version(void)
{
    return YYJSON_VERSION_STRING;
}

static void teardown(void *arg)
{
    struct state *s = arg;
    yyjson_doc_free(s->doc);
    free(s->pool_memory);
    free(s->out);
    free(s);
}

static void *setup_parse(const struct task *task)
{
    struct state *s = calloc(1, sizeof *s);
    if (s != NULL)
        s->in = task->as[SYNTAX_JSON];
    return s;
}

static void *setup_pool(const struct task *task)
{
    struct state *s = setup_parse(task);
    if (s == NULL)
        return NULL;
    size_t size = yyjson_read_max_memory_usage(s->in.len, 0);
    s->pool_memory = malloc(size);
    if (s->pool_memory == NULL || !yyjson_alc_pool_init(&s->pool, s->pool_memory, size)) {
        teardown(s);
        return NULL;
    }
    return s;
}

static bool parse(void *arg)
{
    struct state *s = arg;
    s->doc = yyjson_read(s->in.data, s->in.len, 0);
    return s->doc != NULL;
}

static bool parse_pool(void *arg)
{
    struct state *s = arg;
    /* Without YYJSON_READ_INSITU the text is only read. */
    s->doc = yyjson_read_opts((char *)(uintptr_t)s->in.data, s->in.len, 0, &s->pool, NULL);
    return s->doc != NULL;
}

static void release_doc(void *arg)
{
    struct state *s = arg;
    yyjson_doc_free(s->doc);
    s->doc = NULL;
}

static bool tell(yyjson_val *val, struct trace *t, unsigned depth)
{
    if (depth > TRACE_MAX_DEPTH)
        return false;
    bool ok = true;
    switch (yyjson_get_type(val)) {
    case YYJSON_TYPE_NULL:
        trace_null(t);
        return true;
    case YYJSON_TYPE_BOOL:
        trace_bool(t, yyjson_get_bool(val));
        return true;
    case YYJSON_TYPE_NUM:
        if (yyjson_is_uint(val))
            trace_uint(t, yyjson_get_uint(val));
        else if (yyjson_is_sint(val))
            trace_int(t, yyjson_get_sint(val));
        else
            trace_real(t, yyjson_get_real(val));
        return true;
    case YYJSON_TYPE_STR:
        trace_string(t, yyjson_get_str(val), yyjson_get_len(val));
        return true;
    case YYJSON_TYPE_ARR: {
        yyjson_arr_iter it = yyjson_arr_iter_with(val);
        trace_begin_array(t);
        while (ok && (val = yyjson_arr_iter_next(&it)) != NULL)
            ok = tell(val, t, depth + 1);
        trace_end(t);
        return ok;
    }
    case YYJSON_TYPE_OBJ: {
        yyjson_obj_iter it = yyjson_obj_iter_with(val);
        trace_begin_map(t);
        while (ok && (val = yyjson_obj_iter_next(&it)) != NULL) {
            trace_string(t, yyjson_get_str(val), yyjson_get_len(val));
            ok = tell(yyjson_obj_iter_get_val(val), t, depth + 1);
        }
        trace_end(t);
        return ok;
    }
    default:
        return false;
    }
}

static bool report(void *arg, struct trace *t)
{
    struct state *s = arg;
    return tell(yyjson_doc_get_root(s->doc), t, 0);
}

static bool refuse(void *arg)
{
    return !parse(arg);
}

static void *setup_refuse(const struct task *task)
{
    struct state *s = setup_parse(task);
    if (s != NULL)
        s->in = task->broken;
    return s;
}

/* Every line's document is made and freed in turn; the report reads them again. Lines are cut beforehand,
 * since yyjson takes memory in proportion to all of the text that it is given. */
static bool each_line(struct state *s, struct trace *t)
{
    const yyjson_alc *alc = s->pool_memory == NULL ? NULL : &s->pool;
    const char *p = s->in.data, *end = p + s->in.len;
    while (p < end) {
        const char *feed = memchr(p, '\n', (size_t)(end - p));
        size_t len = (size_t)((feed == NULL ? end : feed) - p);
        yyjson_doc *doc = yyjson_read_opts((char *)(uintptr_t)p, len, 0, alc, NULL);
        bool ok = doc != NULL && (t == NULL || tell(yyjson_doc_get_root(doc), t, 0));
        yyjson_doc_free(doc);
        if (!ok)
            return false;
        p += len + 1;
    }
    return true;
}

static bool parse_lines(void *arg)
{
    return each_line(arg, NULL);
}

static bool report_lines(void *arg, struct trace *t)
{
    trace_begin_array(t);
    bool ok = each_line(arg, t);
    trace_end(t);
    return ok;
}

static void *setup_write(const struct task *task)
{
    struct state *s = setup_parse(task);
    if (s != NULL && !parse(s)) {
        teardown(s);
        return NULL;
    }
    return s;
}

static bool write_fresh(void *arg)
{
    struct state *s = arg;
    s->out = yyjson_write(s->doc, 0, &s->out_len);
    return s->out != NULL;
}

static void release_out(void *arg)
{
    struct state *s = arg;
    free(s->out);
    s->out = NULL;
}

/* yyjson reserves room as if every byte of a string were escaped, six for one. */
static void *setup_buffer(const struct task *task)
{
    struct state *s = setup_write(task);
    if (s == NULL)
        return NULL;
    s->out_cap = task->as[SYNTAX_JSON].len * 6 + 4096;
    s->out = malloc(s->out_cap);
    if (s->out == NULL) {
        teardown(s);
        return NULL;
    }
    return s;
}

static bool write_buffer(void *arg)
{
    struct state *s = arg;
    s->out_len = yyjson_write_buf(s->out, s->out_cap, s->doc, 0, NULL);
    return s->out_len != 0;
}

static struct bytes output(void *arg)
{
    struct state *s = arg;
    return (struct bytes){s->out, s->out_len};
}

const struct peer peer_yyjson = {
    "yyjson",
    version,
    (const struct engine[]){
        {"yyjson", OP_JSON_PARSE, 0, SYNTAX_JSON, setup_parse, parse, release_doc, report, NULL, teardown},
        {"yyjson-pool", OP_JSON_PARSE, 0, SYNTAX_JSON, setup_pool, parse_pool, release_doc, report, NULL,
         teardown},
        {"yyjson", OP_JSON_WRITE, 0, SYNTAX_JSON, setup_write, write_fresh, release_out, NULL, output,
         teardown},
        {"yyjson-buffer", OP_JSON_WRITE, 0, SYNTAX_JSON, setup_buffer, write_buffer, NULL, NULL, output,
         teardown},
        {"yyjson", OP_JSON_REFUSE, 0, SYNTAX_JSON, setup_refuse, refuse, NULL, NULL, NULL, teardown},
        {"yyjson-accept", OP_JSON_REFUSE, ENGINE_ACCEPTS, SYNTAX_JSON, setup_parse, parse, release_doc,
         report, NULL, teardown},
        {"yyjson", OP_NDJSON_PARSE, 0, SYNTAX_JSON, setup_parse, parse_lines, NULL, report_lines, NULL,
         teardown},
        {"yyjson-pool", OP_NDJSON_PARSE, 0, SYNTAX_JSON, setup_pool, parse_lines, NULL, report_lines, NULL,
         teardown},
        {.name = NULL},
    },
};
