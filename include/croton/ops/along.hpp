// SPDX-License-Identifier: MIT
// Functions along one axis whose result has that axis still: cumulative sums and their kin.
#ifndef CROTON_OPS_ALONG_HPP
#define CROTON_OPS_ALONG_HPP

#include <croton/graph/structure/cumulate.hpp>
#include <croton/ops/reduce.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// The one axis that is named, from the front; that of a vector need not be.
template <class X, int... Axis> constexpr int axis_along(const X& x) {
    constexpr int rank = rank_of<X>;
    static_assert(sizeof...(Axis) == 1 || (sizeof...(Axis) == 0 && rank == 1),
                  "croton: a function along an axis names one, as in cumsum<0>(x); only that of a vector need not be named");
    if constexpr (sizeof...(Axis) == 0 && rank == 1) {
        return 0;
    } else if constexpr (sizeof...(Axis) != 1) {
        x.graph->stopped = true;
        return 0;
    } else {
        if constexpr (!axes_fit<rank, Axis...>) x.graph->stopped = true;
        const unsigned mask = checked_mask<rank, Axis...>();
        int axis = 0;
        while (axis < rank && (mask >> axis & 1u) == 0) ++axis;
        return axis < rank ? axis : 0;
    }
}

template <class X> constexpr void check_floating(const X& x) {
    static_assert(std::is_floating_point_v<number_in<X>>, "croton: logcumsumexp takes float or double; convert with cast<float>(x)");
    if constexpr (!std::is_floating_point_v<number_in<X>>) x.graph->stopped = true;
}

template <class X> using cumulated_in = std::conditional_t<std::is_integral_v<element_in<X>>, std::int64_t, number_in<X>>;

template <class Rule, int... Axis, traced X> constexpr auto cumulated(const X& x) {
    const int axis = axis_along<X, Axis...>(x);
    using cumulate = detail::structure::cumulate;
    return expr<cumulated_in<X>, rank_of<X>>{x.graph, cumulate::of(*x.graph, cumulate::rule<Rule>, axis, 0, read_node(x))};
}

}  // namespace detail

/// The sums of the elements up to each along an axis: NumPy's `cumsum`. The result has the shape of `x`. Bools and integers are summed as int64; floats
/// one after the other, in their own type.
template <int... Axis, traced X> constexpr auto cumsum(const X& x) { return detail::cumulated<kernel::cumulated::sum, Axis...>(x); }

/// The products of the elements up to each along an axis: NumPy's `cumprod`. Its gradient needs no division: elements that are 0 have theirs.
template <int... Axis, traced X> constexpr auto cumprod(const X& x) { return detail::cumulated<kernel::cumulated::product, Axis...>(x); }

/// log(e^x_0 + ... + e^x_k) along an axis, which overflows only where the result does: PyTorch's `logcumsumexp`.
template <int... Axis, traced X> constexpr auto logcumsumexp(const X& x) {
    detail::check_floating(x);
    return detail::cumulated<kernel::cumulated::log_sum, Axis...>(x);
}

}  // namespace croton::inline v0_1

#endif
