// error: grad: the last turns of a loop that a value ends have one derivative and no second one; leave truncate out
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](scalar<double> w, scalar<int> n) {
#ifdef CROTON_TEST_OK
        auto [last, none_given] = scan([&](auto s) { return s * w; }, w, times(n, 9));
#else
        auto [last, none_given] = scan([&](auto s) { return s * w; }, w, times(n, 9), {.truncate = 2});
#endif
        return grad(grad(last, w), w);
    });
}
