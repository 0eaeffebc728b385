/* simdjson's DOM, with one parser kept (as its documentation advises) and with
 * a parser for each document; its minifier, whose builder is kept but grows
 * anew after each clear(). The input has padding already, so it is not copied. */
#include "peers.h"

#include <new>
#include <simdjson.h>
#include <string>

namespace
{

static_assert(BENCH_PADDING >= simdjson::SIMDJSON_PADDING, "simdjson reads further than the padding");

struct state {
    bytes in;
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    simdjson::internal::string_builder<> out;
};

const char *version()
{
    static const std::string text =
        std::string(SIMDJSON_VERSION) + " (" + simdjson::get_active_implementation()->name() + ")";
    return text.c_str();
}

void *setup(const task *task)
{
    state *s = new (std::nothrow) state;
    if (s != nullptr)
        s->in = task->as[SYNTAX_JSON];
    return s;
}

void *setup_refuse(const task *task)
{
    state *s = static_cast<state *>(setup(task));
    if (s != nullptr)
        s->in = task->broken;
    return s;
}

void teardown(void *arg)
{
    delete static_cast<state *>(arg);
}

bool parse(void *arg)
{
    state *s = static_cast<state *>(arg);
    return s->parser.parse(s->in.data, s->in.len, false).get(s->root) == simdjson::SUCCESS;
}

bool refuse(void *arg)
{
    return !parse(arg);
}

bool parse_fresh(void *arg)
{
    state *s = static_cast<state *>(arg);
    new (&s->parser) simdjson::dom::parser;
    return parse(s);
}

void release_parser(void *arg)
{
    static_cast<state *>(arg)->parser.~parser();
}

/* Between runs the fresh engine's state holds no live parser. */
void *setup_fresh(const task *task)
{
    state *s = static_cast<state *>(setup(task));
    if (s != nullptr)
        release_parser(s);
    return s;
}

void teardown_fresh(void *arg)
{
    new (&static_cast<state *>(arg)->parser) simdjson::dom::parser;
    teardown(arg);
}

bool tell(simdjson::dom::element e, trace *t, unsigned depth)
{
    using simdjson::dom::element_type;
    if (depth > TRACE_MAX_DEPTH)
        return false;
    switch (e.type()) {
    case element_type::NULL_VALUE:
        trace_null(t);
        return true;
    case element_type::BOOL:
        trace_bool(t, bool(e));
        return true;
    case element_type::UINT64:
        trace_uint(t, uint64_t(e));
        return true;
    case element_type::INT64:
        trace_int(t, int64_t(e));
        return true;
    case element_type::DOUBLE:
        trace_real(t, double(e));
        return true;
    case element_type::STRING: {
        std::string_view text = e;
        trace_string(t, text.data(), text.size());
        return true;
    }
    case element_type::ARRAY: {
        bool ok = true;
        trace_begin_array(t);
        for (simdjson::dom::element child : simdjson::dom::array(e))
            ok = ok && tell(child, t, depth + 1);
        trace_end(t);
        return ok;
    }
    case element_type::OBJECT: {
        bool ok = true;
        trace_begin_map(t);
        for (simdjson::dom::key_value_pair pair : simdjson::dom::object(e)) {
            trace_string(t, pair.key.data(), pair.key.size());
            ok = ok && tell(pair.value, t, depth + 1);
        }
        trace_end(t);
        return ok;
    }
    default:
        return false;
    }
}

bool report(void *arg, trace *t)
{
    return tell(static_cast<state *>(arg)->root, t, 0);
}

/* All documents of the text, one after the other, in the parser's own memory. */
bool each_line(state *s, trace *t)
{
    simdjson::dom::document_stream stream;
    if (s->parser.parse_many(reinterpret_cast<const uint8_t *>(s->in.data), s->in.len).get(stream) !=
        simdjson::SUCCESS)
        return false;
    for (auto doc : stream) {
        simdjson::dom::element root;
        if (doc.get(root) != simdjson::SUCCESS || (t != nullptr && !tell(root, t, 0)))
            return false;
    }
    return stream.truncated_bytes() == 0;
}

bool parse_lines(void *arg)
{
    return each_line(static_cast<state *>(arg), nullptr);
}

bool report_lines(void *arg, trace *t)
{
    trace_begin_array(t);
    bool ok = each_line(static_cast<state *>(arg), t);
    trace_end(t);
    return ok;
}

void *setup_write(const task *task)
{
    void *s = setup(task);
    if (s != nullptr && !parse(s)) {
        teardown(s);
        return nullptr;
    }
    return s;
}

bool write(void *arg)
{
    state *s = static_cast<state *>(arg);
    s->out.clear();
    s->out.append(s->root);
    return s->out.str().size() != 0;
}

bytes output(void *arg)
{
    std::string_view text = static_cast<state *>(arg)->out.str();
    return bytes{text.data(), text.size()};
}

const engine engines[] = {
    {"simdjson-dom", OP_JSON_PARSE, 0, SYNTAX_JSON, setup, parse, nullptr, report, nullptr, teardown},
    {"simdjson-dom-fresh", OP_JSON_PARSE, 0, SYNTAX_JSON, setup_fresh, parse_fresh, release_parser, report,
     nullptr, teardown_fresh},
    {"simdjson-dom", OP_JSON_WRITE, 0, SYNTAX_JSON, setup_write, write, nullptr, nullptr, output, teardown},
    {"simdjson-dom", OP_JSON_REFUSE, 0, SYNTAX_JSON, setup_refuse, refuse, nullptr, nullptr, nullptr,
     teardown},
    {"simdjson-dom", OP_NDJSON_PARSE, 0, SYNTAX_JSON, setup, parse_lines, nullptr, report_lines, nullptr,
     teardown},
    {},
};

} // namespace

const peer peer_simdjson = {"simdjson", version, engines};
