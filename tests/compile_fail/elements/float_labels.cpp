// error: the labels of cross_entropy are class numbers, of an integer type
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, vector<float> y) { return cross_entropy(x, cast<int>(y)); });
#else
    auto f = function<cpu>([](matrix<float> x, vector<float> y) { return cross_entropy(x, y); });
#endif
}
