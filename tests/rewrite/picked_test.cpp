// SPDX-License-Identifier: MIT
// Products of rows that a gather picks: by the table where that is small, and by what was picked else.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

namespace {

constexpr auto layer = [](auto table, auto ids, auto w, auto y) {
    auto cost = 0.5 * sum(sqr(matmul(take<0>(table, ids), w) - y));
    return outputs(cost, grad(cost, table), grad(cost, w));
};
constexpr auto any_extents = [](matrix<double> table, matrix<int> ids, matrix<double> w, tensor<double, dynamic, dynamic, dynamic> y) { return layer(table, ids, w, y); };
constexpr auto small = [](matrix<double, 3, 2> table, matrix<int, 2, 4> ids, matrix<double, 2, 3> w, tensor<double, 2, 4, 3> y) { return layer(table, ids, w, y); };
constexpr auto large = [](matrix<double, 5, 2> table, matrix<int, 2, 4> ids, matrix<double, 2, 3> w, tensor<double, 2, 4, 3> y) { return layer(table, ids, w, y); };
constexpr auto multiple = [](matrix<double> table, vector<double> y) {
    auto ids = cast<int>(flatten(stack(table, table)(slice(), slice(), 0)));
    return matmul(take<0>(table, ids), y(none, slice()));
};
constexpr auto update_rows = [](shared<matrix<double>> table, vector<int> ids, matrix<double> w) {
    auto cost = sum(sqr(dot(take<0>(table, ids), w)));
    return outputs(cost).updates(table -= 0.5 * grad(cost, table));
};

struct problem {
    array<double, 2> table, w{2, 3};
    array<int, 2> ids{2, 4};
    array<double, 3> y{2, 4, 3};

    // The last row is read by nobody.
    explicit problem(int rows) : table(rows, 2) {
        for (std::int64_t i = 0; i < table.size(); ++i) table.data()[i] = std::sin(static_cast<double>(i + 1));
        for (std::int64_t i = 0; i < w.size(); ++i) w.data()[i] = std::cos(static_cast<double>(i));
        for (std::int64_t i = 0; i < y.size(); ++i) y.data()[i] = 0.1 * static_cast<double>(i % 7);
        for (std::int64_t i = 0; i < ids.size(); ++i) ids.data()[i] = static_cast<int>((i * i + 1) % (rows - 1)) - (i == 3 ? rows : 0);
    }
};

template <class F> void check_layer(const F& f, const problem& p) {
    const int rows = static_cast<int>(p.table.extent(0));
    double cost = 0;
    std::vector<double> of_table(static_cast<std::size_t>(2 * rows)), of_w(6);
    for (int q = 0; q < 8; ++q) {
        const int id = p.ids.data()[q], row = id < 0 ? id + rows : id;
        for (int j = 0; j < 3; ++j) {
            const double d = p.table(row, 0) * p.w(0, j) + p.table(row, 1) * p.w(1, j) - p.y.data()[3 * q + j];
            cost += 0.5 * d * d;
            for (int k = 0; k < 2; ++k) {
                of_table[static_cast<std::size_t>(2 * row + k)] += d * p.w(k, j);
                of_w[static_cast<std::size_t>(3 * k + j)] += d * p.table(row, k);
            }
        }
    }
    const auto [c, t, w] = f(p.table, p.ids, p.w, p.y);
    CHECK(c() == doctest::Approx(cost));
    REQUIRE(t.size() == 2 * rows);
    for (int i = 0; i < 2 * rows; ++i) CHECK(t.data()[i] == doctest::Approx(of_table[static_cast<std::size_t>(i)]));
    for (int i = 0; i < 6; ++i) CHECK(w.data()[i] == doctest::Approx(of_w[static_cast<std::size_t>(i)]));
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }
constexpr const char* name_of_rule = "a product of rows that a gather picks is one of the table's";

}  // namespace

TEST_CASE("the layer and its gradients, whoever knows the extents") {
    auto f = function<cpu>(any_extents);
    // 4 rows are the most that 8 indices make worth it.
    for (const int rows : {2, 3, 4, 5, 9, 40}) check_layer(f, problem(rows));
    check_layer(function<cpu>(small), problem(3));
    check_layer(function<cpu>(large), problem(5));
}
TEST_CASE("what is known while compiling decides while compiling") {
    const std::string by_table = explain(function<cpu>(small)), by_picks = explain(function<cpu>(large)), by_call = explain(function<cpu>(any_extents));
    CHECK(has(by_table, name_of_rule));
    CHECK(has(by_table, "take<0>(dot(arg1, arg3), arg2)"));
    CHECK(!has(by_table.substr(by_table.find("plan:")), "[8, 2]"));  // neither the rows that were picked nor their gradients are anywhere
    CHECK(!has(by_picks, name_of_rule));
    CHECK(has(by_call, name_of_rule));
    CHECK(has(by_call, "min("));
    // Twice as many picks as rows, however many there are.
    const std::string twice = explain(function<cpu>(multiple));
    CHECK(has(twice, name_of_rule));
    CHECK(!has(twice, "min("));
}
TEST_CASE("an update of few rows stays one of few rows") {
    auto f = function<cpu>(update_rows);
    CHECK(has(explain(f), "arg1 <- add_at<0>(arg1, arg2, "));
    constexpr double infinity = std::numeric_limits<double>::infinity();
    array<double, 2> table = {{1, 2}, {infinity, -infinity}, {0.5, 1}, {4, 4}, {4, 5}, {4, 6}};
    const array<double, 2> w = {{1, 0}, {0, 1}};
    const array<int, 1> ids = {0, 2, 0};
    CHECK(f(table, ids, w)() == 11.25);
    CHECK(table == array<double, 2>{{-1, -2}, {infinity, -infinity}, {0, 0}, {4, 4}, {4, 5}, {4, 6}});
}
TEST_CASE("no picks, and rows that no pick reads") {
    problem p(3);
    auto forward = function<cpu>([](matrix<double> table, matrix<int> ids, matrix<double> w) { return matmul(take<0>(table, ids), w); });
    const auto before = forward(p.table, p.ids, p.w);
    p.table(2, 0) = std::numeric_limits<double>::quiet_NaN();
    CHECK(forward(p.table, p.ids, p.w) == before);
    CHECK(forward(p.table, array<int, 2>(0, 4), p.w).size() == 0);
    CHECK(forward(array<double, 2>(0, 2), array<int, 2>(0, 4), p.w).size() == 0);
}
