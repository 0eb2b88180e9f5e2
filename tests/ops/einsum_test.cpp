// SPDX-License-Identifier: MIT
#include <string>

#include <doctest/doctest.h>

#include <croton/croton.hpp>

using namespace croton;

namespace {

using four = tensor<float, dynamic, dynamic, dynamic, dynamic>;

int occurrences(const std::string& text, const std::string& word) {
    int count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
    return count;
}

array<double, 2> counted(std::int64_t rows, std::int64_t columns) {
    array<double, 2> x(rows, columns);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<double>(i % 5) - 1.5;
    return x;
}

}  // namespace

TEST_CASE("derivatives of contractions") {
    const array<double, 2> a = counted(2, 3), b = counted(3, 4), c = counted(3, 3);
    verify_grad([](matrix<double> x, matrix<double> y) { return outputs(einsum<"ij,jk->ki">(x, y), einsum<"ij,jk,il->l">(x, y, sqr(x))); }, a, b);
    verify_grad([](matrix<double> x, matrix<double> y) { return outputs(einsum<"ii,ij->j">(x, y), matrix_power<3>(x), multi_dot(x, y, transpose(y), x(0))); }, c, b);
    verify_grad([](matrix<double> x, matrix<double> y) { return grad(sum(sqr(tensordot<1>(x, y))), x); }, a, b);
}

TEST_CASE("integers, halves and views") {
    const auto f = function<cpu>([](matrix<int> a, matrix<half> h) { return outputs(einsum<"ij,kj->ik">(a, a), einsum<"ii">(einsum<"ij,kj->ik">(a, a)), einsum<"ij,ij->j">(h, h), matrix_power<0>(cast<int>(dot(h, transpose(h))))); });
    const auto [product, trace_of, squares, unit] = f(array<int, 2>{{1, 2}, {3, 4}}, array<half, 2>{{half(1.0f), half(2.0f)}, {half(3.0f), half(4.0f)}});
    CHECK(product == array<int, 2>{{5, 11}, {11, 25}});
    CHECK(trace_of() == 30);
    CHECK(squares == array<float, 1>{10, 20});
    CHECK(unit == array<int, 2>{{1, 0}, {0, 1}});
    const auto g = function<cpu>([](matrix<double> a, matrix<double> b) { return einsum<"ij,jk->ik">(a, b); });
    const array<double, 2> a = counted(3, 2), b = counted(4, 3);
    CHECK(g(a.transpose(), b.transpose()) == g(array<double, 2>(a.transpose()), array<double, 2>(b.transpose())));
}

TEST_CASE("extents that do not fit, and such that are repeated") {
    const auto f = function<cpu>([](matrix<double> a, matrix<double> b) { return einsum<"ij,jk->ik">(a, b); });
    CHECK_THROWS_AS((void)f(counted(2, 3), counted(2, 3)), shape_error);
    const auto g = function<cpu>([](matrix<double> a) { return einsum<"ii">(a); });
    CHECK_THROWS_AS((void)g(counted(2, 3)), shape_error);
    const auto h = function<cpu>([](matrix<double, 1, dynamic> a, matrix<double> b) { return einsum<"ij,ij->i">(a, b); });
    CHECK(h(array<double, 2>{{1, 2}}, array<double, 2>{{1, 2}, {3, 4}, {5, 6}}) == array<double, 1>{5, 11, 17});
}

TEST_CASE("more operands than the orders of which are compared") {
    const auto f = function<cpu>([](matrix<double> x) { return outputs(multi_dot(x, x, x, x, x, x, x, x, x, x), matrix_power<10>(x), matrix_power<-3>(x)); });
    const auto [chain, power, back] = f(array<double, 2>{{1, 1}, {1, 0}});
    CHECK(chain == array<double, 2>{{89, 55}, {55, 34}});
    CHECK(power == chain);
    CHECK(back == array<double, 2>{{-1, 2}, {2, -3}});
    CHECK_THROWS_AS((void)f(array<double, 2>{{1, 1}, {1, 1}}), value_error);
}

TEST_CASE("the order is the cheapest that the declarations show") {
    const auto f = function<cpu>([](matrix<float, 1000, 2> a, matrix<float, 2, 1000> b, vector<float, 1000> v) { return multi_dot(a, b, v); });
    CHECK(explain(f).find("sgemm ") == std::string::npos);
    const auto g = function<cpu>([](matrix<float, 3, 1000> a, matrix<float, 1000, 1000> b, matrix<float, 1000, 4> c) { return outputs(einsum<"ij,jk,kl->il">(a, b, c), einsum<"jk,ij,kl->il">(b, a, c)); });
    CHECK(occurrences(explain(g), "[3, 1000] x [1000, 1000]") == 1);
}

TEST_CASE("heads of attention are products of their batches where they lie") {
    const auto scores = function<cpu>([](four q, four k) { return einsum<"bihd,bjhd->bhij">(q, k); });
    const std::string plan = explain(scores);
    CHECK(plan.find("plan: 1 step") != std::string::npos);
    CHECK(plan.find("sgemm_batched") != std::string::npos);
    const auto rows = function<cpu>([](four x, matrix<float> w) { return einsum<"bthd,de->bthe">(x, w); });
    CHECK(explain(rows).find("plan: 1 step") != std::string::npos);
}
