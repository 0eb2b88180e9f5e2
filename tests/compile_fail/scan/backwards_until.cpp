// error: scan: backwards, a loop that a value counts begins with the last of so many turns; until goes with times of a number or an extent, or with sequences
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](scalar<double> w, scalar<int> n) {
#ifdef CROTON_TEST_OK
        unused(n);
        return std::get<0>(scan([&](auto s) { return step(s * w, none, until(s > 10)); }, w, times(9), {.reverse = true}));
#else
        return std::get<0>(scan([&](auto s) { return step(s * w, none, until(s > 10)); }, w, times(n, 9), {.reverse = true}));
#endif
    });
}
