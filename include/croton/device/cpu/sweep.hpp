// SPDX-License-Identifier: MIT
// Runs the element block of one phase along a run of memory: full registers, the tail, partial sums, packed tiles.
#ifndef CROTON_DEVICE_CPU_SWEEP_HPP
#define CROTON_DEVICE_CPU_SWEEP_HPP

#include <croton/device/cpu/brief.hpp>
#include <croton/device/cpu/column_sweep.hpp>
#include <croton/device/cpu/first_place.hpp>
#include <croton/device/cpu/inner.hpp>
#include <croton/device/cpu/neighbours.hpp>
#include <croton/device/cpu/port.hpp>
#include <croton/device/cpu/running.hpp>

namespace croton::inline v0_1::detail::cpu_device {

/// The loops of one phase of a kernel with `Slots` slots, whose innermost loop axis is `InnermostAxis`.
template <class Lanes, int Slots, int InnermostAxis, class U, class Rows, class Phase> struct sweep;
template <class Lanes, int Slots, int InnermostAxis, class U, class Rows, class Element, class Reduces, class PhaseRow>
struct sweep<Lanes, Slots, InnermostAxis, U, Rows, kernel::phase<Element, Reduces, PhaseRow>> {
    using sinks = typename kernel::detail::joined<kernel::listed_t<Reduces>, inner_sinks<Element>>::type;
    using state = partials<sinks>;
    using few_state = few_partials<sinks>;
    using running_sums = running<Lanes, sinks>;
    using around = surroundings<kernel::uniform_registers<U>, kernel::row_registers<Rows>>;
    using full_port = lane_port<Lanes, Slots, InnermostAxis, false>;
    using tail_port = lane_port<Lanes, Slots, InnermostAxis, true>;
    using narrower_sweep = sweep<typename narrower<Lanes>::type, Slots, InnermostAxis, U, Rows, kernel::phase<Element, Reduces, PhaseRow>>;

    static constexpr usage<Slots> used = usage_of<Slots, Element>();
    static constexpr int sink_count = kernel::size_of_block<sinks>, reduce_count = kernel::size_of_block<Reduces>;
    static constexpr int lanes = Lanes::size;
    // A long chain of operators hides the latency of one sum; short blocks need several sums in flight: of one that is next to nothing as many as a processor starts while it
    // ends one.
    static constexpr int unroll = sink_count == 0 ? 1 : sink_count == 1 && used.cost <= 10 && is_brief<kernel::listed_t<Element>> ? 8 : used.cost <= 12 ? 4 : used.cost <= 24 ? 2 : 1;
    /// So many registers are worth more than one sum.
    static constexpr int least_unroll = unroll < 4 ? unroll : 4;
    /// So many are worth all of them.
    static constexpr int least_all = 32;
    using columns = column_sinks<Element>;
    static constexpr int column_count = kernel::size_of_block<columns>;
    /// Whether compilers feel each copy of the block, and a call of its loops is nothing beside them.
    static constexpr bool is_long = used.cost > 48;
    /// Whether a call of its loops for each row is little beside them, and another copy of them takes the compiler long.
    static constexpr bool is_called = used.cost > 24;
    /// Of so many registers two go at a time. Where there is more than one read, one at a time, each read by an instruction of its own, takes fewer less long.
    static constexpr int least_pairs = used.count(role_load) > 1 ? 32 : 2;
    /// Of so many elements no sum is of more than registers of the element type add up.
    static constexpr std::int64_t few = steps_per_flush * unroll * lanes;

    template <bool Apart = false, class Port> CROTON_LAYER static void step(Port& port, const kernel::uniform_registers<U>& us, const kernel::row_registers<Rows>& rs, running_sums& sums) {
        if constexpr (requires { port.begin(); }) port.begin();
        kernel::registers<Lanes, Element> es;
        kernel::run_element_block<Lanes, Apart>(run_forms_t<InnermostAxis, Element>{}, port, us, rs, es);
        if constexpr (Port::partial) sums.feed(us, rs, es, port.count);
        else sums.feed(us, rs, es);
    }

    template <int... K>
    CROTON_LAYER static void steps(auto& port, const kernel::uniform_registers<U>& us, const kernel::row_registers<Rows>& rs, running_sums* sums,
                                    std::integer_sequence<int, K...>) {
        ((step(port, us, rs, sums[K]), port.i += lanes), ...);
    }

    static constexpr int first_read = used.first(role_load);

    /// `One`: all such slots are one array, and each of its elements is read once.
    template <class Port, bool One = false> CROTON_LAYER static Port port_at(std::byte* const* p, std::int64_t line, const around& outside) {
        return cpu_device::port_at<Port, used, One ? first_read : -1>(p, line, outside);
    }

    /// The last elements of a run, `left` of them, under a mask.
    CROTON_LAYER static void run_masked(const auto& port, std::int64_t left, const kernel::uniform_registers<U>& us, const kernel::row_registers<Rows>& rs, running_sums& sums) {
        tail_port tail = same_place<tail_port, used>(port);
        tail.count = static_cast<int>(left);
        step(tail, us, rs, sums);
    }

    using search = search_of<kernel::listed_t<Element>, InnermostAxis, sinks>;
    /// Whether it looks for a place, and does nothing else.
    static constexpr bool seeks = search::found && !used.any(role_store | role_accumulate) && requires(typename Lanes::template value<bool> found) { Lanes::any(found); };

    /// Passes over registers in which nothing is found, and looks into others; whether all is done. What is left is less than a turn.
    template <class Port> CROTON_LAYER static bool seek(Port& port, std::int64_t count, const kernel::uniform_registers<U>& us, const kernel::row_registers<Rows>& rs, running_sums* sums) {
        constexpr std::int64_t turn = lanes * least_unroll;
        const auto nowhere = search::nowhere::number(port, us, rs);
        // Places behind the first are none better, and what is nowhere is none either.
        bool stops = false, passed = false;
        if constexpr (search::counts && search::least) stops = search::place::number(port, us, rs) + count <= nowhere;
        while (count - port.i >= turn) {
            if (!any_found(port, us, rs, std::make_integer_sequence<int, least_unroll>{})) {
                passed = true;
                port.i += turn;
                continue;
            }
            steps(port, us, rs, sums, std::make_integer_sequence<int, least_unroll>{});
            if (stops) return true;
        }
        if (passed) sums[0].feed_number(nowhere);
        return false;
    }
    template <class Port, int... K>
    CROTON_LAYER static bool any_found(const Port& port, const kernel::uniform_registers<U>& us, const kernel::row_registers<Rows>& rs, std::integer_sequence<int, K...>) {
        const auto found = [&](int k) CROTON_INLINED {
            Port at = port;
            at.i += k * lanes;
            kernel::registers<Lanes, Element> es;
            kernel::run_element_block<Lanes>(run_forms_t<InnermostAxis, Element>{}, at, us, rs, es);
            return kernel::fetch<Lanes>(typename search::condition{}, us, rs, es);
        };
        return Lanes::any((... || found(K)));
    }

    /// The last elements of a run, fewer than the lanes had that did the others, in these lanes and then in narrower ones. What is written so can be read again while it
    /// is on its way to memory, unlike what is written under a mask, and a division takes no longer than it must.
    CROTON_LAYER static void run_rest(const auto& of, std::int64_t left, const kernel::uniform_registers<U>& us, const kernel::row_registers<Rows>& rs) {
        full_port port = same_place<full_port, used>(of);
        running_sums none;
        if constexpr (lanes == 1) {
            for (; left > 0; --left, ++port.i) step(port, us, rs, none);
        } else {
            if ((left & lanes) != 0) {
                step(port, us, rs, none);
                port.i += lanes;
            }
            narrower_sweep::run_rest(port, left & (lanes - 1), us, rs);
        }
    }

    /// `count` elements of unit stride from where the port stands. Their sums are added to `sums`, and to `st` before those are too many.
    /// `Parts`: the last by `run_rest`, where that can be and there are no sums.
    template <bool Parts = false, class State> CROTON_LAYER static void run(auto& port, std::int64_t count, const kernel::uniform_registers<U>& us,
                                  const kernel::row_registers<Rows>& rs, running_sums* sums, State& st) {
        take_fixed<used>(port);
        port.i = 0;
        if constexpr (seeks)
            if (seek(port, count, us, rs, sums)) return;
        if constexpr (unroll > 1) {
            constexpr std::int64_t turn = lanes * unroll;
            while (count - port.i >= turn) {
                const std::int64_t left = (count - port.i) / turn;
                const std::int64_t stop = port.i + (left < steps_per_flush ? left : steps_per_flush) * turn;
                while (port.i < stop) steps(port, us, rs, sums, std::make_integer_sequence<int, unroll>{});
                if (left > steps_per_flush) {
                    finish(sums, st);
                    clear<unroll>(sums);
                }
            }
            if constexpr (least_unroll < unroll)
                if (count - port.i >= lanes * least_unroll) steps(port, us, rs, sums, std::make_integer_sequence<int, least_unroll>{});
            for (; count - port.i >= lanes; port.i += lanes) step(port, us, rs, sums[0]);
        } else if constexpr (sink_count > 0) {
            while (count - port.i >= lanes) {
                const std::int64_t left = (count - port.i) / lanes;
                const std::int64_t stop = port.i + (left < steps_per_flush ? left : steps_per_flush) * lanes;
                for (; port.i < stop; port.i += lanes) step(port, us, rs, sums[0]);
                if (left > steps_per_flush) {
                    sums[0].flush(st);
                    sums[0].reset();
                }
            }
        } else {
            const std::int64_t whole = count & -std::int64_t{lanes};
            if constexpr (Parts && lanes > 1) {
                // Two registers a turn: how fast longer loops turn hangs on where they lie in memory.
                if (whole >= least_pairs * lanes) [[unlikely]] {
                    const std::int64_t pairs = whole & -2 * std::int64_t{lanes};
                    CROTON_ROLLED
                    do steps(port, us, rs, sums, std::integer_sequence<int, 0, 0>{}); while (port.i < pairs);
                }
                if constexpr (least_pairs > 2) {
                    CROTON_ROLLED
                    for (; port.i < whole; port.i += lanes) step<true>(port, us, rs, sums[0]);
                } else if (port.i < whole) {
                    step(port, us, rs, sums[0]);
                }
                if (whole == count) return;
            } else {
                for (; port.i < whole; port.i += lanes) step(port, us, rs, sums[0]);
            }
            port.i = whole;
        }
        if constexpr (Parts && sink_count == 0 && runs_in_parts<Lanes, kernel::listed_t<Element>>) {
            if (const std::int64_t left = count & (lanes - 1); left != 0) narrower_sweep::run_rest(port, left, us, rs);
        } else if constexpr (lanes > 1) {
            if (port.i < count) run_masked(port, count - port.i, us, rs, sums[0]);
        }
    }
    CROTON_LAYER static void finish(running_sums* sums, auto& st) {
        join<unroll>(sums);
        sums[0].flush(st);
    }
    /// What is left, fewer than `least_unroll` registers, by the bits of its number: a loop would first ask where it ends. To the sums of the places `K`.
    template <int... K>
    CROTON_LAYER static void run_few_left(auto& port, std::int64_t count, const kernel::uniform_registers<U>& us, const kernel::row_registers<Rows>& rs, running_sums* sums,
                                          std::integer_sequence<int, K...>) {
        constexpr int to[] = {K...};
        if constexpr (least_unroll > 2)
            if ((count & 2 * lanes) != 0) [[unlikely]] steps(port, us, rs, sums, std::integer_sequence<int, to[0], to[1]>{});
        if constexpr (least_unroll > 1) {
            if ((count & lanes) != 0) [[likely]] steps(port, us, rs, sums, std::integer_sequence<int, to[2]>{});
        } else {
            while (count - port.i >= lanes) steps(port, us, rs, sums, std::integer_sequence<int, 0>{});
        }
        if constexpr (lanes > 1)
            if (const std::int64_t left = count & (lanes - 1); left != 0) [[unlikely]] run_masked(port, left, us, rs, sums[to[3]]);
    }
    /// The same, of at most `few` elements: more than one sum only where each of them has something to add.
    template <bool Parts = false> CROTON_LAYER static void run(auto& port, std::int64_t count, const kernel::uniform_registers<U>& us,
                                  const kernel::row_registers<Rows>& rs, few_state& st) {
        take_fixed<used>(port);
        port.i = 0;
        running_sums sums[bound<unroll>];
        sums[0].reset();
        if (unroll > 1 && count >= lanes * least_unroll) [[likely]] {
            CROTON_UNROLLED
            for (int k = 1; k < least_unroll; ++k) sums[k].reset();
            if (least_unroll < unroll && count >= least_all * lanes) [[unlikely]] {
                CROTON_UNROLLED
                for (int k = least_unroll; k < unroll; ++k) sums[k].reset();
                do steps(port, us, rs, sums, std::make_integer_sequence<int, unroll>{}); while (count - port.i >= lanes * unroll);
                CROTON_UNROLLED
                for (int k = least_unroll; k < unroll; ++k) sums[k - least_unroll].combine(sums[k]);
            }
            if constexpr (seeks)
                if (seek(port, count, us, rs, sums)) count = port.i;
            while (count - port.i >= lanes * least_unroll) steps(port, us, rs, sums, std::make_integer_sequence<int, least_unroll>{});
            run_few_left(port, count, us, rs, sums, std::integer_sequence<int, 0, 1 % least_unroll, 2 % least_unroll, 3 % least_unroll>{});
            join<least_unroll>(sums);
        } else {
            run_few_left(port, count, us, rs, sums, std::integer_sequence<int, 0, 0, 0, 0>{});
        }
        sums[0].flush(st);
    }
    template <bool Parts = false> CROTON_LAYER static void run(auto& port, std::int64_t count, const kernel::uniform_registers<U>& us,
                                  const kernel::row_registers<Rows>& rs, auto& st) {
        running_sums sums[bound<unroll>];
        clear<unroll>(sums);
        run<Parts>(port, count, us, rs, sums, st);
        settle(sums, count, st);
    }
    /// Adds the sums of runs of `count` elements to `st`: few elements are all in the first of them, and a sum of sums takes as long as they do.
    CROTON_LAYER static void settle(running_sums* sums, std::int64_t count, auto& st) {
        if (unroll == 1 || count < lanes * least_unroll) sums[0].flush(st);
        else finish(sums, st);
    }

    /// `count` elements of unit stride from `p`. The number `line` is the index of the first one along its axis. `sums` as of `run`.
    template <bool One = false, bool Parts = false> CROTON_LAYER static void direct(std::byte* const* p, std::int64_t line, std::int64_t count, const around& outside,
                                     auto&... sums) {
        // Copies, so that the compiler sees that no store changes them.
        const kernel::uniform_registers<U> us = outside.uniforms;
        const kernel::row_registers<Rows> rs = outside.rows;
        auto port = [&]() CROTON_INLINED {
            if constexpr (One) return port_at<one_read_port<full_port, Lanes, used, first_read, typename read_from_slot<first_read, kernel::listed_t<Element>>::type>, true>(p, line, outside);
            else return port_at<full_port>(p, line, outside);
        }();
        run<Parts>(port, count, us, rs, sums...);
    }

    /// `lines` such runs, a `run_code`: for the callers that are not worth a copy of the loops, and for runs that are short.
    CROTON_LAYERED [[gnu::noinline]] static void chunk(std::byte* const* p, const std::int64_t* stride, std::int64_t lines, std::int64_t line, std::int64_t count,
                                                       const void* surrounding, void* sums) {
        const around& outside = *static_cast<const around*>(surrounding);
        state& st = *static_cast<state*>(sums);
        const kernel::uniform_registers<U> us = outside.uniforms;
        const kernel::row_registers<Rows> rs = outside.rows;
        full_port port = port_at<full_port>(p, line, outside);
        // The sums of several runs stay in registers: to add up the lanes takes as long as a short run.
        running_sums kept[bound<unroll>];
        clear<unroll>(kept);
        std::int64_t held = 0;
        for (;; --lines) {  // a step of its own: g++ takes what is said of a loop that ends the body of another for one without, and would unroll it
            run(port, count, us, rs, kept, st);
            if constexpr (sink_count > 0)
                if (held += count; lines <= 1 || held >= few) {
                    settle(kept, count, st);
                    clear<unroll>(kept);
                    held = 0;
                }
            if (lines <= 1) return;
            CROTON_UNROLLED
            for (int s = 0; s < Slots; ++s)
                if (used.uses[s] != 0) port.p[s] += stride[s];
        }
    }
    CROTON_INLINE static void one_run(std::byte* const* p, std::int64_t line, std::int64_t count, const around& outside, state& st) {
        static constexpr std::int64_t nowhere[bound<Slots>] = {};
        runs(p, nowhere, 1, line, count, &outside, &st);
    }

    /// `f` of the sums of one run. `Here`: those of few elements are added up where the caller stands.
    template <bool Here> CROTON_LAYER static void sums_of_run(std::byte* const* p, std::int64_t count, const around& outside, auto f) {
        if (Here && (sink_count == 0 || count <= few)) [[likely]] {
            few_state st;
            direct(p, 0, count, outside, st);
            return f(st);
        }
        state st;
        st.reset();
        // Copies: what a call is given lies in memory, and would be written there for the runs that make none.
        std::byte* at[bound<Slots>];
        for (int k = 0; k < Slots; ++k) at[k] = p[k];
        const kernel::row_registers<Rows> rows = outside.rows;
        one_run(at, 0, count, {outside.uniforms, rows, outside.scalars, outside.index, outside.displacement}, st);
        f(st);
    }

    /// Runs for callers to whom it may be a panel: one copy of a long block does for runs and columns.
    static constexpr run_code runs = [] {
        if constexpr (is_long && column_count > 0) return column_sweep<sweep>::panel;
        else return chunk;
    }();
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
