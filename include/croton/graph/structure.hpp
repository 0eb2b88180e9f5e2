// SPDX-License-Identifier: MIT
// What a node can be: the list of structures, where each is computed, and what passes ask about one by its number.
#ifndef CROTON_GRAPH_STRUCTURE_HPP
#define CROTON_GRAPH_STRUCTURE_HPP

#include <cstdint>
#include <string_view>

#include <croton/core/text.hpp>
#include <croton/core/type_list.hpp>

namespace croton::inline v0_1::kernel {
struct routine_facts;
}

namespace croton::inline v0_1::detail {

class arena;
class batching;
class cotangents;
struct node;

/// Where a node is computed. Passes ask for this and not for the structure.
enum class placement : std::uint8_t {
    given,    // in memory already, or a number that the call knows
    loop,     // element by element, in whatever loop it stands
    alias,    // the argument seen through a map of its axes
    window,   // a part of the argument where that lies in memory
    layout,   // the same memory in row-major order under another shape
    pieces,   // each argument is computed straight into its part of the result
    call,     // by a step of its own: a product of matrices, or a routine
    repeat,   // by a step that runs the steps of a region again and again
    part,     // one of the results of such a step
    expands,  // rewritten into others before anything is planned
};

/// The structures: one struct each under graph/structure/, with
///   name           what messages and explanations call it
///   place          its placement
///   again          the node made anew on rewritten arguments, through the rules by which it is made
///   pull           adds to the cotangents of its arguments; or `no_derivative`, which says why it has none. What is given has neither
///   batch          the node for each of a batch (graph/batching.hpp); vmap refuses what leaves it out
///   expand         of what expands: the nodes it stands for
///   source         of an alias: the axis of the argument that an axis of the result shows, or `new_axis`
///   routine        of a call that is no product: what a plan asks of the routine that computes a node (kernel/routine.hpp). The node's
///                  `bits` are then the axis that it works along and, behind, the routine's attributes
///   is_lasting     whether its arguments alone make it what it is, so that it stays the same node while they do: no size that is tied
///                  later, and no rule of `of` but on the arguments, makes another one. False where it is left out
///   describe       what a user would call a node of it, where that is not `the result of` and the name
/// and `of`, which makes a node. What a structure leaves out that its placement needs does not compile.
namespace structure {
struct literal;
struct input;
struct size;
struct arange;
struct apply;
struct cast;
struct reduce;
struct gather;
struct scatter;
struct view;
struct reshape;
struct broadcast;
struct slice;
struct concatenate;
struct dot;
struct gemm;
struct softmax;
struct log_softmax;
struct logsumexp;
struct stand_in;
struct turn_value;
struct bundle;
struct repeat;
struct turn_part;
}  // namespace structure

using structures = type_list<structure::literal, structure::input, structure::size, structure::arange, structure::apply, structure::cast,
                             structure::reduce, structure::gather, structure::scatter, structure::view, structure::reshape, structure::broadcast, structure::slice,
                             structure::concatenate, structure::dot, structure::gemm, structure::softmax, structure::log_softmax, structure::logsumexp, structure::stand_in,
                             structure::turn_value, structure::bundle, structure::repeat, structure::turn_part>;

/// The number of a structure in the list: what a node carries.
template <class S> inline constexpr std::uint8_t tag = index_in<S, structures>::value;

/// What passes ask about a structure.
struct structure_facts {
    std::string_view name, type;  // the type tells structures with one name apart
    placement place = placement::given;
    std::string_view no_derivative;
    // Whether it has a rule is said apart: under sanitizers g++ compares no addresses while it compiles.
    bool differentiable = false, batches = false, is_routine = false;
    bool is_lasting = false;
    int (*again)(arena& g, const node& n) = nullptr;
    void (*pull)(cotangents& c, int id) = nullptr;  // of one that is not in the list
    int (*batch)(batching& b, const node& n) = nullptr;
    int (*expand)(arena& g, const node& n) = nullptr;
    int (*source)(const node& n, int rank, int axis) = nullptr;
    const kernel::routine_facts* (*routine)(const node& n) = nullptr;
    void (*describe)(const arena& g, text_builder& out, const node& n) = nullptr;
};

}  // namespace croton::inline v0_1::detail

#endif
