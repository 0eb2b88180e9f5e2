// SPDX-License-Identifier: MIT
// Derivatives of parts, joins, picked elements and what runs along an axis as PyTorch has them.
#include "golden/packed.hpp"

using namespace croton;

namespace {

const array<int, 1> rows{4, 0, -1, 2, 0, 4, -5};
const array<int, 1> columns{0, -1, 2, 1, 1, -3, 0};

/// The gradient of a value, weighted by what differs from element to element.
template <class Y, class X> constexpr auto slope(const Y& y, const X& x) {
    const auto flat = flatten(y);
    return grad(sum(flat * cumsum<0>(ones_like(flat))), x);
}

template <class Device> void check_slopes() {
    const auto f = function<Device>([](matrix<double> x, vector<int> r, vector<int> c, matrix<int> each, matrix<double> v) {
        return outputs(slope(take<0>(x, r), x), slope(x(r, c), x), slope(sqr(take<1>(x, c)), x), slope(take_along_axis<0>(x, each), x), slope(sqr(add_at<0>(x, r, v)), x));
    });
    golden::packed want("slopes");
    const auto x = want.take<double, 2>(), v = want.take<double, 2>();
    want.check(f(x, rows, columns, array<int, 2>{{0, -1, 2}, {4, 4, -5}}, v));
    const auto along = function<Device>([](matrix<double> t) {
        return outputs(slope(cumsum<0>(t), t), slope(cumprod<0>(t), t), slope(cumprod<1>(t), t), slope(logcumsumexp<0>(t), t), slope(sort<1>(t), t), slope(sqr(sort<0>(t)), t));
    });
    want.check(along(x), 8);
    const auto parts = function<Device>([](matrix<double> t) {
        return outputs(slope(pad(t, {{3, 0}, {2, 1}}, pad_mode::reflect), t), slope(pad(t, {{2, 2}, {1, 2}}, pad_mode::edge), t), slope(roll<0>(t, 2) * t, t), slope(t(slice(1, none, 2)), t),
                       slope(sqr(flip<0>(t)(slice(none, none, 2))), t), slope(sqr(diff<0>(t)), t), slope(tril<-1>(t) + triu<1>(t), t), slope(kron(t, t), t));
    });
    want.check(parts(x), 8);
    want.done();
}

}  // namespace

TEST_CASE("slopes") {
    check_slopes<cpu>();
}
