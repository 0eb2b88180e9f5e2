// error: dot takes scalars, vectors and matrices; reshape higher ranks or write the sum of products
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, 2, 3, 4> x, vector<float> w) { return dot(reshape<6, 4>(x), w); });
#else
    auto f = function<cpu>([](tensor<float, 2, 3, 4> x, vector<float> w) { return dot(x, w); });
#endif
}
