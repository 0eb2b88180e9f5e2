// SPDX-License-Identifier: MIT
// Turns of single numbers, which the CPU carries in registers: as the reference has them, which runs one turn after the other, whatever they read, leave and are ended by.
#include <doctest/doctest.h>

#include <cstdint>
#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <class T> array<T, 1> ramp(std::int64_t n) {
    array<T, 1> x(n);
    for (std::int64_t i = 0; i < n; ++i) x.data()[i] = static_cast<T>(i * 5 % 7 - 2);
    return x;
}

/// The results of a function on the CPU, which are to be those of the reference, bit by bit.
template <class F, class... A> auto as_reference(F f, const A&... arguments) {
    const auto found = function<cpu>(f)(arguments...), wanted = function<reference>(f)(arguments...);
    bool same = true;
    if constexpr (requires { std::tuple_size<std::remove_cvref_t<decltype(found)>>::value; })
        std::apply([&](const auto&... one) { std::apply([&](const auto&... other) { same = (true && ... && static_cast<bool>(array_equal(one, other))); }, wanted); }, found);
    else same = static_cast<bool>(array_equal(found, wanted));
    CHECK(same);
    return found;
}

}  // namespace

TEST_CASE("every part of a turn, forwards and backwards") {
    for (const std::int64_t n : {0, 1, 2, 9}) {
        CAPTURE(n);
        const auto [last, next, ys, zs] = as_reference([](vector<double> x, vector<float> y, scalar<double> w) {
            auto [state, all] = scan([&](auto s, auto e) {
                auto [a, b] = s;
                auto [c, d] = e;
                return step(std::tuple(b, a * 0.5 + w * c), std::tuple(a + cast<double>(d), d * 2));
            }, std::tuple(1.0, 2.0), std::tuple(x, y));
            return std::tuple(std::get<0>(state), std::get<1>(state), std::get<0>(all), std::get<1>(all));
        }, ramp<double>(n), ramp<float>(n), 0.25);
        if (n == 2) {
            CHECK(last == 0.0);
            CHECK(next == 0.5 * 2 + 0.25 * 3);
            CHECK(ys == array<double, 1>{-1, 5});
            CHECK(zs == array<float, 1>{-4, 6});
        }
        as_reference([](vector<double> x, scalar<double> w) {
            auto [end, all] = scan([&](auto s, auto e) { return step(s * w + e, s - e); }, 3.0, x, {.reverse = true});
            return std::tuple(end, all);
        }, ramp<double>(n), 0.5);
    }
}

TEST_CASE("numbers of every type") {
    const auto sums = []<class T>(T) {
        const auto f = [](vector<T> x, scalar<T> first) {
            auto [last, ys] = scan([](auto s, auto e) { return step(s + e, s); }, first, x);
            return std::tuple(last, ys);
        };
        array<T, 1> x(7);
        for (int i = 0; i < 7; ++i) x.data()[i] = static_cast<T>(static_cast<float>(i));
        const auto [last, ys] = as_reference(f, x, array<T, 0>(static_cast<T>(1.0f)));
        CHECK(static_cast<float>(last()) == 22.0f);
        CHECK(static_cast<float>(ys(2)) == 2.0f);
    };
    sums(double());
    sums(float());
    sums(half());
    sums(bfloat16());
    sums(std::int64_t());
    sums(std::int32_t());
    sums(std::uint8_t());
    as_reference([](vector<bool> x, scalar<bool> first) {
        auto [last, ys] = scan([](auto s, auto e) { return step(s != e, s); }, first, x);
        return std::tuple(last, ys);
    }, array<bool, 1>{true, false, true, true}, true);
}

TEST_CASE("views, and results in the place of arguments") {
    array<double, 2> wide(6, 4);
    for (std::int64_t i = 0; i < 24; ++i) wide.data()[i] = static_cast<double>(i % 5) - 1;
    const auto f = [](vector<double> x) { return std::get<1>(scan([](auto s, auto e) { auto next = s * 0.5 + e; return step(next, next); }, 1.0, x)); };
    const auto sums = function<cpu>(f);
    const array<double, 1> column = wide(slice(), 2), wanted = function<reference>(f)(column);
    CHECK(sums(wide(slice(), 2)) == wanted);
    CHECK(sums(wide(slice(none, none, -1), 2)) == function<reference>(f)(flip<0>(column)));
    array<double, 1> x = column;
    sums.call_into(x, x);
    CHECK(x == wanted);
    sums.call_into(wide(slice(), 2), wide(slice(), 2));
    CHECK(wide(slice(), 2) == wanted);
    CHECK(wide(3, 1) == 13 % 5 - 1);
}

TEST_CASE("turns that values end, and that there are as many of as a value says") {
    const auto f = [](scalar<double> w, scalar<std::int64_t> n) {
        auto [last, ys, turns] = scan([&](auto s, auto t) { return step(s * w, s + cast<double>(t), until(s > 10)); }, 1.0, times(50));
        auto [counted, zs] = scan([&](auto s) { return step(s + 1, s * 2); }, 0.0, times(n, 9));
        return std::tuple(last, ys, turns, counted, zs, while_loop([](auto x) { return x < 100; }, [&](auto x) { return x * w; }, 1.0));
    };
    for (const std::int64_t n : {0, 1, 5, 9}) {
        const auto [last, ys, turns, counted, zs, far] = as_reference(f, 2.0, n);
        CHECK(last == 32.0);
        CHECK(turns == 5);
        CHECK(ys(4) == 16.0 + 4);
        CHECK(ys(5) == 0.0);
        CHECK(counted == static_cast<double>(n));
        CHECK(far == 128.0);
    }
}

TEST_CASE("of what is given out the last is kept, all of what is carried, and nothing") {
    as_reference([](vector<double> x) {
        auto [last, ys] = scan([](auto s, auto e) { auto next = s * 0.5 + e; return step(next, next * 2); }, 1.0, x);
        return std::tuple(ys(-1), ys(slice(-3, none)));
    }, ramp<double>(8));
    as_reference([](vector<double> x, scalar<double> w) {
        auto [last, ys] = scan([&](auto s, auto e) { auto next = s * w + e; return step(next, next * s); }, 1.0, x);
        auto [dx, dw] = grad(sum(ys) + last, x, w);
        return std::tuple(last, dx, dw);
    }, ramp<double>(8), 0.5);
    as_reference([](vector<double> x) { return foldl([](auto s, auto e) { return s * 0.5 + e; }, 1.0, x); }, ramp<double>(8));
    as_reference([](scalar<double> w) { return foldr([&](auto s, auto t) { return s * w + cast<double>(t); }, 1.0, times(4)); }, 2.0);
}

TEST_CASE("turns of numbers in the turns of others, with a profile and without") {
    const auto f = [](matrix<double> x) {
        auto [last, ys] = scan([](auto s, auto row) {
            auto inner = foldl([](auto t, auto e) { return t * 0.5 + e; }, s, row);
            return step(inner, inner * 2);
        }, 0.0, x);
        return std::tuple(last, ys);
    };
    const array<double, 2> x = ramp<double>(12).reshape(3, 4);
    as_reference(f, x);
    const auto compiled = function<cpu>(f);
    const auto [last, ys] = compiled(x);
    profile p("turns");
    const auto [last_seen, ys_seen] = compiled(x);
    CHECK(last == last_seen);
    CHECK(ys == ys_seen);
}
