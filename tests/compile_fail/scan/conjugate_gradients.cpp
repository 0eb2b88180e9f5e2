// error: the product of conjugate_gradients(product, b) takes an expression like b and gives one of its rank and element type
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> a, vector<float> b) { return conjugate_gradients([&](auto v) { return dot(a, v); }, b); });
#else
    auto f = function<cpu>([](matrix<float> a, vector<float> b) { return conjugate_gradients([&](auto v) { return sum(dot(a, v)); }, b); });
#endif
}
