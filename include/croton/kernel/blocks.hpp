// SPDX-License-Identifier: MIT
// Lists of instructions: their length, their entries and how they are joined.
#ifndef CROTON_KERNEL_BLOCKS_HPP
#define CROTON_KERNEL_BLOCKS_HPP

#include <croton/kernel/key.hpp>

#include <type_traits>
#include <utility>

namespace croton::inline v0_1::kernel {

namespace detail {

template <class List> struct length;
template <class... I> struct length<block<I...>> {
    static constexpr int value = static_cast<int>(sizeof...(I));
};

template <class... Block> struct joined;
template <> struct joined<> {
    using type = block<>;
};
template <class... A> struct joined<block<A...>> {
    using type = block<A...>;
};
template <class... A, class... B, class... Rest>
struct joined<block<A...>, block<B...>, Rest...> : joined<block<A..., B...>, Rest...> {};

// Most blocks have none of them.
template <int Roles, bool Any, class... I> struct chosen {
    using type = block<>;
};
template <int Roles, class... I> struct chosen<Roles, true, I...> {
    using type = typename joined<block<>, std::conditional_t<(I::does & Roles) != 0, block<I>, block<>>...>::type;
};
template <int Roles, class List> struct chosen_of;
template <int Roles, class... I> struct chosen_of<Roles, block<I...>> : chosen<Roles, ((0 | ... | I::does) & Roles) != 0, I...> {};

template <class Row, class... Phase> struct row_blocks;
template <class Row> struct row_blocks<Row> {
    using type = Row;
};
template <class Row, class E, class F, class R, class... Rest> struct row_blocks<Row, phase<E, F, R>, Rest...> {
    using type = typename row_blocks<typename joined<Row, listed_t<F>, listed_t<R>>::type, Rest...>::type;
};

template <int I, class T> struct indexed {
    using type = T;
};
template <class Sequence, class... T> struct table;
template <int... I, class... T> struct table<std::integer_sequence<int, I...>, T...> : indexed<I, T>... {};
template <int I, class T> indexed<I, T> pick(const indexed<I, T>&);

template <class List> struct table_of;
template <class... T> struct table_of<block<T...>> {
    using type = table<std::make_integer_sequence<int, static_cast<int>(sizeof...(T))>, T...>;
};
template <class List, int I> using entry = typename decltype(pick<I>(std::declval<typename table_of<List>::type>()))::type;

template <class Block> using sequence_of = std::make_integer_sequence<int, length<listed_t<Block>>::value>;

}  // namespace detail

/// Whether a reduction keeps a value that is combined with itself, as maximum does and says by a member `idempotent`: then no
/// digits are lost.
template <class Reduction> constexpr bool is_idempotent() {
    if constexpr (requires { Reduction::idempotent; }) return Reduction::idempotent;
    else return false;
}

/// The type in which partial results of `T` are kept: float sums lose digits in float.
template <class Reduction, class T>
using wide = std::conditional_t<std::is_same_v<T, float> && !is_idempotent<Reduction>(), double, T>;
/// That of an instruction which sums.
template <class Instruction> using partial_t = wide<typename Instruction::reduction, typename Instruction::element>;

/// The number of instructions in a block.
template <class Block> inline constexpr int size_of_block = detail::length<listed_t<Block>>::value;

/// The instructions of a block with their numbers.
template <class Sequence, class List> struct numbered {};
template <class Block> using numbered_t = numbered<detail::sequence_of<Block>, listed_t<Block>>;

/// Instruction `I` of a block.
template <class Block, int I> using instruction_t = detail::entry<listed_t<Block>, I>;

/// The instructions of a block that do one of `Roles` to a slot.
template <int Roles, class Block> using with_role = typename detail::chosen_of<Roles, listed_t<Block>>::type;

/// Every row value of a kernel as one block: `Row`, then the reduces and the row block of each phase.
template <class Row, class... Phase> using row_program = named_t<typename detail::row_blocks<listed_t<Row>, Phase...>::type>;

}  // namespace croton::inline v0_1::kernel

#endif
