// error: central_differences takes differences of neighbours along an axis, which are a number apart, or where a vector says; derivatives are those of grad(cost, w)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> w) { return grad(sum(sqr(w)), w); });
#else
    auto f = function<cpu>([](vector<float> w) { return central_differences(sum(sqr(w)), w); });
#endif
}
