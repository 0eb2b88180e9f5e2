// SPDX-License-Identifier: MIT
// Softmax and its family, and the losses.
#ifndef CROTON_OPS_NN_HPP
#define CROTON_OPS_NN_HPP

#include <limits>

#include <croton/ops/linalg.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class Row, int... Axes, traced X> constexpr auto along_axes(const X& x) {
    static_assert(std::is_floating_point_v<number_in<X>>, "croton: softmax and its family take float or double; convert with cast<float>(x)");
    constexpr unsigned mask = checked_mask<rank_of<X>, Axes...>();
    if constexpr (!std::is_floating_point_v<number_in<X>> || !axes_fit<rank_of<X>, Axes...>) x.graph->stopped = true;
    return expr<number_in<X>, rank_of<X>>{x.graph, Row::of(*x.graph, mask, read_node(x))};
}

}  // namespace detail

/// e^x / sum(e^x) over the axes (the last one unless named), without overflow.
template <int... Axes, traced X> constexpr auto softmax(const X& x) {
    if constexpr (sizeof...(Axes) == 0) return detail::along_axes<detail::structure::softmax, -1>(x);
    else return detail::along_axes<detail::structure::softmax, Axes...>(x);
}

/// x - log(sum(e^x)) over the axes (the last one unless named), without overflow.
template <int... Axes, traced X> constexpr auto log_softmax(const X& x) {
    if constexpr (sizeof...(Axes) == 0) return detail::along_axes<detail::structure::log_softmax, -1>(x);
    else return detail::along_axes<detail::structure::log_softmax, Axes...>(x);
}

/// log(sum(e^x)) over the axes, or over all, without overflow. Of an empty axis it is minus infinity.
template <int... Axes, traced X> constexpr auto logsumexp(const X& x, keepdims_t) {
    return detail::along_axes<detail::structure::logsumexp, Axes...>(x);
}
template <int... Axes, traced X> constexpr auto logsumexp(const X& x) {
    return detail::without_axes<Axes...>(logsumexp<Axes...>(x, keepdims));
}

/// 1 where the label is the class's number, else 0, as bool: [n] -> [n, Classes].
template <extent_code Classes, traced L> constexpr auto one_hot(const L& label) {
    using I = detail::element_in<L>;
    static_assert(std::is_integral_v<I> && !std::is_same_v<I, bool>, "croton: the labels of one_hot are class numbers, of an integer type");
    static_assert(Classes >= 0, "croton: one_hot needs the number of classes, as in one_hot<10>(label)");
    if constexpr (!std::is_integral_v<I> || std::is_same_v<I, bool> || Classes < 0) label.graph->stopped = true;
    const expr<I, 1> classes{label.graph, detail::structure::arange::of(*label.graph, element_of<I>, Classes < 0 ? 1 : Classes)};
    return newaxis<-1>(label) == classes;
}

/// Minus the log-probability that softmax of the logits gives the label, for each sample: [n,c] x [n] -> [n] (any number
/// of leading axes). Labels are class numbers 0 to c - 1: another number in an argument is a `value_error` before anything
/// runs, or, where the labels lie on a GPU, when the host next waits for it; in a computed label it gives NaN.
template <traced X, traced L> constexpr auto cross_entropy(const X& logits, const L& label) {
    using T = detail::number_in<X>;
    using I = detail::element_in<L>;
    static_assert(std::is_integral_v<I> && !std::is_same_v<I, bool>, "croton: the labels of cross_entropy are class numbers, of an integer type");
    static_assert(detail::rank_of<X> == detail::rank_of<L> + 1, "croton: cross_entropy takes logits with one axis more than the labels: [n,c] and [n]");
    if constexpr (!std::is_integral_v<I> || std::is_same_v<I, bool> || detail::rank_of<X> != detail::rank_of<L> + 1) {
        logits.graph->stopped = true;
        return expr<T, detail::rank_of<L>>{logits.graph, logits.id};
    } else {
        detail::arena& g = *logits.graph;
        const detail::size_ref count = g[logits.id].shape[detail::rank_of<X> - 1];
        const expr<I, 1> classes{logits.graph, detail::structure::arange::of(g, element_of<I>, count)};
        const auto picked = where(newaxis<-1>(label) == classes, log_softmax(logits), T(0));
        const auto loss = -sum<-1>(picked);
        if (const int all = detail::whole_of(g, label.id); g[all].what == detail::tag<detail::structure::input>) {
            g.bounds.push({static_cast<int>(g[all].bits), count});
            return loss;
        }
        const expr<I, 0> end{logits.graph, g.size(element_of<I>, count)};
        return decltype(loss)(where((label >= I(0)) & (label < end), loss, std::numeric_limits<T>::quiet_NaN()));
    }
}

/// -y log p - (1 - y) log(1 - p), for each element; 0 where p = y is 0 or 1. Where p is a sigmoid the stable form is found.
template <traced P, traced Y> constexpr auto binary_cross_entropy(const P& p, const Y& y) {
    return -xlogy(y, p) - xlog1py(1 - y, -p);
}

/// binary_cross_entropy(sigmoid(x), y) as softplus(x) - x y, for each element.
template <traced X, traced Y> constexpr auto binary_cross_entropy_with_logits(const X& x, const Y& y) {
    return softplus(x) - y * x;
}

}  // namespace croton::inline v0_1

#endif
