// SPDX-License-Identifier: MIT
// Routines: steps that are no loop over elements. What passes ask of one, and what it is run with.
#ifndef CROTON_KERNEL_ROUTINE_HPP
#define CROTON_KERNEL_ROUTINE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <croton/core/literals.hpp>
#include <croton/kernel/argument.hpp>
#include <croton/kernel/key.hpp>

namespace croton::inline v0_1::kernel {

struct routine_call;

/// What passes ask of a routine: the slots of its step are the arguments that it reads, then the result that it writes. A program
/// holds the address of this, and that leads back to the type.
struct routine_facts {
    std::string_view name;             // what explanations call it
    std::string_view type;             // tells routines apart: under sanitizers g++ compares no addresses while it compiles
    int arguments = 1;
    int in_place = -1;                 // the argument where the result may lie: then only what `measured` says of it is touched
    int measured = 0;                  // the argument whose extent along the axis is the length of the call
    unsigned whole = 0;                // mask of the arguments that every row takes whole; the others are cut into rows as the result is
    std::string_view attribute[3]{};   // what explanations call those of its attributes that are set, by bit
    bool of_matrices = false;          // its pieces are the matrices of the last two axes, and not rows; see routine/matrices.hpp
    std::string_view failure{};        // what is wrong where it fails: before it nothing may be written that a call must not change
    std::int64_t (*operations)(std::int64_t count, std::int64_t length) = nullptr;  // on `count` elements in rows of `length`
    bool of_elements = false;          // it computes each element of the result by itself, of arguments that are all taken whole, in their own axes
    std::int64_t (*work)(const routine_call& c) = nullptr;           // of those: the operations of a call, of which the extents are known
    void (*refuse)(const routine_call& c, std::string& text) = nullptr;  // of those: says what is wrong with the extents, where anything is
    bool has_biased = false;                // of those: whether there is the next one, whose address may not be compared either
    const routine_facts* biased = nullptr;  // the same with one argument more, [channels], that is added
    int (*channel)(int rank, std::int64_t attributes) = nullptr;  // the axis along which that lies
    std::int64_t relu = 0;                  // the attribute with which negative elements are 0
};

/// Whether a routine works on matrices: then its struct has `matrix` in the place of `row`.
template <class Routine> inline constexpr bool is_of_matrices = requires { Routine::of_matrices; };

/// Whether a routine computes elements. Its struct has, in the place of `row` and `operations`,
///   task(call)                     what all elements need to know
///   element(task, types, index)    one element of the result
///   work(call)                     the operations; and `refuse` where extents can be wrong
template <class Routine> inline constexpr bool is_of_elements = requires { Routine::of_elements; };

template <class Routine> CROTON_HD constexpr unsigned whole_arguments() {
    if constexpr (requires { Routine::whole; }) return Routine::whole;
    else if constexpr (is_of_elements<Routine>) return (1u << Routine::arguments) - 1;
    else return 0;
}

/// Tells routines apart.
template <class Routine> constexpr std::string_view type_of_routine() { return croton::detail::whole_text(__PRETTY_FUNCTION__); }

/// The struct of a routine, one for each under kernel/routine/, has
///   name, arguments, operations    as above; `whole`, `attribute`, `in_place` and `measured` where there are any
///   row                            row(attributes, result, arguments...): one row, for every device that has nothing better
template <class Routine> struct routine_of {
    static constexpr routine_facts facts = [] {
        routine_facts f;
        f.name = Routine::name;
        f.type = type_of_routine<Routine>();
        f.arguments = Routine::arguments;
        if constexpr (is_of_elements<Routine>) {
            f.of_elements = true;
            f.work = &Routine::work;
            if constexpr (requires { &Routine::refuse; }) f.refuse = &Routine::refuse;
        } else {
            f.operations = &Routine::operations;
        }
        f.whole = whole_arguments<Routine>();
        if constexpr (requires { Routine::relu; }) {
            f.channel = &Routine::channel;
            f.relu = Routine::relu;
        }
        if constexpr (requires { typename Routine::biased; }) {
            f.has_biased = true;
            f.biased = &routine_of<typename Routine::biased>::facts;
        }
        if constexpr (requires { Routine::in_place; }) f.in_place = Routine::in_place;
        if constexpr (requires { Routine::measured; }) f.measured = Routine::measured;
        if constexpr (requires { Routine::attribute; })
            for (std::size_t i = 0; i < sizeof Routine::attribute / sizeof Routine::attribute[0]; ++i) f.attribute[i] = Routine::attribute[i];
        if constexpr (requires { Routine::failure; }) f.failure = Routine::failure;
        f.of_matrices = is_of_matrices<Routine>;
        return f;
    }();
    static_assert(key_holder<Routine, address_key<&facts>>::exists);
};

/// The attributes of a node that a routine computes: the axis it works along, and what its struct says of the bits behind.
inline constexpr int no_axis = 15;  // each element by itself: the rows are those of memory
constexpr std::int64_t along_axis(int axis, std::int64_t attributes = 0) { return attributes << 4 | axis; }
constexpr int axis_of(std::int64_t bits) { return static_cast<int>(bits & 15); }
constexpr std::int64_t attributes_of(std::int64_t bits) { return bits >> 4; }

/// The element types of a routine's result and of its arguments.
template <class T, class... In> struct routine_types {
    static constexpr int slots = 1 + static_cast<int>(sizeof...(In));
};

inline constexpr int most_routine_slots = 4;

/// What a routine is run with. Its rows lie along the last axis; an array without axes is one row of one element.
struct routine_call {
    int rank = 0;
    std::int64_t extent[max_rank]{};  // of the result
    std::int64_t length = 0;          // of the rows of the measured argument
    std::int64_t attributes = 0;
    std::byte* data[most_routine_slots]{};
    std::int64_t stride[most_routine_slots][max_rank]{};  // of what is taken whole: in its own axes
    std::int64_t from[most_routine_slots - 1][max_rank]{};  // of routines that compute elements: the extents of the arguments

    CROTON_HD std::int64_t rows() const {
        std::int64_t n = 1;
        for (int i = 0; i < rank - 1; ++i) n *= extent[i];
        return n;
    }
    CROTON_HD std::int64_t along() const { return rank == 0 ? 1 : extent[rank - 1]; }
};

template <class Routine> CROTON_HD constexpr int measured_argument() {
    if constexpr (requires { Routine::measured; }) return Routine::measured;
    else return 0;
}

/// The row of slot `K` that lies `offset` elements behind the first.
template <class Routine, int K, class E> CROTON_HD vector<const E> argument_row(const routine_call& c, const std::int64_t* offset) {
    const E* const data = reinterpret_cast<const E*>(c.data[K]);
    if constexpr ((whole_arguments<Routine>() >> K & 1u) != 0) return {data, c.length, c.stride[K][0]};
    else return {data + offset[K], K == measured_argument<Routine>() ? c.length : c.along(), c.stride[K][c.rank == 0 ? 0 : c.rank - 1]};
}

/// The row whose pieces lie `offset` elements behind the first, by slot.
template <class Routine, class T, class... In, int... K>
CROTON_HD void run_row_at(const routine_call& c, const std::int64_t* offset, routine_types<T, In...>, std::integer_sequence<int, K...>) {
    constexpr int to = sizeof...(In);
    Routine::row(c.attributes, vector<T>{reinterpret_cast<T*>(c.data[to]) + offset[to], c.along(), c.stride[to][c.rank == 0 ? 0 : c.rank - 1]},
                 argument_row<Routine, K, In>(c, offset)...);
}

/// `count` elements of the result of a routine that computes elements, from number `first` on in row-major order.
template <class Routine, class T, class... In>
CROTON_HD void run_elements(const routine_call& c, std::int64_t first, std::int64_t count, routine_types<T, In...> types) {
    constexpr int to = sizeof...(In);
    const auto task = Routine::task(c);
    std::int64_t index[max_rank] = {}, offset = 0;
    for (int a = c.rank; a-- > 0;) {
        index[a] = first % c.extent[a];
        first /= c.extent[a];
        offset += index[a] * c.stride[to][a];
    }
    for (std::int64_t i = 0; i < count; ++i) {
        reinterpret_cast<T*>(c.data[to])[offset] = Routine::element(task, c, types, index);
        for (int a = c.rank; a-- > 0;) {
            offset += c.stride[to][a];
            if (++index[a] < c.extent[a]) break;
            offset -= c.stride[to][a] * c.extent[a];
            index[a] = 0;
        }
    }
}

/// Row `row` of a call.
template <class Routine, class Types> CROTON_HD void run_row(const routine_call& c, std::int64_t row) {
    if constexpr (is_of_elements<Routine>) run_elements<Routine>(c, row * c.along(), c.along(), Types());
    else {
        std::int64_t offset[most_routine_slots] = {};
        for (int a = c.rank - 2; a >= 0; --a) {
            const std::int64_t index = row % c.extent[a];
            row /= c.extent[a];
            for (int k = 0; k < Types::slots; ++k) offset[k] += index * c.stride[k][a];
        }
        run_row_at<Routine>(c, offset, Types(), std::make_integer_sequence<int, Types::slots - 1>());
    }
}

}  // namespace croton::inline v0_1::kernel

#endif
