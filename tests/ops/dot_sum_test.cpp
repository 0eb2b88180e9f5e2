// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "support.hpp"

using namespace croton;
using support::layout;
using support::placed;

namespace {

template <class A, class B> bool close(const A& a, const B& b, double tolerance = 1e-5) {
    if (a.extents() != b.extents()) return false;
    for (std::int64_t i = 0; i < a.size(); ++i)
        if (!(std::fabs(static_cast<double>(a.data()[i]) - static_cast<double>(b.data()[i])) <=
              tolerance * (1 + std::fabs(static_cast<double>(b.data()[i])))))
            return false;
    return true;
}

// The forms that one call of BLAS takes in: scales, transposes, an addend that is a matrix, a row or a number.
constexpr auto sums = [](matrix<float> a, matrix<float> b, matrix<float> c, vector<float> v, vector<float> x,
                         scalar<float> s) {
    return std::tuple(dot(a, b) + c, 2 * dot(a, b) - 3 * c, s * dot(a, b) + c / s, dot(a, b) + v,
                      c - dot(a, transpose(transpose(b))), dot(-a, 2 * b), dot(a, b) + dot(a + 1, b), dot(dot(a, b), v),
                      dot(a, x) * s - 0.5f * sum<1>(c), dot(transpose(a), dot(a, x)) + x, dot(c, v) / 2);
};

}  // namespace

TEST_CASE("a product among sums and scales is what the plain loops give") {
    auto f = function<cpu>(sums);
    auto g = function<reference>(sums);
    support::numbers random(41);
    for (const auto& extents : {extents_of<3>{2, 3, 4}, {1, 1, 1}, {17, 33, 16}, {3, 0, 2}, {0, 3, 2}, {5, 2, 0}})
        for (int l = 0; l < static_cast<int>(layout::count); ++l) {
            const auto m = extents[0], k = extents[1], n = extents[2];
            INFO("[" << m << "," << k << "," << n << "] " << support::name_of(static_cast<layout>(l)));
            const auto a = random.fill<float, 2>({m, k}), b = random.fill<float, 2>({k, n}),
                       c = random.fill<float, 2>({m, n});
            const auto v = random.fill<float, 1>({n}), x = random.fill<float, 1>({k});
            const placed<float, 2> pa(a, static_cast<layout>(l)), pb(b, layout::transposed),
                pc(c, static_cast<layout>(l));
            const placed<float, 1> pv(v, static_cast<layout>(l)), px(x, static_cast<layout>(l));
            const auto got = f(pa.get(), pb.get(), pc.get(), pv.get(), px.get(), 0.75f);
            const auto wanted = g(a, b, c, v, x, 0.75f);
            const auto compare = [&](auto index) {
                CHECK_MESSAGE(close(std::get<index()>(got), std::get<index()>(wanted)), "result ", index() + 1);
            };
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                (compare(std::integral_constant<std::size_t, I>()), ...);
            }(std::make_index_sequence<11>());
        }
}

TEST_CASE("an empty inner extent gives zeros") {
    auto f = function<cpu>([](matrix<double> a, matrix<double> b, vector<double> x) {
        return std::tuple(dot(a, b), dot(a, x), dot(x, x), dot(x, b));
    });
    const auto [ab, ax, xx, xb] = f(array<double, 2>(3, 0), array<double, 2>(0, 2), array<double, 1>(0));
    CHECK(ab == array<double, 2>(3, 2));
    CHECK(ax == array<double, 1>(3));
    CHECK(static_cast<double>(xx) == 0);
    CHECK(xb == array<double, 1>(2));
}

TEST_CASE("inner extents that differ are an error of the call") {
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) { return dot(a, b); });
    CHECK_THROWS_AS(f(array<float, 2>(2, 3), array<float, 2>(2, 3)), shape_error);
}
