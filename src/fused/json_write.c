/* The fused JSON writer: choice of the kernel. */
#include "fused/json_write_kernel.h"

#include "base/simd.h"

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
    const char *name = simd_kernels()->name;
    json_write_kernel *kernel = json_write_base;
    if (name[0] == 'a' && name[1] == 'v') {
        kernel = name[3] == '5' ? json_write_avx512 : json_write_avx2;
    }
    return (kernel ? kernel : json_write_base)(val, limits, indent, out);
}
