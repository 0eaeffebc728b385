/* Moving the documents of one input into one writer. */
#ifndef TRANSFER_H
#define TRANSFER_H

#include "input.h"
#include "output.h"

struct transfer {
    struct cli *cli;
    const weir_format *to;
    struct output_file *out;
    weir_writer *writer;
    uint64_t bad; /* records that were skipped */
};

/* Opens the writer over the output. */
enum exit_code transfer_begin(struct transfer *t, struct cli *cli, const weir_format *to, struct output_file *out);
/* All documents of an input that is open. */
enum exit_code transfer_input(struct transfer *t, struct input_file *in, const weir_format *from);
/* Finishes the writer; ends text with a line break. */
enum exit_code transfer_finish(struct transfer *t);
void transfer_close(struct transfer *t);

/* Is the input read as a stream of documents? */
bool transfer_is_stream(const struct cli *cli, const weir_format *from);

/* The parallel way for records, jobs.c. */
bool jobs_fit(const struct cli *cli, const weir_format *from, const weir_format *to);
enum exit_code jobs_run(struct transfer *t, struct input_file *in, const weir_format *from);

#endif
