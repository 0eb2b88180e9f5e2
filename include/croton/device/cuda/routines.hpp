// SPDX-License-Identifier: MIT
// Runs a routine on the GPU: in a way of its own, or a thread takes row after row, or element after element of what computes those.
#ifndef CROTON_DEVICE_CUDA_ROUTINES_HPP
#define CROTON_DEVICE_CUDA_ROUTINES_HPP

#include <croton/kernel/routine.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace croton::inline v0_1::detail::cuda_device {

/// The argument of the kernel that runs a routine row by row.
struct routine_arguments {
    kernel::routine_call call;
    std::int64_t rows, blocks;

    /// `most` blocks of `threads` threads at most.
    template <class Routine> static routine_arguments of(std::type_identity<Routine>, const kernel::routine_call& c, std::int64_t threads, std::int64_t most) {
        const std::int64_t rows = c.rows() * (kernel::is_of_elements<Routine> ? c.along() : 1);
        return {c, rows, std::min((rows + threads - 1) / threads, most)};
    }
};

/// What the blocks of a launch do, as every such struct: `shared_bytes` of memory that a block has for itself, and `run`, which one thread does.
template <class Routine, class... Element> struct routine_rows {
    static constexpr std::size_t shared_bytes = 0;
    template <class Threads> CROTON_DEVICE static void run(Threads& t, const routine_arguments& a) {
        for (std::int64_t row = t.block() * t.threads() + t.thread(); row < a.rows; row += a.blocks * t.threads())
            if constexpr (kernel::is_of_elements<Routine>) kernel::run_elements<Routine>(a.call, row, 1, kernel::routine_types<Element...>());
            else kernel::run_row<Routine, kernel::routine_types<Element...>>(a.call, row);
    }
};

/// A routine row by row. `Platform` has `threads`, `run_blocks(type, count, argument)`, which launches what stands above, and
/// `resident_blocks(type, argument)`: how many of them run at once.
template <class Platform, class Routine, class... Element> void run_rows(const kernel::routine_call& c, kernel::routine_types<Element...>) {
    constexpr std::type_identity<routine_rows<Routine, Element...>> body;
    const auto a = routine_arguments::of(std::type_identity<Routine>(), c, Platform::threads, Platform::resident_blocks(body, routine_arguments()));
    Platform::run_blocks(body, a.blocks, a);
}

/// What a routine does on this device. A specialisation is a better way for one; it has the same members. `room`: bytes to work in.
template <class Routine, class Types> struct routine_body {
    template <class Platform> static std::int64_t room(const kernel::routine_call&) { return 0; }
    template <class Platform> static void run(const kernel::routine_call& c, std::byte*) { run_rows<Platform, Routine>(c, Types()); }
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
