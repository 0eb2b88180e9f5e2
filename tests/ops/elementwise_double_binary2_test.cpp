// SPDX-License-Identifier: MIT
#include "elementwise.hpp"

using namespace croton;

namespace {

template <class Op> struct kept {
    static constexpr bool value = elementwise_check::takes<Op>(element::float64) && Op::arity == 2 && detail::code<Op> % 2 == 1;
};

}  // namespace

TEST_CASE("every operator of two doubles: part 2 of 2") {
    support::for_each_operator<kept>([]<class Op>() { elementwise_check::check_operator<Op, double>(); });
}
