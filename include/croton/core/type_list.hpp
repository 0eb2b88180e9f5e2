// SPDX-License-Identifier: MIT
// A list of types, and numbers for those that stand in it.
#ifndef CROTON_CORE_TYPE_LIST_HPP
#define CROTON_CORE_TYPE_LIST_HPP

#include <croton/config.hpp>

namespace croton::inline v0_1::detail {

template <class... T> struct type_list {
    static constexpr int size = sizeof...(T);
};

template <class T, class List> struct index_in;
template <class T, class... Rest> struct index_in<T, type_list<T, Rest...>> {
    static constexpr int value = 0;
};
template <class T, class First, class... Rest> struct index_in<T, type_list<First, Rest...>> {
    static constexpr int value = 1 + index_in<T, type_list<Rest...>>::value;
};

template <int I, class List> struct type_at;
template <class First, class... Rest> struct type_at<0, type_list<First, Rest...>> {
    using type = First;
};
template <int I, class First, class... Rest>
    requires(I > 0)
struct type_at<I, type_list<First, Rest...>> : type_at<I - 1, type_list<Rest...>> {};

}  // namespace croton::inline v0_1::detail

#endif
