// SPDX-License-Identifier: MIT
// Loops that begin with numbers, of which some have nothing else to say where they belong; and map by its short name.
#include <doctest/doctest.h>

#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

TEST_CASE_TEMPLATE("numbers and nothing else", D, cpu, reference) {
    auto f = function<D>([](scalar<float> w, vector<double> v, scalar<double> c) {
        // Powers, which are float because w is, on whichever side it stands.
        auto [last, ys] = scan([&](auto s) { return step(s * w + 1, s); }, 1.0, times(5));
        auto other = foldl([&](auto s) { return w * s; }, 1.0, times(3));
        auto [pair, zs] = scan([&](auto s) {
            auto a = std::get<0>(s);
            auto b = std::get<1>(s);
            return step(std::tuple(a + cast<double>(b) * c, b + 1), cond(a > 2, [&] { return a * c; }, [&] { return a; }));
        }, std::tuple(0.0, 1), times(4));
        auto sums = foldl([&](auto s, auto k) { return s + cast<double>(k) * sum(v); }, 0.5, times(3));
        auto nested = foldl([&](auto s) { return foldl([&](auto t, auto e) { return t * 0.5 + e; }, s, v); }, 0.0, times(2));
        return std::tuple(last, ys, other, std::get<0>(pair), std::get<1>(pair), zs, sums, nested, grad(sum(ys), w));
    });
    auto [last, ys, other, a, b, zs, sums, nested, slope] = f(2.0f, array<double, 1>{1, 2}, 3.0);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(ys)>, array<float, 1>> && std::is_same_v<std::remove_cvref_t<decltype(other)>, array<float, 0>>);
    CHECK(last == 63.0f);
    CHECK(ys == array<float, 1>{1, 3, 7, 15, 31});
    CHECK(other == 8.0f);
    CHECK(a == 30.0);
    CHECK(b == 5);
    CHECK(zs == array<double, 1>{0, 9, 27, 54});
    CHECK(sums == 9.5);
    CHECK(nested == 3.125);
    CHECK(slope == 1 + 5 + 17 + 49.0f);
}

TEST_CASE_TEMPLATE("loops that values end", D, cpu, reference) {
    auto f = function<D>([](scalar<float> w) {
        auto [last, none_given, turns] = scan([&](auto s) { return step(s * w, none, until(s > 10)); }, 1.0, times(50));
        return std::tuple(last, turns, while_loop([](auto x) { return x < 100; }, [&](auto x) { return x * w; }, 1.0),
                          while_loop([&](auto x) { return x < w; }, [](auto x) { return x + 0.5; }, 0.0f), cond(w > 1, [&] { return w; }, [] { return 0.5; }));
    });
    auto [last, turns, far, near, branch] = f(2.0f);
    CHECK(last == 32.0f);
    CHECK(turns == 5);
    CHECK(far == 128.0f);
    CHECK(near == 2.0f);
    CHECK(branch == 2.0f);
    CHECK(std::get<4>(f(-2.0f)) == 0.5f);
}

TEST_CASE_TEMPLATE("a number takes the element type of what the turn makes of it", D, cpu, reference) {
    auto f = function<D>([](vector<float> x) {
        auto [last, means] = scan([](auto s, auto e) {
            auto [total, count] = s;
            return step(std::tuple(total + e, count + 1), (total + e) / cast<float>(count + 1));
        }, std::tuple(0.0, 0), x);
        return std::tuple(std::get<0>(last), std::get<1>(last), means, foldl([](auto s, auto e) { return s + cast<double>(e); }, 0.0, x));
    });
    auto [total, count, means, wide] = f(array<float, 1>{1, 2, 6});
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(wide)>, array<double, 0>>);
    CHECK(total == 9.0f);
    CHECK(count == 3);
    CHECK(means == array<float, 1>{1, 1.5, 3});
    CHECK(wide == 9.0);
}

TEST_CASE_TEMPLATE("numbers as what a turn leaves and gives out", D, cpu, reference) {
    auto f = function<D>([](vector<float> x, scalar<float> w) {
        auto [last, ys] = scan([](auto s, auto e) { return step(s + e, std::tuple(1, 0.5, true)); }, 0.0, x);
        auto [reset, before] = scan([](auto s, auto e) {
            auto [total, count] = s;
            return step(std::tuple(1, count + 1), total * e);
        }, std::tuple(w, 0), x);
        auto [counted, none_given, turns] = scan([&](auto k) { return step(k + 1, none, until(cast<float>(k) > w)); }, 0, times(9));
        auto ones = map([](auto) { return 1; }, x);
        auto once = while_loop([](auto s) { return s > 2; }, [](auto) { return 1; }, w);
        return std::tuple(last, std::get<0>(ys), std::get<1>(ys), std::get<2>(ys), reset, before, counted, turns, ones, once, grad(sum(before), w));
    });
    auto [last, ones, halves, yes, reset, before, counted, turns, also, once, slope] = f(array<float, 1>{3, 5}, 2.5f);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(halves)>, array<double, 1>>);
    CHECK(last == 8.0f);
    CHECK(ones == array<int, 1>{1, 1});
    CHECK(halves == array<double, 1>{0.5, 0.5});
    CHECK(yes == array<bool, 1>{true, true});
    CHECK(std::get<0>(reset) == 1.0f);
    CHECK(std::get<1>(reset) == 2);
    CHECK(before == array<float, 1>{7.5f, 5});
    CHECK(counted == 4);
    CHECK(turns == 4);
    CHECK(also == ones);
    CHECK(once == 1.0f);
    CHECK(slope == 3.0f);
    auto empty = f(array<float, 1>(0), 1.0f);
    CHECK(std::get<1>(empty).size() == 0);
    CHECK(std::get<0>(std::get<4>(empty)) == 1.0f);
    CHECK(std::get<9>(empty) == 1.0f);
}

TEST_CASE_TEMPLATE("unsigned and small numbers as what is carried first", D, cpu, reference) {
    auto f = function<D>([](vector<std::uint8_t> x) {
        auto fnv32 = foldl([](auto h, auto b) { return (h ^ cast<std::uint32_t>(b)) * 0x01000193u; }, 0x811c9dc5u, x);
        auto fnv64 = foldl([](auto h, auto b) { return (h ^ cast<std::uint64_t>(b)) * 0x100000001b3u; }, 0xcbf29ce484222325ull, x);
        auto total = foldl([](auto s, auto b) { return s + cast<std::int64_t>(b); }, 0ll, x);
        auto counts = std::get<1>(scan([&](auto s) { return step(s + cast<std::uint64_t>(x(0)), s); }, 5ull, times(3)));
        auto chosen = cond(x(0) > 0, [] { return 7ll; }, [&] { return total; });
        auto bytes = foldl([](auto s, auto b) { return s + b; }, std::uint8_t{200}, x);
        auto counted = while_loop([&](auto n) { return n < x(0); }, [](auto n) { return n * 3; }, std::uint8_t{1}, 100);
        auto [pair, all] = scan([](auto s, auto b) {
            auto [odd, n] = s;
            return step(std::tuple((b & 1) == 1, n + 1), odd);
        }, std::tuple(false, std::uint64_t{7}), x);
        return std::tuple(fnv32, fnv64, bytes, counted, std::get<0>(pair), std::get<1>(pair), all, total, counts, chosen, map([&](auto) { return 3ull; }, x));
    });
    auto [fnv32, fnv64, bytes, counted, odd, n, all, total, counts, chosen, threes] = f(array<std::uint8_t, 1>{'a', 'b', 'c'});
    CHECK(fnv32() == 0x1a47e90bu);
    CHECK(fnv64() == 0xe71fa2190541574bu);
    CHECK(total() == 294);
    CHECK(counts == array<std::uint64_t, 1>{5, 102, 199});
    CHECK(chosen() == 7);
    CHECK(threes == array<std::uint64_t, 1>{3, 3, 3});
    CHECK(bytes() == 238);  // 200 + 97 + 98 + 99 - 256
    CHECK(counted() == 243);
    CHECK(odd());
    CHECK(n() == 10);
    CHECK(all == array<bool, 1>{false, true, false});
}

TEST_CASE_TEMPLATE("map", D, cpu, reference) {
    auto f = function<D>([](matrix<double> x, vector<double> y) {
        auto sums = map([](auto row) { return sum(row); }, x);
        auto scaled = map([](auto row, auto e) { return row * e; }, x, y);
        auto pairs = map([](auto both) { return std::get<0>(both) * sum(std::get<1>(both)); }, std::tuple(y, x));
        return std::tuple(sums, scaled, pairs, map([](auto t) { return t * t; }, times(x.extent(0))), map([&](auto t) { return cast<double>(t) * y; }, times(2)));
    });
    auto [sums, scaled, pairs, squares, rows] = f(array<double, 2>{{1, 2}, {3, 4}}, array<double, 1>{1, 10});
    CHECK(sums == array<double, 1>{3, 7});
    CHECK(scaled == array<double, 2>{{1, 2}, {30, 40}});
    CHECK(pairs == array<double, 1>{3, 70});
    CHECK(squares == array<std::int64_t, 1>{0, 1});
    CHECK(rows == array<double, 2>{{0, 0}, {1, 10}});
}

TEST_CASE_TEMPLATE("backwards from the last of as many turns as a value says", D, cpu, reference) {
    auto f = function<D>([](scalar<double> w, scalar<int> n) {
        auto last = foldr([&](auto s, auto k) { return s * w + cast<double>(k); }, 0.0, times(n));
        auto [same, ks] = scan([&](auto s, auto k) { return step(s * w + cast<double>(k), k); }, 0.0, times(n, 6), {.reverse = true});
        auto [cut, none_given] = scan([&](auto s, auto k) { return s * w + cast<double>(k); }, 0.0, times(n, 6), {.reverse = true, .truncate = 2});
        return std::tuple(last, same, ks, grad(same, w), grad(grad(same, w), w), grad(cut, w));
    });
    const auto [last, same, ks, slope, bend, cut] = f(2.0, 4);
    CHECK(last == 3 * 8 + 2 * 4 + 1 * 2.0);  // 3 w^3 + 2 w^2 + w
    CHECK(same == last);
    CHECK(ks == array<std::int64_t, 1>{0, 1, 2, 3, 0, 0});
    CHECK(slope == 9 * 4 + 4 * 2 + 1.0);
    CHECK(bend == 18 * 2 + 4.0);
    CHECK(cut == 33.0);  // of what the turn 2 left, 8, the two turns behind it make (8 w + 1) w
}
