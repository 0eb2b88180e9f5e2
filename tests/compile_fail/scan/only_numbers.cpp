// error: a loop that begins with numbers needs an expression in its turns; numbers alone belong to no function
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](scalar<double> a) { return foldl([&](auto x) { return x * a; }, 1.0, times(3)); });
#else
    auto f = function<cpu>([](scalar<double> a) { return a + foldl([](auto x) { return x * 2; }, 1.0, times(3)); });
#endif
}
