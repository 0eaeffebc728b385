/* Lists, reads and generates fixtures. The generated ones follow the
 * benchmark definitions of the libraries weir is compared with, byte for byte
 * where digests of them are published (selftest/test_fixtures.c). */
#include "fixtures.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KIB 1024
#define MIB 1048576

/* Messages of fixed text. `a` is the index into this table. */
static const char *const messages[] = {
    "{\"id\":100,\"user\":\"ada\",\"ok\":true,\"tags\":[\"x\",\"yy\"],\"pos\":{\"lat\":51.5,\"lon\":-0.12},"
    "\"note\":\"100 long\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":17,\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":\"req-7\",\"method\":\"tools/call\",\"params\":{\"name\":\"query_graph\","
    "\"arguments\":{\"query\":\"entry points\",\"limit\":\"20\",\"include_source\":\"true\"}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":\"init-1\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
    "\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"Codex\",\"version\":\"1.0\"}}}",
    "{\"sub\":\"user-123\",\"iss\":\"blazingly\",\"aud\":[\"api\",\"mcp\"],\"exp\":1924992000,\"iat\":"
    "1924988400,"
    "\"scope\":\"graph:read tools:call\",\"sid\":\"session-456\",\"dat\":{\"theme\":\"dark\","
    "\"locale\":\"he-IL\"}}",
    "{\"reason\":\"compiler-artifact\",\"package_id\":\"path+file:///workspace/"
    "demo#0.1.0\",\"target\":{\"name\":"
    "\"demo\",\"kind\":[\"bin\"],\"crate_types\":[\"bin\"]},\"profile\":{\"opt_level\":\"3\",\"debuginfo\":0,"
    "\"test\":false},\"executable\":\"C:\\\\workspace\\\\target\\\\release\\\\demo.exe\",\"fresh\":false}",
};

static void message(struct text *out, size_t a, size_t b)
{
    (void)b;
    text_puts(out, messages[a]);
}

/* 64 nodes and 96 edges of a code graph. */
static void graph(struct text *out, size_t a, size_t b)
{
    (void)a, (void)b;
    text_puts(out, "{\"version\":1,\"project\":\"weavatrix-rust\",\"nodes\":[");
    for (int i = 0; i < 64; i++)
        text_printf(out,
                    "%s{\"id\":%d,\"kind\":\"%s\",\"path\":\"src/module_%d/symbol_%d.rs\","
                    "\"labels\":[\"rust\",\"production\"]}",
                    i ? "," : "", i, i % 3 == 0 ? "function" : "module", i % 12, i);
    text_puts(out, "],\"edges\":[");
    for (int i = 0; i < 96; i++)
        text_printf(out, "%s{\"source\":%d,\"target\":%d,\"kind\":\"%s\",\"confidence\":0.99}", i ? "," : "",
                    i % 64, (7 * i + 3) % 64, i % 2 == 0 ? "calls" : "imports");
    text_puts(out, "]}");
}

/* `a` requests, one a line, no line feed after the last. */
static void requests(struct text *out, size_t a, size_t b)
{
    (void)b;
    for (size_t i = 0; i < a; i++)
        text_printf(
            out,
            "{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"tools/call\",\"params\":{\"name\":\"query_graph\","
            "\"arguments\":{\"query\":\"entry points\",\"limit\":20,\"include_source\":true}}}\n",
            i);
}

/* 0 .. a-1 in one array. */
static void integers_to(struct text *out, size_t a, size_t b)
{
    (void)b;
    text_puts(out, "[");
    for (size_t i = 0; i < a; i++)
        text_printf(out, i ? ",%zu" : "%zu", i);
    text_puts(out, "]");
}

static void path_records(struct text *out, size_t a, size_t b)
{
    (void)b;
    text_puts(out, "[");
    for (size_t i = 0; i < a; i++)
        text_printf(
            out,
            "%s{\"id\":%zu,\"kind\":\"function\",\"path\":\"src/module_%zu/symbol_%zu.rs\",\"score\":0.99}",
            i ? "," : "", i, i % 128, i);
    text_puts(out, "]");
}

/* As many equal records as fit in `a` bytes. */
static void records_in(struct text *out, size_t a, size_t b)
{
    static const char record[] = "{\"id\":7,\"text\":\"benchmark-record\"}";
    size_t count = (a - 13) / sizeof record; /* sizeof counts the NUL, which stands for the comma */
    (void)b;
    text_puts(out, "{\"records\":[");
    for (size_t i = 0; i < count; i++) {
        text_puts(out, i ? "," : "");
        text_puts(out, record);
    }
    text_puts(out, "]}");
}

/* `a` characters of text: all 'a', with a NUL at each index divisible by `b` (b = 0: none). */
static void plain_text(struct text *out, size_t a, size_t b)
{
    size_t start = out->len;
    text_fill(out, 'a', a);
    if (b != 0 && !out->failed)
        for (size_t i = 0; i < a; i += b)
            out->data[start + i] = '\0';
}

static void record_of(struct text *out, size_t a, size_t b)
{
    text_puts(out, "{\"id\":7,\"text\":\"");
    plain_text(out, a, b);
    text_puts(out, "\"}");
}

static void control(struct text *out, size_t a, size_t b)
{
    text_puts(out, "{\"text\":\"");
    plain_text(out, a, b);
    text_puts(out, "\"}");
}

static void fenced(struct text *out, size_t a, size_t b)
{
    text_puts(out, "```json\n");
    record_of(out, a, b);
    text_puts(out, "\n```");
}

static void pretty(struct text *out, size_t a, size_t b)
{
    text_puts(out, "{\n  \"id\": 7,\n  \"text\": \"");
    plain_text(out, a, b);
    text_puts(out, "\"\n}");
}

/* U+4E00, three bytes each, at least `a` bytes. */
static void han_text(struct text *out, size_t a, size_t b)
{
    (void)b;
    text_puts(out, "{\"id\":7,\"text\":\"");
    for (size_t i = 0; i < (a + 2) / 3; i++)
        text_puts(out, "\xe4\xb8\x80");
    text_puts(out, "\"}");
}

static void numeric(struct text *out, size_t a, size_t b)
{
    (void)b;
    text_puts(out, "[");
    for (size_t i = 0; i < a / 18; i++)
        text_puts(out, i ? ",1.234567890123" : "1.234567890123");
    text_puts(out, "]");
}

/* The shortest digits that read back, without an exponent: 0.001, 602000.0. */
static void put_positional(struct text *out, double value)
{
    char digits[40];
    int precision = 0;
    do
        snprintf(digits, sizeof digits, "%.*e", precision, value);
    while (strtod(digits, NULL) != value && ++precision < 17);
    int exponent = atoi(strchr(digits, 'e') + 1);
    int decimals = precision - exponent;
    text_printf(out, "%.*f", decimals < 1 ? 1 : decimals, value);
}

/* `b` says with the score or without it. */
static void records(struct text *out, size_t a, size_t b)
{
    text_puts(out, "[");
    for (int i = 0; i < (int)a; i++) {
        text_printf(out, "%s{\"id\":%d,\"active\":%s,", i ? "," : "", i, i % 3 ? "true" : "false");
        if (b) {
            text_puts(out, "\"score\":");
            put_positional(out, i * 1.25 - 17.5);
            text_puts(out, ",");
        }
        text_printf(out,
                    "\"name\":\"record-%04d\",\"tags\":[\"json\",\"zero-copy\",\"group-%d\"],\"samples\":[",
                    i, i % 8);
        for (int s = 0; s < 16; s++)
            text_printf(out, "%s%d", s ? "," : "", i * 31 - s);
        text_puts(out, "]}");
    }
    text_puts(out, "]");
}

static void numbers(struct text *out, size_t a, size_t b)
{
    static const double pool[16] = {0.5,
                                    1.25,
                                    3.141592653589793,
                                    2.718281828459045,
                                    -17.5,
                                    1e-3,
                                    1e3,
                                    123456789.123456,
                                    -0.001,
                                    6.02e5,
                                    1.5e-6,
                                    -4.25,
                                    42.5,
                                    0.1,
                                    0.0,
                                    -0.0};
    (void)b;
    text_puts(out, "[");
    for (int i = 0; i < (int)a; i++) {
        text_printf(out, "%s{\"id\":%d,\"values\":[", i ? "," : "", i);
        for (int k = 0; k < 16; k++) {
            text_puts(out, k ? "," : "");
            put_positional(out, pool[k] == 0.0 ? pool[k] : pool[k] * (i * 0.25 + 1.0));
        }
        text_puts(out, "]}");
    }
    text_puts(out, "]");
}

static void labels(struct text *out, size_t a, size_t b)
{
    static const char *const samples[10] = {
        "héllo wörld",   "こんにちは世界", "안녕하세요",        "你好，世界",           "Привет мир",
        "مرحبا بالعالم", "🎉 エモジ 🚀",     "café résumé naïve", "日本語のテキストです", "Δοκιμή ελληνικών",
    };
    (void)b;
    text_puts(out, "[");
    for (size_t i = 0; i < a; i++)
        text_printf(out, "%s{\"id\":%zu,\"label\":\"%s · %zu\"}", i ? "," : "", i, samples[i % 10], i % 1000);
    text_puts(out, "]");
}

/* 1,500 bytes of prose, then a line with one of each common escape. */
static void long_texts(struct text *out, size_t a, size_t b)
{
    static const char prose[] =
        "A weir is a low dam built across a river to hold the water back a little and to let it pass in an "
        "even sheet. "
        "Because the depth of that sheet follows the flow, a weir is also the oldest way to measure a river. "
        "Millers set them to feed a wheel, towns to keep a ford, surveyors to read a gauge once a day and "
        "write it down. ";
    (void)b;
    text_puts(out, "[");
    for (int i = 0; i < (int)a; i++) {
        text_printf(out, "%s{\"id\":%d,\"title\":\"Document %02d\",\"body\":\"", i ? "," : "", i, i);
        for (size_t left = 1500; left > 0;) {
            size_t n = left < sizeof prose - 1 ? left : sizeof prose - 1;
            text_put(out, prose, n);
            left -= n;
        }
        text_printf(out,
                    "\\nRecord %d says \\\"quoted\\\", uses a backslash \\\\, and a tab\\tinside.\\n\","
                    "\"tags\":[\"text\",\"long\",\"doc-%d\"]}",
                    i, i);
    }
    text_puts(out, "]");
}

static void small_objects(struct text *out, size_t a, size_t b)
{
    (void)b;
    text_puts(out, "[");
    for (size_t i = 0; i < a; i++)
        text_printf(out, "%s{\"id\":%zu,\"ok\":%s}", i ? "," : "", i, i % 2 == 0 ? "true" : "false");
    text_puts(out, "]");
}

static void config(struct text *out, size_t a, size_t b)
{
    (void)a, (void)b;
    text_puts(out, "{\"title\":\"NextJson benchmark\",\"owner\":{\"name\":\"blueokanna\",\"id\":42},"
                   "\"tags\":[\"json\",\"zero-copy\",\"benchmark\"],\"retries\":3}");
}

static void deep(struct text *out, size_t a, size_t b)
{
    (void)b;
    text_fill(out, '[', a);
    text_puts(out, "1");
    text_fill(out, ']', a);
}

static const struct fixture generated[] = {
    {"message-100", 0, message, 0, 0, ""},
    {"mcp-ping", 0, message, 1, 0, ""},
    {"mcp-call", FIXTURE_CORE, message, 2, 0, ""},
    {"mcp-initialize", 0, message, 3, 0, ""},
    {"jwt", 0, message, 4, 0, ""},
    {"cargo-artifact", 0, message, 5, 0, ""},
    {"graph", 0, graph, 0, 0, ""},
    {"mcp-1000", FIXTURE_LINES, requests, 1000, 0, ""},
    {"records", FIXTURE_CORE | FIXTURE_BINARY, records, 256, 1, ""},
    {"integers", 0, records, 256, 0, ""},
    {"numbers-64", 0, numbers, 64, 0, ""},
    {"unicode", 0, labels, 256, 0, ""},
    {"longtexts", 0, long_texts, 32, 0, ""},
    {"bigarray", 0, integers_to, 100000, 0, ""},
    {"smallobj", 0, small_objects, 100000, 0, ""},
    {"config", 0, config, 0, 0, ""},
    {"deep", 0, deep, 24, 0, ""},
    {"records-256B", 0, records_in, 256, 0, ""},
    {"records-1KiB", 0, records_in, KIB, 0, ""},
    {"records-8KiB", 0, records_in, 8 * KIB, 0, ""},
    {"records-64KiB", 0, records_in, 64 * KIB, 0, ""},
    {"records-1MiB", FIXTURE_CORE | FIXTURE_REFUSE, records_in, MIB, 0, ""},
    {"records-8MiB", 0, records_in, 8 * MIB, 0, ""},
    {"record-1KiB", 0, record_of, KIB, 0, ""},
    {"record-64KiB", 0, record_of, 64 * KIB, 0, ""},
    {"record-1MiB", 0, record_of, MIB, 0, ""},
    {"unicode-1KiB", 0, han_text, KIB, 0, ""},
    {"unicode-64KiB", 0, han_text, 64 * KIB, 0, ""},
    {"unicode-1MiB", 0, han_text, MIB, 0, ""},
    {"pretty-1KiB", 0, pretty, KIB, 0, ""},
    {"pretty-64KiB", 0, pretty, 64 * KIB, 0, ""},
    {"pretty-1MiB", 0, pretty, MIB, 0, ""},
    {"numeric-1KiB", 0, numeric, KIB, 0, ""},
    {"numeric-64KiB", 0, numeric, 64 * KIB, 0, ""},
    {"numeric-1MiB", 0, numeric, MIB, 0, ""},
    {"integers-1M", 0, integers_to, 1000000, 0, ""},
    {"records-1M", 0, path_records, 1000000, 0, ""},
    {"fenced-1KiB", FIXTURE_LENIENT, fenced, KIB, 0, ""},
    {"fenced-64KiB", FIXTURE_LENIENT, fenced, 64 * KIB, 0, ""},
    {"fenced-1MiB", FIXTURE_LENIENT, fenced, MIB, 0, ""},
    {"record-sparse-1KiB", FIXTURE_LENIENT, record_of, KIB, 1024, ""},
    {"record-sparse-64KiB", FIXTURE_LENIENT, record_of, 64 * KIB, 1024, ""},
    {"record-sparse-1MiB", FIXTURE_LENIENT, record_of, MIB, 1024, ""},
    {"record-dense-1KiB", FIXTURE_LENIENT, record_of, KIB, 2, ""},
    {"record-dense-64KiB", FIXTURE_LENIENT, record_of, 64 * KIB, 2, ""},
    {"record-dense-1MiB", FIXTURE_LENIENT, record_of, MIB, 2, ""},
    {"control-64KiB", 0, control, 64 * KIB, 0, ""},
    {"control-sparse-64KiB", FIXTURE_LENIENT, control, 64 * KIB, 1024, ""},
    {"control-dense-64KiB", FIXTURE_LENIENT, control, 64 * KIB, 2, ""},
};

enum { GENERATED_COUNT = sizeof generated / sizeof generated[0] };

static bool ends_with(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && strcmp(name + n - m, suffix) == 0;
}

static int is_document(const struct dirent *entry)
{
    return ends_with(entry->d_name, ".json") || ends_with(entry->d_name, ".ndjson");
}

static bool describe_file(const char *folder, const char *name, struct fixture *out)
{
    /* Names go into reports unescaped. */
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    static const char *const refuse[] = {"twitter.json", "citm_catalog.json", "canada.json"};
    *out = (struct fixture){.traits = FIXTURE_FILE | FIXTURE_CORE};
    if (snprintf(out->path, sizeof out->path, "%s/%s", folder, name) >= (int)sizeof out->path)
        return false;
    size_t len = (size_t)(strrchr(name, '.') - name);
    if (len >= sizeof out->name || strspn(name, plain) != strlen(name))
        return false;
    memcpy(out->name, name, len);
    if (ends_with(name, ".ndjson"))
        out->traits |= FIXTURE_LINES;
    for (size_t i = 0; i < sizeof refuse / sizeof refuse[0]; i++)
        if (strcmp(name, refuse[i]) == 0)
            out->traits |= FIXTURE_REFUSE | (i < 2 ? FIXTURE_BINARY : 0);
    return true;
}

bool fixture_list_make(const char *folder, struct fixture_list *list, size_t *files)
{
    struct dirent **entries = NULL;
    int found = scandir(folder, &entries, is_document, alphasort);
    size_t count = found < 0 ? 0 : (size_t)found;
    list->count = *files = 0;
    list->items = malloc((count + GENERATED_COUNT) * sizeof *list->items);
    for (size_t i = 0; i < count; i++) {
        if (list->items != NULL && describe_file(folder, entries[i]->d_name, &list->items[list->count]))
            list->count++;
        free(entries[i]);
    }
    free(entries);
    if (list->items == NULL)
        return false;
    *files = list->count;
    memcpy(list->items + list->count, generated, sizeof generated);
    list->count += GENERATED_COUNT;
    return true;
}

void fixture_list_free(struct fixture_list *list)
{
    free(list->items);
    *list = (struct fixture_list){0};
}

const struct fixture *fixture_find(const struct fixture_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

static bool read_file(const char *path, struct text *out)
{
    char block[65536];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    size_t n;
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        text_put(out, block, n);
    bool ok = !ferror(file);
    fclose(file);
    return ok && !out->failed;
}

bool fixture_make(const struct fixture *fixture, struct text *out)
{
    if (fixture->generate == NULL)
        return read_file(fixture->path, out);
    fixture->generate(out, fixture->a, fixture->b);
    return !out->failed;
}
