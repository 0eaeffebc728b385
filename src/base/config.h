/* Compiler hints and byte-order loads that every room uses. */
#ifndef BASE_CONFIG_H
#define BASE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define NEVER_INLINE __attribute__((noinline))
#define COLD __attribute__((cold, noinline))

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BIG_ENDIAN_HOST 1
#else
#define BIG_ENDIAN_HOST 0
#endif

static inline uint16_t load_be16(const void *p)
{
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return BIG_ENDIAN_HOST ? v : __builtin_bswap16(v);
}

static inline uint32_t load_be32(const void *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return BIG_ENDIAN_HOST ? v : __builtin_bswap32(v);
}

static inline uint64_t load_be64(const void *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return BIG_ENDIAN_HOST ? v : __builtin_bswap64(v);
}

static inline void store_be16(void *p, uint16_t v)
{
    v = BIG_ENDIAN_HOST ? v : __builtin_bswap16(v);
    memcpy(p, &v, sizeof v);
}

static inline void store_be32(void *p, uint32_t v)
{
    v = BIG_ENDIAN_HOST ? v : __builtin_bswap32(v);
    memcpy(p, &v, sizeof v);
}

static inline void store_be64(void *p, uint64_t v)
{
    v = BIG_ENDIAN_HOST ? v : __builtin_bswap64(v);
    memcpy(p, &v, sizeof v);
}

#endif
