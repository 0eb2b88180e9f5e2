// SPDX-License-Identifier: MIT
// A routine that refuses its numbers does so before anything is changed: neither parameters, in whatever way they are updated, nor results.
#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

namespace {

using square = matrix<double, dim("n"), dim("n")>;

const array<double, 2> right{{2, 1}, {1, 3}}, ones{{1, 1}, {1, 1}};

/// Calls with a singular matrix change nothing, and the next one does what it is to do.
template <class F, class Check> void fails_whole(const F& f, const Check& check) {
    array<double, 2> w{{1, 2}, {3, 4}}, v{{5, 6}, {7, 8}};
    array<double, 0> count(1);
    const auto kept_w = w, kept_v = v;
    array<double, 2> result{{9, 9}, {9, 9}};
    for (int round = 0; round < 2; ++round) {
        CHECK_THROWS_AS(f.call_into(std::tie(result), ones, w, v, count), value_error);
        CHECK(w == kept_w);
        CHECK(v == kept_v);
        CHECK(count() == 1);
        CHECK(result == array<double, 2>{{9, 9}, {9, 9}});
        if (round == 0) {
            array<double, 2> w2 = w, v2 = v, result2 = result;
            array<double, 0> count2 = count;
            f.call_into(std::tie(result2), right, w2, v2, count2);
            check(w2, v2, result2);
            CHECK(count2() == 2);
        }
    }
}

template <class Device> void check() {
    // Updates that wait for nothing, and a product whose addend is a parameter.
    fails_whole(function<Device>([](square a, shared<square> w, shared<square> v, shared<scalar<double>> count) {
                    return outputs(exp(w * 0)).updates(w -= dot(a, v) * 2, v -= inv(a), count += 1);
                }),
                [](const auto& w, const auto& v, const auto& result) {
                    CHECK(w == array<double, 2>{{1 - 34, 2 - 40}, {3 - 52, 4 - 60}});
                    CHECK(v(0, 0) == doctest::Approx(5 - 0.6));
                    CHECK(result == ones);
                });
    // A routine that reads what is updated, before and after.
    fails_whole(function<Device>([](square a, shared<square> w, shared<square> v, shared<scalar<double>> count) {
                    auto next = w + a;
                    return outputs(solve(a, next)).updates(update(w, next), update(v, cholesky(a)), count += 1);
                }),
                [](const auto& w, const auto& v, const auto& result) {
                    CHECK(w == array<double, 2>{{3, 3}, {4, 7}});
                    CHECK(v(1, 0) == doctest::Approx(1 / std::sqrt(2.0)));
                    CHECK(result(0, 0) == doctest::Approx(1));
                });
    // One that fails behind another, of what it makes.
    fails_whole(function<Device>([](square a, shared<square> w, shared<square> v, shared<scalar<double>> count) {
                    auto l = cholesky(a + eye<dim("n")>(a));
                    return outputs(l).updates(update(w, l), update(v, solve(a, l)), count += 1);
                }),
                [](const auto& w, const auto&, const auto& result) {
                    CHECK(w == result);
                    CHECK(w(0, 0) == doctest::Approx(std::sqrt(3.0)));
                });
}

}  // namespace

TEST_CASE("a call with a singular matrix changes nothing") {
    check<cpu>();
    check<reference>();
}

TEST_CASE("results of calls that may fail are written where the caller says, and nothing is allocated for them twice") {
    const auto f = function<cpu>([](square a) { return outputs(inv(a), det(a)); });
    array<double, 2> large(4, 4);
    view<double, 2> part(large.data(), extents_of<2>{2, 2}, extents_of<2>{8, 2});
    array<double, 0> d;
    for (int i = 0; i < 3; ++i) {
        f.call_into(std::tie(part, d), right);
        CHECK(large(0, 0) == doctest::Approx(0.6));
        CHECK(large(2, 2) == doctest::Approx(0.4));
        CHECK(large(1, 1) == 0);
        CHECK(d() == doctest::Approx(5));
    }
    array<double, 2> one(1, 1);
    f.call_into(std::tie(one, d), array<double, 2>{{4}});
    CHECK(one(0, 0) == 0.25);
    // Over its own argument.
    array<double, 2> own = right;
    f.call_into(std::tie(own, d), own);
    CHECK(own(0, 1) == doctest::Approx(-0.2));
}
