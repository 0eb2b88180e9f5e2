// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support.hpp"

using namespace croton;
using support::layout;

namespace {

template <class From> struct to_all {
    constexpr auto operator()(matrix<From> x) const {
        return std::tuple(cast<bool>(x), cast<int>(x), cast<std::int64_t>(x), cast<float>(x), cast<double>(x));
    }
};

template <class Device, class From> void check() {
    auto f = function<Device>(to_all<From>());
    support::numbers random(71);
    for (const auto& extents : {extents_of<2>{1, 1}, {0, 2}, {3, 17}, {2, 257}}) {
        array<From, 2> x(extents);
        for (From& e : x) {
            const double r = random.next(-200, 200);
            // Zeros, halves and numbers that float does not hold.
            e = static_cast<From>(r < -150 ? 0 : r < -100 ? r / 1000 : std::is_same_v<From, std::int64_t> ? r * 1e12 : r);
        }
        for (int l = 0; l < static_cast<int>(layout::count); ++l) {
            const support::placed<From, 2> p(x, static_cast<layout>(l));
            const auto results = f(p.get());
            const auto compare = [&](auto index) {
                const auto& got = std::get<index()>(results);
                using To = typename std::remove_cvref_t<decltype(got)>::value_type;
                bool same = true;
                for (std::int64_t i = 0; i < extents[0]; ++i)
                    for (std::int64_t j = 0; j < extents[1]; ++j) {
                        if (std::is_same_v<From, std::int64_t> && std::is_same_v<To, int>) continue;
                        same = same && got(i, j) == static_cast<To>(x(i, j));
                    }
                CHECK_MESSAGE(same, name_of(element_of<From>), " to ", name_of(element_of<To>), " on ",
                              support::device_name<Device>(), " ", support::name_of(static_cast<layout>(l)));
            };
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                (compare(std::integral_constant<std::size_t, I>()), ...);
            }(std::make_index_sequence<5>());
        }
    }
}

}  // namespace

TEST_CASE_TEMPLATE("every element type becomes every other", From, bool, int, std::int64_t, float, double) {
    check<cpu, From>();
    check<reference, From>();
}

TEST_CASE("NaN and infinities are true; a cast between floats keeps them") {
    auto f = function<cpu>([](vector<double> x) { return std::tuple(cast<bool>(x), cast<float>(x)); });
    constexpr double inf = std::numeric_limits<double>::infinity();
    const auto [truth, narrow] = f(array<double, 1>{std::numeric_limits<double>::quiet_NaN(), inf, -inf, -0.0, 1e300, 1e-300});
    CHECK(truth == array<bool, 1>{true, true, true, false, true, true});
    CHECK(narrow(0) != narrow(0));
    CHECK((narrow(1) > 3e38f && narrow(2) < -3e38f && narrow(3) == 0 && narrow(4) > 3e38f && narrow(5) == 0));
}

TEST_CASE("the gradient flows through casts between float and double") {
    auto f = function<cpu>([](vector<float> x, vector<double> w) {
        auto cost = sum(cast<double>(x * x) * w);
        auto [gx, gw] = grad(cost, x, w);
        return std::tuple(gx, gw, grad(sum(cast<float>(w) * x), w));
    });
    const auto [gx, gw, narrow] = f(array<float, 1>{1, 2, 3}, array<double, 1>{0.5, 1, -1});
    CHECK(gx == array<float, 1>{1, 4, -6});
    CHECK(gw == array<double, 1>{1, 4, 9});
    CHECK(narrow == array<double, 1>{1, 2, 3});
}

TEST_CASE("a cast that loses something stays") {
    auto f = function<cpu>([](vector<double> x) {
        return std::tuple(cast<double>(cast<float>(x)), cast<double>(cast<int>(x)), cast<int>(cast<bool>(x)), cast<float>(cast<double>(cast<float>(x))));
    });
    const array<double, 1> x{0.1, -2.7, 0, 3};
    const auto [through_float, through_int, through_bool, twice] = f(x);
    for (std::int64_t i = 0; i < x.size(); ++i) {
        CHECK(through_float(i) == static_cast<double>(static_cast<float>(x(i))));
        CHECK(through_int(i) == static_cast<int>(x(i)));
        CHECK(through_bool(i) == (x(i) != 0 ? 1 : 0));
        CHECK(twice(i) == static_cast<float>(x(i)));
    }
}

namespace {

/// Floating-point numbers of every size, halves beside whole numbers, and what is none, as integers of one and two bytes: the lower bits of the int32 that they are, 0 beyond it.
template <class From> void check_narrow() {
    const auto narrow = [](vector<From> x) {
        return std::tuple(cast<std::int8_t>(x), cast<std::uint8_t>(x), cast<std::int16_t>(x), cast<std::uint16_t>(x));
    };
    using limits = std::numeric_limits<From>;
    std::vector<From> given{0, From(-0.0), limits::quiet_NaN(), -limits::quiet_NaN(), limits::infinity(), -limits::infinity(), limits::max(), limits::lowest(), limits::min(), limits::denorm_min(),
                            From(2147483648.0), From(-2147483648.0), From(2147483520.0), From(-2147483520.0), From(4294967296.0), From(4294967551.0), From(65535.5), From(-32768.5)};
    for (From size = From(0.25); size < From(1e12); size *= 2)
        for (const From part : {From(1), From(1.3), From(1.999)}) given.insert(given.end(), {size * part, -size * part});
    const array<From, 1> x(given);
    const auto [a, b, c, d] = function<cpu>(narrow)(x);
    const auto [ra, rb, rc, rd] = function<reference>(narrow)(x);
    for (std::int64_t i = 0; i < x.size(); ++i) {
        CAPTURE(x(i));
        const bool inside = std::fabs(x(i)) < From(2147483648.0);
        const auto whole = inside ? static_cast<std::int32_t>(x(i)) : 0;
        CHECK(a(i) == static_cast<std::int8_t>(whole));
        CHECK(b(i) == static_cast<std::uint8_t>(whole));
        CHECK(c(i) == static_cast<std::int16_t>(whole));
        CHECK(d(i) == static_cast<std::uint16_t>(whole));
        CHECK(std::tuple(a(i), b(i), c(i), d(i)) == std::tuple(ra(i), rb(i), rc(i), rd(i)));
    }
}

}  // namespace

TEST_CASE("floating-point numbers as integers of one and two bytes, those that do not fit as well") {
    check_narrow<float>();
    check_narrow<double>();
}
