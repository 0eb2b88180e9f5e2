// SPDX-License-Identifier: MIT
// A product of matrices one of which is gathered from images: what is multiplied, where it lies, and how it is cut into tiles.
#ifndef CROTON_DEVICE_CUDA_TILE_TASK_HPP
#define CROTON_DEVICE_CUDA_TILE_TASK_HPP

#include <croton/device/cuda/map.hpp>

#include <cstdint>

namespace croton::inline v0_1::detail::cuda_device {

/// What a row or a column of a matrix stands for: a channel or an image, and a place along three axes.
struct tile_index {
    int outer = 0, at[3]{};
};

/// Numbers of such indices. The last axis runs fastest; where `outer_last`, the channel does.
struct tile_box {
    axis outer, at[3];
    int count = 0;
    bool outer_last = false;

    static tile_box of(std::int64_t outer, const std::int64_t* extent, bool outer_last) {
        tile_box b;
        b.outer = axis::of(outer);
        for (int a = 0; a < 3; ++a) b.at[a] = axis::of(extent[a]);
        b.count = static_cast<int>(outer * extent[0] * extent[1] * extent[2]);
        b.outer_last = outer_last;
        return b;
    }
    CROTON_HD tile_index index(int number) const {
        tile_index i;
        std::uint32_t n = static_cast<std::uint32_t>(number);
        if (outer_last) i.outer = take(n, outer);
        CROTON_UNROLL
        for (int a = 2; a >= 0; --a) i.at[a] = take(n, at[a]);
        if (!outer_last) i.outer = static_cast<int>(n);
        return i;
    }

private:
    CROTON_HD static int take(std::uint32_t& n, const axis& a) {
        const std::uint32_t whole = a.divide(n), rest = n - whole * static_cast<std::uint32_t>(a.extent);
        n = whole;
        return static_cast<int>(rest);
    }
};

/// Along which index four elements of a matrix lie side by side, so that they are loaded as one.
enum class tile_vectors { none, along_k, along_m };

/// c[m,n] = sum over k of a[m,k] b[k,n], for each group. Where n and k together say a place of b outside the image, b is 0.
struct tile_task {
    int m = 0, groups = 1, splits = 1, chunk = 0;  // of each split, as many k
    tile_box n, k;
    const void *a = nullptr, *b = nullptr, *bias = nullptr;
    void *c = nullptr, *partial = nullptr;  // of the splits: [split, group, m, n]
    std::int64_t a_first = 0, a_m = 0, a_group = 0, a_outer = 0, a_at[3]{};
    std::int64_t b_group = 0, b_n = 0, b_k = 0, b_at[3]{};
    int b_start[3]{}, b_by_n[3]{}, b_by_k[3]{}, b_limit[3]{};  // the place: start + n by_n + k by_k
    std::int64_t c_first = 0, c_m = 0, c_group = 0, c_outer = 0, c_at[3]{};
    std::int64_t bias_m = 0;
    int tiles_m = 0, tiles_n = 0;
    tile_vectors a_vectors = tile_vectors::none;
    bool b_vectors = false, relu = false;  // b in fours along k

    /// Cuts into tiles of `rows` by `columns`.
    std::int64_t cut(int rows, int columns) {
        tiles_m = (m + rows - 1) / rows;
        tiles_n = (n.count + columns - 1) / columns;
        return std::int64_t{groups} * splits * tiles_m * tiles_n;
    }
    std::int64_t results() const { return std::int64_t{groups} * m * n.count; }

    CROTON_HD std::int64_t place_of_c(int group, int row, const tile_index& i) const {
        return c_first + group * c_group + row * c_m + i.outer * c_outer + i.at[0] * c_at[0] + i.at[1] * c_at[1] + i.at[2] * c_at[2];
    }

    /// Finds what can be loaded in fours, of elements of so many bytes.
    void find_vectors(std::size_t a_bytes, std::size_t b_bytes) {
        const auto lies_well = [](const void* p, std::size_t bytes) { return reinterpret_cast<std::uintptr_t>(p) % (4 * bytes) == 0; };
        const auto fours = [](std::int64_t stride, std::int64_t extent) { return extent < 2 || stride % 4 == 0; };
        // The digits of k from the fastest on, while they go on where the one before ends.
        const axis* const digit[4] = {k.outer_last ? &k.outer : &k.at[2], k.outer_last ? &k.at[2] : &k.at[1], k.outer_last ? &k.at[1] : &k.at[0],
                                      k.outer_last ? &k.at[0] : &k.outer};
        const std::int64_t stride[4] = {k.outer_last ? a_outer : a_at[2], k.outer_last ? a_at[2] : a_at[1], k.outer_last ? a_at[1] : a_at[0],
                                        k.outer_last ? a_at[0] : a_outer};
        std::int64_t run = 1;
        int next = 0;
        while (next < 4 && (digit[next]->extent == 1 || stride[next] == run)) run *= digit[next++]->extent;
        bool along_k = run % 4 == 0 && fours(a_m, m), along_m = (a_m == 1 || m == 1) && m % 4 == 0;
        for (int i = 0; i < 4; ++i) {
            along_k = along_k && (i < next || fours(stride[i], digit[i]->extent));
            along_m = along_m && fours(stride[i], digit[i]->extent);
        }
        if (a_first % 4 == 0 && lies_well(a, a_bytes) && fours(a_group, groups)) a_vectors = along_k ? tile_vectors::along_k : along_m ? tile_vectors::along_m : tile_vectors::none;
        b_vectors = k.outer_last && b_k == 1 && k.outer.extent % 4 == 0 && lies_well(b, b_bytes) && fours(b_group, groups) && fours(b_n, n.outer.extent);
        for (int i = 0; i < 3; ++i) b_vectors = b_vectors && fours(b_at[i], b_limit[i]);
    }
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
