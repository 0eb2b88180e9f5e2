// SPDX-License-Identifier: MIT
#include <cmath>

#include <doctest/doctest.h>

#include <croton/croton.hpp>

using namespace croton;

namespace {

const array<double, 2> x{{1, -2, 0.5, 3}, {0.25, 4, -1, 2}, {-3, 0.75, 2, -0.5}};
const array<double, 3> m{{{1, 2, -1}, {0.5, -3, 2}}, {{2, 0, 1}, {-1, 1, 4}}, {{0.5, 3, -2}, {1, 0.25, -0.75}}};
const array<int, 2> places{{0, 2, -1}, {3, 1, 1}, {-4, 0, 2}};

/// The largest distance between what f makes of all and of one after the other.
template <class F, class... X> constexpr auto distance(const F& f, const X&... all) {
    return max(abs(vmap(f, all...) - stack<0>(f(all(0)...), f(all(1)...), f(all(2)...))));
}

template <class F, class... A> void is_zero(const F& f, const A&... a) {
    const auto check = [](const auto& each) { CHECK(each() == doctest::Approx(0).epsilon(1e-12)); };
    std::apply([&](const auto&... each) { (check(each), ...); }, f(a...));
}

}  // namespace

TEST_CASE_TEMPLATE("each row alone and all at once", Device, cpu, reference) {
    is_zero(function<Device>([](matrix<double> a, tensor<double, dynamic, dynamic, dynamic> b, vector<double> w) {
                return outputs(distance([&](auto r) { return exp(r) * w + sum(r) - 2; }, a),                             // elementwise, repeated
                               distance([&](auto r) { return softmax<0>(r) + logsumexp<0>(r) * max(r); }, a),            // rows
                               distance([&](auto r, auto s) { return sum<1>(s) * r[0] + s(slice(), 1); }, a, b),         // two arguments
                               distance([&](auto s) { return transpose(s) + mean<0>(s)[2]; }, b),                        // views
                               distance([&](auto s) { return reshape<6>(s)(slice(none, none, -2)); }, b),                // memory, slices
                               distance([&](auto r) { return concatenate<0>(w, r, zeros_like(w), cumsum(r)); }, a),      // pieces
                               distance([&](auto r) { return sort(r) * cast<double>(argsort(r)); }, a),                  // routines
                               distance([&](auto r) { return broadcast_to<4, 4>(r) * newaxis<1>(r); }, a),
                               distance([&](auto r) { return where(r > 0, r, w) + stop_gradient(r); }, a),
                               distance([&](auto r) { return cast<double>(searchsorted(sort(w), r)) + r; }, a));
            }),
            x, m, array<double, 1>{1, -1, 2, 0.5});
}

TEST_CASE("products of each") {
    is_zero(function<cpu>([](matrix<double> a, tensor<double, dynamic, dynamic, dynamic> b, matrix<double> w, vector<double> v, tensor<double, dynamic, dynamic, dynamic> t) {
                return outputs(distance([&](auto r) { return dot(w, r); }, a),             // one matrix, many vectors
                               distance([&](auto s) { return dot(s, v); }, b),             // many matrices, one vector
                               distance([&](auto r, auto s) { return concatenate<0>(dot(r(slice(0, 2)), s), dot(s, r(slice(1, none)))); }, a, b),
                               distance([&](auto s) { return dot(s, transpose(s)); }, b),  // many of both
                               distance([&](auto s) { return dot(transpose(w), s); }, t),
                               distance([&](auto s) { return dot(s, w); }, t),
                               distance([&](auto r) { return dot(r, r); }, a),
                               distance([&](auto s, auto u) { return matmul(stack<0>(s, 2 * s), stack<0>(transpose(u), transpose(s))); }, b, b),
                               distance([&](auto s) { return einsum<"ij,kj->ki">(s, s); }, b));
            }),
            x, m, array<double, 2>{{1, 2, 0, -1}, {0.5, -2, 1, 3}, {0, 1, -1, 2}, {2, 0.25, 1, 1}}, array<double, 1>{1, -1, 2},
            array<double, 3>{{{1, 2, 3, 4}, {0, 1, 0, 2}, {1, 1, -1, 1}, {3, 0, 0.5, 2}}, {{2, 2, 1, 0}, {1, 3, -1, 2}, {0.5, 1, 1, 1}, {2, 0, 1, 4}}, {{1, 0, 0, -2}, {2, 1, 0.25, 1}, {1, -1, 2, 0}, {0, 3, 1, 1}}});
}

TEST_CASE("picked and put for each") {
    is_zero(function<cpu>([](matrix<double> a, matrix<int> i, tensor<double, dynamic, dynamic, dynamic> b, vector<double> w) {
                return outputs(distance([&](auto r, auto at) { return take<0>(r, at); }, a, i),       // tables and indices of each
                               distance([&](auto at) { return take<0>(w, at); }, i),                  // one table
                               distance([&](auto r) { return take<0>(r, cast<int>(w * 2)); }, a),     // one list of indices
                               distance([&](auto s, auto at) { return take<1>(s, abs(at) % 3); }, b, i),
                               distance([&](auto s, auto at) { return take<0>(s, at[0]); }, b, i),
                               distance([&](auto r, auto at) { return take_along_axis<0>(r, at); }, a, i),
                               distance([&](auto r) { return take_along_axis<0>(w, argsort(r)); }, a),
                               distance([&](auto r, auto at) { return add_at<0>(r, at, w(slice(0, 3))); }, a, i),
                               distance([&](auto r, auto at) { return set_at<0>(w, at, r(slice(0, 3))); }, a, i),
                               distance([&](auto s, auto at) { return add_at<1>(s, abs(at) % 3, 2 * s); }, b, i));
            }),
            x, places, m, array<double, 1>{1, 0, 1.5, 0.5});
}

TEST_CASE_TEMPLATE("derivatives within and outside", Device, cpu, reference) {
    is_zero(function<Device>([](matrix<double> a, tensor<double, dynamic, dynamic, dynamic> b, vector<double, 4> w) {
                const auto loss = [&](auto r) { return sum(tanh(r * w)) * sqr(sum(r)); };
                const auto slope = [&](auto r) { return grad(loss(r), r); };
                const auto of_w = [&](auto r) { return grad(loss(r), w); };
                const auto rows = stack<0>(loss(a(0)), loss(a(1)), loss(a(2)));
                const auto nested = vmap([&](auto s) { return vmap([&](auto r) { return sum(r) * s; }, s); }, b);
                return outputs(distance(slope, a), distance(of_w, a),                                            // one gradient for each
                               max(abs(grad(sum(sqr(vmap(loss, a))), w) - grad(sum(sqr(rows)), w))),             // one of all
                               max(abs(grad(sum(vmap(of_w, a)), a) - grad(sum(stack<0>(of_w(a(0)), of_w(a(1)), of_w(a(2)))), a))),
                               max(abs(nested - newaxis<-1>(newaxis<-1>(sum<2>(b))) * newaxis<1>(b))),
                               max(abs(sum<0>(std::get<1>(vmap([&](auto r) { return std::tuple(loss(r), of_w(r)); }, a))) - grad(sum(vmap(loss, a)), w))));
            }),
            x, m, array<double, 1>{0.5, -0.25, 1, 2});
}

TEST_CASE("derivatives that the program gave, of one and of many") {
    is_zero(function<cpu>([](matrix<double> a, tensor<double, dynamic, dynamic, dynamic> b, vector<double> w) {
                const auto doubled = [](const auto& r, const auto& s) {
                    return custom_gradient(r * s, [](auto g, auto, auto left, auto right) { return std::tuple(2 * g * right, g * left + 1); }, r, s);
                };
                const auto one = [&](auto r) { return sum(sqr(doubled(r, w))); };
                const auto rows = stack<0>(one(a(0)), one(a(1)), one(a(2)));
                const auto all = vmap(one, a);
                const auto nested = vmap([&](auto s) { return vmap([&](auto r) { return doubled(r, r); }, s); }, b);
                return outputs(max(abs(grad(sum(sqr(all)), a) - grad(sum(sqr(rows)), a))), max(abs(grad(sum(sqr(all)), w) - grad(sum(sqr(rows)), w))),
                               max(abs(grad(sum(nested), b) - (3 * b + 1))));
            }),
            x, m, array<double, 1>{0.5, -0.25, 1, 2});
}

TEST_CASE("what is the same for each is repeated, and there may be one or none") {
    const auto f = function<cpu>([](matrix<double> a, vector<double> w) {
        const auto twice = vmap([](auto r) { return 2 * r; });
        return outputs(vmap([&](auto) { return w; }, a), twice(a), vmap([](auto r) { return sum(r); }, a));
    });
    const array<double, 1> w{1, 2};
    const auto [same, doubled, sums] = f(x, w);
    CHECK(same == array<double, 2>{{1, 2}, {1, 2}, {1, 2}});
    CHECK(doubled(2, 0) == -6);
    CHECK(sums == array<double, 1>{2.5, 5.25, -0.75});
    const auto [none_same, none_doubled, no_sums] = f(array<double, 2>(extents_of<2>{0, 4}), w);
    CHECK((none_same.extents() == extents_of<2>{0, 2} && none_doubled.size() == 0 && no_sums.size() == 0));
    const auto [one_same, one_doubled, one_sum] = f(array<double, 2>{{1, 2}}, w);
    CHECK((one_same == array<double, 2>{{1, 2}} && one_doubled == array<double, 2>{{2, 4}} && one_sum == array<double, 1>{3}));
}

template <template <class, int> class A> struct small_net {
    std::array<A<double, 2>, 2> weight;
    A<double, 0> gain;
};

TEST_CASE("the gradient of a model for each example is a model") {
    const auto f = function<cpu>([](matrix<double> a, small_net<symbol> n) {
        const auto loss = [&](auto r) { return sum(sqr(n.gain * dot(n.weight[1], tanh(dot(n.weight[0], r))))); };
        const auto each = vmap([&](auto r) { return grad(loss(r), n); }, a);
        const auto [losses, again] = vmap([&](auto r) { return value_and_grad(loss(r), n); }, a);
        const auto twice = vmap([&](auto r) { return vmap([&](auto s) { return grad(loss(s * r), n); }, r); }, a);
        const auto second = grad(loss(a(1)), n), product = grad(loss(a(1, 1) * a(1)), n), all = grad(loss(a(0)) + loss(a(1)) + loss(a(2)), n);
        return outputs(max(abs(each.weight[0](1) - second.weight[0])), max(abs(again.weight[1](1) - second.weight[1])), abs(each.gain(1) - second.gain), abs(losses(1) - loss(a(1))),
                       max(abs(sum<0>(each.weight[0]) - all.weight[0])), abs(sum(again.gain) - all.gain), max(abs(twice.weight[0](1, 1) - product.weight[0])),
                       max(abs(grad(sum(each.gain), n.gain) - grad(sum(all.gain), n.gain))), each, vmap([](auto r) { return split<0>(r, 1, 3); }, a));
    });
    small_net<on<cpu>::array> n{{array<double, 2>{{1, 0.5, -1, 0.25}, {0, 1, 0.5, -0.5}}, array<double, 2>{{1, -1}, {0.5, 2}}}, array<double, 0>(0.5)};
    const array<double, 2> a{{1, 2, 3, -1}, {0.5, -0.25, 1, 2}, {0, 1, -1, 1}};
    const auto given = f(a, n);
    [&]<std::size_t... I>(std::index_sequence<I...>) { CHECK(((std::get<I>(given)() <= 1e-12) && ...)); }(std::make_index_sequence<8>());
    const auto& each = std::get<8>(given);
    CHECK((each.weight[1].extents() == extents_of<3>{3, 2, 2} && each.gain.extents() == extents_of<1>{3}));
    const auto& parts = std::get<9>(given);
    CHECK(std::get<1>(parts) == array<double, 2>(a(slice(), slice(1, none))));
}
