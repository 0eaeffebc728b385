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
    bool finished; /* the writer: another input needs a new one */
    bool complete; /* everything was converted that could be */
    uint64_t bad;  /* records that were skipped */
};

/* No files on the command line: standard input. */
void transfer_default_input(struct cli *cli);

/* Opens the writer over the output. */
enum exit_code transfer_begin(struct transfer *t, struct cli *cli, const weir_format *to,
                              struct output_file *out);
/* All documents of an input that is open. */
enum exit_code transfer_input(struct transfer *t, struct input_file *in, const weir_format *from);
/* Finishes the writer; ends text with a line break. input: the last one's name, for what is wrong with all of
 * it. */
enum exit_code transfer_finish(struct transfer *t, const char *input);
void transfer_close(struct transfer *t);
/* Reports what the target can't carry: at a line of the input, or (line 0) in its document number `document`,
 * from 0. */
enum exit_code transfer_loss(const struct transfer *t, const struct input_file *in, const weir_error *given,
                             uint64_t line, uint64_t document);

/* Is the input read as a stream of documents? */
bool transfer_is_stream(const struct cli *cli, const weir_format *from);

/* The parallel way for records, jobs.c. */
bool jobs_fit(const struct cli *cli, const weir_format *from, const weir_format *to);
enum exit_code jobs_run(struct transfer *t, struct input_file *in, const weir_format *from);

#endif
