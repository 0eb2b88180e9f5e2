// SPDX-License-Identifier: MIT
// What both units include: inline functions that use croton, as a library's own headers would.
#ifndef CROTON_TESTS_TWO_UNITS_SHARED_HPP
#define CROTON_TESTS_TWO_UNITS_SHARED_HPP

#include <croton/croton.hpp>

inline croton::array<float, 1> softened(const croton::array<float, 2>& x, const croton::array<float, 1>& w) {
    static const auto made = croton::function<croton::cpu>(
        [](croton::matrix<float> a, croton::vector<float> b) { return softplus(dot(a, b)) + sum<1>(sqr(a)); });
    auto f = made;
    return f(x, w);
}

inline double mean_square(const croton::array<double, 1>& x) {
    auto f = croton::function<croton::cpu>([](croton::vector<double> v) { return mean(sqr(v)); });
    return f(x)();
}

struct results {
    croton::array<float, 1> softened;
    double mean_square = 0;
    croton::array<float, 1> own;
};

results in_other_unit(const croton::array<float, 2>& x, const croton::array<float, 1>& w, const croton::array<double, 1>& v);

#endif
