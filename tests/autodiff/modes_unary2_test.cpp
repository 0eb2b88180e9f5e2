// SPDX-License-Identifier: MIT
#include "modes.hpp"

using namespace croton;

namespace {

template <class Op> struct kept {
    static constexpr bool value = elementwise_grad::has_gradient<Op> && Op::arity == 1 && detail::code<Op> % 3 == 1;
};

}  // namespace

TEST_CASE("forward and backward through operators of one argument: part 2 of 3") {
    support::for_each_operator<kept>([]<class Op>() { modes::check<Op>(); });
}
