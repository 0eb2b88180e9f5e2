// SPDX-License-Identifier: MIT
// Updates: every new value comes from the old values, whatever the order, and nothing else changes.
#include <doctest/doctest.h>

#include <string>
#include <tuple>

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

}  // namespace

TEST_CASE_TEMPLATE("all new values are made of the old ones", Device, cpu, reference) {
    array<float, 1> a{1, 2, 3}, b{10, 20, 30}, c{100, 200, 300};
    SUBCASE("two that swap") {
        auto swap = function<Device>([](shared<vector<float>> x, shared<vector<float>> y) { return updates(update(x, y), update(y, x)); });
        swap(a, b);
        CHECK(a == array<float, 1>{10, 20, 30});
        CHECK(b == array<float, 1>{1, 2, 3});
    }
    SUBCASE("three in a ring") {
        auto turn = function<Device>([](shared<vector<float>> x, shared<vector<float>> y, shared<vector<float>> z) {
            return updates(update(x, y), update(y, z), update(z, x));
        });
        turn(a, b, c);
        CHECK(a == array<float, 1>{10, 20, 30});
        CHECK(b == array<float, 1>{100, 200, 300});
        CHECK(c == array<float, 1>{1, 2, 3});
    }
    SUBCASE("a += b, b += a") {
        auto both = function<Device>([](shared<vector<float>> x, shared<vector<float>> y) { return updates(x += y, y += x); });
        both(a, b);
        CHECK(a == array<float, 1>{11, 22, 33});
        CHECK(b == array<float, 1>{11, 22, 33});
    }
    SUBCASE("through a sum, a product and an output of the old value") {
        auto f = function<Device>([](shared<vector<float>> x, shared<vector<float>> y) {
            return outputs(x, sum(y), x * y).updates(x -= sum(y), y *= sum(x));
        });
        const auto [old, total, product] = f(a, b);
        CHECK(old == array<float, 1>{1, 2, 3});
        CHECK(total == 60);
        CHECK(product == array<float, 1>{10, 40, 90});
        CHECK(a == array<float, 1>{-59, -58, -57});
        CHECK(b == array<float, 1>{60, 120, 180});
    }
    SUBCASE("a number for all elements") {
        auto zero = function<Device>([](shared<vector<float>> x, shared<vector<float>> y) { return updates(update(x, 0), y /= 2); });
        zero(a, b);
        CHECK(a == array<float, 1>{0, 0, 0});
        CHECK(b == array<float, 1>{5, 10, 15});
    }
}

TEST_CASE_TEMPLATE("an update that reads itself elsewhere", Device, cpu, reference) {
    SUBCASE("w + transpose(w)") {
        auto f = function<Device>([](shared<matrix<float>> w) { return updates(w += transpose(w)); });
        for (const int n : {1, 2, 5, 33}) {
            array<float, 2> w = counting(n, n);
            const array<float, 2> old = w;
            f(w);
            bool same = true;
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) same = same && w(i, j) == old(i, j) + old(j, i);
            CHECK(same);
        }
        array<float, 2> not_square = counting(2, 3);
        CHECK_THROWS_AS(f(not_square), shape_error);
        CHECK(not_square == counting(2, 3));
    }
    SUBCASE("the transpose alone, and a product with itself") {
        auto t = function<Device>([](shared<matrix<float>> w) { return updates(update(w, transpose(w))); });
        array<float, 2> w = counting(3, 3);
        t(w);
        CHECK(w == counting(3, 3).transpose());
        auto square = function<Device>([](shared<matrix<float>> m) { return updates(update(m, dot(m, m))); });
        array<float, 2> m{{1, 2}, {3, 4}};
        square(m);
        CHECK(m == array<float, 2>{{7, 10}, {15, 22}});
    }
    SUBCASE("a matrix times the vector it updates") {
        auto f = function<Device>([](matrix<float> m, shared<vector<float>> v) { return updates(update(v, dot(m, v))); });
        array<float, 1> v{1, 2};
        f(array<float, 2>{{1, 2}, {3, 4}}, v);
        CHECK(v == array<float, 1>{5, 11});
        auto g = function<Device>([](matrix<float> m, shared<vector<float>> u) { return updates(u -= 0.5 * dot(m, u)); });
        g(array<float, 2>{{2, 4}, {6, 8}}, v);
        CHECK(v == array<float, 1>{-22, -48});
    }
    SUBCASE("less its own mean; softmax of itself") {
        auto f = function<Device>([](shared<matrix<float>> w) { return updates(w -= mean<0>(w)); });
        array<float, 2> w{{1, 2}, {3, 6}};
        f(w);
        CHECK(w == array<float, 2>{{-1, -2}, {1, 2}});
        auto g = function<Device>([](shared<matrix<float>> m) { return updates(update(m, softmax(m))); });
        array<float, 2> m{{0, 0}, {1, 1}};
        g(m);
        CHECK(m == array<float, 2>::full({2, 2}, 0.5F));
    }
}

TEST_CASE_TEMPLATE("strided memory is updated in place, and nothing between it", Device, cpu, reference) {
    auto f = function<Device>([](matrix<float> g, shared<matrix<float>> w) { return outputs(sum(w)).updates(w -= 2 * g); });
    auto product = function<Device>([](matrix<float> m, shared<matrix<float>> w) { return updates(w += dot(m, m)); });
    array<float, 2> whole(6, 6);
    const array<float, 2> g = counting(3, 3);
    auto part = whole.slice(0, 5, -1, -2).slice(1, 0, 6, 2);
    CHECK(f(g, part) == 0);
    CHECK(part(2, 2) == -18);
    CHECK(whole(1, 4) == part(2, 2));
    CHECK(whole(0, 0) == 0);
    CHECK(whole(1, 1) == 0);
    whole.fill(0);
    product(array<float, 2>{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}, part);
    CHECK(part(2, 2) == 9);
    CHECK(part(2, 1) == 0);
    CHECK(part(1, 1) == 4);
    float total = 0;
    for (const float each : whole) total += each;
    CHECK(total == 14);
    // The argument may be a temporary view.
    f(g, whole.slice(0, 0, 3).slice(1, 0, 3).transpose());
    CHECK(whole(0, 2) == -14);
}

TEST_CASE("an update may not share memory with another argument") {
    auto f = function<cpu>("step", [](vector<float> g, shared<vector<float>> w) { return updates(w -= g); });
    auto two = function<cpu>("two", [](shared<vector<float>> a, shared<vector<float>> b) { return updates(a += 1, b += 2); });
    array<float, 1> w{1, 2, 3, 4};
    const array<float, 1> old = w;
    CHECK(message_of<value_error>([&] { f(w, w); }) == "step: argument 2 is updated in place and shares memory with argument 1");
    CHECK(message_of<value_error>([&] { f(w.slice(0, 0, 3), w.slice(0, 1, 4)); }) == "step: argument 2 is updated in place and shares memory with argument 1");
    CHECK(message_of<value_error>([&] { two(w, w); }) == "two: argument 1 is updated in place and shares memory with argument 2");
    CHECK(message_of<value_error>([&] { two(w.slice(0, 3, 1, -1), w.slice(0, 1, 3)); }) == "two: argument 1 is updated in place and shares memory with argument 2");
    CHECK(w == old);
    // Disjoint parts of one array are fine, and so is what is only read twice.
    f(w.slice(0, 0, 2), w.slice(0, 2, 4));
    CHECK(w == array<float, 1>{1, 2, 2, 2});
    two(w.slice(0, 0, 2), w.slice(0, 2, 4));
    CHECK(w == array<float, 1>{2, 3, 4, 4});
    CHECK(message_of<value_error>([&] { f(w, w); }) == "step: argument 2 is updated in place and shares memory with argument 1");
    auto read = function<cpu>([](vector<float> a, vector<float> b) { return a + b; });
    CHECK(read(w, w) == array<float, 1>{4, 6, 8, 8});
}
