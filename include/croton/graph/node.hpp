// SPDX-License-Identifier: MIT
// One node of a graph, and the extents its shape is made of.
#ifndef CROTON_GRAPH_NODE_HPP
#define CROTON_GRAPH_NODE_HPP

#include <cstdint>
#include <string_view>

#include <croton/core/element.hpp>
#include <croton/core/extents.hpp>
#include <croton/graph/structure.hpp>

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
    // difference: 0 where it would be negative. quotient: exact. rounded_up: the quotient, rounded up. remainder: 0 of a quotient by 0.
    // root: the square root of a, rounded up, and at least 1.
    enum class origin : std::uint8_t { argument, product, quotient, sum, difference, minimum, rounded_up, remainder, root };
    origin what = origin::argument;
    int leaf = -1;             // argument: which leaf and axis it is read from
    int axis = -1;
    size_ref a = 0, b = 0;     // what is computed: of what
    extent_code declared = dynamic;
    size_ref same_as = 0;      // the size it must equal: itself, an earlier entry or a number
    int tied_by = -1;          // the node that demanded so, for messages; in a program one of `tie`, or an operator
};

/// What demanded that two sizes are equal, where it is no operator.
namespace tie {
inline constexpr int declaration = -1, dot = -2, update = -3, reshape = -4, broadcast = -5, matmul = -6, take_along_axis = -7, concatenate = -8, indexed = -9, split = -10, einsum = -11, tensordot = -12, multi_dot = -13, vmap = -14,
                     square = -15, solve = -16, solve_triangular = -17, lstsq = -18, scan = -19, cond = -20, convolution = -21, cross = -22, interp = -23, trapezoid = -24, central_differences = -25, squeeze = -26;
constexpr std::string_view name(int t) {
    return t == dot         ? "dot"
           : t == update    ? "the update"
           : t == reshape   ? "reshape"
           : t == broadcast ? "broadcast_to"
           : t == matmul    ? "matmul"
           : t == take_along_axis ? "take_along_axis"
           : t == concatenate ? "concatenate"
           : t == indexed     ? "indexing"
           : t == split       ? "split"
           : t == einsum      ? "einsum"
           : t == tensordot   ? "tensordot"
           : t == multi_dot   ? "multi_dot"
           : t == vmap        ? "vmap"
           : t == square      ? "a square matrix"
           : t == solve       ? "solve"
           : t == solve_triangular ? "solve_triangular"
           : t == lstsq       ? "lstsq"
           : t == scan        ? "scan"
           : t == cond        ? "cond"
           : t == convolution ? "a convolution"
           : t == cross       ? "cross"
           : t == interp      ? "interp"
           : t == trapezoid   ? "trapezoid"
           : t == central_differences ? "central_differences"
           : t == squeeze     ? "squeeze"
                            : "";
}
}  // namespace tie

/// A loop over turns: what its variables say of it is kept by number.
struct loop_facts {
    int carried = 0, sequences = 0;
    size_ref turns = 0;
    bool reverse = false;    // the last elements of the sequences come first, and results are laid down from the last one on
    bool retraces = false;   // of fewer turns than `turns` it has those that another loop had, from the last one on
    bool unbounded = false;  // what the turns are is known when the last one is done
    int truncated = 0;       // its derivative goes back through so many turns at most; 0: through all
    int at_most = 0;         // so many turns and no more; 0: as many as there are
    bool only_states = false;  // of its turns derivatives are given what is carried and elements, and all else is computed again
    const char* source = nullptr;  // the function of its turn, of a loop that the program wrote
    int written_as = -1;       // the first loop of that function: this one is the same, a copy, or a part
    std::uint64_t idle = 0;    // by carried value: neither another one, nor what is given out, nor what ends the loop needs it
};

/// What a turn has of a sequence.
struct walked_sequence {
    int element = -1, sequence = -1;
};

inline constexpr int max_arguments = 5;
inline constexpr int new_axis = 15;

struct node {
    std::uint8_t what = tag<structure::literal>;  // the number of its structure
    placement place = placement::given;           // the structure's
    element type = element::float32;
    std::uint8_t fn = 0;   // apply: the operator; reduce: the reduction; in a plan, gemm: the operator that ends it; of a routine, in a
                           // program: which of the program's
    bool derived = false;  // made by a derivative, and not written by the program as well
    int name = -1;         // entry in the graph's names, or -1
    std::int64_t bits = 0;  // what the structure says besides: see there
    int in[max_arguments]{-1, -1, -1, -1, -1};  // of what is computed in a loop the last ones are -1, behind a -1 of another there can be more
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

/// What a slice takes along its axis: every `step`th element from `start` on. The extent of its shape says how many.
constexpr int slice_axis(std::int64_t bits) { return static_cast<int>(bits & 15); }
constexpr std::int64_t slice_step(std::int64_t bits) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)) >> 4; }
constexpr size_ref slice_start(std::int64_t bits) { return bits >> 32; }
constexpr std::int64_t slice_bits(int axis, size_ref start, std::int64_t step) {
    // Of negative numbers not every compiler moves the bits to the left.
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(start) << 32) | static_cast<std::int64_t>(static_cast<std::uint32_t>(step) << 4) | axis;
}

}  // namespace croton::inline v0_1::detail

#endif
