// SPDX-License-Identifier: MIT
// What the profile says of steps that take matrices apart: their numbers are those of the matrices.
#include <doctest/doctest.h>

#include "profile/profile.hpp"

using namespace croton;

TEST_CASE("operations and bytes of matrices") {
    const auto f = function<cpu>("f", [](matrix<double> a, matrix<double> b, matrix<double> c) { return outputs(solve(a, b), svd(c).s, cholesky(a)); });
    array<double, 2> a(10, 10), b(10, 4), c(6, 8);
    for (int i = 0; i < 10; ++i) a(i, i) = 2;
    support::ticking_profile scope{"matrices"};
    (void)f(a, b, c);
    const profile_data r = scope.data<support::round_machine>();
    int seen = 0;
    for (const auto& s : r.functions.at(0).steps) {
        constexpr int number = sizeof(double);
        if (s.kind == "lu") {
            CHECK(s.bytes == number * (100 + 110));
            CHECK(s.operations == 2 * 110 * 10 / 3);
        } else if (s.kind == "solve") {
            CHECK(s.bytes == number * (110 + 40 + 40));
            CHECK(s.operations == 2 * 40 * 10);
        } else if (s.kind == "svd") {
            CHECK(s.bytes == number * (48 + (6 + 8 + 1) * 6));
        } else if (s.kind == "cholesky") {
            CHECK(s.bytes == number * 200);
            CHECK(s.operations == 333);
        } else {
            continue;
        }
        ++seen;
    }
    CHECK(seen == 4);
}
