// SPDX-License-Identifier: MIT
// Turns whose steps are single numbers: what their slots are, for a device that keeps what is carried in registers.
#ifndef CROTON_FUNCTION_NUMBER_TURNS_HPP
#define CROTON_FUNCTION_NUMBER_TURNS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <croton/device/device.hpp>
#include <croton/kernel/turns.hpp>
#include <croton/plan/lower.hpp>
#include <croton/plan/view.hpp>

namespace croton::inline v0_1::detail {

/// More of them are a function that takes the compiler long.
inline constexpr int most_number_steps = 24;

/// Whether slot `slot` of a plan is written.
constexpr bool is_written(const plan_view& p, const step& s, int slot) {
    for (int i = 0; i < s.instruction_count; ++i) {
        const instruction& at = p.instructions[s.instruction_from + i];
        if (at.slot == slot - s.slot_from && at.what == code_of::store) return true;
    }
    return false;
}

/// Whether the turns of a loop are steps of single numbers, by its region. What is carried is then written once in each turn.
constexpr bool are_numbers(const plan_view& inner, const loop_entry& l) {
    int written = 0;
    for (int n = 0; n < inner.step_count; ++n) {
        const step& s = inner.steps[n];
        if (s.what != step_kind::kernel || s.together != 1 || s.outer + s.inner + s.phases > 0) return false;
        for (int i = 0; i < s.instruction_count; ++i) {
            const code_of what = inner.instructions[s.instruction_from + i].what;
            if (what == code_of::gather || what == code_of::arange || what == code_of::accumulate || what == code_of::reduce) return false;
        }
        for (int i = s.slot_from; i < s.slot_from + s.slot_count; ++i) {
            const buffer_facts& b = inner.buffers[inner.slots[i].buffer];
            written += b.what == buffer_kind::output && b.index < l.carried && is_written(inner, s, i) ? 1 : 0;
        }
    }
    return inner.step_count > 0 && inner.step_count <= most_number_steps && written == l.carried;
}

/// The slots of such a turn. `kept`: by carried value, whether all of its turns lie in memory.
template <int Slots, int Buffers> constexpr auto number_slots(const plan_view& inner, const loop_entry& l, const bool* kept) {
    struct use {
        int writer = -1, writers = 0, readers = 0;
    };
    std::array<kernel::turn_slot, static_cast<std::size_t>(Slots + 1)> all{};
    std::array<use, static_cast<std::size_t>(Buffers + 1)> uses{};  // by buffer
    const auto use_of = [&](int slot) -> use& { return uses[static_cast<std::size_t>(inner.slots[slot].buffer)]; };
    for (int n = 0; n < inner.step_count; ++n)
        for (int i = inner.steps[n].slot_from; i < inner.steps[n].slot_from + inner.steps[n].slot_count; ++i) {
            if (!is_written(inner, inner.steps[n], i)) ++use_of(i).readers;
            else use_of(i).writer = i, ++use_of(i).writers;
        }
    const int given = l.carried + l.sequences + l.captured;
    for (int i = 0; i < Slots; ++i) {
        kernel::turn_slot& slot = all[static_cast<std::size_t>(i)];
        const buffer_facts& b = inner.buffers[inner.slots[i].buffer];
        const use& by = use_of(i);
        const bool is_carried = b.index < l.carried;
        slot.type = b.type;
        slot.from = by.writer;
        if (b.what == buffer_kind::leaf) {
            slot.what = is_carried                              ? kernel::turn_slot::carried
                        : b.index >= given                      ? kernel::turn_slot::number
                        : b.index >= l.carried + l.sequences ? kernel::turn_slot::fixed
                                                                : kernel::turn_slot::memory;
            for (int k = 0; k < inner.buffer_count && is_carried; ++k)
                if (inner.buffers[k].what == buffer_kind::output && inner.buffers[k].index == b.index) slot.from = uses[static_cast<std::size_t>(k)].writer;
        } else if (by.writers == 1 && by.writer != i) {
            slot.what = kernel::turn_slot::passed;
        } else if (by.writers == 1 && b.what == buffer_kind::temporary) {
            slot.what = kernel::turn_slot::within;
        } else if (by.writers == 1 && b.what == buffer_kind::output) {
            slot.what = is_carried && !kept[b.index] ? kernel::turn_slot::next : is_carried || by.readers > 0 ? kernel::turn_slot::kept_next : kernel::turn_slot::memory;
        }
    }
    return all;
}

/// Of loop `entry`, whose turns are the steps of `Region`, with `kept` as of `number_slots`.
template <class Device, class Region, const auto& Entry, const auto& Kept> struct turns_of_numbers {
    static constexpr plan_view inner = view_of(Region::program(), Region::value());
    static constexpr bool possible = carries_numbers<Device> && are_numbers(inner, Entry);
    static constexpr auto slots = [] {
        if constexpr (possible) return number_slots<inner.slot_count, inner.buffer_count>(inner, Entry, Kept.data());
        else return 0;
    }();
    template <int... Step> static auto kernels(std::integer_sequence<int, Step...>) -> kernel::turn_kernels<kernel::kernel_from<inner.steps[Step].slot_from, kernel_type<Region, Step>>...>;

    /// Runs them all, at most `count`, with what `place` gives for the slots of a turn; gives their number.
    template <class Place> static std::int64_t run(const std::int64_t* sizes, const kernel::turn_range& range, const Place& place) {
        using all = decltype(kernels(std::make_integer_sequence<int, inner.step_count>()));
        if (range.count <= 0) return 0;
        std::array<kernel::operand, slots.size()> first{};
        std::copy_n(place(0), slots.size() - 1, first.begin());
        return Device::template number_turns<all, slots>::run(first.data(), range.count > 1 ? place(1) : first.data(), sizes, range, place);
    }
};

}  // namespace croton::inline v0_1::detail

#endif
