// error: an array meets an expression; pass the array to the function as an argument, and declare a parameter for it
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2};
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<float> e) { return x + e; });
    f(a, a * 2);
#else
    auto e = a * 2;
    auto f = function<cpu>([&](vector<float> x) { return x + e; });
#endif
}
