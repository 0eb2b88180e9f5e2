// error: an array meets an expression; pass the array to the function as an argument, and declare a parameter for it
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

static array<float, 1> a{1, 2};

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<float> a) { auto y = 2 * x; y += a; return y; });
#else
    auto f = function<cpu>([](vector<float> x) { auto y = 2 * x; y += a; return y; });
#endif
}
