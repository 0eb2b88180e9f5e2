// error: meshgrid takes two vectors
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<float> y) { return meshgrid(x, y); });
#else
    auto f = function<cpu>([](vector<float> x, matrix<float> y) { return meshgrid(x, y); });
#endif
}
