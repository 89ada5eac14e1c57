/* counties - asks questions about the boxes of the 3,142 counties of the United States

   usage: counties [--county FIPS] [--margin UNITS] [--point X Y] [FILE]

   FILE has a line 'min_x min_y max_x max_y FIPS' a county; lines that begin with # are ignored. It
   is bench/data/us-counties.txt unless you name another: a plane of 975 x 610 units (of some 5 km;
   y points down, which makes no difference). FIPS is a county's number: 06037 is Los Angeles.

   Counties stand still, so they are packed, which makes windows fastest; all pairs are found once,
   from the packed index, too.

   Boxes of neighbours overlap or touch, but so do some boxes of counties that are no neighbours:
   what comes out are candidates, to be tested further if the outlines are known.

   Look at ask_near, ask_pairs and ask_point: a question each. They print the counties near one of
   them, the number of all pairs, the pairs of the one, and the counties whose box holds a point.

   Build: cc -O2 -I. -o counties examples/counties.c
   Exit status: 0; 1 if something failed; 2 for a wrong option or file. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

#define MAX_COUNTIES 10000
#define PER_LINE 12

/* The counties. Everywhere below, a county is known by its index in these two arrays: its id. */
static spt_box boxes[MAX_COUNTIES];
static int fips[MAX_COUNTIES];
static spt_i32 count;

/* ---- input ----------------------------------------------------------------------------------- */

/* The default file, from the top of the repository or from one of its folders. */
static FILE *open_counties(const char **path)
{
    static const char *const places[] = {"bench/data/us-counties.txt",
                                         "../bench/data/us-counties.txt"};
    FILE *file = NULL;
    size_t i;

    if (*path != NULL) return fopen(*path, "r");
    for (i = 0; i < sizeof places / sizeof places[0] && file == NULL; i++) {
        *path = places[i];
        file = fopen(*path, "r");
    }
    return file;
}

/* Reads all counties. 0 if that fails; then it has said why. */
static int read_counties(const char *path)
{
    FILE *file = open_counties(&path);
    char text[256];
    const char *problem = NULL;
    int line = 0;

    if (file == NULL) {
        fprintf(stderr, "counties: cannot open %s\n", path);
        return 0;
    }
    while (problem == NULL && fgets(text, sizeof text, file) != NULL) {
        spt_box *box = &boxes[count];

        line++;
        if (text[0] == '#') continue;
        if (count == MAX_COUNTIES)
            problem = "too many counties";
        else if (sscanf(text, "%f %f %f %f %d", &box->min_x, &box->min_y, &box->max_x, &box->max_y,
                        &fips[count]) != 5)
            problem = "not of the form 'min_x min_y max_x max_y FIPS'";
        else if (!spt_box_valid(box))
            problem = "not a box: min > max";
        else
            count++;
    }
    fclose(file);
    if (problem != NULL) fprintf(stderr, "counties: %s:%d: %s\n", path, line, problem);
    return problem == NULL;
}

static spt_i32 find_county(const char *text)
{
    char *end;
    long number = strtol(text, &end, 10);
    spt_i32 id;

    for (id = 0; id < count && *end == '\0'; id++)
        if (fips[id] == number) return id;
    return SPT_NONE;
}

/* ---- output ---------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

/* Prints the FIPS numbers of the counties whose ids are in the list, but for one; in order, because
   the order in which a query finds them is not specified. */
static void print_counties(const spt_intlist *list, spt_i32 except)
{
    static int numbers[MAX_COUNTIES];
    spt_i32 i, id;
    size_t k, n = 0;

    for (i = 0; i < spt_intlist_count(list); i++) {
        id = spt_intlist_get(list, i, 0);
        if (id != except) numbers[n++] = fips[id];
    }
    qsort(numbers, n, sizeof numbers[0], compare_numbers);
    printf(" %d\n", (int)n);
    for (k = 0; k < n; k++)
        printf("%s%05d%s", k % PER_LINE == 0 ? "   " : " ", numbers[k],
               k + 1 == n || (k + 1) % PER_LINE == 0 ? "\n" : "");
}

/* ---- questions ------------------------------------------------------------------------------- */

/* Which counties lie near this one? Its box, grown on all sides, is the window to look through. */
static spt_i32 ask_near(const spt_index *map, spt_i32 county, float margin, spt_intlist *ids)
{
    spt_box window = boxes[county];
    spt_i32 found;

    window.min_x -= margin, window.min_y -= margin;
    window.max_x += margin, window.max_y += margin;
    found = spt_query(map, &window, NULL, ids);
    if (found < 0) return found;
    printf("no more than %g units from %05d:", (double)margin, fips[county]);
    print_counties(ids, county);
    return found;
}

/* Which pairs touch? Each pair of ids comes once, the smaller id first. */
static spt_i32 ask_pairs(spt_index *map, spt_i32 county, spt_intlist *ids)
{
    spt_intlist pairs;
    const spt_i32 *pair;
    spt_i32 i, found;

    spt_intlist_init(&pairs, 2);
    spt_intlist_clear(ids);
    found = spt_pairs(map, NULL, &pairs);
    pair = spt_intlist_data(&pairs);
    for (i = 0; i < found; i++, pair += 2) {
        spt_i32 other = pair[0] == county ? pair[1] : pair[0];

        if ((pair[0] == county || pair[1] == county) && spt_intlist_push(ids, &other) < 0)
            found = SPT_ERR_MEMORY;
    }
    spt_intlist_free(&pairs);
    if (found < 0) return found;
    printf("pairs of boxes that touch or overlap: %d\n", (int)found);
    printf("of these with %05d:", fips[county]);
    print_counties(ids, SPT_NONE);
    return found;
}

/* Which county is under a point? A point is a box of no size. */
static spt_i32 ask_point(const spt_index *map, float x, float y, spt_intlist *ids)
{
    spt_box point;
    spt_i32 found;

    point.min_x = point.max_x = x;
    point.min_y = point.max_y = y;
    found = spt_query(map, &point, NULL, ids);
    if (found < 0) return found;
    printf("boxes that hold the point %g, %g:", (double)x, (double)y);
    print_counties(ids, SPT_NONE);
    return found;
}

/* ---- the program ----------------------------------------------------------------------------- */

typedef struct options {
    const char *county; /* FIPS */
    float margin, x, y;
    const char *path;
} options;

static int read_number(const char *text, float *number)
{
    char *end;

    *number = (float)strtod(text, &end);
    return end != text && *end == '\0' && *number == *number; /* not a NaN */
}

/* 1 to go on; 0 if the command line makes no sense. */
static int read_options(options *o, int argc, char **argv)
{
    int i;

    for (i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--county") == 0 && i + 1 < argc) {
            o->county = argv[++i];
        } else if (strcmp(argv[i], "--margin") == 0 && i + 1 < argc) {
            if (!read_number(argv[++i], &o->margin) || o->margin < 0) return 0;
        } else if (strcmp(argv[i], "--point") == 0 && i + 2 < argc) {
            if (!read_number(argv[++i], &o->x) || !read_number(argv[++i], &o->y)) return 0;
        } else if (argv[i][0] != '-' && o->path == NULL) {
            o->path = argv[i];
        } else {
            return 0;
        }
    }
    return 1;
}

int main(int argc, char **argv)
{
    options o = {"06037", 10, 95, 375, NULL};
    spt_index map;
    spt_intlist ids;
    spt_i32 county, result;

    if (!read_options(&o, argc, argv)) {
        fprintf(stderr, "usage: counties [--county FIPS] [--margin UNITS] [--point X Y] [FILE]\n");
        return 2;
    }
    if (!read_counties(o.path)) return 2;
    county = find_county(o.county);
    if (county == SPT_NONE) {
        fprintf(stderr, "counties: there is no county %s\n", o.county);
        return 2;
    }

    spt_intlist_init(&ids, 1);
    spt_packed_init(&map, NULL);
    result = spt_build(&map, boxes, count);
    printf("counties: %d\n", (int)count);
    if (result >= 0) result = ask_near(&map, county, o.margin, &ids);
    if (result >= 0) result = ask_pairs(&map, county, &ids);
    if (result >= 0) result = ask_point(&map, o.x, o.y, &ids);
    if (result < 0) fprintf(stderr, "counties: %s\n", spt_error_string(result));
    spt_intlist_free(&ids);
    spt_free(&map);
    return result < 0 ? 1 : 0;
}

/* Prints:
counties: 3142
no more than 10 units from 06037: 9
   06027 06029 06059 06065 06071 06073 06079 06083 06111
pairs of boxes that touch or overlap: 9979
of these with 06037: 6
   06029 06059 06065 06071 06073 06111
boxes that hold the point 95, 375: 3
   06037 06059 06071
*/
