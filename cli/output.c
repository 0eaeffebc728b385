/* Writing results whole or not at all. */
#include "output.h"

#include "unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE ((size_t)64 << 10)

/* The file to remove when a signal ends the command. Set before the file exists, cleared after it is renamed.
 */
static char *volatile unfinished;

static void on_signal(int number)
{
    char *path = unfinished;
    if (path) {
        unlink(path);
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void watch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old;
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) {
            struct sigaction action = {.sa_handler = on_signal};
            sigaction(numbers[i], &action, NULL);
        }
    }
}

static bool look_at(const char *path, int standard, struct stat *info)
{
    return path && strcmp(path, "-") != 0 ? stat(path, info) == 0 : fstat(standard, info) == 0;
}

bool output_is_input(const char *output, const char *input)
{
    struct stat to, from;
    bool standard = !output || strcmp(output, "-") == 0;
    if (!look_at(output, STDOUT_FILENO, &to) || !look_at(input, STDIN_FILENO, &from)) {
        return false;
    }
    bool same = S_ISREG(to.st_mode) && to.st_dev == from.st_dev && to.st_ino == from.st_ino;
    /* Standard input is read before its file is replaced. What is appended to an input has no end. */
    return same && (standard ? to.st_size > 0 : strcmp(input, "-") != 0);
}

/* "DIR/.NAME.XXXXXXXXXXXXXXXX" beside the target; of a long name its beginning, since names end at 255 bytes.
 */
static char *temporary_name(const char *target)
{
    const char *slash = strrchr(target, '/');
    size_t folder = slash ? (size_t)(slash - target) + 1 : 0, size = strlen(target) + 32;
    size_t base = strlen(target + folder);
    char *name = malloc(size);
    uint64_t random;
    if (!name || getentropy(&random, sizeof random) != 0) {
        free(name);
        return NULL;
    }
    snprintf(name, size, "%.*s.%.*s.%016llx", (int)folder, target, (int)(base < 200 ? base : 200),
             target + folder, (unsigned long long)random);
    return name;
}

static unsigned default_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666u & ~(unsigned)mask;
}

/* A file that doesn't exist yet may be named by a dangling link: then the link's target is made. */
static char *resolve(const char *path)
{
    char *real = realpath(path, NULL);
    if (real) {
        return real;
    }
    char link[4096];
    ssize_t len = readlink(path, link, sizeof link - 1);
    if (len <= 0) {
        return strdup(path);
    }
    link[len] = '\0';
    const char *slash = strrchr(path, '/');
    if (link[0] == '/' || !slash) {
        return strdup(link);
    }
    size_t size = (size_t)(slash - path) + 2 + (size_t)len;
    char *joined = malloc(size);
    if (joined) {
        snprintf(joined, size, "%.*s/%s", (int)(slash - path), path, link);
    }
    return joined;
}

static enum exit_code open_temporary(struct output_file *out, const char *path)
{
    out->target = resolve(path);
    out->temporary = out->target ? temporary_name(out->target) : NULL;
    if (!out->temporary) {
        return complain_file(out->cli, path, ENOMEM, "can't be written");
    }
    unfinished = out->temporary;
    watch_signals();
    out->fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (out->fd < 0) {
        int system = errno;
        unfinished = NULL;
        return system == ENOENT
                   ? complain_file(out->cli, path, 0, "can't be written: its folder does not exist")
                   : complain_file(out->cli, path, system, "can't be written");
    }
    return EXIT_DONE;
}

static enum exit_code open_path(struct output_file *out, const char *path)
{
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) {
        return complain_file(out->cli, path, 0, "is a folder, not a file");
    }
    if (exists && !S_ISREG(info.st_mode)) {
        out->fd = open(path, O_WRONLY | O_CLOEXEC); /* a pipe or a device: written directly */
        return out->fd < 0 ? complain_file(out->cli, path, errno, "can't be written") : EXIT_DONE;
    }
    out->mode = exists ? (unsigned)info.st_mode & 07777u : default_mode();
    return open_temporary(out, path);
}

static bool write_fd(struct output_file *out, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t took = write(out->fd, bytes, size < ((size_t)1 << 30) ? size : (size_t)1 << 30);
        if (took < 0 && errno == EAGAIN) { /* someone made it non-blocking */
            (void)poll(&(struct pollfd){.fd = out->fd, .events = POLLOUT}, 1, -1);
            continue;
        }
        if (took < 0 && errno == EINTR) {
            continue;
        }
        if (took <= 0) {
            out->system = took < 0 ? errno : EIO;
            return false;
        }
        bytes += took;
        size -= (size_t)took;
    }
    return true;
}

enum exit_code output_failed(const struct output_file *out)
{
    return out->system == EPIPE ? EXIT_PIPE
                                : complain_file(out->cli, out->name, out->system, "can't be written");
}

static ptrdiff_t raw_write(void *context, const void *bytes, size_t size)
{
    return write_fd(context, bytes, size) ? (ptrdiff_t)size : -1;
}

enum exit_code output_open(struct output_file *out, const struct cli *cli, const char *path,
                           enum packing packing)
{
    bool standard = !path || strcmp(path, "-") == 0;
    *out = (struct output_file){.cli = cli, .name = standard ? "<stdout>" : path, .fd = STDOUT_FILENO};
    packing = standard ? PACKING_NONE : packing;
    if (!packing_is_built(packing)) {
        return complain(cli, EXIT_IO, "%s: this build does not write %s", path, packing_name(packing));
    }
    enum exit_code code = standard ? EXIT_DONE : open_path(out, path);
    if (code != EXIT_DONE) {
        free(out->temporary);
        free(out->target);
    }
    if (code == EXIT_DONE && packing != PACKING_NONE) {
        weir_sink raw = {raw_write, NULL, out};
        out->packer = pack_open(packing, raw);
        if (!out->packer) {
            output_close(out, false);
            return complain_file(cli, path, ENOMEM, "can't be written");
        }
    }
    return code;
}

static bool pass_on(struct output_file *out, const void *bytes, size_t size)
{
    return out->packer ? pack_write(out->packer, bytes, size) : write_fd(out, bytes, size);
}

bool output_flush(struct output_file *out)
{
    if (out->system) {
        return false; /* what was lost before is missing for good */
    }
    bool done = out->waiting.len == 0 || pass_on(out, out->waiting.data, out->waiting.len);
    weir_buffer_clear(&out->waiting);
    return done;
}

bool output_write(struct output_file *out, const void *bytes, size_t size)
{
    if (size == 0) {
        return true;
    }
    out->last = ((const char *)bytes)[size - 1];
    out->written += size;
    if (size < PIECE && out->waiting.len < PIECE && weir_buffer_append(&out->waiting, bytes, size)) {
        return out->waiting.len < PIECE || output_flush(out);
    }
    return output_flush(out) && pass_on(out, bytes, size);
}

static ptrdiff_t sink_write(void *context, const void *bytes, size_t size)
{
    struct output_file *out = context;
    if (output_write(out, bytes, size)) {
        return (ptrdiff_t)size;
    }
    errno = out->system;
    return -1;
}

weir_sink output_sink(struct output_file *out)
{
    weir_sink sink = {sink_write, NULL, out};
    return sink;
}

/* The rename is on disk when the folder is. */
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash && slash > path ? strndup(path, (size_t)(slash - path)) : strdup(slash ? "/" : ".");
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
    free(folder);
}

static bool finish(struct output_file *out)
{
    if (!output_flush(out)) {
        return false;
    }
    if (out->packer && !pack_finish(out->packer)) {
        return false;
    }
    if (out->fd == STDOUT_FILENO) {
        return true;
    }
    if (!out->temporary) {
        int fd = out->fd;
        out->fd = -1;
        return close(fd) == 0;
    }
    bool ok = fchmod(out->fd, (mode_t)out->mode) == 0 && fsync(out->fd) == 0;
    ok = close(out->fd) == 0 && ok;
    out->fd = -1;
    ok = ok && rename(out->temporary, out->target) == 0;
    if (ok) {
        unfinished = NULL;
        sync_folder(out->target);
    }
    return ok;
}

enum exit_code output_close(struct output_file *out, bool keep)
{
    enum exit_code code = EXIT_DONE;
    errno = 0;
    if (!keep && out->fd == STDOUT_FILENO && !out->system) {
        (void)output_flush(out); /* whole records before the fault */
    }
    if (keep && !finish(out)) {
        out->system = out->system ? out->system : errno;
        keep = false;
        code = output_failed(out);
    }
    if (!keep && out->fd > STDERR_FILENO) {
        close(out->fd);
    }
    if (!keep && out->temporary) {
        unlink(out->temporary);
        unfinished = NULL;
    }
    pack_close(out->packer);
    weir_buffer_free(&out->waiting);
    free(out->temporary);
    free(out->target);
    out->packer = NULL;
    out->temporary = out->target = NULL;
    return code;
}
