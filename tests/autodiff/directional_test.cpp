// SPDX-License-Identifier: MIT
#include <cmath>

#include <doctest/doctest.h>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <template <class, int> class Array> struct layer {
    Array<double, 2> weight;
    Array<double, 1> bias;
};

template <class F> void on_both(F&& f) {
    f.template operator()<cpu>();
    f.template operator()<reference>();
}

const array<double, 2> x{{1, 2}, {0.5, -1}, {-2, 0.25}};
const array<double, 1> w{0.3, -0.7};

}  // namespace

TEST_CASE("products with the Jacobian from both sides agree with the Jacobian") {
    on_both([]<class Device>() {
        const auto f = function<Device>([](matrix<double> a, vector<double, 2> b, vector<double> v, vector<double> u) {
            const auto y = tanh(dot(a, b)) * sum(b);
            const auto j = jacobian(y, b);
            return outputs(jvp(y, b, v) - dot(j, v), vjp(y, b, u) - dot(u, j), j, jvp(y, a, a), vjp(y, a, u));
        });
        const array<double, 1> v{0.5, -2}, u{1, 2, 3};
        const auto [right, left, j, along, back] = f(x, w, v, u);
        double sum_of_w = w(0) + w(1);
        for (int i = 0; i < 3; ++i) {
            const double z = x(i, 0) * w(0) + x(i, 1) * w(1), t = std::tanh(z), slope = 1 - t * t;
            CHECK(right(i) == doctest::Approx(0).epsilon(1e-12));
            for (int k = 0; k < 2; ++k) {
                CHECK(j(i, k) == doctest::Approx(slope * x(i, k) * sum_of_w + t));
                CHECK(back(i, k) == doctest::Approx(u(i) * slope * w(k) * sum_of_w));
            }
            CHECK(along(i) == doctest::Approx(slope * z * sum_of_w));
        }
        CHECK((std::fabs(left(0)) < 1e-12 && std::fabs(left(1)) < 1e-12));
    });
}

TEST_CASE("Hessians and their products, of numbers, vectors and matrices") {
    const auto f = function<cpu>([](vector<double, 2> b, vector<double> v, scalar<double> s, matrix<double, 1, 2> m) {
        const auto cost = exp(b[0]) * b[1] * b[1] * s * s * s;
        return outputs(hessian(cost, b), hvp(cost, b, v), hessian(cost, s), jacobian(grad(cost, b), s), jacobian(sqr(m), m));
    });
    const auto [h, product, curve, cross, diagonal_of] = f(array<double, 1>{0, 3}, array<double, 1>{1, 2}, 2.0, array<double, 2>{{1, 2}});
    CHECK(h == array<double, 2>{{72, 48}, {48, 16}});
    CHECK(product == array<double, 1>{168, 80});
    CHECK(curve() == 108);
    CHECK(cross == array<double, 1>{108, 72});
    CHECK(diagonal_of == array<double, 4>{{{{2, 0}}, {{0, 4}}}});
}

TEST_CASE("directions in the structure of a model") {
    const auto f = function<cpu>([](matrix<double> a, layer<symbol> l, layer<symbol> v) {
        const auto cost = sum(sqr(dot(a, l.weight) + l.bias));
        const auto slope = grad(cost, l);
        return outputs(jvp(cost, l, v), sum(slope.weight * v.weight) + sum(slope.bias * v.bias), hvp(cost, l, v).bias, jvp(slope.bias, l, v));
    });
    layer<on<cpu>::array> l{array<double, 2>{{1, 2, 0}, {0.5, -1, 2}}, array<double, 1>{1, 0, -1}}, v{array<double, 2>{{1, 0, 1}, {2, -1, 0}}, array<double, 1>{0, 1, 3}};
    const auto [forward, reverse, second, second_forward] = f(x, l, v);
    CHECK(forward() == doctest::Approx(reverse()));
    for (int i = 0; i < 3; ++i) CHECK(second(i) == doctest::Approx(second_forward(i)));
}

namespace {

template <template <class, int> class A> struct line {
    A<double, 2> w;
    A<double, 1> b;
};
template <template <class, int> class A> struct scaled_line {
    line<A> inner;
    A<double, 0> scale;
};

}  // namespace

TEST_CASE_TEMPLATE("Jacobians and Hessians of models have their structure", Device, cpu, reference) {
    const auto f = function<Device>([](vector<double> v, shared<scaled_line<symbol>> m) {
        const auto y = (sqr(dot(v, m.inner.w)) + m.inner.b) * m.scale;
        const auto [of_w, of_b, of_scale] = hessian(sum(y), m);
        const auto all = jacobian(y, m);
        return std::tuple(all, jacobian(sum(y), m), of_w, of_b, of_scale, max(abs(all.inner.w - jacobian(y, m.inner.w))));
    });
    const array<double, 1> one{1, 2};
    scaled_line<on<cpu>::array> m{{{{1, 2, 3}, {4, 5, 6}}, {1, -1, 0.5}}, 2.0};
    const auto [all, slope, of_w, of_b, of_scale, apart] = f(one, m);
    CHECK(all.inner.w.extents() == extents_of<3>{3, 2, 3});
    CHECK(apart() == 0);
    const double u[] = {9, 12, 15};
    for (int j = 0; j < 3; ++j) {
        CHECK(all.scale(j) == u[j] * u[j] + m.inner.b(j));
        for (int k = 0; k < 3; ++k) CHECK(all.inner.b(j, k) == (j == k ? 2 : 0));
        for (int i = 0; i < 2; ++i)
            for (int k = 0; k < 3; ++k) CHECK(all.inner.w(j, i, k) == (j == k ? 4 * u[j] * one(i) : 0));
    }
    CHECK(slope.inner.b == array<double, 1>{2, 2, 2});
    CHECK(of_w.inner.w.extents() == extents_of<4>{2, 3, 2, 3});
    CHECK((of_w.inner.w(1, 2, 0, 2) == 4 * one(1) * one(0) && of_w.inner.w(1, 2, 0, 1) == 0 && of_w.inner.b(1, 2, 2) == 0));
    CHECK((of_w.scale(1, 2) == 2 * u[2] * one(1) && of_scale.inner.w(1, 2) == of_w.scale(1, 2)));
    CHECK((of_scale.scale() == 0 && of_b.scale == array<double, 1>{1, 1, 1}));
}

TEST_CASE("for several arrays at once") {
    const auto f = function<cpu>([](matrix<double> a, vector<double> b, vector<double> v, vector<double> u) {
        const auto y = tanh(dot(a, b));
        const auto cost = sum(y * exp(y));
        const auto [of_a, of_b] = jacobian(y, a, b);
        const auto [pulled_a, pulled_b] = vjp(y, std::tuple(a, b), u);
        const auto [rows, columns] = hessian(cost, b, a);
        const auto [product_a, product_b] = hvp(cost, std::tuple(a, b), std::tuple(a, v));
        const auto [alone] = vjp(y, std::tuple(b), u);
        return outputs(sum(abs(of_a - jacobian(y, a))) + sum(abs(of_b - jacobian(y, b))), sum(abs(pulled_a - vjp(y, a, u))) + sum(abs(pulled_b - vjp(y, b, u))) + sum(abs(alone - pulled_b)),
                       sum(abs(jvp(y, std::tuple(a, b), std::tuple(a, v)) - jvp(y, a, a) - jvp(y, b, v))),
                       sum(abs(product_b - dot(std::get<0>(rows), v) - tensordot<2>(std::get<1>(rows), a))),
                       sum(abs(product_a - tensordot<1>(std::get<0>(columns), v) - tensordot<2>(std::get<1>(columns), a))));
    });
    const auto [jacobians, pulls, pushes, of_b, of_a] = f(x, w, array<double, 1>{0.5, -2}, array<double, 1>{1, 2, 3});
    CHECK((jacobians() < 1e-12 && pulls() < 1e-12 && pushes() < 1e-12 && of_b() < 1e-12 && of_a() < 1e-12));
}

TEST_CASE("forward through what is picked, sorted, cumulated and joined") {
    const auto f = function<cpu>([](vector<double, 3> b, vector<double> u) {
        const auto y = concatenate<0>(sort(b), cumsum(b * b), b(slice(none, none, -1)), softmax<0>(b), stack<0>(max(b), prod(b)));
        return outputs(jacobian(y, b), vjp(y, b, u), dot(u, jacobian(y, b)));
    });
    const auto [j, back, product] = f(array<double, 1>{2, -1, 0.5}, array<double, 1>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
    CHECK(j.extents() == extents_of<2>{14, 3});
    for (int i = 0; i < 3; ++i) CHECK(back(i) == doctest::Approx(product(i)));
}

TEST_CASE("the value and the derivative") {
    const auto f = function<cpu>([](vector<double> b) {
        const auto [cost, slope] = value_and_grad(sum(sqr(b)), b);
        return outputs(cost, slope);
    });
    const auto [cost, slope] = f(w);
    CHECK(cost() == doctest::Approx(0.58));
    CHECK(slope == array<double, 1>{0.6, -1.4});
}

TEST_CASE("of an argument without elements") {
    const auto f = function<cpu>([](vector<double> b, vector<double> v) { return outputs(jvp(exp(b), b, v), hvp(sum(exp(b)), b, v)); });
    const auto [forward, second] = f(array<double, 1>(extents_of<1>{0}), array<double, 1>(extents_of<1>{0}));
    CHECK((forward.size() == 0 && second.size() == 0));
}

TEST_CASE("as many elements as the call has, forward and backward") {
    on_both([]<class Device>() {
        const auto f = function<Device>([](matrix<double> a, vector<double> v, matrix<double> s) {
            const auto cost = sum(logaddexp(0, dot(a, v)));
            return outputs(hessian(cost, v), jacobian(tanh(dot(a, v)), v), jacobian(dot(a, v), a), jacobian(sum<1>(sqr(s)), s), jacobian(cost, v) - grad(cost, v));
        });
        const auto [h, j, of_a, of_s, nothing] = f(x, w, array<double, 2>{{1, 2, 3}, {4, 5, 6}});
        CHECK(nothing == array<double, 1>{0, 0});
        for (int k = 0; k < 2; ++k)
            for (int l = 0; l < 2; ++l) {
                double sum = 0;
                for (int i = 0; i < 3; ++i) {
                    const double z = x(i, 0) * w(0) + x(i, 1) * w(1), p = 1 / (1 + std::exp(-z));
                    sum += x(i, k) * x(i, l) * p * (1 - p);
                }
                CHECK(h(k, l) == doctest::Approx(sum));
            }
        for (int i = 0; i < 3; ++i) {
            const double t = std::tanh(x(i, 0) * w(0) + x(i, 1) * w(1));
            for (int k = 0; k < 2; ++k) {
                CHECK(j(i, k) == doctest::Approx((1 - t * t) * x(i, k)));
                for (int l = 0; l < 3; ++l) CHECK(of_a(i, l, k) == (i == l ? w(k) : 0));
            }
        }
        for (int i = 0; i < 2; ++i)
            for (int k = 0; k < 2; ++k)
                for (int l = 0; l < 3; ++l) CHECK(of_s(i, k, l) == (i == k ? 2 * (3 * i + l + 1) : 0));
        const auto [no_h, empty, no_a, no_s, nothing_of_none] = f(array<double, 2>(extents_of<2>{3, 0}), array<double, 1>(extents_of<1>{0}), array<double, 2>(extents_of<2>{0, 2}));
        CHECK((no_h.size() == 0 && empty.extents() == extents_of<2>{3, 0} && no_a.size() == 0 && no_s.extents() == extents_of<3>{0, 0, 2} && nothing_of_none.size() == 0));
    });
}

TEST_CASE("derivatives of what is the same everywhere are 0") {
    const auto f = function<cpu>([](vector<double> v, vector<double> u) {
        return outputs(hessian(dot(v, u), v), hvp(sum(3 * v), v, u), jvp(grad(sum(v), v), v, u), jacobian(grad(dot(v, u), v), u));
    });
    const auto [h, product, along, cross] = f(w, array<double, 1>{1, 2});
    CHECK((h == array<double, 2>{{0, 0}, {0, 0}} && product == array<double, 1>{0, 0} && along == product));
    CHECK(cross == array<double, 2>{{1, 0}, {0, 1}});
}
