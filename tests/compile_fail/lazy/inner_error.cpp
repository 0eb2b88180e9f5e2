// error: dot takes scalars, vectors and matrices; matmul takes batches of matrices
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2, 3};
    array<float, 3> b(3, 3, 3);
#ifdef CROTON_TEST_OK
    auto y = eval(dot(a, b(0)));
#else
    auto y = eval(dot(b, a));
#endif
}
