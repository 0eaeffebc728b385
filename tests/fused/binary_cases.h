/* The cases that both fused binary formats must pass. The including test defines FORMAT, PARSE, WRITE and
 * WITH (what its documents may hold). */
#include "fused_support.h"

#include "fused/parse_job.h"

enum { BLOCK_ALIGN = 16 };

/* A block that grows, with a bound, failures on demand and a count. */
struct growth {
    size_t limit; /* of the block */
    unsigned calls;
    unsigned fail_at; /* from 1; 0: never */
};

static void *grow(void *context, void *block, size_t keep, size_t old_size, size_t new_size)
{
    struct growth *growth = context;
    growth->calls++;
    if (new_size > growth->limit || growth->calls == growth->fail_at) {
        return NULL;
    }
    char *grown = malloc(new_size); /* always moves; what isn't kept is overwritten */
    assert_non_null(grown);
    memset(grown, 0xA5, new_size);
    if (keep) {
        assert_true(keep <= old_size);
        memcpy(grown, block, keep);
    }
    if (block) {
        memset(block, 0x5A, old_size);
    }
    free(block);
    return grown;
}

static const weir_val *nodes_of(const struct parse_job *job)
{
    assert_int_equal(job->nodes_offset % BLOCK_ALIGN, 0);
    assert_true(job->nodes_offset + job->node_count * sizeof(weir_val) <= job->block_size);
    return (const weir_val *)(const void *)((const char *)job->block + job->nodes_offset);
}

/* How text is stored: owned with a NUL behind, borrowed in the input. */
static void check_storage(const struct parse_job *job)
{
    const weir_val *nodes = nodes_of(job);
    for (size_t i = 0; i < job->node_count; i++) {
        if (!tape_is_text(tape_kind(nodes + i))) {
            continue;
        }
        const char *text = tape_text(nodes + i);
        uint64_t length = tape_length(nodes + i);
        if (job->borrow) {
            assert_true(nodes[i].tag & TAPE_UNTERMINATED);
            assert_true((const uint8_t *)text >= job->src);
            assert_true((const uint8_t *)text + length <= job->src + job->consumed);
        } else {
            const char *begin = (const char *)job->block + job->text_offset;
            assert_false(nodes[i].tag & TAPE_UNTERMINATED);
            assert_true(text >= begin && text + length <= begin + job->text_length);
            assert_int_equal(text[length], 0);
            assert_true(begin + job->text_length + TAPE_PADDING <= (const char *)nodes);
            /* its place in the input is known */
            assert_memory_equal(text, job->src + (text - begin), length);
        }
    }
}

static enum fused_result parse_bytes(struct parse_job *job, struct growth *growth, const void *bytes,
                                     size_t len, bool borrow)
{
    job->src = bytes;
    job->len = len;
    job->borrow = borrow;
    job->grow = grow;
    job->grow_context = growth;
    return PARSE(job);
}

/* Parses in all modes and compares with what the general reader makes of it. complete: whatever the reader
 * accepts must be accepted. */
static bool check_bytes(const void *bytes, size_t len, bool complete)
{
    weir_options options = unlimited_options();
    options.numbers = WEIR_NUMBERS_EXACT;
    weir_doc *expected = general_parse(FORMAT, bytes, len, &options, NULL);
    bool accepted = false;
    for (int mode = 0; mode < 4; mode++) {
        struct growth growth = {.limit = SIZE_MAX};
        struct fused_limits limits = FUSED_LIMITS_NONE;
        limits.payload = WEIR_UNSET - 1; /* the loop with limits, none of which is reached */
        struct parse_job job = {.limits = mode & 2 ? &limits : NULL};
        enum fused_result result = parse_bytes(&job, &growth, bytes, len, mode & 1);
        assert_true(result != FUSED_MEMORY);
        if (result == FUSED_OK) {
            accepted = true;
            assert_non_null(expected);
            assert_int_equal(job.consumed, len);
            assert_int_equal(job.node_count, weir_doc_nodes(expected));
            assert_same_tape(nodes_of(&job), weir_doc_root(expected));
            check_storage(&job);
        } else {
            assert_false(complete && expected);
        }
        free(job.block);
    }
    weir_doc_free(expected);
    return accepted;
}

/* Writing gives what the general writer gives, and parsing that gives the document back. */
static void test_random_documents(void **state)
{
    (void)state;
    rng r = rng_new(21);
    struct edge edge = edge_open(1 << 20);
    for (int round = 0; round < 2500; round++) {
        weir_doc *doc = random_doc(&r, WITH, 1 + rng_below(&r, round % 50 ? 60 : 4000));
        const weir_val *root = weir_doc_root(doc);
        weir_options options = unlimited_options();
        weir_buffer expected = {0}, out = {0};
        assert_true(general_write(FORMAT, root, &options, &expected));
        assert_true(weir_buffer_append(&out, "[", 1));
        for (int again = 0; again < 2; again++) {
            assert_int_equal(WRITE(root, NULL, &out), FUSED_OK);
            assert_int_equal(out.len, expected.len + 1);
            assert_memory_equal(out.data + 1, expected.data, expected.len + 1);
            out.len = 1;
        }
        const char *at = edge_put(&edge, expected.data, expected.len);
        assert_true(check_bytes(at, expected.len, true));
        /* text that is borrowed and ends where memory ends, written */
        struct growth growth = {.limit = SIZE_MAX};
        struct parse_job job = {0};
        assert_int_equal(parse_bytes(&job, &growth, at, expected.len, true), FUSED_OK);
        out.len = 1;
        assert_int_equal(WRITE(nodes_of(&job), NULL, &out), FUSED_OK);
        assert_int_equal(out.len, expected.len + 1);
        assert_memory_equal(out.data + 1, expected.data, expected.len);
        free(job.block);
        weir_buffer_free(&expected);
        weir_buffer_free(&out);
        weir_doc_free(doc);
    }
    edge_close(&edge);
}

/* Every beginning of a document is refused; so is one byte more. */
static void test_cut(void **state)
{
    (void)state;
    rng r = rng_new(22);
    struct edge edge = edge_open(1 << 16);
    for (int round = 0; round < 200; round++) {
        weir_doc *doc = random_doc(&r, WITH, 1 + rng_below(&r, 25));
        weir_buffer out = {0};
        assert_int_equal(WRITE(weir_doc_root(doc), NULL, &out), FUSED_OK);
        for (size_t n = 0; n < out.len; n++) {
            assert_false(check_bytes(edge_put(&edge, out.data, n), n, true));
        }
        assert_true(weir_buffer_append(&out, "\x01", 1));
        assert_false(check_bytes(edge_put(&edge, out.data, out.len), out.len, true));
        weir_buffer_free(&out);
        weir_doc_free(doc);
    }
    edge_close(&edge);
}

/* Changed bytes: no bad access, and whatever is accepted is what the reader makes of it. */
static void test_mutations(void **state)
{
    (void)state;
    rng r = rng_new(23);
    struct edge edge = edge_open(1 << 16);
    size_t accepted = 0, tried = 0;
    while (tried < 200000) {
        weir_doc *doc = random_doc(&r, WITH, 1 + rng_below(&r, 30));
        weir_buffer out = {0};
        assert_int_equal(WRITE(weir_doc_root(doc), NULL, &out), FUSED_OK);
        for (int k = 0; k < 250; k++, tried++) {
            char *bytes = malloc(out.len + 1);
            memcpy(bytes, out.data, out.len);
            for (uint64_t changes = 1 + rng_below(&r, 3); changes > 0; changes--) {
                size_t place = rng_below(&r, out.len);
                bytes[place] =
                    (char)(rng_below(&r, 2) ? rng_next(&r) : (uint64_t)bytes[place] ^ 1u << rng_below(&r, 8));
            }
            size_t len = rng_below(&r, 4) ? out.len : rng_below(&r, out.len + 1);
            accepted += check_bytes(edge_put(&edge, bytes, len), len, false);
            free(bytes);
        }
        weir_buffer_free(&out);
        weir_doc_free(doc);
    }
    print_message("%zu of %zu accepted\n", accepted, tried);
    edge_close(&edge);
}

/* One document of many: where it ends, whatever follows; text is copied in windows. */
static void test_many(void **state)
{
    (void)state;
    rng r = rng_new(24);
    weir_options options = unlimited_options();
    for (int round = 0; round < 300; round++) {
        weir_buffer out = {0};
        size_t ends[8], n = 1 + rng_below(&r, 8);
        for (size_t i = 0; i < n; i++) {
            weir_doc *doc = random_doc(&r, WITH, 1 + rng_below(&r, i % 3 ? 20 : 900));
            assert_int_equal(WRITE(weir_doc_root(doc), NULL, &out), FUSED_OK);
            ends[i] = out.len;
            weir_doc_free(doc);
        }
        assert_true(weir_buffer_append(&out, "\xC1\xFF", 2)); /* no document */
        for (int borrow = 0; borrow < 2; borrow++) {
            struct growth growth = {.limit = SIZE_MAX};
            struct parse_job job = {.many = true};
            size_t at = 0;
            for (size_t i = 0; i < n; i++) {
                assert_int_equal(parse_bytes(&job, &growth, out.data + at, out.len - at, borrow), FUSED_OK);
                assert_int_equal(job.consumed, ends[i] - at);
                weir_doc *expected = general_parse(FORMAT, out.data + at, job.consumed, &options, NULL);
                assert_same_tape(nodes_of(&job), weir_doc_root(expected));
                check_storage(&job);
                weir_doc_free(expected);
                at += job.consumed;
            }
            assert_int_equal(parse_bytes(&job, &growth, out.data + at, out.len - at, borrow), FUSED_REFUSED);
            free(job.block);
        }
        weir_buffer_free(&out);
    }
}

/* Growing that fails at any call; then a block that is reused, which grows no more. */
static void test_memory(void **state)
{
    (void)state;
    rng r = rng_new(25);
    for (int round = 0; round < 60; round++) {
        weir_doc *doc = random_doc(&r, WITH, 1 + rng_below(&r, 2000));
        weir_buffer out = {0};
        assert_int_equal(WRITE(weir_doc_root(doc), NULL, &out), FUSED_OK);
        for (int borrow = 0; borrow < 2; borrow++) {
            /* begin with a small block, so that it must grow */
            unsigned calls = 0;
            for (unsigned fail_at = 0; fail_at <= calls; fail_at++) {
                struct growth growth = {.limit = SIZE_MAX, .fail_at = fail_at};
                size_t least =
                    TAPE_HEADER + (borrow ? 16 : TAPE_PADDING + 32 + out.len) + 25 * sizeof(weir_val);
                struct parse_job job = {.block = malloc(least), .block_size = least};
                enum fused_result result = parse_bytes(&job, &growth, out.data, out.len, borrow);
                if (fail_at == 0) {
                    calls = growth.calls;
                    assert_int_equal(result, FUSED_OK);
                    growth.calls = 0;
                    assert_int_equal(parse_bytes(&job, &growth, out.data, out.len, borrow), FUSED_OK);
                    assert_int_equal(growth.calls, 0);
                    check_storage(&job);
                } else {
                    /* a smaller step may have been taken instead */
                    assert_true(result == FUSED_MEMORY || result == FUSED_OK);
                }
                free(job.block);
            }
        }
        /* the writer's */
        enum fused_result result = FUSED_MEMORY;
        for (uint64_t at = 1; result != FUSED_OK; at++) {
            fault_allocator fault = {.fail_at = at, .forever = true};
            weir_allocator allocator = fault_hook(&fault);
            weir_buffer copy = {.allocator = &allocator};
            result = WRITE(weir_doc_root(doc), NULL, &copy);
            assert_true(result == FUSED_OK || (result == FUSED_MEMORY && copy.len == 0));
            weir_buffer_free(&copy);
            assert_int_equal(fault.live_blocks, 0);
        }
        weir_buffer_free(&out);
        weir_doc_free(doc);
    }
}

/* Every limit at the document's own usage is kept, one less refused, alone and together; as the general ways
 * do. */
static void test_limits(void **state)
{
    (void)state;
    rng r = rng_new(26);
    for (int round = 0; round < 500; round++) {
        weir_doc *doc = random_doc(&r, WITH & ~(unsigned)WITH_NUMBERS, 1 + rng_below(&r, 80));
        const weir_val *root = weir_doc_root(doc);
        weir_buffer bytes = {0}, out = {0};
        assert_int_equal(WRITE(root, NULL, &bytes), FUSED_OK);
        const struct fused_limits exact = usage(root, false, bytes.len), none = FUSED_LIMITS_NONE;
        assert_int_equal(WRITE(root, &exact, &out), FUSED_OK);
        for (unsigned i = 0; i < LIMITS; i++) {
            for (int together = 0; together < 2; together++) {
                struct fused_limits limits = together ? exact : none;
                struct fused_limits used = exact;
                for (uint64_t less = 0; less < 2 && less <= *limit_at(&used, i); less++) {
                    *limit_at(&limits, i) = *limit_at(&used, i) - less;
                    weir_options options = options_with(&limits);
                    out.len = 0;
                    assert_int_equal(general_write(FORMAT, root, &options, &out), less == 0);
                    out.len = 0;
                    assert_int_equal(WRITE(root, &limits, &out), less ? FUSED_REFUSED : FUSED_OK);
                    if (limit_at(&limits, i) == &limits.output) {
                        continue;
                    }
                    weir_doc *read = general_parse(FORMAT, bytes.data, bytes.len, &options, NULL);
                    assert_int_equal(read != NULL, less == 0);
                    weir_doc_free(read);
                    for (int borrow = 0; borrow < 2; borrow++) {
                        struct growth growth = {.limit = SIZE_MAX};
                        struct parse_job job = {.limits = &limits};
                        assert_int_equal(parse_bytes(&job, &growth, bytes.data, bytes.len, borrow),
                                         less ? FUSED_REFUSED : FUSED_OK);
                        free(job.block);
                    }
                }
            }
        }
        weir_buffer_free(&bytes);
        weir_buffer_free(&out);
        weir_doc_free(doc);
    }
}

/* What the writer leaves to the general one; the buffer stays as it was. */
static void check_write_refused(const char *notation)
{
    weir_doc *doc = notation_doc(notation);
    weir_buffer out = {0};
    assert_true(weir_buffer_append(&out, "kept", 4));
    assert_int_equal(WRITE(weir_doc_root(doc), NULL, &out), FUSED_REFUSED);
    assert_int_equal(out.len, 4);
    assert_string_equal(out.data, "kept");
    weir_buffer_free(&out);
    weir_doc_free(doc);
}

/* So many levels, in linear time and in memory in proportion: 48 bytes a level with its frame, and slack. */
static void check_deep(uint8_t open, const uint8_t *tail, size_t tail_len, size_t depth, size_t levels)
{
    size_t len = depth + tail_len;
    uint8_t *bytes = malloc(len);
    memset(bytes, open, depth);
    memcpy(bytes + depth, tail, tail_len);
    for (int borrow = 0; borrow < 2; borrow++) {
        struct growth growth = {.limit = 32 * len + ((size_t)64 << 20)};
        struct fused_limits limits = FUSED_LIMITS_NONE;
        struct parse_job job = {.limits = &limits};
        assert_int_equal(parse_bytes(&job, &growth, bytes, len, borrow), FUSED_OK);
        assert_true(growth.calls < 80);
        limits.depth = levels;
        assert_int_equal(parse_bytes(&job, &growth, bytes, len, borrow), FUSED_OK);
        limits.depth = levels - 1;
        assert_int_equal(parse_bytes(&job, &growth, bytes, len, borrow), FUSED_REFUSED);
        weir_buffer out = {0};
        assert_int_equal(parse_bytes(&job, &growth, bytes, len - 1, borrow), FUSED_REFUSED); /* unclosed */
        weir_buffer_free(&out);
        free(job.block);
    }
    free(bytes);
}

/* A head may claim anything: no memory is taken for what isn't there. */
static void check_claims(const char *const *hex, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t bytes[64];
        size_t len = strlen(hex[i]) / 2;
        for (size_t k = 0; k < len; k++) {
            unsigned byte;
            assert_int_equal(sscanf(hex[i] + 2 * k, "%2x", &byte), 1);
            bytes[k] = (uint8_t)byte;
        }
        for (int mode = 0; mode < 4; mode++) {
            struct growth growth = {.limit = 65536};
            struct parse_job job = {.many = mode & 2};
            enum fused_result result = parse_bytes(&job, &growth, bytes, len, mode & 1);
            if (result != FUSED_REFUSED && !(result == FUSED_OK && job.many && job.consumed < len)) {
                fail_msg("%s: %d", hex[i], (int)result);
            }
            free(job.block);
        }
    }
}
