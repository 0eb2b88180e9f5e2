// SPDX-License-Identifier: MIT
// Literals that are infinite, or NaN, or larger than their element type: the values are NumPy's, with rewrites and without.
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

namespace {

constexpr float inf = INFINITY, nan_value = NAN;

void check(const array<float, 1>& got, const std::vector<float>& wanted) {
    REQUIRE(got.extent(0) == static_cast<std::int64_t>(wanted.size()));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        CAPTURE(i);
        const float value = got(static_cast<std::int64_t>(i));
        if (std::isnan(wanted[i])) CHECK(std::isnan(value));
        else CHECK(value == wanted[i]);
    }
}

template <class Device> void arithmetic() {
    auto f = function<Device>([](vector<float> x) {
        return std::tuple(x * INFINITY, x + NAN, x - INFINITY, x / 0.0, 1 / (x * 0), pow(x, INFINITY), (x * 1e200) * 1e200, x * 1e300 * 1e300);
    });
    auto [times, plus, minus, over, under, power, far, farther] = f(array<float, 1>{1, 0, -1});
    check(times, {inf, nan_value, -inf});
    check(plus, {nan_value, nan_value, nan_value});
    check(minus, {-inf, -inf, -inf});
    check(over, {inf, nan_value, -inf});
    check(under, {inf, inf, -inf});
    check(power, {1, 0, 1});
    check(far, {inf, nan_value, -inf});
    check(farther, {inf, nan_value, -inf});
}

template <class Device> void masks() {
    auto f = function<Device>([](vector<float> x) {
        auto masked = where(x > 0, x, -INFINITY);
        return std::tuple(masked, maximum(x, -INFINITY), where(x > 0, x, NAN), x + where(x > 0, 0.F, -INFINITY), -(x * where(x > 0, 1.F, INFINITY)),
                          clip(x, 0, INFINITY), cast<float>(x == INFINITY), softmax<0>(masked), grad(logsumexp<0>(masked), x));
    });
    auto [masked, larger, unknown, added, scaled, clipped, equal, probability, slope] = f(array<float, 1>{1, 0, -1});
    check(masked, {1, -inf, -inf});
    check(larger, {1, 0, -1});
    check(unknown, {1, nan_value, nan_value});
    check(added, {1, -inf, -inf});
    check(scaled, {-1, nan_value, inf});
    check(clipped, {1, 0, 0});
    check(equal, {0, 0, 0});
    check(probability, {1, 0, 0});
    check(slope, {1, 0, 0});
}

}  // namespace

TEST_CASE("arithmetic with literals beyond the numbers") {
    arithmetic<cpu>();
    arithmetic<reference>();
}

TEST_CASE("masks of infinities") {
    masks<cpu>();
    masks<reference>();
}

TEST_CASE("a literal beyond double") {
    auto f = function<cpu>([](vector<double> x) { return std::tuple(x * 1e200 * 1e200, x * 1e200 * 1e-200, 1e200 * x / 1e-200); });
    auto [far, near, over] = f(array<double, 1>{1, 0});
    CHECK(std::isinf(far(0)));
    CHECK(far(1) == 0);
    CHECK(near == array<double, 1>{1, 0});
    CHECK(std::isinf(over(0)));
    CHECK(over(1) == 0);
}
