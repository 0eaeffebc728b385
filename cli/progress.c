/* The progress bar. It appears after a second of work and is drawn ten times a second at most. */
#include "progress.h"

#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Data and a bar on one terminal would be in each other's way. */
static bool shows_data(const struct cli *cli)
{
    return cli->command->run != check_run && !cli->output && !cli->in_place && isatty(STDOUT_FILENO);
}

void progress_begin(struct progress *progress, const struct cli *cli, uint64_t total)
{
    bool always = cli->progress == WHEN_ALWAYS;
    *progress = (struct progress){
        .on = always ||
              (cli->progress == WHEN_AUTO && isatty(STDERR_FILENO) && !cli->json_errors && !shows_data(cli)),
        .total = total,
        .begun = now(),
        .delay = always ? 0 : 1,
    };
}

/* A size in at most six characters: "12.3 MB". */
static void print_size(char *out, size_t size, double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    size_t unit = 0;
    while (bytes >= 1000 && unit < 4) {
        bytes /= 1000;
        unit++;
    }
    snprintf(out, size, unit == 0 || bytes >= 100 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
}

/* A line that is broken could not be taken away again. */
static bool is_narrow(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_col < 72;
}

static void draw(struct progress *progress, double at)
{
    char done[16], rate[16], bar[32] = "";
    double seconds = at - progress->begun, speed = seconds > 0 ? (double)progress->done / seconds : 0;
    print_size(done, sizeof done, (double)progress->done);
    print_size(rate, sizeof rate, speed);
    if (is_narrow()) {
        fprintf(stderr, "\r\033[K%s", done);
    } else if (progress->total && progress->done <= progress->total) {
        double part = (double)progress->done / (double)progress->total;
        int filled = (int)(part * 24);
        for (int i = 0; i < 24; i++) {
            bar[i] = i < filled ? '#' : '.';
        }
        double left = speed > 0 ? (double)(progress->total - progress->done) / speed : 0;
        fprintf(stderr, "\r\033[K[%s] %3.0f %%  %s  %s/s  %.0f s left", bar, part * 100, done, rate, left);
    } else {
        fprintf(stderr, "\r\033[K%s  %s/s  %.0f s", done, rate, seconds);
    }
    fflush(stderr);
    progress->shown = true;
    progress->drawn = at;
}

void progress_update(struct progress *progress, uint64_t done)
{
    progress->done = done;
    if (!progress->on) {
        return;
    }
    double at = now();
    if (at - progress->begun >= progress->delay && at - progress->drawn >= 0.1) {
        draw(progress, at);
    }
}

void progress_hide(struct progress *progress)
{
    if (progress->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        progress->shown = false;
    }
}
