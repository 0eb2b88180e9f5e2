// SPDX-License-Identifier: MIT
// Images multiplied with shifted results and summed over all places on the CPU: the gradients of kernels.
#ifndef CROTON_DEVICE_CPU_CORRELATION_SUMS_HPP
#define CROTON_DEVICE_CPU_CORRELATION_SUMS_HPP

#include <croton/device/cpu/convolution_way.hpp>
#include <croton/device/cpu/correlate.hpp>

namespace croton::inline v0_1::detail::cpu_device {

/// Sums of products of `Rows` rows with `Columns` others.
template <class T, class Arch, int Rows, int Columns> struct product_sums {
    using tile = correlation_tile<T, Arch, 1, 1>;
    using V = typename tile::V;

    template <int... K>
    CROTON_INLINE static void step(V* sum, const T* y, std::int64_t y_row, const T* const* x, std::int64_t at, std::integer_sequence<int, K...>) {
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

/// Rows of places of some images.
struct place_block {
    std::int64_t images, image, rows, row, length;  // how many, how far they are apart
};

/// Sums of products of `Rows` rows with `Columns` registers of results, which lie side by side for each place.
template <class T, class Arch, int Rows, int Columns> struct result_sums {
    using tile = correlation_tile<T, Arch, 1, 1>;
    using V = typename tile::V;

    template <int... K> CROTON_INLINE static void step(V* sum, const T* const* x, std::int64_t at, const T* y, std::integer_sequence<int, K...>) {
        ((sum[K] += x[K / Columns][at] * tile::load(y + K % Columns * tile::lanes)), ...);
    }
    /// Adds to `to` what the places of a block give, which lie dense in `y`.
    [[gnu::noinline]] static void run(const T* const* x, const place_block& of, const T* y, T* to) {
        const T* from[Rows];
        for (int r = 0; r < Rows; ++r) from[r] = x[r];
        V sum[Rows * Columns] = {};
        for (std::int64_t n = 0; n < of.images; ++n)
            for (std::int64_t row = 0, first = n * of.image; row < of.rows; ++row, first += of.row)
                for (std::int64_t at = first; at < first + of.length; ++at, y += Columns * tile::lanes)
                    step(sum, from, at, y, std::make_integer_sequence<int, Rows * Columns>());
        // Sums of blocks are summed: that is more accurate than one sum over all places.
        for (int k = 0; k < Rows * Columns; ++k) {
            sum[k] += tile::load(to + k * tile::lanes);
            std::memcpy(to + k * tile::lanes, &sum[k], sizeof(V));
        }
    }
};

/// The sums, over the places of images of one group, of a channel at a shift times a result, for each of the three. Where results fill
/// registers they lie side by side for each place, and no product is summed across its register. Fewer results lie as rows, of several
/// images one after the other.
template <class T, class Arch> struct correlation_sums {
    static constexpr bool many = register_bytes<Arch>() == 64;
    // One column of registers has so many rows at least: additions wait for each other.
    static constexpr int block_rows = many ? 8 : 4, one_column_rows = 8, most_columns = 3;
    static constexpr std::int64_t lanes = correlation_tile<T, Arch, 1, 1>::lanes;
    // So many places of a few rows stay in the nearest cache.
    static constexpr std::int64_t block_places = 256, row_places = 4096 / static_cast<std::int64_t>(sizeof(T));

    std::int64_t channels, shifts, results;
    image_plane<Arch> plane;
    bool side_by_side;
    std::int64_t together;  // images that are summed at once

    correlation_sums(std::int64_t channel_count, std::int64_t shift_count, std::int64_t result_count, std::int64_t images, const image_plane<Arch>& p)
        : channels(channel_count), shifts(shift_count), results(result_count), plane(p), side_by_side(sums_side_by_side(result_count, lanes)) {
        const std::int64_t fit = side_by_side ? block_places / std::max<std::int64_t>(1, dense()) : row_places / p.size;
        together = side_by_side && p.count[0] > 1 ? 1 : std::clamp<std::int64_t>(fit, 1, std::max<std::int64_t>(1, images));
    }

    std::int64_t numbers() const { return image_numbers() + result_numbers() + sum_numbers(); }

    void clear(T* mine) const {
        std::fill_n(mine + channels * row(), lanes, T{});
        std::fill_n(mine + image_numbers() + result_numbers(), sum_numbers(), T{});
    }

    /// Adds up `images` of them: the channels from `x.data` on, and `count` results from `y.data` on. Calls to(result, channel, shift,
    /// sum), or leaves that to `finish`.
    template <class To>
    void add(T* mine, std::int64_t images, const image_source<T>& x, const image_source<T>& y, std::int64_t count, const std::int64_t* shift,
             const To& to) const {
        for (std::int64_t n = 0; n < images; ++n)
            for (std::int64_t i = 0; i < channels; ++i) plane.fill(mine + i * row() + n * plane.size, x.data + n * x.image + i * x.channel, x);
        T* const seen = mine + image_numbers();
        if (side_by_side) {
            put_side_by_side(seen, images, y, count);
            add_blocks(mine, images, shift, count);
        } else {
            std::fill_n(seen, count * row(), T{});
            for (std::int64_t n = 0; n < images; ++n)
                for (std::int64_t o = 0; o < count; ++o)
                    each_row([&](std::int64_t offset, const std::int64_t* p) {
                        const T* const from = y.data + n * y.image + o * y.channel + p[0] * y.at[0] + p[1] * y.at[1];
                        copy_run<Arch>(seen + o * row() + n * plane.size + offset, from, y.at[2], plane.count[2]);
                    });
            add_rows(mine, (images - 1) * plane.size + plane.places, shift, count, to);
        }
    }
    /// Calls to(result, channel, shift, sum) for what has not been added.
    template <class To> void finish(const T* mine, std::int64_t count, const To& to) const {
        if (!side_by_side) return;
        const T* sums = mine + image_numbers() + result_numbers();
        const std::int64_t all = channels * shifts;
        each_panel(count, [&](std::int64_t o, std::int64_t width) {
            // A kernel is written by runs, and what is read for that stays in cache.
            for (std::int64_t first = 0; first < all; first += lanes)
                for (std::int64_t i = 0; i < std::min(width, count - o); ++i)
                    for (std::int64_t c = first, channel = c / shifts, k = c % shifts; c < std::min(first + lanes, all); ++c) {
                        to(o + i, channel, k, sums[c * width + i]);
                        if (++k == shifts) k = 0, ++channel;
                    }
            sums += padded() * width;
        });
    }

private:
    std::int64_t row() const { return together * plane.size; }
    std::int64_t image_numbers() const { return channels * row() + lanes; }
    std::int64_t dense() const { return plane.count[0] * plane.count[1] * plane.count[2]; }
    static std::int64_t registers(std::int64_t count) { return (count + lanes - 1) / lanes; }
    std::int64_t result_numbers() const { return side_by_side ? together * dense() * registers(results) * lanes : results * row(); }
    /// Channels and shifts, and what fills their blocks.
    std::int64_t padded() const { return (channels * shifts + one_column_rows - 1) / one_column_rows * one_column_rows; }
    std::int64_t sum_numbers() const { return side_by_side ? padded() * registers(results) * lanes : 0; }

    /// What one of the channels and shifts sees of the first place.
    const T* seen_by(const T* mine, const std::int64_t* shift, std::int64_t c) const { return mine + c / shifts * row() + shift[c % shifts]; }

    /// Calls f(offset, place) for the rows of windows: where the first is in a plane, and which it is.
    template <class F> void each_row(const F& f) const {
        std::int64_t p[2];
        for (p[0] = 0; p[0] < plane.count[0]; ++p[0])
            for (p[1] = 0; p[1] < plane.count[1]; ++p[1]) f((p[0] * plane.extent[1] + p[1]) * plane.extent[2], static_cast<const std::int64_t*>(p));
    }
    /// Calls f(first, width) for panels of results of nearly the same width.
    template <class F> static void each_panel(std::int64_t count, const F& f) {
        for (std::int64_t first = 0, all = registers(count), panels = (all + most_columns - 1) / most_columns; panels > 0; --panels) {
            const std::int64_t columns = (all + panels - 1) / panels;
            f(first, columns * lanes);
            all -= columns;
            first += columns * lanes;
        }
    }
    void put_side_by_side(T* to, std::int64_t images, const image_source<T>& y, std::int64_t count) const {
        each_panel(count, [&](std::int64_t o, std::int64_t width) {
            T* at = to + o * images * dense();
            for (std::int64_t n = 0; n < images; ++n)
                each_row([&](std::int64_t, const std::int64_t* p) {
                    const T* const from = y.data + n * y.image + o * y.channel + p[0] * y.at[0] + p[1] * y.at[1];
                    for (std::int64_t j = 0; j < plane.count[2]; j += lanes, at += lanes * width) {
                        const std::int64_t places = std::min(lanes, plane.count[2] - j);
                        for (std::int64_t i = 0; i < width; i += lanes)
                            put_square(at + i, width, from + i * y.channel + j * y.at[2], y.channel, y.at[2], std::min(lanes, count - o - i), places);
                    }
                    at -= (plane.count[2] + lanes - 1) / lanes * lanes * width - plane.count[2] * width;
                });
        });
    }
    /// `results` that lie apart, beside each other for each place, and zeros behind them, by way of a square: where they lie all of one
    /// place might belong into one set of a cache.
    static void put_square(T* to, std::int64_t width, const T* from, std::int64_t apart, std::int64_t by, std::int64_t results, std::int64_t places) {
        T square[lanes * lanes];
        if (results < lanes) std::fill_n(square, lanes * lanes, T{});
        for (std::int64_t i = 0; i < results; ++i)
            if (by == 1 && places == lanes) std::memcpy(square + i * lanes, from + i * apart, lanes * sizeof(T));
            else
                for (std::int64_t j = 0; j < places; ++j) square[i * lanes + j] = from[i * apart + j * by];
        for (std::int64_t j = 0; j < places; ++j)
            for (std::int64_t i = 0; i < lanes; ++i) to[j * width + i] = square[i * lanes + j];
    }
    void add_blocks(T* mine, std::int64_t images, const std::int64_t* shift, std::int64_t count) const {
        const T* const y = mine + image_numbers();
        T* const sums = mine + image_numbers() + result_numbers();
        const std::int64_t all = channels * shifts, length = plane.count[2];
        const std::int64_t some = images > 1 ? plane.count[1] : std::max<std::int64_t>(1, block_places / std::max<std::int64_t>(1, length));
        for (std::int64_t i = 0; i < plane.count[0]; ++i)
            for (std::int64_t j = 0; j < plane.count[1]; j += some) {
                const place_block of{images, plane.size, std::min(some, plane.count[1] - j), plane.extent[2], length};
                const std::int64_t place = (i * plane.extent[1] + j) * plane.extent[2], number = (i * plane.count[1] + j) * length;
                each_panel(count, [&](std::int64_t o, std::int64_t width) {
                    T* sum = sums + o * padded();
                    const T* const seen = y + o * images * dense() + number * width;
                    const std::int64_t rows_of_block = width == lanes ? one_column_rows : block_rows;
                    for (std::int64_t c = 0; c < all; c += rows_of_block, sum += rows_of_block * width) {
                        const T* x[one_column_rows];
                        // What is behind the last is summed and not kept.
                        for (std::int64_t r = 0; r < rows_of_block; ++r) x[r] = seen_by(mine, shift, std::min(c + r, all - 1)) + place;
                        if (width == 3 * lanes) result_sums<T, Arch, block_rows, 3>::run(x, of, seen, sum);
                        else if (width == 2 * lanes) result_sums<T, Arch, block_rows, 2>::run(x, of, seen, sum);
                        else result_sums<T, Arch, one_column_rows, 1>::run(x, of, seen, sum);
                    }
                });
            }
    }

    template <class To> void add_rows(const T* mine, std::int64_t places, const std::int64_t* shift, std::int64_t count, const To& to) const {
        for (std::int64_t first = 0; first < places; first += row_places) {
            const std::int64_t size = (std::min(row_places, places - first) + lanes - 1) / lanes * lanes;
            for (std::int64_t o = 0; o < count;) {
                if constexpr (many)
                    if (count - o >= 6) {
                        add_columns<6, 4>(mine, first, size, shift, o, to);
                        o += 6;
                        continue;
                    }
                if (count - o >= 4) {
                    add_columns<4, many ? 6 : 3>(mine, first, size, shift, o, to);
                    o += 4;
                } else if (count - o >= 2) {
                    add_columns<2, many ? 8 : 4>(mine, first, size, shift, o, to);
                    o += 2;
                } else {
                    add_columns<1, many ? 8 : 4>(mine, first, size, shift, o, to);
                    ++o;
                }
            }
        }
    }
    /// All channels and shifts by `Columns`; the last of them begin where they end, and what has been added is not added again.
    template <int Rows, int Columns, class To>
    void add_columns(const T* mine, std::int64_t first, std::int64_t size, const std::int64_t* shift, std::int64_t o, const To& to) const {
        const T* const y = mine + image_numbers() + o * row() + first;
        const std::int64_t all = channels * shifts;
        const auto from = [&](std::int64_t c) { return seen_by(mine, shift, c) + first; };
        if (all < Columns)
            for (std::int64_t c = 0; c < all; ++c) {
                const T* const one = from(c);
                product_sums<T, Arch, Rows, 1>::run(y, row(), &one, size, [&](int r, int, T sum) { to(o + r, c / shifts, c % shifts, sum); });
            }
        else
            for (std::int64_t c = 0; c < all; c += Columns) {
                const std::int64_t begin = std::min(c, all - Columns);
                const T* x[Columns];
                for (int k = 0; k < Columns; ++k) x[k] = from(begin + k);
                product_sums<T, Arch, Rows, Columns>::run(y, row(), x, size, [&](int r, int k, T sum) {
                    if (begin + k >= c) to(o + r, (begin + k) / shifts, (begin + k) % shifts, sum);
                });
            }
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
