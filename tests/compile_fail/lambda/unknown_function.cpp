// error: absent_function
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return exp(x); });
#else
    auto f = function<cpu>([](vector<float> x) { return absent_function(x); });
#endif
    f(array<float, 1>{1});
}
