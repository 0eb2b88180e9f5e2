// SPDX-License-Identifier: MIT
// The loops of a plan, and whether its steps can be recorded with them.
#ifndef CROTON_FUNCTION_LOOPS_OF_PLAN_HPP
#define CROTON_FUNCTION_LOOPS_OF_PLAN_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include <croton/function/repeat.hpp>

namespace croton::inline v0_1::detail {

/// Whether a step of `Plan` takes matrices apart.
template <class Plan> constexpr bool takes_matrices() {
    for (const step& s : Plan::value().steps)
        if (s.what == step_kind::routine && Plan::program().routines[s.routine]->of_matrices) return true;
    return false;
}

/// Whether the host waits for what a step of `Plan` says, or one of its loops: whether a matrix can be taken apart, and how many turns there are where the device
/// does not decide that itself. Such steps cannot be recorded.
template <class Device, class Plan, int Loop = -1> constexpr bool waits_for_steps() {
    if constexpr (Loop < 0) {
        return takes_matrices<Plan>() || waits_for_steps<Device, Plan, 0>();
    } else if constexpr (Loop < Plan::program().loops.size()) {
        constexpr loop_entry l = Plan::program().loops[Loop];
        if constexpr ((l.limited || l.stops) && !records_turns<Device>) return true;
        else return waits_for_steps<Device, typename Plan::template region<l.region>>() || waits_for_steps<Device, Plan, Loop + 1>();
    } else return false;
}
/// The loops of a plan, by step.
template <class Device, class Plan> class loops_of_plan {
    static constexpr int count = [] {
        int n = 0;
        for (const step& s : Plan::value().steps) n += s.what == step_kind::repeat ? 1 : 0;
        return n;
    }();
    static constexpr auto steps = [] {
        std::array<int, static_cast<std::size_t>(count + 1)> all{};
        std::size_t n = 0;
        for (int i = 0; i < Plan::value().steps.size(); ++i)
            if (Plan::value().steps[i].what == step_kind::repeat) all[n++] = i;
        return all;
    }();
    template <int... I> static auto runners(std::integer_sequence<int, I...>) -> std::tuple<loop_runner<Device, Plan, steps[static_cast<std::size_t>(I)]>...>;
    using all_runners = decltype(runners(std::make_integer_sequence<int, count>()));

    template <std::size_t... I> loops_of_plan(const std::string& function, std::index_sequence<I...>) : all_((static_cast<void>(I), function)...) {}

public:
    explicit loops_of_plan(const std::string& function) : loops_of_plan(function, std::make_index_sequence<static_cast<std::size_t>(count)>()) {}

    template <int Step> auto& of() { return std::get<loop_runner<Device, Plan, Step>>(all_); }
    /// How many conditions are in what is recorded of them.
    std::int64_t conditions() const {
        return std::apply([](const auto&... loop) { return (std::int64_t{0} + ... + loop.conditions()); }, all_);
    }
    template <class F> void each(F&& f) {
        [&]<int... I>(std::integer_sequence<int, I...>) {
            (f(std::get<static_cast<std::size_t>(I)>(all_), steps[static_cast<std::size_t>(I)]), ...);
        }(std::make_integer_sequence<int, count>());
    }

private:
    [[no_unique_address]] all_runners all_;
};

}  // namespace croton::inline v0_1::detail

#endif
