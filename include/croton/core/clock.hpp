// SPDX-License-Identifier: MIT
// The clock by which calls, copies and progress are timed.
#ifndef CROTON_CORE_CLOCK_HPP
#define CROTON_CORE_CLOCK_HPP

#include <time.h>

#include <cstdint>

namespace croton::inline v0_1::detail {

/// What std::chrono::steady_clock reads. Its header brings calendars as well, which every unit would read.
inline std::int64_t system_nanoseconds() noexcept {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

}  // namespace croton::inline v0_1::detail

#endif
