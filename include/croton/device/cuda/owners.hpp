// SPDX-License-Identifier: MIT
// Who gave a block of memory out: it goes back there, whichever device is chosen by then.
#ifndef CROTON_DEVICE_CUDA_OWNERS_HPP
#define CROTON_DEVICE_CUDA_OWNERS_HPP

#include <mutex>
#include <unordered_map>

namespace croton::inline v0_1::detail::cuda_device {

/// The blocks of this process by address. Never destroyed: arrays may be among the last objects of a program.
class owners {
public:
    static owners& get() {
        static owners* const all = new owners;
        return *all;
    }
    void add(void* block, void* owner) {
        const std::lock_guard lock(mutex_);
        by_block_[block] = owner;
    }
    /// Forgets the block.
    void* take(void* block) noexcept {
        const std::lock_guard lock(mutex_);
        const auto found = by_block_.find(block);
        if (found == by_block_.end()) return nullptr;
        void* const owner = found->second;
        by_block_.erase(found);
        return owner;
    }

private:
    std::mutex mutex_;
    std::unordered_map<void*, void*> by_block_;
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
