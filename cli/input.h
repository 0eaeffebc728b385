/* Input files: opened, decompressed, looked at, and remembered around a fault. */
#ifndef INPUT_H
#define INPUT_H

#include "cli.h"
#include "output.h"
#include "progress.h"

struct unpacker;

struct input_file {
    const struct cli *cli;
    const char *path, *name; /* as given; as shown */
    int fd;
    bool is_regular;
    uint64_t size; /* of a regular file, as stored */
    struct progress progress;
    enum packing packing;
    struct unpacker *unpacker;
    uint64_t stored, unpacked; /* bytes read, bytes given */
    weir_buffer head;          /* bytes that were looked at before reading */
    size_t head_at;
    weir_buffer replay; /* stored bytes that were looked at, for the unpacker */
    size_t replay_at;
    weir_buffer tail; /* the last bytes that were given */
    uint64_t tail_base;
    bool ended, too_dense, damaged;
    void (*on_wait)(void *context); /* called before a read that has to wait; NULL: nothing */
    void *wait_context;
};

/* Opens a path, "-" for standard input. EXIT_DONE, or a code after a message. */
enum exit_code input_open(struct input_file *in, const struct cli *cli, const char *path);
void input_close(struct input_file *in);
/* The decompressed bytes. One source an input. */
weir_source input_source(struct input_file *in);
/* --from, else the extension, else the content; NULL after a message. */
const weir_format *input_format(struct input_file *in);
/* How much of an input that is read whole is worth reading: one byte more than its limit. */
size_t input_most(const struct cli *cli);
/* Reads what follows, up to max bytes more. *whole: nothing is left. false: reading failed. */
bool input_read(struct input_file *in, size_t max, weir_buffer *out, bool *whole);
/* The byte at an offset if it is still remembered, else -1. */
int input_byte(const struct input_file *in, uint64_t offset);
/* Reports an error that came from reading this input. all: the whole content if it is at hand, else NULL. */
enum exit_code input_diagnose(struct input_file *in, const weir_format *format, const weir_error *error,
                              const weir_buffer *all);

#endif
