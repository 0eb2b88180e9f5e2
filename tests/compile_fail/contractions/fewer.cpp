// error: einsum "ij->i": subscripts of fewer than the 2 operands that are given
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) { return einsum<"ij,kl->i">(a, b); });
#else
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) { return einsum<"ij->i">(a, b); });
#endif
}
