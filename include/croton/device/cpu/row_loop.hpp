// SPDX-License-Identifier: MIT
// A loop along one axis of which a caller runs some iterations at a time: all that lies in front of its loops is done once.
#ifndef CROTON_DEVICE_CPU_ROW_LOOP_HPP
#define CROTON_DEVICE_CPU_ROW_LOOP_HPP

#include <croton/device/cpu/arrangement.hpp>
#include <croton/device/cpu/sweep.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

/// Of a kernel of one phase that knows no index, and sums into single numbers or not at all.
template <class Kernel, class Arch> class row_loop;
template <class U, class Phase, class Arch>
class row_loop<kernel::kernel<0, 1, U, kernel::block<>, Phase>, Arch> : arrangement<kernel::kernel<0, 1, U, kernel::block<>, Phase>, Arch> {
    using arranged = arrangement<kernel::kernel<0, 1, U, kernel::block<>, Phase>, Arch>;
    using typename arranged::rows_block, typename arranged::uniform_file, typename arranged::row_file;
    using arranged::slots, arranged::in_elements;
    using loops = sweep<typename arranged::lanes, slots, 0, U, rows_block, Phase>;
    using element_block = typename parts<Phase>::element;
    static_assert(!arranged::gathers && arranged::axes == 0 && loops::reduce_count == 0 && loops::column_count == 0 && kernel::size_of_block<typename parts<Phase>::row> == 0);

    static constexpr bool moves(int slot) { return (in_elements.uses[slot] & role_stream) != 0; }

public:
    /// Whether all that it runs along lies side by side.
    static bool fits(const operand* slot) {
        bool all = true;
        for (int k = 0; k < slots; ++k) all = all && (!moves(k) || slot[k].stride[0] == 1);
        return all;
    }

    /// Before the iteration `first`, with no sums so far. Slots that `stays` names hold what is there of the iterations that run, and of no others.
    row_loop(const operand* slot, const bool* stays, std::int64_t first, const std::int64_t* scalars) : scalars_(scalars) {
        for (int k = 0; k < slots; ++k) {
            step_[k] = moves(k) && !stays[k] ? in_elements.bytes[k] : 0;
            place_[k] = slot[k].data + first * step_[k];
        }
        const number_port numbers{place_, scalars, nowhere, nullptr, nullptr, nullptr};
        kernel::run_uniform_block<U>(numbers, uniforms_);
        sums_.reset();
    }
    /// The next `count` iterations.
    void run(std::int64_t count) {
        const typename loops::around outside{uniforms_, rows_, scalars_, nowhere, nullptr};
        // What the next ones read and write is on its way: with so few at a time no processor asks for it by itself.
        CROTON_UNROLLED
        for (int k = 0; k < slots; ++k)
            if (moves(k)) __builtin_prefetch(place_[k] + 2 * line);
        loops::one_run(place_, 0, count, outside, sums_);
        CROTON_UNROLLED
        for (int k = 0; k < slots; ++k)
            if (moves(k)) place_[k] += count * step_[k];
    }
    /// Stores the sums of all of them, each where `to` says for its slot.
    void settle(std::byte* const* to) const { put(to, inner_sinks<element_block>{}, std::make_integer_sequence<int, loops::sink_count>{}); }

private:
    static constexpr std::int64_t nowhere[1] = {}, line = 64;
    const std::int64_t* scalars_;
    std::byte* place_[bound<slots>];
    std::int64_t step_[bound<slots>];
    uniform_file uniforms_;
    row_file rows_{};
    typename loops::state sums_;

    template <class... Sink, int... K> void put([[maybe_unused]] std::byte* const* to, kernel::block<Sink...>, std::integer_sequence<int, K...>) const {
        ((*reinterpret_cast<typename Sink::element*>(to[Sink::slot]) = static_cast<typename Sink::element>(kernel::detail::at<K, kernel::partial_t<Sink>>(sums_))), ...);
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
