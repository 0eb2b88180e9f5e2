// SPDX-License-Identifier: MIT
// Operators that are not in the table: the struct of a user between the graph, which holds data, and kernels, which are types.
#ifndef CROTON_GRAPH_OWN_OPERATOR_HPP
#define CROTON_GRAPH_OWN_OPERATOR_HPP

#include <string_view>
#include <type_traits>

#include <croton/core/literals.hpp>
#include <croton/graph/pull.hpp>
#include <croton/kernel/key.hpp>

namespace croton::inline v0_1 {

namespace op {

/// What kernels apply for the struct `Op` of a user. It has no name: its type tells it from others in the names of kernels.
template <class Op, int Arity> struct own {
    static constexpr int arity = Arity;
    static constexpr bool takes_numbers = requires { Op::takes_numbers; }, takes_neighbours = requires { Op::takes_neighbours; };
    template <class... V> CROTON_INLINE static CROTON_HD constexpr auto value(const V&... x) {
        if constexpr (requires { Op::value(x...); }) return Op::value(x...);
        else return each_number([](const auto&... lane) { return Op::value(lane...); }, x...);
    }
};

}  // namespace op

namespace detail {

template <class Op, int Arity>
concept differentiable = (Arity == 1 && requires(term t) { Op::pull(t, t, t); }) ||
                         (Arity == 2 && requires(term t) { Op::pull(t, t, t, t); }) ||
                         (Arity == 3 && requires(term t) { Op::pull(t, t, t, t, t); });

template <class Op, int Arity> constexpr pull_function own_pull() {
    if constexpr (differentiable<Op, Arity>) return &pull_of<Op, Arity>;
    else return nullptr;
}

/// The full name of `Op`, as this compiler spells it within another.
template <class Op> constexpr std::string_view spelled_type() {
    return whole_text(__PRETTY_FUNCTION__);
}

/// What the struct `Op` of a user is in a call with `Arity` arguments, in the form of the structs of the table. A graph holds the
/// address of the facts, and that leads back to the type.
template <class Op, int Arity, op::typing Kind> struct own_call {
    static constexpr std::string_view name = Op::name;
    static constexpr op::typing kind = Kind;
    static constexpr operator_facts facts = [] {
        operator_facts f{name, "", Arity, Kind, spelled_type<Op>(), differentiable<Op, Arity>, own_pull<Op, Arity>()};
        if constexpr (requires { Op::gives; }) f.gives = Op::gives;
        return f;
    }();
    static_assert(kernel::key_holder<op::own<Op, Arity>, kernel::address_key<&facts>>::exists);
};

/// The number of an operator in a graph.
template <class Op> constexpr int number_of(arena& g) {
    if constexpr (requires { Op::facts; }) return g.own_operator(&Op::facts);
    else return code<Op>;
}

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
