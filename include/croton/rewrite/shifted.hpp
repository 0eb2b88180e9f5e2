// SPDX-License-Identifier: MIT
// Sums of one array among zeros at several places, as derivatives of neighbours are: it is stored once with a margin, and read at each place.
#ifndef CROTON_REWRITE_SHIFTED_HPP
#define CROTON_REWRITE_SHIFTED_HPP

#include <croton/rewrite/sweep.hpp>

#include <limits>

namespace croton::inline v0_1::detail {

/// (0, v) - (v, 0), the derivative of a difference of neighbours, is p[:-1] - p[1:] where p is (0, v, 0): one array of zeros around v, for one in
/// each term. Every element is the sum it was, in the order it was.
class shifted_pass {
public:
    constexpr shifted_pass(arena& graph, fired_rules& counts) : g(graph), fired(counts) {}

    constexpr void run(vec<int>& roots) {
        const int count = g.nodes.size();
        bool any = false;
        for (int id = 0; id < count && !any; ++id) any = g.nodes.at[id].what == tag<structure::concatenate>;
        if (!any) return;
        const liveness live(g, roots, true);
        vec<int> map;
        rebuild_live(g, roots, live, map, [&](int id) {
            shared_.mark_arguments(g, live, map, id);
            // What belongs to the sum of its only user is looked at there.
            if (!is_sum(id) || (live.uses.at[id] == 1 && live.consumer.at[id] >= 0 && is_part(live.consumer.at[id]))) return -1;
            return shifted(rebuild(g, id, map));
        });
    }

private:
    /// An array among zeros: times a number, and what lies in front of it and behind it along each axis.
    struct window {
        int scaled, array;
        bool moves;
        shape before, behind;
    };
    struct margins {
        int axis = -1, inner = -1;  // inner: -1 where it is none
        size_ref before = 0, behind = 0;
    };

    arena& g;
    fired_rules& fired;
    shared_nodes shared_;
    vec<window> windows_;
    int next_ = 0;

    constexpr bool is_sum(int id) const { return g.is<op::add>(id) || g.is<op::subtract>(id); }
    /// Times a number that leaves zeros as they are.
    constexpr bool is_scaled(int id) const {
        if (!g.is<op::multiply>(id)) return g.is<op::negative>(id);
        constexpr double most = std::numeric_limits<double>::max();
        const int by = g[id].in[1];
        return g.is_literal(by) && g.literal_value(by) >= -most && g.literal_value(by) <= most;
    }
    constexpr bool is_part(int id) const { return is_sum(id) || is_scaled(id) || g[id].what == tag<structure::concatenate>; }

    /// The one piece that is no zeros of what is joined along an axis.
    constexpr margins margins_of(int id) {
        margins m;
        if (g[id].what != tag<structure::concatenate>) return m;
        m.axis = static_cast<int>(g[id].bits);
        return take_pieces(m, id) ? m : margins{};
    }
    constexpr bool take_pieces(margins& m, int id) {
        const node n = g[id];
        if (n.what == tag<structure::concatenate> && n.bits == m.axis) return take_pieces(m, n.in[0]) && take_pieces(m, n.in[1]);
        if (is_zeros(g, id)) {
            size_ref& to = m.inner < 0 ? m.before : m.behind;
            to = g.sum(to, n.shape.extent[m.axis]);
            return true;
        }
        if (m.inner >= 0) return false;
        m.inner = id;
        return true;
    }

    /// Whether a node is a sum of arrays of one shape that nobody else reads.
    constexpr bool may_open(int id) const {
        if (!is_sum(id) || shared_(id)) return false;
        const node& n = g[id];
        return g.same_shape(g[n.in[0]].shape, n.shape) && g.same_shape(g[n.in[1]].shape, n.shape);
    }
    /// Whether it is looked into: among zeros only where something below it stands among zeros.
    constexpr bool is_open_sum(int id, bool below) { return may_open(id) && (!below || holds_window(id)); }
    constexpr bool holds_window(int id) {
        // Of a long sum recursion would go deeper than compilers follow.
        vec<int> open;
        open.push(id);
        while (!open.empty()) {
            int at = open.back();
            open.pop();
            while (is_scaled(at)) at = g[at].in[0];
            if (margins_of(at).inner >= 0) return true;
            if (!may_open(at)) continue;
            open.push(g[at].in[0]);
            open.push(g[at].in[1]);
        }
        return false;
    }

    constexpr void collect(int id, window w) {
        int inner = id;
        while (is_scaled(inner)) inner = g[inner].in[0];
        if (is_open_sum(inner, w.moves)) {
            const node n = g[inner];
            collect(n.in[0], w);
            collect(n.in[1], w);
        } else if (const margins m = margins_of(inner); m.inner >= 0) {
            w.moves = true;
            w.before[m.axis] = g.sum(w.before.extent[m.axis], m.before);
            w.behind[m.axis] = g.sum(w.behind.extent[m.axis], m.behind);
            collect(m.inner, w);
        } else {
            w.scaled = id;
            w.array = inner;
            windows_.push(w);
        }
    }

    constexpr bool reads_alike(const window& a, const window& b) const { return a.moves && b.moves && a.array == b.array; }

    constexpr int shifted(int root) {
        if (!is_open_sum(root, true)) return root;
        windows_.clear();
        next_ = 0;
        window none{-1, -1, false, g[root].shape, g[root].shape};
        for (int i = 0; i < g[root].shape.rank; ++i) none.before[i] = none.behind[i] = 0;
        collect(root, none);
        bool twice = false;
        for (int i = 0; i < windows_.size() && !twice; ++i)
            for (int j = 0; windows_[i].moves && j < i && !twice; ++j) twice = reads_alike(windows_[i], windows_[j]);
        if (!twice) return root;
        fired.add(rule::shifted);
        return read(root, false, g[root].shape);
    }

    /// What `collect` went through, with the arrays read where they stood.
    constexpr int read(int id, bool below, const shape& whole) {
        if (is_scaled(id)) {
            int inner = id;
            while (is_scaled(inner)) inner = g[inner].in[0];
            if (is_open_sum(inner, below) || margins_of(inner).inner >= 0) {
                const int made = read(g[id].in[0], below, whole);
                return g.apply(g[id].fn, made, g[id].in[1]);
            }
        } else if (is_open_sum(id, below)) {
            const node n = g[id];
            const int left = read(n.in[0], below, whole), right = read(n.in[1], below, whole);
            if (g.is<op::negative>(right)) return g.apply(n.fn == code<op::add> ? code<op::subtract> : code<op::add>, left, g[right].in[0]);
            return g.apply(n.fn, left, right);
        } else if (const margins m = margins_of(id); m.inner >= 0) {
            return read(m.inner, true, whole);
        }
        const window w = windows_[next_++];
        return w.moves ? part_of(w, whole) : id;
    }

    constexpr int part_of(const window& w, const shape& whole) {
        // The array as it is scaled, where all are scaled alike; and what the furthest of all need on each side.
        bool alike = true;
        window most = w;
        for (int i = 0; i < whole.rank; ++i) most.before[i] = most.behind[i] = 0;
        for (const window& other : windows_) {
            if (!reads_alike(w, other)) continue;
            alike = alike && other.scaled == w.scaled;
            for (int i = 0; i < whole.rank; ++i) {
                most.before[i] = g.maximum(most.before.extent[i], other.before.extent[i]);
                most.behind[i] = g.maximum(most.behind.extent[i], other.behind.extent[i]);
            }
        }
        int made = alike ? w.scaled : w.array;
        for (int i = whole.rank - 1; i >= 0; --i) {
            made = beside_zeros(made, i, most.before.extent[i], true);
            made = beside_zeros(made, i, most.behind.extent[i], false);
        }
        for (int i = 0; i < whole.rank; ++i)
            made = structure::slice::of(g, made, i, g.difference(most.before.extent[i], w.before.extent[i]), whole.extent[i], 1);
        return alike ? made : scaled_as(w.scaled, made);
    }

    constexpr int beside_zeros(int id, int axis, size_ref extent, bool before) {
        shape s = g[id].shape;
        s[axis] = extent;
        const int zeros = structure::broadcast::of(g, g.literal(g[id].type, 0), s);
        return structure::concatenate::of(g, axis, before ? zeros : id, before ? id : zeros);
    }
    constexpr int scaled_as(int id, int made) {
        if (!is_scaled(id)) return made;
        const node n = g[id];
        return g.apply(n.fn, scaled_as(n.in[0], made), n.in[1]);
    }
};

}  // namespace croton::inline v0_1::detail

#endif
