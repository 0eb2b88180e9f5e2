// error: the literal 9007199254740993 is too large for an expression of int64; pass it as an argument
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<std::int64_t> x, scalar<std::int64_t> y) { return x == y + 9007199254740992; });
#else
    auto f = function<cpu>([](vector<std::int64_t> x) { return x == 9007199254740993; });
#endif
}
