// SPDX-License-Identifier: MIT
// Derivatives of more than one number: products with the Jacobian from either side, and the Jacobian itself.
#ifndef CROTON_AUTODIFF_DIRECTIONAL_HPP
#define CROTON_AUTODIFF_DIRECTIONAL_HPP

#include <cstddef>
#include <tuple>
#include <utility>

#include <croton/autodiff/custom.hpp>
#include <croton/autodiff/grad.hpp>
#include <croton/autodiff/vmap.hpp>
#include <croton/ops/filled.hpp>
#include <croton/ops/refused.hpp>
#include <croton/ops/shape.hpp>

namespace croton::inline v0_1 {

/// The cost and its derivatives as `grad` gives them: `auto [c, g] = value_and_grad(cost, w)`.
template <traced C, detail::no_bare_number... W> constexpr auto value_and_grad(const C& cost, const W&... wrt) {
    return std::tuple{detail::as_number(cost), grad(cost, wrt...)};
}

namespace detail {

template <class T> inline constexpr int tuple_length = -1;
template <class... T> inline constexpr int tuple_length<std::tuple<T...>> = static_cast<int>(sizeof...(T));

/// `grad` for a tuple is the tuple of derivatives.
template <class C, class X> constexpr auto grad_in_structure(const C& cost, const X& x) {
    if constexpr (tuple_length<X> == 1) return std::tuple(grad(cost, std::get<0>(x)));
    else if constexpr (tuple_length<X> > 1) return std::apply([&](const auto&... w) { return grad(cost, w...); }, x);
    else return grad(cost, x);
}

/// Sums the products of two expressions, of two models of one structure, or of tuples of these, which are the same for derivatives of the first only.
template <class A, class B> constexpr auto sum_of_products(const A& a, const B& b) {
    if constexpr (tuple_length<A> > 0) {
        constexpr bool fits = tuple_length<A> == tuple_length<B>;
        static_assert(fits, "croton: the vector has the structure of what it is multiplied with");
        if constexpr (fits) return [&]<std::size_t... I>(std::index_sequence<I...>) { return (... + sum_of_products(std::get<I>(a), std::get<I>(b))); }(std::make_index_sequence<tuple_length<A>>());
        else return sum_of_products(std::get<0>(a), std::get<0>(a));
    } else if constexpr (traced<A>) {
        static_assert(traced<B>, "croton: the vector has the structure of what it is multiplied with");
        static_assert(rank_of<A> == rank_of<B>, "croton: the vector has as many axes as what it is multiplied with");
        return sum(a * stop_gradient(b));
    } else {
        static_assert(std::is_same_v<symbol_of<A>, symbol_of<B>>, "croton: the vector has the structure of what it is multiplied with");
        expr<number_in<leaf_t<symbol_of<A>, 0>>, 0> total;
        for_each_leaf2(static_cast<const symbol_of<A>&>(a), static_cast<const symbol_of<B>&>(b), [&](const auto& x, const auto& v) {
            const auto part = sum(x * stop_gradient(v));
            total = total.graph == nullptr ? part : total + part;
        });
        return total;
    }
}

/// Something of the shape of `y` in which expressions are linear, and which is gone when they are differentiated for it.
template <traced Y> constexpr auto placeholder(const Y& y) {
    arena& g = *y.graph;
    const int zeros = structure::broadcast::of(g, g.literal(element_of<number_in<Y>>, 0), g[y.id].shape);
    return expr<number_in<Y>, rank_of<Y>>{&g, structure::stand_in::of(g, zeros, zeros)};
}

}  // namespace detail

/// The product of a vector in the shape of `y` with the Jacobian of `y` for `x`, in the shape or structure of `x`: the derivative of sum(y v) for constant v.
/// `x` is what `grad` takes, or a tuple of such for several, which gives a tuple.
template <traced Y, detail::no_bare_number X, traced V> constexpr auto vjp(const Y& y, const X& x, const V& v) {
    return detail::grad_in_structure(detail::sum_of_products(detail::as_number(y), v), x);
}

/// The product of the Jacobian of `y` for `x` with a vector in the shape or structure of `x`, in the shape of `y`: the derivative of `y` when `x` moves along
/// `v`, Theano's `Rop`. It is forward mode: what `vjp` makes is linear in its vector, and the derivative of that goes forward through the graph.
template <traced Y, detail::no_bare_number X, detail::no_bare_number V> constexpr auto jvp(const Y& y, const X& x, const V& v) {
    const auto u = detail::placeholder(y);
    return grad(detail::sum_of_products(detail::grad_in_structure(sum(detail::as_number(y) * u), x), v), u);
}

/// The product of the Hessian of a cost for `x` with a vector in the shape or structure of `x`: one derivative of a derivative, and no matrix.
template <traced C, detail::no_bare_number X, detail::no_bare_number V> constexpr auto hvp(const C& cost, const X& x, const V& v) {
    return detail::grad_in_structure(detail::sum_of_products(detail::grad_in_structure(cost, x), v), x);
}

namespace detail {

/// The number of elements.
constexpr size_ref elements_of(arena& g, int x) {
    size_ref n = 1;
    for (int i = 0; i < g[x].shape.rank; ++i) n = g.product(n, g[x].shape[i]);
    return g.find(n);
}

/// For each element of `x`, in row-major order, an array of the shape of `x` with 1 there and 0 elsewhere.
template <traced X> constexpr auto units_of(const X& x) {
    constexpr int rank = rank_of<X> + 1;
    arena& g = *x.graph;
    const detail::shape of = g[x.id].shape;
    size_ref stride = 1;
    int place = g.literal(element::int64, 0);
    for (int i = rank - 1; i-- > 0; stride = g.product(stride, of[i])) {
        const int along = g.apply(code<op::multiply>, index_along(g, element::int64, of[i], i + 1, rank), g.size(element::int64, stride));
        place = g.apply(code<op::add>, along, place);
    }
    const int hit = g.apply(code<op::equal>, place, index_along(g, element::int64, g.find(stride), 0, rank));
    const element type = element_of<number_in<X>>;
    return expr<number_in<X>, rank>{&g, g.apply(code<op::where>, hit, g.literal(type, 1), g.literal(type, 0))};
}

/// Whether fewer directions lead from `x` than cotangents from `y`; what only the call knows counts as many.
constexpr bool goes_forward(arena& g, int y, int x) {
    const size_ref columns = elements_of(g, x), rows = elements_of(g, y);
    if (columns < 0 && rows < 0) return g[x].shape.rank < g[y].shape.rank;
    return columns >= 0 && (rows < 0 || columns < rows);
}

/// What there are derivatives of every element for: an expression, a parameter, or a model of them.
template <class X>
concept has_jacobian = traced<X> || model<symbol_of<X>>;

}  // namespace detail

/// The derivative of every element of `y` for every element of `x`, an expression or a parameter: [y..., x...]. It goes forward, for all elements of `x`
/// at once, or backward, for all of `y`, whichever are fewer. Arrays between `x` and `y` are as many times larger meanwhile, and have at most 7 axes.
template <traced Y, traced X> constexpr auto jacobian(const Y& y, const X& x) {
    constexpr int of_y = detail::rank_of<Y>, of_x = detail::rank_of<X>, rank = of_y + of_x;
    static_assert(rank <= max_rank, "croton: the rank of an expression is 0 to 8");
    detail::arena& g = *y.graph;
    if constexpr (rank > max_rank) {
        g.stopped = true;
        return detail::as_number(y);
    } else if constexpr (of_y == 0) {
        return grad(y, x);
    } else if constexpr (of_x == 0) {
        return jvp(y, x, ones_like(x));
    } else {
        const int all = detail::goes_forward(g, y.id, x.id)
                            ? moveaxis<0, -1>(vmap([&](const auto& direction) { return jvp(y, x, direction); }, detail::units_of(x))).id
                            : vmap([&](const auto& cotangent) { return vjp(y, x, cotangent); }, detail::units_of(y)).id;
        detail::shape to;
        for (int i = 0; i < of_y; ++i) to[to.rank++] = g[y.id].shape[i];
        for (int i = 0; i < of_x; ++i) to[to.rank++] = g[x.id].shape[i];
        return expr<detail::number_in<Y>, rank>{&g, detail::structure::reshape::of(g, all, to)};
    }
}

/// For a model: a model of its structure, each array with the axes of `y` in front, all by one walk backward.
template <traced Y, class M> requires detail::model<detail::symbol_of<M>>
constexpr auto jacobian(const Y& y, const M& net) {
    using symbols = detail::symbol_of<M>;
    constexpr int of_y = detail::rank_of<Y>, leaves = detail::leaf_count<symbols>;
    if constexpr (of_y == 0) {
        return grad(y, net);
    } else {
        detail::arena& g = *y.graph;
        const auto all = [&]<int... I>(std::integer_sequence<int, I...>) {
            return vmap([&](const auto& cotangent) {
                const auto slope = vjp(y, net, cotangent);
                return std::tuple(detail::as_number(detail::leaf<I>(slope))...);
            }, detail::units_of(y));
        }(std::make_integer_sequence<int, leaves>());
        detail::rebind_model<symbols, detail::with_axes<of_y + detail::added_axes<symbols>>::template symbol> made{};
        detail::for_each_leaf(made, [&](auto& to, auto index) {
            const auto& of = g[detail::read_node(detail::leaf<decltype(index)::value>(static_cast<const symbols&>(net)))].shape;
            detail::shape shape;
            for (int i = 0; i < of_y; ++i) shape[shape.rank++] = g[y.id].shape[i];
            for (int i = 0; i < of.rank; ++i) shape[shape.rank++] = of[i];
            to.graph = &g;
            to.id = detail::structure::reshape::of(g, std::get<decltype(index)::value>(all).id, shape);
        });
        return made;
    }
}

/// For each of several expressions, parameters and models: a tuple.
template <traced Y, detail::has_jacobian X, detail::has_jacobian... Xs> requires(sizeof...(Xs) > 0)
constexpr auto jacobian(const Y& y, const X& x, const Xs&... xs) { return std::tuple(jacobian(y, x), jacobian(y, xs)...); }
template <traced Y, class... X> requires(sizeof...(X) > 0) constexpr auto jacobian(const Y& y, const std::tuple<X...>& x) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return std::tuple(jacobian(y, std::get<I>(x))...); }(std::index_sequence_for<X...>());
}

/// The second derivatives of a cost for `x`: [x..., x...], by products of the Hessian with all units at once.
template <traced C, traced X> constexpr auto hessian(const C& cost, const X& x) { return jacobian(grad(cost, x), x); }
/// For a model: a tuple with a model for each of its arrays, in order, which has the axes of that array in front of its own.
template <traced C, class M> requires detail::model<detail::symbol_of<M>>
constexpr auto hessian(const C& cost, const M& net) {
    const auto slope = grad(cost, net);
    return [&]<int... I>(std::integer_sequence<int, I...>) { return std::tuple(jacobian(detail::as_number(detail::leaf<I>(slope)), net)...); }
    (std::make_integer_sequence<int, detail::leaf_count<detail::symbol_of<M>>>());
}
/// For several, each with each: a tuple of tuples.
template <traced C, traced X, traced... Xs> requires(sizeof...(Xs) > 0)
constexpr auto hessian(const C& cost, const X& x, const Xs&... xs) {
    return std::apply([&](const auto&... slope) { return std::tuple(jacobian(slope, x, xs...)...); }, grad(cost, x, xs...));
}
template <traced C, class... X> requires(sizeof...(X) > 0) constexpr auto hessian(const C& cost, const std::tuple<X...>& x) {
    const auto slopes = grad(cost, x);
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return std::tuple(jacobian(std::get<I>(slopes), x)...); }(std::index_sequence_for<X...>());
}

namespace detail {

template <std::size_t Count, traced Y> constexpr auto refused_braces(const Y& y) {
    if constexpr (Count > 1) {
        return refused_for<Count>(y);
    } else {
        y.graph->stopped = true;
        return as_number(y);
    }
}

}  // namespace detail

#define CROTON_REFUSE_BRACES(name_, arguments_)                                                                       \
    template <traced Y, std::size_t Count> constexpr auto name_(const Y& y, const detail::in_braces (&)[Count]) {     \
        static_assert(sizeof(Y) == 0, "croton: what " #name_ " takes derivatives for stands without braces: " #name_ "(" arguments_ ")"); \
        return detail::refused_braces<Count>(y);                                                                      \
    }
CROTON_REFUSE_BRACES(grad, "cost, w, b")
CROTON_REFUSE_BRACES(value_and_grad, "cost, w, b")
CROTON_REFUSE_BRACES(jacobian, "y, w, b")
CROTON_REFUSE_BRACES(hessian, "cost, w, b")
#undef CROTON_REFUSE_BRACES

#define CROTON_REFUSE_BRACES(name_, arguments_)                                                                       \
    template <traced Y, std::size_t Count> constexpr auto name_(const Y& y, const detail::in_braces (&)[Count], const detail::in_braces (&)[Count]) { \
        static_assert(sizeof(Y) == 0, "croton: several expressions, and the vectors of them, are tuples and no braces: " #name_ "(" arguments_ ", std::tuple(w, b), std::tuple(v, u))"); \
        return detail::refused_braces<Count>(y);                                                                      \
    }
CROTON_REFUSE_BRACES(jvp, "y")
CROTON_REFUSE_BRACES(hvp, "cost")
#undef CROTON_REFUSE_BRACES

}  // namespace croton::inline v0_1

#endif
