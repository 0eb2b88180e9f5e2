// SPDX-License-Identifier: MIT
// Who gave a block of memory out: it goes back there, whichever device is chosen by then, or to the function whose result lay in it.
#ifndef CROTON_DEVICE_CUDA_OWNERS_HPP
#define CROTON_DEVICE_CUDA_OWNERS_HPP

#include <croton/device/cuda/result_blocks.hpp>

#include <cstddef>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

namespace croton::inline v0_1::detail::cuda_device {

/// The blocks of this process by address. Never destroyed: arrays may be among the last objects of a program.
class owners {
public:
    struct entry {
        void* owner = nullptr;
        result_blocks* results = nullptr;  // of the function that the block was made for
    };

    static owners& get() {
        static owners* const all = new owners;
        return *all;
    }
    void add(void* block, entry of) {
        const std::lock_guard lock(mutex_);
        by_block_[block] = of;
    }
    /// Forgets the block.
    entry take(void* block) noexcept {
        const std::lock_guard lock(mutex_);
        const auto found = by_block_.find(block);
        if (found == by_block_.end()) return {};
        const entry of = found->second;
        by_block_.erase(found);
        return of;
    }

    // Results of functions

    void begin(result_blocks& results, void* owner) {
        const std::lock_guard lock(mutex_);
        live_.insert(&results);
        results.owner = owner;
    }
    void end(result_blocks& results) noexcept {
        const std::lock_guard lock(mutex_);
        live_.erase(&results);
    }
    /// Gives the block to the results that it was made for; false where their function has gone or has no place.
    bool give_back(const entry& of, void* block, std::size_t bytes) noexcept {
        const std::lock_guard lock(mutex_);
        return live_.contains(of.results) && of.results->owner == of.owner && of.results->put(block, bytes);
    }
    void* take_from(result_blocks& results, std::size_t bytes) noexcept {
        const std::lock_guard lock(mutex_);
        return results.take(bytes);
    }
    /// A block that waits for results of any function, and who has its memory, where `wanted(owner)`; or none.
    template <class Wanted> result_blocks::block take_idle(void*& owner, Wanted&& wanted) noexcept {
        const std::lock_guard lock(mutex_);
        for (result_blocks* const each : live_) {
            if (!wanted(each->owner)) continue;
            owner = each->owner;
            if (const auto found = each->take_any(); found.memory != nullptr) return found;
        }
        return {};
    }

private:
    std::mutex mutex_;
    std::unordered_map<void*, entry> by_block_;
    std::unordered_set<result_blocks*> live_;
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
