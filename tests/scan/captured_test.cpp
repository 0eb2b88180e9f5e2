// SPDX-License-Identifier: MIT
// What turns capture: a reshape of an array with gaps is copied once, before the first of them.
#include <doctest/doctest.h>

#include <string>

#include <croton/croton.hpp>

using namespace croton;

TEST_CASE_TEMPLATE("reshapes of arrays with gaps, in a loop and in one within", D, cpu, reference) {
    auto f = function<D>("reshaped", [](matrix<double, dim("t"), 6> x, matrix<double, 3, 2> w, tensor<double, 2, 3, 2> m, matrix<half, 2, 3> n) {
        return foldl([&](auto h, auto e) {
            auto inner = foldl([&](auto a, auto b) { return b + sum(reshape<12>(transpose(m)) * a); }, 1.0, e);
            return h * 0.5 + e * reshape<6>(w) + inner + cast<double>(reshape<6>(n));
        }, x(0) * 0 + sum(w), x);
    });
    const std::string text = explain(f), inner = text.substr(text.find("loop 1, what a turn is given"));
    CHECK(inner.find("reshape(arg2)   double [6]") != std::string::npos);
    CHECK(inner.find("double [3, 2]\n") == std::string::npos);
    CHECK(inner.find("double [2, 3, 2]\n") == std::string::npos);
    array<double, 2> x{{1, 2, 3, 4, 5, 6}, {1, 1, 1, 1, 1, 1}}, wide(3, 4);
    array<double, 3> m(2, 3, 4);
    array<half, 2> n(2, 6);
    for (int i = 0; i < 12; ++i) wide.data()[i] = i, n.data()[i] = static_cast<float>(i);
    for (int i = 0; i < 24; ++i) m.data()[i] = i % 4 == 0 && i < 4 ? 0.5 : 0;
    const auto last = f(x, wide(slice(), slice(0, none, 2)), m(slice(), slice(), slice(0, none, 2)), n(slice(), slice(0, none, 2)));
    double h[6];
    for (double& each : h) each = 30;
    for (int t = 0; t < 2; ++t) {
        double a = 1;
        for (int i = 0; i < 6; ++i) a = x(t, i) + 0.5 * a;
        for (int i = 0; i < 6; ++i) h[i] = h[i] * 0.5 + x(t, i) * (2 * i) + a + 2 * i;
    }
    for (int i = 0; i < 6; ++i) CHECK(last(i) == doctest::Approx(h[i]));
}
