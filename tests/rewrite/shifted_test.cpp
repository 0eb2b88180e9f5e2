// SPDX-License-Identifier: MIT
// The derivative of differences of neighbours: one array among zeros, read at several places.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <croton/croton.hpp>

using namespace croton;

namespace {

constexpr auto differences = [](vector<double> x) { return grad(sum(sqr(diff<0>(x))), x); };
constexpr auto two_arrays = [](vector<double> x) { return grad(sum(sqr(diff<0>(x)) + exp(x(slice(1, none)))), x); };
constexpr auto second_differences = [](vector<double> x) { return grad(sum(sqr(diff<0>(diff<0>(x)))), x); };
constexpr auto total_variation = [](matrix<double> u) { return grad(sum(sqr(diff<0>(u))) + sum(sqrt(1 + sqr(diff<1>(u)))), u); };
constexpr auto laplacian = [](matrix<double> u) {
    constexpr slice in(1, -1), low(none, -2), high(2, none);
    return grad(sum(sqr(u(high, in) + u(low, in) + u(in, high) + u(in, low) - 4.0 * u(in, in))), u);
};
constexpr auto volume = [](tensor<double, dynamic, dynamic, dynamic> u) {
    constexpr slice in(1, -1), low(none, -2), high(2, none);
    return grad(sum(exp(u(high, in, in) + u(low, in, in) + u(in, high, in) + u(in, low, in) + u(in, in, high) + u(in, in, low) - 6.0 * u(in, in, in))), u);
};
constexpr auto advection = [](vector<double> u) { return grad(sum(sqr(u(slice(1, -1)) * (u(slice(2, none)) - u(slice(none, -2))))), u); };
constexpr auto written = [](matrix<std::int32_t> x) {
    return pad(x, {{0, 2}, {1, 0}}) * 3 - (pad(x, {{1, 1}, {0, 1}}) + pad(x, {{2, 0}, {1, 0}}));
};
constexpr auto beside = [](vector<float> x, vector<float> y) {
    auto p = pad(x, {{1, 0}}), q = pad(x, {{0, 1}});
    return outputs(p - q, p, -(q + y));
};
constexpr auto known = [](vector<double, 6> x) { return grad(sum(sqr(diff<0>(x))), x); };

template <class T, int R> array<T, R> wave(array<T, R> x) {
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(10 * std::sin(static_cast<double>(i * i)));
    return x;
}

/// As the reference device has it, which adds what the derivative says.
template <class F, class... A> void check(F lambda, const A&... arguments) {
    const auto y = function<cpu>(lambda)(arguments...), expected = function<reference>(lambda)(arguments...);
    REQUIRE(y.extents() == expected.extents());
    for (std::int64_t i = 0; i < y.size(); ++i) CHECK(static_cast<double>(y.data()[i]) == doctest::Approx(static_cast<double>(expected.data()[i])));
}

template <class F> std::string text_of(F lambda) { return explain(function<cpu>(lambda)); }
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("of vectors, also where there are fewer elements than neighbours") {
    for (const int n : {0, 1, 2, 3, 4, 5, 9, 40}) {
        const auto x = wave(array<double, 1>(n));
        check(differences, x);
        check(two_arrays, x);
        check(second_differences, x);
        check(advection, x);
    }
    check(known, wave(array<double, 1>(6)));
    CHECK(has(text_of(differences), "an array among zeros at several places is stored once"));
    CHECK(has(text_of(known), "an array among zeros at several places is stored once"));
}

TEST_CASE("along several axes") {
    for (const int n : {0, 1, 2, 3, 4, 7})
        for (const int m : {0, 1, 2, 3, 5, 20}) {
            const auto u = wave(array<double, 2>(n, m));
            check(total_variation, u);
            check(laplacian, u);
            check(written, wave(array<std::int32_t, 2>(n, m)));
            array<double, 3> v(n, m, 4);
            for (std::int64_t i = 0; i < v.size(); ++i) v.data()[i] = 0.1 * std::sin(static_cast<double>(i * i));
            check(volume, v);
        }
    for (const std::string& text : {text_of(laplacian), text_of(volume), text_of(written)}) CHECK(has(text, "    1 temporary array\n"));
    CHECK(has(text_of(total_variation), "    2 temporary arrays\n"));
}

TEST_CASE("what others read beside") {
    for (const int n : {0, 1, 2, 5}) {
        const auto x = wave(array<float, 1>(n)), y = wave(array<float, 1>(n + 1));
        const auto [a, b, c] = function<cpu>(beside)(x, y);
        REQUIRE(a.size() == n + 1);
        for (int i = 0; i <= n; ++i) {
            const float p = i > 0 ? x(i - 1) : 0, q = i < n ? x(i) : 0;
            CHECK(a(i) == p - q);
            CHECK(b(i) == p);
            CHECK(c(i) == -(q + y(i)));
        }
    }
}

TEST_CASE("times what leaves no zeros") {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr auto scaled = [](vector<float> x) { return pad(x * infinity, {{0, 1}}) + pad(x, {{1, 0}}); };
    const auto y = function<cpu>(scaled)(array<float, 1>{1, 2, 3});
    CHECK(y(0) == infinity);
    CHECK(y(3) == 3);
}
TEST_CASE("in loops") {
    // Steps of a diffusion, and the slope in where it began.
    constexpr auto steps = [](vector<double> start) {
        auto last = foldl([](auto u) { return u + 0.1 * pad(diff<0>(diff<0>(u)), {{1, 1}}); }, start, times(4));
        return grad(sum(sqr(last)), start);
    };
    check(steps, wave(array<double, 1>(12)));
    check(steps, wave(array<double, 1>(2)));
}
