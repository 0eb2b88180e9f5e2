// error: einsum "ij,jk->ii": the result names i twice
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) { return einsum<"ij,jk->i">(a, b); });
#else
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) { return einsum<"ij,jk->ii">(a, b); });
#endif
}
