// SPDX-License-Identifier: MIT
// The sum of a row and that of the squares of what differs from its mean, in one pass over memory instead of two.
#ifndef CROTON_DEVICE_CPU_SPREAD_HPP
#define CROTON_DEVICE_CPU_SPREAD_HPP

#include <croton/device/cpu/sweep.hpp>
#include <croton/device/cpu/threads.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

/// What is known of some numbers: how many they are, their sum, and the squares of what differs from their mean. That is kept as what is added to a
/// number near it: differences of means keep their digits.
struct alignas(64) spread_sums {
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

inline constexpr std::int64_t spread_block = 16384;  // elements that stay in a near cache while they are done again
/// A second pass over a shorter row is nothing beside what follows one pass; of more than `spread_near` elements in all rows are not all in a near cache.
inline constexpr std::int64_t spread_least = 4096, spread_least_far = 512, spread_near = 200'000;
inline constexpr int spread_wait = 15;

/// Where the mean of a row may be: where that of one before it was.
struct spread_guess {
    double mean = 0;
    int wait = 0;  // so many rows are taken in two passes, because the guess was wrong
    bool started = false, known = false;

    /// Whether a row of `n` elements is worth a try.
    bool tries(std::int64_t n) {
        if (n > spread_block) return true;
        if (wait > 0) {
            --wait;
            return false;
        }
        const bool first = !started;
        started = true;
        return !first || n >= spread_least;
    }
};
/// Whether one pass wins for `rows` rows of `n` elements.
inline bool wins_spread(std::int64_t rows, std::int64_t n) { return n >= spread_least || (n >= spread_least_far && rows * n > spread_near); }

/// The first of the phases of a row sums x, the second (x - c)^2 where c is a number of the row: then `phase` sums x - c and its square.
struct no_spread {
    static constexpr bool found = false;
};
template <class Op> constexpr bool is_named(std::string_view name) {
    if constexpr (requires { Op::name; }) return Op::name == name;
    else return false;
}
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
};
template <class... Phase> struct spread_of : no_spread {};
template <class E1, class F1, class R1, class E2, class F2, class R2, class... Rest>
struct spread_of<kernel::phase<E1, F1, R1>, kernel::phase<E2, F2, R2>, Rest...>
    : spread_phases<kernel::listed_t<E1>, kernel::listed_t<F1>, kernel::listed_t<E2>, kernel::listed_t<F2>> {};
/// Whether there are such two among some phases.
template <class... Phase> inline constexpr bool any_spread = false;
template <class Phase, class... Rest> inline constexpr bool any_spread<Phase, Rest...> = spread_of<Phase, Rest...>::found || any_spread<Rest...>;

/// `Loops` run the joint phase. What is not finite is left to the two phases: all of this is false then.
template <class Loops, int Slots, int Center, class T> struct spread_pass {
    /// `count` elements, of which the first is number `from`, about the mean that is guessed, and once more where that was not near: as exact as two passes.
    template <class Setup, class Rows>
    CROTON_INLINE static bool add(const Setup& s, std::byte* const* base, const std::int64_t* index, Rows& rs, std::int64_t from, std::int64_t count, T& guess, bool& near,
                                  spread_sums& to) {
        std::byte* p[bound<Slots>];
        for (int k = 0; k < Slots; ++k) p[k] = base[k] + from * s.inner.stride[k][0];
        spread_sums own;
        own.count = static_cast<double>(count);
        for (bool again = false;; again = true) {
            kernel::value<Center>(rs) = guess;
            typename Loops::state st;
            st.reset();
            Loops::one_run(p, from, count, {s.uniforms, rs, s.scalars, index, s.displacement}, st);
            const double sum = static_cast<double>(kernel::value<0>(st)), away = sum / own.count;
            own.squares = static_cast<double>(kernel::value<1>(st)) - away * sum;
            if (!std::isfinite(own.squares)) return false;
            own.origin = static_cast<double>(guess);
            own.mean = away;
            own.sum = sum + own.origin * own.count;
            const bool fits = away * away * own.count <= own.squares;
            guess = static_cast<T>(own.origin + away);
            if (!again) near = fits;
            if (fits || again) break;
        }
        own.squares = std::max(own.squares, 0.0);
        to.join(own);
        return true;
    }

    /// The elements `from` .. `end` of a row.
    template <class Setup, class Rows>
    [[gnu::noinline]] static bool run(const Setup& s, std::byte* const* base, const std::int64_t* index, const Rows& rs, std::int64_t from, std::int64_t end, T guess,
                                      spread_sums& to) {
        Rows mine = rs;
        bool near = true;
        for (; from < end; from += spread_block)
            if (!add(s, base, index, mine, from, std::min(spread_block, end - from), guess, near, to)) return false;
        return true;
    }

    /// A whole row, by `parts` threads; of no elements where this is not the way. A function of its own, so that the two phases keep what is in registers.
    template <class Setup, class Rows>
    [[gnu::noinline]] static spread_sums row(const Setup& s, std::byte* const* base, const std::int64_t* index, Rows rs, int parts, spread_guess& guess) {
        const std::int64_t n = s.inner.extent[0];
        spread_sums to;
        if (parts > 1) {
            bool finite[most_threads];
            spread_sums sums[most_threads];
            parallel(parts, [&](int part) {
                const std::int64_t blocks = (n + 63) / 64;
                finite[part] = run(s, base, index, rs, std::min(n, blocks * part / parts * 64), std::min(n, blocks * (part + 1) / parts * 64), T(0), sums[part]);
            });
            for (int part = 0; part < parts; ++part) {
                if (!finite[part]) return {};
                to.join(sums[part]);
            }
            return to;
        }
        if (n > spread_block) return run(s, base, index, rs, 0, n, T(0), to) ? to : spread_sums();
        T mean = static_cast<T>(guess.mean);
        bool near = true;
        if (!add(s, base, index, rs, 0, n, mean, near, to)) return {};
        // A row waits for the one before it only where the guess was wrong.
        if (!near) {
            if (guess.known) guess.wait = spread_wait;
            guess.mean = static_cast<double>(mean);
        }
        guess.known = true;
        return to;
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
