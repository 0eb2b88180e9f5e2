// error: argument 1 lies on another device than the function runs on; move it with x.to<...>()
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

struct tape {};
template <> struct croton::memory<tape> : croton::memory<croton::cpu> {};

int main() {
    auto f = function<cpu>([](vector<float> v) { return 2 * v; });
    array<float, 1> v(3);
    array<float, 1, tape> elsewhere(3);
#ifdef CROTON_TEST_OK
    f(v);
#else
    f(elsewhere);
#endif
}
