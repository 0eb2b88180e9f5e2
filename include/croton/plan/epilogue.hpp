// SPDX-License-Identifier: MIT
// Loops that only add a row to a product, or apply an operator to it such as relu: where the device can, the product does both itself.
#ifndef CROTON_PLAN_EPILOGUE_HPP
#define CROTON_PLAN_EPILOGUE_HPP

#include <croton/plan/groups.hpp>

namespace croton::inline v0_1::detail {

/// Turns a product `[m,n]` and the loop `x + bias`, `relu(x)` or `gelu(x + bias, approximate::tanh)` behind it into one product, where nothing
/// else reads `x` and the bias `[n]` is an argument of the function. In the plan it is a gemm without an addend: its `fn` is the
/// operator, and the bias stands in the place of beta. A loop that does more reads the product anyway, and stays.
class epilogue_fusion {
public:
    constexpr explicit epilogue_fusion(grouping& groups) : g(groups), readers_(groups.nodes.size(), 0) {
        for (const node& n : g.nodes)
            for (const int a : n.in)
                if (a >= 0) ++readers_.at[a];
    }

    constexpr void run() {
        for (loop_group& group : g.groups)
            if (group.alive && group.size <= 2) take(group);
    }

private:
    grouping& g;
    vec<int> readers_;  // by node: how many nodes take it as an argument

    constexpr void take(loop_group& group) {
        const int last = group.last;
        std::uint8_t activation = code<op::copy>;
        int value = last, bias = -1, sum = -1;
        if (const node& n = g.nodes.at[value]; n.what == tag<structure::apply> && n.fn < operators::size && facts_of(n.fn).ends_products) {
            activation = n.fn;
            value = n.in[0];
        }
        if (is_sum(value)) {
            sum = value;
            for (unsigned i = 0; i < 2 && bias < 0; ++i)
                if (is_row(sum, g.nodes.at[sum].in[1 - i])) {
                    value = g.nodes.at[sum].in[i];
                    bias = g.nodes.at[sum].in[1 - i];
                }
            if (bias < 0) return;
        }
        if ((sum < 0 && activation == code<op::copy>) || group.size != (sum >= 0 && sum != last ? 2 : 1) || !is_open(value)) return;
        if (sum >= 0 && sum != last && (g.group_of.at[sum] != g.group_of.at[last] || !is_only_read_here(sum))) return;
        // A column that a row repeats is no matrix yet.
        for (int i = 0; i < 2; ++i)
            if (g.nodes.at[last].shape[i] != g.nodes.at[value].shape[i]) return;

        node made = g.nodes.at[value];
        made.fn = activation;
        made.in[4] = bias;
        made.name = g.nodes.at[last].name;
        drop(value);
        if (sum >= 0 && sum != last) drop(sum);
        g.nodes.at[last] = made;
        g.group_of.at[last] = -1;
        group.alive = false;
    }

    constexpr bool is_sum(int id) const { return g.nodes.at[id].what == tag<structure::apply> && g.nodes.at[id].fn == code<op::add>; }
    constexpr bool is_only_read_here(int id) const { return readers_.at[id] == 1 && g.root_of(id) < 0; }

    /// A product of matrices that is scaled by a constant at most, and that nothing but the loop reads.
    constexpr bool is_open(int id) const {
        const node& n = g.nodes.at[id];
        return n.what == tag<structure::gemm> && n.shape.rank == 2 && is_floating(n.type) && g.stored_type(n.in[0]) == n.type && n.fn == code<op::copy> && n.in[2] < 0 && n.in[4] < 0 &&
               (n.in[3] < 0 || g.nodes.at[n.in[3]].what == tag<structure::literal>) && is_only_read_here(id);
    }

    /// Whether argument `a` of a sum of matrices is an argument of the function that varies along the rows and only there.
    constexpr bool is_row(int sum, int a) const {
        const int base = g.base_of.at[a];
        if (g.nodes.at[sum].shape.rank != 2 || g.nodes.at[base].what != tag<structure::input> || g.stored_type(base) != g.nodes.at[sum].type || g.nodes.at[a].shape.rank > 2) return false;
        const axis_map loops = g.into(a, g.aligned_axes(2, axis_map{{0, 1, -1, -1, -1, -1, -1, -1}}, a));
        int along = 0;
        for (const int loop : loops.at) {
            if (loop == 0) return false;
            along += loop == 1 ? 1 : 0;
        }
        return along == 1;
    }

    /// Nothing asks for the node any more: it makes no step.
    constexpr void drop(int id) {
        const element type = g.nodes.at[id].type;
        g.nodes.at[id] = node();
        g.nodes.at[id].type = type;
        g.group_of.at[id] = -1;
        g.level_of.at[id] = -1;
    }
};

}  // namespace croton::inline v0_1::detail

#endif
