// SPDX-License-Identifier: MIT
// half and bfloat16 in reductions, products, gradients and updates.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "function/half.hpp"

using namespace test;

namespace {

template <class T> auto reductions(auto device) {
    return function<decltype(device)>([](matrix<T> x, vector<int> label, matrix<T> w, vector<T> v) {
        return outputs(sum(x), sum<0>(x), max<1>(x), mean<1>(x), argmax<1>(x), softmax(x), mean(cross_entropy(x, label)), logsumexp<1>(x),
                       dot(x, w), dot(x, v), dot(v, v), dot(transpose(x), newaxis<1>(sum<1>(x))), min<0>(x), cast<T>(prod<1>(x)));
    });
}

template <class T> void check_reductions() {
    auto on_cpu = reductions<T>(cpu{});
    auto expected = reductions<T>(reference{});
    for (const auto& size : {std::pair<std::int64_t, std::int64_t>{1, 1}, {3, 5}, {5, 100}, {33, 17}, {300, 7}, {0, 4}}) {
        CAPTURE(size.first);
        const std::int64_t n = size.first, m = size.second;
        const auto x = drawn<T, 2>(1, {n, m}, 3);
        const auto w = drawn<T, 2>(2, {m, 9});
        const auto v = drawn<T, 1>(3, {m});
        array<int, 1> label(n);
        for (std::int64_t i = 0; i < n; ++i) label(i) = static_cast<int>(i % m);
        if (n == 0) {
            // An empty maximum is an error, as in float.
            CHECK_THROWS_AS(on_cpu(x, label, w, v), shape_error);
            continue;
        }
        const auto e = expected(x, label, w, v);
        const auto r = on_cpu(x, label, w, v);
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            const bool same[] = {near(std::get<I>(r), std::get<I>(e))...};
            for (std::size_t i = 0; i < sizeof...(I); ++i) {
                CAPTURE(i);
                CHECK((same[i] || i == 13));
            }
        }(std::make_index_sequence<std::tuple_size_v<decltype(e)>>());
        CHECK(near(std::get<13>(r), std::get<13>(e), 0.01));
    }
}

}  // namespace

TEST_CASE("reductions and products of half") { check_reductions<half>(); }
TEST_CASE("reductions and products of bfloat16") { check_reductions<bfloat16>(); }

TEST_CASE("a long sum of half is as good as one of float") {
    auto f = function<cpu>([](vector<half> x) { return outputs(sum(x), mean(x)); });
    array<half, 1> x(3'000'001);
    x.fill(0.1);
    const auto [total, average] = f(x);
    const double each = static_cast<float>(half(0.1));
    CHECK(static_cast<float>(total) == doctest::Approx(each * 3'000'001).epsilon(1e-6));
    CHECK(static_cast<float>(average) == doctest::Approx(each).epsilon(1e-6));
}

TEST_CASE("updates of shared half are computed in float and rounded once; gradients are float") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<half> x, vector<float> y, shared<vector<half>> w, shared<scalar<bfloat16>> b) {
            auto p = 1 / (1 + exp(-dot(x, w) - b));
            auto cost = mean(-y * log(p) - (1 - y) * log(1 - p)) + 0.01 * sum(sqr(w));
            auto [gw, gb] = grad(cost, w, b);
            static_assert(std::is_same_v<detail::element_in<decltype(gw)>, float>);
            return outputs(cost, gw, w - 0.1 * gw, b - 0.1 * gb).updates(w -= 0.1 * gw, b -= 0.1 * gb);
        });
    };
    auto on_cpu = make(cpu{});
    auto expected = make(reference{});
    const auto x = drawn<half, 2>(1, {50, 33});
    array<float, 1> y(50);
    for (int i = 0; i < 50; i += 3) y(i) = 1;
    auto w = drawn<half, 1>(2, {33}), we = w;
    array<bfloat16, 0> b, be;
    for (int step = 0; step < 3; ++step) {
        const auto [cost, gw, new_w, new_b] = on_cpu(x, y, w, b);
        const auto [cost_e, gw_e, new_w_e, new_b_e] = expected(x, y, we, be);
        CHECK(near(cost, cost_e));
        CHECK(near(gw, gw_e, 1e-4));
        CHECK(near(w, we, 2e-3));
        for (int i = 0; i < 33; ++i) CHECK(w(i).bits == half(new_w(i)).bits);
        CHECK(static_cast<bfloat16>(b).bits == bfloat16(static_cast<float>(new_b)).bits);
        w = we;
        b = be;
    }
    auto other = function<cpu>([](shared<vector<half>> w2, vector<bfloat16> v, shared<scalar<half>> s) {
        return updates(update(w2, v), update(s, 0.1));
    });
    array<half, 1> to(3);
    array<half, 0> s;
    other(to, array<bfloat16, 1>{1, 3.140625, -2}, s);
    CHECK(near(to, array<half, 1>{1, 3.140625, -2}, 0));
    CHECK(static_cast<half>(s).bits == half(0.1).bits);
}

namespace {

template <template <class, int> class A> struct net {
    A<half, 2> w;
    A<bfloat16, 1> b;
};

}  // namespace

TEST_CASE("models of half: optimisers compute in float, results come as the model stores them") {
    auto step = function<cpu>([](matrix<half> x, vector<int> label, shared<net<symbol>> n, shared<adam_state<net<symbol>>> state) {
        auto cost = mean(cross_entropy(dot(x, n.w) + n.b, label));
        return outputs(cost, grad(cost, n)).updates(adam(cost, n, state, {.learning_rate = 0.01}));
    });
    net<on<cpu>::array> n{drawn<half, 2>(1, {12, 4}), array<bfloat16, 1>(4)};
    auto state = adam_state<net<on<cpu>::array>>::zeros_like(n);
    const auto x = drawn<half, 2>(2, {64, 12});
    array<int, 1> label(64);
    for (int i = 0; i < 64; ++i) label(i) = static_cast<float>(x(i, 0)) > 0 ? 1 : 2;
    double first = 0, last = 0;
    for (int i = 0; i < 100; ++i) {
        const auto [cost, g] = step(x, label, n, state);
        static_assert(std::is_same_v<std::remove_cvref_t<decltype(g.w)>, array<half, 2>>);
        last = static_cast<float>(cost);
        if (i == 0) {
            first = last;
            CHECK(static_cast<float>(g.w(0, 1)) != 0);
        }
    }
    CHECK(last < 0.7 * first);
}

TEST_CASE("a gradient flows through a rounding") {
    auto f = function<cpu>([](vector<float> x, vector<half> h) {
        auto rounded = cast<half>(x * 3);
        auto cost = sum(sqr(rounded)) + sum(sqr(transpose(h)));
        auto [gx, gh, gr] = grad(cost, x, h, rounded);
        return outputs(gx, gh, gr);
    });
    const array<float, 1> x{0.1f, 2, -1};
    const array<half, 1> h{0.1, 1, 2};
    const auto [gx, gh, gr] = f(x, h);
    for (int i = 0; i < 3; ++i) {
        const float r = half(x(i) * 3);
        CHECK(gr(i) == 2 * r);
        CHECK(gx(i) == doctest::Approx(6 * r));
        CHECK(gh(i) == 2 * static_cast<float>(h(i)));
    }
}
