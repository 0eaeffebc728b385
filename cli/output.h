/* Output files: written beside the target and renamed onto it, so that a failure leaves the old file whole.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "cli.h"

enum packing { PACKING_NONE, PACKING_GZIP, PACKING_ZSTD };

struct packer;

struct output_file {
    const struct cli *cli;
    const char *name; /* as shown */
    int fd;
    char *target;    /* links followed; NULL: fd is the destination itself */
    char *temporary; /* NULL: none */
    unsigned mode;
    struct packer *packer;
    weir_buffer waiting; /* written, but not yet passed on */
    uint64_t written;
    int system; /* errno of the first failed write */
    char last;  /* the last byte written */
};

/* Standard output for path NULL or "-", which is never packed. EXIT_DONE, or a code after a message. */
enum exit_code output_open(struct output_file *out, const struct cli *cli, const char *path,
                           enum packing packing);
weir_sink output_sink(struct output_file *out);
bool output_write(struct output_file *out, const void *bytes, size_t size);
/* Passes on what waits: it is collected into pieces of 64 KiB. */
bool output_flush(struct output_file *out);
/* Reports that a write failed. EXIT_PIPE without a message if the reader has gone. */
enum exit_code output_failed(const struct output_file *out);
/* Puts the result in place (keep), or removes every trace. EXIT_DONE, or a code after a message. */
enum exit_code output_close(struct output_file *out, bool keep);
/* Would writing to an output (NULL or "-": standard output) spoil an input that is still read? */
bool output_is_input(const char *output, const char *input);

#endif
