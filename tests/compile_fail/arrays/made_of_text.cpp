// error: deleted
// error: text is no array; one that a file holds is read as in load_npy<array<float, 1>>("x.npy")
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto y = load_npy<array<float, 1>>("x.npy");
#else
    array<float, 1> y("x.npy");
#endif
}
