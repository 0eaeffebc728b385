/* The examples of RFC 8949 appendix A as their authors publish them (appendix_a.json): every one decodes to
 * its value, every one marked so is written back byte for byte. The values are given as JSON or in diagnostic
 * notation; both are read as diagnostic notation here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event_text.h"
#include "support.h"

/* One example's fields, as they stand in the file. */
struct example {
    char *hex, *expected;
    bool roundtrip;
};

/* The value behind a member's name: a whole JSON value, strings without their quotes and escapes where
 * `text`. */
static char *member(const char *p, const char *end, const char *name, bool text)
{
    char needle[32];
    snprintf(needle, sizeof needle, "\"%s\":", name);
    const char *at = strstr(p, needle);
    if (!at || at >= end) {
        return NULL;
    }
    at += strlen(needle) + 1;
    weir_buffer out = {0};
    int depth = 0;
    bool inside = false;
    for (const char *c = at; c < end; c++) {
        if (inside && *c == '\\') {
            text_add(&out, text ? c + 1 : c, text ? 1 : 2);
            c++;
            continue;
        }
        if (*c == '"') {
            inside = !inside;
            if (text) {
                if (!inside) {
                    break;
                }
                continue;
            }
        } else if (!inside) {
            depth += (*c == '[' || *c == '{') - (*c == ']' || *c == '}');
            if (depth < 0 || (depth == 0 && *c == ',')) {
                break;
            }
        }
        text_add(&out, c, 1);
    }
    text_add(&out, "", 1);
    return out.data;
}

/* The end of the object that begins at p. */
static const char *object_end(const char *p)
{
    int depth = 0;
    bool inside = false;
    for (;; p++) {
        if (inside && *p == '\\') {
            p++;
        } else if (*p == '"') {
            inside = !inside;
        } else if (!inside && (*p == '{' || *p == '}')) {
            depth += *p == '{' ? 1 : -1;
            if (depth == 0) {
                return p + 1;
            }
        }
    }
}

/* Equal as values: the width of floats, how counts were given and where a string was cut do not matter. */
static weir_doc *value_of(const weir_format *format, const void *data, size_t len, const char *what)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    weir_error error;
    options.numbers = WEIR_NUMBERS_EXACT;
    weir_doc *doc = weir_parse(format, data, len, &options, &error);
    if (!doc) {
        fail_msg("%s: %s", what, weir_code_name(error.code));
    }
    return doc;
}

static void check(const struct example *example)
{
    weir_buffer bytes = {0};
    unhex(&bytes, example->hex, strlen(example->hex));
    weir_doc *doc = value_of(weir_cbor, bytes.data, bytes.len, example->hex);
    weir_doc *expected =
        value_of(weir_cbor_diag, example->expected, strlen(example->expected), example->expected);
    if (!weir_equal(weir_doc_root(doc), weir_doc_root(expected), 0, NULL)) {
        fail_msg("%s is not %s", example->hex, example->expected);
    }
    if (example->roundtrip) {
        weir_buffer written = {0};
        assert_true(weir_write_val(weir_cbor, weir_doc_root(doc), NULL, &written, NULL));
        if (written.len != bytes.len || memcmp(written.data, bytes.data, bytes.len) != 0) {
            fail_msg("%s is written otherwise", example->hex);
        }
        weir_buffer_free(&written);
    }
    weir_doc_free(doc);
    weir_doc_free(expected);
    weir_buffer_free(&bytes);
}

static void published_examples(void **state)
{
    (void)state;
    char path[1024];
    size_t len, count = 0;
    if (!corpora_path(path, sizeof path, "cbor/appendix_a.json")) {
        skip();
    }
    char *file = read_file(path, &len);
    assert_non_null(file);
    for (const char *p = strchr(file, '{'); p; p = strchr(p, '{')) {
        const char *end = object_end(p);
        char *roundtrip = member(p, end, "roundtrip", false),
             *diagnostic = member(p, end, "diagnostic", true);
        struct example example = {member(p, end, "hex", true),
                                  diagnostic ? diagnostic : member(p, end, "decoded", false),
                                  roundtrip && strncmp(roundtrip, "true", 4) == 0};
        assert_non_null(example.hex);
        assert_non_null(example.expected);
        /* simple(24) in two bytes was an example in RFC 7049; RFC 8949 section 3.3 does not allow it any more
         */
        if (strcmp(example.hex, "f818") != 0) {
            check(&example);
            count++;
        }
        free(roundtrip);
        free(example.hex);
        free(example.expected);
        p = end;
    }
    assert_int_equal(count, 81);
    free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(published_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
