/* Fast paths against the general ones: weir_parse, weir_parser_parse and a reader with weir_read_doc accept
 * the same inputs, make equal documents and give the same first error; weir_write_val and a writer fed with
 * events give the same bytes and the same refusals.
 *
 * Input: format, options (bit 7: borrow), bytes. */
#include "fuzz.h"

/* Exactly one document through the event path, as weir_parse promises. */
static weir_doc *read_one(const weir_format *format, const char *data, size_t len,
                          const weir_options *options, weir_error *error)
{
    weir_reader *reader = weir_reader_open(format, data, len, options, error);
    if (!reader)
        return NULL;
    weir_doc *doc = weir_read_doc(reader, error);
    if (doc) {
        const weir_event *event = weir_reader_next(reader);
        if (!event || event->kind != WEIR_KIND_END_STREAM) {
            if (event)
                error->code = WEIR_E_TRAILING;
            else
                *error = *weir_reader_error(reader);
            weir_doc_free(doc);
            doc = NULL;
        }
    } else if (error->code == WEIR_E_NONE) {
        error->code = WEIR_E_EMPTY;
    }
    weir_reader_close(reader);
    return doc;
}

static void check_write(const weir_format *format, const weir_doc *doc, const weir_options *options)
{
    weir_buffer fast = {0}, general = {0};
    weir_error error = {0};
    bool ok = weir_write_val(format, weir_doc_root(doc), options, &fast, &error);
    weir_writer *writer = weir_writer_open(format, &general, options, NULL);
    CHECK(writer);
    bool general_ok = weir_writer_put(writer, weir_doc_root(doc)) && weir_writer_finish(writer);
    const weir_error *cause = weir_writer_error(writer);
    if (ok != general_ok || error.code != cause->code || strcmp(error.path, cause->path) != 0) {
        fprintf(stderr, "%s: fast %s at '%s', general %s at '%s'\n", weir_format_name(format),
                weir_code_name(error.code), error.path, weir_code_name(cause->code), cause->path);
        abort();
    }
    CHECK(!ok || (fast.len == general.len && memcmp(fast.data, general.data, fast.len) == 0));
    weir_writer_close(writer);
    weir_buffer_free(&fast);
    weir_buffer_free(&general);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const weir_format *format = fuzz_format(data[0]);
    weir_options options = fuzz_options(data[1]);
    if (data[1] & 1u << 7)
        options.flags |= WEIR_BORROW;
    if (options.duplicates == WEIR_DUPLICATES_LAST) /* documents only: an event can't be taken back */
        options.duplicates = WEIR_DUPLICATES_KEEP;
    size_t len = size - 2;
    char *copy = fuzz_exact_copy(data + 2, len);

    weir_error expected = {0}, error = {0};
    weir_doc *general = read_one(format, copy, len, &options, &expected);
    weir_doc *fast = weir_parse(format, copy, len, &options, &error);
    CHECK(!general == !fast);
    if (fast) {
        CHECK(weir_equal(weir_doc_root(general), weir_doc_root(fast), 0, NULL));
        CHECK(weir_doc_nodes(general) == weir_doc_nodes(fast));
    } else if (expected.code == WEIR_E_TRAILING || expected.code == WEIR_E_EMPTY) {
        CHECK(error.code == expected.code); /* read_one doesn't know the place */
    } else {
        CHECK(fuzz_same_error(&error, &expected));
    }

    weir_parser *parser = weir_parser_new(&options, &error);
    CHECK(parser);
    for (int round = 0; round < 2; round++) { /* the second time in used memory */
        const weir_doc *reused = weir_parser_parse(parser, format, copy, len, NULL, &error);
        CHECK(!reused == !fast);
        if (reused)
            CHECK(weir_equal(weir_doc_root(reused), weir_doc_root(fast), 0, NULL));
    }
    weir_parser_free(parser);

    const weir_format *target;
    for (size_t i = 0; fast && (target = weir_format_at(i)); i++)
        if (weir_format_caps(target) & WEIR_CAP_WRITE)
            check_write(target, fast, &options);
    weir_doc_free(general);
    weir_doc_free(fast);
    free(copy);
    return 0;
}
