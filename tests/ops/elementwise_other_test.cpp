// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "elementwise.hpp"

using namespace croton;

namespace {

template <class Op> struct of_bools { static constexpr bool value = elementwise_check::takes<Op>(element::boolean); };
template <class Op> struct of_three { static constexpr bool value = Op::arity == 3; };

}  // namespace

TEST_CASE("every operator of bools") {
    support::for_each_operator<of_bools>([]<class Op>() { elementwise_check::check_operator<Op, bool>(); });
}

TEST_CASE("numbers in the place of expressions") {
    const auto f = function<cpu>([](vector<float> x) { return outputs(prelu(x, 0.25), nan_to_num(x, 1, 5), nan_to_num(x, 0.5, 5, -6)); });
    const auto [slope, finite, all] = f(array<float, 1>{-2, NAN, INFINITY, -INFINITY, 3});
    CHECK((slope(0) == -0.5f && slope(4) == 3));
    CHECK(finite == array<float, 1>{-2, 1, 5, std::numeric_limits<float>::lowest(), 3});
    CHECK(all == array<float, 1>{-2, 0.5f, 5, -6, 3});
}

TEST_CASE("every operator of three numbers") {
    support::for_each_operator<of_three>([]<class Op>() {
        elementwise_check::check_operator<Op, float>();
        elementwise_check::check_operator<Op, double>();
    });
}
