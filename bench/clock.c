/* Thread CPU time, pinning and the instruction counter (Linux). See clock.h. */
#include "clock.h"

#include <time.h>

uint64_t clock_thread_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#ifdef __linux__
#include <linux/perf_event.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int clock_pin(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return -1;
    int last = -1;
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &set))
            last = i;
    if (last < 0)
        return -1;
    CPU_ZERO(&set);
    CPU_SET(last, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0 ? last : -1;
}

bool clock_instructions(uint64_t *count)
{
    enum { UNOPENED = -2 };
    static int fd = UNOPENED;
    if (fd == UNOPENED) {
        struct perf_event_attr attr;
        memset(&attr, 0, sizeof attr);
        attr.type = PERF_TYPE_HARDWARE;
        attr.size = sizeof attr;
        attr.config = PERF_COUNT_HW_INSTRUCTIONS;
        attr.exclude_kernel = 1;
        attr.exclude_hv = 1;
        fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
    }
    return fd >= 0 && read(fd, count, sizeof *count) == (ssize_t)sizeof *count;
}
#else
int clock_pin(void)
{
    return -1;
}

bool clock_instructions(uint64_t *count)
{
    *count = 0;
    return false;
}
#endif
