// SPDX-License-Identifier: MIT
// The derivative of a scalar, as expressions.
#ifndef CROTON_AUTODIFF_GRAD_HPP
#define CROTON_AUTODIFF_GRAD_HPP

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <croton/autodiff/reverse.hpp>
#include <croton/graph/trace.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// What derivatives are taken for, and along: expressions, parameters and models, and no numbers.
template <class W>
concept no_bare_number = !std::is_arithmetic_v<W>;
template <class W> inline constexpr bool holds_bare_number = !no_bare_number<W>;
template <class... W> inline constexpr bool holds_bare_number<std::tuple<W...>> = (holds_bare_number<W> || ...);

template <class W> constexpr void collect_targets(vec<int>& ids, const W& w) {
    if constexpr (traced<W>) {
        static_assert(std::is_floating_point_v<number_in<W>>, "croton: grad needs float or double; an int or bool expression has no derivative");
        if constexpr (!std::is_floating_point_v<number_in<W>>) w.graph->stopped = true;
        ids.push(w.id);
    } else if constexpr (is_tuple<W>) {
        std::apply([&](const auto&... each) { (collect_targets(ids, each), ...); }, w);
    } else {
        for_each_leaf(static_cast<const symbol_of<W>&>(w), [&](const auto& s) { collect_targets(ids, s); });
    }
}

/// The gradients in the structure of what they were taken for, read in order from `ids`. They are numbers to compute with: the
/// gradient for a half is float; in a struct the handle says half, which is what it is stored as.
template <class W> constexpr auto in_structure_of(const W& w, arena* g, const vec<int>& ids, int& at) {
    if constexpr (traced<W>) {
        return expr<number_in<W>, rank_of<W>>{g, ids[at++]};
    } else if constexpr (is_tuple<W>) {
        return std::apply([&]<class... E>(const E&... each) { return std::tuple<decltype(in_structure_of(each, g, ids, at))...>{in_structure_of(each, g, ids, at)...}; }, w);
    } else {
        symbol_of<W> out{};
        for_each_leaf(out, [&](auto& s) {
            s.graph = g;
            s.id = ids[at++];
        });
        (void)w;
        return out;
    }
}

/// What stands for several derivatives of a wrong program.
template <std::size_t... I, traced C> constexpr auto refused_for(const C& cost, std::index_sequence<I...>) {
    cost.graph->stopped = true;
    return std::tuple{(static_cast<void>(I), as_number(cost))...};
}
template <std::size_t Count, traced C> constexpr auto refused_for(const C& cost) { return refused_for(cost, std::make_index_sequence<Count>()); }

}  // namespace detail

/// The derivative of `cost` for each of `wrt`: expressions, parameters, models or tuples of them. One gives the derivative itself, in the
/// shape or structure of `wrt`; several give a tuple. An expression in `wrt` is held for nobody
/// else: what x does through y is in the derivative for x also where y is asked for. It is made of ordinary expressions, so grad of grad is the second
/// derivative. A cost that is not a scalar, or does not depend on `wrt`, is a compile-time error.
template <traced C, detail::no_bare_number... W> constexpr auto grad(const C& cost, const W&... wrt) {
    static_assert(detail::rank_of<C> == 0, "croton: grad takes a scalar cost; reduce it first, as in mean(error) or sum(error)");
    static_assert(std::is_floating_point_v<detail::number_in<C>>, "croton: grad needs a cost in float or double");
    static_assert(sizeof...(W) > 0, "croton: grad needs at least one expression to differentiate for");
    constexpr bool numbers = (detail::holds_bare_number<W> || ...);
    static_assert(!numbers, "croton: grad takes expressions, parameters and models in a tuple, and no numbers");
    if constexpr (numbers) {
        return detail::refused_for<sizeof...(W) == 1 ? (... + std::tuple_size_v<W>) : sizeof...(W)>(cost);
    } else {
        detail::vec<int> targets, result;
        (detail::collect_targets(targets, wrt), ...);
        if constexpr (detail::rank_of<C> != 0 || !std::is_floating_point_v<detail::number_in<C>>) cost.graph->stopped = true;
        if (cost.graph->failed())
            for (const int w : targets) result.push(w);
        else
            detail::reverse_walk(*cost.graph, detail::rules_of_tables<C>::all).run(cost.id, targets, result);
        int at = 0;
        if constexpr (sizeof...(W) == 1) return detail::in_structure_of(wrt..., cost.graph, result, at);
        else return std::tuple{detail::in_structure_of(wrt, cost.graph, result, at)...};
    }
}

}  // namespace croton::inline v0_1

#endif
