// SPDX-License-Identifier: MIT
// What becomes of the sums of columns, a register of columns at a time: the row blocks of two phases as one element block.
#ifndef CROTON_DEVICE_CPU_SPREAD_ENDS_HPP
#define CROTON_DEVICE_CPU_SPREAD_ENDS_HPP

#include <croton/device/cpu/spread.hpp>

#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

/// An instruction of a row block as one of an element block, in which row value I has the number I + `By`. `void` where it is none.
template <int By, class A> struct moved_operand {
    using type = A;
};
template <int By, int I, class T> struct moved_operand<By, kernel::r<I, T>> {
    using type = kernel::e<I + By, T>;
};
template <int By, class A> using moved_operand_t = typename moved_operand<By, A>::type;
template <int By, class T, class I> struct moved_instruction {
    using type = void;
};
template <int By, class T, int S> struct moved_instruction<By, T, kernel::load<T, S>> {
    using type = kernel::load<T, S>;
};
template <int By, class T, std::uint64_t Bits> struct moved_instruction<By, T, kernel::literal<T, Bits>> {
    using type = kernel::literal<T, Bits>;
};
template <int By, class T, int N> struct moved_instruction<By, T, kernel::scalar<T, N>> {
    using type = kernel::scalar<T, N>;
};
template <int By, class T, class Op, class... A> struct moved_instruction<By, T, kernel::apply<Op, A...>> {
    using type = kernel::apply<Op, moved_operand_t<By, A>...>;
};
template <int By, class T, int S, class A> struct moved_instruction<By, T, kernel::store<T, S, A>> {
    using type = kernel::store<T, S, moved_operand_t<By, A>>;
};
template <int By, class T, class Block> struct moved_block;
template <int By, class T, class... I> struct moved_block<By, T, kernel::block<I...>> {
    static constexpr bool found = (true && ... && !std::is_void_v<typename moved_instruction<By, T, I>::type>);
    using type = kernel::block<typename moved_instruction<By, T, I>::type...>;
};

/// All that follows the sums of columns, which lie in the slots behind `Slots`: their guesses, sums and squares, and what does not vary, n and 1 / n.
template <int Slots, class Pair, class Row, class First, class Second> struct spread_ends;
template <int Slots, class Pair, class Row, class E1, class F1, class R1, class E2, class F2, class R2>
struct spread_ends<Slots, Pair, Row, kernel::phase<E1, F1, R1>, kernel::phase<E2, F2, R2>> {
    using T = typename Pair::element;
    static constexpr int loads = 5, slots = Slots + loads;
    using row = moved_block<loads, T, kernel::listed_t<Row>>;
    using first = moved_block<loads, T, kernel::listed_t<R1>>;
    using second = moved_block<loads, T, kernel::listed_t<R2>>;
    static constexpr bool found = row::found && first::found && second::found;
    using sums = kernel::block<kernel::load<T, Slots>, kernel::load<T, Slots + 1>, kernel::load<T, Slots + 2>, kernel::load_fixed<T, Slots + 3>, kernel::load_fixed<T, Slots + 4>>;
    using of_sum = kernel::apply<spread_sum, kernel::e<0, T>, kernel::e<1, T>, kernel::e<3, T>>;
    using of_squares = kernel::apply<spread_squares, kernel::e<0, T>, kernel::e<1, T>, kernel::e<2, T>, kernel::e<3, T>, kernel::e<4, T>, kernel::e<Pair::center + loads, T>>;
    template <class R> struct joined {
        using type = typename kernel::detail::joined<sums, typename R::row::type, kernel::block<of_sum>, typename R::first::type, kernel::block<of_squares>, typename R::second::type>::type;
    };
    template <class R = spread_ends> using phase = kernel::phase<typename joined<R>::type, kernel::block<>, kernel::block<>>;
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
