// error: einsum "...i...,ij->i": an ellipsis stands for the axes that are left, so that there is at most one
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) { return einsum<"...i,ij->...j">(a, b); });
#else
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) { return einsum<"...i...,ij->i">(a, b); });
#endif
}
