/* A log of records, one a line, read document by document: memory is that of the largest record. A bad line
 * is reported and left out. */
#include "example.h"

static const char text[] = "{\"gate\": 1, \"cm\": 40}\n"
                           "{\"gate\": 2, \"cm\": }\n"
                           "\n"
                           "{\"gate\": 1, \"cm\": 35}\n";

/* A source is any function that gives bytes: here few at a time, as a socket might. */
struct place {
    const char *p, *end;
};

static ptrdiff_t give_some(void *context, void *out, size_t size)
{
    struct place *place = context;
    size_t n = (size_t)(place->end - place->p);
    n = n < 7 ? n : 7;
    n = n < size ? n : size;
    memcpy(out, place->p, n);
    place->p += n;
    return (ptrdiff_t)n;
}

static void bad_record(void *context, const weir_error *error)
{
    *(uint64_t *)context = error->line;
    printf("line %llu left out: %s\n", (unsigned long long)error->line, weir_code_message(error->code));
}

int main(void)
{
    uint64_t bad_line = 0, sum = 0;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.flags = WEIR_SKIP_BAD;
    options.on_bad_record = bad_record;
    options.context = &bad_line;

    struct place place = {text, text + sizeof text - 1};
    weir_error error;
    weir_stream *stream = weir_stream_open(weir_ndjson, (weir_source){give_some, &place}, &options, &error);
    if (!stream)
        fail_with(&error);
    const weir_doc *doc; /* until the next call */
    while ((doc = weir_stream_next(stream, &error))) {
        uint64_t cm;
        if (weir_val_u64(weir_get(weir_doc_root(doc), "cm"), &cm))
            sum += cm;
        printf("record up to byte %llu, line %llu\n", (unsigned long long)weir_stream_offset(stream),
               (unsigned long long)weir_stream_lines(stream));
    }
    if (error.code != WEIR_E_NONE) /* NONE is the end */
        fail_with(&error);
    expect(sum == 75 && bad_line == 2, "two good records, one bad");
    expect(weir_stream_offset(stream) == sizeof text - 1, "all bytes read");
    weir_stream_close(stream);

    /* The same by a reader, which gives events and documents as one likes. */
    weir_reader *reader = weir_reader_open(weir_ndjson, text, sizeof text - 1, NULL, &error);
    if (!reader)
        fail_with(&error);
    weir_doc *first = weir_read_doc(reader, &error);
    if (!first)
        fail_with(&error);
    expect(weir_reader_offset(reader) == 22, "the first line and its end");
    weir_doc_free(first);
    expect(!weir_read_doc(reader, &error) && error.line == 2,
           "the bad line, which this reader does not skip");
    weir_reader_close(reader);
    return 0;
}
