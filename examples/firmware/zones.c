/* zones.c - a map of 300 zones in flash: where may a drone fly, how far, and what does it see?

   The map is a const array, the image of a packed index, and is asked where it lies. Neither heap
   nor C library is needed, nor RAM but for the stack of the question that is being asked. The
   coordinates are float, with which on a Cortex-M3 the compiler's own library calculates.

   Look at put_nearest and put_way: they ask the array itself. A line for each place on a walk has
   the nearest wall and how far it is; the zone that stops a drone on the straight way to the next
   place, and where; whether it sees that place; the zones that it is in.

   Built and run by: sh examples/firmware/run.sh
   Or by hand, in the folder of spatial.h:
     cc -O2 -o spatial tools/spatial.c -lm
     ./spatial pack --c-array zones_map examples/firmware/zones.txt zones_map.h
     cc -O2 -I. examples/firmware/zones.c && ./a.out

   It does without SPATIAL_STATIC: gcc then does not inline all questions into main, whose frame
   would hold the variables of all, so that the stack is some 450 bytes less deep. The linker
   leaves out unused functions. */
#define SPATIAL_NO_STDLIB /* neither malloc nor assert */
#define SPATIAL_NO_BROADPHASE
#define SPATIAL_NO_LINEAR
#define SPATIAL_NO_QUADTREE
#define SPATIAL_NO_LOOSEGRID
#define SPATIAL_NO_CONTACTS
#define SPATIAL_INTLIST_INLINE 1 /* a list holds the one nearest wall and never grows */
#define SPATIAL_IMPLEMENTATION
#include "../../spatial.h"
#include "board.h"
#include "zones_map.h" /* made of zones.txt: static const spt_u32 zones_map[] = {...} */

#define WALLS 200 /* so many zones of zones.txt are walls, the others are closed to drones */
#define PLACES (sizeof walk / sizeof walk[0])

typedef struct place {
    float x, y; /* metres */
} place;

static const place walk[] = {{60, 30},    {140, 130},  {330, 95},   {475, 125},  {625, 120},
                             {710, 190},  {760, 305},  {885, 365},  {945, 350},  {1020, 370},
                             {1080, 460}, {1135, 440}, {1165, 475}, {1260, 445}, {2400, 460}};

/* A filter: a question finds walls alone, so that closed zones hide nothing. */
static int is_wall(void *ctx, spt_i32 id, spt_i32 other) SPT_CALLBACK
{
    (void)ctx, (void)other;
    return id < WALLS;
}

static const spt_filter walls = {NULL, 0, NULL, NULL, 0, is_wall, NULL, SPT_MEETS};

static void put_metres(float metres, int width)
{
    put_number((unsigned long)(metres + 0.5F), width, 10);
}

/* Called for every zone that a place is in. */
static int put_zone(void *ctx, spt_i32 id, const spt_box *box) SPT_CALLBACK
{
    (void)ctx, (void)box;
    put_number((unsigned long)id, 5, 10);
    return 0;
}

/* The nearest wall, and how far it is. To find the box of an id takes a look at all of them, for
   the map is in another order; a program that asks often has an array of its own. */
static void put_nearest(const spt_index *map, const spt_box *at)
{
    spt_intlist nearest;
    spt_box wall;

    (void)spt_intlist_init(&nearest, 1); /* it has room for one id, so nothing is allocated */
    if (spt_nearest(map, at, 1, SPT_NO_LIMIT, &walls, &nearest) != 1) return;
    if (spt_box_of(map, spt_intlist_data(&nearest)[0], &wall) != SPT_OK) return;
    put_number((unsigned long)spt_intlist_data(&nearest)[0], 6, 10);
    put_metres(spt_box_distance(at, &wall), 5);
}

/* How far a drone gets on its way: to the first wall or zone that it would enter. Zones in which it
   is already do not stop it. Then whether it sees where it wants to go. */
static void put_way(const spt_index *map, spt_motion *way)
{
    spt_hit hit;

    way->enter = 1;
    if (spt_cast(map, way, NULL, &hit) == 1) {
        put_number((unsigned long)hit.id, 10, 10);
        put_metres(way->box.min_x + hit.t * way->dx, 6);
        put_metres(way->box.min_y + hit.t * way->dy, 5);
    } else {
        put("         -     -    -");
    }
    way->enter = 0;
    put(spt_cast(map, way, &walls, &hit) == 1 ? "    hidden" : "  in sight");
}

static void put_place(const spt_index *map, const place *from, const place *to)
{
    spt_motion way;

    spt_box_around(from->x, from->y, 0, 0, &way.box); /* a point: the motion is a ray */
    way.dx = to->x - from->x;
    way.dy = to->y - from->y;
    put_metres(from->x, 5), put_metres(from->y, 5);
    put_nearest(map, &way.box);
    put_way(map, &way);
    (void)spt_visit(map, &way.box, NULL, put_zone, NULL);
    end_line();
}

static int print_summary(const spt_index *map)
{
    long stack = board_stack();

    put("map "), put_number((unsigned long)spt_count(map), 0, 10);
    put(" zones in "), put_number(sizeof zones_map, 0, 10), put(" bytes of flash"), end_line();
    if (stack > 0)
        put("stack "), put_number((spt_u32)stack, 0, 10), put(" bytes at its deepest"), end_line();
    if (stack >= 0) return 0;
    put("the stack has run into the data"), end_line();
    return 1;
}

int main(void)
{
    spt_index map;
    size_t i;
    int error = spt_packed_view(&map, zones_map, sizeof zones_map); /* looks at the head alone */

    if (error != SPT_OK) { /* half of it was flashed, or in another order of bytes */
        put("the map is refused: "), put(spt_error_string(error)), end_line();
        return 1;
    }
    put("    x    y  wall    m      stop     x    y      next  in"), end_line();
    for (i = 0; i + 1 < PLACES; i++) put_place(&map, &walk[i], &walk[i + 1]);
    return print_summary(&map);
}
