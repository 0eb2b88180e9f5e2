// error: the literal 2147483648 is too large for an expression of int; pass it as an argument
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<std::int64_t> x, vector<int> y) { return std::tuple(x == 9223372036854775807, y == 2147483647); });
#else
    auto f = function<cpu>([](vector<int> x) { return x == 2147483648; });
#endif
}
