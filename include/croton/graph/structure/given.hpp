// SPDX-License-Identifier: MIT
// What a call brings: arguments, numbers and sizes. The arena makes these nodes itself.
#ifndef CROTON_GRAPH_STRUCTURE_GIVEN_HPP
#define CROTON_GRAPH_STRUCTURE_GIVEN_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/arena.hpp>

namespace croton::inline v0_1::detail::structure {

struct input {  // bits: the leaf
    static constexpr std::string_view name = "an argument"sv;
    static constexpr placement place = placement::given;
    static constexpr int again(arena& g, const node& n) { return g.intern(n); }
    static constexpr void describe(const arena& g, text_builder& out, const node& n) {
        const leaf_input& l = g.leaves.at[static_cast<int>(n.bits)];
        describe_leaf(out, l, l.path < 0 ? std::string_view() : g.name(l.path));
    }
};

struct literal {  // bits: the value, a double's bits for floating elements
    static constexpr std::string_view name = "a literal"sv;
    static constexpr placement place = placement::given;
    static constexpr int again(arena& g, const node& n) { return g.intern(n); }
};

struct size {  // bits: a size_ref, as a number
    static constexpr std::string_view name = "a size"sv;
    static constexpr placement place = placement::given;
    static constexpr int again(arena& g, const node& n) { return g.intern(n); }
};

}  // namespace croton::inline v0_1::detail::structure

#endif
