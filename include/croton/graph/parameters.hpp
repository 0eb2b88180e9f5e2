// SPDX-License-Identifier: MIT
// The parameters of a lambda: the symbols it is called with, and what is wrong with their types.
#ifndef CROTON_GRAPH_PARAMETERS_HPP
#define CROTON_GRAPH_PARAMETERS_HPP

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include <croton/core/leaf_names.hpp>
#include <croton/core/model.hpp>
#include <croton/graph/expr.hpp>

namespace croton::inline v0_1::detail {

template <class T, int R> inline constexpr bool is_leaf<symbol<T, R>> = true;
template <class T, int R> inline constexpr bool is_leaf<expr<T, R>> = true;

template <class Call> struct signature;
template <class F, class R, class... P> struct signature<R (F::*)(P...) const> {
    using result = R;
    using parameters = std::tuple<std::remove_cvref_t<P>...>;
};
template <class F, class R, class... P> struct signature<R (F::*)(P...)> : signature<R (F::*)(P...) const> {};
template <class F, class R, class... P> struct signature<R (F::*)(P...) const noexcept> : signature<R (F::*)(P...) const> {};
template <class F, class R, class... P> struct signature<R (F::*)(P...) noexcept> : signature<R (F::*)(P...) const> {};

template <class F> inline constexpr bool plain_callable = requires { &F::operator(); };

/// Calls for a number of arguments of any type, as a lambda with `auto` for every parameter is one.
struct generic_calls {
    template <class A> void operator()(A) const;
    template <class A, class B> void operator()(A, B) const;
    template <class A, class B, class C> void operator()(A, B, C) const;
    template <class A, class B, class C, class D> void operator()(A, B, C, D) const;
};
template <class F> struct with_generic_calls : F, generic_calls {
    using F::operator(), generic_calls::operator();
};

/// Whether every parameter of a lambda is `auto`: then its call and a generic one are ambiguous, which is asked without compiling
/// its body.
template <class F> constexpr bool all_generic() {
    using both = const with_generic_calls<F>&;
    struct fits_nothing_else {} a;
    return !requires(both call) { call(a); } || !requires(both call) { call(a, a); } || !requires(both call) { call(a, a, a); } ||
           !requires(both call) { call(a, a, a, a); };
}

template <class F> using signature_of = signature<decltype(&F::operator())>;
template <class F> using parameters_of = typename signature_of<F>::parameters;

template <class P> struct parameter_traits {
    static constexpr bool is_shared = false;
    using symbol = P;
};
template <class S> struct parameter_traits<shared<S>> {
    static constexpr bool is_shared = true;
    using symbol = S;
};
template <class P> inline constexpr bool is_shared_parameter = parameter_traits<P>::is_shared;
template <class P> using symbol_of = typename parameter_traits<P>::symbol;
/// How many axes more the arrays of a model have than the model says, as those of all turns of a loop or of all of a batch.
template <class M> inline constexpr int added_axes = rank_of<leaf_t<M, 0>> - rank_of<leaf_t<rebind_model<M, symbol>, 0>>;
/// The arrays of a model with other ranks than it says.
template <int Added> struct with_axes {
    template <class T, int Rank> using symbol = croton::symbol<T, (Rank + Added > 0 ? Rank + Added : 0)>;
};

template <int Rank> inline constexpr auto all_dynamic = [] {
    std::array<extent_code, Rank + 1> extents{};
    for (extent_code& e : extents) e = dynamic;
    return extents;
}();

/// The extents of a declaration, and one more so that there is always one.
template <class P> struct declared {
    static constexpr auto extents = all_dynamic<rank_of<P>>;
};
template <class T, extent_code... E> struct declared<tensor<T, E...>> {
    static constexpr std::array<extent_code, sizeof...(E) + 1> extents{E..., dynamic};
};

template <class P> inline constexpr int arrays_in = [] {
    if constexpr (traced<P>) return 1;
    else return leaf_count<symbol_of<P>>;
}();

/// A new input of the graph, with one entry in the table of sizes for each axis.
template <class T, int Rank>
constexpr symbol<T, Rank> make_symbol(arena& g, int argument, int field, int path, bool is_shared, const std::array<extent_code, Rank + 1>& extents) {
    leaf_input l;
    l.argument = argument;
    l.field = field;
    l.path = path;
    l.shared = is_shared;
    l.type = element_of<T>;
    l.shape.rank = Rank;
    for (int axis = 0; axis < Rank; ++axis) {
        size_entry entry;
        entry.leaf = g.leaves.size();
        entry.axis = axis;
        entry.declared = extents[static_cast<unsigned>(axis)];
        const size_ref s = g.add_size(entry);
        l.shape.extent[axis] = s;
        if (is_static(entry.declared)) g.sizes.at[arena::index_of(s)].same_as = entry.declared;
        if (is_named(entry.declared))
            for (int i = 0; i + 1 < g.sizes.size(); ++i)
                if (g.sizes.at[i].declared == entry.declared) {
                    g.unify(-1 - i, s, tie::declaration);
                    break;
                }
    }
    return symbol<T, Rank>(expr<T, Rank>{&g, g.input(l)});
}

template <class P> constexpr void make_parameter(arena& g, int argument, P& out) {
    constexpr bool is_shared = is_shared_parameter<P>;
    using S = symbol_of<P>;
    S& target = out;
    if constexpr (traced<S>) {
        const auto made = make_symbol<element_in<S>, rank_of<S>>(g, argument, -1, -1, is_shared, declared<S>::extents);
        target.graph = made.graph;
        target.id = made.id;
    } else {
        for_each_leaf(target, [&](auto& s, auto index) {
            using E = std::remove_cvref_t<decltype(s)>;
            const int path = g.add_name(leaf_name<S, decltype(index)::value>);
            s = E(make_symbol<element_in<E>, rank_of<E>>(g, argument, index, path, is_shared, all_dynamic<rank_of<E>>));
        });
    }
}

/// Whether `S` is one symbol or a struct of symbols. A field is a symbol, which has no declared extents.
template <class S, bool Field = false> constexpr bool symbolic() {
    if constexpr (traced<S>)
        return !Field || is_leaf<S>;
    else if constexpr (is_array_of_fields<S>)
        return symbolic<array_element<S>, true>();
    else if constexpr (!has_fields<S>)
        return false;
    else
        return []<int... I>(std::integer_sequence<int, I...>) {
            return (sizeof...(I) > 0 || std::is_empty_v<S>) && (symbolic<field_t<S, I>, true>() && ...);
        }(std::make_integer_sequence<int, field_count<S>>());
}

/// The first parameter that is not symbolic, or -1.
template <class Tuple> struct first_unsymbolic;
template <class... P> struct first_unsymbolic<std::tuple<P...>> {
    static constexpr int value = [] {
        int at = 0;
        const bool all = ((symbolic<symbol_of<P>>() && (traced<symbol_of<P>> || model<symbol_of<P>> || is_state_of_array<symbol_of<P>>) && (++at, true)) && ...);
        return all ? -1 : at;
    }();
};

/// Whether the structs among the parameters have no more fields than can be counted.
template <class Tuple> inline constexpr bool fields_fit = true;
template <class... P> inline constexpr bool fields_fit<std::tuple<P...>> = ([] {
    if constexpr (!traced<P> && !is_array_of_fields<symbol_of<P>> && has_fields<symbol_of<P>>) return count_fields<symbol_of<P>, 0>() <= field_limit;
    else return true;
}() && ...);

/// Whether the ranks of the parameters that are not models are possible.
template <class Tuple> inline constexpr bool ranks_fit = true;
template <class... P> inline constexpr bool ranks_fit<std::tuple<P...>> = ([] {
    if constexpr (traced<P>) return rank_of<P> <= max_rank;
    else return true;
}() && ...);

/// Whether every name in the declarations is one.
template <class Tuple> inline constexpr bool names_fit = true;
template <class... P> inline constexpr bool names_fit<std::tuple<P...>> = ([] {
    if constexpr (traced<P>) {
        for (const extent_code e : declared<symbol_of<P>>::extents)
            if (e == no_name) return false;
    }
    return true;
}() && ...);

}  // namespace croton::inline v0_1::detail

#endif
