/* Jansson: json_loadb and json_dumps, as a program uses them. */
#include "peers.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct state {
    struct bytes in;
    json_t *doc;
    char *out;
};

static const char *version(void)
{
    return JANSSON_VERSION;
}

static void *setup(const struct task *task)
{
    struct state *s = calloc(1, sizeof *s);
    if (s != NULL)
        s->in = task->as[SYNTAX_JSON];
    return s;
}

static bool parse(void *arg)
{
    struct state *s = arg;
    s->doc = json_loadb(s->in.data, s->in.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    return s->doc != NULL;
}

static void release_doc(void *arg)
{
    struct state *s = arg;
    json_decref(s->doc);
    s->doc = NULL;
}

static void release_out(void *arg)
{
    struct state *s = arg;
    free(s->out);
    s->out = NULL;
}

static void teardown(void *arg)
{
    release_out(arg);
    release_doc(arg);
    free(arg);
}

static bool tell(const json_t *val, struct trace *t, unsigned depth)
{
    if (depth > TRACE_MAX_DEPTH)
        return false;
    bool ok = true;
    switch (json_typeof(val)) {
    case JSON_NULL:
        trace_null(t);
        return true;
    case JSON_FALSE:
    case JSON_TRUE:
        trace_bool(t, json_is_true(val));
        return true;
    case JSON_INTEGER:
        trace_int(t, json_integer_value(val));
        return true;
    case JSON_REAL:
        trace_real(t, json_real_value(val));
        return true;
    case JSON_STRING:
        trace_string(t, json_string_value(val), json_string_length(val));
        return true;
    case JSON_ARRAY:
        trace_begin_array(t);
        for (size_t i = 0; ok && i < json_array_size(val); i++)
            ok = tell(json_array_get(val, i), t, depth + 1);
        trace_end(t);
        return ok;
    case JSON_OBJECT: {
        json_t *object = (json_t *)(uintptr_t)val; /* the iterator's signature is not const */
        trace_begin_map(t);
        for (void *it = json_object_iter(object); ok && it != NULL; it = json_object_iter_next(object, it)) {
            const char *key = json_object_iter_key(it);
            trace_string(t, key, strlen(key));
            ok = tell(json_object_iter_value(it), t, depth + 1);
        }
        trace_end(t);
        return ok;
    }
    }
    return false;
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
    s->out = json_dumps(s->doc, JSON_COMPACT | JSON_ENCODE_ANY);
    return s->out != NULL;
}

static struct bytes output(void *arg)
{
    struct state *s = arg;
    return (struct bytes){s->out, strlen(s->out)};
}

const struct peer peer_jansson = {
    "jansson",
    version,
    (const struct engine[]){
        {"jansson", OP_JSON_PARSE, ENGINE_SLOW, SYNTAX_JSON, setup, parse, release_doc, report, NULL,
         teardown},
        {"jansson", OP_JSON_WRITE, ENGINE_SLOW, SYNTAX_JSON, setup_write, write, release_out, NULL, output,
         teardown},
        {.name = NULL},
    },
};
