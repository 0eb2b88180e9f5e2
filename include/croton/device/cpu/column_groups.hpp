// SPDX-License-Identifier: MIT
// Sums down few columns of many rows: several rows, which lie one behind the other, are one run of as many columns as fill registers, whose sums are joined at the end.
#ifndef CROTON_DEVICE_CPU_COLUMN_GROUPS_HPP
#define CROTON_DEVICE_CPU_COLUMN_GROUPS_HPP

#include <croton/device/cpu/port.hpp>
#include <croton/device/cpu/running.hpp>
#include <croton/device/cpu/tile.hpp>

#include <algorithm>
#include <numeric>

namespace croton::inline v0_1::detail::cpu_device {

/// The panels of a kernel: `rows` runs of `count` elements, `fresh` as of `surroundings`.
struct panel_call {
    void (*run)(const panel_call& self, std::byte* const* p, const std::int64_t* stride, std::int64_t rows, std::int64_t count, const grouped_rows& where, bool fresh);
    const void* outside;
    std::int64_t line;
    void* total;
};

/// The slots of such a kernel, with room for a tile for each, a pointer and a step.
struct group_room {
    int slots;
    const std::uint8_t *uses, *bytes;
    bool places;  // whether the number of a row is a value
    std::byte (*tiles)[tile_bytes];
    std::byte** p;
    std::int64_t* stride;
};

/// `Sinks` are what is summed, in registers of `Lanes`.
template <class Lanes, class Sinks> struct column_groups;
template <class Lanes, class... Sink> struct column_groups<Lanes, kernel::block<Sink...>> {
    /// More columns fill registers by themselves, and are worth no tiles.
    static bool are_few(std::int64_t count) { return count < 8 * Lanes::size; }

    /// What goes down together stays in a near cache.
    static constexpr std::int64_t most_bytes = 64 * 1024;

    /// Whether rows lie so: behind each other, or all in one place.
    static bool fits(const group_room& of, const std::int64_t* stride, std::int64_t count) {
        for (int s = 0; s < of.slots; ++s) {
            const int uses = of.uses[s];
            if (uses == 0 || uses == role_accumulate) continue;
            if ((uses & ~(role_stream | role_fixed)) != 0 || (uses & role_accumulate) != 0) return false;
            if (stride[s] == 0 ? (uses & role_store) != 0 : (uses & role_fixed) != 0 || stride[s] != count * of.bytes[s]) return false;
        }
        return true;
    }

    /// So many rows in a run of `strip` columns or a multiple of it, or fewer where that is more than a tile has room for; 1 where the least is.
    static std::int64_t rows_in_run(std::int64_t count, std::int64_t strip, int largest) {
        std::int64_t each = strip / std::gcd(count, strip);
        while (each > 1 && (each * count + Lanes::size) * largest > tile_bytes) each /= 2;
        return each * count % Lanes::size == 0 ? each : 1;
    }

    template <class N, class T> static N number_of(T v) { return static_cast<N>(static_cast<arithmetic_t<T>>(v)); }

    /// Rows `from` and `into` of a tile joined.
    template <class S> static void join_rows(typename S::element* into, const typename S::element* from, std::int64_t count) {
        for (std::int64_t i = 0; i < count; i += Lanes::size) Lanes::store(into + i, S::reduction::combine(Lanes::load(into + i), Lanes::load(from + i)));
    }
    /// The sums of a run of `each` rows, which are added to those in memory, or are those.
    template <class S> static void settle(std::byte* tile, std::int64_t each, std::int64_t count, std::byte* memory, bool fresh) {
        using T = typename S::element;
        T* const sums = reinterpret_cast<T*>(tile);
        // A register that reaches into the next row meets what has been joined already.
        for (; each % 2 == 0 && each / 2 * count >= Lanes::size; each /= 2) join_rows<S>(sums, sums + each / 2 * count, each / 2 * count);
        T* const to = reinterpret_cast<T*>(memory);
        for (std::int64_t k = 0; k < count; ++k) {
            using number = wide<typename S::reduction, T>;
            number sum = number_of<number>(sums[k]);
            for (std::int64_t r = 1; r < each; ++r) sum = S::reduction::combine(sum, number_of<number>(sums[r * count + k]));
            to[k] = static_cast<T>(fresh ? sum : S::reduction::combine(number_of<number>(to[k]), sum));
        }
    }

    /// `rows` runs of `count` elements, few, in runs of as many as `strip`.
    [[gnu::noinline]] static void run(const panel_call& panel, const group_room& of, std::byte* const* from, const std::int64_t* stride, std::int64_t rows, std::int64_t count, std::int64_t strip,
                                      bool fresh) {
        int largest = of.places ? 8 : 1;
        for (int s = 0; s < of.slots; ++s) largest = std::max<int>(largest, of.bytes[s]);
        const std::int64_t each = fits(of, stride, count) ? rows_in_run(count, strip, largest) : 1;
        std::int64_t done = 0;
        const auto go_to = [&](std::int64_t row) {
            for (int s = 0; s < of.slots; ++s)
                if (of.uses[s] != 0) of.p[s] = from[s] + row * stride[s];
        };
        if (each > 1 && rows >= 2 * each) {
            std::int64_t places[tile_bytes / 8];
            for (std::int64_t r = 0; of.places && r < each; ++r) std::fill_n(places + r * count, count, r);
            for (int s = 0; s < of.slots; ++s) {
                of.stride[s] = stride[s] * each;
                if ((of.uses[s] & role_load) == 0 || stride[s] != 0) continue;
                for (std::int64_t r = 0; r < each; ++r) std::copy_n(from[s], count * of.bytes[s], of.tiles[s] + r * count * of.bytes[s]);
            }
            const std::int64_t most_runs = std::min(rows_per_panel, most_bytes / (each * count * largest));
            for (std::int64_t runs = 0; rows - done >= each; done += runs * each, fresh = false) {
                runs = std::min((rows - done) / each, most_runs);
                go_to(done);
                for (int s = 0; s < of.slots; ++s)
                    if (of.uses[s] == role_accumulate || ((of.uses[s] & role_load) != 0 && stride[s] == 0)) of.p[s] = of.tiles[s];
                panel.run(panel, of.p, of.stride, runs, each * count, {done, each, places, -1}, true);
                (settle<Sink>(of.tiles[Sink::slot], each, count, from[Sink::slot], fresh), ...);
            }
        }
        // What is left, and rows that do not lie so.
        for (std::int64_t n; done < rows; done += n, fresh = false) {
            n = std::min(rows - done, rows_per_panel);
            go_to(done);
            panel.run(panel, of.p, stride, n, count, {done, 1, one_row, 0}, fresh);
        }
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
