// error: matmul takes no scalars; multiply with *
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, 2, 3, 4> x, scalar<float> s) { return x * s; });
#else
    auto f = function<cpu>([](tensor<float, 2, 3, 4> x, scalar<float> s) { return matmul(x, s); });
#endif
}
