// SPDX-License-Identifier: MIT
// A structure is one struct: two that no header of croton knows work from the sentence about wrong extents to the run.
#include <croton/croton.hpp>

#include <doctest/doctest.h>

using namespace croton;

namespace {

// Rows and columns of a square matrix exchanged.
struct swapped {
    static constexpr std::string_view name = "swapped";
    static constexpr detail::placement place = detail::placement::alias;

    template <class C> static constexpr void pull(C& c, int id) { c.add(c.g[id].in[0], of(c.g, c.full(c.of[id], id))); }
    static constexpr int of(detail::arena& g, int a) {
        if (!g.unify(g[a].shape[0], g[a].shape[1], detail::tie::declaration) && !g.failed()) {
            g.error << "swapped: ";
            g.describe(g.error, a);
            g.error << " is not square";
        }
        return g.intern(g.like(g.own_structure(detail::structure_facts_of<swapped>), a));
    }
    static constexpr int again(detail::arena& g, const detail::node& n) { return of(g, n.in[0]); }
    static constexpr int source(const detail::node&, int, int axis) { return 1 - axis; }
};

// x + x^T, which is planned as what it stands for.
struct symmetric {
    static constexpr std::string_view name = "symmetric";
    static constexpr detail::placement place = detail::placement::expands;
    static constexpr std::string_view no_derivative = "write x + transpose(x)";

    static constexpr int of(detail::arena& g, int a) {
        return g.intern(g.like(g.own_structure(detail::structure_facts_of<symmetric>), a));
    }
    static constexpr int again(detail::arena& g, const detail::node& n) { return of(g, n.in[0]); }
    static constexpr int expand(detail::arena& g, const detail::node& n) {
        return g.apply(detail::code<op::add>, n.in[0], detail::structure::transposed(g, n.in[0]));
    }
};

template <class S, class X> constexpr expr<float, 2> made(const X& x) { return {x.graph, S::of(*x.graph, x.id)}; }

constexpr auto slopes = [](matrix<float> x, matrix<float> y) {
    auto s = made<swapped>(exp(x)) * y;
    return outputs(s, dot(made<swapped>(x), y), made<symmetric>(x), grad(sum(sqr(s)), x));
};

template <class F> std::string sentence_of() {
    static constexpr auto program = detail::make_program<F, true, 64>();
    return std::string(program.error.begin(), program.error.end());
}

template <class Device> void check_run() {
    const auto f = function<Device>(slopes);
    const array<float, 2> x{{0, 1}, {2, -1}}, y{{1, 2}, {3, 4}};
    const auto [s, product, symmetric_x, slope] = f(x, y);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            CHECK(s(i, j) == doctest::Approx(std::exp(x(j, i)) * y(i, j)));
            CHECK(product(i, j) == x(0, i) * y(0, j) + x(1, i) * y(1, j));
            CHECK(symmetric_x(i, j) == x(i, j) + x(j, i));
            CHECK(slope(i, j) == doctest::Approx(2 * std::exp(2 * x(i, j)) * y(j, i) * y(j, i)));
        }
}

}  // namespace

TEST_CASE("a structure of one's own runs") {
    check_run<cpu>();
    check_run<reference>();
}

TEST_CASE("it is no step of its own, and explained by its name") {
    const std::string text = explain(function<cpu>(slopes));
    CHECK(text.find("swapped(exp(arg1)) * arg2") != std::string::npos);
    CHECK(text.find("symmetric(arg1)") != std::string::npos);
    CHECK(text.find("sgemm") != std::string::npos);
    CHECK(text.find("plan: 2 steps") != std::string::npos);
}

TEST_CASE("its sentences are those of the function") {
    constexpr auto wide = [](matrix<float, 2, 3> x) { return made<swapped>(x); };
    CHECK(sentence_of<std::remove_const_t<decltype(wide)>>() == "swapped: argument 1 is not square");
    constexpr auto nothing = [](matrix<float> x) { return grad(sum(sqr(made<symmetric>(x))), x); };
    CHECK(sentence_of<std::remove_const_t<decltype(nothing)>>() == "grad: symmetric has no derivative; write x + transpose(x)");
}
