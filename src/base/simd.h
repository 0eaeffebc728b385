/*
 * Scanning kernels, one table per instruction set, chosen once at run time.
 *
 * No kernel reads outside its input, whatever its alignment; all give the same results. Kernels are found by
 * the CPU's capabilities (x86: CPUID and XGETBV) and published through one atomic slot, written idempotently.
 */
#ifndef WEIR_BASE_SIMD_H
#define WEIR_BASE_SIMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct simd_kernels {
    const char *name;

    bool (*utf8_valid)(const uint8_t *p, size_t n);

    /* Bytes that are no continuation bytes: the scalar values of a text that is valid. */
    size_t (*utf8_count)(const uint8_t *p, size_t n);

    /* Occurrences of one byte. */
    size_t (*count_byte)(const uint8_t *p, size_t n, uint8_t byte);

    /* The index of the first such byte, or n. */
    size_t (*find_quote_escape_control)(const uint8_t *p, size_t n); /* '"', '\\' or below 0x20 */
    size_t (*skip_json_space)(const uint8_t *p, size_t n);           /* neither space, tab, LF nor CR */
    size_t (*find_non_ascii)(const uint8_t *p, size_t n);            /* 0x80 or above */
    size_t (*find_byte2)(const uint8_t *p, size_t n, uint8_t a, uint8_t b);
    size_t (*find_byte4)(const uint8_t *p, size_t n, const uint8_t set[4]);
};

/* The best kernels of this CPU. Thread-safe, never NULL. */
const struct simd_kernels *simd_kernels(void);

/* "portable", "sse2", "avx2", "avx512" or "neon"; NULL if the build or the CPU lacks it. */
const struct simd_kernels *simd_kernels_named(const char *name);

/* One per kernel file; NULL where the file was built for another instruction set. Whether the CPU has it is
 * not asked. */
const struct simd_kernels *simd_portable(void);
const struct simd_kernels *simd_sse2(void);
const struct simd_kernels *simd_avx2(void);
const struct simd_kernels *simd_avx512(void);
const struct simd_kernels *simd_neon(void);

#pragma GCC visibility pop

#endif
