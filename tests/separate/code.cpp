// SPDX-License-Identifier: MIT
// The file that has the common code, and a function of its own.
#define CROTON_IMPLEMENTATION
#include <croton/croton.hpp>

double of_the_other_file() {
    const auto total = croton::function<croton::cpu>([](croton::vector<double> x) { return croton::sum(x); });
    return total(croton::array<double, 1>{1, 2, 3})();
}
