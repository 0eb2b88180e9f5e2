// error: croton: this device has no linear algebra; cholesky, solve, qr, eigh, svd and their kin run on cpu and reference, and on cuda where cuSOLVER is linked (-lcusolver)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

struct plain : croton::cpu {
#ifndef CROTON_TEST_OK
private:
    using croton::cpu::factors_matrices;
#endif
};
template <> struct croton::memory<plain> : croton::memory<croton::cpu> {};

int main() {
    auto f = function<plain>([](matrix<double, dim("n"), dim("n")> a) { return cholesky(a); });
    f(array<double, 2, plain>(2, 2));
}
