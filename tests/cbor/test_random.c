/* Random documents and damaged ones, for the formats with CBOR's kinds of values.
 *
 * What is written reads back and is written again as the same bytes; a damaged input gives the same events
 * and the same error from memory, from a stream of single bytes, and with memory that moves at every request;
 * and every request for memory may fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event_text.h"
#include "support.h"

static weir_options exact(void)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.numbers = WEIR_NUMBERS_EXACT;
    return options;
}

/* What a random document may hold. */
struct taste {
    bool cbor; /* big numbers, numbered tags, undefined, simple values; else ext and timestamps */
};

static void write_text(weir_writer *w, rng *r, bool is_key)
{
    static const char *const pieces[] = {
        "a", "\"", "\\", "\n", "\303\274", "\346\260\264", "\360\220\205\221", "/", "'", "#"};
    weir_buffer text = {0};
    for (uint64_t n = rng_below(r, rng_below(r, 20) ? 8 : 300); n; n--) {
        text_puts(&text, pieces[rng_below(r, sizeof pieces / sizeof *pieces)]);
    }
    weir_event event = {
        .kind = WEIR_KIND_STRING, .text = text.data ? text.data : "", .len = text.len, .is_key = is_key};
    assert_true(weir_write_event(w, &event));
    weir_buffer_free(&text);
}

static uint64_t any_integer(rng *r)
{
    return rng_next(r) >> rng_below(r, 64);
}

static void write_real(weir_writer *w, rng *r, bool is_key)
{
    weir_event event = {.kind = WEIR_KIND_REAL, .is_key = is_key};
    uint64_t bits = rng_next(r);
    float narrow = (float)(int32_t)any_integer(r);
    switch (rng_below(r, 3)) {
    case 0:
        memcpy(&event.v.d, &bits, sizeof bits);
        event.v.d = isnan(event.v.d) ? 1.5 : event.v.d;
        break;
    case 1:
        event.v.d = (double)narrow / 8;
        event.width = (double)(float)event.v.d == event.v.d ? WEIR_WIDTH_32 : WEIR_WIDTH_64;
        break;
    default:
        event.v.d = (double)rng_below(r, 2048);
        event.width = WEIR_WIDTH_16;
        break;
    }
    assert_true(weir_write_event(w, &event));
}

static void write_special(weir_writer *w, rng *r, const struct taste *taste)
{
    static const char *const numbers[] = {"18446744073709551616", "-9223372036854775809", "1e400",
                                          "-1.25e-400", "340282366920938463463374607431768211456"};
    if (taste->cbor) {
        switch (rng_below(r, 4)) {
        case 0: {
            const char *number = numbers[rng_below(r, 5)];
            assert_true(weir_write_number(w, number, strlen(number)));
            return;
        }
        case 1:
            assert_true(weir_write_tag_name(w, "undefined", 9) && weir_write_null(w));
            return;
        case 2:
            assert_true(weir_write_tag_name(w, "simple", 6) && weir_write_uint(w, 32 + rng_below(r, 224)));
            return;
        default:
            assert_true(weir_write_tag(w, 6 + any_integer(r) / 2) && weir_write_bool(w, true));
            return;
        }
    }
    if (rng_below(r, 2)) {
        weir_timestamp time = {(int64_t)any_integer(r), 0, 0, WEIR_TIME_OFFSET, 0};
        time.nanoseconds = rng_below(r, 2) ? (uint32_t)rng_below(r, 1000000000) : 0;
        time.seconds = rng_below(r, 2) ? time.seconds : -time.seconds;
        assert_true(weir_write_timestamp(w, time));
        return;
    }
    assert_true(weir_write_tag_name(w, "ext:-7", 6) &&
                weir_write_bytes(w, "12345678", (size_t)rng_below(r, 9)));
}

static void write_scalar(weir_writer *w, rng *r, bool is_key, const struct taste *taste)
{
    weir_event event = {.is_key = is_key};
    switch (rng_below(r, is_key ? 6 : 8)) {
    case 0:
        event.kind = (uint8_t)rng_below(r, 3);
        break;
    case 1:
        event.kind = WEIR_KIND_UINT;
        event.v.u = any_integer(r);
        break;
    case 2:
        event.kind = WEIR_KIND_INT;
        event.v.i = -1 - (int64_t)(any_integer(r) >> 1);
        break;
    case 3:
        write_real(w, r, is_key);
        return;
    case 4:
        event.kind = WEIR_KIND_BYTES;
        event.text = "\0\1\2\3\377\376'h<>";
        event.len = (size_t)rng_below(r, 10);
        break;
    case 5:
        write_text(w, r, is_key);
        return;
    default:
        write_special(w, r, taste);
        return;
    }
    assert_true(weir_write_event(w, &event));
}

static void write_document(weir_writer *w, rng *r, const struct taste *taste)
{
    bool map[8];
    uint64_t left[8];
    size_t depth = 0;
    do {
        bool is_map = depth && map[depth - 1];
        if (depth && left[depth - 1] == 0) {
            assert_true(weir_write_end(w));
            depth--;
            continue;
        }
        left[depth ? depth - 1 : 0] -= depth > 0;
        if (is_map) {
            write_scalar(w, r, true, taste);
        }
        if (depth < 8 && rng_below(r, depth ? 4 : 8) < (depth ? 1 : 7)) {
            left[depth] = rng_below(r, 5);
            map[depth] = rng_below(r, 2);
            assert_true(map[depth] ? weir_write_map(w, left[depth]) : weir_write_array(w, left[depth]));
            depth++;
        } else {
            write_scalar(w, r, false, taste);
        }
    } while (depth);
}

static void make(weir_buffer *out, const weir_format *format, rng *r, const struct taste *taste)
{
    weir_options options = exact();
    weir_writer *w = weir_writer_open(format, out, &options, NULL);
    write_document(w, r, taste);
    assert_true(weir_writer_finish(w));
    weir_writer_close(w);
}

static weir_doc *parse(const weir_format *format, const weir_buffer *bytes)
{
    weir_options options = exact();
    weir_error error;
    weir_doc *doc = weir_parse(format, bytes->data, bytes->len, &options, &error);
    if (!doc) {
        weir_buffer hex = {0};
        text_hex(&hex, bytes->data, bytes->len);
        fail_msg("%s at %" PRIu64 ": %s", weir_code_name(error.code), error.offset, hex.data);
    }
    return doc;
}

/* format -> events -> format, and over `by` and back. */
static void round_trips(const weir_format *format, const weir_format *by, bool cbor, uint64_t seed)
{
    struct taste taste = {cbor};
    rng random = rng_new(seed);
    for (int i = 0; i < 3000; i++) {
        weir_buffer bytes = {0}, again = {0}, other = {0}, back = {0};
        weir_options options = exact();
        make(&bytes, format, &random, &taste);
        assert_true(weir_convert(format, bytes.data, bytes.len, format, &options, &again, NULL));
        weir_doc *first = parse(format, &bytes);
        if (!(weir_format_caps(format) & WEIR_CAP_TEXT)) {
            assert_int_equal(again.len, bytes.len);
            assert_memory_equal(again.data, bytes.data, bytes.len);
        }
        options.indent = (uint32_t)(i % 3);
        assert_true(weir_write_val(by, weir_doc_root(first), &options, &other, NULL));
        weir_doc *second = parse(by, &other);
        if (!weir_equal(weir_doc_root(first), weir_doc_root(second), 0, NULL)) {
            fail_msg("seed %" PRIu64 ", document %d", seed, i);
        }
        assert_true(weir_write_val(format, weir_doc_root(second), &options, &back, NULL));
        if (!(weir_format_caps(format) & WEIR_CAP_TEXT)) {
            assert_int_equal(back.len, bytes.len);
            assert_memory_equal(back.data, bytes.data, bytes.len);
        }
        weir_doc_free(first);
        weir_doc_free(second);
        weir_buffer_free(&bytes);
        weir_buffer_free(&again);
        weir_buffer_free(&other);
        weir_buffer_free(&back);
    }
}

static void cbor_round_trips(void **state)
{
    (void)state;
    round_trips(weir_cbor, weir_cbor_diag, true, 1);
    round_trips(weir_cbor, weir_cbor, true, 2);
}

static void msgpack_round_trips(void **state)
{
    (void)state;
    round_trips(weir_msgpack, weir_msgpack, false, 3);
}

static void diag_round_trips(void **state)
{
    (void)state;
    round_trips(weir_cbor_diag, weir_cbor, true, 4);
}

/* Bytes that matter to the formats, more often than others. */
static char strange_byte(rng *r, bool text)
{
    static const char letters[] = "[]{}()<>\"'_,:/#h-+.0123456789eInfinityNaNb64tru\\u00";
    static const unsigned char bytes[] = {0xFF, 0x7F, 0x5F, 0x9F, 0xBF, 0xC0, 0xC2, 0xC3, 0xC4,
                                          0xC1, 0xF7, 0xF8, 0xFB, 0x1B, 0x3B, 0x5B, 0x7B, 0x9B,
                                          0xBB, 0xDB, 0x1C, 0x40, 0x60, 0x80, 0xA0, 0xD4, 0xD7,
                                          0xC7, 0xCA, 0xCB, 0xD9, 0xDC, 0xDD, 0xDE, 0xDF};
    if (rng_below(r, 3) == 0) {
        return (char)rng_next(r);
    }
    return text ? letters[rng_below(r, sizeof letters - 1)] : (char)bytes[rng_below(r, sizeof bytes)];
}

static void damage(weir_buffer *bytes, rng *r, bool text)
{
    for (uint64_t n = 1 + rng_below(r, 3); n && bytes->len; n--) {
        size_t at = (size_t)rng_below(r, bytes->len);
        switch (rng_below(r, 4)) {
        case 0:
            bytes->len = at;
            break;
        case 1:
            memmove(bytes->data + at, bytes->data + at + 1, bytes->len - at - 1);
            bytes->len--;
            break;
        default:
            bytes->data[at] = strange_byte(r, text);
            break;
        }
    }
}

static void damaged(const weir_format *format, bool cbor, uint64_t seed)
{
    struct taste taste = {cbor};
    rng random = rng_new(seed);
    bool text = weir_format_caps(format) & WEIR_CAP_TEXT;
    for (int i = 0; i < 20000; i++) {
        weir_buffer bytes = {0}, whole = {0}, dripped = {0};
        weir_options options = exact();
        options.numbers = (weir_numbers)rng_below(&random, 4);
        options.limits.string = rng_below(&random, 4) ? WEIR_UNSET : 20;
        options.limits.number = rng_below(&random, 4) ? 4096 : 25;
        make(&bytes, format, &random, &taste);
        damage(&bytes, &random, text);
        char *copy = malloc(bytes.len + 1);
        if (bytes.len) {
            memcpy(copy, bytes.data, bytes.len);
        }
        copy = realloc(copy, bytes.len ? bytes.len : 1);
        events_of(&whole, format, copy, bytes.len, &options, 0);
        fault_allocator fault = {0};
        weir_allocator hook = fault_hook(&fault);
        options.allocator = &hook;
        events_of(&dripped, format, copy, bytes.len, &options, 1);
        assert_int_equal(fault.live_blocks, 0);
        assert_int_equal(fault.wrong_sizes, 0);
        if (whole.len != dripped.len || (whole.len && memcmp(whole.data, dripped.data, whole.len) != 0)) {
            weir_buffer hex = {0};
            text_hex(&hex, bytes.data, bytes.len);
            fail_msg("%s: %s, in single bytes %s", hex.data, whole.data, dripped.data);
        }
        free(copy);
        weir_buffer_free(&bytes);
        weir_buffer_free(&whole);
        weir_buffer_free(&dripped);
    }
}

static void damaged_cbor(void **state)
{
    (void)state;
    damaged(weir_cbor, true, 21);
}

static void damaged_msgpack(void **state)
{
    (void)state;
    damaged(weir_msgpack, false, 22);
}

static void damaged_diag(void **state)
{
    (void)state;
    damaged(weir_cbor_diag, true, 23);
}

/* Each request for memory fails in turn: WEIR_E_MEMORY, nothing lost, nothing half done. */
static void fails_cleanly(const weir_format *from, const char *input, const weir_format *to)
{
    weir_buffer bytes = {0};
    input_of(&bytes, from, input);
    for (uint64_t at = 1;; at++) {
        fault_allocator fault = {.fail_at = at};
        weir_allocator hook = fault_hook(&fault);
        weir_options options = exact();
        weir_error error = {0};
        weir_buffer out = {.allocator = &hook};
        options.allocator = &hook;
        bool ok = weir_convert(from, bytes.data, bytes.len, to, &options, &out, &error);
        if (!ok && error.code != WEIR_E_MEMORY) {
            fail_msg("%s: %s", input, weir_code_name(error.code));
        }
        assert_true(ok || out.len == 0);
        weir_buffer_free(&out);
        assert_int_equal(fault.live_blocks, 0);
        assert_int_equal(fault.wrong_sizes, 0);
        if (ok && fault.failures == 0) {
            break;
        }
    }
    weir_buffer_free(&bytes);
}

static void out_of_memory(void **state)
{
    (void)state;
    static const char *const cbor =
        "87c250010203040506070809010203040506 07c48219019001c4823b0000000000000190c249010000000000"
        "0000007f616162c3bcffbf5f41014102ff9f01ffffc5f7f0";
    static const char *const diag =
        "[2(h'01020304050607080901'), 4([400, 1]), \"a\" \"b\\n\", (_ h'00', b64'AQ'), "
        "<<[1, {2: <<3>>}], 4([-500, 18446744073709551616])>>, 5(undefined)]";
    fails_cleanly(weir_cbor, cbor, weir_cbor);
    fails_cleanly(weir_cbor, cbor, weir_cbor_diag);
    fails_cleanly(weir_cbor_diag, diag, weir_cbor_diag);
    fails_cleanly(weir_cbor_diag, diag, weir_cbor);
    fails_cleanly(weir_msgpack, "95d40501d6ff00000000a16181a161c0 c70605010203040506", weir_msgpack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cbor_round_trips), cmocka_unit_test(msgpack_round_trips),
        cmocka_unit_test(diag_round_trips), cmocka_unit_test(damaged_cbor),
        cmocka_unit_test(damaged_msgpack),  cmocka_unit_test(damaged_diag),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
