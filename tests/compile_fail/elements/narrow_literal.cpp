// error: the literal 300 is too large for an expression of uint8; convert the expression, as in cast<int>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<std::uint8_t> x) { return cast<int>(x) + 300; });
#else
    auto f = function<cpu>([](vector<std::uint8_t> x) { return x + 300; });
#endif
}
