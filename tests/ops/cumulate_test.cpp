// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "along.hpp"

using namespace croton;
using along::check_layouts;
using along::for_each_row;

namespace {

constexpr auto of_vector = [](vector<float> x) { return outputs(cumsum(x), cumprod(x), logcumsumexp(x)); };
constexpr auto of_matrix = [](matrix<double> x) { return outputs(cumsum<0>(x), cumsum<-1>(x), cumprod<0>(x), logcumsumexp<1>(x)); };
constexpr auto of_four = [](tensor<float, dynamic, dynamic, dynamic, dynamic> x) {
    return outputs(cumsum<0>(x), cumsum<1>(x), cumsum<2>(x), cumsum<3>(x));
};

template <class T> auto sums = [](const std::vector<T>& x, auto& y) {
    using R = typename std::remove_reference_t<decltype(y)>::value_type;
    R sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = sum = static_cast<R>(sum + static_cast<R>(x[i]));
};
template <class T> auto products = [](const std::vector<T>& x, std::vector<T>& y) {
    T product = 1;
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = product *= x[i];
};
template <class T> auto log_sums = [](const std::vector<T>& x, std::vector<T>& y) {
    long double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = static_cast<T>(std::log(sum += std::exp(static_cast<long double>(x[i]))));
};

template <int Out, int Rank, class F, class T, class R> void check_one(const F& f, const array<T, Rank>& x, int axis, R&& oracle) {
    array<T, Rank> expected(x.extents());
    for_each_row(x, expected, axis, oracle);
    check_layouts<T>([&](const auto& v) { return std::get<Out>(f(v)); }, x, expected);
}

template <class Device> void check_all() {
    const auto f = function<Device>(of_vector);
    for (const std::int64_t n : {0, 1, 2, 37}) {
        const auto x = support::numbers(5).fill<float, 1>({n});
        check_one<0>(f, x, 0, sums<float>);
        check_one<1>(f, x, 0, products<float>);
        check_one<2>(f, x, 0, log_sums<float>);
    }
    const auto g = function<Device>(of_matrix);
    for (const auto& extents : {extents_of<2>{3, 5}, {5, 1}, {1, 4}, {0, 3}, {3, 0}, {7, 70}, {70, 7}}) {
        const auto x = support::numbers(6).fill<double, 2>(extents);
        check_one<0>(g, x, 0, sums<double>);
        check_one<1>(g, x, 1, sums<double>);
        check_one<2>(g, x, 0, products<double>);
        check_one<3>(g, x, 1, log_sums<double>);
    }
    const auto h = function<Device>(of_four);
    const auto x = support::numbers(7).fill<float, 4>({2, 3, 4, 35});
    check_one<0>(h, x, 0, sums<float>);
    check_one<1>(h, x, 1, sums<float>);
    check_one<2>(h, x, 2, sums<float>);
    check_one<3>(h, x, 3, sums<float>);
}

}  // namespace

TEST_CASE("cpu") { check_all<cpu>(); }
TEST_CASE("reference") { check_all<reference>(); }

TEST_CASE("integers and bools are cumulated as int64, and half as float") {
    const auto check = [](const auto& f) {
        const array<int, 2> x{{2000000000, 2000000000}, {1, -3}};
        const array<bool, 1> b{true, false, true};
        const array<half, 1> h{half(2048), half(1), half(1)};
        const auto [over, down, product, count, halves] = f(x, b, h);
        CHECK(over == array<std::int64_t, 2>{{2000000000, 4000000000}, {1, -2}});
        CHECK(down == array<std::int64_t, 2>{{2000000000, 2000000000}, {2000000001, 1999999997}});
        CHECK(product == array<std::int64_t, 2>{{2000000000, 4000000000000000000}, {1, -3}});
        CHECK(count == array<std::int64_t, 1>{1, 1, 2});
        CHECK(halves == array<float, 1>{2048, 2049, 2050});
    };
    constexpr auto f = [](matrix<int> x, vector<bool> b, vector<half> h) {
        return outputs(cumsum<1>(x), cumsum<0>(x), cumprod<1>(x), cumsum(b), cumsum(h));
    };
    check(function<cpu>(f));
    check(function<reference>(f));
}

TEST_CASE("special numbers") {
    constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const auto check = [&](const auto& f) {
        const auto [zeros, n1, l1] = f(array<float, 1>{-0.0f, -0.0f, 0.0f});
        CHECK(std::signbit(zeros(1)));
        CHECK(!std::signbit(zeros(2)));
        const auto [s2, p2, l2] = f(array<float, 1>{-infinity, -infinity, 1, infinity, 2});
        CHECK(l2 == array<float, 1>{-infinity, -infinity, 1, infinity, infinity});
        const auto [s3, p3, l3] = f(array<float, 1>{1, nan, 2});
        CHECK(s3(0) == 1);
        CHECK((s3(2) != s3(2) && p3(2) != p3(2) && l3(1) != l3(1) && l3(2) != l3(2)));
        const auto [s4, p4, l4] = f(array<float, 1>{1000, 1000, -1000});
        CHECK(l4(1) == doctest::Approx(1000.6931));
        CHECK(l4(2) == doctest::Approx(1000.6931));
    };
    check(function<cpu>(of_vector));
    check(function<reference>(of_vector));
}

TEST_CASE("what is no array in memory is written there first, and a result is read by loops and products") {
    constexpr auto f = [](matrix<float> x, vector<float> v) {
        auto y = cumsum<1>(exp(x)) + 1;
        return outputs(sum(cumsum<0>(transpose(x)) * 2), dot(y, v), cumsum<0>(x + v), cumsum<1>(reshape<2, dynamic>(x)));
    };
    const auto g = function<cpu>(f);
    const auto h = function<reference>(f);
    const auto x = support::numbers(1).fill<float, 2>({4, 6});
    const auto v = support::numbers(2).fill<float, 1>({6});
    const auto strided = support::placed<float, 2>(x, support::layout::stepped);
    const auto [a, b, c, d] = g(strided.get(), v);
    const auto [ra, rb, rc, rd] = h(x, v);
    CHECK(a == doctest::Approx(ra));
    along::check_same(b, rb);
    along::check_same(c, rc);
    along::check_same(d, rd);
}

TEST_CASE("a parameter is read before its update overwrites it") {
    auto f = function<cpu>([](shared<vector<float>> w) { return updates(update(w, cumsum(w))); });
    array<float, 1> w{1, 2, 3};
    f(w);
    CHECK(w == array<float, 1>{1, 3, 6});
    f(w);
    CHECK(w == array<float, 1>{1, 4, 10});
}
