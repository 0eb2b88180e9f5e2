// error: vmap: argument 2 has extent 3 along its first axis, where the first argument has 2
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float, 2> x, vector<float> y) { return vmap([](auto a, auto b) { return a * b; }, x, y); });
#else
    auto f = function<cpu>([](vector<float, 2> x, vector<float, 3> y) { return vmap([](auto a, auto b) { return a * b; }, x, y); });
#endif
}
