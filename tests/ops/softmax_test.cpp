// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "reduce.hpp"

using namespace croton;
using support::layout;
using support::placed;

namespace {

template <class T, int... Axes> constexpr auto family = [](tensor<T, dynamic, dynamic, dynamic> x) {
    return std::tuple(softmax<Axes...>(x), log_softmax<Axes...>(x), logsumexp<Axes...>(x, keepdims));
};

template <class Device, class T, int... Axes> void check(double tolerance) {
    auto f = function<Device>(family<T, Axes...>);
    constexpr unsigned mask = sizeof...(Axes) == 0 ? 0u : (0u | ... | (1u << Axes));
    support::numbers random(51);
    for (const auto& extents : {extents_of<3>{2, 3, 5}, {1, 1, 1}, {17, 2, 33}, {3, 16, 1}})
        for (const double size : {1.0, 1e4})
            for (int l = 0; l < static_cast<int>(layout::count); ++l) {
                const auto x = random.fill<T, 3>(extents, -size, size);
                const placed<T, 3> p(x, static_cast<layout>(l));
                const auto [soft, log_soft, lse] = f(p.get());
                const auto groups = reduce_check::groups(p.get(), mask);
                INFO(support::device_name<Device>()
                     << " mask " << mask << " size " << size << " " << support::name_of(static_cast<layout>(l)));
                long double worst = 0;
                for (std::int64_t i = 0; i < x.size(); ++i) {
                    std::int64_t rest = i, group = 0, stride = 1;
                    for (int a = 3; a-- > 0; rest /= x.extent(a))
                        if (((mask >> a) & 1u) == 0) {
                            group += rest % x.extent(a) * stride;
                            stride *= x.extent(a);
                        }
                    const long double log_sum = reduce_check::logsumexp_of(groups[static_cast<std::size_t>(group)]);
                    const long double wanted = x.data()[i] - log_sum;
                    worst = std::max(worst, std::fabs(static_cast<long double>(soft.data()[i]) - std::exp(wanted)));
                    worst = std::max(worst, std::fabs(static_cast<long double>(log_soft.data()[i]) - wanted) /
                                                (1 + std::fabs(wanted)));
                    worst = std::max(worst, std::fabs(static_cast<long double>(lse.data()[group]) - log_sum) /
                                                (1 + std::fabs(log_sum)));
                }
                CHECK(worst < tolerance);
            }
}

}  // namespace

TEST_CASE("softmax, log_softmax and logsumexp over any axes") {
    check<cpu, float, 0>(2e-6);
    check<cpu, float, 1>(2e-6);
    check<cpu, float, 2>(2e-6);
    check<cpu, float, 0, 2>(2e-6);
    check<cpu, double, 1, 2>(4e-15);
    check<reference, float, 2>(2e-6);
    check<reference, double, 0>(4e-15);
}

TEST_CASE("the last axis unless one is named") {
    auto f = function<cpu>([](matrix<float> x) {
        return std::tuple(softmax(x), softmax<1>(x), softmax<-1>(x), log_softmax(x), logsumexp(x));
    });
    const array<float, 2> x{{0, 1, 2}, {3, 3, 3}};
    const auto [a, b, c, d, e] = f(x);
    CHECK(a == b);
    CHECK(a == c);
    CHECK(a(1, 0) == doctest::Approx(1.0 / 3));
    CHECK(d(1, 2) == doctest::Approx(-std::log(3.0)));
    CHECK(static_cast<float>(e) == doctest::Approx(std::log(1 + std::exp(1.0) + std::exp(2.0) + 3 * std::exp(3.0))));
}

TEST_CASE("softmax as the textbook writes it is the stable one") {
    auto f = function<cpu>([](matrix<float> x) {
        auto e = exp(x);
        return std::tuple(e / sum<1>(e, keepdims), log(sum<1>(exp(x))), log(softmax(x)));
    });
    const auto [p, lse, logs] = f(array<float, 2>{{1e4f, 1e4f, 0}, {-1e4f, -1e4f, -2e4f}});
    CHECK(p == array<float, 2>{{0.5f, 0.5f, 0}, {0.5f, 0.5f, 0}});
    CHECK(lse(0) == doctest::Approx(1e4 + std::log(2.0)));
    CHECK(lse(1) == doctest::Approx(-1e4 + std::log(2.0)));
    CHECK(logs(0, 2) == doctest::Approx(-1e4 - std::log(2.0)));
}
