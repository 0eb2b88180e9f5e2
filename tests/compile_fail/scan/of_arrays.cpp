// error: loops are of expressions, in a function, as in function<cpu>([](vector<float> x) { return foldl(f, 0.0f, x); })
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2};
#ifdef CROTON_TEST_OK
    auto y = function<cpu>([](vector<float> x) { return foldl([](auto s, auto e) { return s + e; }, 0.0f, x); })(a);
#else
    auto y = foldl([](auto s, auto e) { return s + e; }, 0.0f, a);
#endif
}
