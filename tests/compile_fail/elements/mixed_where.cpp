// error: where: argument 1 holds float and argument 2 holds int; convert one of them with cast<float>(x) or cast<int>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<int> y) { return where(x > 0, x, cast<float>(y)); });
#else
    auto f = function<cpu>([](vector<float> x, vector<int> y) { return where(x > 0, x, y); });
#endif
}
