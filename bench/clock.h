/* Thread CPU time, pinning, and the instruction counter where there is one. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

uint64_t clock_thread_ns(void);
/* Pins the thread to the last CPU it may use; its number, or -1. */
int clock_pin(void);
/* User-space instructions of this thread so far; false without a counter. */
bool clock_instructions(uint64_t *count);

#endif
