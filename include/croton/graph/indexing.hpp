// SPDX-License-Identifier: MIT
// The part of a traced array that indices pick.
#ifndef CROTON_GRAPH_INDEXING_HPP
#define CROTON_GRAPH_INDEXING_HPP

#include <croton/core/slice.hpp>
#include <croton/graph/structures.hpp>

namespace croton::inline v0_1::detail {

/// Takes indices one by one, for axis after axis.
class part_taker {
public:
    int id;

    /// `named`: how many of the indices name an axis.
    constexpr part_taker(arena& graph, int of, int named) : id(of), g_(graph), of_(of), named_(named), source_{} {}

    template <std::integral P> constexpr void take(P position) {
        const std::int64_t at = slice_end(position).at;
        const size_ref extent = g_.find(g_[id].shape[axis_]);
        if (g_.demand(of_, axis_, extent, at < 0 ? -at : at + 1, at, demanded::index))
            id = structure::slice::of(g_, id, axis_, at < 0 ? g_.difference(extent, -at) : at, 1, 1);
        ++axis_;
    }
    constexpr void take(const croton::slice& s) {
        if (s.step == 0) {
            if (!g_.failed()) {
                g_.error << "slice: the step along axis " << axis_ << " of ";
                g_.describe(g_.error, of_);
                g_.error << " is 0";
            }
        } else {
            const picked p = pick(g_, s, g_.find(g_[id].shape[axis_]));
            id = structure::slice::of(g_, id, axis_, p.start, p.count, p.step);
        }
        source_[static_cast<unsigned>(rank_++)] = axis_++;
    }
    constexpr void take(none_t) { source_[static_cast<unsigned>(rank_++)] = new_axis; }
    constexpr void take(ellipsis_t) { whole(g_[of_].shape.rank - named_); }

    /// The axes that nothing named stay whole.
    constexpr int taken() {
        whole(g_[of_].shape.rank - axis_);
        return structure::view::of(g_, id, rank_, source_);
    }

private:
    arena& g_;
    int of_, named_, axis_ = 0, rank_ = 0;
    std::array<int, max_rank> source_;

    constexpr void whole(int count) {
        for (; count > 0; --count) source_[static_cast<unsigned>(rank_++)] = axis_++;
    }
};

template <class... I> constexpr int part_of(arena& g, int id, const I&... i) {
    part_taker part(g, id, axes_named<I...>);
    (part.take(i), ...);
    return part.taken();
}

}  // namespace croton::inline v0_1::detail

#endif
