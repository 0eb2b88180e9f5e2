// error: croton: a list holds numbers that arrays do not: they hold bool (std::vector<bool> has bits), the integers of <cstdint> (std::int64_t for long long), float and double
// SPDX-License-Identifier: MIT
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<std::int64_t, 1> x{1, 2};
#ifdef CROTON_TEST_OK
    array<std::int64_t, 1> y = x + std::vector<std::int64_t>(2);
#else
    array<std::int64_t, 1> y = x + std::vector<long double>(2);
#endif
}
