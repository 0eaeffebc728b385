/* One document, one sequence of bytes, for hashes and signatures: RFC 8785 for JSON, deterministic encoding
 * for CBOR (RFC 8949, section 4.2.1). And, for people, keys in order. */
#include "example.h"

static void hex(const weir_buffer *bytes)
{
    for (size_t i = 0; i < bytes->len; i++)
        printf("%02x", (unsigned char)bytes->data[i]);
    putchar('\n');
}

int main(void)
{
    /* The same twice, written differently. */
    const char *texts[] = {"{\"b\": 1e2, \"a\": \"\\u00e9\", \"c\": 0.10}",
                           "{\"a\":\"é\",\"c\":1e-1,\"b\":100.0}"};
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.flags = WEIR_CANONICAL;
    weir_buffer json[2] = {{0}, {0}}, cbor[2] = {{0}, {0}};
    weir_error error;
    for (int i = 0; i < 2; i++) {
        size_t len = strlen(texts[i]);
        if (!weir_convert(weir_json, texts[i], len, weir_json, &options, &json[i], &error) ||
            !weir_convert(weir_json, texts[i], len, weir_cbor, &options, &cbor[i], &error))
            fail_with(&error);
    }
    printf("%s\n", json[0].data);
    hex(&cbor[0]);
    expect(strcmp(json[0].data, "{\"a\":\"é\",\"b\":100,\"c\":0.1}") == 0, "RFC 8785");
    expect(strcmp(json[0].data, json[1].data) == 0, "one text");
    expect(cbor[0].len == cbor[1].len && memcmp(cbor[0].data, cbor[1].data, cbor[0].len) == 0,
           "one encoding");

    /* What has no canonical form is refused: here an integer that JSON's doubles can't hold. */
    weir_buffer out = {0};
    expect(!weir_convert(weir_json, "9007199254740993", 16, weir_json, &options, &out, &error), "2^53 + 1");
    printf("refused: %s\n", weir_code_message(error.code));
    expect(error.code == WEIR_E_LOSS_BIGINT && out.len == 0, "and nothing written");

    options.flags = WEIR_SORT_KEYS; /* other formats, other layouts; numbers as they are */
    options.indent = 2;
    if (!weir_convert(weir_json, texts[0], strlen(texts[0]), weir_json, &options, &out, &error))
        fail_with(&error);
    printf("%s\n", out.data);
    for (int i = 0; i < 2; i++) {
        weir_buffer_free(&json[i]);
        weir_buffer_free(&cbor[i]);
    }
    weir_buffer_free(&out);
    return 0;
}
