/* spatial.h as the spatial index of Chipmunk 7, a physics engine. index.c tells how it works,
   its costs and how to use it. */
#ifndef CHIPMUNK_INDEX_H
#define CHIPMUNK_INDEX_H

#include <chipmunk/chipmunk.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Gives a space such indices in place of its own, with all that is in them. The space
   frees them.
   world: where the shapes will mostly be, of finite size. Shapes outside are found too, but
   slowly if they are many. Do not call it from a callback of the space.
   Example: cpSpace *space = cpSpaceNew();
            chipmunk_use_spatial(space, cpBBNew(0, 0, 4000, 1000)); */
void chipmunk_use_spatial(cpSpace *space, cpBB world);

/* One such index, of any objects; free it by cpSpatialIndexFree.
   bbfunc: tells the box of an object; standing: an index with which this one collides in
   cpSpatialIndexReindexQuery, or NULL. */
cpSpatialIndex *chipmunk_index_new(cpBB world, cpSpatialIndexBBFunc bbfunc,
                                   cpSpatialIndex *standing);

#ifdef __cplusplus
}
#endif

#endif
