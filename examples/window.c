/* window - agents and boids in a window (SDL 2): pairs, cells, and questions under the mouse

   usage: window [--things N] [--frames N] [--picture FILE.bmp] [--plain]

   Two scenes: agents bounce off each other, boids steer by who is near. A structure keeps the boxes
   of all, is told each frame where they are, finds the pairs of agents (of boids spt_neighbours
   does that), answers the question that follows the mouse, and shows its cells. The title has
   the figures: how many, and how many milliseconds that took. --help tells the keys.

   --frames plays so many frames in which all keys are pressed and the mouse asks, drags and turns
   its wheel, by events as of a user; each answer is held against a loop over all boxes. A line sums
   up what each structure found; --plain leaves out what differs from machine to machine: the times
   and the bytes. --picture saves the last frame. SDL_VIDEODRIVER=dummy does without a screen.

   Look at find_pairs, ask and answer: the same few lines for every structure.

   Build: cc -O2 -I. $(sdl2-config --cflags) -o window examples/window.c $(sdl2-config --libs) -lm
   Exit status: 0; 1 if something failed or an answer is wrong; 2 for a wrong option. */

#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

enum { WIDTH = 1280, HEIGHT = 720 }; /* of the world, and of the window at the start */
enum { AGENTS, BOIDS };
enum { LINEAR, QUADTREE, LOOSEGRID, PACKED, BROADPHASE, STRUCTURES };
enum { NOTHING, WINDOW, CIRCLE, NEAREST, RAY, BOX, QUESTIONS };
enum { TURN = 24, ROUND = STRUCTURES * TURN }; /* frames of --frames: a structure's, a scene's */

static const char *const scene_names[] = {"agents", "boids"};
static const char *const structure_names[] = {"linear", "quadtree", "loosegrid", "packed",
                                              "broadphase"};
static const char *const question_names[] = {"no question", "window", "circle",
                                             "nearest",     "ray",    "box"};
static const char question_keys[] = "xwonrb";
static const char help[] =
    "1 linear  2 quadtree  3 loosegrid  4 packed, built anew each frame\n"
    "5 broadphase, which keeps nothing, so there is nothing to ask\n"
    "W window  O circle  N nearest  R ray  B moving box  X nothing\n"
    "left button: drag to set the size of the question; up, down: how many are nearest\n"
    "right button: drag the view; wheel: zoom; V: all of it again\n"
    "C or space: cells  P: pause  tab: the other scene  H: help  Q or escape: end\n";

/* Lengths are in units: the world has 50 square units a thing, however many there are. */
#define MAX_RADIUS 7.0 /* of an agent; the smallest have 1 */
#define SIGHT 10.0     /* of a boid */
#define SPACE 5.0      /* who is closer to a boid is too close */
#define MARGIN 20.0    /* where boids turn back */
#define MIN_SPEED 0.6  /* a frame */
#define MAX_SPEED 0.9

typedef struct vector {
    double x, y;
} vector;

typedef struct thing { /* an agent or a boid */
    float x, y, radius;
    float vx, vy; /* a frame */
    float glow;   /* 1: has just touched another */
} thing;

static spt_i32 n = 3000;
static double unit;
static thing *things;
static spt_box *boxes;       /* as the structure has them */
static spt_i32 *all;         /* 0 .. n - 1 */
static unsigned char *marks; /* 1: the question found it */

static int scene, structure, question = WINDOW, nearest = 8;
static int running = 1, paused, cells = 1, plain;
static vector from = {WIDTH / 2.0, HEIGHT / 2.0}, reach = {120, 80}; /* of the question */
static vector middle, mouse = {WIDTH / 2.0, HEIGHT / 2.0};           /* mouse in pixels */
static double zoom;                                                  /* pixels a length of 1 */
static int held;                                                     /* button, or 0 */

static spt_index kept;
static spt_broadphase broadphase;
static spt_neighbours neighbours;
static spt_intlist pairs, found;
static spt_motion asked;
static float distance;
static spt_hit hit; /* id SPT_NONE: nothing */
static spt_i32 cell_count, answers[QUESTIONS];
static double update_ms, pairs_ms, question_ms; /* averages over some frames */
static long checked;

static SDL_Window *window;
static SDL_Renderer *renderer;
static SDL_Texture *shapes; /* a disc and a dart, side by side */
static SDL_Vertex *vertices;
static int *corners;

static void fail(const char *what)
{
    fprintf(stderr, "window: %s\n", what);
    exit(1);
}

/* Passes a result through; errors are negative. */
static spt_i32 must(spt_i32 result)
{
    if (result < 0) fail(spt_error_string(result));
    return result;
}

static void *allocate(size_t count, size_t size)
{
    void *p = calloc(count, size);

    if (p == NULL) fail("out of memory");
    return p;
}

static double length(vector v)
{
    return sqrt(v.x * v.x + v.y * v.y);
}

static void measure(Uint64 start, double *average)
{
    double ticks = (double)(SDL_GetPerformanceCounter() - start);

    *average += (ticks * 1e3 / (double)SDL_GetPerformanceFrequency() - *average) / 16;
}

/* ---- the scenes ------------------------------------------------------------------------------ */

static void set_structure(int to)
{
    const spt_box world = {0, 0, WIDTH, HEIGHT};
    spt_linear_desc linear = {0};
    spt_quadtree_desc quadtree = {0};
    spt_linear_desc loosegrid = {0};

    linear.bounds = quadtree.bounds = loosegrid.bounds = world;
    linear.capacity = quadtree.capacity = loosegrid.capacity = n;
    structure = to;
    spt_free(&kept), spt_broadphase_free(&broadphase);
    must(spt_broadphase_init(&broadphase, NULL)); /* which allocates nothing yet */
    if (structure == LINEAR) must(spt_linear_init(&kept, &linear));
    if (structure == QUADTREE) must(spt_quadtree_init(&kept, &quadtree));
    if (structure == LOOSEGRID) must(spt_loosegrid_init(&kept, &loosegrid));
    if (structure == PACKED) must(spt_packed_init(&kept, NULL));
    if (structure != BROADPHASE) must(spt_build(&kept, boxes, n));
    update_ms = pairs_ms = question_ms = 0;
    cell_count = 0, memset(answers, 0, sizeof answers);
}

/* 0 <= result < 1. The constants are by Knuth and Lewis as given in Numerical Recipes. */
static double random_unit(void)
{
    static spt_u32 seed = 1;

    seed = (seed * 1664525u + 1013904223u) & 0xffffffffu;
    return (double)(seed >> 8) / 16777216.0;
}

static void set_box(spt_i32 i)
{
    spt_box_around(things[i].x, things[i].y, things[i].radius, things[i].radius, &boxes[i]);
}

static void set_scene(int to)
{
    spt_i32 i;

    scene = to;
    for (i = 0; i < n; i++) {
        thing *t = &things[i];
        double part = random_unit() * (1 - 1 / MAX_RADIUS); /* most are small, a few large */

        t->radius = (float)(scene == AGENTS ? unit / (1 - part) : 2 * unit);
        t->x = (float)(random_unit() * WIDTH), t->y = (float)(random_unit() * HEIGHT);
        t->vx = (float)((random_unit() - 0.5) * unit);
        t->vy = (float)((random_unit() - 0.5) * unit);
        t->glow = 0;
        set_box(i);
    }
    set_structure(structure);
}

/* Moves a thing by `way` along d, and adds `change` of d to its velocity. Computed in double and
   stored as float, so that how a machine rounds on the way does not show. */
static void push(thing *t, vector d, double way, double change)
{
    t->x = (float)((double)t->x + way * d.x), t->y = (float)((double)t->y + way * d.y);
    t->vx = (float)((double)t->vx + change * d.x);
    t->vy = (float)((double)t->vy + change * d.y);
}

/* Discs that overlap are pushed half of the way apart and bounce, the lighter one more. */
static void bounce(thing *a, thing *b, vector d, vector v)
{
    double apart = length(d), overlap = (double)a->radius + (double)b->radius - apart;
    double mass = (double)a->radius * (double)a->radius;
    double share = mass / (mass + (double)b->radius * (double)b->radius), closing;

    if (overlap <= 0 || apart <= 0) return; /* only their boxes overlap */
    d.x /= apart, d.y /= apart;
    closing = fmax(0, -2 * (d.x * v.x + d.y * v.y));
    push(a, d, -overlap / 2 * (1 - share), -closing * (1 - share));
    push(b, d, overlap / 2 * share, closing * share);
    a->glow = b->glow = 1;
}

/* Boids turn to where the other one flies, and to where it is unless it is too close. */
static void flock(thing *a, thing *b, vector d, vector v)
{
    double apart = length(d), space = SPACE * unit;
    double pull = apart < space ? -0.03 * (space / (apart + 0.1 * unit) - 1) : 0.0001;

    push(a, v, 0, 0.012), push(b, v, 0, -0.012);
    push(a, d, 0, pull), push(b, d, 0, -pull);
}

/* What turns a boid back that is at x, near an end of the world. */
static double turn(double x, double end)
{
    double margin = MARGIN * unit;

    return 0.1 * unit * (fmax(0, 1 - x / margin) - fmax(0, 1 - (end - x) / margin));
}

static void move(thing *t)
{
    vector v = {(double)t->vx, (double)t->vy};

    if (scene == BOIDS) {
        double speed = length(v) + 1e-9;

        push(t, v, 0, fmin(fmax(speed, MIN_SPEED * unit), MAX_SPEED * unit) / speed - 1);
        t->vx += (float)turn((double)t->x, WIDTH), t->vy += (float)turn((double)t->y, HEIGHT);
    } else {
        if (t->x < t->radius ? v.x < 0 : t->x > WIDTH - t->radius && v.x > 0) t->vx = -t->vx;
        if (t->y < t->radius ? v.y < 0 : t->y > HEIGHT - t->radius && v.y > 0) t->vy = -t->vy;
    }
    t->x += t->vx, t->y += t->vy;
    t->glow *= 0.85f;
}

static void find_pairs(void)
{
    if (scene == BOIDS)
        must(spt_neighbours_pairs(&neighbours, &things[0].x, &things[0].y, sizeof things[0], n,
                                  (float)(SIGHT * unit), &pairs));
    else if (structure == BROADPHASE)
        must(spt_broadphase_pairs(&broadphase, boxes, n, NULL, &pairs));
    else
        must(spt_pairs(&kept, NULL, &pairs));
}

static void step(void)
{
    Uint64 start;
    const spt_i32 *pair;
    spt_i32 i;

    for (i = 0; i < n; i++) move(&things[i]), set_box(i);
    start = SDL_GetPerformanceCounter();
    if (structure == PACKED) must(spt_build(&kept, boxes, n));
    if (structure < PACKED) must(spt_move_many(&kept, all, boxes, n)), spt_tidy(&kept);
    measure(start, &update_ms);
    start = SDL_GetPerformanceCounter();
    find_pairs();
    measure(start, &pairs_ms);
    pair = spt_intlist_data(&pairs);
    for (i = spt_intlist_count(&pairs); i > 0; i--, pair += 2) {
        thing *a = &things[pair[0]], *b = &things[pair[1]];
        vector d = {(double)b->x - (double)a->x, (double)b->y - (double)a->y};
        vector v = {(double)b->vx - (double)a->vx, (double)b->vy - (double)a->vy};

        if (scene == AGENTS) bounce(a, b, d, v);
        if (scene == BOIDS) flock(a, b, d, v);
    }
}

/* ---- questions ------------------------------------------------------------------------------- */

static spt_i32 ask(void)
{
    hit.id = SPT_NONE;
    spt_intlist_clear(&found);
    if (structure == BROADPHASE || question == NOTHING) return 0;
    if (question == WINDOW) return must(spt_query(&kept, &asked.box, NULL, &found));
    if (question == CIRCLE) return must(spt_within(&kept, &asked.box, distance, NULL, &found));
    if (question == NEAREST)
        return must(spt_nearest(&kept, &asked.box, nearest, SPT_NO_LIMIT, NULL, &found));
    must(spt_cast(&kept, &asked, NULL, &hit));
    return must(spt_cast_all(&kept, &asked, NULL, &found));
}

/* Asks what follows the mouse, and marks what is found. */
static void answer(void)
{
    float width = question == WINDOW ? (float)fabs(reach.x)
                  : question == BOX  ? (float)(3 * unit)
                                     : 0;
    Uint64 start;
    spt_i32 i;

    spt_box_around((float)from.x, (float)from.y, width,
                   question == WINDOW ? (float)fabs(reach.y) : width, &asked.box);
    asked.dx = (float)reach.x, asked.dy = (float)reach.y;
    distance = (float)length(reach);
    start = SDL_GetPerformanceCounter();
    answers[question] = ask();
    measure(start, &question_ms);
    memset(marks, 0, (size_t)n);
    for (i = 0; i < answers[question]; i++) marks[spt_intlist_get(&found, i, 0)]++;
}

static int expected(spt_i32 i, spt_i32 last)
{
    int order;

    if (question == WINDOW) return spt_box_overlap(&asked.box, &boxes[i]);
    if (question == CIRCLE) return spt_box_within(&asked.box, &boxes[i], distance);
    if (question != NEAREST) return question != NOTHING && spt_box_cast(&asked, &boxes[i], NULL);
    order = spt_box_nearer(&asked.box, &boxes[i], &boxes[last]);
    return order < 0 || (order == 0 && i <= last);
}

/* The answer must be the answer of a loop over all boxes, each once. */
static void check_answer(void)
{
    spt_i32 count = spt_intlist_count(&found), last = spt_intlist_get(&found, count - 1, 0), i;
    int good = question != NEAREST || count == (nearest < n ? nearest : n);

    if (structure == BROADPHASE) return;
    for (i = 0; i < n && good; i++) good = marks[i] == expected(i, last);
    if (question == RAY || question == BOX) good = good && hit.id == spt_intlist_get(&found, 0, 0);
    if (!good) fail("an answer and a loop over all boxes differ");
    checked++;
}

/* So are the pairs: as many, and of the same sum of hashes. */
static void check_pairs(void)
{
    const spt_i32 *pair = spt_intlist_data(&pairs);
    spt_i32 count = spt_intlist_count(&pairs), i, k;
    spt_u32 sum = 0;

    for (i = 0; i < count; i++, pair += 2) sum += (spt_u32)pair[0] * 2654435761u ^ (spt_u32)pair[1];
    for (i = 0; i < n; i++) {
        spt_box self, other;

        spt_box_around(things[i].x, things[i].y, 0, 0, &self);
        for (k = i + 1; k < n; k++) {
            spt_box_around(things[k].x, things[k].y, 0, 0, &other);
            if (scene == AGENTS ? !spt_box_overlap(&boxes[i], &boxes[k])
                                : !spt_box_within(&self, &other, (float)(SIGHT * unit)))
                continue;
            sum -= (spt_u32)i * 2654435761u ^ (spt_u32)k;
            count--;
        }
    }
    if (count != 0 || sum != 0) fail("pairs and a loop over all boxes differ");
    checked++;
}

/* ---- the picture ----------------------------------------------------------------------------- */

static vector to_world(vector pixel)
{
    vector v = {middle.x + (pixel.x - WIDTH / 2.0) / zoom,
                middle.y + (pixel.y - HEIGHT / 2.0) / zoom};

    return v;
}

static SDL_FPoint to_pixel(double x, double y)
{
    SDL_FPoint p = {(float)((x - middle.x) * zoom + WIDTH / 2.0),
                    (float)((y - middle.y) * zoom + HEIGHT / 2.0)};

    return p;
}

static void draw_line(double x0, double y0, double x1, double y1)
{
    SDL_FPoint p = to_pixel(x0, y0), q = to_pixel(x1, y1);

    SDL_RenderDrawLineF(renderer, p.x, p.y, q.x, q.y);
}

/* Moved by so much. */
static void draw_box(const spt_box *box, double dx, double dy)
{
    SDL_FPoint p = to_pixel((double)box->min_x + dx, (double)box->min_y + dy);
    SDL_FPoint q = to_pixel((double)box->max_x + dx, (double)box->max_y + dy);
    SDL_FRect frame = {p.x, p.y, q.x - p.x + 1, q.y - p.y + 1};

    SDL_RenderDrawRectF(renderer, &frame);
}

static int draw_cell(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    (void)ctx, (void)count;
    SDL_SetRenderDrawColor(renderer, 142, 202, 230, (Uint8)(60 + 8 * (level < 10 ? level : 10)));
    draw_box(box, 0, 0);
    cell_count++;
    return 0;
}

/* Hues go round from 0 to 1; light, from 0 to 1, makes them white. */
static Uint8 colour_part(double hue, double light)
{
    double part = 0.58 + 0.38 * cos(6.2832 * hue);

    return (Uint8)(255 * (part + (1 - part) * light));
}

/* Where the structure has it: an agent coloured by its speed, a boid by where it flies, and all
   that the question has not found dimmed. */
static void place_shape(spt_i32 i)
{
    const thing *t = &things[i];
    vector v = {(double)t->vx, (double)t->vy};
    double speed = length(v) + 1e-9; /* nobody stands still */
    double hue = scene == BOIDS ? atan2(v.y, v.x) / 6.2832 : 0.55 + 0.5 * fmin(speed / unit, 1);
    double light = marks[i] ? 0.85 : 0.4 * (double)t->glow, r = (double)t->radius * zoom / speed;
    SDL_Color colour = {colour_part(hue, light), colour_part(hue - 1 / 3.0, light),
                        colour_part(hue + 1 / 3.0, light), marks[i] ? 255 : 180};
    SDL_FPoint p = to_pixel(((double)boxes[i].min_x + (double)boxes[i].max_x) / 2,
                            ((double)boxes[i].min_y + (double)boxes[i].max_y) / 2);
    int k;

    if (hit.id == i) colour.g = 90, colour.b = 60;
    for (k = 0; k < 4; k++) {
        SDL_Vertex *corner = &vertices[4 * i + k];
        int x = k % 2 == 0 ? -1 : 1, y = k < 2 ? -1 : 1; /* of a square along v and across it */

        corner->position.x = p.x + (float)(r * (x * v.x - y * v.y));
        corner->position.y = p.y + (float)(r * (x * v.y + y * v.x));
        corner->color = colour;
        corner->tex_coord.x = (float)(scene + k % 2) / 2, corner->tex_coord.y = k < 2 ? 0 : 1;
    }
}

static void draw_question(void)
{
    double t = hit.id != SPT_NONE ? (double)hit.t : 1;
    spt_i32 i;

    SDL_SetRenderDrawColor(renderer, 255, 209, 102, 255);
    if (question == WINDOW || question == BOX) draw_box(&asked.box, 0, 0);
    for (i = 0; i < 64 && question == CIRCLE; i++) {
        double a = 6.2832 * i / 64, b = 6.2832 * (i + 1) / 64, r = (double)distance;

        draw_line(from.x + r * cos(a), from.y + r * sin(a), from.x + r * cos(b),
                  from.y + r * sin(b));
    }
    for (i = 0; i < answers[question] && question == NEAREST; i++) {
        const spt_box *box = &boxes[spt_intlist_get(&found, i, 0)];

        draw_line(from.x, from.y, ((double)box->min_x + (double)box->max_x) / 2,
                  ((double)box->min_y + (double)box->max_y) / 2);
    }
    if (question != RAY && question != BOX) return;
    draw_line(from.x, from.y, from.x + reach.x * t, from.y + reach.y * t);
    draw_box(&asked.box, reach.x * t, reach.y * t);
    SDL_SetRenderDrawColor(renderer, 255, 209, 102, 160); /* beyond what it meets first */
    draw_line(from.x + reach.x * t, from.y + reach.y * t, from.x + reach.x, from.y + reach.y);
}

static void draw(void)
{
    static const spt_box world = {0, 0, WIDTH, HEIGHT};
    spt_i32 i;

    SDL_SetRenderDrawColor(renderer, 11, 16, 32, 255);
    SDL_RenderClear(renderer);
    cell_count = 0;
    /* One of the two is empty. */
    if (cells) spt_traverse(&kept, draw_cell, NULL);
    if (cells) spt_broadphase_traverse(&broadphase, draw_cell, NULL);
    for (i = 0; i < n; i++) place_shape(i);
    SDL_RenderGeometry(renderer, shapes, vertices, 4 * n, corners, 6 * n);
    SDL_SetRenderDrawColor(renderer, 255, 255, 255, 120);
    draw_box(&world, 0, 0);
    if (structure != BROADPHASE) draw_question();
}

/* A disc and a dart that flies to the right, each in a square of -1 .. 1, white with soft edges. */
static void make_shapes(void)
{
    enum { SIDE = 32, FINE = 4 };
    static Uint32 pixels[SIDE][2 * SIDE];
    int x, y;

    for (y = 0; y < SIDE * FINE; y++) {
        for (x = 0; x < 2 * SIDE * FINE; x++) {
            double u = 2 * (x % (SIDE * FINE) + 0.5) / (SIDE * FINE) - 1;
            double v = fabs(2 * (y + 0.5) / (SIDE * FINE) - 1);

            if (x < SIDE * FINE ? u * u + v * v < 0.94 : v < 0.28 * (0.95 - u) && u > -0.5 - v)
                pixels[y / FINE][x / FINE]++;
        }
    }
    for (y = 0; y < SIDE; y++)
        for (x = 0; x < 2 * SIDE; x++)
            pixels[y][x] = 0xffffffu | pixels[y][x] * 255 / (FINE * FINE) << 24;
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear");
    shapes = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC,
                               2 * SIDE, SIDE);
    if (shapes == NULL || SDL_UpdateTexture(shapes, NULL, pixels, sizeof pixels[0]) != 0)
        fail(SDL_GetError());
    SDL_SetTextureBlendMode(shapes, SDL_BLENDMODE_BLEND);
}

/* The user may have made the window larger. */
static void save_picture(const char *path)
{
    SDL_Surface *s = NULL;
    int width, height;

    if (SDL_GetRendererOutputSize(renderer, &width, &height) == 0)
        s = SDL_CreateRGBSurfaceWithFormat(0, width, height, 24, SDL_PIXELFORMAT_BGR24);
    if (s == NULL || SDL_RenderReadPixels(renderer, NULL, s->format->format, s->pixels, s->pitch) ||
        SDL_SaveBMP(s, path) != 0)
        fail(SDL_GetError());
    SDL_FreeSurface(s);
}

static unsigned long bytes(void)
{
    return (unsigned long)(spt_bytes(&kept) + spt_broadphase_bytes(&broadphase) +
                           spt_neighbours_bytes(&neighbours));
}

static void show_figures(void)
{
    char title[200];

    (void)snprintf(title, sizeof title,
                   "%d %s, %s: update %.2f ms; %d pairs %.2f ms; "
                   "%s: %d in %.3f ms; %lu KB - H: help",
                   (int)n, scene_names[scene], structure_names[structure], update_ms,
                   (int)spt_intlist_count(&pairs), pairs_ms, question_names[question],
                   (int)answers[question], question_ms, bytes() / 1024);
    SDL_SetWindowTitle(window, title);
}

/* ---- keys and mouse -------------------------------------------------------------------------- */

static void whole_view(void)
{
    middle.x = WIDTH / 2.0, middle.y = HEIGHT / 2.0, zoom = 0.96;
}

static void press(SDL_Keycode key)
{
    const char *asks = key > 0 && key < 128 ? strchr(question_keys, (int)key) : NULL;

    if (asks != NULL) question = (int)(asks - question_keys);
    if (key >= SDLK_1 && key < SDLK_1 + STRUCTURES) set_structure((int)(key - SDLK_1));
    if (key == SDLK_TAB) set_scene(!scene);
    if (key == SDLK_UP) nearest++;
    if (key == SDLK_DOWN && nearest > 0) nearest--;
    if (key == SDLK_SPACE || key == SDLK_c) cells = !cells;
    if (key == SDLK_p) paused = !paused;
    if (key == SDLK_v) whole_view();
    if (key == SDLK_h) printf("%s", help);
    if (key == SDLK_q || key == SDLK_ESCAPE) running = 0;
}

/* Moves the view, so that a place of the world is under the mouse. */
static void hold(vector place)
{
    vector is = to_world(mouse);

    middle.x += place.x - is.x, middle.y += place.y - is.y;
}

/* The question goes with the mouse; while the left button is held it stays, and the mouse sets how
   far it reaches. */
static void mouse_moves(int x, int y)
{
    vector was = to_world(mouse), is;

    mouse.x = x, mouse.y = y;
    if (held == SDL_BUTTON_RIGHT) hold(was);
    is = to_world(mouse);
    if (held == SDL_BUTTON_LEFT)
        reach.x = is.x - from.x, reach.y = is.y - from.y;
    else
        from = is;
}

static void wheel_turns(int by)
{
    vector was = to_world(mouse);

    for (; by > 0 && zoom < 50; by--) zoom *= 1.25;
    for (; by < 0 && zoom > 0.2; by++) zoom /= 1.25;
    hold(was);
}

static void handle_events(void)
{
    SDL_Event e;

    while (SDL_PollEvent(&e)) {
        if (e.type == SDL_QUIT) running = 0;
        if (e.type == SDL_KEYDOWN) press(e.key.keysym.sym);
        if (e.type == SDL_MOUSEMOTION) mouse_moves(e.motion.x, e.motion.y);
        if (e.type == SDL_MOUSEBUTTONDOWN) held = e.button.button;
        if (e.type == SDL_MOUSEBUTTONUP) held = 0;
        if (e.type == SDL_MOUSEWHEEL) wheel_turns(e.wheel.y);
    }
}

/* ---- the program ----------------------------------------------------------------------------- */

/* Puts an event in the queue: a key, or the mouse at (x, y). */
static void send(Uint32 type, SDL_Keycode key, int x, int y)
{
    SDL_Event e;

    memset(&e, 0, sizeof e);
    e.type = type;
    if (type == SDL_KEYDOWN) e.key.keysym.sym = key;
    if (type == SDL_MOUSEMOTION) e.motion.x = x, e.motion.y = y;
    if (type == SDL_MOUSEBUTTONDOWN || type == SDL_MOUSEBUTTONUP) e.button.button = (Uint8)key;
    if (type == SDL_MOUSEWHEEL) e.wheel.y = y;
    if (SDL_PushEvent(&e) != 1) fail(SDL_GetError());
}

static void send_drag(int button, int x, int y)
{
    send(SDL_MOUSEBUTTONDOWN, button, 0, 0);
    send(SDL_MOUSEMOTION, 0, x, y);
}

/* The events of a frame. Each structure has a turn, in which each question is asked for four
   frames: two while it is dragged, two while it goes with the mouse. */
static void play(int frame, int frames)
{
    static const char script[TURN + 1] = ".c ..+R.UUD.-pp..v......"; /* a key a frame; see below */
    int t = frame % TURN, part = t % 4;
    int x = 300 + 137 * (frame / 4) % 640, y = 200 + 83 * (frame / 4) % 320;
    unsigned char key = (unsigned char)script[t];

    if (frame == 0) send(SDL_KEYDOWN, SDLK_h, 0, 0);
    if (frame % ROUND == 0 && frame > 0) send(SDL_KEYDOWN, SDLK_TAB, 0, 0);
    if (t == 0) send(SDL_KEYDOWN, SDLK_1 + frame / TURN % STRUCTURES, 0, 0);
    if (part == 0) send(SDL_KEYDOWN, question_keys[(t / 4 + 1) % QUESTIONS], 0, 0);
    if (part == 2) send(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, 0, 0);
    send(SDL_MOUSEMOTION, 0, part == 1 ? x + 120 : x - 4 * part, part == 1 ? y + 70 : y);
    if (part == 0) send_drag(SDL_BUTTON_LEFT, x + 90, y + 50);
    if (key == 'R')
        send_drag(SDL_BUTTON_RIGHT, x + 60, y - 30), send(SDL_MOUSEBUTTONUP, 0, 0, 0);
    else if (key == '+' || key == '-')
        send(SDL_MOUSEWHEEL, 0, 0, key == '+' ? 4 : -2);
    else if (key != '.')
        send(SDL_KEYDOWN, key == 'U' ? SDLK_UP : key == 'D' ? SDLK_DOWN : key, 0, 0);
    if (frame == frames - 1) send(SDL_KEYDOWN, SDLK_q, 0, 0);
}

/* What a structure found in its turn. */
static void print_figures(int frame)
{
    int k;

    if (frame == TURN - 1) {
        printf("scene   structure   cells   pairs");
        for (k = WINDOW; k < QUESTIONS; k++) printf(" %7s", question_names[k]);
        printf("%s\n", plain ? "" : "  update ms  pairs ms    bytes");
    }
    printf("%-7s %-10s %6d %7d", scene_names[scene], structure_names[structure], (int)cell_count,
           (int)spt_intlist_count(&pairs));
    for (k = WINDOW; k < QUESTIONS; k++) printf(" %7d", (int)answers[k]);
    if (!plain) printf(" %10.3f %9.3f %8lu", update_ms, pairs_ms, bytes());
    printf("\n");
}

static void open_window(Uint32 flags)
{
    int i, k;

    if (SDL_Init(SDL_INIT_VIDEO) != 0) fail(SDL_GetError());
    window = SDL_CreateWindow("spatial.h", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, WIDTH,
                              HEIGHT, SDL_WINDOW_RESIZABLE);
    if (window != NULL) renderer = SDL_CreateRenderer(window, -1, flags);
    if (renderer == NULL) fail(SDL_GetError());
    SDL_RenderSetLogicalSize(renderer, WIDTH, HEIGHT);
    SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_BLEND);
    make_shapes();
    vertices = allocate(4 * (size_t)n, sizeof *vertices);
    corners = allocate(6 * (size_t)n, sizeof *corners);
    for (i = 0; i < n; i++) /* two triangles each */
        for (k = 0; k < 6; k++) corners[6 * i + k] = 4 * i + (k < 3 ? k : 6 - k);
}

static void run(int frames, const char *picture)
{
    int frame;

    for (frame = 0; running; frame++) {
        if (frames > 0 && frame == frames) fail("Q does not end it");
        if (frames > 0) play(frame, frames);
        handle_events();
        if (!paused) step();
        answer();
        if (frames > 0) check_answer();
        if (frames > 0 && frame % TURN == TURN - 1) check_pairs();
        draw();
        if (!running && picture != NULL) save_picture(picture);
        SDL_RenderPresent(renderer);
        if (frame % 16 == 0) show_figures();
        if (frames > 0 && frame % TURN == TURN - 1) print_figures(frame);
    }
    if (frames > 0) printf("%d frames of %d: %ld answers checked\n", frame, (int)n, checked);
}

/* 0 if the command line makes no sense. */
static int read_options(int argc, char **argv, long *frames, const char **picture)
{
    char *end;
    long number;
    int k;

    for (k = 1; k < argc; k++) {
        const char *value = k + 1 < argc ? argv[k + 1] : "";

        number = strtol(value, &end, 10);
        if (*end != '\0' || number > 1000000) number = 0;
        if (strcmp(argv[k], "--plain") == 0)
            plain = 1;
        else if (strcmp(argv[k], "--things") == 0 && number > 1)
            n = (spt_i32)number, k++;
        else if (strcmp(argv[k], "--frames") == 0 && number > 0)
            *frames = number, k++;
        else if (strcmp(argv[k], "--picture") == 0 && *value != '\0')
            *picture = value, k++;
        else
            return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    const char *picture = NULL;
    long frames = 0;
    spt_i32 i;

    if (!read_options(argc, argv, &frames, &picture)) {
        int asked_for = argc == 2 && strcmp(argv[1], "--help") == 0;

        fprintf(asked_for ? stdout : stderr,
                "usage: window [--things N] [--frames N] [--picture FILE.bmp] [--plain]\n%s", help);
        return asked_for ? 0 : 2;
    }
    unit = sqrt(WIDTH * HEIGHT / 50.0 / n);
    things = allocate((size_t)n, sizeof *things), boxes = allocate((size_t)n, sizeof *boxes);
    all = allocate((size_t)n, sizeof *all), marks = allocate((size_t)n, 1);
    for (i = 0; i < n; i++) all[i] = i;
    must(spt_neighbours_init(&neighbours, NULL));
    spt_intlist_init(&pairs, 2), spt_intlist_init(&found, 1);
    open_window(frames > 0 ? SDL_RENDERER_SOFTWARE : SDL_RENDERER_PRESENTVSYNC);
    whole_view(), set_scene(AGENTS);
    run((int)frames, picture);
    spt_intlist_free(&found), spt_intlist_free(&pairs), spt_neighbours_free(&neighbours);
    spt_broadphase_free(&broadphase), spt_free(&kept);
    free(corners), free(vertices), free(marks), free(all), free(boxes), free(things);
    SDL_DestroyTexture(shapes), SDL_DestroyRenderer(renderer), SDL_DestroyWindow(window);
    SDL_Quit();
    return 0;
}

/* Prints, given --things 1000 --frames 240 --plain:
1 linear  2 quadtree  3 loosegrid  4 packed, built anew each frame
5 broadphase, which keeps nothing, so there is nothing to ask
W window  O circle  N nearest  R ray  B moving box  X nothing
left button: drag to set the size of the question; up, down: how many are nearest
right button: drag the view; wheel: zoom; V: all of it again
C or space: cells  P: pause  tab: the other scene  H: help  Q or escape: end
scene   structure   cells   pairs  window  circle nearest     ray     box
agents  linear         64     423      49      87       9       2      10
agents  quadtree       17     441      53      81      10       5      13
agents  loosegrid      64     487      54      78      11       1       9
agents  packed         33     473      42      77      12       5       6
agents  broadphase      1     467       0       0       0       0       0
boids   linear         64    3657      57      79      14       1       4
boids   quadtree       33    5346      33      97      15       7       6
boids   loosegrid      58    6549      55     124      16       4      14
boids   packed         33    7772      54      93      17       5       8
boids   broadphase      0    7933       0       0       0       0       0
240 frames of 1000: 202 answers checked
*/
