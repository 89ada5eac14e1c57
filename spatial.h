/* spatial.h - v1.0.0 - finds near neighbours in the plane - public domain: see the end

   In ONE C or C++ file:   #define SPATIAL_IMPLEMENTATION
                           #include "spatial.h"
   In every other file:    #include "spatial.h"

   CONTENTS (a tag stands at a section's declarations and again at its implementation)

       >>choose       which structure?
       >>quickstart   a whole program
       >>options      macros that you may define
       >>conventions  rules that hold for every structure
       >>recipes      how to solve tasks that have no function of their own
       >>base         types, errors, boxes, allocators
       >>geometry     tests and distances of one or two boxes; motions and hits
       >>intlist      growable array of fixed-size integer records; a stack or a free list
       >>workers      threads of yours that do parts of a call
       >>morton       Morton codes: interleave, level and cell of a box, node numbers
       >>broadphase   boxes in, overlapping pairs out; nothing is kept but scratch memory
       >>index        one type that keeps boxes by id: insert, move, remove, query, pairs
       >>linear       an index in a linear Morton-ordered complete quadtree: every update O(1)
       >>quadtree     an index in an adaptive quadtree without pointers: deep in crowded places
       >>loosegrid    an index in cells that grow with their elements
       >>packed       an index built all at once, in one piece of memory: the fastest queries
       >>contacts     compares the pairs of each frame with the last: which began, which ended
       >>neighbours   finds, for many points, all points within a radius of each other
       >>history      versions and the licence

   The implementation has more sections; a drawing of all of them stands before the first.

   WHICH STRUCTURE?                                                                      >>choose

       linear      boxes that come, go and move one by one, of any sizes, and windows in between:
                   begin with this one. The world fits itself: most cells are where most boxes
                   are, but all are fewer than the boxes. An update is O(1), a window
                   O(cells + their boxes); 30 to 46 bytes a box. With grids = 1 it is a uniform
                   grid, for boxes of about one size; with grids = 3 a hierarchy of grids.
       quadtree    the same, very crowded here and sparse there: windows test at most half as many.
                   An update is O(depth), a window O(depth + hits) if few overlap; 56 bytes a box.
       loosegrid   linear with one level, in cells of a size of yours: boxes of about one size.
       packed      boxes that stand still, or are new all at once, and many windows. A build is
                   O(n log n), a window O(log n + hits), likewise; 20.6 bytes a box and 1.6 KB.
       broadphase  only all pairs, in one array of boxes or between two, most of which move each
                   frame. A call is mostly O(n + pairs); 35 bytes a box and up to 225 KB.
       contacts    pairs of each frame, to know which began and which ended. A frame is
                   O(n + pairs), or as much for the moved boxes; 6 bytes a box, 26 a pair.
       neighbours  points, each with all others within a radius: O(n + found); 36 bytes a point.
       intlist     records of integers, reused or stacked. O(1); 4 bytes a field.

   n is the number of boxes; the bytes are for floats. linear, quadtree, loosegrid and packed are
   one type, spt_index: a program changes its structure by another init (and desc). Their spt_pairs
   needs the memory of a broadphase, too. Up to some 50 boxes, a loop over all pairs is about as
   fast. bench/results.md has times: all pairs of 100,000 boxes take 2.3 ms (a Xeon, gcc -O2).
*/

/* QUICK START                                                                       >>quickstart */
#if 0
#include <stdio.h>
#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

int main(void)
{
    /* rectangles along the axes (AABBs): min_x, min_y, max_x, max_y */
    spt_box boxes[3] = {{10, 10, 14, 14}, {24, 10, 28, 14}, {20, 8, 22, 16}};
    spt_coord speed[3] = {4, -4, 0};
    spt_index world;
    spt_intlist pairs;
    spt_i32 i, n, frame;

    if (spt_linear_init(&world, NULL) != SPT_OK) return 1; /* NULL: all defaults */
    spt_intlist_init(&pairs, 2); /* records of two integers */
    for (i = 0; i < 3; i++) spt_insert(&world, i, &boxes[i]);
    for (frame = 1; frame <= 3; frame++) {
        for (i = 0; i < 3; i++) {
            boxes[i].min_x += speed[i], boxes[i].max_x += speed[i];
            spt_move(&world, i, &boxes[i]);
        }
        spt_tidy(&world);                    /* once a frame */
        n = spt_pairs(&world, NULL, &pairs); /* replaces what the list held; touching counts */
        for (i = 0; i < n; i++) {
            const spt_i32 *ids = spt_intlist_data(&pairs) + 2 * i;
            printf("frame %d: %d hits %d\n", (int)frame, (int)ids[0], (int)ids[1]);
        }
    }
    spt_intlist_free(&pairs), spt_free(&world);
    return 0;
}
#endif

/* OPTIONS                                                                              >>options

   Define them before the #include; defaults stand in parentheses, else an option is off.
   "Everywhere" means alike in all files of a program, best on the compiler's command line. A file
   that differs in an option that changes a struct or a result does not link if it begins a
   structure (except with bcc). With gcc, clang and MSVC it never links; so, except with MSVC, a
   program that only uses types needs the implementation, too. Neither holds on Cortex-M, where int
   has 16 bits, with SPATIAL_STATIC (gcc then warns), or with -fdata-sections and -Wl,--gc-sections.

   In one file, that with the implementation:
   SPATIAL_IMPLEMENTATION   compiles the functions there: 3 to 5 s with gcc -O2, one with -O0
   SPATIAL_STATIC           makes them static: unused functions then cost no code (but with -O0)
   SPATIAL_ASSERT(x)        (assert) tests the library's own invariants, that no callback, as of a
                            visit or a filter, changes the index, that `run` gives workers in range,
                            and that no spt_intlist is both a stack and a free list; not your data
   SPATIAL_REALLOC(p, n)    (realloc), SPATIAL_FREE(p) (free) are the default allocator: define both
   SPATIAL_NO_STDLIB        calls and includes nothing of C's library. (But clang, and on Cortex-M
                            with doubles gcc, call memcpy and memset, and gcc's header of SSE2 has
                            <stdlib.h>.) Without the macros above, asserts are then off, and every
                            structure needs an allocator
   SPATIAL_NO_SIMD          plain C in place of SSE2, AVX2 (-mavx2 or /arch:AVX2; not with gcc on
                            Windows), NEON (64 bits, no doubles) or WebAssembly's SIMD (-msimd128):
                            the same results in the same order, slower. If only other files define
                            it, SPT_LINEAR_BYTES and the like are too small there
   Everywhere:
   SPATIAL_API              (extern) begins public functions, as for a DLL; not with SPATIAL_STATIC
   SPATIAL_DOUBLE           spt_coord is double: boxes of 32 bytes, half as many in a SIMD step
   SPATIAL_INT              spt_coord is a 32-bit integer: no floating point, shapes, box_outward
   SPATIAL_INTLIST_INLINE   (128) integers that a spt_intlist itself holds: a plain number >= 0
   SPATIAL_SMALL            (on if int has 16 bits, and on Cortex-M) for small machines: the search
                            for pairs uses groups of 64 boxes, not of 4096. It needs less scratch
                            memory for some hundred boxes, less code and no large cache, but has no
                            workers; pairs, and elements after spt_build, come in another order
   SPATIAL_NO_x             leaves out a section, for compilers and linkers that keep unused code.
                            x: BROADPHASE (spt_pairs, spt_pairs_of then fail), LINEAR, QUADTREE,
                            LOOSEGRID, PACKED, CONTACTS, NEIGHBOURS; SEARCH: distances, motions,
                            intersection, within, nearest, casts, layers, slides, shapes, bounds;
                            CHECK: the tests of invariants; COPY: spt_copy; FIT: spt_rebound; the
                            world keeps the bounds of the desc, which are required, and without a
                            capacity linear has 4 levels, unless desc.levels or desc.cell is set

   The header includes <limits.h> and <stddef.h>, and <stdint.h> where C99, C++11 or MSVC 2010 have
   it. The implementation also includes, unless an option makes them unnecessary, <stdlib.h>,
   <string.h>, <assert.h>, the compiler's header of SIMD, and with SPATIAL_DOUBLE <float.h>.

   CONVENTIONS                                                                      >>conventions

   Boxes      {min_x, min_y, max_x, max_y} with min <= max, closed: boxes that touch overlap, and a
              box of no size is a point and is found. Edges may be infinite. y may point up or down.
              A box with a NaN or with min > max is refused with SPT_ERR_BOX, also in release
              builds. (Do not compile the implementation with "fast math", which ignores NaNs.)
   World      Each index but packed divides a rectangle of the plane, its bounds, into cells. Boxes
              outside, or larger than the bounds, are found exactly, too; but many of them make
              questions slower. So the index changes its bounds and cells by itself ("the world fits
              itself"), by a sample of elements: when an eighth of them, along an axis, has less
              than a third of the cells that it would get or more than three times as many, when all
              cover much less than the bounds, or when their number needs other levels. Of 200,000
              elements in crosses, rings or beside outliers small windows test up to 8 times as many
              in a quadtree as in packed, and 32 times in linear; in towns far apart 100 times.
              spt_build fits it, too. Among n elements, spt_tidy and spt_insert do so at most once
              in 8 n moves, or n / 2 inserts and removes: O(1) a change. desc.keep_bounds keeps the
              bounds; with desc.capacity, too, only spt_rebound refits. (Else levels follow n.)
   Ids        You choose them: indices, from 0 on, of your array. Memory grows with the largest id,
              and so does the time of a frame of contacts: with ids from 10,000,000 on, some 20 ms.
   Results    replace the contents of a list, `out`, that you keep from call to call: ids (a list of
              one field) or pairs (of two fields; within one set a < b), each exactly once. The call
              returns their number or a negative error; after an error the list is empty. Read them
              by spt_intlist_data. A list of NULL only counts them; a filter of NULL lets all pass.
   Errors     SPT_OK is 0, errors are negative, spt_error_string() names them. So a yes is > 0:
              `if (spt_any(...))` takes an error for one. After an error the structure is unchanged,
              unless the comment of the function says something else. Every function may return the
              errors of its arguments (SPT_ERR_ARGUMENT, _BOX, _LIST, _FILTER, _INIT, _KIND; their
              definitions list the causes), SPT_ERR_COUNT if it counts and SPT_ERR_MEMORY if it
              allocates. Each function's comment lists its further errors.
   Memory     A desc carries an optional allocator. If desc.capacity is set, init allocates all
              memory and nothing is allocated later; with a spt_arena over a static array, no heap
              is needed. The bytes_for function of the structure, as spt_linear_bytes_for(&desc),
              returns the size; or 0 if init would refuse the desc or allocate nothing. Without a
              capacity the memory grows with the elements; free gives it back, and tidy most of it
              once few are left. Functions that only read allocate only to grow `out`; spt_pairs and
              spt_pairs_of also their scratch. Structures may be moved with memcpy: none has a
              pointer into itself. free and a failed init set all bytes of the struct to 0 (but a
              list's room stays, and a freed list is as after init); to free it again does no harm.
              A struct of zeros is not initialised: calls on an index or a list return SPT_ERR_INIT
              if they return errors; as `out` it is an SPT_ERR_LIST; others work without a desc.
   Defaults   A zero in a desc means the default that its comment names; a desc may be NULL where
              every field has one. Write spt_linear_desc desc = {0}; desc.capacity = 1000; (C++98:
              desc = spt_linear_desc();), never a list of values: other versions have other fields.
   Order      The same calls give the same results in the same order, with every compiler, with and
              without SIMD (but see SPATIAL_SMALL; an x87 rounds doubles twice). Another structure
              may give another order; another version, too, if a function's comment names none.
   Callbacks  For sdcc's 8051, functions that the library calls need SPT_CALLBACK (else it is empty)
              after their parameters; they must not call the library, which is not reentrant there.
   Threads    No global state. Any number of threads may call functions that take a const structure;
              the others need the structure to themselves.
   Limits     2^29 - 1 boxes, and ids up to that; 2^31 - 1 in packed, but not in its spt_pairs. No
              recursion; no function has more than 256 bytes of variables where int has 16 bits.
              Costs hold in worlds of floats from 1e-15 to 1e36 wide, those of spt_nearest up to
              1e21 (doubles: 1e-140 to 1e300 or, where a distance or a shape is given, to 1e150).
              Beyond, answers are right, but a question may test all elements. With coordinates
              and limits below 1e15 (doubles: 1e150), and sizes and motions along each axis 0 or
              above 1e-15, nothing overflows, is invalid or divides by zero: a program may unmask
              these exceptions (clang only promises it with -ffp-exception-behavior=maytrap).
              Any rounding mode, flush to zero and a longjmp out of a callback leave answers right.

   RECIPES                                                                              >>recipes

   Walls and players      Keep the walls in a packed index and the players in a linear one. Each
                          frame, spt_query_many(&walls, player_boxes, n, ...) finds (player, wall),
                          spt_pairs(&players, ...) the pairs of players. Move each player by one
                          spt_slide among both (`except` itself), and tell its end by spt_move.
   Round players          spt_shape_slide moves them, if layer.shape tells the shapes that are no
                          boxes; add the way to their points, and call spt_shape_box and spt_move.
                          For the velocity, and standing, see its comment and examples/room.c.
   Bodies by their centre A box made anew around its centre may be in a floor by a rounding, and
                          spt_slide lets it fall. Make four corners around the centre, ask
                          spt_shape_slide, and add *moved_x, *moved_y to the centre.
   One-way platforms      Slide by {dx, 0} among the walls, then by {0, dy} among these and, while
                          the box falls, the platforms. Those that the box is in do not hold it.
                          (A filter that looks at its feet would let platforms stop it sideways.)
   Lifts and pushers      spt_cast_all with `enter` finds the bodies that a lift moves into, and the
                          bodies that these move into. Slide all by its motion, with it and all of
                          them in `except`. If one is stopped, the lift waits; else move all. (A box
                          of spt_slide may be off by a rounding: set its edge to its carrier's.)
                          Downwards, the lift moves first, then its riders, the lowest first.
   The way out of walls   No wall holds a body deeper inside than its skin. Slide the body from its
                          last free place; or by (0, 0), with a skin that grows until it is free.
   All that stops a box   A slide tells of one element a side. To find all that touch there, cast
                          from `end` by {-nx, -ny} with `enter`: spt_cast_visit, until t > 0.
   Coins on the way       Without a hit a slide is one line, else two: to where spt_box_stop puts
                          the box at hits[0], and on to `end`. spt_cast_all along each finds coins.
   Touching is no hit     Ask for windows with filter.relation = SPT_ENTERS. For pairs, or points
                          in one of two tiles, call spt_box_half_open on every box and window.
   Snapping to edges      Keep the upright edges as boxes of no width in an index, the level ones in
                          another. spt_nearest to {x, -SPT_NO_LIMIT, x, SPT_NO_LIMIT} with a limit
                          finds the upright edge next to x, at any height.
   Topmost at a pointer   Of the ids that spt_query finds for the point, keep the one drawn last.
   Merging rectangles     Query for a box, unite it with all that is found and remove these, until
                          nothing is found; then insert it. In the end no two boxes overlap.
   Memory after a spike   spt_tidy gives memory back when an index has few elements left. Copy a
                          packed index to a fresh one by spt_copy. Free a list: it grows again.
   Rare classes           A mask that few pass makes no question faster; an index for each class
                          does: 200 of 200,000 in a window take 2 ms by mask, .4 us by index.
   Level of detail        Keep an index for each power of two of sizes; ask those above a pixel.
   Bodies of many boxes   Insert each box, and keep an array body[id]. An `accept` that compares
                          body[id] and body[other] leaves out the pairs within a body.
   Two that move          Cast one against the other as it was at the start, by the difference of
                          their motions: spt_box_cast with {a.box, a.dx - b.dx, a.dy - b.dy, 0}.
   Fast bullets           Ask spt_cast_among layers of walls and enemies. If enemies are fast, too,
                          spt_pairs of all spt_box_swept boxes finds the pairs for the recipe above.
   A world of doubles     Insert boxes made by spt_box_outward. Ask with such boxes, too, and test
                          the found elements again in double. For the nearest use spt_nearest_visit:
                          lower the limit to a millionth more than your own distance.
   The k nearest of all   Build a packed index of all points and ask spt_nearest for k + 1 of each
                          point. Leave out the point itself or, where that many others lie at the
                          same place and it is not among them, the last one.
   All that are nearest   Call spt_nearest_visit, and stop when spt_box_nearer tells that an element
                          is further away than the first one.
   Less than S            Ask spt_within for S, and keep the elements that spt_box_nearer finds
                          nearer to the box than the point (max_x + S, max_y), but for rounding.
   All pairs within S     Grow copies of the boxes by S on each side, integers no further than their
                          ends. Test the pairs of spt_broadphase_pairs by spt_box_within with the
                          boxes themselves: some 3 times as fast as spt_within for each box.
   A world that wraps     A window that leaves the world on one side comes in on the other: ask for
                          copies of it, moved by the width and the height of the world, too. For
                          pairs, insert copies of boxes that leave the world, three at a corner, as
                          the ids id + n, + 2 n, + 3 n; take ids modulo n, and drop the pairs that
                          come a second time. Points have periods, see >>neighbours.
   Rollback               Make some indexes by the init of the world, and each frame spt_copy the
                          world to one of them; copied back, it goes on exactly as before. Nothing
                          is allocated once all are large enough. For contacts, if each saved frame
                          had its update, give the restored world's pairs to spt_contacts_update
                          with NULL, NULL. For files, save your boxes, or see >>packed.
   Lockstep               The same calls give the same order on every machine. If machines may have
                          reached the same boxes by different calls, use spt_broadphase_pairs, whose
                          order follows from the boxes alone, or spt_contacts, which sorts pairs.
   Islands of contacts    Give an id an island and push it on a list. For each id that you pop, do
                          the same with all ids from spt_contacts_of that have no island yet.
   Lines of sight         Where boxes block the view, spt_cast_among with a ray from eye to target
                          returns 0 if nothing touches the ray; where shapes do, spt_shape_cast of
                          a point with skin 0. In tiles, a walk (a DDA) is 3 to 4 times as fast.
   Reloaded code          An index points to functions of the library that made it: keep these in
                          the part of the program that stays, or make the index again.
*/
#ifndef SPATIAL_H
#define SPATIAL_H

#define SPT_VERSION "1.0.0"
#define SPT_VERSION_NUMBER 10000 /* for #if: 10000 * 1 + 100 * 0 + 0 */

#include <limits.h>
#include <stddef.h>

/* ============================================================================================== */
/* TYPES, ERRORS, BOXES, ALLOCATORS                                                        >>base */

/* (Compares with INT_MAX because a compiler for DOS gets the comparison with UINT_MAX wrong.) */
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

/* The types of a coordinate and of the distance of two. A limit of SPT_NO_LIMIT is none. (It has
   all its digits because a compiler may compare it as a long double.) */
#if defined(SPATIAL_INT) && defined(SPATIAL_DOUBLE)
#error "spatial.h: define SPATIAL_INT or SPATIAL_DOUBLE, not both"
#elif defined(SPATIAL_INT)
typedef spt_i32 spt_coord;
typedef spt_u32 spti_dist; /* every distance fits */
#define SPT_NO_LIMIT 2147483647L
#define SPTI_INT /* for the test that the implementation is compiled with the same type */
#define SPTI_NAME_TYPE int
#elif defined(SPATIAL_DOUBLE)
typedef double spt_coord, spti_dist;
#define SPT_NO_LIMIT 1.7976931348623157e+308
#define SPTI_DOUBLE
#define SPTI_NAME_TYPE double
#else
typedef float spt_coord, spti_dist;
#define SPT_NO_LIMIT 3.4028234663852885981170418348451692544e+38F
#define SPTI_NAME_TYPE float
#endif

#ifndef SPATIAL_INTLIST_INLINE
#define SPATIAL_INTLIST_INLINE 128
#endif

/* Switches that several sections share. 77 is 'M', the profile of Arm microcontrollers. */
#if !defined(SPATIAL_SMALL) && INT_MAX >= 2147483647L && \
    !(defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 77)
#define SPTI_GROWS /* leaves of the broadphase may get cells of their own; workers */
#ifndef SPATIAL_NO_BROADPHASE
#define SPTI_ROWS /* linear finds pairs row by row */
#endif
#endif
#if !defined(SPATIAL_NO_LINEAR) || !defined(SPATIAL_NO_LOOSEGRID)
#define SPTI_GRIDS /* linear and loosegrid are one structure */
#endif
#if defined(SPTI_GRIDS) || !defined(SPATIAL_NO_QUADTREE)
#define SPTI_TABLE /* elements in chunks, by id */
#ifndef SPATIAL_NO_FIT
#define SPTI_FIT /* the world fits itself */
#endif
#ifdef SPTI_GROWS
#define SPTI_PLACES /* spt_build stores elements that are near each other together */
#endif
#endif
#if defined(SPTI_TABLE) || !defined(SPATIAL_NO_PACKED)
#define SPTI_INDEX
#endif
#if defined(SPTI_INDEX) || !defined(SPATIAL_NO_BROADPHASE)
#define SPTI_BOXES
#endif
#ifndef SPATIAL_NO_SEARCH
#define SPTI_SEARCH
#ifndef SPATIAL_INT
#define SPTI_SHAPES
#endif
#endif

/* If any option is set that changes structs or results, all these options are appended to the names
   of the functions that begin a structure, so that files that differ do not link: spt_linear_init
   is spt_linear_init_double_large_fit_pairs_128 with SPATIAL_DOUBLE. (Not with bcc, which cannot
   join so many tokens.) spt_box_valid has such a name, too: see there. */
#ifdef SPATIAL_SMALL
#define SPTI_NAME_SIZE tiny
#else
#define SPTI_NAME_SIZE large
#endif
#ifdef SPTI_FIT
#define SPTI_NAME_WORLD fit
#else
#define SPTI_NAME_WORLD fixed
#endif
#ifdef SPATIAL_NO_BROADPHASE
#define SPTI_NAME_PAIRS no_pairs
#else
#define SPTI_NAME_PAIRS pairs
#endif
#define SPTI_JOIN(a, b, c, d, e, f) a##b##_##c##_##d##_##e##_##f
#define SPTI_JOIN_VALUES(a, b, c, d, e, f) SPTI_JOIN(a, b, c, d, e, f)
#define SPTI_NAME(name)                                                                            \
    SPTI_JOIN_VALUES(name##_, SPTI_NAME_TYPE, SPTI_NAME_SIZE, SPTI_NAME_WORLD, SPTI_NAME_PAIRS,    \
                     SPATIAL_INTLIST_INLINE)
#if !defined(__BCC__) &&                                                                           \
    (defined(SPATIAL_INT) || defined(SPATIAL_DOUBLE) || defined(SPATIAL_SMALL) ||                  \
     !defined(SPTI_FIT) || defined(SPATIAL_NO_BROADPHASE) || SPATIAL_INTLIST_INLINE != 128)
#define spt_box_valid SPTI_NAME(spt_box_valid)
#define spt_intlist_init SPTI_NAME(spt_intlist_init)
#define spt_intlist_init_with SPTI_NAME(spt_intlist_init_with)
#define spt_broadphase_init SPTI_NAME(spt_broadphase_init)
#define spt_linear_init SPTI_NAME(spt_linear_init)
#define spt_quadtree_init SPTI_NAME(spt_quadtree_init)
#define spt_loosegrid_init SPTI_NAME(spt_loosegrid_init)
#define spt_packed_init SPTI_NAME(spt_packed_init)
#define spt_packed_view SPTI_NAME(spt_packed_view)
#define spt_contacts_init SPTI_NAME(spt_contacts_init)
#define spt_neighbours_init SPTI_NAME(spt_neighbours_init)
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

/* Follows a callback's parameters: for the 8051, sdcc puts variables on the stack only if asked. */
#if defined(__SDCC_mcs51)
#define SPT_CALLBACK __reentrant
#else
#define SPT_CALLBACK
#endif

/* Stands for no element, or for no index. */
#ifdef __cplusplus
#define SPT_NONE (-1) /* some compilers warn of any cast here, or of one that changes nothing */
#else
#define SPT_NONE ((spt_i32)-1)
#endif

/* Errors, all negative: a function that returns a count returns an error in its place. */
#define SPT_OK 0
#define SPT_ERR_ARGUMENT (-1) /* outside the range that the comment gives: a field of a desc, or a
                                 required one not set; a negative count; a number not finite */
#define SPT_ERR_MEMORY (-2)   /* the allocator returned NULL, a size does not fit size_t, or there
                                 are more boxes than the limits allow: see the conventions */
#define SPT_ERR_FULL (-3)     /* more than desc.capacity */
#define SPT_ERR_ID (-4)       /* an id that is negative, above the limits, or not there */
#define SPT_ERR_IMAGE (-5)    /* the data is no image, is cut off, has the form of another version,
                                 with another byte order or with another type of coordinates */
#define SPT_ERR_EXISTS (-6)   /* the id to be inserted is already there */
#define SPT_ERR_PAIR (-7)     /* a pair that is not a < b, or that is given twice */
#define SPT_ERR_BOX (-8)      /* a box, also of a motion, with a NaN or with min > max */
#define SPT_ERR_LIST (-9)     /* a list with other fields than 1 for ids, 2 for pairs */
#define SPT_ERR_FILTER (-10)  /* categories without a mask, or the reverse; masks in place of a mask
                                 but not for pairs; except_count negative, or alone; a relation that
                                 is none of the five, or in a call without windows not SPT_MEETS */
#define SPT_ERR_INIT (-11)    /* a structure that was not initialised */
#define SPT_ERR_KIND (-12)    /* a function that this kind of index does not have, or two kinds */
#define SPT_ERR_COUNT (-13)   /* more than 2^31 - 1 results, or integers in a list */
#define SPT_ERR_LEFT_OUT (-14) /* by SPATIAL_NO_BROADPHASE or desc.no_pairs */

#ifdef __cplusplus
extern "C" {
#endif

/* A closed box: min_x <= max_x and min_y <= max_y. 16 bytes (32 with SPATIAL_DOUBLE). */
typedef struct spt_box {
    spt_coord min_x, min_y, max_x, max_y;
} spt_box;

/* Name of an error in a few words of English; never NULL.
   Example: spt_error_string(SPT_ERR_EXISTS) => "id already there". */
SPTI_API const char *spt_error_string(spt_i32 error);

/* The SPT_VERSION of the file with the implementation, for programs that link it, as "1.0.0". */
SPTI_API const char *spt_version(void);

/* 1 if box is fit to be inserted or asked for: no NaN, min <= max on both axes; else 0. */
SPTI_API int spt_box_valid(const spt_box *box);

/* Private: each file holds the address of a function with the options in its name, so that files
   that differ do not link even if they only ask. It is left out where memory is least. */
#if !defined(SPATIAL_STATIC) && defined(_MSC_VER) && _MSC_VER >= 1600
#define SPTI_TEXT(name) #name
#define SPTI_TEXT_OF(name) SPTI_TEXT(name)
#pragma detect_mismatch("spatial.h", SPTI_TEXT_OF(SPTI_NAME(spt_options)))
#elif !defined(SPATIAL_STATIC) && defined(__GNUC__) && INT_MAX >= 2147483647L && \
    !(defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 77)
__attribute__((used)) static int (*const spti_same_options)(const spt_box *box) = spt_box_valid;
#endif

/* 1 if the two boxes overlap or touch, else 0.  Example: {0,0,2,2} and {2,2,3,3} => 1. */
SPTI_API int spt_box_overlap(const spt_box *a, const spt_box *b);

/* Called for an element. Return 0 to go on; anything else stops, and the visit returns it (best a
   number > 0, which is no error). It must not change the structure: collect ids to remove them. */
typedef int (*spt_visit_fn)(void *ctx, spt_i32 id, const spt_box *box) SPT_CALLBACK;

/* Called for a cell with its box (at the border it also has elements outside), its level (0 is the
   whole world), and the number of its elements, without those of its children. Return as above. */
typedef int (*spt_cell_fn)(void *ctx, const spt_box *box, int level, spt_i32 count) SPT_CALLBACK;

/* Selects the elements that a question may find; a filter of zeros selects all. The question
   answers as if the others were not there: spt_nearest finds the nearest elements that pass. Only
   elements that fit the geometry are tested. Of a pair both elements have to pass.
   Example, all solid elements except element 7:
       spt_u32 categories[1000]; ... 1 solid, 2 bonus ...   spt_i32 self = 7;
       spt_filter filter = {0}; filter.categories = categories, filter.mask = 1;
       filter.except = &self, filter.except_count = 1;
   `relation` tells which elements spt_query, spt_visit, spt_any, spt_any_among and spt_query_many
   find for a window. (A crate flush with a door's frame meets the door, but does not enter it.) */
#define SPT_MEETS 0  /* elements that overlap or touch the window */
#define SPT_ENTERS 1 /* that do more than touch: along both axes, each begins before the other ends
                        (so points and lines on the border do not enter, those inside do) */
#define SPT_INSIDE 2 /* that lie wholly inside it; equal edges count, also below */
#define SPT_AROUND 3 /* that hold all of it */
#define SPT_EQUALS 4 /* that are equal to it */

typedef struct spt_filter {
    const spt_u32 *categories; /* by id: a set of bits. NULL: all pass; mask and masks are then 0 */
    spt_u32 mask;              /* passes: categories[id] & mask is not 0 (but of pairs see masks);
                                  where few pass, an index for these is faster: see >>recipes */
    const spt_u32 *masks;      /* NULL, or by id, for pairs in place of mask: passes if neither
                                  categories[a] & masks[b] nor categories[b] & masks[a] is 0 */
    const spt_i32 *except;     /* ids that do not pass */
    spt_i32 except_count;      /* their number; keep it small, each element is compared with all */
    /* Unless NULL: returns 1 if the element passes, else 0. other: SPT_NONE; of a pair the larger
       id, and id is then the smaller one. It may be called twice for the same pair, and must not
       call functions that take an index which is not const: debug builds assert that. */
    int (*accept)(void *ctx, spt_i32 id, spt_i32 other) SPT_CALLBACK;
    void *ctx;
    int relation; /* to the window (default: SPT_MEETS, which all other calls demand) */
} spt_filter;

/* Source of memory; all zero: SPATIAL_REALLOC and SPATIAL_FREE. resize(ctx, NULL, 0, n) allocates n
   bytes, aligned for pointers, longs and, but for SPATIAL_INT, doubles; (ctx, p, old, n) resizes p
   and keeps the bytes that fit, or returns NULL, and p is still valid; (ctx, p, old, 0) frees p. */
typedef struct spt_allocator {
    void *(*resize)(void *ctx, void *old, size_t old_size, size_t new_size) SPT_CALLBACK;
    void *ctx;
} spt_allocator;

/* An allocator over one buffer, for memory that is needed as long as the buffer: it hands out the
   bytes one after another and takes back only the last piece. */
typedef struct spt_arena {
    unsigned char *base;
    size_t size; /* bytes from base on */
    size_t used; /* bytes handed out, padding included */
} spt_arena;

/* Makes an arena over size bytes at buffer, from the first aligned address on, and points allocator
   to it. While anything allocates from it, the arena must not be moved.
   Example, without a heap; the list gets its room at once, for growing in an arena leaves gaps:
       static double buffer[(SPT_LINEAR_BYTES(1000) + 4000) / sizeof(double) + 1];
       spt_linear_desc desc; ... desc.capacity = 1000;
       spt_arena_init(&arena, buffer, sizeof buffer, &desc.allocator);
       error = spt_linear_init(&world, &desc);
       error = spt_intlist_init_with(&found, 1, &desc.allocator);
       error = spt_intlist_reserve(&found, 1000);  */
SPTI_API void spt_arena_init(spt_arena *arena, void *buffer, size_t size, spt_allocator *allocator);

/* ============================================================================================== */
/* GEOMETRY                                                                              >>geometry

   Functions of one or two boxes. They define the questions of an index: each gives the same answer
   as a loop over all elements with these functions, also at ties. No question rounds otherwise. */

/* Sets box by its centre (x, y) and half sizes >= 0.  Example: (5, 5), 1, 2 => {4,3,6,7}. */
SPTI_API void spt_box_around(spt_coord x, spt_coord y, spt_coord half_width, spt_coord half_height,
                             spt_box *box);

/* Sets out, which may be a or b, to the smallest box that holds both. */
SPTI_API void spt_box_union(const spt_box *a, const spt_box *b, spt_box *out);

#ifndef SPATIAL_INT
/* Sets box to the smallest spt_box that holds a box of doubles: rounds its edges outwards. */
SPTI_API void spt_box_outward(double min_x, double min_y, double max_x, double max_y, spt_box *box);
#endif

/* Moves max_x and max_y one step of the type down, but not below the minimum: then boxes and
   windows that only touch do not overlap, if all of them are made so (but points still touch the
   min_x and the min_y of a box).  Example: {0,0,1,1} no longer meets {1,0,2,1}. */
SPTI_API void spt_box_half_open(spt_box *box);

/* 1 if the point lies in the box or on its border, else 0. */
SPTI_API int spt_box_has_point(const spt_box *box, spt_coord x, spt_coord y);

#ifdef SPTI_SEARCH
/* If two boxes overlap or touch, returns 1 and sets out, which may be a or b, to their common part;
   else returns 0 and leaves out alone.  Example: {0,0,2,2} and {1,2,5,5} => 1, {1,2,2,2}. */
SPTI_API int spt_box_intersection(const spt_box *a, const spt_box *b, spt_box *out);

/* A box that moves by (dx, dy), in a straight line and without turning; a box of no size is a ray.
   It meets all elements that it touches on the way, also at the start: a box that touches a wall
   meets it at t = 0, also when it moves away. If `enter` is 1, it meets only elements that it moves
   into, from outside or from the border, and not a wall that it overlaps at the start: for bodies
   that slide along a wall, bounce off it or get out of one; but a ray passes walls of no width. For
   a round shape in the box ask without it: then a wall that only a corner is in counts, too. */
typedef struct spt_motion {
    spt_box box;      /* at the start: no infinite edge */
    spt_coord dx, dy; /* finite; both 0: meets what touches the box, or with enter nothing */
    int enter;        /* 1: meets only the elements that it moves into */
} spt_motion;

/* The meeting of a motion and an element. */
typedef struct spt_hit {
    spt_i32 id;
    spt_coord t; /* the part of the motion up to the meeting: 0 .. 1, both included; with
                    SPATIAL_INT 0 .. 65536, rounded down */
    int nx, ny;  /* the side of the element: {-1,0} min_x, {1,0} max_x, {0,-1} min_y, {0,1} max_y
                    (of two, that of x); {0,0}: none, a touch at the start without enter */
    int corner;  /* 1: at t only a corner of the box touches one of the element, else 0 */
    int layer;   /* index of the element's layer in `layers`; 0 in calls of one index */
} spt_hit;

/* Sets out to a box around the way: all elements that spt_cast can hit overlap it. With SPATIAL_INT
   it is the smallest, else a little larger.  Example: {0,0,1,1} by (2,3) => about {0,0,3,4}. */
SPTI_API void spt_box_swept(const spt_motion *motion, spt_box *out);

/* Returns the distance of two boxes' closest points, 0 if they meet, rounded (with SPATIAL_INT
   down, to at most 2147483647). It may be below the exact one: compare by spt_box_within and
   spt_box_nearer; it is no limit for a search.  Example: {0,0,1,1} and {4,5,9,9} => 5. */
SPTI_API spt_coord spt_box_distance(const spt_box *a, const spt_box *b);

/* 1 if the distance of the two boxes is at most `distance`, else 0; 0 also if `distance` is
   negative or a NaN; SPT_NO_LIMIT: always 1. Of a point: whether the other box meets a circle.
   Exact: with SPATIAL_INT it is computed in whole numbers, but a distance need not be one: "at most
   d - 1" is not "less than d". Otherwise the distances along the axes are rounded to the type,
   their squares are exact (with SPATIAL_DOUBLE rounded), and the sum of the squares is rounded to
   double. With SPATIAL_DOUBLE all above 1.35e154 are equal, as are all between 0 and 1.4e-154. */
SPTI_API int spt_box_within(const spt_box *a, const spt_box *b, spt_coord distance);

/* Which is nearer to box: -1 if a, 1 if b, 0 if they are equally far. Exact as the above. */
SPTI_API int spt_box_nearer(const spt_box *box, const spt_box *a, const spt_box *b);

/* 1 if the motion meets the box, and then sets hit, with id SPT_NONE; else 0, also if the box or
   the motion is not valid. hit may be NULL.
   Exact: t is one subtraction and one division, each rounded to the type. With SPATIAL_INT whether
   and in which order boxes are met is decided in whole numbers; only t is then rounded down. The
   first hit of a loop is the one with the least (t, corner, id); with SPATIAL_INT, (t, w, corner,
   id), where w is the way to the side times the speed along the other axis (times 1 if that is 0).
   Example: {0,0,1,1} by (4,0) meets {3,0,5,5} at t = 0.5, side {-1,0}. */
SPTI_API int spt_box_cast(const spt_motion *motion, const spt_box *box, spt_hit *hit);

/* Sets out to where a moving box stops: its place at the time of the hit, with the edge that
   touches exactly at the edge of the element; box + t * d would often be inside by a rounding.
   hit: from a cast of this motion; with side {0,0} out is the box at the start. element: the box of
   hit->id. out: as large as the moving box, as far as the type can hold it; may be &motion->box.
   Example: {0,0,1,1} by (4,2), hit {3,0,5,5} at t = 0.5, side {-1,0} => {2,1,3,2}. */
SPTI_API void spt_box_stop(const spt_motion *motion, const spt_hit *hit, const spt_box *element,
                           spt_box *out);
#endif

#ifdef SPTI_SHAPES
/* A shape: all places that are at most `radius` away from a convex polygon: with one point a
   circle, with two a capsule, with four a turned box; a radius makes its corners round. The points
   are the corners in order, in either direction. They may coincide or lie on a line, and small
   dents of rounding do no harm: the shape is the convex hull of the points. (But if they are not in
   order, the radius counts only from the points and the lines from each to the next, in a ring.)
   Example, a box of about 8 by 2 that is turned by 45 degrees:
       spt_coord corners[8] = {-2.1F,-3.5F, 3.5F,2.1F, 2.1F,3.5F, -3.5F,-2.1F};
       spt_shape shape = {corners, 4, 0}; */
typedef struct spt_shape {
    const spt_coord *points; /* x, y of the first point, x, y of the second ...; finite */
    int count;               /* of points; > 0 */
    spt_coord radius;        /* >= 0, finite */
} spt_shape;

/* 1 if the shape and the box overlap or touch, else 0.
   Errors: SPT_ERR_ARGUMENT (the shape, also if its width or height is too large for the type, or
   with SPATIAL_DOUBLE its radius above 1e153).  Cost: O(count).
   Exact: a circle gives the answer of spt_box_within. Else coordinates of points and of the box are
   subtracted and rounded to the type; it follows exactly from the differences whether polygon and
   box meet (with SPATIAL_DOUBLE their products are rounded, too); and the distance of a corner of
   the box from a side is compared with the radius by squares, each step rounded to double.
   Example: {0,0,1,1} and the points (2,0), (0,2) => 1; with (3,0), (0,3) and radius 0.5 => 0. */
SPTI_API int spt_box_meets_shape(const spt_box *box, const spt_shape *shape);

/* Sets out to the box around a shape, rounded outwards: to insert round elements. Returns SPT_OK or
   SPT_ERR_ARGUMENT (the shape).  Example: one point (2,3), radius 1 => about {1,2,3,4}. */
SPTI_API int spt_shape_box(const spt_shape *shape, spt_box *out);
#endif

/* Private, but here because structs below contain it. */
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
    spt_coord last;  /* the last cell: 2^levels - 1 */
#endif
} spti_axis;

typedef struct spti_map {
    spti_axis x, y;
} spti_map;

#define SPTI_PIECES 8
typedef struct spti_bend { /* a map whose scale differs from piece to piece */
    int levels, skew;      /* 2^(levels + skew) columns; levels 0: it is even, without a skew */
    spt_coord knots[SPTI_PIECES + 1][2]; /* of x and y: where the pieces begin, and the last ends */
    spti_dist rates[SPTI_PIECES][2];     /* of 65536 cells, per unit; at first sizes of boxes */
} spti_bend;

/* ============================================================================================== */
/* INT LIST                                                                             >>intlist

   A growable array of records of `fields` integers. A list is one of two (debug builds assert it):
     a stack       push and pop at the end; indices are 0 .. count-1
     a free list   insert anywhere free, erase any; an index stays valid until it is erased */

typedef struct spt_intlist {
    spt_i32 *data;                              /* NULL while the inline room serves */
    spt_i32 fields;                             /* integers a record, >= 1 */
    spt_i32 count;                              /* records, the erased ones included */
    spt_i32 capacity;                           /* records that fit without allocation */
    spt_i32 free_head;                          /* first erased record, or SPT_NONE */
    spt_allocator allocator;
    spt_i32 room[SPATIAL_INTLIST_INLINE + 1];   /* inline integers; + 1: C has no array of 0 */
} spt_intlist;

/* Makes an empty list of records of `fields` integers, 1 .. 65535; the allocator may be NULL. */
SPTI_API int spt_intlist_init(spt_intlist *list, spt_i32 fields);
SPTI_API int spt_intlist_init_with(spt_intlist *list, spt_i32 fields,
                                   const spt_allocator *allocator);

/* Forgets all records. free gives the memory back: the list is as after init; clear keeps it. */
SPTI_API void spt_intlist_free(spt_intlist *list);
SPTI_API void spt_intlist_clear(spt_intlist *list);

/* Forgets all records from index `records` on, which is at most count, and keeps the memory. Of a
   stack only.  Example: {5,6,7}; truncate 1 => {5}. */
SPTI_API int spt_intlist_truncate(spt_intlist *list, spt_i32 records);

/* Makes room for `records` records in all: up to that number the list need not grow. */
SPTI_API int spt_intlist_reserve(spt_intlist *list, spt_i32 records);

/* Appends a copy of the `fields` integers at record (NULL: zeros), which must not lie in this list,
   and returns its index.  O(1) amortised: memory doubles.  Example: {5,6}; push 7 => 2, {5,6,7}. */
SPTI_API spt_i32 spt_intlist_push(spt_intlist *list, const spt_i32 *record);

/* Takes the last record off and copies it to record, unless that is NULL. SPT_ERR_ID if empty. */
SPTI_API int spt_intlist_pop(spt_intlist *list, spt_i32 *record);

/* Stores a copy of record (NULL: zeros) in the place erased last, or at the end if there is none,
   and returns its index.  O(1) amortised.  Example: of 0,1,2 erase 1; insert => 1; insert => 3. */
SPTI_API spt_i32 spt_intlist_insert(spt_intlist *list, const spt_i32 *record);

/* Makes the place of a record free for the next insert; its first integer is overwritten. The index
   must be one that insert gave and that was not erased since; SPT_ERR_ID if out of range. O(1). */
SPTI_API int spt_intlist_erase(spt_intlist *list, spt_i32 index);

/* Get or set one integer of a record. If index or field is out of range, get returns SPT_NONE and
   set SPT_ERR_ID. Without such tests, spt_intlist_data is faster. */
SPTI_API spt_i32 spt_intlist_get(const spt_intlist *list, spt_i32 index, spt_i32 field);
SPTI_API int spt_intlist_set(spt_intlist *list, spt_i32 index, spt_i32 field, spt_i32 value);

/* Number of records, the erased ones included: indices are 0 .. count-1. */
SPTI_API spt_i32 spt_intlist_count(const spt_intlist *list);

/* The records one after another; valid until the list grows, is freed or is moved. */
SPTI_API const spt_i32 *spt_intlist_data(const spt_intlist *list);

/* Bytes allocated, those of the struct not counted. */
SPTI_API size_t spt_intlist_bytes(const spt_intlist *list);

#ifndef SPATIAL_NO_CHECK
/* 1 if every invariant holds, the links of the erased records included. O(count). */
SPTI_API int spt_intlist_check(const spt_intlist *list);
#endif

#ifdef SPTI_GROWS
/* ============================================================================================== */
/* WORKERS                                                                              >>workers

   The library starts no threads, but you may lend it yours: if a desc has workers, your threads do
   jobs of the search for all pairs. Two make it 1.6 times as fast; four 3, eight 5 times, computed
   from the times of jobs; in quadtree and packed, or in crowds, two 1.4, four 1.9. Results and
   their order are as without workers, but for the order of spt_pairs of linear and loosegrid where
   boxes are large, crowded or few. Fewer than 8192 boxes stay on the calling thread.

   A pool of threads (copy examples/pool.h), OpenMP in three lines, or the tasks of an engine will
   do. A call for pairs calls `run` up to four times (six between two arrays), often for 0.25 ms,
   and a sleeping thread takes up to 0.1 ms to wake: let waiting threads look for work for a while.

       static void run(void *ctx, spt_job_fn job, void *arg, int n)
       {
           int i;
       #pragma omp parallel for schedule(dynamic) num_threads(4)
           for (i = 0; i < n; i++) job(arg, i, omp_get_thread_num());
       }
       desc.workers.count = 4, desc.workers.run = run;

   The library has no locks and no atomics. The calling thread alone calls `run` and the allocators,
   which need no locks. A filter's `accept` is called by many threads at once: it may read data that
   does not change meanwhile, but not write shared data. A list for results grows to up to three
   times their number, for each worker first stores its own apart; with less room, as in the first
   call, a call takes up to twice the time. If more than 3/8 of the boxes are, along both axes, over
   half as long as the plane, one thread finds the pairs.

   Bytes: macros like SPT_BROADPHASE_BYTES are without workers. bytes_for adds, from a capacity of
   8192 on, 6 KB, and for each worker but one 15 a box and up to 210 KB (doubles 310). */

/* A job of the library; see spt_workers. */
typedef void (*spt_job_fn)(void *arg, int i, int worker) SPT_CALLBACK;

/* Your threads. All zero: none, everything runs on the calling thread. */
typedef struct spt_workers {
    int count; /* jobs that may run at a time: 2 .. 256; else all run on the calling thread */
    /* Calls job(arg, i, worker) once for each i from 0 to n - 1, in any order and on any threads,
       and returns when all jobs have returned; the caller then sees their writes to memory.
       worker: 0 .. count - 1, at most 255, never the same number for two jobs at a time. */
    void (*run)(void *ctx, spt_job_fn job, void *arg, int n) SPT_CALLBACK;
    void *ctx;
} spt_workers;
#endif

/* ============================================================================================== */
/* MORTON                                                                                >>morton

   Arithmetic of the complete quadtree over a square of 2^levels by 2^levels finest cells, all in
   O(1). Level 0 is the whole square; level l has 4^l cells, numbered by their Morton codes:

       code of cell (x, y) = ... y2 x2 y1 x1 y0 x0 (bits)        level 1:  2 3     y
                                                                           0 1     ^ > x

   Sources: G. M. Morton, "A computer oriented geodetic data base", IBM 1966; I. Gargantini, "An
   effective way to represent quadtrees", CACM 25(12), 1982. */

#define SPT_MORTON_MAX_LEVELS 15 /* the node numbers of 15 levels fit 31 bits */

/* Morton code of a cell. x, y: 0 .. 65535; higher bits are ignored.
   Example: x = 3 (11), y = 1 (01) => 0111 = 7. */
SPTI_API spt_u32 spt_morton_interleave(spt_u32 x, spt_u32 y);

/* The cell of a Morton code: the inverse of the above.  Example: 7 => x = 3, y = 1. */
SPTI_API void spt_morton_deinterleave(spt_u32 code, spt_u32 *x, spt_u32 *y);

/* Level of the smallest cell that holds all finest cells from (x0,y0) to (x1,y1), and its Morton
   code on that level in *code.  levels: 0 .. 15; x, y: 0 .. 2^levels - 1, in any order.
   Example: levels 3, from (4,2) to (5,3) => 2, *code = 6; from (3,0) to (4,0) => 0, *code = 0. */
SPTI_API int spt_morton_cell(spt_u32 x0, spt_u32 y0, spt_u32 x1, spt_u32 y1, int levels,
                             spt_u32 *code);

/* Number of a node, counted level by level: (4^level - 1)/3 + code. level: 0 .. 15.
   Example: level 2, code 6 => 5 + 6 = 11. Children: 4*11+1 .. 4*11+4, parent: (11-1)/4. */
SPTI_API spt_u32 spt_morton_node(int level, spt_u32 code);

/* Level of a node of that numbering, and its code in *code: the inverse of the above. */
SPTI_API int spt_morton_level(spt_u32 node, spt_u32 *code);

/* How many nodes precede this one in preorder (depth first) down to level `levels`, 0 .. 15. level:
   0 .. levels.  Example: levels 2; the root => 0, level 1 code 1 => 6, level 2 code 4 => 7. */
SPTI_API spt_u32 spt_morton_rank(int level, spt_u32 code, int levels);

/* Number of nodes of a tree of `levels` levels below its root: (4^(levels+1) - 1)/3. */
SPTI_API spt_u32 spt_morton_nodes(int levels);

/* Sets *out to the box of a cell if the whole square is bounds.
   Example: bounds {0,0,8,4}, level 1, code 1 => {4,0,8,2}. */
SPTI_API void spt_morton_box(int level, spt_u32 code, const spt_box *bounds, spt_box *out);

#ifndef SPATIAL_NO_BROADPHASE
/* ============================================================================================== */
/* BROADPHASE                                                                        >>broadphase

   An array of boxes in, all overlapping pairs out. Only the scratch memory is kept from call to
   call, so nothing needs to be told when boxes move, come or go. No world bounds are needed.

   Bytes: at most 35 a box (55 with SPATIAL_DOUBLE) and 225 KB (330). Up to 1024 boxes that is at
   most 93 a box (138) and 6 KB. With SPATIAL_SMALL, 32 bits and no SIMD: at most 40 a box (60) and
   3.5 KB (5). Without a capacity up to a quarter more. */

typedef struct spt_broadphase_desc {
    spt_i32 capacity; /* most boxes in a call; everything is allocated by init (default: grows) */
    spt_allocator allocator; /* (default: SPATIAL_REALLOC and SPATIAL_FREE) */
#ifdef SPTI_GROWS
    spt_workers workers; /* (default: none) */
#endif
} spt_broadphase_desc;

typedef struct spt_broadphase {
    spt_allocator allocator;
    unsigned char *block; /* all scratch memory in one piece */
    size_t bytes;         /* its size */
    spt_i32 capacity;     /* boxes it serves */
    spt_i32 count;        /* of the last call; 0 if it failed */
    int fixed;            /* desc.capacity was set */
#ifdef SPTI_GROWS
    spt_workers workers;
#endif
} spt_broadphase;

/* Makes a broadphase. bytes_for tells how much init allocates: nothing without a capacity. */
SPTI_API int spt_broadphase_init(spt_broadphase *bp, const spt_broadphase_desc *desc);
SPTI_API size_t spt_broadphase_bytes_for(const spt_broadphase_desc *desc);

/* The bytes that init allocates for capacity n without workers, or up to a ninth more. A constant
   if n is one: see spt_arena_init. (Not with bcc and cc65.) */
#define SPT_BROADPHASE_BYTES(n) SPTI_PAIRS_BYTES(SPTI_WIDE(n))

/* Frees the memory and sets all bytes of the struct to 0. bytes tells how much is allocated. */
SPTI_API void spt_broadphase_free(spt_broadphase *bp);
SPTI_API size_t spt_broadphase_bytes(const spt_broadphase *bp);

/* Finds all pairs a < b of indices of overlapping boxes among n.
   Errors: SPT_ERR_FULL (n > desc.capacity). spt_box_valid tells which box is bad.
   Cost: O(n + pairs) for boxes that are small or that spread over the plane, or lie side by side;
   O(n log^2 n + pairs) for any boxes. Allocates only to grow out and, for more boxes, the scratch.
   Example: {0,0,2,2} {1,1,3,3} {5,5,6,6} => 1, out {0,1}. */
SPTI_API spt_i32 spt_broadphase_pairs(spt_broadphase *bp, const spt_box *boxes, spt_i32 n,
                                      const spt_filter *filter, spt_intlist *out);

/* Finds all (i, j) where a[i] overlaps b[j]. Errors and cost as above with n = na + nb. In a
   filter, b[j] has the id na + j.  Example: a {0,0,2,2}; b {5,5,6,6} {2,2,3,3} => 1, out {0,1}. */
SPTI_API spt_i32 spt_broadphase_pairs_between(spt_broadphase *bp, const spt_box *a, spt_i32 na,
                                              const spt_box *b, spt_i32 nb,
                                              const spt_filter *filter, spt_intlist *out);

/* Calls fn for every cell into which the last call sorted its boxes (none if it failed), parents
   before children, for drawing. Returns the value of fn that stopped it, or 0. */
SPTI_API int spt_broadphase_traverse(spt_broadphase *bp, spt_cell_fn fn, void *ctx);
#endif

#ifdef SPTI_INDEX
/* ============================================================================================== */
/* INDEX                                                                                  >>index

   One type keeps boxes by id and answers questions about them; its init chooses the structure. A
   structure whose init is not called costs no code if the linker leaves out unused functions. */

/* Private, but here because the index holds them. */
typedef struct spti_chain { /* 8 bytes: the elements of a cell */
    spt_i32 first;          /* the first chunk, the only one that may be not full; or SPT_NONE */
    spt_i32 count;          /* elements */
} spti_chain;

#define SPTI_CHUNK 8 /* elements that lie together */

typedef struct spti_eight { /* eight boxes, one array for each coordinate, as vectors read them */
    spt_coord min_x[8], min_y[8], max_x[8], max_y[8];
} spti_eight;

typedef struct spti_chunk { /* 172 bytes; 304 with double */
    spti_eight boxes;
    spt_i32 id[SPTI_CHUNK]; /* see SPTI_EMPTY_SLOT */
    spt_i32 next;           /* chunk of the same cell, or of the free list; or SPT_NONE */
    spt_i32 cell;           /* its level and number, see SPTI_CELL_AT */
    spt_u32 place;          /* its column and row on that level, see SPTI_PLACE */
} spti_chunk;

typedef struct spti_pool { /* chunks in one array, the free ones in a list */
    spti_chunk *chunks;
    size_t bytes;          /* allocated for them; after a copy perhaps more than capacity needs */
    spt_i32 capacity;      /* chunks that there is room for */
    spt_i32 top;           /* chunks that are, or ever were, in use: all below top */
    spt_i32 used;          /* chunks in use */
    spt_i32 free_head;     /* first free chunk below top, or SPT_NONE */
} spti_pool;

#define SPT_LINEAR_MAX_LEVELS 12
#define SPT_QUADTREE_MAX_DEPTH 16

typedef struct spti_linear {
    int levels;             /* the finest level */
    int up;                 /* levels from the finest to the coarsest in use with square cells */
    int coarsest;           /* the coarsest level in use */
    int grids;              /* desc.grids */
    int auto_levels;        /* 1: levels follow from the number of elements */
    spt_coord cell;         /* desc.cell; unless it is 0, levels follow from it */
} spti_linear;

typedef struct spti_quadtree { /* see spt_index.nodes */
    spt_i32 used;           /* nodes in use */
    spt_i32 free_head;      /* first free node, or SPT_NONE */
    int leaf_capacity;
    int max_depth;          /* level of the finest cells; even */
} spti_quadtree;

typedef struct spti_packed { /* in spt_index.memory: nodes of 32 boxes */
    spti_eight *nodes;      /* four for each node */
    spt_i32 *ids;           /* in the order of the leaves */
    spt_i32 first[7];       /* the first node of each level; level 0 are the leaves */
    int root;               /* the last level, with the root, its only node */
} spti_packed;

typedef union spti_structure {
    spti_linear linear;
    spti_quadtree quadtree;
    spti_packed packed;
} spti_structure;

struct spti_kind;
struct spti_node;

typedef struct spt_index {
    const struct spti_kind *kind; /* how elements are kept; NULL: not initialised */
    spt_allocator allocator;
    spt_box bounds;         /* of the world; in packed the box around all elements */
    spt_i32 *slots;         /* of each id: 8 * chunk + place in it, or SPT_NONE */
    size_t slots_bytes;     /* allocated for them */
    spt_i32 size;           /* ids that slots has room for; in packed, boxes that memory has */
    spt_i32 count;          /* elements */
    int fixed;              /* desc.capacity was set */
    void *memory;           /* the structure's own, in one piece without pointers */
    size_t memory_bytes;
    spti_pool pool;
    spti_map map;
#ifdef SPTI_FIT
    spti_bend bend;
#endif
    struct spti_node *nodes; /* in memory */
    spt_i32 node_count;     /* nodes that are, or ever were, in use */
    spt_i32 node_room;      /* nodes that memory has room for */
    int skew;               /* of linear; 0 in a quadtree; see spti_cells_skew */
    spt_i32 first_cell;     /* the world, or the first of its four parts */
    spt_i32 finest;         /* nodes from this one on have no nodes below them */
    spt_u32 changes;        /* inserts, moves, removes, clears, builds, refits, copies, tidying */
    spt_u32 tidied;         /* changes when tidy began its last pass over the cells; less 1 for each
                               split or merge of leaves since, and less 2 for each idle call */
    spt_u32 worth;          /* of changes since a test of the fit: a move 1, insert or remove 4 */
    spt_u32 fit_after;      /* for how many elements there must be SPTI_FIT_WORTH before the next */
    int keep_bounds;        /* the bounds stay as they are */
    spt_u32 cursor;         /* cells that the pass of tidy has visited; 0: none is under way */
#ifndef SPATIAL_NO_BROADPHASE
    spt_broadphase broadphase; /* for pairs */
#endif
    spti_structure as;
} spt_index;

/* Gives the memory back; all bytes of the struct are then zero. */
SPTI_API void spt_free(spt_index *x);

/* Removes all elements and keeps the memory.  Cost: O(memory); O(1) in packed. */
SPTI_API void spt_clear(spt_index *x);

/* Bytes allocated now, the scratch of pairs included. Just after init: spt_X_bytes_for. */
SPTI_API size_t spt_bytes(const spt_index *x);

/* "linear", "quadtree", "loosegrid" or "packed"; "" if not initialised. */
SPTI_API const char *spt_kind(const spt_index *x);

#ifndef SPATIAL_NO_COPY
/* Makes `to` a copy of `from`, in memory of its own: the same calls on both then give the same
   results in the same order. For rollback, branches, and questions on another thread (which needs
   copies of arrays of a filter, too, if they change): see recipes.
   to: of the kind of `from`, which may be an image. It takes over the elements, bounds and settings
   of `from`, and keeps its own memory, allocator, workers, no_pairs and capacity (if any). If
   workers or capacities differ, so may the order of later results.
   Errors: SPT_ERR_KIND (to is of another kind, or an image), SPT_ERR_FULL (to's capacity is too
   small for ids, cells or chunks of from; never if their descs differ in the allocator alone).
   Cost: O(to's ids) and a memcpy of from's memory. Allocates only if `to` has less and no capacity.
   Example: copy(&saved, &world), move 7, copy(&world, &saved) => 7 is back where it was. */
SPTI_API int spt_copy(spt_index *to, const spt_index *from);
#endif

/* Adds element id with its box.  x: not packed. id: >= 0; if yours are handles, their index alone.
   Errors: SPT_ERR_EXISTS (it is there), SPT_ERR_ID (< 0, >= 2^29), SPT_ERR_FULL (>= desc.capacity).
   Cost: amortised O(1), in a quadtree O(max_depth). A single one may take O(n), when memory doubles
   or the world is fitted: for an even time, set desc.capacity and desc.keep_bounds. */
SPTI_API int spt_insert(spt_index *x, spt_i32 id, const spt_box *box);

/* Gives element id a new box.  Errors: SPT_ERR_ID (not there).
   Cost: O(1); where the element stays in its cell, mostly no more than storing the box. In a
   quadtree, if it enters another node, O(max_depth), and now and then a split.
   Example: element 0 at {0,0,2,2}; move 0 to {5,5,7,7}; query {1,1,3,3} => 0. */
SPTI_API int spt_move(spt_index *x, spt_i32 id, const spt_box *box);

/* Moves the elements ids[0] ... ids[n-1], in this order, element id to boxes[id]: boxes has all
   your boxes, by id. The same as n calls of move, but faster where there are many elements.
   Returns n; or if a move is refused, the number of moves done before, or if that is 0, the error.
   Example: ids 0, 1, 2 are there; move_many {2,0,7,1} => 2; then {7,1} => SPT_ERR_ID. */
SPTI_API spt_i32 spt_move_many(spt_index *x, const spt_i32 *ids, const spt_box *boxes, spt_i32 n);

/* Takes element id out.  Errors: SPT_ERR_ID (not there).  Cost: O(1). Never allocates.
   Example: insert 7 => SPT_OK, again => SPT_ERR_EXISTS; remove 7 => SPT_OK, again => SPT_ERR_ID. */
SPTI_API int spt_remove(spt_index *x, spt_i32 id);

/* Removes all elements and adds n boxes, whose ids are their indices: the only way into packed. The
   others take them as they lie in the plane (but not on small machines), so that neighbours are
   near in memory: questions among 1,000,000 boxes then take a third of the time, or as long.
   Errors: SPT_ERR_FULL (n > capacity). A quadtree without a capacity is empty after SPT_ERR_MEMORY.
   Cost: O(n log n) in packed, else as n inserts. Fits the world (but with desc.keep_bounds).
   Allocates at most for more boxes, or for more cells, than any build before had. */
SPTI_API int spt_build(spt_index *x, const spt_box *boxes, spt_i32 n);

/* 1 if element id is there, else 0; any id may be asked for. O(1). */
SPTI_API int spt_contains(const spt_index *x, spt_i32 id);

/* Copies the box of element id to *box.  Errors: SPT_ERR_ID (not there).  Cost: O(1); O(n) in
   packed: look into your array.  Example: insert 7 at {0,0,2,2}; box_of 7 => SPT_OK, {0,0,2,2}. */
SPTI_API int spt_box_of(const spt_index *x, spt_i32 id, spt_box *box);

/* Number of elements. O(1). */
SPTI_API spt_i32 spt_count(const spt_index *x);

/* Call it once a frame: keeps questions fast, by shrinking the boxes of cells that elements have
   left, and merging leaves of a quadtree. It changes at most the order of results.
   Cost: a call tidies 16 cells and a 32nd of all. A walk over all cells begins when a 32nd of the
   elements have changed, or some calls later; without changes a call costs nothing. If the world
   does not fit, the call fits it, and frees memory: O(n + elements removed), as rarely as World
   says. Allocates at most for a fit, a split or a merge; without memory it leaves that out. */
SPTI_API void spt_tidy(spt_index *x);

#ifdef SPTI_FIT
/* Gives the world new bounds at once: for a world that has just become another one, or moved far.
   No element changes. Without desc.keep_bounds the world may fit itself again.
   bounds: min < max, and max - min is finite: cells get one size; NULL: what fits the elements or,
   without any, or all at one point, the old ones. x: not packed, which has no bounds.
   Cost: O(n). With a capacity it never allocates.  Example: spt_rebound(&world, NULL) => SPT_OK. */
SPTI_API int spt_rebound(spt_index *x, const spt_box *bounds);
#endif

/* Finds the ids of the elements that overlap box, or are in filter->relation to it.
   Cost: O(cells that the box touches + their elements). Without a filter, or if it only asks for
   SPT_INSIDE, cells inside the box give their ids without a test. Elements as long as the
   world share a few coarse cells in linear and quadtree: a query may test all of them, O(n), and
   find none. Packed tests O(sqrt(n)) of these, but O(n) if rows and columns have the same centres.
   Example: boxes 0:{0,0,2,2} 1:{5,5,6,6}; query {1,1,3,3} => 1, out {0}. */
SPTI_API spt_i32 spt_query(const spt_index *x, const spt_box *box, const spt_filter *filter,
                           spt_intlist *out);

/* Returns 1 if any element overlaps box, else 0. It looks at no more than 15 cells too many. */
SPTI_API int spt_any(const spt_index *x, const spt_box *box, const spt_filter *filter);

/* Calls fn for each element that overlaps box, with a copy of its box. Returns the value of fn that
   stopped it, or 0.  Example: an fn that returns 1 => as spt_any. */
SPTI_API int spt_visit(const spt_index *x, const spt_box *box, const spt_filter *filter,
                       spt_visit_fn fn, void *ctx);

/* Asks for many boxes at once: finds all pairs (i, id) where boxes[i] overlaps element id, in the
   order of i. Faster than n calls of query, because waits for memory of several windows overlap.
   Example: boxes 0:{0,0,2,2} 1:{5,5,6,6}; query_many {{9,9,9,9}, {1,1,5,5}} => 2, {1,0} {1,1}. */
SPTI_API spt_i32 spt_query_many(const spt_index *x, const spt_box *boxes, spt_i32 n,
                                const spt_filter *filter, spt_intlist *out);

#ifdef SPTI_SEARCH
/* Finds the box around all elements: returns 1 and sets *bounds, or 0 if there are none.
   Cost: O(cells at the border of the elements + their elements); of packed O(1).
   Example: boxes 0:{0,0,2,2} 1:{5,5,6,6} => 1, {0,0,6,6}. */
SPTI_API int spt_bounds(const spt_index *x, spt_box *bounds);

/* Finds the ids of the elements that are at most `distance` from box: see spt_box_within. If box is
   a point, these are the elements that touch a circle.
   distance: >= 0; SPT_NO_LIMIT: all elements.  Cost: as a query for the box grown by the distance.
   Example: boxes 0:{0,0,2,2} 1:{5,5,6,6}; within 3 of {5,2,5,2} => 2, out {0,1}. */
SPTI_API spt_i32 spt_within(const spt_index *x, const spt_box *box, spt_coord distance,
                            const spt_filter *filter, spt_intlist *out);

#ifdef SPTI_SHAPES
/* Finds the ids of the elements that meet a shape: see spt_box_meets_shape.
   Cost: O(count) for each cell and each element that the sides of the shape come near to; elements
   in cells inside the shape are copied without a test, and cells beside a thin one are left out.
   Example: boxes 0:{0,0,2,2} 1:{5,5,6,6}; points (1,9), (9,1) with radius 1 => 1, out {1}. */
SPTI_API spt_i32 spt_overlap(const spt_index *x, const spt_shape *shape, const spt_filter *filter,
                             spt_intlist *out);
#endif

/* Finds the ids of the k elements (or of all, if fewer) nearest to box, in order of (distance, id).
   k: >= 0; a larger k only adds ids at the end. limit: the largest distance at which elements are
   found; SPT_NO_LIMIT: all; negative: none; a NaN: SPT_ERR_ARGUMENT.
   Cost: O(log n + k log k) where boxes of about one size are spread and box lies among them; up to
   O(n) with many at one distance, as from far away, or with a filter that refuses most. With k
   above 128 (2 where int has 16 bits, on Cortex-M, and except with gcc, clang, or MSVC with SSE2)
   the call needs memory in out for up to 8 integers a result, 12 with SPATIAL_INT or without SIMD.
   Example: boxes 0:{0,0,2,2} 1:{5,5,6,6} 2:{9,9,9,9}; nearest 2 to {6,7,6,7} => 2, out {1,2}. */
SPTI_API spt_i32 spt_nearest(const spt_index *x, const spt_box *box, spt_i32 k, spt_coord limit,
                             const spt_filter *filter, spt_intlist *out);

/* Called as spt_visit_fn, also with the spt_box_distance. To get none further away, lower *limit to
   the distance of a shape in the box; not to `distance`, which may be less than the exact one. */
typedef int (*spt_near_fn)(void *ctx, spt_i32 id, const spt_box *box, spt_coord distance,
                           spt_coord *limit) SPT_CALLBACK;

/* Calls fn for all elements in the order of (distance, id): to find the shape that is nearest to
   box, or the nearest element that meets a condition of yours. Returns as spt_visit does.
   Cost: a spt_nearest for the first element, for the next 4, 16, 64, then for every 128 (or 2, see
   there), each from the beginning: O(m^2 / 128) for m elements. 100,000 take some 0.2 s in packed,
   0.5 s in linear, and up to 8 s at one place. For a known number ask spt_nearest.
   Example: an fn that returns 1 if it can see the element => 1 if it sees any. */
SPTI_API int spt_nearest_visit(const spt_index *x, const spt_box *box, const spt_filter *filter,
                               spt_near_fn fn, void *ctx);

/* Finds the first element that a motion meets: returns 1 and sets *hit, unless hit is NULL, or
   returns 0 and leaves *hit as it was. If several are met at the same t, elements met at a side
   come before elements met only at a corner, and then the smaller id comes first.
   Errors: SPT_ERR_ARGUMENT (a motion that is not finite). For rounding see spt_box_cast.
   Cost: O(log n + cells on the way to the first hit); all the way at most O(sqrt n) where boxes of
   about one size are spread. Many elements in one spot on the way are all looked at.
   Example: boxes 0:{4,0,5,1} 1:{8,0,9,1}; the ray {0,0.5,0,0.5} by (10,0) => 1, hit 0 at t 0.4. */
SPTI_API int spt_cast(const spt_index *x, const spt_motion *motion, const spt_filter *filter,
                      spt_hit *hit);

/* Finds the ids of all elements that a motion meets, in the order of spt_cast.
   Cost: O(cells on the way + their elements), and sorting. The call needs memory in out for 4
   integers a result, or 6 with SPATIAL_INT or without SIMD.
   Example: the above => 2, out {0,1}. */
SPTI_API spt_i32 spt_cast_all(const spt_index *x, const spt_motion *motion,
                              const spt_filter *filter, spt_intlist *out);

/* Called as spt_visit_fn for an element that a motion meets. To shorten the motion, lower *limit,
   which at first is its end: the visit leaves out elements that are met at a later t. */
typedef int (*spt_cast_fn)(void *ctx, const spt_hit *hit, const spt_box *box,
                           spt_coord *limit) SPT_CALLBACK;

/* Calls fn for all elements that a motion meets, in the order of spt_cast. For shapes that are not
   boxes, fn lowers the limit to the t of its shape. Returns the value of fn that stopped it, or 0.
   Cost: as of spt_nearest_visit, but with 2, 8, 32, then 128 (or 2) hits a search.
   Example: an fn that returns 1 => 1 if the motion meets anything, else 0. */
SPTI_API int spt_cast_visit(const spt_index *x, const spt_motion *motion, const spt_filter *filter,
                            spt_cast_fn fn, void *ctx);

/* Elements of an index. Questions among several layers answer as if all these elements were in one
   index: walls in packed, say, and doors in linear. Those in earlier layers count as having smaller
   ids. Errors are those of the question in each index, and SPT_ERR_ARGUMENT (count < 0, NULL). */
typedef struct spt_layer {
    const spt_index *index;
    const spt_filter *filter; /* selects elements; NULL: all */
#ifdef SPTI_SHAPES
    /* For spt_shape_cast, _any and _slide; to others all elements are boxes. Sets *out to the shape
       of an element, which its box holds, and returns 1; or returns 0: it is its box. The points
       stay valid until the next call. NULL: all are boxes. */
    int (*shape)(void *ctx, spt_i32 id, spt_shape *out) SPT_CALLBACK;
    void *ctx;
#endif
} spt_layer;

/* As spt_any among `count` layers: is the place free? With 0 layers it is.
   Example: floor 0:{0,-1,9,0} alone in layers[1]; {2,-1,3,1} => 1. */
SPTI_API int spt_any_among(const spt_layer *layers, int count, const spt_box *box);

/* As spt_cast among `count` layers: does anything block the line of sight? hit->layer tells whose
   element is met first.  Cost: a cast in each layer, as far as to the nearest hit in earlier ones.
   Example: the above; the ray {2,5,2,5} by (0,-10) => 1, hit 0 of layer 1 at t 0.5, {0,1}. */
SPTI_API int spt_cast_among(const spt_layer *layers, int count, const spt_motion *motion,
                            spt_hit *hit);

/* Moves a box among elements as players, enemies and balls move in worlds of tiles. The side that
   spt_cast_among with `enter` finds (or a nearer edge of the same t) stops it along that axis,
   exactly at the side and also if the motion ends there; along the other axis it goes on to the end
   of the motion, rounded, or to another such side. A row of tiles stops a box as one long wall
   does, so that it does not stick at seams (but a box without width or height falls through seams
   and walls of no width, or sticks). It never ends inside an element that it began outside of; one
   that it overlaps at first does not hold it, nor does a side that it touches and moves along or
   away from. Keep `end`, and begin the next motion with it: a box made anew around its centre may
   overlap a wall by a rounding, and that wall does not hold it (but see spt_shape_slide). The size
   stays if it and the edges of elements are multiples of 1/16 or so; else it drifts by roundings,
   some 0.0001 in an hour of frames. To keep it, set the edge opposite to each side that was hit,
   and no other: for a floor, where ny is 1, end.max_y = end.min_y + height.
   layers: `count` of them; with 0 nothing stops the box. motion: `enter` does not matter; with
   SPATIAL_INT it is cut off where the type ends. end: gets the box at the end; it may be
   &motion->box. hits: room for 2, in the order in which they stop it, or NULL; t is the part of the
   motion, along the axis of the side, up to the side. Returns how many sides were hit, 0 .. 2.
   Cost, in each layer: a cast; if any is hit, a second one along the other axis, past the elements
   left behind; and a query for `end`. Where m elements are hit at once, or left behind,
   O(m^2 / 128): 9 ms for 10,000 tiles. A filter's `except` keeps an element from meeting itself.
   Example: floor {0,-1,9,0} in layers[0]; {2,1,3,2} by (3,-4) => 1, end {5,0,6,1}, t .25, {0,1}. */
SPTI_API int spt_slide(const spt_layer *layers, int count, const spt_motion *motion, spt_box *end,
                       spt_hit *hits);

#ifdef SPTI_SHAPES
/* The meeting of a moving shape and an element. (None of this with SPATIAL_INT.) */
typedef struct spt_shape_hit {
    spt_i32 id;
    int layer;        /* index of the element's layer in `layers` */
    spt_coord t;      /* the part of the motion up to the meeting: 0 .. 1 */
    spt_coord nx, ny; /* unit normal from the element to the shape; y up: it stands if ny > 0.7 */
} spt_shape_hit;

/* Finds the first element among `count` layers that a shape moves into on its way by (dx, dy). It
   does not turn, and elements do not move. Returns 1 and sets *hit, unless hit is NULL; or 0.
   Elements that it is inside of at the start by at most `skin` are met at t = 0 if it moves further
   into them; those that it is deeper inside of are not met. By (0, 0) it meets all that it touches
   or is in. At the same t the least gap before comes first, then the steepest way in, the earlier
   layer, the smaller id. One point with radius 0 is a ray; the shapes stop it, not their boxes.
   Errors: as of spt_cast_among; SPT_ERR_ARGUMENT (the shape; skin < 0; coordinates on the way above
   1e8, with SPATIAL_DOUBLE 1e70; skin above a 64th of that). t is computed in double and rounded.
   Cost: as of spt_cast_visit in each layer; O((points of shape and element)^2) for some 1 to 4
   places of each element that it comes near.
   Example: element 0:{4,0,6,9}; the circle (0,5) with radius 1 by (10,0) => 1, t 0.3, {-1,0}. */
SPTI_API int spt_shape_cast(const spt_layer *layers, int count, const spt_shape *shape,
                            spt_coord dx, spt_coord dy, spt_coord skin, spt_shape_hit *hit);

/* 1 if a shape meets an element among `count` layers, else 0: is there room? Errors: the same.
   Example: the above; the circle (3,5) with radius 1 => 1. */
SPTI_API int spt_shape_any(const spt_layer *layers, int count, const spt_shape *shape);

#define SPT_SHAPE_HITS 4

/* Moves a shape among elements: it goes on along the sides of those that it meets, round discs and
   up slopes, as near to the end of its motion as it gets, and rests in corners. Take it, not
   spt_slide, for circles, slopes, and bodies that are kept by their centre, as four corners. It
   does not turn; elements stand still; there is no friction; a concave shape is several elements.
   skin: > 0; the thickness of a layer in which roundings, and elements that move into it, do no
   harm. Elements that the shape is inside of by at most skin at the start hold it, and push it out;
   deeper ones do not. It ends an eighth to a quarter of skin away from elements; squeezed, as in a
   shaft of its own width, up to half of skin in them. Seams that are even to a tenth of skin do not
   stop it. No speed takes it through a wall, however thin. Take a hundredth of the size of the
   shape, but at least 50 steps of the type at the largest coordinate (floats: 0.003 at 1000).
   *moved_x, *moved_y: the way; add it to all points. hits: room for SPT_SHAPE_HITS, the first that
   stop it (the 16th ends its way), or NULL. Returns their number, 0 .. 4; errors: as the cast. For
   velocity v and each hit: d = v.x * nx + v.y * ny; if (d < 0) v.x -= d * nx, v.y -= d * ny.
   Cost: a spt_shape_cast for each meeting and two more.
   Example: floor {0,-1,9,0}, skin .01; disc (2,3), radius 1, by (3,-4) => 1, t about .5, {0,1}. */
SPTI_API int spt_shape_slide(const spt_layer *layers, int count, const spt_shape *shape,
                             spt_coord dx, spt_coord dy, spt_coord skin, spt_coord *moved_x,
                             spt_coord *moved_y, spt_shape_hit *hits);
#endif
#endif

/* Finds all pairs a < b of ids of overlapping elements.
   Errors: SPT_ERR_LEFT_OUT (desc.no_pairs, or SPATIAL_NO_BROADPHASE).
   Cost: as spt_broadphase_pairs, which finds them; less in linear if its cells have some 2 to 60
   elements each. Memory of removed elements is read, too, until spt_tidy has fitted the world.
   Example: boxes 3:{0,0,2,2} 8:{2,2,3,3} 9:{5,5,6,6} => 1, out {3,8}. */
SPTI_API spt_i32 spt_pairs(spt_index *x, const spt_filter *filter, spt_intlist *out);

/* The same, but finds only the pairs in which at least one id is among n given ids: for frames in
   which up to a tenth of the elements have moved; spt_contacts_update_of takes these pairs. The
   function makes a query for the box of each given id or, if more than an eighth of the elements
   are given and out is not NULL, finds all pairs and removes those without a given id.
   ids: elements that moved, came or went, or whose filter changed; in any order, also twice. Ids
   not there have no pairs. x: not packed.  Errors: SPT_ERR_LEFT_OUT; SPT_ERR_ID (< 0).
   Cost: O(largest id), and n queries or one spt_pairs. Allocates at most the scratch memory of
   spt_pairs or, if ids are far apart, a bit for each id up to the largest.
   Example: boxes 3:{0,0,2,2} 8:{2,2,3,3} 9:{3,3,6,6}; of 9 => 1, out {8,9}. */
SPTI_API spt_i32 spt_pairs_of(spt_index *x, const spt_i32 *ids, spt_i32 n, const spt_filter *filter,
                              spt_intlist *out);

/* Calls fn for the cells in use, for drawing, parents before children. Linear, loose grid: cells
   with elements; quadtree: all cells; packed: all nodes. Returns as spt_visit.  Cost: O(cells). */
SPTI_API int spt_traverse(const spt_index *x, spt_cell_fn fn, void *ctx);

#ifndef SPATIAL_NO_CHECK
/* 1 if the index is sound: windows at the corners of each element find it, and once; chains, links
   and lanes are right; no cell, chunk or id is lost; counts agree. Of packed it tests the head, the
   boxes around children, and the ids: 0 to n - 1. O(n) questions: for tests. */
SPTI_API int spt_check(const spt_index *x);
#endif
#endif

#ifdef SPTI_GRIDS
/* ============================================================================================== */
/* LINEAR                                                                                >>linear

   A complete loose quadtree in one array, by level and Morton code. An element is on the level with
   cells about as large, in the cell of its lower corner: insert, move and remove are O(1). Each
   cell knows the box around its elements, which grows with them; spt_tidy shrinks it.

   In an oblong world, too, cells are about square: no side is over twice the other, up to worlds
   512 times as long as high, or 2 * 4^levels times with fewer than four levels. The default makes
   finest cells of some 11 to 44 elements; cells smaller than elements are of no use.

   Bytes: 4 an id; with a capacity a chunk of 172 bytes (304 with SPATIAL_DOUBLE) for every 8 ids
   and for every cell, and 768 (1280) for every 16 cells: 30 to 46 an id (49 to 78) with the default
   levels, and up to 1.8 KB (2.9). A growing index has room for up to twice as much. */

typedef struct spt_linear_desc {
    spt_box bounds;    /* the world to begin with: min < max, and max - min is finite (default:
                          any; it fits itself, see World in the conventions) */
    spt_i32 capacity;  /* ids are 0 .. capacity-1, all allocated by init (default: grows) */
    int levels;        /* 1 .. 12: 4^levels finest cells (default: as many as the elements need) */
    int grids;         /* levels in use, the finest first, each four times as coarse as the one
                          before: 1 .. levels / 2 + 1 (default: all) */
    spt_coord cell;    /* in place of levels: the side of a finest cell; the world is halved along
                          both axes until sides are at most 3/2 of this, or a 4096th of the world
                          (in 0.9 GB), but one that has grown gets at most eight cells an element;
                          all cells keep one size, wherever elements crowd (default: 0) */
    int no_pairs;      /* 1, with a capacity: leave out the scratch of pairs, which then returns
                          SPT_ERR_LEFT_OUT (default: 0) */
    int keep_bounds;   /* 1: leave the bounds, which are then required, as they are (default: 0) */
    spt_allocator allocator; /* (default: SPATIAL_REALLOC and SPATIAL_FREE) */
#ifdef SPTI_GROWS
    spt_workers workers; /* for spt_pairs (default: none) */
#endif
} spt_linear_desc;

#ifndef SPATIAL_NO_LINEAR
/* Makes an empty index. bytes_for tells how much init allocates.  Cost: O(cells + capacity).
   Example: desc.capacity = 1000; spt_linear_init(&world, &desc) => room for ids 0 .. 999. */
SPTI_API int spt_linear_init(spt_index *x, const spt_linear_desc *desc);
SPTI_API size_t spt_linear_bytes_for(const spt_linear_desc *desc);
#endif
#endif

/* The bytes that init allocates for capacity n and default levels, or up to a tenth more; with
   desc.no_pairs, subtract SPT_BROADPHASE_BYTES(n). A constant if n is one: see spt_arena_init. */
#define SPT_LINEAR_BYTES(n)                                                                        \
    SPTI_INDEX_BYTES(SPTI_WIDE(n), SPTI_NODES_OF(SPTI_LINEAR_BITS(SPTI_WIDE(n) / 11)),             \
                     16 * (SPTI_NODES_OF(SPTI_LINEAR_BITS(SPTI_WIDE(n) / 11)) - 1) +               \
                         SPTI_ROOTS_OF(SPTI_LINEAR_BITS(SPTI_WIDE(n) / 11)))
#ifndef SPATIAL_NO_QUADTREE
/* ============================================================================================== */
/* QUADTREE                                                                            >>quadtree

   An adaptive quadtree without pointers: a leaf with too many elements is divided into four by four
   cells, so the tree is deep where elements are dense and flat where they are sparse. An element is
   in one cell, found by its size and lower corner, or in the leaf above it.

   max_depth sets the smallest cell, the world's sides by 2^max_depth. Too deep costs next to
   nothing; too flat costs time where a smallest cell holds hundreds.

   Bytes: 4 an id, 768 a node (1280 with SPATIAL_DOUBLE), a chunk of 172 bytes (304) for each 8
   elements, or fewer, in a cell. With a capacity that is 56 an id (94) and up to 3.2 KB (6.2). */

typedef struct spt_quadtree_desc {
    spt_box bounds;    /* as in spt_linear_desc */
    spt_i32 capacity;  /* as in spt_linear_desc */
    int leaf_capacity; /* a leaf with more elements may be divided: 1 .. 1000 (default: 96) */
    int max_depth;     /* halvings of the world, rounded up to even: 1 .. 16 (default: 16) */
    int no_pairs;      /* as in spt_linear_desc */
    int keep_bounds;   /* as in spt_linear_desc */
    spt_allocator allocator;
#ifdef SPTI_GROWS
    spt_workers workers; /* for spt_pairs */
#endif
} spt_quadtree_desc;

/* Makes an empty index. bytes_for tells how much init allocates.  Cost: O(capacity). */
SPTI_API int spt_quadtree_init(spt_index *x, const spt_quadtree_desc *desc);
SPTI_API size_t spt_quadtree_bytes_for(const spt_quadtree_desc *desc);

/* As SPT_LINEAR_BYTES, for the default leaf_capacity; with a max_depth up to 10 up to 2.3 times. */
#define SPT_QUADTREE_BYTES(n)                                                                      \
    SPTI_INDEX_BYTES(SPTI_WIDE(n), SPTI_WIDE(n) / 96 - SPTI_WIDE(n) / 96 / 8 + 1,                  \
                     16 * (SPTI_WIDE(n) / 96 - SPTI_WIDE(n) / 96 / 8) + 1)
#endif

#ifndef SPATIAL_NO_LOOSEGRID
/* ============================================================================================== */
/* LOOSE GRID                                                                          >>loosegrid

   Linear with one level. Choose desc.cell not much smaller than the usual element, and so that
   cells have some 4 to 40 elements. An element is in the cell of its lower corner, whose box grows
   to hold it, however large it is: one over many cells makes questions look there from afar. */

/* As linear's; desc.grids is 0 or 1. With desc.cell ask bytes_for: SPT_LINEAR_BYTES is less. */
SPTI_API int spt_loosegrid_init(spt_index *x, const spt_linear_desc *desc);
SPTI_API size_t spt_loosegrid_bytes_for(const spt_linear_desc *desc);
#endif

#ifndef SPATIAL_NO_PACKED
/* ============================================================================================== */
/* PACKED                                                                                >>packed

   No structure here answers questions faster than packed (with SPATIAL_INT or SPATIAL_NO_SIMD only
   windows: linear then finds the nearest element, or the first hit, sooner), but its boxes do not
   move: the walls of a level, the buildings of a map, a past frame. spt_build takes all boxes at
   once, for some tens of nanoseconds a box; single ones cannot be inserted, moved or removed. They
   are stored 32 to a node, neighbours together, under a tree of the boxes around the nodes: 20.6
   bytes a box and up to 1.6 KB (37.1 and 3 KB with SPATIAL_DOUBLE), in one piece of memory. */

#define SPT_PACKED_NODE 32 /* boxes, or nodes, that are stored together */

typedef struct spt_packed_desc {
    spt_i32 capacity; /* most boxes; everything is allocated by init (default: grows) */
    int no_pairs;     /* see spt_linear_desc */
    spt_allocator allocator;
#ifdef SPTI_GROWS
    spt_workers workers; /* for spt_pairs */
#endif
} spt_packed_desc;

/* Makes an index without boxes. bytes_for tells how much init allocates: nothing without capacity.
   Example: spt_packed_init(&map, NULL); spt_build(&map, boxes, n); */
SPTI_API int spt_packed_init(spt_index *x, const spt_packed_desc *desc);
SPTI_API size_t spt_packed_bytes_for(const spt_packed_desc *desc);

/* The bytes of init for a constant capacity n, or up to a tenth more: see SPT_LINEAR_BYTES. */
#define SPT_PACKED_BYTES(n)                                                                        \
    (128 * SPTI_COORD_BYTES * SPTI_PACKED_NODES(SPTI_WIDE(n)) + 4 * SPTI_WIDE(n) + 136 +           \
     SPTI_SCRATCH_BYTES(SPTI_WIDE(n)))
/* Gives the boxes new places after their objects have moved a little. The further boxes that are
   stored together drift apart, the slower the questions get: then build again.
   boxes: n of them, as many as were built, in the same order. x: not an image.
   Cost: O(n), about a tenth of a build. Never allocates.  Example: boxes moved by 1 => SPT_OK. */
SPTI_API int spt_packed_refit(spt_index *x, const spt_box *boxes, spt_i32 n);

/* --- images: a packed index in a file, mapped, or in ROM -------------------------------------- */

/* Returns the image of x: one piece of memory, *bytes long, valid until x is built, copied to or
   freed; NULL and 0 if x is not packed or empty. Machines of the same byte order read it alike.
   Example: data = spt_packed_data(&map, &bytes); fwrite(data, 1, bytes, file); */
SPTI_API const void *spt_packed_data(const spt_index *x, size_t *bytes);

/* Makes an index over an image where it is: copies and allocates nothing. It answers every
   question; spt_free frees only the scratch of pairs. spt_build and spt_packed_refit are refused.
   data: aligned as coordinates; unchanged while x is used. bytes: spt_packed_data's, or more.
   Errors: SPT_ERR_IMAGE; SPT_ERR_ARGUMENT (data is NULL or not aligned). Only the head of the image
   is tested. Contents that were tampered with lead to wrong answers, but never out of the image.
   Their ids may be any numbers: before pairs or a filter, call spt_check (some ms for 200,000).
   O(1).  Example: static const spt_u32 map[] = {...}; spt_packed_view(&x, map, sizeof map); */
SPTI_API int spt_packed_view(spt_index *x, const void *data, size_t bytes);
#endif

#ifndef SPATIAL_NO_CONTACTS
/* ============================================================================================== */
/* CONTACTS                                                                              >>contacts

   Keeps contacts, the pairs that touch, and tells which began and which ended. Each frame, give all
   pairs to spt_contacts_update, or those of changed ids to spt_contacts_update_of. Pairs may come
   from any structure; you may first remove those whose shapes do not touch.

   Bytes: 26 for each pair, 6 for each id up to the largest, and 64; without a capacity up to a
   quarter more. At most 2^28 - 1 pairs. */

typedef struct spt_contacts_desc {
    spt_i32 capacity; /* most pairs; everything is allocated by init (default: grows) */
    spt_i32 ids;      /* with a capacity: ids are less than this (default: capacity) */
    spt_allocator allocator; /* (default: SPATIAL_REALLOC and SPATIAL_FREE) */
} spt_contacts_desc;

typedef struct spt_contacts {
    spt_contacts_desc desc;       /* of init, or zeros */
    spt_i32 *block;               /* all memory, in one piece */
    spt_i32 *pairs, *next, *by_b, *heads, *scratch; /* parts of the block */
    spt_i32 most_ids, most_pairs;                   /* ids and pairs that it has room for */
    spt_i32 few;   /* entries that the scratch memory has room for */
    spt_i32 count; /* contacts */
    spt_i32 top;   /* integers of the pairs, or of the records used so far */
    spt_i32 freed; /* the first half of the first free record; 0: none */
    int rows;      /* 1: by_b has the same pairs in order of b */
    int linked;    /* 1: there are records instead */
} spt_contacts;

/* Begins without contacts. bytes_for tells how much init allocates: nothing without a capacity. */
SPTI_API int spt_contacts_init(spt_contacts *c, const spt_contacts_desc *desc);
SPTI_API size_t spt_contacts_bytes_for(const spt_contacts_desc *desc);

/* The bytes of init for these desc.capacity and desc.ids, or up to 8 more. Constant if both are. */
#define SPT_CONTACTS_BYTES(pairs, ids)                                                             \
    (26 * SPTI_WIDE(pairs) + 6 * (SPTI_WIDE(ids) > 0 ? SPTI_WIDE(ids) : SPTI_WIDE(pairs)) + 68)

/* Frees the memory and sets all bytes of the struct to 0. bytes tells how much is allocated. */
SPTI_API void spt_contacts_free(spt_contacts *c);
SPTI_API size_t spt_contacts_bytes(const spt_contacts *c);

/* Takes all pairs of a frame. Puts into began the pairs that were not there in the frame before,
   and into ended the pairs of the frame before that are no longer there, both in order of (a, b).
   Returns the number of all pairs; spt_intlist_count tells how many began and ended.
   pairs: a list of two fields, 0 <= a < b, each pair once, in any order. In pairs of two sets, from
   spt_query_many or spt_broadphase_pairs_between, add to each b the number of elements of the first
   set, so that each element has its own id. began, ended: such lists, or NULL.
   Errors: SPT_ERR_ARGUMENT (pairs is NULL; a list given twice, then none changes), SPT_ERR_ID (< 0,
   >= 2^29), SPT_ERR_FULL (desc.capacity, desc.ids), SPT_ERR_PAIR (a pair twice; one with a >= b).
   Cost: O(largest id + pairs). Allocates only if there are more pairs, or larger ids, than before.
   Example: pairs {0,1} {1,3}, then {1,3} {2,3} => 2, began {2,3}, ended {0,1}. */
SPTI_API spt_i32 spt_contacts_update(spt_contacts *c, const spt_intlist *pairs, spt_intlist *began,
                                     spt_intlist *ended);

/* The same for frames in which only n ids changed: takes the pairs of these ids, as spt_pairs_of
   finds them, and leaves all other contacts as they are. Returns how many contacts there are then.
   ids: those given to spt_pairs_of. pairs: all pairs of which at least one id is among these.
   Errors: as spt_contacts_update; also SPT_ERR_PAIR (a pair of which neither id is among the n).
   Cost: O(n + pairs of these ids, old and new); O(largest id + contacts) in addition for the first
   call after an update of all or of many ids, and when the memory grows. Allocates only then.
   Example: spt_pairs_of(&world, moved, n, NULL, &pairs);
            spt_contacts_update_of(&contacts, moved, n, &pairs, &began, &ended); */
SPTI_API spt_i32 spt_contacts_update_of(spt_contacts *c, const spt_i32 *ids, spt_i32 n,
                                        const spt_intlist *pairs, spt_intlist *began,
                                        spt_intlist *ended);

/* Ends the contacts of an id. Puts them into ended, in order of (a, b); the next update does not
   tell them again. Returns how many they are. Call this if the id is given to another element
   before the next update: otherwise contacts that both have do not begin anew.
   ended: a list of two fields, or NULL.  Errors: SPT_ERR_ID (id < 0).
   Cost: O(log contacts + contacts of id); after spt_contacts_update, contacts of id that were
   forgotten since still count. O(largest id + contacts) in addition for the first call after an
   spt_contacts_update_of with many ids, or after an update that failed.
   Example: of {0,1} {1,3} id 3 is removed => 1, ended {1,3}. */
SPTI_API spt_i32 spt_contacts_forget(spt_contacts *c, spt_i32 id, spt_intlist *ended);

/* Finds the ids that touch id, in ascending order, and returns their number.
   out: a list of one field, or NULL. Errors and cost: as spt_contacts_forget.
   Example: of {0,1} {1,3} {3,4} => for id 1: 2, out 0 3. */
SPTI_API spt_i32 spt_contacts_of(spt_contacts *c, spt_i32 id, spt_intlist *out);

/* 1 if a and b, in either order, touch. Any ids may be asked for.
   Cost: O(log contacts), or, after spt_contacts_update_of, O(contacts of the id that has fewer). */
SPTI_API int spt_contacts_has(const spt_contacts *c, spt_i32 a, spt_i32 b);

/* How many contacts there are. */
SPTI_API spt_i32 spt_contacts_count(const spt_contacts *c);

#ifndef SPATIAL_NO_CHECK
/* 1 if every invariant holds. O(largest id + contacts). */
SPTI_API int spt_contacts_check(const spt_contacts *c);
#endif
#endif

#ifndef SPATIAL_NO_NEIGHBOURS
/* ============================================================================================== */
/* NEIGHBOURS                                                                          >>neighbours

   Finds, among many points, all that are within a radius of each other, as flocks, crowds and
   particles need in each frame. Nothing is kept from call to call but the scratch memory. Ids are
   the indices of the points, whose coordinates may be fields of your own structs.

   Two points are neighbours if they are at most the radius apart, exactly as by spt_box_within, but
   SPT_NO_LIMIT is a radius like any other; with doubles, one above 1.35e154 reaches all. (Where
   double is float, distances below 1e-18 or above 1e18 are not told apart.)

   A plane that wraps around: if an axis has a period, points that leave the world on one side come
   back on the other. The distance along the axis is then the rounded difference, or the period less
   that difference, whichever is smaller. Each neighbour is told once, also if both ways are as
   long. Points may be anywhere if no two are further apart along the axis than the period: from 0
   to the period, to which -1e-9 plus the period may be rounded, or from -half to half of it.

   Bytes: 36 a point (44 with SPATIAL_DOUBLE) and some 300, and up to a quarter more as it grows. */

typedef struct spt_neighbours_desc {
    spt_i32 capacity; /* most points in a call; everything is allocated by init (default: grows) */
    spt_coord period_x, period_y; /* finite, >= 0: after these lengths the plane wraps (0: never) */
    spt_allocator allocator; /* (default: SPATIAL_REALLOC and SPATIAL_FREE) */
} spt_neighbours_desc;

typedef struct spt_neighbours {
    spt_neighbours_desc desc; /* of init, or zeros */
    unsigned char *block; /* all scratch memory in one piece */
    spt_i32 capacity;     /* points it serves */
} spt_neighbours;

/* Makes the scratch. bytes_for tells how much init allocates: nothing without a capacity. */
SPTI_API int spt_neighbours_init(spt_neighbours *nb, const spt_neighbours_desc *desc);
SPTI_API size_t spt_neighbours_bytes_for(const spt_neighbours_desc *desc);

/* The bytes of init for capacity n, or up to 340 more (of vectors). A constant if n is one. */
#define SPT_NEIGHBOURS_BYTES(n) ((28 + 2 * SPTI_COORD_BYTES) * (SPTI_WIDE(n) + 8) + 16)

/* Frees the memory and sets all bytes of the struct to 0. bytes tells how much is allocated. */
SPTI_API void spt_neighbours_free(spt_neighbours *nb);
SPTI_API size_t spt_neighbours_bytes(const spt_neighbours *nb);

/* Puts the neighbours of all points into ids, each pair from both sides, and two integers for each
   point into rows: where its neighbours begin in ids, and their number. Returns the number of ids.
   x, y: coordinates of the first of n points; stride: bytes from one to the next; radius: >= 0, and
   at most half of each period. rows: a list of two fields; ids: of one, or NULL to count only.
   Errors: SPT_ERR_ARGUMENT (rows is NULL or ids, then no list is changed; a point or a radius that
   is not finite; points further apart than a period), SPT_ERR_FULL (n > desc.capacity).
   Order: the same on all machines, but another where double is float, far from the least point.
   Cost: O(n + ids) while most points spread over less than 2^23 radii along each axis (2^30 with
   SPATIAL_DOUBLE, any number with SPATIAL_INT, 2^10 where double is float); a few far away cost
   nothing, unless the axis has a period. Over more, also with a radius of 0, points crowd that are
   nearer to each other than that part: two crowds 2^40 radii apart make the cost O(n * n).
   Allocates only to grow the scratch (none for as many points as before) and the lists.
   Example: struct { float x, y, speed; } birds[3] = {{0,0,9}, {3,4,9}, {9,9,9}};
            spt_neighbours_find(&nb, &birds[0].x, &birds[0].y, sizeof birds[0], 3, 5, &rows, &ids)
            => 2; one each for birds 0 and 1, none for bird 2. With desc.period_x and period_y 10:
            => 4; the way from bird 2 over both ends to bird 0 is that from (-1,-1) to (0,0). */
SPTI_API spt_i32 spt_neighbours_find(spt_neighbours *nb, const spt_coord *x, const spt_coord *y,
                                     size_t stride, spt_i32 n, spt_coord radius, spt_intlist *rows,
                                     spt_intlist *ids);

/* Finds all pairs a < b of points at most the radius apart. Errors, order and cost as above. */
SPTI_API spt_i32 spt_neighbours_pairs(spt_neighbours *nb, const spt_coord *x, const spt_coord *y,
                                      size_t stride, spt_i32 n, spt_coord radius,
                                      spt_intlist *out);
#endif

/* --- private: the terms of SPT_LINEAR_BYTES and the like, constants if n is one --------------- */

/* Returns the number of bits of n, 0 for 0. */
#define SPTI_BITS_4(n) ((n) >= 8 ? 4U : (n) >= 4 ? 3U : (n) >= 2 ? 2U : (n) >= 1 ? 1U : 0U)
#define SPTI_BITS_8(n) (SPTI_BITS_4(n) + SPTI_BITS_4((n) / 16))
#define SPTI_BITS_OF(n)                                                                            \
    (SPTI_BITS_8(n) + SPTI_BITS_8((n) / 256) + SPTI_BITS_8((n) / 65536L) +                         \
     SPTI_BITS_8((n) / 16777216L))
#define SPTI_MIN(a, b) ((a) < (b) ? (a) : (b))
#define SPTI_MAX(a, b) ((a) < (b) ? (b) : (a))
#define SPTI_WIDE(n) (0 * sizeof(char) + 0UL + (n)) /* n, unsigned, with at least 32 bits */
#define SPTI_COORD_BYTES SPTI_WIDE(sizeof(spt_coord))
#define SPTI_POINTER_BYTES SPTI_WIDE(sizeof(void *))
#ifdef SPATIAL_INT
#define SPTI_MAP_BYTES SPTI_WIDE(40)
#else
#define SPTI_MAP_BYTES (6 * SPTI_COORD_BYTES)
#endif

/* The terms of SPT_BROADPHASE_BYTES for n boxes; they repeat spti_call_init and spti_walk_init.
   LEAF: boxes of a leaf. LEVELS: levels of cells. TREES: trees within leaves. RANKED: bytes of the
   arrays that give the boxes their ranks (0 if these share the memory of the stack). WALK: bytes of
   spti_walk. RANKS: length of an array by rank of a tree with these levels. PADS: padding in a
   leaf. ROOM: boxes of a leaf, each counted once for every stripe that it is in. HITS: integers for
   hits. PAIRS_BYTES: the sum. */
#ifdef SPTI_GROWS
#define SPTI_LEAF_OF(n) ((n) < 4096 ? SPTI_MIN(n, 1024) : SPTI_MIN((n) / 4, 4096))
#define SPTI_LEVELS_OF(n) ((n) <= 1024 ? 0U : SPTI_MIN(SPTI_BITS_OF((n) / 256), 12U))
#define SPTI_TREES_OF(n) ((n) <= 64 ? 0U : SPTI_BITS_OF((n) / 64) + 3U)
#define SPTI_RANKED_OF(n)                                                                          \
    ((n) <= 64 ? 2 * (n) + 12 : 4 * SPTI_RANKS_OF(SPTI_MAX(SPTI_LEVELS_OF(n), 4U)))
#define SPTI_WALK_BYTES (32 * SPTI_POINTER_BYTES + SPTI_MAP_BYTES + 4 * SPTI_COORD_BYTES + 72)
#else
#define SPTI_LEAF_OF(n) SPTI_MIN(n, 64)
#define SPTI_LEVELS_OF(n) ((n) <= 64 ? 0U : SPTI_MIN(SPTI_BITS_OF((n) / 16), 12U))
#define SPTI_TREES_OF(n) 0U
#define SPTI_RANKED_OF(n) ((n) <= 64 ? 2 * (n) + 12 : 0)
#define SPTI_WALK_BYTES (32 * SPTI_POINTER_BYTES + SPTI_MAP_BYTES + 4 * SPTI_COORD_BYTES + 64)
#endif
#define SPTI_RANKS_OF(levels) ((SPTI_WIDE(2) << (levels)) + 1)
#if !defined(SPATIAL_NO_SIMD) && (defined(__SSE2__) || defined(_M_X64) || defined(__aarch64__) ||  \
                                  defined(__wasm_simd128__))
#define SPTI_PADS_OF(n) (SPTI_LEAF_OF(n) / 64 * 16 + 24)
#else
#define SPTI_PADS_OF(n) 0
#endif
#define SPTI_ROOM_OF(n) (SPTI_LEAF_OF(n) + SPTI_LEAF_OF(n) / 4)
#define SPTI_HITS_OF(n) (SPTI_ROOM_OF(n) + SPTI_MIN(SPTI_ROOM_OF(n), 512) + SPTI_PADS_OF(n))
#define SPTI_PAIRS_BYTES(n)                                                                        \
    (SPTI_WALK_BYTES + (n) * (4 * SPTI_COORD_BYTES + (sizeof(spt_coord) > 4 ? 8 : 4)) +            \
     SPTI_RANKED_OF(n) + 8 * SPTI_RANKS_OF(SPTI_LEVELS_OF(n)) +                                    \
     (SPTI_TREES_OF(n) + 1) * (4 * SPTI_POINTER_BYTES + SPTI_MAP_BYTES + 4 * SPTI_COORD_BYTES +    \
                               40) +                                                               \
     (SPTI_LEVELS_OF(n) + 1 + 5 * SPTI_TREES_OF(n)) * (4 * SPTI_POINTER_BYTES + 40) +              \
     264 * SPTI_TREES_OF(n) + ((n) > 64 ? 14 * (n) + 4 : 0) +                                      \
     (SPTI_ROOM_OF(n) + SPTI_PADS_OF(n)) * (4 * SPTI_COORD_BYTES + 8) + 8 * SPTI_LEAF_OF(n) +      \
     SPTI_LEAF_OF(n) / 8 + 4 * SPTI_MAX(SPTI_HITS_OF(n), 2 * SPTI_LEAF_OF(n)) + 76)

/* INDEX_BYTES: bytes of an index with capacity n and these numbers of nodes and cells. SCRATCH: the
   part of it that spt_pairs uses. In a tree with 2^bits finest cells, ROOTS: cells of the root
   node; NODES: all. CHUNKS: most in use. LINEAR_BITS: bits for so many cells. */
#ifndef SPATIAL_NO_BROADPHASE
#define SPTI_SCRATCH_BYTES(n) SPTI_PAIRS_BYTES(n)
#else
#define SPTI_SCRATCH_BYTES(n) 0
#endif
#define SPTI_ROOTS_OF(bits) (SPTI_WIDE(1) << ((bits) & 3))
#define SPTI_NODES_OF(bits) (1 + ((SPTI_WIDE(1) << (bits)) - SPTI_ROOTS_OF(bits)) / 15)
#define SPTI_CHUNKS_OF(n, cells) ((n) / 8 + SPTI_MIN(cells, n) - SPTI_MIN(cells, n) / 8 + 2)
#define SPTI_INDEX_BYTES(n, nodes, cells)                                                          \
    ((nodes) * (128 * SPTI_COORD_BYTES + 256) + 4 * (n) + 32 +                                     \
     SPTI_CHUNKS_OF(n, cells) * sizeof(spti_chunk) + SPTI_SCRATCH_BYTES(n))
#define SPTI_LINEAR_BITS(cells)                                                                    \
    (SPTI_BITS_OF(cells) < 2   ? 0U                                                                \
     : SPTI_BITS_OF(cells) < 5 ? 2U                                                                \
                               : SPTI_MIN((SPTI_BITS_OF(cells) - 1) / 2 * 2, 24U))
#define SPTI_PACKED_NODES(n)                                                                       \
    (((n) + 31) / 32 + ((n) > 32 ? ((n) + 1023) / 1024 : 0) +                                      \
     ((n) > 1024 ? ((n) + 32767) / 32768UL : 0) + ((n) > 32768UL ? ((n) >> 20) + 5 : 0))

#ifdef __cplusplus
}
#endif
#endif /* SPATIAL_H */

/* ============================================================================================== */
/* IMPLEMENTATION, in layers: a section uses only sections above it

       platform, base      compilers and SIMD; errors, memory  |  intlist  the public list
       workers             jobs for threads                    |  cells, bends  of coordinates
       geometry, casts     distances; a motion meets a box     |  filters  which elements count
       boxes, morton       public functions of one box or cell |  sort     samples, sorted keys
       kernel              many boxes against one, in vectors  |  sources  arrays or indexes
       ----------------------------------------------------------------------------------------
       broadphase = ranks, sweep, lists, scan, walk, scratch, entries, calls
       ----------------------------------------------------------------------------------------
       >>index    = pool, nodes, table, fit, squares, query, traverse, search, nearest,
                   among, shapes, verbs, moved
       ----------------------------------------------------------------------------------------
       rows, linear, loosegrid  |  quadtree  |  packed, images     its kinds: the cells of elements
       ----------------------------------------------------------------------------------------
       movers, shapemovers  stop and slide  |  check  |  contacts  |  patches, circles, neighbours

   PUBLIC stands where a section has functions of the API, PRIVATE where it has only helpers.

   Calls lead from section to section:

       insert into linear  verbs -> table -> linear (finds the cell) -> nodes (its lanes grow)
                                    table -> pool (finds a place in a chunk of the cell)
       window              query -> nodes (lanes that overlap it) -> kernel
                           query -> pool (chunks of these lanes), kernel, filters, intlist
       pairs of linear     verbs -> rows -> sweep; or, as of other kinds, verbs -> query, entries
       pairs of boxes      calls -> entries -> ranks (order of cells)
                                    entries -> walk (cell by cell) -> lists (boxes of a cell)
                                               walk -> sweep (a leaf), or scan -> sweep
                                                       sweep -> kernel, filters, intlist
       cast, nearest       nearest -> search -> nodes, squares or kernel (which may count)
                                      search -> casts or geometry (exact keys)
       neighbours          neighbours -> patches -> sort; neighbours -> circles -> geometry
       contacts            contacts -> sort, intlist

   Words that come again:
       cell, lane   a part of the world, which keeps elements; the box around those of a cell
       node         16 cells, and the lanes around them and around the nodes below them
       chunk, slot  up to eight elements that lie together; 8 times its number plus where in it
       run          elements that come together: the chunks of a cell; in packed all below a lane
       place        of a cell: its column and row; of an element or a box: its index where it lies,
                    as a slot; of a shape: a point of the plane
       hit          two places whose boxes may overlap; a bit of an element that does; spt_hit
       top          where an array that is filled like a stack is free
       entry, ref   a box of the broadphase and its id; the number of an entry
       leaf, rank   a cell whose boxes are tested against each other; a cell's number in preorder
       key          a number that compares as a distance or a time does: exact, but in spti_order */
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
/* PLATFORM - PRIVATE                                                                     >>platform

   Features of compilers and processors beyond C89. Plain C replaces those that are missing. */

/* INLINE: for short functions in inner loops. NOINLINE: never inlined. Some public functions set
   results only if they return no error, or find something: with SPATIAL_STATIC, gcc would inline
   them and, though the caller asks, warn that these may be unset. APART: private and never inlined,
   for it would take registers from the caller. SHARED: may be unused with some options, without a
   warning. */
#ifdef __GNUC__
#define SPTI_INLINE static __inline__
#define SPTI_NOINLINE __attribute__((noinline))
#define SPTI_SHARED static __attribute__((unused))
#else
#define SPTI_INLINE static
#define SPTI_NOINLINE
#define SPTI_SHARED static
#endif
#define SPTI_APART static SPTI_NOINLINE

/* SIMD: types of vectors and operations on them. A build has vectors of one width: 32 bytes where
   the compiler may use AVX2, else 16 bytes. A spti_v has SPTI_LANES coordinates, a spti_vi has
   SPTI_STEP integers, a spti_v_mask has the results of a comparison. x is a place in memory.

       all(a)              a in all lanes          where(m, a)   a where m is true, else 0
       below(x, a)         *x < a                  unless(m, a)  a where m is false, else 0
       above(x, a)         *x > a                  bits(m)       a bit a lane, 1 where m is true
       greater(a, b)       a > b                   least(v)      the least coordinate of v
       disjoint(a, b)      (a & b) == 0            min, max      of a NaN and a number the number,
       but_one(v, e, one)  v < e && v != one                     if it is the second operand

   In plain C vectors have one lane: SPTI_STEP is 1. SPTI_VECTORS is defined if longer ones have
   coordinates that are not integers. (NEON of 32-bit Arm is left out: it takes denormals for 0.) */
#if defined(SPATIAL_NO_SIMD)
#elif (defined(__SSE2__) && defined(__GNUC__) && !defined(__wasm__)) || \
    (defined(_MSC_VER) && defined(_M_X64))
/* Not with gcc on Windows, which does not align variables on the stack. */
#if defined(__AVX2__) && (defined(__POPCNT__) || defined(_MSC_VER)) && \
    (!defined(_WIN32) || defined(__clang__) || defined(_MSC_VER))
#define SPTI_AVX2
#include <immintrin.h>
typedef __m256i spti_vi;
typedef __m256d spti_vd;
typedef __m256 spti_vf;
#define SPTI_STEP 8
#define SPTI_X86(name) _mm256_##name
#define SPTI_X86_I(name) _mm256_##name##_si256
#define SPTI_X86_FLOATS(ints) _mm256_castsi256_ps(ints)
#define SPTI_X86_GREATER(a, b) SPTI_X86_V(cmp)(a, b, _CMP_GT_OQ)
#define SPTI_X86_ABOVE(x, a) SPTI_X86_V(cmp)(a, spti_v_load(x), _CMP_LT_OQ)
#define SPTI_X86_HALF(v, type) /* 16 bytes: of each two lanes the lesser */                        \
    _mm_min_##type(_mm256_cast##type##256_##type##128(v), _mm256_extractf128_##type(v, 1))
#else
#include <emmintrin.h>
typedef __m128i spti_vi;
typedef __m128d spti_vd;
typedef __m128 spti_vf;
#define SPTI_STEP 4
#define SPTI_X86(name) _mm_##name
#define SPTI_X86_I(name) _mm_##name##_si128
#define SPTI_X86_FLOATS(ints) _mm_castsi128_ps(ints)
#define SPTI_X86_GREATER(a, b) SPTI_X86_V(cmpgt)(a, b)
#define SPTI_X86_ABOVE(x, a) SPTI_X86_V(cmpnle)(spti_v_load(x), a)
#define SPTI_X86_HALF(v, type) (v)
#endif
#define spti_vi_all(a) SPTI_X86(set1_epi32)(a)
#define spti_vi_load(p) SPTI_X86_I(loadu)((const spti_vi *)(const void *)(p))
#define spti_vi_store(p, a) SPTI_X86_I(storeu)((spti_vi *)(void *)(p), a)
#define spti_vi_add(a, b) SPTI_X86(add_epi32)(a, b)
#define spti_vi_above(a, b) SPTI_X86(cmpgt_epi32)(a, b)
#define spti_vi_disjoint(a, b) SPTI_X86(cmpeq_epi32)(SPTI_X86_I(and)(a, b), spti_vi_all(0))
#define spti_vi_but_one(v, end, one)                                                               \
    SPTI_X86_I(andnot)(SPTI_X86(cmpeq_epi32)(v, one), spti_vi_above(end, v))
#define spti_vi_bits(mask) SPTI_X86(movemask_ps)(SPTI_X86_FLOATS(mask))
#if defined(SPATIAL_INT)
typedef spti_vi spti_v, spti_v_mask;
#define spti_v_all(a) spti_vi_all(a)
#define spti_v_below(x, a) spti_vi_above(a, spti_vi_load(x))
#define spti_v_above(x, a) spti_vi_above(spti_vi_load(x), a)
#define spti_v_or(a, b) SPTI_X86_I(or)(a, b)
#define spti_v_bits(mask) spti_vi_bits(mask)
#else
#define SPTI_VECTORS
#ifdef SPATIAL_DOUBLE
#define SPTI_X86_V(name) SPTI_X86(name##_pd)
typedef spti_vd spti_v, spti_v_mask;
SPTI_INLINE spt_coord spti_v_least(spti_v v)
{
    const __m128d half = SPTI_X86_HALF(v, pd);
    return _mm_cvtsd_f64(_mm_min_sd(half, _mm_unpackhi_pd(half, half)));
}
#else
#define SPTI_X86_V(name) SPTI_X86(name##_ps)
typedef spti_vf spti_v, spti_v_mask;
SPTI_INLINE spt_coord spti_v_least(spti_v v)
{
    __m128 half = SPTI_X86_HALF(v, ps);
    half = _mm_min_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_min_ss(half, _mm_shuffle_ps(half, half, 1)));
}
/* Stores spti_cell of four coordinates: of a box. A NaN becomes 0. */
#define SPTI_XYXY(x, y) _mm_setr_ps(x, y, x, y)
#define SPTI_CELLS(out, x, origin, scale, most)                                                    \
    _mm_storeu_si128(                                                                              \
        (__m128i *)(void *)(out),                                                                  \
        _mm_cvttps_epi32(_mm_min_ps(                                                               \
            _mm_max_ps(_mm_mul_ps(_mm_sub_ps(_mm_loadu_ps(x), origin), scale), _mm_setzero_ps()),  \
            most)))
#endif
#define spti_v_all(a) SPTI_X86_V(set1)(a)
#define spti_v_load(x) SPTI_X86_V(loadu)(x)
#define spti_v_store(x, a) SPTI_X86_V(storeu)(x, a)
#define spti_v_add(a, b) SPTI_X86_V(add)(a, b)
#define spti_v_sub(a, b) SPTI_X86_V(sub)(a, b)
#define spti_v_mul(a, b) SPTI_X86_V(mul)(a, b)
#define spti_v_min(a, b) SPTI_X86_V(min)(a, b)
#define spti_v_max(a, b) SPTI_X86_V(max)(a, b)
#define spti_v_greater(a, b) SPTI_X86_GREATER(a, b)
#define spti_v_below(x, a) SPTI_X86_GREATER(a, spti_v_load(x))
#define spti_v_above(x, a) SPTI_X86_ABOVE(x, a)
#define spti_v_or(a, b) SPTI_X86_V(or)(a, b)
#define spti_v_where(mask, a) SPTI_X86_V(and)(mask, a)
#define spti_v_unless(mask, a) SPTI_X86_V(andnot)(mask, a)
#define spti_v_bits(mask) SPTI_X86_V(movemask)(mask)
#endif
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(SPATIAL_DOUBLE)
#include <arm_neon.h>
typedef int32x4_t spti_vi;
typedef uint32x4_t spti_v_mask;
#define SPTI_STEP 4
#define spti_vi_all(a) vdupq_n_s32(a)
#define spti_vi_load(p) vld1q_s32(p)
#define spti_vi_store(p, a) vst1q_s32(p, a)
#define spti_vi_add(a, b) vaddq_s32(a, b)
#define spti_vi_disjoint(a, b) vceqq_s32(vandq_s32(a, b), vdupq_n_s32(0))
#define spti_vi_but_one(v, end, one) vbicq_u32(vcgtq_s32(end, v), vceqq_s32(v, one))
#define spti_vi_bits(mask) spti_v_bits(mask)
#ifdef SPATIAL_INT
typedef int32x4_t spti_v;
#define SPTI_NEON(name) name##_s32
#else
#define SPTI_VECTORS
typedef float32x4_t spti_v;
#define SPTI_NEON(name) name##_f32
#define spti_v_store(x, a) vst1q_f32(x, a)
#define spti_v_add(a, b) vaddq_f32(a, b)
#define spti_v_sub(a, b) vsubq_f32(a, b)
#define spti_v_mul(a, b) vmulq_f32(a, b)
#define spti_v_min(a, b) vminnmq_f32(a, b)
#define spti_v_max(a, b) vmaxnmq_f32(a, b)
#define spti_v_greater(a, b) vcgtq_f32(a, b)
#define spti_v_where(mask, a) vreinterpretq_f32_u32(vandq_u32(mask, vreinterpretq_u32_f32(a)))
#define spti_v_unless(mask, a) vreinterpretq_f32_u32(vbicq_u32(vreinterpretq_u32_f32(a), mask))
#define spti_v_least(v) vminnmvq_f32(v)
#endif
#define spti_v_all(a) SPTI_NEON(vdupq_n)(a)
#define spti_v_load(x) SPTI_NEON(vld1q)(x)
#define spti_v_below(x, a) SPTI_NEON(vcltq)(spti_v_load(x), a)
#define spti_v_above(x, a) SPTI_NEON(vcgtq)(spti_v_load(x), a)
#define spti_v_or(a, b) vorrq_u32(a, b)
SPTI_SHARED unsigned spti_v_bits(spti_v_mask mask)
{
    static const spt_u32 bit[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(mask, vld1q_u32(bit)));
}
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
typedef v128_t spti_v, spti_v_mask, spti_vi;
#define SPTI_STEP 4
#define spti_vi_all(a) wasm_i32x4_splat(a)
#define spti_vi_load(p) wasm_v128_load(p)
#define spti_vi_store(p, a) wasm_v128_store(p, a)
#define spti_vi_add(a, b) wasm_i32x4_add(a, b)
#define spti_vi_disjoint(a, b) wasm_i32x4_eq(wasm_v128_and(a, b), wasm_i32x4_splat(0))
#define spti_vi_but_one(v, end, one) wasm_v128_andnot(wasm_i32x4_gt(end, v), wasm_i32x4_eq(v, one))
#define spti_vi_bits(mask) wasm_i32x4_bitmask(mask)
#if defined(SPATIAL_INT)
#define SPTI_WASM(name) wasm_i32x4_##name
#define spti_v_bits(mask) wasm_i32x4_bitmask(mask)
#else
#define SPTI_VECTORS
#ifdef SPATIAL_DOUBLE
#define SPTI_WASM(name) wasm_f64x2_##name
#define spti_v_bits(mask) wasm_i64x2_bitmask(mask)
#define SPTI_WASM_LEAST(v) wasm_f64x2_pmin(v, wasm_i64x2_shuffle(v, v, 1, 0))
#else
#define SPTI_WASM(name) wasm_f32x4_##name
#define spti_v_bits(mask) wasm_i32x4_bitmask(mask)
#define SPTI_WASM_LEAST2(v) wasm_f32x4_pmin(v, wasm_i32x4_shuffle(v, v, 1, 0, 3, 2))
#define SPTI_WASM_LEAST(v)                                                                         \
    SPTI_WASM_LEAST2(wasm_f32x4_pmin(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1)))
#define SPTI_XYXY(x, y) wasm_f32x4_make(x, y, x, y)
#define SPTI_CELLS(out, x, origin, scale, most)                                                    \
    wasm_v128_store(out, wasm_i32x4_trunc_sat_f32x4(spti_v_min(                                    \
        spti_v_max(spti_v_mul(spti_v_sub(spti_v_load(x), origin), scale), spti_v_all(0)), most)))
#endif
#define spti_v_store(x, a) wasm_v128_store(x, a)
#define spti_v_add(a, b) SPTI_WASM(add)(a, b)
#define spti_v_sub(a, b) SPTI_WASM(sub)(a, b)
#define spti_v_mul(a, b) SPTI_WASM(mul)(a, b)
#define spti_v_min(a, b) SPTI_WASM(pmin)(b, a) /* swapped, for NaNs */
#define spti_v_max(a, b) SPTI_WASM(pmax)(b, a)
#define spti_v_greater(a, b) SPTI_WASM(gt)(a, b)
#define spti_v_where(mask, a) wasm_v128_and(mask, a)
#define spti_v_unless(mask, a) wasm_v128_andnot(a, mask)
#define spti_v_least(v) SPTI_WASM(extract_lane)(SPTI_WASM_LEAST(v), 0)
#endif
#define spti_v_all(a) SPTI_WASM(splat)(a)
#define spti_v_load(x) wasm_v128_load(x)
#define spti_v_below(x, a) SPTI_WASM(lt)(wasm_v128_load(x), a)
#define spti_v_above(x, a) SPTI_WASM(gt)(wasm_v128_load(x), a)
#define spti_v_or(a, b) wasm_v128_or(a, b)
#endif

#ifndef SPTI_STEP
#define SPTI_STEP 1
typedef spt_coord spti_v;
typedef spt_i32 spti_vi;
typedef unsigned spti_v_mask;
#define spti_v_all(a) (a)
#define spti_v_below(x, a) ((spti_v_mask)(*(x) < (a)))
#define spti_v_above(x, a) ((spti_v_mask)(*(x) > (a)))
#define spti_v_or(a, b) ((a) | (b))
#define spti_v_bits(mask) (mask)
#define spti_vi_all(a) (a)
#define spti_vi_load(p) (*(p))
#define spti_vi_add(a, b) ((a) + (b))
#define spti_vi_disjoint(a, b) (((a) & (b)) == 0)
#define spti_vi_but_one(v, end, one) ((v) < (end) && (v) != (one))
#define spti_vi_bits(mask) (mask)
#endif

/* Without C's library gcc must not turn loops that clear or copy memory into calls of memset and
   memcpy. The pragma is undone at the end of the implementation. */
#if defined(SPATIAL_NO_STDLIB) && defined(__GNUC__) && __GNUC__ > 4 && !defined(__clang__)
#define SPTI_NO_MEMSET
#pragma GCC push_options
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

/* Prefetches memory that is read soon, at an address that the processor cannot predict. Not on Arm
   microcontrollers (profile M, 77), whose memory has little latency. */
#if defined(__GNUC__) && INT_MAX >= 2147483647L && \
    !(defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 77)
#define SPTI_CAN_PREFETCH
/* The asm counts as a side effect: without one gcc drops calls of functions that only prefetch. */
#define SPTI_PREFETCH(p)                                                                           \
    do {                                                                                           \
        __builtin_prefetch(p);                                                                     \
        __asm__ volatile("");                                                                      \
    } while (0)
#elif defined(_MM_HINT_T0)
#define SPTI_CAN_PREFETCH
#define SPTI_PREFETCH(p) _mm_prefetch((const char *)(const void *)(p), _MM_HINT_T0)
#else
#define SPTI_PREFETCH(p) ((void)(p))
#endif

/* Refuses to compile where `condition` is false. (An array of negative size, because compilers
   without _Static_assert are among the targets, and one of them refuses the ?: form.) */
#define SPTI_STATIC_ASSERT(name, condition) typedef char spti_##name[1 - 2 * !(condition)]

#ifndef SPTI_I32_MAX /* tests set these limits */
#define SPTI_I32_MAX ((spt_i32)2147483647L)
#define SPTI_SIZE_MAX ((size_t)-1)
#define SPTI_ID ((spt_i32)0x1FFFFFFFL) /* the largest id; see SPTI_BEFORE_X */
#define SPTI_NODES_MOST ((spt_i32)1 << 22) /* of 16 cells, whose numbers have 26 bits */
#endif

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
/* TYPES, ERRORS, BOXES, ALLOCATORS - PUBLIC                                               >>base

   The types in which coordinates are computed, errors by name, boxes, memory: allocators, sizes
   that may not fit, and pieces of one block. */

#ifdef SPATIAL_DOUBLE
#define SPTI_COORD_MAX DBL_MAX
#define SPTI_DENORMAL (DBL_MIN * DBL_EPSILON) /* the smallest number above 0 */
#define SPTI_ROUNDING (1 / 70368744177664.0) /* bounds the relative rounding error of a few */
#define SPTI_TINY 1e-300 /* operations, and this the absolute error of results next to 0 */
#define SPTI_LARGE 1e70  /* products of four of some of these are finite */
#define SPTI_LEAST 2.913414348125081e-157 /* 2^-520; no coordinate divided by it overflows */
#elif !defined(SPATIAL_INT)
#define SPTI_COORD_MAX 3.4028234663852886e+38F /* FLT_MAX; not every <float.h> here is C89 */
#define SPTI_DENORMAL 1.4012984643248171e-45F
#define SPTI_ROUNDING (1 / 1048576.0F) /* a power of 2, for exact products */
#define SPTI_TINY 1e-36F
#define SPTI_LARGE 1e8F
#define SPTI_LEAST 1.3234889800848443e-23F /* 2^-76 */
#endif

#if defined(SPATIAL_INT) || defined(__SDCC) || defined(_M_X64) || defined(_M_ARM64) ||             \
    (defined(__FLT_EVAL_METHOD__) && (__FLT_EVAL_METHOD__ == 0 || __FLT_EVAL_METHOD__ == 16)) ||   \
    (!defined(__FLT_EVAL_METHOD__) && defined(__x86_64__))
typedef spti_dist spti_stored;
#define SPTI_ROUNDED(x) (x)
#else
#define SPTI_EXCESS /* the processor may compute with more bits than it stores; */
typedef volatile spti_dist spti_stored; /* a store to volatile memory rounds */
#define SPTI_ROUNDED(x) spti_rounded(x)
SPTI_SHARED spti_dist spti_rounded(spti_dist x)
{
    spti_stored y = x;
    return y;
}
#endif

/* A product or quotient that is rounded on every target: no compiler fuses it with a sum (FMA). */
typedef volatile spti_dist spti_product;

#define SPTI_DIST(a, b) SPTI_ROUNDED((spti_dist)(a) - (spti_dist)(b))

typedef unsigned short spti_u16; /* 16 bits or more */

SPTI_API const char *spt_error_string(spt_i32 error)
{
    static const char *const names[] = {
        "ok",
        "argument out of range: see the function's comment",
        "out of memory",
        "full: more than desc.capacity",
        "id negative, above the limits, or not there",
        "no image, cut off, or of another version, byte order or type of coordinates",
        "id already there",
        "pair not a < b (of two sets?), or given twice",
        "box with min > max or a NaN: see spt_box_valid",
        "list with wrong fields: make it with 1 for ids, 2 for pairs",
        "filter: categories or a mask alone, except_count, or a relation without a window",
        "not initialised: call init first, and test what it returns",
        "not for this kind of index, or a copy between two kinds",
        "more than 2^31 - 1 results, or integers in a list",
        "pairs left out: SPATIAL_NO_BROADPHASE or desc.no_pairs"};
    if (error > SPT_OK) return names[0];
    if (error >= SPT_ERR_LEFT_OUT) return names[-error];
    return "unknown error";
}

SPTI_API const char *spt_version(void)
{
    return SPT_VERSION;
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

/* Number of bits of v: 0 => 0, 1 => 1, 6 => 3. */
SPTI_SHARED int spti_bits(spt_u32 v)
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

/* Position of the lowest bit that is set; there is one. */
SPTI_SHARED int spti_low_bit(spt_u32 v)
{
#if defined(__GNUC__) && INT_MAX >= 2147483647
    return __builtin_ctz((unsigned)v);
#else
    return spti_bits(v & (~v + 1)) - 1;
#endif
}

SPTI_SHARED spt_coord spti_lowest(void)
{
#ifdef SPATIAL_INT
    return -SPTI_I32_MAX - 1;
#else
    /* Minus infinity by its bits: C89 has no name for it, and an overflow might trap. */
    static const union { spt_u32 bits; float number; } lowest = {0xFF800000UL};
    return (spt_coord)lowest.number;
#endif
}

SPTI_SHARED spt_coord spti_highest(void)
{
#ifdef SPATIAL_INT
    return SPTI_I32_MAX;
#else
    return -spti_lowest();
#endif
}

/* 1 if box b lies within box a. */
SPTI_SHARED int spti_box_holds(const spt_box *a, const spt_box *b)
{
    return (a->min_x <= b->min_x) & (a->min_y <= b->min_y) & (a->max_x >= b->max_x) &
           (a->max_y >= b->max_y);
}

/* Sets box to one around nothing, which spti_box_add can widen. */
SPTI_SHARED void spti_box_clear(spt_box *box)
{
    box->min_x = box->min_y = spti_highest();
    box->max_x = box->max_y = spti_lowest();
}

/* Widens a box so that it holds b, too. */
SPTI_SHARED void spti_box_add(spt_box *a, const spt_box *b)
{
    a->min_x = b->min_x < a->min_x ? b->min_x : a->min_x; /* ?: compiles to no branch */
    a->min_y = b->min_y < a->min_y ? b->min_y : a->min_y;
    a->max_x = b->max_x > a->max_x ? b->max_x : a->max_x;
    a->max_y = b->max_y > a->max_y ? b->max_y : a->max_y;
}

/* --- memory ----------------------------------------------------------------------------------- */

/* Sizes of pieces of memory are multiples of the size of this, so that all pieces are aligned. */
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

static void *spti_arena_resize(void *ctx, void *old, size_t old_size, size_t new_size) SPT_CALLBACK
{
    spt_arena *arena = (spt_arena *)ctx;
    size_t unit = sizeof(spti_aligned), start = arena->used, size;
    unsigned char *piece;
    if (new_size > SPTI_SIZE_MAX - unit) return NULL;
    size = new_size + unit - 1 - (new_size + unit - 1) % unit;
    old_size = old_size + unit - 1 - (old_size + unit - 1) % unit;
    if (old && arena->base + start - old_size == (unsigned char *)old) start -= old_size;
    piece = arena->base + start;
    if (size > arena->size - start) return NULL;
    if (old && piece != (unsigned char *)old)
        spti_copy(piece, old, SPTI_MIN(old_size, size));
    arena->used = start + size;
    return new_size > 0 ? piece : NULL;
}

SPTI_API void spt_arena_init(spt_arena *arena, void *buffer, size_t size, spt_allocator *allocator)
{
    size_t unit = sizeof(spti_aligned);
    size_t skip = (unit - (size_t)buffer % unit) % unit;
    skip = SPTI_MIN(skip, size);
    arena->base = (unsigned char *)buffer + skip;
    arena->size = size - skip;
    arena->used = 0;
    allocator->resize = spti_arena_resize;
    allocator->ctx = arena;
}

/* count * size bytes, rounded up to the alignment, or 0 if no object can be as large. */
SPTI_SHARED size_t spti_bytes(spt_u32 count, size_t size)
{
    size_t n = (size_t)count;
    if ((spt_u32)n != count || n > (SPTI_SIZE_MAX / 2 - sizeof(spti_aligned)) / size) return 0;
    n = n * size + sizeof(spti_aligned) - 1;
    return n - n % sizeof(spti_aligned);
}

SPTI_SHARED void spti_zero(void *p, size_t bytes)
{
    unsigned char *b = (unsigned char *)p;
    while (bytes-- > 0) *b++ = 0;
}

/* Returns NULL also if new_size is 0, as spti_bytes returns it for sizes that are too large. */
SPTI_SHARED void *spti_resize(const spt_allocator *a, void *old, size_t old_size, size_t new_size)
{
    if (new_size == 0) return NULL;
    if (a->resize) return a->resize(a->ctx, old, old_size, new_size);
    return SPATIAL_REALLOC(old, new_size);
}

SPTI_SHARED void spti_free(const spt_allocator *a, void *p, size_t size)
{
    if (p && a->resize) (void)a->resize(a->ctx, p, size, 0);
    if (p && !a->resize) SPATIAL_FREE(p);
}

/* Makes room for `count` things of `size` bytes, and for twice *room of them at least; allocates
   only if *bytes are too few. Returns the block; or NULL, and the old one stays. */
SPTI_SHARED void *spti_enlarge(const spt_allocator *a, void *old, size_t *bytes, spt_i32 *room,
                               spt_i32 count, size_t size)
{
    size_t needed;
    count = SPTI_MAX(count, 2 * *room);
    needed = spti_bytes((spt_u32)count, size);
    if (needed == 0 || needed > *bytes) {
        old = spti_resize(a, old, *bytes, needed);
        if (old) *bytes = needed;
    }
    if (old) *room = count;
    return old;
}

/* Returns a block of at least `size` bytes: the old one if its *bytes are enough, else a new one
   without the old contents; or NULL, and the old one stays. */
SPTI_SHARED void *spti_renew(const spt_allocator *a, void *old, size_t *bytes, size_t size)
{
    void *block;
    if (size > 0 && size <= *bytes) return old;
    block = spti_resize(a, NULL, 0, size);
    if (!block) return NULL;
    spti_free(a, old, *bytes);
    *bytes = size;
    return block;
}

/* Returns the next piece of the block, for `count` things of `size` bytes, and adds its bytes to
   *used, which becomes SPTI_SIZE_MAX if the sum does not fit. block: NULL to add up sizes only. */
SPTI_SHARED void *spti_piece(unsigned char *block, size_t *used, spt_u32 count, size_t size)
{
    size_t bytes = spti_bytes(count, size), at = *used;
    int fits = (bytes > 0 || count == 0) && bytes < SPTI_SIZE_MAX - at;
    *used = fits ? at + bytes : SPTI_SIZE_MAX;
    return block ? block + at : NULL;
}

#define SPTI_PIECE(block, used, count, type)                                                       \
    ((type *)spti_piece(block, used, (spt_u32)(count), sizeof(type)))

/* ============================================================================================== */
/* INT LIST - PUBLIC                                                                    >>intlist

   One array of integers; record i begins at i * fields. Erased records are chained through their
   first integer, the last erased first; free_head is where the chain begins:

       fields 2:   | 7 1 | -1 . | 3 3 | 1 . |     free_head = 3, then 1, then none
                     0      1     2     3

   The inline room serves until a record does not fit; data stays NULL till then, so that a copy of
   the struct never points into the old one. Memory doubles; free goes back to the inline room. */

static spt_i32 *spti_list_data(spt_intlist *list)
{
    return list->data ? list->data : list->room;
}

/* Returns the bytes to allocate for these records, which do not fit inline; 0: too many. */
static size_t spti_list_bytes(spt_i32 fields, spt_i32 records)
{
    if (records > SPTI_I32_MAX / fields) return 0;
    return spti_bytes((spt_u32)(records * fields), sizeof(spt_i32));
}

/* Returns the error of a list that got no room for `more` records: too many, or no memory. */
SPTI_SHARED int spti_list_error(const spt_intlist *list, spt_i32 more)
{
    return more > SPTI_I32_MAX / list->fields - list->count ? SPT_ERR_COUNT : SPT_ERR_MEMORY;
}

static void spti_record_copy(spt_i32 *to, const spt_i32 *from, spt_i32 fields)
{
    spt_i32 i;
    for (i = 0; i < fields; i++) to[i] = from ? from[i] : 0;
}

/* Allocates room for these records, more than the capacity. */
static int spti_list_grow(spt_intlist *list, spt_i32 records)
{
    size_t bytes = spti_list_bytes(list->fields, records);
    spt_i32 *data;
    if (bytes == 0) return spti_list_error(list, records - list->count);
    data = (spt_i32 *)spti_resize(&list->allocator, list->data, spt_intlist_bytes(list), bytes);
    if (!data) return SPT_ERR_MEMORY;
    if (!list->data)
        spti_copy(data, list->room, (size_t)(list->count * list->fields) * sizeof *data);
    list->data = data;
    list->capacity = records;
    return SPT_OK;
}

/* Makes room for `more` records at the end; returns where they begin, or NULL. */
static spt_i32 *spti_list_room(spt_intlist *list, spt_i32 more)
{
    spt_i32 records = list->capacity, most = SPTI_I32_MAX / list->fields;
    if (more > records - list->count) {
        if (more > most - list->count) return NULL;
        records = SPTI_MAX(records < most / 2 ? 2 * records : most, list->count + more);
        if (spti_list_grow(list, records) != SPT_OK) return NULL;
    }
    return spti_list_data(list) + list->count * list->fields;
}

/* Empties a list of results, if there is one. Returns an error if it has other fields. */
SPTI_SHARED int spti_list_begin(spt_intlist *list, spt_i32 fields)
{
    if (list) spt_intlist_clear(list);
    return !list || list->fields == fields ? SPT_OK : SPT_ERR_LIST;
}

/* Sets a pair to two ids, the lower one first. */
SPTI_SHARED void spti_pair_set(spt_i32 *pair, spt_i32 a, spt_i32 b)
{
    pair[0] = SPTI_MIN(a, b), pair[1] = SPTI_MAX(a, b);
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
    spt_allocator allocator;
    allocator = list->allocator; /* two steps for sdcc */
    spti_free(&allocator, list->data, spt_intlist_bytes(list));
    (void)spt_intlist_init_with(list, list->fields, &allocator);
}

SPTI_API void spt_intlist_clear(spt_intlist *list)
{
    list->count = 0;
    list->free_head = SPT_NONE;
}

SPTI_API int spt_intlist_truncate(spt_intlist *list, spt_i32 records)
{
    if (list->fields < 1) return SPT_ERR_INIT;
    if (records < 0 || records > list->count) return SPT_ERR_ARGUMENT;
    SPATIAL_ASSERT(list->free_head == SPT_NONE);
    list->count = records;
    return SPT_OK;
}

SPTI_API int spt_intlist_reserve(spt_intlist *list, spt_i32 records)
{
    if (list->fields < 1) return SPT_ERR_INIT;
    if (records < 0) return SPT_ERR_ARGUMENT;
    return records <= list->capacity ? SPT_OK : spti_list_grow(list, records);
}

SPTI_API spt_i32 spt_intlist_push(spt_intlist *list, const spt_i32 *record)
{
    spt_i32 *place;
    if (list->fields < 1) return SPT_ERR_INIT;
    SPATIAL_ASSERT(list->free_head == SPT_NONE); /* a free list is no stack */
    place = spti_list_room(list, (spt_i32)1);
    if (!place) return spti_list_error(list, (spt_i32)1);
    spti_record_copy(place, record, list->fields);
    return list->count++;
}

SPTI_API int spt_intlist_pop(spt_intlist *list, spt_i32 *record)
{
    if (list->fields < 1) return SPT_ERR_INIT;
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
    if (index == SPT_NONE || list->fields < 1) return spt_intlist_push(list, record);
    place = spti_list_data(list) + index * list->fields;
    list->free_head = place[0];
    spti_record_copy(place, record, list->fields);
    return index;
}

SPTI_API int spt_intlist_erase(spt_intlist *list, spt_i32 index)
{
    if (list->fields < 1) return SPT_ERR_INIT;
    if (index < 0 || index >= list->count) return SPT_ERR_ID;
    spti_list_data(list)[index * list->fields] = list->free_head;
    list->free_head = index;
    return SPT_OK;
}

/* Inlined, it would make gcc warn of index -1 in arrays that a program indexes by its result. */
SPTI_API SPTI_NOINLINE spt_i32 spt_intlist_get(const spt_intlist *list, spt_i32 index,
                                               spt_i32 field)
{
    if (index < 0 || index >= list->count || field < 0 || field >= list->fields) return SPT_NONE;
    return spt_intlist_data(list)[index * list->fields + field];
}

SPTI_API int spt_intlist_set(spt_intlist *list, spt_i32 index, spt_i32 field, spt_i32 value)
{
    if (list->fields < 1) return SPT_ERR_INIT;
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

#ifndef SPATIAL_NO_CHECK
SPTI_API int spt_intlist_check(const spt_intlist *list)
{
    spt_i32 i = list->free_head, steps = 0;
    if (list->fields < 1 || list->count < 0 || list->count > list->capacity) return 0;
    while (i != SPT_NONE) {
        if (i < 0 || i >= list->count || ++steps > list->count) return 0; /* astray, or a ring */
        i = spt_intlist_get(list, i, (spt_i32)0);
    }
    return 1;
}
#endif

#ifdef SPTI_GROWS
/* ============================================================================================== */
/* WORKERS - PRIVATE                                                                       >>workers

   A job goes in, which finds the results of one part of a call. A list comes out, with the results
   of all parts in order, whichever worker found which. There are up to eight parts for each worker,
   so that a worker that is done early takes another one. A part needs neither a lock nor more
   memory: it stores its results in its worker's share of the upper three fifths of the list.

       find    list   |                   | worker 0: parts 0, 3 | worker 1: parts 1, 2 |
       join    list   | 0 | 1 | 2 | 3 |   |

   When all numbers of results are known, so is where each part belongs, and the same jobs run again
   to copy the results there. If the share of a worker is full, further parts are only counted, and
   found again in the second step, directly in their places. To make this rare, a list that grows
   gets room for three times the results. */

#define SPTI_PARTS 256    /* parts, and workers, at most */
#define SPTI_PARTS_EACH 8 /* parts for each worker */
#ifndef SPTI_WORTH        /* tests set it */
#define SPTI_WORTH 8192   /* boxes that are worth more than one thread */
#endif

typedef struct spti_portion { /* the results of a part: records of the list */
    spt_i32 count;
    spt_i32 from;          /* where they are stored; SPT_NONE: there was no room */
    spt_i32 at;            /* where they belong */
} spti_portion;

typedef struct spti_team { /* the workers of a call */
    const spt_workers *workers;
    int parts;
    int joining;           /* 1: this is the second step */
    spt_intlist *out;      /* NULL: results are only counted */
    spt_i32 base, share;   /* worker k stores from record base + k * share on */
    spt_i32 used[SPTI_PARTS]; /* by worker: records used of its share */
    spti_portion part[SPTI_PARTS];
} spti_team;

/* Number of workers for n things; 1: the calling thread alone. */
SPTI_SHARED int spti_workers_for(const spt_workers *workers, spt_i32 n)
{
    const int count = workers->count;
    return n < SPTI_WORTH || count < 2 || count > SPTI_PARTS || !workers->run ? 1 : count;
}

/* Begins a part, in a job. Returns 1 if its results are to be found: then *to is `list`, which has
   the room, or NULL if they are only counted. In the second step copies the results; returns 0. */
SPTI_SHARED int spti_part_begin(spti_team *t, int i, int worker, spt_intlist *list,
                                spt_intlist **to)
{
    spti_portion *part = &t->part[i];
    spt_i32 *data;
    SPATIAL_ASSERT(worker >= 0 && worker < t->workers->count);
    *to = NULL;
    if (!t->out) return 1;
    data = spti_list_data(t->out);
    if (t->joining && part->from != SPT_NONE) {
        spti_copy(data + 2 * (size_t)part->at, data + 2 * (size_t)part->from,
                  2 * (size_t)part->count * sizeof *data);
        return 0;
    }
    if (!t->joining) part->from = t->base + worker * t->share + t->used[worker];
    list->fields = 2;
    list->data = data + 2 * (size_t)(t->joining ? part->at : part->from);
    list->capacity = t->joining ? part->count : t->share - t->used[worker];
    *to = list;
    return 1;
}

/* Ends a part, in a job: notes its number of results, or its error, and whether they are stored. */
SPTI_SHARED void spti_part_end(spti_team *t, int i, int worker, const spt_intlist *list,
                               spt_i32 count)
{
    spti_portion *part = &t->part[i];
    SPATIAL_ASSERT(!t->joining || count == part->count);
    if (t->joining) return;
    part->count = count;
    if (!list || count < 0 || count > list->capacity) part->from = SPT_NONE;
    else t->used[worker] += count;
}

/* Finds the results of all parts. Returns their number, or an error. */
SPTI_SHARED spt_i32 spti_team_find(spti_team *t, spt_job_fn job, void *arg, spt_intlist *out)
{
    const spt_i32 *old; /* NULL: the inline room */
    const spt_i32 capacity = out ? out->capacity : 0;
    spt_i32 total = 0;
    int i, found = 1;
    t->out = out;
    t->joining = 0;
    /* The first t->base records are for joined results, and each worker has a share of the rest. */
    t->base = capacity / 5 * 2;
    t->share = (capacity - t->base) / t->workers->count;
    for (i = 0; i < t->workers->count; i++) t->used[i] = 0;
    t->workers->run(t->workers->ctx, job, arg, t->parts);
    for (i = 0; i < t->parts; i++) {
        if (t->part[i].count < 0) return t->part[i].count;
        if (t->part[i].count > SPTI_I32_MAX - total) return SPT_ERR_COUNT;
        t->part[i].at = total;
        total += t->part[i].count;
        found &= t->part[i].from != SPT_NONE;
    }
    if (!out) return total;
    old = out->data;
    if ((!found || total > t->base) && total < SPTI_I32_MAX / 3)
        (void)spt_intlist_reserve(out, 3 * total);
    i = spt_intlist_reserve(out, total);
    if (i) return i;
    /* Stored results are lost if joined ones reach their places, or if the list has just left its
       inline room, of which only the old records were copied. */
    if (total > t->base || (!old && out->data))
        for (i = 0; i < t->parts; i++) t->part[i].from = SPT_NONE;
    out->count = total;
    t->joining = 1;
    t->workers->run(t->workers->ctx, job, arg, t->parts);
    return total;
}

/* 1 if n more results do not fit the list of a walk, which belongs to a part and must not grow. */
#define SPTI_LIMITED(to, n) ((to)->limited && (n) > (to)->out->capacity - (to)->out->count)
#else
#define SPTI_LIMITED(to, n) 0
#endif

#ifdef SPTI_BOXES
/* ============================================================================================== */
/* CELLS - PRIVATE                                                                           >>cells

   A coordinate goes in, and the number of a cell along its axis comes out. Coordinates beyond the
   cells fall in the outermost ones:

       x          -inf ... | origin |      |      |      | ...  +inf
       cell              0      0      1      2      3      3

   Boxes that overlap must have ranges of cells that overlap. They do if the map is monotone, and
   always gives a coordinate the same cell, however it rounds. So an even map, whose cells have one
   size, is a subtraction and then a multiplication, which no compiler fuses, and between them a
   store for processors that compute with more bits than they store (x87, m68881). */

/* Lays cells 0 .. 2^levels-1 over [origin, origin + extent]. levels: 0 .. 16. (Not inlined:
   a compiler that knows the last cell moves the conversion in spti_cell before the comparison.) */
SPTI_APART void spti_axis_init(spti_axis *axis, spt_coord origin, spti_dist extent, int levels)
{
#ifdef SPATIAL_INT
    /* ((x - origin) >> drop) * scale cannot overflow: it is the distance from origin in 2^32ths of
       the extent. Its upper `levels` bits are the cell. */
    if (levels == 0) levels = 1, extent = 0; /* for a shift by 32 is not defined */
    axis->extent = extent, axis->levels = levels;
    axis->drop = spti_bits(extent >> 16);
    axis->scale = 0xFFFFFFFFUL / ((extent >> axis->drop) + 1);
#else
    /* With no extent the scale is 0; then all coordinates, also the infinite ones, whose product
       with 0 is a NaN, fall in cell 0. No cell is smaller than SPTI_LEAST. */
    spt_coord cells = (spt_coord)((spt_u32)1 << levels);
    axis->last = cells - 1;
    axis->scale = extent > 0 ? SPTI_ROUNDED(cells / SPTI_MAX(extent, cells * SPTI_LEAST)) : 0;
#endif
    axis->origin = origin;
}

SPTI_SHARED spt_u32 spti_cell(const spti_axis *axis, spt_coord x)
{
#ifdef SPATIAL_INT
    const spt_u32 t = x > axis->origin ? SPTI_DIST(x, axis->origin) : 0;
    return ((SPTI_MIN(t, axis->extent) >> axis->drop) * axis->scale) >> (32 - axis->levels);
#else
    spti_stored t = x - axis->origin;
    spt_coord cell = 0; /* a NaN keeps it; pcc gets !(t > 0) wrong for NaNs */
    t *= axis->scale;
    if (t > 0) cell = t;
    cell = cell < axis->last ? cell : axis->last; /* before a conversion, which might be invalid */
    return (spt_u32)(spt_i32)cell;
#endif
}

/* The finest cells that a box reaches into: columns x0 .. x1, rows y0 .. y1. Also an array of 4. */
typedef struct spti_cells {
    spt_u32 x0, y0, x1, y1;
} spti_cells;

SPTI_SHARED void spti_cells_of(const spti_map *map, const spt_box *box, spti_cells *out)
{
#ifdef SPTI_CELLS
    const spti_axis *x = &map->x, *y = &map->y;
    SPTI_CELLS(out, &box->min_x, SPTI_XYXY(x->origin, y->origin), SPTI_XYXY(x->scale, y->scale),
               SPTI_XYXY(x->last, y->last));
#else
    out->x0 = spti_cell(&map->x, box->min_x);
    out->y0 = spti_cell(&map->y, box->min_y);
    out->x1 = spti_cell(&map->x, box->max_x);
    out->y1 = spti_cell(&map->y, box->max_y);
#endif
}

/* 1 if a world of these bounds can be divided into cells. */
SPTI_SHARED int spti_bounds_valid(const spt_box *b)
{
#ifdef SPATIAL_INT
    return b->min_x < b->max_x && b->min_y < b->max_y;
#else
    spti_stored width = b->max_x - b->min_x, height = b->max_y - b->min_y;
    return width > 0 && width <= SPTI_COORD_MAX && height > 0 && height <= SPTI_COORD_MAX;
#endif
}

/* Lays 2^levels_x by 2^levels_y cells over these bounds. */
SPTI_SHARED void spti_map_init(spti_map *map, const spt_box *b, int levels_x, int levels_y)
{
    spti_axis_init(&map->x, b->min_x, SPTI_DIST(b->max_x, b->min_x), levels_x);
    spti_axis_init(&map->y, b->min_y, SPTI_DIST(b->max_y, b->min_y), levels_y);
}

#ifdef SPTI_FIT
/* ============================================================================================== */
/* BENDS - PRIVATE                                                                           >>bends

   A bent map is for elements that crowd: between knots, each axis has eight pieces, and each piece
   has its own part of 65536 cells, here as much as 1, 3 and 2. How many lie below a coordinate is
   added up, piece by piece. Each term is monotone, so is the sum:

       knots      |           |       |                       |
       cells      |     0     |1 |2 |3|     4     |     5     |

   The knots are quantiles of a sample of the elements: see >>fit. (Equi-depth histograms:
   G. Piatetsky-Shapiro, C. Connell, 1984.) */

#define SPTI_FIT_FEW 44 /* of fewer elements a map is not bent; of more, at least 44 are sampled */
#ifdef SPTI_GROWS
#define SPTI_FIT_SAMPLE 256
#else
#define SPTI_FIT_SAMPLE SPTI_FIT_FEW /* with more a frame would have over 256 bytes on an AVR */
#endif
#define SPTI_BENDS (SPTI_FIT_SAMPLE > SPTI_FIT_FEW) /* 0: none is bent, the sums would take long */

/* Finds the cells of a box among the 2^(levels + skew) by 2^(levels - skew) of a bent map: adds up
   how many of 65536 cells the pieces have below a coordinate, without a search or a branch. */
SPTI_APART void spti_bend_cells(const spti_bend *b, int levels, int skew, const spt_box *box,
                                spti_cells *out)
{
    const spt_coord *x = (const spt_coord *)(const void *)box;
    spt_u32 *cells = (spt_u32 *)(void *)out;
    spti_stored sum[4] = {0, 0, 0, 0}, along;
    int i, k;
    for (i = 0; i < SPTI_PIECES; i++)
        for (k = 0; k < 4; k++) { /* compilers make vectors of it */
            const spt_coord low = b->knots[i][k & 1], high = b->knots[i + 1][k & 1];
            const spt_coord most = x[k] < high ? x[k] : high, at = most > low ? most : low;
            const spti_dist rate = b->rates[i][k & 1];
            along = SPTI_DIST(at, low);
#ifdef SPATIAL_INT /* in 65536ths of a cell; the shift in a rate: see spti_bend_init */
            sum[k] += (along >> (rate & 31)) * (rate & ~(spt_u32)31);
#else
            along *= rate;
            sum[k] += along > 0 ? along : 0; /* so no compiler fuses product and sum */
#endif
        }
    for (k = 0; k < 4; k++) {
#ifdef SPATIAL_INT
        const spt_u32 cell = sum[k] >> 16;
#else
        const spt_u32 cell = (spt_u32)(spt_i32)(sum[k] < 65535 ? sum[k] : 65535);
#endif
        cells[k] = cell >> (16 - levels + (k & 1 ? skew : -skew));
    }
}

/* Returns how many of 65536 cells lie in a if one of 2^levels cells is as wide as b: a / b times
   2^(16 - levels), but at most 65535, also if b is 0. */
static spt_u32 spti_ratio(spti_dist a, spti_dist b, int levels)
{
#ifdef SPATIAL_INT
    const int drop = spti_bits((a | b) >> 16);
    const spt_u32 ratio = b >> drop ? ((a >> drop) << (16 - levels)) / (b >> drop) : 65535;
#else
    spti_stored ratio = 65535;
    if (b > a / 65536) ratio = a / b * (spt_coord)((spt_u32)65536 >> levels);
#endif
    return ratio < 65535 ? (spt_u32)ratio : 65535;
}

/* Returns how many of 65536 cells piece i gets along axis k: 3/4 of them are shared alike by the
   pieces, 1/4 by width: *ratio gets the part of the extent that it has, in 65536ths. But none of
   2^levels cells is narrower there than a typical box of the piece, whose size is in b->rates. */
static spt_u32 spti_bend_share(const spti_bend *b, int i, int k, int levels, spt_u32 *ratio)
{
    const spti_dist width = SPTI_DIST(b->knots[i + 1][k], b->knots[i][k]);
    const spt_u32 most = width > 0 ? spti_ratio(width, b->rates[i][k], levels) : 0;
    *ratio = spti_ratio(width, SPTI_DIST(b->knots[SPTI_PIECES][k], b->knots[0][k]), 0);
    return SPTI_MIN(49152 / SPTI_PIECES + *ratio / 4, most);
}

/* Bends the map if an inner piece can have cells and has less than `narrow` 65536ths of the extent;
   else sets the levels to 0. Bent, it gets rates in place of the sizes of boxes, and a skew: where
   less than half of the rows can be used, but at least half of the columns, rows become columns;
   or the other way. levels: 0: it stays even. skews: the most that the skew may be. */
static void spti_bend_init(spti_bend *b, int levels, int skews, spt_u32 narrow)
{
    spt_u32 ratio, share, used[2] = {0, 0};
    int i, k;
    b->levels = b->skew = 0;
    for (i = 0; i < 2 * SPTI_PIECES && levels > 0; i++) {
        share = spti_bend_share(b, i / 2, i & 1, levels, &ratio);
        if (share > 0 && ratio < narrow && i >= 2 && i < 2 * SPTI_PIECES - 2) b->levels = levels;
        used[i & 1] += share;
    }
    k = used[1] < used[0];
    while (used[!k] >= 32768 && b->skew < skews && used[k] < (spt_u32)32768 >> b->skew) b->skew++;
    if (!k) b->skew = -b->skew;
    for (i = 0; i < 2 * SPTI_PIECES && b->levels > 0; i++) {
        const spti_dist width = SPTI_DIST(b->knots[i / 2 + 1][i & 1], b->knots[i / 2][i & 1]);
        spti_dist *rate = &b->rates[i / 2][i & 1];
        share = spti_bend_share(b, i / 2, i & 1, levels + (i & 1 ? -b->skew : b->skew), &ratio);
#ifdef SPATIAL_INT /* the lowest five bits tell how many low bits of a distance do not matter */
        *rate = (spt_u32)spti_bits(width >> 16);
        *rate |= (share << 16) / ((width >> *rate) + 1) & ~(spt_u32)31;
#else
        *rate = (spt_coord)share / SPTI_MAX(width, SPTI_LEAST);
#endif
    }
}
#endif
#endif

/* ============================================================================================== */
/* GEOMETRY - PRIVATE                                                                    >>geometry

   Boxes go in, and keys come out, which order distances and times: the square of a distance, or the
   time when a motion meets a box. Keys are the same with every compiler: each step is rounded to
   its type, and to fuse two changes nothing, for a float squared is exact in double, a time is a
   subtraction and a division, and squares of doubles are stored in between.

   With SPATIAL_INT a key is a whole number of up to 65 bits: the sum of two squares; or a time
   times both speeds, which is the distance along one axis times the speed along the other. */

/* An edge of a box along axis 0, x, or 1, y: the upper one, max, or else the lower one, min. */
#define SPTI_EDGE(box, axis, upper)                                                                \
    (*((axis) ? ((upper) ? &(box)->max_y : &(box)->min_y)                                          \
              : ((upper) ? &(box)->max_x : &(box)->min_x)))

/* Returns x - d, or a little less: coordinates below are further from x than d, also if rounded. */
SPTI_SHARED spt_coord spti_below(spt_coord x, spti_dist d)
{
#ifdef SPATIAL_INT
    return d > SPTI_DIST(x, spti_lowest()) ? spti_lowest() : (spt_coord)((spt_u32)x - d);
#else
    spti_stored t = x - d, margin = (t < 0 ? -t : t) + d;
    if (!(t <= SPTI_COORD_MAX)) return d <= SPTI_COORD_MAX ? x : spti_lowest();
    margin += SPTI_TINY / SPTI_ROUNDING; /* the product is exact, and may be fused */
    t -= margin * SPTI_ROUNDING;
    return t;
#endif
}

/* Returns x + d, or a little more, likewise. */
SPTI_SHARED spt_coord spti_above(spt_coord x, spti_dist d)
{
#ifdef SPATIAL_INT
    return d > SPTI_DIST(spti_highest(), x) ? spti_highest() : (spt_coord)((spt_u32)x + d);
#else
    return -spti_below(-x, d);
#endif
}

#if defined(SPTI_SEARCH) || !defined(SPATIAL_NO_NEIGHBOURS)
#ifdef SPATIAL_INT
typedef struct spti_key {
    spt_u32 carry, high, low;
} spti_key;
#elif defined(SPTI_EXCESS) || \
    (defined(SPATIAL_DOUBLE) && !(defined(__x86_64__) && !defined(__FMA__)))
typedef double spti_key;
typedef volatile double spti_exact; /* rounded to double, and not fused with what follows */
#else
typedef double spti_key, spti_exact;
#endif

/* As spti_exact, but also for numbers whose products are not exact. */
#if defined(SPTI_EXCESS) || !defined(__x86_64__) || defined(__FMA__)
typedef volatile double spti_double;
#else
typedef double spti_double;
#endif

static int spti_key_less(const spti_key *a, const spti_key *b)
{
#ifdef SPATIAL_INT
    if (a->carry != b->carry) return a->carry < b->carry;
    if (a->high != b->high) return a->high < b->high;
    return a->low < b->low;
#else
    return *a < *b;
#endif
}

#ifdef SPATIAL_INT
static void spti_key_product(spt_u32 a, spt_u32 b, spti_key *key)
{
    spt_u32 al = a & 0xFFFF, ah = a >> 16, bl = b & 0xFFFF, bh = b >> 16;
    spt_u32 low = al * bl, left = ah * bl, right = al * bh;
    spt_u32 middle = (low >> 16) + (left & 0xFFFF) + (right & 0xFFFF);
    key->carry = 0;
    key->high = ah * bh + (left >> 16) + (right >> 16) + (middle >> 16);
    key->low = (middle << 16) + (low & 0xFFFF);
}
#endif

/* Returns the distance of two ranges, 0 if they meet, also if both are at the same infinity. */
SPTI_SHARED spti_dist spti_range_gap(spt_coord min, spt_coord max, spt_coord other_min,
                                     spt_coord other_max)
{
#ifdef SPATIAL_INT
    if (other_min > max) return SPTI_DIST(other_min, max);
    return min > other_max ? SPTI_DIST(min, other_max) : 0;
#else
    spti_stored after = other_min - max, before = min - other_max;
    spt_coord gap = after > 0 ? after : 0; /* of a NaN: 0 */
    return before > gap ? before : gap;
#endif
}

/* Distances of two boxes along the axes. */
SPTI_SHARED void spti_gap(const spt_box *a, const spt_box *b, spti_dist *x, spti_dist *y)
{
    *x = spti_range_gap(a->min_x, a->max_x, b->min_x, b->max_x);
    *y = spti_range_gap(a->min_y, a->max_y, b->min_y, b->max_y);
}

/* The square of a distance, from the distances x and y along the axes. */
static void spti_gap_key(spti_dist x, spti_dist y, spti_key *key)
{
#ifdef SPATIAL_INT
    spti_key other;
    spti_key_product(x, x, key);
    spti_key_product(y, y, &other);
    key->low += other.low;
    other.high += key->low < other.low; /* cannot overflow: of a square it is < 2^32 - 1 */
    key->high += other.high;
    key->carry = key->high < other.high;
#else
    spti_exact square = (double)x * (double)x, other = (double)y * (double)y, sum = square + other;
    *key = sum;
#ifdef SPATIAL_DOUBLE
    if (*key < DBL_MIN && (x > 0 || y > 0)) *key = DBL_MIN;
#endif
#endif
}

SPTI_SHARED void spti_distance_key(const spt_box *a, const spt_box *b, spti_key *key)
{
    spti_dist x, y;
    spti_gap(a, b, &x, &y);
    spti_gap_key(x, y, key);
}

#ifdef SPTI_VECTORS
/* Returns a bound: approximate squares above it have an exact square above `square`. */
SPTI_SHARED spt_coord spti_square_most(double square)
{
    const double most = square * (1 + 1e-5) + (double)SPTI_TINY;
    return most < (double)SPTI_COORD_MAX ? (spt_coord)most : spti_highest();
}

/* Returns a bound: approximate squares not above it have an exact square of at most `square`. */
SPTI_SHARED spt_coord spti_square_least(double square)
{
    const double least = square * (1 - 2e-5) - 2 * (double)SPTI_TINY;
    return least < (double)SPTI_COORD_MAX / 2 ? (spt_coord)least : SPTI_COORD_MAX / 2;
}
#endif
#endif

#ifdef SPTI_SEARCH
/* Grows a box by d on each side, rounded outwards: it touches all at most d away, by the keys. */
SPTI_SHARED void spti_box_grow(const spt_box *box, spti_dist d, spt_box *out)
{
#ifdef SPATIAL_DOUBLE
    if (d > 1e153) d = spti_highest();
    if (d > 0 && d < 1e-153) d = 1e-153;
#endif
    out->min_x = spti_below(box->min_x, d), out->min_y = spti_below(box->min_y, d);
    out->max_x = spti_above(box->max_x, d), out->max_y = spti_above(box->max_y, d);
}

/* ============================================================================================== */
/* CASTS - PRIVATE                                                                           >>casts

   A motion and a box go in; the time at which they meet comes out, and the side that is hit. The
   tip is the side of the moving box in front, and the end is the side behind. Along each axis, the
   overlap begins when the tip reaches the near side of the box, and is over when the end has passed
   the far side. Motion and box meet at the later of the two times at which a tip arrives, unless an
   end has passed its far side before:

       end     tip            near          far          lead = near - tip
        | motion |  ------->   |    box     |            tail = far - end

   Only a near side that lies ahead has a time of arrival. A side that the tip touches at the start
   lies ahead only with spt_motion.enter, `open` below. If motion and box only touch along both axes
   when they meet, they meet at a corner. Of boxes met at the same time those met at a corner come
   last: a box that glides over a seam meets the tile below, not the corner of the next. */

#ifdef SPATIAL_INT
#define SPTI_IS_NAN(v) 0
#define SPTI_MIRRORED(v) (~(v)) /* not -v, which the lowest integer does not have */
#define SPTI_TIME_END 65536UL /* the time at which a motion ends */

/* Returns speed * t / 65536, rounded down: the way up to time t. */
static spt_u32 spti_travel(spt_u32 speed, spt_u32 t)
{
    spti_key way;
    spti_key_product(speed, t, &way);
    return (way.high << 16) + (way.low >> 16);
}

/* Returns distance / speed in 65536ths, rounded down, as in spt_hit.t. distance: at most speed. */
static spti_dist spti_time_part(spti_dist distance, spti_dist speed)
{
    spt_u32 part = 0;
    int bit;
    if (distance == speed) return SPTI_TIME_END;
    for (bit = 0; bit < 16; bit++) { /* distance < speed <= 2^31 */
        distance *= 2;
        part = 2 * part + (distance >= speed);
        if (distance >= speed) distance -= speed;
    }
    return part;
}
#else
#define SPTI_IS_NAN(v) ((v) != (v))
#define SPTI_MIRRORED(v) (-(v))
#define SPTI_TIME_END 1
#endif

typedef struct spti_meeting { /* of a motion and a box */
    spti_key key;             /* of its time */
    int axis;                 /* of the side that is hit: 0 none, 1 x, 2 y */
    int corner;               /* 1: only corners of both touch */
    spti_dist t;              /* see spt_hit */
} spti_meeting;

static spti_dist spti_speed(spt_coord d)
{
#ifdef SPATIAL_INT
    return d < 0 ? (spt_u32)0 - (spt_u32)d : (spt_u32)d;
#else
    const spt_coord back = 0 - d; /* not -d: an infinite distance divided by -0 is negative */
    return d > back ? d : back;
#endif
}

/* Finds the key of the time in which a distance is covered. Without a speed, the distance must be
   spti_highest(): then the key is later than any time. other: the speed along the other axis. */
static void spti_time_key(spti_dist distance, spti_dist speed, spti_dist other, spti_key *key)
{
#ifdef SPATIAL_INT
    spti_key_product(distance, other > 0 ? other : 1, key);
    if (speed == 0) key->carry = 1;
#else
    const spti_product t = distance / speed; /* clang would divide 0 by 0 in the rest of a vector */
    (void)&other, *key = (double)t; /* of other itself tcc would make an integer */
#endif
}

/* A motion along an axis: a box is met at (near - tip) / d, and left at (far - end) / d. Vectors
   multiply near - tip by `soon`, never to find a meeting too late, and far - end by `late`. */
typedef struct spti_track {
    int back;             /* 1: it goes backwards, and the near side of a box is the maximum */
    spti_dist speed;
    spt_coord tip, end;   /* sides of the moving box in front and behind */
#ifdef SPTI_VECTORS
    spt_coord soon, late; /* about 1 / d */
    spt_coord stay;       /* vectors take it in place of times of leaving before it, which they
                             may compute wrongly */
#endif
} spti_track;

typedef struct spti_line { /* a motion */
    spti_track x, y;
#ifdef SPTI_VECTORS
    spt_coord from; /* boxes that are left before this time do not count */
#endif
} spti_line;

static void spti_track_init(spti_track *a, spt_coord min, spt_coord max, spt_coord d)
{
    a->back = d < 0;
    a->speed = spti_speed(d);
    a->tip = a->back ? min : max, a->end = a->back ? max : min;
#ifdef SPTI_VECTORS
    a->late = (spt_coord)(a->back ? -1 : 1) / SPTI_MAX(a->speed, SPTI_LEAST);
    a->soon = a->late * (1 - SPTI_ROUNDING);
    a->stay = a->speed > SPTI_LEAST && a->speed < 1 / SPTI_TINY ? SPTI_TINY : spti_highest();
#endif
}

static void spti_line_init(spti_line *l, const spt_motion *m)
{
    spti_track_init(&l->x, m->box.min_x, m->box.max_x, m->dx);
    spti_track_init(&l->y, m->box.min_y, m->box.max_y, m->dy);
}

typedef struct spti_approach { /* of a motion to a box, along one axis */
    spti_stored lead, tail;    /* distances to go until they touch, until they part */
    spti_key in, out;          /* and the times */
    int ahead;                 /* 1: the near side lies ahead: see >>casts */
    int outside;               /* 1: until `in` they do not overlap but at most touch */
} spti_approach;

/* Returns 0 if they never touch along this axis during the motion. open: a box that touches the tip
   counts as ahead; without a speed, a box that only touches does not count. */
SPTI_INLINE int spti_approach_init(spti_approach *a, const spti_track *m, spt_coord near_side,
                                   spt_coord far_side, int open)
{
    spt_coord tip = m->tip, end = m->end;
    spti_dist lead;
    if (m->back) { /* in a mirror it goes forwards, and all distances are the same */
        const spt_coord min = near_side;
        near_side = SPTI_MIRRORED(far_side), far_side = SPTI_MIRRORED(min);
        tip = SPTI_MIRRORED(tip), end = SPTI_MIRRORED(end);
    }
    lead = SPTI_DIST(near_side, tip);
    a->lead = 0, a->tail = 0;
    a->ahead = a->outside = 0;
    if (!(m->speed > 0)) {
        a->lead = (spti_dist)spti_highest(), a->tail = (spti_dist)spti_highest();
        a->outside = !(tip > near_side) || !(far_side > end);
        return open ? end < far_side && near_side < tip : end <= far_side && near_side <= tip;
    }
    if (far_side < end) return 0;
    a->tail = SPTI_DIST(far_side, end);
    a->outside = near_side >= tip;
    a->lead = a->outside ? lead : 0;
    a->ahead = a->outside && (open || a->lead > 0);
    return a->lead <= m->speed;
}

/* 1 if they only touch along the axis at this time, at which they have met and not parted. */
SPTI_INLINE int spti_approach_touches(const spti_approach *a, const spti_key *time)
{
    return (a->outside && !spti_key_less(&a->in, time)) || !spti_key_less(time, &a->out);
}

/* Returns 1 if a motion meets a box, and fills *meeting. open: see spt_motion.enter. */
static int spti_cast(const spti_line *l, const spt_box *box, int open, spti_meeting *meeting)
{
    spti_approach x, y;
    meeting->axis = meeting->corner = 0, meeting->t = 0; /* so if they touch at the start */
    if (!spti_approach_init(&x, &l->x, box->min_x, box->max_x, open) ||
        !spti_approach_init(&y, &l->y, box->min_y, box->max_y, open))
        return 0;
    spti_time_key(x.lead, l->x.speed, l->y.speed, &x.in);
    spti_time_key(x.tail, l->x.speed, l->y.speed, &x.out);
    spti_time_key(y.lead, l->y.speed, l->x.speed, &y.in);
    spti_time_key(y.tail, l->y.speed, l->x.speed, &y.out);
    spti_gap_key(0, 0, &meeting->key);
    if (x.ahead) meeting->key = x.in, meeting->axis = 1;
    if (y.ahead && (!x.ahead || spti_key_less(&x.in, &y.in)))
        meeting->key = y.in, meeting->axis = 2;
    if (meeting->axis == 0 && open) return 0;
    if (spti_key_less(&x.out, &meeting->key) || spti_key_less(&y.out, &meeting->key)) return 0;
    if (open && (!spti_key_less(&meeting->key, &x.out) || !spti_key_less(&meeting->key, &y.out)))
        return 0;
    meeting->corner = spti_approach_touches(&x, &meeting->key) &&
                      spti_approach_touches(&y, &meeting->key);
#ifdef SPATIAL_INT
    if (meeting->axis == 1) meeting->t = spti_time_part(x.lead, l->x.speed);
    if (meeting->axis == 2) meeting->t = spti_time_part(y.lead, l->y.speed);
#else
    meeting->t = (spti_dist)meeting->key;
#endif
    return 1;
}

/* Fills the user's hit from a meeting. */
static void spti_hit_set(spt_hit *hit, spt_i32 id, const spt_motion *m, const spti_meeting *meeting)
{
    hit->id = id, hit->corner = meeting->corner, hit->layer = 0;
    hit->t = (spt_coord)meeting->t;
    hit->nx = meeting->axis == 1 ? (m->dx > 0 ? -1 : 1) : 0;
    hit->ny = meeting->axis == 2 ? (m->dy > 0 ? -1 : 1) : 0;
}

/* Returns 0 if a range that moves by d never touches another one. It decides as spti_approach_init
   does, but needs neither `ahead` nor a branch. */
SPTI_INLINE int spti_range_meets(spt_coord min, spt_coord max, spt_coord d, spt_coord other_min,
                                 spt_coord other_max)
{
    const spti_dist forth = d > 0 ? (spti_dist)d : 0, back = spti_speed(d) - forth;
    const spti_dist after = SPTI_DIST(other_min, max), before = SPTI_DIST(min, other_max);
    return ((other_min <= max) | (after <= forth)) & ((other_max >= min) | (before <= back));
}

/* Returns 0 if a motion meets nothing in a box, because along an axis it does not get there. */
SPTI_INLINE int spti_motion_nears(const spt_motion *m, const spt_box *box)
{
    return spti_range_meets(m->box.min_x, m->box.max_x, m->dx, box->min_x, box->max_x) &&
           spti_range_meets(m->box.min_y, m->box.max_y, m->dy, box->min_y, box->max_y);
}

/* 1 if all of it is finite and its box is valid. */
static int spti_motion_valid(const spt_motion *m)
{
#ifndef SPATIAL_INT
    static const spt_box finite = {-SPTI_COORD_MAX, -SPTI_COORD_MAX, SPTI_COORD_MAX,
                                   SPTI_COORD_MAX};
    if (!spti_box_holds(&finite, &m->box)) return 0;
    if (!(spti_speed(m->dx) <= SPTI_COORD_MAX && spti_speed(m->dy) <= SPTI_COORD_MAX)) return 0;
#endif
    return spt_box_valid(&m->box);
}

/* Turns the range *min .. *max into its cover from t0 to t1 of a motion by d, rounded outwards. */
static void spti_range_swept(spt_coord *min, spt_coord *max, spt_coord d, spti_dist t0,
                             spti_dist t1)
{
    const spti_dist speed = spti_speed(d);
#ifdef SPATIAL_INT
    const spti_dist from = spti_travel(speed, t0);
    const spti_dist to = t1 < SPTI_TIME_END ? spti_travel(speed, t1 + 1) + 1 : speed;
    *min = d < 0 ? spti_below(*min, to) : spti_above(*min, from);
    *max = d < 0 ? spti_below(*max, from) : spti_above(*max, to);
#else
    /* SPTI_TINY is a margin for times that are so small that they have lost digits. */
    const spti_product to = speed * (t1 + SPTI_TINY);
    const spti_product from = t0 > SPTI_TINY ? speed * (t0 - SPTI_TINY) : 0;
    const spti_stored low = d < 0 ? *min - to : *min + from, high = d < 0 ? *max - from : *max + to;
    const spti_stored far_low = (*min < 0 ? -*min : *min) + to;
    const spti_stored far_high = (*max < 0 ? -*max : *max) + to;
    const spti_product margin_low = far_low * SPTI_ROUNDING, margin_high = far_high * SPTI_ROUNDING;
    *min = low > SPTI_COORD_MAX ? SPTI_COORD_MAX : spti_below(low, margin_low);
    *max = high < -SPTI_COORD_MAX ? -SPTI_COORD_MAX : spti_above(high, margin_high);
#endif
}

/* Finds a box that holds the moving box from time t0 to t1. */
static void spti_motion_swept(const spt_motion *m, spti_dist t0, spti_dist t1, spt_box *out)
{
    *out = m->box;
    spti_range_swept(&out->min_x, &out->max_x, m->dx, t0, t1);
    spti_range_swept(&out->min_y, &out->max_y, m->dy, t0, t1);
}
#endif

/* ============================================================================================== */
/* FILTERS - PRIVATE                                                                       >>filters

   The filter and the list of a question go in. Out come errors in them, whether an element or a
   pair passes, and the number of results. */

#ifdef SPTI_BOXES
#define SPTI_WINDOWS 1 /* asked with windows: the filter may have a relation */
#define SPTI_PAIRS 2   /* asked for pairs: it may have masks in place of a mask */
/* Empties the list of a question. Returns an error if the list has another number of fields, or if
   the filter is not valid. out: NULL if results are only counted. asked: one of these, or 0. */
SPTI_SHARED int spti_ask(const spt_filter *f, spt_intlist *out, spt_i32 fields, int asked)
{
    if (spti_list_begin(out, fields)) return SPT_ERR_LIST;
    if (!f) return SPT_OK;
    if (f->relation < 0 || f->relation > (asked == SPTI_WINDOWS ? SPT_EQUALS : SPT_MEETS))
        return SPT_ERR_FILTER;
    if (f->except_count < 0 || (f->except_count > 0 && !f->except)) return SPT_ERR_FILTER;
    if (!f->categories) return f->mask || f->masks ? SPT_ERR_FILTER : SPT_OK;
    return f->mask || (asked == SPTI_PAIRS && f->masks) ? SPT_OK : SPT_ERR_FILTER;
}

/* Sets the number of results to 0; returns where it is: in the list or, without one, *counted. */
SPTI_SHARED spt_i32 *spti_counter(spt_intlist *out, spt_i32 *counted)
{
    spt_i32 *count = out ? &out->count : counted;
    *count = 0;
    return count;
}

/* Returns the number of results, or sets it to 0 and returns the error. */
SPTI_SHARED spt_i32 spti_results(spt_i32 *count, int error)
{
    if (error) *count = 0;
    return error ? (spt_i32)error : *count;
}

/* Not 0 if an element passes or, with its partner `other`, which else is SPT_NONE, a pair. changes:
   the counter of the index, or NULL: debug builds stop if a callback changes the index. */
SPTI_SHARED int spti_filter_accepts(const spt_filter *f, const spt_u32 *changes, spt_i32 id,
                                    spt_i32 other)
{
    const spt_u32 *bits = f->categories, before = changes ? *changes : 0;
    const int pair = other != SPT_NONE;
    spt_i32 k;
    int passes = 1;
    if (bits && !(bits[id] & (pair && f->masks ? f->masks[other] : f->mask))) return 0;
    if (bits && pair && !(bits[other] & (f->masks ? f->masks[id] : f->mask))) return 0;
    for (k = 0; k < f->except_count; k++)
        if (f->except[k] == id || (pair && f->except[k] == other)) return 0;
    if (f->accept) passes = f->accept(f->ctx, id, other);
    SPATIAL_ASSERT(!changes || *changes == before);
    (void)before;
    return passes;
}
#endif

/* ============================================================================================== */
/* BOXES - PUBLIC                                                                            >>boxes

   The functions of one or two boxes; more of them are in >>base, >>shapes and >>movers. */

SPTI_API void spt_box_around(spt_coord x, spt_coord y, spt_coord half_width, spt_coord half_height,
                             spt_box *box)
{
#ifdef SPATIAL_INT
    const spti_dist width = (spti_dist)half_width, height = (spti_dist)half_height;
    box->min_x = spti_below(x, width), box->max_x = spti_above(x, width);
    box->min_y = spti_below(y, height), box->max_y = spti_above(y, height);
#else
    box->min_x = x - half_width, box->max_x = x + half_width;
    box->min_y = y - half_height, box->max_y = y + half_height;
#endif
}

SPTI_API void spt_box_union(const spt_box *a, const spt_box *b, spt_box *out)
{
    out->min_x = SPTI_MIN(b->min_x, a->min_x), out->min_y = SPTI_MIN(b->min_y, a->min_y);
    out->max_x = SPTI_MAX(a->max_x, b->max_x), out->max_y = SPTI_MAX(a->max_y, b->max_y);
}

/* Returns the next number below: x less a half to a little over one step is rounded to it. */
static spt_coord spti_step_down(spt_coord x)
{
#ifdef SPATIAL_INT
    return spti_below(x, 1);
#else
    const spt_coord share = (spt_coord)(sizeof x > 4 ? 1.1102230246251568e-16 : 5.9604652e-08);
    const spti_stored at = x, step = (at < 0 ? -at : at) * share, below = at - step;
    if (at > SPTI_COORD_MAX) return SPTI_COORD_MAX;
    if (below < at) return below;
    return at < -SPTI_COORD_MAX ? at : at - (step + SPTI_DENORMAL); /* next to 0 */
#endif
}

#ifndef SPATIAL_INT
/* Returns the largest number of the type that is not above v. */
static spt_coord spti_coord_below(double v)
{
    spti_stored x;
    if (v > (double)SPTI_COORD_MAX) return v * 0 >= 0 ? SPTI_COORD_MAX : spti_highest();
    if (v < -(double)SPTI_COORD_MAX) return spti_lowest();
    x = (spt_coord)v;
    return (double)x > v ? spti_step_down(x) : x;
}

SPTI_API void spt_box_outward(double min_x, double min_y, double max_x, double max_y, spt_box *box)
{
    box->min_x = spti_coord_below(min_x), box->min_y = spti_coord_below(min_y);
    box->max_x = -spti_coord_below(-max_x), box->max_y = -spti_coord_below(-max_y);
}
#endif

SPTI_API void spt_box_half_open(spt_box *box)
{
    const spt_coord x = spti_step_down(box->max_x), y = spti_step_down(box->max_y);
    if (x >= box->min_x) box->max_x = x;
    if (y >= box->min_y) box->max_y = y;
}

SPTI_API int spt_box_has_point(const spt_box *box, spt_coord x, spt_coord y)
{
    return box->min_x <= x && x <= box->max_x && box->min_y <= y && y <= box->max_y;
}

#ifdef SPTI_SEARCH
SPTI_API int spt_box_intersection(const spt_box *a, const spt_box *b, spt_box *out)
{
    if (!spt_box_overlap(a, b)) return 0;
    out->min_x = SPTI_MAX(a->min_x, b->min_x), out->min_y = SPTI_MAX(a->min_y, b->min_y);
    out->max_x = SPTI_MIN(a->max_x, b->max_x), out->max_y = SPTI_MIN(a->max_y, b->max_y);
    return 1;
}

SPTI_API void spt_box_swept(const spt_motion *motion, spt_box *out)
{
    spti_motion_swept(motion, 0, SPTI_TIME_END, out);
}

#ifndef SPATIAL_INT
/* Returns the length of (x, y), by Newton's way to a square root. */
static double spti_length(double x, double y)
{
    spti_double large, ratio, square, root, sum;
    int k;
    x = SPTI_MAX(x, -x), y = SPTI_MAX(y, -y);
    large = SPTI_MAX(x, y), ratio = SPTI_MIN(x, y) / (large > 0 ? large : 1);
    if (!(ratio > 0)) return large;
    square = ratio * ratio, square = 1 + square, root = square * 0.5 + 0.5;
    for (k = 0; k < 5; k++) sum = square / root, sum = root + sum, root = sum * 0.5;
    root = root * large;
    return root;
}
#endif

SPTI_API spt_coord spt_box_distance(const spt_box *a, const spt_box *b)
{
#ifdef SPATIAL_INT
    spti_key key, square;
    spt_u32 root = 0, bit;
    spti_distance_key(a, b, &key);
    for (bit = (spt_u32)1 << 30; bit > 0; bit >>= 1) {
        spti_key_product(root | bit, root | bit, &square);
        if (!spti_key_less(&key, &square)) root |= bit;
    }
    return (spt_coord)root;
#else
    spti_dist x, y;
    double distance;
    spti_gap(a, b, &x, &y);
    if (!(x > 0) || !(y > 0)) return x > y ? x : y;
    distance = spti_length((double)x, (double)y);
    return distance <= (double)SPTI_COORD_MAX ? (spt_coord)distance : spti_highest(); /* of a NaN */
#endif
}

/* The key of a distance that is given as a limit. */
static void spti_limit_key(spt_coord distance, spti_key *key)
{
    spti_gap_key((spti_dist)(distance >= SPT_NO_LIMIT ? spti_highest() : distance), 0, key);
#ifdef SPATIAL_INT
    if (distance == SPT_NO_LIMIT) key->carry = 2; /* no other key has that */
#endif
}

SPTI_API int spt_box_within(const spt_box *a, const spt_box *b, spt_coord distance)
{
    spti_key key, limit;
    if (!(distance >= 0)) return 0;
    spti_distance_key(a, b, &key), spti_limit_key(distance, &limit);
    return !spti_key_less(&limit, &key);
}

SPTI_API int spt_box_nearer(const spt_box *box, const spt_box *a, const spt_box *b)
{
    spti_key key, other;
    spti_distance_key(box, a, &key), spti_distance_key(box, b, &other);
    return spti_key_less(&other, &key) - spti_key_less(&key, &other);
}

SPTI_API int spt_box_cast(const spt_motion *motion, const spt_box *box, spt_hit *hit)
{
    spti_meeting meeting;
    spti_line line;
    if (!spti_motion_valid(motion) || !spt_box_valid(box)) return 0;
    spti_line_init(&line, motion);
    if (!spti_cast(&line, box, motion->enter, &meeting)) return 0;
    if (hit) spti_hit_set(hit, SPT_NONE, motion, &meeting);
    return 1;
}
#endif

/* ============================================================================================== */
/* MORTON - PUBLIC                                                                       >>morton

   Levels count from the root, 0, down to the finest, `levels`. Two numberings of the nodes:

     by level     level l begins at (4^l - 1)/3 = 0, 1, 5, 21, 85 ...: in binary 0, 1, 101, 10101,
                  1010101, which is the low 2l bits of 0101...01.
     by preorder  a node before its children, children in Morton order: sorted by this rank, every
                  subtree is one run. Let Z be the code of a node's first finest cell, with base-4
                  digits q1 q2 ...; on the way down, entering child q of a node passes the node
                  itself and q subtrees of k levels, with (4^k - 1)/3 nodes each, so the rank is
                      level + sum of q * (4^k - 1)/3 = level + (4 Z - sum of the digits of Z)/3 */

/* Puts a zero in front of each of the low 16 bits. */
static spt_u32 spti_spread(spt_u32 v)
{
    v &= 0xFFFFUL;                        /* ---- ---- ---- ---- fedc ba98 7654 3210 */
    v = (v | (v << 8)) & 0x00FF00FFUL;    /* ---- ---- fedc ba98 ---- ---- 7654 3210 */
    v = (v | (v << 4)) & 0x0F0F0F0FUL;    /* ---- fedc ---- ba98 ---- 7654 ---- 3210 */
    v = (v | (v << 2)) & 0x33333333UL;    /* --fe --dc --ba --98 --76 --54 --32 --10 */
    return (v | (v << 1)) & 0x55555555UL; /* -f-e -d-c -b-a -9-8 -7-6 -5-4 -3-2 -1-0 */
}

/* The inverse of spti_spread; ignores the bits between. */
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
    int up = spti_bits((x0 ^ x1) | (y0 ^ y1)); /* the bits above the highest that differs stay */
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
    spt_u32 extent = (spt_u32)max - (spt_u32)min, low = ((spt_u32)1 << level) - 1;
    return (spt_coord)((spt_u32)min + (extent >> level) * i + (((extent & low) * i) >> level));
#else
    const spti_stored extent = max - min;
    const spti_product way = extent / (spt_coord)((spt_u32)1 << level) * (spt_coord)i;
    return min + way;
#endif
}

/* The box of cell (x, y) of 2^columns by 2^rows. */
static void spti_part_box(int columns, int rows, spt_u32 x, spt_u32 y, const spt_box *bounds,
                          spt_box *out)
{
    spt_box b;
    SPATIAL_ASSERT(columns >= 0 && rows >= 0);
    b = *bounds; /* out may be the same */
    out->min_x = spti_part(b.min_x, b.max_x, x, columns);
    out->min_y = spti_part(b.min_y, b.max_y, y, rows);
    out->max_x = spti_part(b.min_x, b.max_x, x + 1, columns);
    out->max_y = spti_part(b.min_y, b.max_y, y + 1, rows);
}

SPTI_API void spt_morton_box(int level, spt_u32 code, const spt_box *bounds, spt_box *out)
{
    spt_u32 x, y;
    spt_morton_deinterleave(code, &x, &y);
    spti_part_box(level, level, x, y, bounds, out);
}

#if defined(SPTI_BOXES) || !defined(SPATIAL_NO_CONTACTS) || !defined(SPATIAL_NO_NEIGHBOURS)
/* ============================================================================================== */
/* SORTING AND SAMPLING - PRIVATE                                                             >>sort

   The edges of a sample of boxes along an axis go in, and the place of the cells comes out: from
   origin on, an extent that leaves out outliers, but not edges at most two spans from the span:

       edges  .             .           |. ..... |     .                      .
       cells               |<-- down -->|<-span->|<-up->|
                        origin      min[low]   max[high]

   Records go in, each with an integer as its key, and come out sorted by keys. */

#define SPTI_SOON 64   /* boxes between the one that is read and the one that is prefetched */
#define SPTI_SAMPLE 64 /* boxes of a sample, at most */

/* Sorts m numbers, some hundred at most (D. L. Shell, 1959). */
SPTI_SHARED void spti_sort_sample(spt_coord *v, int m)
{
    int i, gap;
    for (gap = m > 32 ? 16 : 1; gap > 0; gap /= 4)
        for (i = gap; i < m; i++) {
            spt_coord x = v[i], *at = v + i;
            for (; at >= v + gap && at[-gap] > x; at -= gap) *at = at[-gap];
            *at = x;
        }
}

/* Returns how far cells go beyond an end of the span: to the outermost edge that is at most two
   spans away, and an eighth of a span further, but at most `room`, to where the type ends. v: the
   outermost of the sorted edges; inwards: 1 or -1, the step to the next one. */
SPTI_SHARED spti_dist spti_beyond(const spt_coord *v, int inwards, spt_coord end, spti_dist span,
                                  spti_dist room)
{
    const spti_product margin = span / 8;
    spti_stored outer;
    do {
        outer = inwards > 0 ? SPTI_DIST(end, *v) : SPTI_DIST(*v, end);
        v += inwards;
    } while (outer / 2 > span);
    return margin < room - outer ? outer + margin : room;
}

/* Returns the index of the first of those n of m sorted edges that lie closest together. */
SPTI_SHARED spt_i32 spti_densest(const spt_coord *v, spt_i32 m, spt_i32 n)
{
    spt_i32 best = 0, i;
    for (i = 1; i <= m - n; i++)
        if (SPTI_DIST(v[i + n - 1], v[i]) < SPTI_DIST(v[best + n - 1], v[best])) best = i;
    return best;
}

/* Finds where cells should lie along one axis, for m sampled boxes: returns the extent and sets
   *origin. The span leaves out an eighth of the lower edges below and of the upper edges above; or
   all but the two thirds of each that lie closest together, if it is then not 0, but more than 32
   times shorter. min, max: the lower and the upper edges, which get clamped and sorted. */
SPTI_SHARED spti_dist spti_extent(spt_coord *min, spt_coord *max, spt_i32 m, spt_coord *origin)
{
    spt_i32 most = m - m / 3, low, high;
    spti_stored dense, span, down, up;
#ifndef SPATIAL_INT
    const spt_coord limit = SPTI_COORD_MAX / 16; /* so that the extent is finite */
    spt_i32 i;
    for (i = 0; i < m; i++) {
        min[i] = min[i] < -limit ? -limit : min[i] > limit ? limit : min[i];
        max[i] = max[i] < -limit ? -limit : max[i] > limit ? limit : max[i];
    }
#endif
    spti_sort_sample(min, (int)m);
    spti_sort_sample(max, (int)m);
    low = spti_densest(min, m, most), high = spti_densest(max, m, most) + most - 1;
    dense = SPTI_DIST(max[high], min[low]);
    span = SPTI_DIST(max[m - 1 - m / 8], min[m / 8]);
    if (dense > 0 && span / 32 > dense) span = dense;
    else low = m / 8, high = m - 1 - m / 8;
    down = spti_beyond(min, 1, min[low], span, SPTI_DIST(min[low], spti_lowest()));
    up = spti_beyond(max + m - 1, -1, max[high], span, SPTI_DIST(spti_highest(), max[high]));
    *origin = (spt_coord)SPTI_ROUNDED((spti_dist)min[low] - down);
    return SPTI_ROUNDED(SPTI_ROUNDED(span + down) + up);
}

/* Makes counts an exclusive prefix sum that begins with first; returns first + the sum of all n. */
SPTI_SHARED spt_i32 spti_starts(spt_i32 *counts, spt_u32 n, spt_i32 first)
{
    spt_i32 *end = counts + n, count;
    for (; counts < end; counts++) count = *counts, *counts = first, first += count;
    return first;
}

typedef struct spti_record { /* sorted by key */
    spt_u32 key;
    spt_i32 index;           /* of the box, or of the point, in the caller's array */
} spti_record;

/* Moves n records from a to b, stably sorted by the `width` bits of their keys from `shift` on. */
SPTI_SHARED void spti_sort_pass(const spti_record *a, spti_record *b, spt_i32 n, int shift,
                                int width, spt_i32 *counts)
{
    const spt_u32 mask = ((spt_u32)1 << width) - 1;
    spt_i32 i;
    spti_zero(counts, sizeof *counts << width);
    for (i = 0; i < n; i++) counts[(a[i].key >> shift) & mask]++;
    (void)spti_starts(counts, mask + 1, (spt_i32)0);
    for (i = 0; i < n; i++) b[counts[(a[i].key >> shift) & mask]++] = a[i];
}

/* Bits of a digit of the radix sort: fewer for few records, and where int has 16 bits. */
#define SPTI_DIGIT(n) ((n) > 255 && INT_MAX >= 2147483647L ? 8 : 4)

/* Sorts n records stably by the 16 bits of their keys from `shift` on: radix sort from the lowest
   digit, in linear time. counts: room for 2^SPTI_DIGIT(n) numbers; spare: for n records. */
SPTI_SHARED void spti_sort(spti_record *a, spti_record *spare, spt_i32 n, int shift,
                           spt_i32 *counts)
{
    const int digit = SPTI_DIGIT(n), end = shift + 16;
    for (; shift < end; shift += 2 * digit) {
        spti_sort_pass(a, spare, n, shift, digit, counts);
        spti_sort_pass(spare, a, n, shift + digit, digit, counts);
    }
}
#endif

/* ============================================================================================== */
/* KERNEL - PRIVATE                                                                         >>kernel

   A box goes in, and many others: in eights (spti_eight), or in an array for each coordinate
   (spti_soa). A bit for each that overlaps it comes out, or hits: pairs of places. Vectors hold two
   to eight boxes, in plain C one. Hits are stored without branches, which would be mispredicted. */

/* The n lowest bits, 0 < n <= 32. */
#define SPTI_SET(n) ((spt_u32)0xFFFFFFFFUL >> (32 - (n)))

#if defined(SPTI_INDEX) || SPTI_STEP > 1 || !defined(SPATIAL_NO_BROADPHASE)
/* Coordinates in a vector. */
#define SPTI_LANES (SPTI_STEP > 1 ? SPTI_STEP * 4 / (int)sizeof(spt_coord) : 1)

typedef struct spti_v_box { /* a box, to be tested against vectors of boxes */
    spti_v min_x, min_y, max_x, max_y;
} spti_v_box;

SPTI_INLINE void spti_v_box_set(spti_v_box *b, spt_coord min_x, spt_coord min_y, spt_coord max_x,
                                spt_coord max_y)
{
    b->min_x = spti_v_all(min_x), b->min_y = spti_v_all(min_y);
    b->max_x = spti_v_all(max_x), b->max_y = spti_v_all(max_y);
}

/* Returns a mask, true for the boxes with these coordinates that miss b. */
SPTI_INLINE spti_v_mask spti_v_misses(const spti_v_box *b, const spt_coord *min_x,
                                      const spt_coord *min_y, const spt_coord *max_x,
                                      const spt_coord *max_y)
{
    const spti_v_mask x = spti_v_or(spti_v_above(min_x, b->max_x), spti_v_below(max_x, b->min_x));
    const spti_v_mask y = spti_v_or(spti_v_above(min_y, b->max_y), spti_v_below(max_y, b->min_y));
    return spti_v_or(x, y);
}

#if !defined(SPATIAL_NO_BROADPHASE) || (!defined(SPATIAL_NO_NEIGHBOURS) && !defined(SPATIAL_INT))
/* spti_put stores first + k for each bit k of `found`, then garbage; returns the number of bits. */
#ifdef SPTI_AVX2
/* For each set of eight bits: the numbers of the 1 bits, four bits each, the first one lowest. */
#define SPTI_BIT(set, k) ((spt_u32)(set) >> (k)&1)
#define SPTI_ONE(set, k, rest) ((rest) * (1 + 15 * SPTI_BIT(set, k)) + (k)*SPTI_BIT(set, k))
#define SPTI_WHICH(s)                                                                              \
    SPTI_ONE(s, 0, SPTI_ONE(s, 1, SPTI_ONE(s, 2, SPTI_ONE(s, 3, SPTI_ONE(s, 4,                     \
             SPTI_ONE(s, 5, SPTI_ONE(s, 6, SPTI_ONE(s, 7, (spt_u32)0))))))))
#define SPTI_WHICH4(s) SPTI_WHICH(s), SPTI_WHICH((s) + 1), SPTI_WHICH((s) + 2), SPTI_WHICH((s) + 3)
#define SPTI_WHICH16(s)                                                                            \
    SPTI_WHICH4(s), SPTI_WHICH4((s) + 4), SPTI_WHICH4((s) + 8), SPTI_WHICH4((s) + 12)
#define SPTI_WHICH64(s)                                                                            \
    SPTI_WHICH16(s), SPTI_WHICH16((s) + 16), SPTI_WHICH16((s) + 32), SPTI_WHICH16((s) + 48)
static const spt_u32 spti_which[256] = {SPTI_WHICH64(0), SPTI_WHICH64(64), SPTI_WHICH64(128),
                                        SPTI_WHICH64(192)};

SPTI_INLINE unsigned spti_put(spt_i32 *hits, unsigned found, spti_vi first)
{
    const spti_vi shifts = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    const spti_vi which = _mm256_srlv_epi32(spti_vi_all((spt_i32)spti_which[found]), shifts);
    spti_vi_store(hits, spti_vi_add(first, _mm256_and_si256(which, spti_vi_all(15))));
    return (unsigned)_mm_popcnt_u32(found);
}
#elif SPTI_STEP > 1
/* For each set of four bits: how many bits are 1, and their numbers. */
static const unsigned char spti_ones[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
static const spt_i32 spti_which[16][4] = {
    {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0},
    {1, 2, 0, 0}, {0, 1, 2, 0}, {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0},
    {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};

SPTI_INLINE unsigned spti_put(spt_i32 *hits, unsigned found, spti_vi first)
{
    spti_vi_store(hits, spti_vi_add(first, spti_vi_load(spti_which[found])));
    return spti_ones[found];
}
#else
SPTI_INLINE unsigned spti_put(spt_i32 *hits, unsigned found, spti_vi first)
{
    *hits = first;
    return found;
}
#endif
#endif
#endif

/* Two bits that are set in an id in a cell if the box begins before the cell along x, or along y.
   Two boxes that share such a bit are no pair in this cell. The other bits are the id. */
#define SPTI_BEFORE_X ((spt_i32)0x40000000L)
#define SPTI_BEFORE_Y ((spt_i32)0x20000000L)

typedef struct spti_soa { /* boxes, one array for each coordinate, for vectors */
    spt_coord *min_x, *min_y, *max_x, *max_y;
    spt_i32 *id;
} spti_soa;

#ifdef SPTI_INDEX
/* The coordinates of eights one by one: 8 min_x, 8 min_y, 8 max_x, 8 max_y, then of the next. */
#define SPTI_COORDS(boxes) ((const spt_coord *)(const void *)(boxes))

/* Copies box k of consecutive eights. */
SPTI_SHARED void spti_eight_box(const spti_eight *boxes, int k, spt_box *box)
{
    boxes += k >> 3, k &= 7;
    box->min_x = boxes->min_x[k], box->min_y = boxes->min_y[k];
    box->max_x = boxes->max_x[k], box->max_y = boxes->max_y[k];
}

SPTI_SHARED void spti_eight_put(spti_eight *boxes, int k, const spt_box *box)
{
    boxes += k >> 3, k &= 7;
    boxes->min_x[k] = box->min_x, boxes->min_y[k] = box->min_y;
    boxes->max_x[k] = box->max_x, boxes->max_y[k] = box->max_y;
}

/* The sieve: returns a bit for each of n boxes, 0 < n <= 32, 1 if it overlaps box. swap: 0; or
   SPTI_SWAP, to read min and max of the boxes swapped: then 1 means that it lies inside box.
   Vectors read whole eights, plain C only n boxes. */
#define SPTI_SWAP 16 /* coordinates from min_x to max_x */

SPTI_INLINE spt_u32 spti_sieve(const spti_eight *boxes, int n, const spt_box *box, int swap)
{
    const spt_coord *at = SPTI_COORDS(boxes) + swap;
    spti_v_box b;
    spt_u32 misses = 0;
    int j, k;
    spti_v_box_set(&b, box->min_x, box->min_y, box->max_x, box->max_y);
    for (j = 0; j < n; j += 8, at += 32)
        for (k = 0; k < 8 && (SPTI_LANES > 1 || j + k < n); k += SPTI_LANES)
            misses |= (spt_u32)spti_v_bits(
                          spti_v_misses(&b, at + k, at + k + 8, at + (k + 16 - 2 * swap),
                                        at + (k + 24 - 2 * swap)))
                      << (j + k);
    return ~misses & SPTI_SET(n);
}

#endif

#ifdef SPTI_BOXES
SPTI_SHARED void spti_soa_put(const spti_soa *s, spt_i32 i, const spt_box *box)
{
    s->min_x[i] = box->min_x, s->min_y[i] = box->min_y;
    s->max_x[i] = box->max_x, s->max_y[i] = box->max_y;
}
#endif

#ifndef SPATIAL_NO_BROADPHASE
static void spti_soa_set(const spti_soa *s, spt_i32 i, const spt_box *box, spt_i32 id)
{
    spti_soa_put(s, i, box);
    s->id[i] = id;
}

#define SPTI_PADDING ((spt_i32)(-2147483647L - 1)) /* id of padding, which is never hit */

typedef struct spti_sweep { /* sorted boxes, each to be tested against a range of boxes */
    spti_soa soa;
    spt_u32 *spans;              /* of each box: its index in starts and, << 16, in stops */
    const spt_i32 *starts;       /* first boxes to test against; NULL: the next box */
    const spt_i32 *stops;        /* ends of the ranges to test against */
    spt_i32 lo, hi;              /* boxes that are to be tested; lo moves on */
    spt_i32 left;                /* tests until the kernel returns */
    spt_i32 budget;              /* tests left in all; each hit adds 8 */
} spti_sweep;

/* The kernel may read so many boxes, and write so many hits, past the last. */
#if SPTI_STEP > 1
#define SPTI_PAD 8

/* Makes SPTI_PAD places from i on padding. Vectors compare coordinates there, so these are set. */
static void spti_soa_pad(const spti_soa *s, spt_i32 i)
{
    const spt_i32 end = i + SPTI_PAD;
    spt_box lowest;
    lowest.min_x = lowest.min_y = lowest.max_x = lowest.max_y = spti_lowest();
    for (; i < end; i++) spti_soa_set(s, i, &lowest, SPTI_PADDING);
}
#else
#define SPTI_PAD 0
#define spti_soa_pad(soa, i) ((void)0)
#endif

/* A step of the kernel takes SPTI_STEP boxes: one vector of each coordinate or, of doubles, two.
   The second one begins here; 0: the first one has them all. */
#define SPTI_SECOND (SPTI_LANES % SPTI_STEP)

/* Returns a bit for each box of a step, from the masks of its two vectors. */
SPTI_INLINE unsigned spti_step_bits(spti_v_mask first, spti_v_mask second)
{
    return (unsigned)spti_v_bits(first) | (unsigned)spti_v_bits(second) << SPTI_SECOND;
}

/* Returns a bit for each box of a step from box j on: 1 if it misses b. */
SPTI_INLINE unsigned spti_step_misses(const spti_soa *s, size_t j, const spti_v_box *b)
{
    const spt_coord *x0 = s->min_x + j, *y0 = s->min_y + j, *x1 = s->max_x + j, *y1 = s->max_y + j;
    const int k = SPTI_SECOND;
    return spti_step_bits(spti_v_misses(b, x0, y0, x1, y1),
                          spti_v_misses(b, x0 + k, y0 + k, x1 + k, y1 + k));
}

/* Makes a hit of two places. */
#define SPTI_HIT(i, j) ((spt_i32)((spt_u32)(i) << 16 | (spt_u32)(j)))

/* The kernel: tests boxes from s->lo on, until it comes to s->hi or s->left is negative. Returns
   the number of hits, at most one a test. Padding follows each stripe: vectors read beyond. */
static spt_i32 spti_sweep_run(spti_sweep *s, spt_i32 *hits)
{
    spti_soa b;
    const spt_u32 *spans = s->spans;
    const spt_i32 *starts = s->starts, *stops = s->stops;
    const size_t hi = (size_t)s->hi;
    const spti_vi step = spti_vi_all(SPTI_STEP);
    spti_v_box box;
    size_t n = 0, i = (size_t)s->lo, j, to;
    spt_i32 left = s->left;
    b = s->soa; /* two steps for sdcc */
    for (; i < hi && left >= 0; i++) {
        const spti_vi before = spti_vi_all((b.id[i] & ~SPTI_ID) | SPTI_PADDING);
        spti_vi first;
        spti_v_box_set(&box, b.min_x[i], b.min_y[i], b.max_x[i], b.max_y[i]);
        j = starts ? (size_t)starts[spans[i] & 0xFFFF] : i + 1;
        first = spti_vi_all(SPTI_HIT(i, j));
        to = (size_t)stops[spans[i] >> 16];
        if (j < to) left -= (spt_i32)(to - j);
        for (; j < to; j += SPTI_STEP) {
            unsigned found = (unsigned)spti_vi_bits(
                spti_vi_disjoint(spti_vi_load(b.id + j), before));
            found &= ~spti_step_misses(&b, j, &box);
            n += spti_put(hits + n, found, first);
            first = spti_vi_add(first, step);
        }
    }
    s->lo = (spt_i32)i;
    s->left = left;
    return (spt_i32)n;
}

/* The kernel of the scan: tests boxes from s->lo on with all of from .. to-1, a vector of them at a
   time, until s->left is negative. The former are spans along y, the latter starts, whose min_y and
   max_y are the same. Where span and start begin at the same y, each starts in the other: only the
   one with the lower id then counts as the span. strict: a start is hit only if its min_x is less
   than the min_x of the span, so that no pair is found by both kinds of tasks along x. */
SPTI_APART spt_i32 spti_meet(spti_sweep *s, spt_i32 from, spt_i32 to, int strict, spt_i32 *hits)
{
    spti_soa b;
    const spti_vi step = spti_vi_all(SPTI_STEP), padding = spti_vi_all(SPTI_PADDING);
    const size_t hi = (size_t)s->hi, end = (size_t)to;
    spti_v_box box;
    size_t n = 0, i = (size_t)s->lo, j;
    b = s->soa;
    for (; i < hi && s->left >= 0; i++, s->left -= to - from) {
        const spti_vi id = spti_vi_all(b.id[i]);
        spti_vi first = spti_vi_all(SPTI_HIT(i, from));
        spti_v_box_set(&box, b.min_x[i], b.min_y[i], b.max_x[i], b.max_y[i]);
        for (j = (size_t)from; j < end; j += SPTI_STEP) {
            /* ids that are larger (cc65 takes no comment within a macro's lines) */
            unsigned found = (unsigned)spti_vi_bits(
                spti_vi_but_one(id, spti_vi_load(b.id + j), padding));
            found |= spti_step_bits(spti_v_above(b.min_y + j, box.min_y),
                                    spti_v_above(b.min_y + j + SPTI_SECOND, box.min_y));
            found &= ~spti_step_misses(&b, j, &box);
            if (strict)
                found &= spti_step_bits(spti_v_below(b.min_x + j, box.min_x),
                                        spti_v_below(b.min_x + j + SPTI_SECOND, box.min_x));
            n += spti_put(hits + n, found, first);
            first = spti_vi_add(first, step);
        }
    }
    s->lo = (spt_i32)i;
    return (spt_i32)n;
}

/* Places the arrays for n boxes and SPTI_PAD more in the block; see spti_piece. */
static void spti_soa_piece(spti_soa *s, unsigned char *block, size_t *used, spt_u32 n)
{
    const spt_u32 count = n + SPTI_PAD;
    s->min_x = SPTI_PIECE(block, used, count, spt_coord);
    s->min_y = SPTI_PIECE(block, used, count, spt_coord);
    s->max_x = SPTI_PIECE(block, used, count, spt_coord);
    s->max_y = SPTI_PIECE(block, used, count, spt_coord);
    s->id = SPTI_PIECE(block, used, count, spt_i32);
}
#endif

/* ============================================================================================== */
/* SOURCES - PRIVATE                                                                       >>sources

   An array of boxes or an index goes in. A place in it leads to a box and its id, or to none: so
   the broadphase and the fit of a world read both alike. Others only ask which boxes to sample. */

/* A source of boxes: an array `first`, whose indices are the ids; or, if first is NULL, eights of
   boxes with their ids. In each eight, the boxes end at the first negative id. */
typedef struct spti_boxes {
    const spt_box *first;
    const unsigned char *eights, *ids; /* boxes and ids of the first eight */
    size_t step, ids_step;             /* bytes from one eight to the next */
    spt_i32 n;                         /* places */
    spt_i32 count;                     /* boxes */
} spti_boxes;

#if defined(SPTI_BOXES) || !defined(SPATIAL_NO_NEIGHBOURS)
/* Returns the size of a sample of n boxes: a sixteenth of them, but at least 8 (or all) and at most
   SPTI_SAMPLE. (A full sample costs as much as sorting hundreds of boxes.) */
SPTI_SHARED spt_i32 spti_samples(spt_i32 n)
{
    const spt_i32 least = SPTI_MIN(n, 8), m = SPTI_MAX(n / 16, least);
    return SPTI_MIN(m, SPTI_SAMPLE);
}

/* Returns which of n boxes is sample k of m, 0 < m <= n: one of each n / m, not always at the same
   place among them: boxes often come in rows, and all samples might then be from one column. */
SPTI_SHARED spt_i32 spti_pick(spt_i32 k, spt_i32 m, spt_i32 n)
{
    spt_u32 step = (spt_u32)n / (spt_u32)m;
    spt_u32 jitter = (spt_u32)k * (spt_u32)2654435761UL;
    const spt_u32 first = (spt_u32)k * step + (spt_u32)k * ((spt_u32)n % (spt_u32)m) / (spt_u32)m;
    return (spt_i32)(first + (jitter >> 8) % step);
}
#endif

#ifdef SPTI_INDEX
/* Returns the eight that place i lies in. *ids: gets a pointer to the id of that place. */
SPTI_SHARED const spti_eight *spti_eight_at(const spti_boxes *boxes, spt_i32 i,
                                            const spt_i32 **ids)
{
    const size_t eight = (size_t)(i >> 3);
    *ids = (const spt_i32 *)(const void *)(boxes->ids + eight * boxes->ids_step) + (i & 7);
    return (const spti_eight *)(const void *)(boxes->eights + eight * boxes->step);
}

/* Makes *boxes a source of all elements, until x changes. In chunks, a place is a slot. */
SPTI_SHARED void spti_index_boxes(const spt_index *x, spti_boxes *boxes)
{
    spti_zero(boxes, sizeof *boxes);
    boxes->count = x->count;
#ifndef SPATIAL_NO_PACKED
    if (!x->nodes) {
        boxes->eights = (const unsigned char *)x->as.packed.nodes;
        boxes->ids = (const unsigned char *)x->as.packed.ids;
        boxes->step = sizeof(spti_eight);
        boxes->ids_step = 8 * sizeof(spt_i32);
        boxes->n = x->count;
    }
#endif
    if (x->pool.top > 0) {
        boxes->eights = (const unsigned char *)&x->pool.chunks[0].boxes;
        boxes->ids = (const unsigned char *)x->pool.chunks[0].id;
        boxes->step = boxes->ids_step = sizeof(spti_chunk);
        boxes->n = 8 * x->pool.top;
    }
}
#endif

#ifdef SPTI_BOXES
/* Returns the box at place i, in the array or in *copy, and sets *id; NULL if none is there. */
SPTI_SHARED const spt_box *spti_box_at(const spti_boxes *boxes, spt_i32 i, spt_i32 *id,
                                       spt_box *copy)
{
#ifdef SPTI_INDEX
    if (!boxes->first) {
        const spt_i32 *ids;
        const spti_eight *at = spti_eight_at(boxes, i, &ids);
        *id = *ids;
        if (*id < 0) return NULL;
        spti_eight_box(at, (int)(i & 7), copy);
        return copy;
    }
#endif
    (void)copy;
    *id = i;
    return &boxes->first[i];
}

/* Returns box k of a sample of m or, if its place is empty, the first box of an eight behind it.
   NULL if n / m / 4 + 2 eights in a row have none: as many as two samples span, and two more. So a
   sample reads each place a few times, however sparse the pool is, and still finds a box. */
SPTI_SHARED const spt_box *spti_sample(const spti_boxes *boxes, spt_i32 k, spt_i32 m, spt_box *copy)
{
    const spt_box *box = NULL;
    spt_i32 i = spti_pick(k, m, boxes->n), eights, id;
    for (eights = boxes->n / m / 4 + 2; !box && eights > 0; eights--) {
        box = spti_box_at(boxes, i, &id, copy);
        i = (i | 7) < boxes->n - 1 ? (i | 7) + 1 : 0; /* the rest of the eight is empty, too */
    }
    return box;
}
#endif

#ifndef SPATIAL_NO_BROADPHASE
/* ============================================================================================== */
/* BROADPHASE - PRIVATE                                                              >>broadphase

   Boxes go in, pairs that overlap come out. Between, the plane is divided into the cells of a
   complete quadtree (where only one axis is halved, a cell has two children). A box belongs to the
   smallest cell that holds it. Boxes are sorted by the preorder rank of that cell: every subtree is
   one run, and no tree is ever built:

       rank      0       1       2   3   4   5       6   7  ...
       entries   [ own | [ own | 0 | 1 | 2 | 3 ] | [ own | 0 ...
       stack     boxes that reach into the current cell from outside | same for its child | ...

   Going down, the collision stack is filtered: a child gets from the list of its parent, and from
   the parent's own boxes, all that reach into it. Boxes are tested only in leaves: finest cells,
   and cells with few boxes. Two may meet in several; they are a pair in the one that holds the
   corner (max of the min_x, max of the min_y) of their overlap. An entry therefore has two bits,
   BEFORE_X and BEFORE_Y: it begins before this cell along that axis. Two with one are not tested.

   A leaf is swept (see >>sweep). If it has too many boxes, or takes too many tests, it gets cells
   of its own, from a sample of its own: crowds, rows, boxes of all sizes. If many boxes belong to
   the root, the whole plane is one leaf (spti_tree_join). Boxes that no cells divide are scanned.

   Sources: Gargantini, "An effective way to represent quadtrees", 1982. Dittrich, Seeger, "Data
   redundancy and duplicate detection in spatial join processing", ICDE 2000 (the corner).
   Tsitsigkos, Bouros, Mamoulis, Terrovitis, "Parallel in-memory evaluation of spatial joins",
   SIGSPATIAL 2019 (stripes swept forward); with Lampropoulos, "A two-layer partitioning for
   non-point spatial data", ICDE 2021 (the bits). */

#ifndef SPTI_GROWS
#define SPTI_LEAF 64    /* boxes of a leaf, at most: machines without large caches */
#define SPTI_LEAF_LEAST 64 /* a leaf may have a quarter of all boxes, but at least so many */
#define SPTI_CELL 16    /* boxes of a finest cell, on average */
#else
#define SPTI_LEAF 4096
#define SPTI_LEAF_LEAST 1024
#define SPTI_CELL 256
#endif
#define SPTI_BITS 12    /* at most 2^12 finest cells, so that a rank has 13 bits, */
#define SPTI_LEAF_BITS 4 /* and 2^4 within a leaf */
#define SPTI_TREES 4    /* most trees within each other: 4 and the bits of n / SPTI_SMALL */
#define SPTI_GROWTH 8   /* trees within a leaf of the first tree have so many refs for each box */
#define SPTI_CUTS 4     /* cells of these trees may cut a box so often on average, others once */
#define SPTI_SMALL 64   /* a leaf of so few boxes is swept, however many tests that takes */
#define SPTI_BRUTE 25   /* a leaf of so few is one bucket; more have 5/4 the room: for a sample */
#define SPTI_STAB 4     /* boxes of a stripe that a line across it meets, about */
#define SPTI_BUDGET 24  /* tests a box that a leaf may take, and 8 more a pair */
#define SPTI_ENDLESS ((spt_i32)0x3FFFFFFFL) /* a budget for more tests than there can be */
#define SPTI_CROWDED (-99) /* neither done nor an error: the leaf takes too many tests */
#define SPTI_PASSED 4   /* a spti_frame.child: there is no next, as no cell has more children */

SPTI_STATIC_ASSERT(hit_has_two_positions, SPTI_LEAF * 2 < 65536L);

typedef struct spti_entry { /* 20 bytes; 40 with double */
    spt_box box;
    spt_i32 id;             /* index in the caller's array; a second follows the first */
} spti_entry;

typedef struct spti_range { /* entries lo .. hi-1, or the entries of refs lo .. hi-1 */
    const spt_i32 *refs;    /* indices of entries, and SPTI_BEFORE_...; NULL: the entries */
    spt_i32 lo, hi;
} spti_range;

typedef struct spti_tree { /* cells, and where the entries of each are */
    spti_map map;
    spt_box cells;         /* the area they divide; cells at its border reach on without end */
    int bits[2];           /* 2^bits[0] by 2^bits[1] finest cells */
    int levels;            /* of cells below the root: the larger of the two bits */
    spt_i32 total;         /* number of entries, or of refs */
    const spt_i32 *refs;   /* sorted into the cells; NULL: the entries are */
    spt_i32 *starts[2];    /* by set and rank: the first entry; one more for the end */
    spti_u16 nodes[SPTI_BITS + 1]; /* cells of a subtree, by levels below its root */
} spti_tree;

typedef struct spti_frame { /* a cell on the path from the root; index 0 and 1: the sets */
    const spti_tree *tree;
    spt_u32 rank, x, y;     /* x, y: on its level */
    int up;                 /* levels below it */
    int child;              /* the next to walk; SPTI_PASSED: none */
    int listed;             /* 1: list has the boxes from outside that reach into the cell */
    spti_range list[2];     /* on the collision stack */
    spt_i32 top;            /* where the stack is free */
} spti_frame;

typedef struct spti_place { /* of a box in a leaf */
    spt_u32 span;           /* its bucket and, << 16, the bucket of its far edge in this stripe */
    spt_u32 more;           /* further stripes that it reaches into */
} spti_place;

typedef struct spti_stripes { /* how the boxes of a leaf are put in order */
    spt_box cells;         /* the area divided; boxes beyond it fall in the outermost buckets */
    spti_map map;          /* to buckets along an axis, and to stripes across */
    int along;             /* the axis of the buckets: 0 or 1 */
    int bits[2];           /* by axis: 2^bits buckets in a stripe, or stripes */
    spt_u32 step;          /* added to a spti_place.span: its buckets in the next stripe */
} spti_stripes;

typedef struct spti_refs { /* on the stack: lo .. hi-1 */
    spt_i32 lo, hi;
} spti_refs;

typedef struct spti_task { /* of a scan */
    spti_refs spans, starts;
    int axis;               /* SPTI_ALONG_... */
} spti_task;

typedef struct spti_pair_sink { /* takes the pairs that sweeps find */
    const spt_filter *filter;
    const spt_u32 *changes; /* of the index whose elements these are, or NULL */
    spt_i32 second;         /* the first id of the second set; 0: there is none */
    spt_i32 *hits, hits_room; /* pairs of places, before they are pairs of ids; tests at a time */
    spt_intlist *out;       /* gets the pairs; NULL: they are only counted */
    spt_i32 *count, counted; /* the number of pairs; the counter if out is NULL: see spti_counter */
#ifdef SPTI_GROWS
    int limited;            /* 1: out must not grow; pairs without room there are only counted */
#endif
} spti_pair_sink;

typedef struct spti_walk { /* of a call, or of a worker: its boxes, its pairs, its scratch */
    const spti_boxes *boxes[2]; /* of a call, by set */
    spti_entry *entries;    /* by rank */
    spt_i32 *stack, *next;  /* the collision stack: refs; next: counts by rank, see spti_load */
    spt_i32 end, full;      /* where lists of cells that are not leaves end; its size */
    spti_tree *trees;
    int tree, most_trees;   /* the innermost of the trees; room for so many */
    spt_i32 *starts;        /* of trees within leaves, 2 SPTI_RANKS(SPTI_LEAF_BITS) for each */
    spt_i32 growth;         /* refs that further trees within a leaf of the first tree may have */
    spti_frame *frames;
    int depth;              /* of the current cell: frames[depth] */
    spti_u16 *ranks[2];     /* by axis and finest cell: the part that it adds to a rank */
    spti_u16 *keys;         /* ranks of the boxes of a set */
    spt_i32 leaf, room;     /* most boxes of a leaf; room: each counted in each of its stripes */
    spti_stripes stripes;   /* of the current leaf */
    spti_sweep sweep;       /* a leaf in order */
    spti_place *places;
    spt_i32 *begins[2];     /* by set and bucket: its first place; one more for the end */
    int sets;               /* 2: tested against each other; 1: tested against itself */
    int most_tasks;         /* of the scan: room for them in the memory of spans and begins */
    spti_pair_sink to;
} spti_walk;

/* ============================================================================================== */
/* RANKS - PRIVATE                                                                           >>ranks

   A sample of boxes goes in, a tree of cells comes out. Then the cells of the corners of a box go
   in, and the preorder rank of the smallest cell around them comes out: the sum of two look-ups. */

/* The most ranks of a tree with 2^bits finest cells, and one for the end. */
#define SPTI_RANKS(bits) (((spt_u32)2 << (bits)) + 1)

/* 1 if cells with up + 1 levels below them are halved along this axis. */
#define SPTI_HALVED(tree, axis, up) ((up) < (tree)->bits[axis])
#define SPTI_SUBCELLS(tree, up) ((1 + SPTI_HALVED(tree, 0, up)) * (1 + SPTI_HALVED(tree, 1, up)))

/* 1 more than the mean size of m boxes along an axis of 2^16 cells. */
static spt_u32 spti_mean_size(const spti_axis *axis, const spt_coord *min, const spt_coord *max,
                              spt_i32 m)
{
    spt_u32 size = (spt_u32)m;
    spt_i32 k;
    for (k = 0; k < m; k++) size += spti_cell(axis, max[k]) - spti_cell(axis, min[k]);
    return size / (spt_u32)m;
}

/* Lays at most 2^bits cells over the extent of a sample of m boxes, whose edges get sorted: as many
   along each axis as cut the fewest boxes, and not so many that a box is cut more than `cuts` times
   on average. starts[0] has room for 2 SPTI_RANKS(bits). */
static void spti_tree_init(spti_tree *tree, const spti_soa *sample, spt_i32 m, int bits, int cuts)
{
    spti_axis *axes[2];
    spt_coord *min[2], *max[2], origin[2];
    spti_dist extent[2];
    spt_u32 size[2], best;
    int a, x = 0;
    min[0] = sample->min_x, min[1] = sample->min_y;
    max[0] = sample->max_x, max[1] = sample->max_y;
    axes[0] = &tree->map.x, axes[1] = &tree->map.y;
    for (a = 0; a < 2; a++) {
        origin[a] = 0;
        extent[a] = m > 0 ? spti_extent(min[a], max[a], m, &origin[a]) : 0;
        spti_axis_init(axes[a], origin[a], extent[a], 16);
        size[a] = (spt_u32)1 << 16;
        if (m > 0 && extent[a] > 0) size[a] = spti_mean_size(axes[a], min[a], max[a], m);
    }
    do {
        best = 0xFFFFFFFFUL;
        for (a = 0; a <= bits; a++) {
            spt_u32 cut = (size[0] << a) + (size[1] << (bits - a));
            if (cut < best) best = cut, x = a;
        }
        tree->bits[0] = x, tree->bits[1] = bits - x;
    } while (best > (spt_u32)cuts << 16 && bits-- > 0);
    tree->levels = SPTI_MAX(tree->bits[0], tree->bits[1]);
    tree->nodes[0] = 1;
    for (a = 0; a < tree->levels; a++)
        tree->nodes[a + 1] = (spti_u16)(1 + (spt_u32)SPTI_SUBCELLS(tree, a) * tree->nodes[a]);
    tree->starts[1] = tree->starts[0] + tree->nodes[tree->levels] + 1;
    for (a = 0; a < 2; a++) spti_axis_init(axes[a], origin[a], extent[a], tree->bits[a]);
    tree->cells.min_x = origin[0], tree->cells.min_y = origin[1];
    tree->cells.max_x = (spt_coord)((spti_dist)origin[0] + extent[0]);
    tree->cells.max_y = (spt_coord)((spti_dist)origin[1] + extent[1]);
}

/* Fills the two tables: the rank of a finest cell is the sum of one look-up by x and one by y. */
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

/* Returns the most boxes of a leaf where there are n. */
static spt_i32 spti_leaf_for(spt_i32 n)
{
    const spt_i32 leaf = SPTI_MIN(n / 4, SPTI_LEAF), least = SPTI_MIN(n, SPTI_LEAF_LEAST);
    return SPTI_MAX(leaf, least);
}

/* Returns the bits of a tree for n boxes, which has no more levels; 0 if one leaf is enough. */
static int spti_bits_for(spt_i32 n)
{
    int bits = spti_bits((spt_u32)(n / SPTI_CELL));
    return n <= spti_leaf_for(n) ? 0 : SPTI_MIN(bits, SPTI_BITS);
}

/* Chooses the cells of the first tree by a sample of the boxes, and fills its rank tables. */
static void spti_first_tree(const spti_walk *w)
{
    spt_i32 m = 0, n, k;
    spt_box copy;
    int s;
    for (s = 0; s < w->sets; s++) {
        n = SPTI_MIN(spti_samples(w->boxes[s]->count), w->room / w->sets);
        for (k = 0; k < n; k++) {
            const spt_box *box = spti_sample(w->boxes[s], k, n, &copy);
            if (box && spt_box_valid(box)) spti_soa_put(&w->sweep.soa, m++, box);
        }
    }
    spti_tree_init(w->trees, &w->sweep.soa, m, spti_bits_for(w->trees->total), 1);
    spti_rank_tables(w, w->trees);
}

/* Returns the rank of the smallest cell that holds all of these: by the upper bits they share. */
SPTI_INLINE spt_u32 spti_rank(const spti_walk *w, const spti_cells *c)
{
    const int up = spti_bits((c->x0 ^ c->x1) | (c->y0 ^ c->y1));
    return (spt_u32)w->ranks[0][c->x0 >> up << up] + w->ranks[1][c->y0 >> up << up] - (spt_u32)up;
}

/* ============================================================================================== */
/* SWEEP - PRIVATE                                                                           >>sweep

   The boxes of a leaf go in, pairs come out. Between, a counting sort within the cache puts the
   boxes in order, by stripes and in each stripe by buckets along it, the last for padding:

       bucket     | 0     | 1 | 2   | 3   | 4 | 5   |       0 .. 2: a stripe; 3 .. 5: the next one
       soa        | a   b | c | . . | d   | e | . . |       . : padding
       begins     [0]     [1] [2]   [3]   [4] [5]   [6]

   Each box is tested against those behind it, by vectors, as far as the bucket of its far edge
   ends. With two sets it is tested against the other one: from its own bucket on if it is of the
   first set, else from the next one on. A box that reaches into several stripes is in each of them,
   from the second on with a BEFORE bit: stripes need no other rule than cells do. */

/* Chooses stripes for n boxes. size: their mean sizes by axis, in 65536ths of the extent of a
   sample. There are so many stripes that a line across one meets about SPTI_STAB boxes, but fewer
   than would put every fourth box into two. The axis is the one of lower cost: copies of a box, in
   256ths, times vector steps for each, in 16ths. */
static void spti_stripes_choose(spti_stripes *s, spt_u32 n, const spt_u32 *size)
{
    const int bits = spti_bits(n) - 1;
    spt_u32 best = 0xFFFFFFFFUL, stab, across, steps, cost;
    int axis, k;
    for (axis = 0; axis < 2; axis++) {
        stab = n * size[axis] >> 16, across = size[1 - axis];
        for (k = 0; stab >> k > SPTI_STAB && across << (k + 1) < 0x4000; k++)
            if ((spt_u32)2 << k > n / 64 + 1) break;
        steps = stab * 32 >> k; /* of 8 tests */
        cost = (256 + (across << k >> 8)) * ((256 + (steps < 256 ? 256 : steps)) >> 4);
        if (cost >= best) continue;
        best = cost, s->along = axis;
        s->bits[axis] = bits - k, s->bits[1 - axis] = k;
    }
}

/* Cuts off the part of box a beyond box b. */
SPTI_SHARED void spti_box_cut(spt_box *a, const spt_box *b)
{
    if (a->min_x < b->min_x) a->min_x = b->min_x;
    if (a->min_y < b->min_y) a->min_y = b->min_y;
    if (a->max_x > b->max_x) a->max_x = b->max_x;
    if (a->max_y > b->max_y) a->max_y = b->max_y;
}

/* Returns box i of all boxes in the ranges of one or two sets, two each. */
static const spt_box *spti_box_in(const spti_walk *w, const spti_range *ranges, spt_i32 i)
{
    for (; i >= ranges->hi - ranges->lo; ranges++) i -= ranges->hi - ranges->lo;
    i += ranges->lo;
    return &w->entries[ranges->refs ? ranges->refs[i] & SPTI_ID : i].box;
}

/* Chooses stripes for n boxes by a sample. */
static void spti_stripes_init(spti_walk *w, const spti_range *ranges, spt_i32 n)
{
    spti_stripes *s = &w->stripes;
    const spti_soa *soa = &w->sweep.soa;
    const spt_i32 m = n > SPTI_BRUTE ? 32 : 1;
    spt_u32 size[2];
    spt_i32 k;
#ifndef SPATIAL_INT
    static const spt_box finite = {-SPTI_COORD_MAX / 4, -SPTI_COORD_MAX / 4, SPTI_COORD_MAX / 4,
                                   SPTI_COORD_MAX / 4};
#endif
    spti_box_clear(&s->cells);
    for (k = 0; k < m; k++) {
        const spt_box *box = spti_box_in(w, ranges, (2 * k + 1) * n / 64);
        spti_soa_put(soa, k, box);
        spti_box_add(&s->cells, box);
    }
#ifndef SPATIAL_INT
    spti_box_cut(&s->cells, &finite);
#endif
    s->along = s->bits[0] = s->bits[1] = 0;
    if (m == 1) return;
    spti_map_init(&s->map, &s->cells, 16, 16);
    size[0] = spti_mean_size(&s->map.x, soa->min_x, soa->max_x, m);
    size[1] = spti_mean_size(&s->map.y, soa->min_y, soa->max_y, m);
    spti_stripes_choose(s, (spt_u32)n, size);
}

/* Notes where a box belongs and counts it there, in each of its stripes; returns place->more. */
SPTI_INLINE spt_u32 spti_leaf_note(const spti_map *map, int along, spt_u32 step,
                                   const spt_box *box, spt_i32 *counts, spti_place *place)
{
    const int across = 1 - along; /* c[across] is the cell of its lower edge */
    spt_u32 bucket, k, c[4];      /* as in spti_cells */
    spti_cells_of(map, box, (spti_cells *)(void *)c);
    place->span = c[across] * step + (c[along + 2] << 16) + c[along];
    place->more = c[across + 2] - c[across];
    bucket = place->span & 0xFFFFUL;
    for (k = place->more;; k--, bucket += step & 0xFFFFUL) {
        counts[bucket]++;
        if (k == 0) return place->more;
    }
}

/* Does the same for the boxes of a set; returns the sum of place->more. */
SPTI_APART spt_i32 spti_leaf_count(const spti_walk *w, const spti_range *ranges, spt_i32 *counts,
                                   spti_place *place)
{
    const spti_stripes *s = &w->stripes;
    const spti_entry *entries = w->entries;
    const spt_u32 step = s->step, n = (spt_u32)(step & 0xFFFFUL) << s->bits[1 - s->along];
    const int along = s->along;
    spt_u32 k, more = 0;
    spt_i32 i;
    spti_map map;
    int r;
    map = s->map; /* so that it may stay in registers */
    for (k = 0; k < n; k++) counts[k] = 0;
    for (r = 0; r < 2; r++) {
        const spt_i32 *refs = ranges[r].refs, lo = ranges[r].lo, hi = ranges[r].hi;
        for (i = lo; i < hi && refs; i++)
            more += spti_leaf_note(&map, along, step, &entries[refs[i] & SPTI_ID].box, counts,
                                   place++);
        for (; i < hi; i++)
            more += spti_leaf_note(&map, along, step, &entries[i].box, counts, place++);
    }
    return (spt_i32)more;
}

/* As spti_starts, of buckets; fills those of padding, which the kernel reads. Their spans end where
   they begin, or before: padding is tested against nothing. Returns the end. */
static spt_i32 spti_leaf_starts(const spti_walk *w, spt_i32 first, spt_i32 *counts)
{
    const spti_stripes *s = &w->stripes;
    const spt_u32 stripe = s->step & 0xFFFFUL, n = stripe << s->bits[1 - s->along];
    spt_u32 k;
    spt_i32 pad; /* where it ends; sdcc would run a loop from 0 to a constant 0 without an end */
    for (k = stripe - 1; k < n; k += stripe) {
        first = spti_starts(counts + k + 1 - stripe, stripe - 1, first);
        spti_soa_pad(&w->sweep.soa, first);
        for (pad = first + SPTI_PAD; first < pad;) w->sweep.spans[first++] = (k - 1) << 16 | k;
        counts[k] = first;
    }
    return first;
}

/* Puts a box into its stripes. id: with BEFORE bits, to which the second stripe adds `before`. */
SPTI_INLINE void spti_leaf_put(const spti_walk *w, spt_i32 *next, const spti_place *place,
                               const spt_box *box, spt_i32 id, spt_i32 before, spt_u32 step)
{
    spt_u32 span = place->span, k;
    for (k = place->more;; k--, span += step, id |= before) {
        const spt_i32 at = next[span & 0xFFFFUL]++;
        spti_soa_set(&w->sweep.soa, at, box, id);
        w->sweep.spans[at] = span;
        if (k == 0) return;
    }
}

/* Puts the boxes of a set where they belong. */
SPTI_APART void spti_leaf_place(const spti_walk *w, const spti_range *ranges, spt_i32 *next,
                                const spti_place *place)
{
    const spt_i32 before = w->stripes.along ? SPTI_BEFORE_X : SPTI_BEFORE_Y;
    const spt_u32 step = w->stripes.step;
    const spti_entry *entries = w->entries, *e;
    spt_i32 i;
    int r;
    for (r = 0; r < 2; r++) {
        const spt_i32 *refs = ranges[r].refs, hi = ranges[r].hi;
        for (i = ranges[r].lo; i < hi && refs; i++, place++) {
            e = &entries[refs[i] & SPTI_ID];
            spti_leaf_put(w, next, place, &e->box, e->id | (refs[i] & ~SPTI_ID), before, step);
        }
        for (; i < hi; i++, place++)
            spti_leaf_put(w, next, place, &entries[i].box, entries[i].id, before, step);
    }
}

/* Puts the boxes of the sets in order: set s, with padding, lies from ends[s] to ends[s + 1]. */
static void spti_leaf_sort(spti_walk *w, const spti_range *ranges, spt_i32 n, spt_i32 *ends)
{
    const spt_i32 second = ranges[0].hi - ranges[0].lo + ranges[1].hi - ranges[1].lo;
    spti_stripes *t = &w->stripes;
    spt_i32 total;
    int s;
    t->step = (((spt_u32)1 << t->bits[t->along]) + 1) * (spt_u32)0x10001UL;
    for (;; t->bits[1 - t->along]--) { /* fewer stripes, if the sample was wrong */
        SPATIAL_ASSERT(t->bits[0] >= 0 && t->bits[1] >= 0);
        spti_map_init(&t->map, &t->cells, t->bits[0], t->bits[1]);
        for (s = 0, total = n; s < w->sets; s++)
            total += spti_leaf_count(w, ranges + 2 * s, w->begins[s] + 1, w->places + s * second);
        if (total <= w->room) break;
    }
    ends[0] = ends[1] = ends[2] = 0;
    for (s = 0; s < w->sets; s++) {
        w->begins[s][0] = ends[s];
        ends[s + 1] = spti_leaf_starts(w, ends[s], w->begins[s] + 1);
        spti_leaf_place(w, ranges + 2 * s, w->begins[s] + 1, w->places + s * second);
    }
}

/* Turns n hits, which are two places each, into pairs of ids. second: the first id of the second
   set, which is taken off the larger id; or 0. */
static void spti_hits_to_pairs(const spt_i32 *ids, spt_i32 second, const spt_i32 *hit, spt_i32 n,
                               spt_i32 *pair)
{
    for (; n > 0; n--, hit++, pair += 2) {
        spti_pair_set(pair, ids[(spt_u32)*hit >> 16] & SPTI_ID, ids[*hit & 0xFFFFL] & SPTI_ID);
        pair[1] -= second;
    }
}

/* Adds the pairs of n hits that pass the filter to the list. Without a list, or where the list is
   limited and full, it counts them. With a filter, or if n do not fit, it goes one by one. */
static int spti_add_hits(const spti_pair_sink *to, const spt_i32 *ids, spt_i32 n)
{
    spt_i32 one[2], *pair = NULL, k;
    if (!to->filter && to->out) pair = SPTI_LIMITED(to, n) ? NULL : spti_list_room(to->out, n);
    if (pair) spti_hits_to_pairs(ids, to->second, to->hits, n, pair);
    if (pair || (!to->filter && !to->out)) {
        if (n > SPTI_I32_MAX - *to->count) return SPT_ERR_COUNT;
        *to->count += n;
        return SPT_OK;
    }
    for (k = 0; k < n; k++) {
        spti_hits_to_pairs(ids, (spt_i32)0, to->hits + k, (spt_i32)1, one);
        if (to->filter && !spti_filter_accepts(to->filter, to->changes, one[0], one[1])) continue;
        if (!to->out || SPTI_LIMITED(to, 1)) {
            if (*to->count == SPTI_I32_MAX) return SPT_ERR_COUNT;
        } else {
            pair = NULL; /* without a filter the list had no room for n: it is filled */
            if (to->filter || *to->count < to->out->capacity)
                pair = spti_list_room(to->out, (spt_i32)1);
            if (!pair) return spti_list_error(to->out, n - k);
            pair[0] = one[0], pair[1] = one[1] - to->second;
        }
        ++*to->count;
    }
    return SPT_OK;
}

/* Runs a sweep or, if `end` is not 0, spti_meet with these arguments, and adds the pairs.
   Each test takes 1 from the budget, each hit adds 8 to it. Returns SPTI_CROWDED when the budget
   is negative and boxes are left; the caller then drops the pairs found. */
static int spti_sweep_pairs(spti_sweep *sweep, const spti_pair_sink *to, spt_i32 from, spt_i32 end,
                            int strict)
{
    spt_i32 n, tests;
    int error = SPT_OK;
    while (sweep->lo < sweep->hi && !error) {
        if (sweep->budget < 0) return SPTI_CROWDED;
        tests = sweep->left = SPTI_MIN(sweep->budget, to->hits_room);
        n = end ? spti_meet(sweep, from, end, strict, to->hits) : spti_sweep_run(sweep, to->hits);
        tests -= sweep->left;
        SPTI_COUNT(tests);
        sweep->budget = SPTI_MIN(sweep->budget, SPTI_ENDLESS) + 8 * n - tests;
        if (n > 0) error = spti_add_hits(to, sweep->soa.id, n);
    }
    return error;
}

/* Finds the pairs of a leaf: ranges[2 * s] and the next one have the boxes of set s, n in all.
   Returns SPTI_CROWDED, without pairs, if it takes too many tests. */
static int spti_leaf_pairs(spti_walk *w, const spti_range *ranges, spt_i32 n)
{
    spti_sweep *sweep = &w->sweep;
    spt_i32 ends[3], before = *w->to.count;
    int s, error = SPT_OK;
    if (n < 2) return SPT_OK;
    spti_stripes_init(w, ranges, n);
    spti_leaf_sort(w, ranges, n, ends);
    sweep->budget = n * (n > SPTI_SMALL ? SPTI_BUDGET : SPTI_SMALL);
    for (s = 0; s < 2 && s < w->sets && !error; s++) {
        sweep->lo = ends[s], sweep->hi = ends[s + 1];
        while (sweep->soa.id[sweep->hi - 1] == SPTI_PADDING) sweep->hi--;
        sweep->starts = w->sets == 2 ? w->begins[1 - s] + s : NULL;
        sweep->stops = w->begins[w->sets - 1 - s] + 1;
        error = spti_sweep_pairs(sweep, &w->to, (spt_i32)0, (spt_i32)0, 0);
    }
    SPTI_COUNT(n);
    if (error == SPTI_CROWDED) *w->to.count = before;
    return error;
}

/* ============================================================================================== */
/* LISTS - PRIVATE                                                                           >>lists

   The path from the root to a cell goes in. Its list comes out, refs on the collision stack: boxes
   from outside that reach into it, from the list of the nearest cell above that has one, and from
   the own boxes of this one and of those between. A crowded leaf gets cells of its own.

       cell       root     child       grandchild
       own        a b      c d e       f g
       list       empty    none yet    those of a b c d e that reach into it */

/* Sets *own to the entries of set s in a cell and, with `all`, below it; returns their number. */
static spt_i32 spti_own(const spti_frame *f, int s, int all, spti_range *own)
{
    const spt_i32 *starts = f->tree->starts[s];
    own->refs = f->tree->refs;
    own->lo = starts[f->rank];
    own->hi = starts[f->rank + (all ? f->tree->nodes[f->up] : 1)];
    return own->hi - own->lo;
}

/* Pushes refs to the boxes of set s that reach into the current cell from outside, from `top` on,
   and sets *list to them. Returns the new top, or -1 if they may reach `end`. */
static spt_i32 spti_gather_outside(spti_walk *w, int s, spti_range *list, spt_i32 top, spt_i32 end)
{
    const spti_frame *f = &w->frames[w->depth], *from = f;
    const int up_x = SPTI_MIN(f->up, f->tree->bits[0]), up_y = SPTI_MIN(f->up, f->tree->bits[1]);
    const spt_u32 x0 = f->x << up_x, x1 = x0 + ((spt_u32)1 << up_x) - 1;
    const spt_u32 y0 = f->y << up_y, y1 = y0 + ((spt_u32)1 << up_y) - 1;
    spt_i32 *stack = w->stack, i, ref;
    spti_range r;
    spti_cells c;
    SPATIAL_ASSERT(stack);
    list->refs = stack, list->lo = top;
    while (!from->listed) from--;
    for (r = from->list[s];; from++) {
        for (i = r.lo; i < r.hi; i++) {
            if (top >= end) return -1;
            ref = r.refs ? r.refs[i] : i;
            spti_cells_of(&f->tree->map, &w->entries[ref & SPTI_ID].box, &c);
            ref |= (c.x0 < x0 ? SPTI_BEFORE_X : 0) | (c.y0 < y0 ? SPTI_BEFORE_Y : 0);
            stack[top] = ref; /* without a branch: the next one may overwrite it */
            top += (c.x0 <= x1) & (c.x1 >= x0) & (c.y0 <= y1) & (c.y1 >= y0);
        }
        SPTI_COUNT(r.hi - r.lo);
        if (from == f) return list->hi = top;
        (void)spti_own(from, s, 0, &r);
    }
}

/* Lists the boxes from outside that reach into the current cell; 0 if they may reach `end`. */
static int spti_list(spti_walk *w, spt_i32 end)
{
    spti_frame *f = &w->frames[w->depth];
    spt_i32 top = f->top;
    int s;
    if (f->listed) return 1;
    for (s = 0; s < w->sets && top >= 0; s++)
        top = spti_gather_outside(w, s, &f->list[s], top, end);
    if (top < 0) return 0;
    f->top = top;
    return f->listed = 1;
}

/* Drops the list of a cell, but not the list of a root, which is empty. */
static void spti_unlist(spti_frame *f)
{
    if (!f->listed || f->up == f->tree->levels) return;
    f->listed = 0, f->top = f->list[0].lo;
}

static void spti_enter_root(spti_walk *w, int tree, int depth, spt_i32 top)
{
    spti_frame *f = &w->frames[w->depth = depth];
    spti_zero(f, sizeof *f);
    f->tree = &w->trees[w->tree = tree];
    f->up = f->tree->levels, f->listed = 1, f->top = top;
}

/* Sets *box to the box of a cell, which may be endless where the cell is at the border. */
static void spti_cell_box(const spti_frame *f, int endless, spt_box *box)
{
    const spt_box *b = &f->tree->cells;
    const spt_u32 i = f->x, j = f->y;
    int x = f->tree->bits[0], y = f->tree->bits[1];
    x -= SPTI_MIN(f->up, x), y -= SPTI_MIN(f->up, y);
    box->min_x = endless && i == 0 ? spti_lowest() : spti_part(b->min_x, b->max_x, i, x);
    box->min_y = endless && j == 0 ? spti_lowest() : spti_part(b->min_y, b->max_y, j, y);
    box->max_x = endless && (i + 1) >> x ? spti_highest() : spti_part(b->min_x, b->max_x, i + 1, x);
    box->max_y = endless && (j + 1) >> y ? spti_highest() : spti_part(b->min_y, b->max_y, j + 1, y);
}

/* Replaces the list of the current leaf by refs to all its boxes, its own ones last: a range for
   each set, or two for a single set. Returns the new top. For room see spti_walk_limits. */
static spt_i32 spti_leaf_refs(spti_walk *w, spti_range *refs, int ranges)
{
    spti_frame *f = &w->frames[w->depth];
    spti_range own;
    spt_i32 top;
    int s;
    spti_unlist(f);
    for (s = 0, top = f->top; s < ranges; refs[s++].hi = top) {
        top = spti_gather_outside(w, s % w->sets, &refs[s], top, w->full);
        SPATIAL_ASSERT(top >= 0);
        (void)spti_own(f, s % w->sets, 1, &own);
        SPTI_COUNT(own.hi - own.lo);
        for (; own.lo < own.hi; own.lo++) w->stack[top++] = own.refs ? own.refs[own.lo] : own.lo;
    }
    return top;
}

#ifdef SPTI_GROWS
/* Sorts refs lo .. hi-1 of a set by rank, out of a copy at `top`, as spti_load_all sorts boxes.
   Before, the tree's starts hold 0 and then the number of refs of each rank. */
static void spti_tree_sort(const spti_walk *w, const spti_tree *tree, int s, spt_i32 lo, spt_i32 hi,
                           spt_i32 top)
{
    spt_i32 *next = tree->starts[s] + 1, *refs = w->stack, i;
    spti_cells c;
    (void)spti_starts(tree->starts[s], tree->nodes[tree->levels] + 1, lo);
    spti_copy(refs + top, refs + lo, (size_t)(hi - lo) * sizeof *refs);
    for (i = top; i < top + hi - lo; i++) {
        spti_cells_of(&tree->map, &w->entries[refs[i] & SPTI_ID].box, &c);
        refs[next[spti_rank(w, &c)]++] = refs[i];
    }
}

/* Counts the boxes of each rank, for spti_tree_sort. Returns 1 if its cells divide the boxes: each
   finest cell has fewer than `room` and at most 7/8 of all boxes, and together the finest cells
   have at most twice as many as there are. If they have more, it stops counting. */
static int spti_divides(const spti_walk *w, const spti_tree *tree, const spti_range *refs,
                        spt_i32 room)
{
    spt_i32 counts[1 << SPTI_LEAF_BITS], *ranked, copies = 0, most = 0, i;
    const int cells = 1 << (tree->bits[0] + tree->bits[1]);
    spti_cells c;
    spt_u32 x, y;
    int k, s;
    spti_rank_tables(w, tree);
    for (k = 0; k < cells; k++) counts[k] = 0;
    for (s = 0; s < w->sets; s++) {
        ranked = tree->starts[s] + 1;
        spti_zero(tree->starts[s], (tree->nodes[tree->levels] + (size_t)1) * sizeof *ranked);
        for (i = refs[s].lo; i < refs[s].hi && copies <= 2 * tree->total; i++) {
            spti_cells_of(&tree->map, &w->entries[w->stack[i] & SPTI_ID].box, &c);
            ranked[spti_rank(w, &c)]++;
            for (y = c.y0; y <= c.y1; y++)
                for (x = c.x0; x <= c.x1; x++, copies++) counts[(y << tree->bits[0]) + x]++;
        }
    }
    SPTI_COUNT(copies);
    for (k = 0; k < cells; k++) most = SPTI_MAX(most, counts[k]);
    return most < room && most <= tree->total / 8 * 7 && copies <= 2 * tree->total;
}

/* Gives the current leaf cells of its own and steps to their root. Returns 0 if that would not help
   or there is no room for another tree. */
static int spti_grow(spti_walk *w)
{
    spti_tree *tree = &w->trees[w->tree + 1];
    spti_range refs[2];
    spt_box cell, box;
    spt_i32 m, k, first, top;
    int s, bits;
    if (w->tree + 1 >= w->most_trees) return 0;
    top = spti_leaf_refs(w, refs, w->sets);
    first = w->frames[w->depth].top;
    tree->total = top - first;
    if (w->tree == 0) w->growth = SPTI_MIN(tree->total, SPTI_I32_MAX / SPTI_GROWTH) * SPTI_GROWTH;
    if (tree->total > w->growth) return 0;
    tree->refs = w->stack;
    tree->starts[0] = w->starts + w->tree * (int)(2 * SPTI_RANKS(SPTI_LEAF_BITS));
    m = spti_samples(tree->total);
    spti_cell_box(&w->frames[w->depth], 1, &cell);
    for (k = 0; k < m; k++) { /* the part of each box that is in the cell */
        box = w->entries[w->stack[first + spti_pick(k, m, tree->total)] & SPTI_ID].box;
        spti_box_cut(&box, &cell);
        spti_soa_put(&w->sweep.soa, k, &box);
    }
    bits = spti_bits((spt_u32)SPTI_MIN(tree->total / 16, (1 << SPTI_LEAF_BITS) - 1));
    do { /* finer cells than in the first tree */
        if (bits <= 0) return 0;
        spti_tree_init(tree, &w->sweep.soa, m, bits, SPTI_CUTS);
        bits = tree->bits[0] + tree->bits[1] - 1;
    } while (!spti_divides(w, tree, refs, (w->full - SPTI_MAX(top, w->end)) / 2));
    for (s = 0; s < w->sets; s++) spti_tree_sort(w, tree, s, refs[s].lo, refs[s].hi, top);
    w->growth -= tree->total;
    spti_enter_root(w, w->tree + 1, w->depth + 1, top);
    return 1;
}
#endif

/* ============================================================================================== */
/* SCAN - PRIVATE                                                                             >>scan

   A leaf that nothing divides goes in, its pairs come out, in about n log^2 n + pairs steps. Along
   an axis, a box is a span, from its lower to its upper edge, and a start, its lower edge. A task
   has some of both, and looks for spans that contain starts, along y and then along x:

       few spans, or few starts     each span is tested with each start
       some spans contain all       they leave the task. Along x, they meet all starts. Along y,
       starts                       they and the starts become two tasks along x: each group has
                                    the spans in one of them, and the starts in the other
       no span contains all starts  two tasks, each with all spans and half of the starts

   The tasks are the nodes of a segment tree along y, and in each of these of one along x, but none
   is built. (A. Zomorodian, H. Edelsbrunner, 2000.) */

#define SPTI_FEW 64 /* if spans or starts are so few, all are tested */
#define SPTI_ALONG_X 0
#define SPTI_ALONG_Y 1
#define SPTI_ALONG_X_TURNED 2 /* along x; the spans are boxes that were starts along y */

/* Returns the lower edge along an axis, or the `upper` one, of the box of ref i on the stack. */
static spt_coord spti_scan_edge(const spti_walk *w, spt_i32 i, int axis, int upper)
{
    return SPTI_EDGE(&w->entries[w->stack[i] & SPTI_ID].box, axis == SPTI_ALONG_Y, upper);
}

/* Moves refs of boxes that, along an axis, begin in first .. last and end at or after `end` to the
   front of range r of the stack. Returns where in the stack the others begin. */
static spt_i32 spti_scan_divide(const spti_walk *w, const spti_refs *r, int axis, spt_coord first,
                                spt_coord last, spt_coord end)
{
    spt_i32 *refs = w->stack, lo = r->lo, i, ref;
    SPTI_COUNT(r->hi - r->lo);
    for (i = lo; i < r->hi; i++) {
        const spt_coord start = spti_scan_edge(w, i, axis, 0);
        if (start >= first && start <= last && spti_scan_edge(w, i, axis, 1) >= end)
            ref = refs[i], refs[i] = refs[lo], refs[lo++] = ref;
    }
    return lo;
}

/* Moves refs of some kinds to the front likewise. kinds: bit k for kind k; see spti_leaf_scan. */
static spt_i32 spti_scan_pick(const spti_walk *w, const spti_range *r, int kinds)
{
    spt_i32 *refs = w->stack, lo = r->lo, i, ref;
    for (i = r->lo; i < r->hi; i++)
        if (kinds >> (int)(refs[i] >> 29) & 1) ref = refs[i], refs[i] = refs[lo], refs[lo++] = ref;
    return lo;
}

/* Copies the boxes of refs lo .. hi-1 to places from `at` on, for the kernel. With only_x or
   only_y, a box becomes its start along this axis: its upper edge is where its lower one is. */
static void spti_scan_load(const spti_walk *w, spt_i32 at, spt_i32 lo, spt_i32 hi, int only_x,
                           int only_y)
{
    const spti_soa *soa = &w->sweep.soa;
    for (; lo < hi; lo++, at++) {
        const spti_entry *e = &w->entries[w->stack[lo] & SPTI_ID];
        spti_soa_set(soa, at, &e->box, e->id);
        if (only_x) soa->max_x[at] = e->box.min_x;
        if (only_y) soa->max_y[at] = e->box.min_y;
    }
}

/* Tests all spans of a task with all starts, as many at a time as there is room for. */
static int spti_scan_all(spti_walk *w, const spti_task *t)
{
    const int turned = t->axis == SPTI_ALONG_X_TURNED; /* a: boxes that are spans along y */
    const spti_refs *a = turned ? &t->starts : &t->spans, *b = turned ? &t->spans : &t->starts;
    spt_i32 most = w->room / 2, i, j, n, end; /* n of a are loaded, then those of b, up to `end` */
    int error = SPT_OK;
    for (i = a->lo; i < a->hi && !error; i += most) {
        n = SPTI_MIN(a->hi - i, most);
        spti_scan_load(w, (spt_i32)0, i, i + n, turned, 0);
        for (j = b->lo; j < b->hi && !error; j += most) {
            end = n + SPTI_MIN(b->hi - j, most);
            spti_scan_load(w, n, j, j + end - n, t->axis == SPTI_ALONG_X, 1);
            spti_soa_pad(&w->sweep.soa, end);
            w->sweep.lo = 0, w->sweep.hi = n, w->sweep.budget = SPTI_ENDLESS;
            error = spti_sweep_pairs(&w->sweep, &w->to, n, end, turned);
        }
    }
    return error;
}

/* Sets *whole to all starts and the spans that contain them all; the task keeps spans that may
   contain some. Drops those that end before or begin after all starts. Returns the last start. */
static spt_coord spti_scan_take(const spti_walk *w, spti_task *t, spti_task *whole)
{
    spt_coord lowest = spti_lowest(), first = spti_highest(), last = lowest, start;
    spt_i32 i;
    for (i = t->starts.lo; i < t->starts.hi; i++) {
        start = spti_scan_edge(w, i, t->axis, 0);
        first = SPTI_MIN(first, start), last = SPTI_MAX(last, start);
    }
    SPTI_COUNT(t->starts.hi - t->starts.lo);
    spti_copy(whole, t, sizeof *t);
    whole->spans.hi = t->spans.lo = spti_scan_divide(w, &t->spans, t->axis, lowest, first, last);
    t->spans.hi = spti_scan_divide(w, &t->spans, t->axis, lowest, last, first);
    return last;
}

/* Moves about half of the starts of a task to t[1]: those up to the median or, if the median is the
   last start, all that are equal to it. Both tasks have the same spans. */
static void spti_scan_halve(const spti_walk *w, spti_task *t, spt_coord last)
{
    spt_i32 n = t->starts.hi - t->starts.lo, m = spti_samples(n), first = t->starts.lo, k;
    spt_coord *sample = w->sweep.soa.min_x, middle, lowest = spti_lowest();
    for (k = 0; k < m; k++) sample[k] = spti_scan_edge(w, first + spti_pick(k, m, n), t->axis, 0);
    spti_sort_sample(sample, (int)m);
    middle = sample[(m - 1) / 2]; /* about the median */
    spti_copy(&t[1], t, sizeof *t);
    t->starts.lo = t[1].starts.hi = spti_scan_divide(
        w, &t->starts, t->axis, middle < last ? lowest : last, middle, lowest);
}

/* Does a task, and all tasks that it becomes. They lie on a stack, the array `tasks`. */
static int spti_scan_task(spti_walk *w, spti_task *tasks)
{
    spti_task *t, whole;
    spt_coord last;
    int n = 1, error = SPT_OK;
    while (n > 0 && !error) {
        t = &tasks[n - 1];
        if (t->spans.hi - t->spans.lo <= SPTI_FEW || t->starts.hi - t->starts.lo <= SPTI_FEW ||
            n + 2 > w->most_tasks) { /* no room for two more */
            error = spti_scan_all(w, t), n--;
            continue;
        }
        last = spti_scan_take(w, t, &whole);
        if (whole.spans.lo == whole.spans.hi) {
            spti_scan_halve(w, t, last), n++;
        } else if (t->axis != SPTI_ALONG_Y) {
            error = spti_scan_all(w, &whole); /* they meet; but see spti_meet for ties */
        } else {
            spti_copy(&t[1], &whole, sizeof whole), n += 2;
            t[1].axis = SPTI_ALONG_X, t[2].axis = SPTI_ALONG_X_TURNED;
            spti_copy(&t[2].spans, &whole.starts, sizeof whole.starts);
            spti_copy(&t[2].starts, &whole.spans, sizeof whole.spans);
        }
    }
    return error;
}

/* Finds the pairs of the current leaf, whatever boxes it has. Spans are of one set, starts of the
   other; a single set is both. Boxes are of four kinds, by their two BEFORE bits (kind 3 has both).
   Kinds that share a bit are no pairs of this leaf. Others meet, each as the spans of the other:

       spans of kinds     0          1 2 3    1    2    as bits: spans_of
       starts of kinds    0 1 2 3    0        2    1             starts_of */
SPTI_APART int spti_leaf_scan(spti_walk *w)
{
    static const unsigned char spans_of[4] = {1, 2 + 4 + 8, 2, 4};
    static const unsigned char starts_of[4] = {1 + 2 + 4 + 8, 1, 4, 2};
    spti_task *tasks = (spti_task *)(void *)w->sweep.spans; /* and w->begins behind it: unused */
    spti_range refs[2];
    int s, k, error = SPT_OK;
    (void)spti_leaf_refs(w, refs, 2);
    for (s = 0; s < w->sets; s++)
        for (k = 0; k < 4 && !error; k++) {
            tasks->spans.lo = refs[s].lo, tasks->starts.lo = refs[1 - s].lo;
            tasks->spans.hi = spti_scan_pick(w, &refs[s], spans_of[k]);
            tasks->starts.hi = spti_scan_pick(w, &refs[1 - s], starts_of[k]);
            tasks->axis = SPTI_ALONG_Y;
            error = spti_scan_task(w, tasks);
        }
    return error;
}

/* ============================================================================================== */
/* WALK - PRIVATE                                                                             >>walk

   Ranks from .. to-1 go in, the pairs of the leaves among them come out. Walks depth first through
   the cells, down to leaves, and chooses how a leaf is searched. */

/* Finds the pairs of the current cell, a leaf. If the sweep takes too many tests, its children are
   walked; if it has none, it gets cells of its own or, if these would not help, is scanned. */
static int spti_leaf_visit(spti_walk *w)
{
    spti_frame *f = &w->frames[w->depth];
    spti_range ranges[4]; /* of each set: boxes from outside, and boxes inside */
    spt_i32 n = 0, of_set;
    int s, error;
    (void)spti_list(w, w->full); /* there is room: see spti_walk_limits */
    for (s = 0; s < w->sets; s++) {
        ranges[2 * s] = f->list[s];
        of_set = f->list[s].hi - f->list[s].lo + spti_own(f, s, 1, &ranges[2 * s + 1]);
        if (of_set == 0) return SPT_OK;
        n += of_set;
    }
    error = n <= w->leaf ? spti_leaf_pairs(w, ranges, n) : SPTI_CROWDED;
    if (error != SPTI_CROWDED) return error;
    if (f->up > 0) {
        if (f->top > w->end) spti_unlist(f); /* lists of cells that are not leaves end there */
        f->child = 0;
        return SPT_OK;
    }
#ifdef SPTI_GROWS
    if (spti_grow(w)) return SPT_OK;
#endif
    return spti_leaf_scan(w);
}

/* Steps to the next child of the current cell, or of the first above that has one; else 0. */
static int spti_next_cell(spti_walk *w)
{
    spti_frame *f = &w->frames[w->depth], *c;
    const spti_tree *tree;
    int up, q, wide, high;
    for (; f->up == 0 || f->child >= SPTI_SUBCELLS(f->tree, f->up - 1); f--) {
        if (w->depth-- == 0) return 0;
        if (f->up == f->tree->levels) w->tree--;
    }
    tree = f->tree, up = f->up - 1, q = f->child++;
    wide = SPTI_HALVED(tree, 0, up), high = SPTI_HALVED(tree, 1, up);
    c = &w->frames[++w->depth];
    c->tree = tree;
    c->rank = f->rank + 1 + (spt_u32)q * tree->nodes[up];
    c->x = (f->x << wide) + (spt_u32)(q & wide);
    c->y = (f->y << high) + (spt_u32)(q >> wide);
    c->up = up;
    c->child = c->listed = 0;
    c->top = f->top;
    return 1;
}

/* 1 if the children of the current cell are to be walked, 0 if it has few boxes and is a leaf. A
   cell above the finest with more than w->leaf entries inside is no leaf: see spti_crew_cuts. */
static int spti_is_branch(spti_walk *w)
{
    const spti_frame *f = &w->frames[w->depth];
    const int listed = f->up > 0 && spti_list(w, w->end);
    spti_range own;
    spt_i32 n = 0;
    int s;
    for (s = 0; s < w->sets; s++)
        n += spti_own(f, s, 1, &own) + (listed ? f->list[s].hi - f->list[s].lo : 0);
    return f->up > 0 && n > w->leaf;
}

/* Finds the pairs of all leaves of ranks from .. to-1; returns their number, or an error: none. */
static spt_i32 spti_walk_pairs(spti_walk *w, spt_u32 from, spt_u32 to, spt_intlist *out)
{
    spti_frame *f;
    int elsewhere, error = SPT_OK;
    w->to.out = out;
    w->to.count = spti_counter(out, &w->to.counted);
    spti_enter_root(w, 0, 0, (spt_i32)0);
    do {
        f = &w->frames[w->depth];
        elsewhere = w->tree == 0 && (f->rank >= to || f->rank + f->tree->nodes[f->up] <= from);
        if (!elsewhere && spti_is_branch(w)) continue;
        f->child = SPTI_PASSED;
        if (!elsewhere) error = spti_leaf_visit(w);
    } while (!error && spti_next_cell(w));
    return spti_results(w->to.count, error);
}

/* ============================================================================================== */
/* SCRATCH - PRIVATE                                                                       >>scratch

   This section places the memory that a call works with in one block; a | b: a, and later b.

       walk, entries, starts, [keys, ranks | stack], trees, frames, a leaf in order, [places | hits]
       and of workers: crew, their walks; then, for each but the first, all from the stack on */

/* Sets how much of each piece of memory a call with n boxes uses. It follows from n alone, also if
   the memory was made for more boxes: otherwise the order of pairs would depend on earlier calls.
   Lists of cells that are not leaves end at w->end. Behind it there is room for two copies of all
   boxes of a leaf, to scan or sort them: enough, by spti_divides, also for leaves within leaves. */
static void spti_walk_limits(spti_walk *w, spt_i32 n)
{
    w->leaf = spti_leaf_for(n);
    w->room = w->leaf + w->leaf / 4;
    w->end = n > SPTI_SMALL ? n + n / 2 : (spt_i32)0;
    w->full = w->end + 2 * n + 1;
    w->to.hits_room = SPTI_MIN(w->room, 512);
    w->most_tasks = (int)((size_t)(w->room + 2 * w->leaf) * sizeof(spt_i32) / sizeof(spti_task));
    w->most_trees = 1;
#ifdef SPTI_GROWS
    if (n > SPTI_SMALL) w->most_trees = spti_bits((spt_u32)(n / SPTI_SMALL)) + SPTI_TREES;
#endif
}

/* Places the arrays of a walk over n boxes in the block, from byte `used` on: all except the
   entries and the starts of the first tree. Without a block only adds up their sizes. Returns the
   byte behind the last array, or 0 if that is too large. */
static size_t spti_walk_init(spti_walk *w, unsigned char *block, size_t used, spt_i32 n)
{
    const int bits = spti_bits_for(n), inner = n > SPTI_SMALL ? SPTI_LEAF_BITS : 0;
    const spt_u32 ranks = SPTI_RANKS(SPTI_MAX(bits, inner));
    spt_u32 more, pads;
    size_t front;
    int s;
    spti_walk_limits(w, n);
    more = (spt_u32)w->most_trees - 1;
    pads = 2 * SPTI_PAD * ((spt_u32)w->leaf / 64 + 1); /* behind each stripe, of two sets */
    /* The ranks lie there only if there are no trees within leaves, which need them later. */
    front = used;
    w->keys = SPTI_PIECE(block, &front, n, spti_u16);
    w->stack = SPTI_PIECE(block, &used, n > SPTI_SMALL ? w->full : 0, spt_i32);
    if (more > 0) front = used;
    for (s = 0; s < 2; s++) w->ranks[s] = SPTI_PIECE(block, &front, ranks, spti_u16);
    if (front > used) used = front;
    w->trees = SPTI_PIECE(block, &used, w->most_trees, spti_tree);
    w->frames = SPTI_PIECE(block, &used, bits + 1 + (int)more * (inner + 1), spti_frame);
    w->starts = SPTI_PIECE(block, &used, more * 2 * SPTI_RANKS(SPTI_LEAF_BITS), spt_i32);
    spti_soa_piece(&w->sweep.soa, block, &used, (spt_u32)w->room + pads);
    w->sweep.spans = SPTI_PIECE(block, &used, (spt_u32)w->room + pads, spt_u32);
    for (s = 0; s < 2; s++)
        w->begins[s] = SPTI_PIECE(block, &used, w->leaf + w->leaf / 64 + 2, spt_i32);
    front = used;
    w->places = SPTI_PIECE(block, &used, w->leaf, spti_place);
    w->to.hits = SPTI_PIECE(block, &front, (spt_u32)(w->to.hits_room + w->room) + pads + SPTI_PAD,
                         spt_i32);
    if (front > used) used = front;
    return used <= SPTI_SIZE_MAX / 2 ? used : 0; /* no larger objects: offsets are signed */
}

/* Places the walk of a call, at the beginning of the block, and all its arrays for n boxes. Without
   a block only adds up their sizes. Returns the bytes needed, or 0 if they are too many. */
static size_t spti_call_init(unsigned char *block, spt_i32 n)
{
    spti_walk measured, *w;
    spt_i32 *starts;
    size_t used = 0;
    if (n > SPTI_ID) return 0; /* the bits above are BEFORE_X and BEFORE_Y */
    w = SPTI_PIECE(block, &used, 1, spti_walk);
    if (!w) w = &measured;
    w->entries = SPTI_PIECE(block, &used, n, spti_entry);
    starts = SPTI_PIECE(block, &used, 2 * SPTI_RANKS(spti_bits_for(n)), spt_i32);
    used = spti_walk_init(w, block, used, n);
    if (block) w->trees->starts[0] = starts;
    return used;
}

#ifdef SPTI_GROWS
typedef struct spti_crew { /* shared by the jobs of a call */
    spti_walk *walks;      /* by worker, with own scratch; the first uses the call's scratch */
    spti_u16 cuts[SPTI_PARTS + 1]; /* the first rank of each part, and the end */
    spti_team team;
} spti_crew;

/* Places copies of the call's walk for several workers behind its arrays, from byte `used` on, each
   but the first with arrays of its own for n boxes. Without a block only adds up the sizes. Returns
   the bytes needed, or 0 if they are too many. */
static size_t spti_crew_init(unsigned char *block, size_t used, spt_i32 n, int workers)
{
    spti_walk measured, *walks;
    spti_crew *crew;
    int k;
    if (workers < 2 || used == 0) return used;
    crew = SPTI_PIECE(block, &used, 1, spti_crew);
    walks = SPTI_PIECE(block, &used, workers, spti_walk);
    for (k = 0; k < workers && used > 0; k++) {
        if (block) spti_copy(&walks[k], block, sizeof measured);
        if (k > 0) used = spti_walk_init(block ? &walks[k] : &measured, block, used, n);
    }
    if (block) crew->walks = walks;
    return used;
}
#define SPTI_SCRATCH(n, workers)                                                                   \
    spti_crew_init(NULL, spti_call_init(NULL, n), n, spti_workers_for(&(workers), n))
#else
#define SPTI_SCRATCH(n, workers) spti_call_init(NULL, n)
#endif

/* Gives the scratch back; the next call makes it again. */
SPTI_SHARED void spti_scratch_free(spt_broadphase *bp)
{
    spti_free(&bp->allocator, bp->block, bp->bytes);
    bp->block = NULL, bp->bytes = 0, bp->capacity = 0;
}

/* Makes the scratch large enough for n boxes. */
static int spti_broadphase_reserve(spt_broadphase *bp, spt_i32 n)
{
    spt_i32 capacity = bp->capacity + bp->capacity / 4;
    void *block;
    if (n <= bp->capacity) return SPT_OK;
    if (bp->fixed) return SPT_ERR_FULL;
    if (capacity < n || SPTI_SCRATCH(capacity, bp->workers) == 0) capacity = n;
    block = spti_renew(&bp->allocator, bp->block, &bp->bytes, SPTI_SCRATCH(capacity, bp->workers));
    if (!block) return SPT_ERR_MEMORY;
    bp->block = (unsigned char *)block;
    bp->capacity = capacity;
    return SPT_OK;
}

/* ============================================================================================== */
/* ENTRIES - PRIVATE                                                                       >>entries

   Boxes go in; a counting sort makes them entries in the order of their ranks; then the walk, by
   workers if any, finds the pairs. The first step of the sort ranks and counts boxes, the second
   loads them to where each rank begins. Workers do both for a part of an array each; elements of an
   index are loaded by one thread. */

/* Returns the boxes of a source from place *i to to-1: all of an array, or those of the next eight,
   copied. Sets *n to their number and, of an eight, *ids to their ids; steps *i behind them. */
SPTI_INLINE const spt_box *spti_boxes_next(const spti_boxes *boxes, spt_i32 *i, spt_i32 to,
                                           spt_i32 *n, const spt_i32 **ids, spt_box *copy)
{
#ifdef SPTI_INDEX
    if (!boxes->first) {
        const spti_eight *eight = spti_eight_at(boxes, *i, ids);
        const spt_i32 most = SPTI_MIN(to - *i, 8);
        for (*n = 0; *n < most && (*ids)[*n] >= 0; ++*n) spti_eight_box(eight, (int)*n, &copy[*n]);
        *i += 8;
        return copy;
    }
#endif
    (void)ids, (void)copy;
    *n = to - *i, *i = to;
    return boxes->first + (to - *n);
}

typedef struct spti_load { /* of a set; shared by its jobs: each loads a range of places */
    const spti_walk *w;
    spti_walk *walks;      /* NULL: there is one part; else part k counts in walks[k].next */
    int s, parts, put;     /* put: 1: this is the second step */
} spti_load;

/* Goes over the boxes at places from .. to-1. The first step stores their ranks in keys and counts
   each rank in next, or returns an error if a box is not valid. The second loads the boxes of rank
   r to the entries from next[r] on, which it steps. */
SPTI_INLINE int spti_load_some(const spti_load *l, spt_i32 from, spt_i32 to, spt_i32 *next, int put)
{
    const spti_walk *w = l->w;
    const spt_i32 *ids = NULL;
    spti_u16 *key = w->keys + from;
    const spt_box *box;
    spt_box copy[8];
    spti_map map;
    spti_cells c;
    spti_entry *e;
    spt_i32 id = l->s ? w->to.second + from : from, n;
    map = w->trees->map; /* so that it may stay in registers */
    if (!put) spti_zero(next, w->trees->nodes[w->trees->levels] * sizeof *next);
    while (from < to)
        for (box = spti_boxes_next(w->boxes[l->s], &from, to, &n, &ids, copy); n > 0; n--, box++) {
            if (put) {
                e = &w->entries[next[*key++]++];
                SPTI_PREFETCH(e + 4); /* the next boxes of this rank come there */
                e->box = *box;
                e->id = ids ? *ids++ : id++;
                continue;
            }
            SPTI_PREFETCH(box + SPTI_SOON);
            if (!((box->min_x <= box->max_x) & (box->min_y <= box->max_y))) return SPT_ERR_BOX;
            spti_cells_of(&map, box, &c);
            *key = (spti_u16)spti_rank(w, &c);
            next[*key++]++;
        }
    return SPT_OK;
}

#ifdef SPTI_GROWS
/* Does a step for part i. The first count becomes -1 if a box is not valid. */
static void spti_load_job(void *arg, int i, int worker) SPT_CALLBACK
{
    const spti_load *l = (const spti_load *)arg;
    const spt_i32 n = l->w->boxes[l->s]->n, share = n / l->parts;
    const spt_i32 from = i * share, to = i < l->parts - 1 ? from + share : n;
    spt_i32 *next = l->walks[i].next;
    (void)worker;
    if (l->put) (void)spti_load_some(l, from, to, next, 1);
    else if (spti_load_some(l, from, to, next, 0)) *next = SPT_NONE;
}
#endif

/* Loads all boxes in the order of their ranks; returns an error if one is not valid. Loading moves
   next[r] from where rank r begins to where it ends and rank r + 1 begins: it is starts[r + 1].
   used: bytes of the block in front of the crew. */
SPTI_APART int spti_load_all(const spti_walk *w, const spt_broadphase *bp, size_t used)
{
    const spt_u32 ranks = w->trees->nodes[w->trees->levels];
    spt_i32 *next, first = 0;
    spti_load l;
#ifdef SPTI_GROWS
    spt_i32 n;
    spt_u32 r;
    int k;
    l.parts = spti_workers_for(&bp->workers, w->trees->total);
    (void)spti_crew_init(bp->block, used, w->trees->total, l.parts); /* for one it does nothing */
    l.walks = l.parts > 1 ? ((spti_crew *)(void *)(bp->block + used))->walks : NULL;
#endif
    (void)bp, (void)used;
    l.w = w;
    for (l.s = 0; l.s < w->sets; l.s++) {
        next = w->trees->starts[l.s];
        *next++ = first;
#ifdef SPTI_GROWS
        if (l.parts > 1 && w->boxes[l.s]->first) {
            l.put = 0;
            for (k = 1; k < l.parts; k++) l.walks[k - 1].next = l.walks[k].stack; /* still free */
            l.walks[l.parts - 1].next = next; /* the last part leaves the starts there */
            bp->workers.run(bp->workers.ctx, spti_load_job, &l, l.parts);
            for (r = 0; r < ranks; r++)
                for (k = 0; k < l.parts; k++) {
                    next = l.walks[k].next + r, n = *next;
                    if (n < 0) return SPT_ERR_BOX;
                    *next = first, first += n;
                }
            l.put = 1;
            bp->workers.run(bp->workers.ctx, spti_load_job, &l, l.parts);
            continue;
        }
#endif
        if (spti_load_some(&l, (spt_i32)0, w->boxes[l.s]->n, next, 0)) return SPT_ERR_BOX;
        first = spti_starts(next, ranks, first);
        (void)spti_load_some(&l, (spt_i32)0, w->boxes[l.s]->n, next, 1);
    }
    return SPT_OK;
}

#ifdef SPTI_GROWS
/* Makes a single cell of the tree if more than 3/8 of all boxes belong to its root, because these
   would be tested again on each level, for each child. A crowded leaf may get cells of its own. */
static void spti_tree_join(spti_tree *tree, int sets)
{
    const int end = tree->nodes[tree->levels];
    spt_i32 own = 0;
    int s;
    for (s = 0; s < sets; s++) own += tree->starts[s][1] - tree->starts[s][0];
    if (own / 3 <= tree->total / 8) return;
    tree->bits[0] = tree->bits[1] = tree->levels = 0;
    for (s = 0; s < sets; s++) tree->starts[s][1] = tree->starts[s][end];
}

/* Divides the ranks into at most `most` parts of about as many entries; none ends within a leaf. */
static void spti_crew_cuts(spti_crew *crew, spti_walk *w, spt_i32 most)
{
    const spt_i32 share = w->trees->total / most + 1;
    spti_range own;
    spt_i32 passed = 0, n;
    int parts = 1, s;
    crew->cuts[0] = 0;
    spti_enter_root(w, 0, 0, (spt_i32)0);
    do {
        spti_frame *f = &w->frames[w->depth];
        for (s = 0, n = 0; s < w->sets; s++) n += spti_own(f, s, 1, &own);
        if (f->up > 0 && n > w->leaf) continue;
        f->child = SPTI_PASSED;
        if (passed >= share * parts) crew->cuts[parts++] = (spti_u16)f->rank;
        passed += n;
    } while (spti_next_cell(w));
    crew->cuts[parts] = w->trees->nodes[w->trees->levels];
    crew->team.parts = parts;
}

static void spti_walk_job(void *arg, int i, int worker) SPT_CALLBACK
{
    spti_crew *crew = (spti_crew *)arg;
    spti_walk *w = &crew->walks[worker];
    spt_intlist list, *out;
    spt_i32 n;
    if (!spti_part_begin(&crew->team, i, worker, &list, &out)) return;
    w->to.limited = 1;
    n = spti_walk_pairs(w, crew->cuts[i], crew->cuts[i + 1], out);
    spti_part_end(&crew->team, i, worker, out, n);
}

/* Finds the pairs, by workers with scratch of their own if there are enough boxes. */
static spt_i32 spti_crew_pairs(const spt_broadphase *bp, size_t used, spt_intlist *out)
{
    spti_walk *call = (spti_walk *)(void *)bp->block;
    const int workers = spti_workers_for(&bp->workers, call->trees->total);
    spti_crew *crew = (spti_crew *)(void *)(bp->block + used);
    int k;
    call->to.limited = 0;
    for (k = 1; k < workers; k++)
        spti_copy(crew->walks[k].trees, call->trees, sizeof *call->trees);
    if (workers > 1) spti_crew_cuts(crew, call, SPTI_MIN(workers * SPTI_PARTS_EACH, SPTI_PARTS));
    if (workers < 2 || crew->team.parts < 2)
        return spti_walk_pairs(call, (spt_u32)0, (spt_u32)0xFFFFFFFFUL, out);
    crew->team.workers = &bp->workers;
    return spti_team_find(&crew->team, spti_walk_job, crew, out);
}
#endif

/* Finds all pairs within a (b is NULL), or between a and b. changes: of their index, or NULL. */
static spt_i32 spti_all_pairs(spt_broadphase *bp, const spti_boxes *a, const spti_boxes *b,
                              const spt_filter *filter, const spt_u32 *changes, spt_intlist *out)
{
    spti_walk *w;
    const spt_i32 more = b ? b->count : 0;
    spt_i32 n, found;
    size_t used;
    bp->count = 0; /* also if there is an error */
    found = spti_ask(filter, out, (spt_i32)2, SPTI_PAIRS);
    if (found || a->count < 0 || more < 0) return found ? found : SPT_ERR_ARGUMENT;
    if (more > SPTI_I32_MAX - a->count) return SPT_ERR_MEMORY;
    n = a->count + more;
    found = spti_broadphase_reserve(bp, n);
    if (found < 0 || !bp->block) return found;
    used = spti_call_init(bp->block, bp->capacity);
    if (used == 0) return SPT_ERR_MEMORY;
    w = (spti_walk *)(void *)bp->block;
    w->boxes[0] = a, w->boxes[1] = b;
    w->sets = b ? 2 : 1, w->to.second = b ? a->count : 0;
    w->to.filter = filter, w->to.changes = changes;
    w->trees->total = n, w->trees->refs = NULL;
    spti_walk_limits(w, n);
    spti_first_tree(w);
    found = spti_load_all(w, bp, used);
    if (found < 0) return found;
#ifdef SPTI_GROWS
    spti_tree_join(w->trees, w->sets);
    found = spti_crew_pairs(bp, used, out);
#else
    found = spti_walk_pairs(w, (spt_u32)0, (spt_u32)0xFFFFFFFFUL, out);
#endif
    bp->count = found < 0 ? 0 : n;
    return found;
}

/* ============================================================================================== */
/* CALLS - PUBLIC                                                                            >>calls

   The public functions of the broadphase. */

SPTI_API int spt_broadphase_init(spt_broadphase *bp, const spt_broadphase_desc *desc)
{
    int error;
    spti_zero(bp, sizeof *bp);
    if (!desc) return SPT_OK;
    if (desc->capacity < 0) return SPT_ERR_ARGUMENT;
    bp->allocator = desc->allocator;
#ifdef SPTI_GROWS
    bp->workers = desc->workers;
#endif
    error = spti_broadphase_reserve(bp, desc->capacity);
    bp->fixed = desc->capacity > 0;
    if (error) spti_zero(bp, sizeof *bp);
    return error;
}

SPTI_API void spt_broadphase_free(spt_broadphase *bp)
{
    spti_scratch_free(bp);
    spti_zero(bp, sizeof *bp);
}

SPTI_API size_t spt_broadphase_bytes_for(const spt_broadphase_desc *desc)
{
    return desc && desc->capacity > 0 ? SPTI_SCRATCH(desc->capacity, desc->workers) : 0;
}

SPTI_API size_t spt_broadphase_bytes(const spt_broadphase *bp)
{
    return bp->bytes;
}

static void spti_boxes_init(spti_boxes *boxes, const spt_box *first, spt_i32 n)
{
    spti_zero(boxes, sizeof *boxes);
    boxes->first = first;
    boxes->n = boxes->count = n;
}

SPTI_API spt_i32 spt_broadphase_pairs(spt_broadphase *bp, const spt_box *boxes, spt_i32 n,
                                      const spt_filter *filter, spt_intlist *out)
{
    spti_boxes a;
    spti_boxes_init(&a, boxes, n);
    return spti_all_pairs(bp, &a, NULL, filter, NULL, out);
}

SPTI_API spt_i32 spt_broadphase_pairs_between(spt_broadphase *bp, const spt_box *a, spt_i32 na,
                                              const spt_box *b, spt_i32 nb,
                                              const spt_filter *filter, spt_intlist *out)
{
    spti_boxes first, second;
    spti_boxes_init(&first, a, na);
    spti_boxes_init(&second, b, nb);
    return spti_all_pairs(bp, &first, &second, filter, NULL, out);
}

SPTI_API int spt_broadphase_traverse(spt_broadphase *bp, spt_cell_fn fn, void *ctx)
{
    spti_walk *w;
    spti_frame *f;
    spti_range own;
    spt_box box;
    spt_i32 n;
    int s, stop;
    if (bp->count == 0) return 0;
    w = (spti_walk *)(void *)bp->block;
    spti_enter_root(w, 0, 0, (spt_i32)0);
    do {
        f = &w->frames[w->depth];
        for (s = 0, n = 0; s < w->sets; s++) n += spti_own(f, s, 1, &own);
        if (f->up > 0 && n > w->leaf)
            for (s = 0, n = 0; s < w->sets; s++) n += spti_own(f, s, 0, &own);
        else
            f->child = SPTI_PASSED;
        spti_cell_box(f, 0, &box);
        stop = fn(ctx, &box, f->tree->levels - f->up, n);
    } while (!stop && spti_next_cell(w));
    return stop;
}
#else
#define spti_scratch_free(bp) ((void)0)
#endif

#ifdef SPTI_INDEX
/* ============================================================================================== */
/* POOL - PRIVATE                                                                             >>pool

   Elements lie in chunks of eight: boxes, with an array for each coordinate, and ids. So a window
   reads adjacent cache lines and tests eight boxes in one to four vector steps. The elements of a
   cell are a chain of chunks. All but the first are full, so the count alone gives the layout:

       first -> | a b . . . . . . | -> | c d e f g h i j | -> | k l m n o p q r |    count 18

   Slot s is place s % 8 of chunk s / 8. Free slots have the id SPTI_EMPTY_SLOT. A chunk knows the
   level, number, column and row of its cell: a slot leads to its cell. Free chunks are a list.

   k chains with n elements in all have at most (n + 7k) / 8 chunks. */

#define SPTI_EMPTY_SLOT SPT_NONE

#define SPTI_LEVEL_SHIFT 26
#define SPTI_CELL_MASK (((spt_i32)1 << SPTI_LEVEL_SHIFT) - 1)
#define SPTI_CELL_AT(level, number) (((spt_i32)(level) << SPTI_LEVEL_SHIFT) + (number))
#define SPTI_PLACE(column, row) ((row) << 16 | (column))

SPTI_STATIC_ASSERT(chain_has_8_bytes, sizeof(spti_chain) == 8);
SPTI_STATIC_ASSERT(chunk_has_no_holes,
                   sizeof(spti_chunk) <= SPTI_CHUNK * (4 * sizeof(spt_coord) + 4) + 16);

/* Returns the level of a number made by SPTI_CELL_AT. (In two steps: bcc shifts only the low
   half of a long that is cast to int.) */
SPTI_SHARED int spti_level_of(spt_i32 cell)
{
    spt_i32 level = cell >> SPTI_LEVEL_SHIFT;
    return (int)level;
}

#define SPTI_BYTES(count, type) spti_bytes((spt_u32)(count), sizeof(type))

/* Makes sure that the next n chunks can be taken without a failure. (No index needs 2^28.) */
static int spti_pool_reserve(spt_index *x, spt_i32 n)
{
    spti_pool *pool = &x->pool;
    void *chunks;
    if (n <= pool->capacity - pool->used) return SPT_OK;
    if (x->fixed) return SPT_ERR_FULL;
    chunks = spti_enlarge(&x->allocator, pool->chunks, &pool->bytes, &pool->capacity,
                          pool->used + n, sizeof *pool->chunks);
    if (!chunks) return SPT_ERR_MEMORY;
    pool->chunks = (spti_chunk *)chunks;
    return SPT_OK;
}

static spti_chunk *spti_chunk_of(const spt_index *x, spt_i32 slot)
{
    return &x->pool.chunks[slot >> 3];
}

static void spti_slot_box(const spt_index *x, spt_i32 slot, spt_box *box)
{
    spti_eight_box(&spti_chunk_of(x, slot)->boxes, (int)(slot & 7), box);
}

/* Returns the number of elements in the first chunk of a chain of `count` elements. */
static int spti_chain_front(spt_i32 count)
{
    return (int)((count - 1) & 7) + 1;
}

/* Moves an element to a slot, which is free or its own. */
SPTI_INLINE void spti_slot_move(spt_index *x, spt_i32 from, spt_i32 to)
{
    spti_chunk *c = spti_chunk_of(x, from);
    const spt_i32 id = c->id[from & 7];
    spt_box box;
    spti_slot_box(x, from, &box);
    c->id[from & 7] = SPTI_EMPTY_SLOT;
    c = spti_chunk_of(x, to);
    spti_eight_put(&c->boxes, (int)(to & 7), &box);
    c->id[to & 7] = id;
    x->slots[id] = to;
}

/* Removes the element in a slot of a chain: the element added last takes its slot. */
static void spti_chain_remove(spt_index *x, spti_chain *chain, spt_i32 slot)
{
    spti_pool *pool = &x->pool;
    spt_i32 chunk = chain->first, last = 8 * chunk + spti_chain_front(chain->count) - 1;
    spti_chunk *c = &pool->chunks[chunk], *to = spti_chunk_of(x, slot);
    to->id[slot & 7] = SPTI_EMPTY_SLOT;
    if (slot != last) spti_slot_move(x, last, slot);
    chain->count--;
    if ((chain->count & 7) > 0) return;
    chain->first = c->next;
    c->next = pool->free_head;
    pool->free_head = chunk;
    pool->used--;
}

/* Takes the first chunk off the rest of a chain, and returns it; NULL if nothing is left. *n: gets
   its number of elements. */
static const spti_chunk *spti_chain_next(const spt_index *x, spti_chain *rest, int *n)
{
    const spti_chunk *c;
    if (rest->count == 0) return NULL;
    c = &x->pool.chunks[rest->first];
    *n = spti_chain_front(rest->count);
    rest->first = c->next, rest->count -= *n;
    SPTI_COUNT(*n);
    return c;
}

/* ============================================================================================== */
/* NODES - PRIVATE                                                                           >>nodes

   A node is a cell that is halved twice along each axis: it has sixteen children, four by four, in
   Morton order. For each child it has two lanes. A lane is a box around these elements:

       lane k        the elements that child k holds itself, in a chain
       lane 16 + k   everything in the node below child k, if there is one

       +--+--+--+--+     Lanes lie in eights, so that a few vector steps tell which of the 32 a
       |10|11|14|15|     window touches, how far each is from a point, or when a motion meets it.
       +--+--+--+--+
       | 8| 9|12|13|
       +--+--+--+--+     Boxes of lanes may be too large but never too small: if an element comes
       | 2| 3| 6| 7|     or moves, its lane grows, and so do the lanes above it, as far as they do
       +--+--+--+--+     not hold its box already. tidy shrinks them again.
       | 0| 1| 4| 5|
       +--+--+--+--+     Nodes lie in one array and refer to each other by index. Child k of node n
                         is cell 16 n + k.

   Node 0 is the root, above the world. The world is its last child or, if the finest level is odd,
   its last four children: the cells of level 1. The other children stay empty.

   A complete tree has a node below each cell but the finest ones. Level l has 4^l cells. Cells and
   nodes lie level by level, on each level in the same order; so the first cell in use has node 1
   below it, the next cell node 2, and so on:

       finest level even   cell   15 | 16  17 ..  31 | 32 ..    odd   12  13  14  15 | 16  17 ..
                           level   0 |  2            |  4              1             |  3
                           below   1 |  2   3 ..  17 | 18 ..           1   2   3   4 |  5   6 ..

   Source of boxes that grow and are shrunk later: T. Ulrich, "Loose octrees", Game Programming
   Gems, 2000; many boxes in a node for vectors: I. Wald, C. Benthin, S. Boulos, "Getting rid of
   packets", IEEE Interactive Ray Tracing, 2008. */

#define SPTI_CHILDREN 16
#define SPTI_NODE_LANES 32
#define SPTI_NODE_DEPTH (SPT_QUADTREE_MAX_DEPTH / 2 + 1) /* nodes on the way to the finest cells */
#define SPTI_LANE_BELOW(child) (SPTI_CHILDREN + (child)) /* around the child's subtree */

typedef struct spti_node { /* 768 bytes (1280 with double); 56 less where nothing is prefetched */
    spti_eight lanes[SPTI_NODE_LANES / 8];
    spti_chain chain[SPTI_CHILDREN];   /* elements of the first 16 lanes */
    spt_i32 below[SPTI_CHILDREN];      /* the node below each child; SPT_NONE: it is a leaf */
    spt_u32 used;                      /* a bit for each lane: there may be something in it */
    spt_i32 above;                     /* the cell that this node divides; SPT_NONE: the node is
                                          free, and below[0] is the next free one */
#ifdef SPTI_CAN_PREFETCH
    spt_i32 unused[14];
#endif
} spti_node;

#define SPTI_NODE_OF(cell) ((cell) >> 4) /* cell / SPTI_CHILDREN, but faster; cell >= 0 */
#define SPTI_CHILD_OF(cell) ((int)((cell) & (SPTI_CHILDREN - 1)))
#define SPTI_CHAIN(x, cell) ((x)->nodes[SPTI_NODE_OF(cell)].chain[SPTI_CHILD_OF(cell)])
#define SPTI_BELOW(x, cell) ((x)->nodes[SPTI_NODE_OF(cell)].below[SPTI_CHILD_OF(cell)])
#define SPTI_WORLD (SPTI_CHILDREN - 1) /* the cell that is the whole world */

/* Sets a lane to a box; it is in use unless that is the box around nothing. */
static void spti_lane_set(spti_node *n, int lane, const spt_box *box)
{
    const spt_u32 bit = (spt_u32)1 << lane;
    spti_eight_put(n->lanes, lane, box);
    n->used = spt_box_valid(box) ? n->used | bit : n->used & ~bit;
}

SPTI_INLINE int spti_lane_holds(const spti_node *n, int lane, const spt_box *box)
{
    const spti_eight *at = &n->lanes[lane >> 3];
    lane &= 7; /* a lane that is not in use holds nothing */
    return at->min_x[lane] <= box->min_x && at->min_y[lane] <= box->min_y &&
           at->max_x[lane] >= box->max_x && at->max_y[lane] >= box->max_y;
}

/* Makes the lane of a cell's own elements hold a box, and then the lanes above it, until one of
   them already does: for a lane holds all lanes below it. */
static void spti_lanes_widen(spt_index *x, spt_i32 cell, const spt_box *box)
{
    spti_node *n = &x->nodes[SPTI_NODE_OF(cell)];
    int lane = SPTI_CHILD_OF(cell);
    spt_box at;
    while (!spti_lane_holds(n, lane, box)) {
        spti_eight_box(n->lanes, lane, &at);
        spti_box_add(&at, box);
        spti_lane_set(n, lane, &at);
        if (n == x->nodes) return;
        lane = SPTI_LANE_BELOW(SPTI_CHILD_OF(n->above));
        n = &x->nodes[SPTI_NODE_OF(n->above)];
    }
}

/* Widens the lanes for an element that left its lane but not its cell. Each side that the element
   crossed gets a margin, too, an eighth of width plus height: the next moves write only the box. */
SPTI_APART void spti_lanes_outgrow(spt_index *x, spt_i32 cell, const spt_box *box)
{
    spti_stored margin =
        SPTI_DIST(box->max_x, box->min_x) / 8 + SPTI_DIST(box->max_y, box->min_y) / 8;
    spt_box at, grown;
    spti_eight_box(x->nodes[SPTI_NODE_OF(cell)].lanes, SPTI_CHILD_OF(cell), &at);
    grown = *box;
#ifndef SPATIAL_INT
    if (!(margin <= SPTI_COORD_MAX)) margin = 0; /* with an infinite edge: infinite or a NaN */
#endif
    if (box->min_x < at.min_x) grown.min_x = spti_below(box->min_x, margin);
    if (box->min_y < at.min_y) grown.min_y = spti_below(box->min_y, margin);
    if (box->max_x > at.max_x) grown.max_x = spti_above(box->max_x, margin);
    if (box->max_y > at.max_y) grown.max_y = spti_above(box->max_y, margin);
    spti_lanes_widen(x, cell, &grown);
}

/* Widens *around by the first n boxes of consecutive eights. */
SPTI_SHARED void spti_eights_around(const spti_eight *boxes, int n, spt_box *around)
{
    spt_box box;
    int k;
    for (k = 0; k < n; k++) {
        spti_eight_box(boxes, k, &box);
        spti_box_add(around, &box);
    }
}

/* Finds the box around all lanes of a node; if none is in use, the box around nothing. */
SPTI_SHARED void spti_lanes_around(const spti_node *n, spt_box *around)
{
    spti_box_clear(around);
    spti_eights_around(n->lanes, SPTI_NODE_LANES, around);
}

static void spti_lane_clear(spti_node *n, int lane)
{
    spt_box nothing;
    spti_box_clear(&nothing);
    spti_lane_set(n, lane, &nothing);
}

/* Makes a node whose children are empty leaves. */
SPTI_SHARED void spti_node_clear(spti_node *n)
{
    int k;
    n->used = 0;
    for (k = 0; k < SPTI_NODE_LANES; k++) spti_lane_clear(n, k);
    for (k = 0; k < SPTI_CHILDREN; k++) {
        n->chain[k].first = SPT_NONE, n->chain[k].count = 0;
        n->below[k] = SPT_NONE;
    }
    n->above = SPTI_WORLD;
}

/* Puts a node below a cell. */
SPTI_SHARED void spti_node_link(spt_index *x, spt_i32 node, spt_i32 cell)
{
    SPTI_BELOW(x, cell) = node;
    x->nodes[node].above = cell;
}

/* Goes to the next cell in preorder and sets its level: the first child of this one, unless `down`
   is 0, or else the next child of the same node, or of one above. Returns 0 after the last. */
static int spti_cell_next(const spt_index *x, spt_i32 *cell, int *level, int down)
{
    const spt_i32 below = SPTI_BELOW(x, *cell);
    if (down && below != SPT_NONE) {
        *cell = SPTI_CHILDREN * below, *level += 2;
        return 1;
    }
    while (SPTI_CHILD_OF(*cell) == SPTI_CHILDREN - 1) {
        if (*cell == SPTI_WORLD) return 0;
        *cell = x->nodes[SPTI_NODE_OF(*cell)].above, *level -= 2;
    }
    ++*cell;
    return 1;
}

/* Widens *around by a cell's own elements. */
static void spti_run_around(const spt_index *x, spt_i32 cell, spt_box *around)
{
    spti_chain rest;
    const spti_chunk *c;
    int n;
    rest = SPTI_CHAIN(x, cell);
    while ((c = spti_chain_next(x, &rest, &n)) != NULL)
        spti_eights_around(&c->boxes, n, around);
}

/* Shrinks the lane of a cell's own elements to the box around them. With the first cell of a node,
   which tidy visits last, it also shrinks the lane above the node. */
SPTI_SHARED void spti_lanes_shrink(spt_index *x, spt_i32 cell) SPT_CALLBACK
{
    const int child = SPTI_CHILD_OF(cell);
    spti_node *n = &x->nodes[SPTI_NODE_OF(cell)];
    spt_box around;
    if (child > 0 && !(n->used & (spt_u32)1 << child)) return; /* no elements */
    spti_box_clear(&around);
    spti_run_around(x, cell, &around);
    spti_lane_set(n, child, &around);
    if (child > 0 || cell < SPTI_CHILDREN) return;
    spti_lanes_around(n, &around);
    cell = n->above;
    spti_lane_set(&x->nodes[SPTI_NODE_OF(cell)], SPTI_LANE_BELOW(SPTI_CHILD_OF(cell)), &around);
}

/* Makes the lane of a cell hold the new box of an element that stays in the cell. at: the cell, as
   locate returns it; this is the result, too. */
SPTI_INLINE spt_i32 spti_lanes_stay(spt_index *x, spt_i32 at, const spt_box *box)
{
    const spt_i32 cell = at & SPTI_CELL_MASK;
    if (!spti_lane_holds(&x->nodes[SPTI_NODE_OF(cell)], SPTI_CHILD_OF(cell), box))
        spti_lanes_outgrow(x, cell, box);
    return at;
}

/* --- complete trees --------------------------------------------------------------------------- */

/* Children of node 0 that are in use. levels: the finest level, here and below. */
#define SPTI_ROOTS(levels) ((levels) & 1 ? (spt_i32)4 : (spt_i32)1)

/* Number of nodes of a complete tree, node 0 included. */
#define SPTI_COMPLETE(levels)                                                                      \
    (1 + (((spt_i32)1 << 2 * (levels)) - SPTI_ROOTS(levels)) / (SPTI_CHILDREN - 1))

/* Returns the first cell of a level that has cells. Between the first cell in use and this one lie
   SPTI_COMPLETE(level) - 1 cells: 4^level / 15, rounded down, and in base 16 1/15 is 0.111... */
SPTI_SHARED spt_i32 spti_level_first(int level)
{
    return (spt_i32)(0x11111111UL >> (31 - 2 * level) >> 1) + SPTI_CHILDREN - SPTI_ROOTS(level);
}

/* Returns the skew of a level, which has 2^(level + skew) columns and 2^(level - skew) rows: that
   of the world (see >>linear), or as much of it as a coarse level can have. */
static int spti_cells_skew(const spt_index *x, int level)
{
    if (x->skew > level) return level;
    return x->skew < -level ? -level : x->skew;
}

/* Returns the side of the squares in which the cells of a level lie: 2^side by 2^side cells. */
static int spti_cells_side(const spt_index *x, int level)
{
    const int side = level - (x->skew < 0 ? -x->skew : x->skew);
    return side > 0 ? side : 0;
}

/* Returns the part that a column (axis 0) or row (1) has in the number of a cell on its level. The
   lower `side` bits are for the Morton code; those above are the number of the square. */
SPTI_INLINE spt_i32 spti_cells_part(int side, spt_u32 at, int axis)
{
    return (spt_i32)(spti_spread(at & (((spt_u32)1 << side) - 1)) << axis | at >> side << 2 * side);
}

/* Column and row of a cell of a level; see SPTI_PLACE. The way down to the cell, four bits a node,
   is its number on the level: a Morton code and, above it, the number of a square. */
SPTI_SHARED spt_u32 spti_cell_place(const spt_index *x, spt_i32 cell, int level)
{
    const int skew = x->skew, side = spti_cells_side(x, level);
    spt_u32 code = 0, column, row, square = 0;
    int shift;
    for (shift = 0; cell >= SPTI_CHILDREN; cell = x->nodes[SPTI_NODE_OF(cell)].above, shift += 4)
        code |= (spt_u32)SPTI_CHILD_OF(cell) << shift;
    if (cell > x->first_cell) code |= (spt_u32)(cell - x->first_cell) << shift;
    if (skew != 0) square = code >> 2 * side, code ^= square << 2 * side;
    spt_morton_deinterleave(code, &column, &row);
    if (skew > 0) column |= square << side;
    if (skew < 0) row |= square << side;
    return SPTI_PLACE(column, row);
}

/* --- lanes for questions ----------------------------------------------------------------------

   Questions read these nodes and those of packed through one view: up to 32 lanes, and behind each
   is either a run of elements or a node. Node k on a level of packed has the boxes around nodes 32
   k ... 32 k + 31 of the level below; the elements of a leaf, on level 0, are a run. */

typedef struct spti_lanes {
    const spti_eight *boxes;
    int n;                   /* lanes that may be in use: the first n */
    spt_u32 used;            /* a bit for each lane that may have something in it */
    spt_u32 runs;            /* a bit for each lane with a run behind it, else a node */
} spti_lanes;

#ifndef SPATIAL_NO_PACKED
#define SPTI_PACK ((spt_i32)SPT_PACKED_NODE)
#define SPTI_PACK_BITS 5

SPTI_STATIC_ASSERT(node_has_its_bits, SPT_PACKED_NODE == 1 << SPTI_PACK_BITS);
SPTI_STATIC_ASSERT(lanes_are_as_many, SPT_PACKED_NODE == SPTI_NODE_LANES);

#define SPTI_PACK_EIGHTS (SPT_PACKED_NODE / 8) /* of a node */
#define SPTI_PACK_BYTES (SPTI_PACK_EIGHTS * sizeof(spti_eight)) /* bytes of its boxes */
#define SPTI_PACK_IDS (SPT_PACKED_NODE * sizeof(spt_i32)) /* bytes of the ids of a leaf */

/* Returns the number of boxes in the nodes of a level. */
static spt_i32 spti_pack_items(const spt_index *x, int level)
{
    return ((x->count - 1) >> (SPTI_PACK_BITS * level)) + 1;
}

/* Returns the boxes of node k of a level. n: gets how many there are. */
SPTI_INLINE spti_eight *spti_pack_node(const spt_index *x, int level, spt_i32 k, int *n)
{
    const spti_packed *p = &x->as.packed;
    const spt_i32 left = spti_pack_items(x, level) - k * SPTI_PACK;
    *n = (int)SPTI_MIN(left, SPTI_PACK);
    return p->nodes + (size_t)(p->first[level] + k) * SPTI_PACK_EIGHTS;
}

/* Finds the box around node k of a level. */
static void spti_pack_around(const spt_index *x, int level, spt_i32 k, spt_box *around)
{
    int n;
    const spti_eight *node = spti_pack_node(x, level, k, &n);
    spti_box_clear(around);
    spti_eights_around(node, n, around);
}
#endif

/* The lanes of a node that is `depth` nodes below the root. */
SPTI_INLINE void spti_lanes_of(const spt_index *x, int depth, spt_i32 node, spti_lanes *out)
{
#ifndef SPATIAL_NO_PACKED
    if (!x->nodes) {
        out->boxes = spti_pack_node(x, x->as.packed.root - depth, node, &out->n);
        out->used = SPTI_SET(out->n);
        out->runs = depth + 1 == x->as.packed.root ? out->used : 0;
        return;
    }
#endif
    (void)depth;
    out->boxes = x->nodes[node].lanes;
    out->runs = SPTI_SET(SPTI_CHILDREN);
    out->used = node < x->finest ? x->nodes[node].used : out->runs; /* leaves a line unread */
    out->n = out->used > out->runs ? SPTI_NODE_LANES : SPTI_CHILDREN;
}

/* The node in a lane of a node. */
SPTI_INLINE spt_i32 spti_lane_node(const spt_index *x, spt_i32 node, int lane)
{
#ifndef SPATIAL_NO_PACKED
    if (!x->nodes) return SPTI_PACK * node + lane;
#endif
    return x->nodes[node].below[lane - SPTI_CHILDREN];
}

/* Finds the run in a lane: the chain of a cell; in packed all elements below the lane, told by the
   number of the first and their count. */
SPTI_INLINE void spti_lane_run(const spt_index *x, int depth, spt_i32 node, int lane,
                               spti_chain *run)
{
#ifndef SPATIAL_NO_PACKED
    if (!x->nodes) {
        const int bits = SPTI_PACK_BITS * (x->as.packed.root - depth); /* at most 2^bits elements */
        run->first = (SPTI_PACK * node + lane) << bits;
        run->count = SPTI_MIN(x->count - run->first, (spt_i32)1 << bits);
        return;
    }
#endif
    (void)depth;
    *run = x->nodes[node].chain[lane];
}

/* Returns the node in which a walk begins: the node below the last child of the root if everything
   is in it, otherwise node 0, the root. In packed it is node 0 of the last level. */
SPTI_SHARED spt_i32 spti_node_first(const spt_index *x)
{
    const spti_node *n = x->nodes;
    return n && n->used == (spt_u32)1 << SPTI_LANE_BELOW(SPTI_WORLD) ? n->below[SPTI_WORLD] : 0;
}

/* Finds a box around all elements, of which there are some, perhaps too large: in packed the
   bounds, else the box around the lanes of the root, of which at most eight are in use. */
SPTI_INLINE void spti_index_around(const spt_index *x, spt_box *around)
{
    spt_u32 used = x->nodes ? x->nodes->used : 0;
    spt_box lane;
    if (!used) *around = x->bounds;
    else spti_box_clear(around);
    for (; used; used &= used - 1) {
        spti_eight_box(x->nodes->lanes, spti_low_bit(used), &lane);
        spti_box_add(around, &lane);
    }
}

/* Returns the lanes of a set, a bit each, that overlap a box. Often all elements are in the nodes
   below; then only the lanes of these are tested. */
SPTI_SHARED spt_u32 spti_lanes_sieve(const spti_lanes *at, spt_u32 lanes, const spt_box *box)
{
    const int runs = at->n <= SPTI_CHILDREN || (at->used & SPTI_SET(SPTI_CHILDREN));
    const int from = runs ? 0 : SPTI_CHILDREN;
    return lanes & spti_sieve(at->boxes + from / 8, at->n - from, box, 0) << from;
}

/* Returns the lanes of a set that lie inside a box. Sets are too small for vectors to pay. */
SPTI_SHARED spt_u32 spti_lanes_inside(const spti_lanes *at, spt_u32 lanes, const spt_box *box)
{
    spt_u32 rest = lanes;
    spt_box lane;
    int k;
    for (; rest; rest &= rest - 1) {
        k = spti_low_bit(rest);
        spti_eight_box(at->boxes, k, &lane);
        if (!spti_box_holds(box, &lane)) lanes &= ~((spt_u32)1 << k);
    }
    return lanes;
}

/* ============================================================================================== */
/* TABLE - PUBLIC                                                                            >>table

   The index itself: its elements by id, its memory, and its kind of structure. A kind has these
   functions, because they depend on where elements are kept:

       plan     chooses how to divide a world of these bounds for n elements: sets the fields of
                the structure and returns the number of nodes; unless lower is set, a small n
                does not reduce the levels (NULL: nodes come when needed, or no world)
       reset    divides the world by these fields; all cells become empty (NULL: no world)
       locate   returns the cell for a box, see SPTI_CELL_AT, and makes its lane hold the box. now:
                the chunk that has the element, or NULL. *place: gets the place of the cell; if the
                element stays in its cell, maybe not. (NULL: no inserts, moves and removes)
       settle   may split a cell, as locate gave it, that got an element (NULL: no splits)
       build    inserts all boxes at once (NULL: one by one)
       tidy     shrinks the lane of a cell to its elements, and may split or merge leaves
       pairs    finds all pairs or returns SPTI_CROWDED; then, or if NULL, the broadphase finds them
       copy     copies the contents of memory (NULL: those are slots, chunks and nodes)

   Only functions of a structure itself refer to its kind; so unused structures are not linked. */

struct spti_kind {
    const char *name;
    spt_i32 (*plan)(const spt_index *x, const spt_box *bounds, spt_i32 n, int lower,
                    spti_structure *as) SPT_CALLBACK;
    void (*reset)(spt_index *x) SPT_CALLBACK;
    spt_i32 (*locate)(spt_index *x, const spt_box *box, const spti_chunk *now,
                      spt_u32 *place) SPT_CALLBACK;
    void (*settle)(spt_index *x, spt_i32 cell) SPT_CALLBACK;
    int (*build)(spt_index *x, const spt_box *boxes, spt_i32 n) SPT_CALLBACK;
    void (*tidy)(spt_index *x, spt_i32 cell) SPT_CALLBACK;
    spt_i32 (*pairs)(spt_index *x, const spt_filter *filter, spt_intlist *out) SPT_CALLBACK;
    int (*copy)(spt_index *to, const spt_index *from) SPT_CALLBACK;
};

/* The settings and the amounts of memory that follow from a desc. */
typedef struct spti_layout {
    spt_box bounds;
    spt_allocator allocator;
#ifdef SPTI_GROWS
    spt_workers workers;
#endif
    int keep_bounds;
    spt_i32 capacity;               /* of the desc */
    spt_i32 scratch;                /* boxes that the broadphase has room for at first */
    spt_i32 ids;                    /* room for ids at first */
    spt_i32 chunks;                 /* room for chunks; 0 without a capacity */
    spt_i32 nodes;
    size_t memory;                  /* bytes of spt_index.memory */
    spti_structure as;
} spti_layout;

#ifdef SPTI_GROWS
#define SPTI_LEND(to, from) ((to)->workers = (from)->workers)
#else
#define SPTI_LEND(to, from) ((void)0)
#endif

/* Returns the bytes that spti_index_init allocates; 0 if error is set or they exceed size_t. */
static size_t spti_layout_bytes(const spti_layout *l, int error)
{
    size_t bytes = l->memory, pairs = 0;
    if (error) return 0;
#ifndef SPATIAL_NO_BROADPHASE
    if (l->scratch > 0) pairs = SPTI_SCRATCH(l->scratch, l->workers);
    if (l->scratch > 0 && pairs == 0) return 0;
#endif
    (void)SPTI_PIECE(NULL, &bytes, l->ids, spt_i32);
    (void)SPTI_PIECE(NULL, &bytes, l->chunks, spti_chunk);
    return pairs < SPTI_SIZE_MAX - bytes ? bytes + pairs : 0;
}

#define SPTI_IDS_START 64 /* room for ids in a new index that has no capacity */
#define SPTI_WORLD_SIDE 1024 /* width and height of a new world that has no bounds */
#define SPTI_FIT_LEAST 32 /* the fit is tested for so many elements, at least, */
#define SPTI_FIT_WORTH 8  /* when each has moved more than so often: nine frames, an odd number */

/* Makes room for an id; if the room grows, it at least doubles. On an error all is as it was. */
static int spti_index_grow(spt_index *x, spt_i32 id)
{
    spt_i32 i = x->size;
    void *slots;
    if (id < x->size) return SPT_OK;
    if (x->fixed) return SPT_ERR_FULL;
    if (id > SPTI_ID) return SPT_ERR_MEMORY;
    slots = spti_enlarge(&x->allocator, x->slots, &x->slots_bytes, &x->size, id + 1,
                         sizeof *x->slots);
    if (!slots) return SPT_ERR_MEMORY;
    x->slots = (spt_i32 *)slots;
    for (; i < x->size; i++) x->slots[i] = SPT_NONE;
    return SPT_OK;
}

static int spti_index_has(const spt_index *x, spt_i32 id)
{
    return id >= 0 && id < x->size && x->slots[id] != SPT_NONE;
}

SPTI_API void spt_free(spt_index *x)
{
    /* Frees in reverse order of allocation, because an arena takes back only the last piece. */
#ifndef SPATIAL_NO_BROADPHASE
    spt_broadphase_free(&x->broadphase);
#endif
    spti_free(&x->allocator, x->memory, x->memory_bytes);
    spti_free(&x->allocator, x->pool.chunks, x->pool.bytes);
    spti_free(&x->allocator, x->slots, x->slots_bytes);
    spti_zero(x, sizeof *x);
}

SPTI_API size_t spt_bytes(const spt_index *x)
{
    size_t bytes = x->memory_bytes + x->pool.bytes + x->slots_bytes;
#ifndef SPATIAL_NO_BROADPHASE
    bytes += x->broadphase.bytes;
#endif
    return bytes;
}

SPTI_API const char *spt_kind(const spt_index *x)
{
    if (!x->kind) return ""; /* cc65 does not take ?: between such pointers */
    return x->kind->name;
}

#ifdef SPTI_FIT
/* Tests the fit only after further changes. */
static void spti_fit_later(spt_index *x)
{
    x->worth = 0;
    x->fit_after = (spt_u32)SPTI_MAX(x->count, SPTI_FIT_LEAST);
}
#endif

/* Makes all cells empty. Nothing is left to tidy, nor a fit to test. */
static void spti_cells_clear(spt_index *x)
{
    if (x->kind->reset) x->kind->reset(x);
    x->tidied = ++x->changes, x->cursor = 0;
    x->worth = 0, x->fit_after = SPTI_FIT_LEAST;
}

/* Makes an empty index of a kind and allocates the memory of its layout. error: the result of
   making the layout. On an error all bytes of *x are zero. */
static int spti_index_init(spt_index *x, const struct spti_kind *kind, const spti_layout *l,
                           int error)
{
    spti_zero(x, sizeof *x);
    if (error) return error;
    x->allocator = l->allocator;
    x->pool.free_head = SPT_NONE;
    error = spti_index_grow(x, l->ids - 1);
    if (!error) error = spti_pool_reserve(x, l->chunks);
    if (!error) x->memory = spti_renew(&x->allocator, NULL, &x->memory_bytes, l->memory);
    if (!error && x->memory_bytes < l->memory) error = SPT_ERR_MEMORY;
#ifndef SPATIAL_NO_BROADPHASE
    x->broadphase.allocator = x->allocator;
    SPTI_LEND(&x->broadphase, l);
    if (!error) error = spti_broadphase_reserve(&x->broadphase, l->scratch);
    x->broadphase.fixed = l->capacity > 0;
#endif
    x->kind = kind, x->fixed = l->capacity > 0;
    x->node_room = l->nodes, x->keep_bounds = l->keep_bounds;
    x->bounds = l->bounds;
    x->as = l->as;
    if (!kind->reset) x->size = l->capacity;
    if (error) spt_free(x);
    else spti_cells_clear(x);
    return error;
}

/* Defines bytes_for and init of a kind, whose layout function gets a desc that is not NULL and a
   layout that has the settings of all kinds. type: of the desc. */
#define SPTI_LIFE_CYCLE(kind, type)                                                                \
    static int spti_##kind##_begin(const type *desc, spti_layout *l)                               \
    {                                                                                              \
        type zeros;                                                                                \
        spti_zero(l, sizeof *l);                                                                   \
        spti_zero(&zeros, sizeof zeros);                                                           \
        if (!desc) desc = &zeros;                                                                  \
        l->allocator = desc->allocator;                                                            \
        l->capacity = desc->capacity, l->scratch = desc->no_pairs ? 0 : desc->capacity;            \
        SPTI_LEND(l, desc);                                                                        \
        if (desc->capacity < 0 || (desc->no_pairs | 1) != 1) return SPT_ERR_ARGUMENT;              \
        return spti_##kind##_layout(desc, l);                                                      \
    }                                                                                              \
                                                                                                   \
    SPTI_API size_t spt_##kind##_bytes_for(const type *desc)                                       \
    {                                                                                              \
        spti_layout l;                                                                             \
        return spti_layout_bytes(&l, spti_##kind##_begin(desc, &l));                               \
    }                                                                                              \
                                                                                                   \
    SPTI_API int spt_##kind##_init(spt_index *x, const type *desc)                                 \
    {                                                                                              \
        spti_layout l;                                                                             \
        return spti_index_init(x, &spti_##kind##_kind, &l, spti_##kind##_begin(desc, &l));         \
    }

#ifdef SPTI_TABLE
/* Sets the layout of an index with chunks, except its nodes; returns an error if an argument is
   wrong. Bounds of zeros are replaced if the world may be fitted later. */
static int spti_layout_init(spti_layout *l, const spt_box *bounds, int keep_bounds)
{
    l->keep_bounds = keep_bounds;
    l->ids = l->capacity ? l->capacity : SPTI_IDS_START;
#ifdef SPTI_FIT
    /* l->bounds are zeros, and hold no other valid box. */
    if (!keep_bounds && spt_box_valid(bounds) && spti_box_holds(&l->bounds, bounds))
        l->bounds.max_x = l->bounds.max_y = SPTI_WORLD_SIDE;
    else
#endif
        l->bounds = *bounds;
    if ((keep_bounds | 1) != 1 || !spti_bounds_valid(&l->bounds)) return SPT_ERR_ARGUMENT;
    return l->capacity > SPTI_ID ? SPT_ERR_MEMORY : SPT_OK;
}

/* Adds nodes and chunks to a layout. chains: the most cells that may have elements. */
static int spti_layout_nodes(spti_layout *l, spt_i32 nodes, spt_i32 chains)
{
    l->nodes = nodes;
    if (l->capacity > 0) l->chunks = SPTI_CHUNKS_OF(l->capacity, chains);
    l->memory = SPTI_BYTES(nodes, spti_node);
    return l->memory > 0 ? SPT_OK : SPT_ERR_MEMORY;
}
#endif

/* --- elements in cells ------------------------------------------------------------------------ */

/* Adds an element to a cell. cell, place: as locate gave them. */
static int spti_cell_add(spt_index *x, spt_i32 cell, spt_u32 place, spt_i32 id, const spt_box *box)
{
    spti_chain *chain = &SPTI_CHAIN(x, cell & SPTI_CELL_MASK);
    spti_pool *pool = &x->pool;
    spt_i32 chunk = chain->first;
    spti_chunk *c;
    int k = (int)(chain->count & 7), error, i;
    if (k == 0) { /* the first chunk of the cell is full, or there is none */
        chunk = pool->free_head;
        if (chunk == SPT_NONE) {
            error = spti_pool_reserve(x, (spt_i32)1);
            if (error) return error;
            chunk = pool->top++;
            spti_zero(&pool->chunks[chunk], sizeof *c);
            for (i = 0; i < SPTI_CHUNK; i++) pool->chunks[chunk].id[i] = SPTI_EMPTY_SLOT;
        } else {
            pool->free_head = pool->chunks[chunk].next;
        }
        c = &pool->chunks[chunk];
        pool->used++;
        c->next = chain->first, c->cell = cell, c->place = place;
        chain->first = chunk;
    }
    c = &pool->chunks[chunk];
    spti_eight_put(&c->boxes, k, box);
    c->id[k] = id;
    chain->count++;
    x->slots[id] = 8 * chunk + k;
    return SPT_OK;
}

static void spti_cell_remove(spt_index *x, spt_i32 slot)
{
    const spt_i32 cell = spti_chunk_of(x, slot)->cell & SPTI_CELL_MASK;
    spti_chain_remove(x, &SPTI_CHAIN(x, cell), slot);
}

/* Adds a new element with a valid box. There is room for its id. */
static int spti_index_add(spt_index *x, spt_i32 id, const spt_box *box)
{
    spt_u32 place;
    spt_i32 cell = x->kind->locate(x, box, NULL, &place);
    int error = spti_cell_add(x, cell, place, id, box);
    if (error) return error;
    x->changes++, x->worth += 4, x->count++;
    if (x->kind->settle) x->kind->settle(x, cell);
    return SPT_OK;
}

/* Moves an element with a new box to another cell. cell, place: as locate gave them for the box. */
SPTI_APART int spti_index_carry(spt_index *x, spt_i32 id, const spt_box *box, spt_i32 cell,
                                spt_u32 place)
{
    const spt_i32 slot = x->slots[id];
    const int error = spti_cell_add(x, cell, place, id, box);
    if (error) return error;
    spti_cell_remove(x, slot);
    if (x->kind->settle) x->kind->settle(x, cell);
    return SPT_OK;
}

/* Gives an existing element a valid box. */
SPTI_INLINE int spti_index_change(spt_index *x, spt_i32 id, const spt_box *box)
{
    const spt_i32 slot = x->slots[id];
    spti_chunk *c = spti_chunk_of(x, slot);
    spt_u32 place;
    const spt_i32 cell = x->kind->locate(x, box, c, &place);
    x->changes++, x->worth++;
    if (cell != c->cell) return spti_index_carry(x, id, box, cell, place);
    spti_eight_put(&c->boxes, (int)(slot & 7), box);
    return SPT_OK;
}

/* Makes room for `chunks` chunks, those in use included (with a capacity there are enough), and for
   nodes. New memory for nodes loses all nodes; on an error none is lost. */
SPTI_SHARED int spti_index_reserve(spt_index *x, spt_i32 chunks, spt_i32 nodes)
{
    const int error = x->fixed ? SPT_OK : spti_pool_reserve(x, chunks - x->pool.used);
    void *memory;
    x->changes++, x->tidied++; /* chunks may lie elsewhere, also if nodes get no memory */
    if (error || nodes <= x->node_room) return error;
    memory = spti_renew(&x->allocator, x->memory, &x->memory_bytes, SPTI_BYTES(nodes, spti_node));
    if (!memory) return SPT_ERR_MEMORY;
    x->memory = memory, x->node_room = nodes;
    return SPT_OK;
}

#ifdef SPTI_TABLE
/* Lays the finest cells over the world; of its own skew a bent one has as much as levels allow. */
static void spti_world_divide(spt_index *x, int levels, int skew)
{
#ifdef SPTI_FIT
    const int most = SPTI_MIN(levels, 16 - levels);
    if (x->bend.levels) {
        x->bend.levels = levels;
        skew = SPTI_MAX(SPTI_MIN(x->bend.skew, most), -most);
    }
#endif
    x->skew = skew;
    spti_map_init(&x->map, &x->bounds, levels + skew, levels - skew);
}

/* Sets c to the finest cells that a box reaches into. */
SPTI_INLINE void spti_index_cells(const spt_index *x, const spt_box *box, spti_cells *c)
{
#ifdef SPTI_FIT
    if (SPTI_BENDS && x->bend.levels)
        spti_bend_cells(&x->bend, x->bend.levels, x->skew, box, c);
    else
#endif
        spti_cells_of(&x->map, box, c);
}

/* Returns how many levels above the finest a box on the finest cells c belongs: the least number
   with 2^number >= c->x1 - c->x0 and >= c->y1 - c->y0. */
SPTI_SHARED int spti_cells_up(const spti_cells *c)
{
    const spt_u32 d = c->x1 - c->x0 > c->y1 - c->y0 ? c->x1 - c->x0 : c->y1 - c->y0;
    return spti_bits(d - (d > 0)); /* a branch here would often be mispredicted */
}

/* Before n elements are added to an empty complete tree (open 1), makes the lanes of its cells hold
   any box, so that no element widens one; afterwards (0), shrinks all lanes. That takes half the
   time of widening them, but with fewer elements than cells it does not pay: then does nothing. */
static void spti_lanes_open(spt_index *x, spt_i32 n, int open)
{
    spt_i32 cell = SPTI_CHILDREN * x->node_count;
    spt_box all;
    if (x->kind->settle || n < cell) return;
    all.min_x = all.min_y = spti_lowest(), all.max_x = all.max_y = spti_highest();
    while (cell-- > 0)
        if (open) spti_lane_set(&x->nodes[SPTI_NODE_OF(cell)], SPTI_CHILD_OF(cell), &all);
        else spti_lanes_shrink(x, cell);
}

/* Moves the newest element of a chain to the cell where it belongs now, and returns the cell
   as locate does. The caller has made sure of enough chunks. */
SPTI_SHARED spt_i32 spti_chain_send(spt_index *x, spti_chain *chain)
{
    const spt_i32 slot = 8 * chain->first + spti_chain_front(chain->count) - 1;
    const spt_i32 id = spti_chunk_of(x, slot)->id[slot & 7];
    spt_u32 place;
    spt_i32 cell;
    spt_box box;
    spti_slot_box(x, slot, &box);
    spti_chain_remove(x, chain, slot);
    cell = x->kind->locate(x, &box, NULL, &place);
    (void)spti_cell_add(x, cell, place, id, &box);
    return cell;
}
#endif
#endif

#ifdef SPTI_FIT
/* ============================================================================================== */
/* FIT - PUBLIC                                                                               >>fit

   If cells do not lie where the elements are, many elements share few of them, and questions test
   too many. So the world gets bounds and cells that follow from a sample of the elements:

       bounds    the box around the sample and a margin, cut to the box around all elements
       map       even; or bent, with knots at the eighths of the sample's lower edges, if one of the
                 inner eighths has less than 1/64 of the extent (or, once it is bent, 1/32) and
                 there are at least 44 elements; but with desc.cell it stays even
       levels    follow the number of elements
       when      the map gets even or bent; an eighth of the elements has less than a third of the
                 cells that it would get, or more than three times as many; even bounds can become
                 less than 2/5 of the old ones along one axis, or less than 5/8 along both; the
                 number of nodes changes; or most chunks are free

   The fit is tested once changes are worth more than eight moves for each element that was there at
   the last test, or is left now, but at least for 32: an insert or a remove is worth four. Fitting
   takes all elements out and puts them in again, so it costs O(1) a change. All memory is reserved
   first. Then elements are moved into chunks at the beginning of the pool, which are full but for
   the last. As each element goes to its new cell, these chunks become free: there are always
   enough. If less than an eighth of the chunks' memory is needed, memory is given back. */

#ifdef SPATIAL_INT
#define SPTI_FAR (SPTI_I32_MAX - 1) /* endless boxes often end beyond */
#else
#define SPTI_FAR (SPTI_COORD_MAX / 16) /* so that extents are finite */
#endif

typedef struct spti_world { /* of an index, as it might be */
    spt_box bounds;
    spti_bend bend;
    spti_structure as;
    spt_i32 nodes;
} spti_world;

/* Chooses how to divide a world for n elements. (Nodes of a quadtree are made when needed.) lower:
   levels, which always follow n, may fall. */
static void spti_world_plan(const spt_index *x, spt_i32 n, int lower, spti_world *w)
{
    w->as = x->as, w->nodes = x->node_count;
    if (x->kind->plan) w->nodes = x->kind->plan(x, &w->bounds, n, lower, &w->as);
}

/* Gives the index a world. Its cells are still the old ones. */
static void spti_world_set(spt_index *x, const spti_world *w)
{
    x->bounds = w->bounds, x->as = w->as;
    spti_copy(&x->bend, &w->bend, sizeof x->bend);
}

/* Finds the knots of a world along an axis: eighths of a sample's lower edges, and at both ends its
   bounds, which get cut to the sample and a margin. Sets the rates to sizes, in each eighth the
   median upper less the median lower edge. Returns 0 if all edges are far. few: the bounds fit. */
static int spti_fit_axis(const spti_boxes *boxes, int axis, int few, spti_world *w)
{
    spt_coord edges[SPTI_FIT_SAMPLE], (*knots)[2] = w->bend.knots, *low, *high, end;
    spti_dist (*sizes)[2] = w->bend.rates, margin = 0;
    const spt_i32 least = SPTI_MIN(boxes->count, SPTI_FIT_FEW);
    const spt_i32 m = SPTI_MIN(SPTI_MAX(boxes->count / 64, least), SPTI_FIT_SAMPLE);
    const spt_box *box;
    spt_box copy;
    spt_i32 k, count = 0;
    int upper, i;
    low = &SPTI_EDGE(&w->bounds, axis, 0), high = &SPTI_EDGE(&w->bounds, axis, 1);
    if (few && *low >= -SPTI_FAR && *high <= SPTI_FAR) return 1;
    for (upper = 0; upper < 2; upper++) {
        for (k = count = 0; k < m; k++) {
            box = spti_sample(boxes, k, m, &copy);
            if (!box) continue;
            edges[count] = SPTI_EDGE(box, axis, upper);
            count += edges[count] >= -SPTI_FAR && edges[count] <= SPTI_FAR;
        }
        if (count == 0) return 0;
        spti_sort_sample(edges, (int)count);
        for (i = 0; i < SPTI_PIECES; i++) {
            const spt_coord median = edges[(2 * i + 1) * count / (2 * SPTI_PIECES)];
            const spt_coord was = upper ? (spt_coord)sizes[i][axis] : 0;
            sizes[i][axis] = !upper || median > was ? SPTI_DIST(median, was) : 0;
            if (!upper) knots[i][axis] = edges[i * count / SPTI_PIECES];
        }
    }
    end = SPTI_MAX(edges[count - 1], knots[SPTI_PIECES - 1][axis]);
    if (!SPTI_BENDS && knots[SPTI_PIECES - 1][axis] > knots[1][axis]) { /* outliers are cut off */
        margin = SPTI_DIST(knots[SPTI_PIECES - 1][axis], knots[1][axis]) / 2;
        knots[0][axis] = SPTI_MAX(knots[0][axis], spti_below(knots[1][axis], margin));
        end = SPTI_MIN(end, spti_above(knots[SPTI_PIECES - 1][axis], margin));
    }
    if (end > knots[0][axis]) margin = SPTI_DIST(end, knots[0][axis]) / 8;
    *low = SPTI_MAX(*low, spti_below(knots[0][axis], margin));
    *high = SPTI_MIN(*high, spti_above(end, margin));
    knots[0][axis] = *low, knots[SPTI_PIECES][axis] = *high;
    return 1;
}

/* Widens a side of the world that is shorter than 1/ratio of the other, as of points on a line. */
static void spti_fit_widen(spt_box *bounds, int axis, spti_dist ratio)
{
    spt_coord *low = &SPTI_EDGE(bounds, axis, 0), *high = &SPTI_EDGE(bounds, axis, 1);
    const spti_dist other = SPTI_DIST(SPTI_EDGE(bounds, !axis, 1), SPTI_EDGE(bounds, !axis, 0));
    spti_dist half = other / ratio / 2;
    if (!(half > 0) && other >= 32) half = 1; /* integers round to 0 */
    if (SPTI_DIST(*high, *low) >= 2 * half) return;
    *low = spti_below(*low, half), *high = spti_above(*high, half);
}

/* Finds how many columns and rows of a world, in 65536ths of all, a box has. */
static void spti_fit_cells(const spti_bend *bend, const spt_box *bounds, const spt_box *box,
                           spt_u32 *found)
{
    spti_map map;
    spti_cells c;
    spti_map_init(&map, bounds, 16, 16);
    if (SPTI_BENDS && bend->levels) spti_bend_cells(bend, 16, 0, box, &c);
    else spti_cells_of(&map, box, &c);
    found[0] = c.x1 - c.x0, found[1] = c.y1 - c.y0;
}

/* Returns 1 if the cells should change to those of w: see `when`. Tiny eighths do not count. */
static int spti_fit_pays(const spt_index *x, const spti_world *w)
{
    spt_u32 was[2], now[2];
    int i, k;
    if ((x->bend.levels > 0) != (w->bend.levels > 0)) return 1;
    for (i = 0; i < SPTI_PIECES; i++) {
        const spt_box *piece = (const spt_box *)(const void *)w->bend.knots[i]; /* two knots */
        spti_fit_cells(&x->bend, &x->bounds, piece, was);
        spti_fit_cells(&w->bend, &w->bounds, piece, now);
        for (k = 0; k < 2; k++)
            if (was[k] > 3 * now[k] + 512 || now[k] > 3 * was[k] + 512) return 1;
    }
    if (x->bend.levels) return 0;
    spti_fit_cells(&x->bend, &x->bounds, &w->bounds, was);
    return was[0] < 26214 || was[1] < 26214 || (was[0] < 40960 && was[1] < 40960);
}

/* Plans a world for n elements with the bounds and the map that the index has. */
static void spti_world_stay(const spt_index *x, spt_i32 n, int lower, spti_world *w)
{
    w->bounds = x->bounds;
    spti_copy(&w->bend, &x->bend, sizeof w->bend);
    spti_world_plan(x, n, lower, w);
}

/* Plans a world that fits n boxes, whose bounding box is in w->bounds, or the elements if boxes is
   NULL. Returns 0 if none does or, unless must is 1, if that would not pay. */
static int spti_fit_world(const spt_index *x, const spt_box *boxes, spt_i32 n, int must, int lower,
                          spti_world *w)
{
    const int few = SPTI_BENDS && boxes && n < SPTI_FIT_FEW; /* their bounding box fits */
    spti_boxes source;
    /* In thin worlds a skew makes linear's cells square; a quadtree would get thin ones. */
    const spti_dist ratio = x->kind->plan ? 4096 : 16;
    int levels = 11; /* of a quadtree: enough to tell crowds apart */
    spti_index_boxes(x, &source), spti_zero(&w->bend, sizeof w->bend);
    if (boxes) source.first = boxes, source.n = source.count = n;
    else spti_lanes_around(x->nodes, &w->bounds);
    if (!spti_fit_axis(&source, 0, few, w) || !spti_fit_axis(&source, 1, few, w)) return 0;
    spti_fit_widen(&w->bounds, 0, ratio);
    spti_fit_widen(&w->bounds, 1, ratio);
    spti_world_plan(x, n, lower, w);
    if (x->kind->plan) levels = w->as.linear.cell > 0 ? 0 : w->as.linear.levels;
    if (!SPTI_BENDS || n < SPTI_FIT_FEW) levels = 0; /* among few, chance makes crowds */
    spti_bend_init(&w->bend, levels, x->kind->plan ? SPTI_MIN(levels, 16 - levels) : 0,
                   !must && x->bend.levels ? 2048 : 1024);
    return spti_bounds_valid(&w->bounds) && (must || spti_fit_pays(x, w));
}

/* Moves all elements out of their cells into one chain at the beginning of the pool. */
static void spti_fit_gather(spt_index *x, spti_chain *all)
{
    spti_pool *pool = &x->pool;
    spt_i32 from, to = 0, chunk;
    for (from = 0; from < 8 * pool->top; from++)
        if (spti_chunk_of(x, from)->id[from & 7] != SPTI_EMPTY_SLOT) spti_slot_move(x, from, to++);
    pool->top = pool->used = (to + 7) / 8;
    pool->free_head = SPT_NONE;
    for (chunk = 0; chunk < pool->top; chunk++)
        pool->chunks[chunk].next = chunk - 1; /* the chain begins with the last chunk */
    all->first = pool->top - 1, all->count = to;
}

/* Makes a block smaller, with room for n things; without memory it stays. Returns the block. */
static void *spti_fit_less(const spt_index *x, void *block, size_t *bytes, spt_i32 *room, spt_i32 n,
                           size_t size)
{
    const size_t less = spti_bytes((spt_u32)n, size);
    void *smaller = less < *bytes ? spti_resize(&x->allocator, block, *bytes, less) : NULL;
    if (smaller) block = smaller, *bytes = less, *room = n;
    return block;
}

/* Gives memory back if chunks need less than an eighth of theirs: keeps twice that, no scratch. */
static void spti_fit_shrink(spt_index *x)
{
    spti_pool *pool = &x->pool;
    spt_i32 chunks = 2 * pool->top + 8, ids = x->size;
    if (x->fixed || chunks > pool->capacity / 4) return;
    pool->chunks = (spti_chunk *)spti_fit_less(x, pool->chunks, &pool->bytes, &pool->capacity,
                                               chunks, sizeof *pool->chunks);
    x->memory = spti_fit_less(x, x->memory, &x->memory_bytes, &x->node_room, x->node_count,
                              sizeof *x->nodes);
    x->nodes = (spti_node *)x->memory;
    while (ids > 1 && x->slots[ids - 1] == SPT_NONE) ids--;
    x->slots = (spt_i32 *)spti_fit_less(x, x->slots, &x->slots_bytes, &x->size, ids,
                                        sizeof *x->slots);
    spti_scratch_free(&x->broadphase);
}

/* Changes the world, and moves all elements to their new cells. On an error all is as it was. */
static int spti_refit(spt_index *x, const spti_world *w)
{
    spti_chain all;
    spt_i32 cell;
    const spt_i32 chunks = SPTI_CHUNKS_OF(x->count, SPTI_CHILDREN * w->nodes) + 1;
    const int error = spti_index_reserve(x, chunks, w->nodes);
    if (error) return error;
    spti_fit_gather(x, &all);
    spti_world_set(x, w);
    spti_cells_clear(x);
    spti_fit_later(x);
    spti_lanes_open(x, x->count, 1);
    while (all.count > 0) {
        cell = spti_chain_send(x, &all);
        if (x->kind->settle) x->kind->settle(x, cell);
    }
    spti_lanes_open(x, x->count, 0);
    spti_fit_shrink(x);
    return SPT_OK;
}

/* Refits the world if that pays. lower: the number of levels may fall. */
static void spti_fit(spt_index *x, int lower)
{
    spti_world w;
    const int sparse = x->pool.top / 4 > x->count + 32; /* sampling it takes long */
    int fitted;
    spti_fit_later(x);
    if ((x->count == 0 && !sparse) || (x->keep_bounds && x->fixed)) return;
    fitted = !x->keep_bounds && !sparse && spti_fit_world(x, NULL, x->count, 0, lower, &w);
    if (!fitted) spti_world_stay(x, x->count, lower, &w);
    if (fitted || w.nodes != x->node_count || sparse) (void)spti_refit(x, &w);
}

SPTI_API int spt_rebound(spt_index *x, const spt_box *bounds)
{
    spti_world w;
    if (!x->kind || !x->kind->locate) return x->kind ? SPT_ERR_KIND : SPT_ERR_INIT;
    if (bounds && !spti_bounds_valid(bounds)) return SPT_ERR_ARGUMENT;
    if (bounds) {
        w.bounds = *bounds, spti_zero(&w.bend, sizeof w.bend);
        spti_world_plan(x, x->count, 0, &w);
    } else if (!spti_fit_world(x, NULL, x->count, 1, 0, &w)) {
        spti_world_stay(x, x->count, 0, &w);
    }
    return spti_refit(x, &w);
}
#endif

#if defined(SPTI_INDEX) && defined(SPTI_SEARCH) && defined(SPTI_VECTORS)
/* ============================================================================================== */
/* SQUARES AND TIMES - PRIVATE                                                            >>squares

   Up to 32 boxes go in; their approximate squared distances from a box come out, or times, never
   too late, at which a motion meets them. What these do not decide is left to exact keys. */

/* Returns a bit for each of n squares or times, 1 if it is not above `most`. */
SPTI_INLINE spt_u32 spti_keys_within(const spt_coord *keys, int n, spt_coord most)
{
    const spti_v v = spti_v_all(most);
    spt_u32 above = 0;
    int j;
    for (j = 0; j < n; j += SPTI_LANES)
        above |= (spt_u32)spti_v_bits(spti_v_above(keys + j, v)) << j;
    return ~above & SPTI_SET(n);
}

typedef struct spti_order { /* up to 32 boxes, taken from near to far */
    spt_coord keys[96]; /* squares or times; first, since compilers then align it for vectors */
    int n;
    spt_u32 left;       /* a bit for each box that is still to come */
    spt_coord least;    /* the least of all keys */
    spt_coord last;     /* nothing up to this key is to come; -1: none was taken */
} spti_order;

/* Sets o->last to the least key above it plus a share of the way from there to the greatest finite
   key, which is found as the least of -key. Up to 7 keys beyond the last box count, too. */
SPTI_INLINE void spti_order_advance(spti_order *o, spt_coord share)
{
    const spti_v done = spti_v_all(o->last), never = spti_v_all(spti_highest());
    spti_v least = never, negated = spti_v_all(0), key;
    int j;
    for (j = 0; j < o->n; j += SPTI_LANES) {
        key = spti_v_load(o->keys + j);
        least = spti_v_min(least, spti_v_max(key, spti_v_unless(spti_v_greater(key, done), never)));
        key = spti_v_where(spti_v_greater(never, key), key);
        negated = spti_v_min(negated, spti_v_sub(spti_v_all(0), key));
    }
    o->last = spti_v_least(least);
    if (share > 0) o->last += (-spti_v_least(negated) - o->last) * share;
}

/* Takes the next of the boxes that are left, a bit each: those in a share of the range of keys.

       least key |--- share ---|         greatest key      0: the least key; 1: all that are left */
SPTI_INLINE spt_u32 spti_order_next(spti_order *o, spt_coord share)
{
    spt_u32 next = o->left;
    if (share < 1 && (next & (next - 1))) {
        if (share > 0 || o->last >= 0) spti_order_advance(o, share);
        else o->last = o->least;
        next &= spti_keys_within(o->keys, o->n, o->last);
        if (!next) next = o->left & (0 - o->left); /* the least key is of a box that is not left */
    }
    o->left &= ~next;
    return next;
}

/* Finds the squared distances of o->n boxes from a box; see spti_sieve. From keys[32] and
   keys[64] on it stores the distances along the axes, of which exact keys are made. Those whose
   squares are not above `most` are left. */
SPTI_INLINE void spti_order_squares(spti_order *o, const spt_box *from, const spti_eight *boxes,
                                    spt_coord most)
{
    const spti_v none = spti_v_all(0), limit = spti_v_all(most); /* max replaces a NaN by none */
    const spt_coord *at = SPTI_COORDS(boxes);
    spti_v least = spti_v_all(spti_highest()), x, y;
    spti_v_box b;
    spt_u32 above = 0;
    int j, k;
    spti_v_box_set(&b, from->min_x, from->min_y, from->max_x, from->max_y);
    for (j = 0; j < o->n; at += 32)
        for (k = 0; k < 8; k += SPTI_LANES, j += SPTI_LANES) {
            x = spti_v_max(spti_v_sub(spti_v_load(at + k), b.max_x),
                           spti_v_sub(b.min_x, spti_v_load(at + k + 16)));
            y = spti_v_max(spti_v_sub(spti_v_load(at + k + 8), b.max_y),
                           spti_v_sub(b.min_y, spti_v_load(at + k + 24)));
            x = spti_v_max(x, none), y = spti_v_max(y, none);
            spti_v_store(o->keys + 32 + j, x), spti_v_store(o->keys + 64 + j, y);
            x = spti_v_add(spti_v_mul(x, x), spti_v_mul(y, y));
            spti_v_store(o->keys + j, x);
            least = spti_v_min(least, x);
            above |= (spt_u32)spti_v_bits(spti_v_greater(x, limit)) << j;
        }
    o->left = ~above & SPTI_SET(o->n);
    o->least = spti_v_least(least), o->last = -1;
}

/* Finds the times at which a motion meets o->n boxes (see spti_track), or slightly less, but not
   less than l->from, and infinity for each miss; see spti_sieve. Those that it may meet until the
   time `most` are left. (max and min of a NaN and a number return the number if it is second.) */
static void spti_order_times(spti_order *o, const spti_line *l, const spti_eight *boxes,
                             spt_coord most)
{
    const spt_coord *near_x = SPTI_COORDS(boxes) + (l->x.back ? 16 : 0);
    const spt_coord *near_y = SPTI_COORDS(boxes) + (l->y.back ? 24 : 8);
    const spt_coord *far_x = SPTI_COORDS(boxes) + (l->x.back ? 0 : 16);
    const spt_coord *far_y = SPTI_COORDS(boxes) + (l->y.back ? 8 : 24);
    const spti_v tip_x = spti_v_all(l->x.tip), tip_y = spti_v_all(l->y.tip);
    const spti_v end_x = spti_v_all(l->x.end), end_y = spti_v_all(l->y.end);
    const spti_v soon_x = spti_v_all(l->x.soon), soon_y = spti_v_all(l->y.soon);
    const spti_v late_x = spti_v_all(l->x.late), late_y = spti_v_all(l->y.late);
    const spti_v stay_x = spti_v_all(l->x.stay), stay_y = spti_v_all(l->y.stay);
    const spti_v none = spti_v_all(0), from = spti_v_all(l->from), limit = spti_v_all(most);
    const spti_v never = spti_v_all(spti_highest());
    spti_v least = never, x, y, met;
    spti_v_mask off;
    spt_u32 misses = 0;
    const int n = o->n;
    int at, j, k;
    for (at = j = 0; j < n; at += 24)
        for (k = 0; k < 8; k += SPTI_LANES, at += SPTI_LANES, j += SPTI_LANES) {
            x = spti_v_mul(spti_v_sub(spti_v_load(near_x + at), tip_x), soon_x);
            y = spti_v_mul(spti_v_sub(spti_v_load(near_y + at), tip_y), soon_y);
            met = spti_v_max(spti_v_max(x, y), from);
            x = spti_v_mul(spti_v_sub(spti_v_load(far_x + at), end_x), late_x);
            y = spti_v_mul(spti_v_sub(spti_v_load(far_y + at), end_y), late_y);
            off = spti_v_greater(none, spti_v_min(x, y));
            x = spti_v_min(spti_v_min(spti_v_max(x, stay_x), spti_v_max(y, stay_y)), limit);
            off = spti_v_or(off, spti_v_greater(met, x));
            misses |= (spt_u32)spti_v_bits(off) << j;
            met = spti_v_max(met, spti_v_where(off, never));
            spti_v_store(o->keys + j, met);
            least = spti_v_min(least, met);
        }
    o->left = ~misses & SPTI_SET(n);
    o->least = spti_v_least(least), o->last = -1;
}
#endif

#ifdef SPTI_INDEX
/* ============================================================================================== */
/* QUERY - PUBLIC                                                                            >>query

   A window goes in; for each element that overlaps it, the id is listed or counted, or a function
   is called. In between, a query goes down the tree of nodes:

       1  Begin in the root or, if everything is in the node below the world, in that node.
       2  Find which lanes of the node the window touches, and which of them lie inside it.
       3  Collect the runs behind lanes that are touched. Where a node is behind a lane, go down to
          it and to step 2; elements in a lane inside the window need not be tested any more.
       4  Prefetch the first chunk of each run that is collected. When there are sixteen runs (in
          a visit one, then two, four, eight), and at the end, prefetch the second chunks, so that
          the waits for memory overlap, and test all elements, in a few vector steps a chunk.

   A relation of the filter decides about elements, by spti_query_related. For SPT_AROUND and
   SPT_EQUALS, lanes are touched if they hold the window. */

#ifdef SPTI_CAN_PREFETCH
#define SPTI_RUNS 16
#define SPTI_RUNS_NOW(q) ((q)->most)
#else
#define SPTI_RUNS 1 /* nothing to wait for */
#define SPTI_RUNS_NOW(q) 1
#endif

typedef struct spti_run { /* elements of a lane; see spti_lane_run */
    spti_chain chain;
    spt_i32 window; /* index of its window */
    int inside;     /* 1: all elements are results but for the filter, as the lane is inside */
} spti_run;

#define SPTI_EACH 0   /* results are taken one by one, for a filter, a function or pairs */
#define SPTI_IDS 1    /* their ids are copied as they lie */
#define SPTI_NUMBER 2 /* they are only counted */

typedef struct spti_sink {    /* takes the results of a query */
    int takes;                /* one of the above */
    const spt_filter *filter; /* NULL: all elements pass */
    const spt_u32 *changes;   /* of the index; see spti_filter_accepts */
    spt_visit_fn fn;          /* unless NULL: called for each result */
    void *ctx;
    spt_intlist *out;         /* gets the ids; NULL: they are only counted, or fn is called */
    spt_i32 window;           /* index of their window, which out gets, too, if it has 2 fields */
    spt_i32 *count;           /* the number of results; see spti_counter */
    spt_i32 counted;          /* the counter if out is NULL */
} spti_sink;

typedef struct spti_query {
    const spt_index *x;
    spti_sink to;
    const spt_box *windows; /* the windows whose elements are asked for */
    spt_i32 n;              /* the number of windows */
    int relation;           /* of the elements to a window */
    int overlaps;           /* 1: to overlap a window is all that is asked for */
    spt_i32 which;          /* index of the window of the walk */
    spt_box window;         /* the window of the walk; swapped for SPT_AROUND and SPT_EQUALS */
    int finds_inside;       /* 1: looks for lanes whose elements need no test */
    int held;               /* runs collected so far */
    int most;               /* runs to collect before they are tested */
    const spt_box *target;  /* unless NULL: only elements near this box are results */
#ifdef SPTI_SHAPES
    const struct spti_outline *outline; /* unless NULL: likewise, elements that meet this shape */
    spt_u32 (*sift)(const struct spti_query *q, const spti_eight *boxes, spt_u32 hits,
                    spt_u32 *inside) SPT_CALLBACK; /* target is set, too: so overlaps is 0 */
#endif
#ifdef SPTI_SEARCH
    spti_key limit;       /* the key of the largest distance */
#endif
    spti_run runs[SPTI_RUNS];
} spti_query;

/* Empties the list of a question, and returns an error in its arguments. box: its box, or NULL. */
static int spti_index_ask(const spt_index *x, const spt_box *box, const spt_filter *filter,
                          spt_intlist *out, spt_i32 fields, int asked)
{
    const int error = spti_ask(filter, out, fields, asked);
    if (!x->kind) return SPT_ERR_INIT;
    return !error && box && !spt_box_valid(box) ? SPT_ERR_BOX : error;
}

SPTI_SHARED void spti_box_everywhere(spt_box *box)
{
    box->min_x = box->min_y = spti_lowest();
    box->max_x = box->max_y = spti_highest();
}

/* Sets the fields that every query needs, except its windows. */
static void spti_query_init(spti_query *q, const spt_index *x, const spt_filter *filter,
                            spt_intlist *out, spt_visit_fn fn, void *ctx)
{
    spti_sink *to = &q->to;
    q->x = x;
    q->relation = filter ? filter->relation : SPT_MEETS;
    if (filter && !filter->categories && !filter->except_count && !filter->accept)
        filter = NULL; /* no element need be tested by it */
    to->filter = filter, to->changes = &x->changes;
    to->fn = fn, to->ctx = ctx;
    to->out = out, to->count = spti_counter(out, &to->counted);
    to->takes = !out ? SPTI_NUMBER : out->fields == 1 ? SPTI_IDS : SPTI_EACH;
    if (filter || fn) to->takes = SPTI_EACH;
    q->finds_inside = x->nodes || to->takes != SPTI_EACH; /* over 32 of packed: not one by one */
#ifdef SPTI_CAN_PREFETCH
    q->most = fn ? 1 : SPTI_RUNS; /* a visit may end with the first result */
#endif
    q->target = NULL;
    q->held = 0;
#ifdef SPTI_SHAPES
    q->outline = NULL;
#endif
}

#ifdef SPTI_SEARCH
/* Returns which of n elements overlap a window and are near the target, or meet the outline. */
SPTI_APART spt_u32 spti_query_near(const spti_query *q, const spti_eight *boxes, int n,
                                   const spt_box *window)
{
    spt_u32 hits = spti_sieve(boxes, n, window, 0), rest;
    spti_key key;
    spt_box box;
#ifdef SPTI_VECTORS
    spti_order o; /* exact keys are computed only where squares do not decide */
#endif
    if (!hits) return 0;
#ifdef SPTI_SHAPES
    if (q->outline) return q->sift(q, boxes, hits, NULL);
#endif
#ifdef SPTI_VECTORS
    o.n = n;
    spti_order_squares(&o, q->target, boxes, spti_square_most(q->limit));
    hits &= o.left;
    rest = hits & ~spti_keys_within(o.keys, n, spti_square_least(q->limit));
#else
    rest = hits;
#endif
    for (; rest; rest &= rest - 1) {
        spti_eight_box(boxes, spti_low_bit(rest), &box);
        spti_distance_key(q->target, &box, &key);
        if (spti_key_less(&q->limit, &key)) hits &= ~(rest & (0 - rest));
    }
    return hits;
}
#endif

/* Returns the number of bits that are set. */
static spt_i32 spti_set_bits(spt_u32 v)
{
    v -= v >> 1 & 0x55555555UL;
    v = (v & 0x33333333UL) + (v >> 2 & 0x33333333UL);
    v = (v + (v >> 4)) & 0x0F0F0F0FUL; /* a number in each byte */
    return (spt_i32)((v * 0x01010101UL & 0xFFFFFFFFUL) >> 24);
}

/* Adds n to the number of results. */
SPTI_INLINE int spti_sink_count(const spti_sink *to, spt_i32 n)
{
    if (n > SPTI_I32_MAX - *to->count) return SPT_ERR_COUNT;
    *to->count += n;
    return 0;
}

/* Takes the elements, of up to 32, whose bits in hits are set: those that pass the filter are
   results. Returns 0 to go on, an error, or the value of fn. */
SPTI_APART int spti_sink_hits(const spti_sink *to, const spti_eight *boxes, const spt_i32 *id,
                              int n, spt_u32 hits)
{
    spt_u32 changes;
    spt_i32 *ids;
    spt_box box;
    int k, stop = 0;
    if (to->takes == SPTI_IDS && to->out->capacity - to->out->count >= n) { /* all have room */
        ids = spti_list_data(to->out) + to->out->count;
#ifdef SPTI_CAN_PREFETCH
        if (n <= SPTI_CHUNK && (hits & (hits - 1))) /* of two or more: no branch mispredicts */
            for (; n > 0; n--, hits >>= 1) *ids = *id++, ids += hits & 1;
#endif
        for (; hits; hits &= hits - 1) *ids++ = id[spti_low_bit(hits)];
        to->out->count = (spt_i32)(ids - spti_list_data(to->out));
        return 0;
    }
    if (to->takes == SPTI_NUMBER) return spti_sink_count(to, spti_set_bits(hits));
    for (; hits && !stop; hits &= hits - 1) {
        k = spti_low_bit(hits);
        if (to->filter && !spti_filter_accepts(to->filter, to->changes, id[k], SPT_NONE)) continue;
        if (to->fn) {
            spti_eight_box(boxes, k, &box);
            changes = *to->changes;
            stop = to->fn(to->ctx, id[k], &box);
            SPATIAL_ASSERT(*to->changes == changes);
            (void)changes;
            continue;
        }
        if (to->out && *to->count < SPTI_I32_MAX) {
            ids = spti_list_room(to->out, (spt_i32)1);
            if (!ids) return spti_list_error(to->out, (spt_i32)1);
            if (to->out->fields == 2) *ids++ = to->window;
            *ids = id[k];
        }
        stop = spti_sink_count(to, (spt_i32)1);
    }
    return stop;
}

/* Takes all elements of a run, `rest`. Call it only if `takes` is not SPTI_EACH. */
static int spti_sink_all(const spti_sink *to, const spt_index *x, spti_chain *rest)
{
    const spti_chunk *c;
    spt_i32 *ids;
    int n;
    if (!to->out) return spti_sink_count(to, rest->count);
    ids = spti_list_room(to->out, rest->count);
    if (!ids) return spti_list_error(to->out, rest->count);
    to->out->count += rest->count;
#ifndef SPATIAL_NO_PACKED
    if (!x->nodes) {
        SPTI_COUNT(1);
        spti_copy(ids, x->as.packed.ids + rest->first, (size_t)rest->count * sizeof *ids);
        return 0;
    }
#endif
    for (; (c = spti_chain_next(x, rest, &n)) != NULL; ids += n)
        if (n < SPTI_CHUNK) spti_copy(ids, c->id, (size_t)n * sizeof *ids);
        else spti_copy(ids, c->id, sizeof c->id); /* a known size is faster */
    return 0;
}

#ifdef SPTI_CAN_PREFETCH
static void spti_bytes_prefetch(const void *from, size_t bytes)
{
    const unsigned char *at = (const unsigned char *)from;
    size_t k;
    for (k = 0; k < bytes; k += 64) SPTI_PREFETCH(at + k);
}

/* Prefetches a chunk, of doubles a part. inside: 1 to leave out its boxes. */
static void spti_chunk_prefetch(const spti_chunk *c, int inside)
{
    if (!inside) {
        SPTI_PREFETCH(c->boxes.min_x);
        SPTI_PREFETCH(c->boxes.max_x);
    }
    SPTI_PREFETCH(c->id);
    SPTI_PREFETCH(&c->cell);
}

/* Prefetches the nodes behind lanes: in packed their boxes and, of leaves, ids; else all of a node,
   but of a finest one only the half of the lanes that is in use, and the chains. */
SPTI_INLINE void spti_lanes_prefetch(const spt_index *x, int depth, spt_i32 node, spt_u32 lanes)
{
    const spti_node *at;
    spt_i32 below;
#ifndef SPATIAL_NO_PACKED
    int n;
    for (; lanes && !x->nodes; lanes &= lanes - 1) {
        const int level = x->as.packed.root - depth - 1;
        below = spti_lane_node(x, node, spti_low_bit(lanes));
        spti_bytes_prefetch(spti_pack_node(x, level, below, &n), SPTI_PACK_BYTES);
        if (level == 0) spti_bytes_prefetch(x->as.packed.ids + below * SPTI_PACK, SPTI_PACK_IDS);
    }
#endif
    (void)depth;
    for (lanes >>= SPTI_CHILDREN; lanes; lanes &= lanes - 1) {
        below = x->nodes[node].below[spti_low_bit(lanes)];
        at = &x->nodes[below];
        spti_bytes_prefetch(at, below < x->finest ? sizeof *at : sizeof at->lanes / 2);
        if (below >= x->finest) spti_bytes_prefetch(at->chain, sizeof at->chain);
    }
}

/* Prefetches the second chunk of each collected run, while the first is on its way; also later
   ones, up to the 16th, with many windows, or with 16 runs if those inside are copied. It goes one
   chunk ahead in all runs before it goes further in any: a chunk has the number of the next. */
static void spti_runs_prefetch(const spti_query *q, int held)
{
    const spti_chunk *chunks = q->x->pool.chunks;
    const int whole = q->to.takes == SPTI_IDS && q->finds_inside && held == SPTI_RUNS;
    const spt_i32 most = (q->n > 1 || whole ? 16 : 2) * SPTI_CHUNK; /* elements of a run */
    spt_i32 next[SPTI_RUNS], ahead;
    int k, more = 1;
    for (k = 0; k < held; k++) next[k] = q->runs[k].chain.first;
    for (ahead = SPTI_CHUNK; ahead < most && more; ahead += SPTI_CHUNK)
        for (more = k = 0; k < held; k++) {
            if (q->runs[k].chain.count <= ahead) continue;
            next[k] = chunks[next[k]].next;
            spti_chunk_prefetch(&chunks[next[k]], q->runs[k].inside);
            more = 1;
        }
}
#else
#define spti_chunk_prefetch(c, inside) ((void)0)
#define spti_bytes_prefetch(from, bytes) ((void)0)
#define spti_lanes_prefetch(x, depth, node, lanes) ((void)(x), (void)(depth), (void)(lanes))
#define spti_runs_prefetch(q, held) ((void)0)
#endif

/* Swaps min and max of a window: by the sieve, boxes that hold it overlap the result. */
static void spti_box_swap(const spt_box *box, spt_box *out)
{
    out->min_x = box->max_x, out->min_y = box->max_y;
    out->max_x = box->min_x, out->max_y = box->min_y;
}

/* Returns which of n elements are in the relation of the filter to a window, if overlapping it is
   not all that is asked for. */
SPTI_APART spt_u32 spti_query_related(const spti_query *q, const spti_eight *boxes, int n,
                                      const spt_box *window)
{
    spt_u32 hits = SPTI_SET(n);
    spt_box swapped, beyond;
    int edge;
    spti_box_swap(window, &swapped);
    for (edge = 0; edge < 4 && q->relation == SPT_ENTERS; edge++) { /* not those beyond an edge */
        spti_box_everywhere(&beyond);
        ((spt_coord *)(void *)&beyond)[edge] = SPTI_COORDS(&swapped)[edge];
        hits &= ~spti_sieve(boxes, n, &beyond, SPTI_SWAP);
    }
    if (q->relation == SPT_INSIDE || q->relation == SPT_EQUALS)
        hits = spti_sieve(boxes, n, window, SPTI_SWAP);
    if (q->relation >= SPT_AROUND) hits &= spti_sieve(boxes, n, &swapped, 0);
    return hits;
}

/* Gives the sink those of up to 32 elements that a window asks for. */
SPTI_INLINE int spti_query_some(const spti_query *q, const spt_box *window, int inside,
                                const spti_eight *boxes, const spt_i32 *ids, int n)
{
    spt_u32 hits = SPTI_SET(n);
    if (!inside && q->overlaps) hits = spti_sieve(boxes, n, window, 0);
#ifdef SPTI_SEARCH
    else if (!inside && q->target) hits = spti_query_near(q, boxes, n, window);
#endif
    else if (!inside) hits = spti_query_related(q, boxes, n, window);
    return hits ? spti_sink_hits(&q->to, boxes, ids, n, hits) : 0;
}

/* Tests the elements of a run, unless all are results and need not be seen. */
static int spti_query_test(spti_query *q, const spti_run *run)
{
    const spt_index *x = q->x;
    const spt_box *window = &q->windows[run->window];
    const spti_chunk *c;
    spti_chain rest;
    int n, stop = 0;
    rest.first = run->chain.first, rest.count = run->chain.count; /* a copy of both would wait */
    if (run->inside && q->to.takes != SPTI_EACH) return spti_sink_all(&q->to, x, &rest);
    q->to.window = run->window;
#ifndef SPATIAL_NO_PACKED
    if (!x->nodes) {
        SPTI_COUNT(rest.count);
        return spti_query_some(q, window, run->inside, x->as.packed.nodes + (rest.first >> 3),
                               x->as.packed.ids + rest.first, (int)rest.count);
    }
#endif
    while (!stop && (c = spti_chain_next(x, &rest, &n)) != NULL) {
        if (rest.count > SPTI_CHUNK)
            spti_chunk_prefetch(&x->pool.chunks[x->pool.chunks[rest.first].next], run->inside);
        stop = spti_query_some(q, window, run->inside, &c->boxes, c->id, n);
    }
    return stop;
}

/* Tests the runs that were collected, and forgets them. */
SPTI_APART int spti_query_flush(spti_query *q)
{
    int k, held = q->held, stop = 0;
    q->held = 0;
#ifdef SPTI_CAN_PREFETCH
    if (q->most < SPTI_RUNS) q->most *= 2;
#endif
    if (q->x->nodes) spti_runs_prefetch(q, held);
    for (k = 0; k < held && !stop; k++) stop = spti_query_test(q, &q->runs[k]);
    return stop;
}

/* Collects the run in a lane, unless it is empty; tests all when there are enough. Prefetches its
   first chunk; in packed a leaf as a whole, but nothing if it is inside. inside: see spti_run. */
SPTI_INLINE int spti_query_run(spti_query *q, int depth, spt_i32 node, int lane, int inside)
{
    const spt_index *x = q->x;
    spti_run *run = &q->runs[q->held];
    SPTI_COUNT(1);
    spti_lane_run(x, depth, node, lane, &run->chain);
    if (run->chain.count == 0) return 0;
    run->window = q->which, run->inside = inside;
    if (x->nodes) spti_chunk_prefetch(&x->pool.chunks[run->chain.first], inside);
#ifndef SPATIAL_NO_PACKED
    else if (!inside) {
        spti_bytes_prefetch(x->as.packed.nodes + (run->chain.first >> 3), SPTI_PACK_BYTES);
        spti_bytes_prefetch(x->as.packed.ids + run->chain.first, SPTI_PACK_IDS);
    }
#endif
    return ++q->held == SPTI_RUNS_NOW(q) ? spti_query_flush(q) : 0;
}

/* Walks depth first. Each node on the way has lanes that are left (in hits), those whose elements
   need no test (inside), and those that end the way (ends): a lane with a run does, and in packed
   also one inside the window, because all ids below it lie in one piece and are one run. */
static int spti_nodes_walk(const spt_index *x, spti_query *q)
{
    spt_u32 hits[SPTI_NODE_DEPTH], inside[SPTI_NODE_DEPTH], ends[SPTI_NODE_DEPTH], down, runs;
    spt_i32 way[SPTI_NODE_DEPTH];
    spti_lanes at;
    spt_box around;
    int d = 0, k, stop, whole = 0;
    if (x->count == 0) return 0;
    way[0] = spti_node_first(x);
    if (q->which == 0 && (!x->nodes || way[0] > 0)) { /* once a call */
        spti_index_around(x, &around);
        if (!spt_box_overlap(&around, &q->window)) return 0;
    }
    if (!x->nodes && x->as.packed.root == 0) /* the only leaf, as if in lane 0 of a node above */
        return spti_query_run(q, -1, (spt_i32)0, 0, 0);
    for (;; d++) {
        spti_lanes_of(x, d, way[d], &at);
        SPTI_COUNT(at.n);
        hits[d] = at.used, inside[d] = ~(spt_u32)0;
        if (!whole) {
            hits[d] = spti_lanes_sieve(&at, at.used, &q->window);
#ifdef SPTI_SHAPES
            if (q->outline) hits[d] = q->sift(q, at.boxes, hits[d], &inside[d]);
#endif
            if (!q->finds_inside) inside[d] = 0;
            else if (!q->target) inside[d] = spti_lanes_inside(&at, hits[d], &q->window);
        }
        ends[d] = x->nodes ? at.runs : at.runs | inside[d];
        spti_lanes_prefetch(x, d, way[d], hits[d] & ~ends[d]);
        for (;;) {
            while (hits[d] == 0)
                if (d-- == 0) return 0;
            k = spti_low_bit(hits[d]);
            if (!(ends[d] >> k & 1)) break;
            down = hits[d] & ~ends[d];
            runs = hits[d] & ((down & (0 - down)) - 1); /* all before the first way down */
            hits[d] ^= runs;
            for (; runs; runs &= runs - 1) {
                k = spti_low_bit(runs);
                stop = spti_query_run(q, d, way[d], k, (int)(inside[d] >> k & 1));
                if (stop) return stop;
            }
        }
        hits[d] &= hits[d] - 1;
        whole = (int)(inside[d] >> k & 1);
        way[d + 1] = spti_lane_node(x, way[d], k);
    }
}

/* Walks for n windows, one after the other, then tests the runs that are left. */
static int spti_query_windows(spti_query *q, const spt_box *windows, spt_i32 n)
{
    int stop = 0;
    q->windows = windows, q->n = n;
    q->overlaps = q->relation == SPT_MEETS && !q->target;
    if (n > 1 || (q->relation != SPT_MEETS && q->relation != SPT_INSIDE)) q->finds_inside = 0;
    for (q->which = 0; q->which < n && !stop; q->which++) {
        if (q->relation >= SPT_AROUND) spti_box_swap(&windows[q->which], &q->window);
        else q->window = windows[q->which];
        stop = spti_nodes_walk(q->x, q);
    }
    return stop || q->held == 0 ? stop : spti_query_flush(q);
}

SPTI_API int spt_visit(const spt_index *x, const spt_box *box, const spt_filter *filter,
                       spt_visit_fn fn, void *ctx)
{
    spti_query q;
    const int error = spti_index_ask(x, box, filter, NULL, (spt_i32)0, SPTI_WINDOWS);
    if (error) return error;
    spti_query_init(&q, x, filter, NULL, fn, ctx);
    return spti_query_windows(&q, box, (spt_i32)1);
}

static int spti_any_fn(void *ctx, spt_i32 id, const spt_box *box) SPT_CALLBACK
{
    (void)ctx, (void)id, (void)box;
    return 1;
}

SPTI_API int spt_any(const spt_index *x, const spt_box *box, const spt_filter *filter)
{
    return spt_visit(x, box, filter, spti_any_fn, NULL);
}

SPTI_API spt_i32 spt_query(const spt_index *x, const spt_box *box, const spt_filter *filter,
                           spt_intlist *out)
{
    spti_query q;
    const int error = spti_index_ask(x, box, filter, out, (spt_i32)1, SPTI_WINDOWS);
    if (error) return error;
    spti_query_init(&q, x, filter, out, NULL, NULL);
    return spti_results(q.to.count, spti_query_windows(&q, box, (spt_i32)1));
}

#ifdef SPTI_SEARCH
SPTI_API spt_i32 spt_within(const spt_index *x, const spt_box *box, spt_coord distance,
                            const spt_filter *filter, spt_intlist *out)
{
    spti_query q;
    spt_box window;
    const int error = spti_index_ask(x, box, filter, out, (spt_i32)1, 0);
    if (error || !(distance >= 0)) return error ? error : SPT_ERR_ARGUMENT;
    spti_query_init(&q, x, filter, out, NULL, NULL);
    if (distance < SPT_NO_LIMIT) spti_box_grow(box, (spti_dist)distance, &window);
    else spti_box_everywhere(&window);
    spti_limit_key(distance, &q.limit);
    q.target = box;
    q.finds_inside = 0; /* the corners of the window are too far away */
    return spti_results(q.to.count, spti_query_windows(&q, &window, (spt_i32)1));
}
#endif

SPTI_API spt_i32 spt_query_many(const spt_index *x, const spt_box *boxes, spt_i32 n,
                                const spt_filter *filter, spt_intlist *out)
{
    spti_query q;
    spt_i32 i;
    const int error = spti_index_ask(x, NULL, filter, out, (spt_i32)2, SPTI_WINDOWS);
    if (error || n < 0) return error ? error : SPT_ERR_ARGUMENT;
    for (i = 0; i < n; i++)
        if (!spt_box_valid(&boxes[i])) return SPT_ERR_BOX;
    spti_query_init(&q, x, filter, out, NULL, NULL);
    return spti_results(q.to.count, spti_query_windows(&q, boxes, n));
}

/* ============================================================================================== */
/* TRAVERSE - PUBLIC                                                                      >>traverse

   An index goes in; out come the box around all elements, or its cells, one by one. */

#ifdef SPTI_SEARCH
/* Reads elements, because lanes may be larger than what they hold; but passes over lanes that lie
   inside the box around the elements read so far, as all empty ones do. */
SPTI_API int spt_bounds(const spt_index *x, spt_box *bounds)
{
    spt_i32 cell = x->first_cell;
    const spti_node *n;
    spt_box lane;
    int level = 0, k, down;
    if (!x->kind) return SPT_ERR_INIT;
    if (x->count == 0) return 0;
    if (!x->nodes) {
        *bounds = x->bounds;
        return 1;
    }
    spti_box_clear(bounds);
    do {
        n = &x->nodes[SPTI_NODE_OF(cell)];
        k = SPTI_CHILD_OF(cell);
        spti_eight_box(n->lanes, k, &lane);
        if (!spti_box_holds(bounds, &lane)) spti_run_around(x, cell, bounds);
        if (n->below[k] != SPT_NONE) spti_eight_box(n->lanes, SPTI_LANE_BELOW(k), &lane);
        down = !spti_box_holds(bounds, &lane); /* has no effect without one */
    } while (spti_cell_next(x, &cell, &level, down));
    return 1;
}
#endif

/* Calls fn for a cell; fn must not change the index. */
static int spti_tell_cell(const spt_index *x, spt_cell_fn fn, void *ctx, const spt_box *box,
                          int level, spt_i32 count)
{
    const spt_u32 changes = x->changes;
    const int stop = fn(ctx, box, level, count);
    SPATIAL_ASSERT(x->changes == changes);
    (void)changes;
    return stop;
}

/* Finds the box of a cell of a level, from its place. In a bent map an edge is the least coordinate
   of its column or row, found by bisection. */
static void spti_place_box(const spt_index *x, spt_u32 place, int level, spt_box *out)
{
    const int skew = spti_cells_skew(x, level);
    const spt_u32 column = place & 0xFFFFUL, row = place >> 16;
#ifdef SPTI_FIT
    spt_coord *edges = (spt_coord *)(void *)out, low, middle;
    spt_u32 cells[4], edge;
    spt_box at;
    int k, up;
#endif
    spti_part_box(level + skew, level - skew, column, row, &x->bounds, out);
#ifdef SPTI_FIT
    for (k = 0; k < 4 && SPTI_BENDS && x->bend.levels; k++) {
        up = x->bend.levels - level + (k & 1 ? skew - x->skew : x->skew - skew);
        edge = ((k & 1 ? row : column) + (spt_u32)(k / 2)) << up; /* a finest column or row */
        low = x->bend.knots[0][k & 1];
        edges[k] = x->bend.knots[edge > 0 ? SPTI_PIECES : 0][k & 1];
        while (middle = (spt_coord)SPTI_ROUNDED((spti_dist)spti_part(low, edges[k], (spt_u32)1, 1)),
               middle > low && middle < edges[k]) {
            at.min_x = at.min_y = at.max_x = at.max_y = middle;
            spti_bend_cells(&x->bend, x->bend.levels, x->skew, &at, (spti_cells *)(void *)cells);
            if (cells[k] < edge) low = middle;
            else edges[k] = middle;
        }
    }
#endif
}

/* Tells fn of the cells of a tree, parents first; of a complete tree only cells with elements. */
static int spti_nodes_tell(const spt_index *x, spt_cell_fn fn, void *ctx)
{
    const spti_node *n;
    spt_i32 cell = x->first_cell;
    int level = cell < SPTI_WORLD, stop = 0, k;
    spt_box box;
    do {
        n = &x->nodes[SPTI_NODE_OF(cell)];
        k = SPTI_CHILD_OF(cell);
        if (n->chain[k].count == 0 && x->finest < x->node_count) continue;
        spti_place_box(x, spti_cell_place(x, cell, level), level, &box);
        stop = spti_tell_cell(x, fn, ctx, &box, level, n->chain[k].count);
    } while (!stop && spti_cell_next(x, &cell, &level, 1));
    return stop;
}

#ifndef SPATIAL_NO_PACKED
/* Tells fn of all nodes of packed in the order of the leaves, each before the first leaf below. */
static int spti_packed_tell(const spt_index *x, spt_cell_fn fn, void *ctx)
{
    const int root = x->as.packed.root;
    const spt_i32 leaves = x->count > 0 ? (x->count - 1) / SPTI_PACK + 1 : 0;
    spt_box around;
    spt_i32 leaf, node;
    int level, n, stop = 0;
    for (leaf = 0; leaf < leaves && !stop; leaf++)
        for (level = root; level >= 0 && !stop; level--) {
            if (leaf & (((spt_i32)1 << (SPTI_PACK_BITS * level)) - 1)) continue;
            node = leaf >> (SPTI_PACK_BITS * level);
            (void)spti_pack_node(x, level, node, &n);
            spti_pack_around(x, level, node, &around);
            stop = spti_tell_cell(x, fn, ctx, &around, root - level, level == 0 ? n : 0);
        }
    return stop;
}
#else
#define spti_packed_tell(x, fn, ctx) 0
#endif

SPTI_API int spt_traverse(const spt_index *x, spt_cell_fn fn, void *ctx)
{
    if (!x->kind) return SPT_ERR_INIT;
    return x->nodes ? spti_nodes_tell(x, fn, ctx) : spti_packed_tell(x, fn, ctx);
}
#endif

#if defined(SPTI_INDEX) && defined(SPTI_SEARCH)
/* ============================================================================================== */
/* SEARCH - PRIVATE                                                                         >>search

   A box or a motion goes in; the k elements of the smallest keys (see >>geometry) come out: the
   nearest, or the first that the motion meets. In between, a search has a limit, which shrinks:
   once k elements are found, the key of the k-th is the limit.

   Up to 128 results (2 on small machines) are kept in order, the limit behind them until there are
   k. More go to the list of results, which is sorted when it has k, and sorted and cut to k
   whenever it has 2 k:

       few     | before all | 1st | 2nd | 3rd | limit |       3 of k = 4
       list    | the best k in order | those found since |    and the k-th is in few[1], too

   A visit needs no memory: it finds some, tells them, and searches again behind the last. Elements
   and lanes are tested by the same functions, which are monotone: no element in a lane has a
   smaller key than the lane. So nothing is missed, however numbers are rounded. */

#ifdef SPTI_CAN_PREFETCH
#define SPTI_FOUND_FEW 128
#else
#define SPTI_FOUND_FEW 2 /* small stacks */
#endif
#define SPTI_FOUND_SHORT 16 /* so few are kept in order without branches */
#define SPTI_CACHED 1024    /* fewer elements are not prefetched: they mostly are in the cache */

typedef struct spti_found {
    spti_key key;
    spt_u32 tie;      /* decides at equal keys: the id, and SPTI_CORNER if a corner is met */
    spt_i32 place;    /* see spti_boxes */
#ifndef SPTI_VECTORS
    spti_dist limit;  /* of a cast its t; else an upper bound of its distance from the box */
#endif
} spti_found;

#define SPTI_CORNER ((spt_u32)1 << 31)
#define SPTI_FOUND_ID(f) ((spt_i32)((f)->tie & ~SPTI_CORNER))
#define SPTI_FOUND_INTS ((spt_i32)((sizeof(spti_found) + 3) / 4))

/* Record i of a list. It may not be aligned for spti_found, so it is only copied. */
#define SPTI_FOUND_AT(data, i) ((data) + (i)*SPTI_FOUND_INTS)

typedef struct spti_best { /* the best results found so far */
    spti_found few[SPTI_FOUND_FEW + 1]; /* few[0]: nothing comes before it; first: aligned */
    spt_i32 k, count;    /* results wanted, and results found */
    spt_intlist *list;   /* keeps them; NULL: they are in few, or only counted */
    int counts;          /* 1: they are only counted */
    spti_found *worst;   /* the last of the k, or a copy; before there are k: has the limit */
} spti_best;

typedef struct spti_search {
    spti_best best;
    const spt_index *x;
    const spt_filter *filter;
    const spt_box *box;       /* the elements nearest to this box are wanted */
    const spt_motion *motion; /* unless NULL: the elements that this motion meets are wanted */
    spti_line line;           /* computed from the motion */
    spti_meeting met, kept;   /* of the element that was tested last, and of the one kept last */
    const spti_found *after;  /* unless NULL: only elements behind this one count */
    spti_found last;          /* the last one that a visit told: `after` points to it */
    spt_box window;           /* without vectors: only elements that overlap it count */
} spti_search;

/* Returns 1 if a comes before b: by key; at equal keys corners come last, then the ids decide. */
SPTI_INLINE int spti_found_less(const spti_found *a, const spti_found *b)
{
    if (spti_key_less(&a->key, &b->key)) return 1;
    if (spti_key_less(&b->key, &a->key)) return 0;
    return a->tie < b->tie;
}

/* Sorts the list of results and keeps only the best k. (D. L. Shell, "A high-speed sorting
   procedure", CACM 2(7), 1959; with few records it is an insertion sort.) */
static void spti_best_cut(spti_best *b)
{
    spt_i32 *data = spti_list_data(b->list);
    const spt_i32 n = b->count;
    spti_found f, other;
    spt_i32 gap = 1, i, k;
    while (gap < n / 16) gap = gap * 2 + gap / 4 + 1;
    for (; gap > 0; gap = gap * 4 / 9)
        for (i = gap; i < n; i++) {
            spti_copy(&f, SPTI_FOUND_AT(data, i), sizeof f);
            for (k = i; k >= gap; k -= gap) {
                spti_copy(&other, SPTI_FOUND_AT(data, k - gap), sizeof other);
                if (spti_found_less(&other, &f)) break;
                spti_copy(SPTI_FOUND_AT(data, k), &other, sizeof other);
            }
            spti_copy(SPTI_FOUND_AT(data, k), &f, sizeof f);
        }
    if (n < b->k) return;
    b->count = b->k;
    b->list->count = b->k * SPTI_FOUND_INTS;
    spti_copy(b->worst, SPTI_FOUND_AT(data, b->k - 1), sizeof *b->worst);
}

/* Puts an element where it belongs in few; if there are k, the last of them is lost. If k is small,
   the first loop goes past all, because a mispredicted branch out of it takes as long as ten steps:
   each place gets the element before it, or its own again (by a copy, since memcpy must not be
   given one place twice). The second loop does the same for many, and orders equal keys. */
SPTI_APART void spti_best_insert(spti_best *b, const spti_found *f)
{
    spti_found *end = &b->few[b->count < b->k ? ++b->count : b->k], *at = end, element;
    if (b->k <= SPTI_FOUND_SHORT)
        for (; end > &b->few[1]; end--) {
            const size_t before = (size_t)spti_key_less(&f->key, &end[-1].key);
            spti_copy(&element, end - before, sizeof element);
            spti_copy(end, &element, sizeof element);
            at -= before;
        }
    for (; spti_found_less(f, at - 1); at--) spti_copy(at, at - 1, sizeof *f);
    spti_copy(at, f, sizeof *f);
}

/* Keeps or counts one that comes before the worst. Returns an error, or 1 when k are counted. */
SPTI_INLINE int spti_best_add(spti_best *b, const spti_found *f)
{
    spt_i32 *to;
    if (b->counts) return ++b->count == b->k;
    if (!b->list) spti_best_insert(b, f);
    if (!b->list) return 0;
    to = spti_list_room(b->list, SPTI_FOUND_INTS);
    if (!to) return spti_list_error(b->list, SPTI_FOUND_INTS);
    spti_copy(to, f, sizeof *f);
    b->list->count += SPTI_FOUND_INTS;
    b->count++;
    if (b->count == b->k || b->count - b->k == b->k) spti_best_cut(b);
    return 0;
}

#ifdef SPTI_VECTORS
/* Returns a bound: larger squares, or times of a motion, are above the limit. */
SPTI_INLINE spt_coord spti_search_most(const spti_search *s)
{
    return s->motion ? (spt_coord)s->best.worst->key + SPTI_TINY
                     : spti_square_most(s->best.worst->key);
}

/* Finds the keys of n boxes; the ones not above the limit are left. */
SPTI_INLINE void spti_search_order(const spti_search *s, const spti_eight *boxes, int n,
                                   spti_order *o)
{
    o->n = n;
    if (s->motion) spti_order_times(o, &s->line, boxes, spti_search_most(s));
    else spti_order_squares(o, s->box, boxes, spti_search_most(s));
}

/* Returns the elements that are tested next, a bit each: for one result the nearest; while fewer
   than these are wanted, about half as many, so that the others mostly need no test; else all. */
SPTI_INLINE spt_u32 spti_search_next(const spti_search *s, spti_order *o)
{
    const spt_i32 more = s->best.k - s->best.count;
    spt_coord share = 1;
    if (o->left && o->last >= 0) /* some were tested, and the limit may be lower */
        o->left &= spti_keys_within(o->keys, o->n, spti_search_most(s));
    if (s->best.k == 1)
        share = 0;
    else if (more > 0 && more < o->n)
        share = (spt_coord)(more - 1) / (spt_coord)(2 * o->n);
    return spti_order_next(o, share);
}
#else
/* Shrinks the window. limit: the largest time or distance that still counts. */
static void spti_search_narrow(spti_search *s, spti_dist limit)
{
    if (s->motion)
        spti_motion_swept(s->motion, s->after ? s->after->limit : 0, limit, &s->window);
    else
        spti_box_grow(s->box, limit, &s->window);
}
#endif

/* Computes the key of an element, box k; returns 0 if the motion does not meet it. squares: as
   spti_order_squares stores them, if there are vectors. */
SPTI_INLINE int spti_search_key(spti_search *s, const spti_eight *boxes, int k,
                                const spt_coord *squares, spti_found *f)
{
    spt_box box;
#ifdef SPTI_VECTORS
    if (!s->motion) {
        spti_gap_key(squares[32 + k], squares[64 + k], &f->key);
        return 1;
    }
    spti_eight_box(boxes, k, &box);
#else
    spti_dist x, y;
    (void)squares;
    spti_eight_box(boxes, k, &box);
    if (!s->motion) {
        spti_gap(s->box, &box, &x, &y);
        spti_gap_key(x, y, &f->key);
        f->limit = x > y ? x : y; /* a + b/2 for a > b is at least the root of a^2 + b^2 */
        x = x > y ? y / 2 : x / 2;
#ifdef SPATIAL_INT
        x = x < (spt_u32)0xFFFFFFFFUL - f->limit ? x + 1 : (spt_u32)0xFFFFFFFFUL - f->limit;
#endif
        f->limit += x;
        return 1;
    }
#endif
    if (!spti_cast(&s->line, &box, s->motion->enter, &s->met)) return 0;
    spti_copy(&f->key, &s->met.key, sizeof f->key);
    if (s->met.corner) f->tie |= SPTI_CORNER;
#ifndef SPTI_VECTORS
    f->limit = s->met.t;
#endif
    return 1;
}

/* Adds an element to the best, if it is one of them, lies behind s->after, and passes the filter.
   Returns an error, or 1 to end the search. */
SPTI_INLINE int spti_search_offer(spti_search *s, const spti_found *f)
{
    if (spti_found_less(s->best.worst, f) || (s->after && !spti_found_less(s->after, f))) return 0;
    if (s->filter && !spti_filter_accepts(s->filter, &s->x->changes, SPTI_FOUND_ID(f), SPT_NONE))
        return 0;
    if (s->motion) spti_copy(&s->kept, &s->met, sizeof s->met);
    return spti_best_add(&s->best, f);
}

/* Tests up to 32 elements at places from `place` on. */
static int spti_search_test(spti_search *s, const spti_eight *boxes, const spt_i32 *ids, int n,
                            spt_i32 place)
{
    spti_found f;
    spt_u32 next;
    int k, stop;
#ifdef SPTI_VECTORS
    spti_order o;
    const spt_coord *keys = o.keys;
    o.keys[0] = 0; /* some compilers do not see that they are set before they are read */
    spti_search_order(s, boxes, n, &o);
    if (s->after && !s->motion) {
        o.last = spti_square_least(s->after->key);
        o.left &= ~spti_keys_within(o.keys, n, o.last);
    }
    while ((next = spti_search_next(s, &o)) != 0)
#else
    const spt_coord *keys = NULL;
    spti_key limit;
    limit = s->best.worst->key; /* two steps for sdcc */
    next = spti_sieve(boxes, n, &s->window, 0);
#endif
        for (; next; next &= next - 1) {
            k = spti_low_bit(next);
            f.tie = (spt_u32)ids[k];
            f.place = place + k;
            stop = spti_search_key(s, boxes, k, keys, &f) ? spti_search_offer(s, &f) : 0;
            if (stop) return stop;
        }
#ifndef SPTI_VECTORS
    if (spti_key_less(&s->best.worst->key, &limit)) spti_search_narrow(s, s->best.worst->limit);
#endif
    return 0;
}

/* --- a search through nodes ---------------------------------------------------------------------

   A search goes depth first, and in each node it takes the nearest lane next:

       1  Begin in the root or, if everything is in the node below the world, in that node.
       2  Find the key of each lane of the node: its squared distance, or the time when the motion
          meets it.
       3  Among the lanes that are left, take the one of the least key.
       4  If no lane is left, or the least key is above the limit, return to the node above and to
          step 3. Where there is no node above, the search is over.
       5  If elements lie in the lane, test them, and go to step 3. If a node lies in it, go down to
          that node and to step 2.

   Without vectors, lanes come in the order of spti_lane_nearest, but none that cannot count. */

/* Tests the elements of the run in a lane. */
static int spti_search_run(spti_search *s, int depth, spt_i32 node, int lane)
{
    const spt_index *x = s->x;
    const spti_chunk *c;
    spti_chain rest;
    int n, stop = 0;
    spti_lane_run(x, depth, node, lane, &rest);
#ifndef SPATIAL_NO_PACKED
    if (!x->nodes) {
        SPTI_COUNT(rest.count);
        return spti_search_test(s, x->as.packed.nodes + (rest.first >> 3),
                                x->as.packed.ids + rest.first, (int)rest.count, rest.first);
    }
#endif
    SPTI_COUNT(1);
    while (!stop && (c = spti_chain_next(x, &rest, &n)) != NULL) {
        if (rest.count > 0) spti_chunk_prefetch(&x->pool.chunks[rest.first], 0);
        stop = spti_search_test(s, &c->boxes, c->id, n, 8 * (spt_i32)(c - x->pool.chunks));
    }
    return stop;
}

#ifdef SPTI_VECTORS
/* Prefetches the runs and nodes in lanes of a node. */
static void spti_search_prefetch(const spt_index *x, int depth, spt_i32 node, spt_u32 lanes)
{
    spt_u32 runs;
    const spti_chain *chain;
    if (x->count < SPTI_CACHED) return;
    spti_lanes_prefetch(x, depth, node, lanes);
    if (!x->nodes) return;
    for (runs = lanes & SPTI_SET(SPTI_CHILDREN); runs; runs &= runs - 1) {
        chain = &x->nodes[node].chain[spti_low_bit(runs)];
        if (chain->count > 0) spti_chunk_prefetch(&x->pool.chunks[chain->first], 0);
    }
}

typedef struct spti_step { /* a node on the way of a search */
    spti_order o;
    spti_lanes at; /* its lanes */
    spt_i32 node;
    int from;     /* at.boxes, n and used begin at this lane, a multiple of 8; runs does not */
    spt_u32 next; /* lanes that are next, a bit each from there on; see spti_order_next */
} spti_step;

static int spti_nodes_search(const spt_index *x, spti_search *s)
{
    spti_step way[SPTI_NODE_DEPTH], *w = way;
    const spt_coord share = s->motion && s->best.k >= x->count; /* 1: all are wanted */
    spt_u32 soon;
    int k, d, stop;
    for (way->node = spti_node_first(x);; w[1].node = spti_lane_node(x, w->node, k), w++) {
        d = (int)(w - way);
        spti_lanes_of(x, d, w->node, &w->at);
        w->from = x->nodes && w->at.used ? spti_low_bit(w->at.used) & 24 : 0;
        if (w->from > 0) w->at.boxes += w->from / 8, w->at.n -= w->from, w->at.used >>= w->from;
        SPTI_COUNT(w->at.n);
        spti_search_order(s, w->at.boxes, w->at.n, &w->o);
        w->o.left &= w->at.used;
        w->next = spti_order_next(&w->o, share);
        soon = w->next | (s->motion || s->best.count >= s->best.k ? w->o.left : 0);
        spti_search_prefetch(x, d, w->node, soon << w->from);
        for (;;) {
            if (!w->next && w->o.left) {
                w->o.left &= spti_keys_within(w->o.keys, w->at.n, spti_search_most(s));
                w->next = spti_order_next(&w->o, share);
            }
            if (w->next) {
                k = spti_low_bit(w->next) + w->from;
                w->next &= w->next - 1;
                if (!(w->at.runs >> k & 1)) break;
                stop = spti_search_run(s, d, w->node, k);
                if (stop) return stop;
            } else if (w-- == way) {
                return 0;
            }
        }
    }
}
#else
/* Returns the lane that is next: of the least gap, or the first that touches the box. The larger of
   the gaps along the axes is cheap, and roughly right for motions. No result depends on it. */
static int spti_lane_nearest(const spti_lanes *at, spt_u32 left, const spt_box *from)
{
    spti_dist x, y, least = 0;
    int k, nearest = -1;
    spt_box box;
    for (; left && (nearest < 0 || least > 0); left &= left - 1) {
        k = spti_low_bit(left);
        spti_eight_box(at->boxes, k, &box);
        spti_gap(from, &box, &x, &y);
        if (y > x) x = y;
        if (nearest < 0 || x < least) least = x, nearest = k;
    }
    return nearest;
}

static int spti_nodes_search(const spt_index *x, spti_search *s)
{
    const spt_box *from = s->motion ? &s->motion->box : s->box;
    spt_u32 left[SPTI_NODE_DEPTH];
    spt_i32 way[SPTI_NODE_DEPTH];
    spti_lanes at;
    spti_meeting meeting; /* of the motion and a lane */
    spt_box box;
    int d = 0, k, stop;
    for (way[0] = spti_node_first(x);; way[d + 1] = spti_lane_node(x, way[d], k), d++) {
        spti_lanes_of(x, d, way[d], &at);
        left[d] = at.used;
        SPTI_COUNT(at.n);
        for (;;) {
            if (left[d]) /* the window may have become smaller */
                left[d] = spti_lanes_sieve(&at, left[d], &s->window);
            if (left[d] == 0) {
                if (d-- == 0) return 0;
                spti_lanes_of(x, d, way[d], &at);
                continue;
            }
            k = spti_lane_nearest(&at, left[d], from);
            left[d] &= ~((spt_u32)1 << k);
            spti_eight_box(at.boxes, k, &box);
            if (!s->motion) spti_distance_key(s->box, &box, &meeting.key);
            else if (!spti_cast(&s->line, &box, 0, &meeting)) continue;
            if (spti_key_less(&s->best.worst->key, &meeting.key)) continue;
            if (!(at.runs >> k & 1)) break;
            stop = spti_search_run(s, d, way[d], k);
            if (stop) return stop;
        }
    }
}
#endif

/* --- searches --------------------------------------------------------------------------------- */

static void spti_search_init(spti_search *s, const spt_index *x, const spt_filter *filter,
                             const spt_box *box, const spt_motion *motion, spt_i32 k)
{
    s->x = x, s->filter = filter;
    s->box = box, s->motion = motion, s->after = NULL;
    s->best.k = k, s->best.counts = 0, s->best.list = NULL;
}

/* Searches, and puts the results in order. limit: the largest distance or time that counts. */
static int spti_search_all(spti_search *s, spt_coord limit)
{
    const spt_index *x = s->x;
    spti_best *b = &s->best;
    spt_box around;
    spt_u32 used; /* lanes of the root; of packed 1 if the root is a leaf */
    int stop = 0;
    b->count = 0;
    if (x->count == 0) return 0;
    if (s->motion) {
        spti_index_around(x, &around);
        if (!spti_motion_nears(s->motion, &around)) return 0;
    }
    spti_zero(&b->few[0], sizeof b->few[0]);
    b->worst = &b->few[b->list || b->counts ? 1 : b->k];
    b->worst->tie = ~(spt_u32)0;
    if (b->list) b->list->count = 0;
    if (!s->motion) {
        spti_limit_key(limit, &b->worst->key);
    } else {
        spti_line_init(&s->line, s->motion);
#ifdef SPATIAL_INT
        spti_time_key(s->line.x.speed > 0 ? s->line.x.speed : 1, 1, s->line.y.speed,
                      &b->worst->key);
#else
        b->worst->key = (spti_key)limit;
#endif
#ifdef SPTI_VECTORS
        s->line.from = (spt_coord)(s->after ? s->after->key : 0) * (1 - SPTI_ROUNDING);
#endif
    }
#ifndef SPTI_VECTORS
    spti_box_everywhere(&s->window);
    if (s->motion || limit < SPT_NO_LIMIT) spti_search_narrow(s, (spti_dist)limit);
#endif
    used = x->nodes ? x->nodes->used : x->as.packed.root == 0;
    if (!(used & (used - 1)) && (used & SPTI_SET(SPTI_CHILDREN))) /* one lane, a run */
        stop = spti_search_run(s, -1, (spt_i32)0, spti_low_bit(used));
    else
        stop = spti_nodes_search(x, s);
    if (!stop && b->list) spti_best_cut(b);
    return stop;
}

/* ============================================================================================== */
/* NEAREST - PUBLIC                                                                        >>nearest

   In go the arguments of a question; out come ids, a hit, or calls of a function. In between is a
   search; a visit searches once a batch. Of many results, `out` first keeps the records. */

/* Searches and puts the ids in out; if out is NULL, it only counts. */
static spt_i32 spti_search_list(spti_search *s, spt_coord limit, spt_intlist *out)
{
    spti_best *b = &s->best;
    spti_found f;
    spt_i32 i, *ids;
    int error;
    if (b->k > SPTI_FOUND_FEW) b->list = out;
    b->counts = !out;
    error = spti_search_all(s, limit);
    if (out) out->count = 0;
    if (error < 0) return error;
    if (b->count == 0 || !out) return b->count;
    ids = spti_list_room(out, b->count);
    if (!ids) return spti_list_error(out, b->count);
    for (i = 0; i < b->count; i++) {
        if (b->list) spti_copy(&f, SPTI_FOUND_AT(ids, i), sizeof f);
        else spti_copy(&f, &b->few[i + 1], sizeof f);
        ids[i] = SPTI_FOUND_ID(&f);
    }
    out->count = b->count;
    return b->count;
}

SPTI_API spt_i32 spt_nearest(const spt_index *x, const spt_box *box, spt_i32 k, spt_coord limit,
                             const spt_filter *filter, spt_intlist *out)
{
    spti_search s;
    const int error = spti_index_ask(x, box, filter, out, (spt_i32)1, 0);
    if (error || k < 0 || SPTI_IS_NAN(limit)) return error ? error : SPT_ERR_ARGUMENT;
    if (!(limit >= 0) || k == 0) return 0;
    spti_search_init(&s, x, filter, box, NULL, k);
    return spti_search_list(&s, limit, out);
}

SPTI_API spt_i32 spt_cast_all(const spt_index *x, const spt_motion *motion,
                              const spt_filter *filter, spt_intlist *out)
{
    spti_search s;
    const int error = spti_index_ask(x, &motion->box, filter, out, (spt_i32)1, 0);
    if (error || !spti_motion_valid(motion)) return error ? error : SPT_ERR_ARGUMENT;
    spti_search_init(&s, x, filter, NULL, motion, SPTI_I32_MAX);
    return spti_search_list(&s, SPTI_TIME_END, out);
}

/* Visits the results of a search batch by batch. The first is small: many visits end in it. */
static int spti_search_visit(spti_search *s, spt_cast_fn on_hit, spt_near_fn on_near, void *ctx)
{
    const spt_u32 changes = s->x->changes;
    const spt_motion *motion = s->motion;
    spt_coord limit = motion ? (spt_coord)SPTI_TIME_END : SPT_NO_LIMIT;
    spti_best *b = &s->best;
    spti_found *f;
    spti_key key;
    spt_hit hit;
    spt_box box;
    int stop;
    for (b->k = motion ? 2 : 1;; b->k = SPTI_MIN(4 * b->k, SPTI_FOUND_FEW)) {
        (void)spti_search_all(s, limit);
        for (f = b->few + 1; f <= b->few + b->count; f++) {
            if (s->x->nodes) spti_slot_box(s->x, f->place, &box);
#ifndef SPATIAL_NO_PACKED
            else
                spti_eight_box(s->x->as.packed.nodes + (f->place >> 3), (int)(f->place & 7), &box);
#endif
            if (motion) {
                (void)spti_cast(&s->line, &box, motion->enter, &s->met);
                spti_hit_set(&hit, SPTI_FOUND_ID(f), motion, &s->met);
            }
            spti_limit_key(limit, &key);
            if (motion ? hit.t > limit : spti_key_less(&key, &f->key)) return 0;
            stop = motion ? on_hit(ctx, &hit, &box, &limit)
                          : on_near(ctx, SPTI_FOUND_ID(f), &box, spt_box_distance(s->box, &box),
                                    &limit);
            SPATIAL_ASSERT(s->x->changes == changes);
            (void)changes;
            if (stop || limit < 0) return stop;
        }
        if (b->count < b->k) return 0;
        spti_copy(&s->last, &b->few[b->k], sizeof s->last);
        s->after = &s->last;
    }
}

SPTI_API int spt_nearest_visit(const spt_index *x, const spt_box *box, const spt_filter *filter,
                               spt_near_fn fn, void *ctx)
{
    spti_search s;
    const int error = spti_index_ask(x, box, filter, NULL, (spt_i32)0, 0);
    if (error) return error;
    spti_search_init(&s, x, filter, box, NULL, (spt_i32)1);
    return spti_search_visit(&s, NULL, fn, ctx);
}

SPTI_API int spt_cast_visit(const spt_index *x, const spt_motion *motion, const spt_filter *filter,
                            spt_cast_fn fn, void *ctx)
{
    spti_search s;
    const int error = spti_index_ask(x, &motion->box, filter, NULL, (spt_i32)0, 0);
    if (error || !spti_motion_valid(motion)) return error ? error : SPT_ERR_ARGUMENT;
    spti_search_init(&s, x, filter, NULL, motion, (spt_i32)1);
    return spti_search_visit(&s, fn, NULL, ctx);
}

/* ============================================================================================== */
/* AMONG LAYERS - PUBLIC                                                                     >>among

   Indexes go in, each with a filter; the first hit in any of them comes out. */

/* Returns an error in the arguments of a question among layers. asked: see spti_ask. */
static int spti_layers_ask(const spt_layer *layers, int count, const spt_box *box, int asked)
{
    int k, error = count < 0 ? SPT_ERR_ARGUMENT : SPT_OK;
    for (k = 0; k < count && !error; k++) {
        if (!layers || !layers[k].index) return SPT_ERR_ARGUMENT;
        error = spti_index_ask(layers[k].index, box, layers[k].filter, NULL, (spt_i32)0, asked);
    }
    return error || spt_box_valid(box) ? error : SPT_ERR_BOX;
}

SPTI_API int spt_any_among(const spt_layer *layers, int count, const spt_box *box)
{
    int k, any = spti_layers_ask(layers, count, box, SPTI_WINDOWS);
    for (k = 0; k < count && !any; k++) any = spt_any(layers[k].index, box, layers[k].filter);
    return any;
}

SPTI_API SPTI_NOINLINE int spt_cast_among(const spt_layer *layers, int count,
                                          const spt_motion *motion, spt_hit *hit)
{
    spti_search s;
    const spti_meeting *met = &s.kept;
    spti_meeting first; /* the earliest so far */
    int k, found = 0;
    const int error = spti_layers_ask(layers, count, &motion->box, 0);
    if (error || !spti_motion_valid(motion)) return error ? error : SPT_ERR_ARGUMENT;
    first.t = SPTI_TIME_END;
    for (k = 0; k < count; k++) {
        spti_search_init(&s, layers[k].index, layers[k].filter, NULL, motion, (spt_i32)1);
        (void)spti_search_all(&s, (spt_coord)first.t);
        if (s.best.count == 0 || (found && !spti_key_less(&met->key, &first.key) &&
                             (spti_key_less(&first.key, &met->key) || met->corner >= first.corner)))
            continue;
        spti_copy(&first, met, sizeof first);
        found = 1;
        if (hit) spti_hit_set(hit, SPTI_FOUND_ID(&s.best.few[1]), motion, met), hit->layer = k;
    }
    return found;
}

SPTI_API int spt_cast(const spt_index *x, const spt_motion *motion, const spt_filter *filter,
                      spt_hit *hit)
{
    spt_layer layer;
    layer.index = x, layer.filter = filter;
    return spt_cast_among(&layer, 1, motion, hit);
}
#endif

#ifdef SPTI_SHAPES
/* ============================================================================================== */
/* SHAPES - PUBLIC                                                                          >>shapes

   A box and a shape go in; out comes whether they meet. A box and a convex hull are apart if a line
   separates them. Then all vectors from the box to the hull, here called ways, lie on one side of a
   line through the origin. So the test collects the ways in a fan between a right and a left one.
   Box and hull meet if the fan reaches half a turn:

       left                      To one point of the hull the ways from the box fill a rectangle,
          +-/-------+            of which two corners lie at the edges of the fan. If the point is
          |/  ways  |  . right   in the box, the origin is in the rectangle.
          |  to one . .          For the fan neither order nor repetition of points matters, and a
         /|_ point_.|            point that rounding has moved inwards does no harm.
        /        .
       /      .                  The fan needs no more than signs of a * b - c * d. For floats the
      /    .                     products are exact in double; with SPATIAL_DOUBLE equal products
     o  .                        are taken as parallel ways.

   With a radius they also meet if a point is near enough to the box, or a corner of the box to a
   side: only the corners farthest to the left and to the right of a side can be the nearest.
   Differences are scaled: the size of the shape is then at most 2^10, and products of four neither
   overflow nor vanish. If the box is much larger than the shape, one coordinate of a way may be
   infinite, never both: products with it still tell to which side ways turn, if to any.

   spt_overlap is a walk (see >>query) with the window around the shape. Two slabs hold the shape,
   one along the side of the largest dx or dy and one along that which reaches farthest across it.
   Lanes outside a slab are left out. Elements in lanes inside the hull are reported, others are
   tested. A margin, larger than all rounding errors together, makes sure that a lane is decided as
   the test would decide each of its elements.

   Source: C. Ericson, "Real-Time Collision Detection", 2005: slabs 4.3, separating lines 5.2. */

typedef struct spti_way { /* from one place to another, multiplied by a scale */
    double x, y;
} spti_way;

typedef struct spti_slab { /* two parallel lines with the shape in between */
    double x, y;           /* a normal of the lines; the larger of both is 1 or -1 */
    double low, high;      /* the lines: dot products with (x, y), counted from the first point */
} spti_slab;

typedef struct spti_outline { /* a shape, and numbers that are computed once for it */
    const spt_shape *shape;
    spt_box window;        /* around the shape, the radius included */
    spti_key limit;        /* the key of the radius */
    double scale;          /* a power of 2, by which differences are multiplied */
    double margin;         /* larger than all rounding errors together */
    spti_slab slabs[2];
    int count;             /* of slabs */
} spti_outline;

#define SPTI_POINT(shape, i) ((shape)->points + 2 * (size_t)(i))
#define SPTI_POINT_AFTER(shape, i) SPTI_POINT(shape, (i) + 1 < (shape)->count ? (i) + 1 : 0)

/* Prepares the test of boxes; returns 0 if the shape is not valid. */
static int spti_outline_init(spti_outline *o, const spt_shape *shape)
{
    const double step = 1024, least = sizeof step > 4 ? 1e-30 : 1 / step;
    spti_stored width, height;
    spt_box point;
    double size;
    int i;
    if (!shape->points || shape->count < 1) return 0;
    if (!(shape->radius >= 0 && shape->radius <= SPTI_COORD_MAX)) return 0;
    spti_box_clear(&o->window);
    for (i = 0; i < shape->count; i++) {
        point.min_x = point.max_x = SPTI_POINT(shape, i)[0];
        point.min_y = point.max_y = SPTI_POINT(shape, i)[1];
        if (!spt_box_valid(&point)) return 0;
        spti_box_add(&o->window, &point);
    }
    if (shape->radius > 0) spti_box_grow(&o->window, shape->radius, &o->window);
    width = o->window.max_x - o->window.min_x, height = o->window.max_y - o->window.min_y;
    if (!(width <= SPTI_COORD_MAX && height <= SPTI_COORD_MAX)) return 0; /* infinite, or a NaN */
    spti_limit_key(shape->radius, &o->limit);
    o->shape = shape, o->scale = 1;
    o->margin = (double)SPTI_TINY + 4 * (double)SPTI_ROUNDING * ((double)width + (double)height);
    size = width > height ? (double)width : (double)height;
    while (size * o->scale > step) o->scale /= step;
    while (size > 0 && size * o->scale < least && o->scale < 1e-7 / (double)SPTI_TINY)
        o->scale *= step;
    return 1;
}

/* Finds the way from a point to a place. */
SPTI_INLINE void spti_way_init(spti_way *way, const spti_outline *o, const spt_coord *from,
                               spt_coord x, spt_coord y)
{
    const spti_stored dx = x - from[0], dy = y - from[1];
    way->x = (double)dx * o->scale, way->y = (double)dy * o->scale;
}

/* Returns 1 if b points to the left of a, -1 if to the right, 0 if along the same line. */
static int spti_way_turn(const spti_way *a, const spti_way *b)
{
    const spti_exact left = a->x * b->y, right = a->y * b->x;
    return (left > right) - (left < right);
}

/* Widens a fan, a left and a right way, to a third one; returns 1 if it reaches half a turn. */
static int spti_fan_add(spti_way *fan, const spti_way *way)
{
    spti_way *left = fan, *right = fan + 1;
    const int to_right = spti_way_turn(right, way), to_left = spti_way_turn(left, way);
    if (to_left > 0 && to_right < 0) return 1;
    if (to_left == 0 && left->x * way->x + left->y * way->y < 0) return 1;
    if (to_right == 0 && right->x * way->x + right->y * way->y < 0) return 1;
    if (to_left > 0) spti_copy(left, way, sizeof *way);
    else if (to_right < 0) spti_copy(right, way, sizeof *way);
    return 0;
}

/* Returns 1 if the points lie around a place: then each way to it turns to the same side from the
   one before, and the place is in the hull. (0 tells nothing.) */
static int spti_outline_around(const spti_outline *o, spt_coord x, spt_coord y)
{
    spti_way last, way;
    int i, turn, first = 0;
    spti_way_init(&last, o, SPTI_POINT(o->shape, o->shape->count - 1), x, y);
    for (i = 0; i < o->shape->count; i++) {
        spti_way_init(&way, o, SPTI_POINT(o->shape, i), x, y);
        turn = spti_way_turn(&last, &way);
        if (i == 0) first = turn;
        if (turn == 0 || turn != first) return 0;
        last = way;
    }
    return 1;
}

/* Returns 1 if a corner of a box is near enough to a place of a side that is not one of its ends.
   from: the first end; side: the way from it to the other end; x, y: the corner. */
static int spti_side_near(const spti_outline *o, const spt_coord *from, const spti_way *side,
                          spt_coord x, spt_coord y)
{
    const spti_stored dx = x - from[0], dy = y - from[1];
    const double px = (double)dx * o->scale, py = (double)dy * o->scale;
    const double radius = (double)o->shape->radius * o->scale;
    const spti_exact ahead_x = px * side->x, ahead_y = py * side->y, ahead = ahead_x + ahead_y;
    const spti_exact xx = side->x * side->x, yy = side->y * side->y, length = xx + yy;
    const spti_exact left = side->x * py, right = side->y * px, apart = left - right;
    const spti_exact square = apart * apart, most = radius * radius, limit = most * length;
    return ahead > 0 && ahead < length && square <= limit;
}

/* Returns 1 if a corner of a box is near enough to a side. */
static int spti_outline_near(const spti_outline *o, const spt_box *box)
{
    spti_way side;
    int i, up, right;
    for (i = 0; i < o->shape->count; i++) {
        const spt_coord *from = SPTI_POINT(o->shape, i), *to = SPTI_POINT_AFTER(o->shape, i);
        spti_way_init(&side, o, from, to[0], to[1]);
        up = side.y > 0, right = side.x > 0;
        if (spti_side_near(o, from, &side, SPTI_EDGE(box, 0, up), SPTI_EDGE(box, 1, !right)) ||
            spti_side_near(o, from, &side, SPTI_EDGE(box, 0, !up), SPTI_EDGE(box, 1, right)))
            return 1;
    }
    return 0;
}

/* The test: returns 1 if a valid box meets the shape. x, y: on which side of the box a point lies,
   0 if between its sides. By these, from below on, the table has the corners at which the left and
   the right way to the point begin: x and y of either, 0 at the minimum, 1 at the maximum. */
static int spti_outline_meets(const spti_outline *o, const spt_box *box)
{
    static const unsigned char corners[3][3][4] = {{{0, 1, 1, 0}, {0, 0, 1, 0}, {0, 0, 1, 1}},
                                                   {{0, 1, 0, 0}, {0, 0, 0, 0}, {1, 0, 1, 1}},
                                                   {{1, 1, 0, 0}, {1, 1, 0, 1}, {1, 0, 0, 1}}};
    const unsigned char *at;
    double xs[2], ys[2]; /* of the ways to a point */
    spti_way left, right, fan[2];
    spti_key key;
    int i, x, y;
    if (!spt_box_overlap(box, &o->window)) return 0;
    if (spti_outline_around(o, box->min_x, box->min_y)) return 1;
    for (i = 0; i < o->shape->count; i++) {
        const spt_coord *p = SPTI_POINT(o->shape, i);
        const spti_stored x0 = p[0] - box->min_x, x1 = p[0] - box->max_x;
        const spti_stored y0 = p[1] - box->min_y, y1 = p[1] - box->max_y;
        x = (x1 > 0) - (x0 < 0), y = (y1 > 0) - (y0 < 0);
        spti_gap_key(x > 0 ? x1 : x < 0 ? -x0 : 0, y > 0 ? y1 : y < 0 ? -y0 : 0, &key);
        if (!spti_key_less(&o->limit, &key)) return 1;
        xs[0] = (double)x0 * o->scale, xs[1] = (double)x1 * o->scale;
        ys[0] = (double)y0 * o->scale, ys[1] = (double)y1 * o->scale;
        at = corners[y + 1][x + 1];
        left.x = xs[at[0]], left.y = ys[at[1]], right.x = xs[at[2]], right.y = ys[at[3]];
        if (i == 0) spti_copy(fan, &left, sizeof left), spti_copy(fan + 1, &right, sizeof right);
        else if (spti_fan_add(fan, &left) || spti_fan_add(fan, &right)) return 1;
    }
    return o->shape->radius > 0 && spti_outline_near(o, box);
}

SPTI_API int spt_box_meets_shape(const spt_box *box, const spt_shape *shape)
{
    spti_outline o;
    if (!spt_box_valid(box)) return SPT_ERR_BOX;
    if (!spti_outline_init(&o, shape)) return SPT_ERR_ARGUMENT;
    return spti_outline_meets(&o, box);
}

SPTI_API int spt_shape_box(const spt_shape *shape, spt_box *out)
{
    spti_outline o;
    if (!spti_outline_init(&o, shape)) return SPT_ERR_ARGUMENT;
    *out = o.window;
    return SPT_OK;
}

#ifdef SPTI_INDEX
/* Makes the slab along the longest side or, if there is another slab, along the side that reaches
   farthest across it. Returns 0 if there is no such side. */
static int spti_slab_init(const spti_outline *o, const spti_slab *other, spti_slab *slab)
{
    const spt_coord *first = o->shape->points;
    double best = 0, size, x, y, across;
    int i;
    for (i = 0; i < o->shape->count; i++) {
        const spt_coord *from = SPTI_POINT(o->shape, i), *to = SPTI_POINT_AFTER(o->shape, i);
        x = (double)(to[0] - from[0]), y = (double)(to[1] - from[1]);
        size = SPTI_MAX(SPTI_MAX(x, -x), SPTI_MAX(y, -y));
        across = other ? other->x * x + other->y * y : size;
        across = SPTI_MAX(across, -across);
        if (across > best) best = across, slab->x = -y / size, slab->y = x / size;
    }
    if (!(best > 0)) return 0;
    slab->low = slab->high = 0;
    for (i = 1; i < o->shape->count; i++) {
        const spt_coord *p = SPTI_POINT(o->shape, i);
        across = slab->x * (double)(p[0] - first[0]) + slab->y * (double)(p[1] - first[1]);
        slab->low = SPTI_MIN(across, slab->low), slab->high = SPTI_MAX(slab->high, across);
    }
    x = slab->x * slab->x, y = slab->y * slab->y;
    size = 1 + SPTI_MIN(x, y) / 2; /* at least the length of the normal */
    size = size * (double)o->shape->radius + o->margin;
    slab->low -= size, slab->high += size;
    return 1;
}

/* Returns 1 if a box lies outside a slab; not if an infinite edge gives a NaN. */
static int spti_slab_beside(const spti_slab *slab, const spt_coord *first, const spt_box *box)
{
    const double x0 = slab->x * ((double)box->min_x - (double)first[0]);
    const double x1 = slab->x * ((double)box->max_x - (double)first[0]);
    const double y0 = slab->y * ((double)box->min_y - (double)first[1]);
    const double y1 = slab->y * ((double)box->max_y - (double)first[1]);
    return SPTI_MIN(x0, x1) + SPTI_MIN(y0, y1) > slab->high ||
           (x0 > x1 ? x0 : x1) + (y0 > y1 ? y0 : y1) < slab->low;
}

/* Returns 1 if all elements in a lane meet the shape: it is in the hull, by more than a margin. */
static int spti_outline_holds(const spti_outline *o, const spt_box *lane)
{
    const spti_dist margin = (spti_dist)o->margin;
    const spti_stored min_x = lane->min_x - margin, max_x = lane->max_x + margin;
    const spti_stored min_y = lane->min_y - margin, max_y = lane->max_y + margin;
    return spti_outline_around(o, min_x, min_y) && spti_outline_around(o, max_x, max_y) &&
           spti_outline_around(o, min_x, max_y) && spti_outline_around(o, max_x, min_y);
}

/* Returns the elements in hits, a bit each, that meet the shape. If inside is not NULL, hits are
   lanes: returns the lanes that may hold such elements; *inside gets the lanes with no others. */
static spt_u32 spti_shape_sift(const spti_query *q, const spti_eight *boxes, spt_u32 hits,
                               spt_u32 *inside) SPT_CALLBACK
{
    const spti_outline *o = q->outline;
    spt_u32 rest = hits, bit;
    spt_box box;
    int i, out;
    if (inside) *inside = 0;
    for (; rest; rest &= rest - 1) {
        spti_eight_box(boxes, spti_low_bit(rest), &box);
        bit = rest & (0 - rest);
        for (i = out = 0; i < o->count && !out; i++)
            out = spti_slab_beside(&o->slabs[i], o->shape->points, &box);
        SPTI_COUNT(1);
        if (out || (!inside && !spti_outline_meets(o, &box))) hits &= ~bit;
        else if (inside && spti_outline_holds(o, &box)) *inside |= bit;
    }
    return hits;
}

SPTI_API spt_i32 spt_overlap(const spt_index *x, const spt_shape *shape, const spt_filter *filter,
                             spt_intlist *out)
{
    spti_outline outline;
    spti_query q;
    const int error = spti_index_ask(x, NULL, filter, out, (spt_i32)1, 0);
    if (error || !spti_outline_init(&outline, shape)) return error ? error : SPT_ERR_ARGUMENT;
    outline.count = spti_slab_init(&outline, NULL, outline.slabs);
    if (outline.count) outline.count += spti_slab_init(&outline, outline.slabs, outline.slabs + 1);
    spti_query_init(&q, x, filter, out, NULL, NULL);
    q.outline = &outline, q.sift = spti_shape_sift, q.target = &outline.window;
    return spti_results(q.to.count, spti_query_windows(&q, &outline.window, (spt_i32)1));
}
#endif
#endif

#ifdef SPTI_INDEX
/* ============================================================================================== */
/* VERBS - PUBLIC                                                                            >>verbs

   Functions that change an index, read single elements, or find all pairs. Each tests its arguments
   and hands the work on: to the table, the fit, the kind, or the broadphase. */

SPTI_API void spt_clear(spt_index *x)
{
    spt_i32 i;
    if (!x->kind) return;
#ifdef SPTI_GROWS
    if (x->pool.top < x->size / 64) /* few elements: by their ids (empty places: id 0) */
        for (i = 0; i < 8 * x->pool.top; i++)
            x->slots[SPTI_MAX(spti_chunk_of(x, i)->id[i & 7], 0)] = SPT_NONE;
    else
#endif
        for (i = 0; x->slots && i < x->size; i++) x->slots[i] = SPT_NONE;
    x->count = x->pool.top = x->pool.used = 0, x->pool.free_head = SPT_NONE;
    spti_cells_clear(x);
}

#ifndef SPATIAL_NO_COPY
/* Copies slots, chunks and nodes, after all their memory is reserved. Without a capacity `to`
   counts only as much room for chunks and nodes as `from` has, although its memory may hold more:
   the order of a build and, with desc.cell, the levels follow from this room. */
static int spti_table_copy(spt_index *to, const spt_index *from)
{
    spt_i32 ids = from->size, chunks = from->pool.capacity, nodes = from->node_room;
    int error;
    if (to->fixed) {
        while (ids > to->size && from->slots[ids - 1] == SPT_NONE) ids--;
        chunks = from->pool.top, nodes = from->node_count;
        if (chunks > to->pool.capacity || nodes > to->node_room) return SPT_ERR_FULL;
    }
    if (chunks > to->pool.capacity && SPTI_BYTES(chunks, spti_chunk) <= to->pool.bytes)
        to->pool.capacity = chunks; /* an earlier copy left part of the memory unused */
    error = spti_index_grow(to, ids - 1);
    if (!error) error = spti_index_reserve(to, chunks, nodes);
    if (error) return error;
    spti_copy(to->slots, from->slots, (size_t)ids * sizeof *to->slots);
    for (; ids < to->size; ids++) to->slots[ids] = SPT_NONE;
    if (from->pool.top > 0)
        spti_copy(to->pool.chunks, from->pool.chunks, (size_t)from->pool.top * sizeof(spti_chunk));
    spti_copy(to->memory, from->memory, (size_t)from->node_count * sizeof(spti_node));
    to->nodes = (spti_node *)to->memory, to->node_count = from->node_count;
    if (!to->fixed) to->pool.capacity = chunks, to->node_room = nodes;
    to->pool.top = from->pool.top, to->pool.used = from->pool.used;
    to->pool.free_head = from->pool.free_head, to->finest = from->finest;
#ifdef SPTI_FIT
    spti_copy(&to->bend, &from->bend, sizeof to->bend);
#endif
    to->map = from->map, to->skew = from->skew, to->first_cell = from->first_cell;
    to->as = from->as;
    return SPT_OK;
}

SPTI_API int spt_copy(spt_index *to, const spt_index *from)
{
    int error;
    if (!to->kind || !from->kind) return SPT_ERR_INIT;
    if (to->kind != from->kind) return SPT_ERR_KIND;
    if (to == from) return SPT_OK;
    error = to->kind->copy ? to->kind->copy(to, from) : spti_table_copy(to, from);
    if (error) return error;
    to->changes++; /* `to` goes on counting, so that a visit notices; others count from this on */
    to->tidied = to->changes - (from->changes - from->tidied);
    to->worth = from->worth, to->fit_after = from->fit_after, to->cursor = from->cursor;
    to->bounds = from->bounds, to->keep_bounds = from->keep_bounds, to->count = from->count;
    return SPT_OK;
}
#endif

SPTI_API spt_i32 spt_count(const spt_index *x)
{
    return x->kind ? x->count : SPT_ERR_INIT;
}

SPTI_API int spt_contains(const spt_index *x, spt_i32 id)
{
    if (x->slots) return spti_index_has(x, id);
    return id >= 0 && id < x->count;
}

SPTI_API int spt_box_of(const spt_index *x, spt_i32 id, spt_box *box)
{
    if (!x->kind) return SPT_ERR_INIT;
    if (!spt_contains(x, id)) return SPT_ERR_ID;
    if (x->slots) spti_slot_box(x, x->slots[id], box);
#ifndef SPATIAL_NO_PACKED
    if (!x->slots) {
        spt_i32 at = 0;
        while (at < x->count && x->as.packed.ids[at] != id) at++;
        if (at == x->count) return SPT_ERR_ID; /* an image may have any ids */
        spti_eight_box(x->as.packed.nodes + (at >> 3), (int)(at & 7), box);
    }
#endif
    return SPT_OK;
}

/* Returns an error if single elements cannot be changed, or if a box is given and not valid. */
SPTI_INLINE int spti_change_ask(const spt_index *x, const spt_box *box)
{
    if (!x->kind || !x->kind->locate) return x->kind ? SPT_ERR_KIND : SPT_ERR_INIT;
    return box && !spt_box_valid(box) ? SPT_ERR_BOX : SPT_OK;
}

SPTI_API int spt_insert(spt_index *x, spt_i32 id, const spt_box *box)
{
    int error = spti_change_ask(x, box);
    if (error) return error;
    if (id < 0 || id > SPTI_ID) return SPT_ERR_ID;
    if (spti_index_has(x, id)) return SPT_ERR_EXISTS;
    error = id < x->size ? SPT_OK : spti_index_grow(x, id);
    if (!error) error = spti_index_add(x, id, box);
#ifdef SPTI_FIT
    if (!error && x->worth / SPTI_FIT_WORTH > x->fit_after) spti_fit(x, 0);
#endif
    return error;
}

SPTI_API int spt_move(spt_index *x, spt_i32 id, const spt_box *box)
{
    const int error = spti_change_ask(x, box);
    if (error) return error;
    if (!spti_index_has(x, id)) return SPT_ERR_ID;
    return spti_index_change(x, id, box);
}

#ifdef SPTI_CAN_PREFETCH
#define SPTI_MOVES_FAR 24  /* the slot of an element is prefetched so many moves ahead, */
#define SPTI_MOVES_NEAR 12 /* its chunk and its new box so many moves ahead */

static void spti_move_prefetch(const spt_index *x, const spt_i32 *ids, const spt_box *boxes,
                               spt_i32 left)
{
    const spti_chunk *c;
    spt_i32 id, k;
    if (left > SPTI_MOVES_FAR && (spt_u32)ids[SPTI_MOVES_FAR] < (spt_u32)x->size)
        SPTI_PREFETCH(&x->slots[ids[SPTI_MOVES_FAR]]);
    if (left <= SPTI_MOVES_NEAR) return;
    id = ids[SPTI_MOVES_NEAR];
    if (!spti_index_has(x, id)) return;
    c = spti_chunk_of(x, x->slots[id]);
    k = x->slots[id] & 7;
    SPTI_PREFETCH(&boxes[id]);
    SPTI_PREFETCH(&c->boxes.min_x[k]);
    SPTI_PREFETCH(&c->boxes.max_x[k]);
    SPTI_PREFETCH(&c->boxes.max_y[k]);
    SPTI_PREFETCH(&c->cell);
}
#else
#define spti_move_prefetch(x, ids, boxes, left) ((void)0)
#endif

SPTI_API spt_i32 spt_move_many(spt_index *x, const spt_i32 *ids, const spt_box *boxes, spt_i32 n)
{
    spt_i32 k;
    int error = spti_change_ask(x, NULL);
    if (error || n < 0) return error ? error : SPT_ERR_ARGUMENT;
    for (k = 0; k < n; k++) {
        spti_move_prefetch(x, ids + k, boxes, n - k);
        error = spti_index_has(x, ids[k]) ? SPT_OK : SPT_ERR_ID;
        if (!error && !spt_box_valid(&boxes[ids[k]])) error = SPT_ERR_BOX;
        if (!error) error = spti_index_change(x, ids[k], &boxes[ids[k]]);
        if (error) return k > 0 ? k : (spt_i32)error;
    }
    return n;
}

SPTI_API int spt_remove(spt_index *x, spt_i32 id)
{
    const int error = spti_change_ask(x, NULL);
    if (error) return error;
    if (!spti_index_has(x, id)) return SPT_ERR_ID;
    spti_cell_remove(x, x->slots[id]);
    x->slots[id] = SPT_NONE;
    x->changes++, x->worth += 4, x->count--;
    return SPT_OK;
}

#ifdef SPTI_PLACES
/* Adds n > 0 boxes in Morton order of their lower corners. The records to be sorted lie at the end
   of the pool, which has room for them. New chunks overwrite records of boxes that were added; if
   a chunk reaches the next record, the function stops, and the caller adds the rest by ids. */
static void spti_index_fill(spt_index *x, const spt_box *boxes, spt_i32 n)
{
    const size_t chunk = sizeof(spti_eight) + 48; /* its bytes, padded alike on every target */
    const size_t first = (size_t)x->pool.capacity * (chunk - 4) / sizeof(spti_record) - (size_t)n;
    spti_record *records = (spti_record *)(void *)x->pool.chunks + first, *spare = records - n;
    const spti_record *next;
    spt_u32 codes = 0;
    spti_cells c;
    spt_i32 i;
    int shift;
    for (i = 0; i < n; i++) {
        spti_index_cells(x, &boxes[i], &c);
        records[i].key = spt_morton_interleave(c.x0, c.y0);
        records[i].index = i, codes |= records[i].key;
    }
    for (shift = 0; shift < 32 && codes >> shift; shift += 16)
        spti_sort(records, spare, n, shift, (spt_i32 *)(void *)spare - (1 << SPTI_DIGIT(n)));
    for (i = 0; i < n; i++) {
        next = (spti_record *)(void *)x->pool.chunks + first + i;
        if ((size_t)x->pool.top * chunk > (first + (size_t)i) * sizeof(spti_record)) break;
        if (i + SPTI_SOON < n) SPTI_PREFETCH(&boxes[next[SPTI_SOON].index]);
        (void)spti_index_add(x, next->index, &boxes[next->index]); /* a chunk is left for it */
    }
}
#endif

#ifdef SPTI_TABLE
/* Empties the index and fits its world to n boxes, around which is `around`; or changes nothing. */
static int spti_build_begin(spt_index *x, const spt_box *boxes, spt_i32 n, const spt_box *around)
{
    spt_i32 nodes, chains;
    int error;
#ifdef SPTI_FIT
    /* A world that is never fitted again keeps the levels chosen for its capacity. */
    const int lower = n > 0 && (!x->keep_bounds || !x->fixed);
    spti_world w;
    w.bounds = *around;
    if (n == 0 || x->keep_bounds || !spti_fit_world(x, boxes, n, 1, lower, &w))
        spti_world_stay(x, n, lower, &w);
    nodes = w.nodes;
#else
    (void)boxes, (void)around, nodes = x->node_count;
#endif
    chains = SPTI_CHILDREN * nodes;
    if (x->kind->settle && chains < n / 8) chains = n / 8; /* leaves will be divided */
    error = spti_index_grow(x, n - 1);
    if (!error) error = spti_index_reserve(x, SPTI_CHUNKS_OF(n, chains) + 1, nodes);
    if (error) return error;
#ifdef SPTI_FIT
    spti_world_set(x, &w);
#endif
    spt_clear(x);
    return SPT_OK;
}
#endif

SPTI_API int spt_build(spt_index *x, const spt_box *boxes, spt_i32 n)
{
    spt_box around;
    spt_i32 i;
    int error = SPT_OK;
    if (!x->kind) return SPT_ERR_INIT;
    if (n < 0) return SPT_ERR_ARGUMENT;
    if (x->fixed && n > x->size) return SPT_ERR_FULL;
    if (x->kind->build) return x->kind->build(x, boxes, n);
    spti_box_clear(&around);
    for (i = 0; i < n; i++) {
        if (!spt_box_valid(&boxes[i])) return SPT_ERR_BOX;
        spti_box_add(&around, &boxes[i]);
    }
#ifdef SPTI_TABLE
    error = spti_build_begin(x, boxes, n, &around);
    if (error) return error;
    spti_lanes_open(x, n, 1);
#ifdef SPTI_PLACES
    if (n > 0) spti_index_fill(x, boxes, n);
#endif
    for (i = 0; i < n && !error; i++)
        if (x->slots[i] == SPT_NONE) error = spti_index_add(x, i, &boxes[i]);
    if (error) spt_clear(x);
    else spti_lanes_open(x, n, 0);
#ifdef SPTI_FIT
    spti_fit_later(x);
#endif
#endif
    return error;
}

/* A pass goes over all cells, 1/32 of them and 16 more each call, and reads all elements. So it
   begins only when the changes since the last one, plus 2 for each idle call, reach 1/32 of the
   elements. Cells are visited from the last to the first, since most nodes come behind their
   parents: so lanes below are shrunk before the lane above. */
SPTI_API void spt_tidy(spt_index *x)
{
    spt_u32 total, end;
    if (!x->kind || !x->kind->tidy) return;
#ifdef SPTI_FIT
    total = (spt_u32)x->count + SPTI_FIT_LEAST; /* fewer than fit_after after many removes */
    if (x->worth / SPTI_FIT_WORTH > SPTI_MIN(x->fit_after, total)) spti_fit(x, 1);
#endif
    if (x->cursor == 0) {
        if (x->tidied == x->changes) return;
        x->tidied -= 2; /* an idle call is worth two changes */
        if (x->changes - x->tidied < (spt_u32)x->count / 32) return;
        x->tidied = x->changes;
    }
    x->changes++, x->tidied++; /* callbacks may not do this; tidy gets no work by it */
    total = (spt_u32)SPTI_CHILDREN * (spt_u32)x->node_count;
    end = SPTI_MIN(x->cursor + total / 32 + SPTI_CHILDREN, total);
    for (; x->cursor < end; x->cursor++)
        x->kind->tidy(x, SPTI_CHILDREN * x->node_count - 1 - (spt_i32)x->cursor);
    if (x->cursor >= (spt_u32)SPTI_CHILDREN * (spt_u32)x->node_count) x->cursor = 0; /* the end */
}

SPTI_API spt_i32 spt_pairs(spt_index *x, const spt_filter *filter, spt_intlist *out)
{
#ifndef SPATIAL_NO_BROADPHASE
    spti_boxes boxes;
    spt_i32 found = SPTI_CROWDED;
#endif
    const int error = spti_index_ask(x, NULL, filter, out, (spt_i32)2, SPTI_PAIRS);
    if (error) return error;
#ifdef SPATIAL_NO_BROADPHASE
    return SPT_ERR_LEFT_OUT;
#else
    if (x->fixed && !x->broadphase.block) return SPT_ERR_LEFT_OUT; /* desc.no_pairs */
    if (x->count < 2) return 0;
    x->changes++, x->tidied++; /* callbacks may not do this; tidy gets no work by it */
    if (x->kind->pairs) found = x->kind->pairs(x, filter, out);
    if (found < 0 && out) out->count = 0;
    if (found != SPTI_CROWDED) return found;
    spti_index_boxes(x, &boxes);
    return spti_all_pairs(&x->broadphase, &boxes, NULL, filter, &x->changes, out);
#endif
}

/* ============================================================================================== */
/* MOVED - PUBLIC                                                                            >>moved

   In go the ids of some elements, out come their pairs. If they are few, each asks for the elements
   that overlap its box, roughly in the order of slots, where near ones follow each other. Otherwise
   all pairs are found, and those without a given element removed.

       ids --> (slot, id), roughly sorted --> windows --> (window, other id) --> pairs
          `--> a bit for each id: is it given? --------------------^ each once */

#ifndef SPATIAL_NO_BROADPHASE
#define SPTI_OF (2 * SPTI_RUNS) /* windows at once */

typedef struct spti_of { /* its arrays lie in the scratch of the broadphase */
    spti_query query;      /* its list and count are of pairs; calls spti_of_fn for each result */
    const spt_filter *filter; /* for pairs */
    spt_u32 *given;        /* by id: a bit, 1 for given elements */
    spti_record *asked;    /* slots and ids of given elements, from those of the first window on */
    spt_i32 left;          /* their number */
} spti_of;

static spt_u32 spti_of_given(const spti_of *of, spt_i32 id)
{
    return of->given[id >> 5] >> (id & 31) & 1;
}

/* Marks and collects the given elements that are there. Errors: a negative id, and no memory. */
static int spti_of_begin(spti_of *of, spt_index *x, const spt_i32 *ids, spt_i32 n)
{
    const spt_u32 words = (spt_u32)x->size / 32 + 1, most = (spt_u32)SPTI_MIN(n, x->count);
    const spt_i32 boxes = (spt_i32)((words + 4 * most) / 8 + 1); /* of at least 32 bytes each */
    unsigned char *block;
    size_t used = 0;
    spt_i32 i;
    const int error = spti_broadphase_reserve(&x->broadphase, boxes);
    if (error) return error;
    x->broadphase.count = 0, block = x->broadphase.block;
    of->given = SPTI_PIECE(block, &used, words, spt_u32);
    of->asked = SPTI_PIECE(block, &used, 2 * most, spti_record);    /* and room to sort them, */
    (void)SPTI_PIECE(block, &used, 1 << SPTI_DIGIT(most), spt_i32); /* and for counts */
    SPATIAL_ASSERT(used <= x->broadphase.bytes);
    spti_zero(of->given, (size_t)words * sizeof *of->given);
    for (i = of->left = 0; i < n; i++) {
        if (ids[i] < 0) return SPT_ERR_ID;
        if (!spti_index_has(x, ids[i]) || spti_of_given(of, ids[i])) continue;
        of->given[ids[i] >> 5] |= (spt_u32)1 << (ids[i] & 31);
        of->asked[of->left].key = (spt_u32)x->slots[ids[i]];
        of->asked[of->left++].index = ids[i];
    }
    return SPT_OK;
}

/* Adds the pair of an element that overlaps a window and the element of this window. If both are
   given, the windows of both find the pair: the one of the lower id adds it. */
static int spti_of_fn(void *ctx, spt_i32 other, const spt_box *box) SPT_CALLBACK
{
    const spti_of *of = (const spti_of *)ctx;
    const spti_sink *to = &of->query.to;
    const spt_i32 id = of->asked[to->window].index;
    spt_i32 pair[2], *room = pair;
    (void)box;
    if (!((id < other) | !spti_of_given(of, other))) return 0; /* also if other is id */
    spti_pair_set(pair, id, other);
    if (of->filter && !spti_filter_accepts(of->filter, to->changes, pair[0], pair[1])) return 0;
    if (*to->count == SPTI_I32_MAX) return SPT_ERR_COUNT;
    if (to->out && !(room = spti_list_room(to->out, (spt_i32)1)))
        return spti_list_error(to->out, (spt_i32)1);
    room[0] = pair[0], room[1] = pair[1];
    ++*to->count;
    return 0;
}

/* Finds the pairs of the given elements by windows, in the order of the upper 16 bits of their
   slots. Prefetches chunks before it reads them. */
static int spti_of_windows(spti_of *of)
{
    const spt_index *x = of->query.x;
    spti_record *spare = of->asked + of->left;
    const int shift = spti_bits((spt_u32)x->pool.top >> 13); /* 8 slots are a chunk */
    spt_box windows[SPTI_OF];
    spt_i32 n, k;
    int error = SPT_OK;
    spti_sort(of->asked, spare, of->left, shift, (spt_i32 *)(void *)(spare + of->left));
    for (; of->left > 0 && !error; of->left -= n, of->asked += n) {
        n = SPTI_MIN(of->left, SPTI_OF);
        for (k = 0; k < n; k++) {
            if (of->left - k > SPTI_OF)
                spti_chunk_prefetch(spti_chunk_of(x, (spt_i32)of->asked[k + SPTI_OF].key), 0);
            spti_slot_box(x, (spt_i32)of->asked[k].key, &windows[k]);
        }
        error = spti_query_windows(&of->query, windows, n);
    }
    of->query.windows = NULL; /* no pointer to these windows is left */
    return error;
}
#endif

SPTI_API spt_i32 spt_pairs_of(spt_index *x, const spt_i32 *ids, spt_i32 n, const spt_filter *filter,
                              spt_intlist *out)
{
#ifndef SPATIAL_NO_BROADPHASE
    const int all = out && n > x->count / 8; /* if pairs are only counted, none can be removed */
    spti_of of;
    spt_i32 *from, *to, left;
#endif
    spt_i32 error = spti_index_ask(x, NULL, filter, out, (spt_i32)2, SPTI_PAIRS);
    if (!error) error = spti_change_ask(x, NULL);
    if (error || n < 0) return error ? error : SPT_ERR_ARGUMENT;
#ifdef SPATIAL_NO_BROADPHASE
    (void)ids, (void)n;
    return SPT_ERR_LEFT_OUT;
#else
    if (x->fixed && !x->broadphase.block) return SPT_ERR_LEFT_OUT; /* desc.no_pairs */
    if (n == 0) return 0;
    x->changes++, x->tidied++; /* callbacks may not do this; tidy gets no work by it */
    of.filter = filter;
    spti_query_init(&of.query, x, NULL, out, spti_of_fn, &of); /* first, as it empties the list */
    error = all ? spt_pairs(x, filter, out) : 0; /* or a number of pairs */
    if (error >= 0) error = spti_of_begin(&of, x, ids, n);
    if (!error && !all) error = spti_of_windows(&of);
    if (!error && all) { /* removes all pairs that have none of the given elements */
        from = to = spti_list_data(out);
        for (left = out->count; left > 0; left--, from += 2) { /* a branch would be mispredicted */
            to[0] = from[0], to[1] = from[1];
            to += 2 * (spti_of_given(&of, to[0]) | spti_of_given(&of, to[1]));
        }
        out->count -= (spt_i32)(from - to) / 2;
    }
    return spti_results(of.query.to.count, (int)error);
#endif
}
#endif

#if defined(SPTI_ROWS) && defined(SPTI_GRIDS)
/* ============================================================================================== */
/* ROWS - PRIVATE                                                                             >>rows

   The cells of linear go in, pairs come out. If no cell has many elements, they are already in
   order: the cells of a row, column by column, are the input of the sweep of the broadphase.

       row 1     | e b' | c'   | f d' |      each box is tested against the boxes behind it,
       row 0     | a b  | c    | d    |      up to the column of its right edge

   A box that reaches into the next row (b, c, d) is copied there, to the same column, and marked
   with SPTI_BEFORE_Y, so that two such boxes are no pair again. The rows belong to the finest level
   in use. A coarser cell is added with the first cell that it covers: boxes that come too early
   only take more tests. If these are too many, the broadphase finds all pairs: crowded cells are
   noticed at the start, long or large boxes before their row is tested. Workers get bands of rows;
   a job first collects as many rows before its band as an element can be in. */

#define SPTI_ROWS_CELL 64   /* most elements of a cell, averaged over elements, not over cells */
#define SPTI_ROWS_BUDGET 64 /* tests allowed for each box */
#define SPTI_ROWS_AGAIN 4   /* tests that a copy from the row before counts as */
#define SPTI_ROWS_AHEAD 32  /* the first chunk of a cell is prefetched about so many cells ahead */
#define SPTI_ROWS_FIXED(columns) (6144 + (12L << (columns))) /* bytes that are not of boxes */

typedef struct spti_rows { /* in the scratch of the broadphase */
    spti_sweep sweep;      /* a row in order */
    spti_pair_sink to;
    spti_soa soa[2];       /* the boxes of this row and of the one before, by turns */
    spt_i32 *stops[2];     /* the end of each of their columns */
    spt_i32 *on;           /* places of the boxes that go on in the next row */
    spt_i32 on_count;      /* their number */
    spt_i32 room;          /* boxes that a row can have */
    int level, columns;    /* 2^columns cells are a row of that level, */
    int side;              /* 2^side of its squares */
    spt_i32 *codes;        /* the parts of columns in the numbers of cells */
    spt_i32 first;         /* the first cell of that level */
    int steps;             /* chunks of a cell that are prefetched */
    spt_u32 step;          /* cells from one prefetch to the next */
} spti_rows;

/* Lays out a worker's scratch, for rows of half of its share of all boxes. It is large enough: for
   n > SPTI_SMALL boxes there are 34 n bytes and a fixed part (double: 54 n), and rows take 26 n of
   them (42 n); for several workers, see spti_linear_pairs. */
static spti_rows *spti_rows_init(const spt_index *x, int level, unsigned char *block, size_t bytes,
                                 int workers)
{
    size_t used = 0;
    spti_rows *r = SPTI_PIECE(block, &used, 1, spti_rows);
    spt_u32 most, k;
    int s;
    r->on_count = 0;
    r->level = level;
    r->columns = level + x->skew;
    r->room = SPTI_MIN(x->count / 2 / workers, 0x7F00);
    r->side = spti_cells_side(x, level);
    r->first = spti_level_first(level);
    r->steps = (int)SPTI_MIN((x->count >> 2 * level) / SPTI_CHUNK, 7) + 3;
    r->step = SPTI_ROWS_AHEAD / (spt_u32)r->steps;
    most = (spt_u32)r->room + SPTI_CHUNK;
    for (s = 0; s < 2; s++) {
        spti_soa_piece(&r->soa[s], block, &used, most);
        r->stops[s] = SPTI_PIECE(block, &used, (spt_u32)1 << r->columns, spt_i32);
    }
    r->codes = SPTI_PIECE(block, &used, (spt_u32)1 << r->columns, spt_i32);
    for (k = 0; k >> r->columns == 0; k++) r->codes[k] = spti_cells_part(r->side, k, 0);
    r->on = SPTI_PIECE(block, &used, most, spt_i32);
    r->sweep.spans = SPTI_PIECE(block, &used, most, spt_u32);
    r->to.hits_room = SPTI_MIN(r->room, 512);
    r->to.hits = SPTI_PIECE(block, &used, most + (spt_u32)r->to.hits_room + SPTI_PAD, spt_i32);
    SPATIAL_ASSERT(used <= bytes);
    (void)bytes;
    r->to.changes = &x->changes;
    r->to.second = r->to.limited = 0;
    r->sweep.starts = NULL;
    return r;
}

/* Appends the elements of a cell to a row of i boxes; returns the new number of boxes. */
static spt_i32 spti_row_add(const spt_index *x, const spti_chain *chain, const spti_soa *to,
                            spt_i32 i)
{
    spti_chain rest;
    const spti_chunk *c;
    int n;
    rest = *chain;
    while ((c = spti_chain_next(x, &rest, &n)) != NULL) {
        spti_copy(to->min_x + i, c->boxes.min_x, sizeof c->boxes.min_x);
        spti_copy(to->min_y + i, c->boxes.min_y, sizeof c->boxes.min_y);
        spti_copy(to->max_x + i, c->boxes.max_x, sizeof c->boxes.max_x);
        spti_copy(to->max_y + i, c->boxes.max_y, sizeof c->boxes.max_y);
        spti_copy(to->id + i, c->id, sizeof c->id);
        i += n;
    }
    return i;
}

/* Prefetches chunks of cells behind `cell`, counted row by row: the first chunk of a far cell, and
   later chunks of nearer cells, since the chunks before these have arrived. */
static void spti_row_prefetch(const spti_rows *r, const spt_index *x, spt_u32 cell)
{
    const spti_chunk *chunks = x->pool.chunks;
    const spti_chain *chain;
    spt_i32 chunk, at;
    int k, j;
    for (k = r->steps - 1; k >= 0; k--) {
        cell += r->step;
        if (cell >> 2 * r->level) return;
        at = r->first + r->codes[cell & (((spt_u32)1 << r->columns) - 1)];
        at += spti_cells_part(r->side, cell >> r->columns, 1);
        chain = &SPTI_CHAIN(x, at);
        if (chain->count <= k * SPTI_CHUNK) continue;
        for (j = k, chunk = chain->first; j > 0; j--) chunk = chunks[chunk].next;
        spti_chunk_prefetch(&chunks[chunk], 0);
    }
}

/* Collects row `row` in soa[s]. Returns its number of boxes, or SPT_NONE if they are too many. */
static spt_i32 spti_row_collect(spti_rows *r, const spt_index *x, spt_u32 row, int s)
{
    const spti_soa *to = &r->soa[s], *from = &r->soa[!s];
    const spt_i32 *on = r->on, *on_end = on + r->on_count, *stops = r->stops[!s];
    const spt_i32 first = r->first + spti_cells_part(r->side, row, 1);
    const spti_chain *chain;
    spt_u32 column;
    spt_i32 i = 0, cell;
    spt_box box;
    for (column = 0; column >> r->columns == 0; column++) {
        spti_row_prefetch(r, x, row << r->columns | column);
        cell = first + r->codes[column];
        for (;; cell = x->nodes[SPTI_NODE_OF(cell)].above) {
            chain = &SPTI_CHAIN(x, cell);
            if (chain->count > r->room - i) return SPT_NONE;
            i = spti_row_add(x, chain, to, i);
            if (SPTI_CHILD_OF(cell) > 0) break;
        }
        for (; on < on_end && *on < stops[column]; on++) {
            if (i == r->room) return SPT_NONE;
            box.min_x = from->min_x[*on], box.min_y = from->min_y[*on];
            box.max_x = from->max_x[*on], box.max_y = from->max_y[*on];
            spti_soa_set(to, i++, &box, from->id[*on] | SPTI_BEFORE_Y);
        }
        r->stops[s][column] = i;
    }
    spti_soa_pad(to, i);
    return i;
}

/* Sets the spans of a row of n boxes and r->on for the next row. Returns the number of tests. */
static spt_i32 spti_row_spans(spti_rows *r, const spt_index *x, spt_u32 *spans, spt_u32 row, int s,
                              spt_i32 n)
{
    const spti_soa *soa = &r->soa[s];
    const spt_i32 *stops = r->stops[s];
    const int up = x->as.linear.levels - r->level;
    spt_i32 *on = r->on, i, count = 0, tests = 0;
    spti_map map;
    spt_u32 column;
    map = x->map; /* so that it may stay in registers */
    for (i = 0; i < n; i++) {
        column = spti_cell(&map.x, soa->max_x[i]) >> up;
        spans[i] = column << 16;
        tests += stops[column] - i;
        on[count] = i;
        count += spti_cell(&map.y, soa->max_y[i]) >> up > row;
    }
    r->on_count = count;
    return tests;
}

/* Returns the finest level with elements; or 0 if it has less than four rows, if it or an empty
   finer level has more than half as many cells as there are elements, if cells have too many
   elements to be tested pair by pair, or if the map is bent. *reach, unless it is NULL, rises
   to the rows that an element is in, at most, from the first row of its cell on. */
static int spti_rows_level(const spt_index *x, spt_u32 *reach)
{
    spt_i32 cell = SPTI_CHILDREN * x->node_count, first;
    spt_u32 tests = 0, n, rows; /* tests: within cells, divided by SPTI_ROWS_CELL */
    int level, finest = 0, lane, down;
    spt_box box;
#ifdef SPTI_FIT
    if (x->bend.levels) return 0;
#endif
    for (level = x->as.linear.levels; level >= 0; level -= 2) {
        first = spti_level_first(level);
        if (!finest && (level - x->skew < 2 || level + x->skew < 0 || x->count >> 2 * level < 2))
            return 0;
        while (--cell >= first) {
            n = (spt_u32)SPTI_CHAIN(x, cell).count;
            if (n > 16 * SPTI_ROWS_CELL) return 0;
            if (n > 0 && !finest) finest = level;
            tests += n * n / SPTI_ROWS_CELL;
            if (tests > (spt_u32)x->count) return 0;
            if (n == 0 || !reach) continue;
            lane = SPTI_CHILD_OF(cell), down = x->as.linear.levels - finest;
            spti_eight_box(&x->nodes[SPTI_NODE_OF(cell)].lanes[lane / 8], lane % 8, &box);
            rows = (spt_u32)1 << (finest - x->skew - level + spti_cells_skew(x, level));
            rows += (spti_cell(&x->map.y, box.max_y) >> down) -
                    (spti_cell(&x->map.y, box.min_y) >> down);
            *reach = SPTI_MAX(*reach, rows);
        }
        cell++;
    }
    return finest;
}

/* Finds the pairs of the rows from .. to - 1, with a budget of tests; or returns SPTI_CROWDED. It
   begins `reach` rows before, and only collects these: for their boxes that go on. */
static int spti_rows_walk(spti_rows *r, const spt_index *x, spt_u32 from, spt_u32 to, spt_u32 reach)
{
    spt_i32 n, copies, budget = x->count / 8;
    spt_u32 row;
    int s, error;
    for (row = from - SPTI_MIN(from, reach), s = 0; row < to; row++, s = !s) {
        copies = r->on_count;
        n = spti_row_collect(r, x, row, s);
        if (n == SPT_NONE) return SPTI_CROWDED;
        budget = SPTI_MIN(budget, SPTI_ENDLESS) + SPTI_ROWS_BUDGET * (n - copies) -
                 SPTI_ROWS_AGAIN * copies - spti_row_spans(r, x, r->sweep.spans, row, s, n);
        if (budget < 0) return SPTI_CROWDED;
        if (row < from) continue;
        r->sweep.soa = r->soa[s];
        r->sweep.stops = r->stops[s];
        r->sweep.lo = 0, r->sweep.hi = n;
        r->sweep.budget = SPTI_ENDLESS;
        error = spti_sweep_pairs(&r->sweep, &r->to, (spt_i32)0, (spt_i32)0, 0);
        if (error) return error;
        SPTI_COUNT(n);
    }
    return SPT_OK;
}

typedef struct spti_bands { /* shared by the jobs of a call, whose parts are bands of rows */
    const spt_index *x;
    const spt_filter *filter;
    spti_team *team;
    size_t bytes;           /* of the scratch of a worker */
    spt_u32 reach, rows;    /* rows that an element is in, at most; all rows */
    int level;
} spti_bands;

static void spti_bands_job(void *arg, int i, int worker) SPT_CALLBACK
{
    const spti_bands *b = (const spti_bands *)arg;
    const spt_u32 parts = (spt_u32)b->team->parts, k = (spt_u32)i;
    unsigned char *block = b->x->broadphase.block + (size_t)worker * b->bytes;
    spt_intlist list, *out;
    spti_rows *r;
    int error;
    if (!spti_part_begin(b->team, i, worker, &list, &out)) return;
    r = spti_rows_init(b->x, b->level, block, b->bytes, b->team->workers->count);
    r->to.filter = b->filter, r->to.out = out, r->to.limited = 1;
    r->to.count = spti_counter(out, &r->to.counted);
    error = spti_rows_walk(r, b->x, k * b->rows / parts, (k + 1) * b->rows / parts, b->reach);
    spti_part_end(b->team, i, worker, out, error ? (spt_i32)error : *r->to.count);
}

static spt_i32 spti_linear_pairs(spt_index *x, const spt_filter *filter,
                                 spt_intlist *out) SPT_CALLBACK
{
    spt_broadphase *bp = &x->broadphase;
    const int workers = spti_workers_for(&bp->workers, x->count);
    spti_bands b;
    spti_rows *r;
    int error;
    b.reach = 0;
    b.level = x->count > SPTI_SMALL ? spti_rows_level(x, workers > 1 ? &b.reach : NULL) : 0;
    if (b.level == 0) return SPTI_CROWDED;
    error = spti_broadphase_reserve(bp, x->count);
    if (error) return error;
    bp->count = 0;
    b.rows = (spt_u32)1 << (b.level - x->skew);
    if (workers > 1) { /* the scratch of one is divided among all */
        const size_t used = spti_call_init(NULL, bp->capacity);
        const int bands = (int)(b.rows / SPTI_MAX(b.reach, 4)), each = bands / workers;
        b.bytes = used / (size_t)workers & ~(size_t)63;
        b.x = x, b.filter = filter, b.team = &((spti_crew *)(void *)(bp->block + used))->team;
        b.team->workers = &bp->workers;
        b.team->parts = each > 0 ? workers * SPTI_MIN(each, SPTI_PARTS_EACH) : bands;
        b.team->parts = SPTI_MIN(b.team->parts, SPTI_PARTS);
        if (bands < 2 || b.rows < 4 * (spt_u32)workers || /* or else rows would get too long */
            x->count / workers * 8 < SPTI_ROWS_FIXED(b.level + x->skew))
            return SPTI_CROWDED;
        return spti_team_find(b.team, spti_bands_job, &b, out);
    }
    r = spti_rows_init(x, b.level, bp->block, bp->bytes, 1);
    r->to.filter = filter, r->to.out = out;
    r->to.count = spti_counter(out, &r->to.counted);
    error = spti_rows_walk(r, x, (spt_u32)0, b.rows, b.reach);
    return error ? (spt_i32)error : *r->to.count;
}
#else
#define spti_linear_pairs NULL
#endif

#ifdef SPTI_GRIDS
/* ============================================================================================== */
/* LINEAR - PUBLIC                                                                       >>linear

   A box goes in, and a cell of a complete tree of nodes (see >>nodes) comes out, by arithmetic:
   there is no search. Between are the finest cells (x0, y0) and (x1, y1) of the corners of the box:

       up    = the number of bits of max(x1 - x0, y1 - y0) - 1, or 0, rounded down to even
       cell  = (x0 >> up, y0 >> up), which has the lower corner and is 2^up finest cells wide

   Each node halves a cell twice, so cells are on every second level, counted from the finest one.
   An element is less than three cells wide on the finest level, and about two at most on others.
   Elements that are too large for the coarsest level in use lie in it all the same.

   Level l has 2^(l + skew) columns and 2^(l - skew) rows. The skew follows from the bounds: no side
   of a cell is over twice the other, if there are enough levels. The world is a row of 4^skew
   squares of cells, or a column of 4^-skew: the number of a cell on its level is its Morton code
   within the square and, in the bits above, the number of the square.

       level 3, skew 1: 16 columns, 4 rows           | 5 | 7 |13 |15 |21 |23 |29 |31 |
       (the left half: two of four squares)          | 4 | 6 |12 |14 |20 |22 |28 |30 |
                                                     | 1 | 3 | 9 |11 |17 |19 |25 |27 |
                                                     | 0 | 2 | 8 |10 |16 |18 |24 |26 |

   Towards the coarse levels squares have fewer cells. Once they have one or two a side, cells of
   the next level can no longer be 4 by 4 of these: they are 16 by 1 or 8 by 2, along the row. Only
   long or large elements are on these levels.

   Sources: Gargantini 1982 (linear quadtrees); Ulrich, "Loose octrees", Game Programming Gems,
   2000; the hierarchy of grids: C. Ericson, "Real-Time Collision Detection", 2005, 7.2. */

/* Returns the level of a box that is too large for the levels in use with square cells; replaces
   c->x0 and c->y0 by its column and row there. */
SPTI_APART int spti_linear_large(const spt_index *x, spti_cells *c)
{
    const spti_linear *tree = &x->as.linear;
    const spt_u32 width = c->x1 - c->x0, height = c->y1 - c->y0;
    int level = tree->levels - tree->up, up_x, up_y; /* a cell is 2^up_x finest ones wide */
    for (;; level -= 2) {
        const int skew = spti_cells_skew(x, level);
        up_x = tree->levels + x->skew - level - skew;
        up_y = tree->levels - x->skew - level + skew;
        if (level == tree->coarsest) break;
        if ((width - (width > 0)) >> up_x == 0 && (height - (height > 0)) >> up_y == 0) break;
    }
    c->x0 >>= up_x, c->y0 >>= up_y;
    return level;
}

/* Returns the cell of a box, and widens its lane and those above. If an element stays in its cell,
   as in most moves, no cell number is computed. */
static spt_i32 spti_linear_locate(spt_index *x, const spt_box *box, const spti_chunk *now,
                                  spt_u32 *place) SPT_CALLBACK
{
    const spti_linear *tree = &x->as.linear;
    spti_cells c;
    spt_i32 cell;
    int level, up, side;
    spti_index_cells(x, box, &c);
    up = spti_cells_up(&c) & ~1;
    level = tree->levels - up;
    if (up <= tree->up) c.x0 >>= up, c.y0 >>= up;
    else level = spti_linear_large(x, &c);
    *place = SPTI_PLACE(c.x0, c.y0);
    if (now && now->place == *place && spti_level_of(now->cell) == level)
        return spti_lanes_stay(x, now->cell, box);
    side = spti_cells_side(x, level);
    cell = spti_level_first(level) + spti_cells_part(side, c.x0, 0) +
           spti_cells_part(side, c.y0, 1);
    spti_lanes_widen(x, cell, box);
    return SPTI_CELL_AT(level, cell);
}

#define SPTI_LINEAR_FULL 11 /* elements: then chunks not full take 15 bytes an element at most */

/* Returns the most levels with which a finest cell has at least so many elements on average. */
static int spti_linear_default_levels(spt_i32 n)
{
    const int bits = spti_bits((spt_u32)n / SPTI_LINEAR_FULL); /* of fewer than 2: one cell */
    return bits < 3 ? bits / 2 : SPTI_MIN((bits - 1) / 2, SPT_LINEAR_MAX_LEVELS);
}

/* Returns the skew for these bounds: at most levels, with at most 2^16 columns or rows. */
static int spti_linear_skew(const spt_box *b, int levels)
{
    const int most = SPTI_MIN(levels, 16 - levels);
    spti_dist width = SPTI_DIST(b->max_x, b->min_x), height = SPTI_DIST(b->max_y, b->min_y);
    int skew = 0;
    for (; width / 2 > height && skew < most; skew++) width /= 4;
    for (; height / 2 > width && -skew < most; skew--) height /= 4;
    return skew;
}

/* Sets the levels so that there are at most `most` nodes; if desc.cell was set, as many levels as
   make sides of cells at most 3/2 of it. Returns the number of nodes. */
static spt_i32 spti_linear_divide(spti_linear *tree, const spt_box *b, spt_i32 most)
{
    spti_product width, height, side; /* see spti_time_key */
    int skew;
    if (tree->cell > 0) tree->levels = 1;
    while (tree->levels > 1 && SPTI_COMPLETE(tree->levels) > most) tree->levels--;
    while (tree->cell > 0 && tree->levels < SPT_LINEAR_MAX_LEVELS) {
        skew = spti_linear_skew(b, tree->levels);
        width = SPTI_DIST(b->max_x, b->min_x) / (spti_dist)((spt_u32)1 << (tree->levels + skew));
        height = SPTI_DIST(b->max_y, b->min_y) / (spti_dist)((spt_u32)1 << (tree->levels - skew));
        side = width > height ? width : height;
        if (SPTI_ROUNDED(side - SPTI_ROUNDED(side / 3)) <= (spti_dist)tree->cell) break;
        if (SPTI_COMPLETE(tree->levels + 1) > most) break;
        tree->levels++;
    }
    return SPTI_COMPLETE(tree->levels);
}

#ifdef SPTI_FIT
/* With desc.cell there are at most eight cells an element, or as many as memory already holds,
   because small cells in a wide world need much. */
static spt_i32 spti_linear_plan(const spt_index *x, const spt_box *bounds, spt_i32 n, int lower,
                                spti_structure *as) SPT_CALLBACK
{
    spti_linear *tree = &as->linear;
    spt_i32 most = x->node_room;
    if (tree->auto_levels) tree->levels = spti_linear_default_levels(n);
    if (!lower && tree->levels < x->as.linear.levels) tree->levels = x->as.linear.levels;
    if (!x->fixed && !(tree->cell > 0)) most = SPTI_NODES_MOST;
    else if (!x->fixed && n / 2 > most) most = n / 2;
    return spti_linear_divide(tree, bounds, most);
}
#else
#define spti_linear_plan NULL
#endif

/* Divides the world by a complete tree of nodes (see >>nodes). All cells are empty. */
static void spti_linear_reset(spt_index *x) SPT_CALLBACK
{
    spti_linear *tree = &x->as.linear;
    const int levels = tree->levels, most = SPTI_MIN(2 * (tree->grids - 1), levels & ~1);
    spt_i32 node;
    tree->coarsest = levels - most;
    spti_world_divide(x, levels, spti_linear_skew(&x->bounds, levels));
    tree->up = SPTI_MIN(most, spti_cells_side(x, levels) & ~1);
    x->nodes = (spti_node *)x->memory;
    x->first_cell = spti_level_first(levels & 1);
    x->finest = SPTI_NODE_OF(spti_level_first(levels));
    x->node_count = SPTI_COMPLETE(levels);
    for (node = 0; node < x->node_count; node++) spti_node_clear(&x->nodes[node]);
    for (node = 1; node < x->node_count; node++) spti_node_link(x, node, x->first_cell + node - 1);
}

static int spti_linear_layout(const spt_linear_desc *desc, spti_layout *l)
{
    spti_linear *tree = &l->as.linear;
    const int levels = desc->levels ? desc->levels : SPT_LINEAR_MAX_LEVELS;
    spt_i32 most = SPTI_NODES_MOST, nodes, n;
    const int error = spti_layout_init(l, &desc->bounds, desc->keep_bounds);
    if (error) return error;
    if (levels < 1 || levels > SPT_LINEAR_MAX_LEVELS) return SPT_ERR_ARGUMENT;
    if (desc->grids < 0 || desc->grids > levels / 2 + 1) return SPT_ERR_ARGUMENT;
    if (!(desc->cell >= 0 && desc->cell < spti_highest())) return SPT_ERR_ARGUMENT;
    if (desc->cell > 0 && desc->levels) return SPT_ERR_ARGUMENT;
    n = l->ids;
#ifndef SPTI_FIT
    if (!l->capacity) n = SPTI_LINEAR_FULL << 8; /* 4^4 finest cells */
#endif
    tree->grids = desc->grids ? desc->grids : SPT_LINEAR_MAX_LEVELS;
    tree->cell = desc->cell;
    tree->auto_levels = !desc->levels && !(desc->cell > 0);
    tree->levels = desc->levels ? desc->levels : spti_linear_default_levels(n);
    /* If the bounds are not known yet, a small desc.cell must not make very many nodes. */
    if (desc->cell > 0 && !(desc->bounds.min_x < desc->bounds.max_x)) most = 64 + l->capacity / 2;
    nodes = spti_linear_divide(tree, &l->bounds, most);
    return spti_layout_nodes(l, nodes, SPTI_CHILDREN * (nodes - 1) + SPTI_ROOTS(tree->levels));
}

#ifndef SPATIAL_NO_LINEAR
static const struct spti_kind spti_linear_kind = {
    "linear", spti_linear_plan, spti_linear_reset, spti_linear_locate, NULL, NULL,
    spti_lanes_shrink, spti_linear_pairs, NULL};

SPTI_LIFE_CYCLE(linear, spt_linear_desc)
#endif
#endif

#ifndef SPATIAL_NO_LOOSEGRID
/* ============================================================================================== */
/* LOOSE GRID - PUBLIC                                                                 >>loosegrid

   Linear with the finest level alone, whose cells have about the size of desc.cell:

       +-------+-------+     An element (#) lies in the cell c of its lower corner. The lane of c
       |    ###|####   |     grows with it over the border. A query tests the lane around four by
       |    #c |   #   |     four cells, their node, before those of the cells.
       |    ###|####   |     Source: cells found through a coarser grid: a design known from
       +-------+-------+     answers by "Dragon Energy" on Stack Overflow, 2018. */

static const struct spti_kind spti_loosegrid_kind = {
    "loosegrid", spti_linear_plan, spti_linear_reset, spti_linear_locate, NULL, NULL,
    spti_lanes_shrink, spti_linear_pairs, NULL};

static int spti_loosegrid_layout(const spt_linear_desc *desc, spti_layout *l)
{
    const int error = spti_linear_layout(desc, l);
    l->as.linear.grids = 1;
    return desc->grids > 1 ? SPT_ERR_ARGUMENT : error;
}

SPTI_LIFE_CYCLE(loosegrid, spt_linear_desc)
#endif

#ifndef SPATIAL_NO_QUADTREE
/* ============================================================================================== */
/* QUADTREE - PUBLIC                                                                   >>quadtree

   A box goes in, and the cell that keeps it comes out, by a descent through a tree of nodes (see
   >>nodes) that is deep only where elements are dense: a cell is a leaf until it holds more than
   leaf_capacity elements, and then gets a node. A node halves a cell twice along each axis, so that
   only the even levels of a quadtree have cells:

       level 0       the world              An element belongs to the level whose cells are about
       |-- level 2   a cell of its node     as large as it, and there to the cell of its lower
       |   |-- level 4 ...                  corner. If the tree does not go down to that cell, the
       |-- level 2   a leaf                 leaf above the cell keeps the element.

   If the level of its size is odd, the element belongs to the next finer one; so cells may be half
   as large as their elements, the finest cells a third.

   A leaf gets a node if more than leaf_capacity of its elements would go down; otherwise it is
   tried again when it has grown by 8, 16, 32 ... Elements in one finest cell are not divided. tidy
   takes nodes with few elements away again, and divides leaves that became too full.

   Sources: R. A. Finkel, J. L. Bentley, "Quad trees", Acta Informatica 4, 1974; nodes in an array,
   deferred cleanup: a design known from answers by "Dragon Energy" on Stack Overflow, 2018. */

#define SPTI_QUADTREE_LEAF 96
#define SPTI_QUADTREE_START 2 /* nodes that a growing tree begins with */

SPTI_STATIC_ASSERT(quadtree_fits_cells, SPT_QUADTREE_MAX_DEPTH <= 16);

/* Sets c to the finest cells that a box covers. Returns the even level with cells of its size. */
SPTI_INLINE int spti_quadtree_level(const spt_index *x, const spt_box *box, spti_cells *c)
{
    spti_index_cells(x, box, c);
    return (x->as.quadtree.max_depth + 1 - spti_cells_up(c)) & ~1;
}

/* Returns 1 if the cell of a chunk is still right for a box. c, level: see spti_quadtree_level. */
SPTI_INLINE int spti_quadtree_stays(const spt_index *x, const spti_chunk *chunk,
                                    const spti_cells *c, int level)
{
    const spt_i32 cell = chunk->cell & SPTI_CELL_MASK;
    const int depth = spti_level_of(chunk->cell), up = x->as.quadtree.max_depth - depth;
    return chunk->place == SPTI_PLACE(c->x0 >> up, c->y0 >> up) &&
           (level == depth || (level > depth && SPTI_BELOW(x, cell) == SPT_NONE));
}

/* Finds the cell of a box and widens its lane and those above. If an element stays in its cell,
   there is no descent. */
static spt_i32 spti_quadtree_locate(spt_index *x, const spt_box *box, const spti_chunk *now,
                                    spt_u32 *place) SPT_CALLBACK
{
    spti_cells c;
    const int level = spti_quadtree_level(x, box, &c);
    spt_i32 node = SPTI_NODE_OF(SPTI_WORLD), below, cell;
    int child = SPTI_CHILD_OF(SPTI_WORLD), depth, up = x->as.quadtree.max_depth;
    spt_u32 code;
    if (now && spti_quadtree_stays(x, now, &c, level)) return spti_lanes_stay(x, now->cell, box);
    code = spti_spread(c.x0) | spti_spread(c.y0) << 1; /* four bits for each node on the way */
    for (depth = 0; depth < level; depth += 2) {
        below = x->nodes[node].below[child];
        if (below == SPT_NONE) break;
        up -= 2;
        node = below, child = (int)(code >> 2 * up & 15);
    }
    *place = SPTI_PLACE(c.x0 >> up, c.y0 >> up);
    cell = SPTI_CHILDREN * node + child;
    spti_lanes_widen(x, cell, box);
    return SPTI_CELL_AT(depth, cell);
}

/* Returns a new node, whose children are empty leaves, or an error. */
static spt_i32 spti_node_alloc(spt_index *x)
{
    spti_quadtree *tree = &x->as.quadtree;
    spt_i32 node = tree->free_head;
    void *memory;
    if (node == SPT_NONE && x->node_count == x->node_room) {
        memory = spti_enlarge(&x->allocator, x->memory, &x->memory_bytes, &x->node_room,
                              (spt_i32)0, sizeof *x->nodes);
        if (!memory) return SPT_ERR_MEMORY;
        x->memory = memory, x->nodes = (spti_node *)memory;
    }
    if (node != SPT_NONE) tree->free_head = x->nodes[node].below[0];
    else node = x->node_count++;
    tree->used++;
    spti_node_clear(&x->nodes[node]);
    return node;
}

static void spti_quadtree_reset(spt_index *x) SPT_CALLBACK
{
    spti_quadtree *tree = &x->as.quadtree;
    spti_world_divide(x, tree->max_depth, 0);
    x->nodes = (spti_node *)x->memory;
    x->first_cell = SPTI_WORLD, x->finest = SPTI_I32_MAX;
    tree->used = x->node_count = 0;
    tree->free_head = SPT_NONE;
    (void)spti_node_alloc(x); /* node 0, above the world */
}

/* Returns 1 if a node for a leaf pays and there is room. up: levels below the leaf. Counts the
   elements that would go down, `sinking`. As long as the upper bits of their lower corners do not
   differ, all fall into one child, and into one child of its node: they pay for at most sinking /
   leaf_capacity of these. With less than a quarter of all nodes left, leaves need more elements. */
static int spti_quadtree_splits(spt_index *x, const spti_chain *leaf, int up)
{
    const spti_quadtree *tree = &x->as.quadtree;
    const spt_i32 limit = x->fixed ? x->node_room : SPTI_NODES_MOST;
    const spt_i32 left = limit - tree->used, few = limit / 4;
    spt_i32 chunks, sinking = 0;
    spt_u32 first_x = 0, first_y = 0, differ = 0; /* the bits in which lower corners differ */
    const spti_chunk *chunk;
    spti_chain rest;
    spt_box box;
    spti_cells c;
    int n, k;
    rest = *leaf;
    while ((chunk = spti_chain_next(x, &rest, &n)) != NULL)
        for (k = 0; k < n; k++) {
            spti_eight_box(&chunk->boxes, k, &box);
            if (spti_quadtree_level(x, &box, &c) <= tree->max_depth - up) continue;
            if (sinking++ == 0) first_x = c.x0, first_y = c.y0;
            differ |= (first_x ^ c.x0) | (first_y ^ c.y0);
        }
    if (sinking <= tree->leaf_capacity || differ == 0) return 0;
    if ((up - spti_bits(differ)) / 2 > sinking / tree->leaf_capacity) return 0;
    if (left == 0 || (left < few && leaf->count / tree->leaf_capacity < few / left)) return 0;
    chunks = SPTI_CHUNKS_OF(x->count, SPTI_CHILDREN * tree->used + 1); /* node 0 has one chain */
    return spti_pool_reserve(x, chunks - x->pool.used) == SPT_OK;
}

/* Empties a chain: moves its elements to the cells where they belong now. */
static void spti_chain_distribute(spt_index *x, spti_chain *chain)
{
    spti_chain all;
    all = *chain;
    chain->first = SPT_NONE, chain->count = 0;
    while (all.count > 0) (void)spti_chain_send(x, &all);
}

/* Gives a leaf a node, and goes on with the fullest child as long as that pays. Other children that
   are too full are divided when they grow, or by tidy. */
static void spti_quadtree_split(spt_index *x, spt_i32 at)
{
    spti_quadtree *tree = &x->as.quadtree;
    spt_i32 cell = at & SPTI_CELL_MASK, node, q;
    int up = tree->max_depth - spti_level_of(at);
    for (; up > 0; up -= 2) {
        if (SPTI_BELOW(x, cell) != SPT_NONE) return;
        if (!spti_quadtree_splits(x, &SPTI_CHAIN(x, cell), up)) return;
        node = spti_node_alloc(x);
        if (node < 0) return;
        spti_node_link(x, node, cell);
        /* Elements that stay in the cell widen its lane again. */
        spti_lane_clear(&x->nodes[SPTI_NODE_OF(cell)], SPTI_CHILD_OF(cell));
        x->tidied--; /* work for tidy: children may be too full, too */
        spti_chain_distribute(x, &SPTI_CHAIN(x, cell));
        cell = SPTI_CHILDREN * node;
        for (q = cell + 1; q < SPTI_CHILDREN * (node + 1); q++)
            if (SPTI_CHAIN(x, q).count > SPTI_CHAIN(x, cell).count) cell = q;
        if (SPTI_CHAIN(x, cell).count <= tree->leaf_capacity) return;
    }
}

/* Removes a node if its children are leaves with few elements, which move to the divided cell. */
static void spti_quadtree_merge(spt_index *x, spt_i32 node)
{
    spti_quadtree *tree = &x->as.quadtree;
    spti_node *n = &x->nodes[node];
    spt_i32 sum = 0, cell = n->above;
    int k;
    for (k = 0; k < SPTI_CHILDREN; k++) {
        sum += n->chain[k].count;
        if (n->below[k] != SPT_NONE || sum > tree->leaf_capacity / 2) return;
    }
    if (spti_pool_reserve(x, sum / 8 + 2) != SPT_OK) return;
    SPTI_BELOW(x, cell) = SPT_NONE;
    spti_lane_clear(&x->nodes[SPTI_NODE_OF(cell)], SPTI_LANE_BELOW(SPTI_CHILD_OF(cell)));
    for (k = 0; k < SPTI_CHILDREN; k++) spti_chain_distribute(x, &n->chain[k]);
    n->used = 0;
    n->above = SPT_NONE;
    n->below[0] = tree->free_head;
    tree->free_head = node;
    tree->used--;
    x->tidied--; /* work for tidy: the node above may now be merged, too */
}

/* Tries to divide a leaf when it is 1, 9, 17, 33 ... over leaf_capacity. */
static void spti_quadtree_settle(spt_index *x, spt_i32 cell) SPT_CALLBACK
{
    spt_i32 more = SPTI_CHAIN(x, cell & SPTI_CELL_MASK).count - x->as.quadtree.leaf_capacity - 1;
    if (more >= 0 && more % 8 == 0 && (more & (more - 1)) == 0) /* 0, or a power of two from 8 on */
        spti_quadtree_split(x, cell);
}

/* Child 0 is the last of its node to be visited; then the node may be removed. */
static void spti_quadtree_tidy(spt_index *x, spt_i32 cell) SPT_CALLBACK
{
    const spt_i32 node = SPTI_NODE_OF(cell);
    if (x->nodes[node].above == SPT_NONE) return; /* a free node */
    spti_lanes_shrink(x, cell);
    if (SPTI_CHAIN(x, cell).count > x->as.quadtree.leaf_capacity)
        spti_quadtree_split(x, x->pool.chunks[SPTI_CHAIN(x, cell).first].cell);
    if (SPTI_CHILD_OF(cell) == 0 && node > 0) spti_quadtree_merge(x, node);
}

static const struct spti_kind spti_quadtree_kind = {
    "quadtree", NULL, spti_quadtree_reset, spti_quadtree_locate,
    spti_quadtree_settle, NULL, spti_quadtree_tidy, NULL, NULL};

/* With a capacity there may be 7/8 * capacity / leaf_capacity nodes, and node 0: an evenly filled
   tree needs fewer, and memory is then 56 bytes an id. */
static int spti_quadtree_layout(const spt_quadtree_desc *desc, spti_layout *l)
{
    spti_quadtree *tree = &l->as.quadtree;
    spt_i32 nodes = SPTI_QUADTREE_START, most;
    int error, depth;
    if (desc->leaf_capacity < 0 || desc->leaf_capacity > 1000) return SPT_ERR_ARGUMENT;
    if (desc->max_depth < 0 || desc->max_depth > SPT_QUADTREE_MAX_DEPTH) return SPT_ERR_ARGUMENT;
    error = spti_layout_init(l, &desc->bounds, desc->keep_bounds);
    if (error) return error;
    depth = desc->max_depth ? desc->max_depth : SPT_QUADTREE_MAX_DEPTH;
    tree->max_depth = depth + (depth & 1);
    tree->leaf_capacity = desc->leaf_capacity ? desc->leaf_capacity : SPTI_QUADTREE_LEAF;
    if (desc->capacity > 0) {
        nodes = desc->capacity / tree->leaf_capacity;
        nodes = 1 + nodes - nodes / 8;
        most = tree->max_depth < 12 ? SPTI_COMPLETE(tree->max_depth) : SPTI_NODES_MOST;
        nodes = SPTI_MIN(nodes, most);
    }
    return spti_layout_nodes(l, nodes, SPTI_CHILDREN * (nodes - 1) + 1);
}

SPTI_LIFE_CYCLE(quadtree, spt_quadtree_desc)
#endif

#ifndef SPATIAL_NO_PACKED
/* ============================================================================================== */
/* PACKED - PRIVATE                                                                      >>packed

   The tree is stored level by level, the leaves first, and has no pointers: node k of a level has
   the boxes around nodes 32k .. 32k + 31 of the level below. All but the last of a level are full.

       head      version, type of coordinates, byte order, number of boxes
       level 0   | 32 boxes | 32 boxes | 32 boxes | ...                         | 5 boxes |
       level 1   | boxes around nodes 0 .. 31    | around nodes 32 .. 63        | ...
       level 2   | boxes around the nodes of level 1 |
       ids       in the order of the leaves

   In go boxes in the caller's order. Out come the nodes, four eights of boxes each, and the ids, so
   that all ids below a node are one run.

   Between the two, boxes are sorted from the root down: the boxes below a node are cut into
   columns, and each column into parts, so that the up to 32 parts hardly overlap and are about as
   wide as high. The keys are the cells of the centres in a grid of 2^16 by 2^16 cells, which is
   fitted to a sample. A part that spans too few cells gets a grid of its own, and so does a cell
   with more boxes than a part. The records to be sorted lie where the nodes will be, and the counts
   for sorting where the ids will be, so building takes no other memory.

   Source of the tiles: S. Leutenegger, M. Lopez, J. Edgington, "STR: A Simple and Efficient
   Algorithm for R-Tree Packing", 1997; of going from the root down: T. Lee, S. Lee, "OMT: Overlap
   Minimizing Top-down Bulk Loading Algorithm for R-tree", 2003. */

#define SPTI_PACK_FINE 1024 /* a part gets a grid of its own if it spans fewer cells both ways */
#define SPTI_PACK_HEAD 16  /* integers of the head: a cache line */
#define SPTI_PACK_LINE 64  /* bytes of a cache line */

SPTI_STATIC_ASSERT(levels_suffice, SPTI_PACK_BITS * sizeof(((spti_packed *)0)->first) / 4 >= 31);

#define SPTI_IMAGE SPT_NONE   /* x->size of an index over an image, which owns no memory */

/* Lays out memory for n > 0 boxes, or adds up sizes. Returns bytes + a cache line; 0: too many. */
static size_t spti_pack_layout(spti_packed *p, unsigned char *memory, spt_i32 n)
{
    size_t used = 0;
    spt_i32 nodes = 0;
    spt_u32 items = (spt_u32)n;
    p->root = -1;
    do {
        p->first[++p->root] = nodes;
        items = (items + SPT_PACKED_NODE - 1) / SPT_PACKED_NODE;
        nodes += (spt_i32)items;
    } while (items > 1);
    (void)SPTI_PIECE(memory, &used, SPTI_PACK_HEAD, spt_u32);
    p->nodes = SPTI_PIECE(memory, &used, nodes * SPTI_PACK_EIGHTS, spti_eight);
    p->ids = SPTI_PIECE(memory, &used, n, spt_i32);
    return used <= SPTI_SIZE_MAX / 2 ? used + SPTI_PACK_LINE : 0;
}

/* Makes the head for n boxes. Its checksum tells it from other data with the same beginning. */
static void spti_pack_head(spt_u32 n, spt_u32 *head)
{
    spt_u32 sum = 0;
    int k;
    for (k = 0; k < SPTI_PACK_HEAD; k++) head[k] = 0;
    head[0] = 0x32545053UL; /* "SPT2" */
#ifdef SPATIAL_INT
    head[1] = 256;
#endif
    head[1] += sizeof(spt_coord);
    head[2] = SPT_PACKED_NODE;
    head[3] = n;
    for (k = 0; k < SPTI_PACK_HEAD - 1; k++) sum = ((sum ^ head[k]) * 16777619UL) & 0xFFFFFFFFUL;
    head[k] = sum;
}

/* Returns 1 if an image begins with the head for n boxes. */
SPTI_SHARED int spti_pack_is(const spt_u32 *image, spt_u32 n)
{
    spt_u32 head[SPTI_PACK_HEAD];
    int k;
    spti_pack_head(n, head);
    for (k = 0; k < SPTI_PACK_HEAD; k++)
        if (image[k] != head[k]) return 0;
    return 1;
}

/* --- building --------------------------------------------------------------------------------- */

/* Makes room for n boxes and lays it out. */
static int spti_pack_begin(spt_index *x, spt_i32 n)
{
    spti_packed p;
    unsigned char *memory;
    void *block;
    if (n > x->size) {
        block = spti_renew(&x->allocator, x->memory, &x->memory_bytes,
                           spti_pack_layout(&p, NULL, n));
        if (!block) return SPT_ERR_MEMORY;
        x->memory = block;
        x->size = n;
    }
    x->count = n;
    if (n == 0) return SPT_OK;
    SPATIAL_ASSERT(x->memory);
    memory = (unsigned char *)x->memory;
    memory += (0 - (size_t)memory) % SPTI_PACK_LINE;
    (void)spti_pack_layout(&x->as.packed, memory, n);
    spti_pack_head((spt_u32)n, (spt_u32 *)(void *)memory);
    return SPT_OK;
}

typedef struct spti_packing { /* a build or a refit */
    const spt_index *x;
    const spt_box *boxes;
    spti_record *records;     /* to be split: n of them, into parts of `unit` neighbours */
    spti_record *spare;       /* room for as many */
    spt_i32 *counts;          /* for sorting */
    spt_i32 n, unit;
} spti_packing;

/* Gives the records keys: column << 16 | row of the cell in the middle of all cells that the box
   overlaps, in a grid of 2^16 by 2^16 squares. Fits it to a sample of the boxes. */
static void spti_pack_keys(spti_packing *p)
{
    spti_record *r = p->records;
    spt_i32 m = spti_samples(p->n), i;
    spti_soa sample;
    spti_dist extent, extent_y;
    spt_coord low_x = 0, low_y = 0;
    spt_box around;
    spti_map map;
    spti_cells c;
    sample.min_x = (spt_coord *)(void *)p->spare, sample.min_y = sample.min_x + m;
    sample.max_x = sample.min_y + m, sample.max_y = sample.max_x + m;
    for (i = 0; i < m; i++) spti_soa_put(&sample, i, &p->boxes[r[spti_pick(i, m, p->n)].index]);
    for (;; m = 1) { /* without an extent again, with the box around all boxes as the sample */
        extent = spti_extent(sample.min_x, sample.max_x, m, &low_x);
        extent_y = spti_extent(sample.min_y, sample.max_y, m, &low_y);
        extent = SPTI_MAX(extent, extent_y);
        if (extent > 0 || m == 1) break;
        around = p->boxes[r[0].index];
        for (i = 1; i < p->n; i++) spti_box_add(&around, &p->boxes[r[i].index]);
        spti_soa_put(&sample, (spt_i32)0, &around);
    }
    spti_axis_init(&map.x, low_x, extent, 16);
    spti_axis_init(&map.y, low_y, extent, 16);
    for (i = 0; i < p->n; i++) {
        spti_cells_of(&map, &p->boxes[r[i].index], &c);
        r[i].key = (c.x0 + c.x1) / 2 << 16 | (c.y0 + c.y1) / 2;
    }
}

/* Returns the distance between the outermost columns (shift: 16) or rows (0) of the records. */
static spt_u32 spti_pack_span(const spti_packing *p, int shift)
{
    spt_u32 low = 0xFFFFUL, high = 0;
    spt_i32 i;
    for (i = 0; i < p->n; i++) {
        const spt_u32 cell = p->records[i].key >> shift & 0xFFFFUL;
        low = cell < low ? cell : low;
        high = cell > high ? cell : high;
    }
    return high - low;
}

/* Sorts n records into parts of p->unit neighbours: by x into columns, and each column by y. keyed:
   1 if they have keys, which are used if they differ enough. */
static void spti_pack_split(spti_packing *p, spti_record *records, spt_i32 n, int keyed)
{
    const spt_i32 nodes = (n - 1) / p->unit + 1;
    spt_i32 columns = 1, c, from = 0, end;
    spt_u32 width, height = 0;
    p->records = records, p->n = n;
    if (keyed) height = spti_pack_span(p, 0);
    if (!keyed || (spti_pack_span(p, 16) | height) < SPTI_PACK_FINE) {
        spti_pack_keys(p);
        spti_sort(records, p->spare, n, 0, p->counts);
        height = (records[n - 1].key - records[0].key) & 0xFFFFUL;
    }
    spti_sort(records, p->spare, n, 16, p->counts); /* records of a column stay sorted by y */
    width = (records[n - 1].key >> 16) - (records[0].key >> 16);
    while (columns < nodes && (spt_u32)(columns * (columns + 1)) * height < (spt_u32)nodes * width)
        columns++; /* until parts are about as wide as high */
    for (c = 1; c <= columns; c++, from = end) {
        end = c < columns ? c * nodes / columns * p->unit : n;
        spti_sort(records + from, p->spare, end - from, 0, p->counts);
    }
}

/* Does the same, and then splits the records of each cell that has more of them than a part. To
   find such a cell it looks where parts meet: at the last record of one, the first of the next. */
static void spti_pack_divide(spti_packing *p, spti_record *records, spt_i32 n, int keyed)
{
    const spt_i32 nodes = (n - 1) / p->unit + 1;
    spt_i32 k, from, end;
    spt_u32 key;
    spti_pack_split(p, records, n, keyed);
    for (k = 1; k < nodes; k++) {
        end = k * p->unit, from = end - 1;
        key = records[from].key;
        if (records[end].key != key) continue;
        while (end < n && records[end].key == key) end++;
        while (from > 0 && records[from - 1].key == key) from--;
        if (end - from > p->unit && end - from < n)
            spti_pack_split(p, records + from, end - from, 0);
        k = end / p->unit; /* records before `end` may have new keys, which no longer compare */
    }
}

/* Writes the ids of the boxes in the order of the leaves: divides all boxes into the parts below
   the root, each of these into the parts below its node, and so on. */
static void spti_pack_order(spti_packing *p)
{
    const spt_i32 count = p->x->count;
    spti_record *records = (spti_record *)(void *)p->x->as.packed.nodes;
    spt_i32 size, i;
    int level = p->x->as.packed.root;
    p->spare = records + count;
    p->counts = p->x->as.packed.ids;
    for (i = 0; i < count; i++) records[i].index = i;
    for (size = count; level > 0; level--, size = p->unit) {
        p->unit = (spt_i32)1 << (SPTI_PACK_BITS * level);
        for (i = 0; i <= (count - 1) / size; i++)
            spti_pack_divide(p, records + i * size, SPTI_MIN(count - i * size, size), size < count);
    }
    for (i = 0; i < count; i++) p->x->as.packed.ids[i] = records[i].index;
}

/* Puts the boxes into nodes of a level. Unused places of its last node get boxes, too: vectors read
   them, and an image must not have undefined bytes. */
static void spti_pack_nodes(const spti_packing *p, int level, spt_i32 k, spt_i32 to)
{
    const spt_index *x = p->x;
    const spt_i32 *ids;
    spti_eight *node;
    spt_box box;
    spt_i32 left = x->count - k * SPTI_PACK;
    int n, i;
    for (; k < to; left -= SPTI_PACK, k++) {
        node = spti_pack_node(x, level, k, &n);
        ids = x->as.packed.ids + k * SPTI_PACK;
        for (i = 0; i < n && level == 0; i++) {
            SPTI_PREFETCH(&p->boxes[ids[i + SPTI_SOON < left ? i + SPTI_SOON : i]]);
            spti_eight_put(node, i, &p->boxes[ids[i]]);
        }
        for (; i < n; i++) {
            spti_pack_around(x, level - 1, k * SPTI_PACK + i, &box);
            spti_eight_put(node, i, &box);
        }
        box.min_x = box.min_y = box.max_x = box.max_y = spti_highest(); /* far from all */
        for (; i < SPT_PACKED_NODE; i++) spti_eight_put(node, i, &box);
    }
}

/* Builds the index of n boxes or, if there is an order, gives its boxes new places. Fills a node of
   level 1 right after its leaves, because the cache still has these. */
static int spti_pack_boxes(spt_index *x, const spt_box *boxes, spt_i32 n, int ordered)
{
    spti_packing p;
    spt_i32 leaves, k;
    int error = SPT_OK, level;
    if (x->size == SPTI_IMAGE) return SPT_ERR_KIND;
    for (k = 0; k < n; k++)
        if (!spt_box_valid(&boxes[k])) return SPT_ERR_BOX;
    if (!ordered) error = spti_pack_begin(x, n);
    if (error) return error;
    x->changes++;
    if (n == 0) return SPT_OK;
    p.x = x, p.boxes = boxes;
    if (!ordered) spti_pack_order(&p);
    leaves = spti_pack_items(x, 1);
    for (k = 0; k * SPTI_PACK < leaves; k++) {
        spti_pack_nodes(&p, 0, k * SPTI_PACK, SPTI_MIN(leaves, (k + 1) * SPTI_PACK));
        if (x->as.packed.root > 0) spti_pack_nodes(&p, 1, k, k + 1);
    }
    for (level = 2; level <= x->as.packed.root; level++)
        spti_pack_nodes(&p, level, (spt_i32)0, (spti_pack_items(x, level) - 1) / SPTI_PACK + 1);
    spti_pack_around(x, x->as.packed.root, (spt_i32)0, &x->bounds);
    return SPT_OK;
}

static int spti_packed_build(spt_index *x, const spt_box *boxes, spt_i32 n) SPT_CALLBACK
{
    return spti_pack_boxes(x, boxes, n, 0);
}

#ifndef SPATIAL_NO_COPY
/* The layout follows from the number of boxes, so nodes and ids are copied in one piece. */
static int spti_packed_copy(spt_index *to, const spt_index *from) SPT_CALLBACK
{
    const spti_packed *p = &from->as.packed;
    int error;
    if (to->size == SPTI_IMAGE) return SPT_ERR_KIND;
    if (to->fixed && from->count > to->size) return SPT_ERR_FULL;
    error = spti_pack_begin(to, from->count);
    if (!error && from->count > 0)
        spti_copy(to->as.packed.nodes, p->nodes,
                  (size_t)((const char *)(p->ids + from->count) - (const char *)p->nodes));
    return error;
}
#else
#define spti_packed_copy NULL
#endif

/* ============================================================================================== */
/* IMAGES - PUBLIC                                                                          >>images

   In goes an index, out comes its memory as an image, or the other way around. The nodes have no
   pointers, and their layout follows from the number of boxes alone; so any machine of the same
   byte order can use the image in place. Of its contents only ids are used as indices, and only by
   pairs and filters: no others that were tampered with can lead out of the image. */

static const struct spti_kind spti_packed_kind = {
    "packed", NULL, NULL, NULL, NULL, spti_packed_build, NULL, NULL, spti_packed_copy};

static int spti_packed_layout(const spt_packed_desc *desc, spti_layout *l)
{
    spti_packed p;
    if (desc->capacity > 0) l->memory = spti_pack_layout(&p, NULL, desc->capacity);
    return l->memory > 0 || desc->capacity == 0 ? SPT_OK : SPT_ERR_MEMORY;
}

SPTI_LIFE_CYCLE(packed, spt_packed_desc)

SPTI_API int spt_packed_refit(spt_index *x, const spt_box *boxes, spt_i32 n)
{
    if (x->kind != &spti_packed_kind) return x->kind ? SPT_ERR_KIND : SPT_ERR_INIT;
    if (n != x->count) return SPT_ERR_ARGUMENT;
    return spti_pack_boxes(x, boxes, n, 1);
}

/* Returns the size of the image of n boxes. */
static size_t spti_pack_image(const spti_packed *p, spt_u32 n)
{
    return SPTI_PACK_HEAD * sizeof(spt_u32) +
           (size_t)(p->first[p->root] + 1) * SPTI_PACK_BYTES +
           (size_t)n * sizeof(spt_i32);
}

SPTI_API const void *spt_packed_data(const spt_index *x, size_t *bytes)
{
    *bytes = 0;
    if (x->kind != &spti_packed_kind || x->count == 0) return NULL;
    *bytes = spti_pack_image(&x->as.packed, (spt_u32)x->count);
    return (const spt_u32 *)(const void *)x->as.packed.nodes - SPTI_PACK_HEAD;
}

SPTI_API int spt_packed_view(spt_index *x, const void *data, size_t bytes)
{
    const spt_u32 *head = (const spt_u32 *)data;
    unsigned char *image;
    spti_packed p;
    spti_zero(x, sizeof *x);
    if (!data || (size_t)data % sizeof(spt_coord) != 0) return SPT_ERR_ARGUMENT;
    if (bytes < SPTI_PACK_HEAD * sizeof *head || !spti_pack_is(head, head[3])) return SPT_ERR_IMAGE;
    if (head[3] == 0 || head[3] > (spt_u32)SPTI_I32_MAX) return SPT_ERR_IMAGE;
    if (spti_pack_layout(&p, NULL, (spt_i32)head[3]) == 0) return SPT_ERR_IMAGE;
    if (bytes < spti_pack_image(&p, head[3])) return SPT_ERR_IMAGE;
    x->kind = &spti_packed_kind;
    x->size = SPTI_IMAGE, x->changes = 1; /* spt_free makes it 0: see spti_filter_accepts */
    x->count = (spt_i32)head[3];
    spti_copy(&image, &data, sizeof data); /* not const; nothing writes to it */
    (void)spti_pack_layout(&x->as.packed, image, x->count);
    spti_pack_around(x, x->as.packed.root, (spt_i32)0, &x->bounds);
    return SPT_OK;
}
#endif

#ifdef SPTI_SEARCH
/* ============================================================================================== */
/* MOVERS - PUBLIC                                                                          >>movers

   A motion and the elements that it meets go in, and the box comes out where it stops or, if it
   slides along elements, where it ends. This works with edges, not with times: a time is rounded,
   and box + t * d may lie inside the element that stopped the box. So a side that is hit sets the
   edge of the box that touches it, and the opposite edge follows from the size. The section ends
   with the gap of two polygons, which keeps the movers of >>shapemovers apart from elements.

   A slide begins with its target, where the box would end if nothing stopped it. Casts by the
   motion, one in each layer, find the first side, to which the target is taken back along one axis.
   Second casts go along the other axis alone, at the place of that side. They begin at the start,
   whose edges are known exactly, and leave out sides that the motion reaches before the first side,
   because the box passes them on the way there:

        +---+  .           #####     The first cast finds A. The second one, down from the height
        |   |     .   =B=  #####     of the start, meets B, which is left behind, and finds C.
        +---+        .+---+##A##
             .        |   |#####     Times are compared by their keys, so that whole numbers are
                  .   +---+#####     exact. With floats a query at the end finds elements that the
                      =C=  #####     target is in by a rounding; a side stops it, and so on. */

/* Sets the edges of *out along an axis to where a box is that has moved forwards until its edge in
   front, the upper one if `up`, is at a coordinate. */
static void spti_edges_stop(const spt_box *box, int axis, int up, spt_coord at, spt_box *out)
{
    const spt_coord min = SPTI_EDGE(box, axis, 0), max = SPTI_EDGE(box, axis, 1);
    const spti_dist size = SPTI_DIST(max, min);
    const spt_coord low = (spt_coord)SPTI_ROUNDED((spti_dist)at - size);
    const spt_coord high = (spt_coord)SPTI_ROUNDED((spti_dist)at + size);
    SPTI_EDGE(out, axis, 0) = !up ? at : low > min ? low : min;
    SPTI_EDGE(out, axis, 1) = up ? at : high < max ? high : max;
}

/* Moves a box along an axis to where a motion by d is at time t: sets one edge, and the other one
   from it, so that the size hardly drifts. The first is, of integers, the edge in front; of floats
   the one that then has the larger magnitude, because its steps are coarser. No edge moves
   backwards by rounding, because a box may touch an element behind it. */
static void spti_edges_move(spt_box *box, int axis, spt_coord d, spt_coord t)
{
    spt_coord *min = &SPTI_EDGE(box, axis, 0), *max = &SPTI_EDGE(box, axis, 1);
#ifdef SPATIAL_INT
    const spt_u32 way = spti_travel(spti_speed(d), (spt_u32)t); /* rounded down */
    spti_edges_stop(box, axis, d > 0, d > 0 ? spti_above(*max, way) : spti_below(*min, way), box);
#else
    const spti_product product = d * t;
    const spt_coord way = (spt_coord)product;
    const spti_stored size = *max - *min;
    spti_stored low = SPTI_MAX(*min + way, -SPTI_COORD_MAX);
    spti_stored high = SPTI_MIN(*max + way, SPTI_COORD_MAX);
    if (-low > high) high = low + size;
    else low = high - size;
    if (way > 0 ? low > *min : way < 0 ? low < *min : 0) *min = SPTI_MAX(low, -SPTI_COORD_MAX);
    if (way > 0 ? high > *max : way < 0 ? high < *max : 0) *max = SPTI_MIN(high, SPTI_COORD_MAX);
#endif
}

SPTI_API void spt_box_stop(const spt_motion *motion, const spt_hit *hit, const spt_box *element,
                           spt_box *out)
{
    spt_box box;
    int axis;
    box = motion->box;
    for (axis = 0; axis < 2; axis++) {
        const int side = axis ? hit->ny : hit->nx;
        if (side) spti_edges_stop(&box, axis, side < 0, SPTI_EDGE(element, axis, side > 0), &box);
        else spti_edges_move(&box, axis, axis ? motion->dy : motion->dx, hit->t);
    }
    *out = box;
}

#ifdef SPTI_INDEX
typedef struct spti_slide {
    spt_motion motion; /* the whole motion, as if nothing stopped it */
    spt_box target;    /* the box at its end, taken back to the sides that are known so far: */
    spt_hit hits[2];
    int count;      /* of hits */
    spti_key since; /* the time of the latest side, at first 0: earlier sides do not count */
    int layer;      /* index of the one that is asked */
    /* Of the sides that are hit next, all at the same time: */
    int found;          /* 1: there are some */
    int axis;           /* of the first by corner, layer and id; the nearest along it stops */
    int corner;         /* 1: that one is met at a corner */
    spti_key key;       /* of their time */
    spt_hit sides[2];   /* the nearest side along each axis; id SPT_NONE: there is none */
    spt_coord edges[2]; /* where these sides are */
} spti_slide;

/* Finds the time at which a motion that nothing stops gets to a side of an element that is hit. */
static void spti_slide_key(const spt_motion *m, const spt_hit *hit, const spt_box *box,
                           spti_key *key)
{
    const int axis = hit->nx == 0, up = hit->nx + hit->ny < 0;
    const spt_coord edge = SPTI_EDGE(box, axis, !up), front = SPTI_EDGE(&m->box, axis, up);
    spti_stored way = up ? SPTI_DIST(edge, front) : SPTI_DIST(front, edge);
    spti_time_key(way, spti_speed(axis ? m->dy : m->dx), spti_speed(axis ? m->dx : m->dy), key);
}

/* Keeps the side of an element, unless one that is kept along its axis comes first. Of sides met at
   one time, perhaps only because times are rounded, the nearest edge comes first, then a side
   before a corner, then the kept one, because casts tell of sides in the order of layer and id. */
static void spti_slide_keep(spti_slide *s, const spt_hit *hit, const spt_box *box)
{
    const int axis = hit->nx == 0, up = hit->nx + hit->ny < 0;
    const spt_coord edge = SPTI_EDGE(box, axis, !up);
    spt_hit *kept = &s->sides[axis];
    spt_coord *at = &s->edges[axis];
    int wins = kept->id == SPT_NONE;
    if (!wins) wins = edge < *at || *at < edge ? (edge < *at) == up : hit->corner < kept->corner;
    if (!wins) return;
    spti_copy(kept, hit, sizeof *hit);
    kept->layer = s->layer, *at = edge;
}

/* Keeps the first sides that the casts hit. A cast tells of sides in the order of time, corner and
   id; so it stops at the first that is later than the kept ones. */
static int spti_slide_hit(void *ctx, const spt_hit *hit, const spt_box *box,
                          spt_coord *limit) SPT_CALLBACK
{
    spti_slide *s = (spti_slide *)ctx;
    spti_key key;
    spti_slide_key(&s->motion, hit, box, &key);
    if (spti_key_less(&key, &s->since)) return 0;
    if (s->found && spti_key_less(&s->key, &key)) return 1;
    if (!s->found || spti_key_less(&key, &s->key)) {
        s->found = s->corner = 1, s->key = key, s->axis = hit->nx == 0;
        s->sides[0].id = s->sides[1].id = SPT_NONE;
    }
    if (hit->corner < s->corner) s->axis = hit->nx == 0, s->corner = 0;
    spti_slide_keep(s, hit, box);
    *limit = hit->t;
    return 0;
}

/* Stops the target at the side that is kept along s->axis. */
static void spti_slide_stop(spti_slide *s)
{
    const int axis = s->axis;
    const spt_hit *hit = &s->sides[axis];
    const int second = s->count > 0 && (s->hits[0].nx == 0) != axis; /* of the other axis */
    spti_edges_stop(&s->motion.box, axis, hit->nx + hit->ny < 0, s->edges[axis], &s->target);
    spti_copy(&s->hits[second], hit, sizeof *hit);
    s->count = SPTI_MAX(s->count, second + 1), s->found = 0;
}

#ifndef SPATIAL_INT
/* Returns the depth of the target inside an element along an axis: 0 if they are apart there,
   infinity if the box overlapped the element along that axis from the start. */
static spt_coord spti_slide_depth(const spti_slide *s, const spt_box *box, int axis)
{
    const spt_coord min = SPTI_EDGE(&s->target, axis, 0), max = SPTI_EDGE(&s->target, axis, 1);
    const spt_coord low = SPTI_EDGE(box, axis, 0), high = SPTI_EDGE(box, axis, 1);
    spti_stored depth = max - low;
    if (!(max > low && high > min)) return 0;
    if (SPTI_EDGE(&s->motion.box, axis, 1) <= low) return depth;
    depth = high - min;
    return high > SPTI_EDGE(&s->motion.box, axis, 0) ? spti_highest() : depth;
}

/* If rounding has put the target into an element, the element's nearer side is hit; of such
   elements the first is kept, by time, layer and id. Layers are asked in order. */
static int spti_slide_check(void *ctx, spt_i32 id, const spt_box *box) SPT_CALLBACK
{
    spti_slide *s = (spti_slide *)ctx;
    const spt_coord x = spti_slide_depth(s, box, 0), y = spti_slide_depth(s, box, 1);
    const spt_hit *kept = &s->sides[s->axis];
    spti_meeting meeting;
    spt_hit hit;
    if (!(x > 0) || !(y > 0) || !((x < y ? x : y) < spti_highest())) return 0;
    meeting.axis = x < y ? 1 : 2, meeting.corner = 0, meeting.t = 1, meeting.key = 1;
    spti_hit_set(&hit, id, &s->motion, &meeting);
    spti_slide_key(&s->motion, &hit, box, &meeting.key);
    if (meeting.key < 1) hit.t = (spt_coord)meeting.key;
    if (s->found && !(hit.t < kept->t) &&
        (hit.t > kept->t || s->layer != kept->layer || id > kept->id))
        return 0;
    s->found = 1, s->axis = hit.nx == 0, s->sides[s->axis].id = SPT_NONE;
    spti_slide_keep(s, &hit, box);
    return 0;
}
#endif

SPTI_API SPTI_NOINLINE int spt_slide(const spt_layer *layers, int count, const spt_motion *motion,
                                     spt_box *end, spt_hit *hits)
{
    spti_slide s;
    spt_motion m;
    const int error = spti_layers_ask(layers, count, &motion->box, 0);
    int i, k;
    if (error || !spti_motion_valid(motion)) return error ? error : SPT_ERR_ARGUMENT;
    s.target = motion->box;
    spti_edges_move(&s.target, 0, motion->dx, (spt_coord)SPTI_TIME_END);
    spti_edges_move(&s.target, 1, motion->dy, (spt_coord)SPTI_TIME_END);
    m.box = motion->box, m.dx = motion->dx, m.dy = motion->dy, m.enter = 1;
#ifdef SPATIAL_INT
    m.dx = (spt_coord)((spt_u32)s.target.max_x - (spt_u32)m.box.max_x); /* the type may end */
    m.dy = (spt_coord)((spt_u32)s.target.max_y - (spt_u32)m.box.max_y);
#endif
    spti_copy(&s.motion, &m, sizeof m);
    s.count = s.found = s.axis = 0;
    spti_gap_key(0, 0, &s.since);
    for (i = 0; i < 2; i++) {
        for (k = s.layer = 0; k < count; s.layer = ++k)
            (void)spt_cast_visit(layers[k].index, &m, layers[k].filter, spti_slide_hit, &s);
        if (!s.found) break;
        spti_slide_stop(&s);
        spti_copy(&s.since, &s.key, sizeof s.key);
        SPTI_EDGE(&m.box, s.axis, 0) = SPTI_EDGE(&s.target, s.axis, 0);
        SPTI_EDGE(&m.box, s.axis, 1) = SPTI_EDGE(&s.target, s.axis, 1);
        *(s.axis ? &m.dy : &m.dx) = 0;
    }
#ifndef SPATIAL_INT
    for (;; spti_slide_stop(&s)) {
        for (k = s.layer = 0; k < count; s.layer = ++k)
            (void)spt_visit(layers[k].index, &s.target, layers[k].filter, spti_slide_check, &s);
        if (!s.found) break;
    }
#endif
    *end = s.target;
    for (i = 0; hits && i < s.count; i++) spti_copy(&hits[i], &s.hits[i], sizeof *hits);
    return s.count;
}
#endif
#endif

#if defined(SPTI_SHAPES) && defined(SPTI_INDEX)
/* Returns the product of two vectors, each step rounded; and a + t * d: spti_dot(a, t, 1, d). */
static double spti_dot(double ax, double ay, double bx, double by)
{
    const spti_double x = ax * bx, y = ay * by, sum = x + y;
    return sum;
}

typedef struct spti_plane { /* a tangent of the gap between the mover and an element */
    double gap;    /* at the place that it is taken from */
    double away;   /* how far the motion leads away from the element; negative: towards it */
    double nx, ny; /* the unit vector from the element to the mover, across the gap */
    double at;     /* the product of (nx, ny) and a place is above this on the free side */
    spt_i32 id;    /* of the element */
    int layer;
} spti_plane;

/* The gap of two polygons is the largest distance along a normal of a side of either one or, where
   two corners are nearest and further apart than `mitre`, their distance; of an overlap -depth. */
typedef struct spti_gaps { /* as far as they are known */
    double most;           /* the largest gap along a normal of a side, squared, with its sign */
    double gap, nx, ny;    /* this gap times the length of the normal; the normal */
    double least, x, y;    /* the least distance of a point from a side, squared; its way */
    double dx, dy; /* the motion: of equal gaps, one along whose normal it leads out counts */
} spti_gaps;

/* Tries the sides of b: their normals, and their distances from the points of a. a lies at (x, y),
   and sign is 1 if the vectors shall lead from b to a, else -1. */
static void spti_gaps_add(spti_gaps *g, const spt_shape *a, const spt_shape *b, double x, double y,
                          double sign)
{
    const double none = (double)spti_highest();
    int i;
    if (b->count == 1 && a->count > 1) return; /* the sides of a are tried, too */
    for (i = 0; i < b->count; i++) {
        const spt_coord *from = SPTI_POINT(b, i), *to = SPTI_POINT_AFTER(b, i), *p;
        const double dx = (double)to[0] - (double)from[0], dy = (double)to[1] - (double)from[1];
        const double length = spti_dot(dx, dy, dx, dy), part = length > 0 ? 1 / length : 0;
        double low = 0, high = 0, least = none, most = -none; /* of b, of a: how far to the left */
        spti_double wx, wy, along, square, left, gap, turn;
        for (p = b->points; p < SPTI_POINT(b, b->count); p += 2) {
            wx = (double)p[0] - (double)from[0], wy = (double)p[1] - (double)from[1];
            left = spti_dot(dx, dy, wy, -wx);
            low = SPTI_MIN(low, left), high = SPTI_MAX(high, left);
        }
        for (p = a->points; p < SPTI_POINT(a, a->count); p += 2) {
            wx = (double)p[0] - (double)from[0], wy = (double)p[1] - (double)from[1];
            wx = wx + x, wy = wy + y; /* the way to the point */
            left = spti_dot(dx, dy, wy, -wx), along = spti_dot(dx, dy, wx, wy);
            least = SPTI_MIN(least, left), most = SPTI_MAX(most, left);
            if (along > 0 && along >= length) continue; /* the next side has this point */
            if (along > 0) along = left * part, wx = -dy * along, wy = dx * along; /* across */
            square = spti_dot(wx, wy, wx, wy);
            if (square < g->least) g->least = square, g->x = sign * wx, g->y = sign * wy;
        }
        if (!(length > 0)) continue;
        gap = low - most, left = least - high; /* to the right of b, and to the left */
        turn = gap > left ? sign : -sign, gap = SPTI_MAX(gap, left);
        square = gap * SPTI_MAX(gap, -gap), square = square * part;
        if (square > g->most || (square >= g->most && spti_dot(g->nx, g->ny, g->dx, g->dy) < 0 &&
                                 spti_dot(turn * dy, -turn * dx, g->dx, g->dy) >= 0))
            g->most = square, g->gap = gap, g->nx = turn * dy, g->ny = -turn * dx;
    }
}

/* ============================================================================================== */
/* SHAPE MOVERS - PUBLIC                                                             >>shapemovers

   A shape, a motion and layers go in. The first element that the shape meets comes out or, if it
   slides along elements, how far it got. A cast of the box around it finds the elements.

   In a slide an element stops the shape (spti_mover_stops) if the gap falls to -skin / 2, ends
   below `rest` or behind a thin wall or, in the first cast, if they touch and the motion leads in.
   All else, and elements that the target is free of, it lets pass, and so glides over seams.
   Beside a seam of a floor, the nearest side of the next tile may be the upright one between the
   tiles; once the shape is deeper, it is the top: taken, if it starts at most skin / 2 below it.

       s .                 A slide casts the shape from its place, s, towards its target. A tangent
           .               of the gap to the first element (=) gives a plane (-), on whose free side
      ------ . --- goal -- the gap is at least `rest`. The shape goes up to the plane. Its new goal
      =========.====|===== (spti_mover_aim) is the free place that is nearest to the target: on the
      ===========. target  plane, or in the corner of it and an earlier one. So it goes on until it
                           meets nothing or no way is left. In a corner calls have the same goal. */

#define SPTI_PLANES 4    /* that a mover keeps: the latest */
#define SPTI_MEETINGS 16 /* of one slide, at most, but for one that is replaced */

typedef struct spti_mover {
    const spt_layer *layers;
    int count, layer, slides; /* number of layers; the one that is asked; 1: it slides, 0: a cast */
    spt_shape shape;       /* at its start */
    spt_box window, clip;  /* around it; all that it can meet, to which boxes are cut off */
    spt_shape other;       /* of the element that is asked */
    spt_coord corners[8];  /* of this element if it is a box */
    double x, y, dx, dy, speed; /* the way to its place; the motion from there, its length */
    double skin, rest;     /* rest: the gap to keep, 3/16 of skin; less in a squeeze; of a cast 0 */
    double slack, mitre;   /* tolerance; less than mitre apart, gaps are along normals of sides */
    double t, gap;         /* when it comes near to the first element, 2: never; the gap at 0 */
    int met;               /* how often it was stopped; the first stop may be replaced once */
    spti_plane first, *planes; /* of the element met first in a cast; of the latest stops */
} spti_mover;

/* Asks for the shape of an element. */
static void spti_mover_ask(spti_mover *m, spt_i32 id, const spt_box *box)
{
    const spt_layer *layer = &m->layers[m->layer];
    spt_coord *corners = m->corners;
    spt_box b;
    if (!layer->shape || !layer->shape(layer->ctx, id, &m->other)) {
        if (!spt_box_intersection(box, &m->clip, &b)) b = *box;
        corners[0] = corners[6] = b.min_x, corners[1] = corners[3] = b.min_y;
        corners[2] = corners[4] = b.max_x, corners[5] = corners[7] = b.max_y;
        m->other.points = corners, m->other.count = 4, m->other.radius = 0;
    }
    SPATIAL_ASSERT(m->other.count > 0);
}

/* Finds the gap of the mover at a place and the element, and its tangent there. */
static void spti_mover_apart(const spti_mover *m, double x, double y, spti_plane *out)
{
    double length, none = (double)spti_highest();
    spti_double gap = 0;
    spti_gaps g;
    g.most = -none, g.least = none, g.gap = g.nx = g.ny = g.x = g.y = 0;
    g.dx = m->dx, g.dy = m->dy;
    spti_gaps_add(&g, &m->shape, &m->other, x, y, 1);
    spti_gaps_add(&g, &m->other, &m->shape, -x, -y, -1);
    if (!(g.most > -none) || (g.most >= -m->slack * m->slack && g.least > m->mitre * m->mitre))
        g.gap = g.least, g.nx = g.x, g.ny = g.y;
    length = spti_length(g.nx, g.ny);
    out->nx = 0, out->ny = 1; /* of two points at one place */
    if (length > 0) gap = g.gap / length, out->nx = g.nx / length, out->ny = g.ny / length;
    gap = gap - ((double)m->shape.radius + (double)m->other.radius);
    out->gap = gap, gap = spti_dot(out->nx, out->ny, x, y) - gap, out->at = gap + m->rest;
    out->away = spti_dot(out->nx, out->ny, m->dx, m->dy);
}

/* Returns how far a place is on the free side of a plane. */
static double spti_plane_side(const spti_plane *p, double x, double y)
{
    const spti_double side = spti_dot(p->nx, p->ny, x, y) - p->at;
    return side;
}

/* Returns the first kept plane that the mover is at most `skin` in front of, or after a plane p the
   next one; NULL if there is none. */
static spti_plane *spti_mover_next(spti_mover *m, spti_plane *p)
{
    spti_plane *end = m->planes + SPTI_MIN(m->met, SPTI_PLANES);
    for (p = p ? p + 1 : m->planes; p < end; p++)
        if (spti_plane_side(p, m->x, m->y) <= m->skin) return p;
    return NULL;
}

/* Follows the motion to where the gap is at most `to`, by Newton's steps: the gap of convex shapes
   lies above its tangents, so they come from the front and never pass that place, however fast the
   shape is. *t, *p: a time and a tangent at or before it; both are updated. Returns 0 if the time
   `end` is before it, or the motion leads away. */
static int spti_mover_reaches(const spti_mover *m, double to, double end, double *t, spti_plane *p)
{
    const double still = m->slides ? -m->slack : -1e-9 * m->speed; /* so slow is not towards it */
    spti_double time;
    spti_plane a; /* not taken if it is there, but leads away: past a corner, or by a rounding */
    int k;
    for (k = 0; k < 40; k++) { /* they end long before */
        if (!(p->away < still)) return 0;
        if (p->gap - to <= m->slack) break;
        if (*t >= end) return 0;
        time = spti_plane_side(p, m->x, m->y) + m->rest, time = time - to, time = time / -p->away;
        *t = SPTI_MIN(time, end);
        spti_mover_apart(m, spti_dot(m->x, *t, 1, m->dx), spti_dot(m->y, *t, 1, m->dy), &a);
        if (!(a.away < still) && a.gap - to <= spti_dot(1, 1e-9, m->slack, p->gap - to)) break;
        spti_copy(p, &a, sizeof *p);
    }
    return 1;
}

/* Returns 1 if the element stops the mover. *p: the tangent at its place; gets the plane that stops
   it. *t: 0; gets the time at which it comes near. */
static int spti_mover_stops(const spti_mover *m, spti_plane *p, double *t)
{
    const spti_double x = m->x + m->dx, y = m->y + m->dy;
    const double spare = p->gap - m->rest, least = m->slides ? -m->slack : m->slack;
    spti_plane deep, end;
    double time, last = m->speed > 0 ? 1 + m->skin / m->speed : 1; /* skin further */
    int nears;
    if (spti_plane_side(p, x, y) >= least) return 0; /* the tangent leaves the target free */
    nears = spti_mover_reaches(m, m->rest, 1, t, p);
    if (!m->slides) return nears || !(m->speed > 0);
    if (!nears && spare >= least) return 0; /* it passes by */
    if (nears && spare < m->skin / 16 && m->met == 0) /* they touch, and keep their gap */
        return *t = 0, p->at += SPTI_MAX(spare, 0), 1;
    time = *t, spti_copy(&deep, p, sizeof deep);
    if (!spti_mover_reaches(m, -m->skin / 2, last, &time, &deep) || time > 1) { /* not so deep */
        if (spti_dot(p->nx, p->ny, deep.nx, deep.ny) < -0.5) return 1; /* behind a thin wall */
        spti_mover_apart(m, x, y, &end);
        if (end.gap - m->rest >= least) return 0; /* at the end it is far enough away again */
    }
    if (spti_plane_side(&deep, m->x, m->y) >= -m->skin / 2) spti_copy(p, &deep, sizeof *p);
    return spti_plane_side(p, x, y) < least;
}

/* Keeps the element that the mover comes near to first. Among several: the one that was nearest,
   then that the motion leads most into, then of the lowest layer, then id. Those that the mover was
   deep inside of at its start do not hold it. */
static int spti_mover_meet(void *ctx, const spt_hit *hit, const spt_box *box,
                           spt_coord *limit) SPT_CALLBACK
{
    spti_mover *m = (spti_mover *)ctx;
    spti_plane p, start, *q = NULL;
    double t = 0, gap, later;
    while ((q = spti_mover_next(m, q)) != NULL)
        if (q->id == hit->id && q->layer == m->layer) return 0; /* the goal is on the free side */
    spti_mover_ask(m, hit->id, box);
    spti_mover_apart(m, m->x, m->y, &p), gap = start.gap = p.gap;
    if (!spti_mover_stops(m, &p, &t)) return 0;
    later = t < m->t || t > m->t ? t - m->t : gap - m->gap;
    if (!(later < 0 || later > 0)) later = p.away - m->first.away;
    p.id = hit->id, p.layer = m->layer;
    if (later > 0 || (!(later < 0) && (p.layer != m->first.layer || p.id > m->first.id))) return 0;
    if (m->met) spti_mover_apart(m, 0, 0, &start);
    if (start.gap < -m->skin - m->slack && (m->speed > 0 || m->slides)) return 0;
    m->t = t, m->gap = gap, spti_copy(&m->first, &p, sizeof p);
    if (t < (double)*limit) *limit = (spt_coord)t;
    return 0;
}

/* Finds the element that the motion meets first; returns 0 if there is none. */
static int spti_mover_cast(spti_mover *m)
{
    const spt_box *w = &m->window;
    spt_motion motion;
    double wide, least;
    m->t = 2, m->speed = spti_length(m->dx, m->dy);
    least = 1e-9 * m->speed + 1e-15; /* so little along an axis is only a rounding */
    wide = m->mitre + m->slack + least + 4 * (double)SPTI_ROUNDING * m->speed;
    spt_box_outward((double)w->min_x + m->x - wide, (double)w->min_y + m->y - wide,
                    (double)w->max_x + m->x + wide, (double)w->max_y + m->y + wide, &motion.box);
    motion.dx = SPTI_MAX(m->dx, -m->dx) > least ? (spt_coord)m->dx : 0, motion.enter = 0;
    motion.dy = SPTI_MAX(m->dy, -m->dy) > least ? (spt_coord)m->dy : 0;
    for (m->layer = 0; m->layer < m->count; m->layer++)
        (void)spt_cast_visit(m->layers[m->layer].index, &motion, m->layers[m->layer].filter,
                             spti_mover_meet, m);
    return m->t <= 1;
}

/* Sets the motion to the way to the goal; returns 0 if there is none near. */
static int spti_mover_aim(spti_mover *m, double to_x, double to_y)
{
    spti_plane *last = &m->planes[(m->met - 1) % SPTI_PLANES], *p = NULL, *q;
    const double most = spti_length(to_x - m->x, to_y - m->y) + 2 * m->skin; /* of the way */
    double best = (double)spti_highest(), side, square;
    while ((p = spti_mover_next(m, p)) != NULL) {
        const double turn = spti_dot(last->nx, last->ny, p->ny, -p->nx);
        spti_double x, y;
        if (turn > 1e-9 || turn < -1e-9) {
            x = spti_dot(last->at, p->at, p->ny, -last->ny) / turn;
            y = spti_dot(last->at, p->at, -p->nx, last->nx) / turn;
        } else {
            side = spti_plane_side(last, to_x, to_y);
            x = spti_dot(to_x, side, 1, -last->nx), y = spti_dot(to_y, side, 1, -last->ny);
        }
        for (q = NULL; (q = spti_mover_next(m, q)) != NULL;)
            if (spti_plane_side(q, x, y) < -m->slack) break;
        square = spti_dot(x - to_x, y - to_y, x - to_x, y - to_y);
        if (!q && square < best && spti_length(x - m->x, y - m->y) <= most)
            best = square, m->dx = x - m->x, m->dy = y - m->y;
    }
    return best < (double)spti_highest();
}

/* Prepares a mover for a cast, or returns an error. */
static int spti_mover_init(spti_mover *m, const spt_layer *layers, int count,
                           const spt_shape *shape, spt_coord dx, spt_coord dy, spt_coord skin)
{
    static const spt_box large = {-SPTI_LARGE, -SPTI_LARGE, SPTI_LARGE, SPTI_LARGE};
    spti_outline o;
    spt_motion motion;
    spti_dist size;
    const int valid = spti_outline_init(&o, shape) && skin >= 0 && skin <= SPTI_LARGE / 64;
    const int error = valid ? spti_layers_ask(layers, count, &o.window, 0) : SPT_ERR_ARGUMENT;
    if (error) return error;
    m->layers = layers, m->count = count, m->window = o.window;
    motion.box = o.window, motion.dx = dx, motion.dy = dy, motion.enter = 0;
    spt_box_swept(&motion, &o.window);
    if (!spti_box_holds(&large, &o.window)) return SPT_ERR_ARGUMENT;
    m->slack = SPTI_MAX(-(double)o.window.min_x, (double)o.window.max_x);
    m->slack += SPTI_MAX(-(double)o.window.min_y, (double)o.window.max_y);
    m->slack = m->mitre = m->slack * (sizeof m->slack > 4 ? 1e-13 : 1e-6);
    size = (spti_dist)(o.window.max_x - o.window.min_x) + (o.window.max_y - o.window.min_y);
    spti_box_grow(&o.window, size + 64 * skin + (spti_dist)(64 * m->slack + 1e-14), &m->clip);
    spti_copy(&m->shape, shape, sizeof *shape);
    m->slides = m->met = 0, m->x = m->y = m->rest = 0, m->planes = &m->first; /* none yet */
    m->dx = (double)dx, m->dy = (double)dy, m->skin = (double)skin;
    return SPT_OK;
}

static void spti_mover_tell(const spti_mover *m, double t, spt_shape_hit *hit)
{
    hit->id = m->first.id, hit->layer = m->first.layer, hit->t = (spt_coord)t;
    hit->nx = (spt_coord)m->first.nx, hit->ny = (spt_coord)m->first.ny;
}

SPTI_API SPTI_NOINLINE int spt_shape_cast(const spt_layer *layers, int count,
                                          const spt_shape *shape, spt_coord dx, spt_coord dy,
                                          spt_coord skin, spt_shape_hit *hit)
{
    spti_mover m;
    const int error = spti_mover_init(&m, layers, count, shape, dx, dy, skin);
    if (error || !spti_mover_cast(&m)) return error;
    if (hit) spti_mover_tell(&m, m.t, hit);
    return 1;
}

SPTI_API int spt_shape_any(const spt_layer *layers, int count, const spt_shape *shape)
{
    return spt_shape_cast(layers, count, shape, 0, 0, 0, NULL);
}

SPTI_API SPTI_NOINLINE int spt_shape_slide(const spt_layer *layers, int count,
                                           const spt_shape *shape, spt_coord dx, spt_coord dy,
                                           spt_coord skin, spt_coord *moved_x, spt_coord *moved_y,
                                           spt_shape_hit *hits)
{
    spti_mover m;
    spti_plane planes[SPTI_PLANES];
    spti_double part, time = 0;
    int goes = 1, again = 0, k;
    const int error = spti_mover_init(&m, layers, count, shape, dx, dy, skin);
    if (error || !(skin > SPTI_TINY)) return error ? error : SPT_ERR_ARGUMENT;
    m.slides = 1, m.planes = planes, m.rest = m.skin * 3 / 16;
    m.slack = m.skin / 1024, m.mitre = m.skin / 4;
    while (goes && spti_mover_cast(&m)) {
        part = spti_plane_side(&m.first, m.x, m.y); /* the mover goes up to the plane */
        part = part > 0 ? part / -m.first.away : 0;
        if (part > m.t) part = m.t; /* other elements may be nearer than the plane */
        m.x = spti_dot(m.x, part, 1, m.dx), m.y = spti_dot(m.y, part, 1, m.dy);
        time = spti_dot(time, part, 1, 1 - time);
        if (m.met == 1 && !again && m.t * m.speed < m.skin / 16)
            m.met = 0, again = 1; /* it replaces the first, maybe of a tile's edge */
        if (hits && m.met < SPT_SHAPE_HITS) spti_mover_tell(&m, time, &hits[m.met]);
        spti_copy(&planes[m.met++ % SPTI_PLANES], &m.first, sizeof m.first);
        while (!(goes = spti_mover_aim(&m, (double)dx, (double)dy)) && m.rest > -m.skin / 2) {
            m.rest -= m.skin / 16; /* a squeeze, as in a shaft as wide as the shape */
            for (k = 0; k < SPTI_MIN(m.met, SPTI_PLANES); k++) planes[k].at -= m.skin / 16;
        }
        goes = goes && m.met < SPTI_MEETINGS && spti_length(m.dx, m.dy) > m.slack;
    }
    if (goes) m.x = spti_dot(m.x, 1, 1, m.dx), m.y = spti_dot(m.y, 1, 1, m.dy); /* all is free */
    *moved_x = (spt_coord)m.x, *moved_y = (spt_coord)m.y;
    return SPTI_MIN(m.met, SPT_SHAPE_HITS);
}
#endif

#if defined(SPTI_INDEX) && !defined(SPATIAL_NO_CHECK)
/* ============================================================================================== */
/* CHECK - PUBLIC                                                                            >>check

   In goes an index; out comes 1 if every element is found: a window at each corner of its box must
   report it exactly once. Before that, chains and links are tested, so that these windows come to
   an end, and all that they do not show: that a lane above a node holds the lanes of the node, on
   which later moves rely, and the free chunks. In an image with wrong contents windows might visit
   every node; so of packed only the boxes around the children of nodes above leaves are tested. */

static int spti_check_is(void *ctx, spt_i32 id, spt_i32 other) SPT_CALLBACK
{
    (void)other;
    return id == *(const spt_i32 *)ctx;
}

/* Returns 1 if a window at each corner of its box reports an element exactly once, and its chunk
   tells the level of its cell, two for each node on the way up, and its column and row. */
static int spti_check_element(const spt_index *x, spt_i32 id, const spt_box *box)
{
    const spti_chunk *c = spti_chunk_of(x, x->slots[id]);
    const spt_i32 cell = c->cell & SPTI_CELL_MASK;
    spt_i32 up = cell;
    spt_filter filter;
    spt_box corner;
    int k, level = x->first_cell < SPTI_WORLD;
    spti_zero(&filter, sizeof filter);
    filter.accept = spti_check_is;
    filter.ctx = &id;
    for (k = 0; k < 4; k++) {
        corner.min_x = corner.max_x = k & 1 ? box->max_x : box->min_x;
        corner.min_y = corner.max_y = k & 2 ? box->max_y : box->min_y;
        if (spt_query(x, &corner, &filter, NULL) != 1) return 0;
    }
    for (; up >= SPTI_CHILDREN; level += 2) up = x->nodes[SPTI_NODE_OF(up)].above;
    return c->cell == SPTI_CELL_AT(level, cell) && c->place == spti_cell_place(x, cell, level);
}

#ifdef SPTI_TABLE
/* Returns 1 if a cell has as many elements as its count says, its chunks name it and, but for the
   first, are full, the node below names it, too, and the lane above that node holds its lanes. Then
   no walk meets a cell or a chunk twice. */
static int spti_check_cell(const spt_index *x, spt_i32 cell)
{
    const int child = SPTI_CHILD_OF(cell);
    const spti_node *n = &x->nodes[SPTI_NODE_OF(cell)];
    const spti_chunk *c;
    spt_i32 chunk = n->chain[child].first, left = n->chain[child].count, below = n->below[child];
    spt_box box;
    int count, k;
    if (left < 0 || left > x->count || (left > 0 && !(n->used >> child & 1))) return 0;
    for (; left > 0; left -= count, chunk = c->next) {
        if (chunk < 0 || chunk >= x->pool.top) return 0;
        c = &x->pool.chunks[chunk];
        if ((c->cell & SPTI_CELL_MASK) != cell) return 0;
        count = spti_chain_front(left);
        for (k = 0; k < SPTI_CHUNK; k++)
            if ((c->id[k] >= 0) != (k < count)) return 0;
    }
    if (SPTI_NODE_OF(cell) > 0 && n->above == SPT_NONE) return n->used == 0; /* a free node */
    if (below == SPT_NONE) return !(n->used >> SPTI_LANE_BELOW(child) & 1);
    if (below <= 0 || below >= x->node_count || x->nodes[below].above != cell) return 0;
    spti_lanes_around(&x->nodes[below], &box);
    return x->nodes[below].used == 0 || ((n->used >> SPTI_LANE_BELOW(child) & 1) &&
                                         spti_lane_holds(n, SPTI_LANE_BELOW(child), &box));
}

/* Returns 1 if all cells are right, no chunk is lost, and as many slots are in use as elements. */
static int spti_check_cells(const spt_index *x)
{
    const spti_pool *pool = &x->pool;
    spt_i32 i, chunks = 0, left = x->count;
    if (x->node_count < 1 || x->node_count > x->node_room) return 0;
    if (pool->top < 0 || pool->top > pool->capacity) return 0;
    for (i = 0; i < SPTI_CHILDREN * x->node_count; i++) {
        if (!spti_check_cell(x, i)) return 0;
        chunks += (SPTI_CHAIN(x, i).count + 7) / 8;
    }
    if (chunks != pool->used) return 0;
    for (i = pool->free_head; i != SPT_NONE; i = pool->chunks[i].next)
        if (i < 0 || i >= pool->top || ++chunks > pool->top) return 0;
    for (i = 0; i < x->size; i++) left -= x->slots[i] != SPT_NONE;
    return chunks == pool->top && left == 0;
}
#endif

#ifndef SPATIAL_NO_PACKED
/* Returns 1 if the head is right and all nodes above leaves have the boxes around children. */
static int spti_check_packed(const spt_index *x)
{
    spt_box around, box;
    spt_i32 i;
    int level, k;
    if (x->count == 0) return 1;
    if (x->size != SPTI_IMAGE && x->count > x->size) return 0;
    if (!spti_pack_is((const spt_u32 *)(const void *)x->as.packed.nodes - SPTI_PACK_HEAD,
                      (spt_u32)x->count))
        return 0;
    for (level = 1; level <= x->as.packed.root; level++)
        for (i = 0; i < spti_pack_items(x, level); i++) {
            spti_pack_around(x, level - 1, i, &around);
            spti_eight_box(spti_pack_node(x, level, i / SPTI_PACK, &k), (int)(i % SPTI_PACK), &box);
            if (!spti_box_holds(&box, &around) || !spti_box_holds(&around, &box)) return 0;
        }
    return 1;
}
#endif

/* Returns a hash of an id; nearly always, its sum tells wrong ids in packed from 0 .. n-1. */
static spt_u32 spti_check_mix(spt_i32 id)
{
    spt_u32 v = (spt_u32)id + 1;
    return v * v * (spt_u32)2654435761UL + v;
}

SPTI_API int spt_check(const spt_index *x)
{
    spti_boxes boxes;
    const spt_box *box;
    spt_box copy;
    spt_u32 sum = 0;
    spt_i32 i, id, count = 0;
    if (!x->kind || x->count < 0 || (x->slots == NULL) != (x->nodes == NULL)) return 0;
#ifdef SPTI_TABLE
    if (x->nodes && !spti_check_cells(x)) return 0;
#endif
#ifndef SPATIAL_NO_PACKED
    if (!x->kind->reset && !spti_check_packed(x)) return 0;
#endif
    spti_index_boxes(x, &boxes);
    for (i = 0; i < boxes.n; i++) {
        box = spti_box_at(&boxes, i, &id, &copy);
        if (!box) continue;
        sum += spti_check_mix(id) - spti_check_mix(count++);
        if (!spt_box_valid(box) || !spt_contains(x, id)) return 0;
        if (x->slots && (x->slots[id] != i || !spti_check_element(x, id, box))) return 0;
    }
    return count == x->count && (x->slots || (sum & 0xFFFFFFFFUL) == 0);
}
#endif

#ifndef SPATIAL_NO_CONTACTS
/* ============================================================================================== */
/* CONTACTS - PUBLIC                                                                     >>contacts

   In go the pairs of a frame; out come those that began and those that ended since the last frame.
   Between them the contacts lie in one block of integers, in one of two forms:

       sorted    pairs | next | by_b | heads | scratch      heads: >= 0, or ~ of it: id is marked
       linked    records             | heads | scratch

   Sorted form: a counting sort orders the pairs of a frame by b, into by_b, and then by a, into
   next; a merge compares them with `pairs`, the last frame, and the two change places. While `rows`
   is 1, by_b has the same contacts as pairs: those of an id are a row in by_b, where it is b, and
   one in pairs, where it is a. A forgotten id is marked, which hides its pairs. Else marks are old.

   Linked form, from a small update to a large or full one: a contact is a record of two halves,
   each in the doubly linked list of one of its ids (as in Box2D). So it is taken out in O(1),
   however many they have. heads[id] is the first half of id, or 0; half h is in record h / 2.

   An update of some ids marks these, copies their new pairs and their old contacts into the scratch
   memory, and sorts these entries alone: a contact that equals a new pair stays. If they do not fit
   there, the form becomes sorted: as fast for so many. There is no hashing, so no input is slow. */

typedef struct spti_half { /* of a contact, in the list of one of its ids */
    spt_i32 id;            /* in the first half of a free record -1 */
    spt_i32 next, before;  /* halves, or 0; there next is the first half of the next free record */
} spti_half;

#define SPTI_CONTACT 6 /* integers of a record */
#define SPTI_LISTS_AT_ONCE 16
#define SPTI_BEGINS 0   /* in place of an entry's half: no old contact but a new pair; */
#define SPTI_STAYS (-1) /* both are there, or an entry before is of the same contact */

/* Returns a number < 0, 0 or > 0 if pair p comes before q, equals it, or comes after it. */
SPTI_INLINE spt_i32 spti_contacts_compare(const spt_i32 *p, const spt_i32 *q)
{
    return p[0] != q[0] ? p[0] - q[0] : p[1] - q[1];
}

/* Heads are >= 0; a marked id has ~head. */
#define SPTI_MARKED(c, id) ((c)->heads[id] < 0)
#define SPTI_EITHER_MARKED(c, a, b) (SPTI_MARKED(c, a) | SPTI_MARKED(c, b))

/* Marks n ids, or takes their marks away. Ids from c->most_ids on have no contacts, and no mark. */
static void spti_contacts_mark(const spt_contacts *c, const spt_i32 *ids, spt_i32 n, int marked)
{
    SPTI_COUNT(n);
    for (; n > 0; n--, ids++)
        if (*ids < c->most_ids && SPTI_MARKED(c, *ids) != marked)
            c->heads[*ids] = ~c->heads[*ids];
}

/* One pass of a stable counting sort: copies n ids (ints 1), pairs (2) or entries (3) to `to`, in
   order of the bits mask << shift of a field: 0 is an id or a, 1 b. counts: `places` integers. */
SPTI_INLINE void spti_contacts_pass(spt_i32 *counts, spt_u32 places, const spt_i32 *from,
                                    spt_i32 *to, spt_i32 n, int ints, int field, int shift,
                                    spt_u32 mask)
{
    const spt_i32 *end = from + (size_t)ints * (size_t)n, *e;
    spt_i32 *place;
    SPTI_COUNT(n);
    spti_zero(counts, (size_t)places * sizeof *counts);
    for (e = from; e < end; e += ints) counts[(spt_u32)e[field] >> shift & mask]++;
    (void)spti_starts(counts, places, (spt_i32)0);
    for (e = from; e < end; e += ints) {
        place = to + (size_t)ints * (size_t)counts[(spt_u32)e[field] >> shift & mask]++;
        place[0] = e[0]; /* a loop takes 1.3 times as long */
        if (ints > 1) place[1] = e[1];
        if (ints > 2) place[2] = e[2];
    }
}

/* Sorts n pairs, all with ids less than `ids`, by (a, b): copies them from `from` to via, in order
   of b, and then to `to`, which may be `from`. Afterwards no id is marked. */
static void spti_contacts_sort(const spt_contacts *c, spt_i32 ids, const spt_i32 *from,
                               spt_i32 *via, spt_i32 *to, spt_i32 n)
{
    spti_contacts_pass(c->heads, (spt_u32)ids, from, via, n, 2, 1, 0, ~(spt_u32)0);
    spti_contacts_pass(c->heads, (spt_u32)ids, via, to, n, 2, 0, 0, ~(spt_u32)0);
    spti_zero(c->heads + ids, (size_t)(c->most_ids - ids) * sizeof *to);
}

/* Sorts n entries (ints 3) stably by (a, b), or n different ids (ints 1), in the scratch memory: up
   to 16 by insertion, more by radix sort. to: as much room; counts: the rest of the scratch.
   Returns their place: ids may be at `to`; entries, with as many passes for a as for b, are not. */
static spt_i32 *spti_contacts_order(const spt_contacts *c, spt_i32 *to, spt_i32 *counts, spt_i32 n,
                                    int ints)
{
    const spt_i32 room = (c->most_ids + c->most_pairs) / 2 + 16 - (spt_i32)(counts - c->scratch);
    const int bits = spti_bits((spt_u32)c->most_ids);
    spt_i32 *from = c->scratch, *e, *held, value;
    int digit = 4, field, shift, k;
    if (n <= 16) {
        for (held = from; held < from + ints * n; held += ints)
            for (e = held; e > from && spti_contacts_compare(e - ints, e) > 0; e -= ints)
                for (k = 0; k < ints; k++) value = e[k], e[k] = e[k - ints], e[k - ints] = value;
        return from;
    }
    while (digit < 11 && (spt_i32)1 << digit < n && (spt_i32)2 << digit <= room) digit++;
    /* The narrowest digit that needs no more passes. */
    digit = (bits - 1) / ((bits + digit - 1) / digit) + 1;
    for (field = ints > 1; field >= 0; field--)
        for (shift = 0; shift < bits; shift += digit) {
            spti_contacts_pass(counts, (spt_u32)1 << digit, from, to, n, ints, field, shift,
                               ((spt_u32)1 << digit) - 1);
            held = from, from = to, to = held;
        }
    return from;
}

/* --- records and their lists ------------------------------------------------------------------ */

/* Returns half h. The other half of its record is h ^ 1. */
SPTI_INLINE spti_half *spti_contacts_half(const spt_contacts *c, spt_i32 h)
{
    return (spti_half *)c->block + (h - 2); /* half 2 is the first */
}

/* Puts a contact into a free record, and its halves at the front of the lists of both ids. */
static void spti_contacts_add(spt_contacts *c, const spt_i32 *pair)
{
    spt_i32 h = c->freed, *head;
    spti_half *half;
    int side;
    if (h > 0) c->freed = spti_contacts_half(c, h)->next;
    else h = (c->top += SPTI_CONTACT) / 3;
    for (side = 0; side < 2; side++, h++) {
        half = spti_contacts_half(c, h), head = c->heads + pair[side];
        half->id = pair[side], half->next = *head, half->before = 0;
        if (*head > 0) spti_contacts_half(c, *head)->before = h;
        *head = h;
    }
}

/* Takes both halves of the record of half h out of their lists and frees the record. */
static void spti_contacts_cut(spt_contacts *c, spt_i32 h)
{
    spti_half *half = NULL;
    int side;
    h -= h & 1;
    for (side = 1; side >= 0; side--) {
        half = spti_contacts_half(c, h + side);
        if (half->before > 0) spti_contacts_half(c, half->before)->next = half->next;
        else c->heads[half->id] = half->next;
        if (half->next > 0) spti_contacts_half(c, half->next)->before = half->before;
    }
    half->id = -1, half->next = c->freed, c->freed = h;
}

/* Changes the form to sorted, without rows, and leaves out free records or pairs of marked ids. */
static void spti_contacts_to_sorted(spt_contacts *c)
{
    const int ints = c->linked ? SPTI_CONTACT : 2;
    const spt_i32 *from, *end;
    spt_i32 *to;
    c->rows = 0;
    if (!c->linked && c->top == 2 * c->count) return;
    SPTI_COUNT(c->top / ints);
    if (c->linked) c->pairs = c->block, c->next = c->block + 2 * (size_t)c->most_pairs;
    for (from = to = c->pairs, end = from + c->top; from < end; from += ints)
        if (from[0] >= 0 && !SPTI_EITHER_MARKED(c, from[0], from[ints / 2]))
            *to++ = from[0], *to++ = from[ints / 2];
    c->top = 2 * c->count;
    if (c->linked) spti_contacts_sort(c, c->most_ids, c->pairs, c->by_b, c->pairs, c->count);
    c->linked = 0;
}

/* Changes the form to linked. First moves the pairs, to be read before records take their place. */
static void spti_contacts_to_linked(spt_contacts *c)
{
    spt_i32 *pair = c->by_b, i;
    if (c->linked) return;
    spti_contacts_to_sorted(c);
    SPTI_COUNT(c->most_ids + c->count);
    spti_copy(pair, c->pairs, (size_t)c->count * 2 * sizeof *pair);
    spti_zero(c->heads, (size_t)c->most_ids * sizeof *c->heads);
    c->top = c->freed = 0;
    for (i = 0; i < c->count; i++, pair += 2) spti_contacts_add(c, pair);
    c->linked = 1;
}

/* Returns the bytes of the block; 0 if they are too many, or none. The scratch memory has room for
   `few` entries, for as many again to sort them, and for 2 counts an entry and 16 more. */
static size_t spti_contacts_block(spt_i32 ids, spt_i32 pairs)
{
    if (ids == 0 || ids > SPTI_I32_MAX / 4 + 1 || pairs > SPTI_I32_MAX / 8) return 0;
    return spti_bytes(6 * (spt_u32)pairs + (spt_u32)ids + (spt_u32)(pairs + ids) / 2 + 16,
                      sizeof(spt_i32));
}

/* Makes room for so many ids and pairs. If one of them has too little, it gets at least a quarter
   more, but from 2^28 on no more than needed. If anything grows, the form is sorted afterwards. */
static int spti_contacts_reserve(spt_contacts *c, spt_i32 ids, spt_i32 pairs)
{
    const spt_i32 more_ids = SPTI_MIN(c->most_ids + c->most_ids / 4, SPTI_I32_MAX / 8);
    const spt_i32 more_pairs = SPTI_MIN(c->most_pairs + c->most_pairs / 4, SPTI_I32_MAX / 8);
    spt_i32 *block;
    if (ids <= c->most_ids && pairs <= c->most_pairs) return SPT_OK;
    if (c->most_ids > 0 && c->desc.capacity > 0) return SPT_ERR_FULL;
    ids = ids > c->most_ids ? SPTI_MAX(ids, more_ids) : c->most_ids;
    pairs = pairs > c->most_pairs ? SPTI_MAX(pairs, more_pairs) : c->most_pairs;
    spti_contacts_to_sorted(c);
    if (c->pairs != c->block) { /* pairs at the front stay if there is no memory */
        spti_copy(c->block, c->pairs, (size_t)c->top * sizeof *c->block);
        c->next = c->pairs, c->pairs = c->block;
    }
    block = (spt_i32 *)spti_resize(&c->desc.allocator, c->block, spt_contacts_bytes(c),
                                   spti_contacts_block(ids, pairs));
    if (!block) return SPT_ERR_MEMORY;
    c->block = c->pairs = block;
    c->next = block + 2 * (size_t)pairs, c->by_b = c->next + 2 * (size_t)pairs;
    c->heads = c->by_b + 2 * (size_t)pairs, c->scratch = c->heads + ids;
    c->most_ids = ids, c->most_pairs = pairs;
    c->few = (spt_i32)(((spt_u32)ids + (spt_u32)pairs) >> 4);
    return SPT_OK;
}

SPTI_API int spt_contacts_init(spt_contacts *c, const spt_contacts_desc *desc)
{
    int error;
    spti_zero(c, sizeof *c);
    if (!desc) return SPT_OK;
    if (desc->capacity < 0 || desc->ids < 0 || (desc->ids > 0 && desc->capacity == 0))
        return SPT_ERR_ARGUMENT;
    spti_copy(&c->desc, desc, sizeof *desc);
    error = spti_contacts_reserve(c, desc->ids > 0 ? desc->ids : desc->capacity, desc->capacity);
    if (error) spti_zero(c, sizeof *c);
    return error;
}

SPTI_API void spt_contacts_free(spt_contacts *c)
{
    spti_free(&c->desc.allocator, c->block, spt_contacts_bytes(c));
    spti_zero(c, sizeof *c);
}

SPTI_API size_t spt_contacts_bytes_for(const spt_contacts_desc *desc)
{
    if (!desc || desc->capacity <= 0 || desc->ids < 0) return 0;
    return spti_contacts_block(desc->ids > 0 ? desc->ids : desc->capacity, desc->capacity);
}

SPTI_API size_t spt_contacts_bytes(const spt_contacts *c)
{
    return spti_contacts_block(c->most_ids, c->most_pairs);
}

/* --- updates ---------------------------------------------------------------------------------- */

/* Appends the contacts of n marked ids to m entries {a, b, half} in the scratch memory; those of
   two marked ids from the list of a. Walks through some lists in turns, so that waits for memory
   overlap. Returns the new number of entries, or more than there is room for. */
static spt_i32 spti_contacts_gather(const spt_contacts *c, const spt_i32 *ids, spt_i32 n, spt_i32 m)
{
    spt_i32 *entry = c->scratch + 3 * (size_t)m, at[SPTI_LISTS_AT_ONCE], i = 0, h, other;
    const spti_half *half;
    int k, open = 1;
    spti_zero(at, sizeof at);
    while (m <= c->few && open)
        for (k = open = 0; k < SPTI_LISTS_AT_ONCE; k++) {
            SPTI_COUNT(1);
            h = at[k];
            if (h > 0) {
                half = spti_contacts_half(c, h), other = spti_contacts_half(c, h ^ 1)->id;
                if ((h % 2 == 0 || !SPTI_MARKED(c, other)) && m++ < c->few)
                    spti_pair_set(entry, half->id, other), entry[2] = h, entry += 3;
                h = half->next;
            }
            for (; h == 0 && i < n; i++) h = ids[i] < c->most_ids ? ~c->heads[ids[i]] : 0;
            at[k] = h;
            if (h <= 0) continue;
            open = 1, half = spti_contacts_half(c, h);
            SPTI_PREFETCH(half);
        }
    return m;
}

/* Compares m entries, of which the new pairs are the first: ends the contacts without such a pair,
   and adds the pairs without a contact. Returns as spti_contacts_replace does. */
static spt_i32 spti_contacts_apply(spt_contacts *c, spt_i32 m, spt_intlist *began,
                                   spt_intlist *ended)
{
    spt_i32 *first = c->scratch, *e, *next, *end = first + 3 * (size_t)m, total = c->count;
    spt_intlist *list;
    (void)spti_contacts_order(c, end, end + 3 * (size_t)m, m, 3);
    for (e = first; e < end; e = next) {
        for (next = e + 3; next < end && spti_contacts_compare(e, next) == 0; next += 3) {
            if (next[2] == SPTI_BEGINS) return SPT_ERR_PAIR;
            if (e[2] == SPTI_BEGINS) e[2] = SPTI_STAYS;
            next[2] = SPTI_STAYS;
        }
        if (e[2] == SPTI_STAYS) continue;
        total += e[2] > 0 ? -1 : 1;
        list = e[2] > 0 ? ended : began;
        m = list ? spt_intlist_push(list, e) : 0; /* its place, or an error */
        if (m < 0) return m;
    }
    if (total > c->most_pairs) return total;
    for (e = first; e < end; e += 3)
        if (e[2] > 0) spti_contacts_cut(c, e[2]);
    for (e = first; e < end; e += 3)
        if (e[2] == SPTI_BEGINS) spti_contacts_add(c, e);
    return c->count = total;
}

/* Merges n sorted pairs with the last frame, and makes the result the last frame. all: 1 if all ids
   changed, and the pairs lie at c->next; else the marked ids did: each pair must have one, and
   contacts without one stay. Returns as spti_contacts_replace does. */
static spt_i32 spti_contacts_merge(spt_contacts *c, const spt_i32 *pairs, spt_i32 n, int all,
                                   spt_intlist *began, spt_intlist *ended)
{
    spt_i32 *to = c->next, total = 0, order, untouched, error = SPT_OK;
    const spt_i32 *old = c->pairs, *old_end = old + 2 * (size_t)c->count, *from;
    const spt_i32 *first = pairs, *end = pairs + 2 * (size_t)n;
    SPTI_COUNT(c->count + n);
    while (error >= 0 && (old < old_end || pairs < end)) {
        order = old == old_end ? 1 : pairs == end ? -1 : spti_contacts_compare(old, pairs);
        if (all && order == 0) { /* most often; the new pair lies where it would be copied to */
            old += 2, pairs += 2, to += 2, total++;
            continue;
        }
        from = order < 0 ? old : pairs;
        untouched = !all && !SPTI_EITHER_MARKED(c, from[0], from[1]);
        if (order < 0 && !untouched && ended) error = spt_intlist_push(ended, from);
        if (order > 0 && began) error = spt_intlist_push(began, from);
        if (order >= 0 && untouched) error = SPT_ERR_PAIR;
        if (order > 0 && from > first && spti_contacts_compare(from, from - 2) == 0)
            error = SPT_ERR_PAIR; /* the second of a pair given twice always seems to begin */
        if ((order >= 0 || untouched) && total++ < c->most_pairs) *to++ = from[0], *to++ = from[1];
        old += order <= 0 ? 2 : 0, pairs += order >= 0 ? 2 : 0;
    }
    if (error < 0 || total > c->most_pairs) return error < 0 ? error : total;
    to = c->next, c->next = c->pairs, c->pairs = to;
    c->top = 2 * total;
    return c->count = total;
}

/* Makes the contacts of n ids, or all if n < 0, equal to these pairs, whose ids are below limit.
   Returns how many there are then, or an error; if there is no room for so many, changes none. */
static spt_i32 spti_contacts_replace(spt_contacts *c, const spt_i32 *ids, spt_i32 n,
                                     const spt_intlist *pairs, spt_i32 limit,
                                     spt_intlist *began, spt_intlist *ended)
{
    const spt_i32 *pair = spt_intlist_data(pairs);
    spt_i32 *to = c->scratch, count = pairs->count, m;
    int good = 1;
    if (!c->block) return 0; /* no contacts, and no pairs */
    if (n >= 0 && 2 * count <= c->few) {
        spti_contacts_to_linked(c);
        spti_contacts_mark(c, ids, n, 1);
        for (m = 0; m < count; m++, pair += 2) {
            *to++ = pair[0], *to++ = pair[1], *to++ = SPTI_BEGINS;
            good &= SPTI_EITHER_MARKED(c, pair[0], pair[1]);
        }
        m = spti_contacts_gather(c, ids, n, m);
        spti_contacts_mark(c, ids, n, 0);
        if (!good) return SPT_ERR_PAIR;
        if (m <= c->few) return spti_contacts_apply(c, m, began, ended);
    }
    spti_contacts_to_sorted(c);
    to = n < 0 ? c->next : c->by_b;
    spti_contacts_sort(c, limit, spt_intlist_data(pairs), n < 0 ? c->by_b : c->next, to, count);
    spti_contacts_mark(c, ids, n, 1); /* heads has counts now: not negative, so marks fit there */
    count = spti_contacts_merge(c, to, count, n < 0, began, ended);
    c->rows = n < 0 && count >= 0;
    return count;
}

/* Does either update. n: SPT_NONE if all ids changed; below that it is refused. */
static spt_i32 spti_contacts_change(spt_contacts *c, const spt_i32 *ids, spt_i32 n,
                                    const spt_intlist *pairs, spt_intlist *began,
                                    spt_intlist *ended)
{
    const spt_i32 *p, *end;
    spt_i32 limit = 0, i, total; /* limit: all ids of the pairs are less */
    if ((began && (began == pairs || began == ended)) || (ended && ended == pairs))
        return SPT_ERR_ARGUMENT;
    i = spti_list_begin(began, (spt_i32)2) | spti_list_begin(ended, (spt_i32)2);
    if (!pairs || n < SPT_NONE) return SPT_ERR_ARGUMENT;
    if (i || pairs->fields != 2) return SPT_ERR_LIST;
    for (i = 0; i < n; i++)
        if (ids[i] < 0) return SPT_ERR_ID;
    for (p = spt_intlist_data(pairs), end = p + 2 * (size_t)pairs->count; p < end; p += 2) {
        if (p[0] < 0 || p[1] < 0 || p[1] > SPTI_ID) return SPT_ERR_ID;
        if (p[0] >= p[1]) return SPT_ERR_PAIR;
        limit = SPTI_MAX(limit, p[1] + 1);
    }
    total = pairs->count;
    do { /* again if the contacts turn out to be more than there is room for */
        total = spti_contacts_reserve(c, limit, total);
        if (!total) total = spti_contacts_replace(c, ids, n, pairs, limit, began, ended);
        if (total >= 0 && total <= c->most_pairs) return total;
        (void)spti_list_begin(began, (spt_i32)2), (void)spti_list_begin(ended, (spt_i32)2);
    } while (total > 0);
    return total;
}

SPTI_API spt_i32 spt_contacts_update(spt_contacts *c, const spt_intlist *pairs, spt_intlist *began,
                                     spt_intlist *ended)
{
    return spti_contacts_change(c, NULL, SPT_NONE, pairs, began, ended);
}

SPTI_API spt_i32 spt_contacts_update_of(spt_contacts *c, const spt_i32 *ids, spt_i32 n,
                                        const spt_intlist *pairs, spt_intlist *began,
                                        spt_intlist *ended)
{
    return spti_contacts_change(c, ids, n < 0 ? (spt_i32)-2 : n, pairs, began, ended);
}

/* Returns the first of n pairs in order that is not before these values; `other`: in by_b 0. */
static const spt_i32 *spti_contacts_first(const spt_i32 *pairs, spt_i32 n, int field, spt_i32 value,
                                          spt_i32 other)
{
    const spt_i32 *at;
    for (; n > 0; n /= 2) {
        SPTI_COUNT(1);
        at = pairs + (n + (n & 1) - 2);
        pairs = at[field] < value || (at[field] == value && at[1 - field] < other) ? at + 2 : pairs;
    }
    return pairs;
}

/* Lists the contacts of an id, in order: as pairs if fields is 2, else only the other ids. Returns
   their number, or an error. The other ids come from its list or else from its two rows. */
static spt_i32 spti_contacts_list(spt_contacts *c, spt_i32 id, spt_i32 fields, spt_intlist *list)
{
    spt_i32 *ids = c->scratch, *to, n = 0, i;
    const spt_i32 *p, *end;
    int field;
    if (spti_list_begin(list, fields)) return SPT_ERR_LIST;
    if (id < 0) return SPT_ERR_ID;
    if (id >= c->most_ids) return 0;
    if (!c->linked && !c->rows)
        spti_contacts_sort(c, c->most_ids, c->pairs, c->by_b, c->pairs, c->count);
    c->rows = !c->linked;
    if (SPTI_MARKED(c, id)) return 0;
    for (i = c->linked ? c->heads[id] : 0; i > 0; i = spti_contacts_half(c, i)->next)
        ids[n++] = spti_contacts_half(c, i ^ 1)->id;
    for (field = 1; c->rows && field >= 0; field--) {
        p = field ? c->by_b : c->pairs, end = p + c->top;
        p = spti_contacts_first(p, c->top / 2, field, id, (spt_i32)0);
        for (; p < end && p[field] == id; p += 2) {
            SPTI_COUNT(1);
            if (!SPTI_MARKED(c, p[1 - field])) ids[n++] = p[1 - field];
        }
    }
    SPTI_COUNT(n);
    if (!list) return n;
    to = spti_list_room(list, n);
    if (!to) return spti_list_error(list, n);
    ids = spti_contacts_order(c, to, ids + n, n, 1);
    for (i = n - 1; i >= 0; i--) /* from the end, because ids may be at `to` */
        if (fields == 2) spti_pair_set(to + 2 * i, id, ids[i]);
        else to[i] = ids[i];
    return list->count = n;
}

SPTI_API spt_i32 spt_contacts_of(spt_contacts *c, spt_i32 id, spt_intlist *out)
{
    return spti_contacts_list(c, id, (spt_i32)1, out);
}

SPTI_API spt_i32 spt_contacts_forget(spt_contacts *c, spt_i32 id, spt_intlist *ended)
{
    const spt_i32 n = spti_contacts_list(c, id, (spt_i32)2, ended);
    if (n <= 0) return n;
    if (c->rows) spti_contacts_mark(c, &id, (spt_i32)1, 1);
    while (c->heads[id] > 0) spti_contacts_cut(c, c->heads[id]); /* a mark is less: none is cut */
    c->count -= n;
    return n;
}

SPTI_API int spt_contacts_has(const spt_contacts *c, spt_i32 a, spt_i32 b)
{
    const spt_i32 *found;
    spt_i32 pair[2], i, k;
    spti_pair_set(pair, a, b);
    if (pair[0] < 0 || pair[0] == pair[1] || pair[1] >= c->most_ids) return 0;
    if (!c->linked) {
        if (c->rows && SPTI_EITHER_MARKED(c, a, b)) return 0;
        found = spti_contacts_first(c->pairs, c->top / 2, 0, pair[0], pair[1]);
        return found < c->pairs + c->top && spti_contacts_compare(found, pair) == 0;
    }
    for (i = c->heads[a], k = c->heads[b]; i > 0 && k > 0; /* it is in both lists or in none */
         i = spti_contacts_half(c, i)->next, k = spti_contacts_half(c, k)->next) {
        SPTI_COUNT(1);
        if (spti_contacts_half(c, i ^ 1)->id == b || spti_contacts_half(c, k ^ 1)->id == a) break;
    }
    return i > 0 && k > 0;
}

SPTI_API spt_i32 spt_contacts_count(const spt_contacts *c)
{
    return c->count;
}

#ifndef SPATIAL_NO_CHECK
/* 1 if each contact is in the lists of both its ids, and all other records are free. */
static int spti_contacts_check_linked(const spt_contacts *c)
{
    spt_i32 id, h, prev, members = 0, records = c->count * SPTI_CONTACT, last = c->top / 3 + 1;
    const spti_half *half;
    for (id = 0; id < c->most_ids; id++)
        for (prev = 0, h = c->heads[id]; h != 0; prev = h, h = half->next) {
            if (h < 2 || h > last || members++ / 2 >= c->count) return 0;
            half = spti_contacts_half(c, h);
            if (half->id != id || half->before != prev) return 0;
            if ((id < spti_contacts_half(c, h ^ 1)->id) != (h % 2 == 0)) return 0;
        }
    for (h = c->freed; h != 0; h = spti_contacts_half(c, h)->next, records += SPTI_CONTACT)
        if (h < 2 || h > last || h % 2 || records >= c->top || spti_contacts_half(c, h)->id != -1)
            return 0;
    return members == 2 * c->count && records == c->top;
}

/* First tests that the block is divided as its size says, so that nothing outside is read. */
SPTI_API int spt_contacts_check(const spt_contacts *c)
{
    const size_t most = 2 * (size_t)c->most_pairs;
    const spt_i32 ids = c->desc.ids ? c->desc.ids : c->desc.capacity;
    const int ints = c->linked ? SPTI_CONTACT : 2;
    const spt_i32 *front = c->pairs < c->next ? c->pairs : c->next, *pair, *row;
    spt_i32 i, there = 0;
    spt_u32 differ = 0; /* a sum over all pairs, less that over all rows */
    if (!c->block) return !c->most_ids && !c->most_pairs && !c->count && !c->top && !c->linked;
    if (c->most_ids < 0 || c->most_pairs < 0 || spt_contacts_bytes(c) == 0) return 0;
    if (c->desc.capacity && (c->desc.capacity != c->most_pairs || ids != c->most_ids)) return 0;
    if (c->few != (spt_i32)(((spt_u32)c->most_ids + (spt_u32)c->most_pairs) >> 4)) return 0;
    if (c->by_b != c->block + 2 * most || c->heads != c->by_b + most) return 0;
    if (c->scratch != c->heads + c->most_ids || front != c->block) return 0;
    if (c->pairs != front + most && c->next != front + most) return 0;
    if (c->count < 0 || c->top < 0 || c->top % ints || c->top / ints > c->most_pairs) return 0;
    if ((c->rows | c->linked | 1) != 1 || (c->rows && c->linked)) return 0;
    if (c->linked) return c->count <= c->most_pairs && spti_contacts_check_linked(c);
    for (i = 0; i < c->top; i += 2) {
        pair = c->pairs + i, row = (c->rows ? c->by_b : c->pairs) + i;
        if (pair[0] < 0 || pair[0] >= pair[1] || pair[1] >= c->most_ids) return 0;
        if (row[0] < 0 || row[0] >= row[1] || row[1] >= c->most_ids) return 0;
        if (i > 0 && (spti_contacts_compare(pair - 2, pair) >= 0 || (c->rows && row[-1] > row[1])))
            return 0;
        differ += (spt_u32)(2 * pair[0] + 1) * (spt_u32)(2 * pair[1] + 1);
        differ -= (spt_u32)(2 * row[0] + 1) * (spt_u32)(2 * row[1] + 1);
        there += !c->rows || !SPTI_EITHER_MARKED(c, pair[0], pair[1]);
    }
    return there == c->count && differ == 0;
}
#endif
#endif

#ifndef SPATIAL_NO_NEIGHBOURS
/* ============================================================================================== */
/* PATCHES - PRIVATE                                                                       >>patches

   In go points in the caller's order and a radius. Out come the same points sorted by cells, row by
   row, and lists of the cells that have points, the patches, and of the rows that have patches, the
   strips:

       the caller's points  0 (8,1)  1 (1,2)  2 (6,1)  3 (2,1)  4 (6,9)  5 (1,8)     radius 2

       row 3   |     5     |           |     4     |           |     strip 1: row 3, from patch 3
       row 0   |    1 3    |           |     2     |     0     |     strip 0: row 0, from patch 0
                 column 0    column 1    column 2    column 3

       sorted      1 3 | 2 | 0 | 5 | 4     patches: columns 0, 2, 3, 0, 2, from 0, 2, 3, 4, 5

   Between the two, each axis is divided into cells, from the least coordinate on, and a radix sort
   sorts the points by row and column. Cells are a little wider than the radius, so that points near
   each other lie in the same or in adjacent cells, however their distance was rounded. The extent
   of the points widens the cells of its axis by a small part of itself: their numbers are limited.

   An axis goes around if it has a period, and if the points reach so far that some may be near each
   other over its ends. Then as many cells as fit the period share it; the rest belongs to the last:

       column        0       1       2       3           The columns next to 0 are 1 and 3.
                 |.......|.......|.......|..........|    */

/* The kernel may read, or write as hits, so many past a run. */
#define SPTI_NEARBY_PAD (SPTI_STEP > 1 ? 8 : 1)

typedef struct spti_patch { /* a cell that has points; or a strip, a row that has patches */
    spt_u32 cell;           /* its column; of a strip its row */
    spt_i32 first;          /* its first point, or patch; the last is before the next one's first */
} spti_patch;

typedef struct spti_nearby_axis {
    spt_coord least;        /* of the points; cell 0 begins there */
    spti_dist period;       /* 0: the axis does not go around */
    spt_u32 last;           /* number of the last cell; points beyond it belong to it */
#ifdef SPATIAL_INT
    spt_u32 side;           /* of a cell */
#else
    double scale;           /* cells per unit of length */
#endif
} spti_nearby_axis;

typedef struct spti_nearby {    /* a call */
    const spt_coord *points[2]; /* the first x and the first y */
    size_t stride;              /* bytes from one point to the next */
    spt_i32 n;
    spti_dist radius;
    spti_key limit;             /* the key of the radius */
    spti_nearby_axis axes[2];
    spti_record *records, *spare; /* for sorting; later the memory is hits and ends, and strips */
    spti_patch *patches, *strips;
    spt_i32 strip_count;
    spt_coord *x, *y;           /* the points, sorted */
    spt_i32 *ids;
    int rows;                   /* strips that are walked together: up to three */
    const spti_patch *low[3], *high[3];   /* where the patches of each begin and end, */
    const spti_patch *start[3], *stop[3]; /* and where those next to the present patch do */
    int runs;                   /* around that patch: up to three, or six at the end of an axis */
    spt_i32 from[6], to[6];
    int edge;                   /* 1: some points in them may be nearer over the ends of an axis */
    spt_i32 total;              /* the most hits of a point: points in the runs, plus PAD */
    spt_i32 *hits, *ends;       /* points found; ends[k]: where those of point k of some end */
    spt_intlist *table, *out;   /* rows of find, NULL: pairs; ids or pairs, NULL: only counted */
    spt_i32 found;
#ifdef SPTI_VECTORS
    spt_coord lower, upper;     /* squares of distances: up to lower within, beyond upper not */
#endif
} spti_nearby;

/* Lays out the memory for n points. Without a block it only adds up the sizes. Returns the bytes
   needed, or 0 if they do not fit size_t. */
static size_t spti_nearby_init(spti_nearby *w, unsigned char *block, spt_i32 n)
{
    const spt_u32 padded = (spt_u32)n + SPTI_NEARBY_PAD;
    size_t used = 0;
    w->records = SPTI_PIECE(block, &used, padded, spti_record);
    w->spare = SPTI_PIECE(block, &used, padded, spti_record);
    w->patches = SPTI_PIECE(block, &used, padded, spti_patch);
    w->x = SPTI_PIECE(block, &used, padded, spt_coord);
    w->y = SPTI_PIECE(block, &used, padded, spt_coord);
    w->ids = SPTI_PIECE(block, &used, padded, spt_i32);
    return used <= SPTI_SIZE_MAX / 2 ? used : 0;
}

SPTI_INLINE spt_coord spti_nearby_at(const spti_nearby *w, int axis, spt_i32 id)
{
    const char *first = (const char *)(const void *)w->points[axis];
    return *(const spt_coord *)(const void *)(first + (size_t)id * w->stride);
}

#ifdef SPATIAL_DOUBLE
#define SPTI_NEARBY_LEAST 1e-153 /* squares of smaller distances may be 0 */
#else
#define SPTI_NEARBY_LEAST (sizeof(double) == 4 ? 1e-18 : (double)SPTI_DENORMAL)
#endif
/* The most cells of an axis: few where double is float, for numbers of cells are rounded; and
   distances of floats, over the ends of an axis, by up to a 2^24th of the period. */
#define SPTI_NEARBY_CELLS                                                                          \
    (sizeof(double) == 4 ? 1024.0 : sizeof(spt_coord) == 4 ? 8388608.0 : 1073741824.0)

#ifndef SPATIAL_INT
/* Where cells over all points would be wider than necessary, cuts these bounds to where a sample of
   them lies without outliers: points beyond fall in the first or in the last cell. */
static void spti_nearby_core(spti_nearby *w, int axis, spt_coord *least, spt_coord *most)
{
    const spt_i32 m = spti_samples(w->n);
    spt_coord *sample = w->x, origin, end;
    spt_i32 k;
    if ((double)*most - (double)*least <= (double)w->radius * SPTI_NEARBY_CELLS) return;
    for (k = 0; k < m; k++) sample[k] = spti_nearby_at(w, axis, spti_pick(k, m, w->n));
    end = spti_extent(sample, sample, m, &origin);
    end = spti_above(origin, end);
    *least = SPTI_MAX(*least, origin), *most = SPTI_MIN(*most, end);
}
#endif

/* Measures the points and divides each axis into cells: a 1024th wider than they have to be.
   Returns SPT_ERR_ARGUMENT if points are infinite or further apart than the period. */
SPTI_APART int spti_nearby_divide(spti_nearby *w, const spt_neighbours_desc *desc)
{
    spt_coord x = spti_nearby_at(w, 0, 0), y = spti_nearby_at(w, 1, 0), zero = 0, period;
    spt_coord least[2], most[2];
    spti_nearby_axis *a = w->axes;
    spti_stored span;
    spt_i32 i;
#ifndef SPATIAL_INT
    spti_exact extent, width, scale;
#endif
    least[0] = most[0] = x, least[1] = most[1] = y;
    for (i = 0; i < w->n; i++) {
        x = spti_nearby_at(w, 0, i), y = spti_nearby_at(w, 1, i);
        zero += x * 0 + y * 0; /* infinity * 0 is a NaN */
        least[0] = x < least[0] ? x : least[0], most[0] = x > most[0] ? x : most[0];
        least[1] = y < least[1] ? y : least[1], most[1] = y > most[1] ? y : most[1];
    }
    for (i = 0; i < 2; i++, a++) {
        period = i == 0 ? desc->period_x : desc->period_y;
        span = SPTI_DIST(most[i], least[i]);
        if (!(zero >= 0) || (period > 0 && span > (spti_dist)period)) return SPT_ERR_ARGUMENT;
        a->last = 0;
#ifdef SPATIAL_INT
        a->least = least[i];
        a->period = (spti_dist)period - span > w->radius ? 0 : (spti_dist)period;
        a->side = w->radius + (a->period > 0);
        if (a->side < 2) a->side = 2;
        a->last = (a->period > 0 ? a->period : span) / a->side;
#else
        if (!(period > 0)) spti_nearby_core(w, (int)i, &least[i], &most[i]);
        a->least = least[i];
        extent = (double)most[i] - (double)least[i], width = (double)w->radius;
        if (width < SPTI_NEARBY_LEAST) width = SPTI_NEARBY_LEAST;
        if (!(extent <= (double)SPTI_COORD_MAX)) extent = (double)SPTI_COORD_MAX;
        width += extent / SPTI_NEARBY_CELLS;
        width += width / 1024;
        a->period = (double)period - extent > width ? 0 : period;
        scale = 1 / width;
        a->scale = scale;
        if (a->period > 0) extent = (double)a->period;
        extent = extent * scale;
        if (w->limit - w->limit >= 0) a->last = (spt_u32)(spt_i32)extent; /* infinite: one cell */
#endif
        if (a->period > 0 && a->last > 0) a->last--; /* the rest of the period belongs to it */
    }
    return SPT_OK;
}

/* Returns the column of an x or the row of a y. */
SPTI_INLINE spt_u32 spti_nearby_cell(const spti_nearby_axis *a, spt_coord x)
{
#ifdef SPATIAL_INT
    const spt_u32 cell = SPTI_DIST(x, a->least) / a->side;
    return SPTI_MIN(cell, a->last);
#else
    spti_exact away = (double)x - (double)a->least, cell = away * a->scale, last = (double)a->last;
    cell = cell > 0 ? cell : 0, cell = cell < last ? cell : last; /* before it is converted */
    return (spt_u32)(spt_i32)cell;
#endif
}

/* Sorts the records by the lower bits of their keys, up to 12 in a pass. bits: at least 1. */
static void spti_nearby_sort(spti_nearby *w, int bits)
{
    const int most = spti_bits((spt_u32)w->n / 2) + 1, digit = SPTI_MIN(most, 12);
    const int passes = (bits + digit - 1) / digit, width = (bits + passes - 1) / passes;
    spti_record *sorted;
    int shift;
    for (shift = 0; shift < bits; shift += width) {
        sorted = w->spare;
        spti_sort_pass(w->records, sorted, w->n, shift, width, (spt_i32 *)(void *)w->patches);
        w->spare = w->records, w->records = sorted;
    }
}

/* Sorts the points by (row, column, id), in one sort if row and column fit one key: then the lower
   `bits` bits are the column, else bits is 0. Lists the points, their patches and strips. */
static void spti_nearby_arrange(spti_nearby *w)
{
    const spti_nearby_axis *x = &w->axes[0], *y = &w->axes[1];
    const int low = spti_bits(x->last | 1), high = spti_bits(y->last | 1);
    const int bits = low + high <= 32 ? low : 0;
    const spt_u32 none = (spt_u32)0xFFFFFFFFUL, mask = ((spt_u32)1 << bits) - 1;
    spti_patch *patch = w->patches - 1, *strip;
    spt_u32 row, column, last_row = none, last_column = none;
    spt_i32 i, id, first = 0;
    int other;
    for (i = 0; i < w->n; i++) {
        row = bits > 0 ? spti_nearby_cell(y, spti_nearby_at(w, 1, i)) << bits : 0;
        w->records[i].key = row | spti_nearby_cell(x, spti_nearby_at(w, 0, i));
        w->records[i].index = i;
    }
    spti_nearby_sort(w, bits > 0 ? low + high : low);
    for (i = 0; i < w->n && bits == 0; i++)
        w->records[i].key = spti_nearby_cell(y, spti_nearby_at(w, 1, w->records[i].index));
    if (bits == 0) spti_nearby_sort(w, high);
    w->strips = strip = (spti_patch *)(void *)w->spare;
    for (i = 0; i < w->n; i++) {
        w->ids[i] = id = w->records[i].index;
        w->x[i] = spti_nearby_at(w, 0, id), w->y[i] = spti_nearby_at(w, 1, id);
        row = w->records[i].key >> bits;
        column = bits > 0 ? w->records[i].key & mask : spti_nearby_cell(x, w->x[i]);
        other = (row != last_row) | (column != last_column);
        patch += other; /* no branch: it would be mispredicted */
        first = other ? i : first;
        patch->cell = last_column = column, patch->first = first;
        if (row == last_row) continue;
        strip->cell = last_row = row, strip->first = (spt_i32)(patch - w->patches);
        strip++;
    }
    for (i = w->n; i < w->n + SPTI_NEARBY_PAD; i++) w->x[i] = w->x[0], w->y[i] = w->y[0];
    patch[1].first = w->n;
    strip->first = (spt_i32)(patch + 1 - w->patches);
    w->strip_count = (spt_i32)(strip - w->strips);
    w->hits = (spt_i32 *)(void *)w->records, w->ends = w->hits + w->n + SPTI_NEARBY_PAD;
}

/* ============================================================================================== */
/* CIRCLES - PRIVATE                                                                       >>circles

   In go a few points of a patch and the runs around it, which hold all points that may be near
   them. Out come, for each of the points, the others in the runs that are within the radius, by
   their places in sorted order. A run is up to three patches of a row:

       row + 1    . . . [ a a  b  c c ] . .        There are more than three runs where the next
       row        . . [ d  e e*e  f ] . . .        column lies at the other end of the plane.
       row - 1    . [ g g  h h h ] . . . .

   Vectors of floats or doubles compare rounded squares of distances without a branch. If one is so
   close to the limit that rounding may decide, all hits of these points are tested again, exactly:
   this is rare, except where points lie on a grid. Without such vectors each test is exact. (Lists
   of neighbours from sorted cells: S. Green, "Particle Simulation using CUDA", 2010.) */

/* Returns 1 if sorted points i and j are neighbours. edge: w->edge. (The other way around an axis,
   the period less the distance, is exact if it is the shorter one.) */
SPTI_INLINE int spti_nearby_within(const spti_nearby *w, int edge, spt_i32 i, spt_i32 j)
{
    const spt_coord *x = w->x, *y = w->y;
    spti_stored dx = x[j] > x[i] ? SPTI_DIST(x[j], x[i]) : SPTI_DIST(x[i], x[j]);
    spti_stored dy = y[j] > y[i] ? SPTI_DIST(y[j], y[i]) : SPTI_DIST(y[i], y[j]);
    const spti_dist period_x = w->axes[0].period, period_y = w->axes[1].period;
    spti_key key;
    if (edge && period_x > 0 && period_x - dx < dx) dx = period_x - dx;
    if (edge && period_y > 0 && period_y - dy < dy) dy = period_y - dy;
#ifdef SPATIAL_INT
    if (w->radius < 32768UL) /* then squares fit 32 bits */
        return (dx <= w->radius) & (dy <= w->radius) & (dx * dx + dy * dy <= w->radius * w->radius);
    if ((dx > w->radius) | (dy > w->radius)) return 0;
#endif
    spti_gap_key(dx, dy, &key);
    return !spti_key_less(&w->limit, &key);
}

/* Finds the neighbours of points lo .. hi-1 in the runs. If some hits are in doubt, tests all of
   them exactly and keeps those within the radius. */
SPTI_APART void spti_nearby_scan(const spti_nearby *w, spt_i32 lo, spt_i32 hi)
{
#ifdef SPTI_VECTORS
    static const spt_i32 zero_to_seven[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const spti_v lower = spti_v_all(w->lower), upper = spti_v_all(w->upper), zero = spti_v_all(0);
    const spti_vi lanes = spti_vi_load(zero_to_seven);
    const spt_coord *x = w->x, *y = w->y;
    int part;
#endif
    const int runs = w->runs, edge = w->edge;
    spt_i32 *hits = w->hits, *ends = w->ends, *kept = hits, *hit = hits, i, j;
    size_t n = 0;
    unsigned doubt = 0;
    int run;
    for (i = lo; i < hi; i++) {
#ifdef SPTI_VECTORS
        const spti_v px = spti_v_all(x[i]), py = spti_v_all(y[i]);
        const spti_vi self = spti_vi_all(i);
#endif
        for (run = 0; run < runs; run++) {
            const spt_i32 to = w->to[run];
            j = w->from[run];
            if (!w->table && j <= i) j = i + 1; /* pairs: each once */
#ifdef SPTI_VECTORS
            for (; j < to; j += SPTI_STEP) {
                const spti_vi first = spti_vi_all(j), index = spti_vi_add(lanes, first);
                unsigned beyond = 0, unsure = 0, within;
                within = (unsigned)spti_vi_bits(spti_vi_but_one(index, spti_vi_all(to), self));
                for (part = 0; part < SPTI_STEP; part += SPTI_LANES) {
                    spti_v dx = spti_v_sub(spti_v_load(x + j + part), px), sum;
                    spti_v dy = spti_v_sub(spti_v_load(y + j + part), py);
                    if (edge) { /* the shorter way or, without a period, -dx, which is squared */
                        dx = spti_v_max(dx, spti_v_sub(zero, dx));
                        dy = spti_v_max(dy, spti_v_sub(zero, dy));
                        dx = spti_v_min(dx, spti_v_sub(spti_v_all(w->axes[0].period), dx));
                        dy = spti_v_min(dy, spti_v_sub(spti_v_all(w->axes[1].period), dy));
                    }
                    sum = spti_v_add(spti_v_mul(dx, dx), spti_v_mul(dy, dy));
                    beyond |= (unsigned)spti_v_bits(spti_v_greater(sum, upper)) << part;
                    unsure |= (unsigned)spti_v_bits(spti_v_greater(sum, lower)) << part;
                }
                within &= ~beyond;
                doubt |= within & unsure;
                n += spti_put(hits + n, within, first);
            }
#else
            for (; j < to; j++) {
                hits[n] = j;
                n += (size_t)(spti_nearby_within(w, edge, i, j) & (i != j));
            }
#endif
        }
        ends[i - lo] = (spt_i32)n;
    }
    for (i = lo; i < hi && doubt; i++) {
        for (; hit < hits + ends[i - lo]; hit++)
            if (spti_nearby_within(w, edge, i, *hit)) *kept++ = *hit;
        ends[i - lo] = (spt_i32)(kept - hits);
    }
}

/* ============================================================================================== */
/* NEIGHBOURS - PUBLIC                                                                 >>neighbours

   In go the patches. Each strip is walked from its first patch on, and with it the strips next to
   it. For each patch, circles gets the runs around it, and its hits become rows and ids, or pairs.
   Out come the lists of the caller, which grow only for results that are kept. */

#define SPTI_NEARBY_HITS ((spt_i32)1024) /* hits of several points at a time; they fit a cache */

SPTI_INLINE void spti_nearby_add(spti_nearby *w, const spti_patch *from, const spti_patch *to)
{
    if (from == to) return;
    w->from[w->runs] = from->first, w->to[w->runs] = to->first;
    w->total += to->first - from->first;
    w->runs++;
}

/* Finds the runs around a patch of a row. In the first and in the last column of an axis that goes
   around, there is a run at the other end of a row, too. */
static void spti_nearby_around(spti_nearby *w, spt_u32 row, const spti_patch *patch)
{
    const spti_nearby_axis *x = &w->axes[0], *y = &w->axes[1];
    const spt_u32 column = patch->cell;
    const int first = x->period > 0 && column == 0, last = x->period > 0 && column == x->last;
    int k;
    w->edge = first || last || (y->period > 0 && (row == 0 || row == y->last));
    w->runs = 0;
    w->total = SPTI_NEARBY_PAD;
    for (k = 0; k < w->rows; k++) {
        const spti_patch *low = w->low[k], *high = w->high[k];
        while (w->start[k] < high && w->start[k]->cell + 1 < column) w->start[k]++;
        while (w->stop[k] < high && w->stop[k]->cell <= column + 1) w->stop[k]++;
        spti_nearby_add(w, w->start[k], w->stop[k]);
        if (x->last < 2) continue; /* the run has all columns */
        if (first && high[-1].cell == x->last) spti_nearby_add(w, high - 1, high);
        if (last && low->cell == 0) spti_nearby_add(w, low, low + 1);
    }
}

/* Adds the hits of points lo .. hi-1 to the results, as ids. */
static int spti_nearby_store(spti_nearby *w, spt_i32 lo, spt_i32 hi)
{
    const spt_i32 *ids = w->ids, *hit = w->hits, *end, n = w->ends[hi - 1 - lo];
    spt_i32 *out = NULL, *row, i, id;
    if (n > SPTI_I32_MAX - w->found) return SPT_ERR_COUNT;
    if (w->out && !(out = spti_list_room(w->out, n))) return spti_list_error(w->out, n);
    if (w->table && out)
        for (i = 0; i < n; i++) out[i] = ids[hit[i]];
    for (i = lo; i < hi && (w->table || out); i++) {
        id = ids[i];
        end = w->hits + w->ends[i - lo];
        if (w->table) {
            row = spti_list_data(w->table) + 2 * (size_t)id;
            row[0] = w->found + (spt_i32)(hit - w->hits), row[1] = (spt_i32)(end - hit);
            hit = end;
        }
        for (; hit < end; hit++, out += 2) spti_pair_set(out, id, ids[*hit]);
    }
    w->found += n;
    if (w->out) w->out->count = w->found;
    return SPT_OK;
}

/* Finds the neighbours of the points of a strip: of one point, or of as many of a patch as are sure
   to have no more than SPTI_NEARBY_HITS. The rows next to the strip are its own and, in a circle,
   those before and after it, if they are adjacent or, where the axis goes around, the first and the
   last row. Pairs with points of earlier strips are known. */
SPTI_APART int spti_nearby_walk(spti_nearby *w, const spti_patch *strip)
{
    const spti_nearby_axis *y = &w->axes[1];
    const spti_patch *patch = w->patches + strip[0].first, *other;
    const spt_i32 s = (spt_i32)(strip - w->strips), count = w->strip_count;
    const spt_i32 room = SPTI_MIN(w->n, SPTI_NEARBY_HITS);
    spt_i32 i, next;
    spt_u32 rows;
    int error = SPT_OK, k;
    for (w->rows = k = 0; k < 3 && k < count; k++) {
        other = w->strips + (s + k == 0 ? count - 1 : (s + k - 1) % count);
        rows = other < strip ? strip->cell - other->cell : other->cell - strip->cell;
        if (rows > 1 && (!(y->period > 0) || rows != y->last)) continue;
        if (!w->table && other < strip) continue;
        w->low[w->rows] = w->start[w->rows] = w->stop[w->rows] = w->patches + other[0].first;
        w->high[w->rows++] = w->patches + other[1].first;
    }
    for (; patch < w->patches + strip[1].first && !error; patch++) {
        spti_nearby_around(w, strip->cell, patch);
        for (i = patch[0].first; i < patch[1].first && !error; i = next) {
            next = room > w->total ? i + room / w->total : i + 1;
            next = SPTI_MIN(next, patch[1].first);
            SPTI_COUNT((double)w->total * (double)(next - i));
            spti_nearby_scan(w, i, next);
            error = spti_nearby_store(w, i, next);
        }
    }
    return error;
}

/* Returns 1 if the settings are valid, and the radius for them. */
static int spti_nearby_valid(const spt_neighbours_desc *desc, spt_coord radius)
{
    const spt_coord x = desc->period_x, y = desc->period_y;
    if (!(radius >= 0 && desc->capacity >= 0 && x >= 0 && y >= 0)) return 0;
#ifndef SPATIAL_INT
    if (x > SPTI_COORD_MAX || y > SPTI_COORD_MAX || radius > SPTI_COORD_MAX) return 0;
#endif
    return (x <= 0 || radius <= x - radius) && (y <= 0 || radius <= y - radius);
}

/* Returns the bytes of the scratch for n points; 0 if that does not fit size_t. */
static size_t spti_nearby_bytes(spt_i32 n)
{
    spti_nearby w;
    return spti_nearby_init(&w, NULL, n);
}

/* Makes the scratch large enough for n points. */
static int spti_nearby_reserve(spt_neighbours *nb, spt_i32 n)
{
    spt_i32 capacity = nb->capacity < SPTI_I32_MAX / 2 ? nb->capacity + nb->capacity / 4 : n;
    size_t bytes = spt_neighbours_bytes(nb);
    void *block;
    if (n <= nb->capacity) return SPT_OK;
    if (nb->block && nb->desc.capacity > 0) return SPT_ERR_FULL;
    if (capacity < n || spti_nearby_bytes(capacity) == 0) capacity = n;
    block = spti_renew(&nb->desc.allocator, nb->block, &bytes, spti_nearby_bytes(capacity));
    if (!block) return SPT_ERR_MEMORY;
    nb->block = (unsigned char *)block;
    nb->capacity = capacity;
    return SPT_OK;
}

SPTI_API int spt_neighbours_init(spt_neighbours *nb, const spt_neighbours_desc *desc)
{
    int error;
    spti_zero(nb, sizeof *nb);
    if (!desc) return SPT_OK;
    if (!spti_nearby_valid(desc, (spt_coord)0)) return SPT_ERR_ARGUMENT;
    spti_copy(&nb->desc, desc, sizeof *desc);
    error = spti_nearby_reserve(nb, desc->capacity);
    if (error) spti_zero(nb, sizeof *nb);
    return error;
}

SPTI_API void spt_neighbours_free(spt_neighbours *nb)
{
    spti_free(&nb->desc.allocator, nb->block, spt_neighbours_bytes(nb));
    spti_zero(nb, sizeof *nb);
}

SPTI_API size_t spt_neighbours_bytes_for(const spt_neighbours_desc *desc)
{
    if (!desc || !spti_nearby_valid(desc, (spt_coord)0) || desc->capacity == 0) return 0;
    return spti_nearby_bytes(desc->capacity);
}

SPTI_API size_t spt_neighbours_bytes(const spt_neighbours *nb)
{
    return nb->block ? spti_nearby_bytes(nb->capacity) : 0;
}

/* Finds the neighbours of all points or, if rows is NULL, the pairs. */
static spt_i32 spti_nearby_all(spt_neighbours *nb, const spt_coord *x, const spt_coord *y,
                               size_t stride, spt_i32 n, spt_coord radius, spt_intlist *rows,
                               spt_intlist *out)
{
    const spt_neighbours_desc *desc = &nb->desc;
    const spti_patch *strip;
    spti_nearby w;
    int error = spti_list_begin(rows, (spt_i32)2) | spti_list_begin(out, (spt_i32)(rows ? 1 : 2));
    if (error) return error;
    if (n < 0 || !spti_nearby_valid(desc, radius)) return SPT_ERR_ARGUMENT;
    error = spti_nearby_reserve(nb, n);
    if (!error && rows) error = spt_intlist_reserve(rows, n);
    if (error || n == 0) return error;
    SPATIAL_ASSERT(nb->block);
    (void)spti_nearby_init(&w, nb->block, nb->capacity);
    w.points[0] = x, w.points[1] = y, w.stride = stride, w.n = n, w.radius = (spti_dist)radius;
    w.table = rows, w.out = out, w.found = 0;
    if (rows) rows->count = n;
    spti_gap_key(w.radius, (spti_dist)0, &w.limit);
#ifdef SPTI_VECTORS
    w.lower = spti_square_least(w.limit), w.upper = spti_square_most(w.limit);
#endif
    error = spti_nearby_divide(&w, desc);
    if (!error) {
        spti_nearby_arrange(&w);
        for (strip = w.strips; strip < w.strips + w.strip_count && !error; strip++)
            error = spti_nearby_walk(&w, strip);
    }
    if (!error) return w.found;
    if (rows) rows->count = 0;
    if (out) out->count = 0;
    return error;
}

SPTI_API spt_i32 spt_neighbours_find(spt_neighbours *nb, const spt_coord *x, const spt_coord *y,
                                     size_t stride, spt_i32 n, spt_coord radius, spt_intlist *rows,
                                     spt_intlist *ids)
{
    if (!rows || rows == ids) return SPT_ERR_ARGUMENT;
    return spti_nearby_all(nb, x, y, stride, n, radius, rows, ids);
}

SPTI_API spt_i32 spt_neighbours_pairs(spt_neighbours *nb, const spt_coord *x, const spt_coord *y,
                                      size_t stride, spt_i32 n, spt_coord radius,
                                      spt_intlist *out)
{
    return spti_nearby_all(nb, x, y, stride, n, radius, NULL, out);
}
#endif

#ifdef __cplusplus
}
#endif
#ifdef SPTI_NO_MEMSET
#pragma GCC pop_options
#endif
#endif /* SPATIAL_IMPLEMENTATION */

/* HISTORY AND LICENCE                                                                  >>history

   Until 2.0 no function, field or error changes its meaning, nor does an order that a comment
   names: a program for 1.0 compiles with every 1.x and gets the same answers. New fields come last
   in their struct, and zero leaves them out.

   1.0.0  2026-12-01  a header that can be read; shapes that move; questions among several indexes;
                      relations to a window; spt_copy; errors by kind; one order with FMA, x87 and
                      32 bits
   0.7.0  not released  worlds that fit themselves; slides, stops, shapes; planes that wrap; threads
   0.6.0  2026-11-24  one type, spt_index; circles, the nearest, casts, filters; pairs of moved
                      elements, contacts, neighbours; images

   tools/porting.md leads from 0.6 to 1.0; >>recipes replaces some functions of 0.7.

This is free and unencumbered software released into the public domain.

Anyone is free to copy, modify, publish, use, compile, sell, or distribute this software, either
in source code form or as a compiled binary, for any purpose, commercial or non-commercial, and by
any means.

In jurisdictions that recognize copyright laws, the author or authors of this software dedicate
any and all copyright interest in the software to the public domain. We make this dedication for
the benefit of the public at large and to the detriment of our heirs and successors. We intend
this dedication to be an overt act of relinquishment in perpetuity of all present and future
rights to this software under copyright law.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

For more information, please refer to <https://unlicense.org/>
*/
