// SPDX-License-Identifier: MIT
// Nodes that share one loop.
#ifndef CROTON_PLAN_LOOP_GROUP_HPP
#define CROTON_PLAN_LOOP_GROUP_HPP

#include <croton/plan/plan.hpp>

namespace croton::inline v0_1::detail {

struct loop_group {
    int level = 0;
    int axes = 0;
    size_ref extent[max_rank]{};
    unsigned row_axes = 0;  // reduced inside the group and used there again: softmax rows; 0 where there are none
    int spread = -1;        // the sum of squares that all of it is computed for, see spread_marks
    int first = -1, last = -1;  // members, a linked list in order of their numbers
    int size = 0;
    bool reduces = false;  // a member does
    bool alive = true;
};

}  // namespace croton::inline v0_1::detail

#endif
