// SPDX-License-Identifier: MIT
#include "elementwise.hpp"

using namespace croton;

namespace {

template <class Op> struct of_bools { static constexpr bool value = elementwise_check::takes<Op>(element::boolean); };
template <class Op> struct of_three { static constexpr bool value = Op::arity == 3; };

}  // namespace

TEST_CASE("every operator of bools") {
    support::for_each_operator<of_bools>([]<class Op>() { elementwise_check::check_operator<Op, bool>(); });
}

TEST_CASE("every operator of three numbers") {
    support::for_each_operator<of_three>([]<class Op>() {
        elementwise_check::check_operator<Op, float>();
        elementwise_check::check_operator<Op, double>();
    });
}
