// SPDX-License-Identifier: MIT
// Random numbers in the turns of loops: those of a turn are its own, however the loop is cut, and in its derivative.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

namespace {

constexpr std::uint64_t seed = 99;
constexpr std::int64_t turns = 11, width = 21;

float unit(std::int64_t turn, std::int64_t i, std::uint64_t call = 0) {
    return random::unit_number(random::random_word<std::uint32_t>(seed, 0, call, static_cast<std::uint32_t>(turn), static_cast<std::uint64_t>(i)));
}

/// A loop with a draw in its turn, of which a part may be computed for all turns before, and what it gives: the state, the numbers drawn, and derivatives.
template <class Device, int Checkpoint = 0, int Unroll = 1, bool Reverse = false> auto noisy() {
    return function<Device>([](vector<float> first, matrix<float> xs, shared<random_state<symbol>> rng) {
        const auto [last, drawn] = scan(
            [&](auto h, auto x) {
                const auto u = uniform_like(h, rng);
                return step(tanh(0.5f * h + exp(u) * x), u);
            },
            first, xs, {.reverse = Reverse, .checkpoint = Checkpoint, .unroll = Unroll});
        const auto [by_first, by_xs] = grad(sum(last), first, xs);
        return outputs(last, drawn, by_first, by_xs);
    });
}

template <class F> void check(const F& f, bool reverse) {
    array<float, 1> first(width);
    array<float, 2> xs(turns, width);
    for (std::int64_t i = 0; i < width; ++i) first(i) = 0.1f * static_cast<float>(i % 5);
    for (std::int64_t i = 0; i < xs.size(); ++i) xs.data()[i] = 0.2f + 0.1f * static_cast<float>(i % 7);
    auto rng = random_state<on<cpu>::array>::seed(seed);
    for (std::uint64_t call = 0; call < 2; ++call) {
        const auto [last, drawn, by_first, by_xs] = f(first, xs, rng);
        int wrong = 0;
        for (std::int64_t i = 0; i < width; ++i) {
            std::vector<double> h{first(i)};
            for (std::int64_t s = 0; s < turns; ++s) {
                const std::int64_t t = reverse ? turns - 1 - s : s;
                wrong += drawn(t, i) != unit(t, i, call);
                h.push_back(std::tanh(0.5 * h.back() + std::exp(double{unit(t, i, call)}) * xs(t, i)));
            }
            wrong += !(std::abs(last(i) - h.back()) < 1e-5);
            double slope = 1;
            for (std::int64_t s = turns - 1; s >= 0; --s) {
                const std::int64_t t = reverse ? turns - 1 - s : s;
                const double next = h[static_cast<std::size_t>(s + 1)], inner = slope * (1 - next * next);
                wrong += !(std::abs(by_xs(t, i) - inner * std::exp(double{unit(t, i, call)})) < 1e-5);
                slope = 0.5 * inner;
            }
            wrong += !(std::abs(by_first(i) - slope) < 1e-5);
        }
        CHECK(wrong == 0);
        CHECK(rng.calls() == call + 1);
    }
}

}  // namespace

TEST_CASE("each turn draws anew, and its derivative has what it drew") {
    check(noisy<cpu>(), false);
    check(noisy<reference>(), false);
}
TEST_CASE("backwards") { check(noisy<cpu, 0, 1, true>(), true); }
TEST_CASE("in chunks that are run again") { check(noisy<cpu, 4>(), false); }
TEST_CASE("with several turns as one") { check(noisy<cpu, 0, 3>(), false); }

TEST_CASE("loops in loops, loops that end, and what all turns share") {
    const auto f = function<cpu>([](vector<float, 3> x, shared<random_state<symbol>> rng) {
        const auto [all, rows] = scan([&](auto h) {
            const auto [inner, drawn] = scan([&](auto s) {
                const auto u = uniform_like(s, rng);
                return step(s + u, u);
            }, h, times(4));
            return step(inner, drawn);
        }, x, times(5));
        const auto shared_draw = uniform_like(x, rng);
        const auto [ended, given, count] = scan([&](auto h) {
            const auto u = uniform_like(h, rng);
            const auto next = h + u + shared_draw * 0;
            return step(next, u, until(sum(next) > 3));
        }, x, times(20));
        return outputs(all, rows, given, count);
    });
    auto rng = random_state<on<cpu>::array>::seed(seed);
    const auto [all, rows, given, count] = f(array<float, 1>{0, 0, 0}, rng);
    int wrong = 0;
    for (std::int64_t a = 0; a < 5; ++a)
        for (std::int64_t b = 0; b < 4; ++b)
            for (std::int64_t i = 0; i < 3; ++i) wrong += rows(a, b, i) != unit(4 * a + b, i);
    double total = 0;
    for (std::int64_t t = 0; t < count(); ++t) {
        CHECK(total <= 3);
        for (std::int64_t i = 0; i < 3; ++i) {
            wrong += given(t, i) != random::unit_number(random::random_word<std::uint32_t>(seed, 2, 0, static_cast<std::uint32_t>(t), static_cast<std::uint64_t>(i)));
            total += given(t, i);
        }
    }
    CHECK(total > 3);
    CHECK(wrong == 0);
}
