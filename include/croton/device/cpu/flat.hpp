// SPDX-License-Identifier: MIT
// A kernel whose elements lie side by side, on one thread: its loops alone, without what prepares strides, threads and sums in memory.
#ifndef CROTON_DEVICE_CPU_FLAT_HPP
#define CROTON_DEVICE_CPU_FLAT_HPP

#include <croton/device/cpu/arrangement.hpp>
#include <croton/device/cpu/brief.hpp>
#include <croton/device/cpu/row_sums.hpp>
#include <croton/device/cpu/shared_loop.hpp>
#include <croton/device/cpu/spread.hpp>
#include <croton/device/cpu/sweep.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

/// Whether a call of few elements feels all that is in front of the loops of a kernel, and a copy of these, which are short, takes the compiler little.
template <class Kernel, class Arch> struct flat;
template <int O, int I, class U, class Row, class... Phases, class Arch>
struct flat<kernel::kernel<O, I, U, Row, Phases...>, Arch> : arrangement<kernel::kernel<O, I, U, Row, Phases...>, Arch> {
    using arranged = arrangement<kernel::kernel<O, I, U, Row, Phases...>, Arch>;
    using typename arranged::rows_block, typename arranged::uniform_file, typename arranged::row_file, typename arranged::lanes;
    using arranged::slots, arranged::in_elements, arranged::in_rows, arranged::gathers, arranged::axes;

    template <class Phase> using sweep_of = sweep<lanes, slots, 0, U, rows_block, Phase>;

    static constexpr bool possible = O == 0 && !gathers && axes == 0 && !in_rows.any(kernel::role_sum) && !in_elements.any(role_accumulate) &&
                                     (true && ... && !sweep_of<Phases>::is_called);
    static constexpr int cost = in_elements.cost + in_rows.cost;
    /// Whether these loops are few instructions.
    static constexpr bool brief = is_brief<kernel::listed_t<U>> && is_brief<kernel::listed_t<Row>> &&
                                  (true && ... && (is_brief<kernel::listed_t<typename parts<Phases>::element>> && is_brief<kernel::listed_t<typename parts<Phases>::row>>));
    static constexpr bool reduces = (false || ... || (sweep_of<Phases>::sink_count > 0));
    /// Of more elements threads may be worth waking.
    static constexpr std::int64_t most = any_spread<Phases...> ? std::min(spread_block, 2 * work_per_thread / (cost + 1)) : 2 * work_per_thread / (cost + 1);
    /// Whether `rows` rows of `n` elements are fewer.
    static bool is_little(std::int64_t rows, std::int64_t n) { return rows < most && n < most && rows * n < most; }
    /// Where there are sums, those of more elements are the matter of a function.
    static constexpr std::int64_t most_here = brief && reduces ? std::min(most, steps_per_flush * lanes::size) : most;

    /// The kernel along `n` elements of each slot that it runs along, from `slot` on. `One`: all arrays that it reads along are one.
    template <bool One = false> CROTON_LAYERED [[gnu::noinline]] static void run(std::int64_t n, std::byte* const* slot, const std::int64_t* scalars) {
        run_all<One, false>(n, slot, scalars);
    }
    /// The same where the caller stands. `Few`: they are fewer than `most_here`.
    template <bool One = false, bool Few = false> CROTON_LAYER static void run_here(std::int64_t n, std::byte* const* slot, const std::int64_t* scalars) {
        if constexpr (brief && reduces) {
            if (Few || n < most_here) run_all<One, true>(n, slot, scalars);
            else run<One>(n, slot, scalars);
        } else {
            run_all<One, false>(n, slot, scalars);
        }
    }

    /// The whole of a flat loop on this thread; false where its elements do not lie side by side, or are many.
    CROTON_INLINE static bool run_whole(const std::int64_t* extents, const operand* slot, const std::int64_t* scalars) {
        const std::int64_t n = I == 0 ? 1 : extents[0];
        bool fits = n < most;
        CROTON_UNROLLED
        for (int k = 0; k < slots; ++k)
            if ((in_elements.uses[k] & role_stream) != 0) fits = fits && slot[k].stride[0] == 1;
        if (!fits) return false;
        std::byte* base[bound<slots>];
        CROTON_UNROLLED
        for (int k = 0; k < slots; ++k) base[k] = kernel::alone(slot[k].data);
        run(n, base, scalars);
        return true;
    }

private:
    /// `Few`: no sum is of more elements than registers of the element type add up.
    template <bool One, bool Few> CROTON_LAYER static void run_all(std::int64_t n, std::byte* const* slot, const std::int64_t* scalars) {
        constexpr std::int64_t index[1] = {};
        const number_port numbers{slot, scalars, index, nullptr, nullptr, nullptr};
        uniform_file uniforms;
        kernel::run_uniform_block<U>(numbers, uniforms);
        row_file rs{};
        kernel::run_row_block<0, Row>(numbers, uniforms, rs);
        if constexpr (sizeof...(Phases) > 0) run_phases<One, Few, false, kernel::size_of_block<Row>, Phases...>(n, slot, {uniforms, rs, scalars, index, nullptr}, numbers, rs, false);
    }
    /// `Ends`: it is the second of two phases that are one pass; `done`: its loops were run with those of the first. Those that are done again are called: that is seldom.
    template <bool One, bool Few, bool Ends, int First, class Phase, class... Rest>
    CROTON_LAYER static void run_phases(std::int64_t n, std::byte* const* slot, const surroundings<uniform_file, row_file>& outside, const number_port& numbers, row_file& rs,
                                        [[maybe_unused]] bool done) {
        using loops = sweep_of<Phase>;
        using reduces = kernel::listed_t<typename parts<Phase>::reduces>;
        using pair = spread_of<Phase, Rest...>;
        constexpr std::make_integer_sequence<int, loops::reduce_count> reduced{};
        [[maybe_unused]] const auto collect = [&](auto& st) CROTON_INLINED {
            reducer<std::remove_cvref_t<decltype(st)>, row_file, reduces>::template direct<First>(reduced, st, rs);
        };
        spread_left left = spread_left::both;
        if constexpr (pair::found) {
            spread_guess none;
            if (!done)
                left = spread_pass<sweep_of<typename pair::phase>, slots, pair::center, typename pair::element>::template near<First, typename parts<Phase>::row, true>(
                    n, slot, outside, rs, numbers, none);
        }
        if constexpr (pair::found || Ends) {
            if (left == spread_left::both && !done) loops::template sums_of_run<false>(slot, n, outside, collect);
        } else {
            std::conditional_t<Few, typename loops::few_state, typename loops::state> st;
            if constexpr (loops::sink_count > 0 && !Few) st.reset();
            loops::template direct<One, brief>(slot, 0, n, outside, st);
            if constexpr (loops::sink_count > loops::reduce_count) put_sums<loops::reduce_count>(slot, st, inner_sinks<typename parts<Phase>::element>{});
            collect(st);
        }
        if (left == spread_left::both) kernel::run_row_block<First + loops::reduce_count, typename parts<Phase>::row>(numbers, outside.uniforms, rs);
        if constexpr (sizeof...(Rest) > 0)
            run_phases<One, Few, pair::found, First + loops::reduce_count + kernel::size_of_block<typename parts<Phase>::row>, Rest...>(
                n, slot, outside, numbers, rs, left == spread_left::nothing);
    }
    /// Sums of the whole loop go to memory once, at its end.
    template <int First, class State, class... Sink> CROTON_LAYER static void put_sums(std::byte* const* slot, const State& st, kernel::block<Sink...>) {
        const auto put = [&]<int... K>(std::integer_sequence<int, K...>) CROTON_INLINED {
            ((*reinterpret_cast<typename Sink::element*>(slot[Sink::slot]) =
                  static_cast<typename Sink::element>(kernel::detail::at<First + K, typename State::template number<Sink>>(st))), ...);
        };
        put(std::make_integer_sequence<int, static_cast<int>(sizeof...(Sink))>{});
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
