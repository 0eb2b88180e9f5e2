// SPDX-License-Identifier: MIT
// A second stream beside the one that is recorded: what it queues waits for nothing behind the fork, and nothing waits for it before it has come back.
#ifndef CROTON_DEVICE_CUDA_BRANCH_HPP
#define CROTON_DEVICE_CUDA_BRANCH_HPP

#include <croton/device/cuda/check.hpp>

#include <utility>

namespace croton::inline v0_1::detail::cuda_device {

/// The branch of a graph that a stream records. Made before a recording begins.
class graph_branch {
public:
    bool made() const { return joined_ != nullptr; }
    void make() {
        if (stream_ == nullptr) check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
        for (cudaEvent_t* const e : {&forked_, &joined_})
            if (*e == nullptr) check(cudaEventCreateWithFlags(e, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    }
    /// While `body` runs, `stream` is the branch, which begins behind what `stream` has recorded.
    template <class Body> void fork(cudaStream_t& stream, Body&& body) {
        check(cudaEventRecord(forked_, stream), "cudaEventRecord");
        check(cudaStreamWaitEvent(stream_, forked_, 0), "cudaStreamWaitEvent");
        open_ = true;
        const struct back {
            cudaStream_t& stream;
            cudaStream_t trunk;
            ~back() { stream = trunk; }
        } at_end{stream, std::exchange(stream, stream_)};
        body();
    }
    /// What `stream` records next waits for the branch, if there is one.
    void join(cudaStream_t stream) {
        if (!std::exchange(open_, false)) [[likely]] return;
        check(cudaEventRecord(joined_, stream_), "cudaEventRecord");
        check(cudaStreamWaitEvent(stream, joined_, 0), "cudaStreamWaitEvent");
    }
    /// The recording has failed.
    void forget() noexcept { open_ = false; }

private:
    cudaStream_t stream_ = nullptr;
    cudaEvent_t forked_ = nullptr, joined_ = nullptr;
    bool open_ = false;
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
