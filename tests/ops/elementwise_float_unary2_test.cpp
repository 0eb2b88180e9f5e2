// SPDX-License-Identifier: MIT
#include "elementwise.hpp"

using namespace croton;

namespace {

template <class Op> struct kept {
    static constexpr bool value = elementwise_check::takes<Op>(element::float32) && Op::arity == 1 && detail::code<Op> % 3 == 1;
};

}  // namespace

TEST_CASE("every operator of one float: part 2 of 3") {
    support::for_each_operator<kept>([]<class Op>() { elementwise_check::check_operator<Op, float>(); });
}
