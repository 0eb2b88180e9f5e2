// error: argument 1 of sum<0>(x) must be an array, but is neither; croton takes std::vector, std::array and std::span of numbers
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>
#include <vector>

using namespace croton;

int main() {
    array<float, 2> m(3, 3);
    const std::vector<std::vector<float>> rows(3);
#ifdef CROTON_TEST_OK
    float y = sum(m);
#else
    float y = sum(rows);
#endif
    return rows.empty();
}
