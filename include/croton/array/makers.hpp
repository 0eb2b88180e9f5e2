// SPDX-License-Identifier: MIT
// Arrays that are made of numbers alone, by NumPy's names.
#ifndef CROTON_ARRAY_MAKERS_HPP
#define CROTON_ARRAY_MAKERS_HPP

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include <croton/array/array.hpp>
#include <croton/core/error.hpp>
#include <croton/core/message.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// The element type that NumPy gives numbers whose type is not said: `arange(5)` holds int64.
template <class... N> using type_of_numbers = std::conditional_t<(std::integral<N> && ...), std::int64_t, double>;

template <class T> constexpr T number_made(auto x) { return static_cast<T>(static_cast<arithmetic_t<T>>(x)); }

/// `count` numbers, start + i step: of integers exactly, of others computed in double.
template <class T, class N> array<T, 1> steps_from(N start, N step, std::int64_t count) {
    auto made = array<T, 1>::uninitialized({count});
    for (std::int64_t i = 0; i < count; ++i) made(i) = number_made<T>(start + static_cast<N>(i) * step);
    return made;
}

}  // namespace detail

/// Zeros of these extents, of double where no type is given: `zeros<float>(2, 3)`, `zeros<float>({2, 3})`.
template <element_type T = double, std::integral... E> array<T, static_cast<int>(sizeof...(E))> zeros(E... extents) {
    return array<T, static_cast<int>(sizeof...(E))>(extents_of<static_cast<int>(sizeof...(E))>{static_cast<std::int64_t>(extents)...});
}
template <element_type T = double, std::size_t N> array<T, static_cast<int>(N)> zeros(const std::int64_t (&extents)[N]) {
    extents_of<static_cast<int>(N)> to;
    std::copy_n(extents, N, to.begin());
    return array<T, static_cast<int>(N)>(to);
}
/// The same with the extents in angle brackets, as functions and draws have them: `zeros<float, 2, 3>()`.
template <element_type T, std::int64_t First, std::int64_t... Rest> auto zeros() { return zeros<T>(First, Rest...); }

/// `value` in each element: `full<float>({2, 3}, 0.5)`.
template <element_type T = double, std::size_t N> array<T, static_cast<int>(N)> full(const std::int64_t (&extents)[N], std::type_identity_t<T> value) {
    auto made = zeros<T>(extents);
    made.fill(value);
    return made;
}
template <element_type T, std::int64_t First, std::int64_t... Rest> auto full(std::type_identity_t<T> value) { return full<T>({First, Rest...}, value); }

/// The same of ones.
template <element_type T = double, std::integral... E> array<T, static_cast<int>(sizeof...(E))> ones(E... extents) {
    return array<T, static_cast<int>(sizeof...(E))>::full({static_cast<std::int64_t>(extents)...}, detail::number_made<T>(1));
}
template <element_type T = double, std::size_t N> array<T, static_cast<int>(N)> ones(const std::int64_t (&extents)[N]) {
    return full<T>(extents, detail::number_made<T>(1));
}
template <element_type T, std::int64_t First, std::int64_t... Rest> auto ones() { return ones<T>(First, Rest...); }

/// start, start + step, ... below stop, or above it where the step is negative; of int64 where no type is given and all are whole, else of double. Throws
/// `value_error` where the step is 0 or no number.
template <element_type T, class A, class B, class S = int> requires (std::is_arithmetic_v<A> && std::is_arithmetic_v<B> && std::is_arithmetic_v<S>)
array<T, 1> arange(A start, B stop, S step = 1) {
    using N = detail::type_of_numbers<A, B, S>;
    const N from = static_cast<N>(start), to = static_cast<N>(stop), by = static_cast<N>(step);
    if (by == 0 || by != by) detail::refuse<value_error>({"arange: the step is ", by == 0 ? "0" : "no number"});
    std::int64_t count = 0;
    if constexpr (std::is_integral_v<N>) {
        if (by > 0 ? to > from : to < from) count = (to - from + (by > 0 ? by - 1 : by + 1)) / by;
    } else {
        const double steps = std::ceil((to - from) / by);
        if (!(steps < 9e18)) detail::refuse<value_error>({"arange: the bounds have no whole number of steps between them"});
        count = steps > 0 ? static_cast<std::int64_t>(steps) : 0;
    }
    return detail::steps_from<T>(from, by, count);
}
template <element_type T, class A> requires std::is_arithmetic_v<A> array<T, 1> arange(A stop) { return arange<T>(A(0), stop); }
template <class... N> requires (sizeof...(N) >= 1 && sizeof...(N) <= 3 && (std::is_arithmetic_v<N> && ...)) auto arange(N... numbers) {
    return arange<detail::type_of_numbers<N...>>(numbers...);
}

/// `count` evenly spaced numbers from start to stop, both among them, of double where no type is given. Throws `value_error` where the count is negative.
template <element_type T = double> array<T, 1> linspace(std::type_identity_t<double> start, std::type_identity_t<double> stop, std::int64_t count = 50) {
    if (count < 0) detail::refuse<value_error>({"linspace: the number of elements is ", count});
    auto made = detail::steps_from<T>(start, count > 1 ? (stop - start) / static_cast<double>(count - 1) : 0, count);
    if (count > 1) made(count - 1) = detail::number_made<T>(stop);
    return made;
}

/// base^start to base^stop, with evenly spaced exponents; otherwise as `linspace`.
template <element_type T = double>
array<T, 1> logspace(std::type_identity_t<double> start, std::type_identity_t<double> stop, std::int64_t count = 50, std::type_identity_t<double> base = 10) {
    if (count < 0) detail::refuse<value_error>({"logspace: the number of elements is ", count});
    const auto exponents = linspace(start, stop, count);
    auto made = array<T, 1>::uninitialized({count});
    for (std::int64_t i = 0; i < count; ++i) made(i) = detail::number_made<T>(std::pow(base, exponents(i)));
    return made;
}
/// Numbers from start to stop, both among them, each the one before it times the same; otherwise as `linspace`. Throws `value_error` where one is 0 or they differ in sign, too.
template <element_type T = double> array<T, 1> geomspace(std::type_identity_t<double> start, std::type_identity_t<double> stop, std::int64_t count = 50) {
    if (count < 0) detail::refuse<value_error>({"geomspace: the number of elements is ", count});
    const bool fits = (start > 0 && stop > 0) || (start < 0 && stop < 0);
    if (!fits) detail::refuse<value_error>({"geomspace: the first and the last number are both above 0 or both below it"});
    const auto sizes = logspace(std::log10(std::abs(start)), std::log10(std::abs(stop)), count);
    auto made = array<T, 1>::uninitialized({count});
    for (std::int64_t i = 0; i < count; ++i) made(i) = detail::number_made<T>(i == 0 ? start : i == count - 1 ? stop : start < 0 ? -sizes(i) : sizes(i));
    return made;
}

/// Ones on a diagonal, that of the matrix or the one `k` above it, and zeros elsewhere, of double where no type is given: `eye<float>(3)`, `eye(3, 4, 1)`.
template <element_type T = double> array<T, 2> eye(std::int64_t rows, std::int64_t columns, std::int64_t k = 0) {
    array<T, 2> made(rows, columns);
    for (std::int64_t i = std::max<std::int64_t>(0, -k); i < rows && i + k < columns; ++i) made(i, i + k) = detail::number_made<T>(1);
    return made;
}
template <element_type T = double> array<T, 2> eye(std::int64_t rows) { return eye<T>(rows, rows); }

/// What arrays are made of says what they are, `array x{1.0, 2.0};`, `array m({{1, 2}, {3, 4}});`, `array y = x(slice(0, 2));`, and of expressions `array y = 2 * x;`: NumPy's `np.array([1.0, 2.0])`.
template <element_type T, std::same_as<T>... More> array(T, More...) -> array<T, 1>;
template <element_type T> array(std::initializer_list<T>) -> array<T, 1>;
template <element_type T> array(std::initializer_list<std::initializer_list<T>>) -> array<T, 2>;
template <element_type T> array(std::initializer_list<std::initializer_list<std::initializer_list<T>>>) -> array<T, 3>;
template <class T, int Rank> array(view<T, Rank>) -> array<std::remove_const_t<T>, Rank>;
template <class E> requires requires { typename E::lazy_graph; } array(const E&) -> array<typename E::value_type, E::rank, typename E::device>;

}  // namespace croton::inline v0_1

#endif
