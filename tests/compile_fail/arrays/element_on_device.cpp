// error: the host cannot read single elements of a device's array; copy it first: x.to<cpu>()(i)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

struct tape {};
template <> struct croton::memory<tape> : croton::memory<croton::cpu> {
    static constexpr bool on_host = false;
};

int main() {
    array<float, 2, tape> x(3, 4);
#ifdef CROTON_TEST_OK
    return static_cast<int>(x.to<cpu>()(1, 2));
#else
    return static_cast<int>(x(1, 2));
#endif
}
