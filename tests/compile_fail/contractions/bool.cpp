// error: products of arrays do not take bool; convert with cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<bool> a) { return einsum<"ij->i">(cast<int>(a)); });
#else
    auto f = function<cpu>([](matrix<bool> a) { return einsum<"ij->i">(a); });
#endif
}
