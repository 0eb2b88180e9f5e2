// error: a name in dim has 1 to 10 letters, digits or underscores
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float, dim("ten_letter")> x) { return 2 * x; });
#else
    auto f = function<cpu>([](vector<float, dim("ten_letters")> x) { return 2 * x; });
#endif
}
