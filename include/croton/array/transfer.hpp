// SPDX-License-Identifier: MIT
// Who is told of copies between the host and the memory of a device.
#ifndef CROTON_ARRAY_TRANSFER_HPP
#define CROTON_ARRAY_TRANSFER_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <croton/core/clock.hpp>

namespace croton::inline v0_1::detail {

/// Called with the direction, the bytes and the nanoseconds that the host spent on the copy.
using transfer_listener = void (*)(bool to_device, std::int64_t bytes, std::int64_t time);

/// Null until the program makes a profile.
inline constinit std::atomic<transfer_listener> listens_to_transfers{nullptr};

/// Runs a copy and tells of it.
template <class Copy> void cross(bool to_device, std::size_t bytes, Copy&& copy) {
    const transfer_listener tell = listens_to_transfers.load(std::memory_order_relaxed);
    if (tell == nullptr) return copy();
    const std::int64_t start = system_nanoseconds();
    copy();
    tell(to_device, static_cast<std::int64_t>(bytes), system_nanoseconds() - start);
}

}  // namespace croton::inline v0_1::detail

#endif
