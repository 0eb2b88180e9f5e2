// SPDX-License-Identifier: MIT
// Values whose derivative is another than their own: stopped, scaled, clipped, or given by the program.
#ifndef CROTON_AUTODIFF_CUSTOM_HPP
#define CROTON_AUTODIFF_CUSTOM_HPP

#include <array>
#include <tuple>
#include <utility>

#include <croton/autodiff/vmap.hpp>
#include <croton/core/literals.hpp>
#include <croton/graph/structures.hpp>
#include <croton/ops/elementwise.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <traced X> constexpr auto valued_as(const X& x, int derivative) {
    return expr<number_in<X>, rank_of<X>>{x.graph, structure::stand_in::of(*x.graph, read_node(x), derivative)};
}

namespace structure {

/// The first argument; its cotangent is kept between the second and the third.
struct clipped_gradient {
    static constexpr std::string_view name = "grad_clip"sv;
    static constexpr placement place = placement::expands;

    template <class C> static constexpr void pull(C& c, int id) {
        const node n = c.g[id];
        c.add(n.in[0], c.g.apply(code<op::clip>, c.full(c.of[id], id), n.in[1], n.in[2]));
    }

    template <class B> static constexpr int batch(B& b, const node& n) {
        return of(b.g, b.whole(n.in[0]), b.behind(n.in[1], n.shape.rank), b.behind(n.in[2], n.shape.rank));
    }

    static constexpr int of(arena& g, int a, int low, int high) {
        node n = g.like(g.own_structure(structure_facts_of<clipped_gradient>), a);
        set_arguments(n, a, low, high);
        return g.intern(n);
    }
    static constexpr int again(arena& g, const node& n) { return of(g, n.in[0], n.in[1], n.in[2]); }
    static constexpr int expand(arena&, const node& n) { return n.in[0]; }
    static constexpr void describe(const arena& g, text_builder& out, const node& n) { g.describe(out, n.in[0]); }
};

/// The first argument, a `Y` for each of as many batches as it is deep; the cotangents of the others, which are `X`, are what a `Pull` makes of its own.
template <int Depth, class Pull, class Y, class... X> struct custom_gradient {
    static constexpr std::string_view name = "custom_gradient"sv;
    static constexpr placement place = placement::expands;
    static constexpr int deepest = 2;  // each depth is compiled

    template <class C> static constexpr void pull(C& c, int id) {
        const node n = c.g[id];
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            const auto parts = parts_of<Depth>(c.g, many<Depth, Y>{&c.g, c.full(c.of[id], id)}, many<Depth, Y>{&c.g, id}, many<Depth, X>{&c.g, n.in[I + 1]}...);
            (add(c, n.in[I + 1], std::get<I>(parts)), ...);
        }(std::make_index_sequence<sizeof...(X)>());
    }
    template <class B> requires (Depth < deepest) static constexpr int batch(B& b, const node& n) {
        node m = n;
        for (int& a : m.in)
            if (a >= 0) a = b.whole(a);
        m.what = b.g.own_structure(structure_facts_of<custom_gradient<Depth + 1, Pull, Y, X...>>);
        m.shape = b.with_axis(n.shape);
        return b.g.intern(m);
    }

    static constexpr int of(arena& g, int y, const X&... x) {
        node n = g.like(g.own_structure(structure_facts_of<custom_gradient>), y);
        int i = 1;
        ((n.in[i++] = read_node(x)), ...);
        return g.intern(n);
    }
    static constexpr int again(arena& g, const node& n) {
        node same = n;
        same.what = static_cast<std::uint8_t>(g.own_structure(structure_facts_of<custom_gradient>));
        return g.intern(same);
    }
    static constexpr int expand(arena&, const node& n) { return n.in[0]; }
    static constexpr void describe(const arena& g, text_builder& out, const node& n) { g.describe(out, n.in[0]); }

    template <class... P> static constexpr auto as_tuple(const std::tuple<P...>& parts) { return parts; }
    template <traced P> static constexpr auto as_tuple(const P& part) { return std::tuple(part); }

private:
    template <int Axes, class E> using many = expr<number_in<E>, rank_of<E> + Axes>;

    template <int Axes, class... E> static constexpr auto parts_of(arena& g, const many<Axes, Y>& c, const E&... e) {
        if constexpr (Axes == 0) {
            return as_tuple(Pull()(c, e...));
        } else {
            batching b(g, g[c.id].shape[0]);
            const std::tuple one{one_of(b, c), one_of(b, e)...};
            return for_each_of(b, std::apply([&](const auto&... each) { return parts_of<Axes - 1>(g, each...); }, one));
        }
    }
    template <class C, class P> static constexpr void add(C& c, int argument, const P& part) {
        if (c.wanted(argument)) c.add(argument, c.full(read_node(part), argument));
    }
};

}  // namespace structure

/// Whether these are cotangents for arguments `X...`: of as many, each of its rank.
template <class Parts, class... X> inline constexpr bool are_cotangents = false;
template <traced... P, class... X> requires (sizeof...(P) == sizeof...(X))
inline constexpr bool are_cotangents<std::tuple<P...>, X...> = ((rank_of<P> == rank_of<X>) && ...);

/// A number for all elements, or an expression of rank 0, as a node.
template <traced X, operand V> constexpr int scalar_node(const X& x, const V& v) {
    if constexpr (traced<V>) static_assert(rank_of<V> == 0, "croton: grad_scale and grad_clip take numbers, or expressions of rank 0");
    return argument_node<number_in<X>>(*x.graph, v);
}

}  // namespace detail

/// The value of `x`, which derivatives take for a constant: Theano's `disconnected_grad`, JAX's `stop_gradient`.
template <traced X> constexpr auto stop_gradient(const X& x) {
    return detail::valued_as(x, x.graph->literal((*x.graph)[detail::read_node(x)].type, 0));
}

/// The value of `x`, whose derivative counts `factor` times: Theano's `grad_scale`. With -1 it is the reversal of domain-adversarial training.
template <traced X, detail::operand F> constexpr auto grad_scale(const X& x, F factor) {
    const auto scaled = detail::as_number(x) * factor;
    return detail::valued_as(x, scaled.id);
}

/// The value of `x`, whose cotangents are kept between `low` and `high`, element by element: Theano's `grad_clip`.
template <traced X, detail::operand L, detail::operand H> constexpr auto grad_clip(const X& x, L low, H high) {
    return expr<detail::number_in<X>, detail::rank_of<X>>{
        x.graph, detail::structure::clipped_gradient::of(*x.graph, detail::read_node(x), detail::scalar_node(x, low), detail::scalar_node(x, high))};
}

/// The value `y`, whose derivative for `x...`, up to four expressions, is what the program says, and for nothing else: `pull(g, y, x...)` makes of the
/// cotangent g of y that of each x, one expression or a `std::tuple` of them. It is a lambda without captures. JAX's `custom_vjp`.
template <traced Y, class Pull, traced... X> constexpr auto custom_gradient(const Y& y, Pull, const X&... x) {
    constexpr bool fits = sizeof...(X) > 0 && sizeof...(X) < detail::max_arguments && std::is_empty_v<Pull> && std::is_default_constructible_v<Pull>;
    static_assert(fits, "croton: custom_gradient(y, pull, x...) takes a lambda without captures, and one to four expressions");
    using result = expr<detail::number_in<Y>, detail::rank_of<Y>>;
    if constexpr (!fits) {
        y.graph->stopped = true;
        return detail::as_number(y);
    } else if constexpr (!std::is_invocable_v<Pull, result, result, expr<detail::number_in<X>, detail::rank_of<X>>...>) {
        static_assert(!fits, "croton: the pull of custom_gradient(y, pull, x...) takes the cotangent of y, y, and every x, as in [](auto g, auto y, auto x) { return g * x; }");
        y.graph->stopped = true;
        return detail::as_number(y);
    } else {
        using custom = detail::structure::custom_gradient<0, Pull, result, expr<detail::number_in<X>, detail::rank_of<X>>...>;
        using parts = decltype(custom::as_tuple(Pull()(result(), result(), expr<detail::number_in<X>, detail::rank_of<X>>()...)));
        constexpr bool pulls = detail::are_cotangents<parts, X...>;
        static_assert(pulls, "croton: the pull of custom_gradient returns a cotangent for each of its arguments, of its rank");
        if constexpr (!pulls) y.graph->stopped = true;
        else return result{y.graph, custom::of(*y.graph, detail::read_node(y), {x.graph, detail::read_node(x)}...)};
        return detail::as_number(y);
    }
}

}  // namespace croton::inline v0_1

#endif
