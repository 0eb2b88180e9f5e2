#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing (Debian, as root), builds the tests and the examples and runs all tests.
#   run_tests.sh [options of ctest]         for example: run_tests.sh -L unit, run_tests.sh -R softmax
#   CROTON_BUILD_SECONDS=2400 run_tests.sh  leaves out the tests of what is not built after so long, and says so
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
keep_going=() limit=() left_out=()
[ -f "$build/Makefile" ] && keep_going=(-- -k)
[ -z "${CROTON_BUILD_SECONDS:-}" ] || limit=(timeout "$CROTON_BUILD_SECONDS")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
LC_ALL=C "${limit[@]}" cmake --build "$build" -j "$jobs" "${keep_going[@]}" 2>&1 | tee "$log"
built=${PIPESTATUS[0]}
if [ "$built" -eq 124 ]; then
    # What compilers said before they were stopped counts as ever.
    grep -E ': (fatal )?error: |undefined reference' "$log" | grep -vq 'terminated program' || built=0
    missing=$(while read -r program; do [ -x "$program" ] || echo "$program"; done <"$build/programs.txt")
    names=$(find "$build" -name CTestTestfile.cmake -exec cat {} + | awk -v missing="$missing" '
        BEGIN { count = split(missing, list, "\n"); for (i = 1; i <= count; ++i) lacks[list[i]] = 1 }
        /^add_test/ {
            split($0, words, "\""); split(words[1], name, /\[=*\[|\]=*\]/)
            for (i = 2; i in words; i += 2) if (words[i] in lacks) { print name[2]; next }
        }')
    echo "The time is up. Without their programs these tests are left out:" $names
    [ -z "$names" ] || left_out=(-E "^($(tr '\n' '|' <<<"$names" | sed 's/|$//'))\$")
fi
ctest --test-dir "$build" --output-on-failure -j "$jobs" "${left_out[@]}" "$@"
exit "$built"
