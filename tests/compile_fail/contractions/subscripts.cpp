// error: the subscripts of einsum stand in angle brackets: einsum<"ij,j->i">(a, x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> a, vector<float> x) { return einsum<"ij,j->i">(a, x); });
#else
    auto f = function<cpu>([](matrix<float> a, vector<float> x) { return einsum("ij,j->i", a, x); });
#endif
}
