// error: croton: an initialiser of this name is for matrices [in,out] and kernels of convolutions [out,in,k,...]
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> x(4);
#ifdef CROTON_TEST_OK
    random::uniform(x, 1, -1, 1);
#else
    random::he_uniform(x, 1);
#endif
    return x.size() == 4 ? 0 : 1;
}
