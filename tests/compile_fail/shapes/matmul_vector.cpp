// error: matmul(argument 1, argument 2): argument 1 has 4 elements but argument 2 has 5 rows
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float, 5> x, tensor<float, 2, 5, 6> w) { return matmul(x, w); });
#else
    auto f = function<cpu>([](vector<float, 4> x, tensor<float, 2, 5, 6> w) { return matmul(x, w); });
#endif
}
