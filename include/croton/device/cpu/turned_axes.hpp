// SPDX-License-Identifier: MIT
// Many small matrices, one behind the other, whose rows and columns are short: some of them stand turned in tiles, one in each lane.
#ifndef CROTON_DEVICE_CPU_TURNED_AXES_HPP
#define CROTON_DEVICE_CPU_TURNED_AXES_HPP

#include <croton/device/cpu/short_rows.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace croton::inline v0_1::detail::cpu_device {

/// How a slot goes along the axes of a matrix: its own numbers of one matrix are lines of a tile, of which rows and columns are so many apart.
struct turned_slot {
    std::int64_t lines, down, across;
    bool repeats;  // one matrix is there for all
};

/// The last three of the inner axes: `count` matrices of `rows` x `columns`, `room` of them at once.
template <class Arch> class turned_axes {
    static constexpr std::int64_t least = 64, most_lines = 64;

    const inner_axes& of_;
    std::int64_t count_ = 0, rows_ = 0, columns_ = 0, room_ = 0;

    const phase_code& code() const { return *of_.code; }
    std::int64_t stride(int slot, int axis) const { return of_.stride[slot][of_.rank - 3 + axis]; }

    turned_slot slot(int s) const {
        const std::int64_t bytes = code().bytes[s], down = rows_ == 1 ? 0 : stride(s, 1), across = columns_ == 1 ? 0 : stride(s, 2);
        if (stride(s, 0) == 0) return {rows_ * columns_, columns_, 1, true};
        return {(down == 0 ? 1 : rows_) * (across == 0 ? 1 : columns_), down / bytes, across / bytes, false};
    }
    bool fits(int s) const {
        const int uses = code().uses[s];
        if (uses == 0) return true;
        if ((uses & role_stream) == 0) return (uses & ~role_fixed) == 0 && stride(s, 0) == 0 && stride(s, 1) == 0;
        const turned_slot t = slot(s);
        if (t.repeats) return uses == role_load;
        if (t.down < 0 || t.across < 0 || 1 + (rows_ - 1) * t.down + (columns_ - 1) * t.across != t.lines) return false;
        if ((uses & role_accumulate) != 0 && t.down != 0) return false;
        return !code().panels || columns_ == 1 || t.across == 1;
    }

public:
    explicit turned_axes(const inner_axes& of) : of_(of) {}

    /// Whether the last three axes, which go from `lo` to `hi`, are such.
    bool fit(const std::int64_t* lo, const std::int64_t* hi) {
        const int last = of_.rank - 1;
        if (!code().turned || last < 2 || of_.streams) return false;
        count_ = hi[last - 2] - lo[last - 2];
        rows_ = hi[last - 1] - lo[last - 1];
        columns_ = hi[last] - lo[last];
        if (count_ < least || rows_ > most_lines || columns_ > most_lines || rows_ * columns_ > most_lines) return false;
        // What lies as registers read it is run as one, or its rows together.
        if (!code().panels && of_.unit) return false;
        std::int64_t largest = 1;
        for (int s = 0; s < code().slots; ++s) {
            if (!fits(s)) return false;
            largest = std::max<std::int64_t>(largest, code().bytes[s]);
        }
        room_ = tile_bytes / (rows_ * columns_ * largest) & -32;
        return room_ >= 32;
    }

    /// All of them from `p` on. `tiles`, `q` and `down` are room for a tile each, and for each slot.
    template <unsigned Widths> [[gnu::noinline]] void run(std::byte* const* p, std::int64_t line, std::byte (*tiles)[tile_bytes], std::byte** q, std::int64_t* down) const {
        for (std::int64_t first = 0; first < count_; first += room_) {
            const std::int64_t n = std::min(room_, count_ - first);
            for (int s = 0, tile = 0; s < code().slots; ++s) {
                const int uses = code().uses[s];
                q[s] = p[s];
                down[s] = 0;
                if ((uses & role_stream) == 0) continue;
                q[s] = tiles[tile++];
                const turned_slot t = slot(s);
                const std::int64_t bytes = code().bytes[s];
                down[s] = t.down * n * bytes;
                if (t.repeats && (first == 0 || n != room_)) repeat<Widths>(s, p[s], q[s], n);
                else if (!t.repeats && (uses & (role_load | role_accumulate)) != 0)
                    copy_rows<Arch, Widths>(grid{q[s], bytes, n * bytes}, grid{p[s] + first * stride(s, 0), stride(s, 0), bytes}, t.lines, n, static_cast<int>(bytes));
            }
            if (code().panels) code().blocks(q, down, rows_, line, columns_ * n, of_.outside, of_.sums);
            else run_elements(q, down, line, n);
            for (int s = 0, tile = 0; s < code().slots; ++s) {
                if ((code().uses[s] & role_stream) == 0) continue;
                const std::byte* const from = tiles[tile++];
                if ((code().uses[s] & (role_store | role_accumulate)) == 0) continue;
                const std::int64_t bytes = code().bytes[s];
                copy_rows<Arch, Widths>(grid{p[s] + first * stride(s, 0), stride(s, 0), bytes}, grid{const_cast<std::byte*>(from), bytes, n * bytes}, slot(s).lines, n, static_cast<int>(bytes));
            }
        }
    }

private:
    /// Line by line: a slot may have its rows where another has its columns.
    void run_elements(std::byte** q, std::int64_t* down, std::int64_t line, std::int64_t n) const {
        for (std::int64_t j = 0; j < rows_; ++j) {
            for (std::int64_t l = 0; l < columns_; ++l) {
                code().runs(q, down, 1, line, n, of_.outside, of_.sums);
                for (int s = 0; s < code().slots; ++s)
                    if ((code().uses[s] & role_stream) != 0) q[s] += (l + 1 < columns_ ? 1 : 1 - columns_) * slot(s).across * n * code().bytes[s];
            }
            for (int s = 0; s < code().slots; ++s) q[s] += down[s];
        }
    }
    template <unsigned Widths> void repeat(int s, const std::byte* from, std::byte* to, std::int64_t n) const {
        const int bytes = code().bytes[s];
        for (std::int64_t j = 0; j < rows_; ++j) repeat_numbers<Arch, Widths>(to + j * columns_ * n * bytes, from + j * stride(s, 1), stride(s, 2), columns_, n, bytes);
    }
};

/// Room for the tiles of a block of `Slots` slots, of which `Used` says how it uses each.
template <class Arch, int Slots, const auto& Used> bool run_turned(const inner_axes& of, std::byte* const* p, const std::int64_t* lo, const std::int64_t* hi) {
    turned_axes<Arch> axes(of);
    if (!axes.fit(lo, hi)) return false;
    if (p == nullptr) return true;
    alignas(64) std::byte tiles[bound<std::max(1, Used.count(role_stream))>][tile_bytes];
    std::byte* q[bound<Slots>];
    std::int64_t down[bound<Slots>];
    axes.template run<widths_of_streams<Slots, Used>>(p, lo[of.rank - 1], tiles, q, down);
    return true;
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
