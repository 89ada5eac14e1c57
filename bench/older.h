/* The functions of spatial.h as it is, made of an older version's, in which every structure was a
   type with functions of its own, and a table of these was the spt_index. Included by subject.c
   behind such a version, so that it can measure both with the same calls. The lists of results,
   which were appended to, are cleared here, as the functions now do it themselves. */
#ifndef OLDER_H
#define OLDER_H

#ifdef SPT_PACKED_BLOCK /* the oldest versions have none of it */
#define SPT_PACKED_NODE SPT_PACKED_BLOCK
#endif

typedef struct older_index {
    spt_index table; /* object NULL: packed, for which there was no table */
    union {
        spt_linear linear;
#ifdef SPT_QUADTREE_MAX_DEPTH
        spt_quadtree quadtree;
#endif
#ifdef SPT_LOOSEGRID_MAX_LEVELS
        spt_loosegrid loosegrid;
#endif
#ifdef SPT_PACKED_NODE
        spt_packed packed;
#endif
    } as;
} older_index;

static int older_linear_init(older_index *x, const spt_linear_desc *desc)
{
    spt_linear_index(&x->as.linear, &x->table);
    return spt_linear_init(&x->as.linear, desc);
}

#ifdef SPT_QUADTREE_MAX_DEPTH
static int older_quadtree_init(older_index *x, const spt_quadtree_desc *desc)
{
    spt_quadtree_index(&x->as.quadtree, &x->table);
    return spt_quadtree_init(&x->as.quadtree, desc);
}
#endif

#ifdef SPT_LOOSEGRID_MAX_LEVELS
static int older_loosegrid_init(older_index *x, const spt_loosegrid_desc *desc)
{
    spt_loosegrid_index(&x->as.loosegrid, &x->table);
    return spt_loosegrid_init(&x->as.loosegrid, desc);
}
#endif

#ifdef SPT_PACKED_NODE
static int older_packed_init(older_index *x, const spt_packed_desc *desc)
{
    x->table.object = NULL;
    return spt_packed_init(&x->as.packed, desc);
}
#endif

static void older_free(older_index *x)
{
    if (x->table.object) {
        x->table.free(x->table.object);
        return;
    }
#ifdef SPT_PACKED_NODE
    spt_packed_free(&x->as.packed);
#endif
}

static void older_clear(older_index *x)
{
    if (x->table.object) {
        x->table.clear(x->table.object);
        return;
    }
#ifdef SPT_PACKED_NODE
    spt_packed_clear(&x->as.packed);
#endif
}

static int older_build(older_index *x, const spt_box *boxes, spt_i32 n)
{
#ifdef SPT_PACKED_NODE
    if (!x->table.object) return spt_packed_build(&x->as.packed, boxes, n);
#endif
    (void)x, (void)boxes, (void)n;
    return SPT_ERR_ARGUMENT; /* only packed was built as a whole */
}

static int older_insert(older_index *x, spt_i32 id, const spt_box *box)
{
    return x->table.insert(x->table.object, id, box);
}

static spt_i32 older_move_many(older_index *x, const spt_i32 *ids, const spt_box *boxes, spt_i32 n)
{
#ifdef SPTI_MOVES_NEAR /* otherwise there was no call for many */
    return x->table.move_many(x->table.object, ids, boxes, n);
#else
    spt_i32 k;
    for (k = 0; k < n; k++)
        if (x->table.move(x->table.object, ids[k], boxes + ids[k]) != SPT_OK) break;
    return k;
#endif
}

static int older_remove(older_index *x, spt_i32 id)
{
    return x->table.remove(x->table.object, id);
}

static void older_tidy(older_index *x)
{
    if (x->table.object) x->table.tidy(x->table.object);
}

static spt_i32 older_query(const older_index *x, const spt_box *box, const void *no_filter,
                           spt_intlist *out)
{
    (void)no_filter;
    spt_intlist_clear(out);
#ifdef SPT_PACKED_NODE
    if (!x->table.object) return spt_packed_query(&x->as.packed, box, out);
#endif
    return x->table.query(x->table.object, box, out);
}

static spt_i32 older_pairs(older_index *x, const void *no_filter, spt_intlist *out)
{
    (void)no_filter;
    spt_intlist_clear(out);
    if (!x->table.object) return SPT_ERR_ARGUMENT; /* packed had none */
    return x->table.pairs(x->table.object, out);
}

static spt_i32 older_broadphase_pairs(spt_broadphase *bp, const spt_box *boxes, spt_i32 n,
                                      const void *no_filter, spt_intlist *out)
{
    (void)no_filter;
    spt_intlist_clear(out);
    return spt_broadphase_pairs(bp, boxes, n, out);
}

#define spt_index older_index
#define spt_linear_init older_linear_init
#define spt_quadtree_init older_quadtree_init
#define spt_loosegrid_init older_loosegrid_init
#define spt_packed_init older_packed_init
#define spt_free older_free
#define spt_clear older_clear
#define spt_build older_build
#define spt_insert older_insert
#define spt_move_many older_move_many
#define spt_remove older_remove
#define spt_tidy older_tidy
#define spt_query older_query
#define spt_pairs older_pairs
#define spt_broadphase_pairs older_broadphase_pairs

#endif
