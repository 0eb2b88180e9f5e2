// SPDX-License-Identifier: MIT
// What the type of a kernel says about its memory: which slots it reads, writes and sums into, and which numbers it needs.
#ifndef CROTON_DEVICE_CUDA_FOOTPRINT_HPP
#define CROTON_DEVICE_CUDA_FOOTPRINT_HPP

#include <croton/kernel/registers.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace croton::inline v0_1::detail::cuda_device {

// An int as the bound of an array that may be empty.
template <int N> inline constexpr std::size_t bound = static_cast<std::size_t>(N > 0 ? N : 1);

using kernel::wide;

/// Whether an instruction reads memory along the loops, and not where an index leads.
template <class Instruction> inline constexpr bool is_load = Instruction::does == kernel::role_load || Instruction::does == kernel::role_fixed;

/// The instructions of a block that sum into memory.
template <class Block> using sums_in = kernel::with_role<kernel::role_sum, Block>;

/// A slot as a block uses it, in elements of `T`.
template <class T, int Slot> struct stream {
    using element = T;
    static constexpr int slot = Slot;
};
template <class Instruction> using stream_of = stream<typename Instruction::element, Instruction::slot>;

template <class List, class... Stream> struct unique_streams {
    using type = List;
};
template <class... Have, class First, class... Rest> struct unique_streams<kernel::block<Have...>, First, Rest...> {
    static constexpr bool drop = std::is_void_v<First> || (std::is_same_v<Have, First> || ...);
    using type = typename unique_streams<std::conditional_t<drop, kernel::block<Have...>, kernel::block<Have..., First>>, Rest...>::type;
};
template <class Block> struct streams_of;
template <class... I> struct streams_of<kernel::block<I...>> {
    using loads = typename unique_streams<kernel::block<>, std::conditional_t<is_load<I>, stream_of<I>, void>...>::type;
    using stores = typename unique_streams<kernel::block<>, std::conditional_t<I::does == kernel::role_store, stream_of<I>, void>...>::type;
};

/// The facts of a list of blocks.
struct block_facts {
    int slots = 0;       // one past the highest
    int scalars = 0;     // one past the highest
    unsigned axes = 0;   // bit per loop axis whose index is a value
    int smallest = 0;    // bytes of the smallest element that is read or written, of those that are not bool if any; 0: none
    int size = 0;        // instructions
    int streams = 0;     // that read or write memory
    bool gathers = false, stores = false, sums = false;

    constexpr void add(int slot, int bytes, int axis, int scalar, bool gather, bool store, bool sum) {
        ++size;
        if (slot >= slots) slots = slot + 1;
        if (scalar >= scalars) scalars = scalar + 1;
        if (axis >= 0) axes |= 1u << axis;
        if (slot >= 0 && !sum && !gather) {
            ++streams;
            if (smallest <= 1 || (bytes > 1 && bytes < smallest)) smallest = bytes;
        }
        gathers = gathers || gather;
        stores = stores || store;
        sums = sums || sum;
    }
};
template <class Instruction> constexpr int number_of_scalar() {
    if constexpr (requires { Instruction::number; }) return Instruction::number;
    else return -1;
}
template <class... I> constexpr void note(block_facts& f, kernel::block<I...>) {
    (f.add(I::slot, kernel::memory_bytes<typename I::element>, I::axis, number_of_scalar<I>(), (I::does & (kernel::role_gather | kernel::role_row)) != 0,
           I::does == kernel::role_store, (I::does & kernel::role_sum) != 0), ...);
}
template <class... Block> constexpr block_facts facts_of_blocks() {
    block_facts f;
    (note(f, kernel::listed_t<Block>{}), ...);
    return f;
}

template <class Phase> struct parts;
template <class E, class F, class P> struct parts<kernel::phase<E, F, P>> {
    using element = E;
    using reduces = kernel::listed_t<F>;
    using row = P;
    static constexpr int reduced = kernel::size_of_block<F>;
    /// Whether something runs at the end of a row of this phase.
    static constexpr bool ends_rows = reduced > 0 || kernel::size_of_block<P> > 0;
};

/// Everything above, for a kernel type.
template <class Kernel> struct footprint;
template <int O, int I, class U, class Row, class... Phases> struct footprint<kernel::kernel<O, I, U, Row, Phases...>> {
    using rows_block = kernel::row_program<Row, Phases...>;
    using sums = typename kernel::detail::joined<sums_in<Row>, typename kernel::detail::joined<
        sums_in<typename parts<Phases>::element>, sums_in<typename parts<Phases>::row>>::type...>::type;
    static constexpr int outer_rank = O, inner_rank = I > 0 ? I : 1, rank = O + inner_rank;
    static constexpr block_facts uniform = facts_of_blocks<U>();
    static constexpr block_facts rows = facts_of_blocks<rows_block>();
    static constexpr block_facts elements = facts_of_blocks<typename parts<Phases>::element...>();
    static constexpr block_facts all = facts_of_blocks<U, rows_block, typename parts<Phases>::element...>();
    static constexpr int sum_count = kernel::size_of_block<sums>;
    static constexpr bool reduces = (false || ... || (parts<Phases>::reduced > 0));
    static constexpr bool ends_rows = (false || ... || parts<Phases>::ends_rows);

    /// The number of the sum into a slot. A constant and not an array: device code may not ask a std::array.
    template <int Slot> static constexpr int sum_of_slot = []<class... S>(kernel::block<S...>) {
        int number = -1, k = 0;
        ((number = S::slot == Slot ? k : number, ++k), ...);
        (void)k;
        return number;
    }(sums{});
};

/// Whether the blocks of a kernel may have their copies of sums in memory of their own: where it has rows and sums.
template <class Kernel> inline constexpr bool shares_copies = footprint<Kernel>::outer_rank > 0 && footprint<Kernel>::sum_count > 0;

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
