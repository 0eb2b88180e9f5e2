// SPDX-License-Identifier: MIT
#include "elementwise.hpp"

using namespace croton;

namespace {

template <class Op> struct kept { static constexpr bool value = elementwise_check::takes<Op>(element::int32) && true; };

}  // namespace

TEST_CASE("every operator of int") {
    support::for_each_operator<kept>([]<class Op>() { elementwise_check::check_operator<Op, int>(); });
}
