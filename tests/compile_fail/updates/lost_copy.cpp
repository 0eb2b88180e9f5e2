// error: update: an assignment such as += to argument 1 is an update of a parameter; to compute with a copy of it, declare that as expr<float, 1>
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<float> y) { expr<float, 1> s = x; s += y; return s; });
#else
    auto f = function<cpu>([](vector<float> x, vector<float> y) { auto s = x; s += y; return s; });
#endif
}
