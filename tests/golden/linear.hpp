// SPDX-License-Identifier: MIT
// What NumPy and SciPy make of matrices: make_linear.py.
#ifndef CROTON_TESTS_GOLDEN_LINEAR_HPP
#define CROTON_TESTS_GOLDEN_LINEAR_HPP

#include <algorithm>

#include "golden/packed.hpp"

namespace linear {

using namespace croton;

/// Checks an array against the next one of the file: how far it is from it, in parts of the largest number there.
template <class T, int Rank> void check(golden::packed& file, const array<T, Rank>& got, double tolerance) {
    const auto want = file.take<double, Rank>();
    REQUIRE(got.extents() == want.extents());
    double largest = 0, furthest = 0;
    for (std::int64_t i = 0; i < got.size(); ++i) {
        largest = std::max(largest, std::fabs(want.data()[i]));
        furthest = std::max(furthest, std::fabs(static_cast<double>(got.data()[i]) - want.data()[i]));
    }
    CHECK(furthest <= tolerance * largest);
}
template <class... A> void check(golden::packed& file, const std::tuple<A...>& results, double tolerance) {
    std::apply([&](const auto&... a) { (check(file, a, tolerance), ...); }, results);
}

}  // namespace linear

#endif
