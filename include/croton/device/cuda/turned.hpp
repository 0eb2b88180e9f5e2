// SPDX-License-Identifier: MIT
// Which loops are run by squares: those that read along another axis than they write along.
#ifndef CROTON_DEVICE_CUDA_TURNED_HPP
#define CROTON_DEVICE_CUDA_TURNED_HPP

#include <croton/device/cuda/turned_body.hpp>
#include <croton/kernel/argument.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace croton::inline v0_1::detail::cuda_device {

/// The axes of a loop in another order.
template <int Rank, int Slots> struct ordered_loop {
    std::int64_t extent[bound<Rank>];
    kernel::operand slot[bound<Slots>];
};

/// The loop with the axis innermost along which everything that is stored lies in memory, if there is such an axis.
template <int Rank, int Slots, class Usage>
ordered_loop<Rank, Slots> along_stores(const Usage& used, const std::int64_t* extents, const kernel::operand* slot) {
    ordered_loop<Rank, Slots> loop{};
    std::copy_n(extents, Rank, loop.extent);
    std::copy_n(slot, Slots, loop.slot);
    const auto stored_along = [&](int axis) {
        bool along = extents[axis] > 1;
        for (int s = 0; s < Slots; ++s) along = along && (!used.stored[s] || slot[s].stride[static_cast<std::size_t>(axis)] == 1);
        return along;
    };
    int last = Rank - 1;
    while (last >= 0 && !stored_along(last)) --last;
    for (int axis = last; axis >= 0 && axis < Rank - 1; ++axis) {
        std::swap(loop.extent[axis], loop.extent[axis + 1]);
        for (auto& s : loop.slot) std::swap(s.stride[static_cast<std::size_t>(axis)], s.stride[static_cast<std::size_t>(axis + 1)]);
    }
    return loop;
}

/// Looks whether the loops of `a`, whose axes have been merged, are run by squares, and if so by which; whether squares are worth it. `wide`: by
/// pieces of `Width` elements. `ordered`: axes stay in their order.
template <class Kernel, int Width, class Args, class Usage> bool turn_loops(Args& a, const Usage& used, bool ordered, bool& wide) {
    using facts = turned_loops<Kernel>;
    constexpr int I = footprint<Kernel>::inner_rank, slots = footprint<Kernel>::all.slots, last = I - 1, beside = I - 2;
    constexpr std::int64_t worth = 8;  // elements of a side
    a.broad = a.inner.at[last].extent;
    int other = -1;
    a.across = 0;
    if (a.broad < worth) return false;
    int count = 0;
    for (int s = 0; s < slots; ++s) {
        const std::int64_t* stride = a.stride[s];
        if (!used.streams[s] || stride[last] == 1 || stride[last] == 0) continue;
        if (used.stored[s]) return false;
        int axis = -1;
        for (int x = a.inner.first; x < last; ++x)
            if (stride[x] == 1 && a.inner.at[x].extent >= worth) axis = x;
        if (axis < 0 || (other >= 0 && other != axis)) continue;
        if (++count > facts::most) return false;
        other = axis;
        a.across |= std::uint64_t{1} << s;
    }
    if (count == 0 || (ordered && other != beside)) return false;
    // Squares are of the last two axes.
    std::swap(a.inner.at[other], a.inner.at[beside]);
    for (int s = 0; s < slots; ++s) std::swap(a.stride[s][other], a.stride[s][beside]);
    a.tall = a.inner.at[beside].extent;
    wide = Width > 1 && a.broad % Width == 0 && a.tall % Width == 0;
    for (int s = 0; wide && s < slots; ++s) {
        if (!used.streams[s]) continue;
        const int along = ((a.across >> s) & 1) != 0 ? beside : last;
        const auto word = static_cast<std::uintptr_t>(std::min(16, Width * used.bytes[s]));
        wide = a.stride[s][along] == 1 && reinterpret_cast<std::uintptr_t>(a.data[s]) % word == 0;
        for (int x = a.inner.first; x < I; ++x) wide = wide && (x == along || a.stride[s][x] % Width == 0);
    }
    const auto squares = [](std::int64_t n) { return axis::of((n + facts::side - 1) / facts::side); };
    a.inner.at[last] = squares(a.broad);
    a.inner.at[beside] = squares(a.tall);
    a.inner.settle();
    a.pieces = a.inner.size();
    return true;
}

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
