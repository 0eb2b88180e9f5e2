// SPDX-License-Identifier: MIT
// What the tests of profiles share: a clock that counts how often it is read, and a machine with round numbers.
#ifndef CROTON_TESTS_PROFILE_PROFILE_HPP
#define CROTON_TESTS_PROFILE_PROFILE_HPP

#include <croton/croton.hpp>

namespace support {

/// Every reading is one nanosecond later than the one before.
struct ticks {
    static inline thread_local croton::nanoseconds count = 0;
    static croton::nanoseconds now() noexcept { return ++count; }
};

using ticking_profile = croton::basic_profile<ticks>;

/// Reads at 100 GB/s and copies at 50 wherever the arrays lie; products run at 1000 and 500 GFLOP/s, and floats might at 1250.
struct round_machine {
    static croton::machine_limits limits() {
        croton::machine_limits m;
        std::int64_t bytes = 1 << 10;
        for (auto& level : m.levels) {
            level = {bytes, 100, 50};
            bytes *= 16;
        }
        m.gemm_float = 1000;
        m.gemm_double = 500;
        m.arithmetic_float = 1250;
        m.arithmetic_double = 400;
        return m;
    }
};

inline const croton::profile_tip* find_tip(const croton::profile_data& data, std::string_view id) {
    for (const croton::profile_tip& t : data.tips)
        if (t.id == id) return &t;
    return nullptr;
}

}  // namespace support

#endif
