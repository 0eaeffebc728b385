/* A connection that carries one message after the other in one buffer: a reusable parser takes each, tells
 * how many bytes belonged to it, and when the rest is yet to come. */
#include "example.h"

/* What the network delivered, piece by piece; messages are not aligned with the pieces. */
static const char *const pieces[] = {
    "{\"id\": 1, \"method\": \"open\"} {\"id\": 2, ",
    "\"method\": \"set\", \"params\": {\"gate\":",
    " 3, \"cm\": 40}}\n{\"id\": 3, \"method\": \"close\"}\n",
};

int main(void)
{
    weir_error error;
    weir_parser *parser = weir_parser_new(NULL, &error);
    if (!parser)
        fail_with(&error);
    weir_buffer in = {0};
    int messages = 0;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        if (!weir_buffer_append(&in, pieces[i], strlen(pieces[i])))
            return 1;
        size_t done = 0, consumed;
        const weir_doc *doc; /* lives until the next call: the parser's memory serves one after the other */
        while (
            (doc = weir_parser_parse(parser, weir_json, in.data + done, in.len - done, &consumed, &error))) {
            uint64_t id;
            const weir_val *root = weir_doc_root(doc);
            expect(weir_val_u64(weir_get(root, "id"), &id) && id == (uint64_t)++messages, "the next message");
            printf("message %d: %s\n", messages, weir_val_cstr(weir_get(root, "method")));
            done += consumed;
        }
        if (weir_code_category(error.code) != WEIR_CATEGORY_INCOMPLETE)
            fail_with(&error); /* wrong, and no more bytes will help */
        memmove(in.data, in.data + done, in.len - done);
        in.len -= done;
    }
    expect(messages == 3, "three messages");
    weir_parser_free(parser);
    weir_buffer_free(&in);

    /* Without a parser: one document from the beginning of a buffer, owned by the caller. */
    static const unsigned char two_items[] = {0x82, 0x01, 0x02, 0x63, 'e', 'n', 'd'};
    size_t consumed;
    weir_doc *first = weir_parse_prefix(weir_cbor, two_items, sizeof two_items, &consumed, NULL, &error);
    if (!first)
        fail_with(&error);
    printf("a CBOR array of %zu in the first %zu bytes\n", weir_val_count(weir_doc_root(first)), consumed);
    expect(consumed == 3, "the array's bytes");
    weir_doc_free(first);
    return 0;
}
