// error: the parameters of the lambda are declared types, such as matrix<float>, and not auto
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return 2 * x; });
#else
    auto f = function<cpu>([](auto x) { return 2 * x; });
    f(array<float, 1>{1});
#endif
}
