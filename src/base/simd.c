/* Choice of the scanning kernels at run time. */
#include "simd.h"

#include <stdatomic.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

enum { CPU_SSE2 = 1, CPU_AVX2 = 2, CPU_AVX512 = 4 };

#if defined(__x86_64__) || defined(__i386__)

static bool has(unsigned word, unsigned bits)
{
    return (word & bits) == bits;
}

/* The register state that the operating system saves (XCR0). */
static unsigned saved_state(void)
{
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static unsigned cpu_capabilities(void)
{
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
        return 0;
    unsigned found = has(edx, bit_SSE2) ? CPU_SSE2 : 0;
    if (!has(ecx, bit_OSXSAVE | bit_AVX | bit_PCLMUL | bit_SSSE3 | bit_SSE4_1 | bit_SSE4_2 | bit_POPCNT))
        return found;
    unsigned state = saved_state();
    if (!has(state, 0x06)) /* XMM, YMM */
        return found;
    if (!__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) || !has(ecx, bit_LZCNT))
        return found;
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || !has(ebx, bit_AVX2 | bit_BMI))
        return found;
    found |= CPU_AVX2;
    if (has(state, 0xE6) &&
        has(ebx, bit_BMI2 | bit_AVX512F | bit_AVX512BW | bit_AVX512VL | bit_AVX512DQ | bit_AVX512IFMA) &&
        has(ecx, bit_AVX512VBMI | bit_AVX512VBMI2))
        found |= CPU_AVX512;
    return found;
}

#else

static unsigned cpu_capabilities(void)
{
    return 0;
}

#endif

/* From the plainest to the best; an entry is usable if it was built and the CPU has what it needs. */
static const struct {
    const struct simd_kernels *(*get)(void);
    unsigned needs;
} candidates[] = {
    {simd_portable, 0},        {simd_sse2, CPU_SSE2}, {simd_avx2, CPU_AVX2},
    {simd_avx512, CPU_AVX512}, {simd_neon, 0},
};

#define CANDIDATES (sizeof candidates / sizeof candidates[0])

static const struct simd_kernels *candidate(size_t i, unsigned capabilities)
{
    return (candidates[i].needs & ~capabilities) == 0 ? candidates[i].get() : NULL;
}

const struct simd_kernels *simd_kernels(void)
{
    static _Atomic(const struct simd_kernels *) chosen;
    const struct simd_kernels *kernels = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (kernels != NULL)
        return kernels;
    unsigned capabilities = cpu_capabilities();
    for (size_t i = CANDIDATES; kernels == NULL; i--)
        kernels = candidate(i - 1, capabilities);
    atomic_store_explicit(&chosen, kernels, memory_order_relaxed);
    return kernels;
}

const struct simd_kernels *simd_kernels_named(const char *name)
{
    unsigned capabilities = cpu_capabilities();
    for (size_t i = 0; i < CANDIDATES; i++) {
        const struct simd_kernels *kernels = candidate(i, capabilities);
        if (kernels != NULL && strcmp(kernels->name, name) == 0)
            return kernels;
    }
    return NULL;
}
