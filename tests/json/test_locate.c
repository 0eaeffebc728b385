/* A fault is reported alike by weir_parse, which goes on from where the fused parser gave up, and by the
 * exact reader, which reads everything: code, offset, line, column, path and detail, for faults of every kind
 * at every place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support.h"
#include "weir/weir.h"

static weir_error by_reader(const char *data, size_t len, const weir_options *options)
{
    weir_error error;
    weir_reader *reader = weir_reader_open(weir_json, data, len, options, &error);
    assert_non_null(reader);
    const weir_event *event;
    while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_STREAM) {
    }
    error = *weir_reader_error(reader);
    weir_reader_close(reader);
    return error;
}

static void compare(const char *data, size_t len, const weir_options *options)
{
    weir_error parsed, read = by_reader(data, len, options);
    weir_doc *doc = weir_parse(weir_json, data, len, options, &parsed);
    if (parsed.code != read.code || (doc != NULL) != (read.code == WEIR_E_NONE)) {
        fail_msg("parse says %s at %d, the reader %s at %d", weir_code_name(parsed.code), (int)parsed.offset,
                 weir_code_name(read.code), (int)read.offset);
    }
    if (!doc) {
        assert_int_equal(parsed.offset, read.offset);
        assert_int_equal(parsed.line, read.line);
        assert_int_equal(parsed.column, read.column);
        assert_string_equal(parsed.path, read.path);
        assert_string_equal(parsed.detail, read.detail);
        assert_int_equal(parsed.resource, read.resource);
    }
    weir_doc_free(doc);
}

/* A document of several chunks with everything in it, pretty or compact. */
static char *sample(bool pretty, size_t *len)
{
    weir_buffer out = {0};
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.indent = pretty ? 2 : 0;
    weir_writer *w = weir_writer_open(weir_json, &out, &options, NULL);
    weir_write_map(w, WEIR_UNKNOWN);
    for (int i = 0; i < 500; i++) {
        char key[32];
        weir_write_key(w, key, (size_t)snprintf(key, sizeof key, "key/%d~\xc3\xa9", i));
        weir_write_array(w, WEIR_UNKNOWN);
        weir_write_map(w, WEIR_UNKNOWN);
        weir_write_key(w, "text", 4);
        weir_write_str(w, "a \"quoted\" text, \xe2\x82\xac and \\ and \n", 31);
        weir_write_key(w, "empty", 5);
        weir_write_map(w, 0);
        weir_write_end(w);
        weir_write_key(w, "deep", 4);
        weir_write_array(w, WEIR_UNKNOWN);
        for (int k = 0; k < i % 7; k++) {
            weir_write_double(w, i * 0.37 + k);
            weir_write_int(w, k - i);
            weir_write_bool(w, k & 1);
            weir_write_null(w);
        }
        weir_write_end(w);
        weir_write_end(w);
        weir_write_uint(w, (uint64_t)i << 40);
        weir_write_end(w);
    }
    weir_write_end(w);
    assert_true(weir_writer_finish(w));
    weir_writer_close(w);
    *len = out.len;
    return out.data;
}

static void test_mutations(void **state)
{
    (void)state;
    static const char bytes[] = "\"\\{}[],:0-+.eEtfn \n\t\r\0\1\x7f\x80\xc3\xff'/a";
    rng random = rng_new(2026);
    for (int pretty = 0; pretty < 2; pretty++) {
        size_t len;
        char *good = sample(pretty, &len), *bad = malloc(len);
        assert_true(len > 40000);
        for (int i = 0; i < 1500; i++) {
            weir_options options = WEIR_OPTIONS_DEFAULT;
            options.flags = i & 1 ? WEIR_DETAIL : 0;
            options.numbers = i & 2 ? WEIR_NUMBERS_EXACT : WEIR_NUMBERS_STRICT;
            memcpy(bad, good, len);
            size_t cut = i % 5 == 0 ? (size_t)(rng_next(&random) % (len + 1)) : len;
            for (int k = i % 3; k > 0 && cut > 0; k--) {
                bad[rng_next(&random) % cut] = bytes[rng_next(&random) % (sizeof bytes - 1)];
            }
            compare(bad, cut, &options);
        }
        free(good);
        free(bad);
    }
}

/* Every prefix of a small document, and every byte of it replaced by every byte that means something. */
static void test_small(void **state)
{
    (void)state;
    static const char good[] = " {\"a\\n\" : [1, -2.5e1 , \"x\",{} , [[true],false]] ,\"b\":{\"c\":null}}  ";
    static const char bytes[] = "\"\\{}[],:0-+.eEtfn \n\t\1\x80\xc3\xff'/";
    weir_options options = WEIR_OPTIONS_DEFAULT;
    for (int detail = 0; detail < 2; detail++) {
        options.flags = detail ? WEIR_DETAIL : 0;
        for (size_t n = 1; n < sizeof good; n++) {
            compare(good, n, &options);
            for (size_t k = 0; k < sizeof bytes - 1; k++) {
                char bad[sizeof good];
                memcpy(bad, good, sizeof good);
                bad[n - 1] = bytes[k];
                compare(bad, sizeof good - 1, &options);
            }
        }
    }
}

/* Limits of every kind, with a fault behind them. */
static void test_limits(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "[1,2,3,4,5,@",
        "{\"a\":1,\"b\":2,\"c\":3,@",
        "[[[[[[[[1]]]]]]]@",
        "[\"a long string value\",@",
        "{\"a long key for sure\":@",
        "[123456789012,@",
        "[1,[2,[3,[4,[5,\"six\"]]]]]x",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint64_t max = 0; max < 14; max++) {
            for (size_t which = 3; which < 11; which++) {
                weir_options options = WEIR_OPTIONS_DEFAULT;
                uint64_t *limits[] = {&options.limits.depth,   &options.limits.nodes,  &options.limits.items,
                                      &options.limits.entries, &options.limits.key,    &options.limits.string,
                                      &options.limits.number,  &options.limits.payload};
                *limits[which - 3] = max;
                compare(rows[i], strlen(rows[i]), &options);
                compare(rows[i], strlen(rows[i]) - 1, &options);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
