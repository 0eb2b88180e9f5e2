// SPDX-License-Identifier: MIT
// The function of W8 once more, compiled without the possibility to profile it: in a namespace of its own, because the two
// must not be one to the linker.
#define CROTON_HAS_PROFILER 0
#define v0_1 v0_1_without_profiler
#include <croton/croton.hpp>

#include "increment.hpp"

namespace bench {

void increment_without_profiler(const float* x, float* y, std::int64_t calls) { increment(x, y, calls); }

}  // namespace bench
