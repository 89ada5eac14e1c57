/* pairs - all pairs of boxes that do not fit one machine, found by the ranks of MPI

   usage: mpirun -n RANKS pairs [--time] KIND N [FILE]     N boxes: uniform, clustered or world
          pairs --alone [--time] KIND N [FILE]             all in one process, to compare with

   Prints how many pairs there are and a hash that does not depend on the ranks. Each rank writes
   the pairs it found to a file of its own, FILE.RANK.

   1. Each rank makes its share of the boxes from their numbers: any ranks make the same boxes.
   2. A grid of 256 by 256 cells is laid over all lower corners (MPI_Allreduce). Each rank counts
      a sample of its corners by cell, and the counts are added (MPI_Allreduce). The cells in Morton
      order are cut into a range for each rank, with about as many boxes in each.
   3. A box is sent to all ranks that own a cell it reaches into (MPI_Alltoallv): a small one to one
      rank, or to a few at a border, one as large as the world to all. What lies beyond the grid
      belongs to the cells at its border.
   4. Each rank finds the pairs of what it got by spt_broadphase_pairs. The lower corner of what two
      boxes share, (larger min_x, larger min_y), lies in a cell that both reach into, so its owner
      got both. The owner alone reports the pair, so each is reported once, and nothing has to be
      exchanged after that.

   How it scales: a box is sent in 24 bytes. Of n boxes on R ranks (R-1)/R change their place, and
   some sqrt(R n) of squares that are spread evenly lie on borders and are sent twice. A simulation
   leaves the boxes where they came to, and then sends those that cross a border or lie on one. The
   counts are 512 KB on any number of ranks. A rank needs 48 bytes a box while it sends and gets
   them, and then 61, those of the broadphase included, and 8 for each pair.

       1,000,000 boxes, ranks:       2     4     8    16    32    64
       uniform    MB sent         12.0  18.0  21.0  22.6  23.4  23.8
                  imbalance       1.00  1.00  1.00  1.00  1.00  1.00   (most boxes of a rank over
       clustered  MB sent         12.0  18.0  21.1  22.6  23.4  23.9    the mean)
                  imbalance       1.00  1.01  1.00  1.01  1.01  1.03

   10,000,000 uniform boxes on one machine of two cores: 0.57 s and 503 MB in one process; 0.54 s,
   0.23 of them to distribute, and 257 MB each in two ranks, which sent 120 MB. So on one machine
   ranks gain memory more than time; threads (parts.c) gain time.

   Where it stops: a cell is not divided. With a hundredth of all boxes in one cell, more than 100
   ranks gain nothing, and one box at 1e30 makes one cell of all others; a finer grid, or one over
   quantiles, goes on. Boxes as large as the world are walked through 65,536 cells, and lie, with
   all their pairs among each other, on all ranks: there must be few. A rank holds, and sends, at
   most 2^29 boxes, and has one list for its pairs. MPI_Alltoallv asks every rank for a count for
   every other: with many thousand ranks, messages to neighbours alone are better.

   Build: mpicc -O2 -I. -o pairs examples/mpi/pairs.c -lm
   Exit status: 0; 1 if something failed; 2 for a wrong option. */

#include <inttypes.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

#define GRID 256
#define SAMPLE 65536 /* so many boxes of a rank are counted, about, or up to twice as many */

typedef struct share { /* boxes of a rank, and their numbers among those of all ranks */
    spt_box *boxes;
    int64_t *ids;
    spt_i32 n;
} share;

typedef struct grid {
    double low[2], per[2]; /* of x and of y: lower edge, cells for each unit of length */
    int owner[GRID][GRID]; /* [y][x]: a rank */
} grid;

typedef struct figures { /* of a rank */
    uint64_t pairs, hash, bytes, boxes;
} figures;

static int rank, ranks; /* this one, and how many there are */

static void fail(const char *why)
{
    fprintf(stderr, "pairs: %s\n", why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static share new_share(int64_t n)
{
    share s;

    if (n > 1 << 29) fail("more than 2^29 boxes for one rank");
    s.n = (spt_i32)n;
    s.boxes = (spt_box *)malloc((size_t)(n + 1) * sizeof *s.boxes);
    s.ids = (int64_t *)malloc((size_t)(n + 1) * sizeof *s.ids);
    if (s.boxes == NULL || s.ids == NULL) fail("no memory for boxes");
    return s;
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t v)
{
    v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9U;
    v = (v ^ (v >> 27)) * 0x94d049bb133111ebU;
    return v ^ (v >> 31);
}

/* Random number k, the same on every machine. -0.5 <= result < 0.5 */
static double chance(int64_t k)
{
    return (double)(mix((uint64_t)k * 0x9e3779b97f4a7c15U) >> 40) / 16777216 - 0.5;
}

/* Box i of n. They are squares that cover a quarter of the world; clustered: smaller ones in 32
   crowds; world: some 8 are larger than the world, and one in 1000 is a quarter as long. */
static spt_box make_box(char kind, int64_t i, int64_t n)
{
    float world = 2 * (float)ceil(sqrt((double)n)), size = kind == 'c' ? 0.5F : 1;
    double x = chance(4 * i), y = chance(4 * i + 1);
    spt_box box;

    if (kind == 'c') {
        x = (x + chance(4 * i + 2)) / 32 + chance(-2 * (i % 32) - 2);
        y = (y + chance(4 * i + 3)) / 32 + chance(-2 * (i % 32) - 1);
    }
    box.min_x = (float)floor(x * (double)world * 64) / 64;
    box.min_y = (float)floor(y * (double)world * 64) / 64;
    box.max_x = box.min_x + (kind == 'w' && i % 1000 == 7 ? world / 4 : size);
    box.max_y = box.min_y + size;
    if (kind == 'w' && i % (n / 8 + 1) == n / 16) spt_box_around(0, 0, world, world, &box);
    return box;
}

/* ---- cells and ranks ------------------------------------------------------------------------- */

/* The column (axis 0) or row (axis 1) of a coordinate; of one beyond the grid, that at its border.
   It never falls where the coordinate grows. */
static int cell(const grid *g, int axis, spt_coord value)
{
    double at = ((double)value - g->low[axis]) * g->per[axis];

    return at >= GRID ? GRID - 1 : at > 0 ? (int)at : 0;
}

/* Lays the grid over the lower corners of all boxes, and cuts it into ranges of ranks. */
static void choose_owners(const share *s, int64_t of_all, grid *g)
{
    static int64_t counts[GRID * GRID];
    float low[4] = {HUGE_VALF, HUGE_VALF, HUGE_VALF, HUGE_VALF}; /* of x, y, -x, -y */
    int64_t total = 0, before = 0, owner;
    spt_i32 i, step = 1 + (spt_i32)(of_all / ranks / (2 * SAMPLE));
    spt_u32 code, x, y;

    for (i = 0; i < s->n; i++) {
        low[0] = fminf(low[0], s->boxes[i].min_x), low[2] = fminf(low[2], -s->boxes[i].min_x);
        low[1] = fminf(low[1], s->boxes[i].min_y), low[3] = fminf(low[3], -s->boxes[i].min_y);
    }
    MPI_Allreduce(MPI_IN_PLACE, low, 4, MPI_FLOAT, MPI_MIN, MPI_COMM_WORLD);
    for (i = 0; i < 2; i++) {
        g->low[i] = (double)low[i];
        g->per[i] = -low[i + 2] > low[i] ? GRID / (-(double)low[i + 2] - g->low[i]) : 0;
    }
    /* Steps of 1 to 2 * step - 1, at random: regular ones would miss what comes in turns. */
    for (i = 0; i < s->n; i += 1 + (spt_i32)(mix((uint64_t)i) % (2 * (uint64_t)step - 1))) {
        x = (spt_u32)cell(g, 0, s->boxes[i].min_x);
        y = (spt_u32)cell(g, 1, s->boxes[i].min_y);
        counts[spt_morton_interleave(x, y)]++;
    }
    MPI_Allreduce(MPI_IN_PLACE, counts, GRID * GRID, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    for (code = 0; code < GRID * GRID; code++) total += counts[code];
    for (code = 0; code < GRID * GRID; code++) {
        spt_morton_deinterleave(code, &x, &y);
        owner = (before + counts[code] / 2) * ranks / total;
        g->owner[y][x] = owner < ranks ? (int)owner : ranks - 1;
        before += counts[code];
    }
}

/* Counts the boxes that each rank gets; with `out`, puts each where places of its rank says.
   seen: of each rank, the last box that it got, to send it no box twice. */
static void route(const share *s, const grid *g, int *seen, int *places, share *out)
{
    int i, x, y, to, mark;

    for (i = 0; i < s->n; i++) {
        const spt_box *b = &s->boxes[i];
        int x0 = cell(g, 0, b->min_x), x1 = cell(g, 0, b->max_x), y1 = cell(g, 1, b->max_y);

        mark = out ? -1 - i : 1 + i;
        for (y = cell(g, 1, b->min_y); y <= y1; y++) {
            for (x = x0; x <= x1; x++) {
                to = g->owner[y][x];
                if (seen[to] == mark) continue;
                seen[to] = mark;
                if (out) out->boxes[places[to]] = *b, out->ids[places[to]] = s->ids[i];
                places[to]++;
            }
        }
    }
}

/* Replaces the boxes by all that reach into cells of this rank. Returns the bytes it has sent. */
static uint64_t distribute(share *s, const grid *g)
{
    int *to = (int *)calloc(6 * (size_t)ranks, sizeof *to), k;
    int *to_at, *from, *from_at, *seen, *places; /* of each rank, as the counts in to */
    int64_t sent = 0, got = 0;
    share out, in;
    MPI_Datatype box;

    if (to == NULL) fail("no memory for ranks");
    to_at = to + ranks, from = to_at + ranks, from_at = from + ranks;
    seen = from_at + ranks, places = seen + ranks;
    route(s, g, seen, to, NULL);
    for (k = 0; k < ranks; sent += to[k++]) places[k] = to_at[k] = (int)sent;
    out = new_share(sent); /* fails if the sum was too large for int */
    route(s, g, seen, places, &out);
    free(s->boxes), free(s->ids);
    MPI_Alltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
    for (k = 0; k < ranks; got += from[k++]) from_at[k] = (int)got;
    in = new_share(got);
    MPI_Type_contiguous(4, MPI_FLOAT, &box);
    MPI_Type_commit(&box);
    MPI_Alltoallv(out.boxes, to, to_at, box, in.boxes, from, from_at, box, MPI_COMM_WORLD);
    MPI_Alltoallv(out.ids, to, to_at, MPI_INT64_T, in.ids, from, from_at, MPI_INT64_T,
                  MPI_COMM_WORLD);
    MPI_Type_free(&box);
    sent -= to[rank];
    free(out.boxes), free(out.ids), free(to);
    *s = in;
    return (uint64_t)sent * (sizeof *in.boxes + sizeof *in.ids);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* Counts the pairs whose corner this rank owns, and writes them, if there is a file for them. */
static void find_pairs(const share *s, const grid *g, FILE *file, figures *f)
{
    spt_broadphase bp;
    spt_intlist list;
    const spt_i32 *pair;
    spt_i32 k, n;

    spt_broadphase_init(&bp, NULL);
    spt_intlist_init(&list, 2);
    n = spt_broadphase_pairs(&bp, s->boxes, s->n, NULL, &list);
    if (n < 0) fail(spt_error_string((int)n));
    for (k = 0, pair = spt_intlist_data(&list); k < n; k++, pair += 2) {
        const spt_box *a = &s->boxes[pair[0]], *b = &s->boxes[pair[1]];
        int x = cell(g, 0, fmaxf(a->min_x, b->min_x)), y = cell(g, 1, fmaxf(a->min_y, b->min_y));
        int64_t i = s->ids[pair[0]], j = s->ids[pair[1]], low = i < j ? i : j, high = i + j - low;

        if (g->owner[y][x] != rank) continue;
        f->pairs++;
        f->hash += mix(mix((uint64_t)low + 1) + (uint64_t)high); /* in any order */
        if (file) fprintf(file, "%" PRId64 " %" PRId64 "\n", low, high);
    }
    spt_intlist_free(&list);
    spt_broadphase_free(&bp);
}

/* ---- the program ----------------------------------------------------------------------------- */

static void run(char kind, int64_t n, int alone, int timed, FILE *file)
{
    static grid g; /* left as it is, all is in one cell, which rank 0 owns */
    figures own = {0, 0, 0, 0}, sum = own, most = own;
    double begin, between;
    int64_t k, first = n * rank / ranks;
    share s = new_share(n * (rank + 1) / ranks - first);

    for (k = 0; k < s.n; k++) s.boxes[k] = make_box(kind, first + k, n), s.ids[k] = first + k;
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    if (!alone) {
        choose_owners(&s, n, &g);
        own.bytes = distribute(&s, &g);
    }
    between = MPI_Wtime();
    find_pairs(&s, &g, file, &own);
    own.boxes = (uint64_t)s.n;
    MPI_Reduce(&own, &sum, 4, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&own, &most, 4, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("pairs: %" PRIu64 "\nhash: %016" PRIx64 "\n", sum.pairs, sum.hash);
    if (rank == 0 && timed)
        printf("seconds: %.2f, %.2f of them to distribute\nbytes sent: %" PRIu64
               "\nimbalance: %.3f\n",
               MPI_Wtime() - begin, between - begin, sum.bytes,
               (double)most.boxes * ranks / (double)sum.boxes);
    free(s.boxes), free(s.ids);
}

int main(int argc, char **argv)
{
    int alone = 0, timed = 0;
    int64_t n = 0;
    char name[1024];
    FILE *file = NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 1) alone = strcmp(argv[1], "--alone") == 0, argc -= alone, argv += alone;
    if (argc > 1) timed = strcmp(argv[1], "--time") == 0, argc -= timed, argv += timed;
    if (argc > 2) n = strtoll(argv[2], NULL, 10);
    if (n < 1 || n > 1000000000000 || strchr("ucw", argv[1][0]) == NULL || (alone && ranks > 1)) {
        if (rank == 0) fprintf(stderr, "usage: pairs [--alone] [--time] KIND N [FILE]\n");
        MPI_Finalize();
        return 2;
    }
    if (argc > 3) {
        snprintf(name, sizeof name, "%s.%d", argv[3], rank);
        if ((file = fopen(name, "w")) == NULL) fail("cannot write to FILE");
    }
    run(argv[1][0], n, alone, timed, file);
    if (file && fclose(file) != 0) fail("cannot write to FILE");
    MPI_Finalize();
    return 0;
}

/* Prints, given world 100000:
pairs: 857028
hash: 9e8fe287670889a6
*/
