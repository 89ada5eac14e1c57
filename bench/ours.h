/* What subject.c adds to subject.h: its states begin with their memory, counted by the allocator
   given to the structure; the calls of the list of results count too, its bytes do not. */
#ifndef OURS_H
#define OURS_H

#include <stddef.h>

typedef struct ours_memory {
    long calls;   /* that asked for memory */
    size_t bytes; /* held now */
} ours_memory;

#endif
