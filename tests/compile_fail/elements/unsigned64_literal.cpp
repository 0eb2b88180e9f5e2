// error: the literal 18446744073709551615 is too large for an expression of int64; pass it as an argument
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<std::int64_t> x) { return x * std::uint64_t(5); });
#else
    auto f = function<cpu>([](vector<std::int64_t> x) { return x * ~std::uint64_t(0); });
#endif
}
