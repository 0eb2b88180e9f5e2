// SPDX-License-Identifier: MIT
// Turns of small arrays that are written out in single numbers: what they give, of extents that are known, is what the same loops give of extents that only the call knows, which are not written out.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <std::size_t N> array<double, static_cast<int>(N)> waves(const std::int64_t (&extents)[N], double from) {
    std::array<std::int64_t, N> shape{};
    std::copy_n(extents, N, shape.begin());
    array<double, static_cast<int>(N)> x(shape);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = std::sin(from + 0.7 * static_cast<double>(i)) + 0.1;
    return x;
}

template <class Found, class Wanted> void check_close(const Found& found, const Wanted& wanted) {
    const auto one = []<class T, int Rank>(const array<T, Rank>& a, const array<T, Rank>& b) {
        if constexpr (std::is_integral_v<T>) CHECK(array_equal(a, b));
        else CHECK(allclose(a, b, 1e-10, 1e-12));
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) { (one(std::get<I>(found), std::get<I>(wanted)), ...); }(std::make_index_sequence<std::tuple_size_v<Found>>());
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// The filter of Kalman, and how likely what was measured is.
constexpr auto filter = [](auto y, auto a, auto q, auto c, auto r, auto m0, auto p0) {
    auto [last, out] = scan([&](auto s, auto z) {
        auto [m, p] = s;
        auto ahead = dot(a, m);
        auto spread = dot(dot(a, p), transpose(a)) + q;
        auto seen = dot(spread, c);
        auto variance = dot(c, seen) + r;
        auto off = z - dot(c, ahead);
        auto gain = seen / variance;
        return step(std::tuple(ahead + gain * off, spread - outer(gain, seen)), std::tuple(log(variance) + sqr(off) / variance, ahead, spread));
    }, std::tuple(m0, p0), y);
    auto [parts, ms, ps] = out;
    auto cost = sum(parts);
    auto [da, dq, dr] = grad(cost, a, q, r);
    return std::tuple(std::get<0>(last), std::get<1>(last), cost, ms, ps, da, dq, dr);
};

constexpr auto shown = [](auto x, auto m0, auto v0) {
    auto [last, out] = scan([](auto s, auto e) {
        auto [m, v] = s;
        auto both = concatenate<0>(v, e(slice(none, none, -1)));
        auto wide = m * expand_dims<0>(v) + expand_dims<1>(e(slice(0, 2)));
        auto rows = sum<1>(wide) + max<1>(m), columns = min<0>(m) + prod<0>(wide) * 0.01;
        auto next = tanh(columns + 0.1 * both(slice(1, none, 2)));
        auto square = dot(transpose(m), m);
        return step(std::tuple(0.5 * transpose(square)(slice(0, 2), slice()) + 0.1 * wide, next), std::tuple(both, rows, cast<float>(wide), sum(both)));
    }, std::tuple(m0, v0), x, {.reverse = true});
    auto cost = sum(std::get<0>(last)) + sum(std::get<0>(out)) + sum(std::get<3>(out));
    auto [dx, dm, dv] = grad(cost, x, m0, v0);
    return std::tuple(std::get<0>(last), std::get<1>(last), std::get<0>(out), std::get<1>(out), std::get<2>(out), std::get<3>(out), dx, dm, dv);
};

constexpr auto with_options = [](auto x, auto w, auto n) {
    auto [last, ys] = scan([&](auto s, auto e) { return step(tanh(dot(w, s) + e), s); }, 0.1 * w(0), x, {.checkpoint = 3});
    auto [other, zs] = scan([&](auto s, auto e) { return step(dot(w, s) + e, sum(s)); }, 0.1 * w(1), x, {.unroll = 2});
    auto [counted, us] = scan([&](auto s, auto t) { return step(dot(w, s) + cast<double>(t), s); }, w(0), times(n, 7));
    auto [ended, vs, turns] = scan([&](auto s) { return step(2 * dot(w, s), s, until(sum(sqr(s)) > 10)); }, w(1), times(20));
    auto cost = sum(ys) + sum(last) + sum(zs) + sum(other);
    auto [dx, dw] = grad(cost, x, w);
    return std::tuple(last, ys, other, zs, counted, us, ended, vs, turns, dx, dw);
};

}  // namespace

TEST_CASE("a filter and its derivatives") {
    const auto known = [](vector<double> y, matrix<double, 3, 3> a, matrix<double, 3, 3> q, vector<double, 3> c, scalar<double> r, vector<double, 3> m, matrix<double, 3, 3> p) { return filter(y, a, q, c, r, m, p); };
    const auto free = [](vector<double> y, matrix<double> a, matrix<double> q, vector<double> c, scalar<double> r, vector<double> m, matrix<double> p) { return filter(y, a, q, c, r, m, p); };
    const array<double, 1> y = waves({30}, 0), c = waves({3}, 1), m = waves({3}, 2);
    const array<double, 2> a = waves({3, 3}, 3), q = eye<double>(3), p = eye<double>(3);
    auto f = function<cpu>(known);
    CHECK(has(explain(f), "loop 1, a turn: 4 steps"));
    CHECK(!has(explain(f), "gemm"));
    const auto wanted = function<cpu>(free)(y, a, q, c, 0.5, m, p);
    check_close(f(y, a, q, c, 0.5, m, p), wanted);
    check_close(function<reference>(known)(y, a, q, c, 0.5, m, p), wanted);
    check_close(f(array<double, 1>(0), a, q, c, 0.5, m, p), function<cpu>(free)(array<double, 1>(0), a, q, c, 0.5, m, p));
}

TEST_CASE("every way to see small arrays, to repeat, to join and to sum them, backwards too") {
    const auto known = [](tensor<double, dynamic, 3> x, matrix<double, 2, 3> m0, vector<double, 3> v0) { return shown(x, m0, v0); };
    const auto free = [](matrix<double> x, matrix<double> m0, vector<double> v0) { return shown(x, m0, v0); };
    const array<double, 2> x = waves({7, 3}, 1), m = waves({2, 3}, 2);
    const array<double, 1> v = waves({3}, 3);
    CHECK(!has(explain(function<cpu>(known)), "gemm"));
    check_close(function<cpu>(known)(x, m, v), function<cpu>(free)(x, m, v));
}

TEST_CASE("options, and loops that end early") {
    const auto known = [](tensor<double, dynamic, 2> x, matrix<double, 2, 2> w, scalar<std::int64_t> n) { return with_options(x, w, n); };
    const auto free = [](matrix<double> x, matrix<double> w, scalar<std::int64_t> n) { return with_options(x, w, n); };
    const array<double, 2> x = waves({8, 2}, 1), w = waves({2, 2}, 4);
    for (const std::int64_t n : {0, 3, 7}) check_close(function<cpu>(known)(x, w, n), function<cpu>(free)(x, w, n));
}

TEST_CASE("what is as well off as it stands, and sums of exponentials, which are made stable") {
    const auto large = function<cpu>([](matrix<double, 5, 5> w, vector<double, 5> v) { return foldl([&](auto s) { return dot(w, s); }, v, times(9)); });
    CHECK(has(explain(large), "gemv"));
    const auto elementwise = function<cpu>([](vector<double, 4> v) { return foldl([&](auto s) { return s * v + 1; }, v, times(9)); });
    CHECK(has(explain(elementwise), "loop over [4]"));
    const auto stable = function<cpu>([](vector<double, 3> v) { return foldl([&](auto s) { return s + log(sum(exp(s))); }, v, times(3)); });
    const array<double, 1> y = stable(array<double, 1>{1000, 0, -1000});
    CHECK(y(0) == doctest::Approx(8000));
}

TEST_CASE("many loops at once") {
    const auto known = [](tensor<double, dynamic, dynamic, 2> x, matrix<double, 2, 2> w) {
        return vmap([&](auto xs) { return foldl([&](auto s, auto e) { return tanh(dot(w, s) + e); }, w(0), xs); }, x);
    };
    const auto free = [](tensor<double, dynamic, dynamic, dynamic> x, matrix<double> w) {
        return vmap([&](auto xs) { return foldl([&](auto s, auto e) { return tanh(dot(w, s) + e); }, w(0), xs); }, x);
    };
    const array<double, 3> x = waves({5, 6, 2}, 1);
    const array<double, 2> w = waves({2, 2}, 4);
    CHECK(allclose(function<cpu>(known)(x, w), function<cpu>(free)(x, w), 1e-12, 1e-12));
}
