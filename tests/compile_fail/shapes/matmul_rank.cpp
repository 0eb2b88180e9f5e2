// error: matmul takes arrays of at most 7 axes
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, 1, 2, 1, 2, 1, 2, 3> x, matrix<float> w) { return matmul(x, w); });
#else
    auto f = function<cpu>([](tensor<float, 1, 1, 2, 1, 2, 1, 2, 3> x, matrix<float> w) { return matmul(x, w); });
#endif
}
