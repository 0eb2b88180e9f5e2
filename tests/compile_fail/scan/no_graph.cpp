// error: while_loop begins with an expression, or compares with one in its condition; numbers alone belong to no function
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](scalar<double> a) { return while_loop([&](auto x) { return x < a; }, [&](auto x) { return x * 2; }, 1.0); });
#else
    auto f = function<cpu>([](scalar<double> a) { return a + while_loop([](auto x) { return x < 5; }, [](auto x) { return x * 2; }, 1.0); });
#endif
}
