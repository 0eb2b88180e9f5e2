// SPDX-License-Identifier: MIT
#include "reduce.hpp"

using namespace croton;
using namespace reduce_check;

namespace {

template <class T, int... Axes> void check_all() {
    for (const auto& extents : {extents_of<3>{2, 3, 5}, {3, 1, 17}}) {
        check<reference, T, 3, Axes...>(with_ties<T, 3>(extents));
        if constexpr (std::is_floating_point_v<T>) check<reference, T, 3, Axes...>(with_nan<T, 3>(extents));
    }
}

}  // namespace

TEST_CASE("the reference device reduces alike") {
    check_all<float, 0>();
    check_all<float, 1, 2>();
    check_all<double, 0, 2>();
    check_all<double>();
    check_all<int, 1>();
    check_all<std::int64_t, 0, 1>();
}
