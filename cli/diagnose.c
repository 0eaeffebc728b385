/* Diagnostics for people and programs: FILE:LINE:COLUMN: error: MESSAGE [CODE], the line with a caret, a
 * hint. */
#include "cli.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* The excerpt shows this many bytes before and behind the fault at most: with its marks it fits 80 columns.
 */
#define BEFORE ((size_t)44)
#define BEHIND ((size_t)28)

static const char *paint(const struct cli *cli, const char *code)
{
    return cli->color_on ? code : "";
}

/* ---- text that may hold anything ---- */

enum shape { SHAPE_PLAIN, SHAPE_HIDDEN, SHAPE_INVALID };

/* Controls, and what moves or hides text on a terminal. */
static bool is_hidden(unsigned long c)
{
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x2069) || c == 0xFEFF;
}

/* The size of the character at text[0], len > 0; one byte if it is not UTF-8. */
static size_t next_character(const char *text, size_t len, enum shape *shape)
{
    static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = (unsigned char)text[0];
    size_t size = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    unsigned long c = size == 1 ? lead : lead & (0xFFu >> (size + 1));
    *shape = SHAPE_INVALID;
    if (size > len || (lead >= 0x80 && lead < 0xC2) || lead > 0xF4) {
        return 1;
    }
    for (size_t i = 1; i < size; i++) {
        unsigned char next = (unsigned char)text[i];
        if ((next & 0xC0) != 0x80) {
            return 1;
        }
        c = c << 6 | (next & 0x3F);
    }
    if (c < least[size] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) {
        return 1;
    }
    *shape = is_hidden(c) ? SHAPE_HIDDEN : SHAPE_PLAIN;
    return size;
}

/* For people: what can't be seen, or would act on the terminal, is shown as '?'. */
static void put_visible(const char *text, size_t len, bool tabs)
{
    for (size_t i = 0; i < len;) {
        enum shape shape;
        size_t size = next_character(text + i, len - i, &shape);
        if (shape == SHAPE_PLAIN || (tabs && text[i] == '\t')) {
            fwrite(text + i, 1, size, stderr);
        } else {
            fputc('?', stderr);
        }
        i += size;
    }
}

/* A string of a JSON diagnostic, whatever bytes a file name has. */
static void put_json_string(const char *text)
{
    size_t len = strlen(text);
    fputc('"', stderr);
    for (size_t i = 0; i < len;) {
        enum shape shape;
        size_t size = next_character(text + i, len - i, &shape);
        unsigned char c = (unsigned char)text[i];
        if (shape == SHAPE_INVALID) {
            fputs("\\ufffd", stderr);
        } else if (c < 0x20 || c == 0x7F) {
            fprintf(stderr, "\\u%04x", c);
        } else {
            if (c == '"' || c == '\\') {
                fputc('\\', stderr);
            }
            fwrite(text + i, 1, size, stderr);
        }
        i += size;
    }
    fputc('"', stderr);
}

/* ---- messages of the command itself ---- */

static void put_json_number(const char *name, uint64_t value, bool known)
{
    fprintf(stderr, known ? ",\"%s\":%" PRIu64 : ",\"%s\":null", name, value);
}

static void put_json(const char *name, const weir_error *error, const char *code, const char *message)
{
    fputs("{\"file\":", stderr);
    put_json_string(name);
    put_json_number("line", error->line, error->line > 0);
    put_json_number("column", error->column, error->column > 0);
    put_json_number("offset", error->offset, error->offset != WEIR_UNKNOWN);
    fputs(",\"code\":", stderr);
    put_json_string(code);
    fputs(",\"message\":", stderr);
    put_json_string(message);
    fputs(",\"path\":", stderr);
    put_json_string(error->path);
    fputs("}\n", stderr);
}

static void put_name(const struct cli *cli, const char *name)
{
    fputs(paint(cli, "\033[1m"), stderr);
    put_visible(name, strlen(name), false);
}

static void put_line(const struct cli *cli, const char *name, enum exit_code code, const char *message)
{
    if (cli->json_errors) {
        weir_error nowhere = {.offset = WEIR_UNKNOWN};
        put_json(name ? name : "", &nowhere, code == EXIT_USAGE ? "command/usage" : "command/io", message);
        return;
    }
    put_name(cli, name ? name : "weir");
    fprintf(stderr, ": %serror:%s ", paint(cli, "\033[31m"), paint(cli, "\033[0m"));
    put_visible(message, strlen(message), false);
    fputc('\n', stderr);
}

enum exit_code complain(const struct cli *cli, enum exit_code code, const char *format, ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    put_line(cli, NULL, code, message);
    return code;
}

enum exit_code complain_file(const struct cli *cli, const char *name, int system, const char *what)
{
    char message[512];
    snprintf(message, sizeof message, "%s%s%s", what, system ? ": " : "", system ? strerror(system) : "");
    put_line(cli, name, EXIT_IO, message);
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

/* Does a comment begin where the fault is? */
static bool at_comment(const weir_error *error, const struct excerpt *excerpt)
{
    if (!excerpt || !excerpt->text || error->offset < excerpt->base ||
        error->offset - excerpt->base >= excerpt->len) {
        return false;
    }
    char c = excerpt->text[error->offset - excerpt->base];
    return c == '/' || c == '#';
}

static const char *hint_of(const struct cli *cli, const weir_format *format, const weir_error *error,
                           const struct excerpt *excerpt)
{
    switch ((int)error->code) {
    case WEIR_E_JSON_BYTE_ORDER_MARK:
        return "--allow bom skips it";
    case WEIR_E_JSON_TRAILING:
        return format == weir_json
                   ? "--multi reads one document after the other; --from ndjson reads one a line"
                   : NULL;
    case WEIR_E_TRAILING:
        return cli->single ? "without --single it is read as a stream" : NULL;
    case WEIR_E_JSON_INTEGER_RANGE:
    case WEIR_E_CBOR_INTEGER_RANGE:
    case WEIR_E_DIAG_RANGE:
        return "--numbers exact keeps it as it is written";
    case WEIR_E_JSON_FLOAT_RANGE:
        return "--numbers exact keeps it as it is written; no double can hold it";
    case WEIR_E_JSON_EXPECTED_KEY:
    case WEIR_E_JSON_EXPECTED_COMMA_ARRAY:
    case WEIR_E_JSON_EXPECTED_COMMA_OBJECT:
    case WEIR_E_JSON_UNEXPECTED_BYTE:
        return at_comment(error, excerpt) && weir_format_find("jsonc") ? "--from jsonc reads comments" : NULL;
    case WEIR_E_PROTOCOL_ROOTS:
        return "the output format holds one document: choose one that streams, such as --to ndjson, or -o "
               "DIR/";
    default:
        return loss_hint(error->code);
    }
}

static void put_hint(const struct cli *cli, const weir_format *format, const weir_error *error,
                     const struct excerpt *excerpt)
{
    const char *hint = hint_of(cli, format, error, excerpt);
    char text[128];
    if (error->resource != WEIR_RESOURCE_NONE) {
        snprintf(text, sizeof text, "--limits %s=N raises this limit", weir_resource_name(error->resource));
        hint = text;
    }
    if (hint) {
        fprintf(stderr, "  %shint:%s %s\n", paint(cli, "\033[36m"), paint(cli, "\033[0m"), hint);
    }
}

/* ---- the line with the caret ---- */

static bool is_inside(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

static void put_excerpt(const struct cli *cli, const weir_error *error, const struct excerpt *excerpt)
{
    if (!excerpt || !excerpt->text || error->offset < excerpt->base ||
        error->offset > excerpt->base + excerpt->len) {
        return;
    }
    size_t at = (size_t)(error->offset - excerpt->base), from = at, to = at;
    const char *text = excerpt->text;
    while (from > 0 && at - from < BEFORE && text[from - 1] != '\n' && text[from - 1] != '\r') {
        from--;
    }
    while (to < excerpt->len && to - at < BEHIND && text[to] != '\n' && text[to] != '\r') {
        to++;
    }
    /* Not in the middle of a character. */
    while (from < at && is_inside(text[from])) {
        from++;
    }
    while (to > at && to < excerpt->len && is_inside(text[to])) {
        to--;
    }
    if (from == to) {
        return;
    }
    const char *before = from > 0 && text[from - 1] != '\n' && text[from - 1] != '\r' ? "..." : "";
    const char *behind = to < excerpt->len && text[to] != '\n' && text[to] != '\r' ? "..." : "";
    fprintf(stderr, "  %s", before);
    put_visible(text + from, to - from, true);
    fprintf(stderr, "%s\n  %*s", behind, (int)strlen(before), "");
    for (size_t i = from; i < at;) {
        enum shape shape;
        size_t size = next_character(text + i, at - i, &shape);
        size_t columns = shape == SHAPE_PLAIN ? weir_text_columns(text + i, size) : 1;
        if (text[i] == '\t') {
            fputc('\t', stderr);
        } else {
            fprintf(stderr, "%*s", (int)columns, "");
        }
        i += size;
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

enum exit_code diagnose(const struct cli *cli, const char *name, const weir_format *format,
                        const weir_error *error, const struct excerpt *excerpt)
{
    weir_category category = weir_code_category(error->code);
    enum exit_code code =
        category == WEIR_CATEGORY_IO || category == WEIR_CATEGORY_MEMORY ? EXIT_IO : EXIT_INVALID;
    char message[512];
    put_message(message, sizeof message, error);
    if (cli->json_errors) {
        put_json(name, error, weir_code_name(error->code), message);
        return code;
    }
    put_name(cli, name);
    if (error->line) {
        fprintf(stderr, ":%" PRIu64, error->line);
    }
    if (error->line && error->column) {
        fprintf(stderr, ":%" PRIu64, error->column);
    }
    fprintf(stderr, ": %serror:%s ", paint(cli, "\033[31m"), paint(cli, "\033[0m"));
    put_visible(message, strlen(message), false);
    if (!error->line && category != WEIR_CATEGORY_IO && error->offset != WEIR_UNKNOWN) {
        fprintf(stderr, " at offset %" PRIu64, error->offset);
    }
    if (error->path[0]) {
        fputs(" in ", stderr);
        put_visible(error->path, strlen(error->path), false);
    }
    fprintf(stderr, " [%s]\n", weir_code_name(error->code));
    if ((cli->options.flags & WEIR_DETAIL) && format && (weir_format_caps(format) & WEIR_CAP_TEXT) &&
        error->column) {
        put_excerpt(cli, error, excerpt);
    }
    put_hint(cli, format, error, excerpt);
    return code;
}

void report_checked(const struct cli *cli, const char *name, const char *format, uint64_t documents,
                    bool valid)
{
    if (cli->json_errors) {
        fputs("{\"file\":", stderr);
        put_json_string(name);
        fprintf(stderr, ",\"format\":\"%s\",\"documents\":%" PRIu64 ",\"valid\":%s}\n", format, documents,
                valid ? "true" : "false");
        return;
    }
    put_visible(name, strlen(name), false);
    fprintf(stderr, ": %s, %" PRIu64 " document%s, %s\n", format, documents, documents == 1 ? "" : "s",
            valid ? "valid" : "not valid");
}
