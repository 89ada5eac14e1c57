#!/bin/bash -eu
# Builds tests/fuzz.c for OSS-Fuzz, for each type of coordinates, with tests/corpus as the inputs to
# begin with. It runs in the folder of the repository.
#
# To register: put OWNER and an address into project.yaml and Dockerfile, the header of its licence
# into Dockerfile and here, and the three files into projects/spatial of google/oss-fuzz. To try:
#
#   CC=clang CXX=clang++ CFLAGS="-O1 -fsanitize=fuzzer-no-link,address" \
#   CXXFLAGS="-fsanitize=address" \
#   LIB_FUZZING_ENGINE=-fsanitize=fuzzer OUT=/tmp/fuzzers bash -eu tests/oss-fuzz/build.sh
#
# float-divide-by-zero: an infinite distance is divided by a speed of 0 on purpose, which raises no
# exception; clang complains of it nevertheless.
mkdir -p "$OUT"
for type in float double int; do
    fuzzer=$OUT/fuzz_$type
    # shellcheck disable=SC2086 # lists are split on purpose
    $CC $CFLAGS -fno-sanitize=float-divide-by-zero -std=c99 -DSPATIAL_${type^^} -c tests/fuzz.c \
        -o "$fuzzer.o"
    # shellcheck disable=SC2086
    $CXX ${CXXFLAGS:-} "$fuzzer.o" $LIB_FUZZING_ENGINE -lm -o "$fuzzer"
    rm -f "$fuzzer.o" "${fuzzer}_seed_corpus.zip"
    zip -q -j "${fuzzer}_seed_corpus.zip" tests/corpus/*
    printf '[libfuzzer]\nmax_len = 4100\nlen_control = 0\n' >"$fuzzer.options"
done
