// SPDX-License-Identifier: MIT
// Every elementwise operator and every reduction of the tables on emulated blocks, for every element type that it takes. What stands in a table is taken up from there.
#ifndef CROTON_TESTS_DEVICE_CUDA_TABLE_HPP
#define CROTON_TESTS_DEVICE_CUDA_TABLE_HPP

#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "device/compare.hpp"
#include "device/emulated_cuda.hpp"
#include "ops/together.hpp"

namespace device_table {

using namespace croton;

using elementwise_check::together;

/// Numbers of whose pairs operators may know something: of floating point those of the CPU's tests, of integers zero, small ones and both ends of the range.
template <class T> std::vector<T> points() {
    using limits = std::numeric_limits<T>;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        std::vector<T> all{0, 1, 2, 3, 5, 7, 8, 31, 63, 100, limits::max(), static_cast<T>(limits::max() - 1), static_cast<T>(limits::max() / 2), limits::min(), static_cast<T>(limits::min() / 2)};
        for (int k = 1; k <= 7; k += 2) all.push_back(static_cast<T>(0 - k));
        return all;
    } else {
        std::vector<T> all;
        for (const auto x : elementwise_check::special_points<arithmetic_t<T>>()) all.push_back(static_cast<T>(x));
        return all;
    }
}

/// All pairs of numbers; of three arguments the third walks through them all beside each.
template <class T> struct arguments {
    array<T, 2> a, b, c;
    array<bool, 2> chooses;

    arguments() {
        const auto from = points<T>();
        const auto count = static_cast<std::int64_t>(from.size());
        a = b = c = array<T, 2>(count, count);
        chooses = array<bool, 2>(count, count);
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t j = 0; j < count; ++j) {
                a(i, j) = from[static_cast<std::size_t>(i)];
                b(i, j) = from[static_cast<std::size_t>(j)];
                c(i, j) = from[static_cast<std::size_t>((7 * i + 3 * j) % count)];
                chooses(i, j) = (i + j) % 3 == 0;
            }
    }
};

/// Numbers as they are computed with.
template <class T> array<arithmetic_t<T>, 2> read(const array<T, 2>& x) {
    if constexpr (std::is_same_v<T, arithmetic_t<T>>) {
        return x;
    } else {
        array<arithmetic_t<T>, 2> wide(x.extents());
        std::copy(x.begin(), x.end(), wide.begin());
        return wide;
    }
}

/// Some operators on arrays that lie in order, which are read in wide pieces, and on transposed ones beside others. Integers and bools must be what they are on the CPU. Floating-point
/// numbers must be as near to the formula as the CPU's: its lanes compute other last digits.
template <class T, class... Op> void check_some(arguments<T>& x) {
    auto f = function<emulated_gpu>(together<T, Op...>());
    const auto a = x.a.as_view().transpose(), b = x.b.as_view().transpose();
    if constexpr (std::is_integral_v<T>) {
        auto g = function<cpu>(together<T, Op...>());
        const auto same = [&](const auto& got, const auto& wanted, const char* which) {
            const auto one = [&]<class O>(std::type_identity<O>, const auto& r, const auto& w) {
                CHECK_MESSAGE(r.template to<cpu>() == w, O::name, " of ", name_of(element_of<T>), which);
            };
            [&]<std::size_t... I>(std::index_sequence<I...>) { (one(std::type_identity<Op>(), std::get<I>(got), std::get<I>(wanted)), ...); }(std::index_sequence_for<Op...>());
        };
        same(f(x.a, x.b, x.c, x.chooses), g(x.a, x.b, x.c, x.chooses), " in order");
        same(f(a, x.b, b, x.chooses), g(a, x.b, b, x.chooses), " with others");
    } else {
        auto wide_a = read(x.a), wide_b = read(x.b), wide_c = read(x.c);
        using V = arithmetic_t<T>;
        const auto near = [&](const auto& got, view<V, 2> va, view<V, 2> vb, view<V, 2> vc, const char* which) {
            const auto one = [&]<class O>(std::type_identity<O>, const auto& result) {
                const auto r = result.template to<cpu>();
                if constexpr (std::is_same_v<O, op::where>) elementwise_check::compare<O, V>(r, x.chooses.as_view(), va, vb, which);
                else elementwise_check::compare<O, V>(r, va, vb, vc, std::string(name_of(element_of<T>)) + which);
            };
            [&]<std::size_t... I>(std::index_sequence<I...>) { (one(std::type_identity<Op>(), std::get<I>(got)), ...); }(std::index_sequence_for<Op...>());
        };
        near(f(x.a, x.b, x.c, x.chooses), wide_a.as_view(), wide_b.as_view(), wide_c.as_view(), " in order");
        near(f(a, x.b, b, x.chooses), wide_a.as_view().transpose(), wide_b.as_view(), wide_b.as_view().transpose(), " with others");
    }
}

/// All operators that take elements of T, some in each function.
template <class T> void check_operators() {
    arguments<T> x;
    elementwise_check::in_groups<T>([&]<class... Op>(detail::type_list<Op...>) { check_some<T, Op...>(x); });
}

/// A reduction of a matrix over all axes, and over each.
template <class R, class T> struct reduced {
    constexpr auto operator()(matrix<T> m) const {
        const auto x = [&] {
            if constexpr (R::idempotent) return m;
            else return detail::widen(m);  // as `sum` and `prod` do
        }();
        return std::tuple(detail::without_axes<>(detail::reduce_keep<R>(x)), detail::without_axes<0>(detail::reduce_keep<R, 0>(x)), detail::without_axes<1>(detail::reduce_keep<R, 1>(x)));
    }
};

/// The reductions that take elements of T: of long and short rows and columns, in order and transposed, and with what is no number among them. Sums and products of floating-point
/// numbers are made in another order than on the CPU, and a product has the errors of all its factors.
template <class T> void check_reductions() {
    const auto one = [&]<class R>(std::type_identity<R>) {
        if constexpr (R::logical == std::is_same_v<T, bool>) {
            CAPTURE(std::string(R::name));
            auto f = function<emulated_gpu>(reduced<R, T>());
            auto g = function<cpu>(reduced<R, T>());
            const double exactly = std::is_same_v<T, double> ? 1e-13 : 1e-6;
            const double tolerance = R::idempotent || std::is_integral_v<T> ? 0 : std::is_same_v<R, reduction::prod> ? 100 * exactly : exactly;
            for (const auto& [rows, columns] : {std::pair{1, 1}, {3, 5}, {70, 33}, {2, 257}, {300, 7}}) {
                CAPTURE(rows);
                array<T, 2> x(rows, columns);
                for (int i = 0; i < rows; ++i)
                    for (int j = 0; j < columns; ++j) {
                        const int v = (7 * i + 3 * j * j + i * j) % 19;
                        if constexpr (std::is_same_v<T, bool>) x(i, j) = R::template identity<bool>() != (v == 4 && j % 2 == 0);
                        else if constexpr (std::is_integral_v<T>) x(i, j) = static_cast<T>(v - (std::is_signed_v<T> ? 9 : 0));
                        else x(i, j) = static_cast<T>(v == 4 ? -0.75 : 0.875 + v / 64.0);
                    }
                const auto check = [&](const auto& argument) {
                    const auto got = f(argument);
                    const auto wanted = g(argument);
                    [&]<std::size_t... I>(std::index_sequence<I...>) { (test::check_close(std::get<I>(got).template to<cpu>(), std::get<I>(wanted), tolerance), ...); }(std::make_index_sequence<3>());
                };
                check(x);
                check(x.as_view().transpose());
                if constexpr (!std::is_integral_v<T>) {
                    x(rows / 2, columns / 2) = static_cast<T>(std::numeric_limits<float>::quiet_NaN());
                    check(x);
                }
            }
        }
    };
    [&]<class... R>(detail::type_list<R...>) { (one(std::type_identity<R>()), ...); }(detail::reductions());
}

}  // namespace device_table

#endif
