// SPDX-License-Identifier: MIT
#include "reduce.hpp"

using namespace croton;
using namespace reduce_check;

namespace {

template <class T, int... Axes> void check_all() {
    for (const auto& extents : {extents_of<3>{2, 3, 5}, {1, 17, 3}, {3, 1, 33}})
        check<cpu, T, 3, Axes...>(with_ties<T, 3>(extents));
}

}  // namespace

TEST_CASE("reductions of int and int64") {
    check_all<int, 0>();
    check_all<int, 2>();
    check_all<int, 1, 2>();
    check_all<int>();
    check_all<std::int64_t, 1>();
    check_all<std::int64_t, 0, 2>();
}
