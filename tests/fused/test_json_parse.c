/* The JSON document parser: each of its kernels against the exact reader, on the same bytes. Verdict and tape
 * must be the same for every prefix of documents (at the end of a page), for mutated ones, across every seam
 * of blocks and chunks, and with limits; memory that is refused at any call is told and not lost. */
#include "base/simd.h"
#include "fused/json_parse.h"
#include "fused_support.h"

struct kernel {
    const char *name;
    json_parse_kernel *parse;
};

static struct kernel kernels[3];
static size_t kernel_count;

static int find_kernels(void **state)
{
    (void)state;
    kernel_count = 0;
    kernels[kernel_count++] = (struct kernel){"base", json_parse_base};
#if defined(__x86_64__)
    if (simd_kernels_named("avx2")) {
        kernels[kernel_count++] = (struct kernel){"avx2", json_parse_avx2};
    }
    if (simd_kernels_named("avx512")) {
        kernels[kernel_count++] = (struct kernel){"avx512", json_parse_avx512};
    }
#endif
    return 0;
}

struct memory {
    size_t calls, fail_at, largest; /* fail_at: number of the call that is refused; 0: none */
};

/* Moves the block every time and fills what is new, so that stale pointers and forgotten bytes show. */
static void *grow(void *context, void *block, size_t keep, size_t old_size, size_t new_size)
{
    struct memory *m = context;
    assert_true(keep <= old_size && keep <= new_size);
    if (++m->calls == m->fail_at) {
        return NULL;
    }
    uint8_t *fresh = malloc(new_size);
    assert_non_null(fresh);
    if (keep) {
        memcpy(fresh, block, keep);
    }
    memset(fresh + keep, 0xA5, new_size - keep);
    free(block);
    m->largest = new_size > m->largest ? new_size : m->largest;
    return fresh;
}

static json_parse_job job_for(const void *data, size_t len, struct memory *m)
{
    return (json_parse_job){.src = data, .len = len, .numbers = JSON_NUM_DOUBLE, .grow = grow, .grow_ctx = m};
}

static const weir_val *nodes_of(const json_parse_job *job)
{
    return (const weir_val *)(const void *)((const uint8_t *)job->block + job->nodes_offset);
}

static void assert_verdict(const struct kernel *k, json_parse_result got, bool expected, const void *data,
                           size_t len)
{
    if (got != (expected ? JSON_PARSE_OK : JSON_PARSE_REFUSED)) {
        fail_msg("%s: %d, the exact reader: %d: %.*s", k->name, got, expected, len < 2000 ? (int)len : 2000,
                 (const char *)data);
    }
}

/* All kernels against the exact reader. True if the text is accepted. */
static bool check(const void *data, size_t len, json_number_policy numbers)
{
    weir_options options = unlimited_options();
    options.numbers = (weir_numbers)numbers;
    weir_doc *expected = general_parse(weir_json, data, len, &options, NULL);
    for (size_t k = 0; k < kernel_count; k++) {
        struct memory m = {0};
        json_parse_job job = job_for(data, len, &m);
        job.numbers = numbers;
        json_parse_result result = kernels[k].parse(&job);
        assert_verdict(&kernels[k], result, expected != NULL, data, len);
        if (expected) {
            assert_int_equal(job.node_count, weir_doc_nodes(expected));
            assert_same_tape(nodes_of(&job), weir_doc_root(expected));
            assert_int_equal(job.consumed, len);
        } else if (job.stop != JSON_STOP_UNKNOWN) {
            assert_true(job.stop_offset <= len);
        }
        free(job.block);
    }
    weir_doc_free(expected);
    return expected != NULL;
}

static const char *const documents[] = {
    "{\"a\":[1,-2,3.5,\"x\\ny\",null,true,false,{}],\"b\" : \"\xc3\xa9\\u00e9\\ud83d\\ude0b\"}",
    "[\n    1,\n    2,\n    [],\n    {\n        \"k\" : -0.25e-3\n    }\n]\n",
    "\"a root string that is longer than one block of sixty-four bytes \\\\ and a bit\"",
    "123456789012345678901234567890",
    " true ",
    "[[[[{\"\":[[[0]]]}]]]]",
    "[\"0123456789012345678901234567890123456789012345678901234567\xe2\x82\xac\xf0\x9f\x98\x80\","
    "\"\\\\\\\\\\\\\"]",
    "{\"\":0,\"a\":1,\"aa\":22,\"aaa\":333,\"b\":[\"x\",\"yy\"],\"c\":{\"d\":{\"e\":{\"f\":null}}}}",
    "{\r\n\t\"k\":\t\"v\",\r\n\t\"long\": "
    "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\tbbbbbbbbbbbbbb\\\\\"\r\n}",
    "[\"\\ud83d\\ude0b\\u2728\\u0041\\uffff\","
    "\"\xc3\xa9\xe2\x82\xac\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf\"]",
    "[0.30000000000000004,123456789.987654321e-17,1.7976931348623157e308,4.9e-324,9007199254740993,0.1e1,1E+"
    "2,-0]",
    "[1,12,123,1234,12345,123456,1234567,12345678,123456789,1234567890,-1,-12,18446744073709551615]",
};
enum { DOCUMENTS = sizeof documents / sizeof documents[0], PAD_MAX = 20000 };

/* Every prefix, short enough for the loop without an index and, behind blanks, too long for it. */
static void test_prefixes_at_a_page_end(void **state)
{
    (void)state;
    static const size_t pads[] = {0, 3, 64, 200};
    struct edge edge = edge_open(4096);
    char text[1024];
    for (size_t d = 0; d < DOCUMENTS; d++) {
        for (size_t p = 0; p < sizeof pads / sizeof pads[0]; p++) {
            memset(text, ' ', pads[p]);
            memcpy(text + pads[p], documents[d], strlen(documents[d]));
            for (size_t len = 0; len <= strlen(documents[d]); len++) {
                bool accepted = check(edge_put(&edge, text, pads[p] + len), pads[p] + len, JSON_NUM_DOUBLE);
                assert_true(accepted || len < strlen(documents[d]));
            }
        }
    }
    edge_close(&edge);
}

/* A chunk ends after every byte of each document. */
static void test_chunk_seams(void **state)
{
    (void)state;
    char *text = malloc(PAD_MAX + 1024);
    for (size_t d = 0; d < DOCUMENTS; d++) {
        size_t n = strlen(documents[d]);
        for (size_t before = 0; before <= n; before++) {
            size_t pad = JSON_CHUNK * (n / JSON_CHUNK + 1) - before;
            text[0] = '[';
            memset(text + 1, ' ', pad - 1);
            memcpy(text + pad, documents[d], n);
            memcpy(text + pad + n, ",7]", 3);
            assert_true(check(text, pad + n + 3, JSON_NUM_DOUBLE));
        }
    }
    free(text);
}

/* Something stands at every place of a long string: in the first chunk, and in one that follows others like
 * it. */
static void test_long_strings(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "\"",   "\\",           "\\\"",     "\\\\", "\\u20ac", "\n",   "\x1F",
        "\x7F", "\xe2\x82\xac", "\xe2\x82", "\x80", "\xa2",    "\xdc", "\xf0\x9f\x98\x80"};
    enum { LONG = 2 * JSON_CHUNK + 1000 };
    char *text = malloc(LONG + 2000);
    for (size_t p = 0; p < sizeof pieces / sizeof pieces[0]; p++) {
        size_t n = strlen(pieces[p]);
        for (size_t at = 0; at < 1200; at += at < 700 ? 1 : 7) {
            size_t len = 1400 + at % 3;
            memset(text, 'a', len);
            memcpy(text, "[\"", 2);
            memcpy(text + 2 + at, pieces[p], n);
            memcpy(text + len, "\",1]", 4);
            check(text, len + 4, JSON_NUM_DOUBLE);
        }
        for (size_t at = JSON_CHUNK > 300 ? 2 * JSON_CHUNK - 300 : 0; at < 2 * JSON_CHUNK + 600; at += 5) {
            memset(text, 'a', LONG);
            memcpy(text, "[\"", 2);
            memcpy(text + 2 + at, pieces[p], n);
            memcpy(text + LONG, "\",1]", 4);
            check(text, LONG + 4, JSON_NUM_DOUBLE);
        }
    }
    free(text);
}

static size_t mutate(rng *r, char *out, size_t room)
{
    static const char bytes[] =
        "\"\\{}[]:,0123456789-+.eE \n\t\rtfnulrase/\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xff\x01u";
    size_t len = 0, parts = rng_below(r, 3) ? 1 : 1 + rng_below(r, 8);
    out[len++] = '[';
    for (size_t p = 0; p < parts; p++) {
        const char *s = documents[rng_below(r, DOCUMENTS)];
        len += (size_t)snprintf(out + len, room - len, "%s%s", p ? "," : "", s);
    }
    out[len++] = ']';
    if (rng_below(r, 2)) { /* short ones, too */
        const char *s = documents[rng_below(r, DOCUMENTS)];
        len = strlen(s);
        memcpy(out, s, len);
    }
    for (uint64_t k = rng_below(r, 4); k > 0 && len > 1; k--) {
        size_t at = rng_below(r, len), n = rng_below(r, 4) ? rng_below(r, 12) : rng_below(r, 200);
        switch (rng_below(r, 6)) {
        case 0:
            out[at] = bytes[rng_below(r, sizeof bytes - 1)];
            break;
        case 1:
            out[at] = (char)(out[at] ^ 1 << rng_below(r, 8));
            break;
        case 2:
            memmove(out + at, out + at + 1, --len - at);
            break;
        case 3: /* white space moves what follows across the seams of blocks */
            memmove(out + at + n, out + at, len - at);
            memset(out + at, " \n\t\r"[rng_below(r, 4)], n);
            len += n;
            break;
        case 4:
            memmove(out + at + 1, out + at, len - at);
            out[at] = bytes[rng_below(r, sizeof bytes - 1)];
            len++;
            break;
        default:
            len = rng_below(r, 8) ? len : at + 1;
        }
    }
    return len;
}

static void test_mutations(void **state)
{
    (void)state;
    rng r = rng_new(7);
    char *scratch = malloc(8192);
    size_t accepted = 0;
    for (unsigned round = 0; round < 20000; round++) {
        size_t len = mutate(&r, scratch, 8192);
        char *data = malloc(len); /* of exactly this length: what reads beyond is seen by sanitizers */
        memcpy(data, scratch, len);
        accepted += check(data, len, (json_number_policy)rng_below(&r, 4));
        free(data);
    }
    assert_in_range(accepted, 4000, 16000);
    free(scratch);
}

/* Small values in a long array: nodes outgrow every first guess. */
static char *dense_text(size_t size, size_t *len)
{
    char *s = malloc(size + 16);
    size_t n = 0;
    s[n++] = '[';
    while (n < size) {
        const char *piece = n % 5 == 0 ? "1," : "[],";
        memcpy(s + n, piece, strlen(piece));
        n += strlen(piece);
    }
    s[n++] = '0';
    s[n++] = ']';
    *len = n;
    return s;
}

static void test_memory_is_refused(void **state)
{
    (void)state;
    for (size_t size = 20; size < 400000; size *= 12) {
        size_t len;
        char *s = dense_text(size, &len);
        for (size_t k = 0; k < kernel_count; k++) {
            json_parse_result result = JSON_PARSE_MEMORY;
            for (size_t failing = 1; result != JSON_PARSE_OK; failing++) {
                struct memory m = {.fail_at = failing};
                json_parse_job job = job_for(s, len, &m);
                result = kernels[k].parse(&job);
                assert_true(m.largest < 40 * len + (1 << 20)); /* in proportion to the input */
                if (result != JSON_PARSE_OK) {
                    assert_int_equal(result, JSON_PARSE_MEMORY);
                    assert_int_equal(m.calls, failing);
                } else { /* the second time there is room */
                    size_t calls = m.calls, count = job.node_count;
                    assert_int_equal(kernels[k].parse(&job), JSON_PARSE_OK);
                    assert_int_equal(m.calls, calls);
                    assert_int_equal(job.node_count, count);
                }
                free(job.block);
            }
        }
        free(s);
    }
}

static json_parse_limits json_limits(const struct fused_limits *l)
{
    return (json_parse_limits){l->depth, l->nodes,  l->items,  l->entries,
                               l->key,   l->string, l->number, l->payload};
}

static void check_limits(const char *data, size_t len, const struct fused_limits *limits, bool expected)
{
    json_parse_limits converted = json_limits(limits);
    for (size_t k = 0; k < kernel_count; k++) {
        struct memory m = {0};
        json_parse_job job = job_for(data, len, &m);
        job.limits = &converted;
        assert_verdict(&kernels[k], kernels[k].parse(&job), expected, data, len);
        free(job.block);
    }
}

/* Exactly what a document uses is enough, one less of anything is not, and random ones are judged as by the
 * exact reader. */
static void test_limits(void **state)
{
    (void)state;
    rng r = rng_new(11);
    for (unsigned round = 0; round < 600; round++) {
        weir_doc *doc = random_doc(&r, 0, 1 + rng_below(&r, rng_below(&r, 4) ? 12 : 200));
        weir_buffer text = {0};
        weir_options options = unlimited_options();
        assert_true(general_write(weir_json, weir_doc_root(doc), &options, &text));
        struct fused_limits use = usage(weir_doc_root(doc), true, UINT64_MAX);
        check_limits(text.data, text.len, &use, true);
        for (unsigned i = 0; i + 1 < LIMITS; i++) {
            struct fused_limits less = use, wide;
            memset(&wide, 0xFF, sizeof wide);
            check_limits(text.data, text.len, &wide, true);
            if (*limit_at(&use, i) > 0) {
                --*limit_at(&less, i);
                check_limits(text.data, text.len, &less, false);
                *limit_at(&wide, i) = *limit_at(&less, i);
                check_limits(text.data, text.len, &wide, false);
            }
            struct fused_limits any = use;
            for (unsigned n = 0; n + 1 < LIMITS; n++) {
                *limit_at(&any, n) = rng_below(&r, 3) ? UINT64_MAX : rng_below(&r, *limit_at(&use, n) + 2);
            }
            weir_options limited = options_with(&any);
            limited.limits.output = WEIR_UNSET;
            limited.numbers = WEIR_NUMBERS_DOUBLE;
            weir_doc *exact = general_parse(weir_json, text.data, text.len, &limited, NULL);
            check_limits(text.data, text.len, &any, exact != NULL);
            weir_doc_free(exact);
        }
        weir_buffer_free(&text);
        weir_doc_free(doc);
    }
}

/* A buffer of many values: each read says where it ended. */
static void test_many_values(void **state)
{
    (void)state;
    enum { VALUES = 2000 };
    char *buffer = malloc(1 << 20);
    size_t len = 0, ends[VALUES], count = 0;
    while (len < 200000) {
        size_t n = 0;
        if (count == 50) { /* longer than the first room for text */
            char *dense = dense_text(200000, &n);
            memcpy(buffer + len, dense, n);
            free(dense);
        } else {
            const char *s = documents[count % DOCUMENTS];
            n = strlen(s);
            memcpy(buffer + len, s, n);
        }
        size_t end = len + n;
        while (buffer[end - 1] == ' ' || buffer[end - 1] == '\n') {
            end--;
        }
        ends[count++] = end;
        len += n;
        buffer[len++] = '\n';
    }
    for (size_t k = 0; k < kernel_count; k++) {
        struct memory m = {0};
        json_parse_job job = job_for(NULL, 0, &m);
        job.many = true;
        size_t at = 0;
        for (size_t n = 0; n < count; n++) {
            job.src = (const uint8_t *)buffer + at;
            job.len = len - at;
            assert_int_equal(kernels[k].parse(&job), JSON_PARSE_OK);
            assert_int_equal(at + job.consumed, ends[n]);
            at += job.consumed;
        }
        free(job.block);
    }
    free(buffer);
}

/* Tokens over many chunks. Quadratic work would not end in time. */
static void test_long_tokens(void **state)
{
    (void)state;
    static const struct {
        const char *before, *piece, *after;
    } rows[] = {
        {"[0.", "3", "]"},         {"[", " ", "7]"},
        {"[\"", "x", "\"]"},       {"[\"", "\\n", "\"]"},
        {"[\"", "\\u20ac", "\"]"}, {"[\"", "\xe2\x82\xac", "\"]"},
        {"[\"\\\\", "x", "\"]"},   {"", "[", ""},
        {"[1", "0", ""},
    };
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        size_t piece = strlen(rows[row].piece), n = strlen(rows[row].before), size = 300000;
        char *s = malloc(size + 64);
        memcpy(s, rows[row].before, n);
        while (n < size) {
            memcpy(s + n, rows[row].piece, piece);
            n += piece;
        }
        memcpy(s + n, rows[row].after, strlen(rows[row].after));
        n += strlen(rows[row].after);
        assert_int_equal(check(s, n, JSON_NUM_EXACT), rows[row].after[0] != '\0');
        free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prefixes_at_a_page_end),
        cmocka_unit_test(test_chunk_seams),
        cmocka_unit_test(test_long_strings),
        cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_memory_is_refused),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_many_values),
        cmocka_unit_test(test_long_tokens),
    };
    return cmocka_run_group_tests(tests, find_kernels, NULL);
}
