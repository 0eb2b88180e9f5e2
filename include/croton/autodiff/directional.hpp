// SPDX-License-Identifier: MIT
// Derivatives of more than one number: products with the Jacobian from either side, and the Jacobian itself.
#ifndef CROTON_AUTODIFF_DIRECTIONAL_HPP
#define CROTON_AUTODIFF_DIRECTIONAL_HPP

#include <tuple>

#include <croton/autodiff/custom.hpp>
#include <croton/autodiff/grad.hpp>
#include <croton/ops/filled.hpp>
#include <croton/ops/join.hpp>
#include <croton/ops/shape.hpp>

namespace croton::inline v0_1 {

/// The cost and its derivatives as `grad` gives them: `auto [c, g] = value_and_grad(cost, w)`.
template <traced C, class... W> constexpr auto value_and_grad(const C& cost, const W&... wrt) {
    return std::tuple{detail::as_number(cost), grad(cost, wrt...)};
}

namespace detail {

/// Sums the products of two models of one structure, or of two expressions, which are the same for derivatives of the first only.
template <class A, class B> constexpr auto sum_of_products(const A& a, const B& b) {
    if constexpr (traced<A>) {
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
/// `x` as for `grad`.
template <traced Y, class X, traced V> constexpr auto vjp(const Y& y, const X& x, const V& v) {
    return grad(detail::sum_of_products(detail::as_number(y), v), x);
}

/// The product of the Jacobian of `y` for `x` with a vector in the shape or structure of `x`, in the shape of `y`: the derivative of `y` when `x` moves along
/// `v`, Theano's `Rop`. It is forward mode: what `vjp` makes is linear in its vector, and the derivative of that goes forward through the graph.
template <traced Y, class X, class V> constexpr auto jvp(const Y& y, const X& x, const V& v) {
    const auto u = detail::placeholder(y);
    return grad(detail::sum_of_products(grad(sum(detail::as_number(y) * u), x), v), u);
}

/// The product of the Hessian of a cost for `x` with a vector in the shape or structure of `x`: one derivative of a derivative, and no matrix.
template <traced C, class X, class V> constexpr auto hvp(const C& cost, const X& x, const V& v) {
    return grad(detail::sum_of_products(grad(cost, x), v), x);
}

namespace detail {

inline constexpr int jacobian_limit = 64;

/// The number of elements, or -1 where only the call knows it.
constexpr std::int64_t elements_of(arena& g, int x) {
    std::int64_t n = 1;
    for (int i = 0; i < g[x].shape.rank; ++i) {
        const size_ref e = g.find(g[x].shape[i]);
        if (e < 0) return -1;
        n *= e;
    }
    return n;
}

/// 1 at one element, counted in row-major order, and 0 elsewhere.
template <traced X> constexpr auto unit_like(const X& x, std::int64_t at) {
    arena& g = *x.graph;
    constexpr int rank = rank_of<X>;
    int here = -1;
    for (int i = rank - 1; i >= 0; --i) {
        const std::int64_t extent = g.find(g[x.id].shape[i]);
        const int hit = g.apply(code<op::equal>, index_along(g, element::int64, extent, i, rank), g.literal(element::int64, at % extent));
        here = here < 0 ? hit : g.apply(code<op::logical_and>, here, hit);
        at /= extent;
    }
    const element type = element_of<number_in<X>>;
    return expr<number_in<X>, rank>{&g, here < 0 ? g.literal(type, 1) : g.apply(code<op::where>, here, g.literal(type, 1), g.literal(type, 0))};
}

/// As one axis more: the last, or the first.
constexpr int appended(arena& g, int all, int part, bool last) {
    const int rank = g[part].shape.rank, axis = last ? rank : 0;
    const int piece = insert_axes(g, part, 1u << axis, rank + 1);
    return all < 0 ? piece : structure::concatenate::of(g, axis, all, piece);
}

}  // namespace detail

/// The derivative of every element of `y` for every element of `x`, an expression or a parameter: [y..., x...]. It goes forward, a direction for each element of
/// `x`, or backward, one for each of `y`, whichever are fewer; their number, at most 64, must be known while compiling.
template <traced Y, traced X> constexpr auto jacobian(const Y& y, const X& x) {
    constexpr int rank = detail::rank_of<Y> + detail::rank_of<X>;
    static_assert(rank <= max_rank, "croton: the rank of an expression is 0 to 8");
    detail::arena& g = *y.graph;
    const std::int64_t columns = detail::elements_of(g, x.id), rows = detail::elements_of(g, y.id);
    const bool forward = columns >= 0 && (rows < 0 || columns < rows);
    const std::int64_t count = forward ? columns : rows;
    using result = expr<detail::number_in<Y>, rank <= max_rank ? rank : 0>;
    if (rank > max_rank) g.stopped = true;
    if ((count <= 0 || count > detail::jacobian_limit) && !g.failed())
        g.error << "jacobian: of what is differentiated, or of what it is differentiated for, 1 to " << detail::jacobian_limit
                << " elements must be known while compiling; declare their extents";
    if (g.failed() || g.stopped) return result{&g, detail::read_node(y)};
    int all = -1;
    for (std::int64_t i = 0; i < count; ++i)
        all = forward ? detail::appended(g, all, jvp(y, x, detail::unit_like(x, i)).id, true) : detail::appended(g, all, vjp(y, x, detail::unit_like(y, i)).id, false);
    detail::shape to;
    for (int i = 0; i < detail::rank_of<Y>; ++i) to[to.rank++] = g[y.id].shape[i];
    for (int i = 0; i < detail::rank_of<X>; ++i) to[to.rank++] = g[x.id].shape[i];
    return result{&g, detail::structure::reshape::of(g, all, to)};
}

/// The second derivatives of a cost for `x`: [x..., x...]. The elements of `x`, 1 to 64, must be known while compiling; `hvp` has no such limit.
template <traced C, traced X> constexpr auto hessian(const C& cost, const X& x) { return jacobian(grad(cost, x), x); }

}  // namespace croton::inline v0_1

#endif
