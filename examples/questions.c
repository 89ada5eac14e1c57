/* questions - fourteen questions to one small world, drawn with their answers

   usage: questions [--svg FILE]

   Fourteen boxes are asked which of them overlap a window, a circle or a shape, which are nearest,
   which one a ray or a moving box meets first, where a box and a circle end that slide, which pairs
   overlap, which contacts begin and end, and which centres are neighbours. Each answer is held
   against loops without spatial.h, or against a motion in small steps. --svg draws a panel a
   question: boxes that are found are orange, the question is violet. The picture in README.md is
   made by

       cc -O2 -I. -o questions examples/questions.c -lm && ./questions --svg examples/questions.svg

   Look at the functions named ask_...: each has one question. A line a question tells the
   answer: ids, pairs of ids, or places.

   Exit status: 0; 1 if something failed or an answer is wrong; 2 for a wrong option. */

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

enum { COUNT = 14, STEPS = 200000 };

static const spt_box at_first[COUNT] = {/* x points right, y down */
                                        {8, 10, 48, 34},     {40, 26, 66, 52},
                                        {78, 8, 104, 26},    {120, 14, 182, 60},
                                        {134, 24, 150, 40},  {158, 48, 184, 74},
                                        {8, 62, 30, 96},     {30, 84, 58, 104},
                                        {76, 52, 100, 78},   {112, 78, 128, 124},
                                        {128, 96, 160, 110}, {14, 114, 44, 132},
                                        {62, 112, 92, 130},  {166, 90, 182, 130}};

/* The world, and the answer to the question that is asked. */
static spt_box boxes[COUNT];
static spt_index world;
static spt_layer layer;
static spt_intlist ids, pairs;
static int found[COUNT];         /* 1: the element is part of the answer */
static int linked[COUNT][COUNT]; /* 1: the pair is, the smaller id first */
static char said[400];           /* the answer in words */
static char marks[16000];        /* the question and the answer, as SVG */

static void fail(const char *what)
{
    fprintf(stderr, "questions: %s\n", what);
    exit(1);
}

/* Passes a count through; errors are negative. */
static spt_i32 must(spt_i32 result)
{
    if (result < 0) fail(spt_error_string(result));
    return result;
}

static void check(int same)
{
    if (!same) fail("the library and a loop differ");
}

/* Appends to a text that has room for `room` characters. */
static void append(char *text, size_t room, const char *format, va_list values)
{
    size_t used = strlen(text);
    int more = vsnprintf(text + used, room - used, format, values);

    if (more < 0 || (size_t)more >= room - used) fail("a text is too long");
}

static void say(const char *format, ...)
{
    va_list values;

    va_start(values, format);
    append(said, sizeof said, format, values);
    va_end(values);
}

static void mark(const char *format, ...)
{
    va_list values;

    va_start(values, format);
    append(marks, sizeof marks, format, values);
    va_end(values);
}

/* ---- marks ----------------------------------------------------------------------------------- */

static void mark_box(const char *look, const spt_box *b)
{
    mark("<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", look,
         (double)b->min_x, (double)b->min_y, (double)(b->max_x - b->min_x),
         (double)(b->max_y - b->min_y));
}

static void mark_circle(const char *look, double x, double y, double radius)
{
    mark("<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", look, x, y, radius);
}

static void mark_line(const char *look, double x0, double y0, double x1, double y1)
{
    mark("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", look, x0, y0, x1,
         y1);
}

static double middle_x(const spt_box *b)
{
    return (double)(b->min_x + b->max_x) / 2;
}

static double middle_y(const spt_box *b)
{
    return (double)(b->min_y + b->max_y) / 2;
}

static void mark_way(const char *look, const spt_box *from, const spt_box *to)
{
    mark_line(look, middle_x(from), middle_y(from), middle_x(to), middle_y(to));
}

static spt_box moved(const spt_box *b, double dx, double dy)
{
    spt_box m;

    m.min_x = (spt_coord)((double)b->min_x + dx), m.max_x = (spt_coord)((double)b->max_x + dx);
    m.min_y = (spt_coord)((double)b->min_y + dy), m.max_y = (spt_coord)((double)b->max_y + dy);
    return m;
}

/* Takes over the ids of the list, which are then part of the answer. */
static void take_ids(void)
{
    spt_i32 i;

    for (i = 0; i < spt_intlist_count(&ids); i++) found[spt_intlist_get(&ids, i, 0)] = 1;
    for (i = 0; i < COUNT; i++)
        if (found[i]) say(" %d", (int)i);
}

/* Takes over pairs, and shows each as a line between the two middles. */
static void take_pairs(const spt_intlist *list, const char *look)
{
    spt_i32 i, a, b;

    memset(linked, 0, sizeof linked);
    for (i = 0; i < spt_intlist_count(list); i++)
        linked[spt_intlist_get(list, i, 0)][spt_intlist_get(list, i, 1)] = 1;
    for (a = 0; a < COUNT; a++)
        for (b = a + 1; b < COUNT; b++)
            if (linked[a][b]) {
                say(" %d-%d", (int)a, (int)b);
                mark_way(look, &boxes[a], &boxes[b]);
            }
}

/* ---- the loops that the questions spare ------------------------------------------------------ */

static int touch(const spt_box *a, const spt_box *b)
{
    return a->min_x <= b->max_x && b->min_x <= a->max_x && a->min_y <= b->max_y &&
           b->min_y <= a->max_y;
}

static int enter(const spt_box *a, const spt_box *b)
{
    return a->min_x < b->max_x && b->min_x < a->max_x && a->min_y < b->max_y && b->min_y < a->max_y;
}

static int hold(const spt_box *a, const spt_box *b) /* all of b */
{
    return a->min_x <= b->min_x && b->max_x <= a->max_x && a->min_y <= b->min_y &&
           b->max_y <= a->max_y;
}

/* The way from a place to the nearest point of a box. */
static void nearest_way(const spt_box *b, double x, double y, double *dx, double *dy)
{
    *dx = fmin(fmax(x, (double)b->min_x), (double)b->max_x) - x;
    *dy = fmin(fmax(y, (double)b->min_y), (double)b->max_y) - y;
}

static double squared_distance(const spt_box *b, double x, double y)
{
    double dx, dy;

    nearest_way(b, x, y, &dx, &dy);
    return dx * dx + dy * dy;
}

/* 1 if all corners of a box lie on the outer side of a side of a polygon, or all of the polygon
   beside the box: then they do not meet. The inner side of a side from p to q is where p, q and a
   point inside turn from x to y. */
static int apart(const spt_box *b, const spt_coord *points, int n)
{
    spt_box around = {points[0], points[1], points[0], points[1]};
    int i, k;

    for (i = 0; i < n; i++) {
        const spt_coord *p = points + 2 * i, *q = points + 2 * ((i + 1) % n);
        int outer = 0;
        for (k = 0; k < 4; k++) {
            spt_coord x = k & 1 ? b->min_x : b->max_x, y = k & 2 ? b->min_y : b->max_y;
            outer += (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]) < 0;
        }
        if (outer == 4) return 1;
        around.min_x = fminf(around.min_x, p[0]), around.max_x = fmaxf(around.max_x, p[0]);
        around.min_y = fminf(around.min_y, p[1]), around.max_y = fmaxf(around.max_y, p[1]);
    }
    return !touch(b, &around);
}

/* The part of its way after which a moving box first meets an element, and which; 2: none. */
static double first_meeting(const spt_motion *m, int *id)
{
    double first = 2;
    int i, axis;

    for (i = 0; i < COUNT; i++) {
        double from = 0, to = 1;
        for (axis = 0; axis < 2; axis++) {
            double d = (double)(axis ? m->dy : m->dx);
            double low =
                (double)(axis ? boxes[i].min_y - m->box.max_y : boxes[i].min_x - m->box.max_x);
            double high =
                (double)(axis ? boxes[i].max_y - m->box.min_y : boxes[i].max_x - m->box.min_x);
            from = fmax(from, (d > 0 ? low : high) / d);
            to = fmin(to, (d > 0 ? high : low) / d);
        }
        if (from > to || from >= first) continue;
        first = from, *id = i;
    }
    return first;
}

/* ---- windows, circles, shapes, the nearest --------------------------------------------------- */

static void ask_window(const spt_box *window, int relation)
{
    spt_filter filter = {0};
    int i;

    filter.relation = relation;
    must(spt_query(&world, window, &filter, &ids));
    take_ids();
    for (i = 0; i < COUNT; i++)
        check(found[i] == (relation == SPT_MEETS    ? touch(&boxes[i], window)
                           : relation == SPT_ENTERS ? enter(&boxes[i], window)
                           : relation == SPT_INSIDE ? hold(window, &boxes[i])
                                                    : hold(&boxes[i], window)));
    mark_box("asked", window);
}

static const spt_box wide = {66, 20, 128, 86}, narrow = {138, 28, 146, 36};

static void ask_meets(void)
{
    ask_window(&wide, SPT_MEETS);
}

static void ask_enters(void)
{
    ask_window(&wide, SPT_ENTERS);
}

static void ask_inside(void)
{
    ask_window(&wide, SPT_INSIDE);
}

static void ask_around(void)
{
    ask_window(&narrow, SPT_AROUND);
}

static void ask_circle(void)
{
    spt_box centre = {60, 70, 60, 70};
    int i;

    must(spt_within(&world, &centre, 30, NULL, &ids));
    take_ids();
    for (i = 0; i < COUNT; i++) check(found[i] == (squared_distance(&boxes[i], 60, 70) <= 900));
    mark_circle("asked", 60, 70, 30);
}

static void ask_shape(void)
{
    static const spt_coord corners[8] = {64, 94, 144, 14, 152, 22, 72, 102}; /* a turned box */
    spt_shape shape = {corners, 4, 0};
    int i;

    must(spt_overlap(&world, &shape, NULL, &ids));
    take_ids();
    for (i = 0; i < COUNT; i++) check(found[i] == !apart(&boxes[i], corners, 4));
    mark("<path class=\"asked\" d=\"M64 94L144 14L152 22L72 102z\"/>\n");
}

static void ask_nearest(void)
{
    spt_box from = {66, 90, 66, 90};
    int i, k, nearer;

    must(spt_nearest(&world, &from, 3, SPT_NO_LIMIT, NULL, &ids));
    take_ids();
    for (k = 0; k < 3; k++) {
        const spt_box *b = &boxes[spt_intlist_get(&ids, k, 0)];
        double dx, dy;
        for (i = nearer = 0; i < COUNT; i++)
            nearer += squared_distance(&boxes[i], 66, 90) < squared_distance(b, 66, 90);
        check(nearer == k);
        nearest_way(b, 66, 90, &dx, &dy);
        mark_line("asked", 66, 90, 66 + dx, 90 + dy);
    }
    mark_circle("dot", 66, 90, 4);
}

/* ---- rays, moving boxes, slides -------------------------------------------------------------- */

static void cast(const spt_motion *m, spt_hit *hit)
{
    int id = SPT_NONE;
    double t = first_meeting(m, &id);

    check(must(spt_cast(&world, m, NULL, hit)) == 1 && hit->id == id);
    check(fabs((double)hit->t - t) < 1e-5);
    found[hit->id] = 1;
    say(" %d at %.3f of the way", (int)hit->id, (double)hit->t);
}

static void ask_ray(void)
{
    spt_motion ray = {{4, 50, 4, 50}, 180, 36, 0};
    spt_hit hit;
    double x, y;

    cast(&ray, &hit);
    x = 4 + 180 * (double)hit.t, y = 50 + 36 * (double)hit.t;
    mark_line("asked", 4, 50, x, y);
    mark_line("wish", x, y, 184, 86);
    mark_circle("dot", x, y, 4);
}

static void ask_moving_box(void)
{
    spt_motion m = {{94, 127, 108, 138}, 76, -3, 0};
    spt_hit hit;
    spt_box end, stop;

    cast(&m, &hit);
    spt_box_stop(&m, &hit, &boxes[hit.id], &stop);
    end = moved(&m.box, 76, -3);
    mark_box("asked", &m.box), mark_box("mover", &stop), mark_way("asked", &m.box, &stop);
    mark_way("wish", &stop, &end);
}

/* The same by small steps: one along an axis that would enter an element ends the way along that
   axis. */
static void check_slide(const spt_motion *m, const spt_box *end)
{
    spt_box b = m->box;
    double x = 0, y = 0;
    int i, k, axis, stopped[2] = {0, 0};

    for (k = 0; k < STEPS; k++)
        for (axis = 0; axis < 2; axis++) {
            double dx = axis == 0 ? (double)m->dx / STEPS : 0;
            double dy = axis == 1 ? (double)m->dy / STEPS : 0;
            b = moved(&m->box, x + dx, y + dy);
            for (i = 0; i < COUNT; i++) stopped[axis] |= enter(&boxes[i], &b);
            if (!stopped[axis]) x += dx, y += dy;
        }
    check(fabs((double)(end->min_x - m->box.min_x) - x) < 0.01);
    check(fabs((double)(end->min_y - m->box.min_y) - y) < 0.01);
}

static void ask_slide(void)
{
    spt_motion m = {{60, 80, 74, 94}, 58, 44, 0};
    spt_hit hits[2];
    spt_box end, bend, wish;
    int i, n = must(spt_slide(&layer, 1, &m, &end, hits));

    check(n == 2);
    check_slide(&m, &end);
    for (i = 0; i < n; i++) found[hits[i].id] = 1;
    say(" to (%.1f, %.1f), along %d and %d", (double)end.min_x, (double)end.min_y, (int)hits[0].id,
        (int)hits[1].id);
    spt_box_stop(&m, &hits[0], &boxes[hits[0].id], &bend);
    wish = moved(&m.box, (double)m.dx, (double)m.dy);
    mark_way("wish", &m.box, &wish);
    mark_box("asked", &m.box), mark_box("mover", &end);
    mark_way("asked", &m.box, &bend), mark_way("asked", &bend, &end);
}

/* The same by small steps: a step that would enter an element is not made, and the circle goes on
   along the side there. */
static void check_circle_slide(double x, double y, double radius, double dx, double dy,
                               double end_x, double end_y)
{
    int i, k, met;

    for (k = 0; k < STEPS; k++) {
        double to_x = x + dx / STEPS, to_y = y + dy / STEPS;
        for (i = met = 0; i < COUNT; i++) {
            double nx, ny, length, into;
            if (squared_distance(&boxes[i], to_x, to_y) >= radius * radius) continue;
            nearest_way(&boxes[i], to_x, to_y, &nx, &ny);
            length = hypot(nx, ny);
            into = (dx * nx + dy * ny) / length;
            if (into > 0) dx -= into * nx / length, dy -= into * ny / length;
            met = 1;
        }
        if (!met) x = to_x, y = to_y;
    }
    check(hypot(end_x - x, end_y - y) < 0.2);
}

static void ask_circle_slide(void)
{
    static const spt_coord centre[2] = {158, 84};
    enum { RADIUS = 8, DX = -75, DY = -60, DRAWN = 48 };
    spt_shape circle = {centre, 1, RADIUS};
    spt_shape_hit hits[SPT_SHAPE_HITS];
    spt_coord x = 0, y = 0;
    int i, n = 0;

    mark("<polyline class=\"asked\" points=\"158,84"); /* the way, as slides that end earlier */
    for (i = 1; i <= DRAWN; i++) {
        spt_coord part = (spt_coord)i / DRAWN;
        n = must(spt_shape_slide(&layer, 1, &circle, DX * part, DY * part, 0.1F, &x, &y, hits));
        mark(" %.1f,%.1f", (double)(centre[0] + x), (double)(centre[1] + y));
    }
    mark("\"/>\n");
    check_circle_slide(158, 84, RADIUS, DX, DY, (double)(centre[0] + x), (double)(centre[1] + y));
    say(" to (%.1f, %.1f), along", (double)(centre[0] + x), (double)(centre[1] + y));
    for (i = 0; i < n; i++) found[hits[i].id] = 1, say(" %d", (int)hits[i].id);
    mark_line("wish", 158, 84, 158 + DX, 84 + DY);
    mark_circle("asked", 158, 84, RADIUS);
    mark_circle("mover", (double)(centre[0] + x), (double)(centre[1] + y), RADIUS);
}

/* ---- pairs, contacts, neighbours ------------------------------------------------------------- */

static void ask_pairs(void)
{
    int a, b;

    must(spt_pairs(&world, NULL, &pairs));
    take_pairs(&pairs, "link");
    for (a = 0; a < COUNT; a++)
        for (b = a + 1; b < COUNT; b++) {
            check(linked[a][b] == touch(&boxes[a], &boxes[b]));
            if (linked[a][b]) found[a] = found[b] = 1;
        }
}

static void move(spt_i32 id, double dx, double dy)
{
    mark_box("was", &boxes[id]);
    boxes[id] = moved(&boxes[id], dx, dy);
    must(spt_move(&world, id, &boxes[id]));
}

/* Contacts of a frame before and of one after two elements have moved. */
static void ask_contacts(void)
{
    spt_contacts contacts;
    spt_intlist began, ended;
    int a, b;

    must(spt_contacts_init(&contacts, NULL));
    must(spt_intlist_init(&began, 2)), must(spt_intlist_init(&ended, 2));
    must(spt_pairs(&world, NULL, &pairs));
    must(spt_contacts_update(&contacts, &pairs, &began, &ended));
    move(1, 14, 4), move(12, 22, 0);
    must(spt_pairs(&world, NULL, &pairs));
    must(spt_contacts_update(&contacts, &pairs, &began, &ended));
    say(" began");
    take_pairs(&began, "link");
    for (a = 0; a < COUNT; a++)
        for (b = a + 1; b < COUNT; b++) {
            check(linked[a][b] ==
                  (touch(&boxes[a], &boxes[b]) && !touch(&at_first[a], &at_first[b])));
            if (linked[a][b]) found[a] = found[b] = 1;
        }
    say("; ended");
    take_pairs(&ended, "parted");
    for (a = 0; a < COUNT; a++)
        for (b = a + 1; b < COUNT; b++)
            check(linked[a][b] ==
                  (!touch(&boxes[a], &boxes[b]) && touch(&at_first[a], &at_first[b])));
    spt_contacts_free(&contacts), spt_intlist_free(&began), spt_intlist_free(&ended);
}

/* The centres of all boxes are points. */
static void ask_neighbours(void)
{
    enum { RADIUS = 50 };
    spt_coord x[COUNT], y[COUNT];
    spt_neighbours neighbours;
    int a, b;

    for (a = 0; a < COUNT; a++)
        x[a] = (spt_coord)middle_x(&boxes[a]), y[a] = (spt_coord)middle_y(&boxes[a]);
    must(spt_neighbours_init(&neighbours, NULL));
    must(spt_neighbours_pairs(&neighbours, x, y, sizeof x[0], COUNT, RADIUS, &pairs));
    take_pairs(&pairs, "link");
    for (a = 0; a < COUNT; a++) {
        for (b = a + 1; b < COUNT; b++) {
            spt_coord dx = x[a] - x[b], dy = y[a] - y[b];
            check(linked[a][b] == (dx * dx + dy * dy <= RADIUS * RADIUS));
        }
        mark_circle("point", (double)x[a], (double)y[a], 3);
    }
    mark_circle("asked", (double)x[8], (double)y[8], RADIUS);
    spt_neighbours_free(&neighbours);
}

/* ---- the picture ----------------------------------------------------------------------------- */

typedef struct panel {
    const char *title, *call;
    void (*ask)(void);
} panel;

static const panel panels[] = {
    {"window", "spt_query", ask_meets},
    {"enters", "SPT_ENTERS", ask_enters},
    {"inside", "SPT_INSIDE", ask_inside},
    {"around", "SPT_AROUND", ask_around},
    {"circle", "spt_within", ask_circle},
    {"shape", "spt_overlap", ask_shape},
    {"nearest", "spt_nearest", ask_nearest},
    {"ray", "spt_cast", ask_ray},
    {"moving box", "spt_cast", ask_moving_box},
    {"box slides", "spt_slide", ask_slide},
    {"circle slides", "spt_shape_slide", ask_circle_slide},
    {"pairs", "spt_pairs", ask_pairs},
    {"contacts", "spt_contacts_update", ask_contacts},
    {"neighbours", "spt_neighbours_pairs", ask_neighbours},
};

enum { PANELS = sizeof panels / sizeof panels[0], COLUMNS = 5, PITCH = 200, HIGH = 202 };

/* The colours are for light pages and for dark ones; where the picture is narrow, the names of
   functions would be too small to be read and are left out. */
static const char *const style =
    "<style>\n"
    "svg{font-family:sans-serif}\n"
    ".paper{fill:#f8fafc;stroke:#cbd5e1}.title,.word{font-size:23px;fill:#0f172a}\n"
    ".word{font-size:18px}.call{font:14px monospace;fill:#64748b}\n"
    ".element{fill:#64748b;fill-opacity:.28;stroke:#475569}\n"
    ".found{fill:#fb6514;fill-opacity:.75;stroke:#b93815;stroke-width:1.5}\n"
    ".asked{fill:none;stroke:#7c3aed;stroke-width:2.5}\n"
    ".mover{fill:#7c3aed;fill-opacity:.5;stroke:#7c3aed;stroke-width:2.5}\n"
    ".wish{fill:none;stroke:#7c3aed;stroke-width:2;stroke-dasharray:3 4}.dot{fill:#7c3aed}\n"
    ".was{fill:none;stroke:#7c3aed;stroke-width:2;stroke-dasharray:3 4}.point{fill:#475569}\n"
    ".link{stroke:#b93815;stroke-width:3}\n"
    ".parted{stroke:#b93815;stroke-width:2.5;stroke-dasharray:3 4}\n"
    "@media(prefers-color-scheme:dark){.paper{fill:#0f172a;stroke:#334155}.title,.word{fill:#"
    "f1f5f9}\n"
    ".call{fill:#94a3b8}.element{fill:#94a3b8;stroke:#94a3b8}.found{stroke:#fdba74}\n"
    ".asked,.wish,.was,.mover{stroke:#c4b5fd}.dot{fill:#c4b5fd}.point{fill:#cbd5e1}\n"
    ".link,.parted{stroke:#fdba74}}\n"
    "@media(max-width:600px){.title{font-size:28px}.call{display:none}}\n"
    "</style>\n";

static void draw_boxes(FILE *svg)
{
    int i;

    for (i = 0; i < COUNT; i++)
        fprintf(svg, "<rect class=\"%s\" x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\"/>\n",
                found[i] ? "found" : "element", (double)boxes[i].min_x, (double)boxes[i].min_y,
                (double)(boxes[i].max_x - boxes[i].min_x),
                (double)(boxes[i].max_y - boxes[i].min_y));
}

static void begin_panel(FILE *svg, int k, const char *title, const char *call)
{
    fprintf(svg, "<g transform=\"translate(%d %d)\">\n", k % COLUMNS * PITCH + 5,
            k / COLUMNS * HIGH + 52);
    fprintf(svg, "<rect class=\"paper\" y=\"-50\" width=\"190\" height=\"192\" rx=\"4\"/>\n");
    fprintf(svg, "<text class=\"title\" x=\"8\" y=\"-26\">%s</text>", title);
    fprintf(svg, "<text class=\"call\" x=\"8\" y=\"-8\">%s</text>\n", call);
}

/* The last panel has the meanings of the colours. */
static void draw_legend(FILE *svg)
{
    static const char *const looks[] = {"element", "found", "asked", "mover", "wish"};
    static const char *const words[] = {"elements", "found", "asked", "where it ends",
                                        "was, would be"};
    int i;

    begin_panel(svg, PANELS, "", "");
    for (i = 0; i < 5; i++) {
        fprintf(svg, "<rect class=\"%s\" x=\"10\" y=\"%d\" width=\"26\" height=\"20\"/>", looks[i],
                36 * i - 36);
        fprintf(svg, "<text class=\"word\" x=\"45\" y=\"%d\">%s</text>\n", 36 * i - 20, words[i]);
    }
    fprintf(svg, "</g>\n</svg>\n");
}

static void run(FILE *svg)
{
    int k;

    if (svg != NULL)
        fprintf(svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n"
                "<title>%d questions to a world of %d boxes, and what they find</title>\n%s",
                COLUMNS * PITCH, (PANELS + 1) / COLUMNS * HIGH, PANELS, COUNT, style);
    for (k = 0; k < PANELS; k++) {
        memset(found, 0, sizeof found);
        said[0] = marks[0] = '\0';
        memcpy(boxes, at_first, sizeof boxes);
        must(spt_build(&world, boxes, COUNT));
        panels[k].ask();
        printf("%-14s%s\n", panels[k].title, said);
        if (svg == NULL) continue;
        begin_panel(svg, k, panels[k].title, panels[k].call);
        draw_boxes(svg);
        fprintf(svg, "%s</g>\n", marks);
    }
    if (svg != NULL) draw_legend(svg);
}

int main(int argc, char **argv)
{
    FILE *svg = NULL;

    if (argc != 1 && (argc != 3 || strcmp(argv[1], "--svg") != 0)) {
        fprintf(stderr, "usage: questions [--svg FILE]\n");
        return 2;
    }
    if (argc == 3 && (svg = fopen(argv[2], "w")) == NULL) fail("cannot write the picture");
    must(spt_linear_init(&world, NULL));
    must(spt_intlist_init(&ids, 1)), must(spt_intlist_init(&pairs, 2));
    layer.index = &world;
    run(svg);
    if (svg != NULL && (ferror(svg) || fclose(svg) != 0)) fail("cannot write the picture");
    spt_intlist_free(&ids), spt_intlist_free(&pairs);
    spt_free(&world);
    return 0;
}

/* Prints:
window         1 2 3 8 9
enters         2 3 8 9
inside         8
around         3 4
circle         1 6 7 8
shape          3 4 8
nearest        7 8 12
ray            8 at 0.400 of the way
moving box     13 at 0.763 of the way
box slides     to (98.0, 98.0), along 12 and 9
circle slides  to (108.0, 68.0), along 5 3 8
pairs          0-1 3-4 3-5 6-7 9-10
contacts       began 1-8 9-12; ended 0-1
neighbours     0-1 1-2 1-8 2-8 3-4 3-5 4-5 5-10 5-13 6-7 6-11 7-11 7-12 8-9 9-10 9-12 10-13 11-12
*/
