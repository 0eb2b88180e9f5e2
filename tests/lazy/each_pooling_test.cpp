// SPDX-License-Identifier: MIT
// Poolings, and what makes images larger, on arrays where they stand.
#include <doctest/doctest.h>

#include "lazy/each_function.hpp"

using namespace each_function;

namespace {

/// One place in each window of two.
template <int Rank> array<std::int64_t, Rank> places(const array<float, Rank>& windows) {
    array<std::int64_t, Rank> to(windows.extents());
    const std::int64_t columns = windows.extent(Rank - 1), rows = Rank > 3 ? windows.extent(Rank - 2) : 1, planes = Rank > 4 ? windows.extent(Rank - 3) : 1;
    for (std::int64_t i = 0; i < to.size(); ++i) to.data()[i] = (i / columns / rows % planes * 2 * rows * 2 + i / columns % rows * 2) * columns * 2 + i % columns * 2;
    return to;
}

}  // namespace

TEST_CASE("poolings") {
    check(ROW_1(max_pool1d, max_pool1d(x, set<max_pool_options{.kernel = 2, .padding = 1}>(x))), of(numbers<float>(2, 3, 6)), of(numbers<float>(1, 1, 1)), of(numbers<float>(0, 3, 6)));
    check(ROW_1(avg_pool1d, avg_pool1d(x, set<avg_pool_options{.kernel = 2}>(x))), of(numbers<float>(2, 3, 6)), of(numbers<float>(1, 1, 1)), of(numbers<float>(0, 3, 6)));
    check(ROW_1(max_pool1d_with_indices, max_pool1d_with_indices(x, set<max_pool_options{.kernel = 2, .padding = 1}>(x))), of(numbers<float>(2, 3, 6)), of(numbers<float>(1, 1, 1)), of(numbers<float>(0, 3, 6)));
    check(ROW_2(max_unpool1d, max_unpool1d(x, y, set<max_unpool_options{.kernel = 2}>(x))), of(numbers<float>(2, 3, 3), places(numbers<float>(2, 3, 3))), of(numbers<float>(1, 1, 1), places(numbers<float>(1, 1, 1))), of(numbers<float>(0, 3, 3), places(numbers<float>(0, 3, 3))));
    check(ROW_1(max_pool2d, max_pool2d(x, set<max_pool_options{.kernel = 2, .padding = 1}>(x))), of(numbers<float>(2, 3, 5, 4)), of(numbers<float>(1, 1, 1, 1)), of(numbers<float>(2, 0, 5, 4)));
    check(ROW_1(avg_pool2d, avg_pool2d(x, set<avg_pool_options{.kernel = 2}>(x))), of(numbers<float>(2, 3, 5, 4)), of(numbers<float>(1, 1, 1, 1)), of(numbers<float>(2, 0, 5, 4)));
    check(ROW_1(max_pool2d_with_indices, max_pool2d_with_indices(x, set<max_pool_options{.kernel = 2, .padding = 1}>(x))), of(numbers<float>(2, 3, 5, 4)), of(numbers<float>(1, 1, 1, 1)), of(numbers<float>(2, 0, 5, 4)));
    check(ROW_2(max_unpool2d, max_unpool2d(x, y, set<max_unpool_options{.kernel = 2}>(x))), of(numbers<float>(2, 3, 2, 2), places(numbers<float>(2, 3, 2, 2))), of(numbers<float>(1, 1, 1, 1), places(numbers<float>(1, 1, 1, 1))), of(numbers<float>(0, 3, 2, 2), places(numbers<float>(0, 3, 2, 2))));
    check(ROW_1(max_pool3d, max_pool3d(x, set<max_pool_options{.kernel = 2, .padding = 1}>(x))), of(numbers<float>(2, 3, 4, 3, 4)), of(numbers<float>(1, 1, 1, 1, 1)), of(numbers<float>(0, 3, 4, 3, 4)));
    check(ROW_1(avg_pool3d, avg_pool3d(x, set<avg_pool_options{.kernel = 2}>(x))), of(numbers<float>(2, 3, 4, 3, 4)), of(numbers<float>(1, 1, 1, 1, 1)), of(numbers<float>(0, 3, 4, 3, 4)));
    check(ROW_1(max_pool3d_with_indices, max_pool3d_with_indices(x, set<max_pool_options{.kernel = 2, .padding = 1}>(x))), of(numbers<float>(2, 3, 4, 3, 4)), of(numbers<float>(1, 1, 1, 1, 1)), of(numbers<float>(0, 3, 4, 3, 4)));
    check(ROW_2(max_unpool3d, max_unpool3d(x, y, set<max_unpool_options{.kernel = 2}>(x))), of(numbers<float>(2, 3, 2, 1, 2), places(numbers<float>(2, 3, 2, 1, 2))), of(numbers<float>(1, 1, 1, 1, 1), places(numbers<float>(1, 1, 1, 1, 1))), of(numbers<float>(0, 3, 2, 1, 2), places(numbers<float>(0, 3, 2, 1, 2))));
    check(ROW_1(global_avg_pool, global_avg_pool(x)), of(numbers<float>(2, 3, 5, 4)), of(numbers<float>(1, 1, 1, 1)), of(numbers<float>(0, 3, 5, 4)), of(numbers<float>(2, 0, 5, 4)));
    check(ROW_1(global_max_pool, global_max_pool(x, keepdims)), of(numbers<float>(2, 3, 5, 4)), of(numbers<float>(1, 1, 1, 1)), of(numbers<float>(0, 3, 5, 4)), of(numbers<float>(2, 0, 5, 4)));
    check(ROW_1(upsample_nearest, upsample_nearest<2, 3>(x)), of(numbers<float>(2, 3, 5, 4)), of(numbers<float>(1, 1, 1, 1)), of(numbers<float>(0, 3, 5, 4)), of(numbers<float>(2, 0, 5, 4)));
    check(ROW_1(upsample_bilinear, upsample_bilinear<2, 2>(x)), of(numbers<float>(2, 3, 5, 4)), of(numbers<float>(1, 1, 1, 1)), of(numbers<float>(0, 3, 5, 4)), of(numbers<float>(2, 0, 5, 4)));
}
