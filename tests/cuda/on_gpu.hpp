// SPDX-License-Identifier: MIT
// The CUDA device for tests whose operands lie on the host: what a kernel can reach is copied there and back.
#ifndef CROTON_TESTS_CUDA_ON_GPU_HPP
#define CROTON_TESTS_CUDA_ON_GPU_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <croton/device/cuda/cuda.hpp>

struct on_gpu {
    /// A part of the host's memory that some operands lie in.
    struct segment {
        std::uintptr_t low, high;
        std::byte* there = nullptr;
    };

    static segment reach(const croton::kernel::operand& slot, int rank, const std::int64_t* extents, std::int64_t bytes) {
        std::int64_t low = 0, high = 1;
        for (int a = 0; a < rank; ++a) {
            const std::int64_t s = slot.stride[static_cast<std::size_t>(a)], n = extents[a];
            if (n == 0) return {0, 0};
            (s < 0 ? low : high) += (n - 1) * s;
        }
        const auto base = reinterpret_cast<std::uintptr_t>(slot.data);
        return {base + static_cast<std::uintptr_t>(low * bytes), base + static_cast<std::uintptr_t>(high * bytes)};
    }

    /// Runs `f` with the operands moved to the GPU; operands that share memory go on sharing it.
    template <class F>
    static void moved(std::vector<croton::kernel::operand> slots, int rank, const std::int64_t* extents, const std::vector<int>& bytes, F&& f) {
        using memory = croton::memory<croton::cuda>;
        std::vector<segment> parts, all;
        for (std::size_t s = 0; s < slots.size(); ++s) parts.push_back(reach(slots[s], rank, extents, bytes[s]));
        for (const segment& p : parts)
            if (p.low != p.high) all.push_back(p);
        std::sort(all.begin(), all.end(), [](const segment& a, const segment& b) { return a.low < b.low; });
        std::vector<segment> merged;
        for (const segment& p : all) {
            if (!merged.empty() && p.low < merged.back().high) merged.back().high = std::max(merged.back().high, p.high);
            else merged.push_back(p);
        }
        for (segment& p : merged) {
            // As aligned as on the host, so that the same path runs.
            const std::size_t shift = p.low % 64;
            p.there = static_cast<std::byte*>(memory::allocate(p.high - p.low + 64)) + shift;
            memory::copy_from_host(p.there, reinterpret_cast<const void*>(p.low), p.high - p.low);
        }
        for (std::size_t s = 0; s < slots.size(); ++s) {
            const auto base = reinterpret_cast<std::uintptr_t>(slots[s].data);
            slots[s].data = nullptr;
            for (const segment& p : merged)
                if (parts[s].low != parts[s].high && parts[s].low >= p.low && parts[s].high <= p.high)
                    slots[s].data = p.there + (static_cast<std::ptrdiff_t>(base) - static_cast<std::ptrdiff_t>(p.low));
        }
        f(slots.data());
        for (const segment& p : merged) {
            memory::copy_to_host(reinterpret_cast<void*>(p.low), p.there, p.high - p.low);
            memory::deallocate(p.there - p.low % 64, p.high - p.low + 64);
        }
        croton::cuda::synchronize();
    }

    template <class Kernel> static void run(const std::int64_t* extents, const croton::kernel::operand* slots, const std::int64_t* scalars) {
        using facts = footprint_of<Kernel>;
        std::vector<int> bytes(static_cast<std::size_t>(facts::count));
        facts::fill(bytes);
        // Slots vary along the loops they stand in: the others have stride 0 there.
        moved({slots, slots + facts::count}, facts::rank, extents, bytes, [&](const croton::kernel::operand* there) {
            croton::cuda::run<Kernel>(extents, there, scalars);
        });
    }
    template <class T>
    static void copy(int rank, const std::int64_t* extents, const croton::kernel::operand& from, const croton::kernel::operand& to) {
        moved({from, to}, rank, extents, {sizeof(T), sizeof(T)},
              [&](const croton::kernel::operand* there) { croton::cuda::copy<T>(rank, extents, there[0], there[1]); });
    }

private:
    template <class Kernel> struct footprint_of;
    template <int O, int I, class U, class Row, class... P>
    struct footprint_of<croton::kernel::kernel<O, I, U, Row, P...>> {
        using fp = croton::detail::cuda_device::footprint<croton::kernel::kernel<O, I, U, Row, P...>>;
        static constexpr int count = fp::all.slots, rank = O + I;
        template <class... X> static void note(std::vector<int>& bytes, croton::kernel::block<X...>) {
            const auto one = [&](int slot, int size) {
                if (slot >= 0) bytes[static_cast<std::size_t>(slot)] = size;
            };
            (one(X::slot, croton::kernel::memory_bytes<typename X::element>), ...);
        }
        static void fill(std::vector<int>& bytes) {
            note(bytes, croton::kernel::listed_t<U>{});
            note(bytes, croton::kernel::listed_t<typename fp::rows_block>{});
            (note(bytes, croton::kernel::listed_t<typename croton::detail::cuda_device::parts<P>::element>{}), ...);
        }
    };
};

#endif
