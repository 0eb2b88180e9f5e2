// SPDX-License-Identifier: MIT
#include "reduce.hpp"

using namespace croton;
using namespace reduce_check;

namespace {

template <int... Axes> void check_all() {
    for (const auto& extents : {extents_of<2>{2, 3}, {1, 257}, {257, 1}, {16, 17}, {33, 15}}) {
        check<cpu, double, 2, Axes...>(with_ties<double, 2>(extents));
        check<cpu, double, 2, Axes...>(with_nan<double, 2>(extents));
    }
}

}  // namespace

TEST_CASE("reductions of matrices and vectors of double") {
    check_all<0>();
    check_all<1>();
    check_all<>();
    for (const std::int64_t n : {1, 2, 15, 16, 17, 33, 257}) {
        check<cpu, double, 1, 0>(with_ties<double, 1>({n}));
        check<cpu, double, 1>(with_nan<double, 1>({n}));
    }
}
