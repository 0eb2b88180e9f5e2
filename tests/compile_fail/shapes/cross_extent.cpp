// error: cross: the last axis of argument 2 has extent 2, but a vector has 3 numbers there
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<float, 3> y) { return cross(x, y); });
#else
    auto f = function<cpu>([](vector<float> x, vector<float, 2> y) { return cross(x, y); });
#endif
}
