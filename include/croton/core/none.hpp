// SPDX-License-Identifier: MIT
// none: where Python writes nothing, and what the turns of a loop leave.
#ifndef CROTON_CORE_NONE_HPP
#define CROTON_CORE_NONE_HPP

namespace croton::inline v0_1 {

struct none_t;

namespace detail {

/// What a turn of a scan leaves: what it carries on, what it gives out, and what ends the loop.
template <class Next, class Out, class End> struct turn_result {
    Next next;
    Out out;
    End end;
};

}  // namespace detail

/// Where Python writes nothing: `slice(none, none, -1)`.
struct none_t {
    /// What the lambda of a scan returns: what it carries to the next turn, what it gives out, and with `until(condition)` whether this is the last turn.
    /// The first two are expressions, `std::tuple`s, models, or `none`. It is found by its arguments only, as `step(next, out)` and not as croton::step, so that a program can call something of its own a step.
    template <class Next, class Out, class End> friend constexpr detail::turn_result<Next, Out, End> step(const Next& next, const Out& out, const End& end) {
        return {next, out, end};
    }
    template <class Next, class Out> friend constexpr detail::turn_result<Next, Out, none_t> step(const Next& next, const Out& out) { return {next, out, none_t()}; }
    template <class Next> friend constexpr detail::turn_result<Next, none_t, none_t> step(const Next& next) { return {next, none_t(), none_t()}; }

    /// `loop_map` by the name that others have for it, found by its arguments as well: `std::map` has it.
    template <class F, class... X> friend constexpr auto map(const F& f, const X&... xs) { return loop_map(f, xs...); }
};
inline constexpr none_t none{};

}  // namespace croton::inline v0_1

#endif
