// SPDX-License-Identifier: MIT
// How many blocks of a kernel a GPU runs at once.
#ifndef CROTON_DEVICE_CUDA_OCCUPANCY_HPP
#define CROTON_DEVICE_CUDA_OCCUPANCY_HPP

#include <croton/device/cuda/check.hpp>

#include <cstdint>
#include <unordered_map>

namespace croton::inline v0_1::detail::cuda_device {

/// Blocks that one processor of a device holds, by kernel. It is asked for once: the registers of a kernel do not change.
class occupancy {
public:
    std::int64_t blocks(const void* function, int threads) {
        const auto [found, added] = known_.try_emplace(function, 1);
        if (added) {
            int held = 0;
            const cudaError_t code = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&held, function, threads, 0);
            if (code != cudaSuccess) known_.erase(found);
            check(code, "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
            found->second = held > 0 ? held : 1;
        }
        return found->second;
    }

private:
    std::unordered_map<const void*, std::int64_t> known_;
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
