// SPDX-License-Identifier: MIT
// Random programs of convolutions, pools, normalisations, dropouts and draws: on the CPU what the reference device makes of them, with gradients that are those
// of differences.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <croton/croton.hpp>

using namespace croton;

namespace {

struct choices {
    unsigned state;
    constexpr unsigned below(unsigned n) {
        state = state * 1664525u + 1013904223u;
        return (state >> 16) % n;
    }
};

/// Six steps from an image of `n` channels, of which `side` says how many elements it has along each axis at least.
template <unsigned Seed, class X, class W, class P, class D, class B, class S> constexpr auto grown(const X& x, const W& w, const P& point, const D& deep, const B& bias, const S& rng) {
    choices of{Seed * 2654435761u + 12345};
    auto y = x * 1.5;
    int side = 9;
    for (int i = 0; i < 6; ++i) {
        const int by = static_cast<int>(of.below(2)) + 1;
        const bool narrow = side < 5;
        switch (of.below(12)) {
        case 0:
            y = conv2d(y, w, bias, {.stride = {by, 1}, .padding = 1, .groups = 2});
            side = (side - 1) / by + 1;
            break;
        case 1: y = relu(conv2d(y, w, {.padding = "same", .dilation = by, .groups = 2, .flip = by == 1})); break;
        case 2: y = conv2d(y, point) + y; break;
        case 3: y = conv2d(y, deep, {.padding = {{2, 0}, {1, 1}}, .groups = 4}); break;
        case 4:
            if (narrow) y = upsample_bilinear<2>(y);
            else y = max_pool2d(relu(y), {.kernel = 2, .stride = by});
            side = narrow ? 2 * side : (side - 2) / by + 1;
            break;
        case 5:
            if (narrow) y = conv_transpose2d(y, w, {.stride = 2, .padding = 1, .output_padding = 1, .groups = 2});
            else y = avg_pool2d(y, {.kernel = 3, .stride = by, .padding = 1, .count_padding = by == 1});
            side = narrow ? 2 * side : (side - 1) / by + 1;
            break;
        case 6: y = dropout(tanh(y), by == 1 ? 0.5 : 0.2, rng); break;
        case 7: y = y + 0.25 * normal_like(y, rng); break;
        case 8: y = y * uniform_like(y, rng) + where(bernoulli_like(y, 0.3, rng), y, 0.5); break;
        case 9: y = batch_norm(y); break;
        case 10: y = y * exp(-gumbel_like(y, rng)) / (1 + exponential_like(y, rng)); break;
        default: y = group_norm<2>(y + newaxis<1, 2>(bias)); break;
        }
    }
    return y;
}

template <unsigned Seed> constexpr auto program = [](tensor<double, dim("n"), 4, dynamic, dynamic> x, tensor<double, 4, 2, 3, 3> w, tensor<double, 4, 4, 1, 1> point,
                                                     tensor<double, 4, 1, 3, 3> deep, vector<double, 4> bias, shared<random_state<symbol>> rng) {
    const auto y = grown<Seed>(x, w, point, deep, bias, rng);
    const auto cost = mean(sqr(y - 0.5)) + 0.01 * (sum(sqr(w)) + sum(sqr(point)) + sum(sqr(deep)) + sum(sqr(bias)));
    return outputs(y, cost, grad(cost, x, w, point, deep, bias));
};

template <class A> A numbers(std::uint64_t seed, A a) {
    random::uniform(a, seed, -0.7, 0.7);
    return a;
}
template <class P, class Q> bool near(const P& p, const Q& q) {
    bool all = p.extents() == q.extents();
    for (std::int64_t i = 0; all && i < p.size(); ++i) all = std::abs(p.data()[i] - q.data()[i]) <= 1e-9 * std::max(1.0, std::abs(q.data()[i]));
    return all;
}

template <unsigned Seed> void check() {
    CAPTURE(Seed);
    const auto fast = function<cpu>(program<Seed>);
    const auto plain = function<reference>(program<Seed>);
    const auto w = numbers(1, array<double, 4>(4, 2, 3, 3)), point = numbers(2, array<double, 4>(4, 4, 1, 1)), deep = numbers(3, array<double, 4>(4, 1, 3, 3));
    const auto bias = numbers(4, array<double, 1>(4));
    for (const std::int64_t n : {2, 0}) {
        const auto x = numbers(5, array<double, 4>(n, 4, 9, 11));
        const auto state = [] { return random_state<on<cpu>::array>::seed(Seed + 7); };
        auto a = state(), b = state();
        const auto [y, cost, slopes] = fast(x, w, point, deep, bias, a);
        const auto [y_plain, cost_plain, slopes_plain] = plain(x, w, point, deep, bias, b);
        CHECK(a.calls() == b.calls());
        CHECK(near(y, y_plain));
        if (n == 0) continue;
        CHECK(std::abs(cost() - cost_plain()) <= 1e-10 * cost_plain());
        const auto same = [&]<std::size_t... I>(std::index_sequence<I...>) { return (near(std::get<I>(slopes), std::get<I>(slopes_plain)) && ...); };
        CHECK(same(std::make_index_sequence<5>()));

        // Along a random direction of all arguments: the state has counted on, so each side has one as it was.
        const auto along = [&](double h) {
            const auto moved = [&](std::uint64_t seed, auto from) {
                const auto by = numbers(seed, from);
                for (std::int64_t i = 0; i < from.size(); ++i) from.data()[i] += h * by.data()[i];
                return from;
            };
            auto s = state();
            return std::get<1>(fast(moved(11, x), moved(12, w), moved(13, point), moved(14, deep), moved(15, bias), s))();
        };
        double slope = 0;
        const auto add = [&](std::uint64_t seed, const auto& by) {
            const auto direction = numbers(seed, by);
            for (std::int64_t i = 0; i < by.size(); ++i) slope += by.data()[i] * direction.data()[i];
        };
        add(11, std::get<0>(slopes));
        add(12, std::get<1>(slopes));
        add(13, std::get<2>(slopes));
        add(14, std::get<3>(slopes));
        add(15, std::get<4>(slopes));
        const double by_difference = (along(1e-7) - along(-1e-7)) / 2e-7;
        CHECK(std::abs(by_difference - slope) <= 1e-5 * std::max(1.0, std::abs(slope)));
    }
}

}  // namespace

TEST_CASE("random programs of images and draws, 0 to 3") {
    check<0>();
    check<1>();
    check<2>();
    check<3>();
}
TEST_CASE("random programs of images and draws, 4 to 7") {
    check<4>();
    check<5>();
    check<6>();
    check<7>();
}
