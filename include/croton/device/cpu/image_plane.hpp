// SPDX-License-Identifier: MIT
// Images as windows see them on the CPU: padded, so that what one element of a kernel is multiplied with is one run of memory.
#ifndef CROTON_DEVICE_CPU_IMAGE_PLANE_HPP
#define CROTON_DEVICE_CPU_IMAGE_PLANE_HPP

#include <croton/config.hpp>
#include <croton/device/cpu/lanes.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

/// Images of which windows are read, strides in elements.
template <class T> struct image_source {
    const T* data = nullptr;
    std::int64_t image = 0, channel = 0, at[3]{};
    std::int64_t extent[3]{};
};

/// Copies `count` numbers that lie `stride` apart to a run. Short runs are registers that overlap.
template <class Arch, class T> CROTON_INLINE void copy_run(T* to, const T* from, std::int64_t stride, std::int64_t count) {
    constexpr std::size_t bytes = register_bytes<Arch>() < 32 ? 16 : 32;
    constexpr auto some = static_cast<std::int64_t>(bytes / sizeof(T));
    const auto apart = [&](auto by) {
        for (std::int64_t i = 0; i < count; ++i) to[i] = from[i * by];
    };
    // Compilers make shuffles of strides that they know.
    if (stride == 2) apart(std::integral_constant<int, 2>());
    else if (stride == 4) apart(std::integral_constant<int, 4>());
    else if (stride != 1) apart(stride);
    else if (count >= some) {
        for (std::int64_t i = 0; i + some < count; i += some) std::memcpy(to + i, from + i, bytes);
        std::memcpy(to + count - some, from + count - some, bytes);
    } else
        for (std::int64_t i = 0; i < count; ++i) to[i] = from[i];
}

/// A channel of an image as windows see it: padded, and where they move by more than one element, those that are so far apart side by
/// side. Place `p` of the windows is then number `place(p)` in memory, and what element `reach` of a window is there lies
/// `shift(reach)` behind it, for all places.
template <class Arch> struct image_plane {
    std::int64_t step[3]{1, 1, 1}, front[3]{}, count[3]{1, 1, 1};  // how far windows move, what lies in front, and how many there are
    std::int64_t phases[3]{1, 1, 1}, extent[3]{1, 1, 1};           // elements so far apart: how many such rows are read, and how long they are
    std::int64_t size = 0, places = 0;

    /// `reach[a]`: how far windows reach behind their first element, at most.
    void settle(const std::int64_t* reach) {
        std::int64_t all = 1;
        for (int a = 0; a < 3; ++a) {
            phases[a] = std::min(step[a], reach[a] + 1);
            extent[a] = count[a] + reach[a] / step[a];
            all *= phases[a] * extent[a];
        }
        // An odd number of lines: what lies at one place of many channels is not all in one set of a cache.
        const std::int64_t line = 16;
        size = (all + line - 1) / line;
        size = (size | 1) * line;
        places = count[0] * count[1] * count[2] == 0 ? 0 : ((count[0] - 1) * extent[1] + count[1] - 1) * extent[2] + count[2];
    }
    std::int64_t shift(const std::int64_t* reach) const {
        std::int64_t phase = 0, offset = 0;
        for (int a = 0; a < 3; ++a) {
            phase = phase * phases[a] + reach[a] % step[a];
            offset = offset * extent[a] + reach[a] / step[a];
        }
        return phase * extent[0] * extent[1] * extent[2] + offset;
    }

    /// One channel.
    template <class T> void fill(T* to, const T* from, const image_source<T>& x) const {
        T* const end = to + size;
        std::int64_t f[3]{}, u[3]{};
        const auto inside = [&](int a, std::int64_t& at) {
            at = u[a] * step[a] + f[a] - front[a];
            return at >= 0 && at < x.extent[a];
        };
        for (f[0] = 0; f[0] < phases[0]; ++f[0])
            for (f[1] = 0; f[1] < phases[1]; ++f[1])
                for (f[2] = 0; f[2] < phases[2]; ++f[2]) {
                    // Of each row the elements from `begin` to `last` lie in the image.
                    const std::int64_t first = f[2] - front[2], by = step[2], n = extent[2];
                    const std::int64_t begin = std::min(n, first >= 0 ? 0 : (-first + by - 1) / by);
                    const std::int64_t last = std::max(begin, std::min(n, x.extent[2] > first ? (x.extent[2] - first + by - 1) / by : 0));
                    for (u[0] = 0; u[0] < extent[0]; ++u[0])
                        for (u[1] = 0; u[1] < extent[1]; ++u[1], to += n) {
                            std::int64_t i = 0, j = 0;
                            if (!inside(0, i) || !inside(1, j)) {
                                std::fill_n(to, n, T{});
                                continue;
                            }
                            for (std::int64_t k = 0; k < begin; ++k) to[k] = T{};
                            copy_run<Arch>(to + begin, from + i * x.at[0] + j * x.at[1] + (first + begin * by) * x.at[2], by * x.at[2], last - begin);
                            for (std::int64_t k = last; k < n; ++k) to[k] = T{};
                        }
                }
        std::fill(to, end, T{});
    }

    /// Calls f(offset, place, run) for the places that are windows, of `length` numbers from `first` on: where they are among these,
    /// which window the first is and how many follow along the last axis.
    template <class F> void each_run(std::int64_t first, std::int64_t length, const F& f) const {
        std::int64_t p[3] = {first / (extent[1] * extent[2]), first / extent[2] % extent[1], first % extent[2]};
        for (std::int64_t done = 0; done < length;) {
            const std::int64_t row = std::min(extent[2] - p[2], length - done), run = std::min(count[2] - p[2], row);
            if (run > 0 && p[1] < count[1] && p[0] < count[0]) f(done, static_cast<const std::int64_t*>(p), run);
            done += row;
            p[2] = 0;
            if (++p[1] < extent[1]) continue;
            p[1] = 0;
            ++p[0];
        }
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
