// error: NumPy has no bfloat16
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    save_npy("x.npy", array<half, 1>(3));
#else
    save_npy("x.npy", array<bfloat16, 1>(3));
#endif
}
