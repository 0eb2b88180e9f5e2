// SPDX-License-Identifier: MIT
// A gate in front of steps that are measured: the GPU waits until all of them are queued, and not between them.
#ifndef CROTON_DEVICE_CUDA_GATE_HPP
#define CROTON_DEVICE_CUDA_GATE_HPP

#include <croton/device/cuda/threads.hpp>

#include <atomic>
#include <chrono>
#include <thread>

namespace croton::inline v0_1::detail::cuda_device {

/// Holds the stream of this thread from its making to its end. It opens by itself after a while: a launch may have to wait for the stream, when a kernel
/// is loaded or too much is queued.
class gate {
public:
    gate() {
        context& c = current();
        if (c.captures()) return;
        state_ = new state;
        const cudaError_t code = cudaLaunchHostFunc(c.stream(), &hold, state_);
        if (code == cudaSuccess) return;
        delete state_;
        fail(code, "cudaLaunchHostFunc");
    }
    gate(const gate&) = delete;
    gate& operator=(const gate&) = delete;
    ~gate() {
        if (state_ == nullptr) return;
        state_->open.store(true, std::memory_order_release);
        leave(state_);
    }

private:
    static constexpr std::chrono::milliseconds longest{20};
    // Of the host function as well, which may begin long after the gate has opened.
    struct state {
        std::atomic<bool> open{false};
        std::atomic<int> users{2};
    };
    static void leave(state* s) noexcept {
        if (s->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete s;
    }
    static void hold(void* held) noexcept {
        auto* const s = static_cast<state*>(held);
        const auto until = std::chrono::steady_clock::now() + longest;
        while (!s->open.load(std::memory_order_acquire) && std::chrono::steady_clock::now() < until) std::this_thread::yield();
        leave(s);
    }

    state* state_ = nullptr;
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
