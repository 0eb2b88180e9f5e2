#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing (Debian, as root), builds the tests and the examples and runs all tests.
#   run_tests.sh [options of ctest]         for example: run_tests.sh -L unit, run_tests.sh -R softmax
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/tests/packages.sh"
need_packages g++=g++ cmake=cmake make=make pkg-config=pkg-config libxsimd-dev="<xsimd/xsimd.hpp>" \
    libopenblas-dev=BLAS zlib1g-dev="<zlib.h>" doctest-dev="<doctest/doctest.h>" libeigen3-dev="<eigen3/Eigen/Core>"

jobs=${CROTON_JOBS:-$(nproc)}
build=$root/build/tests
cd "$root"
# The examples are compiled only to be run once; what asks what the optimiser leaves sets its own level.
cmake --preset release -B "$build" -DCROTON_BUILD_BENCH=OFF -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" \
    -DCROTON_WARNINGS_AS_ERRORS="${CROTON_WARNINGS_AS_ERRORS:-OFF}" >/dev/null
keep_going=()
[ -f "$build/Makefile" ] && keep_going=(-- -k)
built=0
cmake --build "$build" -j "$jobs" "${keep_going[@]}" || built=$?
ctest --test-dir "$build" --output-on-failure -j "$jobs" "$@"
exit $built
