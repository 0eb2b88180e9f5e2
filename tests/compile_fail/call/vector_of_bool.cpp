// error: argument 1 is not an array, a view, a std::span, a std::vector of numbers or a number for a scalar
// SPDX-License-Identifier: MIT
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](vector<bool> v) { return !v; });
#ifdef CROTON_TEST_OK
    f(array<bool, 1>{true});
#else
    f(std::vector<bool>{true});
#endif
}
