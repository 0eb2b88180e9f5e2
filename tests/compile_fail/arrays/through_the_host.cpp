// error: go through the host: x.to<cpu>().to<...>()
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

struct tape {};
struct disk {};
template <> struct croton::memory<tape> : croton::memory<croton::cpu> {
    static constexpr bool on_host = false;
};
template <> struct croton::memory<disk> : croton::memory<tape> {};

int main() {
    array<float, 1, tape> x(3);
#ifdef CROTON_TEST_OK
    x.to<cpu>().to<disk>();
#else
    x.to<disk>();
#endif
}
