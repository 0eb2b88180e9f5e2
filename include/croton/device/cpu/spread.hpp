// SPDX-License-Identifier: MIT
// The sum of a row and that of the squares of what differs from its mean, in one pass over memory instead of two, where rows lie along memory.
#ifndef CROTON_DEVICE_CPU_SPREAD_HPP
#define CROTON_DEVICE_CPU_SPREAD_HPP

#include <croton/device/cpu/brief.hpp>
#include <croton/device/cpu/sweep.hpp>
#include <croton/device/cpu/threads.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

/// What is known of some numbers: how many they are, their sum, and the squares of what differs from their mean. That is kept as what is added to a
/// number near it: differences of means keep their digits.
struct spread_sums {
    double count = 0, sum = 0, origin = 0, mean = 0, squares = 0;

    /// Chan, Golub and LeVeque, Algorithms for computing the sample variance, 1983.
    void join(const spread_sums& other) {
        if (other.count == 0) return;
        if (count == 0) {
            *this = other;
            return;
        }
        const double between = (other.origin - origin) + (other.mean - mean), all = count + other.count;
        squares += other.squares + between * between * (count * other.count / all);
        mean += between * (other.count / all);
        sum += other.sum;
        count = all;
    }
    /// The squares of what differs from `c`, which is nearly the mean.
    double squares_about(double c) const {
        const double away = (origin - c) + mean;
        return squares + count * away * away;
    }
};

/// Elements that stay in a near cache while they are done again. Of more the first few show whether the guess is near: what follows a block is little beside long ones.
inline constexpr std::int64_t spread_block = 16384, spread_first = 2048, spread_most = 65536;
/// Of rows that are more than one run, or a part of one: a second pass over a shorter row is nothing beside what follows one pass; of more than `spread_near` elements in
/// all rows are not all in a near cache.
inline constexpr std::int64_t spread_least = 2000, spread_least_far = 512, spread_near = 200'000;

/// Where the mean of a row may be: where that of one before it was. A sum about a number that is far from the mean has lost its digits; about 0 it is no other than in a
/// pass of its own, so that no more than the squares are done again.
struct spread_guess {
    double mean = 0;
    int wait = 0;  // so many rows are taken about 0, because the guess was wrong

    double next() { return wait > 0 ? (--wait, 0.0) : mean; }
};
inline constexpr int spread_wait = 15;
/// Whether one pass wins for `rows` such rows of `n` elements.
inline bool wins_spread(std::int64_t rows, std::int64_t n) { return n >= spread_least || (n >= spread_least_far && rows * n > spread_near); }

/// The first of the phases of a row sums x, the second (x - c)^2 where c is a number of the row: then `phase` sums x - c and its square.
struct no_spread {
    static constexpr bool found = false;
};
template <class E1, class E2, class Minus, class Square> struct spread_pair : no_spread {};
template <class... I, class E2, class Minus, class Square, class T, int X, int K, int D>
struct spread_pair<kernel::block<I...>, E2, kernel::apply<Minus, kernel::e<X, T>, kernel::r<K, T>>, kernel::apply<Square, kernel::e<D, T>>> {
    static constexpr bool found = std::is_floating_point_v<T> && D == sizeof...(I) && is_named<Minus>("subtract") && is_named<Square>("sqr") &&
                                  ((0 | ... | I::does) & kernel::role_write) == 0 &&
                                  std::is_same_v<E2, kernel::block<I..., kernel::apply<Minus, kernel::e<X, T>, kernel::r<K, T>>, kernel::apply<Square, kernel::e<D, T>>>>;
    static constexpr int center = K;
    using element = T;
};
template <class E1, class F1, class E2, class F2> struct spread_phases : no_spread {};
template <class E1, class E2, class R, class T, int X, int Q>
    requires(is_named<R>("sum") && kernel::size_of_block<E2> == kernel::size_of_block<E1> + 2 && Q == kernel::size_of_block<E1> + 1)
struct spread_phases<E1, kernel::block<kernel::reduce<R, T, kernel::e<X, T>>>, E2, kernel::block<kernel::reduce<R, T, kernel::e<Q, T>>>>
    : spread_pair<E1, E2, kernel::instruction_t<E2, Q - 1>, kernel::instruction_t<E2, Q>> {
    using phase = kernel::phase<E2, kernel::block<kernel::reduce<R, T, kernel::e<Q - 1, T>>, kernel::reduce<R, T, kernel::e<Q, T>>>, kernel::block<>>;
    using reduction = R;
    using elements = E1;
    using minus = kernel::instruction_t<E2, Q - 1>;
    using squared = kernel::instruction_t<E2, Q>;
};
template <class... Phase> struct spread_of : no_spread {};
template <class E1, class F1, class R1, class E2, class F2, class R2, class... Rest>
struct spread_of<kernel::phase<E1, F1, R1>, kernel::phase<E2, F2, R2>, Rest...>
    : spread_phases<kernel::listed_t<E1>, kernel::listed_t<F1>, kernel::listed_t<E2>, kernel::listed_t<F2>> {};
/// Whether there are such two among some phases.
template <class... Phase> inline constexpr bool any_spread = false;
template <class Phase, class... Rest> inline constexpr bool any_spread<Phase, Rest...> = spread_of<Phase, Rest...>::found || any_spread<Rest...>;

/// Of `n` numbers, the inverse of n being `part`: `sum` and `squares` are those of what differs from `guess`.
struct spread_of_guess {
    template <class V> CROTON_INLINE static V left(V sum, V squares, V part) {
        using kernel::maximum;
        return maximum(squares - sum * part * sum, kernel::constant<V>(0));
    }
};
/// 0 where the guess was near the mean, else 1: also where something is not finite. So many times the squares about the mean cost two bits.
struct spread_misses {
    static constexpr double near = 4;
    /// Whether it was near: `moved` is what of the squares about the guess is none about the mean, `left` the others, which are none too few then.
    template <class V> CROTON_INLINE static auto fits(V moved, V left) { return moved <= kernel::constant<V>(near) * left; }
    template <class V> CROTON_INLINE static V value(V sum, V squares, V part) {
        using kernel::select;
        const V moved = sum * part * sum;
        return select(fits(moved, squares - moved), kernel::constant<V>(0), kernel::constant<V>(1));
    }
};
/// The sum itself.
struct spread_sum {
    template <class V> CROTON_INLINE static V value(V guess, V sum, V n) { return kernel::plus_product(sum, guess, n); }
};
/// The squares of what differs from `c`, which is nearly the mean.
struct spread_squares {
    template <class V> CROTON_INLINE static V about(V guess, V mean, V left, V n, V c) {
        const V away = (guess - c) + mean;
        return left + n * away * away;
    }
    template <class V> CROTON_INLINE static V value(V guess, V sum, V squares, V n, V part, V c) {
        return about(guess, sum * part, spread_of_guess::left(sum, squares, part), n, c);
    }
};

/// What one pass over a short row has left to do: both phases again where something is not finite, the second one where the guess was not near the mean, or nothing.
enum class spread_left { both, second, nothing };

/// `Loops` run the joint phase. What is not finite is left to the two phases: all of this is false then.
template <class Loops, int Slots, int Center, class T> struct spread_pass {
    /// A row of `n` elements in one run, which is short: its sum and what the row has behind the first phase, in the row values from number `First` on, and the sum of
    /// squares where the guess was near the mean. `outside` has these row values.
    template <int First, class PhaseRow, bool Direct, class Rows>
    CROTON_INLINE static spread_left near(std::int64_t n, std::byte* const* base, const typename Loops::around& outside, Rows& rs, const auto& numbers, spread_guess& guess) {
        const T about = static_cast<T>(guess.next()), count = static_cast<T>(n), part = 1 / count;
        kernel::value<Center>(rs) = about;
        T sum, squares;
        Loops::template sums_of_run<Direct>(base, n, outside, [&](auto& st) CROTON_INLINED {
            sum = static_cast<T>(kernel::value<0>(st));
            squares = static_cast<T>(kernel::value<1>(st));
        });
        kernel::detail::at<First, T>(rs) = spread_sum::value(about, sum, count);
        kernel::run_row_block<First + 1, PhaseRow>(numbers, outside.uniforms, rs);
        const T mean = kernel::value<Center>(rs), away = sum * part, moved = away * sum, rest = squares - moved;
        if (spread_misses::fits(moved, rest)) [[likely]] {
            kernel::detail::at<First + 1 + kernel::size_of_block<PhaseRow>, T>(rs) = spread_squares::about(about, away, rest, count, mean);
            return spread_left::nothing;
        }
        if (about != 0) guess.wait = spread_wait;
        if (about != 0 || !std::isfinite(squares)) return spread_left::both;
        guess.mean = static_cast<double>(mean);
        return spread_left::second;
    }

    /// A part of the inner axes: `lines` runs of `count` elements, `apart` bytes behind each other. The first element has the number `from` in its run.
    struct part {
        std::byte* p[bound<Slots>];
        std::int64_t apart[bound<Slots>];
        std::int64_t lines, from, count;
    };

    /// Such a part, about the mean that is guessed, and once more where that was not near: as exact as two passes.
    template <class Setup, class Rows>
    CROTON_INLINE static bool add(const Setup& s, const part& of, const std::int64_t* index, Rows& rs, T& guess, spread_sums& to) {
        spread_sums own;
        own.count = static_cast<double>(of.lines * of.count);
        const double part = 1 / own.count;
        for (bool again = false;; again = true) {
            kernel::value<Center>(rs) = guess;
            typename Loops::state st;
            st.reset();
            const typename Loops::around outside{s.uniforms, rs, s.scalars, index, s.displacement};
            Loops::runs(of.p, of.apart, of.lines, of.from, of.count, &outside, &st);
            const double sum = static_cast<double>(kernel::value<0>(st)), squares = static_cast<double>(kernel::value<1>(st)), away = sum * part;
            own.squares = squares - away * sum;
            if (!std::isfinite(own.squares)) return false;
            own.origin = static_cast<double>(guess);
            own.mean = away;
            own.sum = sum + own.origin * own.count;
            const bool fits = spread_misses::fits(away * sum, own.squares);
            // What follows waits for this part only where the guess was wrong.
            if (!fits) guess = static_cast<T>(own.origin + away);
            if (fits || again) break;
        }
        own.squares = std::max(own.squares, 0.0);
        to.join(own);
        return true;
    }

    /// The part `lo` .. `hi` of the inner axes, as many lines at once as stay in a near cache.
    template <class Setup, class Rows>
    [[gnu::noinline]] static bool run(const Setup& s, std::byte* const* base, const std::int64_t* index, const Rows& rs, const std::int64_t* lo, const std::int64_t* hi,
                                      spread_sums& to) {
        Rows mine = rs;
        T guess = 0;
        const int last = s.inner.rank - 1;
        std::int64_t at[max_rank];
        for (int a = 0; a <= last; ++a) {
            at[a] = lo[a];
            if (lo[a] >= hi[a]) return true;
        }
        const std::int64_t length = hi[last] - lo[last];
        std::int64_t block = spread_first;
        part of;
        for (int k = 0; k < Slots; ++k) of.apart[k] = last > 0 ? s.inner.stride[k][last - 1] : 0;
        for (;;) {
            of.lines = last > 0 ? std::min(hi[last - 1] - at[last - 1], std::max<std::int64_t>(1, block / length)) : 1;
            for (of.from = lo[last]; of.from < hi[last]; of.from += of.count) {
                of.count = std::min(block, hi[last] - of.from);
                block = spread_most;
                at[last] = of.from;
                for (int k = 0; k < Slots; ++k) {
                    of.p[k] = base[k];
                    for (int a = 0; a <= last; ++a) of.p[k] += at[a] * s.inner.stride[k][a];
                }
                if (!add(s, of, index, mine, guess, to)) return false;
            }
            int a = last - 1;
            if (a >= 0) at[a] += of.lines - 1;
            for (; a >= 0 && ++at[a] >= hi[a]; --a) at[a] = lo[a];
            if (a < 0) return true;
        }
    }

    /// A whole row that is longer, or more than a run, `parts` threads along an inner axis; false where this is not the way. A function of its own, so that the two phases
    /// keep what is in registers.
    template <class Setup, class Rows>
    [[gnu::noinline]] static bool row(const Setup& s, std::byte* const* base, const std::int64_t* index, const Rows& rs, int parts, int axis, spread_sums& to) {
        static constexpr std::int64_t zeros[max_rank] = {};
        if (parts <= 1) return run(s, base, index, rs, zeros, s.inner.extent, to);
        bool finite[most_threads];
        struct alignas(64) apart : spread_sums {};
        apart sums[most_threads];
        parallel(parts, [&](int part) {
            std::int64_t lo[max_rank] = {}, hi[max_rank];
            for (int a = 0; a < s.inner.rank; ++a) hi[a] = s.inner.extent[a];
            const std::int64_t grain = axis == s.inner.rank - 1 ? 64 : 1, n = hi[axis], blocks = (n + grain - 1) / grain;
            lo[axis] = std::min(n, blocks * part / parts * grain);
            hi[axis] = std::min(n, blocks * (part + 1) / parts * grain);
            finite[part] = run(s, base, index, rs, lo, hi, sums[part]);
        });
        for (int part = 0; part < parts; ++part) {
            if (!finite[part]) return false;
            to.join(sums[part]);
        }
        return true;
    }
};

/// What two phases leave in the row values from number `First` on, `PhaseRow` between them, from what is known of a row.
template <class Pair, int First, class PhaseRow, class Numbers, class U, class Rows>
CROTON_INLINE void settle_spread(const spread_sums& sums, const Numbers& numbers, const U& uniforms, Rows& rs) {
    using T = typename Pair::element;
    kernel::detail::at<First, T>(rs) = static_cast<T>(sums.sum);
    kernel::run_row_block<First + 1, PhaseRow>(numbers, uniforms, rs);
    kernel::detail::at<First + 1 + kernel::size_of_block<PhaseRow>, T>(rs) = static_cast<T>(sums.squares_about(static_cast<double>(kernel::value<Pair::center>(rs))));
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
