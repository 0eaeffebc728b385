/* The table of error codes, and errors as text. */
#include "weir/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "weir/weir.h"

struct code_row {
    weir_code code;
    weir_category category;
    const char *name, *message;
};

static const struct code_row rows[] = {
#define ROW(symbol, number, name, category, message) \
    {WEIR_E_##symbol, WEIR_CATEGORY_##category, name, message},
    WEIR_ERROR_CODES(ROW)
#undef ROW
};

static const struct code_row *find(weir_code code)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].code == code) {
            return &rows[i];
        }
    }
    return NULL;
}

const char *weir_code_name(weir_code code)
{
    const struct code_row *row = find(code);
    return row ? row->name : "unknown";
}

const char *weir_code_message(weir_code code)
{
    const struct code_row *row = find(code);
    return row ? row->message : "unknown error";
}

weir_category weir_code_category(weir_code code)
{
    const struct code_row *row = find(code);
    return row ? row->category : WEIR_CATEGORY_USAGE;
}

static const char *const resource_names[] = {
    "none", "input",  "normalized", "output",  "depth",  "nodes",     "items",     "entries",
    "key",  "string", "number",     "payload", "memory", "documents", "expansion", "expansion-ratio",
};

const char *weir_resource_name(weir_resource resource)
{
    size_t i = (size_t)resource;
    return i < sizeof resource_names / sizeof *resource_names ? resource_names[i] : "none";
}

const char *weir_version(void)
{
#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
    return TEXT(WEIR_VERSION_MAJOR) "." TEXT(WEIR_VERSION_MINOR) "." TEXT(WEIR_VERSION_PATCH);
}

/* snprintf into what is left of out; keeps counting past its end. */
#define PUT(...)                                                                                          \
    do {                                                                                                  \
        int put_ = snprintf(used < size ? out + used : NULL, used < size ? size - used : 0, __VA_ARGS__); \
        used += put_ > 0 ? (size_t)put_ : 0;                                                              \
    } while (0)

size_t weir_error_text(const weir_error *error, char *out, size_t size)
{
    size_t used = 0;
    if (size) {
        out[0] = '\0';
    }
    PUT("%s", weir_code_message(error->code));
    if (error->resource != WEIR_RESOURCE_NONE) {
        PUT(" (%s: maximum %" PRIu64, weir_resource_name(error->resource), error->maximum);
        if (error->remaining != WEIR_UNKNOWN) {
            PUT(", remaining %" PRIu64, error->remaining);
        }
        PUT(", asked for %" PRIu64 ")", error->requested);
    }
    if (error->detail[0]) {
        PUT(": %s", error->detail);
    }
    if (error->system) {
        PUT(": %s", strerror(error->system));
    }
    if (error->line) {
        PUT(" at line %" PRIu64 ", column %" PRIu64, error->line, error->column);
    } else if (error->offset != WEIR_UNKNOWN) {
        PUT(" at offset %" PRIu64, error->offset);
    }
    if (error->path[0]) {
        PUT(" (path %s)", error->path);
    }
    return used;
}

size_t weir_text_columns(const char *text, size_t len)
{
    size_t columns = 0;
    for (size_t i = 0; i < len;) {
        uint32_t scalar;
        int size = utf8_decode(text + i, len - i, &scalar);
        if (size <= 0) {
            columns++;
            i++;
            continue;
        }
        columns = scalar == '\t' ? (columns | 7) + 1 : columns + (size_t)utf8_width(scalar);
        i += (size_t)size;
    }
    return columns;
}
