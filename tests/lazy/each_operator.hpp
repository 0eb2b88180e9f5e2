// SPDX-License-Identifier: MIT
// Every operator of the table on arrays where they stand: of arrays, of views with gaps, backwards and transposed, of memory that is shared, and beside numbers, each element
// as a function gives it of arrays in order. The operators are taken from the table, so that a new one is among them.
#ifndef CROTON_TESTS_LAZY_EACH_OPERATOR_HPP
#define CROTON_TESTS_LAZY_EACH_OPERATOR_HPP

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <croton/croton.hpp>
#include <croton/interop/held_view.hpp>

#include "ops/together.hpp"

namespace each_operator {

using namespace croton;

template <class T> bool same(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) return (a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b));
    else return a == b;
}
template <class T> void agree(const char* form, const array<T, 2>& got, const array<T, 2>& want) {
    CAPTURE(form);
    REQUIRE(got.extents() == want.extents());
    for (std::int64_t i = 0; i < got.size(); ++i) CHECK_MESSAGE(same(got.data()[i], want.data()[i]), "element ", i, " is ", +got.data()[i], " and not ", +want.data()[i]);
}

/// What stands in the way of lanes: every second column, from the end, and columns as rows. The array keeps the elements.
template <class T> view<const T, 2> with_gaps(const array<T, 2>& x, array<T, 2>& keeper) {
    keeper = array<T, 2>(x.extent(0), 2 * x.extent(1));
    keeper(slice(), slice(none, none, 2)) = x;
    return std::as_const(keeper)(slice(), slice(none, none, 2));
}
template <class T> view<const T, 2> backwards(const array<T, 2>& x, array<T, 2>& keeper) {
    keeper = x(slice(none, none, -1), slice(none, none, -1));
    return std::as_const(keeper)(slice(none, none, -1), slice(none, none, -1));
}
template <class T> view<const T, 2> transposed(const array<T, 2>& x, array<T, 2>& keeper) {
    keeper = x.transpose();
    return std::as_const(keeper).transpose();
}

template <class Op> auto of(const auto& a, const auto& b, const auto& c, const auto& chooses) {
    if constexpr (std::is_same_v<Op, op::where>) return eval(where(chooses, a, b));
    else if constexpr (Op::arity == 1) return eval(elementwise<Op>(a));
    else if constexpr (Op::arity == 2) return eval(elementwise<Op>(a, b));
    else return eval(elementwise<Op>(a, b, c));
}

template <class Op, class T> void check(const auto& want, const array<T, 2>& a, const array<T, 2>& b, const array<T, 2>& c, const array<bool, 2>& chooses) {
    const std::string name(Op::name);
    CAPTURE(name);
    agree("arrays", of<Op>(a, b, c, chooses), want);
    array<T, 2> keep_a, keep_b, keep_c;
    array<bool, 2> keep_chooses;
    const auto views = [&](const char* form, auto make) { agree(form, of<Op>(make(a, keep_a), make(b, keep_b), make(c, keep_c), make(chooses, keep_chooses)), want); };
    views("every second column", [](const auto& x, auto& keeper) { return with_gaps(x, keeper); });
    views("backwards", [](const auto& x, auto& keeper) { return backwards(x, keeper); });
    views("transposed", [](const auto& x, auto& keeper) { return transposed(x, keeper); });
    const auto shared_with = []<class E>(const array<E, 2>& x) { return held_view(std::make_shared<array<E, 2>>(x)); };
    agree("shared", of<Op>(shared_with(a), shared_with(b), shared_with(c), shared_with(chooses)), want);
    // A number in the place of the last operand, which is repeated.
    if constexpr (Op::arity == 2 && !std::is_same_v<T, bool>) {
        const T number = 2;
        agree("beside a number", eval(elementwise<Op>(a, number)), eval(elementwise<Op>(a, array<T, 2>::full(a.extents(), number))));
    }
}

/// In which group of 8 an operator stands.
template <class T, class Op> constexpr int group_of() {
    int at = 0;
    while (elementwise_check::operators_of<T>[static_cast<std::size_t>(at)] != detail::code<Op>) ++at;
    return at / 8;
}

/// The operators of the table that take elements of T, those of every group whose number has the rest `Turn` by `Turns`: a compiler takes its time for each.
template <class T, int Turns = 1, int Turn = 0> void check_table() {
    int seen = 0;
    elementwise_check::in_groups<T>([&]<class... Op>(detail::type_list<Op...>) {
        using first = typename detail::type_at<0, detail::type_list<Op...>>::type;
        if constexpr (group_of<T, first>() % Turns == Turn) {
            for (const auto& extents : {extents_of<2>{5, 7}, extents_of<2>{1, 1}, extents_of<2>{0, 7}}) {
                array<T, 2> a(extents), b(extents), c(extents);
                array<bool, 2> chooses(extents);
                for (std::int64_t i = 0; i < a.size(); ++i) {
                    a.data()[i] = static_cast<T>(static_cast<double>(i % 9) * 0.25 + 0.125 + static_cast<double>(std::is_integral_v<T> ? i % 4 : 0));
                    b.data()[i] = static_cast<T>(static_cast<double>(i % 5) * 0.5 + 1);
                    c.data()[i] = static_cast<T>(static_cast<double>(i % 3) + 2);
                    chooses.data()[i] = i % 2 == 0;
                }
                auto f = function<cpu>(elementwise_check::together<T, Op...>());
                const auto want = f(a, b, c, chooses);
                [&]<std::size_t... I>(std::index_sequence<I...>) { (check<Op>(std::get<I>(want), a, b, c, chooses), ...); }(std::index_sequence_for<Op...>());
            }
            seen += static_cast<int>(sizeof...(Op));
        }
    });
    CHECK(seen > 0);
}

}  // namespace each_operator

#endif
