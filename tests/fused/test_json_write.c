/* The fused JSON writer: byte for byte what the general writer writes, within the same limits, by every
 * kernel. */
#include "fused_support.h"

#include "fused/json_write.h"

static const char *const kernel_names[] = {"base", "avx2", "avx512"};

/* Calls body for each kernel that this build and CPU have. */
#define FOR_EACH_KERNEL(kernel)                                                                   \
    for (size_t kernel_i = 0; kernel_i < 3; kernel_i++)                                           \
        for (json_write_kernel *kernel = json_write_kernel_named(kernel_names[kernel_i]); kernel; \
             kernel = NULL)

static void test_texts(void **state)
{
    (void)state;
    static const struct {
        const char *notation, *compact, *indented;
    } cases[] = {
        {"null", "null", "null"},
        {"true", "true", "true"},
        {"0", "0", "0"},
        {"18446744073709551615", "18446744073709551615", "18446744073709551615"},
        {"-9223372036854775808", "-9223372036854775808", "-9223372036854775808"},
        {"1.5", "1.5", "1.5"},
        {"''", "\"\"", "\"\""},
        {"[]", "[]", "[]"},
        {"{}", "{}", "{}"},
        {"[[],{}]", "[[],{}]", "[\n  [],\n  {}\n]"},
        {"[1,[2,3],4]", "[1,[2,3],4]", "[\n  1,\n  [\n    2,\n    3\n  ],\n  4\n]"},
        {"{'a':1,'b':{'c':[true]}}", "{\"a\":1,\"b\":{\"c\":[true]}}",
         "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": [\n      true\n    ]\n  }\n}"},
        {"'a\"b'", "\"a\\\"b\"", "\"a\\\"b\""},
        {"#12345678901234567890123#", "12345678901234567890123", "12345678901234567890123"},
        {"[1.5f,0.5h]", "[1.5,0.5]", "[\n  1.5,\n  0.5\n]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        weir_doc *doc = notation_doc(cases[i].notation);
        FOR_EACH_KERNEL(kernel)
        {
            weir_buffer out = {0};
            assert_int_equal(kernel(weir_doc_root(doc), NULL, 0, &out), FUSED_OK);
            assert_string_equal(out.data, cases[i].compact);
            weir_buffer_clear(&out);
            assert_int_equal(kernel(weir_doc_root(doc), NULL, 2, &out), FUSED_OK);
            assert_string_equal(out.data, cases[i].indented);
            weir_buffer_free(&out);
        }
        weir_doc_free(doc);
    }
}

/* What the general writer may know an option for is left to it, and nothing is left in the buffer. */
static void test_refusals(void **state)
{
    (void)state;
    static const char *const cases[] = {"nan",       "[1,inf]",   "x'ab'",      "{5:1}",
                                        "@1 2",      "s'key'",    "[1,-inf,2]", "[t12]",
                                        "{'a':nan}", "@'name' 1", "[1.5,nan]",  "{[1]:2}"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        weir_doc *doc = notation_doc(cases[i]);
        FOR_EACH_KERNEL(kernel)
        {
            weir_buffer out = {0};
            assert_true(weir_buffer_append(&out, "kept", 4));
            assert_int_equal(kernel(weir_doc_root(doc), NULL, 0, &out), FUSED_REFUSED);
            assert_int_equal(kernel(weir_doc_root(doc), NULL, 3, &out), FUSED_REFUSED);
            assert_int_equal(out.len, 4);
            assert_string_equal(out.data, "kept");
            weir_buffer_free(&out);
        }
        weir_doc_free(doc);
    }
}

/* Random documents, compact and indented, into fresh and into used buffers. */
static void test_random_documents(void **state)
{
    (void)state;
    rng r = rng_new(11);
    for (int round = 0; round < 1500; round++) {
        weir_doc *doc = random_doc(&r, WITH_WIDTHS | WITH_NUMBERS, 1 + rng_below(&r, round % 50 ? 60 : 3000));
        const weir_val *root = weir_doc_root(doc);
        static const unsigned indents[] = {0, 2, 4, 17};
        for (size_t k = 0; k < 4; k++) {
            weir_options options = unlimited_options();
            options.indent = indents[k];
            weir_buffer expected = {0};
            assert_true(general_write(weir_json, root, &options, &expected));
            FOR_EACH_KERNEL(kernel)
            {
                weir_buffer out = {0};
                assert_true(weir_buffer_append(&out, "[", 1));
                for (int again = 0; again < 2; again++) {
                    assert_int_equal(kernel(root, NULL, indents[k], &out), FUSED_OK);
                    assert_int_equal(out.len, expected.len + 1);
                    assert_memory_equal(out.data + 1, expected.data, expected.len + 1);
                    out.len = 1;
                }
                weir_buffer_free(&out);
            }
            weir_buffer_free(&expected);
        }
        weir_doc_free(doc);
    }
}

/* A string by the letter of RFC 8259 section 7, with the short escapes. */
static size_t escaped(char *out, const unsigned char *s, size_t n)
{
    char *o = out;
    *o++ = '"';
    for (size_t i = 0; i < n; i++) {
        const char *letter = strchr("\"\\\bb\ff\nn\rr\tt", s[i]);
        if (s[i] == '"' || s[i] == '\\') {
            *o++ = '\\';
            *o++ = (char)s[i];
        } else if (s[i] < 0x20 && s[i] && letter) {
            *o++ = '\\';
            *o++ = letter[1];
        } else if (s[i] < 0x20) {
            o += sprintf(o, "\\u%04x", s[i]);
        } else {
            *o++ = (char)s[i];
        }
    }
    *o++ = '"';
    return (size_t)(o - out);
}

/* Every length around the blocks, an escape at every place, text of others that ends where memory ends. */
static void test_strings_at_the_edge(void **state)
{
    (void)state;
    rng r = rng_new(12);
    struct edge edge = edge_open(8192);
    static const unsigned char odd[] = {'"', '\\', '\n', 0, 1, 0x1F};
    unsigned char text[700];
    char expected[sizeof text * 6 + 2];
    for (size_t n = 0; n < 330; n++) {
        for (int round = 0; round < 24; round++) {
            for (size_t i = 0; i < n; i++) {
                bool escape = round == 0  ? false
                              : round < 8 ? rng_below(&r, n) == 0
                                          : rng_below(&r, 4u << round % 8) == 0;
                text[i] = escape ? odd[rng_below(&r, sizeof odd)] : (unsigned char)(' ' + 3 + i % 57);
            }
            if (round == 1) {
                memset(text, '\x01', n);
            }
            char *at = edge_put(&edge, text, n);
            weir_val node[1] = {
                {.tag = tape_tag(WEIR_KIND_STRING, TAPE_UNTERMINATED | (round ? 0 : TAPE_PLAIN), n)}};
            for (size_t i = 0; i < n && round == 0; i++) {
                at[i] = 'p';
                text[i] = 'p';
            }
            node->v.u = (uint64_t)((uintptr_t)at - (uintptr_t)node);
            size_t len = escaped(expected, text, n);
            FOR_EACH_KERNEL(kernel)
            {
                weir_buffer out = {0};
                assert_int_equal(kernel(node, NULL, 0, &out), FUSED_OK);
                assert_int_equal(out.len, len);
                assert_memory_equal(out.data, expected, len);
                weir_buffer_free(&out);
            }
        }
    }
    edge_close(&edge);
}

static void check_doubles(weir_val *nodes, size_t n)
{
    char text[NUM_DOUBLE_SIZE];
    nodes[0].tag = tape_tag(WEIR_KIND_ARRAY, 0, n);
    nodes[0].v.u = n + 1;
    FOR_EACH_KERNEL(kernel)
    {
        weir_buffer out = {0};
        assert_int_equal(kernel(nodes, NULL, 0, &out), FUSED_OK);
        const char *p = out.data + 1;
        for (size_t i = 1; i <= n; i++) {
            size_t len = num_print_double(text, nodes[i].v.d);
            if (memcmp(p, text, len) != 0) {
                fail_msg("%a: %.*s, not %.30s", nodes[i].v.d, (int)len, text, p);
            }
            p += len + 1;
        }
        assert_ptr_equal(p, out.data + out.len);
        weir_buffer_free(&out);
    }
}

/* The inlined printer gives num_print_double's text: hard cases, all powers of two and ten, and random
 * values. */
static void test_doubles(void **state)
{
    (void)state;
    enum { N = 4096 };
    weir_val *nodes = malloc((N + 1) * sizeof *nodes);
    static const double hard[] = {0.0,
                                  -0.0,
                                  5e-324,
                                  2.2250738585072014e-308,
                                  2.2250738585072011e-308,
                                  1.7976931348623157e308,
                                  1e15,
                                  1e16,
                                  1e17,
                                  123456789012345680.0,
                                  9007199254740993.0,
                                  9007199254740992.0,
                                  9999999999999998.0,
                                  0.1,
                                  0.3,
                                  0.0001,
                                  0.00001,
                                  0.000001,
                                  1e-5,
                                  9.5e-5,
                                  1.5e300,
                                  1e23,
                                  8.41e21,
                                  4.5e15,
                                  9.0e15,
                                  1e22,
                                  5e-5,
                                  0.5,
                                  0.25,
                                  1.0,
                                  2.0,
                                  100.0,
                                  1000000.0,
                                  4503599627370496.5,
                                  4503599627370495.5};
    size_t n = 0;
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++) {
        nodes[++n] = (weir_val){.tag = WEIR_KIND_REAL, .v.d = hard[i]};
        nodes[++n] = (weir_val){.tag = WEIR_KIND_REAL, .v.d = -hard[i]};
    }
    for (int e = -1074; e < 1024; e++) {
        nodes[++n] = (weir_val){.tag = WEIR_KIND_REAL, .v.d = ldexp(1, e)};
    }
    check_doubles(nodes, n);
    n = 0;
    for (int e = -323; e < 309; e++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        double ten = strtod(text, NULL);
        nodes[++n] = (weir_val){.tag = WEIR_KIND_REAL, .v.d = ten};
        nodes[++n] = (weir_val){.tag = WEIR_KIND_REAL, .v.d = nextafter(ten, 0)};
        nodes[++n] = (weir_val){.tag = WEIR_KIND_REAL, .v.d = nextafter(ten, INFINITY)};
    }
    check_doubles(nodes, n);
    rng r = rng_new(13);
    for (int round = 0; round < 400; round++) {
        for (size_t i = 1; i <= N; i++) {
            nodes[i] = (weir_val){.tag = WEIR_KIND_REAL, .v.d = random_double(&r)};
        }
        check_doubles(nodes, N);
    }
    free(nodes);
}

static void check_integer(uint64_t tag, uint64_t word)
{
    char expected[32];
    weir_val node = {.tag = tag, .v.u = word};
    if (tag == WEIR_KIND_INT) {
        snprintf(expected, sizeof expected, "%lld", (long long)node.v.i);
    } else {
        snprintf(expected, sizeof expected, "%llu", (unsigned long long)word);
    }
    FOR_EACH_KERNEL(kernel)
    {
        weir_buffer out = {0};
        assert_int_equal(kernel(&node, NULL, 0, &out), FUSED_OK);
        assert_string_equal(out.data, expected);
        weir_buffer_free(&out);
    }
}

/* Around every power of ten and of two, and at random. */
static void test_integers(void **state)
{
    (void)state;
    rng r = rng_new(14);
    for (uint64_t ten = 1; ten < UINT64_MAX / 10; ten *= 10) {
        for (uint64_t v = ten - 1; v <= ten + 1; v++) {
            check_integer(WEIR_KIND_UINT, v);
            check_integer(WEIR_KIND_INT, ~v);
        }
    }
    check_integer(WEIR_KIND_UINT, UINT64_MAX);
    check_integer(WEIR_KIND_UINT, UINT64_C(10000000000000000000));
    check_integer(WEIR_KIND_INT, UINT64_C(1) << 63);
    for (int round = 0; round < 20000; round++) {
        uint64_t v = rng_next(&r) >> rng_below(&r, 64);
        check_integer(WEIR_KIND_UINT, v);
        check_integer(WEIR_KIND_INT, ~(v >> 1));
    }
}

/* Every limit at the document's own usage is kept, one less refused, alone and together; as the general
 * writer does. */
static void test_limits(void **state)
{
    (void)state;
    rng r = rng_new(15);
    for (int round = 0; round < 400; round++) {
        weir_doc *doc = random_doc(&r, WITH_NUMBERS, 1 + rng_below(&r, 80));
        const weir_val *root = weir_doc_root(doc);
        weir_buffer out = {0};
        unsigned indent = round % 3;
        assert_int_equal(json_write_val(root, NULL, indent, &out), FUSED_OK);
        const struct fused_limits exact = usage(root, true, out.len), none = FUSED_LIMITS_NONE;
        FOR_EACH_KERNEL(kernel)
        {
            out.len = 0;
            assert_int_equal(kernel(root, &exact, indent, &out), FUSED_OK);
            for (unsigned i = 0; i < LIMITS; i++) {
                struct fused_limits one = none, less = exact, used = exact;
                uint64_t value = *limit_at(&used, i);
                *limit_at(&one, i) = value;
                out.len = 0;
                assert_int_equal(kernel(root, &one, indent, &out), FUSED_OK);
                if (value == 0) {
                    continue;
                }
                for (int together = 0; together < 2; together++) {
                    struct fused_limits *tight = together ? &less : &one;
                    *limit_at(tight, i) = value - 1;
                    weir_options options = options_with(tight);
                    options.indent = indent;
                    out.len = 0;
                    assert_false(general_write(weir_json, root, &options, &out));
                    out.len = 0;
                    if (kernel(root, tight, indent, &out) != FUSED_REFUSED) {
                        fail_msg("kernel %zu, limit %u at %llu, indent %u: not refused", kernel_i, i,
                                 (unsigned long long)value - 1, indent);
                    }
                    assert_int_equal(out.len, 0);
                }
            }
        }
        weir_buffer_free(&out);
        weir_doc_free(doc);
    }
}

/* No number at all, and the least number of each kind. */
static void test_limit_of_no_number(void **state)
{
    (void)state;
    static const char *const cases[] = {"0",   "[0]",   "[true,0,0]", "{'a':0}", "-1",
                                        "0.0", "[1.5]", "1.5f",       "#7#"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        weir_doc *doc = notation_doc(cases[i]);
        struct fused_limits limits = FUSED_LIMITS_NONE;
        limits.number = 0;
        FOR_EACH_KERNEL(kernel)
        {
            weir_buffer out = {0};
            assert_int_equal(kernel(weir_doc_root(doc), &limits, 0, &out), FUSED_REFUSED);
            weir_buffer_free(&out);
        }
        weir_doc_free(doc);
    }
}

/* Memory that fails at any request: FUSED_MEMORY, the buffer as before, nothing leaked. */
static void test_memory(void **state)
{
    (void)state;
    rng r = rng_new(16);
    weir_options options = unlimited_options();
    weir_writer *w = weir_writer_open_doc(&options, NULL);
    for (int i = 0; i < 600; i++) {
        weir_write_array(w, WEIR_UNKNOWN);
    }
    size_t budget = 500;
    random_value(&r, w, 0, 5, &budget);
    for (int i = 0; i < 3000; i++) {
        weir_write_str(w, "a string that is longer than most", (size_t)(i % 33));
    }
    for (int i = 0; i < 600; i++) {
        weir_write_end(w);
    }
    assert_true(weir_writer_finish(w));
    weir_doc *doc = weir_writer_take_doc(w);
    weir_writer_close(w);
    weir_buffer expected = {0};
    assert_true(general_write(weir_json, weir_doc_root(doc), &options, &expected));
    FOR_EACH_KERNEL(kernel)
    {
        enum fused_result result = FUSED_MEMORY;
        for (uint64_t at = 1; result != FUSED_OK; at++) {
            for (int forever = 0; forever < 2; forever++) {
                fault_allocator fault = {.fail_at = at, .forever = forever};
                weir_allocator allocator = fault_hook(&fault);
                weir_buffer out = {.allocator = &allocator};
                result = kernel(weir_doc_root(doc), NULL, 0, &out);
                if (result == FUSED_OK) {
                    assert_int_equal(out.len, expected.len);
                    assert_memory_equal(out.data, expected.data, expected.len);
                } else {
                    assert_int_equal(result, FUSED_MEMORY);
                    assert_int_equal(out.len, 0);
                    assert_true(fault.failures > 0);
                }
                weir_buffer_free(&out);
                assert_int_equal(fault.live_blocks, 0);
                assert_int_equal(fault.wrong_sizes, 0);
            }
        }
    }
    weir_buffer_free(&expected);
    weir_doc_free(doc);
}

/* Nesting takes no C stack. */
static void test_deep(void **state)
{
    (void)state;
    const size_t depth = 1000000;
    weir_val *nodes = malloc(depth * sizeof *nodes);
    for (size_t i = 0; i < depth; i++) {
        nodes[i] = (weir_val){.tag = tape_tag(WEIR_KIND_ARRAY, 0, i + 1 < depth), .v.u = depth - i};
    }
    FOR_EACH_KERNEL(kernel)
    {
        weir_buffer out = {0};
        struct fused_limits limits = FUSED_LIMITS_NONE;
        assert_int_equal(kernel(nodes, &limits, 0, &out), FUSED_OK);
        assert_int_equal(out.len, 2 * depth);
        assert_int_equal(strspn(out.data, "["), depth);
        limits.depth = depth;
        out.len = 0;
        assert_int_equal(kernel(nodes, &limits, 0, &out), FUSED_OK);
        limits.depth = depth - 1;
        out.len = 0;
        assert_int_equal(kernel(nodes, &limits, 0, &out), FUSED_REFUSED);
        weir_buffer_free(&out);
    }
    free(nodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_random_documents),
        cmocka_unit_test(test_limit_of_no_number),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_strings_at_the_edge),
        cmocka_unit_test(test_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
