// SPDX-License-Identifier: MIT
// The largest and the smallest up to each element, and what cumulates all elements.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "along.hpp"

using namespace croton;
using along::check_layouts;
using along::for_each_row;

namespace {

template <bool Largest> constexpr auto extremes = [](const auto& x, auto& y) {
    for (std::size_t i = 0; i < x.size(); ++i)
        y[i] = i == 0 ? x[i] : y[i - 1] != y[i - 1] || x[i] != x[i] ? y[i - 1] + x[i] : Largest ? std::max(y[i - 1], x[i]) : std::min(y[i - 1], x[i]);
};

template <int Out, class F, class T> void check_one(const F& f, const array<T, 2>& x, int axis) {
    array<T, 2> expected(x.extents());
    if constexpr (Out < 2) for_each_row(x, expected, axis, extremes<true>);
    else for_each_row(x, expected, axis, extremes<false>);
    check_layouts<T>([&](const auto& v) { return std::get<Out>(f(v)); }, x, expected);
}

template <class Device, class T> void check_type() {
    const auto f = function<Device>([](matrix<T> x) { return outputs(cummax<0>(x), cummax<-1>(x), cummin<0>(x), cummin<1>(x)); });
    for (const auto& extents : {extents_of<2>{3, 5}, {5, 1}, {1, 4}, {0, 3}, {3, 0}, {7, 70}, {70, 7}}) {
        array<T, 2> x(extents);
        for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i * 37 % 101 - 50);
        if (std::is_floating_point_v<T> && x.size() > 30) x.data()[20] = std::numeric_limits<T>::quiet_NaN();
        check_one<0>(f, x, 0);
        check_one<1>(f, x, 1);
        check_one<2>(f, x, 0);
        check_one<3>(f, x, 1);
    }
}

}  // namespace

TEST_CASE("cpu") {
    check_type<cpu, float>();
    check_type<cpu, double>();
    check_type<cpu, int>();
    check_type<cpu, std::uint64_t>();
}
TEST_CASE("reference") {
    check_type<reference, float>();
    check_type<reference, std::int8_t>();
}

TEST_CASE("infinities, NaN and half") {
    constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const auto check = [](const auto& f) {
        const auto [a, b, h] = f(array<float, 1>{-infinity, 2, infinity, 1}, array<half, 1>{half(2), half(3), half(1)});
        CHECK(a == array<float, 1>{-infinity, 2, infinity, infinity});
        CHECK(b == array<float, 1>{-infinity, -infinity, -infinity, -infinity});
        CHECK(h == array<float, 1>{2, 3, 3});
        const auto [c, d, empty] = f(array<float, 1>{1, nan, 5}, array<half, 1>{});
        CHECK((c(0) == 1 && c(1) != c(1) && c(2) != c(2) && d(1) != d(1) && d(2) != d(2) && empty.size() == 0));
    };
    constexpr auto f = [](vector<float> x, vector<half> h) { return outputs(cummax(x), cummin(x), cummax(h)); };
    check(function<cpu>(f));
    check(function<reference>(f));
}

TEST_CASE("a cotangent goes to the element that was the extreme, the last one of equals") {
    const auto check = [](auto device) {
        const auto f = function<decltype(device)>([](vector<double> x, vector<double> c) {
            return outputs(grad(sum(cummax(x) * c), x), grad(sum(cummin(x) * c), x), grad(sum(grad(sum(sqr(cummax(x))), x) * c), x));
        });
        constexpr double infinity = std::numeric_limits<double>::infinity();
        const auto [up, down, twice] = f(array<double, 1>{-infinity, 2, 1, 2, 3}, array<double, 1>{1, 10, 100, 1000, 10000});
        CHECK(up == array<double, 1>{1, 110, 0, 1000, 10000});
        CHECK(down == array<double, 1>{11111, 0, 0, 0, 0});
        CHECK(twice == array<double, 1>{2, 40, 0, 2000, 20000});
        const auto [to_nan, low, second] = f(array<double, 1>{1, std::numeric_limits<double>::quiet_NaN(), 5}, array<double, 1>{1, 10, 100});
        CHECK(to_nan == array<double, 1>{1, 110, 0});
    };
    check(cpu());
    check(reference());
    CHECK_NOTHROW(verify_grad([](matrix<double> x) { return std::tuple(cummax<0>(x), cummax<1>(x) * x, cummin<0>(sqr(x)), grad(sum(sqr(cummin<1>(x)) * x), x)); },
                              support::numbers(4).fill<double, 2>({4, 3})));
}

TEST_CASE("sums and products of all elements in their order") {
    const auto check = [](auto device) {
        const auto f = function<decltype(device)>([](matrix<float> x, scalar<int> n, tensor<int, 2, 1, 2> t) { return outputs(cumsum(x), cumprod(transpose(x)), cumsum(n), cumsum(t), grad(sum(sqr(cumsum(x))), x)); });
        const auto [sums, products, one, whole, slope] = f(array<float, 2>{{1, 2}, {3, 4}}, 7, array<int, 3>{{{1, 2}}, {{3, 4}}});
        CHECK(sums == array<float, 1>{1, 3, 6, 10});
        CHECK(products == array<float, 1>{1, 3, 6, 24});
        CHECK(one == array<std::int64_t, 1>{7});
        CHECK(whole == array<std::int64_t, 1>{1, 3, 6, 10});
        CHECK(slope == array<float, 2>{{40, 38}, {32, 20}});
    };
    check(cpu());
    check(reference());
}

TEST_CASE("vmap") {
    const auto f = function<cpu>([](matrix<float> x) { return vmap([](auto row) { return cummax(row); }, x); });
    CHECK(f(array<float, 2>{{1, 3, 2}, {5, 4, 6}}) == array<float, 2>{{1, 3, 3}, {5, 5, 6}});
}
