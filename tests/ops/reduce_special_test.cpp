// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "support.hpp"

using namespace croton;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

constexpr auto sums = [](matrix<float> x) {
    return std::tuple(sum<0>(x), sum<1>(x), sum(x), mean<0>(x), mean(x), prod<1>(x), all<0>(x > 0), any<1>(x > 0),
                      all(x > 0), any(x > 0));
};
constexpr auto extremes = [](matrix<float> x) {
    return std::tuple(max<0>(x), min<1>(x), argmax<0>(x), logsumexp<0>(x));
};

template <class Device> void check_empty() {
    INFO(support::device_name<Device>());
    auto f = function<Device>(sums);
    const array<float, 2> no_rows(0, 3), no_columns(2, 0);
    {
        const auto [s0, s1, s, m0, m, p1, all0, any1, all_, any_] = f(no_rows);
        CHECK(s0 == array<float, 1>{0, 0, 0});
        CHECK(s1.size() == 0);
        CHECK(static_cast<float>(s) == 0);
        CHECK((std::isnan(m0(0)) && std::isnan(m0(2)) && std::isnan(static_cast<float>(m))));
        CHECK(p1.size() == 0);
        CHECK(all0 == array<bool, 1>{true, true, true});
        CHECK((static_cast<bool>(all_) && !static_cast<bool>(any_)));
    }
    {
        const auto [s0, s1, s, m0, m, p1, all0, any1, all_, any_] = f(no_columns);
        CHECK(s0.size() == 0);
        CHECK(s1 == array<float, 1>{0, 0});
        CHECK(m0.size() == 0);
        CHECK(p1 == array<float, 1>{1, 1});
        CHECK(any1 == array<bool, 1>{false, false});
    }
}

template <class Device> void check_logical() {
    INFO(support::device_name<Device>());
    auto f = function<Device>([](matrix<bool> x) {
        return std::tuple(all<0>(x), any<0>(x), all<1>(x), any<1>(x), all(x), any(x), sum<1>(x), sum(x),
                          any<0>(x, keepdims), all<-1>(!x));
    });
    for (const auto& [n, k] : {std::pair{1, 1}, {3, 5}, {17, 33}, {1, 257}, {257, 2}})
        for (const double density : {0.0, 0.5, 0.99, 1.0}) {
            support::numbers random(17);
            array<bool, 2> x(n, k);
            for (bool& e : x) e = random.next(0, 1) < density;
            const auto [all0, any0, all1, any1, all_, any_, count1, count, kept, none1] = f(x);
            bool same = true, each = true, some = false;
            std::int64_t total = 0;
            for (std::int64_t i = 0; i < n; ++i) {
                bool row_all = true, row_any = false;
                std::int64_t row = 0;
                for (std::int64_t j = 0; j < k; ++j)
                    row_all = row_all && x(i, j), row_any = row_any || x(i, j), row += x(i, j);
                same = same && all1(i) == row_all && any1(i) == row_any && count1(i) == row && none1(i) == !row_any;
                each = each && row_all, some = some || row_any, total += row;
            }
            for (std::int64_t j = 0; j < k; ++j) {
                bool column_all = true, column_any = false;
                for (std::int64_t i = 0; i < n; ++i)
                    column_all = column_all && x(i, j), column_any = column_any || x(i, j);
                same = same && all0(j) == column_all && any0(j) == column_any && kept(0, j) == column_any;
            }
            CHECK(same);
            CHECK(static_cast<bool>(all_) == each);
            CHECK(static_cast<bool>(any_) == some);
            CHECK(static_cast<std::int64_t>(count) == total);
        }
}

}  // namespace

TEST_CASE("sums of nothing are 0, products 1, means NaN") {
    check_empty<cpu>();
    check_empty<reference>();
}

TEST_CASE("an empty axis has no largest element") {
    auto f = function<cpu>(extremes);
    CHECK_THROWS_AS(f(array<float, 2>(0, 3)), shape_error);
    CHECK_THROWS_AS(f(array<float, 2>(3, 0)), shape_error);
    CHECK_NOTHROW(f(array<float, 2>(1, 1)));
    // No axis is empty where there is nothing to give.
    auto g = function<cpu>([](matrix<float> x) { return max<1>(x) + logsumexp<1>(x) + sum<1>(softmax(x)); });
    CHECK(g(array<float, 2>(0, 3)).size() == 0);
    CHECK_THROWS_AS(g(array<float, 2>(3, 0)), shape_error);
}

TEST_CASE_TEMPLATE("softmax and its family of an empty axis", Device, cpu, reference) {
    auto f = function<Device>([](matrix<float> x) { return std::tuple(softmax<1>(x), log_softmax<1>(x), logsumexp<1>(x)); });
    const auto [shares, logs, sums] = f(array<float, 2>(3, 0));
    CHECK(shares.extents() == std::array<std::int64_t, 2>{3, 0});
    CHECK(logs.extents() == std::array<std::int64_t, 2>{3, 0});
    CHECK(sums == array<float, 1>{-INFINITY, -INFINITY, -INFINITY});
    // A maximum that is asked for besides has no value, also where it is made finite in another way.
    auto g = function<Device>("g", [](matrix<float> x) { return std::tuple(logsumexp<1>(x), max<1>(x)); });
    CHECK_THROWS_WITH_AS(g(array<float, 2>(3, 0)), "g: an empty axis has no largest element", shape_error);
    auto h = function<Device>("h", [](matrix<float> x) { return clip(max<1>(x), -1, 1); });
    CHECK_THROWS_WITH_AS(h(array<float, 2>(3, 0)), "h: an empty axis has no largest element", shape_error);
}

TEST_CASE("truth values") {
    check_logical<cpu>();
    check_logical<reference>();
}

TEST_CASE("infinities and NaN") {
    auto f = function<cpu>([](matrix<float> x) {
        return std::tuple(sum<1>(x), max<1>(x), min<1>(x), logsumexp<1>(x), argmax<1>(x), prod<1>(x));
    });
    auto g = function<reference>([](matrix<float> x) {
        return std::tuple(sum<1>(x), max<1>(x), min<1>(x), logsumexp<1>(x), argmax<1>(x), prod<1>(x));
    });
    array<float, 2> x{{inf, 1, 2},
                      {-inf, 1, 2},
                      {inf, -inf, 0},
                      {not_a_number, 1, 2},
                      {2, 1, not_a_number},
                      {-inf, -inf, -inf},
                      {not_a_number, inf, not_a_number}};
    const auto check = [&](const auto& results) {
        const auto& [s, largest, smallest, lse, at, product] = results;
        CHECK(
            (s(0) == inf && s(1) == -inf && std::isnan(s(2)) && std::isnan(s(3)) && std::isnan(s(4)) && s(5) == -inf));
        CHECK((largest(0) == inf && largest(1) == 2 && largest(2) == inf && std::isnan(largest(3)) &&
               std::isnan(largest(4)) && largest(5) == -inf));
        CHECK((smallest(0) == 1 && smallest(1) == -inf && smallest(2) == -inf && std::isnan(smallest(3)) &&
               std::isnan(smallest(4))));
        CHECK((lse(0) == inf && lse(1) == doctest::Approx(2.313262) && lse(2) == inf && std::isnan(lse(3)) &&
               std::isnan(lse(4)) && lse(5) == -inf));
        CHECK((at(0) == 0 && at(1) == 2 && at(2) == 0 && at(3) == 0 && at(4) == 2 && at(5) == 0 && at(6) == 0));
        CHECK((product(0) == inf && product(1) == -inf && std::isnan(product(2)) && std::isnan(product(3))));
    };
    check(f(x));
    check(g(x));
}

TEST_CASE("sums of a million floats keep their digits") {
    const std::int64_t n = 1000000;
    support::numbers random(23);
    array<float, 1> x(n);
    double exact = 0;
    for (float& e : x) exact += e = static_cast<float>(random.next(0, 1));
    auto f = function<cpu>([](vector<float> v) { return std::tuple(sum(v), mean(v), dot(v, v)); });
    const auto [s, m, squares] = f(x);
    CHECK(std::fabs(static_cast<float>(s) - exact) / exact < 1e-6);
    CHECK(std::fabs(static_cast<float>(m) - exact / static_cast<double>(n)) < 1e-6);
    double square = 0;
    for (const float e : x) square += static_cast<double>(e) * e;
    CHECK(std::fabs(static_cast<float>(squares) - square) / square < 1e-6);
    // Along both axes of a matrix, and a thin one.
    auto g = function<cpu>([](matrix<float> v) { return std::tuple(sum<0>(v), sum<1>(v), sum(v)); });
    for (const std::int64_t columns : {1, 4, 1000, 250000}) {
        const auto [down, across, all_of] = g(view<const float, 2>(x.data(), {n / columns, columns}));
        double d = 0, a = 0;
        for (const float e : down) d += e;
        for (const float e : across) a += e;
        CHECK(std::fabs(d - exact) / exact < 5e-6);
        CHECK(std::fabs(a - exact) / exact < 1e-6);
        CHECK(std::fabs(static_cast<float>(all_of) - exact) / exact < 1e-6);
    }
}
