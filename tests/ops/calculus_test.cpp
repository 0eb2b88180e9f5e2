// SPDX-License-Identifier: MIT
// Integrals, slopes and values between points, against those of NumPy.
#include <limits>
#include <string>

#include "message_of.hpp"
#include "along.hpp"

using namespace croton;
using along::check_same;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), no_number = std::numeric_limits<double>::quiet_NaN();

template <class F> void on_both(F&& check) {
    check(cpu());
    check(reference());
}
const array<double, 1> y{1, 4, 9, 16, 25}, at{0, 1, 3, 6, 10};

}  // namespace

TEST_CASE("integrals") {
    on_both([](auto device) {
        const auto f = function<decltype(device)>([](vector<double> a, vector<double> x, matrix<double> m, scalar<double> dx) {
            return outputs(trapezoid(a), trapezoid(a, 0.5), trapezoid(a, x), trapezoid(m), trapezoid(m, m), trapezoid(m, dx));
        });
        const auto [one, half, by, rows, own, wide] = f(y, at, array<double, 2>{{1, 2, 4}, {3, 3, 9}}, 2.0);
        CHECK((one() == 42 && half() == 21 && by() == 135));
        CHECK(rows == array<double, 1>{4.5, 9});
        CHECK(own == array<double, 1>{7.5, 36});
        CHECK(wide == array<double, 1>{9, 18});
        const auto [a, b, c, d, e, g] = f(array<double, 1>{}, array<double, 1>{}, array<double, 2>(2, 1), 2.0);
        CHECK((a() == 0 && b() == 0 && c() == 0 && d == array<double, 1>{0, 0}));
    });
    const auto f = function<cpu>([](vector<half> a, vector<float> b, vector<float> x) { return outputs(trapezoid(a), trapezoid(b, x)); });
    CHECK(std::get<0>(f(array<half, 1>{half(1), half(2)}, array<float, 1>{1, 2}, array<float, 1>{1, 2}))() == 1.5f);
    CHECK(test::message_of([&] { (void)f(array<half, 1>{half(1)}, array<float, 1>{1, 2}, array<float, 1>{1, 2, 3}); }) != "");
}

TEST_CASE("slopes") {
    on_both([](auto device) {
        const auto f = function<decltype(device)>([](vector<double> a, vector<double> x, matrix<double> m, vector<double> p, scalar<double> dx) {
            return outputs(central_differences(a), central_differences(a, 0.5), central_differences(a, x), central_differences<0>(m), central_differences<-1>(m, p), central_differences(a, dx));
        });
        const array<double, 2> m{{1, 2, 6}, {3, 4, 5}, {9, 2, 7}};
        const auto [one, half, by, down, along, wide] = f(y, at, m, array<double, 1>{0, 1, 3}, 2.0);
        CHECK(one == array<double, 1>{3, 4, 6, 8, 9});
        CHECK(half == array<double, 1>{6, 8, 12, 16, 18});
        check_same(by, array<double, 1>{3, 2.8333333333333335, 2.4333333333333336, 2.2976190476190474, 2.25});
        CHECK(down == array<double, 2>{{2, 2, -1}, {4, 0, 0.5}, {6, -2, 2}});
        check_same(along, array<double, 2>{{1, 1.3333333333333335, 2}, {1, 0.8333333333333333, 0.5}, {-7, -3.8333333333333335, 2.5}});
        CHECK(wide == array<double, 1>{1.5, 2, 3, 4, 4.5});
    });
    const auto f = function<cpu>([](vector<float> a, vector<float> x, matrix<float> m) { return outputs(central_differences(a), central_differences(a, x), central_differences<0>(m, x)); });
    const auto [two, by, no_columns] = f(array<float, 1>{1, 5}, array<float, 1>{0, 2}, array<float, 2>(2, 0));
    CHECK((two == array<float, 1>{4, 4} && by == array<float, 1>{2, 2} && no_columns.extents() == extents_of<2>{2, 0}));
    const auto message = test::message_of<shape_error>([&] { (void)f(array<float, 1>{1}, array<float, 1>{1}, array<float, 2>(1, 3)); });
    CHECK_MESSAGE(message.find("central_differences: axis 0 of argument 1 has extent 1, but a slope is one between 2 elements") != std::string::npos, message);
    CHECK(test::message_of<shape_error>([&] { (void)f(array<float, 1>{1, 2, 3}, array<float, 1>{1, 2}, array<float, 2>(2, 3)); }) != "");
}

TEST_CASE("values between points") {
    on_both([](auto device) {
        const auto f = function<decltype(device)>([](vector<double> x, vector<double> xp, vector<double> fp) { return interp(x, xp, fp); });
        const array<double, 1> asked{-1, 0, 0.5, 1, 2, 3, 4, 5, no_number, infinity, -infinity}, found = f(asked, array<double, 1>{0, 1, 3, 4}, array<double, 1>{10, 20, -20, 5});
        check_same(found, array<double, 1>{10, 10, 15, 20, 0, -20, 5, 5, no_number, 5, 10});
        CHECK(f(array<double, 1>{0, 0.5, 1, 1.5, 2, 3}, array<double, 1>{0, 1, 2, 3}, array<double, 1>{infinity, 1, infinity, infinity}) == array<double, 1>{infinity, infinity, 1, infinity, infinity, infinity});
        CHECK(f(array<double, 1>{-1, 1, 2}, array<double, 1>{1}, array<double, 1>{7}) == array<double, 1>{7, 7, 7});
        CHECK(f(array<double, 1>{0.5, 1, 1.5}, array<double, 1>{0, 1, 1, 2}, array<double, 1>{0, 1, 5, 6}) == array<double, 1>{0.5, 5, 5.5});
        CHECK(f(array<double, 1>{}, at, y).size() == 0);
        const array<double, 1> ends{-infinity, 0, infinity};
        check_same(f(array<double, 1>{-infinity, -5, 0, 3, infinity, no_number}, ends, array<double, 1>{1, 2, 3}), array<double, 1>{1, 2, 2, 2, 3, no_number});
        check_same(f(array<double, 1>{0, 1, 2, 3, 4}, array<double, 1>{0, 2, 4}, array<double, 1>{-infinity, infinity, no_number}), array<double, 1>{-infinity, no_number, infinity, no_number, no_number});
    });
    const auto f = function<cpu>([](matrix<float> x, vector<float> xp, vector<float> fp, scalar<float> one) { return outputs(interp(x, xp, fp), interp(one, xp, fp)); });
    const auto [m, one] = f(array<float, 2>{{1, 2}, {0, 9}}, array<float, 1>{0, 4}, array<float, 1>{0, 8}, 3.0f);
    CHECK((m == array<float, 2>{{2, 4}, {0, 8}} && one() == 6));
    const auto message = test::message_of<shape_error>([&] { (void)f(array<float, 2>{{1}}, array<float, 1>{0, 4}, array<float, 1>{0, 8, 9}, 1.0f); });
    CHECK_MESSAGE(message.find("interp") != std::string::npos, message);
    CHECK(test::message_of<shape_error>([&] { (void)f(array<float, 2>{{1}}, array<float, 1>{}, array<float, 1>{}, 1.0f); }) != "");
}

TEST_CASE("derivatives") {
    const auto m = support::numbers(3).fill<double, 2>({3, 4});
    CHECK_NOTHROW(verify_grad(
        [](matrix<double> x, vector<double> p) {
            return std::tuple(sqr(trapezoid(x)), trapezoid(sqr(x), p), sqr(central_differences<0>(x)), central_differences<1>(sqr(x), p), central_differences<1>(x, p(0) + 9), grad(sum(sqr(central_differences<1>(x, p)) * x), x));
        },
        m, array<double, 1>{0, 1, 2.5, 3}));
    CHECK_NOTHROW(verify_grad([](matrix<double> x, vector<double> xp, vector<double> fp) { return std::tuple(interp(x * 3, xp, fp), sqr(interp(x, xp, sqr(fp)))); }, m, array<double, 1>{-2.01, -0.52, 1.03, 2.04},
                              array<double, 1>{3, 1, -2, 4}));
    const auto f = function<cpu>([](vector<double> x, vector<double> xp, vector<double> fp) { return grad(sum(interp(x, xp, fp)), x, fp); });
    const auto [by_x, by_fp] = f(array<double, 1>{-1, 0, 0.5, 7}, array<double, 1>{0, 1, 2}, array<double, 1>{1, 3, 0});
    CHECK(by_x == array<double, 1>{0, 2, 2, 0});
    CHECK(by_fp == array<double, 1>{2.5, 0.5, 1});
}
