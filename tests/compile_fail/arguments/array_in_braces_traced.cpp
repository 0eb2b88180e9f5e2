// error: croton: what stands in braces has no type: maximum(x, array<float, 1>{1, 2, 3}); in a function it is an argument, for which a parameter is declared
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<float> y) { return maximum(x, y) * 2; });
#else
    auto f = function<cpu>([](vector<float> x) { return maximum(x, {1.f, 2.f}) * 2; });
#endif
}
