// error: the array for result 1 is written to, but it is const
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](vector<float> v) { return 2 * v; });
    array<float, 1> v(3);
    const array<float, 1> fixed(3);
#ifdef CROTON_TEST_OK
    f.call_into(v, v);
#else
    f.call_into(fixed, v);
#endif
}
