// error: lstsq(argument 1, argument 2): argument 1 has 3 rows but argument 2 has 2 elements
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, 3, 2> a, vector<float, 3> b) { return lstsq(a, b).x; });
#else
    auto f = function<cpu>([](matrix<float, 3, 2> a, vector<float, 2> b) { return lstsq(a, b).x; });
#endif
}
