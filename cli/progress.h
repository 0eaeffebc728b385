/* A bar on standard error for long work: bytes, rate, time left. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "cli.h"

struct progress {
    bool on, shown;
    uint64_t total; /* bytes, or 0 if unknown */
    uint64_t done;
    double begun, drawn; /* seconds */
    double delay;
};

void progress_begin(struct progress *progress, const struct cli *cli, uint64_t total);
/* `done` bytes of the input have been read by now. */
void progress_update(struct progress *progress, uint64_t done);
/* Takes the bar away, before any other message. */
void progress_hide(struct progress *progress);

#endif
