// error: the rank of an expression is 0 to 8
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, 2, 2, 2, 2, 2> x, tensor<int, 2, 2, 2, 2> i) { return add_at<1>(x, i, 1.0f); });
#else
    auto f = function<cpu>([](tensor<float, 2, 2, 2, 2, 2> x, tensor<int, 2, 2, 2, 2, 2> i) { return add_at<1>(x, i, 1.0f); });
#endif
}
