// SPDX-License-Identifier: MIT
// Loops and their gradients as JAX has them: make_loops.py.
#include "golden/loops.hpp"

using namespace loops;

namespace {

template <class... R, class... A> constexpr auto with_gradients(const std::tuple<R...>& results, const A&... at) { return std::tuple_cat(results, gradients(results, at...)); }

}  // namespace

TEST_CASE("sums and powers") {
    check<2>("cumulative", function<cpu>([](matrix<double> x) { return with_gradients(cumulative(x), x); }));
    check<1, 1>("polynomial", function<cpu>([](vector<double> c, vector<double> x) { return with_gradients(polynomial(c, x), c, x); }));
}

TEST_CASE("recurrent networks over a batch") {
    check<3, 2, 2, 2, 1>("rnn", function<cpu>([](cube x, matrix<double> h, matrix<double> w, matrix<double> u, vector<double> b) {
        return with_gradients(rnn(x, h, w, u, b), x, h, w, u, b);
    }));
    check<3, 2, 2, 2, 2, 1>("lstm", function<cpu>([](cube x, matrix<double> h, matrix<double> c, matrix<double> w, matrix<double> u, vector<double> b) {
        return with_gradients(lstm(x, h, c, w, u, b), x, h, c, w, u, b);
    }));
}

TEST_CASE("from the last element to the first, and loops in loops") {
    check<2, 2, 1>("backwards", function<cpu>([](matrix<double> x, matrix<double> y, vector<double> s) { return with_gradients(backwards(x, y, s), x, y, s); }));
    check<2, 1>("nested", function<cpu>([](matrix<double> x, vector<double> w) { return with_gradients(nested(x, w), x, w); }));
}

TEST_CASE("an equation through its solver, and through the last turns only") {
    check<1, 1>("orbit", function<cpu>([](vector<double, 4> p, vector<double, 2> start) { return with_gradients(orbit(p, start), p, start); }));
    check<3, 2, 2, 2>("truncated", function<cpu>([](cube x, matrix<double> h, matrix<double> w, matrix<double> u) { return with_gradients(truncated(x, h, w, u), x, h, w, u); }));
}

TEST_CASE("the branch that is taken") {
    const auto f = function<cpu>([](vector<double> x, scalar<double> a) { return with_gradients(branch(x, a), x, a); });
    check<1, 0>("cond_first", f);
    check<1, 0>("cond_second", f);
}

TEST_CASE("a loop that a value ends") {
    // JAX has its derivatives forwards; here a loop of at most so many turns has them backwards.
    const auto f = function<cpu>([](scalar<double> a) {
        const auto goes_on = [&](auto s) { return abs(sqr(std::get<0>(s)) - a) > 1e-3; };
        const auto better = [&](auto s) { return std::tuple(0.5 * (std::get<0>(s) + a / std::get<0>(s)), std::get<1>(s) + 1); };
        const auto first = std::tuple(a, std::int64_t{0});
        const auto [root, turns] = while_loop(goes_on, better, first);
        const auto slope = grad(std::get<0>(while_loop(goes_on, better, first, 50)), a);
        return std::tuple(root, turns, slope, grad(slope, a));
    });
    golden::packed file("loops_while");
    for (int i = 0; i < 4; ++i) file.check_near(f(file.take<double, 0>()), 1e-12);
    file.done();
}
