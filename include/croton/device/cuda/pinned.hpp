// SPDX-License-Identifier: MIT
// Pinned memory that copies between the host and a stream go through.
#ifndef CROTON_DEVICE_CUDA_PINNED_HPP
#define CROTON_DEVICE_CUDA_PINNED_HPP

#include <croton/device/cuda/check.hpp>

#include <cstddef>

namespace croton::inline v0_1::detail::cuda_device {

/// A ring: each part has an event behind the last copy that uses it.
class pinned_ring {
public:
    static constexpr std::size_t part_bytes = std::size_t{1} << 20;

    std::byte* next(std::size_t bytes, cudaStream_t stream) {
        part* p = &ring_[turn_];
        if (p->memory != nullptr && p->filled + bytes <= part_bytes) {
            std::byte* at = p->memory + p->filled;
            p->filled += (bytes + 63) / 64 * 64;
            return at;
        }
        if (p->memory != nullptr) check(cudaEventRecord(p->used, stream), "cudaEventRecord");
        turn_ = (turn_ + 1) % parts;
        p = &ring_[turn_];
        if (p->memory == nullptr) {
            void* made = nullptr;
            check(cudaMallocHost(&made, part_bytes), "cudaMallocHost");
            p->memory = static_cast<std::byte*>(made);
            check(cudaEventCreateWithFlags(&p->used, cudaEventDisableTiming), "cudaEventCreateWithFlags");
        } else {
            check(cudaEventSynchronize(p->used), "cudaEventSynchronize");
        }
        p->filled = (bytes + 63) / 64 * 64;
        return p->memory;
    }
    void mark(const std::byte* at, cudaStream_t stream) { check(cudaEventRecord(part_of(at).used, stream), "cudaEventRecord"); }
    void wait(const std::byte* at) { check(cudaEventSynchronize(part_of(at).used), "cudaEventSynchronize"); }

private:
    static constexpr int parts = 4;
    struct part {
        std::byte* memory = nullptr;
        cudaEvent_t used = nullptr;
        std::size_t filled = 0;
    };
    part& part_of(const std::byte* at) {
        for (part& p : ring_)
            if (p.memory != nullptr && at >= p.memory && at < p.memory + part_bytes) return p;
        return ring_[0];
    }

    part ring_[parts];
    int turn_ = 0;
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
