#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing (Debian, as root), builds the benchmarks and runs them one after the other.
#   run.sh [threads...]         1 and all cores by default; nothing else ought to run on the machine meanwhile
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/tests/packages.sh"
need_packages g++=g++ cmake=cmake make=make libxsimd-dev="<xsimd/xsimd.hpp>" libopenblas-dev=BLAS \
    libeigen3-dev="<eigen3/Eigen/Core>"
[ $# -gt 0 ] || set -- 1 "$(nproc)"
cd "$root"
cmake --preset release -B build/bench -DCROTON_BUILD_TESTS=OFF -DCROTON_BUILD_EXAMPLES=OFF \
    -DCROTON_WARNINGS_AS_ERRORS=OFF >/dev/null
cmake --build build/bench -j "$(nproc)" >/dev/null
printf '%s, croton %s\ncommand: bench/run.sh %s\n' "$(date -u +%F)" "$(git describe --always --dirty 2>/dev/null || echo '')" "$*"
for threads in "$@"; do
    for program in build/bench/bench/bench_*; do
        [ -x "$program" ] && [ -f "$program" ] || continue
        printf '\n'
        OPENBLAS_NUM_THREADS=$threads "$program" "$threads"
    done
done
