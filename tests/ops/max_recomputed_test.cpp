// SPDX-License-Identifier: MIT
// What picks the largest element compares it with what the maximum was taken of, bit for bit, even where the compiler may
// compute an expression twice and round it differently.
#include <doctest/doctest.h>

#include <cstdint>
#include <tuple>

#include <croton/croton.hpp>

#include "ops/support.hpp"

using namespace croton;

TEST_CASE_TEMPLATE("the gradient of a maximum of an expression reaches one element of each row", Device, cpu, reference) {
    auto f = function<Device>([](matrix<float> a, matrix<float> b, matrix<float> c) {
        auto product = a * b;
        auto x = product + c;
        return std::tuple(grad(sum(max<1>(x)), c), argmax<1>(x), max<1>(x), product - x);
    });
    constexpr std::int64_t rows = 200, columns = 37;
    support::numbers random(3);
    array<float, 2> a(rows, columns), b(rows, columns), c(rows, columns);
    for (float& e : a) e = static_cast<float>(random.next(-1, 1));
    for (float& e : b) e = static_cast<float>(random.next(-1, 1));
    for (float& e : c) e = static_cast<float>(random.next(-1, 1));
    const auto [g, at, largest, unused] = f(a, b, c);
    for (std::int64_t i = 0; i < rows; ++i) {
        float sum = 0;
        for (std::int64_t j = 0; j < columns; ++j) sum += g(i, j);
        REQUIRE(sum == 1);
        REQUIRE(at(i) >= 0);
        REQUIRE(at(i) < columns);
        REQUIRE(g(i, at(i)) == 1);
    }
}
