// SPDX-License-Identifier: MIT
// Runs a kernel type over its loop axes: outer indices, phases, inner indices, and the threads they are split over.
#ifndef CROTON_DEVICE_CPU_LOOP_HPP
#define CROTON_DEVICE_CPU_LOOP_HPP

#include <croton/device/cpu/numbers.hpp>
#include <croton/device/cpu/rows.hpp>
#include <croton/device/cpu/sweep.hpp>
#include <croton/device/cpu/threads.hpp>

#include <algorithm>
#include <array>

namespace croton::inline v0_1::detail::cpu_device {

/// Work, in instructions run for one element, below which no thread is woken.
inline constexpr std::int64_t work_per_thread = 500'000;

template <class Kernel, class Arch> struct engine;
template <int O, int I, class U, class Row, class... Phases, class Arch>
struct engine<kernel::kernel<O, I, U, Row, Phases...>, Arch> {
    template <class Phase> struct parts;
    template <class E, class F, class P> struct parts<kernel::phase<E, F, P>> {
        using element = E;
        using reduces = F;
        using row = P;
    };

    template <class Phase, class...> struct first_element {
        using type = kernel::listed_t<typename parts<Phase>::element>;
    };

    using rows_block = kernel::row_program<Row, Phases...>;
    using uniform_file = kernel::uniform_registers<U>;
    using row_file = kernel::row_registers<rows_block>;

    static constexpr int slots = slot_count<U, rows_block, typename parts<Phases>::element...>();
    static constexpr usage<slots> in_elements = usage_of<slots, typename parts<Phases>::element...>();
    static constexpr usage<slots> in_rows = usage_of<slots, rows_block>();
    static constexpr bool gathers = usage_of<slots, U>().any(role_gather) || in_elements.any(role_gather) || in_rows.any(role_gather) ||
                                    (false || ... || (kernel::size_of_block<row_loads<typename parts<Phases>::element>> > 0));
    static constexpr unsigned axes = in_elements.axes | in_rows.axes;
    static constexpr bool outer_index_used = (axes & ((1u << O) - 1u)) != 0;
    static constexpr bool inner_index_used = (axes >> O) != 0;

    using lanes = typename lanes_for<in_elements.lane, Arch>::type;
    template <class Phase> using sweep_of = sweep<lanes, slots, O + I - 1, U, rows_block, Phase>;

    struct setup {
        nest<slots> outer, inner;
        const std::int64_t* scalars;
        uniform_file uniforms;
        displaced displacement[bound<slots>];
        bool unit;          // every stream of every element block has unit stride
        bool whole[bound<slots>];  // sums of these slots stay in totals until the end
        bool sweep_sum[bound<slots>];  // accumulate_inner slots that one sweep over the inner axes leaves alone
    };

    static constexpr std::array<std::uint8_t, bound<slots>> all_bytes = [] {
        std::array<std::uint8_t, bound<slots>> bytes{};
        for (std::size_t s = 0; s < bound<slots>; ++s)
            bytes[s] = in_elements.bytes[s] != 0 ? in_elements.bytes[s] : in_rows.bytes[s];
        return bytes;
    }();

    static bool constant(const nest<slots>& n, int slot) {
        for (int a = 0; a < n.rank; ++a)
            if (n.extent[a] != 1 && n.stride[slot][a] != 0) return false;
        return true;
    }

    static void prepare(setup& s, const std::int64_t* extents, const operand* slot) {
        constexpr bool bound_axis = in_elements.any(role_fixed | role_inner | role_accumulate);
        s.outer.rank = 0;
        if constexpr (O > 0)
            s.outer.rank = collapse<Arch>(0, O, extents, slot, slots, all_bytes.data(), {!outer_index_used, false},
                                          s.outer.extent, s.outer.stride);
        if constexpr (I == 1) {
            // Nothing to merge, and small programs are made of such steps.
            s.inner.rank = 1;
            s.inner.extent[0] = extents[O];
            for (int k = 0; k < slots; ++k) s.inner.stride[k][0] = slot[k].stride[O] * in_elements.bytes[k];
        } else if constexpr (I > 1) {
            s.inner.rank = collapse<Arch>(O, I, extents, slot, slots, in_elements.bytes, {!inner_index_used, bound_axis},
                                          s.inner.extent, s.inner.stride);
            if (s.inner.rank == 0) {
                s.inner.rank = 1;
                s.inner.extent[0] = 1;
            }
        } else {
            s.inner.rank = 0;
        }
        const int last = I > 0 ? s.inner.rank - 1 : 0;
        s.unit = true;
        for (int k = 0; k < slots; ++k) s.whole[k] = s.sweep_sum[k] = false;
        for (int k = 0; I > 0 && k < slots; ++k) {
            if (s.inner.extent[last] == 1 && (in_elements.uses[k] & role_stream) != 0)
                s.inner.stride[k][last] = in_elements.bytes[k];
            if ((in_elements.uses[k] & role_stream) != 0 && s.inner.stride[k][last] != in_elements.bytes[k])
                s.unit = false;
        }
        if constexpr (gathers)
            for (int k = 0; k < slots; ++k) {
                const std::int64_t step = I > 0 ? s.inner.stride[k][last] : 0;
                s.displacement[k] = {slot[k].along, step, step == 0 && slot[k].along.stride == 1 && slot[k].along.extent <= 0x7fffffff};
            }
        const auto classify = [&](auto effect) {
            constexpr int k = decltype(effect)::slot;
            if constexpr (decltype(effect)::in_element) {
                s.sweep_sum[k] = constant(s.inner, k);
                s.whole[k] = s.sweep_sum[k] && constant(s.outer, k);
            } else if constexpr ((in_elements.uses[k] & role_accumulate) == 0) {
                s.whole[k] = constant(s.outer, k);
            }
        };
        visit_sums<rows_block>(classify);
        (visit_sums<typename parts<Phases>::element>(classify), ...);
    }

    static void fill_sums(const std::int64_t* extents, const operand* slot, total* totals) {
        const auto clear = [&](int rank) {
            return [=](auto effect) {
                using e = decltype(effect);
                using t = typename e::element;
                const t identity = e::reduction::template identity<t>();
                std::uint64_t bits = 0;
                std::memcpy(&bits, &identity, sizeof(t));
                if (slot) fill<Arch>(slot[e::slot], rank, extents, bits, sizeof(t));
                if (totals) totals[e::slot].set(e::reduction::template identity<typename e::partial>());
            };
        };
        visit_sums<rows_block>(clear(O));
        (visit_sums<typename parts<Phases>::element>(clear(O + I)), ...);
    }

    // Adds the totals of a thread to memory.
    static void settle(const setup& s, const operand* slot, const total* totals) {
        const auto add = [&](auto effect) {
            using e = decltype(effect);
            using t = typename e::element;
            if (!s.whole[e::slot]) return;
            t& memory = *reinterpret_cast<t*>(slot[e::slot].data);
            memory = static_cast<t>(e::reduction::combine(static_cast<typename e::partial>(memory),
                                                          totals[e::slot].template get<typename e::partial>()));
        };
        visit_sums<rows_block>(add);
        (visit_sums<typename parts<Phases>::element>(add), ...);
    }

    // The part lo .. hi of the inner axes for one outer index.
    template <class Phase>
    [[gnu::noinline]] static void run_inner(const setup& s, std::byte* const* base, const std::int64_t* lo, const std::int64_t* hi,
                          std::int64_t* index, const row_file& rs, typename sweep_of<Phase>::state& st,
                          const number_port& numbers) {
        using loops = sweep_of<Phase>;
        const int last = s.inner.rank - 1;
        const std::int64_t count = hi[last] - lo[last];
        if (count <= 0) return;
        std::byte* p[bound<slots>];
        std::int64_t innermost[bound<slots>];
        for (int k = 0; k < slots; ++k) {
            p[k] = base[k];
            innermost[k] = s.inner.stride[k][last];
            for (int a = 0; a <= last; ++a) p[k] += lo[a] * s.inner.stride[k][a];
        }
        std::int64_t at[max_rank];
        for (int a = 0; a < last; ++a) {
            at[a] = lo[a];
            if (lo[a] >= hi[a]) return;
            if constexpr (inner_index_used) index[O + a] = lo[a];
        }
        const typename loops::around outside{s.uniforms, rs, s.scalars, index, s.displacement};
        bool panels = false;
        [[maybe_unused]] std::int64_t rows[bound<slots>];
        if constexpr (loops::column_count > 0 && !inner_index_used) {
            panels = s.unit && last > 0;
            for (int k = 0; panels && k < slots; ++k) {
                rows[k] = s.inner.stride[k][last - 1];
                if ((loops::used.uses[k] & role_accumulate) != 0 && rows[k] != 0) panels = false;
                if ((loops::used.uses[k] & role_inner) != 0 && !s.sweep_sum[k]) panels = false;
            }
        }
        for (;;) {
            if (panels) {
                if constexpr (loops::column_count > 0 && !inner_index_used) {
                    const std::int64_t n = std::min(hi[last - 1] - at[last - 1], rows_per_panel);
                    loops::panel(p, rows, n, lo[last], count, outside, st);
                    at[last - 1] += n - 1;
                    for (int k = 0; k < slots; ++k) p[k] += rows[k] * (n - 1);
                }
            } else if (s.unit) {
                loops::chunk(p, lo[last], count, outside, st);
            } else {
                loops::template packed<Arch>(p, innermost, lo[last], count, outside, st);
            }
            if constexpr (in_elements.any(role_inner)) settle_lines<Phase, false>(s, p, st, numbers);
            int a = last - 1;
            for (; a >= 0; --a) {
                ++at[a];
                if constexpr (inner_index_used) index[O + a] = at[a];
                if (at[a] < hi[a]) {
                    for (int k = 0; k < slots; ++k) p[k] += s.inner.stride[k][a];
                    break;
                }
                for (int k = 0; k < slots; ++k) p[k] -= s.inner.stride[k][a] * (hi[a] - lo[a] - 1);
                at[a] = lo[a];
                if constexpr (inner_index_used) index[O + a] = lo[a];
            }
            if (a < 0) return;
        }
    }

    // Brings accumulate_inner sums that end with a run (or, if `Sweep`, with the sweep) to where they belong.
    template <class Phase, bool Sweep>
    static void settle_lines(const setup& s, std::byte* const* p, typename sweep_of<Phase>::state& st,
                             const number_port& numbers) {
        settle_line<Phase, Sweep>(s, p, st, numbers, inner_sinks<typename parts<Phase>::element>{},
                                  std::make_integer_sequence<int, sweep_of<Phase>::sink_count -
                                                                      sweep_of<Phase>::reduce_count>{});
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
        (one.template operator()<typename sink<Sink>::element, typename sink<Sink>::reduction, sink<Sink>::slot>(
             kernel::detail::at<sweep_of<Phase>::reduce_count + K, typename sink<Sink>::partial>(st)), ...);
    }

    template <class Phase, class Reduces> struct reducer;
    template <class Phase, class... Sink> struct reducer<Phase, kernel::block<Sink...>> {
        template <int... K>
        static void collect(std::integer_sequence<int, K...>, const typename sweep_of<Phase>::state& st, total* to) {
            (to[K].set(kernel::detail::at<K, typename sink<Sink>::partial>(st)), ...);
        }
        template <int... K> static void combine(std::integer_sequence<int, K...>, const total* from, total* to) {
            (to[K].set(sink<Sink>::reduction::combine(to[K].template get<typename sink<Sink>::partial>(),
                                                      from[K].template get<typename sink<Sink>::partial>())), ...);
        }
        template <int First, int... K>
        static void yield(std::integer_sequence<int, K...>, const total* from, row_file& rs) {
            ((kernel::detail::at<First + K, typename sink<Sink>::element>(rs) = static_cast<typename sink<Sink>::element>(
                  from[K].template get<typename sink<Sink>::partial>())), ...);
        }
        template <int First, int... K>
        CROTON_INLINE static void direct(std::integer_sequence<int, K...>, const typename sweep_of<Phase>::state& st,
                                         row_file& rs) {
            ((kernel::detail::at<First + K, typename sink<Sink>::element>(rs) =
                  static_cast<typename sink<Sink>::element>(kernel::detail::at<K, typename sink<Sink>::partial>(st))), ...);
        }
    };

    /// How the inner axes of one outer index are split.
    struct split {
        int parts;
        int axis;
    };

    /// Moves the slots of a phase to where the indices of this row lead.
    template <class... Load>
    CROTON_INLINE static void displace(const setup& s, std::byte** moved, const row_file& rs, kernel::block<Load...>) {
        const auto one = [&]<class T, int Slot, class Index>(kernel::load_at<T, Slot, Index>) {
            moved[Slot] += s.displacement[Slot].along.offset(kernel::fetch<kernel::one_lane>(Index{}, s.uniforms, rs, kernel::nothing{})) *
                           static_cast<std::int64_t>(sizeof(T));
        };
        (one(Load{}), ...);
    }

    /// Fetches the row that the loops reach a little later: its index is known long before.
    template <class... Load>
    CROTON_INLINE static void fetch_ahead(const setup& s, std::byte* const* base, std::int64_t left, kernel::block<Load...>) {
        [[maybe_unused]] const auto one = [&]<class T, int Slot, int N, class Index>(kernel::load_at<T, Slot, kernel::r<N, Index>>) {
            using index = kernel::instruction_t<rows_block, N>;
            if constexpr (facts<index>::uses == role_load) {
                constexpr int from = facts<index>::slot;
                const int last = s.outer.rank - 1;
                if (left <= rows_ahead) return;
                Index i;
                std::memcpy(&i, base[from] + rows_ahead * s.outer.stride[from][last], sizeof(Index));
                const std::byte* const row = base[Slot] + rows_ahead * s.outer.stride[Slot][last] +
                                             s.displacement[Slot].along.offset(i) * static_cast<std::int64_t>(sizeof(T));
                fetch_row<false>(row, std::min(s.inner.extent[s.inner.rank - 1] * static_cast<std::int64_t>(sizeof(T)), bytes_ahead));
            }
        };
        [[maybe_unused]] const auto each = [&](auto load) {
            if constexpr (requires { one(load); }) one(load);
        };
        (each(Load{}), ...);
    }

    template <bool Direct, int First, class Phase, class... Rest>
    CROTON_INLINE static void run_phases(const setup& s, std::byte* const* at, std::int64_t* index, row_file& rs,
                           const number_port& numbers, split how) {
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
        using collector = reducer<Phase, reduces>;
        constexpr int reduced = loops::reduce_count;
        constexpr std::make_integer_sequence<int, reduced> sequence{};
        static constexpr std::int64_t zeros[max_rank] = {};
        if constexpr (Direct) {
            typename loops::state st;
            st.reset();
            // Where the loops are run once and take long, the call is nothing, and a copy of them takes the compiler long as well.
            if constexpr (O == 0 && loops::used.cost > 12) loops::chunk(base, 0, s.inner.extent[0], {s.uniforms, rs, s.scalars, index, s.displacement}, st);
            else loops::direct(base, 0, s.inner.extent[0], {s.uniforms, rs, s.scalars, index, s.displacement}, st);
            if constexpr (loops::sink_count > reduced) {
                settle_lines<Phase, false>(s, base, st, numbers);
                settle_lines<Phase, true>(s, base, st, numbers);
            }
            collector::template direct<First>(sequence, st, rs);
        } else if (how.parts <= 1) {
            typename loops::state st;
            st.reset();
            run_inner<Phase>(s, base, zeros, s.inner.extent, index, rs, st, numbers);
            if constexpr (loops::sink_count > reduced) settle_lines<Phase, true>(s, base, st, numbers);
            collector::template direct<First>(sequence, st, rs);
        } else {
            run_split<First, Phase>(s, base, index, rs, numbers, how);
        }
        kernel::run_row_block<First + reduced, typename parts<Phase>::row>(numbers, s.uniforms, rs);
        if constexpr (sizeof...(Rest) > 0)
            run_phases<Direct, First + reduced + kernel::size_of_block<typename parts<Phase>::row>, Rest...>(
                s, at, index, rs, numbers, how);
    }

    template <int First, class Phase>
    [[gnu::noinline]] static void run_split(const setup& s, std::byte* const* base, std::int64_t* index, row_file& rs,
                                            const number_port& numbers, split how) {
        using loops = sweep_of<Phase>;
        using collector = reducer<Phase, kernel::listed_t<typename parts<Phase>::reduces>>;
        constexpr int reduced = loops::reduce_count;
        constexpr std::make_integer_sequence<int, reduced> sequence{};
        total sums[most_threads][bound<reduced == 0 ? 1 : reduced>];
        total totals[most_threads][bound<slots>];
        parallel(how.parts, [&](int part) {
            std::int64_t lo[max_rank] = {}, hi[max_rank], here[max_rank];
            for (int a = 0; a < s.inner.rank; ++a) hi[a] = s.inner.extent[a];
            for (int a = 0; a < max_rank; ++a) here[a] = index[a];
            const std::int64_t n = hi[how.axis];
            // Whole cache lines, so that no two threads write to one.
            const std::int64_t grain = how.axis == s.inner.rank - 1 ? 64 : 1;
            const std::int64_t blocks = (n + grain - 1) / grain;
            lo[how.axis] = std::min(n, blocks * part / how.parts * grain);
            hi[how.axis] = std::min(n, blocks * (part + 1) / how.parts * grain);
            fill_sums(nullptr, nullptr, totals[part]);
            number_port mine = numbers;
            mine.totals = totals[part];
            typename loops::state st;
            st.reset();
            run_inner<Phase>(s, base, lo, hi, here, rs, st, mine);
            if constexpr (loops::sink_count > reduced) settle_lines<Phase, true>(s, base, st, mine);
            collector::collect(sequence, st, sums[part]);
        });
        for (int part = 1; part < how.parts; ++part) collector::combine(sequence, sums[part], sums[0]);
        collector::template yield<First>(sequence, sums[0], rs);
        const auto join = [&](auto effect) {
            using e = decltype(effect);
            if constexpr (e::in_element)
                if (s.whole[e::slot])
                    for (int part = 0; part < how.parts; ++part)
                        numbers.template add<typename e::reduction, typename e::element, e::slot>(
                            totals[part][e::slot].template get<typename e::partial>());
        };
        visit_sums<typename parts<Phase>::element>(join);
    }

    /// The outer indices begin .. end, counted along all outer axes.
    static void run_rows(const setup& s, const operand* slot, std::int64_t begin, std::int64_t end, total* totals,
                         split how) {
        if (s.unit && s.inner.rank == 1 && how.parts <= 1) run_rows<true>(s, slot, begin, end, totals, how);
        else run_rows<false>(s, slot, begin, end, totals, how);
    }
    template <bool Direct>
    [[gnu::noinline]] static void run_rows(const setup& s, const operand* slot, std::int64_t begin, std::int64_t end,
                                           total* totals, split how) {
        std::byte* base[bound<slots>];
        std::int64_t index[max_rank] = {}, at[max_rank];
        for (int k = 0; k < slots; ++k) base[k] = slot[k].data;
        std::int64_t rest = begin;
        for (int a = s.outer.rank - 1; a >= 0; --a) {
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
        for (std::int64_t o = begin; o < end; ++o) {
            if constexpr (O > 0 && gathers)
                if (s.outer.rank > 0) (fetch_ahead(s, base, s.outer.extent[s.outer.rank - 1] - at[s.outer.rank - 1], row_loads<typename parts<Phases>::element>{}), ...);
            row_file rs{};
            kernel::run_row_block<0, Row>(numbers, s.uniforms, rs);
            if constexpr (sizeof...(Phases) > 0)
                run_phases<Direct, kernel::size_of_block<Row>, Phases...>(s, base, index, rs, numbers, how);
            for (int a = s.outer.rank - 1; a >= 0; --a) {
                if (++at[a] < s.outer.extent[a]) {
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

    // Whether every sum into memory survives a split: it stays with its thread, or each thread has its own part of it.
    static bool splits(const setup& s, const nest<slots>& n, int axis, bool rows) {
        bool fine = true;
        const auto check = [&](auto effect) {
            constexpr int k = decltype(effect)::slot;
            if (!s.whole[k] && (axis < 0 || n.stride[k][axis] == 0)) fine = false;
        };
        if (rows) visit_sums<rows_block>(check);
        (visit_sums<typename parts<Phases>::element>(check), ...);
        return fine;
    }

    static void run(const std::int64_t* extents, const operand* slot, const std::int64_t* scalars) {
        setup s;
        s.scalars = scalars;
        prepare(s, extents, slot);
        total totals[bound<slots>];
        fill_sums(extents, slot, totals);
        {
            std::byte* base[bound<slots>];
            std::int64_t index[max_rank] = {};
            for (int k = 0; k < slots; ++k) base[k] = slot[k].data;
            const number_port numbers{base, scalars, index, s.displacement, totals, s.whole};
            kernel::run_uniform_block<U>(numbers, s.uniforms);
        }
        const std::int64_t outer = s.outer.size();
        const std::int64_t inner = sizeof...(Phases) > 0 ? s.inner.size() : 0;
        if (outer == 0) return;
        // From here on more makes no difference, and a loop may be longer than its work can be counted.
        constexpr std::int64_t enough = std::int64_t{1} << 26;
        const std::int64_t work = std::min(outer, enough) * (std::min(inner, enough) * in_elements.cost + in_rows.cost + 1);
        if (work >= 2 * work_per_thread && !thread_pool::working()) {
            const std::int64_t wanted = std::min<std::int64_t>({threads(), work / work_per_thread, most_threads});
            if (wanted > 1 && run_parallel(s, slot, outer, static_cast<int>(wanted), totals)) return;
        }
        run_rows(s, slot, 0, outer, totals, {1, 0});
        settle(s, slot, totals);
    }

    [[gnu::noinline]] static bool run_parallel(const setup& s, const operand* slot, std::int64_t outer, int wanted,
                                               total* totals) {
        if (outer >= wanted) {
            // Blocks of the first outer axis keep apart what varies along it.
            const bool any_order = splits(s, s.outer, -1, true);
            const std::int64_t first = s.outer.extent[0], per_first = outer / first;
            if (!any_order && (first < wanted || !splits(s, s.outer, 0, true))) return false;
            const std::int64_t unit = any_order ? 1 : per_first, units = outer / unit;
            total mine[most_threads][bound<slots>];
            parallel(wanted, [&](int part) {
                fill_sums(nullptr, nullptr, mine[part]);
                run_rows(s, slot, units * part / wanted * unit, units * (part + 1) / wanted * unit, mine[part], {1, 0});
            });
            for (int part = 0; part < wanted; ++part) settle(s, slot, mine[part]);
            return true;
        }
        if constexpr (sizeof...(Phases) > 0) {
            if (outer != 1) return false;
            for (int axis = 0; axis < s.inner.rank; ++axis) {
                const std::int64_t n = s.inner.extent[axis] / (axis == s.inner.rank - 1 ? 64 : 1);
                if (n < wanted || !splits(s, s.inner, axis, false)) continue;
                run_rows(s, slot, 0, 1, totals, {wanted, axis});
                settle(s, slot, totals);
                return true;
            }
        }
        return false;
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
