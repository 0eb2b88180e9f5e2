// SPDX-License-Identifier: MIT
// From a number to an index per loop axis: division by multiplication below 2^31, exact beyond.
#ifndef CROTON_DEVICE_CUDA_MAP_HPP
#define CROTON_DEVICE_CUDA_MAP_HPP

#include <croton/config.hpp>

#include <cstdint>

namespace croton::inline v0_1::detail::cuda_device {

/// The extent of an axis, with what divides a number below 2^31 by it: (n + high(n * factor)) >> shift.
/// Granlund and Montgomery, Division by Invariant Integers using Multiplication, 1994.
struct axis {
    std::int64_t extent = 1;
    std::uint32_t factor = 1, shift = 0;

    static axis of(std::int64_t n) {
        axis a;
        a.extent = n;
        // Longer axes are divided by as they are, and empty ones never.
        if (n < 1 || n > 0x7fffffff) return a;
        while ((std::int64_t{1} << a.shift) < n) ++a.shift;
        const std::uint64_t d = static_cast<std::uint64_t>(n);
        a.factor = static_cast<std::uint32_t>(((std::uint64_t{1} << 32) * ((std::uint64_t{1} << a.shift) - d)) / d + 1);
        return a;
    }
    CROTON_HD std::uint32_t divide(std::uint32_t n) const {
        return (static_cast<std::uint32_t>((static_cast<std::uint64_t>(n) * factor) >> 32) + n) >> shift;
    }
};

/// Loop axes, the last fastest. They stand at `first .. Rank - 1`; what stands before is left out.
template <int Rank> struct axes {
    axis at[Rank > 0 ? Rank : 1];
    int first = Rank;
    bool big = false;  // more than 2^31 - 1 indices

    void settle() {
        std::int64_t n = 1;
        for (int a = first; a < Rank; ++a) {
            // No product overflows that is still below the limit.
            if (at[a].extent > 0x7fffffff || n * at[a].extent > 0x7fffffff) {
                big = true;
                return;
            }
            n *= at[a].extent;
        }
        big = false;
    }

    CROTON_HD std::int64_t size() const {
        std::int64_t n = 1;
        for (int a = 0; a < Rank; ++a)
            if (a >= first) n *= at[a].extent;
        return n;
    }

    /// Writes the index with the number `n` to `index[0 .. Last - 1]`, over the axes before `Last`.
    template <int Last = Rank> CROTON_HD void decode(std::int64_t n, std::int64_t* index) const {
        if (big) {
            CROTON_UNROLL
            for (int a = Last - 1; a >= 0; --a) {
                if (a > first) {
                    const std::int64_t q = n / at[a].extent;
                    index[a] = n - q * at[a].extent;
                    n = q;
                } else {
                    index[a] = a == first ? n : 0;
                }
            }
        } else {
            std::uint32_t rest = static_cast<std::uint32_t>(n);
            CROTON_UNROLL
            for (int a = Last - 1; a >= 0; --a) {
                if (a > first) {
                    const std::uint32_t q = at[a].divide(rest);
                    index[a] = static_cast<std::int64_t>(rest - q * static_cast<std::uint32_t>(at[a].extent));
                    rest = q;
                } else {
                    index[a] = a == first ? static_cast<std::int64_t>(rest) : 0;
                }
            }
        }
    }
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
