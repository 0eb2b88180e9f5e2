// SPDX-License-Identifier: MIT
// Runs a kernel type over its loop axes: outer indices, phases, inner indices, and the threads they are split over.
#ifndef CROTON_DEVICE_CPU_LOOP_HPP
#define CROTON_DEVICE_CPU_LOOP_HPP

#include <croton/device/cpu/flat.hpp>
#include <croton/device/cpu/inner.hpp>
#include <croton/device/cpu/numbers.hpp>
#include <croton/device/cpu/row_sums.hpp>
#include <croton/device/cpu/rows.hpp>
#include <croton/device/cpu/shared_loop.hpp>
#include <croton/device/cpu/spread_columns.hpp>
#include <croton/device/cpu/sweep.hpp>
#include <croton/device/cpu/threads.hpp>

#include <algorithm>
#include <limits>

namespace croton::inline v0_1::detail::cpu_device {

template <class Kernel, class Arch> struct engine;
template <int O, int I, class U, class Row, class... Phases, class Arch>
struct engine<kernel::kernel<O, I, U, Row, Phases...>, Arch> : arrangement<kernel::kernel<O, I, U, Row, Phases...>, Arch> {
    using arranged = arrangement<kernel::kernel<O, I, U, Row, Phases...>, Arch>;
    using typename arranged::rows_block, typename arranged::uniform_file, typename arranged::row_file;
    using typename arranged::lanes, typename arranged::setup;
    using arranged::slots, arranged::in_elements, arranged::in_rows, arranged::all_bytes, arranged::stream_bytes;
    using arranged::gathers, arranged::axes, arranged::outer_index_used, arranged::inner_index_used, arranged::indices;
    using arranged::has_sums, arranged::prepare, arranged::fill_sums, arranged::settle, arranged::splits;

    template <class Phase, class...> struct first_element {
        using type = kernel::listed_t<typename parts<Phase>::element>;
    };

    // Loops that no index is a value in are the same along any axis.
    template <class Phase> using sweep_of = sweep<lanes, slots, axes == 0 ? 0 : O + I - 1, U, rows_block, Phase>;

    template <class Phase> static void settle_run(const void* s, std::byte* const* p, void* sums, const number_port& numbers) {
        settle_lines<Phase, false>(*static_cast<const setup*>(s), p, *static_cast<typename sweep_of<Phase>::state*>(sums), numbers);
    }
    template <class Phase> static constexpr phase_code code_of() {
        using loops = sweep_of<Phase>;
        constexpr bool panels = loops::column_count > 0 && !inner_index_used, settles = in_elements.any(role_inner);
        phase_code code{slots, loops::used.uses, loops::used.bytes, stream_bytes.data(), loops::runs, nullptr, std::numeric_limits<std::int64_t>::max(),
                        loops::template packed<Arch>, nullptr, inner_index_used ? O : -1, panels, !in_elements.any(role_inner | role_accumulate)};
        if constexpr (settles) code.settle = settle_run<Phase>;
        if constexpr (panels) {
            code.blocks = loops::panel;
            code.most_lines = rows_per_panel;
        } else if constexpr (!inner_index_used && !settles) {
            code.blocks = loops::runs;
        }
        return code;
    }
    template <class Phase> static constexpr phase_code code = code_of<Phase>();

    // The part lo .. hi of the inner axes for one outer index.
    template <class Phase>
    [[gnu::noinline]] static void run_inner(const setup& s, std::byte* const* base, const std::int64_t* lo, const std::int64_t* hi,
                          std::int64_t* index, const row_file& rs, typename sweep_of<Phase>::state& st,
                          const number_port& numbers) {
        const typename sweep_of<Phase>::around outside{s.uniforms, rs, s.scalars, index, s.displacement};
        std::byte* p[bound<slots>];
        std::int64_t innermost[bound<slots>], rows[bound<slots>];
        run_axes<Arch>({&code<Phase>, &s, s.inner.rank, s.inner.stride, s.unit, s.streams, s.sweep_sum, index, &outside, &st, &numbers}, base, lo, hi, p, innermost, rows);
    }

    // Brings accumulate_inner sums that end with a run (or, if `Sweep`, with the sweep) to where they belong.
    template <class Phase, bool Sweep>
    static void settle_lines(const setup& s, std::byte* const* p, typename sweep_of<Phase>::state& st,
                             const number_port& numbers) {
        using sinks = inner_sinks<typename parts<Phase>::element>;
        constexpr std::make_integer_sequence<int, sweep_of<Phase>::sink_count - sweep_of<Phase>::reduce_count> sequence{};
        if constexpr (sequence.size() > 2) settle_many<Phase, Sweep>(s, p, st, numbers, sinks{}, sequence);
        else settle_line<Phase, Sweep>(s, p, st, numbers, sinks{}, sequence);
    }
    template <class Phase, bool Sweep, class Sinks, class Sequence>
    [[gnu::noinline]] static void settle_many(const setup& s, std::byte* const* p, typename sweep_of<Phase>::state& st, const number_port& numbers, Sinks sinks,
                                              Sequence sequence) {
        settle_line<Phase, Sweep>(s, p, st, numbers, sinks, sequence);
    }
    template <class Phase, bool Sweep, class... Sink, int... K>
    static void settle_line(const setup& s, std::byte* const* p, typename sweep_of<Phase>::state& st,
                            const number_port& numbers, kernel::block<Sink...>, std::integer_sequence<int, K...>) {
        [[maybe_unused]] const auto one = [&]<class T, class R, int Slot>(auto& partial) {
            if (s.sweep_sum[Slot] != Sweep) return;
            number_port there = numbers;
            there.p = p;
            there.template add<R, T, Slot>(partial);
            partial = R::template identity<wide<R, T>>();
        };
        (one.template operator()<typename Sink::element, typename Sink::reduction, Sink::slot>(
             kernel::detail::at<sweep_of<Phase>::reduce_count + K, kernel::partial_t<Sink>>(st)), ...);
    }

    /// Both of two phases that are one pass; false where they must run one after the other.
    template <int First, class Phase, class Second, class...>
    CROTON_INLINE static bool run_both(const setup& s, std::byte* const* base, const std::int64_t* index, row_file& rs, const number_port& numbers, split how,
                                       spread_guess& guess) {
        using pair = spread_of<Phase, Second>;
        const spread_sums sums =
            spread_pass<sweep_of<typename pair::phase>, slots, pair::center, typename pair::element>::row(s, base, index, rs, how.parts, how.axis, guess);
        if (sums.count == 0) return false;
        settle_spread<pair, First, typename parts<Phase>::row>(sums, numbers, s.uniforms, rs);
        return true;
    }

    /// Whether sums stay in registers from row to row.
    template <bool Direct> static constexpr bool carries =
        Direct && O > 0 && sizeof...(Phases) == 1 && (true && ... && carries_sums<sweep_of<Phases>, kernel::listed_t<typename parts<Phases>::row>>);

    /// Whether rows that are one run each have loops of their own: a copy of all of them, which takes the compiler as long again, and is worth it where a call is
    /// felt.
    static constexpr bool has_direct = O > 0 && sizeof...(Phases) > 0 && (carries<true> || !(false || ... || sweep_of<Phases>::is_called));

    /// `guess`: one for each phase, where any two are one pass. `done`: the loops of the first of these phases were run with those before it.
    template <bool Direct, bool Joint, int First, class Phase, class... Rest>
    CROTON_LAYER static void run_phases(const setup& s, std::byte* const* at, std::int64_t* index, row_file& rs,
                           const number_port& numbers, split how, [[maybe_unused]] spread_guess* guess, [[maybe_unused]] auto& carried, bool done = false) {
        using displacing = row_loads<typename parts<Phase>::element>;
        std::byte* moved[bound<kernel::size_of_block<displacing> == 0 ? 1 : slots>];
        std::byte* const* base = at;
        if constexpr (kernel::size_of_block<displacing> > 0) {
            for (int k = 0; k < slots; ++k) moved[k] = at[k];
            displace(s, moved, rs, displacing{});
            base = moved;
        }
        using loops = sweep_of<Phase>;
        using reduces = kernel::listed_t<typename parts<Phase>::reduces>;
        using collector = reducer<typename sweep_of<Phase>::state, row_file, reduces>;
        constexpr int reduced = loops::reduce_count;
        constexpr std::make_integer_sequence<int, reduced> sequence{};
        static constexpr std::int64_t zeros[max_rank] = {};
        bool both = false;
        if constexpr (Joint && spread_of<Phase, Rest...>::found)
            if (!done && guess->tries(s.inner.size())) both = run_both<First, Phase, Rest...>(s, base, index, rs, numbers, how, *guess);
        if (done || both) {
        } else if constexpr (carries<Direct>) {
            loops::direct(base, 0, s.inner.extent[0], {s.uniforms, rs, s.scalars, index, s.displacement}, carried.sums, carried.total);
            if (carried.ends()) {
                settle_lines<Phase, false>(s, base, carried.total, numbers);
                settle_lines<Phase, true>(s, base, carried.total, numbers);
                carried.next();
            }
        } else if constexpr (Direct) {
            typename loops::state st;
            st.reset();
            loops::direct(base, 0, s.inner.extent[0], {s.uniforms, rs, s.scalars, index, s.displacement}, st);
            if constexpr (loops::sink_count > reduced) {
                settle_lines<Phase, false>(s, base, st, numbers);
                settle_lines<Phase, true>(s, base, st, numbers);
            }
            collector::template direct<First>(sequence, st, rs);
        } else if (how.parts <= 1) {
            typename loops::state st;
            st.reset();
            if (!has_direct && is_one_run(s) && !s.streams) {
                loops::one_run(base, 0, s.inner.extent[0], {s.uniforms, rs, s.scalars, index, s.displacement}, st);
                if constexpr (loops::sink_count > reduced) settle_lines<Phase, false>(s, base, st, numbers);
            } else {
                run_inner<Phase>(s, base, zeros, s.inner.extent, index, rs, st, numbers);
            }
            if constexpr (loops::sink_count > reduced) settle_lines<Phase, true>(s, base, st, numbers);
            collector::template direct<First>(sequence, st, rs);
        } else {
            run_split<First, Phase>(s, base, index, rs, numbers, how);
        }
        if (!both) kernel::run_row_block<First + reduced, typename parts<Phase>::row>(numbers, s.uniforms, rs);
        if constexpr (sizeof...(Rest) > 0)
            run_phases<Direct, Joint, First + reduced + kernel::size_of_block<typename parts<Phase>::row>, Rest...>(
                s, at, index, rs, numbers, how, Joint ? guess + 1 : nullptr, carried, both);
    }

    template <int First, class Phase>
    [[gnu::noinline, gnu::cold]] static void run_split(const setup& s, std::byte* const* base, std::int64_t* index, row_file& rs,
                                            const number_port& numbers, split how) {
        using loops = sweep_of<Phase>;
        using collector = reducer<typename sweep_of<Phase>::state, row_file, kernel::listed_t<typename parts<Phase>::reduces>>;
        constexpr int reduced = loops::reduce_count;
        constexpr std::make_integer_sequence<int, reduced> sequence{};
        total sums[most_threads][bound<reduced == 0 ? 1 : reduced>];
        total totals[most_threads][bound<slots>];
        parallel(how.parts, [&](int part) {
            std::int64_t lo[max_rank] = {}, hi[max_rank], here[bound<indices>];
            for (int a = 0; a < indices; ++a) here[a] = index[a];
            cut<Arch>(s.inner.rank, s.inner.extent, how.axis, part, how.parts, lo, hi);
            fill_sums(nullptr, nullptr, totals[part]);
            number_port mine = numbers;
            mine.totals = totals[part];
            typename loops::state st;
            st.reset();
            run_inner<Phase>(s, base, lo, hi, here, rs, st, mine);
            if constexpr (loops::sink_count > reduced) settle_lines<Phase, true>(s, base, st, mine);
            collector::collect(sequence, st, sums[part]);
            if (s.streams) settle_stores<Arch>();
        });
        for (int part = 1; part < how.parts; ++part) collector::combine(sequence, sums[part], sums[0]);
        collector::template yield<First>(sequence, sums[0], rs);
        if constexpr (loops::sink_count > reduced) {
            const auto join = [&](auto effect) {
                using e = decltype(effect);
                if constexpr (e::does == role_inner)
                    if (s.whole[e::slot])
                        for (int part = 0; part < how.parts; ++part)
                            numbers.template add<typename e::reduction, typename e::element, e::slot>(
                                totals[part][e::slot].template get<kernel::partial_t<e>>());
            };
            visit_sums<typename parts<Phase>::element>(join);
        }
    }

    static bool is_one_run(const setup& s) { return s.unit && (I == 1 || s.inner.rank == 1); }

    /// The outer indices begin .. end, counted along all outer axes.
    static void run_rows(const setup& s, const operand* slot, std::int64_t begin, std::int64_t end, total* totals, split how) {
        const bool one_run = is_one_run(s);
        if constexpr (spread_columns<engine>::found)
            if (spread_columns<engine>::fits(s)) return spread_columns<engine>::run(s, slot, begin, end, totals);
        if constexpr (any_spread<Phases...>)
            if ((one_run || (s.unit && !inner_index_used)) && wins_spread(end - begin, s.inner.size())) {
                if constexpr (has_direct)
                    if (one_run && how.parts <= 1) return run_rows<true, true>(s, slot, begin, end, totals, how);
                return run_rows<false, true>(s, slot, begin, end, totals, how);
            }
        if constexpr (has_direct)
            if (one_run && how.parts <= 1) return run_rows<true, false>(s, slot, begin, end, totals, how);
        run_rows<false, false>(s, slot, begin, end, totals, how);
    }
    template <bool Direct, bool Joint>
    CROTON_LAYERED [[gnu::noinline]] static void run_rows(const setup& s, const operand* slot, std::int64_t begin, std::int64_t end, total* totals, split how) {
        std::byte* base[bound<slots>];
        std::int64_t index[bound<indices>] = {}, at[max_rank];
        for (int k = 0; k < slots; ++k) base[k] = kernel::alone(slot[k].data);
        std::int64_t rest = begin;
        const int rank = O == 0 ? 0 : s.outer.rank;
        for (int a = rank - 1; a >= 0; --a) {
            at[a] = rest % s.outer.extent[a];
            rest /= s.outer.extent[a];
            for (int k = 0; k < slots; ++k) base[k] += at[a] * s.outer.stride[k][a];
            if constexpr (outer_index_used) index[a] = at[a];
        }
        if constexpr (Direct && sizeof...(Phases) == 1) {
            using copied = row_copy<kernel::listed_t<Row>, typename first_element<Phases...>::type>;
            if constexpr (copied::found)
                if (s.outer.rank == 1) {
                    std::int64_t stride[bound<slots>];
                    for (int k = 0; k < slots; ++k) stride[k] = s.outer.stride[k][0];
                    return copied::run(base, stride, s.displacement[copied::table].along, end - begin, s.inner.extent[0] * all_bytes[copied::table]);
                }
        }
        number_port numbers{base, s.scalars, index, s.displacement, totals, s.whole};
        [[maybe_unused]] spread_guess guess[Joint ? sizeof...(Phases) : 1];
        [[maybe_unused]] auto carried = [&]() CROTON_INLINED {
            if constexpr (carries<Direct>) {
                bool apart = false;
                const auto look = [&](auto sum) CROTON_INLINED { apart = apart || (decltype(sum)::does == role_inner && !s.whole[decltype(sum)::slot]); };
                (visit_sums<typename parts<Phases>::element>(look), ...);
                return carried_sums<sweep_of<Phases>...>(end - begin, s.inner.extent[0], apart);
            } else {
                return kernel::nothing{};
            }
        }();
        for (std::int64_t o = begin; o < end; ++o) {
            if constexpr (O > 0 && gathers)
                if (s.outer.rank > 0) (fetch_ahead<rows_block>(s, base, s.outer.extent[s.outer.rank - 1] - at[s.outer.rank - 1], row_loads<typename parts<Phases>::element>{}), ...);
            row_file rs{};
            kernel::run_row_block<0, Row>(numbers, s.uniforms, rs);
            if constexpr (sizeof...(Phases) > 0)
                run_phases<Direct, Joint, kernel::size_of_block<Row>, Phases...>(s, base, index, rs, numbers, how, Joint ? guess : nullptr, carried);
            if constexpr (O == 0) {
                return;
            } else {
                for (int a = rank - 1; a >= 0; --a) {
                    if (++at[a] < s.outer.extent[a]) {
                        CROTON_UNROLLED
                        for (int k = 0; k < slots; ++k) base[k] += s.outer.stride[k][a];
                        if constexpr (outer_index_used) index[a] = at[a];
                        break;
                    }
                    for (int k = 0; k < slots; ++k) base[k] -= s.outer.stride[k][a] * (s.outer.extent[a] - 1);
                    at[a] = 0;
                    if constexpr (outer_index_used) index[a] = 0;
                }
            }
        }
    }

    using flatly = flat<kernel::kernel<O, I, U, Row, Phases...>, Arch>;

    /// The whole of a flat loop on this thread; false where its elements do not lie side by side, or are many.
    CROTON_INLINE static bool run_flat(const std::int64_t* extents, const operand* slot, const std::int64_t* scalars) {
        const std::int64_t n = I == 0 ? 1 : extents[0];
        bool fits = n < flatly::most;
        CROTON_UNROLLED
        for (int k = 0; k < slots; ++k)
            if ((in_elements.uses[k] & role_stream) != 0) fits = fits && slot[k].stride[0] == 1;
        if (!fits) return false;
        std::byte* base[bound<slots>];
        CROTON_UNROLLED
        for (int k = 0; k < slots; ++k) base[k] = kernel::alone(slot[k].data);
        flatly::run(n, base, scalars);
        return true;
    }

    static void run(const std::int64_t* extents, const operand* slot, const std::int64_t* scalars) {
        if constexpr (I <= 1 && flatly::possible)
            if (run_flat(extents, slot, scalars)) return;
        setup s;
        s.scalars = scalars;
        prepare(s, extents, slot);
        total totals[bound<slots>];
        fill_sums(extents, slot, totals);
        {
            std::byte* base[bound<slots>];
            std::int64_t index[bound<indices>] = {};
            for (int k = 0; k < slots; ++k) base[k] = kernel::alone(slot[k].data);
            const number_port numbers{base, scalars, index, s.displacement, totals, s.whole};
            kernel::run_uniform_block<U>(numbers, s.uniforms);
        }
        const std::int64_t outer = O == 0 ? 1 : s.outer.size();
        const std::int64_t inner = sizeof...(Phases) > 0 ? s.inner.size() : 0;
        if (outer == 0) return;
        // From here on more makes no difference, and a loop may be longer than its work can be counted.
        constexpr std::int64_t enough = std::int64_t{1} << 26;
        const std::int64_t work = std::min(outer, enough) * (std::min(inner, enough) * in_elements.cost + in_rows.cost + 1);
        s.streams = streams(s, extents, slot, inner);
        if (work >= 2 * work_per_thread && !thread_pool::working()) {
            const std::int64_t wanted = std::min<std::int64_t>({threads(), work / work_per_thread, most_threads});
            if (wanted > 1 && run_parallel(s, slot, outer, static_cast<int>(wanted), totals)) return;
        }
        rows_of(&s, slot, 0, outer, totals, {1, 0});
        settle(s, slot, totals);
    }

    /// Of few elements it is no question, which a short call would feel. Loops over rows gain nothing: relu(x + b) of rows of 4 kB takes as long either way.
    static bool streams([[maybe_unused]] const setup& s, [[maybe_unused]] const std::int64_t* extents, [[maybe_unused]] const operand* slot, [[maybe_unused]] std::int64_t elements) {
        if constexpr (has_streaming && O == 0 && I > 0 && sizeof...(Phases) == 1 && in_elements.any(role_store) && !in_elements.any(role_inner | role_accumulate))
            return elements >= least_streamed && s.unit && streams_results<Arch>({slots, in_elements.uses, in_elements.bytes, slot, I, extents});
        return false;
    }

    static void rows_of(const void* s, const operand* slot, std::int64_t begin, std::int64_t end, total* totals, split how) {
        const setup& of = *static_cast<const setup*>(s);
        run_rows(of, slot, begin, end, totals, how);
        if (of.streams) settle_stores<Arch>();
    }
    static bool splits_of(const void* s, bool outer, int axis) {
        const setup& of = *static_cast<const setup*>(s);
        return outer ? splits(of, of.outer, axis, true) : splits(of, of.inner, axis, false);
    }
    static void clear_of(total* totals) { fill_sums(nullptr, nullptr, totals); }
    static void settle_of(const void* s, const operand* slot, const total* totals) { settle(*static_cast<const setup*>(s), slot, totals); }
    static constexpr shared_sums shared{splits_of, clear_of, settle_of};

    [[gnu::noinline, gnu::cold]] static bool run_parallel(const setup& s, const operand* slot, std::int64_t outer, int wanted,
                                               total* totals) {
        shared_loop loop{&s, slot, s.outer.extent, s.inner.extent, s.inner.rank, rows_of, nullptr};
        if constexpr (has_sums) loop.sums = &shared;
        if constexpr (O > 0)
            if (outer >= wanted) {
                total mine[has_sums ? most_threads * bound<slots> : 1];
                return run_blocks(loop, outer, wanted, slots, mine);
            }
        return sizeof...(Phases) > 0 && outer == 1 && run_pieces(loop, wanted, totals);
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
