// error: matmul does not take bool; convert with cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<bool, 2, 3, 3> x) { return matmul(cast<float>(x), cast<float>(x)); });
#else
    auto f = function<cpu>([](tensor<bool, 2, 3, 3> x) { return matmul(x, x); });
#endif
}
