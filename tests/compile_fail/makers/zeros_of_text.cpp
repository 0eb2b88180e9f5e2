// error: the extents of zeros are whole numbers, as in zeros<float>(2, 3); those of an array has zeros_like(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto y = zeros<float>(3);
#else
    auto y = zeros<float>("3");
#endif
}
