// SPDX-License-Identifier: MIT
// Runs a routine on the GPU: a thread takes row after row.
#ifndef CROTON_DEVICE_CUDA_ROUTINES_HPP
#define CROTON_DEVICE_CUDA_ROUTINES_HPP

#include <croton/kernel/routine.hpp>

#include <algorithm>
#include <cstdint>

namespace croton::inline v0_1::detail::cuda_device {

/// The argument of the kernel that runs a routine.
struct routine_arguments {
    kernel::routine_call call;
    std::int64_t rows, blocks;

    /// `most` blocks of `threads` threads at most.
    static routine_arguments of(const kernel::routine_call& c, std::int64_t threads, std::int64_t most) {
        const std::int64_t rows = c.rows();
        return {c, rows, std::min((rows + threads - 1) / threads, most)};
    }
};

template <class Routine, class Types, class Threads> CROTON_DEVICE void run_rows(Threads& t, const routine_arguments& a) {
    for (std::int64_t row = t.block() * t.threads() + t.thread(); row < a.rows; row += a.blocks * t.threads())
        kernel::run_row<Routine, Types>(a.call, row);
}

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
