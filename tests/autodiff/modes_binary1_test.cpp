// SPDX-License-Identifier: MIT
#include "modes.hpp"

using namespace croton;

namespace {

template <class Op> struct kept {
    static constexpr bool value = elementwise_grad::has_gradient<Op> && Op::arity > 1 && detail::code<Op> % 2 == 0;
};

}  // namespace

TEST_CASE("forward and backward through operators of two and three arguments: part 1 of 2") {
    support::for_each_operator<kept>([]<class Op>() { modes::check<Op>(); });
}
