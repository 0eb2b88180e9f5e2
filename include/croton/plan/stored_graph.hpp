// SPDX-License-Identifier: MIT
// The graph of a program as planning works on it: what shows what, what lies in memory, what is stored for each root.
#ifndef CROTON_PLAN_STORED_GRAPH_HPP
#define CROTON_PLAN_STORED_GRAPH_HPP

#include <croton/plan/plan.hpp>
#include <croton/plan/recomputed.hpp>
#include <croton/plan/spreads.hpp>

namespace croton::inline v0_1::detail {

inline constexpr axis_map no_axes{};
inline constexpr int loop_arguments = 3;  // what a node that is computed in a loop has at most, the last ones -1

/// The nodes of a program, with a copy wherever a product, a reshape or a root reads what would lie nowhere.
class stored_graph {
public:
    vec<node> nodes;
    vec<int> base_of;     // by node: the node whose value an alias shows
    vec<bool> is_inline;  // by node: rank-0 arithmetic on numbers the call brings, computed where it is needed and never stored
    vec<const kernel::routine_facts*> routines;  // the program's
    vec<loop_entry> loops;  // the program's, and
    vec<int> loop_nodes;    // their nodes
    vec<char> again;        // by node: whether it is there once more for loops that read it later, and is computed with them

    /// `narrow`: products take half and bfloat16 as they lie in memory. `spreads`: a sum of squares about a mean is one pass. `fuses`: several nodes are one loop.
    template <class Program> constexpr void load(const Program& p, bool narrow, bool spreads, bool fuses) {
        for (const leaf_input& l : p.leaves) leaf_types_.push(l.type);
        for (const kernel::routine_facts* r : p.routines) routines.push(r);
        recomputed_values recomputed(p, fuses);
        vec<int> map;  // by node of the program
        map.resize_unset(p.nodes.size());
        for (int id = 0; id < p.nodes.count; ++id) {
            node n = p.nodes.entry[id];
            for (int i = 0; i < max_arguments; ++i) {
                const int a = n.in[i];
                if (a >= 0) n.in[i] = recomputed.argument(*this, p, id, a, map);
                else if (n.place == placement::loop) break;
            }
            if (spreads) own_squares(n);
            if ((n.place == placement::loop && n.what != tag<structure::gather>) || n.place == placement::given || n.place == placement::alias) {
                map.at[id] = push_node(n);
                continue;
            }
            if (is_product(n)) choose_elements(n, narrow);
            if (n.place == placement::repeat) load_loop(p, n, map);
            if (n.place == placement::part) n.in[1] = -1;
            if (n.place == placement::call)
                for (unsigned i = 0; i < (is_product(n) ? 2 : 3); ++i)
                    if (n.in[i] >= 0 && !in_memory(n.in[i], false)) n.in[i] = add_copy(n.in[i]);
            if (n.what == tag<structure::gemm> && n.in[2] >= 0 && !in_memory(base_of.at[n.in[2]], false)) n.in[2] = add_copy(n.in[2]);
            // The first rows of what lies in row-major order do so too, whatever shape they are given.
            if (n.place == placement::layout && shows_first_rows(base_of.at[n.in[0]]) && base_of.at[n.in[0]] == n.in[0]) n.in[0] = nodes.at[n.in[0]].in[0];
            if (n.place == placement::layout && (!in_memory(n.in[0], true) || is_marked(piece_, base_of.at[n.in[0]]))) n.in[0] = one_copy(ordered_copy_, n.in[0]);
            if (n.place == placement::window && !in_memory(n.in[0], false)) n.in[0] = add_copy(n.in[0]);
            if (n.place == placement::pieces) claim_pieces(n);
            if (n.what == tag<structure::gather>) {
                if (!in_memory(base_of.at[n.in[0]], false)) n.in[0] = add_copy(n.in[0]);
                mark(kept_, base_of.at[n.in[0]]);
            }
            if (n.place != placement::loop && n.place != placement::part)
                for (unsigned i = 0; i < 3; ++i)
                    if (n.in[i] >= 0) mark(kept_, base_of.at[n.in[i]]);
            if (n.place == placement::layout) mark(reshaped_, base_of.at[n.in[0]]);
            map.at[id] = push_node(n);
            if (n.place == placement::part) note_part(p, id, map.at[id]);
        }
        for (int i = 0; i < p.outputs.size(); ++i) outputs_.push(map[p.outputs[i]]);
        for (int i = 0; i < p.updates.size(); ++i) updates_.push(update_of{p.updates[i].target, map[p.updates[i].value]});
        claim_roots();
        const int count = nodes.size();
        for (int id = 0; id < count; ++id) is_inline.push(finds_inline(id));
        if (passed_over_ || recomputed.any()) forget_unused();
    }

    /// The element type in which a value lies in memory.
    constexpr element stored_type(int id) const {
        id = source_of(id);
        return nodes.at[id].what == tag<structure::input> ? leaf_types_.at[static_cast<int>(nodes.at[id].bits)] : nodes.at[id].type;
    }

    constexpr int add_copy(int a) {
        node n;
        n.what = tag<structure::apply>;
        n.place = placement::loop;
        n.fn = code<op::copy>;
        n.type = nodes.at[a].type;
        n.in[0] = a;
        n.shape = nodes.at[a].shape;
        return push_node(n);
    }

    constexpr int push_node(const node& n) {
        nodes.push(n);
        const int id = nodes.size() - 1;
        base_of.push(n.place == placement::alias ? base_of.at[n.in[0]] : id);
        return id;
    }

    constexpr bool is_loop(int id) const { return nodes.at[id].place == placement::loop; }
    constexpr bool is_call(int id) const { return nodes.at[id].place == placement::call; }
    constexpr bool is_part(int id) const { return nodes.at[id].place == placement::part; }
    /// Calls f(argument) for each of a node.
    template <class F> constexpr void each_argument(int id, F&& f) const {
        const node& n = nodes.at[id];
        if (n.place == placement::repeat) {
            const loop_entry& l = loops.at[static_cast<int>(n.bits)];
            for (int i = 0; i < l.arguments(); ++i) f(loop_nodes.at[l.from + i]);
        } else {
            for (int k = 0; k < max_arguments; ++k)
                if (const int a = n.in[k]; a >= 0) f(a);
        }
    }
    static constexpr bool is_product(const node& n) { return n.what == tag<structure::dot> || n.what == tag<structure::gemm>; }
    constexpr bool is_alias(int id) const { return nodes.at[id].place == placement::alias; }
    constexpr bool reduces(int id) const { return nodes.at[id].what == tag<structure::reduce>; }
    constexpr bool gathers(int id) const { return nodes.at[id].what == tag<structure::gather>; }
    constexpr bool is_layout(int id) const { return nodes.at[id].place == placement::layout; }
    constexpr bool is_window(int id) const { return nodes.at[id].place == placement::window; }
    constexpr bool is_joined(int id) const { return nodes.at[id].place == placement::pieces; }
    /// Whether it is the memory of its argument, seen in another way.
    constexpr bool is_seen(int id) const { return is_layout(id) || is_window(id); }

    /// The node in memory behind an argument: through aliases, reshapes and slices.
    constexpr int source_of(int id) const {
        for (id = base_of.at[id];; id = base_of.at[nodes.at[id].in[0]]) {
            const placement place = nodes.at[id].place;
            if (place != placement::layout && place != placement::window) return id;
        }
    }

    /// Whether a node is stored straight into its part of a joined one.
    constexpr bool is_piece(int id) const { return is_marked(piece_, id); }
    /// Whether its memory is read in another shape.
    constexpr bool is_reshaped(int id) const { return is_marked(reshaped_, id); }
    constexpr bool has_pieces() const { return !piece_.empty(); }

    /// What the axes of an alias are, given what those of its base are; `missing` for axes the base does not have.
    constexpr axis_map through(int id, const axis_map& base) const {
        if (base_of.at[id] == id) return base;
        const axis_map inner = through(nodes.at[id].in[0], base);
        const node& n = nodes.at[id];
        axis_map out = no_axes;
        for (int i = 0; i < n.shape.rank; ++i) {
            const int s = view_axis(n.bits, i);
            if (s != new_axis) out.at[i] = inner.at[s];
        }
        return out;
    }

    /// The reverse: the loop axes of the base, given those of the alias. Axes of extent 1 have none.
    constexpr axis_map into(int id, const axis_map& alias) const {
        axis_map here = alias;
        while (nodes.at[id].place == placement::alias) {
            const node& n = nodes.at[id];
            axis_map below = no_axes;
            for (int i = 0; i < n.shape.rank; ++i) {
                const int s = view_axis(n.bits, i);
                if (s != new_axis) below.at[s] = here.at[i];
            }
            id = n.in[0];
            here = below;
        }
        axis_map out;
        const shape& of = nodes.at[id].shape;
        for (int i = 0; i < of.rank; ++i)
            if (of.extent[i] != 1) out.at[i] = here.at[i];
        return out;
    }

    /// The axis of the base of `id` that axis `axis` of `id` shows.
    constexpr int axis_below(int id, int axis) const {
        for (; is_alias(id) && axis != new_axis; id = nodes.at[id].in[0]) axis = view_axis(nodes.at[id].bits, axis);
        return axis;
    }

    /// The loop axes of `a`, aligned at the last axis with a value of so many axes whose own are `mine`.
    constexpr axis_map aligned_axes(int rank, const axis_map& mine, int a) const {
        axis_map out;
        const shape& of = nodes.at[a].shape;
        const int shift = rank - of.rank;
        for (int i = 0; i < of.rank; ++i)
            if (of.extent[i] != 1) out.at[i] = mine.at[i + shift];
        return out;
    }

    /// The axis of node `id` (of a reduction: of its argument) that axis `i` of argument `k` lies along: aligned at the last axis, but for
    /// what a gather displaces; -1 where it lies along none.
    constexpr int axis_of_argument(int id, int k, int i) const {
        const node& n = nodes.at[id];
        if (gathers(id)) return structure::gather::axis_of_argument(n, nodes.at[n.in[1]].shape.rank, k, i);
        return i + (reduces(id) ? nodes.at[n.in[0]].shape.rank : n.shape.rank) - nodes.at[n.in[k]].shape.rank;
    }

    /// The loop axes of argument `k` of a loop node whose own are `mine`.
    constexpr axis_map argument_axes(int id, int k, const axis_map& mine) const {
        const node& n = nodes.at[id];
        const int a = n.in[k];
        if (n.what != tag<structure::gather>) return aligned_axes(n.what == tag<structure::reduce> ? nodes.at[n.in[0]].shape.rank : n.shape.rank, mine, a);
        axis_map out;
        const shape& of = nodes.at[a].shape;
        for (int i = 0; i < of.rank; ++i)
            if (const int axis = axis_of_argument(id, k, i); of.extent[i] != 1 && axis >= 0) out.at[i] = mine.at[axis];
        return out;
    }

    /// The same for the base of the argument.
    constexpr axis_map argument_base_axes(int id, int k, const axis_map& mine) const {
        const int a = nodes.at[id].in[k];
        if (base_of.at[a] == a) return argument_axes(id, k, mine);
        return into(a, argument_axes(id, k, mine));
    }

    static constexpr bool one_element(const shape& s) { return one_number(s); }

    /// The root that node `id` is stored for: outputs first, then updates; -1 where it is none.
    constexpr int root_of(int id) const { return root_of_.at[id]; }
    constexpr int output_count() const { return outputs_.size(); }
    constexpr int root_count() const { return outputs_.size() + updates_.size(); }
    constexpr int root_node(int root) const { return root < outputs_.size() ? outputs_.at[root] : updates_.at[root - outputs_.size()].value; }
    constexpr int target_leaf(int root) const { return updates_.at[root - outputs_.size()].target; }

    /// Whether a value lies in memory as it is (for `contiguous`: in row-major order) or will, once it is stored.
    constexpr bool in_memory(int id, bool contiguous) const {
        for (; is_alias(id); id = nodes.at[id].in[0]) {
            const node& n = nodes.at[id];
            const shape& from = nodes.at[n.in[0]].shape;
            int last = -1;
            for (int i = 0; i < n.shape.rank; ++i) {
                const int s = view_axis(n.bits, i);
                if (n.shape[i] != (s == new_axis ? 1 : from[s])) return false;  // repeated
                if (s == new_axis) continue;
                if (contiguous && s < last) return false;
                last = s;
            }
        }
        if (contiguous && is_window(id)) return false;
        return nodes.at[id].place != placement::given || nodes.at[id].what == tag<structure::input>;
    }

private:
    constexpr bool shows_first_rows(int id) const {
        const node& n = nodes.at[id];
        return is_window(id) && slice_axis(n.bits) == 0 && slice_start(n.bits) == 0 && slice_step(n.bits) == 1 && in_memory(n.in[0], true) && !is_marked(piece_, base_of.at[n.in[0]]);
    }
    /// Whoever else reads what differs from a mean has it computed for itself: where it is summed it is not stored.
    constexpr void own_squares(node& n) {
        const spread_nodes f = spread_behind(nodes, base_of, n);
        if (f.squares < 0) return;
        node squares = nodes.at[f.squares];
        squares.in[0] = push_node(nodes.at[f.away]);
        n.in[0] = push_node(squares);
        passed_over_ = true;
    }
    /// Product `n` reads arrays of one element type: where two of half (or bfloat16) are to be multiplied and the device can,
    /// those; else what is half becomes float first, by a copy that other products share.
    constexpr void choose_elements(node& n, bool narrow) {
        int source[2]{};
        bool both = narrow;
        for (unsigned i = 0; i < 2; ++i) {
            const int base = base_of.at[n.in[i]];
            const bool converted = nodes.at[base].what == tag<structure::cast> && is_stored_only(nodes.at[nodes.at[base].in[0]].type);
            source[i] = converted ? nodes.at[base].in[0] : base;
            both = both && in_memory(n.in[i], false) && in_memory(source[i], false);
        }
        const element type = stored_type(source[0]);
        if (both && is_stored_only(type) && type == stored_type(source[1])) {
            for (unsigned i = 0; i < 2; ++i) {
                if (source[i] == base_of.at[n.in[i]]) continue;
                n.in[i] = on_base(n.in[i], source[i]);
                passed_over_ = true;
            }
            if (n.in[2] >= 0 && is_stored_only(stored_type(n.in[2]))) n.in[2] = in_float(n.in[2]);
        } else {
            for (unsigned i = 0; i < 3; ++i)
                if (n.in[i] >= 0 && is_stored_only(stored_type(n.in[i]))) n.in[i] = in_float(n.in[i]);
        }
    }

    /// The arguments of a loop lie in memory, what is carried in the element type of its values.
    template <class Program> constexpr void load_loop(const Program& p, node& n, const vec<int>& map) {
        loop_entry l = p.loops[static_cast<int>(n.bits)];
        const int from = l.from;
        l.from = loop_nodes.size();
        for (int i = 0; i < l.arguments(); ++i) {
            int a = map.at[p.loop_nodes[from + i]];
            a = !in_memory(a, false) ? add_copy(a) : i < l.carried && stored_type(a) != nodes.at[a].type ? in_float(a) : a;
            mark(kept_, base_of.at[a]);
            loop_nodes.push(a);
        }
        for (int i = 0; i < l.parts; ++i) loop_nodes.push(-1);
        n.bits = loops.size();
        loops.push(l);
    }
    template <class Program> constexpr void note_part(const Program& p, int id, int made) {
        const loop_entry& l = loops.at[static_cast<int>(nodes.at[nodes.at[made].in[0]].bits)];
        for (const loop_entry& known : p.loops)
            if (known.region == l.region)
                for (int i = 0; i < l.parts; ++i)
                    if (p.loop_nodes[known.from + known.arguments() + i] == id) loop_nodes.at[l.from + l.arguments() + i] = made;
    }

    constexpr int in_float(int id) { return on_base(id, one_copy(float_copy_, base_of.at[id])); }
    /// A copy that all share who ask for it.
    constexpr int one_copy(vec<int>& copies, int id) {
        if (copies.size() < nodes.size()) copies.resize(nodes.size() + 16, -1);
        if (copies.at[id] < 0) copies.at[id] = add_copy(id);
        return copies.at[id];
    }

    /// The alias `id` on another base.
    constexpr int on_base(int id, int base) {
        if (!is_alias(id)) return base;
        node n = nodes.at[id];
        n.in[0] = on_base(n.in[0], base);
        return push_node(n);
    }

    /// What only fed something that now reads something else is computed nowhere.
    constexpr void forget_unused() {
        vec<char> used(nodes.size(), 0);
        for (int r = 0; r < root_count(); ++r) used[root_node(r)] = 1;
        for (int id = nodes.size() - 1; id >= 0; --id) {
            if (used[id] == 0) is_inline.at[id] = true;
            else
                each_argument(id, [&](int a) { used[a] = 1; });
        }
    }

    constexpr void mark(vec<char>& marks, int id) const {
        if (marks.size() <= id) marks.resize(nodes.size(), 0);
        marks.at[id] = 1;
    }
    static constexpr bool is_marked(const vec<char>& marks, int id) { return id < marks.size() && marks.at[id] != 0; }

    /// Each piece is computed where it belongs; what lies elsewhere already, or belongs elsewhere too, is copied.
    constexpr void claim_pieces(node& n) {
        for (unsigned i = 0; i < 2; ++i) {
            const int base = base_of.at[n.in[i]];
            const bool own = (is_loop(base) || is_call(base) || is_joined(base)) && in_memory(n.in[i], false) && !is_piece(base) && !is_marked(reshaped_, base);
            if (!own) n.in[i] = add_copy(n.in[i]);
            mark(piece_, base_of.at[n.in[i]]);
        }
    }

    constexpr bool finds_inline(int id) const {
        const int base = base_of.at[id];
        if (base != id) return is_inline.at[base];
        const node& n = nodes.at[id];
        if (n.place != placement::given && n.place != placement::loop) return false;
        if (n.what == tag<structure::literal> || n.what == tag<structure::size>) return true;
        if (!one_element(n.shape)) return false;
        if (n.what == tag<structure::input>) return true;
        if (n.what != tag<structure::apply> || root_of(id) >= 0 || is_marked(kept_, id)) return false;
        if (n.fn >= operators::size || !facts_of(n.fn).is_cheap) return false;
        for (int k = 0; k < max_arguments; ++k)
            if (const int a = n.in[k]; a >= 0 && !is_inline.at[a]) return false;
        return true;
    }

    /// Decides which node is stored for each root: the node itself, what a squeeze or a reshape shows, or a copy.
    constexpr void claim_roots() {
        root_of_.assign(nodes.size(), -1);
        for (int r = 0; r < root_count(); ++r) {
            int id = root_node(r);
            const int base = base_of.at[id];
            // Calls and loops write their results in row-major order, whatever shape that is given.
            if (r < outputs_.size() && is_layout(base) && in_memory(id, true)) {
                const int called = base_of.at[nodes.at[base].in[0]];
                if ((is_call(called) || is_loop(called)) && root_of_.at[called] < 0 && !is_piece(called)) {
                    root_of_.at[called] = r;
                    continue;
                }
            }
            const bool own = (is_loop(base) || is_call(base) || is_joined(base) || is_part(base)) && in_memory(id, true) && root_of_.at[base] < 0 && !is_piece(base) &&
                             !(r >= outputs_.size() && reduces(base));
            if (!own) {
                id = add_copy(id);
                root_of_.push(-1);
                if (r < outputs_.size()) outputs_.at[r] = id;
                else updates_.at[r - outputs_.size()].value = id;
            }
            root_of_.at[own ? base : id] = r;
        }
    }

    vec<int> outputs_;
    vec<update_of> updates_;
    vec<int> root_of_;
    vec<char> kept_;      // by node: read from memory by what is no loop, although it could be computed where it is needed
    vec<char> reshaped_;  // by node: its memory is read in another shape
    vec<char> piece_;     // by node: see is_piece
    vec<element> leaf_types_;
    vec<int> float_copy_, ordered_copy_;  // by node: the copy that products of float read, and the one in row-major order that is seen in other shapes, or -1
    bool passed_over_ = false;  // some product reads what was converted for it
};

}  // namespace croton::inline v0_1::detail

#endif
