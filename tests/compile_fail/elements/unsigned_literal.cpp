// error: the literal 4000000000 is too large for an expression of int; pass it as an argument
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<int> x) { return x * 4U; });
#else
    auto f = function<cpu>([](vector<int> x) { return x * 4000000000U; });
#endif
}
