// SPDX-License-Identifier: MIT
// The typed handles a user's lambda works with: expressions, symbols, parameters, shared parameters, updates.
#ifndef CROTON_GRAPH_EXPR_HPP
#define CROTON_GRAPH_EXPR_HPP

#include <array>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include <croton/core/element.hpp>
#include <croton/core/extents.hpp>
#include <croton/core/wrong.hpp>
#include <croton/graph/indexing.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// An expression of whole numbers, which can be an index.
template <class I>
concept traced_index = requires(const I& i) {
    typename I::element;
    i.graph;
    i.id;
} && is_position<typename I::element>;

/// Finds what picks elements by expressions, which stands above.
struct by_indices {};

/// Says that a part of an expression is none of a variable.
template <class V> constexpr auto says_no_part() {
    static_assert(sizeof(V) == 0, "croton: what is assigned to a part of an expression is lost; set_at<0>(x, i, y) and add_at<0>(x, i, y) have other elements where indices lead, where(mask, y, x) where a mask does");
    return sentence_stands<V>();
}

}  // namespace detail

/// A symbolic array of `Rank` axes: a handle on a node of the graph that is being traced.
template <element_type T, int Rank> struct expr {
    using element = T;
    static constexpr int rank = Rank;

    detail::arena* graph = nullptr;
    int id = -1;

    constexpr expr() = default;
    constexpr expr(detail::arena* of, int node) : graph(of), id(node) {}
    constexpr expr(const expr&) = default;
    /// Of a variable. What has no name is a part of another one, which would stay as it is.
    constexpr expr& operator=(const expr&) & = default;

    template <class Next, class Out, class End> friend constexpr detail::turn_result<Next, Out, End> step(const Next& next, const Out& out, const End& end);
    template <class Next, class Out> friend constexpr detail::turn_result<Next, Out, none_t> step(const Next& next, const Out& out);
    template <class Next> friend constexpr detail::turn_result<Next, none_t, none_t> step(const Next& next);
    template <class F, class... X> friend constexpr auto map(const F& f, const X&... xs);

    /// A part, as in NumPy: `x(slice(1, -1), 0)`, `x(ellipsis, slice(none, none, -1))`. A whole number drops its axis, `none` brings a new
    /// one, axes that are not named stay whole, and negative numbers count from the end. No copy: steps read the part where it lies. A whole
    /// number that lies outside is an error while compiling, or a `shape_error` where only the call knows the extent.
    template <detail::index... I> requires(sizeof...(I) > 0)
    constexpr auto operator()(I... i) const {
        static_assert(detail::axes_named<I...> <= Rank, "croton: an array takes at most one index for each of its axes");
        static_assert(detail::ellipses<I...> <= 1, "croton: an ellipsis stands for the axes that are left, so that there is at most one");
        constexpr int left = detail::rank_of_part<Rank, I...>;
        static_assert(left <= max_rank, "croton: the rank of an expression is 0 to 8");
        if constexpr (!detail::indices_fit<Rank, I...> || left > max_rank) {
            graph->stopped = true;
            return *this;
        } else {
            return expr<T, left>{graph, detail::part_of(*graph, id, i...)};
        }
    }
    template <detail::index I> constexpr auto operator[](I i) const { return (*this)(i); }

    /// Elements at places that the program computes, among other indices: an expression of rank 0 drops its axis, `x(i, slice())`, one of
    /// higher rank has its axes in the place of the one that it indexes, and several, which index neighbouring axes, pick together, as in
    /// NumPy: `x(rows, columns)`. What is checked is said at `take`.
    template <class... I> requires((detail::index<I> || detail::traced_index<I>) && ...) && (detail::traced_index<I> || ...)
    constexpr auto operator()(I... i) const {
        return picked_by(detail::by_indices(), *this, i...);
    }
    template <detail::traced_index I> constexpr auto operator[](I i) const { return (*this)(i); }

    /// The extent of an axis as a number, like NumPy's `x.shape[axis]`: an int64 of rank 0. The call knows it, and reads nothing of x for it.
    /// Negative axes count from the end; one that is not there is an error while compiling.
    constexpr expr<std::int64_t, 0> extent(int axis) const {
        const int at = axis < 0 ? axis + Rank : axis;
        graph->unused.push(id);
        if (at >= 0 && at < Rank) return {graph, graph->size(element_of<std::int64_t>, (*graph)[id].shape[at])};
        if (!graph->failed()) graph->error << "extent: there is no axis " << axis << ": the argument has " << Rank << (Rank == 1 ? " axis" : " axes");
        return {graph, graph->literal(element_of<std::int64_t>, 0)};
    }

    // What follows only says what an expression cannot do. The sentences stand where a compiler reads them before the rest of the
    // lambda.

    constexpr explicit operator bool() const noexcept(no_truth()) {
        graph->stopped = true;
        return false;
    }
    constexpr operator double() const noexcept(no_number()) {
        graph->stopped = true;
        return 0;
    }
    template <class... I> constexpr expr<T, (Rank > 0 ? Rank - 1 : 0)> operator()(I...) const { return {no_index<I...>(), id}; }
    template <class I> constexpr expr<T, (Rank > 0 ? Rank - 1 : 0)> operator[](I) const { return {no_index<I>(), id}; }
    template <class Never = void> constexpr const expr* begin() const { return no_elements<Never>() == nullptr ? this : nullptr; }
    template <class Never = void> constexpr const expr* end() const { return nullptr; }

    template <class V> constexpr void operator=(const V&) && noexcept(detail::says_no_part<V>()) { graph->stopped = true; }
    template <class V> requires (!std::is_base_of_v<expr, V>) constexpr void operator=(const V&) & noexcept(no_other<V>()) { graph->stopped = true; }

private:
    template <class V> static constexpr auto no_other() {
        static_assert(sizeof(V) == 0, "croton: an expression is assigned one of its element type and its rank; a number is one as full_like(x, 1)");
        return detail::sentence_stands<V>();
    }
    static constexpr auto no_truth() {
        static_assert(sizeof(T) == 0, "croton: a traced comparison is not true or false while tracing; choose with where(condition, a, b)");
        return detail::sentence_stands<T>();
    }
    static constexpr auto no_number() {
        static_assert(sizeof(T) == 0, "croton: an expression is not a number while tracing; its functions are those of croton, as in exp(x) and not std::exp(x)");
        return detail::sentence_stands<T>();
    }
    template <class... Never> constexpr detail::arena* no_index() const {
        static_assert(sizeof...(Never) == std::size_t(-1),
                      "croton: an index is a whole number, a slice, none, ellipsis or an array of whole numbers; choose elements by a condition with where(mask, x, 0)");
        graph->stopped = true;
        return graph;
    }
    template <class Never> constexpr detail::arena* no_elements() const {
        static_assert(sizeof(Never*) == 0,
                      "croton: an expression has no elements to walk over while tracing; name the axes that a function works along, as in sum<0>(x)");
        graph->stopped = true;
        return graph;
    }
};

namespace detail {

template <class T, int Rank> constexpr expr<T, Rank> as_expr(const expr<T, Rank>& e) {
    return e;
}

}  // namespace detail

/// A type that is an expression or derives from one.
template <class X>
concept traced = requires(const X& x) { detail::as_expr(x); };

namespace detail {

template <traced X> using expr_of = decltype(as_expr(std::declval<const X&>()));
template <traced X> using element_in = typename expr_of<X>::element;
template <traced X> inline constexpr int rank_of = expr_of<X>::rank;

/// The type of what operators make of `X`, and the node that they take: what is only stored is read as float. The node of a
/// parameter or of a gradient is float already, whatever its handle says.
template <traced X> using number_in = arithmetic_t<element_in<X>>;
template <traced X> constexpr int read_node(const X& x) {
    if constexpr (is_storage<element_in<X>>) return structure::cast::of(*x.graph, element::float32, x.id);
    else return x.id;
}
template <traced X> constexpr expr<number_in<X>, rank_of<X>> as_number(const X& x) { return {x.graph, read_node(x)}; }
/// The node of what is stored for `X`.
template <traced X> constexpr int stored_node(const X& x) {
    if constexpr (is_storage<element_in<X>>) return structure::cast::of(*x.graph, element_of<element_in<X>>, x.id);
    else return x.id;
}

/// The `id` of a number that no graph has yet: a loop that begins with numbers tries its turn on such, to find out where it belongs.
inline constexpr int unplaced = -2;
/// Such a number. A weak one is a literal of C++, and takes the element type of what it meets.
template <class T, bool Weak> struct loop_number : expr<T, 0> {
    constexpr loop_number() : expr<T, 0>{nullptr, unplaced} {}
};
template <class X> inline constexpr bool is_loop_number = false;
template <class T, bool Weak> inline constexpr bool is_loop_number<loop_number<T, Weak>> = true;
template <class X> inline constexpr bool is_weak = false;
template <class T> inline constexpr bool is_weak<loop_number<T, true>> = true;
/// A node that stands for such a number beside what holds `Beside`, in a graph that is known.
template <class Beside, traced X> constexpr int placed_node(arena& g, const X& x) {
    return x.id != unplaced ? x.id : g.literal(element_of<std::conditional_t<is_weak<X>, Beside, number_in<X>>>, 1);
}

template <traced X> constexpr term untyped(const X& x) { return {x.graph, x.id}; }

}  // namespace detail

/// New values for `N` shared parameters; what `w -= g`, `update(w, v)` and the optimisers give. They take effect where the lambda
/// returns them; one that it does not return is a sentence.
template <int N> struct update_list {
    std::array<detail::update_of, N> entry{};
};

namespace detail {

/// A new value in float is rounded for a parameter that is only stored.
template <traced X> constexpr update_list<1> make_update(const X& target, term value) {
    if constexpr (is_storage<element_in<X>>)
        if ((*value).type == element::float32) value.id = structure::cast::of(*value.g, element_of<element_in<X>>, value.id);
    value.g->traced_updates.push(update_of{target.id, value.id});
    return {{update_of{target.id, value.id}}};
}

}  // namespace detail

namespace detail {

/// Records the sentence for a handle of a shared parameter that is made to stand for something else.
constexpr void check_assignable(arena* g, int id) {
    if (g == nullptr || g->failed() || (*g)[id].what != tag<structure::input> || !g->leaves[static_cast<int>((*g)[id].bits)].shared) return;
    g->describe(g->error, id);
    g->error << " is assigned to, and its new value would be lost; return it, as in updates(update(w, v)), or compute with a copy that is declared as expr<"
             << name_of((*g)[id].type) << ", " << (*g)[id].shape.rank << ">";
}

}  // namespace detail

/// The namespace of `symbol`, where `step` of models of symbols is found by its arguments.
namespace symbols {

/// What a parameter or a field of a model is: an expression that can also be the target of an update.
template <element_type T, int Rank> struct symbol : expr<T, Rank> {
    constexpr symbol() = default;
    constexpr symbol(expr<T, Rank> e) : expr<T, Rank>(e) {}
    constexpr symbol(const symbol&) = default;
    constexpr symbol& operator=(const symbol& e) { return *this = expr<T, Rank>(e); }

    template <std::same_as<expr<T, Rank>> E> constexpr symbol& operator=(const E& e) {
        detail::check_assignable(this->graph, this->id);
        this->graph = e.graph;
        this->id = e.id;
        return *this;
    }
};

template <class Next, class Out, class... None> constexpr detail::turn_result<Next, Out, none_t> step(const Next& next, const Out& out, const None&...) {
    return {next, out, none};
}
template <class Next> constexpr detail::turn_result<Next, none_t, none_t> step(const Next& next, ...) { return {next, none, none}; }

}  // namespace symbols
using symbols::symbol;

/// A parameter with an extent for each axis: a number, `dim("name")` or `dynamic`. A copy of one is a variable for any expression
/// of its type and rank: `auto h = h0; h = tanh(h);`.
template <class T, extent_code... Extents> struct tensor : symbol<std::conditional_t<element_type<T>, T, float>, static_cast<int>(sizeof...(Extents))> {
    using symbol<std::conditional_t<element_type<T>, T, float>, static_cast<int>(sizeof...(Extents))>::operator=;
    static_assert(element_type<T>, "croton: a parameter holds bool, the integers of <cstdint> (std::int64_t for long long), float, double, half or bfloat16; of complex numbers take real and imaginary parts as parameters of their own");
    static_assert((is_extent(Extents) && ...), "croton: an extent is a number of elements, dim(\"name\") or dynamic; other negative numbers are none");
};

template <class T> using scalar = tensor<T>;
template <class T, extent_code Extent = dynamic> using vector = tensor<T, Extent>;
template <class T, extent_code Rows = dynamic, extent_code Columns = dynamic> using matrix = tensor<T, Rows, Columns>;

/// A parameter, or a model of parameters, that the function may update in place.
template <class S> struct shared : S {
    template <class X> constexpr shared& operator=(const X&) {
        static_assert(sizeof(X) == 0, "croton: a shared parameter is not assigned to; return its new value, as in updates(update(w, v)), or compute "
                                      "with a copy, as in expr<float, 1> h = w");
        return *this;
    }
};

/// The same expression under a name for messages, explanations and profiles.
template <traced X> constexpr X named(X x, std::string_view name) {
    if (x.graph->nodes[x.id].name < 0) x.graph->nodes[x.id].name = x.graph->add_name(name);
    return x;
}

}  // namespace croton::inline v0_1

#endif
