// error: grad: the cost does not depend on argument 2; take grad only for what the cost is computed from
// SPDX-License-Identifier: MIT
#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<float> y) { return grad(sum(x * sqr(y)), y); });
#else
    auto f = function<cpu>([](vector<float> x, vector<float> y) { return std::tuple(grad(sum(x), y), y); });
#endif
}
