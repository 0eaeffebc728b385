/* Streams: a document gives the same events wherever its input is cut into pieces, and a document that was
 * cut off gives a prefix of them and then says so. */
#include "events.h"

#include "support.h"

static const char *const documents[] = {
    "null",
    " true ",
    "[false,true,null]",
    "-12.5e+3",
    "[0,-0,1.25,1e5,18446744073709551615,-9223372036854775808]",
    "\"\"",
    "\"plain text that is longer than a vector of sixteen bytes\"",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
    "\"\\u00e9\\u4e2d\\ud83d\\ude00 x \\u0000\"",
    "\"\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80 mixed \\n \xC3\xA9\"",
    "{\"a\":{\"b\":[1,{\"c\":\"d\\te\"}]},\"\\u006b\xC3\xA9\":[],\"l\":{}}",
    "\r\n[\r\n\t1 ,\r\n\t2\r\n]\r\n",
    "[[[[[[[[\"deep\"]]]]]]]]",
    /* wrong ones must fail alike */
    "[1,]",
    "{\"a\" 1}",
    "\"\\ud800x\"",
    "\"\xE4\xB8\"",
    "[tru]",
    "[1.x]",
    "\r\n\r\n  [\xC3\xA9",
};

static void same_events_in_any_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        size_t len = strlen(documents[i]);
        char *whole = events_of(weir_json, documents[i], len, NULL);
        for (size_t step = 1; step <= len + 1; step++) {
            char *pieces = events_of_pieces(weir_json, documents[i], len, step, NULL);
            assert_string_equal(pieces, whole);
            free(pieces);
        }
        free(whole);
    }
}

/* One read gives everything up to the cut, the next one the rest. */
struct halves {
    const char *data;
    size_t len, cut, at;
};

static ptrdiff_t read_half(void *context, void *out, size_t size)
{
    struct halves *halves = context;
    size_t stop = halves->at < halves->cut ? halves->cut : halves->len;
    size_t n = stop - halves->at < size ? stop - halves->at : size;
    memcpy(out, halves->data + halves->at, n);
    halves->at += n;
    return (ptrdiff_t)n;
}

static void same_events_around_any_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        size_t len = strlen(documents[i]);
        char *whole = events_of(weir_json, documents[i], len, NULL);
        for (size_t cut = 0; cut <= len; cut++) {
            struct halves halves = {documents[i], len, cut, 0};
            weir_buffer out = {0};
            put_events(&out,
                       weir_reader_open_source(weir_json, (weir_source){read_half, &halves}, NULL, NULL));
            assert_string_equal(out.data, whole);
            weir_buffer_free(&out);
        }
        free(whole);
    }
}

static bool is_incomplete(const char *events)
{
    const char *error = strchr(events, '!');
    return error &&
           (strncmp(error, "!json/incomplete@", 17) == 0 || strncmp(error, "!input/empty@", 13) == 0);
}

static void cut_off_anywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        size_t len = strlen(documents[i]);
        char *whole = events_of(weir_json, documents[i], len, NULL);
        const char *fault = strchr(whole, '!');
        size_t fault_at = fault ? strtoul(strchr(fault, '@') + 1, NULL, 10) : len;
        for (size_t cut = 0; cut <= fault_at && cut < len; cut++) {
            char *part = events_of(weir_json, documents[i], cut, NULL);
            /* Numbers may be whole where they are cut, and white space may be missing at the end. */
            bool number = part[0] == 'u' || part[0] == 'i' || part[0] == 'd';
            if (!is_incomplete(part) && strcmp(part, whole) != 0 && !number) {
                print_message("%.*s|: %s\n", (int)cut, documents[i], part);
                fail();
            }
            char *pieces = events_of_pieces(weir_json, documents[i], cut, 1, NULL);
            assert_string_equal(part, pieces);
            free(pieces);
            free(part);
        }
        free(whole);
    }
}

/* A document much longer than the window, with strings, numbers and white space on every border. */
static char *long_document(size_t items, size_t *len, const char *tail)
{
    weir_buffer out = {0};
    rng random = rng_new(7);
    put(&out, "[");
    for (size_t i = 0; i < items; i++) {
        static const char *const pieces[] = {
            "12345678901",     "-1.5e10",
            "\"text\"",        "\"\\u00e9\\n\xF0\x9F\x98\x80\"",
            "{ \"k\" : [ ] }", "true",
            "   \r\n null",    "\"a longer piece of text with \xE4\xB8\xAD in it\""};
        put(&out, "%s%s", i ? "," : "", pieces[rng_below(&random, 8)]);
    }
    put(&out, "%s", tail);
    *len = out.len;
    return out.data;
}

static void longer_than_the_window(void **state)
{
    (void)state;
    static const char *const tails[] = {"]", ",\"\\ud800\"]", "\r\n\r\n  @"};
    for (size_t t = 0; t < 3; t++) {
        size_t len;
        char *input = long_document(20000, &len, tails[t]);
        char *whole = events_of(weir_json, input, len, NULL);
        static const size_t steps[] = {1, 7, 4096, 65535, 65536, 1000000};
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
            char *pieces = events_of_pieces(weir_json, input, len, steps[s], NULL);
            assert_string_equal(pieces, whole);
            free(pieces);
        }
        free(whole);
        free(input);
    }
}

/* One string, and one number, longer than the window: read to the end, in linear time. */
static void long_tokens(void **state)
{
    (void)state;
    size_t n = 1000000;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits = weir_unlimited;
    options.numbers = WEIR_NUMBERS_EXACT;
    char *input = malloc(n + 4);
    assert_non_null(input);
    input[0] = '"';
    memset(input + 1, 'x', n);
    memcpy(input + n / 2, "\xE4\xB8\xAD", 3);
    input[n + 1] = '"';
    char *whole = events_of(weir_json, input, n + 2, &options);
    char *pieces = events_of_pieces(weir_json, input, n + 2, 1, &options);
    assert_string_equal(pieces, whole);
    free(whole);
    free(pieces);
    memset(input, '7', n);
    whole = events_of(weir_json, input, n, &options);
    assert_int_equal(strlen(whole), n + 5);
    pieces = events_of_pieces(weir_json, input, n, 1, &options);
    assert_string_equal(pieces, whole);
    free(whole);
    free(pieces);
    free(input);
}

/* A source that fails is told as such, whatever was open. */
static ptrdiff_t read_failing(void *context, void *out, size_t size)
{
    struct pieces *pieces = context;
    ptrdiff_t n = read_piece(context, out, size);
    return n == 0 ? -1 : ((void)pieces, n);
}

static void failing_source(void **state)
{
    (void)state;
    static const char *const inputs[] = {"",       "[",  "[1",   "\"ab", "\"ab\\",
                                         "{\"a\"", "tr", "true", "12",   "[1,2] "};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        struct pieces pieces = {inputs[i], strlen(inputs[i]), 0, 1};
        weir_reader *reader =
            weir_reader_open_source(weir_json, (weir_source){read_failing, &pieces}, NULL, NULL);
        while (weir_reader_next(reader)) {
        }
        assert_int_equal(weir_reader_error(reader)->code, WEIR_E_READ);
        weir_reader_close(reader);
    }
}

/* Every allocation fails in turn: an error, no leak, no crash. */
static void out_of_memory(void **state)
{
    (void)state;
    const char *input = "{\"a\\n\":[\"b\\u00e9\",{\"c\":[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]}]}";
    for (uint64_t at = 1;; at++) {
        fault_allocator fault = {.fail_at = at};
        weir_allocator hook = fault_hook(&fault);
        weir_options options = WEIR_OPTIONS_DEFAULT;
        options.allocator = &hook;
        weir_error error;
        struct pieces pieces = {input, strlen(input), 0, 3};
        weir_reader *reader =
            weir_reader_open_source(weir_json, (weir_source){read_piece, &pieces}, &options, &error);
        bool done = false;
        if (reader) {
            const weir_event *event;
            while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_STREAM) {
            }
            done = event != NULL;
            assert_int_equal(weir_reader_error(reader)->code, done ? WEIR_E_NONE : WEIR_E_MEMORY);
            weir_reader_close(reader);
        } else {
            assert_int_equal(error.code, WEIR_E_MEMORY);
        }
        assert_int_equal(fault.live_blocks, 0);
        assert_int_equal(fault.wrong_sizes, 0);
        if (done) {
            assert_true(at > 3 && fault.failures == 0);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_events_in_any_pieces),
        cmocka_unit_test(same_events_around_any_cut),
        cmocka_unit_test(cut_off_anywhere),
        cmocka_unit_test(longer_than_the_window),
        cmocka_unit_test(long_tokens),
        cmocka_unit_test(failing_source),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
