// error: no parameter has an extent named "rows"
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dim("m"), dim("n")> x) { return reshape<dim("n"), dim("m")>(x); });
#else
    auto f = function<cpu>([](matrix<float, dim("m"), dim("n")> x) { return reshape<dim("rows"), dim("m")>(x); });
#endif
}
