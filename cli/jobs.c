/* Record streams on several threads: the main thread cuts the input at line ends into blocks, workers convert
 * each into a buffer of its own, and the main thread writes them in the input's order.
 *
 *   slots   [free][full][busy][done][done]…   a ring; the main thread fills and empties, workers take what is
 * full
 *
 * Memory is bounded by the ring. A fault ends the work at its block: what comes before it is written, as with
 * one job. */
#include "transfer.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK ((size_t)1 << 20)
/* A block with more bad records is converted again when its turn comes, so that its complaints need no
 * memory. */
#define MOST_BAD 1000

enum slot_state { SLOT_FREE, SLOT_FULL, SLOT_BUSY, SLOT_DONE };

struct slot {
    enum slot_state state;
    weir_buffer in, out, bad; /* bad: the errors of skipped records */
    size_t bad_count;
    uint64_t base, lines; /* where the block begins */
    weir_error error;
    bool writer_failed;
    uint64_t failed_line; /* of the record that the writer refused, in the block */
};

struct jobs {
    const weir_format *from, *to;
    const weir_options *options;
    struct slot *slots;
    size_t count, next; /* next: the one that workers look at first */
    bool stop;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

bool jobs_fit(const struct cli *cli, const weir_format *from, const weir_format *to)
{
    const weir_limits *l = &cli->options.limits;
    bool sums = l->nodes != WEIR_UNSET || l->payload != WEIR_UNSET || l->documents != WEIR_UNSET ||
                l->output != WEIR_UNSET || l->input != WEIR_UNSET;
    bool target = to == weir_ndjson || to == weir_json_seq || to == weir_cbor || to == weir_msgpack;
    return cli->jobs > 1 && from == weir_ndjson && target && !sums;
}

/* ---- workers ---- */

struct block_source {
    const char *data;
    size_t len;
};

static ptrdiff_t read_block(void *context, void *out, size_t size)
{
    struct block_source *block = context;
    size = size < block->len ? size : block->len;
    if (size) {
        memcpy(out, block->data, size);
    }
    block->data += size;
    block->len -= size;
    return (ptrdiff_t)size;
}

static void note_bad(void *context, const weir_error *error)
{
    struct slot *slot = context;
    if (slot->bad_count < MOST_BAD && !weir_buffer_append(&slot->bad, error, sizeof *error)) {
        slot->bad_count = MOST_BAD;
    }
    slot->bad_count++;
}

static void convert_block(const struct jobs *jobs, struct slot *slot,
                          void (*on_bad)(void *, const weir_error *), void *context)
{
    struct block_source block = {slot->in.data, slot->in.len};
    weir_source source = {read_block, &block};
    weir_options options = *jobs->options;
    options.on_bad_record = on_bad;
    options.context = context;
    weir_buffer_clear(&slot->out);
    slot->error = (weir_error){.code = WEIR_E_NONE};
    slot->writer_failed = false;
    weir_stream *stream = weir_stream_open(jobs->from, source, &options, &slot->error);
    weir_writer *writer = stream ? weir_writer_open(jobs->to, &slot->out, &options, &slot->error) : NULL;
    const weir_doc *doc;
    while (writer && !slot->writer_failed && (doc = weir_stream_next(stream, &slot->error))) {
        if (!weir_writer_put(writer, weir_doc_root(doc))) {
            uint64_t end = weir_stream_offset(stream);
            slot->writer_failed = true;
            slot->error = *weir_writer_error(writer);
            slot->failed_line = weir_stream_lines(stream) + (slot->in.data[end - 1] != '\n');
        }
    }
    weir_writer_close(writer);
    weir_stream_close(stream);
}

static struct slot *take_full(struct jobs *jobs)
{
    for (size_t i = 0; i < jobs->count; i++) {
        struct slot *slot = &jobs->slots[(jobs->next + i) % jobs->count];
        if (slot->state == SLOT_FULL) {
            return slot;
        }
    }
    return NULL;
}

static void *work(void *context)
{
    struct jobs *jobs = context;
    pthread_mutex_lock(&jobs->lock);
    for (;;) {
        struct slot *slot = take_full(jobs);
        if (!slot && jobs->stop) {
            break;
        }
        if (!slot) {
            pthread_cond_wait(&jobs->changed, &jobs->lock);
            continue;
        }
        slot->state = SLOT_BUSY;
        pthread_mutex_unlock(&jobs->lock);
        convert_block(jobs, slot, note_bad, slot);
        pthread_mutex_lock(&jobs->lock);
        slot->state = SLOT_DONE;
        pthread_cond_broadcast(&jobs->changed);
    }
    pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

/* ---- the main thread ---- */

/* Fills a block with whole lines; what is behind the last one waits in rest. false: reading failed. */
static bool fill(struct input_file *in, weir_buffer *rest, weir_buffer *block, bool *ended)
{
    weir_buffer_clear(block);
    weir_buffer swap = *block;
    *block = *rest;
    *rest = swap;
    size_t searched = 0;
    for (;;) {
        const char *found = NULL;
        for (size_t i = block->len; i > searched; i--) {
            if (block->data[i - 1] == '\n') {
                found = block->data + i;
                break;
            }
        }
        bool enough = block->len >= BLOCK && found;
        if (*ended || enough) {
            size_t keep = *ended ? block->len : (size_t)(found - block->data);
            bool ok = weir_buffer_append(rest, block->data + keep, block->len - keep);
            block->len = keep;
            return ok;
        }
        searched = found ? searched : block->len; /* a line longer than a block is looked through once */
        if (!input_read(in, BLOCK, block, ended)) {
            return false;
        }
    }
}

static uint64_t count_lines(const weir_buffer *block)
{
    uint64_t lines = 0;
    for (const char *p = block->data, *end = p + block->len; p && (p = memchr(p, '\n', (size_t)(end - p)));
         p++) {
        lines++;
    }
    return lines;
}

static void place(weir_error *error, const struct slot *slot)
{
    if (error->offset != WEIR_UNKNOWN) {
        error->offset += slot->base;
    }
    if (error->line) {
        error->line += slot->lines;
    }
}

/* What a complaint of a block needs. */
struct complaint {
    struct transfer *transfer;
    struct input_file *in;
    const weir_format *from;
    const struct slot *slot;
};

static enum exit_code complain_of(const struct complaint *about, const weir_error *given)
{
    const struct slot *slot = about->slot;
    struct excerpt excerpt = {slot->in.data, slot->in.len, slot->base};
    weir_error error = *given;
    place(&error, slot);
    progress_hide(&about->in->progress);
    return diagnose(about->transfer->cli, about->in->name, about->from, &error, &excerpt);
}

static void complain_of_bad(void *context, const weir_error *error)
{
    const struct complaint *about = context;
    about->transfer->bad++;
    complain_of(about, error);
}

/* Writes a block's result and its complaints. */
static enum exit_code settle(const struct jobs *jobs, struct transfer *t, struct input_file *in,
                             struct slot *slot)
{
    struct complaint about = {t, in, jobs->from, slot};
    if (slot->bad_count > MOST_BAD) {
        convert_block(jobs, slot, complain_of_bad, &about);
        weir_buffer_clear(&slot->bad);
    }
    for (size_t at = 0; at + sizeof(weir_error) <= slot->bad.len; at += sizeof(weir_error)) {
        weir_error error;
        memcpy(&error, slot->bad.data + at, sizeof error);
        complain_of_bad(&about, &error);
    }
    weir_buffer_clear(&slot->bad);
    slot->bad_count = 0;
    if (!output_write(t->out, slot->out.data, slot->out.len)) {
        progress_hide(&in->progress);
        return output_failed(t->out);
    }
    if (slot->error.code == WEIR_E_NONE) {
        return EXIT_DONE;
    }
    if (slot->writer_failed) {
        progress_hide(&in->progress);
        return transfer_loss(t, in, &slot->error, slot->lines + slot->failed_line, 0);
    }
    return complain_of(&about, &slot->error);
}

static enum exit_code pump(struct jobs *jobs, struct transfer *t, struct input_file *in)
{
    if (!jobs->slots) {
        return EXIT_IO;
    }
    weir_buffer rest = {0};
    bool ended = false, read_ok = true;
    uint64_t base = 0, lines = 0;
    size_t fill_at = 0, take_at = 0, pending = 0;
    enum exit_code code = EXIT_DONE;
    while (code == EXIT_DONE && (!ended || pending > 0)) {
        if (!ended && pending < jobs->count) {
            struct slot *slot = &jobs->slots[fill_at];
            read_ok = fill(in, &rest, &slot->in, &ended);
            if (!read_ok) {
                code = input_diagnose(
                    in, jobs->from,
                    &(weir_error){.code = WEIR_E_READ, .system = errno, .offset = WEIR_UNKNOWN}, NULL);
                break;
            }
            slot->base = base;
            slot->lines = lines;
            base += slot->in.len;
            lines += count_lines(&slot->in);
            pthread_mutex_lock(&jobs->lock);
            slot->state = SLOT_FULL;
            pthread_cond_broadcast(&jobs->changed);
            pthread_mutex_unlock(&jobs->lock);
            fill_at = (fill_at + 1) % jobs->count;
            pending++;
            continue;
        }
        struct slot *slot = &jobs->slots[take_at];
        pthread_mutex_lock(&jobs->lock);
        jobs->next = take_at;
        while (slot->state != SLOT_DONE) {
            pthread_cond_wait(&jobs->changed, &jobs->lock);
        }
        slot->state = SLOT_FREE;
        pthread_mutex_unlock(&jobs->lock);
        code = settle(jobs, t, in, slot);
        take_at = (take_at + 1) % jobs->count;
        pending--;
    }
    weir_buffer_free(&rest);
    return code;
}

enum exit_code jobs_run(struct transfer *t, struct input_file *in, const weir_format *from)
{
    size_t threads = t->cli->jobs, started = 0, slots = 2 * threads + 1;
    struct jobs jobs = {.from = from, .to = t->to, .options = &t->cli->options, .count = slots};
    jobs.slots = calloc(slots, sizeof *jobs.slots);
    pthread_t *ids = calloc(threads, sizeof *ids);
    enum exit_code code = EXIT_IO;
    pthread_mutex_init(&jobs.lock, NULL);
    pthread_cond_init(&jobs.changed, NULL);
    while (jobs.slots && ids && started < threads && pthread_create(&ids[started], NULL, work, &jobs) == 0) {
        started++;
    }
    code = started > 0 ? pump(&jobs, t, in) : complain(t->cli, EXIT_IO, "can't start threads");
    pthread_mutex_lock(&jobs.lock);
    jobs.stop = true;
    for (size_t i = 0; jobs.slots && i < slots; i++) {
        if (jobs.slots[i].state == SLOT_FULL) {
            jobs.slots[i].state = SLOT_FREE; /* after a fault nobody wants it */
        }
    }
    pthread_cond_broadcast(&jobs.changed);
    pthread_mutex_unlock(&jobs.lock);
    for (size_t i = 0; i < started; i++) {
        pthread_join(ids[i], NULL);
    }
    for (size_t i = 0; jobs.slots && i < slots; i++) {
        weir_buffer_free(&jobs.slots[i].in);
        weir_buffer_free(&jobs.slots[i].out);
        weir_buffer_free(&jobs.slots[i].bad);
    }
    pthread_cond_destroy(&jobs.changed);
    pthread_mutex_destroy(&jobs.lock);
    free(jobs.slots);
    free(ids);
    return code;
}
