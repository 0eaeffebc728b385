/* Runs one task through every engine that can do it: proof, heap count,
 * calibration, then rounds in turn; appends one row per engine. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "bench.h"

struct measure_options {
    size_t rounds;
    double min_ms; /* least time of one engine's share of a round */
};

/* `fixture` names the rows; `wanted` (may be NULL) decides which engines run beside the reference. False when
 * weir gave a wrong result or memory ran out; a peer's wrong result is a row with `trouble`. */
bool measure_task(const struct task *task, const char *fixture, bool from_file, bool core,
                  bool (*wanted)(const char *op, const char *fixture, const char *engine),
                  const struct measure_options *options, struct report *report);

#endif
