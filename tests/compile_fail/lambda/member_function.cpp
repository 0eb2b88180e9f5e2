// error: sum
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return sum(x); });
#else
    auto f = function<cpu>([](vector<float> x) { return x.sum(); });
#endif
    f(array<float, 1>{1});
}
