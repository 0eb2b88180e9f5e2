// error: cov and corrcoef take a vector, two vectors, or a matrix with a variable in each row
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, dynamic, dynamic> x) { return cov(x(0)); });
#else
    auto f = function<cpu>([](tensor<float, dynamic, dynamic, dynamic> x) { return cov(x); });
#endif
}
