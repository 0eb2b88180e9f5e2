// SPDX-License-Identifier: MIT
// The largest elements and the means of windows of images. Their derivatives are sums over the windows that an element is in, and linear.
#ifndef CROTON_GRAPH_STRUCTURE_POOLING_HPP
#define CROTON_GRAPH_STRUCTURE_POOLING_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/structures.hpp>
#include <croton/kernel/routine/pooling.hpp>

namespace croton::inline v0_1::detail::structure {

/// A shape whose axes from `first` on, so many of them, are one.
constexpr detail::shape one_axis(arena& g, const detail::shape& of, int first, int axes) {
    detail::shape to = of;
    to.rank -= axes - 1;
    for (int i = 1; i < axes; ++i) to[first] = g.product(to[first], of[first + i]);
    for (int i = first + 1; i < to.rank; ++i) to[i] = of[i + axes - 1];
    return to;
}

/// `S`: the structure; `Routine`: what computes it. Attributes are those of `kernel::windows` with a kernel, which stay the same for all derivatives.
template <class S, class Routine> struct pooling_structure {
    static constexpr std::string_view name = Routine::name;
    static constexpr placement place = placement::call;
    template <class N> static constexpr const kernel::routine_facts* routine(const N&) { return &kernel::routine_of<Routine>::facts; }

    /// Of `a`, and of `b` where the routine has two arguments.
    template <class G> static constexpr int of(G& g, element type, int a, int b, std::int64_t attributes, const detail::shape& to) {
        node n = g.like(g.own_structure(structure_facts_of<S>), a);
        if constexpr (Routine::arguments == 2) set_arguments(n, a, b);
        n.type = type;
        n.shape = to;
        n.bits = kernel::along_axis(to.rank - 1, attributes);
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, n.type, n.in[0], n.in[1], kernel::attributes_of(n.bits), n.shape); }

    /// Images of batches are images.
    template <class B> static constexpr int batch(B& b, const node& n) {
        arena& g = b.g;
        const auto joined = [&](int id) {
            const int whole = b.whole(id);
            return reshape::of(g, whole, one_axis(g, g[whole].shape, 0, 2));
        };
        detail::shape all = n.shape, apart;
        all[0] = g.product(b.count, n.shape[0]);
        apart.rank = n.shape.rank + 1;
        apart[0] = b.count;
        for (int i = 0; i < n.shape.rank; ++i) apart[i + 1] = n.shape[i];
        const int first = joined(n.in[0]), second = Routine::arguments == 2 ? joined(n.in[1]) : -1;
        return reshape::of(g, of(g, n.type, first, second, kernel::attributes_of(n.bits), all), apart);
    }
};

struct window_max_place : pooling_structure<window_max_place, kernel::window_max_place> {
    static constexpr std::string_view no_derivative = "places are whole numbers"sv;
};

struct window_max_input : pooling_structure<window_max_input, kernel::window_max_input> {
    /// What the largest elements are multiplied with. Which ones they are has no derivative.
    template <class C> static constexpr void pull(C& c, int id) {
        auto& g = c.g;
        const node n = g[id];
        if (!c.wanted(n.in[1])) return;
        const std::int64_t attributes = kernel::attributes_of(n.bits);
        const detail::shape to = g[n.in[1]].shape;
        const bool last = (attributes & kernel::window_max::channels_last) != 0;
        const int first = last ? 1 : 2, axes = n.shape.rank - 2;
        const int place = window_max_place::of(g, element::int64, n.in[0], -1, attributes, to), given = c.full(c.of[id], id);
        const auto flat = [&](int a) { return reshape::of(g, a, one_axis(g, g[a].shape, first, axes)); };
        c.add(n.in[1], reshape::of(g, gather::of(g, flat(given), flat(place), first, true), to));
    }
};

struct window_max : pooling_structure<window_max, kernel::window_max> {
    template <class C> static constexpr void pull(C& c, int id) {
        const node n = c.g[id];
        if (c.wanted(n.in[0])) c.add(n.in[0], window_max_input::of(c.g, n.type, n.in[0], c.full(c.of[id], id), kernel::attributes_of(n.bits), c.g[n.in[0]].shape));
    }
};

template <class G> constexpr int window_mean_of(G& g, int a, std::int64_t attributes, const detail::shape& to);

struct window_mean_input : pooling_structure<window_mean_input, kernel::window_mean_input> {
    template <class C> static constexpr void pull(C& c, int id) {
        const node n = c.g[id];
        if (c.wanted(n.in[0])) c.add(n.in[0], window_mean_of(c.g, c.full(c.of[id], id), kernel::attributes_of(n.bits), c.g[n.in[0]].shape));
    }
};

struct window_mean : pooling_structure<window_mean, kernel::window_mean> {
    template <class C> static constexpr void pull(C& c, int id) {
        const node n = c.g[id];
        if (c.wanted(n.in[0])) c.add(n.in[0], window_mean_input::of(c.g, n.type, c.full(c.of[id], id), -1, kernel::attributes_of(n.bits), c.g[n.in[0]].shape));
    }
};

template <class G> constexpr int window_mean_of(G& g, int a, std::int64_t attributes, const detail::shape& to) { return window_mean::of(g, g[a].type, a, -1, attributes, to); }

}  // namespace croton::inline v0_1::detail::structure

#endif
