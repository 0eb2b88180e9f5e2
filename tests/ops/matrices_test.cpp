// SPDX-License-Identifier: MIT
#include <limits>

#include <doctest/doctest.h>

#include "message_of.hpp"
#include "support.hpp"

using namespace croton;

namespace {

template <class F> void on_both(F&& check) {
    check(cpu());
    check(reference());
}

}  // namespace

TEST_CASE("triangles, also of batches and beside NaN") {
    on_both([](auto device) {
        const auto f = function<decltype(device)>([](matrix<float> x, tensor<int, dynamic, dynamic, dynamic> b, matrix<bool> t) {
            return outputs(tril(x), triu(x), tril<-1>(x), triu<1>(x), tril<1>(b), triu(t));
        });
        constexpr float nan = std::numeric_limits<float>::quiet_NaN();
        const auto [a, b, c, d, e, t] = f(array<float, 2>{{1, nan, 3}, {4, 5, 6}}, array<int, 3>{{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {1, 2, 3}}}, array<bool, 2>{{true, true}, {true, true}});
        CHECK(a == array<float, 2>{{1, 0, 0}, {4, 5, 0}});
        CHECK((b(0, 0) == 1 && b(0, 1) != b(0, 1) && b(1, 0) == 0 && b(1, 2) == 6));
        CHECK(c == array<float, 2>{{0, 0, 0}, {4, 0, 0}});
        CHECK((d(0, 1) != d(0, 1) && d(0, 2) == 3 && d(1, 1) == 0 && d(1, 2) == 6));
        CHECK(e == array<int, 3>{{{1, 2, 0}, {4, 5, 6}}, {{7, 8, 0}, {1, 2, 3}}});
        CHECK(t == array<bool, 2>{{true, true}, {false, true}});
    });
}

TEST_CASE("diagonals, traces and unit matrices") {
    on_both([](auto device) {
        const auto f = function<decltype(device)>([](matrix<float, dim("n"), dim("n")> x, tensor<double, dynamic, dynamic, dynamic> b) {
            return outputs(diagonal(x), trace(exp(x) * 0 + x), diagonal(transpose<0, 2, 1>(b)), trace(b), eye<2>(x), eye<dim("n"), 2>(b));
        });
        const array<float, 2> x{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
        const auto [a, b, c, d, e, g] = f(x, array<double, 3>{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}});
        CHECK(a == array<float, 1>{1, 5, 9});
        CHECK(b() == 15);
        CHECK(c == array<double, 2>{{1, 4}, {5, 8}});
        CHECK(d == array<double, 1>{5, 13});
        CHECK(e == array<float, 2>{{1, 0}, {0, 1}});
        CHECK(g == array<double, 2>{{1, 0}, {0, 1}, {0, 0}});
        const auto [empty, zero, more, sums, unit, tall] = f(array<float, 2>(extents_of<2>{0, 0}), array<double, 3>(extents_of<3>{2, 0, 0}));
        CHECK((empty.size() == 0 && zero() == 0 && sums == array<double, 1>{0, 0}));
    });
    const auto f = function<cpu>([](matrix<float> x) { return outputs(trace(x), diagonal<1>(x), diagonal<-1>(x), trace<2>(x), diagonal<5>(x)); });
    const auto [sum, right, below, second, beyond] = f(array<float, 2>{{1, 2, 3}, {4, 5, 6}});
    CHECK(sum() == 6);
    CHECK(right == array<float, 1>{2, 6});
    CHECK(below == array<float, 1>{4});
    CHECK(second() == 3);
    CHECK(beyond.size() == 0);
}

TEST_CASE("vectors on diagonals, and diagonals of matrices") {
    on_both([](auto device) {
        const auto f = function<decltype(device)>([](vector<float> v, matrix<int> m, vector<bool> t) { return outputs(diag(v), diag<1>(v), diag<-2>(v), diag(m), diag<-1>(m), diag(t)); });
        const auto [a, b, c, d, e, t] = f(array<float, 1>{1, std::numeric_limits<float>::infinity()}, array<int, 2>{{1, 2}, {3, 4}, {5, 6}}, array<bool, 1>{true, false});
        constexpr float infinity = std::numeric_limits<float>::infinity();
        CHECK(a == array<float, 2>{{1, 0}, {0, infinity}});
        CHECK(b == array<float, 2>{{0, 1, 0}, {0, 0, infinity}, {0, 0, 0}});
        CHECK(c == array<float, 2>{{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, infinity, 0, 0}});
        CHECK(d == array<int, 1>{1, 4});
        CHECK(e == array<int, 1>{3, 6});
        CHECK(t == array<bool, 2>{{true, false}, {false, false}});
        const auto [empty, one, two, no_rows, below, truths] = f(array<float, 1>{}, array<int, 2>(0, 3), array<bool, 1>{true});
        CHECK((empty.extents() == extents_of<2>{0, 0} && one == array<float, 2>{{0}} && two.extents() == extents_of<2>{2, 2} && no_rows.size() == 0 && below.size() == 0 && truths(0, 0)));
    });
    const auto f = function<cpu>([](vector<half, 3> v, vector<double, dim("n")> w) { return outputs(diag<1>(v), dot(diag(w), w)); });
    const auto [a, b] = f(array<half, 1>{half(1), half(2), half(3)}, array<double, 1>{2, 3});
    CHECK(a == array<float, 2>{{0, 1, 0, 0}, {0, 0, 2, 0}, {0, 0, 0, 3}, {0, 0, 0, 0}});
    CHECK(b == array<double, 1>{4, 9});
}

TEST_CASE("products of vectors in space") {
    on_both([](auto device) {
        const auto f = function<decltype(device)>([](matrix<float> a, vector<float, 3> v, tensor<int, dynamic, 1, dynamic> s, tensor<int, 1, 2, 3> t, vector<double> u) {
            return outputs(cross(a, v), cross(v, a), cross(s, t), cross(u, u * 2));
        });
        const auto [a, b, c, d] = f(array<float, 2>{{1, 2, 3}, {0, 1, 0}}, array<float, 1>{4, 5, 6}, array<int, 3>{{{1, 0, 0}}, {{0, 0, 2}}}, array<int, 3>{{{0, 1, 0}, {1, 2, 3}}}, array<double, 1>{1, 2, 3});
        CHECK(a == array<float, 2>{{-3, 6, -3}, {6, 0, -4}});
        CHECK(b == array<float, 2>{{3, -6, 3}, {-6, 0, 4}});
        CHECK(c == array<int, 3>{{{0, 0, 1}, {0, -3, 2}}, {{-2, 0, 0}, {-4, 2, 0}}});
        CHECK(d == array<double, 1>{0, 0, 0});
        const auto no_rows = std::get<0>(f(array<float, 2>(0, 3), array<float, 1>{4, 5, 6}, array<int, 3>(0, 1, 3), array<int, 3>(1, 2, 3), array<double, 1>{1, 2, 3}));
        CHECK(no_rows.extents() == extents_of<2>{0, 3});
    });
    const auto f = function<cpu>([](matrix<float> a, vector<float> v) { return cross(a, v); });
    const auto message = test::message_of([&] { (void)f(array<float, 2>(2, 4), array<float, 1>{1, 2, 3}); });
    CHECK_MESSAGE(message.find("argument 1 has extent 4 along axis 1, but 3 is needed, for cross") != std::string::npos, message);
}

TEST_CASE("quarter turns") {
    const auto f = function<cpu>([](matrix<int> x) { return outputs(rot90(x), rot90<2>(x), rot90<3>(x), rot90<-1>(x), rot90<4>(x), rot90<1, 1, 0>(x)); });
    const array<int, 2> x{{1, 2}, {3, 4}, {5, 6}};
    const auto [once, twice, thrice, back, whole, other] = f(x);
    CHECK(once == array<int, 2>{{2, 4, 6}, {1, 3, 5}});
    CHECK(twice == array<int, 2>{{6, 5}, {4, 3}, {2, 1}});
    CHECK(thrice == array<int, 2>{{5, 3, 1}, {6, 4, 2}});
    CHECK(back == thrice);
    CHECK(whole == x);
    CHECK(other == thrice);
}

TEST_CASE("kron, swapaxes, moveaxis") {
    on_both([](auto device) {
        const auto f = function<decltype(device)>([](matrix<int> a, matrix<int> b, vector<int> u, vector<int> v, tensor<int, 2, 3, 4> t) {
            return outputs(kron(a, b), kron(u, v), swapaxes<0, -1>(t), moveaxis<0, 2>(t), moveaxis<-1, 0>(t));
        });
        array<int, 3> t(extents_of<3>{2, 3, 4});
        for (int i = 0; i < 24; ++i) t.data()[i] = i;
        const auto [a, b, c, d, e] = f(array<int, 2>{{1, 2}}, array<int, 2>{{1, 0}, {3, 4}}, array<int, 1>{1, 2}, array<int, 1>{3, 4, 5}, t);
        CHECK(a == array<int, 2>{{1, 0, 2, 0}, {3, 4, 6, 8}});
        CHECK(b == array<int, 1>{3, 4, 5, 6, 8, 10});
        CHECK((c.extents() == extents_of<3>{4, 3, 2} && c(3, 1, 0) == t(0, 1, 3)));
        CHECK((d.extents() == extents_of<3>{3, 4, 2} && d(1, 3, 0) == t(0, 1, 3)));
        CHECK((e.extents() == extents_of<3>{4, 2, 3} && e(3, 0, 1) == t(0, 1, 3)));
    });
}

TEST_CASE("derivatives") {
    const auto numbers = support::numbers(3).fill<double, 2>({3, 3});
    CHECK_NOTHROW(verify_grad(
        [](matrix<double> x) {
            return std::tuple(tril(x) * x, sqr(triu<1>(x)), sqr(diagonal(x)), sqr(diag<1>(x(0))), sqr(diag<-1>(x)), cross(x, x(1)) * cross(x(2), x), trace(x * x), kron(x, sqr(x)), moveaxis<0, 1>(x) * x, grad(sum(sqr(diagonal(x)) * trace(x)), x));
        },
        numbers));
    CHECK_NOTHROW(verify_grad([](matrix<double> x) { return sqr(std::get<0>(topk<2, 0>(x))) * std::get<0>(topk<2, 0>(x * x)); }, numbers));
}
