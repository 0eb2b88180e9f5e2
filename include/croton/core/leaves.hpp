// SPDX-License-Identifier: MIT
// The leaves of a model, in order: how many, each, and all of them.
#ifndef CROTON_CORE_LEAVES_HPP
#define CROTON_CORE_LEAVES_HPP

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <croton/core/fields.hpp>

namespace croton::inline v0_1::detail {

/// Whether `T` is one array (or symbol) of a model and not a struct of them; its header says so.
template <class T> inline constexpr bool is_leaf = false;

/// The size of a std::array or a built-in array, of which a model may have some as well as of leaves and structs; -1 of anything else.
template <class T> inline constexpr int array_size = -1;
template <class T, std::size_t N> inline constexpr int array_size<std::array<T, N>> = static_cast<int>(N);
template <class T, std::size_t N> inline constexpr int array_size<T[N]> = static_cast<int>(N);
template <class T> inline constexpr bool is_array_of_fields = array_size<T> >= 0;
template <class T> using array_element = std::remove_cvref_t<decltype(std::declval<T&>()[0])>;

template <class T> constexpr int leaf_count_of();

/// The number of leaves of a model.
template <class T> inline constexpr int leaf_count = leaf_count_of<T>();

template <class T> constexpr int leaf_count_of() {
    if constexpr (is_leaf<T>) {
        return 1;
    } else if constexpr (is_array_of_fields<T>) {
        if constexpr (array_size<T> == 0) return 0;
        else return array_size<T> * leaf_count<array_element<T>>;
    } else {
        return []<int... I>(std::integer_sequence<int, I...>) {
            return (0 + ... + leaf_count<field_t<T, I>>);
        }(std::make_integer_sequence<int, field_count<T>>{});
    }
}

/// The number of leaves before field `I` of the struct `T`.
template <class T, int I> constexpr int leaves_before() {
    return []<int... K>(std::integer_sequence<int, K...>) {
        return (0 + ... + leaf_count<field_t<T, K>>);
    }(std::make_integer_sequence<int, I>{});
}

/// The field of the struct `T` that holds leaf `I`.
template <class T, int I, int Field = 0> constexpr int field_of_leaf() {
    if constexpr (I < leaves_before<T, Field + 1>()) return Field;
    else return field_of_leaf<T, I, Field + 1>();
}

// Calls `f(std::integral_constant<int, 0>{})`, ..., for N indices.
template <int N, class F> constexpr void for_each_index(F&& f) {
    [&f]<int... I>(std::integer_sequence<int, I...>) {
        (..., f(std::integral_constant<int, I>{}));
    }(std::make_integer_sequence<int, N>{});
}

// Whether types are alike at one level: leaves, arrays of one size, or structs with as many fields.
template <class T, class... Others> constexpr bool alike() {
    if constexpr (is_leaf<T>) return (is_leaf<Others> && ...);
    else if constexpr (is_array_of_fields<T>) return ((array_size<Others> == array_size<T>) && ...);
    else return ((!is_leaf<Others> && array_size<Others> < 0 && field_count<Others> == field_count<T>) && ...);
}

template <int Base, class F, class T, class... Others>
constexpr void walk_leaves(F& f, T& object, Others&... others) {
    using type = std::remove_const_t<T>;
    if constexpr (!is_leaf<type> && !is_array_of_fields<type> && !has_fields<type>) {
        static_assert(has_fields<type>, "croton: a model struct holds arrays, structs of arrays and std::arrays of those, and nothing else");
    } else if constexpr (!alike<type, std::remove_const_t<Others>...>()) {
        static_assert(alike<type, std::remove_const_t<Others>...>(), "croton: the two models are not alike");
    } else if constexpr (is_leaf<type>) {
        using index = std::integral_constant<int, Base>;
        // Not a requires expression: nvcc 13 leaves the pack out of it.
        if constexpr (std::is_invocable_v<F&, T&, Others&..., index>) f(object, others..., index{});
        else f(object, others...);
    } else if constexpr (is_array_of_fields<type>) {
        for_each_index<array_size<type>>([&](auto index) {
            constexpr int i = decltype(index)::value;
            walk_leaves<Base + i * leaf_count<array_element<type>>>(f, object[i], others[i]...);
        });
    } else {
        for_each_index<field_count<type>>([&](auto index) {
            constexpr int i = decltype(index)::value;
            walk_leaves<Base + leaves_before<type, i>()>(f, field<i>(tie_fields(object)), field<i>(tie_fields(others))...);
        });
    }
}

/// Calls `f(leaf)` or `f(leaf, index)` for every leaf in order; `index` is a `std::integral_constant<int, I>`.
template <class T, class F> constexpr void for_each_leaf(T& object, F&& f) { walk_leaves<0>(f, object); }

/// Walks models of the same structure together: `f(leaf_a, leaf_b)` or `f(leaf_a, leaf_b, index)`.
template <class A, class B, class F> constexpr void for_each_leaf2(A& a, B& b, F&& f) { walk_leaves<0>(f, a, b); }

/// The same for any number of models.
template <class F, class... T> constexpr void for_each_leaf_of(F&& f, T&... models) { walk_leaves<0>(f, models...); }

/// Leaf `I` of a model.
template <int I, class T> constexpr auto& leaf(T& object) {
    using type = std::remove_const_t<T>;
    static_assert(I >= 0 && I < leaf_count<type>);
    if constexpr (is_leaf<type>) {
        return object;
    } else if constexpr (is_array_of_fields<type>) {
        constexpr int each = leaf_count<array_element<type>>;
        return leaf<I % each>(object[I / each]);
    } else {
        constexpr int at = field_of_leaf<type, I>();
        return leaf<I - leaves_before<type, at>()>(field<at>(tie_fields(object)));
    }
}

/// The type of leaf `I` of the model `T`.
template <class T, int I> using leaf_t = std::remove_reference_t<decltype(leaf<I>(std::declval<T&>()))>;

}  // namespace croton::inline v0_1::detail

#endif
