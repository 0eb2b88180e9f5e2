// error: one of its parameters is auto and not a declared type, such as matrix<float>
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, scalar<float> y) { return x * y; });
#else
    auto f = function<cpu>([](vector<float> x, auto y) { return x * y; });
#endif
    f(array<float, 1>{1}, 2.0F);
}
