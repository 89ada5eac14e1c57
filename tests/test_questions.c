/* test_questions.c - the nearest boxes, boxes within a distance, on the way of a motion: the
   cases that are easily got wrong, of every structure, and the costs of answers. */
static double work; /* cells and elements looked at, the same on every machine */
#define SPTI_COUNT(n) (work += (double)(n))

#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"
#include <math.h>

/* ---- Few boxes ------------------------------------------------------------------------------- */

/* Structures beside the model in the square world of 1024 by 1024, whose smallest cells are 32 by
   32 where a structure has such cells. Every question below is compared with a plain loop; the
   values that are stated besides are the ones that a person expects. */

static oracle o;

static void open_world(int structure, const oracle_world *world, const spt_box *boxes, spt_i32 n)
{
    oracle_setup setup = {NULL, NULL, 5, ORACLE_IDS, 0, {NULL, NULL}, NULL};
    setup.world = world;
    setup.structure = oracle_any_structure(structure)->name;
    test_context(setup.structure, n);
    if (!CHECK(oracle_open(&o, &setup) == SPT_OK)) exit(1);
    oracle_build(&o, boxes, n);
}

static void open_boxes(int structure, const spt_box *boxes, spt_i32 n)
{
    open_world(structure, &oracle_worlds[0], boxes, n);
}

static spt_motion motion_of(spt_box box, spt_coord dx, spt_coord dy, int enter)
{
    spt_motion motion;
    motion.box = box;
    motion.dx = dx;
    motion.dy = dy;
    motion.enter = enter;
    return motion;
}

static spt_motion ray_of(double x, double y, double dx, double dy)
{
    return motion_of(box_of(x, y, x, y), coord_of(dx), coord_of(dy), 0);
}

/* What a hit tells of the part way / whole of a motion. */
static spt_coord part_of(int way, int whole)
{
#ifdef SPATIAL_INT
    return (spt_coord)((int64_t)way * 65536 / whole);
#else
    return (spt_coord)way / (spt_coord)whole;
#endif
}

static void expect_hit(const spt_motion *motion, spt_i32 id, spt_coord t, int nx, int ny)
{
    spt_hit hit;
    oracle_cast(&o, motion);
    oracle_cast_visit(&o, motion, 0, 0, 0);
    CHECK(spt_cast(&o.index, motion, o.filter, NULL) == 1);
    if (!CHECK(spt_cast(&o.index, motion, o.filter, &hit) == 1)) return;
    CHECK(hit.id == id && hit.t == t && hit.nx == nx && hit.ny == ny);
}

static void expect_miss(const spt_motion *motion)
{
    spt_hit hit;
    oracle_cast(&o, motion);
    oracle_cast_visit(&o, motion, 0, 0, 0);
    CHECK(spt_cast(&o.index, motion, o.filter, &hit) == 0);
}

/* The same with `enter`, for either. */
static void expect_entered(spt_motion motion, spt_i32 id, spt_coord t, int nx, int ny)
{
    motion.enter = 1;
    expect_hit(&motion, id, t, nx, ny);
}

static void expect_not_entered(spt_motion motion)
{
    motion.enter = 1;
    expect_miss(&motion);
}

static void a_ray_along_a_face_touches_the_box_and_does_not_enter_it(void)
{
    const spt_box box = box_of(100, 100, 200, 200);
    int s;
    for (s = 0; s < ORACLE_ALL; s++) {
        spt_motion lower = ray_of(0, 100, 300, 0), upper = ray_of(300, 200, -300, 0);
        spt_motion left = ray_of(100, 300, 0, -300), right = ray_of(200, 0, 0, 300);
        spt_motion beside = ray_of(0, 201, 300, 0), under = ray_of(300, 99, -300, 0);
        open_boxes(s, &box, 1);
        expect_hit(&lower, 0, part_of(1, 3), -1, 0);
        expect_hit(&upper, 0, part_of(1, 3), 1, 0);
        expect_hit(&left, 0, part_of(1, 3), 0, 1);
        expect_hit(&right, 0, part_of(1, 3), 0, -1);
        expect_miss(&beside);
        expect_miss(&under);
        expect_not_entered(lower);
        expect_not_entered(upper);
        expect_not_entered(left);
        expect_not_entered(right);
        oracle_close(&o);
    }
}

/* Boxes on both sides of every border of cells, rays along them all, and moving boxes, too. */
static void rays_along_cell_borders_meet_what_lies_on_either_side(void)
{
    static spt_box boxes[ORACLE_IDS];
    spt_i32 n = 0;
    int s, x, y, k;
    for (y = 0; y < 1024; y += 64)
        for (x = 0; x < 1024; x += 64, n++)
            boxes[n] = box_of(x, y, x + (n % 3) * 32, y + (n % 5) * 32);
    for (s = 0; s < ORACLE_ALL; s++) {
        open_boxes(s, boxes, n);
        for (k = -32; k <= 1056; k += 32) {
            spt_motion motion = ray_of(k, -10, 0, 1100);
            motion.enter = k / 32 % 2 != 0;
            oracle_cast(&o, &motion);
            motion = ray_of(1100, k, -1100, 0);
            oracle_cast(&o, &motion);
            CHECK(spt_intlist_count(&o.found) >= (k >= 0 && k <= 960 && k % 64 == 0 ? 16 : 0));
            motion = motion_of(box_of(k, -64, k + 32, -32), 0, 1200, 1);
            oracle_cast(&o, &motion);
            motion = ray_of(k, 0, 1024, 1024); /* through the corners of cells */
            oracle_cast(&o, &motion);
            motion = ray_of(k, 1024, 1024, -1024);
            oracle_cast(&o, &motion);
        }
        oracle_close(&o);
    }
}

static void the_sign_of_a_zero_direction_makes_no_difference(void)
{
    static const spt_box boxes[2] = {{96, 96, 128, 128}, {128, 96, 160, 128}};
    int s;
    for (s = 0; s < ORACLE_ALL; s++) {
        spt_motion on = ray_of(128, 64, 0, 32), off = ray_of(96, 64, 0, 31);
        spt_motion still = ray_of(128, 100, 0, 0), away = ray_of(161, 100, 0, 0);
        open_boxes(s, boxes, 2);
        expect_hit(&on, 0, part_of(1, 1), 0, -1);
        expect_miss(&off);
        expect_hit(&still, 0, 0, 0, 0);
        expect_miss(&away);
#ifndef SPATIAL_INT
        on.dx = off.dx = still.dx = still.dy = away.dx = away.dy = -(spt_coord)0.0;
        expect_hit(&on, 0, 1, 0, -1);
        expect_miss(&off);
        expect_hit(&still, 0, 0, 0, 0);
        expect_miss(&away);
        expect_not_entered(still);
#endif
        oracle_close(&o);
    }
}

#ifndef SPATIAL_INT
static void denormal_directions_are_directions(void)
{
    static const spt_box box = {96, 96, 128, 128};
    int s, sign;
    for (s = 0; s < ORACLE_ALL; s++) {
        open_boxes(s, &box, 1);
        for (sign = -1; sign <= 1; sign += 2) {
            spt_motion motion = ray_of(sign < 0 ? 128 : 96, 100, 0, 0);
            motion.dx = (spt_coord)sign * COORD_LEAST;
            expect_hit(&motion, 0, 0, 0, 0);
            expect_entered(motion, 0, 0, -sign, 0); /* from the border inwards */
            motion.dx = -motion.dx;
            expect_hit(&motion, 0, 0, 0, 0);
            expect_not_entered(motion); /* outwards */
            motion.box.min_x = motion.box.max_x = 95;
            expect_miss(&motion);
            motion.dy = COORD_LEAST;
            expect_miss(&motion);
        }
        oracle_close(&o);
    }
}

static void ways_of_a_few_of_the_least_numbers_are_divided(void)
{
    spt_box box = {0, 0, 0, 0};
    int s;
    box.min_x = 2 * COORD_LEAST;
    box.max_x = 3 * COORD_LEAST;
    for (s = 0; s < ORACLE_ALL; s++) {
        spt_motion motion = ray_of(0, 0, 0, 0);
        open_boxes(s, &box, 1);
        motion.dx = COORD_LEAST;
        expect_miss(&motion);
        motion.dx = 2 * COORD_LEAST;
        expect_hit(&motion, 0, 1, -1, 0);
        motion.dx = 4 * COORD_LEAST;
        expect_hit(&motion, 0, (spt_coord)0.5, -1, 0);
        oracle_close(&o);
    }
}

/* The ray leaves the box over x at once, and comes to it over y in no time, for that is too small
   to be told from 0. */
static void times_that_are_too_small_for_a_number_are_zero(void)
{
    const spt_coord gap = (spt_coord)(sizeof(spt_coord) > 4 ? 1e-40 : 1e-10);
    spt_box box = {0, 0, 1, 1};
    int s;
    box.min_y = gap;
    for (s = 0; s < ORACLE_ALL; s++) {
        spt_motion motion = ray_of(0, 0, 0, 0);
        open_boxes(s, &box, 1);
        motion.dy = COORD_MAX;
        for (motion.dx = -gap / 1024; motion.dx < 0; motion.dx /= 1024)
            expect_hit(&motion, 0, 0, 0, -1);
        motion.dy = 1;
        motion.dx = -gap;
        expect_miss(&motion);
        oracle_close(&o);
    }
}
#endif

static void at_a_corner_one_side_is_told(void)
{
    static const spt_box box = {64, 64, 128, 128};
    int s, x, y;
    for (s = 0; s < ORACLE_ALL; s++) {
        open_boxes(s, &box, 1);
        for (x = 0; x < 2; x++)
            for (y = 0; y < 2; y++) {
                double dx = x ? -32 : 32, dy = y ? -32 : 32;
                spt_motion to = ray_of(x ? 160 : 32, y ? 160 : 32, 2 * dx, 2 * dy);
                spt_motion in = ray_of(x ? 128 : 64, y ? 128 : 64, dx, dy);
                spt_motion out = ray_of(x ? 128 : 64, y ? 128 : 64, -dx, -dy);
                spt_motion along = ray_of(x ? 128 : 64, y ? 128 : 64, dx, 0);
                expect_hit(&to, 0, part_of(1, 2), x ? 1 : -1, 0);
                expect_entered(to, 0, part_of(1, 2), x ? 1 : -1, 0);
                expect_hit(&in, 0, 0, 0, 0);
                expect_entered(in, 0, 0, x ? 1 : -1, 0);
                expect_hit(&out, 0, 0, 0, 0);
                expect_not_entered(out);
                expect_hit(&along, 0, 0, 0, 0);
                expect_not_entered(along);
            }
        oracle_close(&o);
    }
}

static void what_is_inside_at_the_start_is_met_at_the_start_and_not_entered(void)
{
    static const spt_box boxes[3] = {{64, 64, 128, 128}, {0, 0, 1024, 1024}, {150, 90, 160, 100}};
    int s;
    for (s = 0; s < ORACLE_ALL; s++) {
        spt_motion ray = ray_of(100, 95, 100, 0), still = ray_of(100, 95, 0, 0);
        spt_motion around = motion_of(box_of(10, 10, 200, 200), 5, 5, 0);
        open_boxes(s, boxes, 3);
        expect_hit(&ray, 0, 0, 0, 0);
        expect_entered(ray, 2, part_of(50, 100), -1, 0);
        expect_hit(&still, 0, 0, 0, 0);
        expect_not_entered(still);
        expect_hit(&around, 0, 0, 0, 0);
        expect_not_entered(around);
        oracle_close(&o);
    }
}

static void a_motion_that_ends_at_a_face_meets_it_and_not_one_before(void)
{
    static const spt_box box = {640, 640, 704, 704};
    static const int ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    int s, k;
    for (s = 0; s < ORACLE_ALL; s++) {
        open_boxes(s, &box, 1);
        for (k = 0; k < 4; k++) {
            int dx = ways[k][0], dy = ways[k][1];
            double x = 672 - dx * (32 + 45), y = 672 - dy * (32 + 45); /* 45 before the face */
            spt_motion ray = ray_of(x, y, 45 * dx, 45 * dy);
            spt_motion shorter = ray_of(x, y, 44 * dx, 44 * dy);
            spt_motion body = motion_of(box_of(x - 5, y - 5, x + 5, y + 5), coord_of(40 * dx),
                                        coord_of(40 * dy), 0);
            expect_hit(&ray, 0, part_of(1, 1), -dx, -dy);
            expect_entered(ray, 0, part_of(1, 1), -dx, -dy);
            expect_miss(&shorter);
            expect_hit(&body, 0, part_of(1, 1), -dx, -dy);
        }
        oracle_close(&o);
    }
}

/* A motion ends where it touches an edge of an element, in particular the outermost: there the box
   around everything must not hide it. Removals leave boxes around elements too large. */
static void a_motion_that_just_reaches_the_outermost_is_not_left_out(void)
{
    int s, round, k, n;
    for (s = 0; s < ORACLE_ALL; s++) {
        for (round = 0; round < test_scale(60); round++) {
            spt_box boxes[20], around;
            n = 1 + test_below(20);
            for (k = 0; k < n; k++) {
                double x = test_below(1 << 20) / 1021.0, y = test_below(1 << 20) / 1019.0;
                boxes[k] = box_of(x, y, x + test_below(99) / 7.0, y + test_below(99) / 7.0);
                if (test_below(20) == 0) boxes[k].max_x = COORD_HIGH;
                if (test_below(20) == 0) boxes[k].min_y = COORD_LOW;
            }
            open_boxes(s, boxes, n);
            for (k = 0; k < 40; k++) {
                const double d = test_below(1 << 10) / 1023.0;
                spt_box to = boxes[test_below(n)], at;
                spt_coord dx = 0, dy = 0;
                spt_motion motion;
                if (k % 2 && spt_bounds(&o.index, &around) == 1) to = around;
                at = box_of(-200 * d - 1, 500 * d, -100 * d - 1, 1000);
                if (k & 2) at.min_x += 3000, at.max_x += 3000;
                if (k & 4) at.min_y -= 3000, at.max_y -= 3000;
                if (k & 8) at.min_y += 5000, at.max_y += 5000;
                if (to.min_x > at.max_x) dx = to.min_x - at.max_x;
                if (to.max_x < at.min_x) dx = to.max_x - at.min_x;
                if (to.min_y > at.max_y) dy = to.min_y - at.max_y;
                if (to.max_y < at.min_y) dy = to.max_y - at.min_y;
                motion = motion_of(at, dx, dy, k % 3 == 0);
                oracle_cast(&o, &motion);
                oracle_cast_visit(&o, &motion, 0, 0, 0);
                if (k % 4 == 3) oracle_remove(&o, test_below(n));
            }
            oracle_close(&o);
        }
    }
}

/* What a body asks that slides along a wall, and one that is in a wall and wants to get out. */
static void only_what_is_moved_into_is_entered(void)
{
    static const spt_box boxes[3] = {{0, 0, 500, 10}, {300, 10, 310, 40}, {600, 12, 610, 18}};
    int s;
    for (s = 0; s < ORACLE_ALL; s++) {
        spt_motion slide = motion_of(box_of(100, 10, 120, 30), 400, 0, 1);
        spt_motion down = motion_of(box_of(100, 10, 120, 30), 0, -1, 1);
        spt_motion up = motion_of(box_of(100, 10, 120, 30), 0, 50, 1);
        spt_motion out = motion_of(box_of(100, 5, 120, 25), 0, 50, 1);
        spt_motion deeper = motion_of(box_of(100, 5, 120, 25), 0, -3, 1);
        spt_motion beside = motion_of(box_of(590, 18, 600, 30), 40, 0, 1);
        spt_motion past = motion_of(box_of(590, 0, 600, 12), 40, 0, 1);
        spt_motion at = motion_of(box_of(590, 0, 600, 15), 40, 0, 1);
        open_boxes(s, boxes, 3);
        expect_hit(&slide, 1, part_of(180, 400), -1, 0); /* the floor does not count */
        expect_hit(&down, 0, 0, 0, 1);                   /* here it does, at once */
        expect_miss(&up);
        expect_miss(&out);
        expect_miss(&deeper);
        expect_miss(&beside);
        expect_miss(&past);
        expect_hit(&at, 2, 0, -1, 0); /* touches it, and moves into it */
        oracle_close(&o);
    }
}

static void infinite_boxes_are_near_and_are_met_wherever_one_is(void)
{
    spt_box boxes[6];
    int s;
    boxes[0] = box_of(200, 200, 210, 210);
    boxes[1] = box_of(300, 0, 310, 10); /* a pillar without an end, */
    boxes[1].min_y = COORD_LOW, boxes[1].max_y = COORD_HIGH;
    boxes[2] = box_of(500, 0, 500, 0);  /* half of the plane, */
    boxes[2].min_y = COORD_LOW, boxes[2].max_x = boxes[2].max_y = COORD_HIGH;
    boxes[3].min_x = boxes[3].min_y = COORD_LOW; /* all of it, */
    boxes[3].max_x = boxes[3].max_y = COORD_HIGH;
    boxes[4] = box_of(100, 100, 100, 100); /* a point, */
    boxes[5].min_x = boxes[5].max_x = boxes[5].min_y = boxes[5].max_y = COORD_HIGH; /* no place */
    for (s = 0; s < ORACLE_ALL; s++) {
        spt_motion ray = ray_of(200, 195, 400, 0), into = ray_of(100, 90, 0, 20);
        spt_box here = box_of(250, 205, 250, 205);
        spt_coord distance;
        open_boxes(s, boxes, 6);
        expect_hit(&ray, 3, 0, 0, 0);
        expect_entered(ray, 1, part_of(100, 400), -1, 0);
        expect_not_entered(into); /* there is nothing in a point */
        oracle_cast(&o, &into);
        CHECK(spt_intlist_count(&o.found) == 2 && spt_intlist_get(&o.found, 1, 0) == 4);
        for (distance = 0; distance < 1000; distance += 50) oracle_within(&o, &here, distance);
        oracle_within(&o, &here, SPT_NO_LIMIT);
        CHECK(spt_intlist_count(&o.found) == 6);
        oracle_nearest(&o, &here, 6, SPT_NO_LIMIT);
        CHECK(spt_intlist_get(&o.found, 0, 0) == 3 && spt_intlist_get(&o.found, 1, 0) == 0);
        CHECK(spt_intlist_get(&o.found, 5, 0) == 5);
        oracle_nearest(&o, &boxes[2], 6, 300);
        oracle_nearest(&o, &boxes[3], 6, 0);
        CHECK(spt_intlist_count(&o.found) == 6); /* it overlaps all */
        oracle_within(&o, &boxes[1], 100);
        oracle_within(&o, &boxes[5], SPT_NO_LIMIT); /* from infinity all are as near */
        CHECK(spt_intlist_count(&o.found) == 6);
        oracle_close(&o);
    }
}

static void what_lies_outside_the_world_is_found_from_inside_and_outside(void)
{
    spt_box boxes[80];
    int s, i, k;
    for (i = 0; i < 80; i++) {
        int x = i % 9 * 512 - 1536, y = i / 9 * 512 - 1536;
        boxes[i] = box_of(x, y, x + i % 3 * 10, y + i % 4 * 10);
    }
    for (s = 0; s < ORACLE_ALL; s++) {
        open_boxes(s, boxes, 80);
        for (k = 0; k < 80; k++) {
            spt_box place = box_of(k * 60 - 2000, 900 - k * 40, k * 60 - 2000, 900 - k * 40);
            spt_motion motion = motion_of(place, coord_of(1000 - k * 60), coord_of(k * 25), 0);
            oracle_nearest(&o, &place, 1 + k, SPT_NO_LIMIT);
            oracle_within(&o, &place, (spt_coord)(k * 20));
            oracle_cast(&o, &motion);
            motion = motion_of(boxes[k], coord_of(4 * 512), coord_of(k % 2 * 512), k % 2);
            oracle_cast(&o, &motion);
            oracle_cast_visit(&o, &motion, k, k / 2, part_of(1, 2));
        }
        oracle_close(&o);
    }
}

/* ---- Orders ---------------------------------------------------------------------------------- */

/* At 25 from the middle: 20 points, for 7 * 7 + 24 * 24 = 15 * 15 + 20 * 20 = 25 * 25; their ids
   are mixed up with the ids of points that are a little further away. */
static void of_equal_distances_the_lower_ids_come_first_wherever_cut(void)
{
    static const int ways[5][2] = {{25, 0}, {7, 24}, {24, 7}, {15, 20}, {20, 15}};
    spt_box boxes[40], middle = box_of(512, 512, 512, 512);
    spt_i32 k, i;
    int s;
    for (i = 0; i < 40; i++) {
        int x = ways[i % 5][0], y = ways[i % 5][1], turn = i / 5 % 4, swap = x;
        if (turn & 1) x = -y, y = swap;
        if (turn & 2) x = -x, y = -y;
        if (i >= 20) x += x < 0 ? -1 : 1, y += y < 0 ? -1 : 1;
        boxes[i * 7 % 40] = box_of(512 + x, 512 + y, 512 + x, 512 + y);
    }
    for (s = 0; s < ORACLE_ALL; s++) {
        open_boxes(s, boxes, 40);
        for (k = 0; k <= 41; k++) {
            oracle_nearest(&o, &middle, k, SPT_NO_LIMIT);
            for (i = 1; i < spt_intlist_count(&o.found) && i < 20; i++)
                CHECK(spt_intlist_get(&o.found, i - 1, 0) < spt_intlist_get(&o.found, i, 0));
        }
        oracle_nearest(&o, &middle, 40, 25);
        CHECK(spt_intlist_count(&o.found) == 20);
        oracle_nearest(&o, &middle, 40, 24);
        CHECK(spt_intlist_count(&o.found) == 0);
        oracle_within(&o, &middle, 25);
        CHECK(spt_intlist_count(&o.found) == 20);
        oracle_close(&o);
    }
}

/* Three walls of a hundred tiles each: tiles that are met at one time come by id, more of them
   than a visit finds at once. */
static void what_is_met_at_one_time_comes_in_the_order_of_ids(void)
{
    static spt_box boxes[300];
    spt_i32 i;
    int s;
    for (i = 0; i < 300; i++) {
        int tile = (int)(i * 77 % 100), x = 300 + (int)(i % 3) * 100;
        boxes[i] = box_of(x, tile * 10, x + 10, tile * 10 + 10);
    }
    for (s = 0; s < ORACLE_ALL; s++) {
        spt_motion wide = motion_of(box_of(0, 0, 100, 1000), 400, 0, 0);
        open_boxes(s, boxes, 300);
        oracle_cast(&o, &wide);
        CHECK(spt_intlist_count(&o.found) == 300);
        for (i = 0; i < 300; i++)
            CHECK(spt_intlist_get(&o.found, i, 0) == i % 100 * 3 + i / 100);
        for (i = 0; i < 24; i++) {
            oracle_cast_visit(&o, &wide, 0, i, part_of(2, 4));
            oracle_cast_visit(&o, &wide, i, 0, 0);
            oracle_cast_visit(&o, &wide, 0, i * 13, part_of(3, 4));
            oracle_cast_visit(&o, &wide, i * 11, i * 5, part_of(1, 4));
        }
        oracle_close(&o);
    }
}

/* In the memory of cells there are still boxes that have been removed. */
static void a_motion_through_a_crowd_tells_all_that_is_there_in_order(void)
{
    static spt_box boxes[400];
    spt_motion motion;
    int s, k, i, x, y;
    for (s = 0; s < ORACLE_ALL; s++) {
        for (i = 0; i < 400; i++) {
            x = 450 + test_below(120), y = 450 + test_below(120);
            boxes[i] = box_of(x, y, x + test_below(20), y + test_below(20));
        }
        open_boxes(s, boxes, 400);
        for (k = 0; k < test_scale(60); k++) {
            for (i = 0; i < 40 && !o.only_built; i++) {
                x = test_below(400);
                if (oracle_is_there(&o, x))
                    oracle_remove(&o, x);
                else
                    oracle_insert(&o, x, &boxes[x]);
            }
            x = 400 + test_below(200), y = 400 + test_below(200);
            motion.box = box_of(x, y, x + test_below(40), y + test_below(40));
            motion.dx = coord_of(test_below(400) - 200);
            motion.dy = coord_of(test_below(400) - 200);
            motion.enter = k % 4 == 0;
            oracle_cast(&o, &motion);
            oracle_cast_visit(&o, &motion, 0, 0, 0);
            oracle_cast_visit(&o, &motion, 0, 1 + test_below(40), part_of(test_below(8), 8));
        }
        oracle_close(&o);
    }
}

static void a_lowered_limit_ends_a_visit_behind_it_or_at_once(void)
{
    static const spt_box boxes[4] = {
        {10, 0, 20, 9}, {10, 0, 30, 9}, {50, 0, 60, 9}, {90, 0, 99, 9}};
    int s;
    for (s = 0; s < ORACLE_ALL; s++) {
        spt_motion ray = ray_of(0, 5, 100, 0);
        open_boxes(s, boxes, 4);
        oracle_cast_visit(&o, &ray, 0, 1, part_of(1, 10)); /* the second is met there, too */
        oracle_cast_visit(&o, &ray, 0, 1, part_of(1, 2));
        oracle_cast_visit(&o, &ray, 0, 1, part_of(2, 5));
        oracle_cast_visit(&o, &ray, 0, 2, part_of(9, 10));
        oracle_cast_visit(&o, &ray, 0, 1, 0);
        oracle_cast_visit(&o, &ray, 0, 1, -1);
        oracle_cast_visit(&o, &ray, 2, 1, part_of(1, 1));
        oracle_close(&o);
    }
}

/* ---- Limits, filters, errors ----------------------------------------------------------------- */

static void limits_of_zero_and_below_count_what_overlaps_and_nothing(void)
{
    static const spt_box boxes[3] = {{0, 0, 10, 10}, {10, 10, 20, 20}, {21, 21, 30, 30}};
    int s;
    for (s = 0; s < ORACLE_ALL; s++) {
        spt_box corner = box_of(10, 10, 10, 10), far = box_of(500, 500, 500, 500);
        open_boxes(s, boxes, 3);
        oracle_nearest(&o, &corner, 9, 0);
        CHECK(spt_intlist_count(&o.found) == 2);
        oracle_within(&o, &corner, 0);
        CHECK(spt_intlist_count(&o.found) == 2);
        oracle_nearest(&o, &corner, 9, -1);
        CHECK(spt_intlist_count(&o.found) == 0);
        CHECK(spt_within(&o.index, &corner, -1, NULL, &o.found) == SPT_ERR_ARGUMENT);
        oracle_nearest(&o, &far, 9, 0);
        oracle_nearest(&o, &far, 0, SPT_NO_LIMIT);
        CHECK(spt_intlist_count(&o.found) == 0);
        oracle_nearest(&o, &far, 9, SPT_NO_LIMIT);
        CHECK(spt_intlist_count(&o.found) == 3 && spt_intlist_get(&o.found, 0, 0) == 2);
        oracle_nearest(&o, &far, INT32_MAX, SPT_NO_LIMIT);
        CHECK(spt_intlist_count(&o.found) == 3);
        oracle_close(&o);
    }
}

/* All questions once, with the filter that is set. */
static void ask_all(const spt_box *box)
{
    spt_motion motion = motion_of(*box, 300, 200, 0);
    spt_box boxes[3];
    boxes[0] = boxes[1] = boxes[2] = *box;
    boxes[1].max_x += 100;
    oracle_query(&o, box);
    oracle_visit(&o, box, 0);
    oracle_query_many(&o, boxes, 3);
    oracle_query_many(&o, boxes, 0);
    oracle_within(&o, box, 77);
    oracle_nearest(&o, box, 5, SPT_NO_LIMIT);
    oracle_nearest(&o, box, 5, 40);
    oracle_cast(&o, &motion);
    motion.enter = 1;
    oracle_cast(&o, &motion);
    oracle_pairs(&o);
}

static int never(void *ctx, spt_i32 id, spt_i32 other)
{
    (void)ctx, (void)id, (void)other;
    return 0;
}

static void a_filter_decides_what_there_is(void)
{
    static spt_u32 categories[100], masks[100];
    static const spt_i32 some[4] = {3, 17, 99, 500};
    spt_box boxes[100], place = box_of(100, 100, 200, 180);
    spt_i32 i;
    int s, k;
    for (i = 0; i < 100; i++) {
        int x = (int)i % 10 * 30, y = (int)i / 10 * 30;
        boxes[i] = box_of(x, y, x + 40, y + 35);
        categories[i] = (spt_u32)1 << (i % 3 == 2 ? 31 : i % 3);
        masks[i] = (spt_u32)(i % 4);
    }
    for (s = 0; s < ORACLE_ALL; s++) {
        open_boxes(s, boxes, 100);
        for (k = 0; k < 6; k++) {
            spt_filter filter = {NULL, 0, NULL, NULL, 0, NULL, NULL, SPT_MEETS};
            if (k > 0 && k < 4) {
                filter.categories = categories;
                filter.mask = k == 1 ? 64 : k == 2 ? 0x80000001u : 2;
            }
            if (k == 3) filter.masks = masks;
            if (k == 4) filter.except = some, filter.except_count = 4;
            if (k == 5) filter.accept = never;
            o.filter = &filter;
            ask_all(&place);
            if (k == 1 || k == 5) CHECK(spt_intlist_count(&o.pairs) == 0);
            else CHECK(spt_intlist_count(&o.pairs) > 0);
            o.filter = NULL;
        }
        oracle_close(&o);
    }
}

static void nothing_is_found_where_nothing_is(void)
{
    spt_box place = box_of(100, 100, 200, 200);
    int s;
    for (s = 0; s < ORACLE_ALL; s++) {
        open_boxes(s, &place, 0);
        ask_all(&place);
        CHECK(spt_intlist_count(&o.found) == 0 && spt_intlist_count(&o.pairs) == 0);
        oracle_close(&o);
    }
}

static int on_hit(void *ctx, const spt_hit *hit, const spt_box *box, spt_coord *limit)
{
    (void)ctx, (void)hit, (void)box, (void)limit;
    return CHECK(0);
}

/* Every question that gives a list, refused: the list is empty. */
static void expect_lists_refused(const spt_index *x, const spt_box *box, const spt_motion *motion,
                                 const spt_filter *filter, spt_intlist *ids, spt_intlist *pairs,
                                 int error)
{
    int k;
    for (k = 0; k < 5; k++) {
        spt_intlist *list = k == 0 ? pairs : ids;
        spt_i32 result = 0;
        oracle_stain(list);
        if (k == 0) result = spt_query_many(x, box, 1, filter, list);
        if (k == 1) result = spt_query(x, box, filter, list);
        if (k == 2) result = spt_within(x, box, 5, filter, list);
        if (k == 3) result = spt_nearest(x, box, 5, SPT_NO_LIMIT, filter, list);
        if (k == 4) result = spt_cast_all(x, motion, filter, list);
        CHECK(result == error && spt_intlist_count(list) == 0);
    }
}

static int on_element(void *ctx, spt_i32 id, const spt_box *box)
{
    (void)ctx, (void)id, (void)box;
    return CHECK(0);
}

static int on_near(void *ctx, spt_i32 id, const spt_box *box, spt_coord distance, spt_coord *limit)
{
    (void)ctx, (void)id, (void)box, (void)distance, (void)limit;
    return CHECK(0);
}

/* Every question refuses a filter that nobody can mean, in every structure. */
static void a_filter_that_cannot_be_meant_is_refused(void)
{
    static const spt_box box = {0, 0, 1000, 1000};
    static const spt_u32 masks[1] = {1};
    static const spt_i32 except[1] = {0};
    const spt_motion motion = ray_of(1, 1, 5, 5);
    spt_intlist stained;
    spt_layer world;
    spt_box end;
    spt_hit hit;
    int s, k;
    spt_intlist_init(&stained, 2);
    for (s = 0; s < ORACLE_ALL; s++)
        for (k = 0; k < 7; k++) {
            spt_filter filter = {NULL, 0, NULL, NULL, 0, NULL, NULL, SPT_MEETS};
            const spt_index *x = &o.index;
            if (k == 0) filter.mask = 1;  /* a mask, but no masks of boxes */
            if (k == 1) filter.masks = masks;
            if (k == 2) filter.except_count = 1;
            if (k == 4) filter.categories = masks; /* nothing would pass */
            if (k == 3) filter.except = except, filter.except_count = -1;
            if (k == 5) filter.relation = SPT_EQUALS + 1;
            if (k == 6) filter.relation = -1;
            open_boxes(s, &box, 1);
            expect_lists_refused(x, &box, &motion, &filter, &o.found, &o.pairs, SPT_ERR_FILTER);
            CHECK(spt_any(x, &box, &filter) == SPT_ERR_FILTER);
            CHECK(spt_visit(x, &box, &filter, on_element, NULL) == SPT_ERR_FILTER);
            CHECK(spt_nearest_visit(x, &box, &filter, on_near, NULL) == SPT_ERR_FILTER);
            CHECK(spt_cast(x, &motion, &filter, &hit) == SPT_ERR_FILTER);
            CHECK(spt_cast_visit(x, &motion, &filter, on_hit, NULL) == SPT_ERR_FILTER);
            world.index = x, world.filter = &filter;
            CHECK(spt_slide(&world, 1, &motion, &end, NULL) == SPT_ERR_FILTER);
            oracle_stain(&stained);
            CHECK(spt_pairs(&o.index, &filter, &stained) == SPT_ERR_FILTER);
            CHECK(spt_intlist_count(&stained) == 0);
            oracle_stain(&stained);
            CHECK(spt_pairs_of(&o.index, except, 1, &filter, &stained) == SPT_ERR_FILTER);
            CHECK(spt_intlist_count(&stained) == 0);
            oracle_compare(&o);
            oracle_close(&o);
        }
    spt_intlist_free(&stained);
}

static int stop_at_once(void *ctx, spt_i32 id, const spt_box *box)
{
    (void)ctx, (void)id, (void)box;
    return 7;
}

/* Functions that take no window refuse a filter with a relation, and nothing changes. */
static void relations_are_of_windows_alone(void)
{
    static const spt_box box = {0, 0, 1000, 1000};
    static const spt_i32 id[1] = {0};
    const spt_motion motion = ray_of(1, 1, 5, 5);
    spt_coord points[2] = {5, 5};
    spt_broadphase bp;
    spt_intlist list;
    spt_layer world;
    spt_box end;
    int s, relation;
    (void)points;
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK);
    spt_intlist_init(&list, 2);
    for (s = 0; s < ORACLE_ALL; s++)
        for (relation = SPT_ENTERS; relation <= SPT_EQUALS; relation++) {
            spt_filter filter = {NULL, 0, NULL, NULL, 0, NULL, NULL, SPT_MEETS};
            filter.relation = relation;
            open_boxes(s, &box, 1);
            CHECK(spt_any(&o.index, &box, &filter) == 1);
            CHECK(spt_visit(&o.index, &box, &filter, stop_at_once, NULL) == 7);
            CHECK(spt_query(&o.index, &box, &filter, &o.found) == 1);
            CHECK(spt_query_many(&o.index, &box, 1, &filter, &list) == 1);
#ifdef SPTI_SHAPES
            {
                const spt_shape shape = {points, 1, 1};
                CHECK(spt_overlap(&o.index, &shape, &filter, &o.found) == SPT_ERR_FILTER);
            }
#endif
            CHECK(spt_within(&o.index, &box, 1, &filter, &o.found) == SPT_ERR_FILTER);
            CHECK(spt_nearest(&o.index, &box, 1, 1, &filter, &o.found) == SPT_ERR_FILTER);
            CHECK(spt_nearest_visit(&o.index, &box, &filter, on_near, NULL) == SPT_ERR_FILTER);
            CHECK(spt_cast(&o.index, &motion, &filter, NULL) == SPT_ERR_FILTER);
            CHECK(spt_cast_all(&o.index, &motion, &filter, &o.found) == SPT_ERR_FILTER);
            CHECK(spt_cast_visit(&o.index, &motion, &filter, on_hit, NULL) == SPT_ERR_FILTER);
            world.index = &o.index, world.filter = &filter;
            CHECK(spt_any_among(&world, 1, &box) == 1);
            CHECK(spt_cast_among(&world, 1, &motion, NULL) == SPT_ERR_FILTER);
            CHECK(spt_slide(&world, 1, &motion, &end, NULL) == SPT_ERR_FILTER);
            CHECK(spt_intlist_count(&o.found) == 0);
            CHECK(spt_pairs(&o.index, &filter, &list) == SPT_ERR_FILTER);
            CHECK(spt_intlist_count(&list) == 0);
            oracle_stain(&list);
            CHECK(spt_pairs_of(&o.index, id, 1, &filter, &list) == SPT_ERR_FILTER);
            CHECK(spt_intlist_count(&list) == 0);
            oracle_stain(&list);
            CHECK(spt_broadphase_pairs(&bp, &box, 1, &filter, &list) == SPT_ERR_FILTER);
            CHECK(spt_intlist_count(&list) == 0);
            CHECK(spt_broadphase_pairs_between(&bp, &box, 1, &box, 1, &filter, NULL) ==
                  SPT_ERR_FILTER);
            oracle_compare(&o);
            oracle_close(&o);
        }
    spt_broadphase_free(&bp);
    spt_intlist_free(&list);
}

/* Of the boxes from (10 - a, 10 - a) to (20 + b, 20 + b), for a and b from -1 to 1. */
static void equal_edges_count_as_inside_and_as_around(void)
{
    static const int counts[] = {9, 9, 4, 4, 1};
    const spt_box window = box_of(10, 10, 20, 20);
    spt_box boxes[9];
    int s, i, relation;
    for (i = 0; i < 9; i++) boxes[i] = box_of(11 - i % 3, 11 - i % 3, 19 + i / 3, 19 + i / 3);
    for (s = 0; s < ORACLE_ALL; s++) {
        open_boxes(s, boxes, 9);
        for (relation = SPT_MEETS; relation <= SPT_EQUALS; relation++) {
            spt_filter filter = {NULL, 0, NULL, NULL, 0, NULL, NULL, SPT_MEETS};
            filter.relation = relation;
            o.filter = &filter;
            oracle_query_many(&o, &window, 1);
            CHECK(spt_intlist_count(&o.found) == counts[relation]);
            if (relation == SPT_EQUALS) CHECK(spt_intlist_get(&o.found, 0, 0) == 4);
            oracle_visit(&o, &window, 0);
        }
        o.filter = NULL;
        oracle_close(&o);
    }
}

/* Sets boxes to all that have two of these four numbers, in order, as edges along each axis. */
static spt_i32 all_boxes_of(const spt_coord *at, spt_box *all)
{
    static const int low[] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 3};
    static const int high[] = {0, 1, 2, 3, 1, 2, 3, 2, 3, 3};
    spt_i32 n = 0;
    int x, y;
    for (x = 0; x < 10; x++)
        for (y = 0; y < 10; y++, n++)
            all[n].min_x = at[low[x]], all[n].max_x = at[high[x]], all[n].min_y = at[low[y]],
            all[n].max_y = at[high[y]];
    return n;
}

/* All points, lines and boxes on a few numbers, small and large ones, against all such windows. */
static void of_all_small_boxes_those_in_the_relation_are_found(void)
{
#ifdef SPATIAL_INT
    static const spt_coord at[][4] = {{0, 1, 2, 3},
                                      {COORD_LOW, COORD_LOW + 1, COORD_MAX - 1, COORD_MAX},
                                      {COORD_LOW, -1, 0, COORD_MAX}};
#else
    static const spt_coord at[][4] = {{0, 1, 2, 3},
                                      {-COORD_MAX, -1, 1, COORD_MAX},
                                      {-COORD_MAX, 0, SPTI_DENORMAL, 3 * SPTI_DENORMAL}};
#endif
    spt_box all[100];
    spt_i32 k, n;
    int s, i, relation;
    for (i = 0; i < TEST_COUNT(at); i++)
        for (s = 0; s < ORACLE_ALL; s++) {
            n = all_boxes_of(at[i], all);
            open_boxes(s, all, n);
            for (relation = SPT_MEETS; relation <= SPT_EQUALS; relation++) {
                spt_filter filter = {NULL, 0, NULL, NULL, 0, NULL, NULL, SPT_MEETS};
                filter.relation = relation;
                o.filter = &filter;
                oracle_query_many(&o, all, 12);
                for (k = 0; k < n; k++) oracle_query(&o, &all[k]), oracle_visit(&o, &all[k], 0);
            }
            o.filter = NULL;
            oracle_close(&o);
        }
}

#if defined(SPTI_X86) && !defined(SPATIAL_INT)
/* With denormals flushed to zero a number next to zero compares as zero: in vectors and in C. */
static void relations_hold_where_denormals_are_zero(void)
{
    const unsigned was = _mm_getcsr();
    _mm_setcsr(was | 0x8040);
    of_all_small_boxes_those_in_the_relation_are_found();
    _mm_setcsr(was);
}
#endif

/* A filter for pairs, whose mask is 0, would find no element; so it is refused there. */
static void masks_without_a_mask_are_for_pairs_alone(void)
{
    static const spt_u32 categories[2] = {1, 2}, masks[2] = {2, 1};
    const spt_box boxes[2] = {{0, 0, 9, 9}, {5, 5, 14, 14}};
    const spt_motion motion = ray_of(1, 1, 5, 5);
    static const spt_i32 ids[1] = {0};
    spt_broadphase bp;
    spt_hit hit;
    int s;
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK);
    for (s = 0; s < ORACLE_ALL; s++) {
        spt_filter filter = {NULL, 0, NULL, NULL, 0, NULL, NULL, SPT_MEETS};
        const spt_index *x = &o.index;
        filter.categories = categories, filter.masks = masks;
        open_boxes(s, boxes, 2);
        CHECK(spt_pairs(&o.index, &filter, &o.pairs) == 1);
        if (!o.only_built) CHECK(spt_pairs_of(&o.index, ids, 1, &filter, &o.pairs) == 1);
        CHECK(spt_broadphase_pairs(&bp, boxes, 2, &filter, &o.pairs) == 1);
        CHECK(spt_query(x, boxes, &filter, &o.found) == SPT_ERR_FILTER);
        CHECK(spt_query_many(x, boxes, 2, &filter, &o.pairs) == SPT_ERR_FILTER);
        CHECK(spt_any(x, boxes, &filter) == SPT_ERR_FILTER);
        CHECK(spt_within(x, boxes, 1, &filter, &o.found) == SPT_ERR_FILTER);
        CHECK(spt_nearest(x, boxes, 1, 1, &filter, &o.found) == SPT_ERR_FILTER);
        CHECK(spt_cast(x, &motion, &filter, &hit) == SPT_ERR_FILTER);
        CHECK(spt_cast_all(x, &motion, &filter, &o.found) == SPT_ERR_FILTER);
        filter.mask = 1;
        CHECK(spt_query(x, boxes, &filter, &o.found) == 1);
        CHECK(spt_cast(x, &motion, &filter, &hit) == 1 && hit.id == 0);
        oracle_close(&o);
    }
    spt_broadphase_free(&bp);
}

/* Also where the window holds most elements, which are then counted without a look at each; but
   those that enter it are tested one by one, as by a filter. */
static void a_relation_costs_no_more_than_what_overlaps(void)
{
    static spt_box boxes[ORACLE_IDS];
    static const spt_i32 none = SPT_NONE;
    spt_filter filter = {NULL, 0, NULL, NULL, 0, NULL, NULL, SPT_MEETS};
    spt_box windows[8];
    double most[2] = {0, 0}; /* without a filter, and with one that all pass */
    int s, k, relation, way;
    for (k = 0; k < ORACLE_IDS; k++) {
        const int x = test_below(3000), y = test_below(2000), size = test_below(k % 9 ? 30 : 300);
        boxes[k] = box_of(x, y, x + size, y + size);
    }
    for (s = 0; s < ORACLE_ALL; s++) {
        open_boxes(s, boxes, ORACLE_IDS);
        for (k = 0; k < 200; k++) {
            const int x = test_below(2500) + (k % 10 == 0) * 5000; /* beyond all elements */
            const int y = test_below(1500), size = 1 << test_below(12);
            windows[k % 8] = box_of(x, y, x + size, y + size);
            for (way = 0; way < 3; way++)
                for (relation = -1; relation <= SPT_EQUALS; relation++) {
                    const spt_filter *f = relation < 0 ? NULL : &filter;
                    filter.relation = relation < 0 ? 0 : relation;
                    filter.except = &none, filter.except_count = relation == 0;
                    work = 0;
                    if (way == 0) CHECK(spt_query(&o.index, &windows[k % 8], f, NULL) >= 0);
                    if (way == 1) CHECK(spt_query(&o.index, &windows[k % 8], f, &o.found) >= 0);
                    if (way == 2 && k >= 8)
                        CHECK(spt_query_many(&o.index, windows, 8, f, &o.pairs) >= 0);
                    if (relation <= 0) most[relation + 1] = work;
                    CHECK(work <= most[relation == 0 || relation == SPT_ENTERS]);
                }
        }
        oracle_close(&o);
    }
}

static void expect_motion_refused(const spt_motion *motion)
{
    spt_hit hit;
    CHECK(spt_cast(&o.index, motion, NULL, &hit) == brute_motion_error(motion));
    CHECK(spt_cast_visit(&o.index, motion, NULL, on_hit, NULL) == brute_motion_error(motion));
    oracle_stain(&o.found);
    CHECK(spt_cast_all(&o.index, motion, NULL, &o.found) == brute_motion_error(motion));
    CHECK(spt_intlist_count(&o.found) == 0);
    CHECK(spt_box_cast(motion, &o.boxes[0], &hit) == 0);
}

static void what_is_not_valid_is_refused_and_leaves_an_empty_list(void)
{
    static const spt_box box = {0, 0, 1000, 1000};
    spt_motion good = ray_of(1, 1, 5, 5), bad;
    int s, k;
    for (s = 0; s < ORACLE_ALL; s++) {
        open_boxes(s, &box, 1);
        expect_lists_refused(&o.index, &box, &good, NULL, &o.pairs, &o.found, SPT_ERR_LIST);
        for (k = 0; k < BAD_BOXES; k++) {
            bad = good;
            bad.box = bad_box(&good.box, k);
            expect_lists_refused(&o.index, &bad.box, &bad, NULL, &o.found, &o.pairs, SPT_ERR_BOX);
            expect_motion_refused(&bad);
        }
#ifndef SPATIAL_INT
        for (k = 0; k < 6; k++) {
            spt_coord number = k < 2 ? (spt_coord)NAN : k < 4 ? COORD_LOW : COORD_HIGH;
            bad = good;
            if (k % 2) bad.dx = number;
            else bad.dy = number;
            expect_motion_refused(&bad);
        }
        for (k = 0; k < 4; k++) { /* a box may be infinite, but not move */
            bad = good;
            if (k == 0) bad.box.min_x = COORD_LOW;
            if (k == 1) bad.box.max_x = COORD_HIGH;
            if (k == 2) bad.box.min_y = COORD_LOW;
            if (k == 3) bad.box.max_y = COORD_HIGH;
            expect_motion_refused(&bad);
        }
        oracle_within(&o, &box, (spt_coord)NAN);
        oracle_nearest(&o, &box, 3, (spt_coord)NAN);
        oracle_nearest(&o, &box, 3, COORD_HIGH);
        oracle_nearest(&o, &box, 3, COORD_LOW);
#endif
        oracle_nearest(&o, &box, -1, SPT_NO_LIMIT);
        oracle_query_many(&o, &box, -1);
        oracle_compare(&o);
        oracle_close(&o);
    }
}

static void an_index_that_was_never_made_answers_nothing(void)
{
    spt_index none;
    spt_motion motion = ray_of(1, 1, 5, 5);
    spt_box box = box_of(0, 0, 9, 9);
    spt_intlist ids, pairs;
    spt_hit hit;
    memset(&none, 0, sizeof none);
    spt_intlist_init(&ids, 1);
    spt_intlist_init(&pairs, 2);
    expect_lists_refused(&none, &box, &motion, NULL, &ids, &pairs, SPT_ERR_INIT);
    CHECK(spt_cast(&none, &motion, NULL, &hit) == SPT_ERR_INIT);
    CHECK(spt_cast_visit(&none, &motion, NULL, on_hit, NULL) == SPT_ERR_INIT);
    spt_intlist_free(&ids);
    spt_intlist_free(&pairs);
}

#ifdef SPATIAL_INT
/* ---- Whole numbers --------------------------------------------------------------------------- */

static const oracle_world *world_of_all_integers(void)
{
    int k = 0;
    while (strcmp(oracle_worlds[k].name, "all integers") != 0) k++;
    return &oracle_worlds[k];
}

/* Squares of distances have up to 65 bits, and times differ in the last of 63. */
static void no_product_of_coordinates_is_too_large(void)
{
    static const spt_i32 edges[] = {INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX - 1, INT32_MAX};
    const int many = TEST_COUNT(edges);
    spt_box boxes[49];
    int s, i, k;
    for (i = 0; i < 49; i++) {
        boxes[i].min_x = boxes[i].max_x = edges[i % many];
        boxes[i].min_y = boxes[i].max_y = edges[i / many];
        if (i % 5 == 3) boxes[i].max_x = INT32_MAX;
    }
    for (s = 0; s < ORACLE_ALL; s++) {
        open_world(s, world_of_all_integers(), boxes, 49);
        for (i = 0; i < 49; i++) {
            for (k = 1; k < 50; k += 6) oracle_nearest(&o, &boxes[i], k, SPT_NO_LIMIT);
            for (k = 0; k < many; k++) {
                if (edges[k] >= 0) oracle_within(&o, &boxes[i], edges[k]);
                oracle_nearest(&o, &boxes[i], 9, edges[k]);
            }
            for (k = 0; k < many * many; k++) {
                spt_motion motion = motion_of(boxes[i], edges[k % many], edges[k / many], k % 2);
                oracle_cast(&o, &motion);
            }
        }
        oracle_close(&o);
    }
}

static void the_nearer_of_two_is_told_by_one_in_sixty_four_bits(void)
{
    spt_box low, one, other;
    low.min_x = low.min_y = low.max_x = low.max_y = INT32_MIN;
    one.min_x = one.min_y = one.max_x = one.max_y = INT32_MAX;
    other = one;
    other.min_x = other.max_x = INT32_MAX - 1;
    CHECK(spt_box_nearer(&low, &one, &other) == 1 && spt_box_nearer(&low, &other, &one) == -1);
    CHECK(spt_box_nearer(&low, &one, &one) == 0);
    CHECK(spt_box_distance(&low, &one) == INT32_MAX); /* as far as is told */
    CHECK(spt_box_within(&low, &one, SPT_NO_LIMIT));
    CHECK(!spt_box_within(&low, &one, INT32_MAX - 1));
}
#endif

/* ---- One or two boxes ------------------------------------------------------------------------ */

static void expect_distance(const spt_box *a, const spt_box *b)
{
    spt_coord told = spt_box_distance(a, b);
    brute_key key = brute_distance(a, b);
#ifdef SPATIAL_INT
    brute_key low = brute_key_of((uint64_t)told, 0), high = brute_key_of((uint64_t)told + 1, 0);
    CHECK(told >= 0 && brute_key_compare(&low, &key) <= 0);
    CHECK(told == INT32_MAX || brute_key_compare(&key, &high) < 0);
#else
    double x = (double)brute_gap(a->min_x, a->max_x, b->min_x, b->max_x);
    double y = (double)brute_gap(a->min_y, a->max_y, b->min_y, b->max_y);
    double root = (double)coord_of(hypot(x, y));
    double most = (double)COORD_MAX, part = sizeof(spt_coord) == 4 ? 1.3e-7 : 1e-15;
    CHECK((told > 0) == (key.value > 0));
    if (root > most) CHECK((double)told >= most);
    else CHECK(fabs((double)told - root) <= root * part + (double)COORD_LEAST);
#endif
}

#ifndef SPATIAL_INT
static void the_largest_distance_that_a_coordinate_can_hold_is_told(void)
{
    spt_box a, b;
    a.min_x = a.min_y = a.max_x = a.max_y = 0;
    b.min_x = b.max_x = 1, b.min_y = b.max_y = COORD_MAX;
    CHECK(spt_box_distance(&a, &b) >= COORD_MAX && spt_box_distance(&a, &b) <= COORD_MAX);
    b.min_x = b.max_x = COORD_MAX;
    CHECK(spt_box_distance(&a, &b) > COORD_MAX); /* infinite */
}
#endif

static void the_helpers_mean_what_the_questions_mean(void)
{
    int world, i, rounds = test_scale(4000);
    for (world = 0; world < ORACLE_WORLDS; world++) {
        memset(&o, 0, sizeof o);
        o.world = &oracle_worlds[world];
        o.ids = 16;
        for (i = 0; i < 16; i++) o.boxes[i] = oracle_random_box(&o);
        for (i = 0; i < rounds; i++) {
            spt_box a = oracle_draw_place(&o), b = oracle_random_box(&o), c = oracle_random_box(&o);
            spt_motion motion = oracle_draw_motion(&o);
            spt_coord distance = oracle_draw_distance(&o, &a);
            brute_key one = brute_distance(&a, &b), other = brute_distance(&a, &c);
            brute_meeting meeting;
            spt_hit hit;
            int meets = !brute_motion_error(&motion) && brute_cast_one(&motion, &b, &meeting);
            test_context(o.world->name, i);
            CHECK(spt_box_within(&a, &b, distance) == brute_key_within(&one, distance));
            CHECK(spt_box_nearer(&a, &b, &c) == brute_key_compare(&one, &other));
            expect_distance(&a, &b);
            if (CHECK(spt_box_cast(&motion, &b, &hit) == meets) && meets) {
                spt_box swept;
                CHECK(same_hit(&hit, &meeting.hit));
                spt_box_swept(&motion, &swept);
                CHECK(brute_overlap(&swept, &b));
            }
            CHECK(spt_box_cast(&motion, &b, NULL) == meets);
            o.boxes[test_below(16)] = b;
        }
    }
}

static void boxes_are_made_around_points_and_boxes(void)
{
    spt_box a, b = box_of(4, 3, 6, 7), c = box_of(-1, 5, 5, 6), d = box_of(-1, 3, 6, 7);
    spt_motion motion = motion_of(box_of(0, 0, 1, 1), 2, -3, 0);
    spt_box_around(5, 5, 1, 2, &a);
    CHECK(same_box(&a, &b));
    spt_box_union(&b, &c, &a);
    CHECK(same_box(&a, &d));
    spt_box_union(&b, &c, &b);
    CHECK(same_box(&b, &d));
    CHECK(spt_box_has_point(&a, -1, 3) && spt_box_has_point(&a, 6, 7));
    CHECK(!spt_box_has_point(&a, -2, 3) && !spt_box_has_point(&a, 6, 8));
    spt_box_swept(&motion, &a);
    CHECK(a.min_x <= 0 && a.min_y <= -3 && a.max_x >= 3 && a.max_y >= 1);
    motion.box.min_x = motion.box.max_x = COORD_HIGH;
    motion.box.min_y = motion.box.max_y = COORD_LOW, motion.dy = -3;
    spt_box_swept(&motion, &c);
    CHECK(c.max_x >= COORD_HIGH && c.min_y <= COORD_LOW && spt_box_valid(&c));
    motion = motion_of(box_of(0, 0, 1, 1), 2, -3, 0);
#ifdef SPATIAL_INT
    CHECK(a.min_x == 0 && a.min_y == -3 && a.max_x == 3 && a.max_y == 1);
#else
    CHECK(a.min_x > -1 && a.min_y > -4 && a.max_x < 4 && a.max_y < 2);
    for (motion.enter = 0; motion.enter < 1000; motion.enter++) {
        double low = ((double)test_random() - 2e9) / 3, high = low + (double)test_random() / 7;
        spt_box_outward(low, -high, high, -low, &a);
        CHECK((double)a.min_x <= low && (double)a.max_x >= high);
        CHECK((double)a.min_y <= -high && (double)a.max_y >= -low);
    }
    spt_box_outward((double)COORD_HIGH, (double)COORD_LOW, (double)COORD_HIGH, 1e300, &a);
    CHECK(a.min_x == COORD_HIGH && a.max_x == COORD_HIGH && a.min_y == COORD_LOW);
    CHECK((double)a.max_y >= 1e300);
    spt_box_outward(1e300, -1e300, 1e300, 1e300, &a);
    CHECK((double)a.min_x <= 1e300 && a.min_x >= (spt_coord)FLT_MAX && (double)a.min_y <= -1e300);
#endif
}

/* Of all points, lines and boxes on four numbers: a point is in both exactly if it is in the common
   part; if there is none, nothing is set. */
static void two_boxes_have_their_intersection_in_common(void)
{
    const spt_coord at[4] = {COORD_LOW, 0, 1, COORD_HIGH}; /* no constants to tcc */
    spt_box all[100], both, mine;
    const spt_i32 n = all_boxes_of(at, all);
    spt_i32 i, k, p;
    for (i = 0; i < n; i++)
        for (k = 0; k < n; k++) {
            both = mine = all[(i + k) % n];
            if (spt_box_intersection(&all[i], &all[k], &both) == 0) {
                CHECK(!brute_overlap(&all[i], &all[k]) && same_box(&both, &mine));
                continue;
            }
            CHECK(brute_overlap(&all[i], &all[k]) && spt_box_valid(&both));
            for (p = 0; p < 16; p++) {
                const spt_coord x = at[p / 4], y = at[p % 4];
                CHECK(spt_box_has_point(&both, x, y) == (spt_box_has_point(&all[i], x, y) &&
                                                         spt_box_has_point(&all[k], x, y)));
            }
            mine = all[i];
            CHECK(spt_box_intersection(&mine, &all[k], &mine) == 1 && same_box(&mine, &both));
            mine = all[k];
            CHECK(spt_box_intersection(&all[i], &mine, &mine) == 1 && same_box(&mine, &both));
        }
}

/* ---- The ends of the numbers ----------------------------------------------------------------- */

static void an_exception_of_no_element_leaves_out_nothing(void)
{
    static const spt_i32 none = SPT_NONE;
    spt_filter filter = {NULL, 0, NULL, &none, 1, NULL, NULL, SPT_MEETS};
    spt_box boxes[2];
    int s;
    boxes[0] = boxes[1] = box_of(10, 10, 20, 20);
    for (s = 0; s < ORACLE_ALL; s++) {
        open_boxes(s, boxes, 2);
        o.filter = &filter;
        ask_all(&boxes[0]);
        o.filter = NULL;
        oracle_close(&o);
    }
}

/* The one that is looked at first, since it is as large as the world, is the further one, or that
   of the higher id. */
static void the_first_found_does_not_hide_the_nearest_and_the_earliest(void)
{
    spt_box boxes[2], place = box_of(5, 0, 5, 0);
    int s;
    for (s = 0; s < ORACLE_ALL; s++) {
#ifdef SPATIAL_INT
        boxes[0] = box_of(INT32_MIN, INT32_MIN, INT32_MAX, INT32_MIN); /* 2^32 - 1 away */
        boxes[1] = box_of(0, 0, 0, 0);
        place.min_y = place.max_y = INT32_MAX;
        open_world(s, world_of_all_integers(), boxes, 2);
        oracle_nearest(&o, &place, 1, SPT_NO_LIMIT);
#else
        spt_motion motion = ray_of(0, 500, 0, 0);
        boxes[0] = box_of(500, 500, 500, 500);
        boxes[1] = box_of(0, 0, 1000, 1000);
        place.min_y = place.max_y = COORD_LOW; /* both are infinitely far away */
        open_boxes(s, boxes, 2);
        oracle_nearest(&o, &place, 1, SPT_NO_LIMIT);
        oracle_close(&o);
        boxes[0].min_x = boxes[0].max_x = 1000 * COORD_LEAST;
        boxes[1].min_x = 500 * COORD_LEAST;
        open_boxes(s, boxes, 2);
        motion.dx = COORD_HUGE; /* both times are too small to be told from 0 */
        oracle_cast(&o, &motion);
#endif
        oracle_close(&o);
    }
}

/* Each a last digit further away than the one before, in no order of ids; and two of each. */
static void distances_that_differ_in_their_last_digit_are_told_apart(void)
{
    enum { DISTANCES = 20 };
    spt_box boxes[2 * DISTANCES], place = box_of(0, 0, 0, 0);
    spt_box aside = box_of(0, 525, 0, 525); /* from there 700 are 875 */
#ifdef SPATIAL_INT
    const double digit = 1;
#elif defined(SPATIAL_DOUBLE)
    const double digit = 1.0 / 8796093022208.0; /* 2^-43 */
#else
    const double digit = 1.0 / 16384;
#endif
    int s, k, i, two;
    for (two = 0; two < 2; two++)
        for (s = 0; s < ORACLE_ALL; s++) {
            const int n = two ? 2 * DISTANCES : DISTANCES;
            for (i = 0; i < n; i++) {
                double x = 700 + digit * (i * 7 % DISTANCES);
                boxes[i] = i < DISTANCES ? box_of(x, 0, x, 0) : box_of(0, x, 0, x);
            }
            open_boxes(s, boxes, n);
            for (k = 1; k <= n; k += 1 + k / 5) {
                oracle_nearest(&o, &place, k, SPT_NO_LIMIT);
                for (i = 0; i < 3; i++) oracle_nearest(&o, &place, k, boxes[i].min_x);
            }
            for (i = 0; i < DISTANCES; i++) {
                oracle_within(&o, &place, boxes[i].min_x);
                oracle_within(&o, &aside, (spt_coord)(875 + digit * i));
            }
            oracle_close(&o);
        }
}

#ifdef SPATIAL_DOUBLE
static void distances_whose_squares_are_no_numbers_are_equal(void)
{
    static const double units[2] = {1e200, 1e-200};
    spt_box boxes[2], place = box_of(0, 0, 0, 0);
    int s, k;
    for (s = 0; s < ORACLE_ALL; s++)
        for (k = 0; k < 2; k++) {
            boxes[0] = box_of(3 * units[k], 0, 3 * units[k], 0);
            boxes[1] = box_of(2 * units[k], 0, 2 * units[k], 0);
            open_boxes(s, boxes, 2);
            oracle_within(&o, &place, units[k]);
            oracle_nearest(&o, &place, 1, SPT_NO_LIMIT);
            oracle_nearest(&o, &place, 1, units[k]);
            CHECK(spt_box_within(&place, &boxes[0], units[k]));
            oracle_close(&o);
        }
}
#endif

/* ---- What answers cost ----------------------------------------------------------------------- */

#define MOST 100000

enum { LINEAR, QUADTREE, LOOSEGRID, PACKED, STRUCTURES };

static spt_box many[MOST];
static spt_index large;

/* The structure with its defaults in a world from 0 to side, made for n boxes, of which `many` are
   the first. */
static void open_large(int structure, double side, spt_i32 n)
{
    spt_linear_desc linear;
    spt_quadtree_desc quadtree;
    spt_linear_desc loosegrid;
    spt_packed_desc packed;
    memset(&linear, 0, sizeof linear);
    memset(&quadtree, 0, sizeof quadtree);
    memset(&loosegrid, 0, sizeof loosegrid);
    memset(&packed, 0, sizeof packed);
    linear.bounds = quadtree.bounds = loosegrid.bounds = box_of(0, 0, side, side);
    linear.capacity = quadtree.capacity = loosegrid.capacity = packed.capacity = n;
    linear.no_pairs = quadtree.no_pairs = loosegrid.no_pairs = packed.no_pairs = 1;
    if (structure == LINEAR) CHECK(spt_linear_init(&large, &linear) == SPT_OK);
    if (structure == QUADTREE) CHECK(spt_quadtree_init(&large, &quadtree) == SPT_OK);
    if (structure == LOOSEGRID) CHECK(spt_loosegrid_init(&large, &loosegrid) == SPT_OK);
    if (structure == PACKED) CHECK(spt_packed_init(&large, &packed) == SPT_OK);
    CHECK(spt_build(&large, many, n) == SPT_OK);
    test_context(spt_kind(&large), n);
}

/* So that there are always as many boxes in a piece of the world. */
static double side_for(spt_i32 n)
{
    return 40 * sqrt((double)n);
}

static double anywhere(double side)
{
    return side * test_below(1 << 20) / (1 << 20);
}

/* n boxes of up to 20 by 20, spread over the world. */
static void spread(spt_i32 n)
{
    spt_i32 i;
    for (i = 0; i < n; i++) {
        double x = anywhere(side_for(n)), y = anywhere(side_for(n));
        many[i] = box_of(x, y, x + anywhere(20), y + anywhere(20));
    }
}

static double cost_of_nearest(spt_box place, spt_i32 k)
{
    spt_intlist ids;
    spt_intlist_init(&ids, 1);
    work = 0;
    CHECK(spt_nearest(&large, &place, k, SPT_NO_LIMIT, NULL, &ids) == k);
    spt_intlist_free(&ids);
    return work;
}

static double cost_of_cast(const spt_motion *motion)
{
    spt_hit hit;
    work = 0;
    CHECK(spt_cast(&large, motion, NULL, &hit) >= 0);
    return work;
}

static double cost_of_cast_all(const spt_motion *motion)
{
    spt_intlist ids;
    spt_intlist_init(&ids, 1);
    work = 0;
    CHECK(spt_cast_all(&large, motion, NULL, &ids) >= 0);
    spt_intlist_free(&ids);
    return work;
}

/* The mean of the first hits of rays from all over the world in all directions. */
static double cost_of_first_hits(spt_i32 n)
{
    double sum = 0, side = side_for(n);
    int k;
    for (k = 0; k < 200; k++) {
        double x = anywhere(side), y = anywhere(side), dx = anywhere(4 * side) - 2 * side;
        spt_motion ray = ray_of(x, y, dx, anywhere(4 * side) - 2 * side);
        sum += cost_of_cast(&ray);
    }
    return sum / 200;
}

static double cost_of_nearest_anywhere(spt_i32 n, spt_i32 k)
{
    double sum = 0, side = side_for(n);
    int i;
    for (i = 0; i < 200; i++) {
        double x = anywhere(side), y = anywhere(side);
        sum += cost_of_nearest(box_of(x, y, x, y), k);
    }
    return sum / 200;
}

/* As many boxes as there is time for. */
static spt_i32 most_boxes(void)
{
    return test.divisor > 4 ? MOST / 10 : MOST;
}

static void a_ray_over_the_whole_world_costs_about_the_root_of_the_boxes(void)
{
    spt_i32 n;
    int s, k;
    for (n = 1000; n <= most_boxes(); n *= 10)
        for (s = 0; s < STRUCTURES; s++) {
            double side = side_for(n);
            spread(n);
            open_large(s, side, n);
            for (k = 0; k < 4; k++) {
                double at = k == 0 ? side / 3 : k == 1 ? side / 2 : side / 4; /* on borders */
                spt_motion ray = ray_of(1, at, side - 2, k == 3 ? at : 0);
                CHECK(cost_of_cast_all(&ray) <= 30 * sqrt((double)n));
                ray = ray_of(at, side - 1, k == 3 ? at : 0, 2 - side);
                CHECK(cost_of_cast_all(&ray) <= 30 * sqrt((double)n));
            }
            spt_free(&large);
        }
}

/* Packed, which is a tree, goes deeper where there are more, but not much. */
static void expect_no_growth(const double *costs, int count, double most)
{
    double low = costs[0], high = costs[0];
    int k;
    for (k = 1; k < count; k++) {
        if (costs[k] < low) low = costs[k];
        if (costs[k] > high) high = costs[k];
    }
    CHECK(high <= 2 * low && high <= most);
}

static void the_first_hit_and_the_nearest_do_not_cost_more_among_more_boxes(void)
{
    int s;
    for (s = 0; s < STRUCTURES; s++) {
        double hits[8], nearest[8];
        int count = 0;
        spt_i32 n;
        for (n = 1500; n <= most_boxes(); n *= 4, count++) { /* cells are halved each time */
            spread(n);
            open_large(s, side_for(n), n);
            hits[count] = cost_of_first_hits(n);
            nearest[count] = cost_of_nearest_anywhere(n, 1);
            spt_free(&large);
        }
        expect_no_growth(hits, count, 500);
        expect_no_growth(nearest, count, 500);
    }
}

/* n points in a hundredth of either side of the world. */
static void crowd(spt_i32 n, double side)
{
    spt_i32 i;
    for (i = 0; i < n; i++) {
        double x = anywhere(side / 100), y = anywhere(side / 100);
        many[i] = box_of(x, y, x, y);
    }
}

/* It is asked for from the other end. A tree gets there in as many steps as it is deep. The cells
   of the others are as large as the boxes would need if they were spread: a few hold all of them,
   and all are looked at. */
static void a_crowd_far_away_costs_the_depth_of_a_tree(void)
{
    spt_i32 n;
    int s;
    for (n = 1000; n <= most_boxes(); n *= 10)
        for (s = 0; s < STRUCTURES; s++) {
            double side = 10 * side_for(n), depth = log2((double)n), most;
            const spt_box corner = box_of(side, side, side, side);
            crowd(n, side);
            open_large(s, side, n);
            most = 40 * depth; /* also where the world was too large for them: it fits itself */
            CHECK(cost_of_nearest(corner, 1) <= most);
            CHECK(cost_of_nearest(corner, 10) <= most);
            spt_free(&large);
        }
}

static void a_box_around_everything_costs_little_more_than_none(void)
{
    const spt_i32 n = most_boxes();
    double side = side_for(n);
    int s;
    for (s = 0; s < STRUCTURES; s++) {
        spt_motion ray = ray_of(1, side / 3, side - 2, side / 5);
        ray.enter = 1;
        spread(n);
        many[n / 2] = box_of(0, 0, side, side);
        open_large(s, side, n);
        CHECK(cost_of_nearest_anywhere(n, 1) <= 1000);
        CHECK(cost_of_nearest_anywhere(n, 2) <= 1000);
        CHECK(cost_of_first_hits(n) <= 1000);
        CHECK(cost_of_cast(&ray) <= 2000); /* it does not begin in the box that it is in */
        spt_free(&large);
    }
}

/* At worst each is looked at once; but twice, if so few are wanted that approximate distances are
   compared first, and these tell nothing. */
static void boxes_that_are_all_alike_are_looked_at_twice_at_most(void)
{
    const spt_i32 n = most_boxes();
    double side = side_for(n), pi = 3.14159265358979;
    int s, circle;
    spt_i32 i;
    for (circle = 0; circle < 2; circle++) {
        for (i = 0; i < n; i++) {
            double angle = circle ? 2 * pi * (double)i / (double)n : 0;
            double x = side / 2 + side / 3 * cos(angle), y = side / 2 + side / 3 * sin(angle);
            many[i] = box_of(x, y, x, y);
        }
        for (s = 0; s < STRUCTURES; s++) {
            spt_box middle = box_of(side / 2, side / 2, side / 2, side / 2);
            spt_motion ray = motion_of(middle, many[0].min_x - middle.min_x, 0, 0);
            open_large(s, side, n);
            CHECK(cost_of_nearest(middle, 1) <= 4 * (double)n);
            CHECK(cost_of_nearest(middle, 100) <= 4 * (double)n);
            CHECK(cost_of_nearest(middle, 200) <= 2 * (double)n);
            CHECK(cost_of_cast(&ray) <= 2 * (double)n);
            CHECK(cost_of_cast_all(&ray) <= 2 * (double)n);
            spt_free(&large);
        }
    }
}

static void a_half_open_box_ends_one_step_before(void)
{
    static const double numbers[] = {0, 1, -1, 2, -2, 3, 0.1, 1e-3, -7.3, 1e6, -1e9,
                                     16777216, 1e-30, 2.6e-38, 1.5e-38, 3.5e-307, 1e-45};
    const spt_box touched = box_of(1, 0, 2, 1);
    spt_box box;
    long k;
    for (k = 0; k < 2000 + TEST_COUNT(numbers); k++) {
        spt_coord x = (spt_coord)(k < TEST_COUNT(numbers) ? numbers[k] : test_below(1 << 20));
        if (k >= TEST_COUNT(numbers) && k % 3) x /= (spt_coord)(1 + test_below(1000));
        if (k % 2) x = -x;
        box.min_x = box.min_y = -COORD_MAX, box.max_x = box.max_y = x;
        spt_box_half_open(&box);
#if defined(SPATIAL_INT)
        CHECK(box.max_x == x - 1 && box.max_y == x - 1);
#elif defined(SPATIAL_DOUBLE)
        CHECK(box.max_x >= nextafter(x, -COORD_MAX) && box.max_y <= nextafter(x, -COORD_MAX));
#else
        CHECK(box.max_x >= nextafterf(x, -COORD_MAX) && box.max_y <= nextafterf(x, -COORD_MAX));
#endif
    }
    box.min_x = box.min_y = COORD_LOW, box.max_x = COORD_LOW, box.max_y = COORD_HIGH;
    spt_box_half_open(&box); /* there is no step below the lowest number */
    CHECK(box.max_x <= COORD_LOW && box.max_y < COORD_HIGH && box.max_y >= COORD_MAX - 1);
    box = box_of(0, 0, 1, 1);
    CHECK(spt_box_overlap(&box, &touched));
    spt_box_half_open(&box);
    CHECK(!spt_box_overlap(&box, &touched));
    box = box_of(1, 1, 1, 1); /* of no size it stays */
    spt_box_half_open(&box);
    CHECK(spt_box_valid(&box) && spt_box_overlap(&box, &touched));
}

static const test_case tests[] = {
    TEST(a_half_open_box_ends_one_step_before),
    TEST(a_ray_along_a_face_touches_the_box_and_does_not_enter_it),
    TEST(rays_along_cell_borders_meet_what_lies_on_either_side),
    TEST(the_sign_of_a_zero_direction_makes_no_difference),
#ifndef SPATIAL_INT
    TEST(denormal_directions_are_directions),
    TEST(times_that_are_too_small_for_a_number_are_zero),
    TEST(ways_of_a_few_of_the_least_numbers_are_divided),
#endif
    TEST(at_a_corner_one_side_is_told),
    TEST(what_is_inside_at_the_start_is_met_at_the_start_and_not_entered),
    TEST(a_motion_that_ends_at_a_face_meets_it_and_not_one_before),
    TEST(a_motion_that_just_reaches_the_outermost_is_not_left_out),
    TEST(only_what_is_moved_into_is_entered),
    TEST(infinite_boxes_are_near_and_are_met_wherever_one_is),
    TEST(what_lies_outside_the_world_is_found_from_inside_and_outside),
    TEST(of_equal_distances_the_lower_ids_come_first_wherever_cut),
    TEST(what_is_met_at_one_time_comes_in_the_order_of_ids),
    TEST(a_motion_through_a_crowd_tells_all_that_is_there_in_order),
    TEST(a_lowered_limit_ends_a_visit_behind_it_or_at_once),
    TEST(limits_of_zero_and_below_count_what_overlaps_and_nothing),
    TEST(a_filter_decides_what_there_is),
    TEST(a_filter_that_cannot_be_meant_is_refused),
    TEST(relations_are_of_windows_alone),
    TEST(equal_edges_count_as_inside_and_as_around),
    TEST(of_all_small_boxes_those_in_the_relation_are_found),
#if defined(SPTI_X86) && !defined(SPATIAL_INT)
    TEST(relations_hold_where_denormals_are_zero),
#endif
    TEST(masks_without_a_mask_are_for_pairs_alone),
    TEST(a_relation_costs_no_more_than_what_overlaps),
    TEST(nothing_is_found_where_nothing_is),
    TEST(what_is_not_valid_is_refused_and_leaves_an_empty_list),
    TEST(an_index_that_was_never_made_answers_nothing),
#ifdef SPATIAL_INT
    TEST(no_product_of_coordinates_is_too_large),
    TEST(the_nearer_of_two_is_told_by_one_in_sixty_four_bits),
#endif
    TEST(the_helpers_mean_what_the_questions_mean),
#ifndef SPATIAL_INT
    TEST(the_largest_distance_that_a_coordinate_can_hold_is_told),
#endif
    TEST(boxes_are_made_around_points_and_boxes),
    TEST(two_boxes_have_their_intersection_in_common),
    TEST(an_exception_of_no_element_leaves_out_nothing),
    TEST(the_first_found_does_not_hide_the_nearest_and_the_earliest),
    TEST(distances_that_differ_in_their_last_digit_are_told_apart),
#ifdef SPATIAL_DOUBLE
    TEST(distances_whose_squares_are_no_numbers_are_equal),
#endif
    TEST(a_ray_over_the_whole_world_costs_about_the_root_of_the_boxes),
    TEST(the_first_hit_and_the_nearest_do_not_cost_more_among_more_boxes),
    TEST(a_crowd_far_away_costs_the_depth_of_a_tree),
    TEST(a_box_around_everything_costs_little_more_than_none),
    TEST(boxes_that_are_all_alike_are_looked_at_twice_at_most),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
