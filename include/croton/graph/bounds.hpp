// SPDX-License-Identifier: MIT
// What is checked of the arguments before anything runs: numbers that name classes or places along an axis, and extents.
#ifndef CROTON_GRAPH_BOUNDS_HPP
#define CROTON_GRAPH_BOUNDS_HPP

#include <cstdint>
#include <string_view>

#include <croton/core/literals.hpp>
#include <croton/core/text.hpp>
#include <croton/graph/node.hpp>

namespace croton::inline v0_1::detail {

/// What the numbers are for.
enum class bound_of : std::uint8_t { labels, take, take_along_axis, add_at, set_at, segment_sum, segment_max, segment_min, segment_prod, bincount, max_unpool };

constexpr std::string_view name_of(bound_of who) {
    constexpr std::string_view names[] = {"cross_entropy"sv, "take"sv, "take_along_axis"sv, "add_at"sv, "set_at"sv, "segment_sum"sv, "segment_max"sv, "segment_min"sv, "segment_prod"sv, "bincount"sv, "max_unpool"sv};
    return names[static_cast<int>(who)];
}

/// What messages call them.
constexpr std::string_view noun_of(bound_of who) { return who == bound_of::labels ? "label" : "index"; }
constexpr std::string_view plural_of(bound_of who) { return who == bound_of::labels ? "labels" : "indices"; }

/// Whether negative numbers count from the end.
constexpr bool counts_from_end(bound_of who) { return who > bound_of::labels && who < bound_of::segment_sum; }

/// Every element of `leaf` is below `limit`, and not below 0, or, where the end counts, -`limit`.
struct bound_check {
    int leaf = -1;
    size_ref limit = 0;
    bound_of who = bound_of::labels;
};

/// What needs so many elements: one of an index, as many as `pad` adds, or a window of so many.
enum class demanded : std::uint8_t { index, pad, window, choice, central_differences };

/// Checked when the function is called: an axis has at least so many elements, for an index that names one for what is padded with them or for a window.
struct extent_demand {
    size_ref extent = 0;
    std::int64_t least = 0, index = 0;
    int axis = 0;
    int of = -1;  // what the array is called, an entry of the names
    demanded by = demanded::index;

    /// Says what is wrong with an extent.
    [[gnu::cold]] constexpr void say(text_builder& text, std::string_view called, std::int64_t has) const {
        const bool pads = by == demanded::pad;
        if (by == demanded::window) {
            text << "a window of " << index << " does not fit into axis " << axis << " of " << called << ", which has extent " << has;
            if (least != index) text << " without its padding";
            return;
        }
        if (by == demanded::choice) {
            text << "choice: axis " << axis << " of " << called << " has extent " << has << ", of which " << least << " cannot be drawn without replacement";
            return;
        }
        if (by == demanded::central_differences) {
            text << "central_differences: axis " << axis << " of " << called << " has extent " << has << ", but a slope is one between " << least << " elements";
            return;
        }
        text << (pads ? "pad: " : "index ") << index
             << (!pads ? " is outside axis " : index == 1 ? " element in front of or behind axis " : " elements in front of or behind axis ") << axis << " of "
             << called << (pads ? (index == 1 ? " takes " : " take ") : ", which has extent ") << (pads ? least : has);
        if (pads) text << " to make them of, but it has extent " << has;
    }
};

}  // namespace croton::inline v0_1::detail

#endif
