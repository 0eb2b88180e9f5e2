// SPDX-License-Identifier: MIT
// A state of which a turn changes a part stays where it is, unless what was there is still read.
#include <doctest/doctest.h>

#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

TEST_CASE_TEMPLATE("parts of states that turns change", D, cpu, reference) {
    auto f = function<D>("changed", [](matrix<double> s0, matrix<double, dim("t"), 2> x, croton::vector<int, dim("t")> at) {
        auto put = foldl([](auto s, auto e) {
            auto [row, i] = e;
            return set_at<0>(s, i, row + take<0>(s, i));
        }, s0, std::tuple(x, at));
        auto [kept, before] = scan([](auto s, auto e) {
            auto [row, i] = e;
            return step(add_at<0>(s, i, row), sum(s));
        }, s0, std::tuple(x, at));
        auto [pair, nothing] = scan([](auto both, auto e) {
            auto [a, b] = both;
            auto [row, i] = e;
            return step(std::tuple(add_at<0>(a, i, row), a), none);
        }, std::tuple(s0, s0), std::tuple(x, at));
        return std::tuple(put, kept, before, std::get<1>(pair));
    });
    const array<double, 2> x{{1, 2}, {3, 4}, {5, 6}}, s(3, 2);
    const array<int, 1> at{0, 2, 0};
    auto [put, kept, before, old] = f(s, x, at);
    CHECK(put == array<double, 2>{{6, 8}, {0, 0}, {3, 4}});
    CHECK(kept == put);
    CHECK(before == array<double, 1>{0, 3, 10});
    CHECK(old == array<double, 2>{{1, 2}, {0, 0}, {3, 4}});
    auto [same, also, none_of_them, first] = f(x, array<double, 2>(0, 2), array<int, 1>(0));
    CHECK(same == x);
    CHECK(also == x);
}

TEST_CASE("they take the memory of one") {
    auto f = function<cpu>("changed", [](matrix<double, 100, 64> s, matrix<double, dim("t"), 64> x, croton::vector<int, dim("t")> at) {
        return foldl([](auto h, auto e) { return set_at<0>(h, std::get<1>(e), std::get<0>(e)); }, s, std::tuple(x, at));
    });
    profile scope{"memory"};
    (void)f(array<double, 2>(100, 64), array<double, 2>(5, 64), array<int, 1>(5));
    CHECK(scope.functions()[1].carried_bytes == 8 * 100 * 64);
}
