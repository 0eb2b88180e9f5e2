// error: diag takes a vector or a matrix; diagonal(x) takes batches of matrices
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, 2, 3, 3> x) { return diagonal(x); });
#else
    auto f = function<cpu>([](tensor<float, 2, 3, 3> x) { return diag(x); });
#endif
}
