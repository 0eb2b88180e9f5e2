// SPDX-License-Identifier: MIT
// Eigen's matrices, vectors, maps and blocks as arguments, operands and targets, and arrays as maps of Eigen: values, and the memory that they are in.
#include <doctest/doctest.h>

#include <croton/interop/eigen.hpp>

#include "faults.hpp"

// Both at once must not be ambiguous: functions and operators on Eigen's own are Eigen's.
using namespace croton;
using namespace Eigen;

namespace {

MatrixXf counting(Index rows, Index columns) {
    MatrixXf m(rows, columns);
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j) m(i, j) = static_cast<float>(10 * i + j);
    return m;
}

}  // namespace

TEST_CASE("views") {
    MatrixXf m = counting(2, 3);
    Matrix<float, Dynamic, Dynamic, RowMajor> r = m;
    const croton::array<float, 2> expected{{0, 1, 2}, {10, 11, 12}};
    CHECK(as_view(m) == expected);
    CHECK(as_view(r) == expected);
    CHECK(as_view(m).data() == m.data());
    CHECK(as_view(m).stride(0) == 1);
    CHECK(as_view(r).stride(1) == 1);
    CHECK(as_view(m.transpose()) == expected.transpose());
    CHECK(as_view(m.block(0, 1, 2, 2)) == expected(slice(), slice(1, none)));
    CHECK(as_view(m.row(1)) == expected(1));
    CHECK(as_view(m.col(2)) == expected(slice(), 2));
    CHECK(as_view(m.diagonal()) == croton::array<float, 1>{0, 11});
    CHECK(as_view(Map<MatrixXf, 0, Stride<Dynamic, Dynamic>>(m.data(), 2, 2, Stride<Dynamic, Dynamic>(4, 1))) ==
          croton::array<float, 2>{{0, 2}, {10, 12}});
    VectorXd v(3);
    v << 1, 2, 3;
    RowVector3d w = v.transpose() * 2;
    static_assert(std::is_same_v<decltype(as_view(v)), view<double, 1>> && std::is_same_v<decltype(as_view(w)), view<double, 1>>);
    CHECK(as_view(w) == croton::array<double, 1>{2, 4, 6});
    const VectorXd& constant = v;
    static_assert(std::is_same_v<decltype(as_view(constant)), view<const double, 1>>);
    const Ref<const VectorXd> ref(v);
    CHECK(as_view(ref).data() == v.data());
    ArrayXXi a(2, 2);
    a << 1, 2, 3, 4;
    CHECK(as_view(a) == croton::array<int, 2>{{1, 2}, {3, 4}});
    const croton::array<float, 2> copy(m);
    CHECK(copy == expected);
}

TEST_CASE("operands and targets") {
    MatrixXf m = counting(2, 3);
    VectorXf v = counting(3, 1);
    const croton::array<float, 2> a{{1, 1, 1}, {2, 2, 2}};
    croton::array<float, 1> y;
    y = dot(a, v) + dot(as_view(m), v);
    CHECK(y == croton::array<float, 1>{80, 410});
    CHECK(a + m == croton::array<float, 2>{{1, 2, 3}, {12, 13, 14}});
    CHECK(m == a * m / a);

    as_view(m) = a * 2 + m;
    CHECK(m == (MatrixXf(2, 3) << 2, 3, 4, 14, 15, 16).finished());
    as_view(m.col(1)) = y;
    as_view(m.block(0, 0, 1, 2)) *= 2;
    CHECK(m == (MatrixXf(2, 3) << 4, 160, 4, 14, 410, 16).finished());
    as_view(m.transpose()) = a.transpose() + 0;
    CHECK(m == (MatrixXf(2, 3) << 1, 1, 1, 2, 2, 2).finished());
    as_view(m) = 7;
    CHECK((m.array() == 7).all());
    CHECK_THROWS_AS(as_view(v) = y + 1, shape_error);

    // A matrix that is about to go moves in, and what has a name is referred to.
    auto e = counting(2, 3) + a;
    CHECK(e == croton::array<float, 2>{{1, 2, 3}, {12, 13, 14}});
    const long before = test::allocations;
    as_view(m) = e;
    as_view(m) = a * m + 1;
    CHECK(test::allocations <= before + 8);
    const long now = test::allocations;
    as_view(m) = a * m + 1;
    CHECK(test::allocations == now);
    // Its own transpose, read while it is written.
    MatrixXf s = counting(3, 3);
    const MatrixXf sum = s + s.transpose();
    as_view(s) = as_view(s) + as_view(s.transpose());
    CHECK(s == sum);
    // What both have stays Eigen's.
    const ArrayXf exponentials = exp(v.array() * 0);
    CHECK(exponentials.sum() == 3);
    CHECK((m + m).rows() == 2);
}

TEST_CASE("arguments and results of functions") {
    auto f = function<cpu>([](matrix<double> x, vector<double> b) { return std::tuple(dot(x, transpose(x)), dot(x, b)); });
    MatrixXd m = counting(2, 3).cast<double>();
    VectorXd b = VectorXd::Ones(3);
    auto [square, product] = f(m, b);
    CHECK(as_eigen(square) == m * m.transpose());
    CHECK(as_eigen(product) == m * b);
    Matrix<double, Dynamic, Dynamic, RowMajor> into(2, 2);
    VectorXd y(2);
    f.call_into(std::tie(into, y), m.block(0, 0, 2, 3), b);
    CHECK(into == m * m.transpose());
    CHECK(y == m * b);
    MatrixXd columns(2, 2);
    f.call_into(std::tie(columns, y), m, b);
    CHECK(columns == into);
    MatrixXd small(1, 1);
    CHECK_THROWS_AS(f.call_into(std::tie(small, y), m, b), shape_error);
}

TEST_CASE("maps") {
    croton::array<float, 2> x{{1, 2, 3}, {4, 5, 6}};
    auto map = as_eigen(x);
    CHECK(map.data() == x.data());
    map.row(0) *= 10;
    CHECK(x == croton::array<float, 2>{{10, 20, 30}, {4, 5, 6}});
    as_eigen(x.transpose()).col(1).setZero();
    CHECK(x == croton::array<float, 2>{{10, 20, 30}, {0, 0, 0}});
    as_eigen(x(slice(), slice(none, none, 2))).array() += 1;
    CHECK(x == croton::array<float, 2>{{11, 20, 31}, {1, 0, 1}});
    as_eigen(x(slice(), 1)) << 7, 8;
    CHECK(x == croton::array<float, 2>{{11, 7, 31}, {1, 8, 1}});
    CHECK(as_eigen(x(0, slice(none, none, -1))) == Vector3f(31, 7, 11));
    const croton::array<float, 1> v{1, 2, 3};
    static_assert(std::is_const_v<std::remove_pointer_t<decltype(as_eigen(v).data())>> );
    const VectorXf product = as_eigen(x) * as_eigen(v);
    CHECK(product == Vector2f(118, 20));
    // A temporary is copied, and an expression computed.
    auto kept = as_eigen(croton::array<float, 1>{1, 2});
    static_assert(std::is_same_v<decltype(kept), VectorXf>);
    const MatrixXf values = as_eigen(x * 2 + v);
    CHECK(values == (MatrixXf(2, 3) << 23, 16, 65, 3, 18, 5).finished());
}
