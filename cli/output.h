/* Output files: written beside the target and renamed onto it, so that a failure leaves the old file whole. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "cli.h"

struct packer;

struct output_file {
    const struct cli *cli;
    const char *name; /* as shown */
    int fd;
    char *target;    /* links followed; NULL: fd is the destination itself */
    char *temporary; /* NULL: none */
    unsigned mode;
    struct packer *packer;
    uint64_t written;
    int system;  /* errno of the first failed write */
    bool closed_pipe;
    char last;   /* the last byte written */
};

/* Standard output for path NULL or "-". EXIT_DONE, or a code after a message. */
enum exit_code output_open(struct output_file *out, const struct cli *cli, const char *path);
weir_sink output_sink(struct output_file *out);
bool output_write(struct output_file *out, const void *bytes, size_t size);
/* Puts the result in place (keep), or removes every trace. EXIT_DONE, or a code after a message. */
enum exit_code output_close(struct output_file *out, bool keep);
/* Do both name one file? */
bool output_is_input(const char *output, const char *input);

#endif
