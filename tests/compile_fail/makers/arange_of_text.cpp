// error: arange takes one to three numbers: arange<float>(stop), arange<float>(start, stop), arange<float>(start, stop, step)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto y = arange<float>(3);
#else
    auto y = arange<float>("3");
#endif
}
