// SPDX-License-Identifier: MIT
// Slots that are the columns of rows of two to four words, as those of points are: packed into their tiles together, and brought back.
#ifndef CROTON_DEVICE_CPU_TILED_COLUMNS_HPP
#define CROTON_DEVICE_CPU_TILED_COLUMNS_HPP

#include <croton/device/cpu/interleaved.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace croton::inline v0_1::detail::cpu_device {

/// The columns of some rows, by their place there; -1 where no slot is that column.
struct tiled_columns {
    static constexpr int most = 4;
    int count = 0, bytes = 0, slot[most];

    /// Calls `has(slot)` for slots after each other, which have rows of as many words: those that lie in the rows of slot `first`. None where the rows would end outside of them.
    template <class Has> void find(int first, int slots, std::byte* const* p, const std::int64_t* stride, int width, const Has& has) {
        count = 0;
        bytes = width;
        const std::int64_t columns = stride[first] / width;
        if (width < 4 || columns < 2 || columns > most || stride[first] % width != 0) return;
        std::int64_t low = 0;
        const auto each = [&](const auto& f) {
            for (int s = 0; s < slots; ++s) {
                const std::int64_t apart = p[s] == nullptr || !has(s) || stride[s] != stride[first] ? stride[first] : p[s] - p[first];
                if (std::abs(apart) < stride[first] && apart % width == 0) f(s, apart);
            }
        };
        each([&](int, std::int64_t apart) { low = std::min(low, apart); });
        std::fill_n(slot, most, -1);
        int found = 0;
        each([&](int s, std::int64_t apart) {
            const std::int64_t at = (apart - low) / width;
            if (at < columns && slot[at] < 0) slot[at] = s, ++found;
        });
        if (found > 1 && slot[columns - 1] >= 0) count = static_cast<int>(columns);
    }
    bool is_whole() const { return std::none_of(slot, slot + count, [](int s) { return s < 0; }); }
    bool has(int s) const { return std::find(slot, slot + count, s) != slot + count; }

    template <bool Apart, class Arch, class Tile> bool copy(std::byte* rows, std::int64_t rows_count, const Tile& tile) const {
        std::byte* column[most] = {};
        for (int c = 0; c < count; ++c)
            if (slot[c] >= 0) column[c] = tile(slot[c]);
        return bytes == 4 ? copy_columns<Apart, Arch, std::uint32_t>(column, rows, rows_count, count) : bytes == 8 && copy_columns<Apart, Arch, std::uint64_t>(column, rows, rows_count, count);
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
