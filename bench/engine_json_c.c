/* json-c: a tokener for each document, and the plain printer. A document keeps
 * the buffer of its last printing, but prints the whole tree again when asked;
 * reals keep and give back their source text. */
#include "peers.h"

#include <json-c/json.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct state {
    struct bytes in;
    struct json_object *doc;
    struct bytes out;
};

static const char *version(void)
{
    return json_c_version();
}

static void *setup(const struct task *task)
{
    struct state *s = task->as[SYNTAX_JSON].len > INT_MAX ? NULL : calloc(1, sizeof *s);
    if (s != NULL)
        s->in = task->as[SYNTAX_JSON];
    return s;
}

static bool parse(void *arg)
{
    struct state *s = arg;
    struct json_tokener *tokener = json_tokener_new();
    if (tokener == NULL)
        return false;
    s->doc = json_tokener_parse_ex(tokener, s->in.data, (int)s->in.len);
    bool ok = json_tokener_get_error(tokener) == json_tokener_success;
    json_tokener_free(tokener);
    return ok;
}

static void release(void *arg)
{
    struct state *s = arg;
    json_object_put(s->doc);
    s->doc = NULL;
}

static void teardown(void *arg)
{
    release(arg);
    free(arg);
}

static bool tell(struct json_object *val, struct trace *t, unsigned depth)
{
    if (depth > TRACE_MAX_DEPTH)
        return false;
    bool ok = true;
    switch (json_object_get_type(val)) {
    case json_type_null:
        trace_null(t);
        return true;
    case json_type_boolean:
        trace_bool(t, json_object_get_boolean(val));
        return true;
    case json_type_int:
        if (json_object_get_int64(val) < 0)
            trace_int(t, json_object_get_int64(val));
        else
            trace_uint(t, json_object_get_uint64(val));
        return true;
    case json_type_double:
        trace_real(t, json_object_get_double(val));
        return true;
    case json_type_string:
        trace_string(t, json_object_get_string(val), (size_t)json_object_get_string_len(val));
        return true;
    case json_type_array:
        trace_begin_array(t);
        for (size_t i = 0; ok && i < json_object_array_length(val); i++)
            ok = tell(json_object_array_get_idx(val, i), t, depth + 1);
        trace_end(t);
        return ok;
    case json_type_object:
        trace_begin_map(t);
        for (struct lh_entry *e = json_object_get_object(val)->head; ok && e != NULL; e = e->next) {
            trace_string(t, e->k, strlen(e->k));
            ok = tell((struct json_object *)(uintptr_t)e->v, t, depth + 1);
        }
        trace_end(t);
        return ok;
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
    s->out.data = json_object_to_json_string_length(
        s->doc, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &s->out.len);
    return s->out.data != NULL;
}

static struct bytes output(void *arg)
{
    struct state *s = arg;
    return s->out;
}

const struct peer peer_json_c = {
    "json-c",
    version,
    (const struct engine[]){
        {"json-c", OP_JSON_PARSE, ENGINE_SLOW, SYNTAX_JSON, setup, parse, release, report, NULL, teardown},
        {"json-c", OP_JSON_WRITE, ENGINE_SLOW, SYNTAX_JSON, setup_write, write, NULL, NULL, output, teardown},
        {.name = NULL},
    },
};
