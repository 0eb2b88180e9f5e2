// error: an ellipsis stands for the axes that are left, so that there is at most one
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, 2, 3, 4> x) { return x(ellipsis, 0); });
#else
    auto f = function<cpu>([](tensor<float, 2, 3, 4> x) { return x(ellipsis, 0, ellipsis); });
#endif
}
