// SPDX-License-Identifier: MIT
// Cumulation on the CPU: rows that lie side by side in lanes, others a few at a time, so that one addition need not wait for another.
#ifndef CROTON_DEVICE_CPU_CUMULATE_HPP
#define CROTON_DEVICE_CPU_CUMULATE_HPP

#include <croton/device/cpu/routines.hpp>
#include <croton/kernel/routine/cumulate.hpp>

#include <cstring>
#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

/// 64 bytes of numbers as compilers know them, one name for each: nvcc knows none that depends on a type.
template <class V> struct lanes_of;
template <> struct lanes_of<float> {
    typedef float type __attribute__((vector_size(64)));
};
template <> struct lanes_of<double> {
    typedef double type __attribute__((vector_size(64)));
};
template <> struct lanes_of<std::uint64_t> {
    typedef std::uint64_t type __attribute__((vector_size(64)));
};

template <class Rule, class T, class... In, class Arch> struct routine_body<kernel::cumulate<Rule>, kernel::routine_types<T, In...>, Arch> {
    using routine = kernel::cumulate<Rule>;
    using V = typename routine::template number_t<T>;
    static constexpr int slots = 1 + static_cast<int>(sizeof...(In)), to = slots - 1;
    static constexpr bool in_lanes = Rule::in_lanes && (true && ... && std::is_same_v<T, In>);
    static constexpr std::int64_t lanes = 64 / static_cast<std::int64_t>(sizeof(T));
    using vector_of_lanes = typename lanes_of<V>::type;
    using arguments = std::make_integer_sequence<int, slots - 1>;

    /// States that stay in the nearest cache while the rows they belong to are walked side by side.
    static constexpr std::int64_t most_beside = 8192 / static_cast<std::int64_t>(sizeof(T));

    static std::int64_t room(const kernel::routine_call&) { return 0; }
    static void run(const kernel::routine_call& given, std::byte*) {
        kernel::routine_call c = merged(given, slots, 0);
        if ((c.attributes & kernel::cumulate_reversed) != 0 && c.rank > 0)
            for (int k = 0; k < slots; ++k) {
                std::int64_t& stride = c.stride[k][c.rank - 1];
                const std::size_t size = size_of_slot(k);
                c.data[k] += (c.along() - 1) * stride * static_cast<std::int64_t>(size);
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
    template <class E> static V read(const E& x) { return static_cast<V>(static_cast<T>(x)); }

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

    /// `count` rows side by side.
    template <bool Exclusive, int... K>
    [[gnu::noinline]] static void run_tile(const kernel::routine_call& c, const std::int64_t* offset, std::int64_t count, std::integer_sequence<int, K...>) {
        alignas(64) V state[most_beside];
        const V start = Rule::template start<V>(Exclusive);
        for (std::int64_t j = 0; j < count; ++j) state[j] = start;
        T* y = at<T>(c, to, offset);
        run_lines<Exclusive>(c, state, count, y, at<const In>(c, K, offset)...);
    }
    template <bool Exclusive> static void run_lines(const kernel::routine_call& c, V* state, std::int64_t count, T* y, const In*... x) {
        const int last = c.rank - 1;
        for (std::int64_t i = 0; i < c.extent[last]; ++i) {
            std::int64_t j = 0;
            if constexpr (in_lanes)
                for (; j + lanes <= count; j += lanes) advance_lanes<Exclusive>(state + j, y + j, x + j...);
            for (; j < count; ++j) {
                if constexpr (Exclusive) y[j] = static_cast<T>(state[j]);
                Rule::advance(state[j], read(x[j])...);
                if constexpr (!Exclusive) y[j] = static_cast<T>(state[j]);
            }
            y += c.stride[to][last];
            int k = 0;
            ((x += c.stride[k++][last]), ...);
        }
    }
    template <bool Exclusive> CROTON_INLINE static void advance_lanes(V* state, T* y, const In*... x) {
        vector_of_lanes s;
        std::memcpy(&s, state, sizeof s);
        if constexpr (Exclusive) std::memcpy(y, &s, sizeof s);
        advance_loaded(s, loaded(x)...);
        if constexpr (!Exclusive) std::memcpy(y, &s, sizeof s);
        std::memcpy(state, &s, sizeof s);
    }
    struct loaded {
        vector_of_lanes lanes;
        CROTON_INLINE explicit loaded(const T* p) { std::memcpy(&lanes, p, sizeof lanes); }
    };
    template <class... X> CROTON_INLINE static void advance_loaded(vector_of_lanes& s, const X&... x) { Rule::advance(s, x.lanes...); }

    template <bool Exclusive> static void run_rows(const kernel::routine_call& c) {
        constexpr std::int64_t at_once = 4;
        const std::int64_t rows = c.rows();
        const int parts = parts_of(routine::operations(rows * c.along(), c.along()), rows);
        parallel(parts, [&](int part) {
            std::int64_t row = rows * part / parts;
            const std::int64_t last = rows * (part + 1) / parts;
            row_walk walk(c, slots, std::max(c.rank - 1, 0), row);
            std::int64_t offset[at_once][kernel::most_routine_slots];
            while (row < last) {
                int count = 0;
                for (; count < at_once && row < last; ++count, ++row, walk.next())
                    for (int k = 0; k < slots; ++k) offset[count][k] = walk.offset[k];
                if (count == at_once) run_some<Exclusive, at_once>(c, offset, arguments());
                else for (int r = 0; r < count; ++r) run_some<Exclusive, 1>(c, offset + r, arguments());
            }
        });
    }
    template <bool Exclusive, int Rows, int... K>
    [[gnu::noinline]] static void run_some(const kernel::routine_call& c, const std::int64_t (*offset)[kernel::most_routine_slots], std::integer_sequence<int, K...>) {
        const int last = c.rank == 0 ? 0 : c.rank - 1;
        const std::int64_t n = c.along(), step[] = {c.stride[K][last]..., c.stride[to][last]};
        bool unit = true;
        for (const std::int64_t s : step) unit = unit && s == 1;
        const auto walk = [&](auto one) {
            V state[Rows];
            for (int r = 0; r < Rows; ++r) state[r] = Rule::template start<V>(Exclusive);
            for (std::int64_t i = 0; i < n; ++i)
                for (int r = 0; r < Rows; ++r) {
                    T& y = at<T>(c, to, offset[r])[one(i, to)];
                    const V before = state[r];
                    Rule::advance(state[r], read(at<const In>(c, K, offset[r])[one(i, K)])...);
                    y = static_cast<T>(Exclusive ? before : state[r]);
                }
        };
        if (unit) walk([](std::int64_t i, int) { return i; });
        else walk([&](std::int64_t i, int k) { return i * step[k]; });
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
