/* Order statistics of a few samples. See stats.h. */
#include "stats.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double stats_median(double *samples, size_t count)
{
    qsort(samples, count, sizeof *samples, compare);
    return count % 2 ? samples[count / 2] : (samples[count / 2 - 1] + samples[count / 2]) / 2;
}

double stats_spread(const double *sorted, size_t count)
{
    double median = count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
    return (sorted[count - 1] - sorted[0]) / median;
}
