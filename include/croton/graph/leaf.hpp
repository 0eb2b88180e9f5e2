// SPDX-License-Identifier: MIT
// A leaf of a graph: an array that a call brings.
#ifndef CROTON_GRAPH_LEAF_HPP
#define CROTON_GRAPH_LEAF_HPP

#include <string_view>

#include <croton/core/text.hpp>
#include <croton/graph/node.hpp>

namespace croton::inline v0_1::detail {

/// A parameter of the traced function, or one array of a model that is a parameter.
struct leaf_input {
    int argument = 0;      // which parameter of the lambda
    int field = -1;        // which array of a model; -1 where the parameter is one array
    int path = -1;         // the name of that array in the model, `hidden.weight`: an entry of the names
    bool shared = false;
    int node = -1;
    element type = element::float32;
    detail::shape shape{};  // the size of every axis as the call sees it: an entry of the table of sizes each
};

/// `argument 2`, or `argument 3.hidden.weight` for an array of a model.
constexpr void describe_leaf(text_builder& out, const leaf_input& l, std::string_view path) {
    out << "argument " << l.argument + 1;
    if (!path.empty()) out << "." << path;
}

}  // namespace croton::inline v0_1::detail

#endif
