// error: croton: the lambda of vmap takes an argument for each array, as in vmap([](auto row, auto y) { return sum(row) * y; }, x, ys)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, vector<float> y) { return vmap([](auto row, auto each) { return sum(row) * each; }, x, y); });
#else
    auto f = function<cpu>([](matrix<float> x, vector<float> y) { return vmap([](auto row) { return sum(row); }, x, y); });
#endif
}
