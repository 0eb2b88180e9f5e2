// SPDX-License-Identifier: MIT
// Every function on arrays where they stand: of arrays, of views with gaps, backwards and in column order, of memory that is shared, and of expressions, each result as a function
// gives it of symbols, on the CPU and on the device of plain loops. A row is one function: ROW_1(name, call of x), ROW_2(name, call of x and y), ... A name of
// lazy/functions.hpp without a row fails in house.sh.
#ifndef CROTON_TESTS_LAZY_EACH_FUNCTION_HPP
#define CROTON_TESTS_LAZY_EACH_FUNCTION_HPP

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <croton/croton.hpp>
#include <croton/interop/held_view.hpp>

namespace each_function {

using namespace croton;

#define ROW_1(name_, ...) #name_, [](const auto& x) { return __VA_ARGS__; }
#define ROW_2(name_, ...) #name_, [](const auto& x, const auto& y) { return __VA_ARGS__; }
#define ROW_3(name_, ...) #name_, [](const auto& x, const auto& y, const auto& z) { return __VA_ARGS__; }

/// A setting, as symbols take it and as arrays do.
template <auto Value, class X> constexpr auto set(const X&) {
    if constexpr (traced<X>) return Value;
    else return constant<Value>;
}

template <class T> bool near(T a, T b) {
    if constexpr (!std::is_floating_point_v<T>) return a == b;
    else if (a != a || b != b) return a != a && b != b;
    else return a == b || std::abs(a - b) <= (sizeof(T) == 4 ? T(2e-5) : T(1e-10)) * (1 + std::abs(b));
}
/// What of two results differs first; nothing where they agree.
template <class T, int Rank> std::string difference(const array<T, Rank>& got, const array<T, Rank>& want, bool signs) {
    if (got.extents() != want.extents()) return "the extents differ";
    for (std::int64_t i = 0; i < got.size(); ++i) {
        const T a = got.data()[i], b = want.data()[i];
        if (near(a, b)) continue;
        if constexpr (std::is_floating_point_v<T>)
            if (!signs && near(std::abs(a), std::abs(b))) continue;
        return "element " + std::to_string(i) + " is " + std::to_string(a) + " and not " + std::to_string(b);
    }
    return {};
}
template <class... A> std::string difference(const std::tuple<A...>& got, const std::tuple<A...>& want, bool signs) {
    std::string all;
    [&]<std::size_t... I>(std::index_sequence<I...>) { ((all += difference(std::get<I>(got), std::get<I>(want), signs)), ...); }(std::index_sequence_for<A...>());
    return all;
}

/// What a call of arrays gives, as arrays.
template <class R> auto values(R&& result) {
    if constexpr (requires { eval(result); }) return eval(result);
    else if constexpr (detail::number<std::remove_cvref_t<R>>) return array<std::remove_cvref_t<R>, 0>(result);
    else return std::forward<R>(result);
}

/// A result, or which error there was in its place.
template <class Values> struct outcome {
    std::optional<Values> result;
    std::string error;
};
template <class F> auto outcome_of(const F& f) {
    outcome<std::remove_cvref_t<decltype(values(f()))>> done;
    try {
        done.result.emplace(values(f()));
    } catch (const shape_error&) {
        done.error = "shape_error";
    } catch (const value_error&) {
        done.error = "value_error";
    }
    return done;
}
template <class A> std::string difference(const outcome<A>& got, const outcome<A>& want, bool signs) {
    if (got.error != want.error) return "the error is '" + got.error + "' and not '" + want.error + "'";
    return got.result ? difference(*got.result, *want.result, signs) : std::string();
}

/// What stands for an array: the parameter of an expression on one.
template <class A> using symbol_of = std::tuple_element_t<0, typename detail::lazy_leaf<typename A::value_type, A::rank>::parameters>;

/// A call as the lambda of a function of symbols.
template <class Call, class... P> struct in_function {
    constexpr auto operator()(P... p) const {
        (p.graph->unused.push(p.id), ...);
        auto value = Call()(p...);
        if constexpr (detail::has_fields<decltype(value)> && !detail::is_array_of_fields<decltype(value)> && !traced<decltype(value)>) return detail::tie_fields(value).apply([](auto&... each) { return std::make_tuple(each...); });
        else return value;
    }
};

enum class order { gaps, backwards, columns };

/// The elements of an array in another order of memory, which `keeper` holds; between them lies what no function may read.
template <class T, int Rank> view<const T, Rank> laid(order how, const array<T, Rank>& x, array<T, 1>& keeper) {
    extents_of<Rank> strides{};
    std::int64_t step = how == order::gaps ? 2 : 1, from = 0;
    for (int i = 0; i < Rank; ++i) {
        const auto axis = static_cast<std::size_t>(how == order::columns ? i : Rank - 1 - i);
        strides[axis] = step;
        step *= how == order::gaps ? x.extents()[axis] + 1 : x.extents()[axis];
    }
    if (how == order::backwards)
        for (int i = 0; i < Rank; ++i) {
            auto& stride = strides[static_cast<std::size_t>(i)];
            from += stride * std::max<std::int64_t>(0, x.extent(i) - 1);
            stride = -stride;
        }
    keeper = array<T, 1>::full({step + 1}, std::is_same_v<T, bool> ? T(1) : static_cast<T>(99));
    view<T, Rank> to(keeper.data() + from, x.extents(), strides);
    to(ellipsis) = x;
    return to;
}

/// An expression that has the elements of `x`.
template <class A> auto expression(const A& x) {
    if constexpr (std::is_same_v<typename A::value_type, bool>) return x & x;
    else return +x;
}

/// Both forms of a function are compiled once for all cases. `signs` is false where two devices may give vectors that point the other way.
template <class Call, class... A> void check_case(const std::string& name, Call call, const auto& on_cpu, const auto& on_reference, bool signs, const A&... x) {
    const auto want = outcome_of([&] { return on_cpu(x...); });
    const auto compare = [&](const char* form, const auto& f, bool same_signs = true) {
        const std::string wrong = difference(outcome_of(f), want, same_signs);
        CHECK_MESSAGE(wrong.empty(), (name + ", " + form + ": " + wrong));
    };
    compare("arrays", [&] { return call(x...); });
    for (const order how : {order::gaps, order::backwards, order::columns}) {
        std::tuple<array<typename A::value_type, 1>...> keepers;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            compare(how == order::gaps ? "gaps" : how == order::backwards ? "backwards" : "columns", [&] { return call(laid(how, x, std::get<I>(keepers))...); });
        }(std::index_sequence_for<A...>());
    }
    const std::tuple shared_arrays(held_view(std::make_shared<A>(x))...);
    compare("shared", [&] { return std::apply(call, shared_arrays); });
    compare("expressions", [&] { return call(expression(x)...); });
    compare("plain loops", [&] { return on_reference(x...); }, signs);
}
template <bool Signs = true, class Call, class... A, class... Case> void check(const char* name, Call call, const std::tuple<A...>& first, const Case&... cases) {
    using of_symbols = in_function<Call, symbol_of<A>...>;
    const auto on_cpu = function<cpu>(of_symbols());
    const auto on_reference = function<reference>(of_symbols());
    int number = 0;
    const auto each = [&](const std::tuple<A...>& arguments) {
        std::apply([&](const A&... x) { check_case(std::string(name) + ", case " + std::to_string(number++), call, on_cpu, on_reference, Signs, x...); }, arguments);
    };
    each(first);
    (each(cases), ...);
}

/// Numbers that differ, some of them negative, whose sums are exact.
template <class T, class... E> array<T, static_cast<int>(sizeof...(E))> numbers(E... extents) {
    array<T, static_cast<int>(sizeof...(E))> x(extents_of<static_cast<int>(sizeof...(E))>{extents...});
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(static_cast<double>(i * 7 % 31) * 0.25 - 3);
    return x;
}
/// Whole numbers from 0 to below `count`.
template <class... E> array<int, static_cast<int>(sizeof...(E))> labels(int count, E... extents) {
    array<int, static_cast<int>(sizeof...(E))> x(extents_of<static_cast<int>(sizeof...(E))>{extents...});
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<int>(i * 5 + 1) % count;
    return x;
}
template <class... A> auto of(const A&... x) { return std::tuple<A...>(x...); }

}  // namespace each_function

#endif
