// SPDX-License-Identifier: MIT
// Sums along an outer axis and short inner ones at once: the elements of all rows lie side by side, so that they are columns, and what comes of the columns of a row is summed at the end.
#ifndef CROTON_DEVICE_CPU_COLUMN_ENDS_HPP
#define CROTON_DEVICE_CPU_COLUMN_ENDS_HPP

#include <croton/device/cpu/arrangement.hpp>
#include <croton/device/cpu/column_sweep.hpp>
#include <croton/device/cpu/sweep.hpp>
#include <croton/device/cpu/tile.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

/// The element block whose sums go down columns, into the slots from `Slots` on.
template <int Slots, class Instruction> struct down_columns {
    template <int K> using type = Instruction;
    static constexpr int sums = 0;
};
template <int Slots, class R, class T, int S, class A> struct down_columns<Slots, kernel::accumulate_inner<R, T, S, A>> {
    template <int K> using type = kernel::accumulate<R, T, Slots + K, A>;
    static constexpr int sums = 1;
};
template <int Slots, int K, class Done, class Block> struct all_down_columns;
template <int Slots, int K, class... Done> struct all_down_columns<Slots, K, kernel::block<Done...>, kernel::block<>> {
    using type = kernel::block<Done...>;
};
template <int Slots, int K, class... Done, class First, class... Rest>
struct all_down_columns<Slots, K, kernel::block<Done...>, kernel::block<First, Rest...>>
    : all_down_columns<Slots, K + down_columns<Slots, First>::sums, kernel::block<Done..., typename down_columns<Slots, First>::template type<K>>, kernel::block<Rest...>> {};

/// Of an engine whose kernel is elements and sums along inner axes.
template <class Engine> struct column_ends {
    static constexpr bool found = false;
};
template <template <class, class> class Engine, int O, int I, class U, class Element, class Arch>
    requires(O > 1 && I > 0)
struct column_ends<Engine<kernel::kernel<O, I, U, kernel::block<>, kernel::phase<Element, kernel::block<>, kernel::block<>>>, Arch>> {
    using arranged = arrangement<kernel::kernel<O, I, U, kernel::block<>, kernel::phase<Element, kernel::block<>, kernel::block<>>>, Arch>;
    using setup = typename arranged::setup;
    using lanes = typename arranged::lanes;
    using sinks = inner_sinks<Element>;
    static constexpr int slots = arranged::slots, sums = arranged::in_elements.count(role_inner), all_slots = slots + sums;
    static constexpr bool found = lanes::size > 1 && sums > 0 && sums <= 2 && arranged::axes == 0 && !arranged::gathers && !arranged::in_elements.any(role_fixed | role_accumulate);

    /// The first outer axis, the second one and the inner ones lie behind each other, and only the first is summed besides.
    static bool fits(const setup& s) {
        constexpr std::int64_t longest = 64, fewest = 4;
        if (s.outer.rank != 2 || s.inner.rank != 1 || !s.unit || s.outer.extent[0] < fewest || s.inner.extent[0] > longest || s.inner.extent[0] == 0) return false;
        for (int k = 0; k < slots; ++k) {
            const int uses = arranged::in_elements.uses[k];
            if ((uses & role_inner) != 0 ? s.outer.stride[k][0] != 0 || s.outer.stride[k][1] == 0 : uses != 0 && s.outer.stride[k][1] != s.inner.extent[0] * arranged::in_elements.bytes[k]) return false;
        }
        return true;
    }

    /// All outer indices, whose memory has nothing of this phase yet.
    [[gnu::noinline]] static void run(const setup& s, const operand* slot) {
        using phase = kernel::phase<typename all_down_columns<slots, 0, kernel::block<>, kernel::listed_t<Element>>::type, kernel::block<>, kernel::block<>>;
        using loops = sweep<lanes, all_slots, O + I - 1, U, typename arranged::rows_block, phase>;
        using panels = column_sweep<loops>;
        alignas(64) std::byte room[sums][tile_bytes];
        const std::int64_t count = s.inner.extent[0], rows = s.outer.extent[0], together = longest_run / count;
        const typename arranged::row_file none{};
        const std::int64_t index[1] = {};
        typename loops::state totals;
        totals.reset();
        for (std::int64_t first = 0; first < s.outer.extent[1]; first += together) {
            const std::int64_t n = std::min(together, s.outer.extent[1] - first), columns = n * count;
            const std::int64_t most = panels::groups_rows(columns) ? rows_in_groups : rows_per_panel;
            std::byte* p[all_slots];
            std::int64_t down[all_slots] = {};
            for (int k = 0; k < slots; ++k) {
                p[k] = kernel::alone(slot[k].data) + first * s.outer.stride[k][1];
                down[k] = s.outer.stride[k][0];
            }
            for (int k = 0; k < sums; ++k) p[slots + k] = room[k];
            for (std::int64_t row = 0; row < rows; row += most) {
                const typename loops::around outside{s.uniforms, none, s.scalars, index, s.displacement, row == 0};
                panels::panel(p, down, std::min(most, rows - row), 0, columns, &outside, &totals);
                for (int k = 0; k < slots; ++k) p[k] += most * down[k];
            }
            end(s, slot, first, n, count, room, sinks{}, std::make_integer_sequence<int, sums>{});
        }
    }

private:
    template <class... Sink, int... K>
    static void end(const setup& s, const operand* slot, std::int64_t first, std::int64_t n, std::int64_t count, std::byte (*room)[tile_bytes], kernel::block<Sink...>, std::integer_sequence<int, K...>) {
        const auto one = [&]<class R, class T, int Slot>(const T* from) {
            using number = wide<R, T>;
            for (std::int64_t c = 0; c < n; ++c, from += count) {
                number sum = static_cast<number>(from[0]);
                for (std::int64_t l = 1; l < count; ++l) sum = R::combine(sum, static_cast<number>(from[l]));
                T& memory = *reinterpret_cast<T*>(slot[Slot].data + (first + c) * s.outer.stride[Slot][1]);
                memory = static_cast<T>(R::combine(static_cast<number>(memory), sum));
            }
        };
        (one.template operator()<typename Sink::reduction, typename Sink::element, Sink::slot>(reinterpret_cast<const typename Sink::element*>(room[K])), ...);
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
