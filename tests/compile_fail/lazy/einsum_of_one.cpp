// error: einsum "ij,jk->ik": subscripts of
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<float, 2> a{{1, 2}, {3, 4}};
#ifdef CROTON_TEST_OK
    auto y = eval(einsum<"ij,jk->ik">(a, a));
#else
    auto y = eval(einsum<"ij,jk->ik">(a));
#endif
}
