// error: dot takes scalars, vectors and matrices; matmul takes batches of matrices
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, 2, 3, 4> x, vector<float> w) { return matmul(x, w); });
#else
    auto f = function<cpu>([](tensor<float, 2, 3, 4> x, vector<float> w) { return dot(x, w); });
#endif
}
