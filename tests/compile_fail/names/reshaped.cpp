// error: a name in dim has 1 to 10 letters, digits or underscores
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float, dim("in_2")> x) { return reshape<dim("in_2")>(x); });
#else
    auto f = function<cpu>([](vector<float, dim("in_2")> x) { return reshape<dim("in-2")>(x); });
#endif
}
