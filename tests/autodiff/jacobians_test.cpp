// SPDX-License-Identifier: MIT
// The jacobian of a vector for several models and arrays at once: each is what it is alone.
#include <doctest/doctest.h>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <template <class, int> class A> struct layer {
    A<double, 2> w;
    A<double, 1> b;
};

constexpr auto gated(const auto& x, const auto& n, const auto& m) { return tanh(dot(n.w, x) + n.b) * (dot(m.w, x) + m.b); }

}  // namespace

TEST_CASE("two models and an array") {
    const auto together = function<cpu>([](vector<double> x, layer<symbol> n, layer<symbol> m) {
        auto [of_n, of_x, of_m] = jacobian(gated(x, n, m), n, x, m);
        return outputs(of_n.w, of_n.b, of_x, of_m.w, of_m.b);
    });
    const auto alone = function<cpu>([](vector<double> x, layer<symbol> n, layer<symbol> m) {
        auto y = gated(x, n, m);
        auto of_n = jacobian(y, n), of_m = jacobian(y, m);
        return outputs(of_n.w, of_n.b, jacobian(y, x), of_m.w, of_m.b);
    });
    const layer<on<cpu>::array> n{{{1, 2}, {0.5, -1}}, {0.1, 0.2}}, m{{{2, 0}, {1, 1}}, {-1, 1}};
    const array<double, 1> x{0.3, -0.2};
    const auto [nw, nb, of_x, mw, mb] = together(x, n, m);
    const auto [anw, anb, a_of_x, amw, amb] = alone(x, n, m);
    CHECK(allclose(nw, anw));
    CHECK(allclose(nb, anb));
    CHECK(allclose(of_x, a_of_x));
    CHECK(allclose(mw, amw));
    CHECK(allclose(mb, amb));
    // By JAX.
    CHECK(allclose(nb, array<double, 2>{{-0.4, 0}, {0, 0.82442747}}));
    CHECK(allclose(of_x, array<double, 2>{{-0.4, -0.8}, {0.91273395, -0.32390726}}));
}

TEST_CASE("for a tuple: a tuple") {
    const auto f = function<cpu>([](vector<double> a, vector<double> b) {
        const auto y = a * sqr(b);
        const auto [of_a, of_b] = jacobian(y, std::tuple(a, b));
        const auto [alone] = jacobian(y, std::tuple(a));
        const auto [rows_of_a, rows_of_b] = hessian(sum(y), std::tuple(a, b));
        const auto [aa, ab] = hessian(sum(y), a, b);
        return outputs(of_a, of_b, alone, std::get<1>(rows_of_a), std::get<1>(rows_of_b), std::get<1>(aa) - std::get<1>(rows_of_a), std::get<0>(ab) - std::get<0>(rows_of_b));
    });
    const auto [of_a, of_b, alone, ab, bb, first, second] = f(array<double, 1>{1, 2}, array<double, 1>{3, 5});
    CHECK(of_a == array<double, 2>{{9, 0}, {0, 25}});
    CHECK(of_b == array<double, 2>{{6, 0}, {0, 20}});
    CHECK(alone == of_a);
    CHECK(ab == array<double, 2>{{6, 0}, {0, 10}});
    CHECK(bb == array<double, 2>{{2, 0}, {0, 4}});
    CHECK(count_nonzero(first) == 0);
    CHECK(count_nonzero(second) == 0);
}
