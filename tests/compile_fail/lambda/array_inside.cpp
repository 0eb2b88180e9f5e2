// error: an array meets an expression; pass the array to the function as an argument, and declare a parameter for it
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return x * 2; });
#else
    auto f = function<cpu>([](vector<float> x) { array<float, 1> w(3); return x * w; });
#endif
    f(array<float, 1>{1, 2});
}
