// error: an operand is neither a number nor an array
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    struct thing {};
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return x * 2; });
#else
    auto f = function<cpu>([](vector<float> x) { return x * thing(); });
#endif
}
