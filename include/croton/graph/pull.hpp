// SPDX-License-Identifier: MIT
// The derivative of an operator as a function of nodes, however many arguments it has.
#ifndef CROTON_GRAPH_PULL_HPP
#define CROTON_GRAPH_PULL_HPP

#include <croton/graph/term.hpp>

namespace croton::inline v0_1::detail {

template <class Op, int Arity> constexpr std::array<term, 3> pull_of(term g, term y, term a, term b, term c) {
    std::array<term, 3> out{};
    if constexpr (Arity == 1) {
        out[0] = Op::pull(g, y, a)[0];
    } else if constexpr (Arity == 2) {
        const auto r = Op::pull(g, y, a, b);
        out[0] = r[0];
        out[1] = r[1];
    } else {
        out = Op::pull(g, y, a, b, c);
    }
    return out;
}

constexpr std::array<term, 3> no_pull(term, term, term, term, term) { return {}; }
template <class Op> constexpr pull_function pull_in_table() {
    if constexpr (op::has_derivative(Op::kind)) return &pull_of<Op, Op::arity>;
    else return &no_pull;
}
template <class... Op> constexpr auto pulls_of(type_list<Op...>) {
    return std::array<pull_function, sizeof...(Op)>{pull_in_table<Op>()...};
}
}  // namespace croton::inline v0_1::detail

#endif
