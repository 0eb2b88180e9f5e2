// SPDX-License-Identifier: MIT
// Results written over arguments that lie as they do: in the same memory where each element is read before it is written, through a
// temporary where it is not.
#include <doctest/doctest.h>

#include <cstdint>
#include <tuple>
#include <type_traits>

#include <croton/croton.hpp>

#include "faults.hpp"

using namespace croton;

namespace {

array<float, 2> numbers(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
    array<float, 2> x(rows, columns);
    random::normal(x, seed);
    return x;
}

/// How many allocations a call over its first argument makes after another one; what it writes is what a call elsewhere gives.
template <class F, class X, class... More> long allocations_over(const F& f, const X& x, const More&... more) {
    X wanted = f(x, more...), y = x;
    f.call_into(y, y, more...);
    CHECK(y == wanted);
    y = x;
    const long before = test::allocations;
    f.call_into(y, y, more...);
    const long made = test::allocations - before;
    CHECK(y == wanted);
    return made;
}

}  // namespace

TEST_CASE_TEMPLATE("a result over an argument", Device, cpu, reference) {
    auto scaled = function<Device>([](matrix<float> x, matrix<float> o) { return x * 2 + o * x; });
    auto rows = function<Device>([](matrix<float> x, vector<float> v) { return softmax<1>(x) - v; });
    auto standard = function<Device>([](matrix<float> x) { return (x - mean<1>(x, keepdims)) / sqrt(var<1>(x, keepdims) + 1); });
    auto columns = function<Device>([](matrix<float> x) { return softmax<0>(x); });
    auto turned = function<Device>([](matrix<float> x) { return flip<0>(x) + x; });
    auto turned_rows = function<Device>([](matrix<float> x) { return flip<1>(x) + x; });
    auto summed = function<Device>([](vector<float> v, matrix<float> x) { return v + sum<0>(x); });
    auto centred = function<Device>([](matrix<float> x) { return x - sum(x); });
    auto product = function<Device>([](vector<float> v, matrix<float> x) { return dot(x, v) + v; });
    auto added = function<Device>([](matrix<float> x, matrix<float> a, matrix<float> b) { return x + dot(a, b); });
    auto subtracted = function<Device>([](vector<float> v, matrix<float> a, vector<float> w) { return 3 * v - dot(a, w); });
    auto added_many = function<Device>([](tensor<float, dynamic, dynamic, dynamic> x, tensor<float, dynamic, dynamic, dynamic> a) { return x + matmul(a, a); });
    auto squared = function<Device>([](matrix<float> x) { return x + dot(x, x); });
    auto cumulated = function<Device>([](matrix<float> x) { return cumsum<1>(x); });
    // What does not fuse reads an argument in several loops.
    constexpr bool fuses = std::is_same_v<Device, cpu>;
    for (const std::int64_t n : {1, 2, 7, 16, 33, 100})
        for (const std::int64_t k : {1, 5, 16, 33, 40}) {
            const array<float, 2> x = numbers(n, k, 1), o = numbers(n, k, 2), square = numbers(k, k, 3);
            const array<float, 1> v(numbers(1, k, 4)[0]);
            array<float, 3> batch(n % 4 + 1, k, k);
            random::normal(batch, 5);
            CHECK((allocations_over(scaled, x, o) == 0 || !fuses));
            CHECK((allocations_over(rows, x, v) == 0 || !fuses));
            CHECK((allocations_over(standard, x) == 0 || !fuses));
            CHECK((allocations_over(summed, v, x) == 0 || !fuses));
            // Other elements than that which is written are still to be read.
            if (n > 1) CHECK(allocations_over(turned, x) > 0);
            if (k > 1) CHECK(allocations_over(turned_rows, x) > 0);
            // The sum has read all of them before the first is written: where nothing runs block by block, that is known.
            CHECK((allocations_over(centred, x) == 0 || !fuses));
            CHECK(allocations_over(product, v, square) > 0);
            // What a product is added to is nothing else.
            CHECK((allocations_over(added, x, o, square) == 0 || !fuses));
            CHECK((allocations_over(subtracted, v, square, v) == 0 || !fuses));
            CHECK((allocations_over(added_many, batch, array<float, 3>(batch(slice(none, none, -1)))) == 0 || !fuses));
            CHECK(allocations_over(squared, square) > 0);
            CHECK(allocations_over(columns, x) >= 0);
            CHECK(allocations_over(cumulated, x) >= 0);
        }
}

TEST_CASE("a result over an argument: other layouts go through a temporary") {
    auto f = function<cpu>([](matrix<float> x, matrix<float> y) { return std::tuple(x + 2 * y, y - x); });
    const array<float, 2> x = numbers(6, 6, 1), y = numbers(6, 6, 2);
    auto [sum_of, difference] = f(x, y);

    array<float, 2> a = x, b = y;
    f.call_into(std::tie(a, b), a, b);
    CHECK(a == sum_of);
    CHECK(b == difference);

    a = x, b = y;
    f.call_into(std::tie(b, a), a, b);
    CHECK(b == sum_of);
    CHECK(a == difference);

    a = x;
    array<float, 2> other(6, 6);
    auto turned = a.transpose();
    f.call_into(std::tie(turned, other), a, y);
    CHECK(a.transpose() == sum_of);

    a = x;
    auto top = a.slice(0, 0, 5), low = a.slice(0, 1, 6);
    array<float, 2> rows(5, 6);
    array<float, 2> wanted(5, 6);
    f.call_into(std::tie(wanted, rows), top, y.slice(0, 0, 5));
    f.call_into(std::tie(low, rows), top, y.slice(0, 0, 5));
    CHECK(low == wanted);
}
