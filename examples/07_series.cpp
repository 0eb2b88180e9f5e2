// SPDX-License-Identifier: MIT
// Series as loops: powers, running sums, and a polynomial with its derivatives, each a scan whose turns are one node of the graph.
#include <croton/croton.hpp>

#include <cstdint>
#include <cstdio>
#include <tuple>

using namespace croton;

namespace {

template <class Vector> void print(const char* what, const Vector& v) {
    std::printf("%-12s", what);
    for (std::int64_t i = 0; i < v.size(); ++i) std::printf(" %8g", static_cast<double>(v(i)));
    std::puts("");
}

}  // namespace

int main() {
    // What is carried is multiplied again and again; what each turn gives out is a row of `all`.
    auto powers = function<cpu>("powers", [](vector<double> a) {
        auto [last, all] = scan([&](auto power) { return step(power * a, power); }, ones_like(a), times(5));
        return outputs(last, all);
    });
    const array<double, 1> a{1, 2, 3, 10};
    const auto [fifth, all] = powers(a);
    for (int k = 0; k < 5; ++k) print(k == 0 ? "a^0 to a^4" : "", all(k));
    print("a^5", fifth);

    // A sequence is walked along its first axis, here a row of the matrix a turn.
    auto sums = function<cpu>("sums", [](matrix<std::int64_t> x) {
        return std::get<1>(scan([](auto total, auto row) { return step(total + row, total + row); }, zeros_like(x(0)), x));
    });
    const auto totals = sums(array<std::int64_t, 2>{{1, 10}, {2, 20}, {3, 30}, {4, 40}});
    std::puts("");
    for (int i = 0; i < 4; ++i) print(i == 0 ? "sums" : "", totals(i));

    // c0 + c1 x + c2 x^2 + ... as it is written, two sequences at once: the coefficients, and the exponents.
    auto terms = function<cpu>("terms", [](vector<double, dim("term")> c, scalar<double> x) {
        auto [nothing, parts] = scan([&](auto each) {
            auto [coefficient, exponent] = each;
            return step(none, coefficient * pow(x, cast<double>(exponent)));
        }, none, std::tuple(c, arange<dim("term")>(c)));
        return sum(parts);
    });
    // The same by Horner, from the last coefficient to the first, with two derivatives through the loop.
    auto polynomial = function<cpu>("polynomial", [](vector<double> c, scalar<double> x) {
        auto [value, nothing] = scan([&](auto v, auto coefficient) { return step(v * x + coefficient); }, 0 * x, c, {.reverse = true});
        auto slope = grad(value, x);
        return outputs(value, slope, grad(slope, x));
    });
    const array<double, 1> c{1, 0, 4, -2};
    const auto [value, slope, bend] = polynomial(c, 3.0);
    std::printf("\n1 + 4 x^2 - 2 x^3 at 3 is %g, and by Horner %g; its derivatives there are %g and %g\n", terms(c, 3.0)(), value(), slope(), bend());
}
