// SPDX-License-Identifier: MIT
// Searches along a run for the place of what is seldom there, as the largest number is: registers without it are passed over, and no place behind the first is looked at.
#ifndef CROTON_DEVICE_CPU_FIRST_PLACE_HPP
#define CROTON_DEVICE_CPU_FIRST_PLACE_HPP

#include <croton/device/cpu/brief.hpp>
#include <croton/device/cpu/neighbours.hpp>

#include <concepts>

namespace croton::inline v0_1::detail::cpu_device {

struct no_search {
    static constexpr bool found = false;
};
/// `where(c, place, nowhere)` in the element block `List` of loops whose innermost axis is `Axis`; `nowhere` is the same all along a run.
template <class List, int Axis, class Choice> struct choice_of : no_search {};
template <class List, int Axis, class Op, int C, class Place, class Nowhere>
    requires(is_named<Op>("where") && std::integral<typename Place::type> && on_the_run<List, Axis, Nowhere>::changes == along_run::not_at_all)
struct choice_of<List, Axis, kernel::apply<Op, kernel::e<C, bool>, Place, Nowhere>> {
    static constexpr bool found = true;
    using condition = kernel::e<C, bool>;
    using nowhere = on_the_run<List, Axis, Nowhere>;
    using place = on_the_run<List, Axis, Place>;
    static constexpr bool counts = place::changes == along_run::by_one;
};

/// The least of such choices, or the largest, where a block does nothing else.
template <class List, int Axis, class Sinks> struct search_of : no_search {};

template <class R> inline constexpr bool is_extreme = is_named<R>("min") || is_named<R>("max");
template <class List, int Axis, class R, class T, int K>
    requires(is_extreme<R>)
struct search_of<List, Axis, kernel::block<kernel::reduce<R, T, kernel::e<K, T>>>> : choice_of<List, Axis, kernel::detail::entry<List, K>> {
    static constexpr bool least = is_named<R>("min");
};
template <class List, int Axis, class R, class T, int Slot, int K>
    requires(is_extreme<R>)
struct search_of<List, Axis, kernel::block<kernel::accumulate_inner<R, T, Slot, kernel::e<K, T>>>> : choice_of<List, Axis, kernel::detail::entry<List, K>> {
    static constexpr bool least = is_named<R>("min");
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
