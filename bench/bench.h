/* The vocabulary of weir-bench: a scenario is one task (an operation on one
 * fixture) that several engines perform in turn. An engine proves its result
 * before it is timed; what is timed is `run` followed by `release`, and
 * nothing else. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum op {
    OP_JSON_PARSE,
    OP_JSON_WRITE,
    OP_JSON_PARSE_LIMITS,
    OP_JSON_WRITE_LIMITS,
    OP_JSON_REFUSE,
    OP_NDJSON_PARSE,
    OP_CBOR_PARSE,
    OP_CBOR_WRITE,
    OP_MSGPACK_PARSE,
    OP_MSGPACK_WRITE,
    OP_FLOOR_MEMCPY,
    OP_FLOOR_SCAN,
    OP_COUNT
};

enum syntax { SYNTAX_JSON, SYNTAX_CBOR, SYNTAX_MSGPACK, SYNTAX_COUNT };

/* At least this many readable zero bytes follow the bytes of every task. */
#define BENCH_PADDING 64

struct bytes {
    const char *data;
    size_t len;
};

struct task {
    enum op op;
    struct bytes as[SYNTAX_COUNT]; /* the document in each syntax the operation needs; 64-byte aligned */
    struct bytes broken;           /* OP_JSON_REFUSE: as[SYNTAX_JSON] with one structural byte changed */
    const struct trace *model;     /* what the document holds, by the reference reader */
};

enum engine_flags {
    ENGINE_APPROXIMATE = 1, /* known to round some numbers: compared within one part in 2^51 */
    ENGINE_SLOW = 2,        /* runs on the core fixtures only */
    ENGINE_ACCEPTS = 4      /* OP_JSON_REFUSE: reads the sound text, for comparison */
};

struct engine {
    const char *name;
    enum op op;
    unsigned flags;
    enum syntax syntax;                               /* of the bytes it reads or writes */
    void *(*setup)(const struct task *task);          /* NULL: no memory, or the document does not load */
    bool (*run)(void *state);                         /* false: failed (or, refusing: accepted) */
    void (*release)(void *state);                     /* gives back what run made; may be NULL */
    bool (*report)(void *state, struct trace *trace); /* parsing: tells what run produced */
    struct bytes (*output)(void *state);              /* writing: what run produced */
    void (*teardown)(void *state);
};

/* A library under measurement, or one that this build did not find (engines == NULL). */
struct peer {
    const char *name;
    const char *(*version)(void);
    const struct engine *engines; /* ends with a name of NULL */
};

extern const struct peer *const bench_peers[];
extern const size_t bench_peer_count;

const char *op_name(enum op op);
bool op_writes(enum op op);
enum syntax op_syntax(enum op op);

/* One row of the report. Times are nanoseconds of thread CPU time for one run. */
struct row {
    enum op op;
    char fixture[48];
    const char *engine;
    const char *trouble; /* not NULL: not measured, and why; only the names are valid then */
    bool from_file;      /* the fixture is a file of the corpora */
    bool is_reference;   /* the row that ratios are taken from: weir's, or the first engine's without weir */
    size_t basis;        /* bytes that mbps is computed on, the same for every engine of a scenario */
    size_t bytes;        /* encoded size this engine read or wrote */
    double ns;           /* median */
    double mbps;         /* 10^6 bytes per second */
    double ratio;        /* median over the rounds of (this engine's time / reference's time) */
    double spread;       /* (largest - smallest) / median of those ratios */
    double allocs;       /* calls that gave memory, per run, after warm-up; negative: not counted */
    double peak;         /* most heap bytes in use, state and source document included */
    double retained;     /* heap bytes kept between runs */
    double instructions; /* per byte of basis; negative: no counter */
};

struct report {
    struct row *rows;
    size_t count, cap;
    char notes[4096]; /* "not measured: ..." lines */
    size_t rounds;
    double min_ms;
    bool quick;
    bool has_weir;
};

#ifdef __cplusplus
}
#endif
#endif
