// SPDX-License-Identifier: MIT
// Kernels of single numbers that run one after the other, again and again, each time on what they left.
#ifndef CROTON_KERNEL_TURNS_HPP
#define CROTON_KERNEL_TURNS_HPP

#include <cstddef>
#include <cstdint>

#include <croton/core/element.hpp>

namespace croton::inline v0_1::kernel {

/// What a slot is to the turns of such a kernel.
struct turn_slot {
    enum kind : std::uint8_t {
        memory,    // another place in each turn, or the same one
        fixed,     // the same number in all turns
        number,    // that of the turn
        carried,   // what the turn before has written to the slot `from`; before the first one, what is there
        next,      // what is carried on, which only the last turn leaves in memory
        kept_next, // the same, which each turn leaves there
        within,    // what kernels behind read in the same turn, and nothing else
        passed     // what a kernel before has written to the slot `from` in this turn
    } what = memory;
    element type = element::float32;
    int from = -1;
};

/// How often such kernels run, and what its turns are called: the first one `number`, and each further one `step` more. `stops`, where it is not null, says after a turn whether that was the last.
struct turn_range {
    std::int64_t count, number, step;
    const bool* stops;
};

/// A kernel whose slots begin with number `From` of those of a turn.
template <int From, class Kernel> struct kernel_from {};
/// The kernels of a turn.
template <class... Each> struct turn_kernels {};

}  // namespace croton::inline v0_1::kernel

#endif
