// SPDX-License-Identifier: MIT
// Models of arrays where they stand: each array by the one in the same place, as in functions (optim/tree.hpp).
#ifndef CROTON_LAZY_TREE_HPP
#define CROTON_LAZY_TREE_HPP

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include <croton/array/print.hpp>
#include <croton/core/leaf_names.hpp>
#include <croton/core/leaves.hpp>
#include <croton/core/model.hpp>
#include <croton/graph/parameters.hpp>
#include <croton/lazy/functions.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// Whether all fields are arrays, or structs of them. Of anything else no fields are counted.
template <class S> constexpr bool holds_arrays() {
    if constexpr (is_leaf<S>)
        return own_array<S>;
    else if constexpr (is_array_of_fields<S>)
        return holds_arrays<array_element<S>>();
    else if constexpr (!has_fields<S>)
        return false;
    else
        return []<int... I>(std::integer_sequence<int, I...>) {
            return (holds_arrays<field_t<S, I>>() && ...);
        }(std::make_integer_sequence<int, field_count<S>>{});
}
template <class M> concept array_model = model<M> && !is_shared_parameter<M> && !symbolic<M>() && holds_arrays<M>();

/// Before any array is written.
template <class A, class B> void check_extents_of(const A& a, const B& b) {
    for_each_leaf_of([](const auto& x, const auto& y) {
        constexpr int rank = std::remove_cvref_t<decltype(x)>::rank;
        if (x.extents() != y.extents())
            throw shape_error("models: an array of shape " + shape_text(x.extents().data(), rank) + " does not go with one of shape " + shape_text(y.extents().data(), rank));
    }, a, b);
}

}  // namespace detail

/// What `f` makes of each array of a model, or of those of several models in one place: `tree_map([](const auto& w, const auto& g) { return w - 0.1 * g; }, net, slope)`. It
/// gives arrays of the extents that it takes, or expressions of them, and the result has the structure of the first.
template <class F, detail::array_model M, detail::array_model... Rest> M tree_map(F&& f, const M& first, const Rest&... rest) {
    M made{};
    detail::for_each_leaf_of([&](auto& to, const detail::own_array auto&... from) { to = f(from...); }, made, first, rest...);
    return made;
}

/// Array by array, with a model of the same structure or a number: `net -= 0.1 * slope`. Throws `shape_error` where extents differ.
template <detail::array_model M, detail::array_model X> M& operator+=(M& model, const X& by) {
    detail::check_extents_of(model, by);
    detail::for_each_leaf_of([](auto& w, const auto& x) { w += x; }, model, by);
    return model;
}
template <detail::array_model M, detail::array_model X> M& operator-=(M& model, const X& by) {
    detail::check_extents_of(model, by);
    detail::for_each_leaf_of([](auto& w, const auto& x) { w -= x; }, model, by);
    return model;
}
template <detail::array_model M, detail::number X> M& operator*=(M& model, X by) {
    detail::for_each_leaf(model, [&](auto& w) { w *= by; });
    return model;
}
template <detail::array_model M, detail::number X> M& operator/=(M& model, X by) {
    detail::for_each_leaf(model, [&](auto& w) { w /= by; });
    return model;
}
template <detail::array_model A, detail::array_model B> A operator+(A a, const B& b) { return std::move(a += b); }
template <detail::array_model A, detail::array_model B> A operator-(A a, const B& b) { return std::move(a -= b); }
template <detail::array_model M, detail::number X> M operator*(M model, X factor) { return std::move(model *= factor); }
template <detail::number X, detail::array_model M> M operator*(X factor, M model) { return std::move(model *= factor); }
template <detail::array_model M, detail::number X> M operator/(M model, X divisor) { return std::move(model /= divisor); }
template <detail::array_model M> M operator-(M model) { return std::move(model *= -1); }

/// Whether extents and elements of all arrays are equal, as of two arrays.
template <detail::array_model M> bool operator==(const M& a, const M& b) {
    bool same = true;
    detail::for_each_leaf_of([&](const auto& x, const auto& y) { same = same && x == y; }, a, b);
    return same;
}
/// Whether all elements of all arrays are close, as `allclose` of two arrays; so are those of whole numbers where they are equal.
template <detail::array_model M> bool allclose(const M& a, const M& b, double rtol = 1e-5, double atol = 1e-8) {
    bool close = true;
    detail::check_extents_of(a, b);
    detail::for_each_leaf_of([&](const auto& x, const auto& y) {
        if constexpr (std::is_integral_v<typename std::remove_cvref_t<decltype(x)>::value_type>) close = close && x == y;
        else close = close && allclose(x, y, rtol, atol);
    }, a, b);
    return close;
}

/// The root of the sum of the squares of all elements.
template <detail::array_model M> double global_norm(const M& model) {
    double squares = 0;
    detail::for_each_leaf(model, [&](const auto& x) { squares += static_cast<double>(sum(sqr(x))()); });
    return std::sqrt(squares);
}
/// All arrays scaled alike, so that their `global_norm` is at most `most`.
template <detail::array_model M, detail::number L> M clip_by_global_norm(const M& model, L most) {
    return std::min(static_cast<double>(most) / global_norm(model), 1.0) * model;
}

/// Each array behind its name, `hidden.weight = [[1. 2.]`, on lines of its own.
template <detail::array_model M> std::ostream& operator<<(std::ostream& out, const M& model) {
    std::string text;
    detail::for_each_leaf(model, [&](const auto& x, auto index) {
        const std::string name(detail::leaf_name<M, decltype(index)::value>);
        text.append(text.empty() ? "" : "\n").append(name).append(" = ");
        for (const char c : to_string(x)) (text += c).append(c == '\n' ? name.size() + 3 : 0, ' ');
    });
    return out << text;
}

}  // namespace croton::inline v0_1

#endif
