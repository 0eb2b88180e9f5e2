// SPDX-License-Identifier: MIT
// Which calls of a function are one graph: those of shapes and memory that it has seen.
#include <doctest/doctest.h>

#include "device/logged_cuda.hpp"

using namespace croton;

TEST_CASE("shapes that alternate have a graph each") {
    auto f = function<cuda>([](matrix<float> a, matrix<float> b) { return softmax(dot(a, b)) + 1; });
    const array<float, 2, cuda> weights(8, 8), batch(32, 8), last(5, 8);
    array<float, 2, cuda> of_batch(32, 8), of_last(5, 8);
    const auto epoch = [&] {
        f.call_into(of_batch, batch, weights);
        f.call_into(of_last, last, weights);
    };
    for (int i = 0; i < 3; ++i) epoch();
    logged::lines.clear();
    for (int i = 0; i < 5; ++i) epoch();
    CHECK(logged::count("graph of 2:") == 10);
    CHECK(logged::count("capture") == 0);
    CHECK(logged::count("take") == 0);
    CHECK(logged::faults.empty());
}

TEST_CASE("more shapes than are kept") {
    auto f = function<cuda>([](matrix<float> a) { return softmax(a * 2); });
    for (int turn = 0; turn < 3; ++turn)
        for (int n = 1; n < 20; ++n) {
            const array<float, 2, cuda> a(n, 8);
            array<float, 2, cuda> b(n, 8);
            for (int call = 0; call < 3; ++call) {
                logged::lines.clear();
                f.call_into(b, a);
            }
            CHECK(logged::count("graph of 1:") == 1);
        }
    CHECK(logged::faults.empty());
}
