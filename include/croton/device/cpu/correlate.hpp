// SPDX-License-Identifier: MIT
// Images multiplied with shifted kernels on the CPU: an image lies padded, so that what one element of a kernel is multiplied with is one run of memory.
#ifndef CROTON_DEVICE_CPU_CORRELATE_HPP
#define CROTON_DEVICE_CPU_CORRELATE_HPP

#include <croton/device/cpu/lanes.hpp>
#include <croton/device/cpu/routines.hpp>
#include <croton/kernel/routine/convolution.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

/// Images of which windows are read, strides in elements.
template <class T> struct image_source {
    const T* data = nullptr;
    std::int64_t image = 0, channel = 0, at[3]{};
    std::int64_t extent[3]{};
};

/// A channel of an image as windows see it: padded, and where they move by more than one element, those that are so far apart side by side. Place `p` of the
/// windows is then number `place(p)` in memory, and what element `reach` of a window is there lies `shift(reach)` behind it, for all places.
struct image_plane {
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
                for (f[2] = 0; f[2] < phases[2]; ++f[2])
                    for (u[0] = 0; u[0] < extent[0]; ++u[0])
                        for (u[1] = 0; u[1] < extent[1]; ++u[1], to += extent[2]) {
                            std::int64_t i = 0, j = 0;
                            if (!inside(0, i) || !inside(1, j)) std::fill_n(to, extent[2], T{});
                            else fill_row(to, from + i * x.at[0] + j * x.at[1], f[2] - front[2], x.extent[2], x.at[2]);
                        }
        std::fill(to, end, T{});
    }

    /// Calls f(offset, place, run) for the places that are windows, of `length` numbers from `first` on: where they are among these, which window the first is
    /// and how many follow along the last axis.
    template <class F> void each_run(std::int64_t first, std::int64_t length, const F& f) const {
        for (std::int64_t at = first; at < first + length;) {
            std::int64_t p[3];
            std::int64_t rest = at;
            p[2] = rest % extent[2];
            rest /= extent[2];
            p[1] = rest % extent[1];
            p[0] = rest / extent[1];
            const std::int64_t row = std::min(extent[2] - p[2], first + length - at), run = std::min(count[2] - p[2], row);
            if (run > 0 && p[1] < count[1] && p[0] < count[0]) f(at - first, static_cast<const std::int64_t*>(p), run);
            at += row;
        }
    }

private:
    /// Elements `first`, `first` + step, ... of a row.
    template <class T> void fill_row(T* to, const T* row, std::int64_t first, std::int64_t elements, std::int64_t stride) const {
        const std::int64_t by = step[2], n = extent[2];
        const std::int64_t begin = std::min(n, first >= 0 ? 0 : (-first + by - 1) / by);
        const std::int64_t end = std::max(begin, std::min(n, elements > first ? (elements - first + by - 1) / by : 0));
        std::fill_n(to, begin, T{});
        row += first * stride;
        if (by * stride == 1) std::copy_n(row + begin, end - begin, to + begin);
        else
            for (std::int64_t i = begin; i < end; ++i) to[i] = row[i * by * stride];
        std::fill_n(to + end, n - end, T{});
    }
};

/// Registers of sums, `Rows` results of `Columns` registers of places each.
template <class T, class Arch, int Rows, int Columns> struct correlation_tile {
    using V = typename lanes_of<T, register_bytes<Arch>()>::type;
    static constexpr std::int64_t lanes = sizeof(V) / sizeof(T), width = Columns * lanes;

    CROTON_INLINE static V load(const T* p) {
        V v;
        std::memcpy(&v, p, sizeof v);
        return v;
    }
    template <int... K> CROTON_INLINE static void step(V* sum, const T* x, const T* w, std::integer_sequence<int, K...>) {
        ((sum[K] += w[K / Columns] * load(x + K % Columns * lanes)), ...);
    }
    /// The sums over channels and shifts of `x` times the weights, which lie in the order of both with those of `Rows` results side by side; to rows of `width`.
    [[gnu::noinline]] static void run(const T* x, std::int64_t channels, std::int64_t channel, const std::int64_t* shift, std::int64_t shifts, const T* w, T* to) {
        V sum[Rows * Columns] = {};
        for (std::int64_t i = 0; i < channels; ++i, x += channel)
            for (std::int64_t k = 0; k < shifts; ++k, w += Rows) step(sum, x + shift[k], w, std::make_integer_sequence<int, Rows * Columns>());
        std::memcpy(to, sum, sizeof sum);
    }
};

/// y = the sum over channels and shifts of an image times weights, for every image and group: what a convolution is, and each phase of its gradient.
template <class T, class Arch> struct correlation {
    static constexpr bool many = register_bytes<Arch>() == 64;
    static constexpr int most_rows = many ? 8 : 4, most_columns = 3;
    static constexpr std::int64_t lanes = correlation_tile<T, Arch, 1, 1>::lanes, most_width = most_columns * lanes;

    std::int64_t images = 0, groups = 0, channels = 0, results = 0;  // of one group
    image_source<T> x;
    image_plane plane;
    std::int64_t shifts = 0;
    const std::int64_t* shift = nullptr;
    const std::int64_t* of_weight = nullptr;  // by shift: where its weight lies
    const T* w = nullptr;
    std::int64_t w_group = 0, w_result = 0, w_channel = 0;
    T* y = nullptr;
    std::int64_t y_image = 0, y_channel = 0, y_at[3]{};

    std::int64_t plane_numbers() const { return channels * plane.size + most_width; }
    std::int64_t weight_numbers() const { return groups * results * channels * shifts; }

    /// `packed`: room for the weights; `planes`: for the planes of each of so many threads.
    void run(T* packed, T* planes, int most) const {
        T* to = packed;
        for (std::int64_t g = 0; g < groups; ++g)
            each_block([&](std::int64_t first, std::int64_t rows) {
                const T* from = w + g * w_group + first * w_result;
                for (std::int64_t i = 0; i < channels; ++i)
                    for (std::int64_t k = 0; k < shifts; ++k)
                        for (std::int64_t r = 0; r < rows; ++r) *to++ = from[r * w_result + i * w_channel + of_weight[k]];
            });
        const std::int64_t units = images * groups;
        const int parts = std::min(most, parts_of(2 * units * results * channels * shifts * plane.places, units));
        parallel(parts, [&](int part) {
            T* const mine = planes + part * plane_numbers();
            // What is read behind the last plane is multiplied and not kept.
            std::fill_n(mine + channels * plane.size, most_width, T{});
            for (std::int64_t unit = units * part / parts; unit < units * (part + 1) / parts; ++unit) run_image(unit / groups, unit % groups, packed, mine);
        });
    }

private:
    template <class F> void each_block(const F& f) const {
        for (std::int64_t first = 0; first < results;) {
            std::int64_t rows = most_rows;
            while (rows > results - first) rows /= 2;
            f(first, rows);
            first += rows;
        }
    }
    void run_image(std::int64_t n, std::int64_t g, const T* packed, T* mine) const {
        for (std::int64_t i = 0; i < channels; ++i) plane.fill(mine + i * plane.size, x.data + n * x.image + (g * channels + i) * x.channel, x);
        T* const to = y + n * y_image + g * results * y_channel;
        const T* const weights = packed + g * results * channels * shifts;
        for (std::int64_t first = 0; first < plane.places; first += most_width) {
            const std::int64_t left = (plane.places - first + lanes - 1) / lanes;
            each_block([&](std::int64_t result, std::int64_t rows) {
                const T* const of_block = weights + result * channels * shifts;
                if constexpr (most_rows == 8)
                    if (rows == 8) return run_rows<8>(mine, first, left, of_block, to + result * y_channel);
                if (rows == 4) run_rows<4>(mine, first, left, of_block, to + result * y_channel);
                else if (rows == 2) run_rows<2>(mine, first, left, of_block, to + result * y_channel);
                else run_rows<1>(mine, first, left, of_block, to + result * y_channel);
            });
        }
    }
    template <int Rows> void run_rows(const T* mine, std::int64_t first, std::int64_t left, const T* weights, T* to) const {
        if (left >= 3) run_tile<Rows, 3>(mine, first, weights, to);
        else if (left == 2) run_tile<Rows, 2>(mine, first, weights, to);
        else run_tile<Rows, 1>(mine, first, weights, to);
    }
    template <int Rows, int Columns> void run_tile(const T* mine, std::int64_t first, const T* weights, T* to) const {
        using tile = correlation_tile<T, Arch, Rows, Columns>;
        alignas(64) T sums[Rows * tile::width];
        tile::run(mine + first, channels, plane.size, shift, shifts, weights, sums);
        plane.each_run(first, std::min(tile::width, plane.places - first), [&](std::int64_t offset, const std::int64_t* p, std::int64_t run) {
            T* row = to + p[0] * y_at[0] + p[1] * y_at[1] + p[2] * y_at[2];
            const T* from = sums + offset;
            for (int r = 0; r < Rows; ++r, row += y_channel, from += tile::width)
                if (y_at[2] == 1)
                    for (std::int64_t i = 0; i < run; ++i) row[i] = from[i];
                else
                    for (std::int64_t i = 0; i < run; ++i) row[i * y_at[2]] = from[i];
        });
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
