/* Scanning kernels for AArch64's Advanced SIMD, 16 bytes; a mask has four bits a byte. */
#include "simd.h"

#if defined(__AARCH64EL__) && defined(__ARM_NEON)

#include "simd_utf8.h"
#include <arm_neon.h>

#define KERNEL_NAME "neon"
#define VEC uint8x16_t
#define VEC_SIZE 16
#define MASK uint64_t

static inline VEC vec_load(const uint8_t *p)
{
    return vld1q_u8(p);
}

static inline VEC vec_zero(void)
{
    return vdupq_n_u8(0);
}

static inline VEC vec_or(VEC a, VEC b)
{
    return vorrq_u8(a, b);
}

static inline VEC vec_sub(VEC a, VEC b)
{
    return vsubq_u8(a, b);
}

static inline bool vec_any(VEC v)
{
    return vmaxvq_u8(v) != 0;
}

static inline bool vec_ascii(VEC v)
{
    return vmaxvq_u8(v) < 0x80;
}

static inline VEC vec_equal(VEC v, uint8_t byte)
{
    return vceqq_u8(v, vdupq_n_u8(byte));
}

static inline VEC vec_starts(VEC v)
{
    return vcgtq_s8(vreinterpretq_s8_u8(v), vdupq_n_s8(-65));
}

static inline size_t vec_sum(VEC v)
{
    return vaddlvq_u8(v);
}

/* Narrowing by four bits keeps half a byte of each lane. */
static inline MASK mask_of(VEC v)
{
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(v), 4)), 0);
}

static inline size_t mask_first(MASK mask)
{
    return (size_t)__builtin_ctzll(mask) / 4;
}

static inline MASK mask_special(VEC v)
{
    VEC control = vcltq_u8(v, vdupq_n_u8(0x20));
    return mask_of(vec_or(control, vec_or(vec_equal(v, '"'), vec_equal(v, '\\'))));
}

static inline MASK mask_not_space(VEC v)
{
    VEC space =
        vec_or(vec_or(vec_equal(v, ' '), vec_equal(v, '\n')), vec_or(vec_equal(v, '\r'), vec_equal(v, '\t')));
    return ~mask_of(space);
}

static inline MASK mask_non_ascii(VEC v)
{
    return mask_of(vcgeq_u8(v, vdupq_n_u8(0x80)));
}

static inline MASK mask_2(VEC v, uint8_t a, uint8_t b)
{
    return mask_of(vec_or(vec_equal(v, a), vec_equal(v, b)));
}

static inline MASK mask_4(VEC v, const uint8_t set[4])
{
    return mask_of(vec_or(vec_or(vec_equal(v, set[0]), vec_equal(v, set[1])),
                          vec_or(vec_equal(v, set[2]), vec_equal(v, set[3]))));
}

static inline VEC vec_utf8_error(const uint8_t *p)
{
    VEC v = vec_load(p), before = vec_load(p - 1);
    VEC pair = vandq_u8(vqtbl1q_u8(vec_load(utf8_before_high), vshrq_n_u8(before, 4)),
                        vqtbl1q_u8(vec_load(utf8_before_low), vandq_u8(before, vdupq_n_u8(0x0F))));
    pair = vandq_u8(pair, vqtbl1q_u8(vec_load(utf8_high), vshrq_n_u8(v, 4)));
    VEC third = vqsubq_u8(vec_load(p - 2), vdupq_n_u8(0xE0 - 0x80));
    VEC fourth = vqsubq_u8(vec_load(p - 3), vdupq_n_u8(0xF0 - 0x80));
    VEC required = vandq_u8(vec_or(third, fourth), vdupq_n_u8(0x80));
    return veorq_u8(pair, required);
}

#include "simd_body.h"

const struct simd_kernels *simd_neon(void)
{
    return &kernels;
}

#else

const struct simd_kernels *simd_neon(void)
{
    return NULL;
}

#endif
