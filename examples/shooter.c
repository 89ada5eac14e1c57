/* shooter - 5,000 players, enemies and bullets among walls: the questions of a game

   usage: shooter [--svg FILE]

   Walls stand still, so they are packed; all that moves, comes or goes is in a linear index:
       walk    may it go on, or is there a wall?       spt_cast, of a box that moves
       look    which player is near, and in sight?     spt_nearest, then spt_cast of a ray
       fly     what does a bullet hit first?           spt_cast, of a small box
       point   what is under the cursor, or near it?   spt_nearest, of a point
       show    what does the camera see?               spt_query, and spt_visit to draw it
   A bullet goes further in a frame than a wall is thick, so where it is before and after tells
   nothing: its whole way is asked for. A filter says which categories a question is about. Every
   tenth frame holds each answer against a loop over all boxes. --svg draws what the camera sees.

   Look at walk, look and fly: a few lines for each question. Every sixtieth frame prints who is
   there and how many the camera sees; the last lines count shots, hits and checked answers.

   Build: cc -O2 -I. -o shooter examples/shooter.c -lm
   Exit status: 0; 1 if something failed or an answer is wrong; 2 for a wrong option. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

enum { WIDTH = 3200, HEIGHT = 2000, WALLS = 500, ENTITIES = 5000, PLAYERS = 60, ENEMIES = 4700 };
enum { SIGHT = 160, RELOAD = 16, BULLET_SPEED = 48, CURSOR = 12 };
enum { CAMERA_X = 320, CAMERA_Y = 200, FRAMES = 181 };
enum { PLAYER = 1, ENEMY = 2, BULLET = 4 }; /* categories are bits */

typedef struct layer {
    spt_index index;
    spt_box boxes[ENTITIES]; /* by id, as the index has them */
    spt_i32 count;           /* ids are below */
} layer;

typedef struct entity {
    float vx, vy; /* units a frame */
    int health;
    spt_u32 generation; /* of its id: how often that was given away before */
    spt_u32 owner;      /* of a bullet: the handle of who shot it */
} entity;

static layer walls, movers;
static spt_u32 categories[ENTITIES];
static entity entities[ENTITIES];
static spt_intlist free_ids, found;
static int population[BULLET + 1]; /* of each category */
static int checking;               /* this frame's answers are checked */
static long checked, shots, wall_hits, body_hits, deaths, picks;
static spt_u32 seed = 1;

static void fail(const char *what)
{
    fprintf(stderr, "shooter: %s\n", what);
    exit(1);
}

/* Passes a count through; errors are negative. */
static spt_i32 must(spt_i32 result)
{
    if (result < 0) fail(spt_error_string(result));
    return result;
}

/* ---- questions, and the loops that they spare ------------------------------------------------ */

static int passes(const layer *l, const spt_filter *f, spt_i32 id)
{
    if (!spt_contains(&l->index, id)) return 0;
    return f == NULL ||
           ((f->categories[id] & f->mask) != 0 && (f->except_count == 0 || f->except[0] != id));
}

static void check(int same)
{
    if (!same) fail("an index and a loop over all boxes differ");
    checked++;
}

/* All in a window; the ids are in `found`. */
static spt_i32 in_window(const layer *l, const spt_box *window, const spt_filter *f)
{
    spt_i32 n = must(spt_query(&l->index, window, f, &found)), i;
    long sum = 0; /* of the ids found, less the ids that the loop finds */

    if (!checking) return n;
    for (i = 0; i < n; i++) sum += 1 + spt_intlist_get(&found, i, 0);
    for (i = 0; i < l->count; i++)
        if (passes(l, f, i) && spt_box_overlap(window, &l->boxes[i])) sum -= 1 + i;
    check(sum == 0);
    return n;
}

/* The nearest to a box that is no further than the limit, or SPT_NONE. */
static spt_i32 nearest(const layer *l, const spt_box *box, float limit, const spt_filter *f)
{
    spt_i32 n = must(spt_nearest(&l->index, box, 1, limit, f, &found));
    spt_i32 id = n > 0 ? spt_intlist_get(&found, 0, 0) : SPT_NONE, best = SPT_NONE, i;

    if (!checking) return id;
    for (i = 0; i < l->count; i++) {
        if (!passes(l, f, i) || !spt_box_within(box, &l->boxes[i], limit)) continue;
        if (best == SPT_NONE || spt_box_nearer(box, &l->boxes[i], &l->boxes[best]) < 0) best = i;
    }
    check(id == best);
    return id;
}

/* What a motion meets first. If that is nothing: 0, with an id of SPT_NONE and a late time. */
static int first_hit(const layer *l, const spt_motion *motion, const spt_filter *f, spt_hit *hit)
{
    static const spt_hit none = {SPT_NONE, 2, 0, 0, 0, 0};
    int hits = must(spt_cast(&l->index, motion, f, hit));
    spt_hit best = none, other;
    spt_i32 i;

    if (!hits) *hit = none;
    if (!checking) return hits;
    for (i = 0; i < l->count; i++) {
        if (!passes(l, f, i) || !spt_box_cast(motion, &l->boxes[i], &other)) continue;
        if (other.t < best.t || (other.t <= best.t && other.corner < best.corner))
            best = other, best.id = i;
    }
    check(hit->id == best.id && !(hit->t < best.t) && !(hit->t > best.t));
    return hits;
}

/* ---- entities -------------------------------------------------------------------------------- */

/* A handle is an id with the generation of the id in its high bits: who keeps the handle of
   something that is gone does not take what got its id for it. The index is given the id alone. */
static spt_u32 handle_of(spt_i32 id)
{
    return (entities[id].generation & 0xFFFF) << 16 | (spt_u32)id;
}

/* The id of a handle, or SPT_NONE if it is gone. */
static spt_i32 id_of(spt_u32 handle)
{
    spt_i32 id = (spt_i32)(handle & 0xFFFF);

    return spt_contains(&movers.index, id) && handle_of(id) == handle ? id : SPT_NONE;
}

/* Returns the id, or SPT_NONE if there are too many. */
static spt_i32 spawn(spt_u32 category, const spt_box *box, int health)
{
    spt_i32 id;

    if (spt_intlist_pop(&free_ids, &id) != SPT_OK) return SPT_NONE;
    entities[id].health = health;
    categories[id] = category;
    movers.boxes[id] = *box;
    must(spt_insert(&movers.index, id, box));
    population[category]++;
    return id;
}

static void despawn(spt_i32 id)
{
    must(spt_remove(&movers.index, id));
    population[categories[id]]--;
    entities[id].generation++;
    must(spt_intlist_push(&free_ids, &id));
}

/* 0 .. n - 1. The constants are by Knuth and Lewis as given in Numerical Recipes. */
static int random_below(int n)
{
    seed = (seed * 1664525u + 1013904223u) & 0xffffffffu;
    return (int)((seed >> 16) * (spt_u32)n >> 16);
}

/* A box somewhere in the world. */
static void random_box(float half_width, float half_height, spt_box *box)
{
    float x = (float)random_below(WIDTH);
    float y = (float)random_below(HEIGHT); /* compilers would choose the order of arguments */

    spt_box_around(x, y, half_width, half_height, box);
}

/* Brings back who is gone, somewhere where there is no wall. Speeds are quarters: so is then where
   they walk, and nothing is rounded. */
static void populate(void)
{
    while (population[PLAYER] < PLAYERS || population[ENEMY] < ENEMIES) {
        int is_player = population[PLAYER] < PLAYERS;
        spt_box box;
        spt_i32 id;

        random_box(3, 3, &box);
        if (in_window(&walls, &box, NULL) > 0) continue;
        id = spawn(is_player ? PLAYER : ENEMY, &box, is_player ? 9 : 2);
        if (id == SPT_NONE) return; /* till bullets end, all ids are in use */
        entities[id].vx = (float)(random_below(17) - 8) / 4;
        entities[id].vy = (float)(random_below(17) - 8) / 4;
    }
}

/* ---- a frame --------------------------------------------------------------------------------- */

static void move(spt_i32 id)
{
    spt_box *box = &movers.boxes[id];

    box->min_x += entities[id].vx, box->max_x += entities[id].vx;
    box->min_y += entities[id].vy, box->max_y += entities[id].vy;
    must(spt_move(&movers.index, id, box));
}

/* Who would run into a wall turns round instead. With `enter` a wall that is only touched, or that
   one is in, does not hold back who walks along it or out of it. */
static void walk(spt_i32 id)
{
    entity *e = &entities[id];
    spt_motion motion;
    spt_hit hit;

    motion.box = movers.boxes[id];
    motion.dx = e->vx, motion.dy = e->vy;
    motion.enter = 1;
    if (!first_hit(&walls, &motion, NULL, &hit)) move(id);
    if (hit.nx != 0) e->vx = -e->vx;
    if (hit.ny != 0) e->vy = -e->vy;
}

/* An enemy shoots at the nearest player, if no wall is on the ray between them. */
static void look(spt_i32 id)
{
    spt_filter players = {0};
    const spt_box *from = &movers.boxes[id], *to;
    spt_i32 target, bullet;
    spt_motion ray = {{0, 0, 0, 0}, 0, 0, 0};
    spt_hit hit;
    double distance;

    players.categories = categories, players.mask = PLAYER;
    target = nearest(&movers, from, SIGHT, &players);
    if (target == SPT_NONE) return;
    to = &movers.boxes[target];
    spt_box_around(from->min_x + 3, from->min_y + 3, 0, 0, &ray.box);
    ray.dx = to->min_x - from->min_x, ray.dy = to->min_y - from->min_y; /* all are of one size */
    if (first_hit(&walls, &ray, NULL, &hit)) return;
    /* in double, where squares of floats are exact, so that every compiler gets the same */
    distance = sqrt((double)ray.dx * (double)ray.dx + (double)ray.dy * (double)ray.dy);
    spt_box_around(ray.box.min_x, ray.box.min_y, 1, 1, &ray.box); /* which the bullet begins as */
    bullet = distance > 0 ? spawn(BULLET, &ray.box, 1) : SPT_NONE;
    if (bullet == SPT_NONE) return;
    entities[bullet].vx = (float)((double)ray.dx / distance * BULLET_SPEED);
    entities[bullet].vy = (float)((double)ray.dy / distance * BULLET_SPEED);
    entities[bullet].owner = handle_of(id);
    shots++;
}

/* A bullet ends at the first thing that it meets. It begins inside its shooter, who is left out,
   unless that one is gone: its id may be somebody else's. */
static void fly(spt_i32 id)
{
    spt_i32 shooter = id_of(entities[id].owner);
    spt_filter bodies = {0};
    spt_motion motion = {{0, 0, 0, 0}, 0, 0, 0}; /* enter is 0: who stands where it begins is hit */
    spt_hit wall, body;

    bodies.categories = categories, bodies.mask = PLAYER | ENEMY;
    bodies.except = &shooter, bodies.except_count = shooter != SPT_NONE;
    motion.box = movers.boxes[id];
    motion.dx = entities[id].vx, motion.dy = entities[id].vy;
    first_hit(&walls, &motion, NULL, &wall);
    first_hit(&movers, &motion, &bodies, &body);
    if (wall.id == SPT_NONE && body.id == SPT_NONE)
        move(id);
    else
        despawn(id);
    if (wall.id != SPT_NONE && wall.t <= body.t) {
        wall_hits++;
    } else if (body.id != SPT_NONE) {
        body_hits++;
        if (--entities[body.id].health > 0) return;
        deaths++;
        despawn(body.id);
    }
}

/* The cursor is in the middle of the camera's view, and both move over the world. */
static void run_frame(int frame, spt_box *camera)
{
    float x = (float)(frame * 7 % WIDTH), y = (float)(frame * 5 % HEIGHT);
    spt_filter bodies = {0};
    spt_box cursor;
    spt_i32 id;

    bodies.categories = categories, bodies.mask = PLAYER | ENEMY;
    checking = frame % 10 == 0;
    populate();
    for (id = 0; id < ENTITIES; id++) {
        spt_u32 category = spt_contains(&movers.index, id) ? categories[id] : 0;

        if (category == BULLET) fly(id);
        if (category == PLAYER || category == ENEMY) walk(id);
        if (category == ENEMY && (frame + id) % RELOAD == 0) look(id);
    }
    spt_box_around(x, y, 0, 0, &cursor);
    if (nearest(&movers, &cursor, CURSOR, &bodies) != SPT_NONE) picks++;
    spt_box_around(x, y, CAMERA_X, CAMERA_Y, camera);
    if (frame % 60 == 0)
        printf("frame %3d: %d players, %d enemies, %d bullets; the camera sees %d of them\n", frame,
               population[PLAYER], population[ENEMY], population[BULLET],
               (int)in_window(&movers, camera, NULL));
    spt_tidy(&movers.index);
}

/* ---- the program ----------------------------------------------------------------------------- */

/* Four walls around the world, and others anywhere: long and thin. */
static void build(void)
{
    static const spt_box world = {0, 0, WIDTH, HEIGHT};
    static const spt_box around[4] = {{-9, -9, WIDTH + 9, 0},
                                      {-9, HEIGHT, WIDTH + 9, HEIGHT + 9},
                                      {-9, -9, 0, HEIGHT + 9},
                                      {WIDTH, -9, WIDTH + 9, HEIGHT + 9}};
    spt_linear_desc desc = {0};
    spt_i32 i;

    desc.bounds = world;
    desc.capacity = ENTITIES;
    desc.no_pairs = 1;
    memcpy(walls.boxes, around, sizeof around);
    for (i = 4; i < WALLS; i++) {
        float length = (float)(10 + random_below(60));

        random_box(i % 2 == 0 ? length : 4, i % 2 == 0 ? 4 : length, &walls.boxes[i]);
    }
    spt_intlist_init(&free_ids, 1), spt_intlist_init(&found, 1);
    must(spt_packed_init(&walls.index, NULL));
    must(spt_linear_init(&movers.index, &desc));
    must(spt_build(&walls.index, walls.boxes, WALLS));
    walls.count = WALLS, movers.count = ENTITIES;
    for (i = ENTITIES; i-- > 0;) must(spt_intlist_push(&free_ids, &i));
}

static int draw_box(void *file, spt_i32 id, const spt_box *box)
{
    (void)id;
    fprintf(file, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n",
            (double)box->min_x, (double)box->min_y, (double)box->max_x - (double)box->min_x,
            (double)box->max_y - (double)box->min_y);
    return 0;
}

static void write_svg(const char *path, const spt_box *camera)
{
    static const char *const colours[] = {"#0077b6", "#f72585", "#370617"}; /* of categories */
    spt_filter filter = {0};
    FILE *file = fopen(path, "w");
    int k;

    filter.categories = categories;
    if (file == NULL) fail("cannot write the picture");
    fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%.2f %.2f %d %d\">\n",
            (double)camera->min_x, (double)camera->min_y, 2 * CAMERA_X, 2 * CAMERA_Y);
    fprintf(file, "<g fill=\"#8d99ae\">\n");
    must(spt_visit(&walls.index, camera, NULL, draw_box, file));
    for (k = 0; k < 3; k++) {
        fprintf(file, "</g>\n<g fill=\"%s\">\n", colours[k]);
        filter.mask = (spt_u32)1 << k;
        must(spt_visit(&movers.index, camera, &filter, draw_box, file));
    }
    fprintf(file, "</g>\n</svg>\n");
    if (ferror(file) || fclose(file) != 0) fail("cannot write the picture");
}

int main(int argc, char **argv)
{
    spt_box camera;
    int frame;

    if (argc != 1 && (argc != 3 || strcmp(argv[1], "--svg") != 0)) {
        fprintf(stderr, "usage: shooter [--svg FILE]\n");
        return 2;
    }
    build();
    for (frame = 0; frame < FRAMES; frame++) run_frame(frame, &camera);
    printf("%ld shots: %ld hit a wall, %ld somebody, of whom %ld died\n", shots, wall_hits,
           body_hits, deaths);
    printf("the cursor was on or near somebody in %ld of %d frames; %ld answers checked\n", picks,
           FRAMES, checked);
    if (argc == 3) write_svg(argv[2], &camera);
    spt_intlist_free(&free_ids), spt_intlist_free(&found);
    spt_free(&walls.index), spt_free(&movers.index);
    return 0;
}

/* Prints:
frame   0: 60 players, 4700 enemies, 58 bullets; the camera sees 58 of them
frame  60: 53 players, 4677 enemies, 172 bullets; the camera sees 191 of them
frame 120: 58 players, 4669 enemies, 176 bullets; the camera sees 194 of them
frame 180: 59 players, 4680 enemies, 185 bullets; the camera sees 184 of them
17056 shots: 995 hit a wall, 15876 somebody, of whom 4306 died
the cursor was on or near somebody in 96 of 181 frames; 111302 answers checked
*/
