// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "support.hpp"

using namespace croton;

namespace {

template <class F> void on_both(F&& check) {
    check(cpu());
    check(reference());
}

}  // namespace

TEST_CASE("arrays of one number") {
    on_both([](auto device) {
        const auto f = function<decltype(device)>([](tensor<float, dim("n"), dynamic> x, scalar<float> s, vector<int> i) {
            unused(i);
            return outputs(zeros_like(x), ones_like(i), full_like(x, s), full<dim("n"), 2>(i, 7), zeros<3>(x) + s, ones<2, 2>(cast<bool>(i)), full_like(x, 2) * x);
        });
        const auto [a, b, c, d, e, t, p] = f(array<float, 2>{{1, 2, 3}, {4, 5, 6}}, 0.5f, array<int, 1>{1, 2});
        CHECK(a == array<float, 2>{{0, 0, 0}, {0, 0, 0}});
        CHECK(b == array<int, 1>{1, 1});
        CHECK(c == array<float, 2>{{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}});
        CHECK(d == array<int, 2>{{7, 7}, {7, 7}});
        CHECK(e == array<float, 1>{0.5f, 0.5f, 0.5f});
        CHECK(t == array<bool, 2>{{true, true}, {true, true}});
        CHECK(p == array<float, 2>{{2, 4, 6}, {8, 10, 12}});
    });
}

TEST_CASE("evenly spaced numbers") {
    on_both([](auto device) {
        const auto f = function<decltype(device)>([](vector<float, dim("n")> x, scalar<double> s, vector<int> i) {
            unused(x, i);
            return outputs(arange<dim("n")>(x), arange<4>(x, 1, 0.5), arange<3>(i, 10, -3), linspace<5>(s, 1), linspace<1>(s, s + 1), sum(arange<1000000>(i)));
        });
        const auto [a, b, c, d, e, total] = f(array<float, 1>{9, 9, 9}, 0.0, array<int, 1>{1});
        CHECK(a == array<float, 1>{0, 1, 2});
        CHECK(b == array<float, 1>{1, 1.5f, 2, 2.5f});
        CHECK(c == array<int, 1>{10, 7, 4});
        CHECK(d == array<double, 1>{0, 0.25, 0.5, 0.75, 1});
        CHECK(e == array<double, 1>{0});
        CHECK(total() == 499999500000);
    });
    // The last number is the one that is named, whatever the sum of the steps is.
    const auto f = function<cpu>([](scalar<float> s) { return linspace<50>(s, 0.7f); });
    CHECK(f(0.1f)(49) == 0.7f);
    CHECK_NOTHROW(verify_grad([](scalar<double> a, scalar<double> b) { return sqr(linspace<4>(a, b * 2)); }, array<double, 0>(0.3), array<double, 0>(0.9)));
}

TEST_CASE("as many as an axis has elements") {
    on_both([](auto device) {
        const auto f = function<decltype(device)>([](matrix<float> x, tensor<float, 2, dynamic> y) {
            const auto column = arange(x.extent(1));
            return outputs(column, arange(x.extent(-2)) * 2, x * cast<float>(column), arange(y.extent(0)), sum(cast<double>(arange(y.extent(1)))));
        });
        const auto [columns, rows, weighted, two, total] = f(array<float, 2>{{1, 2, 3}, {4, 5, 6}}, array<float, 2>(2, 1000));
        CHECK(columns == array<std::int64_t, 1>{0, 1, 2});
        CHECK(rows == array<std::int64_t, 1>{0, 2});
        CHECK(weighted == array<float, 2>{{0, 2, 6}, {0, 5, 12}});
        CHECK(two == array<std::int64_t, 1>{0, 1});
        CHECK(total() == 499500);
        const auto [no_columns, no_rows, nothing, pair, zero] = f(array<float, 2>(0, 0), array<float, 2>(2, 0));
        CHECK((no_columns.size() == 0 && no_rows.size() == 0 && nothing.size() == 0 && pair.size() == 2 && zero() == 0));
    });
    CHECK_NOTHROW(verify_grad([](matrix<double> x) { return sum<1>(x * cast<double>(arange(x.extent(1)))); }, array<double, 2>{{1, 2, 3}, {4, 5, 6}}));
}

TEST_CASE("numbers whose ratios are even") {
    on_both([](auto device) {
        const auto f = function<decltype(device)>([](scalar<double> s, scalar<float> t) { return outputs(logspace<3>(s, 2), logspace<4>(0, s + 3, 2), geomspace<4>(s + 1, 1000), geomspace<4>(-8, -(s + 1)), geomspace<1>(t, 2), geomspace<3>(t, -1), geomspace<50>(t, 0.7)); });
        const auto [a, b, c, d, e, apart, g] = f(0.0, 0.1f);
        const auto near = [](const array<double, 1>& x, const array<double, 1>& y) { return allclose(x, y, 1e-14, 0.0); };
        CHECK((near(a, {1, 10, 100}) && near(b, {1, 2, 4, 8}) && near(c, {1, 10, 100, 1000}) && near(d, {-8, -4, -2, -1})));
        CHECK((e == array<float, 1>{0.1f} && apart(1) != apart(1) && g(0) == 0.1f && g(49) == 0.7f));
    });
    CHECK_NOTHROW(verify_grad([](scalar<double> a, scalar<double> b) { return std::tuple(sqr(logspace<4>(a, b)), geomspace<5>(a, b * 2) * a); }, array<double, 0>(0.3), array<double, 0>(0.9)));
}

TEST_CASE("meshgrid") {
    const auto f = function<cpu>([](vector<float> x, vector<int> y) {
        const auto [a, b] = meshgrid(x, y);
        return outputs(a, b);
    });
    const auto [a, b] = f(array<float, 1>{1, 2, 3}, array<int, 1>{4, 5});
    CHECK(a == array<float, 2>{{1, 2, 3}, {1, 2, 3}});
    CHECK(b == array<int, 2>{{4, 4, 4}, {5, 5, 5}});
    // Of one element type they are a std::array, and several results like a tuple.
    const auto grid = function<cpu>([](vector<float> x, vector<float> y) { return meshgrid(x, y); });
    const auto [across, down] = grid(array<float, 1>{1, 2, 3}, array<float, 1>{4, 5});
    CHECK(across == a);
    CHECK(down == array<float, 2>{{4, 4, 4}, {5, 5, 5}});
}
