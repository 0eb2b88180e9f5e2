// SPDX-License-Identifier: MIT
// Runs a kernel type over its loop axes: outer indices, phases, inner indices, and the threads they are split over.
#ifndef CROTON_DEVICE_CPU_LOOP_HPP
#define CROTON_DEVICE_CPU_LOOP_HPP

#include <croton/device/cpu/column_copy.hpp>
#include <croton/device/cpu/column_ends.hpp>
#include <croton/device/cpu/column_sweep.hpp>
#include <croton/device/cpu/element_loop.hpp>
#include <croton/device/cpu/flat.hpp>
#include <croton/device/cpu/inner.hpp>
#include <croton/device/cpu/kept_rows.hpp>
#include <croton/device/cpu/lane_rows.hpp>
#include <croton/device/cpu/numbers.hpp>
#include <croton/device/cpu/row_sums.hpp>
#include <croton/device/cpu/rows.hpp>
#include <croton/device/cpu/shared_loop.hpp>
#include <croton/device/cpu/shuffled_copy.hpp>
#include <croton/device/cpu/split_phase.hpp>
#include <croton/device/cpu/spread_columns.hpp>
#include <croton/device/cpu/sweep.hpp>
#include <croton/device/cpu/threads.hpp>
#include <croton/device/cpu/turned_axes.hpp>

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
    using arranged::has_sums, arranged::fill_sums, arranged::settle, arranged::splits;

    template <class Phase, class...> struct first_element { using type = kernel::listed_t<typename parts<Phase>::element>; };

    // Loops that no index is a value in are the same along any axis.
    template <class Phase> using sweep_of = sweep<lanes, slots, axes == 0 ? 0 : O + I - 1, U, rows_block, Phase>;

    template <class Phase> static void settle_run(const void* s, std::byte* const* p, void* sums, const number_port& numbers) {
        settle_lines<Phase, false>(*static_cast<const setup*>(s), p, *static_cast<typename sweep_of<Phase>::state*>(sums), numbers);
    }
    template <class Phase> static constexpr phase_code code_of() {
        using loops = sweep_of<Phase>;
        constexpr const copied_slots& copies = copies_of<kernel::listed_t<typename parts<Phase>::element>>;
        constexpr bool panels = loops::column_count > 0, settles = in_elements.any(role_inner);
        phase_code code{slots, loops::used.uses, loops::used.bytes, stream_bytes.data(), loops::runs, nullptr, std::numeric_limits<std::int64_t>::max(),
                        run_in_tiles<Arch, slots, loops::used>, nullptr, nullptr, inner_index_used ? O : -1, arranged::numbered, panels, nullptr, in_elements.any(role_inner | role_accumulate),
                        is_elements && copies.count > 0 ? &copies : nullptr};
        if constexpr (settles) code.settle = settle_run<Phase>;
        // A number of a row is known to panels, where rows lie along the axis before the last.
        else if constexpr (I > 2 && loops::sink_count == 0 && !gathers && (axes >> O & ~(panels ? 1u << (I > 2 ? I - 2 : 0) : 0u)) == 0) code.turned = run_turned<Arch, slots, loops::used>;
        if constexpr (panels) {
            code.blocks = column_sweep<loops>::panel;
            code.most_lines = rows_per_panel;
            code.are_few = column_sweep<loops>::groups_rows;
        } else if constexpr (!inner_index_used && !settles) {
            code.blocks = loops::runs;
        }
        return code;
    }
    template <class Phase> static constexpr phase_code code = code_of<Phase>();

    // The part lo .. hi of the inner axes for one outer index, as of `shared_phase`.
    template <class Phase>
    [[gnu::noinline]] static void run_inner(const void* of, std::byte* const* base, const std::int64_t* lo, const std::int64_t* hi, std::int64_t* index, const void* rs,
                                            void* sums, const number_port& numbers) {
        const setup& s = *static_cast<const setup*>(of);
        typename sweep_of<Phase>::around outside{s.uniforms, *static_cast<const row_file*>(rs), s.scalars, index, s.displacement};
        if constexpr (axes != 0 && sweep_of<Phase>::column_count > 0)
            if (O + s.inner.rank - 2 != column_sweep<sweep_of<Phase>>::numbered) outside.grouped.each = 0;
        std::byte* p[bound<slots>];
        std::int64_t innermost[bound<slots>], rows[bound<slots>];
        run_axes<Arch>({&code<Phase>, of, s.inner.rank, s.inner.stride, s.unit, s.streams, s.sweep_sum, index, &outside, sums, &numbers}, base, lo, hi, p, innermost, rows);
    }

    /// Whether sums into memory stand within the loops of a phase, along their innermost axis.
    template <class Phase> static constexpr bool sums_within = sweep_of<Phase>::sink_count > sweep_of<Phase>::reduce_count;

    // Brings accumulate_inner sums that end with a run (or, if `Sweep`, with the sweep) to where they belong.
    template <class Phase, bool Sweep>
    static void settle_lines(const setup& s, std::byte* const* p, typename sweep_of<Phase>::state& st, const number_port& numbers) {
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
    static void settle_line(const setup& s, std::byte* const* p, typename sweep_of<Phase>::state& st, const number_port& numbers, kernel::block<Sink...>, std::integer_sequence<int, K...>) {
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

    /// What is left of two phases that are one pass, the sums of the first in the row values from number `First` on. One that is left is done as the first of any other.
    template <bool Direct, int First, class Phase, class Second, class...>
    CROTON_INLINE static spread_left run_both(const setup& s, std::int64_t count, std::byte* const* base, const std::int64_t* index, row_file& rs, const number_port& numbers, split how,
                                              spread_guess& guess) {
        using pair = spread_of<Phase, Second>;
        using pass = spread_pass<sweep_of<typename pair::phase>, slots, pair::center, typename pair::element>;
        using phase_row = typename parts<Phase>::row;
        if (Direct || (how.parts <= 1 && is_one_run(s) && count <= spread_block))
            return pass::template near<First, phase_row, Direct>(count, base, {s.uniforms, rs, s.scalars, index, s.displacement}, rs, numbers, guess);
        spread_sums sums;
        std::byte* from[bound<slots>];
        for (int k = 0; k < slots; ++k) from[k] = base[k];
        if (!pass::row(s, from, index, row_file(rs), how.parts, how.axis, sums) || sums.count == 0) return spread_left::both;
        settle_spread<pair, First, phase_row>(sums, numbers, s.uniforms, rs);
        return spread_left::nothing;
    }

    /// Whether sums stay in registers from row to row.
    template <bool Direct> static constexpr bool carries =
        Direct && O > 0 && sizeof...(Phases) == 1 && (true && ... && carries_sums<sweep_of<Phases>, kernel::listed_t<typename parts<Phases>::row>>);

    /// Whether rows that are one run each have loops of their own: a copy of all, which takes the compiler as long again, and is worth it where a call is felt.
    static constexpr bool has_direct = O > 0 && sizeof...(Phases) > 0 && (carries<true> || !(false || ... || sweep_of<Phases>::is_called));

    /// Whether the way to them is a copy as well, of what is little where there is one axis of either kind.
    static constexpr bool is_brief = has_direct && O == 1 && I <= 1;

    /// A phase of one row, which others follow. `guess`: where two are one pass. `done`: its loops were run with those of the phase before it. Whether those of the next one were run, too.
    template <bool Direct, bool Joint, int First, class Phase, class... Rest>
    CROTON_LAYER static bool run_phase(const setup& s, std::int64_t count, std::byte* const* at, std::int64_t* index, row_file& rs,
                           const number_port& numbers, split how, [[maybe_unused]] spread_guess* guess, [[maybe_unused]] auto& carried, bool done) {
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
        // The loops of a pair of phases that is done again are called: they are short, and such rows are few.
        constexpr bool begins_pair = Joint && spread_of<Phase, Rest...>::found;
        spread_left left = spread_left::both;
        if constexpr (begins_pair)
            if (!done) left = run_both<Direct, First, Phase, Rest...>(s, count, base, index, rs, numbers, how, *guess);
        if (done || left != spread_left::both) {
        } else if constexpr (carries<Direct>) {
            typename loops::running_sums sums[bound<loops::unroll>];
            carried.take(sums);
            loops::direct(base, 0, count, {s.uniforms, rs, s.scalars, index, s.displacement}, sums, carried.total);
            if (carried.ends(sums)) {
                settle_lines<Phase, false>(s, base, carried.total, numbers);
                settle_lines<Phase, true>(s, base, carried.total, numbers);
                carried.next();
            }
        } else if constexpr (Direct && sums_within<Phase>) {
            typename loops::state st;
            st.reset();
            loops::direct(base, 0, count, {s.uniforms, rs, s.scalars, index, s.displacement}, st);
            settle_lines<Phase, false>(s, base, st, numbers);
            settle_lines<Phase, true>(s, base, st, numbers);
            collector::template direct<First>(sequence, st, rs);
        } else if constexpr (Direct) {
            loops::template sums_of_run<!Joint || loops::sink_count == 0>(base, count, {s.uniforms, rs, s.scalars, index, s.displacement}, [&](const auto& st) CROTON_INLINED {
                reducer<std::remove_cvref_t<decltype(st)>, row_file, reduces>::template direct<First>(sequence, st, rs);
            });
        } else if (how.parts <= 1) {
            typename loops::state st;
            st.reset();
            if (!has_direct && is_one_run(s) && !s.streams) {
                loops::one_run(base, 0, count, {s.uniforms, rs, s.scalars, index, s.displacement}, st);
                if constexpr (sums_within<Phase>) settle_lines<Phase, false>(s, base, st, numbers);
            } else {
                run_inner<Phase>(&s, base, zeros, s.inner.extent, index, &rs, &st, numbers);
            }
            if constexpr (sums_within<Phase>) settle_lines<Phase, true>(s, base, st, numbers);
            collector::template direct<First>(sequence, st, rs);
        } else {
            split_phase<engine, Phase>::template run<First>(s, base, rs, numbers, how);
        }
        if (left == spread_left::both) kernel::run_row_block<First + reduced, typename parts<Phase>::row>(numbers, s.uniforms, rs);
        return left == spread_left::nothing;
    }

    /// All phases of some rows, one phase of all of them before the next: a row ends in a chain of operations, of which a processor is to have several at a time.
    template <bool Direct, bool Joint, int First, class Phase, class... Rest>
    CROTON_LAYER static void run_phases(const setup& s, std::int64_t count, std::byte* (*at)[bound<slots>], row_file* rs, bool* done, std::int64_t rows, std::int64_t* index, const number_port& numbers,
                                        split how, [[maybe_unused]] spread_guess* guess, auto& carried) {
        if constexpr (rows_at_once<Direct> == 1) {
            *done = run_phase<Direct, Joint, First, Phase, Rest...>(s, count, *at, index, *rs, numbers, how, guess, carried, *done);
        } else {
            for (std::int64_t r = 0; r < rows; ++r) {
                number_port own = numbers;
                own.p = at[r];
                done[r] = run_phase<Direct, Joint, First, Phase, Rest...>(s, count, at[r], index, rs[r], own, how, guess, carried, done[r]);
            }
        }
        if constexpr (sizeof...(Rest) > 0)
            run_phases<Direct, Joint, First + sweep_of<Phase>::reduce_count + kernel::size_of_block<typename parts<Phase>::row>, Rest...>(
                s, count, at, rs, done, rows, index, numbers, how, Joint ? guess + 1 : nullptr, carried);
    }

    /// Whether a phase sums what takes long, as exp does, and another one follows it. Sums of little are over before that is felt.
    template <class... Phase> static constexpr bool waits = [] {
        [[maybe_unused]] bool sums = false, found = false;
        ((found = found || sums, sums = sums || (sweep_of<Phase>::reduce_count > 0 && sweep_of<Phase>::used.cost >= 10)), ...);
        return found;
    }();
    /// So many rows at once, and so many elements of them.
    template <bool Direct> static constexpr int rows_at_once = Direct && waits<Phases...> && !outer_index_used && !gathers ? 8 : 1;
    static constexpr std::int64_t elements_at_once = 256;

    using copies_columns = column_copy<kernel::kernel<O, I, U, Row, Phases...>>;

    static constexpr copied_slots row_copies = [] {
        if constexpr (sizeof...(Phases) == 1 && O > 0 && axes == 0 && !has_sums && !gathers) return row_copies_of<kernel::listed_t<Row>, typename first_element<Phases...>::type>;
        else return copied_slots();
    }();

    using own = own_rows<slots, own_slot<Phases...>()>;
    static constexpr bool has_own = own::slot >= 0;
    static std::int64_t own_row_bytes(const setup& s) { return own::bytes_of(s.inner.size() * arranged::all_bytes[static_cast<std::size_t>(own::slot)]); }

    static bool is_one_run(const setup& s) { return s.unit && (I == 1 || s.inner.rank == 1); }

    /// The outer indices begin .. end, counted along all outer axes.
    static void choose_rows(const void* of, const operand* slot, std::int64_t begin, std::int64_t end, total* totals, split how) {
        const setup& s = *static_cast<const setup*>(of);
        if constexpr (column_ends<engine>::found)
            if (how.parts <= 1 && begin == 0 && end == s.outer.size() && column_ends<engine>::fits(s)) return column_ends<engine>::run(s, slot);
        if constexpr (copies_columns::found)
            if (how.parts <= 1 && copies_columns::run(s, slot, begin, end)) return;
        if constexpr (row_copies.count > 0)
            if (how.parts <= 1 && copy_rows_of_slots<Arch, slots>(row_copies, all_bytes.data(), s.outer, s.inner, slot, begin, end)) return;
        if constexpr (takes_short_rows<engine>)
            if (s.inner.rank == 1 && how.parts <= 1 && run_if_short<engine>(s, slot, begin, end, totals)) return;
        if constexpr (spread_columns<engine>::found)
            if (spread_columns<engine>::fits(s)) return spread_columns<engine>::run(s, slot, begin, end, totals);
        if constexpr (has_own) own::each(s.outer, slot, own_row_bytes(s), begin, end, [&](const operand* seen, std::int64_t from, std::int64_t to) { choose_long_rows(of, seen, from, to, totals, how); });
        else choose_long_rows(of, slot, begin, end, totals, how);
    }
    static void choose_long_rows(const void* of, const operand* slot, std::int64_t begin, std::int64_t end, total* totals, split how) {
        const setup& s = *static_cast<const setup*>(of);
        const bool one_run = is_one_run(s);
        constexpr bool spreads = any_spread<Phases...>;
        if constexpr (has_direct)
            if (one_run && how.parts <= 1 && (!spreads || s.inner.extent[0] <= spread_block)) return run_rows<true, spreads>(of, slot, begin, end, totals, how);
        if constexpr (spreads)
            if ((one_run && how.parts <= 1) || ((one_run || (s.unit && !inner_index_used)) && wins_spread(end - begin, s.inner.size())))
                return run_rows<false, true>(of, slot, begin, end, totals, how);
        run_rows<false, false>(of, slot, begin, end, totals, how);
    }
    template <bool Direct, bool Joint>
    CROTON_LAYERED [[gnu::noinline]] static void run_rows(const void* of, const operand* slot, std::int64_t begin, std::int64_t end, total* totals, split how) {
        const setup& s = *static_cast<const setup*>(of);
        std::byte* base[bound<slots>];
        std::int64_t index[bound<indices>] = {}, at[max_rank];
        std::int64_t* const kept = outer_index_used ? index : nullptr;
        const std::int64_t count = s.inner.extent[0];
        const nest_view outer = s.outer.view();
        outer_walk<Arch, slots, is_brief> walk(outer, slot, begin, base, at, kept);
        if constexpr (Direct && sizeof...(Phases) == 1) {
            using copied = row_copy<kernel::listed_t<Row>, typename first_element<Phases...>::type>;
            if constexpr (copied::found)
                if (s.outer.rank == 1) return copied::run(base, walk.steps(), s.displacement[copied::table].along, end - begin, count * all_bytes[copied::table]);
        }
        number_port numbers{base, s.scalars, index, s.displacement, totals, s.whole};
        [[maybe_unused]] spread_guess guess[Joint ? sizeof...(Phases) : 1];
        [[maybe_unused]] auto carried = [&]() CROTON_INLINED {
            if constexpr (carries<Direct>) {
                bool apart = false;
                const auto look = [&](auto sum) CROTON_INLINED { apart = apart || (decltype(sum)::does == role_inner && !s.whole[decltype(sum)::slot]); };
                (visit_sums<typename parts<Phases>::element>(look), ...);
                return carried_sums<sweep_of<Phases>...>(end - begin, count, apart);
            } else {
                return kernel::nothing{};
            }
        }();
        constexpr int most = rows_at_once<Direct>;
        [[maybe_unused]] const auto run_some = [&](std::byte* (*places)[bound<slots>], row_file* rs, std::int64_t rows) CROTON_INLINED {
            bool done[most] = {};
            if constexpr (sizeof...(Phases) > 0)
                run_phases<Direct, Joint, kernel::size_of_block<Row>, Phases...>(s, kernel::anew(count), places, rs, done, rows, index, numbers, Direct ? split{1, 0} : how, Joint ? guess : nullptr, carried);
        };
        if constexpr (most > 1) {
            const std::int64_t together = std::clamp<std::int64_t>(elements_at_once / std::max<std::int64_t>(1, count), 1, most);
            std::byte* places[most][bound<slots>];
            row_file rs[most];
            for (std::int64_t o = begin; o < end;) {
                const std::int64_t rows = std::min(together, end - o);
                for (std::int64_t r = 0; r < rows; ++r) {
                    for (int k = 0; k < slots; ++k) places[r][k] = base[k];
                    rs[r] = row_file{};
                    kernel::run_row_block<0, Row>(numbers, s.uniforms, rs[r]);
                    if (++o < end) walk.next(base, at, kept);
                }
                run_some(places, rs, rows);
            }
        } else {
            for (std::int64_t o = begin; o < end; ++o) {
                if constexpr (O > 0 && gathers)
                    if (s.outer.rank > 0) (fetch_ahead<rows_block>(s, base, walk.left(), row_loads<typename parts<Phases>::element>{}), ...);
                row_file rs{};
                kernel::run_row_block<0, Row>(numbers, s.uniforms, rs);
                run_some(&base, &rs, 1);
                if constexpr (O == 0) return;
                else if (o + 1 < end) walk.next(base, at, kept);
            }
        }
    }

    using flatly = flat<kernel::kernel<O, I, U, Row, Phases...>, Arch>;

    static constexpr bool is_elements = computes_elements<arranged, kernel::kernel<O, I, U, Row, Phases...>> && !spread_columns<engine>::found;
    using elements = element_loop<Arch, most_slots(slots)>;

    static void run(const std::int64_t* extents, const operand* slot, const std::int64_t* scalars) {
        if constexpr (I <= 1 && flatly::possible)
            if (flatly::run_whole(extents, slot, scalars)) return;
        if constexpr (is_elements) return (run_elements<engine, U, Phases>(extents, slot, scalars), ...);
        else run_any(extents, slot, scalars);
    }
    static void run_any(const std::int64_t* extents, const operand* slot, const std::int64_t* scalars) {
        if constexpr (has_own) own::template with_slot<O, I>(extents, slot, [&](const operand* seen) { run_with(extents, seen, scalars); });
        else run_with(extents, slot, scalars);
    }
    static void run_with(const std::int64_t* extents, const operand* slot, const std::int64_t* scalars) {
        setup s;
        s.scalars = scalars;
        arranged::template prepare<is_brief>(s, extents, slot);
        if constexpr (has_own)
            if (s.outer.rank > 0) s.outer.stride[own::slot][s.outer.rank - 1] = own_row_bytes(s);
        total totals[bound<slots>];
        fill_sums(extents, slot, totals);
        if constexpr (kernel::size_of_block<U> > 0) {
            std::byte* base[bound<slots>];
            std::int64_t index[bound<indices>] = {};
            for (int k = 0; k < slots; ++k) base[k] = kernel::alone(slot[k].data);
            const number_port numbers{base, scalars, index, s.displacement, totals, s.whole};
            kernel::run_uniform_block<U>(numbers, s.uniforms);
        }
        if constexpr (is_brief && !has_sums) {
            // Of so little no thread is woken.
            const std::int64_t outer = s.outer.rank > 0 ? s.outer.extent[0] : 1, inner = s.inner.rank > 0 ? s.inner.extent[0] : 1;
            if (flatly::is_little(outer, inner)) {
                s.streams = false;
                if (outer > 0) choose_rows(&s, slot, 0, outer, totals, {1, 0});
                return;
            }
        }
        run_loop<Arch>({&loop, &s, slot, extents, s.outer.rank, s.inner.rank, s.outer.extent, s.inner.extent, s.unit, &s.streams, std::max(short_row_grain<engine>(s), spread_columns<engine>::grain(s))}, totals);
    }

    static bool splits_of(const void* s, bool outer, int axis) {
        const setup& of = *static_cast<const setup*>(s);
        return outer ? splits(of, of.outer, axis, true) : splits(of, of.inner, axis, false);
    }
    static bool owns_of(const void* s, int axis) {
        const setup& of = *static_cast<const setup*>(s);
        return arranged::template splits_sums<role_accumulate>(of, of.inner, axis, false) && (true && ... && split_phase<engine, Phases>::owns(of, axis));
    }
    static bool in_blocks(const shared_loop& of, std::int64_t outer, int wanted) {
        total mine[most_threads * bound<slots>];
        return run_blocks(of, outer, wanted, slots, mine);
    }
    static void clear_of(total* totals) { fill_sums(nullptr, nullptr, totals); }
    static void settle_of(const void* s, const operand* slot, const total* totals) { settle(*static_cast<const setup*>(s), slot, totals); }
    static constexpr shared_sums shared{splits_of, in_elements.any(role_accumulate) ? owns_of : nullptr, in_blocks, clear_of, settle_of};

    static constexpr loop_code loop_of() {
        constexpr bool may_stream = has_streaming && O == 0 && I > 0 && sizeof...(Phases) == 1 && in_elements.any(role_store) && !in_elements.any(role_inner | role_accumulate);
        loop_code code{nullptr, nullptr, &arranged::facts, sizeof...(Phases) > 0, may_stream, in_elements.cost, in_rows.cost};
        if constexpr (is_elements) code.rows = elements::rows;
        else if constexpr (has_direct || any_spread<Phases...> || spread_columns<engine>::found || takes_short_rows<engine> || column_ends<engine>::found || has_own) code.rows = choose_rows;
        else code.rows = run_rows<false, false>;
        if constexpr (has_sums) code.sums = &shared;
        return code;
    }
    static constexpr loop_code loop = loop_of();
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
