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
    return strcmp(name, "avx2") == 0 ? json_write_avx2 : strcmp(name, "avx512") == 0 ? json_write_avx512 : NULL;
}

enum fused_result json_write_val(const weir_val *val, const struct fused_limits *limits, unsigned indent,
                                 weir_buffer *out)
{
    /* Chosen once; every thread that comes first stores the same. */
    static _Atomic(json_write_kernel *) slot;
    json_write_kernel *kernel = atomic_load_explicit(&slot, memory_order_relaxed);
    if (unlikely(!kernel)) {
        kernel = json_write_kernel_named(simd_kernels()->name);
        kernel = kernel ? kernel : json_write_base;
        atomic_store_explicit(&slot, kernel, memory_order_relaxed);
    }
    return kernel(val, limits, indent, out);
}
