// SPDX-License-Identifier: MIT
// The loops of the CUDA device, on emulated blocks.
#include "device/emulated_cuda.hpp"

namespace test {
using tested = emulated_cuda;
}

#include "device/loops.hpp"
