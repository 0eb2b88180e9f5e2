// SPDX-License-Identifier: MIT
// vmap of loops that have another number of turns for each, and of derivatives.
#include <doctest/doctest.h>

#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

namespace {

const array<double, 2> x{{1, -2, 0.5, 3}, {0.25, 4, -1, 2}, {-3, 0.75, 2, -0.5}};
const array<double, 2> w{{1, 2, 0, -1}, {0.5, -2, 1, 3}, {0, 1, -1, 2}, {2, 0.25, 1, 1}};

/// The largest distance between what f makes of all and of one after the other.
template <class F, class... X> constexpr auto distance(const F& f, const X&... all) {
    return max(abs(vmap(f, all...) - stack<0>(f(all(0)...), f(all(1)...), f(all(2)...))));
}
template <class F, class... A> void is_zero(const F& f, const A&... a) {
    const auto check = [](const auto& each) { CHECK(each() == doctest::Approx(0).epsilon(1e-12)); };
    std::apply([&](const auto&... each) { (check(each), ...); }, f(a...));
}

}  // namespace

TEST_CASE("derivatives within and outside") {
    is_zero(function<cpu>([](matrix<double> a, matrix<double> m, vector<double> v) {
                auto cost = [&](auto r) { return sum(sqr(std::get<0>(scan([&](auto s, auto e) { return tanh(dot(m, s)) + e * r; }, v, r)))); };
                auto within = [&](auto r) { return grad(cost(r), r); };
                auto all = sum(vmap(cost, a)), one_by_one = cost(a(0)) + cost(a(1)) + cost(a(2));
                return std::tuple(distance(within, a), max(abs(grad(all, a) - grad(one_by_one, a))), max(abs(grad(all, m) - grad(one_by_one, m))));
            }),
            x, w, array<double, 1>{1, -1, 2, 0.5});
}

TEST_CASE("numbers of turns of each") {
    is_zero(function<cpu>([](matrix<double> a, vector<double> v) {
                auto branch = [&](auto r) { return cond(r(0) > 0, [&] { return r * 2; }, [&] { return v - r; }); };
                auto powers = [&](auto r) {
                    auto [after, ys] = scan([&](auto s) { return step(s * r, s); }, v, times(cast<std::int64_t>(abs(r(1))), 5));
                    return concatenate<0>(reshape<20>(ys), after);
                };
                auto ends = [&](auto r) {
                    return std::get<0>(scan([&](auto s, auto turn) { return s * r + cast<double>(turn); }, v, times(cast<std::int64_t>(abs(r(1))), 5), {.reverse = true}));
                };
                auto slope = [&](auto r) { return grad(sum(branch(r) * r), r); };
                auto slope_of_powers = [&](auto r) { return grad(sum(sqr(powers(r))), r); };
                return std::tuple(distance(branch, a), distance(powers, a), distance(slope, a), distance(slope_of_powers, a), distance(ends, a), distance([&](auto r) { return grad(sum(ends(r)), r); }, a));
            }),
            x, array<double, 1>{1, -1, 2, 0.5});
}
