// SPDX-License-Identifier: MIT
// Attention: what is looked up by likeness.
#ifndef CROTON_OPS_ATTENTION_HPP
#define CROTON_OPS_ATTENTION_HPP

#include <limits>

#include <croton/ops/filled.hpp>
#include <croton/ops/functions.hpp>
#include <croton/ops/nn.hpp>

namespace croton::inline v0_1 {

struct attention_options {
    bool causal = false;
};

namespace detail {

template <traced Q, traced K, traced V> constexpr bool check_attention() {
    constexpr bool numbers = std::is_floating_point_v<number_in<Q>>;
    constexpr bool axes = rank_of<Q> >= 2 && rank_of<K> >= 2 && rank_of<V> >= 2;
    static_assert(numbers, "croton: attention takes float or double; convert with cast<float>(x)");
    static_assert(axes, "croton: attention takes arrays of two axes or more: asked [t,d], keys [s,d] and values [s,e]");
    return numbers && axes;
}

/// How well each of what is asked fits each of the keys.
template <traced Q, traced K> constexpr auto likeness(const Q& asked, const K& keys) {
    using T = number_in<Q>;
    arena& g = *asked.graph;
    const expr<T, 0> width{&g, g.size(element_of<T>, g[asked.id].shape[rank_of<Q> - 1])};
    return matmul(as_number(asked), swapaxes<-1, -2>(as_number(keys))) * rsqrt(width);
}

}  // namespace detail

/// softmax(asked keys^T / sqrt(d)) values: [...,t,d], [...,s,d] and [...,s,e] -> [...,t,e]. What stands before the last two axes is repeated as `matmul`
/// does it. With `causal` what is asked i-th sees the first i + 1 keys only. (Vaswani et al., Attention is all you need, 2017; PyTorch's
/// `scaled_dot_product_attention`.)
template <traced Q, traced K, traced V> constexpr auto attention(const Q& asked, const K& keys, const V& values, const attention_options& options = {}) {
    if constexpr (!detail::check_attention<Q, K, V>()) {
        asked.graph->stopped = true;
        return detail::as_number(asked);
    } else {
        using T = detail::number_in<Q>;
        const auto fits = detail::likeness(asked, keys);
        constexpr int rank = detail::rank_of<decltype(fits)>;
        const auto seen = [&] {
            if (!options.causal) return fits;
            detail::arena& g = *asked.graph;
            const auto shape = g[fits.id].shape;
            const auto places = [&](int axis) { return expr<std::int64_t, 1>{&g, detail::structure::arange::of(g, element_of<std::int64_t>, shape[axis])}; };
            return decltype(fits)(where(places(rank - 1) <= newaxis<1>(places(rank - 2)), fits, -std::numeric_limits<T>::infinity()));
        }();
        return matmul(softmax(seen), detail::as_number(values));
    }
}
/// The same where what is asked sees the keys at which the mask, [...,t,s] of bool, is true. What sees none of them is NaN.
template <traced Q, traced K, traced V, traced M> constexpr auto attention(const Q& asked, const K& keys, const V& values, const M& mask) {
    constexpr bool truths = std::is_same_v<detail::element_in<M>, bool>;
    static_assert(truths, "croton: the mask of attention holds bools, true where a key is seen; compare first, as in mask > 0");
    if constexpr (!detail::check_attention<Q, K, V>() || !truths) {
        asked.graph->stopped = true;
        return detail::as_number(asked);
    } else {
        using T = detail::number_in<Q>;
        return matmul(softmax(where(mask, detail::likeness(asked, keys), -std::numeric_limits<T>::infinity())), detail::as_number(values));
    }
}

}  // namespace croton::inline v0_1

#endif
