// error: the literal -1 is too small for an expression of uint8; convert the expression, as in cast<int>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<std::uint8_t> x) { return cast<int>(x) * -1; });
#else
    auto f = function<cpu>([](vector<std::uint8_t> x) { return x * -1; });
#endif
}
