// SPDX-License-Identifier: MIT
// What a traced lambda may return: outputs, and updates of shared parameters.
#ifndef CROTON_GRAPH_RESULT_HPP
#define CROTON_GRAPH_RESULT_HPP

#include <tuple>

#include <croton/graph/expr.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class Tuple, int Updates> struct [[nodiscard("what a lambda computes is what it returns: return outputs(...).updates(...)")]] traced_result {
    Tuple outputs;
    std::array<update_of, static_cast<unsigned>(Updates)> entry{};
};

/// What a comma between two expressions gives: nothing that a lambda may return. A statement may do one after the other.
struct comma {};

template <int... N> constexpr auto join_updates(const update_list<N>&... lists) {
    std::array<update_of, static_cast<unsigned>((0 + ... + N))> all{};
    unsigned at = 0;
    const auto append = [&](const auto& list) {
        for (const update_of& u : list.entry) all[at++] = u;
    };
    (append(lists), ...);
    return all;
}

}  // namespace detail

/// What a lambda returns beside plain expressions: `outputs(p, e).updates(w -= g, ...)`.
template <class... Out> struct [[nodiscard("what a lambda computes is what it returns: return outputs(...)")]] outputs_of {
    std::tuple<Out...> values;

    /// The new values of shared parameters: all are computed from the old values and take effect together.
    template <int... N> constexpr auto updates(const update_list<N>&... lists) const {
        return detail::traced_result<std::tuple<Out...>, (0 + ... + N)>{values, detail::join_updates(lists...)};
    }
    /// With new values alone: a compile-time error.
    template <traced First, class... Rest> constexpr auto updates(const First&, const Rest&...) const {
        static_assert(sizeof(First) == 0, "croton: updates takes updates, which say of which parameter, as in updates(w -= 0.1 * g) or updates(update(w, v))");
        return *this;
    }
};

/// The values a call returns, in order: expressions and models. Without arguments the function only updates.
template <class... Out> constexpr outputs_of<Out...> outputs(const Out&... out) { return {std::tuple<Out...>(out...)}; }

/// A function that only updates: `return updates(w -= g);`
template <int... N> constexpr auto updates(const update_list<N>&... lists) { return outputs().updates(lists...); }
/// With results among the updates: a compile-time error.
template <traced First, class... Rest> constexpr auto updates(const First& first, const Rest&...) {
    static_assert(sizeof(First) == 0, "croton: updates takes updates; results stand in outputs before them, as in return outputs(cost).updates(w -= 0.1 * g)");
    first.graph->stopped = true;
    return detail::as_expr(first);
}

}  // namespace croton::inline v0_1

#endif
