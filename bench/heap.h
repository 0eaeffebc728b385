/* Counts what the engine under measurement takes from malloc, in a pass of its
 * own that is not timed. The executable defines malloc and its kin and hands
 * every call on to glibc; elsewhere, and under sanitizers, nothing is counted.
 * Memory that a library maps by itself is not seen. */
#ifndef BENCH_HEAP_H
#define BENCH_HEAP_H

#include <stdbool.h>
#include <stddef.h>

struct heap_count {
    size_t allocations; /* calls that gave memory, reallocations included */
    long long live;     /* bytes given minus bytes taken back since heap_start */
    long long peak;     /* largest `live` */
};

/* Sets glibc's thresholds to where they settle in a long-running process that has freed a large block. Left
 * to themselves they depend on which engine ran before, and small trees are then unmapped after every run. */
void heap_settle(void);

bool heap_is_counted(void);
void heap_start(void);
/* Starts a new count of allocations and of the peak; `live` goes on. */
void heap_mark(void);
struct heap_count heap_read(void);
void heap_stop(void);

#endif
