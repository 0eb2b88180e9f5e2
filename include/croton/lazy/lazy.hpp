// SPDX-License-Identifier: MIT
// An expression on arrays: a graph, and the arrays and numbers that it is asked for. It is computed where its values are needed.
#ifndef CROTON_LAZY_LAZY_HPP
#define CROTON_LAZY_LAZY_HPP

#include <concepts>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <croton/array/print.hpp>
#include <croton/core/literals.hpp>
#include <croton/device/cpu/cpu.hpp>
#include <croton/function/explain.hpp>
#include <croton/lazy/graph.hpp>
#include <croton/lazy/operands.hpp>
#include <croton/lazy/source_line.hpp>
#include <croton/ops/refused.hpp>
#include <croton/ops/refused_arguments.hpp>
#include <croton/ops/refused_axes.hpp>

namespace croton::inline v0_1 {

template <class Device, class Graph, class... Held> class lazy;

namespace detail {

template <class Value> struct value_traits {
    static constexpr bool is_array = false;
};
template <class T, int Rank> struct value_traits<expr<T, Rank>> {
    static constexpr bool is_array = true;
    using element = T;
    static constexpr int rank = Rank;
};
template <traced X> struct value_traits<X> : value_traits<expr_of<X>> {};

/// An operand of an expression: its graph, and a tuple of what that is asked for. Arrays that have a name are referred to; others move in.
template <class Element, class X> auto graph_of() {
    using V = std::remove_cvref_t<X>;
    if constexpr (lazy_expression<V>) return std::type_identity<typename V::lazy_graph>();
    else if constexpr (requires { V::new_axes; }) return std::type_identity<lazy_leaf<typename V::value_type, V::rank, V::new_axes>>();
    else if constexpr (array_like<V> || seen<V>) return std::type_identity<lazy_leaf<typename argument_traits<V>::element, argument_traits<V>::rank>>();
    else if constexpr (number<V>) return std::type_identity<lazy_leaf<Element, 0>>();
    else if constexpr (state_of_draws<V>) return std::type_identity<lazy_state>();
    else return std::type_identity<lazy_tag<V>>();
}
template <class X> auto held_of(X&& x) {
    using V = std::remove_cvref_t<X>;
    if constexpr (lazy_expression<V>) return std::forward<X>(x).held();
    else if constexpr (seen<V>) {
        if constexpr (!other_array<V>::owns_elements) return std::tuple(other_array<V>::of(x));
        else return std::tuple<std::conditional_t<std::is_lvalue_reference_v<X>, const V&, V>>(std::forward<X>(x));
    } else if constexpr (array_like<V> && std::is_lvalue_reference_v<X> && !requires { x.strides(); }) return std::tuple<const V&>(x);
    else if constexpr (state_of_draws<V>) return std::tuple<std::remove_reference_t<X>&>(x);
    else if constexpr (!is_lazy_tag<V>) return std::tuple<V>(std::forward<X>(x));
    else return std::tuple<>();
}

[[gnu::noinline]] inline std::string formula_of(const lazy_word* words) {
    std::string text;
    int leaf = 0;
    say_formula(text, words, leaf, false);
    return text;
}

/// The function that evaluates a graph: one for all expressions that are alike.
template <class Device, class Graph> const auto& lazy_function() {
    static const auto made = make_function<Device, lazy_lambda<Graph>>(formula_of(Graph::words.data()));
    return made;
}

/// Its type, which nvcc does not find within a member of a template.
template <class Device, class Graph> struct lazy_function_type {
    using type = std::remove_cvref_t<decltype(lazy_function<Device, Graph>())>;
};

/// A value repeated along the axes that an array has before its own, and along those where it has one element, as NumPy does where it assigns.
struct fitted {
    static constexpr std::string_view name = "assign"sv;
    template <class T, int Rank, class U, int Of> constexpr expr<U, Rank> operator()(const expr<T, Rank>& to, const expr<U, Of>& x) const {
        arena& g = *to.graph;
        g.unused.push(to.id);
        const shape wanted = g[to.id].shape, given = g[x.id].shape;
        for (int a = 0; a < Of; ++a) {
            const size_ref from = given.extent[a], into = wanted[a + Rank - Of];
            if (g.find(from) == 1 || g.unify(from, into, tie::update) || g.failed()) continue;
            g.error << "an expression with extent ";
            g.describe_size(g.error, from);
            g.error << " is assigned to an array with ";
            g.describe_size(g.error, into);
        }
        return {&g, structure::broadcast::of(g, x.id, wanted)};
    }
};

template <class Device, class Graph, class... Held> auto make_lazy(std::tuple<Held...>&& held) {
    return lazy<Device, Graph, Held...>(std::move(held));
}

template <class T, int Rank, class Given, int GivenRank> struct wrong_target {
    static constexpr void say(text_builder& text) {
        text << "the expression holds " << name_of(element_of<Given>) << " with " << GivenRank << (GivenRank == 1 ? " axis" : " axes") << ", but the array "
             << name_of(element_of<T>) << " with " << Rank;
        if (!std::is_same_v<T, Given>) text << "; convert it with cast<" << name_of(element_of<T>) << ">(x)";
    }
};

/// Whether the numbers that a function takes beside arrays decide how it computes.
template <class Function> inline constexpr bool takes_settings = requires { Function::takes_settings; };

/// A struct of them, a list or one of several names, as `pad_mode::edge`: no text and nothing that points anywhere.
template <class X> inline constexpr bool is_setting = std::is_enum_v<X> || (std::is_class_v<X> && !std::is_convertible_v<const X&, std::string_view> && !requires(const X& x) { x.begin(); });

/// An array as an expression, in the place of one that there cannot be.
struct unchanged {
    static constexpr std::string_view name = "unchanged"sv;
    template <class A> constexpr auto operator()(A a) const { return +a; }
};
/// The first array that holds numbers.
template <class First, class... Rest> auto&& first_array(First&& first, Rest&&... rest) {
    constexpr bool last = !(lazy_array<Rest> || ...);
    if constexpr (lazy_array<First> && (last || !std::is_same_v<typename operand_traits<std::remove_cvref_t<First>>::element, bool>)) return first;
    else return first_array(rest...);
}

/// As `missed_in_brackets`, of a function of an array.
template <class Function, class First, class... N> constexpr int missed_of_arrays() {
    return lazy_array<First> ? missed_in_brackets<Function, std::remove_cvref_t<N>...>() : -1;
}

/// The same of axes that stand there, and that the array does not have.
template <class Function, class First, class...> struct axes_of_arrays {
    static constexpr bool fit = true;
};
template <class Function, class First, class... Rest> requires (lazy_array<First> && given_in_brackets<Function> > 0)
struct axes_of_arrays<Function, First, Rest...> : axes_in_brackets<Function, rank_of_array<std::remove_cvref_t<First>>> {};

/// What an argument beside arrays is. A number is one of rank 0, and so is a constant that is a number.
template <class X> constexpr argument_kind kind_on_arrays() {
    using V = std::remove_cvref_t<X>;
    if constexpr (lazy_array<X>) return argument_kind::array;
    else if constexpr (number<V>) return argument_kind::array_or_number;
    else if constexpr (is_lazy_tag<V>) return kind_of<typename lazy_tag<V>::value>;
    else return argument_kind::other;
}
/// Whether `Function` says itself what it takes, and these arguments are something else.
template <class Function, class... X> constexpr bool unfit_on_arrays() {
    if constexpr (requires { Function::takes; }) return misfit_of<Function::takes, kind_on_arrays<X>()...>.argument != 0;
    else return false;
}

/// Whether something stands in its angle brackets where nothing may.
template <class Function> constexpr bool brackets_filled() {
    if constexpr (requires { Function::takes; }) return given_in_brackets<Function> > 0 && takes_no_brackets<Function::takes>;
    else return false;
}

/// What stands for the results of a wrong call.
template <class Function, int Arguments> constexpr auto wrong_results() {
    if constexpr (requires { Function::takes; }) return refused_results<results_of(Function::takes, Arguments)>();
    else return wrong_result();
}

/// Says that `Y` is nothing that is written in place.
template <class Y> constexpr bool says_of_target() {
    constexpr bool has_elements = !lazy_expression<Y>, written = !(std::is_const_v<std::remove_reference_t<Y>> && !requires(Y y) { y.strides(); });
    constexpr bool stays = !has_elements || std::is_lvalue_reference_v<Y> || requires(Y y) { y.strides(); };
    static_assert(stays, "croton: what is computed into a temporary array is lost; a part is written by x(slice(1, -1)) += y, where indices lead by x = add_at<0>(x, ids, y) or set_at, and where a mask does by x = where(mask, x + y, x)");
    static_assert(has_elements, "croton: an expression is not written; name its values, as in auto y = eval(a * b), and then y += c");
    static_assert(written, "croton: the array is const");
    return has_elements && written && stays;
}

/// The expression that `Function` makes of arrays, numbers and expressions. Where it gives several values, they are computed at once, each an
/// array.
template <class Function, class... X> auto lazily(X&&... x) {
    constexpr bool real = !(holds_complex<std::remove_cvref_t<X>> || ...);
    constexpr bool fits = (lazy_operand<X> && ...) && !(takes_settings<Function> && (number<std::remove_cvref_t<X>> || ...));
    constexpr int in_brackets = missed_of_arrays<Function, X...>();
    if constexpr (on_wrong<X...>) {
        return wrong_result();
    } else if constexpr (in_brackets >= 0) {
        return wrong_after<says_where<in_brackets, given_in_brackets<Function>, Function>()>(wrong_results<Function, sizeof...(X)>());
    } else if constexpr (brackets_filled<Function>()) {
        return wrong_after<sentence_of<full_brackets<Function::takes>>()>(wrong_results<Function, sizeof...(X)>());
    } else if constexpr (!real) {
        say_no_complex<real>();
        return lazily<unchanged>(first_array(x...));
    } else if constexpr (!fits) {
        constexpr bool held = ((kind_of<std::remove_cvref_t<X>> != argument_kind::unheld) && ...), settings = !held || (... && (lazy_operand<X> || is_setting<std::remove_cvref_t<X>>));
        static_assert(held, "croton: an argument is a list of numbers that arrays do not hold: they hold bool (std::vector<bool> has bits), the integers of <cstdint> (std::int64_t for long long), float and double");
        static_assert(settings, "croton: an argument is neither a number nor an array; functions take numbers, arrays, views, and std::vector, std::array and std::span of numbers");
        static_assert(fits || !settings || !held, "croton: what decides how arrays are computed with is a constant of the expression, as in norm(x, constant<1>), "
                            "var(x, constant<ddof(1)>), pad(x, constant<1>, constant<pad_mode::edge>) or conv2d(x, w, constant<convolution_options{.stride = 2}>)");
        return wrong_result();
    } else if constexpr (unfit_on_arrays<Function, X...>()) {
        return wrong_after<sentence_of<wrong_arguments<Function::takes, kind_on_arrays<X>()...>>()>(wrong_results<Function, sizeof...(X)>());
    } else if constexpr (!axes_of_arrays<Function, X...>::fit) {
        return wrong_after<sentence_of<typename axes_of_arrays<Function, X...>::type>()>(wrong_results<Function, sizeof...(X)>());
    } else {
        using element = typename number_beside<Function, std::remove_cvref_t<X>...>::type;
        if constexpr (says_of_elements<Function, element, std::remove_cvref_t<X>...>()) {
            using graph = lazy_call<Function, typename decltype(graph_of<element, X>())::type...>;
            using device = typename joint_device<typename operand_traits<std::remove_cvref_t<X>>::device...>::type;
            auto held = std::tuple_cat(held_of(std::forward<X>(x))...);
            // Of a state each evaluation would draw others.
            if constexpr (value_traits<typename graph::value>::is_array && !(state_of_draws<X> || ...)) return make_lazy<device, graph>(std::move(held));
            else return std::apply([](auto&... each) { return lazy_function<device, graph>()(each...); }, held);
        } else {
            return lazily<unchanged>(first_array(x...));
        }
    }
}

}  // namespace detail

/// An expression on arrays of one device, as `a * exp(b) + 1` is one. It refers to the arrays that have a name, which must outlive it, and
/// keeps the others. It is traced, rewritten and fused while the program compiles, like the lambda of a function; numbers are arguments.
/// Where it is assigned, converted to an array or a number, printed, or given to `eval`, it is computed, each time anew.
template <class Device, class Graph, class... Held> class [[nodiscard("an expression is computed where it is assigned or evaluated: y = a * b, eval(a * b)")]] lazy {
    using traits = detail::value_traits<typename Graph::value>;
    /// Whether indices pick a part, of all that is computed: those of one element are whole numbers.
    template <class... I> static constexpr bool picks_part = memory<array_device<Device>>::on_host && (detail::index<I> && ...) &&
                                                             (detail::axes_dropped<I...> < static_cast<int>(sizeof...(I)));

public:
    using lazy_graph = Graph;
    using device = Device;
    using value_type = typename traits::element;
    static constexpr int rank = traits::rank;
    using array = croton::array<value_type, rank, Device>;

    explicit lazy(std::tuple<Held...>&& held) : held_(std::move(held)) {}
    lazy(const lazy&) = default;
    lazy(lazy&&) = default;
    lazy& operator=(const lazy&) = delete;
    /// Another expression: a compile-time error.
    template <class X> void operator=(const X&) const { detail::says_of_target<lazy>(); }

    const std::tuple<Held...>& held() const& { return held_; }
    std::tuple<Held...>&& held() && { return std::move(held_); }

    /// The values as an array. Throws `shape_error` where extents do not fit.
    template <class On = Device> auto eval() const {
        return std::apply([](const auto&... each) { return detail::lazy_function<On, Graph>()(each...); }, held_);
    }
    operator array() const { return eval(); }
    /// To an array of another element type or rank: a compile-time error.
    template <class T, int R, class D> operator croton::array<T, R, D>() const {
        static_cast<void>(detail::lazy_function<Device, Graph>());
        if constexpr (!detail::any_sentence_printed<std::tuple<lazy, T>>()) detail::sentence_of<detail::wrong_target<T, R, value_type, rank>>();
        return {};
    }
    /// The number that an expression of rank 0 is.
    operator value_type() const requires (rank == 0) { return static_cast<value_type>(eval()); }

    value_type operator()() const requires (rank == 0) { return *this; }
    value_type item() const requires (rank == 0) { return *this; }

    /// Whether all or any elements hold: a compile-time error.
    template <std::same_as<bool> B> requires (rank > 0)
    explicit operator B() const {
        static_assert(detail::any_sentence_printed<std::tuple<lazy, B>>(), "croton: many truth values are not one; all(a > b) and any(a > b) are");
        return false;
    }
    /// What a function of <cmath> is given: a compile-time error.
    template <std::same_as<double> D> requires (rank > 0)
    operator D() const {
        static_assert(sizeof(D) > 99, "croton: an expression with axes is no number; its functions are those of croton, as in exp(x) and not std::exp(x)");
        return {};
    }
    /// An element of what has not been computed, or a walk along it: a compile-time error.
    template <class Of = lazy> detail::wrong_walk begin() const {
        static_assert(sizeof(Of) == 0, "croton: an expression has no elements before it is computed; walk along its values, as in for (float x : eval(a * b))");
        return {};
    }
    template <class Of = lazy> detail::wrong_walk end() const { return {}; }
    template <class I> auto operator[](const I& i) const { return (*this)(i); }
    template <class... I> requires (rank > 0 && !picks_part<I...>)
    detail::wrong_result operator()(const I&...) const {
        static_assert(sizeof...(I) > 99, "croton: an expression has no elements before it is computed; name its values, as in auto y = eval(a * b), and take y(0) of them");
        return {};
    }

    /// A part of the values, which are computed for it, as an array: `(a * b)(slice(), none) - c`.
    template <class... I> requires picks_part<I...>
    auto operator()(const I&... i) const { return eval()(i...); }

    /// Writes the values to an array or a view, as `y = e` does. Values of lower rank are repeated along the first axes of `y`, and those of `keepdims` and `newaxis` along these. The expression may read
    /// what it is written to. An array without elements takes the extents of the expression; any other must have them.
    template <class Y> CROTON_INLINE void assign_to(Y& y) const {
        static_assert(Y::rank >= rank || detail::any_sentence_printed<std::tuple<Y, lazy>>(), "croton: an expression is assigned to an array with fewer axes than it has; reduce it, as in sum<0>(x)");
        if constexpr (std::is_const_v<Y>) {  // a view
            std::remove_const_t<Y> to = y;
            assign_to(to);
        } else if constexpr (Y::rank > rank) {
            detail::make_lazy<Device, detail::lazy_call<detail::fitted, detail::lazy_leaf<typename detail::argument_traits<Y>::element, Y::rank>, Graph>>(
                std::tuple_cat(std::tuple<const Y&>(y), held_)).assign_to(y);
        } else if constexpr (!std::is_same_v<typename detail::argument_traits<Y>::element, value_type>) {
            // Said here, and not where results are bound, which no reader would find.
            if constexpr (!detail::any_sentence_printed<std::tuple<lazy, Y>>()) detail::sentence_of<detail::wrong_target<typename detail::argument_traits<Y>::element, Y::rank, value_type, rank>>();
        } else if constexpr (Y::rank == rank) {
            assign_all(y, std::index_sequence_for<Held...>());
        }
    }

private:
    /// How what is held goes on to where it is needed last: by its value where that is a copy of a few bytes, so that it lies in no memory before.
    template <class H> using passed = std::conditional_t<std::is_trivially_copyable_v<H> && !std::is_reference_v<H>, const H, const std::remove_reference_t<H>&>;

    template <class Y, std::size_t... I> CROTON_INLINE void assign_all(Y& y, std::index_sequence<I...>) const {
        // Most need nothing that is kept, and not the function that keeps it.
        using function = typename detail::lazy_function_type<Device, Graph>::type;
        if constexpr (requires { typename function::device; })
            if (function::assigns_directly(y, std::get<I>(held_)...)) [[likely]] return;
        assign_indirectly<Y>(y, std::get<I>(held_)...);
    }
    /// The axes, as bits, along which there is one element whatever a call brings, as `keepdims` leaves them.
    template <class Function> static constexpr unsigned single_axes() {
        unsigned bits = 0;
        if constexpr (rank > 0 && requires { Function::program(); })
            for (const int output : Function::program().outputs)
                for (int a = 0; a < rank; ++a) bits |= Function::program().nodes[output].shape[a] == 1 ? 1u << a : 0u;
        return bits;
    }
    template <class Y> [[gnu::noinline]] static void assign_indirectly(Y& y, passed<Held>... each) {
        constexpr bool takes_extents = rank > 0 && std::is_same_v<Y, array>;
        constexpr unsigned single = single_axes<typename detail::lazy_function_type<Device, Graph>::type>();
        if constexpr (single != 0) {
            bool repeats = false;
            for (int a = 0; a < rank; ++a) repeats = repeats || ((single >> a) % 2 != 0 && y.extent(a) != 1);
            if (repeats && !(takes_extents && y.size() == 0))
                return detail::make_lazy<Device, detail::lazy_call<detail::fitted, detail::lazy_leaf<value_type, rank>, Graph>>(
                    std::tuple<const Y&, const std::remove_reference_t<Held>&...>(y, each...)).assign_to(y);
        }
        detail::lazy_function<Device, Graph>().template call_indirectly<takes_extents>(std::tie(y), each...);
    }

    std::tuple<Held...> held_;
};

/// The values of an expression, as an array. Profiles show it under the line where this stands.
template <detail::lazy_expression E> auto eval(const E& e, const source_line& where = source_line::here()) {
    const detail::evaluated_at here(where);
    return e.eval();
}
/// The same on another device with the same memory: `eval<reference>(a * b)`.
template <class Device, detail::lazy_expression E> auto eval(const E& e, const source_line& where = source_line::here()) {
    const detail::evaluated_at here(where);
    return e.template eval<Device>();
}

/// Of derivatives, and of functions of each: compile-time errors.
#define CROTON_REFUSE(name_, ...)                                                                                     \
    template <detail::own_array E, class... X> requires (!(traced<X> || ...)) __VA_ARGS__ name_(const E&, const X&...) { \
        static_assert(sizeof...(X) > 99, "croton: derivatives are those of symbols, in a function, as in function<cpu>([](vector<float> x) { return grad(sum(sqr(x)), x); })"); \
        return {};                                                                                                    \
    }
CROTON_REFUSE(grad, detail::wrong_result)
CROTON_REFUSE(value_and_grad, std::tuple<detail::wrong_result, detail::wrong_result>)
CROTON_REFUSE(vjp, detail::wrong_result)
CROTON_REFUSE(jvp, detail::wrong_result)
CROTON_REFUSE(hvp, detail::wrong_result)
CROTON_REFUSE(jacobian, detail::wrong_result)
CROTON_REFUSE(hessian, detail::wrong_result)
CROTON_REFUSE(stop_gradient, detail::wrong_result)
CROTON_REFUSE(grad_scale, detail::wrong_result)
CROTON_REFUSE(grad_clip, detail::wrong_result)
#undef CROTON_REFUSE

template <class F, detail::lazy_array X, class... More> detail::wrong_result vmap(const F&, const X&, const More&...) {
    static_assert(sizeof...(More) > 99, "croton: vmap is of symbols, in a function, as in function<cpu>([](matrix<float> x) { return vmap([](auto row) { return sum(row); }, x); })");
    return {};
}

/// What becomes of an expression, as `explain` of a function says it, behind the line where this stands. Its arrays are called a, b, ... in the order in
/// which they stand in it.
template <detail::lazy_expression E> std::string explain(const E&, const source_line& where = source_line::here()) {
    return where.text() + ": " + explain(detail::lazy_function<typename E::device, typename E::lazy_graph>());
}

template <detail::lazy_expression E> std::ostream& operator<<(std::ostream& out, const E& e) { return out << e.eval(); }

}  // namespace croton::inline v0_1

#endif
