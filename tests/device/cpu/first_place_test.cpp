// SPDX-License-Identifier: MIT
// Searches for a place along runs of every length: registers are passed over, and what follows the first place is not looked at where that changes nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

namespace {

constexpr std::int64_t lengths[] = {1, 3, 15, 16, 17, 63, 64, 65, 127, 200, 1000, 9000, 70000};

/// Places near the ends of a run and of registers, and some between.
std::vector<std::int64_t> places_in(std::int64_t n) {
    std::vector<std::int64_t> places{0, n - 1, n / 2, n / 3};
    for (const std::int64_t p : {1, 15, 16, 63, 64, 65, 128})
        if (p < n) places.push_back(p), places.push_back(n - 1 - p);
    return places;
}

template <class T> void check_extremes() {
    // One loop each: a loop that has more to do looks at all.
    const auto largest = function<cpu>([](vector<T> x) { return argmax<0>(x); });
    const auto smallest = function<cpu>([](vector<T> x) { return argmin<0>(x); });
    const auto last_largest = function<cpu>([](vector<T> x) { return argmax<0>(x, ties::last); });
    const auto last_smallest = function<cpu>([](vector<T> x) { return argmin<0>(x, ties::last); });
    const auto of_rows = function<cpu>([](matrix<T> x) { return argmax<1>(x); });
    const auto last_of_rows = function<cpu>([](matrix<T> x) { return argmin<1>(x, ties::last); });
    const auto of_all = function<cpu>([](matrix<T> x) { return argmax(x); });
    for (const std::int64_t n : lengths) {
        CAPTURE(n);
        array<T, 1> x(n);
        for (std::int64_t i = 0; i < n; ++i) x(i) = static_cast<T>(i * 7919 % 23);
        for (const std::int64_t p : places_in(n)) {
            CAPTURE(p);
            const std::int64_t again = std::min(n - 1, p + 70);
            const T was = x(p), was_again = x(again);
            x(p) = x(again) = 100;
            const std::int64_t last_least = last_smallest(x)();
            REQUIRE(largest(x)() == p);
            REQUIRE(last_largest(x)() == again);
            const auto [low, high] = std::ranges::minmax_element(x);
            REQUIRE(smallest(x)() == low - x.begin());
            REQUIRE(x(last_least) == *low);
            for (std::int64_t i = last_least + 1; i < n; ++i) REQUIRE(x(i) != *low);
            REQUIRE(*high == 100);
            if (n <= 9000) {
                array<T, 2> m(3, n);
                for (std::int64_t r = 0; r < 3; ++r) m(r) = x;
                m(2, n - 1) = 101;
                const auto rows = of_rows(m);
                REQUIRE(rows(0) == p);
                REQUIRE(rows(1) == p);
                REQUIRE(rows(2) == n - 1);
                REQUIRE(last_of_rows(m)(0) == last_least);
                REQUIRE(of_all(m)() == 3 * n - 1);
            }
            x(p) = was;
            x(again) = was_again;
        }
    }
}

}  // namespace

TEST_CASE("the place of an extreme") {
    check_extremes<float>();
    check_extremes<double>();
    check_extremes<std::int32_t>();
    check_extremes<std::int64_t>();
    check_extremes<std::uint8_t>();
}

TEST_CASE("the first NaN") {
    const auto largest = function<cpu>([](vector<float> x) { return argmax<0>(x); });
    const auto smallest = function<cpu>([](vector<float> x) { return argmin<0>(x); });
    const auto last = function<cpu>([](vector<float> x) { return argmax<0>(x, ties::last); });
    for (const std::int64_t n : lengths)
        for (const std::int64_t p : places_in(n)) {
            array<float, 1> x(n);
            for (std::int64_t i = 0; i < n; ++i) x(i) = static_cast<float>(i % 50);
            const std::int64_t again = std::min(n - 1, p + 70);
            x(p) = x(again) = std::numeric_limits<float>::quiet_NaN();
            REQUIRE(largest(x)() == p);
            REQUIRE(smallest(x)() == p);
            REQUIRE(last(x)() == again);
        }
}

TEST_CASE("what is nowhere counts as well") {
    // Below all places, between them and above all; found everywhere, at one place and nowhere.
    using numbers = vector<float>;
    using value = scalar<float>;
    using place = scalar<std::int64_t>;
    const auto least_place = function<cpu>([](numbers x, value v, place nowhere) { return min(where(x == v, arange(x.extent(0)), nowhere)); });
    const auto most_place = function<cpu>([](numbers x, value v, place nowhere) { return max(where(x == v, arange(x.extent(0)), nowhere)); });
    const auto moved_place = function<cpu>([](numbers x, value v, place nowhere) { return min(where(x == v, arange(x.extent(0)) + 5, nowhere)); });
    const auto turned_place = function<cpu>([](numbers x, value v, place nowhere) { return min(where(x == v, -arange(x.extent(0)), nowhere)); });
    const auto each_row = function<cpu>([](matrix<float> x, value v, vector<std::int64_t> nowhere) {
        return min<1>(where(x == v, newaxis<0>(arange(x.extent(1))), newaxis<1>(nowhere)));
    });
    const auto all_rows = function<cpu>([](matrix<float> x, value v, vector<std::int64_t> nowhere) {
        return min(where(x == v, newaxis<0>(arange(x.extent(1))), newaxis<1>(nowhere)));
    });
    for (const std::int64_t n : lengths) {
        if (n > 9000) continue;
        for (const std::int64_t p : places_in(n))
            for (const float v : {1.0f, 2.0f, 3.0f})
                for (const std::int64_t nowhere : {std::int64_t{-1000000}, std::int64_t{-1}, std::int64_t{0}, p - 1, p, p + 1, n, std::int64_t{1000000}}) {
                    CAPTURE(n);
                    CAPTURE(p);
                    CAPTURE(v);
                    CAPTURE(nowhere);
                    array<float, 1> x(n);
                    for (std::int64_t i = 0; i < n; ++i) x(i) = 2;
                    x(p) = 1;
                    std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = std::numeric_limits<std::int64_t>::min(), moved = least, turned = least;
                    for (std::int64_t i = 0; i < n; ++i) {
                        least = std::min(least, x(i) == v ? i : nowhere);
                        most = std::max(most, x(i) == v ? i : nowhere);
                        moved = std::min(moved, x(i) == v ? i + 5 : nowhere);
                        turned = std::min(turned, x(i) == v ? -i : nowhere);
                    }
                    REQUIRE(least_place(x, v, nowhere)() == least);
                    REQUIRE(most_place(x, v, nowhere)() == most);
                    REQUIRE(moved_place(x, v, nowhere)() == moved);
                    REQUIRE(turned_place(x, v, nowhere)() == turned);
                    array<float, 2> m(3, n);
                    for (std::int64_t r = 0; r < 3; ++r) m(r) = x;
                    const array<std::int64_t, 1> elsewhere{nowhere, nowhere + 1, 7};
                    const auto of_rows = each_row(m, v, elsewhere);
                    REQUIRE(of_rows(0) == least);
                    std::int64_t all_of_them = std::numeric_limits<std::int64_t>::max();
                    for (std::int64_t r = 0; r < 3; ++r) {
                        std::int64_t one = std::numeric_limits<std::int64_t>::max();
                        for (std::int64_t i = 0; i < n; ++i) one = std::min(one, x(i) == v ? i : elsewhere(r));
                        REQUIRE(of_rows(r) == one);
                        all_of_them = std::min(all_of_them, one);
                    }
                    REQUIRE(all_rows(m, v, elsewhere)() == all_of_them);
                }
    }
}
