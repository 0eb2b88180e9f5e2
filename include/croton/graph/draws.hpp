// SPDX-License-Identifier: MIT
// Random draws as operators: an element is a function of its position, the key of a random state, and a counter.
#ifndef CROTON_GRAPH_DRAWS_HPP
#define CROTON_GRAPH_DRAWS_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/own_operator.hpp>
#include <croton/graph/region.hpp>
#include <croton/graph/structure/arange.hpp>
#include <croton/graph/structure/repeat.hpp>
#include <croton/kernel/draws.hpp>

namespace croton::inline v0_1 {

namespace op {

/// (position and turn, key, stream and call) -> a number of law `L`. Lanes have a function of their own beside them, which computes neighbours
/// together.
template <class T, kernel::law L> struct draw {
    static constexpr std::string_view name = L == kernel::law::bits     ? "random_bits"sv
                                             : L == kernel::law::truth  ? "random_bit"sv
                                             : L == kernel::law::normal ? "random_normal"sv
                                                                        : "random_uniform"sv;
    static constexpr element gives = element_of<T>;
    static constexpr bool takes_numbers = true, takes_neighbours = true;
    template <class P, class K, class C> CROTON_INLINE CROTON_HD static auto value(const P& position, const K& key, const C& counter) {
        if constexpr (std::is_integral_v<P> && std::is_integral_v<K> && std::is_integral_v<C>) return kernel::drawn<T, L>(position, key, counter);
        else return drawn_in_lanes(draw(), position, key, counter);
    }
};

}  // namespace op

namespace detail {

/// A draw of shape `to` from the state whose arrays are the nodes `key` and `calls`. Each has a stream of its own, so that no two are one.
template <class T, kernel::law L> constexpr int drawn(arena& g, const shape& to, int key, int calls) {
    const auto times = [&](int a, std::int64_t by) { return g.apply(code<op::multiply>, a, g.literal(g[a].type, by)); };
    int position = -1;
    size_ref stride = 1;
    for (int i = to.rank - 1; i >= 0; --i) {
        int along = structure::arange::of(g, element::int64, to[i]);
        std::array<int, max_rank> source{};
        for (int k = 0; k < max_rank; ++k) source[static_cast<unsigned>(k)] = k == i ? 0 : new_axis;
        // Of the whole shape, so that it is computed in the loop of the draw: once for each row.
        if (to.rank > 1) along = structure::broadcast::of(g, structure::view::of(g, along, to.rank, source), to);
        if (i < to.rank - 1) along = g.apply(code<op::multiply>, along, g.size(element::int64, stride));
        position = position < 0 ? along : g.apply(code<op::add>, along, position);
        stride = g.product(stride, to[i]);
    }
    // Loops within loops count their turns together.
    int turn = -1;
    for (const int loop : g.draws.loops) {
        const int inner = structure::turn_value::of(g, loop, turn_role::turn, 0, element::int64, shape());
        const loop_facts& facts = g.loops.at[loop];
        const int count = facts.unbounded ? g.literal(element::int64, 1 << 16) : g.size(element::int64, facts.turns);
        turn = turn < 0 ? inner : g.apply(code<op::add>, g.apply(code<op::multiply>, turn, count), inner);
        g.draws.counted |= bit_of_loop(loop);
    }
    if (turn >= 0) turn = times(turn, std::int64_t{1} << kernel::position_bits);
    if (position < 0) position = turn < 0 ? g.literal(element::int64, 0) : turn;
    else if (turn >= 0) position = g.apply(code<op::add>, position, turn);
    const int counter = g.apply(code<op::add>, times(calls, 1 << 16), g.literal(element::uint64, g.draws.count++));
    bool known = false;
    for (const int state : g.draws.states) known = known || state == calls;
    if (!known) g.draws.states.push(calls);
    return g.apply(number_of<own_call<op::draw<T, L>, 3, op::typing::drawn>>(g), position, key, counter);
}

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
