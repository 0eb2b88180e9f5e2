// SPDX-License-Identifier: MIT
// The memory of a GPU: taken from the pool of the stream, copied through pinned memory, every transfer counted.
#ifndef CROTON_DEVICE_CUDA_MEMORY_HPP
#define CROTON_DEVICE_CUDA_MEMORY_HPP

#include <croton/array/storage.hpp>
#include <croton/array/transfer.hpp>
#include <croton/device/cuda/threads.hpp>

namespace croton::inline v0_1 {

/// Memory of the device that this thread has chosen; a block goes back to the device that it came from. Blocks are given back in the
/// order of the stream, so that a block may be given back while steps that use it still run.
template <> struct memory<cuda> {
    static constexpr bool on_host = false;
    static constexpr std::size_t alignment = 256;

    /// Throws `device_error` that says how much was asked for, is held, and is free.
    static void* allocate(std::size_t bytes) { return bytes == 0 ? nullptr : detail::cuda_device::thread_contexts::allocate(bytes); }

    static void deallocate(void* block, std::size_t bytes) noexcept {
        if (block != nullptr) detail::cuda_device::thread_contexts::deallocate(block, bytes);
    }

    static void zero(void* to, std::size_t bytes) {
        if (bytes != 0) detail::cuda_device::current().zero(to, bytes);
    }
    static void copy(void* to, const void* from, std::size_t bytes) {
        if (bytes != 0) detail::cuda_device::current().copy(to, from, bytes);
    }
    static void copy_from_host(void* to, const void* from, std::size_t bytes) {
        if (bytes != 0) detail::cross(true, bytes, [&] { detail::cuda_device::current().copy_from_host(to, from, bytes); });
    }
    /// Waits for everything that the stream still does.
    static void copy_to_host(void* to, const void* from, std::size_t bytes) {
        if (bytes != 0) detail::cross(false, bytes, [&] { detail::cuda_device::current().copy_to_host(to, from, bytes); });
    }
};

}  // namespace croton::inline v0_1

#endif
