// SPDX-License-Identifier: MIT
// Images multiplied with kernels of 3 x 3 on the CPU by tiles of 4 x 4 results, with a quarter of the products.
#ifndef CROTON_DEVICE_CPU_WINOGRAD_HPP
#define CROTON_DEVICE_CPU_WINOGRAD_HPP

#include <croton/device/cpu/correlate.hpp>

namespace croton::inline v0_1::detail::cpu_device {

/// Winograd's F(4x4,3x3) as Lavin and Gray give it (Fast Algorithms for Convolutional Neural Networks, 2015): what a tile sees, 6 x 6, and
/// the kernel are transformed, multiplied number by number and summed over channels, and the sums transformed back. Lanes are tiles: an
/// image lies as windows that move by 4 see it.
template <class T, class Arch> struct winograd_correlation {
    using direct = correlation<T, Arch>;
    using tile = correlation_tile<T, Arch, 1, 1>;
    using V = typename tile::V;
    static constexpr int size = 6, numbers_of_tile = size * size, most_rows = direct::most_rows;
    static constexpr std::int64_t lanes = direct::lanes, width = direct::most_width;

    const direct& c;
    image_plane<Arch> plane;
    std::int64_t shift[numbers_of_tile];
    std::int64_t place[9]{};  // where the elements of the kernel are in it

    explicit winograd_correlation(const direct& job) : c(job) {
        for (int a = 1; a < 3; ++a) {
            plane.step[a] = 4;
            plane.front[a] = c.plane.front[a];
            plane.count[a] = (c.plane.count[a] + 3) / 4;
        }
        const std::int64_t reach[3] = {0, size - 1, size - 1};
        plane.settle(reach);
        for (int k = 0; k < numbers_of_tile; ++k) {
            const std::int64_t at[3] = {0, k / size, k % size};
            shift[k] = plane.shift(at);
        }
        for (std::int64_t k = 0; c.shift != nullptr && k < c.shifts; ++k)
            place[k] = c.shift[k] / c.plane.extent[2] * 3 + c.shift[k] % c.plane.extent[2];
    }

    std::int64_t weight_numbers() const { return c.groups * group_weights(); }
    std::int64_t plane_numbers() const { return seen_numbers() + numbers_of_tile * (apart() + most_rows * width); }

    void run(T* packed, T* room, int most) const {
        pack_weights(packed);
        const int parts = std::min(most, parts_of(c.images * c.groups * c.results * c.channels * numbers_of_tile * plane.places / 4, c.images));
        parallel(parts, [&](int part) {
            T* const mine = room + part * plane_numbers();
            std::fill_n(mine + c.channels * plane.size, width, T{});
            for (std::int64_t g = 0; g < c.groups; ++g) run_images(c.images * part / parts, c.images * (part + 1) / parts, g, packed, mine);
        });
    }

private:
    // What tiles see lies by number of the tile. Stores to all of these must not fall into one set of a cache.
    std::int64_t apart() const { return c.channels * width + lanes; }
    std::int64_t seen_numbers() const { return c.channels * plane.size + width; }

    /// One row of the transform of a kernel: of 3 numbers 6.
    template <class U> CROTON_INLINE static void transform_kernel(const U* g, std::int64_t by, U* to, std::int64_t to_by) {
        const U even = g[0] + g[2 * by], quarter = g[0] * T(1. / 24) + g[2 * by] * T(1. / 6), twelfth = g[by] * T(1. / 12);
        to[0] = g[0] * T(.25);
        to[to_by] = (even + g[by]) * T(-1. / 6);
        to[2 * to_by] = (even - g[by]) * T(-1. / 6);
        to[3 * to_by] = quarter + twelfth;
        to[4 * to_by] = quarter - twelfth;
        to[5 * to_by] = g[2 * by];
    }
    /// Of what a tile sees, 6 numbers of 6.
    CROTON_INLINE static void transform_image(const V* d, int by, V* to, int to_by) {
        const V a = d[4 * by] - T(4) * d[2 * by], b = d[3 * by] - T(4) * d[by], e = d[4 * by] - d[2 * by], f = T(2) * (d[3 * by] - d[by]);
        to[0] = T(4) * d[0] - T(5) * d[2 * by] + d[4 * by];
        to[to_by] = a + b;
        to[2 * to_by] = a - b;
        to[3 * to_by] = e + f;
        to[4 * to_by] = e - f;
        to[5 * to_by] = T(4) * d[by] - T(5) * d[3 * by] + d[5 * by];
    }
    /// Of sums 4 results of 6.
    CROTON_INLINE static void transform_back(const V* m, int by, V* to, int to_by) {
        const V a = m[by] + m[2 * by], b = m[by] - m[2 * by], e = m[3 * by] + m[4 * by], f = m[3 * by] - m[4 * by];
        to[0] = m[0] + a + e;
        to[to_by] = b + T(2) * f;
        to[2 * to_by] = a + T(4) * e;
        to[3 * to_by] = b + T(8) * f + m[5 * by];
    }

    /// The transformed kernels: by blocks of `most_rows` results, of which the last may have zeros, then by number of the tile, then by channel.
    void pack_weights(T* to) const {
        for (std::int64_t g = 0; g < c.groups; ++g)
            for (std::int64_t first = 0; first < c.results; first += most_rows, to += block_weights())
                for (std::int64_t i = 0; i < c.channels; ++i) {
                    const T* const from = c.w + g * c.w_group + first * c.w_result + i * c.w_channel;
                    pack_channel(from, std::min<std::int64_t>(most_rows, c.results - first), to + i * most_rows);
                }
    }
    std::int64_t block_weights() const { return numbers_of_tile * c.channels * most_rows; }
    std::int64_t group_weights() const { return (c.results + most_rows - 1) / most_rows * block_weights(); }
    /// Numbers of the results of a block.
    struct row {
        T of[most_rows];

        template <class F> CROTON_INLINE static row make(const F& f) {
            row made;
            for (int r = 0; r < most_rows; ++r) made.of[r] = f(r);
            return made;
        }
        CROTON_INLINE row operator+(const row& o) const { return make([&](int r) { return of[r] + o.of[r]; }); }
        CROTON_INLINE row operator-(const row& o) const { return make([&](int r) { return of[r] - o.of[r]; }); }
        CROTON_INLINE row operator*(T factor) const { return make([&](int r) { return of[r] * factor; }); }
    };
    [[gnu::noinline]] void pack_channel(const T* from, std::int64_t rows, T* to) const {
        row kernel[9] = {}, half[3 * size], all[numbers_of_tile];
        for (std::int64_t k = 0; k < c.shifts; ++k)
            for (std::int64_t r = 0; r < rows; ++r) kernel[place[k]].of[r] = from[r * c.w_result + c.of_weight[k]];
        for (int j = 0; j < 3; ++j) transform_kernel(kernel + j, 3, half + j, 3);
        for (int j = 0; j < size; ++j) transform_kernel(half + 3 * j, 1, all + size * j, 1);
        for (int k = 0; k < numbers_of_tile; ++k) std::memcpy(to + k * c.channels * most_rows, all[k].of, sizeof(row));
    }

    /// Registers of tiles that are multiplied together, of one image or several.
    struct batch {
        int count = 0;
        std::int64_t first[direct::most_columns], places[direct::most_columns];
        T* to[direct::most_columns];
    };
    void run_images(std::int64_t begin, std::int64_t end, std::int64_t g, const T* packed, T* mine) const {
        T* const seen = mine + seen_numbers();
        batch b;
        for (std::int64_t n = begin; n < end; ++n) {
            const T* const from = c.x.data + n * c.x.image + g * c.channels * c.x.channel;
            for (std::int64_t i = 0; i < c.channels; ++i) plane.fill(mine + i * plane.size, from + i * c.x.channel, c.x);
            for (std::int64_t first = 0; first < plane.places; first += lanes) {
                for (std::int64_t i = 0; i < c.channels; ++i) see(mine + i * plane.size + first, seen + i * width + b.count * lanes);
                b.first[b.count] = first;
                b.places[b.count] = std::min(lanes, plane.places - first);
                b.to[b.count++] = c.y + n * c.y_image + g * c.results * c.y_channel;
                if (b.count == direct::most_columns) finish(b, g, packed, seen);
            }
        }
        // What is left of the last batch is multiplied, and not kept.
        finish(b, g, packed, seen);
    }
    void finish(batch& b, std::int64_t g, const T* packed, T* seen) const {
        if (b.count == 0) return;
        T* const sums = seen + numbers_of_tile * apart();
        const T* w = packed + g * group_weights();
        for (std::int64_t result = 0; result < c.results; result += most_rows) {
            for (int number = 0; number < numbers_of_tile; ++number, w += c.channels * most_rows)
                multiply(seen + number * apart(), w, sums + number * most_rows * width);
            for (std::int64_t r = 0; r < std::min<std::int64_t>(most_rows, c.results - result); ++r) {
                const T added = c.bias == nullptr ? T{} : c.bias[(g * c.results + result + r) * c.bias_at];
                for (int j = 0; j < b.count; ++j)
                    give(sums + r * width + j * lanes, b.first[j], b.places[j], added, b.to[j] + (result + r) * c.y_channel);
            }
        }
        b.count = 0;
    }
    [[gnu::noinline]] void see(const T* from, T* to) const {
        V d[numbers_of_tile], half[numbers_of_tile];
        for (int k = 0; k < numbers_of_tile; ++k) d[k] = tile::load(from + shift[k]);
        for (int j = 0; j < size; ++j) transform_image(d + j, size, half + j, size);
        for (int i = 0; i < size; ++i) transform_image(half + size * i, 1, d + size * i, 1);
        for (int k = 0; k < numbers_of_tile; ++k) std::memcpy(to + k * apart(), &d[k], sizeof(V));
    }
    [[gnu::noinline]] void multiply(const T* x, const T* w, T* to) const {
        using block = correlation_tile<T, Arch, most_rows, direct::most_columns>;
        V sum[most_rows * direct::most_columns] = {};
        for (std::int64_t i = 0; i < c.channels; ++i, x += width, w += most_rows)
            block::step(sum, x, w, std::make_integer_sequence<int, most_rows * direct::most_columns>());
        std::memcpy(to, sum, sizeof sum);
    }
    /// The results of `count` tiles from place `first` on.
    [[gnu::noinline]] void give(const T* sums, std::int64_t first, std::int64_t count, T added, T* y) const {
        V m[numbers_of_tile], half[4 * size], of_tile[16];
        for (int k = 0; k < numbers_of_tile; ++k) m[k] = tile::load(sums + k * most_rows * width);
        for (int j = 0; j < size; ++j) transform_back(m + j, size, half + j, size);
        for (int i = 0; i < 4; ++i) transform_back(half + size * i, 1, of_tile + 4 * i, 1);
        T all[16 * lanes];
        std::memcpy(all, of_tile, sizeof all);
        if (c.bias != nullptr || c.relu) end_run<Arch>(all, 1, 16 * lanes, added, c.relu);
        plane.each_run(first, count, [&](std::int64_t offset, const std::int64_t* p, std::int64_t run) {
            const std::int64_t whole = std::min(run, std::max<std::int64_t>(0, c.plane.count[2] / 4 - p[2]));
            for (std::int64_t i = 0; i < std::min<std::int64_t>(4, c.plane.count[1] - 4 * p[1]); ++i) {
                T* const line = y + (4 * p[1] + i) * c.y_at[1] + 4 * p[2] * c.y_at[2];
                const T* const from = all + 4 * i * lanes + offset;
                if (c.y_at[2] == 1)
                    for (std::int64_t t = 0; t < whole; ++t)
                        for (int j = 0; j < 4; ++j) line[4 * t + j] = from[j * lanes + t];
                for (std::int64_t t = c.y_at[2] == 1 ? whole : 0; t < run; ++t)
                    for (std::int64_t j = 0; j < std::min<std::int64_t>(4, c.plane.count[2] - 4 * (p[2] + t)); ++j)
                        line[(4 * t + j) * c.y_at[2]] = from[j * lanes + t];
            }
        });
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
