// error: an array is made with a number or dim("name") for each of its axes, 8 at most, as in zeros<10, dim("n")>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float, dim("n")> x) { return x + zeros<dim("n")>(x); });
#else
    auto f = function<cpu>([](vector<float, dim("n")> x) { return x + zeros<dynamic>(x); });
#endif
}
