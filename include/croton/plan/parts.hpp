// SPDX-License-Identifier: MIT
// Updates that are joined: which elements of a parameter the loops of their pieces read and write.
#ifndef CROTON_PLAN_PARTS_HPP
#define CROTON_PLAN_PARTS_HPP

#include <croton/plan/step_list.hpp>

namespace croton::inline v0_1::detail {

/// How a loop goes over an array: along each axis the loop axis, -1 where it stays, where it begins, and whether it reaches the end.
struct walk {
    axis_map loop = no_axes;
    size_ref start[max_rank]{};
    unsigned ends = ~0u;
    bool known = true;  // false: in another way

    /// Of as many elements along each axis, which the same loops show.
    constexpr bool same_elements(const walk& other) const {
        for (int i = 0; i < max_rank; ++i)
            if (start[i] != other.start[i] && ((ends & other.ends) >> i & 1u) == 0) return false;
        return known && other.known && loop == other.loop;
    }
    /// Two beginnings along one axis are their sum, which nobody knows.
    constexpr void begin(int axis, size_ref at) {
        if (at == 0) return;
        known = known && start[axis] == 0;
        start[axis] = at;
    }
};

/// What is known of sizes in a program.
struct known_sizes {
    const size_entry* entry = nullptr;

    constexpr bool is(size_ref s, size_entry::origin what) const { return s < 0 && entry[arena::index_of(s)].what == what; }
    /// Where a part of an axis of `extent` elements begins that has any: what is cut off at the end makes no difference.
    constexpr size_ref inside(size_ref start, size_ref extent) const {
        if (!is(start, size_entry::origin::minimum)) return start;
        const size_entry& e = entry[arena::index_of(start)];
        return e.a == extent ? e.b : e.b == extent ? e.a : start;
    }
    /// Whether `count` elements from `start` on are the last of `extent`.
    constexpr bool to_end(size_ref start, size_ref count, size_ref extent) const {
        if (start >= 0 && count >= 0 && extent >= 0) return start + count == extent;
        if (is(count, size_entry::origin::difference) && entry[arena::index_of(count)].a == extent && entry[arena::index_of(count)].b == start) return true;
        if (!is(start, size_entry::origin::difference) || entry[arena::index_of(start)].a != extent) return false;
        return inside(count, extent) == entry[arena::index_of(start)].b;
    }
};

/// How the loop of node `id` goes over the parameter that its argument `k` shows.
constexpr walk walk_of_argument(const grouping& g, const known_sizes& sizes, int id, int k) {
    walk out;
    const int a = g.nodes.at[id].in[k];
    out.loop = g.into(a, g.argument_axes(id, k, g.axes.at[id]));
    int base = g.base_of.at[a];
    while (g.is_window(base)) {
        const node& n = g.nodes.at[base];
        const int along = slice_axis(n.bits);
        const size_ref start = slice_start(n.bits), extent = g.nodes.at[n.in[0]].shape[along];
        const bool whole_before = ((out.ends >> along) & 1u) != 0;
        out.known = out.known && slice_step(n.bits) == 1;
        if (!whole_before || !sizes.to_end(start, n.shape[along], extent)) out.ends &= ~(1u << along);
        out.begin(along, sizes.inside(start, extent));
        walk below;
        below.known = out.known;
        for (int i = 0; i < n.shape.rank; ++i) {
            const int axis = g.axis_below(n.in[0], i);
            if (axis == new_axis) {
                below.known = below.known && out.start[i] == 0;
                continue;
            }
            below.begin(axis, out.start[i]);
            if (((out.ends >> i) & 1u) == 0) below.ends &= ~(1u << axis);
        }
        below.loop = g.into(n.in[0], out.loop);
        out = below;
        base = g.base_of.at[n.in[0]];
    }
    out.known = out.known && g.nodes.at[base].what == tag<structure::input>;
    return out;
}

/// A piece of what is joined into a parameter.
struct joined_piece {
    int root = -1;
    int node = -1;
    walk written;
};

/// The steps of a plan, and what is known of the updates that are joined.
class joined_updates : public step_list {
protected:
    constexpr explicit joined_updates(const grouping& groups) : step_list(groups) {}

    /// Whether the pieces that node `id` joins for update `root` can be written straight into the parameter. Lists them.
    constexpr bool joins_in_place(int root, int id) {
        const int first = pieces_.size();
        walk whole;
        whole.loop = root_axes(id);
        for (int i = 0; i < g.nodes.at[id].shape.rank; ++i)
            if (whole.loop.at[i] >= 0) extent_[whole.loop.at[i]] = g.nodes.at[id].shape.extent[i];
        list_pieces(root, id, whole);
        bool fits = true;
        for (int i = first; i < pieces_.size(); ++i) fits = fits && writes_as_read(pieces_.at[i], first);
        return fits;
    }

    /// Calls f(step) for the step of each piece of an update.
    template <class F> constexpr void for_each_piece_step(int root, F&& f) const {
        for (const joined_piece& p : pieces_)
            if (p.root == root) f(step_of.at[p.node]);
    }
    constexpr bool writes_piece(int step, int root) const {
        bool found = false;
        for_each_piece_step(root, [&](int s) { found = found || s == step; });
        return found;
    }

    /// Whether all that a step does is to copy parts of a parameter onto themselves; `in_place`: by root.
    constexpr bool is_idle(int step, const vec<char>& in_place) const {
        if (pieces_.empty() || steps.at[step].group < 0) return false;
        for (int m = g.groups.at[steps.at[step].group].first; m >= 0; m = g.next.at[m]) {
            const node& n = g.nodes.at[m];
            if (n.what != tag<structure::apply> || n.fn != code<op::copy>) return false;
            bool found = false;
            for (const joined_piece& p : pieces_)
                found = found || (p.node == m && in_place.at[p.root] != 0 && shows_target(n.in[0], p.root) && walk_of_argument(g, known_, m, 0).same_elements(p.written));
            if (!found) return false;
        }
        return true;
    }

    /// For a node that is stored for a root: the root's axis that each of its axes is.
    constexpr axis_map root_axes(int node) const { return axes_in(node, g.root_node(g.root_of(node))); }

    /// The axis of `shown` that each axis of its base `node` is; -1 where it shows none.
    constexpr axis_map axes_in(int node, int shown) const {
        axis_map here = own_axes(shown);
        for (int id = shown; id != node; id = g.nodes.at[id].in[0]) {
            axis_map below = no_axes;
            for (int i = 0; i < g.nodes.at[id].shape.rank; ++i) {
                const int s = view_axis(g.nodes.at[id].bits, i);
                if (s != new_axis) below.at[s] = here.at[i];
            }
            here = below;
        }
        return here;
    }

    constexpr axis_map own_axes(int id) const {
        axis_map out = no_axes;
        const int rank = g.nodes.at[id].shape.rank;
        for (int i = 0; i < rank; ++i) out.at[i] = static_cast<std::int8_t>(i);
        return out;
    }

    known_sizes known_;

private:
    vec<joined_piece> pieces_;
    size_ref extent_[max_rank]{};  // of the parameter whose update is looked at

    constexpr bool shows_target(int a, int root) const {
        const int source = g.source_of(a);
        return g.nodes.at[source].what == tag<structure::input> && leaf_buffer(source) == g.target_leaf(root);
    }

    /// The pieces of a joined node that lies along the axes `whole` of a parameter; `loop` names axes of nodes meanwhile.
    constexpr void list_pieces(int root, int id, const walk& whole) {
        const node& n = g.nodes.at[id];
        const int along = whole.loop.at[n.bits];
        for (unsigned k = 0; k < 2; ++k) {
            const int piece = g.base_of.at[n.in[k]];
            const axis_map in_joined = axes_in(piece, n.in[k]);
            walk part = whole;
            part.loop = no_axes;
            for (int i = 0; i < g.nodes.at[piece].shape.rank; ++i)
                if (in_joined.at[i] >= 0) part.loop.at[i] = whole.loop.at[in_joined.at[i]];
            part.known = part.known && along >= 0;
            if (k > 0 && along >= 0) part.begin(along, known_.inside(g.nodes.at[n.in[0]].shape[static_cast<int>(n.bits)], extent_[along]));
            if (k == 0 && along >= 0) part.ends &= ~(1u << along);
            if (g.is_joined(piece)) {
                list_pieces(root, piece, part);
                continue;
            }
            const axis_map to = part.loop;
            part.loop = no_axes;
            for (int i = 0; i < g.nodes.at[piece].shape.rank; ++i)
                if (to.at[i] >= 0 && g.nodes.at[piece].shape.extent[i] != 1) part.loop.at[to.at[i]] = g.axes.at[piece].at[i];
            pieces_.push({root, piece, part});
        }
    }

    /// Whether the loop of a piece reads the parameter only at elements that it writes at once, as this piece or as another one of its loop.
    constexpr bool writes_as_read(const joined_piece& p, int first) const {
        const int step = step_of.at[p.node], group = g.group_of.at[p.node];
        if (!p.written.known || step < 0 || group < 0 || g.reduces(p.node)) return false;
        for (int m = g.groups.at[group].first; m >= 0; m = g.next.at[m])
            for (int k = 0; k < loop_arguments; ++k) {
                const int a = g.nodes.at[m].in[k];
                if (a < 0) break;
                if (!shows_target(a, p.root)) continue;
                const walk read = walk_of_argument(g, known_, m, k);
                bool fits = false;
                for (int i = first; i < pieces_.size(); ++i) fits = fits || (step_of.at[pieces_.at[i].node] == step && pieces_.at[i].written.same_elements(read));
                if (!fits || g.gathers(m)) return false;
            }
        return true;
    }
};

}  // namespace croton::inline v0_1::detail

#endif
