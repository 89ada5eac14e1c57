/* scene.c - draws agents, cells and the line of text, span by span */

#include "agents.h"

enum { BLACK, CELLS = 1, TEXT = 8, NUMBER = 9, SWARM = 16 }; /* first colours of each kind */

/* Red, green, blue of 0 .. 63. */
static const unsigned char cell_colours[5][3] = {
    {26, 28, 42}, {22, 24, 38}, {17, 19, 31}, {12, 14, 24}, {8, 10, 17}};
static const unsigned char swarm_colours[SWARMS][3] = {
    {4, 34, 48}, {50, 22, 4}, {12, 40, 14}, {40, 12, 38}, {46, 36, 6}};

/* 3 by 5 pixels a letter, an octal digit a row. */
static const short digits[10] = {075557, 026227, 071747, 071717, 055711,
                                 074717, 074757, 071122, 075757, 075717};
static const short letters[26] = {025755, 065656, 034443, 065556, 074647, 074644, 034553,
                                  055755, 072227, 011152, 055655, 044447, 057755, 065555,
                                  025552, 065644, 025563, 065655, 034216, 072222, 055557,
                                  055552, 055775, 055255, 055222, 071247};

static void set_colour(unsigned char *palette, int colour, int red, int green, int blue)
{
    palette[3 * colour] = (unsigned char)red;
    palette[3 * colour + 1] = (unsigned char)green;
    palette[3 * colour + 2] = (unsigned char)blue;
}

/* Most of the way from a colour to white, and less of it the longer the touch is ago. */
static int lighter(int part, int glow)
{
    return part + (63 - part) * glow * glow * 3 / (4 * GLOW * GLOW);
}

void scene_palette(unsigned char *palette)
{
    int i, glow;
    const unsigned char *c;

    for (i = 0; i < 256; i++) set_colour(palette, i, 0, 0, 0);
    for (i = 0; i < 5; i++) {
        c = cell_colours[i];
        set_colour(palette, CELLS + i, c[0], c[1], c[2]);
    }
    set_colour(palette, TEXT, 24, 27, 36);
    set_colour(palette, NUMBER, 50, 54, 60);
    for (i = 0; i < SWARMS; i++) {
        c = swarm_colours[i];
        for (glow = 0; glow <= GLOW; glow++)
            set_colour(palette, SWARM + (GLOW + 1) * i + glow, lighter(c[0], glow),
                       lighter(c[1], glow), lighter(c[2], glow));
    }
}

static void fill(int x, int y, int width, int height, int colour)
{
    unsigned at = (unsigned)y * SCREEN_WIDTH + (unsigned)x;
    for (; height > 0; height--, at += SCREEN_WIDTH) machine_span(at, (unsigned)width, colour);
}

/* ---- text ------------------------------------------------------------------------------------ */

static int shape_of(int c)
{
    if (c >= '0' && c <= '9') return digits[c - '0'];
    if (c >= 'A' && c <= 'Z') return letters[c - 'A'];
    return c == '.' ? 2 : 0;
}

static int put_text(int x, int y, const char *text, int colour)
{
    for (; *text != 0; text++, x += 4) {
        int shape = shape_of(*text), bit;
        for (bit = 0; bit < 15; bit++)
            if (shape >> (14 - bit) & 1) fill(x + bit % 3, y + bit / 3, 1, 1, colour);
    }
    return x;
}

char *scene_number(char *text, unsigned long number, int hexadecimal)
{
    char reversed[12];
    int base = hexadecimal ? 16 : 10, n = 0, digit;

    do {
        digit = (int)(number % (unsigned)base);
        reversed[n++] = (char)(digit < 10 ? '0' + digit : 'A' + digit - 10);
        number /= (unsigned)base;
    } while (number > 0 || (hexadecimal && n < 8));
    while (n > 0) *text++ = reversed[--n];
    *text = 0;
    return text;
}

static int put_number(int x, int y, int number)
{
    char text[12];
    (void)scene_number(text, (unsigned long)number, 0);
    return put_text(x, y, text, NUMBER);
}

/* ---- the picture ----------------------------------------------------------------------------- */

static int wanted; /* level of the cells that are drawn now */

/* Neighbours have an edge in common, so that lines are one pixel wide. */
static void draw_cell(int min_x, int min_y, int max_x, int max_y, int level)
{
    if (level != wanted) return;
    if (max_x > SCREEN_WIDTH - 1) max_x = SCREEN_WIDTH - 1;
    if (max_y > WORLD_HEIGHT - 1) max_y = WORLD_HEIGHT - 1;
    fill(min_x, min_y, max_x - min_x + 1, 1, CELLS + level);
    fill(min_x, max_y, max_x - min_x + 1, 1, CELLS + level);
    fill(min_x, min_y, 1, max_y - min_y + 1, CELLS + level);
    fill(max_x, min_y, 1, max_y - min_y + 1, CELLS + level);
}

static void draw_agent(const sight *s)
{
    fill(s->x, s->y, s->size, s->size, SWARM + (GLOW + 1) * s->swarm + s->glow);
}

static void draw_line_of_text(void)
{
    figures f;
    int x, y = SCREEN_HEIGHT - 6;

    simulation_figures(&f);
    (void)put_text(1, y, "SPATIAL.H  LINEAR QUADTREE", TEXT);
    x = put_number(SCREEN_WIDTH - 4 * 21, y, AGENTS);
    (void)put_text(x, y, " AGENTS", TEXT);
    x = put_number(SCREEN_WIDTH - 4 * 9, y, f.last);
    (void)put_text(x, y, " PAIRS", TEXT);
}

void scene_draw(int cells)
{
    sight s;
    int i;

    machine_span(0, SCREEN_BYTES, BLACK);
    if (cells) /* the coarse ones last: their edges are edges of fine ones, too */
        for (wanted = simulation_levels(); wanted >= 0; wanted--) simulation_cells(draw_cell);
    for (i = 0; i < AGENTS; i++) {
        simulation_sight(i, &s);
        draw_agent(&s);
    }
    draw_line_of_text();
}
