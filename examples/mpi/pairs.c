/* pairs - all pairs of boxes that do not fit one machine, found by the ranks of MPI

   Build: mpicc -O2 -I. -o pairs examples/mpi/pairs.c -lm
   Usage: mpirun -n RANKS pairs KIND N FILE     N boxes: uniform, clustered or world

   1. Each rank makes its share of the boxes from their numbers: any ranks make the same boxes.
   2. The world is a grid of 256 by 256 cells; boxes beyond it belong to the cells at its border.
      A sample of the boxes is counted by the cells of their lower corners. The cells in Morton
      order are cut into a range for each rank, with about as many boxes in each.
   3. A box is sent to all ranks that own a cell it reaches into.
   4. Each rank finds the pairs of its boxes. The lower corner of the overlap of two boxes, (larger
      min_x, larger min_y), lies in a cell that both reach into, so its owner got both. The owner
      alone writes the pair, to FILE.RANK, so nothing has to be exchanged after that.

   How it scales: of 1,000,000 boxes 64 ranks sent each other 24 MB, and none got more than 1.05 of
   the mean (clustered: 25 MB, 1.21). 10,000,000 took, without writing, 0.25 s and 502 MB in one
   process, and 0.37 s and 273 MB each in two ranks on the same machine: ranks gain memory.

   Where it stops: a cell is not divided. With a hundredth of all boxes in one cell, more than 100
   ranks gain nothing. Boxes as large as the world, and their pairs among each other, lie on all
   ranks. 4096 ranks hold, and send, at most 2^29 boxes each, and have one list each for pairs. */

#include <inttypes.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

#define MAX_RANKS 4096
#define GRID 256

typedef struct share { /* boxes of a rank, and their numbers among the boxes of all ranks */
    spt_box *boxes;
    int64_t *ids; /* ascending: a rank gets the boxes of rank 0 first, and so on */
    spt_i32 n;
} share;

static int rank, ranks;        /* this one, and how many there are */
static int owner[GRID * GRID]; /* of a cell, by its Morton code: a rank */

static void fail(const char *why)
{
    fprintf(stderr, "pairs: %s\n", why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static share new_share(int64_t n)
{
    share s = {NULL, NULL, (spt_i32)n};

    s.boxes = (spt_box *)calloc((size_t)n + 1, sizeof *s.boxes);
    s.ids = (int64_t *)calloc((size_t)n + 1, sizeof *s.ids);
    if (n > 1 << 29 || !s.boxes || !s.ids) fail("no memory, or more than 2^29 boxes for a rank");
    return s;
}

/* Random number k, the same on every machine. -1 <= result < 1 */
static double chance(int64_t k)
{
    uint64_t v = (uint64_t)k * 0x9e3779b97f4a7c15U;

    v = (v ^ (v >> 32)) * 0xbf58476d1ce4e5b9U;
    return (double)(v >> 40) / 8388608 - 1;
}

/* 1. Squares that cover a quarter of the world, which reaches from -1 to 1; clustered: towards its
   middle; world: 16 of them are of any size, up to twice the world. */
static share make_share(char kind, int64_t n)
{
    int64_t first = n * rank / ranks;
    share s = new_share(n * (rank + 1) / ranks - first);
    spt_i32 i;

    for (i = 0; i < s.n; i++) {
        int64_t id = first + i;
        double x = chance(2 * id), y = chance(2 * id + 1), half = 0.5 / sqrt((double)n);

        if (kind == 'c') x *= fabs(x), y *= fabs(y);
        if (kind == 'w' && id % (n / 16 + 1) == 0) half = 2 * fabs(x);
        spt_box_around((float)x, (float)y, (float)half, (float)half, &s.boxes[i]);
        s.ids[i] = id;
    }
    return s;
}

/* The column or row of a coordinate; it never falls where the coordinate grows. */
static spt_u32 cell(spt_coord at)
{
    return at < -1 ? 0 : at < 1 ? (spt_u32)(((double)at + 1) / 2 * GRID) : GRID - 1;
}

/* 2. Gives each rank a range of the cells, with about as many boxes of a sample. */
static void choose_owners(const share *s)
{
    static int64_t counts[GRID * GRID], *total = &counts[GRID * GRID - 1];
    spt_i32 i;

    for (i = 0; i < s->n; i += 13) /* prime, to keep step with nothing */
        counts[spt_morton_interleave(cell(s->boxes[i].min_x), cell(s->boxes[i].min_y))]++;
    MPI_Allreduce(MPI_IN_PLACE, counts, GRID * GRID, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    for (i = 1; i < GRID * GRID; i++) counts[i] += counts[i - 1]; /* and all before */
    for (i = 0; i < GRID * GRID; i++) owner[i] = (int)(counts[i] * ranks / (*total + 1));
}

/* 3. Replaces the boxes by all that reach into cells of this rank. */
static void distribute(share *s)
{
    static spt_intlist to[MAX_RANKS]; /* of a rank: indices of the boxes it gets, each once */
    static int out_n[MAX_RANKS], out_at[MAX_RANKS], in_n[MAX_RANKS], in_at[MAX_RANKS];
    int64_t sent = 0, got = 0;
    spt_i32 i, k, at = 0;
    share out;
    MPI_Datatype box;

    for (k = 0; k < ranks; k++) spt_intlist_init(&to[k], 1);
    for (i = 0; i < s->n; i++) {
        const spt_box *b = &s->boxes[i];
        spt_u32 x, y;

        for (y = cell(b->min_y); y <= cell(b->max_y); y++) {
            for (x = cell(b->min_x); x <= cell(b->max_x); x++) {
                spt_intlist *list = &to[owner[spt_morton_interleave(x, y)]];

                if (spt_intlist_get(list, spt_intlist_count(list) - 1, 0) == i) continue;
                if (spt_intlist_push(list, &i) < 0) fail("no memory for lists");
                sent++;
            }
        }
    }
    out = new_share(sent); /* the boxes to rank 0 first */
    for (k = 0; k < ranks; k++) {
        out_at[k] = at;
        out_n[k] = spt_intlist_count(&to[k]);
        for (i = 0; i < out_n[k]; i++, at++) {
            out.boxes[at] = s->boxes[spt_intlist_get(&to[k], i, 0)];
            out.ids[at] = s->ids[spt_intlist_get(&to[k], i, 0)];
        }
        spt_intlist_free(&to[k]);
    }
    free(s->boxes), free(s->ids);
    MPI_Alltoall(out_n, 1, MPI_INT, in_n, 1, MPI_INT, MPI_COMM_WORLD);
    for (k = 0; k < ranks; got += in_n[k++]) in_at[k] = (int)got;
    *s = new_share(got); /* fails if the sum was too large for int */
    MPI_Type_contiguous(4, MPI_FLOAT, &box), MPI_Type_commit(&box);
    MPI_Alltoallv(out.boxes, out_n, out_at, box, s->boxes, in_n, in_at, box, MPI_COMM_WORLD);
    MPI_Alltoallv(out.ids, out_n, out_at, MPI_INT64_T, s->ids, in_n, in_at, MPI_INT64_T,
                  MPI_COMM_WORLD);
    MPI_Type_free(&box);
    free(out.boxes), free(out.ids);
}

/* 4. Finds the pairs, and writes each whose corner this rank owns to stdout, by now a file. */
static void find_pairs(const share *s, double begin)
{
    spt_broadphase bp;
    spt_intlist pairs;
    const spt_i32 *pair;
    spt_i32 n;

    spt_broadphase_init(&bp, NULL), spt_intlist_init(&pairs, 2);
    n = spt_broadphase_pairs(&bp, s->boxes, s->n, NULL, &pairs);
    if (n < 0) fail(spt_error_string((int)n));
    fprintf(stderr, "rank %d: %d boxes, %.2f s\n", rank, (int)s->n, MPI_Wtime() - begin);
    for (pair = spt_intlist_data(&pairs); n > 0; n--, pair += 2) {
        const spt_box *a = &s->boxes[pair[0]], *b = &s->boxes[pair[1]];
        spt_u32 x = cell(fmaxf(a->min_x, b->min_x)), y = cell(fmaxf(a->min_y, b->min_y));

        if (owner[spt_morton_interleave(x, y)] == rank)
            printf("%" PRId64 " %" PRId64 "\n", s->ids[pair[0]], s->ids[pair[1]]);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) fail("cannot write to FILE");
    spt_intlist_free(&pairs), spt_broadphase_free(&bp);
}

int main(int argc, char **argv)
{
    int64_t n;
    double begin;
    char name[8192]; /* longer than paths are */
    share s;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    n = argc == 4 && strchr("ucw", *argv[1]) ? strtoll(argv[2], NULL, 10) : 0;
    if (n < 1 || n >> 40 || ranks > MAX_RANKS) fail("usage: pairs KIND N FILE; ranks <= 4096");
    snprintf(name, sizeof name, "%s.%d", argv[3], rank);
    if (freopen(name, "w", stdout) == NULL) fail("cannot write to FILE");
    s = make_share(argv[1][0], n);
    begin = MPI_Wtime();
    if (ranks > 1) choose_owners(&s), distribute(&s); /* else rank 0 owns all cells */
    find_pairs(&s, begin);
    free(s.boxes), free(s.ids);
    MPI_Finalize();
    return 0;
}
