// SPDX-License-Identifier: MIT
// Learning rates that change with the number of the step.
#ifndef CROTON_OPTIM_SCHEDULES_HPP
#define CROTON_OPTIM_SCHEDULES_HPP

#include <array>
#include <cmath>

#include <croton/optim/update.hpp>

namespace croton::inline v0_1 {

// A schedule is a constant that is called with the number of steps that were taken before. On the host this is a number, and the rate is a double:
// `cosine_decay(1e-3, 5000)(step)`. In a function it is a traced number, such as the counter of an optimiser, and the rate is an expression:
// `adam(cost, net, state, {.learning_rate = cosine_decay(1e-3, 5000)(state.steps)})`. Names, arguments and values are those of optax.

namespace detail {

/// The formulas of schedules, for a number of the host and for a traced one.
template <class S> constexpr auto number_of_step(const S& step) {
    if constexpr (traced<S>) {
        static_assert(rank_of<S> == 0, "croton: a schedule takes the number of the step, of rank 0");
        if constexpr (rank_of<S> == 0) return cast<double>(as_number(step));
        else return expr<double, 0>{step.graph, step.graph->literal(element::float64, 0)};
    } else {
        return static_cast<double>(step);
    }
}
constexpr double same_kind(double, double value) { return value; }
constexpr expr<double, 0> same_kind(const expr<double, 0>& like, double value) { return {like.graph, like.graph->literal(element::float64, value)}; }

constexpr double at_most(double x, double most) { return x < most ? x : most; }
constexpr double at_least(double x, double least) { return x > least ? x : least; }
template <traced X> constexpr X at_most(const X& x, double most) { return minimum(x, most); }
template <traced X> constexpr X at_least(const X& x, double least) { return maximum(x, least); }

constexpr double before(double step, double end, double first, double then) { return step < end ? first : then; }
template <traced X> constexpr X before(const X& step, double end, const X& first, const X& then) { return where(step < end, first, then); }

/// The part of so many steps that was taken; of no steps, all.
template <class S> constexpr S part_of(const S& taken, double steps) {
    if (steps <= 0) return same_kind(taken, 1);
    return at_least(at_most(taken, steps), 0) / steps;
}

}  // namespace detail

/// The same rate for every step.
struct constant_schedule {
    double value;

    constexpr explicit constant_schedule(double rate) : value(rate) {}
    template <class S> constexpr auto operator()(const S& step) const { return detail::same_kind(detail::number_of_step(step), value); }
};

/// From `initial` to `end` within `steps` steps after the first `begin`: end + (initial - end) * (1 - part)^power, where part is the part of the
/// steps that was taken.
struct polynomial_schedule {
    double initial, end, power, steps, begin;

    constexpr polynomial_schedule(double first, double last, double exponent, double within, double after = 0)
        : initial(first), end(last), power(exponent), steps(within), begin(after) {}
    template <class S> constexpr auto operator()(const S& step) const {
        using std::pow;
        const auto left = 1 - detail::part_of(detail::number_of_step(step) - begin, steps);
        if (power == 1) return end + (initial - end) * left;
        return end + (initial - end) * pow(left, power);
    }
};

/// From `initial` to `end` along a line, within `steps` steps after the first `begin`: a warm-up where it rises.
struct linear_schedule : polynomial_schedule {
    constexpr linear_schedule(double first, double last, double within, double after = 0) : polynomial_schedule(first, last, 1, within, after) {}
};

/// From `initial` to `alpha` times that along half a cosine, within `steps` steps:
/// initial * ((1 - alpha) * ((1 + cos(pi * part)) / 2)^exponent + alpha) (Loshchilov and Hutter 2017).
struct cosine_decay {
    double initial, steps, alpha, exponent;

    constexpr cosine_decay(double first, double within, double least = 0, double power = 1)
        : initial(first), steps(within), alpha(least), exponent(power) {}
    template <class S> constexpr auto operator()(const S& step) const {
        using std::cos, std::pow;
        const auto wave = 0.5 + 0.5 * cos(3.14159265358979323846 * detail::part_of(detail::number_of_step(step), steps));
        if (exponent == 1) return initial * ((1 - alpha) * wave + alpha);
        return initial * ((1 - alpha) * pow(wave, exponent) + alpha);
    }
};

/// `begin`: steps before the decay. `staircase`: by the whole `rate` every so many steps, and not a little in each. `end`: where it stops.
struct exponential_decay_options {
    double begin = 0;
    bool staircase = false;
    double end = 0;
};

/// initial * rate^(step / steps): by `rate` in `steps` steps.
struct exponential_decay {
    double initial, steps, rate;
    exponential_decay_options options;

    constexpr exponential_decay(double first, double within, double by, exponential_decay_options more = {})
        : initial(first), steps(within), rate(by), options(more) {}
    template <class S> constexpr auto operator()(const S& step) const {
        using std::floor, std::pow;
        auto times = detail::at_least(detail::number_of_step(step) - options.begin, 0) / steps;
        if (options.staircase) times = floor(times);
        auto value = initial * pow(detail::same_kind(times, rate), times);
        if (options.end != 0) value = rate < 1 ? detail::at_least(value, options.end) : detail::at_most(value, options.end);
        return value;
    }
};

/// At step `at` the rate is scaled by `by`.
struct schedule_jump {
    double at, by;
};

/// `initial`, scaled at each of some steps and from then on: `piecewise_constant(0.1, {{30000, 0.1}, {60000, 0.1}})`.
template <std::size_t N> struct piecewise_constant {
    double initial;
    std::array<schedule_jump, N> jumps{};

    constexpr piecewise_constant(double first, const schedule_jump (&all)[N]) : initial(first) {
        for (std::size_t i = 0; i < N; ++i) jumps[i] = all[i];
    }
    template <class S> constexpr auto operator()(const S& step) const {
        const auto taken = detail::number_of_step(step);
        auto rate = detail::same_kind(taken, initial);
        for (const schedule_jump& j : jumps) rate = rate * detail::before(taken, j.at, detail::same_kind(taken, 1), detail::same_kind(taken, j.by));
        return rate;
    }
};

/// One schedule for the first `end` steps, and then another, which counts from there.
template <class First, class Then> struct join_schedules {
    First first;
    Then then;
    double end;

    constexpr join_schedules(const First& one, const Then& other, double steps) : first(one), then(other), end(steps) {}
    template <class S> constexpr auto operator()(const S& step) const {
        const auto taken = detail::number_of_step(step);
        return detail::before(taken, end, first(taken), then(taken - end));
    }
};

/// From `initial` to `peak` along a line within `warmup` steps, and then along half a cosine to `last`, which is reached after `steps` steps in all.
struct warmup_cosine_decay : join_schedules<linear_schedule, cosine_decay> {
    constexpr warmup_cosine_decay(double initial, double peak, double warmup, double steps, double last = 0, double exponent = 1)
        : join_schedules({initial, peak, warmup}, {peak, steps - warmup, peak == 0 ? 0 : last / peak, exponent}, warmup) {}
};

/// From `initial` to `peak` along a line within `warmup` steps, and from there by `exponential_decay`.
struct warmup_exponential_decay : join_schedules<linear_schedule, exponential_decay> {
    constexpr warmup_exponential_decay(double initial, double peak, double warmup, double steps, double rate, exponential_decay_options more = {})
        : join_schedules({initial, peak, warmup}, {peak, steps, rate, more}, warmup) {}
};

}  // namespace croton::inline v0_1

#endif
