// error: einsum "ij,jk,kl->i": subscripts of more than the 2 operands that are given
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) { return einsum<"ij,jk->i">(a, b); });
#else
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) { return einsum<"ij,jk,kl->i">(a, b); });
#endif
}
