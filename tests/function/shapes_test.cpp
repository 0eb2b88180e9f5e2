// SPDX-License-Identifier: MIT
// Empty arrays, single elements, batches without rows, and shapes that change from call to call.
#include <doctest/doctest.h>

#include <cmath>
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

TEST_CASE_TEMPLATE("one function, every shape", Device, cpu, reference) {
    auto f = function<Device>([](matrix<float> x, vector<float> v) {
        auto y = x * v + 1;
        return std::tuple(y, sum<0>(y), sum<1>(y), sum(y), mean(y), transpose(y));
    });
    for (const auto& shape : {std::pair{3, 4}, {1, 1}, {0, 4}, {4, 0}, {0, 0}, {1, 70}, {70, 1}, {33, 17}, {3, 4}, {2, 0}, {17, 33}}) {
        const int m = shape.first, n = shape.second;
        CAPTURE(m);
        CAPTURE(n);
        const array<float, 2> x = counting(m, n);
        array<float, 1> v(n);
        v.fill(2);
        const auto [y, columns, rows, total, average, turned] = f(x, v);
        REQUIRE(y.extents() == extents_of<2>{m, n});
        REQUIRE(columns.extent(0) == n);
        REQUIRE(rows.extent(0) == m);
        REQUIRE(turned.extents() == extents_of<2>{n, m});
        double sum = 0;
        bool right = true;
        for (int i = 0; i < m; ++i) {
            double row = 0;
            for (int j = 0; j < n; ++j) {
                right = right && y(i, j) == 2 * x(i, j) + 1 && turned(j, i) == y(i, j);
                row += y(i, j);
            }
            right = right && rows(i) == doctest::Approx(row);
            sum += row;
        }
        CHECK(right);
        CHECK(total() == doctest::Approx(sum));
        if (m == 0)
            for (int j = 0; j < n; ++j) CHECK(columns(j) == 0);
        if (m * n == 0) CHECK(std::isnan(average()));
        else CHECK(average() == doctest::Approx(sum / (m * n)));
    }
}

TEST_CASE_TEMPLATE("a batch without rows changes nothing but what it must", Device, cpu, reference) {
    auto step = function<Device>([](matrix<float> x, vector<float> y, shared<vector<float>> w, shared<scalar<float>> b) {
        auto error = dot(x, w) + b - y;
        return outputs(error, sum(sqr(error)), softmax(x)).updates(w -= dot(error, x), b -= sum(error));
    });
    array<float, 1> w{1, 2, 3};
    array<float, 0> b{4};
    for (int i = 0; i < 2; ++i) {
        const auto [error, cost, p] = step(array<float, 2>(0, 3), array<float, 1>(0), w, b);
        CHECK(error.size() == 0);
        CHECK(p.extents() == extents_of<2>{0, 3});
        CHECK(cost() == 0);
        CHECK(w == array<float, 1>{1, 2, 3});
        CHECK(b() == 4);
        const auto [one, one_cost, one_p] = step(array<float, 2>{{1, 1, 1}}, array<float, 1>{9}, w, b);
        CHECK(one(0) == 1);
        CHECK(one_cost() == 1);
        CHECK(one_p(0, 1) == doctest::Approx(1.0 / 3));
        CHECK(w == array<float, 1>{0, 1, 2});
        CHECK(b() == 3);
        w = array<float, 1>{1, 2, 3};
        b = 4.0F;
    }
}

TEST_CASE_TEMPLATE("products with empty sides", Device, cpu, reference) {
    auto f = function<Device>([](matrix<float> a, matrix<float> b, matrix<float> c) { return std::tuple(dot(a, b), dot(a, b) + c, 2 * c - dot(a, b)); });
    const auto check = [&](int m, int k, int n) {
        const array<float, 2> c = array<float, 2>::full({m, n}, 3);
        const auto [p, q, r] = f(counting(m, k), counting(k, n), c);
        REQUIRE(p.extents() == extents_of<2>{m, n});
        bool right = true;
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) {
                float s = 0;
                for (int l = 0; l < k; ++l) s += counting(m, k)(i, l) * counting(k, n)(l, j);
                right = right && p(i, j) == s && q(i, j) == s + 3 && r(i, j) == 6 - s;
            }
        CHECK(right);
    };
    check(2, 3, 4);
    check(0, 3, 4);
    check(2, 0, 4);
    check(2, 3, 0);
    check(1, 1, 1);
    check(0, 0, 0);
    check(2, 3, 4);
}

TEST_CASE("empty views, and arrays that were never filled") {
    auto f = function<cpu>([](vector<float> v) { return std::tuple(exp(v), sum(v)); });
    const array<float, 1> nothing;
    CHECK(std::get<0>(f(nothing)).size() == 0);
    CHECK(std::get<1>(f(nothing)) == 0);
    CHECK(std::get<0>(f(view<float, 1>())).size() == 0);
    array<float, 1> v{1, 2, 3};
    CHECK(std::get<1>(f(v.slice(0, 2, 2))) == 0);
    CHECK(std::get<1>(f(v.slice(0, 2, 3))) == 3);
    // An empty array shares no memory with anything.
    auto step = function<cpu>([](vector<float> g, shared<vector<float>> w) { return updates(w += sum(g)); });
    step(v.slice(0, 1, 1), v);
    CHECK(v == array<float, 1>{1, 2, 3});
    array<float, 1> out(0);
    auto twice = function<cpu>([](vector<float> a) { return 2 * a; });
    twice.call_into(out, nothing);
    CHECK(out.size() == 0);
}

TEST_CASE("sizes that no memory has are refused before any is touched") {
    constexpr std::int64_t half = std::int64_t{1} << 31, odd = (std::int64_t{1} << 32) + 1, most = std::int64_t{1} << 40;
    float one = 1, changed = 7;
    const auto tall = [&](std::int64_t n) { return view<float, 2>(&one, {n, 1}, {0, 0}); };
    const auto wide = [&](std::int64_t n) { return view<float, 2>(&one, {1, n}, {0, 0}); };
    const auto line = [&](std::int64_t n) { return view<float, 1>(&one, {n}, {0}); };
    const view<float, 1> parameter(&changed, {1});

    // 2^64 bytes, and 2^62 + 2^30 elements: counted in 64 bits, none and few.
    auto temporary = function<cpu>("temporary", [](matrix<float> a, matrix<float> b, shared<vector<float, 1>> w) {
        return outputs(sum(sqr(dot(a, b)))).updates(w += 1);
    });
    CHECK(message_of<shape_error>([&] { temporary(tall(half), wide(half), parameter); }) ==
          "temporary: a temporary of extents [2147483648,2147483648] is more than memory can address");
    CHECK(message_of<shape_error>([&] { temporary(tall(half / 2), wide(odd), parameter); }) ==
          "temporary: a temporary of extents [1073741824,4294967297] is more than memory can address");
    CHECK(changed == 7);
    CHECK(temporary(tall(3), wide(2), parameter) == 6);
    CHECK(changed == 8);

    auto flat = function<cpu>("flat", [](matrix<float> x, vector<float> y) { return sum(flatten(x) * y); });
    CHECK(message_of<shape_error>([&] { flat(view<float, 2>(&one, {half, half}, {0, 0}), line(half * half)); }) ==
          "flat: a copy of argument 1 of extents [2147483648,2147483648] is more than memory can address");
    CHECK(message_of<shape_error>([&] { flat(view<float, 2>(&one, {half, half}, {0, 0}), line(1)); }).find("a reshape gives") != std::string::npos);

    auto table = function<cpu>("table", [](vector<float> x, vector<float> y) { return std::tuple(outer(x, y), flatten(outer(x, y))); });
    CHECK(message_of<shape_error>([&] { table(line(most), line(most)); }) ==
          "table: an extent of 1099511627776 times 1099511627776 is more than memory can address");
    CHECK(message_of<shape_error>([&] { table(line(half), line(half)); }) == "table: result 1 of extents [2147483648,2147483648] is more than memory can address");
    CHECK(std::get<1>(table(line(2), line(3))).size() == 6);

    auto loop = function<cpu>("loop", [](vector<float> x, vector<float> y) { return sum(newaxis<1>(x) - y); });
    CHECK(message_of<shape_error>([&] { loop(line(2 * half), line(2 * half)); }) ==
          "loop: a loop over elements of extents [4294967296,4294967296] is more than memory can address");
    CHECK(loop(line(3), line(0)) == 0);
}
