// error: argument 1 of sum<0>(x) must be an array, but is a list of numbers that arrays do not hold: they hold bool (std::vector<bool> has bits), the integers of <cstdint> (std::int64_t for long long), float and double
// SPDX-License-Identifier: MIT
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto y = sum(std::vector<int>(4));
#else
    auto y = sum(std::vector<long long>(4));
#endif
}
