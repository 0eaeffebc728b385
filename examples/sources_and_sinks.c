/* From one stream into another, in any two formats, with memory for one value only: sources and sinks are
 * functions, those for file descriptors are there. Writes all to standard output, or FILE to FILE. */
#include "example.h"

#include <fcntl.h>
#include <unistd.h>

/* A sink of our own: it counts what passes, and passes it on. */
struct meter {
    weir_sink to;
    size_t bytes, pieces;
    bool flushed;
};

static ptrdiff_t metered_write(void *context, const void *bytes, size_t size)
{
    struct meter *meter = context;
    ptrdiff_t took =
        meter->to.write(meter->to.context, bytes, size); /* may take less: the writer calls again */
    if (took > 0)
        meter->bytes += (size_t)took;
    meter->pieces++;
    return took;
}

static bool metered_flush(void *context)
{
    struct meter *meter = context;
    meter->flushed = true;
    return true;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "examples/data/gauges.json";
    int in = open(path, O_RDONLY);
    int out = argc > 2 ? open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0666) : STDOUT_FILENO;
    if (in < 0 || out < 0) {
        perror(in < 0 ? path : argv[2]);
        return 1;
    }
    const weir_format *from = weir_format_for_path(path),
                      *to = argc > 2 ? weir_format_for_path(argv[2]) : NULL;
    weir_error error;
    weir_reader *reader = weir_reader_open_source(from ? from : weir_json, weir_source_fd(in), NULL, &error);
    if (!reader)
        fail_with(&error);
    struct meter meter = {.to = weir_sink_fd(out)};
    weir_sink sink = {metered_write, metered_flush, &meter};
    weir_writer *writer = weir_writer_open_sink(to ? to : weir_ndjson, sink, NULL, &error);
    if (!writer)
        fail_with(&error);

    /* Everything, and the end: a transcode that succeeds has finished the writer. */
    if (!weir_transcode(reader, writer, &error))
        fail_with(&error);
    expect(meter.flushed && meter.bytes == weir_writer_offset(writer), "all bytes have arrived");
    fprintf(stderr, "%llu bytes read, %zu written in %zu pieces\n",
            (unsigned long long)weir_reader_offset(reader), meter.bytes, meter.pieces);
    weir_writer_close(writer);
    weir_reader_close(reader);
    close(in);
    return argc > 2 && close(out) != 0;
}
