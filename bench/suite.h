/* Which operations are measured on which fixtures, and running them all. */
#ifndef BENCH_SUITE_H
#define BENCH_SUITE_H

#include "bench.h"
#include "fixtures.h"
#include "measure.h"

struct suite_options {
    const char *corpora; /* the folder whose bench/ has the files */
    bool (*wanted)(const char *op, const char *fixture, const char *engine);
    struct measure_options measure;
    bool list; /* print the scenarios to stdout instead of running them */
};

/* False when weir was wrong, a fixture could not be made, or memory ran out; the report has what was
 * measured. */
bool suite_run(const struct suite_options *options, struct report *report);

#endif
