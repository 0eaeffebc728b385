/* The generated fixtures have the published sizes and digests, and are JSON
 * (or, where they are meant not to be, are not). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixtures.h"
#include "reference.h"
#include "sha256.h"

#include <string.h>

struct expected {
    const char *name;
    size_t len;
    const char *sha256; /* NULL: only the size is published */
};

/* Digests of the compact JSON that NextJson's benchmark documents; sizes of rs-json's and blazingly-json's.
 */
static const struct expected expected[] = {
    {"records", 48063, "28ac07d6312186b837d412d0feea1c7378b6ed08e30cfe89dcaf532d95fba621"},
    {"integers", 44446, "2e1c5a0925a7fb66efdd9ef8b064730d6b201726eb76b2f827d1ad32ca6c359e"},
    {"unicode", 12538, "748495b1f7ab0db753ac6807821e8e7400986378097594c87181f17fde073878"},
    {"numbers-64", 11473, "ced7dab7a20319e84ff962a519fb67b2d44863e59245e5212db8775e1babc59a"},
    {"bigarray", 588891, "ef440f29f9463eac65fda8b2e1214628852802516a2b06ae1a1b020743b78a20"},
    {"smallobj", 2338891, "25788c582b06ab01af9ddbb2a90a9073d8115b12958d2d404ad1f0114c6b9a85"},
    {"config", 120, "aa8e82d30fa71cda754203fc52cdf80e47e2b609166c58a12e6b40ebb516f680"},
    {"deep", 49, "e0e9cbe73f16dc103b3ccd141d253cbf735cb76c8f9266e3389d91b03db69bdb"},
    {"longtexts", 52579, NULL}, /* the published text is not at hand; equal shape and size */
    {"records-1KiB", 993, NULL},
    {"records-64KiB", 65533, NULL},
    {"records-1MiB", 1048543, NULL},
    {"record-1KiB", 1024 + 18, NULL},
    {"record-64KiB", 65536 + 18, NULL},
    {"record-1MiB", 1048576 + 18, NULL},
    {"record-sparse-64KiB", 65536 + 18, NULL},
    {"record-dense-64KiB", 65536 + 18, NULL},
    {"control-64KiB", 65536 + 11, NULL},
    {"control-dense-64KiB", 65536 + 11, NULL},
    {"unicode-64KiB", 65538 + 18, NULL},
    {"fenced-64KiB", 65536 + 18 + 12, NULL},
    {"pretty-64KiB", 65536 + 18 + 9, NULL},
    {"numeric-1KiB", 841, NULL},
    {"numeric-64KiB", 54601, NULL},
    {"numeric-1MiB", 873811, NULL},
    {"message-100", 100, NULL},
    {"mcp-call", 158, NULL},
    {"mcp-ping", 41, NULL},
    {"mcp-initialize", 159, NULL},
    {"jwt", 182, NULL},
    {"cargo-artifact", 266, NULL},
    {"graph", 11705, NULL},
    {"integers-1M", 6888891, NULL},
    {"records-1M", 84918387, NULL},
};

static int make_list(void **state)
{
    static struct fixture_list list;
    size_t files;
    if (!fixture_list_make("/nonexistent", &list, &files) || files != 0)
        return -1;
    *state = &list;
    return 0;
}

static int free_list(void **state)
{
    fixture_list_free(*state);
    return 0;
}

static void make(const struct fixture_list *list, const char *name, struct text *out)
{
    const struct fixture *fixture = fixture_find(list, name);
    if (fixture == NULL)
        fail_msg("no fixture %s", name);
    assert_true(fixture_make(fixture, out));
}

static void fixtures_have_the_published_bytes(void **state)
{
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct expected *e = &expected[i];
        struct text text = {0};
        char digest[65];
        make(*state, e->name, &text);
        if (text.len != e->len)
            fail_msg("%s has %zu bytes, not %zu", e->name, text.len, e->len);
        sha256_hex(text.data, text.len, digest);
        if (e->sha256 != NULL && strcmp(digest, e->sha256) != 0)
            fail_msg("%s has digest %s", e->name, digest);
        text_free(&text);
    }
}

static void fixtures_are_json_unless_lenient(void **state)
{
    const struct fixture_list *list = *state;
    for (size_t i = 0; i < list->count; i++) {
        struct text text = {0};
        struct trace trace = {0};
        size_t fault;
        unsigned traits = list->items[i].traits;
        assert_true(fixture_make(&list->items[i], &text));
        bool ok = reference_read_json(text.data, text.len, traits & FIXTURE_LINES, &trace, &fault);
        if (ok != !(traits & FIXTURE_LENIENT))
            fail_msg("%s: %s, byte %zu", list->items[i].name, ok ? "is JSON" : "is not JSON", fault);
        trace_free(&trace);
        text_free(&text);
    }
}

/* The thousand requests take 149,890 bytes as documents, without the line feeds between them. */
static void requests_are_one_a_line(void **state)
{
    struct text text = {0};
    size_t lines = 0;
    make(*state, "mcp-1000", &text);
    for (size_t i = 0; i < text.len; i++)
        lines += text.data[i] == '\n';
    assert_int_equal(lines, 1000);
    assert_int_equal(text.len - lines, 149890);
    text_free(&text);
}

static void names_are_unique(void **state)
{
    const struct fixture_list *list = *state;
    for (size_t i = 0; i < list->count; i++)
        assert_ptr_equal(fixture_find(list, list->items[i].name), &list->items[i]);
}

/* FIPS 180-4 example messages, and the lengths around a block's end. */
static void sha256_gives_known_digests(void **state)
{
    static const struct {
        const char *text;
        size_t repeat;
        const char *digest;
    } cases[] = {
        {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"a", 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
        {"a", 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
        {"a", 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
        {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text text = {0};
        char digest[65];
        for (size_t n = 0; n < cases[i].repeat; n++)
            text_puts(&text, cases[i].text);
        sha256_hex(text.data, text.len, digest);
        assert_string_equal(digest, cases[i].digest);
        text_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256_gives_known_digests),
        cmocka_unit_test(fixtures_have_the_published_bytes),
        cmocka_unit_test(fixtures_are_json_unless_lenient),
        cmocka_unit_test(requests_are_one_a_line),
        cmocka_unit_test(names_are_unique),
    };
    return cmocka_run_group_tests(tests, make_list, free_list);
}
