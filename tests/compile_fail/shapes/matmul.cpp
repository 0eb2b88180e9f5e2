// error: matmul(x, w): x has 784 columns but w has 100 rows
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, dynamic, 784> x, tensor<float, dynamic, 784, 10> w) { return matmul(named(x, "x"), named(w, "w")); });
#else
    auto f = function<cpu>([](tensor<float, dynamic, dynamic, 784> x, tensor<float, dynamic, 100, 10> w) { return matmul(named(x, "x"), named(w, "w")); });
#endif
}
