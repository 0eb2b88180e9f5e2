// SPDX-License-Identifier: MIT
// Loops in which indices along some axes are values, and others merge behind them, beside the reference.
#include <doctest/doctest.h>

#include <cstdint>

#include "device/cpu/beside_reference.hpp"
#include "ops/support.hpp"

using namespace croton;

namespace {

template <class T> constexpr auto first_axis = [](tensor<T, -1, -1, -1> x) { return outputs(argmax<0>(x), argmin<0>(x), argmax<0>(x * x)); };
template <class T> constexpr auto middle_axis = [](tensor<T, -1, -1, -1, -1> x) { return outputs(argmax<1>(x), argmin<2>(x), argmax<0>(x)); };
// Numbers of two axes at once, and of one with a sum along it.
template <class T> constexpr auto of_two_axes = [](tensor<T, -1, -1, -1, -1> x) {
    const auto i = cast<T>(arange(x.extent(0))), j = cast<T>(arange(x.extent(2)));
    const auto along = newaxis<1, 2, 3>(i), also = newaxis<0, 1, 3>(j);
    return outputs(x * along, sum<0>(x * along), max<0>(x + along - also), sum<2>(x * also + along));
};

constexpr std::int64_t sizes[][3] = {{1, 1, 1}, {1, 5, 1}, {200, 1, 1}, {200, 3, 1}, {200, 1, 3}, {70, 5, 3}, {2, 300, 1}, {3, 40, 17}, {1000, 2, 2}, {17, 1, 40}, {9, 70, 5}, {0, 3, 2}, {3, 0, 2}};

template <class T, int Rank> array<T, Rank> made(const std::array<std::int64_t, static_cast<std::size_t>(Rank)>& extents) {
    // Few different numbers: the first of equal ones counts.
    array<T, Rank> x = support::numbers(3).fill<T, Rank>(extents, 0, 9);
    for (auto& v : x) v = static_cast<T>(static_cast<int>(v));
    return x;
}

}  // namespace

TEST_CASE_TEMPLATE("places along the first of three axes", T, float, double, std::int32_t, std::uint8_t) {
    const auto f = function<cpu>(first_axis<T>);
    const auto right = function<reference>(first_axis<T>);
    for (const auto& size : sizes) {
        if (size[0] == 0) continue;  // no place
        CAPTURE(size[0]);
        CAPTURE(size[1]);
        CAPTURE(size[2]);
        const array<T, 3> x = made<T, 3>({size[0], size[1], size[2]});
        check_same(f(x), right(x));
        // Whose other axes do not merge.
        const array<T, 3> wide = made<T, 3>({size[0], size[1], 2 * size[2] + 1});
        const auto every_second = wide.slice(2, 0, 2 * size[2], 2);
        check_same(f(every_second), right(every_second));
        const array<T, 3> other = made<T, 3>({size[1], size[0], size[2]});
        const auto turned = other.template transpose<1, 0, 2>();
        check_same(f(turned), right(turned));
        const array<T, 3> last = made<T, 3>({size[2], size[1], size[0]});
        const auto back = last.transpose();
        check_same(f(back), right(back));
    }
}
TEST_CASE_TEMPLATE("places along any of four axes, and numbers of two", T, float, std::int32_t) {
    const auto f = function<cpu>(middle_axis<T>);
    const auto right = function<reference>(middle_axis<T>);
    const auto g = function<cpu>(of_two_axes<T>);
    const auto right_too = function<reference>(of_two_axes<T>);
    for (const auto& size : sizes) {
        CAPTURE(size[0]);
        CAPTURE(size[1]);
        CAPTURE(size[2]);
        const std::array<std::int64_t, 4> extents[] = {{size[0], size[1], size[2], 2}, {2, size[0], size[1], size[2]}, {size[1], 2, size[0], 1}, {size[1], size[2], 2, size[0]}};
        for (const auto& e : extents) {
            if (e[0] * e[1] * e[2] == 0) continue;
            const array<T, 4> x = made<T, 4>(e);
            check_same(f(x), right(x));
            check_same(g(x), right_too(x));
            const auto turned = x.template transpose<0, 2, 1, 3>();
            check_same(f(turned), right(turned));
            check_same(g(turned), right_too(turned));
        }
    }
}
TEST_CASE("places on two threads") {
    const auto one = function<cpu>(first_axis<float>);
    const array<float, 3> x = made<float, 3>({400, 60, 50}), y = made<float, 3>({60, 400, 50});
    const auto turned = y.transpose<1, 0, 2>();
    const auto alone = threads(1);
    const auto wanted = one(x), wanted_of_turned = one(turned);
    const auto both = threads(2);
    check_same(one(x), wanted);
    check_same(one(turned), wanted_of_turned);
}
