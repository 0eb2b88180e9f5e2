// error: grad needs a cost in float or double
// SPDX-License-Identifier: MIT
#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<int> x, vector<float> y) { return grad(sum(cast<float>(x) * sqr(y)), y); });
#else
    auto f = function<cpu>([](vector<int> x, vector<float> y) { return std::tuple(grad(sum(x), y), y); });
#endif
}
