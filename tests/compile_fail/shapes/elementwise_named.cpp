// error: multiply(argument 1, argument 2): argument 1 has extent "sample" but argument 2 has extent "feature" along axis -1
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float, dim("sample")> x, vector<float, dim("feature")> y) { return outer(x, y); });
#else
    auto f = function<cpu>([](vector<float, dim("sample")> x, vector<float, dim("feature")> y) { return x * y; });
#endif
}
