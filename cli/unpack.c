/* gzip by zlib, zstd by libzstd; each is optional at build time. */
#include "unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#define PIECE ((size_t)64 << 10)

enum packing packing_of(const void *head, size_t len)
{
    static const unsigned char gzip[] = {0x1F, 0x8B, 0x08}, zstd[] = {0x28, 0xB5, 0x2F, 0xFD};
    if (len >= sizeof gzip && memcmp(head, gzip, sizeof gzip) == 0) {
        return PACKING_GZIP;
    }
    return len >= sizeof zstd && memcmp(head, zstd, sizeof zstd) == 0 ? PACKING_ZSTD : PACKING_NONE;
}

static bool ends_in(const char *path, const char *end)
{
    size_t a = strlen(path), b = strlen(end);
    return a > b && strcmp(path + a - b, end) == 0;
}

enum packing packing_of_path(const char *path)
{
    return ends_in(path, ".gz") ? PACKING_GZIP : ends_in(path, ".zst") ? PACKING_ZSTD : PACKING_NONE;
}

bool packing_is_built(enum packing packing)
{
#ifdef HAVE_ZLIB
    if (packing == PACKING_GZIP) {
        return true;
    }
#endif
#ifdef HAVE_ZSTD
    if (packing == PACKING_ZSTD) {
        return true;
    }
#endif
    return packing == PACKING_NONE;
}

const char *packing_name(enum packing packing)
{
    return packing == PACKING_GZIP ? "gzip" : packing == PACKING_ZSTD ? "zstd" : "none";
}

/* ---- reading ---- */

struct unpacker {
    enum packing packing;
    ssize_t (*raw)(void *context, void *out, size_t size);
    void *context;
    bool raw_ended, at_boundary; /* between two members or frames */
    size_t at, len;
    unsigned char buffer[PIECE];
#ifdef HAVE_ZLIB
    z_stream gzip;
#endif
#ifdef HAVE_ZSTD
    ZSTD_DStream *zstd;
#endif
};

static bool unpack_begin(struct unpacker *u)
{
    (void)u; /* unused where neither library is there */
#ifdef HAVE_ZLIB
    if (u->packing == PACKING_GZIP) {
        return inflateInit2(&u->gzip, 16 + MAX_WBITS) == Z_OK;
    }
#endif
#ifdef HAVE_ZSTD
    if (u->packing == PACKING_ZSTD) {
        u->zstd = ZSTD_createDStream();
        return u->zstd && !ZSTD_isError(ZSTD_initDStream(u->zstd));
    }
#endif
    return false;
}

struct unpacker *unpack_open(enum packing packing, ssize_t (*raw)(void *context, void *out, size_t size),
                             void *context)
{
    struct unpacker *u = calloc(1, sizeof *u);
    if (!u) {
        return NULL;
    }
    u->packing = packing;
    u->raw = raw;
    u->context = context;
    u->at_boundary = true;
    if (!unpack_begin(u)) {
        free(u);
        return NULL;
    }
    return u;
}

void unpack_close(struct unpacker *u)
{
    if (!u) {
        return;
    }
#ifdef HAVE_ZLIB
    if (u->packing == PACKING_GZIP) {
        inflateEnd(&u->gzip);
    }
#endif
#ifdef HAVE_ZSTD
    if (u->packing == PACKING_ZSTD) {
        ZSTD_freeDStream(u->zstd);
    }
#endif
    free(u);
}

/* One step: bytes from the buffer to out. Returns what was made, or -1 for damaged data. */
static ptrdiff_t unpack_step(struct unpacker *u, void *out, size_t size)
{
    (void)u;
#ifdef HAVE_ZLIB
    if (u->packing == PACKING_GZIP) {
        u->gzip.next_in = u->buffer + u->at;
        u->gzip.avail_in = (uInt)(u->len - u->at);
        u->gzip.next_out = out;
        u->gzip.avail_out = (uInt)(size < (1u << 30) ? size : 1u << 30);
        size_t offered = u->gzip.avail_out;
        int result = inflate(&u->gzip, Z_NO_FLUSH);
        u->at = u->len - u->gzip.avail_in;
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
            return -1;
        }
        u->at_boundary = result == Z_STREAM_END;
        if (result == Z_STREAM_END && inflateReset(&u->gzip) != Z_OK) {
            return -1;
        }
        return (ptrdiff_t)(offered - u->gzip.avail_out);
    }
#endif
#ifdef HAVE_ZSTD
    if (u->packing == PACKING_ZSTD) {
        ZSTD_inBuffer from = {u->buffer, u->len, u->at};
        ZSTD_outBuffer to = {out, size, 0};
        size_t result = ZSTD_decompressStream(u->zstd, &to, &from);
        u->at = from.pos;
        if (ZSTD_isError(result)) {
            return -1;
        }
        u->at_boundary = result == 0;
        return (ptrdiff_t)to.pos;
    }
#endif
    (void)out;
    (void)size;
    return -1;
}

ptrdiff_t unpack_read(struct unpacker *u, void *out, size_t size, bool *damaged)
{
    for (;;) {
        if (u->at == u->len && !u->raw_ended) {
            ssize_t got = u->raw(u->context, u->buffer, sizeof u->buffer);
            if (got < 0) {
                return -1;
            }
            u->at = 0;
            u->len = (size_t)got;
            u->raw_ended = got == 0;
        }
        if (u->at == u->len && u->at_boundary && u->raw_ended) {
            return 0;
        }
        ptrdiff_t made = unpack_step(u, out, size);
        if (made != 0) {
            *damaged = made < 0;
            return made;
        }
        if (u->at == u->len && u->raw_ended && !u->at_boundary) {
            *damaged = true; /* cut off */
            return -1;
        }
    }
}

/* ---- writing ---- */

struct packer {
    enum packing packing;
    weir_sink raw;
#ifdef HAVE_ZLIB
    z_stream gzip;
#endif
#ifdef HAVE_ZSTD
    ZSTD_CStream *zstd;
#endif
    unsigned char buffer[PIECE];
};

#if defined(HAVE_ZLIB) || defined(HAVE_ZSTD)
static bool pass_on(struct packer *p, size_t size)
{
    for (size_t done = 0; done < size;) {
        ptrdiff_t took = p->raw.write(p->raw.context, p->buffer + done, size - done);
        if (took <= 0) {
            return false;
        }
        done += (size_t)took;
    }
    return true;
}
#endif

struct packer *pack_open(enum packing packing, weir_sink raw)
{
    struct packer *p = calloc(1, sizeof *p);
    bool ok = false;
    if (!p) {
        return NULL;
    }
    p->packing = packing;
    p->raw = raw;
#ifdef HAVE_ZLIB
    if (packing == PACKING_GZIP) {
        ok = deflateInit2(&p->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8,
                          Z_DEFAULT_STRATEGY) == Z_OK;
    }
#endif
#ifdef HAVE_ZSTD
    if (packing == PACKING_ZSTD) {
        p->zstd = ZSTD_createCStream();
        ok = p->zstd && !ZSTD_isError(ZSTD_initCStream(p->zstd, 3));
    }
#endif
    if (!ok) {
        free(p);
        return NULL;
    }
    return p;
}

static bool pack_some(struct packer *p, const void *bytes, size_t size, bool finish)
{
#ifdef HAVE_ZLIB
    if (p->packing == PACKING_GZIP) {
        p->gzip.next_in = (Bytef *)(uintptr_t)bytes;
        p->gzip.avail_in = (uInt)size;
        int result;
        do {
            p->gzip.next_out = p->buffer;
            p->gzip.avail_out = sizeof p->buffer;
            result = deflate(&p->gzip, finish ? Z_FINISH : Z_NO_FLUSH);
            if (!pass_on(p, sizeof p->buffer - p->gzip.avail_out)) {
                return false;
            }
        } while (p->gzip.avail_out == 0 || (finish && result == Z_OK));
        return result == Z_OK || result == Z_BUF_ERROR || result == Z_STREAM_END;
    }
#endif
#ifdef HAVE_ZSTD
    if (p->packing == PACKING_ZSTD) {
        ZSTD_inBuffer from = {bytes, size, 0};
        size_t left;
        do {
            ZSTD_outBuffer to = {p->buffer, sizeof p->buffer, 0};
            left = ZSTD_compressStream2(p->zstd, &to, &from, finish ? ZSTD_e_end : ZSTD_e_continue);
            if (ZSTD_isError(left) || !pass_on(p, to.pos)) {
                return false;
            }
        } while (from.pos < from.size || (finish && left != 0));
        return true;
    }
#endif
    (void)p;
    (void)bytes;
    (void)size;
    (void)finish;
    return false;
}

bool pack_write(struct packer *p, const void *bytes, size_t size)
{
    for (const char *at = bytes; size > 0;) {
        size_t part = size < ((size_t)1 << 30) ? size : (size_t)1 << 30;
        if (!pack_some(p, at, part, false)) {
            return false;
        }
        at += part;
        size -= part;
    }
    return true;
}

bool pack_finish(struct packer *p)
{
    return pack_some(p, "", 0, true);
}

void pack_close(struct packer *p)
{
    if (!p) {
        return;
    }
#ifdef HAVE_ZLIB
    if (p->packing == PACKING_GZIP) {
        deflateEnd(&p->gzip);
    }
#endif
#ifdef HAVE_ZSTD
    if (p->packing == PACKING_ZSTD) {
        ZSTD_freeCStream(p->zstd);
    }
#endif
    free(p);
}
