/* What the tests of the command need and a shell is too slow for.
 *
 *   helper ndjson BYTES      about so many bytes of records
 *   helper deep N            N nested arrays
 *   helper blanks N          N spaces
 *   helper trickle           a record, a pause of 300 ms, a record
 *   helper unblocked CMD...  runs a command whose standard input and output don't block
 *   helper peak FILE CMD...  runs a command, writes its peak memory in KiB to FILE, exits as it did */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int ndjson(unsigned long long bytes)
{
    unsigned long long done = 0;
    for (unsigned long long i = 0; done < bytes; i++) {
        int n = printf(
            "{\"id\":%llu,\"name\":\"user %llu\",\"tags\":[\"a\",\"b\",\"caf\xC3\xA9\"],\"score\":%llu.25,"
            "\"on\":%s,\"none\":null}\n",
            i, i % 1000, i % 97, i % 2 ? "true" : "false");
        if (n < 0) {
            return 1;
        }
        done += (unsigned long long)n;
    }
    return 0;
}

static int repeat(unsigned long long count, const char *first, const char *second)
{
    for (const char *what = first; what; what = what == first ? second : NULL) {
        for (unsigned long long i = 0; i < count; i++) {
            if (fputs(what, stdout) < 0) {
                return 1;
            }
        }
    }
    return 0;
}

static int trickle(void)
{
    struct timespec pause = {.tv_nsec = 300000000};
    puts("{\"n\":1}");
    fflush(stdout);
    nanosleep(&pause, NULL);
    puts("{\"n\":2}");
    return 0;
}

static int peak(const char *path, char **command)
{
    pid_t child = fork();
    if (child == 0) {
        execvp(command[0], command);
        _exit(127);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    FILE *out = fopen(path, "w");
    if (child < 0 || !out || fprintf(out, "%ld\n", usage.ru_maxrss) < 0 || fclose(out) != 0) {
        return 126;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int unblocked(char **command)
{
    for (int fd = 0; fd < 2; fd++) {
        (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    }
    execvp(command[0], command);
    return 127;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    unsigned long long count = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    int code = 2;
    if (strcmp(what, "ndjson") == 0) {
        code = ndjson(count);
    } else if (strcmp(what, "deep") == 0) {
        code = repeat(count, "[", "]");
    } else if (strcmp(what, "blanks") == 0) {
        code = repeat(count, " ", NULL);
    } else if (strcmp(what, "trickle") == 0) {
        code = trickle();
    } else if (strcmp(what, "unblocked") == 0 && argc > 2) {
        return unblocked(argv + 2);
    } else if (strcmp(what, "peak") == 0 && argc > 3) {
        return peak(argv[2], argv + 3);
    }
    return fflush(stdout) == 0 ? code : 1;
}
