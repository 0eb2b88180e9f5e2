#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing (Debian, as root), builds the example of the profiler, runs it and draws what it found.
#   run_profile.sh [folder]     profile.txt, profile.json, trace.json, plan.svg and calls.svg go there; else where you stand
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/tests/packages.sh"
need_packages g++=g++ cmake=cmake make=make libxsimd-dev="<xsimd/xsimd.hpp>" libopenblas-dev=BLAS graphviz=dot

folder=${1:-.}
mkdir -p "$folder"
build=$root/build/examples
(
    cd "$root"
    cmake --preset release -B "$build" -DCROTON_BUILD_TESTS=OFF -DCROTON_BUILD_BENCH=OFF \
        -DCROTON_WARNINGS_AS_ERRORS=OFF >/dev/null
    cmake --build "$build" --target 04_profile -j "$(nproc)"
)
"$build/examples/04_profile" "$folder" | tee "$folder/profile.txt"
for drawing in plan calls; do
    dot -Tsvg "$folder/$drawing.dot" -o "$folder/$drawing.svg"
done
echo
echo "In $folder: profile.txt, profile.json, trace.json (for ui.perfetto.dev), plan.svg, calls.svg"
