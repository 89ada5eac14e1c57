/* world.c - thousands of boxes that move, and questions about them, for a page in a browser

   Built as WebAssembly it exports what is marked so to page.js, which calls in each frame
       world_step    moves the boxes and tells the structure
       world_pairs   finds all pairs that touch
       world_ask     finds all boxes in a window or in a circle, the first that a ray or a moving
                     box meets, or the nearest; or steers a circle among them
       world_draw    draws all that into pixels, which the page puts on its canvas
   and when the visitor changes something world_open, world_stretch, world_choose, world_screen.
   There is no C library: memory is taken from the end of WebAssembly's. It is built with SIMD and
   without; page.js takes the build that the browser can run. With SIMD world_pairs is 1.5 to 1.8
   times as fast and world_ask about twice (node 20, 20,000 and 100,000 boxes).

   Look at world_step, world_pairs and world_ask. Built for this machine the program prints the
   hashes of all that the page has to find in its test: see run.sh. */

#define SPATIAL_IMPLEMENTATION
#define SPATIAL_STATIC
#define SPATIAL_NO_STDLIB
#define SPATIAL_NO_CONTACTS
#define SPATIAL_NO_NEIGHBOURS
#include "spatial.h"

#ifdef __wasm__
#define EXPORT __attribute__((visibility("default")))
#else
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define EXPORT
#endif

/* page.js and index.html number them in the same way. */
enum { LINEAR, QUADTREE, LOOSEGRID, PACKED, BROADPHASE, STRUCTURES };
enum { WINDOW, CIRCLE, RAY, MOVING_BOX, NEAREST, STEER, QUESTIONS };
enum { BACKGROUND, CELL, BOX_FILL, BOX_EDGE, TOUCHING_FILL, TOUCHING_EDGE, HIT_FILL, HIT_EDGE };

#define MOST 200000
#define MOST_NEAREST 100
#define LARGEST 8    /* half of a side; the smallest is 1 */
#define FASTEST 0.02 /* units a millisecond along an axis */
#define RADIUS 2     /* of the circle that is steered */
#define SKIN 0.5F    /* of it: thicker than a box moves in a frame, so that boxes push it */

typedef struct body {
    float x, y, vx, vy, half_width, half_height;
} body;

static struct {
    spt_i32 n;
    float width, height;
    body bodies[MOST];
    spt_box boxes[MOST];
    spt_i32 ids[MOST];            /* 0, 1, 2 ...: all move */
    unsigned char touching[MOST]; /* of each box: it is in a pair */
    spt_u32 seed;
} world;

static struct {
    int width, height;
    float scale_x, scale_y; /* pixels a unit */
    spt_u32 *pixels;
    spt_u32 colours[HIT_EDGE + 1]; /* in bytes: red, green, blue, 255 */
} screen;

static int structure;
static spt_index keeper;          /* of zero bytes where the structure is the broadphase */
static spt_broadphase broadphase; /* and this one where it is not */
static spt_intlist pairs, found;
static spt_coord centre[2]; /* of the circle */

/* What page.js shows of an answer: of a cast the part of the way before the hit and the side that
   was hit; of the nearest the distance of the last; of the circle where it is. */
static struct {
    float t, nx, ny, distance, x, y;
} answer;

/* ---- memory ---------------------------------------------------------------------------------- */

/* Pieces of 16, 32, 64 ... bytes; pieces that are given back wait in a list for each size. The
   library tells how large a piece is that it gives back, so nothing needs to be noted. */
typedef struct piece {
    struct piece *next;
} piece;

#define SIZES 27 /* up to 1 GB */

static piece *free_pieces[SIZES];

static int size_number(size_t size)
{
    int number = 0;

    while (number < SIZES && ((size_t)16 << number) < size) number++;
    return number;
}

#ifdef __wasm__
extern unsigned char __heap_base; /* of the linker: behind all variables */

static void *take(size_t size)
{
    static size_t used;
    size_t begin = used != 0 ? used : ((size_t)&__heap_base + 15) / 16 * 16;
    size_t have = __builtin_wasm_memory_size(0), need;

    if (size > (size_t)-1 - 65535 - begin) return NULL;
    need = (begin + size + 65535) / 65536;
    if (need > have && __builtin_wasm_memory_grow(0, need - have) == (size_t)-1) return NULL;
    used = begin + size;
    return (void *)begin;
}
#else
static void *take(size_t size)
{
    return malloc(size);
}
#endif

static void *resize(void *ctx, void *old, size_t old_size, size_t new_size)
{
    int from = size_number(old_size), to = size_number(new_size);
    piece *back = old, *p = NULL;

    (void)ctx;
    if (new_size != 0) {
        if (to == SIZES) return NULL;
        if (old != NULL && from == to) return old;
        p = free_pieces[to];
        if (p != NULL)
            free_pieces[to] = p->next;
        else
            p = take((size_t)16 << to);
        if (p == NULL) return NULL;
        if (old != NULL) __builtin_memcpy(p, old, old_size < new_size ? old_size : new_size);
    }
    if (back != NULL) {
        back->next = free_pieces[from];
        free_pieces[from] = back;
    }
    return p;
}

static const spt_allocator heap = {resize, NULL};

/* ---- the structure --------------------------------------------------------------------------- */

static int open_index(void)
{
    spt_box bounds = {0, 0, world.width, world.height};

    if (structure == LINEAR) {
        spt_linear_desc desc = {.bounds = bounds, .capacity = world.n, .allocator = heap};

        return spt_linear_init(&keeper, &desc);
    }
    if (structure == QUADTREE) {
        spt_quadtree_desc desc = {.bounds = bounds, .capacity = world.n, .allocator = heap};

        return spt_quadtree_init(&keeper, &desc);
    }
    if (structure == LOOSEGRID) {
        spt_linear_desc desc = {.bounds = bounds, .capacity = world.n, .allocator = heap};

        return spt_loosegrid_init(&keeper, &desc);
    }
    if (structure == PACKED) {
        spt_packed_desc desc = {.capacity = world.n, .allocator = heap};

        return spt_packed_init(&keeper, &desc);
    }
    return SPT_ERR_ARGUMENT;
}

static int open_structure(void)
{
    int error;

    spt_free(&keeper);
    spt_broadphase_free(&broadphase);
    if (structure == BROADPHASE) {
        spt_broadphase_desc desc = {.capacity = world.n, .allocator = heap};

        return spt_broadphase_init(&broadphase, &desc);
    }
    error = open_index();
    return error == SPT_OK ? spt_build(&keeper, world.boxes, world.n) : error;
}

EXPORT int world_choose(int which)
{
    structure = which;
    return open_structure();
}

EXPORT size_t world_bytes(void)
{
    return spt_bytes(&keeper) + spt_broadphase_bytes(&broadphase);
}

/* ---- the boxes ------------------------------------------------------------------------------- */

/* 0 <= result < 1, in steps of 2^-24. The constants are by Knuth and Lewis as given in
   Numerical Recipes; the low bits of such a generator are poor. */
static double random_unit(void)
{
    world.seed = (world.seed * 1664525u + 1013904223u) & 0xffffffffu;
    return (double)(world.seed >> 8) / 16777216.0;
}

/* 1 / half a side is uniform: most boxes are small, and a few are large or long. */
static float random_half(void)
{
    return (float)(1 / (1 - random_unit() * (1 - 1.0 / LARGEST)));
}

static float random_speed(void)
{
    return (float)((2 * random_unit() - 1) * FASTEST);
}

/* from + part * length, as double, in which the product of two floats is exact: so it does not
   matter whether a machine rounds it before it adds. */
static float along(float from, float part, float length)
{
    return (float)((double)from + (double)part * (double)length);
}

static void place(spt_i32 i)
{
    const body *b = &world.bodies[i];

    spt_box_around(b->x, b->y, b->half_width, b->half_height, &world.boxes[i]);
}

EXPORT int world_open(spt_i32 n, float width, float height)
{
    spt_i32 i;

    if (pairs.fields == 0) {
        spt_intlist_init_with(&pairs, 2, &heap);
        spt_intlist_init_with(&found, 1, &heap);
    }
    spt_intlist_clear(&pairs), spt_intlist_clear(&found); /* of other boxes */
    if (n > MOST) return SPT_ERR_FULL;
    world.n = n;
    world.width = width, world.height = height;
    world.seed = 1;
    centre[0] = width / 2, centre[1] = height / 2;
    for (i = 0; i < n; i++) {
        body *b = &world.bodies[i];

        b->half_width = random_half(), b->half_height = random_half();
        b->x = along(b->half_width, (float)random_unit(), width - 2 * b->half_width);
        b->y = along(b->half_height, (float)random_unit(), height - 2 * b->half_height);
        b->vx = random_speed(), b->vy = random_speed();
        world.ids[i] = i;
        place(i);
    }
    return open_structure();
}

/* The canvas has another shape. */
EXPORT int world_stretch(float width, float height)
{
    spt_i32 i;

    for (i = 0; i < world.n; i++) {
        world.bodies[i].x *= width / world.width;
        world.bodies[i].y *= height / world.height;
        place(i);
    }
    centre[0] *= width / world.width, centre[1] *= height / world.height;
    world.width = width, world.height = height;
    return open_structure();
}

/* A wall turns round only boxes that move away from the world. */
static float bounce(float speed, float min, float max, float end)
{
    return (min < 0 && speed < 0) || (max > end && speed > 0) ? -speed : speed;
}

EXPORT spt_i32 world_step(float milliseconds)
{
    spt_i32 i;

    for (i = 0; i < world.n; i++) {
        body *b = &world.bodies[i];
        spt_box *box = &world.boxes[i];

        b->x = along(b->x, milliseconds, b->vx);
        b->y = along(b->y, milliseconds, b->vy);
        place(i);
        b->vx = bounce(b->vx, box->min_x, box->max_x, world.width);
        b->vy = bounce(b->vy, box->min_y, box->max_y, world.height);
    }
    if (structure == BROADPHASE) return SPT_OK; /* it keeps nothing */
    if (structure == PACKED) return spt_build(&keeper, world.boxes, world.n);
    i = spt_move_many(&keeper, world.ids, world.boxes, world.n);
    spt_tidy(&keeper);
    return i;
}

/* ---- questions ------------------------------------------------------------------------------- */

EXPORT spt_i32 world_pairs(void)
{
    if (structure == BROADPHASE)
        return spt_broadphase_pairs(&broadphase, world.boxes, world.n, NULL, &pairs);
    return spt_pairs(&keeper, NULL, &pairs);
}

/* The broadphase keeps nothing that could be asked: a loop over all boxes answers in its place. */
static spt_i32 loop_all(int question, const spt_box *box, float distance)
{
    spt_i32 i;

    spt_intlist_clear(&found);
    for (i = 0; i < world.n; i++) {
        if (question == WINDOW ? spt_box_overlap(box, &world.boxes[i])
                               : spt_box_within(box, &world.boxes[i], distance))
            if (spt_intlist_push(&found, &i) < 0) return SPT_ERR_MEMORY;
    }
    return spt_intlist_count(&found);
}

static int loop_cast(const spt_motion *motion, spt_hit *first)
{
    spt_hit hit;
    spt_i32 i;

    first->id = SPT_NONE;
    for (i = 0; i < world.n; i++) {
        if (!spt_box_cast(motion, &world.boxes[i], &hit)) continue;
        if (first->id != SPT_NONE && hit.t >= first->t &&
            (hit.t > first->t || hit.corner >= first->corner))
            continue;
        *first = hit;
        first->id = i;
    }
    return first->id != SPT_NONE;
}

/* Each box goes before all of the nearest so far that are further away. */
static spt_i32 loop_nearest(const spt_box *box, spt_i32 k)
{
    spt_i32 nearest[MOST_NEAREST], n = 0, i, j;

    for (i = 0; i < world.n; i++) {
        for (j = n; j > 0; j--) {
            if (spt_box_nearer(box, &world.boxes[i], &world.boxes[nearest[j - 1]]) >= 0) break;
            if (j < k) nearest[j] = nearest[j - 1];
        }
        if (j >= k) continue;
        nearest[j] = i;
        if (n < k) n++;
    }
    spt_intlist_clear(&found);
    for (i = 0; i < n; i++)
        if (spt_intlist_push(&found, &nearest[i]) < 0) return SPT_ERR_MEMORY;
    return n;
}

static spt_i32 ask_cast(const spt_motion *motion)
{
    spt_hit hit;
    int hits =
        structure == BROADPHASE ? loop_cast(motion, &hit) : spt_cast(&keeper, motion, NULL, &hit);

    spt_intlist_clear(&found);
    if (hits <= 0) return hits;
    answer.t = hit.t, answer.nx = (float)hit.nx, answer.ny = (float)hit.ny;
    return spt_intlist_push(&found, &hit.id) < 0 ? SPT_ERR_MEMORY : 1;
}

static spt_i32 ask_nearest(const spt_box *point, spt_i32 k)
{
    spt_i32 n;

    if (structure == BROADPHASE)
        n = loop_nearest(point, k);
    else
        n = spt_nearest(&keeper, point, k, SPT_NO_LIMIT, NULL, &found);
    if (n > 0)
        answer.distance = spt_box_distance(point, &world.boxes[spt_intlist_get(&found, n - 1, 0)]);
    return n;
}

/* For the broadphase, a loop over all boxes finds those in a window, for an index of these. */
static int index_near(const spt_box *window, spt_index *near, spt_i32 *ids)
{
    static spt_box boxes[MOST];
    spt_packed_desc desc = {.allocator = heap};
    spt_i32 n = 0, i;
    int error = spt_packed_init(near, &desc);

    for (i = 0; i < world.n; i++)
        if (spt_box_overlap(window, &world.boxes[i])) ids[n] = i, boxes[n++] = world.boxes[i];
    return error != SPT_OK ? error : spt_build(near, boxes, n);
}

/* Moves the circle towards a place, by at most `way`: it slides along boxes, and boxes that have
   moved into it push it. Returns how many it meets. */
static spt_i32 steer(float x, float y, float way)
{
    static spt_i32 ids[MOST];
    const double dx = (double)(x - centre[0]), dy = (double)(y - centre[1]);
    const double length = __builtin_sqrt(dx * dx + dy * dy);
    const double part = length > (double)way ? (double)way / length : 1;
    const spt_shape circle = {centre, 1, RADIUS};
    spt_index near = {0};
    spt_layer layer = {.index = &keeper};
    spt_shape_hit hits[SPT_SHAPE_HITS];
    spt_box window;
    int n = SPT_OK, i;

    spt_intlist_clear(&found);
    if (structure == BROADPHASE) {
        spt_box_around(centre[0], centre[1], 2 * way + 20, 2 * way + 20, &window);
        n = index_near(&window, &near, ids);
        layer.index = &near;
    }
    if (n == SPT_OK)
        n = spt_shape_slide(&layer, 1, &circle, (float)(dx * part), (float)(dy * part), SKIN, &x,
                            &y, hits);
    spt_free(&near);
    if (n < 0) return n;
    centre[0] += x, centre[1] += y;
    answer.x = centre[0], answer.y = centre[1];
    for (i = 0; i < n; i++) {
        spt_i32 id = structure == BROADPHASE ? ids[hits[i].id] : hits[i].id;

        if (i == 0) answer.t = hits[i].t, answer.nx = hits[i].nx, answer.ny = hits[i].ny;
        if (spt_intlist_push(&found, &id) < 0) return SPT_ERR_MEMORY;
    }
    return n;
}

/* What lies between a and b; within `size` of a; on the way from a to b, of a ray or of a box that
   reaches `size` to each side; the `size` nearest to b; or what stops the circle that is steered
   towards b by `size`. Returns how many; their ids are in found. */
EXPORT spt_i32 world_ask(int question, float ax, float ay, float bx, float by, float size)
{
    spt_box a = {ax, ay, ax, ay}, b = {bx, by, bx, by};
    spt_motion motion = {a, bx - ax, by - ay, 1}; /* what it starts in does not stop it */

    answer.t = 1, answer.nx = answer.ny = answer.distance = answer.x = answer.y = 0;
    switch (question) {
    case WINDOW:
        spt_box_union(&a, &b, &a);
        if (structure == BROADPHASE) return loop_all(question, &a, 0);
        return spt_query(&keeper, &a, NULL, &found);
    case CIRCLE:
        if (structure == BROADPHASE) return loop_all(question, &a, size);
        return spt_within(&keeper, &a, size, NULL, &found);
    case RAY:
        return ask_cast(&motion);
    case MOVING_BOX:
        spt_box_around(ax, ay, size, size, &motion.box);
        return ask_cast(&motion);
    case NEAREST:
        return ask_nearest(&b, size < MOST_NEAREST ? (spt_i32)size : MOST_NEAREST);
    case STEER:
        return steer(bx, by, size);
    default:
        return SPT_ERR_ARGUMENT;
    }
}

EXPORT const float *world_answer(void)
{
    return &answer.t;
}

EXPORT const char *world_error(spt_i32 error)
{
    return spt_error_string(error);
}

/* ---- the picture ----------------------------------------------------------------------------- */

/* Makes room for so many pixels and returns where they are; NULL if there is no memory. */
EXPORT spt_u32 *world_screen(int width, int height)
{
    size_t had = (size_t)screen.width * (size_t)screen.height * sizeof *screen.pixels;
    size_t need = (size_t)width * (size_t)height * sizeof *screen.pixels;
    spt_u32 *pixels = resize(NULL, screen.pixels, had, need);

    if (pixels == NULL) return NULL;
    screen.pixels = pixels;
    screen.width = width, screen.height = height;
    return pixels;
}

/* page.js puts the colours there. */
EXPORT spt_u32 *world_colours(void)
{
    return screen.colours;
}

/* The pixel in which a coordinate lies, or else the nearest one of the picture. */
static int pixel(float x, float scale, int pixels)
{
    x *= scale;
    if (!(x > 0)) return 0;
    return x < (float)pixels ? (int)x : pixels - 1;
}

/* The last pixels are filled, too. */
static void fill(int left, int top, int right, int bottom, spt_u32 colour)
{
    int x, y;

    for (y = top; y <= bottom; y++) {
        spt_u32 *row = screen.pixels + (size_t)y * (size_t)screen.width;

        for (x = left; x <= right; x++) row[x] = colour;
    }
}

typedef struct area {
    int left, top, right, bottom;
} area;

static area area_of(const spt_box *box)
{
    area p;

    p.left = pixel(box->min_x, screen.scale_x, screen.width);
    p.top = pixel(box->min_y, screen.scale_y, screen.height);
    p.right = pixel(box->max_x, screen.scale_x, screen.width);
    p.bottom = pixel(box->max_y, screen.scale_y, screen.height);
    return p;
}

static int draw_cell(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    spt_u32 colour = screen.colours[CELL];
    area p = area_of(box);

    (void)ctx, (void)level, (void)count;
    fill(p.left, p.top, p.right, p.top, colour);
    fill(p.left, p.bottom, p.right, p.bottom, colour);
    fill(p.left, p.top, p.left, p.bottom, colour);
    fill(p.right, p.top, p.right, p.bottom, colour);
    return 0;
}

/* Small boxes are of one colour, for an edge would be all of them. */
static void draw_box(const spt_box *box, int colour)
{
    area p = area_of(box);

    fill(p.left, p.top, p.right, p.bottom, screen.colours[colour + 1]);
    if (p.right - p.left > 3 && p.bottom - p.top > 3)
        fill(p.left + 1, p.top + 1, p.right - 1, p.bottom - 1, screen.colours[colour]);
}

EXPORT void world_draw(int cells)
{
    const spt_i32 *ids = spt_intlist_data(&pairs);
    spt_i32 n = 2 * spt_intlist_count(&pairs), i;

    screen.scale_x = (float)screen.width / world.width;
    screen.scale_y = (float)screen.height / world.height;
    fill(0, 0, screen.width - 1, screen.height - 1, screen.colours[BACKGROUND]);
    if (cells && structure == BROADPHASE)
        spt_broadphase_traverse(&broadphase, draw_cell, NULL);
    else if (cells)
        spt_traverse(&keeper, draw_cell, NULL);
    for (i = 0; i < world.n; i++) world.touching[i] = 0;
    for (i = 0; i < n; i++) world.touching[ids[i]] = 1;
    for (i = 0; i < world.n; i++)
        draw_box(&world.boxes[i], world.touching[i] ? TOUCHING_FILL : BOX_FILL);
    ids = spt_intlist_data(&found);
    n = spt_intlist_count(&found);
    for (i = 0; i < n; i++) draw_box(&world.boxes[ids[i]], HIT_FILL);
}

/* ---- for tests: the page and this program have to find the same ------------------------------ */

static spt_u32 mix(spt_u32 sum, spt_u32 number)
{
    sum = (sum ^ number) * 0x9E3779B1u; /* 2^32 by the golden ratio */
    return sum ^ sum >> 15;
}

enum { OF_PAIRS, OF_FOUND, OF_PICTURE };

/* A number that stands for all pairs, or for an answer, in whichever order; or for the picture. */
EXPORT spt_u32 world_sum(int what)
{
    const spt_intlist *list = what == OF_PAIRS ? &pairs : &found;
    const spt_i32 *ids = spt_intlist_data(list);
    spt_i32 fields = list->fields, n = spt_intlist_count(list), i;
    spt_u32 sum = 0, one;

    if (what == OF_PICTURE) {
        for (i = 0; i < screen.width * screen.height; i++) sum = mix(sum, screen.pixels[i]);
        return sum;
    }
    for (i = 0; i < n; i++)
        sum += mix(mix(7, (spt_u32)ids[fields * i]), (spt_u32)ids[fields * i + fields - 1]);
    if (what == OF_PAIRS) return sum;
    __builtin_memcpy(&one, &answer.t, 4), sum = mix(sum, one);
    __builtin_memcpy(&one, &answer.distance, 4), sum = mix(sum, one);
    __builtin_memcpy(&one, &answer.x, 4), sum = mix(sum, one);
    __builtin_memcpy(&one, &answer.y, 4), sum = mix(sum, one);
    return mix(sum, (spt_u32)(int)(answer.nx * 2 + answer.ny));
}

#ifndef __wasm__
static double world_width, world_height;

/* Gives the canvas so many pixels, and the world its shape; see page.js for the arithmetic. */
static void shape(int n, int columns, int rows)
{
    world_height = sqrt(90.0 * n * rows / columns);
    world_width = world_height * columns / rows;
    if (world_screen(columns, rows) == NULL) exit(1);
}

static void must_be(spt_i32 result)
{
    if (result >= 0) return;
    fprintf(stderr, "world: %s\n", world_error(result));
    exit(1);
}

static void print(const char *what, spt_i32 count, int of)
{
    must_be(count);
    printf("%s %d %08lx\n", what, (int)count, (unsigned long)world_sum(of));
}

static spt_i32 ask(int question, double ax, double ay, double bx, double by)
{
    double size = 0;

    ax *= world_width, ay *= world_height, bx *= world_width, by *= world_height;
    if (question == CIRCLE) size = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
    if (question == MOVING_BOX) size = world_width / 80;
    if (question == NEAREST) size = 20;
    if (question == STEER) size = world_width / 4000 * 16;
    return world_ask(question, (float)ax, (float)ay, (float)bx, (float)by, (float)size);
}

static void open_and_step(spt_i32 n, int steps)
{
    must_be(world_open(n, (float)world_width, (float)world_height));
    while (steps-- > 0) must_be(world_step(16));
}

/* What test.js does with the page. */
int main(void)
{
    static const char *structures[STRUCTURES] = {"linear: pairs", "quadtree: pairs",
                                                 "loosegrid: pairs", "packed: pairs",
                                                 "broadphase: pairs"};
    static const char *questions[QUESTIONS] = {"window",     "circle",  "ray",
                                               "moving box", "nearest", "steer"};
    const double ax = 256.0 / 1024, ay = 192.0 / 640, bx = 576.0 / 1024, by = 416.0 / 640;
    int i, question, frame;

    shape(20000, 1024, 640);
    for (i = 0; i <= HIT_EDGE; i++) world_colours()[i] = (spt_u32)i + 1;
    for (i = 0; i < STRUCTURES; i++) {
        structure = i;
        open_and_step(20000, 30);
        print(structures[i], world_pairs(), OF_PAIRS);
        for (question = 0; question < QUESTIONS; question++) {
            for (frame = 1; question == STEER && frame < 60; frame++) /* till it rests */
                ask(question, ax, ay, bx, by);
            print(questions[question], ask(question, ax, ay, bx, by), OF_FOUND);
        }
        ask(STEER, ax, ay, bx, by);
        world_draw(1);
        print("picture with cells", screen.width * screen.height, OF_PICTURE);
    }
    shape(20000, 700, 500);
    must_be(world_stretch((float)world_width, (float)world_height));
    must_be(world_step(16));
    print("another shape: pairs", world_pairs(), OF_PAIRS);
    print("window", ask(WINDOW, ax + 1.0 / 64, ay + 1.0 / 64, bx + 1.0 / 64, by + 1.0 / 64),
          OF_FOUND);
    shape(200000, 700, 500);
    open_and_step(200000, 2);
    print("200000 boxes: pairs", world_pairs(), OF_PAIRS);
    return 0;
}
#endif
