/* Counts what the whole process asks of the heap, whoever asks, so that libraries can be compared
   that take no allocator. Needs the GNU C library 2.33 or later; elsewhere everything is -1. */
#ifndef MEMORY_H
#define MEMORY_H

long memory_calls(void);   /* to malloc, calloc, realloc and the like, since the start */
double memory_bytes(void); /* in use now */

#endif
