/* spatial.h as the spatial index of Chipmunk 7, a physics engine: what it does, what it costs and
   how to use it stand in index.c. */
#ifndef CHIPMUNK_INDEX_H
#define CHIPMUNK_INDEX_H

#include <chipmunk/chipmunk.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Gives a space such indices in place of those that it has, with all that is in them. The space
   frees them.
   world: where the shapes will mostly be, of finite size. What is outside is found too, but slowly
   if it is much. Do not call it from a callback of the space.
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
