/* The row of a format in the table. */
#ifndef FLOW_FORMAT_PRIV_H
#define FLOW_FORMAT_PRIV_H

#include "weir/format.h"

struct reader_ops;
struct writer_ops;

struct weir_format {
    const char *name, *summary;
    const char *const *mime, *const *extensions;
    uint32_t caps;
    /* 0 (not this format) … 100 (certain), from at most 4 KiB; whole: nothing follows. */
    int (*detect)(const uint8_t *p, size_t n, bool whole);
    const struct reader_ops *reader;
    const struct writer_ops *writer;
    weir_code duplicate_key; /* the code for a duplicate key under `reject` */
};

#endif
