/* Reads the CPU's name, the kernel, the compiler and the date. */
#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

/* The build passes the flags of the C files. */
#ifndef BENCH_CFLAGS
#define BENCH_CFLAGS "flags unknown"
#endif

static void read_cpu(char *out, size_t cap)
{
    char line[256];
    snprintf(out, cap, "unknown CPU");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || colon == NULL)
            continue;
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(out, cap, "%s", colon + 2);
        break;
    }
    fclose(file);
}

void machine_describe(struct machine *out)
{
    struct utsname uts;
    time_t now = time(NULL);
    struct tm utc;
    read_cpu(out->cpu, sizeof out->cpu);
    if (uname(&uts) == 0)
        snprintf(out->system, sizeof out->system, "%s %s %s", uts.sysname, uts.release, uts.machine);
    else
        snprintf(out->system, sizeof out->system, "unknown system");
#ifdef __clang__
    snprintf(out->compiler, sizeof out->compiler, "clang %d.%d.%d, %s", __clang_major__, __clang_minor__,
             __clang_patchlevel__, BENCH_CFLAGS);
#else
    snprintf(out->compiler, sizeof out->compiler, "gcc %s, %s", __VERSION__, BENCH_CFLAGS);
#endif
    gmtime_r(&now, &utc);
    strftime(out->date, sizeof out->date, "%Y-%m-%d %H:%M UTC", &utc);
}
