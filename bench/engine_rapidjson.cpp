/* RapidJSON's Document, with its default flags (which may round a number by
 * one unit in the last place) and with full precision; its Writer into a kept
 * StringBuffer. */
#include "peers.h"

#include <new>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace
{

struct state {
    bytes in;
    rapidjson::Document *doc;
    rapidjson::StringBuffer out;
};

const char *version()
{
    return RAPIDJSON_VERSION_STRING;
}

void *setup(const task *task)
{
    state *s = new (std::nothrow) state;
    if (s != nullptr) {
        s->in = task->as[SYNTAX_JSON];
        s->doc = nullptr;
    }
    return s;
}

void release(void *arg)
{
    state *s = static_cast<state *>(arg);
    delete s->doc;
    s->doc = nullptr;
}

void teardown(void *arg)
{
    release(arg);
    delete static_cast<state *>(arg);
}

template <unsigned Flags>
bool parse(void *arg)
{
    state *s = static_cast<state *>(arg);
    s->doc = new (std::nothrow) rapidjson::Document;
    return s->doc != nullptr && !s->doc->Parse<Flags>(s->in.data, s->in.len).HasParseError();
}

bool tell(const rapidjson::Value &v, trace *t, unsigned depth)
{
    if (depth > TRACE_MAX_DEPTH)
        return false;
    bool ok = true;
    switch (v.GetType()) {
    case rapidjson::kNullType:
        trace_null(t);
        return true;
    case rapidjson::kFalseType:
    case rapidjson::kTrueType:
        trace_bool(t, v.GetBool());
        return true;
    case rapidjson::kNumberType:
        if (v.IsUint64())
            trace_uint(t, v.GetUint64());
        else if (v.IsInt64())
            trace_int(t, v.GetInt64());
        else
            trace_real(t, v.GetDouble());
        return true;
    case rapidjson::kStringType:
        trace_string(t, v.GetString(), v.GetStringLength());
        return true;
    case rapidjson::kArrayType:
        trace_begin_array(t);
        for (const rapidjson::Value &child : v.GetArray())
            ok = ok && tell(child, t, depth + 1);
        trace_end(t);
        return ok;
    case rapidjson::kObjectType:
        trace_begin_map(t);
        for (const auto &member : v.GetObject()) {
            trace_string(t, member.name.GetString(), member.name.GetStringLength());
            ok = ok && tell(member.value, t, depth + 1);
        }
        trace_end(t);
        return ok;
    }
    return false;
}

bool report(void *arg, trace *t)
{
    return tell(*static_cast<state *>(arg)->doc, t, 0);
}

void *setup_write(const task *task)
{
    void *s = setup(task);
    if (s != nullptr && !parse<rapidjson::kParseFullPrecisionFlag>(s)) {
        teardown(s);
        return nullptr;
    }
    return s;
}

bool write(void *arg)
{
    state *s = static_cast<state *>(arg);
    s->out.Clear();
    rapidjson::Writer<rapidjson::StringBuffer> writer(s->out);
    return s->doc->Accept(writer);
}

bytes output(void *arg)
{
    state *s = static_cast<state *>(arg);
    return bytes{s->out.GetString(), s->out.GetSize()};
}

const engine engines[] = {
    {"rapidjson", OP_JSON_PARSE, ENGINE_APPROXIMATE | ENGINE_SLOW, SYNTAX_JSON, setup,
     parse<rapidjson::kParseDefaultFlags>, release, report, nullptr, teardown},
    {"rapidjson-fullprec", OP_JSON_PARSE, ENGINE_SLOW, SYNTAX_JSON, setup,
     parse<rapidjson::kParseFullPrecisionFlag>, release, report, nullptr, teardown},
    {"rapidjson", OP_JSON_WRITE, ENGINE_SLOW, SYNTAX_JSON, setup_write, write, nullptr, nullptr, output,
     teardown},
    {},
};

} // namespace

const peer peer_rapidjson = {"rapidjson", version, engines};
