// SPDX-License-Identifier: MIT
// Values brought to where indices lead, on the CPU: along the axis that lies side by side in memory, so that a row of a table is one
// run, and in the order of the indices, whichever thread it is.
#ifndef CROTON_DEVICE_CPU_SCATTER_HPP
#define CROTON_DEVICE_CPU_SCATTER_HPP

#include <croton/device/cpu/lanes.hpp>
#include <croton/device/cpu/routines.hpp>
#include <croton/kernel/routine/scatter.hpp>

#include <cstring>
#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

template <kernel::brought How, class T, class B, class I, class V, class Arch>
struct routine_body<kernel::scatter<How, false>, kernel::routine_types<T, B, I, V>, Arch> {
    using routine = kernel::scatter<How, false>;
    static constexpr int base = 0, indices = 1, values = 2, to = 3, slots = 4;

    /// Elements of a row that one thread takes at least.
    static constexpr std::int64_t grain = 64;

    static std::int64_t room(const kernel::routine_call&) { return 0; }
    static void run(const kernel::routine_call& given, std::byte*) {
        kernel::routine_call c = merged(given, slots, routine::whole);
        const bool in_place = given.data[base] == given.data[to];
        const int beside = axis_beside(c, in_place);
        // What lies side by side is walked inside, the other axes but that of the rows around it.
        const int last = c.rank - 1, axes = beside < 0 ? last : last - 1;
        const std::int64_t width = beside < 0 ? 1 : c.extent[beside];
        kernel::routine_call around = c;
        for (int a = beside; beside >= 0 && a < axes; ++a) {
            around.extent[a] = c.extent[a + 1];
            for (int k = 0; k < slots; ++k) around.stride[k][a] = c.stride[k][a + 1];
        }
        std::int64_t others = 1;
        for (int a = 0; a < axes; ++a) others *= around.extent[a];
        const std::int64_t work = others * width * (c.length + (in_place ? 0 : c.along())) * 2;
        const std::int64_t pieces = (width + grain - 1) / grain, units = others * pieces;
        const int parts = parts_of(work, units);
        parallel(parts, [&](int part) {
            const std::int64_t first = units * part / parts, end = units * (part + 1) / parts;
            row_walk walk(around, slots, axes, first / pieces);
            for (std::int64_t unit = first; unit < end;) {
                // The pieces of one row that are this thread's, as one.
                const std::int64_t piece = unit % pieces, count = std::min(end - unit, pieces - piece);
                const std::int64_t from = piece * grain, size = std::min(count * grain, width - from);
                run_piece(c, walk.offset, from, size, in_place);
                unit += count;
                if (unit % pieces == 0) walk.next();
            }
        });
    }

private:
    /// The axis along which result and values lie side by side, or -1.
    static int axis_beside(const kernel::routine_call& c, bool in_place) {
        for (int a = 0; a < c.rank - 1; ++a)
            if (c.stride[to][a] == 1 && c.stride[values][a] == 1 && (in_place || c.stride[base][a] == 1)) return a;
        return -1;
    }

    /// `size` elements that lie side by side, from number `from` on, of every place along the axis.
    [[gnu::noinline]] static void run_piece(const kernel::routine_call& c, const std::int64_t* offset, std::int64_t from, std::int64_t size, bool in_place) {
        const int last = c.rank - 1;
        T* const y = reinterpret_cast<T*>(c.data[to]) + offset[to] + from;
        const B* const x = reinterpret_cast<const B*>(c.data[base]) + offset[base] + from;
        const I* const place = reinterpret_cast<const I*>(c.data[indices]);
        const V* const v = reinterpret_cast<const V*>(c.data[values]) + offset[values] + from;
        const std::int64_t step = c.stride[indices][0], rows = c.stride[values][last];
        if (!in_place) copy_rows_of(y, c.stride[to][last], x, c.stride[base][last], c.extent[last], size);
        const kernel::index_axis axis{c.stride[to][last], c.extent[last]};
        // Single numbers are not worth being asked for: processors look far enough ahead.
        if (size == 1) {
            for (std::int64_t q = 0; q < c.length; ++q) routine::put(y[axis.offset(place[q * step])], v[q * rows]);
            return;
        }
        const std::int64_t fetched = size > 1 ? std::min<std::int64_t>(size * static_cast<std::int64_t>(sizeof(T)), bytes_ahead) : 0;
        for (std::int64_t q = 0; q < c.length; ++q) {
            if (q + rows_ahead < c.length) fetch_row<true>(reinterpret_cast<const std::byte*>(y + axis.offset(place[(q + rows_ahead) * step])), fetched);
            put_run(y + axis.offset(place[q * step]), v + q * rows, size);
        }
    }
    static void copy_rows_of(T* y, std::int64_t y_row, const B* x, std::int64_t x_row, std::int64_t rows, std::int64_t size) {
        if (y_row == size && x_row == size) return copy_run(y, x, rows * size);
        // A call for a single element would take longer than the element.
        if (size == 1)
            for (std::int64_t i = 0; i < rows; ++i) y[i * y_row] = static_cast<T>(x[i * x_row]);
        else
            for (std::int64_t i = 0; i < rows; ++i) copy_run(y + i * y_row, x + i * x_row, size);
    }
    CROTON_INLINE static void copy_run(T* __restrict y, const B* __restrict x, std::int64_t size) {
        for (std::int64_t j = 0; j < size; ++j) y[j] = static_cast<T>(x[j]);
    }
    CROTON_INLINE static void put_run(T* __restrict y, const V* __restrict v, std::int64_t size) {
        std::int64_t j = 0;
        // At -O2 compilers leave a loop of unknown length as it is.
        if constexpr (How == kernel::brought::added && std::is_same_v<T, V> && std::is_floating_point_v<T>) {
            using lanes = typename lanes_of<T, register_bytes<Arch>()>::type;
            constexpr std::int64_t width = sizeof(lanes) / sizeof(T);
            for (; j + width <= size; j += width) {
                lanes sum, more;
                std::memcpy(&sum, y + j, sizeof(lanes));
                std::memcpy(&more, v + j, sizeof(lanes));
                sum += more;
                std::memcpy(y + j, &sum, sizeof(lanes));
            }
        }
        for (; j < size; ++j) routine::put(y[j], v[j]);
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
