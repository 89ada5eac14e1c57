/* room - round players in a room seen from above, and 10,000 frames of play: how shapes move

   usage: room [--svg FILE | --watch | --play]

   Three indexes keep everything: the walls (packed), all that moves (linear), and all that lies on
   the floor (linear). Elements other than tiles tell their shapes through spt_layer.shape.
       walk, dash   a body slides along walls and slopes, round a pillar   spt_shape_slide
       push         the player or a guard pushes the crate that stops it   spt_shape_slide
       sight        guards chase the player when they see it, and they     spt_shape_cast
                    see past the round side of a pillar
       doors        open while a body is on a plate, else close, and       spt_shape_any
                    wait while anybody is in the way
       bar          goes to and fro and pushes bodies out of its way       spt_query, spt_shape_any
       belts        take along the body whose centre is on them            spt_nearest
       gems         the player goes for the nearest one that it sees,      spt_nearest_visit,
                    and takes those whose boxes it touches                 spt_within
       respawn      the player that is caught comes back, if the place     spt_shape_any
                    is free

   Loops of another kind check in each frame that nobody is inside of anything, and in each slide
   that it has not gone through a wall (nor through the wall of no width, nor by a dash, which is
   seven times as long as the player is wide); and in each eighth frame they check the sight lines
   of the guards. --svg draws the room and the ways of a minute. With SDL 2, --watch shows the same
   in a window, and --play lets you play it: arrow keys walk, space dashes, escape ends.

   Look at slide, push, move_bar and sees. The program prints the outcome: gems, pushes, checks.

   Build: cc -O2 -I. -o room examples/room.c -lm, and for a window
          cc -O2 -I. -DWITH_SDL $(sdl2-config --cflags) -o room examples/room.c \
              $(sdl2-config --libs) -lm
   Exit status: 0; 1 if something failed or a check did; 2 for a wrong option. */

#ifdef WITH_SDL
#include <SDL.h>
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

enum { COLUMNS = 40, ROWS = 24, TILES = COLUMNS * ROWS, MOVERS = 32, FRAMES = 10000 };
enum { MINUTE = 3600, OUTLINE = 32 };     /* frames; corners of a drawn outline */
enum { OPEN = 18, NAP = 120, DASH = 60 }; /* steps of a door; frames; times the speed */
enum { LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8, SPACE = 16 }; /* keys */

/* Categories are bits. The first is in the index of walls, the last three are in that of the
   floor. */
enum { WALL = 1, DOOR = 2, BAR = 4, CRATE = 8, GUARD = 16, PLAYER = 32 };
enum { BELT = 64, PLATE = 128, GEM = 256, BODY = CRATE | GUARD | PLAYER };

/* Lengths are in tiles; y points down. The skin is a hundredth of a body's width. */
#define SKIN ((spt_coord)0.008)
#define SPEED ((spt_coord)0.1) /* of the player */
#define STEP ((spt_coord)0.05) /* of doors */

/* clang-format off */
static const char *const room[ROWS] = {
    "########################################",
    "#4             3#4          3#4       3#",
    "#               #            #         #",
    "#  @    o       #       o    #   o     #",
    "#               #  O         #         #",
    "#      C        #         G  #    21   #",
    "#           O   A            #    34   #",
    "#    C          #     C      #         #",
    "#  a            #    a   C   B    G    #",
    "#     o         #            #   b     #",
    "#1             2#1    o     2#1       2#",
    "#######  ############  ###########   ###",
    "#v<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<#",
    "#>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>^#",
    "####  ##############  ########  ########",
    "#4          3#4          3#4          3#",
    "#            #            #            #",
    "#  G     o   #  P     o   #  #######   #",
    "#            #            #  #4   3#   #",
    "#      O     |    C       #  # oG  # o #",
    "#            |        C   #  #     # L #",
    "#   o     L  #   o        #  #1   2#   #",
    "#1          2#1          2#  #######  2#",
    "########################################",
};
/* clang-format on */

static const struct kind {
    char letter;
    spt_u32 category, colour;
    int count;                        /* of points */
    double points[8], radius, vx, vy; /* points from the corner of its tile; speeds a frame */
} kinds[] = {
    {'#', WALL, 0x3d5a80, 4, {0, 0, 1, 0, 1, 1, 0, 1}, 0, 0, 0},
    {'1', WALL, 0x3d5a80, 3, {0, 0, 1, 1, 0, 1}, 0, 0, 0}, /* slopes, solid at one corner */
    {'2', WALL, 0x3d5a80, 3, {1, 0, 1, 1, 0, 1}, 0, 0, 0},
    {'3', WALL, 0x3d5a80, 3, {0, 0, 1, 0, 1, 1}, 0, 0, 0},
    {'4', WALL, 0x3d5a80, 3, {0, 0, 1, 0, 0, 1}, 0, 0, 0},
    {'O', WALL, 0x3d5a80, 1, {0.5, 0.5}, 1.25, 0, 0},
    {'|', WALL, 0x8ecae6, 2, {0, 0, 0, 1}, 0, 0, 0}, /* of no width, on the left of its tile */
    {'A', DOOR, 0xf72585, 4, {0.35, 0, 0.65, 0, 0.65, 1, 0.35, 1}, 0, 0, 0},
    {'B', DOOR, 0x9d4edd, 4, {0.35, 0, 0.65, 0, 0.65, 1, 0.35, 1}, 0, 0, 0},
    {'P', BAR, 0x8ecae6, 4, {0, 0, 0.3, 0, 0.3, 3, 0, 3}, 0, 0.06, 0},
    {'C', CRATE, 0xb5835a, 4, {0.1, 0.1, 0.9, 0.1, 0.9, 0.9, 0.1, 0.9}, 0, 0, 0},
    {'G', GUARD, 0xef233c, 1, {0.5, 0.5}, 0.4, 0, 0},
    {'L', GUARD, 0xf8961e, 2, {0.2, 0.5, 1, 0.5}, 0.3, 0, 0}, /* a capsule */
    {'@', PLAYER, 0x80ed99, 1, {0.5, 0.5}, 0.4, 0, 0},
    {'>', BELT, 0x1d2d50, 4, {0, 0, 1, 0, 1, 1, 0, 1}, 0, 0.05, 0},
    {'<', BELT, 0x1d2d50, 4, {0, 0, 1, 0, 1, 1, 0, 1}, 0, -0.05, 0},
    {'^', BELT, 0x1d2d50, 4, {0, 0, 1, 0, 1, 1, 0, 1}, 0, 0, -0.05},
    {'v', BELT, 0x1d2d50, 4, {0, 0, 1, 0, 1, 1, 0, 1}, 0, 0, 0.05},
    {'a', PLATE, 0x6d1a42, 4, {0.1, 0.1, 0.9, 0.1, 0.9, 0.9, 0.1, 0.9}, 0, 0, 0},
    {'b', PLATE, 0x4b2a6b, 4, {0.1, 0.1, 0.9, 0.1, 0.9, 0.9, 0.1, 0.9}, 0, 0, 0},
    {'o', GEM, 0xf9c74f, 1, {0.5, 0.5}, 0.15, 0, 0},
};

typedef struct thing {
    const struct kind *kind;
    spt_coord points[8];
    spt_shape shape;  /* of these points */
    spt_coord vx, vy; /* the way that it goes in a frame; of a belt, that a body on it goes */
    int wait;         /* frames until it chooses another way */
    int naps;         /* frames in which it stays where it is */
    int open;         /* of a door: steps from its place */
} thing;

static thing things[TILES];
static spt_box boxes[TILES]; /* around them */
static spt_u32 categories[TILES];
static spt_i32 count, player; /* things are their own ids; the walls come first */
static spt_coord start[2];    /* of the player */
static spt_index walls, movers, floors;
static spt_filter others, opaque, bodies, belts, gems; /* the first leaves out one thing */
static spt_layer solid[2], sight[2], pressing;         /* walls and movers; the bodies */
static spt_intlist found;
static spt_coord trail[MOVERS][MINUTE][2]; /* centres of the last frames */
static spt_i32 walkers[MOVERS];            /* the guards and the player */
static int walker_count;
static int frame, taken, all_gems, caught, pushes, rides, dashes, doors, turns, sights;
static long checks, failures;
static spt_u32 hash = 2166136261u; /* FNV-1a, of 32 bits a step */

static void fail(const char *what)
{
    fprintf(stderr, "room: %s\n", what);
    exit(1);
}

/* Passes a result through; errors are negative. */
static spt_i32 must(spt_i32 result)
{
    if (result < 0) fail(spt_error_string(result));
    return result;
}

static void check(int good, const char *what, spt_i32 id)
{
    checks++;
    if (!good && failures++ < 10) fprintf(stderr, "room: frame %d: %s: %d\n", frame, what, (int)id);
}

/* The low bits of such a generator are poor. */
static int below(int n)
{
    static spt_u32 state = 1;

    state = (state * 1664525u + 1013904223u) & 0xffffffffu;
    return (int)(state >> 8) % n;
}

static spt_coord centre_x(spt_i32 id)
{
    return (boxes[id].min_x + boxes[id].max_x) / 2;
}

static spt_coord centre_y(spt_i32 id)
{
    return (boxes[id].min_y + boxes[id].max_y) / 2;
}

/* ---- the check of a way ---------------------------------------------------------------------- */

/* The tile with the centre of a thing, or -1. */
static int tile_of(spt_i32 id)
{
    const double x = (double)centre_x(id), y = (double)centre_y(id);

    return x >= 0 && x < COLUMNS && y >= 0 && y < ROWS ? (int)y * COLUMNS + (int)x : -1;
}

/* Whether a body can go from a tile to the one beside it. Doors open, and slopes leave half of
   their tile; the wall of no width is on the left of its tile. */
static int is_open(int from, int to)
{
    const int right = from > to ? from : to;

    if (room[to / COLUMNS][to % COLUMNS] == '#') return 0;
    return abs(to - from) > 1 || room[right / COLUMNS][right % COLUMNS] != '|';
}

/* How many tiles a body has to enter, at least, to come from one to another. */
static int tiles_between(int from, int to)
{
    static const int beside[4] = {1, -1, COLUMNS, -COLUMNS};
    static int steps[TILES], reached[TILES];
    int n = 1, i, k;

    for (i = 0; i < TILES; i++) steps[i] = TILES;
    steps[from] = 0, reached[0] = from;
    for (i = 0; i < n && steps[to] == TILES; i++)
        for (k = 0; k < 4; k++) {
            const int next = reached[i] + beside[k];

            if (steps[next] < TILES || !is_open(reached[i], next)) continue;
            steps[next] = steps[reached[i]] + 1, reached[n++] = next;
        }
    return steps[to];
}

/* A body that has gone through a wall would have needed a longer way. */
static void check_way(spt_i32 id, int from, double asked, double moved)
{
    const int to = tile_of(id);

    check(moved <= asked + 1.01 * (double)SKIN, "it moves further than it should", id);
    check(to >= 0 && (to == from || tiles_between(from, to) <= 2 * asked + 3), "it passes a wall",
          id);
}

/* ---- how bodies move ------------------------------------------------------------------------- */

/* For spt_layer.shape: walls that are tiles are their boxes. */
static int tell_shape(void *ctx, spt_i32 id, spt_shape *out) SPT_CALLBACK
{
    (void)ctx;
    if (things[id].kind->letter == '#') return 0;
    *out = things[id].shape;
    return 1;
}

static void shift(thing *t, spt_coord x, spt_coord y)
{
    int k;

    for (k = 0; k < t->shape.count; k++) t->points[2 * k] += x, t->points[2 * k + 1] += y;
}

/* Moves a thing, and tells its index. */
static void move(spt_i32 id, spt_coord x, spt_coord y)
{
    shift(&things[id], x, y);
    must(spt_shape_box(&things[id].shape, &boxes[id]));
    must(spt_move(&movers, id, &boxes[id]));
}

/* Slides a body among walls and movers but itself. Returns how many things stop it. */
static int slide(spt_i32 id, spt_coord dx, spt_coord dy, spt_coord *moved, spt_shape_hit *hits)
{
    int n, tile;

    others.except = &id, others.except_count = 1;
    n = must(
        spt_shape_slide(solid, 2, &things[id].shape, dx, dy, SKIN, &moved[0], &moved[1], hits));
    tile = tile_of(id);
    move(id, moved[0], moved[1]);
    check_way(id, tile, hypot((double)dx, (double)dy), hypot((double)moved[0], (double)moved[1]));
    return n;
}

/* The player comes back where it was at first, if there is room. */
static void respawn(void)
{
    thing back = things[player];

    back.shape.points = back.points;
    shift(&back, start[0] - back.points[0], start[1] - back.points[1]);
    others.except = &player, others.except_count = 1;
    if (must(spt_shape_any(solid, 2, &back.shape)) > 0) return;
    move(player, start[0] - things[player].points[0], start[1] - things[player].points[1]);
}

/* A crate gets half of the way that a body has lost by it, and the body follows. (The sum of the
   products of floats is exact but for one rounding of a double: so it is the same everywhere.) */
static void push(spt_i32 id, spt_coord dx, spt_coord dy, const spt_shape_hit *hit)
{
    double into = -((double)dx * (double)hit->nx + (double)dy * (double)hit->ny);
    spt_coord moved[2];

    into = into * (1 - (double)hit->t) / 2;
    if (!(into > 0)) return;
    slide(hit->id, (spt_coord)(-(double)hit->nx * into), (spt_coord)(-(double)hit->ny * into),
          moved, NULL);
    slide(id, moved[0], moved[1], moved, NULL);
    pushes++;
}

/* A body goes its way, and the way of the belt that its centre is on. */
static void walk(spt_i32 id)
{
    thing *t = &things[id];
    spt_coord dx = t->vx, dy = t->vy, moved[2];
    spt_shape_hit hits[SPT_SHAPE_HITS];
    spt_box centre;
    int n, k;

    spt_box_around(centre_x(id), centre_y(id), 0, 0, &centre);
    if (must(spt_nearest(&floors, &centre, 1, 0, &belts, &found)) > 0) {
        const thing *belt = &things[spt_intlist_get(&found, 0, 0)];

        dx += belt->vx, dy += belt->vy, rides++;
    }
    if (fabs((double)dx) + fabs((double)dy) > 1) dashes++;
    n = slide(id, dx, dy, moved, hits);
    if (categories[id] == CRATE) return; /* crates do not push */
    for (k = 0; k < n; k++) {
        if (hits[k].layer == 0) continue;
        if (categories[hits[k].id] == CRATE) push(id, dx, dy, &hits[k]);
        if (categories[id] == GUARD && hits[k].id == player) caught++, t->naps = NAP, respawn();
    }
}

/* All bodies whose boxes are where the bar will be go its way first. If one of them is still there,
   or a wall, the bar turns. */
static void move_bar(spt_i32 id)
{
    thing *bar = &things[id], next = *bar;
    spt_box place;
    spt_coord moved[2];
    spt_i32 n, i;

    next.shape.points = next.points;
    shift(&next, bar->vx, 0);
    must(spt_shape_box(&next.shape, &place));
    n = must(spt_query(&movers, &place, &bodies, &found));
    for (i = 0; i < n; i++) slide(spt_intlist_get(&found, i, 0), bar->vx, 0, moved, NULL);
    others.except = &id, others.except_count = 1;
    if (must(spt_shape_any(solid, 2, &next.shape)) > 0)
        bar->vx = -bar->vx, turns++;
    else
        move(id, bar->vx, 0);
}

/* A door moves by a step if nobody is where it then will be. It opens into the wall. */
static void move_door(spt_i32 id)
{
    thing *door = &things[id], next = *door;
    int pressed = 0;
    spt_i32 i;

    for (i = 0; i < count; i++)
        if (things[i].kind->letter == door->kind->letter - 'A' + 'a')
            pressed |= must(spt_shape_any(&pressing, 1, &things[i].shape)) > 0;
    if (pressed ? door->open == OPEN : door->open == 0) return;
    next.shape.points = next.points;
    shift(&next, 0, pressed ? -STEP : STEP);
    others.except = &id, others.except_count = 1;
    if (must(spt_shape_any(&solid[1], 1, &next.shape)) > 0) return;
    move(id, 0, pressed ? -STEP : STEP);
    door->open += pressed ? 1 : -1;
    if (door->open == OPEN) doors++;
}

/* ---- where they go --------------------------------------------------------------------------- */

/* A ray, which is a shape of one point, from the centre of one to the centre of the other. */
static int sees(spt_i32 id, spt_i32 other)
{
    spt_coord eye[2];
    spt_shape point;

    eye[0] = centre_x(id), eye[1] = centre_y(id);
    point.points = eye, point.count = 1, point.radius = 0;
    return must(spt_shape_cast(sight, 2, &point, centre_x(other) - eye[0], centre_y(other) - eye[1],
                               0, NULL)) == 0;
}

static void head_for(spt_i32 id, spt_i32 other, spt_coord speed)
{
    const spt_coord dx = centre_x(other) - centre_x(id), dy = centre_y(other) - centre_y(id);
    const double way = sqrt((double)dx * (double)dx + (double)dy * (double)dy);

    if (!(way > 0)) return;
    things[id].vx = (spt_coord)((double)dx / way * (double)speed);
    things[id].vy = (spt_coord)((double)dy / way * (double)speed);
}

static void head(thing *t, int keys, spt_coord speed)
{
    const int x = ((keys & RIGHT) != 0) - ((keys & LEFT) != 0);
    const int y = ((keys & DOWN) != 0) - ((keys & UP) != 0);

    if (x != 0 && y != 0) speed *= (spt_coord)0.70703125;
    t->vx = (spt_coord)x * speed, t->vy = (spt_coord)y * speed;
}

/* Now and then it chooses another way, and sometimes it dashes for one frame. */
static void wander(thing *t, spt_coord speed)
{
    static const int ways[8] = {LEFT,      RIGHT,       UP,         DOWN,
                                LEFT | UP, LEFT | DOWN, RIGHT | UP, RIGHT | DOWN};

    if (t->wait-- > 0) return;
    t->wait = 20 + below(80);
    if (below(5) == 0) t->wait = 0, speed *= DASH;
    head(t, ways[below(8)], speed);
}

static int find_seen(void *ctx, spt_i32 id, const spt_box *box, spt_coord distance,
                     spt_coord *limit) SPT_CALLBACK
{
    (void)box, (void)distance, (void)limit;
    if (!sees(player, id)) return 0;
    *(spt_i32 *)ctx = id;
    return 1;
}

/* keys: -1 if nobody plays. */
static void choose_way(spt_i32 id, int keys)
{
    thing *t = &things[id];
    const spt_coord speed = categories[id] == PLAYER ? SPEED : SPEED * (spt_coord)0.75;
    spt_box centre;
    spt_i32 gem;

    if (categories[id] == CRATE) return;
    if (categories[id] == PLAYER && keys >= 0) {
        head(t, keys, keys & SPACE ? speed * DASH : speed);
    } else if (categories[id] == PLAYER) {
        spt_box_around(centre_x(id), centre_y(id), 0, 0, &centre);
        wander(t, speed);
        if (must(spt_nearest_visit(&floors, &centre, &gems, find_seen, &gem)) > 0)
            head_for(id, gem, speed);
    } else if (t->naps > 0) {
        t->naps--, t->vx = t->vy = 0;
    } else {
        wander(t, speed);
        if (sees(id, player)) head_for(id, player, speed), sights++;
    }
}

/* First a query finds the gems, then they are removed: an index must not change while it is
   asked. */
static void take_gems(void)
{
    spt_box centre;
    spt_i32 n, i;

    spt_box_around(centre_x(player), centre_y(player), 0, 0, &centre);
    n = must(spt_within(&floors, &centre, things[player].shape.radius, &gems, &found));
    for (i = 0; i < n; i++) must(spt_remove(&floors, spt_intlist_get(&found, i, 0)));
    taken += (int)n;
}

/* ---- checks, by loops ------------------------------------------------------------------------ */

/* The room between two things along (nx, ny), less than 0 if they overlap there. */
static double room_along(const thing *a, const thing *b, double nx, double ny)
{
    const double length = sqrt(nx * nx + ny * ny);
    double most = -1e9, least = 1e9;
    int k;

    if (!(length > 0)) return -1e9;
    for (k = 0; k < a->shape.count; k++)
        most = fmax(most, nx * (double)a->points[2 * k] + ny * (double)a->points[2 * k + 1]);
    for (k = 0; k < b->shape.count; k++)
        least = fmin(least, nx * (double)b->points[2 * k] + ny * (double)b->points[2 * k + 1]);
    return (least - most) / length - (double)a->shape.radius - (double)b->shape.radius;
}

/* The distance of two things, or less than 0 if they overlap: the most room between them, across
   the sides of each, and along the lines from corner to corner. */
static double gap(const thing *a, const thing *b)
{
    double most = -1e9;
    int side, i, j;

    for (side = 0; side < 2; side++) {
        const thing *of = side ? b : a;

        for (i = 0; i < of->shape.count; i++) {
            const int next = (i + 1) % of->shape.count;
            const double x = (double)of->points[2 * next] - (double)of->points[2 * i];
            const double y = (double)of->points[2 * next + 1] - (double)of->points[2 * i + 1];

            most = fmax(most, fmax(room_along(a, b, y, -x), room_along(a, b, -y, x)));
        }
    }
    for (i = 0; i < a->shape.count; i++)
        for (j = 0; j < b->shape.count; j++)
            most =
                fmax(most, room_along(a, b, (double)b->points[2 * j] - (double)a->points[2 * i],
                                      (double)b->points[2 * j + 1] - (double)a->points[2 * i + 1]));
    return most;
}

static int is_far(const spt_box *a, const spt_box *b)
{
    return a->min_x > b->max_x || a->max_x < b->min_x || a->min_y > b->max_y || a->max_y < b->min_y;
}

/* Nobody may be inside of anything, by more than the half of the skin that a narrow place takes.
   Doors are inside of their walls. */
static void check_places(void)
{
    spt_i32 id, i;

    for (id = 0; id < count; id++) {
        if (!(categories[id] & (BODY | BAR))) continue;
        for (i = 0; i < count; i++) {
            if (i == id || categories[i] >= BELT || is_far(&boxes[id], &boxes[i])) continue;
            check(gap(&things[id], &things[i]) > -0.5 * (double)SKIN, "it is inside of something",
                  id);
        }
        hash = ((hash ^ (spt_u32)(spt_i32)(centre_x(id) * 4096)) * 16777619u) & 0xffffffffu;
        hash = ((hash ^ (spt_u32)(spt_i32)(centre_y(id) * 4096)) * 16777619u) & 0xffffffffu;
    }
}

/* Whether a guard sees the player: it does if no opaque thing is on the line. Lines that nearly
   touch one are left out. */
static void check_sight(spt_i32 id)
{
    double least = 1e9;
    thing line;
    spt_i32 i;

    line.points[0] = centre_x(id), line.points[1] = centre_y(id);
    line.points[2] = centre_x(player), line.points[3] = centre_y(player);
    line.shape.points = line.points, line.shape.count = 2, line.shape.radius = 0;
    for (i = 0; i < count; i++)
        if (categories[i] & (WALL | DOOR | BAR | CRATE))
            least = fmin(least, gap(&line, &things[i]));
    if (fabs(least) > 1e-3) check(sees(id, player) == (least > 0), "it sees or does not", id);
}

/* ---- a frame --------------------------------------------------------------------------------- */

static void run_frame(int keys)
{
    spt_i32 id;
    int k;

    for (id = 0; id < count; id++) {
        if (categories[id] == DOOR) move_door(id);
        if (categories[id] == BAR) move_bar(id);
    }
    for (id = 0; id < count; id++) {
        if (!(categories[id] & BODY)) continue;
        choose_way(id, keys);
        walk(id);
    }
    take_gems();
    spt_tidy(&movers);
    check_places();
    for (k = 0; k < walker_count; k++) {
        trail[k][frame % MINUTE][0] = centre_x(walkers[k]);
        trail[k][frame % MINUTE][1] = centre_y(walkers[k]);
        if (frame % 8 == 0 && walkers[k] != player) check_sight(walkers[k]);
    }
    frame++;
}

/* ---- the picture, and the window ------------------------------------------------------------- */

/* The outline of any shape: in each direction its furthest place. Walls of no width get some. */
static void outline_of(const thing *t, double (*out)[2])
{
    const double radius =
        t->shape.count == 2 ? fmax((double)t->shape.radius, 0.06) : (double)t->shape.radius;
    int k, i;

    for (k = 0; k < OUTLINE; k++) {
        const double angle = 6.283185307179586 * k / OUTLINE, c = cos(angle), s = sin(angle);
        double most = -1e9;

        for (i = 0; i < t->shape.count; i++) {
            const double x = (double)t->points[2 * i], y = (double)t->points[2 * i + 1];

            if (x * c + y * s <= most + 1e-9) continue;
            most = x * c + y * s;
            out[k][0] = x + radius * c, out[k][1] = y + radius * s;
        }
    }
}

static int is_shown(spt_i32 id)
{
    return categories[id] != GEM || spt_contains(&floors, id);
}

/* Draws the floor first, then the ways, and then all that stands on it. */
static void write_svg(const char *path)
{
    FILE *file = fopen(path, "w");
    const int first = frame > MINUTE ? frame - MINUTE : 0;
    double corners[OUTLINE][2];
    spt_i32 i;
    int above, k, f;

    if (file == NULL) fail("cannot write the picture");
    fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1200\" ");
    fprintf(file, "viewBox=\"0 0 %d %d\">\n", COLUMNS, ROWS);
    fprintf(file, "<path fill=\"#0b1020\" d=\"M0,0h%dv%dH0z\"/>\n", COLUMNS, ROWS);
    for (above = 0; above < 2; above++) {
        for (i = 0; i < count; i++) {
            const thing *t = &things[i];

            if (above == (categories[i] >= BELT) || !is_shown(i)) continue;
            outline_of(t, corners);
            fprintf(file, "<path fill=\"#%06lx\" d=\"", (unsigned long)t->kind->colour);
            for (k = 0; k < OUTLINE; k++)
                if (k == 0 || corners[k][0] != corners[k - 1][0] ||
                    corners[k][1] != corners[k - 1][1])
                    fprintf(file, "%c%.2f,%.2f", k ? 'L' : 'M', corners[k][0], corners[k][1]);
            fprintf(file, "z\"/>\n");
            if (categories[i] == BELT)
                fprintf(file,
                        "<path fill=\"none\" stroke=\"#3d5a80\" stroke-width=\"0.06\" "
                        "transform=\"translate(%.4g,%.4g) rotate(%d)\" "
                        "d=\"M-.1,-.2L.1,0L-.1,.2\"/>\n",
                        (double)centre_x(i), (double)centre_y(i),
                        t->vx < 0   ? 180
                        : t->vy > 0 ? 90
                        : t->vy < 0 ? -90
                                    : 0);
        }
        for (k = 0; k < walker_count && above == 0; k++) {
            fprintf(file, "<path fill=\"none\" stroke=\"#%06lx\" stroke-width=\"0.05\" ",
                    (unsigned long)things[walkers[k]].kind->colour);
            fprintf(file, "stroke-opacity=\"0.6\" d=\"");
            for (f = first; f < frame; f += 2) { /* a dash is not drawn: it may bend */
                const spt_coord *at = trail[k][f % MINUTE];
                const spt_coord *was = trail[k][(f > first ? f - 2 : f) % MINUTE];
                const double way = hypot((double)(at[0] - was[0]), (double)(at[1] - was[1]));

                if (f > first && !(way > 0)) continue;
                fprintf(file, "%c%.2f,%.2f", f == first || way > 1 ? 'M' : 'L', (double)at[0],
                        (double)at[1]);
            }
            fprintf(file, "\"/>\n");
        }
    }
    fprintf(file, "</svg>\n");
    if (ferror(file) || fclose(file) != 0) fail("cannot write the picture");
}

#ifdef WITH_SDL
enum { SCALE = 30 };

static SDL_Renderer *renderer;

static void open_window(void)
{
    SDL_Window *window;

    if (SDL_Init(SDL_INIT_VIDEO) != 0 ||
        SDL_CreateWindowAndRenderer(COLUMNS * SCALE, ROWS * SCALE, 0, &window, &renderer) != 0)
        fail(SDL_GetError());
}

/* As a fan of triangles. */
static void show(const thing *t)
{
    double corners[OUTLINE][2];
    SDL_Vertex vertices[OUTLINE];
    int indices[3 * (OUTLINE - 2)], k;

    outline_of(t, corners);
    for (k = 0; k < OUTLINE; k++) {
        vertices[k].position.x = (float)(corners[k][0] * SCALE);
        vertices[k].position.y = (float)(corners[k][1] * SCALE);
        vertices[k].tex_coord.x = vertices[k].tex_coord.y = 0;
        vertices[k].color.r = (Uint8)(t->kind->colour >> 16 & 255);
        vertices[k].color.g = (Uint8)(t->kind->colour >> 8 & 255);
        vertices[k].color.b = (Uint8)(t->kind->colour & 255);
        vertices[k].color.a = 255;
    }
    for (k = 0; k < OUTLINE - 2; k++)
        indices[3 * k] = 0, indices[3 * k + 1] = k + 1, indices[3 * k + 2] = k + 2;
    SDL_RenderGeometry(renderer, NULL, vertices, OUTLINE, indices, 3 * (OUTLINE - 2));
}

/* Returns the keys that are held, or -1 to end. A dash lasts one frame. */
static int show_frame(void)
{
    static int held_space;
    const Uint8 *held = SDL_GetKeyboardState(NULL);
    int dash, hidden;
    spt_i32 i, above;
    SDL_Event event;

    if (renderer == NULL) open_window();
    hidden = strcmp(SDL_GetCurrentVideoDriver(), "dummy") == 0;
    if (hidden && frame % 16 != 0) return 0; /* nobody watches that driver */
    SDL_SetRenderDrawColor(renderer, 11, 16, 32, 255);
    SDL_RenderClear(renderer);
    for (above = 0; above < 2; above++)
        for (i = 0; i < count; i++)
            if (above != (categories[i] >= BELT) && is_shown(i)) show(&things[i]);
    SDL_RenderPresent(renderer);
    if (!hidden)
        while (SDL_GetTicks() < (Uint32)frame * 1000 / 60) SDL_Delay(1);
    while (SDL_PollEvent(&event))
        if (event.type == SDL_QUIT) return -1;
    if (held[SDL_SCANCODE_ESCAPE]) return -1;
    dash = held[SDL_SCANCODE_SPACE] && !held_space;
    held_space = held[SDL_SCANCODE_SPACE];
    return (held[SDL_SCANCODE_LEFT] ? LEFT : 0) | (held[SDL_SCANCODE_RIGHT] ? RIGHT : 0) |
           (held[SDL_SCANCODE_UP] ? UP : 0) | (held[SDL_SCANCODE_DOWN] ? DOWN : 0) |
           (dash ? SPACE : 0);
}
#else
static int show_frame(void)
{
    fail("there is a window only if it is built with -DWITH_SDL");
    return -1;
}
#endif

/* ---- the program ----------------------------------------------------------------------------- */

static void add(const struct kind *kind, int column, int row)
{
    thing *t = &things[count];
    int k;

    t->kind = kind, categories[count] = kind->category;
    for (k = 0; k < 2 * kind->count; k++)
        t->points[k] = (spt_coord)(kind->points[k] + (k % 2 ? row : column));
    t->shape.points = t->points, t->shape.count = kind->count;
    t->shape.radius = (spt_coord)kind->radius;
    t->vx = (spt_coord)kind->vx, t->vy = (spt_coord)kind->vy;
    must(spt_shape_box(&t->shape, &boxes[count]));
    if (kind->category == PLAYER) player = count, start[0] = t->points[0], start[1] = t->points[1];
    if (kind->category == GEM) all_gems++;
    if (kind->category & (PLAYER | GUARD)) walkers[walker_count++] = count;
    if (kind->category & (BODY | BAR | DOOR)) must(spt_insert(&movers, count, &boxes[count]));
    if (kind->category >= BELT) must(spt_insert(&floors, count, &boxes[count]));
    count++;
}

static void build(void)
{
    const struct kind *k, *end = kinds + sizeof kinds / sizeof kinds[0];
    int moves, tile;

    must(spt_packed_init(&walls, NULL));
    must(spt_linear_init(&movers, NULL));
    must(spt_linear_init(&floors, NULL));
    spt_intlist_init(&found, 1);
    for (moves = 0; moves < 2; moves++) { /* first the walls */
        for (tile = 0; tile < TILES; tile++) {
            const char letter = room[tile / COLUMNS][tile % COLUMNS];

            for (k = kinds; k < end && k->letter != letter;) k++;
            if (k < end && moves == (k->category != WALL)) add(k, tile % COLUMNS, tile / COLUMNS);
        }
        if (moves == 0) must(spt_build(&walls, boxes, count));
    }
    others.categories = opaque.categories = bodies.categories = categories;
    belts.categories = gems.categories = categories;
    others.mask = DOOR | BAR | BODY, opaque.mask = DOOR | BAR | CRATE, bodies.mask = BODY;
    belts.mask = BELT, gems.mask = GEM;
    solid[0].index = sight[0].index = &walls;
    solid[1].index = sight[1].index = pressing.index = &movers;
    solid[1].filter = &others, sight[1].filter = &opaque, pressing.filter = &bodies;
    solid[0].shape = solid[1].shape = tell_shape;
    sight[0].shape = sight[1].shape = pressing.shape = tell_shape;
}

int main(int argc, char **argv)
{
    int plays = argc == 2 && strcmp(argv[1], "--play") == 0;
    int shows = plays || (argc == 2 && strcmp(argv[1], "--watch") == 0);
    int draws = argc == 3 && strcmp(argv[1], "--svg") == 0, keys = 0;

    if (argc != 1 && !shows && !draws) {
        fprintf(stderr, "usage: room [--svg FILE | --watch | --play]\n");
        return 2;
    }
    build();
    while (plays || frame < FRAMES) {
        if (shows) keys = show_frame();
        if (keys < 0) break;
        run_frame(plays ? keys : -1);
    }
    printf("%d frames: %d of %d gems; guards saw the player %d times and caught it %d times\n",
           frame, taken, all_gems, sights, caught);
    printf("%d pushes, %d dashes, belts took along bodies %d times\n", pushes, dashes, rides);
    printf("doors opened %d times, the bar turned %d times\n", doors, turns);
    printf("hash of all places: %08lx\n", (unsigned long)hash);
    printf("%ld checks, %ld failed\n", checks, failures);
    if (draws) write_svg(argv[2]);
    spt_intlist_free(&found), spt_free(&walls), spt_free(&movers), spt_free(&floors);
    return failures == 0 ? 0 : 1;
}

/* Prints:
10000 frames: 5 of 11 gems; guards saw the player 7178 times and caught it 69 times
762 pushes, 222 dashes, belts took along bodies 6002 times
doors opened 15 times, the bar turned 56 times
hash of all places: 41711db8
294298 checks, 0 failed
*/
