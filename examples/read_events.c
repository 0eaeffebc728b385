/* Read a stream of any length in constant memory, under limits: here, how often each kind of value occurs. */
#include "example.h"

#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "examples/data/gauges.json";
    const weir_format *format = weir_format_for_path(path);
    int fd = open(path, O_RDONLY);
    if (!format || fd < 0) {
        fprintf(stderr, "%s: no such file, or of no known format\n", path);
        return 1;
    }

    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits.depth = 32;
    options.limits.string = 64 * 1024;
    options.limits.nodes = 10 * 1000 * 1000;

    weir_error error;
    weir_reader *reader = weir_reader_open_source(format, weir_source_fd(fd), &options, &error);
    if (!reader)
        fail_with(&error);
    unsigned long count[WEIR_KIND_END] = {0};
    const weir_event *event;
    while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_STREAM)
        if (event->kind < WEIR_KIND_END && !event->is_key)
            count[event->kind]++;
    if (!event)
        fail_with(weir_reader_error(reader));
    for (int kind = 0; kind < WEIR_KIND_END; kind++)
        if (count[kind])
            printf("%8lu %s\n", count[kind], weir_kind_name((weir_kind)kind));
    weir_reader_close(reader);
    close(fd);
    return 0;
}
