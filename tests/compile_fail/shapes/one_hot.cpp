// error: one_hot needs the number of classes, as in one_hot<10>(label)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<int> y) { return one_hot<10>(y); });
#else
    auto f = function<cpu>([](vector<int> y) { return one_hot<dynamic>(y); });
#endif
}
