// error: croton: an argument is a list of numbers that arrays do not hold: they hold bool (std::vector<bool> has bits), the integers of <cstdint> (std::int64_t for long long), float and double
// SPDX-License-Identifier: MIT
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<double, 1> x{1, 2};
#ifdef CROTON_TEST_OK
    auto y = dot(x, std::vector<double>(2));
#else
    auto y = dot(x, std::vector<long double>(2));
#endif
}
