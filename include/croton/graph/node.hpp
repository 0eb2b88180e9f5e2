// SPDX-License-Identifier: MIT
// One node of a graph, and the extents its shape is made of.
#ifndef CROTON_GRAPH_NODE_HPP
#define CROTON_GRAPH_NODE_HPP

#include <cstdint>
#include <string_view>

#include <croton/core/element.hpp>
#include <croton/core/extents.hpp>

namespace croton::inline v0_1::detail {

/// An extent inside a graph: a number, or -1 - i for entry i of the graph's table of sizes.
using size_ref = std::int64_t;

/// Built-in arrays, here and in all data that passes work on: in constant evaluation each call costs, also that of an operator[].
struct shape {
    int rank = 0;
    size_ref extent[max_rank]{};

    constexpr size_ref& operator[](int axis) { return extent[axis]; }
    constexpr size_ref operator[](int axis) const { return extent[axis]; }
};

/// A size that only the call knows.
struct size_entry {
    enum class origin : std::uint8_t { argument, product, quotient, sum };
    origin what = origin::argument;
    int leaf = -1;             // argument: which leaf and axis it is read from
    int axis = -1;
    size_ref a = 0, b = 0;     // product, quotient, sum: of what
    extent_code declared = dynamic;
    size_ref same_as = 0;      // the size it must equal: itself, an earlier entry or a number
    int tied_by = -1;          // the node that demanded so, for messages; in a program one of `tie`, or an operator
};

/// What demanded that two sizes are equal, where it is no operator.
namespace tie {
inline constexpr int declaration = -1, dot = -2, update = -3, reshape = -4, broadcast = -5, matmul = -6;
constexpr std::string_view name(int t) {
    return t == dot         ? "dot"
           : t == update    ? "the update"
           : t == reshape   ? "reshape"
           : t == broadcast ? "broadcast_to"
           : t == matmul    ? "matmul"
                            : "";
}
}  // namespace tie

enum class kind : std::uint8_t {
    input,      // bits: leaf
    literal,    // bits: the value, a double's bits for floating elements
    size,       // bits: a size_ref, as a number
    arange,     // rank 1: 0, 1, ... of extent bits
    apply,      // fn: the operator; arguments broadcast as in NumPy
    cast,       // the argument's value in another element type
    reduce,     // fn: the reduction; bits: mask of axes, which stay with extent 1
    view,       // bits: per axis 4 bits, the source axis or 15 for a new axis of extent 1; source axes left out have extent 1
    reshape,    // the same elements in row-major order under another shape
    broadcast,  // the argument repeated to a shape
    dot,        // [m,k] x [k,n], [m,k] x [k]; with more axes [...,m,k] x [...,k,n], whose first axes are repeated as in NumPy
    gemm,       // alpha * a b + beta * c; arguments a, b, c or -1, alpha, beta (rank 0, -1 is one)
    softmax,    // bits: mask of axes
    log_softmax,
    logsumexp,  // bits: mask of axes, which stay with extent 1
    stand_in,   // the value of the first argument with the derivative of the second; only until the program is rewritten
};

inline constexpr int max_arguments = 5;
inline constexpr int new_axis = 15;

struct node {
    kind what = kind::literal;
    element type = element::float32;
    std::uint8_t fn = 0;
    bool derived = false;  // made by a derivative, and not written by the program as well
    int name = -1;         // entry in the graph's names, or -1
    std::int64_t bits = 0;
    int in[max_arguments]{-1, -1, -1, -1, -1};
    detail::shape shape{};
};

/// A node's arguments, where there are at most three.
constexpr void set_arguments(node& n, int a, int b = -1, int c = -1) {
    n.in[0] = a;
    n.in[1] = b;
    n.in[2] = c;
}

/// The axis of the source that axis `i` of a view shows, or `new_axis`.
constexpr int view_axis(std::int64_t bits, int i) { return static_cast<int>((bits >> (4 * i)) & 15); }
constexpr std::int64_t with_view_axis(std::int64_t bits, int i, int source) {
    return bits | (static_cast<std::int64_t>(source) << (4 * i));
}

}  // namespace croton::inline v0_1::detail

#endif
