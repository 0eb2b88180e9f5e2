// SPDX-License-Identifier: MIT
// The threads that share a row: one, some lanes of a warp, a warp or a whole block, with what they do together: reductions.
#ifndef CROTON_DEVICE_CUDA_GROUP_HPP
#define CROTON_DEVICE_CUDA_GROUP_HPP

#include <croton/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace croton::inline v0_1::detail::cuda_device {

inline constexpr int warp_size = 32;

/// Bytes of shared memory that a block needs: a number for each of at most 256 threads.
inline constexpr std::size_t shared_bytes = 256 * 8;
/// And behind them for copies of sums, where a kernel of rows has sums.
inline constexpr std::size_t copies_bytes = 20 * 1024;

/// What both hold, in the order of the threads. `mask` is the bit by which the index of the other thread differs.
template <class Reduction, class Threads, class T> CROTON_DEVICE T combine_across(Threads& t, T v, int mask, int lanes) {
    const T other = t.exchange(v, mask, lanes);
    return (t.thread() & mask) == 0 ? Reduction::combine(v, other) : Reduction::combine(other, v);
}

/// A thread of a block, 2 to 16 neighbours in a warp, a warp, or the block: always a power of two. `Threads` is the block as a kernel body sees it:
///     int thread(), threads()             the index in the block, and the size of the block
///     std::int64_t block()                the index of the block
///     void sync(), sync_warp(int lanes)   barriers of the block, and of so many neighbours in a warp, that also order memory
///     T exchange(T v, int mask, lanes)    the value of the thread whose index differs by `mask`; so many neighbours exchange theirs
///     std::byte* shared()                 `shared_bytes` bytes for the block
///     bool arrive(unsigned* n, count)     whether this is the last of `count` blocks; then `*n` is 0 again
///     bool claim(int* n, int value)       whether this thread is the first to find `*n` 0; then it is `value`
template <class Threads> class group {
public:
    CROTON_DEVICE group(Threads& threads, int size) : t_(threads), size_(size) {}

    CROTON_DEVICE int size() const { return size_; }
    CROTON_DEVICE int lane() const { return t_.thread() & (size_ - 1); }
    CROTON_DEVICE bool leads() const { return lane() == 0; }
    CROTON_DEVICE std::int64_t index() const { return t_.block() * (t_.threads() / size_) + t_.thread() / size_; }

    CROTON_DEVICE void sync() const {
        if (size_ == 1) return;
        if (size_ <= warp_size) t_.sync_warp(size_);
        else t_.sync();
    }

    /// The combination of what the threads hold, in every thread; the order is that of the threads.
    template <class Reduction, class T> CROTON_DEVICE T reduce(T v) const {
        const int lanes = size_ < warp_size ? size_ : warp_size;
        CROTON_UNROLL
        for (int mask = warp_size / 2; mask > 0; mask /= 2)
            if (mask < lanes) v = combine_across<Reduction>(t_, v, mask, lanes);
        if (size_ <= warp_size) return v;
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

/// The threads of a block as rows of `span` side by side, a power of two: in the first row, what the threads of each column hold, from top to
/// bottom. Elsewhere nothing that means anything. Every thread of the block comes here.
template <class Reduction, class Threads, class T> CROTON_DEVICE T reduce_columns(Threads& t, T v, int span) {
    CROTON_UNROLL
    for (int mask = warp_size / 2; mask > 0; mask /= 2)
        if (mask >= span) v = combine_across<Reduction>(t, v, mask, warp_size);
    if (span >= t.threads()) return v;
    T* const left = reinterpret_cast<T*>(t.shared());
    const int wide = span < warp_size ? span : warp_size, lane = t.thread() % warp_size;
    if (lane < wide) left[t.thread() / warp_size * wide + lane] = v;
    t.sync();
    if (t.thread() < span) {
        v = left[t.thread()];
        for (int below = t.thread() + span; below < t.threads() / warp_size * wide; below += span) v = Reduction::combine(v, left[below]);
    }
    t.sync();
    return v;
}

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
