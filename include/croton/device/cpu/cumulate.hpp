// SPDX-License-Identifier: MIT
// Cumulation on the CPU: rows that lie side by side in lanes, others a few at a time, so that one addition need not wait for another.
#ifndef CROTON_DEVICE_CPU_CUMULATE_HPP
#define CROTON_DEVICE_CPU_CUMULATE_HPP

#include <croton/device/cpu/lanes.hpp>
#include <croton/device/cpu/routines.hpp>
#include <croton/device/cpu/tile.hpp>
#include <croton/kernel/routine/cumulate.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

template <class Rule, class T, class... In, class Arch> struct routine_body<kernel::cumulate<Rule>, kernel::routine_types<T, In...>, Arch> {
    using routine = kernel::cumulate<Rule>;
    using V = typename routine::template number_t<T>;
    static constexpr int slots = 1 + static_cast<int>(sizeof...(In)), to = slots - 1;
    static constexpr bool is_signed_word = std::is_same_v<V, std::int32_t> || std::is_same_v<V, std::int64_t>;
    using in_register = std::conditional_t<is_signed_word, V, typename routine::template wrapped_t<T>>;
    static constexpr bool in_lanes = Rule::in_lanes && std::is_same_v<V, in_register> && (true && ... && std::is_same_v<T, In>);
    using vector_of_lanes = typename lanes_of<in_register, register_bytes<Arch>()>::type;
    static constexpr std::int64_t lanes = sizeof(vector_of_lanes) / sizeof(V);
    using arguments = std::make_integer_sequence<int, slots - 1>;
    /// To turn rows takes longer than to add some of them at a time, and less than to choose in each: of doubles it takes longer than either.
    static constexpr bool turns = in_lanes && std::is_same_v<T, float> && (std::is_same_v<Rule, kernel::cumulated::maximum> || std::is_same_v<Rule, kernel::cumulated::minimum>);

    /// So much of a line that the one before it is still in a near cache; shorter ones end what the processor fetches ahead.
    static constexpr std::int64_t most_beside = 131072 / static_cast<std::int64_t>(sizeof(T));

    static std::int64_t room(const kernel::routine_call&) { return 0; }
    static void run(const kernel::routine_call& given, std::byte*) {
        kernel::routine_call c = merged(given, slots, 0);
        if ((c.attributes & kernel::cumulate_reversed) != 0 && c.rank > 0)
            for (int k = 0; k < slots; ++k) {
                std::int64_t& stride = c.stride[k][c.rank - 1];
                c.data[k] += (c.along() - 1) * stride * static_cast<std::int64_t>(size_of_slot(k));
                stride = -stride;
            }
        const bool exclusive = (c.attributes & kernel::cumulate_exclusive) != 0;
        const int beside = axis_beside(c);
        if (beside >= 0 && exclusive) run_beside<true>(c, beside);
        else if (beside >= 0) run_beside<false>(c, beside);
        else if (exclusive) run_rows<true>(c);
        else run_rows<false>(c);
    }

private:
    static std::size_t size_of_slot(int k) {
        constexpr std::size_t size[] = {sizeof(In)..., sizeof(T)};
        return size[k];
    }
    template <class E> static E* at(const kernel::routine_call& c, int k, const std::int64_t* offset) { return reinterpret_cast<E*>(c.data[k]) + offset[k]; }
    template <class E> CROTON_INLINE static V read(const E& x) { return static_cast<V>(static_cast<T>(x)); }

    /// The axis along which all rows lie side by side in memory, or -1.
    static int axis_beside(const kernel::routine_call& c) {
        for (int a = 0; a < c.rank - 1; ++a) {
            bool side_by_side = c.extent[a] > 1;
            for (int k = 0; k < slots; ++k) side_by_side = side_by_side && c.stride[k][a] == 1;
            if (side_by_side) return a;
        }
        return -1;
    }

    template <bool Exclusive> static void run_beside(const kernel::routine_call& c, int axis) {
        // That axis in tiles; the others before it.
        kernel::routine_call walked = c;
        const std::int64_t width = c.extent[axis];
        for (int a = axis; a < c.rank - 2; ++a) {
            walked.extent[a] = c.extent[a + 1];
            for (int k = 0; k < slots; ++k) walked.stride[k][a] = c.stride[k][a + 1];
        }
        const int axes = c.rank - 2;
        std::int64_t others = 1;
        for (int a = 0; a < axes; ++a) others *= walked.extent[a];
        const std::int64_t work = routine::operations(others * width * c.along(), c.along());
        const int wanted = parts_of(work, others * ((width + lanes - 1) / lanes));
        std::int64_t tile = std::min(width, most_beside);
        if (others < wanted) tile = std::min(tile, std::max(lanes, (width * others / wanted + lanes - 1) / lanes * lanes));
        const std::int64_t tiles = (width + tile - 1) / tile, units = others * tiles;
        parallel(wanted, [&](int part) {
            const std::int64_t first = units * part / wanted, last = units * (part + 1) / wanted;
            row_walk walk(walked, slots, axes, first / tiles);
            for (std::int64_t unit = first; unit < last; ++unit) {
                const std::int64_t from = unit % tiles * tile;
                std::int64_t offset[kernel::most_routine_slots];
                for (int k = 0; k < slots; ++k) offset[k] = walk.offset[k] + from;
                run_tile<Exclusive>(c, offset, std::min(tile, width - from), arguments());
                if (unit % tiles == tiles - 1) walk.next();
            }
        });
    }

    /// `count` rows side by side, one line through all of them after the other. The state of a row is what the line before has of it.
    template <bool Exclusive, int... K>
    [[gnu::noinline]] static void run_tile(const kernel::routine_call& c, const std::int64_t* offset, std::int64_t count, std::integer_sequence<int, K...>) {
        const int last = c.rank - 1;
        T* const y = at<T>(c, to, offset);
        for (std::int64_t j = 0; j < count; ++j) {
            V state = Rule::template start<V>(Exclusive);
            if constexpr (!Exclusive) Rule::advance(state, read(at<const In>(c, K, offset)[j])...);
            y[j] = static_cast<T>(state);
        }
        const std::int64_t line = c.stride[to][last];
        for (std::int64_t i = 1; i < c.extent[last]; ++i)
            run_line(y + i * line, y + (i - 1) * line, count, at<const In>(c, K, offset) + (Exclusive ? i - 1 : i) * c.stride[K][last]...);
    }
    CROTON_INLINE static void run_line(T* y, const T* before, std::int64_t count, const In*... x) {
        std::int64_t j = 0;
        if constexpr (in_lanes)
            for (; j + lanes <= count; j += lanes) {
                loaded state(before + j);
                Rule::advance(state, loaded(x + j)...);
                std::memcpy(y + j, &state.lanes, sizeof state.lanes);
            }
        for (; j < count; ++j) {
            V state = static_cast<V>(before[j]);
            Rule::advance(state, read(x[j])...);
            y[j] = static_cast<T>(state);
        }
    }
    /// Lanes with operators of their own: nvcc knows those of the compiler's vectors in no function that a device may call.
    struct loaded {
        vector_of_lanes lanes;
        CROTON_INLINE explicit loaded(const T* p) { std::memcpy(&lanes, p, sizeof lanes); }
        CROTON_INLINE explicit loaded(const vector_of_lanes& v) : lanes(v) {}
        CROTON_INLINE friend loaded operator+(const loaded& a, const loaded& b) { return loaded(a.lanes + b.lanes); }
        CROTON_INLINE friend loaded operator*(const loaded& a, const loaded& b) { return loaded(a.lanes * b.lanes); }
        template <bool Largest> CROTON_INLINE friend loaded further(const loaded& state, const loaded& x) {
            return loaded(((Largest ? x.lanes > state.lanes : x.lanes < state.lanes) | (x.lanes != x.lanes)) ? x.lanes : state.lanes);
        }
    };

    template <bool Exclusive> static void run_rows(const kernel::routine_call& c) {
        // The last of the outer axes is walked as rows, the others before it.
        const std::int64_t rows = c.rows(), beside = c.rank > 1 ? c.extent[c.rank - 2] : 1;
        const int parts = parts_of(routine::operations(rows * c.along(), c.along()), rows);
        parallel(parts, [&](int part) {
            std::int64_t row = rows * part / parts;
            const std::int64_t last = rows * (part + 1) / parts;
            row_walk walk(c, slots, std::max(c.rank - 2, 0), row / beside);
            for (; row < last; walk.next()) {
                const std::int64_t from = row % beside, count = std::min(beside - from, last - row);
                std::int64_t offset[kernel::most_routine_slots];
                for (int k = 0; k < slots; ++k) offset[k] = walk.offset[k] + (c.rank > 1 ? from * c.stride[k][c.rank - 2] : 0);
                run_some<Exclusive>(c, offset, count, arguments());
                row += count;
            }
        });
    }

    /// `count` rows, a few at a time.
    template <bool Exclusive, int... K>
    [[gnu::noinline]] static void run_some(const kernel::routine_call& c, const std::int64_t* offset, std::int64_t count, std::integer_sequence<int, K...>) {
        const int last = c.rank == 0 ? 0 : c.rank - 1, beside = std::max(last - 1, 0);
        const std::int64_t n = c.along();
        bool unit = true;
        for (int k = 0; k < slots; ++k) unit = unit && c.stride[k][last] == 1;
        const auto walk = [&](auto step) {
            constexpr std::int64_t at_once = 4;
            std::int64_t row = 0;
            if constexpr (turns)
                for (; unit && n >= lanes && row + lanes <= count; row += lanes)
                    run_in_lanes<Exclusive>(n, at<T>(c, to, offset) + row * c.stride[to][beside], c.stride[to][beside],
                                            rows_from<In>{at<const In>(c, K, offset) + row * c.stride[K][beside], c.stride[K][beside], 1}...);
            for (; row + at_once <= count; row += at_once)
                run_together<Exclusive, at_once>(n, at<T>(c, to, offset) + row * c.stride[to][beside], c.stride[to][beside], step(c.stride[to][last]),
                                                 rows_from<In>{at<const In>(c, K, offset) + row * c.stride[K][beside], c.stride[K][beside], step(c.stride[K][last])}...);
            for (; row < count; ++row)
                run_together<Exclusive, 1>(n, at<T>(c, to, offset) + row * c.stride[to][beside], 0, step(c.stride[to][last]),
                                           rows_from<In>{at<const In>(c, K, offset) + row * c.stride[K][beside], 0, step(c.stride[K][last])}...);
        };
        if (unit) walk([](std::int64_t) { return std::int64_t{1}; });
        else walk([](std::int64_t stride) { return stride; });
    }
    template <class E> struct rows_from {
        const E* data;
        std::int64_t row, step;
    };
    /// A row in each lane: some of their columns at a time stand turned in tiles.
    template <bool Exclusive> static void run_in_lanes(std::int64_t n, T* y, std::int64_t row, rows_from<In>... x) {
        constexpr std::int64_t at_once = 64;
        constexpr int bytes = sizeof(T);
        struct tile {
            alignas(64) T numbers[at_once * lanes];

            grid lines() { return {reinterpret_cast<std::byte*>(numbers), bytes, lanes * bytes}; }
            T* line(std::int64_t j) { return numbers + j * lanes; }
        };
        const auto rows_at = [](const T* from, std::int64_t apart) { return grid{const_cast<std::byte*>(reinterpret_cast<const std::byte*>(from)), apart * bytes, bytes}; };
        loaded state(vector_of_lanes{} + Rule::template start<V>(Exclusive));
        tile result;
        const auto some = [&](std::int64_t first, auto&&... from) {
            const std::int64_t columns = std::min(at_once, n - first);
            (copy_rows<Arch, unsigned{sizeof(T)}>(from.lines(), rows_at(x.data + first, x.row), columns, lanes, bytes), ...);
            for (std::int64_t j = 0; j < columns; ++j) {
                if constexpr (Exclusive) std::memcpy(result.line(j), &state.lanes, sizeof state.lanes);
                Rule::advance(state, loaded(from.line(j))...);
                if constexpr (!Exclusive) std::memcpy(result.line(j), &state.lanes, sizeof state.lanes);
            }
            copy_rows<Arch, unsigned{sizeof(T)}>(rows_at(y + first, row), result.lines(), columns, lanes, bytes);
        };
        for (std::int64_t first = 0; first < n; first += at_once) some(first, tile_for<tile, In>{}...);
    }
    template <class Tile, class> using tile_for = Tile;
    template <bool Exclusive, int Rows> CROTON_INLINE static void run_together(std::int64_t n, T* y, std::int64_t row, std::int64_t step, rows_from<In>... x) {
        V state[Rows];
        CROTON_UNROLLED
        for (int r = 0; r < Rows; ++r) state[r] = Rule::template start<V>(Exclusive);
        for (std::int64_t i = 0; i < n; ++i)
            CROTON_UNROLLED
            for (int r = 0; r < Rows; ++r) {
                const V before = state[r];
                Rule::advance(state[r], read(x.data[r * x.row + i * x.step])...);
                y[r * row + i * step] = static_cast<T>(Exclusive ? before : state[r]);
            }
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
