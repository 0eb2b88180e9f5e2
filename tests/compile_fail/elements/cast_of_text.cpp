// error: cast takes an element type in angle brackets, and an array: cast<double>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<int> x) { return cast<float>(x); });
#else
    auto f = function<cpu>([](vector<int> x) { return cast<float>("x"); });
#endif
}
