// SPDX-License-Identifier: MIT
// vmap of loops: what one loop makes of each is what a loop of all makes.
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

TEST_CASE_TEMPLATE("states, elements and what is captured", D, cpu, reference) {
    is_zero(function<D>([](matrix<double> a, matrix<double> m, vector<double> v) {
                // A first state, a sequence and a captured value of each, and those that all share.
                auto last = [&](auto r) { return std::get<0>(scan([&](auto s, auto e) { return tanh(dot(m, s)) + e * r; }, v, r)); };
                auto stacked = [&](auto r) { return std::get<1>(scan([&](auto s, auto e) { return step(s * 0.5 + e, s * s - e); }, sum(r), v)); };
                auto shared_turns = [&](auto r) {
                    auto [after, ys] = scan([&](auto s, auto e) { return step(std::tuple(std::get<0>(s) * e, std::get<1>(s) + r), std::get<0>(s)); }, std::tuple(1.0, v), v);
                    return concatenate<0>(ys, std::get<1>(after));
                };
                auto counted = [&](auto r) { return std::get<0>(scan([&](auto s, auto turn) { return s + r * cast<double>(turn); }, v, times(3))); };
                auto backwards = [&](auto r) { return std::get<1>(scan([&](auto s, auto e) { return step(s + e, s); }, 0.0, r, {.reverse = true})); };
                auto nested = [&](auto r) {
                    return std::get<1>(scan([&](auto s, auto e) { return step(std::get<0>(scan([&](auto t, auto u) { return t * 0.5 + u * e; }, s, r)), s); }, 1.0, v));
                };
                return std::tuple(distance(last, a), distance(stacked, a), distance(shared_turns, a), distance(counted, a), distance(backwards, a), distance(nested, a));
            }),
            x, w, array<double, 1>{1, -1, 2, 0.5});
}

TEST_CASE("none and one, and a batch of batches") {
    auto f = function<cpu>([](matrix<double> a, tensor<double, dynamic, dynamic, dynamic> b) {
        auto last = [](auto r) { return std::get<0>(scan([](auto s, auto e) { return s * 0.5 + e; }, 0.0, r)); };
        return std::tuple(vmap(last, a), vmap([&](auto m) { return vmap(last, m); }, b));
    });
    auto [none_at_all, of_one] = f(array<double, 2>(0, 3), array<double, 3>{{{1, 2, 3}, {4, 5, 6}}});
    CHECK(none_at_all.size() == 0);
    CHECK(of_one == array<double, 2>{{0.25 + 1 + 3, 1 + 2.5 + 6}});
    auto [without_turns, others] = f(array<double, 2>(2, 0), array<double, 3>(2, 1, 1));
    CHECK(without_turns == array<double, 1>{0, 0});
    CHECK(others == array<double, 2>{{0}, {0}});
}
