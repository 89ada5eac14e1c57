/* All peers share this: the list of the ids that they found, and the exact test of two boxes. The
   list keeps its room from call to call, so it allocates only until it has seen the most. */
#ifndef FOUND_H
#define FOUND_H

#include "../subject.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct found_list { /* zero bytes are an empty list */
    int *items;
    size_t count, room;
} found_list;

static inline void found_grow(found_list *list)
{
    size_t room = list->room ? 2 * list->room : 1024;
    int *items = (int *)realloc(list->items, room * sizeof *items);
    if (!items) {
        fprintf(stderr, "bench: out of memory for the ids that a peer found\n");
        exit(1);
    }
    list->items = items;
    list->room = room;
}

static inline void found_id(found_list *list, int id)
{
    if (list->count == list->room) found_grow(list);
    list->items[list->count++] = id;
}

static inline void found_pair(found_list *list, int a, int b) /* in either order */
{
    if (list->count + 2 > list->room) found_grow(list);
    list->items[list->count++] = a < b ? a : b;
    list->items[list->count++] = a < b ? b : a;
}

static inline int overlap(const bench_box *a, const bench_box *b)
{
    return (a->min_x <= b->max_x) & (b->min_x <= a->max_x) & (a->min_y <= b->max_y) &
           (b->min_y <= a->max_y);
}

#endif
