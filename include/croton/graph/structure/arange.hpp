// SPDX-License-Identifier: MIT
// 0, 1, ... along one axis.
#ifndef CROTON_GRAPH_STRUCTURE_ARANGE_HPP
#define CROTON_GRAPH_STRUCTURE_ARANGE_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/arena.hpp>

namespace croton::inline v0_1::detail::structure {

struct arange {  // bits: the extent
    static constexpr std::string_view name = "arange"sv;
    static constexpr placement place = placement::given;

    static constexpr int of(arena& g, element type, size_ref extent) {
        node n;
        n.what = tag<arange>;
        n.type = type;
        n.bits = g.find(extent);
        n.shape.rank = 1;
        n.shape.extent[0] = n.bits;
        return g.intern(n);
    }
    static constexpr int again(arena& g, const node& n) { return g.intern(n); }
};

}  // namespace croton::inline v0_1::detail::structure

#endif
