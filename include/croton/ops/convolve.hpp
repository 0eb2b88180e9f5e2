// SPDX-License-Identifier: MIT
// Convolutions and correlations of vectors.
#ifndef CROTON_OPS_CONVOLVE_HPP
#define CROTON_OPS_CONVOLVE_HPP

#include <croton/ops/convolution.hpp>
#include <croton/ops/part.hpp>

namespace croton::inline v0_1 {

/// Which sums `convolve` and `correlate` give, of vectors of m and n elements: `full` all m + n - 1, also where they meet in one element only; `same` the max(m, n) in the middle of those; `valid`
/// those where one lies wholly within the other.
enum class convolve_mode { full, same, valid };

namespace detail {

/// The sums of a_i w_(k - i). The longer vector is the image over which the shorter one moves; where only the call knows which that is, each is put together of both.
template <convolve_mode Mode, bool Turned> constexpr auto slid(const auto& a, const auto& w) {
    using vector = std::remove_cvref_t<decltype(a)>;
    arena& g = *a.graph;
    const size_ref m = g[a.id].shape[0], n = g[w.id].shape[0];
    if (!g.demand(a.id, 0, m, 1, 1, demanded::window) || !g.demand(w.id, 0, n, 1, 1, demanded::window)) return a;
    const size_ref least = g.minimum(m, n), most = g.sum(m, g.difference(n, m));
    const auto front = [&](const auto& x) { return vector{&g, run_of(g, x.id, 0, 0, least)}; };
    const auto rest = [&](const auto& x, size_ref length) { return vector{&g, run_of(g, x.id, 0, least, g.difference(length, least))}; };
    const expr<bool, 0> swaps = expr<std::int64_t, 0>{&g, g.size(element::int64, m)} < expr<std::int64_t, 0>{&g, g.size(element::int64, n)};
    const auto image = concatenate(where(swaps, front(w), front(a)), rest(a, m), rest(w, n)), kernel = where(swaps, front(a), front(w));
    const auto all = without_axes<0, 1>(conv1d(newaxis<0, 1>(image), newaxis<0, 1>(kernel), {.padding = "full", .flip = true}));
    if constexpr (Mode == convolve_mode::full) return all;
    // NumPy mirrors a correlation with the longer one, and so its middle.
    const size_ref middle = Turned ? g.sum(least, g.minimum(g.difference(n, m), 1)) : least, reach = g.difference(least, 1);
    const bool same = Mode == convolve_mode::same;
    return vector{&g, run_of(g, all.id, 0, same ? g.difference(g.rounded_up(middle, 2), 1) : reach, same ? most : g.difference(most, reach))};
}

template <convolve_mode Mode, bool Turned, traced A, traced V> constexpr auto slid_along(const A& a, const V& v) {
    constexpr bool ranks = rank_of<A> == 1 && rank_of<V> == 1, numbers = std::is_same_v<number_in<A>, number_in<V>> && !std::is_same_v<number_in<A>, bool>;
    static_assert(ranks, "croton: convolve and correlate take two vectors; conv1d takes batches of them with channels");
    static_assert(numbers, "croton: convolve and correlate take numbers of one element type; convert one side with cast<T>(x)");
    if constexpr (!ranks || !numbers) {
        a.graph->stopped = true;
        return as_number(a);
    } else if constexpr (Turned) {
        return slid<Mode, true>(as_number(a), flip(as_number(v)));
    } else {
        return slid<Mode, false>(as_number(a), as_number(v));
    }
}

}  // namespace detail

/// The sums of a_i v_(k - i), for each k: NumPy's `convolve(a, v, mode)`, all of them where no mode is named, as in `convolve<convolve_mode::same>(a, v)`. An empty vector is an error while compiling, or a
/// `shape_error` where only the call knows it.
template <convolve_mode Mode = convolve_mode::full, traced A, traced V> constexpr auto convolve(const A& a, const V& v) { return detail::slid_along<Mode, false>(a, v); }

/// The sums of a_(i + k) v_i, for each k: NumPy's `correlate(a, v, mode)`, those where one lies within the other where no mode is named. Otherwise as `convolve`.
template <convolve_mode Mode = convolve_mode::valid, traced A, traced V> constexpr auto correlate(const A& a, const V& v) { return detail::slid_along<Mode, true>(a, v); }

}  // namespace croton::inline v0_1

#endif
