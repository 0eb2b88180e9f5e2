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

template <class Call> croton::profile_data profiled(Call&& call, int calls = 3) {
    ticking_profile scope{"tips"};
    for (int i = 0; i < calls; ++i) call();
    return scope.data<round_machine>();
}

/// The tips for the same record with the steps slower by a factor, or with anything else changed.
template <class Change> croton::profile_data changed(croton::profile_data d, Change&& change) {
    d.tips.clear();
    change(d);
    croton::detail::add_tips(d);
    return d;
}

inline void slow_down(croton::profile_data& d, croton::nanoseconds factor) {
    for (croton::function_profile& f : d.functions) {
        f.time += f.steps_time * (factor - 1);
        f.steps_time *= factor;
        for (croton::step_profile& s : f.steps) s.time *= factor;
        d.time += f.time;
    }
}

}  // namespace support

#endif
