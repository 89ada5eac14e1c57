/* kinds.h - the four structures as one type, for tests that do the same with each. */
#ifndef KINDS_H
#define KINDS_H

typedef union any_desc {
    spt_linear_desc linear;
    spt_quadtree_desc quadtree;
    spt_linear_desc loosegrid;
    spt_packed_desc packed;
} any_desc;

/* The functions and fields of a structure that differ between structures only in their names. */
typedef struct kind {
    const char *name;
    void (*set)(any_desc *desc, spt_i32 capacity, int no_pairs, const spt_allocator *allocator);
    void (*set_world)(any_desc *desc, const spt_box *bounds, int keep); /* NULL: has no bounds */
    size_t (*bytes_for)(const any_desc *desc);
    int (*init)(spt_index *x, const any_desc *desc); /* desc: may be NULL */
} kind;

#define KIND(X, SET_WORLD)                                                                         \
    static void X##_set(any_desc *desc, spt_i32 capacity, int no_pairs,                            \
                        const spt_allocator *allocator)                                            \
    {                                                                                              \
        desc->X.capacity = capacity;                                                               \
        desc->X.no_pairs = no_pairs;                                                               \
        desc->X.allocator = *allocator;                                                            \
    }                                                                                              \
    static size_t X##_bytes_for(const any_desc *desc)                                              \
    {                                                                                              \
        return spt_##X##_bytes_for(&desc->X);                                                      \
    }                                                                                              \
    static int X##_init(spt_index *x, const any_desc *desc)                                        \
    {                                                                                              \
        return spt_##X##_init(x, desc ? &desc->X : NULL);                                          \
    }                                                                                              \
    static const kind X = {#X, X##_set, SET_WORLD, X##_bytes_for, X##_init};
#define WORLD_KIND(X)                                                                              \
    static void X##_set_world(any_desc *desc, const spt_box *bounds, int keep)                     \
    {                                                                                              \
        desc->X.bounds = *bounds;                                                                  \
        desc->X.keep_bounds = keep;                                                                \
    }                                                                                              \
    KIND(X, X##_set_world)
WORLD_KIND(linear)
WORLD_KIND(quadtree)
WORLD_KIND(loosegrid)
KIND(packed, NULL)

static const kind *const kinds[] = {&linear, &quadtree, &loosegrid, &packed};

#endif
