// error: add(argument 1, argument 2): argument 1 has extent 3 but argument 2 has extent 4 along axis -1; only an extent that is 1 in its declaration is repeated
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dynamic, 4> x, vector<float, 4> y) { return x + y; });
#else
    auto f = function<cpu>([](matrix<float, dynamic, 3> x, vector<float, 4> y) { return x + y; });
#endif
}
