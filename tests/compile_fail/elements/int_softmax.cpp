// error: softmax and its family take float or double; convert with cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<int> x) { return softmax(cast<float>(x)); });
#else
    auto f = function<cpu>([](matrix<int> x) { return softmax(x); });
#endif
}
