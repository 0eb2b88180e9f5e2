// error: the labels of one_hot are class numbers, of an integer type
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> y) { return one_hot<3>(cast<int>(y)); });
#else
    auto f = function<cpu>([](vector<float> y) { return one_hot<3>(y); });
#endif
}
