// error: argument 1 is a number, but it is written to; pass an array such as array<float, 0>
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](shared<scalar<float>> b) { return updates(b += 1); });
    array<float, 0> b;
#ifdef CROTON_TEST_OK
    f(b);
#else
    f(2);
#endif
}
