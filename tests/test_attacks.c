/* test_attacks.c - inputs made to be slow: the work of the broadphase is bounded by n and pairs.

   Work is the sum of SPTI_COUNT: tests done and boxes copied. It is the same on every machine, so
   that a bound can be tight where a bound on time cannot. A seeded search makes more such inputs:

       tests/out/test_attacks search        looks for a slow input; SEARCH_STEPS=20000 for longer
       SEED=7 tests/out/test_attacks search looks elsewhere
       REPORT=1 tests/out/test_attacks      prints the work of each family */
static double attack_work;
#define SPTI_COUNT(n) (attack_work += (double)(n))

#define SPATIAL_NO_LINEAR /* what is not tested here is not compiled */
#define SPATIAL_NO_QUADTREE
#define SPATIAL_NO_LOOSEGRID
#define SPATIAL_NO_PACKED
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"

#define FEW 1500       /* boxes that are compared with brute force */
#define MOST 200000
#define MOST_PAIRS 4000000
#define MOST_SAMPLES 64

/* The promise: at most so much work for each box, times the logarithm of their number, and for each
   pair. Bars that lie side by side but in both directions take that logarithm, all else less. */
#define WORK_PER_BOX 64.0
#define WORK_PER_PAIR 16.0
#define SEARCH_SLACK 6.0 /* so many times as much for inputs that a search finds */
#define FRAMES_SLACK 8.0 /* and for frames: the logarithm of n counts there */

/* ---- Families -------------------------------------------------------------------------------- */

/* Integers have no places between them, so all families are drawn larger for them. */
#ifdef SPATIAL_INT
#define FINE 5.0
#else
#define FINE 1.0
#endif

static double any(double low, double high)
{
    return low + (high - low) * (test_random() >> 8) / 16777216.0;
}

static spt_box sized(double x, double y, double width, double height)
{
    return box_of(FINE * x, FINE * y, FINE * (x + width), FINE * (y + height));
}

/* Rows and columns within one finest cell, because one in six boxes lies far out on one side. */
static void crowd_in_a_cell(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        if (i % 6 == 0) boxes[i] = sized(any(0, 3e8), any(0, 3e8), 1, 1);
        else if (i % 2) boxes[i] = sized(0, 1.2 * i, 29000, 0.5);
        else boxes[i] = sized(30000 + 0.6 * i, 0, 0.2, 60000);
    }
}

static void upright_sticks(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++)
        boxes[i] = sized(any(0, 8192e4), any(0, 8192e4), 0, any(0, 8192e4));
}

static void flat_sticks(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++)
        boxes[i] = sized(any(0, 8192e4), any(0, 8192e4), any(0, 8192e4), 0);
}

static void columns_beside_rows(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double at = any(0, 1e8);
        boxes[i] = i % 2 ? sized(0, at, 0.9e8, 1) : sized(1.1e8 + at, 0, 1, 1e8);
    }
}

/* Columns in the left half of a square, rows in the right one, each half as long as it: so many
   columns of a hundred, in this part of the left half next to the rows, but for a gap. */
static void beside(spt_box *boxes, int n, int columns, double part, double gap)
{
    int i;
    for (i = 0; i < n; i++) {
        double at = any(1 - part, 1 - gap), y = any(0, 2), along = any(0, 1);
        boxes[i] = test_below(100) < columns ? sized(5e7 * at, 5e7 * along, 1, 5e7)
                                             : sized(5e7, 5e7 * y, 5e7, 1);
    }
}

static void columns_next_to_rows(spt_box *boxes, int n)
{
    beside(boxes, n, 50, 1, 0);
}

static void columns_and_rows_with_a_gap(spt_box *boxes, int n)
{
    beside(boxes, n, 50, 1, 0.004);
}

static void many_columns_close_to_rows(spt_box *boxes, int n)
{
    beside(boxes, n, 50, 0.025, 0);
}

static void few_columns_close_to_rows(spt_box *boxes, int n)
{
    beside(boxes, n, 3, 0.025, 0);
}

static void few_columns_far_from_rows(spt_box *boxes, int n)
{
    beside(boxes, n, 3, 1, 0);
}

/* Boxes of all sizes about one point, where one overlaps very many and no cells divide them. */
static void heap_of_large_boxes(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double r = pow(any(0, 1), 8) * 1e8;
        boxes[i] = sized(any(-r, r), any(-r, r), r / 2, r / 2);
    }
}

/* Denser, and its boxes smaller, towards the middle. */
static void heap(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double r = any(0, 1), size = r * r * r * 1e8 / sqrt(n);
        double x = any(-1, 1) * r * r * r * 1e8, y = any(-1, 1) * r * r * r * 1e8;
        boxes[i] = sized(x, y, any(0, size), any(0, size));
    }
}

/* Crowds within crowds, each half as wide as the one around it. */
static void heap_of_all_scales(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double r = ldexp(1, test_below(24)), size = 4 * r / sqrt(n);
        boxes[i] = sized(any(-r, r), any(-r, r), any(0, size), any(0, size));
    }
}

/* The same, each around another point. */
static void crowds_of_all_scales(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double r = ldexp(1, i % 24), size = 4 * r / sqrt(n);
        boxes[i] = sized(r + any(0, r), r + any(0, r), any(0, size), any(0, size));
    }
}

/* A row and a column exactly on the middle lines. */
static void cross(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double at = any(-1e8, 1e8), size = 2e8 / n;
        boxes[i] = i % 2 ? sized(at, -size, size, 2 * size) : sized(-size, at, 2 * size, size);
    }
}

/* Thin bars that all reach over a middle line, none over another. */
static void bars_over_the_middle(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double at = 1e8 * i / n, reach = any(0, 1e8);
        boxes[i] = i % 2 ? sized(at, -reach, 1e8 / n / 4, 2 * reach)
                         : sized(-reach, -at - 1, any(0, reach), 1e8 / n / 4);
    }
}

static void heaps_of_coincident_boxes(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double x = i / 32 * 7919 % 10007 * 1000.0, y = i / 32 * 104729 % 10009 * 1000.0;
        boxes[i] = sized(x, y, 500, 500);
    }
}

static void coincident_boxes(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) boxes[i] = sized(3e6, 4e6, 2, 2);
}

static void long_sticks_of_both_directions(spt_box *boxes, int n)
{
    double reach = 4e8 / sqrt(n);
    int i;
    for (i = 0; i < n; i++) {
        double x = any(0, 1e8), y = any(0, 1e8), length = any(0, reach);
        boxes[i] = i % 2 ? sized(x, y, length, 1) : sized(x, y, 1, length);
    }
}

/* Which boxes the broadphase looks at before it chooses its cells, written here again because no
   public function tells: if it looks at others, the three families below hold, but are harmless. */
static spt_i32 samples(spt_i32 n)
{
    spt_i32 m = n / 16;
    if (m < 8) m = n < 8 ? n : 8;
    return m < MOST_SAMPLES ? m : MOST_SAMPLES;
}

static spt_i32 sample(spt_i32 k, spt_i32 n)
{
    uint32_t step = (uint32_t)n / (uint32_t)samples(n), jitter = (uint32_t)k * 2654435761u;
    return (spt_i32)((uint32_t)k * step + (step > 1 ? (jitter >> 8) % step : 0));
}

/* All that the choice of cells looks at is tiny, the others are as wide as the world. */
static void tiny_where_sampled(spt_box *boxes, int n)
{
    spt_i32 k;
    int i;
    for (i = 0; i < n; i++) boxes[i] = sized(0, 1e8 * i / n, 1e8, 1e8 / n / 4);
    for (k = 0; k < samples((spt_i32)n); k++)
        boxes[sample(k, (spt_i32)n)] = sized(any(0, 1e8), any(0, 1e8), 1, 1);
}

static void wide_where_sampled(spt_box *boxes, int n)
{
    spt_i32 k;
    int i;
    for (i = 0; i < n; i++) {
        double size = 1e8 / sqrt(n);
        boxes[i] = sized(any(0, 1e8), any(0, 1e8), any(0, size), any(0, size));
    }
    for (k = 0; k < samples((spt_i32)n); k++)
        boxes[sample(k, (spt_i32)n)] = sized(0, 1e8 * k / 64, 1e8, 1);
}

/* All sampled at one end of the world, so that the others are outside of the cells. */
static void apart_where_sampled(spt_box *boxes, int n)
{
    spt_i32 k;
    int i;
    for (i = 0; i < n; i++) {
        double size = 1e7 / sqrt(n);
        boxes[i] = sized(2e8 + any(0, 1e7), any(0, 1e7), any(0, size), any(0, size));
    }
    for (k = 0; k < samples((spt_i32)n); k++)
        boxes[sample(k, (spt_i32)n)] = sized(any(0, 1e4), any(0, 1e4), 1, 1);
}

/* Each box shares its edges and corners with its neighbours and with the lines of cells. */
static void touching_tiles(spt_box *boxes, int n)
{
    int i, side = 1;
    while (side * side < n) side *= 2;
    for (i = 0; i < n; i++) boxes[i] = sized(i % side * 64, i / side * 64, 64, 64);
}

/* Grids of tiles, each of half the size of the one before, side by side. */
static void tiles_of_all_scales(spt_box *boxes, int n)
{
    int i, each = n / 16 + 1, side = 1;
    while (side * side < each) side *= 2;
    for (i = 0; i < n; i++) {
        double size = ldexp(1, 16 - i / each), grid = size * side;
        int k = i % each;
        boxes[i] = sized(grid + k % side * size, grid + k / side * size, size, size);
    }
}

static void giants_over_small_ones(spt_box *boxes, int n)
{
    double size = 1e8 / sqrt(n);
    int i;
    for (i = 0; i < n; i++) {
        if (i % (n / 12 + 1) == 0) boxes[i] = sized(any(0, 1e7), any(0, 1e7), 9e7, 9e7);
        else boxes[i] = sized(any(0, 1e8), any(0, 1e8), any(0, size), any(0, size));
    }
}

static void rows_as_wide_as_the_world(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double place = (double)((unsigned)i * 7919u % (unsigned)n);
        boxes[i] = sized(0, 1e8 / n * place, 1e8, 1e8 / n / 2);
    }
}

/* Frames within frames, each of four bars that meet at the corners. */
static void frames(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double r = 8.0 * (double)(i / 4) + 8;
        boxes[i] = i % 4 == 0   ? sized(-r, -r, 2 * r, 1)
                   : i % 4 == 1 ? sized(-r, r - 1, 2 * r, 1)
                   : i % 4 == 2 ? sized(-r, -r, 1, 2 * r)
                                : sized(r - 1, -r, 1, 2 * r);
    }
}

static void diagonal(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) boxes[i] = sized(1e8 / n * i, 1e8 / n * i, 1e8 / n, 1e8 / n);
}

/* Sizes over many powers of two, few of each large one. */
static void sizes_of_a_power_law(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double size = 1e8 / sqrt(n) / sqrt(sqrt(any(1.0 / n, 1)));
        boxes[i] = sized(any(0, 1e8), any(0, 1e8), any(0, size), any(0, size));
    }
}

/* Of six boxes, five lie in a square a quarter as wide, five of six of those in another one. */
static void crowd_like_a_fractal(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double side = 1e9;
        while (test_below(6) && side > 1e-9) side /= 4;
        boxes[i] = sized(any(0, side), any(0, side), side / 20000, side / 20000);
    }
}

#define FAMILY(function, most) {#function, function, most, 1}
static const struct family {
    const char *name;
    void (*fill)(spt_box *boxes, int n);
    int most; /* boxes, where pairs grow faster than they */
    double slack;
} families[] = {
    FAMILY(crowd_in_a_cell, MOST),
    FAMILY(upright_sticks, MOST),
    FAMILY(flat_sticks, MOST),
    FAMILY(columns_beside_rows, MOST),
    FAMILY(columns_next_to_rows, MOST),
    FAMILY(columns_and_rows_with_a_gap, MOST),
    FAMILY(many_columns_close_to_rows, MOST),
    FAMILY(few_columns_close_to_rows, MOST),
    FAMILY(few_columns_far_from_rows, MOST),
    FAMILY(heap_of_large_boxes, 10000),
    FAMILY(heap, MOST),
    FAMILY(heap_of_all_scales, MOST),
    FAMILY(crowds_of_all_scales, MOST),
    FAMILY(crowd_like_a_fractal, MOST),
    FAMILY(cross, MOST),
    FAMILY(bars_over_the_middle, MOST),
    FAMILY(heaps_of_coincident_boxes, 100000),
    FAMILY(coincident_boxes, 2500),
    FAMILY(long_sticks_of_both_directions, MOST),
    FAMILY(tiny_where_sampled, MOST),
    FAMILY(wide_where_sampled, MOST),
    FAMILY(apart_where_sampled, MOST),
    FAMILY(touching_tiles, MOST),
    FAMILY(tiles_of_all_scales, MOST),
    FAMILY(giants_over_small_ones, MOST),
    FAMILY(rows_as_wide_as_the_world, MOST),
    {"frames", frames, MOST, FRAMES_SLACK},
    FAMILY(diagonal, MOST),
    FAMILY(sizes_of_a_power_law, MOST),
};

/* ---- Work ------------------------------------------------------------------------------------ */

static spt_box boxes[MOST];

typedef struct attack {
    spt_broadphase bp;
    spt_intlist out;
    test_memory memory; /* of out: more pairs than it has room for are not what is looked for */
} attack;

static void attack_open(attack *a)
{
    spt_allocator allocator;
    test_memory_open(&a->memory, &allocator);
    a->memory.limit = (size_t)MOST_PAIRS * 2 * sizeof(spt_i32) * 2;
    CHECK(spt_broadphase_init(&a->bp, NULL) == SPT_OK);
    CHECK(spt_intlist_init_with(&a->out, 2, &allocator) == SPT_OK);
}

static void attack_close(attack *a)
{
    spt_broadphase_free(&a->bp);
    spt_intlist_free(&a->out);
}

/* The pairs of all boxes, or between the first na and the others. */
static spt_i32 attack_pairs(attack *a, int na, int n)
{
    attack_work = 0;
    if (na == n) return spt_broadphase_pairs(&a->bp, boxes, n, NULL, &a->out);
    return spt_broadphase_pairs_between(&a->bp, boxes, na, boxes + na, n - na, NULL, &a->out);
}

static double work_allowed(int n, spt_i32 pairs)
{
    return WORK_PER_BOX * n * log(n + 2.0) / log(2.0) + WORK_PER_PAIR * pairs;
}

static void check_work(attack *a, const char *name, double slack, int na, int n)
{
    spt_i32 pairs = attack_pairs(a, na, n);
    test_context(name, na);
    CHECK(pairs >= 0);
    if (test_environment("REPORT", 0))
        printf("%-32s %-4s %7d boxes: %6.1f pairs, %7.1f work a box, %3.0f%% of what is allowed\n",
               name, na == n ? "one" : "two", n, (double)pairs / n, attack_work / n,
               100 * attack_work / work_allowed(n, pairs) / slack);
    CHECK(attack_work <= slack * work_allowed(n, pairs));
}

static int brute_meets(int i, int j, int na, int n)
{
    return (na == n || (i < na && j >= na)) && brute_overlap(&boxes[i], &boxes[j]);
}

/* Compares with brute force; n <= FEW. */
static void check_found(attack *a, int na, int n)
{
    static unsigned char seen[FEW][FEW];
    spt_i32 pairs = attack_pairs(a, na, n), k, count = 0;
    int i, j;
    memset(seen, 0, sizeof seen);
    CHECK(pairs == spt_intlist_count(&a->out));
    for (k = 0; k < pairs; k++) {
        i = (int)spt_intlist_get(&a->out, k, 0);
        j = (int)spt_intlist_get(&a->out, k, 1) + (na == n ? 0 : na);
        if (!CHECK(0 <= i && i < j && j < n)) return;
        CHECK(brute_meets(i, j, na, n) && !seen[i][j]);
        seen[i][j] = 1;
    }
    for (i = 0; i < n; i++)
        for (j = i + 1; j < n; j++) count += brute_meets(i, j, na, n);
    CHECK(count == pairs);
}

static int most_boxes(void)
{
    int n = test_scale(4 * MOST);
    return n < 10000 ? 10000 : n < MOST ? n : MOST;
}

/* ---- The families' tests --------------------------------------------------------------------- */

static void the_pairs_of_each_family_are_found(void)
{
    attack a;
    int f, n = test_scale(20 * FEW) < FEW ? 700 : FEW;
    attack_open(&a);
    for (f = 0; f < TEST_COUNT(families); f++) {
        test_context(families[f].name, n);
        families[f].fill(boxes, n);
        check_found(&a, n, n);
        check_found(&a, n / 2, n);
        check_found(&a, n / 16, n);
    }
    attack_close(&a);
}

/* Leaves get cells within cells, until there is no room for another tree. */
static void crowds_within_crowds_take_bounded_work(void)
{
    const int n = 8190; /* the most boxes for which there is room for so few trees */
    attack a;
    int round;
    attack_open(&a);
    for (round = 0; round < 8; round++) {
        crowd_like_a_fractal(boxes, n);
        check_work(&a, "crowd_like_a_fractal", 1, n, n);
    }
    attack_close(&a);
}

static void the_work_of_each_family_is_bounded(void)
{
    int sizes[3] = {300, 2500, 0}, f, s, n;
    attack a;
    sizes[2] = most_boxes();
    attack_open(&a);
    for (f = 0; f < TEST_COUNT(families); f++)
        for (s = 0; s < 3; s++) {
            n = sizes[s];
            if (n > families[f].most) continue;
            families[f].fill(boxes, n);
            check_work(&a, families[f].name, families[f].slack, n, n);
            CHECK(attack_work > 0); /* it is counted at all */
            check_work(&a, families[f].name, families[f].slack, n / 2, n);
        }
    attack_close(&a);
}

/* A dense set whose boxes all meet each other, and few of another elsewhere: the pairs within
   the first must not be paid for. */
static void a_dense_set_is_not_tested_against_itself(void)
{
    int n = most_boxes() / 4, few = 60, way, i;
    attack a;
    attack_open(&a);
    for (way = 0; way < 4; way++) {
        for (i = 0; i < n; i++) {
            int b = i >= n - few;
            if (way == 0) boxes[i] = b ? sized(9e7, 9e7, 1, 1) : sized(0, 0, 1e4, 1e4);
            if (way == 1) boxes[i] = b ? sized(2e6, 1e5 * i, 1, 1) : sized(i, 0, 1e6, 1e6 - i);
            if (way == 2)
                boxes[i] = b ? sized(any(0, 1e8), any(2e4, 1e8), 1e3, 1e3)
                             : sized(any(0, 1e4), any(0, 1e4), 1e3, 1e3);
            if (way == 3)
                boxes[i] = b ? sized(any(0, 1e8), 5e7, 10, 10)
                             : sized(any(0, 1e8), any(0, 4e7), 1e7, 1e6);
        }
        check_work(&a, "dense set", 1, n - few, n);
        check_found(&a, FEW / 2, FEW / 2 + 1);
    }
    attack_close(&a);
}

/* ---- The search ------------------------------------------------------------------------------ */

#define GROUPS 4
#define GENES (1 + GROUPS * 13) /* n, and of each group: every, and six for each axis */

/* What makes the boxes of an input: a number of them, and groups of boxes. Box i belongs to the
   first group whose `every` divides it, or else to the last group. */
typedef struct recipe {
    int genes[GENES];
} recipe;

static const struct gene {
    const char *name;
    int low, high;
} axis_genes[6] = {
    {"place", 0, 5},   {"side", -1, 1}, {"offset", 0, 29}, {"spread", 0, 29},
    {"sizing", 0, 4}, {"size", 0, 29},
};

static void gene_limits(int gene, int *low, int *high)
{
    int k = (gene - 1) % 13;
    if (gene == 0) *low = 6, *high = 22; /* n: powers of the root of 2 */
    else if (k == 0) *low = 1, *high = 12;
    else *low = axis_genes[(k - 1) % 6].low, *high = axis_genes[(k - 1) % 6].high;
}

static int gene_random(int gene)
{
    int low, high;
    gene_limits(gene, &low, &high);
    return low + test_below(high - low + 1);
}

static void recipe_random(recipe *r)
{
    int k;
    for (k = 0; k < GENES; k++) r->genes[k] = gene_random(k);
}

/* Changes some genes: to any value, by one, or to the value of the same gene elsewhere. */
static void recipe_mutate(recipe *r)
{
    int changes = 1 + test_below(3), gene, low, high, way;
    while (changes-- > 0) {
        gene = test_below(GENES);
        gene_limits(gene, &low, &high);
        way = test_below(4);
        if (way == 0) {
            r->genes[gene] = gene_random(gene);
        } else if (way == 1 && gene > 0) {
            int group = test_below(GROUPS), k = (gene - 1) % 13;
            if (k > 0 && test_below(2)) k = 1 + (k + 5) % 12;
            r->genes[gene] = r->genes[1 + 13 * group + k];
        } else {
            int to = r->genes[gene] + (test_below(2) ? 1 : -1);
            if (low <= to && to <= high) r->genes[gene] = to;
        }
    }
}

static int recipe_count(const recipe *r)
{
    return (int)(32 * pow(2, r->genes[0] / 2.0));
}

/* Both edges of box i of n along one axis. */
static void recipe_edges(const int *axis, int i, int n, double *min, double *max)
{
    double spread = ldexp(1, axis[3]), offset = axis[1] * ldexp(1, axis[2]);
    double size = ldexp(1, axis[5]), at = 0, u = any(0, 1);
    switch (axis[0]) {
    case 0: at = u * spread; break;
    case 1: break;
    case 2: at = spread * i / n; break;
    case 3: at = (test_below(2) ? 1 : -1) * pow(2, u * axis[3]); break;
    case 4: at = floor(u * spread / size) * size; break;
    default: at = ldexp(1, i % (axis[3] + 1)); break;
    }
    switch (axis[4]) {
    case 0: break;
    case 1: size *= any(0, 1); break;
    case 2: size = pow(2, any(0, 1) * axis[5]); break;
    case 3: size = fabs(at) / size; break;
    default: size = spread / n; break;
    }
    *min = offset + at;
    *max = *min + size;
}

static void recipe_fill(const recipe *r, spt_box *into)
{
    int n = recipe_count(r), i, g;
    for (i = 0; i < n; i++) {
        double x0, x1, y0, y1;
        for (g = 0; g < GROUPS - 1 && i % r->genes[1 + 13 * g]; g++) {}
        recipe_edges(&r->genes[2 + 13 * g], i, n, &x0, &x1);
        recipe_edges(&r->genes[8 + 13 * g], i, n, &y0, &y1);
        into[i] = box_of(x0, y0, x1, y1);
    }
}

static void recipe_print(const recipe *r)
{
    int g, k;
    printf("n %d (gene %d)\n", recipe_count(r), r->genes[0]);
    for (g = 0; g < GROUPS; g++) {
        const int *group = &r->genes[1 + 13 * g];
        printf("group %d: every %d", g, group[0]);
        for (k = 0; k < 12; k++)
            printf("%s%s %d", k % 6 ? ", " : k ? "; y: " : "; x: ", axis_genes[k % 6].name,
                   group[1 + k]);
        printf("\n");
    }
}

/* Work as a part of the allowed work; 0 where there are too many pairs. */
static double recipe_work(attack *a, const recipe *r, uint32_t random, int sets)
{
    int n = recipe_count(r);
    spt_i32 pairs;
    test.random = random;
    recipe_fill(r, boxes);
    a->memory.limit = (size_t)n * 64 * 2 * sizeof(spt_i32) + 4096;
    pairs = attack_pairs(a, sets == 1 ? n : n / 2, n);
    if (pairs < 0) return 0;
    return attack_work / work_allowed(n, pairs) / SEARCH_SLACK;
}

/* Changes a recipe again and again and goes on from the one with the most work, and from another
   start when that leads no further. */
static void search(void)
{
    long steps = test_environment("SEARCH_STEPS", test_scale(2000)), step, stale = 0;
    recipe best, worst, next;
    double of_best = 0, of_worst = 0, work;
    uint32_t state, random;
    int sets = 1;
    attack a;
    attack_open(&a);
    memset(&worst, 0, sizeof worst);
    memset(&best, 0, sizeof best);
    for (step = 0; step < steps; step++) {
        test_context("search", step);
        if (stale == 0) recipe_random(&next);
        else next = best, recipe_mutate(&next);
        random = test_random() | 1u;
        state = test.random;
        work = recipe_work(&a, &next, random, sets);
        test.random = state;
        if (work > 1) {
            recipe_print(&next);
            printf("%d sets, random %lu, %ld steps: %.0f%% of the work that is allowed\n", sets,
                   (unsigned long)random, step, 100 * work);
        }
        CHECK(work <= 1);
        if (work > of_worst) of_worst = work, worst = next;
        if (stale == 0 || work > of_best) of_best = work, best = next, stale = 1;
        else if (++stale > 200) stale = 0, sets = 1 + test_below(2);
    }
    if (test_environment("REPORT", 0)) {
        recipe_print(&worst);
        printf("%.0f%% of the work that is allowed\n", 100 * of_worst);
    }
    attack_close(&a);
}

/* Far from the origin, where a bad sample of one set or two makes cells that hold all of them. */
static void the_work_of_boxes_that_are_spread_evenly_is_small(void)
{
    const int n = 8192;
    attack a;
    int i, na;
    attack_open(&a);
    for (i = 0; i < n; i++) boxes[i] = sized(any(0, 1000), any(5000, 6000), 4, 4);
    for (na = n / 2; na <= n; na += n / 2) {
        CHECK(attack_pairs(&a, na, n) > 0);
        CHECK(attack_work < 10.0 * n);
        if (test_environment("REPORT", 0))
            printf("spread evenly, %d and the others: %.1f work a box\n", na, attack_work / n);
    }
    attack_close(&a);
}

static const test_case tests[] = {
    TEST(the_pairs_of_each_family_are_found),
    TEST(crowds_within_crowds_take_bounded_work),
    TEST(the_work_of_each_family_is_bounded),
    TEST(the_work_of_boxes_that_are_spread_evenly_is_small),
    TEST(a_dense_set_is_not_tested_against_itself),
    TEST(search),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
