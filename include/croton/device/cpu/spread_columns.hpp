// SPDX-License-Identifier: MIT
// Spreads in one pass over memory where what is summed lies across it: as many columns as a register has lanes at once.
#ifndef CROTON_DEVICE_CPU_SPREAD_COLUMNS_HPP
#define CROTON_DEVICE_CPU_SPREAD_COLUMNS_HPP

#include <croton/device/cpu/arrangement.hpp>
#include <croton/device/cpu/column_sweep.hpp>
#include <croton/device/cpu/shared_loop.hpp>
#include <croton/device/cpu/spread_ends.hpp>

#include <algorithm>
#include <cmath>

namespace croton::inline v0_1::detail::cpu_device {

/// Whether an instruction takes a row value: of columns there is another one for each lane.
template <class A> inline constexpr bool is_row_value = false;
template <int I, class T> inline constexpr bool is_row_value<kernel::r<I, T>> = true;
template <class I> inline constexpr bool takes_row_value = false;
template <class Op, class... A> inline constexpr bool takes_row_value<kernel::apply<Op, A...>> = (false || ... || is_row_value<A>);
template <class T, class A> inline constexpr bool takes_row_value<kernel::convert<T, A>> = is_row_value<A>;

/// The element block of the joint phase, which reads a guess of the mean of each column and adds up there what differs from it, and its square: `Slots` and
/// the two slots behind it.
template <int Slots, class Block, class R, class Minus, class Square> struct column_phase;
template <int Slots, class... I, class R, class Minus, class Square, class T, int X, int K, int D>
struct column_phase<Slots, kernel::block<I...>, R, kernel::apply<Minus, kernel::e<X, T>, kernel::r<K, T>>, kernel::apply<Square, kernel::e<D, T>>> {
    static constexpr bool takes_rows = (false || ... || takes_row_value<I>);
    static_assert(Slots < 64);
    using type = kernel::phase<kernel::block<I..., still_load<T, Slots>, kernel::apply<Minus, kernel::e<X, T>, kernel::e<D, T>>, kernel::apply<Square, kernel::e<D + 1, T>>,
                                             kernel::accumulate<R, T, Slots + 1, kernel::e<D + 1, T>>, kernel::accumulate<R, T, Slots + 2, kernel::e<D + 2, T>>>,
                               kernel::block<>, kernel::block<>>;
    /// The sums alone, of which guesses are made.
    using sums = kernel::phase<kernel::block<I..., kernel::accumulate<R, T, Slots, kernel::e<X, T>>>, kernel::block<>, kernel::block<>>;
};

template <class Engine> struct spread_columns {
    static constexpr bool found = false;
    static std::int64_t grain(const auto&) { return 1; }
};
template <template <class, class> class Engine, int O, int I, class U, class Row, class First, class Second, class Arch>
    requires(O > 0 && spread_of<First, Second>::found)
struct spread_columns<Engine<kernel::kernel<O, I, U, Row, First, Second>, Arch>> {
    using arranged = arrangement<kernel::kernel<O, I, U, Row, First, Second>, Arch>;
    using pair = spread_of<First, Second>;
    using T = typename pair::element;
    static constexpr int slots = arranged::slots;
    using joint = column_phase<slots, typename pair::elements, typename pair::reduction, typename pair::minus, typename pair::squared>;
    static constexpr bool found = !joint::takes_rows && arranged::axes == 0 && !arranged::gathers && !arranged::in_elements.any(role_fixed);
    using loops = sweep<typename arranged::lanes, slots + 3, O + I - 1, U, typename arranged::rows_block, typename joint::type>;
    using guesses = sweep<typename arranged::lanes, slots + 1, O + I - 1, U, typename arranged::rows_block, typename joint::sums>;
    using setup = typename arranged::setup;
    using row_file = typename arranged::row_file;

    /// Processors take what lies a multiple of 4096 bytes apart for the same place until they know better.
    static constexpr std::int64_t most_columns = 1024, apart = 1024 / static_cast<std::int64_t>(sizeof(T));
    /// After so many rows the sums go on into double: what becomes of them there takes as long as some rows.
    static constexpr std::int64_t block_rows = 1024;
    static constexpr std::int64_t short_rows = 256, samples = 8, few_samples = 4;
    static constexpr std::int64_t strip_columns = column_sweep<loops>::width * arranged::lanes::size;

    static bool are_few(std::int64_t columns) { return column_sweep<loops>::groups::are_few(columns); }

    /// Whether what element blocks read lies along the last outer axis, and not along an inner one.
    static bool fits(const setup& s) {
        if (s.unit || s.outer.rank == 0) return false;
        for (int k = 0; k < slots; ++k)
            if ((arranged::in_elements.uses[k] & role_load) != 0 && s.outer.stride[k][s.outer.rank - 1] != arranged::in_elements.bytes[k]) return false;
        return true;
    }

    /// A thread takes whole strips.
    static std::int64_t grain(const setup& s) { return fits(s) ? strip_columns : 1; }

    using ends_of = spread_ends<slots, pair, Row, First, Second>;
    static constexpr int ends_slots = ends_of::slots;
    template <class Phase> using ends_sweep = sweep<typename arranged::lanes, ends_slots, O + I - 1, U, typename arranged::rows_block, Phase>;

    /// Whether row blocks read and write along the last outer axis what element blocks do.
    static bool rows_fit(const setup& s) {
        for (int k = 0; k < slots; ++k)
            if (arranged::in_rows.uses[k] != 0 && s.outer.stride[k][s.outer.rank - 1] != arranged::in_rows.bytes[k]) return false;
        return true;
    }

    /// Some columns: sums about the guesses of their means, of all rows so far and of those of a block. What lies behind the columns, up to a multiple
    /// of `at_once`, is as columns of zeros.
    struct alignas(64) state {
        T guess[most_columns + strip_columns + apart], sum[most_columns + strip_columns + apart], squares[most_columns + strip_columns];
        double origin[most_columns], mean[most_columns], total[most_columns];  // the mean is what is added to the origin
        double count;
    };
    /// Where the inner axes are.
    struct place {
        std::byte* p[bound<slots>];
        std::int64_t at[max_rank] = {};
        bool ended = false;
    };

    /// Calls `f` with each column and its place among the `at_once` that are one register or a few: compilers see how many those are.
    static constexpr int at_once = 16;
    template <class F> CROTON_INLINE static void each_column(std::int64_t columns, F f) {
        for (std::int64_t j = 0; j < columns; j += at_once)
            for (int k = 0; k < at_once; ++k) f(j + k, k);
    }
    /// What lies behind the columns.
    static void clear_rest(std::int64_t columns, state& st) {
        for (std::int64_t j = columns; j % at_once != 0; ++j) st.guess[j] = st.sum[j] = st.squares[j] = 0;
    }

    /// Adds up `rows` rows, `step` apart, of the columns from `first` to `end`: `to` are what the loops read and write besides, for the first of them.
    template <class Loops, std::size_t N>
    static void strips(const setup& s, std::byte* const* p, std::int64_t step, std::int64_t rows, std::int64_t first, std::int64_t end, T* const (&to)[N], bool fresh) {
        const int last = s.inner.rank - 1, along = s.outer.rank - 1;
        std::byte* q[slots + static_cast<int>(N)];
        std::int64_t down[slots + static_cast<int>(N)] = {};
        for (int k = 0; k < slots; ++k) {
            q[k] = p[k] + s.outer.stride[k][along] * first;
            down[k] = s.inner.stride[k][last] * step;
        }
        for (std::size_t k = 0; k < N; ++k) q[static_cast<std::size_t>(slots) + k] = reinterpret_cast<std::byte*>(to[k]);
        const row_file rs{};
        const std::int64_t index[1] = {};
        typename Loops::state none;
        none.reset();
        const typename Loops::around outside{s.uniforms, rs, s.scalars, index, s.displacement, fresh};
        column_sweep<Loops>::panel(q, down, rows, 0, end - first, &outside, &none);
    }
    /// The same of all columns, `rows_of_two_sums` rows at a time where columns are many. The last go down in a whole strip as well, with some that are there twice: three narrow strips take three times as
    /// long as it. Its sums are behind those of the others, where `ends_panels` takes them from.
    static void panels(const setup& s, std::byte* const* p, std::int64_t rows, std::int64_t columns, bool fresh, state& st) {
        const std::int64_t split = split_of(columns);
        std::byte* q[bound<slots>];
        for (int k = 0; k < slots; ++k) q[k] = p[k];
        const std::int64_t together = column_sweep<loops>::groups_rows(columns) ? rows : rows_of_two_sums;
        for (std::int64_t done = 0; done < rows; done += together, fresh = false) {
            const std::int64_t n = std::min(together, rows - done);
            strips<loops>(s, q, 1, n, 0, split, {st.guess, st.sum, st.squares}, fresh);
            if (split < columns) strips<loops>(s, q, 1, n, columns - strip_columns, columns, {st.guess + most_columns, st.sum + most_columns, st.squares + most_columns}, fresh);
            for (int k = 0; k < slots; ++k) q[k] += s.inner.stride[k][s.inner.rank - 1] * n;
        }
    }
    /// How many columns are in whole strips, or all where they are no more than one.
    static std::int64_t split_of(std::int64_t columns) {
        const std::int64_t whole = columns - columns % strip_columns;
        return whole == 0 ? columns : whole;
    }
    static void starts_panels(std::int64_t columns, state& st) {
        if (split_of(columns) < columns) std::copy_n(st.guess + columns - strip_columns, strip_columns, st.guess + most_columns);
    }
    static void ends_panels(std::int64_t columns, state& st) {
        for (std::int64_t j = split_of(columns); j < columns; ++j) {
            st.sum[j] = st.sum[most_columns + strip_columns - columns + j];
            st.squares[j] = st.squares[most_columns + strip_columns - columns + j];
        }
    }
    /// The rows of a block; gives how many.
    static std::int64_t add_block(const setup& s, place& here, std::int64_t columns, state& st) {
        const int last = s.inner.rank - 1;
        std::int64_t rows = 0;
        const std::int64_t most = column_sweep<loops>::groups_rows(columns) ? rows_in_groups : block_rows;
        starts_panels(columns, st);
        while (rows < most && !here.ended) {
            const std::int64_t n = std::min(most - rows, s.inner.extent[last] - here.at[last]);
            panels(s, here.p, n, columns, rows == 0, st);
            rows += n;
            here.at[last] += n - 1;
            for (int k = 0; k < slots; ++k) here.p[k] += s.inner.stride[k][last] * (n - 1);
            int a = last;
            for (; a >= 0; --a) {
                for (int k = 0; k < slots; ++k) here.p[k] += s.inner.stride[k][a];
                if (++here.at[a] < s.inner.extent[a]) break;
                for (int k = 0; k < slots; ++k) here.p[k] -= s.inner.stride[k][a] * s.inner.extent[a];
                here.at[a] = 0;
            }
            here.ended = a < 0;
        }
        ends_panels(columns, st);
        return rows;
    }
    static place start(std::byte* const* base) {
        place here;
        for (int k = 0; k < slots; ++k) here.p[k] = base[k];
        return here;
    }

    /// The means of some rows, some way apart.
    static void guess_means(const setup& s, std::byte* const* base, std::int64_t columns, state& st) {
        const std::int64_t lines = s.inner.extent[s.inner.rank - 1], step = std::max<std::int64_t>(1, lines / samples), seen = std::min(lines, samples);
        const T part = 1 / static_cast<T>(seen);
        clear_rest(columns, st);
        const std::int64_t split = split_of(columns);
        strips<guesses>(s, base, step, seen, 0, split, {st.guess}, true);
        if (split < columns) strips<guesses>(s, base, step, seen, columns - strip_columns, columns, {st.guess + columns - strip_columns}, true);
        each_column(columns, [&](std::int64_t j, int) CROTON_INLINED { st.guess[j] *= part; });
    }

    /// Few rows in a near cache, one below the other: a strip of columns at a time, of which a few rows say about what, and then all are added up. What follows takes a
    /// register of columns at a time. False where a guess was not near, or something is not finite; nothing is written then.
    [[gnu::noinline]] static bool short_columns(const setup& s, std::byte* const* base, std::int64_t n, std::int64_t columns, state& st) {
        const int along = s.outer.rank - 1;
        const std::int64_t seen = std::min(n, few_samples), step = n / seen;
        const T part = 1 / static_cast<T>(n), part_seen = 1 / static_cast<T>(seen);
        const row_file rs{};
        const std::int64_t index[1] = {};
        const typename loops::around outside{s.uniforms, rs, s.scalars, index, s.displacement};
        using lanes = typename arranged::lanes;
        using V = typename lanes::template value<T>;
        std::byte *q[bound<ends_slots>], *at[bound<ends_slots>];
        std::int64_t down[bound<ends_slots>] = {}, between[bound<ends_slots>] = {};
        for (int k = 0; k < slots; ++k) {
            q[k] = base[k];
            down[k] = s.inner.stride[k][0];
            between[k] = down[k] * step;
        }
        V missed = lanes::broadcast(T{0});
        for (std::int64_t from = 0; from < columns; from += strip_columns) {
            // The last strip is a whole one as well: some of its columns are those of the one before, once more.
            from = std::min(from, columns - strip_columns);
            T* const guess = st.guess + from;
            for (int k = 0; k < slots; ++k) at[k] = q[k] + s.outer.stride[k][along] * from;
            at[slots] = reinterpret_cast<std::byte*>(guess);
            at[slots + 1] = reinterpret_cast<std::byte*>(st.sum + from);
            at[slots + 2] = reinterpret_cast<std::byte*>(st.squares + from);
            column_sweep<guesses>::down(at, between, seen, outside, [&](const auto& d, const auto& port, int) CROTON_INLINED {
                lanes::store(guess + port.i, kernel::detail::at<0, V>(d) * lanes::broadcast(part_seen));
            });
            column_sweep<loops>::down(at, down, n, outside, [&](const auto& d, const auto& port, int) CROTON_INLINED {
                d.settle(port, true);
                missed = missed + spread_misses::value(kernel::detail::at<0, V>(d), kernel::detail::at<1, V>(d), lanes::broadcast(part));
            });
        }
        if (!(fold_lanes<lanes, typename pair::reduction>(missed) == 0)) return false;
        T fixed[2] = {static_cast<T>(n), part};
        q[slots] = reinterpret_cast<std::byte*>(st.guess);
        q[slots + 1] = reinterpret_cast<std::byte*>(st.sum);
        q[slots + 2] = reinterpret_cast<std::byte*>(st.squares);
        q[slots + 3] = reinterpret_cast<std::byte*>(&fixed[0]);
        q[slots + 4] = reinterpret_cast<std::byte*>(&fixed[1]);
        using writes = ends_sweep<typename ends_of::template phase<>>;
        typename writes::state none;
        writes::one_run(q, 0, columns, {s.uniforms, rs, s.scalars, index, s.displacement}, none);
        return true;
    }

    static double total_of(const double (&of)[at_once]) {
        double sum = 0;
        for (const double v : of) sum += v;
        return sum;
    }

    /// One pass; false where something is not finite.
    [[gnu::noinline]] static bool one_pass(const setup& s, std::byte* const* base, std::int64_t columns, state& st) {
        guess_means(s, base, columns, st);
        each_column(columns, [&](std::int64_t j, int) CROTON_INLINED {
            st.origin[j] = static_cast<double>(st.guess[j]);
            st.mean[j] = st.total[j] = 0;
        });
        st.count = 0;
        for (place here = start(base); !here.ended;) {
            place from = here;
            const double own = static_cast<double>(add_block(s, here, columns, st)), part = 1 / own;
            double far[at_once] = {}, wrong[at_once] = {};
            each_column(columns, [&](std::int64_t j, int k) CROTON_INLINED {
                const double sum = static_cast<double>(st.sum[j]), away = sum * part;
                far[k] += away * sum <= spread_misses::near * (static_cast<double>(st.squares[j]) - away * sum) ? 0 : 1;
            });
            if (total_of(far) != 0) {
                each_column(columns, [&](std::int64_t j, int) CROTON_INLINED {
                    st.guess[j] = static_cast<T>(static_cast<double>(st.guess[j]) + static_cast<double>(st.sum[j]) * part);
                });
                add_block(s, from, columns, st);
            }
            // Chan, Golub and LeVeque, as in spread_sums::join.
            const double all = st.count + own, weight = st.count * own / all, share = own / all;
            each_column(columns, [&](std::int64_t j, int k) CROTON_INLINED {
                const double sum = static_cast<double>(st.sum[j]), guess = static_cast<double>(st.guess[j]), away = sum * part;
                const double left = static_cast<double>(st.squares[j]) - away * sum, between = (guess - st.origin[j]) + (away - st.mean[j]);
                wrong[k] += left * 0;
                st.total[j] += (left > 0 ? left : 0) + between * between * weight;
                st.mean[j] += between * share;
                st.guess[j] = static_cast<T>(guess + away);
            });
            if (!(total_of(wrong) == 0)) return false;
            st.count = all;
        }
        return true;
    }

    static spread_sums sums_of(const state& st, std::int64_t j) { return {st.count, (st.origin[j] + st.mean[j]) * st.count, st.origin[j], st.mean[j], st.total[j]}; }

    /// Columns whose rows threads share, and what is known of each part of them.
    static constexpr std::int64_t shared_room = 1024;
    static int parts_of_rows(const setup& s, std::int64_t n, std::int64_t columns) {
        if (!are_few(columns) || n == 0) return 1;
        return parts_of(n * columns * arranged::in_elements.cost, std::min(s.inner.extent[0], shared_room / columns));
    }
    /// One pass by `parts` threads, whose results are joined in their order; false where something is not finite.
    [[gnu::noinline, gnu::cold]] static bool shared_pass(const setup& s, std::byte* const* base, std::int64_t columns, int parts, spread_sums (&sums)[shared_room]) {
        bool finite[most_threads];
        parallel(parts, [&](int part) {
            const std::int64_t lo = s.inner.extent[0] * part / parts, hi = s.inner.extent[0] * (part + 1) / parts;
            setup own = s;
            own.inner.extent[0] = hi - lo;
            std::byte* from[bound<slots>];
            for (int k = 0; k < slots; ++k) from[k] = base[k] + lo * s.inner.stride[k][0];
            state st;
            finite[part] = one_pass(own, from, columns, st);
            for (std::int64_t j = 0; j < columns; ++j) sums[part * columns + j] = sums_of(st, j);
        });
        for (int part = 0; part < parts; ++part) {
            if (!finite[part]) return false;
            for (std::int64_t j = 0; j < columns && part > 0; ++j) sums[j].join(sums[part * columns + j]);
        }
        return true;
    }

    static void run(const setup& s, const operand* slot, std::int64_t begin, std::int64_t end, total* totals) {
        const int last = s.outer.rank - 1;
        const std::int64_t n = s.inner.size();
        const std::int64_t index[1] = {};
        const bool is_near = n > 0 && s.inner.rank == 1 && n <= short_rows && n * (end - begin) <= spread_near && rows_fit(s);
        state st;
        for (std::int64_t o = begin, columns = 0; o < end; o += columns) {
            columns = std::min({most_columns, end - o, s.outer.extent[last] - o % s.outer.extent[last]});
            std::byte *base[bound<slots>], *p[bound<slots>];
            for (int k = 0; k < slots; ++k) base[k] = kernel::alone(slot[k].data);
            std::int64_t rest = o;
            for (int a = last; a >= 0; --a) {
                const std::int64_t at = rest % s.outer.extent[a];
                rest /= s.outer.extent[a];
                for (int k = 0; k < slots; ++k) base[k] += at * s.outer.stride[k][a];
            }
            if constexpr (ends_of::found)
                if (is_near && columns >= strip_columns && short_columns(s, base, n, columns, st)) continue;
            const number_port numbers{p, s.scalars, index, s.displacement, totals, s.whole};
            const auto each = [&](auto&& f) CROTON_INLINED {
                for (int k = 0; k < slots; ++k) p[k] = base[k];
                for (std::int64_t j = 0; j < columns; ++j) {
                    row_file rs{};
                    kernel::run_row_block<0, Row>(numbers, s.uniforms, rs);
                    f(j, rs);
                    for (int k = 0; k < slots; ++k) p[k] += s.outer.stride[k][last];
                }
            };
            constexpr int first = kernel::size_of_block<Row>, second = first + 1 + kernel::size_of_block<typename parts<First>::row>;
            const auto ends = [&](std::int64_t j, row_file& rs, const spread_sums& sums) CROTON_INLINED {
                settle_spread<pair, first, typename parts<First>::row>(sums, numbers, s.uniforms, rs);
                if (sums.count == 0) kernel::detail::at<second, T>(rs) = static_cast<T>(st.total[j]);
                kernel::run_row_block<second + 1, typename parts<Second>::row>(numbers, s.uniforms, rs);
            };
            if (const int parts = parts_of_rows(s, n, columns); parts > 1) {
                spread_sums sums[shared_room];
                if (shared_pass(s, base, columns, parts, sums)) {
                    each([&](std::int64_t j, row_file& rs) CROTON_INLINED { ends(j, rs, sums[j]); });
                    continue;
                }
            } else if (n > 0 && one_pass(s, base, columns, st)) {
                each([&](std::int64_t j, row_file& rs) CROTON_INLINED { ends(j, rs, sums_of(st, j)); });
                continue;
            }
            // What is not finite, or nothing: two passes, the first about 0.
            clear_rest(columns, st);
            each_column(columns, [&](std::int64_t j, int) CROTON_INLINED { st.guess[j] = 0; });
            two_sums(s, base, n, columns, st, st.sum, st.mean);
            each([&](std::int64_t j, row_file& rs) CROTON_INLINED {
                settle_spread<pair, first, typename parts<First>::row>({0, st.mean[j], 0, 0, 0}, numbers, s.uniforms, rs);
                st.guess[j] = kernel::value<pair::center>(rs);
            });
            two_sums(s, base, n, columns, st, st.squares, st.total);
            each([&](std::int64_t j, row_file& rs) CROTON_INLINED { ends(j, rs, {0, st.mean[j], 0, 0, 0}); });
        }
    }
    /// All rows about the guesses, one of their sums in double.
    static void two_sums(const setup& s, std::byte* const* base, std::int64_t n, std::int64_t columns, state& st, const T* of, double* to) {
        each_column(columns, [&](std::int64_t j, int) CROTON_INLINED { to[j] = 0; });
        if (n == 0) return;
        for (place here = start(base); !here.ended;) {
            add_block(s, here, columns, st);
            each_column(columns, [&](std::int64_t j, int) CROTON_INLINED { to[j] += static_cast<double>(of[j]); });
        }
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
