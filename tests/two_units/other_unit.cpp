// SPDX-License-Identifier: MIT
// The unit that is compiled for a newer processor.
#include "shared.hpp"

using namespace croton;

results in_other_unit(const array<float, 2>& x, const array<float, 1>& w, const array<double, 1>& v) {
    auto own = function<cpu>([](matrix<float> a, vector<float> b) { return exp(dot(a, b)); });
    return {softened(x, w), mean_square(v), own(x, w)};
}
