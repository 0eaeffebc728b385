/* Limits while reading JSON: each is charged at its own moment, and the first failing event in the order of
 * the input decides, be it syntax or a limit. A limit fails with its figures and with the place of what
 * passed it. */
#include "events.h"

/* Limits set by name; all others off. */
static weir_options only(weir_resource resource, uint64_t maximum)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits = weir_unlimited;
    uint64_t *slots[] = {
        [WEIR_RESOURCE_INPUT] = &options.limits.input,     [WEIR_RESOURCE_DEPTH] = &options.limits.depth,
        [WEIR_RESOURCE_NODES] = &options.limits.nodes,     [WEIR_RESOURCE_ITEMS] = &options.limits.items,
        [WEIR_RESOURCE_ENTRIES] = &options.limits.entries, [WEIR_RESOURCE_KEY] = &options.limits.key,
        [WEIR_RESOURCE_STRING] = &options.limits.string,   [WEIR_RESOURCE_NUMBER] = &options.limits.number,
        [WEIR_RESOURCE_PAYLOAD] = &options.limits.payload,
    };
    *slots[resource] = maximum;
    return options;
}

static const struct row {
    weir_resource resource;
    uint64_t maximum;
    const char *input, *expected;
} rows[] = {
    /* depth: the root is 1, scalars count */
    {WEIR_RESOURCE_DEPTH, 0, "null", "!limit/depth@0 1:1"},
    {WEIR_RESOURCE_DEPTH, 1, "null", "n ; $"},
    {WEIR_RESOURCE_DEPTH, 1, "[]", "[ . ; $"},
    {WEIR_RESOURCE_DEPTH, 1, "[ 1]", "[ !limit/depth@2 1:3"},
    {WEIR_RESOURCE_DEPTH, 1, "{\"a\": {}}", "{ k\"a\" !limit/depth@6 1:7"},
    {WEIR_RESOURCE_DEPTH, 2, "[[],{}]", "[ [ . { . . ; $"},
    {WEIR_RESOURCE_DEPTH, 1, "[@]", "[ !json/unexpected-byte@1 1:2"}, /* no value begins here */
    /* nodes: one a value, keys are none */
    {WEIR_RESOURCE_NODES, 0, "null", "!limit/nodes@0 1:1"},
    {WEIR_RESOURCE_NODES, 4, "{\"items\":[\"\xC3\xA9\",1e+3]}",
     "{ k\"items\" [ \"\\xC3\\xA9\" d1000 . . ; $"},
    {WEIR_RESOURCE_NODES, 3, "{\"items\":[\"\xC3\xA9\",1e+3]}",
     "{ k\"items\" [ \"\\xC3\\xA9\" !limit/nodes@15 1:15"},
    {WEIR_RESOURCE_NODES, 1, "[[", "[ !limit/nodes@1 1:2"},
    {WEIR_RESOURCE_NODES, 1, "[truex",
     "[ !json/unexpected-byte@5 1:6"}, /* a literal is whole before it counts */
    {WEIR_RESOURCE_NODES, 1, "[true", "[ !limit/nodes@1 1:2"},
    /* items: what a comma promises is counted before it is looked at */
    {WEIR_RESOURCE_ITEMS, 0, "[]", "[ . ; $"},
    {WEIR_RESOURCE_ITEMS, 0, "[1]", "[ !limit/items@1 1:2"},
    {WEIR_RESOURCE_ITEMS, 0, "[", "[ !json/incomplete@1 1:2"},
    {WEIR_RESOURCE_ITEMS, 1, "[1,@", "[ u1 !limit/items@3 1:4"},
    {WEIR_RESOURCE_ITEMS, 1, "[1, ]", "[ u1 !limit/items@4 1:5"},
    {WEIR_RESOURCE_ITEMS, 1, "[[1],[2]]", "[ [ u1 . !limit/items@5 1:6"},
    {WEIR_RESOURCE_ITEMS, 2, "[[1,2],[3,4]]", "[ [ u1 u2 . [ u3 u4 . . ; $"}, /* of one array each */
    /* entries: a key must begin; duplicates count */
    {WEIR_RESOURCE_ENTRIES, 0, "{}", "{ . ; $"},
    {WEIR_RESOURCE_ENTRIES, 1, "{\"a\":1,@", "{ k\"a\" u1 !json/expected-key@7 1:8"},
    {WEIR_RESOURCE_ENTRIES, 1, "{\"a\":1,\"b", "{ k\"a\" u1 !limit/entries@7 1:8"},
    {WEIR_RESOURCE_ENTRIES, 1, "{\"a\":1,\"a\":2}", "{ k\"a\" u1 !limit/entries@7 1:8"},
    {WEIR_RESOURCE_ENTRIES, 0, "[1]", "[ u1 . ; $"},
    /* keys and strings: decoded bytes; the byte that is too many is the event */
    {WEIR_RESOURCE_KEY, 1, "{\"ab\":1}", "{ !limit/key@3 1:4"},
    {WEIR_RESOURCE_KEY, 1, "{\"a\":\"longer\"}", "{ k\"a\" \"longer\" . ; $"},
    {WEIR_RESOURCE_KEY, 0, "{\"\":1}", "{ k\"\" u1 . ; $"},
    {WEIR_RESOURCE_STRING, 3, "\"abc\"", "\"abc\" ; $"},
    {WEIR_RESOURCE_STRING, 3, "\"abcd\"", "!limit/string@4 1:5"},
    {WEIR_RESOURCE_STRING, 3, "\"abcd", "!limit/string@4 1:5"}, /* never mind that it doesn't end */
    {WEIR_RESOURCE_STRING, 3, "\"abc", "!json/incomplete@4 1:5"},
    {WEIR_RESOURCE_STRING, 3, "\"\\u4e2d\"", "\"\\xE4\\xB8\\xAD\" ; $"},
    {WEIR_RESOURCE_STRING, 2, "\"\\u4e2d\"",
     "!limit/string@1 1:2"}, /* an escape counts when it is whole, … */
    {WEIR_RESOURCE_STRING, 2, "\"\\u4e2x\"",
     "!json/invalid-unicode-escape@6 1:7"}, /* … and stands as one event */
    {WEIR_RESOURCE_STRING, 2, "\"a\\nb\"", "!limit/string@4 1:5"},
    {WEIR_RESOURCE_STRING, 2, "\"\xE4\xB8\xAD\"", "!limit/string@3 1:4"},
    {WEIR_RESOURCE_STRING, 0, "\"\"", "\"\" ; $"},
    {WEIR_RESOURCE_STRING, 0, "\"a\"", "!limit/string@1 1:2"},
    {WEIR_RESOURCE_STRING, 3, "\"abc\x01\"", "!json/control-character@4 1:5"}, /* no byte of a string */
    {WEIR_RESOURCE_STRING, 3, "\"abc\xFF\"", "!json/invalid-utf8@4 1:5"},
    {WEIR_RESOURCE_STRING, 3, "\"abcd\xFF\"", "!limit/string@4 1:5"}, /* the earlier one */
    {WEIR_RESOURCE_STRING, 3, "\"ab\xE4\xB8x\"", "!json/invalid-utf8@3 1:4"},
    {WEIR_RESOURCE_STRING, 3, "\"ab\xE4\xB8\xAD\"", "!limit/string@4 1:5"},
    {WEIR_RESOURCE_STRING, 40, "\"0123456789012345678901234567890123456789\"",
     "\"0123456789012345678901234567890123456789\" ; $"},
    {WEIR_RESOURCE_STRING, 39, "\"0123456789012345678901234567890123456789\"", "!limit/string@40 1:41"},
    /* numbers: bytes of the token; the grammar up to there comes first, the range last */
    {WEIR_RESOURCE_NUMBER, 4, "1e+3", "d1000 ; $"},
    {WEIR_RESOURCE_NUMBER, 3, "1e+3", "!limit/number@3 1:4"},
    {WEIR_RESOURCE_NUMBER, 1, "-0", "!limit/number@1 1:2"},
    {WEIR_RESOURCE_NUMBER, 3, "[12345", "[ !limit/number@4 1:5"},
    {WEIR_RESOURCE_NUMBER, 3, "123x", "!json/invalid-number@3 1:4"},
    {WEIR_RESOURCE_NUMBER, 3, "1234x", "!limit/number@3 1:4"},
    {WEIR_RESOURCE_NUMBER, 3, "01234", "!json/invalid-number@1 1:2"},
    {WEIR_RESOURCE_NUMBER, 19, "18446744073709551616", "!limit/number@19 1:20"},
    {WEIR_RESOURCE_NUMBER, 20, "18446744073709551616", "!json/integer-out-of-range@0 1:1"},
    /* payload: keys, strings and numbers in sum, each when it is whole */
    {WEIR_RESOURCE_PAYLOAD, 11, "{\"items\":[\"\xC3\xA9\",1e+3]}",
     "{ k\"items\" [ \"\\xC3\\xA9\" d1000 . . ; $"},
    {WEIR_RESOURCE_PAYLOAD, 10, "{\"items\":[\"\xC3\xA9\",1e+3]}",
     "{ k\"items\" [ \"\\xC3\\xA9\" !limit/payload@15 1:15"},
    {WEIR_RESOURCE_PAYLOAD, 3, "{\"a\":1,\"a\":2}", "{ k\"a\" u1 k\"a\" !limit/payload@11 1:12"},
    {WEIR_RESOURCE_PAYLOAD, 3, "\"\\u4e2d\"", "\"\\xE4\\xB8\\xAD\" ; $"},
    {WEIR_RESOURCE_PAYLOAD, 2, "\"\\u4e2d\"", "!limit/payload@0 1:1"},
    {WEIR_RESOURCE_PAYLOAD, 2, "\"abcd", "!json/incomplete@5 1:6"},
    {WEIR_RESOURCE_PAYLOAD, 0, "[null,true]", "[ n t . ; $"},
};

static void first_failing_event(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weir_options options = only(rows[i].resource, rows[i].maximum);
        expect(weir_json, rows[i].input, &options, rows[i].expected);
    }
}

static void several_at_once(void **state)
{
    (void)state;
    /* of one admission: depth, then the limit of the kind, then nodes, then payload */
    weir_options options = only(WEIR_RESOURCE_NODES, 1);
    options.limits.payload = 0;
    expect(weir_json, "[\"a\"]", &options, "[ !limit/nodes@1 1:2");
    options.limits.string = 0;
    expect(weir_json, "[\"a\"]", &options, "[ !limit/string@2 1:3");
    options.limits.depth = 1;
    expect(weir_json, "[\"a\"]", &options, "[ !limit/depth@1 1:2");
    options.limits.items = 0;
    expect(weir_json, "[\"a\"]", &options, "[ !limit/items@1 1:2");
}

static void figures(void **state)
{
    (void)state;
    static const struct {
        weir_resource resource;
        uint64_t maximum;
        const char *input;
        uint64_t requested, remaining;
    } cases[] = {
        {WEIR_RESOURCE_STRING, 3, "\"abcd\"", 4, WEIR_UNKNOWN},
        {WEIR_RESOURCE_ENTRIES, 1, "{\"a\":1,\"b\":2}", 2, WEIR_UNKNOWN},
        {WEIR_RESOURCE_PAYLOAD, 3, "{\"a\":1,\"a\":2}", 1, 0},
        {WEIR_RESOURCE_INPUT, 1, "[]", 2, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weir_options options = only(cases[i].resource, cases[i].maximum);
        weir_error error = {0};
        weir_reader *reader =
            weir_reader_open(weir_json, cases[i].input, strlen(cases[i].input), &options, &error);
        if (reader) {
            while (weir_reader_next(reader)) {
            }
            error = *weir_reader_error(reader);
            weir_reader_close(reader);
        }
        assert_int_equal(error.resource, cases[i].resource);
        assert_int_equal(error.maximum, cases[i].maximum);
        assert_int_equal(error.requested, cases[i].requested);
        if (cases[i].remaining != WEIR_UNKNOWN) {
            assert_int_equal(error.remaining, cases[i].remaining);
        }
    }
}

/* The input limit holds before anything is looked at, from memory; a stream is charged as it is read. */
static void input(void **state)
{
    (void)state;
    weir_options options = only(WEIR_RESOURCE_INPUT, 1);
    char *events = events_of(weir_json, "\xFF\xFF", 2, &options);
    assert_memory_equal(events, "!limit/input", 12);
    free(events);
    options.limits.input = 3;
    events = events_of_pieces(weir_json, "[1,2]", 5, 1, &options);
    assert_memory_equal(events, "[ u1 !limit/input", 17);
    free(events);
    options.limits.input = 5;
    expect(weir_json, "[1,2]", &options, "[ u1 u2 . ; $");
}

/* Limits of one document do not add up over a stream, cumulative ones do; a number's default is 4,096 bytes.
 */
static void streams_and_defaults(void **state)
{
    (void)state;
    weir_options options = only(WEIR_RESOURCE_ITEMS, 1);
    expect(weir_ndjson, "[1]\n[2]\n", &options, "[ u1 . ; [ u2 . ; $");
    options = only(WEIR_RESOURCE_NODES, 3);
    expect(weir_ndjson, "[1]\n[2]\n", &options, "[ u1 . ; [ !limit/nodes@5 2:2");
    options = only(WEIR_RESOURCE_NODES, 4);
    options.limits.documents = 1;
    expect(weir_ndjson, "[1]\n[2]\n", &options, "[ u1 . ; !limit/documents@4 2:1");
    char digits[4200];
    memset(digits, '1', sizeof digits);
    expect_bytes(weir_json, digits, sizeof digits, NULL, "!limit/number@4096 1:4097");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_failing_event),
        cmocka_unit_test(several_at_once),
        cmocka_unit_test(figures),
        cmocka_unit_test(input),
        cmocka_unit_test(streams_and_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
