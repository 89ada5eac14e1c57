/* test_intlist.c - boxes and error names, and the int list beside plain arrays. */
#define SPATIAL_NO_BROADPHASE /* what is not tested here is not compiled */
#define SPATIAL_NO_LINEAR
#define SPATIAL_NO_QUADTREE
#define SPATIAL_NO_LOOSEGRID
#define SPATIAL_NO_PACKED
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "test.h"

#include <math.h>

/* ---- What every section stands on ------------------------------------------------------------ */

static void every_error_has_a_name_of_its_own(void)
{
    static const int errors[] = {SPT_OK,         SPT_ERR_ARGUMENT, SPT_ERR_MEMORY, SPT_ERR_FULL,
                                 SPT_ERR_ID,     SPT_ERR_IMAGE,    SPT_ERR_EXISTS, SPT_ERR_PAIR,
                                 SPT_ERR_BOX,    SPT_ERR_LIST,     SPT_ERR_FILTER, SPT_ERR_INIT,
                                 SPT_ERR_KIND,   SPT_ERR_COUNT,    SPT_ERR_LEFT_OUT};
    char version[16];
    int i, j;
    for (i = 0; i < TEST_COUNT(errors); i++) {
        const char *name = spt_error_string(errors[i]);
        CHECK(name != NULL && *name != '\0');
        CHECK(strcmp(name, spt_error_string(-1000)) != 0);
        for (j = 0; j < i; j++) CHECK(strcmp(name, spt_error_string(errors[j])) != 0);
    }
    CHECK(spt_error_string(-1000) != NULL);
    CHECK(spt_error_string(INT32_MAX) != NULL && spt_error_string(INT32_MIN) != NULL);
    CHECK(strcmp(spt_error_string(SPT_ERR_EXISTS), "id already there") == 0);
    CHECK(strcmp(spt_version(), SPT_VERSION) == 0);
    sprintf(version, "%d.%d.%d", SPT_VERSION_NUMBER / 10000, SPT_VERSION_NUMBER / 100 % 100,
            SPT_VERSION_NUMBER % 100);
    CHECK(strcmp(version, SPT_VERSION) == 0);
}

static void boxes_with_min_above_max_are_not_valid(void)
{
    static const spt_box good[] = {{0, 0, 0, 0}, {-1, -2, 3, 4}, {-5, -5, -5, 9}};
    static const spt_box bad[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0}, {-1, 0, -2, 0}};
    int i;
    for (i = 0; i < TEST_COUNT(good); i++) CHECK(spt_box_valid(&good[i]) == 1);
    for (i = 0; i < TEST_COUNT(bad); i++) CHECK(spt_box_valid(&bad[i]) == 0);
}

#ifndef SPATIAL_INT
static void boxes_with_a_nan_are_not_valid_and_infinite_ones_are(void)
{
    const spt_box plane = {-(spt_coord)INFINITY, -(spt_coord)INFINITY, (spt_coord)INFINITY,
                           (spt_coord)INFINITY};
    int i;
    CHECK(spt_box_valid(&plane) == 1);
    for (i = 1; i < 16; i++) {
        spt_box box = {0, 0, 1, 1};
        if (i & 1) box.min_x = (spt_coord)NAN;
        if (i & 2) box.min_y = (spt_coord)NAN;
        if (i & 4) box.max_x = (spt_coord)NAN;
        if (i & 8) box.max_y = (spt_coord)NAN;
        CHECK(spt_box_valid(&box) == 0);
    }
}
#endif

/* Every pair of intervals of a small set, on one axis and on the other. */
static void boxes_overlap_when_they_share_a_point(void)
{
    int a, b, c, d;
    for (a = -2; a <= 2; a++)
        for (b = a; b <= 2; b++)
            for (c = -2; c <= 2; c++)
                for (d = c; d <= 2; d++) {
                    int shared = (a > c ? a : c) <= (b < d ? b : d);
                    spt_box one = {(spt_coord)a, 0, (spt_coord)b, 1};
                    spt_box two = {(spt_coord)c, 1, (spt_coord)d, 2};
                    spt_box three = {0, (spt_coord)a, 1, (spt_coord)b};
                    spt_box four = {-1, (spt_coord)c, 0, (spt_coord)d};
                    CHECK(spt_box_overlap(&one, &two) == shared);
                    CHECK(spt_box_overlap(&two, &one) == shared);
                    CHECK(spt_box_overlap(&three, &four) == shared);
                    CHECK(spt_box_overlap(&four, &three) == shared);
                }
}

/* ---- The list -------------------------------------------------------------------------------- */

#define MOST_FIELDS 9

/* A record that tells its number, in `fields` different integers. */
static void fill_record(spt_i32 *record, spt_i32 fields, spt_i32 number)
{
    spt_i32 i;
    for (i = 0; i < fields; i++) record[i] = number * 31 + i * 1000003;
}

static int holds_record(const spt_intlist *list, spt_i32 index, spt_i32 number)
{
    spt_i32 expected[MOST_FIELDS], i;
    const spt_i32 *record = spt_intlist_data(list) + (size_t)index * (size_t)list->fields;
    fill_record(expected, list->fields, number);
    for (i = 0; i < list->fields; i++)
        if (record[i] != expected[i] || spt_intlist_get(list, index, i) != expected[i]) return 0;
    return 1;
}

static void new_lists_are_empty_and_need_no_memory(void)
{
    spt_intlist list;
    CHECK(spt_intlist_init(&list, 3) == SPT_OK);
    CHECK(spt_intlist_count(&list) == 0);
    CHECK(spt_intlist_bytes(&list) == 0);
    CHECK(spt_intlist_data(&list) != NULL);
    CHECK(spt_intlist_get(&list, 0, 0) == SPT_NONE);
    CHECK(spt_intlist_pop(&list, NULL) == SPT_ERR_ID);
    CHECK(spt_intlist_erase(&list, 0) == SPT_ERR_ID);
    CHECK(spt_intlist_set(&list, 0, 0, 1) == SPT_ERR_ID);
    CHECK(spt_intlist_check(&list));
    spt_intlist_free(&list);
    spt_intlist_free(&list);
}

static void records_have_1_to_65535_fields(void)
{
    static const spt_i32 bad[] = {0, -1, 65536, INT32_MAX, INT32_MIN};
    spt_intlist list;
    int i;
    for (i = 0; i < TEST_COUNT(bad); i++) {
        CHECK(spt_intlist_init(&list, bad[i]) == SPT_ERR_ARGUMENT);
        CHECK(spt_intlist_init_with(&list, bad[i], NULL) == SPT_ERR_ARGUMENT);
    }
    CHECK(spt_intlist_init(&list, 65535) == SPT_OK);
    CHECK(spt_intlist_push(&list, NULL) == 0);
    CHECK(spt_intlist_push(&list, NULL) == 1);
    CHECK(spt_intlist_get(&list, 1, 65534) == 0);
    CHECK(spt_intlist_get(&list, 1, 65535) == SPT_NONE);
    spt_intlist_free(&list);
}

/* The model of a stack of numbered records is the list of their numbers. */
static void run_stack(spt_i32 fields, int steps, int most)
{
    static spt_i32 numbers[1000];
    spt_i32 record[MOST_FIELDS], count = 0, i;
    spt_intlist list;
    int step;
    CHECK(spt_intlist_init(&list, fields) == SPT_OK);
    for (step = 0; step < steps; step++) {
        test_context("fields", fields);
        if (test_below(300) == 0) {
            count = (spt_i32)test_below((int)count + 1);
            CHECK(spt_intlist_truncate(&list, count) == SPT_OK);
        } else if (count < most && test_below(100) < 55) {
            fill_record(record, fields, step);
            CHECK(spt_intlist_push(&list, record) == count);
            numbers[count++] = step;
        } else if (count > 0) {
            spt_i32 expected[MOST_FIELDS];
            fill_record(expected, fields, numbers[--count]);
            CHECK(spt_intlist_pop(&list, record) == SPT_OK);
            CHECK(memcmp(record, expected, (size_t)fields * sizeof *record) == 0);
        }
        CHECK(spt_intlist_count(&list) == count);
    }
    for (i = 0; i < count; i++) CHECK(holds_record(&list, i, numbers[i]));
    CHECK(spt_intlist_check(&list));
    spt_intlist_free(&list);
}

static void stacks_give_back_what_was_pushed_last(void)
{
    spt_i32 fields;
    for (fields = 1; fields <= MOST_FIELDS; fields++) {
        run_stack(fields, test_scale(20000), 1000);
        run_stack(fields, test_scale(5000), 5);
    }
}

/* The model of a free list: which places are taken, by which number, and the erased in order. */
static void run_free_list(spt_i32 fields, int steps, int most)
{
    static spt_i32 number[1000], erased[1000];
    static unsigned char taken[1000];
    spt_i32 record[MOST_FIELDS], count = 0, holes = 0, i;
    spt_intlist list;
    int step;
    memset(taken, 0, sizeof taken);
    CHECK(spt_intlist_init(&list, fields) == SPT_OK);
    for (step = 0; step < steps; step++) {
        test_context("fields", fields);
        i = count > 0 ? (spt_i32)test_below((int)count) : 0;
        if (count > 0 && taken[i] && test_below(2)) {
            CHECK(spt_intlist_erase(&list, i) == SPT_OK);
            taken[i] = 0;
            erased[holes++] = i;
        } else if (holes > 0 || count < most) {
            i = holes > 0 ? erased[--holes] : count++;
            fill_record(record, fields, step);
            CHECK(spt_intlist_insert(&list, record) == i);
            number[i] = step;
            taken[i] = 1;
        }
        CHECK(spt_intlist_count(&list) == count);
        if (step % 64 == 0) CHECK(spt_intlist_check(&list));
    }
    for (i = 0; i < count; i++)
        if (taken[i]) CHECK(holds_record(&list, i, number[i]));
    CHECK(spt_intlist_check(&list));
    spt_intlist_free(&list);
}

static void free_lists_reuse_the_place_erased_last(void)
{
    spt_i32 fields;
    for (fields = 1; fields <= MOST_FIELDS; fields++) {
        run_free_list(fields, test_scale(20000), 1000);
        run_free_list(fields, test_scale(5000), 7);
    }
}

static void null_records_are_zeros(void)
{
    spt_i32 ones[2] = {1, 1};
    spt_intlist stack, places;
    spt_intlist_init(&stack, 2);
    spt_intlist_init(&places, 2);
    CHECK(spt_intlist_push(&stack, ones) == 0);
    CHECK(spt_intlist_pop(&stack, NULL) == SPT_OK);
    CHECK(spt_intlist_push(&stack, NULL) == 0);
    CHECK(spt_intlist_get(&stack, 0, 0) == 0 && spt_intlist_get(&stack, 0, 1) == 0);
    CHECK(spt_intlist_insert(&places, ones) == 0);
    CHECK(spt_intlist_erase(&places, 0) == SPT_OK);
    CHECK(spt_intlist_insert(&places, NULL) == 0);
    CHECK(spt_intlist_get(&places, 0, 0) == 0 && spt_intlist_get(&places, 0, 1) == 0);
    CHECK(spt_intlist_insert(&places, NULL) == 1);
    CHECK(spt_intlist_get(&places, 1, 0) == 0 && spt_intlist_get(&places, 1, 1) == 0);
    spt_intlist_free(&stack);
    spt_intlist_free(&places);
}

static void indices_out_of_range_are_refused(void)
{
    static const spt_i32 bad[] = {-1, 3, 1000, INT32_MAX, INT32_MIN};
    spt_i32 i, record[2];
    spt_intlist list;
    int j;
    spt_intlist_init(&list, 2);
    for (i = 0; i < 3; i++) {
        fill_record(record, 2, i);
        CHECK(spt_intlist_insert(&list, record) == i);
    }
    for (j = 0; j < TEST_COUNT(bad); j++) {
        CHECK(spt_intlist_get(&list, bad[j], 0) == SPT_NONE);
        CHECK(spt_intlist_set(&list, bad[j], 0, 1) == SPT_ERR_ID);
        CHECK(spt_intlist_erase(&list, bad[j]) == SPT_ERR_ID);
        CHECK(spt_intlist_get(&list, 0, bad[j]) == SPT_NONE);
        CHECK(spt_intlist_set(&list, 0, bad[j], 1) == SPT_ERR_ID);
    }
    CHECK(spt_intlist_get(&list, 0, 2) == SPT_NONE);
    CHECK(spt_intlist_set(&list, 0, 2, 1) == SPT_ERR_ID);
    for (i = 0; i < 3; i++) CHECK(holds_record(&list, i, i));
    CHECK(spt_intlist_set(&list, 2, 1, 77) == SPT_OK);
    CHECK(spt_intlist_get(&list, 2, 1) == 77);
    spt_intlist_free(&list);
}

static void the_room_inside_serves_before_any_allocation(void)
{
    test_memory memory;
    spt_allocator allocator;
    spt_intlist list;
    spt_i32 i, record = 5;
    test_memory_open(&memory, &allocator);
    CHECK(spt_intlist_init_with(&list, 1, &allocator) == SPT_OK);
    for (i = 0; i < SPATIAL_INTLIST_INLINE; i++) CHECK(spt_intlist_push(&list, &record) == i);
    CHECK(memory.calls == 0 && spt_intlist_bytes(&list) == 0);
    CHECK(spt_intlist_push(&list, &record) == SPATIAL_INTLIST_INLINE);
    CHECK(memory.calls == 1 && spt_intlist_bytes(&list) == memory.bytes);
    for (i = 0; i <= SPATIAL_INTLIST_INLINE; i++) CHECK(spt_intlist_get(&list, i, 0) == 5);
    spt_intlist_free(&list);
    CHECK(memory.bytes == 0);
}

static void growing_doubles(void)
{
    test_memory memory;
    spt_allocator allocator;
    spt_intlist list;
    spt_i32 i;
    test_memory_open(&memory, &allocator);
    CHECK(spt_intlist_init_with(&list, 2, &allocator) == SPT_OK);
    for (i = 0; i < 100000; i++) spt_intlist_push(&list, NULL);
    CHECK(spt_intlist_count(&list) == 100000);
    CHECK(memory.calls <= 20);
    CHECK(memory.bytes == spt_intlist_bytes(&list));
    CHECK(memory.bytes <= 4u * 100000u * 2u * sizeof(spt_i32));
    spt_intlist_free(&list);
    CHECK(memory.bytes == 0);
}

static void reserve_leaves_nothing_to_allocate(void)
{
    test_memory memory;
    spt_allocator allocator;
    spt_intlist list;
    spt_i32 i, record[3];
    long calls;
    test_memory_open(&memory, &allocator);
    CHECK(spt_intlist_init_with(&list, 3, &allocator) == SPT_OK);
    CHECK(spt_intlist_reserve(&list, 0) == SPT_OK && memory.calls == 0);
    fill_record(record, 3, 0);
    CHECK(spt_intlist_push(&list, record) == 0);
    CHECK(spt_intlist_reserve(&list, 1000) == SPT_OK);
    calls = memory.calls;
    for (i = 1; i < 1000; i++) {
        fill_record(record, 3, i);
        CHECK(spt_intlist_push(&list, record) == i);
    }
    CHECK(spt_intlist_reserve(&list, 1000) == SPT_OK && spt_intlist_reserve(&list, 1) == SPT_OK);
    CHECK(memory.calls == calls);
    for (i = 0; i < 1000; i++) CHECK(holds_record(&list, i, i));
    spt_intlist_free(&list);
}

static void sizes_that_do_not_fit_are_refused(void)
{
    spt_intlist list;
    spt_i32 record[3];
    fill_record(record, 3, 9);
    CHECK(spt_intlist_init(&list, 3) == SPT_OK);
    CHECK(spt_intlist_push(&list, record) == 0);
    CHECK(spt_intlist_reserve(&list, -1) == SPT_ERR_ARGUMENT);
    CHECK(spt_intlist_reserve(&list, INT32_MIN) == SPT_ERR_ARGUMENT);
    CHECK(spt_intlist_reserve(&list, INT32_MAX) == SPT_ERR_COUNT); /* 3 times that: over 31 bits */
    CHECK(spt_intlist_count(&list) == 1 && holds_record(&list, 0, 9));
    CHECK(spt_intlist_check(&list));
    spt_intlist_free(&list);
    CHECK(spt_intlist_init(&list, 65535) == SPT_OK);
    CHECK(spt_intlist_reserve(&list, 32769 * 2) == SPT_ERR_COUNT); /* just over 2^32 integers */
    CHECK(spt_intlist_reserve(&list, INT32_MAX) == SPT_ERR_COUNT);
    CHECK(spt_intlist_bytes(&list) == 0);
    spt_intlist_free(&list);
}

static void clear_keeps_the_memory_and_free_gives_it_back(void)
{
    test_memory memory;
    spt_allocator allocator;
    spt_intlist list;
    size_t bytes;
    spt_i32 i, round;
    long calls;
    test_memory_open(&memory, &allocator);
    CHECK(spt_intlist_init_with(&list, 1, &allocator) == SPT_OK);
    for (round = 0; round < 3; round++) {
        for (i = 0; i < 1000; i++) CHECK(spt_intlist_insert(&list, &i) == i);
        CHECK(spt_intlist_erase(&list, 5) == SPT_OK);
        bytes = spt_intlist_bytes(&list);
        calls = memory.calls;
        spt_intlist_clear(&list);
        CHECK(spt_intlist_count(&list) == 0 && spt_intlist_bytes(&list) == bytes);
        CHECK(spt_intlist_insert(&list, NULL) == 0); /* the erased place is forgotten, too */
        spt_intlist_clear(&list);
        for (i = 0; i < 1000; i++) CHECK(spt_intlist_insert(&list, &i) == i);
        CHECK(memory.calls == calls);
        spt_intlist_free(&list);
        CHECK(memory.bytes == 0 && spt_intlist_count(&list) == 0 && spt_intlist_bytes(&list) == 0);
        CHECK(spt_intlist_check(&list));
    }
}

static void truncate_forgets_the_last_records_alone(void)
{
    static const spt_i32 lengths[] = {7, 7, 6, 1, 0, 0};
    spt_intlist list;
    spt_i32 i, record[3];
    int l;
    CHECK(spt_intlist_init(&list, 3) == SPT_OK);
    for (i = 0; i < 7; i++) {
        fill_record(record, 3, i);
        CHECK(spt_intlist_push(&list, record) == i);
    }
    for (l = 0; l < TEST_COUNT(lengths); l++) {
        CHECK(spt_intlist_truncate(&list, lengths[l]) == SPT_OK);
        CHECK(spt_intlist_count(&list) == lengths[l] && spt_intlist_check(&list));
        for (i = 0; i < lengths[l]; i++) CHECK(holds_record(&list, i, i));
        CHECK(spt_intlist_get(&list, lengths[l], 0) == SPT_NONE);
    }
    fill_record(record, 3, 77);
    CHECK(spt_intlist_push(&list, record) == 0 && holds_record(&list, 0, 77));
    spt_intlist_free(&list);
}

static void a_list_whose_init_was_refused_takes_nothing(void)
{
    const spt_i32 record = 1;
    spt_intlist list;
    CHECK(spt_intlist_init(&list, 0) == SPT_ERR_ARGUMENT);
    CHECK(spt_intlist_reserve(&list, 5) == SPT_ERR_INIT);
    CHECK(spt_intlist_push(&list, &record) == SPT_ERR_INIT);
    CHECK(spt_intlist_insert(&list, &record) == SPT_ERR_INIT);
    CHECK(spt_intlist_pop(&list, NULL) == SPT_ERR_INIT);
    CHECK(spt_intlist_truncate(&list, 0) == SPT_ERR_INIT);
    CHECK(spt_intlist_erase(&list, 0) == SPT_ERR_INIT);
    CHECK(spt_intlist_set(&list, 0, 0, 1) == SPT_ERR_INIT);
    CHECK(spt_intlist_count(&list) == 0);
    spt_intlist_free(&list);
}

static void truncate_to_more_records_than_there_are_is_refused(void)
{
    static const spt_i32 bad[] = {-1, INT32_MIN, 4, 1000, INT32_MAX};
    spt_intlist list;
    spt_i32 i;
    int j;
    CHECK(spt_intlist_init(&list, 1) == SPT_OK);
    CHECK(spt_intlist_truncate(&list, 1) == SPT_ERR_ARGUMENT);
    CHECK(spt_intlist_truncate(&list, 0) == SPT_OK);
    for (i = 0; i < 3; i++) CHECK(spt_intlist_push(&list, &i) == i);
    for (j = 0; j < TEST_COUNT(bad); j++) {
        CHECK(spt_intlist_truncate(&list, bad[j]) == SPT_ERR_ARGUMENT);
        CHECK(spt_intlist_count(&list) == 3 && spt_intlist_check(&list));
        for (i = 0; i < 3; i++) CHECK(spt_intlist_get(&list, i, 0) == i);
    }
    spt_intlist_free(&list);
}

static void truncate_keeps_the_memory(void)
{
    test_memory memory;
    spt_allocator allocator;
    spt_intlist list;
    spt_i32 i;
    size_t bytes;
    long calls;
    test_memory_open(&memory, &allocator);
    CHECK(spt_intlist_init_with(&list, 1, &allocator) == SPT_OK);
    for (i = 0; i < 1000; i++) CHECK(spt_intlist_push(&list, &i) == i);
    bytes = spt_intlist_bytes(&list);
    calls = memory.calls;
    CHECK(spt_intlist_truncate(&list, 2) == SPT_OK && spt_intlist_bytes(&list) == bytes);
    for (i = 2; i < 1000; i++) CHECK(spt_intlist_push(&list, &i) == i);
    for (i = 0; i < 1000; i++) CHECK(spt_intlist_get(&list, i, 0) == i);
    CHECK(memory.calls == calls && memory.bytes == bytes);
    spt_intlist_free(&list);
    CHECK(memory.bytes == 0);
}

static void check_finds_what_is_broken(void)
{
    spt_intlist list, broken;
    spt_i32 i, *data;
    spt_intlist_init(&list, 1);
    for (i = 0; i < 8; i++) spt_intlist_insert(&list, &i);
    spt_intlist_erase(&list, 3);
    spt_intlist_erase(&list, 6);
    data = spti_list_data(&list);
    CHECK(spt_intlist_check(&list) && data[6] == 3 && data[3] == SPT_NONE);
    data[6] = 6; /* the erased records link in a circle */
    CHECK(!spt_intlist_check(&list));
    data[6] = 3, data[3] = 8; /* or lead out of the list */
    CHECK(!spt_intlist_check(&list));
    data[3] = SPT_NONE;
    CHECK(spt_intlist_check(&list));
    broken = list;
    broken.free_head = -2;
    CHECK(!spt_intlist_check(&broken));
    broken = list;
    broken.count = -1;
    CHECK(!spt_intlist_check(&broken));
    broken = list;
    broken.count = broken.capacity + 1; /* more than there is room for */
    CHECK(!spt_intlist_check(&broken));
    broken = list;
    broken.fields = 0;
    CHECK(!spt_intlist_check(&broken));
    spt_intlist_free(&list);
}

static const test_case tests[] = {
    TEST(every_error_has_a_name_of_its_own),
    TEST(boxes_with_min_above_max_are_not_valid),
#ifndef SPATIAL_INT
    TEST(boxes_with_a_nan_are_not_valid_and_infinite_ones_are),
#endif
    TEST(boxes_overlap_when_they_share_a_point),
    TEST(new_lists_are_empty_and_need_no_memory),
    TEST(records_have_1_to_65535_fields),
    TEST(stacks_give_back_what_was_pushed_last),
    TEST(free_lists_reuse_the_place_erased_last),
    TEST(null_records_are_zeros),
    TEST(indices_out_of_range_are_refused),
    TEST(the_room_inside_serves_before_any_allocation),
    TEST(growing_doubles),
    TEST(reserve_leaves_nothing_to_allocate),
    TEST(sizes_that_do_not_fit_are_refused),
    TEST(clear_keeps_the_memory_and_free_gives_it_back),
    TEST(truncate_forgets_the_last_records_alone),
    TEST(a_list_whose_init_was_refused_takes_nothing),
    TEST(truncate_to_more_records_than_there_are_is_refused),
    TEST(truncate_keeps_the_memory),
    TEST(check_finds_what_is_broken),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
