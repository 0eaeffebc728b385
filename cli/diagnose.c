/* Diagnostics for people and programs: FILE:LINE:COLUMN: error: MESSAGE [CODE], the line with a caret, a hint. */
#include "cli.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* The excerpt shows this many bytes on either side of the fault at most. */
#define AROUND ((size_t)60)

static const char *paint(const struct cli *cli, const char *code)
{
    return cli->color_on ? code : "";
}

/* A string of a JSON diagnostic. Everything that isn't plain ASCII is escaped, so that any file name can be shown. */
static void put_json_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '"' || *p == '\\') {
            fprintf(out, "\\%c", *p);
        } else if (*p < 0x20) {
            fprintf(out, "\\u%04x", *p);
        } else {
            fputc(*p, out);
        }
    }
    fputc('"', out);
}

static void put_line(const struct cli *cli, const char *name, const char *message)
{
    if (cli->json_errors) {
        fputs("{\"file\":", stderr);
        put_json_string(stderr, name ? name : "");
        fputs(",\"line\":0,\"column\":0,\"offset\":0,\"code\":\"command\",\"message\":", stderr);
        put_json_string(stderr, message);
        fputs(",\"path\":\"\"}\n", stderr);
        return;
    }
    fprintf(stderr, "%s%s: %serror:%s %s\n", paint(cli, "\033[1m"), name ? name : "weir", paint(cli, "\033[31m"),
            paint(cli, "\033[0m"), message);
}

enum exit_code complain(const struct cli *cli, enum exit_code code, const char *format, ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    put_line(cli, NULL, message);
    return code;
}

enum exit_code complain_file(const struct cli *cli, const char *name, int system, const char *what)
{
    char message[512];
    snprintf(message, sizeof message, "%s%s%s", what, system ? ": " : "", system ? strerror(system) : "");
    put_line(cli, name, message);
    return EXIT_IO;
}

/* ---- hints for usual mistakes ---- */

static const char *loss_hint(weir_code code)
{
    switch ((int)code) {
    case WEIR_E_LOSS_BYTES:
        return "--allow bytes writes it as base64 text";
    case WEIR_E_LOSS_TIMESTAMP:
        return "--allow timestamp writes it as RFC 3339 text";
    case WEIR_E_LOSS_NONFINITE:
        return "--allow nonfinite writes null instead";
    case WEIR_E_LOSS_KEY:
        return "--allow key writes scalar keys as their text";
    case WEIR_E_LOSS_BIGINT:
        return "--allow bigint writes it as a string of its digits";
    case WEIR_E_LOSS_TAG:
        return "--allow tag writes the value without its tag";
    case WEIR_E_LOSS_NULL:
        return "--allow null leaves it out";
    case WEIR_E_LOSS_COMMENT:
        return "--allow comments drops them";
    case WEIR_E_LOSS_DUPLICATE:
        return "--duplicates first or last keeps one of them";
    default:
        return NULL;
    }
}

static void put_hint(const struct cli *cli, const weir_error *error)
{
    const char *hint = loss_hint(error->code);
    char text[128];
    if (error->resource != WEIR_RESOURCE_NONE) {
        snprintf(text, sizeof text, "--limits %s=N raises this limit", weir_resource_name(error->resource));
        hint = text;
    }
    switch ((int)error->code) {
    case WEIR_E_JSON_BYTE_ORDER_MARK:
        hint = "--allow bom skips it";
        break;
    case WEIR_E_JSON_TRAILING:
        hint = "--multi reads one document after the other; --from ndjson reads one a line";
        break;
    case WEIR_E_JSON_INTEGER_RANGE:
    case WEIR_E_JSON_FLOAT_RANGE:
    case WEIR_E_CBOR_INTEGER_RANGE:
        hint = "--numbers exact keeps it as it is written";
        break;
    case WEIR_E_PROTOCOL_ROOTS:
        hint = "the output format holds one document: choose one that streams, such as --to ndjson, or -o DIR/";
        break;
    default:
        break;
    }
    if (hint) {
        fprintf(stderr, "  %shint:%s %s\n", paint(cli, "\033[36m"), paint(cli, "\033[0m"), hint);
    }
}

/* ---- the line with the caret ---- */

static void put_visible(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        fputc((c < 0x20 && c != '\t') || c == 0x7F ? '?' : c, stderr);
    }
}

static void put_excerpt(const struct cli *cli, const weir_error *error, const struct excerpt *excerpt)
{
    if (!excerpt || !excerpt->text || error->offset < excerpt->base || error->offset > excerpt->base + excerpt->len) {
        return;
    }
    size_t at = (size_t)(error->offset - excerpt->base), from = at, to = at;
    const char *text = excerpt->text;
    while (from > 0 && at - from < AROUND && text[from - 1] != '\n' && text[from - 1] != '\r') {
        from--;
    }
    while (to < excerpt->len && to - at < AROUND && text[to] != '\n' && text[to] != '\r') {
        to++;
    }
    /* Not in the middle of a character. */
    while (from < at && ((unsigned char)text[from] & 0xC0) == 0x80) {
        from++;
    }
    while (to > at && to < excerpt->len && ((unsigned char)text[to] & 0xC0) == 0x80) {
        to--;
    }
    if (from == to) {
        return;
    }
    fputs("  ", stderr);
    put_visible(text + from, to - from);
    fputs("\n  ", stderr);
    for (size_t i = from; i < at;) {
        size_t next = i + 1;
        while (next < at && ((unsigned char)text[next] & 0xC0) == 0x80) {
            next++;
        }
        if (text[i] == '\t') {
            fputc('\t', stderr);
        } else {
            for (size_t n = weir_text_columns(text + i, next - i); n > 0; n--) {
                fputc(' ', stderr);
            }
        }
        i = next;
    }
    fprintf(stderr, "%s^%s\n", paint(cli, "\033[32m"), paint(cli, "\033[0m"));
}

/* ---- the whole diagnostic ---- */

static void put_message(char *out, size_t size, const weir_error *error)
{
    /* The place and the path stand elsewhere. */
    weir_error bare = *error;
    bare.line = bare.column = 0;
    bare.offset = WEIR_UNKNOWN;
    bare.path[0] = '\0';
    weir_error_text(&bare, out, size);
}

static void put_json(const char *name, const weir_error *error, const char *message)
{
    fputs("{\"file\":", stderr);
    put_json_string(stderr, name);
    fprintf(stderr, ",\"line\":%" PRIu64 ",\"column\":%" PRIu64 ",\"offset\":%" PRIu64 ",\"code\":\"%s\",\"message\":",
            error->line, error->column, error->offset == WEIR_UNKNOWN ? 0 : error->offset, weir_code_name(error->code));
    put_json_string(stderr, message);
    fputs(",\"path\":", stderr);
    put_json_string(stderr, error->path);
    fputs("}\n", stderr);
}

enum exit_code diagnose(const struct cli *cli, const char *name, const weir_format *format, const weir_error *error,
                        const struct excerpt *excerpt)
{
    weir_category category = weir_code_category(error->code);
    enum exit_code code = category == WEIR_CATEGORY_IO || category == WEIR_CATEGORY_MEMORY ? EXIT_IO : EXIT_INVALID;
    char message[512], place[64] = "";
    put_message(message, sizeof message, error);
    if (cli->json_errors) {
        put_json(name, error, message);
        return code;
    }
    if (error->line) {
        snprintf(place, sizeof place, ":%" PRIu64 ":%" PRIu64, error->line, error->column);
    }
    fprintf(stderr, "%s%s%s: %serror:%s %s", paint(cli, "\033[1m"), name, place, paint(cli, "\033[31m"),
            paint(cli, "\033[0m"), message);
    bool placed = category != WEIR_CATEGORY_LOSS && category != WEIR_CATEGORY_IO && error->offset != WEIR_UNKNOWN;
    if (!error->line && placed) {
        fprintf(stderr, " at offset %" PRIu64, error->offset);
    }
    if (error->path[0]) {
        fprintf(stderr, " in %s", error->path);
    }
    fprintf(stderr, " [%s]\n", weir_code_name(error->code));
    if ((cli->options.flags & WEIR_DETAIL) && format && (weir_format_caps(format) & WEIR_CAP_TEXT) && error->line) {
        put_excerpt(cli, error, excerpt);
    }
    put_hint(cli, error);
    return code;
}
