/* Documents never change, so a changed one is written anew: parts of old ones are put into a writer between
 * new values. */
#include "example.h"

int main(void)
{
    weir_doc *defaults =
        parse_text(weir_json, "{\"port\": 8080, \"hosts\": [\"localhost\"], \"tls\": {\"on\": false}}");
    weir_doc *given =
        parse_text(weir_json, "{\"hosts\": [\"a.example\", \"b.example\"], \"name\": \"demo\"}");
    weir_error error;
    weir_writer *w = weir_writer_open_doc(NULL, &error);
    if (!w)
        fail_with(&error);

    /* All defaults, with what was given in their places; then what is new. */
    weir_write_map(w, WEIR_UNKNOWN);
    weir_iter it = weir_iter_of(weir_doc_root(defaults));
    while (weir_iter_next(&it)) {
        const weir_val *own = weir_get(weir_doc_root(given), weir_val_cstr(it.key));
        weir_writer_put(w, it.key); /* in a map, where a key is due, it is one */
        weir_writer_put(w, own ? own : it.val);
    }
    it = weir_iter_of(weir_doc_root(given));
    while (weir_iter_next(&it)) {
        if (weir_get(weir_doc_root(defaults), weir_val_cstr(it.key)))
            continue;
        weir_writer_put(w, it.key);
        weir_writer_put(w, it.val);
    }
    weir_write_end(w);
    if (!weir_writer_finish(w))
        fail_with(weir_writer_error(w));
    weir_doc *merged = weir_writer_take_doc(w);
    weir_writer_close(w);
    weir_doc_free(defaults);
    weir_doc_free(given);

    print_value(weir_json, weir_doc_root(merged), NULL);
    const weir_val *hosts = weir_get(weir_doc_root(merged), "hosts");
    expect(weir_val_count(weir_doc_root(merged)) == 4 && weir_val_count(hosts) == 2,
           "four settings, two hosts");

    /* A document of its own from a part: */
    weir_doc *part = weir_doc_copy(hosts, NULL, &error);
    if (!part)
        fail_with(&error);
    weir_doc_free(merged);
    print_value(weir_json, weir_doc_root(part), NULL);
    weir_doc_free(part);
    return 0;
}
