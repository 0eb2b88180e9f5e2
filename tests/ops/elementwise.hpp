// SPDX-License-Identifier: MIT
// One check for every operator of the table: its values on each device, in each layout, at sizes around those of SIMD
// registers, and at special points.
#ifndef CROTON_TESTS_OPS_ELEMENTWISE_HPP
#define CROTON_TESTS_OPS_ELEMENTWISE_HPP

#include <doctest/doctest.h>

#include <limits>

#include "oracle.hpp"
#include "support.hpp"

namespace elementwise_check {

using namespace croton;
using oracle::real;
using support::layout;

// The operator as a function of matrices.
template <class Op, class T, int Arity = Op::arity> struct program;
template <class Op, class T> struct program<Op, T, 1> {
    constexpr auto operator()(matrix<T> a) const { return detail::elementwise<Op>(a); }
};
template <class Op, class T> struct program<Op, T, 2> {
    constexpr auto operator()(matrix<T> a, matrix<T> b) const { return detail::elementwise<Op>(a, b); }
};
template <class Op, class T> struct program<Op, T, 3> {
    constexpr auto operator()(matrix<T> a, matrix<T> b, matrix<T> c) const { return detail::elementwise<Op>(a, b, c); }
};
template <class T> struct program<op::where, T, 3> {
    constexpr auto operator()(matrix<bool> a, matrix<T> b, matrix<T> c) const { return where(a, b, c); }
};

template <class Op, class T> using first_of = std::conditional_t<std::is_same_v<Op, op::where>, bool, T>;
template <class T> using exact = std::conditional_t<std::is_floating_point_v<T>, real,
                                                    std::conditional_t<std::is_same_v<T, bool>, bool, std::int64_t>>;

template <class Op, class T> real wanted(first_of<Op, T> a, [[maybe_unused]] T b, [[maybe_unused]] T c) {
    using f = oracle::formula<Op>;
    using V = exact<T>;
    if constexpr (std::is_same_v<Op, op::where>)
        return static_cast<real>(f::value(a, static_cast<V>(b), static_cast<V>(c)));
    else if constexpr (requires { f::of(b, c); }) return static_cast<real>(f::of(a, b));
    else if constexpr (requires { f::of(a, b, c); }) return static_cast<real>(f::of(a, b, c));
    else if constexpr (Op::arity == 1) return static_cast<real>(f::value(static_cast<V>(a)));
    else if constexpr (Op::arity == 2) return static_cast<real>(f::value(static_cast<V>(a), static_cast<V>(b)));
    else return static_cast<real>(f::value(static_cast<V>(a), static_cast<V>(b), static_cast<V>(c)));
}

template <class Op, class T, class F>
auto call(F& f, view<first_of<Op, T>, 2> a, [[maybe_unused]] view<T, 2> b, [[maybe_unused]] view<T, 2> c) {
    if constexpr (Op::arity == 1) return f(a);
    else if constexpr (Op::arity == 2) return f(a, b);
    else return f(a, b, c);
}

/// How far the results are from the formula: the worst element, said once.
template <class Op, class T, class R> void compare(const R& got, view<first_of<Op, T>, 2> a, view<T, 2> b, view<T, 2> c,
                                                   const std::string& what, double ulps = oracle::formula<Op>::ulps) {
    REQUIRE(got.extents() == a.extents());
    double worst = 0;
    std::string where;
    for (std::int64_t i = 0; i < a.extent(0); ++i)
        for (std::int64_t j = 0; j < a.extent(1); ++j) {
            const real w = wanted<Op, T>(a(i, j), b(i, j), c(i, j));
            const real size = oracle::size_of_parts<Op>(a(i, j), b(i, j));
            double d = oracle::distance_in_ulps(got(i, j), w, size);
            // The sign of zero counts where the result is one of the arguments or their exact function.
            if constexpr (Op::arity == 1 && oracle::formula<Op>::ulps == 0 && std::is_floating_point_v<T>)
                if (w == 0 && std::signbit(got(i, j)) != std::signbit(w)) d = 1e30;
            if (d > worst) {
                worst = d;
                where = std::to_string(a(i, j)) + ", " + std::to_string(b(i, j)) + ", " + std::to_string(c(i, j)) +
                        " gives " + std::to_string(got(i, j)) + " instead of " + std::to_string(w);
            }
        }
    CHECK_MESSAGE(worst <= ulps, Op::name, " of ", name_of(element_of<T>), " ", what, ": ", where, " (", worst,
                  " ulp)");
}

template <class Op, class T, class Device> void check_layouts() {
    auto f = function<Device>(program<Op, T>());
    const extents_of<2> shapes[] = {{0, 3},  {3, 0},  {1, 1}, {1, 15}, {1, 16},
                                    {1, 17}, {33, 1}, {5, 7}, {3, 33}, {2, 257}};
    support::numbers random(3);
    for (const auto& shape : shapes) {
        const auto a = random.fill<first_of<Op, T>, 2>(shape, Op::low, Op::high);
        const auto b = random.fill<T, 2>(shape, Op::low, Op::high), c = random.fill<T, 2>(shape, Op::low, Op::high);
        for (int l = 0; l < static_cast<int>(layout::count); ++l) {
            // The arguments lie differently, so that no two of them can be walked together by luck.
            const auto other = static_cast<layout>((l + (shape[1] % 2 == 0 ? 1 : 0)) % static_cast<int>(layout::count));
            const support::placed<first_of<Op, T>, 2> pa(a, static_cast<layout>(l));
            const support::placed<T, 2> pb(b, other), pc(c, layout::dense);
            compare<Op, T>(
                call<Op, T>(f, pa.get(), pb.get(), pc.get()), pa.get(), pb.get(), pc.get(),
                std::string(support::device_name<Device>()) + " " + support::name_of(static_cast<layout>(l)));
        }
    }
}

/// Infinities, NaN, signed zeros, kinks, halves, numbers next to 1, multiples of a quarter turn, the ends of the range of exp, the largest and smallest numbers: 69.
template <class T> std::vector<T> special_points() {
    if constexpr (std::is_same_v<T, bool>) {
        return {false, true};
    } else if constexpr (std::is_integral_v<T>) {
        return {T(1), T(-1), T(2), T(-3), T(7), T(1000), T(-1000), T(46340)};
    } else {
        using limits = std::numeric_limits<T>;
        const T e = std::is_same_v<T, float> ? T(88.5) : T(709.5);
        return {T(0),
                T(-0.0),
                T(1),
                T(-1),
                T(0.5),
                T(-0.5),
                T(2),
                T(-2),
                T(3),
                T(-3),
                T(1e-4),
                T(-1e-4),
                T(0.69314718),
                T(-0.69314718),
                T(20),
                T(-20),
                e,
                -e,
                e * T(1.2),
                -e * T(1.2),
                T(1e10),
                T(-1e10),
                limits::max(),
                limits::lowest(),
                limits::min(),
                -limits::min(),
                limits::denorm_min(),
                limits::infinity(),
                -limits::infinity(),
                limits::quiet_NaN(),
                T(1.5),
                T(-1.5),
                T(2.5),
                T(-2.5),
                T(3.5),
                T(-3.5),
                T(0.25),
                T(-0.25),
                T(0.75),
                T(-0.75),
                T(0.99),
                T(-0.99),
                T(1) + limits::epsilon(),
                T(-1) - limits::epsilon(),
                T(1) - limits::epsilon() / 2,
                limits::epsilon() / 2 - T(1),
                limits::epsilon(),
                -limits::epsilon(),
                T(1e-10),
                T(-1e-10),
                T(1.57079632679489662),
                T(-1.57079632679489662),
                T(3.14159265358979324),
                T(-3.14159265358979324),
                T(355),
                T(-355),
                T(7.25),
                T(-7.25),
                T(100),
                T(-100),
                T(1e6),
                T(-1e6),
                T(1e20),
                T(-1e20),
                limits::max() / 2,
                limits::lowest() / 2,
                limits::min() / 8,
                -limits::min() / 8,
                -limits::denorm_min()};
    }
}

template <class Op, class T, class Device> void check_special(double ulps = oracle::formula<Op>::ulps) {
    auto f = function<Device>(program<Op, T>());
    const auto points = special_points<T>();
    const auto firsts = special_points<first_of<Op, T>>();
    const auto count = static_cast<std::int64_t>(points.size());
    // All pairs; of three arguments the third walks through all points at every pair.
    const std::int64_t turns = Op::arity == 3 ? count : 1;
    for (std::int64_t turn = 0; turn < turns; ++turn) {
        array<first_of<Op, T>, 2> a(static_cast<std::int64_t>(firsts.size()), count);
        array<T, 2> b(a.extents()), c(a.extents());
        for (std::int64_t i = 0; i < a.extent(0); ++i)
            for (std::int64_t j = 0; j < count; ++j) {
                a(i, j) = firsts[static_cast<std::size_t>(i)];
                b(i, j) = points[static_cast<std::size_t>(j)];
                c(i, j) = points[static_cast<std::size_t>(turn)];
            }
        compare<Op, T>(call<Op, T>(f, a.as_view(), b.as_view(), c.as_view()), a.as_view(), b.as_view(), c.as_view(),
                       std::string(support::device_name<Device>()) + " special", ulps);
    }
}

template <class Op, class T> void check_operator() {
    check_layouts<Op, T, cpu>();
    check_layouts<Op, T, reference>();
    check_special<Op, T, cpu>();
    check_special<Op, T, reference>();
}

template <class Op> constexpr bool takes(element e) {
    switch (Op::kind) {
        case op::typing::numeric:
            return e != element::boolean;
        case op::typing::floating:
            return is_floating(e);
        case op::typing::logical:
            return e == element::boolean;
        case op::typing::integral:
            return e != element::boolean && !is_floating(e);
        default:
            return true;
    }
}

}  // namespace elementwise_check

#endif
