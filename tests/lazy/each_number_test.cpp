// SPDX-License-Identifier: MIT
// Functions of the elements of two arrays, and of an array beside numbers, where they stand.
#include <doctest/doctest.h>

#include "lazy/each_function.hpp"

using namespace each_function;

namespace {

struct bump {
    static constexpr std::string_view name = "bump";
    static float value(float x) { return std::exp(-x * x); }
};

}  // namespace

TEST_CASE("of two arrays, and beside numbers") {
    const auto two = of(numbers<float>(3, 5), eval(numbers<float>(3, 5) + 1)), one = of(numbers<float>(1, 1), numbers<float>(1, 1)), empty = of(numbers<float>(0, 5), numbers<float>(0, 5));
    check(ROW_2(divmod, divmod(x, y)), two, one, empty);
    check(ROW_2(isclose, isclose(x, y)), two, one, empty);
    check(ROW_2(allclose, allclose(x, y, 0, 1.5)), two, one, empty);
    check(ROW_2(array_equal, array_equal(x, y)), two, one, empty);
    check(ROW_2(lerp, lerp(x, y, 0.25)), two, one, empty);
    check(ROW_2(elementwise, elementwise<bump>(x) + y), two, one, empty);
    const auto m = of(numbers<float>(3, 5));
    check(ROW_1(divmod, divmod(x, 2)), m, of(numbers<float>(1, 1)), of(numbers<float>(0, 5)));
    check(ROW_1(isclose, isclose(x, 2)), m, of(numbers<float>(1, 1)), of(numbers<float>(0, 5)));
    check(ROW_1(clip, clip(x, -1, 2.5)), m, of(numbers<float>(1, 1)), of(numbers<float>(0, 5)));
    check(ROW_1(where, where(x > 0, x, 3)), m, of(numbers<float>(1, 1)), of(numbers<float>(0, 5)));
    check(ROW_1(pow, pow(x, 2)), m, of(numbers<float>(1, 1)), of(numbers<float>(0, 5)));
    check(ROW_1(maximum, maximum(0, x)), m, of(numbers<float>(1, 1)), of(numbers<float>(0, 5)));
    check(ROW_1(fma, fma(x, 2, 0.5)), m, of(numbers<float>(1, 1)), of(numbers<float>(0, 5)));
}
