/* Are two documents the same? With or without the order of keys, and numbers by their value. */
#include "example.h"

static bool same(const weir_format *fa, const char *a, const weir_format *fb, const char *b, uint32_t flags)
{
    weir_doc *x = parse_text(fa, a), *y = parse_text(fb, b);
    weir_error error = {0};
    bool equal = weir_equal(weir_doc_root(x), weir_doc_root(y), flags, &error);
    if (!equal && error.code != WEIR_E_NONE)
        fail_with(&error); /* comparing without order needs memory */
    printf("%-26s %s %s\n", a, equal ? "equals" : "is not", b);
    weir_doc_free(x);
    weir_doc_free(y);
    return equal;
}

int main(void)
{
    const char *ab = "{\"a\": 1, \"b\": [2]}", *ba = "{\"b\": [2], \"a\": 1}";
    expect(same(weir_json, ab, weir_json, "{\"a\":1,\"b\":[2]}", 0), "white space is not compared");
    expect(!same(weir_json, ab, weir_json, ba, 0), "order is");
    expect(same(weir_json, ab, weir_json, ba, WEIR_EQ_UNORDERED), "unless it is left out");
    expect(!same(weir_json, "[1, 2]", weir_json, "[2, 1]", WEIR_EQ_UNORDERED), "of maps, not of arrays");
    expect(!same(weir_json, "[100, 1.5]", weir_json, "[1e2, 1.50]", 0), "an integer is no real");
    expect(same(weir_json, "[100, 1.5]", weir_json, "[1e2, 1.50]", WEIR_EQ_NUMERIC), "by value it is");
    expect(same(weir_json, "[1.5, \"a\"]", weir_cbor_diag, "[1.5_1, 'a']", 0) == false,
           "a byte string is no text");
    expect(same(weir_json, "[1.5, \"a\"]", weir_cbor_diag, "[1.5_1, \"a\"]", 0),
           "formats and widths do not matter");
    return 0;
}
