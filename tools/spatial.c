/* spatial - what is near what among boxes in text files, and pictures of it, by spatial.h

   Built by: cc -O2 -o spatial tools/spatial.c -lm

   `spatial help` tells how it is used. engine.h reads boxes and asks structures about them;
   timing.h is the command time. Public domain, like spatial.h. */
#include "timing.h"

/* ============================================================================================== */
/* Commands. */

typedef struct options {
    const struct command *command;
    const structure *structure; /* NULL: the default */
    int count;                  /* --count */
    unsigned long frame;        /* --frame */
    unsigned long every;        /* --every */
    unsigned long rate;         /* --rate */
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
/* pack, and the reader of its images. */

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

/* Says that the input has no frame `wanted`, because it has only `count` frames. */
static void die_without_frame(const input *in, unsigned long wanted, unsigned long count)
{
    if (count == 0) die("%s: there are no frames", in->name);
    die("%s: there is no frame %lu: the last is %lu", in->name, wanted, count - 1);
}

static void run_pack(const options *o, engine *e, input *in, frame *f)
{
    const void *data;
    size_t bytes = 0;
    unsigned long k;
    FILE *file;

    for (k = 0; k <= o->frame; k++)
        if (!read_frame(in, f)) die_without_frame(in, o->frame, k);
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
    cell *cells;          /* of the structure, in the order of the walk */
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

/* One side of a rectangle, from low on and at least `smallest` long. A part beyond the picture
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

/* Begins a rectangle; opacity < 0: its group has one. */
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
static void put_level(int level)
{
    printf("<g class=\"level-%d\" stroke-opacity=\"%.2f\" stroke-width=\"%.2f\">\n", level,
           fmax(0.2, 0.55 - 0.06 * level), fmax(0.35, 1.2 - 0.15 * level));
}

/* The cells, level by level: the deeper, the finer the line. The shades of a cell and of all cells
   around it add up; a quadtree's cells are shaded by how many boxes they hold themselves. */
static void put_cells(const picture *p, int shaded)
{
    size_t i;
    int level;

    puts("<g class=\"cells\" " LOOK_OF_CELLS ">");
    for (level = 0; level < p->levels; level++) {
        put_level(level);
        for (i = 0; i < p->count; i++) {
            const cell *c = &p->cells[i];
            double opacity = shaded ? FULLEST_CELL * c->count / fmax(p->most, 1) : -1;
            if (c->level == level) put_rect(p, &c->box, SMALLEST_CELL, opacity);
        }
        puts("</g>");
    }
    puts("</g>");
}

/* The boxes that overlap others, or the boxes that do not. */
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

/* The question, and the boxes that it finds: of the nearest, how far they are; of a cast, where it
   meets them. */
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
    puts("<style>@media(prefers-color-scheme:dark){.paper{fill:#0f172a}.asked{stroke:#e0e7ff}}"
         "</style>");
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
    put_cells(&p, o->structure->shaded);
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
    die_without_frame(in, o->frame, k);
}

/* ---------------------------------------------------------------------------------------------- */
/* film: pictures of frames, one behind the other. A box that moves is one element of the film, and
   a cell is one that is seen from time to time. */

typedef struct still { /* a frame that is shown */
    size_t first;      /* of its boxes among the boxes of all */
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
static void film_cells(film *m)
{
    static const char *const seen[2] = {"none", "inline"};
    const picture *p = &m->p;
    size_t i, next;
    int level = -1;

    if (p->count > 0) qsort(p->cells, p->count, sizeof *p->cells, by_cell);
    puts("<g class=\"cells\" " LOOK_OF_CELLS ">");
    for (i = 0; i < p->count; i = next) {
        const cell *c = &p->cells[i];
        for (; level < c->level; put_level(level))
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
    m.seconds = fmax(1, (double)((m.count > 0 ? m.count - 1 : 0) * o->every)) / (double)o->rate;
    m.states = grow(NULL, &m.state_room, m.count + 1, 1);
    memset(m.states, 0, m.state_room);
    picture_fit(&m.p, &m.all, &o->question);
    begin_picture(&m.p);
    printf("<title>%lu frames of %ld boxes, and the cells of %s</title>\n", k, (long)m.most,
           o->structure->name);
    put_paper(&m.p, o->up);
    film_cells(&m);
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
    TAKES_EVERY = 256, /* and --rate */
    TAKES_TIMING = 512 /* other options than all others */
};

typedef struct command {
    const char *name; /* the name of an asking: it asks that */
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
    "       spatial film [--structure NAME] [--every K] [--rate R] [--up] [FILE]\n"
    "       spatial pack [--frame K] [--c-array NAME] FILE OUT\n"
    "       spatial time [OPTIONS] [FILE]\n"
    "       spatial help | --version\n"
    "\n"
    "  pairs    prints a line 'a b' for each two boxes that overlap, a < b, and a blank line\n"
    "           after each frame; with --count one number a frame: how many such lines\n"
    "  query    prints a line with the id of each box that overlaps the window, and a blank\n"
    "           line after each frame, as all that follow do\n"
    "  within   the same for the boxes that a circle touches\n"
    "  nearest  the same for the K boxes that are nearest to a point, and with --limit no\n"
    "           further away than D; nearest first, equally far ones by id\n"
    "  cast     prints a line 'id t' for each box that a ray from X0 Y0 to X1 Y1 meets, first\n"
    "           met first: at the part t of its way, from 0 to 1; with --size it is a box of\n"
    "           width W and height H that moves, with its centre on that way\n"
    "  draw     prints an SVG picture of frame K (default: 0, the first): the boxes, orange\n"
    "           where they overlap another, over the cells of the structure; y points down,\n"
    "           with --up upwards; it reads no further than that frame. QUESTION is one of\n"
    "           --query, --within, --nearest and --cast with the options of that command:\n"
    "           the question and its answers are shown in violet\n"
    "  film     prints such a picture of all frames that moves, 30 frames a second, or R; with\n"
    "           --every K only each Kth frame is drawn, and between them boxes glide\n"
    "  pack     writes the boxes of frame K (default: 0), packed, to the file OUT, which query,\n"
    "           within, nearest and cast take as --image OUT in place of FILE, without reading\n"
    "           more of it than they need, on machines with the same order of bytes; with\n"
    "           --c-array as an array in C of this name, for spt_packed_view\n"
    "  time     tells which structure is the fastest: see spatial time --help\n"
    "\n"
    "Ids and pairs come in ascending order where nothing else is said, and in the same order\n"
    "whatever the structure. Boxes are closed: boxes that touch overlap.\n"
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
    else if ((takes & TAKES_EVERY) != 0 && (value = option_value(argv, at, "--rate")) != NULL)
        o->rate = read_count("--rate", value, 1);
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
        o.rate = 30;
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
