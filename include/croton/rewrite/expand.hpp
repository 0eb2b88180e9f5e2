// SPDX-License-Identifier: MIT
// What is one node for the rules becomes the loops it stands for: softmax and its family in rows with the maximum taken off.
#ifndef CROTON_REWRITE_EXPAND_HPP
#define CROTON_REWRITE_EXPAND_HPP

#include <limits>

#include <croton/rewrite/sweep.hpp>

namespace croton::inline v0_1::detail {

/// softmax(x) = e^(x-m) / s, log_softmax(x) = x - m - log s, logsumexp(x) = m + log s with m = max(x), s = sum(e^(x-m)):
/// nodes of the same x share m and s.
constexpr int expand_row(arena& g, const node& n) {
    const int x = n.in[0];
    const unsigned axes = static_cast<unsigned>(n.bits);
    int m = g.reduce(reduction_code<reduction::max>, axes, x);
    // An infinite maximum is not taken off: inf - inf would be NaN where the answer is infinite, or 0 beside an infinity.
    const double largest = n.type == element::float64 ? std::numeric_limits<double>::max() : static_cast<double>(std::numeric_limits<float>::max());
    m = g.apply(code<op::clip>, m, g.literal(n.type, -largest), g.literal(n.type, largest));
    const int shifted = g.apply(code<op::subtract>, x, m);
    const int e = g.apply(code<op::exp>, shifted);
    const int s = g.reduce(reduction_code<reduction::sum>, axes, e);
    if (n.what == kind::softmax) return g.apply(code<op::multiply>, e, g.apply(code<op::divide>, g.literal(n.type, 1), s));
    const int log_s = g.apply(code<op::log>, s);
    return n.what == kind::log_softmax ? g.apply(code<op::subtract>, shifted, log_s) : g.apply(code<op::add>, m, log_s);
}

constexpr void expand(arena& g, vec<int>& roots) {
    const int count = g.nodes.size();
    const liveness live(g, roots);
    vec<int> map(count, -1);
    for (int id = 0; id < count; ++id) {
        if (live.uses[id] == 0) continue;
        const node n = with_arguments(g, id, map);
        const bool row = n.what == kind::softmax || n.what == kind::log_softmax || n.what == kind::logsumexp;
        map[id] = row ? expand_row(g, n) : n.what == kind::input ? id : rebuild(g, n);
        if (g[id].name >= 0 && g[map[id]].name < 0) g.nodes[map[id]].name = g[id].name;
    }
    g.deriving = false;
    for (int i = 0; i < roots.size(); ++i) roots[i] = map[roots[i]];
}

}  // namespace croton::inline v0_1::detail

#endif
