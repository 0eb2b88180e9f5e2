// SPDX-License-Identifier: MIT
// A function as steps over buffers: the constant data that run time walks along.
#ifndef CROTON_PLAN_PLAN_HPP
#define CROTON_PLAN_PLAN_HPP

#include <cstdint>
#include <string_view>

#include <croton/plan/program.hpp>

namespace croton::inline v0_1::detail {

/// Where an instruction of a kernel stands: run once, once per row, or for every element of a phase.
enum class level : std::uint8_t { uniform, row, element };

enum class code_of : std::uint8_t { load, gather, literal, size, arange, apply, convert, store, accumulate, reduce };

/// The value of an earlier instruction.
struct value_ref {
    detail::level at = detail::level::uniform;
    element type = element::float32;
    int index = -1;

    friend constexpr bool operator==(const value_ref&, const value_ref&) = default;
};

struct instruction {
    code_of what = code_of::load;
    element type = element::float32;
    std::uint8_t fn = 0;        // operator or reduction
    bool fixed = false;         // load: does not vary along the innermost axis; accumulate: nor does the slot; gather: the index does not
                                // vary along the inner axes, and the slot does along the innermost
    int block = 0;              // 0 uniform, 1 row, 2 + 3 p, 3 + 3 p, 4 + 3 p: phase p's elements, reductions, row
    int slot = -1;              // load, gather, store, accumulate; arange: the loop axis; size: the entry
    std::int64_t bits = 0;      // literal
    value_ref in[3]{};

    friend constexpr bool operator==(const instruction&, const instruction&) = default;
};

/// An axis for each of up to `max_rank` others, or -1.
struct axis_map {
    std::int8_t at[max_rank]{-1, -1, -1, -1, -1, -1, -1, -1};

    friend constexpr bool operator==(const axis_map&, const axis_map&) = default;
};

/// A part of a buffer along one of its axes: every `step`th element from `start` on.
struct window {
    int axis = 0;
    size_ref start = 0;
    std::int64_t step = 1;
    int next = -1;  // the window on what this one shows, or -1
};

/// The window entry equal to `w`, found or added: equal parts have equal numbers.
constexpr int add_window(vec<window>& windows, const window& w) {
    for (int i = 0; i < windows.size(); ++i)
        if (const window& known = windows.at[i]; known.axis == w.axis && known.start == w.start && known.step == w.step && known.next == w.next) return i;
    windows.push(w);
    return windows.size() - 1;
}

/// The windows from number `first` on, and `last` on what they show.
constexpr int extend_window(vec<window>& windows, int first, const window& last) {
    if (first < 0) return add_window(windows, last);
    window w = windows.at[first];
    w.next = extend_window(windows, w.next, last);
    return add_window(windows, w);
}

/// A buffer seen along the axes of a loop (or of a matrix).
struct access {
    int buffer = -1;
    int layout = -1;  // index of a shape whose row-major strides are taken; -1: the buffer's own
    int window = -1;  // the first window on it; -1: all of it
    axis_map axis{};  // the buffer's axis for each loop axis, or -1
    int along = -1;   // gather: the buffer's axis that the index displaces along; -1 where that has one element
    size_ref limit = 1;     // gather: the extent that indices have there
    int gathered = -1;      // gather: the node, which has the slot for itself
};

enum class buffer_kind : std::uint8_t { leaf, output, temporary, number };

struct buffer_facts {
    buffer_kind what = buffer_kind::temporary;
    int index = -1;      // which leaf, output or temporary, -1 where nothing uses it; number: 0 alpha, 1 beta
    element type = element::float32;
    detail::shape shape{};
    int first = -1, last = -1;  // the steps that write it first and use it last
    int name = -1;              // temporary: what its value is called, an entry of the program's names
};

enum class step_kind : std::uint8_t { kernel, product, copy, routine, repeat };

/// The extents of a product's matrices, m, k and n, stand before those of its batch.
inline constexpr int matrix_extents = 3;

struct step {
    step_kind what = step_kind::kernel;
    element type = element::float32;
    int outer = 0, inner = 0;                       // loop axes
    size_ref extent[max_rank]{};                    // kernel, copy: of the loop axes; product: m, k, n and those of the batch;
                                                    // routine: of the result, the axis that it works along last
    int phases = 0;
    int instruction_from = 0, instruction_count = 0;
    int slot_from = 0, slot_count = 0;              // product: a, b, c and what is added: the addend or the bias;
                                                    // routine, loop: its arguments, then its results
    bool vector = false;                            // product: [m,k] x [k]
    std::uint8_t batch = 0;                         // product: axes before the matrices, behind theirs in a slot
    bool accumulates = false;                       // product: beta is not 0
    bool copies = false;                            // product: the addend is first copied to c
    bool biased = false;                            // product: adds a number of its column to each element before it stores it, and
    std::uint8_t activation = code<op::copy>;       // then applies this operator; such a product has no addend
    double alpha = 1, beta = 1;                     // product: where no instruction computes them
    bool alpha_computed = false, beta_computed = false;
    std::uint8_t routine = 0;                       // routine: which of the program's
    std::int64_t bits = 0;                          // routine: the node's, the axis and the attributes; loop: its region
    size_ref length = 0;                            // routine: of its measured argument, along the axis; loop: its turns
    int shapes = -1;                                // routine that computes elements: the first of its arguments' shapes among the layouts
    int results = 1;                                // routine, loop: how many of its slots are those
    int node = -1;                                  // product, routine: the node; kernel: the last node of the group
    int together = 1;                               // kernel: how many run in one launch, this and the next ones; 0: in that of one before
    bool closes = false;                            // kernel: the others of its launch are numbers, computed when this loop has ended
    int added = 0;                                  // kernel: leading loop axes of extent 1 that it has to be like the others of its launch
};

/// Whether a product does more to its elements than to add them to others.
constexpr bool has_epilogue(const step& s) { return s.biased || s.activation != code<op::copy>; }

/// What the device of a plan can do, as bits: see device/device.hpp.
inline constexpr unsigned fuses_loops = 1, multiplies_narrow = 2, takes_epilogues = 4, joins_loops = 8, joins_spreads = 16, ends_routines = 32, closes_with_numbers = 64;

/// Room for the plan of `Capacity` nodes.
template <int Capacity> struct room_for_steps {
    static constexpr int steps = Capacity, instructions = 4 * Capacity, slots = 2 * Capacity, buffers = 2 * Capacity, layouts = Capacity, windows = Capacity,
                         leaves = Capacity, own_operators = Capacity / 8;
};

/// Room for so many of each.
template <int Steps, int Instructions, int Slots, int Buffers, int Layouts, int Windows, int Leaves, int OwnOperators> struct room_for_parts {
    static constexpr int steps = Steps, instructions = Instructions, slots = Slots, buffers = Buffers, layouts = Layouts, windows = Windows, leaves = Leaves,
                         own_operators = OwnOperators;
};

template <class Room> struct plan_in {
    fixed_list<step, Room::steps> steps;
    fixed_list<instruction, Room::instructions> instructions;
    fixed_list<access, Room::slots> slots;
    fixed_list<buffer_facts, Room::buffers> buffers;
    fixed_list<shape, Room::layouts> layouts;
    fixed_list<window, Room::windows> windows;
    fixed_list<bool, Room::leaves> contiguous_leaf;  // leaves that a reshape reads: copied first if they are strided views
    fixed_list<const operator_facts*, Room::own_operators> own_operators;  // the program's
    int temporaries = 0;

    /// The capacity in nodes that would hold everything.
    constexpr int needed() const {
        return largest((instructions.count + 3) / 4, (slots.count + 1) / 2, (buffers.count + 1) / 2, steps.count, layouts.count, windows.count,
                       contiguous_leaf.count, 8 * own_operators.count);
    }
    constexpr bool fits() const { return needed() <= Room::steps; }

    /// Takes over a plan that fits.
    template <class Other> constexpr void take(const plan_in<Other>& p) {
        steps.take(p.steps);
        instructions.take(p.instructions);
        slots.take(p.slots);
        buffers.take(p.buffers);
        layouts.take(p.layouts);
        windows.take(p.windows);
        contiguous_leaf.take(p.contiguous_leaf);
        own_operators.take(p.own_operators);
        temporaries = p.temporaries;
    }
};
template <int Capacity> using plan = plan_in<room_for_steps<Capacity>>;

/// The plan that `Tried::make` gives, or `Tried::with_room` where that has too little, without the room that it does not use: as exact_program.
template <class Tried> consteval auto exact_plan() {
    constexpr auto p = Tried::make();
    if constexpr (p.fits()) {
        plan_in<room_for_parts<p.steps.count, p.instructions.count, p.slots.count, p.buffers.count, p.layouts.count, p.windows.count, p.contiguous_leaf.count,
                               p.own_operators.count>> out;
        out.take(p);
        return out;
    } else {
        return exact_plan<typename Tried::template with_room<p.needed()>>();
    }
}

}  // namespace croton::inline v0_1::detail

#endif
