// error: croton: an extent is a number of elements, dim("name") or dynamic; other negative numbers are none
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float, -1> x) { return 2 * x; });
#else
    auto f = function<cpu>([](vector<float, -2> x) { return 2 * x; });
#endif
}
