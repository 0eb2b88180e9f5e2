// SPDX-License-Identifier: MIT
// Models of arrays where they stand.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <sstream>

#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct layer {
    A<float, 2> weight;
    A<double, 1> bias;
};
template <template <class, int> class A> struct net {
    std::array<layer<A>, 2> layers;
    A<float, 0> scale;
};
using small_net = net<on<cpu>::array>;

static small_net made(float x) {
    return {{{{array<float, 2>{{x, 2}, {3, 4}}, array<double, 1>{1, 2}}, {array<float, 2>(0, 3), array<double, 1>{x}}}}, array<float, 0>(2)};
}

TEST_CASE("sums, differences and multiples of models") {
    small_net a = made(1);
    const small_net b = made(5), sum = a + b, scaled = 0.5 * b * 4, less = b - a / 2.0f;
    CHECK(sum.layers[0].weight == array<float, 2>{{6, 4}, {6, 8}});
    CHECK(sum.layers[1].bias == array<double, 1>{6});
    CHECK(sum.layers[1].weight.extents() == extents_of<2>{0, 3});
    CHECK(scaled.layers[0].bias == array<double, 1>{2, 4});
    CHECK(scaled.scale() == 4);
    CHECK(less.layers[0].weight == array<float, 2>{{4.5f, 1}, {1.5f, 2}});
    CHECK((-a).layers[0].weight == array<float, 2>{{-1, -2}, {-3, -4}});
    a += a;
    a -= 0.5 * b;
    a *= 3;
    a /= 2.0;
    CHECK(a.layers[0].weight == array<float, 2>{{-0.75f, 4.5f}, {6.75f, 9}});
    CHECK(a.layers[0].bias == array<double, 1>{2.25, 4.5});
    CHECK(a.scale() == 4.5f);
    small_net other = made(1);
    other.layers[1].bias = array<double, 1>(3);
    CHECK_THROWS_WITH_AS(a += other, "models: an array of shape [1] does not go with one of shape [3]", shape_error);
    CHECK(a.scale() == 4.5f);
}

TEST_CASE("what a function makes of each array, and the norm of all") {
    const small_net a = made(1), b = made(5);
    const small_net c = tree_map([](const auto& x, const auto& y) { return x + 10 * y; }, a, b);
    CHECK(c.layers[0].weight == array<float, 2>{{51, 22}, {33, 44}});
    CHECK(c.layers[1].bias == array<double, 1>{51});
    CHECK(tree_map([](const auto& x) { return -x; }, a).scale() == -2);
    CHECK(global_norm(a) == doctest::Approx(std::sqrt(40.0)));
    CHECK(global_norm(clip_by_global_norm(a, 2)) == doctest::Approx(2));
    CHECK(clip_by_global_norm(a, 100).layers[0].weight == a.layers[0].weight);
    CHECK(global_norm(clip_by_global_norm(zeros_like(a), 1)) == 0);
}

TEST_CASE("a step of gradients that a function gives") {
    auto slope = function<cpu>([](net<symbol> n, vector<float> x) {
        auto y = dot(n.layers[0].weight, x) * n.scale;
        return grad(sum(sqr(y)) + cast<float>(sum(n.layers[0].bias) + sum(n.layers[1].bias)) + sum(n.layers[1].weight), n);
    });
    small_net a = made(1);
    const small_net g = slope(a, array<float, 1>{1, 0});
    a -= 0.125 * g;
    CHECK(a.layers[0].weight == array<float, 2>{{0, 2}, {0, 4}});
    CHECK(a.layers[0].bias == array<double, 1>{0.875, 1.875});
}

TEST_CASE("an expression is saved by its values") {
    const array<double, 1> x{1, 2};
    save_npy("lazy_tree_test.npy", 2 * x);
    CHECK(load_npy<array<double, 1>>("lazy_tree_test.npy") == array<double, 1>{2, 4});
    std::remove("lazy_tree_test.npy");
}

TEST_CASE("equal models, and close ones") {
    const small_net a = made(1);
    small_net b = a;
    CHECK((a == b));
    CHECK(allclose(a, b));
    b.layers[1].bias(0) += 1e-7;
    CHECK((a != b));
    CHECK(allclose(a, b));
    CHECK(!allclose(a, b, 0, 1e-9));
    b.layers[1].bias = array<double, 1>(2);
    CHECK((a != b));
    CHECK_THROWS_AS((void)allclose(a, b), shape_error);
    auto state = adam_state<small_net>::zeros_like(a), later = state;
    CHECK((state == later));
    later.steps = 1;
    CHECK(!(state == later));
    CHECK(!allclose(state, later));
}

TEST_CASE("a model is printed by its arrays") {
    std::ostringstream out;
    out << made(1);
    CHECK(out.str() == "layers[0].weight = [[1. 2.]\n                    [3. 4.]]\nlayers[0].bias = [1. 2.]\nlayers[1].weight = []\nlayers[1].bias = [1.]\nscale = 2.0");
}
