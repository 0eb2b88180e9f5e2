// error: one_hot needs the number of classes, as in one_hot<10>(label)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<int> label) { return one_hot<10>(label); });
#else
    auto f = function<cpu>([](vector<int> label) { return one_hot<dim("k")>(label); });
#endif
}
