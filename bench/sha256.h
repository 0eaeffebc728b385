/* SHA-256 (FIPS 180-4), for checking fixtures against published digests. */
#ifndef BENCH_SHA256_H
#define BENCH_SHA256_H

#include <stddef.h>

/* Writes the digest as 64 lower-case hexadecimal digits and a NUL. */
void sha256_hex(const void *data, size_t len, char out[65]);

#endif
