// SPDX-License-Identifier: MIT
// Products of several arrays, summed over some of their axes, as products of matrices in the order that costs least.
#ifndef CROTON_OPS_CONTRACTION_HPP
#define CROTON_OPS_CONTRACTION_HPP

#include <bit>
#include <cstdint>

#include <croton/ops/filled.hpp>
#include <croton/ops/linalg.hpp>

namespace croton::inline v0_1::detail {

/// Which axis of an operand is which: labels are numbers below `label_limit`, in a set bits.
inline constexpr int label_limit = 64;
using label_set = std::uint64_t;
constexpr label_set set_of(int label) { return label_set{1} << label; }

/// Labels in an order.
struct label_list {
    int count = 0;
    int label[2 * max_rank]{};

    constexpr void push(int l) { label[count++] = l; }
    constexpr void push(const label_list& others) {
        for (int i = 0; i < others.count; ++i) push(others.label[i]);
    }
    constexpr int find(int l) const {
        for (int i = 0; i < count; ++i)
            if (label[i] == l) return i;
        return -1;
    }
    constexpr label_set all() const {
        label_set s = 0;
        for (int i = 0; i < count; ++i) s |= set_of(label[i]);
        return s;
    }
    constexpr bool starts_as(const label_list& others) const {
        for (int i = 0; i < others.count; ++i)
            if (i >= count || label[i] != others.label[i]) return false;
        return true;
    }
    /// Those that are in a set.
    constexpr label_list in(label_set wanted) const {
        label_list l;
        for (int i = 0; i < count; ++i)
            if ((wanted & set_of(label[i])) != 0) l.push(label[i]);
        return l;
    }
};

/// An array whose axes have labels, each once.
struct labelled {
    int node = -1;
    label_list axes;
};

/// The operands of one contraction, and the extents of its labels. `Tie` says whose it is.
class contraction {
public:
    constexpr contraction(arena& g, int tied_by) : g_(g), tied_by_(tied_by) {}

    /// Adds an operand; a label that stands at two of its axes means the diagonal.
    constexpr void add(int node, const label_list& axes) {
        labelled x{node, axes};
        for (int i = 0; i < x.axes.count; ++i) {
            meet(node, i, axes.label[i]);
            for (int j = i + 1; j < x.axes.count; ++j)
                if (x.axes.label[i] == x.axes.label[j]) x = diagonal(x, i, j--);
        }
        operands_.push(x);
    }

    /// The product, summed over every label that is not in the result, in the order of the result.
    constexpr int run(const label_list& result) {
        result_ = result;
        for (int i = 0; i < operands_.size(); ++i) operands_[i] = stretched(operands_[i]);
        for (int i = 0; i < operands_.size(); ++i) operands_[i] = summed(operands_[i], kept_outside(1u << i));
        while (operands_.size() > search_limit) merge_cheapest();
        return g_.failed() ? operands_[0].node : arranged(best_product(), result_);
    }

private:
    static constexpr int search_limit = 8;
    /// What an extent counts for that only the call knows.
    static constexpr double usual_extent = 100;

    arena& g_;
    int tied_by_;
    vec<labelled> operands_;
    label_list result_;
    size_ref extent_[label_limit]{};
    int met_by_[label_limit]{};  // 1 + the node whose axis gave the extent

    constexpr void meet(int node, int axis, int label) {
        const size_ref n = g_[node].shape[axis];
        size_ref& known = extent_[label];
        if (met_by_[label] == 0 || g_.find(known) == 1) {
            known = n;
            met_by_[label] = node + 1;
        } else if (g_.find(n) != 1 && !g_.unify(known, n, tied_by_) && !g_.failed()) {
            g_.error << tie::name(tied_by_) << ": ";
            g_.say_extents(met_by_[label] - 1, known, node, n, axis);
        }
    }

    /// Without the axes of extent 1 along which others have more: these are repeated.
    constexpr labelled stretched(const labelled& x) {
        unsigned dropped = 0;
        for (int i = 0; i < x.axes.count; ++i)
            if (g_.find(g_[x.node].shape[i]) == 1 && g_.find(extent_[x.axes.label[i]]) != 1) dropped |= 1u << i;
        return without(x, x.node, dropped);
    }

    constexpr labelled without(const labelled& x, int node, unsigned dropped) {
        if (dropped == 0) return {node, x.axes};
        labelled y{drop_axes(g_, node, dropped), {}};
        for (int i = 0; i < x.axes.count; ++i)
            if ((dropped >> i & 1u) == 0) y.axes.push(x.axes.label[i]);
        return y;
    }

    constexpr labelled diagonal(const labelled& x, int i, int j) {
        const int rank = x.axes.count;
        const size_ref n = g_[x.node].shape[i];
        if (!g_.unify(n, g_[x.node].shape[j], tied_by_) && !g_.failed()) {
            g_.error << tie::name(tied_by_) << ": ";
            g_.say_extents(x.node, n, x.node, g_[x.node].shape[j], j, false);
        }
        if (g_.failed()) return without(x, x.node, 0);
        const int picked = structure::gather::of(g_, x.node, index_along(g_, element::int64, n, i, rank), j, true);
        return without(x, picked, 1u << j);
    }

    constexpr labelled summed(const labelled& x, label_set kept) {
        unsigned gone = 0;
        for (int i = 0; i < x.axes.count; ++i)
            if ((kept & set_of(x.axes.label[i])) == 0) gone |= 1u << i;
        return gone == 0 ? x : without(x, structure::reduce::of(g_, reduction_code<reduction::sum>, gone, x.node), gone);
    }

    /// The labels that somebody besides these operands has: another one, or the result.
    constexpr label_set kept_outside(unsigned operands) const {
        label_set kept = result_.all();
        for (int i = 0; i < operands_.size(); ++i)
            if ((operands >> i & 1u) == 0) kept |= operands_[i].axes.all();
        return kept;
    }

    constexpr double count(label_set labels) const {
        double n = 1;
        for (; labels != 0; labels &= labels - 1) {
            const size_ref e = g_.find(extent_[std::countr_zero(labels)]);
            n *= e >= 0 ? static_cast<double>(e) : usual_extent;
        }
        return n;
    }

    constexpr void merge_cheapest() {
        int a = 0, b = 1;
        double least = -1;
        for (int i = 0; i < operands_.size(); ++i)
            for (int j = i + 1; j < operands_.size(); ++j) {
                const double cost = count(operands_[i].axes.all() | operands_[j].axes.all());
                if (least >= 0 && cost >= least) continue;
                least = cost;
                a = i;
                b = j;
            }
        label_set kept = result_.all();
        for (int i = 0; i < operands_.size(); ++i)
            if (i != a && i != b) kept |= operands_[i].axes.all();
        operands_[a] = product(operands_[a], operands_[b], kept);
        operands_[b] = operands_.back();
        operands_.pop();
    }

    /// Of all orders the one of the fewest products of numbers.
    constexpr labelled best_product() {
        const unsigned all = (1u << operands_.size()) - 1;
        double cost[1u << search_limit]{};
        unsigned part[1u << search_limit]{};
        label_set labels[1u << search_limit]{};
        for (unsigned set = 1; set <= all; ++set) {
            for (int i = 0; i < operands_.size(); ++i)
                if ((set >> i & 1u) != 0) labels[set] |= operands_[i].axes.all();
            labels[set] &= kept_outside(set);
            if (std::has_single_bit(set)) continue;
            cost[set] = -1;
            for (unsigned a = (set - 1) & set; a > (set & ~a); a = (a - 1) & set) {
                const unsigned b = set & ~a;
                const double here = cost[a] + cost[b] + count(labels[a] | labels[b]);
                if (cost[set] >= 0 && here >= cost[set]) continue;
                cost[set] = here;
                part[set] = (a & (set & (~set + 1))) != 0 ? a : b;  // the one with the first operand is on the left
            }
        }
        return product_of(all, part);
    }
    constexpr labelled product_of(unsigned set, const unsigned* part) {
        if (std::has_single_bit(set)) return operands_[std::countr_zero(set)];
        const labelled a = product_of(part[set], part), b = product_of(set & ~part[set], part);
        return product(a, b, kept_outside(set));
    }

    constexpr bool fits(int rank) {
        if (rank > max_rank && !g_.failed()) g_.error << tie::name(tied_by_) << ": a product of two operands has " << rank << " axes; the rank of an expression is 0 to 8";
        return !g_.failed();
    }

    /// The product of two, summed over what nobody else has. What both have and sum is the inner side of a product of matrices, what both have and keep
    /// counts matrices.
    constexpr labelled product(const labelled& a, const labelled& b, label_set kept) {
        const label_set both = a.axes.all() & b.axes.all();
        const label_list batch = result_.in(both & kept).count == std::popcount(both & kept) ? result_.in(both & kept) : a.axes.in(both & kept);
        const label_list inner = a.axes.in(both & ~kept), rows = a.axes.in(~both), columns = b.axes.in(~both);
        if (!fits(batch.count + rows.count + columns.count)) return a;
        if (inner.count == 0 || (rows.count == 0 && columns.count == 0)) return elementwise_product(a, b, kept);
        // So that the matrices of products with a vector each need not be transposed.
        if (batch.count > 0 && (rows.count == 0 || columns.count == 0)) {
            const label_list order = rows.count == 0 ? b.axes.in(~batch.all()) : a.axes.in(~batch.all());
            const bool inner_first = order.starts_as(inner);
            return inner_first == (rows.count == 0) ? matrix_product(a, b, batch, rows, inner, columns) : matrix_product(b, a, batch, columns, inner, rows);
        }
        // So that the result need not be transposed.
        label_list swapped = batch;
        swapped.push(columns);
        swapped.push(rows);
        return result_.starts_as(swapped) ? matrix_product(b, a, batch, columns, inner, rows) : matrix_product(a, b, batch, rows, inner, columns);
    }

    constexpr labelled elementwise_product(const labelled& a, const labelled& b, label_set kept) {
        labelled both{-1, a.axes};
        both.axes.push(b.axes.in(~a.axes.all()));
        if (!fits(both.axes.count)) return a;
        both.node = g_.apply(code<op::multiply>, arranged(a, both.axes), arranged(b, both.axes));
        return summed(both, kept);
    }

    constexpr labelled matrix_product(const labelled& a, const labelled& b, const label_list& batch, const label_list& rows, const label_list& inner,
                                      const label_list& columns) {
        // Rows that lie along several axes are those of one matrix where their strides allow, which the call sees.
        if (rows.count > 1 && columns.count == 1 && batch.count + rows.count <= max_rank - 2) {
            label_list outer = batch, last;
            for (int i = 0; i + 1 < rows.count; ++i) outer.push(rows.label[i]);
            last.push(rows.label[rows.count - 1]);
            return matrix_product(a, b, outer, last, inner, columns);
        }
        labelled made{-1, batch};
        made.axes.push(rows);
        made.axes.push(columns);
        const bool one_batch = batch.count > max_rank - 3;
        if (batch.count == 0 && rows.count == 0)
            made.node = structure::dot::of(g_, merged(b, batch, columns, inner, false, false), merged(a, batch, rows, inner, false, false));
        else
            made.node = structure::dot::of(g_, merged(a, batch, rows, inner, batch.count > 0, one_batch), merged(b, batch, inner, columns, batch.count > 0, one_batch));
        // Of several axes that were one, and of those that were none.
        shape to;
        for (int i = 0; i < made.axes.count; ++i) to[to.rank++] = extent_[made.axes.label[i]];
        if (!one_batch && rows.count == 1 && columns.count == 1) return made;
        if (!one_batch && rows.count <= 1 && columns.count <= 1 && batch.count == 0) return made;
        if (!one_batch && rows.count <= 1 && columns.count <= 1) made.node = drop_axes(g_, made.node, 1u << (batch.count + rows.count));
        else made.node = structure::reshape::of(g_, made.node, to);
        return made;
    }

    /// As a matrix for each of the batch: one axis for `first` and one for `second`, which is left out, or has extent 1, where there are no such labels.
    constexpr int merged(const labelled& x, const label_list& batch, const label_list& first, const label_list& second, bool always_matrix, bool one_batch) {
        label_list order = batch;
        order.push(first);
        order.push(second);
        shape to;
        const auto add = [&](const label_list& labels, bool always) {
            if (labels.count == 0 && !always) return;
            size_ref n = 1;
            for (int i = 0; i < labels.count; ++i) n = g_.product(n, extent_[labels.label[i]]);
            to[to.rank++] = n;
        };
        if (one_batch) {
            add(batch, false);
        } else {
            for (int i = 0; i < batch.count; ++i) to[to.rank++] = x.axes.find(batch.label[i]) < 0 ? 1 : extent_[batch.label[i]];
        }
        add(first, always_matrix);
        add(second, always_matrix);
        const int node = arranged(x, order);
        if (!one_batch && first.count == 1 && second.count == 1) return node;
        if (!one_batch && first.count + second.count == 1)
            return always_matrix ? insert_axes(g_, node, 1u << (batch.count + first.count), to.rank) : node;
        return structure::reshape::of(g_, node, to);
    }

    /// The axes in an order, those that are missing with extent 1.
    constexpr int arranged(const labelled& x, const label_list& order) {
        std::array<int, max_rank> source{};
        for (int i = 0; i < order.count; ++i) {
            const int from = x.axes.find(order.label[i]);
            source[static_cast<unsigned>(i)] = from < 0 ? new_axis : from;
        }
        return structure::view::of(g_, x.node, order.count, source);
    }
};

}  // namespace croton::inline v0_1::detail

#endif
