/* Make a document from calls, without any text: every kind of value, tags and timestamps. Then look at it. */
#include "example.h"

static weir_doc *build(void)
{
    static const unsigned char serial[] = {0x01, 0xA7};
    /* 2026-05-04T03:02:01.250+02:00: seconds count in UTC, the offset says how it was written */
    const weir_timestamp opened = {.seconds = 1777856521,
                                   .nanoseconds = 250000000,
                                   .offset_minutes = 120,
                                   .shape = WEIR_TIME_OFFSET,
                                   .digits = 3};
    weir_error error;
    weir_writer *w = weir_writer_open_doc(NULL, &error);
    if (!w)
        fail_with(&error);
    weir_write_map(w, WEIR_UNKNOWN); /* or the number of entries */
    weir_write_key(w, "name", 4);
    weir_write_str(w, "Grafhorst", 9);
    weir_write_key(w, "closed", 6);
    weir_write_bool(w, false);
    weir_write_key(w, "offset", 6);
    weir_write_int(w, -12);
    weir_write_key(w, "levels", 6);
    weir_write_array(w, 3);
    weir_write_double(w, 1.482);
    weir_write_float(w, 0.5f); /* formats with widths write 4 bytes, text 0.5 */
    weir_write_number(w, "123456789012345678901234567890", 30); /* exact, of any size */
    weir_write_end(w);
    weir_write_key(w, "serial", 6);
    weir_write_bytes(w, serial, sizeof serial);
    weir_write_key(w, "opened", 6);
    weir_write_timestamp(w, opened);
    weir_write_key(w, "page", 4);
    weir_write_tag(w, 32); /* RFC 8949: the text that follows is a URI */
    weir_write_str(w, "https://example.org/", 20);
    weir_write_key(w, "ext", 3);
    weir_write_tag_name(w, "ext:5", 5); /* MessagePack's extension type 5 */
    weir_write_bytes(w, serial, sizeof serial);
    weir_write_key(w, "pin", 3);
    weir_write_secret(w, "0000", 4); /* no format writes it */
    weir_write_end(w);
    if (!weir_writer_finish(w)) /* the first error of all these calls */
        fail_with(weir_writer_error(w));
    weir_doc *doc = weir_writer_take_doc(w);
    weir_writer_close(w);
    return doc;
}

int main(void)
{
    weir_doc *doc = build();
    const weir_val *root = weir_doc_root(doc), *levels = weir_get(root, "levels");
    printf("%zu values in %zu bytes\n", weir_doc_nodes(doc), weir_doc_memory(doc));

    size_t entries = 0;
    weir_iter it = weir_iter_of(root);
    while (weir_iter_next(&it)) {
        printf("  %-8s %s\n", weir_val_cstr(it.key), weir_kind_name(weir_val_kind(it.val)));
        entries++;
    }
    expect(entries == 9 && weir_val_count(root) == entries, "there are nine entries");

    expect(weir_val_is(weir_get(root, "closed"), WEIR_KIND_FALSE), "a kind");
    expect(!weir_val_bool(weir_get(root, "closed")), "a bool");
    int64_t offset;
    uint64_t none = 1;
    expect(weir_val_i64(weir_get(root, "offset"), &offset) && offset == -12, "an integer");
    expect(!weir_val_u64(weir_get(root, "offset"), &none) && none == 1, "-12 is no unsigned integer");
    expect(weir_val_width(weir_at(levels, 1)) == WEIR_WIDTH_32, "a float's width");
    double nearest;
    expect(weir_val_f64(weir_at(levels, 2), &nearest) && nearest > 1.2345e29, "a large number as a double");
    size_t len;
    const char *digits = weir_val_str(weir_at(levels, 2), &len);
    expect(len == 30 && memcmp(digits, "1234567890", 10) == 0, "and its text");
    weir_timestamp opened;
    expect(weir_val_timestamp(weir_get(root, "opened"), &opened) && opened.offset_minutes == 120,
           "a timestamp");
    const weir_val *page = weir_get(root, "page");
    uint64_t tag;
    expect(weir_val_u64(weir_val_tag(page), &tag) && tag == 32, "a tag");
    expect(strcmp(weir_val_cstr(weir_val_tagged(page)), "https://example.org/") == 0, "what it tags");

    /* Diagnostic notation has no ext:5, but will do without; the secret never leaves. */
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.allow = WEIR_ALLOW_TAG;
    weir_buffer out = {0};
    weir_error error;
    expect(!weir_write_val(weir_cbor_diag, root, &options, &out, &error), "a secret is refused");
    printf("refused at %s: %s\n", error.path, weir_code_message(error.code));
    expect(error.code == WEIR_E_LOSS_SECRET && out.len == 0, "nothing is left behind");
    weir_buffer_free(&out);
    print_value(weir_cbor_diag, weir_get(root, "levels"), NULL);
    print_value(weir_cbor_diag, weir_get(root, "opened"), NULL);
    weir_doc_free(doc);
    return 0;
}
