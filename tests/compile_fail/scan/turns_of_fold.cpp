// error: a number of turns is told by times, as in scan(f, initial, times(10))
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return foldl([](auto s, auto k) { return s + cast<float>(k); }, sum(x), times(10)); });
#else
    auto f = function<cpu>([](vector<float> x) { return foldl([](auto s, auto k) { return s + cast<float>(k); }, sum(x), 10); });
#endif
}
