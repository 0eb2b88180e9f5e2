// SPDX-License-Identifier: MIT
// What the turns of a loop call what they are given and what they leave.
#ifndef CROTON_EXPLAIN_LOOP_NAMES_HPP
#define CROTON_EXPLAIN_LOOP_NAMES_HPP

#include <croton/explain/formula.hpp>

namespace croton::inline v0_1::detail {

/// What the region of step `step` of a plan calls things.
template <class Plan> notation region_names(const program_view& region, const Plan& outer, int step) {
    const loop_entry& l = outer.loop(step);
    notation names{region};
    for (int k = 0; k < l.carried; ++k) names.leaf_names.push_back(notation::state(l, k));
    for (int j = 0; j < l.sequences; ++j) names.leaf_names.push_back(outer.seen(step, l.carried + j) + "[" + notation::turn(l) + "]");
    for (int c = 0; c < l.captured; ++c) names.leaf_names.push_back(outer.seen(step, l.carried + l.sequences + c));
    names.leaf_names.push_back(notation::turn(l));
    for (int k = 0; k < l.carried; ++k) names.output_names.push_back("next " + notation::state(l, k));
    const int stacked_to = region.output_count - (l.stops ? 1 : 0);
    for (int i = l.carried; i < stacked_to; ++i) names.output_names.push_back(notation::stacked(l, i - l.carried));
    if (l.stops) names.output_names.push_back("until");
    names.sized = outer.names.sized == nullptr ? outer.names.leaves : outer.names.sized;
    names.sized_count = outer.names.sized == nullptr ? outer.names.leaf_count : outer.names.sized_count;
    names.depth = outer.names.depth + 1;
    return names;
}

/// Whether only derivatives asked for result `part` of a loop of the program.
template <class Plan> bool is_stored_for_derivatives(const Plan& outer, const loop_entry& l, int part) {
    const node& n = outer.nodes[outer.names.part(l, part)];
    return !l.derived && n.derived && part_role(n.bits) != loop_result::last;
}
/// Whether a node of a loop's turns is one of the program that a derivative computes again.
inline bool is_computed_again(const loop_entry& l, const node& n) {
    const bool has_memory = !is_seen_anywhere(n) && n.what != tag<structure::input> && n.what != tag<structure::broadcast> && n.what != tag<structure::repeat>;
    return (l.derived || l.again) && !n.derived && has_memory;
}

}  // namespace croton::inline v0_1::detail

#endif
