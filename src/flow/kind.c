/* Names of kinds. */
#include "weir/event.h"

const char *weir_kind_name(weir_kind kind)
{
    static const char *const names[] = {
        "null",   "false", "true",      "unsigned", "signed", "real",   "number",
        "string", "bytes", "timestamp", "array",    "map",    "tagged", "secret",
    };
    switch ((int)kind) {
    case WEIR_KIND_END:
        return "end";
    case WEIR_KIND_END_DOCUMENT:
        return "end of document";
    case WEIR_KIND_END_STREAM:
        return "end of stream";
    default:
        return (size_t)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
    }
}
