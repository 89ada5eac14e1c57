/* spatial.h - v0.6.0 - finds what is near what in the plane - public domain: see the end

   In ONE C or C++ file:   #define SPATIAL_IMPLEMENTATION
                           #include "spatial.h"
   In every other file:    #include "spatial.h"

   CONTENTS (a tag stands at a section's declarations and again at its implementation)

       >>choose       which structure?
       >>quickstart   a whole program
       >>options      macros that you may define
       >>conventions  what holds for every structure
       >>base         types, errors, boxes, allocators
       >>intlist      growable array of fixed-size integer records; a stack or a free list
       >>morton       Morton codes: interleave, level and cell of a box, node numbers
       >>broadphase   boxes in, overlapping pairs out; nothing is kept but scratch memory
       >>linear       linear Morton-ordered complete quadtree: every update O(1)
       >>quadtree     adaptive quadtree without pointers: elements in all leaves they touch
       >>loosegrid    cells that grow with their elements, found through a coarser grid
       >>packed       boxes that stand still, packed in one piece of memory: the fastest windows
       >>index        one small table of functions, to choose a structure at run time
       >>history      versions and the licence

   and inside, where they are drawn in layers before the first of them:

       >>platform  >>pool  >>cells  >>sort  >>kernel  >>table  >>query
       >>ranks  >>sweep  >>lists  >>scan  >>walk  >>scratch  >>calls

   WHICH STRUCTURE?                                                                      >>choose

       what you have                            use         cost                     bytes a box
       ---------------------------------------  ----------  -----------------------  -----------
       boxes of any sizes, most of which move   broadphase  O(n + pairs) a call,     37, and up
       each frame, and you want all pairs                   no world bounds needed   to 225 KB
       two such sets, the pairs between them    broadphase  the same                 the same
       boxes that come, go and move one by one
       in a world of known bounds; windows
       asked in between:
         of any sizes, crowded or not; updates  linear      update O(1), window      28 an id, 9.4
         matter most                                        O(levels^2 + hits), see  a finest cell,
                                                            there; pairs as above    37 for pairs
         crowded here, sparse there; many       quadtree    update O(leaves), most   28 an id, 10
         windows, pairs often, little memory                moves O(1); window       to 30 for what
                                                            O(depth + hits)          leaves hold
         of about one size, spread evenly;      loosegrid   update O(1); window      28 an id, 36
         all of them move                                   O(cells + hits)          a cell; 42 to
                                                                                     51 in all
       boxes that stand still, or are new       packed      build O(n); window       20.6, and up
       all at once; many windows                            O(log n + hits); no      to 2 KB
                                                            world bounds needed
       records of integers, reused or stacked   intlist     O(1)                     4 a field
       a structure that keeps boxes, of a kind  index       a call by pointer        none
       that is chosen at run time

   n is the number of boxes, whose sizes may differ at will; points are boxes of no size. The bytes
   are for float coordinates. Up to some 100 boxes, a loop that tests all against all is about as
   fast as anything; the broadphase does just that with 24 or fewer.
*/

/* QUICK START                                                                       >>quickstart */
#if 0
#include <stdio.h>
#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

int main(void)
{
    spt_box boxes[4] = {{0, 0, 2, 2}, {1, 1, 3, 3}, {5, 5, 6, 6}, {3, 0, 4, 1}};
    spt_box window = {3, 0, 5, 5};
    spt_linear_desc desc = {{0, 0, 100, 100}, 0, 0, 0, {0, 0}}; /* the world; 0: defaults */
    spt_linear world;
    spt_intlist pairs, found;
    spt_i32 i, n;

    if (spt_linear_init(&world, &desc) != SPT_OK) return 1;
    spt_intlist_init(&pairs, 2); /* records of two integers */
    spt_intlist_init(&found, 1);
    for (i = 0; i < 4; i++) spt_linear_insert(&world, i, &boxes[i]);
    n = spt_linear_pairs(&world, &pairs); /* boxes that touch overlap */
    for (i = 0; i < n; i++)
        printf("pair %d %d\n", (int)spt_intlist_get(&pairs, i, 0),
               (int)spt_intlist_get(&pairs, i, 1));
    n = spt_linear_query(&world, &window, &found);
    for (i = 0; i < n; i++) printf("in the window: %d\n", (int)spt_intlist_get(&found, i, 0));
    spt_intlist_free(&found), spt_intlist_free(&pairs), spt_linear_free(&world);
    return 0;
}
#endif

/* OPTIONS                                                                              >>options

   Define them before the #include. "Everywhere" means alike in every file that includes spatial.h:
   best on the command line of the compiler, for what differs between files no compiler sees.

   macro                    where            default   effect and cost
   -----------------------  ---------------  --------  -------------------------------------------
   SPATIAL_IMPLEMENTATION   one file         off       compiles the functions there
   SPATIAL_STATIC           that file        off       makes them static: private to the file, and
                                                       what is not used costs no code
   SPATIAL_API              everywhere       extern    goes before every public function, for
                                                       example to export it from a DLL; gives way
                                                       to SPATIAL_STATIC
   SPATIAL_DOUBLE           everywhere       off       spt_coord is double: boxes of 32 bytes, and
                                                       two of them a SIMD step in place of four
   SPATIAL_INT              everywhere       off       spt_coord is a 32-bit integer; no floating
                                                       point is used at all
   SPATIAL_INTLIST_INLINE   everywhere       128       integers inside spt_intlist before it first
                                                       allocates (>= 0); four bytes each
   SPATIAL_ASSERT(x)        implementation   assert    tests of the library's own invariants, never
                                                       of your data; ((void)0) with
                                                       SPATIAL_NO_STDLIB
   SPATIAL_REALLOC(p, n)    implementation   realloc   used where no allocator is given; define both
   SPATIAL_FREE(p)          implementation   free      or neither
   SPATIAL_NO_STDLIB        implementation   off       calls no function of C's library and includes
                                                       no header that declares some; without the two
                                                       macros above, every structure then needs an
                                                       allocator
   SPATIAL_NO_SIMD          implementation   off       plain C in place of SSE2 or NEON: the same
                                                       results in the same order, slower
   SPATIAL_SMALL            everywhere       (*)       leaves of 64 boxes, not 4096, in pairs: less
                                                       scratch for some hundred boxes, less code, no
                                                       large cache needed; no parts for threads, and
                                                       another order of pairs. (*) on where int has
                                                       16 bits, and on Cortex-M
   SPATIAL_NO_AVX2          implementation   off       on x86-64, does not look at run time for
                                                       AVX2; which SPATIAL_NO_STDLIB implies
   SPATIAL_NO_INTLIST       everywhere       off       each leaves out a section, declarations and
   SPATIAL_NO_MORTON                                   code, for compilers and linkers that keep
   SPATIAL_NO_BROADPHASE                               what is not used. Without MORTON there is
   SPATIAL_NO_LINEAR                                   no broadphase, no tree and no grid, without
   SPATIAL_NO_QUADTREE                                 INTLIST neither; without BROADPHASE the
   SPATIAL_NO_LOOSEGRID                                pairs of a structure are SPT_ERR_FULL
   SPATIAL_NO_PACKED
   SPATIAL_NO_INDEX

   Without any of them the header includes <stddef.h>, <limits.h>, <stdlib.h>, <string.h> and
   <assert.h>, on x86-64 <emmintrin.h> and <immintrin.h>, on 64-bit Arm <arm_neon.h>, with
   SPATIAL_DOUBLE <float.h>, and <stdint.h> where C99 or C++11 promise that there is one.

   CONVENTIONS                                                                      >>conventions

   Boxes      {min_x, min_y, max_x, max_y} with min <= max, closed: boxes that touch overlap, and a
              box of no size is a point and is found. Whether y points up or down makes no
              difference. A box with a NaN or with min > max is refused with SPT_ERR_ARGUMENT,
              also in release builds; infinite edges are allowed. (Compilers' "fast math" modes
              take away the NaNs; do not use them on the file with the implementation.)
   World      Where a structure has bounds, boxes may lie outside them, wholly or in part, or be
              larger: they are kept in the cells at the border and found exactly, which
              costs nothing but speed.
   Ids        You choose them: the index of the object in your own array, from 0 on; memory grows
              with the largest id. Inserting an id that is there, and moving or removing one that
              is not, returns SPT_ERR_ID and changes nothing.
   Results    are appended to a spt_intlist that you keep from call to call: ids (one field) or
              pairs a < b (two fields), each exactly once. The call returns how many it appended,
              or a negative error; after an error the list is as it was.
   Errors     SPT_OK is 0, errors are negative, spt_error_string() names them. After any error the
              structure is unchanged.
   Memory     A desc carries an optional allocator. With desc.capacity set, all memory is
              allocated by init and none later, and spt_X_bytes_for(&desc) tells how much that is;
              with a spt_arena over a static array, no heap is needed. Structures may be moved
              with memcpy: nothing points into itself. A structure of zero bytes may be freed;
              such is also what a failed init leaves.
   Defaults   A zero in a desc means the default that its comment names.
   Order      The same calls give the same results in the same order, with every compiler, with and
              without SIMD.
   Callbacks  Functions that the library calls (visits, cells, allocators) have SPT_CALLBACK after
              their parameters, which is nothing but for sdcc's 8051: only there it is needed, and
              there they must not call the library, whose functions cannot run twice at a time.
   Threads    No global state. Any number of threads may call functions that take a const structure;
              the others need the structure to themselves.
   Limits     2^31 - 1 boxes, and ids up to 2^30 where memory grows (2^29 in a quadtree). No
              recursion; no function has more than some hundred bytes of variables.

   The verbs, the same for every structure X that keeps boxes (packed has fewer, see there):

       spt_X_init(x, &desc)  spt_X_free(x)  spt_X_clear(x)  spt_X_bytes_for(&desc)  spt_X_bytes(x)
       spt_X_insert(x, id, box)  spt_X_move(x, id, box)  spt_X_remove(x, id)
       spt_X_move_many(x, ids, boxes, n)    element ids[k] to boxes[ids[k]], for k < n; faster
       spt_X_contains(x, id)  spt_X_box(x, id)  spt_X_count(x)
       spt_X_tidy(x)                    deferred cleanup; once a frame; results never depend on it
       spt_X_query(x, box, out)         ids of the elements that overlap the box
       spt_X_visit(x, box, fn, ctx)     the same, by callback
       spt_X_pairs(x, out)              all overlapping pairs
       spt_X_traverse(x, fn, ctx)       the cells, with their boxes and levels, for drawing
       spt_X_check(x)                   1 if every invariant holds; walks everything
*/
#ifndef SPATIAL_H
#define SPATIAL_H

#define SPT_VERSION "0.6.0"

#include <limits.h>
#include <stddef.h>

/* ============================================================================================== */
/* TYPES, ERRORS, BOXES, ALLOCATORS                                                        >>base */

/* 32-bit integers also where int has 16 bits. (The comparison is with INT_MAX because a compiler
   for DOS gets the one with UINT_MAX wrong.) */
#if (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L) || \
    (defined(__cplusplus) && __cplusplus >= 201103L) || (defined(_MSC_VER) && _MSC_VER >= 1600)
#include <stdint.h>
typedef int32_t spt_i32;
typedef uint32_t spt_u32;
#elif INT_MAX >= 2147483647
typedef int spt_i32;
typedef unsigned int spt_u32;
#else
typedef long spt_i32;
typedef unsigned long spt_u32;
#endif

#if defined(SPATIAL_INT) && defined(SPATIAL_DOUBLE)
#error "spatial.h: define SPATIAL_INT or SPATIAL_DOUBLE, not both"
#elif defined(SPATIAL_INT)
#define SPTI_INT /* for the test that the implementation is compiled with the same type */
typedef spt_i32 spt_coord;
#elif defined(SPATIAL_DOUBLE)
#define SPTI_DOUBLE
typedef double spt_coord;
#else
typedef float spt_coord;
#endif

#if defined(SPATIAL_STATIC) && (defined(__GNUC__) || defined(__clang__))
#define SPTI_API static __attribute__((unused))
#elif defined(SPATIAL_STATIC)
#define SPTI_API static
#elif defined(SPATIAL_API)
#define SPTI_API SPATIAL_API
#else
#define SPTI_API extern
#endif

#ifndef SPATIAL_INTLIST_INLINE
#define SPATIAL_INTLIST_INLINE 128
#endif

/* A section that is left out takes along those that are built on it. */
#if defined(SPATIAL_NO_INTLIST) || defined(SPATIAL_NO_MORTON)
#undef SPATIAL_NO_BROADPHASE
#undef SPATIAL_NO_LINEAR
#undef SPATIAL_NO_QUADTREE
#undef SPATIAL_NO_LOOSEGRID
#undef SPATIAL_NO_PACKED
#define SPATIAL_NO_BROADPHASE
#define SPATIAL_NO_LINEAR
#define SPATIAL_NO_QUADTREE
#define SPATIAL_NO_LOOSEGRID
#define SPATIAL_NO_PACKED
#endif

/* What several sections share. Profile M of Arm, 77, is that of microcontrollers. */
#if !defined(SPATIAL_SMALL) && INT_MAX >= 2147483647L && \
    !(defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 77)
#define SPTI_GROWS /* leaves of the broadphase, and there are parts for threads */
#endif
#if !defined(SPATIAL_NO_QUADTREE) || !defined(SPATIAL_NO_LOOSEGRID)
#define SPTI_BAGS /* lists of elements in blocks */
#endif
#if defined(SPTI_BAGS) || !defined(SPATIAL_NO_LINEAR)
#define SPTI_TABLE /* of elements by id */
#elif !defined(SPATIAL_NO_INDEX)
#define SPATIAL_NO_INDEX
#endif
#if !defined(SPATIAL_NO_BROADPHASE) || !defined(SPATIAL_NO_PACKED)
#define SPTI_SAMPLES /* of boxes, which decide on cells */
#endif
#if defined(SPTI_TABLE) || defined(SPTI_SAMPLES)
#define SPTI_CELLS
#endif

/* Callbacks on an 8051, whose stack is too small for the variables of functions, so that sdcc keeps
   them elsewhere: a function that is called by pointer must ask for the stack. */
#if defined(__SDCC_mcs51)
#define SPT_CALLBACK __reentrant
#else
#define SPT_CALLBACK
#endif

/* No element, no index. */
#define SPT_NONE ((spt_i32)-1)

/* What functions return. Where a count is returned, an error is a negative count. */
#define SPT_OK 0
#define SPT_ERR_ARGUMENT (-1) /* NaN, min > max, a required field not set, a list of wrong fields */
#define SPT_ERR_MEMORY (-2)   /* the allocator returned NULL, or a size does not fit size_t */
#define SPT_ERR_FULL (-3)     /* desc.capacity does not allow for it, or what was left out */
#define SPT_ERR_ID (-4)       /* negative; already there (insert); not there (move, remove) */

#ifdef __cplusplus
extern "C" {
#endif

/* A closed box: min_x <= max_x and min_y <= max_y. 16 bytes (32 with SPATIAL_DOUBLE). */
typedef struct spt_box {
    spt_coord min_x, min_y, max_x, max_y;
} spt_box;

/* Name of an error in a few words of English; never NULL.
   Example: spt_error_string(SPT_ERR_ID) => "id already there, or not there". */
SPTI_API const char *spt_error_string(spt_i32 error);

/* 1 if box is fit to be inserted or asked for: no NaN, min <= max on both axes; else 0. */
SPTI_API int spt_box_valid(const spt_box *box);

/* 1 if the two boxes overlap or touch, else 0.
   Example: {0,0,2,2} and {2,2,3,3} => 1. */
SPTI_API int spt_box_overlap(const spt_box *a, const spt_box *b);

/* Called for an element. Return 0 to go on; anything else stops, and the visit returns it.
   The structure must not be changed from within. */
typedef int (*spt_visit_fn)(void *ctx, spt_i32 id, const spt_box *box) SPT_CALLBACK;

/* Called for a cell: its box (cells at the border reach further than it shows), its level (0 is the
   whole world), and how many elements are listed in it, without its children. Return as
   above. */
typedef int (*spt_cell_fn)(void *ctx, const spt_box *box, int level, spt_i32 count) SPT_CALLBACK;

/* Source of memory. resize(ctx, NULL, 0, n) allocates n bytes, aligned for pointers, longs and,
   but for SPATIAL_INT, doubles; (ctx, p, old, n) grows or shrinks p from old to n bytes and keeps
   what both hold; (ctx, p, old, 0) frees p. It returns NULL on failure, and p is then still valid.
   All zero means SPATIAL_REALLOC and SPATIAL_FREE. */
typedef struct spt_allocator {
    void *(*resize)(void *ctx, void *old, size_t old_size, size_t new_size) SPT_CALLBACK;
    void *ctx;
} spt_allocator;

/* An allocator over one buffer: it hands out the bytes one after another and takes back only the
   last piece, so use it for what lives as long as the buffer. */
typedef struct spt_arena {
    unsigned char *base;
    size_t size; /* bytes from base on */
    size_t used; /* bytes handed out, with what rounding up costs */
} spt_arena;

/* Makes an arena over size bytes at buffer and points allocator to it. The arena must outlive what
   allocates from it and must not be moved meanwhile. A buffer that is not aligned as memory has
   to be is used from the first address that is.
   Example, a tree of 1000 ids without a heap; spt_linear_bytes_for(&desc) tells what the tree takes
   of the buffer, and the list is given its room at once, for growing in an arena leaves gaps:
       static double buffer[11000];
       spt_linear_desc desc; ... desc.capacity = 1000;
       spt_arena_init(&arena, buffer, sizeof buffer, &desc.allocator);
       error = spt_linear_init(&tree, &desc);
       error = spt_intlist_init_with(&found, 1, &desc.allocator);
       error = spt_intlist_reserve(&found, 1000);  */
SPTI_API void spt_arena_init(spt_arena *arena, void *buffer, size_t size, spt_allocator *allocator);

#ifdef SPTI_CELLS
/* Private, but here because the structures below hold them. */
typedef struct spti_axis { /* the map from a coordinate to a cell, along one axis */
#ifdef SPATIAL_INT
    spt_i32 origin;
    spt_u32 extent; /* coordinates above origin + extent fall in the last cell */
    spt_u32 scale;  /* 2^32 / (number of coordinates, less the dropped bits) */
    int drop;       /* low bits that do not matter for the cell */
    int levels;     /* 2^levels cells */
#else
    spt_coord origin;
    spt_coord scale; /* cells a unit */
    spt_coord last;  /* cell, 2^levels - 1 */
    spt_coord size;  /* units a cell */
#endif
} spti_axis;

typedef struct spti_map {
    spti_axis x, y;
} spti_map;

typedef struct spti_span { /* cells from a first to a last: x in the low 16 bits, y in the high */
    spt_u32 min, max;
} spti_span;

typedef struct spti_links { /* ids in a list, or SPT_NONE */
    spt_i32 next, prev;
} spti_links;

typedef struct spti_element { /* 12 bytes: where an element is kept */
    spt_i32 list;             /* where it is kept; SPT_NONE: absent. Quadtree: no leaf that lists
                                 it is deeper than that */
    union {
        spti_links links;     /* in that list */
        spti_span span;       /* quadtree: the finest cells that the box reaches into */
        spt_i32 slot;         /* loose grid: its place in the bag of its cell */
    } at;
} spti_element;

typedef struct spti_table { /* elements by id; both arrays are one piece of memory */
    spt_box *boxes;         /* of an absent element min > max; apart from the rest, for pairs and
                               queries come from far and near to a box and to nothing else */
    spti_element *elements;
    spt_i32 size;           /* ids that it has room for */
    spt_i32 count;          /* elements that are there */
} spti_table;
#endif

#ifndef SPATIAL_NO_INTLIST
/* ============================================================================================== */
/* INT LIST                                                                             >>intlist

   A growable array of records of `fields` integers each. Used in one of two ways, never both on one
   list (debug builds assert it):
     a stack       push and pop at the end; indices are 0 .. count-1
     a free list   insert anywhere free, erase any; an index stays valid until it is erased
   Idea: free lists threaded through the elements of an array (index free lists). */

typedef struct spt_intlist {
    spt_i32 *data;                              /* NULL while the inline room serves */
    spt_i32 fields;                             /* integers a record, >= 1 */
    spt_i32 count;                              /* records, the erased ones included */
    spt_i32 capacity;                           /* records that fit without allocation */
    spt_i32 free_head;                          /* first erased record, or SPT_NONE */
    spt_allocator allocator;
    spt_i32 room[SPATIAL_INTLIST_INLINE + 1];   /* inline integers; one more, for it may be 0 */
} spt_intlist;

/* Makes an empty list of records of `fields` integers, on the default allocator. Allocates nothing.
   fields: 1 .. 65535, else SPT_ERR_ARGUMENT. */
SPTI_API int spt_intlist_init(spt_intlist *list, spt_i32 fields);

/* The same on an allocator of yours; NULL is the default one. */
SPTI_API int spt_intlist_init_with(spt_intlist *list, spt_i32 fields,
                                   const spt_allocator *allocator);

/* Gives the memory back; the list is then as after init. */
SPTI_API void spt_intlist_free(spt_intlist *list);

/* Forgets all records and keeps the memory. */
SPTI_API void spt_intlist_clear(spt_intlist *list);

/* Makes room for `records` records in all, so that no push or insert allocates before they
   are used up.
   Errors: SPT_ERR_ARGUMENT if negative, SPT_ERR_MEMORY. */
SPTI_API int spt_intlist_reserve(spt_intlist *list, spt_i32 records);

/* Appends a copy of the `fields` integers at record (NULL: zeros), which must not lie in the list,
   and returns its index, or SPT_ERR_MEMORY.  Cost: O(1) amortised; the memory doubles.
   Example: list {5,6}; push 7 => 2, list {5,6,7}. */
SPTI_API spt_i32 spt_intlist_push(spt_intlist *list, const spt_i32 *record);

/* Takes the last record off and copies it to record, unless that is NULL. SPT_ERR_ID if empty. */
SPTI_API int spt_intlist_pop(spt_intlist *list, spt_i32 *record);

/* Stores a copy of record (NULL: zeros) in the place erased last, or at the end if there is none,
   and returns its index, or SPT_ERR_MEMORY.  Cost: O(1) amortised.
   Example: records 0,1,2; erase 1; insert => 1; insert => 3. */
SPTI_API spt_i32 spt_intlist_insert(spt_intlist *list, const spt_i32 *record);

/* Makes the place of a record free for the next insert; its first integer is overwritten. The index
   must be one that insert gave and that was not erased since; SPT_ERR_ID if out of range. O(1). */
SPTI_API int spt_intlist_erase(spt_intlist *list, spt_i32 index);

/* One integer of a record; SPT_NONE if index or field is out of range. O(1). */
SPTI_API spt_i32 spt_intlist_get(const spt_intlist *list, spt_i32 index, spt_i32 field);

/* Sets one integer of a record; SPT_ERR_ID if index or field is out of range. O(1). */
SPTI_API int spt_intlist_set(spt_intlist *list, spt_i32 index, spt_i32 field, spt_i32 value);

/* Number of records, the erased ones included: indices are 0 .. count-1. */
SPTI_API spt_i32 spt_intlist_count(const spt_intlist *list);

/* The records one after another; valid until the list grows, is freed or is moved. */
SPTI_API const spt_i32 *spt_intlist_data(const spt_intlist *list);

/* Bytes allocated, those of the struct not counted. */
SPTI_API size_t spt_intlist_bytes(const spt_intlist *list);

/* 1 if every invariant holds, the links of the erased records included. O(count). */
SPTI_API int spt_intlist_check(const spt_intlist *list);

#ifdef SPTI_BAGS
/* Private, but here because the structures below hold them. */
typedef struct spti_bag { /* 8 bytes: numbers, in blocks of a pool */
    spt_i32 first;        /* block, or SPT_NONE */
    spt_i32 count;        /* numbers */
} spti_bag;

typedef struct spti_pool { /* blocks of 32 bytes */
    spt_intlist blocks;
    spt_i32 used;          /* blocks that are not free */
    spt_i32 limit;         /* how many there may ever be */
} spti_pool;
#endif
#endif

#ifndef SPATIAL_NO_MORTON
/* ============================================================================================== */
/* MORTON                                                                                >>morton

   Arithmetic of the complete quadtree over a square of 2^levels by 2^levels finest cells, in 32-bit
   integers. Level 0 is the whole square; level l has 4^l cells, numbered by their Morton codes:

       code of cell (x, y) = ... y2 x2 y1 x1 y0 x0 (bits)        level 1:  2 3     y
                                                                           0 1     ^ > x

   Source: G. M. Morton, "A computer oriented geodetic data base and a new technique in file
   sequencing", IBM 1966; I. Gargantini, "An effective way to represent quadtrees", CACM 25(12),
   1982. */

#define SPT_MORTON_MAX_LEVELS 15 /* the node numbers of 15 levels fit 31 bits */

/* Morton code of a cell. x, y: 0 .. 65535; higher bits are ignored. O(1).
   Example: x = 3 (11), y = 1 (01) => 0111 = 7. */
SPTI_API spt_u32 spt_morton_interleave(spt_u32 x, spt_u32 y);

/* The cell of a Morton code: the inverse of the above. O(1).   Example: 7 => x = 3, y = 1. */
SPTI_API void spt_morton_deinterleave(spt_u32 code, spt_u32 *x, spt_u32 *y);

/* Level of the smallest cell that holds all finest cells from (x0,y0) to (x1,y1), and its Morton
   code on that level in *code.  levels: 0 .. 15; x, y: 0 .. 2^levels - 1, in any order. O(1).
   Example: levels 3, from (4,2) to (5,3) => 2, *code = 6; from (3,0) to (4,0) => 0, *code = 0. */
SPTI_API int spt_morton_cell(spt_u32 x0, spt_u32 y0, spt_u32 x1, spt_u32 y1, int levels,
                             spt_u32 *code);

/* Number of a node, counted level by level: (4^level - 1)/3 + code. level: 0 .. 15. O(1).
   Example: level 2, code 6 => 5 + 6 = 11. Its children are 4*11+1 .. 4*11+4. */
SPTI_API spt_u32 spt_morton_node(int level, spt_u32 code);

/* Level of a node of that numbering, and its code in *code: the inverse of the above. */
SPTI_API int spt_morton_level(spt_u32 node, spt_u32 *code);

/* Number of the parent, (node-1)/4; the root, 0, must not be asked for one. */
SPTI_API spt_u32 spt_morton_parent(spt_u32 node);

/* Number of a child, 4*node + 1 + quadrant. quadrant: 0 .. 3 (bit 0: right, bit 1: upper y). */
SPTI_API spt_u32 spt_morton_child(spt_u32 node, int quadrant);

/* How many nodes lie before this one on a depth-first walk (preorder) over a tree whose finest
   level is `levels`. level: 0 .. levels, levels: 0 .. 15. O(1).
   Example: levels 2; the root => 0, level 1 code 1 => 6, level 2 code 4 => 7. */
SPTI_API spt_u32 spt_morton_rank(int level, spt_u32 code, int levels);

/* Number of nodes of a tree of `levels` levels below its root: (4^(levels+1) - 1)/3. */
SPTI_API spt_u32 spt_morton_nodes(int levels);

/* Box of a cell when the whole square is bounds, in *out; exact where the arithmetic is.
   Example: bounds {0,0,8,4}, level 1, code 1 => {4,0,8,2}. */
SPTI_API void spt_morton_box(int level, spt_u32 code, const spt_box *bounds, spt_box *out);
#endif

#ifndef SPATIAL_NO_BROADPHASE
/* ============================================================================================== */
/* BROADPHASE                                                                        >>broadphase

   The main job: an array of boxes in, all overlapping pairs out, exactly. Nothing is kept from call
   to call but the scratch memory, so nothing needs to be told when boxes move, come or go; ids are
   the indices of the array. No world bounds are needed: the cells follow from the boxes.

   Bytes: 37 a box (57 with SPATIAL_DOUBLE) and up to 225 KB (330); of few boxes 95 (140) and 5 KB.
   At most 2^29 boxes. */

typedef struct spt_broadphase_desc {
    spt_i32 capacity; /* most boxes in a call; everything is allocated by init (default: grows) */
    spt_allocator allocator; /* (default: SPATIAL_REALLOC and SPATIAL_FREE) */
} spt_broadphase_desc;

typedef struct spt_broadphase {
    spt_allocator allocator;
    unsigned char *block; /* all scratch memory in one piece */
    size_t bytes;         /* its size */
    spt_i32 capacity;     /* boxes it serves */
    spt_i32 count;        /* of the last call; 0 if it failed */
    int parts;            /* of the last split */
    int fixed;            /* desc.capacity was set */
} spt_broadphase;

/* Makes a broadphase. desc may be NULL. Allocates only if desc->capacity is set.
   Errors: SPT_ERR_ARGUMENT (capacity < 0), SPT_ERR_MEMORY.
   Example: spt_broadphase bp; spt_broadphase_init(&bp, NULL); */
SPTI_API int spt_broadphase_init(spt_broadphase *bp, const spt_broadphase_desc *desc);

/* Gives the memory back; the broadphase is then of zero bytes. */
SPTI_API void spt_broadphase_free(spt_broadphase *bp);

/* Bytes that init would allocate; 0 if it would refuse the desc, if they do not fit size_t, or
   without a capacity, for then it allocates nothing. */
SPTI_API size_t spt_broadphase_bytes_for(const spt_broadphase_desc *desc);

/* Bytes allocated now. */
SPTI_API size_t spt_broadphase_bytes(const spt_broadphase *bp);

/* Appends to out all pairs a < b of indices of overlapping boxes, each once, and returns their
   number.
   boxes: n of them; out: a list of two fields.
   Errors: SPT_ERR_ARGUMENT (n < 0; wrong fields; a bad box: spt_box_valid tells which),
   SPT_ERR_FULL (n > desc.capacity), SPT_ERR_MEMORY.
   Order: deterministic, otherwise unspecified.
   Cost: O(n + pairs) for boxes that are small or that spread over the plane, or lie side by side;
   O(n log^2 n + pairs) for any boxes. Allocates only to grow the scratch (none for as many boxes as
   before) and out.
   Example: {0,0,2,2} {1,1,3,3} {5,5,6,6} => 1, out {0,1}. */
SPTI_API spt_i32 spt_broadphase_pairs(spt_broadphase *bp, const spt_box *boxes, spt_i32 n,
                                      spt_intlist *out);

/* The same between two sets: appends all (i, j) where a[i] overlaps b[j]; pairs within a set are
   not looked for. Errors, order and cost as above with n = na + nb.
   Example: a {0,0,2,2}; b {5,5,6,6} {2,2,3,3} => 1, out {0,1}. */
SPTI_API spt_i32 spt_broadphase_pairs_between(spt_broadphase *bp, const spt_box *a, spt_i32 na,
                                              const spt_box *b, spt_i32 nb, spt_intlist *out);

#ifdef SPTI_GROWS
/* Divides the work among n boxes into at most `parts` parts of about as much, for any threads, in
   any order: spt_broadphase_part finds the pairs of one. Returns how many parts there are: at least
   one, if there are boxes. 4 to 8 of them for each thread spread evenly.
   boxes: must stay as they are till the parts are done, and so must bp.
   parts: >= 1; more than 256 are as 256.
   Errors: SPT_ERR_ARGUMENT (n < 0, parts < 1, a bad box), SPT_ERR_FULL, SPT_ERR_MEMORY.
   Cost: O(n), about a fifth of what pairs takes. Allocates as pairs does.
   Example: parts = spt_broadphase_split(&bp, boxes, n, 8);
            bytes = spt_broadphase_part_bytes(&bp);
            each thread, for each part p that nobody has taken:
                spt_broadphase_part(&bp, p, its own bytes, a list of its own); */
SPTI_API int spt_broadphase_split(spt_broadphase *bp, const spt_box *boxes, spt_i32 n, int parts);

/* Bytes that spt_broadphase_part needs as scratch for any part of the last split; 0 if there are no
   parts, or if they do not fit size_t. */
SPTI_API size_t spt_broadphase_part_bytes(const spt_broadphase *bp);

/* Appends the pairs of a part to out and returns their number. The lists of all parts, in the order
   of the parts, are what spt_broadphase_pairs appends.
   part: 0 .. parts - 1; scratch: spt_broadphase_part_bytes(bp) bytes, aligned as malloc does; out:
   a list of two fields. Neither may be in use by another thread.
   Errors: SPT_ERR_ARGUMENT (no such part, no scratch, wrong fields), SPT_ERR_MEMORY (out cannot
   grow).  Cost: that of pairs for as many boxes as the part has. Allocates only to grow out.
   Example: parts 0 and 1 give {0,1} and {7,9}; spt_broadphase_pairs gives {0,1} {7,9}. */
SPTI_API spt_i32 spt_broadphase_part(const spt_broadphase *bp, int part, void *scratch,
                                     spt_intlist *out);
#endif

/* Calls fn for every cell into which the last call sorted its boxes, parents before children; count
   is the number of boxes tested there as one group. After a call that failed there is none. Returns
   what fn stopped with, or 0. For drawing. */
SPTI_API int spt_broadphase_traverse(spt_broadphase *bp, spt_cell_fn fn, void *ctx);

/* 1 if every invariant holds: the scratch is as large as it should be, and what the last call
   sorted is in order. O(n). */
SPTI_API int spt_broadphase_check(spt_broadphase *bp);
#endif

#ifndef SPATIAL_NO_LINEAR
/* ============================================================================================== */
/* LINEAR                                                                                >>linear

   A complete quadtree in one array: no nodes, no pointers, only a list head a cell, found by
   arithmetic. An element is linked in the smallest cell that holds it, so that insert, move and
   remove are O(1) whatever else is there. Those that straddle a middle line of a large cell are
   told apart by where along the line they lie, so that queries stay fast with any number of them.

   How many levels: finest cells of three to six times the size of the usual element are good, or
   larger where elements are sparse; one level more or less costs little. The default has an eighth
   to half as many finest cells as ids.

   Bytes: 28 an id (48 with SPATIAL_DOUBLE); 9.4 a finest cell, which is 1.2 to 4.7 an id with the
   default levels; and for pairs the scratch of a broadphase, 37 an id (57). A growing tree has
   room for up to twice the largest id. */

#define SPT_LINEAR_MAX_LEVELS 12

typedef struct spt_linear_desc {
    spt_box bounds;    /* the world: min < max, and max - min is finite (required) */
    spt_i32 capacity;  /* ids are 0 .. capacity-1, all allocated by init (default: grows) */
    int levels;        /* 1 .. 12: 4^levels finest cells (default: from the number of ids) */
    int no_pairs;      /* with a capacity: leave out the scratch of pairs, which then returns
                          SPT_ERR_FULL (default: 0) */
    spt_allocator allocator; /* (default: SPATIAL_REALLOC and SPATIAL_FREE) */
} spt_linear_desc;

typedef struct spt_linear {
    spt_allocator allocator;
    spti_table table;
    spti_map map;
    spt_box bounds;
    spt_i32 *heads;     /* first element of each list of elements */
    spt_i32 head_count; /* how many lists */
    int levels;
    int auto_levels;    /* desc.levels was not set */
    int fixed;          /* desc.capacity was set */
    int emptied;        /* 1: a list was emptied since tidy began its walk */
    spt_i32 cursor;     /* where the walk of tidy is; 0: at rest */
#ifndef SPATIAL_NO_BROADPHASE
    spt_broadphase broadphase;
#endif
} spt_linear;

/* Makes an empty tree.
   Errors: SPT_ERR_ARGUMENT (desc NULL; bounds with min >= max, or so far apart that max - min is
   not finite; capacity < 0; levels out of range), SPT_ERR_MEMORY.
   Cost: O(4^levels + capacity); it allocates.
   Example: spt_linear_desc desc = {{0, 0, 100, 100}, 1000, 0, 0, {0, 0}}; spt_linear tree;
            spt_linear_init(&tree, &desc) => SPT_OK, room for ids 0 .. 999. */
SPTI_API int spt_linear_init(spt_linear *tree, const spt_linear_desc *desc);

/* Gives the memory back; the tree is then of zero bytes. */
SPTI_API void spt_linear_free(spt_linear *tree);

/* Removes all elements and keeps the memory. O(4^levels + ids). */
SPTI_API void spt_linear_clear(spt_linear *tree);

/* Bytes that init would allocate; 0 if it would refuse the desc, or if they do not fit size_t. */
SPTI_API size_t spt_linear_bytes_for(const spt_linear_desc *desc);

/* Bytes allocated now, the scratch of pairs included. */
SPTI_API size_t spt_linear_bytes(const spt_linear *tree);

/* Adds element id with its box.
   Errors: SPT_ERR_ARGUMENT (bad box), SPT_ERR_ID (negative, or already there), SPT_ERR_FULL
   (id >= desc.capacity), SPT_ERR_MEMORY.
   Cost: O(1). Allocates, and then takes O(ids + 4^levels), only when no capacity was set and id
   is beyond the room so far, which then at least doubles.
   Example: insert 7 => SPT_OK; insert 7 again => SPT_ERR_ID. */
SPTI_API int spt_linear_insert(spt_linear *tree, spt_i32 id, const spt_box *box);

/* Gives element id a new box.  Errors: SPT_ERR_ARGUMENT (bad box), SPT_ERR_ID (not there).
   Cost: O(1); within its cell nothing but the box is written. Never allocates.
   Example: element 0 at {0,0,2,2}; move 0 to {5,5,7,7}; query {1,1,3,3} => 0. */
SPTI_API int spt_linear_move(spt_linear *tree, spt_i32 id, const spt_box *box);

/* Moves the elements ids[0], ids[1] ... ids[n-1], in this order, element id to boxes[id]: boxes are
   all of yours by id, as you have them, ids those that have moved. The same as n calls of move, but
   it asks in time for what the next ones will read: faster, most of all where only some have moved.
   Returns n; or, if a move is refused, how many came before it, which are done; or its error, if it
   is the first.  Errors: those of move, SPT_ERR_ARGUMENT (n < 0).  Cost: that of n moves.
   Example: ids 0, 1, 2 are there; move_many {2,0,7,1} => 2; then {7,1} => SPT_ERR_ID. */
SPTI_API spt_i32 spt_linear_move_many(spt_linear *tree, const spt_i32 *ids,
                                      const spt_box *boxes, spt_i32 n);

/* Takes element id out.  Errors: SPT_ERR_ID (not there).  Cost: O(1). Never allocates.
   Example: remove 7 => SPT_OK; remove 7 again => SPT_ERR_ID; insert 7 => SPT_OK. */
SPTI_API int spt_linear_remove(spt_linear *tree, spt_i32 id);

/* 1 if element id is there, else 0; any id may be asked for. O(1). */
SPTI_API int spt_linear_contains(const spt_linear *tree, spt_i32 id);

/* Box of element id, or NULL if it is not there; valid until the next insert. O(1). */
SPTI_API const spt_box *spt_linear_box(const spt_linear *tree, spt_i32 id);

/* Number of elements. O(1). */
SPTI_API spt_i32 spt_linear_count(const spt_linear *tree);

/* Lets queries skip again what removes and moves have left empty. Call it once a frame; results
   never depend on it.  Cost: some 64 lists and a 32nd of all, at most 8192 a call (there are 2.3 a
   finest cell); nothing once all is tidy. */
SPTI_API void spt_linear_tidy(spt_linear *tree);

/* Appends to out the ids of the elements that overlap box, each once, and returns their number.
   box: min <= max, infinite edges allowed; out: a list of one field.
   Errors: SPT_ERR_ARGUMENT, SPT_ERR_MEMORY.  Order: deterministic, otherwise unspecified.
   Cost: O(levels^2 + cells touched + elements in their lists). The latter are the hits, what else
   lies in the cells at the window's border, and elements across a middle line that are some four
   times as long as they are away. Allocates only to grow out.
   Example: boxes 0:{0,0,2,2} 1:{5,5,6,6}; query {1,1,3,3} => 1, out {0}. */
SPTI_API spt_i32 spt_linear_query(const spt_linear *tree, const spt_box *box, spt_intlist *out);

/* The same, but calls fn for each. Returns what fn stopped with, 0, or SPT_ERR_ARGUMENT. Order and
   cost as above; never allocates.
   Example: an fn that returns 1 => 1 if anything overlaps the box, else 0. */
SPTI_API int spt_linear_visit(const spt_linear *tree, const spt_box *box, spt_visit_fn fn,
                              void *ctx);

/* Appends to out all pairs a < b of ids of overlapping elements, each once, and returns their
   number.
   out: a list of two fields.
   Errors: SPT_ERR_ARGUMENT (wrong fields), SPT_ERR_FULL (desc.no_pairs, or there is no broadphase:
   SPATIAL_NO_BROADPHASE), SPT_ERR_MEMORY.
   Order, cost: as spt_broadphase_pairs, which does it, plus O(ids).
   Example: boxes 3:{0,0,2,2} 8:{2,2,3,3} 9:{5,5,6,6} => 1, out {3,8}. */
SPTI_API spt_i32 spt_linear_pairs(spt_linear *tree, spt_intlist *out);

/* Calls fn for the cells that hold elements, or did before tidy came by, and for the cells that
   these lie in, parents before children. Returns what fn stopped with, or 0. O(elements + cells
   told), and for each of these that has long elements the pieces of its lines, of which a cell of
   level l has up to 4 * 2^(levels - l). */
SPTI_API int spt_linear_traverse(const spt_linear *tree, spt_cell_fn fn, void *ctx);

/* 1 if every invariant holds: each element is linked once, in the right place; links, counts and
   marks agree. O(4^levels + ids). */
SPTI_API int spt_linear_check(const spt_linear *tree);
#endif

#ifndef SPATIAL_NO_QUADTREE
/* ============================================================================================== */
/* QUADTREE                                                                            >>quadtree

   An adaptive quadtree without pointers: a leaf that holds too much splits in four, so the tree is
   deep where there is much and flat where there is little. An element is stored once and listed
   in every leaf that it touches; pairs and queries report it once all the same.

   How to choose: the defaults do for most. max_depth sets the smallest cell, the world's sides by
   2^max_depth: a little over the usual element is small enough where elements spread evenly, and
   smaller is right where they crowd. Too deep costs next to nothing, for a leaf does not split
   where that would list its elements much more often; too flat costs time where a smallest cell
   holds hundreds, as pairs take the square of that. Of leaf_capacity, 16 was the fastest for frames
   and for windows of some ten elements.

   Bytes: 28 an id (48 with SPATIAL_DOUBLE), and blocks of 32: one for each 8 elements begun in a
   leaf, one for four nodes. These come to some 10 an element; a growing tree has room for up to
   twice as much. With a capacity it is 28 and 30 an id, with the default links. Pairs need the
   scratch of a broadphase, 37 an id (57).

   Limits of a tree with a capacity: there is room for `links` listings of elements in leaves,
   however they are spread, and for capacity * 6 / leaf_capacity leaves; the last quarter of these
   is for leaves that are longer and longer, which costs nothing but speed. Splits leave a share of
   the links for each id. An element much larger than a leaf takes a link in each leaf that it
   touches, and when it moves, those in the new ones before it gives up the old: in a world of many
   such, insert and move return SPT_ERR_FULL once the links are used up. Then give more links, or a
   smaller max_depth. After such an error all elements are as before; leaves that were split on the
   way stay so, which may change the order of results.

   A tree that grows takes ids less than 2^29: a listing is an id and two bits more. */

#define SPT_QUADTREE_MAX_DEPTH 16

typedef struct spt_quadtree_desc {
    spt_box bounds;    /* the world: min < max, and max - min is finite (required) */
    spt_i32 capacity;  /* ids are 0 .. capacity-1, all allocated by init (default: grows) */
    int leaf_capacity; /* a leaf with more elements may split: 1 .. 1000 (default: 16) */
    int max_depth;     /* levels below the root: 1 .. 16 (default: 12) */
    spt_i32 links;     /* with a capacity: listings of elements in leaves that there is always room
                          for (default: 3 * capacity) */
    int no_pairs;      /* with a capacity: leave out the scratch of pairs, which then returns
                          SPT_ERR_FULL (default: 0) */
    spt_allocator allocator; /* (default: SPATIAL_REALLOC and SPATIAL_FREE) */
} spt_quadtree_desc;

typedef struct spt_quadtree {
    spt_allocator allocator;
    spti_table table;
    spti_map map;
    spt_box bounds;
    spti_pool pool;      /* nodes, by four, and what the leaves list */
#ifndef SPATIAL_NO_BROADPHASE
    spt_broadphase broadphase; /* for pairs */
#endif
    spt_i32 quads;       /* blocks that are nodes, that of the root included */
    spt_i32 quads_limit; /* how many there may ever be */
    spt_i32 links;       /* elements in leaves, each as often as it is listed */
    spt_i32 links_split; /* no split may make them more than this less links_each for each absent */
    spt_i32 links_each;  /*   id: with 100 ids and 300 links, 225 less 2 for each absent id */
    int leaf_capacity, max_depth;
    int fixed;           /* desc.capacity was set */
    spt_u32 untidy;      /* how often something has moved since tidy began its walk, */
    spt_u32 seen;        /* and how often when it was called last */
    spt_u32 cursor;      /* where the walk of tidy is, as a Morton code; 0: at rest */
} spt_quadtree;

/* Makes an empty tree.
   Errors: SPT_ERR_ARGUMENT (desc NULL; bounds with min >= max, or so far apart that max - min is
   not finite; another field out of range), SPT_ERR_MEMORY.  Cost: O(capacity); it allocates.
   Example: spt_quadtree_desc desc = {{0, 0, 100, 100}, 1000, 0, 0, 0, 0, {0, 0}};
            spt_quadtree tree;
            spt_quadtree_init(&tree, &desc) => SPT_OK, room for ids 0 .. 999. */
SPTI_API int spt_quadtree_init(spt_quadtree *tree, const spt_quadtree_desc *desc);

/* Gives the memory back; the tree is then of zero bytes. */
SPTI_API void spt_quadtree_free(spt_quadtree *tree);

/* Removes all elements and keeps the memory. O(ids). */
SPTI_API void spt_quadtree_clear(spt_quadtree *tree);

/* Bytes that init would allocate; 0 if it would refuse the desc, or if they do not fit size_t. */
SPTI_API size_t spt_quadtree_bytes_for(const spt_quadtree_desc *desc);

/* Bytes allocated now. */
SPTI_API size_t spt_quadtree_bytes(const spt_quadtree *tree);

/* Adds element id with its box.
   Errors: SPT_ERR_ARGUMENT (bad box), SPT_ERR_ID (negative, or already there), SPT_ERR_FULL
   (id >= desc.capacity; no room for as many links), SPT_ERR_MEMORY.
   Cost: O(max_depth + leaves touched), and now and then a split. Allocates only when no capacity
   was set.
   Example: insert 7 => SPT_OK; insert 7 again => SPT_ERR_ID. */
SPTI_API int spt_quadtree_insert(spt_quadtree *tree, spt_i32 id, const spt_box *box);

/* Gives element id a new box.
   Errors: SPT_ERR_ARGUMENT (bad box), SPT_ERR_ID (not there), SPT_ERR_FULL (no room for as many
   links), SPT_ERR_MEMORY.
   Cost: O(1) if it stays in its leaves: then nothing but the box is written. Else all leaves that
   it touches before and after are walked, and those that it enters or leaves are changed:
   O(max_depth + leaves touched + elements in those left).
   Example: element 0 at {0,0,2,2}; move 0 to {5,5,7,7}; query {1,1,3,3} => 0. */
SPTI_API int spt_quadtree_move(spt_quadtree *tree, spt_i32 id, const spt_box *box);

/* Moves the elements ids[0], ids[1] ... ids[n-1], in this order, element id to boxes[id]: the same
   as n calls of move, but faster; see spt_linear_move_many.  Returns n; or, if a move is refused,
   how many came before it, which are done; or its error, if it is the first.  Errors: those of
   move, SPT_ERR_ARGUMENT (n < 0).  Cost: that of n moves.
   Example: ids 0, 1, 2 are there; move_many {2,0,7,1} => 2; then {7,1} => SPT_ERR_ID. */
SPTI_API spt_i32 spt_quadtree_move_many(spt_quadtree *tree, const spt_i32 *ids,
                                        const spt_box *boxes, spt_i32 n);

/* Takes element id out.  Errors: SPT_ERR_ID (not there).  Never allocates.
   Cost: O(max_depth + leaves touched + elements in them).
   Example: remove 7 => SPT_OK; remove 7 again => SPT_ERR_ID; insert 7 => SPT_OK. */
SPTI_API int spt_quadtree_remove(spt_quadtree *tree, spt_i32 id);

/* 1 if element id is there, else 0; any id may be asked for. O(1). */
SPTI_API int spt_quadtree_contains(const spt_quadtree *tree, spt_i32 id);

/* Box of element id, or NULL if it is not there; valid until the next insert. O(1). */
SPTI_API const spt_box *spt_quadtree_box(const spt_quadtree *tree, spt_i32 id);

/* Number of elements. O(1). */
SPTI_API spt_i32 spt_quadtree_count(const spt_quadtree *tree);

/* Makes four leaves one again that hold at most half of what a leaf may, not counting what covers
   all four, and gives their nodes back; splits what has become too full, if that is of use now.
   Call it once a frame; results never depend on it.  Cost: 32 leaves and a sixth of all, at most
   16384, a call; of that sixth only as large a share as that of the elements that have moved since
   the last call, if any have; and nothing once all is tidy and rests. Allocates at most for a
   split, and does without. */
SPTI_API void spt_quadtree_tidy(spt_quadtree *tree);

/* Appends to out the ids of the elements that overlap box, each once, and returns their number.
   box: min <= max, infinite edges allowed; out: a list of one field.
   Errors: SPT_ERR_ARGUMENT, SPT_ERR_MEMORY.  Order: deterministic, otherwise unspecified.
   Cost: O(max_depth + elements in the leaves touched); those in leaves inside the box are not
   looked at. Allocates only to grow out.
   Example: boxes 0:{0,0,2,2} 1:{5,5,6,6}; query {1,1,3,3} => 1, out {0}. */
SPTI_API spt_i32 spt_quadtree_query(const spt_quadtree *tree, const spt_box *box, spt_intlist *out);

/* The same, but calls fn for each. Returns what fn stopped with, 0, or SPT_ERR_ARGUMENT. Order and
   cost as above; never allocates.
   Example: an fn that returns 1 => 1 if anything overlaps the box, else 0. */
SPTI_API int spt_quadtree_visit(const spt_quadtree *tree, const spt_box *box, spt_visit_fn fn,
                                void *ctx);

/* Appends to out all pairs a < b of ids of overlapping elements, each once, and returns their
   number.
   out: a list of two fields.
   Errors: SPT_ERR_ARGUMENT (wrong fields), SPT_ERR_FULL (desc.no_pairs), SPT_ERR_MEMORY.
   Order: deterministic, otherwise unspecified.
   Cost: that of spt_broadphase_pairs for as many boxes as the largest id. Allocates to grow out
   and, when no capacity was set, the scratch.
   Example: boxes 3:{0,0,2,2} 8:{2,2,3,3} 9:{5,5,6,6} => 1, out {3,8}. */
SPTI_API spt_i32 spt_quadtree_pairs(spt_quadtree *tree, spt_intlist *out);

/* Calls fn for all nodes, parents before children, with the number of elements that a leaf lists:
   one that touches several leaves is counted in each. Returns what fn stopped with, or 0.
   O(nodes). */
SPTI_API int spt_quadtree_traverse(const spt_quadtree *tree, spt_cell_fn fn, void *ctx);

/* 1 if every invariant holds: each element is listed once in each leaf that it touches and nowhere
   else; nodes, links and free blocks are as many as they should be. O(ids + links * leaf size). */
SPTI_API int spt_quadtree_check(const spt_quadtree *tree);
#endif

#ifndef SPATIAL_NO_LOOSEGRID
/* ============================================================================================== */
/* LOOSE GRID                                                                          >>loosegrid

   Two grids. In the fine one each element lies in one cell, that of its centre; the cell is loose,
   its box grows to hold its elements. The cells of the coarse one, the tight ones, list the loose
   cells whose boxes touch them. Queries go from tight cells to loose ones to elements. An element
   is in one cell only, so that moving costs little; one that would make the box of its cell touch
   many tight cells is listed there by itself, and the few that fill many are kept apart.

   How to choose: loose cells with some 4 to 16 elements each, but not much smaller than the usual
   element; with a capacity that is what the default does for elements that spread over the world.
   Where they crowd in small parts of it, take smaller cells, or a structure that adapts itself:
   with all of 100,000 elements in a hundredth of the world's width, pairs took 200 times as long.

   Bytes: 28 an id and 36 a loose cell (48 and 56 with SPATIAL_DOUBLE), 8 a tight cell; and blocks
   of 32 for what cells hold and list: with a capacity one for every 7 ids, 3.3 for each loose cell
   that may hold something, and one a tight cell. With the default cells that is 42 to 51 an id (63
   to 73). Pairs need the scratch of a broadphase, 37 an id (57). */

#define SPT_LOOSEGRID_MAX_LEVELS 12

typedef struct spt_loosegrid_desc {
    spt_box bounds;    /* the world: min < max, and max - min is finite (required) */
    spt_i32 capacity;  /* ids are 0 .. capacity-1, all allocated by init (default: grows) */
    spt_coord cell;    /* side of a loose cell: the world is halved along either axis until sides
                          are at most 3/2 of this, or a 4096th of the world, which takes 600 MB
                          (default: 8 to 16 ids of the capacity a cell; required without one) */
    int tight;         /* side of a tight cell in loose ones: 1, 2, 4 ... 256 (default: 4) */
    spt_i32 large;     /* tight cells that the box of a loose one, or of an element, may touch;
                          elements that touch more are large and kept apart (default: 64) */
    int no_pairs;      /* with a capacity: leave out the scratch of pairs, which then returns
                          SPT_ERR_FULL (default: 0) */
    spt_allocator allocator; /* (default: SPATIAL_REALLOC and SPATIAL_FREE) */
} spt_loosegrid_desc;

/* Private, but here because spt_loosegrid holds it. */
typedef struct spti_loose { /* 36 bytes: a loose cell */
    spt_box box;            /* holds its elements; min > max: nothing, and it is not listed */
    spti_span span;         /* the tight cells that list it */
    spti_bag bag;           /* its elements */
    spt_i32 changed;        /* next of the cells that wait for tidy */
} spti_loose;

typedef struct spt_loosegrid {
    spt_allocator allocator;
    spti_table table;
    spti_map map;        /* of loose cells */
    spt_box bounds;
    spti_loose *cells;
    spti_bag *tights;    /* what each tight cell lists: loose cells, and elements that are alone */
    spt_i32 cell_count, tight_count;
    spti_pool pool;      /* what loose cells hold and tight cells list */
#ifndef SPATIAL_NO_BROADPHASE
    spt_broadphase broadphase; /* for pairs */
#endif
    spt_i32 large;       /* desc.large */
    spt_i32 larges;      /* first of the large elements */
    spt_i32 waiting;     /* first of the cells that tidy is to look at next, */
    spt_i32 changed;     /* first of those that have come to wait since */
    spt_u32 bared;       /* how often an element has left an edge since the last tidy */
    int shift;           /* a tight cell has 2^shift loose ones a side */
    int columns, rows;   /* there are 2^columns by 2^rows tight cells */
    int fixed;           /* desc.capacity was set */
} spt_loosegrid;

/* Makes an empty grid.
   Errors: SPT_ERR_ARGUMENT (desc NULL; bounds with min >= max, or so far apart that max - min is
   not finite; cell missing; another field out of range), SPT_ERR_MEMORY.
   Cost: O(cells + capacity); it allocates.
   Example: spt_loosegrid_desc desc = {{0, 0, 100, 100}, 1000, 0, 0, 0, 0, {0, 0}};
            spt_loosegrid grid;
            spt_loosegrid_init(&grid, &desc) => SPT_OK, room for ids 0 .. 999 in 8 x 8 cells. */
SPTI_API int spt_loosegrid_init(spt_loosegrid *grid, const spt_loosegrid_desc *desc);

/* Gives the memory back; the grid is then of zero bytes. */
SPTI_API void spt_loosegrid_free(spt_loosegrid *grid);

/* Removes all elements and keeps the memory. O(cells + ids). */
SPTI_API void spt_loosegrid_clear(spt_loosegrid *grid);

/* Bytes that init would allocate; 0 if it would refuse the desc, or if they do not fit size_t. */
SPTI_API size_t spt_loosegrid_bytes_for(const spt_loosegrid_desc *desc);

/* Bytes allocated now. */
SPTI_API size_t spt_loosegrid_bytes(const spt_loosegrid *grid);

/* Adds element id with its box.
   Errors: SPT_ERR_ARGUMENT (bad box), SPT_ERR_ID (negative, or already there), SPT_ERR_FULL
   (id >= desc.capacity), SPT_ERR_MEMORY (no room for a larger id).
   Cost: O(1), and O(tight cells) where the loose cell's box grows into new ones. Where there is no
   memory for listing it there, the element is kept among the large ones until it moves: slower,
   not wrong. Allocates only when no capacity was set.
   Example: insert 7 => SPT_OK; insert 7 again => SPT_ERR_ID. */
SPTI_API int spt_loosegrid_insert(spt_loosegrid *grid, spt_i32 id, const spt_box *box);

/* Gives element id a new box.  Errors: SPT_ERR_ARGUMENT (bad box), SPT_ERR_ID (not there).
   Cost as that of insert.
   Example: element 0 at {0,0,2,2}; move 0 to {5,5,7,7}; query {1,1,3,3} => 0. */
SPTI_API int spt_loosegrid_move(spt_loosegrid *grid, spt_i32 id, const spt_box *box);

/* Moves the elements ids[0], ids[1] ... ids[n-1], in this order, element id to boxes[id]: the same
   as n calls of move, but faster; see spt_linear_move_many.  Returns n; or, if a move is refused,
   how many came before it, which are done; or its error, if it is the first.  Errors: those of
   move, SPT_ERR_ARGUMENT (n < 0).  Cost: that of n moves.
   Example: ids 0, 1, 2 are there; move_many {2,0,7,1} => 2; then {7,1} => SPT_ERR_ID. */
SPTI_API spt_i32 spt_loosegrid_move_many(spt_loosegrid *grid, const spt_i32 *ids,
                                         const spt_box *boxes, spt_i32 n);

/* Takes element id out.  Errors: SPT_ERR_ID (not there).  Cost: O(1). Never allocates.
   Example: remove 7 => SPT_OK; remove 7 again => SPT_ERR_ID; insert 7 => SPT_OK. */
SPTI_API int spt_loosegrid_remove(spt_loosegrid *grid, spt_i32 id);

/* 1 if element id is there, else 0; any id may be asked for. O(1). */
SPTI_API int spt_loosegrid_contains(const spt_loosegrid *grid, spt_i32 id);

/* Box of element id, or NULL if it is not there; valid until the next insert. O(1). */
SPTI_API const spt_box *spt_loosegrid_box(const spt_loosegrid *grid, spt_i32 id);

/* Number of elements. O(1). */
SPTI_API spt_i32 spt_loosegrid_count(const spt_loosegrid *grid);

/* Shrinks the boxes of loose cells to what these hold, where an element on an edge has moved
   inwards or left. Call it once a frame, or boxes that have grown slow queries down; results never
   depend on it.  Cost: O(elements in the cells that it looks at): of those concerned, the first 64,
   and one more for every other time that this has happened since the last call; nothing if there
   are none. Never allocates. */
SPTI_API void spt_loosegrid_tidy(spt_loosegrid *grid);

/* Appends to out the ids of the elements that overlap box, each once, and returns their number.
   box: min <= max, infinite edges allowed; out: a list of one field.
   Errors: SPT_ERR_ARGUMENT, SPT_ERR_MEMORY.  Order: deterministic, otherwise unspecified.
   Cost: O(tight cells touched + loose cells listed there + elements in those that overlap + large
   elements). Allocates only to grow out.
   Example: boxes 0:{0,0,2,2} 1:{5,5,6,6}; query {1,1,3,3} => 1, out {0}. */
SPTI_API spt_i32 spt_loosegrid_query(const spt_loosegrid *grid, const spt_box *box,
                                     spt_intlist *out);

/* The same, but calls fn for each. Returns what fn stopped with, 0, or SPT_ERR_ARGUMENT. Order and
   cost as above; never allocates.
   Example: an fn that returns 1 => 1 if anything overlaps the box, else 0. */
SPTI_API int spt_loosegrid_visit(const spt_loosegrid *grid, const spt_box *box, spt_visit_fn fn,
                                 void *ctx);

/* Appends to out all pairs a < b of ids of overlapping elements, each once, and returns their
   number.
   out: a list of two fields.
   Errors: SPT_ERR_ARGUMENT (wrong fields), SPT_ERR_FULL (desc.no_pairs), SPT_ERR_MEMORY.
   Order: deterministic, otherwise unspecified.
   Cost: that of spt_broadphase_pairs for as many boxes as the largest id. Allocates to grow out
   and, when no capacity was set, the scratch.
   Example: boxes 3:{0,0,2,2} 8:{2,2,3,3} 9:{5,5,6,6} => 1, out {3,8}. */
SPTI_API spt_i32 spt_loosegrid_pairs(spt_loosegrid *grid, spt_intlist *out);

/* Calls fn for the world, on level 0, with the number of elements that are in no cell; for each
   tight cell that has elements in its loose ones, on level 1; and after it, on level 2, for these
   loose cells, with the boxes that they have now and the number of their elements. Returns what fn
   stopped with, or 0. O(cells). */
SPTI_API int spt_loosegrid_traverse(const spt_loosegrid *grid, spt_cell_fn fn, void *ctx);

/* 1 if every invariant holds: each element is held once, in the right cell, by that cell's box,
   which is no larger than it must be, unless tidy is to shrink it; each tight cell that such a box
   touches lists it, and no other. O(cells + ids). */
SPTI_API int spt_loosegrid_check(const spt_loosegrid *grid);
#endif

#ifndef SPATIAL_NO_PACKED
/* ============================================================================================== */
/* PACKED                                                                                >>packed

   Boxes that stand still - the walls of a level, the buildings of a map, a frame that is over - and
   many windows: nothing here finds what overlaps a window faster. All boxes are given at once; ids
   are the indices of the array, which is not needed afterwards. They are sorted along a Hilbert
   curve and stored in that order, 32 to a block, under a tree of the boxes around the blocks:
   20.6 bytes a box (36.9 with SPATIAL_DOUBLE) and up to 2 KB, in one piece of memory.

   Single boxes do not come, go or move: build again, which costs some tens of nanoseconds a box, or
   use another structure. What box an id has your array tells; for all pairs give the same array to
   spt_broadphase_pairs. */

#define SPT_PACKED_BLOCK 32 /* boxes, or blocks, that are stored together */

typedef struct spt_packed_desc {
    spt_i32 capacity; /* most boxes; everything is allocated by init (default: grows) */
    spt_allocator allocator; /* (default: SPATIAL_REALLOC and SPATIAL_FREE) */
} spt_packed_desc;

typedef struct spt_packed {
    spt_allocator allocator;
    unsigned char *block; /* all memory in one piece, in which there are no pointers */
    size_t bytes;         /* its size */
    spt_i32 capacity;     /* boxes that it has room for */
    spt_i32 count;        /* boxes that are there */
    int fixed;            /* desc.capacity was set */
} spt_packed;

/* Makes one without boxes. desc may be NULL. Allocates only if desc->capacity is set.
   Errors: SPT_ERR_ARGUMENT (capacity < 0), SPT_ERR_MEMORY.
   Example: spt_packed map; spt_packed_init(&map, NULL); */
SPTI_API int spt_packed_init(spt_packed *packed, const spt_packed_desc *desc);

/* Gives the memory back; all bytes of the struct are then zero. */
SPTI_API void spt_packed_free(spt_packed *packed);

/* Forgets all boxes and keeps the memory. */
SPTI_API void spt_packed_clear(spt_packed *packed);

/* Bytes that init would allocate; 0 if it would refuse the desc, if they do not fit size_t, or
   without a capacity, for then it allocates nothing. */
SPTI_API size_t spt_packed_bytes_for(const spt_packed_desc *desc);

/* Bytes allocated now. */
SPTI_API size_t spt_packed_bytes(const spt_packed *packed);

/* Forgets what is there and stores n boxes, whose ids are their indices.
   Errors, with all as it was: SPT_ERR_ARGUMENT (n < 0; a bad box: spt_box_valid tells which),
   SPT_ERR_FULL (n > desc.capacity), SPT_ERR_MEMORY.
   Cost: O(n). Allocates if there are more boxes than there ever were.
   Example: spt_box boxes[2] = {{0,0,2,2}, {5,5,6,6}}; spt_packed_build(&map, boxes, 2) => SPT_OK */
SPTI_API int spt_packed_build(spt_packed *packed, const spt_box *boxes, spt_i32 n);

/* Number of boxes. */
SPTI_API spt_i32 spt_packed_count(const spt_packed *packed);

/* Appends to out the ids of the boxes that overlap box, each once, and returns their number.
   out: a list of one field.
   Errors: SPT_ERR_ARGUMENT (bad box, wrong fields), SPT_ERR_MEMORY.
   Order: along the curve, so that neighbours come together; the same for the same boxes.
   Cost: O(log n + hits) for boxes that are small or spread over the plane: what lies in a window
   with the whole block is copied without being looked at.
   Example: the boxes above, window {2,2,3,3} => 1, out {0}. */
SPTI_API spt_i32 spt_packed_query(const spt_packed *packed, const spt_box *box, spt_intlist *out);

/* Calls fn for each box that overlaps `box`, in the order of query; the box that fn is told of is
   a copy that lives until fn returns. Returns what fn stopped with, or 0.
   Errors: SPT_ERR_ARGUMENT (bad box).  Cost: that of query, and a call for each.
   Example: the boxes above, window {2,2,3,3}: fn is called with id 0. */
SPTI_API int spt_packed_visit(const spt_packed *packed, const spt_box *box, spt_visit_fn fn,
                              void *ctx);

/* Calls fn for the box around every block, parents before children, the one around all on level 0;
   count is 0 but in the finest. Returns what fn stopped with, or 0. For drawing. */
SPTI_API int spt_packed_traverse(const spt_packed *packed, spt_cell_fn fn, void *ctx);

/* 1 if every invariant holds: the memory is as large as it should be, each box around a block is
   just that, and the ids are those of as many boxes. O(n). */
SPTI_API int spt_packed_check(const spt_packed *packed);
#endif

#ifndef SPATIAL_NO_INDEX
/* ============================================================================================== */
/* INDEX                                                                                  >>index

   A structure that keeps boxes behind a table of its functions, for programs that choose one at run
   time. The broadphase keeps none and so has no such table. Each function is the
   verb of that name; `object` is its first argument. The structure must outlive the index and must
   not be moved meanwhile.
   Example: spt_index index; spt_linear_index(&tree, &index);
            index.insert(index.object, 0, &box);  n = index.pairs(index.object, &out); */

typedef struct spt_index {
    void *object;
    const char *name; /* "linear", "quadtree" or "loosegrid" */
    void (*free)(void *object) SPT_CALLBACK;
    void (*clear)(void *object) SPT_CALLBACK;
    size_t (*bytes)(const void *object) SPT_CALLBACK;
    int (*insert)(void *object, spt_i32 id, const spt_box *box) SPT_CALLBACK;
    int (*move)(void *object, spt_i32 id, const spt_box *box) SPT_CALLBACK;
    spt_i32 (*move_many)(void *object, const spt_i32 *ids, const spt_box *boxes,
                         spt_i32 n) SPT_CALLBACK;
    int (*remove)(void *object, spt_i32 id) SPT_CALLBACK;
    int (*contains)(const void *object, spt_i32 id) SPT_CALLBACK;
    const spt_box *(*box)(const void *object, spt_i32 id) SPT_CALLBACK;
    spt_i32 (*count)(const void *object) SPT_CALLBACK;
    void (*tidy)(void *object) SPT_CALLBACK;
    spt_i32 (*query)(const void *object, const spt_box *box, spt_intlist *out) SPT_CALLBACK;
    int (*visit)(const void *object, const spt_box *box, spt_visit_fn fn, void *ctx) SPT_CALLBACK;
    spt_i32 (*pairs)(void *object, spt_intlist *out) SPT_CALLBACK;
    int (*traverse)(const void *object, spt_cell_fn fn, void *ctx) SPT_CALLBACK;
    int (*check)(const void *object) SPT_CALLBACK;
} spt_index;

/* Makes *index the table of this tree or grid. */
#ifndef SPATIAL_NO_LINEAR
SPTI_API void spt_linear_index(spt_linear *tree, spt_index *index);
#endif
#ifndef SPATIAL_NO_QUADTREE
SPTI_API void spt_quadtree_index(spt_quadtree *tree, spt_index *index);
#endif
#ifndef SPATIAL_NO_LOOSEGRID
SPTI_API void spt_loosegrid_index(spt_loosegrid *grid, spt_index *index);
#endif
#endif

#ifdef __cplusplus
}
#endif
#endif /* SPATIAL_H */

/* ============================================================================================== */
/* IMPLEMENTATION, in layers: a section uses those above it

       platform   SIMD, prefetching, assertions  |  base     boxes, errors, memory
       intlist    the public list                |  pool     blocks of eight integers, bags of them
       cells      from coordinates to cells      |  morton   codes, levels, nodes
       sort       samples, sorting by keys       |  kernel   boxes against boxes, in vectors
       table      elements by id, their verbs    |  query    what a window tells of
       ----------------------------------------------------------------------------------------
       broadphase = ranks, sweep, lists, scan, walk, scratch, calls
       linear, quadtree, loosegrid: a table and a broadphase each;  packed;  index over all */
#if defined(SPATIAL_IMPLEMENTATION) && !defined(SPATIAL_IMPLEMENTATION_DONE)
#define SPATIAL_IMPLEMENTATION_DONE

#if defined(SPATIAL_INT) != defined(SPTI_INT) || defined(SPATIAL_DOUBLE) != defined(SPTI_DOUBLE)
#error "spatial.h: SPATIAL_INT or SPATIAL_DOUBLE changed since the file was first included"
#endif
#ifdef SPATIAL_DOUBLE
#include <float.h>
#endif
#ifndef SPATIAL_NO_STDLIB
#include <stdlib.h>
#include <string.h>
#endif

#if defined(SPATIAL_REALLOC) != defined(SPATIAL_FREE)
#error "spatial.h: define both SPATIAL_REALLOC and SPATIAL_FREE, or neither"
#elif !defined(SPATIAL_REALLOC) && defined(SPATIAL_NO_STDLIB)
#define SPATIAL_REALLOC(p, n) NULL
#define SPATIAL_FREE(p) ((void)(p))
#elif !defined(SPATIAL_REALLOC)
#define SPATIAL_REALLOC(p, n) realloc(p, n)
#define SPATIAL_FREE(p) free(p)
#endif

#if !defined(SPATIAL_ASSERT) && defined(SPATIAL_NO_STDLIB)
#define SPATIAL_ASSERT(x) ((void)0)
#elif !defined(SPATIAL_ASSERT)
#include <assert.h>
#define SPATIAL_ASSERT(x) assert(x)
#endif

/* ============================================================================================== */
/* PLATFORM                                                                               >>platform

   What compilers and processors offer beyond C89, each with a way to do without. */

/* SIMD: what vectors are, and what the kernel does with them. SPTI_V_... is what every processor of
   a kind has, vectors of 16 bytes; SPTI_W_... is twice as wide and chosen at run time, if
   SPTI_HAS_W. BELOW and ABOVE compare coordinates in memory with a vector; BITS has one for each
   lane where that is true. STEP is how many boxes are tested at a time: as many as a vector has
   integers. A new instruction set is a new block here. 32-bit Arm is left out: its NEON takes
   denormal numbers for zero. */
#if defined(SPATIAL_NO_SIMD) || !defined(SPTI_SAMPLES)
#elif (defined(__SSE2__) && defined(__GNUC__)) || (defined(_MSC_VER) && defined(_M_X64))
#include <emmintrin.h>
typedef __m128i spti_v_ints;
#define SPTI_V_STEP 4
#define SPTI_V_INTS_LOAD(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define SPTI_V_INTS_STORE(p, v) _mm_storeu_si128((__m128i *)(void *)(p), v)
#define SPTI_V_INTS_SPLAT(x) _mm_set1_epi32(x)
#define SPTI_V_INTS_OF(a, b, c, d) _mm_setr_epi32(a, b, c, d)
#define SPTI_V_INTS_ADD(a, b) _mm_add_epi32(a, b)
#define SPTI_V_INTS_AND(a, b) _mm_and_si128(a, b)
#define SPTI_V_INTS_OR(a, b) _mm_or_si128(a, b)
#define SPTI_V_INTS_XOR(a, b) _mm_xor_si128(a, b)
#define SPTI_V_INTS_ABOVE(a, b) _mm_cmpgt_epi32(a, b)
#define SPTI_V_INTS_STORE2(p, a, b) /* a lane of a, one of b, the next of a ... */                 \
    (SPTI_V_INTS_STORE(p, _mm_unpacklo_epi32(a, b)),                                               \
     SPTI_V_INTS_STORE((p) + 4, _mm_unpackhi_epi32(a, b)))
#define SPTI_V_INTS_DISJOINT(a, b) _mm_cmpeq_epi32(_mm_and_si128(a, b), _mm_setzero_si128())
#define SPTI_V_INTS_BITS(v) _mm_movemask_ps(_mm_castsi128_ps(v))
#if defined(SPATIAL_INT)
typedef __m128i spti_v;
#define SPTI_V_LANES 4
#define SPTI_V_LOAD(x) SPTI_V_INTS_LOAD(x)
#define SPTI_V_SPLAT(x) _mm_set1_epi32(x)
#define SPTI_V_BELOW(x, a) _mm_cmpgt_epi32(a, SPTI_V_INTS_LOAD(x))
#define SPTI_V_ABOVE(x, a) _mm_cmpgt_epi32(SPTI_V_INTS_LOAD(x), a)
#define SPTI_V_OR(a, b) _mm_or_si128(a, b)
#define SPTI_V_BUT(ints, v) _mm_andnot_si128(v, ints)
#define SPTI_V_BITS(v) _mm_movemask_ps(_mm_castsi128_ps(v))
#elif defined(SPATIAL_DOUBLE)
typedef __m128d spti_v;
#define SPTI_V_LANES 2
#define SPTI_V_LOAD(x) _mm_loadu_pd(x)
#define SPTI_V_SPLAT(x) _mm_set1_pd(x)
#define SPTI_V_BELOW(x, a) _mm_cmplt_pd(SPTI_V_LOAD(x), a)
#define SPTI_V_ABOVE(x, a) _mm_cmpnle_pd(SPTI_V_LOAD(x), a)
#define SPTI_V_OR(a, b) _mm_or_pd(a, b)
#define SPTI_V_BITS(v) _mm_movemask_pd(v)
#else
typedef __m128 spti_v;
#define SPTI_V_LANES 4
#define SPTI_V_LOAD(x) _mm_loadu_ps(x)
#define SPTI_V_SPLAT(x) _mm_set1_ps(x)
#define SPTI_V_BELOW(x, a) _mm_cmplt_ps(SPTI_V_LOAD(x), a)
#define SPTI_V_ABOVE(x, a) _mm_cmpnle_ps(SPTI_V_LOAD(x), a)
#define SPTI_V_OR(a, b) _mm_or_ps(a, b)
#define SPTI_V_BUT(ints, v) _mm_andnot_ps(v, _mm_castsi128_ps(ints))
#define SPTI_V_BITS(v) _mm_movemask_ps(v)
#define SPTI_V_XYXY(x, y) _mm_setr_ps(x, y, x, y)
/* What spti_cell does, four times; in a comparison with a NaN the second operand wins. */
#define SPTI_V_CELLS(x, origin, scale, most)                                                       \
    _mm_cvttps_epi32(_mm_min_ps(                                                                   \
        _mm_max_ps(_mm_mul_ps(_mm_sub_ps(_mm_loadu_ps(x), origin), scale), _mm_setzero_ps()),      \
        most))
#endif

/* AVX2, where the compiler can use it in one function, and its runtime library knows whether the
   processor and the system have it. (On Windows gcc does not align what it spills.) */
#if defined(SPATIAL_NO_AVX2) || defined(SPATIAL_NO_STDLIB)
#elif defined(_MSC_VER) && !defined(__clang__)
#define SPTI_W_TARGET
#define SPTI_HAS_W (__isa_available >= 5)
#ifdef __cplusplus
extern "C" int __isa_available;
#else
extern int __isa_available; /* of its runtime library */
#endif
#elif defined(__x86_64__) && !defined(_WIN32) && \
    ((defined(__clang__) && __clang_major__ > 3) || __GNUC__ > 4 || \
     (__GNUC__ == 4 && __GNUC_MINOR__ > 8))
#define SPTI_W_TARGET __attribute__((target("avx2,popcnt")))
#define SPTI_HAS_W __builtin_cpu_supports("avx2")
#endif
#ifdef SPTI_HAS_W
#include <immintrin.h>
typedef __m256i spti_w_ints;
#define SPTI_W_STEP 8
#define SPTI_W_INTS_STORE(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define SPTI_W_INTS_SPLAT(x) _mm256_set1_epi32(x)
#define SPTI_W_INTS_ADD(a, b) _mm256_add_epi32(a, b)
#define SPTI_W_INTS_LOAD(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define SPTI_W_INTS_DISJOINT(a, b)                                                                 \
    _mm256_cmpeq_epi32(_mm256_and_si256(a, b), _mm256_setzero_si256())
#define SPTI_W_INTS_BITS(v) _mm256_movemask_ps(_mm256_castsi256_ps(v))
#if defined(SPATIAL_INT)
typedef __m256i spti_w;
#define SPTI_W_LANES 8
#define SPTI_W_LOAD(x) _mm256_loadu_si256((const __m256i *)(const void *)(x))
#define SPTI_W_SPLAT(x) _mm256_set1_epi32(x)
#define SPTI_W_BELOW(x, a) _mm256_cmpgt_epi32(a, SPTI_W_LOAD(x))
#define SPTI_W_ABOVE(x, a) _mm256_cmpgt_epi32(SPTI_W_LOAD(x), a)
#define SPTI_W_OR(a, b) _mm256_or_si256(a, b)
#define SPTI_W_BUT(ints, v) _mm256_andnot_si256(v, ints)
#define SPTI_W_BITS(v) _mm256_movemask_ps(_mm256_castsi256_ps(v))
#elif defined(SPATIAL_DOUBLE)
typedef __m256d spti_w;
#define SPTI_W_LANES 4
#define SPTI_W_SPLAT(x) _mm256_set1_pd(x)
#define SPTI_W_BELOW(x, a) _mm256_cmp_pd(a, _mm256_loadu_pd(x), _CMP_GT_OQ)
#define SPTI_W_ABOVE(x, a) _mm256_cmp_pd(a, _mm256_loadu_pd(x), _CMP_LT_OQ)
#define SPTI_W_OR(a, b) _mm256_or_pd(a, b)
#define SPTI_W_BITS(v) _mm256_movemask_pd(v)
#else
typedef __m256 spti_w;
#define SPTI_W_LANES 8
#define SPTI_W_SPLAT(x) _mm256_set1_ps(x)
#define SPTI_W_BELOW(x, a) _mm256_cmp_ps(a, _mm256_loadu_ps(x), _CMP_GT_OQ)
#define SPTI_W_ABOVE(x, a) _mm256_cmp_ps(a, _mm256_loadu_ps(x), _CMP_LT_OQ)
#define SPTI_W_OR(a, b) _mm256_or_ps(a, b)
#define SPTI_W_BUT(ints, v) _mm256_andnot_ps(v, _mm256_castsi256_ps(ints))
#define SPTI_W_BITS(v) _mm256_movemask_ps(v)
#endif
#endif
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(SPATIAL_DOUBLE)
#include <arm_neon.h>
typedef int32x4_t spti_v_ints;
#define SPTI_V_STEP 4
#define SPTI_V_LANES 4
#define SPTI_V_INTS_LOAD(p) vld1q_s32(p)
#define SPTI_V_INTS_STORE(p, v) vst1q_s32(p, v)
#define SPTI_V_INTS_SPLAT(x) vdupq_n_s32(x)
#define SPTI_V_INTS_OF(a, b, c, d)                                                                 \
    vsetq_lane_s32(d, vsetq_lane_s32(c, vsetq_lane_s32(b, vdupq_n_s32(a), 1), 2), 3)
#define SPTI_V_INTS_ADD(a, b) vaddq_s32(a, b)
#define SPTI_V_INTS_AND(a, b) vandq_s32(a, b)
#define SPTI_V_INTS_OR(a, b) vorrq_s32(a, b)
#define SPTI_V_INTS_XOR(a, b) veorq_s32(a, b)
#define SPTI_V_INTS_ABOVE(a, b) vreinterpretq_s32_u32(vcgtq_s32(a, b))
#define SPTI_V_INTS_STORE2(p, a, b)                                                                \
    (vst1q_s32(p, vzip1q_s32(a, b)), vst1q_s32((p) + 4, vzip2q_s32(a, b)))
#define SPTI_V_INTS_DISJOINT(a, b) vceqq_s32(vandq_s32(a, b), vdupq_n_s32(0))
#define SPTI_V_INTS_BITS(v) spti_lane_bits(v)
#ifdef SPATIAL_INT
typedef int32x4_t spti_v;
#define SPTI_V_LOAD(x) vld1q_s32(x)
#define SPTI_V_SPLAT(x) vdupq_n_s32(x)
#define SPTI_V_BELOW(x, a) vcltq_s32(SPTI_V_LOAD(x), a)
#define SPTI_V_ABOVE(x, a) vcgtq_s32(SPTI_V_LOAD(x), a)
#else
typedef float32x4_t spti_v;
#define SPTI_V_LOAD(x) vld1q_f32(x)
#define SPTI_V_SPLAT(x) vdupq_n_f32(x)
#define SPTI_V_BELOW(x, a) vcltq_f32(SPTI_V_LOAD(x), a)
#define SPTI_V_ABOVE(x, a) vcgtq_f32(SPTI_V_LOAD(x), a)
#endif
#define SPTI_V_OR(a, b) vorrq_u32(a, b)
#define SPTI_V_BUT(ints, v) vbicq_u32(ints, v)
#define SPTI_V_BITS(v) spti_lane_bits(v)
static unsigned spti_lane_bits(uint32x4_t v)
{
    static const spt_u32 bit[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(v, vld1q_u32(bit)));
}
#endif

/* Asks for memory that is soon to be read from a place that the processor cannot guess; not on Arm
   microcontrollers (profile M, 77), which have none to wait for. */
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 77
#elif defined(__GNUC__) && INT_MAX >= 2147483647L
#define SPTI_CAN_PREFETCH
/* With a trace of a side effect, lest a function that does nothing else be taken for one that does
   nothing, and its calls be left out. */
#define SPTI_PREFETCH(p)                                                                           \
    do {                                                                                           \
        __builtin_prefetch(p);                                                                     \
        __asm__ volatile("");                                                                      \
    } while (0)
#elif defined(SPTI_V_CELLS)
#define SPTI_CAN_PREFETCH
#define SPTI_PREFETCH(p) _mm_prefetch((const char *)(const void *)(p), _MM_HINT_T0)
#endif

/* INLINE: pays only within the loops that call it. APART: has loops or variables of its own that
   would be in the way of those of its caller. */
#ifdef __GNUC__
#define SPTI_INLINE static __inline__
#define SPTI_APART static __attribute__((noinline))
#else
#define SPTI_INLINE static
#define SPTI_APART static
#endif

/* Refuses to compile where `condition` is false. (An array of negative size, because compilers
   without _Static_assert are among the targets, and one of them refuses the ?: form.) */
#define SPTI_STATIC_ASSERT(name, condition) typedef char spti_##name[1 - 2 * !(condition)]

#define SPTI_I32_MAX ((spt_i32)2147483647L)

/* Counts work: for tests, which define it. */
#ifndef SPTI_COUNT
#define SPTI_COUNT(n) ((void)0)
#endif

SPTI_STATIC_ASSERT(i32_has_4_bytes, sizeof(spt_i32) == 4);
SPTI_STATIC_ASSERT(char_has_8_bits, CHAR_BIT == 8);

#ifdef __cplusplus
extern "C" {
#endif

/* ============================================================================================== */
/* TYPES, ERRORS, BOXES, ALLOCATORS                                                        >>base

   The types in which coordinates are computed, errors by name, boxes, memory: allocators, sizes
   that may not fit, and pieces of one block. */

#ifdef SPATIAL_INT
typedef spt_u32 spti_dist; /* a distance between two coordinates: all of them fit */
#else
typedef spt_coord spti_dist;
#ifdef SPATIAL_DOUBLE
#define SPTI_COORD_MAX DBL_MAX
#else
#define SPTI_COORD_MAX 3.4028234663852886e+38F /* FLT_MAX; not every <float.h> here is C89 */
#endif
#endif

#if defined(__x86_64__) || defined(_M_X64) || defined(__aarch64__) || defined(_M_ARM64) || \
    defined(SPATIAL_INT)
typedef spti_dist spti_stored;
#elif defined(__FLT_EVAL_METHOD__) && (__FLT_EVAL_METHOD__ == 0)
typedef spti_dist spti_stored;
#else
typedef volatile spti_dist spti_stored; /* volatile makes the compiler round to the type */
#endif

#define SPTI_DIST(a, b) ((spti_dist)(a) - (spti_dist)(b))

SPTI_API const char *spt_error_string(spt_i32 error)
{
    if (error >= SPT_OK) return "ok";
    if (error == SPT_ERR_ARGUMENT) return "bad argument";
    if (error == SPT_ERR_MEMORY) return "out of memory";
    if (error == SPT_ERR_FULL) return "capacity is full";
    if (error == SPT_ERR_ID) return "id already there, or not there";
    return "unknown error";
}

SPTI_API int spt_box_valid(const spt_box *box)
{
    return box->min_x <= box->max_x && box->min_y <= box->max_y; /* false for NaN */
}

SPTI_API int spt_box_overlap(const spt_box *a, const spt_box *b)
{
    return (a->min_x <= b->max_x) & (b->min_x <= a->max_x) & (a->min_y <= b->max_y) &
           (b->min_y <= a->max_y); /* &, for one branch costs less than four */
}

#ifndef SPATIAL_NO_MORTON
/* Number of bits of v: 0 => 0, 1 => 1, 6 => 3. */
static int spti_bits(spt_u32 v)
{
#if defined(__GNUC__) && INT_MAX >= 2147483647
    return v ? 32 - __builtin_clz((unsigned)v) : 0;
#else
    int n = 0;
    if (v & 0xFFFF0000UL) n += 16, v >>= 16;
    if (v & 0xFF00UL) n += 8, v >>= 8;
    if (v & 0xF0UL) n += 4, v >>= 4;
    if (v & 0xCUL) n += 2, v >>= 2;
    return n + (int)(v & 2UL ? 2 : v);
#endif
}
#endif

/* --- memory ----------------------------------------------------------------------------------- */

#define SPTI_SIZE_MAX ((size_t)-1)

/* Every piece of memory is a multiple of this, so that pieces behind one another stay aligned. */
typedef union spti_aligned {
#ifndef SPATIAL_INT
    double number;
#endif
    void *pointer;
    long integer;
} spti_aligned;

static void spti_copy(void *to, const void *from, size_t bytes)
{
#ifdef SPATIAL_NO_STDLIB
    unsigned char *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    while (bytes-- > 0) *t++ = *f++;
#else
    memcpy(to, from, bytes);
#endif
}

static void *spti_arena_resize(void *ctx, void *old, size_t old_size,
                               size_t new_size) SPT_CALLBACK
{
    spt_arena *arena = (spt_arena *)ctx;
    size_t unit = sizeof(spti_aligned), start = arena->used, size;
    unsigned char *piece;

    if (new_size > SPTI_SIZE_MAX - unit) return NULL;
    size = new_size + unit - 1 - (new_size + unit - 1) % unit;
    old_size = old_size + unit - 1 - (old_size + unit - 1) % unit;
    if (old && arena->base + start - old_size == (unsigned char *)old) start -= old_size;
    if (new_size == 0) {
        arena->used = start;
        return NULL;
    }
    piece = arena->base + start;
    if (size > arena->size - start) return NULL;
    if (old && piece != (unsigned char *)old)
        spti_copy(piece, old, old_size < size ? old_size : size);
    arena->used = start + size;
    return piece;
}

SPTI_API void spt_arena_init(spt_arena *arena, void *buffer, size_t size, spt_allocator *allocator)
{
    size_t unit = sizeof(spti_aligned);
    size_t skip = (unit - (size_t)buffer % unit) % unit;
    arena->base = (unsigned char *)buffer + (skip < size ? skip : size);
    arena->size = skip < size ? size - skip : 0;
    arena->used = 0;
    allocator->resize = spti_arena_resize;
    allocator->ctx = arena;
}

#ifndef SPATIAL_NO_INTLIST
/* count * size bytes, rounded up to the alignment, or 0 if no object can be as large. */
static size_t spti_bytes(spt_u32 count, size_t size)
{
    size_t n = (size_t)count;
    if ((spt_u32)n != count || n > (SPTI_SIZE_MAX / 2 - sizeof(spti_aligned)) / size) return 0;
    n = n * size + sizeof(spti_aligned) - 1;
    return n - n % sizeof(spti_aligned);
}

static void spti_zero(void *p, size_t bytes)
{
    unsigned char *b = (unsigned char *)p;
    while (bytes-- > 0) *b++ = 0;
}

static void *spti_resize(const spt_allocator *a, void *old, size_t old_size, size_t new_size)
{
    if (a->resize) return a->resize(a->ctx, old, old_size, new_size);
    if (new_size > 0) return SPATIAL_REALLOC(old, new_size);
    SPATIAL_FREE(old);
    return NULL;
}

static void spti_free(const spt_allocator *a, void *p, size_t size)
{
    if (p) (void)spti_resize(a, p, size, 0);
}
#endif

#ifdef SPTI_CELLS
#if defined(SPTI_SAMPLES) || !defined(SPATIAL_NO_LINEAR) || !defined(SPATIAL_NO_LOOSEGRID)
static void *spti_alloc(const spt_allocator *a, size_t size)
{
    return spti_resize(a, NULL, 0, size);
}
#endif

/* The next `count` things of `size` bytes of the block; *used becomes the largest size if the sum
   does not fit. With no block only the sum is wanted. */
static void *spti_piece(unsigned char *block, size_t *used, spt_u32 count, size_t size)
{
    size_t bytes = spti_bytes(count, size), at = *used;
    int fits = (bytes > 0 || count == 0) && bytes < SPTI_SIZE_MAX - at;
    *used = fits ? at + bytes : SPTI_SIZE_MAX;
    return block ? block + at : NULL;
}
#endif

#ifndef SPATIAL_NO_INTLIST
/* ============================================================================================== */
/* INT LIST                                                                             >>intlist

   One array of integers; record i begins at i * fields. Erased records are chained through their
   first integer, the last erased first; free_head is where the chain begins:

       fields 2:   | 7 1 | -1 . | 3 3 | 1 . |     free_head = 3, then 1, then none
                     0      1     2     3

   The inline room serves until a record does not fit; data stays NULL till then, so that a copy of
   the struct never points into the old one. Memory doubles; a list given back starts over. */

static spt_i32 *spti_list_data(spt_intlist *list)
{
    return list->data ? list->data : list->room;
}

/* Bytes for so many records; 0 if they are too many, or have room inside the list. */
static size_t spti_list_bytes(spt_i32 fields, spt_i32 records)
{
    if (records <= SPATIAL_INTLIST_INLINE / fields || records > SPTI_I32_MAX / fields) return 0;
    return spti_bytes((spt_u32)(records * fields), sizeof(spt_i32));
}

/* Makes the list one of room for so many records, more than it has. */
static int spti_list_grow(spt_intlist *list, spt_i32 records)
{
    size_t bytes = spti_list_bytes(list->fields, records);
    spt_i32 *data, i;

    if (bytes == 0) return SPT_ERR_MEMORY;
    data = (spt_i32 *)spti_resize(&list->allocator, list->data, spt_intlist_bytes(list), bytes);
    if (!data) return SPT_ERR_MEMORY;
    if (!list->data)
        for (i = 0; i < list->count * list->fields; i++) data[i] = list->room[i];
    list->data = data;
    list->capacity = records;
    return SPT_OK;
}

/* Makes room for `more` records at the end; returns where they begin, or NULL. The memory at least
   doubles. */
static spt_i32 *spti_list_room(spt_intlist *list, spt_i32 more)
{
    spt_i32 records = list->capacity, most = SPTI_I32_MAX / list->fields;
    if (more > records - list->count) {
        if (more > most - list->count) return NULL;
        records = records < most / 2 ? 2 * records : most;
        if (records < list->count + more) records = list->count + more;
        if (spti_list_grow(list, records) != SPT_OK) return NULL;
    }
    return spti_list_data(list) + list->count * list->fields;
}

#ifdef SPTI_CELLS
/* --- results ---------------------------------------------------------------------------------- */

/* What a function returns that appended to out, which had `before` records: how many more they are
   now, or the error, and then there are no more. */
static spt_i32 spti_appended(spt_intlist *out, spt_i32 before, int error)
{
    if (error) {
        out->count = before;
        return error;
    }
    return out->count - before;
}
#endif

/* --- the list itself -------------------------------------------------------------------------- */

static void spti_record_copy(spt_i32 *to, const spt_i32 *from, spt_i32 fields)
{
    spt_i32 i;
    for (i = 0; i < fields; i++) to[i] = from ? from[i] : 0;
}

SPTI_API int spt_intlist_init(spt_intlist *list, spt_i32 fields)
{
    return spt_intlist_init_with(list, fields, NULL);
}

SPTI_API int spt_intlist_init_with(spt_intlist *list, spt_i32 fields,
                                   const spt_allocator *allocator)
{
    spti_zero(list, sizeof *list - sizeof list->room);
    if (fields < 1 || fields > 65535L) return SPT_ERR_ARGUMENT;
    if (allocator) list->allocator = *allocator;
    list->fields = fields;
    list->capacity = SPATIAL_INTLIST_INLINE / fields;
    spt_intlist_clear(list);
    return SPT_OK;
}

SPTI_API void spt_intlist_free(spt_intlist *list)
{
    spti_free(&list->allocator, list->data, spt_intlist_bytes(list));
    list->data = NULL;
    if (list->fields > 0) list->capacity = SPATIAL_INTLIST_INLINE / list->fields;
    spt_intlist_clear(list);
}

SPTI_API void spt_intlist_clear(spt_intlist *list)
{
    list->count = 0;
    list->free_head = SPT_NONE;
}

SPTI_API int spt_intlist_reserve(spt_intlist *list, spt_i32 records)
{
    if (records < 0) return SPT_ERR_ARGUMENT;
    return records <= list->capacity ? SPT_OK : spti_list_grow(list, records);
}

SPTI_API spt_i32 spt_intlist_push(spt_intlist *list, const spt_i32 *record)
{
    spt_i32 *place;
    SPATIAL_ASSERT(list->free_head == SPT_NONE); /* a free list is no stack */
    place = spti_list_room(list, (spt_i32)1);
    if (!place) return SPT_ERR_MEMORY;
    spti_record_copy(place, record, list->fields);
    return list->count++;
}

SPTI_API int spt_intlist_pop(spt_intlist *list, spt_i32 *record)
{
    SPATIAL_ASSERT(list->free_head == SPT_NONE);
    if (list->count == 0) return SPT_ERR_ID;
    list->count--;
    if (record)
        spti_record_copy(record, spti_list_data(list) + list->count * list->fields, list->fields);
    return SPT_OK;
}

SPTI_API spt_i32 spt_intlist_insert(spt_intlist *list, const spt_i32 *record)
{
    spt_i32 *place, index = list->free_head;
    if (index == SPT_NONE) return spt_intlist_push(list, record);
    place = spti_list_data(list) + index * list->fields;
    list->free_head = place[0];
    spti_record_copy(place, record, list->fields);
    return index;
}

SPTI_API int spt_intlist_erase(spt_intlist *list, spt_i32 index)
{
    if (index < 0 || index >= list->count) return SPT_ERR_ID;
    spti_list_data(list)[index * list->fields] = list->free_head;
    list->free_head = index;
    return SPT_OK;
}

SPTI_API spt_i32 spt_intlist_get(const spt_intlist *list, spt_i32 index, spt_i32 field)
{
    if (index < 0 || index >= list->count || field < 0 || field >= list->fields) return SPT_NONE;
    return spt_intlist_data(list)[index * list->fields + field];
}

SPTI_API int spt_intlist_set(spt_intlist *list, spt_i32 index, spt_i32 field, spt_i32 value)
{
    if (index < 0 || index >= list->count || field < 0 || field >= list->fields) return SPT_ERR_ID;
    spti_list_data(list)[index * list->fields + field] = value;
    return SPT_OK;
}

SPTI_API spt_i32 spt_intlist_count(const spt_intlist *list)
{
    return list->count;
}

SPTI_API const spt_i32 *spt_intlist_data(const spt_intlist *list)
{
    return list->data ? list->data : list->room;
}

SPTI_API size_t spt_intlist_bytes(const spt_intlist *list)
{
    return list->data ? spti_list_bytes(list->fields, list->capacity) : 0;
}

SPTI_API int spt_intlist_check(const spt_intlist *list)
{
    spt_i32 i = list->free_head, steps = 0;
    if (list->fields < 1 || list->count < 0) return 0;
    if (list->count > list->capacity) return 0;
    while (i != SPT_NONE) {
        if (i < 0 || i >= list->count || ++steps > list->count) return 0; /* astray, or a ring */
        i = spt_intlist_get(list, i, (spt_i32)0);
    }
    return 1;
}
#endif

#ifdef SPTI_BAGS
/* ============================================================================================== */
/* POOL                                                                                       >>pool

   A bag holds integers in blocks of eight, which it takes from a pool, a list of eight fields used
   as a free list. All blocks but the first are full, and all but the last end with the number of
   the next, so that the count alone tells what is where:

       first -> | 5 2 . . . . . b | -> | 7 1 9 4 3 8 6 c | -> | 0 11 13 12 15 14 10 17 |

   A bag of up to eight is one block of 32 bytes, half a line of a cache. The place of an integer is
   8 * block + position. */

#define SPTI_BLOCK ((spt_i32)8)

SPTI_STATIC_ASSERT(bag_has_8_bytes, sizeof(spti_bag) == 8);

/* limit: how many blocks there may ever be; 0: as many as memory has. Allocates room for them if
   there is a limit. */
static int spti_pool_init(spti_pool *pool, const spt_allocator *allocator, spt_i32 limit)
{
    (void)spt_intlist_init_with(&pool->blocks, SPTI_BLOCK, allocator);
    pool->used = 0;
    pool->limit = limit ? limit : SPTI_I32_MAX / SPTI_BLOCK;
    return limit ? spt_intlist_reserve(&pool->blocks, limit) : SPT_OK;
}

/* Adds the bytes that init allocates for so many blocks. */
static void spti_pool_piece(size_t *used, spt_i32 limit)
{
    if (limit > SPATIAL_INTLIST_INLINE / SPTI_BLOCK)
        (void)spti_piece(NULL, used, (spt_u32)limit * SPTI_BLOCK, sizeof(spt_i32));
}

static void spti_pool_clear(spti_pool *pool)
{
    spt_intlist_clear(&pool->blocks);
    pool->used = 0;
}

/* How many blocks were given back and not taken again. */
static spt_i32 spti_pool_spare(const spti_pool *pool)
{
    return pool->blocks.count - pool->used;
}

/* Makes sure that the next n blocks can be taken without a failure. */
static int spti_pool_room(spti_pool *pool, spt_i32 n)
{
    spt_i32 more = n - spti_pool_spare(pool);
    if (n > pool->limit - pool->used) return SPT_ERR_FULL;
    return more <= 0 || spti_list_room(&pool->blocks, more) ? SPT_OK : SPT_ERR_MEMORY;
}

/* Number of a free block, or an error. */
static spt_i32 spti_pool_take(spti_pool *pool)
{
    spt_i32 block = SPT_ERR_FULL;
    if (pool->used < pool->limit) block = spt_intlist_insert(&pool->blocks, NULL);
    if (block >= 0) pool->used++;
    return block;
}

static void spti_pool_give(spti_pool *pool, spt_i32 block)
{
    (void)spt_intlist_erase(&pool->blocks, block);
    pool->used--;
}

/* How many integers are in the first block of a bag, or of what is left of it. */
static spt_i32 spti_bag_front(spt_i32 count)
{
    return count <= SPTI_BLOCK ? count : (count - SPTI_BLOCK - 1) % (SPTI_BLOCK - 1) + 1;
}

/* How many blocks a bag has. */
static spt_i32 spti_bag_blocks(spt_i32 count)
{
    if (count <= SPTI_BLOCK) return count > 0;
    return 1 + (count - SPTI_BLOCK + SPTI_BLOCK - 2) / (SPTI_BLOCK - 1);
}

/* Puts a number into a bag, which is not kept in the pool. Returns its place, or an error. */
static spt_i32 spti_bag_add(spti_pool *pool, spti_bag *bag, spt_i32 value)
{
    spt_i32 *data = spti_list_data(&pool->blocks), front = spti_bag_front(bag->count), block;
    if (front == 0 || spti_bag_blocks(bag->count + 1) > spti_bag_blocks(bag->count)) {
        block = spti_pool_take(pool);
        if (block < 0) return block;
        data = spti_list_data(&pool->blocks);
        data[SPTI_BLOCK * block + SPTI_BLOCK - 1] = bag->first;
        bag->first = block;
        front = 0;
    }
    bag->count++;
    data[SPTI_BLOCK * bag->first + front] = value;
    return SPTI_BLOCK * bag->first + front;
}

/* Takes out what is at a place, by putting the number added last there; returns that. */
static spt_i32 spti_bag_remove(spti_pool *pool, spti_bag *bag, spt_i32 place)
{
    spt_i32 *data = spti_list_data(&pool->blocks), block = bag->first;
    spt_i32 front = spti_bag_front(bag->count), last = data[SPTI_BLOCK * block + front - 1];
    data[place] = last;
    if (front == 1) {
        bag->first = bag->count > SPTI_BLOCK ? data[SPTI_BLOCK * block + SPTI_BLOCK - 1] : SPT_NONE;
        spti_pool_give(pool, block);
    }
    bag->count--;
    return last;
}

/* A block of a bag, and how to get to the next one. */
typedef struct spti_cursor {
    const spt_i32 *data; /* of the pool */
    spt_i32 block;
    spt_i32 left;        /* integers from here on */
} spti_cursor;

static void spti_bag_begin(const spti_pool *pool, const spti_bag *bag, spti_cursor *at)
{
    at->data = spt_intlist_data(&pool->blocks);
    at->block = bag->first;
    at->left = bag->count;
}

/* The integers of the next block, how many in *n; NULL after the last. */
static const spt_i32 *spti_bag_next(spti_cursor *at, spt_i32 *n)
{
    const spt_i32 *values;
    if (at->left == 0) return NULL;
    values = at->data + SPTI_BLOCK * at->block;
    *n = spti_bag_front(at->left);
    at->left -= *n;
    at->block = values[SPTI_BLOCK - 1];
    return values;
}

/* Where in the bag a number is, or SPT_NONE. */
static spt_i32 spti_bag_find(const spti_pool *pool, const spti_bag *bag, spt_i32 value)
{
    const spt_i32 *values;
    spti_cursor at;
    spt_i32 n, k;
    spti_bag_begin(pool, bag, &at);
    while ((values = spti_bag_next(&at, &n)) != NULL)
        for (k = 0; k < n; k++)
            if (values[k] == value) return (spt_i32)(values - at.data) + k;
    return SPT_NONE;
}

/* --- asking ahead -----------------------------------------------------------------------------

   Where there are many bags, they and the boxes of what they hold come from afar. So who walks over
   bags asks for them in time: for a first block, then, when that should have come, for the boxes
   of what is in it and for the next block. Blocks that were asked for wait in a queue meanwhile, a
   few of different bags, so that no chain of blocks is waited for. */

#ifdef SPTI_CAN_PREFETCH
#define SPTI_ASKED 4  /* blocks that wait while there are more to come */
#define SPTI_QUEUE 16 /* that have room (a power of two) */

typedef struct spti_asked { /* a block that was asked for, */
    spti_cursor at;
    const spt_box *boxes; /* and those of its elements were not; NULL: nobody will look at them */
} spti_asked;

typedef struct spti_ahead {
    unsigned first, end; /* of the queue */
    int low;             /* so many low bits of what is in the bags are not of the id */
    spti_asked asked[SPTI_QUEUE];
} spti_ahead;

static void spti_ahead_begin(spti_ahead *a, int low)
{
    a->first = a->end = 0;
    a->low = low;
}

/* Asks for a block, which may lie across two lines of the cache. */
static void spti_block_ahead(const spt_i32 *data, spt_i32 block)
{
    SPTI_PREFETCH(data + SPTI_BLOCK * block);
    SPTI_PREFETCH(data + SPTI_BLOCK * block + SPTI_BLOCK - 1);
}

/* Asks for the block at a cursor, if there is one. */
static void spti_cursor_ahead(const spti_cursor *at)
{
    if (at->left > 0) spti_block_ahead(at->data, at->block);
}

/* Asks for the boxes of what is in the block at a cursor (NULL: not for them), steps to the next
   block and asks for that; 0 if there is none. Boxes of floats do not lie across lines where memory
   is a multiple of 16, as it mostly is. */
static int spti_bag_ahead(spti_cursor *at, const spt_box *boxes, int low)
{
    spt_i32 n, k;
    const spt_i32 *values = spti_bag_next(at, &n);
    if (!values) return 0;
    for (k = 0; boxes && k < n; k++) SPTI_PREFETCH(&boxes[(spt_u32)values[k] >> low]);
    spti_cursor_ahead(at);
    return at->left > 0;
}

/* Takes blocks from the queue, the oldest first, until no more than `most` wait. */
static void spti_ahead_take(spti_ahead *a, unsigned most)
{
    while (a->end - a->first > most) {
        spti_asked *x = &a->asked[a->first++ % SPTI_QUEUE];
        if (spti_bag_ahead(&x->at, x->boxes, a->low)) a->asked[a->end++ % SPTI_QUEUE] = *x;
    }
}

/* Asks for the first block of a bag; for the boxes, too, unless NULL. */
static void spti_ahead_add(spti_ahead *a, const spti_pool *pool, const spti_bag *bag,
                           const spt_box *boxes)
{
    spti_asked *x = &a->asked[a->end % SPTI_QUEUE];
    if (bag->count == 0) return;
    a->end++;
    spti_bag_begin(pool, bag, &x->at);
    x->boxes = boxes;
    spti_cursor_ahead(&x->at);
}
#endif

/* --- checks ----------------------------------------------------------------------------------- */

/* 1 if the blocks of a bag are there and as many as its count says. */
static int spti_bag_check(const spti_pool *pool, const spti_bag *bag)
{
    spti_cursor at;
    spt_i32 n;
    if (bag->count < 0 || (bag->count == 0) != (bag->first == SPT_NONE)) return 0;
    for (spti_bag_begin(pool, bag, &at); at.left > 0; (void)spti_bag_next(&at, &n))
        if (at.block < 0 || at.block >= pool->blocks.count) return 0;
    return 1;
}

/* 1 if the blocks that are not used are free. */
static int spti_pool_check(const spti_pool *pool)
{
    spt_i32 erased = 0, block;
    if (!spt_intlist_check(&pool->blocks) || pool->used > pool->limit) return 0;
    for (block = pool->blocks.free_head; block != SPT_NONE; erased++)
        block = spt_intlist_get(&pool->blocks, block, (spt_i32)0);
    return erased == spti_pool_spare(pool);
}
#endif

#ifdef SPTI_CELLS
/* ============================================================================================== */
/* CELLS                                                                                     >>cells

   The map from a coordinate to a cell (spti_cell) is monotone and clamps to the cells at the
   border:

       x          -inf ... | origin |      |      |      | ...  +inf, and what lies between
       cell              0      0      1      2      3      3

   From monotone follows all exactness: if two boxes overlap, so do their ranges of cells, wherever
   they lie. Nothing else is asked of it, so rounding does no harm - as long as one coordinate never
   gets two cells. Hence one subtraction, one multiplication, nothing that a compiler could fuse,
   and a store between them where a processor computes with more bits than it stores (x87,
   m68881). */

#if defined(SPTI_SAMPLES) || !defined(SPATIAL_NO_LINEAR)
static spt_coord spti_lowest(void)
{
#ifdef SPATIAL_INT
    return -SPTI_I32_MAX - 1;
#else
    spt_coord x = -SPTI_COORD_MAX;
    return x * 2; /* minus infinity, which C89 has no name for */
#endif
}

static spt_coord spti_highest(void)
{
#ifdef SPATIAL_INT
    return SPTI_I32_MAX;
#else
    return -spti_lowest();
#endif
}
#endif

/* Cells 0 .. 2^levels-1 over [origin, origin + extent]. levels: 1 .. 16. */
static void spti_axis_init(spti_axis *axis, spt_coord origin, spti_dist extent, int levels)
{
#ifdef SPATIAL_INT
    /* ((x - origin) >> drop) * scale is the place within the extent as a fraction of 2^32, of which
       the upper `levels` bits are the cell: no division, and it cannot overflow. */
    axis->extent = SPTI_DIST(SPTI_I32_MAX, origin);
    if (axis->extent > extent) axis->extent = extent;
    axis->drop = spti_bits(extent >> 16);
    axis->scale = 0xFFFFFFFFUL / ((extent >> axis->drop) + 1);
    axis->levels = levels;
#else
    /* With no extent the scale is 0; then all coordinates, also the infinite ones, whose product
       with 0 is a NaN, fall in cell 0. A scale that overflows is harmless in the same way. */
    spti_stored scale, size;
    spt_coord cells = (spt_coord)((spt_u32)1 << levels);
    scale = extent > 0 ? cells / extent : 0;
    size = extent / cells;
    axis->last = cells - 1;
    axis->scale = scale;
    axis->size = size;
#endif
    axis->origin = origin;
}

#if !defined(SPTI_V_CELLS) || !defined(SPATIAL_NO_BROADPHASE) || !defined(SPATIAL_NO_LOOSEGRID)
static spt_u32 spti_cell(const spti_axis *axis, spt_coord x)
{
#ifdef SPATIAL_INT
    spt_u32 t;
    if (x <= axis->origin) return 0;
    t = SPTI_DIST(x, axis->origin);
    if (t > axis->extent) t = axis->extent;
    return ((t >> axis->drop) * axis->scale) >> (32 - axis->levels);
#else
    spti_stored t = x - axis->origin;
    t *= axis->scale;
    if (t > 0) return (spt_u32)(spt_i32)(t < axis->last ? t : axis->last);
    return 0; /* NaN comes here; pcc gets !(t > 0) wrong for it */
#endif
}
#endif

/* The finest cells that a box reaches into: from (x0, y0) to (x1, y1). */
typedef struct spti_cells {
    spt_u32 x0, y0, x1, y1;
} spti_cells;

static void spti_cells_of(const spti_map *map, const spt_box *box, spti_cells *out)
{
#ifdef SPTI_V_CELLS
    const spti_axis *x = &map->x, *y = &map->y;
    SPTI_V_INTS_STORE(out, SPTI_V_CELLS(&box->min_x, SPTI_V_XYXY(x->origin, y->origin),
                                        SPTI_V_XYXY(x->scale, y->scale),
                                        SPTI_V_XYXY(x->last, y->last)));
#else
    out->x0 = spti_cell(&map->x, box->min_x);
    out->y0 = spti_cell(&map->y, box->min_y);
    out->x1 = spti_cell(&map->x, box->max_x);
    out->y1 = spti_cell(&map->y, box->max_y);
#endif
}

#ifdef SPTI_TABLE
/* 1 if a world of these bounds can be divided into cells. */
static int spti_bounds_valid(const spt_box *b)
{
#ifdef SPATIAL_INT
    return b->min_x < b->max_x && b->min_y < b->max_y;
#else
    spti_stored width = b->max_x - b->min_x, height = b->max_y - b->min_y;
    return width > 0 && width <= SPTI_COORD_MAX && height > 0 && height <= SPTI_COORD_MAX;
#endif
}

/* 2^levels_x by 2^levels_y cells over these bounds. */
static void spti_map_init(spti_map *map, const spt_box *b, int levels_x, int levels_y)
{
    spti_axis_init(&map->x, b->min_x, SPTI_DIST(b->max_x, b->min_x), levels_x);
    spti_axis_init(&map->y, b->min_y, SPTI_DIST(b->max_y, b->min_y), levels_y);
}
#endif

#ifdef SPTI_BAGS
#define SPTI_SPAN_X(v) ((v) & 0xFFFFU)
#define SPTI_SPAN_Y(v) ((v) >> 16)

static void spti_span_of(const spti_cells *c, spti_span *span)
{
    span->min = c->x0 | c->y0 << 16;
    span->max = c->x1 | c->y1 << 16;
}
#endif
#endif

#ifndef SPATIAL_NO_MORTON
/* ============================================================================================== */
/* MORTON                                                                                >>morton

   Levels count from the root, 0, down to the finest, `levels`. Two numberings of the nodes:

     by level     level l begins at (4^l - 1)/3 = 0, 1, 5, 21, 85 ...: in binary 0, 1, 101, 10101,
                  1010101, which is the low 2l bits of 0101...01. Heads of lists stand in this
                  order.
     by preorder  a node before its children, children in Morton order: sorted by this rank, every
                  subtree is one run. Let Z be the code of a node's first finest cell, with base-4
                  digits q1 q2 ...; on the way down, entering child q of a node passes the node
                  itself and q subtrees of (4^k - 1)/3 nodes, so the rank is
                      level + sum of q * (4^k - 1)/3 = level + (4 Z - sum of the digits of Z)/3
                  (the same sum by which Legendre counts the factors 4 in (4Z)!).

   The smallest cell that holds two finest cells: the bits in which their coordinates differ, from
   the highest down, are what it cannot tell apart; so its level is `levels` less the number of
   bits of (x0 ^ x1) | (y0 ^ y1). */

/* Puts a zero in front of each of the low 16 bits. */
static spt_u32 spti_spread(spt_u32 v)
{
    v &= 0xFFFFUL;                        /* ---- ---- ---- ---- fedc ba98 7654 3210 */
    v = (v | (v << 8)) & 0x00FF00FFUL;    /* ---- ---- fedc ba98 ---- ---- 7654 3210 */
    v = (v | (v << 4)) & 0x0F0F0F0FUL;    /* ---- fedc ---- ba98 ---- 7654 ---- 3210 */
    v = (v | (v << 2)) & 0x33333333UL;    /* --fe --dc --ba --98 --76 --54 --32 --10 */
    return (v | (v << 1)) & 0x55555555UL; /* -f-e -d-c -b-a -9-8 -7-6 -5-4 -3-2 -1-0 */
}

/* Takes every second bit away again. */
static spt_u32 spti_unspread(spt_u32 v)
{
    v &= 0x55555555UL;                    /* -f-e -d-c -b-a -9-8 -7-6 -5-4 -3-2 -1-0 */
    v = (v | (v >> 1)) & 0x33333333UL;    /* --fe --dc --ba --98 --76 --54 --32 --10 */
    v = (v | (v >> 2)) & 0x0F0F0F0FUL;    /* ---- fedc ---- ba98 ---- 7654 ---- 3210 */
    v = (v | (v >> 4)) & 0x00FF00FFUL;    /* ---- ---- fedc ba98 ---- ---- 7654 3210 */
    return (v | (v >> 8)) & 0xFFFFUL;     /* ---- ---- ---- ---- fedc ba98 7654 3210 */
}

SPTI_API spt_u32 spt_morton_interleave(spt_u32 x, spt_u32 y)
{
    return spti_spread(x) | (spti_spread(y) << 1);
}

SPTI_API void spt_morton_deinterleave(spt_u32 code, spt_u32 *x, spt_u32 *y)
{
    *x = spti_unspread(code);
    *y = spti_unspread(code >> 1);
}

SPTI_API int spt_morton_cell(spt_u32 x0, spt_u32 y0, spt_u32 x1, spt_u32 y1, int levels,
                             spt_u32 *code)
{
    int up = spti_bits((x0 ^ x1) | (y0 ^ y1));
    *code = spt_morton_interleave(x0 >> up, y0 >> up);
    return levels - up;
}

SPTI_API spt_u32 spt_morton_node(int level, spt_u32 code)
{
    return (0x55555555UL & (((spt_u32)1 << (2 * level)) - 1)) + code;
}

SPTI_API int spt_morton_level(spt_u32 node, spt_u32 *code)
{
    int level = (spti_bits(3 * node + 1) - 1) / 2; /* 3 * node + 1 is 4^level + 3 * code */
    *code = node - spt_morton_node(level, (spt_u32)0);
    return level;
}

SPTI_API spt_u32 spt_morton_parent(spt_u32 node)
{
    return (node - 1) / 4;
}

SPTI_API spt_u32 spt_morton_child(spt_u32 node, int quadrant)
{
    return 4 * node + 1 + (spt_u32)quadrant;
}

SPTI_API spt_u32 spt_morton_rank(int level, spt_u32 code, int levels)
{
    spt_u32 z = code << (2 * (levels - level));
    spt_u32 digits = (z & 0x33333333UL) + ((z >> 2) & 0x33333333UL); /* sums of 2 digits */
    digits = (digits & 0x0F0F0F0FUL) + ((digits >> 4) & 0x0F0F0F0FUL); /* of 4 */
    digits += digits >> 8;
    digits = (digits + (digits >> 16)) & 0xFFUL;
    return (spt_u32)level + ((4 * z - digits) & 0xFFFFFFFFUL) / 3;
}

SPTI_API spt_u32 spt_morton_nodes(int levels)
{
    return spt_morton_node(levels, (spt_u32)0) + ((spt_u32)1 << (2 * levels));
}

/* min + (max - min) * i / 2^level */
static spt_coord spti_part(spt_coord min, spt_coord max, spt_u32 i, int level)
{
#ifdef SPATIAL_INT
    spt_u32 extent = SPTI_DIST(max, min), low = ((spt_u32)1 << level) - 1;
    return (spt_coord)((spt_u32)min + (extent >> level) * i + (((extent & low) * i) >> level));
#else
    return min + (max - min) / (spt_coord)((spt_u32)1 << level) * (spt_coord)i;
#endif
}

SPTI_API void spt_morton_box(int level, spt_u32 code, const spt_box *bounds, spt_box *out)
{
    spt_box b;
    spt_u32 x, y;
    b = *bounds; /* out may be the same */
    spt_morton_deinterleave(code, &x, &y);
    out->min_x = spti_part(b.min_x, b.max_x, x, level);
    out->min_y = spti_part(b.min_y, b.max_y, y, level);
    out->max_x = spti_part(b.min_x, b.max_x, x + 1, level);
    out->max_y = spti_part(b.min_y, b.max_y, y + 1, level);
}
#endif

#ifdef SPTI_SAMPLES
/* ============================================================================================== */
/* SORTING AND SAMPLING                                                                       >>sort

   Where cells should lie is decided by a sample of the boxes: what most of it covers, and a margin.
   Boxes that stand still are sorted by one number each. */

#define SPTI_SOON 64   /* boxes between the one that is read and the one that is prefetched */
#define SPTI_SAMPLE 64 /* at most so many boxes decide on the cells */

/* Sorts m numbers. By insertion: there are at most 2 * SPTI_SAMPLE of them. */
static void spti_sort_sample(spt_coord *v, spt_i32 m)
{
    spt_i32 i, j;
    for (i = 1; i < m; i++) {
        spt_coord x = v[i];
        for (j = i; j > 0 && v[j - 1] > x; j--) v[j] = v[j - 1];
        v[j] = x;
    }
}

/* d + margin, or limit if that is less; d <= limit. */
static spti_dist spti_widen(spti_dist d, spti_dist margin, spti_dist limit)
{
    return margin < limit - d ? d + margin : limit;
}

/* Where cells should lie along one axis, for m sampled boxes with these edges: returns the extent
   and sets *origin. It is what the sample covers and a margin, but on either side at most twice
   the distance between the outer eighths: what lies further out is an outlier. */
static spti_dist spti_extent(spt_coord *min, spt_coord *max, spt_i32 m, spt_coord *origin)
{
    spt_coord low, high;
    spti_stored span, down, up, most, reach;
#ifndef SPATIAL_INT
    const spt_coord limit = SPTI_COORD_MAX / 16; /* so that all distances are finite */
    spt_i32 i;
    for (i = 0; i < m; i++) {
        min[i] = min[i] < -limit ? -limit : min[i] > limit ? limit : min[i];
        max[i] = max[i] < -limit ? -limit : max[i] > limit ? limit : max[i];
    }
#endif
    spti_sort_sample(min, m);
    spti_sort_sample(max, m);
    low = min[m / 8];
    high = max[m - 1 - m / 8];
    span = SPTI_DIST(high, low);
    reach = span < span + span ? span + span : span; /* integers may be too large to be doubled */
    most = SPTI_DIST(low, spti_lowest());
    if (reach < most) most = reach;
    down = SPTI_DIST(low, min[0]);
    down = spti_widen(down < most ? down : most, span / 8, most);
    most = SPTI_DIST(spti_highest(), high);
    if (reach < most) most = reach;
    up = SPTI_DIST(max[m - 1], high);
    up = spti_widen(up < most ? up : most, span / 8, most);
    *origin = (spt_coord)((spti_dist)low - down);
    return span + down + up;
}

/* How many of n boxes are looked at: few of few, for it costs as much as sorting hundreds. */
static spt_i32 spti_samples(spt_i32 n)
{
    spt_i32 m = n / 16;
    if (m < 8) m = n < 8 ? n : 8;
    return m < SPTI_SAMPLE ? m : SPTI_SAMPLE;
}

/* Position of sample k of n boxes: one from each n / samples of them, but not all at the same place
   there, for boxes often come in rows, and then all would be from one column. */
static spt_i32 spti_pick(spt_i32 k, spt_i32 n)
{
    spt_u32 step = (spt_u32)n / (spt_u32)spti_samples(n);
    spt_u32 jitter = (spt_u32)k * (spt_u32)2654435761UL;
    return (spt_i32)((spt_u32)k * step + (step > 1 ? (jitter >> 8) % step : 0));
}

#ifndef SPATIAL_NO_PACKED
/* --- by keys ---------------------------------------------------------------------------------- */

#define SPTI_FEW 128 /* records that are not worth sorting by digits */

typedef struct spti_record { /* what is sorted */
    spt_u32 key;
    spt_i32 index;           /* of the box in the caller's array */
} spti_record;

/* Records are sorted by their keys, and where these are equal, by their indices. There are two
   ways to do it: */

/* In place, without other memory, by Shell's method: for few, or where there is little of anything.
   (D. L. Shell, "A High-Speed Sorting Procedure", 1959; the steps are Knuth's.) */
static void spti_sort_few(spti_record *a, spt_i32 n)
{
    spti_record r;
    spt_i32 step = 1, i, j;
    while (step < n / 3) step = 3 * step + 1;
    for (; step > 0; step /= 3)
        for (i = step; i < n; i++) {
            r = a[i];
            for (j = i; j >= step; j -= step) {
                const spti_record *before = &a[j - step];
                if (before->key < r.key || (before->key == r.key && before->index < r.index)) break;
                a[j] = *before;
            }
            a[j] = r;
        }
}

#if INT_MAX < 2147483647L /* small machines have better uses for their memory */
#define SPTI_COUNT_BITS(bits) 0

static void spti_sort(spti_record *a, spti_record *spare, spt_i32 n, int bits, spt_u32 *counts)
{
    (void)spare, (void)bits, (void)counts;
    spti_sort_few(a, n);
}

#else
/* Bits of a key by which spti_sort sorts at a time: 13 at most, in an even number of passes. */
#define SPTI_COUNT_BITS(bits) ((bits) <= 26 ? ((bits) + 1) / 2 : ((bits) + 3) / 4)

/* Moves n records from a to b, in the order of the `width` bits of their keys from `shift` on,
   equal ones in the order in which they were. */
static void spti_sort_pass(const spti_record *a, spti_record *b, spt_i32 n, int shift, int width,
                           spt_u32 *counts)
{
    spt_u32 mask = ((spt_u32)1 << width) - 1, sum = 0, d;
    spt_i32 i;
    for (d = 0; d <= mask; d++) counts[d] = 0;
    for (i = 0; i < n; i++) counts[(a[i].key >> shift) & mask]++;
    for (d = 0; d <= mask; d++) {
        spt_u32 count = counts[d];
        counts[d] = sum;
        sum += count;
    }
    for (i = 0; i < n; i++) b[counts[(a[i].key >> shift) & mask]++] = a[i];
}

/* Radix sort from the lowest digit, in linear time: n records whose indices ascend, by the low
   `bits` bits of their keys. counts: 2^SPTI_COUNT_BITS(bits) of them. */
static void spti_sort(spti_record *a, spti_record *spare, spt_i32 n, int bits, spt_u32 *counts)
{
    int width = SPTI_COUNT_BITS(bits), shift;
    for (shift = 0; shift < bits; shift += 2 * width) {
        spti_sort_pass(a, spare, n, shift, width, counts);
        spti_sort_pass(spare, a, n, shift + width, width, counts);
    }
}

#endif
#endif
#endif

#ifdef SPTI_SAMPLES
/* ============================================================================================== */
/* KERNEL                                                                                   >>kernel

   Boxes against boxes, eight or four in one step where the processor has vectors. Boxes lie in one
   array for each coordinate. A hit is found without a branch: which of two boxes overlap is what a
   processor cannot guess. */

typedef struct spti_soa { /* boxes as one array a coordinate: what vectors read */
    spt_coord *min_x, *min_y, *max_x, *max_y;
    spt_i32 *id;
} spti_soa;

#ifdef SPTI_V_STEP
#define SPTI_V_TARGET

/* For each of the boxes j, j+1, ... of b, as many as V has lanes: whether it does not overlap the
   box in the four vectors. */
#define SPTI_MISSES(V, b, j)                                                                       \
    V##_OR(V##_OR(V##_ABOVE((b).min_x + (j), max_x), V##_BELOW((b).max_x + (j), min_x)),           \
           V##_OR(V##_ABOVE((b).min_y + (j), max_y), V##_BELOW((b).max_y + (j), min_y)))
#endif

static void spti_soa_put(const spti_soa *s, spt_i32 i, const spt_box *box)
{
    s->min_x[i] = box->min_x, s->min_y[i] = box->min_y;
    s->max_x[i] = box->max_x, s->max_y[i] = box->max_y;
}

static void spti_soa_set(const spti_soa *s, spt_i32 i, const spt_box *box, spt_i32 id)
{
    spti_soa_put(s, i, box);
    s->id[i] = id;
}

#ifndef SPATIAL_NO_PACKED
static void spti_soa_get(const spti_soa *s, spt_i32 i, spt_box *box)
{
    box->min_x = s->min_x[i], box->min_y = s->min_y[i];
    box->max_x = s->max_x[i], box->max_y = s->max_y[i];
}

/* The box around boxes lo .. hi-1. */
static void spti_around(const spti_soa *s, spt_i32 lo, spt_i32 hi, spt_box *box)
{
    spt_coord min_x = s->min_x[lo], min_y = s->min_y[lo];
    spt_coord max_x = s->max_x[lo], max_y = s->max_y[lo];
    for (lo++; lo < hi; lo++) { /* ?: compiles to minimum and maximum without a branch */
        min_x = s->min_x[lo] < min_x ? s->min_x[lo] : min_x;
        min_y = s->min_y[lo] < min_y ? s->min_y[lo] : min_y;
        max_x = s->max_x[lo] > max_x ? s->max_x[lo] : max_x;
        max_y = s->max_y[lo] > max_y ? s->max_y[lo] : max_y;
    }
    box->min_x = min_x, box->min_y = min_y;
    box->max_x = max_x, box->max_y = max_y;
}
#endif

#ifndef SPATIAL_NO_BROADPHASE
/* The kernel may read, or write as hits, so many past the last. */
#ifdef SPTI_V_STEP
#define SPTI_PAD 8
#else
#define SPTI_PAD 0
#endif

/* Bits of an id that tell how a box came into a cell: it begins before it. Two boxes that have one
   in common are no pair there. The other bits are the id. */
#define SPTI_BEFORE_X ((spt_i32)0x40000000L)
#define SPTI_BEFORE_Y ((spt_i32)0x20000000L)
#define SPTI_ID ((spt_i32)0x1FFFFFFFL)
#define SPTI_PADDING (-SPTI_I32_MAX - 1) /* no box at all */

typedef unsigned short spti_u16; /* 16 bits or more */

typedef struct spti_sweep { /* boxes in order, each to be tested against some of those behind it */
    const spti_soa *soa;
    const spt_u32 *spans;        /* of each: number of a first place and, << 16, of a last */
    const spt_i32 *starts;       /* by number: the first to test; NULL: the next box */
    const spt_i32 *stops;        /* by number: behind the last to test */
    spt_i32 lo, hi;              /* boxes that are to be tested; lo moves on */
    spt_i32 tests, limit;        /* adds up tests, and stops when there are more */
} spti_sweep;

#ifdef SPTI_V_STEP
/* For each set of four boxes: how many they are, and which. */
static const unsigned char spti_ones[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
static const spt_i32 spti_which[16][4] = {
    {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0},
    {1, 2, 0, 0}, {0, 1, 2, 0}, {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0},
    {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};

/* Writes first + k for each box k that is in `found`, and what it likes behind that: a branch for
   each would be guessed wrong too often. */
#define SPTI_V_COUNT(found) spti_ones[found]
#define SPTI_V_PUT(hits, found, first)                                                             \
    SPTI_V_INTS_STORE(hits, SPTI_V_INTS_ADD(first, SPTI_V_INTS_LOAD(spti_which[found])))

#ifdef SPTI_HAS_W
/* The same for each set of eight: which they are, four bits for each, the first in the lowest. */
#define SPTI_W_BIT(set, k) ((spt_u32)(set) >> (k)&1)
#define SPTI_W_ADD(set, k, rest) ((rest) * (1 + 15 * SPTI_W_BIT(set, k)) + (k)*SPTI_W_BIT(set, k))
#define SPTI_W_SET(s)                                                                              \
    SPTI_W_ADD(s, 0, SPTI_W_ADD(s, 1, SPTI_W_ADD(s, 2, SPTI_W_ADD(s, 3, SPTI_W_ADD(s, 4,           \
               SPTI_W_ADD(s, 5, SPTI_W_ADD(s, 6, SPTI_W_ADD(s, 7, (spt_u32)0))))))))
#define SPTI_W_SETS4(s)                                                                            \
    SPTI_W_SET(s), SPTI_W_SET((s) + 1), SPTI_W_SET((s) + 2), SPTI_W_SET((s) + 3)
#define SPTI_W_SETS16(s)                                                                           \
    SPTI_W_SETS4(s), SPTI_W_SETS4((s) + 4), SPTI_W_SETS4((s) + 8), SPTI_W_SETS4((s) + 12)
#define SPTI_W_SETS64(s)                                                                           \
    SPTI_W_SETS16(s), SPTI_W_SETS16((s) + 16), SPTI_W_SETS16((s) + 32), SPTI_W_SETS16((s) + 48)
static const spt_u32 spti_which8[256] = {SPTI_W_SETS64(0), SPTI_W_SETS64(64), SPTI_W_SETS64(128),
                                         SPTI_W_SETS64(192)};

#define SPTI_W_COUNT(found) (unsigned)_mm_popcnt_u32(found)
#define SPTI_W_PUT(hits, found, first)                                                             \
    SPTI_W_INTS_STORE(                                                                             \
        hits, SPTI_W_INTS_ADD(first, _mm256_and_si256(_mm256_srlv_epi32(                           \
                                                          _mm256_set1_epi32(                       \
                                                              (int)spti_which8[found]),            \
                                                          _mm256_setr_epi32(0, 4, 8, 12, 16, 20,   \
                                                                            24, 28)),              \
                                                      _mm256_set1_epi32(15))))
#endif

/* A bit for each of the boxes j, j+1 ... of b, a step of them, that overlaps the box and has none
   of the bits of `before`. */
#define SPTI_FREE(V, b, j) V##_INTS_DISJOINT(V##_INTS_LOAD((b).id + (j)), before)
#ifdef SPATIAL_DOUBLE
#define SPTI_FOUND(V, b, j)                                                                        \
    ((unsigned)V##_INTS_BITS(SPTI_FREE(V, b, j)) &                                                 \
     ~((unsigned)V##_BITS(SPTI_MISSES(V, b, j)) |                                                  \
       (unsigned)V##_BITS(SPTI_MISSES(V, b, (j) + V##_LANES)) << V##_LANES))
#else
#define SPTI_FOUND(V, b, j)                                                                        \
    ((unsigned)V##_BITS(V##_BUT(SPTI_FREE(V, b, j), SPTI_MISSES(V, b, j))))
#endif

/* The kernel; see spti_sweep_hits. Behind what is to be tested is padding. */
#define SPTI_SWEEP(name, target, V, VEC, INTS)                                                     \
    target static spt_i32 name(spti_sweep *s, spt_i32 *hits)                                       \
    {                                                                                              \
        const spti_soa b = *s->soa;                                                                \
        const spt_u32 *spans = s->spans;                                                           \
        const spt_i32 *starts = s->starts, *stops = s->stops, limit = s->limit;                    \
        const size_t hi = (size_t)s->hi;                                                           \
        const INTS step = V##_INTS_SPLAT(V##_STEP), next = V##_INTS_SPLAT(0x10001);                \
        INTS i_and_next = V##_INTS_SPLAT(s->lo << 16 | (s->lo + 1)), first;                        \
        size_t n = 0, i = (size_t)s->lo, j, to;                                                    \
        spt_i32 tests = s->tests;                                                                  \
        for (; i < hi && tests <= limit; i++) {                                                    \
            const VEC min_x = V##_SPLAT(b.min_x[i]), min_y = V##_SPLAT(b.min_y[i]);                \
            const VEC max_x = V##_SPLAT(b.max_x[i]), max_y = V##_SPLAT(b.max_y[i]);                \
            const INTS before = V##_INTS_SPLAT((b.id[i] & ~SPTI_ID) | SPTI_PADDING);               \
            j = i + 1;                                                                             \
            first = i_and_next;                                                                    \
            if (starts) {                                                                          \
                j = (size_t)starts[spans[i] & 0xFFFF];                                             \
                first = V##_INTS_SPLAT((spt_i32)(i << 16 | j));                                    \
            }                                                                                      \
            i_and_next = V##_INTS_ADD(i_and_next, next);                                           \
            to = (size_t)stops[spans[i] >> 16];                                                    \
            if (j < to) tests += (spt_i32)(to - j);                                                \
            for (; j < to; j += V##_STEP) {                                                        \
                const unsigned found = SPTI_FOUND(V, b, j);                                        \
                V##_PUT(hits + n, found, first);                                                   \
                n += V##_COUNT(found);                                                             \
                first = V##_INTS_ADD(first, step);                                                 \
            }                                                                                      \
        }                                                                                          \
        s->lo = (spt_i32)i;                                                                        \
        s->tests = tests;                                                                          \
        return (spt_i32)n;                                                                         \
    }

SPTI_SWEEP(spti_sweep_v, SPTI_V_TARGET, SPTI_V, spti_v, spti_v_ints)
#ifdef SPTI_HAS_W
SPTI_SWEEP(spti_sweep_w, SPTI_W_TARGET, SPTI_W, spti_w, spti_w_ints)
#endif

#else
static spt_i32 spti_sweep_c(spti_sweep *s, spt_i32 *hits)
{
    const spti_soa *b = s->soa;
    spt_i32 n = 0, i = s->lo, j, to;
    for (; i < s->hi && s->tests <= s->limit; i++) {
        const spt_coord min_x = b->min_x[i], min_y = b->min_y[i];
        const spt_coord max_x = b->max_x[i], max_y = b->max_y[i];
        const spt_i32 before = b->id[i] & ~SPTI_ID;
        j = s->starts ? s->starts[s->spans[i] & 0xFFFFUL] : i + 1;
        to = s->stops[s->spans[i] >> 16];
        if (j < to) s->tests += to - j;
        for (; j < to; j++) {
            hits[n] = (i << 16) + j;
            if (b->id[j] & before) continue;
            n += ((b->min_x[j] <= max_x) & (min_x <= b->max_x[j]) & (b->min_y[j] <= max_y) &
                  (min_y <= b->max_y[j]))
                     ? 1
                     : 0;
        }
    }
    s->lo = i;
    return n;
}
#endif

/* Tests boxes from s->lo on till there are enough tests, and returns how many hits, which are not
   more. A hit is i << 16 | j. All tests for pairs go through here, and here is chosen what the
   processor has. The hits and their order do not depend on that. */
static spt_i32 spti_sweep_hits(spti_sweep *s, spt_i32 *hits)
{
#ifdef SPTI_HAS_W
    if (SPTI_HAS_W) return spti_sweep_w(s, hits);
#endif
#ifdef SPTI_V_STEP
    return spti_sweep_v(s, hits);
#else
    return spti_sweep_c(s, hits);
#endif
}

/* Room for n boxes; see spti_piece. */
static void spti_soa_piece(spti_soa *s, unsigned char *block, size_t *used, spt_i32 n)
{
    spt_u32 count = n > 0 ? (spt_u32)n + SPTI_PAD : 0;
    s->min_x = (spt_coord *)spti_piece(block, used, count, sizeof(spt_coord));
    s->min_y = (spt_coord *)spti_piece(block, used, count, sizeof(spt_coord));
    s->max_x = (spt_coord *)spti_piece(block, used, count, sizeof(spt_coord));
    s->max_y = (spt_coord *)spti_piece(block, used, count, sizeof(spt_coord));
    s->id = (spt_i32 *)spti_piece(block, used, count, sizeof(spt_i32));
}
#endif
#endif

#ifdef SPTI_TABLE
/* ============================================================================================== */
/* TABLE                                                                                     >>table

   Elements by id: a box each, and where its structure keeps it. What is absent has a box that
   overlaps nothing.

       boxes     | box 0 | box 1 | ...          16 bytes each
       elements  | list, links or slot | ...    12 bytes each, behind the boxes

   The verbs that follow from the table alone are here, too. */

/* What stands in a table of elements where there is none: it overlaps nothing and is not valid. */
static void spti_box_clear(spt_box *box)
{
    box->min_x = box->min_y = 1;
    box->max_x = box->max_y = 0;
}

/* a + b, for sums of such sizes; 0 if that is too much. */
static size_t spti_total(size_t a, size_t b)
{
    return b < SPTI_SIZE_MAX - a ? a + b : 0;
}

#define SPTI_TABLE_BYTES (sizeof(spt_box) + sizeof(spti_element)) /* an id */

static size_t spti_table_bytes(spt_i32 size)
{
    return spti_bytes((spt_u32)size, SPTI_TABLE_BYTES);
}

static void spti_table_clear(spti_table *table, spt_i32 from)
{
    spt_i32 i;
    for (i = from; i < table->size; i++)
        spti_box_clear(&table->boxes[i]), table->elements[i].list = SPT_NONE;
}

/* Makes room for ids below size, at least twice as many. On SPT_ERR_MEMORY the table is as it
   was. */
static int spti_table_grow(spti_table *table, const spt_allocator *allocator, spt_i32 size)
{
    size_t bytes = spti_table_bytes(size), old_bytes = spti_table_bytes(table->size);
    spt_i32 old_size = table->size;
    void *block = bytes ? spti_resize(allocator, table->boxes, old_bytes, bytes) : NULL;

    if (!block) return SPT_ERR_MEMORY;
    table->boxes = (spt_box *)block;
    table->elements = (spti_element *)(void *)(table->boxes + size);
    if (old_size > 0) /* they make room for the boxes, and do not come to lie on themselves */
        spti_copy(table->elements, table->boxes + old_size,
                  (size_t)old_size * sizeof(spti_element));
    table->size = size;
    spti_table_clear(table, old_size);
    return SPT_OK;
}

static int spti_table_has(const spti_table *table, spt_i32 id)
{
    return id >= 0 && id < table->size && table->elements[id].list != SPT_NONE;
}

/* Tests what insert is given. Sets *size to the size that the table has to have for it. */
static int spti_table_may_insert(const spti_table *table, spt_i32 id, const spt_box *box,
                                 int fixed, spt_i32 *size)
{
    *size = table->size;
    if (!spt_box_valid(box)) return SPT_ERR_ARGUMENT;
    if (id < 0 || spti_table_has(table, id)) return SPT_ERR_ID;
    if (id < table->size) return SPT_OK;
    if (fixed) return SPT_ERR_FULL;
    if (id > SPTI_I32_MAX / 2) return SPT_ERR_MEMORY;
    *size = id < 2 * table->size ? 2 * table->size : id + 1;
    return SPT_OK;
}

static int spti_table_may_move(const spti_table *table, spt_i32 id, const spt_box *box)
{
    if (!spt_box_valid(box)) return SPT_ERR_ARGUMENT;
    return spti_table_has(table, id) ? SPT_OK : SPT_ERR_ID;
}

/* What remains of an element that was taken from its list. */
static void spti_table_remove(spti_table *table, spt_i32 id)
{
    spti_box_clear(&table->boxes[id]);
    table->elements[id].list = SPT_NONE;
    table->count--;
}

/* 1 if what is absent looks absent and the others are as many as they should be. */
static int spti_table_check(const spti_table *table)
{
    spt_i32 present = 0, i;
    for (i = 0; i < table->size; i++) {
        if (spti_table_has(table, i) != spt_box_valid(&table->boxes[i])) return 0;
        present += spti_table_has(table, i);
    }
    return present == table->count;
}

#if !defined(SPATIAL_NO_LINEAR) || !defined(SPATIAL_NO_LOOSEGRID)
/* Puts element id at the front of the list of this head, whose number is `list`. */
static void spti_link(spti_element *elements, spt_i32 *head, spt_i32 id, spt_i32 list)
{
    spti_links *at = &elements[id].at.links;
    at->next = *head >= 0 ? *head : SPT_NONE;
    at->prev = SPT_NONE;
    elements[id].list = list;
    if (at->next >= 0) elements[at->next].at.links.prev = id;
    *head = id;
}

/* Takes element id out of the list of this head; returns 1 if that is now empty. */
static int spti_unlink(spti_element *elements, spt_i32 *head, spt_i32 id)
{
    const spti_links *at = &elements[id].at.links;
    if (at->next >= 0) elements[at->next].at.links.prev = at->prev;
    if (at->prev >= 0)
        elements[at->prev].at.links.next = at->next;
    else
        *head = at->next;
    return at->next < 0 && at->prev < 0;
}
#endif

/* Who moves many knows what comes: so many moves ahead, elements and boxes are asked for; and so
   many, what the elements lead to. */
#ifdef SPTI_CAN_PREFETCH
#define SPTI_MOVES_AHEAD 32
#define SPTI_MOVES_NEAR 12

/* Asks for an element, its box and its new box. */
static void spti_move_ahead(const spti_table *table, spt_i32 id, const spt_box *boxes)
{
    if ((spt_u32)id >= (spt_u32)table->size) return;
    SPTI_PREFETCH(&table->elements[id]);
    SPTI_PREFETCH(&table->boxes[id]);
    SPTI_PREFETCH(&boxes[id]);
}
#define SPTI_MOVE_AHEAD(table, id, boxes) spti_move_ahead(table, id, boxes)

#if !defined(SPATIAL_NO_LINEAR) || !defined(SPATIAL_NO_QUADTREE)
static void spti_no_ahead(const void *x, spt_i32 id)
{
    (void)x, (void)id;
}
#endif
#define SPTI_AHEAD(ahead, x, id) ahead(x, id)

/* What comes in the order of the ids, the processor guesses by itself. */
#define SPTI_IN_A_ROW(id, later) ((spt_u32)(later) - (spt_u32)(id) == SPTI_MOVES_AHEAD)
#else
#define SPTI_MOVES_AHEAD 0
#define SPTI_IN_A_ROW(id, later) 1
#define SPTI_MOVES_NEAR 0
#define SPTI_MOVE_AHEAD(table, id, boxes) ((void)0)
#define SPTI_AHEAD(ahead, x, id) ((void)0)
#endif

/* The verbs that are the same for every structure that has a table: they follow from that, from
   spti_X_change, which gives an element that is there a valid box, and from `ahead`, a function
   that asks for what an element that is to be moved leads to. */
#define SPTI_VERBS(X, ahead)                                                                       \
    SPTI_API int spt_##X##_contains(const spt_##X *x, spt_i32 id)                                  \
    {                                                                                              \
        return spti_table_has(&x->table, id);                                                      \
    }                                                                                              \
    SPTI_API const spt_box *spt_##X##_box(const spt_##X *x, spt_i32 id)                            \
    {                                                                                              \
        return spti_table_has(&x->table, id) ? &x->table.boxes[id] : NULL;                         \
    }                                                                                              \
    SPTI_API spt_i32 spt_##X##_count(const spt_##X *x) { return x->table.count; }                  \
    SPTI_API int spt_##X##_move(spt_##X *x, spt_i32 id, const spt_box *box)                        \
    {                                                                                              \
        int error = spti_table_may_move(&x->table, id, box);                                       \
        if (error) return error;                                                                   \
        SPTI_AHEAD(ahead, x, id + SPTI_MOVES_NEAR); /* perhaps they come in order */               \
        return spti_##X##_change(x, id, box);                                                      \
    }                                                                                              \
    SPTI_API spt_i32 spt_##X##_move_many(spt_##X *x, const spt_i32 *ids, const spt_box *boxes,     \
                                         spt_i32 n)                                                \
    {                                                                                              \
        spt_i32 k;                                                                                 \
        int error;                                                                                 \
        if (n < 0) return SPT_ERR_ARGUMENT;                                                        \
        for (k = 0; k < SPTI_MOVES_AHEAD && k < n; k++) SPTI_MOVE_AHEAD(&x->table, ids[k], boxes); \
        for (k = 0; k < n; k++) {                                                                  \
            spt_i32 id = ids[k], left = n - k;                                                     \
            if (left > SPTI_MOVES_AHEAD && !SPTI_IN_A_ROW(id, ids[k + SPTI_MOVES_AHEAD]))          \
                SPTI_MOVE_AHEAD(&x->table, ids[k + SPTI_MOVES_AHEAD], boxes);                      \
            if (left > SPTI_MOVES_NEAR) SPTI_AHEAD(ahead, x, ids[k + SPTI_MOVES_NEAR]);            \
            error = spti_table_has(&x->table, id) ? SPT_OK : SPT_ERR_ID;                           \
            if (!error && !spt_box_valid(&boxes[id])) error = SPT_ERR_ARGUMENT;                    \
            if (!error) error = spti_##X##_change(x, id, &boxes[id]);                              \
            if (error) return k > 0 ? k : error;                                                   \
        }                                                                                          \
        return n;                                                                                  \
    }
#endif

#ifdef SPTI_BAGS
/* ============================================================================================== */
/* QUERY                                                                                     >>query

   A window, and what is told of the elements that overlap it. */

typedef struct spti_window { /* a query */
    const spt_box *boxes; /* of the elements */
    const spt_box *box;
    spt_visit_fn fn; /* is told of what overlaps the box, */
    void *ctx;
    spt_intlist *out; /* if that is not appended to this */
} spti_window;

static void spti_window_init(spti_window *w, const spti_table *table, const spt_box *box,
                             spt_visit_fn fn, void *ctx, spt_intlist *out)
{
    w->boxes = table->boxes;
    w->box = box;
    w->fn = fn;
    w->ctx = ctx;
    w->out = out;
}

/* Tells of n elements. A whole block can be read where their ids are. */
static int spti_window_tell(const spti_window *w, const spt_i32 *ids, spt_i32 n)
{
    spt_intlist *out = w->out;
    spt_i32 *to, k;
    int stop = 0;
    if (!out) {
        for (k = 0; k < n && !stop; k++) stop = w->fn(w->ctx, ids[k], &w->boxes[ids[k]]);
        return stop;
    }
    to = spti_list_room(out, n);
    if (!to) return SPT_ERR_MEMORY;
    if (out->capacity - out->count >= SPTI_BLOCK)
        for (k = 0; k < SPTI_BLOCK; k++) to[k] = ids[k]; /* always as many: no branch */
    else
        for (k = 0; k < n; k++) to[k] = ids[k];
    out->count += n;
    return 0;
}
#endif

#ifndef SPATIAL_NO_BROADPHASE
/* ============================================================================================== */
/* BROADPHASE                                                                        >>broadphase

   The plane is divided into cells, a complete quadtree of them (a level at which only one axis is
   halved has two children a cell). A box belongs to the smallest cell that holds it. Sorted by the
   preorder rank of that cell, every subtree is one run of the entries, and the tree is walked depth
   first without ever being built:

       rank      0       1       2   3   4   5       6   7  ...
       entries   [ own | [ own | 0 | 1 | 2 | 3 ] | [ own | 0 ...
       stack     what reaches into the current cell from outside | the same for its child | ...

   Going down, the collision stack is filtered: a child gets what its parent got, and the parent's
   own boxes, as far as they reach into it. A cell with few boxes in all, or a finest cell, is a
   leaf; only there are boxes tested. A leaf has all boxes that reach into it, so that two may meet
   in several; they are a pair in the one that holds the corner (max of the min_x, max of the min_y)
   of their overlap. An entry therefore has two bits, BEFORE_X and BEFORE_Y: it begins before this
   cell along that axis. Two that have a bit in common are not tested: one AND.

   A leaf is swept: its boxes are put in order by stripes, and in each stripe by buckets along it,
   in one counting pass within the cache. Then each is tested against the next ones, eight in one
   step, as far as the bucket of its far edge. What reaches into several stripes stands in each,
   with the bit for "before" from the second on, so stripes need no other rule than cells do.

       stripe 1  | a | b   b | c ...     each: the axis with fewer tests, by a sample; as many
       stripe 0  | d   d | e |   ...     stripes as leave about SPTI_STAB boxes to be tested

   A leaf that needs too many tests for its pairs, or has too many boxes, gets cells of its own,
   from a sample of its own: crowds, rows, boxes of all sizes. What these do not divide is scanned,
   in n log^2 n + pairs steps whatever it is: see spti_leaf_scan.

   Cost: bench/notes.md has what each part takes and what was tried.

   Sources: I. Gargantini, "An effective way to represent quadtrees", 1982. J.-P. Dittrich, B.
   Seeger, "Data redundancy and duplicate detection in spatial join processing", ICDE 2000 (the
   corner). D. Tsitsigkos, P. Bouros, N. Mamoulis, M. Terrovitis, "Parallel in-memory evaluation of
   spatial joins", SIGSPATIAL 2019 (stripes swept forward); with K. Lampropoulos, "A two-layer
   partitioning for non-point spatial data", ICDE 2021 (the bits). */

#ifndef SPTI_GROWS
#define SPTI_LEAF 64    /* boxes of a leaf, at most: machines without large caches */
#define SPTI_LEAF_LEAST 64 /* but among few boxes, not more than a quarter of them, or this */
#define SPTI_CELL 16    /* boxes of a finest cell, on average */
#define SPTI_PARTS 16   /* at most */
#else
#define SPTI_LEAF 4096
#define SPTI_LEAF_LEAST 1024
#define SPTI_CELL 256
#define SPTI_PARTS 256
#endif
#define SPTI_BITS 12    /* at most 2^12 finest cells, so that a rank has 13 bits, */
#define SPTI_LEAF_BITS 4 /* and 2^4 within a leaf */
#define SPTI_TREES 4    /* at a time, and one for each doubling of the number of boxes */
#define SPTI_GROWTH 8   /* refs in all trees within a leaf of the first, for each box there */
#define SPTI_CUTS 4     /* as often the cells of a tree may cut a box on average; the first's, 1 */
#define SPTI_SMALL 64   /* so few boxes are tested, whatever it takes */
#define SPTI_BRUTE 24   /* so few are not put in order */
#define SPTI_STAB 4     /* boxes of a stripe that begin before one of them ends */
#define SPTI_BUDGET 24  /* tests a box that a leaf may take, and 8 more a pair; */
#define SPTI_LAST_BUDGET 64 /* if nothing divides it */
#define SPTI_GAP 0xFFFFU /* rank of what is no box */
#define SPTI_CROWDED 1  /* neither done nor an error: the leaf takes too many tests */

SPTI_STATIC_ASSERT(hit_has_two_positions, SPTI_LEAF * 2 < 65536L);

#define SPTI_LESS(a, b) ((a) < (b) ? (a) : (b))

/* Order of the ids in a pair. */
#define SPTI_ASCENDING 0
#define SPTI_AS_FOUND 1
#define SPTI_REVERSED 2

typedef struct spti_boxes { /* what the caller gave */
    const spt_box *first;
    size_t stride;          /* bytes from box to box: they may be parts of larger structs */
    spt_i32 n;
    int gaps;               /* 1: pass over boxes that are not valid; 0: they are an error */
} spti_boxes;

typedef struct spti_entry { /* 20 bytes; 40 with double */
    spt_box box;
    spt_i32 id;             /* index in the caller's array */
} spti_entry;

typedef struct spti_range { /* entries lo .. hi-1, or those to which refs lo .. hi-1 refer */
    const spt_i32 *refs;    /* indices of entries, and SPTI_BEFORE_...; NULL: the entries */
    spt_i32 lo, hi;
} spti_range;

static spt_i32 spti_range_size(const spti_range *r)
{
    return r->hi - r->lo;
}

typedef struct spti_tree { /* cells, and where the entries of each are */
    spti_map map;
    spt_box cells;         /* what the cells divide; those at the border reach on without end */
    int bits[2];           /* 2^bits[0] by 2^bits[1] finest cells */
    int levels;            /* of cells below the root: the larger of the two */
    spt_i32 total;         /* entries, or refs */
    const spt_i32 *refs;   /* that it divides; NULL: the entries */
    spt_i32 *starts[2];    /* by set and rank: the first entry; one more for the end */
    const spt_i32 *counts[2]; /* the same with all entries, where only a part is loaded */
    spti_u16 nodes[SPTI_BITS + 1]; /* cells of a subtree, by levels below its root */
} spti_tree;

typedef struct spti_frame { /* a cell on the path from the root; index 0 and 1: the sets */
    const spti_tree *tree;
    spt_u32 rank, x, y;     /* x, y: on its level */
    int up;                 /* levels below it */
    int child;              /* the next to walk */
    int listed;             /* 1: list has all from outside that reaches into it */
    spti_range list[2];     /* on the collision stack, */
    spt_i32 top;            /* which goes on here */
} spti_frame;

typedef struct spti_place { /* of a box in a leaf */
    spt_u32 span;           /* its bucket, and << 16, that of its far edge in the same stripe */
    spt_u32 more;           /* further stripes that it reaches into */
} spti_place;

typedef struct spti_stripes { /* how the boxes of a leaf are put in order */
    spti_map map;          /* to buckets along, to stripes across */
    int along, across;     /* axes: 0 and 1, or 1 and 0 */
    spt_coord origin[2];   /* of what is divided, by axis */
    spti_dist extent[2];
    int bits[2];           /* of buckets in a stripe, of stripes */
    spt_u32 cost;
} spti_stripes;

typedef struct spti_task { /* of spti_leaf_scan: refs on the stack */
    spt_i32 spans, spans_end, starts, starts_end;
    int axis;
    int halve;             /* 1: no span has all starts, so: halve the starts */
    int all;               /* 1: every span has all starts */
} spti_task;

typedef struct spti_walk {
    spti_entry *entries;    /* by rank */
    spt_i32 *stack;         /* the collision stack: refs */
    spt_i32 end, full;      /* of it: for lists, and for all that is in a leaf */
    spti_tree *trees;
    int tree, most_trees;   /* the innermost */
    spt_i32 growth;         /* refs that further trees within a leaf of the first may have */
    spti_frame *frames;
    int depth;              /* of the current cell: frames[depth] */
    spti_range *sources;    /* see spti_sources */
    spti_u16 *ranks[2];     /* by axis and finest cell: what it adds to a rank */
    spt_i32 *next;          /* by rank: where the next entry goes */
    spt_i32 leaf;           /* boxes that a leaf can have, */
    spt_i32 room;           /* and with those that stand in several stripes */
    spti_stripes *stripes;  /* of the current leaf */
    spti_soa soa;           /* a leaf in order */
    spt_u32 *spans;
    spti_place *places;
    spt_i32 *stops[2];      /* by set and bucket: where the boxes before it end */
    spt_i32 *hits;
    spt_i32 hits_room;
    int sets;               /* that are tested against each other; 1: against itself */
    int order;              /* of the ids in a pair: SPTI_ASCENDING ... */
    spti_task *tasks;
    int most_tasks;
    spt_intlist *out;
} spti_walk;

static const spt_box *spti_box_at(const spti_boxes *boxes, spt_i32 i)
{
    const unsigned char *first = (const unsigned char *)boxes->first;
    return (const spt_box *)(const void *)(first + (size_t)i * boxes->stride);
}

/* ============================================================================================== */
/* RANKS                                                                                     >>ranks

   How many cells there are along each axis, and the preorder rank of the cell of a box. */

/* Cells 0 .. 2^bits-1; bits may be 0. */
static void spti_axis_divide(spti_axis *axis, spt_coord origin, spti_dist extent, int bits)
{
    spti_axis_init(axis, origin, bits > 0 ? extent : (spti_dist)0, bits > 0 ? bits : 1);
}

/* 1 if cells with so many levels below them, and one, are halved along this axis. */
#define SPTI_HALVED(tree, axis, up) ((up) < (tree)->bits[axis])
#define SPTI_CHILDREN(tree, up) ((1 + SPTI_HALVED(tree, 0, up)) * (1 + SPTI_HALVED(tree, 1, up)))

/* x + d, or the largest coordinate. */
static spt_coord spti_shift(spt_coord x, spti_dist d)
{
    return d > SPTI_DIST(spti_highest(), x) ? spti_highest() : (spt_coord)((spti_dist)x + d);
}

/* Chooses at most 2^bits cells for a sample of m boxes, which it uses up: as many along each axis
   as cut the fewest boxes, and not so many that a box is cut more than `cuts` times. */
static void spti_tree_init(spti_tree *tree, const spti_soa *sample, spt_i32 m, int bits, int cuts)
{
    spti_axis *axes[2];
    spt_coord *min[2], *max[2], origin[2];
    spti_dist extent[2];
    spt_u32 size[2], best;
    spt_i32 k;
    int a, x = 0;
    min[0] = sample->min_x, min[1] = sample->min_y;
    max[0] = sample->max_x, max[1] = sample->max_y;
    axes[0] = &tree->map.x, axes[1] = &tree->map.y;
    for (a = 0; a < 2; a++) {
        origin[a] = 0;
        extent[a] = m > 0 ? spti_extent(min[a], max[a], m, &origin[a]) : 0;
        spti_axis_init(axes[a], origin[a], extent[a], 16);
        size[a] = (spt_u32)m; /* becomes 1 more than the mean, in 65536ths of the extent */
        for (k = 0; k < m; k++)
            size[a] += spti_cell(axes[a], max[a][k]) - spti_cell(axes[a], min[a][k]);
        size[a] = m > 0 && extent[a] > 0 ? size[a] / (spt_u32)m : (spt_u32)1 << 16;
    }
    do {
        best = 0xFFFFFFFFUL;
        for (a = 0; a <= bits; a++) {
            spt_u32 cut = (size[0] << a) + (size[1] << (bits - a));
            if (cut < best) best = cut, x = a;
        }
        tree->bits[0] = x, tree->bits[1] = bits - x;
    } while (best > (spt_u32)cuts << 16 && bits-- > 0);
    tree->levels = tree->bits[tree->bits[0] < tree->bits[1]];
    tree->nodes[0] = 1;
    for (a = 0; a < tree->levels; a++)
        tree->nodes[a + 1] = (spti_u16)(1 + (spt_u32)SPTI_CHILDREN(tree, a) * tree->nodes[a]);
    for (a = 0; a < 2; a++) spti_axis_divide(axes[a], origin[a], extent[a], tree->bits[a]);
    tree->cells.min_x = origin[0], tree->cells.max_x = spti_shift(origin[0], extent[0]);
    tree->cells.min_y = origin[1], tree->cells.max_y = spti_shift(origin[1], extent[1]);
}

/* The rank of a finest cell is the sum of what each bit of its x and its y contributes, and of the
   level: two look-ups give it. */
static void spti_rank_tables(const spti_walk *w, const spti_tree *tree)
{
    spti_u16 *ranks;
    spt_u32 bit, i, child;
    int a, k;
    for (a = 0; a < 2; a++) {
        ranks = w->ranks[a];
        ranks[0] = (spti_u16)(a == 0 ? tree->levels : 0);
        for (k = 0, bit = 1; k < tree->bits[a]; k++, bit <<= 1) {
            child = a == 1 && SPTI_HALVED(tree, 0, k) ? 2 : 1;
            for (i = 0; i < bit; i++)
                ranks[bit + i] = (spti_u16)(ranks[i] + child * tree->nodes[k]);
        }
    }
}

/* Rank of the smallest cell that holds the box: that of its first finest cell, without the bits in
   which the first and the last one differ. */
static spt_u32 spti_rank(const spti_walk *w, const spti_tree *tree, const spt_box *box)
{
    spti_cells c;
    int up;
    spti_cells_of(&tree->map, box, &c);
    up = spti_bits((c.x0 ^ c.x1) | (c.y0 ^ c.y1));
    return (spt_u32)w->ranks[0][c.x0 >> up << up] + w->ranks[1][c.y0 >> up << up] - (spt_u32)up;
}

/* Turns n numbers of things into where they start, the first at `first`; returns the end. */
static spt_i32 spti_starts(spt_i32 *counts, spt_u32 n, spt_i32 first)
{
    spt_i32 *end = counts + n;
    for (; counts < end; counts++) {
        spt_i32 count = *counts;
        *counts = first;
        first += count;
    }
    return first;
}

#ifdef SPTI_GROWS
/* Puts refs lo .. hi-1 of a set in the order of their ranks, in place: each where it belongs,
   and then the one that was there takes its turn. (P. M. McIlroy, K. Bostic, M. D. McIlroy,
   "Engineering Radix Sort", 1993: American flag sort.) */
static void spti_tree_sort(const spti_walk *w, const spti_tree *tree, int s, spt_i32 lo, spt_i32 hi)
{
    const spti_entry *entries = w->entries;
    spt_i32 *starts = tree->starts[s], *next = w->next, *refs = w->stack, i, ref, other;
    spt_u32 ranks = tree->nodes[tree->levels], r, to;
    for (r = 0; r <= ranks; r++) starts[r] = 0;
    for (i = lo; i < hi; i++)
        starts[spti_rank(w, tree, &entries[refs[i] & SPTI_ID].box)]++;
    starts[ranks] = spti_starts(starts, ranks, lo);
    for (r = 0; r < ranks; r++) next[r] = starts[r];
    for (r = 0; r < ranks; r++)
        while (next[r] < starts[r + 1]) {
            ref = refs[next[r]];
            while ((to = spti_rank(w, tree, &entries[ref & SPTI_ID].box)) != r) {
                other = refs[next[to]];
                refs[next[to]++] = ref;
                ref = other;
            }
            refs[next[r]++] = ref;
        }
}
#endif

/* ============================================================================================== */
/* SWEEP                                                                                     >>sweep

   The pairs of a leaf: its boxes in order by stripes and buckets, each tested against the next. */

/* Tries stripes along an axis for n boxes of these mean sizes, in 65536ths of what all cover: so
   many that a line across one meets about SPTI_STAB boxes, and not so many that one in four boxes
   or more stands in two. */
static void spti_stripes_try(spti_stripes *s, spt_u32 n, int axis, spt_u32 along, spt_u32 across,
                             int bits)
{
    spt_u32 stab = n * along >> 16, steps, cost;
    int k = 0;
    while (k < bits - 1 && stab >> k > SPTI_STAB && across << (k + 1) < 0x4000 &&
           (spt_u32)2 << k <= n / 64 + 1)
        k++;
    steps = stab * 32 >> k; /* of 8 tests, in 256ths */
    cost = (256 + (across << k >> 8)) * ((256 + (steps < 256 ? 256 : steps)) >> 4);
    if (axis > 0 && cost >= s->cost) return;
    s->along = axis, s->across = 1 - axis;
    s->bits[0] = bits - k, s->bits[1] = k;
    s->cost = cost;
}

/* Fewer stripes; 0 if there is but one. */
static int spti_stripes_halve(spti_stripes *s)
{
    spti_axis *across = s->across ? &s->map.y : &s->map.x;
    if (s->bits[1] <= 0) return 0;
    s->bits[1]--;
    spti_axis_divide(across, s->origin[s->across], s->extent[s->across], s->bits[1]);
    return 1;
}

/* Entry i of a range. */
static spt_i32 spti_ref(const spti_range *r, spt_i32 i)
{
    return r->refs ? r->refs[i] : i;
}

/* Box i of those in the four ranges. */
static const spt_box *spti_box_in(const spti_walk *w, const spti_range *ranges, spt_i32 i)
{
    for (; i >= ranges->hi - ranges->lo; ranges++) i -= ranges->hi - ranges->lo;
    return &w->entries[spti_ref(ranges, ranges->lo + i) & SPTI_ID].box;
}

/* Finite limits for what lies between two coordinates; returns the distance. */
static spti_dist spti_limit(spt_coord *lo, spt_coord hi)
{
#ifndef SPATIAL_INT
    const spt_coord limit = SPTI_COORD_MAX / 4;
    if (*lo < -limit) *lo = -limit;
    if (hi > limit) hi = limit;
#endif
    return *lo < hi ? SPTI_DIST(hi, *lo) : 0;
}

/* Chooses stripes for n boxes by a sample: what lies outside falls in the outer buckets. */
static void spti_stripes_init(spti_stripes *s, const spti_walk *w, const spti_range *ranges,
                              spt_i32 n)
{
    spti_cells c;
    spt_box around;
    const spt_box *box;
    spt_u32 size[2];
    const spt_i32 m = 32;
    spt_i32 k;
    int bits = spti_bits((spt_u32)n) - 1;
    s->along = 0, s->across = 1;
    s->bits[0] = s->bits[1] = 0;
    box = spti_box_in(w, ranges, n / (2 * m));
    around = *box;
    for (k = 1; k < m && n > SPTI_BRUTE; k++) {
        box = spti_box_in(w, ranges, (2 * k + 1) * n / (2 * m));
        if (box->min_x < around.min_x) around.min_x = box->min_x;
        if (box->min_y < around.min_y) around.min_y = box->min_y;
        if (box->max_x > around.max_x) around.max_x = box->max_x;
        if (box->max_y > around.max_y) around.max_y = box->max_y;
    }
    s->origin[0] = around.min_x, s->extent[0] = spti_limit(&s->origin[0], around.max_x);
    s->origin[1] = around.min_y, s->extent[1] = spti_limit(&s->origin[1], around.max_y);
    if (n > SPTI_BRUTE) {
        spti_axis_init(&s->map.x, s->origin[0], s->extent[0], 16);
        spti_axis_init(&s->map.y, s->origin[1], s->extent[1], 16);
        size[0] = size[1] = (spt_u32)m;
        for (k = 0; k < m; k++) {
            spti_cells_of(&s->map, spti_box_in(w, ranges, (2 * k + 1) * n / (2 * m)), &c);
            size[0] += c.x1 - c.x0, size[1] += c.y1 - c.y0;
        }
        size[0] /= (spt_u32)m, size[1] /= (spt_u32)m;
        spti_stripes_try(s, (spt_u32)n, 0, size[0], size[1], bits);
        spti_stripes_try(s, (spt_u32)n, 1, size[1], size[0], bits);
    }
    spti_axis_divide(&s->map.x, s->origin[0], s->extent[0], s->bits[s->along]);
    spti_axis_divide(&s->map.y, s->origin[1], s->extent[1], s->bits[s->across]);
}

/* Notes where a box belongs and counts it there, in each of its stripes; returns how many more than
   one they are. along, across: where in the four cells of the box is that of its lower edge. */
SPTI_INLINE spt_u32 spti_leaf_note(const spti_map *map, int along, int across, spt_u32 step,
                                   const spt_box *box, spt_i32 *counts, spti_place *place)
{
    spt_u32 bucket, more, k, c[4]; /* as in spti_cells */
    spti_cells_of(map, box, (spti_cells *)(void *)c);
    place->span = c[across] * step + (c[along + 2] << 16) + c[along];
    place->more = more = c[across + 2] - c[across];
    bucket = place->span & 0xFFFFUL;
    counts[bucket]++;
    for (k = more; k > 0; k--) {
        bucket += step & 0xFFFFUL;
        counts[bucket]++;
    }
    return more;
}

/* Counts the boxes of a set by bucket, and notes where each belongs. Returns how many there are,
   each as often as it has stripes. step: from a span to that in the next stripe. */
SPTI_APART spt_i32 spti_leaf_count(const spti_entry *entries, const spti_range *ranges,
                                   const spti_stripes *s, spt_u32 step, spt_i32 *counts,
                                   spti_place *place)
{
    const int along = s->along, across = s->across;
    spt_u32 n = (spt_u32)1 << (s->bits[0] + s->bits[1]), k, more = 0;
    spt_i32 total = 0, i;
    spti_map map;
    int r;
    map = s->map; /* so that it may stay in registers */
    for (k = 0; k < n; k++) counts[k] = 0;
    for (r = 0; r < 2; r++) {
        const spt_i32 *refs = ranges[r].refs, lo = ranges[r].lo, hi = ranges[r].hi;
        total += hi - lo;
        for (i = lo; i < hi && refs; i++)
            more += spti_leaf_note(&map, along, across, step, &entries[refs[i] & SPTI_ID].box,
                                   counts, place++);
        for (; i < hi; i++)
            more += spti_leaf_note(&map, along, across, step, &entries[i].box, counts, place++);
    }
    return total + (spt_i32)more;
}

/* Turns the numbers of boxes by bucket into where they start, the first one at `first`; behind each
   stripe stands padding, so that the kernel need not look where it ends. Returns the end. */
static spt_i32 spti_leaf_starts(const spti_walk *w, const spti_stripes *s, spt_i32 first,
                                spt_i32 *counts)
{
    const spt_u32 n = (spt_u32)1 << (s->bits[0] + s->bits[1]), stripe = (spt_u32)1 << s->bits[0];
    spt_u32 k;
    spt_i32 pad;
    for (k = 0; k < n; k += stripe) {
        first = spti_starts(counts + k, stripe, first);
        for (pad = first + SPTI_PAD; first < pad; first++) {
            w->soa.id[first] = SPTI_PADDING;
            w->spans[first] = n << 16;
        }
    }
    counts[n] = 0; /* padding is tested against nothing */
    return first;
}

/* Puts a box where it belongs. id: with bits for "before"; in further stripes, it has one more. */
SPTI_INLINE void spti_leaf_put(const spti_soa *soa, spt_u32 *spans, spt_i32 *next,
                               const spti_place *place, const spt_box *box, spt_i32 id,
                               spt_i32 before, spt_u32 step)
{
    spt_u32 span = place->span, k = place->more;
    for (;; k--) {
        const spt_i32 at = next[span & 0xFFFFUL];
        next[span & 0xFFFFUL] = at + 1;
        spti_soa_set(soa, at, box, id);
        spans[at] = span;
        if (k == 0) return;
        span += step;
        id |= before;
    }
}

/* Puts the boxes of a set where they belong. */
SPTI_APART void spti_leaf_place(const spti_walk *w, const spti_range *ranges,
                                const spti_stripes *s, spt_u32 step, spt_i32 *next,
                                const spti_place *place)
{
    const spt_i32 before = s->across ? SPTI_BEFORE_Y : SPTI_BEFORE_X;
    const spti_entry *entries = w->entries, *e;
    spt_u32 *spans = w->spans;
    spti_soa soa;
    spt_i32 i;
    int r;
    soa = w->soa; /* so that it may stay in registers */
    for (r = 0; r < 2; r++) {
        const spt_i32 *refs = ranges[r].refs, hi = ranges[r].hi;
        for (i = ranges[r].lo; i < hi && refs; i++, place++) {
            e = &entries[refs[i] & SPTI_ID];
            spti_leaf_put(&soa, spans, next, place, &e->box, e->id | (refs[i] & ~SPTI_ID), before,
                          step);
        }
        for (; i < hi; i++, place++)
            spti_leaf_put(&soa, spans, next, place, &entries[i].box, entries[i].id, before, step);
    }
}

/* Puts the boxes of the sets in order; ends[s]: where those of set s end, from ends[1] on. */
static void spti_leaf_sort(const spti_walk *w, const spti_range *ranges, spti_stripes *stripes,
                           spt_i32 *ends)
{
    const spt_u32 step = ((spt_u32)1 << stripes->bits[0]) * (spt_u32)0x10001UL;
    const spt_i32 second = spti_range_size(&ranges[0]) + spti_range_size(&ranges[1]);
    spt_i32 total;
    int s;
    do {
        for (s = 0, total = 0; s < w->sets; s++)
            total += spti_leaf_count(w->entries, ranges + 2 * s, stripes, step, w->stops[s] + 1,
                                     w->places + s * second);
    } while (total > w->room && spti_stripes_halve(stripes));
    ends[0] = ends[1] = ends[2] = 0;
    for (s = 0; s < w->sets; s++) {
        w->stops[s][0] = ends[s];
        ends[s + 1] = spti_leaf_starts(w, stripes, ends[s], w->stops[s] + 1);
        spti_leaf_place(w, ranges + 2 * s, stripes, step, w->stops[s] + 1, w->places + s * second);
    }
}

/* Turns n hits into pairs. No branch says in which order the ids are: it would be guessed wrong
   half the time. */
static void spti_hits_to_pairs(const spti_walk *w, spt_i32 n, spt_i32 *pair)
{
    const spt_i32 *ids = w->soa.id, *hit = w->hits, *end = hit + n;
    const spt_i32 ascending = -(w->order == SPTI_ASCENDING);
    const spt_i32 reversed = -(w->order == SPTI_REVERSED);
    spt_i32 id, other, swap;
#ifdef SPTI_V_STEP
    const spti_v_ints mask = SPTI_V_INTS_SPLAT(SPTI_ID);
    const spti_v_ints if_above = SPTI_V_INTS_SPLAT(ascending), always = SPTI_V_INTS_SPLAT(reversed);
    spti_v_ints a, b, x;
    for (; end - hit >= 4; hit += 4, pair += 8) {
        a = SPTI_V_INTS_OF(ids[(spt_u32)hit[0] >> 16], ids[(spt_u32)hit[1] >> 16],
                           ids[(spt_u32)hit[2] >> 16], ids[(spt_u32)hit[3] >> 16]);
        b = SPTI_V_INTS_OF(ids[hit[0] & 0xFFFFL], ids[hit[1] & 0xFFFFL], ids[hit[2] & 0xFFFFL],
                           ids[hit[3] & 0xFFFFL]);
        a = SPTI_V_INTS_AND(a, mask), b = SPTI_V_INTS_AND(b, mask);
        x = SPTI_V_INTS_OR(SPTI_V_INTS_AND(SPTI_V_INTS_ABOVE(a, b), if_above), always);
        x = SPTI_V_INTS_AND(SPTI_V_INTS_XOR(a, b), x);
        SPTI_V_INTS_STORE2(pair, SPTI_V_INTS_XOR(a, x), SPTI_V_INTS_XOR(b, x));
    }
#endif
    for (; hit < end; hit++, pair += 2) {
        id = ids[*hit >> 16] & SPTI_ID, other = ids[*hit & 0xFFFFL] & SPTI_ID;
        swap = ((-(other < id) & ascending) | reversed) & (id ^ other);
        pair[0] = id ^ swap;
        pair[1] = other ^ swap;
    }
}

/* Tests as the sweep says, till it is done or over the limit, and adds the pairs. */
static int spti_sweep_pairs(spti_walk *w, spti_sweep *sweep, spt_i32 limit)
{
    spt_i32 *pair, n, more;
    while (sweep->lo < sweep->hi && sweep->tests <= limit) {
        more = limit - sweep->tests;
        sweep->limit = sweep->tests + SPTI_LESS(more, w->hits_room);
        n = spti_sweep_hits(sweep, w->hits);
        if (n == 0) continue;
        pair = spti_list_room(w->out, n);
        if (!pair) return SPT_ERR_MEMORY;
        w->out->count += n;
        spti_hits_to_pairs(w, n, pair);
    }
    return SPT_OK;
}

/* Finds the pairs of a leaf: ranges[2 * s] and the next one have the boxes of set s, n in all.
   SPTI_CROWDED and no pairs if it takes more tests a box than `budget`, and 8 more a pair. */
static int spti_leaf_pairs(spti_walk *w, const spti_range *ranges, spt_i32 n, spt_i32 budget)
{
    spti_sweep sweep;
    spt_i32 ends[3], before = w->out->count, limit, more;
    int s, error = SPT_OK;
    if (n < 2) return SPT_OK;
    spti_stripes_init(w->stripes, w, ranges, n);
    spti_leaf_sort(w, ranges, w->stripes, ends);
    sweep.soa = &w->soa;
    sweep.spans = w->spans;
    sweep.tests = 0;
    limit = budget * n;
    for (s = 0; s < w->sets && !error; s++) {
        sweep.lo = ends[s], sweep.hi = ends[s + 1];
        sweep.starts = w->sets == 2 ? w->stops[1 - s] + s : NULL;
        sweep.stops = w->stops[w->sets - 1 - s] + 1;
        w->order = w->sets == 1 ? SPTI_ASCENDING : s ? SPTI_REVERSED : SPTI_AS_FOUND;
        for (;;) {
            error = spti_sweep_pairs(w, &sweep, limit);
            if (error || sweep.lo == sweep.hi) break;
            more = budget * n + 8 * (w->out->count - before);
            if (sweep.tests > more) {
                error = SPTI_CROWDED;
                break;
            }
            limit = more;
        }
    }
    SPTI_COUNT(sweep.tests + n);
    if (error == SPTI_CROWDED) w->out->count = before;
    return error;
}

/* ============================================================================================== */
/* LISTS                                                                                     >>lists

   The collision stack: what reaches into the current cell. And cells of its own for a crowd. */

/* Entries of set s in a cell and, with `all`, in those below it. */
static void spti_own(const spti_frame *f, int s, int all, spti_range *own)
{
    const spt_i32 *starts = f->tree->starts[s];
    own->refs = f->tree->refs;
    own->lo = starts[f->rank];
    own->hi = starts[f->rank + (all ? f->tree->nodes[f->up] : 1)];
}

/* Lists where boxes of set s may be that reach into the current cell: outside, and with `all`, also
   inside. Returns how many places. */
static int spti_sources(spti_walk *w, int s, int all)
{
    int d = w->depth, n = 0;
    while (!w->frames[d].listed) d--;
    w->sources[n++] = w->frames[d].list[s];
    for (; d < w->depth; d++) spti_own(&w->frames[d], s, 0, &w->sources[n++]);
    if (all) spti_own(&w->frames[d], s, 1, &w->sources[n++]);
    return n;
}

/* Puts refs to what reaches into the current cell, from n sources, on the stack, from `top` on;
   returns the new top, or -1 if that may be `end`. */
static spt_i32 spti_gather(const spti_walk *w, int n, spt_i32 top, spt_i32 end)
{
    const spti_frame *f = &w->frames[w->depth];
    const spti_tree *tree = f->tree;
    const int up_x = SPTI_LESS(f->up, tree->bits[0]), up_y = SPTI_LESS(f->up, tree->bits[1]);
    const spt_u32 x0 = f->x << up_x, x1 = x0 + ((spt_u32)1 << up_x) - 1;
    const spt_u32 y0 = f->y << up_y, y1 = y0 + ((spt_u32)1 << up_y) - 1;
    const spti_entry *entries = w->entries;
    const spti_range *r = w->sources;
    spt_i32 *stack = w->stack, i, hi, ref;
    spti_cells c;
    for (; n > 0; n--, r++) {
        for (i = r->lo, hi = r->hi; i < hi; i++) {
            if (top >= end) return -1;
            ref = spti_ref(r, i);
            spti_cells_of(&tree->map, &entries[ref & SPTI_ID].box, &c);
            ref |= (c.x0 < x0 ? SPTI_BEFORE_X : 0) | (c.y0 < y0 ? SPTI_BEFORE_Y : 0);
            stack[top] = ref; /* perhaps the next one takes its place: no branch */
            top += (c.x0 <= x1) & (c.x1 >= x0) & (c.y0 <= y1) & (c.y1 >= y0);
        }
        SPTI_COUNT(hi - r->lo);
    }
    return top;
}

/* Puts on the stack what reaches into the current cell from outside, up to `end`; 0 if there is no
   room. */
static int spti_list(spti_walk *w, spt_i32 end)
{
    spti_frame *f = &w->frames[w->depth];
    spt_i32 top = f->top;
    int s;
    if (f->listed) return 1;
    for (s = 0; s < w->sets; s++) {
        f->list[s].refs = w->stack;
        f->list[s].lo = top;
        f->list[s].hi = top = spti_gather(w, spti_sources(w, s, 0), top, end);
        if (top < 0) return 0;
    }
    f->top = top;
    f->listed = 1;
    return 1;
}

/* Takes back what was listed; a root's list is empty. */
static void spti_unlist(spti_frame *f)
{
    if (f->listed && f->up < f->tree->levels) {
        f->listed = 0;
        f->top = f->list[0].lo;
    }
}

static void spti_enter_root(spti_walk *w, const spti_tree *tree, spt_i32 top)
{
    spti_frame *f = &w->frames[w->depth];
    f->tree = tree;
    f->rank = f->x = f->y = 0;
    f->up = tree->levels;
    f->child = 0;
    f->list[0].lo = f->list[0].hi = f->list[1].lo = f->list[1].hi = 0;
    f->list[0].refs = f->list[1].refs = w->stack;
    f->listed = 1;
    f->top = top;
}

/* The box of a cell; with `all`, of all that falls in it. */
static void spti_cell_box(const spti_frame *f, int all, spt_box *box)
{
    const spti_tree *tree = f->tree;
    const spt_box *b = &tree->cells;
    int x = tree->bits[0] - SPTI_LESS(f->up, tree->bits[0]);
    int y = tree->bits[1] - SPTI_LESS(f->up, tree->bits[1]);
    box->min_x = all && f->x == 0 ? spti_lowest() : spti_part(b->min_x, b->max_x, f->x, x);
    box->min_y = all && f->y == 0 ? spti_lowest() : spti_part(b->min_y, b->max_y, f->y, y);
    box->max_x = all && (f->x + 1) >> x ? spti_highest()
                                        : spti_part(b->min_x, b->max_x, f->x + 1, x);
    box->max_y = all && (f->y + 1) >> y ? spti_highest()
                                        : spti_part(b->min_y, b->max_y, f->y + 1, y);
}

/* Puts refs to all that is in the current leaf or reaches into it on the stack, set by set, and a
   second time if there is one set and `twice`; what was listed for the leaf is lost. There is room:
   see spti_walk_limits. Returns the new top. */
static spt_i32 spti_leaf_refs(spti_walk *w, spti_range *refs, int twice)
{
    spti_frame *f = &w->frames[w->depth];
    spt_i32 top;
    int s;
    spti_unlist(f);
    for (s = 0, top = f->top; s < w->sets + (w->sets == 1 && twice); s++) {
        refs[s].refs = w->stack;
        refs[s].lo = top;
        refs[s].hi = top = spti_gather(w, spti_sources(w, s % w->sets, 1), top, w->full);
    }
    return top;
}

#ifdef SPTI_GROWS
/* 1 if the cells of the tree divide the boxes, by set, not only copy them: none of the finest has
   nearly all of them, or more than there is room for, and all together not more than twice as
   many. */
static int spti_divides(const spti_walk *w, const spti_tree *tree, const spti_range *refs,
                        spt_i32 room)
{
    spt_i32 *counts = w->next, copies = 0, most = 0, i;
    const int cells = 1 << (tree->bits[0] + tree->bits[1]);
    spti_cells c;
    spt_u32 x, y;
    int k, s;
    for (k = 0; k < cells; k++) counts[k] = 0;
    for (s = 0; s < w->sets; s++)
        for (i = refs[s].lo; i < refs[s].hi; i++) {
            spti_cells_of(&tree->map, &w->entries[w->stack[i] & SPTI_ID].box, &c);
            for (y = c.y0; y <= c.y1; y++)
                for (x = c.x0; x <= c.x1; x++, copies++) counts[(y << tree->bits[0]) + x]++;
        }
    SPTI_COUNT(copies);
    for (k = 0; k < cells; k++)
        if (counts[k] > most) most = counts[k];
    return most < room && most <= tree->total / 8 * 7 && copies <= 2 * tree->total;
}

/* Gives the current leaf cells of its own and steps to their root; 0 if that cannot be, or would
   not help. */
static int spti_grow(spti_walk *w)
{
    spti_tree *tree = &w->trees[w->tree + 1];
    spti_range refs[2];
    spt_box cell, box;
    spt_i32 m, k, first, top, room;
    int s, bits;
    if (w->tree + 1 >= w->most_trees) return 0;
    top = spti_leaf_refs(w, refs, 0);
    first = w->frames[w->depth].top;
    tree->total = top - first;
    if (w->tree == 0) w->growth = SPTI_LESS(tree->total, SPTI_I32_MAX / SPTI_GROWTH) * SPTI_GROWTH;
    if (tree->total > w->growth) return 0;
    room = w->full - (top > w->end ? top : w->end); /* for leaves: see spti_leaf_scan */
    tree->refs = w->stack;
    m = spti_samples(tree->total);
    spti_cell_box(&w->frames[w->depth], 1, &cell);
    for (k = 0; k < m; k++) { /* what of each is in the cell */
        box = w->entries[w->stack[first + spti_pick(k, tree->total)] & SPTI_ID].box;
        if (box.min_x < cell.min_x) box.min_x = cell.min_x;
        if (box.min_y < cell.min_y) box.min_y = cell.min_y;
        if (box.max_x > cell.max_x) box.max_x = cell.max_x;
        if (box.max_y > cell.max_y) box.max_y = cell.max_y;
        spti_soa_put(&w->soa, k, &box);
    }
    bits = spti_bits((spt_u32)(tree->total / 16)); /* finer than those of the first */
    bits = SPTI_LESS(bits, SPTI_LEAF_BITS);
    do
        spti_tree_init(tree, &w->soa, m, bits, SPTI_CUTS);
    while (tree->levels > 0 && !spti_divides(w, tree, refs, room / 2) &&
           (bits = tree->bits[0] + tree->bits[1] - 1) > 0);
    if (tree->levels == 0 || bits <= 0) return 0;
    spti_rank_tables(w, tree);
    for (s = 0; s < w->sets; s++) {
        spti_tree_sort(w, tree, s, refs[s].lo, refs[s].hi);
        tree->counts[s] = tree->starts[s];
    }
    SPTI_COUNT(tree->total);
    w->growth -= tree->total;
    w->tree++;
    w->depth++;
    spti_enter_root(w, tree, top);
    return 1;
}
#endif

/* ============================================================================================== */
/* SCAN                                                                                       >>scan

   The pairs of leaves that nothing divides, found for certain in some n log^2 n + pairs steps.
   Two boxes overlap along an axis if one begins within the other: so there are spans, and starts
   that may be in them. Spans in which all starts are have met them as far as this axis goes; what
   the others meet is found with the starts of either half. That is a tree of segments that is
   walked and never built: along y, and in its nodes along x. (A. Zomorodian, H. Edelsbrunner,
   "Fast software for box intersections", 2000.) */

#define SPTI_FEW_STARTS 16 /* so few are tested one by one */
#define SPTI_ALONG_Y 0
#define SPTI_ALONG_X 1
#define SPTI_ALONG_X_TURNED 2 /* spans and starts have changed their roles */

/* Puts refs to what begins from `first` to `last` and ends at `reach` or behind it in front, and
   returns where the others are. */
static spt_i32 spti_scan_divide(const spti_walk *w, spt_i32 lo, spt_i32 hi, int axis,
                                spt_coord first, spt_coord last, spt_coord reach)
{
    spt_i32 *refs = w->stack, i, ref;
    SPTI_COUNT(hi - lo);
    for (i = lo; i < hi; i++) {
        const spt_box *box = &w->entries[refs[i] & SPTI_ID].box;
        const spt_coord min = axis == SPTI_ALONG_Y ? box->min_y : box->min_x;
        const spt_coord max = axis == SPTI_ALONG_Y ? box->max_y : box->max_x;
        if (min < first || min > last || max < reach) continue;
        ref = refs[i];
        refs[i] = refs[lo];
        refs[lo++] = ref;
    }
    return lo;
}

/* Puts refs with these bits in front: one bit of the set for each of the four that there can be.
   Returns where the others are. */
static spt_i32 spti_scan_pick(const spti_walk *w, const spti_range *r, int set)
{
    spt_i32 *refs = w->stack, lo = r->lo, i, ref;
    for (i = r->lo; i < r->hi; i++) {
        ref = refs[i];
        if (!(set >> (int)(ref >> 29) & 1)) continue;
        refs[i] = refs[lo];
        refs[lo++] = ref;
    }
    return lo;
}

/* Tests all spans of a task with all starts. Where two begin at the same place, each starts in the
   other: then the one that comes first among the entries is the span. */
static int spti_scan_all(spti_walk *w, const spti_task *t)
{
    const spt_i32 *refs = w->stack;
    spt_i32 i, j, a, b, *pair;
    int turned;
    SPTI_COUNT((double)(t->spans_end - t->spans) * (t->starts_end - t->starts));
    for (i = t->spans; i < t->spans_end; i++)
        for (j = t->starts; j < t->starts_end; j++) {
            const spti_entry *span, *start;
            a = refs[t->axis == SPTI_ALONG_X_TURNED ? j : i] & SPTI_ID;
            b = refs[t->axis == SPTI_ALONG_X_TURNED ? i : j] & SPTI_ID;
            span = &w->entries[a], start = &w->entries[b];
            if (span->box.min_y > start->box.min_y || span->box.max_y < start->box.min_y ||
                (a >= b && !(span->box.min_y < start->box.min_y)) ||
                span->box.min_x > start->box.max_x || span->box.max_x < start->box.min_x ||
                (t->axis == SPTI_ALONG_X && span->box.min_x > start->box.min_x) ||
                (t->axis == SPTI_ALONG_X_TURNED && span->box.min_x <= start->box.min_x))
                continue;
            pair = spti_list_room(w->out, (spt_i32)1);
            if (!pair) return SPT_ERR_MEMORY;
            w->out->count++;
            turned = w->sets == 1 ? start->id < span->id : b < a;
            pair[turned] = span->id;
            pair[1 - turned] = start->id;
        }
    return SPT_OK;
}

/* Where starts begin about which as many are on either side. */
static spt_coord spti_scan_middle(const spti_walk *w, const spti_task *t)
{
    const spt_i32 n = t->starts_end - t->starts, m = spti_samples(n);
    spt_coord *sample = w->soa.min_x;
    spt_i32 k;
    for (k = 0; k < m; k++) {
        const spt_i32 ref = w->stack[t->starts + spti_pick(k, n)];
        const spt_box *box = &w->entries[ref & SPTI_ID].box;
        sample[k] = t->axis == SPTI_ALONG_Y ? box->min_y : box->min_x;
    }
    spti_sort_sample(sample, m);
    return sample[(m - 1) / 2];
}

/* Does a step of task n - 1 and puts what is left to be done in its place; returns how many tasks
   there are then. */
static int spti_scan_step(spti_walk *w, spti_task *tasks, int n)
{
    spti_task *t = &tasks[n - 1], task;
    const spt_coord lowest = spti_lowest();
    spt_coord first, last, middle;
    spt_i32 i;
    task = *t;
    first = spti_highest(), last = lowest;
    for (i = task.starts; i < task.starts_end; i++) {
        const spt_box *box = &w->entries[w->stack[i] & SPTI_ID].box;
        const spt_coord min = task.axis == SPTI_ALONG_Y ? box->min_y : box->min_x;
        if (min < first) first = min;
        if (min > last) last = min;
    }
    SPTI_COUNT(task.starts_end - task.starts);
    if (task.halve) {
        middle = spti_scan_middle(w, t);
        i = spti_scan_divide(w, task.starts, task.starts_end, task.axis,
                             middle < last ? lowest : last, middle, lowest);
        t->halve = 0;
        t->starts = i;
        t[1] = task;
        t[1].halve = 0;
        t[1].starts_end = i;
        return n + 1;
    }
    i = spti_scan_divide(w, task.spans, task.spans_end, task.axis, lowest, first, last);
    t->halve = 1;
    t->spans = i;
    t->spans_end = spti_scan_divide(w, i, task.spans_end, task.axis, lowest, last, first);
    if (task.axis != SPTI_ALONG_Y) { /* all of these are pairs, but for those found elsewhere */
        t[1] = task;
        t[1].spans_end = i;
        t[1].all = 1;
        return n + 1;
    }
    t[1].axis = SPTI_ALONG_X;
    t[1].spans = t[2].starts = task.spans;
    t[1].spans_end = t[2].starts_end = i;
    t[2].axis = SPTI_ALONG_X_TURNED;
    t[1].starts = t[2].spans = task.starts;
    t[1].starts_end = t[2].spans_end = task.starts_end;
    t[1].halve = t[2].halve = 0;
    t[1].all = t[2].all = 0;
    return n + 2;
}

/* Finds the pairs of the current leaf whatever there is in it. Spans and starts are of either set,
   or two times of the same. Those are tested that have no bit in common: both bits, or none, are
   four kinds, numbered from 0 as bits of sets of them. */
SPTI_APART int spti_leaf_scan(spti_walk *w)
{
    static const unsigned char spans_of[4] = {1, 14, 2, 4}, starts_of[4] = {15, 1, 4, 2};
    spti_task *tasks = w->tasks;
    spti_range refs[2];
    int s, k, n, error = SPT_OK;
    (void)spti_leaf_refs(w, refs, 1);
    for (s = 0; s < w->sets; s++)
        for (k = 0; k < 4; k++) {
            const spti_range *spans = &refs[s], *starts = &refs[1 - s];
            tasks->spans = spans->lo, tasks->spans_end = spti_scan_pick(w, spans, spans_of[k]);
            tasks->starts = starts->lo, tasks->starts_end = spti_scan_pick(w, starts, starts_of[k]);
            tasks->axis = SPTI_ALONG_Y;
            tasks->halve = tasks->all = 0;
            for (n = 1; n > 0 && !error;) {
                const spti_task *t = &tasks[n - 1];
                if (t->all || t->spans_end - t->spans <= SPTI_FEW_STARTS ||
                    t->starts_end - t->starts <= SPTI_FEW_STARTS || n + 2 > w->most_tasks)
                    error = spti_scan_all(w, &tasks[--n]);
                else
                    n = spti_scan_step(w, tasks, n);
            }
        }
    return error;
}

/* ============================================================================================== */
/* WALK                                                                                       >>walk

   Depth first through the cells, down to leaves, and the choice of what is done with a leaf. */

/* Lists the boxes of the current cell, a leaf, by set: outside, and inside; returns how many they
   are: 0 if all are of one set. */
static spt_i32 spti_leaf_ranges(spti_walk *w, spti_range *ranges)
{
    const spti_frame *f = &w->frames[w->depth];
    spt_i32 n = 0, of_set;
    int s;
    (void)spti_list(w, w->full); /* there is room: see spti_walk_limits */
    for (s = 0; s < w->sets; s++) {
        spti_range *of = ranges + 2 * s;
        of->refs = f->list[s].refs, of->lo = f->list[s].lo, of->hi = f->list[s].hi;
        spti_own(f, s, 1, of + 1);
        of_set = spti_range_size(of) + spti_range_size(of + 1);
        if (of_set == 0) return 0;
        n += of_set;
    }
    return n;
}

/* Finds the pairs of the current cell, a leaf. If that takes too many tests, its children are
   walked, or it gets cells of its own; what nothing divides may take more, and then is scanned. */
static int spti_leaf_visit(spti_walk *w)
{
    spti_frame *f = &w->frames[w->depth];
    spti_range ranges[4];
    spt_i32 n = spti_leaf_ranges(w, ranges);
    const spt_i32 budget = n > SPTI_SMALL ? SPTI_BUDGET : SPTI_SMALL;
    const int fits = n <= w->leaf;
    int error = SPTI_CROWDED;
    if (fits) error = spti_leaf_pairs(w, ranges, n, budget);
    if (error != SPTI_CROWDED) return error;
    if (f->up > 0) {
        if (f->top > w->end) spti_unlist(f);
        f->child = 0;
        return SPT_OK;
    }
#ifdef SPTI_GROWS
    if (spti_grow(w)) return SPT_OK;
    if (fits) n = spti_leaf_ranges(w, ranges);
    if (fits) error = spti_leaf_pairs(w, ranges, n, (spt_i32)SPTI_LAST_BUDGET);
#endif
    return error == SPTI_CROWDED ? spti_leaf_scan(w) : error;
}

/* Steps to the next child of the current cell; 0 if there is none. */
static int spti_next_child(spti_walk *w)
{
    spti_frame *f = &w->frames[w->depth], *c = f + 1;
    const spti_tree *tree = f->tree;
    int up = f->up - 1, q = f->child++, wide;
    if (up < 0 || q >= SPTI_CHILDREN(tree, up)) return 0;
    wide = SPTI_HALVED(tree, 0, up);
    c->tree = tree;
    c->rank = f->rank + 1 + (spt_u32)q * tree->nodes[up];
    c->x = wide ? 2 * f->x + (spt_u32)(q & 1) : f->x;
    c->y = SPTI_HALVED(tree, 1, up) ? 2 * f->y + (spt_u32)(q >> wide) : f->y;
    c->up = up;
    c->child = 0;
    c->listed = 0;
    c->top = f->top;
    w->depth++;
    return 1;
}

/* How many entries there are in the current cell and below, those included that are not loaded. */
static spt_i32 spti_entries_below(const spti_walk *w)
{
    const spti_frame *f = &w->frames[w->depth];
    const spti_tree *tree = f->tree;
    spt_i32 n = 0;
    int s;
    for (s = 0; s < w->sets; s++)
        n += tree->counts[s][f->rank + tree->nodes[f->up]] - tree->counts[s][f->rank];
    return n;
}

/* 1 if the current cell is to be walked on, 0 if it is a leaf. Many entries below it are not
   a leaf, whatever else reaches into it: so parts for threads end where no leaf does. */
static int spti_is_branch(spti_walk *w)
{
    const spti_frame *f = &w->frames[w->depth];
    spt_i32 below = spti_entries_below(w), outside = 0;
    int s, k;
    if (f->up == 0) return 0;
    for (s = 0; s < w->sets; s++)
        for (k = spti_sources(w, s, 0); k-- > 0;) outside += spti_range_size(&w->sources[k]);
    if (below + outside <= w->leaf) return 0;
    if (!spti_list(w, w->end)) return below > w->leaf;
    for (s = 0, outside = 0; s < w->sets; s++) outside += spti_range_size(&f->list[s]);
    return below + outside > w->leaf;
}

/* Finds the pairs of all leaves from rank `from` up to `to`, and leaves the list as it was if that
   fails. */
static int spti_walk_pairs(spti_walk *w, spt_u32 from, spt_u32 to)
{
    spti_frame *f;
    int error = SPT_OK;
    w->depth = w->tree = 0;
    spti_enter_root(w, &w->trees[0], (spt_i32)0);
    for (;;) {
        f = &w->frames[w->depth];
        if (w->tree == 0 && (f->rank >= to || f->rank + f->tree->nodes[f->up] <= from)) {
            f->child = 4; /* not of this part */
        } else if (!spti_is_branch(w)) {
            f->child = 4;
            error = spti_leaf_visit(w);
            if (error) return error;
        }
        while (!spti_next_child(w)) {
            f = &w->frames[w->depth];
            if (f->up == f->tree->levels) {
                if (w->tree-- == 0) return SPT_OK;
            }
            w->depth--;
        }
    }
}

/* ============================================================================================== */
/* SCRATCH                                                                                 >>scratch

   What a call works with in one piece of memory, and how boxes become entries in the order of their
   ranks: of all cells, or of those of one part. */

typedef struct spti_plan { /* of a call: cells, and which boxes are in them */
    spti_boxes boxes[2];
    spti_tree tree;
    spti_u16 *keys;        /* ranks of the boxes, set by set */
    spt_i32 *order;        /* split: the boxes by part, and those that parts share */
    spt_i32 *order_ends;   /* of each part */
    spti_u16 *cuts;        /* split: the first rank of each part, and the end */
    int sets, parts;
    spt_i32 n;             /* boxes, gaps included */
    spt_i32 most;          /* entries of a part */
    spti_walk walk;        /* through all parts */
} spti_plan;

/* Boxes that a leaf can have where there are n. */
static spt_i32 spti_leaf_for(spt_i32 n)
{
    spt_i32 leaf = SPTI_LESS(n / 4, SPTI_LEAF);
    return leaf > SPTI_LEAF_LEAST ? leaf : SPTI_LESS(n, SPTI_LEAF_LEAST);
}

/* Levels of cells for n boxes: none if they are few enough for a leaf. */
static int spti_bits_for(spt_i32 n)
{
    int bits = spti_bits((spt_u32)(n / SPTI_CELL));
    return n <= spti_leaf_for(n) ? 0 : SPTI_LESS(bits, SPTI_BITS);
}

/* Ranks of a tree with so many bits, and one. */
#define SPTI_RANKS(bits) (((spt_u32)2 << (bits)) + 1)

/* What n boxes may use of memory for as many or for more: the order of pairs must not depend on
   that. Lists of cells that are not leaves end at w->end. Behind it all of a leaf has room two
   times, in one list and in refs to be scanned or divided; spti_divides sees to it that this holds
   for leaves within leaves, too. */
static void spti_walk_limits(spti_walk *w, spt_i32 n)
{
    w->leaf = spti_leaf_for(n);
    w->room = w->leaf + w->leaf / 4;
    w->end = n > SPTI_SMALL ? n + n / 2 : (spt_i32)0;
    w->full = w->end + 2 * n + 1;
    w->hits_room = SPTI_LESS(w->room, 512);
    w->most_tasks = (int)((size_t)(w->hits_room + w->room) * sizeof(spt_i32) / sizeof(spti_task));
#ifdef SPTI_GROWS
    w->most_trees = n > SPTI_SMALL ? spti_bits((spt_u32)(n / SPTI_SMALL)) + SPTI_TREES : 1;
#else
    w->most_trees = 1;
#endif
}

/* Lays out what a walk over `most` of n boxes works with. */
static void spti_walk_init(spti_walk *w, unsigned char *block, size_t *used, spt_i32 most,
                           spt_i32 n)
{
    const int bits = spti_bits_for(n), inner = n > SPTI_SMALL ? SPTI_LEAF_BITS : 0;
    const spt_u32 ranks = SPTI_RANKS(bits > inner ? bits : inner);
    spt_u32 pads;
    size_t front;
    int t, s;
    spti_walk_limits(w, n);
    pads = SPTI_PAD * 2 * ((spt_u32)w->leaf / 64 + 1); /* two sets */
    w->entries = (spti_entry *)spti_piece(block, used, (spt_u32)most, sizeof(spti_entry));
    w->stack = (spt_i32 *)spti_piece(
        block, used, n > SPTI_SMALL ? (spt_u32)w->full : (spt_u32)0, sizeof(spt_i32));
    w->trees = (spti_tree *)spti_piece(block, used, (spt_u32)w->most_trees, sizeof(spti_tree));
    for (t = 0; t < w->most_trees; t++)
        for (s = 0; s < 2; s++) {
            spt_i32 *starts = (spt_i32 *)spti_piece(block, used, SPTI_RANKS(t ? inner : bits),
                                                    sizeof(spt_i32));
            if (block) w->trees[t].starts[s] = starts;
        }
    w->frames = (spti_frame *)spti_piece(
        block, used, (spt_u32)(bits + 1 + (w->most_trees - 1) * (inner + 1)), sizeof(spti_frame));
    w->sources = (spti_range *)spti_piece(
        block, used, (spt_u32)(bits > inner ? bits : inner) + 3, sizeof(spti_range));
    for (s = 0; s < 2; s++)
        w->ranks[s] = (spti_u16 *)spti_piece(block, used, ranks, sizeof(spti_u16));
    w->next = (spt_i32 *)spti_piece(block, used, ranks, sizeof(spt_i32));
    w->stripes = (spti_stripes *)spti_piece(block, used, (spt_u32)1, sizeof(spti_stripes));
    spti_soa_piece(&w->soa, block, used, w->room + (spt_i32)pads);
    w->spans = (spt_u32 *)spti_piece(block, used, (spt_u32)w->room + pads, sizeof(spt_u32));
    for (s = 0; s < 2; s++)
        w->stops[s] = (spt_i32 *)spti_piece(block, used, (spt_u32)w->leaf + 2, sizeof(spt_i32));
    /* First places are needed, then room for hits; or else tasks. */
    front = *used;
    w->places = (spti_place *)spti_piece(block, used, (spt_u32)w->leaf, sizeof(spti_place));
    w->tasks = (spti_task *)(void *)w->places;
    w->hits = (spt_i32 *)spti_piece(
        block, &front, (spt_u32)(w->hits_room + w->room) + pads + SPTI_PAD, sizeof(spt_i32));
    if (front > *used) *used = front;
}

/* Lays out the plan, which comes first, and the walk for n boxes; returns the bytes, 0 if that does
   not fit size_t. */
static size_t spti_plan_init(spti_plan **plan, unsigned char *block, spt_i32 n)
{
    const int bits = spti_bits_for(n);
    const spt_u32 ranks = SPTI_RANKS(bits), parts = bits > 0 ? SPTI_PARTS : 1;
    spti_plan *p = (spti_plan *)(void *)block;
    spti_walk measured, *w = &measured;
    spt_i32 *counts[2], *ends;
    spti_u16 *keys, *cuts;
    size_t used = 0;
    int s;
    if (block) w = &p->walk;
    (void)spti_piece(block, &used, (spt_u32)1, sizeof *p);
    keys = (spti_u16 *)spti_piece(block, &used, (spt_u32)n, sizeof(spti_u16));
    for (s = 0; s < 2; s++)
        counts[s] = (spt_i32 *)spti_piece(block, &used, ranks, sizeof(spt_i32));
    cuts = (spti_u16 *)spti_piece(block, &used, parts + 1, sizeof(spti_u16));
    ends = (spt_i32 *)spti_piece(block, &used, parts + 1, sizeof(spt_i32));
    spti_walk_init(w, block, &used, n, n);
    *plan = p;
    if (block) {
        p->keys = keys, p->cuts = cuts;
        p->tree.starts[0] = counts[0], p->tree.starts[1] = counts[1];
        p->order = (spt_i32 *)(void *)w->entries, p->order_ends = ends;
    }
    return used <= SPTI_SIZE_MAX / 2 ? used : 0; /* no larger objects: offsets are signed */
}

/* Makes the scratch large enough for n boxes. */
static int spti_broadphase_reserve(spt_broadphase *bp, spt_i32 n)
{
    spti_plan *plan;
    spt_i32 capacity = bp->capacity < SPTI_I32_MAX / 2 ? bp->capacity + bp->capacity / 4 : n;
    size_t bytes;
    unsigned char *block;

    if (n <= bp->capacity) return SPT_OK;
    if (bp->fixed) return SPT_ERR_FULL;
    if (n > SPTI_ID) return SPT_ERR_MEMORY; /* the bits above are BEFORE_X and BEFORE_Y */
    if (capacity < n || spti_plan_init(&plan, NULL, capacity) == 0) capacity = n;
    bytes = spti_plan_init(&plan, NULL, capacity);
    block = bytes ? (unsigned char *)spti_alloc(&bp->allocator, bytes) : NULL;
    if (!block) return SPT_ERR_MEMORY;
    spti_free(&bp->allocator, bp->block, bp->bytes);
    bp->block = block;
    bp->bytes = bytes;
    bp->capacity = capacity;
    return SPT_OK;
}

/* --- from boxes to entries -------------------------------------------------------------------- */

/* Finds the ranks of the boxes of a set and counts them; returns how many boxes there are. */
static spt_i32 spti_rank_boxes(const spti_plan *plan, int s, const spti_walk *w, spti_u16 *keys)
{
    const spti_tree *tree = &plan->tree;
    const spti_boxes *boxes = &plan->boxes[s];
    const unsigned char *at = (const unsigned char *)boxes->first;
    const size_t stride = boxes->stride;
    const spti_u16 *x = w->ranks[0], *y = w->ranks[1];
    const spt_i32 n = boxes->n;
    spt_i32 *counts = tree->starts[s], gaps = 0, i;
    spti_map map;
    spti_cells c;
    spt_u32 rank;
    map = tree->map; /* so that it may stay in registers */
    for (rank = 0; rank <= tree->nodes[tree->levels]; rank++) counts[rank] = 0;
    for (i = 0; i < n; i++, at += stride) {
        const spt_box *box = (const spt_box *)(const void *)at;
#ifdef SPTI_CAN_PREFETCH
        SPTI_PREFETCH(at + SPTI_SOON * sizeof *box);
#endif
        if (!((box->min_x <= box->max_x) & (box->min_y <= box->max_y))) {
            if (!boxes->gaps) return SPT_ERR_ARGUMENT;
            keys[i] = SPTI_GAP;
            gaps++;
            continue;
        }
        spti_cells_of(&map, box, &c);
        if ((c.x0 ^ c.x1) | (c.y0 ^ c.y1)) /* the few that no finest cell holds */
            rank = spti_rank(w, tree, box);
        else
            rank = (spt_u32)x[c.x0] + y[c.y0];
        keys[i] = (spti_u16)rank;
        counts[rank]++;
    }
    return n - gaps;
}

/* Chooses cells by a sample: the first or the second. */
static void spti_plan_tree(spti_plan *plan, const spti_walk *w, int sample)
{
    spt_i32 m = 0, n, k, of_set;
    int s;
    for (s = 0; s < plan->sets; s++) {
        of_set = plan->boxes[s].n;
        n = spti_samples(of_set);
        for (k = 0; k < n; k++) {
            spt_i32 i = (spti_pick(k, of_set) + sample) % of_set;
            const spt_box *box = spti_box_at(&plan->boxes[s], i);
            if (spt_box_valid(box)) spti_soa_put(&w->soa, m++, box);
        }
    }
    spti_tree_init(&plan->tree, &w->soa, m, spti_bits_for(plan->n), 1);
    spti_rank_tables(w, &plan->tree);
}

/* Chooses cells and finds out which boxes are in them; if half of them are in none below the root,
   once more by another sample. The lists of ranks are the walk's. */
static int spti_plan_boxes(spti_plan *plan, const spti_walk *w)
{
    spti_tree *tree = &plan->tree;
    spti_u16 *keys;
    spt_i32 count, first, above;
    spt_u32 ranks;
    int s, sample = 0;
    do {
        spti_plan_tree(plan, w, sample);
        keys = plan->keys;
        for (s = 0, first = above = 0; s < plan->sets; s++) {
            count = spti_rank_boxes(plan, s, w, keys);
            if (count < 0) return (int)count;
            above += tree->starts[s][0];
            ranks = tree->nodes[tree->levels];
            tree->starts[s][ranks] = first = spti_starts(tree->starts[s], ranks, first);
            keys += plan->boxes[s].n;
        }
    } while (tree->levels > 0 && above > first / 2 && sample++ == 0);
    tree->total = first;
    return SPT_OK;
}

#ifdef SPTI_GROWS
/* Levels below the cell of this rank. */
static int spti_up_of(const spti_tree *tree, spt_u32 rank)
{
    spt_u32 r = 0;
    int up = tree->levels;
    while (r != rank) up--, r += 1 + (rank - r - 1) / tree->nodes[up] * tree->nodes[up];
    return up;
}

/* Divides the ranks in at most `parts` of about as many entries, none of which ends within a
   leaf. */
static void spti_plan_cuts(spti_plan *plan, int parts)
{
    const spti_tree *tree = &plan->tree;
    const spt_i32 *starts = tree->starts[0], share = tree->total / parts + 1;
    const spt_i32 leaf = spti_leaf_for(plan->n);
    spt_u32 rank = 0, ranks = tree->nodes[tree->levels], next;
    spt_i32 passed = 0, count;
    int up;
    plan->parts = 1;
    plan->cuts[0] = 0;
    for (; rank < ranks; rank = next) {
        up = spti_up_of(tree, rank);
        count = starts[rank + tree->nodes[up]] - starts[rank];
        next = rank + 1;
        if (up > 0 && count > leaf) continue;
        next = rank + tree->nodes[up];
        if (passed >= share * plan->parts) plan->cuts[plan->parts++] = (spti_u16)rank;
        passed += count;
    }
    plan->cuts[plan->parts] = (spti_u16)ranks;
}

/* 1 if a part other than that of this rank needs its entries: the subtree reaches over an end. */
static int spti_is_shared(const spti_plan *plan, spt_u32 rank, int part)
{
    const spti_tree *tree = &plan->tree;
    return rank + tree->nodes[spti_up_of(tree, rank)] > plan->cuts[part + 1];
}

/* Lists the boxes by part; shared ones behind the others. part_of: by rank. */
static void spti_plan_order(spti_plan *plan, spt_i32 *part_of)
{
    const spti_tree *tree = &plan->tree;
    const spt_i32 *starts = tree->starts[0], n = plan->boxes[0].n;
    spt_i32 *ends = plan->order_ends, i, end = 0;
    spt_u32 rank, ranks = tree->nodes[tree->levels];
    int part;
    for (part = 0; part <= plan->parts; part++) ends[part] = 0;
    for (rank = 0, part = 0; rank < ranks; rank++) {
        if (rank == plan->cuts[part + 1]) part++;
        part_of[rank] = spti_is_shared(plan, rank, part) ? plan->parts : part;
        ends[part_of[rank]] += starts[rank + 1] - starts[rank];
    }
    for (part = 0; part <= plan->parts; part++) {
        i = ends[part];
        ends[part] = end;
        end += i;
    }
    for (i = 0; i < n; i++) plan->order[ends[part_of[plan->keys[i]]]++] = i;
}
#endif

/* Finds where the entries of a part start: those of its cells and of the cells above; returns how
   many they are. next[rank]: where to put the next, or SPT_NONE for those of other parts. */
static spt_i32 spti_part_starts(const spti_plan *plan, int part, int s, spt_i32 first,
                                spt_i32 *starts, spt_i32 *next)
{
    const spti_tree *tree = &plan->tree;
    const spt_i32 *all = tree->starts[s];
    const spt_u32 from = plan->cuts[part], to = plan->cuts[part + 1];
    const spt_u32 ranks = tree->nodes[tree->levels];
    spt_u32 r, above = 0;
    int up = tree->levels;
    for (r = 0; r < ranks; r++) {
        starts[r] = first;
        next[r] = SPT_NONE;
        if (r == above && r < from) /* on the way to the first cell of the part */
            up--, above += 1 + (from - r - 1) / tree->nodes[up] * tree->nodes[up];
        else if (r < from || r >= to)
            continue;
        next[r] = first;
        first += all[r + 1] - all[r];
    }
    starts[ranks] = first;
    return first;
}

/* Loads box i as the next of those of its rank. */
static void spti_load_box(spti_entry *entries, const spt_box *box, spt_i32 i, spt_i32 *next)
{
    spt_i32 at = *next;
    spti_entry *e = &entries[at];
    *next = at + 1;
#ifdef SPTI_CAN_PREFETCH
    SPTI_PREFETCH(e + 4); /* to be written by the next in this cell: it may be far */
#endif
    e->box = *box;
    e->id = i;
}

#ifdef SPTI_GROWS
/* Loads what is listed from `from` to `to` and not of other parts. */
static void spti_load_listed(spti_walk *w, const spti_plan *plan, spt_i32 from, spt_i32 to)
{
    const spti_boxes *boxes = &plan->boxes[0];
    const spt_i32 *order = plan->order;
    spt_i32 *next, i;
    for (i = from; i < to; i++) {
#ifdef SPTI_CAN_PREFETCH
        SPTI_PREFETCH(spti_box_at(boxes, order[i + SPTI_SOON < to ? i + SPTI_SOON : i]));
#endif
        next = &w->next[plan->keys[order[i]]];
        if (*next != SPT_NONE)
            spti_load_box(w->entries, spti_box_at(boxes, order[i]), order[i], next);
    }
}
#endif

/* Loads the entries of a part in the order of their ranks. */
static void spti_load(spti_walk *w, const spti_plan *plan, int part)
{
    const spti_u16 *keys = plan->keys;
#ifdef SPTI_GROWS
    const spt_i32 *ends = plan->order_ends;
#endif
    spti_tree *tree = &w->trees[0];
    spti_entry *entries = w->entries;
    spt_i32 *starts[2], *next = w->next, i, first = 0;
    spti_boxes boxes;
    int s;
    starts[0] = tree->starts[0], starts[1] = tree->starts[1];
    *tree = plan->tree;
    tree->refs = NULL;
    for (s = 0; s < 2 && s < plan->sets; s++) {
        tree->counts[s] = plan->tree.starts[s];
        tree->starts[s] = starts[s];
        first = spti_part_starts(plan, part, s, first, starts[s], next);
        boxes = plan->boxes[s];
        for (i = 0; i < boxes.n && plan->parts == 1; i++, keys++)
            if (*keys != SPTI_GAP)
                spti_load_box(entries, spti_box_at(&boxes, i), i, &next[*keys]);
    }
#ifdef SPTI_GROWS
    if (plan->parts == 1) return;
    spti_load_listed(w, plan, part > 0 ? ends[part - 1] : 0, ends[part]);
    spti_load_listed(w, plan, ends[plan->parts - 1], ends[plan->parts]);
#endif
}

/* Begins a call for the boxes a and, if not NULL, b. On errors the broadphase has no boxes. */
static int spti_begin(spt_broadphase *bp, spti_plan **plan, const spti_boxes *a,
                      const spti_boxes *b)
{
    spti_plan *p;
    int error;
    bp->count = 0;
    bp->parts = 0;
    if (a->n < 0 || (b && b->n < 0)) return SPT_ERR_ARGUMENT;
    if (b && b->n > SPTI_I32_MAX - a->n) return SPT_ERR_MEMORY;
    error = spti_broadphase_reserve(bp, b ? a->n + b->n : a->n);
    if (error || !bp->block) return error;
    (void)spti_plan_init(plan, bp->block, bp->capacity);
    p = *plan;
    p->boxes[0] = *a;
    if (b) p->boxes[1] = *b;
    p->sets = b ? 2 : 1;
    p->n = b ? a->n + b->n : a->n;
    p->parts = 1;
    error = spti_plan_boxes(p, &p->walk);
    p->cuts[0] = 0, p->cuts[1] = p->tree.nodes[p->tree.levels];
    if (!error) bp->count = p->tree.total;
    return error;
}

/* Appends the pairs of a part to out. */
static spt_i32 spti_part_pairs(spti_walk *w, const spti_plan *plan, int part, spt_intlist *out)
{
    spt_i32 before = out->count;
    int error;
    w->out = out;
    w->sets = plan->sets;
    spti_load(w, plan, part);
    spti_walk_limits(w, plan->n);
    error = spti_walk_pairs(w, (spt_u32)plan->cuts[part], (spt_u32)plan->cuts[part + 1]);
    return spti_appended(out, before, error);
}

/* Appends to out all pairs within the boxes a (b is NULL), or between a and b. */
static spt_i32 spti_all_pairs(spt_broadphase *bp, const spti_boxes *a, const spti_boxes *b,
                              spt_intlist *out)
{
    spti_plan *plan;
    int error = spti_begin(bp, &plan, a, b);
    spt_i32 n;
    if (out->fields != 2) bp->count = 0, error = SPT_ERR_ARGUMENT;
    if (error || !bp->block) return error;
    n = spti_part_pairs(&plan->walk, plan, 0, out);
    if (n < 0) bp->count = 0;
    return n;
}

/* ============================================================================================== */
/* CALLS                                                                                     >>calls

   The functions of the broadphase, and the pairs of the structures, which are theirs. */

SPTI_API int spt_broadphase_init(spt_broadphase *bp, const spt_broadphase_desc *desc)
{
    int error;
    spti_zero(bp, sizeof *bp);
    if (!desc) return SPT_OK;
    if (desc->capacity < 0) return SPT_ERR_ARGUMENT;
    bp->allocator = desc->allocator;
    error = spti_broadphase_reserve(bp, desc->capacity);
    bp->fixed = desc->capacity > 0;
    if (error) spti_zero(bp, sizeof *bp);
    return error;
}

SPTI_API void spt_broadphase_free(spt_broadphase *bp)
{
    spti_free(&bp->allocator, bp->block, bp->bytes);
    spti_zero(bp, sizeof *bp);
}

SPTI_API size_t spt_broadphase_bytes_for(const spt_broadphase_desc *desc)
{
    spti_plan *plan;
    if (!desc || desc->capacity <= 0 || desc->capacity > SPTI_ID) return 0;
    return spti_plan_init(&plan, NULL, desc->capacity);
}

SPTI_API size_t spt_broadphase_bytes(const spt_broadphase *bp)
{
    return bp->bytes;
}

static void spti_boxes_init(spti_boxes *boxes, const spt_box *first, spt_i32 n)
{
    boxes->first = first;
    boxes->stride = sizeof *first;
    boxes->n = n;
    boxes->gaps = 0;
}

SPTI_API spt_i32 spt_broadphase_pairs(spt_broadphase *bp, const spt_box *boxes, spt_i32 n,
                                      spt_intlist *out)
{
    spti_boxes a;
    spti_boxes_init(&a, boxes, n);
    return spti_all_pairs(bp, &a, NULL, out);
}

SPTI_API spt_i32 spt_broadphase_pairs_between(spt_broadphase *bp, const spt_box *a, spt_i32 na,
                                              const spt_box *b, spt_i32 nb, spt_intlist *out)
{
    spti_boxes first, second;
    spti_boxes_init(&first, a, na);
    spti_boxes_init(&second, b, nb);
    return spti_all_pairs(bp, &first, &second, out);
}

#ifdef SPTI_GROWS
SPTI_API int spt_broadphase_split(spt_broadphase *bp, const spt_box *boxes, spt_i32 n, int parts)
{
    spti_plan *plan;
    spti_boxes a;
    spt_i32 most;
    int error, part;
    spti_boxes_init(&a, boxes, n);
    error = spti_begin(bp, &plan, &a, NULL);
    if (parts < 1) bp->count = 0, error = SPT_ERR_ARGUMENT;
    if (error || !bp->block) return error;
    plan->most = plan->tree.total;
    spti_plan_cuts(plan, SPTI_LESS(parts, SPTI_PARTS));
    if (plan->parts > 1) {
        spti_plan_order(plan, plan->walk.next);
        for (part = 0, plan->most = 0; part < plan->parts; part++) {
            most = spti_part_starts(plan, part, 0, (spt_i32)0, plan->walk.trees[0].starts[0],
                                    plan->walk.next);
            if (most > plan->most) plan->most = most;
        }
    }
    bp->parts = plan->parts;
    return bp->parts;
}

/* Lays out the memory of a part; returns its bytes. */
static size_t spti_part_init(const spt_broadphase *bp, spti_walk *w, unsigned char *block)
{
    const spti_plan *plan = (const spti_plan *)(const void *)bp->block;
    size_t used = 0;
    if (bp->parts == 0) return 0;
    spti_walk_init(w, block, &used, plan->most, bp->capacity);
    return used <= SPTI_SIZE_MAX / 2 ? used : 0;
}

SPTI_API size_t spt_broadphase_part_bytes(const spt_broadphase *bp)
{
    spti_walk w;
    return spti_part_init(bp, &w, NULL);
}

SPTI_API spt_i32 spt_broadphase_part(const spt_broadphase *bp, int part, void *scratch,
                                     spt_intlist *out)
{
    spti_walk w;
    if (part < 0 || part >= bp->parts || !scratch || out->fields != 2) return SPT_ERR_ARGUMENT;
    (void)spti_part_init(bp, &w, (unsigned char *)scratch);
    return spti_part_pairs(&w, (const spti_plan *)(const void *)bp->block, part, out);
}
#endif

SPTI_API int spt_broadphase_traverse(spt_broadphase *bp, spt_cell_fn fn, void *ctx)
{
    spti_plan *plan;
    spti_walk *w;
    const spti_frame *f;
    spti_range own[2];
    spt_box box;
    spt_i32 n;
    int s, stop;
    if (bp->count == 0) return 0;
    (void)spti_plan_init(&plan, bp->block, bp->capacity);
    w = &plan->walk;
    plan->tree.refs = NULL;
    plan->tree.counts[0] = plan->tree.starts[0], plan->tree.counts[1] = plan->tree.starts[1];
    w->sets = plan->sets;
    w->depth = 0;
    spti_enter_root(w, &plan->tree, (spt_i32)0);
    for (;;) {
        f = &w->frames[w->depth];
        n = spti_entries_below(w);
        if (f->up == 0 || n <= spti_leaf_for(plan->n)) {
            w->frames[w->depth].child = 4;
        } else {
            for (s = 0, n = 0; s < w->sets; s++) {
                spti_own(f, s, 0, &own[s]);
                n += spti_range_size(&own[s]);
            }
        }
        spti_cell_box(f, 0, &box);
        stop = fn(ctx, &box, f->tree->levels - f->up, n);
        if (stop) return stop;
        while (!spti_next_child(w))
            if (w->depth-- == 0) return 0;
    }
}

SPTI_API int spt_broadphase_check(spt_broadphase *bp)
{
    spti_plan *plan;
    const spt_i32 *starts;
    spt_u32 r;
    spt_i32 i, n;
    int s;
    if (bp->count < 0 || bp->count > bp->capacity) return 0;
    if ((bp->block == NULL) != (bp->capacity == 0)) return 0;
    if (!bp->block) return bp->bytes == 0;
    if (bp->bytes != spti_plan_init(&plan, bp->block, bp->capacity)) return 0;
    if (bp->count == 0) return 1;
    if (plan->tree.total != bp->count) return 0;
    for (s = 0, i = 0, n = 0; s < plan->sets; s++, n = 0) {
        starts = plan->tree.starts[s];
        for (r = 0; r < plan->tree.nodes[plan->tree.levels]; r++) {
            if (starts[r] > starts[r + 1]) return 0;
            n += starts[r + 1] - starts[r];
        }
        for (r = 0; r < (spt_u32)plan->boxes[s].n; r++, i++)
            if (plan->keys[i] != SPTI_GAP) n--;
        if (n != 0) return 0;
    }
    return 1;
}
#endif

#ifdef SPTI_TABLE
/* --- pairs of elements ------------------------------------------------------------------------ */

/* Every structure finds its pairs by a broadphase over the boxes of its table, whose life follows
   the structure's. */
#ifndef SPATIAL_NO_BROADPHASE
static size_t spti_pairs_bytes_for(spt_i32 capacity, int no_pairs)
{
    spt_broadphase_desc desc;
    size_t bytes;
    if (capacity == 0 || no_pairs) return 0;
    desc.capacity = capacity;
    bytes = spt_broadphase_bytes_for(&desc);
    return bytes ? bytes : SPTI_SIZE_MAX;
}

static int spti_pairs_init(spt_broadphase *bp, const spt_allocator *allocator, spt_i32 capacity,
                           int no_pairs)
{
    spt_broadphase_desc desc;
    int error;
    desc.capacity = no_pairs ? 0 : capacity;
    desc.allocator = *allocator;
    error = spt_broadphase_init(bp, &desc);
    bp->fixed = capacity > 0;
    return error;
}

static spt_i32 spti_table_pairs(spt_broadphase *bp, const spti_table *table, spt_intlist *out)
{
    spti_boxes boxes;
    if (out->fields == 2 && bp->fixed && !bp->block) return SPT_ERR_FULL; /* desc.no_pairs */
    spti_boxes_init(&boxes, table->boxes, table->count < 2 ? 0 : table->size);
    boxes.gaps = 1;
    return spti_all_pairs(bp, &boxes, NULL, out);
}

#define SPTI_PAIRS_INIT(x, desc)                                                                   \
    spti_pairs_init(&(x)->broadphase, &(x)->allocator, (desc)->capacity, (desc)->no_pairs)
#define SPTI_PAIRS_FREE(x) spt_broadphase_free(&(x)->broadphase)
#define SPTI_PAIRS_BYTES(x) (x)->broadphase.bytes
#define SPTI_PAIRS_VERB(X)                                                                         \
    SPTI_API spt_i32 spt_##X##_pairs(spt_##X *x, spt_intlist *out)                                 \
    {                                                                                              \
        return spti_table_pairs(&x->broadphase, &x->table, out);                                   \
    }
#else
#define spti_pairs_bytes_for(capacity, no_pairs) 0
#define SPTI_PAIRS_INIT(x, desc) SPT_OK
#define SPTI_PAIRS_FREE(x) ((void)0)
#define SPTI_PAIRS_BYTES(x) 0
#define SPTI_PAIRS_VERB(X)                                                                         \
    SPTI_API spt_i32 spt_##X##_pairs(spt_##X *x, spt_intlist *out)                                 \
    {                                                                                              \
        (void)x;                                                                                   \
        return out->fields == 2 ? SPT_ERR_FULL : SPT_ERR_ARGUMENT;                                 \
    }
#endif
#endif

#ifndef SPATIAL_NO_LINEAR
/* ============================================================================================== */
/* LINEAR                                                                                >>linear

   Two kinds of lists of elements, their heads in one array:

     heads   | a list a cell, by node number | lines of level 0 | lines of level 1 | ...

   An element goes to the smallest cell that holds it. On the finest level that is a list of all
   that lie in one cell; on every other level it is what straddles the cell's middle lines, and
   that may be much: of n small boxes, sqrt(n) straddle the middle of the world. So, but for the
   two levels above the finest, each cell has two lines in place of its list, one for what
   straddles the vertical middle line and one for the rest, each a binary tree over the length of
   the line, linear again: an element is in the list of the smallest piece of the line that holds
   it and that is at least half as long as the element reaches away from the line.

         +-------+-------+     heads of one line of a cell 2^up finest cells high:
         |       #       |         1              the whole line
         |   <-- # -->   |     2       3          its halves
         |- - -<-#->- - -|    4 5     6 7         quarters ... down to finest cells
         |       #       |
         +-------+-------+    node number 2^k + i: piece i of 2^k; parent h/2, children 2h, 2h+1

   All of it follows from XOR and the highest bit, so that insert, move and remove are O(1) with no
   search. A query walks down the cells it touches and, in each, down the two lines, but only as
   long as the elements of a piece may reach it (the arrows): some levels^2 lists at worst, however
   many elements straddle, where a plain list would cost it sqrt(n). Long elements that cross the
   line lie in long pieces, and queries anywhere near pay for those.

   Marks: a head is an element's id, SPTI_EMPTY, or SPTI_BARREN, which says that there is nothing
   in the list nor anywhere below. Invariant: what is not barren has no barren parent. Insert
   lifts the marks on its way up until it meets one that is lifted; remove leaves them, and tidy
   sets them again, parent after children, a few each call.

   Sources: the two binary trees of a cell are those of the MX-CIF quadtree (G. Kedem, "The quad-CIF
   tree", DAC 1982); linear quadtrees: Gargantini 1982. */

#define SPTI_EMPTY (-1)
#define SPTI_BARREN (-2)

/* An element may reach 2^SPTI_REACH times the length of its piece from the line. Each step more
   halves what a query costs among long elements that cross the line, and adds a seventh to the
   cost of all others. */
#define SPTI_REACH 1

SPTI_STATIC_ASSERT(levels_fit_nodes, SPT_LINEAR_MAX_LEVELS <= SPT_MORTON_MAX_LEVELS);
SPTI_STATIC_ASSERT(unlinked_is_empty, SPTI_EMPTY == SPT_NONE);

/* Cells of levels below this one have lines. */
static int spti_line_levels(int levels)
{
    return levels > 2 ? levels - 2 : 0;
}

/* Where the heads of a line begin: level l has 4^l cells with two lines of 2 * 2^(levels-l) heads
   each (head 0 of a line is not used), so all lines before level l have 4 * 2^levels * (2^l - 1)
   heads. */
static spt_u32 spti_line(int levels, int level, spt_u32 code, spt_u32 axis)
{
    spt_u32 before = (((spt_u32)1 << level) - 1) << (levels + 2);
    return spt_morton_nodes(levels) + before + ((2 * code + axis) << (levels - level + 1));
}

static spt_i32 spti_linear_heads(int levels)
{
    return (spt_i32)spti_line(levels, spti_line_levels(levels), (spt_u32)0, (spt_u32)0);
}

/* Where a box belongs: the head of its list. */
static spt_i32 spti_linear_place(const spt_linear *tree, const spt_box *box)
{
    spti_cells c;
    spt_u32 code, from, to, low, high, middle, reach;
    int level, up, axis, more;

    spti_cells_of(&tree->map, box, &c);
    level = spt_morton_cell(c.x0, c.y0, c.x1, c.y1, tree->levels, &code);
    if (level >= spti_line_levels(tree->levels)) return (spt_i32)spt_morton_node(level, code);
    up = tree->levels - level;
    SPATIAL_ASSERT(up > 0); /* only cells that have cells below them have lines */
    axis = (((c.x0 ^ c.x1) >> (up - 1)) & 1) == 0; /* 0: across the vertical middle line */
    from = axis ? c.x0 : c.y0, to = axis ? c.x1 : c.y1;
    low = axis ? c.y0 : c.x0, high = axis ? c.y1 : c.x1;
    middle = high >> (up - 1) << (up - 1); /* first cell behind the line */
    reach = (high - middle) | (middle - 1 - low); /* as far as the highest bit is concerned */
    more = spti_bits((from ^ to) | (reach >> SPTI_REACH)); /* what asks for the longer piece */
    from &= ((spt_u32)1 << up) - 1;
    return (spt_i32)(spti_line(tree->levels, level, code, (spt_u32)axis) +
                     ((spt_u32)1 << (up - more)) + (from >> more));
}

/* Takes the number of a head that is one of a line apart: returns the level of the line's cell, and
   in *piece the node number within the line, in *line twice the code of the cell, plus the axis. */
static int spti_linear_piece(const spt_linear *tree, spt_u32 head, spt_u32 *piece, spt_u32 *line)
{
    spt_u32 rest = head - spt_morton_nodes(tree->levels);
    int level = spti_bits(((rest >> (tree->levels + 2)) + 1) / 2), up = tree->levels - level;
    rest -= (((spt_u32)1 << level) - 1) << (tree->levels + 2);
    *piece = rest & (((spt_u32)2 << up) - 1);
    *line = rest >> (up + 1);
    return level;
}

/* The head whose marks tell about this one. The root's is itself. */
static spt_u32 spti_linear_parent(const spt_linear *tree, spt_u32 head)
{
    spt_u32 piece, line;
    int level;
    if (head == 0) return 0;
    if (head < spt_morton_nodes(tree->levels)) return spt_morton_parent(head);
    level = spti_linear_piece(tree, head, &piece, &line);
    return piece > 1 ? head - piece + piece / 2 : spt_morton_node(level, line / 2);
}

static int spti_cells_equal(const spti_cells *a, const spti_cells *b)
{
    return ((a->x0 ^ b->x0) | (a->y0 ^ b->y0) | (a->x1 ^ b->x1) | (a->y1 ^ b->y1)) == 0;
}

/* Puts element id into its list, which makes that known from there up to the root. */
static void spti_linear_link(spt_linear *tree, spt_i32 id, spt_i32 list)
{
    spt_u32 head = (spt_u32)list;
    for (; tree->heads[head] == SPTI_BARREN; head = spti_linear_parent(tree, head))
        tree->heads[head] = SPTI_EMPTY;
    spti_link(tree->table.elements, &tree->heads[list], id, list);
}

static void spti_linear_unlink(spt_linear *tree, spt_i32 id)
{
    spti_element *elements = tree->table.elements;
    if (spti_unlink(elements, &tree->heads[elements[id].list], id)) tree->emptied = 1;
}

/* --- life ------------------------------------------------------------------------------------- */

#define SPTI_LINEAR_START 64 /* ids that a growing tree begins with */

static int spti_linear_default_levels(spt_i32 ids)
{
    int levels = (spti_bits((spt_u32)ids / 2) - 1) / 2; /* 4^levels <= ids / 2 */
    if (levels < 2) return 2;
    return levels < SPT_LINEAR_MAX_LEVELS ? levels : SPT_LINEAR_MAX_LEVELS;
}

static size_t spti_linear_head_bytes(spt_i32 heads)
{
    return spti_bytes((spt_u32)heads, sizeof(spt_i32));
}

static void spti_linear_bare(spt_linear *tree)
{
    spt_i32 i;
    for (i = 0; i < tree->head_count; i++) tree->heads[i] = SPTI_BARREN;
    tree->emptied = 0;
    tree->cursor = 0;
}

/* Gives the tree, which may be empty, room for ids below size and as many levels. On
   SPT_ERR_MEMORY it is as it was. */
static int spti_linear_grow(spt_linear *tree, spt_i32 size, int levels)
{
    spt_i32 head_count = spti_linear_heads(levels), i;
    size_t bytes = spti_linear_head_bytes(head_count);
    spt_i32 *heads = tree->heads;

    if (levels != tree->levels)
        heads = bytes ? (spt_i32 *)spti_alloc(&tree->allocator, bytes) : NULL;
    if (!heads) return SPT_ERR_MEMORY;
    if (spti_table_grow(&tree->table, &tree->allocator, size) != SPT_OK) {
        if (heads != tree->heads) spti_free(&tree->allocator, heads, bytes);
        return SPT_ERR_MEMORY;
    }
    if (heads == tree->heads) return SPT_OK;
    spti_free(&tree->allocator, tree->heads, spti_linear_head_bytes(tree->head_count));
    tree->heads = heads;
    tree->head_count = head_count;
    tree->levels = levels;
    spti_linear_bare(tree);
    spti_map_init(&tree->map, &tree->bounds, levels, levels);
    for (i = 0; i < size; i++)
        if (spti_table_has(&tree->table, i))
            spti_linear_link(tree, i, spti_linear_place(tree, &tree->table.boxes[i]));
    return SPT_OK;
}

/* Reads a desc: how many ids and levels to begin with. */
static int spti_linear_plan(const spt_linear_desc *desc, spt_i32 *ids, int *levels)
{
    if (!desc || desc->capacity < 0 || !spti_bounds_valid(&desc->bounds)) return SPT_ERR_ARGUMENT;
    if (desc->levels < 0 || desc->levels > SPT_LINEAR_MAX_LEVELS) return SPT_ERR_ARGUMENT;
    *ids = desc->capacity ? desc->capacity : SPTI_LINEAR_START;
    *levels = desc->levels ? desc->levels : spti_linear_default_levels(*ids);
    return SPT_OK;
}

SPTI_API size_t spt_linear_bytes_for(const spt_linear_desc *desc)
{
    size_t used = 0;
    spt_i32 ids;
    int levels;

    if (spti_linear_plan(desc, &ids, &levels) != SPT_OK) return 0;
    (void)spti_piece(NULL, &used, (spt_u32)ids, SPTI_TABLE_BYTES);
    (void)spti_piece(NULL, &used, (spt_u32)spti_linear_heads(levels), sizeof(spt_i32));
    return spti_total(used, spti_pairs_bytes_for(desc->capacity, desc->no_pairs));
}

SPTI_API int spt_linear_init(spt_linear *tree, const spt_linear_desc *desc)
{
    spt_i32 ids;
    int levels, error = spti_linear_plan(desc, &ids, &levels);

    spti_zero(tree, sizeof *tree);
    if (error) return error;
    tree->allocator = desc->allocator;
    tree->bounds = desc->bounds;
    tree->fixed = desc->capacity > 0;
    tree->auto_levels = desc->levels == 0;
    error = spti_linear_grow(tree, ids, levels);
    if (!error) error = SPTI_PAIRS_INIT(tree, desc);
    if (error) spt_linear_free(tree);
    return error;
}

SPTI_API void spt_linear_free(spt_linear *tree)
{
    /* In the reverse of the order of allocation, for an arena takes back only the last piece. */
    SPTI_PAIRS_FREE(tree);
    spti_free(&tree->allocator, tree->table.boxes, spti_table_bytes(tree->table.size));
    spti_free(&tree->allocator, tree->heads, spti_linear_head_bytes(tree->head_count));
    spti_zero(tree, sizeof *tree);
}

SPTI_API void spt_linear_clear(spt_linear *tree)
{
    spti_linear_bare(tree);
    spti_table_clear(&tree->table, (spt_i32)0);
    tree->table.count = 0;
}

SPTI_API size_t spt_linear_bytes(const spt_linear *tree)
{
    if (!tree->heads) return 0;
    return spti_table_bytes(tree->table.size) + spti_linear_head_bytes(tree->head_count) +
           SPTI_PAIRS_BYTES(tree);
}

/* --- mutation --------------------------------------------------------------------------------- */

SPTI_API int spt_linear_insert(spt_linear *tree, spt_i32 id, const spt_box *box)
{
    spt_i32 size;
    int error = spti_table_may_insert(&tree->table, id, box, tree->fixed, &size);
    int levels = tree->levels;
    spt_box copy; /* box may lie in the table, which moves when it grows */

    if (error) return error;
    copy = *box;
    if (size > tree->table.size) {
        if (tree->auto_levels) levels = spti_linear_default_levels(size);
        error = spti_linear_grow(tree, size, levels);
        if (error) return error;
    }
    tree->table.boxes[id] = copy;
    tree->table.count++;
    spti_linear_link(tree, id, spti_linear_place(tree, &copy));
    return SPT_OK;
}

/* Gives element id, which is there, a valid box. */
static int spti_linear_change(spt_linear *tree, spt_i32 id, const spt_box *box)
{
    spti_cells from, to;
    spt_i32 list;

    spti_cells_of(&tree->map, &tree->table.boxes[id], &from);
    spti_cells_of(&tree->map, box, &to);
    tree->table.boxes[id] = *box;
    if (spti_cells_equal(&from, &to)) return SPT_OK; /* mostly, and faster than to see where */
    list = spti_linear_place(tree, box);
    if (list == tree->table.elements[id].list) return SPT_OK;
    spti_linear_unlink(tree, id);
    spti_linear_link(tree, id, list);
    return SPT_OK;
}

SPTI_API int spt_linear_remove(spt_linear *tree, spt_i32 id)
{
    if (!spti_table_has(&tree->table, id)) return SPT_ERR_ID;
    spti_linear_unlink(tree, id);
    spti_table_remove(&tree->table, id);
    return SPT_OK;
}

/* 1 if there is nothing below this head, which is that of a line's piece or of a cell. */
static int spti_linear_bare_below(const spt_linear *tree, spt_u32 head)
{
    const spt_i32 *heads = tree->heads;
    spt_u32 code, piece;
    int level, q;

    if (head >= spt_morton_nodes(tree->levels)) {
        level = spti_linear_piece(tree, head, &piece, &code);
        if (piece >> (tree->levels - level)) return 1; /* the finest piece */
        return heads[head + piece] == SPTI_BARREN && heads[head + piece + 1] == SPTI_BARREN;
    }
    level = spt_morton_level(head, &code);
    for (q = 0; q < 4 && level < tree->levels; q++)
        if (heads[spt_morton_child(head, q)] != SPTI_BARREN) return 0;
    for (q = 0; q < 2 && level < spti_line_levels(tree->levels); q++)
        if (heads[spti_line(tree->levels, level, code, (spt_u32)q) + 1] != SPTI_BARREN) return 0;
    return 1;
}

SPTI_API void spt_linear_tidy(spt_linear *tree)
{
    spt_i32 work = tree->head_count < 32 * 8192L ? tree->head_count / 32 + 64 : 8192;
    for (; work > 0; work--) {
        if (tree->cursor == 0) { /* begin at the end: there parents come after their children */
            if (tree->emptied == 0) return;
            tree->emptied = 0;
            tree->cursor = tree->head_count;
        }
        tree->cursor--;
        if (tree->heads[tree->cursor] == SPTI_EMPTY &&
            spti_linear_bare_below(tree, (spt_u32)tree->cursor))
            tree->heads[tree->cursor] = SPTI_BARREN;
    }
}

/* --- query ------------------------------------------------------------------------------------ */

typedef struct spti_search {
    const spt_linear *tree;
    const spt_box *box;
    spti_cells cells; /* that the box reaches into */
    spt_visit_fn fn;  /* is called for each element that overlaps the box */
    void *ctx;
    spt_cell_fn cell; /* unless NULL: is called for each cell, whose elements fn has counted */
    void *cell_ctx;
    spt_i32 count;
} spti_search;

static int spti_search_list(const spti_search *s, spt_i32 id)
{
    const spti_table *table = &s->tree->table;
    for (; id >= 0; id = table->elements[id].at.links.next)
        if (spt_box_overlap(&table->boxes[id], s->box)) {
            int stop = s->fn(s->ctx, id, &table->boxes[id]);
            if (stop) return stop;
        }
    return 0;
}

/* Looks through a line of a cell of 2^up by 2^up finest cells, of which the box reaches into those
   from .. to along the line and low .. high across it. */
static int spti_search_line(const spti_search *s, const spt_i32 *line, int up, spt_u32 from,
                            spt_u32 to, spt_u32 low, spt_u32 high)
{
    spt_u32 side = (spt_u32)1 << up, half = side / 2, away = 0, length = side, piece;
    int barren = line[1] == SPTI_BARREN, stop;

    if (half > high) away = half - high;
    if (half <= low) away = low - half + 1;
    for (; length > 0 && !barren && length << SPTI_REACH >= away; length /= 2, up--) {
        barren = 1;
        for (piece = (side + from) >> up; piece <= (side + to) >> up; piece++) {
            if (line[piece] == SPTI_BARREN) continue;
            barren = 0;
            stop = spti_search_list(s, line[piece]);
            if (stop) return stop;
        }
    }
    return 0;
}

/* Looks through what a cell itself holds. x, y: the cell on its level. */
static int spti_search_cell(const spti_search *s, int level, spt_u32 code, spt_u32 x, spt_u32 y)
{
    const spt_linear *tree = s->tree;
    const spti_cells *c = &s->cells;
    const spt_i32 *line[2];
    int up = tree->levels - level, stop;
    spt_u32 last = ((spt_u32)1 << up) - 1, x0, y0, x1, y1;
    if (level >= spti_line_levels(tree->levels))
        return spti_search_list(s, tree->heads[spt_morton_node(level, code)]);
    line[0] = tree->heads + spti_line(tree->levels, level, code, (spt_u32)0);
    line[1] = line[0] + 2 * (last + 1);
    if (line[0][1] == SPTI_BARREN && line[1][1] == SPTI_BARREN) return 0;
    x <<= up, y <<= up;
    x0 = c->x0 > x ? c->x0 - x : 0, x1 = c->x1 - x < last ? c->x1 - x : last;
    y0 = c->y0 > y ? c->y0 - y : 0, y1 = c->y1 - y < last ? c->y1 - y : last;
    stop = spti_search_line(s, line[0], up, y0, y1, x0, x1);
    return stop ? stop : spti_search_line(s, line[1], up, x0, x1, y0, y1);
}

/* Tells s->cell of a cell whose elements were counted. */
static int spti_search_tell(spti_search *s, int level, spt_u32 code)
{
    spt_box box;
    spt_i32 count = s->count;
    s->count = 0;
    spt_morton_box(level, code, &s->tree->bounds, &box);
    return s->cell(s->cell_ctx, &box, level, count);
}

/* A walk down the cells that the box touches: a cell waits as its code with a 1 before it, which
   also tells the level. */
static int spti_search_tree(spti_search *s)
{
    spt_u32 stack[3 * SPT_LINEAR_MAX_LEVELS + 1], code, x, y, bit;
    const spti_cells *c = &s->cells;
    int top = 0, level, q, up, stop;

    spti_cells_of(&s->tree->map, s->box, &s->cells);
    for (stack[top++] = 1; top > 0;) {
        code = stack[--top];
        level = (spti_bits(code) - 1) / 2;
        bit = (spt_u32)1 << (2 * level);
        if (s->tree->heads[spt_morton_node(level, code - bit)] == SPTI_BARREN) continue;
        spt_morton_deinterleave(code - bit, &x, &y);
        stop = spti_search_cell(s, level, code - bit, x, y);
        if (s->cell && !stop) stop = spti_search_tell(s, level, code - bit);
        if (stop) return stop;
        up = s->tree->levels - level - 1;
        for (q = 3; q >= 0 && up >= 0; q--) { /* pushed backwards, so visited in Morton order */
            spt_u32 cx = 2 * x + ((spt_u32)q & 1), cy = 2 * y + ((spt_u32)q >> 1);
            if (c->x0 >> up <= cx && cx <= c->x1 >> up && c->y0 >> up <= cy && cy <= c->y1 >> up)
                stack[top++] = 4 * code + (spt_u32)q;
        }
    }
    return 0;
}

SPTI_API int spt_linear_visit(const spt_linear *tree, const spt_box *box, spt_visit_fn fn,
                              void *ctx)
{
    spti_search s;
    if (!spt_box_valid(box)) return SPT_ERR_ARGUMENT;
    if (!tree->heads) return 0;
    s.tree = tree;
    s.box = box;
    s.fn = fn;
    s.ctx = ctx;
    s.cell = NULL;
    return spti_search_tree(&s);
}

/* A visit function that appends to a list. */
static int spti_collect(void *ctx, spt_i32 id, const spt_box *box) SPT_CALLBACK
{
    spt_intlist *out = (spt_intlist *)ctx;
    spt_i32 *place = spti_list_room(out, (spt_i32)1);
    (void)box;
    if (!place) return SPT_ERR_MEMORY;
    *place = id;
    out->count++;
    return 0;
}

SPTI_API spt_i32 spt_linear_query(const spt_linear *tree, const spt_box *box, spt_intlist *out)
{
    spt_i32 before = out->count;
    if (out->fields != 1) return SPT_ERR_ARGUMENT;
    return spti_appended(out, before, spt_linear_visit(tree, box, spti_collect, out));
}

/* Most moves stay in their cells, and read nothing but the element. */
SPTI_VERBS(linear, spti_no_ahead)
SPTI_PAIRS_VERB(linear)

/* --- traverse and check ----------------------------------------------------------------------- */

static int spti_search_count(void *ctx, spt_i32 id, const spt_box *box) SPT_CALLBACK
{
    (void)id, (void)box;
    ++*(spt_i32 *)ctx;
    return 0;
}

/* Visits everything; returns what fn, if any, stopped with. *count: elements seen since the last
   cell that fn was told of. */
static int spti_search_all(const spt_linear *tree, spt_cell_fn fn, void *ctx, spt_i32 *count)
{
    spti_search s;
    spt_box all;
    int stop;
    all.min_x = all.min_y = spti_lowest();
    all.max_x = all.max_y = spti_highest();
    s.tree = tree;
    s.box = &all;
    s.fn = spti_search_count;
    s.ctx = &s.count;
    s.cell = fn;
    s.cell_ctx = ctx;
    s.count = 0;
    stop = spti_search_tree(&s);
    *count = s.count;
    return stop;
}

SPTI_API int spt_linear_traverse(const spt_linear *tree, spt_cell_fn fn, void *ctx)
{
    spt_i32 count;
    return tree->heads ? spti_search_all(tree, fn, ctx, &count) : 0;
}

/* 1 if element id is linked where it should be, from both sides. */
static int spti_linear_check_element(const spt_linear *tree, spt_i32 id)
{
    const spti_table *table = &tree->table;
    const spti_element *e = &table->elements[id], *other;
    if (spti_linear_place(tree, &table->boxes[id]) != e->list) return 0;
    if (e->at.links.prev < 0 && tree->heads[e->list] != id) return 0;
    if (e->at.links.next < 0) return 1;
    if (!spti_table_has(table, e->at.links.next)) return 0;
    other = &table->elements[e->at.links.next];
    return other->at.links.prev == id && other->list == e->list;
}

SPTI_API int spt_linear_check(const spt_linear *tree)
{
    const spti_table *table = &tree->table;
    spt_i32 count, i, id;

    if (!tree->heads) return table->size == 0 && table->count == 0;
    if (tree->head_count != spti_linear_heads(tree->levels)) return 0;
    if (tree->cursor < 0 || tree->cursor > tree->head_count) return 0;
    if (!spti_table_check(table)) return 0;
    for (i = 0; i < table->size; i++)
        if (spti_table_has(table, i) && !spti_linear_check_element(tree, i)) return 0;
    for (i = 0; i < tree->head_count; i++) {
        id = tree->heads[i];
        if (id >= 0 && !(spti_table_has(table, id) && table->elements[id].list == i &&
                         table->elements[id].at.links.prev < 0))
            return 0;
        if (id != SPTI_BARREN && tree->heads[spti_linear_parent(tree, (spt_u32)i)] == SPTI_BARREN)
            return 0;
    }
    (void)spti_search_all(tree, NULL, NULL, &count); /* links that agree form no ring */
    return count == table->count;
}
#endif

#ifndef SPATIAL_NO_QUADTREE
/* ============================================================================================== */
/* QUADTREE                                                                            >>quadtree

   Nodes have no boxes and elements no nodes: all geometry is that of the finest cells, 2^max_depth
   by 2^max_depth of them. An element keeps the cells that it reaches into (its span); a walk from
   the root halves the range of cells at each level, along both axes, and compares its centre with
   spans or with the cells of a query. So there is one map from coordinates to cells, and what
   touches what is decided in integers.

   Pool of blocks of 32 bytes:   | root . . . | n n n n | 8 ids | 8 ids | n n n n | free ...

   A node has 8 bytes and is either a branch {block of its four children, -1} or a leaf, which is a
   bag {first block, count} of the ids that it lists. Four children are one block, and so are up to
   eight ids; both come from one pool and go back to it.

   A leaf that comes to hold more than leaf_capacity splits, but only where elements of these sizes,
   wherever they lay in it, would on average be listed at most a third more often by its children.
   That keeps leaves some six times as large as what is in them: boxes that cover a leaf, however
   many, do not split it, links do not multiply, and max_depth need not be chosen with care. Where
   they do lie does not matter, for a row of small boxes across the middle is listed twice by the
   next split, but by no further one. A leaf that did not split is looked at again when it has grown
   by 8, 16, 32 ...

   Most moves stay within their leaves. That is found out without a look at the tree: the element
   knows a depth that none of its leaves exceeds (in `list`); if its cells, old and new, are the
   same on that depth, so are the leaves. The same test tells what need not be walked for when they
   are not: most moves over an edge only enter leaves or only leave some.

   A large tree is spread over memory, so what costs most is waiting for it. Walks over many leaves
   are some leaves ahead of the work: a step down asks for what the four nodes there lead to, and
   of a leaf, once its listings are there, for the boxes.

   What a leaf lists of an element is its id and its class there: along which axes it begins before
   the leaf, and so is listed in another one that comes earlier. Hence a window takes all of class 0
   from the leaves inside it without a look at boxes, and whether four leaves may become one is a
   matter of counting. For that, a move over the lower edge of a leaf changes the listing in that
   leaf, too.

   Invariant: an element is in the bags of exactly the leaves that its span touches, once, with its
   class.

   tidy walks over the leaves in Morton order, and each call takes up where the last one stopped;
   how far it goes depends on how much has moved. Four leaves become one if few elements are in them
   but for those that touch all four, for these alone are no reason to keep a split; and a leaf that
   is too long, because its elements have shrunk in place or because there were no nodes when they
   came, is looked at again.

   Sources: quadtrees: R. A. Finkel, J. L. Bentley, Acta Informatica 4, 1974; nodes of 8 bytes in an
   array, boxes computed on the way down, deferred cleanup: a design known from answers by "Dragon
   Energy" on Stack Overflow, 2018. */

/* What a leaf lists: an id and, in the two low bits, along which axes the box begins before the
   leaf, so that this is known without a look at the element. A box of several leaves counts in the
   one that holds the corner (max of the min_x, max of the min_y) of what it has in common with
   another: there one of the two begins along x, and one along y. */
#define SPTI_LISTED_MOST (SPTI_I32_MAX >> 2) /* the largest id that has room for two bits more */
#define SPTI_LISTING(id, class_of) ((id) * 4 + (spt_i32)(class_of))
#define SPTI_LISTED_ID(listing) ((spt_i32)((spt_u32)(listing) >> 2))
#define SPTI_LISTED_CLASS(listing) ((int)((spt_u32)(listing) & 3))
#define SPTI_TIDY_LEAF 64 /* listings that tidy looks through as fast as it finds a leaf */

/* The two bits for a box of this span, in the cell that begins at (x, y). */
static int spti_class_of(const spti_span *span, spt_u32 x, spt_u32 y)
{
    return (SPTI_SPAN_X(span->min) < x) + 2 * (SPTI_SPAN_Y(span->min) < y);
}

SPTI_STATIC_ASSERT(quadtree_fits_span, SPT_QUADTREE_MAX_DEPTH <= 16);

static void spti_span_cells(const spti_span *span, spti_cells *c)
{
    c->x0 = SPTI_SPAN_X(span->min), c->y0 = SPTI_SPAN_Y(span->min);
    c->x1 = SPTI_SPAN_X(span->max), c->y1 = SPTI_SPAN_Y(span->max);
}

/* How many blocks can be taken without an allocation. */
static spt_i32 spti_pool_ready(const spti_pool *pool)
{
    spt_i32 most = pool->blocks.capacity < pool->limit ? pool->blocks.capacity : pool->limit;
    return most - pool->used;
}

/* Takes out the number added last, and returns it. */
static spt_i32 spti_bag_pop(spti_pool *pool, spti_bag *bag)
{
    return spti_bag_remove(pool, bag, SPTI_BLOCK * bag->first + spti_bag_front(bag->count) - 1);
}

/* Ranges of finest cells that hold all, on every level, and none. */
static const spti_cells spti_everywhere = {0, 0, 0xFFFFUL, 0xFFFFUL};
static const spti_cells spti_nowhere = {0xFFFFFFFFUL, 0xFFFFFFFFUL, 0, 0};

typedef struct spti_path { /* a node and the way to it, on a walk in Morton order */
    spt_u32 x, y;          /* the node's cell on its level: even and odd tell the quadrant */
    int depth;
    int top;               /* all of the walk is below a node of this depth */
    spti_cells cells;      /* the walk is over the nodes that touch these finest cells */
    spt_i32 quad[SPT_QUADTREE_MAX_DEPTH + 1];       /* the block of each depth's node */
    unsigned char todo[SPT_QUADTREE_MAX_DEPTH + 1]; /* the nodes in it that are still to come */
} spti_path;

static void spti_path_begin(spti_path *p, const spti_cells *cells)
{
    p->x = p->y = 0;
    p->depth = p->top = 0;
    p->quad[0] = 0;
    p->cells = *cells;
}

/* Number of the current node: four times its block, and the quadrant. */
static spt_i32 spti_path_node(const spti_path *p)
{
    return 4 * p->quad[p->depth] + (spt_i32)((p->x & 1) + 2 * (p->y & 1));
}

/* Which halves, bit 0 the first, of a cell with this centre the cells from .. to reach into. */
static unsigned spti_halves(spt_u32 from, spt_u32 to, spt_u32 centre)
{
    return (unsigned)(from < centre) + 2 * (unsigned)(to >= centre);
}

/* Steps to the next node of the walk that is not below the current one; 0 at the end. */
static int spti_path_over(spti_path *p)
{
    static const unsigned char first[16] = {4, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0};
    for (; p->depth > p->top; p->depth--, p->x >>= 1, p->y >>= 1) {
        unsigned todo = p->todo[p->depth], q = first[todo];
        if (todo == 0) continue;
        p->todo[p->depth] = (unsigned char)(todo & (todo - 1));
        p->x = (p->x & ~(spt_u32)1) + (q & 1);
        p->y = (p->y & ~(spt_u32)1) + (q >> 1);
        return 1;
    }
    return 0;
}

#ifdef SPTI_CAN_PREFETCH
/* Asks for what the four nodes of a block lead to. */
static void spti_quad_ahead(const spti_pool *pool, spt_i32 quad)
{
    const spt_i32 *blocks = spt_intlist_data(&pool->blocks), *nodes = blocks + SPTI_BLOCK * quad;
    int k;
    for (k = 0; k < SPTI_BLOCK; k += 2)
        spti_block_ahead(blocks, nodes[k] < 0 ? 0 : nodes[k]);
}

#else
#define spti_quad_ahead(pool, quad) ((void)0)
#endif

/* Steps to the first child of the current node that is part of the walk, and asks for what all four
   lead to. */
static void spti_path_down(const spt_quadtree *tree, spti_path *p, spt_i32 quad)
{
    const spti_cells *c = &p->cells;
    int up = tree->max_depth - p->depth - 1;
    unsigned x = spti_halves(c->x0, c->x1, (2 * p->x + 1) << up);
    unsigned y = spti_halves(c->y0, c->y1, (2 * p->y + 1) << up);
    p->quad[++p->depth] = quad;
    p->todo[p->depth] = (unsigned char)((y & 1 ? x : 0) | (y & 2 ? x << 2 : 0));
    p->x *= 2, p->y *= 2;
    (void)spti_path_over(p);
    spti_quad_ahead(&tree->pool, quad);
}

/* A node, as it is kept: a branch has the count -1, and first is the block of its children. Nodes
   move when the pool grows. */
static spti_bag *spti_quadtree_node(spt_quadtree *tree, spt_i32 node)
{
    return (spti_bag *)(void *)(spti_list_data(&tree->pool.blocks) + 2 * node);
}

static void spti_quadtree_get(const spt_quadtree *tree, spt_i32 node, spti_bag *bag)
{
    const spt_i32 *data = spt_intlist_data(&tree->pool.blocks) + 2 * node;
    bag->first = data[0];
    bag->count = data[1];
}

/* 1 if the current node's cell reaches into these finest cells. */
static int spti_path_touches(const spt_quadtree *tree, const spti_path *p, const spti_cells *c)
{
    int up = tree->max_depth - p->depth;
    return c->x0 >> up <= p->x && p->x <= c->x1 >> up && c->y0 >> up <= p->y && p->y <= c->y1 >> up;
}

/* Steps from the current node down to the first leaf of the walk. */
static void spti_path_leaf(const spt_quadtree *tree, spti_path *p, spti_bag *leaf)
{
    for (;;) {
        spti_quadtree_get(tree, spti_path_node(p), leaf);
        if (leaf->count >= 0) return;
        spti_path_down(tree, p, leaf->first);
    }
}

/* Begins a walk over the leaves that touch these cells. As long as one node holds all of them there
   is but one way to go. */
static void spti_path_first(const spt_quadtree *tree, spti_path *p, const spti_cells *cells,
                            spti_bag *leaf)
{
    spt_u32 x = cells->x0, y = cells->y0;
    int up = tree->max_depth, least = spti_bits((x ^ cells->x1) | (y ^ cells->y1));
    spt_i32 quad = 0;
    spti_quadtree_get(tree, (spt_i32)0, leaf);
    while (leaf->count < 0 && up > least) {
        up--;
        quad = leaf->first;
        spti_quadtree_get(tree, 4 * quad + (spt_i32)((x >> up & 1) + 2 * (y >> up & 1)), leaf);
    }
    p->x = x >> up, p->y = y >> up;
    p->depth = p->top = tree->max_depth - up;
    p->quad[p->depth] = quad;
    p->cells = *cells;
    if (leaf->count < 0) spti_path_leaf(tree, p, leaf);
}

/* Steps to the next leaf; 0 at the end. */
static int spti_path_next(const spt_quadtree *tree, spti_path *p, spti_bag *leaf)
{
    if (!spti_path_over(p)) return 0;
    spti_path_leaf(tree, p, leaf);
    return 1;
}

/* --- walks with a look ahead ------------------------------------------------------------------ */

/* A walk keeps so many leaves in reach (a power of two), to ask in time for what they list. Where
   there is no such thing as asking for memory it takes few bytes. */
#ifdef SPTI_CAN_PREFETCH
#define SPTI_IN_REACH 8
#else
#define SPTI_IN_REACH 1
#endif

typedef struct spti_leaf { /* a leaf that a walk comes to */
    spti_bag bag;
    spt_u32 x, y; /* its first finest cell, */
    int up;       /* of 2^up by 2^up */
    int inside;   /* 1: whatever touches it overlaps the window that is searched */
} spti_leaf;

typedef struct spti_leaves { /* a walk, and the leaves within reach */
    spti_path path;  /* to the last of them */
    int window;      /* 1: the leaves that touch a window, 0: all */
    int more;        /* 0: the path has come to its end */
    unsigned taken;  /* leaves that were given to the caller, */
    unsigned found;  /* that the path has come to */
    spti_leaf reach[SPTI_IN_REACH];
#ifdef SPTI_CAN_PREFETCH
    spti_ahead ahead;
#endif
} spti_leaves;

/* Notes the leaf at the path's end. Those that lie between the cells at the window's edges are
   inside it. */
static void spti_leaves_add(const spt_quadtree *tree, spti_leaves *l, const spti_bag *bag)
{
    const spti_cells *c = &l->path.cells;
    spti_leaf *leaf = &l->reach[l->found++ % SPTI_IN_REACH];
    spt_u32 last;
    leaf->bag = *bag;
    leaf->up = tree->max_depth - l->path.depth;
    leaf->x = l->path.x << leaf->up, leaf->y = l->path.y << leaf->up;
    last = ((spt_u32)1 << leaf->up) - 1;
    leaf->inside = l->window && c->x0 < leaf->x && leaf->x + last < c->x1 && c->y0 < leaf->y &&
                   leaf->y + last < c->y1;
#ifdef SPTI_CAN_PREFETCH
    spti_ahead_add(&l->ahead, &tree->pool, bag, leaf->inside ? NULL : tree->table.boxes);
    spti_ahead_take(&l->ahead, SPTI_ASKED);
#endif
}

/* Begins a walk over the leaves that touch these cells, those of a window, or NULL: over all. */
static void spti_leaves_begin(const spt_quadtree *tree, spti_leaves *l, const spti_cells *window)
{
    spti_bag bag;
    l->window = window != NULL;
    l->more = 1;
    l->taken = l->found = 0;
#ifdef SPTI_CAN_PREFETCH
    spti_ahead_begin(&l->ahead, 2);
#endif
    spti_path_first(tree, &l->path, window ? window : &spti_everywhere, &bag);
    spti_leaves_add(tree, l, &bag);
}

/* The next leaf, valid until the one after that is asked for; NULL after the last. */
static const spti_leaf *spti_leaves_next(const spt_quadtree *tree, spti_leaves *l)
{
    spti_bag bag;
    while (l->more && l->found - l->taken < SPTI_IN_REACH) {
        l->more = spti_path_next(tree, &l->path, &bag);
        if (l->more) spti_leaves_add(tree, l, &bag);
    }
#ifdef SPTI_CAN_PREFETCH
    if (!l->more) spti_ahead_take(&l->ahead, 0);
#endif
    return l->taken < l->found ? &l->reach[l->taken++ % SPTI_IN_REACH] : NULL;
}

/* --- leaves ----------------------------------------------------------------------------------- */

/* What the current leaf lists of an element of this span. */
static spt_i32 spti_path_listing(const spt_quadtree *tree, const spti_path *p, spt_i32 id,
                                 const spti_span *span)
{
    int up = tree->max_depth - p->depth;
    return SPTI_LISTING(id, spti_class_of(span, p->x << up, p->y << up));
}

/* Which children of the current node an element touches: bit q for child q. */
static unsigned spti_quadtree_children(const spt_quadtree *tree, const spti_path *p, spt_i32 id)
{
    const spti_span *span = &tree->table.elements[id].at.span;
    int up = tree->max_depth - p->depth - 1;
    unsigned x, y;
    x = spti_halves(SPTI_SPAN_X(span->min), SPTI_SPAN_X(span->max), (2 * p->x + 1) << up);
    y = spti_halves(SPTI_SPAN_Y(span->min), SPTI_SPAN_Y(span->max), (2 * p->y + 1) << up);
    return (y & 1 ? x : 0) | (y & 2 ? x << 2 : 0);
}

/* How many cells further than its first an element that reaches from .. to does within the 2^up
   cells from `begin` on. */
static spt_u32 spti_reach(spt_u32 from, spt_u32 to, spt_u32 begin, int up)
{
    spt_u32 last = begin + ((spt_u32)1 << up) - 1;
    return (to < last ? to : last) - (from > begin ? from : begin);
}

/* How often, in 64ths, an element of this size would be listed more if the current node were split,
   on average over all places that it could have there: (1 + w/s) (1 + h/s) - 1. */
static spt_u32 spti_quadtree_extra(const spt_quadtree *tree, const spti_path *p, spt_i32 id)
{
    const spti_span *span = &tree->table.elements[id].at.span;
    int up = tree->max_depth - p->depth;
    spt_u32 w = spti_reach(SPTI_SPAN_X(span->min), SPTI_SPAN_X(span->max), p->x << up, up);
    spt_u32 h = spti_reach(SPTI_SPAN_Y(span->min), SPTI_SPAN_Y(span->max), p->y << up, up);
    return (w + h + (w * h >> up)) << 6 >> up;
}

/* 1 if there is room for splitting a leaf of `count` elements whose children will list so many,
   `more` in all. */
static int spti_quadtree_may_split(spt_quadtree *tree, spt_i32 count, const spt_i32 *counts,
                                   spt_i32 more)
{
    spt_i32 absent = tree->table.size - tree->table.count, blocks = 1;
    spt_i32 left = tree->quads_limit - tree->quads, few = tree->quads_limit / 4;
    int q;
    for (q = 0; q < 4; q++) blocks += spti_bag_blocks(counts[q]);
    if (left == 0) return 0;
    if (left < few && count / tree->leaf_capacity < few / left) return 0; /* keep them for longer */
    if (tree->fixed && more > tree->links_split - absent * tree->links_each - tree->links) return 0;
    return spti_pool_room(&tree->pool, blocks) == SPT_OK;
}

#ifdef SPTI_CAN_PREFETCH
/* Asks for the spans of the elements that a leaf lists. */
static void spti_spans_ahead(const spt_quadtree *tree, const spti_bag *leaf)
{
    const spt_i32 *listings;
    spti_cursor at;
    spt_i32 n, k;
    spti_bag_begin(&tree->pool, leaf, &at);
    while ((listings = spti_bag_next(&at, &n)) != NULL)
        for (k = 0; k < n; k++)
            SPTI_PREFETCH(&tree->table.elements[SPTI_LISTED_ID(listings[k])].at.span);
}
#endif

/* Looks into the current node, a leaf: how many elements would each of its children list? Returns 1
   if it should be split: that does not list them much more often, and does not take more nodes,
   until it comes to tell them apart, than a leaf_capacity of them is worth each. */
static int spti_quadtree_should_split(const spt_quadtree *tree, const spti_path *p,
                                      const spti_bag *leaf, spt_i32 *counts)
{
    spt_u32 extra = 0, differ = 0, x = 0, y = 0;
    const spti_span *span;
    const spt_i32 *listings;
    spti_cursor at;
    spt_i32 n, k, id, chain;
    unsigned mask;
    counts[0] = counts[1] = counts[2] = counts[3] = 0;
#ifdef SPTI_CAN_PREFETCH
    spti_spans_ahead(tree, leaf);
#endif
    spti_bag_begin(&tree->pool, leaf, &at);
    while ((listings = spti_bag_next(&at, &n)) != NULL)
        for (k = 0; k < n; k++) {
            id = SPTI_LISTED_ID(listings[k]);
            span = &tree->table.elements[id].at.span;
            if (counts[0] + counts[1] + counts[2] + counts[3] == 0)
                x = SPTI_SPAN_X(span->min), y = SPTI_SPAN_Y(span->min);
            differ |= (x ^ SPTI_SPAN_X(span->min)) | (x ^ SPTI_SPAN_X(span->max));
            differ |= (y ^ SPTI_SPAN_Y(span->min)) | (y ^ SPTI_SPAN_Y(span->max));
            extra += spti_quadtree_extra(tree, p, id);
            mask = spti_quadtree_children(tree, p, id);
            counts[0] += (spt_i32)(mask & 1), counts[1] += (spt_i32)(mask >> 1 & 1);
            counts[2] += (spt_i32)(mask >> 2 & 1), counts[3] += (spt_i32)(mask >> 3);
        }
    if (differ == 0) return 0; /* all in one finest cell */
    chain = tree->max_depth - p->depth - spti_bits(differ); /* < 0: from beyond the leaf */
    return chain <= leaf->count / tree->leaf_capacity &&
           extra / 21 <= (spt_u32)leaf->count; /* 21 64ths: a third. (Millions may wrap around.) */
}

/* 1 if the current node, a leaf, is to be split; its children's links are then counted. */
static int spti_quadtree_full(spt_quadtree *tree, const spti_path *p, const spti_bag *leaf)
{
    spt_i32 counts[4], more;
    if (p->depth == tree->max_depth || leaf->count <= tree->leaf_capacity) return 0;
    if (!spti_quadtree_should_split(tree, p, leaf, counts)) return 0;
    more = counts[0] + counts[1] + counts[2] + counts[3] - leaf->count;
    if (!spti_quadtree_may_split(tree, leaf->count, counts, more)) return 0;
    tree->links += more;
    return 1;
}

/* Moves what a leaf, the current node, lists to four children. Returns their block. */
static spt_i32 spti_quadtree_deal(spt_quadtree *tree, const spti_path *p, spti_bag *leaf)
{
    spt_i32 quad = spti_pool_take(&tree->pool);
    int up = tree->max_depth - p->depth - 1, q;
    spt_u32 x = 2 * p->x << up, y = 2 * p->y << up, half = (spt_u32)1 << up;
    spti_bag children[4];
    for (q = 0; q < 4; q++) children[q].first = SPT_NONE, children[q].count = 0;
    while (leaf->count > 0) {
        spt_i32 id = SPTI_LISTED_ID(spti_bag_pop(&tree->pool, leaf));
        spti_element *e = &tree->table.elements[id];
        unsigned mask = spti_quadtree_children(tree, p, id);
        for (q = 0; q < 4; q++) {
            int c = spti_class_of(&e->at.span, q & 1 ? x + half : x, q & 2 ? y + half : y);
            if (mask >> q & 1)
                (void)spti_bag_add(&tree->pool, &children[q], SPTI_LISTING(id, c));
        }
        if (e->list == p->depth) e->list = p->depth + 1;
    }
    for (q = 0; q < 4; q++) *spti_quadtree_node(tree, 4 * quad + q) = children[q];
    return quad;
}

/* Splits the current node, a leaf, if that is of use; returns 1 if it did. */
static int spti_quadtree_split(spt_quadtree *tree, const spti_path *p)
{
    spti_bag node;
    spti_quadtree_get(tree, spti_path_node(p), &node);
    if (!spti_quadtree_full(tree, p, &node)) return 0;
    node.first = spti_quadtree_deal(tree, p, &node);
    node.count = -1;
    *spti_quadtree_node(tree, spti_path_node(p)) = node;
    tree->quads++;
    return 1;
}

/* Splits the current node and what comes of it, as far as that is of use. */
static void spti_quadtree_refine(spt_quadtree *tree, const spti_path *p)
{
    spti_path walk;
    int more = spti_quadtree_split(tree, p);
    if (!more) return;
    walk = *p;
    walk.top = p->depth;
    walk.cells = spti_everywhere;
    while (more) {
        spti_path_down(tree, &walk, spti_quadtree_node(tree, spti_path_node(&walk))->first);
        do
            more = spti_quadtree_split(tree, &walk);
        while (!more && spti_path_over(&walk));
    }
}

/* Adds an element to the current leaf. */
static int spti_quadtree_add(spt_quadtree *tree, const spti_path *p, spt_i32 id)
{
    const spti_span *span = &tree->table.elements[id].at.span;
    spti_bag leaf;
    spt_i32 place, more;
    spti_quadtree_get(tree, spti_path_node(p), &leaf);
    place = spti_bag_add(&tree->pool, &leaf, spti_path_listing(tree, p, id, span));
    if (place < 0) return (int)place;
    *spti_quadtree_node(tree, spti_path_node(p)) = leaf;
    tree->links++;
    more = leaf.count - tree->leaf_capacity - 1;
    if (more >= 0 && more % SPTI_BLOCK == 0 && (more & (more - 1)) == 0) /* 0, 8, 16, 32 ... */
        spti_quadtree_refine(tree, p);
    return SPT_OK;
}

/* Takes a listing from the current leaf, if it is there. */
static void spti_quadtree_take(spt_quadtree *tree, const spti_path *p, spt_i32 listing)
{
    spti_bag leaf;
    spt_i32 place;
    spti_quadtree_get(tree, spti_path_node(p), &leaf);
    place = spti_bag_find(&tree->pool, &leaf, listing);
    if (place < 0) return;
    (void)spti_bag_remove(&tree->pool, &leaf, place);
    *spti_quadtree_node(tree, spti_path_node(p)) = leaf;
    tree->links--;
    tree->untidy++;
}

/* Adds element id, which is listed where it touches the cells `from`, to the other leaves that
   touch the cells `to`, those of its span. May fail half way. Notes how deep the leaves are. */
static int spti_quadtree_enter(spt_quadtree *tree, spt_i32 id, const spti_cells *from,
                               const spti_cells *to)
{
    spti_element *e = &tree->table.elements[id];
    spti_path p;
    spti_bag leaf;
    int error = SPT_OK, more;
    spti_path_first(tree, &p, to, &leaf);
    for (more = 1; more && !error; more = spti_path_next(tree, &p, &leaf)) {
        if (e->list < p.depth) e->list = p.depth;
        if (!spti_path_touches(tree, &p, from)) error = spti_quadtree_add(tree, &p, id);
    }
    return error;
}

/* Takes element id, which was of that span, from the leaves that touch the cells `from` but not the
   cells `to`, if it is there. Where it stays its class may change. Notes how deep the leaves are
   where it stays. */
static void spti_quadtree_leave(spt_quadtree *tree, spt_i32 id, const spti_span *span,
                                const spti_cells *from, const spti_cells *to)
{
    spti_element *e = &tree->table.elements[id];
    spti_path p;
    spti_bag leaf;
    spt_i32 before, after;
    int more;
    spti_path_first(tree, &p, from, &leaf);
    for (more = 1; more; more = spti_path_next(tree, &p, &leaf)) {
        before = spti_path_listing(tree, &p, id, span);
        if (!spti_path_touches(tree, &p, to)) {
            spti_quadtree_take(tree, &p, before);
            continue;
        }
        if (e->list < p.depth) e->list = p.depth;
        after = spti_path_listing(tree, &p, id, &e->at.span);
        if (before != after)
            spti_list_data(&tree->pool.blocks)[spti_bag_find(&tree->pool, &leaf, before)] = after;
    }
}

/* --- life ------------------------------------------------------------------------------------- */

#define SPTI_QUADTREE_START 64 /* ids that a growing tree begins with */
#define SPTI_QUADTREE_LEAF 16
#define SPTI_QUADTREE_DEPTH 12

typedef struct spti_quadtree_plan { /* a desc with its defaults, and what follows from them */
    spt_i32 ids, blocks, quads, links;
    int leaf_capacity, max_depth;
} spti_quadtree_plan;

/* Reads a desc. With a capacity there are blocks for the nodes, one for each leaf, and one for
   every seven links: so many links have room however they are spread over the leaves. */
static int spti_quadtree_read(const spt_quadtree_desc *desc, spti_quadtree_plan *plan)
{
    spt_i32 n, most;
    if (!desc || desc->capacity < 0 || !spti_bounds_valid(&desc->bounds)) return SPT_ERR_ARGUMENT;
    if (desc->leaf_capacity < 0 || desc->leaf_capacity > 1000) return SPT_ERR_ARGUMENT;
    if (desc->max_depth < 0 || desc->max_depth > SPT_QUADTREE_MAX_DEPTH) return SPT_ERR_ARGUMENT;
    if (desc->links < 0) return SPT_ERR_ARGUMENT;
    n = desc->capacity;
    plan->ids = n ? n : SPTI_QUADTREE_START;
    plan->leaf_capacity = desc->leaf_capacity ? desc->leaf_capacity : SPTI_QUADTREE_LEAF;
    plan->max_depth = desc->max_depth ? desc->max_depth : SPTI_QUADTREE_DEPTH;
    plan->quads = SPTI_I32_MAX;
    plan->blocks = plan->links = 0;
    if (n == 0) return SPT_OK;
    if (n > SPTI_I32_MAX / 16 || desc->links > SPTI_I32_MAX / 2) return SPT_ERR_MEMORY;
    plan->links = desc->links ? desc->links : 3 * n;
    plan->quads = 2 * (n / plan->leaf_capacity) + 2;
    most = plan->max_depth <= 12 ? (spt_i32)spt_morton_nodes(plan->max_depth - 1) + 1 : plan->quads;
    if (plan->quads > most) plan->quads = most; /* the root, and a block for each branch */
    plan->blocks = 4 * plan->quads + plan->links / (SPTI_BLOCK - 1) + 1;
    return plan->blocks > SPTI_I32_MAX / SPTI_BLOCK ? SPT_ERR_MEMORY : SPT_OK;
}

/* An empty root, for which there is always room. */
static void spti_quadtree_plant(spt_quadtree *tree)
{
    static const spti_bag leaf = {SPT_NONE, 0};
    spt_i32 root;
    spti_pool_clear(&tree->pool);
    root = spti_pool_take(&tree->pool);
    SPATIAL_ASSERT(root == 0);
    (void)root;
    *spti_quadtree_node(tree, (spt_i32)0) = leaf;
    tree->quads = 1;
    tree->links = 0;
    tree->untidy = tree->seen = 0;
    tree->cursor = 0;
}

SPTI_API size_t spt_quadtree_bytes_for(const spt_quadtree_desc *desc)
{
    spti_quadtree_plan plan;
    size_t used = 0;
    if (spti_quadtree_read(desc, &plan) != SPT_OK) return 0;
    (void)spti_piece(NULL, &used, (spt_u32)plan.ids, SPTI_TABLE_BYTES);
    spti_pool_piece(&used, plan.blocks ? plan.blocks : 1);
    return spti_total(used, spti_pairs_bytes_for(desc->capacity, desc->no_pairs));
}

SPTI_API int spt_quadtree_init(spt_quadtree *tree, const spt_quadtree_desc *desc)
{
    spti_quadtree_plan plan;
    int error = spti_quadtree_read(desc, &plan);

    spti_zero(tree, sizeof *tree);
    if (!error && spt_quadtree_bytes_for(desc) == 0) error = SPT_ERR_MEMORY;
    if (error) return error;
    tree->allocator = desc->allocator;
    tree->bounds = desc->bounds;
    tree->leaf_capacity = plan.leaf_capacity;
    tree->max_depth = plan.max_depth;
    tree->fixed = desc->capacity > 0;
    tree->quads_limit = plan.quads;
    tree->links_split = plan.links - plan.links / 4;
    tree->links_each = tree->links_split / plan.ids;
    spti_map_init(&tree->map, &tree->bounds, tree->max_depth, tree->max_depth);
    error = spti_table_grow(&tree->table, &tree->allocator, plan.ids);
    if (!error) error = spti_pool_init(&tree->pool, &tree->allocator, plan.blocks);
    if (!error) error = spti_pool_room(&tree->pool, (spt_i32)1);
    if (!error) error = SPTI_PAIRS_INIT(tree, desc);
    if (error)
        spt_quadtree_free(tree);
    else
        spti_quadtree_plant(tree);
    return error;
}

SPTI_API void spt_quadtree_free(spt_quadtree *tree)
{
    /* In the reverse of the order of allocation, for an arena takes back only the last piece. */
    SPTI_PAIRS_FREE(tree);
    if (tree->pool.limit) spt_intlist_free(&tree->pool.blocks);
    spti_free(&tree->allocator, tree->table.boxes, spti_table_bytes(tree->table.size));
    spti_zero(tree, sizeof *tree);
}

SPTI_API void spt_quadtree_clear(spt_quadtree *tree)
{
    if (tree->table.size == 0) return;
    spti_quadtree_plant(tree);
    spti_table_clear(&tree->table, (spt_i32)0);
    tree->table.count = 0;
}

SPTI_API size_t spt_quadtree_bytes(const spt_quadtree *tree)
{
    if (tree->table.size == 0) return 0;
    return spti_table_bytes(tree->table.size) + spt_intlist_bytes(&tree->pool.blocks) +
           SPTI_PAIRS_BYTES(tree);
}

/* --- mutation --------------------------------------------------------------------------------- */

/* Lists element id, which was `old`, where it touches its span instead. Seen as coarsely as its
   leaves are at their finest, what only shrinks enters none, and what only grows to the right or
   upwards leaves none and stays in its classes: then one walk is enough. On an error the element
   is listed as before. */
static int spti_quadtree_relist(spt_quadtree *tree, spt_i32 id, const spti_element *old)
{
    spti_element *e = &tree->table.elements[id];
    int up = tree->max_depth - (int)old->list, less, more, error = SPT_OK;
    spti_cells from, to;
    spti_span_cells(&old->at.span, &from);
    spti_span_cells(&e->at.span, &to);
    more = to.x1 >> up > from.x1 >> up || to.y1 >> up > from.y1 >> up;
    less = to.x1 >> up < from.x1 >> up || to.y1 >> up < from.y1 >> up;
    more |= to.x0 >> up < from.x0 >> up || to.y0 >> up < from.y0 >> up;
    less |= to.x0 >> up != from.x0 >> up || to.y0 >> up != from.y0 >> up;
    e->list = 0;
    if (more) error = spti_quadtree_enter(tree, id, &from, &to);
    if (error)
        spti_quadtree_leave(tree, id, &e->at.span, &to, &from);
    else if (less)
        spti_quadtree_leave(tree, id, &old->at.span, &from, &to);
    return error;
}

/* 1 if an element whose span changes in these bits surely stays in its leaves: none of them is so
   deep that it would tell such cells apart. */
static int spti_quadtree_stays(const spt_quadtree *tree, const spti_element *e, spt_u32 differ)
{
    int up = tree->max_depth - (int)e->list;
    return (SPTI_SPAN_X(differ) | SPTI_SPAN_Y(differ)) >> up == 0;
}

/* Makes room in a growing tree for what its elements may come to need when they move, an eighth of
   its blocks and some, so that moves need not. There may be none: then moves will see. */
static void spti_quadtree_spare(spt_quadtree *tree)
{
    spt_i32 used = tree->pool.used, more = used / 8 + 64;
    if (tree->fixed || tree->table.count % 64 > 0) return; /* every 64th insert is often enough */
    (void)spti_pool_room(&tree->pool, more < used / 2 ? more : used / 2);
}

SPTI_API int spt_quadtree_insert(spt_quadtree *tree, spt_i32 id, const spt_box *box)
{
    spt_i32 size;
    int error = spti_table_may_insert(&tree->table, id, box, tree->fixed, &size);
    spti_element *e;
    spti_cells to;
    spt_box copy; /* box may lie in the table, which moves when it grows */

    if (!error && id > SPTI_LISTED_MOST) error = SPT_ERR_MEMORY;
    if (error) return error;
    copy = *box;
    if (size > tree->table.size) error = spti_table_grow(&tree->table, &tree->allocator, size);
    if (error) return error;
    spti_cells_of(&tree->map, &copy, &to);
    e = &tree->table.elements[id];
    spti_span_of(&to, &e->at.span);
    error = spti_quadtree_enter(tree, id, &spti_nowhere, &to);
    if (error) {
        spti_quadtree_leave(tree, id, &e->at.span, &to, &spti_nowhere);
        e->list = SPT_NONE;
        return error;
    }
    tree->table.boxes[id] = copy;
    tree->table.count++;
    spti_quadtree_spare(tree);
    return SPT_OK;
}

/* Gives element id, which is there, a valid box. */
static int spti_quadtree_change(spt_quadtree *tree, spt_i32 id, const spt_box *box)
{
    spti_element *e = &tree->table.elements[id], old;
    spti_cells to;
    spt_u32 differ;
    int error = SPT_OK;

    old = *e;
    spti_cells_of(&tree->map, box, &to);
    spti_span_of(&to, &e->at.span);
    differ = (old.at.span.min ^ e->at.span.min) | (old.at.span.max ^ e->at.span.max);
    tree->untidy += differ != 0; /* no branch: it may go either way, and often */
    if (!spti_quadtree_stays(tree, &old, differ)) error = spti_quadtree_relist(tree, id, &old);
    if (error)
        *e = old;
    else
        tree->table.boxes[id] = *box;
    return error;
}

SPTI_API int spt_quadtree_remove(spt_quadtree *tree, spt_i32 id)
{
    const spti_span *span;
    spti_cells from;
    if (!spti_table_has(&tree->table, id)) return SPT_ERR_ID;
    span = &tree->table.elements[id].at.span;
    spti_span_cells(span, &from);
    spti_quadtree_leave(tree, id, span, &from, &spti_nowhere);
    spti_table_remove(&tree->table, id);
    return SPT_OK;
}

/* How many listings of child q no child before it has. No element needs to be looked at: what
   begins before a child, along an axis on which there is one before it, is in that. Adds to *all
   what child 3 shares with all others. */
static spt_i32 spti_quadtree_own(const spt_quadtree *tree, const spti_bag *child, int q,
                                 spt_i32 *all)
{
    const spt_i32 *listings;
    spti_cursor at;
    spt_i32 n, k, own = 0;
    spti_bag_begin(&tree->pool, child, &at);
    while ((listings = spti_bag_next(&at, &n)) != NULL)
        for (k = 0; k < n; k++) {
            own += (listings[k] & q) == 0;
            *all += (listings[k] & q) == 3;
        }
    return own;
}

/* How many elements a leaf would list in place of four leaves; SPT_NONE if these have more than few
   that do not touch all four, for which the split is of use. */
static spt_i32 spti_quadtree_merged(const spt_quadtree *tree, const spti_bag *children)
{
    spt_i32 sum = children[0].count, all = 0;
    int q;
    for (q = 3; q > 0; q--) {
        sum += spti_quadtree_own(tree, &children[q], q, &all);
        if (sum - all > tree->leaf_capacity / 2) return SPT_NONE;
    }
    return sum;
}

/* Moves what child q lists to the leaf that is to take the place of all four, but for what a child
   before it has brought there. What it begins before, the classes of the rest, it still does. */
static void spti_quadtree_pour(spt_quadtree *tree, int q, spti_bag *from, spti_bag *to)
{
    while (from->count > 0) {
        spt_i32 listing = spti_bag_pop(&tree->pool, from);
        if (listing & q)
            tree->links--;
        else
            (void)spti_bag_add(&tree->pool, to, listing);
    }
}

/* Makes the current node, a branch, a leaf, if its children are leaves with few elements. */
static void spti_quadtree_merge(spt_quadtree *tree, const spti_path *p)
{
    spti_bag node, children[4];
    spt_i32 count;
    int q;
    spti_quadtree_get(tree, spti_path_node(p), &node);
    for (q = 0; q < 4; q++) {
        spti_quadtree_get(tree, 4 * node.first + q, &children[q]);
        if (children[q].count < 0) return;
    }
    count = spti_quadtree_merged(tree, children);
    if (count == SPT_NONE) return;
    /* One block comes free at once, and the children give theirs back as the leaf takes them: none
       of them is more than one block late. */
    if (spti_bag_blocks(count) > 1 && spti_pool_ready(&tree->pool) < 4) return;
    spti_pool_give(&tree->pool, node.first);
    tree->quads--;
    node.first = SPT_NONE;
    node.count = 0;
    for (q = 0; q < 4; q++) spti_quadtree_pour(tree, q, &children[q], &node);
    *spti_quadtree_node(tree, spti_path_node(p)) = node;
}

/* As spti_path_over, but merges what has been walked on the way up. */
static int spti_quadtree_sweep(spt_quadtree *tree, spti_path *p)
{
    while (p->depth > 0) {
        if (p->todo[p->depth]) return spti_path_over(p);
        p->depth--, p->x >>= 1, p->y >>= 1;
        spti_quadtree_merge(tree, p);
    }
    return 0;
}

/* The walk of tidy goes on at the leaf that holds the finest cell at its cursor. */
static void spti_quadtree_resume(const spt_quadtree *tree, spti_path *p, spti_bag *leaf)
{
    spti_path_begin(p, &spti_everywhere);
    for (;;) {
        int up = tree->max_depth - p->depth - 1;
        unsigned q;
        spti_quadtree_get(tree, spti_path_node(p), leaf);
        if (leaf->count >= 0) return;
        q = (unsigned)(tree->cursor >> (2 * up)) & 3;
        p->quad[++p->depth] = leaf->first;
        p->todo[p->depth] = (unsigned char)(15 & ~((2u << q) - 1)); /* those behind it */
        p->x = 2 * p->x + (q & 1);
        p->y = 2 * p->y + (q >> 1);
    }
}

/* How many leaves a call of tidy walks over: some, and as large a share of a sixth of all as has
   moved since the last; or that sixth, to come to an end, when nothing moves any more. */
static spt_i32 spti_quadtree_tidy_work(const spt_quadtree *tree)
{
    spt_i32 sixth = tree->quads < 2 * 16352L ? tree->quads / 2 : 16352;
    spt_u32 moved = tree->untidy - tree->seen, all = (spt_u32)tree->table.count;
    return 32 + (moved == 0 || moved >= all ? sixth : sixth / (spt_i32)(all / moved));
}

SPTI_API void spt_quadtree_tidy(spt_quadtree *tree)
{
    spt_i32 work = spti_quadtree_tidy_work(tree);
    spti_path p;
    spti_bag leaf;
    int up, more;

    if (tree->cursor == 0 && tree->untidy == 0) return;
    if (tree->cursor == 0) tree->untidy = 0;
    tree->seen = tree->untidy;
    spti_quadtree_resume(tree, &p, &leaf);
    do {
        if (leaf.count > tree->leaf_capacity) spti_quadtree_refine(tree, &p);
        more = spti_quadtree_sweep(tree, &p);
        if (more) spti_path_leaf(tree, &p, &leaf);
        work -= 1 + leaf.count / SPTI_TIDY_LEAF;
    } while (more && work > 0);
    up = tree->max_depth - p.depth;
    tree->cursor = more ? spt_morton_interleave(p.x << up, p.y << up) : 0;
}

/* --- query ------------------------------------------------------------------------------------ */

/* Writes to ids what is to be found of n listings of a leaf; returns how many. What begins before
   the leaf along an axis in `others` is to be found in another. */
static spt_i32 spti_leaf_find(const spti_window *w, const spti_leaf *leaf, int others,
                              const spt_i32 *listings, spt_i32 n, spt_i32 *ids)
{
    spt_i32 k, found = 0;
    for (k = 0; k < n; k++) { /* each is written, those that do not count are overwritten */
        if (SPTI_LISTED_CLASS(listings[k]) & others) continue;
        ids[found] = SPTI_LISTED_ID(listings[k]);
        found += leaf->inside || spt_box_overlap(&w->boxes[ids[found]], w->box);
    }
    return found;
}

/* Tells of what is found in a leaf by a window that reaches into these cells. */
static int spti_leaf_search(const spt_quadtree *tree, const spti_window *w, const spti_leaf *leaf,
                            const spti_cells *c)
{
    int others = (c->x0 < leaf->x) + 2 * (c->y0 < leaf->y), stop = 0;
    spt_i32 ids[SPTI_BLOCK], n, k;
    const spt_i32 *listings;
    spti_cursor at;
    for (k = 0; k < SPTI_BLOCK; k++) ids[k] = 0;
    spti_bag_begin(&tree->pool, &leaf->bag, &at);
    while (!stop && (listings = spti_bag_next(&at, &n)) != NULL) {
        n = spti_leaf_find(w, leaf, others, listings, n, ids);
        if (n > 0) stop = spti_window_tell(w, ids, n);
    }
    return stop;
}

/* Finds all that overlaps a window. */
static int spti_quadtree_search(const spt_quadtree *tree, const spti_window *w)
{
    spti_cells c;
    spti_leaves leaves;
    const spti_leaf *leaf;
    int stop = 0;
    if (!spt_box_valid(w->box)) return SPT_ERR_ARGUMENT;
    if (tree->table.size == 0) return 0;
    spti_cells_of(&tree->map, w->box, &c);
    spti_leaves_begin(tree, &leaves, &c);
    while (!stop && (leaf = spti_leaves_next(tree, &leaves)) != NULL)
        stop = spti_leaf_search(tree, w, leaf, &leaves.path.cells);
    return stop;
}

SPTI_API int spt_quadtree_visit(const spt_quadtree *tree, const spt_box *box, spt_visit_fn fn,
                                void *ctx)
{
    spti_window w;
    spti_window_init(&w, &tree->table, box, fn, ctx, NULL);
    return spti_quadtree_search(tree, &w);
}

SPTI_API spt_i32 spt_quadtree_query(const spt_quadtree *tree, const spt_box *box, spt_intlist *out)
{
    spt_i32 before = out->count;
    spti_window w;
    if (out->fields != 1) return SPT_ERR_ARGUMENT;
    spti_window_init(&w, &tree->table, box, NULL, NULL, out);
    return spti_appended(out, before, spti_quadtree_search(tree, &w));
}

/* Most moves stay in their leaves, and read nothing but the element. To look whether one will not,
   and to walk ahead of it, costs more than it saves. */
SPTI_VERBS(quadtree, spti_no_ahead)

SPTI_PAIRS_VERB(quadtree)

/* --- traverse and check ----------------------------------------------------------------------- */

SPTI_API int spt_quadtree_traverse(const spt_quadtree *tree, spt_cell_fn fn, void *ctx)
{
    spti_path p;
    spti_bag node;
    spt_box box;
    int stop;
    if (tree->table.size == 0) return 0;
    spti_path_begin(&p, &spti_everywhere);
    do
        for (;;) {
            spti_quadtree_get(tree, spti_path_node(&p), &node);
            spt_morton_box(p.depth, spt_morton_interleave(p.x, p.y), &tree->bounds, &box);
            stop = fn(ctx, &box, p.depth, node.count < 0 ? 0 : node.count);
            if (stop) return stop;
            if (node.count >= 0) break;
            spti_path_down(tree, &p, node.first);
        }
    while (spti_path_over(&p));
    return 0;
}

/* 1 if a leaf is a whole bag of elements that touch it. */
static int spti_quadtree_check_leaf(const spt_quadtree *tree, const spti_path *p,
                                    const spti_bag *leaf)
{
    const spt_i32 *listings;
    const spti_span *span;
    spti_cursor at;
    spti_cells c;
    spt_i32 n, k, id;
    if (!spti_bag_check(&tree->pool, leaf)) return 0;
    spti_bag_begin(&tree->pool, leaf, &at);
    while ((listings = spti_bag_next(&at, &n)) != NULL)
        for (k = 0; k < n; k++) {
            id = SPTI_LISTED_ID(listings[k]);
            if (!spti_table_has(&tree->table, id)) return 0;
            span = &tree->table.elements[id].at.span;
            spti_span_cells(span, &c);
            if (!spti_path_touches(tree, p, &c)) return 0;
            if (listings[k] != spti_path_listing(tree, p, id, span)) return 0;
        }
    return 1;
}

/* Number of leaves that an element touches if it is listed in each of them; else SPT_NONE. */
static spt_i32 spti_quadtree_check_element(const spt_quadtree *tree, spt_i32 id)
{
    const spti_element *e = &tree->table.elements[id];
    spti_cells c;
    spti_span span;
    spti_path p;
    spti_bag leaf;
    spt_i32 leaves = 0;
    int more;
    spti_cells_of(&tree->map, &tree->table.boxes[id], &c);
    spti_span_of(&c, &span);
    if (span.min != e->at.span.min || span.max != e->at.span.max) return SPT_NONE;
    spti_path_first(tree, &p, &c, &leaf);
    if (e->list > tree->max_depth) return SPT_NONE;
    for (more = 1; more; more = spti_path_next(tree, &p, &leaf), leaves++)
        if (p.depth > e->list ||
            spti_bag_find(&tree->pool, &leaf, spti_path_listing(tree, &p, id, &span)) < 0)
            return SPT_NONE;
    return leaves;
}

/* 1 if the nodes form a tree whose leaves list elements that touch them, in as many blocks as are
   used. */
static int spti_quadtree_check_nodes(const spt_quadtree *tree)
{
    spt_i32 links = 0, quads = 1, blocks = 0;
    spti_path p;
    spti_bag node;
    spti_path_begin(&p, &spti_everywhere);
    do {
        for (;; spti_path_down(tree, &p, node.first), quads++) {
            spti_quadtree_get(tree, spti_path_node(&p), &node);
            if (node.count >= 0) break;
            if (node.count != -1 || p.depth == tree->max_depth || quads > tree->quads) return 0;
            if (node.first <= 0 || node.first >= tree->pool.blocks.count) return 0;
        }
        if (!spti_quadtree_check_leaf(tree, &p, &node)) return 0;
        links += node.count;
        blocks += spti_bag_blocks(node.count);
    } while (spti_path_over(&p));
    return quads == tree->quads && quads <= tree->quads_limit && links == tree->links &&
           quads + blocks == tree->pool.used;
}

SPTI_API int spt_quadtree_check(const spt_quadtree *tree)
{
    const spti_table *table = &tree->table;
    spt_i32 touched = 0, i, n;

    if (table->size == 0) return table->count == 0;
    if (!spti_table_check(table) || !spti_pool_check(&tree->pool)) return 0;
    if (!spti_quadtree_check_nodes(tree)) return 0;
    for (i = 0; i < table->size; i++) {
        n = spti_table_has(table, i) ? spti_quadtree_check_element(tree, i) : 0;
        if (n == SPT_NONE) return 0;
        touched += n;
    }
    return touched == tree->links;
}
#endif

#ifndef SPATIAL_NO_LOOSEGRID
/* ============================================================================================== */
/* LOOSE GRID                                                                          >>loosegrid

   Two grids of one map, a tight cell being a square of 2^shift by 2^shift loose ones, which lie
   together in the array of loose cells:

       tight cells (=)                    +=========+=========+     the loose cell c holds the
       and the box of a loose cell (#)    |    ###########    |     elements whose centres lie in
       that has grown over its borders    |    #[c]  |   #    |     [ ]; both tight cells in the
                                          |    ###########    |     row list it, as its box
                                          +=========+=========+     touches them

   An element is in the bag of the loose cell of its centre, at a slot that it knows. The cell's box
   holds the boxes of its elements; insert and move widen it, and list the cell in every tight cell
   that the wider box touches and the former did not, which may be more than those that the new
   element itself touches. Where an element that lay on an edge of its cell's box has moved inwards
   or left, the cell waits in a chain for tidy, which shrinks its box; that of any other cell is the
   one around its elements. tidy looks at a cell for every two times that this happens, first at
   those that have waited longest: so it has little to do where little moves, and boxes are too
   large by a few moves at most.

   What must not be: a box that touches more than `large` tight cells, for the sake of memory and of
   queries. An element that would make it so, after the cell was shrunk, stays alone: the tight
   cells list it itself, as number cell_count + id. One that touches too many cells by itself, or
   for whose listing there is no memory, is linked into the list of large elements, which are tested
   one by one. That is why nothing can fail half way.

   Where there are many elements, all of that waits for memory more than it computes: elements lie
   by id, blocks as they were taken. So moves, tidy and queries ask ahead for what they will read;
   and they have no branch that nobody could guess, for a wrong guess ends what was begun ahead.
   Queries take the ids of a loose cell that lies within the window block by block, and look at
   elements only along its border.

   Sources: loose cells: T. Ulrich, "Loose octrees", Game Programming Gems, 2000; loose cells found
   through a grid of tight ones: a design known from answers by "Dragon Energy" on Stack Overflow,
   2018. */

SPTI_STATIC_ASSERT(loosegrid_fits_span, SPT_LOOSEGRID_MAX_LEVELS <= 16);

#define SPTI_UNCHANGED (-2) /* a loose cell that does not wait for tidy */
#define SPTI_TIDY_LEAST 64  /* cells that a call of tidy looks at */

/* In place of the loose cell of an element that is in none: */
#define SPTI_LARGE(grid) ((grid)->cell_count)
#define SPTI_ALONE(grid) ((grid)->cell_count + 1)

/* 1 if the box around a has b in it. */
static int spti_box_holds(const spt_box *a, const spt_box *b)
{
    return (a->min_x <= b->min_x) & (a->min_y <= b->min_y) & (a->max_x >= b->max_x) &
           (a->max_y >= b->max_y);
}

/* A bit for each edge of the box b on which an edge of a lies, which is in it. */
static int spti_box_edges(const spt_box *a, const spt_box *b)
{
    return (a->min_x <= b->min_x) + 2 * (a->min_y <= b->min_y) + 4 * (a->max_x >= b->max_x) +
           8 * (a->max_y >= b->max_y);
}

/* Widens a box so that it holds b, too. */
static void spti_box_add(spt_box *a, const spt_box *b)
{
    a->min_x = b->min_x < a->min_x ? b->min_x : a->min_x; /* ?: compiles to no branch */
    a->min_y = b->min_y < a->min_y ? b->min_y : a->min_y;
    a->max_x = b->max_x > a->max_x ? b->max_x : a->max_x;
    a->max_y = b->max_y > a->max_y ? b->max_y : a->max_y;
}

static spt_coord spti_centre(spt_coord min, spt_coord max)
{
#ifdef SPATIAL_INT
    return (spt_coord)((spt_u32)min + SPTI_DIST(max, min) / 2);
#else
    spti_stored sum = min + max; /* may overflow, or be a NaN: any cell will do */
    sum *= (spt_coord)0.5;
    return sum;
#endif
}

/* The loose cell of an element. The cells of a tight one lie together. */
static spt_i32 spti_loosegrid_cell(const spt_loosegrid *grid, const spt_box *box)
{
    spt_u32 x = spti_cell(&grid->map.x, spti_centre(box->min_x, box->max_x));
    spt_u32 y = spti_cell(&grid->map.y, spti_centre(box->min_y, box->max_y));
    int shift = grid->shift;
    spt_u32 low = ((spt_u32)1 << shift) - 1;
    spt_u32 tight = ((y >> shift) << grid->columns) + (x >> shift);
    return (spt_i32)((((tight << shift) + (y & low)) << shift) + (x & low));
}

/* The tight cells that a box reaches into. */
static void spti_loosegrid_cells(const spt_loosegrid *grid, const spt_box *box, spti_cells *c)
{
    spti_cells_of(&grid->map, box, c);
    c->x0 >>= grid->shift, c->y0 >>= grid->shift;
    c->x1 >>= grid->shift, c->y1 >>= grid->shift;
}

static void spti_loosegrid_span(const spt_loosegrid *grid, const spt_box *box, spti_span *span)
{
    spti_cells c;
    spti_loosegrid_cells(grid, box, &c);
    spti_span_of(&c, span);
}

static const spti_span spti_no_span = {1, 0}; /* of what is not listed */

/* How many cells there are in a span. */
static spt_i32 spti_span_size(const spti_span *s)
{
    if (s->min > s->max) return 0;
    return (spt_i32)((SPTI_SPAN_X(s->max) - SPTI_SPAN_X(s->min) + 1) *
                     (SPTI_SPAN_Y(s->max) - SPTI_SPAN_Y(s->min) + 1));
}

static int spti_span_has(const spti_span *s, spt_u32 x, spt_u32 y)
{
    return SPTI_SPAN_X(s->min) <= x && x <= SPTI_SPAN_X(s->max) && SPTI_SPAN_Y(s->min) <= y &&
           y <= SPTI_SPAN_Y(s->max);
}

/* 1 if span a has all cells of b in it. */
static int spti_span_holds(const spti_span *a, const spti_span *b)
{
    return (SPTI_SPAN_X(a->min) <= SPTI_SPAN_X(b->min)) &
           (SPTI_SPAN_Y(a->min) <= SPTI_SPAN_Y(b->min)) &
           (SPTI_SPAN_X(a->max) >= SPTI_SPAN_X(b->max)) &
           (SPTI_SPAN_Y(a->max) >= SPTI_SPAN_Y(b->max));
}

/* Lists a loose cell, or an element that is alone, in the tight cells that are in `in` but not in
   `out`, or, with adding 0, takes it from them. */
static void spti_loosegrid_list(spt_loosegrid *grid, spt_i32 number, const spti_span *in,
                                const spti_span *out, int adding)
{
    spt_u32 x, y;
    if (spti_span_size(in) == 0) return;
    for (y = SPTI_SPAN_Y(in->min); y <= SPTI_SPAN_Y(in->max); y++)
        for (x = SPTI_SPAN_X(in->min); x <= SPTI_SPAN_X(in->max); x++) {
            spti_bag *tight = &grid->tights[(y << grid->columns) + x];
            if (spti_span_has(out, x, y)) continue;
            if (adding)
                (void)spti_bag_add(&grid->pool, tight, number);
            else
                (void)spti_bag_remove(&grid->pool, tight,
                                      spti_bag_find(&grid->pool, tight, number));
        }
}

/* Gives a loose cell a box, which either holds its former one or is held by it. */
static void spti_loosegrid_fit(spt_loosegrid *grid, spt_i32 cell, const spt_box *box,
                               const spti_span *span)
{
    spti_loose *c = &grid->cells[cell];
    spti_span old;
    old = c->span;
    c->box = *box;
    c->span = *span;
    if (old.min == span->min && old.max == span->max) return;
    spti_loosegrid_list(grid, cell, span, &old, 1);
    spti_loosegrid_list(grid, cell, &old, span, 0);
}

#ifdef SPTI_CAN_PREFETCH
/* Asks for what a loose cell holds, if there is such a cell. */
static void spti_loosegrid_ahead(const spt_loosegrid *grid, spti_ahead *a, spt_i32 cell)
{
    if (cell < 0) return;
    spti_ahead_add(a, &grid->pool, &grid->cells[cell].bag, grid->table.boxes);
    spti_ahead_take(a, SPTI_ASKED);
}
#endif

/* The box around the elements of a loose cell. */
static void spti_loosegrid_around(const spt_loosegrid *grid, spt_i32 cell, spt_box *box)
{
    const spt_box *boxes = grid->table.boxes;
    const spt_i32 *ids;
    spti_cursor at;
    spt_box b;
    spt_i32 n, k;

    spti_box_clear(&b);
    spti_bag_begin(&grid->pool, &grid->cells[cell].bag, &at);
    if (at.left > 0) b = boxes[at.data[SPTI_BLOCK * at.block]];
    while ((ids = spti_bag_next(&at, &n)) != NULL)
        for (k = 0; k < n; k++) spti_box_add(&b, &boxes[ids[k]]);
    *box = b;
}

/* Shrinks the box of a loose cell to that. */
static void spti_loosegrid_shrink(spt_loosegrid *grid, spt_i32 cell)
{
    spti_span span;
    spt_box box;
    span = spti_no_span;
    spti_loosegrid_around(grid, cell, &box);
    if (grid->cells[cell].bag.count > 0) spti_loosegrid_span(grid, &box, &span);
    spti_loosegrid_fit(grid, cell, &box, &span);
}

#ifdef SPTI_CAN_PREFETCH
#define SPTI_TIDY_AHEAD 8 /* how many cells tidy looks ahead */

/* One step of the walk over the cells that wait for tidy; returns the next one that is so far from
   here. */
static spt_i32 spti_tidy_ahead(const spt_loosegrid *grid, spti_ahead *ahead, spt_i32 later)
{
    spti_loosegrid_ahead(grid, ahead, later);
    if (later >= 0) later = grid->cells[later].changed;
    if (later >= 0) SPTI_PREFETCH(&grid->cells[later].bag);
    return later;
}
#endif

/* Shrinks the first of the cells that wait, at most so many; returns how many more it might. */
static spt_u32 spti_loosegrid_shrink_waiting(spt_loosegrid *grid, spt_u32 most)
{
    spt_i32 cell;
#ifdef SPTI_CAN_PREFETCH
    spt_i32 later = grid->waiting;
    spti_ahead ahead;
    int steps;
    spti_ahead_begin(&ahead, 0);
    for (steps = 0; steps < SPTI_TIDY_AHEAD; steps++) later = spti_tidy_ahead(grid, &ahead, later);
#endif
    for (; grid->waiting >= 0 && most > 0; most--) {
        cell = grid->waiting;
#ifdef SPTI_CAN_PREFETCH
        later = spti_tidy_ahead(grid, &ahead, later);
#endif
        grid->waiting = grid->cells[cell].changed;
        grid->cells[cell].changed = SPTI_UNCHANGED;
        spti_loosegrid_shrink(grid, cell);
    }
    return most;
}

/* Shrinks at most so many cells, those first that have waited for longer. */
static void spti_loosegrid_shrink_some(spt_loosegrid *grid, spt_u32 most)
{
    most = spti_loosegrid_shrink_waiting(grid, most);
    if (grid->waiting >= 0) return;
    grid->waiting = grid->changed;
    grid->changed = SPT_NONE;
    (void)spti_loosegrid_shrink_waiting(grid, most);
}

/* Makes the box of a loose cell hold this one, too, and sees to it that one more element has room;
   0 if it would then reach too far, or if there are no more blocks. */
static int spti_loosegrid_cover(spt_loosegrid *grid, spt_i32 cell, const spt_box *box)
{
    spti_loose *c = &grid->cells[cell];
    spti_span span;
    spt_box sum;
    spt_i32 size;
    int tries, wide = 0;
    for (tries = 0; tries < 2; tries++) {
        if (tries > 0 && wide) spti_loosegrid_shrink(grid, cell);
        if (tries > 0 && !wide) spti_loosegrid_shrink_some(grid, 0xFFFFFFFFUL); /* for blocks */
        sum = *box;
        if (c->span.min <= c->span.max) spti_box_add(&sum, &c->box);
        spti_loosegrid_span(grid, &sum, &span);
        size = spti_span_size(&span); /* bcc, for DOS, cannot compare it without a variable */
        wide = size > grid->large;
        if (wide) continue;
        if (spti_pool_room(&grid->pool, size - spti_span_size(&c->span) + 1)) continue;
        spti_loosegrid_fit(grid, cell, &sum, &span);
        return 1;
    }
    return 0;
}

/* The same for an element that stays in its cell. The box mostly stays within its tight cells, and
   then there is no branch: whether it grows could not be guessed. */
static int spti_loosegrid_widen(spt_loosegrid *grid, spt_i32 cell, const spt_box *box)
{
    spti_loose *c = &grid->cells[cell];
    spti_span span;
    spti_loosegrid_span(grid, box, &span);
    if (!spti_span_holds(&c->span, &span)) return spti_loosegrid_cover(grid, cell, box);
    spti_box_add(&c->box, box);
    return 1;
}

/* Notes that tidy should look at a loose cell, if on an edge of the cell's box an element lay with
   its box `old` and lies no more with `now` (NULL: it left). Without a branch, as above. */
static void spti_loosegrid_touch(spt_loosegrid *grid, spt_i32 cell, const spt_box *old,
                                 const spt_box *now)
{
    spti_loose *c = &grid->cells[cell];
    int edges = spti_box_edges(old, &c->box) & ~(now ? spti_box_edges(now, &c->box) : 0);
    int bare = edges != 0;
    spt_i32 mask = -(spt_i32)(bare & (c->changed == SPTI_UNCHANGED));
    grid->bared += (spt_u32)bare;
    c->changed ^= mask & (c->changed ^ grid->changed);
    grid->changed ^= mask & (grid->changed ^ cell);
}

/* Puts element id, whose box is set, into its loose cell, or alone, or among the large ones. */
static void spti_loosegrid_place(spt_loosegrid *grid, spt_i32 id)
{
    const spt_box *box = &grid->table.boxes[id];
    spti_element *e = &grid->table.elements[id];
    spt_i32 cell = spti_loosegrid_cell(grid, box), size;
    spti_span span;
    spti_loosegrid_span(grid, box, &span);
    size = spti_span_size(&span);
    if (size <= grid->large && spti_loosegrid_cover(grid, cell, box)) {
        e->list = cell;
        e->at.slot = spti_bag_add(&grid->pool, &grid->cells[cell].bag, id);
    } else if (size <= grid->large && spti_pool_room(&grid->pool, size) == SPT_OK) {
        e->list = SPTI_ALONE(grid);
        e->at.span = span;
        spti_loosegrid_list(grid, grid->cell_count + id, &span, &spti_no_span, 1);
    } else
        spti_link(grid->table.elements, &grid->larges, id, SPTI_LARGE(grid));
}

static void spti_loosegrid_unplace(spt_loosegrid *grid, spt_i32 id)
{
    spti_element *elements = grid->table.elements, *e = &elements[id];
    spti_bag *bag;
    spt_i32 moved;
    if (e->list == SPTI_LARGE(grid))
        (void)spti_unlink(elements, &grid->larges, id);
    else if (e->list == SPTI_ALONE(grid))
        spti_loosegrid_list(grid, grid->cell_count + id, &e->at.span, &spti_no_span, 0);
    else {
        bag = &grid->cells[e->list].bag;
        moved = spti_bag_remove(&grid->pool, bag, e->at.slot);
        elements[moved].at.slot = e->at.slot;
        spti_loosegrid_touch(grid, e->list, &grid->table.boxes[id], NULL);
    }
}

/* --- life ------------------------------------------------------------------------------------- */

#define SPTI_LOOSEGRID_START 64 /* ids that a growing grid begins with */
#define SPTI_LOOSEGRID_TIGHT 4
#define SPTI_LOOSEGRID_LARGE 64

typedef struct spti_loosegrid_plan { /* a desc with its defaults, and what follows from them */
    spt_i32 ids, tights, cells, blocks, large;
    int levels_x, levels_y; /* of loose cells */
    int shift, columns, rows; /* see spt_loosegrid */
} spti_loosegrid_plan;

/* How often each axis is to be halved. */
static void spti_loosegrid_levels(const spt_loosegrid_desc *desc, spti_loosegrid_plan *plan)
{
    spti_dist width = SPTI_DIST(desc->bounds.max_x, desc->bounds.min_x) / 2;
    spti_dist height = SPTI_DIST(desc->bounds.max_y, desc->bounds.min_y) / 2, side;
    plan->levels_x = plan->levels_y = 1;
    for (;;) {
        int *levels = height > width ? &plan->levels_y : &plan->levels_x;
        side = height > width ? height : width;
        if (*levels == SPT_LOOSEGRID_MAX_LEVELS) return;
        if (desc->cell > 0 && side - side / 3 <= (spti_dist)desc->cell) return;
        if (!(desc->cell > 0) && desc->capacity >> (plan->levels_x + plan->levels_y) < 16) return;
        *levels += 1;
        if (height > width)
            height /= 2;
        else
            width /= 2;
    }
}

/* Reads a desc. With a capacity there are blocks for all elements, however they are spread, and for
   some 16 tight cells that list each loose one. */
static int spti_loosegrid_read(const spt_loosegrid_desc *desc, spti_loosegrid_plan *plan)
{
    spt_i32 n, most;
    if (!desc || desc->capacity < 0 || !spti_bounds_valid(&desc->bounds)) return SPT_ERR_ARGUMENT;
    if (!(desc->cell >= 0) || (!(desc->cell > 0) && desc->capacity == 0)) return SPT_ERR_ARGUMENT;
    if (desc->tight < 0 || desc->tight > 256 || (desc->tight & (desc->tight - 1)))
        return SPT_ERR_ARGUMENT;
    if (desc->large < 0) return SPT_ERR_ARGUMENT;
    n = desc->capacity;
    if (n > SPTI_I32_MAX / 2) return SPT_ERR_MEMORY;
    plan->ids = n ? n : SPTI_LOOSEGRID_START;
    plan->large = desc->large ? desc->large : SPTI_LOOSEGRID_LARGE;
    spti_loosegrid_levels(desc, plan);
    plan->shift = spti_bits((spt_u32)(desc->tight ? desc->tight : SPTI_LOOSEGRID_TIGHT)) - 1;
    if (plan->shift > plan->levels_x) plan->shift = plan->levels_x;
    if (plan->shift > plan->levels_y) plan->shift = plan->levels_y;
    plan->columns = plan->levels_x - plan->shift;
    plan->rows = plan->levels_y - plan->shift;
    plan->tights = (spt_i32)1 << (plan->columns + plan->rows);
    plan->cells = plan->tights << (2 * plan->shift);
    most = n < plan->cells ? n : plan->cells; /* loose cells that can hold something */
    plan->blocks = n ? n / (SPTI_BLOCK - 1) + most / (SPTI_BLOCK - 1) * 16 + most + plan->tights + 4
                     : 0;
    return plan->blocks > SPTI_I32_MAX / SPTI_BLOCK ? SPT_ERR_MEMORY : SPT_OK;
}

static void spti_loosegrid_bare(spt_loosegrid *grid)
{
    spt_i32 i;
    for (i = 0; i < grid->cell_count; i++) {
        spti_loose *c = &grid->cells[i];
        spti_box_clear(&c->box);
        c->span = spti_no_span;
        c->bag.first = SPT_NONE, c->bag.count = 0;
        c->changed = SPTI_UNCHANGED;
    }
    for (i = 0; i < grid->tight_count; i++)
        grid->tights[i].first = SPT_NONE, grid->tights[i].count = 0;
    spti_pool_clear(&grid->pool);
    grid->larges = SPT_NONE;
    grid->changed = grid->waiting = SPT_NONE;
    grid->bared = 0;
}

static size_t spti_loose_bytes(spt_i32 cells)
{
    return spti_bytes((spt_u32)cells, sizeof(spti_loose));
}

static size_t spti_tight_bytes(spt_i32 tights)
{
    return spti_bytes((spt_u32)tights, sizeof(spti_bag));
}

/* Allocates the cells, which are not yet set. */
static int spti_loosegrid_alloc(spt_loosegrid *grid, spt_i32 cells, spt_i32 tights)
{
    size_t bytes = spti_loose_bytes(cells);
    if (bytes) grid->cells = (spti_loose *)spti_alloc(&grid->allocator, bytes);
    if (!grid->cells) return SPT_ERR_MEMORY;
    grid->cell_count = cells;
    bytes = spti_tight_bytes(tights);
    if (bytes) grid->tights = (spti_bag *)spti_alloc(&grid->allocator, bytes);
    if (!grid->tights) return SPT_ERR_MEMORY;
    grid->tight_count = tights;
    return SPT_OK;
}

SPTI_API size_t spt_loosegrid_bytes_for(const spt_loosegrid_desc *desc)
{
    spti_loosegrid_plan plan;
    size_t used = 0;
    if (spti_loosegrid_read(desc, &plan) != SPT_OK) return 0;
    (void)spti_piece(NULL, &used, (spt_u32)plan.ids, SPTI_TABLE_BYTES);
    (void)spti_piece(NULL, &used, (spt_u32)plan.cells, sizeof(spti_loose));
    (void)spti_piece(NULL, &used, (spt_u32)plan.tights, sizeof(spti_bag));
    spti_pool_piece(&used, plan.blocks);
    return spti_total(used, spti_pairs_bytes_for(desc->capacity, desc->no_pairs));
}

SPTI_API int spt_loosegrid_init(spt_loosegrid *grid, const spt_loosegrid_desc *desc)
{
    spti_loosegrid_plan plan;
    int error = spti_loosegrid_read(desc, &plan);

    spti_zero(grid, sizeof *grid);
    if (!error && spt_loosegrid_bytes_for(desc) == 0) error = SPT_ERR_MEMORY;
    if (error) return error;
    grid->allocator = desc->allocator;
    grid->bounds = desc->bounds;
    grid->shift = plan.shift;
    grid->columns = plan.columns;
    grid->rows = plan.rows;
    grid->large = plan.large;
    grid->fixed = desc->capacity > 0;
    spti_map_init(&grid->map, &grid->bounds, plan.levels_x, plan.levels_y);
    error = spti_table_grow(&grid->table, &grid->allocator, plan.ids);
    if (!error) error = spti_loosegrid_alloc(grid, plan.cells, plan.tights);
    if (!error) error = spti_pool_init(&grid->pool, &grid->allocator, plan.blocks);
    if (!error) error = SPTI_PAIRS_INIT(grid, desc);
    if (error)
        spt_loosegrid_free(grid);
    else
        spti_loosegrid_bare(grid);
    return error;
}

SPTI_API void spt_loosegrid_free(spt_loosegrid *grid)
{
    /* In the reverse of the order of allocation, for an arena takes back only the last piece. */
    SPTI_PAIRS_FREE(grid);
    if (grid->pool.limit) spt_intlist_free(&grid->pool.blocks);
    spti_free(&grid->allocator, grid->tights, spti_tight_bytes(grid->tight_count));
    spti_free(&grid->allocator, grid->cells, spti_loose_bytes(grid->cell_count));
    spti_free(&grid->allocator, grid->table.boxes, spti_table_bytes(grid->table.size));
    spti_zero(grid, sizeof *grid);
}

SPTI_API void spt_loosegrid_clear(spt_loosegrid *grid)
{
    spti_loosegrid_bare(grid);
    spti_table_clear(&grid->table, (spt_i32)0);
    grid->table.count = 0;
}

SPTI_API size_t spt_loosegrid_bytes(const spt_loosegrid *grid)
{
    if (!grid->cells) return 0;
    return spti_table_bytes(grid->table.size) + spti_loose_bytes(grid->cell_count) +
           spti_tight_bytes(grid->tight_count) + spt_intlist_bytes(&grid->pool.blocks) +
           SPTI_PAIRS_BYTES(grid);
}

/* --- mutation --------------------------------------------------------------------------------- */

SPTI_API int spt_loosegrid_insert(spt_loosegrid *grid, spt_i32 id, const spt_box *box)
{
    spt_i32 size;
    int error = spti_table_may_insert(&grid->table, id, box, grid->fixed, &size);
    spt_box copy; /* box may lie in the table, which moves when it grows */

    if (error) return error;
    copy = *box;
    if (size > grid->table.size) error = spti_table_grow(&grid->table, &grid->allocator, size);
    if (error) return error;
    grid->table.boxes[id] = copy;
    grid->table.count++;
    spti_loosegrid_place(grid, id);
    return SPT_OK;
}

/* Gives element id, which is there, a valid box. */
static int spti_loosegrid_change(spt_loosegrid *grid, spt_i32 id, const spt_box *box)
{
    spt_box *own = &grid->table.boxes[id];
    spt_i32 cell = grid->table.elements[id].list; /* of the new box would be known later */

    if (spti_loosegrid_cell(grid, box) == cell && spti_loosegrid_widen(grid, cell, box)) {
        spti_loosegrid_touch(grid, cell, own, box);
        *own = *box;
        return SPT_OK;
    }
    spti_loosegrid_unplace(grid, id);
    *own = *box;
    spti_loosegrid_place(grid, id);
    return SPT_OK;
}

#ifdef SPTI_CAN_PREFETCH
/* Asks for the loose cell of an element, which may lie across two lines of the cache. */
static void spti_cell_ahead(const spt_loosegrid *grid, spt_i32 id)
{
    spt_u32 cell; /* large if there is none: SPT_NONE, too */
    if ((spt_u32)id >= (spt_u32)grid->table.size) return;
    cell = (spt_u32)grid->table.elements[id].list;
    if (cell >= (spt_u32)grid->cell_count) return;
    SPTI_PREFETCH(&grid->cells[cell].box);
    SPTI_PREFETCH(&grid->cells[cell].changed);
}
#endif

SPTI_API int spt_loosegrid_remove(spt_loosegrid *grid, spt_i32 id)
{
    if (!spti_table_has(&grid->table, id)) return SPT_ERR_ID;
    spti_loosegrid_unplace(grid, id);
    spti_table_remove(&grid->table, id);
    return SPT_OK;
}

SPTI_API void spt_loosegrid_tidy(spt_loosegrid *grid)
{
    spt_u32 most = SPTI_TIDY_LEAST + grid->bared / 2;
    if (!grid->cells || (grid->waiting < 0 && grid->changed < 0)) return;
    grid->bared = 0;
    spti_loosegrid_shrink_some(grid, most);
}

/* --- query ------------------------------------------------------------------------------------ */

#define SPTI_WAITING 16 /* more is faster by little, and stacks may be small */
#ifdef SPTI_CAN_PREFETCH
SPTI_STATIC_ASSERT(waiting_fits_queue, SPTI_WAITING <= SPTI_QUEUE);
#endif

typedef struct spti_hunt { /* a query */
    const spt_loosegrid *grid;
    spti_window window;
    spti_cells cells; /* the tight ones that it reaches into */
    int count;
    spt_i32 waiting[SPTI_WAITING]; /* loose cells, and elements that are alone */
} spti_hunt;

/* Tells of those among n elements that overlap the box. */
static int spti_hunt_test(const spti_hunt *h, const spt_i32 *ids, spt_i32 n)
{
    const spt_box *boxes = h->window.boxes;
    spt_i32 hits[SPTI_BLOCK], found = 0, k;
    for (k = 0; k < SPTI_BLOCK; k++) hits[k] = 0;
    for (k = 0; k < n; k++) { /* each is written, those that do not count are overwritten */
        hits[found] = ids[k];
        found += spt_box_overlap(&boxes[ids[k]], h->window.box);
    }
    return spti_window_tell(&h->window, hits, found);
}

/* A loose cell's elements are not looked at where its box lies within that of the query. */
static int spti_hunt_cell(const spti_hunt *h, const spti_loose *c)
{
    int stop = 0, all = spti_box_holds(h->window.box, &c->box);
    const spt_i32 *ids;
    spti_cursor at;
    spt_i32 n;
    spti_bag_begin(&h->grid->pool, &c->bag, &at);
    while (!stop && (ids = spti_bag_next(&at, &n)) != NULL)
        stop = all ? spti_window_tell(&h->window, ids, n) : spti_hunt_test(h, ids, n);
    return stop;
}

#ifdef SPTI_CAN_PREFETCH
/* Asks for what hunt_cell will look at in all that waits. */
static void spti_hunt_ahead(const spti_hunt *h)
{
    const spt_loosegrid *grid = h->grid;
    spti_ahead ahead;
    int k;
    spti_ahead_begin(&ahead, 0);
    for (k = 0; k < h->count; k++) {
        const spti_loose *c;
        if (h->waiting[k] >= grid->cell_count) continue;
        c = &grid->cells[h->waiting[k]];
        spti_ahead_add(&ahead, &grid->pool, &c->bag,
                       spti_box_holds(h->window.box, &c->box) ? NULL : h->window.boxes);
    }
    spti_ahead_take(&ahead, 0);
}
#endif

/* Looks through what waits. It waits so that much of it can be asked for at the same time. */
static int spti_hunt_waiting(spti_hunt *h)
{
    const spt_loosegrid *grid = h->grid;
    int stop = 0, count = h->count, k;
#ifdef SPTI_CAN_PREFETCH
    spti_hunt_ahead(h);
#endif
    h->count = 0;
    for (k = 0; k < count && !stop; k++) {
        spt_i32 id = h->waiting[k] - grid->cell_count; /* < 0: it is a cell */
        stop = id < 0 ? spti_hunt_cell(h, &grid->cells[h->waiting[k]]) : spti_hunt_test(h, &id, 1);
    }
    return stop;
}

/* 1 if what tight cell (x, y) lists was not seen in one before: here its span begins, or the query
   does, along either axis. */
static int spti_hunt_first(const spti_hunt *h, const spti_span *span, spt_u32 x, spt_u32 y)
{
    return ((x == h->cells.x0) | (x == SPTI_SPAN_X(span->min))) &
           ((y == h->cells.y0) | (y == SPTI_SPAN_Y(span->min)));
}

/* Notes what tight cell (x, y) lists, was not seen before and has a box that overlaps the query. */
static int spti_hunt_tight(spti_hunt *h, spt_u32 x, spt_u32 y)
{
    const spt_loosegrid *grid = h->grid;
    const spt_i32 *numbers;
    spti_cursor at;
    spt_i32 n, k;
    int stop = 0;
    spti_bag_begin(&grid->pool, &grid->tights[(y << grid->columns) + x], &at);
    while (!stop && (numbers = spti_bag_next(&at, &n)) != NULL) {
        if (h->count + n > SPTI_WAITING) stop = spti_hunt_waiting(h);
        for (k = 0; k < n; k++) { /* see hunt_test */
            spt_i32 id = numbers[k] - grid->cell_count; /* < 0: it is a cell */
            const spti_loose *c = &grid->cells[id < 0 ? numbers[k] : 0];
            const spt_box *box = &grid->table.boxes[id < 0 ? 0 : id];
            const spti_element *e = &grid->table.elements[id < 0 ? 0 : id];
            h->waiting[h->count] = numbers[k];
            h->count += (spt_box_overlap(id < 0 ? &c->box : box, h->window.box) &
                         spti_hunt_first(h, id < 0 ? &c->span : &e->at.span, x, y)) != 0;
        }
    }
    return stop;
}

/* Finds what overlaps the box, but for large elements. */
static int spti_hunt_tights(spti_hunt *h)
{
    spt_u32 x, y;
    int stop = 0;
    spti_loosegrid_cells(h->grid, h->window.box, &h->cells);
    h->count = 0;
    spti_zero(h->waiting, sizeof h->waiting); /* not needed, but analysers cannot see that */
    for (y = h->cells.y0; y <= h->cells.y1 && !stop; y++)
        for (x = h->cells.x0; x <= h->cells.x1 && !stop; x++) stop = spti_hunt_tight(h, x, y);
    return stop ? stop : spti_hunt_waiting(h);
}

/* Finds all that overlaps the box. */
static int spti_hunt_all(const spt_loosegrid *grid, const spt_box *box, spt_visit_fn fn, void *ctx,
                         spt_intlist *out)
{
    spti_hunt h;
    spt_i32 id;
    int stop;

    if (!spt_box_valid(box)) return SPT_ERR_ARGUMENT;
    if (!grid->cells) return 0;
    h.grid = grid;
    spti_window_init(&h.window, &grid->table, box, fn, ctx, out);
    stop = spti_hunt_tights(&h);
    for (id = grid->larges; id >= 0 && !stop; id = grid->table.elements[id].at.links.next)
        stop = spti_hunt_test(&h, &id, (spt_i32)1);
    return stop;
}

SPTI_API int spt_loosegrid_visit(const spt_loosegrid *grid, const spt_box *box, spt_visit_fn fn,
                                 void *ctx)
{
    return spti_hunt_all(grid, box, fn, ctx, NULL);
}

SPTI_API spt_i32 spt_loosegrid_query(const spt_loosegrid *grid, const spt_box *box,
                                     spt_intlist *out)
{
    spt_i32 before = out->count;
    if (out->fields != 1) return SPT_ERR_ARGUMENT;
    return spti_appended(out, before, spti_hunt_all(grid, box, NULL, NULL, out));
}

SPTI_VERBS(loosegrid, spti_cell_ahead)

SPTI_PAIRS_VERB(loosegrid)

/* --- traverse and check ----------------------------------------------------------------------- */

/* Box of a tight cell. */
static void spti_tight_box(const spt_loosegrid *grid, spt_u32 x, spt_u32 y, spt_box *box)
{
    const spt_box *b = &grid->bounds;
    box->min_x = spti_part(b->min_x, b->max_x, x, grid->columns);
    box->max_x = spti_part(b->min_x, b->max_x, x + 1, grid->columns);
    box->min_y = spti_part(b->min_y, b->max_y, y, grid->rows);
    box->max_y = spti_part(b->min_y, b->max_y, y + 1, grid->rows);
}

SPTI_API int spt_loosegrid_traverse(const spt_loosegrid *grid, spt_cell_fn fn, void *ctx)
{
    spt_i32 per_tight = (spt_i32)1 << (2 * grid->shift), t, i, held = 0;
    spt_box box;
    int stop;

    if (grid->table.count == 0) return 0;
    for (i = 0; i < grid->cell_count; i++) held += grid->cells[i].bag.count;
    stop = fn(ctx, &grid->bounds, 0, grid->table.count - held);
    for (t = 0; t < grid->tight_count && !stop; t++) {
        const spti_loose *c = grid->cells + t * per_tight;
        for (held = 0, i = 0; i < per_tight; i++) held += c[i].bag.count;
        if (held == 0) continue;
        spti_tight_box(grid, (spt_u32)t & (((spt_u32)1 << grid->columns) - 1),
                           (spt_u32)t >> grid->columns, &box);
        stop = fn(ctx, &box, 1, (spt_i32)0);
        for (i = 0; i < per_tight && !stop; i++)
            if (c[i].bag.count > 0) stop = fn(ctx, &c[i].box, 2, c[i].bag.count);
    }
    return stop;
}

/* 1 if all tight cells of a span list this number. */
static int spti_loosegrid_lists(const spt_loosegrid *grid, spt_i32 number, const spti_span *span)
{
    spt_u32 x, y;
    for (y = SPTI_SPAN_Y(span->min); y <= SPTI_SPAN_Y(span->max); y++)
        for (x = SPTI_SPAN_X(span->min); x <= SPTI_SPAN_X(span->max); x++)
            if (spti_bag_find(&grid->pool, &grid->tights[(y << grid->columns) + x], number) < 0)
                return 0;
    return 1;
}

/* 1 if a loose cell holds what belongs in it, its box holds that and is no larger, unless tidy is
   to look at it, and the tight cells that the box reaches into, these and not too many, list it. */
static int spti_loosegrid_check_cell(const spt_loosegrid *grid, spt_i32 cell)
{
    const spti_loose *c = &grid->cells[cell];
    const spti_element *e;
    const spt_i32 *ids;
    spti_cursor at;
    spti_span span;
    spt_box around;
    spt_i32 n, k;

    if (!spti_bag_check(&grid->pool, &c->bag)) return 0;
    if (spti_span_size(&c->span) == 0) return c->bag.count == 0 && !spt_box_valid(&c->box);
    spti_loosegrid_span(grid, &c->box, &span);
    if (span.min != c->span.min || span.max != c->span.max) return 0;
    n = spti_span_size(&span);
    if (n > grid->large) return 0;
    if (!spti_loosegrid_lists(grid, cell, &span)) return 0;
    spti_bag_begin(&grid->pool, &c->bag, &at);
    while ((ids = spti_bag_next(&at, &n)) != NULL)
        for (k = 0; k < n; k++) {
            if (!spti_table_has(&grid->table, ids[k])) return 0;
            e = &grid->table.elements[ids[k]];
            if (e->list != cell || e->at.slot != (spt_i32)(ids - at.data) + k) return 0;
            if (spti_loosegrid_cell(grid, &grid->table.boxes[ids[k]]) != cell) return 0;
            if (!spti_box_holds(&c->box, &grid->table.boxes[ids[k]])) return 0;
        }
    spti_loosegrid_around(grid, cell, &around);
    return c->changed != SPTI_UNCHANGED || spti_box_holds(&around, &c->box);
}

/* Number of elements that are alone if they are listed where they should be, else SPT_NONE; adds to
   *listed how often that is. */
static spt_i32 spti_loosegrid_check_alone(const spt_loosegrid *grid, spt_i32 *listed)
{
    spt_i32 n = 0, id, size;
    for (id = 0; id < grid->table.size; id++) {
        const spti_element *e = &grid->table.elements[id];
        spti_span span;
        if (e->list != SPTI_ALONE(grid)) continue;
        spti_loosegrid_span(grid, &grid->table.boxes[id], &span);
        if (span.min != e->at.span.min || span.max != e->at.span.max) return SPT_NONE;
        size = spti_span_size(&span);
        if (size > grid->large) return SPT_NONE;
        if (!spti_loosegrid_lists(grid, grid->cell_count + id, &span)) return SPT_NONE;
        *listed += size;
        n++;
    }
    return n;
}

/* Number of large elements if they are linked both ways, else SPT_NONE. */
static spt_i32 spti_loosegrid_check_larges(const spt_loosegrid *grid)
{
    const spti_element *elements = grid->table.elements;
    spt_i32 n = 0, prev = SPT_NONE, id;
    for (id = grid->larges; id >= 0; prev = id, id = elements[id].at.links.next, n++) {
        if (!spti_table_has(&grid->table, id) || n > grid->table.count) return SPT_NONE;
        if (elements[id].list != SPTI_LARGE(grid)) return SPT_NONE;
        if (elements[id].at.links.prev != prev) return SPT_NONE;
    }
    return n;
}

/* Number of loose cells in a chain of those that wait for tidy, or more than there are. */
static spt_i32 spti_loosegrid_check_chain(const spt_loosegrid *grid, spt_i32 first)
{
    spt_i32 n = 0, cell;
    for (cell = first; cell != SPT_NONE && n <= grid->cell_count; n++) {
        if (cell < 0 || cell >= grid->cell_count) return grid->cell_count + 1;
        cell = grid->cells[cell].changed;
    }
    return n;
}

SPTI_API int spt_loosegrid_check(const spt_loosegrid *grid)
{
    spt_i32 spans = 0, listed = 0, blocks = 0, waiting = 0, held, alone, i;

    if (!grid->cells) return grid->table.size == 0 && grid->table.count == 0;
    if (!spti_table_check(&grid->table) || !spti_pool_check(&grid->pool)) return 0;
    for (i = 0; i < grid->tight_count; i++) {
        if (!spti_bag_check(&grid->pool, &grid->tights[i])) return 0;
        listed += grid->tights[i].count;
        blocks += spti_bag_blocks(grid->tights[i].count);
    }
    held = spti_loosegrid_check_larges(grid);
    alone = spti_loosegrid_check_alone(grid, &spans);
    if (held == SPT_NONE || alone == SPT_NONE) return 0;
    held += alone;
    for (i = 0; i < grid->cell_count; i++) {
        const spti_loose *c = &grid->cells[i];
        if (!spti_loosegrid_check_cell(grid, i)) return 0;
        waiting += c->changed != SPTI_UNCHANGED;
        spans += spti_span_size(&c->span);
        held += c->bag.count;
        blocks += spti_bag_blocks(c->bag.count);
    }
    waiting -= spti_loosegrid_check_chain(grid, grid->waiting);
    waiting -= spti_loosegrid_check_chain(grid, grid->changed);
    return waiting == 0 && spans == listed && held == grid->table.count &&
           blocks == grid->pool.used;
}
#endif

#ifndef SPATIAL_NO_PACKED
/* ============================================================================================== */
/* PACKED                                                                                >>packed

   A tree in which every node has 32 children, stored level by level, the leaves first, without a
   pointer: block k of a level has the boxes around blocks 32k .. 32k + 31 of the level below.

       level 0   | 32 boxes | 32 boxes | 32 boxes | ...                          | 5 boxes |
       level 1   | around the 32 blocks from 0 on | around those from 32 on      | ...
       level 2   | around the blocks of level 1 |
       ids       in the order of the leaves

   A block has its 32 smallest x together, then its smallest y, largest x, largest y: eight lines of
   a cache with float, which a few vector instructions make a set of 32 bits: who overlaps the
   window. A second such set says who lies in it as a whole; of those the ids are copied, however
   large the subtree, for a subtree is a run of the ids. Blocks that are still to be looked at are
   asked for before the first of them is: in a million boxes it is the waiting for memory that
   takes the time.

   Boxes are sorted by where their middle is on a Hilbert curve through 2^16 by 2^16 cells, which
   follow from a sample as those of the broadphase do. The records that are sorted lie where the
   blocks will be, so building takes no other memory.

   Idea: R-trees packed along a Hilbert curve (I. Kamel, C. Faloutsos, "On Packing R-trees", 1993),
   without pointers as their nodes are all full. */

#define SPTI_PACK ((spt_i32)SPT_PACKED_BLOCK)
#define SPTI_PACK_BITS 5
#define SPTI_PACK_LEVELS 7 /* of blocks, for 2^31 - 1 boxes */
#define SPTI_HILBERT 16    /* levels of cells */

SPTI_STATIC_ASSERT(block_has_its_bits, SPT_PACKED_BLOCK == 1 << SPTI_PACK_BITS);
SPTI_STATIC_ASSERT(levels_suffice, SPTI_PACK_BITS * SPTI_PACK_LEVELS >= 31);

typedef struct spti_pack {           /* what is where in the memory of so many boxes */
    spt_coord *boxes;                /* all blocks */
    spt_i32 *ids;
    spt_u32 *counts;                 /* for sorting */
    spt_i32 items[SPTI_PACK_LEVELS]; /* boxes on each level; the last has up to 32 */
    spt_i32 first[SPTI_PACK_LEVELS]; /* where its blocks begin */
    int top;                         /* the last level */
} spti_pack;

/* A bit for each of n boxes, n > 0. */
#define SPTI_PACK_SET(n) ((spt_u32)0xFFFFFFFFUL >> (SPTI_PACK - (n)))

/* Blocks for so many boxes. */
static spt_i32 spti_pack_blocks(spt_i32 items)
{
    return items / SPTI_PACK + (items % SPTI_PACK != 0);
}

/* Lays out the memory for n boxes, n > 0; returns its bytes, 0 if that does not fit size_t. */
static size_t spti_pack_init(spti_pack *p, unsigned char *block, spt_i32 n)
{
    size_t used = 0, unit = SPT_PACKED_BLOCK * 4 * sizeof(spt_coord);
    spt_u32 counts = n > SPTI_FEW ? (spt_u32)1 << SPTI_COUNT_BITS(32) : 0;
    spt_i32 blocks = spti_pack_blocks(n);
    p->items[0] = n;
    p->first[0] = 0;
    for (p->top = 0; p->items[p->top] > SPTI_PACK; p->top++) {
        p->first[p->top + 1] = blocks;
        p->items[p->top + 1] = spti_pack_blocks(p->items[p->top]);
        blocks += spti_pack_blocks(p->items[p->top + 1]);
    }
    p->boxes = (spt_coord *)spti_piece(block, &used, (spt_u32)blocks, unit);
    p->ids = (spt_i32 *)spti_piece(block, &used, (spt_u32)n, sizeof(spt_i32));
    p->counts = (spt_u32 *)spti_piece(block, &used, counts, sizeof(spt_u32));
    return used <= SPTI_SIZE_MAX / 2 ? used : 0;
}

/* The boxes of block k of a level; returns how many. */
static spt_i32 spti_pack_block(const spti_pack *p, int level, spt_i32 k, spti_soa *out)
{
    spt_i32 left = p->items[level] - k * SPTI_PACK;
    out->min_x = p->boxes + (size_t)(p->first[level] + k) * (4 * SPT_PACKED_BLOCK);
    out->min_y = out->min_x + SPT_PACKED_BLOCK;
    out->max_x = out->min_y + SPT_PACKED_BLOCK;
    out->max_y = out->max_x + SPT_PACKED_BLOCK;
    out->id = p->ids + k * SPTI_PACK;
    return left < SPTI_PACK ? left : SPTI_PACK;
}

/* Makes room for n boxes; what was there is lost if it is not enough. */
static int spti_packed_reserve(spt_packed *packed, spt_i32 n)
{
    spti_pack p;
    size_t bytes;
    unsigned char *block;
    if (n <= packed->capacity) return SPT_OK;
    bytes = spti_pack_init(&p, NULL, n);
    block = bytes ? (unsigned char *)spti_alloc(&packed->allocator, bytes) : NULL;
    if (!block) return SPT_ERR_MEMORY;
    spti_free(&packed->allocator, packed->block, packed->bytes);
    packed->block = block;
    packed->bytes = bytes;
    packed->capacity = n;
    return SPT_OK;
}

SPTI_API int spt_packed_init(spt_packed *packed, const spt_packed_desc *desc)
{
    int error;
    spti_zero(packed, sizeof *packed);
    if (!desc) return SPT_OK;
    if (desc->capacity < 0) return SPT_ERR_ARGUMENT;
    packed->allocator = desc->allocator;
    error = spti_packed_reserve(packed, desc->capacity);
    packed->fixed = desc->capacity > 0;
    if (error) spti_zero(packed, sizeof *packed);
    return error;
}

SPTI_API void spt_packed_free(spt_packed *packed)
{
    spti_free(&packed->allocator, packed->block, packed->bytes);
    spti_zero(packed, sizeof *packed);
}

SPTI_API void spt_packed_clear(spt_packed *packed)
{
    packed->count = 0;
}

SPTI_API size_t spt_packed_bytes_for(const spt_packed_desc *desc)
{
    spti_pack p;
    return desc && desc->capacity > 0 ? spti_pack_init(&p, NULL, desc->capacity) : 0;
}

SPTI_API size_t spt_packed_bytes(const spt_packed *packed)
{
    return packed->bytes;
}

SPTI_API spt_i32 spt_packed_count(const spt_packed *packed)
{
    return packed->count;
}

/* --- building --------------------------------------------------------------------------------- */

/* How far along a Hilbert curve through 2^16 by 2^16 cells the cell (x, y) lies. In each quarter
   the curve is the same again, but with the axes swapped, or both turned round, or both: two bits
   know which on the way down. (D. Hilbert, "Ueber die stetige Abbildung einer Linie auf ein
   Flaechenstueck", 1891.) */
static spt_u32 spti_hilbert(spt_u32 x, spt_u32 y)
{
    spt_u32 key = 0, swap = 0, flip = 0;
    int k;
    for (k = SPTI_HILBERT - 1; k >= 0; k--) {
        spt_u32 right = x >> k & 1, up = y >> k & 1, change = ((right ^ up) & swap) ^ flip;
        right ^= change;
        up ^= change;
        key = 4 * key + ((3 * right) ^ up);
        flip ^= right & (up ^ 1);
        swap ^= up ^ 1;
    }
    return key;
}

/* Chooses cells for the boxes by a sample, for which the pack's memory is not yet in use. Both axes
   get the larger extent: the curve goes through squares. */
static void spti_pack_cells(const spti_pack *p, const spt_box *boxes, spt_i32 n, spti_map *map)
{
    spti_soa sample;
    spti_dist extent, extent_y;
    spt_coord x = 0, y = 0;
    spt_i32 m = spti_samples(n), k;
    (void)spti_pack_block(p, 0, (spt_i32)0, &sample);
    sample.min_y = sample.min_x + m;
    sample.max_x = sample.min_y + m;
    sample.max_y = sample.max_x + m;
    for (k = 0; k < m; k++) spti_soa_put(&sample, k, &boxes[spti_pick(k, n)]);
    extent = spti_extent(sample.min_x, sample.max_x, m, &x);
    extent_y = spti_extent(sample.min_y, sample.max_y, m, &y);
    if (extent_y > extent) extent = extent_y;
    spti_axis_init(&map->x, x, extent, SPTI_HILBERT);
    spti_axis_init(&map->y, y, extent, SPTI_HILBERT);
}

/* Writes the ids of the boxes in the order of the curve. */
static void spti_pack_sort(const spti_pack *p, const spt_box *boxes, spt_i32 n)
{
    spti_record *records = (spti_record *)(void *)p->boxes;
    spti_map map;
    spti_cells c;
    spt_i32 i;
    spti_pack_cells(p, boxes, n, &map);
    for (i = 0; i < n; i++) {
        spti_cells_of(&map, &boxes[i], &c);
        records[i].key = spti_hilbert((c.x0 + c.x1) / 2, (c.y0 + c.y1) / 2);
        records[i].index = i;
    }
    if (n > SPTI_FEW)
        spti_sort(records, records + n, n, 32, p->counts);
    else
        spti_sort_few(records, n);
    for (i = 0; i < n; i++) p->ids[i] = records[i].index;
}

/* Puts the boxes into the leaves. */
static void spti_pack_load(const spti_pack *p, const spt_box *boxes)
{
    spti_soa leaf;
    spt_i32 k, i, n, m;
    for (k = 0, n = p->items[0]; n > 0; k++, n -= m) {
        m = spti_pack_block(p, 0, k, &leaf);
        for (i = 0; i < m; i++) {
#ifdef SPTI_CAN_PREFETCH
            SPTI_PREFETCH(&boxes[leaf.id[i + SPTI_SOON < n ? i + SPTI_SOON : i]]);
#endif
            spti_soa_set(&leaf, i, &boxes[leaf.id[i]], leaf.id[i]);
        }
    }
}

/* Box i of a level above the leaves. */
static void spti_pack_around(const spti_pack *p, int level, spt_i32 i, spt_box *box)
{
    spti_soa below;
    spt_i32 m = spti_pack_block(p, level - 1, i, &below);
    spti_around(&below, (spt_i32)0, m, box);
}

SPTI_API int spt_packed_build(spt_packed *packed, const spt_box *boxes, spt_i32 n)
{
    spti_pack p;
    spti_soa node;
    spt_box box;
    spt_i32 i;
    int level, error;
    if (n < 0) return SPT_ERR_ARGUMENT;
    if (packed->fixed && n > packed->capacity) return SPT_ERR_FULL;
    for (i = 0; i < n; i++)
        if (!spt_box_valid(&boxes[i])) return SPT_ERR_ARGUMENT;
    error = spti_packed_reserve(packed, n);
    if (error) return error;
    packed->count = n;
    if (n == 0) return SPT_OK;
    (void)spti_pack_init(&p, packed->block, n);
    spti_pack_sort(&p, boxes, n);
    spti_pack_load(&p, boxes);
    for (level = 1; level <= p.top; level++)
        for (i = 0; i < p.items[level]; i++) {
            spti_pack_around(&p, level, i, &box);
            (void)spti_pack_block(&p, level, i / SPTI_PACK, &node);
            spti_soa_put(&node, i % SPTI_PACK, &box);
        }
    return SPT_OK;
}

/* --- windows ---------------------------------------------------------------------------------- */

/* The sieve: a bit for each of the n boxes of a block, 1 if it overlaps box. */
#ifdef SPTI_V_STEP
#define SPTI_SIEVE(name, target, V, VEC)                                                           \
    target static spt_u32 name(const spti_soa *s, int n, const spt_box *box)                       \
    {                                                                                              \
        const VEC min_x = V##_SPLAT(box->min_x), min_y = V##_SPLAT(box->min_y);                    \
        const VEC max_x = V##_SPLAT(box->max_x), max_y = V##_SPLAT(box->max_y);                    \
        const spti_soa b = *s;                                                                     \
        spt_u32 misses = 0;                                                                        \
        int j;                                                                                     \
        for (j = 0; j < n; j += V##_LANES)                                                         \
            misses |= (spt_u32)V##_BITS(SPTI_MISSES(V, b, j)) << j;                                \
        return ~misses & SPTI_PACK_SET(n);                                                         \
    }

SPTI_SIEVE(spti_sieve_v, SPTI_V_TARGET, SPTI_V, spti_v)
#ifdef SPTI_HAS_W
SPTI_SIEVE(spti_sieve_w, SPTI_W_TARGET, SPTI_W, spti_w)
#endif
#else
static spt_u32 spti_sieve_c(const spti_soa *s, int n, const spt_box *box)
{
    spt_u32 hits = 0, bit = 1;
    int j;
    for (j = 0; j < n; j++, bit <<= 1)
        if (s->min_x[j] <= box->max_x && box->min_x <= s->max_x[j] && s->min_y[j] <= box->max_y &&
            box->min_y <= s->max_y[j])
            hits |= bit;
    return hits;
}
#endif

static spt_u32 spti_sieve(const spti_soa *s, spt_i32 n, const spt_box *box)
{
#ifdef SPTI_HAS_W
    if (SPTI_HAS_W) return spti_sieve_w(s, (int)n, box);
#endif
#ifdef SPTI_V_STEP
    return spti_sieve_v(s, (int)n, box);
#else
    return spti_sieve_c(s, (int)n, box);
#endif
}

typedef struct spti_pack_search {
    spti_pack pack;
    const spt_box *box;
    spt_visit_fn fn; /* is told of what overlaps the box, */
    void *ctx;
    spt_intlist *out; /* if that is not appended to this */
    spt_u32 hits[SPTI_PACK_LEVELS];  /* of the block that is looked at on each level: */
    spt_u32 whole[SPTI_PACK_LEVELS]; /* who is to be told of as a whole */
} spti_pack_search;

/* Position of the lowest bit that is set; there is one. */
static int spti_low_bit(spt_u32 v)
{
#if defined(__GNUC__) && INT_MAX >= 2147483647
    return __builtin_ctz((unsigned)v);
#else
    return spti_bits(v & (~v + 1)) - 1;
#endif
}

/* Asks for the blocks of a level, from k on, whose bits are set. */
static void spti_pack_ahead(const spti_pack *p, int level, spt_i32 k, spt_u32 bits)
{
#ifdef SPTI_CAN_PREFETCH
    spti_soa b;
    size_t at;
    for (; bits; bits &= bits - 1) {
        (void)spti_pack_block(p, level, k + spti_low_bit(bits), &b);
        for (at = 0; at < 4 * SPT_PACKED_BLOCK; at += 64 / sizeof(spt_coord))
            SPTI_PREFETCH(b.min_x + at);
        if (level > 0) continue;
        SPTI_PREFETCH(b.id);
        SPTI_PREFETCH(b.id + SPTI_PACK / 2);
    }
#else
    (void)p, (void)level, (void)k, (void)bits;
#endif
}

/* Looks which boxes of block k of a level overlap the window. */
static void spti_pack_look(spti_pack_search *s, int level, spt_i32 k)
{
    spti_soa b, ends;
    spt_i32 n = spti_pack_block(&s->pack, level, k, &b);
    s->hits[level] = spti_sieve(&b, n, s->box);
    if (level == 0) return;
    /* Lies in the window: its largest are not above the largest there, its smallest not below. */
    ends.min_x = b.max_x, ends.min_y = b.max_y;
    ends.max_x = b.min_x, ends.max_y = b.min_y;
    s->whole[level] = spti_sieve(&ends, n, s->box);
    spti_pack_ahead(&s->pack, level - 1, k * SPTI_PACK, s->hits[level] & ~s->whole[level]);
}

/* Tells of those boxes of leaf k whose bits are set. */
static int spti_pack_tell(const spti_pack_search *s, spt_i32 k, spt_u32 hits)
{
    spti_soa leaf;
    spt_i32 *to;
    spt_i32 n = SPTI_PACK;
    spt_u32 left;
    spt_box box;
    int stop = 0;
    (void)spti_pack_block(&s->pack, 0, k, &leaf);
    if (!s->out) {
        for (; hits && !stop; hits &= hits - 1) {
            spti_soa_get(&leaf, (spt_i32)spti_low_bit(hits), &box);
            stop = s->fn(s->ctx, leaf.id[spti_low_bit(hits)], &box);
        }
        return stop;
    }
    if (s->out->capacity - s->out->count < n) /* no room for all: how many are they? */
        for (n = 0, left = hits; left; left &= left - 1) n++;
    to = spti_list_room(s->out, n);
    if (!to) return SPT_ERR_MEMORY;
    for (n = 0; hits; hits &= hits - 1) to[n++] = leaf.id[spti_low_bit(hits)];
    s->out->count += n;
    return 0;
}

/* Tells of all boxes below block k of a level. */
static int spti_pack_tell_all(const spti_pack_search *s, int level, spt_i32 k)
{
    const spti_pack *p = &s->pack;
    spt_i32 from = k << (SPTI_PACK_BITS * (level + 1));
    spt_i32 n = (spt_i32)1 << (SPTI_PACK_BITS * (level + 1));
    spt_i32 *to;
    int stop = 0;
    if (n > p->items[0] - from) n = p->items[0] - from;
    if (s->out) {
        to = spti_list_room(s->out, n);
        if (!to) return SPT_ERR_MEMORY;
        spti_copy(to, p->ids + from, (size_t)n * sizeof *to);
        s->out->count += n;
        return 0;
    }
    for (k = from / SPTI_PACK; n > 0 && !stop; k++, n -= SPTI_PACK)
        stop = spti_pack_tell(s, k, SPTI_PACK_SET(n < SPTI_PACK ? n : SPTI_PACK));
    return stop;
}

/* Goes through the tree depth first; what is left to do are the bits that are still set on the way
   to the block that was looked at. */
static int spti_pack_walk(spti_pack_search *s)
{
    int top = s->pack.top, level = top, stop = 0, bit;
    spt_i32 k = 0, child;
    spti_pack_look(s, top, k);
    if (top == 0) return spti_pack_tell(s, k, s->hits[0]);
    while (!stop) {
        for (; s->hits[level] == 0; level++, k /= SPTI_PACK)
            if (level == top) return 0;
        bit = spti_low_bit(s->hits[level]);
        s->hits[level] &= s->hits[level] - 1;
        child = SPTI_PACK * k + bit;
        if (s->whole[level] >> bit & 1) {
            stop = spti_pack_tell_all(s, level - 1, child);
        } else if (level > 1) {
            level--, k = child;
            spti_pack_look(s, level, k);
        } else {
            spti_pack_look(s, 0, child);
            stop = spti_pack_tell(s, child, s->hits[0]);
        }
    }
    return stop;
}

static int spti_packed_search(const spt_packed *packed, const spt_box *box, spt_visit_fn fn,
                              void *ctx, spt_intlist *out)
{
    spti_pack_search s;
    if (!spt_box_valid(box)) return SPT_ERR_ARGUMENT;
    if (packed->count == 0) return 0;
    (void)spti_pack_init(&s.pack, packed->block, packed->count);
    s.box = box;
    s.fn = fn;
    s.ctx = ctx;
    s.out = out;
    return spti_pack_walk(&s);
}

SPTI_API int spt_packed_visit(const spt_packed *packed, const spt_box *box, spt_visit_fn fn,
                              void *ctx)
{
    return spti_packed_search(packed, box, fn, ctx, NULL);
}

SPTI_API spt_i32 spt_packed_query(const spt_packed *packed, const spt_box *box, spt_intlist *out)
{
    spt_i32 before = out->count;
    if (out->fields != 1) return SPT_ERR_ARGUMENT;
    return spti_appended(out, before, spti_packed_search(packed, box, NULL, NULL, out));
}

/* --- the whole tree --------------------------------------------------------------------------- */

SPTI_API int spt_packed_traverse(const spt_packed *packed, spt_cell_fn fn, void *ctx)
{
    spti_pack p;
    spti_soa b;
    spt_box box;
    spt_i32 k = 0, n;
    int level, stop;
    if (packed->count == 0) return 0;
    (void)spti_pack_init(&p, packed->block, packed->count);
    for (level = p.top;;) {
        n = spti_pack_block(&p, level, k, &b);
        spti_around(&b, (spt_i32)0, n, &box);
        stop = fn(ctx, &box, p.top - level, level == 0 ? n : 0);
        if (stop) return stop;
        if (level > 0) { /* its first child is next */
            level--, k *= SPTI_PACK;
            continue;
        }
        for (k++; k % SPTI_PACK == 0 || k == spti_pack_blocks(p.items[level]); level++) {
            if (level == p.top) return 0;
            k = (k - 1) / SPTI_PACK + 1;
        }
    }
}

/* 1 if the ids may be 0 .. n-1: one that is wrong changes the sum, and several nearly always do. */
static int spti_pack_check_ids(const spti_pack *p)
{
    spt_u32 sum = 0, id, i, n = (spt_u32)p->items[0];
    for (i = 0; i < n; i++) {
        id = (spt_u32)p->ids[i];
        if (id >= n) return 0;
        sum += id * id * (spt_u32)2654435761UL + id;
        sum -= i * i * (spt_u32)2654435761UL + i;
    }
    return (sum & 0xFFFFFFFFUL) == 0;
}

static int spti_boxes_equal(const spt_box *a, const spt_box *b)
{
    return a->min_x <= b->min_x && a->min_x >= b->min_x && a->min_y <= b->min_y &&
           a->min_y >= b->min_y && a->max_x <= b->max_x && a->max_x >= b->max_x &&
           a->max_y <= b->max_y && a->max_y >= b->max_y;
}

SPTI_API int spt_packed_check(const spt_packed *packed)
{
    spti_pack p;
    spti_soa b;
    spt_box box, around;
    spt_i32 i, n = packed->count;
    int level;
    if (n < 0 || n > packed->capacity) return 0;
    if ((packed->block == NULL) != (packed->capacity == 0)) return 0;
    if (!packed->block) return packed->bytes == 0;
    if (packed->bytes != spti_pack_init(&p, packed->block, packed->capacity)) return 0;
    if (n == 0) return 1;
    (void)spti_pack_init(&p, packed->block, n);
    if (!spti_pack_check_ids(&p)) return 0;
    for (level = 0; level <= p.top; level++)
        for (i = 0; i < p.items[level]; i++) {
            (void)spti_pack_block(&p, level, i / SPTI_PACK, &b);
            spti_soa_get(&b, i % SPTI_PACK, &box);
            around = box;
            if (level > 0) spti_pack_around(&p, level, i, &around);
            if (!spt_box_valid(&box) || !spti_boxes_equal(&box, &around)) return 0;
        }
    return 1;
}
#endif

#ifndef SPATIAL_NO_INDEX
/* ============================================================================================== */
/* INDEX                                                                                  >>index

   A function is not called through a pointer of another type than its own: hence a small function
   between, for each verb of each structure. */

#define SPTI_INDEX(X)                                                                              \
    static void spti_##X##_free(void *x) SPT_CALLBACK                                              \
    {                                                                                              \
        spt_##X##_free((spt_##X *)x);                                                              \
    }                                                                                              \
    static void spti_##X##_clear(void *x) SPT_CALLBACK                                             \
    {                                                                                              \
        spt_##X##_clear((spt_##X *)x);                                                             \
    }                                                                                              \
    static size_t spti_##X##_bytes(const void *x) SPT_CALLBACK                                     \
    {                                                                                              \
        return spt_##X##_bytes((const spt_##X *)x);                                                \
    }                                                                                              \
    static int spti_##X##_insert(void *x, spt_i32 id, const spt_box *box) SPT_CALLBACK             \
    {                                                                                              \
        return spt_##X##_insert((spt_##X *)x, id, box);                                            \
    }                                                                                              \
    static int spti_##X##_move(void *x, spt_i32 id, const spt_box *box) SPT_CALLBACK               \
    {                                                                                              \
        return spt_##X##_move((spt_##X *)x, id, box);                                              \
    }                                                                                              \
    static spt_i32 spti_##X##_move_many(void *x, const spt_i32 *ids, const spt_box *boxes,         \
                                        spt_i32 n) SPT_CALLBACK                                    \
    {                                                                                              \
        return spt_##X##_move_many((spt_##X *)x, ids, boxes, n);                                   \
    }                                                                                              \
    static int spti_##X##_remove(void *x, spt_i32 id) SPT_CALLBACK                                 \
    {                                                                                              \
        return spt_##X##_remove((spt_##X *)x, id);                                                 \
    }                                                                                              \
    static int spti_##X##_contains(const void *x, spt_i32 id) SPT_CALLBACK                         \
    {                                                                                              \
        return spt_##X##_contains((const spt_##X *)x, id);                                         \
    }                                                                                              \
    static const spt_box *spti_##X##_box(const void *x, spt_i32 id) SPT_CALLBACK                   \
    {                                                                                              \
        return spt_##X##_box((const spt_##X *)x, id);                                              \
    }                                                                                              \
    static spt_i32 spti_##X##_count(const void *x) SPT_CALLBACK                                    \
    {                                                                                              \
        return spt_##X##_count((const spt_##X *)x);                                                \
    }                                                                                              \
    static void spti_##X##_tidy(void *x) SPT_CALLBACK                                              \
    {                                                                                              \
        spt_##X##_tidy((spt_##X *)x);                                                              \
    }                                                                                              \
    static spt_i32 spti_##X##_query(const void *x, const spt_box *box,                             \
                                    spt_intlist *out) SPT_CALLBACK                                 \
    {                                                                                              \
        return spt_##X##_query((const spt_##X *)x, box, out);                                      \
    }                                                                                              \
    static int spti_##X##_visit(const void *x, const spt_box *box, spt_visit_fn fn,                \
                                void *ctx) SPT_CALLBACK                                            \
    {                                                                                              \
        return spt_##X##_visit((const spt_##X *)x, box, fn, ctx);                                  \
    }                                                                                              \
    static spt_i32 spti_##X##_pairs(void *x, spt_intlist *out) SPT_CALLBACK                        \
    {                                                                                              \
        return spt_##X##_pairs((spt_##X *)x, out);                                                 \
    }                                                                                              \
    static int spti_##X##_traverse(const void *x, spt_cell_fn fn, void *ctx) SPT_CALLBACK          \
    {                                                                                              \
        return spt_##X##_traverse((const spt_##X *)x, fn, ctx);                                    \
    }                                                                                              \
    static int spti_##X##_check(const void *x) SPT_CALLBACK                                        \
    {                                                                                              \
        return spt_##X##_check((const spt_##X *)x);                                                \
    }                                                                                              \
    SPTI_API void spt_##X##_index(spt_##X *x, spt_index *index)                                    \
    {                                                                                              \
        index->object = x;                                                                         \
        index->name = #X;                                                                          \
        index->free = spti_##X##_free;                                                             \
        index->clear = spti_##X##_clear;                                                           \
        index->bytes = spti_##X##_bytes;                                                           \
        index->insert = spti_##X##_insert;                                                         \
        index->move = spti_##X##_move;                                                             \
        index->move_many = spti_##X##_move_many;                                                   \
        index->remove = spti_##X##_remove;                                                         \
        index->contains = spti_##X##_contains;                                                     \
        index->box = spti_##X##_box;                                                               \
        index->count = spti_##X##_count;                                                           \
        index->tidy = spti_##X##_tidy;                                                             \
        index->query = spti_##X##_query;                                                           \
        index->visit = spti_##X##_visit;                                                           \
        index->pairs = spti_##X##_pairs;                                                           \
        index->traverse = spti_##X##_traverse;                                                     \
        index->check = spti_##X##_check;                                                           \
    }

#ifndef SPATIAL_NO_LINEAR
SPTI_INDEX(linear)
#endif
#ifndef SPATIAL_NO_QUADTREE
SPTI_INDEX(quadtree)
#endif
#ifndef SPATIAL_NO_LOOSEGRID
SPTI_INDEX(loosegrid)
#endif
#endif

#ifdef __cplusplus
}
#endif
#endif /* SPATIAL_IMPLEMENTATION */

/* HISTORY AND LICENCE                                                                  >>history

   0.6.0  not released  pairs in about half the time: swept leaves; parts for threads; quadtree and
                      loose grid find their pairs by the broadphase
   0.5.0  2026-11-20  packed: windows in boxes that stand still; move_many
   0.4.0  2026-11-20  pairs in half the time: AVX2 at run time, hits without branches; the same API
   0.3.0  2026-11-20  small machines: sections can be left out, scratch of pairs in the structure
   0.2.0  2026-11-20  quadtree, loose grid
   0.1.0  2026-11-20  int list, Morton arithmetic, broadphase, linear quadtree, index

This is free and unencumbered software released into the public domain.

Anyone is free to copy, modify, publish, use, compile, sell, or
distribute this software, either in source code form or as a compiled
binary, for any purpose, commercial or non-commercial, and by any
means.

In jurisdictions that recognize copyright laws, the author or authors
of this software dedicate any and all copyright interest in the
software to the public domain. We make this dedication for the benefit
of the public at large and to the detriment of our heirs and
successors. We intend this dedication to be an overt act of
relinquishment in perpetuity of all present and future rights to this
software under copyright law.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND,
EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.
IN NO EVENT SHALL THE AUTHORS BE LIABLE FOR ANY CLAIM, DAMAGES OR
OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR
OTHER DEALINGS IN THE SOFTWARE.

For more information, please refer to <https://unlicense.org/>
*/
