// SPDX-License-Identifier: MIT
#include "reduce.hpp"

using namespace croton;
using namespace reduce_check;

namespace {

template <int... Axes> void check_all() {
    for (const auto& extents : {extents_of<3>{2, 3, 5}, {1, 17, 3}, {3, 1, 33}, {5, 2, 1}}) {
        check<cpu, float, 3, Axes...>(with_ties<float, 3>(extents));
        check<cpu, float, 3, Axes...>(with_nan<float, 3>(extents));
    }
}

}  // namespace

TEST_CASE("reductions over several axes of three") {
    check_all<0, 1>();
    check_all<0, 2>();
    check_all<1, 2>();
    check_all<>();
}
