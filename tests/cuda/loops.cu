// SPDX-License-Identifier: MIT
// The loops of the CUDA device on a GPU: the tests that every device passes.
#include <doctest/doctest.h>

#include "cuda/on_gpu.hpp"

namespace test {
using tested = on_gpu;
}

#include "device/loops.hpp"
