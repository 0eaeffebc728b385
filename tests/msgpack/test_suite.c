/* msgpack-test-suite: every listed encoding is read as its value, and that value is written as the first,
 * smallest one listed. The suite mixes number families: a float stays a float here, so an integer's float
 * encodings are compared by value and their own writing is not asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event_text.h"
#include "support.h"

static const weir_val *value_named(const weir_val *entry, const char **kind)
{
    weir_iter it = weir_iter_of(entry);
    const weir_val *bignum = weir_get(entry, "bignum");
    if (bignum) {
        *kind = "bignum";
        return bignum;
    }
    while (weir_iter_next(&it)) {
        *kind = weir_val_cstr(it.key);
        if (strcmp(*kind, "msgpack") != 0) {
            return it.val;
        }
    }
    return NULL;
}

/* The value of the suite as the document that it stands for. */
static weir_doc *expected_value(const char *kind, const weir_val *val)
{
    weir_buffer bytes = {0};
    size_t len;
    weir_writer *w = weir_writer_open_doc(NULL, NULL);
    const char *text = weir_val_str(val, &len);
    if (strcmp(kind, "binary") == 0) {
        unhex(&bytes, text, len);
        assert_true(weir_write_bytes(w, bytes.data, bytes.len));
    } else if (strcmp(kind, "bignum") == 0) {
        weir_doc *number = weir_parse(weir_json, text, len, NULL, NULL);
        assert_true(weir_writer_put(w, weir_doc_root(number)));
        weir_doc_free(number);
    } else if (strcmp(kind, "timestamp") == 0) {
        weir_timestamp time = {0};
        uint64_t nanoseconds = 0;
        assert_true(weir_val_i64(weir_at(val, 0), &time.seconds));
        assert_true(weir_val_u64(weir_at(val, 1), &nanoseconds));
        time.nanoseconds = (uint32_t)nanoseconds;
        assert_true(weir_write_timestamp(w, time));
    } else if (strcmp(kind, "ext") == 0) {
        char name[16];
        int64_t type;
        assert_true(weir_val_i64(weir_at(val, 0), &type));
        text = weir_val_str(weir_at(val, 1), &len);
        unhex(&bytes, text, len);
        snprintf(name, sizeof name, "ext:%d", (int)type);
        assert_true(weir_write_tag_name(w, name, strlen(name)));
        assert_true(weir_write_bytes(w, bytes.data, bytes.len));
    } else {
        assert_true(weir_writer_put(w, val));
    }
    assert_true(weir_writer_finish(w));
    weir_doc *doc = weir_writer_take_doc(w);
    weir_writer_close(w);
    weir_buffer_free(&bytes);
    return doc;
}

static void check_entry(const weir_val *entry, size_t *encodings)
{
    const char *kind = NULL;
    const weir_val *val = value_named(entry, &kind), *listed = weir_get(entry, "msgpack");
    weir_doc *expected = expected_value(kind, val);
    weir_buffer first = {0};
    size_t len;
    const char *hex = weir_val_str(weir_at(listed, 0), &len);
    unhex(&first, hex, len);
    for (size_t i = 0; i < weir_val_count(listed); i++, ++*encodings) {
        weir_buffer bytes = {0}, written = {0};
        weir_error error;
        hex = weir_val_str(weir_at(listed, i), &len);
        unhex(&bytes, hex, len);
        weir_doc *doc = weir_parse(weir_msgpack, bytes.data, bytes.len, NULL, &error);
        if (!doc) {
            fail_msg("%s: %s", hex, weir_code_name(error.code));
        }
        bool real = weir_val_is(weir_doc_root(doc), WEIR_KIND_REAL);
        if (!weir_equal(weir_doc_root(doc), weir_doc_root(expected), real ? WEIR_EQ_NUMERIC : 0, NULL)) {
            fail_msg("%s is another value", hex);
        }
        assert_true(weir_write_val(weir_msgpack, weir_doc_root(doc), NULL, &written, NULL));
        /* 7fff... is listed as int 64 before uint 64, both are nine bytes long */
        bool same = written.len == first.len && (memcmp(written.data, first.data, first.len) == 0 ||
                                                 (strcmp(kind, "bignum") == 0 && written.len == 9));
        if (!real && !same) {
            fail_msg("%s is not written as the first of its encodings", hex);
        }
        weir_doc_free(doc);
        weir_buffer_free(&bytes);
        weir_buffer_free(&written);
    }
    weir_doc_free(expected);
    weir_buffer_free(&first);
}

static void suite(void **state)
{
    (void)state;
    char path[1024];
    size_t len, encodings = 0;
    if (!corpora_path(path, sizeof path, "msgpack/msgpack-test-suite.json")) {
        skip();
    }
    char *text = read_file(path, &len);
    assert_non_null(text);
    weir_doc *doc = weir_parse(weir_json, text, len, NULL, NULL);
    assert_non_null(doc);
    weir_iter files = weir_iter_of(weir_doc_root(doc));
    while (weir_iter_next(&files)) {
        weir_iter entries = weir_iter_of(files.val);
        while (weir_iter_next(&entries)) {
            check_entry(entries.val, &encodings);
        }
    }
    assert_true(encodings > 200);
    weir_doc_free(doc);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(suite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
