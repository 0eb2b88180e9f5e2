// error: matmul: argument 1 holds float and argument 2 holds double; convert one of them with cast<float>(x) or cast<double>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, 2, 3, 4> x, vector<double, 4> y) { return matmul(cast<double>(x), y); });
#else
    auto f = function<cpu>([](tensor<float, 2, 3, 4> x, vector<double, 4> y) { return matmul(x, y); });
#endif
}
