// SPDX-License-Identifier: MIT
// Images multiplied with shifted kernels on the CPU.
#ifndef CROTON_DEVICE_CPU_CORRELATE_HPP
#define CROTON_DEVICE_CPU_CORRELATE_HPP

#include <croton/device/cpu/image_plane.hpp>
#include <croton/device/cpu/lanes.hpp>
#include <croton/device/cpu/routines.hpp>
#include <croton/kernel/routine/convolution.hpp>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

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
    /// The sums over channels and shifts of `x` times the weights, which lie in the order of both with those of `Rows` results side by
    /// side; to rows of `width`.
    [[gnu::noinline]] static void run(const T* x, std::int64_t channels, std::int64_t channel, const std::int64_t* shift, std::int64_t shifts,
                                      const T* w, T* to) {
        V sum[Rows * Columns] = {};
        for (std::int64_t i = 0; i < channels; ++i, x += channel)
            for (std::int64_t k = 0; k < shifts; ++k, w += Rows) step(sum, x + shift[k], w, std::make_integer_sequence<int, Rows * Columns>());
        std::memcpy(to, sum, sizeof sum);
    }
};

/// Adds a number to `count` others, and makes negative ones 0.
template <class Arch, class T> void end_run(T* to, std::int64_t stride, std::int64_t count, T added, bool relu) {
    const auto each = [&](std::int64_t by) {
        if (relu)
            for (std::int64_t i = 0; i < count; ++i) to[i * by] = to[i * by] + added < T{} ? T{} : to[i * by] + added;
        else
            for (std::int64_t i = 0; i < count; ++i) to[i * by] += added;
    };
    if (stride == 1) each(1);
    else each(stride);
}

/// y = the sum over channels and shifts of an image times weights, for every image and group: what a convolution is, and each phase of its gradient.
template <class T, class Arch> struct correlation {
    static constexpr bool many = register_bytes<Arch>() == 64;
    static constexpr int most_rows = many ? 8 : 4, most_columns = 3;
    static constexpr std::int64_t lanes = correlation_tile<T, Arch, 1, 1>::lanes, most_width = most_columns * lanes;

    std::int64_t images = 0, groups = 0, channels = 0, results = 0;  // of one group
    image_source<T> x;
    image_plane<Arch> plane;
    std::int64_t shifts = 0;
    const std::int64_t* shift = nullptr;
    const std::int64_t* of_weight = nullptr;  // by shift: where its weight lies
    const T* w = nullptr;
    std::int64_t w_group = 0, w_result = 0, w_channel = 0;
    T* y = nullptr;
    std::int64_t y_image = 0, y_channel = 0, y_at[3]{};
    const T* bias = nullptr;  // added to all of a result, where there is one
    std::int64_t bias_at = 0;
    bool relu = false;

    /// Calls f(first, rows) for blocks of results, where rows is a number that `by_rows` knows.
    template <class F> void each_block(const F& f) const {
        for (std::int64_t first = 0; first < results;) {
            const std::int64_t left = results - first;
            const std::int64_t rows = left >= most_rows ? most_rows : left >= 6 ? 6 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
            f(first, rows);
            first += rows;
        }
    }
    /// Calls f with the rows of a block as a constant.
    template <class F> static void by_rows(std::int64_t rows, const F& f) {
        if constexpr (most_rows == 8) {
            if (rows == 8) return f(std::integral_constant<int, 8>());
            if (rows == 6) return f(std::integral_constant<int, 6>());
        }
        if (rows == 4) f(std::integral_constant<int, 4>());
        else if (rows == 2) f(std::integral_constant<int, 2>());
        else f(std::integral_constant<int, 1>());
    }
    /// The registers of places that a tile has where so many are left: two times two are faster than three and one.
    static std::int64_t columns_of(std::int64_t left) { return left >= 3 && left != 4 ? 3 : std::min<std::int64_t>(left, 2); }
    template <class F> static void by_columns(std::int64_t columns, const F& f) {
        if (columns == 3) f(std::integral_constant<int, 3>());
        else if (columns == 2) f(std::integral_constant<int, 2>());
        else f(std::integral_constant<int, 1>());
    }

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
            for (std::int64_t unit = units * part / parts; unit < units * (part + 1) / parts; ++unit)
                run_image(unit / groups, unit % groups, packed, mine);
        });
    }

private:
    void run_image(std::int64_t n, std::int64_t g, const T* packed, T* mine) const {
        const T* const from = x.data + n * x.image + g * channels * x.channel;
        for (std::int64_t i = 0; i < channels; ++i) plane.fill(mine + i * plane.size, from + i * x.channel, x);
        const std::int64_t of_group = g * results;
        T* const to = y + n * y_image + of_group * y_channel;
        const T* const weights = packed + g * results * channels * shifts;
        for (std::int64_t first = 0, columns = 0; first < plane.places; first += columns * lanes) {
            columns = columns_of((plane.places - first + lanes - 1) / lanes);
            each_block([&](std::int64_t result, std::int64_t rows) {
                const T* const of_block = weights + result * channels * shifts;
                T* const y_first = to + result * y_channel;
                const T* const added = bias == nullptr ? nullptr : bias + (of_group + result) * bias_at;
                by_rows(rows, [&](auto r) {
                    by_columns(columns, [&](auto c) { run_tile<decltype(r)::value, decltype(c)::value>(mine, first, of_block, added, y_first); });
                });
            });
        }
    }
    template <int Rows, int Columns> void run_tile(const T* mine, std::int64_t first, const T* weights, const T* added, T* to) const {
        using tile = correlation_tile<T, Arch, Rows, Columns>;
        alignas(64) T sums[Rows * tile::width];
        tile::run(mine + first, channels, plane.size, shift, shifts, weights, sums);
        if (added != nullptr || relu)
            for (int r = 0; r < Rows; ++r) end_run<Arch>(sums + r * tile::width, 1, tile::width, added == nullptr ? T{} : added[r * bias_at], relu);
        plane.each_run(first, std::min(tile::width, plane.places - first), [&](std::int64_t offset, const std::int64_t* p, std::int64_t run) {
            T* row = to + p[0] * y_at[0] + p[1] * y_at[1] + p[2] * y_at[2];
            const T* from = sums + offset;
            for (int r = 0; r < Rows; ++r, row += y_channel, from += tile::width)
                if (y_at[2] == 1) copy_run<Arch>(row, from, 1, run);
                else
                    for (std::int64_t i = 0; i < run; ++i) row[i * y_at[2]] = from[i];
        });
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
