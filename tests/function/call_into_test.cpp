// SPDX-License-Identifier: MIT
// Results written into memory that exists: which memory may be named, and what happens where it is named twice.
#include <doctest/doctest.h>

#include <array>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <croton/croton.hpp>

#include "message_of.hpp"

using namespace croton;
using test::message_of;

namespace {

array<float, 2> counting(std::int64_t rows, std::int64_t columns) {
    array<float, 2> x(rows, columns);
    float next = 1;
    for (float& each : x) each = next++;
    return x;
}

template <class Device> auto made() {
    return function<Device>("scale", [](matrix<float> x, scalar<float> s) { return std::tuple(transpose(x) * s, sum<1>(x), sum(x)); });
}

}  // namespace

TEST_CASE_TEMPLATE("arrays, views, spans and vectors as results", Device, cpu, reference) {
    auto f = made<Device>();
    const array<float, 2> x = counting(3, 5);
    const auto [t, rows, total] = f(x, 2);

    SUBCASE("arrays keep their memory") {
        array<float, 2> a(5, 3);
        array<float, 1> b(3);
        array<float, 0> c;
        const float* memory = a.data();
        f.call_into(std::tie(a, b, c), x, 2);
        CHECK(a.data() == memory);
        CHECK(a == t);
        CHECK(b == rows);
        CHECK(c() == total());
    }
    SUBCASE("a view of rows, a column that is skipped through, backwards and transposed") {
        array<float, 2> wide(10, 8), room(3, 5);
        array<float, 1> line(7);
        array<float, 0> c;
        auto part = wide.slice(0, 0, 10, 2).slice(1, 7, 1, -2);
        auto every_third = line.slice(0, 6, -1, -3);
        f.call_into(std::tie(part, every_third, c), x, 2);
        CHECK(part == t);
        CHECK(every_third == rows);
        CHECK(wide(1, 1) == 0);
        CHECK(wide(0, 0) == 0);
        CHECK(line(1) == 0);
        auto transposed = room.transpose();
        f.call_into(std::tie(transposed, every_third, c), x, 2);
        CHECK(room.transpose() == t);
    }
    SUBCASE("a span and a vector") {
        array<float, 2> a(5, 3);
        std::vector<float> values(3), more(4);
        array<float, 0> c;
        f.call_into(std::tie(a, values, c), x, 2);
        CHECK(values == std::vector<float>(rows.begin(), rows.end()));
        std::span<float> some = std::span(more).subspan(1);
        f.call_into(std::tie(a, some, c), x, 2);
        CHECK(more[0] == 0);
        CHECK(more[3] == rows(2));
    }
    SUBCASE("extents that are not the result's are refused, and nothing is written") {
        array<float, 2> a(5, 3), wrong(3, 5);
        array<float, 1> b(3), short_b(2);
        array<float, 0> c;
        CHECK(message_of([&] { f.call_into(std::tie(wrong, b, c), x, 2); }) ==
              "scale: result 1 has extent 5 along axis 0, but the array it is written into has 3");
        CHECK(message_of([&] { f.call_into(std::tie(a, short_b, c), x, 2); }) ==
              "scale: result 2 has extent 3 along axis 0, but the array it is written into has 2");
        CHECK(a == array<float, 2>(5, 3));
        CHECK(c() == 0);
        f.call_into(std::tie(a, b, c), x, 2);
        CHECK(a == t);
    }
}

TEST_CASE_TEMPLATE("a result over an argument goes through a temporary", Device, cpu, reference) {
    auto f = function<Device>([](matrix<float> x, vector<float> v) { return x + transpose(x) + v; });
    auto mixed = function<Device>([](vector<float> x, vector<float> y) { return std::tuple(x + y, x - y); });
    const array<float, 2> x = counting(4, 4);
    const array<float, 1> v{1, 2, 3, 4};
    const array<float, 2> y = f(x, v);

    SUBCASE("the argument itself") {
        array<float, 2> a = x;
        f.call_into(a, a, v);
        CHECK(a == y);
    }
    SUBCASE("the argument transposed, a row of it") {
        array<float, 2> a = x;
        f.call_into(a.transpose(), a, v);
        CHECK(a.transpose() == y);
        a = x;
        const array<float, 1> row(a[2]);
        const array<float, 2> with_row = f(a, row);
        f.call_into(a, a, a[2]);
        CHECK(a == with_row);
    }
    SUBCASE("two results over both arguments, crossed") {
        array<float, 1> a{1, 2, 3}, b{10, 20, 30};
        mixed.call_into(std::tie(b, a), a, b);
        CHECK(b == array<float, 1>{11, 22, 33});
        CHECK(a == array<float, 1>{-9, -18, -27});
    }
    SUBCASE("shifted by one") {
        array<float, 1> a{1, 2, 3, 4, 5};
        array<float, 1> other(4);
        auto shifted = a.slice(0, 1, 5);
        mixed.call_into(std::tie(shifted, other), a.slice(0, 0, 4), v);
        CHECK(a == array<float, 1>{1, 2, 4, 6, 8});
        CHECK(other == array<float, 1>{0, 0, 0, 0});
    }
    SUBCASE("vectors and spans") {
        std::vector<float> a{1, 2, 3};
        array<float, 1> b{10, 20, 30};
        std::span<float> b_span = b.span();
        mixed.call_into(std::tie(a, b_span), a, b);
        CHECK(a == std::vector<float>{11, 22, 33});
        CHECK(b == array<float, 1>{-9, -18, -27});
    }
    SUBCASE("results that share memory are written in order") {
        array<float, 1> a(3);
        mixed.call_into(std::tie(a, a), array<float, 1>{1, 2, 3}, array<float, 1>{1, 1, 1});
        CHECK(a == array<float, 1>{0, 1, 2});
        array<float, 1> line(4);
        auto low = line.slice(0, 0, 3), high = line.slice(0, 1, 4);
        mixed.call_into(std::tie(low, high), array<float, 1>{1, 2, 3}, array<float, 1>{1, 1, 1});
        CHECK(line == array<float, 1>{2, 0, 1, 2});
    }
}

TEST_CASE("numbers: rank-0 results and arguments") {
    auto f = function<cpu>([](scalar<float> a, scalar<double> b) { return std::tuple(a + 1, 2 * b); });
    array<float, 0> a{3};
    array<double, 0> b;
    f.call_into(std::tie(a, b), a, 4);
    CHECK(a() == 4);
    CHECK(b() == 8);
    f.call_into(std::tie(a, b), a, b);
    CHECK(a() == 5);
    CHECK(b() == 16);
}

TEST_CASE("a result may not lie in what is updated") {
    auto f = function<cpu>("step", [](vector<float> g, shared<vector<float>> w) { return outputs(w * g).updates(w -= g); });
    array<float, 1> w{1, 2, 3}, g{1, 1, 1}, out(3);
    CHECK(message_of([&] { f.call_into(std::tie(w), g, w); }) == "step: result 1 shares memory with argument 2, which is updated in place");
    CHECK(w == array<float, 1>{1, 2, 3});
    f.call_into(std::tie(out), g, w);
    CHECK(out == array<float, 1>{1, 2, 3});
    CHECK(w == array<float, 1>{0, 1, 2});
    f.call_into(std::tie(g), g, w);
    CHECK(g == array<float, 1>{0, 1, 2});
    CHECK(w == array<float, 1>{-1, 0, 1});
}

TEST_CASE("memory that is written to has room for each element") {
    auto product = function<cpu>("product", [](matrix<float> m, vector<float> v) { return dot(m, v); });
    auto step = function<cpu>("step", [](vector<float> g, shared<vector<float>> w) { return updates(w -= g); });
    array<float, 2> m(3, 3);
    m.fill(1);
    array<float, 1> x{1, 2, 3}, place{7, 7, 7, 7, 7};
    const view<float, 1> same(place.data(), {3}, {0});
    CHECK(message_of([&] { product.call_into(same, m, x); }) ==
          "product: result 1 is written into a view whose elements share memory: it has extents [3] and strides [0]");
    CHECK(message_of([&] { step(x, same); }) ==
          "step: argument 2, which is updated in place, is a view whose elements share memory: it has extents [3] and strides [0]");
    // Where it is only read, it may.
    place(0) = 2;
    CHECK(product(m, same) == array<float, 1>{6, 6, 6});

    auto twice = function<cpu>("twice", [](matrix<float> a) { return 2 * a; });
    const view<float, 2> windows(place.data(), {3, 3}, {1, 1}), apart(place.data(), {2, 2}, {3, 1}), row(place.data(), {1, 3}, {0, 1});
    CHECK(message_of([&] { twice.call_into(windows, m); }).find("share memory: it has extents [3,3] and strides [1,1]") != std::string::npos);
    CHECK(place == array<float, 1>{2, 7, 7, 7, 7});
    twice.call_into(apart, m.slice(0, 0, 2).slice(1, 0, 2));
    CHECK(place == array<float, 1>{2, 2, 7, 2, 2});
    twice.call_into(row, m.slice(0, 0, 1));
    CHECK(place == array<float, 1>{2, 2, 2, 2, 2});
}

TEST_CASE("views that lie between each other are apart") {
    // Small whole numbers, of which every sum is exact: memory decides in which order products are summed.
    array<float, 2> both(40, 66);
    for (int i = 0; i < 40; ++i)
        for (int j = 0; j < 66; ++j) both(i, j) = static_cast<float>((7 * i + 5 * j + i * j) % 5 - 2);
    auto even = both.slice(1, 0, 66, 2), odd = both.slice(1, 1, 66, 2);
    const array<float, 2> x(even), y(odd);
    auto step = function<cpu>("step", [](matrix<float> g, shared<matrix<float>> w, shared<vector<float>> b) {
        return outputs(sum<1>(w)).updates(w -= dot(g, dot(transpose(g), w)) + 1, b += sum<0>(g));
    });
    array<float, 2> expected = y;
    array<float, 1> bias(33), sums(40);
    step.call_into(sums, x, expected, bias);
    // The bias and the result lie between the elements of another array too.
    array<float, 1> line(80);
    auto b = line.slice(0, 0, 66, 2), s = line.slice(0, 1, 80, 2);
    auto result = view<float, 1>(line.data() + 1, {39}, {2});
    CHECK(message_of([&] { step.call_into(result, even, odd, b); }).find("result 1 has extent 40") != std::string::npos);
    step.call_into(s, even, odd, b);
    CHECK(odd == expected);
    CHECK(even == x);
    CHECK(b == bias);
    CHECK(s == sums);
    CHECK(message_of([&] { step.call_into(s, even, odd, line.slice(0, 1, 67, 2)); }).find("result 1 shares memory with argument 3") != std::string::npos);
    CHECK(message_of([&] { step(even, both.slice(1, 2, 66).slice(1, 0, 33), b); }).find("argument 2 is updated in place and shares memory with argument 1") !=
          std::string::npos);
}

TEST_CASE("what was found of memory does not hold for other memory") {
    auto f = function<cpu>("f", [](vector<float> x) { return x + sum(x); });
    array<float, 1> a{1, 2}, b{3, 4}, c(2);
    f.call_into(c, a);
    f.call_into(c, a);
    f.call_into(c, c);  // over the argument
    CHECK(c == array<float, 1>{13, 14});
    CHECK_THROWS_AS(f.call_into(array<float, 1>(3), b), shape_error);
    f.call_into(b, b);
    CHECK(b == array<float, 1>{10, 11});
    f.call_into(b, b);
    CHECK(b == array<float, 1>{31, 32});
}

TEST_CASE("arguments and results change places from call to call") {
    auto f = function<cpu>("f", [](vector<float> x, vector<float> y) { return outputs(x + sum(y), x * y); });
    const array<float, 1> a{1, 2}, b{3, 4}, longer{1, 1, 1};
    array<float, 1> c(2), d(2), e(3), g(3);
    f.call_into(std::tie(c, d), a, b);
    f.call_into(std::tie(c, d), b, a);
    CHECK(c == array<float, 1>{6, 7});
    f.call_into(std::tie(d, c), b, a);
    CHECK(d == array<float, 1>{6, 7});
    CHECK(c == array<float, 1>{3, 8});
    const auto [first, second] = f(a, a);
    CHECK(first == array<float, 1>{4, 5});
    f.call_into(std::tie(d, c), b, a);
    CHECK(first == array<float, 1>{4, 5});
    f.call_into(std::tie(e, g), longer, longer);
    CHECK(e == array<float, 1>{4, 4, 4});
    c.fill(0);
    f.call_into(std::tie(d, c), b, a);
    CHECK(c == array<float, 1>{3, 8});
    CHECK(g == array<float, 1>{1, 1, 1});
    auto copy = f;
    array<float, 1> own(2), other(2);
    copy.call_into(std::tie(own, other), a, b);
    f.call_into(std::tie(d, c), b, a);
    CHECK(own == array<float, 1>{8, 9});
    CHECK(d == array<float, 1>{6, 7});
}

TEST_CASE_TEMPLATE("into what a call gave", Device, cpu, reference) {
    auto f = made<Device>();
    const array<float, 2> x = counting(3, 5), more = counting(4, 5);
    auto results = f(x, 2);
    const float* const memory = std::get<0>(results).data();
    f.call_into(results, x, 3);
    CHECK(results == f(x, 3));
    CHECK(std::get<0>(results).data() == memory);
    CHECK_THROWS_AS(f.call_into(results, more, 3), shape_error);
    CHECK(results == f(x, 3));

    auto several = function<Device>([](vector<float> v) { return std::array{sum(v), max(v)}; });
    auto both = several(array<float, 1>{1, 2, 5});
    several.call_into(both, array<float, 1>{4, 2});
    CHECK(std::get<0>(both)() == 6);
    CHECK(std::get<1>(both)() == 4);

    auto one = function<Device>([](vector<float> v) { return std::tuple(2 * v); });
    auto twice = one(array<float, 1>{1, 2});
    one.call_into(twice, array<float, 1>{3, 4});
    CHECK(one(array<float, 1>{3, 4}) == twice);
}
