/* Random inputs of every format in all the forms that it allows, written without the library, and damage to
 * them. */
#ifndef TESTS_GENERATE_H
#define TESTS_GENERATE_H

#include "support.h"
#include "weir/weir.h"

static inline void gen_add(weir_buffer *out, const void *bytes, size_t n)
{
    if (!weir_buffer_append(out, bytes, n)) {
        abort();
    }
}

static inline void gen_puts(weir_buffer *out, const char *text)
{
    gen_add(out, text, strlen(text));
}

static inline void gen_byte(weir_buffer *out, unsigned byte)
{
    char c = (char)byte;
    gen_add(out, &c, 1);
}

/* ---- text that makes trouble ---- */

static const char *const hostile[] = {
    "",
    "a",
    "123",
    "true",
    "null",
    "---",
    "inf",
    "NaN",
    " lead",
    "trail ",
    "\"",
    "\\",
    "a\"b\\c",
    "\n",
    "\r\n",
    "\t",
    "\x7f",
    "\xC3\xA9",
    "\xE2\x80\xA8",
    "\xF0\x9F\x98\x80",
    "\xEF\xBF\xBF",
    "\xF4\x8F\xBF\xBF",
    "\x01\x1f",
    "0",
    "-0",
    "1e400",
    "key",
    "k1",
    "k2",
    "k3",
    "[1,2]",
    "{}",
    "h'00'",
    "/~",
    "\xEF\xBB\xBF",
    "\x1e",
    "sixteen bytes...",
    "thirty-two bytes of plain text..",
    "sixty-four bytes of plain text, so that a whole vector is filled up.",
    "thirty-one bytes, a quote at \"..",
    "fifteen bytes.\n",
};

static inline const char *gen_text(rng *r, size_t *len)
{
    static char made[400];
    if (rng_below(r, 6)) {
        const char *text = hostile[rng_below(r, sizeof hostile / sizeof *hostile)];
        *len = strlen(text);
        return text;
    }
    if (rng_below(r, 4) == 0) {
        *len = 1 + rng_below(r, 3);
        memset(made, 0, *len); /* NULs */
        return made;
    }
    *len = 0;
    size_t target = rng_below(r, 300);
    while (*len < target) {
        const char *text = hostile[rng_below(r, sizeof hostile / sizeof *hostile)];
        size_t n = strlen(text);
        memcpy(made + *len, text, n);
        *len += n;
    }
    return made;
}

static const char *const json_numbers[] = {
    "0",
    "-0",
    "1",
    "-1",
    "7",
    "42",
    "-17",
    "255",
    "256",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "-9223372036854775809",
    "0.1",
    "1.5",
    "-0.0",
    "1e0",
    "1E5",
    "1e-5",
    "1.0",
    "100000.0",
    "1e400",
    "-1e400",
    "1e-400",
    "1e99999999999999999999",
    "1e-99999999999999999999",
    "0e99999999999999999999",
    "5e-324",
    "2.4e-324",
    "1.7976931348623157e308",
    "1.7976931348623159e308",
    "123456789012345678901234567890",
    "0.1000000000000000055511151231257827",
    "9007199254740993",
    "9007199254740993.0",
    "1.00000000000000000001",
    "3.141592653589793238",
    "65504",
    "65504.0",
    "0.333251953125",
    "16777217.0",
    "1e16",
    "123456.789e-3",
    "12e+2",
};

#define GEN_PICK(r, table) table[rng_below(r, sizeof(table) / sizeof *(table))]

/* ---- JSON ---- */

static inline void gen_space(rng *r, weir_buffer *out, bool lines)
{
    while (rng_below(r, 6) == 0) {
        gen_byte(out, (unsigned)" \t\n\r"[rng_below(r, lines ? 4 : 2)]);
    }
}

static inline void gen_json_string(rng *r, weir_buffer *out)
{
    size_t len;
    const char *text = gen_text(r, &len);
    gen_byte(out, '"');
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        char escape[16];
        if (c == '"' || c == '\\') {
            gen_byte(out, '\\');
            gen_byte(out, c);
        } else if (c < 0x20 || (c < 0x80 && rng_below(r, 12) == 0)) {
            snprintf(escape, sizeof escape, rng_below(r, 2) ? "\\u%04x" : "\\u%04X", c);
            gen_puts(out, c == '\n' ? "\\n" : c == '/' ? "\\/" : escape);
        } else {
            gen_byte(out, c);
        }
    }
    if (rng_below(r, 12) == 0) {
        gen_puts(out, "\\ud83d\\ude00\\u00e9\\uFFFF\\u0000");
    }
    gen_byte(out, '"');
}

static inline void gen_json(rng *r, weir_buffer *out, unsigned depth, bool lines)
{
    unsigned kind = (unsigned)rng_below(r, depth ? 10 : 6);
    unsigned n = (unsigned)rng_below(r, rng_below(r, 8) ? 4 : 24);
    switch (kind) {
    case 0:
        gen_puts(out, "null");
        break;
    case 1:
        gen_puts(out, rng_below(r, 2) ? "true" : "false");
        break;
    case 2:
    case 3:
        if (rng_below(r, 40) == 0) { /* many digits */
            size_t digits =
                rng_below(r, 4) ? 1 + (size_t)rng_below(r, 1200) : 4090 + (size_t)rng_below(r, 10);
            for (size_t i = 0; i < digits; i++) {
                gen_byte(out, '1' + (unsigned)rng_below(r, 9));
            }
            gen_puts(out, rng_below(r, 2) ? ".5" : "");
        } else {
            gen_puts(out, GEN_PICK(r, json_numbers));
        }
        break;
    case 4:
    case 5:
        gen_json_string(r, out);
        break;
    case 6:
    case 7:
        gen_byte(out, '[');
        gen_space(r, out, lines);
        for (unsigned i = 0; i < n; i++) {
            gen_puts(out, i ? "," : "");
            gen_space(r, out, lines);
            gen_json(r, out, depth - 1, lines);
            gen_space(r, out, lines);
        }
        gen_byte(out, ']');
        break;
    default:
        gen_byte(out, '{');
        gen_space(r, out, lines);
        for (unsigned i = 0; i < n; i++) {
            gen_puts(out, i ? "," : "");
            gen_space(r, out, lines);
            gen_json_string(r, out);
            gen_space(r, out, lines);
            gen_byte(out, ':');
            gen_space(r, out, lines);
            gen_json(r, out, depth - 1, lines);
            gen_space(r, out, lines);
        }
        gen_byte(out, '}');
        break;
    }
}

/* ---- CBOR ---- */

static inline void gen_big_endian(weir_buffer *out, uint64_t value, unsigned bytes)
{
    while (bytes-- > 0) {
        gen_byte(out, (unsigned)(value >> (bytes * 8)) & 0xFF);
    }
}

/* A head, mostly of the shortest form. */
static inline void gen_cbor_head(rng *r, weir_buffer *out, unsigned major, uint64_t value)
{
    unsigned least = value < 24 ? 0 : value < 256 ? 1 : value < 65536 ? 2 : value <= UINT32_MAX ? 4 : 8;
    if (rng_below(r, 6) == 0) {
        least = least < 1 ? 1 : least < 4 && rng_below(r, 2) ? 4 : 8;
    }
    gen_byte(out, major << 5 | (least == 0   ? (unsigned)value
                                : least == 1 ? 24
                                : least == 2 ? 25
                                : least == 4 ? 26
                                             : 27));
    gen_big_endian(out, value, least);
}

static inline uint64_t gen_u64(rng *r)
{
    static const uint64_t edges[] = {0,          1,
                                     23,         24,
                                     31,         32,
                                     127,        128,
                                     255,        256,
                                     65535,      65536,
                                     0x7FFFFFFF, 0x80000000,
                                     0xFFFFFFFF, 0x100000000,
                                     INT64_MAX,  (uint64_t)INT64_MAX + 1,
                                     UINT64_MAX, UINT64_MAX - 1};
    return rng_below(r, 3) ? GEN_PICK(r, edges) : rng_next(r) >> rng_below(r, 64);
}

static inline uint64_t gen_real_bits(rng *r, unsigned bytes)
{
    static const uint64_t f64[] = {0,
                                   UINT64_C(0x8000000000000000),
                                   UINT64_C(0x3FF0000000000000),
                                   UINT64_C(0x7FF0000000000000),
                                   UINT64_C(0xFFF0000000000000),
                                   UINT64_C(0x7FF8000000000000),
                                   UINT64_C(0x7FF8000000000123),
                                   UINT64_C(0xFFF0000000000001),
                                   1,
                                   UINT64_C(0x3FB999999999999A),
                                   UINT64_C(0x40EFFC0000000000)};
    static const uint64_t f32[] = {0,          0x80000000, 0x3F800000, 0x7F800000, 0xFF800000,
                                   0x7FC00000, 0x7FC00123, 0x7F800001, 1,          0x3DCCCCCD};
    static const uint64_t f16[] = {0, 0x8000, 0x3C00, 0x7C00, 0xFC00, 0x7E00, 0x7E01, 0x7C01, 1, 0x7BFF};
    if (rng_below(r, 3) == 0) {
        return rng_next(r);
    }
    return bytes == 8 ? GEN_PICK(r, f64) : bytes == 4 ? GEN_PICK(r, f32) : GEN_PICK(r, f16);
}

static inline void gen_cbor_text(rng *r, weir_buffer *out, unsigned major)
{
    size_t len;
    const char *text = gen_text(r, &len);
    if (rng_below(r, 8) == 0) { /* in chunks; text is cut between characters */
        gen_byte(out, major << 5 | 31);
        while (len) {
            size_t n = 1 + rng_below(r, len);
            while (major == 3 && n < len && ((unsigned char)text[n] & 0xC0) == 0x80) {
                n++;
            }
            gen_cbor_head(r, out, major, n);
            gen_add(out, text, n);
            text += n;
            len -= n;
        }
        gen_byte(out, 0xFF);
        return;
    }
    gen_cbor_head(r, out, major, len);
    gen_add(out, text, len);
}

static inline void gen_cbor(rng *r, weir_buffer *out, unsigned depth)
{
    static const char *const times[] = {"2026-05-04T03:02:01Z", "1969-12-31T23:59:59.123456789+23:59",
                                        "0001-01-01T00:00:00-00:01"};
    static const uint64_t tags[] = {0, 1, 2, 3, 4, 5, 24, 32, 100, 258, 1001, 1004, 55799, UINT64_MAX};
    static const char *const cbor_keys[] = {"\x01",
                                            "\x20",
                                            "\x61k",
                                            "\x41k",
                                            "\xF6",
                                            "\xF7",
                                            "\xE1",
                                            "\xF9\x7E\x01",
                                            "\xFA\x7F\xC0\x01\x01",
                                            "\xF9\x3C\x01",
                                            "\x81\x01",
                                            "\x9F\x01\xFF",
                                            "\xA1\x01\x61k",
                                            "\xC6\x61k",
                                            "\xC2\x41\x01",
                                            "\xC2\x49\x01\x01\x01\x01\x01\x01\x01\x01\x01",
                                            "\x7F\x61k\xFF",
                                            "\x80",
                                            "\xA0"};
    unsigned kind = (unsigned)rng_below(r, depth ? 18 : 10);
    unsigned n = (unsigned)rng_below(r, rng_below(r, 8) ? 4 : 26);
    bool open_ended = rng_below(r, 4) == 0;
    unsigned width;
    switch (kind) {
    case 0:
        gen_byte(out, 0xF4 + (unsigned)rng_below(r, 3));
        break;
    case 1:
        gen_byte(out,
                 rng_below(r, 2) ? 0xF7 : 0xE0 + (unsigned)rng_below(r, 20)); /* undefined, simple values */
        break;
    case 2:
        gen_cbor_head(r, out, 0, gen_u64(r));
        break;
    case 3:
        gen_cbor_head(r, out, 1, gen_u64(r));
        break;
    case 4:
    case 5:
        gen_cbor_text(r, out, 3);
        break;
    case 6:
        gen_cbor_text(r, out, 2);
        break;
    case 7:
    case 8:
        width = 2u << rng_below(r, 3);
        gen_byte(out, width == 2 ? 0xF9 : width == 4 ? 0xFA : 0xFB);
        gen_big_endian(out, gen_real_bits(r, width), width);
        break;
    case 9: { /* bignum */
        gen_byte(out, 0xC2 + (unsigned)rng_below(r, 2));
        size_t len = rng_below(r, 20);
        gen_cbor_head(r, out, 2, len);
        for (size_t i = 0; i < len; i++) {
            gen_byte(out, i || rng_below(r, 2) ? (unsigned)rng_below(r, 256) : 0);
        }
        break;
    }
    case 10: /* decimal fraction or bigfloat */
        gen_byte(out, 0xC4 + (unsigned)(rng_below(r, 8) == 0));
        gen_byte(out, 0x82);
        gen_cbor_head(r, out, (unsigned)rng_below(r, 2), rng_below(r, 30));
        gen_cbor_head(r, out, (unsigned)rng_below(r, 2), gen_u64(r));
        break;
    case 11: { /* time */
        const char *time = GEN_PICK(r, times);
        if (rng_below(r, 2)) {
            gen_byte(out, 0xC0);
            gen_cbor_head(r, out, 3, strlen(time));
            gen_puts(out, time);
        } else {
            gen_byte(out, 0xC1);
            gen_cbor_head(r, out, (unsigned)rng_below(r, 2), rng_below(r, UINT64_C(1) << 33));
        }
        break;
    }
    case 12:
        gen_cbor_head(r, out, 6, rng_below(r, 2) ? GEN_PICK(r, tags) : gen_u64(r));
        gen_cbor(r, out, depth - 1);
        break;
    case 13:
    case 14:
        if (open_ended) {
            gen_byte(out, 0x9F);
        } else {
            gen_cbor_head(r, out, 4, n);
        }
        for (unsigned i = 0; i < n; i++) {
            gen_cbor(r, out, depth - 1);
        }
        if (open_ended) {
            gen_byte(out, 0xFF);
        }
        break;
    default:
        if (open_ended) {
            gen_byte(out, 0xBF);
        } else {
            gen_cbor_head(r, out, 5, n);
        }
        for (unsigned i = 0; i < n; i++) {
            if (rng_below(r, 6) == 0) { /* few kinds of keys, so that they meet */
                gen_puts(out, GEN_PICK(r, cbor_keys));
            } else if (rng_below(r, 5)) {
                gen_cbor_text(r, out, 3);
            } else {
                gen_cbor(r, out, rng_below(r, 3) ? 0 : depth - 1);
            }
            gen_cbor(r, out, depth - 1);
        }
        if (open_ended) {
            gen_byte(out, 0xFF);
        }
        break;
    }
}

/* ---- MessagePack ---- */

static inline void gen_msgpack_text(rng *r, weir_buffer *out)
{
    size_t len;
    const char *text = gen_text(r, &len);
    unsigned form = (unsigned)rng_below(r, 5);
    if (len < 32 && form < 2) {
        gen_byte(out, 0xA0 | (unsigned)len);
    } else if (len < 256 && form < 3) {
        gen_byte(out, 0xD9);
        gen_big_endian(out, len, 1);
    } else if (form < 4) {
        gen_byte(out, 0xDA);
        gen_big_endian(out, len, 2);
    } else {
        gen_byte(out, 0xDB);
        gen_big_endian(out, len, 4);
    }
    gen_add(out, text, len);
}

static inline void gen_msgpack(rng *r, weir_buffer *out, unsigned depth)
{
    unsigned kind = (unsigned)rng_below(r, depth ? 15 : 10), width;
    unsigned n = (unsigned)rng_below(r, rng_below(r, 8) ? 4 : 26);
    static const char *const msgpack_keys[] = {
        "\x01", "\xFF",     "\xA1k",         "\xD9\x01k", "\xC4\x01k",     "\xC0",
        "\xC3", "\x91\x01", "\x81\x01\xA1k", "\xD4\x05k", "\xC7\x01\x05k", "\xCA\x7F\xC0\x01\x01",
        "\x90", "\x80"};
    size_t len;
    const char *text;
    switch (kind) {
    case 0:
        gen_byte(out, 0xC0);
        break;
    case 1:
        gen_byte(out, 0xC2 + (unsigned)rng_below(r, 2));
        break;
    case 2:
        gen_byte(out, rng_below(r, 2) ? (unsigned)rng_below(r, 128) : 0xE0 + (unsigned)rng_below(r, 32));
        break;
    case 3:
        width = (unsigned)rng_below(r, 8); /* uint 8 … 64, int 8 … 64 */
        gen_byte(out, 0xCC + width);
        gen_big_endian(out, gen_u64(r), 1u << (width & 3));
        break;
    case 4:
        width = rng_below(r, 2) ? 4 : 8;
        gen_byte(out, width == 4 ? 0xCA : 0xCB);
        gen_big_endian(out, gen_real_bits(r, width), width);
        break;
    case 5:
    case 6:
        gen_msgpack_text(r, out);
        break;
    case 7:
        text = gen_text(r, &len);
        width = len < 256 ? (unsigned)rng_below(r, 3) : 1 + (unsigned)rng_below(r, 2);
        gen_byte(out, 0xC4 + width);
        gen_big_endian(out, len, 1u << width);
        gen_add(out, text, len);
        break;
    case 8: /* timestamp */
        width = (unsigned)rng_below(r, 3);
        gen_puts(out, width == 0 ? "\xD6\xFF" : width == 1 ? "\xD7\xFF" : "\xC7\x0C\xFF");
        if (width == 0) {
            gen_big_endian(out, gen_u64(r), 4);
        } else if (width == 1) {
            gen_big_endian(out, rng_below(r, 1000000000) << 34 | (gen_u64(r) & 0x3FFFFFFFF), 8);
        } else {
            gen_big_endian(out, rng_below(r, 1000000000), 4);
            gen_big_endian(out, rng_next(r) >> rng_below(r, 40), 8);
        }
        break;
    case 9: /* ext */
        text = gen_text(r, &len);
        gen_byte(out, 0xC7);
        len &= 0xFF;
        gen_byte(out, (unsigned)len);
        gen_byte(out, (unsigned)rng_below(r, 128));
        gen_add(out, text, len);
        break;
    case 10:
    case 11:
        if (n < 16 && rng_below(r, 3)) {
            gen_byte(out, 0x90 | n);
        } else {
            width = (unsigned)rng_below(r, 2);
            gen_byte(out, 0xDC + width);
            gen_big_endian(out, n, 2u << width);
        }
        for (unsigned i = 0; i < n; i++) {
            gen_msgpack(r, out, depth - 1);
        }
        break;
    default:
        if (n < 16 && rng_below(r, 3)) {
            gen_byte(out, 0x80 | n);
        } else {
            width = (unsigned)rng_below(r, 2);
            gen_byte(out, 0xDE + width);
            gen_big_endian(out, n, 2u << width);
        }
        for (unsigned i = 0; i < n; i++) {
            if (rng_below(r, 6) == 0) { /* few kinds of keys, so that they meet */
                gen_puts(out, GEN_PICK(r, msgpack_keys));
            } else if (rng_below(r, 5)) {
                gen_msgpack_text(r, out);
            } else {
                gen_msgpack(r, out, rng_below(r, 3) ? 0 : depth - 1);
            }
            gen_msgpack(r, out, depth - 1);
        }
        break;
    }
}

/* ---- inputs ---- */

/* Mostly one document, sometimes none or several. Sometimes one deep one. */
static inline void generate(rng *r, const weir_format *format, weir_buffer *out)
{
    unsigned depth = 1 + (unsigned)rng_below(r, 5),
             deep = rng_below(r, 40) ? 0 : (unsigned)rng_below(r, 1100);
    unsigned count = rng_below(r, 3) ? 1 : (unsigned)rng_below(r, 5);
    for (unsigned i = 0; i < count && out->len < 6000; i++) {
        if (format == weir_cbor) {
            for (unsigned level = 0; level < deep; level++) {
                gen_byte(out, rng_below(r, 2) ? 0x81 : 0xC6);
            }
            gen_cbor(r, out, depth);
        } else if (format == weir_msgpack) {
            for (unsigned level = 0; level < deep; level++) {
                gen_byte(out, 0x91);
            }
            gen_msgpack(r, out, depth);
        } else if (format == weir_cbor_diag) {
            weir_buffer cbor = {0};
            gen_cbor(r, &cbor, depth);
            weir_options options = WEIR_OPTIONS_DEFAULT;
            options.indent = (uint32_t)rng_below(r, 3);
            options.numbers = WEIR_NUMBERS_EXACT;
            if (rng_below(r, 4) == 0 ||
                !weir_convert(weir_cbor, cbor.data, cbor.len, format, &options, out, NULL)) {
                gen_json(r, out, depth, true);
            }
            weir_buffer_free(&cbor);
            gen_puts(out, i + 1 < count ? ", " : "");
        } else {
            bool json = format == weir_json;
            if (i == 0 && rng_below(r, 30) == 0) {
                gen_puts(out, "\xEF\xBB\xBF");
            }
            gen_puts(out, format == weir_json_seq ? "\x1e" : "");
            gen_space(r, out, format != weir_ndjson);
            for (unsigned level = 0; level < deep; level++) {
                gen_byte(out, '[');
            }
            gen_json(r, out, depth, format != weir_ndjson);
            for (unsigned level = 0; level < deep; level++) {
                gen_byte(out, ']');
            }
            gen_space(r, out, format != weir_ndjson);
            bool end = json ? rng_below(r, 2) : i + 1 < count || rng_below(r, 4);
            gen_puts(out, !end ? "" : rng_below(r, 5) ? "\n" : rng_below(r, 2) ? "\r\n" : "\n\n \n");
        }
    }
}

/* Changes a few bytes of it. */
static inline void damage(rng *r, weir_buffer *out)
{
    static const char often[] =
        "[]{}\",:\\0123-+.eE \n\r\tu\x1e\xff\x80\xc3\xf0\x9f\xbf\x5f\x7f\xf7\x1b\x9b\xdf";
    for (unsigned n = 1 + (unsigned)rng_below(r, 3); n > 0 && out->len; n--) {
        size_t at = rng_below(r, out->len);
        char byte = rng_below(r, 2) ? often[rng_below(r, sizeof often - 1)] : (char)rng_next(r);
        switch (rng_below(r, 5)) {
        case 0:
            out->data[at] = byte;
            break;
        case 1:
            out->data[at] = (char)(out->data[at] ^ 1 << rng_below(r, 8));
            break;
        case 2: /* inserted */
            gen_byte(out, 0);
            memmove(out->data + at + 1, out->data + at, out->len - at - 1);
            out->data[at] = byte;
            break;
        case 3: /* removed */
            memmove(out->data + at, out->data + at + 1, out->len - at - 1);
            out->len--;
            break;
        default:
            out->len = rng_below(r, 3) ? out->len : at;
            break;
        }
    }
}

#endif
