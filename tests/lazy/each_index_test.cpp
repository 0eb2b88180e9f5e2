// SPDX-License-Identifier: MIT
// Functions by indices on arrays where they stand.
#include <doctest/doctest.h>

#include "lazy/each_function.hpp"

using namespace each_function;

TEST_CASE("by indices") {
    const auto some = of(numbers<float>(4, 3), labels(4, 5)), one = of(numbers<float>(1, 1), labels(1, 1)), empty = of(numbers<float>(4, 3), labels(4, 0)), nothing = of(numbers<float>(0, 3), labels(4, 0)), missing = of(numbers<float>(0, 3), labels(4, 2));
    check(ROW_2(take, take<0>(x, y)), some, one, empty, nothing, missing);
    check(ROW_2(take_along_axis, take_along_axis<1>(x, y)), of(numbers<float>(4, 3), labels(3, 4, 5)), of(numbers<float>(1, 1), labels(1, 1, 1)), of(numbers<float>(4, 3), labels(3, 4, 0)), of(numbers<float>(0, 3), labels(3, 0, 2)));
    check(ROW_3(add_at, add_at<0>(x, y, z)), of(numbers<float>(4, 3), labels(4, 5), numbers<float>(5, 3)), of(numbers<float>(1, 1), labels(1, 1), numbers<float>(1, 1)), of(numbers<float>(4, 3), labels(4, 0), numbers<float>(0, 3)), of(numbers<float>(4, 0), labels(4, 2), numbers<float>(2, 0)));
    check(ROW_2(add_at, add_at<0>(x, y, 2)), some, one, empty, nothing, missing);
    check(ROW_3(set_at, set_at<0>(x, y, z)), of(numbers<float>(4, 3), labels(4, 4), numbers<float>(4, 3)), of(numbers<float>(1, 1), labels(1, 1), numbers<float>(1, 1)), of(numbers<float>(4, 3), labels(4, 0), numbers<float>(0, 3)), of(numbers<float>(4, 0), labels(4, 2), numbers<float>(2, 0)));
    check(ROW_2(set_at, set_at<0>(x, y, 2.5)), some, one, empty, nothing, missing);
    check(ROW_2(segment_sum, segment_sum<3>(x, y)), of(numbers<float>(4, 3), labels(3, 4)), of(numbers<float>(1, 1), labels(1, 1)), of(numbers<float>(0, 3), labels(3, 0)), of(numbers<float>(4, 0), labels(3, 4)));
    check(ROW_2(segment_prod, segment_prod<3>(x, y)), of(numbers<float>(4, 3), labels(3, 4)), of(numbers<float>(1, 1), labels(1, 1)), of(numbers<float>(0, 3), labels(3, 0)), of(numbers<float>(4, 0), labels(3, 4)));
    check(ROW_2(segment_max, segment_max<3>(x, y)), of(numbers<float>(4, 3), labels(3, 4)), of(numbers<float>(1, 1), labels(1, 1)), of(numbers<float>(0, 3), labels(3, 0)), of(numbers<float>(4, 0), labels(3, 4)));
    check(ROW_2(segment_min, segment_min<3>(x, y)), of(numbers<float>(4, 3), labels(3, 4)), of(numbers<float>(1, 1), labels(1, 1)), of(numbers<float>(0, 3), labels(3, 0)), of(numbers<float>(4, 0), labels(3, 4)));
    check(ROW_2(segment_mean, segment_mean<3>(x, y)), of(numbers<float>(4, 3), labels(3, 4)), of(numbers<float>(1, 1), labels(1, 1)), of(numbers<float>(0, 3), labels(3, 0)), of(numbers<float>(4, 0), labels(3, 4)));
    check(ROW_1(bincount, bincount<3>(x)), of(labels(3, 7)), of(labels(3, 1)), of(labels(3, 0)));
    check(ROW_1(one_hot, one_hot<3>(x)), of(labels(3, 7)), of(labels(3, 1)), of(labels(3, 0)));
    check(ROW_2(searchsorted, searchsorted<side::right>(sort<0>(x), y)), of(numbers<float>(7), numbers<float>(2, 3)), of(numbers<float>(1), numbers<float>(1, 1)), of(numbers<float>(0), numbers<float>(2, 3)), of(numbers<float>(7), numbers<float>(0, 3)));
}
