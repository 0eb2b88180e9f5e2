// SPDX-License-Identifier: MIT
// A list of types, and numbers for those that stand in it.
#ifndef CROTON_CORE_TYPE_LIST_HPP
#define CROTON_CORE_TYPE_LIST_HPP

#include <type_traits>
#include <utility>

#include <croton/config.hpp>

namespace croton::inline v0_1::detail {

template <class... T> struct type_list {
    static constexpr int size = sizeof...(T);
};

/// A base for each entry of a list: which one a type or a number names, the compiler finds in one step however long the list is.
template <int I, class T> struct listed {
    using type = T;
};
template <class List, class Numbers> struct listing;
template <class... T, int... I> struct listing<type_list<T...>, std::integer_sequence<int, I...>> : listed<I, T>... {};
template <class List> using listing_of = listing<List, std::make_integer_sequence<int, List::size>>;

template <class T, int I> constexpr std::integral_constant<int, I> listed_number(const listed<I, T>*) { return {}; }
template <int I, class T> constexpr listed<I, T> listed_entry(const listed<I, T>*) { return {}; }

template <class T, class List> struct index_in : decltype(listed_number<T>(static_cast<const listing_of<List>*>(nullptr))) {};
template <class T, class List> inline constexpr bool is_listed = requires(const listing_of<List>* list) { listed_number<T>(list); };
template <int I, class List> struct type_at : decltype(listed_entry<I>(static_cast<const listing_of<List>*>(nullptr))) {};

}  // namespace croton::inline v0_1::detail

#endif
