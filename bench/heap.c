/* The counting malloc. See heap.h. Single-threaded by design: the harness
 * starts no threads. */
#include "heap.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define HEAP_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HEAP_SANITIZED 1
#endif

#include <errno.h>
#include <stdlib.h> /* also defines __GLIBC__ where the C library is glibc */
#ifdef __GLIBC__
#include <malloc.h>
#endif

static struct heap_count count;
static bool counting;

#if defined(__GLIBC__) && !defined(HEAP_SANITIZED)

#define HEAP_COUNTED 1
#define EXPORTED __attribute__((visibility("default")))

/* glibc's own names for its allocator, there for programs that wrap it. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *p);

static void gave(void *p)
{
    if (p == NULL)
        return;
    count.allocations++;
    count.live += (long long)malloc_usable_size(p);
    if (count.live > count.peak)
        count.peak = count.live;
}

static void took(void *p)
{
    if (p != NULL)
        count.live -= (long long)malloc_usable_size(p);
}

EXPORTED void *malloc(size_t size)
{
    void *p = __libc_malloc(size);
    if (__builtin_expect(counting, 0))
        gave(p);
    return p;
}

EXPORTED void *calloc(size_t n, size_t size)
{
    void *p = __libc_calloc(n, size);
    if (__builtin_expect(counting, 0))
        gave(p);
    return p;
}

EXPORTED void *realloc(void *old, size_t size)
{
    if (__builtin_expect(!counting, 1))
        return __libc_realloc(old, size);
    long long before = old == NULL ? 0 : (long long)malloc_usable_size(old);
    void *p = __libc_realloc(old, size);
    if (p != NULL || size == 0)
        count.live -= before;
    gave(p);
    return p;
}

EXPORTED void free(void *p)
{
    if (__builtin_expect(counting, 0))
        took(p);
    __libc_free(p);
}

EXPORTED void *memalign(size_t alignment, size_t size)
{
    void *p = __libc_memalign(alignment, size);
    if (__builtin_expect(counting, 0))
        gave(p);
    return p;
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

EXPORTED int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return EINVAL;
    void *p = memalign(alignment, size);
    if (p == NULL)
        return ENOMEM;
    *out = p;
    return 0;
}
#endif

void heap_settle(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

bool heap_is_counted(void)
{
#ifdef HEAP_COUNTED
    return true;
#else
    return false;
#endif
}

void heap_start(void)
{
    count = (struct heap_count){0};
    counting = true;
}

void heap_mark(void)
{
    count.allocations = 0;
    count.peak = count.live;
}

struct heap_count heap_read(void)
{
    return count;
}

void heap_stop(void)
{
    counting = false;
}
