// SPDX-License-Identifier: MIT
// The table of structures, made of the structs: a rule that is missing does not compile.
#ifndef CROTON_GRAPH_STRUCTURES_HPP
#define CROTON_GRAPH_STRUCTURES_HPP

#include <array>
#include <type_traits>

#include <croton/core/later.hpp>
#include <croton/core/literals.hpp>
#include <croton/graph/backward_loop.hpp>
#include <croton/graph/batching.hpp>
#include <croton/graph/cotangents.hpp>
#include <croton/graph/structure/apply.hpp>
#include <croton/graph/structure/arange.hpp>
#include <croton/graph/structure/broadcast.hpp>
#include <croton/graph/structure/cast.hpp>
#include <croton/graph/structure/gather.hpp>
#include <croton/graph/structure/given.hpp>
#include <croton/graph/structure/product.hpp>
#include <croton/graph/structure/reduce.hpp>
#include <croton/graph/structure/repeat.hpp>
#include <croton/graph/structure/reshape.hpp>
#include <croton/graph/structure/scatter.hpp>
#include <croton/graph/structure/slice.hpp>
#include <croton/graph/structure/softmax.hpp>
#include <croton/graph/structure/stand_in.hpp>
#include <croton/graph/structure/view.hpp>

namespace croton::inline v0_1::detail {

template <class S> inline constexpr bool is_product_structure = std::is_same_v<S, structure::dot> || std::is_same_v<S, structure::gemm>;

/// Tells structures apart, those of one name, too.
template <class S> constexpr std::string_view type_of_structure() { return whole_text(__PRETTY_FUNCTION__); }

template <class S> constexpr structure_facts facts_of_structure() {
    structure_facts facts;
    facts.name = S::name;
    facts.type = type_of_structure<S>();
    facts.place = S::place;
    facts.again = &S::again;
    constexpr bool pulls = requires(cotangents& c) { S::pull(c, 0); }, has_none = requires { S::no_derivative; };
    static_assert(S::place == placement::given || pulls != has_none,
                  "croton: a structure has a function pull(cotangents, id), or says in no_derivative why it has no derivative");
    if constexpr (pulls) {
        facts.differentiable = true;
        if constexpr (!is_listed<S, structures>) facts.pull = &S::pull;
    }
    if constexpr (requires(batching& b, const node& n) { S::batch(b, n); }) {
        facts.batches = true;
        facts.batch = &S::batch;
    }
    if constexpr (requires { S::is_lasting; }) facts.is_lasting = S::is_lasting;
    if constexpr (has_none) facts.no_derivative = S::no_derivative;
    if constexpr (S::place == placement::expands) facts.expand = &S::expand;
    if constexpr (S::place == placement::alias) facts.source = &S::source;
    if constexpr (S::place == placement::call && !is_product_structure<S>) {
        facts.is_routine = true;
        facts.routine = &S::routine;
    }
    if constexpr (requires { &S::describe; }) facts.describe = &S::describe;
    else facts.describe = [](const arena&, text_builder& out, const node&) { out << "the result of " << S::name; };
    return facts;
}

/// The facts of a structure: of the list, or of one that a function brings along.
template <class S> inline constexpr structure_facts structure_facts_of = facts_of_structure<S>();

template <class... S> constexpr auto names_of_structures(type_list<S...>) {
    return std::array<std::string_view, sizeof...(S)>{S::name...};
}
inline constexpr auto structure_names = names_of_structures(structures());

template <class S> constexpr auto pull_of_structure() {
    void (*pull)(cotangents & c, int id) = nullptr;
    if constexpr (requires(cotangents& c) { S::pull(c, 0); }) pull = &S::pull;
    return pull;
}
template <class... S> constexpr auto pulls_of_structures(type_list<S...>) {
    return std::array{pull_of_structure<S>()...};
}
/// The derivatives of the tables, for a template that takes one.
template <class Template> struct rules_of_tables {
    static constexpr auto of_structures = pulls_of_structures(later<Template, structures>());
    static constexpr auto of_operators = pulls_of(later<Template, operators>());
    static constexpr derivative_rules all{of_structures.data(), of_operators.data()};
};

template <class... S> constexpr void list_structures(vec<const structure_facts*>& to, type_list<S...>) {
    to.resize(sizeof...(S));
    ((to.at[tag<S>] = &structure_facts_of<S>), ...);
}

constexpr arena::arena() { list_structures(structures, detail::structures()); }

}  // namespace croton::inline v0_1::detail

#endif
