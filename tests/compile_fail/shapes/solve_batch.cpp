// error: solve_triangular(argument 1, argument 2): argument 1 has extent 2 but argument 2 has extent 5 along axis -3
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, 2, 3, 3> a, tensor<float, 2, 3, 4> b) { return solve_triangular(a, b); });
#else
    auto f = function<cpu>([](tensor<float, 2, 3, 3> a, tensor<float, 5, 3, 4> b) { return solve_triangular(a, b); });
#endif
}
