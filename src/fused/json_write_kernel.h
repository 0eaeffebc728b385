/* Between json_write.c and its kernels. */
#ifndef FUSED_JSON_WRITE_KERNEL_H
#define FUSED_JSON_WRITE_KERNEL_H

#include "fused/json_write.h"
#include "fused/output.h"

enum { JSON_WRITE_SHORT = 64 /* the room between two nodes is for strings of this many bytes */ };

extern json_write_kernel *const json_write_base;
extern json_write_kernel *const json_write_avx2; /* NULL where it was not built */
extern json_write_kernel *const json_write_avx512;

#endif
