// SPDX-License-Identifier: MIT
// Random numbers inside of functions: which bits each element has, whatever device, extents and loop it is computed in.
#include "ops/draws.hpp"

#include <algorithm>
#include <cmath>

using namespace croton;

TEST_CASE("an element is made of the word of its position") {
    test::check_draws<cpu>();
    test::check_draws<reference>();
}

TEST_CASE("arrays without elements count the call") {
    const auto f = test::draws<cpu>();
    auto rng = random_state<on<cpu>::array>::seed(1);
    const auto [u, fused, turned, sums, doubles, word, part, deep, halved, dropped] = f(array<float, 2>(0, 4), rng);
    CHECK(u.size() == 0);
    CHECK(sums.size() == 0);
    CHECK(halved.size() == 0);
    CHECK(dropped.size() == 0);
    CHECK(doubles.size() == 70);
    CHECK(rng.calls() == 1);
    CHECK(rng.key() == 1);
    CHECK(explain(f).find("arg2.calls <- arg2.calls + 1") != std::string::npos);
}
