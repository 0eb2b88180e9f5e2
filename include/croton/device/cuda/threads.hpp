// SPDX-License-Identifier: MIT
// The contexts of a host thread, the device that it has chosen, and whose memory is whose.
#ifndef CROTON_DEVICE_CUDA_THREADS_HPP
#define CROTON_DEVICE_CUDA_THREADS_HPP

#include <croton/device/cuda/context.hpp>
#include <croton/device/cuda/owners.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace croton::inline v0_1::detail::cuda_device {

/// Contexts outlive the threads that use them and are never destroyed: the driver ends before static objects do.
class context_pool {
public:
    static context_pool& get() {
        static context_pool* const pool = new context_pool;
        return *pool;
    }
    context* take(int device) {
        {
            const std::lock_guard lock(mutex_);
            for (std::size_t i = 0; i < idle_.size(); ++i)
                if (idle_[i]->device() == device) {
                    context* c = idle_[i];
                    idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(i));
                    return c;
                }
        }
        return std::make_unique<context>(device).release();
    }
    void give_back(context* c) {
        const std::lock_guard lock(mutex_);
        idle_.push_back(c);
    }

private:
    std::mutex mutex_;
    std::vector<context*> idle_;
};

/// The contexts of this thread, by device, and the device that is chosen.
class thread_contexts {
public:
    static thread_contexts& get() {
        static thread_local thread_contexts mine;
        return mine;
    }
    ~thread_contexts() {
        ended_ = true;
        current_ = nullptr;
        for (context* c : made_) context_pool::get().give_back(c);
    }
    int device() const { return device_; }
    void select(int device) {
        if (device == device_ && current_ != nullptr) return;
        int count = 0;
        check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
        if (device < 0 || device >= count)
            throw device_error("there is no CUDA device " + std::to_string(device) + ": this machine has " + std::to_string(count));
        check(cudaSetDevice(device), "cudaSetDevice");
        device_ = device;
        current_ = of_device(device);
    }
    context& current() {
        if (current_ == nullptr) {
            select(device_);
            if (current_ == nullptr) {
                made_.reserve(made_.size() + 1);
                current_ = context_pool::get().take(device_);
                made_.push_back(current_);
            }
        }
        return *current_;
    }

    static void* allocate(std::size_t bytes) {
        context& c = get().current();
        result_blocks* const results = results_ != nullptr && results_->owner == &c && !c.captures() ? results_ : nullptr;
        void* block = results != nullptr ? owners::get().take_from(*results, bytes) : nullptr;
        if (block == nullptr) block = allocate_on(c, bytes);
        try {
            owners::get().add(block, {&c, results});
        } catch (...) {
            c.deallocate(block, bytes);
            throw;
        }
        return block;
    }
    /// On the device that the block is of, whichever is chosen: behind what its thread has queued, and behind what this one has.
    static void deallocate(void* block, std::size_t bytes) noexcept {
        const owners::entry of = owners::get().take(block);
        auto* const owner = static_cast<context*>(of.owner);
        if (owner == nullptr) return;
        if (current_ == owner && of.results != nullptr && !owner->captures() && owners::get().give_back(of, block, bytes)) return;
        give_back(*owner, block, bytes);
    }

    /// While one lives, blocks that this thread takes are those of results of one function.
    class for_results {
    public:
        explicit for_results(result_blocks& results) noexcept : before_(std::exchange(results_, &results)) {}
        for_results(const for_results&) = delete;
        for_results& operator=(const for_results&) = delete;
        ~for_results() { results_ = before_; }

    private:
        result_blocks* before_;
    };
    /// Its function ends: what has come back goes where it was taken.
    static void end(result_blocks& results) noexcept {
        owners::get().end(results);
        for (auto idle = results.take_any(); idle.memory != nullptr; idle = results.take_any()) give_back(*static_cast<context*>(results.owner), idle.memory, idle.bytes);
    }

private:
    /// Another device for as long as it lives, of the runtime and not of this thread's choice.
    class device_guard {
    public:
        explicit device_guard(int device) noexcept {
            if (cudaGetDevice(&before_) != cudaSuccess || before_ == device) before_ = -1;
            else (void)cudaSetDevice(device);
        }
        device_guard(const device_guard&) = delete;
        device_guard& operator=(const device_guard&) = delete;
        ~device_guard() {
            if (before_ >= 0) (void)cudaSetDevice(before_);
        }

    private:
        int before_ = -1;
    };

    static void give_back(context& owner, void* block, std::size_t bytes) noexcept {
        if (current_ == &owner) [[likely]] return owner.deallocate(block, bytes);
        const device_guard here(owner.device());
        context* mine = ended_ ? nullptr : get().of_device(owner.device());
        if (mine == nullptr) {
            // A thread that has nothing on the device: what may still use the block has to end first.
            (void)cudaDeviceSynchronize();
            mine = &owner;
        } else if (mine != &owner) {
            mine->follow(owner);
        }
        mine->deallocate(block, bytes);
    }
    /// Where the device has no more, what waits for results on it is given back first.
    static void* allocate_on(context& c, std::size_t bytes) {
        for (;;) {
            try {
                return c.allocate(bytes);
            } catch (const device_error&) {
                bool found = false;
                void* owner = nullptr;
                const auto here = [&](void* of) { return static_cast<context*>(of)->device() == c.device(); };
                for (auto idle = owners::get().take_idle(owner, here); idle.memory != nullptr; idle = owners::get().take_idle(owner, here)) {
                    give_back(*static_cast<context*>(owner), idle.memory, idle.bytes);
                    found = true;
                }
                if (!found) throw;
            }
        }
    }

    context* of_device(int device) const noexcept {
        for (context* c : made_)
            if (c->device() == device) return c;
        return nullptr;
    }

    inline static thread_local context* current_ = nullptr;
    inline static thread_local result_blocks* results_ = nullptr;
    inline static thread_local bool ended_ = false;  // arrays may live longer than the object
    int device_ = 0;
    std::vector<context*> made_;
};

inline context& current() { return thread_contexts::get().current(); }

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
