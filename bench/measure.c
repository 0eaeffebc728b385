/* Proof, heap count, calibration and interleaved rounds. See measure.h. */
#include "measure.h"

#include "clock.h"
#include "heap.h"
#include "peers.h"
#include "reference.h"
#include "stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ENGINES = 32, MAX_ROUNDS = 99 };

struct runner {
    const struct engine *engine;
    const struct peer *peer;
    void *state;
    size_t batch; /* runs between two looks at the clock */
    struct row row;
    double ns[MAX_ROUNDS]; /* of one run, by round */
};

static void run_once(const struct runner *r)
{
    r->engine->run(r->state);
    if (r->engine->release != NULL)
        r->engine->release(r->state);
}

static bool output_is_right(const struct engine *e, struct bytes out, struct trace *told)
{
    if (op_syntax(e->op) == SYNTAX_JSON) {
        size_t fault;
        /* The reader wants a zero byte behind the text; not every writer puts one. */
        char *copy = malloc(out.len + 1);
        if (copy == NULL)
            return false;
        memcpy(copy, out.data, out.len);
        copy[out.len] = '\0';
        bool ok = reference_read_json(copy, out.len, false, told, &fault);
        free(copy);
        return ok;
    }
    return e->syntax == SYNTAX_CBOR ? reference_read_cbor(out.data, out.len, told)
                                    : reference_read_msgpack(out.data, out.len, told);
}

/* Runs once and holds the result against the model. NULL: right; else what is wrong. */
static const char *prove(struct runner *r, const struct task *task)
{
    const struct engine *e = r->engine;
    const char *trouble = NULL;
    struct trace told;
    trace_compare_with(&told, task->model, e->flags & ENGINE_APPROXIMATE);
    if (!e->run(r->state)) {
        trouble = e->op != OP_JSON_REFUSE || e->flags & ENGINE_ACCEPTS ? "fails on this document"
                                                                       : "accepts the broken document";
    } else if (e->op == OP_FLOOR_MEMCPY) {
        struct bytes out = e->output(r->state);
        if (memcmp(out.data, task->as[SYNTAX_JSON].data, out.len) != 0)
            trouble = "wrong result";
    } else if (e->output != NULL) {
        struct bytes out = e->output(r->state);
        r->row.bytes = out.len;
        if (!output_is_right(e, out, &told))
            trouble = "wrong result";
    } else if (e->report != NULL) {
        if (!e->report(r->state, &told) || !trace_complete(&told))
            trouble = "wrong result";
    }
    trace_free(&told);
    if (e->release != NULL)
        e->release(r->state);
    return trouble;
}

/* Makes the state, counting what it and a warm run take. */
static const char *prepare(struct runner *r, const struct task *task)
{
    struct row *row = &r->row;
    heap_start();
    r->state = r->engine->setup(task);
    if (r->state == NULL) {
        heap_stop();
        return "cannot be set up for this document on this machine";
    }
    run_once(r);
    run_once(r);
    heap_mark();
    run_once(r);
    struct heap_count heap = heap_read();
    heap_stop();
    row->allocs = heap_is_counted() ? (double)heap.allocations : -1;
    row->peak = heap_is_counted() ? (double)heap.peak : -1;
    row->retained = heap_is_counted() ? (double)heap.live : -1;
    row->bytes = r->engine->op == OP_JSON_REFUSE ? task->broken.len : task->as[r->engine->syntax].len;
    return prove(r, task);
}

/* Doubles the batch until it lasts a tenth of the least time, which also warms caches and predictors. */
static void calibrate(struct runner *r, double min_ns)
{
    for (r->batch = 1;; r->batch *= 2) {
        uint64_t start = clock_thread_ns();
        for (size_t i = 0; i < r->batch; i++)
            run_once(r);
        if ((double)(clock_thread_ns() - start) >= min_ns / 10 || r->batch >= (size_t)1 << 30)
            return;
    }
}

/* The first run of a turn pays for what the engine before left of caches and heap, and is not timed. */
static double timed_round(const struct runner *r, double min_ns)
{
    run_once(r);
    uint64_t start = clock_thread_ns(), spent;
    size_t runs = 0;
    do {
        for (size_t i = 0; i < r->batch; i++)
            run_once(r);
        runs += r->batch;
        spent = clock_thread_ns() - start;
    } while ((double)spent < min_ns);
    return (double)spent / (double)runs;
}

static double instructions_per_byte(const struct runner *r)
{
    uint64_t before, after;
    if (!clock_instructions(&before))
        return -1;
    for (size_t i = 0; i < r->batch; i++)
        run_once(r);
    if (!clock_instructions(&after))
        return -1;
    return (double)(after - before) / (double)r->batch / (double)r->row.basis;
}

static void conclude(struct runner *r, const struct runner *reference, size_t rounds)
{
    double ratios[MAX_ROUNDS], times[MAX_ROUNDS];
    for (size_t i = 0; i < rounds; i++) {
        times[i] = r->ns[i];
        ratios[i] = r->ns[i] / reference->ns[i];
    }
    r->row.ns = stats_median(times, rounds);
    r->row.mbps = (double)r->row.basis * 1e3 / r->row.ns;
    r->row.ratio = stats_median(ratios, rounds);
    r->row.spread = stats_spread(ratios, rounds);
}

static bool add_row(struct report *report, const struct row *row)
{
    if (report->count == report->cap) {
        size_t cap = report->cap == 0 ? 64 : report->cap * 2;
        struct row *rows = realloc(report->rows, cap * sizeof *rows);
        if (rows == NULL)
            return false;
        report->rows = rows;
        report->cap = cap;
    }
    report->rows[report->count++] = *row;
    return true;
}

/* The engines of the task, in the order of the roster. The first one that works is the reference. */
static size_t gather(const struct task *task, const char *fixture, bool core,
                     bool (*wanted)(const char *, const char *, const char *), struct runner *runners)
{
    size_t count = 0;
    for (size_t p = 0; p < bench_peer_count; p++) {
        const struct engine *e = bench_peers[p]->engines;
        for (; e != NULL && e->name != NULL && count < MAX_ENGINES; e++) {
            if (e->op != task->op || (e->flags & ENGINE_SLOW && !core))
                continue;
            if (count > 0 && wanted != NULL && !wanted(op_name(task->op), fixture, e->name))
                continue;
            runners[count++] = (struct runner){.engine = e, .peer = bench_peers[p]};
        }
    }
    return count;
}

bool measure_task(const struct task *task, const char *fixture, bool from_file, bool core,
                  bool (*wanted)(const char *op, const char *fixture, const char *engine),
                  const struct measure_options *options, struct report *report)
{
    struct runner *runners = calloc(MAX_ENGINES, sizeof *runners), *reference = NULL;
    if (runners == NULL)
        return false;
    size_t count = gather(task, fixture, core, wanted, runners);
    size_t rounds = options->rounds > MAX_ROUNDS ? MAX_ROUNDS : options->rounds;
    double min_ns = options->min_ms * 1e6;
    bool ok = true, first_failed = false;

    for (size_t i = 0; i < count; i++) {
        struct runner *r = &runners[i];
        snprintf(r->row.fixture, sizeof r->row.fixture, "%s", fixture);
        r->row.op = task->op;
        r->row.engine = r->engine->name;
        r->row.from_file = from_file;
        r->row.trouble = prepare(r, task);
        if (r->row.trouble != NULL && r->peer == bench_peers[0])
            ok = false;
        /* Ratios to another engine than elsewhere would spoil the means. An engine that this CPU cannot run
         * is absent everywhere, so there the next one may stand in. */
        if (i == 0 && r->row.trouble != NULL && (r->state != NULL || r->peer == bench_peers[0]))
            first_failed = true;
        else if (first_failed && r->row.trouble == NULL)
            r->row.trouble = "nothing to compare with";
        if (r->row.trouble == NULL && reference == NULL)
            reference = r;
    }
    for (size_t i = 0; i < count; i++) {
        runners[i].row.basis = op_writes(task->op)          ? reference == NULL ? 0 : reference->row.bytes
                               : task->op == OP_JSON_REFUSE ? task->broken.len
                                                            : task->as[op_syntax(task->op)].len;
        if (runners[i].row.trouble == NULL) {
            calibrate(&runners[i], min_ns);
            runners[i].row.instructions = instructions_per_byte(&runners[i]);
        }
    }
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < count; i++)
            if (runners[i].row.trouble == NULL)
                runners[i].ns[round] = timed_round(&runners[i], min_ns);
    for (size_t i = 0; i < count; i++) {
        runners[i].row.is_reference = &runners[i] == reference;
        if (runners[i].row.trouble == NULL)
            conclude(&runners[i], reference, rounds);
        ok = add_row(report, &runners[i].row) && ok;
        if (runners[i].state != NULL)
            runners[i].engine->teardown(runners[i].state);
    }
    free(runners);
    return ok;
}
