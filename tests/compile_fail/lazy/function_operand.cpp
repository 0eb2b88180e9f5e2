// error: a function is called with its arguments, as in f(x), and then computed with
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2}, y;
    auto f = function<cpu>([](vector<float> x) { return x * 2; });
#ifdef CROTON_TEST_OK
    y = f(a) * a;
#else
    y = f * a;
#endif
}
