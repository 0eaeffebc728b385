/* gzip and zstd streams, in and out. */
#ifndef UNPACK_H
#define UNPACK_H

#include "output.h"

#include <sys/types.h>

/* Bytes that tell. */
#define PACKING_HEAD ((size_t)4)
/* What the first bytes say. */
enum packing packing_of(const void *head, size_t len);
/* By the end of a file's name. */
enum packing packing_of_path(const char *path);
bool packing_is_built(enum packing packing);
const char *packing_name(enum packing packing);

/* raw reads stored bytes. NULL: out of memory. */
struct unpacker *unpack_open(enum packing packing, ssize_t (*raw)(void *context, void *out, size_t size),
                             void *context);
/* As weir_source.read; -1 with *damaged set if the data is no such stream, or ends too early. */
ptrdiff_t unpack_read(struct unpacker *unpacker, void *out, size_t size, bool *damaged);
void unpack_close(struct unpacker *unpacker);

struct packer;
/* Packed bytes go to raw. NULL: out of memory. */
struct packer *pack_open(enum packing packing, weir_sink raw);
bool pack_write(struct packer *packer, const void *bytes, size_t size);
bool pack_finish(struct packer *packer);
void pack_close(struct packer *packer);

#endif
