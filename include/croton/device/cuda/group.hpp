// SPDX-License-Identifier: MIT
// The threads that share a row: one, a warp or a whole block, with the one thing they do together, a reduction.
#ifndef CROTON_DEVICE_CUDA_GROUP_HPP
#define CROTON_DEVICE_CUDA_GROUP_HPP

#include <croton/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace croton::inline v0_1::detail::cuda_device {

inline constexpr int warp_size = 32;

/// Bytes of shared memory that a block needs: a number for each of at most 32 warps.
inline constexpr std::size_t shared_bytes = 32 * 8;

/// A thread of a block, a warp of it, or the block. `Threads` is the block as a kernel body sees it:
///     int thread(), threads()             the index in the block, and the size of the block
///     std::int64_t block()                the index of the block
///     void sync(), sync_warp()            barriers that also order memory
///     T exchange(T v, int mask)           the value of the thread of this warp whose index differs by `mask`
///     std::byte* shared()                 `shared_bytes` bytes for the block
///     bool arrive(unsigned* n, count)     whether this is the last of `count` blocks; then `*n` is 0 again
///     bool claim(int* n, int value)       whether this thread is the first to find `*n` 0; then it is `value`
template <class Threads> class group {
public:
    CROTON_DEVICE group(Threads& threads, int size) : t_(threads), size_(size) {}

    CROTON_DEVICE int size() const { return size_; }
    CROTON_DEVICE int lane() const { return size_ == 1 ? 0 : size_ == warp_size ? t_.thread() % warp_size : t_.thread(); }
    CROTON_DEVICE bool leads() const { return lane() == 0; }
    CROTON_DEVICE std::int64_t index() const { return t_.block() * (t_.threads() / size_) + t_.thread() / size_; }

    CROTON_DEVICE void sync() const {
        if (size_ == 1) return;
        if (size_ == warp_size) t_.sync_warp();
        else t_.sync();
    }

    /// The combination of what the threads hold, in every thread; the order is that of the threads.
    template <class Reduction, class T> CROTON_DEVICE T reduce(T v) const {
        if (size_ == 1) return v;
        CROTON_UNROLL
        for (int mask = warp_size / 2; mask > 0; mask /= 2) {
            const T other = t_.exchange(v, mask);
            v = (t_.thread() & mask) == 0 ? Reduction::combine(v, other) : Reduction::combine(other, v);
        }
        if (size_ == warp_size) return v;
        T* const warps = reinterpret_cast<T*>(t_.shared());
        if (t_.thread() % warp_size == 0) warps[t_.thread() / warp_size] = v;
        t_.sync();
        T all = warps[0];
        for (int w = 1; w < size_ / warp_size; ++w) all = Reduction::combine(all, warps[w]);
        t_.sync();
        return all;
    }

private:
    Threads& t_;
    int size_;
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
