// SPDX-License-Identifier: MIT
// The numbers of an argument that name classes or places along an axis: checked before anything runs.
#ifndef CROTON_GRAPH_BOUNDS_HPP
#define CROTON_GRAPH_BOUNDS_HPP

#include <cstdint>
#include <string_view>

#include <croton/graph/node.hpp>

namespace croton::inline v0_1::detail {

/// What the numbers are for.
enum class bound_of : std::uint8_t { labels, take, take_along_axis, add_at, set_at, segment_sum, bincount };

constexpr std::string_view name_of(bound_of who) {
    constexpr std::string_view names[] = {"cross_entropy", "take", "take_along_axis", "add_at", "set_at", "segment_sum", "bincount"};
    return names[static_cast<int>(who)];
}

/// What messages call them.
constexpr std::string_view noun_of(bound_of who) { return who == bound_of::labels ? "label" : "index"; }
constexpr std::string_view plural_of(bound_of who) { return who == bound_of::labels ? "labels" : "indices"; }

/// Whether negative numbers count from the end.
constexpr bool counts_from_end(bound_of who) { return who != bound_of::labels && who != bound_of::segment_sum && who != bound_of::bincount; }

/// Every element of `leaf` is below `limit`, and not below 0, or, where the end counts, -`limit`.
struct bound_check {
    int leaf = -1;
    size_ref limit = 0;
    bound_of who = bound_of::labels;
};

}  // namespace croton::inline v0_1::detail

#endif
