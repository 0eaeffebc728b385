/* Counts what a document uses of each limited resource. See usage.h. */
#include "usage.h"

#include <stdbool.h>

static void raise_to(uint64_t *most, uint64_t value)
{
    if (value > *most)
        *most = value;
}

static void count_numbers(struct usage *u, const char *json, size_t len)
{
    bool in_string = false;
    for (size_t i = 0; i < len; i++) {
        char c = json[i];
        if (in_string) {
            if (c == '\\')
                i++;
            else if (c == '"')
                in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '-' || (c >= '0' && c <= '9')) {
            size_t first = i;
            while (i + 1 < len && ((json[i + 1] >= '0' && json[i + 1] <= '9') || json[i + 1] == '.' ||
                                   json[i + 1] == '-' || json[i + 1] == '+' || (json[i + 1] | 0x20) == 'e'))
                i++;
            raise_to(&u->number, i + 1 - first);
            u->payload += i + 1 - first;
        }
    }
}

struct usage usage_of(const struct trace *trace, const char *json, size_t len)
{
    struct usage u = {0};
    uint64_t depth = 0;
    struct {
        bool map, key_next;
    } open[TRACE_MAX_DEPTH + 1] = {{false, false}};
    for (size_t i = 0; i < trace->count; i++) {
        const struct token *t = &trace->tokens[i];
        enum token_kind kind = token_kind_of(t);
        if (kind == TOKEN_END) {
            depth--;
            continue;
        }
        bool is_key = open[depth].map && open[depth].key_next;
        open[depth].key_next = !open[depth].key_next;
        if (kind == TOKEN_STRING) {
            raise_to(is_key ? &u.key : &u.string, token_size(t));
            u.payload += token_size(t);
        }
        if (is_key)
            continue;
        u.nodes++;
        raise_to(&u.depth, depth + 1);
        if (kind == TOKEN_BEGIN_ARRAY || kind == TOKEN_BEGIN_MAP) {
            raise_to(kind == TOKEN_BEGIN_MAP ? &u.entries : &u.items, token_size(t));
            depth++;
            open[depth].map = kind == TOKEN_BEGIN_MAP;
            open[depth].key_next = true;
        }
    }
    count_numbers(&u, json, len);
    return u;
}
