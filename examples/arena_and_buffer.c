/* A buffer that grows, and an arena whose allocations go together. */
#include "example.h"

/* A list of names, all of it in one arena. */
struct node {
    const char *name;
    struct node *next;
};

int main(void)
{
    weir_buffer line = {0}; /* all zero is an empty buffer */
    for (int i = 0; i < 5; i++) {
        char part[16];
        int n = snprintf(part, sizeof part, "%s%d", i ? ", " : "", i * i);
        expect(weir_buffer_append(&line, part, (size_t)n), "memory");
    }
    expect(strcmp(line.data, "0, 1, 4, 9, 16") == 0, "there is a NUL behind the bytes");
    weir_buffer_clear(&line); /* keeps its memory */
    size_t cap = line.cap;
    expect(weir_buffer_reserve(&line, 1000),
           "room for 1000 bytes, so that none of the next appends can fail");
    expect(line.len == 0 && line.cap >= cap && line.cap > 1000, "reserved");
    memcpy(line.data, "written in place", 16);
    line.len += 16;
    printf("%.*s\n", (int)line.len, line.data);
    weir_buffer_free(&line);

    weir_arena *arena = weir_arena_new(NULL);
    expect(arena != NULL, "memory");
    struct node *list = NULL;
    weir_doc *doc = parse_text(weir_json, "{\"inflow\": 3, \"outflow\": 4, \"leak\": null}");
    weir_iter it = weir_iter_of(weir_doc_root(doc));
    while (weir_iter_next(&it)) {
        size_t len;
        const char *name = weir_val_str(it.key, &len);
        struct node *node = weir_arena_alloc(arena, sizeof *node);
        expect(node && (node->name = weir_arena_copy(arena, name, len)), "memory");
        node->next = list;
        list = node;
    }
    weir_doc_free(doc); /* the names are copies */
    for (const struct node *node = list; node; node = node->next)
        printf("%s\n", node->name);

    weir_arena_mark mark = weir_arena_get_mark(arena);
    for (int i = 0; i < 1000; i++)
        expect(weir_arena_alloc(arena, 100) != NULL, "memory");
    weir_arena_rewind(arena, mark); /* those 1000 are gone, the list stays */
    expect(strcmp(list->name, "leak") == 0, "what is older than the mark");
    weir_arena_reset(arena); /* everything is gone, the memory is kept for the next round */
    expect(weir_arena_alloc(arena, 64) != NULL, "memory");
    weir_arena_free(arena);
    return 0;
}
