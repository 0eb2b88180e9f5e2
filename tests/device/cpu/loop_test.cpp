// SPDX-License-Identifier: MIT
// The loops of the CPU device.
#include <croton/device/cpu/cpu.hpp>

namespace test {
using tested = croton::cpu;
}

#include "device/loops.hpp"
