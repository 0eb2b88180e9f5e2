// SPDX-License-Identifier: MIT
#include "elementwise.hpp"

using namespace croton;

namespace {

template <class Op> struct kept { static constexpr bool value = elementwise_check::takes<Op>(element::int64) && true; };

}  // namespace

TEST_CASE("every operator of int64") {
    support::for_each_operator<kept>([]<class Op>() { elementwise_check::check_operator<Op, std::int64_t>(); });
}
