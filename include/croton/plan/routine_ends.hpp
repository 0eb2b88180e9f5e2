// SPDX-License-Identifier: MIT
// What a routine such as a convolution does to each element of its result before it stores it: it adds a bias, and applies relu.
#ifndef CROTON_PLAN_ROUTINE_ENDS_HPP
#define CROTON_PLAN_ROUTINE_ENDS_HPP

#include <croton/plan/stored_graph.hpp>

namespace croton::inline v0_1::detail {

/// Before nodes are grouped to loops: `routine(x, w) + b` and `relu(routine(x, w))`, where nothing else reads the result of the routine and
/// the bias is an argument of the function that varies along its channels, become one routine. A loop that reads it reads it then.
class routine_ends {
public:
    constexpr explicit routine_ends(stored_graph& graph) : g(graph) {}

    constexpr void run() {
        bool any = false;
        for (const kernel::routine_facts* r : g.routines) any = any || r->relu != 0;
        if (!any) return;
        const int count = g.nodes.size();
        readers_.assign(count, 0);
        for (int id = 0; id < count; ++id) g.each_argument(id, [&](int a) { ++readers_.at[a]; });
        for (int id = 0; id < count; ++id) {
            const node& n = g.nodes.at[id];
            if (n.what != tag<structure::apply>) continue;
            if (n.fn == code<op::add>) {
                if (!add_bias(id, n.in[0], n.in[1])) add_bias(id, n.in[1], n.in[0]);
            } else if (n.fn == code<op::relu>)
                add_relu(id, n.in[0]);
        }
    }

private:
    stored_graph& g;
    vec<int> readers_;  // by node: how many nodes take it as an argument

    /// A routine that `id` alone reads, and whose result has its shape.
    constexpr bool is_open(int id, int value) const {
        const node& n = g.nodes.at[value];
        if (n.place != placement::call || g.is_product(n) || !is_only_read_here(value)) return false;
        const kernel::routine_facts& facts = *g.routines.at[n.fn];
        if (facts.relu == 0 || (kernel::attributes_of(n.bits) & facts.relu) != 0) return false;
        return is_floating(n.type) && g.stored_type(n.in[0]) == n.type && g.stored_type(n.in[1]) == n.type && has_shape_of(id, value);
    }
    constexpr bool is_only_read_here(int id) const { return readers_.at[id] == 1 && g.root_of(id) < 0; }
    constexpr bool has_shape_of(int id, int value) const {
        const shape &a = g.nodes.at[id].shape, &b = g.nodes.at[value].shape;
        bool equal = a.rank == b.rank;
        for (int i = 0; equal && i < a.rank; ++i) equal = a[i] == b[i];
        return equal;
    }

    constexpr bool add_bias(int sum, int value, int bias) {
        if (!is_open(sum, value) || !is_bias(sum, value, bias)) return false;
        node made = g.nodes.at[value];
        const kernel::routine_facts& biased = *g.routines.at[made.fn]->biased;
        made.in[2] = g.base_of.at[bias];
        made.fn = 0;
        while (g.routines.at[made.fn]->type != biased.type) ++made.fn;
        replace(sum, value, made);
        return true;
    }
    /// Pooling reads the result in another shape: then that is what stays.
    constexpr void add_relu(int id, int value) {
        const node shown = g.nodes.at[value];
        const bool reshaped = shown.place == placement::layout && is_only_read_here(value) && has_shape_of(id, value) && g.root_of(id) < 0;
        const int routine = reshaped ? shown.in[0] : value;
        if (!is_open(reshaped ? routine : id, routine)) return;
        node made = g.nodes.at[routine];
        made.bits = kernel::along_axis(kernel::axis_of(made.bits), kernel::attributes_of(made.bits) | g.routines.at[made.fn]->relu);
        if (reshaped) g.nodes.at[routine] = made;
        replace(id, value, reshaped ? shown : made);
    }

    /// `value` is computed where it was read, and is nothing any more where it was.
    constexpr void replace(int reader, int value, node made) {
        made.name = g.nodes.at[reader].name;
        g.nodes.at[reader] = made;
        node nothing;
        nothing.type = made.type;
        g.nodes.at[value] = nothing;
    }

    /// Whether `bias` is an argument of the function that varies along the channels of a routine, and only there.
    constexpr bool is_bias(int sum, int value, int bias) const {
        const node& n = g.nodes.at[value];
        const kernel::routine_facts& facts = *g.routines.at[n.fn];
        const int base = g.base_of.at[bias], rank = n.shape.rank;
        if (!facts.has_biased || g.nodes.at[base].what != tag<structure::input> || g.nodes.at[base].shape.rank != 1) return false;
        if (g.stored_type(base) != g.nodes.at[sum].type || g.nodes.at[bias].shape.rank > rank) return false;
        const int channel = facts.channel(rank, kernel::attributes_of(n.bits));
        axis_map each = no_axes;
        for (int i = 0; i < rank; ++i) each.at[i] = static_cast<std::int8_t>(i);
        int along = 0;
        // By a name: nvcc ends a temporary before a loop over its member.
        const auto axes_of_bias = g.into(bias, g.aligned_axes(rank, each, bias));
        for (const int axis : axes_of_bias.at) {
            if (axis >= 0 && axis != channel) return false;
            along += axis == channel ? 1 : 0;
        }
        return along == 1 && g.nodes.at[base].shape[0] == n.shape[channel];
    }
};

}  // namespace croton::inline v0_1::detail

#endif
