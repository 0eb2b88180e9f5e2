// SPDX-License-Identifier: MIT
// Images multiplied with shifted results and summed over all places on the CPU: the gradients of kernels.
#ifndef CROTON_DEVICE_CPU_CORRELATION_SUMS_HPP
#define CROTON_DEVICE_CPU_CORRELATION_SUMS_HPP

#include <croton/device/cpu/correlate.hpp>

namespace croton::inline v0_1::detail::cpu_device {

/// Sums of products of `Rows` rows with `Columns` others.
template <class T, class Arch, int Rows, int Columns> struct product_sums {
    using tile = correlation_tile<T, Arch, 1, 1>;
    using V = typename tile::V;

    template <int... K> CROTON_INLINE static void step(V* sum, const T* y, std::int64_t y_row, const T* const* x, std::int64_t at, std::integer_sequence<int, K...>) {
        V row[Rows];
        for (int r = 0; r < Rows; ++r) row[r] = tile::load(y + r * y_row + at);
        ((sum[K] += row[K % Rows] * tile::load(x[K / Rows] + at)), ...);
    }
    /// `size` numbers of each, a multiple of the lanes; calls add(row, column, sum).
    template <class Add> [[gnu::noinline]] static void run(const T* y, std::int64_t y_row, const T* const* x, std::int64_t size, const Add& add) {
        V sum[Rows * Columns] = {};
        for (std::int64_t at = 0; at < size; at += tile::lanes) step(sum, y, y_row, x, at, std::make_integer_sequence<int, Rows * Columns>());
        for (int k = 0; k < Rows * Columns; ++k) {
            T lane[tile::lanes];
            std::memcpy(lane, &sum[k], sizeof lane);
            for (std::int64_t half = tile::lanes / 2; half > 0; half /= 2)
                for (std::int64_t i = 0; i < half; ++i) lane[i] += lane[i + half];
            add(k % Rows, k / Rows, lane[0]);
        }
    }
};

/// The sums, over the places of one image and group, of a channel at a shift times a result, for each of the three. Where channels fill registers they lie
/// side by side for each place, and so do results: then every product is one of registers, and none is summed across. Fewer channels lie as rows.
template <class T, class Arch> struct correlation_sums {
    static constexpr bool many = register_bytes<Arch>() == 64;
    static constexpr int block_rows = many ? 8 : 4, block_columns = 3, row_columns = many ? 6 : 3;
    static constexpr std::int64_t lanes = correlation_tile<T, Arch, 1, 1>::lanes, width = block_columns * lanes;
    // So many places of an image and of all results stay in near caches.
    static constexpr std::int64_t block_places = 128, row_places = 8192 / static_cast<std::int64_t>(sizeof(T));

    std::int64_t channels, shifts, results;
    image_plane plane;
    bool side_by_side;
    std::int64_t across;  // channels, and what fills their registers
    std::int64_t row;     // of the results, which lie as the places of the plane do, with zeros between

    correlation_sums(std::int64_t channel_count, std::int64_t shift_count, std::int64_t result_count, const image_plane& p)
        : channels(channel_count), shifts(shift_count), results(result_count), plane(p), side_by_side(2 * channel_count > lanes),
          across((channel_count + lanes - 1) / lanes * lanes), row(((p.places + 15) / 16 | 1) * 16) {}

    /// What lies behind an image: the results, the sums.
    std::int64_t image_numbers() const { return side_by_side ? plane.size * across + width : channels * plane.size + 16; }
    std::int64_t result_numbers() const { return side_by_side ? plane.places * blocks(results) * block_rows : results * row; }
    std::int64_t sum_numbers() const { return side_by_side ? shifts * blocks(results) * panels() * block_rows * width : 0; }
    std::int64_t numbers() const { return image_numbers() + result_numbers() + sum_numbers() + (side_by_side ? plane.size : 0); }

    void clear(T* mine) const { std::fill_n(mine + image_numbers() + result_numbers(), sum_numbers(), T{}); }

    /// Lays out the channels of an image from `from` on, and `count` results from `y` on.
    void fill(T* mine, const image_source<T>& x, const T* from, const T* y, std::int64_t y_channel, const std::int64_t* y_at, std::int64_t count) const {
        T* const of_results = mine + image_numbers();
        if (side_by_side) {
            T* const one = of_results + result_numbers() + sum_numbers();
            std::fill_n(mine + plane.size * across, width, T{});
            for (std::int64_t i = 0; i < across; ++i) {
                if (i < channels) plane.fill(one, from + i * x.channel, x);
                else std::fill_n(one, plane.size, T{});
                for (std::int64_t u = 0; u < plane.size; ++u) mine[u * across + i] = one[u];
            }
            const std::int64_t all = blocks(count) * block_rows * plane.places;
            std::fill_n(of_results, all, T{});
        } else {
            for (std::int64_t i = 0; i < channels; ++i) plane.fill(mine + i * plane.size, from + i * x.channel, x);
            std::fill_n(mine + channels * plane.size, 16, T{});
            std::fill_n(of_results, count * row, T{});
        }
        for (std::int64_t o = 0; o < count; ++o, y += y_channel) {
            T* const to = of_results + (side_by_side ? o / block_rows * block_rows * plane.places + o % block_rows : o * row);
            const std::int64_t by = side_by_side ? block_rows : 1;
            plane.each_run(0, plane.places, [&](std::int64_t offset, const std::int64_t* p, std::int64_t run) {
                const T* const seen = y + p[0] * y_at[0] + p[1] * y_at[1] + p[2] * y_at[2];
                for (std::int64_t i = 0; i < run; ++i) to[(offset + i) * by] = seen[i * y_at[2]];
            });
        }
    }

    /// Adds up what lies there. `to(result, channel, shift)` is a number that is added to: then, or by `finish`.
    template <class To> void add(T* mine, const std::int64_t* shift, std::int64_t count, const To& to) const {
        if (side_by_side) return add_blocks(mine, shift, count);
        const T* const y = mine + image_numbers();
        for (std::int64_t first = 0; first < plane.places; first += row_places) {
            const std::int64_t size = (std::min(row_places, plane.places - first) + lanes - 1) / lanes * lanes;
            for (std::int64_t o = 0; o < count;) {
                if (count - o >= 4) {
                    add_rows<4>(mine + first, y + o * row + first, size, shift, o, to);
                    o += 4;
                } else {
                    add_rows<1>(mine + first, y + o * row + first, size, shift, o, to);
                    ++o;
                }
            }
        }
    }
    template <class To> void finish(const T* mine, std::int64_t count, const To& to) const {
        if (!side_by_side) return;
        const T* sum = mine + image_numbers() + result_numbers();
        for (std::int64_t k = 0; k < shifts; ++k)
            for (std::int64_t p = 0; p < panels(); ++p)
                for (std::int64_t o = 0; o < blocks(count) * block_rows; ++o, sum += width)
                    for (std::int64_t i = 0; o < count && i < std::min(width, channels - p * width); ++i) to(o, p * width + i, k) += sum[i];
    }

private:
    static std::int64_t blocks(std::int64_t count) { return (count + block_rows - 1) / block_rows; }
    std::int64_t panels() const { return (across + width - 1) / width; }

    void add_blocks(T* mine, const std::int64_t* shift, std::int64_t count) const {
        T* const y = mine + image_numbers();
        T* const sums = y + result_numbers();
        for (std::int64_t first = 0; first < plane.places; first += block_places) {
            const std::int64_t size = std::min(block_places, plane.places - first);
            T* sum = sums;
            for (std::int64_t k = 0; k < shifts; ++k)
                for (std::int64_t p = 0; p < panels(); ++p) {
                    const T* const x = mine + (first + shift[k]) * across + p * width;
                    const std::int64_t columns = std::min<std::int64_t>(block_columns, (across - p * width) / lanes);
                    for (std::int64_t b = 0; b < blocks(count); ++b, sum += block_rows * width) {
                        const T* const of_block = y + (b * plane.places + first) * block_rows;
                        if (columns == 3) add_block<3>(x, size, of_block, sum);
                        else if (columns == 2) add_block<2>(x, size, of_block, sum);
                        else add_block<1>(x, size, of_block, sum);
                    }
                }
        }
    }
    template <int Columns> void add_block(const T* x, std::int64_t size, const T* y, T* sum) const {
        using tile = correlation_tile<T, Arch, block_rows, Columns>;
        constexpr std::int64_t here = 0;
        alignas(64) T sums[block_rows * tile::width];
        tile::run(x, size, across, &here, 1, y, sums);
        for (int r = 0; r < block_rows; ++r)
            for (std::int64_t i = 0; i < tile::width; ++i) sum[r * width + i] += sums[r * tile::width + i];
    }
    template <int Rows, class To> void add_rows(const T* x, const T* y, std::int64_t size, const std::int64_t* shift, std::int64_t o, const To& to) const {
        const std::int64_t all = channels * shifts;
        for (std::int64_t c = 0; c < all;) {
            if (all - c >= row_columns) {
                add_columns<Rows, row_columns>(x, y, size, shift, o, c, to);
                c += row_columns;
            } else {
                add_columns<Rows, 1>(x, y, size, shift, o, c, to);
                ++c;
            }
        }
    }
    template <int Rows, int Columns, class To>
    void add_columns(const T* x, const T* y, std::int64_t size, const std::int64_t* shift, std::int64_t o, std::int64_t c, const To& to) const {
        const T* from[Columns];
        for (int k = 0; k < Columns; ++k) from[k] = x + (c + k) / shifts * plane.size + shift[(c + k) % shifts];
        product_sums<T, Arch, Rows, Columns>::run(y, row, from, size, [&](int r, int k, T sum) { to(o + r, (c + k) / shifts, (c + k) % shifts) += sum; });
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
