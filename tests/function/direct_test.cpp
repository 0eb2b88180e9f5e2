// SPDX-License-Identifier: MIT
// Calls of functions that are loops along their arrays, which keep nothing: the values of all other calls, whatever lies where, and the same sentences.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <croton/croton.hpp>

#include "faults.hpp"
#include "message_of.hpp"
#include "profile/profile.hpp"

using namespace croton;
using test::message_of;

namespace {

array<float, 1> counting(std::int64_t n, float first = 1) {
    array<float, 1> x(n);
    for (std::int64_t i = 0; i < n; ++i) x(i) = first + static_cast<float>(i);
    return x;
}

template <class F> long allocations(F&& f) {
    f();
    const long before = test::allocations;
    f();
    return test::allocations - before;
}

const auto line = function<cpu>("line", [](vector<float> x, scalar<float> s, vector<float> b) { return s * x + b; });
const auto several = function<cpu>("several", [](vector<float> x, vector<float> y) { return outputs(x + y, x - y, sum(x * y)); });
const auto scaled = function<cpu>("scaled", [](vector<float> x, vector<float> y) { return x / sum(sqr(y)); });

}  // namespace

TEST_CASE("every length, also of no elements and of more than one thread takes") {
    for (const std::int64_t n : {0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 64, 100, 255, 400'000}) {
        CAPTURE(n);
        const auto x = counting(n), b = counting(n, 5);
        array<float, 1> y(n), expected(n);
        for (std::int64_t i = 0; i < n; ++i) expected(i) = 2 * x(i) + b(i);
        line.call_into(y, x, 2, b);
        CHECK(y == expected);
        CHECK(line(x, 2.0f, b) == expected);
        const auto [plus, minus, product] = several(x, b);
        double total = 0;
        for (std::int64_t i = 0; i < n; ++i) total += double(x(i)) * double(b(i));
        CHECK(static_cast<float>(product) == doctest::Approx(total).epsilon(1e-5));
        if (n > 0) CHECK(plus(n - 1) == x(n - 1) + b(n - 1));
        if (n > 0) CHECK(minus(0) == -4);
    }
}

TEST_CASE("each element is computed alike wherever a run ends, and nothing behind it is written") {
    const auto ends = []<class T>(T third) {
        array<T, 1> x(48), b(48), whole(48), y(48);
        for (std::int64_t i = 0; i < 48; ++i) x(i) = third * static_cast<T>(i + 1), b(i) = 1 / x(i);
        whole = (x + third) * b - x / 7 + sqrt(b);
        for (std::int64_t from = 0; from < 4; ++from)
            for (std::int64_t n = 0; from + n <= 48; ++n) {
                CAPTURE(from);
                CAPTURE(n);
                y.fill(-1);
                const view<T, 1> part(x.data() + from, {n}), of(b.data() + from, {n});
                view<T, 1>(y.data() + from, {n}) = (part + third) * of - part / 7 + sqrt(of);
                for (std::int64_t i = 0; i < 48; ++i) CHECK(y(i) == (i >= from && i < from + n ? whole(i) : T(-1)));
                // Where it reads, and before.
                array<T, 1> same = x, before = x;
                view<T, 1>(same.data() + from, {n}) += third * of;
                if (from > 0) view<T, 1>(before.data(), {n}) = view<T, 1>(before.data() + from, {n}) * third;
                for (std::int64_t i = 0; i < 48; ++i) {
                    CHECK(same(i) == (i >= from && i < from + n ? array<T, 1>(view<T, 1>(x.data() + i, {1}) + third * view<T, 1>(b.data() + i, {1}))(0) : x(i)));
                    CHECK(before(i) == (from > 0 && i < n ? x(i + from) * third : x(i)));
                }
            }
    };
    ends(1.0f / 3);
    ends(1.0 / 3);
}

TEST_CASE("sums of few elements and of many, where they stand") {
    const auto sums = []<class T>(T) {
        for (const std::int64_t n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 130, 1000, 1024, 1025, 2047, 2048, 2049, 5000, 8191, 8192, 8193, 9001}) {
            CAPTURE(n);
            array<T, 1> x(n), y(n);
            T expected = 0, squares = 0, most = -9;
            for (std::int64_t i = 0; i < n; ++i) {
                x(i) = static_cast<T>((i * 7) % 5) - 2;  // whole, so that no order of sums rounds
                expected += x(i);
                squares += x(i) * x(i);
                most = x(i) > most ? x(i) : most;
            }
            array<T, 0> total, both;
            total = sum(x);
            CHECK(total() == expected);
            total = max(x);
            CHECK(total() == most);
            y = x + sum(x);
            for (const std::int64_t i : {std::int64_t{0}, n / 2, n - 1}) CHECK(y(i) == x(i) + expected);
            y = (x - max(x)) * sum(x * x);
            for (const std::int64_t i : {std::int64_t{0}, n / 2, n - 1}) CHECK(y(i) == (x(i) - most) * squares);
            both = sum(x * x) - sum(x);
            CHECK(both() == squares - expected);
        }
    };
    sums(1.0f);
    sums(1.0);
}

TEST_CASE("elements that no register of lanes holds as they are") {
    const array<half, 1> h{1, 2, 3, 4, 5};
    const array<bfloat16, 1> b{1, 2, 3};
    const array<int, 1> i{1, 2, 3};
    CHECK(h * 2 == array<float, 1>{2, 4, 6, 8, 10});
    CHECK(b * 2 - 1 == array<float, 1>{1, 3, 5});
    CHECK(sum(h) == 15);
    CHECK(i * 2 + i == array<int, 1>{3, 6, 9});
    CHECK((i > 2) == array<bool, 1>{false, false, true});
}

TEST_CASE("what is passed: views, spans, vectors, numbers of other types") {
    const auto x = counting(9), b = counting(9, 10);
    array<float, 1> y(9);
    const std::vector<float> held(x.begin(), x.end());
    line.call_into(y, held, 1, std::span(b.data(), 9));
    CHECK(y == array<float, 1>{11, 13, 15, 17, 19, 21, 23, 25, 27});
    array<float, 1> part(5);
    line.call_into(part, x(slice(none, none, 2)), 1.5, b(slice(0, 5)));
    CHECK(part == array<float, 1>{11.5, 15.5, 19.5, 23.5, 27.5});
    line.call_into(y(slice(none, none, -2)), x(slice(0, 5)), std::int64_t{0}, b(slice(4, 9)));
    CHECK(y == array<float, 1>{18, 13, 17, 17, 16, 21, 15, 25, 14});
    std::vector<float> to(9);
    line.call_into(to, x, 0, b);
    CHECK(to[8] == 18);
    const array<float, 0> two = array<float, 1>{2}(0);
    line.call_into(y, x, two, b);
    CHECK(y(0) == 12);
}

TEST_CASE("matrices of one layout and of others") {
    const auto f = function<cpu>("product", [](matrix<float> a, matrix<float> b) { return a * b + 1; });
    const auto same = function<reference>("product", [](matrix<float> a, matrix<float> b) { return a * b + 1; });
    const array<float, 2> a{{1, 2, 3}, {4, 5, 6}}, b{{1, 1, 1}, {2, 2, 2}}, tall{{1, 4}, {2, 5}, {3, 6}};
    CHECK(f(a, b) == array<float, 2>{{2, 3, 4}, {9, 11, 13}});
    CHECK(f(tall.transpose(), b) == array<float, 2>{{2, 3, 4}, {9, 11, 13}});
    array<float, 2> wide(2, 6);
    f.call_into(wide(slice(), slice(0, 3)), a, b);
    CHECK(wide == array<float, 2>{{2, 3, 4, 0, 0, 0}, {9, 11, 13, 0, 0, 0}});
    CHECK(message_of([&] { f(a, tall); }) == message_of([&] { same(a, tall); }));
}

TEST_CASE("results in the memory of arguments, and results that overlap them") {
    for (const std::int64_t n : {4, 40}) {
        array<float, 1> x = counting(n);
        CHECK(allocations([&] { line.call_into(x, x, 1, x); }) == 0);
        CHECK(x(n - 1) == 4 * static_cast<float>(n));
        array<float, 1> all = counting(n + 1), expected(n + 1);
        expected(0) = 1;
        for (std::int64_t i = 0; i < n; ++i) expected(i + 1) = all(i) + all(i + 1);
        line.call_into(all(slice(1, none)), all(slice(0, n)), 1, all(slice(1, none)));
        CHECK(all == expected);
        all = counting(n + 1);
        for (std::int64_t i = 0; i < n; ++i) expected(i) = all(i + 1) + all(i);
        expected(n) = static_cast<float>(n + 1);
        line.call_into(all(slice(0, n)), all(slice(1, none)), 1, all(slice(0, n)));
        CHECK(all == expected);
        // A number that lies in the result is read before.
        all = counting(n);
        line.call_into(all, all, all(n - 1), all);
        CHECK(all(0) == static_cast<float>(n + 1));
        CHECK(all(n - 1) == static_cast<float>(n * n + n));
    }
    // What an earlier loop has read may be written over at once; what a later one reads, not.
    array<float, 1> y = counting(20), x = counting(20, 3);
    const auto expected = scaled(x, y);
    CHECK(allocations([&] {
              array<float, 1>& in_place = y;
              scaled.call_into(in_place, x, in_place);
          }) == 0);
    y = counting(20);
    scaled.call_into(y, x, y);
    CHECK(y == expected);
    array<float, 1> both = counting(8), ones{1, 1, 1, 1, 1, 1, 1, 1}, minus(8);
    array<float, 0> product;
    several.call_into(std::tie(both, minus, product), both, ones);
    CHECK(both == array<float, 1>{2, 3, 4, 5, 6, 7, 8, 9});
    CHECK(minus == array<float, 1>{0, 1, 2, 3, 4, 5, 6, 7});
    CHECK(static_cast<float>(product) == 36);
    several.call_into(std::tie(both, both, product), counting(8), ones);
    CHECK(both == array<float, 1>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("rows: any number of them, of any length, in order and not") {
    const auto norms = function<cpu>("norms", [](matrix<float> x) { return norm<1>(x); });
    const auto centred = function<cpu>("centred", [](matrix<float> x, vector<float> by) { return outputs(x - mean<1>(x, keepdims), x / by + sum<1>(x, keepdims)); });
    const auto most = function<cpu>("most", [](symbol<float, 3> x) { return max<2>(x); });
    const auto within = function<cpu>("within", [](symbol<float, 3> x) { return sum<0, 2>(x * x); });
    for (const std::int64_t rows : {0, 1, 2, 5})
        for (const std::int64_t n : {0, 1, 3, 16, 33, 130, 1000}) {
            CAPTURE(rows);
            CAPTURE(n);
            array<float, 2> x(rows, n), turned(n, rows), centre(rows, n), ratio(rows, n);
            array<float, 1> by(n), y(rows), expected(rows);
            for (std::int64_t j = 0; j < n; ++j) by(j) = static_cast<float>(j + 1);
            for (std::int64_t i = 0; i < rows; ++i) {
                double squares = 0;
                for (std::int64_t j = 0; j < n; ++j) {
                    turned(j, i) = x(i, j) = static_cast<float>((i * 7 + j * 3) % 11 - 5);
                    squares += double(x(i, j)) * double(x(i, j));
                }
                expected(i) = static_cast<float>(std::sqrt(squares));
            }
            norms.call_into(y, x);
            CHECK(allclose(y, expected));
            CHECK(allocations([&] { norms.call_into(y, x); }) == 0);
            CHECK(allclose(norms(x), expected));
            CHECK(allclose(norms(turned.transpose()), expected));
            array<float, 1> every_other(2 * rows);
            norms.call_into(every_other(slice(0, none, 2)), x);
            CHECK(allclose(every_other(slice(0, none, 2)), expected));
            centred.call_into(std::tie(centre, ratio), x, by);
            for (std::int64_t i = 0; i < rows; ++i) {
                double sum = 0;
                for (std::int64_t j = 0; j < n; ++j) sum += double(x(i, j));
                for (std::int64_t j = 0; j < n; ++j) {
                    CHECK(static_cast<double>(centre(i, j)) == doctest::Approx(double(x(i, j)) - sum / double(n)).epsilon(1e-4));
                    CHECK(static_cast<double>(ratio(i, j)) == doctest::Approx(double(x(i, j)) / double(j + 1) + sum).epsilon(1e-4));
                }
            }
            // In place, where whole rows are read before: what is read then is as it was.
            array<float, 2> same = x, other(rows, n);
            centred.call_into(std::tie(same, other), same, by);
            CHECK(same == centre);
            CHECK(other == ratio);
            if (rows > 1 && n > 0) {
                const array<float, 2> from = x;
                norms.call_into(view<float, 1>(x.data(), {rows}), x);
                for (std::int64_t i = 0; i < rows; ++i) CHECK(x.data()[i] == doctest::Approx(static_cast<double>(expected(i))));
                x = from;
            }
        }
    array<float, 3> x(2, 3, 4);
    for (std::int64_t i = 0; i < 24; ++i) x.data()[i] = static_cast<float>(i);
    CHECK(most(x) == array<float, 2>{{3, 7, 11}, {15, 19, 23}});
    CHECK(within(x) == array<float, 1>{748, 1356, 2220});
    CHECK(message_of([&] { most(array<float, 3>(2, 3, 0)); }) == message_of([&] { function<reference>("most", [](symbol<float, 3> a) { return max<2>(a); })(array<float, 3>(2, 3, 0)); }));
    CHECK(most(array<float, 3>(0, 3, 4)).extents() == extents_of<2>{0, 3});
    const auto kept = function<cpu>("kept", [](shared<vector<float>> w, matrix<float> g) { return outputs(sum(g)).updates(w += mean<1>(g)); });
    array<float, 1> w{1, 2};
    kept(w, array<float, 2>{{1, 3}, {2, 6}});
    CHECK(w == array<float, 1>{3, 6});
    array<float, 1> three{7, 7, 7};
    CHECK(message_of([&] { norms.call_into(three, array<float, 2>(2, 2)); }).find("norms: result") == 0);
    CHECK(three == array<float, 1>{7, 7, 7});
}

TEST_CASE("an argument that stands for several") {
    const auto f = function<cpu>([](vector<float> a, vector<float> b, vector<float> c, scalar<float> s) { return (a * b - s) * c + a; });
    const auto dotted = function<cpu>([](vector<float> a, vector<float> b, vector<float> c) { return sum(a * b * c); });
    for (const std::int64_t n : {1, 5, 16, 40, 100}) {
        array<float, 1> x = counting(n), other = counting(n), to(n);
        for (const auto* b : {&x, &other})
            for (const auto* c : {&x, &other}) {
                f.call_into(to, x, *b, *c, 2);
                CHECK(to(n - 1) == static_cast<float>((n * n - 2) * n + n));
                CHECK(static_cast<double>(static_cast<float>(dotted(x, *b, *c))) == doctest::Approx(0.25 * double(n * n) * double((n + 1) * (n + 1))).epsilon(1e-5));
            }
        f.call_into(x, x, x, x, 2);
        CHECK(x == to);
    }
}

TEST_CASE("updates") {
    const auto step = function<cpu>("step", [](shared<vector<float>> w, vector<float> g, scalar<float> rate) { return outputs(sum(g)).updates(w -= rate * g); });
    array<float, 1> w{1, 2, 3}, g{1, 1, 2};
    CHECK(static_cast<float>(step(w, g, 0.5)) == 4);
    CHECK(w == array<float, 1>{0.5, 1.5, 2});
    CHECK(message_of([&] { step(w, w, 1); }) == "step: argument 1 is updated in place and shares memory with argument 2");
    CHECK(message_of([&] { step(w, array<float, 1>{1, 2}, 1); }) == "step: argument 2 has extent 2 along axis 0, but argument 1 has extent 3 along axis 0; subtract needs them equal");
    CHECK(w == array<float, 1>{0.5, 1.5, 2});
}

TEST_CASE("numbers alone, integers and truth values, largest of none") {
    const auto next = function<cpu>([](scalar<float> x) { return x + 1; });
    CHECK(static_cast<float>(next(2)) == 3);
    const auto more = function<cpu>([](vector<int> a, vector<int> b) { return a > b; });
    CHECK(more(array<int, 1>{1, 5}, array<int, 1>{2, 4}) == array<bool, 1>{false, true});
    const auto most = function<cpu>("most", [](vector<float> a) { return max(a); });
    CHECK(static_cast<float>(most(array<float, 1>{-3, -1, -2})) == -1);
    CHECK_THROWS_AS(most(array<float, 1>(0)), shape_error);
    const auto least = function<cpu>("least", [](scalar<std::int8_t> a, vector<std::int8_t> b) { return a + b; });
    CHECK_THROWS_AS(least(300, array<std::int8_t, 1>{1}), value_error);
    const auto narrow = function<cpu>("narrow", [](scalar<float> a, vector<float> b) { return a + b; });
    CHECK_THROWS_AS(narrow(1e300, array<float, 1>{1}), value_error);
    CHECK(narrow(std::numeric_limits<double>::infinity(), array<float, 1>{1})(0) == std::numeric_limits<float>::infinity());
    const auto over = function<cpu>([](vector<float, 3> a) { return a * 2; });
    CHECK(over(array<float, 1>{1, 2, 3}) == array<float, 1>{2, 4, 6});
    CHECK_THROWS_AS(over(array<float, 1>{1, 2}), shape_error);
}

TEST_CASE("a profile sees these calls as all others") {
    const auto x = counting(16);
    array<float, 1> y(16);
    support::ticking_profile scope{"short calls"};
    line.call_into(y, x, 1, x);
    CHECK(line(x, 1, x) == y);
    REQUIRE(scope.functions().size() == 1);
    CHECK(scope.functions()[0].name == "line");
    CHECK(scope.functions()[0].calls == 2);
}
