/* Where and how a run was made, for the head of a report. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

struct machine {
    char cpu[128];
    char system[224];
    char compiler[96];
    char date[32]; /* UTC */
};

void machine_describe(struct machine *out);

#endif
