// SPDX-License-Identifier: MIT
// What the tests of functions along an axis share: each against a plain loop over its rows, for every axis, layout and device.
#ifndef CROTON_TESTS_OPS_ALONG_HPP
#define CROTON_TESTS_OPS_ALONG_HPP

#include <doctest/doctest.h>

#include "support.hpp"

namespace along {

using namespace croton;
using support::layout;
using support::placed;

/// Calls f(row of x, row of y) for every row of x along an axis, as vectors of its elements; what f leaves in the second is stored to y.
template <class T, class R, int Rank, class F> void for_each_row(const array<T, Rank>& x, array<R, Rank>& y, int axis, F&& f) {
    std::int64_t before = 1, behind = 1, n = 1;
    for (int a = 0; a < Rank; ++a) (a < axis ? before : a == axis ? n : behind) *= x.extent(a);
    for (std::int64_t i = 0; i < before; ++i)
        for (std::int64_t j = 0; j < behind; ++j) {
            const auto at = [&](std::int64_t k) { return (i * n + k) * behind + j; };
            std::vector<T> from;
            for (std::int64_t k = 0; k < n; ++k) from.push_back(x.data()[at(k)]);
            std::vector<R> to(static_cast<std::size_t>(n));
            f(from, to);
            for (std::int64_t k = 0; k < n; ++k) y.data()[at(k)] = to[static_cast<std::size_t>(k)];
        }
}

template <class R> bool same(R a, R b) {
    if constexpr (std::is_floating_point_v<R>) {
        if (a != a || b != b) return a != a && b != b;
        if (a == b) return true;
        return std::abs(a - b) <= (sizeof(R) == 4 ? 1e-5 : 1e-13) * (1 + std::abs(b));
    } else {
        return a == b;
    }
}

template <class R, int Rank> void check_same(const array<R, Rank>& y, const array<R, Rank>& expected) {
    REQUIRE(y.extents() == expected.extents());
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(y.size()); ++i) wrong += same(y.data()[i], expected.data()[i]) ? 0 : 1;
    CHECK(wrong == 0);
}

/// Runs f on x as it lies in every layout.
template <class R, class F, class T, int Rank> void check_layouts(const F& f, const array<T, Rank>& x, const array<R, Rank>& expected) {
    for (int how = 0; how < static_cast<int>(layout::count); ++how) {
        const std::string name = support::name_of(static_cast<layout>(how));
        INFO(name);
        check_same<R>(f(placed<T, Rank>(x, static_cast<layout>(how)).get()), expected);
    }
}

}  // namespace along

#endif
