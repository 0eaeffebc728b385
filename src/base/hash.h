/* A keyed hash for tables that hold hostile input: SipHash-1-3 (Aumasson and Bernstein 2012, reduced rounds
 * as the hash tables of Rust and Python use it) under a random seed of the process. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/config.h"

/* The seed of this process: random, never 0, the same at every call. Thread-safe. */
uint64_t hash_seed(void);

uint64_t hash_bytes(const void *bytes, size_t len, uint64_t seed);

/* One more 64-bit word into a hash. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

#endif
