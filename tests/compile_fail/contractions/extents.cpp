// error: einsum: argument 1 has extent 3 but argument 2 has extent 4 along axis 0
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, 2, 3> a, matrix<float, 4, 2> b) { return einsum<"ij,kl->ik">(a, b); });
#else
    auto f = function<cpu>([](matrix<float, 2, 3> a, matrix<float, 4, 2> b) { return einsum<"ij,jk->ik">(a, b); });
#endif
}
