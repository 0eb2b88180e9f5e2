// error: dot does not take bool; convert with cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<bool> x) { return dot(cast<float>(x), cast<float>(x)); });
#else
    auto f = function<cpu>([](matrix<bool> x) { return dot(x, x); });
#endif
}
