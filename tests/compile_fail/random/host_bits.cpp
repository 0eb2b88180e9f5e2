// error: croton: random bits are std::uint32_t or std::uint64_t
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<std::uint32_t, 1> x(4);
#ifdef CROTON_TEST_OK
    random::bits(x, 1);
#else
    random::bits(array<int, 1>(4), 1);
#endif
    return x.size() == 4 ? 0 : 1;
}
