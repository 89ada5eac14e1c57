/* platformer - a level of tiles, and a minute of play: how players move in such a world

   usage: platformer [--svg FILE] [--watch | --play]

   One linear index keeps everything: tiles, platforms, enemies, coins. Categories tell them apart:
       run, jump, fall   the player slides along what stops it          spt_slide
       one-way           only feet from above are stopped               accept of spt_filter
       ride              a platform moves, and takes its rider along    spt_move, spt_slide
       patrol            enemies turn at walls and at ledges            spt_slide, spt_any
       touch             coins, enemies, spikes, checkpoints, exit      spt_query, then spt_remove
   Lengths are whole numbers, sixteenths of a pixel, which all types of coordinates hold exactly: so
   every machine plays the same game, and prints the same.

   The program plays a recording of keys. In each frame it checks that the player is not inside of
   a tile, that no seam of a floor stops it, and that it touches exactly the side that stops it.
   --svg draws the level and the way of the player. With SDL 2, --watch shows the same in a window,
   and --play lets you play it: left, right, up jumps, down drops through a platform, escape ends.

   Look at slide, stops and touch: how a player moves, how a filter makes platforms one-way, and how
   elements are removed. It prints the outcome: coins, falls, frames on foot, checks.

   Build: cc -O2 -I. -o platformer examples/platformer.c, and for a window
          cc -O2 -I. -DWITH_SDL $(sdl2-config --cflags) -o platformer examples/platformer.c \
              $(sdl2-config --libs)
   Exit status: 0; 1 if something failed or a check did; 2 for a wrong option. */

#ifdef WITH_SDL
#include <SDL.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

enum { PIXEL = 16, TILE = 16 * PIXEL, WIDTH = 10 * PIXEL, HEIGHT = 14 * PIXEL }; /* the player's */
enum { COLUMNS = 90, ROWS = 11, STRIPS = 3, TILES = STRIPS * ROWS * COLUMNS, MINUTE = 3600 };
enum { RUN = 30, JUMP = 88, BOUNCE = 64, FALL = 112 }; /* speeds, in lengths a frame */
enum { SPEED_UP = 2, GRAVITY = 8 };                    /* and how much they change in a frame */
enum { COYOTE = 6 }; /* frames after the end of a floor in which a jump is still possible */

/* Keys and categories are bits. A TURN is a mark that stops platforms, and nothing else. */
enum { LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8 };
enum { SOLID = 1, ONE_WAY = 2, PLATFORM = 4, TURN = 8, ENEMY = 16, COIN = 32, SPIKES = 64 };
enum { CHECKPOINT = 128, EXIT = 256 };

/* The level in three strips, each to the right of the one before. */
static const char *const level[STRIPS * ROWS] = {
    "#                                                                                         ",
    "#                                                                                         ",
    "#                         ooo                              o                              ",
    "#                                                                                         ",
    "#                         ===            oo           o  ##                               ",
    "#                              o                         ##               o  o            ",
    "#             o      o                   ##       oo  #  ##                               ",
    "#            o o             ===                  ##  #  ##  ooo                          ",
    "# P                              e           e    ##  #  ##       P                       ",
    "######################################################################h        ###########",
    "######################################################################         ###########",

    "                            +                                                             ",
    "                                                                                          ",
    "                              oo ooo  e    oo         o                               ooo ",
    "    ooo                                P                         ##################       ",
    "      e                       #############  ##   ###    ######                       === ",
    "   =======                o   #############  ##   ###    ########                         ",
    "                              #############  ##   ###    ########    o o o o o o          ",
    " ==                           #############  ##   ###    ########     e        #        ==",
    "                e   P     v   #############  ##   ###    ########              #   P      ",
    "#####    ##################################^^##   ###^^^^#################################",
    "#####^^^^#######################################  ########################################",

    "                                                                                          ",
    "                                                                                          ",
    "                                                 o                                        ",
    "                                                                 o    o    o              ",
    "          #               oo      +             ###                                      #",
    "          #                                    ##############                            #",
    "      === #                                  ##  o o o o o o    ===  ===  ===     oo     #",
    "==        #                   o   o         ##               ###              o  #  #    #",
    "         o#o                              ##      e    e     P                   #  #  X #",
    "###################h          +  v  ###########################               ############",
    "###################               + ###########################^^^^^^^^^^^^^^^############",
};

static const struct kind {
    char letter;
    spt_u32 category, colour;
    spt_box box;       /* from the corner of its tile; y points down */
    int vx, vy;        /* at the start */
    const char *shape; /* in SVG, from the corner of the box */
} kinds[] = {
    /* clang-format off */
    {'#', SOLID, 0x3d5a80, {0, 0, TILE, TILE}, 0, 0, "h256v256h-256z"},
    {'=', ONE_WAY, 0x8ecae6, {0, 0, TILE, 64}, 0, 0, "h256v64h-256z"},
    {'h', PLATFORM, 0xf8961e, {0, 0, 3 * TILE, 64}, 16, 0, "h768v64h-768z"},
    {'v', PLATFORM, 0xf8961e, {0, 0, 3 * TILE, 64}, 0, -12, "h768v64h-768z"},
    {'+', TURN, 0x33415c, {64, 64, 192, 192}, 0, 0, "m64,0l64,64l-64,64l-64,-64z"},
    {'e', ENEMY, 0xf72585, {32, 80, 224, TILE}, 8, 0,
        "m0,176v-90a96,86 0 0 1 192,0v90zm48,-104h32v48h-32zm64,0h32v48h-32z"},
    {'o', COIN, 0xf9c74f, {72, 72, 184, 184}, 0, 0, "m0,56a56,56 0 0 1 112,0a56,56 0 0 1 -112,0z"},
    {'^', SPIKES, 0xef233c, {32, 96, 224, TILE}, 0, 0, "m0,160l48,-160l48,160l48,-160l48,160z"},
    {'P', CHECKPOINT, 0x80ed99, {112, 0, 144, TILE}, 0, 0, "h160l-64,56l64,56h-128v144h-32z"},
    {'X', EXIT, 0x80ed99, {32, -TILE, 224, TILE}, 0, 0, "m0,512v-416a96,96 0 0 1 192,0v416z"},
    /* clang-format on */
};

/* The keys that are held (L left, R right, U up, D down), and for how many frames. */
static const char recording[] =
    "L45 R26 L3 R79 RU6 R39 RU12 R15 RU33 R26 RU7 L17 LU25 R18 RU18 R85 RU13 R15 RU1 R36 RU36 L30 "
    ".24 R45 L12 U4 .11 R16 LU3 R39 RU2 R17 RU4 R15 LU3 R43 RU23 R17 .7 R12 L11 RU19 R24 U15 LU11 "
    "RU3 R17 RU20 R52 L10 RU32 R24 RU2 R12 RU12 R60 RU12 R109 RU5 R9 .10 L3 R16 .7 L8 RU27 R1 "
    "RU21 U4 RU8 R48 RU12 R75 RU4 R21 L4 RU4 R51 RU6 LU1 R114 RU6 R18 RU26 R6 LU10 RU17 R14 RU8 "
    "R85 LU2 .12 R1 LU7 U9 L11 U4 L6 R6 .12 D8 R59 L4 R23 RU7 R74 L12 RU10 .9 U5 RU9 R15 L16 R31 "
    "U13 L7 RU5 L21 RU3 R12 .24 R2 LU7 RU3 L43 RU26 L3 .27 RU24 .3 R1 .3 R14 LU27 R9 LU16 U20 LU5 "
    "RU7 R22 RU2 R20 U19 LU7 RU11 .3 R18 L3 LU19 R36 RU40 R43 RU10 R6 RU4 L14 RU11 R12 L8 RU28 "
    "R24 RU12 R64 L3 RU4 L2 LU18 L24 .10 L9 LU16 R5 LU1 L6 LU7 L14 LU24 RU9 .20 RU61 R18 RU9 R35 "
    "RU30 R17 RU38 R4 RU3 R27 L1 RU6 R29 LU1 R33 .27";

typedef struct player {
    spt_box box;
    int vx, vy;
    int keys;
    int in_air;    /* frames since it stood; 0: it stands */
    int through;   /* it has risen into a one-way platform since it stood */
    spt_i32 spawn; /* the checkpoint where it comes back */
} player;

static spt_index world;
static spt_i32 count; /* elements of the level; the arrays are by id */
static const struct kind *kind_of[TILES];
static spt_u32 categories[TILES];
static spt_box boxes[TILES];
static int vx[TILES], vy[TILES];
static player hero;
static spt_box trail[MINUTE]; /* the player, frame by frame */
static spt_intlist touched;
static int frame, coins, stomps, falls, exits, walked, pressed, rides, passes;
static long checks, failures;
static spt_u32 hash = 2166136261u; /* FNV-1a, of 32 bits a step */

static void fail(const char *what)
{
    fprintf(stderr, "platformer: %s\n", what);
    exit(1);
}

/* Passes a result through; errors are negative. */
static spt_i32 must(spt_i32 result)
{
    if (result < 0) fail(spt_error_string(result));
    return result;
}

static void check(int good, const char *what)
{
    checks++;
    if (!good && failures++ < 10) fprintf(stderr, "platformer: frame %d: %s\n", frame, what);
}

/* Touching is not enough. */
static int is_inside(const spt_box *a, const spt_box *b)
{
    return a->min_x < b->max_x && a->max_x > b->min_x && a->min_y < b->max_y && a->max_y > b->min_y;
}

/* ---- what moves ------------------------------------------------------------------------------ */

/* Platforms stop feet that are above them, unless the player wants to drop. */
static int stops(void *ctx, spt_i32 id, spt_i32 other) SPT_CALLBACK
{
    const player *p = ctx;

    (void)other;
    return categories[id] == SOLID || (!(p->keys & DOWN) && p->box.max_y <= boxes[id].min_y);
}

/* Returns how many sides stopped the player. */
static int slide(player *p, spt_coord dx, spt_coord dy, spt_hit *hits)
{
    spt_filter obstacles = {0};
    spt_layer all = {0};
    spt_motion motion = {{0, 0, 0, 0}, 0, 0, 0};
    spt_box end; /* a box of its own, since the filter looks at the feet before the motion */
    int sides;

    obstacles.categories = categories, obstacles.mask = SOLID | ONE_WAY | PLATFORM;
    obstacles.accept = stops, obstacles.ctx = p;
    all.index = &world, all.filter = &obstacles;
    motion.box = p->box, motion.dx = dx, motion.dy = dy;
    sides = must(spt_slide(&all, 1, &motion, &end, hits));
    p->box = end;
    return sides;
}

/* A platform takes along a player that stands on it, or whose feet it reaches. It moves first: if
   it sinks, it is out of the way then; if it rises, it does not stop feet below its top. */
static void move_platform(spt_i32 id, const spt_box *to)
{
    spt_box from = boxes[id], *p = &hero.box;
    spt_coord feet = p->max_y;

    boxes[id] = *to;
    must(spt_move(&world, id, to));
    if (p->max_x > from.min_x && p->min_x < from.max_x && feet <= from.min_y &&
        (feet == from.min_y || feet > to->min_y)) {
        slide(&hero, to->min_x - from.min_x, to->min_y - feet, NULL);
        rides++;
    }
    check(feet > from.min_y || !is_inside(p, to), "a platform runs into the player");
}

/* Moves a platform or an enemy. Both turn at walls, and an enemy turns at a ledge, too: where no
   floor is at its lower corner in front. */
static void patrol(spt_i32 id)
{
    int is_enemy = categories[id] == ENEMY;
    spt_filter walls = {0}, floors = {0};
    spt_layer all = {0};
    spt_motion motion = {{0, 0, 0, 0}, 0, 0, 0};
    spt_box end, corner;
    int turns;

    walls.categories = floors.categories = categories;
    walls.mask = is_enemy ? SOLID : SOLID | TURN, floors.mask = SOLID | ONE_WAY;
    all.index = &world, all.filter = &walls;
    motion.box = boxes[id], motion.dx = (spt_coord)vx[id], motion.dy = (spt_coord)vy[id];
    turns = must(spt_slide(&all, 1, &motion, &end, NULL)) > 0;
    spt_box_around(vx[id] > 0 ? end.max_x : end.min_x, end.max_y, 0, 0, &corner);
    if (is_enemy && !must(spt_any(&world, &corner, &floors))) turns = 1, end = boxes[id];
    if (turns) vx[id] = -vx[id], vy[id] = -vy[id];
    if (is_enemy)
        boxes[id] = end, must(spt_move(&world, id, &end));
    else
        move_platform(id, &end);
}

/* ---- the player ------------------------------------------------------------------------------ */

static void respawn(player *p)
{
    const spt_box *at = &boxes[p->spawn];

    p->box.min_x = at->min_x, p->box.max_x = at->min_x + WIDTH;
    p->box.min_y = at->max_y - HEIGHT, p->box.max_y = at->max_y;
    p->vx = p->vy = 0, p->in_air = COYOTE, p->through = 0;
}

/* Sets the speed. A jump goes the higher the longer its key is held. */
static void steer(player *p, int keys)
{
    int wanted = ((keys & RIGHT) != 0 ? RUN : 0) - ((keys & LEFT) != 0 ? RUN : 0);

    if (p->vx < wanted) p->vx += SPEED_UP;
    if (p->vx > wanted) p->vx -= SPEED_UP;
    if ((keys & ~p->keys & UP) && p->in_air < COYOTE) p->vy = -JUMP, p->in_air = COYOTE;
    p->vy += p->vy < 0 && (keys & UP) ? GRAVITY / 2 : GRAVITY;
    if (p->vy > FALL) p->vy = FALL;
    p->keys = keys;
}

/* The player touches exactly the side that stops it, so it does not creep when it presses against a
   wall. When it walks, things on the floor stop it, but not a seam of the floor. */
static void move_player(player *p)
{
    spt_box from = p->box;
    int stood = p->in_air == 0, seam = 0, sides, k;
    spt_hit hits[2];

    sides = slide(p, (spt_coord)p->vx, (spt_coord)p->vy, hits);
    if (p->in_air < COYOTE) p->in_air++;
    for (k = 0; k < sides; k++) {
        const spt_hit *hit = &hits[k];
        const spt_box *b = &boxes[hit->id];

        check(hit->nx < 0   ? p->box.max_x == b->min_x
              : hit->nx > 0 ? p->box.min_x == b->max_x
              : hit->ny < 0 ? p->box.max_y == b->min_y
                            : p->box.min_y == b->max_y,
              "the player does not touch what stops it");
        if (hit->nx != 0) p->vx = 0, pressed++;
        if (hit->ny != 0) p->vy = 0;
        if (hit->nx != 0 && b->min_y >= from.max_y) seam = 1;
        if (hit->ny >= 0) continue;
        if (categories[hit->id] == ONE_WAY && p->through) passes++;
        p->in_air = 0, p->through = 0;
    }
    if (!stood || p->in_air != 0) return;
    check(!seam, "a seam of the floor stops the player");
    if (p->vx != 0) walked++;
}

/* First a query finds all that the player touches, then some of it is removed: an index must not
   change while it is asked. Feet that were above an enemy stomp it. */
static void touch(player *p, spt_coord feet)
{
    spt_filter things = {0};
    spt_i32 n, i;
    int dies = p->box.min_y > ROWS * TILE;

    things.categories = categories, things.mask = ENEMY | COIN | SPIKES | CHECKPOINT | EXIT;
    n = must(spt_query(&world, &p->box, &things, &touched));
    for (i = 0; i < n; i++) {
        spt_i32 id = spt_intlist_get(&touched, i, 0);
        int is_stomped = categories[id] == ENEMY && feet <= boxes[id].min_y;

        if (is_stomped) stomps++, p->vy = -BOUNCE;
        if (categories[id] == COIN) coins++;
        if (categories[id] == COIN || is_stomped) must(spt_remove(&world, id));
        if (categories[id] == CHECKPOINT) p->spawn = id;
        if (categories[id] == EXIT && exits == 0) exits = frame;
        if (categories[id] == SPIKES || (categories[id] == ENEMY && !is_stomped)) dies = 1;
    }
    if (dies) falls++, respawn(p);
}

/* ---- a frame --------------------------------------------------------------------------------- */

static void add_to_hash(const spt_box *box)
{
    spt_i32 x = (spt_i32)box->min_x, y = (spt_i32)box->min_y;

    check((spt_coord)x == box->min_x && (spt_coord)y == box->min_y, "a place is not whole");
    hash = ((hash ^ (spt_u32)x) * 16777619u) & 0xffffffffu;
    hash = ((hash ^ (spt_u32)y) * 16777619u) & 0xffffffffu;
}

/* Looks, by a loop over all boxes, whether the player is inside of one. It may be inside of a
   platform if its feet were not above when it was at `from`, or if it drops. */
static void check_place(player *p, const spt_box *from)
{
    spt_i32 i;

    check(p->box.max_x - p->box.min_x == WIDTH && p->box.max_y - p->box.min_y == HEIGHT,
          "the player has changed its size");
    for (i = 0; i < count; i++) {
        if (vx[i] != 0 || vy[i] != 0) add_to_hash(&boxes[i]);
        if (!(categories[i] & (SOLID | ONE_WAY | PLATFORM))) continue;
        check(!is_inside(&p->box, &boxes[i]) ||
                  (categories[i] != SOLID && (from->max_y > boxes[i].min_y || (p->keys & DOWN))),
              "the player is inside of a tile or platform");
        if (categories[i] == ONE_WAY && is_inside(&p->box, &boxes[i])) p->through = p->vy < 0;
    }
    add_to_hash(&p->box);
}

static void run_frame(int keys)
{
    spt_coord feet = hero.box.max_y;
    spt_box from;
    spt_i32 id;

    if (frame < MINUTE) trail[frame] = hero.box;
    frame++;
    for (id = 0; id < count; id++)
        if ((vx[id] != 0 || vy[id] != 0) && spt_contains(&world, id)) patrol(id);
    from = hero.box;
    steer(&hero, keys);
    move_player(&hero);
    touch(&hero, feet);
    check_place(&hero, &from);
    spt_tidy(&world);
}

/* Returns the keys of the next frame, or -1 when the recording has ended. */
static int recorded_keys(void)
{
    static const char *at = recording;
    static int keys, left; /* frames for which the keys are still held */
    char letters[4];
    int length;

    for (; left == 0; at += length) {
        if (sscanf(at, " %3[.LRUD]%d%n", letters, &left, &length) != 2) return -1;
        keys = strchr(letters, 'L') != NULL ? LEFT : 0;
        keys |= strchr(letters, 'R') != NULL ? RIGHT : 0;
        keys |= strchr(letters, 'U') != NULL ? UP : 0;
        keys |= strchr(letters, 'D') != NULL ? DOWN : 0;
    }
    left--;
    return keys;
}

/* ---- the picture, and the window ------------------------------------------------------------- */

/* Shows the strips one below the other, and the player three times a second. Taken coins are
   faint. */
static void write_svg(const char *path)
{
    enum { WIDE = COLUMNS * TILE, HIGH = (ROWS + 1) * TILE, GAP = TILE / 2 };
    FILE *file = fopen(path, "w");
    int last = frame < MINUTE ? frame : MINUTE, k;
    spt_i32 i;

    if (file == NULL) fail("cannot write the picture");
    fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1440\" ");
    fprintf(file, "viewBox=\"0 0 %d %d\">\n", WIDE, STRIPS * (HIGH + GAP) - GAP);
    fprintf(file, "<defs><g id=\"level\" fill-rule=\"evenodd\" stroke-width=\"10\">\n");
    fprintf(file, "<path fill=\"#0b1020\" d=\"M0,%dh%dv%dH0z\"/>\n<g stroke=\"#0b1020\">\n", -TILE,
            STRIPS * WIDE, HIGH);
    for (i = 0; i < count; i++)
        fprintf(file, "<path fill=\"#%06lx\" fill-opacity=\"%s\" d=\"M%ld,%ld%s\"/>\n",
                (unsigned long)kind_of[i]->colour, spt_contains(&world, i) ? "1" : "0.4",
                (long)boxes[i].min_x, (long)boxes[i].min_y, kind_of[i]->shape);
    fprintf(file, "</g>\n<path fill=\"none\" stroke=\"#fff\" stroke-width=\"20\" d=\"");
    for (k = 0; k < last; k++) { /* only who comes back at a checkpoint is as fast as a tile */
        long way = k > 0 ? labs((long)trail[k].min_x - (long)trail[k - 1].min_x) : TILE;

        fprintf(file, "%c%ld,%ld", way < TILE ? 'L' : 'M', (long)trail[k].min_x + WIDTH / 2,
                (long)trail[k].min_y + HEIGHT / 2);
    }
    fprintf(file, "\"/>\n<g fill=\"#fff\" fill-opacity=\"0.6\">\n");
    for (k = 0; k < last; k += 20)
        fprintf(file, "<rect x=\"%ld\" y=\"%ld\" width=\"%d\" height=\"%d\" rx=\"48\"/>\n",
                (long)trail[k].min_x, (long)trail[k].min_y, WIDTH, HEIGHT);
    fprintf(file, "</g></g></defs>\n");
    for (k = 0; k < STRIPS; k++)
        fprintf(file,
                "<svg y=\"%d\" width=\"%d\" height=\"%d\" viewBox=\"%d %d %d %d\">"
                "<use href=\"#level\"/></svg>\n",
                k * (HIGH + GAP), WIDE, HIGH, k * WIDE, -TILE, WIDE, HIGH);
    fprintf(file, "</svg>\n");
    if (ferror(file) || fclose(file) != 0) fail("cannot write the picture");
}

#ifdef WITH_SDL
enum { HALF_WIDTH = 16 * TILE, HALF_HEIGHT = ROWS * TILE / 2, SCALE = 3 };

static SDL_Renderer *renderer;
static spt_box view;

static void open_window(void)
{
    int width = 2 * HALF_WIDTH / PIXEL, height = 2 * HALF_HEIGHT / PIXEL;
    SDL_Window *window;

    if (SDL_Init(SDL_INIT_VIDEO) != 0 ||
        SDL_CreateWindowAndRenderer(SCALE * width, SCALE * height, 0, &window, &renderer) != 0 ||
        SDL_RenderSetLogicalSize(renderer, width, height) != 0)
        fail(SDL_GetError());
}

static int fill(void *unused, spt_i32 id, const spt_box *box) SPT_CALLBACK
{
    spt_u32 colour = id == SPT_NONE ? 0xffffff : kind_of[id]->colour;
    SDL_Rect r = {(int)(box->min_x - view.min_x) / PIXEL, (int)box->min_y / PIXEL,
                  (int)(box->max_x - box->min_x) / PIXEL, (int)(box->max_y - box->min_y) / PIXEL};

    (void)unused;
    SDL_SetRenderDrawColor(renderer, (Uint8)(colour >> 16), (Uint8)(colour >> 8 & 255),
                           (Uint8)(colour & 255), 255);
    SDL_RenderFillRect(renderer, &r);
    return 0;
}

/* Shows what is around the player. Returns the keys that are held, or -1 to end. */
static int show_frame(void)
{
    const Uint8 *held = SDL_GetKeyboardState(NULL);
    int hidden;
    SDL_Event event;

    if (renderer == NULL) open_window();
    hidden = strcmp(SDL_GetCurrentVideoDriver(), "dummy") == 0;
    if (hidden && frame % 16 != 0) return 0; /* nobody watches that driver */
    spt_box_around(hero.box.min_x, HALF_HEIGHT, HALF_WIDTH, HALF_HEIGHT, &view);
    SDL_SetRenderDrawColor(renderer, 11, 16, 32, 255);
    SDL_RenderClear(renderer);
    must(spt_visit(&world, &view, NULL, fill, NULL));
    fill(NULL, SPT_NONE, &hero.box);
    SDL_RenderPresent(renderer);
    if (!hidden)
        while (SDL_GetTicks() < (Uint32)frame * 1000 / 60) SDL_Delay(1);
    while (SDL_PollEvent(&event))
        if (event.type == SDL_QUIT) return -1;
    if (held[SDL_SCANCODE_ESCAPE]) return -1;
    return (held[SDL_SCANCODE_LEFT] ? LEFT : 0) | (held[SDL_SCANCODE_RIGHT] ? RIGHT : 0) |
           (held[SDL_SCANCODE_UP] ? UP : 0) | (held[SDL_SCANCODE_DOWN] ? DOWN : 0);
}
#else
static int show_frame(void)
{
    fail("there is a window only if it is built with -DWITH_SDL");
    return -1;
}
#endif

/* ---- the program ----------------------------------------------------------------------------- */

static void build(void)
{
    const struct kind *k, *end = kinds + sizeof kinds / sizeof kinds[0];
    int tile;

    must(spt_linear_init(&world, NULL));
    spt_intlist_init(&touched, 1);
    hero.spawn = SPT_NONE;
    for (tile = 0; tile < TILES; tile++) {
        int row = tile / COLUMNS, column = row / ROWS * COLUMNS + tile % COLUMNS;
        spt_coord x = (spt_coord)(column * TILE), y = (spt_coord)(row % ROWS * TILE);

        for (k = kinds; k < end && k->letter != level[row][tile % COLUMNS];) k++;
        if (k == end) continue;
        boxes[count] = k->box, categories[count] = k->category, kind_of[count] = k;
        boxes[count].min_x += x, boxes[count].max_x += x;
        boxes[count].min_y += y, boxes[count].max_y += y;
        vx[count] = k->vx, vy[count] = k->vy;
        if (k->category == CHECKPOINT && hero.spawn == SPT_NONE) hero.spawn = count;
        must(spt_insert(&world, count, &boxes[count])), count++;
    }
    respawn(&hero);
}

int main(int argc, char **argv)
{
    int plays = argc == 2 && strcmp(argv[1], "--play") == 0;
    int shows = plays || (argc == 2 && strcmp(argv[1], "--watch") == 0);
    int draws = argc == 3 && strcmp(argv[1], "--svg") == 0, all = 0, keys = 0;
    spt_i32 i;

    if (argc != 1 && !shows && !draws) {
        fprintf(stderr, "usage: platformer [--svg FILE | --watch | --play]\n");
        return 2;
    }
    build();
    for (;;) {
        if (shows) keys = show_frame();
        if (!plays && keys >= 0) keys = recorded_keys();
        if (keys < 0) break;
        run_frame(keys);
    }
    for (i = 0; i < count; i++) all += categories[i] == COIN;
    printf("%d frames: %d of %d coins, %d enemies stomped, %d fall(s), at the exit in frame %d\n",
           frame, coins, all, stomps, falls, exits);
    printf("%d frames on foot, %d pressed against a wall, %d on a moving platform\n", walked,
           pressed, rides);
    printf("%d landings on platforms that were passed from below\n", passes);
    printf("the feet are at %ld,%ld; hash of all places: %08lx\n", (long)hero.box.min_x,
           (long)hero.box.max_y, (unsigned long)hash);
    printf("%ld checks, %ld failed\n", checks, failures);
    if (draws) write_svg(argv[2]);
    spt_intlist_free(&touched), spt_free(&world);
    return failures == 0 ? 0 : 1;
}

/* Prints:
3600 frames: 57 of 59 coins, 3 enemies stomped, 1 fall(s), at the exit in frame 3573
1458 frames on foot, 168 pressed against a wall, 145 on a moving platform
7 landings on platforms that were passed from below
the feet are at 68442,2304; hash of all places: 1725ca6b
2563204 checks, 0 failed
*/
