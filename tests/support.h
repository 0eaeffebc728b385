/* What tests share: paths of the corpora, whole files, an allocator that fails on demand and keeps books, and
 * pseudo-random numbers that can be repeated.
 *
 * Everything is static inline, so that a test program needs no object but its own. Include <cmocka.h> or
 * nothing before it: this header asserts nothing by itself. */
#ifndef WEIR_TESTS_SUPPORT_H
#define WEIR_TESTS_SUPPORT_H

#include "weir/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- files ---- */

/* The path of a file or folder of the corpora: $WEIR_CORPORA/relative, else ../shared/corpora/relative (tests
 * run in the project's root). NULL if it doesn't exist or doesn't fit; a test then skips what needs it. */
static inline const char *corpora_path(char *out, size_t size, const char *relative)
{
    const char *root = getenv("WEIR_CORPORA");
    int len = snprintf(out, size, "%s/%s", root && *root ? root : "../shared/corpora", relative);
    if (len < 0 || (size_t)len >= size)
        return NULL;
    FILE *file = fopen(out, "rb"); /* glibc opens folders for reading too */
    if (!file)
        return NULL;
    fclose(file);
    return out;
}

/* A whole file in memory from malloc with a NUL behind, its length in *len. NULL and 0 if it can't be read.
 */
static inline char *read_file(const char *path, size_t *len)
{
    *len = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t used = 0, cap = 4096;
    char *data = malloc(cap);
    while (data) {
        used += fread(data + used, 1, cap - 1 - used, file);
        if (used < cap - 1)
            break;
        char *larger = realloc(data, cap * 2);
        if (!larger)
            free(data);
        data = larger;
        cap *= 2;
    }
    if (data && ferror(file)) {
        free(data);
        data = NULL;
    }
    fclose(file);
    if (!data)
        return NULL;
    data[used] = '\0';
    *len = used;
    return data;
}

/* ---- the failing allocator ---- */

/* Set fail_at to n to make the n-th request for memory fail (from 1; freeing is no request), or leave it 0.
 * With `forever` all later requests fail too. Every resize moves the block and fresh memory is filled with
 * 0xA5, which brings stale pointers and unset bytes to light. A test ends with
 *     assert_int_equal(fault.live_blocks, 0);
 *     assert_int_equal(fault.wrong_sizes, 0); */
typedef struct fault_allocator {
    uint64_t fail_at;
    bool forever;
    uint64_t requests;    /* so far, the failed ones included */
    uint64_t failures;    /* requests that were refused */
    uint64_t live_bytes;  /* held now */
    uint64_t peak_bytes;  /* the most that was held at one time */
    uint64_t live_blocks; /* held now */
    uint64_t wrong_sizes; /* calls whose old_size was not the block's size */
} fault_allocator;

enum { FAULT_HEADER = 16 }; /* holds the block's size and keeps the alignment of malloc */

static inline void fault_release(fault_allocator *fault, void *ptr)
{
    char *block = (char *)ptr - FAULT_HEADER;
    size_t size;
    memcpy(&size, block, sizeof size);
    fault->live_bytes -= size;
    fault->live_blocks--;
    memset(block, 0x5A, FAULT_HEADER + size);
    free(block);
}

static inline void *fault_resize(void *context, void *ptr, size_t old_size, size_t new_size)
{
    fault_allocator *fault = context;
    size_t held = 0;
    if (ptr)
        memcpy(&held, (char *)ptr - FAULT_HEADER, sizeof held);
    if (held != old_size)
        fault->wrong_sizes++;
    if (new_size == 0) {
        if (ptr)
            fault_release(fault, ptr);
        return NULL;
    }
    fault->requests++;
    bool refuse = fault->fail_at &&
                  (fault->forever ? fault->requests >= fault->fail_at : fault->requests == fault->fail_at);
    char *block = refuse || new_size > SIZE_MAX - FAULT_HEADER ? NULL : malloc(FAULT_HEADER + new_size);
    if (!block) {
        fault->failures++;
        return NULL;
    }
    memcpy(block, &new_size, sizeof new_size);
    char *out = block + FAULT_HEADER;
    memset(out, 0xA5, new_size);
    if (ptr) {
        memcpy(out, ptr, held < new_size ? held : new_size);
        fault_release(fault, ptr);
    }
    fault->live_bytes += new_size;
    fault->live_blocks++;
    if (fault->live_bytes > fault->peak_bytes)
        fault->peak_bytes = fault->live_bytes;
    return out;
}

/* The allocator to put into weir_options.allocator; the books must outlive everything that uses it. */
static inline weir_allocator fault_hook(fault_allocator *fault)
{
    return (weir_allocator){fault_resize, fault};
}

/* ---- pseudo-random numbers (SplitMix64: Steele, Lea and Flood, 2014) ---- */

typedef struct rng {
    uint64_t state;
} rng;

/* Starts from the given seed, from $WEIR_SEED if it is set, or from the clock if that is "random"; prints a
 * seed that is not the fixed one, so that a failure can be repeated. */
static inline rng rng_new(uint64_t seed)
{
    const char *text = getenv("WEIR_SEED");
    if (text && *text) {
        if (strcmp(text, "random") == 0)
            seed = (uint64_t)time(NULL) * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)clock();
        else
            seed = strtoull(text, NULL, 0);
        fprintf(stderr, "WEIR_SEED=%" PRIu64 "\n", seed);
    }
    return (rng){seed};
}

static inline uint64_t rng_next(rng *r)
{
    uint64_t z = r->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* 0 … bound - 1; bound must not be 0. The bias is below bound / 2^64, which no test here can see. */
static inline uint64_t rng_below(rng *r, uint64_t bound)
{
    return rng_next(r) % bound;
}

static inline void rng_fill(rng *r, void *out, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)out)[i] = (unsigned char)(rng_next(r) >> 56);
}

#endif
