// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "support.hpp"

using namespace croton;
using support::layout;
using support::placed;

namespace {

template <class T, class L> constexpr auto loss = [](matrix<T> logits, vector<L> label) {
    auto each = cross_entropy(logits, label);
    return std::tuple(each, grad(sum(each), logits), mean(each));
};

template <class Device, class T, class L> void check(double tolerance) {
    auto f = function<Device>(loss<T, L>);
    support::numbers random(61);
    for (const auto& extents : {extents_of<2>{1, 1}, {3, 5}, {17, 10}, {5, 33}, {0, 3}})
        for (const double size : {2.0, 1e4})
            for (int l = 0; l < static_cast<int>(layout::count); ++l) {
                const auto n = extents[0], c = extents[1];
                const auto x = random.fill<T, 2>({n, c}, -size, size);
                array<L, 1> label(n);
                for (L& e : label) e = static_cast<L>(random.next(0, static_cast<double>(c)));
                const placed<T, 2> p(x, static_cast<layout>(l));
                const auto [each, slope, average] = f(p.get(), placed<L, 1>(label, layout::reversed).get());
                double worst = 0, total = 0;
                for (std::int64_t i = 0; i < n; ++i) {
                    long double m = x(i, 0), s = 0;
                    for (std::int64_t j = 0; j < c; ++j) m = std::max<long double>(m, x(i, j));
                    for (std::int64_t j = 0; j < c; ++j) s += std::exp(x(i, j) - m);
                    const double wanted = static_cast<double>(m + std::log(s) - x(i, label(i)));
                    total += wanted;
                    worst = std::max(worst, std::fabs(static_cast<double>(each(i)) - wanted) / (1 + wanted));
                    for (std::int64_t j = 0; j < c; ++j)
                        worst = std::max(worst, std::fabs(static_cast<double>(slope(i, j)) -
                                                          (static_cast<double>(std::exp(x(i, j) - m) / s) -
                                                           (j == label(i) ? 1 : 0))));
                }
                INFO(support::device_name<Device>()
                     << " [" << n << "," << c << "] " << size << " " << support::name_of(static_cast<layout>(l)));
                CHECK(worst < tolerance);
                if (n > 0)
                    CHECK(static_cast<double>(static_cast<T>(average)) ==
                          doctest::Approx(total / static_cast<double>(n)).epsilon(1e-5));
            }
}

}  // namespace

TEST_CASE("cross-entropy and its gradient, softmax - onehot") {
    check<cpu, float, int>(2e-6);
    check<cpu, double, std::int64_t>(1e-14);
    check<reference, float, std::int64_t>(2e-6);
}

TEST_CASE("a label that names no class is an error, and nothing has changed") {
    auto f = function<cpu>([](matrix<float> x, vector<int> label, shared<matrix<float>> w) {
        auto cost = mean(cross_entropy(dot(x, w), label));
        return outputs(cost).updates(w -= 0.5 * grad(cost, w));
    });
    const array<float, 2> x{{1, 2}, {3, 4}, {5, 6}};
    array<float, 2> w{{0.1f, 0.2f, 0.3f}, {0.4f, 0.5f, 0.6f}};
    const array<float, 2> before = w;
    for (const int bad : {3, -1, 1000000, std::numeric_limits<int>::min()}) {
        CHECK_THROWS_AS(f(x, array<int, 1>{0, bad, 2}, w), value_error);
        CHECK(w == before);
    }
    CHECK_NOTHROW(f(x, array<int, 1>{0, 1, 2}, w));
    CHECK(!(w == before));
}

TEST_CASE("a computed label that names no class gives NaN") {
    auto f = function<cpu>([](matrix<float> x, vector<std::int64_t> label) { return cross_entropy(x, label + 1); });
    auto g =
        function<reference>([](matrix<float> x, vector<std::int64_t> label) { return cross_entropy(x, label + 1); });
    const array<float, 2> x{{1, 2}, {3, 4}, {5, 6}, {7, 8}};
    const array<std::int64_t, 1> label{-1, 0, 1, -2};
    for (const auto& y : {f(x, label), g(x, label)}) {
        CHECK(y(0) == doctest::Approx(std::log(1 + std::exp(1.0))));
        CHECK(y(1) == doctest::Approx(std::log(1 + std::exp(-1.0))));
        CHECK(std::isnan(y(2)));
        CHECK(std::isnan(y(3)));
    }
}

TEST_CASE("labels of more axes") {
    auto f =
        function<cpu>([](tensor<float, dynamic, dynamic, 3> x, matrix<int> label) { return cross_entropy(x, label); });
    array<float, 3> x(2, 2, 3);
    x(1, 0, 2) = 2;
    const array<float, 2> y = f(x, array<int, 2>{{0, 1}, {2, 0}});
    CHECK(y(0, 0) == doctest::Approx(std::log(3.0)));
    CHECK(y(1, 0) == doctest::Approx(std::log(2 + std::exp(2.0)) - 2));
    CHECK_THROWS_AS(f(x, array<int, 2>{{0, 1}, {3, 0}}), value_error);
}

TEST_CASE("one_hot") {
    auto f = function<cpu>(
        [](vector<int> label) { return std::tuple(one_hot<4>(label), cast<float>(one_hot<3>(label)) * 2); });
    const auto [four, three] = f(array<int, 1>{2, 0, 3, -1});
    CHECK(four == array<bool, 2>{{false, false, true, false},
                                 {true, false, false, false},
                                 {false, false, false, true},
                                 {false, false, false, false}});
    CHECK(three == array<float, 2>{{0, 0, 2}, {2, 0, 0}, {0, 0, 0}, {0, 0, 0}});
}
