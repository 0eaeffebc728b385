/* Documents through every writer: what was read from a format and written in the same format reads back
 * equal; what another format takes without loss reads back and is then written to the same bytes. Where kinds
 * have one spelling in every format, it reads back equal too.
 *
 * Input: format, options, bytes. */
#include "fuzz.h"

/* Whether the document holds only kinds that every format keeps as they are. CBOR reads times back as tags,
 * exact decimal numbers are normalised, and a narrow real becomes the nearest double of its shortest text. */
static bool is_universal(const weir_doc *doc)
{
    bool universal = true;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits = weir_unlimited;
    weir_reader *reader = weir_reader_open_val(weir_doc_root(doc), &options, NULL);
    CHECK(reader);
    const weir_event *event;
    while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_STREAM) {
        universal &= event->kind != WEIR_KIND_NUMBER && event->kind != WEIR_KIND_TIMESTAMP &&
                     event->kind != WEIR_KIND_TAGGED && event->kind != WEIR_KIND_SECRET;
        universal &= event->kind != WEIR_KIND_REAL || event->width == WEIR_WIDTH_64;
    }
    CHECK(event);
    weir_reader_close(reader);
    return universal;
}

/* equal: the flags of the comparison that it must stand. */
static void check_format(const weir_format *format, const weir_doc *doc, bool must_write, bool must_equal,
                         uint32_t equal)
{
    weir_error error;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits = weir_unlimited;
    options.numbers = WEIR_NUMBERS_DECIMAL; /* EXACT turns 1e-400 into 0 */
    weir_buffer first = {0}, second = {0};
    bool written = weir_write_val(format, weir_doc_root(doc), &options, &first, &error);
    CHECK(written || !must_write);
    CHECK(written || first.len == 0);
    if (written) {
        weir_doc *again = weir_parse(format, first.data, first.len, &options, &error);
        CHECK(again);
        CHECK(!must_equal || weir_equal(weir_doc_root(doc), weir_doc_root(again), equal, NULL));
        CHECK(weir_write_val(format, weir_doc_root(again), &options, &second, &error));
        CHECK(first.len == second.len && memcmp(first.data, second.data, first.len) == 0);
        weir_doc_free(again);
    }
    weir_buffer_free(&first);
    weir_buffer_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const weir_format *format = fuzz_format(data[0]);
    weir_options options = fuzz_options(data[1]);
    char *copy = fuzz_exact_copy(data + 2, size - 2);
    weir_error error;
    weir_doc *doc = weir_parse(format, copy, size - 2, &options, &error);
    free(copy); /* documents own what they need */
    if (!doc) {
        CHECK(error.code != WEIR_E_NONE);
        return 0;
    }
    bool universal = is_universal(doc);
    const weir_format *target;
    for (size_t i = 0; (target = weir_format_at(i)); i++)
        if (weir_format_caps(target) & WEIR_CAP_WRITE)
            /* 31e400 is 4([400, 31]), which is read as 3.1e401, and as a tag if the policy keeps no decimals.
             */
            check_format(target, doc, target == format,
                         (target == format && options.numbers == WEIR_NUMBERS_DECIMAL) || universal,
                         universal ? 0 : WEIR_EQ_NUMERIC);
    weir_doc_free(doc);
    return 0;
}
