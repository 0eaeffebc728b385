/* The documents that are measured: files of the corpora folder and documents
 * that are generated here. A fixture is made when it is asked for and freed
 * when its scenarios are done, so that one large one is held at a time. */
#ifndef BENCH_FIXTURES_H
#define BENCH_FIXTURES_H

#include "text.h"

#include <stdbool.h>
#include <stddef.h>

enum fixture_traits {
    FIXTURE_FILE = 1,    /* a file of the corpora */
    FIXTURE_CORE = 2,    /* slow peers run on it too; the floors are measured on it */
    FIXTURE_LINES = 4,   /* one document a line */
    FIXTURE_BINARY = 8,  /* also measured as CBOR and MessagePack */
    FIXTURE_REFUSE = 16, /* also measured broken at several places */
    FIXTURE_LENIENT = 32 /* not strict JSON: input for normalizing readers only */
};

struct fixture {
    char name[40];
    unsigned traits;
    void (*generate)(struct text *out, size_t a, size_t b); /* NULL for a file */
    size_t a, b;                                            /* what the generator takes */
    char path[512];                                         /* of a file */
};

struct fixture_list {
    struct fixture *items;
    size_t count;
};

/* Lists the files of `folder`, sorted by name, then the generated fixtures. A folder that cannot be read
 * gives the generated ones only; *files tells how many files there are. False when memory runs out. */
bool fixture_list_make(const char *folder, struct fixture_list *list, size_t *files);
void fixture_list_free(struct fixture_list *list);
const struct fixture *fixture_find(const struct fixture_list *list, const char *name);

/* The bytes of a fixture. False when the file cannot be read or memory runs out. */
bool fixture_make(const struct fixture *fixture, struct text *out);

#endif
