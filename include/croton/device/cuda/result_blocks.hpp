// SPDX-License-Identifier: MIT
// Memory of results that comes back to the function which made them: its next ones lie where earlier ones did, and what was recorded fits.
#ifndef CROTON_DEVICE_CUDA_RESULT_BLOCKS_HPP
#define CROTON_DEVICE_CUDA_RESULT_BLOCKS_HPP

#include <cstddef>
#include <utility>

namespace croton::inline v0_1::detail::cuda_device {

/// The blocks that have come back to a function and wait for its next results. Large ones do not: their steps take longer than launches.
class result_blocks {
public:
    struct block {
        void* memory = nullptr;
        std::size_t bytes = 0;
    };

    /// Who has the memory of all of them.
    void* owner = nullptr;

    /// One of just so many bytes, the last one that came back; or null.
    void* take(std::size_t bytes) noexcept {
        for (int i = count_; i-- > 0;) {
            if (idle_[i].bytes != bytes) continue;
            void* const found = idle_[i].memory;
            for (--count_; i < count_; ++i) idle_[i] = idle_[i + 1];
            bytes_ -= bytes;
            return found;
        }
        return nullptr;
    }
    /// False where there is no place for it.
    bool put(void* memory, std::size_t bytes) noexcept {
        if (count_ == most || bytes > most_bytes - bytes_) return false;
        idle_[count_++] = {memory, bytes};
        bytes_ += bytes;
        return true;
    }
    /// Any of them, or none.
    block take_any() noexcept {
        if (count_ == 0) return {};
        bytes_ -= idle_[--count_].bytes;
        return std::exchange(idle_[count_], {});
    }

private:
    static constexpr int most = 16;
    static constexpr std::size_t most_bytes = std::size_t{4} << 20;
    block idle_[most];
    int count_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
