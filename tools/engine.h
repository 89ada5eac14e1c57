/* engine.h - reads frames of boxes from text, keeps them in a structure, and asks it questions. The
   commands of spatial.c and timing.h use it. */
#ifndef ENGINE_H
#define ENGINE_H

#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#define ON_POSIX
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"

#if defined(SPATIAL_DOUBLE) || defined(SPATIAL_INT)
#error "spatial.c: this program works with float coordinates"
#endif

#define EXIT_TROUBLE 2 /* the exit status of every error */

/* ============================================================================================== */
/* Errors and memory. Whatever goes wrong ends the program, so nothing below returns an error. */

/* What the system says went wrong last; errno must have been 0 or set by the call that failed. */
static const char *system_reason(void)
{
    return errno != 0 ? strerror(errno) : "input or output failed";
}

/* Writes the message to standard error and exits. It is one line, whatever file names hold. */
static void die(const char *format, ...)
{
    char message[8192]; /* longer than the longest file name */
    char *c;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    for (c = message; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
    fprintf(stderr, "spatial: %s\n", message);
    exit(EXIT_TROUBLE);
}

/* Returns array with room for at least `needed` items of `size` bytes, and stores for how many. */
static void *grow(void *array, size_t *room, size_t needed, size_t size)
{
    size_t items = *room < 64 ? 64 : *room;
    void *grown;

    if (needed <= *room) return array;
    while (items < needed) items = items > SIZE_MAX / 2 ? needed : 2 * items;
    grown = items > SIZE_MAX / size ? NULL : realloc(array, items * size);
    if (grown == NULL) die("out of memory");
    *room = items;
    return grown;
}

/* Sends what was printed on its way, so that readers get each frame as soon as it is done. */
static void flush_output(void)
{
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) die("standard output: %s", system_reason());
}

/* ============================================================================================== */
/* Numbers. The form is checked here, so that hexadecimal or trailing garbage does not pass; the
   value comes from strtof, which rounds correctly. Its decimal point is the locale's, and the
   locale is always "C", whatever LC_ALL says, because this program never calls setlocale (C99
   7.11.1.1). */

#define WHY_SIZE 200  /* bytes for a reason why input is refused, */
#define QUOTE_SIZE 41 /* and for the part of it that is quoted */

typedef struct token {
    const char *text; /* ends at white space or NUL */
    size_t length;
} token;

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static const char *skip_sign(const char *text)
{
    return *text == '+' || *text == '-' ? text + 1 : text;
}

static const char *skip_digits(const char *text)
{
    while (*text >= '0' && *text <= '9') text++;
    return text;
}

/* 1 if the token is a number in decimal notation: [sign] digits [. digits] [e [sign] digits]. */
static int is_decimal(const token *t)
{
    const char *start = skip_sign(t->text);
    const char *at = skip_digits(start);
    int digits = at > start;

    if (*at == '.') {
        start = at + 1;
        at = skip_digits(start);
        digits = digits || at > start;
    }
    if (digits && (*at == 'e' || *at == 'E')) {
        start = skip_sign(at + 1);
        at = skip_digits(start);
        digits = at > start;
    }
    return digits && at == t->text + t->length;
}

/* 1 if the token is the word, in letters of either case, with or without a sign. */
static int is_word(const token *t, const char *word)
{
    const char *at = skip_sign(t->text);

    for (; *word != '\0'; word++, at++)
        if (*at != *word && *at != *word - 'a' + 'A') return 0;
    return at == t->text + t->length;
}

static int is_number(const token *t)
{
    return is_decimal(t) || is_word(t, "inf") || is_word(t, "infinity") || is_word(t, "nan");
}

/* Copies the token to quoted, so that it fits a line of a terminal. */
static void quote(const token *t, char quoted[QUOTE_SIZE])
{
    size_t i, shown = t->length < QUOTE_SIZE ? t->length : QUOTE_SIZE - 4;

    for (i = 0; i < shown; i++)
        quoted[i] = (char)(t->text[i] > ' ' && t->text[i] < 127 ? t->text[i] : '?');
    snprintf(quoted + shown, QUOTE_SIZE - shown, "%s", shown < t->length ? "..." : "");
}

/* Reads a coordinate. Returns NULL, or what is wrong with it. */
static const char *read_coordinate(const token *t, int finite, spt_coord *value)
{
    if (t->text == NULL || !is_number(t)) return "is not a number";
    if (finite && !is_decimal(t)) return "is not finite";
    if (is_word(t, "nan")) return "has no place in a box";
    *value = strtof(t->text, NULL);
    if (isinf(*value) && is_decimal(t)) return "is too large for a float";
    return NULL;
}

/* Reads `wanted` numbers, of which there are `found` tokens. Returns 1, or 0 with the reason. */
static int read_numbers(const token *tokens, int found, const char *const *names, int wanted,
                        int finite, spt_coord *values, char why[WHY_SIZE])
{
    char quoted[QUOTE_SIZE];
    int i;

    for (i = 0; i < found; i++) {
        const char *wrong = read_coordinate(&tokens[i], finite, &values[i]);
        if (wrong != NULL) {
            quote(&tokens[i], quoted);
            snprintf(why, WHY_SIZE, "%s '%s' %s", names[i], quoted, wrong);
            return 0;
        }
    }
    if (found < wanted) snprintf(why, WHY_SIZE, "%d numbers expected, %d found", wanted, found);
    return found == wanted;
}

/* Reads a whole number. Returns 0 if it is none, or too large. */
static int read_whole(const char *text, unsigned long most, unsigned long *value)
{
    char *end;

    errno = 0;
    *value = strtoul(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && *value <= most;
}

static const char *const box_edges[4] = {"min_x", "min_y", "max_x", "max_y"};

/* Makes a box of its edges. Returns 1, or 0 with the reason. */
static int make_box(const spt_coord edges[4], spt_box *box, char why[WHY_SIZE])
{
    int i;

    for (i = 0; i < 2; i++) {
        if (edges[i] <= edges[i + 2]) continue;
        snprintf(why, WHY_SIZE, "%s %.9g is larger than %s %.9g", box_edges[i], (double)edges[i],
                 box_edges[i + 2], (double)edges[i + 2]);
        return 0;
    }
    box->min_x = edges[0], box->min_y = edges[1], box->max_x = edges[2], box->max_y = edges[3];
    return 1;
}

/* Makes a box of `found` tokens, four of them if all is well. Returns 1, or 0 with the reason. */
static int read_box(const token *tokens, int found, spt_box *box, char why[WHY_SIZE])
{
    spt_coord edges[4] = {0, 0, 0, 0};

    return read_numbers(tokens, found, box_edges, 4, 0, edges, why) && make_box(edges, box, why);
}

/* ============================================================================================== */
/* Options and their values. */

/* If argv[*at] is the option `name`, returns its value, which stands behind a '=' or is the next
   argument, and advances *at to that; else NULL. */
static const char *option_value(char **argv, int *at, const char *name)
{
    const char *argument = argv[*at];
    size_t length = strlen(name);

    if (strncmp(argument, name, length) != 0) return NULL;
    if (argument[length] == '=') return argument + length + 1;
    if (argument[length] != '\0') return NULL;
    if (argv[*at + 1] == NULL) die("%s needs a value", name);
    return argv[++*at];
}

/* The same for an option with several values: the values behind the first are the next arguments.
   Returns how many values there are, 0 if it is another option. */
static int option_numbers(char **argv, int *at, const char *name, token *values, int count)
{
    const char *value = option_value(argv, at, name);
    int i = 0;

    if (value == NULL) return 0;
    do {
        values[i].text = value;
        values[i].length = strlen(value);
        value = ++i < count ? argv[++*at] : NULL;
    } while (value != NULL);
    if (i < count) die("%s needs %d values", name, count);
    return count;
}

/* ============================================================================================== */
/* Input, a frame at a time. */

typedef struct input {
    FILE *file;
    const char *name;   /* for messages */
    unsigned long line; /* number of the line in text, from 1 on */
    char *text;         /* a line, without its line feed, and a NUL */
    size_t length, room;
} input;

typedef struct frame {
    spt_box *boxes;
    size_t room;
    spt_i32 count;
    spt_i32 *moved; /* ids whose boxes differ from the frame before */
    size_t moved_room;
    spt_i32 moved_count;
} frame;

static void frame_free(frame *f)
{
    free(f->boxes);
    free(f->moved);
}

/* Sets the box of an id that was in the frame before. */
static void frame_move(frame *f, spt_i32 id, const spt_box *box)
{
    const spt_box *old = &f->boxes[id];

    if (old->min_x == box->min_x && old->min_y == box->min_y && old->max_x == box->max_x &&
        old->max_y == box->max_y)
        return;
    f->boxes[id] = *box;
    f->moved = grow(f->moved, &f->moved_room, (size_t)f->moved_count + 1, sizeof *f->moved);
    f->moved[f->moved_count++] = id;
}

/* Opens the file; NULL or "-" is standard input. */
static void input_open(input *in, const char *name)
{
    memset(in, 0, sizeof *in);
    in->file = stdin;
    in->name = "standard input";
    if (name == NULL || strcmp(name, "-") == 0) return;
    errno = 0;
    in->file = fopen(name, "rb");
    in->name = name;
    if (in->file == NULL) die("%s: %s", name, system_reason());
}

static void input_close(input *in)
{
    if (in->file != stdin) fclose(in->file);
    free(in->text);
}

/* Reads a line of any length; a byte order mark (UTF-8) at the beginning of the input is left out.
   Returns 0 at the end of the input. */
static int read_line(input *in)
{
    int c, marked = 0;

    in->length = 0;
    for (;;) {
        in->text = grow(in->text, &in->room, in->length + 1, 1);
        c = getc(in->file);
        if (c == EOF || c == '\n') break;
        in->text[in->length++] = (char)c;
        if (in->line > 0 || marked || in->length != 3) continue;
        marked = memcmp(in->text, "\357\273\277", 3) == 0;
        if (marked) in->length = 0;
    }
    if (ferror(in->file)) die("%s: %s", in->name, system_reason());
    in->text[in->length] = '\0';
    if (c == EOF && in->length == 0) return 0;
    in->line++;
    return 1;
}

/* Cuts the first tokens of the line, four at most, and returns how many there are. */
static int split_line(const input *in, token tokens[4])
{
    const char *at = in->text, *end = in->text + in->length;
    int found = 0;

    for (;;) {
        while (at < end && is_blank(*at)) at++;
        if (at == end || found == 4) return found;
        tokens[found].text = at;
        while (at < end && !is_blank(*at)) at++;
        tokens[found].length = (size_t)(at - tokens[found].text);
        found++;
    }
}

/* Reads up to the blank line or the end of the input that ends the frame. Returns 0 if nothing but
   comments was left: each blank line ends a frame, an empty one too, but the end of the input ends
   only one that has boxes. The frame is the one before, or one of zero bytes. */
static int read_frame(input *in, frame *f)
{
    token tokens[4];
    char why[WHY_SIZE];
    spt_i32 before = f->count;

    f->count = f->moved_count = 0;
    while (read_line(in)) {
        int found = split_line(in, tokens);
        spt_box box = {0, 0, 0, 0};

        if (found == 0) return 1;
        if (*tokens[0].text == '#') continue;
        if (f->count == INT32_MAX) die("%s:%lu: too many boxes in a frame", in->name, in->line);
        if (!read_box(tokens, found, &box, why)) die("%s:%lu: %s", in->name, in->line, why);
        f->boxes = grow(f->boxes, &f->room, (size_t)f->count + 1, sizeof *f->boxes);
        if (f->count < before)
            frame_move(f, f->count, &box);
        else
            f->boxes[f->count] = box;
        f->count++;
    }
    return f->count > 0;
}

/* ============================================================================================== */
/* The extent of a frame. */

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static int by_coordinate(const void *a, const void *b)
{
    spt_coord x = *(const spt_coord *)a, y = *(const spt_coord *)b;
    return (x > y) - (x < y);
}

#define FARTHEST ((double)FLT_MAX / 4) /* bounds reach no farther: their width must be a float */

/* Finds from where to where the finite edges of the boxes reach along x (axis 0) or y (1), always
   with low < high. With `crowd` set, boxes far away from most others are left out. `edges` has
   room for two edges a box. */
static void axis_extent(const frame *f, int axis, int crowd, spt_coord *edges, double *low,
                        double *high)
{
    size_t n = 0, i;

    for (i = 0; i < (size_t)f->count; i++) {
        const spt_box *box = &f->boxes[i];
        spt_coord min = axis == 0 ? box->min_x : box->min_y;
        spt_coord max = axis == 0 ? box->max_x : box->max_y;
        if (!isinf(min)) edges[n++] = min;
        if (!isinf(max)) edges[n++] = max;
    }
    if (n == 0) edges[n++] = 0;
    qsort(edges, n, sizeof *edges, by_coordinate);
    *low = (double)edges[0];
    *high = (double)edges[n - 1];
    if (crowd) { /* J. W. Tukey, "Exploratory Data Analysis", 1977: the outer fences */
        double first = (double)edges[n / 4], third = (double)edges[n - 1 - n / 4];
        double reach = third > first ? 3 * (third - first) : HUGE_VAL;
        *low = clamp(*low, fmax(first - reach, -FARTHEST), FARTHEST);
        *high = clamp(*high, -FARTHEST, fmin(third + reach, FARTHEST));
    }
    if (!((spt_coord)*low < (spt_coord)*high)) {
        double some = 1 + fabs(*low) / 1024; /* not lost in the rounding to float */
        *low = fmax(*low - some, -(double)FLT_MAX);
        *high = fmin(*high + some, (double)FLT_MAX);
    }
}

static void frame_extent(const frame *f, int crowd, spt_box *extent)
{
    size_t room = 0;
    spt_coord *edges = grow(NULL, &room, 2 * (size_t)f->count + 1, sizeof *edges);
    double low, high;

    axis_extent(f, 0, crowd, edges, &low, &high);
    extent->min_x = (spt_coord)low, extent->max_x = (spt_coord)high;
    axis_extent(f, 1, crowd, edges, &low, &high);
    extent->min_y = (spt_coord)low, extent->max_y = (spt_coord)high;
    free(edges);
}

/* ============================================================================================== */
/* Questions. To add one: its two functions, and its line below; then its command, at the end. */

typedef struct question {
    const struct asking *asking;
    spt_motion motion;  /* its box is the window, the point, or what moves, at the start */
    spt_coord distance; /* nothing further away is found */
    spt_i32 most;       /* nor more than so many */
} question;

typedef struct numbers { /* what a question is asked by, as it stands on the command line */
    token of[4];
    int found;
    token limit, size[2]; /* --limit, --size; text NULL: not given */
} numbers;

enum { BY_ID, BY_DISTANCE, BY_TIME }; /* the order of the answers */

typedef struct asking {
    const char *name;          /* of its command, and, behind two dashes, of the option of draw */
    const char *const *wanted; /* the names of its numbers, */
    int count;                 /* and how many these are */
    int finite;                /* they have to be */
    int order;
    /* Makes a question of the numbers. Returns 1, or 0 with the reason. */
    int (*make)(question *q, const numbers *n, const spt_coord *values, char why[WHY_SIZE]);
    spt_i32 (*find)(const spt_index *x, const question *q, spt_intlist *out);
} asking;

/* 1 if a distance or a size is not negative; else 0 with the reason. */
static int is_length(const char *name, spt_coord value, char why[WHY_SIZE])
{
    if (value < 0) snprintf(why, WHY_SIZE, "%s %.9g is negative", name, (double)value);
    return value >= 0;
}

static int make_query(question *q, const numbers *n, const spt_coord *values, char why[WHY_SIZE])
{
    (void)n;
    return make_box(values, &q->motion.box, why);
}

static spt_i32 find_query(const spt_index *x, const question *q, spt_intlist *out)
{
    return spt_query(x, &q->motion.box, NULL, out);
}

static int make_within(question *q, const numbers *n, const spt_coord *values, char why[WHY_SIZE])
{
    (void)n;
    spt_box_around(values[0], values[1], 0, 0, &q->motion.box);
    q->distance = values[2];
    return is_length("radius", q->distance, why);
}

static spt_i32 find_within(const spt_index *x, const question *q, spt_intlist *out)
{
    return spt_within(x, &q->motion.box, q->distance, NULL, out);
}

static int make_nearest(question *q, const numbers *n, const spt_coord *values, char why[WHY_SIZE])
{
    static const char *const names[1] = {"--limit"};
    unsigned long most;

    spt_box_around(values[0], values[1], 0, 0, &q->motion.box);
    if (!read_whole(n->of[2].text, INT32_MAX, &most)) {
        char quoted[QUOTE_SIZE];
        quote(&n->of[2], quoted);
        snprintf(why, WHY_SIZE, "k '%s' is not a whole number from 0 to %ld", quoted,
                 (long)INT32_MAX);
        return 0;
    }
    q->most = (spt_i32)most;
    return n->limit.text == NULL || (read_numbers(&n->limit, 1, names, 1, 1, &q->distance, why) &&
                                     is_length(names[0], q->distance, why));
}

static spt_i32 find_nearest(const spt_index *x, const question *q, spt_intlist *out)
{
    return spt_nearest(x, &q->motion.box, q->most, q->distance, NULL, out);
}

/* Reads the two values of --size. Returns 1, or 0 with the reason. */
static int read_size(const token tokens[2], spt_coord size[2], char why[WHY_SIZE])
{
    static const char *const names[2] = {"width", "height"};

    return read_numbers(tokens, 2, names, 2, 1, size, why) && is_length(names[0], size[0], why) &&
           is_length(names[1], size[1], why);
}

static int make_cast(question *q, const numbers *n, const spt_coord *values, char why[WHY_SIZE])
{
    spt_motion *m = &q->motion;
    spt_coord size[2] = {0, 0};

    if (n->size[0].text != NULL && !read_size(n->size, size, why)) return 0;
    spt_box_around(values[0], values[1], size[0] / 2, size[1] / 2, &m->box);
    m->dx = values[2] - values[0];
    m->dy = values[3] - values[1];
    if (isinf(m->dx) || isinf(m->dy) || isinf(m->box.min_x) || isinf(m->box.min_y) ||
        isinf(m->box.max_x) || isinf(m->box.max_y)) {
        snprintf(why, WHY_SIZE, "the way or the box is too large for a float");
        return 0;
    }
    return 1;
}

static spt_i32 find_cast(const spt_index *x, const question *q, spt_intlist *out)
{
    return spt_cast_all(x, &q->motion, NULL, out);
}

static const char *const within_numbers[] = {"x", "y", "radius"};
static const char *const nearest_numbers[] = {"x", "y", "k"};
static const char *const cast_numbers[] = {"x0", "y0", "x1", "y1"};

static const asking askings[] = {
    {"query", box_edges, 4, 0, BY_ID, make_query, find_query},
    {"within", within_numbers, 3, 1, BY_ID, make_within, find_within},
    {"nearest", nearest_numbers, 3, 1, BY_DISTANCE, make_nearest, find_nearest},
    {"cast", cast_numbers, 4, 1, BY_TIME, make_cast, find_cast},
};

#define ASKING_COUNT (sizeof askings / sizeof askings[0])

/* What a command asks; NULL: nothing. */
static const asking *asking_find(const char *name)
{
    size_t i;

    for (i = 0; i < ASKING_COUNT; i++)
        if (strcmp(askings[i].name, name) == 0) return &askings[i];
    return NULL;
}

/* Where on its way what moves meets a box that was found. */
static spt_coord time_of(const question *q, const spt_box *box)
{
    spt_hit hit = {SPT_NONE, 0, 0, 0, 0, 0};

    spt_box_cast(&q->motion, box, &hit);
    return hit.t;
}

/* ============================================================================================== */
/* Structures. To add one: its function that makes it, and its line below. */

typedef struct tuning { /* fields of a desc; 0: the default */
    int levels, grids, leaf_capacity, max_depth;
    spt_coord cell;
} tuning;

typedef struct engine {
    const struct structure *structure;
    tuning tuning;
    spt_box bounds;            /* of the world, */
    int bounded;               /* if they are known before the first boxes come */
    spt_broadphase broadphase; /* if the structure is that, */
    spt_index index;           /* else this; of zero bytes till a frame has boxes */
    int made;                  /* there was one */
    spt_i32 count;             /* the ids in it are 0 .. count-1 */
} engine;

typedef struct structure {
    const char *name;
    /* For some `count` boxes; NULL: keeps no boxes, gives pairs only. */
    int (*make)(spt_index *x, const spt_box *bounds, spt_i32 count, const tuning *t);
    int still;  /* takes all boxes at once: single ones do not come, go or move */
    int shaded; /* draw makes a cell the darker the more boxes it has */
    const char *help;
} structure;

static int make_linear(spt_index *x, const spt_box *bounds, spt_i32 count, const tuning *t)
{
    spt_linear_desc desc = {0};

    (void)count;
    desc.bounds = *bounds;
    desc.levels = t->levels;
    desc.grids = t->grids;
    return spt_linear_init(x, &desc);
}

static int make_quadtree(spt_index *x, const spt_box *bounds, spt_i32 count, const tuning *t)
{
    spt_quadtree_desc desc = {0};

    (void)count;
    desc.bounds = *bounds;
    desc.leaf_capacity = t->leaf_capacity;
    desc.max_depth = t->max_depth;
    return spt_quadtree_init(x, &desc);
}

#define BOXES_A_CELL 4.0 /* of the loose grid, if they are spread evenly */

/* Returns the larger of two sides: the side of square cells, as many as the boxes are to have, and
   the side of so many in a row. Without the latter a world that is almost a line would get far more
   cells. */
static spt_coord default_cell(const spt_box *bounds, spt_i32 count)
{
    double width = (double)bounds->max_x - (double)bounds->min_x;
    double height = (double)bounds->max_y - (double)bounds->min_y;
    double share = BOXES_A_CELL / count; /* of the world, for a cell */
    double side = fmax(sqrt(width * height * share), fmax(width, height) * share);

    return (spt_coord)clamp(side, (double)FLT_MIN, (double)FLT_MAX);
}

static int make_loosegrid(spt_index *x, const spt_box *bounds, spt_i32 count, const tuning *t)
{
    spt_linear_desc desc = {0};

    desc.bounds = *bounds;
    desc.cell = t->cell > 0 ? t->cell : default_cell(bounds, count);
    return spt_loosegrid_init(x, &desc);
}

static int make_packed(spt_index *x, const spt_box *bounds, spt_i32 count, const tuning *t)
{
    (void)bounds, (void)count, (void)t;
    return spt_packed_init(x, NULL);
}

static const structure structures[] = {
    {"broadphase", NULL, 0, 0, "sorts the boxes anew in each frame; for pairs and draw alone"},
    {"linear", make_linear, 0, 0, "complete quadtree in one array"},
    {"quadtree", make_quadtree, 0, 1, "quadtree that adapts to the boxes"},
    {"loosegrid", make_loosegrid, 0, 0, "cells that grow with their boxes"},
    {"packed", make_packed, 1, 0, "boxes in tiles, under a tree"},
};

#define STRUCTURE_COUNT (sizeof structures / sizeof structures[0])

static const structure *structure_find(const char *name)
{
    size_t i;

    for (i = 0; i < STRUCTURE_COUNT; i++)
        if (strcmp(structures[i].name, name) == 0) return &structures[i];
    die("unknown structure '%s'", name);
    return NULL;
}

static void engine_init(engine *e, const structure *s)
{
    memset(e, 0, sizeof *e);
    e->structure = s;
    spt_broadphase_init(&e->broadphase, NULL); /* allocates nothing, so it cannot fail */
}

static void engine_free(engine *e)
{
    spt_free(&e->index);
    spt_broadphase_free(&e->broadphase);
}

/* Passes a count or SPT_OK through; ends the program on an error. */
static spt_i32 checked(const input *in, spt_i32 result)
{
    if (result < 0) die("%s:%lu: %s", in->name, in->line, spt_error_string(result));
    return result;
}

/* Brings the structure from the frame before to this one, by moves, inserts and removes if it takes
   them. */
static void engine_follow(engine *e, const input *in, const frame *f)
{
    spt_index *x = &e->index;
    spt_i32 id;

    if (e->structure->make == NULL) return;
    if (!e->made) {
        if (f->count == 0) return; /* the first boxes tell the bounds and how many to expect */
        if (!e->bounded) frame_extent(f, 1, &e->bounds);
        checked(in, e->structure->make(x, &e->bounds, f->count, &e->tuning));
        e->made = 1;
    }
    if (e->count == 0 || (e->structure->still && (f->moved_count > 0 || f->count != e->count))) {
        checked(in, spt_build(x, f->boxes, f->count));
    } else if (!e->structure->still) {
        if (checked(in, spt_move_many(x, f->moved, f->boxes, f->moved_count)) < f->moved_count)
            checked(in, SPT_ERR_MEMORY); /* the boxes were tested and the ids are there */
        for (id = e->count; id < f->count; id++) checked(in, spt_insert(x, id, &f->boxes[id]));
        for (id = f->count; id < e->count; id++) checked(in, spt_remove(x, id));
    }
    e->count = f->count;
    spt_tidy(x);
}

/* The three things to do with the frame that was followed last. A structure that is not made yet
   refuses to answer, so it is not asked: there is nothing in it, nor was there in `out` before. */

static spt_i32 engine_pairs(engine *e, const input *in, const frame *f, spt_intlist *out)
{
    spt_i32 n = 0;

    if (e->structure->make == NULL)
        n = spt_broadphase_pairs(&e->broadphase, f->boxes, f->count, NULL, out);
    else if (e->made)
        n = spt_pairs(&e->index, NULL, out);
    return checked(in, n);
}

static spt_i32 engine_ask(engine *e, const input *in, const question *q, spt_intlist *out)
{
    return e->made ? checked(in, q->asking->find(&e->index, q, out)) : 0;
}

static void engine_traverse(engine *e, spt_cell_fn fn, void *ctx)
{
    if (e->structure->make == NULL)
        spt_broadphase_traverse(&e->broadphase, fn, ctx);
    else if (e->made)
        spt_traverse(&e->index, fn, ctx);
}

#endif
