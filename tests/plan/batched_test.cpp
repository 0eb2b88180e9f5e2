// SPDX-License-Identifier: MIT
// Products of batches: one step each, with all that a product of matrices takes up.
#include <doctest/doctest.h>

#include "plan/steps.hpp"

using namespace croton;
using plan_tests::steps;

namespace {

using B = tensor<float, dim("batch"), dynamic, dynamic>;

template <class F> const detail::step& only_product(F f) {
    static_assert(plan_tests::products(F{}) == 1);
    for (const detail::step& s : plan_tests::plan_for(f).steps)
        if (s.what == detail::step_kind::product) return s;
    return *plan_tests::plan_for(f).steps.begin();
}

constexpr auto plain = [](B a, B b) { return matmul(a, b); };
constexpr auto scaled = [](B a, B b, B c) { return 2 * matmul(transpose<0, 2, 1>(a), b) + 3 * c; };
constexpr auto update_of_batch = [](B x, shared<B> w, B y) {
    auto cost = 0.5f * sum(sqr(matmul(x, w) - y));
    return outputs().updates(w -= 0.1f * grad(cost, w));
};
constexpr auto update_of_matrix = [](B x, shared<matrix<float>> w, B y) {
    auto cost = 0.5f * sum(sqr(matmul(x, w) - y)) + 0.5f * sum(sqr(w));
    return outputs().updates(w -= 0.1f * grad(cost, w));
};
constexpr auto accumulated = [](B a, B b, shared<B> c) { return outputs().updates(c += matmul(a, b)); };

}  // namespace

TEST_CASE("one step for all matrices") {
    CHECK(steps(plain) == "product -> out0");
    CHECK(only_product(plain).batch == 1);
    CHECK(explain(function<cpu>(plain)).find("sgemm_batched  output 1 = arg1 arg2\n              [batch, n1, n2] x [batch, n2, n3]") != std::string::npos);
}

TEST_CASE("scales, an addend and a transposition are part of it") {
    CHECK(steps(scaled) == "product alpha 2 beta 3 +copy -> out0");
    CHECK(explain(function<cpu>(scaled)).find("output 1 = 2 arg1^T arg2 + 3 arg3") != std::string::npos);
}

TEST_CASE("an update is in place") {
    CHECK(steps(accumulated) == "product beta 1 -> arg2");
    CHECK(steps(update_of_batch) == "product beta -1 +copy -> tmp0; product alpha -0.1 beta 1 -> arg1");
    CHECK(explain(function<cpu>(update_of_batch)).find("sgemm_batched  arg2 <- arg2 - 0.1 arg1^T t1") != std::string::npos);
    // Summed over the batch, the gradient is one product over all rows.
    CHECK(steps(update_of_matrix) == "product beta -1 +copy -> tmp0; product alpha -0.1 beta 0.9 -> arg1");
    CHECK(plan_tests::plan_for(update_of_matrix).steps[0].batch == 1);
    CHECK(plan_tests::plan_for(update_of_matrix).steps[1].batch == 0);
}

TEST_CASE("in numbers, as the plain loops have them") {
    const auto filled = [](extents_of<3> e, float seed) {
        array<float, 3> a(e);
        for (float& v : a) v = std::sin(seed += 1.7f);
        return a;
    };
    const auto compare = [&](auto f, extents_of<3> wanted, auto first) {
        auto fast = function<cpu>(f);
        auto slow = function<reference>(f);
        auto w = first, w2 = first;
        const auto x = filled({3, 4, 5}, 1), y = filled(wanted, 2);
        for (int i = 0; i < 3; ++i) {
            fast(x, w, y);
            slow(x, w2, y);
        }
        auto it = w2.begin();
        for (const float v : w) CHECK(v == doctest::Approx(*it++).epsilon(1e-5));
    };
    compare(update_of_batch, {3, 4, 2}, filled({3, 5, 2}, 3));
    array<float, 2> w(5, 2);
    w(1, 1) = 0.5f;
    compare(update_of_matrix, {3, 4, 2}, w);
    const auto a = filled({2, 5, 3}, 4), b = filled({2, 5, 4}, 5), c = filled({2, 3, 4}, 6);
    const auto got = function<cpu>(scaled)(a, b, c), want = function<reference>(scaled)(a, b, c);
    for (std::int64_t i = 0; i < want.size(); ++i) CHECK(got.data()[i] == doctest::Approx(want.data()[i]).epsilon(1e-5));
}

TEST_CASE("an addend that is copied first, along two axes of the batch") {
    constexpr auto sum = [](tensor<double, dynamic, dynamic, dynamic, dynamic> a, tensor<double, dynamic, dynamic, dynamic> b,
                            tensor<double, dynamic, dynamic, dynamic, dynamic> c) { return matmul(a, b) - transpose<1, 0, 2, 3>(c); };
    CHECK(steps(sum) == "product beta -1 +copy -> out0");
    array<double, 4> a(2, 3, 4, 1), c(3, 2, 4, 5);
    array<double, 3> b(3, 1, 5);
    double at = 0;
    for (double& x : a) x = ++at;
    for (double& x : b) x = ++at;
    for (double& x : c) x = ++at;
    const auto got = function<cpu>(sum)(a, b, c);
    for (std::int64_t p = 0; p < 2; ++p)
        for (std::int64_t q = 0; q < 3; ++q)
            for (std::int64_t i = 0; i < 4; ++i)
                for (std::int64_t j = 0; j < 5; ++j) CHECK(got(p, q, i, j) == a(p, q, i, 0) * b(q, 0, j) - c(q, p, i, j));
}

TEST_CASE("the profile counts the operations of every matrix") {
    auto f = function<cpu>("f", [](B a, matrix<float> b) { return matmul(a, b); });
    array<float, 3> a(7, 3, 5);
    array<float, 2> b(5, 2);
    profile scope("batched");
    f(a, b);
    const auto data = scope.data();
    const auto& step = data.functions.front().steps.front();
    CHECK(step.operations == 2 * 7 * 3 * 5 * 2);
    CHECK(step.bytes == 4 * (7 * 3 * 5 + 5 * 2 + 7 * 3 * 2));
    CHECK(step.kind == "gemm");
    CHECK(step.shape == "7 x 3 x 5 x 2");
}
