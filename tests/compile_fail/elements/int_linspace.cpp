// error: linspace makes one number or more, of float or double
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](scalar<int> x) { return linspace<3>(0, cast<float>(x)); });
#else
    auto f = function<cpu>([](scalar<int> x) { return linspace<3>(0, x); });
#endif
}
