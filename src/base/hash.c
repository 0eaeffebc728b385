/* SipHash-1-3 and the seed of the process. */
#include "base/hash.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__) || defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__)
#include <sys/random.h>
#endif

uint64_t hash_seed(void)
{
    /* Every thread that comes here first makes a seed; the first one stored stays. */
    static _Atomic uint64_t slot;
    uint64_t seed = atomic_load_explicit(&slot, memory_order_relaxed);
    if (seed) {
        return seed;
    }
#if defined(__linux__) || defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__)
    if (getentropy(&seed, sizeof seed) != 0) {
        seed = 0;
    }
#endif
    if (!seed) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        seed = hash_mix((uint64_t)now.tv_sec ^ (uint64_t)(uintptr_t)&seed, (uint64_t)now.tv_nsec) | 1;
    }
    uint64_t none = 0;
    return atomic_compare_exchange_strong(&slot, &none, seed) ? seed : none;
}

static inline uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static inline void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[0] = rotate(v[0], 32);
    v[2] += v[3];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

uint64_t hash_bytes(const void *bytes, size_t len, uint64_t seed)
{
    const uint8_t *p = bytes;
    uint64_t k0 = seed, k1 = seed * UINT64_C(0xD6E8FEB86659FD93) + 1;
    uint64_t v[4] = {k0 ^ UINT64_C(0x736f6d6570736575), k1 ^ UINT64_C(0x646f72616e646f6d),
                     k0 ^ UINT64_C(0x6c7967656e657261), k1 ^ UINT64_C(0x7465646279746573)};
    uint64_t tail = (uint64_t)len << 56;
    for (; len >= 8; len -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        v[3] ^= word;
        sip_round(v);
        v[0] ^= word;
    }
    for (size_t i = 0; i < len; i++) {
        tail |= (uint64_t)p[i] << 8 * i;
    }
    v[3] ^= tail;
    sip_round(v);
    v[0] ^= tail;
    v[2] ^= 0xff;
    sip_round(v);
    sip_round(v);
    sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
