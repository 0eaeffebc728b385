/* UTF-8 over the scanning kernels (simd.h), and one sequence at a time. RFC 3629; Unicode, table 3-7. */
#include "utf8.h"
#include "simd.h"
#include "width_table.h"

#define PREFIX_STEP 4096 /* a failing text is searched bytewise in no more than this */

bool utf8_valid(const void *text, size_t n)
{
    return simd_kernels()->utf8_valid(text, n);
}

static bool is_continuation(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

int utf8_decode(const void *text, size_t n, uint32_t *scalar)
{
    const uint8_t *p = text;
    if (n == 0)
        return -1;
    if (p[0] < 0x80) {
        *scalar = p[0];
        return 1;
    }
    if (p[0] < 0xC2 || p[0] > 0xF4)
        return 0;
    int length = p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    if (n == 1)
        return -1;
    /* The second byte's range is what excludes overlong forms, surrogates and values too large. */
    uint8_t low = p[0] == 0xE0 ? 0xA0 : p[0] == 0xF0 ? 0x90 : 0x80;
    uint8_t high = p[0] == 0xED ? 0x9F : p[0] == 0xF4 ? 0x8F : 0xBF;
    if (p[1] < low || p[1] > high)
        return 0;
    uint32_t value = (p[0] & (0x7Fu >> length)) << 6 | (p[1] & 0x3Fu);
    for (int i = 2; i < length; i++) {
        if ((size_t)i == n)
            return -1;
        if (!is_continuation(p[i]))
            return 0;
        value = value << 6 | (p[i] & 0x3Fu);
    }
    *scalar = value;
    return length;
}

size_t utf8_valid_prefix(const void *text, size_t n, bool *incomplete)
{
    const struct simd_kernels *kernels = simd_kernels();
    const uint8_t *p = text;
    size_t i = 0;
    if (incomplete != NULL)
        *incomplete = false;
    while (n - i > PREFIX_STEP) {
        size_t step = PREFIX_STEP;
        while (step > PREFIX_STEP - 3 && is_continuation(p[i + step]))
            step--; /* so that no sequence is cut */
        if (!kernels->utf8_valid(p + i, step))
            break;
        i += step;
    }
    if (n - i <= PREFIX_STEP && kernels->utf8_valid(p + i, n - i))
        return n;
    for (;;) {
        i += kernels->find_non_ascii(p + i, n - i);
        uint32_t scalar;
        int length = utf8_decode(p + i, n - i, &scalar);
        if (length <= 0) {
            if (incomplete != NULL)
                *incomplete = length < 0 && i < n;
            return i;
        }
        i += (size_t)length;
    }
}

size_t utf8_count(const void *text, size_t n)
{
    const struct simd_kernels *kernels = simd_kernels();
    const uint8_t *p = text;
    if (kernels->utf8_valid(p, n))
        return kernels->utf8_count(p, n);
    size_t count = 0;
    for (size_t i = 0; i < n; count++) {
        uint32_t scalar;
        int length = utf8_decode(p + i, n - i, &scalar);
        i += length > 0 ? (size_t)length : 1;
    }
    return count;
}

size_t utf8_encode(uint32_t scalar, char out[4])
{
    if (scalar < 0x80) {
        out[0] = (char)scalar;
        return 1;
    }
    if (scalar < 0x800) {
        out[0] = (char)(0xC0 | scalar >> 6);
        out[1] = (char)(0x80 | (scalar & 0x3F));
        return 2;
    }
    if (scalar < 0x10000) {
        if (scalar >= 0xD800 && scalar < 0xE000)
            return 0;
        out[0] = (char)(0xE0 | scalar >> 12);
        out[1] = (char)(0x80 | (scalar >> 6 & 0x3F));
        out[2] = (char)(0x80 | (scalar & 0x3F));
        return 3;
    }
    if (scalar > 0x10FFFF)
        return 0;
    out[0] = (char)(0xF0 | scalar >> 18);
    out[1] = (char)(0x80 | (scalar >> 12 & 0x3F));
    out[2] = (char)(0x80 | (scalar >> 6 & 0x3F));
    out[3] = (char)(0x80 | (scalar & 0x3F));
    return 4;
}

static bool in_ranges(const uint32_t ranges[][2], size_t n, uint32_t scalar)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (scalar > ranges[middle][1])
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && scalar >= ranges[low][0];
}

int utf8_width(uint32_t scalar)
{
    if (scalar >= 0x20 && scalar < 0x7F)
        return 1;
    if (in_ranges(width_none, sizeof width_none / sizeof width_none[0], scalar))
        return 0;
    return in_ranges(width_two, sizeof width_two / sizeof width_two[0], scalar) ? 2 : 1;
}
