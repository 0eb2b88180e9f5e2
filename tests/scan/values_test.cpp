// SPDX-License-Identifier: MIT
// scan: what is carried, what is walked along and what is given out, in every structure, against loops by hand.
#include <doctest/doctest.h>

#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct pair_of {
    A<double, 1> sum;
    A<double, 0> product;
};

TEST_CASE_TEMPLATE("a recurrence", D, cpu, reference) {
    auto f = function<D>([](croton::vector<double> x, scalar<double> first) {
        auto [last, ys] = scan([](auto h, auto xt) {
            auto n = 0.5 * h + xt;
            return step(n, n * n);
        }, first, x);
        return std::tuple(last, ys);
    });
    auto [last, ys] = f(array<double, 1>{1, 2, 3}, 4.0);
    CHECK(last == array<double, 0>(4.75));
    CHECK(ys == array<double, 1>{9, 12.25, 22.5625});
    auto [kept, none_of_them] = f(array<double, 1>(0), 4.0);
    CHECK(kept == array<double, 0>(4.0));
    CHECK(none_of_them.size() == 0);
    auto [one, single] = f(array<double, 1>{2}, 0.0);
    CHECK(one == array<double, 0>(2.0));
    CHECK(single == array<double, 1>{4});
}

TEST_CASE_TEMPLATE("backwards, with tuples, and results where the elements lie", D, cpu, reference) {
    auto f = function<D>([](matrix<double> x, matrix<double> y) {
        auto [last, ys] = scan([](auto state, auto elements) {
            auto [a, b] = state;
            auto [u, v] = elements;
            auto c = a + u;
            auto d = b * 0.5 + sum(v);
            return step(std::tuple(c, d), std::tuple(c, d));
        }, std::tuple(zeros_like(x(0)), sum(y(0)) * 0), std::tuple(x, y), {.reverse = true});
        auto [a, b] = last;
        auto [as, bs] = ys;
        return std::tuple(a, b, as, bs);
    });
    auto [a, b, as, bs] = f(array<double, 2>{{1, 2}, {3, 4}, {5, 6}}, array<double, 2>{{1}, {2}, {4}});
    CHECK(a == array<double, 1>{9, 12});
    CHECK(b == array<double, 0>(3.0));
    CHECK(as == array<double, 2>{{9, 12}, {8, 10}, {5, 6}});
    CHECK(bs == array<double, 1>{3, 4, 4});
}

TEST_CASE_TEMPLATE("models, and a number of turns", D, cpu, reference) {
    auto f = function<D>([](pair_of<symbol> m, croton::vector<double> x) {
        auto [last, ys] = scan([&](auto state, auto turn) {
            pair_of<symbol> next = state;
            next.sum = state.sum + x * cast<double>(turn);
            next.product = state.product * 2;
            return step(next, none);
        }, m, times(x.extent(0)));
        auto [doubled, turns] = scan([](auto v, auto turn) { return step(v + v, turn * turn); }, x, times(3));
        auto [plain, nothing] = scan([](auto v) { return v + 1; }, x, times(2));
        return std::tuple(last, doubled, turns, plain);
    });
    pair_of<on<array_device<D>>::template array> m{{1, 1, 1}, array<double, 0>(3.0)};
    auto [last, doubled, turns, plain] = f(m, array<double, 1>{1, 10, 100});
    CHECK(last.sum == array<double, 1>{4, 31, 301});
    CHECK(last.product == array<double, 0>(24.0));
    CHECK(doubled == array<double, 1>{8, 80, 800});
    CHECK(turns == array<std::int64_t, 1>{0, 1, 4});
    CHECK(plain == array<double, 1>{3, 12, 102});
}

TEST_CASE_TEMPLATE("without a state, nested, and of what a turn does not change", D, cpu, reference) {
    auto f = function<D>([](matrix<double> x, croton::vector<double> w) {
        auto [nothing, rows] = scan([&](auto row) {
            auto [total, parts] = scan([&](auto s, auto e) { return step(s + e * w(0), s * row(0)); }, sum(row) * 0, row);
            return step(none, std::tuple(total, parts, w));
        }, none, x);
        return rows;
    });
    auto [totals, parts, ws] = f(array<double, 2>{{1, 2, 3}, {4, 5, 6}}, array<double, 1>{2, 7});
    CHECK(totals == array<double, 1>{12, 30});
    CHECK(parts == array<double, 2>{{0, 2, 6}, {0, 32, 72}});
    CHECK(ws == array<double, 2>{{2, 7}, {2, 7}});
}

TEST_CASE_TEMPLATE("views, results that are views, and calls of other lengths", D, cpu, reference) {
    auto f = function<D>([](matrix<float> x, croton::vector<float> h) {
        auto [last, ys] = scan([](auto s, auto e) { return step(s + e, s); }, h, x);
        return std::tuple(last, ys);
    });
    for (int n = 5; n > 0; n -= 2) {
        array<float, 2> wide(2 * n, 6), whole(n, 6);
        for (std::int64_t i = 0; i < wide.size(); ++i) wide.data()[i] = static_cast<float>(i);
        array<float, 1> h{1, 2, 3}, last(3), expected{1, 2, 3};
        auto ys = whole(slice(), slice(none, none, 2));
        f.call_into(std::tie(last, ys), wide(slice(none, none, 2), slice(none, none, 2)), h);
        for (int t = 0; t < n; ++t)
            for (int i = 0; i < 3; ++i) {
                CHECK(whole(t, 2 * i) == expected(i));
                CHECK(whole(t, 2 * i + 1) == 0);
                expected(i) += wide(2 * t, 2 * i);
            }
        CHECK(last == expected);
    }
}

TEST_CASE("what a turn leaves is found by its arguments") {
    auto f = function<cpu>([](pair_of<symbol> m) {
        auto [plain, a] = scan([](auto s) { return step(s); }, m, times(1));
        auto [both, models] = scan([](auto s) { return step(s, s); }, m, times(2));
        auto [tuple, b] = scan([](auto t) { return step(t, none); }, std::tuple(m, m.product), times(1));
        return std::tuple(plain, models, std::get<1>(tuple));
    });
    auto [plain, models, product] = f(pair_of<on<cpu>::array>{{1, 2}, array<double, 0>(3.0)});
    CHECK(plain.sum == array<double, 1>{1, 2});
    CHECK(models.sum == array<double, 2>{{1, 2}, {1, 2}});
    CHECK(product == array<double, 0>(3.0));
}

TEST_CASE_TEMPLATE("numbers as what is carried first", D, cpu, reference) {
    auto f = function<D>([](croton::vector<double> x) {
        auto [sums, nothing] = scan([](auto s, auto e) { return std::tuple(std::get<0>(s) + e, std::get<1>(s) + 1); }, std::tuple(0.0, std::int64_t{2}), x);
        return std::tuple(foldl([](auto s, auto e) { return s * e; }, 1.0, x), std::get<0>(sums), std::get<1>(sums), grad(foldl([](auto s, auto e) { return s * e; }, 1.0, x), x));
    });
    auto [product, sum, count, slope] = f(array<double, 1>{2, 3, 4});
    CHECK(product == array<double, 0>(24.0));
    CHECK(sum == array<double, 0>(9.0));
    CHECK(count == array<std::int64_t, 0>(std::int64_t{5}));
    CHECK(slope == array<double, 1>{12, 8, 6});
}

TEST_CASE_TEMPLATE("indices and labels that are walked along are checked before anything runs", D, cpu, reference) {
    auto f = function<D>([](matrix<double> table, matrix<int> ids, croton::vector<int> labels) {
        auto [nothing, picked] = scan([&](auto element) {
            auto [row, label] = element;
            return step(none, std::tuple(take<0>(table, row), cross_entropy(table(0, slice()), label)));
        }, none, std::tuple(ids, labels));
        auto [rows, losses] = picked;
        return std::tuple(rows, losses);
    });
    array<double, 2> table{{1, 1}, {3, 4}, {5, 6}};
    auto [rows, losses] = f(table, array<int, 2>{{0, -1}, {2, 1}}, array<int, 1>{0, 1});
    CHECK(rows(1, 1) == array<double, 1>{3, 4});
    CHECK(losses(0) == doctest::Approx(0.6931471805599453));
    CHECK_THROWS_AS(f(table, array<int, 2>{{0, 1}, {3, 1}}, array<int, 1>{0, 1}), value_error);
    CHECK_THROWS_AS(f(table, array<int, 2>{{0, 1}, {2, 1}}, array<int, 1>{0, 2}), value_error);
}

TEST_CASE_TEMPLATE("products in a loop in a loop, of elements of both, and of what the inner one leaves", D, cpu, reference) {
    auto f = function<D>([](matrix<double> x, matrix<double> y, matrix<double> w) {
        auto [nothing, outs] = scan([&](auto row) {
            auto total = foldl([&](auto t, auto other) { return t + dot(row, other); }, sum(row) * 0, y);
            auto kept = foldl([](auto v, auto e) { return v * 0.5 + e; }, row, x);
            return step(none, std::tuple(total, dot(kept * row, w)));
        }, none, x);
        return outs;
    });
    auto [totals, products] = f(array<double, 2>{{1, 2}, {3, 4}}, array<double, 2>{{1, 1}, {2, 0}, {0, 3}}, array<double, 2>{{1, 0}, {0, 1}});
    CHECK(totals == array<double, 1>{3 + 2 + 6, 7 + 6 + 12});
    // A row leaves a quarter of itself, half of the first row and the second.
    CHECK(products == array<double, 2>{{3.75 * 1, 5.5 * 2}, {4.25 * 3, 6.0 * 4}});
}

TEST_CASE_TEMPLATE("turns and branches give lists, pairs and what decompositions give", Device, cpu, reference) {
    const auto f = function<Device>([](matrix<double> m, vector<double> x, scalar<double> z) {
        auto [last, parts] = scan([](auto state, auto r) { return step(state + r, std::tuple(split<0>(r, 1, 1), sum(r))); }, x, m);
        auto [left, both] = scan([&](auto state, auto r) { return step(std::pair(std::get<0>(state) + r, 2.0 * std::get<1>(state)), qr(outer(r, r) + m)); }, std::tuple(x, z), m);
        const auto values = cond(z > 0, [&] { return eigh(m + transpose(m)); }, [&] { return eigh(0.0 * m); });
        const auto pairs = loop_map([](auto r) { return std::pair(sum(r), 2.0 * r); }, m);
        const auto [q, r] = both;
        return std::tuple(last, std::get<1>(std::get<0>(parts)), matmul(q, r), left, std::get<0>(values), pairs, grad(sum(std::get<0>(values)) + sum(sqr(r)), m));
    });
    const auto [h, seconds, products, left, values, pairs, slope] = f(array<double, 2>{{4, 1}, {2, 3}}, array<double, 1>{1, 2}, 1.0);
    CHECK(h == array<double, 1>{7, 6});
    CHECK(seconds == array<double, 2>{{1}, {3}});
    CHECK(allclose(products, array<double, 3>{{{20, 5}, {6, 4}}, {{8, 7}, {8, 12}}}));
    CHECK((std::get<0>(left) == array<double, 1>{7, 6} && std::get<1>(left) == 4));
    CHECK(sum(values)() == doctest::Approx(14));
    CHECK((std::get<0>(pairs) == array<double, 1>{5, 5} && std::get<1>(pairs) == array<double, 2>{{8, 2}, {4, 6}}));
    CHECK(allclose(slope, array<double, 2>{{400, 128}, {182, 238}}));
}
