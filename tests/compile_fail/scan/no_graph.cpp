// error: while_loop begins with an expression, or has one in its condition or in its body; numbers alone belong to no function
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](scalar<double> a) { return while_loop([](auto x) { return x < 5; }, [&](auto x) { return x * a; }, 1.0); });
#else
    auto f = function<cpu>([](scalar<double> a) { return a + while_loop([](auto x) { return x < 5; }, [](auto x) { return x * 2; }, 1.0); });
#endif
}
