/* The three forms of a report, and the sums that they share. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "bench.h"
#include "text.h"

/* The reference's speed against one engine, or against the fastest of several, over an operation's fixtures.
 */
struct comparison {
    size_t fixtures;
    double mean; /* geometric */
    double lowest;
    const char *lowest_fixture;
};

struct comparison report_compare(const struct report *report, enum op op, const char *const *engines,
                                 size_t count, bool files_only);
/* The peers whose faster one is the mark to reach, file by file. */
extern const char *const report_mark[2];

/* NULL when the operation has no row that was measured. */
const char *report_reference(const struct report *report, enum op op);
/* Whether there are rows of the operation, measured or not. */
bool report_has(const struct report *report, enum op op);
/* Engine names of the operation in order of first appearance, the reference first; at most `cap`. */
size_t report_engines(const struct report *report, enum op op, const char **names, size_t cap);

void report_table(const struct report *report, struct text *out);
void report_json(const struct report *report, struct text *out);
void report_html(const struct report *report, struct text *out);

#endif
