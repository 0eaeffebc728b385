/* Order statistics of a few samples. */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

#include <stddef.h>

/* Sorts the samples. */
double stats_median(double *samples, size_t count);
/* (largest - smallest) / median of sorted samples. */
double stats_spread(const double *sorted, size_t count);

#endif
