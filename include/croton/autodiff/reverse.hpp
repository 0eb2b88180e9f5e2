// SPDX-License-Identifier: MIT
// Reverse-mode differentiation: walks the graph backwards and builds the derivative as nodes of the same graph.
#ifndef CROTON_AUTODIFF_REVERSE_HPP
#define CROTON_AUTODIFF_REVERSE_HPP

#include <croton/graph/pull.hpp>
#include <croton/rewrite/sweep.hpp>

namespace croton::inline v0_1::detail {

template <class... Op> constexpr auto pulls_of(type_list<Op...>) {
    return std::array<pull_function, sizeof...(Op)>{&pull_of<Op, Op::arity>...};
}
inline constexpr auto pull_table = pulls_of(operators{});

/// One backward walk. Cotangents may have fewer axes than their node, or extent 1 where it has more: they are repeated only
/// where a product of matrices or the caller needs all of them.
class reverse_walk {
public:
    constexpr explicit reverse_walk(arena& graph) : g(graph) {}

    /// The derivative of the rank-0 node `cost` for each of `wrt`, in their shapes. The cost is differentiated in normal
    /// form, so that its stable forms have stable derivatives.
    constexpr void run(int cost, const vec<int>& wrt, vec<int>& result) {
        vec<int> roots, barrier;
        const int written = cost;
        roots.push(cost);
        for (int i = 0; i < wrt.size(); ++i)
            if (g[wrt[i]].what != kind::input) barrier.push(wrt[i]);
        // An expression that is differentiated for must be found as it was written.
        g.as_written = !barrier.empty();
        normalise(g, roots, barrier, g.fired);
        g.as_written = false;
        if (barrier.empty()) settle(g, roots);
        cost = roots[0];
        g.deriving = true;

        const int count = g.nodes.size();
        depends_.assign(count, 0);
        vec<char> leaf(count, 0);
        for (int i = 0; i < wrt.size(); ++i) depends_[wrt[i]] = leaf[wrt[i]] = 1;
        for (int id = 0; id <= cost; ++id)
            if (is_floating(g[id].type))
                for (int i = 0; i < max_arguments; ++i)
                    if (const int a = g[id].in[static_cast<unsigned>(i)]; a >= 0 && depends_[a] != 0) depends_[id] = 1;
        cotangent_.assign(count, -1);
        cotangent_[cost] = g.literal(arithmetic_of(g[cost].type), 1);
        for (int id = cost; id >= 0; --id)
            if (cotangent_[id] >= 0 && depends_[id] != 0 && (leaf[id] == 0 || any_wanted(g[id]))) pull(id);
        for (int i = 0; i < wrt.size(); ++i) {
            const int d = cotangent_[wrt[i]];
            if (d < 0 && !g.failed() && !reaches(written, wrt[i])) {
                g.error << "grad: the cost does not depend on ";
                g.describe(g.error, wrt[i]);
                g.error << "; take grad only for what the cost is computed from";
            }
            const int derivative = d < 0 ? g.broadcast(g.literal(arithmetic_of(g[wrt[i]].type), 0), g[wrt[i]].shape) : full(d, wrt[i]);
            g.derivatives.push({derivative, written, wrt[i]});
            result.push(derivative);
        }
        g.deriving = false;
    }

private:
    constexpr term make(int id) { return {&g, id}; }
    constexpr int full(int cotangent, int id) { return g.broadcast(cotangent, g[id].shape); }
    constexpr void add(int id, int cotangent) {
        if (g.is_literal(cotangent, 0)) {
            // A zero still says that the cost depends on the node.
            if (cotangent_[id] < 0) cotangent_[id] = cotangent;
            return;
        }
        cotangent_[id] = cotangent_[id] < 0 ? cotangent : (make(cotangent_[id]) + make(cotangent)).id;
    }
    constexpr bool wanted(int a) const { return a >= 0 && depends_[a] != 0; }
    /// Whether the cost as it was written depends on a node, though 0 * w may be gone from its normal form.
    constexpr bool reaches(int from, int to) const {
        vec<char> seen(g.nodes.size(), 0);
        vec<int> open;
        open.push(from);
        while (!open.empty()) {
            const int id = open.back();
            open.pop();
            if (id == to) return true;
            if (seen[id] != 0 || !is_floating(g[id].type)) continue;
            seen[id] = 1;
            for (const int a : g[id].in)
                if (a >= 0) open.push(a);
        }
        return false;
    }
    constexpr bool any_wanted(const node& n) const {
        for (const int a : n.in)
            if (wanted(a)) return true;
        return false;
    }

    constexpr int sum(int x, unsigned axes) { return g.reduce(reduction_code<reduction::sum>, axes, x); }

    /// Sums a cotangent of shape `from` over the axes along which an argument of shape `to` was repeated.
    constexpr int unbroadcast(int c, const detail::shape to, const detail::shape from) {
        unsigned axes = 0;
        size_ref repeated = 1;
        const int rank = g[c].shape.rank;
        for (int i = 0; i < from.rank; ++i) {
            const int in_to = i - (from.rank - to.rank), in_c = i - (from.rank - rank);
            const bool was_repeated = g.find(from[i]) != 1 && (in_to < 0 || g.find(to[in_to]) == 1);
            if (!was_repeated) continue;
            if (in_c >= 0 && g.find(g[c].shape[in_c]) != 1) axes |= 1u << in_c;
            else repeated = g.product(repeated, from[i]);
        }
        c = sum(c, axes);
        if (rank > to.rank) {
            std::array<int, max_rank> source{};
            for (int i = 0; i < to.rank; ++i) source[static_cast<unsigned>(i)] = i + rank - to.rank;
            c = g.view(c, to.rank, source);
        }
        return repeated == 1 ? c : (make(c) * make(g.size(g[c].type, repeated))).id;
    }

    constexpr void pull(int id) {
        const node n = g[id];
        const int a = n.in[0];
        const term c = make(cotangent_[id]);
        switch (n.what) {
        case kind::apply: {
            const bool in_table = n.fn < operators::size;
            if (!in_table && !g.facts(n.fn).differentiable) {
                if (!g.failed())
                    g.error << "grad: " << g.facts(n.fn).name << " has no derivative; give its struct a function pull(g, y, x) "
                            << "that returns the cotangents of its arguments";
                break;
            }
            const pull_function pulls = in_table ? pull_table[n.fn] : g.facts(n.fn).pull;
            const auto parts = pulls(c, make(id), make(a), make(n.in[1]), make(n.in[2]));
            for (int i = 0; i < 3; ++i) {
                const int argument = n.in[static_cast<unsigned>(i)];
                if (wanted(argument) && parts[static_cast<unsigned>(i)])
                    add(argument, unbroadcast(parts[static_cast<unsigned>(i)].id, g[argument].shape, n.shape));
            }
            break;
        }
        case kind::cast:
            if (wanted(a)) add(a, g.cast(arithmetic_of(g[a].type), c.id));
            break;
        case kind::reduce:
            if (wanted(a)) pull_reduce(n, make(id), c);
            break;
        case kind::view: add(a, pull_view(n, c.id)); break;
        case kind::reshape: add(a, g.reshape(full(c.id, id), g[a].shape)); break;
        case kind::broadcast: add(a, unbroadcast(c.id, g[a].shape, n.shape)); break;
        case kind::dot: pull_dot(n, full(c.id, id)); break;
        case kind::softmax: {  // y (c - sum(c y))
            const term y = make(id), cy = c * y;
            add(a, (y * (c - make(sum(cy.id, static_cast<unsigned>(n.bits))))).id);
            break;
        }
        case kind::log_softmax: {
            const int y = g.row_operation(kind::softmax, static_cast<unsigned>(n.bits), a);
            add(a, (c - make(y) * make(sum(full(c.id, id), static_cast<unsigned>(n.bits)))).id);
            break;
        }
        case kind::stand_in: if (wanted(n.in[1])) add(n.in[1], c.id); break;
        case kind::logsumexp: add(a, (c * make(g.row_operation(kind::softmax, static_cast<unsigned>(n.bits), a))).id); break;
        default: break;
        }
    }

    constexpr void pull_reduce(const node& n, term y, term c) {
        const term x = make(n.in[0]);
        const unsigned axes = static_cast<unsigned>(n.bits);
        if (n.fn == reduction_code<reduction::sum>) {
            add(x.id, c.id);
        } else if (n.fn == reduction_code<reduction::max> || n.fn == reduction_code<reduction::min>) {
            const term hits = where_of(x == y, x.literal(1), x.literal(0));
            add(x.id, (c / make(sum(hits.id, axes)) * hits).id);
        } else if (n.fn == reduction_code<reduction::prod>) {
            // The product of the others, which y / x is not where x is 0. Where there are zeros this has lost how it depends on them:
            // it stands in for n products, each with its own element left out.
            const term zero = x == x.literal(0), one_for_zero = where_of(zero, x.literal(1), x);
            const term others = make(g.reduce(n.fn, axes, one_for_zero.id));
            const term zeros = make(sum(where_of(zero, x.literal(1), x.literal(0)).id, axes));
            const term without = where_of(zeros == x.literal(0), others / one_for_zero,
                                          where_of((zeros == x.literal(1)) & zero, others, x.literal(0)));
            add(x.id, (c * make(g.stand_in(without.id, products_of_others(x.id, axes)))).id);
        }
    }

    /// For each element of x the product of the others along the axes, one by one: prod_j (i == j ? 1 : x_j).
    constexpr int products_of_others(int x, unsigned axes) {
        const detail::shape full_shape = g[x].shape;
        const int rank = full_shape.rank;
        // The axes of the product come last, as one.
        std::array<int, max_rank> order{}, back{};
        detail::shape rows, moved;
        rows.rank = 2;
        moved.rank = rank;
        rows[0] = rows[1] = 1;
        int at = 0;
        for (int reduced = 0; reduced < 2; ++reduced)
            for (int i = 0; i < rank; ++i) {
                if (static_cast<int>((axes >> i) & 1u) != reduced) continue;
                rows[reduced] = g.product(rows[reduced], full_shape[i]);
                moved[at] = full_shape[i];
                back[static_cast<unsigned>(i)] = at;
                order[static_cast<unsigned>(at++)] = i;
            }
        const int flat = g.reshape(g.view(x, rank, order), rows);
        const int index = g.arange(size_of(g[x].type) == 8 ? element::int64 : element::int32, rows[1]);
        const term itself = make(g.view(index, 2, {0, new_axis})) == make(g.view(index, 2, {new_axis, 0}));
        const term others = where_of(itself, make(g.literal(g[x].type, 1)), make(g.view(flat, 3, {0, new_axis, 1})));
        const int products = g.view(g.reduce(reduction_code<reduction::prod>, 1u << 2, others.id), 2, {0, 1});
        return g.view(g.reshape(products, moved), rank, back);
    }

    /// Each axis goes back to where the view took it from.
    constexpr int pull_view(const node& n, int c) {
        if (g[c].shape.rank == 0) return c;
        const int rank = g[n.in[0]].shape.rank, lead = n.shape.rank - g[c].shape.rank;
        std::array<int, max_rank> source{};
        for (int i = 0; i < rank; ++i) source[static_cast<unsigned>(i)] = new_axis;
        for (int i = lead; i < n.shape.rank; ++i) {
            const int s = view_axis(n.bits, i);
            if (s != new_axis) source[static_cast<unsigned>(s)] = i - lead;
        }
        return g.view(c, rank, source);
    }

    constexpr void pull_dot(const node& n, int c) {
        const int a = n.in[0], b = n.in[1];
        if (n.shape.rank > 2) {
            if (wanted(a)) add_to_batch(a, outer_or_dot(c, g.transposed(b)));
            // The sum over the batch is that of one product over all of its rows. Those of a view lie otherwise in memory.
            if (wanted(b) && g[b].shape.rank == 2 && g[a].what != kind::view) add(b, g.dot(g.transposed(rows_of(a)), rows_of(c)));
            else if (wanted(b)) add_to_batch(b, outer_or_dot(g.transposed(a), c));
            return;
        }
        if (n.shape.rank == 2) {
            if (wanted(a)) add(a, g.dot(c, g.transposed(b)));
        } else if (wanted(a)) {
            std::array<int, max_rank> column{0, new_axis}, row{new_axis, 0};
            add(a, (make(g.view(c, 2, column)) * make(g.view(b, 2, row))).id);
        }
        if (wanted(b)) add(b, g.dot(g.transposed(a), c));
    }

    constexpr void add_to_batch(int id, int cotangent) { add(id, unbroadcast(cotangent, g[id].shape, g[cotangent].shape)); }

    /// Columns times rows are elementwise, and part of whatever loop they stand in.
    constexpr int outer_or_dot(int x, int y) {
        return g.find(g[x].shape[g[x].shape.rank - 1]) == 1 ? (make(x) * make(y)).id : g.dot(x, y);
    }

    /// The rows of all matrices of a batch as one matrix.
    constexpr int rows_of(int x) {
        const detail::shape& from = g[x].shape;
        detail::shape to;
        to.rank = 2;
        to[0] = 1;
        for (int i = 0; i < from.rank - 1; ++i) to[0] = g.product(to[0], from[i]);
        to[1] = from[from.rank - 1];
        return g.reshape(x, to);
    }

    arena& g;
    vec<char> depends_;
    vec<int> cotangent_;
};

}  // namespace croton::inline v0_1::detail

#endif
