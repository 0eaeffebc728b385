/* The window of a reader over its input: refilling, charging, and positions in lines and columns. */
#include "flow/input.h"

#include <errno.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/simd.h"
#include "base/utf8.h"

#define WINDOW_FIRST ((size_t)64 << 10)

void input_from_memory(struct input *in, const void *data, size_t len)
{
    /* A pointer that is never NULL keeps the arithmetic on it defined for empty inputs. */
    in->start = data ? data : (const uint8_t *)"";
    in->p = in->start;
    in->end = in->start + (data ? len : 0);
    in->eof = true;
    in->memory = true;
    in->line = in->column = 1;
}

void input_from_source(struct input *in, weir_source source)
{
    in->start = in->p = in->end = (const uint8_t *)"";
    in->source = source;
    in->has_source = true;
    in->line = in->column = 1;
}

void input_close(struct input *in)
{
    memory_put(in->allocator, in->buffer, in->capacity);
    in->buffer = NULL;
}

/* Pairs CR LF whose LF is among the bytes; they end one line together. */
static uint64_t count_pairs(const uint8_t *from, const uint8_t *to, bool after_cr)
{
    uint64_t pairs = from < to && after_cr && *from == '\n';
    for (const uint8_t *p = from; p + 1 < to && (p = memchr(p, '\r', (size_t)(to - p) - 1)); p++) {
        pairs += p[1] == '\n';
    }
    return pairs;
}

/* Where the last line among the bytes begins. */
static const uint8_t *last_line(const uint8_t *from, const uint8_t *to)
{
    while (to > from && to[-1] != '\n' && to[-1] != '\r') {
        to--;
    }
    return to;
}

/* Moves line and column over the bytes from..to. LF, CR and CRLF each end one line. */
static void advance_position(const uint8_t *from, const uint8_t *to, bool after_cr, uint64_t *line,
                             uint64_t *column, bool *ends_in_cr)
{
    if (from == to) {
        return;
    }
    const struct simd_kernels *kernels = simd_kernels();
    size_t size = (size_t)(to - from);
    uint64_t breaks = kernels->count_byte(from, size, '\n') + kernels->count_byte(from, size, '\r');
    if (breaks) {
        *line += breaks - count_pairs(from, to, after_cr);
        *column = 1;
        from = last_line(from, to);
    }
    *column += utf8_count(from, (size_t)(to - from));
    *ends_in_cr = to[-1] == '\r';
}

void input_position(const struct input *in, uint64_t offset, uint64_t *line, uint64_t *column)
{
    uint64_t size = (uint64_t)(in->end - in->start);
    uint64_t inside = offset < in->base ? 0 : offset - in->base;
    *line = in->line;
    *column = in->column;
    bool cr = in->after_cr;
    advance_position(in->start, in->start + (inside < size ? inside : size), in->after_cr, line, column, &cr);
}

static bool input_fail(struct input *in, weir_code code)
{
    in->failed = in->eof = true;
    in->error->code = code;
    return false;
}

void input_forget(struct input *in)
{
    const uint8_t *keep = in->hold ? in->hold : in->p;
    if (in->text) {
        advance_position(in->start, keep, in->after_cr, &in->line, &in->column, &in->after_cr);
    }
    in->base += (uint64_t)(keep - in->start);
    in->start = keep;
}

/* Drops what was consumed; doubles the window when more than half of it must stay. Memory follows the bytes
 * that really came, however many are asked for. */
static bool make_room(struct input *in)
{
    input_forget(in);
    const uint8_t *keep = in->start;
    size_t kept = (size_t)(in->end - keep), held = (size_t)(in->p - keep);
    size_t cap = in->capacity ? in->capacity : WINDOW_FIRST;
    if (kept > cap / 2 && __builtin_mul_overflow(cap, (size_t)2, &cap)) {
        return input_fail(in, WEIR_E_MEMORY);
    }
    if (cap != in->capacity) {
        uint8_t *buffer = memory_get(in->allocator, cap);
        if (!buffer) {
            return input_fail(in, WEIR_E_MEMORY);
        }
        memcpy(buffer, keep, kept);
        memory_put(in->allocator, in->buffer, in->capacity);
        in->buffer = buffer;
        in->capacity = cap;
    } else if (kept && in->buffer) {
        memmove(in->buffer, keep, kept);
    }
    in->start = in->buffer;
    in->hold = in->hold ? in->start : NULL;
    in->p = in->start + held;
    in->end = in->start + kept;
    return true;
}

/* There is a byte beyond the limit, and now it is wanted. */
static bool fail_over(struct input *in)
{
    in->failed = in->eof = true;
    account_sum_error(in->error, WEIR_RESOURCE_INPUT, in->account->limit.input, in->account->input, 1);
    return false;
}

/* What the limit allows is given before it is reported: how the source cuts its bytes makes no difference. */
static bool read_some(struct input *in)
{
    if (in->over) {
        return fail_over(in);
    }
    size_t filled = (size_t)(in->end - in->buffer), space = in->capacity - filled;
    uint64_t left =
        in->account->limit.input == WEIR_UNSET ? UINT64_MAX : in->account->limit.input - in->account->input;
    /* One byte beyond the limit is asked for, to tell an input that just fits from one that is too long. */
    if (left < space) {
        space = (size_t)left + 1;
    }
    errno = 0;
    ptrdiff_t got = in->source.read(in->source.context, in->buffer + filled, space);
    if (got < 0 || (size_t)got > space) {
        in->error->system = errno;
        return input_fail(in, WEIR_E_READ);
    }
    if (got == 0) {
        in->eof = true;
        return false;
    }
    if ((uint64_t)got > left) {
        got = (ptrdiff_t)left;
        in->over = true;
    }
    in->account->input += (uint64_t)got;
    in->end += got;
    return got > 0 || fail_over(in);
}

size_t input_more(struct input *in, size_t n)
{
    while ((size_t)(in->end - in->p) < n && !in->eof) {
        bool full = !in->buffer || in->end == in->buffer + in->capacity;
        if ((full && !make_room(in)) || !read_some(in)) {
            break;
        }
    }
    return (size_t)(in->end - in->p);
}

static ptrdiff_t read_fd(void *context, void *out, size_t size)
{
    int fd = (int)(intptr_t)context;
    ssize_t got;
    if (size > ((size_t)1 << 30)) {
        size = (size_t)1 << 30;
    }
    do {
        got = read(fd, out, size);
    } while (got < 0 && errno == EINTR);
    return got;
}

weir_source weir_source_fd(int fd)
{
    weir_source source = {read_fd, (void *)(intptr_t)fd};
    return source;
}
