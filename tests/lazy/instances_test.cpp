// SPDX-License-Identifier: MIT
// Expressions that are alike are one function, wherever they stand and whatever holds their operands; and what none of them allocates.
#include <doctest/doctest.h>

#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include <croton/croton.hpp>

#include "faults.hpp"
#include "profile/profile.hpp"

using namespace croton;

namespace {

template <class E> using graph_of = typename std::remove_cvref_t<E>::lazy_graph;
template <class A, class B> constexpr bool one_function(const A&, const B&) { return std::is_same_v<graph_of<A>, graph_of<B>>; }

template <class F> long allocations(F&& f) {
    f();
    const long before = test::allocations;
    f();
    return test::allocations - before;
}

array<float, 1> elsewhere(const array<float, 1>& first, float by, const std::vector<float>& second) { return by * first + exp(second); }

}  // namespace

TEST_CASE("names, numbers and owners make no other function") {
    const array<float, 1> a{1, 2}, b{3, 4};
    array<float, 2> m{{1, 2}, {3, 4}};
    const std::vector<float> v{5, 6};
    const auto e = 2 * a + exp(b);
    CHECK(one_function(e, 2 * a + exp(b)));
    CHECK(std::is_same_v<std::remove_const_t<decltype(e)>, decltype(2 * a + exp(b))>);
    CHECK(one_function(e, 7.5 * b + exp(a)));
    CHECK(one_function(e, a(0) * m(1) + exp(m(slice(), 0))));
    CHECK(one_function(e, 3 * as_view(v) + exp(a)));
    CHECK(one_function(e, 3 * array<float, 1>{1, 2} + exp(std::span<const float>(v))));
    CHECK_FALSE(one_function(e, a * 2 + exp(b)));
    CHECK_FALSE(one_function(e, 2 * m + exp(b)));
    CHECK_FALSE(one_function(e, 2 * a + exp2(b)));
}

TEST_CASE("and a profile counts all of their calls as those of one") {
    const array<float, 1> a{1, 2}, b{3, 4};
    const std::vector<float> v{5, 6};
    array<float, 1> y(2);
    support::ticking_profile scope{"alike"};
    y = 2 * a + exp(b);
    y = 3 * y + exp(a);
    const array<float, 1> made = 2 * a + exp(v);
    CHECK(elsewhere(a, 2, v) == made);
    REQUIRE(scope.functions().size() == 1);
    std::int64_t calls = 0;
    for (const auto& each : scope.functions()) calls = each.name == "(a * b) + exp(c)" ? each.calls : calls;
    CHECK(calls == 4);
}

TEST_CASE("what is evaluated again into the same memory allocates nothing") {
    const array<double, 2> m{{4, 1, 2}, {1, 5, 3}, {2, 3, 6}}, n = m * 2;
    const array<double, 1> v{1, 2, 3};
    const array<int, 1> at{2, 0, 1};
    const array<double, 4> image(1, 2, 5, 5), kernel(3, 2, 3, 3);
    array<double, 4> convolved(1, 3, 3, 3);
    array<double, 2> y(3, 3), wide(3, 6);
    array<double, 1> x(3);
    std::vector<double> plain(3);
    double number = 0;
    bool same = false;
#define ALLOCATES_NOTHING(...) CHECK(allocations([&] { __VA_ARGS__; }) == 0)
    ALLOCATES_NOTHING(y = m * exp(n) + 1);
    ALLOCATES_NOTHING(y = m.transpose() * v);
    ALLOCATES_NOTHING(y = where(m > n, m, -n));
    ALLOCATES_NOTHING(y *= 1 + m);
    ALLOCATES_NOTHING(y = dot(m, n));
    ALLOCATES_NOTHING(y = dot(transpose(m), n) + m);
    ALLOCATES_NOTHING(y += dot(m, n));
    ALLOCATES_NOTHING(y = relu(dot(m, n) + v));
    ALLOCATES_NOTHING(x -= dot(m, v));
    ALLOCATES_NOTHING(y = outer(v, v));
    ALLOCATES_NOTHING(y = einsum<"ij,kj->ik">(m, n));
    ALLOCATES_NOTHING(x = sum<0>(m * n));
    ALLOCATES_NOTHING(x = max<1>(m - n));
    ALLOCATES_NOTHING(y = (m - mean<0>(m)) / stddev<0>(m));
    ALLOCATES_NOTHING(y = softmax<1>(m));
    ALLOCATES_NOTHING(y = cumsum<1>(m));
    ALLOCATES_NOTHING(y = sort<1>(m));
    ALLOCATES_NOTHING(y = take<0>(m, at) + n);
    ALLOCATES_NOTHING(wide = concatenate<1>(m, n));
    ALLOCATES_NOTHING(y = flip<0>(m) + roll<1>(n, constant<1>));
    ALLOCATES_NOTHING(convolved = conv2d(image, kernel));
    ALLOCATES_NOTHING(y = cholesky(m));
    ALLOCATES_NOTHING(x = solve(m, v));
    ALLOCATES_NOTHING(y(slice(0, 2)) = m(slice(1, none)) * 2);
    ALLOCATES_NOTHING(y(slice(), 1) += v);
    ALLOCATES_NOTHING(y(0) = 7);
    ALLOCATES_NOTHING(y.transpose() = m - n);
    ALLOCATES_NOTHING(view<double, 1>(plain.data(), {3}) = v * 2);
    ALLOCATES_NOTHING(as_view(plain) += v);
    ALLOCATES_NOTHING(number = sum(v * v));
    ALLOCATES_NOTHING(number = norm(m));
    ALLOCATES_NOTHING(same = m == n);
    ALLOCATES_NOTHING(same = allclose(m, n));
#undef ALLOCATES_NOTHING
    CHECK_FALSE(same);
    CHECK(number > 10);
    const auto f = function<cpu>([](vector<double> p, scalar<double> s) { return p * s; });
    CHECK(allocations([&] { f.call_into(x, v * 2 + 1, sum(v)); }) == 1);  // the array of the argument
}
