/* Change a stream while it flows by: entries of one name are left out, strings are counted, the rest passes
 * unchanged. */
#include "example.h"

static bool is_key_named(const weir_event *event, const char *name)
{
    return event->is_key && event->kind == WEIR_KIND_STRING && event->len == strlen(name) &&
           memcmp(event->text, name, event->len) == 0;
}

/* Copies events up to the end of the stream, without entries of this name. */
static bool copy_without(weir_reader *reader, weir_writer *writer, const char *name)
{
    const weir_event *event;
    while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_STREAM) {
        if (is_key_named(event, name)) {
            /* The value's first event, then the rest of it, however large. */
            if (!weir_reader_next(reader) || !weir_reader_skip(reader))
                return false;
            continue;
        }
        weir_event copy = *event;
        if (copy.kind == WEIR_KIND_MAP)
            copy.count = WEIR_UNKNOWN; /* it may lose entries */
        if (!weir_write_event(writer, &copy))
            return false;
    }
    return event && weir_writer_finish(writer);
}

int main(void)
{
    const char *text =
        "{\"user\": \"ada\", \"password\": {\"hash\": [1, 2, 3]}, \"groups\": [\"a\", \"b\"]}\n"
        "{\"password\": null, \"user\": \"bob\"}\n";
    weir_error error;
    weir_buffer out = {0};
    weir_reader *reader = weir_reader_open(weir_ndjson, text, strlen(text), NULL, &error);
    weir_writer *writer = reader ? weir_writer_open(weir_ndjson, &out, NULL, &error) : NULL;
    if (!writer)
        fail_with(&error);
    if (!copy_without(reader, writer, "password")) {
        const weir_error *cause = weir_reader_error(reader);
        fail_with(cause->code ? cause : weir_writer_error(writer));
    }
    fputs(out.data, stdout);
    expect(strcmp(out.data, "{\"user\":\"ada\",\"groups\":[\"a\",\"b\"]}\n{\"user\":\"bob\"}\n") == 0,
           "without passwords");
    weir_writer_close(writer);
    weir_reader_close(reader);
    weir_buffer_free(&out);

    /* The events of a value that is in memory already come from a reader too. */
    weir_doc *doc = parse_text(weir_json, "[[1, [2]], \"x\", {\"k\": true}]");
    reader = weir_reader_open_val(weir_doc_root(doc), NULL, &error);
    if (!reader)
        fail_with(&error);
    const weir_event *event;
    while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_STREAM)
        printf("%s%s", weir_kind_name((weir_kind)event->kind),
               event->kind == WEIR_KIND_END_DOCUMENT ? "\n" : ", ");
    if (!event)
        fail_with(weir_reader_error(reader));
    weir_reader_close(reader);
    weir_doc_free(doc);
    return 0;
}
