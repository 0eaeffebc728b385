/* Goes through the fixtures and, for each, through the operations it is
 * measured with. See suite.h. */
#include "suite.h"

#include "peers.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Broken documents have their fault at these parts of their length, in percent. */
static const unsigned fault_places[] = {10, 50, 99};

/* A fixture in every form that some operation needs. */
struct material {
    const struct fixture *fixture;
    struct bytes as[SYNTAX_COUNT]; /* made here, padded; NULL until made */
    struct trace model;
};

static bool applies(const struct fixture *f, enum op op)
{
    if (f->traits & FIXTURE_LENIENT)
        return false;
    if (f->traits & FIXTURE_LINES)
        return op == OP_NDJSON_PARSE;
    switch (op) {
    case OP_NDJSON_PARSE:
        return false;
    case OP_JSON_REFUSE:
        return f->traits & FIXTURE_REFUSE;
    case OP_FLOOR_MEMCPY:
    case OP_FLOOR_SCAN:
        return f->traits & FIXTURE_CORE;
    case OP_CBOR_PARSE:
    case OP_CBOR_WRITE:
    case OP_MSGPACK_PARSE:
    case OP_MSGPACK_WRITE:
        return f->traits & FIXTURE_BINARY;
    default:
        return true;
    }
}

/* The number of engines that would run; prints them when listing. */
static size_t count_wanted(const struct suite_options *o, enum op op, const char *name, bool core)
{
    size_t count = 0;
    for (size_t p = 0; p < bench_peer_count; p++)
        for (const struct engine *e = bench_peers[p]->engines; e != NULL && e->name != NULL; e++)
            if (e->op == op && (core || !(e->flags & ENGINE_SLOW)) &&
                (o->wanted == NULL || o->wanted(op_name(op), name, e->name))) {
                if (o->list)
                    printf("%s/%s/%s\n", op_name(op), name, e->name);
                count++;
            }
    return count;
}

static struct bytes padded_copy(const char *data, size_t len)
{
    size_t cap;
    if (__builtin_add_overflow(len, (size_t)(2 * BENCH_PADDING), &cap))
        return (struct bytes){NULL, 0};
    char *copy = aligned_alloc(64, cap / 64 * 64);
    if (copy == NULL)
        return (struct bytes){NULL, 0};
    if (len != 0)
        memcpy(copy, data, len);
    memset(copy + len, 0, cap / 64 * 64 - len);
    return (struct bytes){copy, len};
}

static void free_bytes(struct bytes *b)
{
    free((char *)(uintptr_t)b->data);
    *b = (struct bytes){NULL, 0};
}

static bool make_syntax(struct material *m, enum syntax syntax)
{
    if (m->as[syntax].data != NULL)
        return true;
    struct text text = {0};
    bool ok = syntax == SYNTAX_JSON   ? fixture_make(m->fixture, &text)
              : syntax == SYNTAX_CBOR ? reference_write_cbor(&m->model, &text)
                                      : reference_write_msgpack(&m->model, &text);
    if (ok)
        m->as[syntax] = padded_copy(text.data, text.len);
    text_free(&text);
    return m->as[syntax].data != NULL;
}

/* The text and what it means; the binary forms are made when an operation asks for them. */
static bool make_material(const struct fixture *f, struct material *m)
{
    size_t fault = 0;
    *m = (struct material){.fixture = f};
    if (!make_syntax(m, SYNTAX_JSON)) {
        fprintf(stderr, "weir-bench: cannot make fixture %s\n", f->name);
        return false;
    }
    struct bytes json = m->as[SYNTAX_JSON];
    if (!reference_read_json(json.data, json.len, f->traits & FIXTURE_LINES, &m->model, &fault)) {
        fprintf(stderr, "weir-bench: fixture %s is not JSON at byte %zu\n", f->name, fault);
        return false;
    }
    return true;
}

static void free_material(struct material *m)
{
    for (int i = 0; i < SYNTAX_COUNT; i++)
        free_bytes(&m->as[i]);
    trace_free(&m->model);
}

static bool run_task(const struct suite_options *o, const struct material *m, const struct task *task,
                     const char *name, struct report *report)
{
    size_t first = report->count;
    fprintf(stderr, "%s/%s\n", op_name(task->op), name);
    bool ok = measure_task(task, name, m->fixture->traits & FIXTURE_FILE, m->fixture->traits & FIXTURE_CORE,
                           o->wanted, &o->measure, report);
    for (size_t i = first; i < report->count; i++)
        if (report->rows[i].trouble != NULL)
            fprintf(stderr, "  %s: %s\n", report->rows[i].engine, report->rows[i].trouble);
    return ok;
}

static bool run_broken(const struct suite_options *o, const struct material *m, struct task *task,
                       struct report *report)
{
    struct bytes json = m->as[SYNTAX_JSON];
    bool ok = true;
    for (size_t i = 0; i < sizeof fault_places / sizeof fault_places[0]; i++) {
        char name[48];
        size_t at = 0;
        snprintf(name, sizeof name, "%s@%u", m->fixture->name, fault_places[i]);
        if (count_wanted(o, task->op, name, true) == 0 || o->list)
            continue;
        task->broken = padded_copy(json.data, json.len);
        ok = ok && task->broken.data != NULL &&
             reference_break_json(json.data, json.len, (size_t)((double)json.len * fault_places[i] / 100),
                                  (char *)(uintptr_t)task->broken.data, &at) &&
             run_task(o, m, task, name, report);
        free_bytes(&task->broken);
    }
    return ok;
}

/* Every operation on one fixture, which is made only when some engine is wanted. */
static bool run_fixture(const struct suite_options *o, const struct fixture *f, struct report *report)
{
    struct material m = {.fixture = f};
    bool ok = true, made = false, core = f->traits & FIXTURE_CORE;
    for (int op = 0; op < OP_COUNT; op++) {
        struct task task = {.op = (enum op)op, .model = &m.model};
        bool broken = op == OP_JSON_REFUSE;
        if (!applies(f, task.op) || (!broken && count_wanted(o, task.op, f->name, core) == 0))
            continue;
        if (o->list) {
            ok = (!broken || run_broken(o, &m, &task, report)) && ok;
            continue;
        }
        if (!made && !make_material(f, &m)) {
            ok = false;
            break;
        }
        made = true;
        if (f->traits & FIXTURE_BINARY &&
            !(make_syntax(&m, SYNTAX_CBOR) && make_syntax(&m, SYNTAX_MSGPACK))) {
            ok = false;
            break;
        }
        memcpy(task.as, m.as, sizeof task.as);
        if (broken)
            ok = run_broken(o, &m, &task, report) && ok;
        else
            ok = run_task(o, &m, &task, f->name, report) && ok;
    }
    free_material(&m);
    return ok;
}

static void note(struct report *report, const char *format, const char *what)
{
    size_t used = strlen(report->notes);
    snprintf(report->notes + used, sizeof report->notes - used, format, what);
}

/* Rows come fixture by fixture; the report goes operation by operation. */
static bool sort_by_op(struct report *report)
{
    if (report->count == 0)
        return true;
    struct row *sorted = malloc(report->count * sizeof *sorted);
    if (sorted == NULL)
        return false;
    size_t n = 0;
    for (int op = 0; op < OP_COUNT; op++)
        for (size_t i = 0; i < report->count; i++)
            if (report->rows[i].op == (enum op)op)
                sorted[n++] = report->rows[i];
    free(report->rows);
    report->rows = sorted;
    report->cap = report->count;
    return true;
}

bool suite_run(const struct suite_options *options, struct report *report)
{
    struct fixture_list list;
    size_t files = 0;
    char folder[480];
    snprintf(folder, sizeof folder, "%s/bench", options->corpora);
    if (!fixture_list_make(folder, &list, &files))
        return false;
    for (size_t p = 0; p < bench_peer_count; p++)
        if (bench_peers[p]->engines == NULL)
            note(report, "not measured: %s (not found)\n", bench_peers[p]->name);
    report->has_weir = bench_peers[0]->engines != NULL;
    if (files == 0)
        note(report, "not measured: the files of %s (not found)\n", folder);
    bool ok = true;
    for (size_t i = 0; i < list.count; i++)
        ok = run_fixture(options, &list.items[i], report) && ok;
    fixture_list_free(&list);
    return sort_by_op(report) && ok;
}
