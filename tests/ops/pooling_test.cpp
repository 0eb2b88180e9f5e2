// SPDX-License-Identifier: MIT
#include <stdexcept>

#include "ops/pooling.hpp"

using namespace croton;
using namespace pooling;

TEST_CASE("equal elements, NaN and infinities") { check_ties<cpu>(); }
TEST_CASE("means of what is only stored, and words for paddings") { check_means<cpu>(); }

TEST_CASE("integers") {
    const auto f = function<cpu>([](images<std::int8_t> x) { return outputs(max_pool2d(x, {.kernel = 2, .stride = 1, .padding = 1}), global_max_pool(x)); });
    array<std::int8_t, 4> x(1, 1, 2, 2);
    for (std::int8_t& e : x) e = -128;
    x(0, 0, 1, 0) = -3;
    const auto [y, most] = f(x);
    CHECK(y(0, 0, 0, 0) == -128);
    CHECK(y(0, 0, 1, 1) == -3);
    CHECK(most(0, 0) == -3);
}

TEST_CASE("what does not fit at the call") {
    const auto f = function<cpu>("f", [](images<float> x) { return max_pool2d(x, {.kernel = {5, 2}, .padding = {1, 0}}); });
    CHECK(f(array<float, 4>(2, 1, 3, 4)).extents() == extents_of<4>{2, 1, 1, 2});
    CHECK_THROWS_WITH_AS(f(array<float, 4>(2, 1, 2, 4)), "f: a window of 5 does not fit into axis 2 of argument 1, which has extent 2 without its padding", shape_error);
    CHECK_THROWS_WITH_AS(f(array<float, 4>(2, 1, 3, 1)), "f: a window of 2 does not fit into axis 3 of argument 1, which has extent 1", shape_error);

    const auto back = function<cpu>("back", [](images<float> y, tensor<int, dynamic, dynamic, dynamic, dynamic> at, images<float> x) { return max_unpool2d(y, at, x); });
    array<float, 4> y(1, 1, 1, 2), x(1, 1, 3, 3);
    array<int, 4> at(1, 1, 1, 2);
    y(0, 0, 0, 1) = 5;
    at(0, 0, 0, 1) = 8;
    CHECK(back(y, at, x)(0, 0, 2, 2) == 5);
    at(0, 0, 0, 1) = 9;
    CHECK_THROWS_AS(back(y, at, x), value_error);
    at(0, 0, 0, 1) = -1;
    CHECK_THROWS_AS(back(y, at, x), value_error);
}
