// error: an array of another library meets an expression; in a function pass it as an argument, and declare a parameter for it
// SPDX-License-Identifier: MIT
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    std::vector<float> v{1, 2};
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<float> e) { return x + e; });
    f(v, v);
#else
    auto f = function<cpu>([&](vector<float> x) { return x + v; });
#endif
}
