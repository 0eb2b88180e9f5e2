// SPDX-License-Identifier: MIT
// The few largest elements of rows, found by one pass, beside the reference: of every length, of equal elements, of what is no number, of rows in order.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <random>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <int K, class T> void check(const array<T, 2>& x) {
    CAPTURE(K);
    CAPTURE(x.extent(0));
    CAPTURE(x.extent(1));
    const auto along = [](matrix<T> a) { return std::get<1>(topk<K, 1>(a)); };
    const auto down = [](matrix<T> a) { return std::get<1>(topk<K, 0>(a)); };
    CHECK(function<cpu>(along)(x) == function<reference>(along)(x));
    const auto turned = x.transpose();
    CHECK(function<cpu>(down)(turned) == function<reference>(down)(turned));
    const array<T, 2> columns = turned;
    CHECK(function<cpu>(down)(columns) == function<reference>(down)(columns));
}
template <class T> void check_all(const array<T, 2>& x) {
    check<1, T>(x);
    if (x.extent(1) >= 5) check<5, T>(x);
    if (x.extent(1) >= 32) check<32, T>(x);
}

template <class T> array<T, 2> some_numbers(std::int64_t rows, std::int64_t columns, int different) {
    std::mt19937 engine(static_cast<unsigned>(columns + different));
    array<T, 2> x(rows, columns);
    for (T& e : x) e = static_cast<T>(static_cast<int>(engine() % static_cast<unsigned>(different)) - (std::is_signed_v<T> ? different / 2 : 0));
    return x;
}

}  // namespace

TEST_CASE_TEMPLATE("rows of any length", T, float, double, std::int32_t, std::uint8_t) {
    for (const std::int64_t n : {1, 3, 4, 5, 7, 31, 32, 33, 50, 63, 64, 65, 100, 500, 2100, 2687, 2688, 5000})
        for (const int different : {1, 3, 100}) check_all(some_numbers<T>(3, n, different));
    check_all(some_numbers<T>(40, 3000, 120));
}

TEST_CASE("rows in order") {
    for (const std::int64_t n : {100, 200, 3000}) {
        array<float, 2> up(2, n), down(2, n);
        for (std::int64_t i = 0; i < 2 * n; ++i) up.data()[i] = static_cast<float>(i % n), down.data()[i] = static_cast<float>(-(i % n));
        check_all(up);
        check_all(down);
    }
}

TEST_CASE("what is no number is behind all others") {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    for (const std::int64_t n : {64, 70, 2500}) {
        array<double, 2> x = some_numbers<double>(4, n, 50);
        for (std::int64_t j = 0; j < n; ++j) {
            if (j < 40 || j % 3 == 0) x(0, j) = nan;
            if (j < n - 3) x(1, j) = nan;
            x(2, j) = nan;
        }
        x(3, n / 2) = inf;
        x(3, n / 3) = -inf;
        check_all(x);
    }
}

TEST_CASE("half, and several threads") {
    array<half, 2> x(50, 700);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<half>(static_cast<float>(i * 7919 % 2003));
    check<5, half>(x);
    const auto scope = threads(2);
    check_all(some_numbers<float>(1000, 2200, 1'000'000));
}
