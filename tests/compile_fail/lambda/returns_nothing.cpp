// error: a lambda returns expressions, models of them, a tuple or std::array of those, or outputs(...).updates(...)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return 2 * x; });
#else
    auto f = function<cpu>([](vector<float> x) { x * 2; });
#endif
}
