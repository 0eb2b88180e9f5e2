// SPDX-License-Identifier: MIT
// What becomes of the sums of a phase at the end of a row: they are row values, or go on to the next row.
#ifndef CROTON_DEVICE_CPU_ROW_SUMS_HPP
#define CROTON_DEVICE_CPU_ROW_SUMS_HPP

#include <croton/device/cpu/numbers.hpp>
#include <croton/device/cpu/sweep.hpp>

#include <algorithm>

namespace croton::inline v0_1::detail::cpu_device {

/// The reduces of a phase: from its partial results, `State`, to row values, or with those of other threads.
template <class State, class Registers, class Reduces> struct reducer;
template <class State, class Registers, class... Sink> struct reducer<State, Registers, kernel::block<Sink...>> {
    template <int... K> static void combine(std::integer_sequence<int, K...>, const State& from, State& to) {
        ((kernel::detail::at<K, kernel::partial_t<Sink>>(to) =
              Sink::reduction::combine(kernel::detail::at<K, kernel::partial_t<Sink>>(to), kernel::detail::at<K, kernel::partial_t<Sink>>(from))), ...);
    }
    template <int First, int... K> CROTON_INLINE static void direct(std::integer_sequence<int, K...>, const State& st, Registers& rs) {
        ((kernel::detail::at<First + K, typename Sink::element>(rs) =
              static_cast<typename Sink::element>(kernel::detail::at<K, typename State::template number<Sink>>(st))), ...);
    }
};

/// Whether the sums of a phase may stay in registers from row to row: nothing takes them in between, and one lane of them is a sum as well.
template <class Loops, class PhaseRow> inline constexpr bool carries_sums =
    Loops::sink_count > 0 && Loops::reduce_count == 0 && !Loops::is_long && kernel::size_of_block<PhaseRow> == 0;

/// Sums that go on from row to row. Short rows end in the middle of what their sums are folded for: a fold takes as long as such a row.
template <class Loops> struct carried_sums {
    typename Loops::running_sums kept[bound<Loops::unroll>];
    typename Loops::state total;
    std::int64_t rows, period, left;
    bool fresh;

    /// `all` rows of `count` elements; `apart` where the sums of each have their own place.
    CROTON_INLINE carried_sums(std::int64_t all, std::int64_t count, bool apart) : rows(all) {
        constexpr std::int64_t enough = steps_per_flush * Loops::unroll * Loops::lanes;
        period = apart || count >= enough ? 1 : count == 0 ? all : enough / count;
        total.reset();
        next();
    }
    CROTON_INLINE void next() {
        fresh = true;
        left = std::min(period, rows);
        rows -= left;
    }
    /// The sums for the loops of a row, which have them in registers: what a mask writes to memory is read from there late.
    CROTON_INLINE void take(typename Loops::running_sums* sums) const {
        CROTON_UNROLLED
        for (int k = 0; k < Loops::unroll; ++k) {
            if (fresh) sums[k].reset();
            else sums[k] = kept[k];
        }
    }
    /// Whether these rows are over; then `total` has their sums, else they are kept.
    CROTON_INLINE bool ends(typename Loops::running_sums* sums) {
        fresh = --left <= 0;
        if (fresh) {
            Loops::finish(sums, total);
        } else {
            CROTON_UNROLLED
            for (int k = 0; k < Loops::unroll; ++k) kept[k] = sums[k];
        }
        return fresh;
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
