#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing (Debian, as root), builds the MNIST example and runs it.
#   run_mnist.sh [arguments of the example]
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/tests/packages.sh"
need_packages g++=g++ cmake=cmake make=make libxsimd-dev="<xsimd/xsimd.hpp>" libopenblas-dev=BLAS \
    zlib1g-dev="<zlib.h>"

example=${EXAMPLE:-03_mnist}
build=$root/build/examples
# In the folder of the presets, but the example itself runs where the caller stands.
(
    cd "$root"
    cmake --preset release -B "$build" -DCROTON_BUILD_TESTS=OFF -DCROTON_BUILD_BENCH=OFF \
        -DCROTON_WARNINGS_AS_ERRORS=OFF >/dev/null
    cmake --build "$build" --target "$example" -j "$(nproc)"
)
exec "$build/examples/$example" "$@"
