// SPDX-License-Identifier: MIT
// Where the memory of a slot begins for a part of the iterations of a step.
#ifndef CROTON_FUNCTION_PART_OF_STEP_HPP
#define CROTON_FUNCTION_PART_OF_STEP_HPP

#include <croton/kernel/argument.hpp>
#include <croton/plan/view.hpp>

#include <cstddef>
#include <cstdint>

namespace croton::inline v0_1::detail {

/// The slot `slot` of a plan, bound to `whole`, from iteration `from` along an axis on.
inline kernel::operand moved(const plan_view& p, int slot, kernel::operand whole, int axis, std::int64_t from) {
    whole.data += from * whole.stride[static_cast<std::size_t>(axis)] * static_cast<std::int64_t>(size_of(p.buffers[p.slots[slot].buffer].type));
    return whole;
}

}  // namespace croton::inline v0_1::detail

#endif
