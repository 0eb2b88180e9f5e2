// error: load_npy takes the type of an array, load_npy<array<float, 2>>(path), or its element type and its rank, load_npy<float, 2>(path)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto x = load_npy<float, 2>("x.npy");
#else
    auto x = load_npy<float>("x.npy");
#endif
}
