// error: argument 2 is a number, but the function takes float with 1 axis; pass an array, a view or a std::span
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](matrix<float> x, vector<float> v) { return x + v; });
    array<float, 2> x(2, 3);
    array<float, 1> v(3);
#ifdef CROTON_TEST_OK
    f(x, v);
#else
    f(x, 1);
#endif
}
