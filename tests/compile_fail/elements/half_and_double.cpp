// error: add: argument 1 holds half, which is read as float, and argument 2 holds double; convert one of them with cast<float>(x) or cast<double>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<half> x, vector<double> y) { return cast<double>(x) + y; });
#else
    auto f = function<cpu>([](vector<half> x, vector<double> y) { return x + y; });
#endif
}
