/* cJSON: every number is a double, which loses integers beyond 2^53; it is
 * compared with that in mind. */
#include "peers.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

struct state {
    struct bytes in;
    cJSON *doc;
    char *out;
};

static const char *version(void)
{
    return cJSON_Version();
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
    s->doc = cJSON_ParseWithLength(s->in.data, s->in.len);
    return s->doc != NULL;
}

static void release_doc(void *arg)
{
    struct state *s = arg;
    cJSON_Delete(s->doc);
    s->doc = NULL;
}

static void release_out(void *arg)
{
    struct state *s = arg;
    cJSON_free(s->out);
    s->out = NULL;
}

static void teardown(void *arg)
{
    release_out(arg);
    release_doc(arg);
    free(arg);
}

static bool tell(const cJSON *val, struct trace *t, unsigned depth)
{
    if (depth > TRACE_MAX_DEPTH)
        return false;
    bool ok = true;
    switch (val->type & 0xff) {
    case cJSON_NULL:
        trace_null(t);
        return true;
    case cJSON_False:
    case cJSON_True:
        trace_bool(t, cJSON_IsTrue(val));
        return true;
    case cJSON_Number:
        trace_real(t, val->valuedouble);
        return true;
    case cJSON_String:
        trace_string(t, val->valuestring, strlen(val->valuestring));
        return true;
    case cJSON_Array:
    case cJSON_Object:
        if (cJSON_IsObject(val))
            trace_begin_map(t);
        else
            trace_begin_array(t);
        for (const cJSON *child = val->child; ok && child != NULL; child = child->next) {
            if (cJSON_IsObject(val))
                trace_string(t, child->string, strlen(child->string));
            ok = tell(child, t, depth + 1);
        }
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
    s->out = cJSON_PrintUnformatted(s->doc);
    return s->out != NULL;
}

static struct bytes output(void *arg)
{
    struct state *s = arg;
    return (struct bytes){s->out, strlen(s->out)};
}

const struct peer peer_cjson = {
    "cjson",
    version,
    (const struct engine[]){
        {"cjson", OP_JSON_PARSE, ENGINE_SLOW | ENGINE_APPROXIMATE, SYNTAX_JSON, setup, parse, release_doc,
         report, NULL, teardown},
        {"cjson", OP_JSON_WRITE, ENGINE_SLOW | ENGINE_APPROXIMATE, SYNTAX_JSON, setup_write, write,
         release_out, NULL, output, teardown},
        {.name = NULL},
    },
};
