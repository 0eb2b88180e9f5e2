// error: a norm of an order is taken over one axis or over two, as in norm<0>(x, 1)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, dynamic, dynamic> x) { return norm<0, 1>(x, 1); });
#else
    auto f = function<cpu>([](tensor<float, dynamic, dynamic, dynamic> x) { return norm(x, 1); });
#endif
}
