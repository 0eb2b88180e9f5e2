// SPDX-License-Identifier: MIT
// Numbers and arrays of eight axes as NumPy has them.
#include "golden/packed.hpp"

using namespace croton;

TEST_CASE("numbers") {
    const auto f = function<cpu>([](scalar<double> x, vector<double> v, scalar<int> i) {
        return outputs(stack(x, x), x(none), tile<3>(x), tile<2, 3>(x), concatenate(x(none), v), take<0>(v, i), searchsorted(v, x), x(none, none));
    });
    golden::packed want("number");
    want.check(f(array<double, 0>(3.0), array<double, 1>{1, 2, 3}, array<int, 0>(-1)));
    want.done();
}

TEST_CASE("eight axes, some of them empty") {
    const auto f = function<cpu>([](tensor<double, 1, dynamic, 1, 2, 1, dynamic, 1, 2> x, vector<int> at) {
        return outputs(x(slice(), slice(none, none, -1)), concatenate<1>(x, x), roll<5>(x, 1), flip(x), take<1>(x, at), x(slice(), at), cumsum<5>(x), sort<-1>(x), argsort<3>(x), diff<1>(x),
                       pad(x, 1), tril(x), rot90<1, 1, 5>(x), diagonal(x), trace(x), take_along_axis<5>(x, argsort<5>(x)), add_at<1>(x, at, 1), split<3, 2>(x)[1], moveaxis<0, -1>(x),
                       swapaxes<1, 5>(x));
    });
    for (const auto& [a, b] : {extents_of<2>{2, 3}, {1, 1}, {0, 2}, {2, 0}}) {
        golden::packed want("eight_axes_" + std::to_string(a) + "_" + std::to_string(b));
        const auto x = want.take<double, 8>();
        array<int, 1> at(a);
        for (int i = 0; i < a; ++i) at(i) = i - static_cast<int>(a);
        want.check(f(x, at));
        want.done();
    }
}
