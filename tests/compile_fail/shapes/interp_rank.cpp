// error: interp takes where points are in a vector, and what is there in another
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<float> y) { return interp(x, x, y); });
#else
    auto f = function<cpu>([](vector<float> x, matrix<float> y) { return interp(x, x, y); });
#endif
}
