/* Opening and reading inputs. */
#include "input.h"

#include "unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD ((size_t)4096)
#define TAIL ((size_t)256 << 10)

static ssize_t read_raw(void *context, void *out, size_t size)
{
    struct input_file *in = context;
    ssize_t got;
    size = size < ((size_t)1 << 30) ? size : (size_t)1 << 30;
    if (in->on_wait && !in->is_regular) {
        struct pollfd ready = {.fd = in->fd, .events = POLLIN};
        if (poll(&ready, 1, 0) == 0) {
            in->on_wait(in->wait_context);
        }
    }
    do {
        got = read(in->fd, out, size);
        if (got < 0 && errno == EAGAIN) { /* someone made it non-blocking */
            (void)poll(&(struct pollfd){.fd = in->fd, .events = POLLIN}, 1, -1);
        }
    } while (got < 0 && (errno == EINTR || errno == EAGAIN));
    if (got > 0) {
        in->stored += (uint64_t)got;
        progress_update(&in->progress, in->stored);
    }
    return got;
}

static ptrdiff_t read_bytes(struct input_file *in, void *out, size_t size)
{
    if (!in->unpacker) {
        return read_raw(in, out, size);
    }
    ptrdiff_t got = unpack_read(in->unpacker, out, size, &in->damaged);
    if (got < 0 && in->damaged) {
        errno = EILSEQ;
    }
    if (got > 0) {
        in->unpacked += (uint64_t)got;
        uint64_t ratio = in->cli->file_ratio;
        if (ratio != WEIR_UNSET && in->unpacked / (in->stored ? in->stored : 1) > ratio) {
            in->too_dense = true;
            errno = EFBIG;
            return -1;
        }
    }
    return got;
}

/* Remembers the last bytes that went out, for the line around a fault. */
static void remember(struct input_file *in, const void *bytes, size_t size)
{
    const char *from = bytes;
    if (size > TAIL) {
        in->tail_base += in->tail.len + size - TAIL;
        weir_buffer_clear(&in->tail);
        from += size - TAIL;
        size = TAIL;
    }
    if (in->tail.len + size > 2 * TAIL) {
        size_t drop = in->tail.len - (TAIL < in->tail.len ? TAIL : in->tail.len);
        memmove(in->tail.data, in->tail.data + drop, in->tail.len - drop);
        in->tail.len -= drop;
        in->tail_base += drop;
    }
    if (!weir_buffer_append(&in->tail, from, size)) {
        in->tail_base += in->tail.len + size; /* no memory for the comfort: go without */
        weir_buffer_clear(&in->tail);
    }
}

static ptrdiff_t source_read(void *context, void *out, size_t size)
{
    struct input_file *in = context;
    size_t left = in->head.len - in->head_at;
    ptrdiff_t got;
    if (left > 0) {
        got = (ptrdiff_t)(left < size ? left : size);
        memcpy(out, in->head.data + in->head_at, (size_t)got);
        in->head_at += (size_t)got;
    } else {
        got = in->ended ? 0 : read_bytes(in, out, size);
        in->ended = in->ended || got == 0;
    }
    if (got > 0) {
        remember(in, out, (size_t)got);
    }
    return got;
}

weir_source input_source(struct input_file *in)
{
    weir_source source = {source_read, in};
    return source;
}

int input_byte(const struct input_file *in, uint64_t offset)
{
    bool known = offset >= in->tail_base && offset - in->tail_base < in->tail.len;
    return known ? (unsigned char)in->tail.data[offset - in->tail_base] : -1;
}

/* Has the head at least `size` bytes, if there are as many? It holds up to HEAD. */
static bool look(struct input_file *in, size_t size)
{
    if (!weir_buffer_reserve(&in->head, HEAD)) {
        errno = ENOMEM;
        return false;
    }
    while (in->head.len < size && !in->ended) {
        ptrdiff_t got = read_bytes(in, in->head.data + in->head.len, HEAD - in->head.len);
        if (got < 0) {
            return false;
        }
        in->ended = got == 0;
        in->head.len += (size_t)got;
    }
    return true;
}

/* Stored bytes that were looked at come first, then the file. */
static ssize_t read_replay(void *context, void *out, size_t size)
{
    struct input_file *in = context;
    size_t left = in->replay.len - in->replay_at;
    if (left == 0) {
        return read_raw(in, out, size);
    }
    size = left < size ? left : size;
    memcpy(out, in->replay.data + in->replay_at, size);
    in->replay_at += size;
    return (ssize_t)size;
}

static enum exit_code open_packed(struct input_file *in)
{
    in->packing = packing_of(in->head.data, in->head.len);
    if (in->packing == PACKING_NONE) {
        return EXIT_DONE;
    }
    if (!packing_is_built(in->packing)) {
        return complain(in->cli, EXIT_IO, "%s is compressed with %s, which this build does not read",
                        in->name, packing_name(in->packing));
    }
    in->replay = in->head;
    in->head = (weir_buffer){0};
    in->ended = false;
    in->unpacker = unpack_open(in->packing, read_replay, in);
    if (!in->unpacker) {
        return complain_file(in->cli, in->name, ENOMEM, "can't be read");
    }
    return look(in, 1)
               ? EXIT_DONE
               : input_diagnose(in, NULL,
                                &(weir_error){.code = WEIR_E_READ, .system = errno, .offset = WEIR_UNKNOWN},
                                NULL);
}

enum exit_code input_open(struct input_file *in, const struct cli *cli, const char *path)
{
    bool standard = strcmp(path, "-") == 0;
    *in = (struct input_file){.cli = cli, .path = path, .name = standard ? "<stdin>" : path};
    in->fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (in->fd < 0 || fstat(in->fd, &info) != 0) {
        return complain_file(cli, in->name, errno, "can't be opened");
    }
    if (S_ISDIR(info.st_mode)) {
        return complain_file(cli, in->name, 0, "is a folder, not a file");
    }
    in->is_regular = S_ISREG(info.st_mode);
    in->size = in->is_regular ? (uint64_t)info.st_size : 0;
    progress_begin(&in->progress, cli, in->size);
    if (!look(in, PACKING_HEAD)) {
        return complain_file(cli, in->name, errno, "can't be read");
    }
    return open_packed(in);
}

void input_close(struct input_file *in)
{
    progress_hide(&in->progress);
    unpack_close(in->unpacker);
    weir_buffer_free(&in->head);
    weir_buffer_free(&in->replay);
    weir_buffer_free(&in->tail);
    if (in->fd > STDIN_FILENO) {
        close(in->fd);
    }
    in->fd = -1;
}

const weir_format *input_format(struct input_file *in)
{
    const weir_format *format = in->cli->from ? in->cli->from : weir_format_for_path(in->path);
    if (format) {
        return format;
    }
    if (!look(in, HEAD)) {
        input_diagnose(in, NULL, &(weir_error){.code = WEIR_E_READ, .system = errno, .offset = WEIR_UNKNOWN},
                       NULL);
        return NULL;
    }
    weir_candidate best[8];
    const char *head = in->head.data ? in->head.data : "";
    format = weir_format_guess(head, in->head.len, in->ended);
    if (format) {
        return format;
    }
    size_t count = weir_format_detect(head, in->head.len, in->ended, best, 8);
    char list[160] = "";
    for (size_t i = 0; i < count; i++) {
        strncat(list, i ? ", " : "", sizeof list - strlen(list) - 1);
        strncat(list, weir_format_name(best[i].format), sizeof list - strlen(list) - 1);
    }
    if (count) {
        complain(in->cli, EXIT_USAGE, "the format of %s is not certain (%s?): say it with --from", in->name,
                 list);
    } else {
        complain(in->cli, EXIT_USAGE,
                 "the format of %s is not known: say it with --from ('weir formats' lists them)", in->name);
    }
    return NULL;
}

size_t input_most(const struct cli *cli)
{
    uint64_t limit = cli->options.limits.input;
    return limit < SIZE_MAX ? (size_t)limit + 1 : SIZE_MAX;
}

bool input_read(struct input_file *in, size_t max, weir_buffer *out, bool *whole)
{
    *whole = false;
    size_t step = in->size && !in->unpacker ? (size_t)in->size + 1 : (size_t)64 << 10;
    for (size_t left = max; left > 0;) {
        size_t want = step < left ? step : left;
        if (!weir_buffer_reserve(out, want)) {
            errno = ENOMEM;
            return false;
        }
        ptrdiff_t got = source_read(in, out->data + out->len, want);
        if (got < 0) {
            return false;
        }
        if (got == 0) {
            *whole = true;
            return true;
        }
        out->len += (size_t)got;
        left -= (size_t)got;
        step = out->len > step ? out->len : step;
    }
    return true;
}

enum exit_code input_diagnose(struct input_file *in, const weir_format *format, const weir_error *given,
                              const weir_buffer *all)
{
    weir_error error = *given;
    progress_hide(&in->progress);
    if (in->too_dense) {
        error = (weir_error){.code = WEIR_E_LIMIT_EXPANSION_RATIO,
                             .resource = WEIR_RESOURCE_EXPANSION_RATIO,
                             .maximum = in->cli->file_ratio,
                             .remaining = WEIR_UNKNOWN,
                             .requested = in->unpacked / (in->stored ? in->stored : 1),
                             .offset = WEIR_UNKNOWN};
    } else if (in->damaged) {
        complain_file(in->cli, in->name, 0, "the compressed data is damaged or cut off");
        return EXIT_INVALID;
    }
    struct excerpt excerpt = {in->tail.data, in->tail.len, in->tail_base};
    if (all) {
        excerpt = (struct excerpt){all->data, all->len, 0};
    }
    return diagnose(in->cli, in->name, format, &error, &excerpt);
}
