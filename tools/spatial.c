/* spatial - what is near what among boxes in text files, and pictures of it, by spatial.h

   Built by: cc -O2 -o spatial tools/spatial.c -lm

   `spatial help` tells how it is used. timing.h is a part of this file: the command time. Public
   domain, like spatial.h. */
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
   value comes from strtof, which rounds correctly. Its decimal point is that of the locale, and the
   locale is always "C", whatever LC_ALL says, because this program never calls setlocale (C99
   7.11.1.1). */

#define WHY_SIZE 200  /* bytes for a reason why input is refused, */
#define QUOTE_SIZE 41 /* and for what it quotes of it */

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

/* The same for an option with several values: those behind the first are the next arguments.
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
    spt_i32 *moved; /* ids whose boxes differ from those of the frame before */
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

/* Reads a line of any length. Returns 0 at the end of the input. */
static int read_line(input *in)
{
    int c;

    in->length = 0;
    for (;;) {
        in->text = grow(in->text, &in->room, in->length + 1, 1);
        c = getc(in->file);
        if (c == EOF || c == '\n') break;
        in->text[in->length++] = (char)c;
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
   with low < high. With `crowd` set, what lies far away from most others is left out. `edges` has
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

enum { BY_ID, BY_DISTANCE, BY_TIME }; /* the order of what is found */

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
    spt_hit hit = {SPT_NONE, 0, 0, 0};

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

/* What draw makes of the cells. NESTED: cells on all levels hold boxes. SHADED: so they do, and the
   more a cell has, the darker it is. LOOSE: the boxes of some cells overlap. */
enum { NESTED, SHADED, LOOSE };

typedef struct structure {
    const char *name;
    /* For some `count` boxes; NULL: keeps no boxes, gives pairs only. */
    int (*make)(spt_index *x, const spt_box *bounds, spt_i32 count, const tuning *t);
    int still; /* takes all boxes at once: single ones do not come, go or move */
    int look;  /* of its cells */
    const char *help;
} structure;

static int make_linear(spt_index *x, const spt_box *bounds, spt_i32 count, const tuning *t)
{
    spt_linear_desc desc = {{0, 0, 0, 0}, 0, 0, 0, 0, 0, {NULL, NULL}};

    (void)count;
    desc.bounds = *bounds;
    desc.levels = t->levels;
    desc.grids = t->grids;
    return spt_linear_init(x, &desc);
}

static int make_quadtree(spt_index *x, const spt_box *bounds, spt_i32 count, const tuning *t)
{
    spt_quadtree_desc desc = {{0, 0, 0, 0}, 0, 0, 0, 0, 0, {NULL, NULL}};

    (void)count;
    desc.bounds = *bounds;
    desc.leaf_capacity = t->leaf_capacity;
    desc.max_depth = t->max_depth;
    return spt_quadtree_init(x, &desc);
}

#define BOXES_A_CELL 4.0 /* of the loose grid, if they are spread evenly */

/* The larger of two sides: that of square cells, as many as the boxes are to have, and that of so
   many in a row. Without the latter a world that is almost a line would get far more cells. */
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
    spt_loosegrid_desc desc = {{0, 0, 0, 0}, 0, 0, 0, 0, 0, {NULL, NULL}};

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
    {"broadphase", NULL, 0, NESTED, "sorts the boxes anew in each frame; for pairs and draw alone"},
    {"linear", make_linear, 0, NESTED, "complete quadtree in one array"},
    {"quadtree", make_quadtree, 0, SHADED, "quadtree that adapts to the boxes"},
    {"loosegrid", make_loosegrid, 0, LOOSE, "cells that grow with their boxes"},
    {"packed", make_packed, 1, NESTED, "boxes in tiles, under a tree"},
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

/* The three things to do with the frame that was followed last. What is not made yet refuses to
   answer, so it is not asked: there is nothing in it, nor was there in `out` before. */

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

#include "timing.h"

/* ============================================================================================== */
/* Commands. */

typedef struct options {
    const struct command *command;
    const structure *structure; /* NULL: the default */
    int count;                  /* --count */
    unsigned long frame;        /* --frame */
    unsigned long every;        /* --every */
    int up;                     /* --up */
    numbers numbers;
    question question; /* made of them; asking NULL: there is none */
    const char *file;  /* NULL: standard input */
    const char *image; /* --image: in its place; NULL: none */
    const char *out;   /* where pack writes to */
    const char *array; /* --c-array: its name; NULL: the bytes themselves are written */
    timing timing;
} options;

/* A list of results and a copy of it in ascending order: every structure then prints the same. */
typedef struct results {
    spt_intlist list;
    spt_i32 *sorted;
    size_t room;
} results;

static int by_id(const void *a, const void *b)
{
    spt_i32 x = *(const spt_i32 *)a, y = *(const spt_i32 *)b;
    return (x > y) - (x < y);
}

static int by_pair(const void *a, const void *b)
{
    int order = by_id(a, b);
    return order != 0 ? order : by_id((const spt_i32 *)a + 1, (const spt_i32 *)b + 1);
}

static const spt_i32 *results_ascending(results *r)
{
    size_t fields = (size_t)r->list.fields, n = (size_t)spt_intlist_count(&r->list);

    if (n > 0) {
        r->sorted = grow(r->sorted, &r->room, n * fields, sizeof *r->sorted);
        memcpy(r->sorted, spt_intlist_data(&r->list), n * fields * sizeof *r->sorted);
        qsort(r->sorted, n, fields * sizeof *r->sorted, fields == 2 ? by_pair : by_id);
    }
    return r->sorted;
}

static void results_free(results *r)
{
    spt_intlist_free(&r->list);
    free(r->sorted);
}

static void run_pairs(const options *o, engine *e, input *in, frame *f)
{
    results r = {0};

    spt_intlist_init(&r.list, 2);
    while (read_frame(in, f)) {
        spt_i32 n, i;
        engine_follow(e, in, f);
        n = engine_pairs(e, in, f, &r.list);
        if (o->count) {
            printf("%ld\n", (long)n);
        } else {
            const spt_i32 *ids = results_ascending(&r);
            for (i = 0; i < n; i++, ids += 2) printf("%ld %ld\n", (long)ids[0], (long)ids[1]);
            putchar('\n');
        }
        flush_output();
    }
    results_free(&r);
}

/* Prints a line of a cast. */
static int print_hit(void *ctx, const spt_hit *hit, const spt_box *box, spt_coord *limit)
{
    (void)ctx, (void)box, (void)limit;
    printf("%ld %.9g\n", (long)hit->id, (double)hit->t);
    return 0;
}

/* Prints what is found, and a blank line. */
static void answer(engine *e, const input *in, const question *q, results *r)
{
    if (q->asking->order == BY_TIME) {
        if (e->made) checked(in, spt_cast_visit(&e->index, &q->motion, NULL, print_hit, NULL));
    } else {
        spt_i32 n = engine_ask(e, in, q, &r->list), i;
        const spt_i32 *ids = spt_intlist_data(&r->list);
        if (q->asking->order == BY_ID) ids = results_ascending(r);
        for (i = 0; i < n; i++) printf("%ld\n", (long)ids[i]);
    }
    putchar('\n');
    flush_output();
}

static void run_ask(const options *o, engine *e, input *in, frame *f)
{
    results r = {0};

    spt_intlist_init(&r.list, 1);
    if (o->image != NULL) answer(e, in, &o->question, &r);
    while (o->image == NULL && read_frame(in, f)) {
        engine_follow(e, in, f);
        answer(e, in, &o->question, &r);
    }
    results_free(&r);
}

/* ---------------------------------------------------------------------------------------------- */
/* pack, and what reads its images. */

/* Maps an image, or where that is not possible reads it. */
static const void *open_image(const char *name, size_t *bytes)
{
    void *data = NULL;
    long size = -1;
#ifdef ON_POSIX
    struct stat found;
    int file = open(name, O_RDONLY);

    if (file >= 0 && fstat(file, &found) == 0) size = (long)found.st_size;
    if (size == 0) die("%s: %s", name, spt_error_string(SPT_ERR_IMAGE));
    if (size > 0) data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, file, 0);
    if (size < 0 || data == MAP_FAILED) die("%s: %s", name, system_reason());
    close(file);
#else
    FILE *file = fopen(name, "rb");

    if (file != NULL && fseek(file, 0, SEEK_END) == 0) size = ftell(file);
    if (size > 0) data = malloc((size_t)size);
    if (size < 0 || data == NULL) die("%s: %s", name, system_reason());
    rewind(file);
    if (fread(data, 1, (size_t)size, file) != (size_t)size) die("%s: %s", name, system_reason());
    fclose(file);
#endif
    *bytes = (size_t)size;
    return data; /* kept till the program ends */
}

static void engine_view(engine *e, const char *name)
{
    size_t bytes;
    const void *data = open_image(name, &bytes);
    int error = spt_packed_view(&e->index, data, bytes);

    if (error) die("%s: %s", name, spt_error_string(error));
    e->made = 1;
}

/* Writes the image as words of a C array, which has the right order of bytes on every machine. */
static void write_array(FILE *file, const char *name, const unsigned char *data, size_t bytes)
{
    size_t i;

    fprintf(file, "static const spt_u32 %s[%lu] = {", name, (unsigned long)(bytes / 4));
    for (i = 0; i < bytes; i += 4) {
        uint32_t word;
        memcpy(&word, data + i, sizeof word);
        fprintf(file, "%s0x%08lXUL,", i % 24 == 0 ? "\n    " : " ", (unsigned long)word);
    }
    fputs("\n};\n", file);
}

static void run_pack(const options *o, engine *e, input *in, frame *f)
{
    const void *data;
    size_t bytes = 0;
    unsigned long k;
    FILE *file;

    for (k = 0; k <= o->frame; k++)
        if (!read_frame(in, f)) die("%s: there is no frame %lu", in->name, o->frame);
    engine_follow(e, in, f);
    data = e->made ? spt_packed_data(&e->index, &bytes) : NULL;
    if (data == NULL) die("%s: there are no boxes", in->name);
    errno = 0;
    file = fopen(o->out, "wb");
    if (file == NULL) die("%s: %s", o->out, system_reason());
    if (o->array != NULL)
        write_array(file, o->array, (const unsigned char *)data, bytes);
    else
        fwrite(data, 1, bytes, file);
    if (ferror(file) != 0 || fclose(file) != 0) die("%s: %s", o->out, system_reason());
}

/* ---------------------------------------------------------------------------------------------- */
/* draw: all is mapped to pixels first, so that a world of any size makes the same picture. */

#define PICTURE_SIZE 800.0  /* pixels of the longer side */
#define PICTURE_MARGIN 12.0 /* pixels around the boxes */
#define SMALLEST_BOX 3.0    /* pixels: a point must be seen */
#define SMALLEST_CELL 0.01  /* pixels: SVG does not show what has no size */

#define LOOK_OF_CELLS "fill=\"#0ea5e9\" fill-opacity=\"0.025\" stroke=\"#0369a1\""
#define LOOK_OF_LOOSE_CELLS "fill=\"#0d9488\" fill-opacity=\"0.08\" stroke=\"#0f766e\""
#define LOOSE_LEVEL 2    /* of the cells, behind the world and the blocks of cells */
#define FULLEST_CELL 0.2 /* opacity of the cell with the most boxes */
#define COLOUR_OVERLAPPING "#fb6514"
#define COLOUR_APART "#64748b"
#define LOOK_OF_OVERLAPPING                                                                        \
    "fill=\"" COLOUR_OVERLAPPING "\" fill-opacity=\"0.45\" stroke=\"#b93815\""
#define LOOK_OF_FOUND "fill=\"#7c3aed\" fill-opacity=\"0.55\" stroke=\"#4c1d95\""
#define LOOK_OF_ASKED "fill=\"none\" stroke=\"#1e1b4b\" stroke-width=\"1.5\""
#define DOT 2.5 /* pixels: radius of a point of a question */
#define LOOK_OF_APART "fill=\"" COLOUR_APART "\" fill-opacity=\"0.28\" stroke=\"#475569\""
#define LOOK_OF_FILMED "fill-opacity=\"0.45\" stroke=\"#475569\""

typedef struct cell {
    spt_box box;
    int level;
    spt_i32 count; /* boxes in it */
    size_t still;  /* of a film: in which it is */
} cell;

typedef struct picture {
    spt_box view;         /* the part of the world that is shown */
    double scale;         /* pixels a unit */
    double width, height; /* pixels */
    cell *cells;          /* those of the structure, in the order of the walk */
    size_t count, room;
    int levels;   /* 1 + the deepest level of them */
    spt_i32 most; /* boxes in the fullest of them */
    size_t still; /* of which cells are collected */
} picture;

static int collect_cell(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    picture *p = ctx;

    p->cells = grow(p->cells, &p->room, p->count + 1, sizeof *p->cells);
    p->cells[p->count].box = *box;
    p->cells[p->count].level = level;
    p->cells[p->count].still = p->still;
    p->cells[p->count++].count = count;
    if (level >= p->levels) p->levels = level + 1;
    if (count > p->most) p->most = count;
    return 0;
}

/* Shows all boxes, and where a question is asked; a window may end anywhere. */
static void picture_fit(picture *p, const frame *f, const question *q)
{
    double width, height;

    frame_extent(f, 0, &p->view);
    if (q->asking != NULL && q->asking->finite) spt_box_union(&p->view, &q->motion.box, &p->view);
    width = (double)p->view.max_x - (double)p->view.min_x;
    height = (double)p->view.max_y - (double)p->view.min_y;
    p->scale = (PICTURE_SIZE - 2 * PICTURE_MARGIN) / fmax(width, height);
    p->width = width * p->scale + 2 * PICTURE_MARGIN;
    p->height = height * p->scale + 2 * PICTURE_MARGIN;
}

/* From coordinates to pixels. */
static double across(const picture *p, double x)
{
    return (x - (double)p->view.min_x) * p->scale + PICTURE_MARGIN;
}

static double down(const picture *p, double y)
{
    return (y - (double)p->view.min_y) * p->scale + PICTURE_MARGIN;
}

/* Prints a number with no more decimals than it needs. */
static void put_number(double value, int decimals)
{
    char digits[64], *end;

    snprintf(digits, sizeof digits, "%.*f", decimals, value);
    end = digits + strlen(digits);
    while (end[-1] == '0') end--;
    if (end[-1] == '.') end--;
    *end = '\0';
    fputs(strcmp(digits, "-0") == 0 ? "0" : digits, stdout);
}

static void put_attribute(const char *name, double value)
{
    printf(" %s=\"", name);
    put_number(value, 2);
    putchar('"');
}

/* One side of a rectangle, from low on and at least `smallest` long. What lies beyond the picture
   is cut off a little outside it, where the outline is not seen. */
static double side_of(double *low, double high, double end, double smallest)
{
    *low = clamp(*low, -PICTURE_MARGIN, end + PICTURE_MARGIN);
    high = clamp(high, -PICTURE_MARGIN, end + PICTURE_MARGIN);
    if (high - *low < smallest) {
        *low = (*low + high - smallest) / 2;
        high = *low + smallest;
    }
    return high - *low;
}

typedef struct rectangle { /* in pixels */
    double x, y, width, height;
} rectangle;

static rectangle rectangle_of(const picture *p, const spt_box *box, double smallest)
{
    rectangle r;

    r.x = across(p, (double)box->min_x), r.y = down(p, (double)box->min_y);
    r.width = side_of(&r.x, across(p, (double)box->max_x), p->width, smallest);
    r.height = side_of(&r.y, down(p, (double)box->max_y), p->height, smallest);
    return r;
}

/* Begins a rectangle; opacity < 0: that of the group it is in. */
static void put_open_rect(const picture *p, const spt_box *box, double smallest, double opacity)
{
    rectangle r = rectangle_of(p, box, smallest);

    fputs("<rect", stdout);
    put_attribute("x", r.x);
    put_attribute("width", r.width);
    put_attribute("y", r.y);
    put_attribute("height", r.height);
    if (opacity >= 0) put_attribute("fill-opacity", opacity);
}

static void put_rect(const picture *p, const spt_box *box, double smallest, double opacity)
{
    put_open_rect(p, box, smallest, opacity);
    fputs("/>\n", stdout);
}

/* Begins the group of the cells of a level. */
static void put_level(int level, int look)
{
    printf("<g class=\"level-%d\"", level);
    if (look == LOOSE && level == LOOSE_LEVEL)
        puts(" " LOOK_OF_LOOSE_CELLS ">");
    else
        printf(" stroke-opacity=\"%.2f\" stroke-width=\"%.2f\">\n", fmax(0.2, 0.55 - 0.06 * level),
               fmax(0.35, 1.2 - 0.15 * level));
}

/* The cells, level by level: the deeper, the finer the line. The shades of a cell and of all those
   around it add up; a quadtree's cells are shaded by how many boxes they hold themselves. */
static void put_cells(const picture *p, int look)
{
    size_t i;
    int level;

    puts("<g class=\"cells\" " LOOK_OF_CELLS ">");
    for (level = 0; level < p->levels; level++) {
        put_level(level, look);
        for (i = 0; i < p->count; i++) {
            const cell *c = &p->cells[i];
            double opacity = look == SHADED ? FULLEST_CELL * c->count / fmax(p->most, 1) : -1;
            if (c->level == level) put_rect(p, &c->box, SMALLEST_CELL, opacity);
        }
        puts("</g>");
    }
    puts("</g>");
}

/* The boxes that overlap others, or those that do not. */
static void put_boxes(const picture *p, const frame *f, const unsigned char *overlaps, int which)
{
    spt_i32 i;

    puts(which ? "<g class=\"overlapping\" " LOOK_OF_OVERLAPPING ">"
               : "<g class=\"apart\" " LOOK_OF_APART ">");
    for (i = 0; i < f->count; i++)
        if (overlaps[i] == which) put_rect(p, &f->boxes[i], SMALLEST_BOX, -1);
    puts("</g>");
}

/* Prints a circle around a place, of a radius in pixels. A place beyond the picture is moved to a
   little outside it. */
static void put_circle(const picture *p, double x, double y, double radius)
{
    fputs("<circle", stdout);
    put_attribute("cx", clamp(across(p, x), -PICTURE_MARGIN, p->width + PICTURE_MARGIN));
    put_attribute("cy", clamp(down(p, y), -PICTURE_MARGIN, p->height + PICTURE_MARGIN));
    put_attribute("r", radius);
    fputs("/>\n", stdout);
}

/* Prints a line from a place in the picture on by so many units; infinite ones are as the largest
   between floats. It is cut off outside the picture, because not everything that shows SVG can
   count that far. */
static void put_line(const picture *p, double x, double y, double dx, double dy)
{
    double most = 2 * (double)FLT_MAX, length, share;

    dx = clamp(dx, -most, most);
    dy = clamp(dy, -most, most);
    length = hypot(dx, dy) * p->scale;
    share = length > p->width + p->height ? (p->width + p->height) / length : 1;
    fputs("<line", stdout);
    put_attribute("x1", across(p, x));
    put_attribute("y1", down(p, y));
    put_attribute("x2", across(p, x + dx * share));
    put_attribute("y2", down(p, y + dy * share));
    fputs("/>\n", stdout);
}

/* What moves, at the start and at the end of its way. */
static void put_motion(const picture *p, const spt_motion *m)
{
    spt_box end;

    end.min_x = m->box.min_x + m->dx, end.max_x = m->box.max_x + m->dx;
    end.min_y = m->box.min_y + m->dy, end.max_y = m->box.max_y + m->dy;
    put_rect(p, &m->box, SMALLEST_BOX, -1);
    put_rect(p, &end, SMALLEST_BOX, -1);
}

/* What is asked, and what is found: of the nearest, how far they are; of a cast, where it meets
   them. */
static void put_question(const picture *p, const question *q, const frame *f,
                         const spt_intlist *found)
{
    const spt_i32 *ids = spt_intlist_data(found);
    spt_i32 n = spt_intlist_count(found), i;
    int order = q->asking->order;
    const spt_box *from = &q->motion.box;
    double x = ((double)from->min_x + (double)from->max_x) / 2, dx = (double)q->motion.dx;
    double y = ((double)from->min_y + (double)from->max_y) / 2, dy = (double)q->motion.dy;
    double radius = (double)q->distance * p->scale;

    puts("<g class=\"found\" " LOOK_OF_FOUND ">");
    for (i = 0; i < n; i++) put_rect(p, &f->boxes[ids[i]], SMALLEST_BOX, -1);
    puts("</g>\n<g class=\"asked\" " LOOK_OF_ASKED ">");
    if (!q->asking->finite) {
        put_rect(p, from, SMALLEST_BOX, -1);
    } else if (order == BY_TIME) {
        put_motion(p, &q->motion);
        put_line(p, x, y, dx, dy);
    } else {
        put_circle(p, x, y, DOT);
        if (q->distance > 0 && q->distance < SPT_NO_LIMIT && radius < p->width + p->height)
            put_circle(p, x, y, radius); /* a larger one lies all around the picture */
    }
    for (i = 0; i < n && order != BY_ID; i++) {
        const spt_box *box = &f->boxes[ids[i]];
        double t = order == BY_TIME ? (double)time_of(q, box) : 0;
        if (order == BY_TIME)
            put_circle(p, x + t * dx, y + t * dy, DOT);
        else
            put_line(p, x, y, clamp(x, (double)box->min_x, (double)box->max_x) - x,
                     clamp(y, (double)box->min_y, (double)box->max_y) - y);
    }
    puts("</g>");
}

/* Returns for each box 1 if it is in a pair, else 0. */
static unsigned char *mark_overlaps(const frame *f, const spt_intlist *pairs)
{
    size_t room = 0;
    unsigned char *marks = grow(NULL, &room, (size_t)f->count + 1, 1); /* never NULL */
    const spt_i32 *ids = spt_intlist_data(pairs);
    size_t i, n = 2 * (size_t)spt_intlist_count(pairs);

    memset(marks, 0, room);
    for (i = 0; i < n; i++) marks[ids[i]] = 1;
    return marks;
}

/* The question as it was given: numbers hold nothing that XML minds. */
static void put_words(const numbers *n, const asking *a, spt_i32 found)
{
    int i;

    printf("; %s", a->name);
    for (i = 0; i < a->count; i++) printf(" %s", n->of[i].text);
    if (n->limit.text != NULL) printf(" --limit %s", n->limit.text);
    if (n->size[0].text != NULL) printf(" --size %s %s", n->size[0].text, n->size[1].text);
    printf(": %ld found", (long)found);
}

static void begin_picture(const picture *p)
{
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\"", stdout);
    put_attribute("width", p->width);
    put_attribute("height", p->height);
    printf(" viewBox=\"0 0 %.2f %.2f\">\n", p->width, p->height);
}

/* The ground, and the group of all that lies on it. */
static void put_paper(const picture *p, int up)
{
    puts("<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>");
    fputs("<g class=\"world\"", stdout);
    if (up) printf(" transform=\"matrix(1 0 0 -1 0 %.2f)\"", p->height);
    puts(">");
}

/* Begins the group of so many boxes: many get finer lines, by the room that each has. */
static void put_lines(const picture *p, spt_i32 count)
{
    double spacing = sqrt(p->width * p->height / fmax(count, 1));

    printf("<g class=\"boxes\" stroke-width=\"%.2f\">\n", clamp(spacing / 36, 0.2, 1));
}

static void draw(const options *o, engine *e, const input *in, const frame *f)
{
    picture p = {{0, 0, 0, 0}, 0, 0, 0, NULL, 0, 0, 0, 0, 0};
    const question *q = &o->question;
    spt_intlist pairs, found;
    unsigned char *overlaps;

    spt_intlist_init(&pairs, 2);
    spt_intlist_init(&found, 1);
    engine_pairs(e, in, f, &pairs);
    if (q->asking != NULL) engine_ask(e, in, q, &found);
    overlaps = mark_overlaps(f, &pairs);
    engine_traverse(e, collect_cell, &p);
    picture_fit(&p, f, q);
    begin_picture(&p);
    printf("<title>Frame %lu: %ld boxes, %ld overlapping pairs, and the cells of %s", o->frame,
           (long)f->count, (long)spt_intlist_count(&pairs), o->structure->name);
    if (q->asking != NULL) put_words(&o->numbers, q->asking, spt_intlist_count(&found));
    puts("</title>");
    put_paper(&p, o->up);
    put_cells(&p, o->structure->look);
    put_lines(&p, f->count);
    put_boxes(&p, f, overlaps, 0);
    put_boxes(&p, f, overlaps, 1);
    if (q->asking != NULL) put_question(&p, q, f, &found);
    puts("</g>\n</g>\n</svg>");
    free(p.cells);
    free(overlaps);
    spt_intlist_free(&found);
    spt_intlist_free(&pairs);
}

#define PICTURE_LEAF 16 /* of a quadtree: pictures show more cells than are of use otherwise */

static void run_draw(const options *o, engine *e, input *in, frame *f)
{
    unsigned long k;

    e->tuning.leaf_capacity = PICTURE_LEAF;
    for (k = 0; read_frame(in, f); k++) {
        engine_follow(e, in, f);
        if (k < o->frame) continue;
        draw(o, e, in, f);
        return;
    }
    die("%s: there is no frame %lu, only %lu frame(s)", in->name, o->frame, k);
}

/* ---------------------------------------------------------------------------------------------- */
/* film: pictures of frames, one behind the other. What moves is one element of the film, a cell
   one that is seen from time to time. */

#define FILM_RATE 30.0 /* frames of the input a second */

typedef struct still { /* a frame that is shown */
    size_t first;      /* of its boxes among those of all */
    spt_i32 count;
} still;

typedef struct film {
    picture p;
    still *stills;
    size_t count, room;
    frame all;                             /* the boxes of all stills */
    unsigned char *overlaps, *states;      /* of each of them; of one thing in each still */
    size_t boxes, overlap_room, state_room; /* boxes: in all */
    spt_i32 most;                          /* boxes in a still */
    double seconds;
} film;

/* Adds the frame that was followed last. */
static void film_take(film *m, engine *e, const input *in, const frame *f)
{
    spt_intlist pairs;
    unsigned char *overlaps;
    size_t n = (size_t)f->count;
    still *s;

    spt_intlist_init(&pairs, 2);
    engine_pairs(e, in, f, &pairs);
    overlaps = mark_overlaps(f, &pairs);
    m->stills = grow(m->stills, &m->room, m->count + 1, sizeof *m->stills);
    s = &m->stills[m->count];
    s->first = m->boxes, s->count = f->count;
    m->p.still = m->count++;
    m->all.boxes = grow(m->all.boxes, &m->all.room, m->boxes + n, sizeof *m->all.boxes);
    m->overlaps = grow(m->overlaps, &m->overlap_room, m->boxes + n, 1);
    if (n > 0) {
        memcpy(m->all.boxes + m->boxes, f->boxes, n * sizeof *f->boxes);
        memcpy(m->overlaps + m->boxes, overlaps, n);
    }
    m->boxes += n;
    if (f->count > m->most) m->most = f->count;
    engine_traverse(e, collect_cell, &m->p);
    free(overlaps);
    spt_intlist_free(&pairs);
}

static void put_animation(const film *m, const char *attribute, const char *more)
{
    printf("<animate attributeName=\"%s\" dur=\"%.2fs\" repeatCount=\"indefinite\"%s values=\"",
           attribute, m->seconds, more);
}

/* Ends an element of which an attribute has one of two values, by the states. */
static void put_states(const film *m, const char *attribute, const char *const values[2])
{
    size_t k, changes = 0;

    printf(" %s=\"%s\">", attribute, values[m->states[0]]);
    for (k = 1; k < m->count; k++) changes += m->states[k] != m->states[k - 1];
    if (changes == 0) return;
    put_animation(m, attribute, " calcMode=\"discrete\"");
    fputs(values[m->states[0]], stdout);
    for (k = 1; k < m->count; k++)
        if (m->states[k] != m->states[k - 1]) printf(";%s", values[m->states[k]]);
    fputs("\" keyTimes=\"0", stdout);
    for (k = 1; k < m->count; k++)
        if (m->states[k] != m->states[k - 1])
            printf(";%.*g", m->count < 1000 ? 4 : 9, (double)k / (double)(m->count - 1));
    fputs("\"/>", stdout);
}

static int by_cell(const void *a, const void *b)
{
    const cell *c = a, *d = b;
    const spt_coord from[4] = {c->box.min_x, c->box.min_y, c->box.max_x, c->box.max_y};
    const spt_coord to[4] = {d->box.min_x, d->box.min_y, d->box.max_x, d->box.max_y};
    int i;

    if (c->level != d->level) return c->level < d->level ? -1 : 1;
    for (i = 0; i < 4; i++)
        if (from[i] < to[i] || from[i] > to[i]) return from[i] < to[i] ? -1 : 1;
    return 0;
}

/* Each cell once, level by level, seen in the stills that it is in. */
static void film_cells(film *m, int look)
{
    static const char *const seen[2] = {"none", "inline"};
    const picture *p = &m->p;
    size_t i, next;
    int level = -1;

    if (p->count > 0) qsort(p->cells, p->count, sizeof *p->cells, by_cell);
    puts("<g class=\"cells\" " LOOK_OF_CELLS ">");
    for (i = 0; i < p->count; i = next) {
        const cell *c = &p->cells[i];
        for (; level < c->level; put_level(level, look))
            if (level++ >= 0) puts("</g>");
        memset(m->states, 0, m->count);
        for (next = i; next < p->count && by_cell(c, &p->cells[next]) == 0; next++)
            m->states[p->cells[next].still] = 1;
        put_open_rect(p, &c->box, SMALLEST_CELL, -1);
        put_states(m, "display", seen);
        puts("</rect>");
    }
    puts(level >= 0 ? "</g>\n</g>" : "</g>");
}

/* A box through all stills. While it is not in the world it has no size, and is where it was last,
   or will be first. */
static void film_box(film *m, spt_i32 id)
{
    static const char *const colours[2] = {COLOUR_APART, COLOUR_OVERLAPPING};
    rectangle r = {0, 0, 0, 0};
    size_t k;

    for (k = m->count; k-- > 0;) {
        const still *s = &m->stills[k];
        m->states[k] = 0;
        if (id >= s->count) continue;
        m->states[k] = m->overlaps[s->first + (size_t)id];
        r = rectangle_of(&m->p, &m->all.boxes[s->first + (size_t)id], SMALLEST_BOX);
    }
    fputs("<path", stdout);
    put_states(m, "fill", colours);
    put_animation(m, "d", "");
    for (k = 0; k < m->count; k++) {
        const still *s = &m->stills[k];
        r.width = r.height = 0;
        if (id < s->count)
            r = rectangle_of(&m->p, &m->all.boxes[s->first + (size_t)id], SMALLEST_BOX);
        fputs(k > 0 ? ";M" : "M", stdout), put_number(r.x, 1);
        putchar(' '), put_number(r.y, 1);
        putchar('h'), put_number(r.width, 1);
        putchar('v'), put_number(r.height, 1);
        putchar('h'), put_number(-r.width, 1);
        putchar('z');
    }
    puts("\"/></path>");
}

static void run_film(const options *o, engine *e, input *in, frame *f)
{
    film m;
    unsigned long k;
    spt_i32 id;

    memset(&m, 0, sizeof m);
    e->tuning.leaf_capacity = PICTURE_LEAF;
    for (k = 0; read_frame(in, f); k++) {
        engine_follow(e, in, f);
        if (k % o->every == 0) film_take(&m, e, in, f);
    }
    if (m.boxes > INT32_MAX) die("%s: more than %ld boxes to show", in->name, (long)INT32_MAX);
    m.all.count = (spt_i32)m.boxes;
    m.seconds = fmax(1, (double)((m.count > 0 ? m.count - 1 : 0) * o->every)) / FILM_RATE;
    m.states = grow(NULL, &m.state_room, m.count + 1, 1);
    memset(m.states, 0, m.state_room);
    picture_fit(&m.p, &m.all, &o->question);
    begin_picture(&m.p);
    printf("<title>%lu frames of %ld boxes, and the cells of %s</title>\n", k, (long)m.most,
           o->structure->name);
    put_paper(&m.p, o->up);
    film_cells(&m, o->structure->look);
    put_lines(&m.p, m.most);
    puts("<g " LOOK_OF_FILMED ">");
    for (id = 0; id < m.most; id++) film_box(&m, id);
    puts("</g>\n</g>\n</g>\n</svg>");
    free(m.p.cells);
    free(m.stills);
    free(m.all.boxes);
    free(m.overlaps);
    free(m.states);
}

static void run_time(const options *o, engine *e, input *in, frame *f)
{
    (void)e;
    timing_run(&o->timing, in, f);
}

/* ============================================================================================== */
/* The command line. */

enum {
    TAKES_COUNT = 1,
    TAKES_FRAME = 2,
    TAKES_LIMIT = 4,
    TAKES_SIZE = 8,
    TAKES_QUESTION = 16,
    TAKES_IMAGE = 32,
    TAKES_OUT = 64, /* a second file, and --c-array */
    TAKES_UP = 128,
    TAKES_EVERY = 256,
    TAKES_TIMING = 512 /* other options than all others */
};

typedef struct command {
    const char *name; /* that of an asking: it asks that */
    int takes;        /* options besides --structure */
    void (*run)(const options *o, engine *e, input *in, frame *f);
} command;

static const command commands[] = {
    {"pairs", TAKES_COUNT, run_pairs},
    {"query", TAKES_IMAGE, run_ask},
    {"within", TAKES_IMAGE, run_ask},
    {"nearest", TAKES_IMAGE | TAKES_LIMIT, run_ask},
    {"cast", TAKES_IMAGE | TAKES_SIZE, run_ask},
    {"pack", TAKES_FRAME | TAKES_OUT, run_pack},
    {"draw", TAKES_FRAME | TAKES_QUESTION | TAKES_LIMIT | TAKES_SIZE | TAKES_UP, run_draw},
    {"film", TAKES_UP | TAKES_EVERY, run_film},
    {"time", TAKES_TIMING, run_time},
};

static const char *const help_usage =
    "usage: spatial pairs [--structure NAME] [--count] [FILE]\n"
    "       spatial query MIN_X MIN_Y MAX_X MAX_Y [--structure NAME] [FILE]\n"
    "       spatial within X Y RADIUS [--structure NAME] [FILE]\n"
    "       spatial nearest X Y K [--limit D] [--structure NAME] [FILE]\n"
    "       spatial cast X0 Y0 X1 Y1 [--size W H] [--structure NAME] [FILE]\n"
    "       spatial draw [QUESTION] [--structure NAME] [--frame K] [--up] [FILE]\n"
    "       spatial film [--structure NAME] [--every K] [--up] [FILE]\n"
    "       spatial pack [--frame K] [--c-array NAME] FILE OUT\n"
    "       spatial time [OPTIONS] [FILE]\n"
    "       spatial help | --version\n"
    "\n"
    "  pairs    prints a line 'a b' for each two boxes that overlap, a < b, and a blank line\n"
    "           after each frame; with --count one number a frame: how many such lines\n"
    "  query    prints a line with the id of each box that overlaps the window, and a blank\n"
    "           line after each frame, as those do that follow\n"
    "  within   the same for the boxes that a circle touches\n"
    "  nearest  the same for the K boxes that are nearest to a point, and with --limit no\n"
    "           further away than D; nearest first, of those equally far the lower id\n"
    "  cast     prints a line 'id t' for each box that a ray from X0 Y0 to X1 Y1 meets, first\n"
    "           met first: at the part t of its way, from 0 to 1; with --size it is a box of\n"
    "           width W and height H that moves, with its centre on that way\n"
    "  draw     prints an SVG picture of frame K (default: 0, the first): the boxes, orange\n"
    "           where they overlap another, over the cells of the structure; y points down,\n"
    "           with --up upwards; it reads no further than that frame. QUESTION is one of\n"
    "           --query, --within, --nearest and --cast with what stands behind that command:\n"
    "           it is shown, and what it finds, in violet\n"
    "  film     prints such a picture of all frames that moves, 30 frames a second; with\n"
    "           --every K only each Kth frame is drawn, and between them boxes glide\n"
    "  pack     writes the boxes of frame K (default: 0), packed, to the file OUT, which query,\n"
    "           within, nearest and cast take as --image OUT in place of FILE, without reading\n"
    "           more of it than they need, on machines with the same order of bytes; with\n"
    "           --c-array as an array in C of this name, for spt_packed_view\n"
    "  time     tells which structure is the fastest: see spatial time --help\n"
    "\n"
    "Ids and pairs come in ascending order where nothing else is said, and in the same order\n"
    "whatever the structure. Boxes are closed: those that touch overlap.\n"
    "\n";

static const char *const help_input =
    "\n"
    "Input is FILE, or standard input if there is none or it is '-': a box a line,\n"
    "\n"
    "  MIN_X MIN_Y MAX_X MAX_Y    what follows on the line is ignored\n"
    "\n"
    "in decimal notation, 'inf' and '-inf' included, whatever the locale. They are rounded to\n"
    "float; numbers too large for that are refused, 'nan' is too, and min > max. The boxes of\n"
    "a frame have the ids 0, 1, 2 ... A blank line ends a frame, so two in a row make an empty\n"
    "one; after the last frame it may be missing. Lines that begin with '#' are ignored. An\n"
    "empty input is no frame. Lines may end in CR LF.\n"
    "\n"
    "Options may stand anywhere behind the command; '--' ends them. Frames are printed as soon\n"
    "as they have been read. The exit status is 0, or 2 after an error, which is told in one\n"
    "line on standard error; nothing is printed then for the frame it is in.\n";

static void print_help(void)
{
    size_t i;

    fputs(help_usage, stdout);
    puts("NAME is the structure that does it, by default broadphase, or linear where something\n"
         "is asked. Linear, quadtree and loosegrid get the later frames as moves, inserts and\n"
         "removes; packed is built anew.\n");
    for (i = 0; i < STRUCTURE_COUNT; i++)
        printf("  %-10s  %s\n", structures[i].name, structures[i].help);
    fputs(help_input, stdout);
}

static const command *command_find(const char *name)
{
    size_t i;

    for (i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    die("unknown command '%s' (see: spatial help)", name);
    return NULL;
}

/* Reads a whole number, from `least` on. */
static unsigned long read_count(const char *option, const char *text, unsigned long least)
{
    unsigned long k;

    if (!read_whole(text, ULONG_MAX, &k) || k < least)
        die("%s '%s' is not a number from %lu on", option, text, least);
    return k;
}

/* Reads a question that is an option. Returns 0 if it is none. */
static int read_question_option(options *o, char **argv, int *at)
{
    char name[16];
    size_t i;

    for (i = 0; i < ASKING_COUNT; i++) {
        const asking *a = &askings[i];
        snprintf(name, sizeof name, "--%s", a->name);
        if (option_numbers(argv, at, name, o->numbers.of, a->count) == 0) continue;
        o->numbers.found = a->count;
        o->question.asking = a;
        return 1;
    }
    return 0;
}

static void read_option(options *o, char **argv, int *at)
{
    int takes = o->command->takes;
    const char *value;

    if ((takes & TAKES_TIMING) != 0) {
        if (timing_option(&o->timing, argv, at)) return;
        die("unknown option '%s' for time (see: spatial time --help)", argv[*at]);
    }
    if ((value = option_value(argv, at, "--structure")) != NULL)
        o->structure = structure_find(value);
    else if ((takes & TAKES_FRAME) != 0 && (value = option_value(argv, at, "--frame")) != NULL)
        o->frame = read_count("--frame", value, 0);
    else if ((takes & TAKES_EVERY) != 0 && (value = option_value(argv, at, "--every")) != NULL)
        o->every = read_count("--every", value, 1);
    else if ((takes & TAKES_UP) != 0 && strcmp(argv[*at], "--up") == 0)
        o->up = 1;
    else if ((takes & TAKES_IMAGE) != 0 && (value = option_value(argv, at, "--image")) != NULL)
        o->image = value;
    else if ((takes & TAKES_OUT) != 0 && (value = option_value(argv, at, "--c-array")) != NULL)
        o->array = value;
    else if ((takes & TAKES_COUNT) != 0 && strcmp(argv[*at], "--count") == 0)
        o->count = 1;
    else if (((takes & TAKES_LIMIT) == 0 ||
              option_numbers(argv, at, "--limit", &o->numbers.limit, 1) == 0) &&
             ((takes & TAKES_SIZE) == 0 ||
              option_numbers(argv, at, "--size", o->numbers.size, 2) == 0) &&
             ((takes & TAKES_QUESTION) == 0 || !read_question_option(o, argv, at)))
        die("unknown option '%s' for %s (see: spatial help)", argv[*at], o->command->name);
}

/* Makes the question of its numbers. */
static void read_question(options *o)
{
    question *q = &o->question;
    const numbers *n = &o->numbers;
    spt_coord values[4] = {0, 0, 0, 0};
    char why[WHY_SIZE];
    int order = q->asking == NULL ? BY_ID : q->asking->order;

    if (n->limit.text != NULL && order != BY_DISTANCE) die("--limit is for nearest");
    if (n->size[0].text != NULL && order != BY_TIME) die("--size is for cast");
    if (q->asking == NULL) return;
    if (!read_numbers(n->of, n->found, q->asking->wanted, q->asking->count, q->asking->finite,
                      values, why) ||
        !q->asking->make(q, n, values, why))
        die("%s: %s", q->asking->name, why);
}

/* Settles which structure it is, and whether there are the files that are wanted. */
static void read_files(options *o)
{
    int packs = (o->command->takes & TAKES_OUT) != 0 || o->image != NULL;

    if ((o->command->takes & TAKES_OUT) != 0 && o->out == NULL) die("pack needs FILE and OUT");
    if (o->image != NULL && o->file != NULL) die("--image is in place of '%s'", o->file);
    if (packs && o->structure != NULL && !o->structure->still)
        die("an image is packed, not %s", o->structure->name);
    if (o->structure == NULL)
        o->structure = structure_find(packs                         ? "packed"
                                      : o->question.asking != NULL ? "linear"
                                                                   : "broadphase");
}

/* Reads what follows the command. Returns 0 if that asks for help. */
static int read_arguments(options *o, char **argv)
{
    int wanted = o->question.asking != NULL ? o->question.asking->count : 0;
    int only_files = 0, i;
    numbers *n = &o->numbers;

    for (i = 0; argv[i] != NULL; i++) {
        token t;
        t.text = argv[i];
        t.length = strlen(argv[i]);
        if (!only_files && t.text[0] == '-' && t.length > 1 &&
            !(n->found < wanted && is_number(&t))) {
            if (strcmp(t.text, "--help") == 0 || strcmp(t.text, "-h") == 0) return 0;
            if (strcmp(t.text, "--") == 0)
                only_files = 1;
            else
                read_option(o, argv, &i);
        } else if (n->found < wanted) {
            n->of[n->found++] = t;
        } else if (o->file == NULL) {
            o->file = t.text;
        } else if ((o->command->takes & TAKES_OUT) != 0 && o->out == NULL) {
            o->out = t.text;
        } else {
            die("extra argument '%s'", t.text);
        }
    }
    if ((o->command->takes & TAKES_TIMING) != 0) timing_settle(&o->timing, o->file);
    read_question(o);
    read_files(o);
    if (o->question.asking != NULL && o->structure->make == NULL)
        die("%s answers no queries (see: spatial help)", o->structure->name);
    return 1;
}

static void run(const options *o)
{
    engine e;
    input in;
    frame f = {NULL, 0, 0, NULL, 0, 0};

    input_open(&in, o->image != NULL ? NULL : o->file);
    engine_init(&e, o->structure);
    if (o->image != NULL) engine_view(&e, o->image);
    o->command->run(o, &e, &in, &f);
    engine_free(&e);
    frame_free(&f);
    input_close(&in);
}

int main(int argc, char **argv)
{
    options o;
    const char *name = argc > 1 ? argv[1] : "";
    int help, version;

    if (argc < 2) die("no command (see: spatial help)");
    help = strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
    version = strcmp(name, "--version") == 0;
    if (help || version) {
        if (argc > 2) die("extra argument '%s'", argv[2]);
    } else {
        memset(&o, 0, sizeof o);
        o.command = command_find(name);
        o.question.asking = asking_find(name);
        o.question.distance = SPT_NO_LIMIT;
        o.every = 1;
        timing_init(&o.timing);
        help = !read_arguments(&o, argv + 2);
    }
    if (help && !version && strcmp(name, "time") == 0)
        print_timing_help();
    else if (help)
        print_help();
    else if (version)
        puts("spatial " SPT_VERSION);
    else
        run(&o);
    flush_output();
    return 0;
}
