// SPDX-License-Identifier: MIT
// Convolutions on arrays where they stand.
#include <doctest/doctest.h>

#include "lazy/each_function.hpp"

using namespace each_function;

TEST_CASE("of vectors") {
    const auto longer = of(numbers<float>(7), numbers<float>(4)), shorter = of(numbers<float>(4), numbers<float>(6)), one = of(numbers<float>(1), numbers<float>(1)), none_each = of(numbers<float>(0), numbers<float>(4)), no_kernel = of(numbers<float>(7), numbers<float>(0));
    check(ROW_2(convolve, convolve(x, y)), longer, shorter, one, none_each, no_kernel);
    check(ROW_2(convolve, convolve<convolve_mode::same>(x, y)), longer, shorter, one, none_each, no_kernel);
    check(ROW_2(correlate, correlate(x, y)), longer, shorter, one, none_each, no_kernel);
}

TEST_CASE("convolutions") {
    check(ROW_2(conv1d, conv1d(x, y, set<convolution_options{.stride = 2, .padding = 1}>(x))), of(numbers<float>(2, 3, 6), numbers<float>(4, 3, 2)), of(numbers<float>(1, 1, 1), numbers<float>(1, 1, 1)), of(numbers<float>(0, 3, 6), numbers<float>(4, 3, 2)));
    check(ROW_2(conv_transpose1d, conv_transpose1d(x, y)), of(numbers<float>(2, 3, 6), numbers<float>(3, 4, 2)), of(numbers<float>(1, 1, 1), numbers<float>(1, 1, 1)), of(numbers<float>(0, 3, 6), numbers<float>(3, 4, 2)));
    check(ROW_2(conv2d, conv2d(x, y, set<convolution_options{.stride = 2, .padding = 1}>(x))), of(numbers<float>(2, 3, 5, 4), numbers<float>(4, 3, 2, 3)), of(numbers<float>(1, 1, 1, 1), numbers<float>(1, 1, 1, 1)), of(numbers<float>(0, 3, 5, 4), numbers<float>(4, 3, 2, 3)));
    check(ROW_2(conv_transpose2d, conv_transpose2d(x, y)), of(numbers<float>(2, 3, 5, 4), numbers<float>(3, 4, 2, 3)), of(numbers<float>(1, 1, 1, 1), numbers<float>(1, 1, 1, 1)), of(numbers<float>(0, 3, 5, 4), numbers<float>(3, 4, 2, 3)));
    check(ROW_2(conv3d, conv3d(x, y, set<convolution_options{.stride = 2, .padding = 1}>(x))), of(numbers<float>(2, 3, 4, 3, 4), numbers<float>(4, 3, 2, 2, 3)), of(numbers<float>(1, 1, 1, 1, 1), numbers<float>(1, 1, 1, 1, 1)), of(numbers<float>(0, 3, 4, 3, 4), numbers<float>(4, 3, 2, 2, 3)));
    check(ROW_2(conv_transpose3d, conv_transpose3d(x, y)), of(numbers<float>(2, 3, 4, 3, 4), numbers<float>(3, 4, 2, 2, 3)), of(numbers<float>(1, 1, 1, 1, 1), numbers<float>(1, 1, 1, 1, 1)), of(numbers<float>(0, 3, 4, 3, 4), numbers<float>(3, 4, 2, 2, 3)));
    check(ROW_3(conv2d, conv2d(x, y, z)), of(numbers<float>(2, 3, 5, 4), numbers<float>(4, 3, 2, 3), numbers<float>(4)), of(numbers<float>(0, 3, 5, 4), numbers<float>(4, 3, 2, 3), numbers<float>(4)));
}
