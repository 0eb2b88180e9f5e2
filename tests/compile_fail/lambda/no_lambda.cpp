// error: a function is made of one lambda, and of a name before it where it has one, as in function<cpu>("train", [](vector<float> x) { return 2 * x; })
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return 2 * x; });
#else
    auto f = function<cpu>();
#endif
}
