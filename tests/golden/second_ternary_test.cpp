// SPDX-License-Identifier: MIT
// The second derivatives of each operator of three arguments, and of its square: those of what is made of straight pieces and of products need no digits but their own. On all
// triples of ordinary points, signed zeros, ties and, of the operator itself, infinities and NaN.
#include <array>
#include <limits>

#include "golden/second.hpp"

namespace {

using namespace croton;
using golden::both_ways;

constexpr double inf = std::numeric_limits<double>::infinity(), not_a_number = std::numeric_limits<double>::quiet_NaN();

/// What is differentiated; `where` chooses by the sign of z, which is added, so that the result depends on it.
template <class Op, bool Squared> struct second_of_three {
    constexpr auto operator()(vector<double, dim("n")> x, vector<double, dim("n")> y, vector<double, dim("n")> z) const {
        const auto value = [&] {
            if constexpr (std::is_same_v<Op, op::where>) return where(z > 0, x, y) + z;
            else return detail::elementwise<Op>(x, y, z);
        }();
        const auto [dx, dy, dz] = [&] {
            if constexpr (Squared) return grad(sum(sqr(value)), x, y, z);
            else return grad(sum(value), x, y, z);
        }();
        return std::tuple_cat(both_ways(dx, x), both_ways(dx, y), both_ways(dx, z), both_ways(dy, y), both_ways(dy, z),
                              both_ways(dz, z));
    }
};

/// The slopes at a triple.
template <class Op> std::array<double, 3> slopes(double x, double y, double z) {
    if constexpr (std::is_same_v<Op, op::where>) {
        return {z > 0 ? 1.0 : 0.0, z > 0 ? 0.0 : 1.0, 1};
    } else if constexpr (std::is_same_v<Op, op::clip>) {
        if (x >= y && x <= z) return {1, 0, 0};
        return x < y && y <= z ? std::array<double, 3>{0, 1, 0} : std::array<double, 3>{0, 0, 1};
    } else {
        static_assert(std::is_same_v<Op, op::fma>, "the slopes of an operator of three arguments that is new stand here");
        return {y, x, 1};
    }
}

template <class Op, bool Squared> void check_triples(const std::vector<double>& points) {
    const auto n = static_cast<std::int64_t>(points.size());
    array<double, 1> x(n * n * n), y(n * n * n), z(n * n * n);
    for (std::int64_t i = 0; i < n * n * n; ++i) {
        x(i) = points[static_cast<std::size_t>(i / (n * n))];
        y(i) = points[static_cast<std::size_t>(i / n % n)];
        z(i) = points[static_cast<std::size_t>(i % n)];
    }
    const auto all = function<cpu>(second_of_three<Op, Squared>())(x, y, z);
    const auto check = [&](const char* way, const array<double, 1>& got, std::size_t a, std::size_t b) {
        for (std::int64_t i = 0; i < got.size(); ++i) {
            const auto s = slopes<Op>(x(i), y(i), z(i));
            const double mixed = std::is_same_v<Op, op::fma> && a == 0 && b == 1 ? 1 : 0, value = x(i) * y(i) + z(i);
            const double want = Squared ? 2 * (s[a] * s[b] + (mixed == 0 ? 0 : value * mixed)) : mixed;
            CHECK_MESSAGE(golden::same_derivative(got(i), want), Op::name, way, a, b, " at ", x(i), ", ", y(i), ", ", z(i), " is ", got(i), " and not ", want);
        }
    };
    const auto both = [&](const auto& backward, const auto& forward, std::size_t a, std::size_t b) {
        check(" backward ", backward, a, b);
        check(" forward ", forward, a, b);
    };
    both(std::get<0>(all), std::get<1>(all), 0, 0);
    both(std::get<2>(all), std::get<3>(all), 0, 1);
    both(std::get<4>(all), std::get<5>(all), 0, 2);
    both(std::get<6>(all), std::get<7>(all), 1, 1);
    both(std::get<8>(all), std::get<9>(all), 1, 2);
    both(std::get<10>(all), std::get<11>(all), 2, 2);
}

}  // namespace

TEST_CASE("second derivatives of operators of three arguments") {
    int seen = 0;
    support::for_each_operator<golden::second_part<3, 0, 1>::kept>([&]<class Op>() {
        ++seen;
        check_triples<Op, false>({0.0, -0.0, 1, -1, 0.5, inf, -inf, not_a_number});
        check_triples<Op, true>({0.0, -0.0, 1, -1, 0.5, 2});
    });
    CHECK(seen == 3);
}
