// error: einsum "ij,j1->i": '1' is neither a letter nor one of , ... ->
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) { return einsum<"ij,jk->i">(a, b); });
#else
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) { return einsum<"ij,j1->i">(a, b); });
#endif
}
