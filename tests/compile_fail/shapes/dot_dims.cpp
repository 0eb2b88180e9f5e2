// error: dot(argument 1, argument 2): argument 1 has "feature" columns but argument 2 has "hidden" elements
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dim("sample"), dim("feature")> x, vector<float, dim("feature")> w) { return dot(x, w); });
#else
    auto f = function<cpu>([](matrix<float, dim("sample"), dim("feature")> x, vector<float, dim("hidden")> w) { return dot(x, w); });
#endif
}
