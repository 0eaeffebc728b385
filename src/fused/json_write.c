/* The fused JSON writer: choice of the kernel. */
#include "fused/json_write_kernel.h"

#include "base/simd.h"

#include <stdatomic.h>
#include <string.h>

json_write_kernel *json_write_kernel_named(const char *name)
{
    if (strcmp(name, "base") == 0) {
        return json_write_base;
    }
    if (!simd_kernels_named(name)) {
        return NULL;
    }
    return strcmp(name, "avx2") == 0     ? json_write_avx2
           : strcmp(name, "avx512") == 0 ? json_write_avx512
                                         : NULL;
}

static _Atomic(json_write_kernel *) chosen;

/* Chooses; every thread that comes first stores the same. */
static NEVER_INLINE enum fused_result write_first(const weir_val *val, const struct fused_limits *limits,
                                                  unsigned indent, weir_buffer *out)
{
    json_write_kernel *kernel = json_write_kernel_named(simd_kernels()->name);
    kernel = kernel ? kernel : json_write_base;
    atomic_store_explicit(&chosen, kernel, memory_order_relaxed);
    /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): the base kernel is always there */
    return kernel(val, limits, indent, out);
}

enum fused_result json_write_val(const weir_val *val, const struct fused_limits *limits, unsigned indent,
                                 weir_buffer *out)
{
    json_write_kernel *kernel = atomic_load_explicit(&chosen, memory_order_relaxed);
    return likely(kernel != NULL) ? kernel(val, limits, indent, out) : write_first(val, limits, indent, out);
}
