// SPDX-License-Identifier: MIT
// What tests/golden/*_pool*_test.cpp do not ask of pooling: ties and NaN, views, element types, empty batches.
#ifndef CROTON_TESTS_OPS_POOLING_HPP
#define CROTON_TESTS_OPS_POOLING_HPP

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "ops/support.hpp"

namespace pooling {

using namespace croton;

template <class T> using images = tensor<T, dynamic, dynamic, dynamic, dynamic>;

/// The largest element of the windows of 3 x 2 with strides of 2 and 1 and a padding of 1 in front of and behind the rows, and where it lies.
template <class T> std::pair<T, std::int64_t> largest(const array<T, 4>& x, std::int64_t n, std::int64_t c, std::int64_t p, std::int64_t q) {
    T most = std::is_integral_v<T> ? std::numeric_limits<T>::lowest() : -std::numeric_limits<T>::infinity();
    std::int64_t at = -1;
    for (std::int64_t i = 2 * p - 1; i < 2 * p + 2; ++i)
        for (std::int64_t j = q; j < q + 2; ++j)
            if (i >= 0 && i < x.extent(2))
                if (at < 0 || x(n, c, i, j) > most || x(n, c, i, j) != x(n, c, i, j)) {
                    most = x(n, c, i, j);
                    at = i * x.extent(3) + j;
                }
    return {most, at};
}

/// Images of few values, most of them equal to another in their window, with NaN and infinities.
inline array<float, 4> with_ties(extents_of<4> extents) {
    support::numbers random;
    auto x = random.fill<float, 4>(extents);
    for (float& e : x) {
        e = std::round(e);
        if (random.next(0, 1) < 0.05) e = std::numeric_limits<float>::quiet_NaN();
        else if (random.next(0, 1) < 0.3) e = -std::numeric_limits<float>::infinity();
    }
    return x;
}

template <class Device> void check_ties() {
    const auto f = function<Device>([](images<float> x) {
        const auto [y, indices] = max_pool2d_with_indices(x, {.kernel = {3, 2}, .stride = {2, 1}, .padding = {1, 0}});
        return outputs(y, indices, grad(sum(where(isnan(y) | isinf(y), 1, y)), x), max_pool2d(x, {.kernel = 2}), grad(sum(max_pool2d(x, {.kernel = 2})), x));
    });
    const auto x = with_ties({2, 3, 5, 4});
    for (const auto how : {support::layout::dense, support::layout::transposed, support::layout::window}) {
        const support::placed<float, 4> placed(x, how);
        const auto [y, indices, slope, halves, halves_slope] = f(placed.get());
        REQUIRE(y.extents() == extents_of<4>{2, 3, 3, 3});
        array<float, 4> expected(2, 3, 5, 4);
        for (std::int64_t n = 0; n < 2; ++n)
            for (std::int64_t c = 0; c < 3; ++c)
                for (std::int64_t p = 0; p < 3; ++p)
                    for (std::int64_t q = 0; q < 3; ++q) {
                        const auto [most, at] = largest(x, n, c, p, q);
                        CHECK((y(n, c, p, q) == most || (std::isnan(most) && std::isnan(y(n, c, p, q)))));
                        CHECK(indices(n, c, p, q) == at);
                        if (std::isfinite(most)) expected(n, c, at / 4, at % 4) += 1;
                    }
        CHECK(slope == expected);
        // Each window of two by two has one element that is its largest, and the last row is of none.
        REQUIRE(halves.extents() == extents_of<4>{2, 3, 2, 2});
        for (std::int64_t n = 0; n < 2; ++n)
            for (std::int64_t c = 0; c < 3; ++c)
                for (std::int64_t p = 0; p < 2; ++p)
                    for (std::int64_t q = 0; q < 2; ++q) {
                        float all = 0;
                        for (const int k : {0, 1, 2, 3}) {
                            const float here = halves_slope(n, c, 2 * p + k / 2, 2 * q + k % 2);
                            const float e = x(n, c, 2 * p + k / 2, 2 * q + k % 2), most = halves(n, c, p, q);
                            all += here;
                            if (here != 0) CHECK((e == most || (std::isnan(e) && std::isnan(most))));
                        }
                        CHECK(all == 1);
                        CHECK(halves_slope(n, c, 4, q) == 0);
                    }
    }
    CHECK(std::get<0>(f(array<float, 4>(0, 3, 5, 4))).extents() == extents_of<4>{0, 3, 3, 3});
}

template <class Device> void check_means() {
    const auto f = function<Device>([](images<half> x) {
        return outputs(avg_pool2d(x, {.kernel = 2, .padding = "same"}), avg_pool2d(x, {.kernel = 2, .stride = 1, .padding = "full", .count_padding = false}), global_max_pool(x), global_avg_pool(x));
    });
    array<half, 4> x(1, 1, 3, 3);
    for (std::int64_t i = 0; i < 9; ++i) x(0, 0, i / 3, i % 3) = static_cast<float>(i);
    const auto [same, full, most, mean] = f(x);
    REQUIRE(same.extents() == extents_of<4>{1, 1, 2, 2});
    CHECK(same(0, 0, 0, 0) == 2);
    CHECK(same(0, 0, 1, 1) == 2);
    REQUIRE(full.extents() == extents_of<4>{1, 1, 4, 4});
    CHECK(full(0, 0, 0, 0) == 0);
    CHECK(full(0, 0, 1, 1) == 2);
    CHECK(full(0, 0, 3, 3) == 8);
    CHECK(full(0, 0, 0, 2) == 1.5f);
    CHECK(most(0, 0) == 8);
    CHECK(mean(0, 0) == 4);
}

}  // namespace pooling

#endif
