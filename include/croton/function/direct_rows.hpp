// SPDX-License-Identifier: MIT
// A step that goes over rows, of arrays that lie in order: where its slots lie is known by their places and extents alone.
#ifndef CROTON_FUNCTION_DIRECT_ROWS_HPP
#define CROTON_FUNCTION_DIRECT_ROWS_HPP

#include <cstdint>
#include <utility>

#include <croton/config.hpp>
#include <croton/kernel/argument.hpp>
#include <croton/plan/view.hpp>

namespace croton::inline v0_1::detail {

/// `Facts`: the plan; `Size`: gives an extent of this call.
template <const auto& Facts, int Step, class Size> struct direct_rows {
    static constexpr step of = Facts.steps[Step];
    static constexpr int axes = of.outer + of.inner;

    /// How far the next element along loop axis `Axis` of slot `Slot` is.
    template <int Slot, int Axis> CROTON_INLINE static std::int64_t stride(const Size& size) {
        constexpr access a = Facts.slots[of.slot_from + Slot];
        constexpr shape lies = Facts.buffers[a.buffer].shape;
        constexpr int along = a.axis.at[Axis];
        if constexpr (along < 0) return 0;
        else
            return [&]<int... K>(std::integer_sequence<int, K...>) CROTON_INLINED {
                return (std::int64_t{1} * ... * size.template of<lies[along + 1 + K]>());
            }(std::make_integer_sequence<int, lies.rank - 1 - along>());
    }
    template <int Slot, int... Axis> CROTON_INLINE static void put(kernel::operand& to, std::byte* place, const Size& size, std::integer_sequence<int, Axis...>) {
        to.data = place;
        ((to.stride[Axis] = stride<Slot, Axis>(size)), ...);
    }
    /// Runs `Kernel`; `place` gives where a buffer lies.
    template <class Device, class Kernel, int... Slot> CROTON_INLINE static void run(const Size& size, const std::int64_t* sizes, const auto& place, std::integer_sequence<int, Slot...>) {
        using loop_axes = std::make_integer_sequence<int, axes>;
        kernel::operand slot[of.slot_count];
        (put<Slot>(slot[Slot], place.template operator()<Facts.slots[of.slot_from + Slot].buffer>(), size, loop_axes()), ...);
        [&]<int... Axis>(std::integer_sequence<int, Axis...>) CROTON_INLINED {
            const std::int64_t extents[] = {size.template of<of.extent[Axis]>()...};
            Device::template run<Kernel>(extents, slot, sizes);
        }(loop_axes());
    }
};

}  // namespace croton::inline v0_1::detail

#endif
