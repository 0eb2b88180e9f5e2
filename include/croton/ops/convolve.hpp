// SPDX-License-Identifier: MIT
// Convolutions and correlations of vectors.
#ifndef CROTON_OPS_CONVOLVE_HPP
#define CROTON_OPS_CONVOLVE_HPP

#include <croton/ops/convolution.hpp>
#include <croton/ops/join.hpp>

namespace croton::inline v0_1 {

/// Which sums `convolve` and `correlate` give, of vectors of m and n elements: `full` all m + n - 1, also where they meet in one element only; `same` the max(m, n) in the middle of those; `valid`
/// those where one lies wholly within the other.
enum class convolve_mode { full, same, valid };

namespace detail {

template <convolve_mode Mode, bool Turned, traced A, traced V> constexpr auto slid_along(const A& a, const V& v) {
    constexpr bool fits = rank_of<A> == 1 && rank_of<V> == 1;
    static_assert(fits, "croton: convolve and correlate take two vectors; conv1d takes batches of them with channels");
    if constexpr (!fits) {
        a.graph->stopped = true;
        return as_number(a);
    } else {
        arena& g = *a.graph;
        const size_ref m = g.find(g[a.id].shape[0]), n = g.find(g[v.id].shape[0]), least = g.minimum(m, n), most = g.difference(g.sum(m, n), least);
        // It is the kernel that should be short; the other way round the sums come in the other order.
        const bool swaps = m >= 0 && n > m;
        const auto image = newaxis<0, 1>(as_number(a)), kernel = newaxis<0, 1>(as_number(v));
        const auto all = without_axes<0, 1>(conv1d(swaps ? kernel : image, swaps ? image : kernel, {.padding = "full", .flip = Turned}));
        const auto ordered = !Turned && swaps ? expr<number_in<A>, 1>{&g, run_of(g, all.id, 0, g.difference(g.sum(m, n), 2), g.difference(g.sum(m, n), 1), -1)} : all;
        if constexpr (Mode == convolve_mode::full) return ordered;
        // A correlation with the longer one is the mirrored one of the others, and so is its middle.
        const size_ref middle = Turned ? least : g.sum(least, g.minimum(g.difference(n, m), 1));
        const bool same = Mode == convolve_mode::same;
        return expr<number_in<A>, 1>{&g, run_of(g, ordered.id, 0, g.difference(same ? g.rounded_up(middle, 2) : least, 1), same ? most : g.difference(g.sum(most, 1), least))};
    }
}

}  // namespace detail

/// The sums of a_i v_(k - i), for each k: NumPy's `convolve(a, v, mode)`, all of them where no mode is named, as in `convolve<convolve_mode::same>(a, v)`. An empty vector is an error while compiling, or a
/// `shape_error` where only the call knows it. The second vector is best the shorter one.
template <convolve_mode Mode = convolve_mode::full, traced A, traced V> constexpr auto convolve(const A& a, const V& v) { return detail::slid_along<Mode, true>(a, v); }

/// The sums of a_(i + k) v_i, for each k: NumPy's `correlate(a, v, mode)`, those where one lies within the other where no mode is named. Otherwise as `convolve`.
template <convolve_mode Mode = convolve_mode::valid, traced A, traced V> constexpr auto correlate(const A& a, const V& v) { return detail::slid_along<Mode, false>(a, v); }

}  // namespace croton::inline v0_1

#endif
