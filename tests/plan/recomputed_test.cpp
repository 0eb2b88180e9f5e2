// SPDX-License-Identifier: MIT
// What loops behind a product compute again from what lies in memory anyway, and what they still read.
#include <doctest/doctest.h>

#include "plan/steps.hpp"

using namespace plan_tests;

namespace {

// The residual `r` is kept until the last loop, and so nothing that a row less its mean is made of: two numbers a row.
constexpr auto norm_of_residual = [](matrix<float> x, matrix<float> w, vector<float> scale) {
    auto r = x + sin(x);
    auto away = r - mean<1>(r, keepdims), y = away * rsqrt(mean<1>(sqr(away), keepdims) + 1e-5f);
    auto z = matmul(y * scale, w);
    return std::tuple(z, r * z, z * y, z + away);
};

// The mean is of what nobody else needs later: it is the row less its mean that is stored, and the other is computed of it.
constexpr auto norm_alone = [](matrix<float> x, matrix<float> w) {
    auto r = x + sin(x);
    auto away = r - mean<1>(r, keepdims), y = away * rsqrt(mean<1>(sqr(away), keepdims) + 1e-5f);
    auto z = matmul(y, w);
    return std::tuple(z * away, z + away * 2);
};

// A product reads `y`, which is stored for it.
constexpr auto stored_anyway = [](matrix<float> x, matrix<float> w) {
    auto r = exp(x), y = r - mean<1>(r, keepdims), z = matmul(y, w);
    return std::tuple(z * y, z + r);
};

// Two arrays of which a third is the sum would be read in its place.
constexpr auto of_two = [](matrix<float> x, matrix<float> y, matrix<float> w) {
    auto a = exp(x), b = sin(y), v = a + b, z = matmul(tanh(v), w);
    return std::tuple(z * v, z * a, z * b);
};

template <class F> void compare(F f) {
    array<float, 2> x(37, 19), w(19, 19);
    random::normal(x, 1);
    random::normal(w, 2);
    const auto near = [](const auto& all, const auto& expected) {
        const auto one = [](const array<float, 2>& a, const array<float, 2>& b) {
            int wrong = 0;
            for (int i = 0; i < 37; ++i)
                for (int j = 0; j < 19; ++j) wrong += a(i, j) == doctest::Approx(b(i, j)).epsilon(1e-4).scale(1) ? 0 : 1;
            CHECK(wrong == 0);
        };
        [&]<std::size_t... I>(std::index_sequence<I...>) { (one(std::get<I>(all), std::get<I>(expected)), ...); }(std::make_index_sequence<std::tuple_size_v<std::decay_t<decltype(all)>>>());
    };
    if constexpr (std::is_invocable_v<F, matrix<float>, matrix<float>, vector<float>>) {
        array<float, 1> scale(19);
        random::normal(scale, 3);
        near(function<cpu>(f)(x, w, scale), function<reference>(f)(x, w, scale));
    } else {
        near(function<cpu>(f)(x, w), function<reference>(f)(x, w));
    }
}

}  // namespace

TEST_CASE("a row less its mean, and that by its spread, are computed again behind a product from the row and two numbers") {
    // tmp0: r; tmp1: y * scale; tmp2 and tmp3: the mean and the factor of each row
    CHECK(steps(norm_of_residual) == "kernel -> tmp0 tmp3 tmp1 tmp2; product -> out0; kernel -> out1 out2 out3");
    compare(norm_of_residual);
}

TEST_CASE("what the array is made of is not kept where nobody else needs it") {
    const std::string text = steps(norm_alone);
    CHECK(text == "kernel -> tmp0 tmp1; product -> tmp2; kernel -> out0 out1");
    compare(norm_alone);
}

TEST_CASE("what a product reads is in memory, and read there") {
    CHECK(steps(stored_anyway) == "kernel -> tmp0 tmp1; product -> tmp2; kernel -> out0 out1");
    compare(stored_anyway);
}

TEST_CASE("one array is read rather than two of which it is made") {
    CHECK(steps(of_two) == "kernel -> tmp0 tmp1 tmp2 tmp3; product -> tmp4; kernel -> out0 out1 out2");
}

TEST_CASE("of what is turned for several products one copy is made") {
    constexpr auto twice = [](tensor<float, 3, 4, 5> x, matrix<float> w, matrix<float> v) {
        auto turned = transpose<1, 0, 2>(exp(x));
        return std::tuple(matmul(reshape<12, 5>(turned), w), matmul(reshape<4, 15>(turned), v));
    };
    CHECK(kernels(twice) == 1);
    const auto& p = plan_for(twice);
    int stored = 0;
    for (const auto& b : p.buffers) stored += b.what == buffer_kind::temporary && b.first >= 0 ? 1 : 0;
    CHECK(stored == 1);
    array<float, 3> x(3, 4, 5);
    array<float, 2> w(5, 6), v(15, 2);
    random::normal(x, 1);
    random::normal(w, 2);
    random::normal(v, 3);
    auto [a, b] = function<cpu>(twice)(x, w, v);
    auto [p1, q1] = function<reference>(twice)(x, w, v);
    for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 6; ++j) CHECK(a(i, j) == doctest::Approx(p1(i, j)).epsilon(1e-5));
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 2; ++j) CHECK(b(i, j) == doctest::Approx(q1(i, j)).epsilon(1e-5));
}
