// SPDX-License-Identifier: MIT
// What a graph knows of its random draws while it is traced.
#ifndef CROTON_GRAPH_DRAWING_HPP
#define CROTON_GRAPH_DRAWING_HPP

#include <cstdint>

#include <croton/core/vec.hpp>

namespace croton::inline v0_1::detail {

struct drawing {
    int count = 0;              // draws
    vec<int> states;            // the numbers of calls of the random states that are drawn from: each grows by one with the call
    vec<int> loops;             // those whose turn is being traced, the outermost first
    std::uint64_t counted = 0;  // a mask of loops whose turns have draws
    int batches = 0;            // lambdas of vmap that are being traced
};

}  // namespace croton::inline v0_1::detail

#endif
