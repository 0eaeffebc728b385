/* weir: owned documents in a kept parser's memory ("weir"), one call per
 * document ("weir-fresh"), documents that borrow the input ("weir-borrow"), and
 * without the default limits ("weir-nolimits"). The writer fills a kept buffer. */
#include "peers.h"
#include "usage.h"

#include <stdlib.h>
#include <string.h>
#include <weir/weir.h>

struct state {
    const weir_format *format;
    struct bytes in;
    weir_options options;
    weir_parser *parser;
    weir_doc *fresh;      /* owned here */
    const weir_doc *kept; /* lives in the parser */
    weir_buffer out;
};

static const char *version(void)
{
    return weir_version();
}

static void teardown(void *arg)
{
    struct state *s = arg;
    weir_buffer_free(&s->out);
    weir_parser_free(s->parser);
    weir_doc_free(s->fresh);
    free(s);
}

static const weir_format *format_of(enum syntax syntax)
{
    return syntax == SYNTAX_JSON ? weir_json : syntax == SYNTAX_CBOR ? weir_cbor : weir_msgpack;
}

static void *setup_with(const struct task *task, const weir_options *options)
{
    struct state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->format = format_of(op_syntax(task->op));
    s->in = task->as[op_syntax(task->op)];
    s->options = *options;
    s->parser = weir_parser_new(&s->options, NULL);
    if (s->parser == NULL) {
        teardown(s);
        return NULL;
    }
    return s;
}

static void *setup(const struct task *task)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    return setup_with(task, &options);
}

static void *setup_borrow(const struct task *task)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.flags |= WEIR_BORROW;
    return setup_with(task, &options);
}

static void *setup_nolimits(const struct task *task)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits = weir_unlimited;
    return setup_with(task, &options);
}

/* Each limit exactly at what this document uses, so that none can be dropped. */
static void use_exactly(weir_limits *limits, const struct usage *u)
{
    limits->depth = u->depth;
    limits->nodes = u->nodes;
    limits->items = u->items;
    limits->entries = u->entries;
    limits->key = u->key;
    limits->string = u->string;
    limits->number = u->number;
    limits->payload = u->payload;
}

static void *setup_exact_limits(const struct task *task)
{
    struct bytes json = task->as[SYNTAX_JSON];
    struct usage u = usage_of(task->model, json.data, json.len);
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits = weir_unlimited;
    options.limits.input = json.len;
    use_exactly(&options.limits, &u);
    return setup_with(task, &options);
}

static bool parse(void *arg)
{
    struct state *s = arg;
    s->kept = weir_parser_parse(s->parser, s->format, s->in.data, s->in.len, NULL, NULL);
    return s->kept != NULL;
}

static bool parse_fresh(void *arg)
{
    struct state *s = arg;
    s->fresh = weir_parse(s->format, s->in.data, s->in.len, &s->options, NULL);
    s->kept = s->fresh;
    return s->fresh != NULL;
}

static void release_fresh(void *arg)
{
    struct state *s = arg;
    weir_doc_free(s->fresh);
    s->fresh = NULL;
}

static bool tell_number(const weir_val *val, struct trace *t)
{
    uint64_t u = 0;
    int64_t i = 0;
    double d = 0;
    switch (weir_val_kind(val)) {
    case WEIR_KIND_UINT:
        trace_uint(t, weir_val_u64(val, &u) ? u : 0);
        return true;
    case WEIR_KIND_INT:
        trace_int(t, weir_val_i64(val, &i) ? i : 0);
        return true;
    default:
        trace_real(t, weir_val_f64(val, &d) ? d : 0);
        return true;
    }
}

static bool tell(const weir_val *val, struct trace *t, unsigned depth)
{
    if (depth > TRACE_MAX_DEPTH)
        return false;
    bool ok = true;
    switch (weir_val_kind(val)) {
    case WEIR_KIND_NULL:
        trace_null(t);
        return true;
    case WEIR_KIND_FALSE:
    case WEIR_KIND_TRUE:
        trace_bool(t, weir_val_bool(val));
        return true;
    case WEIR_KIND_UINT:
    case WEIR_KIND_INT:
    case WEIR_KIND_REAL:
        return tell_number(val, t);
    case WEIR_KIND_STRING: {
        size_t len;
        const char *text = weir_val_str(val, &len);
        trace_string(t, text, len);
        return true;
    }
    case WEIR_KIND_ARRAY:
    case WEIR_KIND_MAP: {
        weir_iter it = weir_iter_of(val);
        if (it.map)
            trace_begin_map(t);
        else
            trace_begin_array(t);
        while (ok && weir_iter_next(&it))
            ok = (it.key == NULL || tell(it.key, t, depth + 1)) && tell(it.val, t, depth + 1);
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
    return tell(weir_doc_root(s->kept), t, 0);
}

static void *setup_refuse(const struct task *task)
{
    struct state *s = setup(task);
    if (s != NULL)
        s->in = task->broken;
    return s;
}

static bool refuse(void *arg)
{
    return !parse(arg);
}

static bool each_line(struct state *s, struct trace *t)
{
    const char *p = s->in.data, *end = p + s->in.len;
    while (p < end) {
        const char *feed = memchr(p, '\n', (size_t)(end - p));
        size_t len = (size_t)((feed == NULL ? end : feed) - p);
        const weir_doc *doc = weir_parser_parse(s->parser, s->format, p, len, NULL, NULL);
        if (doc == NULL || (t != NULL && !tell(weir_doc_root(doc), t, 0)))
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

static void *loaded(void *arg)
{
    if (arg != NULL && !parse(arg)) {
        teardown(arg);
        return NULL;
    }
    return arg;
}

static void *setup_write(const struct task *task)
{
    return loaded(setup(task));
}

static void *setup_write_nolimits(const struct task *task)
{
    return loaded(setup_nolimits(task));
}

static bool write(void *arg)
{
    struct state *s = arg;
    weir_buffer_clear(&s->out);
    return weir_write_val(s->format, weir_doc_root(s->kept), &s->options, &s->out, NULL);
}

/* What the document uses in the writer's own layout: its numbers may be longer there than in the input. */
static void *setup_write_exact(const struct task *task)
{
    struct state *s = loaded(setup_nolimits(task));
    if (s == NULL)
        return NULL;
    if (!write(s)) {
        teardown(s);
        return NULL;
    }
    struct usage u = usage_of(task->model, s->out.data, s->out.len);
    use_exactly(&s->options.limits, &u);
    s->options.limits.output = s->out.len;
    return s;
}

static void release_out(void *arg)
{
    struct state *s = arg;
    weir_buffer_free(&s->out);
}

static struct bytes output(void *arg)
{
    struct state *s = arg;
    return (struct bytes){s->out.data, s->out.len};
}

#define PARSE(name, op, syntax, setup)                                  \
    {                                                                   \
        name, op, 0, syntax, setup, parse, NULL, report, NULL, teardown \
    }
#define PARSE_FRESH(op, syntax)                                                                \
    {                                                                                          \
        "weir-fresh", op, 0, syntax, setup, parse_fresh, release_fresh, report, NULL, teardown \
    }
#define WRITE(name, op, syntax, setup)                                  \
    {                                                                   \
        name, op, 0, syntax, setup, write, NULL, NULL, output, teardown \
    }
#define WRITE_FRESH(op, syntax)                                                              \
    {                                                                                        \
        "weir-fresh", op, 0, syntax, setup_write, write, release_out, NULL, output, teardown \
    }

const struct peer peer_weir = {
    "weir",
    version,
    (const struct engine[]){
        PARSE("weir", OP_JSON_PARSE, SYNTAX_JSON, setup),
        PARSE_FRESH(OP_JSON_PARSE, SYNTAX_JSON),
        PARSE("weir-borrow", OP_JSON_PARSE, SYNTAX_JSON, setup_borrow),
        PARSE("weir-nolimits", OP_JSON_PARSE, SYNTAX_JSON, setup_nolimits),
        WRITE("weir", OP_JSON_WRITE, SYNTAX_JSON, setup_write),
        WRITE_FRESH(OP_JSON_WRITE, SYNTAX_JSON),
        WRITE("weir-nolimits", OP_JSON_WRITE, SYNTAX_JSON, setup_write_nolimits),
        PARSE("weir", OP_JSON_PARSE_LIMITS, SYNTAX_JSON, setup_exact_limits),
        PARSE("weir-nolimits", OP_JSON_PARSE_LIMITS, SYNTAX_JSON, setup_nolimits),
        WRITE("weir", OP_JSON_WRITE_LIMITS, SYNTAX_JSON, setup_write_exact),
        WRITE("weir-nolimits", OP_JSON_WRITE_LIMITS, SYNTAX_JSON, setup_write_nolimits),
        {"weir", OP_JSON_REFUSE, 0, SYNTAX_JSON, setup_refuse, refuse, NULL, NULL, NULL, teardown},
        {"weir-accept", OP_JSON_REFUSE, ENGINE_ACCEPTS, SYNTAX_JSON, setup, parse, NULL, report, NULL,
         teardown},
        {"weir", OP_NDJSON_PARSE, 0, SYNTAX_JSON, setup, parse_lines, NULL, report_lines, NULL, teardown},
        PARSE("weir", OP_MSGPACK_PARSE, SYNTAX_MSGPACK, setup_borrow),
        PARSE("weir-owned", OP_MSGPACK_PARSE, SYNTAX_MSGPACK, setup),
        PARSE_FRESH(OP_MSGPACK_PARSE, SYNTAX_MSGPACK),
        WRITE("weir", OP_MSGPACK_WRITE, SYNTAX_MSGPACK, setup_write),
        WRITE_FRESH(OP_MSGPACK_WRITE, SYNTAX_MSGPACK),
        PARSE("weir", OP_CBOR_PARSE, SYNTAX_CBOR, setup_borrow),
        PARSE("weir-owned", OP_CBOR_PARSE, SYNTAX_CBOR, setup),
        PARSE_FRESH(OP_CBOR_PARSE, SYNTAX_CBOR),
        WRITE("weir", OP_CBOR_WRITE, SYNTAX_CBOR, setup_write),
        WRITE_FRESH(OP_CBOR_WRITE, SYNTAX_CBOR),
        {.name = NULL},
    },
};
