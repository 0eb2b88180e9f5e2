// SPDX-License-Identifier: MIT
// Runs a routine on the GPU: a thread takes row after row, or element after element of what computes those.
#ifndef CROTON_DEVICE_CUDA_ROUTINES_HPP
#define CROTON_DEVICE_CUDA_ROUTINES_HPP

#include <croton/kernel/routine.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace croton::inline v0_1::detail::cuda_device {

/// The argument of the kernel that runs a routine.
struct routine_arguments {
    kernel::routine_call call;
    std::int64_t rows, blocks;

    /// `most` blocks of `threads` threads at most.
    template <class Routine> static routine_arguments of(std::type_identity<Routine>, const kernel::routine_call& c, std::int64_t threads, std::int64_t most) {
        const std::int64_t rows = c.rows() * (kernel::is_of_elements<Routine> ? c.along() : 1);
        return {c, rows, std::min((rows + threads - 1) / threads, most)};
    }
};

template <class Routine, class Types, class Threads> CROTON_DEVICE void run_rows(Threads& t, const routine_arguments& a) {
    for (std::int64_t row = t.block() * t.threads() + t.thread(); row < a.rows; row += a.blocks * t.threads())
        if constexpr (kernel::is_of_elements<Routine>) kernel::run_elements<Routine>(a.call, row, 1, Types());
        else kernel::run_row<Routine, Types>(a.call, row);
}

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
