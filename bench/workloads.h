/* Boxes to measure with, and how they move. The same name, number and seed give the same boxes and
   the same motion everywhere where log, cos, sqrt and pow round alike. workloads.c has the
   plain words for the tables beside their names.

   Made here, in a square world of side W with a corner at 0. The boxes cover 25 % of it, and their
   centres are spread evenly, where nothing else follows:
     equal        1 x 1
     mixed        squares, sides Pareto-distributed with exponent 2, the largest W/8
     clusters     1 x 1, in 32 clusters, Gaussian, of standard deviation W/32; world as for equal
     small in clusters  0.5 x 0.5 in the same: about as many pairs as for equal
     long         16 x 0.25, every other one upright
     row          1 x 1, side by side in one row along the middle line of a world of W = boxes
     cross        0.5 x 0.5, scattered along both middle lines, half a unit to either side; world as
                  for equal
     giants       as equal, but for 8 boxes of W x W about the middle of the world
     few of 2048  400,000 squares in W = 100,000 of side min(2048, 2032 / (2000 u) + 16), u uniform
                  in (0, 1]: half of them of 18 or less, one in 2000 of 2048, in all 19 % of the
                  world. Other numbers of boxes get a world of the same density
     rain         0.5 x 0.5, side by side in five rows, W = boxes / 10: 2500 are the ground of the
                  scene "rain" among the benchmarks of Box2D 3.1, with rows 45 apart

   The distributions of M. Lysenko's benchmark of JavaScript libraries (0fps.net, "Collision
   detection (part 3): Benchmarks", 2015; sources: github.com/mikolalysenko/box-intersect-benchmark,
   generators), in two dimensions and W = 1; every u is another number, uniform in [0, 1):
     0fps uniform  lower corner (u, u), sides u / sqrt(boxes)
     0fps circle   centre on the circle of diameter 1 about the middle, half sides u / boxes^(3/4)
     0fps skewed   lower corner (u, u), width u / boxes, height 1/2

   Read from bench/data, where their sources stand; how many boxes there are is the file's choice:
     counties     of 3142 counties of the United States
     pile         400 bodies of a physics scene, in 120 frames, which are their motion

   Motion: each frame, all boxes or a random tenth of them move by up to a tenth of their size
   either way, along each axis on its own. Bodies of the pile move as they did: told is which boxes
   differ from the frame before. */
#ifndef WORKLOADS_H
#define WORKLOADS_H

#include "subject.h"

typedef struct workload {
    bench_box world;
    bench_box *boxes;
    int n;
    int *ids;          /* of the boxes that the last motion moved, */
    int moved;         /* how many these are */
    bench_box *trace;  /* frames of n boxes each; NULL: there is none */
    int frame, frames; /* of the trace */
} workload;

/* What its boxes are, in plain words. Gives up, see measure.h, if there is no such workload. */
const char *workload_plainly(const char *name);

/* Makes about n boxes. Gives up, see measure.h, if it cannot. */
void workload_open(workload *w, const char *name, int n, unsigned long seed);
void workload_close(workload *w);

/* The next frame: moves one box in `every`, 1 or more. */
void workload_move(workload *w, int every);

/* 0 <= result < 1, of the sequence that the last workload_open began */
double random_uniform(void);

void set_box(bench_box *box, double x, double y, double width, double height); /* x, y: centre */

#endif
