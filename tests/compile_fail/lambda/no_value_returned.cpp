// error: an output was given no value
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { expr<float, 1> s; s = x; return s; });
#else
    auto f = function<cpu>([](vector<float> x) { expr<float, 1> s; unused(x); return s; });
#endif
}
