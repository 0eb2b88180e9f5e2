// SPDX-License-Identifier: MIT
// All operators of the table that take elements of one type, as functions of a few of them each.
#ifndef CROTON_TESTS_OPS_TOGETHER_HPP
#define CROTON_TESTS_OPS_TOGETHER_HPP

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include "ops/elementwise.hpp"

namespace elementwise_check {

/// Which numbers of a list are kept, in their order.
template <class Keep, class Numbers> struct kept;
template <class Keep, int... I> struct kept<Keep, std::integer_sequence<int, I...>> {
    static constexpr auto all = [] {
        std::array<int, (0 + ... + (Keep()(I) ? 1 : 0))> found{};
        std::size_t count = 0;
        ((Keep()(I) ? void(found[count++] = I) : void()), ...);
        return found;
    }();
};
template <class T> struct takes_elements {
    template <int... I> static constexpr auto of_table(std::integer_sequence<int, I...>) { return std::array<bool, sizeof...(I)>{takes<typename detail::type_at<I, detail::operators>::type>(element_of<T>)...}; }
    static constexpr auto taken = of_table(std::make_integer_sequence<int, detail::operators::size>());
    constexpr bool operator()(int i) const { return taken[static_cast<std::size_t>(i)]; }
};
/// The operators of the table that take elements of T.
template <class T> inline constexpr auto operators_of = kept<takes_elements<T>, std::make_integer_sequence<int, detail::operators::size>>::all;

/// Operators in one function: one loop, which reads each argument once.
template <class T, class... Op> struct together {
    template <class O> static constexpr auto of(auto a, auto b, auto c, auto chooses) {
        if constexpr (std::is_same_v<O, op::where>) return where(chooses, a, b);
        else if constexpr (O::arity == 1) return detail::elementwise<O>(a);
        else if constexpr (O::arity == 2) return detail::elementwise<O>(a, b);
        else return detail::elementwise<O>(a, b, c);
    }
    constexpr auto operator()(matrix<T> a, matrix<T> b, matrix<T> c, matrix<bool> chooses) const {
        unused(a, b, c, chooses);
        return std::tuple(of<Op>(a, b, c, chooses)...);
    }
};

/// Calls f with lists of 8 operators each, until all that take elements of T were in one.
template <class T> void in_groups(auto&& f) {
    constexpr auto& all = operators_of<T>;
    constexpr int count = static_cast<int>(all.size()), size = 8;
    const auto group = [&]<int First, int... I>(std::integral_constant<int, First>, std::integer_sequence<int, I...>) {
        f(detail::type_list<typename detail::type_at<all[First + I], detail::operators>::type...>());
    };
    [&]<int... G>(std::integer_sequence<int, G...>) {
        (group(std::integral_constant<int, G * size>(), std::make_integer_sequence<int, (count - G * size < size ? count - G * size : size)>()), ...);
    }(std::make_integer_sequence<int, (count + size - 1) / size>());
}

}  // namespace elementwise_check

#endif
