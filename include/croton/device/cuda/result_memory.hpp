// SPDX-License-Identifier: MIT
// Where the results of a function lie on a GPU.
#ifndef CROTON_DEVICE_CUDA_RESULT_MEMORY_HPP
#define CROTON_DEVICE_CUDA_RESULT_MEMORY_HPP

#include <croton/device/cuda/threads.hpp>

namespace croton::inline v0_1::detail::cuda_device {

/// The memory of small results of one function, as one thread calls it: a block that is given back lies ready for a later result of the same size. Whoever
/// else takes memory meanwhile does not get it, so that steps which were recorded find their addresses again.
class result_memory {
public:
    result_memory() = default;
    result_memory(const result_memory&) = delete;
    result_memory& operator=(const result_memory&) = delete;
    ~result_memory() {
        if (blocks_.owner != nullptr) thread_contexts::end(blocks_);
    }

    /// What this thread allocates while the returned object lives are results.
    [[nodiscard]] thread_contexts::for_results use() {
        if (blocks_.owner == nullptr) owners::get().begin(blocks_, &current());
        return thread_contexts::for_results(blocks_);
    }

private:
    result_blocks blocks_;
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
