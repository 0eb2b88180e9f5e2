// error: add takes numbers, but its argument holds bool; convert it with cast<float>(x) or cast<int>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<bool> x, vector<bool> y) { return cast<int>(x) + cast<int>(y); });
#else
    auto f = function<cpu>([](vector<bool> x, vector<bool> y) { return x + y; });
#endif
}
