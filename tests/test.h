/* test.h - what the test programs share: checks, a seeded generator, an allocator that counts.
   Include it after spatial.h. Plain C99.

   A program is a table of functions whose names state what must hold:

       static const test_case tests[] = {TEST(points_are_found), TEST(...)};
       int main(int argc, char **argv) { return test_main(argc, argv, tests, TEST_COUNT(tests)); }

   It prints a line `N checks` and exits with 0, or with 1 after naming every check that failed and
   the command that runs it again. Arguments and environment:

       tests/out/test_x [WORD]   runs only the tests whose names contain WORD
       SEED=123                  seed of the random tests, decimal
       OPS_DIVISOR=20            a twentieth of the random work: for valgrind, emulators, -O0 */
#ifndef TEST_H
#define TEST_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Checks ---------------------------------------------------------------------------------- */

#ifndef TEST_MAX_FAILURES
#define TEST_MAX_FAILURES 10 /* after so many a program gives up: the rest would be noise */
#endif

static struct test_state {
    const char *program; /* argv[0], to print the command that runs a test again */
    const char *name;    /* of the test that runs */
    const char *context; /* where in the test we are, or NULL; see test_context */
    long step;
    uint32_t seed;
    uint32_t random; /* state of the generator */
    long divisor;
    unsigned long checks, failures;
    int abort_on_failure; /* for fuzzers, which look for crashes */
} test = {"tests/out/test", "none", NULL, 0, 1, 1, 1, 0, 0, 0};

/* Says where the test is, for the message of a check that fails. Cheap enough for inner loops. */
static inline void test_context(const char *context, long step)
{
    test.context = context;
    test.step = step;
}

static inline void test_failed(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: CHECK(%s) failed in %s", file, line, what, test.name);
    if (test.context) fprintf(stderr, " (%s, step %ld)", test.context, test.step);
    fprintf(stderr, "\n    again: SEED=%lu %s %s\n", (unsigned long)test.seed, test.program,
            test.name);
    if (test.abort_on_failure) abort();
    if (++test.failures < TEST_MAX_FAILURES) return;
    fprintf(stderr, "%d failures: giving up\n", TEST_MAX_FAILURES);
    exit(1);
}

static inline int test_check(int holds, const char *what, const char *file, int line)
{
    test.checks++;
    if (!holds) test_failed(what, file, line);
    return holds;
}

/* Counts a check, and reports it if it does not hold; the test goes on. Its value: does it hold? */
#define CHECK(condition) test_check(!!(condition), #condition, __FILE__, __LINE__)

/* ---- Generator ------------------------------------------------------------------------------- */

/* 32 random bits: xorshift (Marsaglia 2003) and a multiplication, for its low bits are weak. */
static inline uint32_t test_random(void)
{
    test.random ^= test.random << 13;
    test.random ^= test.random >> 17;
    test.random ^= test.random << 5;
    return test.random * 0x9E3779B1u;
}

/* A random number from 0 to n - 1. */
static inline int test_below(int n)
{
    return (int)(((uint64_t)test_random() * (uint32_t)n) >> 32);
}

/* How much of n steps of random work to do. */
static inline int test_scale(int n)
{
    long scaled = n / test.divisor;
    return scaled > 1 ? (int)scaled : 1;
}

/* How many of a test's steps that are not random: all, or a few where programs are slow. */
static inline int test_some(int all, int few)
{
    return test.divisor < 40 ? all : few;
}

/* FNV-1a; starts from 2166136261 or from the hash of the data before. */
static inline uint32_t test_hash(uint32_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)data;
    size_t i;
    for (i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 16777619u;
    return hash;
}

/* ---- Runner ---------------------------------------------------------------------------------- */

typedef struct test_case {
    const char *name;
    void (*run)(void);
} test_case;

#define TEST(function) {#function, function}
#define TEST_COUNT(cases) ((int)(sizeof(cases) / sizeof(cases)[0]))

#ifndef TEST_AFTER /* a header with mutants notes which of them a test reaches */
#define TEST_AFTER(name) ((void)0)
#endif

static inline long test_environment(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtol(text, NULL, 10) : otherwise;
}

static inline void test_begin(const char *program)
{
    test.program = program;
    test.seed = (uint32_t)test_environment("SEED", 20260101);
    test.divisor = test_environment("OPS_DIVISOR", 1);
    if (test.divisor < 1) test.divisor = 1;
    test.random = test.seed ? test.seed : 1;
}

/* Each test starts the generator from the seed and its own name, so that it runs alike alone. */
static inline void test_run(const test_case *one)
{
    unsigned long failures = test.failures;
    test.name = one->name;
    test.context = NULL;
    test.random = test_hash(test.seed ^ 2166136261u, one->name, strlen(one->name)) | 1u;
    one->run();
    TEST_AFTER(one->name);
    if (test.failures > failures) fprintf(stderr, "FAILED %s\n", one->name);
}

static inline int test_main(int argc, char **argv, const test_case *cases, int count)
{
    int i;
    test_begin(argv[0]);
    for (i = 0; i < count; i++)
        if (argc < 2 || strstr(cases[i].name, argv[1])) test_run(&cases[i]);
    printf("%lu checks", test.checks);
    if (test.failures) printf(", %lu failed", test.failures);
    printf("\n");
    return test.failures > 0;
}

/* ---- An allocator that counts, fails on demand and finds wrong sizes ------------------------- */

typedef struct test_block { /* goes before each piece handed out */
    struct test_block *next, *prev;
    size_t size;
} test_block;

#define TEST_BLOCK_BYTES 32 /* room for a test_block; keeps what follows aligned for any type */

#ifndef TEST_ASKED /* places.h notes who asks */
#define TEST_ASKED(refused) ((void)0)
#endif

typedef struct test_memory {
    test_block *first; /* all pieces, so that their contents can be compared */
    size_t bytes;      /* handed out and not given back */
    size_t limit;      /* requests beyond so many bytes in all fail (0: no limit) */
    long calls;        /* that asked for memory */
    long fail_at;      /* the call that fails once, counted from 1 (0: none) */
    long failures;     /* requests refused */
    int fill;          /* write to all bytes, for test_memory_hash; else only to the first */
} test_memory;

static inline void test_memory_link(test_memory *memory, test_block *block, size_t size)
{
    block->size = size;
    block->prev = NULL;
    block->next = memory->first;
    if (block->next) block->next->prev = block;
    memory->first = block;
    memory->bytes += size;
}

static inline void test_memory_give_back(test_memory *memory, test_block *block)
{
    if (block->next) block->next->prev = block->prev;
    if (block->prev) block->prev->next = block->next;
    else memory->first = block->next;
    memory->bytes -= block->size;
    free(block);
}

static inline int test_memory_refuses(test_memory *memory, size_t old_size, size_t size)
{
    size_t others = memory->bytes - old_size;
    int within = !memory->limit || (others <= memory->limit && size <= memory->limit - others);
    int refused = size >= SIZE_MAX - TEST_BLOCK_BYTES || !within;
    memory->calls++;
    refused |= memory->calls == memory->fail_at;
    TEST_ASKED(refused);
    memory->failures += refused;
    return refused;
}

/* Always moves what grows, so that stale pointers point to freed memory. */
static inline void *test_resize(void *ctx, void *old, size_t old_size, size_t new_size)
{
    test_memory *memory = (test_memory *)ctx;
    unsigned char *start = (unsigned char *)old;
    test_block *block = NULL, *fresh;

    if (old) {
        block = (test_block *)(void *)(start - TEST_BLOCK_BYTES);
        CHECK(block->size == old_size);
    } else {
        CHECK(old_size == 0);
    }
    if (new_size == 0) {
        if (block) test_memory_give_back(memory, block);
        return NULL;
    }
    if (test_memory_refuses(memory, old_size, new_size)) return NULL;
    fresh = (test_block *)malloc(TEST_BLOCK_BYTES + new_size);
    if (!fresh) return NULL;
    start = (unsigned char *)fresh + TEST_BLOCK_BYTES;
    memset(start, 0xCD, memory->fill || new_size < 4096 ? new_size : 4096); /* none are zero */
    if (old) memcpy(start, old, old_size < new_size ? old_size : new_size);
    test_memory_link(memory, fresh, new_size);
    if (block) test_memory_give_back(memory, block);
    return start;
}

static inline void test_memory_open(test_memory *memory, spt_allocator *allocator)
{
    memset(memory, 0, sizeof *memory);
    allocator->resize = test_resize;
    allocator->ctx = memory;
}

/* Hash of all the bytes handed out, with `fill`: tells whether anything wrote there. */
static inline uint32_t test_memory_hash(const test_memory *memory)
{
    const test_block *block;
    uint32_t hash = 2166136261u;
    for (block = memory->first; block; block = block->next)
        hash = test_hash(hash, (const unsigned char *)block + TEST_BLOCK_BYTES, block->size);
    return hash;
}

#endif /* TEST_H */
