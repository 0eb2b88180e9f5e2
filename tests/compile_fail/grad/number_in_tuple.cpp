// error: grad takes expressions, parameters and models in a tuple, and no numbers
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return grad(sum(sqr(x)), std::tuple(x)); });
#else
    auto f = function<cpu>([](vector<float> x) { return grad(sum(sqr(x)), std::tuple(x, 2)); });
#endif
}
