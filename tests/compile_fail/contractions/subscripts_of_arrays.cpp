// error: the subscripts of einsum stand in angle brackets: einsum<"ij,j->i">(a, x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    array<float, 2> a(2, 2);
    array<float, 1> x(2), y = einsum<"ij,j->i">(a, x);
#else
    array<float, 2> a(2, 2);
    array<float, 1> x(2), y = einsum("ij,j->i", a, x);
#endif
}
