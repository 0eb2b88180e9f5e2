// SPDX-License-Identifier: MIT
// A stream that somebody captures into a graph: whether it is, what may be asked for meanwhile, and what waits for the end of it.
#ifndef CROTON_DEVICE_CUDA_CAPTURE_HPP
#define CROTON_DEVICE_CUDA_CAPTURE_HPP

#include <croton/device/cuda/check.hpp>

#include <utility>
#include <vector>

namespace croton::inline v0_1::detail::cuda_device {

inline bool is_captured(cudaStream_t stream) noexcept {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess && status != cudaStreamCaptureStatusNone;
}

/// While one lives that is `needed`, this thread may ask for memory and libraries, though one of its streams is captured.
class relaxed_capture {
public:
    explicit relaxed_capture(bool needed) : needed_(needed) { exchange(); }
    relaxed_capture(const relaxed_capture&) = delete;
    relaxed_capture& operator=(const relaxed_capture&) = delete;
    ~relaxed_capture() { exchange(); }

private:
    void exchange() noexcept {
        if (needed_) (void)cudaThreadExchangeStreamCaptureMode(&mode_);
    }

    bool needed_;
    cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

/// Blocks that were given back during a capture.
class late_blocks {
public:
    void add(void* block) noexcept {
        try {
            blocks_.push_back(block);
        } catch (...) {
            // Without memory of the host for its address the block stays taken.
        }
    }
    template <class F> void each(F&& give_back) noexcept {
        if (blocks_.empty()) [[likely]] return;
        for (void* const block : std::exchange(blocks_, {})) give_back(block);
    }

private:
    std::vector<void*> blocks_;
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
