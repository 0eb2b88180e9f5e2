// error: einsum "ij,jkl->i": operand 2 has 2 axes and not one for each of its letters
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) { return einsum<"ij,jk->i">(a, b); });
#else
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) { return einsum<"ij,jkl->i">(a, b); });
#endif
}
