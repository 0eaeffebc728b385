/*
 * Random numbers for tests: xorshift64*. The first run uses a fixed seed, the second one from the clock,
 * printed, so that a failure can be repeated with WEIR_TEST_SEED.
 */
#ifndef WEIR_TESTS_BASE_TEST_RANDOM_H
#define WEIR_TESTS_BASE_TEST_RANDOM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define FIXED_SEED 0x9E3779B97F4A7C15u

static inline uint64_t random_next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545F4914F6CDD1Du;
}

static inline uint64_t random_seed(void)
{
    const char *given = getenv("WEIR_TEST_SEED");
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    uint64_t seed =
        given != NULL ? strtoull(given, NULL, 0) : (uint64_t)now.tv_sec << 20 ^ (uint64_t)now.tv_nsec;
    seed |= 1;
    printf("WEIR_TEST_SEED=%llu\n", (unsigned long long)seed);
    return seed;
}

#endif
